//! The archive as a web site of files: it needs no server, and works from a disk.
//!
//! A page for each public match, on which its turns can be gone through, lists by game and by player, standings. Words
//! and pages stand in `templates/`; private matches, talk and addresses of players appear nowhere.

mod folder;
mod lists;
mod page;
mod replay;

use super::export::{Unplayable, record};
use crate::letters::{TemplateError, Templates};
use crate::store::{ArchivedMatch, ArchivedRow, Filter, Store, StoreError, Tx};
use folder::Folder;
use lists::Lists;
use page::Press;
use rayon::prelude::*;
use std::io;
use std::path::{Path, PathBuf};

/// Matches whose pages are made together.
const BATCH: usize = 200;

const STYLE: &str = include_str!("style.css");
const SCRIPT: &str = include_str!("replay.js");

/// What is to be made.
#[derive(Clone, Copy)]
pub struct Plan<'a> {
    /// Where the site is to stand.
    pub dir: &'a Path,
    /// `None`: the title that the templates give.
    pub title: Option<&'a str>,
    /// The server's address.
    pub address: &'a str,
    pub language: &'a str,
    /// Unix seconds.
    pub now: i64,
    pub templates: &'a Templates,
}

/// What was made.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Made {
    /// Matches with a page.
    pub matches: usize,
    /// All files of the site.
    pub files: usize,
    /// Matches that cannot be played through, with the reason; they are left out.
    pub failing: Vec<(u32, String)>,
}

/// Why a site cannot be made.
#[derive(Debug, thiserror::Error)]
pub enum SiteError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Template(#[from] TemplateError),
    #[error("{}: {error}", .path.display())]
    File { path: PathBuf, error: io::Error },
    /// A file that no earlier run has written stands where one of the site is to stand.
    #[error("{} is there, and is no file of an earlier site: choose another directory, or remove it", .0.display())]
    NotOurs(PathBuf),
    #[error("another run is writing the site in {}: try again when it is done", .0.display())]
    AtWork(PathBuf),
}

/// Makes the site; `progress` hears how many matches are done, and of how many.
///
/// The pages are written beside their place and moved there when all are done; a run that is killed harms no site that
/// was there, and files of an earlier run that are no part of the site any more are removed.
///
/// # Errors
///
/// Trouble with the store, a template or a file.
pub fn write_site(store: &mut Store, plan: &Plan, mut progress: impl FnMut(usize, usize)) -> Result<Made, SiteError> {
    let mut folder = Folder::begin(plan.dir)?;
    let press = Press::new(plan)?;
    folder.write("style.css", STYLE)?;
    folder.write("replay.js", SCRIPT)?;
    let made = store.read(|tx| {
        let mut rows = tx.search_archive(&Filter::default())?;
        let all = rows.len();
        let mut made = Made::default();
        for batch in rows.chunks(BATCH) {
            let failing = write_matches(tx, batch, &press, &mut folder)?;
            made.matches += batch.len() - failing.len();
            made.failing.extend(failing);
            progress(made.matches + made.failing.len(), all);
        }
        rows.retain(|row| made.failing.iter().all(|(number, _)| *number != row.number));
        Lists::new(tx, &rows)?.write(&press, &mut folder)?;
        Ok::<_, SiteError>(made)
    })?;
    let files = folder.finish()?;
    Ok(Made { files, ..made })
}

/// Writes pages and records of matches; gives those that cannot be played through.
fn write_matches(
    tx: &Tx,
    rows: &[ArchivedRow],
    press: &Press,
    folder: &mut Folder,
) -> Result<Vec<(u32, String)>, SiteError> {
    let mut archived = Vec::with_capacity(rows.len());
    for row in rows {
        archived.extend(tx.archived(row.number)?.map(|archived| (archived, row)));
    }
    let pages = archived
        .par_iter()
        .map(|(archived, row)| (row.number, match_page(archived, row, press)));
    let pages: Vec<_> = pages.collect();
    let mut failing = Vec::new();
    for (number, page) in pages {
        match page {
            Ok(MatchFiles { page, record }) => {
                folder.write(&format!("match/{number}.html"), &page)?;
                folder.write(&format!("match/{number}.txt"), &record)?;
            }
            Err(Failing::Unplayable(why)) => failing.push((number, why)),
            Err(Failing::Template(error)) => return Err(error.into()),
        }
    }
    Ok(failing)
}

struct MatchFiles {
    page: String,
    record: String,
}

enum Failing {
    Unplayable(String),
    Template(TemplateError),
}

impl From<TemplateError> for Failing {
    fn from(error: TemplateError) -> Self {
        Failing::Template(error)
    }
}

impl From<Unplayable> for Failing {
    fn from(unplayable: Unplayable) -> Self {
        Failing::Unplayable(unplayable.why)
    }
}

fn match_page(archived: &ArchivedMatch, row: &ArchivedRow, press: &Press) -> Result<MatchFiles, Failing> {
    let record = record(archived, press.address, false)?;
    let replay = replay::Replay::of(&record, press)?;
    Ok(MatchFiles {
        page: press.page(
            &format!("match/{}.html", record.number),
            "match",
            replay.context(&record, row, press)?,
        )?,
        record: record.to_text(),
    })
}
