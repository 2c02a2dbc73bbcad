//! The way of one mail, from bytes to the outbox (DESIGN.md), in one transaction.

use super::blank;
use super::commands::{Outcome, Speaker};
use super::drafts::Sending;
use super::identity::Sender;
use super::session::{Session, Who};
use super::{Result, Server, ServerError};
use crate::language::{self, Letter, Line};
use crate::mail::{self, Inbound, Kind};
use crate::store::{Fate, Purpose, Store, StoreError, Tx};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The name under which the answers to all who are no players are counted together.
const ALL_STRANGERS: &str = "strangers";

/// How often a mail is tried whose handling fails, before it is set aside.
const MOST_ATTEMPTS: u32 = 3;

/// What the MTA says about a mail beside its bytes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Envelope {
    /// The envelope sender; `Some("")` is the empty one, `None` unknown.
    #[serde(default)]
    pub sender: Option<String>,
    #[serde(default)]
    pub recipients: Vec<String>,
}

/// A mail on its way through the house.
#[derive(Clone, Copy)]
struct Incoming<'m> {
    inbound: &'m Inbound,
    raw: &'m [u8],
    envelope: &'m Envelope,
    /// Its row in the inbox, where it has one from an earlier try.
    row: Option<i64>,
}

impl Server {
    /// Takes a mail over. When this returns `Ok`, the mail's effects and answers are durable, or the mail itself is
    /// kept for a later try, and the source may let go of it.
    ///
    /// # Errors
    ///
    /// Only trouble with the store: nothing has changed then, and the source must keep the mail.
    pub fn take(&self, store: &mut Store, raw: &[u8], envelope: &Envelope, now: i64) -> Result<Fate> {
        let inbound = mail::read(raw, &self.mail_limits());
        let incoming = Incoming {
            inbound: &inbound,
            raw,
            envelope,
            row: None,
        };
        store.write(|tx| self.try_mail(tx, &incoming, now))
    }

    /// Takes several mails over in their order, in one transaction, since making them durable costs more than handling
    /// them. Each is as independent of the others as with [`Server::take`]: one that fails takes only its own effects back.
    ///
    /// # Errors
    ///
    /// As [`Server::take`]: none of them has been taken then.
    pub fn take_all(&self, store: &mut Store, mails: &[(&[u8], &Envelope)], now: i64) -> Result<Vec<Fate>> {
        // Nobody waits for the database while mails are read.
        let inbounds: Vec<Inbound> = mails
            .iter()
            .map(|(raw, _)| mail::read(raw, &self.mail_limits()))
            .collect();
        let incoming = |(inbound, &(raw, envelope))| Incoming {
            inbound,
            raw,
            envelope,
            row: None,
        };
        let mails: Vec<Incoming> = inbounds.iter().zip(mails).map(incoming).collect();
        let together: Result<Vec<Fate>> = store.write(|tx| {
            let (fates, answers) = guarded(|| {
                self.composing(|hand_over| {
                    let fates = mails.iter().map(|mail| {
                        let (fate, sendings) = attempt(tx, mail, now, || self.handle(tx, mail, now))?;
                        hand_over(sendings);
                        Ok(fate)
                    });
                    fates.collect::<Result<Vec<Fate>>>()
                })
            })?;
            answers.iter().try_for_each(|answer| answer.put_out(tx, now))?;
            Ok(fates)
        });
        match together {
            // One of the answers cannot be made: each is made with its mail, so that only that mail fails.
            Err(error) if !error.is_store_trouble() => {
                tracing::warn!(%error, "a batch of mails is handled one by one");
                store.write(|tx| mails.iter().map(|mail| self.try_mail(tx, mail, now)).collect())
            }
            together => together,
        }
    }

    /// Handles a mail again that waits in the inbox, or was set aside there; `None` where there is no such mail.
    ///
    /// # Errors
    ///
    /// As [`Server::take`].
    pub fn take_again(&self, store: &mut Store, id: i64, now: i64) -> Result<Option<Fate>> {
        let Some(row) = store.read(|tx| tx.inbox_mail(id))? else {
            return Ok(None);
        };
        let Some(raw) = row.raw.filter(|_| row.fate.keeps_raw()) else {
            return Ok(None);
        };
        let envelope: Envelope = serde_json::from_str(&row.envelope).unwrap_or_default();
        let inbound = mail::read(&raw, &self.mail_limits());
        let incoming = Incoming {
            inbound: &inbound,
            raw: &raw,
            envelope: &envelope,
            row: Some(id),
        };
        store.write(|tx| self.try_mail(tx, &incoming, now)).map(Some)
    }

    fn mail_limits(&self) -> mail::Limits {
        mail::Limits {
            max_bytes: self.limits.max_mail_bytes,
            ..mail::Limits::default()
        }
    }

