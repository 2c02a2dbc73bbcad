use super::*;
use crate::games::groups::slow::{SlowBoard, colours, symmetries};
use crate::games::groups::{BLACK, WHITE};
use crate::games::trial::{self, after_turns, die, illegal, play, play_all, rows, score, wrong_option};
use crate::games::{Cause, Seated, Table};

/// The page's list of neighbours.
const NEIGHBOURS: &str = "
a1: a2 b1 c1 | a2: a1 b2 c1 | a3: a4 b2 c2 | a4: a3 b3 c2 | b1: a1 d1 d2 | b2: a2 a3 d3 d4 | b3: a4 d5 d6
c1: a1 a2 d2 d3 | c2: a3 a4 d4 d5 | d1: b1 d2 e1 | d2: b1 c1 d1 e2 | d3: b2 c1 d4 e3 | d4: b2 c2 d3 e4 | d5: b3 c2 d6 e5
d6: b3 d5 e6 | e1: d1 e2 f1 g1 | e2: d2 e1 f2 g1 | e3: d3 e4 f2 g2 | e4: d4 e3 f3 g2 | e5: d5 e6 f3 g3 | e6: d6 e5 f4 g3
f1: e1 h1 h2 | f2: e2 e3 h3 h4 | f3: e4 e5 h5 h6 | f4: e6 h7 h8 | g1: e1 e2 h2 h3 | g2: e3 e4 h4 h5 | g3: e5 e6 h6 h7
h1: f1 h2 i1 | h2: f1 g1 h1 i2 | h3: f2 g1 h4 i3 | h4: f2 g2 h3 i4 | h5: f3 g2 h6 i5 | h6: f3 g3 h5 i6 | h7: f4 g3 h8 i7
h8: f4 h7 i8 | i1: h1 i2 k1 | i2: h2 i1 j1 k1 | i3: h3 i4 j1 k2 | i4: h4 i3 j2 k2 | i5: h5 i6 j2 k3 | i6: h6 i5 j3 k3
i7: h7 i8 j3 k4 | i8: h8 i7 k4 | j1: i2 i3 l1 l2 | j2: i4 i5 l3 l4 | j3: i6 i7 l5 l6 | k1: i1 i2 l1 | k2: i3 i4 l2 l3
k3: i5 i6 l4 l5 | k4: i7 i8 l6 | l1: j1 k1 l2 m1 | l2: j1 k2 l1 m2 | l3: j2 k2 l4 m3 | l4: j2 k3 l3 m4 | l5: j3 k3 l6 m5
l6: j3 k4 l5 m6 | m1: l1 m2 o1 | m2: l2 m1 n1 o1 | m3: l3 m4 n1 o2 | m4: l4 m3 n2 o2 | m5: l5 m6 n2 o3 | m6: l6 m5 o3
n1: m2 m3 p1 p2 | n2: m4 m5 p3 p4 | o1: m1 m2 p1 | o2: m3 m4 p2 p3 | o3: m5 m6 p4 | p1: n1 o1 p2 | p2: n1 o2 p1
p3: n2 o2 p4 | p4: n2 o3 p3";

/// The twelve points beside the south-west hexagon.
const TWELVE: &str = "a1 a2 b1 d1 b2 d4 e1 g1 e4 g2 h3 h4";

fn with(words: &str, seat: char) -> Seated<Lotus> {
    trial::table("", &format!("{} {seat} 0 0", rows(&FIELD, words)))
}

/// The stones after one turn, in words.
fn after(words: &str, seat: char, turn: &str) -> String {
    let mut table = with(words, seat);
    play(&mut table, turn);
    trial::stones(&table)
}

#[test]
fn the_computed_board_is_the_one_that_the_page_lists() {
    let mut listed = 0;
    for entry in NEIGHBOURS
        .lines()
        .flat_map(|line| line.split(" | "))
        .filter(|entry| !entry.is_empty())
    {
        let (point, around) = entry.split_once(": ").unwrap();
        let around: Vec<Point> = around.split(' ').map(|name| FIELD.named(name).unwrap()).collect();
        assert_eq!(FIELD.graph().neighbours(FIELD.named(point).unwrap()), around, "{point}");
        listed += 1;
    }
    assert_eq!((listed, FIELD.graph().len()), (72, 72));
    assert_eq!(symmetries(FIELD.graph()).len(), 12);
}

#[test]
fn the_seven_hexagons_are_those_of_the_page() {
    let hexagons = [
        "g2 h4 h5 i4 i5 j2",
        "g3 h6 h7 i6 i7 j3",
        "k3 l4 l5 m4 m5 n2",
        "k2 l2 l3 m2 m3 n1",
        "g1 h2 h3 i2 i3 j1",
        "c1 d2 d3 e2 e3 f2",
        "c2 d4 d5 e4 e5 f3",
    ];
    for hexagon in hexagons {
        let points = hexagon.split(' ').map(|name| FIELD.named(name).unwrap()).collect();
        assert!(FIELD.graph().immune(&points), "{hexagon}");
        let broken = points - crate::games::groups::PointSet::of(points.first().unwrap());
        assert!(!FIELD.graph().immune(&broken), "{hexagon}");
    }
}

