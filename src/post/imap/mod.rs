//! A mailbox at a provider, read over IMAP.

mod connection;
mod folder;

use std::future::Future;
use std::time::Duration;

use async_imap::extensions::idle::IdleResponse;

pub use self::connection::ImapError;
use self::connection::{ImapSession, connect, within};
use self::folder::Folder;
use super::{Intake, Stop, Take, TakeError};
use crate::config;

/// How long we wait for news before we look by ourselves: lines die without a word.
const IDLE: Duration = Duration::from_secs(5 * 60);
/// The same where the server cannot tell us news.
const POLL: Duration = Duration::from_secs(60);
/// The pauses before a new connection after one was lost: doubled each time up to the last.
const FIRST_PAUSE: Duration = Duration::from_secs(5);
const LAST_PAUSE: Duration = Duration::from_secs(5 * 60);

/// How long after the word to stop a server may still answer.
const GRACE: Duration = Duration::from_secs(5);

/// How far a folder has been read: all mails up to `uid` are done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ImapMark {
    /// The UIDVALIDITY under which the UID holds.
    pub uid_validity: u32,
    pub uid: u32,
}

/// Keeps the marks of folders from one run to the next: the store.
pub trait ImapMemory {
    /// The mark of the folder that `mailbox` names.
    fn recall(&self, mailbox: &str) -> Result<Option<ImapMark>, TakeError>;

    /// Keeps the mark, durably, in place of an earlier one.
    fn note(&self, mailbox: &str, mark: ImapMark) -> Result<(), TakeError>;
}

/// Takes mails out of a folder of an IMAP mailbox, in the order of their UIDs.
///
/// The mark is kept after each mail that was taken over; killed between the two, the mail is taken twice, and the taker
/// knows it again.
#[derive(Debug)]
pub struct ImapSource {
    settings: config::ImapSource,
    max_bytes: usize,
}

impl ImapSource {
    pub fn new(settings: &config::ImapSource, max_bytes: usize) -> Self {
        ImapSource {
            settings: settings.clone(),
            max_bytes,
        }
    }

    /// Connects, logs in, selects the folder and leaves again: for `playpost doctor`.
    pub fn check(&self) -> Result<(), ImapError> {
        block_on(async {
            let mut session = connect(&self.settings).await?;
            within("EXAMINE", session.examine(&self.settings.folder)).await?;
            within("LOGOUT", session.logout()).await
        })
    }

    /// Hands over what waits in the folder, and leaves: for `playpost run`.
    pub fn drain(&self, taker: &dyn Take, memory: &dyn ImapMemory, stop: &Stop) -> Result<Intake, ImapError> {
        block_on(async {
            let mut folder = self.open(memory).await?;
            let intake = folder.drain(taker, memory, stop).await?;
            // What was to be done is done, whether the server hears it or not.
            let _ = within("LOGOUT", folder.session.logout()).await;
            Ok(intake)
        })
    }

    /// Hands over what waits and what comes, until the word to stop. A line that is lost is made anew, after pauses that grow.
    pub fn serve(&self, taker: &dyn Take, memory: &dyn ImapMemory, stop: &Stop) -> Result<(), ImapError> {
        block_on(async {
            let mut pause = FIRST_PAUSE;
            while !stop.is_stopped() {
                let mut was_connected = false;
                let ended = tokio::select! {
                    ended = self.serve_line(taker, memory, stop, &mut was_connected) => ended,
                    () = stopped_for(GRACE, stop) => return Ok(()),
                };
                let Err(error) = ended else { return Ok(()) };
                if was_connected {
                    pause = FIRST_PAUSE;
                }
                tracing::warn!(%error, pause = ?pause, "IMAP line lost, to be made anew");
                tokio::select! {
                    () = tokio::time::sleep(jittered(pause)) => {}
                    () = stop.stopped() => {}
                }
                pause = (pause * 2).min(LAST_PAUSE);
            }
            Ok(())
        })
    }

    async fn open(&self, memory: &dyn ImapMemory) -> Result<Folder<'_>, ImapError> {
        let session = connect(&self.settings).await?;
        Folder::select(session, &self.settings, self.max_bytes, memory).await
    }

    /// One line from its connection to its loss, or to the word to stop.
    async fn serve_line(
        &self,
        taker: &dyn Take,
        memory: &dyn ImapMemory,
        stop: &Stop,
        was_connected: &mut bool,
    ) -> Result<(), ImapError> {
        let mut folder = self.open(memory).await?;
        *was_connected = true;
        loop {
            let intake = folder.drain(taker, memory, stop).await?;
            if stop.is_stopped() {
                let _ = within("LOGOUT", folder.session.logout()).await;
                return Ok(());
            }
            // A mail that was not taken over comes no nearer by waiting for news.
            folder = if intake.kept == 0 && folder.capabilities.has_str("IDLE") {
                folder.lend_session(|session| idle(session, stop)).await?
            } else {
                folder.lend_session(|session| poll(session, stop)).await?
            };
        }
    }
}

/// Waits for news, or for a while.
async fn idle(session: ImapSession, stop: &Stop) -> Result<ImapSession, ImapError> {
    let mut handle = session.idle();
    within("IDLE", handle.init()).await?;
    let (news, interrupt) = handle.wait_with_timeout(IDLE);
    tokio::select! {
        // The time of async-imap begins anew with every "still here" of the server; this one does not.
        outcome = tokio::time::timeout(IDLE, news) => {
            if let Ok(Ok(IdleResponse::ManualInterrupt)) = outcome {
                return Err(ImapError::Silent("line closed in IDLE"));
            }
        }
        () = stop.stopped() => {}
    }
    drop(interrupt);
    within("DONE", handle.done()).await
}

/// Waits for a while, and keeps the line alive.
async fn poll(mut session: ImapSession, stop: &Stop) -> Result<ImapSession, ImapError> {
    tokio::select! {
        () = tokio::time::sleep(POLL) => {}
        () = stop.stopped() => {}
    }
    within("NOOP", session.noop()).await?;
    Ok(session)
}

async fn stopped_for(time: Duration, stop: &Stop) {
    stop.stopped().await;
    tokio::time::sleep(time).await;
}

fn block_on<T>(work: impl Future<Output = Result<T, ImapError>>) -> Result<T, ImapError> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|error| ImapError::Network { doing: "start", error })?;
    runtime.block_on(work)
}

/// Many clients of one server that came back do not all return at once.
fn jittered(pause: Duration) -> Duration {
    pause.mul_f64(1.0 + rand::random::<f64>() * 0.2)
}
