//! One line to one command (LANGUAGE.md 4, 5 and 8).

use super::arguments::{Arguments, Rendering, game_at, number, plain_number, userid_like};
use super::command::{Command, Credentials, Line, MatchRef};
use super::entry::{Entry, Older};
use super::keywords;
use super::lookup;
use super::turns;
use super::words::{self, Word};
use crate::games::{self, Registration};
use std::borrow::Cow;

/// In bytes. No command but free text needs more; what is longer is a text.
const LONGEST_LINE: usize = 4096;
/// What may stand before a command: a list mark, a game of two words, a match.
const WORDS_BEFORE_COMMAND: usize = 4;
/// The words that a longer line is read by: what may stand before free text, and some more.
const WORDS_OF_LONG_LINE: usize = 12;

/// The line is no command.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no command")]
pub struct NotACommand {
    /// The command that was perhaps meant, by its word.
    pub nearest: Option<&'static str>,
    /// A line of that command that would be understood.
    pub example: Option<&'static str>,
    /// The line as typed, with what may be a password replaced by `…`.
    pub shown: String,
    /// Which match the line names before the command that it has not.
    pub target: MatchRef,
}

/// Reads a line. Turns are read in the notation of whatever game they fit.
pub fn read_line(line: &str) -> Result<Line, NotACommand> {
    understand(line, None).ok_or_else(|| refuse(line))
}

/// Reads a line about a match of that game: its notation is tried before all others.
pub fn read_line_for(game: &'static str, line: &str) -> Result<Line, NotACommand> {
    understand(line, games::find(game)).ok_or_else(|| refuse(line))
}

/// Whether a line would be read as a command.
pub fn is_command(line: &str) -> bool {
    understand(line, None).is_some()
}

/// Reads a line in the ways in which people write one, the plainest first.
pub(super) fn understand(line: &str, game: Option<&'static Registration>) -> Option<Line> {
    if !may_be_command(line) {
        return None;
    }
    let words = all_words(line);
    let long = line.len() > LONGEST_LINE;
    let read = |words: &[Word<'_>]| Reader { game, long }.line(words, line);
    read(&words)
        .or_else(|| {
            let (mark, rest) = words.split_first()?;
            words::is_list_mark(mark).then(|| read(rest)).flatten()
        })
        .or_else(|| read(&all_words(without_bold(line)?)))
}

/// Whether a line begins as a command does: most lines of a mail are talk or a board, and need no closer look.
fn may_be_command(line: &str) -> bool {
    let begins = |words: &[Word<'_>]| {
        let (_, rest) = reference(words, &mut Rendering::default());
        rest.first().is_some_and(|head| {
            let head = head.text.trim_end_matches(words::is_end_punctuation);
            lookup::understand(head).is_some() || turns::may_begin(&word_of_notation(head))
        })
    };
    let words: Vec<_> = words::words(line).take(WORDS_BEFORE_COMMAND + 1).collect();
    match words.split_first() {
        None => false,
        Some((mark, rest)) => begins(&words) || words::is_list_mark(mark) && begins(rest) || line.contains('*'),
    }
}

fn all_words(line: &str) -> Vec<Word<'_>> {
    if line.len() > LONGEST_LINE {
        return words::words(line).take(WORDS_OF_LONG_LINE).collect();
    }
    let mut words = words::words(line).collect();
    words::drop_end_punctuation(&mut words);
    words
}

/// The inside of `*d4*`: bold letters in the text that mail programs make of HTML.
fn without_bold(line: &str) -> Option<&str> {
    let line = line.trim().trim_end_matches(['.', '!', ';', ',']);
    let inside = line.trim_start_matches('*');
    let stars = line.get(..line.len() - inside.len())?;
    let inside = inside.strip_suffix(stars)?;
    let bold = (1..=2).contains(&stars.len()) && !inside.contains('*') && inside.trim() == inside;
    bold.then_some(inside)
}

struct Reader {
    game: Option<&'static Registration>,
    long: bool,
}

