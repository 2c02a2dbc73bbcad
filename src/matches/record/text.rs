//! The text of a record: tags, a blank line, one turn a line.

use chrono::DateTime;
use serde_json::{Map, Value};
use std::fmt::Write;

use super::{Place, Problem, Record, RecordError, RecordLine};
use crate::games::{self, Seat};
use crate::matches::event::Verdict;
use crate::matches::state::rfc3339;

/// The width to which a turn is filled up before its time.
const TURN_WIDTH: usize = 9;

/// The text that stands for a result that is still open.
pub const OPEN: &str = "*";

/// The tags whose names are not seats, in the order in which they are written; the seats stand before `Start`.
const TAGS: [&str; 11] = [
    "Game", "Options", "Match", "Site", "Rules", "Start", "End", "Time", "Rated", "Result", "Reason",
];

pub fn write(record: &Record) -> String {
    let seats = games::find(&record.game).map_or("", |game| game.info.seats);
    let mut text = String::new();
    let mut tag = |name: &str, value: &str| {
        let value = one_line(value).replace('\\', "\\\\").replace('"', "\\\"");
        let _ = writeln!(text, "[{name} \"{value}\"]");
    };
    tag("Game", &record.game);
    if !record.options.is_empty() {
        tag("Options", &write_options(&record.options));
    }
    tag("Match", &record.number.to_string());
    if let Some(site) = &record.site {
        tag("Site", site);
    }
    tag("Rules", &record.rules_version.to_string());
    for (seat, player) in seats.chars().zip(&record.players) {
        tag(&seat.to_string(), player);
    }
    tag("Start", &write_instant(record.start));
    if let Some(end) = record.end {
        tag("End", &write_instant(end));
    }
    tag("Time", &record.time.to_string());
    tag("Rated", if record.rated { "yes" } else { "no" });
    let result = record.result.as_ref().map(|result| verdict(result, seats));
    tag("Result", result.as_deref().unwrap_or(OPEN));
    if let Some(reason) = &record.reason {
        tag("Reason", reason);
    }
    for (name, value) in &record.others {
        tag(name, value);
    }
    text.push('\n');
    if let Some(setup) = &record.setup {
        let _ = writeln!(text, "setup {setup}");
    }
    for line in &record.lines {
        let _ = match line {
            RecordLine::Turn { turn, at: None } => writeln!(text, "{turn}"),
            RecordLine::Turn { turn, at: Some(at) } => {
                writeln!(text, "{turn:<TURN_WIDTH$} ; {}", write_instant(*at))
            }
            RecordLine::Talk { by, said } => writeln!(text, "# {by}: {}", one_line(said)),
        };
    }
    text
}

/// Control characters as blanks: a value must not begin a line of its own.
fn one_line(value: &str) -> String {
    value.replace(char::is_control, " ")
}

/// A result as text: the winner's seat, `draw`, or the seats that share a draw.
pub fn verdict(verdict: &Verdict, seats: &str) -> String {
    let name = |seat: &Seat| seats.chars().nth(seat.index()).map(String::from).unwrap_or_default();
    match verdict {
        Verdict::Winner(seat) => name(seat),
        Verdict::Shared(shared) => shared.iter().map(name).collect::<Vec<_>>().join(" "),
        Verdict::Draw => "draw".to_string(),
    }
}

/// Options in canonical form as a record has them: `side=6 nocount`.
pub fn write_options(options: &Map<String, Value>) -> String {
    super::raw(options)
        .into_iter()
        .map(|(name, value)| match value {
            Some(value) => format!("{name}={value}"),
            None => name,
        })
        .collect::<Vec<_>>()
        .join(" ")
}

pub fn write_instant(at: i64) -> String {
    rfc3339(at).unwrap_or_default()
}

pub fn read_instant(text: &str) -> Result<i64, Problem> {
    DateTime::parse_from_rfc3339(text.trim())
        .map(|time| time.timestamp())
        .map_err(|_| Problem::NoTime(text.to_string()))
}

pub fn parse(text: &str) -> Result<Record, RecordError> {
    let source = Source::read(text)?;
    let record = source.record().map_err(|(place, problem)| RecordError {
        line: source.line_of(&place),
        problem,
    })?;
    record.checked().map_err(|(place, problem)| RecordError {
        line: source.line_of(&place),
        problem,
    })
}

