//! What the server notes about itself, and the keeper's tools that work on the whole database.

use super::{Result, Store, StoreError, Tx};
use rusqlite::backup::Backup;
use rusqlite::{Connection, OptionalExtension, params};
use std::path::Path;
use std::time::Duration;

/// How far a backup has come: pages done and pages in all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    pub done: u64,
    pub all: u64,
}

impl Tx<'_> {
    pub fn meta(&self, key: &str) -> Result<Option<String>> {
        Ok(self
            .prepare_cached("SELECT value FROM meta WHERE key = ?1")?
            .query_row([key], |row| row.get(0))
            .optional()?)
    }

    pub fn set_meta(&self, key: &str, value: &str) -> Result<()> {
        self.prepare_cached("INSERT OR REPLACE INTO meta (key, value) VALUES (?1, ?2)")?
            .execute([key, value])?;
        Ok(())
    }

    /// A line in the audit: who changed what, and why.
    pub fn audit(&self, at: i64, who: &str, what: &str, why: &str) -> Result<()> {
        self.execute(
            "INSERT INTO audit (at, who, what, why) VALUES (?1, ?2, ?3, ?4)",
            params![at, who, what, why],
        )?;
        Ok(())
    }

    /// The audit, newest first: when, who, what, why.
    pub fn audit_lines(&self, most: u32) -> Result<Vec<(i64, String, String, String)>> {
        let mut statement = self.prepare_cached("SELECT at, who, what, why FROM audit ORDER BY id DESC LIMIT ?1")?;
        let rows = statement.query_map([most], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?)))?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
    }

    /// UIDVALIDITY and last UID of an IMAP source.
    pub fn mailbox(&self, name: &str) -> Result<Option<(u32, u32)>> {
        Ok(self
            .prepare_cached("SELECT uidvalidity, uid FROM mailbox WHERE name = ?1")?
            .query_row([name], |row| Ok((row.get(0)?, row.get(1)?)))
            .optional()?)
    }

    pub fn set_mailbox(&self, name: &str, uidvalidity: u32, uid: u32) -> Result<()> {
        self.prepare_cached("INSERT OR REPLACE INTO mailbox (name, uidvalidity, uid) VALUES (?1, ?2, ?3)")?
            .execute(params![name, uidvalidity, uid])?;
        Ok(())
    }

    /// SQLite's own check of the file; empty when all is well.
    pub fn integrity(&self) -> Result<Vec<String>> {
        let mut statement = self.prepare("PRAGMA integrity_check")?;
        let lines: Vec<String> = statement
            .query_map([], |row| row.get(0))?
            .collect::<rusqlite::Result<_>>()?;
        Ok(lines.into_iter().filter(|line| line != "ok").collect())
    }
}

impl Store {
    /// Copies the database to `target` while others work on it.
    pub fn backup(&self, target: &Path, progress: impl Fn(Progress)) -> Result<()> {
        copy(&self.connection, target, progress)
    }

    /// Gives the space of deleted rows back to the disk.
    pub fn vacuum(&mut self) -> Result<()> {
        self.connection
            .execute_batch("VACUUM; PRAGMA wal_checkpoint(TRUNCATE);")?;
        Ok(())
    }
}

/// Pages copied between two looks at the progress.
const STEP: std::os::raw::c_int = 256;

fn copy(source: &Connection, target: &Path, progress: impl Fn(Progress)) -> Result<()> {
    let mut target = Connection::open(target)?;
    let backup = Backup::new(source, &mut target)?;
    loop {
        use rusqlite::backup::StepResult;
        let step = backup.step(STEP)?;
        let state = backup.progress();
        let count = |pages: std::os::raw::c_int| u64::from(pages.unsigned_abs());
        progress(Progress {
            done: count(state.pagecount - state.remaining),
            all: count(state.pagecount),
        });
        match step {
            StepResult::Done => return Ok(()),
            StepResult::More => {}
            StepResult::Busy | StepResult::Locked => std::thread::sleep(Duration::from_millis(50)),
            _ => return Err(StoreError::Busy),
        }
    }
}
