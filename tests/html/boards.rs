//! The boards of every game in their forms as text, read by eye (`BLESS=1` writes them anew).

use std::path::Path;

use playpost::games::Layout;
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
fn the_board_in_words_names_every_man_where_it_stands() {
    for scene in scenes() {
        let table = scene.game.table();
        let list = scene.board(BoardStyle::List);
        for cell in table.diagram().cells {
            let Some(mark) = cell.mark else { continue };
            let is_named = match table.diagram().layout {
                Layout::Squares { .. } => list
                    .split(|sign: char| !sign.is_alphanumeric())
                    .any(|word| word == cell.name),
                Layout::Hexagon { .. } => {
                    is_on_row(&list, &cell.name[1..], &cell.name[..1], &table.seat_name(mark.seat))
                }
                _ => is_on_row(&list, &cell.name[..1], &cell.name[1..], &table.seat_name(mark.seat)),
            };
            assert!(is_named, "{}: {} is missing:\n{list}", scene.name, cell.name);
        }
    }
}

/// Whether the line of a row says that a seat has a stone at a place: `Row 5: O on d to f and h, X on c.`
fn is_on_row(list: &str, row: &str, place: &str, seat: &str) -> bool {
    let beginning = format!("Row {row}: ");
    let Some(line) = list.lines().find_map(|line| line.strip_prefix(&beginning)) else {
        return false;
    };
    // In order of letters, and of numbers.
    let order = |word: &str| (word.len(), word.to_string());
    let words: Vec<&str> = line
        .split(|sign: char| !sign.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .collect();
    let mut who = "";
    for (index, word) in words.iter().enumerate() {
        let next = |ahead: usize| words.get(index + ahead).copied().unwrap_or_default();
        if next(1) == "on" {
            who = word;
        } else if who.starts_with(seat) {
            let is_range = next(1) == "to" && order(word) <= order(place) && order(place) <= order(next(2));
            if *word == place || is_range {
                return true;
            }
        }
    }
    false
}