struct Tag {
    line: usize,
    name: String,
    value: String,
}

/// A record taken apart into lines, each with its number.
#[derive(Default)]
struct Source {
    tags: Vec<Tag>,
    setup: Option<(usize, String)>,
    lines: Vec<(usize, RecordLine)>,
}

impl Source {
    fn read(text: &str) -> Result<Source, RecordError> {
        let mut source = Source::default();
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        for (index, line) in text.lines().enumerate() {
            let number = index + 1;
            source
                .take(number, line.trim())
                .map_err(|problem| RecordError { line: number, problem })?;
        }
        Ok(source)
    }

    fn take(&mut self, number: usize, line: &str) -> Result<(), Problem> {
        if line.is_empty() {
            return Ok(());
        }
        if line.starts_with('[') {
            return self.take_tag(number, line);
        }
        if let Some(comment) = line.strip_prefix('#') {
            if let Some((by, said)) = talk(comment) {
                self.lines.push((number, RecordLine::Talk { by, said }));
            }
            return Ok(());
        }
        if let Some(setup) = line.strip_prefix("setup ") {
            let played = self
                .lines
                .iter()
                .any(|(_, line)| matches!(line, RecordLine::Turn { .. }));
            if played || self.setup.is_some() {
                return Err(Problem::SetupTooLate);
            }
            self.setup = Some((number, setup.trim().to_string()));
            return Ok(());
        }
        let (turn, at) = match line.split_once(';') {
            Some((turn, at)) => (turn.trim_end(), Some(read_instant(at)?)),
            None => (line, None),
        };
        let turn = turn.to_string();
        self.lines.push((number, RecordLine::Turn { turn, at }));
        Ok(())
    }

    fn take_tag(&mut self, line: usize, text: &str) -> Result<(), Problem> {
        let (name, value) = tag(text).ok_or(Problem::NotATag)?;
        if self.tags.iter().any(|tag| tag.name == name) {
            return Err(Problem::Twice(name));
        }
        self.tags.push(Tag { line, name, value });
        Ok(())
    }

    /// The line of a place; a tag that is missing is missed after the last of them.
    fn line_of(&self, place: &Place) -> usize {
        let last_tag = self.tags.last().map_or(1, |tag| tag.line);
        match place {
            Place::Tag(name) => self
                .tags
                .iter()
                .find(|tag| tag.name == *name)
                .map_or(last_tag, |tag| tag.line),
            Place::Setup => self.setup.as_ref().map_or(last_tag, |(line, _)| *line),
            Place::Line(index) => self.lines.get(*index).map_or(last_tag, |(line, _)| *line),
        }
    }

    fn find(&self, name: &str) -> Option<&str> {
        self.tags
            .iter()
            .find(|tag| tag.name == name)
            .map(|tag| tag.value.as_str())
    }

    fn need(&self, name: &str) -> Result<&str, (Place, Problem)> {
        self.find(name)
            .ok_or_else(|| (Place::Tag(name.to_string()), Problem::Missing(name.to_string())))
    }

    fn number(&self, name: &str) -> Result<u32, (Place, Problem)> {
        let value = self.need(name)?;
        value.parse().map_err(|_| bad(name, value, "a number"))
    }

    fn instant(&self, name: &str, value: &str) -> Result<i64, (Place, Problem)> {
        read_instant(value).map_err(|problem| (Place::Tag(name.to_string()), problem))
    }

    /// Puts the tags and lines together; the rules are asked later.
    fn record(&self) -> Result<Record, (Place, Problem)> {
        let game = self.need("Game")?.to_string();
        let seats = games::find(&game)
            .ok_or_else(|| (Place::Tag("Game".into()), Problem::UnknownGame(game.clone())))?
            .info
            .seats;
        let rated = match self.need("Rated")? {
            "yes" => true,
            "no" => false,
            other => return Err(bad("Rated", other, "yes or no")),
        };
        let time = self
            .need("Time")?
            .parse()
            .map_err(|error| (Place::Tag("Time".into()), Problem::Time(error)))?;
        let is_seat = |name: &str| name.len() == 1 && seats.contains(name);
        Ok(Record {
            game,
            options: self.find("Options").map(read_options).unwrap_or_default(),
            number: self.number("Match")?,
            site: self.find("Site").map(str::to_string),
            rules_version: self.number("Rules")?,
            players: self.players(seats)?,
            start: self.instant("Start", self.need("Start")?)?,
            end: self.find("End").map(|end| self.instant("End", end)).transpose()?,
            time,
            rated,
            result: read_verdict(self.need("Result")?, seats)?,
            reason: self.find("Reason").map(str::to_string),
            others: self
                .tags
                .iter()
                .filter(|tag| !TAGS.contains(&tag.name.as_str()) && !is_seat(&tag.name))
                .map(|tag| (tag.name.clone(), tag.value.clone()))
                .collect(),
            setup: self.setup.as_ref().map(|(_, setup)| setup.clone()),
            lines: self.lines.iter().map(|(_, line)| line.clone()).collect(),
        })
    }

