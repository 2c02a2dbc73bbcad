use super::*;
use crate::games::groups::slow::{SlowBoard, symmetries};
use crate::games::groups::{BLACK, WHITE};
use crate::games::trial::{self, after_turns, die, illegal, play, play_all, refusal, rows, score, wrong_option};
use crate::games::{Kind, Seated, Table};

/// A table with these stones.
fn with(words: &str, seat: char) -> Seated<Medusa> {
    trial::table("", &format!("{} {seat} 0 0", rows(&FIELD.board, words)))
}

/// The stones after one turn, in words.
fn after(words: &str, seat: char, turn: &str) -> String {
    let mut table = with(words, seat);
    play(&mut table, turn);
    trial::stones(&table)
}

/// The movements that are legal as whole turns.
fn single_movements(words: &str, seat: char) -> String {
    let steps = with(words, seat).steps();
    let movements: Vec<String> = steps.into_iter().filter(|step| step.contains('-')).collect();
    movements.join(" ")
}

#[test]
fn the_board_is_the_one_that_was_computed() {
    let graph = FIELD.board.graph();
    let with = |count| (0..210).filter(move |&cell| graph.neighbours(cell).len() == count);
    assert_eq!(graph.len(), 210);
    assert_eq!([4, 3, 2].map(|count| with(count).count()), [156, 48, 6]);
    let corners: Vec<String> = with(2).map(|cell| FIELD.board.name(cell)).collect();
    assert_eq!(corners, ["a1", "j1", "a10", "s10", "j19", "s19"]);
    let pairs: usize = (0..210).map(|cell| graph.neighbours(cell).len()).sum();
    assert_eq!(pairs, 2 * 390);
    assert_eq!(symmetries(graph).len(), 12);
}

#[test]
fn thirty_lines_cross_so_that_every_cell_lies_on_two() {
    let mut lengths = Vec::new();
    let mut lines_through = [0; 210];
    for cell in 0..210 {
        for (forwards, back) in [(0, 1), (2, 3), (4, 5)] {
            let next = &FIELD.next[usize::from(cell)];
            if next[back].is_none() && next[forwards].is_some() {
                let line: Vec<Point> =
                    std::iter::successors(Some(cell), |&at| FIELD.next[usize::from(at)][forwards]).collect();
                line.iter().for_each(|&cell| lines_through[usize::from(cell)] += 1);
                lengths.push(line.len());
            }
        }
    }
    lengths.sort_unstable();
    let mut expected = [10, 12, 14, 16, 18, 18, 16, 14, 12, 10].repeat(3);
    expected.sort_unstable();
    assert_eq!(lengths, expected);
    assert_eq!(lines_through, [2; 210]);
}

#[test]
fn bottom_the_inventors_first_example() {
    let setup = "10/6/12/7/14/8/16/9/18/10/18/9/16/8/1B12/WW5/WB1WW7/BB4/1B1WW5 W -3 0";
    let mut table = trial::table::<Medusa>("", setup);
    let played = play(&mut table, "a1 ec1 ec3");
    assert_eq!(played.text, "a1 e1-c1 e3-c3");
    assert_eq!(trial::stones(&table), "B b5, W a1 b1 c1 d1 a2 c2 a3 b3 c3 d3 a4 c4");
    let names = |words: &str| words.split_whitespace().map(String::from).collect::<Vec<_>>();
    let moved = |from: &str, to: &str| Effect::Moved {
        seat: WHITE,
        man: None,
        from: from.into(),
        to: to.into(),
    };
    let reversed = |cells, to, part, cause| Effect::Reversed {
        cells: names(cells),
        to,
        part,
        cause,
    };
    use crate::games::Cause::{Captured, Suicide};
    assert_eq!(
        played.effects,
        [
            Effect::Placed {
                seat: WHITE,
                cell: "a1".into()
            },
            reversed("a1", BLACK, 0, Suicide),
            moved("e1", "c1"),
            moved("e3", "c3"),
            reversed("a1 b1 a2 c2 b3", WHITE, 2, Captured),
            Effect::Rosette {
                seat: WHITE,
                around: "b2".into(),
                cells: names("a1 b1 a2 c2 b3 c3"),
            },
        ]
    );
    let mut table = trial::table::<Medusa>("", setup);
    play(&mut table, "e1-c1 e3-c3");
    assert_eq!(trial::stones(&table), "B b1 a2 c2 b3 b5, W c1 d1 a3 c3 d3 a4 c4");
}

