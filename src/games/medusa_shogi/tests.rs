//! Refusals, results, notation, position texts and the board.

use super::squares::Square;
use super::{MedusaShogi, setup};
use crate::games::{Effect, Game, Kind, Outcome, Reason, Seat, Seated, Table};

const WHITE: Seat = Seat(0);
const BLACK: Seat = Seat(1);

/// A table with this position. A board alone takes rights and hands from `rest`: `w AK NP`.
pub(super) fn table(board: &str, rest: &str) -> Box<dyn Table> {
    let game = MedusaShogi::start(&[]).unwrap();
    let game = game.with_setup(&format!("{board} {rest}")).unwrap();
    Box::new(Seated::new(game))
}

pub(super) fn refusal(board: &str, rest: &str, turn: &str) -> (Kind, Reason) {
    let refused = table(board, rest).play(None, turn).unwrap_err();
    (refused.kind, refused.reason)
}

fn effects(board: &str, rest: &str, turn: &str) -> Vec<Effect> {
    table(board, rest).play(None, turn).unwrap().effects
}

#[test]
fn refusals_name_the_rule_and_the_man() {
    let bare = "w - -";
    let text = str::to_string;
    let cases = [
        (
            "10k/11/11/11/11/4m6/4R6/11/11/11/K10",
            bare,
            "e5-e4",
            Reason::Stone {
                cell: text("e5"),
                man: text("R"),
                by_seat: text("B"),
                by: text("e6"),
            },
        ),
        (
            "r9k/1M9/11/11/11/11/11/11/11/11/K10",
            bare,
            "b10-c11",
            Reason::FreesAttacker {
                seat: text("B"),
                man: text("R"),
                cell: text("a11"),
            },
        ),
        (
            "10k/11/4+r6/11/11/11/11/4L6/11/11/4K6",
            bare,
            "e4-d6",
            Reason::OpensLine {
                seat: text("B"),
                man: text("+R"),
                cell: text("e9"),
                king: text("e1"),
            },
        ),
        (
            "r9k/11/11/11/11/11/11/11/11/11/K10",
            "w - N",
            "N@b5",
            Reason::StillInCheck {
                seat: text("B"),
                man: text("R"),
                cell: text("a11"),
                king: text("a1"),
            },
        ),
        (
            "10k/11/11/3r7/11/11/11/11/11/11/4K6",
            bare,
            "e1-d1",
            Reason::KingAttacked {
                to: text("d1"),
                seat: text("B"),
                man: text("R"),
                cell: text("d8"),
            },
        ),
        (
            "5k5/11/11/3r7/11/11/11/11/11/11/R4K4R",
            "w AK -",
            "castle b1",
            Reason::CastlingAttacked {
                through: text("d1"),
                seat: text("B"),
                man: text("R"),
                cell: text("d8"),
            },
        ),
        (
            "5k5/11/11/11/11/11/11/11/11/11/RN3K2n1R",
            "w AK -",
            "castle g1",
            Reason::CastlingBlocked { cell: text("i1") },
        ),
        (
            "5k5/11/11/11/11/11/11/11/11/11/R4K4R",
            "w A -",
            "castle g1",
            Reason::NoRightToCastle {
                king: text("f1"),
                rook: text("k1"),
            },
        ),
        (
            "5k5/11/11/11/11/11/11/11/11/11/R4K4R",
            "w A -",
            "f1-d1",
            Reason::CastlingIsWritten { to: text("d1") },
        ),
        (
            "10k/11/11/11/7q3/11/11/4+B6/11/11/K10",
            bare,
            "e4-j9",
            Reason::Blocked {
                man: text("+B"),
                by_seat: text("B"),
                by_man: text("Q"),
                by: text("h7"),
            },
        ),
        (
            "10k/11/11/11/7q3/11/11/4+B6/11/11/K10",
            bare,
            "e4xh7=R",
            Reason::OtherKindTaken {
                kind: text("R"),
                taken: text("Q"),
            },
        ),
        (
            "10k/2P8/11/11/11/11/11/11/11/11/K10",
            bare,
            "c10-c11",
            Reason::MustPromote { cell: text("c11") },
        ),
        (
            "10k/11/11/11/11/3pm6/4M6/11/11/11/K10",
            bare,
            "e5xd6",
            Reason::MedusaNeverCaptures { cell: text("d6") },
        ),
        (
            "10k/11/11/11/11/11/11/11/11/11/K10",
            "w - N",
            "M@e5",
            Reason::NeverInHand { man: text("M") },
        ),
        (
            "10k/11/11/11/11/11/11/11/11/11/K10",
            "w - N",
            "+N@e5",
            Reason::NotInHand { man: text("+N") },
        ),
    ];
    for (board, rest, turn, reason) in cases {
        assert_eq!(refusal(board, rest, turn), (Kind::Illegal, reason), "{board} {turn}");
    }
}

