//! Susan beside the cases of `tests/data/rules/susan.jsonl`: drawings, effects, and laws of the fast loops.

use super::*;
use crate::games::{Seated, Table};
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};

const A: &str = "5/6/7/8/3OOX3/2O1OX2/3XX2/6/5";

fn options(words: &[&str]) -> Vec<(String, Option<String>)> {
    let split = |word: &&str| match word.split_once('=') {
        Some((name, value)) => (name.to_string(), Some(value.to_string())),
        None => (word.to_string(), None),
    };
    words.iter().map(split).collect()
}

fn susan(words: &[&str]) -> Susan {
    Susan::start(&options(words)).unwrap()
}

fn table(words: &[&str], setup: &str) -> Seated<Susan> {
    Seated::new(susan(words).with_setup(setup).unwrap())
}

fn drawn(table: &dyn Table) -> String {
    table.diagram().ascii().join("\n")
}

#[test]
fn the_empty_boards_are_drawn_as_the_rules_page_shows() {
    let original = "
    9 . . . . .
   8 . . . . . .
  7 . . . . . . .
 6 . . . . . . . .
5 . . . . . . . . .
 4 . . . . . . . . i
  3 . . . . . . . h
   2 . . . . . . g
    1 . . . . . f
       a b c d e";
    let large = "
     11 . . . . . .
    10 . . . . . . .
    9 . . . . . . . .
   8 . . . . . . . . .
  7 . . . . . . . . . .
 6 . . . . . . . . . . .
  5 . . . . . . . . . . k
   4 . . . . . . . . . j
    3 . . . . . . . . i
     2 . . . . . . . h
      1 . . . . . . g
         a b c d e f";
    assert_eq!(drawn(&Seated::new(susan(&[]))), &original[1..]);
    assert_eq!(drawn(&Seated::new(susan(&["large"]))), &large[1..]);
}

#[test]
fn the_diagrams_of_the_rules_page_are_drawn_as_it_shows() {
    let a = "
    9 . . . . .
   8 . . . . . .
  7 . . . . . . .
 6 . . . . . . . .
5 . . . O O X . . .
 4 . . O . O X . . i
  3 . . . X X . . h
   2 . . . . . . g
    1 . . . . . f
       a b c d e";
    let c = "
    9 . . . . .
   8 . . . . . .
  7 . . . . . . .
 6 . . . . . . . .
5 . . . . . . . . .
 4 . . . . . . . . i
  3 . X O . . . . h
   2 O X O . . . g
    1 . O . . . f
       a b c d e";
    assert_eq!(drawn(&table(&[], &format!("{A} X 0"))), &a[1..]);
    assert_eq!(drawn(&table(&[], "5/6/7/8/9/8/1XO4/OXO3/1O3 X 0")), &c[1..]);
    let mut b = table(&[], &format!("{A} O 0"));
    b.play(None, "c3").unwrap();
    assert_eq!(drawn(&b), a[1..].replace("3 . . . X X", "3 . .(O)X X"));
}

#[test]
fn the_filled_cell_stands_in_parentheses_and_stones_of_nobody_in_lower_case() {
    let mut table = table(&["seats=3"], "5/6/7/8/9/8/2X4/OY4/1O3 X 0");
    table.play(None, "a1").unwrap();
    let lines = table.diagram().ascii();
    assert_eq!(
        lines[6..],
        [
            "  3 . . x . . . . h",
            "   2 O Y . . . . g",
            "    1(x)O . . . f",
            "       a b c d e"
        ]
    );
    table.play(None, "b1-c1").unwrap();
    assert_eq!(table.diagram().ascii()[8], "    1 x .(O). . f");
}

#[test]
fn slides_are_told_from_the_second_on() {
    let mut table = Seated::new(susan(&[]));
    let mut told = Vec::new();
    for turn in "a1 i9 a1-a2 i9-i8 a2-a1".split(' ') {
        table.play(None, turn).unwrap();
        told.push(table.diagram().notes);
    }
    let slides = |count| vec![Note::Slides { count, draw_at: 6 }];
    assert_eq!(told, [vec![], vec![], vec![], slides(2), slides(3)]);
}

fn effects(words: &[&str], setup: &str, turn: &str) -> Vec<Effect> {
    table(words, setup).play(None, turn).unwrap().effects
}