#[test]
fn top_the_inventors_second_example() {
    let setup = "7WB1/4BB/8WBBB/5WB/11WW1/8/16/9/18/10/18/9/16/8/14/7/12/6/10 W -3 0";
    let mut table = trial::table::<Medusa>("", setup);
    let played = play(&mut table, "s19 qs15");
    assert_eq!(
        trial::stones(&table),
        "B s16 q17 r17 s17 q18 s18 r19 s19, W r15 s15 q16 p17 q19"
    );
    let rosette = played.effects.iter().find_map(|effect| match effect {
        Effect::Rosette { seat, around, .. } => Some((*seat, around.as_str())),
        _ => None,
    });
    assert_eq!(rosette, Some((BLACK, "r18")));
    let mut table = trial::table::<Medusa>("", setup);
    play_all(&mut table, "q15-s15; pass; s19");
    assert_eq!(
        trial::stones(&table),
        "W r15 s15 q16 s16 p17 q17 r17 s17 q18 s18 q19 r19 s19"
    );
}

#[test]
fn movements_of_the_worked_positions() {
    assert_eq!(single_movements("B i9 j9", 'B'), "i9-k9 j9-h9");
    assert_eq!(
        single_movements("B i8 i9 j9", 'B'),
        "i8-i10 i8-k10 i9-i7 i9-k9 j9-h7 j9-h9"
    );
    assert_eq!(after("B e5 f5 g5 h5 i5 j5", 'B', "e5-k5"), "B f5 g5 h5 i5 j5 k5");
    assert_eq!(after("B i9", 'B', "j9 i9-k9"), "B j9 k9");
    assert_eq!(after("B i9 j9 l9 m9", 'B', "l9-n9 i9-k9"), "B j9 k9 m9 n9");
}

#[test]
fn who_may_not_move_any_more() {
    let spent = |cell: &str| Reason::Spent { cell: cell.into() };
    let split = "B c5 d5 e5 f5 g5 e4";
    assert_eq!(after(split, 'B', "e5-e3"), "B e3 e4 c5 d5 f5 g5");
    assert_eq!(illegal(&mut with(split, 'B'), "e5-e3 f5-h5"), spent("f5"));
    let joined = "B i9 j9 l9 m9";
    assert_eq!(illegal(&mut with(joined, 'B'), "i9-k9 l9-n9"), spent("l9"));
    assert_eq!(illegal(&mut with("B i9 j9", 'B'), "i9-k9 j9-l9"), spent("j9"));
    let captured = "B a3 a2 c1 c2, W b1";
    assert_eq!(after(captured, 'B', "a3-a1"), "B a1 b1 c1 a2 c2");
    assert_eq!(illegal(&mut with(captured, 'B'), "a3-a1 b1-d1"), spent("b1"));
    assert_eq!(after("B c1 c2, W b1", 'B', "a1 b1-d1"), "B a1 c1 d1 c2");
}