#[test]
fn a_morph_takes_and_changes() {
    let text = str::to_string;
    assert_eq!(
        effects("7k3/11/11/11/7q3/11/11/4+B6/11/11/K10", "w - -", "e4xh7=q"),
        [
            Effect::Moved {
                seat: WHITE,
                man: Some(text("+B")),
                from: text("e4"),
                to: text("h7"),
            },
            Effect::ManTaken {
                seat: BLACK,
                man: text("Q"),
                on: text("h7"),
                in_hand: text("Q"),
            },
            Effect::Changed {
                from: text("+B"),
                to: text("+Q"),
                on: text("h7"),
            },
            Effect::Check { seat: BLACK },
        ]
    );
}

#[test]
fn a_medusa_that_moves_frees_and_petrifies() {
    let text = str::to_string;
    let effects = effects("10k/11/11/11/6P4/4m6/4R6/11/11/11/K10", "b - -", "e6-f6");
    assert_eq!(
        effects[1..],
        [Effect::Petrified {
            men: vec![(WHITE, text("P"), text("g7"))],
        },]
    );
    let table = table("10k/11/11/11/6P4/4m6/4R6/11/11/11/K10", "b - -");
    assert_eq!(table.facts().stone, Some(vec![text("e5")]));
}

#[test]
fn a_promotion_petrifies_and_an_arrival_is_petrified() {
    let text = str::to_string;
    let promoted = effects("3r6k/4P6/11/11/11/11/11/11/11/11/1K9", "w - -", "e10-e11=M");
    assert_eq!(
        promoted[1..],
        [
            Effect::Promoted {
                seat: WHITE,
                on: text("e11"),
                to: text("M"),
            },
            Effect::Petrified {
                men: vec![(BLACK, text("R"), text("d11"))],
            },
        ]
    );
    // The Knight on e5 was stone; the Rook that takes it is stone in its place, and nobody is free again.
    let arrived = effects("10k/11/11/11/5m5/4nM5/11/11/11/11/K3R6", "w - -", "e1xe6");
    let stone: Vec<&Effect> = arrived
        .iter()
        .filter(|effect| matches!(effect, Effect::Petrified { .. } | Effect::Freed { .. }))
        .collect();
    assert_eq!(
        stone,
        [&Effect::Petrified {
            men: vec![(WHITE, text("R"), text("e6"))],
        }]
    );
}

#[test]
fn a_captured_medusa_is_a_pawn_in_hand_and_frees() {
    let text = str::to_string;
    let effects = effects("10k/11/11/11/7+m3/7P3/11/4B6/11/11/K10", "w - -", "e4xh7");
    assert!(effects.contains(&Effect::ManTaken {
        seat: BLACK,
        man: text("+M"),
        on: text("h7"),
        in_hand: text("+P"),
    }));
    assert!(effects.contains(&Effect::Freed {
        men: vec![(WHITE, text("P"), text("h6"))],
    }));
}

