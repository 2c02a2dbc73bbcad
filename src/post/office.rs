//! The server and its store as sources, timers and the outbox use them.

use super::{Envelope, Fate, ImapMark, ImapMemory, Incoming, Outbox, Outgoing, Queued, Take, TakeError, Verdict};
use crate::config::Config;
use crate::server::{self, Server, ServerError};
use crate::store::{self, Store, StoreError};
use chrono::{DateTime, Utc};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Gives the time. A rehearsal's stands still.
pub type Clock = Box<dyn Fn() -> DateTime<Utc> + Send + Sync>;

/// Where mails are handed in and out: one server on one store, which one thread at a time works on.
pub struct Office {
    server: Server,
    store: Mutex<Store>,
    clock: Clock,
}

impl Office {
    /// Opens the store of the configuration, making it where it is missing and need not exist.
    ///
    /// # Errors
    ///
    /// The store's trouble, as a source must take it.
    pub fn open(server: Server, config: &Config, clock: Clock) -> Result<Self, TakeError> {
        let store = open_store(config).map_err(store_trouble)?;
        Ok(Office {
            server,
            store: Mutex::new(store),
            clock,
        })
    }

    pub fn server(&self) -> &Server {
        &self.server
    }

    pub fn now(&self) -> DateTime<Utc> {
        (self.clock)()
    }

    /// The store, for as long as the guard lives. A panic in another holder has rolled its transaction back.
    pub fn store(&self) -> MutexGuard<'_, Store> {
        self.store.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Runs the timers.
    ///
    /// # Errors
    ///
    /// Trouble with the store.
    pub fn tick(&self) -> Result<server::Ticked, ServerError> {
        let mut store = self.store();
        let ticked = self.server.tick(&mut store, self.now().timestamp())?;
        store.fold_log()?;
        Ok(ticked)
    }
}

impl Take for Office {
    fn take(&self, raw: &[u8], envelope: &Envelope) -> Result<Fate, TakeError> {
        let now = self.now().timestamp();
        let taken = self.server.take(&mut self.store(), raw, envelope, now);
        taken.map_err(|error| trouble(&error))
    }

    /// All of them in one transaction.
    fn take_all(&self, mails: &[Incoming]) -> Vec<Result<Fate, TakeError>> {
        let now = self.now().timestamp();
        let pairs: Vec<(&[u8], &Envelope)> = mails.iter().map(|mail| (mail.raw.as_slice(), &mail.envelope)).collect();
        match self.server.take_all(&mut self.store(), &pairs, now) {
            Ok(fates) => fates.into_iter().map(Ok).collect(),
            Err(error) => mails.iter().map(|_| Err(trouble(&error))).collect(),
        }
    }
}

/// The store of the configuration.
///
/// # Errors
///
/// [`StoreError::Missing`] where the database must exist and does not, and whatever else keeps it from being opened.
pub fn open_store(config: &Config) -> Result<Store, StoreError> {
    if config.data_must_exist {
        Store::open_existing(&config.data)
    } else {
        Store::open(&config.data)
    }
}

fn trouble(error: &ServerError) -> TakeError {
    match error {
        ServerError::Store(StoreError::Unusable(why)) => TakeError::Unusable(why.clone()),
        other => TakeError::Temporary(other.to_string()),
    }
}

impl ImapMemory for Office {
    fn recall(&self, mailbox: &str) -> Result<Option<ImapMark>, TakeError> {
        let mark = self.store().read(|tx| tx.mailbox(mailbox)).map_err(store_trouble)?;
        Ok(mark.map(|(uid_validity, uid)| ImapMark { uid_validity, uid }))
    }

    fn note(&self, mailbox: &str, mark: ImapMark) -> Result<(), TakeError> {
        let noted = self
            .store()
            .write(|tx| tx.set_mailbox(mailbox, mark.uid_validity, mark.uid));
        noted.map_err(store_trouble)
    }
}

/// What the keeper reads of a mail whose stored bytes cannot be read.
const DAMAGED: &str = "the stored mail is damaged";

fn store_trouble(error: StoreError) -> TakeError {
    trouble(&ServerError::from(error))
}

impl Outbox for Office {
    type Error = StoreError;

    fn due(&self, now: DateTime<Utc>, limit: usize) -> Result<Vec<Queued>, StoreError> {
        loop {
            let rows = self.store().read(|tx| tx.due_mails(now.timestamp(), limit))?;
            let (damaged, whole): (Vec<_>, Vec<_>) = rows.into_iter().partition(|row| row.raw.is_empty());
            for row in &damaged {
                tracing::error!(id = row.id, "a mail in the outbox is damaged");
                self.store().write(|tx| tx.give_up(row.id, DAMAGED))?;
            }
            // What stood behind a damaged one is due now.
            if damaged.is_empty() || !whole.is_empty() {
                return Ok(whole.into_iter().map(queued).collect());
            }
        }
    }

    fn begin(&self, id: i64, now: DateTime<Utc>, next_try: DateTime<Utc>) -> Result<bool, StoreError> {
        self.store()
            .write(|tx| tx.begin_try(id, now.timestamp(), next_try.timestamp()))
    }

    fn finish(&self, id: i64, verdict: &Verdict, now: DateTime<Utc>) -> Result<(), StoreError> {
        self.store().write(|tx| match verdict {
            Verdict::Sent => tx.delivered(id, now.timestamp()),
            Verdict::Waits(reply) => tx.try_failed(id, reply),
            Verdict::Failed(reply) => tx.give_up(id, reply),
            Verdict::Expired => tx.drop_mail(id).map(|_| ()),
        })
    }

    fn sent_since(&self, since: DateTime<Utc>) -> Result<u64, StoreError> {
        self.store().read(|tx| tx.sent_since(since.timestamp()))
    }
}

fn queued(row: store::OutboxRow) -> Queued {
    let time = |at: i64| DateTime::from_timestamp(at, 0).unwrap_or_default();
    Queued {
        id: row.id,
        mail: Outgoing {
            envelope_from: row.envelope_from,
            recipient: row.recipient,
            bytes: row.raw,
        },
        attempts: row.attempts,
        queued: time(row.created),
        expires: row.stale_after.map(time),
    }
}
