//! `playpost archive site`: the archive as a web site of files.

use super::super::show::store;
use super::super::{Cli, Failure, house};
use super::progress_bar;
use crate::archive::{self, Plan};
use crate::letters::Templates;
use anyhow::Context;
use clap::Args;
use std::path::PathBuf;

#[derive(Debug, Args)]
pub(super) struct SiteArgs {
    /// Where to write the site; an earlier one there is brought up to date
    #[arg(long)]
    dir: PathBuf,

    /// The title of the site
    #[arg(long)]
    title: Option<String>,

    /// The language of the site: a folder of the templates
    #[arg(long, default_value = "en")]
    language: String,
}

pub(super) fn run(cli: &Cli, args: &SiteArgs) -> Result<(), Failure> {
    let config = house::config(cli)?;
    let templates = Templates::new(config.templates_dir.as_deref()).context("the templates cannot be read")?;
    let languages: Vec<&str> = templates.languages().collect();
    if !languages.contains(&args.language.as_str()) {
        let (language, known) = (&args.language, languages.join(", "));
        return Err(Failure::Usage(format!(
            "there is no language {language:?}; there are {known}"
        )));
    }
    let mut store = store(cli)?;
    let plan = Plan {
        dir: &args.dir,
        title: args.title.as_deref(),
        address: &config.address,
        language: &args.language,
        now: house::clock(cli)().timestamp(),
        templates: &templates,
    };
    let bar = progress_bar(0, cli.quiet);
    let made = archive::write_site(&mut store, &plan, |done, all| {
        bar.set_length(all as u64);
        bar.set_position(done as u64);
    });
    bar.finish_and_clear();
    let made = made.context("the site cannot be made")?;
    for (number, why) in &made.failing {
        eprintln!("match {number} is left out: {why}");
    }
    if !cli.quiet {
        println!(
            "{} matches, {} files in {}",
            made.matches,
            made.files,
            args.dir.display()
        );
    }
    Ok(())
}
