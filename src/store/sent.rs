//! What outgoing mails gave their readers: reply keys, Message-IDs with a secret part, bounce keys; and threads.

use super::{PlayerId, Result, StoreError, Tx};
use rusqlite::{OptionalExtension, Row, params};
use sha2::{Digest, Sha256};

/// What a key in a mail is good for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// Commands about one match (`ref`), and everything else that the player may do.
    Match,
    /// The player's commands, about no match in particular.
    Account,
    /// The answer to a question (`ref`).
    Question,
    /// A friend without an account was invited to a challenge (`ref`).
    Invitation,
    /// A challenge (`ref`) is waiting for the reader.
    Challenge,
}

impl Purpose {
    fn name(self) -> &'static str {
        match self {
            Purpose::Match => "match",
            Purpose::Account => "account",
            Purpose::Question => "question",
            Purpose::Invitation => "invitation",
            Purpose::Challenge => "challenge",
        }
    }

    fn named(name: &str) -> Result<Self> {
        [
            Purpose::Match,
            Purpose::Account,
            Purpose::Question,
            Purpose::Invitation,
            Purpose::Challenge,
        ]
        .into_iter()
        .find(|purpose| purpose.name() == name)
        .ok_or_else(|| StoreError::Damaged(format!("purpose {name}")))
    }
}

/// The secrets of a mail that is about to go out, and what they stand for.
pub struct NewSent<'a> {
    pub player: Option<PlayerId>,
    /// Only where the reader is no player.
    pub address: Option<&'a str>,
    pub purpose: Purpose,
    /// The match, question or challenge.
    pub reference: Option<i64>,
    /// The turn to be played when the mail was made.
    pub turn: Option<u32>,
    pub key: &'a str,
    /// The secret part of the Message-ID.
    pub message_secret: &'a str,
    pub bounce_key: Option<&'a str>,
    pub now: i64,
}

/// What a key, Message-ID or bounce key of an earlier mail stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SentRow {
    pub player: Option<PlayerId>,
    pub address: Option<String>,
    pub purpose: Purpose,
    pub reference: Option<i64>,
    pub turn: Option<u32>,
    /// `newkey` has been said since: proves nothing any more.
    pub revoked: bool,
}

/// The Message-IDs that tie one match's mails together for one reader.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Thread {
    pub first: String,
    pub last: String,
}

/// Keys are random and long, so a plain hash keeps them; looking one up by its hash takes the same time for every
/// wrong key.
fn hash(secret: &str) -> Vec<u8> {
    Sha256::digest(secret.to_ascii_lowercase().as_bytes()).to_vec()
}

type RawSent = (Option<i64>, Option<String>, String, Option<i64>, Option<u32>, bool);

fn raw(row: &Row) -> rusqlite::Result<RawSent> {
    Ok((
        row.get(0)?,
        row.get(1)?,
        row.get(2)?,
        row.get(3)?,
        row.get(4)?,
        row.get(5)?,
    ))
}

impl Tx<'_> {
    pub fn remember_sent(&self, sent: &NewSent) -> Result<()> {
        self.prepare_cached(
            "INSERT INTO sent (player, address, purpose, ref, turn, key, mid, bounce, created)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
        )?
        .execute(params![
            sent.player.map(|player| player.0),
            sent.address,
            sent.purpose.name(),
            sent.reference,
            sent.turn,
            hash(sent.key),
            hash(sent.message_secret),
            sent.bounce_key.map(hash),
            sent.now
        ])?;
        Ok(())
    }

    fn sent_by(&self, column: &str, secret: &str) -> Result<Option<SentRow>> {
        // `column` is one of three constants below, never text from outside.
        let query = format!("SELECT player, address, purpose, ref, turn, revoked FROM sent WHERE {column} = ?1");
        let found = self.prepare_cached(&query)?.query_row([hash(secret)], raw).optional()?;
        found
            .map(|(player, address, purpose, reference, turn, revoked)| {
                Ok(SentRow {
                    player: player.map(PlayerId),
                    address,
                    purpose: Purpose::named(&purpose)?,
                    reference,
                    turn,
                    revoked,
                })
            })
            .transpose()
    }

    /// The mail whose Reply-To had this key; in any case of letters.
    pub fn sent_by_key(&self, key: &str) -> Result<Option<SentRow>> {
        self.sent_by("key", key)
    }

    /// The mail whose Message-ID has this secret part.
    pub fn sent_by_message(&self, secret: &str) -> Result<Option<SentRow>> {
        self.sent_by("mid", secret)
    }

    /// The mail whose envelope sender had this bounce key.
    pub fn sent_by_bounce(&self, key: &str) -> Result<Option<SentRow>> {
        self.sent_by("bounce", key)
    }

    /// `newkey`: keys and Message-IDs of all the player's mails prove nothing from now on.
    pub fn revoke_keys(&self, player: PlayerId) -> Result<()> {
        self.execute("UPDATE sent SET revoked = 1 WHERE player = ?1", [player.0])?;
        Ok(())
    }

    pub fn thread(&self, player: PlayerId, number: u32) -> Result<Option<Thread>> {
        Ok(self
            .prepare_cached("SELECT first, last FROM thread WHERE player = ?1 AND match = ?2")?
            .query_row(params![player.0, number], |row| {
                Ok(Thread {
                    first: row.get(0)?,
                    last: row.get(1)?,
                })
            })
            .optional()?)
    }

    /// The latest mail of the thread is now this one.
    pub fn extend_thread(&self, player: PlayerId, number: u32, message_id: &str) -> Result<()> {
        self.prepare_cached(
            "INSERT INTO thread (player, match, first, last) VALUES (?1, ?2, ?3, ?3)
             ON CONFLICT (player, match) DO UPDATE SET last = excluded.last",
        )?
        .execute(params![player.0, number, message_id])?;
        Ok(())
    }
}
