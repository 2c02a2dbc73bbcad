//! The Maildir for mails that came while the database could not be opened or written: nothing is lost, and the next
//! `playpost run` takes them in.

use std::path::Path;

use super::maildir_source::After;
use super::{Envelope, Intake, Maildir, MaildirSource, PostError, Stop, Take};

/// Keeps a mail for later, durably, in the Maildir at `directory`. Its envelope goes before its header, where it is read again.
pub fn keep(directory: &Path, raw: &[u8], envelope: &Envelope) -> Result<(), PostError> {
    Maildir::open(directory)?.store(&[envelope.to_trace("\n").as_bytes(), raw])?;
    tracing::error!(path = %directory.display(), "the database is unusable; the mail waits in the emergency Maildir");
    Ok(())
}

/// Hands what waits in the Maildir at `directory` to `taker`. Mails that are done are removed.
pub fn drain(directory: &Path, max_bytes: usize, taker: &dyn Take, stop: &Stop) -> Result<Intake, PostError> {
    if !directory.exists() {
        return Ok(Intake::default());
    }
    // The lines that `keep` added do not make a mail too large.
    let with_trace = max_bytes.saturating_add(TRACE_BYTES);
    MaildirSource::with(directory, with_trace, After::Remove)?.drain(taker, stop)
}

/// Room for the envelope before the header.
const TRACE_BYTES: usize = 4096;

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use super::*;
    use crate::post::{Fate, TakeError};

    #[derive(Default)]
    struct Last(RefCell<Option<Envelope>>);

    impl Take for Last {
        fn take(&self, _: &[u8], envelope: &Envelope) -> Result<Fate, TakeError> {
            *self.0.borrow_mut() = Some(envelope.clone());
            Ok(Fate::Done)
        }
    }

    #[test]
    fn what_was_kept_comes_back_with_its_envelope_and_only_once() {
        let place = tempfile::tempdir().unwrap();
        let directory = place.path().join("emergency");
        let envelope = Envelope {
            sender: Some(String::new()),
            recipients: vec!["play+k@y".to_string()],
        };
        keep(&directory, b"Subject: x\n\n", &envelope).unwrap();
        let taker = Last::default();
        let first = drain(&directory, 1000, &taker, &Stop::new()).unwrap();
        assert_eq!((first.taken, taker.0.take()), (1, Some(envelope)));
        assert_eq!(
            drain(&directory, 1000, &taker, &Stop::new()).unwrap(),
            Intake::default()
        );
        assert_eq!(std::fs::read_dir(directory.join("cur")).unwrap().count(), 0);
    }

    #[test]
    fn without_an_emergency_there_is_nothing_to_make() {
        let place = tempfile::tempdir().unwrap();
        let directory = place.path().join("emergency");
        drain(&directory, 1000, &Last::default(), &Stop::new()).unwrap();
        assert!(!directory.exists());
    }
}
