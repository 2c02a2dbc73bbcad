//! POST: carries mails between the world and the server.
//!
//! A *source* hands each mail to a taker ([`Take`]: the server) and lets go of it only when the taker has said what became of
//! it, which it does after its commit. A *sink* ([`Sink`]) carries one mail to one recipient, and [`run_outbox`] decides which
//! mail goes when. The taker and the outbox are traits; [`Office`] joins them to the server and its store. [`run_once`] is one
//! round of everything, for cron, and [`serve`] the daemon.
//!
//! | sources | |
//! |---|---|
//! | [`pipe`] | one mail on standard input, from an MTA |
//! | [`MaildirSource`] | a Maildir that an MTA fills |
//! | [`ImapSource`] | a mailbox at a provider |
//! | [`LmtpListener`] | an MTA on this machine that is told what became of each mail |
//! | [`emergency`] | the Maildir for mails that came while the database could not be written |
//!
//! | sinks | |
//! |---|---|
//! | [`SmtpSink`] | a server of a provider, or an MTA |
//! | [`SendmailSink`] | the program `sendmail` of the MTA on this machine |
//! | [`MaildirSink`] | a Maildir, for trials, tests and programs of the keeper's own |

mod check;
mod daemon;
pub mod emergency;
mod envelope;
mod imap;
mod lmtp;
mod maildir;
mod maildir_sink;
mod maildir_source;
mod office;
mod outbox;
pub mod pipe;
mod round;
mod sendmail;
mod smtp;
mod stop;
mod take;

pub use check::check;
pub use daemon::serve;
pub use imap::{ImapError, ImapMark, ImapMemory, ImapSource};
pub use lmtp::LmtpListener;
pub use maildir::Maildir;
pub use maildir_sink::MaildirSink;
pub use maildir_source::MaildirSource;
pub use office::{Clock, Office, open_store};
pub use outbox::{Outbox, OutboxRun, Queued, Verdict, run_outbox};
pub use round::{Round, run_once};
pub use sendmail::SendmailSink;
pub use smtp::SmtpSink;
pub use stop::Stop;
pub use take::{Incoming, Take, TakeError};

/// The server's words, which sources speak too.
pub use crate::{server::Envelope, store::Fate};

use crate::config;

/// One mail on its way out, to one recipient.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outgoing {
    /// The return path; `None` is the empty one (`<>`).
    pub envelope_from: Option<String>,
    /// The one address it goes to.
    pub recipient: String,
    /// The whole mail, composed once and never changed.
    pub bytes: Vec<u8>,
}

/// What became of one try to send a mail. The texts are for the keeper.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sent {
    /// The next one in line has it.
    Delivered,
    /// Not now, or not known: try again.
    Temporary(String),
    /// Refused for good (5yz).
    Permanent(String),
}

/// How many mails a source handed over, and how many it keeps since they were not taken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Intake {
    pub taken: usize,
    pub kept: usize,
}

impl std::ops::AddAssign for Intake {
    fn add_assign(&mut self, more: Intake) {
        self.taken += more.taken;
        self.kept += more.kept;
    }
}

/// Something that carries mails away.
pub trait Sink {
    /// Carries `mail` to its recipient. [`Sent::Delivered`] only when it is durable where it went.
    fn send(&mut self, mail: &Outgoing) -> Sent;

    /// The end of a run: connections that are kept between mails may be closed.
    fn rest(&mut self) {}
}

impl<S: Sink + ?Sized> Sink for Box<S> {
    fn send(&mut self, mail: &Outgoing) -> Sent {
        (**self).send(mail)
    }

    fn rest(&mut self) {
        (**self).rest();
    }
}

/// The sink that the configuration names.
pub fn open_sink(sink: &config::Sink) -> Result<Box<dyn Sink>, PostError> {
    Ok(match sink {
        config::Sink::Maildir(place) => Box::new(MaildirSink::open(&place.path)?),
        config::Sink::Smtp(settings) => Box::new(SmtpSink::open(settings)?),
        config::Sink::Sendmail(settings) => Box::new(SendmailSink::open(settings)),
    })
}

/// Why a source or a sink cannot work.
#[derive(Debug, thiserror::Error)]
pub enum PostError {
    /// A file or a directory.
    #[error("{}: {error}", path.display())]
    File {
        path: std::path::PathBuf,
        error: std::io::Error,
    },
    /// A connection, or what it needs of the system.
    #[error("{place}: {error}")]
    Network { place: String, error: std::io::Error },
    /// What encryption needs.
    #[error("TLS: {0}")]
    Tls(String),
    #[error(transparent)]
    Config(#[from] config::ConfigError),
}
