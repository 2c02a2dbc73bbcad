//! What happens by itself: clocks, reminders, expiry, mails that wait, and the server's own absence.

use super::commands::title;
use super::drafts::{Sending, marks_of};
use super::sayings::Saying;
use super::session::{Section, Session};
use super::{Result, Server};
use crate::mail::{BounceReport, Inbound};
use crate::matches::{Action, Actor, Window};
use crate::store::{ChallengeState, Fate, QuestionState, Store, Tx};
use serde_json::json;

/// A gap in the server's life longer than this (seconds) stops every clock for its length (LANGUAGE.md 6).
const LONGEST_ABSENCE: i64 = 3600;
/// A clock that is set back by more than this (seconds) was wrong, or is wrong now.
const LONGEST_SET_BACK: i64 = 86_400;
/// How exactly the server's life is noted, in seconds; rewriting it for every mail would be waste.
const HEARTBEAT: i64 = 30;
/// Bounces in a row that mark an address as failing (LANGUAGE.md 7).
const MOST_BOUNCES: u32 = 3;

/// What one run of the timers did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ticked {
    /// Mails that had waited or failed and were handled now.
    pub mails: usize,
    /// Matches in which something happened.
    pub matches: usize,
    /// Challenges and questions that expired.
    pub expired: usize,
}

impl Server {
    /// Runs the timers: everything that is due at `now`, each thing once however often this is called.
    ///
    /// # Errors
    ///
    /// Trouble with the store; what was done before it stays done.
    pub fn tick(&self, store: &mut Store, now: i64) -> Result<Ticked> {
        let mut ticked = Ticked::default();
        store.write(|tx| self.wake_up(tx, now))?;
        for id in store.write(|tx| mails_to_retry(tx, now))? {
            ticked.mails += usize::from(
                self.take_again(store, id, now)?
                    .is_some_and(|fate| fate != Fate::Waiting),
            );
        }
        store.write(|tx| -> Result<()> {
            let mut session = Session::new(self, tx, now);
            ticked.matches = self.run_clocks(&mut session)?;
            ticked.expired = self.expire(&mut session)?;
            self.send_pages(session, None)
        })?;
        store.write(|tx| self.send_digests(tx, now))?;
        Ok(ticked)
    }

    /// When a timer next has something to do, if it is known; mails that wait are tried at every run.
    pub fn next_wake(&self, store: &mut Store) -> Result<Option<i64>> {
        Ok(store.read(|tx| tx.next_wake())?)
    }

    /// Notes that the server is alive. After a gap of more than an hour every running clock is moved on by the gap,
    /// before anything else is done.
    pub(super) fn wake_up(&self, tx: &Tx, now: i64) -> Result<()> {
        let mark = |key| -> Result<Option<i64>> { Ok(tx.meta(key)?.and_then(|at| at.parse().ok())) };
        let alive = mark("alive")?;
        let set_back = alive.filter(|alive| now < alive - LONGEST_SET_BACK);
        // A clock that was set back a little must not make time pass twice: the latest instant stays.
        if set_back.is_none() && alive.is_some_and(|alive| now < alive + HEARTBEAT) {
            return Ok(());
        }
        let latest = mark("alive-latest")?;
        tx.set_meta("alive", &now.to_string())?;
        if let Some(alive) = set_back {
            // Either that instant or this one is wrong. Absences are counted from here on, and from there on again when
            // the clock has come back to it.
            tracing::warn!(seconds = alive - now, "the clock was set back");
            tx.set_meta("alive-latest", &alive.max(latest.unwrap_or(alive)).to_string())?;
            return Ok(());
        }
        let last = alive.max(latest.filter(|latest| *latest <= now));
        if let Some(from) = last.filter(|last| now - last > LONGEST_ABSENCE) {
            tracing::warn!(seconds = now - from, "the server was away; clocks are moved on");
            let mut session = Session::new(self, tx, now);
            let window = Window { from, until: now };
            for row in tx.running_matches()? {
                session.make_up(row.number, window)?;
            }
            self.send_pages(session, None)?;
        }
        Ok(())
    }

    /// Lets every match have its time: losses, soft clocks, reminders. Gives in how many something happened.
    fn run_clocks(&self, session: &mut Session) -> Result<usize> {
        let numbers = session.tx.matches_to_wake(session.now)?;
        for number in &numbers {
            // Loading lets the time pass.
            let Some(live) = session.live(*number)? else {
                continue;
            };
            let Some(player) = live.player_to_move() else {
                continue;
            };
            let Some(player) = session.tx.player(player)? else {
                continue;
            };
            self.remind(session, *number, &player)?;
            session.touch(*number);
        }
        Ok(numbers.len())
    }

