//! Mails that came in, each known by its fingerprint; questions that wait for a `yes`; limits on answers.

use super::{PlayerId, Result, StoreError, Tx, from_json, to_json};
use rusqlite::types::{FromSql, FromSqlError, FromSqlResult, ValueRef};
use rusqlite::{OptionalExtension, Row, params};

/// What became of a mail that came in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Fate {
    /// Read as a letter, and answered.
    Done,
    /// The same mail has been here before: nothing is done.
    Duplicate,
    /// A machine wrote it.
    Robot,
    /// A delivery report; used to mark the address.
    Bounce,
    /// It came through a mailing list.
    List,
    /// The server's own mail come back.
    Own,
    /// A person's, and nothing in it could be done.
    Refused,
    /// Commands wait for the sender's `yes`.
    Held,
    /// Past the limit of answers: it waits unread.
    Waiting,
    /// It cannot be handled; kept for the keeper.
    SetAside,
    /// Handling it failed; it is tried again.
    Failing,
    /// The keeper dropped it.
    Dropped,
}

impl Fate {
    const ALL: [(Fate, &'static str); 12] = [
        (Fate::Done, "done"),
        (Fate::Duplicate, "duplicate"),
        (Fate::Robot, "robot"),
        (Fate::Bounce, "bounce"),
        (Fate::List, "list"),
        (Fate::Own, "own"),
        (Fate::Refused, "refused"),
        (Fate::Held, "held"),
        (Fate::Waiting, "waiting"),
        (Fate::SetAside, "set-aside"),
        (Fate::Failing, "failing"),
        (Fate::Dropped, "dropped"),
    ];

    /// The word in the store, in lists and in logs.
    pub fn name(self) -> &'static str {
        Self::ALL
            .iter()
            .find(|(fate, _)| *fate == self)
            .map_or("", |(_, name)| name)
    }

    /// Whether the raw mail is kept.
    pub fn keeps_raw(self) -> bool {
        matches!(self, Fate::Held | Fate::Waiting | Fate::SetAside | Fate::Failing)
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InboxRow {
    pub id: i64,
    pub received: i64,
    pub fate: Fate,
    pub reason: Option<String>,
    pub attempts: u32,
    /// JSON of the envelope.
    pub envelope: String,
    pub raw: Option<Vec<u8>>,
}

/// What kind of `yes` is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QuestionKind {
    /// "Did you write this?"
    Held,
    /// A new account from an address that is not proved.
    Signup,
    /// A further address.
    Address,
    /// Closing the account.
    Signoff,
}

impl QuestionKind {
    const ALL: [(QuestionKind, &'static str); 4] = [
        (QuestionKind::Held, "held"),
        (QuestionKind::Signup, "signup"),
        (QuestionKind::Address, "address"),
        (QuestionKind::Signoff, "signoff"),
    ];

    fn name(self) -> &'static str {
        Self::ALL
            .iter()
            .find(|(kind, _)| *kind == self)
            .map_or("", |(_, name)| name)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QuestionState {
    Waiting,
    Yes,
    Dropped,
    Expired,
}

impl QuestionState {
    const ALL: [(QuestionState, &'static str); 4] = [
        (QuestionState::Waiting, "waiting"),
        (QuestionState::Yes, "yes"),
        (QuestionState::Dropped, "dropped"),
        (QuestionState::Expired, "expired"),
    ];

    fn name(self) -> &'static str {
        Self::ALL
            .iter()
            .find(|(state, _)| *state == self)
            .map_or("", |(_, name)| name)
    }
}

/// A question that is about to be asked by mail.
pub struct NewQuestion<'a> {
    pub kind: QuestionKind,
    pub player: Option<PlayerId>,
    /// Whom is asked, where it is no address of the player.
    pub address: Option<&'a str>,
    /// What a `yes` would do, as the server wrote it.
    pub body: serde_json::Value,
    /// The mail that led to the question.
    pub inbox: Option<i64>,
    pub now: i64,
    pub expires: i64,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Question {
    pub id: i64,
    pub player: Option<PlayerId>,
    pub address: Option<String>,
    pub kind: QuestionKind,
    pub body: serde_json::Value,
    pub expires: i64,
    pub state: QuestionState,
    pub inbox: Option<i64>,
}

impl FromSql for Fate {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        let name = value.as_str()?;
        let found = Fate::ALL.iter().find(|(_, word)| *word == name);
        found.map(|(fate, _)| *fate).ok_or(FromSqlError::InvalidType)
    }
}

fn inbox_row(row: &Row) -> rusqlite::Result<InboxRow> {
    Ok(InboxRow {
        id: row.get(0)?,
        received: row.get(1)?,
        fate: row.get(2)?,
        reason: row.get(3)?,
        attempts: row.get(4)?,
        envelope: row.get(5)?,
        raw: row.get(6)?,
    })
}

const INBOX: &str = "SELECT id, received, fate, reason, attempts, sender, raw FROM inbox";

impl Tx<'_> {
    /// Enters a mail as failing until its fate is known. `None` when the same mail is known already; then its row is
    /// left alone.
    pub fn receive(&self, fingerprint: &[u8], envelope: &str, raw: &[u8], now: i64) -> Result<Option<i64>> {
        let entered = self
            .prepare_cached(
                "INSERT INTO inbox (fingerprint, received, fate, sender, raw) VALUES (?1, ?2, 'failing', ?3, ?4)
                 ON CONFLICT (fingerprint) DO NOTHING",
            )?
            .execute(params![fingerprint, now, envelope, raw])?;
        Ok((entered > 0).then(|| self.last_insert_rowid()))
    }

