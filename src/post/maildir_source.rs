use std::fs::{self, File, TryLockError};
use std::path::Path;
use std::time::{Duration, Instant};

use notify::Watcher;

use super::maildir::file_error;
use super::take::log_fate;
use super::{Envelope, Incoming, Intake, Maildir, PostError, Stop, Take, TakeError, pipe};

/// Mails handed over at a time: a taker may make so many durable together.
const BATCH: usize = 128;
/// How long one process waits for another that is working on the same Maildir.
const LOCK_WAIT: Duration = Duration::from_secs(60);
const LOCK_PAUSE: Duration = Duration::from_millis(50);

/// Takes mails out of a Maildir, in the order of their names.
///
/// A process claims the whole Maildir by a lock on a file in it, which the system lifts when the process dies: what
/// it had in hand is taken up by the next run at once. A mail stays in `new` until its taker's commit and is then renamed to `cur`;
/// killed between the two, it is taken twice, and the taker knows it again.
#[derive(Debug)]
pub struct MaildirSource {
    maildir: Maildir,
    max_bytes: usize,
    after: After,
}

/// What is done with a mail that has been taken over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum After {
    /// It stays in `cur`: the Maildir is the keeper's.
    MoveToCur,
    /// It goes: the Maildir is our own, and mails hold passwords.
    Remove,
}

impl MaildirSource {
    /// A source from the Maildir at `path`, which is made where it is missing.
    pub fn open(path: &Path, max_bytes: usize) -> Result<Self, PostError> {
        Self::with(path, max_bytes, After::MoveToCur)
    }

    pub(super) fn with(path: &Path, max_bytes: usize, after: After) -> Result<Self, PostError> {
        Ok(MaildirSource {
            maildir: Maildir::open(path)?,
            max_bytes,
            after,
        })
    }

    /// Hands all mails in `new` to `taker`. A mail that is not taken over stays, and the others go on; when a whole
    /// batch is not taken over, the rest waits for the next time.
    pub fn drain(&self, taker: &dyn Take, stop: &Stop) -> Result<Intake, PostError> {
        let mut intake = Intake::default();
        let Some(_claim) = self.claim(stop)? else {
            return Ok(intake);
        };
        let names = self.maildir.new_names()?;
        for batch in names.chunks(BATCH) {
            if stop.is_stopped() {
                break;
            }
            let handed = self.hand_over(batch, taker);
            intake += handed;
            if handed.taken == 0 && handed.kept > 0 {
                break;
            }
        }
        Ok(intake)
    }

    /// Calls `changed` when something happens in `new`, until what this returns is dropped.
    ///
    /// It is a hint that may fail to come: whoever watches also looks now and then by itself.
    pub fn watch(&self, changed: impl Fn() + Send + 'static) -> Result<notify::RecommendedWatcher, notify::Error> {
        let mut watcher = notify::recommended_watcher(move |_| changed())?;
        watcher.watch(&self.maildir.new_dir(), notify::RecursiveMode::NonRecursive)?;
        Ok(watcher)
    }

    /// The lock on this Maildir; `None` when another process keeps it for too long or we are to stop.
    fn claim(&self, stop: &Stop) -> Result<Option<File>, PostError> {
        let path = self.maildir.path().join(".playpost.lock");
        let file = File::options()
            .create(true)
            .truncate(false)
            .write(true)
            .open(&path)
            .map_err(file_error(&path))?;
        let begun = Instant::now();
        while !stop.is_stopped() {
            match file.try_lock() {
                Ok(()) => return Ok(Some(file)),
                Err(TryLockError::Error(error)) => return Err(file_error(&path)(error)),
                Err(TryLockError::WouldBlock) if begun.elapsed() > LOCK_WAIT => {
                    tracing::warn!(path = %path.display(), "another process works on this Maildir; left to it");
                    return Ok(None);
                }
                Err(TryLockError::WouldBlock) => std::thread::sleep(LOCK_PAUSE),
            }
        }
        Ok(None)
    }

    fn hand_over(&self, names: &[String], taker: &dyn Take) -> Intake {
        let mut intake = Intake::default();
        let (names, mails): (Vec<&String>, Vec<Incoming>) = names
            .iter()
            .filter_map(|name| match self.read(name) {
                Ok(mail) => Some((name, mail)),
                Err(error) => {
                    intake.kept += 1;
                    tracing::warn!(%error, "mail cannot be read, left where it is");
                    None
                }
            })
            .unzip();
        let outcomes = taker.take_all(&mails);
        for ((name, mail), outcome) in names.iter().zip(&mails).zip(&outcomes) {
            log_fate("maildir", mail.raw.len(), outcome);
            match outcome {
                Ok(_) => {
                    intake.taken += 1;
                    self.let_go(name);
                }
                Err(TakeError::Temporary(_) | TakeError::Unusable(_)) => intake.kept += 1,
            }
        }
        intake.kept += names.len().saturating_sub(outcomes.len());
        intake
    }

    fn read(&self, name: &str) -> Result<Incoming, PostError> {
        let path = self.maildir.new_dir().join(name);
        let file = fs::File::open(&path).map_err(file_error(&path))?;
        let raw = pipe::read_mail(file, self.max_bytes).map_err(file_error(&path))?;
        Ok(Incoming {
            envelope: Envelope::from_trace(&raw),
            raw,
        })
    }

