//! Mails on their way out: composed once, stored, and sent as stored. One row a recipient.

use super::{Result, Tx};
use rusqlite::{Row, params};

/// A composed mail to be put into the outbox.
pub struct NewMail<'a> {
    pub recipient: &'a str,
    /// `None` is the empty envelope sender.
    pub envelope_from: Option<&'a str>,
    pub message_id: &'a str,
    pub player: Option<super::PlayerId>,
    /// `answer`, `notice`, `reminder` or `digest`.
    pub kind: &'a str,
    /// A reminder is dropped unsent after this instant.
    pub stale_after: Option<i64>,
    pub raw: &'a PackedMail,
    pub now: i64,
}

/// The bytes of a mail in the form in which the outbox keeps them: their length (4 bytes, little-endian) and an LZ4 block.
pub struct PackedMail(Vec<u8>);

impl PackedMail {
    pub fn new(raw: &[u8]) -> Self {
        PackedMail(lz4_flex::compress_prepend_size(raw))
    }
}

/// No mail is longer, in bytes: what claims to be is damaged.
const LONGEST_MAIL: usize = 64 << 20;

/// The bytes of a packed mail; `None` where they are damaged.
fn unpacked(packed: &[u8]) -> Option<Vec<u8>> {
    let (length, block) = lz4_flex::block::uncompressed_size(packed).ok()?;
    let length = Some(length).filter(|length| *length <= LONGEST_MAIL)?;
    let raw = lz4_flex::decompress(block, length).ok()?;
    (raw.len() == length).then_some(raw)
}

/// A mail in the outbox.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutboxRow {
    pub id: i64,
    pub recipient: String,
    pub envelope_from: Option<String>,
    pub message_id: String,
    pub player: Option<i64>,
    pub kind: String,
    /// Empty where what is stored is damaged.
    pub raw: Vec<u8>,
    pub created: i64,
    pub attempts: u32,
    pub next_try: i64,
    pub state: String,
    pub last_reply: Option<String>,
    /// A reminder is dropped unsent after this instant.
    pub stale_after: Option<i64>,
}

const COLUMNS: &str = "id, recipient, envelope_from, message_id, player, kind, bytes, created, attempts, next_try, state, last_reply, stale_after, packed";

fn outbox_row(row: &Row) -> rusqlite::Result<OutboxRow> {
    let raw = row.get_ref(6)?.as_blob()?;
    let raw = match row.get(13)? {
        true => unpacked(raw).unwrap_or_default(),
        false => raw.to_vec(),
    };
    Ok(OutboxRow {
        id: row.get(0)?,
        recipient: row.get(1)?,
        envelope_from: row.get(2)?,
        message_id: row.get(3)?,
        player: row.get(4)?,
        kind: row.get(5)?,
        raw,
        created: row.get(7)?,
        attempts: row.get(8)?,
        next_try: row.get(9)?,
        state: row.get(10)?,
        last_reply: row.get(11)?,
        stale_after: row.get(12)?,
    })
}

impl Tx<'_> {
    pub fn put_out(&self, mail: &NewMail) -> Result<i64> {
        self.prepare_cached(
            "INSERT INTO outbox (recipient, envelope_from, message_id, player, kind, stale_after, bytes, created, next_try, state, packed)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?8, 'queued', 1)",
        )?
        .execute(params![
            mail.recipient,
            mail.envelope_from,
            mail.message_id,
            mail.player.map(|player| player.0),
            mail.kind,
            mail.stale_after,
            mail.raw.0,
            mail.now
        ])?;
        Ok(self.last_insert_rowid())
    }

    /// At most `limit` mails that are due, oldest first, and of each recipient only the oldest that is queued: what
    /// comes later waits behind it.
    pub fn due_mails(&self, now: i64, limit: usize) -> Result<Vec<OutboxRow>> {
        let query = format!(
            "SELECT {COLUMNS} FROM outbox AS o WHERE state = 'queued' AND next_try <= ?1
             AND NOT EXISTS (SELECT 1 FROM outbox AS e WHERE e.recipient = o.recipient AND e.id < o.id AND e.state = 'queued')
             ORDER BY id LIMIT ?2"
        );
        let mut statement = self.prepare_cached(&query)?;
        let rows = statement.query_map(params![now, limit as i64], outbox_row)?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
    }

    /// Writes, before a try, the attempt and when the next would be. `false` when the mail is not due any more: another
    /// process has it.
    pub fn begin_try(&self, id: i64, now: i64, next_try: i64) -> Result<bool> {
        let begun = self
            .prepare_cached(
                "UPDATE outbox SET attempts = attempts + 1, next_try = ?3
                 WHERE id = ?1 AND state = 'queued' AND next_try <= ?2",
            )?
            .execute(params![id, now, next_try])?;
        Ok(begun > 0)
    }

    /// The mail is delivered: its row goes, and the hour's count rises.
    pub fn delivered(&self, id: i64, now: i64) -> Result<()> {
        self.prepare_cached("DELETE FROM outbox WHERE id = ?1")?.execute([id])?;
        self.prepare_cached(
            "INSERT INTO sent_hour (hour, count) VALUES (?1, 1) ON CONFLICT (hour) DO UPDATE SET count = count + 1",
        )?
        .execute([now / 3600])?;
        Ok(())
    }

    /// The try failed for now; the next comes as [`Tx::begin_try`] wrote it.
    pub fn try_failed(&self, id: i64, reply: &str) -> Result<()> {
        self.execute("UPDATE outbox SET last_reply = ?2 WHERE id = ?1", params![id, reply])?;
        Ok(())
    }

    /// The mail is refused for good, or too old: it stays as failed for the keeper to see.
    pub fn give_up(&self, id: i64, reply: &str) -> Result<()> {
        self.execute(
            "UPDATE outbox SET state = 'failed', last_reply = ?2 WHERE id = ?1",
            params![id, reply],
        )?;
        Ok(())
    }

    /// Mails sent since the hour in which `since` lies began, for the breaker.
    pub fn sent_since(&self, since: i64) -> Result<u64> {
        let count: i64 = self.query_row(
            "SELECT coalesce(sum(count), 0) FROM sent_hour WHERE hour > ?1",
            [since / 3600],
            |row| row.get(0),
        )?;
        Ok(count.unsigned_abs())
    }

    /// The whole outbox, oldest first.
    pub fn outbox(&self) -> Result<Vec<OutboxRow>> {
        let query = format!("SELECT {COLUMNS} FROM outbox ORDER BY id");
        let mut statement = self.prepare_cached(&query)?;
        let rows = statement.query_map([], outbox_row)?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
    }

    /// When the next queued mail is due, if any is.
    pub fn next_try(&self) -> Result<Option<i64>> {
        Ok(
            self.query_row("SELECT min(next_try) FROM outbox WHERE state = 'queued'", [], |row| {
                row.get(0)
            })?,
        )
    }

    /// Tries a mail again at once, failed ones too; gives whether there was one.
    pub fn retry(&self, id: i64, now: i64) -> Result<bool> {
        Ok(self.execute(
            "UPDATE outbox SET state = 'queued', next_try = ?2 WHERE id = ?1",
            params![id, now],
        )? > 0)
    }

    /// Takes a mail out of the outbox unsent; gives whether there was one.
    pub fn drop_mail(&self, id: i64) -> Result<bool> {
        Ok(self.execute("DELETE FROM outbox WHERE id = ?1", [id])? > 0)
    }
}
