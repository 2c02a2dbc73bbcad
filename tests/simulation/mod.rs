//! Bots that play by mail for a long time, on a server whose hours pass as fast as it works. Everything that must hold
//! for all mails and matches is looked at on the way and at the end.

mod bot;
pub mod clocks;
mod mail;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::Path;
use std::time::{Duration, Instant};

use playpost::config::Config;
use playpost::language;
use playpost::matches::{Entry, Match};
use playpost::server::{Envelope, Live, Server};
use playpost::store::{Fate, Filter, OutboxRow, Store, StoreError, Tx};
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};

use bot::{Bot, Wish};
use clocks::HOUR;
use mail::{Letter, Mail, SERVER};

/// 2026-01-01T00:00:00Z, in hours.
const BEGINS: i64 = 490_896;

/// Days after those of the plan in which what still goes on comes to its end.
const LAST_DAYS: i64 = 60;

/// How much is played.
#[derive(Clone, Debug)]
pub struct Plan {
    pub players: usize,
    pub matches: u32,
    pub days: i64,
    /// About how many turns a match has at most, before its players have enough of it.
    pub turns: u32,
    pub seed: u64,
}

/// What came of it.
#[derive(Clone, Debug, Default)]
pub struct Report {
    pub matches: u32,
    pub letters: usize,
    pub copies: usize,
    pub robots: usize,
    pub mails_out: usize,
    /// Finished matches by the reason of their end.
    pub ends: BTreeMap<String, usize>,
    pub taking: Duration,
    pub ticking: Duration,
    pub rebuilding: Duration,
    pub whole: Duration,
    pub database: u64,
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mails = self.letters + self.copies + self.robots;
        let per_second = mails as f64 / self.taking.as_secs_f64();
        writeln!(f, "{} matches, all finished: {:?}", self.matches, self.ends)?;
        writeln!(
            f,
            "{mails} mails in ({} letters, {} copies, {} of robots), {} mails out",
            self.letters, self.copies, self.robots, self.mails_out
        )?;
        writeln!(f, "taken in {:.1?}: {per_second:.0} mails/s", self.taking)?;
        writeln!(
            f,
            "timers {:.1?}, rebuild {:.1?}, with the bots {:.1?}",
            self.ticking, self.rebuilding, self.whole
        )?;
        write!(f, "database: {:.1} MB", self.database as f64 / 1e6)
    }
}

/// Plays the plan in `place`.
///
/// # Panics
///
/// When a law is broken, or a match does not come to its end.
pub fn run(plan: &Plan, place: &Path) -> Report {
    let begun = Instant::now();
    let mut world = World::new(plan, place);
    world.sign_up();
    for hour in 0..(plan.days + LAST_DAYS) * 24 {
        if hour >= plan.days * 24 && !world.goes_on() {
            break;
        }
        world.hour(BEGINS + hour);
        if hour % (24 * 30) == 0 {
            world.check_running();
        }
    }
    world.report.whole = begun.elapsed();
    world.finish();
    world.report
}

struct World<'p> {
    plan: &'p Plan,
    server: Server,
    store: Store,
    now: i64,
    bots: Vec<Bot>,
    names: Vec<String>,
    by_address: BTreeMap<String, usize>,
    random: Xoshiro256PlusPlus,
    written: u64,
    /// Letters of the last hour that a mail system delivers once more.
    copies: Vec<(u64, Letter)>,
    /// Addresses of those who may hear of a match.
    readers: BTreeMap<u32, BTreeSet<String>>,
    report: Report,
}

/// A mail on its way in.
struct Sent {
    number: u64,
    letter: Letter,
    is_copy: bool,
}

