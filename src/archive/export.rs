//! Finished matches as records.

use super::replay;
use crate::matches::Record;
use crate::store::{Filter, StoreError, Tx};

/// The tag of a match at which only its players may look.
pub(super) const PRIVATE: &str = "Private";

/// Why a match cannot be exported.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Its events do not replay under the present rules.
    #[error("match {number}: {why}")]
    Unplayable { number: u32, why: String },
}

/// Numbers of the finished matches that the filter lets by, in order.
///
/// # Errors
///
/// Trouble with the store.
pub fn finished(tx: &Tx, filter: &Filter) -> Result<Vec<u32>, StoreError> {
    let mut numbers: Vec<u32> = tx.search_archive(filter)?.iter().map(|row| row.number).collect();
    numbers.sort_unstable();
    Ok(numbers)
}

/// The record of a finished match, `None` where there is none of that number. `site` is the address of this server;
/// `talk` asks for what the players said.
///
/// # Errors
///
/// Trouble with the store, and events that do not replay.
pub fn export(tx: &Tx, number: u32, site: &str, talk: bool) -> Result<Option<Record>, ExportError> {
    let Some(stored) = tx.stored_match(number)?.filter(|stored| stored.finished) else {
        return Ok(None);
    };
    let game = replay(&stored).map_err(|why| ExportError::Unplayable { number, why })?;
    let mut record = Record::of(&game, Some(site), talk);
    if game.head().terms.private {
        record.others.push((PRIVATE.to_string(), "yes".to_string()));
    }
    Ok(Some(record))
}
