//! STORE: SQLite. Schema, migrations, queries and the outbox. The only room that knows SQL.
//!
//! A pipe delivery, a cron run and a daemon may work on one database at the same time: every change is a
//! `BEGIN IMMEDIATE` transaction ([`Store::write`]) and waits up to the busy timeout for its turn.

mod archive;
mod challenges;
mod digest;
mod inbox;
mod keeper;
mod matches;
mod outbox;
mod players;
mod positions;
mod schema;
mod sent;

pub use archive::{ArchivedMatch, ArchivedRow, BetweenRow, Filter, StandingRow};
pub use challenges::{Challenge, ChallengeState, Invitee, NewChallenge};
pub use digest::DigestRow;
pub use inbox::{Fate, InboxRow, NewQuestion, Question, QuestionKind, QuestionState};
pub use keeper::{Progress, SoundBackup};
pub use matches::{MatchRow, StoredEvent, StoredMatch};
pub use outbox::{NewMail, OutboxRow, PackedMail};
pub use players::{Address, MailMode, Player, PlayerId, RatingRow, Settings, VacationRow};
pub use positions::Stood;
pub use schema::VERSION;
pub use sent::{NewSent, Purpose, SentRow, Thread};

use rusqlite::config::DbConfig;
use rusqlite::{Connection, ErrorCode, OpenFlags, Params, Row, TransactionBehavior};
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// How long a writer waits for another process before it gives up as [`StoreError::Busy`].
pub const BUSY_TIMEOUT: Duration = Duration::from_secs(5);

/// The database in the data directory.
const FILE_NAME: &str = "playpost.db";

/// The most memory that pages of the database take, in KiB.
const CACHE_KIB: i64 = 16 * 1024;

/// The write-ahead log is folded into the database when it has so many pages (16 MiB): a batch of mails changes thousands.
const CHECKPOINT_PAGES: u32 = 4096;

/// Why the store could not do it.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// Another process held the database for longer than the busy timeout. Try again later.
    #[error("the database is busy")]
    Busy,
    /// The file cannot be opened or written: missing rights, a full or read-only disk, a file that is no database.
    #[error("the database cannot be used: {0}")]
    Unusable(String),
    /// The database should be there, and is not, or is empty: a disk that is not mounted, or a file that was lost.
    #[error(
        "there is no database at {0}, and one must be there (`data_must_exist`): is its disk mounted? `playpost init` makes a new one, `playpost admin restore` brings one back"
    )]
    Missing(String),
    /// The database was made by a newer Playpost.
    #[error("the database has schema {found}, this program knows up to {known}: install the newer Playpost")]
    TooNew { found: i64, known: i64 },
    /// Something stored does not read back: a damaged row or a bug.
    #[error("stored data cannot be read: {0}")]
    Damaged(String),
    #[error("database: {0}")]
    Sqlite(rusqlite::Error),
}

impl From<rusqlite::Error> for StoreError {
    fn from(error: rusqlite::Error) -> Self {
        match error.sqlite_error_code() {
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => StoreError::Busy,
            Some(
                ErrorCode::CannotOpen
                | ErrorCode::ReadOnly
                | ErrorCode::DiskFull
                | ErrorCode::SystemIoFailure
                | ErrorCode::PermissionDenied
                | ErrorCode::NotADatabase
                | ErrorCode::DatabaseCorrupt,
            ) => StoreError::Unusable(error.to_string()),
            _ => StoreError::Sqlite(error),
        }
    }
}

impl From<serde_json::Error> for StoreError {
    fn from(error: serde_json::Error) -> Self {
        StoreError::Damaged(error.to_string())
    }
}

pub type Result<T> = std::result::Result<T, StoreError>;

/// An open database.
pub struct Store {
    connection: Connection,
    path: PathBuf,
}

/// A transaction: the queries of the other files are its methods.
pub struct Tx<'a>(&'a Connection);

impl Deref for Tx<'_> {
    type Target = Connection;

    fn deref(&self) -> &Connection {
        self.0
    }
}

impl Tx<'_> {
    /// As [`Connection::execute`], the compiled statement kept: compiling one costs more than most of them do.
    pub fn execute(&self, sql: &str, values: impl Params) -> rusqlite::Result<usize> {
        self.prepare_cached(sql)?.execute(values)
    }

    /// As [`Connection::query_row`], the compiled statement kept.
    pub fn query_row<T>(
        &self,
        sql: &str,
        values: impl Params,
        read: impl FnOnce(&Row) -> rusqlite::Result<T>,
    ) -> rusqlite::Result<T> {
        self.prepare_cached(sql)?.query_row(values, read)
    }

    /// Runs a part of the transaction: when `work` fails, what it wrote is taken back, and the transaction goes on.
    pub fn attempt<T, E: From<StoreError>>(
        &self,
        work: impl FnOnce() -> std::result::Result<T, E>,
    ) -> std::result::Result<T, E> {
        let run = |sql| self.prepare_cached(sql)?.execute([]).map_err(StoreError::from);
        run("SAVEPOINT attempt")?;
        let outcome = work();
        if outcome.is_err() {
            run("ROLLBACK TO attempt")?;
        }
        run("RELEASE attempt")?;
        outcome
    }
}

