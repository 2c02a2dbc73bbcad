//! `playpost deliver`: one mail on standard input. Ends with 0 (taken over) or 75 (try again later) and nothing else,
//! and prints nothing when it ends with 0: some MTAs bounce what prints.

use super::{Cli, house};
use crate::config::Config;
use crate::post::pipe::{self, Delivered};
use crate::post::{Envelope, Office, TakeError, open_sink, run_outbox};
use crate::server::Server;
use clap::{Args, Parser};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// `EX_TEMPFAIL` of sysexits: the MTA keeps the mail and tries again.
const TRY_AGAIN: u8 = 75;

#[derive(Debug, Args)]
pub struct DeliverArgs {
    /// The envelope sender (else SENDER in the environment)
    #[arg(long, value_name = "ADDRESS")]
    sender: Option<String>,

    /// An envelope recipient (else RECIPIENT and the like in the environment)
    #[arg(long = "recipient", value_name = "ADDRESS")]
    recipients: Vec<String>,

    /// Further envelope recipients, as some MTAs append them
    #[arg(value_name = "RECIPIENT")]
    more: Vec<String>,
}

/// Parses the command line and delivers; whatever goes wrong, a panic included, the status is 0 or 75.
pub fn deliver() -> u8 {
    std::panic::set_hook(Box::new(|_| {}));
    let delivered = catch_unwind(|| {
        let cli = match Cli::try_parse() {
            Ok(cli) => cli,
            Err(error) => return Some(misread(&error)),
        };
        match &cli.command {
            super::Command::Deliver(args) => Some(run(&cli, args)),
            // `deliver` was an argument of something else, which is none of an MTA's business.
            _ => Some(match super::run(&cli) {
                Ok(()) => 0,
                Err(failure) => {
                    if let Some(message) = failure.message() {
                        eprintln!("{message}");
                    }
                    failure.exit_code()
                }
            }),
        }
    });
    match delivered {
        Ok(Some(status)) => status,
        Ok(None) | Err(_) => TRY_AGAIN,
    }
}

/// A keeper who asks for help gets it; a wrong command line is told in the MTA's log, and mended before a mail bounces.
fn misread(error: &clap::Error) -> u8 {
    // Where there is nobody to print to, nothing is lost.
    let _ = error.print();
    if error.use_stderr() { TRY_AGAIN } else { 0 }
}

pub(super) fn run(cli: &Cli, args: &DeliverArgs) -> u8 {
    // What prints may become a bounce: only a keeper who asks for a log gets one.
    if cli.verbose > 0 {
        house::start_log(cli, "info");
    }
    let delivered = catch_unwind(AssertUnwindSafe(|| try_deliver(cli, args)));
    match delivered {
        Ok(Ok(Delivered::Taken(_) | Delivered::Emergency)) => 0,
        Ok(Err(why)) => {
            // The MTA keeps the mail, and what stands here in its log beside it.
            eprintln!("playpost: {why}");
            TRY_AGAIN
        }
        Err(_) => TRY_AGAIN,
    }
}

fn try_deliver(cli: &Cli, args: &DeliverArgs) -> Result<Delivered, String> {
    let config = Config::load(cli.config.as_deref()).map_err(|error| error.to_string())?;
    let raw =
        pipe::read_mail(std::io::stdin().lock(), config.limits.max_mail_bytes).map_err(|error| error.to_string())?;
    let recipients: Vec<String> = args.recipients.iter().chain(&args.more).cloned().collect();
    let envelope = Envelope::from_options(args.sender.as_deref(), &recipients, |name| std::env::var_os(name));
    let office = Server::new(&config)
        .map_err(|error| TakeError::Temporary(error.to_string()))
        .and_then(|server| Office::open(server, &config, house::clock(cli)));
    let open = || office.as_ref().map_err(TakeError::clone);
    let delivered = pipe::deliver(&raw, &envelope, open, &config.emergency_dir())?;
    if let Ok(office) = &office {
        send(&config, office);
    }
    Ok(delivered)
}

/// Sends what the mail has put into the outbox. The mail itself is safe by now: trouble here is told in the log, and the
/// next run tries again.
fn send(config: &Config, office: &Office) {
    let sent = open_sink(&config.sink)
        .map_err(|error| error.to_string())
        .and_then(|mut sink| {
            let limit = config.limits.mails_per_hour;
            run_outbox(office, sink.as_mut(), office.now(), limit, &|| false).map_err(|error| error.to_string())
        });
    if let Err(error) = sent {
        tracing::warn!(error, "the outbox waits for the next run");
    }
}
