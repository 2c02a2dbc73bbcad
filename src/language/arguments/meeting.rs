//! Arguments of challenges, and their options.

use super::super::command::{Command, Credentials, MatchOptions, Opponent};
use super::super::words::Word;
use super::{Arguments, address, game_at, keyword, plain_number, userid_like};

/// What is neither option nor game is a name.
pub(in crate::language) fn challenge(arguments: &mut Arguments<'_, '_>) -> Option<Command> {
    let game_before = arguments.target.game;
    let mut game = game_before;
    let mut game_behind = false;
    let mut options = MatchOptions::default();
    let mut opponents = Vec::new();
    let mut pieces = Vec::new();
    while let Some(word) = arguments.words.first() {
        if let Some(option) = MatchOption::read(&word.text) {
            arguments.next();
            pieces.push(Piece::Plain(option.piece()));
            option.add_to(&mut options);
        } else if let Some((registration, length, piece)) = game_at(arguments.words) {
            if game_behind || game.is_some_and(|named| named != registration.info.name) {
                return None;
            }
            game_behind = true;
            game = Some(registration.info.name);
            arguments.words = arguments.words.get(length..)?;
            pieces.push(Piece::Plain(piece));
        } else {
            arguments.next();
            let (opponent, piece) = opponent(word)?;
            pieces.push(Piece::Name(piece));
            opponents.push(opponent);
        }
    }
    let game = game?;
    push_pieces(arguments, &pieces, game_before.is_some() && opponents.len() > 1);
    if opponents.is_empty() {
        let before = options.terms.len();
        options.terms.retain(|(name, _)| name != "open");
        return (options.terms.len() < before).then_some(Command::Open { game, options });
    }
    if game_before.is_some() && opponents.len() > 1 {
        // The older spelling names the challenger first.
        if let Opponent::Player(userid) = opponents.first()?.clone() {
            opponents.remove(0);
            arguments.credentials = Some(Credentials { userid, password: None });
        }
    }
    Some(Command::Challenge {
        opponents,
        game,
        options,
    })
}

pub(in crate::language) fn open(arguments: &mut Arguments<'_, '_>) -> Option<Command> {
    let mut game = arguments.target.game;
    let mut options = MatchOptions::default();
    while let Some(word) = arguments.words.first() {
        if let Some(option) = MatchOption::read(&word.text) {
            arguments.next();
            arguments.rendering.push(&option.piece());
            option.add_to(&mut options);
        } else if game.is_none() {
            game = Some(arguments.next_game()?);
        } else {
            return None;
        }
    }
    game.map(|game| Command::Open { game, options })
}

/// Nothing, or `page 2`.
pub(in crate::language) fn challenges(arguments: &mut Arguments<'_, '_>) -> Option<Command> {
    if arguments.is_empty() {
        return Some(Command::Challenges { page: 1 });
    }
    arguments.next().filter(|word| word.text == "page")?;
    let page = plain_number(&arguments.only()?.text)?;
    arguments.rendering.push("page");
    arguments.rendering.push(&page.to_string());
    Some(Command::Challenges { page })
}

/// A part of a challenge, as it is written.
enum Piece {
    Plain(String),
    Name(String),
}

/// Writes the parts of a challenge. Where the older spelling has two names or more, the first ones may be a userid and a
/// password.
fn push_pieces(arguments: &mut Arguments<'_, '_>, pieces: &[Piece], is_older: bool) {
    let mut names = 0;
    for piece in pieces {
        match piece {
            Piece::Plain(text) => arguments.rendering.push(text),
            Piece::Name(text) => {
                names += 1;
                if is_older && names <= 2 {
                    arguments.rendering.push_secret(text);
                } else {
                    arguments.rendering.push(text);
                }
            }
        }
    }
}

fn opponent(word: &Word<'_>) -> Option<(Opponent, String)> {
    if let Some(address) = address(&word.text) {
        return Some((Opponent::Address(address.clone()), address));
    }
    let userid = userid_like(word)?;
    Some((Opponent::Player(userid.clone()), userid))
}

/// One option of a challenge: `-large`, `--time=7d`.
struct MatchOption {
    dashes: &'static str,
    name: String,
    value: Option<String>,
    is_term: bool,
}

impl MatchOption {
    /// Options of the match; every other one is left to the game.
    const TERMS: [&str; 11] = [
        "time",
        "first",
        "unrated",
        "private",
        "soft",
        "weekdays",
        "forfeittime",
        "totaltime",
        "nagtime",
        "repeat",
        "open",
    ];

    fn read(text: &str) -> Option<Self> {
        let text = text.trim_end_matches(',');
        let (dashes, rest) = match text.strip_prefix("--") {
            Some(rest) => ("--", rest),
            None => ("-", text.strip_prefix('-')?),
        };
        let (name, value) = match rest.split_once('=') {
            Some((name, value)) => (name, Some(value.to_string())),
            None => (rest, None),
        };
        let begins_well = name.starts_with(|letter: char| letter.is_ascii_alphabetic());
        if !begins_well || !name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-') {
            return None;
        }
        let term = keyword(name, &Self::TERMS);
        Some(MatchOption {
            dashes,
            name: term.unwrap_or(name).to_string(),
            value,
            is_term: term.is_some(),
        })
    }

    fn piece(&self) -> String {
        let (dashes, name) = (self.dashes, &self.name);
        match &self.value {
            Some(value) => format!("{dashes}{name}={value}"),
            None => format!("{dashes}{name}"),
        }
    }

    fn add_to(self, options: &mut MatchOptions) {
        let list = if self.is_term {
            &mut options.terms
        } else {
            &mut options.game
        };
        list.push((self.name, self.value));
    }
}
