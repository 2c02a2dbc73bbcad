//! `playpost archive import`: records into the archive.

use super::super::rules::captions;
use super::super::show::store;
use super::super::{Cli, Failure};
use super::progress_bar;
use crate::archive::{self, Failing, Import, Wrong};
use crate::matches::Problem;
use anyhow::Context;
use clap::Args;
use std::io::Write;
use std::path::PathBuf;

#[derive(Debug, Args)]
pub(super) struct ImportArgs {
    /// Records as text, files of JSON lines (.jsonl), or directories of both
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,
}

pub(super) fn run(cli: &Cli, args: &ImportArgs) -> Result<(), Failure> {
    let files = archive::files(&args.paths).context("the records cannot be read")?;
    let mut store = store(cli)?;
    let bar = progress_bar(files.len(), cli.quiet);
    let mut report = |failing: &Failing| bar.suspend(|| eprintln!("{}", in_words(failing)));
    let mut import = Import::new(&mut store, &mut report);
    for file in &files {
        import.file(file).context("the records cannot be entered")?;
        bar.inc(1);
    }
    let count = import.finish().context("the records cannot be entered")?;
    bar.finish_and_clear();
    if !cli.quiet {
        let mut output = std::io::stdout().lock();
        writeln!(
            output,
            "{} taken in, {} there already, {} wrong",
            count.taken, count.known, count.wrong
        )?;
    }
    match count.wrong {
        0 => Ok(()),
        // Each of them was reported.
        _ => Err(Failure::Status(1)),
    }
}

/// `FILE:LINE: what is wrong`, a refused turn with the rules' reason.
fn in_words(failing: &Failing) -> String {
    let place = match failing.line {
        0 => failing.file.display().to_string(),
        line => format!("{}:{line}", failing.file.display()),
    };
    let why = match &failing.wrong {
        Wrong::Record(Problem::Turn { refusal, .. }) => captions::why(&refusal.reason).ok(),
        _ => None,
    };
    match why {
        Some(why) => format!("{place}: {}: {why}", failing.wrong),
        None => format!("{place}: {}", failing.wrong),
    }
}