    fn remind(&self, session: &mut Session, number: u32, player: &crate::store::Player) -> Result<()> {
        let marks = marks_of(&player.settings);
        let now = session.now;
        let Some(live) = session.live(number)? else {
            return Ok(());
        };
        let due = live.game().reminders_due(now, &marks);
        let deadline = live.game().deadline();
        for reminder in &due {
            let action = Action::Remind { mark: reminder.mark };
            // What is not due any more needs no reminder.
            let _ = session.act_quietly(number, Actor::Server, action)?;
        }
        if !due.is_empty() {
            session.page_of(player.id).remind(number, deadline);
        }
        Ok(())
    }

    /// Ends challenges and questions whose time is over.
    fn expire(&self, session: &mut Session) -> Result<usize> {
        let challenges = session.tx.expired_challenges(session.now)?;
        for challenge in &challenges {
            session
                .tx
                .set_challenge_state(challenge.number, ChallengeState::Expired)?;
            let saying = Saying::told(
                "challenge-expired",
                json!({ "number": challenge.number, "game": title(&challenge.game) }),
            );
            let page = session.page_of(challenge.player);
            page.sections.push(Section::Saying(saying));
            page.subject("challenge-expired", minijinja::context! { number => challenge.number });
        }
        let questions = session.tx.expired_questions(session.now)?;
        for id in &questions {
            session.tx.close_question(*id, QuestionState::Expired)?;
        }
        Ok(challenges.len() + questions.len())
    }

    /// A delivery report: counts it against the address that failed.
    pub(super) fn note_bounce(
        &self,
        tx: &Tx,
        inbound: &Inbound,
        recipients: &[String],
        now: i64,
    ) -> Result<Vec<Sending>> {
        let by_key = inbound
            .to
            .iter()
            .chain(recipients)
            .find_map(|address| self.address.bounce_key_in(address));
        let mut sent = match by_key {
            Some(key) => tx.sent_by_bounce(&key)?,
            None => None,
        };
        let report = inbound.bounce.as_ref();
        if sent.is_none()
            && let Some(id) = report.and_then(|report| report.message_id.as_deref())
            && let Some(secret) = self.address.secret_in(id)
        {
            sent = tx.sent_by_message(&secret)?;
        }
        // Without a mail of ours that it names, a report is hearsay: anybody can write one.
        let Some(player) = sent.and_then(|row| row.player) else {
            return Ok(Vec::new());
        };
        let Some(address) = failed_address(tx, player, report)? else {
            return Ok(Vec::new());
        };
        // A notice of delay or of delivery is no failure.
        if report.is_some_and(|report| !report.failed) {
            return Ok(Vec::new());
        }
        let is_hard = report.is_some_and(|report| report.hard);
        let count = tx.count_bounce(&address)?;
        if (is_hard || count >= MOST_BOUNCES) && tx.mark_failing(&address, now)? {
            return self.tell_failing(tx, player, now);
        }
        Ok(Vec::new())
    }

    /// Tells the player's opponents, once, that mail does not reach him.
    fn tell_failing(&self, tx: &Tx, player: crate::store::PlayerId, now: i64) -> Result<Vec<Sending>> {
        let mut session = Session::new(self, tx, now);
        let userid = session.userid(player)?;
        for row in tx.matches_of(player)? {
            for other in tx.seats(row.number)?.into_iter().filter(|other| *other != player) {
                if session.has_page(other) {
                    continue;
                }
                let page = session.page_of(other);
                page.sections.push(Section::Saying(Saying::told(
                    "opponent-unreachable",
                    json!({ "player": userid }),
                )));
                page.subject("opponent-unreachable", minijinja::context! { player => userid.clone() });
            }
        }
        self.close(session, None)
    }
}

/// The player's address that a report names, or the one that mail goes to.
fn failed_address(tx: &Tx, player: crate::store::PlayerId, report: Option<&BounceReport>) -> Result<Option<String>> {
    let named = report.and_then(|report| report.recipient.as_deref());
    let own = tx.addresses(player)?;
    let found = own
        .iter()
        .find(|address| named.is_some_and(|named| address.address.eq_ignore_ascii_case(named)));
    Ok(match found {
        Some(address) => Some(address.address.clone()),
        None => tx.mail_address(player)?,
    })
}

/// Mails whose handling failed, and once in each hour those past the limit of answers, which counts by the hour.
fn mails_to_retry(tx: &Tx, now: i64) -> crate::store::Result<Vec<i64>> {
    let mut fates = vec![Fate::Failing];
    let hour = (now / 3600).to_string();
    if tx.meta("waiting-tried")?.as_deref() != Some(hour.as_str()) {
        tx.set_meta("waiting-tried", &hour)?;
        fates.push(Fate::Waiting);
    }
    let mut ids: Vec<i64> = Vec::new();
    for fate in fates {
        ids.extend(tx.inbox_ids(fate)?);
    }
    ids.sort_unstable();
    Ok(ids)
}
