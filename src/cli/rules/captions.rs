//! What `playpost rules` says in a player's words. The words are in `templates/`.

use crate::games::{Info, Reason, Table};
use crate::letters::{self, Reader, TemplateError, Templates};
use anyhow::Result;
use std::sync::LazyLock;

static TEMPLATES: LazyLock<Result<Templates, TemplateError>> = LazyLock::new(|| Templates::new(None));

/// The rules as a player reads them.
pub fn rules_page(info: &Info) -> Result<String> {
    let page = format!("rules/{}.txt", info.name);
    Ok(templates()?.render(&Reader::default().language, &page, ())?)
}

/// Why a turn was refused.
pub fn why(reason: &Reason) -> Result<String> {
    Ok(letters::why(reason, &Reader::default().language, templates()?)?)
}

/// The last turn: its number, its text, and what it did.
pub fn last_turn(table: &dyn Table) -> Result<Option<String>> {
    let Some(text) = table.last_turn() else { return Ok(None) };
    let language = Reader::default().language;
    let sentence = letters::sentence(table.last_effects(), table, None, &language, templates()?)?;
    Ok(Some(format!("{}. {text}: {sentence}", table.turn())))
}

/// The board and what stands beside it.
pub fn board(table: &dyn Table) -> Result<String> {
    Ok(letters::board(table, None, &Reader::default(), templates()?)?.text)
}

fn templates() -> Result<&'static Templates> {
    Ok(TEMPLATES.as_ref()?)
}
