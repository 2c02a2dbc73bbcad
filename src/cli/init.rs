//! `playpost init`: writes a configuration, makes the database, tries the connections, and says what to do next.
//!
//! What the options leave open is asked on a terminal. Without a terminal and without options the example configuration
//! is written, for the keeper to edit.

mod answers;

use super::Failure;
use crate::config::Config;
use crate::post;
use crate::store::Store;
use answers::Answers;
use anyhow::Context;
use clap::Args;
use std::fs::OpenOptions;
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};

/// The configuration with every key explained, as it is written for the keeper to edit.
const EXAMPLE: &str = include_str!("../../config.example.toml");
/// Its line about the data directory.
const EXAMPLE_DATA: &str = "data = \"/var/lib/playpost\"";

#[derive(Debug, Args)]
pub struct InitArgs {
    /// Where to write playpost.toml and the data
    #[arg(default_value = ".")]
    directory: PathBuf,

    #[command(flatten)]
    answers: Answers,
}

pub(super) fn run(args: &InitArgs) -> Result<(), Failure> {
    let directory = &args.directory;
    std::fs::create_dir_all(directory).with_context(|| format!("cannot make {}", directory.display()))?;
    let path = directory.join(crate::config::FILE_NAME);
    let is_new = !path.exists();
    let is_answered = if is_new { write(args, &path)? } else { false };
    if is_new {
        println!("{} is written.", path.display());
    } else {
        println!("{} is there already and stays as it is.", path.display());
    }
    let config = Config::load(Some(&path)).map_err(|error| Failure::Failed(error.into()))?;
    let store = Store::open(&config.data).context("the database cannot be made")?;
    println!("{} is ready.", store.path().display());
    if is_answered {
        try_connections(&config, &path)
    } else {
        println!(
            "Next: set `address`, a source and the sink, then try `playpost --config {} run`.",
            path.display()
        );
        Ok(())
    }
}

/// Writes the configuration; gives whether it is made from answers and not the example.
fn write(args: &InitArgs, path: &Path) -> Result<bool, Failure> {
    let is_asked = std::io::stdin().is_terminal() && std::io::stdout().is_terminal();
    let answers = match (args.answers.is_empty(), is_asked) {
        (true, false) => None,
        (_, true) => Some(
            args.answers
                .clone()
                .asked(&mut std::io::stdin().lock(), &mut std::io::stdout())?,
        ),
        (false, false) => Some(args.answers.clone()),
    };
    let text = match &answers {
        Some(answers) => answers.configuration().map_err(Failure::Usage)?,
        // The data of a trial stand beside its configuration, not where only root may write.
        None => EXAMPLE.replacen(EXAMPLE_DATA, "data = \"data\"", 1),
    };
    Config::parse(&text, path).map_err(|error| Failure::Failed(error.into()))?;
    OpenOptions::new()
        .write(true)
        .create_new(true)
        .open(path)
        .and_then(|mut file| file.write_all(text.as_bytes()).and_then(|()| file.sync_all()))
        .with_context(|| format!("cannot write {}", path.display()))?;
    Ok(answers.is_some())
}

/// Tries what the configuration connects to, and says what comes next.
fn try_connections(config: &Config, path: &Path) -> Result<(), Failure> {
    let mut all_work = true;
    for (place, outcome) in post::check(config) {
        match outcome {
            Ok(()) => println!("{place}: works."),
            Err(why) => {
                all_work = false;
                println!("{place}: does not work: {why}");
            }
        }
    }
    if all_work {
        println!(
            "Next: start `playpost --config {} serve`, or `run` from cron.",
            path.display()
        );
        return Ok(());
    }
    println!(
        "Next: mend that in {}, and look again with `playpost doctor`.",
        path.display()
    );
    Err(Failure::Status(1))
}