impl<'p> World<'p> {
    fn new(plan: &'p Plan, place: &Path) -> Self {
        let path = place.join("playpost.toml");
        let text = format!(
            "address = '{SERVER}'\ndata = 'data'\n[identity]\ntrust = 'verified'\nauthserv_id = 'mx.example.org'\n\
             [limits]\nanswers_per_hour_player = 100000\nanswers_per_hour_stranger = 100000\n\
             [sink]\ntype = 'maildir'\npath = 'out'\n"
        );
        std::fs::write(&path, text).unwrap();
        let config = Config::read(&path).unwrap();
        let bots: Vec<Bot> = (0..plan.players)
            .map(|index| Bot::new(index, plan.seed, plan.turns))
            .collect();
        World {
            plan,
            server: Server::new(&config).unwrap(),
            store: Store::open(&config.data).unwrap(),
            now: BEGINS,
            names: bots.iter().map(|bot| bot.name.clone()).collect(),
            by_address: bots
                .iter()
                .enumerate()
                .map(|(index, bot)| (bot.address.clone(), index))
                .collect(),
            bots,
            random: Xoshiro256PlusPlus::seed_from_u64(plan.seed),
            written: 0,
            copies: Vec::new(),
            readers: BTreeMap::new(),
            report: Report::default(),
        }
    }

    fn sign_up(&mut self) {
        for bot in &mut self.bots {
            bot.sign_up(BEGINS);
        }
    }

    /// One hour: the timers, what the bots send, and what they get.
    fn hour(&mut self, now: i64) {
        self.now = now;
        let begun = Instant::now();
        self.server.tick(&mut self.store, now * HOUR).unwrap();
        self.report.ticking += begun.elapsed();
        self.deliver(&[]);
        self.arrange();
        let mails = self.outgoing();
        if !mails.is_empty() {
            let fates = self.take(&mails);
            for (mail, fate) in mails.iter().zip(fates) {
                self.check_fate(mail, fate);
            }
            self.deliver(&mails);
        }
    }

    /// Lets some bots begin matches, look around, or come to an end.
    fn arrange(&mut self) {
        let (hour, hours) = (self.now - BEGINS, self.plan.days * 24);
        let hurry = hour > hours * 7 / 10;
        if hour < 2 {
            return;
        }
        let (begun, waiting) = self.store.read(counts).unwrap();
        self.report.matches = begun;
        let missing = self.plan.matches.saturating_sub(begun + waiting);
        let ahead = (hours * 6 / 10 - hour).max(1);
        let now_and_then = f64::from(missing) / ahead as f64;
        for index in 0..self.bots.len() {
            self.bots[index].hurries = hurry;
            let per_bot = now_and_then / self.bots.len() as f64;
            if missing > 0 && self.random.random_bool(per_bot.clamp(0.0, 1.0)) {
                self.bots[index].challenge(self.now, &self.names);
            }
            let idle = if hurry { 1.0 / 30.0 } else { 1.0 / 100.0 };
            if self.random.random_bool(idle) {
                self.bots[index].idle(self.now, &self.names);
            }
        }
    }

    /// What the bots send in this hour.
    fn outgoing(&mut self) -> Vec<Sent> {
        let mut mails: Vec<Sent> = std::mem::take(&mut self.copies)
            .into_iter()
            .map(|(number, letter)| Sent {
                number,
                letter,
                is_copy: true,
            })
            .collect();
        for index in 0..self.bots.len() {
            for wish in self.bots[index].due(self.now) {
                if let Some(letter) = self.letter(index, wish) {
                    mails.push(self.post(letter));
                }
            }
        }
        mails
    }

