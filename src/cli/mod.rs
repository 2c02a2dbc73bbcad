//! CLI: the subcommands, one file each. Exit codes: 0, 1 (the work failed), 2 (wrong use).

mod admin;
mod archive;
mod deliver;
mod demo;
mod doctor;
mod house;
mod init;
pub mod mail;
mod pages;
pub mod rules;
mod run;
mod show;

pub use deliver::deliver;

use chrono::{DateTime, FixedOffset};
use clap::{ArgAction, Parser, Subcommand};
use std::io;
use std::path::PathBuf;

/// Play abstract board games with each other by e-mail.
#[derive(Debug, Parser)]
#[command(name = "playpost", version, about)]
pub struct Cli {
    /// The configuration file (else ./playpost.toml, else the embedded defaults in ./playpost-data)
    #[arg(long, value_name = "FILE", env = "PLAYPOST_CONFIG")]
    pub config: Option<PathBuf>,

    /// Act as if it were this time (RFC 3339); for rehearsals and tests
    #[arg(long, value_name = "TIME")]
    pub now: Option<DateTime<FixedOffset>>,

    /// Say more; twice for everything
    #[arg(short, long, action = ArgAction::Count, conflicts_with = "quiet")]
    pub verbose: u8,

    /// Say only what failed
    #[arg(short, long)]
    pub quiet: bool,

    #[command(subcommand)]
    pub command: Command,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Play a short match between two players by real mails, and print each of them
    Demo(demo::DemoArgs),
    /// Write a configuration to edit and make the database
    Init(init::InitArgs),
    /// Take over one mail on standard input, as an MTA's pipe calls it; ends with 0 or 75
    Deliver(deliver::DeliverArgs),
    /// For cron: take in what the sources hold, run the timers, send the outbox, end
    Run,
    /// The daemon: the same, at once
    Serve,
    /// A match as its mails show it
    Show(show::ShowArgs),
    /// All matches that run
    Matches(show::ListArgs),
    /// All players
    Players(show::ListArgs),
    /// Finished matches: list, export, import
    Archive(archive::ArchiveArgs),
    /// What the keeper sees and mends: mails, outbox, players, matches, backups
    Admin(admin::AdminArgs),
    /// Whether all is well, a line each; ends with 1 when something is wrong
    Doctor(doctor::DoctorArgs),
    /// Completions for a shell, on standard output
    Completions(pages::CompletionsArgs),
    /// Manual pages
    Man(pages::ManArgs),
    /// How a mail is read (needs no configuration)
    Mail(mail::MailArgs),
    /// The rules engines: check a record, study a position, test the engines (needs no configuration)
    Rules(rules::RulesArgs),
}

/// Why a command did not end well.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// The command was used wrongly; the line says what is known.
    #[error("{0}")]
    Usage(String),
    /// The work was refused, in the one line that the contract asks for.
    #[error("{0}")]
    Refused(String),
    #[error("{0:#}")]
    Failed(#[from] anyhow::Error),
    /// A status that says it all.
    #[error("")]
    Status(u8),
    /// Whoever read the output wants no more of it.
    #[error("the reader of the output has gone")]
    ReaderGone,
}

impl Failure {
    /// The process's exit status.
    pub fn exit_code(&self) -> u8 {
        match self {
            Failure::ReaderGone => 0,
            Failure::Status(status) => *status,
            Failure::Refused(_) | Failure::Failed(_) => 1,
            Failure::Usage(_) => 2,
        }
    }

    /// What standard error says; nothing where nobody is there to read it.
    pub fn message(&self) -> Option<String> {
        (!matches!(self, Failure::ReaderGone | Failure::Status(_))).then(|| self.to_string())
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Failure::ReaderGone,
            _ => Failure::Failed(error.into()),
        }
    }
}

/// Carries out a command line.
///
/// # Errors
///
/// See [`Failure`].
pub fn run(cli: &Cli) -> Result<(), Failure> {
    match &cli.command {
        Command::Rules(args) => rules::run(args),
        Command::Mail(args) => mail::run(args),
        Command::Demo(args) => demo::run(cli, args),
        Command::Init(args) => init::run(args),
        Command::Deliver(args) => Err(Failure::Status(deliver::run(cli, args))),
        Command::Run => run::run(cli),
        Command::Serve => run::serve(cli),
        Command::Show(args) => show::show(cli, args),
        Command::Matches(args) => show::matches(cli, args),
        Command::Players(args) => show::players(cli, args),
        Command::Archive(args) => archive::run(cli, args),
        Command::Admin(args) => admin::run(cli, args),
        Command::Doctor(args) => doctor::run(cli, args),
        Command::Completions(args) => pages::completions(args),
        Command::Man(args) => pages::man(args),
    }
}
