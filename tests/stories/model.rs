//! Random commands of random players at random times, through the whole server. Beside it walks a simple model: who has
//! blocked whom, what finished matches looked like, and clocks that are counted hour by hour.

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};

use playpost::matches::Entry;
use playpost::server::Live;
use playpost::store::Filter;
use proptest::prelude::*;
use proptest::test_runner::FileFailurePersistence;
use serde_json::Value;

use crate::harness::{Came, Letter, Out, Post, address};
use crate::month::simulation::clocks;

const PEOPLE: [&str; 4] = ["alice", "bob", "carol", "dave"];

/// One thing that somebody tries after some hours. `pick` chooses what is left to choose.
#[derive(Clone, Debug)]
struct Step {
    who: usize,
    wait: i64,
    what: What,
    pick: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum What {
    Challenge,
    Open,
    Accept,
    Decline,
    Withdraw,
    Rematch,
    Turn,
    /// A turn and a word to the other.
    TurnAndTalk,
    Condition,
    Draw,
    Undo,
    Pause,
    Continue,
    Yes,
    No,
    Claim,
    Extend,
    Say,
    Note,
    Watch,
    Unwatch,
    Block,
    Unblock,
    Vacation,
    Home,
    Mode,
    Resign,
    Look,
    NewKey,
    Rubbish,
    /// The last mail comes once more.
    Again,
    /// A vacation program answers the last mail.
    Robot,
}

const WEIGHTS: [(u32, What); 32] = [
    (8, What::Challenge),
    (2, What::Open),
    (10, What::Accept),
    (1, What::Decline),
    (1, What::Withdraw),
    (1, What::Rematch),
    (24, What::Turn),
    (6, What::TurnAndTalk),
    (3, What::Condition),
    (2, What::Draw),
    (3, What::Undo),
    (2, What::Pause),
    (2, What::Continue),
    (6, What::Yes),
    (2, What::No),
    (2, What::Claim),
    (2, What::Extend),
    (3, What::Say),
    (1, What::Note),
    (2, What::Watch),
    (1, What::Unwatch),
    (2, What::Block),
    (1, What::Unblock),
    (4, What::Vacation),
    (1, What::Home),
    (2, What::Mode),
    (2, What::Resign),
    (2, What::Look),
    (1, What::NewKey),
    (2, What::Rubbish),
    (2, What::Again),
    (2, What::Robot),
];

fn step() -> impl Strategy<Value = Step> {
    let what = proptest::strategy::Union::new_weighted(WEIGHTS.map(|(weight, what)| (weight, Just(what))).to_vec());
    (0..PEOPLE.len(), 0..30i64, what, 0..10_000usize).prop_map(|(who, wait, what, pick)| Step { who, wait, what, pick })
}

/// What is known beside the server.
struct Model {
    post: Post,
    /// Who has blocked whom.
    blocks: BTreeSet<(usize, usize)>,
    /// How finished matches looked when they were seen first.
    finished: BTreeMap<u32, Value>,
    last: Option<(Vec<u8>, usize)>,
    written: usize,
}

impl Model {
    fn begin(origin: &Post) -> Self {
        Model {
            post: origin.copy(),
            blocks: BTreeSet::new(),
            finished: BTreeMap::new(),
            last: None,
            written: 0,
        }
    }

    fn live(&self, number: u32) -> Option<Live> {
        self.post.read(|tx| Live::read(tx, number)).unwrap()
    }

    /// The matches that there are, running and finished.
    fn numbers(&self) -> Vec<u32> {
        let next = self.post.read(|tx| tx.next_match_number()).unwrap();
        (1..next).collect()
    }

    fn step(&mut self, step: &Step) {
        self.pass(step.wait);
        let numbers = self.numbers();
        let number = numbers.get(step.pick % numbers.len().max(1)).copied().unwrap_or(7);
        let live = self.live(number);
        let mover = live
            .as_ref()
            .and_then(|live| Some(live.userid_at(live.game().to_move()?)));
        // Turns are mostly tried by who is to move.
        let is_turn = matches!(step.what, What::Turn | What::TurnAndTalk);
        let person = match mover {
            Some(mover) if is_turn && !step.pick.is_multiple_of(8) => mover,
            _ => PEOPLE[step.who].to_string(),
        };
        let who = PEOPLE.iter().position(|name| *name == person).unwrap();
        let other = PEOPLE[(who + 1 + step.pick % 3) % PEOPLE.len()];
        if step.what == What::Again {
            return self.again();
        }
        let (text, is_robots) = match step.what {
            What::Robot => (format!("#{number} resign"), true),
            what => (self.line(what, step.pick, number, other, live.as_ref()), false),
        };
        self.write(who, &text, is_robots);
        let other = PEOPLE.iter().position(|name| *name == other).unwrap();
        match step.what {
            What::Block => self.blocks.insert((who, other)),
            What::Unblock => self.blocks.remove(&(who, other)),
            _ => false,
        };
    }

