//! `playpost archive export`: records out of the archive.

use super::super::show::store;
use super::super::{Cli, Failure, house};
use super::{FilterArgs, passed_over, progress_bar};
use crate::archive;
use crate::matches::Record;
use anyhow::Context;
use clap::Args;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::PathBuf;

/// Records that are made together.
const BATCH: usize = 1000;

#[derive(Debug, Args)]
pub(super) struct ExportArgs {
    #[command(flatten)]
    filter: FilterArgs,

    /// One file a match into this directory
    #[arg(long, required_unless_present = "jsonl", conflicts_with = "jsonl")]
    dir: Option<PathBuf>,

    /// One JSON line a match into this file
    #[arg(long)]
    jsonl: Option<PathBuf>,

    /// What the players said, too
    #[arg(long)]
    talk: bool,
}

pub(super) fn run(cli: &Cli, args: &ExportArgs) -> Result<(), Failure> {
    let config = house::config(cli)?;
    let mut store = store(cli)?;
    let numbers = store
        .read(|tx| tx.numbers_of_archive(&args.filter.filter()))
        .context("the archive cannot be read")?;
    let mut output = Output::open(args)?;
    let form = output.form();
    let bar = progress_bar(numbers.len(), cli.quiet);
    let mut unplayable = Vec::new();
    for batch in numbers.chunks(BATCH) {
        let records = store
            .read(|tx| archive::export_all(tx, batch, &config.address, args.talk, form))
            .context("the archive cannot be read")?;
        for record in records {
            match record {
                Ok(record) => output.write(&record)?,
                Err(damaged) => unplayable.push(damaged),
            }
        }
        bar.inc(batch.len() as u64);
    }
    bar.finish_and_clear();
    output.close()?;
    passed_over(&unplayable)
}

/// A record as it is written.
struct Written {
    /// The file, where each record has one.
    file: String,
    text: String,
}

/// Where an export goes.
enum Output {
    Directory(PathBuf),
    /// Written to `part`, which takes the place of `path` when it is whole.
    Lines {
        part: PathBuf,
        path: PathBuf,
        file: BufWriter<File>,
    },
}

impl Output {
    fn open(args: &ExportArgs) -> Result<Self, Failure> {
        if let Some(path) = &args.jsonl {
            let mut part = path.as_os_str().to_owned();
            part.push(".part");
            let part = PathBuf::from(part);
            let file = File::create(&part).with_context(|| format!("cannot write {}", part.display()))?;
            return Ok(Output::Lines {
                part,
                path: path.clone(),
                file: BufWriter::new(file),
            });
        }
        let dir = args.dir.clone().unwrap_or_default();
        std::fs::create_dir_all(&dir).with_context(|| format!("cannot make {}", dir.display()))?;
        Ok(Output::Directory(dir))
    }

    /// How a record is written.
    fn form(&self) -> fn(&Record) -> Written {
        match self {
            Output::Lines { .. } => |record| Written {
                file: String::new(),
                text: record.to_json() + "\n",
            },
            Output::Directory(_) => |record| Written {
                file: format!("{}-{}.txt", record.game, record.number),
                text: record.to_text(),
            },
        }
    }

    fn write(&mut self, record: &Written) -> Result<(), Failure> {
        match self {
            Output::Lines { file, .. } => file.write_all(record.text.as_bytes())?,
            Output::Directory(dir) => {
                let path = dir.join(&record.file);
                std::fs::write(&path, &record.text).with_context(|| format!("cannot write {}", path.display()))?;
            }
        }
        Ok(())
    }

    fn close(self) -> Result<(), Failure> {
        if let Output::Lines { part, path, mut file } = self {
            file.flush()?;
            std::fs::rename(part, &path).with_context(|| format!("cannot write {}", path.display()))?;
        }
        Ok(())
    }
}
