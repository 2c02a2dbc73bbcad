use super::*;
use crate::games::groups::slow::{SlowBoard, colours, symmetries};
use crate::games::groups::{BLACK, WHITE};
use crate::games::trial::{self, after_turns, die, illegal, play, play_all, rows, score, wrong_option};
use crate::games::{Seated, Table};

/// A table of side 3 with these stones.
fn with(words: &str, seat: char) -> Seated<Rosette> {
    trial::table("side=3", &format!("{} {seat} 0", rows(field(3), words)))
}

/// The stones after one turn, in words.
fn after(words: &str, seat: char, turn: &str) -> String {
    let mut table = with(words, seat);
    play(&mut table, turn);
    trial::stones(&table)
}

fn suicide(cell: &str) -> Reason {
    Reason::Suicide { cell: cell.into() }
}

#[test]
fn the_boards_have_the_points_and_pairs_that_were_computed() {
    for side in SMALLEST_SIDE..=LARGEST_SIDE {
        let (graph, n) = (field(side).graph(), usize::from(side));
        let degrees: Vec<usize> = (0..graph.len() as Point)
            .map(|point| graph.neighbours(point).len())
            .collect();
        assert_eq!(graph.len(), 6 * n * n);
        assert_eq!(degrees.iter().filter(|&&degree| degree == 2).count(), 6 * n);
        assert!(degrees.iter().all(|degree| (2..=3).contains(degree)));
    }
    assert_eq!([2, 3, 7].map(|side| symmetries(field(side).graph()).len()), [12; 3]);
    let seven = field(7).graph();
    let pairs: usize = (0..294).map(|point| seven.neighbours(point).len()).sum();
    assert_eq!(pairs, 2 * 420);
    assert_eq!(rows(field(7), "").split('/').next_back(), Some("15"));
}

#[test]
fn neighbours_and_hexagons_of_side_3_are_those_of_the_page() {
    let board = field(3);
    for (point, around) in [
        ("a1", "a2 b2"),
        ("a3", "a2 a4 b4"),
        ("c1", "c2 d1"),
        ("c5", "c4 c6 d5"),
        ("d2", "d1 d3 e1"),
        ("d6", "d5 d7 e5"),
        ("f7", "e8 f6"),
    ] {
        let found = board.graph().neighbours(board.named(point).unwrap());
        let mut names: Vec<String> = found.iter().map(|&point| board.name(point)).collect();
        names.sort_unstable();
        assert_eq!(names.join(" "), around, "{point}");
    }
    let middle = "c5 c6 c7 d7 d6 d5"
        .split(' ')
        .map(|name| board.named(name).unwrap())
        .collect();
    assert!(board.graph().immune(&middle));
}

#[test]
fn every_ring_is_a_cycle_of_six() {
    for side in SMALLEST_SIDE..=LARGEST_SIDE {
        let graph = field(side).graph();
        let mut whole = Stones::NONE;
        (0..graph.len() as Point).for_each(|point| whole.put(BLACK, point));
        let rings: Vec<_> = graph
            .new_rings(Stones::NONE, whole)
            .map(|(_, ring)| ring.points)
            .collect();
        let n = usize::from(side);
        assert_eq!(rings.len(), 3 * n * n - 3 * n + 1, "hexagons of side {n}");
        for ring in rings {
            let inside = |point: Point| {
                graph
                    .neighbours(point)
                    .iter()
                    .filter(|&&next| ring.contains(next))
                    .count()
            };
            assert!(ring.len() == 6 && ring.iter().all(|point| inside(point) == 2));
        }
    }
}

#[test]
fn the_ko_of_the_page() {
    let mut table = with("B c6 d5, W c5 b3 c3", 'B');
    let effects = play(&mut table, "c4").effects;
    let captured = Effect::Captured {
        seat: BLACK,
        cells: vec!["c5".into()],
    };
    assert_eq!(effects[1], captured);
    let repetition = Reason::Repetition {
        turn: "c5".into(),
        after: 0,
    };
    assert_eq!(illegal(&mut table, "c5"), repetition);
    play_all(&mut table, "f1 a1");
    play(&mut table, "c5");
    assert_eq!(trial::stones(&table), "B a1 c6 d5, W b3 c3 c5 f1");
}

#[test]
fn worked_positions() {
    assert_eq!(after("B a2 a4 b2 c4, W a3 b3 b4", 'B', "b5"), "B a2 a4 b2 b5 c4");
    assert_eq!(after("B a1 a5, W a2 a4", 'B', "a3"), "B a1 a3 a5");
    assert_eq!(after("B b2 b4 a4, W a1 a3", 'B', "a2"), "B a2 a4 b2 b4");
    assert_eq!(illegal(&mut with("W a1 a3", 'B'), "a2"), suicide("a2"));
    assert_eq!(illegal(&mut with("B a2, W a1 a4 b4", 'B'), "a3"), suicide("a3"));
}

