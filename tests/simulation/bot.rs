//! A player who reads his mails and answers them: late, with slips, on vacation or not at all.

use std::collections::{BTreeMap, BTreeSet};

use chrono::{DateTime, Days};
use playpost::games::Table;
use playpost::matches::{Match, Status};
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};

use super::clocks::HOUR;
use super::mail::{Letter, Mail};

/// What a bot means to do at some hour.
#[derive(Clone, Debug)]
pub enum Wish {
    /// To play its turn in a match, in answer to this mail where there is one.
    Play { number: u32, mail: Option<Box<Mail>> },
    /// To send this line, in answer to a mail where there is one.
    Say { line: String, mail: Option<Box<Mail>> },
}

pub struct Bot {
    pub name: String,
    pub address: String,
    /// Hours that it mostly takes to answer.
    patience: f64,
    random: Xoshiro256PlusPlus,
    /// Matches in which a turn is meant to be played already.
    planned: BTreeSet<u32>,
    /// Turns after which it has enough of a match.
    enough: BTreeMap<u32, u32>,
    /// Wishes by the hour.
    wishes: BTreeMap<i64, Vec<Wish>>,
    /// The hour at which it comes back from a vacation.
    pub away_until: i64,
    /// The game is to come to its end soon.
    pub hurries: bool,
    turns: u32,
}

const ZONES: [&str; 4] = ["UTC", "Europe/Berlin", "Asia/Seoul", "America/New_York"];

