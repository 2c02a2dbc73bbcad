use super::{Envelope, Fate};

/// A mail as a source hands it over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Incoming {
    /// The bytes of the mail; of one that is too large, the first bytes up to one more than the limit.
    pub raw: Vec<u8>,
    pub envelope: Envelope,
}

/// Why a mail could not be taken over. Its source keeps it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TakeError {
    /// It may go well the next time: the database is locked.
    #[error("try again later: {0}")]
    Temporary(String),
    /// The database cannot be opened or written: it goes on only when somebody has looked.
    #[error("the database is unusable: {0}")]
    Unusable(String),
}

/// Somebody who takes mails over: the server.
pub trait Take {
    /// Takes over the mail with the bytes `raw`. When this returns `Ok`, its effects are durable and the source may let go.
    ///
    /// A mail that the taker cannot make sense of, or that makes it panic, is no error: it is set aside.
    fn take(&self, raw: &[u8], envelope: &Envelope) -> Result<Fate, TakeError>;

    /// Takes over several mails in their order; a taker may make them durable together. One result a mail: after a
    /// mail that failed the later ones may fail untried.
    fn take_all(&self, mails: &[Incoming]) -> Vec<Result<Fate, TakeError>> {
        mails.iter().map(|mail| self.take(&mail.raw, &mail.envelope)).collect()
    }
}

impl<T: Take + ?Sized> Take for &T {
    fn take(&self, raw: &[u8], envelope: &Envelope) -> Result<Fate, TakeError> {
        (**self).take(raw, envelope)
    }

    fn take_all(&self, mails: &[Incoming]) -> Vec<Result<Fate, TakeError>> {
        (**self).take_all(mails)
    }
}

/// One line in the log for a mail that came in: where from, how long, and what became of it. Never whose it is or what it says.
pub(super) fn log_fate(source: &str, bytes: usize, outcome: &Result<Fate, TakeError>) {
    match outcome {
        Ok(fate) => tracing::info!(source, bytes, fate = fate.name(), "mail in"),
        Err(error) => tracing::warn!(source, bytes, fate = "kept", %error, "mail in"),
    }
}
