//! `playpost archive`: finished matches as records.

use super::rules::captions;
use super::show::{instant, store};
use super::{Cli, Failure, house};
use crate::archive::{self, Failing, Import, Wrong};
use crate::matches::{Problem, Record};
use crate::store::{ArchivedRow, Filter};
use anyhow::Context;
use chrono::{DateTime, NaiveDate, TimeDelta};
use clap::{Args, Subcommand};
use indicatif::{ProgressBar, ProgressStyle};
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
    /// Print the record of a match
    Show(ShowArgs),
    /// Write finished matches as records
    Export(ExportArgs),
    /// Take records in; ends with 1 when one of them was wrong
    Import(ImportArgs),
}

/// Which matches.
#[derive(Debug, Args)]
struct FilterArgs {
    /// Only matches of this game
    #[arg(long)]
    game: Option<String>,

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

#[derive(Debug, Args)]
struct ExportArgs {
    #[command(flatten)]
    filter: FilterArgs,

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

#[derive(Debug, Args)]
struct ImportArgs {
    /// Records as text, files of JSON lines (.jsonl), or directories of both
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,
}

impl FilterArgs {
    fn filter(&self) -> Filter {
        let opening = self.opening.as_deref().map(|turns| {
            let turns: Vec<&str> = turns.split_whitespace().collect();
            turns.join(" ")
        });
        Filter {
            game: self.game.clone(),
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
        ArchiveCommand::Export(args) => export(cli, args),
        ArchiveCommand::Import(args) => import(cli, args),
    }
}

fn list(cli: &Cli, args: &ListArgs) -> Result<(), Failure> {
    let rows = store(cli)?
        .read(|tx| tx.search_archive(&args.filter.filter()))
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

fn export(cli: &Cli, args: &ExportArgs) -> Result<(), Failure> {
    let config = house::config(cli)?;
    let mut store = store(cli)?;
    let numbers = store
        .read(|tx| archive::finished(tx, &args.filter.filter()))
        .context("the archive cannot be read")?;
    let mut output = Output::open(args)?;
    let bar = progress_bar(numbers.len(), cli.quiet);
    for number in numbers {
        let record = store
            .read(|tx| archive::export(tx, number, &config.address, args.talk))
            .context("a match cannot be exported")?;
        if let Some(record) = record {
            output.write(&record)?;
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    output.close()
}

/// Where an export goes.
enum Output {
    Directory(PathBuf),
    Lines(BufWriter<File>),
}

impl Output {
    fn open(args: &ExportArgs) -> Result<Self, Failure> {
        if let Some(path) = &args.jsonl {
            let file = File::create(path).with_context(|| format!("cannot write {}", path.display()))?;
            return Ok(Output::Lines(BufWriter::new(file)));
        }
        let dir = args.dir.clone().unwrap_or_default();
        std::fs::create_dir_all(&dir).with_context(|| format!("cannot make {}", dir.display()))?;
        Ok(Output::Directory(dir))
    }

    fn write(&mut self, record: &Record) -> Result<(), Failure> {
        match self {
            Output::Lines(file) => writeln!(file, "{}", record.to_json())?,
            Output::Directory(dir) => {
                let path = dir.join(format!("{}-{}.txt", record.game, record.number));
                std::fs::write(&path, record.to_text()).with_context(|| format!("cannot write {}", path.display()))?;
            }
        }
        Ok(())
    }

    fn close(self) -> Result<(), Failure> {
        if let Output::Lines(mut file) = self {
            file.flush()?;
        }
        Ok(())
    }
}

fn import(cli: &Cli, args: &ImportArgs) -> Result<(), Failure> {
    let files = archive::files(&args.paths).context("the records cannot be read")?;
    let mut store = store(cli)?;
    let bar = progress_bar(files.len(), cli.quiet);
    let mut report = |failing: &Failing| bar.suspend(|| eprintln!("{}", in_words(failing)));
    let mut import = Import::new(&mut store, &mut report);
    for file in &files {
        import.file(file).context("the records cannot be entered")?;
        bar.inc(1);
    }
    let count = import.finish().context("the records cannot be entered")?;
    bar.finish_and_clear();
    if !cli.quiet {
        let mut output = std::io::stdout().lock();
        writeln!(
            output,
            "{} taken in, {} there already, {} wrong",
            count.taken, count.known, count.wrong
        )?;
    }
    match count.wrong {
        0 => Ok(()),
        // Each of them was reported.
        _ => Err(Failure::Status(1)),
    }
}

/// `FILE:LINE: what is wrong`, a refused turn with the rules' reason.
fn in_words(failing: &Failing) -> String {
    let place = match failing.line {
        0 => failing.file.display().to_string(),
        line => format!("{}:{line}", failing.file.display()),
    };
    let why = match &failing.wrong {
        Wrong::Record(Problem::Turn { refusal, .. }) => captions::why(&refusal.reason).ok(),
        _ => None,
    };
    match why {
        Some(why) => format!("{place}: {}: {why}", failing.wrong),
        None => format!("{place}: {}", failing.wrong),
    }
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