    /// Handles a mail and puts its answers out; where that fails, its effects are taken back and the mail is kept for later.
    fn try_mail(&self, tx: &Tx, incoming: &Incoming, now: i64) -> Result<Fate> {
        let (fate, ()) = attempt(tx, incoming, now, || {
            let (fate, sendings) = self.handle(tx, incoming, now)?;
            Ok((fate, self.put_out(tx, &sendings, now)?))
        })?;
        Ok(fate)
    }

    /// All that a mail does, but for the answers to be composed.
    fn handle(&self, tx: &Tx, incoming: &Incoming, now: i64) -> Result<(Fate, Vec<Sending>)> {
        self.wake_up(tx, now)?;
        let inbound = incoming.inbound;
        if incoming.row.is_none() && tx.is_known(&inbound.fingerprint)? {
            return Ok((Fate::Duplicate, Vec::new()));
        }
        let enter = |fate: Fate, reason: Option<&str>| {
            enter(tx, incoming, fate, reason, now)?;
            Ok((fate, Vec::new()))
        };
        let (kind, why) = self.kind_of(incoming);
        match kind {
            Kind::Robot => enter(Fate::Robot, why),
            Kind::List => enter(Fate::List, why),
            Kind::Own => enter(Fate::Own, why),
            Kind::Bounce => {
                let told = self.note_bounce(tx, inbound, &incoming.envelope.recipients, now)?;
                enter(Fate::Bounce, why)?;
                Ok((Fate::Bounce, told))
            }
            Kind::Unreadable => {
                let blanked = blank::without_passwords(incoming.raw, inbound);
                let kept = Incoming {
                    raw: &blanked,
                    ..*incoming
                };
                let id = super::take::enter(tx, &kept, Fate::SetAside, why, now)?;
                tx.set_fate(id, Fate::SetAside, why, Some(&blanked))?;
                Ok((Fate::SetAside, self.tell_unreadable(tx, incoming, now)?))
            }
            Kind::Letter => self.letter(tx, incoming, now),
        }
    }

