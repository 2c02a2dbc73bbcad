//! What stands behind the word of a command. Each reader takes exactly the words that its command has, or refuses.

pub(super) mod account;
pub(super) mod looking;
pub(super) mod meeting;
pub(super) mod playing;

use super::command::{Command, Credentials, Line, MatchRef};
use super::entry::Entry;
use super::lookup;
use super::userid;
use super::words::{Word, trim_free_text};
use crate::games::{self, Registration};

/// The canonical form of a line as it grows, and beside it the form without passwords.
#[derive(Clone, Debug, Default)]
pub(super) struct Rendering {
    pub canonical: String,
    pub shown: String,
}

impl Rendering {
    pub fn push(&mut self, piece: &str) {
        self.push_both(piece, piece);
    }

    pub fn push_secret(&mut self, piece: &str) {
        self.push_both(piece, "…");
    }

    fn push_both(&mut self, canonical: &str, shown: &str) {
        for (line, piece) in [(&mut self.canonical, canonical), (&mut self.shown, shown)] {
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(piece);
        }
    }
}

/// The words behind the command, and what reading them adds to the line.
pub struct Arguments<'w, 't> {
    words: &'w [Word<'t>],
    /// What stands behind the command, as typed.
    behind: &'t str,
    /// The word of the command as it was understood.
    pub(super) word: &'static str,
    /// The game in whose notation a turn is read first.
    pub(super) game: Option<&'static Registration>,
    pub(super) rendering: Rendering,
    pub(super) target: MatchRef,
    pub(super) credentials: Option<Credentials>,
    /// Numbers of the older spelling: the challenge of `susan accept 12`, the turn of `susan show 12#7`.
    pub(super) challenge: Option<u32>,
    pub(super) turn: Option<u32>,
    /// What was read, once it was.
    pub(super) command: Option<Command>,
}

impl<'w, 't> Arguments<'w, 't> {
    pub(super) fn new(words: &'w [Word<'t>], behind: &'t str, word: &'static str, target: MatchRef) -> Self {
        Arguments {
            words,
            behind,
            word,
            game: None,
            rendering: Rendering::default(),
            target,
            credentials: None,
            challenge: None,
            turn: None,
            command: None,
        }
    }

    /// The line, once everything is read.
    pub(super) fn into_line(self, entry: &'static Entry, typed: &str) -> Option<Line> {
        Some(Line {
            typed: typed.to_string(),
            canonical: self.rendering.canonical,
            shown: self.rendering.shown,
            target: self.target,
            credentials: self.credentials,
            command: self.command?,
            entry,
        })
    }

    /// Takes the next word.
    fn next(&mut self) -> Option<&'w Word<'t>> {
        let (first, rest) = self.words.split_first()?;
        self.words = rest;
        Some(first)
    }

    /// Takes all words that are left, as one text.
    fn rest(&mut self) -> String {
        let texts: Vec<_> = std::mem::take(&mut self.words).iter().map(|word| &*word.text).collect();
        texts.join(" ")
    }

    pub(super) fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    fn only(&mut self) -> Option<&'w Word<'t>> {
        let word = self.next()?;
        self.is_empty().then_some(word)
    }

    /// The game at the beginning of the words that are left, and takes it.
    fn next_game(&mut self) -> Option<&'static str> {
        let (game, words, piece) = game_at(self.words)?;
        self.words = self.words.get(words..)?;
        self.rendering.push(&piece);
        Some(game.info.name)
    }

    // --- the kinds of arguments that several commands have ---

    /// No argument at all.
    pub(super) fn alone(&mut self, command: Command) -> Option<Command> {
        self.is_empty().then_some(command)
    }

    pub(super) fn free_text(&mut self, command: fn(String) -> Command) -> Option<Command> {
        let text = trim_free_text(self.behind);
        self.words = &[];
        if text.is_empty() {
            return None;
        }
        self.rendering.push(text);
        Some(command(text.to_string()))
    }

    /// The number of a challenge, which may be left out.
    pub(super) fn challenge_number(&mut self, command: fn(Option<u32>) -> Command) -> Option<Command> {
        if self.challenge.is_some() || self.is_empty() {
            return self.alone(command(self.challenge));
        }
        let (number, piece) = number(&self.only()?.text)?;
        self.rendering.push(&piece);
        Some(command(Some(number)))
    }

    pub(super) fn userid(&mut self, command: fn(String) -> Command) -> Option<Command> {
        let userid = userid_like(self.only()?)?;
        self.rendering.push(&userid);
        Some(command(userid))
    }

    /// `address A`.
    pub(super) fn address(&mut self, command: fn(String) -> Command) -> Option<Command> {
        let keyword = keyword(&self.next()?.text, &["address"])?;
        let address = address(&self.only()?.text)?;
        self.rendering.push(keyword);
        self.rendering.push(&address);
        Some(command(address))
    }

    /// A game, which may be left out or stand before the command.
    pub(super) fn game(&mut self, command: fn(Option<&'static str>) -> Command) -> Option<Command> {
        let game = if self.is_empty() {
            self.target.game
        } else {
            Some(self.next_game()?)
        };
        self.alone(command(game))
    }
}