impl Store {
    /// Opens the database in this directory, making both where they are missing, and migrates it.
    pub fn open(directory: &Path) -> Result<Self> {
        std::fs::create_dir_all(directory)
            .map_err(|error| StoreError::Unusable(format!("{}: {error}", directory.display())))?;
        Self::open_file(&directory.join(FILE_NAME))
    }

    /// Opens the database in this directory and migrates it.
    ///
    /// # Errors
    ///
    /// [`StoreError::Missing`] where there is none, or a file without content.
    pub fn open_existing(directory: &Path) -> Result<Self> {
        let path = directory.join(FILE_NAME);
        match std::fs::metadata(&path) {
            Ok(found) if found.len() > 0 => Self::open_file(&path),
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                Err(StoreError::Unusable(format!("{}: {error}", path.display())))
            }
            _ => Err(StoreError::Missing(path.display().to_string())),
        }
    }

    /// Opens this database file, making it where it is missing, and migrates it.
    pub fn open_file(path: &Path) -> Result<Self> {
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let mut connection = Connection::open_with_flags(path, flags)?;
        connection.busy_timeout(BUSY_TIMEOUT)?;
        connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DQS_DML, false)?;
        connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DQS_DDL, false)?;
        // Plans do not depend on the values bound, or each new value would compile the statement anew.
        connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
        connection.pragma_update(None, "trusted_schema", false)?;
        connection.pragma_update(None, "foreign_keys", true)?;
        // What is deleted is overwritten: addresses of a closed account must be gone.
        connection.pragma_update(None, "secure_delete", true)?;
        keep_write_ahead_log(&connection)?;
        connection.pragma_update(None, "synchronous", "full")?;
        // Room for the pages that a batch of mails changes, or they would be written before the commit and again with it.
        connection.pragma_update(None, "cache_size", -CACHE_KIB)?;
        // What a part of a transaction may take back is kept in memory, and not in a file of its own.
        connection.pragma_update(None, "temp_store", "memory")?;
        connection.pragma_update(None, "wal_autocheckpoint", CHECKPOINT_PAGES)?;
        connection.set_prepared_statement_cache_capacity(256);
        schema::migrate(&mut connection)?;
        Ok(Store {
            connection,
            path: path.to_path_buf(),
        })
    }

    /// The database file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Runs `work` in one immediate transaction: all of it is durable together, or none of it.
    pub fn write<T, E: From<StoreError>>(
        &mut self,
        work: impl FnOnce(&Tx) -> std::result::Result<T, E>,
    ) -> std::result::Result<T, E> {
        let transaction = self
            .connection
            .transaction_with_behavior(TransactionBehavior::Immediate)
            .map_err(StoreError::from)?;
        let value = work(&Tx(&transaction))?;
        transaction.commit().map_err(StoreError::from)?;
        Ok(value)
    }

    /// Folds the write-ahead log into the database and empties it: what was deleted is overwritten in the database, and
    /// must be gone from the log as well. Another process at work only puts it off.
    pub fn fold_log(&mut self) -> Result<()> {
        let checkpoint = "PRAGMA wal_checkpoint(TRUNCATE)";
        Ok(self.connection.query_row(checkpoint, [], |_| Ok(()))?)
    }

    /// Runs `work` on one consistent snapshot.
    pub fn read<T, E: From<StoreError>>(
        &mut self,
        work: impl FnOnce(&Tx) -> std::result::Result<T, E>,
    ) -> std::result::Result<T, E> {
        let transaction = self
            .connection
            .transaction_with_behavior(TransactionBehavior::Deferred)
            .map_err(StoreError::from)?;
        work(&Tx(&transaction))
    }
}

/// Changes a new database to a write-ahead log. SQLite does not wait for others in this, so two processes that open a new
/// database at once would fail.
fn keep_write_ahead_log(connection: &Connection) -> Result<()> {
    let begun = Instant::now();
    loop {
        let changed = connection.pragma_update_and_check(None, "journal_mode", "wal", |_| Ok(()));
        match changed.map_err(StoreError::from) {
            Err(StoreError::Busy) if begun.elapsed() < BUSY_TIMEOUT => std::thread::sleep(Duration::from_millis(10)),
            other => return other,
        }
    }
}

/// Reads a JSON column.
fn from_json<T: serde::de::DeserializeOwned>(text: &str) -> Result<T> {
    Ok(serde_json::from_str(text)?)
}

/// Writes a JSON column.
fn to_json<T: serde::Serialize>(value: &T) -> Result<String> {
    Ok(serde_json::to_string(value)?)
}
