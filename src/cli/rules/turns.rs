//! A turns file, or a record as it stands (DESIGN.md, "Records"): one turn a line.

use super::{Failure, usage};
use crate::games::{Kind, Reason, Refusal, Table};
use std::fs::File;
use std::io::{self, IsTerminal, Read};

/// The largest turns file that is read, in bytes.
const LARGEST_FILE: u64 = 64 << 20;

/// A refused text longer than this many characters is shown shortened: no turn and no position text is as long.
const LONGEST_SHOWN: usize = 2000;

/// How much of a longer text is shown, in characters.
const SHORTENED: usize = 200;

/// The text of a turns file with its head taken off.
pub struct TurnsFile {
    text: String,
    tags: Vec<(String, String)>,
    /// Lines that the head takes, the setup line included.
    head: usize,
    setup: Option<String>,
}

/// One turn.
pub struct Line<'a> {
    /// The line as it was written, without the blanks at its ends.
    pub written: &'a str,
    /// What of it is the turn: in a record a semicolon begins the time.
    said: &'a str,
}

impl TurnsFile {
    /// Reads a file; `-`, or no file where standard input is no terminal, is standard input.
    ///
    /// # Errors
    ///
    /// Wrong use: a file that cannot be read, is too large, or is no UTF-8 text.
    pub fn read(path: Option<&str>) -> Result<Self, Failure> {
        let name = path.filter(|&path| path != "-").unwrap_or("standard input");
        let failed = |error: io::Error| usage(&format!("cannot read {name}: {error}"));
        let mut bytes = Vec::new();
        let read = match path {
            Some(path) if path != "-" => {
                File::open(path).and_then(|file| file.take(LARGEST_FILE + 1).read_to_end(&mut bytes))
            }
            None if io::stdin().is_terminal() => Ok(0),
            _ => io::stdin().lock().take(LARGEST_FILE + 1).read_to_end(&mut bytes),
        };
        read.map_err(failed)?;
        if bytes.len() as u64 > LARGEST_FILE {
            return Err(usage(&format!(
                "{name} is no turns file: it is larger than {} MiB",
                LARGEST_FILE >> 20
            )));
        }
        match String::from_utf8(bytes) {
            Ok(text) if !text.contains('\0') => Ok(Self::of(text)),
            _ => Err(usage(&format!("{name} is no turns file: it is not UTF-8 text"))),
        }
    }

    fn of(text: String) -> Self {
        let mut file = TurnsFile {
            text: text.strip_prefix('\u{feff}').map(String::from).unwrap_or(text),
            tags: Vec::new(),
            head: 0,
            setup: None,
        };
        let mut setup = None;
        for line in content(&file.text) {
            if let Some(tag) = tag(line) {
                file.tags.push(tag);
            } else if let Some(text) = setup_text(line).filter(|_| file.tag("Setup").is_none()) {
                setup = Some(text.to_string());
                file.head += 1;
                break;
            } else {
                break;
            }
            file.head += 1;
        }
        file.setup = setup.or_else(|| file.tag("Setup").map(String::from));
        file
    }

    fn tag(&self, name: &str) -> Option<&str> {
        self.tags
            .iter()
            .find(|(tag, _)| tag == name)
            .map(|(_, value)| value.as_str())
    }

    /// The start position that the file gives, without the word `setup`.
    pub fn setup(&self) -> Option<&str> {
        self.setup.as_deref()
    }

    /// The options in the head of a record: `[Options "side=6 seats=3"]`.
    pub fn options(&self) -> Vec<(String, Option<String>)> {
        let text = self.tag("Options").unwrap_or_default();
        text.split_whitespace()
            .map(|option| {
                let option = option.trim_start_matches('-');
                let (name, value) = option
                    .split_once('=')
                    .map_or((option, None), |(name, value)| (name, Some(value)));
                (name.to_ascii_lowercase(), value.map(String::from))
            })
            .collect()
    }

