//! `playpost run`, for cron, and `playpost serve`, the daemon.

use super::{Cli, Failure, house};
use crate::post::{self, Stop};
use anyhow::Context;

pub(super) fn run(cli: &Cli) -> Result<(), Failure> {
    house::start_log(cli, "warn");
    let config = house::config(cli)?;
    let office = house::office(cli, &config)?;
    let round = post::run_once(&config, &office, &Stop::new());
    tracing::info!(intake = ?round.intake, ticked = ?round.ticked, outbox = ?round.outbox, "a run");
    match round.troubles.is_empty() {
        true => Ok(()),
        // The log has told them.
        false => Err(Failure::Status(1)),
    }
}

pub(super) fn serve(cli: &Cli) -> Result<(), Failure> {
    house::start_log(cli, "info");
    let config = house::config(cli)?;
    let office = house::office(cli, &config)?;
    post::serve(&config, &office, &Stop::new()).context("the daemon cannot begin")?;
    Ok(())
}