    /// Whether a mail with this fingerprint is known.
    pub fn is_known(&self, fingerprint: &[u8]) -> Result<bool> {
        Ok(self
            .prepare_cached("SELECT 1 FROM inbox WHERE fingerprint = ?1")?
            .exists([fingerprint])?)
    }

    /// Enters a mail whose fate is known at once; its raw text only where the fate keeps it.
    pub fn enter(
        &self,
        fingerprint: &[u8],
        fate: Fate,
        reason: Option<&str>,
        envelope: &str,
        raw: &[u8],
        now: i64,
    ) -> Result<i64> {
        let raw = fate.keeps_raw().then_some(raw);
        self.prepare_cached(
            "INSERT INTO inbox (fingerprint, received, fate, reason, sender, raw) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
        )?
        .execute(params![
            fingerprint,
            now,
            fate.name(),
            reason,
            if raw.is_some() { envelope } else { "{}" },
            raw
        ])?;
        Ok(self.last_insert_rowid())
    }

    /// Sets a mail's fate; `raw` replaces the kept text (passwords blanked), or goes where the fate does not keep it.
    pub fn set_fate(&self, id: i64, fate: Fate, reason: Option<&str>, raw: Option<&[u8]>) -> Result<()> {
        if fate.keeps_raw() {
            self.execute(
                "UPDATE inbox SET fate = ?2, reason = ?3, raw = coalesce(?4, raw) WHERE id = ?1",
                params![id, fate.name(), reason, raw],
            )?;
        } else {
            self.prepare_cached("UPDATE inbox SET fate = ?2, reason = ?3, raw = NULL, sender = '{}' WHERE id = ?1")?
                .execute(params![id, fate.name(), reason])?;
        }
        Ok(())
    }

    /// One more attempt at a mail has failed; gives how many have.
    pub fn count_attempt(&self, id: i64, reason: &str) -> Result<u32> {
        self.execute(
            "UPDATE inbox SET attempts = attempts + 1, reason = ?2 WHERE id = ?1",
            params![id, reason],
        )?;
        Ok(self.query_row("SELECT attempts FROM inbox WHERE id = ?1", [id], |row| row.get(0))?)
    }

    fn inbox_where(&self, condition: &str, values: impl rusqlite::Params) -> Result<Vec<InboxRow>> {
        let mut statement = self.prepare_cached(&format!("{INBOX} WHERE {condition} ORDER BY id"))?;
        let rows = statement.query_map(values, inbox_row)?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
    }

    pub fn inbox_mail(&self, id: i64) -> Result<Option<InboxRow>> {
        Ok(self.inbox_where("id = ?1", [id])?.pop())
    }

    /// All mails of this fate, oldest first.
    pub fn inbox_with(&self, fate: Fate) -> Result<Vec<InboxRow>> {
        self.inbox_where("fate = ?1", [fate.name()])
    }

    /// The ids of all mails of this fate, oldest first.
    pub fn inbox_ids(&self, fate: Fate) -> Result<Vec<i64>> {
        let mut statement = self.prepare_cached("SELECT id FROM inbox WHERE fate = ?1 ORDER BY id")?;
        let rows = statement.query_map([fate.name()], |row| row.get(0))?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
    }