fn surrounded(by: u8, owner: u8, cell: &str) -> Effect {
    Effect::Surrounded {
        by: Seat(by),
        owner: Seat(owner),
        cell: cell.to_string(),
    }
}

fn ended(winner: Option<u8>, reason: &'static str) -> Effect {
    let outcome = Outcome {
        winner: winner.map(Seat),
        reason,
        score: None,
    };
    Effect::Ended { outcome, tally: None }
}

fn placed(seat: u8, cell: &str) -> Effect {
    Effect::Placed {
        seat: Seat(seat),
        cell: cell.to_string(),
    }
}

#[test]
fn a_turn_gives_what_it_did_in_order() {
    assert_eq!(
        effects(&[], &format!("{A} O 0"), "d4"),
        [
            placed(1, "d4"),
            surrounded(1, 1, "e4"),
            ended(Some(0), "own stone surrounded")
        ]
    );
    assert_eq!(
        effects(&["seats=3"], "5/6/7/8/9/8/1XO4/YOO3/1Y3 X 0", "a1"),
        [
            placed(0, "a1"),
            surrounded(0, 0, "a1"),
            surrounded(0, 1, "b2"),
            Effect::Out {
                seat: Seat(0),
                resigned: false
            },
        ]
    );
    let moved = Effect::Moved {
        seat: Seat(0),
        man: None,
        from: "c3".into(),
        to: "c4".into(),
    };
    let slides = Effect::Slides { count: 6, draw_at: 6 };
    let d = "4O/6/7/8/9/8/2X4/X5/OX3 X 5";
    assert_eq!(effects(&[], d, "c3-c4"), [moved, slides, ended(None, "six slides")]);
}

#[test]
fn a_stone_of_a_player_who_is_out_is_not_told_as_surrounded() {
    let setup = "5/6/7/8/3OOX3/2O1YX2/3XX2/6/5 X 0 Y";
    assert_eq!(effects(&["seats=3"], setup, "d4"), [placed(0, "d4")]);
}

#[test]
fn a_resignation_tells_who_is_out_only_where_the_game_goes_on_with_more_than_two() {
    let resigned = |seat| Effect::Resigned { seat: Seat(seat) };
    let mut two = Seated::new(susan(&[]));
    assert_eq!(
        two.play(None, "O: resign").unwrap().effects,
        [resigned(1), ended(Some(0), "resigned")]
    );
    let mut three = Seated::new(susan(&["seats=3"]));
    let out = Effect::Out {
        seat: Seat(2),
        resigned: true,
    };
    assert_eq!(three.play(Some(Seat(2)), "resign").unwrap().effects, [resigned(2), out]);
    assert_eq!(three.to_move(), Some(Seat(0)));
}

#[test]
fn every_refusal_has_its_reason() {
    let mut table = table(&[], &format!("{A} X 0"));
    let mut refusal = |turn: &str| table.play(None, turn).unwrap_err().reason;
    let cell = |cell: &str| cell.to_string();
    assert_eq!(refusal("d5"), Reason::Taken { cell: cell("d5") });
    assert_eq!(refusal("d5-d4"), Reason::NotYours { cell: cell("d5") });
    assert_eq!(refusal("a1-a2"), Reason::NotYours { cell: cell("a1") });
    assert_eq!(refusal("d3-d3"), Reason::SameCell { cell: cell("d3") });
    let (from, to) = (cell("d3"), cell("e2"));
    assert_eq!(refusal("d3-e2"), Reason::NotAdjacent { from, to });
    assert_eq!(refusal("D3-D4x"), Reason::NotATurn);
    assert_eq!(refusal("a6"), Reason::NoSuchCell { cell: cell("a6") });
    assert_eq!(refusal("Y: a1"), Reason::NoSuchSeat { seat: cell("Y") });
    assert_eq!(refusal("O: a1"), Reason::OutOfTurn { to_move: cell("X") });
    for text in [
        "",
        "pass",
        "swap",
        "d4 d5",
        "d4,d5",
        "resign now",
        "d3-d4-d5",
        "X:",
        "é",
        "d4;",
    ] {
        assert_eq!(refusal(text), Reason::NotATurn, "{text:?}");
    }
}

