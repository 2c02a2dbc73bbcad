//! A record as one line of JSON: `{"game": "susan", "match": 12, "seats": {"X": "alice", "O": "bob"}, …}`.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::text::{read_instant, read_verdict, verdict, write_instant};
use super::{Problem, Record, RecordLine};
use crate::games;

/// The names and their order, as they stand in a file.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Flat {
    game: String,
    #[serde(default)]
    options: Map<String, Value>,
    #[serde(rename = "match")]
    number: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    site: Option<String>,
    rules: u32,
    seats: Map<String, Value>,
    start: String,
    #[serde(default)]
    end: Option<String>,
    time: String,
    rated: bool,
    #[serde(default)]
    result: Option<String>,
    #[serde(default)]
    reason: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    others: Vec<(String, String)>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    setup: Option<String>,
    lines: Vec<FlatLine>,
}

#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum FlatLine {
    Turn {
        turn: String,
        #[serde(default)]
        at: Option<String>,
    },
    Talk {
        by: String,
        said: String,
    },
}

pub fn write(record: &Record) -> String {
    let seats = seats_of(&record.game);
    let flat = Flat {
        game: record.game.clone(),
        options: record.options.clone(),
        number: record.number,
        site: record.site.clone(),
        rules: record.rules_version,
        seats: seats
            .chars()
            .map(String::from)
            .zip(record.players.iter().cloned().map(Value::String))
            .collect(),
        start: write_instant(record.start),
        end: record.end.map(write_instant),
        time: record.time.to_string(),
        rated: record.rated,
        result: record.result.as_ref().map(|result| verdict(result, seats)),
        reason: record.reason.clone(),
        others: record.others.clone(),
        setup: record.setup.clone(),
        lines: record.lines.iter().map(write_line).collect(),
    };
    serde_json::to_string(&flat).unwrap_or_default()
}

/// Reads a record that is not yet checked against the rules.
pub fn read(line: &str) -> Result<Record, Problem> {
    let flat: Flat = serde_json::from_str(line).map_err(|error| Problem::Json(error.to_string()))?;
    let seats = seats_of(&flat.game);
    if seats.is_empty() {
        return Err(Problem::UnknownGame(flat.game));
    }
    let result = match &flat.result {
        Some(text) => read_verdict(text, seats).map_err(|(_, problem)| problem)?,
        None => None,
    };
    Ok(Record {
        players: read_players(&flat.seats, seats)?,
        game: flat.game,
        options: flat.options,
        number: flat.number,
        site: flat.site,
        rules_version: flat.rules,
        start: read_instant(&flat.start)?,
        end: flat.end.as_deref().map(read_instant).transpose()?,
        time: flat.time.parse()?,
        rated: flat.rated,
        result,
        reason: flat.reason,
        others: flat.others,
        setup: flat.setup,
        lines: flat.lines.into_iter().map(read_line).collect::<Result<_, _>>()?,
    })
}

fn seats_of(game: &str) -> &'static str {
    games::find(game).map_or("", |game| game.info.seats)
}

/// The players in seat order; every name must be a seat of the game, without a gap.
fn read_players(named: &Map<String, Value>, seats: &str) -> Result<Vec<String>, Problem> {
    seats
        .chars()
        .take(named.len())
        .map(|seat| {
            let player = named.get(&seat.to_string()).and_then(Value::as_str);
            player
                .map(str::to_string)
                .ok_or_else(|| Problem::Missing(seat.to_string()))
        })
        .collect()
}

fn write_line(line: &RecordLine) -> FlatLine {
    match line {
        RecordLine::Turn { turn, at } => FlatLine::Turn {
            turn: turn.clone(),
            at: at.map(write_instant),
        },
        RecordLine::Talk { by, said } => FlatLine::Talk {
            by: by.clone(),
            said: said.clone(),
        },
    }
}

fn read_line(line: FlatLine) -> Result<RecordLine, Problem> {
    Ok(match line {
        FlatLine::Turn { turn, at } => RecordLine::Turn {
            turn,
            at: at.as_deref().map(read_instant).transpose()?,
        },
        FlatLine::Talk { by, said } => RecordLine::Talk { by, said },
    })
}
