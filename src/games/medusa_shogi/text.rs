//! A turn as text: reading it in any spelling, writing it in canonical form.

use super::men::{Kind, Man};
use super::position::{Position, Turn};
use super::squares::Square;
use crate::games::Reason;
use crate::games::notation::{self, Part};

/// A turn as it was read, without a look at the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reading {
    pub turn: Turn,
    /// The writer put `x` between the squares.
    pub capture: bool,
}

impl Reading {
    /// The turn as it was meant, in canonical signs; only the board can tell whether `x` and `=` are right.
    pub fn text(self) -> String {
        write_turn(self.turn, self.capture)
    }
}

/// Reads a turn in any case.
///
/// # Errors
///
/// The text has none of the forms, or names a square that is not on the board.
pub fn read(text: &str) -> Result<Reading, Reason> {
    let text = text.to_ascii_lowercase();
    let parts = notation::parts(&text).ok_or(Reason::NotATurn)?;
    match parts[..] {
        [Part::Joined(from, rest)] => read_move(from, rest, false),
        [Part::Alone("castle"), Part::Alone(to)] => Ok(Reading {
            turn: Turn::Castle { to: read_square(to)? },
            capture: false,
        }),
        [Part::Alone(word)] => match word.split_once('@') {
            Some((man, to)) => read_drop(man, to),
            None => read_joined_word(word),
        },
        _ => Err(Reason::NotATurn),
    }
}

fn read_square(word: &str) -> Result<Square, Reason> {
    Square::named(word).ok_or_else(|| notation::not_a_cell(word))
}

/// `e4xh7=q` or `e4h7=q`: two squares with `x` or nothing between them.
fn read_joined_word(word: &str) -> Result<Reading, Reason> {
    let second = word
        .char_indices()
        .skip(1)
        .find(|(_, character)| character.is_ascii_alphabetic());
    let Some((second, _)) = second else {
        return Err(Reason::NotATurn);
    };
    let (from, rest) = word.split_at(second);
    match rest.strip_prefix('x') {
        Some(rest) => read_move(from, rest, true),
        None => read_move(from, rest, false),
    }
}

/// `rest` is the second square and the change behind it, if any.
fn read_move(from: &str, rest: &str, capture: bool) -> Result<Reading, Reason> {
    let (to, change) = match rest.split_once('=') {
        Some((to, letter)) => (to, Some(read_kind(letter)?)),
        None => (rest, None),
    };
    let turn = Turn::Move {
        from: read_square(from)?,
        to: read_square(to)?,
        change,
    };
    Ok(Reading { turn, capture })
}

fn read_drop(man: &str, to: &str) -> Result<Reading, Reason> {
    let (morph, letter) = match man.strip_prefix('+') {
        Some(letter) => (true, letter),
        None => (false, man),
    };
    let kind = read_kind(letter)?;
    let turn = Turn::Drop {
        man: Man { kind, morph },
        to: read_square(to)?,
    };
    Ok(Reading { turn, capture: false })
}

/// A single letter that is a man's.
fn read_kind(text: &str) -> Result<Kind, Reason> {
    let mut letters = text.chars();
    match (letters.next(), letters.next()) {
        (Some(letter), None) if letter.is_ascii_alphabetic() => {
            Kind::of_letter(letter).ok_or_else(|| Reason::NoSuchMan {
                letter: letter.to_string(),
            })
        }
        _ => Err(Reason::NotATurn),
    }
}

/// The canonical text of a turn in this position: `x` where it captures, and no change to the man's own kind.
pub fn write(position: &Position, turn: Turn) -> String {
    match turn {
        Turn::Move { from, to, change } => {
            let change = change.filter(|kind| position.kind_at(from) != Some(*kind));
            write_turn(Turn::Move { from, to, change }, position.occupied().contains(to))
        }
        Turn::Castle { .. } | Turn::Drop { .. } => write_turn(turn, false),
    }
}

fn write_turn(turn: Turn, capture: bool) -> String {
    match turn {
        Turn::Move { from, to, change } => {
            let sign = if capture { 'x' } else { '-' };
            let change = change.map_or(String::new(), |kind| format!("={}", kind.letter()));
            format!("{from}{sign}{to}{change}")
        }
        Turn::Castle { to } => format!("castle {to}"),
        Turn::Drop { man, to } => format!("{}@{to}", man.text()),
    }
}
