//! What happened to a player who gets one mail a day, until it is sent.

use super::{PlayerId, Result, Tx};
use rusqlite::params;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DigestRow {
    /// The match that it is about, if it is about one.
    pub number: Option<u32>,
    pub at: i64,
    pub text: String,
}

impl Tx<'_> {
    pub fn add_digest(&self, player: PlayerId, number: Option<u32>, text: &str, now: i64) -> Result<()> {
        self.prepare_cached("INSERT INTO digest (player, match, at, item) VALUES (?1, ?2, ?3, ?4)")?
            .execute(params![player.0, number, now, text])?;
        Ok(())
    }

    /// Players for whom something waits.
    pub fn digest_players(&self) -> Result<Vec<PlayerId>> {
        let mut statement = self.prepare_cached("SELECT DISTINCT player FROM digest ORDER BY player")?;
        let rows = statement.query_map([], |row| Ok(PlayerId(row.get(0)?)))?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
    }

    /// What waits for a player, oldest first.
    pub fn digest(&self, player: PlayerId) -> Result<Vec<DigestRow>> {
        let mut statement = self.prepare_cached("SELECT match, at, item FROM digest WHERE player = ?1 ORDER BY id")?;
        let rows = statement.query_map([player.0], |row| {
            Ok(DigestRow {
                number: row.get(0)?,
                at: row.get(1)?,
                text: row.get(2)?,
            })
        })?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
    }

    pub fn clear_digest(&self, player: PlayerId) -> Result<()> {
        self.execute("DELETE FROM digest WHERE player = ?1", [player.0])?;
        Ok(())
    }
}
