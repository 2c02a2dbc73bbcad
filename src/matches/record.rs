//! The record of a match (DESIGN.md, "Records"): a text that people can read, and the same as a line of JSON.
//!
//! A [`Record`] that was read has been checked against the rules: its turns are legal and in canonical notation, and
//! its result is the one that they give.

use std::ops::RangeInclusive;

use serde_json::{Map, Value};

use crate::games::{self, OptionError, PositionError, Refusal, Seat, SetupError, Table};

use super::event::{Entry, Event, Offer, Verdict};
use super::state::{Head, Match};
use super::terms::{First, Terms, TimeControl, TimeError, canonical};

mod events;
mod json;
mod text;

pub use events::Ending;

/// A match as it is exported and imported.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    pub game: String,
    /// The game's options in canonical form.
    pub options: Map<String, Value>,
    pub number: u32,
    /// The address of the server where it was played.
    pub site: Option<String>,
    pub rules_version: u32,
    /// Userids in the order of the seats.
    pub players: Vec<String>,
    /// Unix seconds.
    pub start: i64,
    /// Unix seconds; `None` while the match goes on.
    pub end: Option<i64>,
    pub time: TimeControl,
    pub rated: bool,
    /// `None` while the match goes on.
    pub result: Option<Verdict>,
    pub reason: Option<String>,
    /// Tags that this server does not know, as they came.
    pub others: Vec<(String, String)>,
    /// A start position of its own.
    pub setup: Option<String>,
    pub lines: Vec<RecordLine>,
}

/// A line below the tags.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RecordLine {
    Turn { turn: String, at: Option<i64> },
    Talk { by: String, said: String },
}

/// Which part of a record is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// The tag of that name, or the record as a whole where it is missing.
    Tag(String),
    Setup,
    /// An index into [`Record::lines`].
    Line(usize),
}

