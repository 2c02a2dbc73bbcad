//! Arguments of the commands in a match.

use super::super::command::Command;
use super::super::turns;
use super::super::words::Word;
use super::{Arguments, number, plain_number};
use crate::games::Registration;

/// A turn in some game's notation.
pub(in crate::language) fn turn(arguments: &mut Arguments<'_, '_>) -> Option<Command> {
    let text = arguments.rest();
    let (text, turn) = turns::with_number(arguments.game, &text)?;
    push_turn(arguments, &text, turn);
    Some(Command::Move { text, turn })
}

/// A turn whose first word is the command itself: `pass`, `dead d4`, and in the older spelling `rosette pass 12 alice secret`.
pub(in crate::language) fn turn_word(arguments: &mut Arguments<'_, '_>) -> Option<Command> {
    let rest = arguments.rest();
    let text = format!("{} {rest}", arguments.word);
    let (text, turn) = turns::with_number(arguments.game, text.trim_end())?;
    // The word itself is written already.
    let cells = text.strip_prefix(arguments.word)?.trim_start();
    push_turn(arguments, cells, turn);
    Some(Command::Move { text, turn })
}

/// Writes a turn with its number; nothing where there is neither.
fn push_turn(arguments: &mut Arguments<'_, '_>, text: &str, turn: Option<u32>) {
    match turn {
        Some(number) => arguments.rendering.push(&format!("{text}#{number}")),
        None if text.is_empty() => {}
        None => arguments.rendering.push(text),
    }
}

pub(in crate::language) fn preview(arguments: &mut Arguments<'_, '_>) -> Option<Command> {
    let text = arguments.rest();
    let turns = turns::sequence(arguments.game, &text)?;
    for turn in &turns {
        arguments.rendering.push(turn);
    }
    Some(Command::Preview { turns })
}

/// `A then B`, and further pairs behind `if`.
pub(in crate::language) fn conditional(arguments: &mut Arguments<'_, '_>) -> Option<Command> {
    let mut chain = Vec::new();
    let game = arguments.game;
    for pair in arguments.words.split(|word| word.text == "if") {
        let mut halves = pair.split(|word| word.text == "then");
        let (theirs, ours) = (halves.next()?, halves.next()?);
        if halves.next().is_some() {
            return None;
        }
        chain.push((turn_of(game, theirs)?, turn_of(game, ours)?));
    }
    arguments.words = &[];
    for (index, (theirs, ours)) in chain.iter().enumerate() {
        if index > 0 {
            arguments.rendering.push("if");
        }
        for piece in [theirs, "then", ours] {
            arguments.rendering.push(piece);
        }
    }
    Some(Command::If { chain })
}

fn turn_of(game: Option<&'static Registration>, words: &[Word<'_>]) -> Option<String> {
    let texts: Vec<_> = words.iter().map(|word| &*word.text).collect();
    turns::read(game, texts.join(" ").trim_end_matches([',', ';']))
}

/// `show`, `show #7`, `show 7`; `susan show 12#7` has its turn already.
pub(in crate::language) fn show(arguments: &mut Arguments<'_, '_>) -> Option<Command> {
    if arguments.is_empty() {
        let turn = arguments.turn;
        return Some(Command::Show { turn });
    }
    let word = arguments.only()?;
    if arguments.turn.is_some() {
        return None;
    }
    if let Some((number, turn)) = word.text.split_once('#').filter(|(number, _)| !number.is_empty()) {
        let (number, turn) = (plain_number(number)?, plain_number(turn)?);
        if arguments.target.number.is_some_and(|named| named != number) {
            return None;
        }
        arguments.target.number = Some(number);
        arguments.rendering.push(&format!("{number}#{turn}"));
        return Some(Command::Show { turn: Some(turn) });
    }
    let (turn, piece) = number(&word.text)?;
    arguments.rendering.push(&piece);
    Some(Command::Show { turn: Some(turn) })
}

pub(in crate::language) fn extend(arguments: &mut Arguments<'_, '_>) -> Option<Command> {
    let text = &arguments.only()?.text;
    let by = text.parse().ok()?;
    arguments.rendering.push(text);
    Some(Command::Extend { by })
}