    /// Hours pass. Who watched a match that ends in them hears of its end.
    fn pass(&mut self, hours: i64) {
        let before = self.readers();
        for came in self.post.hours(hours) {
            self.check(&came, &before);
        }
    }

    fn line(&self, what: What, pick: usize, number: u32, other: &str, live: Option<&Live>) -> String {
        const TIMES: [&str; 5] = [
            "",
            "--time=2d",
            "--time=1d+12h/3d",
            "--time=2d --soft",
            "--time=3d --weekdays",
        ];
        const GAMES: [&str; 4] = ["susan -side=3", "rosette -side=3", "lotus", "susan -side=4"];
        let (game, time) = (GAMES[pick % GAMES.len()], TIMES[pick / 7 % TIMES.len()]);
        let steps = live.map(|live| live.table().steps()).unwrap_or_default();
        let turn = |offset: usize| {
            steps
                .get((pick + offset) % steps.len().max(1))
                .cloned()
                .unwrap_or("d4".to_string())
        };
        let today = chrono::DateTime::from_timestamp(self.post.now(), 0)
            .unwrap()
            .date_naive();
        let day = |days: usize| today + chrono::Days::new(days as u64);
        match what {
            What::Challenge if pick.is_multiple_of(5) => {
                let third = PEOPLE[pick % PEOPLE.len()];
                format!("challenge {other} {third} susan -side=3 {time}\n\nFancy a game?")
            }
            What::Challenge => format!("challenge {other} {game} {time}\n\nFancy a game?"),
            What::Open => format!("open {game} {time} --repeat=2"),
            What::Accept => format!("accept {}", 1 + pick % 6),
            What::Decline => format!("decline {}", 1 + pick % 6),
            What::Withdraw => "withdraw".to_string(),
            What::Rematch => format!("#{number} rematch"),
            What::Turn => format!("#{number} {}", turn(0)),
            What::TurnAndTalk => format!("#{number} {}\n\nWhat do you say now?", turn(0)),
            What::Condition => format!("#{number} if {} then {}", turn(0), turn(5)),
            What::Draw => format!("#{number} draw"),
            What::Undo => format!("#{number} undo"),
            What::Pause => format!("#{number} pause"),
            What::Continue => format!("#{number} continue"),
            What::Yes => format!("#{number} accept"),
            What::No => format!("#{number} reject"),
            What::Claim => format!("#{number} claim"),
            What::Extend => format!("#{number} extend {}h", 1 + pick % 40),
            What::Say => format!("#{number} say Hello there!"),
            What::Note => format!("#{number} note to myself"),
            What::Watch => format!("#{number} watch"),
            What::Unwatch => format!("#{number} unwatch"),
            What::Block => format!("block {other}"),
            What::Unblock => format!("unblock {other}"),
            What::Vacation => format!("vacation {} to {}", day(pick % 4), day(pick % 4 + pick % 3)),
            What::Home => "vacation off".to_string(),
            What::Mode => format!("set mail {}", ["each", "digest", "reminders"][pick % 3]),
            What::Resign => format!("#{number} resign"),
            What::Look => [
                "status all",
                "challenges",
                "games",
                "whoami",
                "ratings susan",
                "archive",
            ][pick % 6]
                .to_string(),
            What::NewKey => "newkey".to_string(),
            What::Rubbish => ["a5 looks strong", "resign? never!", "", "> resign"][pick % 4].to_string(),
            What::Again | What::Robot => String::new(),
        }
    }

    fn write(&mut self, who: usize, text: &str, is_robots: bool) {
        self.written += 1;
        let mut letter = Letter::from(PEOPLE[who])
            .text(text)
            .header("Message-ID", &format!("<{}@model.example>", self.written));
        if is_robots {
            letter = letter.header("Auto-Submitted", "auto-replied");
        }
        let bytes = letter.bytes();
        let before = self.readers();
        let came = self.post.mail(letter);
        if is_robots {
            assert!(came.out.is_empty(), "a robot was answered");
        } else {
            assert!(came.to(PEOPLE[who]).is_answer(), "no answer to {text:?}");
            self.last = Some((bytes, who));
        }
        self.check(&came, &before);
    }

    /// The last mail once more has no effect and no answer.
    fn again(&mut self) {
        if let Some((bytes, who)) = self.last.clone() {
            let came = self.post.take(&bytes, Some(&address(PEOPLE[who])));
            assert!(came.out.is_empty(), "a copy was answered");
        }
    }

    /// Who may hear of each match: its players and those who watch.
    fn readers(&self) -> BTreeMap<u32, BTreeSet<String>> {
        let readers = self.numbers().into_iter().map(|number| {
            let mut readers: BTreeSet<String> = self.live(number).unwrap().userids().iter().cloned().collect();
            let watchers = self.post.read(|tx| {
                let watchers = tx.watchers(number)?;
                watchers
                    .into_iter()
                    .map(|id| tx.player(id))
                    .collect::<Result<Vec<_>, _>>()
            });
            readers.extend(watchers.unwrap().into_iter().flatten().map(|player| player.userid));
            (number, readers)
        });
        readers.collect()
    }

