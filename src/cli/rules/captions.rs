//! What `playpost rules` says in a player's words. The words are in `templates/`.

use crate::games::{Info, Note, Outcome, Reason, Seat, Table};
use anyhow::{Context, Result};
use include_dir::{Dir, include_dir};
use minijinja::value::Serde;
use minijinja::{Environment, UndefinedBehavior, Value, context};
use std::sync::LazyLock;

static PAGES: Dir = include_dir!("$CARGO_MANIFEST_DIR/templates/en/rules");

static REASONS: LazyLock<Phrases> = LazyLock::new(|| Phrases::of(include_str!("../../../templates/en/reasons.toml")));

static BOARD: LazyLock<Phrases> = LazyLock::new(|| Phrases::of(include_str!("../../../templates/en/board.toml")));

/// The rules as a player reads them.
pub fn rules_page(info: &Info) -> Result<&'static str> {
    let page = PAGES
        .get_file(format!("{}.txt", info.name))
        .and_then(|file| file.contents_utf8());
    page.with_context(|| format!("{} has no page of rules", info.name))
}

/// Why a turn was refused.
pub fn why(reason: &Reason) -> Result<String> {
    let fields = serde_json::to_value(reason)?;
    let code = fields["code"].as_str().context("a reason has a code")?;
    REASONS.fill(code, Value::from(Serde(&fields)))
}

/// The board and what stands beside it: the first player's hand below, the other's above, as they sit.
pub fn board(table: &dyn Table) -> Result<Vec<String>> {
    let diagram = table.diagram();
    let (above, below): (Vec<&Note>, Vec<&Note>) = diagram
        .notes
        .iter()
        .partition(|note| matches!(note, Note::Hand { seat, .. } if *seat != Seat(0)));
    let (hand, rest): (Vec<&Note>, Vec<&Note>) = below.into_iter().partition(|note| matches!(note, Note::Hand { .. }));
    let mut lines = Vec::new();
    for hand in above {
        lines.push(note(table, hand)?);
    }
    lines.extend(diagram.ascii());
    for hand in hand {
        lines.push(note(table, hand)?);
    }
    lines.push(standing(table)?);
    for other in rest {
        lines.push(note(table, other)?);
    }
    Ok(lines)
}

/// Whose turn it is, or how the game ended.
fn standing(table: &dyn Table) -> Result<String> {
    match (table.to_move(), table.outcome()) {
        (_, Some(outcome)) => ended(table, outcome),
        (Some(seat), None) => BOARD.fill("to-move", context!(seat => seat_in_words(table, seat)?)),
        (None, None) => Ok(String::new()),
    }
}

fn ended(table: &dyn Table, outcome: &Outcome) -> Result<String> {
    let reason = BOARD.fill(&format!("reason-{}", outcome.reason.replace(' ', "-")), context!())?;
    let line = match outcome.winner {
        Some(seat) => BOARD.fill("won", context!(seat => seat_in_words(table, seat)?, reason))?,
        None => BOARD.fill("drawn", context!(reason))?,
    };
    let Some(score) = &outcome.score else { return Ok(line) };
    let points: Vec<String> = score.iter().map(f64::to_string).collect();
    Ok(format!("{line} {}", BOARD.fill("score", context!(points))?))
}

fn note(table: &dyn Table, note: &Note) -> Result<String> {
    let name = |seat: &Seat| seat_in_words(table, *seat);
    match note {
        Note::Slides { count, draw_at } => BOARD.fill("slides", context!(count, draw_at)),
        Note::Marker { value } => BOARD.fill("marker", context!(value, points => value.unsigned_abs())),
        Note::PassedOnce { seat, counts } => BOARD.fill("passed-once", context!(seat => name(seat)?, counts)),
        Note::Proposal { seat, groups } => BOARD.fill("proposal", context!(seat => name(seat)?, groups)),
        Note::Check { seat } => BOARD.fill("check", context!(seat => name(seat)?)),
        Note::Hand { seat, men } => BOARD.fill("hand", context!(seat => name(seat)?, men)),
    }
}

fn seat_in_words(table: &dyn Table, seat: Seat) -> Result<String> {
    BOARD.fill(&format!("seat-{}", table.seat_name(seat)), context!())
}

/// A catalog of phrases, each a template.
struct Phrases {
    environment: Environment<'static>,
    table: Option<toml::Table>,
}

impl Phrases {
    fn of(source: &'static str) -> Self {
        let mut environment = Environment::new();
        environment.set_undefined_behavior(UndefinedBehavior::Strict);
        Phrases {
            environment,
            table: source.parse().ok(),
        }
    }

    fn fill(&self, key: &str, context: Value) -> Result<String> {
        let table = self.table.as_ref().context("a catalog of phrases cannot be read")?;
        let phrase = table.get(key).and_then(toml::Value::as_str);
        let phrase = phrase.with_context(|| format!("the templates have no phrase {key:?}"))?;
        Ok(self.environment.render_str(phrase, context)?)
    }
}