    fn let_go(&self, name: &str) {
        let gone = match self.after {
            After::MoveToCur => self.maildir.finish(name),
            After::Remove => self.maildir.remove(name),
        };
        if let Err(error) = gone {
            tracing::warn!(%error, "mail is done but cannot be moved; it will be known again");
        }
    }
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;
    use std::sync::mpsc;

    use super::*;
    use crate::post::Fate;

    /// Writes down what it gets, and does not take over mails that say so.
    #[derive(Default)]
    struct Notebook(RefCell<Vec<Incoming>>);

    impl Take for Notebook {
        fn take(&self, raw: &[u8], envelope: &Envelope) -> Result<Fate, TakeError> {
            if raw.starts_with(b"later") {
                return Err(TakeError::Temporary("locked".to_string()));
            }
            self.0.borrow_mut().push(Incoming {
                raw: raw.to_vec(),
                envelope: envelope.clone(),
            });
            Ok(Fate::Done)
        }
    }

    impl Notebook {
        fn texts(&self) -> Vec<String> {
            let mails = self.0.borrow();
            mails
                .iter()
                .map(|mail| String::from_utf8_lossy(&mail.raw).into_owned())
                .collect()
        }
    }

    fn source_with(mails: &[(&str, &str)]) -> (tempfile::TempDir, MaildirSource) {
        let place = tempfile::tempdir().unwrap();
        let source = MaildirSource::open(place.path(), 1000).unwrap();
        for (name, text) in mails {
            fs::write(place.path().join("new").join(name), text).unwrap();
        }
        (place, source)
    }

    fn names(place: &Path, part: &str) -> Vec<String> {
        let entries = fs::read_dir(place.join(part)).unwrap();
        let mut names: Vec<String> = entries
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn takes_mails_in_the_order_of_their_names_and_lets_go_of_them() {
        let (place, source) = source_with(&[("3", "c"), ("1", "a"), ("2:2,", "b")]);
        let taker = Notebook::default();
        let intake = source.drain(&taker, &Stop::new()).unwrap();
        assert_eq!(taker.texts(), ["a", "b", "c"]);
        assert_eq!(intake, Intake { taken: 3, kept: 0 });
        assert_eq!(names(place.path(), "new"), [""; 0]);
        assert_eq!(names(place.path(), "cur"), ["1:2,S", "2:2,S", "3:2,S"]);
    }

    #[test]
    fn a_mail_that_is_not_taken_over_stays_and_the_next_goes_on() {
        let (place, source) = source_with(&[("1", "later"), ("2", "b")]);
        let taker = Notebook::default();
        let intake = source.drain(&taker, &Stop::new()).unwrap();
        assert_eq!(intake, Intake { taken: 1, kept: 1 });
        assert_eq!(names(place.path(), "new"), ["1"]);
    }

    #[test]
    fn the_envelope_is_what_the_mta_wrote_and_from_lines_are_skipped() {
        let (_place, source) = source_with(&[("1", "From x\nReturn-Path: <a@x>\nDelivered-To: play+k@y\n\nbody")]);
        let taker = Notebook::default();
        source.drain(&taker, &Stop::new()).unwrap();
        let mails = taker.0.borrow();
        assert_eq!(mails[0].envelope.sender.as_deref(), Some("a@x"));
        assert_eq!(mails[0].envelope.recipients, ["play+k@y"]);
        assert!(mails[0].raw.starts_with(b"Return-Path"));
    }

    #[test]
    fn a_mail_too_large_is_handed_over_short_of_its_end() {
        let (_place, source) = source_with(&[("1", &"x".repeat(5000))]);
        let taker = Notebook::default();
        source.drain(&taker, &Stop::new()).unwrap();
        assert_eq!(taker.texts(), ["x".repeat(1001)]);
    }

    #[test]
    fn nothing_is_begun_after_the_word_to_stop() {
        let (place, source) = source_with(&[("1", "a")]);
        let stop = Stop::new();
        stop.stop();
        let taker = Notebook::default();
        source.drain(&taker, &stop).unwrap();
        assert_eq!(taker.texts(), [""; 0]);
        assert_eq!(names(place.path(), "new"), ["1"]);
    }

    #[test]
    fn a_maildir_that_another_process_works_on_is_left_to_it() {
        let (place, source) = source_with(&[("1", "a")]);
        let claim = source.claim(&Stop::new()).unwrap().unwrap();
        let (begun, told) = mpsc::channel();
        let stop = Stop::new();
        let other = std::thread::spawn({
            let (path, stop) = (place.path().to_path_buf(), stop.clone());
            move || {
                let source = MaildirSource::open(&path, 1000).unwrap();
                let taker = Notebook::default();
                begun.send(()).unwrap();
                source.drain(&taker, &stop).unwrap();
                taker.texts()
            }
        });
        told.recv().unwrap();
        stop.stop();
        assert_eq!(other.join().unwrap(), [""; 0]);
        drop(claim);
        let mine = Notebook::default();
        source.drain(&mine, &Stop::new()).unwrap();
        assert_eq!(mine.texts(), ["a"]);
    }

    #[test]
    fn new_mail_is_noticed() {
        let (place, source) = source_with(&[]);
        let (changed, noticed) = mpsc::channel();
        let _watch = source.watch(move || changed.send(()).unwrap_or_default()).unwrap();
        fs::write(place.path().join("new/1"), "a").unwrap();
        noticed.recv().unwrap();
    }
}
