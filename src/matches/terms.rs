//! What was agreed before the first turn: game, options, time, rating. Options of a challenge are judged here.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::fmt;
use std::str::FromStr;

use crate::games::{self, OptionError, SetupError, Table};
use crate::language::MatchOptions;
use crate::span::Span;

use super::clock::Mark;

/// How much time a player has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// A start; after each turn the increment, which never lifts the clock above the cap.
    Budget {
        start: Span,
        increment: Span,
        cap: Span,
    },
    /// So much for each turn.
    PerTurn(Span),
    None,
}

impl Limit {
    /// `10d+36h/10d`.
    pub const DEFAULT: Limit = Limit::Budget {
        start: Span::days(10),
        increment: Span::hours(36),
        cap: Span::days(10),
    };

    /// What a clock shows before the first turn, in seconds.
    pub fn start(self) -> i64 {
        match self {
            Limit::Budget { start, .. } => start.seconds(),
            Limit::PerTurn(span) => span.seconds(),
            Limit::None => 0,
        }
    }
}

/// The text is no limit of time.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TimeError {
    #[error("{0:?} is no time for a match (write 10d+36h, 10d+36h/12d, 7d or none)")]
    Unreadable(String),
    #[error("a clock needs more than no time")]
    Zero,
    #[error("the cap {cap} is below the start {start}")]
    CapBelowStart { start: Span, cap: Span },
}

impl FromStr for Limit {
    type Err = TimeError;

    fn from_str(text: &str) -> Result<Self, TimeError> {
        let span = |part: &str| -> Result<Span, TimeError> {
            part.trim().parse().map_err(|_| TimeError::Unreadable(text.to_string()))
        };
        if text.trim().eq_ignore_ascii_case("none") {
            return Ok(Limit::None);
        }
        let (budget, cap) = match text.split_once('/') {
            Some((budget, cap)) => (budget, Some(span(cap)?)),
            None => (text, None),
        };
        let limit = match (budget.split_once('+'), cap) {
            (None, None) => Limit::PerTurn(span(budget)?),
            (parts, cap) => {
                let (start, increment) = match parts {
                    Some((start, increment)) => (span(start)?, span(increment)?),
                    None => (span(budget)?, Span::minutes(0)),
                };
                let cap = cap.unwrap_or(start);
                if cap < start {
                    return Err(TimeError::CapBelowStart { start, cap });
                }
                Limit::Budget { start, increment, cap }
            }
        };
        if limit.start() == 0 {
            return Err(TimeError::Zero);
        }
        Ok(limit)
    }
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Limit::Budget { start, increment, cap } => write!(f, "{start}+{increment}/{cap}"),
            Limit::PerTurn(span) => write!(f, "{span}"),
            Limit::None => f.write_str("none"),
        }
    }
}

/// The clocks' rules. Written as `10d+36h/10d`, followed by `soft` and `weekdays` where they hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct TimeControl {
    pub limit: Limit,
    /// At zero the match may be claimed, instead of being lost.
    pub soft: bool,
    /// Saturdays and Sundays (UTC) do not count.
    pub weekdays: bool,
}

impl Default for TimeControl {
    fn default() -> Self {
        TimeControl {
            limit: Limit::DEFAULT,
            soft: false,
            weekdays: false,
        }
    }
}

impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.limit)?;
        if self.soft {
            f.write_str(" soft")?;
        }
        if self.weekdays {
            f.write_str(" weekdays")?;
        }
        Ok(())
    }
}

impl FromStr for TimeControl {
    type Err = TimeError;

    fn from_str(text: &str) -> Result<Self, TimeError> {
        let mut words = text.split_whitespace();
        let mut control = TimeControl {
            limit: words.next().unwrap_or_default().parse()?,
            ..TimeControl::default()
        };
        for word in words {
            match word {
                "soft" => control.soft = true,
                "weekdays" => control.weekdays = true,
                _ => return Err(TimeError::Unreadable(text.to_string())),
            }
        }
        Ok(control)
    }
}

impl From<TimeControl> for String {
    fn from(control: TimeControl) -> Self {
        control.to_string()
    }
}

impl TryFrom<String> for TimeControl {
    type Error = TimeError;

    fn try_from(text: String) -> Result<Self, TimeError> {
        text.parse()
    }
}

/// Who has the first seat.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum First {
    Me,
    You,
    #[default]
    Random,
}

