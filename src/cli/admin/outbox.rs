//! `playpost admin outbox`: mails on their way out.

use super::super::show::instant;
use super::Desk;
use crate::cli::Failure;
use crate::store::OutboxRow;
use anyhow::Context;
use clap::Subcommand;
use serde_json::{Value, json};
use std::io::Write;

#[derive(Debug, Subcommand)]
pub(super) enum OutboxCommand {
    /// List queued and failed mails, oldest first
    List {
        /// Print a JSON array
        #[arg(long)]
        json: bool,
    },
    /// Try a mail again with the next run, a failed one too
    Retry { id: i64 },
    /// Take a mail out unsent
    Drop { id: i64 },
}

pub(super) fn run(desk: &mut Desk, command: &OutboxCommand) -> Result<(), Failure> {
    let now = desk.now;
    let (id, done, what) = match command {
        OutboxCommand::List { json } => return list(desk, *json),
        OutboxCommand::Retry { id } => (id, desk.store.write(|tx| tx.retry(*id, now)), "to be tried again"),
        OutboxCommand::Drop { id } => (id, desk.store.write(|tx| tx.drop_mail(*id)), "dropped"),
    };
    if !done.context("the outbox cannot be changed")? {
        return Err(Failure::Refused(format!("there is no mail {id} in the outbox")));
    }
    desk.note(&format!("outgoing mail {id}: {what}"))
}

fn list(desk: &mut Desk, as_json: bool) -> Result<(), Failure> {
    let rows = desk.store.read(|tx| tx.outbox()).context("the outbox cannot be read")?;
    let mut output = std::io::stdout().lock();
    if as_json {
        let list: Vec<Value> = rows.iter().map(row_json).collect();
        writeln!(output, "{}", Value::Array(list))?;
        return Ok(());
    }
    for row in rows {
        let reply = row.last_reply.unwrap_or_default();
        writeln!(
            output,
            "{:>6}  {}  {:<7} {:>3} tries  {}  {reply}",
            row.id,
            instant(row.created),
            row.state,
            row.attempts,
            row.recipient
        )?;
    }
    Ok(())
}

fn row_json(row: &OutboxRow) -> Value {
    json!({
        "id": row.id,
        "recipient": row.recipient,
        "message_id": row.message_id,
        "kind": row.kind,
        "state": row.state,
        "created": instant(row.created),
        "attempts": row.attempts,
        "next_try": instant(row.next_try),
        "last_reply": row.last_reply,
    })
}
