//! SERVER: one mail is one transaction. The only room where all the others meet.
//!
//! * `take`: the way of one mail, from bytes to the outbox.
//! * `identity`: who wrote it.
//! * `session`: what one mail (or one run of the timers) does, and to whom it has something to say.
//! * `commands`: what each command does.
//! * `questions`: commands that wait for a `yes`.
//! * `live`: matches between the store and the state machine.
//! * `drafts`: pages to composed mails in the outbox.
//! * `keeper`, `rebuild`: what the keeper changes, and derived columns made anew.
//! * `blank`: passwords taken out of mails that are set aside.
//! * `timers`: clocks, reminders, expiry, the server's own absence.

mod blank;
mod commands;
mod digests;
mod drafts;
mod hearing;
mod identity;
mod keeper;
mod live;
mod questions;
mod ratings;
mod rebuild;
mod sayings;
mod secrets;
mod session;
mod take;
mod timers;

pub use blank::without_passwords;
pub use keeper::{Audit, KeeperError};
pub use live::Live;
pub use rebuild::Difference;
pub use take::Envelope;
pub use timers::Ticked;

use crate::config::{Config, Identity, Limits};
use crate::letters::{ComposeError, ServerAddress, TemplateError, Templates};
use crate::store::StoreError;

/// Why a server could not be set up.
#[derive(Debug, thiserror::Error)]
pub enum SetupError {
    #[error(transparent)]
    Templates(#[from] TemplateError),
    #[error("address: {0}")]
    Address(#[from] ComposeError),
}

/// Why a mail could not be handled now.
#[derive(Debug, thiserror::Error)]
pub enum ServerError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Compose(#[from] ComposeError),
    #[error(transparent)]
    Template(#[from] TemplateError),
    /// Something that must hold does not: a bug. The mail is tried again, and set aside in the end.
    #[error("{0}")]
    Broken(String),
}

impl ServerError {
    /// Whether trying again later may help: the database is busy or cannot be written. Otherwise it is the mail.
    pub fn is_store_trouble(&self) -> bool {
        matches!(
            self,
            ServerError::Store(StoreError::Busy | StoreError::Unusable(_) | StoreError::TooNew { .. })
        )
    }
}

pub(crate) type Result<T> = std::result::Result<T, ServerError>;

/// Everything that handling a mail needs beside the store and the time.
pub struct Server {
    pub(crate) address: ServerAddress,
    pub(crate) identity: Identity,
    pub(crate) limits: Limits,
    pub(crate) templates: Templates,
}

impl Server {
    /// # Errors
    ///
    /// A server address that is none, or a keeper's template that does not parse.
    pub fn new(config: &Config) -> std::result::Result<Self, SetupError> {
        Ok(Server {
            address: ServerAddress::new(&config.address)?,
            identity: config.identity.clone(),
            limits: config.limits.clone(),
            templates: Templates::new(config.templates_dir.as_deref())?,
        })
    }

    /// The words of mails, for commands that print them.
    pub fn templates(&self) -> &Templates {
        &self.templates
    }
}
