//! `playpost demo`: a short match by real mails, in a fresh directory, through the same path as `deliver`.

use super::{Cli, Failure, house};
use crate::config::Config;
use crate::games;
use crate::matches::Record;
use crate::post::{Envelope, Fate, Office, Take, open_sink, run_outbox};
use crate::server::{Live, Server};
use anyhow::{Context, anyhow};
use chrono::{DateTime, TimeDelta, Utc};
use clap::Args;
use mail_parser::MessageParser;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

/// The server's address in the demo.
const SERVER: &str = "play@example.org";
/// When the demo begins: a Sunday evening.
const BEGINS: &str = "2026-11-29T18:00:00Z";
/// How long the players take for a turn, in minutes.
const PAUSE: i64 = 47;

#[derive(Debug, Args)]
pub struct DemoArgs {
    /// The game to play
    #[arg(long, default_value = "susan")]
    game: String,

    /// The language of the players' mails, and so of the answers to them
    #[arg(long, default_value = "en")]
    language: String,

    /// Where to put configuration, database and mails (else a temporary directory, removed at the end)
    #[arg(long)]
    dir: Option<PathBuf>,
}

/// The two players: userid, address.
const PLAYERS: [(&str, &str); 2] = [("alice", "alice@example.net"), ("bob", "bob@example.com")];

/// What the player to move writes, turn by turn, until the match is over.
fn script(game: &str) -> &'static [&'static str] {
    match game {
        "medusa" => &[
            "i9\n\nHello Bob! The middle, as they say.",
            "a1",
            "preview j9 b1\nj9",
            "b1\n\nI like it quiet.",
            "s19 i9-k9",
            "pass",
            "pass",
            "dead none",
            "agree\n\nThat was short. Again?",
        ],
        "lotus" => &[
            "g2",
            "d2",
            "h4",
            "e2",
            "pass",
            "pass\n\nLet us count.",
            "dead none",
            "agree",
        ],
        "rosette" => &[
            "c5\n\nGood luck!",
            "d4",
            "c6",
            "d5",
            "pass",
            "pass",
            "dead none",
            "agree",
        ],
        "medusa-shogi" => &[
            "f4-f5\n\nMake way for the Bishop.",
            "f8-f7",
            "f3xb7\n\nOops?",
            "a8xb7",
            "legal\ne4-e5",
            "resign\n\nMy mistake was earlier. Well played!",
        ],
        _ => &[
            "a1\n\nThe corner is mine.",
            "a2\n\nIs it?",
            "e5",
            "b1",
            "preview b2\ne6",
            "b2\n\nAnd surrounded. Thank you for the game!",
        ],
    }
}

/// Options of the challenge that make a short match of the game.
fn options(game: &str) -> &'static str {
    match game {
        "rosette" => " -side=3",
        _ => "",
    }
}

pub(super) fn run(cli: &Cli, args: &DemoArgs) -> Result<(), Failure> {
    house::start_log(cli, "error");
    let Some(game) = games::find(&args.game) else {
        let known: Vec<&str> = games::GAMES.iter().map(|game| game.info.name).collect();
        return Err(Failure::Usage(format!(
            "there is no game {:?}; there are {}",
            args.game,
            known.join(", ")
        )));
    };
    let scratch = match &args.dir {
        Some(_) => None,
        None => Some(Scratch::make()?),
    };
    let directory = match (&args.dir, &scratch) {
        (Some(dir), _) => dir.as_path(),
        (None, Some(scratch)) => scratch.0.as_path(),
        (None, None) => return Ok(()),
    };
    if directory.join("data").exists() {
        return Err(Failure::Usage(format!(
            "{} has been used already: name a fresh directory",
            directory.display()
        )));
    }
    let mut demo = Demo::begin(directory, game.info.title, &args.language)?;
    demo.play(game.info.name)?;
    demo.close(directory)
}

/// A temporary directory that is removed in the end.
struct Scratch(PathBuf);