#[test]
fn position_texts_that_the_rules_page_calls_invalid_are_refused() {
    let refused = |words: &[&str], text: &str| susan(words).with_setup(text).is_err();
    for text in [
        "",
        "5/6/7/8/9/8/7/6/5",
        "5/6/7/8/9/8/7/6/5 X",
        "5/6/7/8/9/8/7/6/5 X 6",
        "5/6/7/8/9/8/7/6/5 X -1",
        "5/6/7/8/9/8/7/6/5 X 00",
        "5/6/7/8/9/8/7/6/5 x 0",
        "5/6/7/8/9/8/7/6/5 XO 0",
        "5/6/7/8/9/8/7/6/5 Y 0",
        "5/6/7/8/9/8/7/6/5 X 0 O",
        "5/6/7/8/9/8/7/6/5 X 0 - -",
        "5/6/7/8/4Y4/8/7/6/5 X 0",
        "5/6/7/8/4x4/8/7/6/5 X 0",
        "5/6/7/8/9/8/7/6 X 0",
        "5/6/7/8/9/8/7/6/4 X 0",
    ] {
        assert!(refused(&[], text), "{text:?}");
    }
    assert!(refused(&["side=2"], "XO/OXO/XO X 0"));
    for out in ["Y", "ZY", "YY", "OYZ", "Q", "x"] {
        let seat = if out == "Y" { "Y" } else { "X" };
        let text = format!("5/6/7/8/9/8/7/6/5 {seat} 0 {out}");
        assert!(refused(&["seats=4"], &text), "{text}");
    }
    assert!(refused(&["seats=3"], "5/6/7/8/9/8/7/6/5 X 6 Y"));
    assert!(!refused(&["seats=3"], "5/6/7/8/9/8/7/6/5 X 5 Y"));
    assert!(!refused(&["seats=3"], "5/6/7/8/9/8/7/6/5 X 8 -"));
}

#[test]
fn options_are_checked() {
    let refused = |words: &[&str]| Susan::start(&options(words)).is_err();
    for words in [
        &["side=1"] as &[&str],
        &["side=11"],
        &["side=05"],
        &["side"],
        &["side="],
        &["large=1"],
        &["large", "side=5"],
        &["side=5", "side=6"],
        &["seats=1"],
        &["seats=5"],
        &["komi=3"],
    ] {
        assert!(refused(words), "{words:?}");
    }
    assert_eq!(susan(&["large", "side=6"]).options(), [("side", json!(6))]);
    assert_eq!(susan(&["seats=3"]).options(), [("side", json!(5)), ("seats", json!(3))]);
}

#[test]
fn turns_are_known_on_every_board() {
    assert_eq!(Susan::recognise("D4 -> e5"), Some("d4-e5".to_string()));
    assert_eq!(Susan::recognise("s19"), Some("s19".to_string()));
    assert_eq!(Susan::recognise("a11"), None);
    assert_eq!(Susan::recognise("resign"), None);
    assert!(Susan::is_cell_name("K11") && !Susan::is_cell_name("t20") && !Susan::is_cell_name("d04"));
}

/// All stones without an empty neighbour, found cell by cell from the definition of the board.
fn surrounded_slowly(position: &Position<WIDE>) -> Vec<Bit> {
    let side = i32::from(position.grid.side);
    let stone = |x: i32, y: i32| {
        let fits = (1..2 * side).contains(&x) && (1..2 * side).contains(&y) && (x - y).abs() < side;
        fits.then(|| position.grid.at(x as u8, y as u8).and_then(|cell| position.owner(cell)))
    };
    let mut found = Vec::new();
    for y in 1..2 * side {
        for x in 1..2 * side {
            let around = [
                (x - 1, y),
                (x + 1, y),
                (x, y - 1),
                (x, y + 1),
                (x - 1, y - 1),
                (x + 1, y + 1),
            ];
            if matches!(stone(x, y), Some(Some(_))) && around.iter().all(|&(x, y)| stone(x, y) != Some(None)) {
                found.extend(position.grid.at(x as u8, y as u8));
            }
        }
    }
    found
}

