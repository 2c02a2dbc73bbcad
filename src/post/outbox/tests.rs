use std::cell::RefCell;
use std::collections::VecDeque;
use std::convert::Infallible;

use super::*;

const START: &str = "2026-11-29T18:00:00Z";

fn start() -> DateTime<Utc> {
    START.parse().unwrap()
}

struct Row {
    queued: Queued,
    next_try: DateTime<Utc>,
    /// `None` while it is unsent.
    verdict: Option<Verdict>,
    finished: DateTime<Utc>,
}

/// An outbox as the contract of the trait describes it.
#[derive(Default)]
struct Rows(RefCell<Vec<Row>>);

impl Rows {
    fn with(recipients: &[&str]) -> Self {
        let rows = recipients.iter().zip(1..).map(|(recipient, id)| Row {
            queued: Queued {
                id,
                mail: Outgoing {
                    envelope_from: None,
                    recipient: recipient.to_string(),
                    bytes: format!("mail {id}").into_bytes(),
                },
                attempts: 0,
                queued: start(),
                expires: None,
            },
            next_try: start(),
            verdict: None,
            finished: start(),
        });
        Rows(RefCell::new(rows.collect()))
    }

    fn row<T>(&self, id: i64, read: impl FnOnce(&mut Row) -> T) -> T {
        let mut rows = self.0.borrow_mut();
        read(rows.iter_mut().find(|row| row.queued.id == id).unwrap())
    }

    fn verdicts(&self) -> Vec<Option<Verdict>> {
        self.0.borrow().iter().map(|row| row.verdict.clone()).collect()
    }
}

impl Outbox for Rows {
    type Error = Infallible;

    fn due(&self, now: DateTime<Utc>, limit: usize) -> Result<Vec<Queued>, Infallible> {
        let mut recipients = HashSet::new();
        let rows = self.0.borrow();
        let oldest = rows
            .iter()
            .filter(|row| row.verdict.is_none() && recipients.insert(row.queued.mail.recipient.clone()));
        let due = oldest.filter(|row| row.next_try <= now);
        Ok(due.take(limit).map(|row| row.queued.clone()).collect())
    }

    fn begin(&self, id: i64, now: DateTime<Utc>, next_try: DateTime<Utc>) -> Result<bool, Infallible> {
        Ok(self.row(id, |row| {
            let due = row.next_try <= now;
            if due {
                row.queued.attempts += 1;
                row.next_try = next_try;
            }
            due
        }))
    }

    fn finish(&self, id: i64, verdict: &Verdict, now: DateTime<Utc>) -> Result<(), Infallible> {
        self.row(id, |row| {
            row.verdict = Some(verdict.clone()).filter(|verdict| !matches!(verdict, Verdict::Waits(_)));
            row.finished = now;
        });
        Ok(())
    }

    fn sent_since(&self, since: DateTime<Utc>) -> Result<u64, Infallible> {
        let rows = self.0.borrow();
        let sent = rows
            .iter()
            .filter(|row| row.verdict == Some(Verdict::Sent) && row.finished > since);
        Ok(sent.count() as u64)
    }
}

/// Answers as it was told, then takes everything.
#[derive(Default)]
struct Stub {
    answers: VecDeque<Sent>,
    seen: Vec<Vec<u8>>,
}

impl Sink for Stub {
    fn send(&mut self, mail: &Outgoing) -> Sent {
        self.seen.push(mail.bytes.clone());
        self.answers.pop_front().unwrap_or(Sent::Delivered)
    }
}

fn run(rows: &Rows, sink: &mut Stub, now: DateTime<Utc>, limit: u32) -> OutboxRun {
    run_outbox(rows, sink, now, limit, &|| false).unwrap()
}

fn not_now() -> Sent {
    Sent::Temporary("451 later".to_string())
}

#[test]
fn everything_due_goes_out_in_order() {
    let rows = Rows::with(&["a@x", "b@x", "a@x", "a@x"]);
    let mut sink = Stub::default();
    let done = run(&rows, &mut sink, start(), 100);
    assert_eq!(done.sent, 4);
    let position = |text: &str| sink.seen.iter().position(|mail| mail == text.as_bytes()).unwrap();
    assert!(position("mail 1") < position("mail 3") && position("mail 3") < position("mail 4"));
}

#[test]
fn a_mail_that_waits_holds_back_later_ones_to_its_recipient_only() {
    let rows = Rows::with(&["a@x", "a@x", "b@x"]);
    let mut sink = Stub {
        answers: [not_now()].into(),
        ..Stub::default()
    };
    let first = run(&rows, &mut sink, start(), 100);
    assert_eq!((first.sent, first.waiting), (1, 1));
    let soon = run(&rows, &mut sink, start() + TimeDelta::minutes(4), 100);
    assert_eq!(soon, OutboxRun::default());
    let later = run(&rows, &mut sink, start() + TimeDelta::minutes(6), 100);
    assert_eq!(later.sent, 2);
    assert_eq!(sink.seen, [&b"mail 1"[..], b"mail 3", b"mail 1", b"mail 2"]);
}