impl Reader {
    fn line(&self, words: &[Word<'_>], typed: &str) -> Option<Line> {
        let mut rendering = Rendering::default();
        let (target, rest) = reference(words, &mut rendering);
        let (head, behind) = rest.split_first()?;
        let game = target.game.and_then(games::find).or(self.game);
        if let Some(entry) = lookup::understand(&head.text) {
            if self.long && !takes_free_text(entry) {
                return None;
            }
            rendering.push(entry.word);
            let spelling = Spelling {
                entry,
                game,
                rendering,
                target,
            };
            let behind = keywords::in_words_of_the_table(behind);
            let arguments = spelling.read(&behind, head.behind)?;
            return arguments.into_line(entry, typed);
        }
        if self.long {
            return None;
        }
        self.bare_turn(rest, game, target, rendering, typed)
    }

    fn bare_turn(
        &self,
        words: &[Word<'_>],
        game: Option<&'static Registration>,
        target: MatchRef,
        mut rendering: Rendering,
        typed: &str,
    ) -> Option<Line> {
        let (first, behind) = words.split_first()?;
        let first = word_of_notation(&first.text);
        if !turns::may_begin(&first) {
            return None;
        }
        let behind = behind.iter().map(|word| &*word.text);
        let texts: Vec<_> = std::iter::once(first.as_ref()).chain(behind).collect();
        let (text, turn) = turns::with_number(game, &texts.join(" "))?;
        match turn {
            Some(number) => rendering.push(&format!("{text}#{number}")),
            None => rendering.push(&text),
        }
        Some(Line {
            typed: typed.to_string(),
            canonical: rendering.canonical,
            shown: rendering.shown,
            target,
            credentials: None,
            command: Command::Move { text, turn },
            entry: lookup::bare_turn(),
        })
    }
}

/// A turn that is a word, with its number, in the word of the notation: `pass#7` for `패스#7`.
fn word_of_notation(text: &str) -> Cow<'_, str> {
    let numbered = text.split_once('#');
    let meant = numbered.and_then(|(word, number)| Some(format!("{}#{number}", lookup::understand(word)?.word)));
    meant.map_or(Cow::Borrowed(text), Cow::Owned)
}

/// The match or the game that a line names before its command, and the words behind.
pub(super) fn reference<'w, 't>(words: &'w [Word<'t>], rendering: &mut Rendering) -> (MatchRef, &'w [Word<'t>]) {
    let mut target = MatchRef::default();
    let mut rest = words;
    if let Some((game, length, piece)) = game_at(rest) {
        rendering.push(&piece);
        target.game = Some(game.info.name);
        rest = rest.get(length..).unwrap_or_default();
    }
    if let Some((word, behind)) = rest.split_first() {
        // `#12: d4`, as the Subjects of the server have it.
        let text = match word.text.strip_suffix(':') {
            Some(text) if text.starts_with('#') => text,
            _ => &word.text,
        };
        if let Some((named, piece)) = number(text) {
            rendering.push(&piece);
            target.number = Some(named);
            rest = behind;
        }
    }
    (target, rest)
}

fn takes_free_text(entry: &Entry) -> bool {
    matches!(entry.word, "say" | "note")
}

/// A command and what stands before it: the ways in which what stands behind can be read.
struct Spelling {
    entry: &'static Entry,
    game: Option<&'static Registration>,
    rendering: Rendering,
    target: MatchRef,
}