    /// The kind of a mail, by what it says itself and what only this server knows: its own address, and the envelope.
    fn kind_of<'m>(&self, incoming: &Incoming<'m>) -> (Kind, Option<&'m str>) {
        let inbound = incoming.inbound;
        let is_own = |from: &String| self.address.is_own(from);
        let has_no_return_path = incoming.envelope.sender.as_deref().is_some_and(is_null_sender);
        match inbound.kind {
            _ if inbound.from.as_ref().is_some_and(is_own) => (Kind::Own, Some("the server's own address as sender")),
            Kind::Letter | Kind::Unreadable if has_no_return_path => (Kind::Robot, Some("empty return path")),
            kind => (kind, inbound.why.as_deref()),
        }
    }

    /// A mail that cannot be read: its sender is told once, if he is a player.
    fn tell_unreadable(&self, tx: &Tx, incoming: &Incoming, now: i64) -> Result<Vec<Sending>> {
        let Some(from) = &incoming.inbound.from else {
            return Ok(Vec::new());
        };
        let Some(player) = tx.player_at(from)? else {
            return Ok(Vec::new());
        };
        let who = Who::Player(player.id);
        if self.answers_left(tx, &who, now)? == Left::None {
            return Ok(Vec::new());
        }
        let mut session = Session::new(self, tx, now);
        let page = session.page(&who);
        page.kind = "answer";
        page.subject("unreadable", minijinja::Value::UNDEFINED);
        page.item("unreadable", serde_json::json!({ "why": incoming.inbound.why }));
        self.count_answer(tx, &who, now)?;
        self.close(session, Some(incoming.inbound))
    }

    /// A person's letter: read, carried out, answered.
    fn letter(&self, tx: &Tx, incoming: &Incoming, now: i64) -> Result<(Fate, Vec<Sending>)> {
        let inbound = incoming.inbound;
        let sender = self.identify(tx, inbound, incoming.raw, &incoming.envelope.recipients)?;
        let [subject, typed] = [&inbound.subject, &inbound.typed].map(|text| self.address.without_keys(text));
        let letter = language::letter(&subject, inbound.is_reply, &typed);
        let mut speaker = Speaker::of(&sender);
        let mut session = Session::new(self, tx, now);
        session.heard = self.language_of(sender.player.as_ref(), inbound, &letter);
        // Past the limit no password is tried: a wrong one would only be refused, and a right one may be a lucky guess.
        let (mut who, mut left) = (speaker.who.clone(), self.answers_left(tx, &speaker.who, now)?);
        if left == Left::Some {
            who = session.known_by(&mut speaker, &letter)?;
            if who != speaker.who {
                left = self.answers_left(tx, &who, now)?;
            }
        }
        match left {
            Left::Some => {}
            left => {
                let told = match left {
                    Left::Last => self.tell_limit(tx, &who, inbound, now)?,
                    _ => Vec::new(),
                };
                enter(tx, incoming, Fate::Waiting, Some("past the limit of answers"), now)?;
                return Ok((Fate::Waiting, told));
            }
        }
        if sender.player.is_some() {
            tx.clear_failing(&sender.address)?;
        }
        let id = enter(tx, incoming, Fate::Done, None, now)?;
        let fate = match self.question_answered(tx, &sender)? {
            Some(question) => self.answer_question(&mut session, question, &mut speaker, &letter)?,
            None => self.carry_out(&mut session, &mut speaker, &letter, id)?,
        };
        if fate != Fate::Done {
            tx.set_fate(id, fate, None, None)?;
        }
        // A stranger may have become a player by now, by a password or a new account.
        self.count_answer(tx, &speaker.who, now)?;
        session.page(&speaker.who).kind = "answer";
        Ok((fate, self.close(session, Some(inbound))?))
    }

    /// Carries a letter out: its lines, and the message after them; lines whose writer is not proved are held.
    fn carry_out(&self, session: &mut Session, speaker: &mut Speaker, letter: &Letter, inbox: i64) -> Result<Fate> {
        if letter.lines.is_empty() {
            session.not_understood(speaker, letter)?;
            return Ok(Fate::Refused);
        }
        let carried = self.carry_out_lines(session, speaker, letter)?;
        if carried.held.is_empty() {
            return Ok(if carried.any_done { Fate::Done } else { Fate::Refused });
        }
        self.hold(session, speaker, &carried.held, letter, inbox)?;
        Ok(Fate::Held)
    }

    /// Carries the lines of a letter out, one after the other, and passes its message on (unless a line is held: then
    /// the message waits with it).
    pub(super) fn carry_out_lines(
        &self,
        session: &mut Session,
        speaker: &mut Speaker,
        letter: &Letter,
    ) -> Result<Carried> {
        let mut carried = Carried::default();
        let mut failed: BTreeSet<u32> = BTreeSet::new();
        let mut concerned: BTreeSet<u32> = BTreeSet::new();
        for line in &letter.lines {
            let line = session.with_known_names(line)?;
            let number = session.target(speaker, &line)?;
            if number.is_some_and(|number| failed.contains(&number)) {
                session.tell_speaker(speaker, "skipped", serde_json::json!({ "line": line.shown }));
                continue;
            }
            match session.carry_out(speaker, &line, number)? {
                Outcome::Done { about } => {
                    carried.any_done = true;
                    concerned.extend(about);
                }
                Outcome::Failed { about } => failed.extend(about),
                Outcome::Held => carried.held.push(line),
            }
        }
        if !letter.dropped.is_empty() {
            let context = serde_json::json!({ "lines": letter.dropped, "most": language::MOST_COMMANDS });
            session.page(&speaker.who).item("dropped", context);
        }
        if carried.held.is_empty() {
            session.pass_on(speaker, letter, &concerned, &failed)?;
        }
        Ok(carried)
    }

    fn tell_limit(&self, tx: &Tx, who: &Who, inbound: &Inbound, now: i64) -> Result<Vec<Sending>> {
        let mut session = Session::new(self, tx, now);
        let page = session.page(who);
        page.kind = "answer";
        page.subject("limit", minijinja::Value::UNDEFINED);
        page.item("limit", serde_json::json!({ "most": self.answers_allowed(who) }));
        self.count_answer(tx, who, now)?;
        self.close(session, Some(inbound))
    }

    fn answers_allowed(&self, who: &Who) -> u32 {
        match who {
            Who::Player(_) => self.limits.answers_per_hour_player,
            Who::Stranger(_) => self.limits.answers_per_hour_stranger,
        }
    }

    fn answers_left(&self, tx: &Tx, who: &Who, now: i64) -> Result<Left> {
        // Past what all strangers get together nobody is told: that would be one more answer.
        if matches!(who, Who::Stranger(_))
            && tx.answers_this_hour(ALL_STRANGERS, now)? >= self.limits.answers_per_hour_strangers
        {
            return Ok(Left::None);
        }
        let sent = tx.answers_this_hour(&limit_name(who), now)?;
        Ok(match sent.cmp(&self.answers_allowed(who)) {
            std::cmp::Ordering::Less => Left::Some,
            std::cmp::Ordering::Equal => Left::Last,
            std::cmp::Ordering::Greater => Left::None,
        })
    }

    fn count_answer(&self, tx: &Tx, who: &Who, now: i64) -> Result<()> {
        if matches!(who, Who::Stranger(_)) {
            tx.count_answer(ALL_STRANGERS, now)?;
        }
        Ok(tx.count_answer(&limit_name(who), now)?)
    }

    /// The question that this mail answers, by the key that only the asked person got.
    fn question_answered(&self, tx: &Tx, sender: &Sender) -> Result<Option<crate::store::Question>> {
        match &sender.answers {
            Some(row) if row.purpose == Purpose::Question && !row.revoked => match row.reference {
                Some(id) => Ok(tx.question(id)?),
                None => Ok(None),
            },
            _ => Ok(None),
        }
    }
}

