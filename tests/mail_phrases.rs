//! What mail programs write of themselves, in many languages: none of it is typed, and what stands above it is.

use std::fs;

use playpost::mail::{Limits, read};

fn table(name: &str) -> String {
    let path = format!("{}/tests/data/phrases/{name}.txt", env!("CARGO_MANIFEST_DIR"));
    let text = fs::read_to_string(&path).expect("the table is there");
    let (_, entries) = text.split_once('\n').expect("a heading");
    entries.trim_end().to_owned()
}

fn typed(text: &str) -> String {
    let mail = format!(
        "From: alice@example.net\nTo: play@example.org\nContent-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: 8bit\n\n{text}"
    );
    read(mail.as_bytes(), &Limits::default()).typed
}

const UNMARKED: &str = "bob played c4.\nresign\nd5\n";
const MARKED: &str = "> bob played c4.\n> resign\n>\n> d5\n";

/// Checks every line of a table, and that there are some.
#[track_caller]
fn each(name: &str, least: usize, expected: &str, mail: impl Fn(&str) -> String) {
    let table = table(name);
    let entries: Vec<&str> = table.lines().collect();
    assert!(entries.len() >= least, "{name} is not whole");
    let wrong: Vec<String> = entries
        .iter()
        .map(|entry| (entry, typed(&mail(entry))))
        .filter(|(_, read)| read != expected)
        .map(|(entry, read)| format!("{entry}: {read:?}"))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn attributions_go_and_answers_around_them_stay() {
    each("attributions", 60, "d4\n\nHi.\n\n\n\nMore.", |line| {
        format!("d4\n\nHi.\n\n{line}\n\n{MARKED}\nMore.\n")
    });
}

#[test]
fn all_under_an_attribution_without_marks_is_quoted() {
    each("unmarked_attributions", 30, "d4", |line| {
        format!("d4\n\n{line}\n\n{UNMARKED}")
    });
}

#[test]
fn adverts_go() {
    each("adverts", 80, "d4\n\nHi.", |line| {
        format!("d4\n\nHi.\n\n{line}\n\n{MARKED}")
    });
}

#[test]
fn nothing_under_a_separator_is_typed() {
    each("separators", 40, "d4\n\nHi.", |line| {
        format!("d4\n\nHi.\n\n{line}\n{UNMARKED}")
    });
    each("separators", 40, "d4", |line| {
        format!("d4\n{line}\nFrom: Bob <b@example.org>\nDate: 5 Jan\nTo: a\nSubject: x\n\n{UNMARKED}")
    });
}

#[test]
fn nothing_under_a_header_block_is_typed() {
    let table = table("header_blocks");
    let blocks: Vec<&str> = table.split("\n\n").collect();
    assert!(blocks.len() >= 30, "the blocks are not whole");
    for block in blocks {
        assert_eq!(
            typed(&format!("d4\n\nHi.\n\n{block}\n\n{UNMARKED}")),
            "d4\n\nHi.",
            "{block}"
        );
        let bold: String = block
            .lines()
            .map(|line| format!("*{}\n", line.replacen(':', ":*", 1)))
            .collect();
        assert_eq!(typed(&format!("d4\n{bold}\n{UNMARKED}")), "d4", "{bold}");
        assert_eq!(typed(&format!("{block}\n\n{MARKED}\nd4\n")), "d4", "{block}");
    }
}
