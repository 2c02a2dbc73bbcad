//! A mail's Subject and typed text as command lines (LANGUAGE.md 3).

use super::command::Line;
use super::greeting::is_greeting;
use super::line::{self, NotACommand};
use super::words;

/// Commands that one mail may hold.
pub const MOST_COMMANDS: usize = 20;

/// Where the commands of a mail stood.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Source {
    Subject,
    Text,
    #[default]
    None,
}

/// What a mail asks for.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Letter {
    pub source: Source,
    /// The commands in order, at most [`MOST_COMMANDS`].
    pub lines: Vec<Line>,
    /// Commands past the limit, as they may be shown: neither carried out nor passed on.
    pub dropped: Vec<String>,
    /// The first line of the text that should have been a command and is none, as typed: may hold a password. Then
    /// there are no commands.
    pub unread: Option<String>,
    /// The unread line as it may be shown, and the command that was perhaps meant.
    pub refusal: Option<NotACommand>,
    /// The text that is passed on, its lines joined by `\n`.
    pub message: Option<String>,
}

/// Reads what a person wrote. `subject` is without reply marks and list tags, `typed` is the text that the person
/// typed, without quotes and signature. `is_reply` says that the mail answers another one: its Subject is no command.
pub fn letter(subject: &str, is_reply: bool, typed: &str) -> Letter {
    let lines: Vec<_> = typed
        .split('\n')
        .map(|line| line.strip_suffix('\r').unwrap_or(line))
        .collect();
    let command = (!is_reply).then(|| line::understand(subject, None)).flatten();
    match command {
        Some(command) => Letter {
            source: Source::Subject,
            lines: vec![command],
            message: message(None, &lines),
            ..Letter::default()
        },
        None => read_text(&lines),
    }
}

fn read_text(lines: &[&str]) -> Letter {
    let Some((first, rest)) = next_line(lines) else {
        return Letter::default();
    };
    if line::understand(first, None).is_some() {
        return read_commands(None, lines);
    }
    if !is_greeting(first) {
        return unread(first);
    }
    match next_line(rest) {
        Some((second, _)) if line::understand(second, None).is_some() => read_commands(Some(first), rest),
        Some((second, _)) => unread(second),
        None => unread(first),
    }
}

/// The first line that is not blank, and the lines behind it.
fn next_line<'l, 't>(lines: &'l [&'t str]) -> Option<(&'t str, &'l [&'t str])> {
    let at = lines.iter().position(|line| !words::is_blank_line(line))?;
    let (first, rest) = lines.get(at..)?.split_first()?;
    Some((first, rest))
}

fn unread(line: &str) -> Letter {
    Letter {
        unread: Some(line.trim().to_string()),
        refusal: Some(line::refuse(line)),
        ..Letter::default()
    }
}

/// Reads commands up to the first line that is none, or the word `end`; what follows is the message.
fn read_commands(greeting: Option<&str>, lines: &[&str]) -> Letter {
    let mut letter = Letter {
        source: Source::Text,
        ..Letter::default()
    };
    let mut rest = lines;
    while let Some((first, behind)) = rest.split_first() {
        if is_end(first) {
            rest = behind;
            break;
        }
        if !words::is_blank_line(first) {
            match line::understand(first, None) {
                Some(line) if letter.lines.len() < MOST_COMMANDS => letter.lines.push(line),
                Some(line) => letter.dropped.push(line.shown),
                None => break,
            }
        }
        rest = behind;
    }
    letter.message = message(greeting, rest);
    letter
}

/// The word `end` alone on its line.
fn is_end(line: &str) -> bool {
    let mut words: Vec<_> = words::words(line).take(3).collect();
    words::drop_end_punctuation(&mut words);
    matches!(words.as_slice(), [word] if word.text == "end")
}

fn message(greeting: Option<&str>, lines: &[&str]) -> Option<String> {
    let from = lines.iter().position(|line| !words::is_blank_line(line));
    let to = lines.iter().rposition(|line| !words::is_blank_line(line));
    let text = match (from, to) {
        (Some(from), Some(to)) => lines.get(from..=to).unwrap_or_default(),
        _ => &[],
    };
    let all: Vec<_> = greeting.into_iter().chain(text.iter().copied()).collect();
    (!all.is_empty()).then(|| all.join("\n"))
}