    fn letter(&mut self, index: usize, wish: Wish) -> Option<Letter> {
        let from = self.bots[index].address.clone();
        let (text, mail) = match wish {
            Wish::Say { line, mail } if line == "rematch" && self.report.matches >= self.plan.matches => {
                ("say Another time!".to_string(), mail)
            }
            Wish::Say { line, mail } => (line, mail),
            Wish::Play { number, mail } => {
                let live = self.store.read(|tx| Live::read(tx, number)).unwrap();
                let game = live.as_ref().map(Live::game);
                let text = self.bots[index].play(self.now, number, mail.as_deref(), game)?;
                let is_about = |mail: &Mail| mail.about.as_ref().is_some_and(|(about, _)| *about == number);
                match mail.filter(|mail| is_about(mail)) {
                    Some(mail) => (text, Some(mail)),
                    None => (with_number(number, &text), None),
                }
            }
        };
        Some(match mail {
            Some(mail) => Letter::answer(&from, &mail, &text),
            None => Letter::new(&from, &text),
        })
    }

    /// Gives a letter its number; some letters come twice.
    fn post(&mut self, letter: Letter) -> Sent {
        self.written += 1;
        if self.random.random_bool(0.02) {
            self.copies.push((self.written, letter.clone()));
        }
        Sent {
            number: self.written,
            letter,
            is_copy: false,
        }
    }

    fn take(&mut self, mails: &[Sent]) -> Vec<Fate> {
        let envelopes: Vec<(Vec<u8>, Envelope)> = mails
            .iter()
            .map(|mail| {
                let envelope = Envelope {
                    sender: Some(mail.letter.from.clone()),
                    recipients: vec![mail.letter.to.clone()],
                };
                (mail.letter.bytes(mail.number), envelope)
            })
            .collect();
        let pairs: Vec<(&[u8], &Envelope)> = envelopes
            .iter()
            .map(|(raw, envelope)| (raw.as_slice(), envelope))
            .collect();
        let begun = Instant::now();
        let fates = self.server.take_all(&mut self.store, &pairs, self.now * HOUR).unwrap();
        self.report.taking += begun.elapsed();
        fates
    }

    fn check_fate(&mut self, mail: &Sent, fate: Fate) {
        let counted = match (mail.letter.is_robots, mail.is_copy) {
            (true, _) => {
                assert_eq!(fate, Fate::Robot);
                &mut self.report.robots
            }
            (_, true) => {
                assert_eq!(fate, Fate::Duplicate);
                &mut self.report.copies
            }
            _ => {
                let is_handled = matches!(fate, Fate::Done | Fate::Refused);
                assert!(is_handled, "{fate:?}: {:?}", mail.letter);
                &mut self.report.letters
            }
        };
        *counted += 1;
    }

    /// The outbox goes to the bots. `taken` is what came in before it: each letter has one answer.
    fn deliver(&mut self, taken: &[Sent]) {
        let rows = self.store.read(|tx| tx.outbox()).unwrap();
        let mut awaited: BTreeMap<String, &str> = taken
            .iter()
            .filter(|mail| !mail.letter.is_robots && !mail.is_copy)
            .map(|mail| (format!("<{}@bots.example>", mail.number), mail.letter.from.as_str()))
            .collect();
        let mut robots = Vec::new();
        for row in &rows {
            let mail = Mail::read(row);
            self.check_mail(row, &mail);
            if mail.is_answer {
                let asked = awaited.remove(&mail.in_reply_to);
                assert_eq!(asked, Some(mail.to.as_str()), "an answer to nobody: {mail:?}");
            }
            let index = self.by_address[&mail.to];
            robots.extend(self.bots[index].receive(&mail, self.now));
        }
        assert!(awaited.is_empty(), "no answer to {awaited:?}");
        self.report.mails_out += rows.len();
        for letter in robots {
            let number = self.written + 1;
            self.written = number;
            let mail = Sent {
                number,
                letter,
                is_copy: false,
            };
            let fate = self.take(std::slice::from_ref(&mail))[0];
            self.check_fate(&mail, fate);
        }
        if !rows.is_empty() {
            let cleared = self
                .store
                .write(|tx| tx.execute("DELETE FROM outbox", []).map_err(StoreError::from));
            assert_eq!(cleared.unwrap(), rows.len(), "a robot was answered");
        }
    }

