//! `playpost admin match` and `rebuild`.

use super::Desk;
use crate::cli::Failure;
use crate::matches::Action;
use crate::server::Difference;
use crate::span::Span;
use anyhow::Context;
use clap::Subcommand;
use std::io::Write;

#[derive(Debug, Subcommand)]
pub(super) enum MatchCommand {
    /// End a match: a seat, several seats, or draw; needs --reason
    Adjudicate { number: u32, result: String },
    /// Take the last turn back
    Undo { number: u32 },
    /// Stop the clocks
    Pause { number: u32 },
    /// Let the clocks go on
    Continue { number: u32 },
    /// Give the player to move more time (2d, 36h)
    Shift { number: u32, span: Span },
    /// Play matches through under the present rules and say what differs; changes nothing
    Replay { number: Option<u32> },
}

pub(super) fn run(desk: &mut Desk, command: &MatchCommand) -> Result<(), Failure> {
    let (number, action) = match command {
        MatchCommand::Adjudicate { number, result } => {
            if desk.by.why.is_empty() {
                return Err(Failure::Usage("adjudicate needs --reason TEXT".to_string()));
            }
            let Desk {
                server, store, by, now, ..
            } = desk;
            return Ok(server.adjudicate(store, *number, result, by, *now)?);
        }
        MatchCommand::Replay { number } => return replay(desk, *number),
        MatchCommand::Undo { number } => (*number, Action::TakeBack),
        MatchCommand::Pause { number } => (*number, Action::Pause),
        MatchCommand::Continue { number } => (*number, Action::Continue),
        MatchCommand::Shift { number, span } => (*number, Action::Shift { by: *span }),
    };
    let Desk {
        server, store, by, now, ..
    } = desk;
    Ok(server.keeper_acts(store, number, action, by, *now)?)
}

fn replay(desk: &mut Desk, number: Option<u32>) -> Result<(), Failure> {
    if let Some(number) = number {
        let found = desk.store.read(|tx| tx.stored_match(number));
        if found.context("the match cannot be read")?.is_none() {
            return Err(Failure::Refused(format!("there is no match {number}")));
        }
    }
    let found = desk.server.check(&mut desk.store, number);
    let found = found.context("the matches cannot be read")?;
    print(&found)?;
    match found.is_empty() {
        true => Ok(()),
        false => Err(Failure::Status(1)),
    }
}

pub(super) fn rebuild(desk: &mut Desk) -> Result<(), Failure> {
    let found = desk.server.rebuild(&mut desk.store);
    let found = found.context("the columns cannot be derived")?;
    desk.note(&format!("rebuild: {}", in_words(found.len())))?;
    print(&found)
}

fn print(found: &[Difference]) -> Result<(), Failure> {
    let mut output = std::io::stdout().lock();
    for difference in found {
        match difference.number {
            Some(number) => writeln!(output, "match {number}: {}", difference.what)?,
            None => writeln!(output, "{}", difference.what)?,
        }
    }
    writeln!(output, "{}", in_words(found.len()))?;
    Ok(())
}

fn in_words(count: usize) -> String {
    format!("{count} differences")
}
