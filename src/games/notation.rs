//! What the games' notations share: cell names, the signs between two cells, and the rows of a position text.
//!
//! Source: "Reading and judging a turn", the same on all five rules pages.

use super::{PositionError, Reason};

/// The longest text that can be a cell name: `s19`.
const LONGEST_NAME: usize = 3;

/// The signs that mean "to" between two cells, the longest first.
const SIGNS: [&str; 4] = ["->", "-", ">", ":"];

/// Reads one letter in any case and a number without a zero in front: `d4` is (4, 4), `K11` is (11, 11).
pub fn read_cell(name: &str) -> Option<(u8, u8)> {
    let (letter, number) = name.split_at_checked(1)?;
    let letter = letter.bytes().next()?.to_ascii_lowercase();
    if !letter.is_ascii_lowercase() || number.starts_with('0') || !number.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    Some((letter - b'a' + 1, number.parse().ok()?))
}

/// The name of a cell: letter `x` (1 is a) and number `y`, below 100.
pub fn write_cell(x: u8, y: u8) -> String {
    let mut name = String::with_capacity(LONGEST_NAME);
    name.push(char::from(b'a' + x - 1));
    if y >= 10 {
        name.push(char::from(b'0' + y / 10));
    }
    name.push(char::from(b'0' + y % 10));
    name
}

/// Why a word that should be a cell of this board is none: no such cell, or nothing like a cell at all.
pub fn not_a_cell(word: &str) -> Reason {
    let shaped = word.len() <= LONGEST_NAME
        && word.split_at_checked(1).is_some_and(|(letter, number)| {
            letter.bytes().all(|byte| byte.is_ascii_alphabetic())
                && !number.is_empty()
                && number.bytes().all(|byte| byte.is_ascii_digit())
        });
    if shaped {
        Reason::NoSuchCell {
            cell: word.to_ascii_lowercase(),
        }
    } else {
        Reason::NotATurn
    }
}

/// A piece of a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part<'a> {
    /// A word that stands alone: a cell, `pass`, `dead` …
    Alone(&'a str),
    /// Two words with one of the signs `-` `->` `>` `:` between them, or two cell names with nothing between them.
    Joined(&'a str, &'a str),
}

/// Takes a turn apart. Words are separated by blanks or commas, and the signs between two words may have blanks
/// around them. `None` where a sign has no word on one of its sides, or a word has a sign on both.
pub fn parts(text: &str) -> Option<Vec<Part<'_>>> {
    let mut parts = Vec::new();
    let mut tokens = Tokens { rest: text }.peekable();
    while let Some(token) = tokens.next() {
        let Token::Word(first) = token else { return None };
        if tokens.next_if_eq(&Token::Sign).is_none() {
            parts.push(pair_without_sign(first).map_or(Part::Alone(first), |(from, to)| Part::Joined(from, to)));
            continue;
        }
        let Some(Token::Word(second)) = tokens.next() else {
            return None;
        };
        if tokens.peek() == Some(&Token::Sign) {
            return None;
        }
        parts.push(Part::Joined(first, second));
    }
    Some(parts)
}

/// `d4d5` as `d4` and `d5`.
fn pair_without_sign(word: &str) -> Option<(&str, &str)> {
    let second = word
        .char_indices()
        .skip(1)
        .find(|(_, character)| character.is_ascii_alphabetic())?
        .0;
    let (from, to) = word.split_at(second);
    (read_cell(from).is_some() && read_cell(to).is_some()).then_some((from, to))
}

#[derive(PartialEq)]
enum Token<'a> {
    Word(&'a str),
    Sign,
}

struct Tokens<'a> {
    rest: &'a str,
}

fn separates(character: char) -> bool {
    character == ',' || character.is_whitespace()
}

impl<'a> Iterator for Tokens<'a> {
    type Item = Token<'a>;

    fn next(&mut self) -> Option<Token<'a>> {
        self.rest = self.rest.trim_start_matches(separates);
        if self.rest.is_empty() {
            return None;
        }
        if let Some(rest) = SIGNS.iter().find_map(|sign| self.rest.strip_prefix(sign)) {
            self.rest = rest;
            return Some(Token::Sign);
        }
        let end = self
            .rest
            .find(|character| separates(character) || matches!(character, '-' | '>' | ':'))
            .unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest;
        Some(Token::Word(word))
    }
}

/// Reads the rows of a position text, separated by `/`: in each a stone as its letter, read by `stone`, and a run of
/// empty cells as its length without leading zero. `lengths` holds the cells of each row in the order of the text.
///
/// # Errors
///
/// A wrong number of rows or cells, a letter that is no stone, a run of 0 or with a zero in front.
pub fn read_rows<T>(
    text: &str,
    lengths: &[usize],
    stone: impl Fn(char) -> Option<T>,
) -> Result<Vec<Vec<Option<T>>>, PositionError> {
    let rows: Vec<&str> = text.split('/').collect();
    if rows.len() != lengths.len() {
        let (expected, found) = (lengths.len(), rows.len());
        return Err(PositionError(format!("{expected} rows expected, {found} found")));
    }
    let numbered = rows.iter().zip(lengths).zip(1..);
    numbered
        .map(|((row, &length), number)| read_row(row, number, length, &stone))
        .collect()
}

