//! Single sentences of a mail as data, and their words.

use super::live::Live;
use super::{Result, Server};
use crate::games::Kind;
use crate::letters::{Reader, happened, refused};
use crate::matches::{Happening, Refused};
use crate::store::PlayerId;
use serde_json::{Value, json};

/// A refused line is shown up to this length.
const LONGEST_LINE: usize = 300;

/// The kinds of error that an answer tells apart (LANGUAGE.md 4).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fault {
    NotUnderstood,
    NotAllowed,
    Illegal,
}

impl Fault {
    fn key(self) -> &'static str {
        match self {
            Fault::NotUnderstood => "refusals.not-understood",
            Fault::NotAllowed => "refusals.not-allowed",
            Fault::Illegal => "refusals.illegal",
        }
    }
}

/// One sentence of a mail.
#[derive(Clone, Debug)]
pub(super) enum Saying {
    /// Something happened in a match.
    Happened(Happening),
    /// A line was refused: the line as it may be shown, and why (a key of `refusals.toml`).
    Refused {
        line: String,
        fault: Fault,
        key: String,
        context: Value,
    },
    /// A match refused an action.
    MatchRefused { line: String, refused: Refused },
    /// It is the reader's turn, and time passes.
    Reminder,
    /// A key of `told.toml`.
    Told { key: &'static str, context: Value },
}

impl Saying {
    pub fn refused(line: &str, fault: Fault, key: &str, context: Value) -> Self {
        Saying::Refused {
            line: line.to_string(),
            fault,
            key: key.to_string(),
            context,
        }
    }

    pub fn told(key: &'static str, context: Value) -> Self {
        Saying::Told { key, context }
    }

    pub fn is_reminder(&self) -> bool {
        matches!(self, Saying::Reminder)
    }
}

/// Who is told of what happened in a match.
pub(super) fn readers(happening: &Happening, players: &[PlayerId], watchers: &[PlayerId]) -> Vec<PlayerId> {
    let of = |seat: &crate::games::Seat| players.get(seat.index()).copied().into_iter().collect();
    let mut readers: Vec<PlayerId> = match happening {
        Happening::ConditionSet { seat, .. }
        | Happening::ConditionsDropped { seat, .. }
        | Happening::ConditionsForgotten { seat, .. }
        | Happening::Noted { seat }
        | Happening::Reminded { seat, .. } => return of(seat),
        // The clocks show it.
        Happening::Shifted { .. } | Happening::Vacation { .. } => return Vec::new(),
        Happening::Turn { .. } | Happening::Finished { .. } | Happening::TimeLost { .. } | Happening::Said { .. } => {
            players.iter().chain(watchers).copied().collect()
        }
        _ => players.to_vec(),
    };
    readers.sort_unstable();
    readers.dedup();
    readers
}

impl Server {
    /// A sentence in a reader's language. `live` is the match that it is about, where it is about one.
    pub(super) fn say(&self, saying: &Saying, live: Option<&Live>, reader: &Reader) -> Result<String> {
        let language = reader.language.as_str();
        match saying {
            Saying::Happened(happening) => match live {
                Some(live) => Ok(happened(happening, live.game(), reader, &self.templates)?.unwrap_or_default()),
                None => Ok(String::new()),
            },
            Saying::Refused {
                line,
                fault,
                key,
                context,
            } => {
                let why = self.templates.word(language, &format!("refusals.{key}"), context)?;
                self.say_refused(line, *fault, &why, language)
            }
            Saying::MatchRefused { line, refused: why } => {
                let Some(live) = live else {
                    return Ok(String::new());
                };
                let words = refused(why, live.game(), reader, &self.templates)?;
                self.say_refused(line, fault_of(why), &words, language)
            }
            Saying::Reminder => Ok(self.templates.word(language, "told.reminder", json!({}))?),
            Saying::Told { key, context } => Ok(self.templates.word(language, &format!("told.{key}"), context)?),
        }
    }

    fn say_refused(&self, line: &str, fault: Fault, why: &str, language: &str) -> Result<String> {
        let line: String = line.chars().take(LONGEST_LINE).collect();
        Ok(self
            .templates
            .word(language, fault.key(), json!({ "line": line, "why": why }))?)
    }
}

/// Which of the kinds of error a match's refusal is.
fn fault_of(refused: &Refused) -> Fault {
    match refused {
        Refused::Game(refusal) => match refusal.kind {
            Kind::Unreadable => Fault::NotUnderstood,
            Kind::Over | Kind::OutOfTurn => Fault::NotAllowed,
            Kind::Illegal => Fault::Illegal,
        },
        _ => Fault::NotAllowed,
    }
}
