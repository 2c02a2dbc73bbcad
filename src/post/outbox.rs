use std::collections::HashSet;
use std::fmt::Display;

use chrono::{DateTime, TimeDelta, Utc};

use super::{Outgoing, Sent, Sink};

/// How long after each try that failed for now the next one follows; the last pause repeats. Greylisting wants at least 5 minutes.
const PAUSES: [TimeDelta; 6] = [
    TimeDelta::minutes(5),
    TimeDelta::minutes(15),
    TimeDelta::minutes(30),
    TimeDelta::hours(1),
    TimeDelta::hours(2),
    TimeDelta::hours(4),
];
/// A pause is longer by up to this share, so that many mails held up by one fault do not all come back at once.
const JITTER: f64 = 0.2;
/// A mail that nobody took for so long has failed (as Postfix has it).
const LIFETIME: TimeDelta = TimeDelta::days(5);
/// Mails asked for at a time.
const BATCH: usize = 200;

/// A mail in the outbox.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Queued {
    /// The key of its row. A lower one was written earlier.
    pub id: i64,
    pub mail: Outgoing,
    /// The tries so far.
    pub attempts: u32,
    /// When it was written.
    pub queued: DateTime<Utc>,
    /// A mail that is of no use after this time, such as a reminder, is dropped then.
    pub expires: Option<DateTime<Utc>>,
}

/// What a row of the outbox becomes after a try. The texts are for the keeper.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Somebody else has it now.
    Sent,
    /// It stays, to be tried again at the time that was written before the try.
    Waits(String),
    /// Never to be tried again: refused for good, or not taken for five days.
    Failed(String),
    /// Not sent: it was out of date.
    Expired,
}

/// The outbox as the store keeps it. Each method is a transaction of its own.
pub trait Outbox {
    type Error: Display;

    /// At most `limit` unsent mails whose next try is not after `now`, in the order of their ids, and *of each recipient only
    /// the oldest unsent mail*: while that one waits for its next try, later ones to the same recipient wait behind it.
    fn due(&self, now: DateTime<Utc>, limit: usize) -> Result<Vec<Queued>, Self::Error>;

    /// Writes, before a try, that it is being made: one attempt more, and the time of the next. `false` when the row is not
    /// due at `now` any more, since another process has begun it.
    fn begin(&self, id: i64, now: DateTime<Utc>, next_try: DateTime<Utc>) -> Result<bool, Self::Error>;

    /// Writes what became of the mail.
    fn finish(&self, id: i64, verdict: &Verdict, now: DateTime<Utc>) -> Result<(), Self::Error>;

    /// The number of mails sent after `since`.
    fn sent_since(&self, since: DateTime<Utc>) -> Result<u64, Self::Error>;
}

/// What one run of the outbox did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OutboxRun {
    pub sent: u64,
    pub waiting: u64,
    pub failed: u64,
    pub expired: u64,
    /// The breaker stopped the run: as many mails as the limit allows have gone out within the hour.
    pub broken_off: bool,
}

/// Sends what is due at `now`, each mail at most once, until nothing is due, `is_stopped` says so, or `mails_per_hour` have gone out.
///
/// The attempt and the time of the next try are written before the try: a process that dies in it neither loses the mail nor
/// sends it again at once. Bytes, envelope and Message-ID are the same in every try.
pub fn run_outbox<O: Outbox>(
    outbox: &O,
    sink: &mut dyn Sink,
    now: DateTime<Utc>,
    mails_per_hour: u32,
    is_stopped: &dyn Fn() -> bool,
) -> Result<OutboxRun, O::Error> {
    let mut run = OutboxRun::default();
    let mut allowance = u64::from(mails_per_hour).saturating_sub(outbox.sent_since(now - TimeDelta::hours(1))?);
    let mut tried = HashSet::new();
    'run: loop {
        let mut due = outbox.due(now, BATCH)?;
        due.retain(|mail| tried.insert(mail.id));
        if due.is_empty() {
            break;
        }
        for queued in due {
            if is_stopped() {
                break 'run;
            }
            if allowance == 0 {
                tracing::error!(
                    mails_per_hour,
                    "the outbox stops: as many mails as the limit allows went out within an hour"
                );
                run.broken_off = true;
                break 'run;
            }
            if let Some(verdict) = try_one(outbox, sink, &queued, now)? {
                allowance -= u64::from(verdict == Verdict::Sent);
                run.count(&verdict);
            }
        }
    }
    sink.rest();
    Ok(run)
}

impl OutboxRun {
    fn count(&mut self, verdict: &Verdict) {
        match verdict {
            Verdict::Sent => self.sent += 1,
            Verdict::Waits(_) => self.waiting += 1,
            Verdict::Failed(_) => self.failed += 1,
            Verdict::Expired => self.expired += 1,
        }
    }
}

/// Tries one mail; `None` when another process has it.
fn try_one<O: Outbox>(
    outbox: &O,
    sink: &mut dyn Sink,
    queued: &Queued,
    now: DateTime<Utc>,
) -> Result<Option<Verdict>, O::Error> {
    let next_try = now + pause(queued.attempts, rand::random::<f64>());
    if !outbox.begin(queued.id, now, next_try)? {
        return Ok(None);
    }
    let verdict = if queued.expires.is_some_and(|end| end < now) {
        Verdict::Expired
    } else {
        judge(sink.send(&queued.mail), queued, now)
    };
    outbox.finish(queued.id, &verdict, now)?;
    log_verdict(queued, &verdict);
    Ok(Some(verdict))
}

fn judge(sent: Sent, queued: &Queued, now: DateTime<Utc>) -> Verdict {
    match sent {
        Sent::Delivered => Verdict::Sent,
        Sent::Permanent(reply) => Verdict::Failed(reply),
        Sent::Temporary(reply) if now - queued.queued >= LIFETIME => Verdict::Failed(format!("given up: {reply}")),
        Sent::Temporary(reply) => Verdict::Waits(reply),
    }
}

/// The pause after try number `attempts` (from 0), with `chance` in 0..1.
fn pause(attempts: u32, chance: f64) -> TimeDelta {
    let index = usize::try_from(attempts).unwrap_or(usize::MAX).min(PAUSES.len() - 1);
    let pause = PAUSES[index];
    pause + TimeDelta::milliseconds((pause.num_milliseconds() as f64 * JITTER * chance) as i64)
}

fn log_verdict(queued: &Queued, verdict: &Verdict) {
    let (id, attempt) = (queued.id, queued.attempts + 1);
    match verdict {
        Verdict::Sent => tracing::info!(id, attempt, fate = "sent", "mail out"),
        Verdict::Expired => tracing::info!(id, attempt, fate = "out of date", "mail out"),
        Verdict::Waits(reply) => tracing::warn!(id, attempt, fate = "waits", reply = %masked(reply), "mail out"),
        Verdict::Failed(reply) => tracing::warn!(id, attempt, fate = "failed", reply = %masked(reply), "mail out"),
    }
}

/// The reply of a server without the addresses that stand in it.
fn masked(reply: &str) -> String {
    let words = reply.split_whitespace().map(|word| match word.split_once('@') {
        Some((_, domain)) => format!("…@{domain}"),
        None => word.to_string(),
    });
    words.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests;
