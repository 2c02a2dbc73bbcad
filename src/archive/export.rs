//! Finished matches as records.

use super::parallel::in_parallel;
use super::stored::replay_events;
use crate::matches::{Ending, Head, Record};
use crate::store::{ArchivedMatch, Filter, StoreError, Tx};

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
/// Trouble with the store, and events that are damaged.
pub fn export(tx: &Tx, number: u32, site: &str, talk: bool) -> Result<Option<Record>, ExportError> {
    let Some(archived) = stored(tx, number)? else {
        return Ok(None);
    };
    Ok(Some(record(&archived?, site, talk)?))
}

/// What is stored of a finished match; a row that cannot be read is trouble of that match alone.
pub(super) fn stored(tx: &Tx, number: u32) -> Result<Option<Result<ArchivedMatch, Unplayable>>, StoreError> {
    match tx.archived(number) {
        Err(StoreError::Damaged(why)) => Ok(Some(Err(Unplayable { number, why }))),
        archived => Ok(archived?.map(Ok)),
    }
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
        archived.extend(stored(tx, number)?);
    }
    Ok(in_parallel(&archived, |archived| {
        let archived = archived.as_ref().map_err(Unplayable::clone)?;
        Ok(form(&record(archived, site, talk)?))
    }))
}

/// The record of what is stored. Import is where the rules check it; here they are asked only where the events do not
/// say by themselves which turns stand.
pub(super) fn record(archived: &ArchivedMatch, site: &str, talk: bool) -> Result<Record, Unplayable> {
    let number = archived.number;
    let damaged = |why: String| Unplayable { number, why };
    let head: Head = serde_json::from_str(&archived.head).map_err(|error| damaged(error.to_string()))?;
    let private = head.terms.private;
    let events = archived.events.iter().map(|event| event.body.as_str());
    let ending = Ending {
        at: archived.ended,
        result: &archived.result,
        reason: &archived.reason,
    };
    let told = Record::of_events(head, events, ending, Some(site), talk).map_err(|error| damaged(error.to_string()))?;
    let mut record = match told {
        Some(record) => record,
        None => {
            let game = replay_events(&archived.head, &archived.events).map_err(damaged)?;
            Record::of(&game, Some(site), talk)
        }
    };
    if private {
        record.others.push((PRIVATE.to_string(), "yes".to_string()));
    }
    Ok(record)
}
