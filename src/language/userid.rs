//! Which names a player may have (LANGUAGE.md 5, `signup`).

use super::table::{COMMANDS, RESERVED};
use crate::games;

/// Why a name is no userid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BadUserid {
    TooShort,
    TooLong,
    /// It does not begin with a letter.
    Beginning,
    /// It holds something else than letters, digits, `_` and `-`.
    Letter(char),
    /// It is a command, or another word of the language.
    Command,
    Game,
    Cell,
}

/// The fewest and the most letters of a userid.
pub const USERID_LENGTH: std::ops::RangeInclusive<usize> = 3..=20;

/// Whether a player may be called so. `name` may be in any case.
pub fn check_userid(name: &str) -> Result<(), BadUserid> {
    let name = name.to_lowercase();
    let letters = name.chars().count();
    if let Some(bad) = name.chars().find(|&letter| !is_userid_letter(letter)) {
        return Err(BadUserid::Letter(bad));
    }
    if letters < *USERID_LENGTH.start() {
        return Err(BadUserid::TooShort);
    }
    if letters > *USERID_LENGTH.end() {
        return Err(BadUserid::TooLong);
    }
    if !name.starts_with(|first: char| first.is_ascii_alphabetic()) {
        return Err(BadUserid::Beginning);
    }
    if RESERVED.contains(&name.as_str()) || COMMANDS.iter().any(|entry| entry.word == name) {
        return Err(BadUserid::Command);
    }
    if games::find(&name).is_some() {
        return Err(BadUserid::Game);
    }
    if games::GAMES.iter().any(|game| (game.is_cell_name)(&name)) {
        return Err(BadUserid::Cell);
    }
    Ok(())
}

/// Whether a word in lower case has the form of a userid, reserved or not.
pub(super) fn is_well_formed(name: &str) -> bool {
    USERID_LENGTH.contains(&name.len())
        && name.starts_with(|first: char| first.is_ascii_alphabetic())
        && name.chars().all(is_userid_letter)
}

fn is_userid_letter(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || letter == '_' || letter == '-'
}
