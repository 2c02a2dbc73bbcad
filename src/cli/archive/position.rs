//! `playpost archive list --position` and `--like`: matches in which a position stood.

use super::super::Failure;
use super::progress_bar;
use crate::archive::{self, Canonical, Found, PositionError};
use crate::games;
use crate::store::{Filter, Store};
use anyhow::Context;
use clap::Args;

/// Which position is looked for.
#[derive(Debug, Args)]
pub(super) struct PositionArgs {
    /// Only matches in which this position stood, also turned or mirrored: a position text of the game
    #[arg(long, value_name = "TEXT", requires = "game", conflicts_with = "like")]
    position: Option<String>,

    /// Options of the game that the position is of, as `playpost rules` takes them ("-side=6")
    #[arg(long, value_name = "OPTIONS", requires = "position", allow_hyphen_values = true)]
    options: Option<String>,

    /// Only matches in which the position of match N after turn T stood, also turned or mirrored
    #[arg(long, value_name = "N#T", value_parser = number_and_turn)]
    like: Option<(u32, u32)>,
}

/// Reads `12#7`.
fn number_and_turn(text: &str) -> Result<(u32, u32), String> {
    let parts = text
        .split_once('#')
        .map(|(number, turn)| (number.parse(), turn.parse()));
    match parts {
        Some((Ok(number), Ok(turn))) => Ok((number, turn)),
        _ => Err("write the match and the turn: 12#7".to_string()),
    }
}

impl PositionArgs {
    /// The position that is looked for, if one is.
    pub(super) fn wanted(&self, store: &mut Store, game: Option<&str>) -> Result<Option<Canonical>, Failure> {
        if let Some((number, turn)) = self.like {
            return match store.read(|tx| archive::position_in(tx, number, turn)) {
                Ok(position) => Ok(Some(position)),
                Err(PositionError::Store(error)) => Err(Failure::Failed(error.into())),
                Err(error) => Err(Failure::Refused(error.to_string())),
            };
        }
        let (Some(text), Some(game)) = (&self.position, game.and_then(games::find)) else {
            return Ok(None);
        };
        let table = (game.setup)(&self.raw_options(), text).map_err(|error| Failure::Usage(error.to_string()))?;
        match Canonical::of(table.as_ref()) {
            Some(position) => Ok(Some(position)),
            None => Err(Failure::Usage(
                "in a counting no turn is played on the board: no such position can be looked for".to_string(),
            )),
        }
    }

    fn raw_options(&self) -> Vec<(String, Option<String>)> {
        let words = self.options.as_deref().unwrap_or_default().split_whitespace();
        words
            .map(|word| match word.trim_start_matches('-').split_once('=') {
                Some((name, value)) => (name.to_ascii_lowercase(), Some(value.to_string())),
                None => (word.trim_start_matches('-').to_ascii_lowercase(), None),
            })
            .collect()
    }
}

/// The matches in which a position stood; positions that are not entered yet are made up for first.
pub(super) fn search(
    store: &mut Store,
    position: &Canonical,
    filter: &Filter,
    quiet: bool,
) -> Result<Vec<Found>, Failure> {
    let bar = progress_bar(0, quiet);
    let derived = archive::derive_missing(store, |done, all| {
        bar.set_length(all.into());
        bar.set_position(done.into());
    });
    bar.finish_and_clear();
    derived.context("positions cannot be entered")?;
    let found = store.read(|tx| archive::search(tx, position, filter));
    Ok(found.context("the archive cannot be read")?)
}
