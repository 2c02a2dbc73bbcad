//! Turns inside a line: games read them, this file only cuts them out.

use super::arguments::plain_number;
use crate::games::{self, Registration};

/// Whether a turn may begin with this word: it spares a look at what most lines of a mail are, talk.
pub(super) fn may_begin(word: &str) -> bool {
    let has_seat = word.contains(':');
    has_seat || games::may_begin_turn(word)
}

/// The canonical form of a turn, read in the notation of `game` if it can be, else of any game.
pub(super) fn read(game: Option<&'static Registration>, text: &str) -> Option<String> {
    let text = fold_arrows(text);
    game.and_then(|game| read_in(game, &text))
        .or_else(|| games::recognise(&text))
}

/// A turn with the number that it is to get: `d4#7`.
pub(super) fn with_number(game: Option<&'static Registration>, text: &str) -> Option<(String, Option<u32>)> {
    match text.rsplit_once('#') {
        Some((text, number)) => Some((read(game, text.trim_end())?, Some(plain_number(number)?))),
        None => Some((read(game, text)?, None)),
    }
}

/// Several turns one after the other. Where a turn may have several words it takes as many as it can.
pub(super) fn sequence(game: Option<&'static Registration>, text: &str) -> Option<Vec<String>> {
    let text = close_dashes(&fold_arrows(text));
    let words: Vec<_> = text.split([' ', ',', ';']).filter(|word| !word.is_empty()).collect();
    game.into_iter()
        .chain(games::GAMES)
        .find_map(|game| sequence_in(game, &words))
}

fn sequence_in(game: &Registration, words: &[&str]) -> Option<Vec<String>> {
    // Past this a turn is not tried with yet another word: so the work stays linear in the line.
    const LONGEST: usize = 64;
    let mut turns = Vec::new();
    let mut rest = words;
    while !rest.is_empty() {
        let (length, turn) = (1..=rest.len().min(LONGEST))
            .rev()
            .find_map(|length| Some((length, read_in(game, &rest.get(..length)?.join(" "))?)))?;
        turns.push(turn);
        rest = rest.get(length..)?;
    }
    (!turns.is_empty()).then_some(turns)
}

/// A turn in the notation of one game, with a seat of that game before it if wanted.
fn read_in(game: &Registration, text: &str) -> Option<String> {
    let text = text.trim();
    if let Some((seat, rest)) = text.split_once(':') {
        let mut letters = seat.trim().chars();
        if let (Some(letter), None) = (letters.next(), letters.next())
            && game.info.seats.contains(letter.to_ascii_uppercase())
        {
            let turn = (game.recognise)(rest.trim())?;
            return Some(format!("{}: {turn}", letter.to_ascii_lowercase()));
        }
    }
    (game.recognise)(text)
}

/// Longer arrows and dashes, as people paint them, become the short ones.
fn fold_arrows(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '-' if folded.ends_with('-') => {}
            '>' if folded.ends_with('>') => {}
            '>' if folded.ends_with('=') => {
                folded.pop();
                folded.push_str("->");
            }
            _ => folded.push(letter),
        }
    }
    folded
}

/// Takes away the blanks around dashes and arrows.
fn close_dashes(text: &str) -> String {
    let mut closed = String::with_capacity(text.len());
    for word in text.split(' ').filter(|word| !word.is_empty()) {
        let joins = closed.is_empty() || closed.ends_with(['-', '>']) || word.starts_with(['-', '>']);
        if !joins {
            closed.push(' ');
        }
        closed.push_str(word);
    }
    closed
}