    pub fn ask(&self, question: &NewQuestion) -> Result<i64> {
        self.execute(
            "INSERT INTO question (player, address, kind, body, created, expires, state, inbox)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, 'waiting', ?7)",
            params![
                question.player.map(|player| player.0),
                question.address,
                question.kind.name(),
                to_json(&question.body)?,
                question.now,
                question.expires,
                question.inbox
            ],
        )?;
        Ok(self.last_insert_rowid())
    }

    pub fn question(&self, id: i64) -> Result<Option<Question>> {
        let row = self
            .query_row(
                "SELECT player, address, kind, body, expires, state, inbox FROM question WHERE id = ?1",
                [id],
                |row| {
                    Ok((
                        row.get::<_, Option<i64>>(0)?,
                        row.get::<_, Option<String>>(1)?,
                        row.get::<_, String>(2)?,
                        row.get::<_, String>(3)?,
                        row.get::<_, i64>(4)?,
                        row.get::<_, String>(5)?,
                        row.get::<_, Option<i64>>(6)?,
                    ))
                },
            )
            .optional()?;
        let Some((player, address, kind, body, expires, state, inbox)) = row else {
            return Ok(None);
        };
        let damaged = |what: &str| StoreError::Damaged(format!("question {what}"));
        Ok(Some(Question {
            id,
            player: player.map(PlayerId),
            address,
            kind: QuestionKind::ALL
                .iter()
                .find(|(_, name)| *name == kind)
                .ok_or_else(|| damaged(&kind))?
                .0,
            body: from_json(&body)?,
            expires,
            state: QuestionState::ALL
                .iter()
                .find(|(_, name)| *name == state)
                .ok_or_else(|| damaged(&state))?
                .0,
            inbox,
        }))
    }

    /// Closes a question. What it would have done is forgotten, and with it the mail that it came from.
    pub fn close_question(&self, id: i64, state: QuestionState) -> Result<()> {
        let inbox: Option<i64> = self
            .query_row("SELECT inbox FROM question WHERE id = ?1", [id], |row| row.get(0))
            .optional()?
            .flatten();
        self.execute(
            "UPDATE question SET state = ?2, body = '{}' WHERE id = ?1",
            params![id, state.name()],
        )?;
        if let Some(inbox) = inbox {
            self.set_fate(inbox, Fate::Done, Some(state.name()), None)?;
        }
        Ok(())
    }

    /// Questions of the player or address that still wait.
    pub fn waiting_questions(&self, player: Option<PlayerId>, address: Option<&str>) -> Result<Vec<i64>> {
        let mut statement = self.prepare_cached(
            "SELECT id FROM question WHERE state = 'waiting' AND (player = ?1 OR address = ?2 COLLATE NOCASE) ORDER BY id",
        )?;
        let rows = statement.query_map(params![player.map(|player| player.0), address], |row| row.get(0))?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
    }

    /// The question that a mail led to, while it waits.
    pub fn question_of(&self, inbox: i64) -> Result<Option<i64>> {
        Ok(self
            .query_row(
                "SELECT id FROM question WHERE inbox = ?1 AND state = 'waiting'",
                [inbox],
                |row| row.get(0),
            )
            .optional()?)
    }

    /// Questions nobody has answered in time.
    pub fn expired_questions(&self, now: i64) -> Result<Vec<i64>> {
        let mut statement =
            self.prepare_cached("SELECT id FROM question WHERE state = 'waiting' AND expires <= ?1 ORDER BY id")?;
        let rows = statement.query_map([now], |row| row.get(0))?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
    }

    /// Answers sent to this reader in this hour.
    pub fn answers_this_hour(&self, who: &str, now: i64) -> Result<u32> {
        Ok(self
            .prepare_cached("SELECT count FROM answered WHERE who = ?1 AND hour = ?2")?
            .query_row(params![who, now / 3600], |row| row.get(0))
            .optional()?
            .unwrap_or(0))
    }

    /// One more answer to this reader in this hour.
    pub fn count_answer(&self, who: &str, now: i64) -> Result<()> {
        self.prepare_cached(
            "INSERT INTO answered (who, hour, count) VALUES (?1, ?2, 1)
             ON CONFLICT (who, hour) DO UPDATE SET count = count + 1",
        )?
        .execute(params![who, now / 3600])?;
        Ok(())
    }
}