/// Handles a mail in a part of the transaction of its own: where that fails, its effects are taken back, and the mail is
/// kept for later.
fn attempt<T: Default>(
    tx: &Tx,
    incoming: &Incoming,
    now: i64,
    handle: impl FnOnce() -> Result<(Fate, T)>,
) -> Result<(Fate, T)> {
    match tx.attempt(|| guarded(handle)) {
        Err(error) if !error.is_store_trouble() => {
            tracing::error!(%error, "a mail could not be handled");
            Ok((keep_for_later(tx, incoming, &error.to_string(), now)?, T::default()))
        }
        tried => tried,
    }
}

/// Makes a panic an error.
fn guarded<T>(work: impl FnOnce() -> Result<T>) -> Result<T> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| Err(ServerError::Broken(panic_text(panic.as_ref()))))
}

/// What became of the lines of a letter.
#[derive(Default)]
pub(super) struct Carried {
    pub held: Vec<Line>,
    pub any_done: bool,
}

/// What the limit of answers still allows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Left {
    Some,
    /// The mail that says that the limit is reached.
    Last,
    None,
}

/// The empty envelope sender, also as Postfix's pipe(8) hands it on.
fn is_null_sender(sender: &str) -> bool {
    let local = sender.split_once('@').map_or(sender, |(local, _)| local);
    sender.is_empty() || local.eq_ignore_ascii_case("mailer-daemon")
}

/// Under what name a reader's answers are counted; a stranger's address is not stored in plain.
fn limit_name(who: &Who) -> String {
    use sha2::{Digest, Sha256};
    match who {
        Who::Player(id) => format!("player:{}", id.0),
        Who::Stranger(address) => data_encoding::HEXLOWER.encode(&Sha256::digest(address.to_lowercase().as_bytes())),
    }
}

/// Enters the mail's fate in the inbox, in its row from an earlier try where it has one.
fn enter(tx: &Tx, incoming: &Incoming, fate: Fate, reason: Option<&str>, now: i64) -> Result<i64> {
    match incoming.row {
        Some(id) => {
            tx.set_fate(id, fate, reason, None)?;
            Ok(id)
        }
        None => {
            let envelope = serde_json::to_string(incoming.envelope).map_err(StoreError::from)?;
            Ok(tx.enter(
                &incoming.inbound.fingerprint,
                fate,
                reason,
                &envelope,
                incoming.raw,
                now,
            )?)
        }
    }
}

/// Handling failed: the mail is kept, counted, and set aside after some tries. Passwords are blanked then.
fn keep_for_later(tx: &Tx, incoming: &Incoming, error: &str, now: i64) -> Result<Fate> {
    let id = match incoming.row {
        Some(id) => id,
        None => {
            let envelope = serde_json::to_string(incoming.envelope).map_err(StoreError::from)?;
            match tx.receive(&incoming.inbound.fingerprint, &envelope, incoming.raw, now)? {
                Some(id) => id,
                None => return Ok(Fate::Duplicate),
            }
        }
    };
    let fate = if tx.count_attempt(id, error)? >= MOST_ATTEMPTS {
        Fate::SetAside
    } else {
        Fate::Failing
    };
    let blanked = (fate == Fate::SetAside).then(|| blank::without_passwords(incoming.raw, incoming.inbound));
    tx.set_fate(id, fate, Some(error), blanked.as_deref())?;
    Ok(fate)
}

fn panic_text(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic
        .downcast_ref::<&str>()
        .map(ToString::to_string)
        .or_else(|| panic.downcast_ref::<String>().cloned());
    format!("panic: {}", text.unwrap_or_default())
}

impl From<serde_json::Error> for ServerError {
    fn from(error: serde_json::Error) -> Self {
        ServerError::Store(StoreError::from(error))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_an_error_also_where_another_thread_has_it() {
        let here = guarded::<()>(|| panic!("here"));
        assert!(matches!(here, Err(ServerError::Broken(why)) if why == "panic: here"));
        let there = guarded(|| {
            rayon::in_place_scope(|scope| scope.spawn(|_| panic!("there")));
            Ok(())
        });
        assert!(matches!(there, Err(ServerError::Broken(why)) if why == "panic: there"));
    }
}
