//! `playpost archive`: finished matches as records and as a web site.

mod export;
mod import;
mod position;
mod site;

use super::show::{instant, store};
use super::{Cli, Failure, house};
use crate::archive::{self, Found, Unplayable};
use crate::games;
use crate::store::{ArchivedRow, Filter};
use anyhow::Context;
use chrono::{DateTime, NaiveDate, TimeDelta};
use clap::{Args, Subcommand};
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::{Value, json};
use std::io::Write;

#[derive(Debug, Args)]
pub struct ArchiveArgs {
    #[command(subcommand)]
    command: ArchiveCommand,
}

#[derive(Debug, Subcommand)]
enum ArchiveCommand {
    /// List finished matches, newest first
    List(ListArgs),
    /// Print the record of a match
    Show(ShowArgs),
    /// Write finished matches as records
    Export(export::ExportArgs),
    /// Take records in; ends with 1 when one of them was wrong
    Import(import::ImportArgs),
    /// Write the public matches as a web site of files
    Site(site::SiteArgs),
}

/// Which matches.
#[derive(Debug, Args)]
struct FilterArgs {
    /// Only matches of this game
    #[arg(long, value_parser = game_name)]
    game: Option<&'static str>,

    /// Only matches of this player; with several, of all of them together
    #[arg(long = "player", value_name = "USERID")]
    players: Vec<String>,

    /// Only matches with this result: a seat, several seats, or draw
    #[arg(long)]
    result: Option<String>,

    /// Only matches that ended on this day or later (a date, or a time in RFC 3339)
    #[arg(long, value_name = "DATE", value_parser = first_instant)]
    since: Option<i64>,

    /// Only matches that ended on this day or earlier
    #[arg(long, value_name = "DATE", value_parser = last_instant)]
    until: Option<i64>,

    /// Only matches that began with these turns ("e5 c4-c5")
    #[arg(long, value_name = "TURNS")]
    opening: Option<String>,
}

#[derive(Debug, Args)]
struct ListArgs {
    #[command(flatten)]
    filter: FilterArgs,

    #[command(flatten)]
    position: position::PositionArgs,

    /// Print a JSON array
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Args)]
struct ShowArgs {
    /// The number of the match
    number: u32,

    /// What the players said, too
    #[arg(long)]
    talk: bool,

    /// Print the record as one line of JSON
    #[arg(long)]
    json: bool,
}

impl FilterArgs {
    fn filter(&self) -> Filter {
        let opening = self.opening.as_deref().map(|turns| {
            let turns: Vec<&str> = turns.split_whitespace().collect();
            turns.join(" ")
        });
        Filter {
            game: self.game.map(String::from),
            userids: self.players.clone(),
            since: self.since,
            until: self.until,
            result: self.result.clone(),
            opening: opening.filter(|turns| !turns.is_empty()),
            private_all: true,
            ..Filter::default()
        }
    }
}

/// The name of the game that is meant.
fn game_name(text: &str) -> Result<&'static str, String> {
    let known = || {
        let names: Vec<&str> = games::GAMES.iter().map(|game| game.info.name).collect();
        names.join(", ")
    };
    games::find(text)
        .map(|game| game.info.name)
        .ok_or_else(|| format!("there is no game of that name; the games are {}", known()))
}

/// The instant that is written, or that at which the day begins.
fn first_instant(text: &str) -> Result<i64, String> {
    instant_or_day(text, TimeDelta::zero())
}

/// The instant that is written, or that at which the day is over.
fn last_instant(text: &str) -> Result<i64, String> {
    instant_or_day(text, TimeDelta::days(1))
}

fn instant_or_day(text: &str, of_day: TimeDelta) -> Result<i64, String> {
    if let Ok(time) = DateTime::parse_from_rfc3339(text) {
        return Ok(time.timestamp());
    }
    let day: NaiveDate = text
        .parse()
        .map_err(|_| "write a date (2026-12-04) or a time (2026-12-04T09:00:00Z)".to_string())?;
    let begin = day.and_time(chrono::NaiveTime::MIN).and_utc();
    Ok(begin.checked_add_signed(of_day).unwrap_or(begin).timestamp())
}

pub(super) fn run(cli: &Cli, args: &ArchiveArgs) -> Result<(), Failure> {
    match &args.command {
        ArchiveCommand::List(args) => list(cli, args),
        ArchiveCommand::Show(args) => show(cli, args),
        ArchiveCommand::Export(args) => export::run(cli, args),
        ArchiveCommand::Import(args) => import::run(cli, args),
        ArchiveCommand::Site(args) => site::run(cli, args),
    }
}

fn list(cli: &Cli, args: &ListArgs) -> Result<(), Failure> {
    let filter = args.filter.filter();
    let mut store = store(cli)?;
    let found = match args.position.wanted(&mut store, args.filter.game)? {
        Some(position) => position::search(&mut store, &position, &filter, cli.quiet)?,
        None => {
            let rows = store.read(|tx| tx.search_archive(&filter));
            let rows = rows.context("the archive cannot be read")?.into_iter();
            rows.map(|row| Found { row, turns: Vec::new() }).collect()
        }
    };
    print_list(&found, args.json)
}

/// Names the matches that are damaged, which is a failure where there are any.
fn passed_over(unplayable: &[Unplayable]) -> Result<(), Failure> {
    for Unplayable { number, why } in unplayable {
        eprintln!("match {number} is left out: {why}");
    }
    match unplayable {
        [] => Ok(()),
        _ => Err(Failure::Status(1)),
    }
}

fn print_list(found: &[Found], json: bool) -> Result<(), Failure> {
    let mut output = std::io::stdout().lock();
    if json {
        let list: Vec<Value> = found.iter().map(found_json).collect();
        writeln!(output, "{}", Value::Array(list))?;
        return Ok(());
    }
    for Found { row, turns: stood } in found {
        let (number, game, turns) = (row.number, &row.game, row.turns);
        let names = row.userids.join(" - ");
        let stood: Vec<String> = stood.iter().map(u32::to_string).collect();
        let stood = match stood.as_slice() {
            [] => String::new(),
            turns => format!("  after turn {}", turns.join(", ")),
        };
        writeln!(
            output,
            "{number:>6}  {game:<13} {turns:>4} turns  {:<5} {:<22} {names}{stood}",
            row.result, row.reason
        )?;
    }
    Ok(())
}

/// A match of the list; with `after` the turns after which the position stood, where one was looked for.
fn found_json(found: &Found) -> Value {
    let mut object = row_json(&found.row);
    if !found.turns.is_empty() {
        object["after"] = json!(found.turns);
    }
    object
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

fn show(cli: &Cli, args: &ShowArgs) -> Result<(), Failure> {
    let config = house::config(cli)?;
    let record = store(cli)?
        .read(|tx| archive::export(tx, args.number, &config.address, args.talk))
        .context("the match cannot be read")?;
    let Some(record) = record else {
        return Err(Failure::Refused(format!("match {} is not in the archive", args.number)));
    };
    let mut output = std::io::stdout().lock();
    if args.json {
        writeln!(output, "{}", record.to_json())?;
    } else {
        write!(output, "{}", record.to_text())?;
    }
    Ok(())
}

/// A bar on a terminal, nothing elsewhere.
pub(super) fn progress_bar(length: usize, quiet: bool) -> ProgressBar {
    if quiet {
        return ProgressBar::hidden();
    }
    // Indicatif draws on standard error, and only where that is a terminal.
    let style = ProgressStyle::with_template("{wide_bar} {pos}/{len} {eta}");
    let bar = ProgressBar::new(length as u64);
    match style {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}