#[test]
fn every_way_a_movement_is_illegal_says_why() {
    let words = "B i9 j9, W k9";
    let (from, to) = (|| "i9".to_string(), |to: &str| to.to_string());
    let blocked = Reason::RowBlocked {
        from: from(),
        to: to("l9"),
        cell: "k9".into(),
    };
    assert_eq!(illegal(&mut with(words, 'B'), "i9-l9"), blocked);
    let nothing = Reason::NothingToJump {
        from: from(),
        to: to("h9"),
    };
    assert_eq!(illegal(&mut with(words, 'B'), "i9-h9"), nothing);
    let off_the_lines = Reason::NotOnALine {
        from: from(),
        to: to("k10"),
    };
    assert_eq!(illegal(&mut with(words, 'B'), "i9-k10"), off_the_lines);
    let across_a_dark_cell = Reason::NotOnALine {
        from: "a2".into(),
        to: "c2".into(),
    };
    assert_eq!(illegal(&mut with("B a2 b3", 'B'), "a2-c2"), across_a_dark_cell);
    let elsewhere = Reason::LandsElsewhere {
        from: from(),
        to: to("l9"),
        landing: "k9".into(),
    };
    assert_eq!(illegal(&mut with("B i9 j9", 'B'), "i9-l9"), elsewhere);
    let onto_own = Reason::LandsElsewhere {
        from: from(),
        to: to("j9"),
        landing: "k9".into(),
    };
    assert_eq!(illegal(&mut with("B i9 j9", 'B'), "i9-j9"), onto_own);
    assert_eq!(
        illegal(&mut with("B c1 b1 a1", 'B'), "c1-a1"),
        Reason::RowEndsAtEdge {
            from: "c1".into(),
            to: "a1".into()
        }
    );
    assert_eq!(
        illegal(&mut with(words, 'B'), "i9-i9"),
        Reason::SameCell { cell: from() }
    );
    for cell in ["k9", "a1"] {
        let not_yours = Reason::NotYours { cell: cell.into() };
        assert_eq!(illegal(&mut with(words, 'B'), &format!("{cell}-m9")), not_yours);
    }
    assert_eq!(
        illegal(&mut with(words, 'B'), "k9"),
        Reason::Taken { cell: "k9".into() }
    );
    assert_eq!(
        illegal(&mut with("W b1 a2", 'B'), "a1 a1-c1"),
        Reason::NotYours { cell: "a1".into() }
    );
}

#[test]
fn captures_of_the_worked_positions() {
    assert_eq!(after("W b1 a2", 'B', "a1"), "W a1 b1 a2");
    assert_eq!(after("B a1, W a2 c1 c2", 'B', "b1"), "W a1 b1 c1 a2 c2");
    assert_eq!(after("B c1 c2, W b1 a2", 'B', "a1"), "B a1 b1 c1 c2, W a2");
    let completes = after("W b1 c2 c3 b3 a2, B c1 d3 c4 a3", 'W', "a1");
    assert_eq!(completes, "B c1 a3 d3 c4, W a1 b1 a2 c2 b3 c3");
    let suicide = after("W b1 c2 a2, B c1 d3 c3 b3 a3", 'W', "a1");
    assert_eq!(suicide, "B a1 b1 c1 a2 c2 a3 b3 c3 d3");
    let immune = after("W a1 b1 c2 c3 b3 a2, B c1 d3 c4", 'B', "a3");
    assert_eq!(immune, "B c1 a3 d3 c4, W a1 b1 a2 c2 b3 c3");
}

#[test]
fn the_double_reversal_turns_the_captured_stone_and_its_captors() {
    let setup = "10/6/12/7/14/8/16/9/18/10/18/9/16/1WW5/WBBBBW8/BWB4/BW1WBW6/BWB3/W1BBW5 B -3 0";
    let mut table = trial::table::<Medusa>("", setup);
    let played = play(&mut table, "b1");
    assert_eq!(table.facts().stones[0], Vec::<String>::new());
    let reversals: Vec<(usize, Seat, crate::games::Cause)> = played
        .effects
        .iter()
        .filter_map(|effect| match effect {
            Effect::Reversed { cells, to, cause, .. } => Some((cells.len(), *to, *cause)),
            _ => None,
        })
        .collect();
    use crate::games::Cause::{Captured, Double};
    assert_eq!(reversals, [(1, BLACK, Captured), (14, WHITE, Double)]);
    let without_b3 = setup.replace("BW1WBW6", "B2WBW6");
    let mut table = trial::table::<Medusa>("", &without_b3);
    assert_eq!(play(&mut table, "b1").effects.len(), 2);
}

