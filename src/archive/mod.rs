//! ARCHIVE: finished matches out to records and back.
//!
//! A record (`matches`) is the form in which a match leaves the house and comes in. [`export`] writes the record of
//! what is stored; [`Import`] reads files of records, has the rules check every turn, and enters the good ones. [`search`]
//! finds the matches in which a position stood.

mod export;
mod import;
mod position;
mod site;
mod stored;

pub use export::{ExportError, Unplayable, export, export_all};
pub use import::{Count, Failing, Import, ImportError, Wrong, files};
pub use position::{Canonical, FORM, Found, PositionError, derive_missing, position_in, positions, search};
pub use site::{Made, Plan, SiteError, write_site};
pub use stored::{event, replay, row, won};
