//! `playpost admin`: what the keeper sees and mends.

mod base;
mod mails;
mod matches;
mod outbox;
mod players;

use super::{Cli, Failure, house};
use crate::config::Config;
use crate::post::open_store;
use crate::server::{Audit, KeeperError, Server};
use crate::store::Store;
use anyhow::Context;
use clap::{Args, Subcommand};

#[derive(Debug, Args)]
pub struct AdminArgs {
    /// Who does it, for the audit (else USER in the environment)
    #[arg(long, global = true, value_name = "NAME")]
    by: Option<String>,

    /// Why; the players concerned read it
    #[arg(long, global = true, value_name = "TEXT")]
    reason: Option<String>,

    #[command(subcommand)]
    command: AdminCommand,
}

#[derive(Debug, Subcommand)]
enum AdminCommand {
    /// Mails that were set aside, failed, wait, or are held
    #[command(subcommand)]
    Mails(mails::MailsCommand),
    /// Mails on their way out
    #[command(subcommand)]
    Outbox(outbox::OutboxCommand),
    /// Players
    #[command(subcommand)]
    Player(players::PlayerCommand),
    /// Running matches
    #[command(subcommand)]
    Match(matches::MatchCommand),
    /// What keepers changed, newest first
    Audit(base::AuditArgs),
    /// Copy the database to a file while others work on it
    Backup(base::FileArgs),
    /// Put a backup in the place of the database; what was there is kept beside it
    Restore(base::FileArgs),
    /// Derive all columns beside the matches anew
    Rebuild,
    /// Give the space of deleted rows back to the disk
    Vacuum,
}

/// What every subcommand works with.
struct Desk {
    config: Config,
    server: Server,
    store: Store,
    by: Audit,
    /// Unix seconds.
    now: i64,
    quiet: bool,
}

impl Desk {
    fn open(cli: &Cli, args: &AdminArgs) -> Result<Desk, Failure> {
        let config = house::config(cli)?;
        let server = Server::new(&config).context("the server cannot be set up")?;
        // What is to be restored need not be there.
        let store = match args.command {
            AdminCommand::Restore(_) => Store::open(&config.data),
            _ => open_store(&config),
        };
        let store = store.context("the database cannot be opened")?;
        let user = || std::env::var("USER").unwrap_or_else(|_| "keeper".to_string());
        let why: Vec<&str> = args.reason.as_deref().unwrap_or_default().split_whitespace().collect();
        let by = Audit {
            who: args.by.clone().unwrap_or_else(user),
            why: why.join(" "),
        };
        Ok(Desk {
            config,
            server,
            store,
            by,
            now: house::clock(cli)().timestamp(),
            quiet: cli.quiet,
        })
    }

    /// A line in the audit for what the desk did without the server.
    fn note(&mut self, what: &str) -> Result<(), Failure> {
        let (now, by) = (self.now, self.by.clone());
        Ok(self
            .store
            .write(|tx| tx.audit(now, &by.who, what, &by.why))
            .context("the audit cannot be written")?)
    }
}

impl From<KeeperError> for Failure {
    fn from(error: KeeperError) -> Self {
        match error {
            KeeperError::Server(error) => Failure::Failed(error.into()),
            other => Failure::Refused(other.to_string()),
        }
    }
}

pub(super) fn run(cli: &Cli, args: &AdminArgs) -> Result<(), Failure> {
    house::start_log(cli, "error");
    let mut desk = Desk::open(cli, args)?;
    match &args.command {
        AdminCommand::Mails(command) => mails::run(&mut desk, command),
        AdminCommand::Outbox(command) => outbox::run(&mut desk, command),
        AdminCommand::Player(command) => players::run(&mut desk, command),
        AdminCommand::Match(command) => matches::run(&mut desk, command),
        AdminCommand::Audit(args) => base::audit(&mut desk, args),
        AdminCommand::Backup(args) => base::backup(&mut desk, args),
        AdminCommand::Restore(args) => base::restore(desk, args),
        AdminCommand::Rebuild => matches::rebuild(&mut desk),
        AdminCommand::Vacuum => base::vacuum(&mut desk),
    }
}
