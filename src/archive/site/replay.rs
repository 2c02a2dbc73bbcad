//! A match turn by turn, as its page goes through it.

use super::Failing;
use super::page::{Press, game_title, players, result};
use crate::games::{Cell, Diagram, Mark, Seat, Table};
use crate::letters::picture::{Lettering, Look, Theme, mark_code, svg};
use crate::letters::{captions, sentence};
use crate::matches::{Record, RecordLine, Verdict};
use crate::store::ArchivedRow;
use serde::Serialize;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// What a turn changed, under the short names that `replay.js` knows.
#[derive(Default, Serialize)]
struct Step {
    /// What comes to stand on which cells; empty for nothing.
    #[serde(rename = "s", skip_serializing_if = "BTreeMap::is_empty")]
    set: BTreeMap<String, String>,
    #[serde(rename = "f", skip_serializing_if = "Vec::is_empty")]
    filled: Vec<String>,
    /// Changed without being filled.
    #[serde(rename = "c", skip_serializing_if = "Vec::is_empty")]
    changed: Vec<String>,
    /// What stands beside the board.
    #[serde(rename = "n")]
    notes: Vec<String>,
}

/// A turn in the list of turns.
#[derive(Serialize)]
struct Turn {
    number: usize,
    seat: String,
    text: String,
    said: String,
}

/// A match as its page shows it.
pub(super) struct Replay {
    /// The start, and each turn.
    steps: Vec<Step>,
    turns: Vec<Turn>,
    /// All that stood on the board at any time.
    marks: Vec<Mark>,
    last: Diagram,
}

impl Replay {
    /// Plays a finished match through.
    pub(super) fn of(record: &Record, press: &Press) -> Result<Replay, Failing> {
        let unplayable = |why: String| Failing::Unplayable(format!("match {}: {why}", record.number));
        let mut table = record
            .start_table()
            .ok_or_else(|| unplayable("it cannot begin under the present rules".to_string()))?;
        let texts: Vec<&str> = record.lines.iter().filter_map(turn_text).collect();
        let note = |table: &dyn Table, turn: usize| {
            let ending = (turn == texts.len()).then(|| ending(record)).flatten();
            captions(table, Some(&record.players), ending, press.language, press.templates)
        };
        let start = table.diagram();
        let mut replay = Replay {
            steps: vec![step(&[], &start.cells, note(table.as_ref(), 0)?)],
            turns: Vec::with_capacity(texts.len()),
            marks: Vec::new(),
            last: start,
        };
        replay.keep_marks();
        for (text, number) in texts.iter().zip(1..) {
            let played = table
                .play(None, text)
                .map_err(|refusal| unplayable(format!("turn {number} ({text}): {}", refusal.kind)))?;
            let diagram = table.diagram();
            let notes = note(table.as_ref(), number)?;
            replay.steps.push(step(&replay.last.cells, &diagram.cells, notes));
            let names = Some(record.players.as_slice());
            let said = sentence(&played.effects, table.as_ref(), names, press.language, press.templates)?;
            let seat = table.seat_name(played.seat);
            let prefix = format!("{seat}: ");
            replay.turns.push(Turn {
                number,
                text: played.text.strip_prefix(&prefix).unwrap_or(&played.text).to_string(),
                seat,
                said,
            });
            replay.last = diagram;
            replay.keep_marks();
        }
        Ok(replay)
    }

    fn keep_marks(&mut self) {
        for mark in self.last.cells.iter().filter_map(|cell| cell.mark) {
            if !self.marks.contains(&mark) {
                self.marks.push(mark);
            }
        }
    }

    /// The context of the page.
    pub(super) fn context(&self, record: &Record, row: &ArchivedRow, press: &Press) -> Result<Value, Failing> {
        let title = game_title(&record.game);
        let fields = json!({ "title": title, "number": record.number });
        let label = press.templates.word(press.language, "site.board", fields)?;
        let picture = svg(
            &self.last,
            &Look {
                label: &label,
                theme: Theme::Auto,
                lettering: Lettering::Text,
                live: Some(&self.marks),
            },
        );
        Ok(json!({
            "number": record.number,
            "game": record.game,
            "title": title,
            "names": record.players,
            "players": players(row),
            "result": result(row),
            "reason": row.reason.replace(' ', "-"),
            "options": record.options_text(),
            "time": record.time.to_string(),
            "rated": record.rated,
            "started": row.started,
            "ended": row.ended,
            "picture": picture,
            "notes": self.steps.last().map(|step| step.notes.as_slice()),
            "turns": self.turns,
            "replay": json_for_a_page(&self.steps),
        }))
    }
}

fn turn_text(line: &RecordLine) -> Option<&str> {
    match line {
        RecordLine::Turn { turn, .. } => Some(turn),
        RecordLine::Talk { .. } => None,
    }
}

/// How the match ended, for a board whose game did not end.
fn ending(record: &Record) -> Option<(Option<Seat>, &str)> {
    let winner = match record.result.as_ref()? {
        Verdict::Winner(seat) => Some(*seat),
        Verdict::Shared(_) | Verdict::Draw => None,
    };
    Some((winner, record.reason.as_deref()?))
}

/// What is different from the board before; all that stands where there was none.
fn step(before: &[Cell], after: &[Cell], notes: Vec<String>) -> Step {
    let code = |mark: Option<Mark>| mark.as_ref().map(mark_code).unwrap_or_default();
    let mut step = Step {
        notes,
        ..Step::default()
    };
    for (index, cell) in after.iter().enumerate() {
        let earlier = before.get(index).and_then(|cell| cell.mark);
        if earlier != cell.mark {
            step.set.insert(cell.name.clone(), code(cell.mark));
        }
        if cell.filled {
            step.filled.push(cell.name.clone());
        } else if cell.changed {
            step.changed.push(cell.name.clone());
        }
    }
    step
}

/// JSON that may stand in a `<script>`: no letter that could end it.
fn json_for_a_page(value: &impl Serialize) -> String {
    let text = serde_json::to_string(value).unwrap_or_else(|_| "[]".to_string());
    text.replace('<', "\\u003c")
        .replace('>', "\\u003e")
        .replace('&', "\\u0026")
}