/// What is wrong with a record.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Problem {
    #[error("this is no tag; a tag is written [Name \"value\"]")]
    NotATag,
    #[error("the tag {0} is missing")]
    Missing(String),
    #[error("the tag {0} stands twice")]
    Twice(String),
    #[error("{tag} is {value:?} and should be {wanted}")]
    Value {
        tag: String,
        value: String,
        wanted: &'static str,
    },
    #[error("there is no game {0:?}")]
    UnknownGame(String),
    #[error(transparent)]
    Option(#[from] OptionError),
    #[error("setup: {0}")]
    Setup(#[from] PositionError),
    #[error(transparent)]
    Time(#[from] TimeError),
    #[error("{0:?} is no time (write 2026-11-29T18:00:00Z)")]
    NoTime(String),
    #[error("setup may stand only before the first turn, and once")]
    SetupTooLate,
    #[error("turn {turn}: {text}: {}", .refusal.kind)]
    Turn { turn: u32, text: String, refusal: Refusal },
    #[error("the game has {seats} seats, and the record has {players} players")]
    Players { seats: usize, players: usize },
    #[error("the match has no seat {}", .0.0)]
    NoSuchSeat(Seat),
    /// The turns end the game otherwise, or do not end it and no reason says why the match ended.
    #[error("the turns do not give this result; they give {given}")]
    Result { given: String },
    #[error("the turns do not give this reason; they give {given}")]
    Reason { given: String },
    #[error("this is no JSON of a record: {0}")]
    Json(String),
}

/// A record that was refused; `line` counts from 1.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("line {line}: {problem}")]
pub struct RecordError {
    pub line: usize,
    pub problem: Problem,
}

/// The reasons for which a match ends without its turns ending the game.
const TIME: &str = "time";
const AGREED: &str = "agreed";
const ADJUDICATED: &str = "adjudicated";

/// The numbers that a match may have. New matches are numbered after the highest that is there, so a record with the
/// last number of all would leave none.
const NUMBERS: RangeInclusive<u32> = 1..=1_000_000_000;

impl Record {
    /// The record of a match, with what the players said where `talk` asks for it.
    pub fn of(game: &Match, site: Option<&str>, talk: bool) -> Record {
        let head = game.head();
        let ended = game.ended();
        Record {
            game: head.terms.game.clone(),
            options: head.terms.canonical.clone(),
            number: head.number,
            site: site.map(str::to_string),
            rules_version: head.rules_version,
            players: head.players.clone(),
            start: head.started,
            end: ended.map(|ended| ended.at),
            time: head.terms.time,
            rated: head.terms.rated,
            result: ended.map(|ended| ended.verdict.clone()),
            reason: ended.map(|ended| ended.reason.to_string()),
            others: Vec::new(),
            setup: head.terms.setup.clone(),
            lines: lines_of(game, talk),
        }
    }

    /// Reads a record as text and checks it.
    pub fn parse(text: &str) -> Result<Record, RecordError> {
        text::parse(text)
    }

    /// Reads a record from one line of JSON and checks it.
    pub fn from_json(line: &str) -> Result<Record, Problem> {
        json::read(line)?.checked().map_err(|(_, problem)| problem)
    }

    /// The record as one line of JSON.
    pub fn to_json(&self) -> String {
        json::write(self)
    }

    /// The record as text.
    pub fn to_text(&self) -> String {
        text::write(self)
    }

    /// The result as the record writes it: a seat, several seats, `draw`, or `*` while the match goes on.
    pub fn result_text(&self) -> String {
        let seats = crate::games::find(&self.game).map_or("", |game| game.info.seats);
        let result = self.result.as_ref().map(|result| text::verdict(result, seats));
        result.unwrap_or_else(|| text::OPEN.to_string())
    }

    /// The options as the record writes them: `side=6 nocount`.
    pub fn options_text(&self) -> String {
        options_text(&self.options)
    }

    /// Plays the turns; gives the record with everything in canonical form.
    fn checked(mut self) -> Result<Record, (Place, Problem)> {
        let at_tag = |tag: &str, problem: Problem| (Place::Tag(tag.to_string()), problem);
        if !NUMBERS.contains(&self.number) {
            let problem = Problem::Value {
                tag: "Match".to_string(),
                value: self.number.to_string(),
                wanted: "a number from 1 to 1000000000",
            };
            return Err(at_tag("Match", problem));
        }
        let mut table = self.table()?;
        let seats = table.seats().chars().count();
        if self.players.len() != seats {
            let problem = Problem::Players {
                seats,
                players: self.players.len(),
            };
            return Err(at_tag("Game", problem));
        }
        if let Some(beyond) = self.result.as_ref().and_then(|result| seat_beyond(result, seats)) {
            let problem = Problem::NoSuchSeat(beyond);
            return Err(at_tag("Result", problem));
        }
        self.game = table.info().name.to_string();
        self.options = canonical(table.as_ref());
        let mut turns = 0;
        for (index, line) in self.lines.iter_mut().enumerate() {
            let RecordLine::Turn { turn, .. } = line else { continue };
            turns += 1;
            let played = table.play(None, turn).map_err(|refusal| {
                let text = turn.clone();
                (
                    Place::Line(index),
                    Problem::Turn {
                        turn: turns,
                        text,
                        refusal,
                    },
                )
            })?;
            *turn = turn_line(&played.text, &table.seat_name(played.seat));
        }
        self.check_result(table.as_ref())?;
        if self.result.is_some() && self.end.is_none() {
            return Err(at_tag("End", Problem::Missing("End".to_string())));
        }
        Ok(self)
    }

    /// The table at the start; `None` where the options or the set-up are none of the game's.
    pub fn start_table(&self) -> Option<Box<dyn Table>> {
        self.table().ok()
    }

    /// The table at the start.
    fn table(&self) -> Result<Box<dyn Table>, (Place, Problem)> {
        let game = games::find(&self.game)
            .ok_or_else(|| (Place::Tag("Game".into()), Problem::UnknownGame(self.game.clone())))?;
        let options = raw(&self.options);
        let bad_option = |error| (Place::Tag("Options".into()), Problem::Option(error));
        match &self.setup {
            None => (game.start)(&options).map_err(bad_option),
            Some(text) => (game.setup)(&options, text).map_err(|error| match error {
                SetupError::Option(error) => bad_option(error),
                SetupError::Position(error) => (Place::Setup, Problem::Setup(error)),
            }),
        }
    }

    /// Whether result and reason are what the turns give: what the rules say where they end the game, and else only
    /// time, agreement and adjudication.
    fn check_result(&mut self, table: &dyn Table) -> Result<(), (Place, Problem)> {
        let wrong_result = |given: String| (Place::Tag("Result".into()), Problem::Result { given });
        let wrong_reason = |given: &str| {
            let given = given.to_string();
            (Place::Tag("Reason".into()), Problem::Reason { given })
        };
        let reason = self.reason.as_deref();
        if let Some(outcome) = table.outcome() {
            let given = match outcome.winner {
                Some(seat) => Verdict::Winner(seat),
                None => drawn(table),
            };
            if self.result.as_ref() != Some(&given) && !(outcome.winner.is_none() && self.result == Some(Verdict::Draw))
            {
                return Err(wrong_result(text::verdict(&given, table.seats())));
            }
            // Of three or four, who loses on time goes out as if he resigned.
            let on_time = reason == Some(TIME) && table.seats().len() > 2 && outcome.reason == "resigned";
            if reason.is_some_and(|reason| reason != outcome.reason) && !on_time {
                return Err(wrong_reason(outcome.reason));
            }
            self.result = Some(given);
            self.reason.get_or_insert_with(|| outcome.reason.to_string());
            return Ok(());
        }
        let agrees = match (&self.result, reason) {
            (None, None) => true,
            (None, Some(_)) => return Err(wrong_reason("*")),
            (Some(Verdict::Winner(seat)), Some(TIME)) => table.seats().len() == 2 && Some(*seat) != table.to_move(),
            (Some(Verdict::Winner(_)), Some(AGREED)) => false,
            (Some(verdict), Some(AGREED)) => *verdict == Verdict::Draw || *verdict == drawn(table),
            (Some(_), Some(ADJUDICATED)) => true,
            (Some(_), _) => false,
        };
        if !agrees {
            return Err(wrong_result("*".to_string()));
        }
        if reason == Some(AGREED) {
            self.result = Some(drawn(table));
        }
        Ok(())
    }

    /// The match that the record tells of, as it is stored: its events replayed give the same turns and result.
    pub fn into_match(self) -> (Head, Vec<Entry>) {
        let entries = Events::new(&self).all(&self);
        let terms = Terms {
            options: raw(&self.options),
            seats: self.players.len(),
            game: self.game,
            canonical: self.options,
            setup: self.setup,
            time: self.time,
            nag: None,
            rated: self.rated,
            private: false,
            first: First::Random,
            open: false,
            repeat: 1,
        };
        let head = Head {
            number: self.number,
            terms,
            players: self.players,
            started: self.start,
            rules_version: self.rules_version,
        };
        (head, entries)
    }
}

/// Options in canonical form as records and mails write them: `side=6 nocount`.
pub fn options_text(options: &Map<String, Value>) -> String {
    text::write_options(options)
}

/// Reads a result as records write it, among these seats; `None` where it is none, or says that the match goes on.
pub fn read_result(text: &str, seats: &str) -> Option<Verdict> {
    text::read_verdict(text, seats).ok().flatten()
}

/// A seat of the verdict that a match of so many seats does not have.
fn seat_beyond(verdict: &Verdict, seats: usize) -> Option<Seat> {
    let named = match verdict {
        Verdict::Winner(seat) => std::slice::from_ref(seat),
        Verdict::Shared(seats) => seats,
        Verdict::Draw => &[],
    };
    named.iter().copied().find(|seat| seat.index() >= seats)
}

/// The turns that stand, and what the players said between them.
fn lines_of(game: &Match, talk: bool) -> Vec<RecordLine> {
    let turns = game
        .turns()
        .iter()
        .map(|turn| (turn_line(&turn.text, &game.seat_name(turn.seat)), turn.at));
    let remarks = game.talk().iter().filter(|_| talk);
    let remarks = remarks.map(|remark| (remark.seat, remark.text.clone(), remark.at));
    lines(turns, remarks, &game.head().players)
}

/// Turns and what was said, each with its time, as the lines of a record.
fn lines(
    turns: impl Iterator<Item = (String, i64)>,
    remarks: impl Iterator<Item = (Seat, String, i64)>,
    players: &[String],
) -> Vec<RecordLine> {
    let mut remarks = remarks.peekable();
    let mut lines = Vec::new();
    let said = |lines: &mut Vec<RecordLine>, (seat, text, _): (Seat, String, i64)| {
        let by = players.get(seat.index()).map_or("", String::as_str);
        let spoken = text.lines().map(str::trim).filter(|line| !line.is_empty());
        lines.extend(spoken.map(|line| RecordLine::Talk {
            by: by.to_string(),
            said: line.to_string(),
        }));
    };
    for (turn, at) in turns {
        while let Some(remark) = remarks.next_if(|(.., said_at)| *said_at < at) {
            said(&mut lines, remark);
        }
        lines.push(RecordLine::Turn { turn, at: Some(at) });
    }
    for remark in remarks {
        said(&mut lines, remark);
    }
    lines
}

/// A turn as the record writes it. A resignation has its seat also where that is to move, so that the line says by
/// itself who resigned.
fn turn_line(text: &str, seat: &str) -> String {
    match text {
        "resign" => format!("{seat}: resign"),
        _ => text.to_string(),
    }
}

/// A draw among those who are still in the game.
fn drawn(table: &dyn Table) -> Verdict {
    let out = table.facts().out.unwrap_or_default();
    if out.is_empty() {
        return Verdict::Draw;
    }
    let seats = (0..table.seats().len()).map(|index| Seat(index as u8));
    Verdict::Shared(seats.filter(|seat| !out.contains(seat)).collect())
}

/// Canonical options as they would be typed: a flag that is on is its name alone, one that is off is nothing.
fn raw(options: &Map<String, Value>) -> Vec<(String, Option<String>)> {
    options
        .iter()
        .filter_map(|(name, value)| {
            let value = match value {
                Value::Null | Value::Bool(false) => return None,
                Value::Bool(true) => None,
                Value::String(text) => Some(text.clone()),
                other => Some(other.to_string()),
            };
            Some((name.clone(), value))
        })
        .collect()
}

/// The events that make the match of a record.
struct Events {
    entries: Vec<Entry>,
    at: i64,
}

impl Events {
    fn new(record: &Record) -> Self {
        Events {
            entries: Vec::new(),
            at: record.start,
        }
    }

    /// Times that a record lacks, or that go backwards, are those of the line before.
    fn push(&mut self, at: Option<i64>, event: Event) {
        self.at = at.map_or(self.at, |at| at.max(self.at));
        self.entries.push(Entry { at: self.at, event });
    }

    fn all(mut self, record: &Record) -> Vec<Entry> {
        let Ok(mut table) = record.table() else {
            return self.entries;
        };
        for line in &record.lines {
            match line {
                RecordLine::Talk { by, said } => {
                    if let Some(seat) = record.players.iter().position(|player| player == by) {
                        let (seat, text) = (Seat(seat as u8), said.clone());
                        self.push(None, Event::Said { seat, text });
                    }
                }
                RecordLine::Turn { turn, at } => {
                    let Ok(played) = table.play(None, turn) else {
                        return self.entries;
                    };
                    let (seat, text, by_condition) = (played.seat, played.text, false);
                    let event = if table.outcome().is_some() && record.reason.as_deref() == Some(TIME) {
                        Event::TimeLost { seat, claimed_by: None }
                    } else {
                        Event::Turn {
                            seat,
                            text,
                            by_condition,
                        }
                    };
                    self.push(*at, event);
                }
            }
        }
        if table.outcome().is_none() {
            self.end(record, table.as_ref());
        }
        self.entries
    }

    /// The end that the turns do not give.
    fn end(&mut self, record: &Record, table: &dyn Table) {
        let (Some(verdict), Some(to_move)) = (&record.result, table.to_move()) else {
            return;
        };
        match record.reason.as_deref() {
            Some(TIME) => {
                let seat = to_move;
                self.push(record.end, Event::TimeLost { seat, claimed_by: None });
            }
            Some(AGREED) => {
                let seat = to_move;
                let offer = Offer::Draw;
                self.push(record.end, Event::Offered { seat, offer });
                let out = table.facts().out.unwrap_or_default();
                let all = (0..record.players.len()).map(|index| Seat(index as u8));
                for seat in all.filter(|seat| *seat != to_move && !out.contains(seat)) {
                    self.push(None, Event::Answered { seat, accepted: true });
                }
            }
            _ => {
                let verdict = verdict.clone();
                let reason = String::new();
                self.push(record.end, Event::Adjudicated { verdict, reason });
            }
        }
    }
}
