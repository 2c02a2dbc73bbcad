//! What the keeper changes: players, matches, mails. Each change leaves a line in the audit, and those whom it concerns
//! are told by mail.

use super::sayings::Saying;
use super::session::{Section, Session};
use super::{Server, ServerError};
use crate::language::check_userid;
use crate::matches::{Action, Actor, Refused, read_result};
use crate::store::{Fate, Player, PlayerId, QuestionState, Store, StoreError, Tx};
use serde_json::json;

/// Who changes something, and why.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Audit {
    pub who: String,
    /// One line; empty where none was given.
    pub why: String,
}

/// Why the keeper's wish could not be done.
#[derive(Debug, thiserror::Error)]
pub enum KeeperError {
    #[error(transparent)]
    Server(#[from] ServerError),
    #[error("there is no player {0}")]
    NoPlayer(String),
    #[error("there is no running match {0} that can be read")]
    NoMatch(u32),
    #[error("there is no mail {0} that is kept")]
    NoMail(i64),
    #[error("mail {0} waits for its sender's yes: it can only be dropped")]
    Held(i64),
    #[error("the name {0} is taken")]
    Taken(String),
    #[error("{0} cannot be a name here")]
    BadName(String),
    #[error("{0} and {1} have a match or a waiting challenge in common: they cannot be one player")]
    Opponents(String, String),
    #[error("{0:?} is no result of this match: write a seat, several seats, or draw")]
    BadResult(String),
    #[error("the match refuses this: {0}")]
    Refused(&'static str),
}

impl From<StoreError> for KeeperError {
    fn from(error: StoreError) -> Self {
        KeeperError::Server(error.into())
    }
}

type Done = std::result::Result<(), KeeperError>;

impl Server {
    /// Lets the keeper act in a match: pause, continue, shift, take back.
    ///
    /// # Errors
    ///
    /// A match that is not running, or that refuses the action; nothing has changed then.
    pub fn keeper_acts(&self, store: &mut Store, number: u32, action: Action, by: &Audit, now: i64) -> Done {
        let what = format!("match {number}: {}", name_of(&action));
        store.write(|tx| {
            self.wake_up(tx, now)?;
            let mut session = Session::new(self, tx, now);
            running(&mut session, number)?;
            self.act_in(session, number, action, &what, by)
        })
    }

    /// Ends a match by the keeper's word; `result` as in a record.
    ///
    /// # Errors
    ///
    /// As [`Server::keeper_acts`], and a result that the match cannot have.
    pub fn adjudicate(&self, store: &mut Store, number: u32, result: &str, by: &Audit, now: i64) -> Done {
        store.write(|tx| {
            self.wake_up(tx, now)?;
            let mut session = Session::new(self, tx, now);
            running(&mut session, number)?;
            let seats = session.loaded(number).map_or("", |live| live.table().seats());
            let Some(verdict) = read_result(result, seats) else {
                return Err(KeeperError::BadResult(result.to_string()));
            };
            let reason = by.why.clone();
            let what = format!("match {number}: adjudicated {result}");
            self.act_in(session, number, Action::Adjudicate { verdict, reason }, &what, by)
        })
    }

    fn act_in(&self, mut session: Session, number: u32, action: Action, what: &str, by: &Audit) -> Done {
        // An adjudication says its reason itself.
        let says_why = matches!(action, Action::Adjudicate { .. });
        let done: std::result::Result<(), Refused> = session.act(number, Actor::Keeper, action)?;
        done.map_err(|refused| KeeperError::Refused(refused.code()))?;
        if !by.why.is_empty() && !says_why {
            let players = session
                .loaded(number)
                .map(|live| live.players().to_vec())
                .unwrap_or_default();
            for player in players {
                let saying = Saying::told("keeper-reason", json!({ "why": by.why }));
                session.page_of(player).about(number).push(saying);
            }
        }
        session.tx.audit(session.now, &by.who, what, &by.why)?;
        Ok(self.send_pages(session, None)?)
    }

    /// Bars a player, or lets him in again.
    ///
    /// # Errors
    ///
    /// An unknown player.
    pub fn bar(&self, store: &mut Store, userid: &str, barred: bool, by: &Audit, now: i64) -> Done {
        store.write(|tx| {
            let player = named(tx, userid)?;
            let why = if by.why.is_empty() { "by the keeper" } else { &by.why };
            tx.set_barred(player.id, barred.then_some(why))?;
            let (key, what) = match barred {
                true => ("keeper-barred", "blocked"),
                false => ("keeper-unbarred", "unblocked"),
            };
            self.tell_player(tx, &player, key, what, by, now)
        })
    }

    /// Gives a player another name, in finished matches too.
    ///
    /// # Errors
    ///
    /// An unknown player, a name that is taken, or that cannot be one.
    pub fn rename(&self, store: &mut Store, userid: &str, to: &str, by: &Audit, now: i64) -> Done {
        store.write(|tx| {
            let mut player = named(tx, userid)?;
            if check_userid(to).is_err() {
                return Err(KeeperError::BadName(to.to_string()));
            }
            if tx.player_named(to)?.is_some_and(|other| other.id != player.id) {
                return Err(KeeperError::Taken(to.to_string()));
            }
            let from = std::mem::replace(&mut player.userid, to.to_string());
            tx.rename_player(player.id, to)?;
            tx.rename_archived(player.id, to)?;
            tx.rename_in_heads(player.id, &from, to)?;
            let mut session = Session::new(self, tx, now);
            tell(
                &mut session,
                player.id,
                "keeper-renamed",
                json!({ "from": from, "to": to, "why": by.why }),
                to,
            );
            tx.audit(now, &by.who, &format!("player {from}: renamed {to}"), &by.why)?;
            Ok(self.send_pages(session, None)?)
        })
    }

    /// Makes one player of two accounts: everything of `from` becomes `to`'s, and `from` is closed.
    ///
    /// # Errors
    ///
    /// An unknown player, or two who have played each other or are asked to.
    pub fn merge(&self, store: &mut Store, from: &str, to: &str, by: &Audit, now: i64) -> Done {
        store.write(|tx| {
            let (from, to) = (named(tx, from)?, named(tx, to)?);
            if from.id == to.id || tx.are_opponents(from.id, to.id)? {
                return Err(KeeperError::Opponents(from.userid, to.userid));
            }
            tx.merge_into(from.id, to.id)?;
            tx.rename_archived(to.id, &to.userid)?;
            tx.rename_in_heads(to.id, &from.userid, &to.userid)?;
            tx.close_player(from.id, now)?;
            self.rebuild_at_once(tx)?;
            let mut session = Session::new(self, tx, now);
            session.spread_vacation(to.id)?;
            let context = json!({ "from": from.userid, "why": by.why });
            tell(&mut session, to.id, "keeper-merged", context, &to.userid);
            let what = format!("player {}: merged into {}", from.userid, to.userid);
            tx.audit(now, &by.who, &what, &by.why)?;
            Ok(self.send_pages(session, None)?)
        })
    }

    /// Keys of all the player's earlier mails prove nothing any more.
    ///
    /// # Errors
    ///
    /// An unknown player.
    pub fn new_key(&self, store: &mut Store, userid: &str, by: &Audit, now: i64) -> Done {
        store.write(|tx| {
            let player = named(tx, userid)?;
            tx.revoke_keys(player.id)?;
            self.tell_player(tx, &player, "keeper-new-key", "new key", by, now)
        })
    }

    /// Closes an account as if its owner had signed off.
    ///
    /// # Errors
    ///
    /// An unknown player.
    pub fn forget(&self, store: &mut Store, userid: &str, by: &Audit, now: i64) -> Done {
        store.write(|tx| {
            let player = named(tx, userid)?;
            self.wake_up(tx, now)?;
            let mut session = Session::new(self, tx, now);
            tell(
                &mut session,
                player.id,
                "keeper-forgotten",
                json!({ "why": by.why }),
                &player.userid,
            );
            self.close_account(&mut session, player.id)?;
            tx.audit(now, &by.who, &format!("player {}: forgotten", player.userid), &by.why)?;
            Ok(self.send_pages(session, None)?)
        })
    }

    fn tell_player(&self, tx: &Tx, player: &Player, key: &'static str, what: &str, by: &Audit, now: i64) -> Done {
        let mut session = Session::new(self, tx, now);
        tell(&mut session, player.id, key, json!({ "why": by.why }), &player.userid);
        tx.audit(now, &by.who, &format!("player {}: {what}", player.userid), &by.why)?;
        Ok(self.send_pages(session, None)?)
    }

    /// Handles a mail again that waits, failed or was set aside; gives what became of it.
    ///
    /// # Errors
    ///
    /// A mail that is not kept, or that waits for its sender's `yes`.
    pub fn replay_mail(
        &self,
        store: &mut Store,
        id: i64,
        by: &Audit,
        now: i64,
    ) -> std::result::Result<Fate, KeeperError> {
        let row = store.read(|tx| tx.inbox_mail(id))?.ok_or(KeeperError::NoMail(id))?;
        if row.fate == Fate::Held {
            return Err(KeeperError::Held(id));
        }
        let fate = self.take_again(store, id, now)?.ok_or(KeeperError::NoMail(id))?;
        store.write(|tx| tx.audit(now, &by.who, &format!("mail {id}: replayed, {}", fate.name()), &by.why))?;
        Ok(fate)
    }

    /// Drops a mail that is kept, and the question that it led to.
    ///
    /// # Errors
    ///
    /// A mail that is not kept.
    pub fn drop_kept_mail(&self, store: &mut Store, id: i64, by: &Audit, now: i64) -> Done {
        store.write(|tx| {
            let row = tx.inbox_mail(id)?.filter(|row| row.fate.keeps_raw());
            if row.is_none() {
                return Err(KeeperError::NoMail(id));
            }
            if let Some(question) = tx.question_of(id)? {
                tx.close_question(question, QuestionState::Dropped)?;
            }
            tx.set_fate(id, Fate::Dropped, None, None)?;
            Ok(tx.audit(now, &by.who, &format!("mail {id}: dropped"), &by.why)?)
        })
    }
}

/// The word of the audit for what the keeper did in a match.
fn name_of(action: &Action) -> &'static str {
    match action {
        Action::Pause => "paused",
        Action::Continue => "continued",
        Action::Shift { .. } => "given time",
        Action::TakeBack => "turn taken back",
        _ => "changed",
    }
}

/// Loads a running match.
fn running(session: &mut Session, number: u32) -> Done {
    match session.live(number)? {
        Some(live) if !live.finished_before() => Ok(()),
        _ => Err(KeeperError::NoMatch(number)),
    }
}

/// The open account of that name.
fn named(tx: &Tx, userid: &str) -> std::result::Result<Player, KeeperError> {
    let player = tx.player_named(userid)?.filter(|player| player.closed.is_none());
    player.ok_or_else(|| KeeperError::NoPlayer(userid.to_string()))
}

fn tell(session: &mut Session, player: PlayerId, key: &'static str, context: serde_json::Value, userid: &str) {
    let page = session.page_of(player);
    page.kind = "answer";
    page.sections.push(Section::Saying(Saying::told(key, context)));
    page.subject("keeper", minijinja::context! { userid => userid });
}
