//! `playpost admin backup`, `restore`, `vacuum`, `audit`: the database as a whole.

use super::super::archive::progress_bar;
use super::super::show::instant;
use super::Desk;
use crate::cli::Failure;
use crate::post::open_store;
use crate::store::{Progress, SoundBackup, Store};
use anyhow::Context;
use clap::Args;
use indicatif::ProgressBar;
use serde_json::{Value, json};
use std::io::Write;
use std::path::{Path, PathBuf};

#[derive(Debug, Args)]
pub(super) struct FileArgs {
    /// The file of the backup
    file: PathBuf,
}

#[derive(Debug, Args)]
pub(super) struct AuditArgs {
    /// Print a JSON array
    #[arg(long)]
    json: bool,
}

/// How many lines of the audit are shown.
const MOST_LINES: u32 = 1000;

fn shown(bar: &ProgressBar) -> impl Fn(Progress) {
    |progress: Progress| {
        bar.set_length(progress.all);
        bar.set_position(progress.done);
    }
}

/// Writes a backup beside its place and moves it there, so that no half of one is ever found.
fn write_backup(store: &Store, file: &Path, bar: &ProgressBar) -> Result<(), Failure> {
    let mut part = file.as_os_str().to_owned();
    part.push(".part");
    let part = PathBuf::from(part);
    if part.exists() {
        std::fs::remove_file(&part).with_context(|| format!("cannot remove {}", part.display()))?;
    }
    store.backup(&part, shown(bar)).context("the backup failed")?;
    std::fs::rename(&part, file).with_context(|| format!("cannot write {}", file.display()))?;
    Ok(())
}

/// Refuses the database and the files that belong to it as those of a backup.
fn refuse_own_file(store: &Store, file: &Path) -> Result<(), Failure> {
    if store.is_own_file(file) {
        return Err(Failure::Refused(format!(
            "{} belongs to the database itself, and is no place of a backup",
            file.display()
        )));
    }
    Ok(())
}

/// Where what a restoring replaces is kept: earlier ones stay, for one of them may be all that is left of a loss.
fn free_name(data: &Path) -> PathBuf {
    let mut path = data.join("before-restore.db");
    let mut count = 1;
    while path.symlink_metadata().is_ok() {
        count += 1;
        path = data.join(format!("before-restore-{count}.db"));
    }
    path
}

pub(super) fn backup(desk: &mut Desk, args: &FileArgs) -> Result<(), Failure> {
    refuse_own_file(&desk.store, &args.file)?;
    let bar = progress_bar(0, desk.quiet);
    write_backup(&desk.store, &args.file, &bar)?;
    bar.finish_and_clear();
    desk.note(&format!("backup to {}", args.file.display()))
}

pub(super) fn restore(desk: Desk, args: &FileArgs) -> Result<(), Failure> {
    refuse_own_file(&desk.store, &args.file)?;
    let backup = SoundBackup::open(&args.file).context("the backup cannot be restored")?;
    let bar = progress_bar(0, desk.quiet);
    let before = free_name(&desk.config.data);
    write_backup(&desk.store, &before, &bar)?;
    let Desk {
        config, by, now, quiet, ..
    } = desk;
    drop(desk.store);
    let restored = backup.restore(&config.data, shown(&bar));
    restored.context("the backup cannot be restored")?;
    bar.finish_and_clear();
    let mut store = open_store(&config).context("the database cannot be opened")?;
    let what = format!("restored from {}", args.file.display());
    store
        .write(|tx| tx.audit(now, &by.who, &what, &by.why))
        .context("the audit cannot be written")?;
    if !quiet {
        println!(
            "{} is restored; what was there before is in {}",
            args.file.display(),
            before.display()
        );
    }
    Ok(())
}

pub(super) fn vacuum(desk: &mut Desk) -> Result<(), Failure> {
    desk.store.vacuum().context("the database cannot be vacuumed")?;
    desk.note("vacuum")
}

pub(super) fn audit(desk: &mut Desk, args: &AuditArgs) -> Result<(), Failure> {
    let lines = desk
        .store
        .read(|tx| tx.audit_lines(MOST_LINES))
        .context("the audit cannot be read")?;
    let mut output = std::io::stdout().lock();
    if args.json {
        let list: Vec<Value> = lines
            .iter()
            .map(|(at, who, what, why)| json!({ "at": instant(*at), "who": who, "what": what, "why": why }))
            .collect();
        writeln!(output, "{}", Value::Array(list))?;
        return Ok(());
    }
    for (at, who, what, why) in lines {
        writeln!(output, "{}  {who}: {what}  {why}", instant(at))?;
    }
    Ok(())
}
