//! `playpost admin mails`: what came in and is kept.

use super::super::show::instant;
use super::Desk;
use crate::cli::Failure;
use crate::mail;
use crate::server::without_passwords;
use crate::store::{Fate, InboxRow};
use anyhow::Context;
use clap::Subcommand;
use serde_json::{Value, json};
use std::io::Write;

#[derive(Debug, Subcommand)]
pub(super) enum MailsCommand {
    /// List the mails that are kept, with the reason
    List {
        /// Print a JSON array
        #[arg(long)]
        json: bool,
    },
    /// Print a mail, passwords blanked
    Show {
        id: i64,
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
    /// Handle a mail again, after a fix
    Replay { id: i64 },
    /// Forget a mail, and the question that it led to
    Drop { id: i64 },
}

/// The fates of mails that are kept.
const KEPT: [Fate; 4] = [Fate::SetAside, Fate::Failing, Fate::Waiting, Fate::Held];

pub(super) fn run(desk: &mut Desk, command: &MailsCommand) -> Result<(), Failure> {
    match command {
        MailsCommand::List { json } => list(desk, *json),
        MailsCommand::Show { id, json } => show(desk, *id, *json),
        MailsCommand::Replay { id } => {
            let fate = desk.server.replay_mail(&mut desk.store, *id, &desk.by, desk.now)?;
            writeln!(std::io::stdout(), "mail {id}: {}", fate.name())?;
            match fate {
                Fate::SetAside | Fate::Failing => Err(Failure::Status(1)),
                _ => Ok(()),
            }
        }
        MailsCommand::Drop { id } => Ok(desk.server.drop_kept_mail(&mut desk.store, *id, &desk.by, desk.now)?),
    }
}

fn list(desk: &mut Desk, as_json: bool) -> Result<(), Failure> {
    let mut rows = Vec::new();
    for fate in KEPT {
        let found = desk.store.read(|tx| tx.inbox_with(fate));
        rows.extend(found.context("the mails cannot be read")?);
    }
    rows.sort_by_key(|row| row.id);
    let list: Vec<Value> = rows.iter().map(row_json).collect();
    let mut output = std::io::stdout().lock();
    if as_json {
        writeln!(output, "{}", Value::Array(list))?;
        return Ok(());
    }
    for row in list {
        let text = |key: &str| row[key].as_str().unwrap_or("-").to_string();
        let (id, fate, from, why) = (&row["id"], text("fate"), text("from"), text("reason"));
        writeln!(output, "{id:>6}  {}  {fate:<9} {from}  {why}", text("received"))?;
    }
    Ok(())
}

fn row_json(row: &InboxRow) -> Value {
    let inbound = read(row);
    json!({
        "id": row.id,
        "received": instant(row.received),
        "fate": row.fate.name(),
        "reason": row.reason,
        "attempts": row.attempts,
        "from": inbound.from,
        "subject": crate::language::hide_passwords(&inbound.subject),
    })
}

fn read(row: &InboxRow) -> mail::Inbound {
    mail::read(row.raw.as_deref().unwrap_or_default(), &mail::Limits::default())
}

fn show(desk: &mut Desk, id: i64, as_json: bool) -> Result<(), Failure> {
    let row = desk
        .store
        .read(|tx| tx.inbox_mail(id))
        .context("the mail cannot be read")?
        .filter(|row| row.raw.is_some());
    let Some(row) = row else {
        return Err(Failure::Refused(format!("there is no mail {id} that is kept")));
    };
    let raw = row.raw.clone().unwrap_or_default();
    let text = String::from_utf8_lossy(&without_passwords(&raw, &read(&row))).into_owned();
    let mut shown = row_json(&row);
    shown["envelope"] = serde_json::from_str(&row.envelope).unwrap_or_default();
    let mut output = std::io::stdout().lock();
    if as_json {
        shown["text"] = Value::String(text);
        writeln!(output, "{shown}")?;
        return Ok(());
    }
    for (key, value) in shown.as_object().into_iter().flatten() {
        let value = value.as_str().map_or_else(|| value.to_string(), str::to_string);
        writeln!(output, "{key:<9} {value}")?;
    }
    writeln!(output, "\n{}", text.trim_end())?;
    Ok(())
}