#[test]
fn worked_positions() {
    assert_eq!(after("B a2 b1, W a1", 'B', "c1"), "B a1 a2 b1 c1");
    assert_eq!(after("W a2 b1 c1", 'B', "a1"), "W a1 a2 b1 c1");
    assert_eq!(after("B a1, W a2 b1 d2 d3", 'B', "c1"), "W a1 a2 b1 c1 d2 d3");
    assert_eq!(after("B b2 d2 d3, W a2 c1 b1", 'B', "a1"), "B a1 a2 b2 c1 d2 d3, W b1");
    assert_eq!(after("B a1 d1 a2 d3, W b1 c1", 'B', "d2"), "B a1 a2 b1 c1 d1 d2 d3");
}

#[test]
fn the_double_reversal() {
    let mut table = with("B a1 c1 d1, W b1 a2 d3 e1 e2", 'B');
    let effects = play(&mut table, "d2").effects;
    assert_eq!(trial::stones(&table), "W a1 a2 b1 c1 d1 d2 d3 e1 e2");
    let names = |words: &str| words.split(' ').map(String::from).collect::<Vec<_>>();
    let reversed = |cells, to, cause| Effect::Reversed {
        cells: names(cells),
        to,
        part: 0,
        cause,
    };
    assert_eq!(
        effects[1..],
        [
            reversed("b1", BLACK, Cause::Captured),
            reversed("a1 b1 c1 d1 d2", WHITE, Cause::Double),
        ]
    );
    assert_eq!(
        after("B a1 c1 d1, W b1 a2 d3 e1", 'B', "d2"),
        "B a1 b1 c1 d1 d2, W a2 d3 e1"
    );
}

#[test]
fn a_lotus_lives_without_a_liberty() {
    let lotus = "c1 d2 d3 e2 e3 f2";
    let ring = |stones: &str, beside: &str| format!("W {stones}, B {beside}");
    let kept = after(&ring(lotus, &TWELVE[3..]), 'B', "a1");
    assert!(kept.ends_with("W c1 d2 d3 e2 e3 f2"), "{kept}");
    let five = "c1 d2 d3 e2 e3";
    let mut table = with(&ring(five, TWELVE), 'W');
    let effects = play(&mut table, "f2").effects;
    assert!(trial::stones(&table).ends_with("W c1 d2 d3 e2 e3 f2"));
    assert!(matches!(effects[1], Effect::Lotus { seat: WHITE, .. }));
    let mut table = with(&ring(five, TWELVE), 'B');
    let effects = play(&mut table, "f2").effects;
    assert!(!trial::stones(&table).contains('W'));
    assert!(matches!(effects[2], Effect::Lotus { seat: BLACK, .. }));
    let mut table = with(&format!("W d2 d3 e2 e3, B c1 {TWELVE}"), 'W');
    play(&mut table, "f2");
    assert!(!trial::stones(&table).contains('W'), "suicide of five");
}

#[test]
fn scores_of_the_worked_positions() {
    let scored = |words: &str, turns: &str| {
        let mut table = with(words, 'B');
        play_all(&mut table, turns);
        score(&table)
    };
    let open = "B b1 c1 b2, W o3 n2 o2";
    assert_eq!(scored(open, "pass; pass; dead none; agree"), (None, vec![5.0, 5.0]));
    let with_a1 = "B b1 c1 b2, W o3 n2 o2 a1";
    assert_eq!(scored(with_a1, "pass; pass; dead a1; agree").1[0], 5.0);
    assert_eq!(scored(with_a1, "pass; pass; dead none; agree").1[0], 3.0);
    assert_eq!(
        score(&after_turns::<Lotus>("", "pass pass dead,none agree")),
        (Some(WHITE), vec![0.0, 3.0])
    );
    assert_eq!(score(&after_turns::<Lotus>("nocount", "a1 pass pass")).1, [72.0, 3.0]);
}

#[test]
fn perft_of_the_page() {
    let start = Lotus::start(&[]).unwrap().without_counting();
    assert_eq!(
        [0, 1, 2, 3].map(|depth| start.perft(depth)),
        [1, 73, 5257, 373320].map(Some)
    );
    let text = "WB1W/1B1/1W/BWBBBB/BWW3/3W/1BW/W1WBWBWW/WW1WBWBW/1WW/WB1B/WBW1BB/BW1WBB/WB/B1B/BBB1 W -3 0";
    let full = start.with_setup(text).unwrap().without_counting();
    assert_eq!(
        [1, 2, 3, 4].map(|depth| full.perft(depth)),
        [20, 381, 6878, 117667].map(Some)
    );
    let slowly = crate::games::table::perft_by_copies(&full, 3);
    assert_eq!(slowly, Some(6878));
}