#[test]
fn a_permanent_refusal_fails_one_mail_and_the_next_goes_on() {
    let rows = Rows::with(&["a@x", "a@x"]);
    let refused = "550 no such user".to_string();
    let mut sink = Stub {
        answers: [Sent::Permanent(refused.clone())].into(),
        ..Stub::default()
    };
    run(&rows, &mut sink, start(), 100);
    assert_eq!(rows.verdicts(), [Some(Verdict::Failed(refused)), Some(Verdict::Sent)]);
}

#[test]
fn a_mail_is_tried_for_five_days_with_growing_pauses() {
    let rows = Rows::with(&["a@x"]);
    let mut now = start();
    let mut pauses = Vec::new();
    while rows.verdicts() == [None] {
        let mut sink = Stub {
            answers: [not_now()].into(),
            ..Stub::default()
        };
        run(&rows, &mut sink, now, 100);
        assert_eq!(sink.seen.len(), 1);
        let next = rows.row(1, |row| row.next_try);
        pauses.push(next - now);
        now = next;
    }
    assert!(matches!(&rows.verdicts()[0], Some(Verdict::Failed(_))));
    assert!(pauses.iter().sum::<TimeDelta>() >= LIFETIME, "{pauses:?}");
    assert!(
        pauses[..5].is_sorted() && pauses.iter().all(|pause| *pause <= TimeDelta::minutes(288)),
        "{pauses:?}"
    );
}

#[test]
fn jitter_makes_pauses_longer_and_never_shorter() {
    for attempts in [0, 3, 5, 6, u32::MAX] {
        assert!(pause(attempts, 0.0) >= TimeDelta::minutes(5));
        assert!(pause(attempts, 0.99) > pause(attempts, 0.0));
    }
}

/// Written before the try: whoever dies in it does not send it again at once.
#[test]
fn the_attempt_is_written_before_the_try() {
    struct Witness<'a>(&'a Rows, Option<(u32, DateTime<Utc>)>);
    impl Sink for Witness<'_> {
        fn send(&mut self, _: &Outgoing) -> Sent {
            self.1 = Some(self.0.row(1, |row| (row.queued.attempts, row.next_try)));
            Sent::Delivered
        }
    }
    let rows = Rows::with(&["a@x"]);
    let mut witness = Witness(&rows, None);
    run_outbox(&rows, &mut witness, start(), 100, &|| false).unwrap();
    let (attempts, next_try) = witness.1.unwrap();
    assert_eq!(attempts, 1);
    assert!(next_try >= start() + TimeDelta::minutes(5));
}

#[test]
fn the_breaker_stops_a_flood_and_lets_go_after_the_hour() {
    let rows = Rows::with(&["a@x", "b@x", "c@x"]);
    let mut sink = Stub::default();
    let flooded = run(&rows, &mut sink, start(), 2);
    assert_eq!((flooded.sent, flooded.broken_off), (2, true));
    assert_eq!(run(&rows, &mut sink, start() + TimeDelta::minutes(30), 2).sent, 0);
    let later = run(&rows, &mut sink, start() + TimeDelta::minutes(61), 2);
    assert_eq!((later.sent, later.broken_off), (1, false));
}

#[test]
fn a_reminder_out_of_date_is_dropped() {
    let rows = Rows::with(&["a@x"]);
    rows.row(1, |row| row.queued.expires = Some(start() - TimeDelta::seconds(1)));
    let mut sink = Stub::default();
    assert_eq!(run(&rows, &mut sink, start(), 100).expired, 1);
    assert_eq!(rows.verdicts(), [Some(Verdict::Expired)]);
    assert!(sink.seen.is_empty());
}

#[test]
fn what_another_process_has_begun_is_left_to_it() {
    let rows = Rows::with(&["a@x"]);
    let stale = rows.due(start(), 10).unwrap();
    assert!(rows.begin(1, start(), start() + TimeDelta::minutes(5)).unwrap());
    let mut sink = Stub::default();
    assert_eq!(try_one(&rows, &mut sink, &stale[0], start()).unwrap(), None);
    assert!(sink.seen.is_empty());
}

#[test]
fn the_log_shows_no_address() {
    assert_eq!(
        masked("550 <alice@example.net>: unknown"),
        "550 …@example.net>: unknown"
    );
}