    fn check(&mut self, came: &Came, before: &BTreeMap<u32, BTreeSet<String>>) {
        if !came.out.is_empty() {
            let now = self.readers();
            for mail in &came.out {
                self.concerns(mail, &now, before);
                self.lets_nobody_through(mail);
            }
        }
        for number in self.numbers() {
            let live = self.live(number).unwrap();
            if live.game().is_over() {
                let json = live.game().json();
                let seen = self.finished.entry(number).or_insert_with(|| json.clone());
                assert_eq!(*seen, json, "a finished match has changed");
            } else {
                assert!(!self.finished.contains_key(&number), "a finished match goes on");
            }
        }
    }

    /// A mail about a match goes to its players and those who watch, and to who asked for it by name.
    fn concerns(&self, mail: &Out, now: &BTreeMap<u32, BTreeSet<String>>, before: &BTreeMap<u32, BTreeSet<String>>) {
        let info = mail.header("Playpost-Match");
        let number: Option<u32> = info.split(';').next().and_then(|number| number.parse().ok());
        let reader = mail.to.split('@').next().unwrap();
        assert!(PEOPLE.contains(&reader), "a mail to {}", mail.to);
        let Some(number) = number.filter(|_| !mail.is_answer()) else {
            return;
        };
        let is_reader = |readers: &BTreeMap<u32, BTreeSet<String>>| {
            readers.get(&number).is_some_and(|readers| readers.contains(reader))
        };
        assert!(
            is_reader(now) || is_reader(before),
            "match {number} is nothing to {reader}"
        );
    }

    /// Nothing from somebody whom the reader has blocked.
    fn lets_nobody_through(&self, mail: &Out) {
        let reader = PEOPLE.iter().position(|name| mail.to == address(name)).unwrap();
        // What waited for a digest came before the block.
        if mail.subject() == "Your day at Playpost" {
            return;
        }
        for &(_, blocked) in self.blocks.iter().filter(|(blocker, _)| *blocker == reader) {
            let name = PEOPLE[blocked];
            let text = mail.text();
            for words in [format!("{name} says:"), format!("{name} challenges you")] {
                assert!(
                    !text.contains(&words),
                    "{words:?} gets through to {}:\n{text}",
                    PEOPLE[reader]
                );
            }
        }
    }

    /// What is stored is what the events give, and so are the clocks. Gives the turns that were played.
    fn finish(mut self) -> u32 {
        let mut turns = 0;
        for number in self.numbers() {
            let stored = self.post.read(|tx| tx.stored_match(number)).unwrap().unwrap();
            let read = |event: &playpost::store::StoredEvent| serde_json::from_str(&event.body).unwrap();
            let entries: Vec<Entry> = stored.events.iter().map(read).collect();
            let live = self.live(number).unwrap();
            clocks::check(live.game(), &entries, self.post.now());
            turns += live.game().turn();
        }
        let all = Filter {
            private_all: true,
            ..Filter::default()
        };
        let archived = self.post.read(|tx| tx.search_archive(&all)).unwrap().len();
        assert_eq!(archived, self.finished.len());
        assert_eq!(self.post.rebuild(), Vec::new());
        turns
    }
}

fn origin() -> Post {
    let mut post = Post::with(
        "[identity]\ntrust = \"from\"\n[limits]\nanswers_per_hour_player = 1000\nanswers_per_hour_stranger = 1000\n",
    );
    post.people(&PEOPLE);
    post.write("carol", "set autoaccept on");
    post
}

#[test]
fn whatever_people_do_the_laws_are_kept() {
    let origin = origin();
    let turns = Cell::new(0);
    let config = ProptestConfig {
        cases: 24,
        failure_persistence: Some(Box::new(FileFailurePersistence::WithSource("regressions"))),
        ..ProptestConfig::with_source_file(file!())
    };
    proptest!(config, |(steps in prop::collection::vec(step(), 1..40))| {
        let mut model = Model::begin(&origin);
        for step in &steps {
            model.step(step);
        }
        model.pass(60);
        turns.set(turns.get() + model.finish());
    });
    assert!(turns.get() > 0, "nothing was played");
}

/// Somebody who watched hears of the end that the clock brings.
#[test]
fn who_watches_hears_of_the_end() {
    let mut model = Model::begin(&origin());
    model.write(3, "challenge carol susan -side=3 --time=1d", false);
    model.write(0, "#1 watch", false);
    model.pass(30);
    assert!(model.finished.contains_key(&1));
    let last = model.post.last("alice");
    assert!(last.subject().contains(" won ("), "{}", last.subject());
    model.finish();
}
