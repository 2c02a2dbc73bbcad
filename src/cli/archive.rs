//! `playpost archive`: finished matches as records.

use super::show::{instant, store};
use super::{Cli, Failure, house};
use crate::matches::Record;
use crate::server::Live;
use crate::store::{ArchivedRow, Filter};
use anyhow::Context;
use clap::{Args, Subcommand};
use serde_json::{Value, json};
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::PathBuf;

#[derive(Debug, Args)]
pub struct ArchiveArgs {
    #[command(subcommand)]
    command: ArchiveCommand,
}

#[derive(Debug, Subcommand)]
enum ArchiveCommand {
    /// List finished matches, newest first
    List(ListArgs),
    /// Write finished matches as records
    Export(ExportArgs),
}

#[derive(Debug, Args)]
struct ListArgs {
    /// Only matches of this game
    #[arg(long)]
    game: Option<String>,

    /// Only matches of this player; with several, of all of them together
    #[arg(long = "player", value_name = "USERID")]
    players: Vec<String>,

    /// Print a JSON array
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Args)]
struct ExportArgs {
    /// One file a match into this directory
    #[arg(long, required_unless_present = "jsonl", conflicts_with = "jsonl")]
    dir: Option<PathBuf>,

    /// One JSON line a match into this file
    #[arg(long)]
    jsonl: Option<PathBuf>,

    /// What the players said, too
    #[arg(long)]
    talk: bool,
}

pub(super) fn run(cli: &Cli, args: &ArchiveArgs) -> Result<(), Failure> {
    match &args.command {
        ArchiveCommand::List(args) => list(cli, args),
        ArchiveCommand::Export(args) => export(cli, args),
    }
}

fn list(cli: &Cli, args: &ListArgs) -> Result<(), Failure> {
    let filter = Filter {
        game: args.game.clone(),
        userids: args.players.clone(),
        private_all: true,
        ..Filter::default()
    };
    let rows = store(cli)?
        .read(|tx| tx.search_archive(&filter))
        .context("the archive cannot be read")?;
    let mut output = std::io::stdout().lock();
    if args.json {
        let list: Vec<Value> = rows.iter().map(row_json).collect();
        writeln!(output, "{}", Value::Array(list))?;
        return Ok(());
    }
    for row in rows {
        let (number, game, turns) = (row.number, &row.game, row.turns);
        let names = row.userids.join(" - ");
        writeln!(
            output,
            "{number:>6}  {game:<13} {turns:>4} turns  {:<5} {:<22} {names}",
            row.result, row.reason
        )?;
    }
    Ok(())
}

fn row_json(row: &ArchivedRow) -> Value {
    json!({
        "match": row.number,
        "game": row.game,
        "options": row.options,
        "players": row.userids,
        "turns": row.turns,
        "result": row.result,
        "reason": row.reason,
        "rated": row.rated,
        "start": instant(row.started),
        "end": instant(row.ended),
    })
}

fn export(cli: &Cli, args: &ExportArgs) -> Result<(), Failure> {
    let config = house::config(cli)?;
    let filter = Filter {
        private_all: true,
        ..Filter::default()
    };
    let mut store = store(cli)?;
    let mut numbers: Vec<u32> = store
        .read(|tx| tx.search_archive(&filter))
        .context("the archive cannot be read")?
        .iter()
        .map(|row| row.number)
        .collect();
    numbers.sort_unstable();
    if let Some(dir) = &args.dir {
        std::fs::create_dir_all(dir).with_context(|| format!("cannot make {}", dir.display()))?;
    }
    let mut lines = match &args.jsonl {
        Some(path) => Some(BufWriter::new(
            File::create(path).with_context(|| format!("cannot write {}", path.display()))?,
        )),
        None => None,
    };
    for number in numbers {
        let live = store
            .read(|tx| Live::read(tx, number))
            .context("a match cannot be read")?;
        let Some(live) = live else { continue };
        let record = Record::of(live.game(), Some(&config.address), args.talk);
        if let Some(lines) = &mut lines {
            writeln!(lines, "{}", record.to_json())?;
        }
        if let Some(dir) = &args.dir {
            let path = dir.join(format!("{}-{number}.txt", record.game));
            std::fs::write(&path, record.to_text()).with_context(|| format!("cannot write {}", path.display()))?;
        }
    }
    if let Some(lines) = &mut lines {
        lines.flush()?;
    }
    Ok(())
}