impl Spelling {
    fn read<'w, 't>(&self, words: &'w [Word<'t>], behind: &'t str) -> Option<Arguments<'w, 't>> {
        let may_be_older =
            self.target.game.is_some() && self.target.number.is_none() && self.entry.older != Older::None;
        if may_be_older && let Some(numbered) = self.numbered(words) {
            return numbered;
        }
        self.finish(self.arguments(words, behind))
            .or_else(|| self.match_behind(words))
    }

    fn arguments<'w, 't>(&self, words: &'w [Word<'t>], behind: &'t str) -> Arguments<'w, 't> {
        let mut arguments = Arguments::new(words, behind, self.entry.word, self.target.clone());
        arguments.game = self.game;
        arguments.rendering = self.rendering.clone();
        arguments
    }

    /// Lets the command read its arguments, all of them.
    fn finish<'w, 't>(&self, mut arguments: Arguments<'w, 't>) -> Option<Arguments<'w, 't>> {
        let command = (self.entry.read)(&mut arguments)?;
        arguments.command = Some(command);
        arguments.is_empty().then_some(arguments)
    }

    /// The older spelling, `susan move 12 alice secret d4`; userid and password may be left out where no free text
    /// follows. `None` if no number stands behind the command, `Some(None)` if the rest cannot be read.
    fn numbered<'w, 't>(&self, words: &'w [Word<'t>]) -> Option<Option<Arguments<'w, 't>>> {
        let (first, rest) = words.split_first()?;
        let mut numbered = self.arguments(rest, first.behind);
        let (named, turn, piece) = match first.text.split_once('#') {
            Some((named, turn)) if !named.is_empty() && self.entry.word == "show" => {
                let (named, turn) = (plain_number(named)?, plain_number(turn)?);
                (named, Some(turn), format!("{named}#{turn}"))
            }
            _ => {
                let (named, piece) = number(&first.text)?;
                (named, None, piece)
            }
        };
        numbered.turn = turn;
        numbered.rendering.push(&piece);
        match self.entry.older {
            Older::Challenge => numbered.challenge = Some(named),
            Older::Match | Older::None => numbered.target.number = Some(named),
        }
        let proved = self.proved(&numbered, rest);
        if takes_free_text(self.entry) {
            return Some(proved);
        }
        let named = self.named(&numbered, rest);
        Some(self.finish(numbered).or(proved).or(named))
    }

    /// Reads userid and password, and then the arguments.
    fn proved<'w, 't>(&self, numbered: &Arguments<'w, 't>, words: &'w [Word<'t>]) -> Option<Arguments<'w, 't>> {
        let [userid, password, rest @ ..] = words else {
            return None;
        };
        let userid = userid_like(userid)?;
        let mut proved = self.behind_name(numbered, rest, password.behind);
        proved.rendering.push(&userid);
        proved.rendering.push_secret(&password.raw);
        proved.credentials = Some(Credentials {
            userid,
            password: Some(password.raw.to_string()),
        });
        self.finish(proved)
    }

    /// Reads a userid alone, and then the arguments. Who forgot his name may have written a password in its place.
    fn named<'w, 't>(&self, numbered: &Arguments<'w, 't>, words: &'w [Word<'t>]) -> Option<Arguments<'w, 't>> {
        let (name, rest) = words.split_first()?;
        let userid = userid_like(name)?;
        let mut named = self.behind_name(numbered, rest, name.behind);
        named.rendering.push_secret(&userid);
        named.credentials = Some(Credentials { userid, password: None });
        self.finish(named)
    }

    /// The words behind a name, with what was read before it.
    fn behind_name<'w, 't>(
        &self,
        numbered: &Arguments<'w, 't>,
        words: &'w [Word<'t>],
        behind: &'t str,
    ) -> Arguments<'w, 't> {
        let mut arguments = self.arguments(words, behind);
        arguments.rendering = numbered.rendering.clone();
        arguments.target = numbered.target.clone();
        arguments.challenge = numbered.challenge;
        arguments.turn = numbered.turn;
        arguments
    }

    /// The match behind the command, where it cannot be mistaken: `resign #12`, `history 12`.
    fn match_behind<'w, 't>(&self, words: &'w [Word<'t>]) -> Option<Arguments<'w, 't>> {
        let (first, rest) = words.split_first()?;
        let (named, piece) = number(&first.text)?;
        let plain_number_will_do = !self.entry.changes || matches!(self.entry.word, "watch" | "unwatch");
        let clear = piece.starts_with('#') || plain_number_will_do;
        if !clear || !self.entry.needs_match || self.target.number.is_some() {
            return None;
        }
        let mut arguments = self.arguments(rest, first.behind);
        arguments.rendering.push(&piece);
        arguments.target.number = Some(named);
        self.finish(arguments)
    }
}

/// What to say of a line that is no command.
pub(super) fn refuse(line: &str) -> NotACommand {
    let words: Vec<_> = words::words(line).take(WORDS_OF_LONG_LINE).collect();
    let (target, rest) = reference(&words, &mut Rendering::default());
    let nearest = rest.first().and_then(|head| {
        let looks_like_a_turn = || games::recognise(head.text.trim_end_matches(['?', '!', '.', ','])).is_some();
        lookup::nearest(&head.text).or_else(|| looks_like_a_turn().then(lookup::bare_turn))
    });
    NotACommand {
        nearest: nearest.map(|entry| entry.word),
        example: nearest.and_then(|entry| entry.examples.first().copied()),
        shown: super::secrets::hide_passwords(line),
        target,
    }
}