#[test]
fn castling_moves_king_and_rook() {
    let text = str::to_string;
    let mut table = table("5k5/11/11/11/11/11/11/11/11/11/R4K4R", "w AK -");
    let played = table.play(None, "Castle B1").unwrap();
    assert_eq!(
        played.effects,
        [Effect::Castled {
            seat: WHITE,
            king_from: text("f1"),
            king_to: text("b1"),
            rook_from: text("a1"),
            rook_to: text("c1"),
        }]
    );
    assert_eq!(
        table.position_text().as_deref(),
        Some("5k5/11/11/11/11/11/11/11/11/11/1KR7R b - -")
    );
}

#[test]
fn a_rook_that_is_taken_ends_the_right_to_castle() {
    let mut table = table("r4k4r/11/11/11/11/11/11/11/11/11/R4K4R", "w AKak -");
    table.play(None, "a1xa11").unwrap();
    assert_eq!(
        table.position_text().as_deref(),
        Some("R4k4r/11/11/11/11/11/11/11/11/11/5K4R b Kk R")
    );
}

#[test]
fn the_third_occurrence_is_a_draw() {
    let mut table = table("5k5/11/11/11/11/11/11/11/11/11/R4K5", "w - -");
    let there_and_back = ["f1-f2", "f11-f10", "f2-f1", "f10-f11"];
    let mut counted = Vec::new();
    for turn in there_and_back.iter().chain(&there_and_back) {
        for effect in table.play(None, turn).unwrap().effects {
            if let Effect::Repeated { times } = effect {
                counted.push(times);
            }
        }
    }
    assert_eq!(counted, [2, 2, 2, 2, 3]);
    let draw = Outcome {
        winner: None,
        reason: "repetition",
        score: None,
    };
    assert_eq!(table.outcome(), Some(&draw));
    assert_eq!(table.legal(), Some(Vec::new()));
}

#[test]
fn perft_sees_repetitions() {
    // Only the Kings can move, to and fro on their first ranks: the Pawns block and guard everything else.
    let text = "k10/p1p1p1p1p1p/P1P1P1P1P1P/11/11/11/11/11/p1p1p1p1p1p/P1P1P1P1P1P/K10 w - -";
    let game = MedusaShogi::start(&[]).unwrap().with_setup(text).unwrap();
    let on_copies = |depth| crate::games::table::perft_by_copies(&game, depth);
    for depth in 0..11 {
        assert_eq!(game.perft(depth), on_copies(depth), "depth {depth}");
    }
    assert_eq!(game.perft(8), Some(game.position.perft(8)));
    assert!(game.perft(9) < Some(game.position.perft(9)));
}

#[test]
fn spellings() {
    let game = MedusaShogi::start(&[]).unwrap();
    let read = |text: &str| game.parse(text).map(|turn| game.write(&turn));
    for text in [
        "f4-f5",
        "F4F5",
        "f4xf5",
        "f4->f5",
        "f4 > f5",
        "f4 : F5",
        "f4:f5",
        "f4-f5=P",
        "f4 -> f5=p",
        "f4Xf5",
    ] {
        assert_eq!(read(text).as_deref(), Ok("f4-f5"), "{text}");
    }
    assert_eq!(read("castle,H1").as_deref(), Ok("castle h1"));
    assert_eq!(read("+n@E5").as_deref(), Ok("+N@e5"));
    for text in [
        "",
        "f4",
        "f4 f5",
        "f4 x f5",
        "f4-x-f5",
        "f4xf5x",
        "f4--f5",
        "f4-f5-f6",
        "f4-f5!",
        "f4-f5+",
        "f4-f5=",
        "f4-f5=+Q",
        "f4-f5=QQ",
        "f4-f5=Z",
        "f4-f5 =Q",
        "Pf4-f5",
        "l1-l2",
        "f4-f12",
        "f4-f05",
        "O-O",
        "castle",
        "castle f1 g1",
        "castleh1",
        "castle l1",
        "N@",
        "@e5",
        "N@l5",
        "N@e5=Q",
        "++N@e5",
        "-N@e5",
        "NN@e5",
        "N @e5",
        "pass",
        "é4-f5",
    ] {
        assert!(read(text).is_err(), "{text}");
    }
}