#[test]
fn notation_options_and_positions() {
    let game = Lotus::start(&[]).unwrap();
    for (text, written) in [
        ("A1", "a1"),
        ("Pass", "pass"),
        ("DEAD a1, p4", "dead a1 p4"),
        ("dead none", "dead none"),
    ] {
        let turn = game.parse(text).unwrap();
        assert_eq!(game.write(&turn), written);
        assert_eq!(Lotus::recognise(text).as_deref(), Some(written));
    }
    for text in [
        "a5",
        "q1",
        "c3",
        "a1-a2",
        "a1a2",
        "a1 a2",
        "dead",
        "dead ,",
        "dead none a1",
        "agree to",
        "pass a1",
        "",
        "9",
    ] {
        assert!(game.parse(text).is_err(), "{text:?}");
        assert_eq!(Lotus::recognise(text), None);
    }
    assert_eq!(
        illegal(&mut after_turns::<Lotus>("", "a1"), "a1"),
        Reason::Taken { cell: "a1".into() }
    );
    assert_eq!(wrong_option::<Lotus>("komi=7 nocount"), "");
    for words in ["komi=8", "komi=x", "komi=", "komi", "nocount=1", "side=3"] {
        assert_ne!(wrong_option::<Lotus>(words), "", "{words}");
    }
    let start = "4/3/2/6/6/4/3/8/8/3/4/6/6/2/3/4";
    assert_eq!(game.position_text(), Some(format!("{start} B -3 0")));
    for rest in ["B -3 2", "B -3", "B +3 0", "B 0.5 0", "w 0 0"] {
        assert!(game.with_setup(&format!("{start} {rest}")).is_err(), "{rest}");
    }
    let dead = "4/3/2/6/6/4/3/8/8/3/4/6/6/W1/W2/BW2 B -3 0";
    assert!(game.with_setup(dead).is_err());
}

#[test]
fn the_picture_shows_stones_and_the_last_turn() {
    let lines = after_turns::<Lotus>("", "m4 j2 i4").diagram().ascii();
    assert_eq!(
        lines[5],
        "m           .1----.2        .3----B4        .5----.6           m"
    );
    assert_eq!(
        lines[12],
        "i   .1----.2        .3---(B4)       .5----.6        .7----.8   i"
    );
    let corner = after_turns::<Lotus>("", "p4").diagram().ascii();
    assert_eq!(
        corner[0],
        "p                   .1----.2        .3---(B4)                  p"
    );
    assert_eq!(lines.len(), 27);
}

/// Random games, judged twice.
#[test]
fn random_games_are_judged_as_slowly_as_quickly() {
    let graph = FIELD.graph();
    let slow = SlowBoard::of(graph);
    let (mut captures, mut doubles) = (0, 0);
    for seed in 0..12 {
        let mut die = die(seed);
        let mut game = Lotus::start(&[]).unwrap();
        for placed in 1.. {
            let vacant = graph.vacant(&game.scored.stones);
            let Some(point) = (!vacant.is_empty()).then(|| vacant.nth(die(vacant.len()))).flatten() else {
                assert_eq!(placed, 73, "every placement adds a stone");
                break;
            };
            let seat = game.to_move();
            let mut expected = colours(graph, &game.scored.stones);
            expected[usize::from(point)] = Some(seat);
            slow.reverse_dead(&mut expected, seat, usize::from(point));
            for effect in game.play(seat, &Turn::Move(point)).unwrap() {
                if let Effect::Reversed { cause, .. } = effect {
                    captures += 1;
                    doubles += usize::from(cause == Cause::Double);
                }
            }
            assert_eq!(colours(graph, &game.scored.stones), expected);
            assert!(!slow.any_dead(&expected));
            if placed % 12 == 0 {
                slow.assert_agrees(graph, &game.scored.stones);
            }
        }
    }
    assert!(captures > 50 && doubles > 0, "{captures} {doubles}");
}

#[test]
fn the_twelve_symmetries_change_nothing() {
    let graph = FIELD.graph();
    let mut die = die(5);
    let all = symmetries(graph);
    let mut games: Vec<Lotus> = all.iter().map(|_| Lotus::start(&[]).unwrap()).collect();
    for _ in 0..72 {
        let vacant = graph.vacant(&games[0].scored.stones);
        let point = vacant.nth(die(vacant.len())).unwrap();
        for (game, image) in games.iter_mut().zip(&all) {
            let seat = game.to_move();
            game.play(seat, &Turn::Move(image[usize::from(point)])).unwrap();
        }
        let straight = colours(graph, &games[0].scored.stones);
        for (game, image) in games.iter().zip(&all) {
            let laid = colours(graph, &game.scored.stones);
            assert!((0..72).all(|point| straight[point] == laid[usize::from(image[point])]));
        }
    }
}

#[test]
fn random_play_draws_as_the_listing_does() {
    let start = Lotus::start(&[]).unwrap().without_counting();
    let fast = start.clone().playout(&mut die(11));
    assert_eq!(fast, crate::games::table::playout_by_steps(start, &mut die(11)));
}
