//! What a turn did, and why one was refused, in words.

use super::{TemplateError, Templates};
use crate::games::{Effect, Reason, Table};

/// The players' names in seat order; `None` leaves the seats to be named as the rules pages name them.
pub type Names<'a> = Option<&'a [String]>;

/// The sentences of a turn: `X slides c4-c5 and surrounds O's b5: X wins.`
///
/// `table` is the game after the turn.
///
/// # Errors
///
/// A phrase that cannot be filled in.
pub fn sentence(
    _effects: &[Effect],
    _table: &dyn Table,
    _names: Names,
    _language: &str,
    _templates: &Templates,
) -> Result<String, TemplateError> {
    Ok(String::new())
}

/// Why a turn was refused, as a clause without a full stop.
///
/// # Errors
///
/// A reason without words, or words that ask for a field that the reason does not have.
pub fn why(reason: &Reason, language: &str, templates: &Templates) -> Result<String, TemplateError> {
    let fields = serde_json::to_value(reason).unwrap_or_default();
    let code = fields.get("code").and_then(|code| code.as_str()).unwrap_or_default();
    templates.word(language, &format!("reasons.{code}"), &fields)
}