    /// The players in seat order: the first seats of the game, without a gap.
    fn players(&self, seats: &str) -> Result<Vec<String>, (Place, Problem)> {
        let names: Vec<String> = seats.chars().map(String::from).collect();
        let have = names
            .iter()
            .rposition(|name| self.find(name).is_some())
            .map_or(0, |last| last + 1);
        names
            .iter()
            .take(have.max(2))
            .map(|name| Ok(self.need(name)?.to_string()))
            .collect()
    }
}

fn bad(tag: &str, value: &str, wanted: &'static str) -> (Place, Problem) {
    let (tag, value) = (tag.to_string(), value.to_string());
    (Place::Tag(tag.clone()), Problem::Value { tag, value, wanted })
}

/// Reads `[Name "value"]`.
fn tag(text: &str) -> Option<(String, String)> {
    let inside = text.strip_prefix('[')?.strip_suffix(']')?;
    let (name, value) = inside.trim().split_once(char::is_whitespace)?;
    let value = value.trim().strip_prefix('"')?.strip_suffix('"')?;
    if name.is_empty() || !name.chars().all(|letter| letter.is_ascii_alphanumeric()) {
        return None;
    }
    Some((name.to_string(), unescape(value)?))
}

/// Takes the escapes off a quoted value; `None` where a quote mark stands in it bare, or an escape is cut off.
fn unescape(value: &str) -> Option<String> {
    let mut plain = String::with_capacity(value.len());
    let mut letters = value.chars();
    while let Some(letter) = letters.next() {
        match letter {
            '\\' => plain.push(letters.next()?),
            '"' => return None,
            other => plain.push(other),
        }
    }
    Some(plain)
}

/// Reads ` bob: Nice try!`; other comments are nobody's talk.
fn talk(comment: &str) -> Option<(String, String)> {
    let (by, said) = comment.trim().split_once(':')?;
    let userid = |letter: char| letter.is_ascii_alphanumeric() || letter == '_' || letter == '-';
    let said = said.trim();
    if by.is_empty() || said.is_empty() || !by.chars().all(userid) {
        return None;
    }
    Some((by.to_string(), said.to_string()))
}

fn read_options(text: &str) -> Map<String, Value> {
    text.split([' ', ','])
        .filter(|word| !word.is_empty())
        .map(|word| match word.trim_start_matches('-').split_once('=') {
            Some((name, value)) => (name.to_string(), Value::String(value.to_string())),
            None => (word.trim_start_matches('-').to_string(), Value::Bool(true)),
        })
        .collect()
}

/// Reads a seat, `draw`, several seats or `*`.
pub fn read_verdict(text: &str, seats: &str) -> Result<Option<Verdict>, (Place, Problem)> {
    if text == OPEN {
        return Ok(None);
    }
    if text == "draw" {
        return Ok(Some(Verdict::Draw));
    }
    let named: Option<Vec<Seat>> = text
        .chars()
        .filter(|letter| !letter.is_whitespace() && *letter != ',')
        .map(|letter| {
            seats
                .chars()
                .position(|seat| seat == letter)
                .map(|index| Seat(index as u8))
        })
        .collect();
    let mut named = named.unwrap_or_default();
    named.sort_unstable();
    let is_repeated = named.windows(2).any(|pair| matches!(pair, [one, next] if one == next));
    match named.as_slice() {
        [seat] => Ok(Some(Verdict::Winner(*seat))),
        [_, _, ..] if !is_repeated => Ok(Some(Verdict::Shared(named))),
        _ => Err(bad("Result", text, "a seat, draw or *")),
    }
}
