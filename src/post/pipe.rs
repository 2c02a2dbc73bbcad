//! One mail on standard input, as an MTA's pipe calls `playpost deliver`.
//!
//! The contract of the pipe: 0 when the mail is kept safe, 75 when the MTA shall try again, and nothing else, because an
//! MTA turns any other status into a bounce. All of the input is read even when it is too long, since an MTA whose
//! pipe breaks takes that for a failure.

use std::io::{self, Read};
use std::path::Path;

use super::take::log_fate;
use super::{Envelope, Fate, Take, TakeError, emergency};

/// Where a mail from the pipe is now. Either way it is durable, and the MTA may forget it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Delivered {
    /// The taker has it.
    Taken(Fate),
    /// It waits in the emergency Maildir, since the database could not be opened or written.
    Emergency,
}

/// Reads one mail to the end of `input`, without the `From ` and `>From ` lines that Exim and procmail put first. Of a
/// mail longer than `max_bytes` the first `max_bytes + 1` are kept, so that it can be told and its header read.
pub fn read_mail(mut input: impl Read, max_bytes: usize) -> io::Result<Vec<u8>> {
    let mut raw = Vec::new();
    // As much again for the lines that are taken off.
    let read_limit = max_bytes.saturating_add(1).saturating_add(FROM_LINES_BYTES);
    input.by_ref().take(read_limit as u64).read_to_end(&mut raw)?;
    io::copy(&mut input, &mut io::sink())?;
    let skipped = from_lines_length(&raw);
    raw.drain(..skipped);
    raw.truncate(max_bytes.saturating_add(1));
    Ok(raw)
}

/// Hands the mail `raw` to the taker that `open` gives, or to the emergency Maildir at `emergency_dir` when the database is
/// unusable. An error is for the log; the MTA shall try again.
///
/// A database that is only locked is no emergency: the MTA waits better than we do.
pub fn deliver<T: Take>(
    raw: &[u8],
    envelope: &Envelope,
    open: impl FnOnce() -> Result<T, TakeError>,
    emergency_dir: &Path,
) -> Result<Delivered, String> {
    let outcome = open().and_then(|taker| taker.take(raw, envelope));
    log_fate("pipe", raw.len(), &outcome);
    match outcome {
        Ok(fate) => Ok(Delivered::Taken(fate)),
        Err(TakeError::Temporary(reason)) => Err(reason),
        Err(TakeError::Unusable(reason)) => match emergency::keep(emergency_dir, raw, envelope) {
            Ok(()) => Ok(Delivered::Emergency),
            Err(error) => Err(format!("{reason}; nor can the mail be kept for later: {error}")),
        },
    }
}

/// Room for the lines that stand before a mail; addresses in them are at most 320 bytes.
const FROM_LINES_BYTES: usize = 2048;

/// The length of the `From ` line and the `>From ` lines at the beginning.
fn from_lines_length(raw: &[u8]) -> usize {
    let mut length = 0;
    while raw[length..].starts_with(b"From ") || raw[length..].starts_with(b">From ") {
        match raw[length..].iter().position(|&byte| byte == b'\n') {
            Some(end) => length += end + 1,
            None => break,
        }
    }
    length
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Says(Result<Fate, TakeError>);

    impl Take for Says {
        fn take(&self, _: &[u8], _: &Envelope) -> Result<Fate, TakeError> {
            self.0.clone()
        }
    }

    fn envelope() -> Envelope {
        Envelope {
            sender: Some("a@x".to_string()),
            recipients: vec!["play+k@y".to_string()],
        }
    }

    #[test]
    fn the_lines_of_mailboxes_are_skipped() {
        let mail = b"From a@x Sun Nov 29\n>From b@x\nSubject: x\n\nFrom here on: e5\n";
        assert_eq!(read_mail(&mail[..], 1000).unwrap(), b"Subject: x\n\nFrom here on: e5\n");
        assert_eq!(
            read_mail(&b"From without an end"[..], 1000).unwrap(),
            b"From without an end"
        );
        assert_eq!(read_mail(&b"From: a@x\n"[..], 1000).unwrap(), b"From: a@x\n");
        assert_eq!(read_mail(&b""[..], 1000).unwrap(), b"");
    }

    #[test]
    fn too_long_an_input_is_read_to_its_end_and_kept_as_far_as_it_tells() {
        let mut input = io::Cursor::new(vec![b'x'; 100_000]);
        assert_eq!(read_mail(&mut input, 10).unwrap().len(), 11);
        assert_eq!(input.position(), 100_000);
    }

    #[test]
    fn a_locked_database_is_no_emergency() {
        let place = tempfile::tempdir().unwrap();
        let locked = || Ok(Says(Err(TakeError::Temporary("locked".to_string()))));
        assert!(deliver(b"x", &envelope(), locked, place.path()).is_err());
        assert_eq!(std::fs::read_dir(place.path()).unwrap().count(), 0);
    }

    #[test]
    fn an_unusable_database_makes_the_mail_wait_in_the_emergency_maildir() {
        let place = tempfile::tempdir().unwrap();
        let broken = || Err::<Says, _>(TakeError::Unusable("no such file".to_string()));
        assert_eq!(
            deliver(b"x", &envelope(), broken, place.path()),
            Ok(Delivered::Emergency)
        );
        let fine = || Ok(Says(Ok(Fate::Done)));
        assert_eq!(
            deliver(b"x", &envelope(), fine, place.path()),
            Ok(Delivered::Taken(Fate::Done))
        );
    }

    #[test]
    fn where_no_emergency_maildir_can_be_made_the_mta_keeps_the_mail() {
        let place = tempfile::tempdir().unwrap();
        let occupied = place.path().join("file");
        std::fs::write(&occupied, "").unwrap();
        let broken = || Err::<Says, _>(TakeError::Unusable("read-only".to_string()));
        assert!(deliver(b"x", &envelope(), broken, &occupied).is_err());
    }
}
