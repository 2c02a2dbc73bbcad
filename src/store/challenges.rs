//! Challenges that wait for an answer, invitations, and addresses that want no mail.

use super::{PlayerId, Result, StoreError, Tx};
use rusqlite::{OptionalExtension, Row, params};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChallengeState {
    Waiting,
    Begun,
    Declined,
    Withdrawn,
    Expired,
}

impl ChallengeState {
    const ALL: [(ChallengeState, &'static str); 5] = [
        (ChallengeState::Waiting, "waiting"),
        (ChallengeState::Begun, "begun"),
        (ChallengeState::Declined, "declined"),
        (ChallengeState::Withdrawn, "withdrawn"),
        (ChallengeState::Expired, "expired"),
    ];

    /// The word in the store and in templates.
    pub fn name(self) -> &'static str {
        Self::ALL
            .iter()
            .find(|(state, _)| *state == self)
            .map_or("", |(_, name)| name)
    }

    fn named(name: &str) -> Result<Self> {
        Self::ALL
            .iter()
            .find(|(_, word)| *word == name)
            .map(|(state, _)| *state)
            .ok_or_else(|| StoreError::Damaged(format!("challenge state {name}")))
    }
}

/// Somebody who is asked to play: a player, or an address until its reader has signed up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invitee {
    pub player: Option<PlayerId>,
    pub address: Option<String>,
    pub accepted: Option<i64>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Challenge {
    pub number: u32,
    pub player: PlayerId,
    pub game: String,
    /// JSON of the terms.
    pub terms: String,
    pub created: i64,
    pub expires: i64,
    pub open: bool,
    pub repeats: u32,
    pub seats: u32,
    pub state: ChallengeState,
    pub invitees: Vec<Invitee>,
}

pub struct NewChallenge<'a> {
    pub player: PlayerId,
    pub game: &'a str,
    pub terms: &'a str,
    pub expires: i64,
    pub open: bool,
    pub repeats: u32,
    pub seats: u32,
    pub invitees: &'a [Invitee],
    pub now: i64,
}

const COLUMNS: &str = "number, player, game, terms, created, expires, open, repeats, seats, state";

type RawChallenge = (u32, i64, String, String, i64, i64, bool, u32, u32, String);

fn raw(row: &Row) -> rusqlite::Result<RawChallenge> {
    Ok((
        row.get(0)?,
        row.get(1)?,
        row.get(2)?,
        row.get(3)?,
        row.get(4)?,
        row.get(5)?,
        row.get(6)?,
        row.get(7)?,
        row.get(8)?,
        row.get(9)?,
    ))
}