#[test]
fn stones_and_side_to_move_may_not_repeat() {
    let mut table = after_turns::<Medusa>("", "i9 a1 j9 b1 i9-k9 a1-c1 k9-i9");
    let repetition = Reason::Repetition {
        turn: "c1-a1".into(),
        after: 4,
    };
    assert_eq!(illegal(&mut table, "c1-a1"), repetition);
    play(&mut table, "s19 c1-a1");
    let mut table = after_turns::<Medusa>("", "i9 a1 j9 b1 i9-k9 pass k9-i9 pass");
    assert!(matches!(
        illegal(&mut table, "i9-k9"),
        Reason::Repetition { after: 5, .. }
    ));
}

#[test]
fn a_turn_without_placement_moves_the_marker() {
    let marker = |turns| after_turns::<Medusa>("", turns).facts().marker;
    assert_eq!(marker(""), Some(-3));
    assert_eq!(marker("i9 a1 j9"), Some(-3));
    assert_eq!(marker("i9 a1 j9 b1 i9-k9"), Some(-2));
    assert_eq!(marker("pass"), Some(-2));
    assert_eq!(marker("i9 pass"), Some(-4));
    let mut table = after_turns::<Medusa>("", "i9 a1 j9 b1");
    let effects = play(&mut table, "i9-k9").effects;
    assert_eq!(effects.last(), Some(&Effect::Marker { value: -2 }));
}

#[test]
fn scores_of_the_worked_positions() {
    let scored = |words: &str, turns: &str| {
        let mut table = with(words, 'B');
        play_all(&mut table, turns);
        score(&table)
    };
    let seki = "B c1 c2 a3 b3, W q19 q18 s17 r17";
    assert_eq!(scored(seki, "pass; pass; dead none; agree"), (None, vec![7.0, 7.0]));
    let with_a1 = "B c1 c2 a3 b3, W q19 q18 s17 r17 a1";
    assert_eq!(scored(with_a1, "pass; pass; dead a1; agree"), (None, vec![7.0, 7.0]));
    assert_eq!(
        scored(with_a1, "pass; pass; dead none; agree"),
        (Some(WHITE), vec![4.0, 8.0])
    );
    let empty = after_turns::<Medusa>("nocount", "pass pass");
    assert_eq!(score(&empty), (Some(WHITE), vec![0.0, 3.0]));
    let one_stone = after_turns::<Medusa>("nocount komi=0", "a1 pass pass");
    assert_eq!(score(&one_stone).1[0], 210.0);
}

#[test]
fn notation_reads_what_the_page_allows() {
    let table = Medusa::start(&[]).unwrap();
    let canonical = |text: &str| table.parse(text).map(|turn| table.write(&turn));
    for (text, written) in [
        ("A1", "a1"),
        ("qs15", "q15-s15"),
        ("QS15", "q15-s15"),
        ("a1 E1 -> C1, e3:c3", "a1 e1-c1 e3-c3"),
        ("e1c1 ec3", "e1-c1 e3-c3"),
        ("PASS", "pass"),
        ("dead None", "dead none"),
        ("Dead c3,a1 a1", "dead a1 c3"),
    ] {
        assert_eq!(canonical(text), Ok(written.to_string()), "{text}");
    }
    for text in [
        "",
        ",",
        "a1 b1",
        "e1-c1 a1",
        "pass a1",
        "a1 pass",
        "dead",
        "dead none a1",
        "dead a1-b1",
        "dead a1b1",
        "agree now",
        "resume a1",
        "e1-",
        "put a1",
        "a01",
        "qs",
        "sq",
        "qs2",
        "a1;b1",
        "e1-c1-a1",
        "ä1",
        "q15--s15",
        "a1\u{0}",
    ] {
        assert!(canonical(text).is_err(), "{text:?}");
    }
    for cell in ["b2", "t5", "a11", "a0", "s9"] {
        let unreadable = Reason::NoSuchCell { cell: cell.into() };
        assert_eq!(canonical(cell), Err(unreadable), "{cell}");
    }
    assert_eq!(Medusa::recognise("A1 E1->C1"), Some("a1 e1-c1".into()));
    assert_eq!(Medusa::recognise("QS15"), Some("q15-s15".into()));
    assert_eq!(Medusa::recognise("b2"), None);
    assert!(Medusa::is_cell_name("S19") && !Medusa::is_cell_name("b2"));
}

