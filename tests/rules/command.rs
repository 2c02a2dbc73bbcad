//! The contract of `playpost rules` beyond the cases: wrong use, records, big and broken files, the other subcommands.

use crate::support::games;
use assert_cmd::Command;
use serde_json::Value;
use std::fmt::Write;

/// Exit status, standard output and standard error.
fn rules(words: &[&str], input: impl Into<Vec<u8>>) -> (i32, String, String) {
    let output = Command::cargo_bin("playpost")
        .unwrap()
        .arg("rules")
        .args(words)
        .write_stdin(input)
        .output()
        .unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

/// The one line of a wrong use.
fn wrong_use(words: &[&str], input: impl Into<Vec<u8>>) -> String {
    let (status, out, error) = rules(words, input);
    assert_eq!((status, out.as_str()), (2, ""), "{words:?}: {error}");
    assert_eq!(error.lines().count(), 1, "{words:?}: {error}");
    error
}

/// The one line of a refusal.
fn refused(words: &[&str], input: impl Into<Vec<u8>>) -> String {
    let (status, out, error) = rules(words, input);
    assert_eq!((status, out.as_str()), (1, ""), "{words:?}: {error}");
    assert_eq!(error.lines().count(), 1, "{words:?}: {error}");
    error
}

fn printed(words: &[&str], input: &str) -> String {
    let (status, out, error) = rules(words, input);
    assert_eq!((status, error.as_str()), (0, ""), "{words:?}");
    out
}

fn object(words: &[&str], input: &str) -> Value {
    serde_json::from_str(&printed(words, input)).unwrap()
}

#[test]
fn a_wrong_use_is_one_line_that_names_what_is_known() {
    for command in ["show", "replay", "legal"] {
        let line = wrong_use(&[command, "chess"], "");
        assert!(games().iter().all(|game| line.contains(game.info.name)), "{line}");
        assert!(wrong_use(&[command, "susan", "-side=99"], "").contains("2 … 10"));
        assert!(wrong_use(&[command, "susan", "-sides=5"], "").contains("-side"));
        assert!(wrong_use(&[command, "susan", "--side=5"], "").contains("one dash"));
        assert!(wrong_use(&[command, "susan", "-large", "-side=5"], "").contains("-large"));
        assert!(wrong_use(&[command, "susan", "a", "b"], "").contains("too many"));
        wrong_use(&[command], "");
    }
    assert!(wrong_use(&["replay", "susan", "no such file"], "").contains("no such file"));
    assert!(wrong_use(&["perft", "susan"], "").contains("--depth"));
    assert!(wrong_use(&["perft", "susan", "--depth", "x"], "").contains("--depth"));
    assert!(wrong_use(&["perft", "medusa", "--depth", "1"], "").contains("medusa"));
    assert!(wrong_use(&["playouts", "susan", "--seed", "1"], "").contains("--count"));
}

#[test]
fn options_may_stand_in_any_order() {
    let expected = printed(&["replay", "susan", "-side=2", "--json", "--each"], "a1\n");
    assert_eq!(expected.lines().count(), 2);
    for words in [
        ["replay", "--each", "susan", "--json", "-side=2"],
        ["replay", "-SIDE=2", "--json", "--each", "Susan"],
    ] {
        assert_eq!(printed(&words, "a1\n"), expected);
    }
    assert_eq!(
        printed(&["replay", "susan", "-", "-side=2", "--json", "--each"], "a1\n"),
        expected
    );
}

#[test]
fn without_each_only_the_last_position_is_printed_and_none_after_a_refusal() {
    let found = object(&["replay", "susan", "--json"], "e5\nd4\n");
    assert_eq!((&found["turn"], &found["move"]), (&2.into(), &"d4".into()));
    assert!(printed(&["replay", "susan"], "e5\nd4\n").contains(" 4 . . .(O). . . . i\n"));
    assert_eq!(
        refused(&["replay", "susan"], "e5\n e5 \n"),
        "turn 2: e5: illegal: e5 is taken\n"
    );
    assert_eq!(
        refused(&["legal", "susan"], "e5\nO: resign\nd4\n"),
        "turn 3: d4: over: the game has ended\n"
    );
}

#[test]
fn a_setup_line_stands_once_before_the_turns() {
    let found = object(
        &["replay", "susan", "--json"],
        "# A\nsetup 5/6/7/8/3OOX3/2O1OX2/3XX2/6/5 X 0\nd4\n",
    );
    assert_eq!(found["outcome"]["winner"], "X");
    let again = "setup 5/6/7/8/9/8/7/6/5 X 0";
    let line = refused(&["replay", "susan"], format!("{again}\n{again}\n"));
    assert!(line.starts_with(&format!("turn 1: {again}: unreadable: ")), "{line}");
    let line = refused(&["replay", "susan", "--each", "--json"], "setup 5/6 X 0\nd4\n");
    assert!(line.starts_with("turn 0: setup 5/6 X 0: unreadable: "), "{line}");
}

#[test]
fn a_record_is_taken_as_it_stands() {
    let record = "[Game \"susan\"]\n[Options \"side=2\"]\n[Match \"12\"]\n[X \"alice\"]\n\n\
                  a1        ; 2026-11-29T18:02:11Z\n# bob: Nice try!\nO: resign ; 2026-11-29T18:02:12Z\n";
    let found = object(&["replay", "susan", "--json"], record);
    assert_eq!(
        (&found["turn"], &found["outcome"]["reason"]),
        (&2.into(), &"resigned".into())
    );
    let start: Value = serde_json::from_str(
        printed(&["replay", "susan", "--json", "--each"], record)
            .lines()
            .next()
            .unwrap(),
    )
    .unwrap();
    assert_eq!(start["legal"], 7);
    let found = object(
        &["replay", "susan", "-side=5", "--json"],
        "[Options \"side=2\"]\n\na1\n",
    );
    assert_eq!(found["legal"], 60);
    let found = object(
        &["replay", "susan", "--json"],
        "[Setup \"5/6/7/8/9/8/7/6/X4 O 0\"]\n\na2\n",
    );
    assert_eq!(found["stones"]["X"], serde_json::json!(["a1"]));
    assert!(refused(&["replay", "susan"], "e5 ; later\n").starts_with("turn 1: e5 ; later: unreadable: "));
}

#[test]
fn broken_and_huge_files_are_refused_in_one_line() {
    assert!(wrong_use(&["replay", "susan"], b"e5\n\xff\xfe\n".to_vec()).contains("UTF-8"));
    assert!(wrong_use(&["replay", "susan"], b"e5\0\n".to_vec()).contains("UTF-8"));
    let line = refused(&["replay", "susan"], "x".repeat(4 << 20));
    assert!(line.len() < 1000 && line.starts_with("turn 1: xxx"));
    let line = refused(&["replay", "susan"], format!("setup {} X 0", "1/".repeat(1 << 20)));
    assert!(line.len() < 1000 && line.starts_with("turn 0: setup 1/1/"));
    assert_eq!(refused(&["replay", "susan"], "a\rb\n").lines().count(), 1);
}

#[test]
fn a_file_of_a_hundred_thousand_lines_is_played() {
    let mut text = String::new();
    for line in 0..50_000 {
        writeln!(text, "# {line}").unwrap();
    }
    text.push_str("pass\npass\n");
    for _ in 0..25_000 {
        text.push_str("dead none\nW: dead none\n");
    }
    let found = object(&["replay", "lotus", "--json"], &text);
    assert_eq!(found["turn"], 50_002);
    text.push_str("a1\n");
    assert!(refused(&["replay", "lotus"], text).starts_with("turn 50003: a1: illegal: "));
}

#[test]
fn every_game_is_listed_and_shown() {
    let list = printed(&["list"], "");
    assert_eq!(list.lines().count(), games().len());
    for (line, game) in list.lines().zip(games()) {
        assert!(line.starts_with(game.info.name), "{line}");
        assert!(
            game.info
                .options
                .iter()
                .all(|option| line.contains(&format!("-{}", option.name))),
            "{line}"
        );
        let page = printed(&["show", game.info.name], "");
        assert!(
            page.lines().all(|line| line.chars().count() <= 78),
            "{}",
            game.info.name
        );
        assert!(
            page.lines().count() > 40,
            "{}: the page teaches too little",
            game.info.name
        );
    }
}

#[test]
fn legal_turns_stand_one_a_line_in_listing_order() {
    assert_eq!(
        printed(&["legal", "susan", "-side=2"], "a1\nb2\n"),
        "b1\na2\nc2\nb3\nc3\na1-b1\na1-a2\n"
    );
    let found = object(&["legal", "susan", "-side=2", "--json"], "a1\nb2\n");
    assert_eq!(
        (&found["legal"], found["moves"].as_array().unwrap().len()),
        (&7.into(), 7)
    );
    assert_eq!(printed(&["legal", "susan"], "resign\n"), "");
    assert_eq!(printed(&["legal", "medusa"], "").lines().count(), 211);
}

#[test]
fn perft_prints_one_line_and_before_it_the_parts() {
    let line = printed(&["perft", "susan", "-side=2", "--depth", "3"], "");
    assert!(line.starts_with("nodes 330  seconds ") && line.contains("  nodes/s ") && line.lines().count() == 1);
    let divided = printed(&["perft", "susan", "-side=2", "--divide", "--depth=2"], "a1\n");
    assert_eq!(divided.lines().count(), 7);
    assert!(divided.starts_with("b1 7\n"), "{divided}");
    assert!(printed(&["perft", "susan", "--depth", "0"], "").starts_with("nodes 1 "));
    assert!(printed(&["perft", "susan", "--depth", "5"], "resign").starts_with("nodes 0 "));
}

#[test]
fn playouts_are_counted_and_repeat_with_the_same_seed() {
    let run = |seed: &str| {
        let out = printed(&["playouts", "susan", "-side=2", "--count", "500", "--seed", seed], "");
        out.lines().take(4).map(String::from).collect::<Vec<_>>()
    };
    let first = run("7");
    let number = |line: &String| line.rsplit(' ').next().unwrap().parse::<u64>().unwrap();
    assert_eq!(first[..3].iter().map(number).sum::<u64>(), 500);
    assert!(first[3].starts_with("mean length "));
    assert_eq!(run("7"), first);
    assert_ne!(run("8"), first);
}