impl Tx<'_> {
    pub fn add_challenge(&self, new: &NewChallenge) -> Result<u32> {
        self.execute(
            "INSERT INTO challenge (player, game, terms, created, expires, open, repeats, seats, state)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, 'waiting')",
            params![
                new.player.0,
                new.game,
                new.terms,
                new.now,
                new.expires,
                new.open,
                new.repeats,
                new.seats
            ],
        )?;
        let number: u32 = self.query_row("SELECT last_insert_rowid()", [], |row| row.get(0))?;
        for (place, invitee) in new.invitees.iter().enumerate() {
            self.add_invitee(number, place, invitee)?;
        }
        Ok(number)
    }

    /// One more who is asked, or (in an open challenge) has accepted.
    pub fn add_invitee(&self, number: u32, place: usize, invitee: &Invitee) -> Result<()> {
        self.execute(
            "INSERT INTO invitee (challenge, place, player, address, accepted) VALUES (?1, ?2, ?3, ?4, ?5)",
            params![
                number,
                place as i64,
                invitee.player.map(|player| player.0),
                invitee.address,
                invitee.accepted
            ],
        )?;
        Ok(())
    }

    fn challenge_from(&self, raw: RawChallenge) -> Result<Challenge> {
        let (number, player, game, terms, created, expires, open, repeats, seats, state) = raw;
        let mut statement =
            self.prepare_cached("SELECT player, address, accepted FROM invitee WHERE challenge = ?1 ORDER BY place")?;
        let invitees = statement.query_map([number], |row| {
            Ok(Invitee {
                player: row.get::<_, Option<i64>>(0)?.map(PlayerId),
                address: row.get(1)?,
                accepted: row.get(2)?,
            })
        })?;
        Ok(Challenge {
            number,
            player: PlayerId(player),
            game,
            terms,
            created,
            expires,
            open,
            repeats,
            seats,
            state: ChallengeState::named(&state)?,
            invitees: invitees.collect::<rusqlite::Result<_>>()?,
        })
    }

    fn challenges_where(&self, condition: &str, values: impl rusqlite::Params) -> Result<Vec<Challenge>> {
        let query = format!("SELECT {COLUMNS} FROM challenge WHERE {condition} ORDER BY number");
        let mut statement = self.prepare_cached(&query)?;
        let rows = statement
            .query_map(values, raw)?
            .collect::<rusqlite::Result<Vec<_>>>()?;
        rows.into_iter().map(|row| self.challenge_from(row)).collect()
    }

    pub fn challenge(&self, number: u32) -> Result<Option<Challenge>> {
        Ok(self.challenges_where("number = ?1", [number])?.pop())
    }

    /// Challenges that wait for this player's answer.
    pub fn challenges_to(&self, player: PlayerId) -> Result<Vec<Challenge>> {
        self.challenges_where(
            "state = 'waiting' AND number IN (SELECT challenge FROM invitee WHERE player = ?1 AND accepted IS NULL)",
            [player.0],
        )
    }

    /// Challenges that this player sent and that still wait.
    pub fn challenges_by(&self, player: PlayerId) -> Result<Vec<Challenge>> {
        self.challenges_where("state = 'waiting' AND player = ?1", [player.0])
    }

    /// Challenges open to all that this player may accept, oldest first, from `offset` on at most `limit` of them; and
    /// how many there are.
    pub fn open_challenges(&self, reader: PlayerId, offset: u32, limit: u32) -> Result<(Vec<Challenge>, u32)> {
        const TO_ALL: &str = "state = 'waiting' AND open = 1 AND player <> ?1 AND NOT EXISTS
             (SELECT 1 FROM block WHERE (block.player = ?1 AND blocked = challenge.player)
                                     OR (block.player = challenge.player AND blocked = ?1))";
        let count = self
            .prepare_cached(&format!("SELECT count(*) FROM challenge WHERE {TO_ALL}"))?
            .query_row([reader.0], |row| row.get(0))?;
        let listed = self.challenges_where(
            &format!("number IN (SELECT number FROM challenge WHERE {TO_ALL} ORDER BY number LIMIT ?3 OFFSET ?2)"),
            params![reader.0, offset, limit],
        )?;
        Ok((listed, count))
    }

    /// Invitations to this address that still wait.
    pub fn invitations_to(&self, address: &str) -> Result<Vec<Challenge>> {
        self.challenges_where(
            "state = 'waiting' AND number IN (SELECT challenge FROM invitee WHERE address = ?1 AND accepted IS NULL)",
            [address],
        )
    }

    /// How many invitations by address this player has open, or has withdrawn again though they were sent after `since`:
    /// their mails are not taken back.
    pub fn invitations_by(&self, player: PlayerId, since: i64) -> Result<u32> {
        Ok(self.query_row(
            "SELECT count(*) FROM challenge JOIN invitee ON challenge = number
             WHERE challenge.player = ?1 AND address IS NOT NULL
               AND (state = 'waiting' OR (state = 'withdrawn' AND created > ?2))",
            params![player.0, since],
            |row| row.get(0),
        )?)
    }

    /// Waiting challenges whose time is over.
    pub fn expired_challenges(&self, now: i64) -> Result<Vec<Challenge>> {
        self.challenges_where("state = 'waiting' AND expires <= ?1", [now])
    }

    pub fn set_challenge_state(&self, number: u32, state: ChallengeState) -> Result<()> {
        self.execute(
            "UPDATE challenge SET state = ?2 WHERE number = ?1",
            params![number, state.name()],
        )?;
        Ok(())
    }

    /// An open challenge has begun one of its matches: `repeats` more may follow, and nobody has accepted the next yet.
    pub fn repeat_challenge(&self, number: u32, repeats: u32) -> Result<()> {
        self.execute("UPDATE challenge SET repeats = ?2 WHERE number = ?1", [number, repeats])?;
        self.execute("DELETE FROM invitee WHERE challenge = ?1", [number])?;
        Ok(())
    }

    pub fn accept_invitation(&self, number: u32, player: PlayerId, now: i64) -> Result<()> {
        self.execute(
            "UPDATE invitee SET accepted = ?3 WHERE challenge = ?1 AND player = ?2",
            params![number, player.0, now],
        )?;
        Ok(())
    }

    /// The friend has signed up: invitations to the address are now to the player.
    pub fn adopt_invitations(&self, address: &str, player: PlayerId) -> Result<()> {
        self.execute(
            "UPDATE invitee SET player = ?2, address = NULL WHERE address = ?1",
            params![address, player.0],
        )?;
        Ok(())
    }

    /// When an invitation was last sent to this address, and whether it wants no mail at all.
    pub fn stranger(&self, address: &str) -> Result<(Option<i64>, bool)> {
        Ok(self
            .query_row(
                "SELECT invited, stopped IS NOT NULL FROM stranger WHERE address = ?1",
                [address],
                |row| Ok((row.get(0)?, row.get(1)?)),
            )
            .optional()?
            .unwrap_or((None, false)))
    }

    pub fn note_invited(&self, address: &str, now: i64) -> Result<()> {
        self.execute(
            "INSERT INTO stranger (address, invited) VALUES (?1, ?2)
             ON CONFLICT (address) DO UPDATE SET invited = excluded.invited",
            params![address, now],
        )?;
        Ok(())
    }

    /// `stop` from there ends all mail to the address; signing up begins it again.
    pub fn set_stopped(&self, address: &str, since: i64) -> Result<()> {
        self.execute(
            "INSERT INTO stranger (address, stopped) VALUES (?1, ?2)
             ON CONFLICT (address) DO UPDATE SET stopped = excluded.stopped",
            params![address, since],
        )?;
        Ok(())
    }

    /// An address has an account now: nothing is kept of the time before.
    pub fn forget_stranger(&self, address: &str) -> Result<()> {
        self.execute("DELETE FROM stranger WHERE address = ?1", [address])?;
        Ok(())
    }
}
