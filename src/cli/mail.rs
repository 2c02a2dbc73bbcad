//! `playpost mail …`: how a mail is read, without configuration and store (LANGUAGE.md 8).

use super::Failure;
use crate::language::{self, Letter, Source};
use crate::mail::{self, Inbound, Kind, Limits};
use anyhow::Context;
use clap::{Args, Subcommand};
use serde_json::{Value, json};
use std::fs::File;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

/// `playpost mail`
#[derive(Debug, Args)]
pub struct MailArgs {
    #[command(subcommand)]
    command: MailCommand,
}

#[derive(Debug, Subcommand)]
enum MailCommand {
    /// Reads one mail and prints how it is understood
    Read(ReadArgs),
}

#[derive(Debug, Args)]
struct ReadArgs {
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    /// The mail; standard input without it
    file: Option<PathBuf>,
}

/// Carries out `playpost mail …` on standard output.
///
/// # Errors
///
/// A file that cannot be read. How the mail is understood never is an error.
pub fn run(args: &MailArgs) -> Result<(), Failure> {
    let MailCommand::Read(args) = &args.command;
    let reading = reading(&mail_bytes(args.file.as_deref())?);
    let text = if args.json {
        format!("{reading:#}\n")
    } else {
        in_words(&reading)
    };
    io::stdout().lock().write_all(text.as_bytes())?;
    Ok(())
}

/// Reads no more of the mail than is looked at, and one byte to tell that it is too large.
fn mail_bytes(file: Option<&Path>) -> Result<Vec<u8>, Failure> {
    let limit = Limits::default().max_bytes as u64 + 1;
    let mut bytes = Vec::new();
    match file {
        Some(path) => File::open(path)
            .and_then(|file| file.take(limit).read_to_end(&mut bytes))
            .with_context(|| format!("cannot read {}", path.display()))?,
        None => io::stdin()
            .lock()
            .take(limit)
            .read_to_end(&mut bytes)
            .context("cannot read standard input")?,
    };
    Ok(bytes)
}

/// How a mail is understood, as the object of the contract.
pub fn reading(bytes: &[u8]) -> Value {
    let inbound = mail::read(bytes, &Limits::default());
    let letter = match inbound.kind {
        Kind::Letter => language::letter(&inbound.subject, inbound.is_reply, &inbound.typed),
        _ => Letter::default(),
    };
    object(&inbound, &letter)
}

fn object(inbound: &Inbound, letter: &Letter) -> Value {
    let source = match letter.source {
        Source::Subject => "subject",
        Source::Text => "text",
        Source::None => "none",
    };
    let commands: Vec<&str> = letter.lines.iter().map(|line| line.canonical.as_str()).collect();
    json!({
        "kind": inbound.kind.word(),
        "why": inbound.why,
        "from": inbound.from,
        "to": inbound.to,
        "subject": inbound.subject,
        "is_reply": inbound.is_reply,
        "source": source,
        "commands": commands,
        "unread": letter.unread,
        "message": letter.message,
    })
}

/// The object for people: a line a key, the lines of a list or a text below each other.
fn in_words(reading: &Value) -> String {
    let mut text = String::new();
    for (key, value) in reading.as_object().into_iter().flatten() {
        let lines: Vec<String> = match value {
            Value::Null => vec!["-".to_owned()],
            Value::Array(items) if items.is_empty() => vec!["-".to_owned()],
            Value::Array(items) => items.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
            Value::String(words) => words.split('\n').map(str::to_owned).collect(),
            other => vec![other.to_string()],
        };
        for (number, line) in lines.iter().enumerate() {
            let label = if number == 0 { key.as_str() } else { "" };
            text.push_str(&format!("{label:<9} {line}\n"));
        }
    }
    text
}
