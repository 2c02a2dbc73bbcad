//! The boards of every game in their forms as text, read by eye (`BLESS=1` writes them anew).

use std::path::Path;

use playpost::letters::BoardStyle;
use unicode_width::UnicodeWidthChar;

use crate::scenes::scenes;

#[test]
fn the_boards_are_those_that_were_read_by_eye() {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/boards");
    for scene in scenes() {
        for (style, name) in [
            (BoardStyle::Ascii, "ascii"),
            (BoardStyle::Unicode, "unicode"),
            (BoardStyle::List, "list"),
        ] {
            let golden = data.join(format!("{}.{name}.txt", scene.name));
            let found = scene.board(style) + "\n";
            if std::env::var_os("BLESS").is_some() {
                std::fs::create_dir_all(&data).unwrap();
                std::fs::write(&golden, &found).unwrap();
            }
            let expected = std::fs::read_to_string(&golden).unwrap_or_default();
            assert!(
                found == expected,
                "the board differs from {}; BLESS=1 writes it anew:\n{found}",
                golden.display()
            );
        }
    }
}

#[test]
fn every_sign_of_a_board_is_one_column_wide_in_every_font() {
    for scene in scenes() {
        for style in [BoardStyle::Ascii, BoardStyle::Unicode] {
            for sign in scene.board(style).chars().filter(|sign| *sign != '\n') {
                assert_eq!((sign.width(), sign.width_cjk()), (Some(1), Some(1)), "{sign:?}");
            }
        }
    }
}

#[test]
fn the_unicode_board_has_its_stones_where_the_ascii_board_has_them() {
    for scene in scenes() {
        let diagram = scene.game.table().diagram();
        let (ascii, unicode) = (scene.board(BoardStyle::Ascii), scene.board(BoardStyle::Unicode));
        assert_eq!(ascii.lines().count(), unicode.lines().count());
        let letters: Vec<char> = diagram
            .cells
            .iter()
            .filter_map(|cell| cell.mark)
            .map(|mark| mark.letter)
            .collect();
        for (one, other) in ascii.lines().zip(unicode.lines()) {
            for (one, other) in one.chars().zip(other.chars()) {
                assert_eq!(
                    letters.contains(&one) && one.is_alphabetic(),
                    letters.contains(&other) && other.is_alphabetic(),
                    "{}: {one:?} and {other:?}\n{unicode}",
                    scene.name
                );
            }
        }
    }
}

/// A screen reader says about 180 words a minute.
const WORDS_A_MINUTE: usize = 180;

#[test]
fn the_board_in_words_takes_less_than_a_minute_in_a_middle_game() {
    for scene in scenes().iter().filter(|scene| scene.name.ends_with("-middle")) {
        let list = scene.board(BoardStyle::List);
        let words = list.split_whitespace().count();
        println!("{}: {words} words", scene.name);
        assert!(words < WORDS_A_MINUTE, "{}: {words} words:\n{list}", scene.name);
    }
}

#[test]
fn the_board_in_words_names_every_man() {
    for scene in scenes() {
        let list = scene.board(BoardStyle::List);
        let men = scene
            .game
            .table()
            .diagram()
            .cells
            .iter()
            .filter(|cell| cell.mark.is_some())
            .count();
        let is_place = |word: &str| {
            word.len() <= 3
                && word
                    .chars()
                    .all(|letter| letter.is_ascii_lowercase() || letter.is_ascii_digit())
        };
        let words = list
            .split(|letter: char| !letter.is_ascii_alphanumeric())
            .filter(|word| is_place(word))
            .count();
        assert!(
            men == 0 || words > 0,
            "{}: {men} men, {words} places:\n{list}",
            scene.name
        );
    }
}
