//! The example sentences of the rules pages.

use super::templates;
use crate::games::{Cause, Diagram, Effect, Facts, Info, Layout, Outcome, Phase, Played, Refusal, Seat, Table, Tally};
use crate::letters::sentence;
use serde_json::Value;

/// A game of which only the name, the seats and whose turn it is are known.
#[derive(Clone)]
pub(super) struct Sketch {
    pub info: &'static Info,
    pub seats: &'static str,
    pub to_move: Option<Seat>,
    pub last_turn: Option<&'static str>,
    pub outcome: Option<Outcome>,
}

macro_rules! sketch_info {
    ($name:literal, $seats:literal) => {{
        static INFO: Info = Info {
            name: $name,
            aliases: &[],
            title: $name,
            seats: $seats,
            seat_counts: &[2],
            options: &[],
            examples: ["d4", "e5"],
            rules_version: 1,
        };
        &INFO
    }};
}

pub(super) fn sketch(name: &str) -> Sketch {
    let info = match name {
        "susan" => sketch_info!("susan", "XOYZ"),
        "medusa" => sketch_info!("medusa", "BW"),
        "lotus" => sketch_info!("lotus", "BW"),
        "rosette" => sketch_info!("rosette", "BW"),
        _ => sketch_info!("medusa-shogi", "WB"),
    };
    Sketch {
        info,
        seats: info.seats,
        to_move: None,
        last_turn: None,
        outcome: None,
    }
}

impl Table for Sketch {
    fn info(&self) -> &'static Info {
        self.info
    }
    fn options(&self) -> Vec<(&'static str, Value)> {
        Vec::new()
    }
    fn seats(&self) -> &'static str {
        self.seats
    }
    fn turn(&self) -> u32 {
        0
    }
    fn to_move(&self) -> Option<Seat> {
        self.to_move
    }
    fn outcome(&self) -> Option<&Outcome> {
        self.outcome.as_ref()
    }
    fn phase(&self) -> Phase {
        Phase::Play
    }
    fn play(&mut self, _: Option<Seat>, _: &str) -> Result<Played, Refusal> {
        unreachable!("a sketch is not played")
    }
    fn legal(&self) -> Option<Vec<String>> {
        None
    }
    fn steps(&self) -> Vec<String> {
        Vec::new()
    }
    fn legal_count(&self) -> Option<u64> {
        None
    }
    fn position_text(&self) -> Option<String> {
        None
    }
    fn facts(&self) -> Facts {
        Facts::default()
    }
    fn diagram(&self) -> Diagram {
        Diagram {
            layout: Layout::Lotus,
            cells: Vec::new(),
            notes: Vec::new(),
        }
    }
    fn last_effects(&self) -> &[Effect] {
        &[]
    }
    fn last_turn(&self) -> Option<&str> {
        self.last_turn
    }
    fn perft(&self, _: u32) -> Option<u64> {
        None
    }
    fn divide(&self, _: u32) -> Option<Vec<(String, u64)>> {
        None
    }
    fn playout(&self, _: &mut dyn FnMut(usize) -> usize) -> (Option<Outcome>, u32) {
        (None, 0)
    }
    fn boxed_clone(&self) -> Box<dyn Table> {
        Box::new(self.clone())
    }
}

const FIRST: Seat = Seat(0);
const SECOND: Seat = Seat(1);
const THIRD: Seat = Seat(2);

fn said(table: &Sketch, effects: &[Effect]) -> String {
    said_in("en", table, effects)
}

pub(super) fn said_in(language: &str, table: &Sketch, effects: &[Effect]) -> String {
    sentence(effects, table, None, language, templates()).unwrap()
}

pub(super) fn cells(names: &str) -> Vec<String> {
    names.split_whitespace().map(String::from).collect()
}

pub(super) fn placed(seat: Seat, cell: &str) -> Effect {
    Effect::Placed {
        seat,
        cell: cell.into(),
    }
}

