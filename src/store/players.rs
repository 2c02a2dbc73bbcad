//! Players, their addresses, settings, blocks, vacations and ratings.

use super::{Result, Tx, from_json, to_json};
use rusqlite::{OptionalExtension, Row, params};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A player's row. Userids may be shown; this never is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct PlayerId(pub i64);

/// How a player wants his mails.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum MailMode {
    /// A mail for each thing that happens.
    #[default]
    Each,
    /// One mail a day.
    Digest,
    /// Reminders only, and answers to the player's own mails.
    Reminders,
}

/// What `set` changes. Absent keys have the house's defaults, so that a default can change for everybody.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Settings {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub timezone: Option<String>,
    pub mail: MailMode,
    /// Hour of the day in the player's zone at which a digest goes out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub digest_hour: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub board: Option<String>,
    /// Reminder marks as typed: `50%`, `1d`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reminders: Option<Vec<String>>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub autoaccept: bool,
    /// The most matches of a game that the player wants at once.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub limits: BTreeMap<String, u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub html: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub picture: Option<bool>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Player {
    pub id: PlayerId,
    pub userid: String,
    pub created: i64,
    /// Signed off at.
    pub closed: Option<i64>,
    /// The keeper's reason for barring the player.
    pub barred: Option<String>,
    /// Argon2 hash.
    pub password: Option<String>,
    pub settings: Settings,
}

/// A proved address of a player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Address {
    pub address: String,
    pub proved: i64,
    pub main: bool,
    /// Bounces in a row.
    pub bounces: u32,
    /// Failing since.
    pub failing: Option<i64>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct RatingRow {
    pub rating: f64,
    pub deviation: f64,
    pub volatility: f64,
    pub matches: u32,
    pub won: u32,
    pub drawn: u32,
    pub changed: i64,
}

/// Days on which all the player's clocks stand still.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VacationRow {
    pub id: i64,
    /// ISO dates in the player's zone, both inclusive.
    pub first: String,
    pub last: String,
    pub start: i64,
    pub end: i64,
}

const COLUMNS: &str = "id, userid, created, closed, barred, password, settings";

type RawPlayer = (i64, String, i64, Option<i64>, Option<String>, Option<String>, String);

fn raw(row: &Row) -> rusqlite::Result<RawPlayer> {
    Ok((
        row.get(0)?,
        row.get(1)?,
        row.get(2)?,
        row.get(3)?,
        row.get(4)?,
        row.get(5)?,
        row.get(6)?,
    ))
}

fn player((id, userid, created, closed, barred, password, settings): RawPlayer) -> Result<Player> {
    Ok(Player {
        id: PlayerId(id),
        userid,
        created,
        closed,
        barred,
        password,
        settings: from_json(&settings)?,
    })
}

fn address_row(row: &Row) -> rusqlite::Result<Address> {
    Ok(Address {
        address: row.get(0)?,
        proved: row.get(1)?,
        main: row.get(2)?,
        bounces: row.get(3)?,
        failing: row.get(4)?,
    })
}

