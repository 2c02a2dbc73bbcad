//! What most subcommands begin with: the configuration, the log, the clock, the office.

use super::{Cli, Failure};
use crate::config::Config;
use crate::post::{Clock, Office};
use crate::server::Server;
use anyhow::Context;
use chrono::{DateTime, Utc};
use std::io::IsTerminal;
use tracing_subscriber::EnvFilter;

/// The configuration that the command line names.
pub(super) fn config(cli: &Cli) -> Result<Config, Failure> {
    Config::load(cli.config.as_deref()).map_err(|error| Failure::Failed(error.into()))
}

/// Starts the log on standard error: warnings, more with `-v`, less with `-q`; `RUST_LOG` has the last word.
pub(super) fn start_log(cli: &Cli, usual: &str) {
    let level = match (cli.quiet, cli.verbose) {
        (true, _) => "error",
        (false, 0) => usual,
        (false, 1) => "info",
        (false, 2) => "debug",
        (false, _) => "trace",
    };
    let filter = EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new(format!("playpost={level}")));
    // A second subscriber in one process is no harm: the first one stays.
    let _ = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr)
        .with_ansi(std::io::stderr().is_terminal())
        .with_target(false)
        .try_init();
}

/// The time of `--now`, which stands still, or the machine's.
pub(super) fn clock(cli: &Cli) -> Clock {
    match cli.now {
        Some(now) => {
            let now: DateTime<Utc> = now.with_timezone(&Utc);
            Box::new(move || now)
        }
        None => Box::new(Utc::now),
    }
}

/// The office of a configuration.
pub(super) fn office(cli: &Cli, config: &Config) -> Result<Office, Failure> {
    let server = Server::new(config).context("the server cannot be set up")?;
    Office::open(server, config, clock(cli)).map_err(|error| Failure::Failed(error.into()))
}
