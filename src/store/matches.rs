//! Running matches: a head and appended events; the other columns are derived from them.

use super::{PlayerId, Result, Tx};
use rusqlite::{OptionalExtension, Row, params};

/// An event as it is stored: when, and its JSON.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredEvent {
    pub at: i64,
    pub body: String,
}

/// A match as it is stored, whether it runs or stands in the archive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredMatch {
    pub number: u32,
    /// JSON of the head.
    pub head: String,
    pub events: Vec<StoredEvent>,
    /// By seat. Empty where the players of an imported record have no accounts.
    pub players: Vec<PlayerId>,
    pub finished: bool,
}

/// The derived columns of a running match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MatchRow {
    pub number: u32,
    pub game: String,
    pub status: String,
    pub turn: u32,
    pub to_move: Option<PlayerId>,
    pub deadline: Option<i64>,
    /// When a timer next has something to do.
    pub wake: Option<i64>,
    pub started: i64,
    /// Only its players may look at it.
    pub private: bool,
    /// Why the match is set aside, if it is.
    pub trouble: Option<String>,
}

const COLUMNS: &str = "number, game, status, turn, to_move, deadline, wake, started, private, trouble";

fn match_row(row: &Row) -> rusqlite::Result<MatchRow> {
    Ok(MatchRow {
        number: row.get(0)?,
        game: row.get(1)?,
        status: row.get(2)?,
        turn: row.get(3)?,
        to_move: row.get::<_, Option<i64>>(4)?.map(PlayerId),
        deadline: row.get(5)?,
        wake: row.get(6)?,
        started: row.get(7)?,
        private: row.get(8)?,
        trouble: row.get(9)?,
    })
}