#[test]
fn options_and_positions_that_are_none() {
    assert_eq!(wrong_option::<Medusa>("komi=9"), "");
    for words in [
        "komi=10",
        "komi=-1",
        "komi=2.5",
        "komi",
        "nocount=yes",
        "side=5",
        "komi=1 komi=2",
    ] {
        assert_ne!(wrong_option::<Medusa>(words), "", "{words}");
    }
    let start = "10/6/12/7/14/8/16/9/18/10/18/9/16/8/14/7/12/6/10";
    let game = Medusa::start(&[]).unwrap();
    assert_eq!(game.position_text(), Some(format!("{start} B -3 0")));
    assert!(game.with_setup(&format!("{start} W 12 1")).is_ok());
    for rest in [
        "B +3 0",
        "B 1.5 0",
        "B 0 2",
        "B 0",
        "b 0 0",
        "X 0 0",
        "BW 0 0",
        "B 0 0 0",
        "B - 0",
        "B 99999999999 0",
    ] {
        assert!(game.with_setup(&format!("{start} {rest}")).is_err(), "{rest}");
    }
    let dead = start.replace("12/6/10", "12/B5/WB8");
    assert!(game.with_setup(&format!("{dead} B 0 0")).is_err());
}

#[test]
fn the_start_has_211_steps() {
    let table = after_turns::<Medusa>("", "");
    let steps = table.steps();
    assert_eq!(
        (steps.len(), steps[0].as_str(), steps[1].as_str(), steps[210].as_str()),
        (211, "pass", "a1", "s19")
    );
    assert_eq!((table.legal(), table.legal_count(), table.perft(1)), (None, None, None));
}

#[test]
fn the_picture_is_that_of_the_page() {
    let table = after_turns::<Medusa>("", "i9 a1 j9 b1");
    let mut table = table;
    play(&mut table, "s19 i9-k9");
    let lines = table.diagram().ascii();
    assert_eq!(lines[0], "         19 . . . . . . . . .(B)");
    assert_eq!(lines[10], "  9 . . . . . . . . . B(B). . . . . . . s");
    assert_eq!(lines[18], "          1 W W . . . . . . . . k");
}

/// A movement judged from coordinates and lists: the stones after it, or `None` where it is illegal.
fn slow_movement(
    slow: &SlowBoard,
    colours: &[Option<Seat>],
    spent: &mut Vec<usize>,
    seat: Seat,
    (from, to): (Point, Point),
) -> Option<Vec<Option<Seat>>> {
    let mut colours = colours.to_vec();
    let (start, end) = (usize::from(from), usize::from(to));
    if colours[start] != Some(seat) {
        return None;
    }
    let group = slow.group(&colours, start);
    if group.iter().any(|stone| spent.contains(stone)) {
        return None;
    }
    let place = |point| {
        let (x, y) = FIELD.board.place(point);
        (i32::from(x), i32::from(y))
    };
    let ((x, y), (to_x, to_y)) = (place(from), place(to));
    let (dx, dy) = (to_x - x, to_y - y);
    if !(dx == 0 || dy == 0 || dx == dy) || (dx, dy) == (0, 0) {
        return None;
    }
    let length = dx.abs().max(dy.abs());
    let between: Option<Vec<usize>> = (1..length)
        .map(|step| (x + step * dx.signum(), y + step * dy.signum()))
        .map(|(x, y)| FIELD.board.at((x as u8, y as u8)).map(usize::from))
        .collect();
    let between = between?;
    let own_row = between.iter().all(|&cell| colours[cell] == Some(seat));
    if between.is_empty() || !own_row || colours[end].is_some() {
        return None;
    }
    spent.extend(group.into_iter().filter(|&stone| stone != start));
    spent.push(end);
    colours[start] = None;
    colours[end] = Some(seat);
    slow.reverse_dead(&mut colours, seat, end);
    Some(colours)
}

