//! `playpost completions` and `playpost man`: made from the definitions that the parser uses.

use super::{Cli, Failure};
use anyhow::Context;
use clap::{Args, CommandFactory};
use clap_complete::Shell;
use std::path::PathBuf;

#[derive(Debug, Args)]
pub struct CompletionsArgs {
    /// For which shell
    shell: Shell,
}

#[derive(Debug, Args)]
pub struct ManArgs {
    /// Where to write the pages, one a command
    #[arg(long)]
    dir: PathBuf,
}

pub(super) fn completions(args: &CompletionsArgs) -> Result<(), Failure> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "playpost", &mut script);
    std::io::Write::write_all(&mut std::io::stdout(), &script)?;
    Ok(())
}

pub(super) fn man(args: &ManArgs) -> Result<(), Failure> {
    let dir = &args.dir;
    std::fs::create_dir_all(dir).with_context(|| format!("cannot make {}", dir.display()))?;
    clap_mangen::generate_to(Cli::command(), dir).with_context(|| format!("cannot write to {}", dir.display()))?;
    Ok(())
}
