//! Numbered migrations on `PRAGMA user_version`. A released migration is never edited.

use super::{Result, StoreError};
use rusqlite::{Connection, TransactionBehavior};

/// Each entry takes the schema from its index to the next version.
const MIGRATIONS: &[&str] = &[
    include_str!("migrations/001.sql"),
    include_str!("migrations/002.sql"),
    include_str!("migrations/003.sql"),
    include_str!("migrations/004.sql"),
];

/// The schema version that this program writes.
pub const VERSION: i64 = MIGRATIONS.len() as i64;

fn version(connection: &Connection) -> Result<i64> {
    Ok(connection.query_row("PRAGMA user_version", [], |row| row.get(0))?)
}

/// Brings the database to [`VERSION`], each step in one transaction. Two processes may try at once.
pub fn migrate(connection: &mut Connection) -> Result<()> {
    loop {
        let found = version(connection)?;
        if found == VERSION {
            return Ok(());
        }
        let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let found = version(&transaction)?;
        let Ok(index) = usize::try_from(found) else {
            return Err(StoreError::Damaged(format!("schema version {found}")));
        };
        match MIGRATIONS.get(index) {
            Some(step) => {
                transaction.execute_batch(step)?;
                transaction.pragma_update(None, "user_version", found + 1)?;
                transaction.commit()?;
            }
            None if found > VERSION => return Err(StoreError::TooNew { found, known: VERSION }),
            None => return Ok(()),
        }
    }
}