pub(super) fn moved(seat: Seat, from: &str, to: &str) -> Effect {
    Effect::Moved {
        seat,
        man: None,
        from: from.into(),
        to: to.into(),
    }
}

pub(super) fn man_moved(seat: Seat, man: &str, from: &str, to: &str) -> Effect {
    Effect::Moved {
        seat,
        man: Some(man.into()),
        from: from.into(),
        to: to.into(),
    }
}

pub(super) fn surrounded(by: Seat, owner: Seat, cell: &str) -> Effect {
    Effect::Surrounded {
        by,
        owner,
        cell: cell.into(),
    }
}

pub(super) fn reversed(names: &str, to: Seat, part: usize, cause: Cause) -> Effect {
    Effect::Reversed {
        cells: cells(names),
        to,
        part,
        cause,
    }
}

pub(super) fn ended(winner: Option<Seat>, reason: &'static str) -> Effect {
    Effect::Ended {
        outcome: Outcome {
            winner,
            reason,
            score: None,
        },
        tally: None,
    }
}

pub(super) fn scored(winner: Option<Seat>, score: [f64; 2], tally: [(u32, u32, f64); 2]) -> Effect {
    Effect::Ended {
        outcome: Outcome {
            winner,
            reason: "score",
            score: Some(score.to_vec()),
        },
        tally: Some(
            tally
                .map(|(stones, cells, extra)| Tally { stones, cells, extra })
                .to_vec(),
        ),
    }
}

#[test]
fn the_examples_of_susan() {
    let susan = sketch("susan");
    assert_eq!(
        said(
            &susan,
            &[
                moved(FIRST, "c4", "c5"),
                surrounded(FIRST, SECOND, "b5"),
                ended(Some(FIRST), "surrounded")
            ]
        ),
        "X slides c4-c5 and surrounds O's b5: X wins."
    );
    assert_eq!(
        said(
            &susan,
            &[
                placed(SECOND, "d4"),
                surrounded(SECOND, SECOND, "e4"),
                ended(Some(FIRST), "own stone surrounded")
            ]
        ),
        "O places on d4 and surrounds O's own e4: X wins."
    );
    let three = Sketch {
        seats: "XOY",
        to_move: Some(SECOND),
        last_turn: Some("a1"),
        ..sketch("susan")
    };
    assert_eq!(
        said(
            &three,
            &[
                placed(FIRST, "a1"),
                surrounded(FIRST, FIRST, "a1"),
                surrounded(FIRST, SECOND, "b2"),
                Effect::Out {
                    seat: FIRST,
                    resigned: false
                },
            ]
        ),
        "X places on a1 and surrounds X's own a1 and O's b2: X is out. O to move."
    );
    let slides = Effect::Slides { count: 6, draw_at: 6 };
    assert_eq!(
        said(&susan, &[moved(SECOND, "i9", "i8"), slides, ended(None, "six slides")]),
        "O slides i9-i8, the sixth slide in a row: draw."
    );
    let resigned = Sketch {
        last_turn: Some("Y: resign"),
        ..three
    };
    assert_eq!(
        said(
            &resigned,
            &[
                Effect::Resigned { seat: THIRD },
                Effect::Out {
                    seat: THIRD,
                    resigned: true
                }
            ]
        ),
        "Y resigns and is out; O is still to move."
    );
}