#[test]
fn rosettes_of_the_page() {
    let last_liberty = "B c5 c6 c7 d7 d6 d5, W c4 b5 c8 d8 e5 d3 e3";
    assert_eq!(
        after(last_liberty, 'B', "d4"),
        "B c5 c6 c7 d4 d5 d6 d7, W b5 c4 c8 d3 d8 e3 e5"
    );
    let five = "B c5 c6 c7 d7 d6, W c4 b5 c8 d8 e5 d4";
    let mut table = with(five, 'B');
    let effects = play(&mut table, "d5").effects;
    assert!(matches!(&effects[1], Effect::Rosette { seat: BLACK, around, .. } if around == "c5"));
    assert_eq!(trial::stones(&table), "B c5 c6 c7 d5 d6 d7, W b5 c4 c8 d4 d8 e5");
    assert_eq!(after(five, 'W', "d5"), "W b5 c4 c8 d4 d5 d8 e5");
    let six = "B c5 c6 c7 d7 d6 d5, W c4 b5 c8 d8 e5";
    assert_eq!(after(six, 'W', "d4"), "B c5 c6 c7 d5 d6 d7, W b5 c4 c8 d4 d8 e5");
    let eight = "B c5 c6 c7 d7 d6 d5 d3 e3, W c4 b5 c8 d8 e5";
    assert_eq!(illegal(&mut with(eight, 'W'), "d4"), suicide("d4"));
}

#[test]
fn scores_of_the_worked_positions() {
    let scored = |words: &str, turns: &str| {
        let mut table = with(words, 'B');
        play_all(&mut table, turns);
        (score(&table), trial::stones(&table))
    };
    let draw = "B b2 a3, W f5 e8";
    assert_eq!(scored(draw, "pass; pass; dead none; agree").0, (None, vec![4.0, 4.0]));
    let removed = scored("B b2 a3, W f5 e8 a1", "pass; pass; dead a1; agree");
    assert_eq!(removed, ((None, vec![4.0, 4.0]), "B a3 b2, W e8 f5".into()));
    let komi = after_turns::<Rosette>("side=3 komi=0.5 nocount", "pass pass");
    assert_eq!(score(&komi), (Some(WHITE), vec![0.0, 0.5]));
    let one_stone = after_turns::<Rosette>("side=3 nocount", "a1 pass pass");
    assert_eq!(score(&one_stone).1, [54.0, 0.0]);
}

#[test]
fn perft_of_the_page() {
    let start = |words: &str| trial::game::<Rosette>(words).without_counting();
    let two = start("side=2");
    assert_eq!(
        [0, 1, 2, 3].map(|depth| two.perft(depth)),
        [1, 25, 601, 13848].map(Some)
    );
    assert_eq!(start("side=3").perft(2), Some(2971));
    assert_eq!(start("side=7").perft(1), Some(295));
    let text = "B1BW1BB/WB1BW1W1W/W1BBWWWW2B/BB1WBBWWWBB/WWWB1WWBB/BBBBW2 W 0";
    let full = start("side=3").with_setup(text).unwrap().without_counting();
    assert_eq!([1, 2, 3].map(|depth| full.perft(depth)), [10, 119, 1205].map(Some));
    assert_eq!(crate::games::table::perft_by_copies(&full, 3), Some(1205));
}

#[test]
fn notation_options_and_positions() {
    let game = trial::game::<Rosette>("side=3");
    for (text, written) in [
        ("A1", "a1"),
        ("c11", "c11"),
        ("Pass", "pass"),
        ("DEAD c11, a1", "dead a1 c11"),
    ] {
        assert_eq!(game.write(&game.parse(text).unwrap()), written);
    }
    for text in [
        "a8",
        "g1",
        "c12",
        "a0",
        "a01",
        "a1-a2",
        "a1 a2",
        "dead",
        "dead none a1",
        "agree now",
        "pass a1",
        "",
    ] {
        assert!(game.parse(text).is_err(), "{text:?}");
    }
    assert_eq!(Rosette::recognise("R19"), Some("r19".into()));
    assert_eq!(Rosette::recognise("I35"), Some("i35".into()));
    assert!(!Rosette::is_cell_name("i36") && !Rosette::is_cell_name("s1"));
    for words in ["side=2", "side=9 komi=99.5", "komi=5.0", "komi=0"] {
        assert_eq!(wrong_option::<Rosette>(words), "");
    }
    for words in [
        "side=1",
        "side=10",
        "side=99",
        "side=x",
        "komi=100",
        "komi=0.25",
        "komi=.5",
        "komi=5.",
        "komi=-1",
        "large",
    ] {
        assert_ne!(wrong_option::<Rosette>(words), "", "{words}");
    }
    assert_eq!(
        trial::game::<Rosette>("komi=5.5 nocount").options(),
        [("side", json!(7)), ("komi", json!(5.5)), ("nocount", json!(true))]
    );
    assert_eq!(game.position_text(), Some("7/9/11/11/9/7 B 0".into()));
    for text in [
        "7/9/11/11/9/7 B 2",
        "7/9/11/11/9/7 B 0 0",
        "7/9/11/11/9/7 B",
        "9/11/11/9/7 B 0",
        "7/9/11/11/1B7/BWB4 W 0",
    ] {
        assert!(game.with_setup(text).is_err(), "{text}");
    }
}

