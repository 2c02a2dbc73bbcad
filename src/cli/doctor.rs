//! `playpost doctor`: whether all is well, a line each.

use super::{Cli, Failure, house};
use crate::config::{Config, Sink, Source};
use crate::post::{ImapSource, SmtpSink, open_store};
use crate::store::{Fate, Store, StoreError, VERSION};
use clap::Args;
use serde_json::{Value, json};
use std::io::Write;
use std::net::ToSocketAddrs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::time::Duration;

/// Only asked for together with a name.
const SMTP_PORT: u16 = 25;
const RESOLVER_PATIENCE: Duration = Duration::from_secs(2);

/// A server that has not been alive for longer than this (seconds) is away.
const LONGEST_ABSENCE: i64 = 3600;
/// A mail that waits in the outbox for longer than this (seconds) waits too long.
const LONGEST_WAIT: i64 = 4 * 3600;

#[derive(Debug, Args)]
pub struct DoctorArgs {
    /// Print a JSON array
    #[arg(long)]
    json: bool,
}

/// What was looked at, whether it is well, and what there is to say.
struct Finding {
    about: &'static str,
    is_well: bool,
    what: String,
}

impl Finding {
    fn new(about: &'static str, is_well: bool, what: impl Into<String>) -> Self {
        let what = what.into();
        Finding { about, is_well, what }
    }

    fn of<T>(about: &'static str, well: &str, result: Result<T, impl ToString>) -> Self {
        match result {
            Ok(_) => Finding::new(about, true, well),
            Err(error) => Finding::new(about, false, error.to_string()),
        }
    }
}

pub(super) fn run(cli: &Cli, args: &DoctorArgs) -> Result<(), Failure> {
    let findings = examine(cli);
    let mut output = std::io::stdout().lock();
    if args.json {
        let list: Vec<Value> = findings
            .iter()
            .map(|finding| json!({ "about": finding.about, "ok": finding.is_well, "what": finding.what }))
            .collect();
        writeln!(output, "{}", Value::Array(list))?;
    } else {
        for finding in &findings {
            let mark = if finding.is_well { "ok" } else { "BAD" };
            writeln!(output, "{mark:<4} {:<18} {}", finding.about, finding.what)?;
        }
    }
    match findings.iter().all(|finding| finding.is_well) {
        true => Ok(()),
        false => Err(Failure::Status(1)),
    }
}

fn examine(cli: &Cli) -> Vec<Finding> {
    let config = match Config::load(cli.config.as_deref()) {
        Ok(config) => config,
        Err(error) => return vec![Finding::new("configuration", false, error.to_string())],
    };
    let file = config.file.as_ref().map(|file| file.display().to_string());
    let file = file.unwrap_or_else(|| "the embedded defaults".to_string());
    let mut findings = vec![Finding::new("configuration", true, file)];
    findings.push(Finding::of(
        "templates",
        "they read well",
        crate::server::Server::new(&config),
    ));
    match open_store(&config) {
        Ok(mut store) => {
            findings.push(Finding::new("data directory", true, config.data.display().to_string()));
            findings.push(Finding::new("schema", true, format!("version {VERSION}")));
            findings.extend(of_store(&mut store, house::clock(cli)().timestamp()));
        }
        Err(error) => {
            let about = if matches!(error, StoreError::TooNew { .. }) {
                "schema"
            } else {
                "data directory"
            };
            findings.push(Finding::new(about, false, error.to_string()));
        }
    }
    findings.push(of_emergency(&config.emergency_dir()));
    findings.push(of_name(&config.address));
    findings.extend(config.sources.iter().map(|source| of_source(source, &config)));
    findings.push(of_sink(&config.sink));
    findings
}

/// Mails that came while the database could not be written, and that no `run` has taken in since.
fn of_emergency(directory: &Path) -> Finding {
    let waiting = std::fs::read_dir(directory.join("new")).map_or(0, Iterator::count);
    let what = match waiting {
        0 => "no mail waits there".to_string(),
        waiting => format!("{waiting} mails wait there: `playpost run` takes them in"),
    };
    Finding::new("emergency maildir", waiting == 0, what)
}

/// Whether the domain of the server's address has a host here. It may well have none but an MX, so this is never bad.
fn of_name(address: &str) -> Finding {
    let domain = address.rsplit_once('@').map_or(address, |(_, domain)| domain);
    let (said, heard) = std::sync::mpsc::channel();
    let asked = domain.to_string();
    // The resolver of the system has no end that we set, and a doctor does not wait for it.
    std::thread::spawn(move || {
        let host = (asked, SMTP_PORT)
            .to_socket_addrs()
            .ok()
            .and_then(|mut hosts| hosts.next());
        let _ = said.send(host);
    });
    let what = match heard.recv_timeout(RESOLVER_PATIENCE) {
        Ok(Some(host)) => format!("{domain} is {}", host.ip()),
        _ => format!("{domain} has no host that is found from here: mails need an MX"),
    };
    Finding::new("name", true, what)
}