#[test]
fn the_examples_of_medusa() {
    let medusa = sketch("medusa");
    assert_eq!(
        said(
            &medusa,
            &[
                placed(SECOND, "a1"),
                reversed("a1", FIRST, 0, Cause::Suicide),
                moved(SECOND, "e1", "c1"),
                moved(SECOND, "e3", "c3"),
                reversed("b1 a2 c2 b3 a1", SECOND, 2, Cause::Captured),
                Effect::Rosette {
                    seat: SECOND,
                    around: "b2".into(),
                    cells: cells("a1 b1 a2 c2 a3 b3")
                },
            ]
        ),
        "White places on a1, which turns black, moves e1-c1, moves e3-c3 and captures 5 stones; White has a rosette \
         around b2."
    );
    assert_eq!(
        said(&medusa, &[moved(FIRST, "q15", "s15"), Effect::Marker { value: -2 }]),
        "Black moves q15-s15 and places nothing: the marker goes to 2 points for White."
    );
    assert_eq!(
        said(&medusa, &[Effect::Passed { seat: FIRST }, Effect::Marker { value: -2 }]),
        "Black passes (marker 2 for White)."
    );
    assert_eq!(
        said(
            &medusa,
            &[Effect::Passed { seat: SECOND }, Effect::Counting { first: FIRST }]
        ),
        "White passes: name the dead stones with `dead a1 …` or `dead none`."
    );
}

#[test]
fn the_examples_of_lotus() {
    let lotus = sketch("lotus");
    assert_eq!(
        said(
            &lotus,
            &[
                placed(FIRST, "d2"),
                reversed("b1", FIRST, 0, Cause::Captured),
                reversed("a1 b1 c1 d1 d2", SECOND, 0, Cause::Double),
            ]
        ),
        "Black places on d2 and captures 1 stone (b1), but the capture leaves no liberty: 5 stones turn white."
    );
    assert_eq!(
        said(
            &lotus,
            &[placed(SECOND, "a1"), reversed("a1", FIRST, 0, Cause::Suicide)]
        ),
        "White places on a1, which turns black."
    );
    assert_eq!(
        said(
            &lotus,
            &[placed(FIRST, "c1"), reversed("a1 c1", SECOND, 0, Cause::Suicide)]
        ),
        "Black places on c1, which turns white, with 1 stone (a1)."
    );
    assert_eq!(
        said(&lotus, &[Effect::Passed { seat: FIRST }, Effect::Marker { value: -2 }]),
        "Black passes: the marker goes to 2 points for White."
    );
}

#[test]
fn the_examples_of_medusa_shogi() {
    let shogi = sketch("medusa-shogi");
    let taken = |man: &str, in_hand: &str| Effect::ManTaken {
        seat: SECOND,
        man: man.into(),
        on: "h7".into(),
        in_hand: in_hand.into(),
    };
    assert_eq!(
        said(
            &shogi,
            &[
                man_moved(FIRST, "+B", "e4", "h7"),
                taken("Q", "Q"),
                Effect::Changed {
                    from: "+B".into(),
                    to: "+Q".into(),
                    on: "h7".into()
                },
                Effect::Check { seat: SECOND },
            ]
        ),
        "White's Morph-Bishop takes the Queen on h7 and becomes a Morph-Queen. Black is in check."
    );
    assert_eq!(
        said(&shogi, &[man_moved(FIRST, "R", "h1", "h7"), taken("M", "P")]),
        "White's Rook takes the Medusa on h7 (in hand: Pawn)."
    );
    assert_eq!(
        said(
            &shogi,
            &[
                man_moved(SECOND, "M", "e6", "f6"),
                Effect::Freed {
                    men: vec![(FIRST, "R".into(), "e5".into())]
                },
            ]
        ),
        "Black's Medusa moves e6-f6: White's Rook on e5 is free again."
    );
    assert_eq!(
        said(
            &shogi,
            &[
                man_moved(FIRST, "P", "e10", "e11"),
                Effect::Promoted {
                    seat: FIRST,
                    on: "e11".into(),
                    to: "M".into()
                },
                Effect::Petrified {
                    men: vec![(SECOND, "R".into(), "d11".into())]
                },
            ]
        ),
        "White's Pawn moves e10-e11 and becomes a Medusa; Black's Rook on d11 turns to stone."
    );
    assert_eq!(
        said(
            &shogi,
            &[Effect::Dropped {
                seat: SECOND,
                man: "+N".into(),
                on: "e5".into()
            }]
        ),
        "Black drops a Morph-Knight on e5."
    );
    let castled = Effect::Castled {
        seat: FIRST,
        king_from: "f1".into(),
        king_to: "h1".into(),
        rook_from: "k1".into(),
        rook_to: "g1".into(),
    };
    assert_eq!(said(&shogi, &[castled]), "White castles: King to h1, Rook to g1.");
    assert_eq!(
        said(
            &shogi,
            &[
                man_moved(FIRST, "Q", "a1", "a9"),
                Effect::Check { seat: SECOND },
                ended(Some(FIRST), "checkmate")
            ]
        ),
        "White's Queen moves a1-a9: White wins by checkmate."
    );
    assert_eq!(
        said(
            &shogi,
            &[man_moved(FIRST, "K", "a1", "a2"), Effect::Repeated { times: 2 }]
        ),
        "White's King moves a1-a2. This position is on the board for the 2nd time (a draw at the 3rd)."
    );
}

