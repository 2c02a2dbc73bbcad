//! A post office under glass: people write, the server answers, the clock is ours.
//!
//! Every mail that goes out in any story passes [`laws`], so that what must hold for all mails is said once.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use chrono::DateTime;
use mail_parser::{MessageParser, MimeHeaders};
use playpost::config::Config;
use playpost::post::{Envelope, Incoming, Office, Outgoing, Sent, Sink, Take, run_outbox};
use playpost::server::{Difference, Live, Server};
use playpost::store::{Fate, StoreError, Tx};
use serde_json::Value;
use tempfile::TempDir;

use crate::laws;

/// The server's address in all stories.
pub const SERVER: &str = "play@example.org";
const SETTINGS: &str = "playpost.toml";
/// When stories begin: a Sunday evening.
const BEGINS: &str = "2026-11-29T18:00:00Z";

pub const MINUTE: i64 = 60;
pub const HOUR: i64 = 60 * MINUTE;
pub const DAY: i64 = 24 * HOUR;

/// A directory of its own; in memory where there is one, since a disk makes every transaction durable at its leisure.
pub fn scratch() -> TempDir {
    tempfile::tempdir_in("/dev/shm")
        .or_else(|_| tempfile::tempdir())
        .unwrap()
}

/// Where somebody lives: `alice` is `alice@alice.example`; an address stays what it is.
pub fn address(person: &str) -> String {
    if person.contains('@') {
        person.to_string()
    } else {
        format!("{person}@{person}.example")
    }
}

/// A mail that somebody writes.
#[derive(Clone, Debug)]
pub struct Letter {
    pub headers: Vec<(String, String)>,
    pub text: String,
    pub sender: Option<String>,
}

impl Letter {
    /// A new mail from `person` to the server.
    pub fn from(person: &str) -> Self {
        let from = address(person);
        Letter {
            headers: vec![
                ("From".to_string(), format!("Somebody <{from}>")),
                ("To".to_string(), SERVER.to_string()),
                ("Subject".to_string(), "hello there everybody".to_string()),
            ],
            text: String::new(),
            sender: Some(from),
        }
    }

    /// An answer from `person` to a mail of the server, as mail programs write it.
    pub fn answer(person: &str, mail: &Out) -> Self {
        Letter::from(person)
            .header("To", &mail.header("Reply-To"))
            .header("Subject", &format!("Re: {}", mail.subject()))
            .header("In-Reply-To", &mail.header("Message-ID"))
            .header("References", &mail.header("Message-ID"))
    }

    /// Sets a header, in its place if it is there.
    pub fn header(mut self, name: &str, value: &str) -> Self {
        match self.headers.iter_mut().find(|(known, _)| known == name) {
            Some(header) => header.1 = value.to_string(),
            None => self.headers.push((name.to_string(), value.to_string())),
        }
        self
    }

    /// Sets another header of this name before all others, as hosts on the way do.
    pub fn before(mut self, name: &str, value: &str) -> Self {
        self.headers.insert(0, (name.to_string(), value.to_string()));
        self
    }

    pub fn without(mut self, name: &str) -> Self {
        self.headers.retain(|(known, _)| known != name);
        self
    }

    pub fn subject(self, subject: &str) -> Self {
        self.header("Subject", subject)
    }

    pub fn text(mut self, text: &str) -> Self {
        self.text = text.to_string();
        self
    }

    pub fn bytes(&self) -> Vec<u8> {
        let mut mail = String::new();
        for (name, value) in &self.headers {
            mail.push_str(&format!("{name}: {value}\r\n"));
        }
        mail.push_str("MIME-Version: 1.0\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n");
        mail.push_str(&self.text.replace('\n', "\r\n"));
        mail.push_str("\r\n");
        mail.into_bytes()
    }
}

/// A mail that the server sent.
#[derive(Clone, Debug)]
pub struct Out {
    pub to: String,
    /// The envelope sender; empty where it is the empty one.
    pub return_path: String,
    pub raw: Vec<u8>,
}

