use std::future::Future;

use async_imap::types::{Capabilities, Fetch, UnsolicitedResponse};
use futures_util::TryStreamExt;

use super::connection::{ImapError, ImapSession, within};
use super::{ImapMark, ImapMemory};
use crate::config::ImapSource;
use crate::post::take::log_fate;
use crate::post::{Envelope, Intake, Stop, Take};

/// A selected folder, and how far it has been read.
///
/// The state is the UID of the last mail that is done, under the folder's UIDVALIDITY. What other programs do to the flags,
/// `\Seen` among them, makes no difference.
pub(super) struct Folder<'a> {
    pub(super) session: ImapSession,
    pub(super) capabilities: Capabilities,
    settings: &'a ImapSource,
    max_bytes: usize,
    mailbox: String,
    mark: ImapMark,
}

impl<'a> Folder<'a> {
    /// Selects the folder of the settings.
    pub(super) async fn select(
        mut session: ImapSession,
        settings: &'a ImapSource,
        max_bytes: usize,
        memory: &dyn ImapMemory,
    ) -> Result<Self, ImapError> {
        let capabilities = within("CAPABILITY", session.capabilities()).await?;
        let selected = within("SELECT", session.select(&settings.folder)).await?;
        let mailbox = format!(
            "{}@{}:{}/{}",
            settings.user,
            settings.host,
            settings.port(),
            settings.folder
        );
        let uid_validity = selected.uid_validity.unwrap_or_default();
        let mark = match memory.recall(&mailbox)? {
            Some(mark) if mark.uid_validity == uid_validity => mark,
            // UIDs of another validity say nothing: everything is looked at, and what has been here is known again.
            _ => ImapMark { uid_validity, uid: 0 },
        };
        Ok(Folder {
            session,
            capabilities,
            settings,
            max_bytes,
            mailbox,
            mark,
        })
    }

    /// The folder with the session that `wait` gives back for its own: async-imap takes the session away while it idles.
    pub(super) async fn lend_session<F>(self, wait: impl FnOnce(ImapSession) -> F) -> Result<Self, ImapError>
    where
        F: Future<Output = Result<ImapSession, ImapError>>,
    {
        let session = wait(self.session).await?;
        Ok(Folder { session, ..self })
    }

    /// Hands all mails after the mark to `taker`, until there are none or it does not take one.
    pub(super) async fn drain(
        &mut self,
        taker: &dyn Take,
        memory: &dyn ImapMemory,
        stop: &Stop,
    ) -> Result<Intake, ImapError> {
        let mut intake = Intake::default();
        loop {
            self.forget_news();
            for uid in self.waiting().await? {
                if stop.is_stopped() {
                    return Ok(intake);
                }
                if let Some(raw) = self.fetch(uid).await? {
                    let outcome = taker.take(&raw, &Envelope::from_trace(&raw));
                    log_fate("imap", raw.len(), &outcome);
                    if outcome.is_err() {
                        intake.kept += 1;
                        return Ok(intake);
                    }
                    intake.taken += 1;
                    self.let_go(uid).await?;
                }
                self.mark.uid = uid;
                memory.note(&self.mailbox, self.mark)?;
            }
            // Of mails that came meanwhile the server has already told; it does not do so again while we idle.
            if !self.forget_news() {
                return Ok(intake);
            }
        }
    }

    /// The UIDs after the mark, in their order.
    async fn waiting(&mut self) -> Result<Vec<u32>, ImapError> {
        let first = self.mark.uid.saturating_add(1);
        let found = within("SEARCH", self.session.uid_search(format!("UID {first}:*"))).await?;
        // `n:*` gives the last mail even where its UID is lower.
        let mut uids: Vec<u32> = found.into_iter().filter(|uid| *uid >= first).collect();
        uids.sort_unstable();
        Ok(uids)
    }

    /// The mail, without a flag being set, and of one that is too large its beginning; `None` when somebody has removed it.
    async fn fetch(&mut self, uid: u32) -> Result<Option<Vec<u8>>, ImapError> {
        let query = format!("(UID BODY.PEEK[]<0.{}>)", self.max_bytes.saturating_add(1));
        let session = &mut self.session;
        let fetched: Vec<Fetch> = within("FETCH", async move {
            session.uid_fetch(uid.to_string(), query).await?.try_collect().await
        })
        .await?;
        match fetched.iter().find(|fetch| fetch.uid == Some(uid)) {
            None => Ok(None),
            Some(fetch) => match fetch.body() {
                Some(body) => Ok(Some(body.to_vec())),
                // Never taken for done: the next connection asks again.
                None => Err(ImapError::Silent("FETCH without a body")),
            },
        }
    }

    /// Marks the mail as read, and moves it where the settings say so. Only for people who look into the mailbox: a server that
    /// refuses it is no reason to stop.
    async fn let_go(&mut self, uid: u32) -> Result<(), ImapError> {
        self.store(uid, "+FLAGS.SILENT (\\Seen)").await?;
        if let Some(folder) = self.settings.done_folder.clone()
            && let Err(refusal) = lenient(self.file_away(uid, &folder).await)?
        {
            tracing::warn!(folder, %refusal, "mail is done but cannot be moved");
        }
        Ok(())
    }

    async fn file_away(&mut self, uid: u32, folder: &str) -> Result<(), ImapError> {
        match lenient(self.move_to(uid, folder).await)? {
            Ok(()) => Ok(()),
            Err(_) => {
                // The folder may not be there yet; if it is, the second try tells what the matter was.
                lenient(within("CREATE", self.session.create(folder)).await)?.unwrap_or_default();
                self.move_to(uid, folder).await
            }
        }
    }

    async fn move_to(&mut self, uid: u32, folder: &str) -> Result<(), ImapError> {
        let uid_text = uid.to_string();
        if self.capabilities.has_str("MOVE") {
            return within("MOVE", self.session.uid_mv(&uid_text, folder)).await;
        }
        within("COPY", self.session.uid_copy(&uid_text, folder)).await?;
        self.store(uid, "+FLAGS.SILENT (\\Deleted)").await?;
        if self.capabilities.has_str("UIDPLUS") {
            let session = &mut self.session;
            within("EXPUNGE", async move {
                session.uid_expunge(uid_text).await?.try_collect::<Vec<u32>>().await
            })
            .await?;
        }
        Ok(())
    }

    async fn store(&mut self, uid: u32, flags: &str) -> Result<(), ImapError> {
        let session = &mut self.session;
        let stored = within("STORE", async move {
            session
                .uid_store(uid.to_string(), flags)
                .await?
                .try_collect::<Vec<Fetch>>()
                .await
        })
        .await;
        lenient(stored.map(drop)).map(|_| ())
    }

    /// Empties the list of what the server told unasked; whether new mail was among it.
    fn forget_news(&mut self) -> bool {
        let mut new_mail = false;
        while let Ok(news) = self.session.unsolicited_responses.try_recv() {
            new_mail |= matches!(news, UnsolicitedResponse::Exists(_));
        }
        new_mail
    }
}

/// Keeps a refusal by the server (NO, BAD) apart from a line that is lost.
fn lenient<T>(outcome: Result<T, ImapError>) -> Result<Result<T, ImapError>, ImapError> {
    use async_imap::error::Error;
    match outcome {
        Err(ImapError::Server { doing, error }) if matches!(*error, Error::No(_) | Error::Bad(_)) => {
            Ok(Err(ImapError::Server { doing, error }))
        }
        Err(error) => Err(error),
        Ok(value) => Ok(Ok(value)),
    }
}