#[test]
fn a_point_of_a_smaller_board_has_a_namesake_on_the_largest() {
    for side in SMALLEST_SIDE..LARGEST_SIDE {
        let board = field(side);
        assert!((0..board.graph().len() as Point).all(|point| Rosette::is_cell_name(&board.name(point))));
    }
}

#[test]
fn the_picture_of_side_3_is_that_of_the_page() {
    let page = [
        "f        /.\\ /.\\ /.\\       f",
        "f       .   .   5   .      f",
        "        |   |   |   |",
        "e      /.\\ /.\\ /.\\ /.\\     e",
        "e     .   .   5   .   .    e",
        "      |   |   |   |   |",
        "d    /.\\ /W\\ /.\\ /.\\ /0\\   d",
        "d   .   .   5   .   .   .  d",
        "    |   |   |   |   |   |",
        "c   .\\ /.\\ /B\\ /.\\ /.\\ /.  c",
        "c     .   .   .   .   0    c",
        "      |   |   |   |   |",
        "b     .\\ /.\\ /5\\ /.\\ /.    b",
        "b       .  (B)  .   .      b",
        "        |   |   |   |",
        "a       .\\ /.\\ /5\\ /.      a",
        "a         .   .   .        a",
    ];
    assert_eq!(after_turns::<Rosette>("side=3", "c5 d4 b4").diagram().ascii(), page);
    let widest = trial::game::<Rosette>("side=9").diagram().ascii();
    assert!(widest.iter().all(|line| line.len() <= 78));
}

/// Random games on small boards, where captures, suicides and repetitions come at once, judged twice.
#[test]
fn random_games_are_judged_as_slowly_as_quickly() {
    let (mut captures, mut suicides, mut repetitions) = (0, 0, 0);
    for seed in 0..12 {
        let mut die = die(seed);
        let mut game = trial::game::<Rosette>(if seed % 2 == 0 { "side=2" } else { "side=3" });
        let graph = game.scored.board.graph();
        let slow = SlowBoard::of(graph);
        let mut seen = vec![(colours(graph, &game.scored.stones), game.to_move())];
        for turn in 0..250 {
            let seat = game.to_move();
            let point = die(graph.len()) as Point;
            let before = colours(graph, &game.scored.stones);
            let mut expected = before.clone();
            expected[usize::from(point)] = Some(seat);
            let lives = slow.remove_dead(&mut expected, seat, usize::from(point));
            let after = (expected, opponent(seat));
            match game.play(seat, &Turn::Move(point)) {
                Ok(effects) => {
                    assert!(before[usize::from(point)].is_none() && lives && !seen.contains(&after));
                    assert_eq!(colours(graph, &game.scored.stones), after.0);
                    assert!(!slow.any_dead(&after.0));
                    captures += effects
                        .iter()
                        .filter(|effect| matches!(effect, Effect::Captured { .. }))
                        .count();
                    seen.push(after);
                }
                Err(Reason::Taken { .. }) => assert!(before[usize::from(point)].is_some()),
                Err(Reason::Suicide { .. }) => {
                    assert!(!lives);
                    suicides += 1;
                }
                Err(Reason::Repetition { after: turn, .. }) => {
                    assert_eq!(seen.iter().position(|earlier| *earlier == after), Some(turn as usize));
                    repetitions += 1;
                }
                Err(reason) => panic!("{reason:?}"),
            }
            if turn % 50 == 0 {
                slow.assert_agrees(graph, &game.scored.stones);
            }
        }
    }
    assert!(
        captures > 50 && suicides > 20 && repetitions > 0,
        "{captures} {suicides} {repetitions}"
    );
}

#[test]
fn the_twelve_symmetries_change_nothing() {
    let graph = field(3).graph();
    let mut die = die(9);
    let all = symmetries(graph);
    let mut games: Vec<Rosette> = all.iter().map(|_| trial::game("side=3")).collect();
    for _ in 0..200 {
        let point = die(54);
        let seat = games[0].to_move();
        let results: Vec<bool> = games
            .iter_mut()
            .zip(&all)
            .map(|(game, image)| game.play(seat, &Turn::Move(image[point])).is_ok())
            .collect();
        assert!(results.iter().all(|&legal| legal == results[0]));
        let straight = colours(graph, &games[0].scored.stones);
        for (game, image) in games.iter().zip(&all) {
            let laid = colours(graph, &game.scored.stones);
            assert!((0..54).all(|point| straight[point] == laid[usize::from(image[point])]));
        }
    }
}

#[test]
fn random_play_ends_with_two_passes() {
    let start = trial::game::<Rosette>("side=2").without_counting();
    let (outcome, turns) = start.playout(&mut die(2));
    assert_eq!(outcome.map(|outcome| outcome.reason), Some("score"));
    assert!(turns >= 2);
}
