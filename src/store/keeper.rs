//! What the server notes about itself, and the keeper's tools that work on the whole database.

use super::{Result, Store, StoreError, Tx};
use rusqlite::backup::Backup;
use rusqlite::{Connection, OptionalExtension, params};
use std::path::{Path, PathBuf};
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

    /// Sets a player's name in the heads of the matches in which he sits; gives in how many.
    pub fn rename_in_heads(&self, player: super::PlayerId, from: &str, to: &str) -> Result<usize> {
        let mut changed = 0;
        for (table, seats) in [("match", "seat"), ("archived", "archived_seat")] {
            // The player and the names are bound; the tables are constants.
            let query = format!(
                "UPDATE {table} SET head = (
                   SELECT json_set(head, '$.players', json_group_array(iif(value = ?1, ?2, value))) FROM (
                     SELECT value FROM json_each(head, '$.players') ORDER BY key))
                 WHERE number IN (SELECT match FROM {seats} WHERE player = ?3)"
            );
            changed += self.execute(&query, params![from, to, player.0])?;
        }
        Ok(changed)
    }

    /// Two players who have a match or a waiting challenge in common cannot become one.
    pub fn are_opponents(&self, one: super::PlayerId, other: super::PlayerId) -> Result<bool> {
        Ok(self.query_row(
            "SELECT EXISTS (SELECT 1 FROM seat AS a JOIN seat AS b ON a.match = b.match WHERE a.player = ?1 AND b.player = ?2)
                 OR EXISTS (SELECT 1 FROM archived_seat AS a JOIN archived_seat AS b ON a.match = b.match
                            WHERE a.player = ?1 AND b.player = ?2)
                 OR EXISTS (SELECT 1 FROM challenge WHERE state = 'waiting'
                            AND ?1 IN (SELECT challenge.player UNION SELECT player FROM invitee WHERE challenge = number)
                            AND ?2 IN (SELECT challenge.player UNION SELECT player FROM invitee WHERE challenge = number))",
            [one.0, other.0],
            |row| row.get(0),
        )?)
    }

    /// Gives everything of one player to another: matches, archive, addresses, keys, blocks, vacations. The first keeps
    /// nothing; of vacations on the same days that of the second stays.
    pub fn merge_into(&self, from: super::PlayerId, to: super::PlayerId) -> Result<()> {
        let both = [from.0, to.0];
        self.execute("UPDATE address SET main = 0 WHERE player = ?1", [from.0])?;
        for table in [
            "address",
            "sent",
            "seat",
            "archived_seat",
            "challenge",
            "digest",
            "question",
            "outbox",
        ] {
            self.execute(&format!("UPDATE {table} SET player = ?2 WHERE player = ?1"), both)?;
        }
        self.execute("UPDATE invitee SET player = ?2 WHERE player = ?1", both)?;
        for table in ["watcher", "thread"] {
            self.execute(
                &format!("UPDATE OR IGNORE {table} SET player = ?2 WHERE player = ?1"),
                both,
            )?;
        }
        // A rematch that waits knows its players by the order of the seats.
        self.execute(
            "UPDATE challenge SET terms = (
               SELECT json_set(terms, '$.order', json_group_array(iif(value = ?1, ?2, value))) FROM (
                 SELECT value FROM json_each(terms, '$.order') ORDER BY key))
             WHERE json_type(terms, '$.order') = 'array'
               AND ?1 IN (SELECT value FROM json_each(terms, '$.order'))",
            both,
        )?;
        for side in ["player", "blocked"] {
            self.execute(
                &format!("UPDATE OR IGNORE block SET {side} = ?2 WHERE {side} = ?1"),
                both,
            )?;
        }
        self.execute("DELETE FROM block WHERE player = blocked", [])?;
        self.execute(
            "UPDATE vacation SET player = ?2 WHERE player = ?1 AND NOT EXISTS (
               SELECT 1 FROM vacation AS other
               WHERE other.player = ?2 AND other.start < vacation.end AND vacation.start < other.end)",
            both,
        )?;
        // Nobody watches a match in which he sits.
        self.execute(
            "DELETE FROM watcher WHERE player = ?1 AND match IN (SELECT match FROM seat WHERE player = ?1)",
            [to.0],
        )?;
        Ok(())
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

    /// Whether the path leads to the database or to a file that SQLite keeps beside it.
    pub fn is_own_file(&self, path: &Path) -> bool {
        let own = resolved(&self.path);
        let path = resolved(path);
        ["", "-wal", "-shm", "-journal"].iter().any(|ending| {
            let mut own = own.clone().into_os_string();
            own.push(ending);
            path == Path::new(&own)
        })
    }

    /// Gives the space of deleted rows back to the disk.
    pub fn vacuum(&mut self) -> Result<()> {
        self.connection
            .execute_batch("VACUUM; PRAGMA wal_checkpoint(TRUNCATE);")?;
        Ok(())
    }
}

/// The path without links, of a file that need not be there yet.
fn resolved(path: &Path) -> PathBuf {
    let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
    if let Ok(found) = absolute.canonicalize() {
        return found;
    }
    match (absolute.parent().map(Path::canonicalize), absolute.file_name()) {
        (Some(Ok(parent)), Some(name)) => parent.join(name),
        _ => absolute,
    }
}

/// Pages copied between two looks at the progress.
const STEP: std::os::raw::c_int = 256;

fn copy(source: &Connection, target: &Path, progress: impl Fn(Progress)) -> Result<()> {
    let mut target = Connection::open(target)?;
    target.busy_timeout(super::BUSY_TIMEOUT)?;
    copy_pages(source, &mut target, progress)
}

/// A backup that can be restored.
pub struct SoundBackup(Connection);

impl SoundBackup {
    /// Looks a backup through.
    ///
    /// # Errors
    ///
    /// A file that is no sound database of Playpost, or one of a newer Playpost.
    pub fn open(path: &Path) -> Result<SoundBackup> {
        let unusable = |why: String| StoreError::Unusable(format!("{}: {why}", path.display()));
        if !path.is_file() {
            return Err(unusable("there is no such file".to_string()));
        }
        let source = Connection::open(path)?;
        let version: i64 = source.query_row("PRAGMA user_version", [], |row| row.get(0))?;
        if version < 1 {
            return Err(unusable("this is no database of Playpost".to_string()));
        }
        if version > super::VERSION {
            let (found, known) = (version, super::VERSION);
            return Err(StoreError::TooNew { found, known });
        }
        let faults = Tx(&source).integrity()?;
        match faults.first() {
            Some(fault) => Err(unusable(fault.clone())),
            None => Ok(SoundBackup(source)),
        }
    }

    /// Puts its content in the place of the database in `directory`, which others may have open.
    ///
    /// # Errors
    ///
    /// Trouble with either file; nothing is changed then.
    pub fn restore(&self, directory: &Path, progress: impl Fn(Progress)) -> Result<()> {
        let mut present = Store::open(directory)?;
        copy_pages(&self.0, &mut present.connection, progress)?;
        drop(present);
        // An older schema is brought up to the present one.
        Store::open(directory).map(|_| ())
    }
}

fn copy_pages(source: &Connection, target: &mut Connection, progress: impl Fn(Progress)) -> Result<()> {
    let backup = Backup::new(source, target)?;
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