impl Out {
    fn parsed(&self) -> mail_parser::Message<'_> {
        MessageParser::default().parse(&self.raw).expect("a mail out is a mail")
    }

    /// The value of a header without its folds; empty where it is missing.
    pub fn header(&self, name: &str) -> String {
        let value = self.parsed().header_raw(name.to_string()).map(str::to_string);
        let unfolded = value.unwrap_or_default().replace("\r\n", "");
        unfolded.trim().to_string()
    }

    pub fn subject(&self) -> String {
        self.parsed().subject().unwrap_or_default().to_string()
    }

    pub fn text(&self) -> String {
        let text = self.parsed().body_text(0).map(|text| text.into_owned());
        text.unwrap_or_default().replace("\r\n", "\n")
    }

    /// The HTML part, where there is one.
    pub fn html(&self) -> Option<String> {
        let parsed = self.parsed();
        let part = parsed.html_part(0).filter(|part| part.is_text_html())?;
        Some(part.text_contents().unwrap_or_default().to_string())
    }

    /// Name and content of each attachment.
    pub fn attachments(&self) -> Vec<(String, String)> {
        let parsed = self.parsed();
        let attached = parsed.attachments().map(|part| {
            let name = part.attachment_name().unwrap_or_default().to_string();
            (name, part.text_contents().unwrap_or_default().replace("\r\n", "\n"))
        });
        attached.collect()
    }

    /// The names of the attachments.
    pub fn files(&self) -> Vec<String> {
        let parsed = self.parsed();
        let names = parsed
            .attachments()
            .filter_map(|part| part.attachment_name().map(str::to_string));
        names.collect()
    }

    pub fn is_answer(&self) -> bool {
        self.header("Auto-Submitted") == "auto-replied"
    }

    /// The key in Reply-To; empty where there is none.
    pub fn key(&self) -> String {
        let reply_to = self.header("Reply-To");
        let key = reply_to.split_once("play+").and_then(|(_, rest)| rest.split_once('@'));
        key.map(|(key, _)| key.to_string()).unwrap_or_default()
    }

    #[track_caller]
    pub fn says(&self, words: &str) -> &Self {
        let flat = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        let (text, words) = (self.text(), flat(words));
        assert!(
            flat(&text).contains(&words),
            "{words:?} is not in the mail to {}:\n{}\n\n{text}",
            self.to,
            self.subject()
        );
        self
    }

    #[track_caller]
    pub fn never_says(&self, words: &str) -> &Self {
        let whole = String::from_utf8_lossy(&self.raw).into_owned() + &self.text();
        assert!(
            !whole.contains(words),
            "{words:?} is in the mail to {}:\n{whole}",
            self.to
        );
        self
    }
}

/// Collects what goes out.
#[derive(Default)]
struct Tray(Vec<Out>);

impl Sink for Tray {
    fn send(&mut self, mail: &Outgoing) -> Sent {
        self.0.push(Out {
            to: mail.recipient.clone(),
            return_path: mail.envelope_from.clone().unwrap_or_default(),
            raw: mail.bytes.clone(),
        });
        Sent::Delivered
    }
}

/// What came of one mail in, or of one run of the timers.
#[derive(Debug)]
pub struct Came {
    pub out: Vec<Out>,
}

impl Came {
    /// The one mail to this person.
    #[track_caller]
    pub fn to(&self, person: &str) -> &Out {
        self.find(person)
            .unwrap_or_else(|| panic!("no mail to {person}: {:?}", self.recipients()))
    }

    pub fn find(&self, person: &str) -> Option<&Out> {
        let address = address(person);
        self.out.iter().find(|mail| mail.to == address)
    }

    pub fn recipients(&self) -> Vec<&str> {
        let mut to: Vec<&str> = self.out.iter().map(|mail| mail.to.as_str()).collect();
        to.sort_unstable();
        to
    }

    /// Exactly these people got a mail, each one.
    #[track_caller]
    pub fn only_to(&self, people: &[&str]) -> &Self {
        let mut expected: Vec<String> = people.iter().map(|person| address(person)).collect();
        expected.sort();
        assert_eq!(self.recipients(), expected);
        self
    }
}

pub struct Post {
    office: Office,
    time: Arc<AtomicI64>,
    place: TempDir,
    config: Config,
    written: usize,
    /// Everything that ever went out.
    pub all: Vec<Out>,
    /// Words that no mail may ever hold.
    pub secrets: Vec<String>,
    /// Addresses that belong to one person, by pairs.
    pub same: Vec<(String, String)>,
    known: BTreeSet<String>,
}

impl Post {
    /// A server that takes From as proof.
    pub fn trusting() -> Self {
        Post::with("[identity]\ntrust = \"from\"\n")
    }

    /// A server that believes the host `mx.example.org`.
    pub fn careful() -> Self {
        Post::with("[identity]\ntrust = \"verified\"\nauthserv_id = \"mx.example.org\"\n")
    }

    pub fn with(tables: &str) -> Self {
        let place = scratch();
        let text =
            format!("address = \"{SERVER}\"\ndata = \"data\"\n{tables}\n[sink]\ntype = \"maildir\"\npath = \"out\"\n");
        std::fs::write(place.path().join(SETTINGS), text).unwrap();
        Post::open(place, DateTime::parse_from_rfc3339(BEGINS).unwrap().timestamp())
    }

