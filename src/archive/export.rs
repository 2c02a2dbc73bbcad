//! Finished matches as records.

use super::stored::replay_events;
use crate::matches::{Ending, Head, Record};
use crate::store::{ArchivedMatch, StoreError, Tx};
use rayon::prelude::*;

/// The tag of a match at which only its players may look.
pub(super) const PRIVATE: &str = "Private";

/// Why a match cannot be exported.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Unplayable(#[from] Unplayable),
}

/// A finished match whose events cannot be read, or do not replay where only the rules know which turns stand.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("match {number}: {why}")]
pub struct Unplayable {
    pub number: u32,
    pub why: String,
}

/// The record of a finished match, `None` where there is none of that number. `site` is the address of this server;
/// `talk` asks for what the players said.
///
/// # Errors
///
/// Trouble with the store, and events that are damaged.
pub fn export(tx: &Tx, number: u32, site: &str, talk: bool) -> Result<Option<Record>, ExportError> {
    let Some(archived) = tx.archived(number)? else {
        return Ok(None);
    };
    Ok(Some(record(&archived, site, talk)?))
}

/// What `form` makes of the records of finished matches, in the order of the numbers; all processors take part.
/// Numbers of no finished match are passed over; one that is damaged has its error in its place.
///
/// # Errors
///
/// Trouble with the store.
pub fn export_all<T: Send>(
    tx: &Tx,
    numbers: &[u32],
    site: &str,
    talk: bool,
    form: impl Fn(&Record) -> T + Sync,
) -> Result<Vec<Result<T, Unplayable>>, StoreError> {
    let mut archived = Vec::with_capacity(numbers.len());
    for &number in numbers {
        archived.extend(tx.archived(number)?);
    }
    let told = archived.par_iter().map(|archived| record(archived, site, talk));
    Ok(told.map(|told| told.map(|record| form(&record))).collect())
}

/// The record of what is stored. Import is where the rules check it; here they are asked only where the events do not
/// say by themselves which turns stand.
pub(super) fn record(archived: &ArchivedMatch, site: &str, talk: bool) -> Result<Record, Unplayable> {
    let number = archived.number;
    let damaged = |why: String| Unplayable { number, why };
    let head: Head = serde_json::from_str(&archived.head).map_err(|error| damaged(error.to_string()))?;
    let private = head.terms.private;
    let events = archived.events().map_err(|error| damaged(error.to_string()))?;
    let bodies = events.iter().map(|event| event.body.as_str());
    let ending = Ending {
        at: archived.ended,
        result: &archived.result,
        reason: &archived.reason,
    };
    let told = Record::of_events(head, bodies, ending, Some(site), talk).map_err(|error| damaged(error.to_string()))?;
    let mut record = match told {
        Some(record) => record,
        None => {
            let game = replay_events(&archived.head, &events).map_err(damaged)?;
            Record::of(&game, Some(site), talk)
        }
    };
    if private {
        record.others.push((PRIVATE.to_string(), "yes".to_string()));
    }
    Ok(record)
}