/// What the database tells.
fn of_store(store: &mut Store, now: i64) -> Vec<Finding> {
    let looked: Result<Vec<Finding>, StoreError> = store.read(|tx| {
        let mut findings = Vec::new();
        let faults = tx.integrity()?;
        let what = faults.first().map_or("the file is sound", String::as_str);
        findings.push(Finding::new("integrity", faults.is_empty(), what));

        let alive: Option<i64> = tx.meta("alive")?.and_then(|at| at.parse().ok());
        findings.push(match alive {
            None => Finding::new("server", true, "has never run"),
            Some(at) => {
                let away = now - at;
                let what = format!("was last alive {} minutes ago", away.max(0) / 60);
                Finding::new("server", away <= LONGEST_ABSENCE, what)
            }
        });

        let outbox = tx.outbox()?;
        let oldest = outbox
            .iter()
            .filter(|mail| mail.state == "queued")
            .map(|mail| now - mail.created)
            .max();
        let queued = outbox.iter().filter(|mail| mail.state == "queued").count();
        let what = format!(
            "{queued} mails wait, the oldest for {} minutes",
            oldest.unwrap_or(0).max(0) / 60
        );
        findings.push(Finding::new("outbox", oldest.unwrap_or(0) <= LONGEST_WAIT, what));
        let failed = outbox.len() - queued;
        findings.push(Finding::new(
            "failed mails",
            failed == 0,
            format!("{failed} could not be sent"),
        ));

        let aside = tx.inbox_with(Fate::SetAside)?.len();
        findings.push(Finding::new(
            "mails set aside",
            aside == 0,
            format!("{aside} are set aside"),
        ));
        let failing = tx.failing_addresses()?;
        let named: Vec<&str> = failing.iter().map(|(userid, _, _)| userid.as_str()).collect();
        let what = format!("{} fail {}", failing.len(), named.join(", "));
        findings.push(Finding::new("addresses", failing.is_empty(), what.trim_end()));

        let troubled: Vec<String> = tx
            .running_matches()?
            .iter()
            .filter(|row| row.trouble.is_some())
            .map(|row| row.number.to_string())
            .collect();
        let what = format!("{} are set aside {}", troubled.len(), troubled.join(", "));
        findings.push(Finding::new("matches", troubled.is_empty(), what.trim_end()));
        Ok(findings)
    });
    looked.unwrap_or_else(|error| vec![Finding::new("integrity", false, error.to_string())])
}

fn of_source(source: &Source, config: &Config) -> Finding {
    match source {
        Source::Maildir(place) => of_maildir("source maildir", &place.path),
        Source::Imap(settings) => {
            let checked = ImapSource::new(settings, config.limits.max_mail_bytes).check();
            Finding::of("source imap", "logs in", checked)
        }
        Source::Lmtp(_) => Finding::new("source lmtp", true, "listens while `playpost serve` runs"),
    }
}

fn of_sink(sink: &Sink) -> Finding {
    match sink {
        Sink::Maildir(place) => of_maildir("sink maildir", &place.path),
        Sink::Smtp(settings) => {
            let checked = SmtpSink::open(settings)
                .map_err(|error| error.to_string())
                .and_then(|mut sink| sink.check());
            Finding::of("sink smtp", "logs in", checked)
        }
        Sink::Sendmail(settings) => of_program("sink sendmail", &settings.command),
    }
}

/// A program that is there, and that we may start.
fn of_program(about: &'static str, path: &Path) -> Finding {
    let may_start = std::fs::metadata(path).map(|found| found.is_file() && found.permissions().mode() & 0o111 != 0);
    let (is_well, what) = match may_start {
        Ok(true) => (true, "is there".to_string()),
        Ok(false) => (false, "is no program".to_string()),
        Err(error) => (false, error.to_string()),
    };
    Finding::new(about, is_well, format!("{}: {what}", path.display()))
}

/// A Maildir that is missing is made when it is needed; one that is there must be writable.
fn of_maildir(about: &'static str, path: &Path) -> Finding {
    let shown = path.display();
    if !path.exists() {
        return Finding::new(about, true, format!("{shown}: is made when it is needed"));
    }
    let trial = path.join("tmp").join(format!("playpost-doctor-{}", std::process::id()));
    let written = std::fs::create_dir_all(path.join("tmp")).and_then(|()| std::fs::write(&trial, ""));
    match written.and_then(|()| std::fs::remove_file(&trial)) {
        Ok(()) => Finding::new(about, true, shown.to_string()),
        Err(error) => Finding::new(about, false, format!("{shown}: {error}")),
    }
}