    /// The server of this directory.
    fn open(place: TempDir, begins: i64) -> Self {
        let config = Config::load(Some(&place.path().join(SETTINGS))).unwrap();
        let time = Arc::new(AtomicI64::new(begins));
        let hand = Arc::clone(&time);
        let clock = move || DateTime::from_timestamp(hand.load(Ordering::Relaxed), 0).unwrap();
        let office = Office::open(Server::new(&config).unwrap(), &config, Box::new(clock)).unwrap();
        Post {
            office,
            time,
            place,
            config,
            written: 0,
            all: Vec::new(),
            secrets: Vec::new(),
            same: Vec::new(),
            known: BTreeSet::new(),
        }
    }

    /// The same server, with everybody and everything, to go on with apart from this one.
    pub fn copy(&self) -> Post {
        self.office.store().fold_log().unwrap();
        let place = scratch();
        std::fs::create_dir(place.path().join("data")).unwrap();
        for name in [SETTINGS, "data/playpost.db"] {
            std::fs::copy(self.place.path().join(name), place.path().join(name)).unwrap();
        }
        Post {
            written: self.written,
            all: self.all.clone(),
            secrets: self.secrets.clone(),
            same: self.same.clone(),
            known: self.known.clone(),
            ..Post::open(place, self.now())
        }
    }

    /// Looks into the store.
    pub fn read<T, E: From<StoreError>>(&self, work: impl FnOnce(&Tx) -> Result<T, E>) -> Result<T, E> {
        self.office.store().read(work)
    }

    /// Changes something in the store behind the server's back.
    pub fn edit(&mut self, work: impl FnOnce(&Tx) -> Result<(), StoreError>) {
        self.office.store().write(work).unwrap();
    }

    /// What `admin rebuild` finds different.
    pub fn rebuild(&mut self) -> Vec<Difference> {
        self.office.server().rebuild(&mut self.office.store()).unwrap()
    }

    /// Whether there are templates in a language.
    pub fn speaks(&self, language: &str) -> bool {
        self.office
            .server()
            .templates()
            .languages()
            .any(|known| known == language)
    }

    /// Hours pass, with the timers run at each; what came of each.
    pub fn hours(&mut self, hours: i64) -> Vec<Came> {
        let passed = (0..hours).map(|_| {
            self.time.fetch_add(HOUR, Ordering::Relaxed);
            self.tick()
        });
        passed.collect()
    }

    pub fn data(&self) -> &Path {
        &self.config.data
    }

    pub fn now(&self) -> i64 {
        self.time.load(Ordering::Relaxed)
    }

    /// Time passes, with the server alive all the while.
    pub fn later(&mut self, seconds: i64) -> Came {
        let end = self.now() + seconds;
        let mut out = Vec::new();
        while self.now() < end {
            self.time.store(end.min(self.now() + 50 * MINUTE), Ordering::Relaxed);
            out.extend(self.tick().out);
        }
        Came { out }
    }

    /// Time passes, and the server is away.
    pub fn away(&mut self, seconds: i64) {
        self.time.fetch_add(seconds, Ordering::Relaxed);
    }

    /// The timers run.
    pub fn tick(&mut self) -> Came {
        self.office.tick().unwrap();
        Came { out: self.collect() }
    }

    fn collect(&mut self) -> Vec<Out> {
        let mut tray = Tray::default();
        run_outbox(&self.office, &mut tray, self.office.now(), 1_000_000, &|| false).unwrap();
        for mail in &tray.0 {
            laws::check(mail, &self.known, &self.same, &self.secrets);
        }
        self.all.extend(tray.0.iter().cloned());
        tray.0
    }

    /// The bytes come in, with an envelope.
    pub fn take(&mut self, raw: &[u8], sender: Option<&str>) -> Came {
        let envelope = Envelope {
            sender: sender.map(str::to_string),
            recipients: vec![SERVER.to_string()],
        };
        self.office.take(raw, &envelope).unwrap();
        Came { out: self.collect() }
    }

    /// Mails come in together, each with a Message-ID of its own; their fates, and what came of them all.
    pub fn batch(&mut self, letters: &[Letter]) -> (Vec<Fate>, Came) {
        let senders = letters.iter().filter_map(|letter| letter.sender.clone());
        self.known.extend(senders);
        let mails = letters.iter().map(|letter| (letter.bytes(), letter.sender.clone()));
        self.take_together(mails.collect())
    }

    /// The bytes of several mails come in together, each with its envelope sender.
    pub fn take_together(&mut self, mails: Vec<(Vec<u8>, Option<String>)>) -> (Vec<Fate>, Came) {
        let incoming = |(raw, sender)| Incoming {
            raw,
            envelope: Envelope {
                sender,
                recipients: vec![SERVER.to_string()],
            },
        };
        let mails: Vec<Incoming> = mails.into_iter().map(incoming).collect();
        let fates = self.office.take_all(&mails).into_iter().map(Result::unwrap).collect();
        (fates, Came { out: self.collect() })
    }