#[test]
fn recognised_turns_are_written_as_they_were_meant() {
    for (text, expected) in [
        ("E4xH7=Q", "e4xh7=q"),
        ("e4e5", "e4-e5"),
        ("e4 -> e5=m", "e4-e5=m"),
        ("+B@e5", "+b@e5"),
        ("Castle H1", "castle h1"),
    ] {
        assert_eq!(MedusaShogi::recognise(text).as_deref(), Some(expected));
    }
    for text in ["e4", "e4xh12", "n@e5 now", "hello"] {
        assert_eq!(MedusaShogi::recognise(text), None);
    }
    assert!(MedusaShogi::is_cell_name("K11") && !MedusaShogi::is_cell_name("l1"));
}

#[test]
fn a_setup_is_an_option_by_name_or_text() {
    let start = |value: &str| MedusaShogi::start(&[("setup".to_string(), Some(value.to_string()))]);
    let options = |value: &str| start(value).map(|game| game.options()[0].1.clone());
    assert_eq!(options("default"), Ok("default".into()));
    assert_eq!(options("Shifted"), Ok("shifted".into()));
    assert_eq!(options(&setup::SHIFTED.replace(' ', "_")), Ok("shifted".into()));
    assert_eq!(
        options("r3k5r/11/11/11/11/11/11/11/11/11/R4K4R"),
        Ok("r3k5r/11/11/11/11/11/11/11/11/11/R4K4R_w_AK_-".into())
    );
    for value in ["", "other", "10k/11/11/11/11/11/11/11/11/11/10K_w_-"] {
        assert!(start(value).is_err(), "{value}");
    }
    assert!(MedusaShogi::start(&[("setup".to_string(), None)]).is_err());
    assert!(MedusaShogi::start(&[("side".to_string(), Some("5".to_string()))]).is_err());
}

#[test]
fn hands_in_a_position_text() {
    let board = "5k5/11/11/11/11/11/11/11/11/11/5K5";
    let hands = |hands: &str| {
        let game = MedusaShogi::start(&[]).unwrap();
        game.with_setup(&format!("{board} w - {hands}")).map(|game| {
            let text = game.position_text().unwrap();
            text.rsplit(' ').next().unwrap().to_string()
        })
    };
    assert_eq!(hands("3p+N2P"), Ok("+N2P3p".to_string()));
    assert_eq!(hands("a+q2QL+L"), Ok("2QL+L+qa".to_string()));
    for text in [
        "",
        "M",
        "k",
        "+K",
        "0P",
        "1P",
        "02P",
        "PP",
        "2",
        "+",
        "P-",
        "Z",
        "1000P",
        "99999999999P",
    ] {
        assert!(hands(text).is_err(), "{text}");
    }
}

