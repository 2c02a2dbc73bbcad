//! The positions of finished matches by their keys, for searching.

use super::{Result, Tx};
use rusqlite::{OptionalExtension, params};

/// A position that stood in a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stood {
    /// Of the position's canonical form.
    pub key: i64,
    /// The turns played by then.
    pub turn: u32,
}

impl Tx<'_> {
    /// Enters the positions of a finished match; `form` is the version of the canonical form that their keys are of.
    pub fn set_positions(&self, number: u32, form: u32, positions: &[Stood]) -> Result<()> {
        let mut statement =
            self.prepare_cached("INSERT OR IGNORE INTO position (key, number, turn) VALUES (?1, ?2, ?3)")?;
        for stood in positions {
            statement.execute(params![stood.key, number, stood.turn])?;
        }
        self.prepare_cached("UPDATE archived SET positions = ?2 WHERE number = ?1")?
            .execute(params![number, form])?;
        Ok(())
    }

    /// Whether all positions of a finished match are entered under this form.
    pub fn has_positions(&self, number: u32, form: u32, positions: &[Stood]) -> Result<bool> {
        let entered: Option<u32> = self
            .prepare_cached("SELECT positions FROM archived WHERE number = ?1")?
            .query_row([number], |row| row.get(0))
            .optional()?;
        if entered != Some(form) {
            return Ok(false);
        }
        let mut statement =
            self.prepare_cached("SELECT 1 FROM position WHERE key = ?1 AND number = ?2 AND turn = ?3")?;
        for stood in positions {
            if !statement.exists(params![stood.key, number, stood.turn])? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Where positions of this key stood: match and turn, in order.
    pub fn positions_with(&self, key: i64) -> Result<Vec<(u32, u32)>> {
        let mut statement =
            self.prepare_cached("SELECT number, turn FROM position WHERE key = ?1 ORDER BY number, turn")?;
        let rows = statement.query_map([key], |row| Ok((row.get(0)?, row.get(1)?)))?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
    }

    /// Finished matches after `last` whose positions are not entered under this form, the first so many of them.
    pub fn without_positions(&self, form: u32, last: u32, most: u32) -> Result<Vec<u32>> {
        let mut statement = self.prepare_cached(
            "SELECT number FROM archived WHERE number > ?2 AND positions <> ?1 ORDER BY number LIMIT ?3",
        )?;
        let rows = statement.query_map([form, last, most], |row| row.get(0))?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
    }

    /// How many finished matches have no positions under this form.
    pub fn count_without_positions(&self, form: u32) -> Result<u32> {
        let mut statement = self.prepare_cached("SELECT count(*) FROM archived WHERE positions <> ?1")?;
        Ok(statement.query_row([form], |row| row.get(0))?)
    }
}