/// Random games on many boards: `check` sees the position before a turn, the turn, and the position after it.
fn in_random_games(mut check: impl FnMut(&Position<WIDE>, Turn, Set<WIDE>, &Position<WIDE>)) {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(1991);
    for (side, seats, games) in [
        (2, 2, 200),
        (2, 4, 200),
        (3, 3, 100),
        (5, 2, 60),
        (5, 4, 20),
        (7, 3, 5),
        (10, 2, 2),
    ] {
        for _ in 0..games {
            let mut position = Position::start(Grid::wide(side), seats);
            let bound = 3 * usize::from(seats) * (position.grid.board.count() + usize::from(seats));
            let mut turns = 0;
            while position.end.is_none() {
                let before = position;
                let legal: Vec<Turn> = position.turns().collect();
                let turn = legal[random.random_range(0..legal.len())];
                let surrounded = position.play(turn);
                check(&before, turn, surrounded, &position);
                turns += 1;
            }
            assert!(turns <= bound, "{turns} turns on side {side}");
        }
    }
}

#[test]
fn the_stones_that_a_turn_surrounds_are_those_that_a_slow_count_finds() {
    in_random_games(|before, turn, surrounded, after| {
        let earlier = surrounded_slowly(before);
        let later = surrounded_slowly(after);
        let near = |cell: Bit| cell == turn.to || after.grid.around(turn.to).contains(cell);
        let expected: Vec<Bit> = later.into_iter().filter(|&cell| near(cell)).collect();
        assert!(expected.iter().all(|cell| !earlier.contains(cell)));
        assert_eq!(surrounded.iter().collect::<Vec<_>>(), expected);
    });
}

#[test]
fn while_two_play_on_no_stone_is_surrounded_and_who_has_slid_never_is() {
    in_random_games(|_, turn, surrounded, after| {
        if after.seats == 2 && after.end.is_none() {
            assert!(surrounded_slowly(after).is_empty());
            assert!(after.count_turns() > 0);
        }
        if turn.from.is_some() {
            assert!(!surrounded.contains(turn.to));
        }
    });
}

#[test]
fn turns_are_counted_as_they_are_listed_and_each_is_drawn_by_one_number() {
    in_random_games(|_, _, _, after| {
        let listed: Vec<Turn> = after.turns().collect();
        assert_eq!(after.count_turns(), listed.len());
        if after.end.is_none() && after.grid.side <= 3 {
            let mut drawn: Vec<Turn> = (0..listed.len())
                .filter_map(|place| after.drawn_turn(&mut |_| place))
                .collect();
            drawn.sort_by_key(|turn| (turn.from, turn.to));
            assert_eq!(drawn, listed);
        }
    });
}

#[test]
fn narrow_and_wide_positions_play_the_same_games() {
    for (side, seats) in [(2, 2), (3, 4), (5, 2), (5, 3), (6, 2)] {
        for seed in 0..20 {
            let wide = Position::start(Grid::wide(side), seats);
            let mut narrow = wide.narrowed().unwrap();
            let mut wide = wide;
            let turns = [true, false].map(|first| {
                let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
                let mut draw = |choices| random.random_range(0..choices);
                if first {
                    wide.playout(&mut draw)
                } else {
                    narrow.playout(&mut draw)
                }
            });
            assert_eq!(turns[0], turns[1]);
            assert_eq!(wide.end, narrow.end);
        }
    }
    assert!(Position::start(Grid::wide(7), 2).narrowed().is_none());
}

/// A turn of the board by 60 degrees, or with `mirrored` its reflection in the line of the cells (x, x).
fn image(grid: &Grid<WIDE>, cell: Bit, mirrored: bool) -> Bit {
    let (x, y) = grid.coordinates(cell);
    let (u, v) = (i16::from(x) - i16::from(grid.side), i16::from(y) - i16::from(grid.side));
    let (u, v) = if mirrored { (v, u) } else { (u - v, u) };
    let back = |coordinate: i16| (coordinate + i16::from(grid.side)) as u8;
    grid.at(back(u), back(v)).unwrap()
}

#[test]
fn the_symmetries_of_the_board_change_no_result() {
    in_random_games(|before, turn, _, after| {
        for mirrored in [false, true] {
            let map = |cell| image(before.grid, cell, mirrored);
            let mut position = *before;
            position.stones = before.stones.map(|stones| {
                let mut mapped = Set::EMPTY;
                stones.iter().for_each(|cell| mapped.insert(map(cell)));
                mapped
            });
            position.play(Turn {
                from: turn.from.map(map),
                to: map(turn.to),
            });
            assert_eq!(
                (position.end, position.to_move, position.out),
                (after.end, after.to_move, after.out)
            );
            assert_eq!(position.count_turns(), after.count_turns());
        }
    });
}
