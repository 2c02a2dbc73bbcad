//! `playpost run`, for cron, and `playpost serve`, the daemon.

use super::{Cli, Failure, house};
use crate::config::{Config, Source};
use crate::post::{self, MaildirSource, Office, Stop, emergency, run_outbox};
use anyhow::Context;

pub(super) fn run(cli: &Cli) -> Result<(), Failure> {
    house::start_log(cli, "warn");
    let config = house::config(cli)?;
    let office = house::office(cli, &config)?;
    round(&config, &office, &Stop::new())
}

/// Takes in what the sources hold, runs the timers, sends the outbox.
fn round(config: &Config, office: &Office, stop: &Stop) -> Result<(), Failure> {
    let max_bytes = config.limits.max_mail_bytes;
    let mut taken =
        emergency::drain(&config.emergency_dir(), max_bytes, office, stop).context("the emergency Maildir")?;
    for source in &config.sources {
        if let Source::Maildir(place) = source {
            let maildir = MaildirSource::open(&place.path, max_bytes).context("a Maildir source")?;
            taken += maildir.drain(office, stop).context("a Maildir source")?;
        }
    }
    let ticked = office.tick().context("the timers")?;
    let mut sink = post::open_sink(&config.sink).context("the sink")?;
    let run = run_outbox(
        office,
        sink.as_mut(),
        office.now(),
        config.limits.mails_per_hour,
        &|| stop.is_stopped(),
    )
    .context("the outbox")?;
    tracing::info!(?taken, ?ticked, ?run, "a run");
    Ok(())
}

pub(super) fn serve(cli: &Cli) -> Result<(), Failure> {
    house::start_log(cli, "info");
    let config = house::config(cli)?;
    let office = house::office(cli, &config)?;
    round(&config, &office, &Stop::new())
}
