//! One round of everything: take in, look after the clocks, send. For cron.

use std::fmt::Display;

use super::{ImapSource, Intake, MaildirSource, Office, OutboxRun, Stop, emergency, open_sink, run_outbox};
use crate::config::{Config, Source};
use crate::server::Ticked;

/// What one round did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Round {
    pub intake: Intake,
    pub ticked: Option<Ticked>,
    pub outbox: OutboxRun,
    /// What did not work, one line each; everything else went on.
    pub troubles: Vec<String>,
}

/// Takes in what the sources hold, runs the timers, sends what is due. Whatever fails, the rest is done. LMTP sources wait for
/// the daemon.
pub fn run_once(config: &Config, office: &Office, stop: &Stop) -> Round {
    let mut round = Round::default();
    let max_bytes = config.limits.max_mail_bytes;
    let emergency = emergency::drain(&config.emergency_dir(), max_bytes, office, stop);
    round.note_intake("the emergency Maildir", emergency);
    for source in &config.sources {
        match source {
            Source::Maildir(place) => {
                let drained = MaildirSource::open(&place.path, max_bytes).and_then(|source| source.drain(office, stop));
                round.note_intake("a Maildir source", drained);
            }
            Source::Imap(settings) => {
                let drained = ImapSource::new(settings, max_bytes).drain(office, office, stop);
                round.note_intake("an IMAP source", drained);
            }
            Source::Lmtp(_) => {}
        }
    }
    round.ticked = round.note("the timers", office.tick());
    if let Some(mut sink) = round.note("the sink", open_sink(&config.sink)) {
        let is_stopped = || stop.is_stopped();
        let run = run_outbox(
            office,
            sink.as_mut(),
            office.now(),
            config.limits.mails_per_hour,
            &is_stopped,
        );
        round.outbox = round.note("the outbox", run).unwrap_or_default();
    }
    round
}

impl Round {
    fn note_intake(&mut self, place: &str, intake: Result<Intake, impl Display>) {
        let intake = self.note(place, intake).unwrap_or_default();
        self.intake += intake;
    }

    fn note<T>(&mut self, place: &str, outcome: Result<T, impl Display>) -> Option<T> {
        outcome
            .map_err(|error| {
                tracing::error!(%error, "{place}");
                self.troubles.push(format!("{place}: {error}"));
            })
            .ok()
    }
}