    /// A mail goes to nobody whom it does not concern, and nothing in it is a command.
    fn check_mail(&mut self, row: &OutboxRow, mail: &Mail) {
        let Some((number, _)) = mail.about else { return };
        if !self.readers.contains_key(&number) {
            let readers = self.store.read(|tx| readers(tx, number)).unwrap();
            self.readers.insert(number, readers);
        }
        assert!(
            self.readers[&number].contains(&mail.to),
            "match {number} is nothing to {}",
            mail.to
        );
        if row.id % 50 == 0 {
            for line in mail.text.lines() {
                assert!(!language::is_command(line), "a line is a command: {line:?}");
            }
        }
    }

    /// The clocks of all running matches are what their events give.
    fn check_running(&mut self) {
        let numbers = self.store.read(|tx| tx.running_matches()).unwrap();
        for row in numbers {
            let (game, entries) = self.stored(row.number);
            clocks::check(&game, &entries, self.now * HOUR);
        }
    }

    fn stored(&mut self, number: u32) -> (Match, Vec<Entry>) {
        let stored = self.store.read(|tx| tx.stored_match(number)).unwrap().unwrap();
        let entries: Vec<Entry> = stored
            .events
            .iter()
            .map(|event| serde_json::from_str(&event.body).unwrap())
            .collect();
        let head = serde_json::from_str(&stored.head).unwrap();
        (Match::replay(head, &entries).unwrap(), entries)
    }

    fn goes_on(&mut self) -> bool {
        let running = self.store.read(|tx| tx.running_matches()).unwrap();
        !running.is_empty()
    }

    /// Every match has ended, its clocks were right to the hour, and what is derived is what the events give.
    fn finish(&mut self) {
        let running = self.store.read(|tx| tx.running_matches()).unwrap();
        let running: Vec<_> = running.iter().map(|row| (row.number, &row.status, row.turn)).collect();
        assert!(running.is_empty(), "{} matches go on: {running:?}", running.len());
        let all = Filter {
            private_all: true,
            ..Filter::default()
        };
        let rows = self.store.read(|tx| tx.search_archive(&all)).unwrap();
        for row in &rows {
            *self.report.ends.entry(row.reason.clone()).or_default() += 1;
            let (game, entries) = self.stored(row.number);
            clocks::check(&game, &entries, self.now * HOUR);
        }
        self.report.matches = rows.len() as u32;
        let begun = Instant::now();
        let different = self.server.rebuild(&mut self.store).unwrap();
        self.report.rebuilding = begun.elapsed();
        assert!(
            different.is_empty(),
            "{} differences: {:?}",
            different.len(),
            different.first()
        );
        self.store.fold_log().unwrap();
        self.report.database = std::fs::metadata(self.store.path()).unwrap().len();
    }
}

/// Matches that have begun, and challenges that wait.
fn counts(tx: &Tx) -> Result<(u32, u32), StoreError> {
    let waiting: u32 = tx.query_row(
        "SELECT coalesce(sum(repeats), 0) FROM challenge WHERE state = 'waiting'",
        [],
        |row| row.get(0),
    )?;
    Ok((tx.next_match_number()? - 1, waiting))
}

/// Addresses of the players of a match, running or finished.
fn readers(tx: &Tx, number: u32) -> Result<BTreeSet<String>, StoreError> {
    let mut statement = tx.prepare_cached(
        "SELECT address FROM address WHERE player IN
           (SELECT player FROM seat WHERE match = ?1 UNION SELECT player FROM archived_seat WHERE match = ?1)",
    )?;
    let rows = statement.query_map([number], |row| row.get(0))?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// The commands of a text with the match's number before them; its message as it is.
fn with_number(number: u32, text: &str) -> String {
    let (commands, message) = text.split_once("\n\n").unwrap_or((text, ""));
    let commands: Vec<String> = commands.lines().map(|line| format!("#{number} {line}")).collect();
    format!("{}\n\n{message}", commands.join("\n"))
}