#[test]
fn positions_that_are_refused() {
    let game = MedusaShogi::start(&[]).unwrap();
    for text in [
        "",
        "5k5/11/11/11/11/11/11/11/11/11/5K5 w",
        "5k5/11/11/11/11/11/11/11/11/11/5K5 W - -",
        "5k5/11/11/11/11/11/11/11/11/11/5K5 w - - -",
        "5k5/11/11/11/11/11/11/11/11/5K5 w - -",
        "5k5/11/11/11/11/11/11/11/11/11/11/5K5 w - -",
        "5k5/11/11/11/11/11/011/11/11/11/5K5 w - -",
        "5k5/11/11/11/11/11/10X/11/11/11/5K5 w - -",
        "5k5/11/11/11/11/11/10+/11/11/11/5K5 w - -",
        "5k5/11/11/11/11/11/+10P/11/11/11/5K5 w - -",
        "5k5/11/11/11/11/11/12P/11/11/11/5K5 w - -",
        "5k5/11/11/11/11/11/99999999999/11/11/11/5K5 w - -",
        "5k5/11/11/11/11/11/11/11/11/11/4KK5 w - -",
        "5k5/11/11/11/11/11/11/11/11/11/11 w - -",
        "5k5/11/11/11/11/11/11/11/11/11/5+K5 w - -",
        "5k5/11/11/11/11/11/11/11/11/11/3p1K5 w - -",
        "3P1k5/11/11/11/11/11/11/11/11/11/5K5 w - -",
        "5k5/11/11/11/11/11/11/11/11/11/R4K4R w KA -",
        "5k5/11/11/11/11/11/11/11/11/11/R4K4R w AA -",
        "5k5/11/11/11/11/11/11/11/11/11/+R4K4R w A -",
        "5k5/11/11/11/11/11/11/11/11/11/R3K5R w A -",
        "5k5/11/11/11/11/5R5/11/11/11/11/5K5 w - -",
        "5kK4/11/11/11/11/11/11/11/11/11/11 w - -",
    ] {
        assert!(game.with_setup(text).is_err(), "{text}");
    }
    assert!(game.with_setup("5k5/11/11/11/11/5R5/11/11/11/11/5K5 b - -").is_ok());
}

#[test]
fn the_start_in_ascii() {
    let start = Seated::new(MedusaShogi::start(&[]).unwrap());
    let board = "
     a   b   c   d   e   f   g   h   i   j   k
11   r   .   .   .   s   k   q   .   .   .   r   11
10   .   n   a   b   l   m   l   a   b   n   .   10
 9   .   .   .   .   .  +b   .   .   .   .   .   9
 8   p   p   p   p   p   p   p   p   p   p   p   8
 7   .   .   .   .   .   .   .   .   .   .   .   7
 6   .   .   .   .   .   .   .   .   .   .   .   6
 5   .   .   .   .   .   .   .   .   .   .   .   5
 4   P   P   P   P   P   P   P   P   P   P   P   4
 3   .   .   .   .   .  +B   .   .   .   .   .   3
 2   .   N   B   A   L   M   L   B   A   N   .   2
 1   R   .   .   .   Q   K   S   .   .   .   R   1
     a   b   c   d   e   f   g   h   i   j   k";
    assert_eq!(start.diagram().ascii().join("\n"), board.trim_start_matches('\n'));
}

#[test]
fn stone_and_the_last_turn_in_ascii() {
    let mut table = table("3r7/10k/5l1P3/7p3/3n7/3M+r6/4P6/11/4+B2R3/m10/1K9", "b - +N2Ps");
    table.play(None, "d11-d9").unwrap();
    let board = "
     a   b   c   d   e   f   g   h   i   j   k
11   .   .   .   .   .   .   .   .   .   .   .   11
10   .   .   .   .   .   .   .   .   .   .   k   10
 9   .   .   . > r   .   l   .   P   .   .   .   9
 8   .   .   .   .   .   .   .   p   .   .   .   8
 7   .   .   .   n*  .   .   .   .   .   .   .   7
 6   .   .   .   M  +r*  .   .   .   .   .   .   6
 5   .   .   .   .   P   .   .   .   .   .   .   5
 4   .   .   .   .   .   .   .   .   .   .   .   4
 3   .   .   .   .  +B   .   .   R   .   .   .   3
 2   m   .   .   .   .   .   .   .   .   .   .   2
 1   .   K*  .   .   .   .   .   .   .   .   .   1
     a   b   c   d   e   f   g   h   i   j   k";
    assert_eq!(table.diagram().ascii().join("\n"), board.trim_start_matches('\n'));
}

#[test]
fn squares_stand_in_cell_order() {
    let names: Vec<String> = Square::all().map(|square| square.to_string()).collect();
    assert_eq!(names.len(), 121);
    assert_eq!(
        (&*names[0], &*names[10], &*names[11], &*names[120]),
        ("a1", "k1", "a2", "k11")
    );
    for name in names {
        assert_eq!(Square::named(&name).map(|square| square.to_string()), Some(name));
    }
}