    /// A mail comes in. Of what follows nobody gets more than one mail, and nobody more than one answer is written.
    #[track_caller]
    pub fn mail(&mut self, letter: Letter) -> Came {
        self.written += 1;
        let letter = match letter.headers.iter().any(|(name, _)| name == "Message-ID") {
            true => letter,
            false => letter.clone().header(
                "Message-ID",
                &format!("<{}.{}@somewhere.example>", self.written, self.now()),
            ),
        };
        if let Some(sender) = letter.sender.clone() {
            self.known.insert(sender);
        }
        let came = self.take(&letter.bytes(), letter.sender.as_deref());
        let recipients = came.recipients();
        let each: BTreeSet<&str> = recipients.iter().copied().collect();
        assert_eq!(each.len(), recipients.len(), "two mails to one reader: {recipients:?}");
        let answers = came.out.iter().filter(|mail| mail.is_answer()).count();
        assert!(answers <= 1, "{answers} answers to one mail");
        came
    }

    /// A person writes a new mail, and gets the one answer.
    #[track_caller]
    pub fn write(&mut self, person: &str, text: &str) -> Came {
        let came = self.mail(Letter::from(person).text(text));
        assert!(came.to(person).is_answer(), "no answer to {person}");
        came
    }

    /// A person answers the last mail from the server, and gets the one answer.
    #[track_caller]
    pub fn reply(&mut self, person: &str, text: &str) -> Came {
        let mail = self.last(person).clone();
        self.reply_to(person, &mail, text)
    }

    #[track_caller]
    pub fn reply_to(&mut self, person: &str, mail: &Out, text: &str) -> Came {
        let came = self.mail(Letter::answer(person, mail).text(text));
        assert!(came.to(person).is_answer(), "no answer to {person}");
        came
    }

    /// The last mail that a person got.
    #[track_caller]
    pub fn last(&self, person: &str) -> &Out {
        self.find_last(person)
            .unwrap_or_else(|| panic!("{person} has got no mail"))
    }

    pub fn find_last(&self, person: &str) -> Option<&Out> {
        let address = address(person);
        self.all.iter().rev().find(|mail| mail.to == address)
    }

    /// `show N --json`.
    #[track_caller]
    pub fn show(&self, number: u32) -> Value {
        let live = self.office.store().read(|tx| Live::read(tx, number)).unwrap();
        live.unwrap_or_else(|| panic!("there is no match {number}"))
            .game()
            .json()
    }

    pub fn has_match(&self, number: u32) -> bool {
        self.office.store().read(|tx| Live::read(tx, number)).unwrap().is_some()
    }

    /// These people have accounts.
    #[track_caller]
    pub fn people(&mut self, people: &[&str]) {
        for person in people {
            self.write(person, &format!("signup {person}"));
        }
    }

    /// A match begins, in which the first named moves first; its number.
    #[track_caller]
    pub fn begin(&mut self, first: &str, second: &str, challenge: &str) -> u32 {
        let came = self.write(first, &format!("challenge {second} {challenge} --first=me"));
        let mail = came.to(second).clone();
        let came = self.reply_to(second, &mail, "accept");
        let info = came.to(first).header("Playpost-Match");
        let number = info.split(';').next().and_then(|number| number.trim().parse().ok());
        number.unwrap_or_else(|| panic!("no match began: {info:?}"))
    }

    /// Turns are played by replies, the first named beginning.
    #[track_caller]
    pub fn play(&mut self, number: u32, players: [&str; 2], turns: &[&str]) {
        for turn in turns {
            let before = self.show(number)["turn"].as_u64().unwrap();
            let player = players[usize::try_from(before % 2).unwrap()];
            let mail = self.last_about(player, number).clone();
            self.reply_to(player, &mail, turn);
            assert_eq!(
                self.show(number)["turn"],
                before + 1,
                "{turn}: {}",
                self.last(player).text()
            );
        }
    }

    /// The last mail of a match that a person got.
    #[track_caller]
    pub fn last_about(&self, person: &str, number: u32) -> &Out {
        let (address, start) = (address(person), format!("{number};"));
        let mail = self
            .all
            .iter()
            .rev()
            .find(|mail| mail.to == address && mail.header("Playpost-Match").starts_with(&start));
        mail.unwrap_or_else(|| panic!("{person} has got no mail of match {number}"))
    }

    /// All bytes of the store's files.
    pub fn stored_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        for entry in std::fs::read_dir(self.data()).unwrap() {
            let path = entry.unwrap().path();
            if path.is_file() {
                bytes.extend(std::fs::read(path).unwrap());
            }
        }
        bytes
    }
}

/// Whether `needle` stands in `bytes`.
pub fn holds(bytes: &[u8], needle: &str) -> bool {
    bytes.windows(needle.len()).any(|window| window == needle.as_bytes())
}