/// The game that the first words name: its name, another spelling, its title in several words, or a unique
/// beginning of at least three letters that is no command. Gives the number of words and the canonical piece.
pub(super) fn game_at(words: &[Word<'_>]) -> Option<(&'static Registration, usize, String)> {
    let first = words.first()?.text.trim_end_matches(',');
    for game in games::GAMES {
        let mut title = game.info.title.split(' ').enumerate();
        let length = game.info.title.split(' ').count();
        let is_word =
            |(at, part): (usize, &str)| words.get(at).is_some_and(|word| word.text.eq_ignore_ascii_case(part));
        if length > 1 && title.all(is_word) {
            return Some((game, length, game.info.name.to_string()));
        }
    }
    if let Some(game) = games::find(first) {
        // Names in other languages are written out as the game's own; the short ones stay.
        let piece = if first.is_ascii() { first } else { game.info.name };
        return Some((game, 1, piece.to_string()));
    }
    if first.len() < 3 || lookup::understand(first).is_some() {
        return None;
    }
    let mut longer = games::GAMES.iter().filter(|game| game.info.name.starts_with(first));
    match (longer.next(), longer.next()) {
        (Some(game), None) => Some((game, 1, game.info.name.to_string())),
        _ => None,
    }
}

/// `12` or `#12`, and its canonical piece.
pub(super) fn number(text: &str) -> Option<(u32, String)> {
    match text.strip_prefix('#') {
        Some(digits) => plain_number(digits).map(|number| (number, format!("#{number}"))),
        None => plain_number(text).map(|number| (number, number.to_string())),
    }
}

/// Digits alone: no sign, no blank, nothing too great.
pub(super) fn plain_number(text: &str) -> Option<u32> {
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if digits { text.parse().ok() } else { None }
}

/// A word that could be somebody's userid.
pub(super) fn userid_like(word: &Word<'_>) -> Option<String> {
    let text = word.text.trim_end_matches(',');
    userid::is_well_formed(text).then(|| text.to_string())
}

/// A mail address, also as mail programs write it when they make it a link.
fn address(text: &str) -> Option<String> {
    let text = text.trim_end_matches(',');
    let text = text.split_once("<mailto:").map_or(text, |(before, _)| before);
    let text = text.trim_start_matches("mailto:").trim_matches(['<', '>']);
    let (local, domain) = text.split_once('@')?;
    let plain = |letter: char| !letter.is_whitespace() && !letter.is_control() && !"<>()[],;:\"\\@".contains(letter);
    let good = !local.is_empty()
        && text.len() <= 254
        && text.chars().filter(|&letter| letter != '@').all(plain)
        && !domain.contains('@')
        && domain.contains('.')
        && domain.split('.').all(|label| !label.is_empty());
    good.then(|| text.to_string())
}

/// A word that was meant as a date; whether there is such a day is judged later.
fn is_date_like(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_digit())
        && text.bytes().all(|byte| byte.is_ascii_digit() || b"-/.".contains(&byte))
}

/// The one of these words that is meant: whole, or a unique beginning of at least three letters.
fn keyword<'k>(text: &str, words: &[&'k str]) -> Option<&'k str> {
    if let Some(whole) = words.iter().find(|word| **word == text) {
        return Some(whole);
    }
    if text.len() < 3 {
        return None;
    }
    let mut longer = words.iter().filter(|word| word.starts_with(text));
    match (longer.next(), longer.next()) {
        (Some(only), None) => Some(only),
        _ => None,
    }
}
