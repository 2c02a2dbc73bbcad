//! A position as a mail shows it.

use super::{Reader, TemplateError, Templates};
use crate::games::Table;

/// The board with its coordinates and the last turn marked, and what stands beside it: hands, marker, whose turn it is.
///
/// # Errors
///
/// A caption that cannot be filled in.
pub fn board(_table: &dyn Table, _reader: &Reader, _templates: &Templates) -> Result<String, TemplateError> {
    Ok(String::new())
}