/// Random turns, most of them with movements and many illegal, judged twice.
#[test]
fn random_turns_are_judged_as_slowly_as_quickly() {
    let slow = SlowBoard::of(FIELD.board.graph());
    let mut movements_played = 0;
    for seed in 0..6 {
        let mut die = die(seed);
        let mut game = Medusa::start(&[]).unwrap();
        for _ in 0..150 {
            let seat = game.to_move();
            let turn = random_turn(&game, &mut die);
            let before = game.scored.stones;
            let mut colours = colours_of(&game);
            let mut spent = Vec::new();
            let mut legal = true;
            if let Some(cell) = turn.placement.map(usize::from) {
                legal &= colours[cell].is_none();
                colours[cell] = Some(seat);
                slow.reverse_dead(&mut colours, seat, cell);
            }
            for &movement in &turn.movements {
                if let Some(after) = legal
                    .then(|| slow_movement(&slow, &colours, &mut spent, seat, movement))
                    .flatten()
                {
                    colours = after;
                } else {
                    legal = false;
                }
            }
            match game.play(seat, &Turn::Move(turn.clone())) {
                Ok(_) => {
                    assert!(legal, "{turn:?}");
                    assert_eq!(colours_of(&game), colours, "{turn:?}");
                    assert!(!slow.any_dead(&colours));
                    movements_played += turn.movements.len();
                }
                Err(Reason::Repetition { .. }) => assert!(legal),
                Err(reason) => {
                    assert!(!legal, "{turn:?}: {reason:?}");
                    assert_eq!(game.scored.stones, before);
                }
            }
        }
        slow.assert_agrees(FIELD.board.graph(), &game.scored.stones);
    }
    assert!(movements_played > 100, "{movements_played}");
}

fn colours_of(game: &Medusa) -> Vec<Option<Seat>> {
    crate::games::groups::slow::colours(FIELD.board.graph(), &game.scored.stones)
}

/// A turn whose movements are mostly such as a single stone could make.
fn random_turn(game: &Medusa, die: &mut impl FnMut(usize) -> usize) -> Steps {
    let vacant = FIELD.board.graph().vacant(&game.scored.stones);
    let placement = (die(3) > 0).then(|| vacant.nth(die(vacant.len()))).flatten();
    let jumps: Vec<(Point, Point)> = game.jumps().collect();
    let mut movements = Vec::new();
    for _ in 0..die(4) {
        if jumps.is_empty() || die(8) == 0 {
            movements.push((die(210) as Point, die(210) as Point));
        } else {
            movements.push(jumps[die(jumps.len())]);
        }
    }
    Steps { placement, movements }
}

#[test]
fn the_twelve_symmetries_change_nothing() {
    let all = symmetries(FIELD.board.graph());
    let mut die = die(7);
    let mut games: Vec<Medusa> = all.iter().map(|_| Medusa::start(&[]).unwrap()).collect();
    for _ in 0..120 {
        let seat = games[0].to_move();
        let turn = random_turn(&games[0], &mut die);
        for (game, image) in games.iter_mut().zip(&all) {
            let of = |cell: Point| image[usize::from(cell)];
            let turn = Steps {
                placement: turn.placement.map(of),
                movements: turn.movements.iter().map(|&(from, to)| (of(from), of(to))).collect(),
            };
            let _ = game.play(seat, &Turn::Move(turn));
        }
        for (game, image) in games.iter().zip(&all) {
            let straight = colours_of(&games[0]);
            let laid = colours_of(game);
            assert!((0..210).all(|cell| straight[cell] == laid[usize::from(image[cell])]));
        }
    }
}

#[test]
fn out_of_turn_and_over_come_before_illegal() {
    let mut table = after_turns::<Medusa>("", "i9");
    assert_eq!(refusal(&mut table, "B: i9").kind, Kind::OutOfTurn);
    assert_eq!(refusal(&mut table, "B: b2").kind, Kind::Unreadable);
    play(&mut table, "resign");
    assert_eq!(refusal(&mut table, "i9").kind, Kind::Over);
}

#[test]
fn a_random_game_ends_and_draws_from_the_steps() {
    let mut die = die(3);
    let (outcome, turns) = Medusa::start(&[]).unwrap().without_counting().playout(&mut die);
    assert!(outcome.is_some() && turns >= 2);
}