impl Tx<'_> {
    /// Opens an account with its first, proved address. The caller has checked that userid and address are free.
    pub fn add_player(&self, userid: &str, address: &str, password: Option<&str>, now: i64) -> Result<PlayerId> {
        self.execute(
            "INSERT INTO player (userid, created, password) VALUES (?1, ?2, ?3)",
            params![userid, now, password],
        )?;
        let id = PlayerId(self.last_insert_rowid());
        self.add_address(id, address, now)?;
        self.execute("UPDATE address SET main = 1 WHERE player = ?1", [id.0])?;
        Ok(id)
    }

    fn player_where(&self, condition: &str, value: impl rusqlite::ToSql) -> Result<Option<Player>> {
        let query = format!("SELECT {COLUMNS} FROM player WHERE {condition}");
        self.prepare_cached(&query)?
            .query_row([value], raw)
            .optional()?
            .map(player)
            .transpose()
    }

    pub fn player(&self, id: PlayerId) -> Result<Option<Player>> {
        self.player_where("id = ?1", id.0)
    }

    /// The player with this userid, in any case of letters; closed accounts too.
    pub fn player_named(&self, userid: &str) -> Result<Option<Player>> {
        self.player_where("userid = ?1", userid)
    }

    /// The player to whom this proved address belongs.
    pub fn player_at(&self, address: &str) -> Result<Option<Player>> {
        self.player_where("id = (SELECT player FROM address WHERE address = ?1)", address)
    }

    /// All players in the order of their accounts.
    pub fn players(&self) -> Result<Vec<Player>> {
        let query = format!("SELECT {COLUMNS} FROM player ORDER BY id");
        let mut statement = self.prepare_cached(&query)?;
        let rows = statement.query_map([], raw)?.collect::<rusqlite::Result<Vec<_>>>()?;
        rows.into_iter().map(player).collect()
    }

    pub fn set_settings(&self, id: PlayerId, settings: &Settings) -> Result<()> {
        self.execute(
            "UPDATE player SET settings = ?2 WHERE id = ?1",
            params![id.0, to_json(settings)?],
        )?;
        Ok(())
    }

    /// Sets the Argon2 hash, or switches the password off.
    pub fn set_password(&self, id: PlayerId, hash: Option<&str>) -> Result<()> {
        self.execute("UPDATE player SET password = ?2 WHERE id = ?1", params![id.0, hash])?;
        Ok(())
    }

    pub fn set_barred(&self, id: PlayerId, reason: Option<&str>) -> Result<()> {
        self.execute("UPDATE player SET barred = ?2 WHERE id = ?1", params![id.0, reason])?;
        Ok(())
    }

    pub fn rename_player(&self, id: PlayerId, userid: &str) -> Result<()> {
        self.execute("UPDATE player SET userid = ?2 WHERE id = ?1", params![id.0, userid])?;
        Ok(())
    }

    /// Closes the account: addresses, keys, settings and password are gone; the userid stays for the records.
    pub fn close_player(&self, id: PlayerId, now: i64) -> Result<()> {
        self.execute(
            "UPDATE player SET closed = ?2, password = NULL, settings = '{}' WHERE id = ?1",
            params![id.0, now],
        )?;
        // What a question was about, and the mail that it came from, hold addresses.
        self.execute(
            "UPDATE inbox SET fate = 'dropped', raw = NULL, sender = '{}' WHERE fate = 'held' AND id IN
               (SELECT inbox FROM question WHERE player = ?1)",
            [id.0],
        )?;
        self.execute(
            "UPDATE question SET address = NULL, body = '{}' WHERE address IN
               (SELECT address FROM address WHERE player = ?1)",
            [id.0],
        )?;
        self.execute("DELETE FROM outbox WHERE player = ?1 AND state = 'failed'", [id.0])?;
        for table in ["address", "sent", "thread", "digest", "vacation", "block", "watcher"] {
            self.execute(&format!("DELETE FROM {table} WHERE player = ?1"), [id.0])?;
        }
        self.execute("DELETE FROM block WHERE blocked = ?1", [id.0])?;
        self.execute(
            "UPDATE question SET state = 'dropped', address = NULL, body = '{}' WHERE player = ?1",
            [id.0],
        )?;
        Ok(())
    }

    /// The player's addresses, the main one first.
    pub fn addresses(&self, id: PlayerId) -> Result<Vec<Address>> {
        let mut statement = self.prepare_cached(
            "SELECT address, proved, main, bounces, failing FROM address WHERE player = ?1 ORDER BY main DESC, id",
        )?;
        let rows = statement.query_map([id.0], address_row)?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
    }

    /// Where mails to the player go: the first address that does not fail, the main one before others; the main one
    /// where all fail.
    pub fn mail_address(&self, id: PlayerId) -> Result<Option<String>> {
        Ok(self
            .prepare_cached(
                "SELECT address FROM address WHERE player = ?1 ORDER BY failing IS NOT NULL, main DESC, id LIMIT 1",
            )?
            .query_row([id.0], |row| row.get(0))
            .optional()?)
    }

    pub fn add_address(&self, id: PlayerId, address: &str, now: i64) -> Result<()> {
        self.execute(
            "INSERT INTO address (player, address, proved) VALUES (?1, ?2, ?3)",
            params![id.0, address, now],
        )?;
        Ok(())
    }

    /// Removes one address; another becomes the main one if it was that. Gives whether it was there.
    pub fn remove_address(&self, id: PlayerId, address: &str) -> Result<bool> {
        let removed = self.execute(
            "DELETE FROM address WHERE player = ?1 AND address = ?2",
            params![id.0, address],
        )? > 0;
        self.execute(
            "UPDATE address SET main = 1 WHERE id = (SELECT min(id) FROM address WHERE player = ?1)
             AND NOT EXISTS (SELECT 1 FROM address WHERE player = ?1 AND main = 1)",
            [id.0],
        )?;
        Ok(removed)
    }

    /// One more bounce of this address. Gives the number in a row.
    pub fn count_bounce(&self, address: &str) -> Result<u32> {
        self.execute("UPDATE address SET bounces = bounces + 1 WHERE address = ?1", [address])?;
        let count: Option<u32> = self
            .query_row("SELECT bounces FROM address WHERE address = ?1", [address], |row| {
                row.get(0)
            })
            .optional()?;
        Ok(count.unwrap_or(0))
    }

    /// Marks the address as failing; gives whether it was not so before.
    pub fn mark_failing(&self, address: &str, now: i64) -> Result<bool> {
        Ok(self.execute(
            "UPDATE address SET failing = ?2 WHERE address = ?1 AND failing IS NULL",
            params![address, now],
        )? > 0)
    }

    /// A mail came from there: nothing is wrong with the address.
    pub fn clear_failing(&self, address: &str) -> Result<()> {
        self.prepare_cached(
            "UPDATE address SET failing = NULL, bounces = 0 WHERE address = ?1 AND (failing IS NOT NULL OR bounces > 0)",
        )?
        .execute([address])?;
        Ok(())
    }

    /// Failing addresses with the userid of their player, for the keeper.
    pub fn failing_addresses(&self) -> Result<Vec<(String, String, i64)>> {
        let mut statement = self.prepare_cached(
            "SELECT userid, address, failing FROM address JOIN player ON player.id = player
             WHERE failing IS NOT NULL ORDER BY failing",
        )?;
        let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
    }

    pub fn block(&self, id: PlayerId, other: PlayerId) -> Result<()> {
        self.execute(
            "INSERT OR IGNORE INTO block (player, blocked) VALUES (?1, ?2)",
            [id.0, other.0],
        )?;
        self.execute(
            "DELETE FROM watcher WHERE player = ?2 AND match IN (SELECT match FROM seat WHERE player = ?1)",
            [id.0, other.0],
        )?;
        Ok(())
    }

    pub fn unblock(&self, id: PlayerId, other: PlayerId) -> Result<bool> {
        Ok(self.execute("DELETE FROM block WHERE player = ?1 AND blocked = ?2", [id.0, other.0])? > 0)
    }

    /// Whether `id` has blocked `other`.
    pub fn blocks(&self, id: PlayerId, other: PlayerId) -> Result<bool> {
        Ok(self
            .prepare_cached("SELECT 1 FROM block WHERE player = ?1 AND blocked = ?2")?
            .exists([id.0, other.0])?)
    }

    /// Userids that the player has blocked.
    pub fn blocked_by(&self, id: PlayerId) -> Result<Vec<String>> {
        let mut statement = self.prepare_cached(
            "SELECT userid FROM block JOIN player ON player.id = blocked WHERE block.player = ?1 ORDER BY userid",
        )?;
        let rows = statement.query_map([id.0], |row| row.get(0))?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
    }

    /// The player's vacations that have not ended before `since`, in order.
    pub fn vacations(&self, id: PlayerId, since: i64) -> Result<Vec<VacationRow>> {
        let mut statement = self.prepare_cached(
            "SELECT id, first, last, start, end FROM vacation WHERE player = ?1 AND end > ?2 ORDER BY start",
        )?;
        let rows = statement.query_map([id.0, since], |row| {
            Ok(VacationRow {
                id: row.get(0)?,
                first: row.get(1)?,
                last: row.get(2)?,
                start: row.get(3)?,
                end: row.get(4)?,
            })
        })?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
    }

    pub fn add_vacation(&self, id: PlayerId, first: &str, last: &str, start: i64, end: i64) -> Result<()> {
        self.execute(
            "INSERT INTO vacation (player, first, last, start, end) VALUES (?1, ?2, ?3, ?4, ?5)",
            params![id.0, first, last, start, end],
        )?;
        Ok(())
    }

    /// Ends a vacation at another day: `last` and `end` are new.
    pub fn shorten_vacation(&self, id: i64, last: &str, end: i64) -> Result<()> {
        self.execute(
            "UPDATE vacation SET last = ?2, end = ?3 WHERE id = ?1",
            params![id, last, end],
        )?;
        Ok(())
    }

    pub fn remove_vacation(&self, id: i64) -> Result<()> {
        self.execute("DELETE FROM vacation WHERE id = ?1", [id])?;
        Ok(())
    }

    pub fn rating(&self, id: PlayerId, game: &str) -> Result<Option<RatingRow>> {
        Ok(self
            .prepare_cached(
                "SELECT rating, deviation, volatility, matches, won, drawn, changed FROM rating
                 WHERE player = ?1 AND game = ?2",
            )?
            .query_row(params![id.0, game], rating_row)
            .optional()?)
    }

    pub fn set_rating(&self, id: PlayerId, game: &str, rating: &RatingRow) -> Result<()> {
        self.prepare_cached(
            "INSERT OR REPLACE INTO rating (player, game, rating, deviation, volatility, matches, won, drawn, changed)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
        )?
        .execute(params![
            id.0,
            game,
            rating.rating,
            rating.deviation,
            rating.volatility,
            rating.matches,
            rating.won,
            rating.drawn,
            rating.changed
        ])?;
        Ok(())
    }

    /// Ratings of a game, best first, of open accounts.
    pub fn ratings(&self, game: &str) -> Result<Vec<(String, RatingRow)>> {
        let mut statement = self.prepare_cached(
            "SELECT rating, deviation, volatility, matches, won, drawn, changed, userid FROM rating
             JOIN player ON player.id = player WHERE game = ?1 AND closed IS NULL
             ORDER BY rating DESC, userid",
        )?;
        let rows = statement.query_map([game], |row| Ok((row.get(7)?, rating_row(row)?)))?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
    }

    /// Forgets all ratings, before they are derived again.
    pub fn clear_ratings(&self) -> Result<()> {
        self.execute("DELETE FROM rating", [])?;
        Ok(())
    }
}

fn rating_row(row: &Row) -> rusqlite::Result<RatingRow> {
    Ok(RatingRow {
        rating: row.get(0)?,
        deviation: row.get(1)?,
        volatility: row.get(2)?,
        matches: row.get(3)?,
        won: row.get(4)?,
        drawn: row.get(5)?,
        changed: row.get(6)?,
    })
}