impl Scratch {
    fn make() -> Result<Self, Failure> {
        let path = std::env::temp_dir().join(format!("playpost-demo-{}", std::process::id()));
        std::fs::create_dir_all(&path).with_context(|| format!("cannot make {}", path.display()))?;
        Ok(Scratch(path))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // What cannot be removed is in the system's temporary directory anyway.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// What a player last got: where to answer, and what it answers.
#[derive(Clone, Default)]
struct Last {
    reply_to: String,
    message_id: String,
    subject: String,
}

struct Demo {
    office: Office,
    time: Arc<AtomicI64>,
    config: Config,
    language: String,
    /// By player.
    last: [Last; 2],
    /// The player to move, by the last mail about the match.
    to_move: Option<usize>,
    mails: usize,
}

impl Demo {
    fn begin(directory: &Path, title: &str, language: &str) -> Result<Self, Failure> {
        let settings = format!(
            "address = {SERVER:?}\ndata = \"data\"\n\n[identity]\ntrust = \"from\"\n\n[sink]\ntype = \"maildir\"\npath = \"out\"\n"
        );
        let path = directory.join("playpost.toml");
        std::fs::create_dir_all(directory).with_context(|| format!("cannot make {}", directory.display()))?;
        std::fs::write(&path, settings).with_context(|| format!("cannot write {}", path.display()))?;
        let config = Config::load(Some(&path)).map_err(|error| Failure::Failed(error.into()))?;
        let start: DateTime<Utc> = BEGINS.parse().context("the demo's own date")?;
        let time = Arc::new(AtomicI64::new(start.timestamp()));
        let hand = Arc::clone(&time);
        let clock = move || DateTime::from_timestamp(hand.load(Ordering::Relaxed), 0).unwrap_or_default();
        let server = Server::new(&config).context("the server")?;
        if !server.templates().languages().any(|known| known == language) {
            let known: Vec<&str> = server.templates().languages().collect();
            return Err(Failure::Usage(format!(
                "there is no language {language:?}; there are {}",
                known.join(", ")
            )));
        }
        let office = Office::open(server, &config, Box::new(clock)).map_err(|error| Failure::Failed(error.into()))?;
        println!("A game of {title} by mail: what the players write goes in, what they get comes out.");
        Ok(Demo {
            office,
            time,
            config,
            language: language.to_string(),
            last: Default::default(),
            to_move: None,
            mails: 0,
        })
    }

    fn play(&mut self, game: &str) -> Result<(), Failure> {
        for (player, (userid, _)) in PLAYERS.iter().enumerate() {
            self.write(player, "hello", &format!("signup {userid}"), false)?;
        }
        let challenge = format!("challenge bob {game}{} --first=me\nsay Fancy a game?", options(game));
        self.write(0, "a game?", &challenge, false)?;
        self.answer(1, "accept\n\nWith pleasure.")?;
        for text in script(game) {
            let Some(player) = self.to_move else { break };
            self.answer(player, text)?;
        }
        self.answer(0, "record\narchive")
    }

    /// A player answers the last mail that he got.
    fn answer(&mut self, player: usize, text: &str) -> Result<(), Failure> {
        let subject = format!("Re: {}", self.last[player].subject);
        self.write(player, &subject, text, true)
    }

    /// A player's mail goes in; what comes out is printed.
    fn write(&mut self, player: usize, subject: &str, text: &str, is_answer: bool) -> Result<(), Failure> {
        let (userid, address) = PLAYERS[player];
        let now = self.office.now();
        self.mails += 1;
        let last = &self.last[player];
        let (to, thread) = if is_answer {
            (
                last.reply_to.clone(),
                format!("In-Reply-To: {}\r\nReferences: {0}\r\n", last.message_id),
            )
        } else {
            (SERVER.to_string(), String::new())
        };
        let header = format!(
            "From: {userid} <{address}>\r\nTo: {to}\r\nSubject: {subject}\r\nDate: {}\r\nMessage-ID: <{}@example.net>\r\n\
             Content-Language: {}\r\n{thread}",
            now.to_rfc2822(),
            self.mails,
            self.language
        );
        let body = text.replace('\n', "\r\n");
        let mail = format!("{header}MIME-Version: 1.0\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n{body}\r\n");
        println!("\n>>> {userid} writes");
        println!("{}", indent(&format!("To: {to}\nSubject: {subject}\n\n{text}")));
        let envelope = Envelope {
            sender: Some(address.to_string()),
            recipients: vec![to],
        };
        let fate = self
            .office
            .take(mail.as_bytes(), &envelope)
            .map_err(|error| Failure::Failed(error.into()))?;
        if matches!(fate, Fate::SetAside | Fate::Failing) {
            return Err(Failure::Failed(anyhow!("a mail of the demo could not be handled")));
        }
        self.send()?;
        self.time
            .fetch_add(TimeDelta::minutes(PAUSE).num_seconds(), Ordering::Relaxed);
        Ok(())
    }

    /// Sends the outbox into the Maildir, and reads what has come there.
    fn send(&mut self) -> Result<(), Failure> {
        let mut sink = open_sink(&self.config.sink).context("the outgoing Maildir")?;
        run_outbox(
            &self.office,
            sink.as_mut(),
            self.office.now(),
            self.config.limits.mails_per_hour,
            &|| false,
        )
        .context("the outbox")?;
        for path in fresh_mails(&self.config)? {
            let raw = std::fs::read(&path).with_context(|| format!("cannot read {}", path.display()))?;
            self.show(&raw)?;
            let seen = path.to_string_lossy().replace("/new/", "/cur/") + ":2,S";
            std::fs::rename(&path, &seen).with_context(|| format!("cannot move {}", path.display()))?;
        }
        Ok(())
    }

    fn show(&mut self, raw: &[u8]) -> Result<(), Failure> {
        let mail = MessageParser::default()
            .parse(raw)
            .ok_or_else(|| anyhow!("a mail out that is none"))?;
        let header = |name: &str| {
            mail.header_raw(name)
                .map(|text| text.trim().to_string())
                .unwrap_or_default()
        };
        let recipient = header("Delivered-To");
        let subject = mail.subject().unwrap_or_default().to_string();
        let Some(player) = PLAYERS.iter().position(|(_, address)| *address == recipient) else {
            return Ok(());
        };
        self.last[player] = Last {
            reply_to: header("Reply-To"),
            message_id: header("Message-ID"),
            subject: subject.clone(),
        };
        let about = header("Playpost-Match");
        if !about.is_empty() {
            let to_move = about.split("to-move=").nth(1);
            self.to_move = to_move.and_then(|userid| PLAYERS.iter().position(|(name, _)| *name == userid));
        }
        println!("\n<<< {} gets", PLAYERS[player].0);
        let text = mail.body_text(0).unwrap_or_default();
        println!("{}", indent(&format!("Subject: {subject}\n\n{}", text.trim_end())));
        for attachment in mail.attachments() {
            let text = attachment.text_contents().unwrap_or_default();
            println!("{}", indent(&format!("\nAttached:\n\n{}", text.trim_end())));
        }
        Ok(())
    }

    /// Shows the record that the archive holds in the end.
    fn close(&mut self, directory: &Path) -> Result<(), Failure> {
        let live = self
            .office
            .store()
            .read(|tx| Live::read(tx, 1))
            .context("the archive")?;
        let finished = live.filter(|live| live.game().is_over());
        let live = finished.ok_or_else(|| Failure::Failed(anyhow!("the match did not come to its end")))?;
        let record = Record::of(live.game(), Some(SERVER), true).to_text();
        let mut output = std::io::stdout().lock();
        writeln!(
            output,
            "\nThe archive's record of the match, with what was said:\n\n{}",
            indent(record.trim_end())
        )?;
        if !directory.starts_with(std::env::temp_dir()) {
            writeln!(output, "\nEverything is in {}.", directory.display())?;
        }
        Ok(())
    }
}

/// The mails that have come out and were not shown yet, in their order.
fn fresh_mails(config: &Config) -> Result<Vec<PathBuf>, Failure> {
    let crate::config::Sink::Maildir(place) = &config.sink else {
        return Ok(Vec::new());
    };
    let folder = place.path.join("new");
    let entries = std::fs::read_dir(&folder).with_context(|| format!("cannot read {}", folder.display()))?;
    let mut paths = entries
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<Result<Vec<_>, _>>()?;
    paths.sort();
    Ok(paths)
}

fn indent(text: &str) -> String {
    let lines = text.lines().map(|line| {
        if line.is_empty() {
            String::new()
        } else {
            format!("    {line}")
        }
    });
    lines.collect::<Vec<_>>().join("\n")
}