impl Tx<'_> {
    /// The number that the next match will have. Numbers are never used twice, archived and imported ones included.
    pub fn next_match_number(&self) -> Result<u32> {
        Ok(self.query_row(
            "SELECT 1 + max(coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'match'), 0),
                            coalesce((SELECT max(number) FROM archived), 0))",
            [],
            |row| row.get(0),
        )?)
    }

    /// Enters a new match with its players by seat. Its events are appended after this.
    pub fn add_match(&self, row: &MatchRow, head: &str, players: &[PlayerId]) -> Result<()> {
        self.execute(
            "INSERT INTO match (number, head, game, status, turn, to_move, deadline, wake, started, private)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
            params![
                row.number,
                head,
                row.game,
                row.status,
                row.turn,
                row.to_move.map(|player| player.0),
                row.deadline,
                row.wake,
                row.started,
                row.private
            ],
        )?;
        for (seat, player) in players.iter().enumerate() {
            self.execute(
                "INSERT INTO seat (match, seat, player) VALUES (?1, ?2, ?3)",
                params![row.number, seat as i64, player.0],
            )?;
        }
        Ok(())
    }

    /// Appends events; they are never changed afterwards.
    pub fn append_events(&self, number: u32, events: &[StoredEvent]) -> Result<()> {
        let mut statement = self.prepare_cached(
            "INSERT INTO event (match, seq, at, body)
             VALUES (?1, (SELECT coalesce(max(seq), 0) + 1 FROM event WHERE match = ?1), ?2, ?3)",
        )?;
        for event in events {
            statement.execute(params![number, event.at, event.body])?;
        }
        Ok(())
    }

    /// Writes the derived columns of a running match.
    pub fn set_match_row(&self, row: &MatchRow) -> Result<()> {
        self.prepare_cached(
            "UPDATE match SET status = ?2, turn = ?3, to_move = ?4, deadline = ?5, wake = ?6, trouble = ?7
             WHERE number = ?1",
        )?
        .execute(params![
            row.number,
            row.status,
            row.turn,
            row.to_move.map(|player| player.0),
            row.deadline,
            row.wake,
            row.trouble
        ])?;
        Ok(())
    }

    pub fn match_row(&self, number: u32) -> Result<Option<MatchRow>> {
        Ok(self
            .prepare_cached(&format!("SELECT {COLUMNS} FROM match WHERE number = ?1"))?
            .query_row([number], match_row)
            .optional()?)
    }

    fn match_rows(&self, condition: &str, values: impl rusqlite::Params) -> Result<Vec<MatchRow>> {
        let mut statement = self.prepare_cached(&format!("SELECT {COLUMNS} FROM match WHERE {condition}"))?;
        let rows = statement.query_map(values, match_row)?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
    }

    /// All running matches in the order of their numbers.
    pub fn running_matches(&self) -> Result<Vec<MatchRow>> {
        self.match_rows("1 ORDER BY number", [])
    }

    /// Running matches of a player, those where it is his turn first, by time left.
    pub fn matches_of(&self, player: PlayerId) -> Result<Vec<MatchRow>> {
        self.match_rows(
            "number IN (SELECT match FROM seat WHERE player = ?1)
             ORDER BY (to_move IS ?1) DESC, deadline IS NULL, deadline, number",
            [player.0],
        )
    }

    /// Numbers of running matches in which a timer has something to do by now.
    pub fn matches_to_wake(&self, now: i64) -> Result<Vec<u32>> {
        let mut statement =
            self.prepare_cached("SELECT number FROM match WHERE wake <= ?1 AND trouble IS NULL ORDER BY wake, number")?;
        let rows = statement.query_map([now], |row| row.get(0))?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
    }

    /// When a timer next has something to do in any match.
    pub fn next_wake(&self) -> Result<Option<i64>> {
        Ok(
            self.query_row("SELECT min(wake) FROM match WHERE trouble IS NULL", [], |row| {
                row.get(0)
            })?,
        )
    }

    /// Players of a running match by seat.
    pub fn seats(&self, number: u32) -> Result<Vec<PlayerId>> {
        let mut statement = self.prepare_cached("SELECT player FROM seat WHERE match = ?1 ORDER BY seat")?;
        let rows = statement.query_map([number], |row| Ok(PlayerId(row.get(0)?)))?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
    }

    /// A match with its events, running or archived.
    pub fn stored_match(&self, number: u32) -> Result<Option<StoredMatch>> {
        let head: Option<String> = self
            .prepare_cached("SELECT head FROM match WHERE number = ?1")?
            .query_row([number], |row| row.get(0))
            .optional()?;
        let Some(head) = head else {
            return self.archived_match(number);
        };
        let mut statement = self.prepare_cached("SELECT at, body FROM event WHERE match = ?1 ORDER BY seq")?;
        let events = statement.query_map([number], |row| {
            Ok(StoredEvent {
                at: row.get(0)?,
                body: row.get(1)?,
            })
        })?;
        Ok(Some(StoredMatch {
            number,
            head,
            events: events.collect::<rusqlite::Result<_>>()?,
            players: self.seats(number)?,
            finished: false,
        }))
    }

    /// Sets a match aside that cannot be replayed; everything else goes on.
    pub fn set_trouble(&self, number: u32, trouble: Option<&str>) -> Result<()> {
        self.execute(
            "UPDATE match SET trouble = ?2 WHERE number = ?1",
            params![number, trouble],
        )?;
        Ok(())
    }

    pub fn add_watcher(&self, number: u32, player: PlayerId) -> Result<()> {
        self.execute(
            "INSERT OR IGNORE INTO watcher (match, player) VALUES (?1, ?2)",
            params![number, player.0],
        )?;
        Ok(())
    }

    pub fn remove_watcher(&self, number: u32, player: PlayerId) -> Result<bool> {
        Ok(self.execute(
            "DELETE FROM watcher WHERE match = ?1 AND player = ?2",
            params![number, player.0],
        )? > 0)
    }

    pub fn watchers(&self, number: u32) -> Result<Vec<PlayerId>> {
        let mut statement = self.prepare_cached("SELECT player FROM watcher WHERE match = ?1 ORDER BY player")?;
        let rows = statement.query_map([number], |row| Ok(PlayerId(row.get(0)?)))?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
    }
}
