//! The Subject of a mail, in the exact forms of LANGUAGE.md 7.

use super::text;
use super::{TemplateError, Templates};
use minijinja::{Value, context};

/// No Subject is longer: a word without a blank cannot be folded (RFC 5322 allows 998 a line).
const LONGEST: usize = 200;

/// What a mail is about, in one line.
#[derive(Clone, Debug)]
pub enum Subject {
    Match(MatchSubject),
    /// A key of `subjects.toml` and what its phrase needs: `Text { key: "welcome", … }`.
    Text {
        key: &'static str,
        context: Value,
    },
}

/// The Subject of a match mail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MatchSubject {
    /// The game's title: `Medusa Shogi`.
    pub title: String,
    pub number: u32,
    pub state: MatchState,
    /// The players' userids in seat order.
    pub names: Vec<String>,
}

/// How a match stands for the reader.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MatchState {
    YourTurn,
    /// The userid of the player to move.
    ToMove(String),
    /// The userids of those who won.
    Won(Vec<String>),
    Draw,
}

impl Subject {
    /// The Subject in a language, as one line without control characters.
    ///
    /// # Errors
    ///
    /// A phrase that cannot be filled in.
    pub fn line(&self, language: &str, templates: &Templates) -> Result<String, TemplateError> {
        let line = match self {
            Subject::Match(about) => about.line(language, templates)?,
            Subject::Text { key, context } => templates.word(language, &format!("subjects.{key}"), context)?,
        };
        Ok(text::one_line(&line).chars().take(LONGEST).collect())
    }
}

impl MatchSubject {
    fn line(&self, language: &str, templates: &Templates) -> Result<String, TemplateError> {
        let (key, to_move, winners): (_, Option<&str>, &[String]) = match &self.state {
            MatchState::YourTurn => ("subjects.match.your-turn", None, &[]),
            MatchState::ToMove(userid) => ("subjects.match.to-move", Some(userid), &[]),
            MatchState::Won(userids) => ("subjects.match.won", None, userids),
            MatchState::Draw => ("subjects.match.draw", None, &[]),
        };
        let fields = context! {
            title => self.title.as_str(),
            number => self.number,
            names => self.names.join(" - "),
            to_move,
            winners => winners.to_vec(),
        };
        templates.word(language, key, fields)
    }
}