fn read_row<T>(
    text: &str,
    number: usize,
    length: usize,
    stone: impl Fn(char) -> Option<T>,
) -> Result<Vec<Option<T>>, PositionError> {
    let wrong_length = || PositionError(format!("row {number} of the text has not {length} cells"));
    let mut cells = Vec::with_capacity(length);
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        if first.is_ascii_digit() {
            let end = rest
                .find(|character: char| !character.is_ascii_digit())
                .unwrap_or(rest.len());
            let (digits, after) = rest.split_at(end);
            if first == '0' {
                return Err(PositionError(format!(
                    "row {number} of the text has a run that begins with 0"
                )));
            }
            let run: usize = digits.parse().map_err(|_| wrong_length())?;
            if run > length - cells.len() {
                return Err(wrong_length());
            }
            cells.extend(std::iter::repeat_with(|| None).take(run));
            rest = after;
        } else {
            let found = stone(first).ok_or_else(|| {
                PositionError(format!("row {number} of the text: {first:?} is no stone of this game"))
            })?;
            if cells.len() == length {
                return Err(wrong_length());
            }
            cells.push(Some(found));
            rest = &rest[first.len_utf8()..];
        }
    }
    if cells.len() == length {
        Ok(cells)
    } else {
        Err(wrong_length())
    }
}

/// Writes rows as [`read_rows`] reads them; `None` is an empty cell.
pub fn write_rows(rows: impl IntoIterator<Item = impl IntoIterator<Item = Option<char>>>) -> String {
    let rows: Vec<String> = rows.into_iter().map(write_row).collect();
    rows.join("/")
}

fn write_row(cells: impl IntoIterator<Item = Option<char>>) -> String {
    let mut row = String::new();
    let mut run = 0;
    let end_run = |row: &mut String, run: &mut usize| {
        if *run > 0 {
            row.push_str(&run.to_string());
            *run = 0;
        }
    };
    for cell in cells {
        match cell {
            None => run += 1,
            Some(letter) => {
                end_run(&mut row, &mut run);
                row.push(letter);
            }
        }
    }
    end_run(&mut row, &mut run);
    row
}

/// A number of a position text: decimal, without sign and without a zero in front.
pub fn read_number(text: &str) -> Option<u32> {
    let plain = text.bytes().all(|byte| byte.is_ascii_digit()) && (text == "0" || !text.starts_with('0'));
    if plain { text.parse().ok() } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cell_names() {
        assert_eq!(read_cell("d4"), Some((4, 4)));
        assert_eq!(read_cell("S19"), Some((19, 19)));
        for text in [
            "", "d", "4", "d04", "d0", "d+4", "44", "dd4", "d4 ", "é4", "d4é", "d999",
        ] {
            assert_eq!(read_cell(text), None, "{text:?}");
        }
    }

    #[test]
    fn every_sign_joins_two_cells_with_and_without_blanks() {
        for text in [
            "d4-d5",
            "d4->d5",
            "d4>d5",
            "d4:d5",
            "d4 - d5",
            "d4 ->d5",
            "d4: d5",
            "\td4 > d5",
            "d4d5",
        ] {
            assert_eq!(parts(text), Some(vec![Part::Joined("d4", "d5")]), "{text:?}");
        }
    }

    #[test]
    fn a_sign_needs_a_word_on_each_side_and_a_word_has_one_sign() {
        for text in ["d4-", "-d4", "d4--d5", "d4-d5-d6", "-", "d4 - > d5", "d4 <- d5-"] {
            assert_eq!(parts(text), None, "{text:?}");
        }
    }

    #[test]
    fn words_are_separated_by_blanks_or_commas() {
        let expected = vec![Part::Alone("a1"), Part::Joined("e1", "c1"), Part::Alone("e3")];
        assert_eq!(parts("a1, e1 - c1,e3"), Some(expected));
        assert_eq!(parts(""), Some(Vec::new()));
        assert_eq!(parts("d4;d5"), Some(vec![Part::Alone("d4;d5")]));
        assert_eq!(parts("d4d5e6"), Some(vec![Part::Alone("d4d5e6")]));
    }

    #[test]
    fn rows_are_read_as_they_are_written() {
        let stone = |letter| "XO".contains(letter).then_some(letter);
        for text in ["12/1X10/12", "12/XOXOXOXOXOXO/6X5"] {
            let rows = read_rows(text, &[12, 12, 12], stone).unwrap();
            assert_eq!(write_rows(rows), text);
        }
        for text in [
            "12/12",
            "12/12/12/12",
            "11/12/12",
            "13/12/12",
            "12/12/12X",
            "12/012/12",
            "12/X0X10/12",
        ] {
            assert!(read_rows(text, &[12, 12, 12], stone).is_err(), "{text}");
        }
        for text in [
            "",
            "//",
            "12/x11/12",
            "12/12/99999999999999999999999",
            "12/é11/12",
            "12//12",
        ] {
            assert!(read_rows(text, &[12, 12, 12], stone).is_err(), "{text}");
        }
    }

    #[test]
    fn numbers_have_no_sign_and_no_zero_in_front() {
        assert_eq!(read_number("0"), Some(0));
        assert_eq!(read_number("10"), Some(10));
        for text in ["", "00", "01", "+1", "-1", "1.0", "99999999999"] {
            assert_eq!(read_number(text), None, "{text:?}");
        }
    }
}
