//! `playpost show N`, `matches`, `players`: what is stored.

use super::{Cli, Failure, house};
use crate::letters::{MatchView, News, Reader};
use crate::post::open_store;
use crate::server::Live;
use crate::store::{Player, Store, Tx};
use anyhow::Context;
use clap::Args;
use serde_json::{Value, json};
use std::io::Write;

#[derive(Debug, Args)]
pub struct ShowArgs {
    /// The number of the match
    number: u32,

    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Args)]
pub struct ListArgs {
    /// Print a JSON array
    #[arg(long)]
    json: bool,
}

/// Opens the store of the configuration.
pub(super) fn store(cli: &Cli) -> Result<Store, Failure> {
    let config = house::config(cli)?;
    Ok(open_store(&config).context("the database cannot be opened")?)
}

pub(super) fn show(cli: &Cli, args: &ShowArgs) -> Result<(), Failure> {
    let config = house::config(cli)?;
    let office = house::office(cli, &config)?;
    let found = office
        .store()
        .read(|tx| Live::read(tx, args.number))
        .context("the match cannot be read")?;
    let Some(live) = found else {
        return Err(Failure::Refused(format!("there is no match {}", args.number)));
    };
    let mut output = std::io::stdout().lock();
    if args.json {
        writeln!(output, "{}", live.game().json())?;
        return Ok(());
    }
    let (templates, reader) = (office.server().templates(), Reader::default());
    let now = office.now().timestamp();
    let text = MatchView::new(live.game(), None, now, News::default(), &reader, templates)
        .and_then(|view| templates.render(&reader.language, "items/match.txt", view))
        .context("the match cannot be shown")?;
    writeln!(output, "{}", text.trim())?;
    Ok(())
}

pub(super) fn matches(cli: &Cli, args: &ListArgs) -> Result<(), Failure> {
    let mut store = store(cli)?;
    let (shown, troubled) = store.read(all_matches).context("the matches cannot be read")?;
    let mut output = std::io::stdout().lock();
    if args.json {
        writeln!(output, "{}", Value::Array(shown))?;
    } else {
        for summary in &shown {
            writeln!(output, "{}", line(summary))?;
        }
    }
    for (number, why) in troubled {
        eprintln!("match {number} is set aside: {why}");
    }
    Ok(())
}

/// Summaries of the running matches, and those that cannot be read with the reason.
type Matches = (Vec<Value>, Vec<(u32, String)>);

fn all_matches(tx: &Tx) -> crate::store::Result<Matches> {
    let (mut shown, mut troubled) = (Vec::new(), Vec::new());
    let archived = tx.search_archive(&crate::store::Filter {
        private_all: true,
        ..Default::default()
    })?;
    let mut numbers: Vec<u32> = tx.running_matches()?.iter().map(|row| row.number).collect();
    numbers.extend(archived.iter().map(|row| row.number));
    numbers.sort_unstable();
    for number in numbers {
        match Live::read(tx, number) {
            Ok(Some(live)) => shown.push(live.game().summary_json()),
            Ok(None) => {}
            Err(error) => troubled.push((number, error.to_string())),
        }
    }
    Ok((shown, troubled))
}

/// One line a match for people: number, game, players, status.
fn line(summary: &Value) -> String {
    let text = |key: &str| summary[key].as_str().unwrap_or("-").to_string();
    let seats: Vec<String> = summary["seats"]
        .as_object()
        .into_iter()
        .flatten()
        .map(|(seat, player)| format!("{seat} {}", player.as_str().unwrap_or("-")))
        .collect();
    let state = match summary["status"].as_str() {
        Some("finished") => format!("{} ({})", text("result"), text("reason")),
        _ => format!("{} to move", text("to_move")),
    };
    format!(
        "{:>6}  {:<13} {:<9} turn {:<4} {state:<22} {}",
        summary["match"],
        text("game"),
        text("status"),
        summary["turn"],
        seats.join(", ")
    )
}

pub(super) fn players(cli: &Cli, args: &ListArgs) -> Result<(), Failure> {
    let mut store = store(cli)?;
    let players = store.read(|tx| tx.players()).context("the players cannot be read")?;
    let mut output = std::io::stdout().lock();
    if args.json {
        let list: Vec<Value> = players.iter().map(player_json).collect();
        writeln!(output, "{}", Value::Array(list))?;
    } else {
        for player in &players {
            let state = match (&player.closed, &player.barred) {
                (Some(_), _) => "closed",
                (None, Some(_)) => "barred",
                (None, None) => "",
            };
            writeln!(output, "{:<20} {} {state}", player.userid, day(player.created))?;
        }
    }
    Ok(())
}

fn player_json(player: &Player) -> Value {
    json!({
        "userid": player.userid,
        "created": instant(player.created),
        "closed": player.closed.map(instant),
        "barred": player.barred,
    })
}

/// An instant in RFC 3339.
pub(super) fn instant(at: i64) -> String {
    chrono::DateTime::from_timestamp(at, 0)
        .unwrap_or_default()
        .to_rfc3339_opts(chrono::SecondsFormat::Secs, true)
}

fn day(at: i64) -> String {
    chrono::DateTime::from_timestamp(at, 0)
        .unwrap_or_default()
        .date_naive()
        .to_string()
}