impl Bot {
    pub fn new(index: usize, seed: u64, turns: u32) -> Self {
        let name = format!("bot{index:03}");
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed.wrapping_mul(1000).wrapping_add(index as u64));
        let patience = random.random_range(2.0..48.0);
        Bot {
            address: format!("{name}@{name}.example"),
            name,
            patience,
            random,
            planned: BTreeSet::new(),
            enough: BTreeMap::new(),
            wishes: BTreeMap::new(),
            away_until: 0,
            hurries: false,
            turns,
        }
    }

    fn chance(&mut self, share: f64) -> bool {
        self.random.random_bool(share)
    }

    fn pick<'c, T>(&mut self, choices: &'c [T]) -> Option<&'c T> {
        if choices.is_empty() {
            return None;
        }
        choices.get(self.random.random_range(0..choices.len()))
    }

    /// The hour at which it gets to answering something that comes at `now` (in hours).
    fn soon(&mut self, now: i64) -> i64 {
        let patience = if self.hurries {
            self.patience.min(6.0)
        } else {
            self.patience
        };
        let share: f64 = self.random.random_range(0.02..1.0);
        let hours = 1 + (-share.ln() * patience) as i64;
        (now + hours).max(self.away_until + 1)
    }

    fn wish(&mut self, hour: i64, wish: Wish) {
        self.wishes.entry(hour).or_default().push(wish);
    }

    fn say(&mut self, now: i64, line: String, mail: Option<&Mail>) {
        let hour = self.soon(now);
        let mail = mail.cloned().map(Box::new);
        self.wish(hour, Wish::Say { line, mail });
    }

    /// The first mails: an account, and settings.
    pub fn sign_up(&mut self, now: i64) {
        let mut text = format!("signup {}", self.name);
        if let Some(zone) = self.pick(&ZONES) {
            text += &format!("\nset timezone {zone}");
        }
        match self.random.random_range(0..10) {
            0 => text += "\nset mail digest",
            1 => text += "\nset mail reminders",
            2 => text += "\nset autoaccept on",
            3 => text += "\nset board list",
            _ => {}
        }
        let (line, mail) = (text, None);
        self.wish(now, Wish::Say { line, mail });
    }

    /// What is due by now.
    pub fn due(&mut self, now: i64) -> Vec<Wish> {
        let later = self.wishes.split_off(&(now + 1));
        let due = std::mem::replace(&mut self.wishes, later);
        due.into_values().flatten().collect()
    }

    /// Reads a mail; gives what the mailbox itself answers.
    pub fn receive(&mut self, mail: &Mail, now: i64) -> Option<Letter> {
        if now < self.away_until && !mail.is_answer && self.chance(0.3) {
            let mut letter = Letter::answer(&self.address, mail, "I am away. resign\n\nd4\n");
            letter.is_robots = true;
            return Some(letter);
        }
        for number in mail.challenges() {
            let line = if self.chance(0.95) { "accept" } else { "decline" };
            self.say(now, format!("{line} {number}"), None);
        }
        for number in mail.own_turns() {
            self.plan(now, number, None);
        }
        let (number, to_move) = mail.about.clone()?;
        if to_move.as_deref() == Some(self.name.as_str()) {
            // Some mails are forgotten; a reminder helps.
            let forgets = if mail.is_reminder { 0.2 } else { 0.006 };
            if self.hurries || !self.chance(forgets) {
                self.plan(now, number, Some(mail));
            }
        }
        if mail.text.contains("answer `accept` or `reject`") {
            let line = if self.chance(0.6) { "accept" } else { "reject" };
            self.say(now, format!("#{number} {line}"), Some(mail));
        }
        if mail.text.contains("answers `continue`") && (self.hurries || self.chance(0.3)) {
            self.say(now + 24, format!("#{number} continue"), Some(mail));
        }
        if mail.text.contains("claimed with `claim`") {
            self.say(now, format!("#{number} claim"), Some(mail));
        }
        if to_move.is_none() && !mail.is_answer && self.chance(0.1) {
            let line = if self.hurries || self.chance(0.5) {
                "say Thanks for the game!"
            } else {
                "rematch"
            };
            self.say(now, line.to_string(), Some(mail));
        }
        None
    }

    fn plan(&mut self, now: i64, number: u32, mail: Option<&Mail>) {
        if self.planned.insert(number) {
            let hour = self.soon(now);
            let mail = mail.cloned().map(Box::new);
            self.wish(hour, Wish::Play { number, mail });
        }
    }

    /// Something that players do now and then.
    pub fn idle(&mut self, now: i64, others: &[String]) {
        if now < self.away_until {
            return;
        }
        let other = self.pick(others).cloned().unwrap_or_default();
        let line = match self.random.random_range(0..14) {
            0 => "whoami".to_string(),
            1 => "ratings susan".to_string(),
            2 => "standings lotus".to_string(),
            3 => "games".to_string(),
            4 => "archive since 2026-01-01".to_string(),
            5 => "help challenge".to_string(),
            6 => "rules rosette".to_string(),
            7 => "challenges".to_string(),
            8 => format!("stats {} {other}", self.name),
            9 => format!("who {other}"),
            10 => "hello, is anybody there?".to_string(),
            11 if !self.hurries => return self.leave(now),
            _ => "status".to_string(),
        };
        self.wish(now, Wish::Say { line, mail: None });
    }

    /// Goes on vacation from tomorrow.
    fn leave(&mut self, now: i64) {
        let today = DateTime::from_timestamp(now * HOUR, 0).unwrap_or_default().date_naive();
        let days = self.random.random_range(2..9);
        let (first, last) = (today + Days::new(2), today + Days::new(2 + days));
        self.away_until = (now / 24 + 2 + days as i64) * 24;
        let line = format!("vacation {first} to {last}");
        self.wish(now, Wish::Say { line, mail: None });
    }

    /// The text of the mail that plays a turn, in a match where it is the bot's turn; `None` where it is not.
    pub fn play(&mut self, now: i64, number: u32, mail: Option<&Mail>, game: Option<&Match>) -> Option<String> {
        self.planned.remove(&number);
        let game = game?;
        if game.player(game.to_move()?) != self.name {
            return None;
        }
        let table = game.table();
        let most = self.turns;
        let random = &mut self.random;
        let enough = *self
            .enough
            .entry(number)
            .or_insert_with(|| random.random_range(most / 3..most));
        let is_enough = game.turn() >= enough;
        if self.chance(0.02) {
            // A slip: the answer shows the board, and then the turn is played.
            let slip = self.pick(&["z99", "I think I'll take the corner", "mvoe", "accept", "#12345 d4"]);
            return slip.map(|slip| slip.to_string());
        }
        if (self.hurries && self.chance(0.3)) || (is_enough && self.chance(0.2)) {
            return Some("resign\n\nToo strong for me.".to_string());
        }
        if game.status() == Status::Counting {
            let proposed = table.last_turn().is_some_and(|turn| turn.contains("dead"));
            return Some(if proposed { "agree" } else { "dead none" }.to_string());
        }
        let mut steps = table.steps();
        if is_enough && steps.iter().any(|step| step == "pass") && self.chance(0.5) {
            steps = vec!["pass".to_string()];
        }
        let turn = self.pick(&steps)?.clone();
        let mut text = turn.clone();
        match self.random.random_range(0..60) {
            0 => text += "\ndraw",
            1 => text += "\nnote so far so good",
            2 => text += "\nsay What a day!",
            3 => text += "\nextend 1d",
            4 => text += "\npause",
            5..8 => text += &self.conditional(table, &turn).unwrap_or_default(),
            8 => {
                let line = format!("#{number} undo");
                let mail = mail.cloned().map(Box::new);
                self.wish(now + 1, Wish::Say { line, mail });
            }
            9 => text = format!("preview {turn}\n{turn}"),
            10 => text += "\nhistory\nrecord",
            11 => text += "\nresend",
            12..20 => text += "\n\nYour turn.\nAnd good luck!",
            _ => {}
        }
        Some(text)
    }

    /// `if THEIRS then OURS` after a turn.
    fn conditional(&mut self, table: &dyn Table, turn: &str) -> Option<String> {
        let mut ahead = table.boxed_clone();
        ahead.play(None, turn).ok()?;
        let theirs = self.pick(&ahead.steps())?.clone();
        ahead.play(None, &theirs).ok()?;
        let ours = self.pick(&ahead.steps())?.clone();
        Some(format!("\nif {theirs} then {ours}"))
    }

    /// A challenge to some of the others, or to all.
    pub fn challenge(&mut self, now: i64, others: &[String]) {
        const GAMES: [&str; 7] = [
            "susan",
            "susan -side=3",
            "susan -side=4",
            "medusa",
            "lotus",
            "rosette -side=3",
            "medusa-shogi",
        ];
        const TIMES: [&str; 8] = [
            "",
            "",
            "",
            "--time=7d",
            "--time=3d+24h/5d",
            "--time=5d --soft",
            "--time=10d --weekdays",
            "--time=none --unrated",
        ];
        let names: Vec<&String> = others.iter().filter(|name| **name != self.name).collect();
        let game = self.pick(&GAMES).copied().unwrap_or_default();
        let time = self.pick(&TIMES).copied().unwrap_or_default();
        let first = if self.chance(0.5) { "me" } else { "you" };
        let mut invited: Vec<&String> = Vec::new();
        let wanted = if game.starts_with("susan") && self.chance(0.3) {
            self.random.random_range(2..4)
        } else {
            1
        };
        while invited.len() < wanted.min(names.len()) {
            if let Some(name) = self.pick(&names).copied().filter(|name| !invited.contains(name)) {
                invited.push(name);
            }
        }
        let invited: Vec<&str> = invited.iter().map(|name| name.as_str()).collect();
        let line = match self.chance(0.05) {
            true => format!("open {game} {time} --first={first}"),
            false => format!("challenge {} {game} {time} --first={first}", invited.join(" ")),
        };
        self.wish(now, Wish::Say { line, mail: None });
    }
}