#[test]
fn the_counting_and_the_score() {
    let rosette = sketch("rosette");
    assert_eq!(
        said(
            &rosette,
            &[
                placed(FIRST, "c4"),
                Effect::Captured {
                    seat: FIRST,
                    cells: cells("c5")
                },
                Effect::Rosette {
                    seat: FIRST,
                    around: "c5".into(),
                    cells: Vec::new()
                },
            ]
        ),
        "Black places on c4 and captures 1 stone (c5); Black has a rosette at c5."
    );
    let named = |groups| Effect::Named { seat: FIRST, groups };
    assert_eq!(
        said(&rosette, &[named(vec![cells("a1")])]),
        "Black names dead: a1; nothing else."
    );
    assert_eq!(
        said(&rosette, &[named(vec![cells("a1 a2"), cells("c4")])]),
        "Black names dead: a1 (2 stones), c4; nothing else."
    );
    assert_eq!(said(&rosette, &[named(Vec::new())]), "Black names dead: nothing.");
    assert_eq!(
        said(&rosette, &[Effect::Resumed { seat: SECOND }]),
        "White resumes play."
    );
    assert_eq!(
        said(
            &rosette,
            &[
                Effect::Agreed {
                    seat: FIRST,
                    cells: cells("a1 a2 a3")
                },
                scored(Some(SECOND), [144.0, 150.5], [(100, 44, 0.0), (100, 45, 5.5)]),
            ]
        ),
        "Black agrees; 3 stones are removed. White wins by 150.5 to 144 (100 stones, 45 points, 5.5 of komi)."
    );
    assert_eq!(
        said(
            &sketch("medusa"),
            &[
                Effect::Passed { seat: FIRST },
                Effect::Marker { value: 0 },
                scored(Some(SECOND), [40.0, 43.0], [(30, 10, 0.0), (31, 12, 0.0)]),
            ]
        ),
        "Black passes (marker level): White wins by 43 to 40 (31 stones, 12 cells)."
    );
    assert_eq!(
        said(
            &sketch("lotus"),
            &[
                Effect::Agreed {
                    seat: FIRST,
                    cells: Vec::new()
                },
                scored(None, [36.0, 36.0], [(36, 0, 0.0); 2])
            ]
        ),
        "Black agrees: draw, 36 to 36."
    );
}

#[test]
fn players_are_named_where_they_are_known() {
    let names = ["alice".to_string(), "bob".to_string()];
    let effects = [
        moved(SECOND, "c4", "c5"),
        surrounded(SECOND, FIRST, "b5"),
        ended(Some(SECOND), "surrounded"),
    ];
    let said = sentence(&effects, &sketch("susan"), Some(&names), "en", templates()).unwrap();
    assert_eq!(said, "bob (O) slides c4-c5 and surrounds alice's b5: bob wins.");
}

#[test]
fn a_turn_without_effects_says_nothing() {
    assert_eq!(said(&sketch("susan"), &[]), "");
}
