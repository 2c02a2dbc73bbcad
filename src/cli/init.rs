//! `playpost init`: writes a configuration to edit, makes the database, and says what to do next.

use super::Failure;
use crate::config::Config;
use crate::store::Store;
use anyhow::Context;
use clap::Args;
use std::fs::OpenOptions;
use std::io::Write;
use std::path::PathBuf;

/// The configuration with every key explained, as it is written for the keeper to edit.
const EXAMPLE: &str = include_str!("../../config.example.toml");

#[derive(Debug, Args)]
pub struct InitArgs {
    /// Where to write playpost.toml and the data
    #[arg(default_value = ".")]
    directory: PathBuf,
}

pub(super) fn run(args: &InitArgs) -> Result<(), Failure> {
    let directory = &args.directory;
    std::fs::create_dir_all(directory).with_context(|| format!("cannot make {}", directory.display()))?;
    let path = directory.join(crate::config::FILE_NAME);
    let created = OpenOptions::new().write(true).create_new(true).open(&path);
    match created {
        Ok(mut file) => {
            file.write_all(EXAMPLE.as_bytes())
                .and_then(|()| file.sync_all())
                .with_context(|| format!("cannot write {}", path.display()))?;
            println!("{} is written: edit it.", path.display());
        }
        Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {
            println!("{} is there already and stays as it is.", path.display());
        }
        Err(error) => {
            return Err(Failure::Failed(
                anyhow::Error::new(error).context(format!("cannot write {}", path.display())),
            ));
        }
    }
    let config = Config::load(Some(&path)).map_err(|error| Failure::Failed(error.into()))?;
    let store = Store::open(&config.data).context("the database cannot be made")?;
    println!("{} is ready.", store.path().display());
    println!(
        "Next: set `address`, a source and the sink, then try `playpost --config {} run`.",
        path.display()
    );
    Ok(())
}