/// The terms of a match or a challenge.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Terms {
    /// The canonical name of the game.
    pub game: String,
    /// The game's options as typed: name and value.
    pub options: Vec<(String, Option<String>)>,
    /// The game's options in canonical form: `{"side": 5}`.
    pub canonical: Map<String, Value>,
    /// A start position of its own, in the game's position text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub setup: Option<String>,
    /// Seats of the match.
    pub seats: usize,
    pub time: TimeControl,
    /// When the first reminder of a turn is due, instead of the player's own first mark (`--nagtime`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nag: Option<Mark>,
    pub rated: bool,
    pub private: bool,
    pub first: First,
    /// Anyone may accept.
    pub open: bool,
    /// How many may accept, one after the other.
    pub repeat: u32,
}

/// What is wrong with the options of a challenge.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TermsError {
    #[error("there is no game {name:?}")]
    UnknownGame {
        name: String,
        nearest: Option<&'static str>,
    },
    #[error(transparent)]
    Game(#[from] OptionError),
    #[error("{0}")]
    Setup(String),
    /// No such option; the nearest that there is.
    #[error("there is no option --{name}")]
    Unknown {
        name: String,
        nearest: Option<&'static str>,
    },
    /// A value that the option does not take; `allowed` shows what it takes.
    #[error("--{name}={value}: --{name} takes {allowed}")]
    Value {
        name: &'static str,
        value: String,
        allowed: &'static str,
    },
    #[error("--{name} needs a value: {allowed}")]
    Missing { name: &'static str, allowed: &'static str },
    #[error("--{name} takes no value")]
    Flag { name: &'static str },
    #[error("--{first} and --{second} contradict each other")]
    Conflict { first: &'static str, second: &'static str },
    #[error(transparent)]
    Time(#[from] TimeError),
    /// Without a clock a match cannot be rated.
    #[error("a match without a clock is played with --unrated")]
    RatedWithoutClock,
    /// The game is not played by so many.
    #[error("{game} is not played by {seats}")]
    SeatCount {
        game: &'static str,
        seats: usize,
        allowed: Vec<usize>,
    },
}

impl Terms {
    /// Judges the options of a challenge for a game. `seats` is the number of players that the challenge names, if it
    /// names any: for a game of several counts it stands for the option `-seats`.
    pub fn parse(game: &str, options: &MatchOptions, seats: Option<usize>) -> Result<Terms, TermsError> {
        let registration = games::find(game).ok_or_else(|| unknown_game(game))?;
        let info = registration.info;
        let typed = Typed::read(&options.terms)?;
        let mut raw = options.game.clone();
        if let Some(count) = seats {
            if !info.seat_counts.contains(&count) {
                return Err(TermsError::SeatCount {
                    game: info.name,
                    seats: count,
                    allowed: info.seat_counts.to_vec(),
                });
            }
            if info.seat_counts.len() > 1 && !raw.iter().any(|(name, _)| name == "seats") {
                raw.push(("seats".to_string(), Some(count.to_string())));
            }
        }
        let table = (registration.start)(&raw)?;
        let have = table.seats().chars().count();
        if seats.is_some_and(|count| count != have) {
            return Err(TermsError::SeatCount {
                game: info.name,
                seats: seats.unwrap_or(have),
                allowed: vec![have],
            });
        }
        Ok(Terms {
            game: info.name.to_string(),
            options: raw,
            canonical: canonical(table.as_ref()),
            setup: None,
            seats: have,
            time: typed.time,
            nag: typed.nag,
            rated: typed.rated,
            private: typed.private,
            first: typed.first,
            open: typed.open,
            repeat: typed.repeat,
        })
    }

    /// The table at the start of a match of these terms.
    pub fn table(&self) -> Result<Box<dyn Table>, TermsError> {
        let registration = games::find(&self.game).ok_or_else(|| unknown_game(&self.game))?;
        match &self.setup {
            None => Ok((registration.start)(&self.options)?),
            Some(text) => (registration.setup)(&self.options, text).map_err(|error| match error {
                SetupError::Option(error) => TermsError::Game(error),
                SetupError::Position(error) => TermsError::Setup(error.to_string()),
            }),
        }
    }

    /// The terms of a rematch: the same, between the same players.
    pub fn again(&self) -> Terms {
        Terms {
            open: false,
            repeat: 1,
            ..self.clone()
        }
    }

    /// A player's marks of reminders in a match of these terms: `--nagtime` takes the place of the first.
    pub fn marks(&self, own: &[Mark]) -> Vec<Mark> {
        match self.nag {
            None => own.to_vec(),
            Some(nag) => std::iter::once(nag).chain(own.iter().skip(1).copied()).collect(),
        }
    }
}

/// A table's options in canonical form.
pub(super) fn canonical(table: &dyn Table) -> Map<String, Value> {
    table
        .options()
        .into_iter()
        .map(|(name, value)| (name.to_string(), value))
        .collect()
}

fn unknown_game(name: &str) -> TermsError {
    TermsError::UnknownGame {
        name: name.to_string(),
        nearest: nearest(name, games::GAMES.iter().map(|game| game.info.name)),
    }
}

/// The known word that is most like `name`, if any is like it at all.
fn nearest(name: &str, known: impl Iterator<Item = &'static str>) -> Option<&'static str> {
    known
        .map(|word| (strsim::damerau_levenshtein(name, word), word))
        .min()
        .filter(|&(distance, word)| distance <= word.len().max(name.len()) / 2)
        .map(|(_, word)| word)
}

/// The options of a match, and what each takes: `None` for a flag.
const OPTIONS: [(&str, Option<&str>); 14] = [
    ("time", Some("10d+36h/10d, 7d, none")),
    ("forfeittime", Some("1 … 365")),
    ("totaltime", Some("1 … 3650")),
    ("nagtime", Some("1 … 365")),
    ("first", Some("me, you, random")),
    ("repeat", Some("1 … 100")),
    ("soft", None),
    ("hard", None),
    ("weekdays", None),
    ("rated", None),
    ("unrated", None),
    ("private", None),
    ("public", None),
    ("open", None),
];

/// The match options as they were typed, put together.
struct Typed {
    time: TimeControl,
    nag: Option<Mark>,
    rated: bool,
    private: bool,
    first: First,
    open: bool,
    repeat: u32,
}

/// Options of which only one may stand.
const CONFLICTS: [(&str, &str); 6] = [
    ("time", "forfeittime"),
    ("time", "totaltime"),
    ("forfeittime", "totaltime"),
    ("soft", "hard"),
    ("rated", "unrated"),
    ("private", "public"),
];

impl Typed {
    fn read(options: &[(String, Option<String>)]) -> Result<Typed, TermsError> {
        let mut typed = Typed {
            time: TimeControl::default(),
            nag: None,
            rated: true,
            private: false,
            first: First::Random,
            open: false,
            repeat: 1,
        };
        let mut seen: Vec<&'static str> = Vec::new();
        for (name, value) in options {
            let (name, takes) = known_option(name)?;
            match (takes, value.as_deref()) {
                (None, None) => typed.set_flag(name),
                (None, Some(_)) => return Err(TermsError::Flag { name }),
                (Some(allowed), None) => return Err(TermsError::Missing { name, allowed }),
                (Some(allowed), Some(value)) => typed.set_value(name, value, allowed)?,
            }
            seen.push(name);
        }
        for (first, second) in CONFLICTS {
            if seen.contains(&first) && seen.contains(&second) {
                return Err(TermsError::Conflict { first, second });
            }
        }
        if typed.rated && typed.time.limit == Limit::None {
            return Err(TermsError::RatedWithoutClock);
        }
        Ok(typed)
    }

    fn set_flag(&mut self, name: &str) {
        match name {
            "soft" => self.time.soft = true,
            "hard" => self.time.soft = false,
            "weekdays" => self.time.weekdays = true,
            "rated" => self.rated = true,
            "unrated" => self.rated = false,
            "private" => self.private = true,
            "public" => self.private = false,
            _ => self.open = true,
        }
    }

    fn set_value(&mut self, name: &'static str, value: &str, allowed: &'static str) -> Result<(), TermsError> {
        let bad = || TermsError::Value {
            name,
            value: value.to_string(),
            allowed,
        };
        let number = |most: u32| -> Result<u32, TermsError> {
            value
                .parse()
                .ok()
                .filter(|number| (1..=most).contains(number))
                .ok_or_else(bad)
        };
        let days = |most: u32| -> Result<Span, TermsError> { Ok(Span::days(i64::from(number(most)?))) };
        match name {
            "time" => self.time.limit = value.parse()?,
            "forfeittime" => self.time.limit = Limit::PerTurn(days(365)?),
            "totaltime" => {
                let start = days(3650)?;
                self.time.limit = Limit::Budget {
                    start,
                    increment: Span::minutes(0),
                    cap: start,
                };
            }
            "nagtime" => self.nag = Some(Mark::After(days(365)?)),
            "repeat" => self.repeat = number(100)?,
            _ => {
                self.first = match value.to_ascii_lowercase().as_str() {
                    "me" => First::Me,
                    "you" => First::You,
                    "random" => First::Random,
                    _ => return Err(bad()),
                }
            }
        }
        Ok(())
    }
}

/// The option of that name, dashes before it and case aside.
fn known_option(name: &str) -> Result<(&'static str, Option<&'static str>), TermsError> {
    let name = name.trim_start_matches('-').to_lowercase();
    OPTIONS
        .into_iter()
        .find(|(known, _)| *known == name)
        .ok_or_else(|| TermsError::Unknown {
            nearest: nearest(&name, OPTIONS.iter().map(|(known, _)| *known)),
            name,
        })
}
