//! Reads what stands behind `playpost rules replay` and its sisters: GAME, `-option[=value]`, `--flag`, `--name N`, FILE.

use super::{Failure, find, usage};
use crate::games::Registration;

/// What was typed, taken apart.
pub struct Arguments {
    pub game: &'static Registration,
    /// Options of the game as typed: name in lower case without dash, value if there was one.
    pub options: Vec<(String, Option<String>)>,
    /// The turns file; `-` is standard input.
    pub file: Option<String>,
    flags: Vec<String>,
    numbers: Vec<(String, u64)>,
}

impl Arguments {
    /// Reads the words in any order; `flags` and `numbers` are the names with two dashes that the command takes.
    ///
    /// # Errors
    ///
    /// Wrong use, in one line that says what is known.
    pub fn read(words: &[String], flags: &[&str], numbers: &[&str]) -> Result<Self, Failure> {
        let mut positional = Vec::new();
        let mut options = Vec::new();
        let mut given_flags = Vec::new();
        let mut given_numbers = Vec::new();
        let mut words = words.iter();
        while let Some(word) = words.next() {
            if let Some(name) = word.strip_prefix("--") {
                let (name, value) = name
                    .split_once('=')
                    .map_or((name, None), |(name, value)| (name, Some(value)));
                if flags.contains(&name) && value.is_none() {
                    given_flags.push(name.to_string());
                } else if numbers.contains(&name) {
                    let value = value.or_else(|| words.next().map(String::as_str));
                    given_numbers.push((name.to_string(), read_number(name, value)?));
                } else {
                    return Err(unknown_option(word, flags, numbers));
                }
            } else if let Some(option) = word.strip_prefix('-').filter(|option| !option.is_empty()) {
                let (name, value) = option
                    .split_once('=')
                    .map_or((option, None), |(name, value)| (name, Some(value)));
                options.push((name.to_ascii_lowercase(), value.map(String::from)));
            } else {
                positional.push(word.as_str());
            }
        }
        let mut positional = positional.into_iter();
        let game = match positional.next() {
            Some(name) => find(name)?,
            None => return Err(find("").err().unwrap_or_else(|| usage("a game is missing"))),
        };
        let file = positional.next().map(String::from);
        if let Some(extra) = positional.next() {
            return Err(usage(&format!(
                "{extra:?} is one word too many: a game and at most one file are taken"
            )));
        }
        Ok(Arguments {
            game,
            options,
            file,
            flags: given_flags,
            numbers: given_numbers,
        })
    }

    /// Whether `--name` stands.
    pub fn flag(&self, name: &str) -> bool {
        self.flags.iter().any(|flag| flag == name)
    }

    /// The number behind `--name`; the last one where it stands several times.
    pub fn number(&self, name: &str) -> Option<u64> {
        self.numbers
            .iter()
            .rev()
            .find(|(given, _)| given == name)
            .map(|&(_, number)| number)
    }

    /// Refuses a file where the command plays no turns.
    pub fn takes_no_file(&self) -> Result<(), Failure> {
        match &self.file {
            None => Ok(()),
            Some(file) => Err(usage(&format!(
                "{file:?} is one word too many: this command takes no file"
            ))),
        }
    }
}

fn read_number(name: &str, value: Option<&str>) -> Result<u64, Failure> {
    let value = value.ok_or_else(|| usage(&format!("--{name} needs a whole number")))?;
    value
        .parse()
        .map_err(|_| usage(&format!("--{name} needs a whole number, and {value:?} is none")))
}

fn unknown_option(word: &str, flags: &[&str], numbers: &[&str]) -> Failure {
    let flags = flags.iter().map(|name| format!("--{name}"));
    let numbers = numbers.iter().map(|name| format!("--{name} N"));
    let known: Vec<String> = flags.chain(numbers).collect();
    let known = if known.is_empty() {
        "none".to_string()
    } else {
        known.join(" ")
    };
    usage(&format!(
        "unknown option {word}: known are {known}; options of the game have one dash, as -side=6"
    ))
}