    /// The turns.
    pub fn lines(&self) -> impl Iterator<Item = Line<'_>> {
        let record = !self.tags.is_empty();
        content(&self.text).skip(self.head).map(move |written| {
            let said = if record {
                written.split(';').next().unwrap_or_default()
            } else {
                written
            };
            Line {
                written,
                said: said.trim_end(),
            }
        })
    }
}

impl Line<'_> {
    /// Plays the turn. A setup line here is not the first, or comes after a turn.
    pub fn play(&self, table: &mut dyn Table) -> Result<(), Refusal> {
        if setup_text(self.said).is_some() {
            return Err(Refusal {
                kind: Kind::Unreadable,
                reason: Reason::SetupTooLate,
            });
        }
        table.play(None, self.said).map(drop)
    }
}

/// The lines that say something, without blanks at their ends.
fn content(text: &str) -> impl Iterator<Item = &str> {
    text.lines()
        .map(str::trim)
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
}

/// `[Tag "value"]` of a record's head.
fn tag(line: &str) -> Option<(String, String)> {
    let (name, value) = line
        .strip_prefix('[')?
        .strip_suffix(']')?
        .split_once(char::is_whitespace)?;
    let value = value.trim().strip_prefix('"')?.strip_suffix('"')?;
    Some((name.to_string(), value.to_string()))
}

/// What stands behind the word `setup`.
fn setup_text(line: &str) -> Option<&str> {
    let (word, text) = line.split_once(char::is_whitespace)?;
    word.eq_ignore_ascii_case("setup").then(|| text.trim_start())
}

/// A text as an error shows it: on one line, and not without end.
pub fn shown(text: &str) -> String {
    let visible = |character: char| {
        let breaks = character.is_control() && character != '\t' || matches!(character, '\u{2028}' | '\u{2029}');
        if breaks { char::REPLACEMENT_CHARACTER } else { character }
    };
    if text.chars().nth(LONGEST_SHOWN).is_some() {
        let start: String = text.chars().take(SHORTENED).map(visible).collect();
        format!("{start}…")
    } else {
        text.chars().map(visible).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(text: &str) -> Vec<String> {
        TurnsFile::of(text.to_string())
            .lines()
            .map(|line| line.said.to_string())
            .collect()
    }

    #[test]
    fn blank_lines_and_talk_are_skipped() {
        assert_eq!(said("\u{feff}# a game\r\n\r\n  e5 \r\n\n  # nice\nd4"), ["e5", "d4"]);
    }

    #[test]
    fn a_record_is_read_as_it_stands() {
        let text = "[Game \"susan\"]\n[Options \"side=6 large\"]\n\ne5   ; 2026-11-29T18:02:11Z\n# bob: hi\nd4;x";
        let file = TurnsFile::of(text.to_string());
        assert_eq!(
            file.options(),
            [("side".into(), Some("6".into())), ("large".into(), None)]
        );
        assert_eq!(said(text), ["e5", "d4"]);
        assert_eq!(file.setup(), None);
    }

    #[test]
    fn a_semicolon_without_a_head_is_part_of_the_turn() {
        assert_eq!(said("e5; d4"), ["e5; d4"]);
    }

    #[test]
    fn one_setup_stands_before_the_turns() {
        let file = TurnsFile::of("Setup 2/3/2 X 0\nsetup 2/3/2 X 0\na1".into());
        assert_eq!(file.setup(), Some("2/3/2 X 0"));
        assert_eq!(file.lines().count(), 2);
        let file = TurnsFile::of("[Setup \"2/3/2 O 0\"]\na1\n[Late \"tag\"]".into());
        assert_eq!(file.setup(), Some("2/3/2 O 0"));
        assert_eq!(file.lines().count(), 2);
        assert_eq!(TurnsFile::of("setup\na1".into()).lines().count(), 2);
    }

    #[test]
    fn a_long_text_is_shown_shortened_and_on_one_line() {
        assert_eq!(shown("a\u{1b}[1m\rb"), "a\u{fffd}[1m\u{fffd}b");
        assert_eq!(shown(&"x".repeat(1 << 20)).chars().count(), SHORTENED + 1);
    }
}
