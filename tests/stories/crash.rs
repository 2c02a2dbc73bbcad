//! Killed at any instant and started again until done, the server ends where an undisturbed one does.

use std::collections::{BTreeMap, BTreeSet};
use std::hash::{BuildHasher, Hasher, RandomState};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::harness::{Letter, Out};

const PAIRS: usize = 10;
const KILLS: usize = 25;
/// When all of it happens; the same instant in both runs.
const NOW: &str = "2026-11-29T18:00:00Z";
/// When mails whose sending was cut off are due again, and nothing else is.
const LATER: &str = "2026-11-29T18:25:00Z";
/// Turns that every pair plays.
const TURNS: [&str; 16] = [
    "e5", "a1", "d4", "i5", "c4", "a5", "f6", "e1", "c7", "d2", "g7", "b5", "h7", "b1", "g8", "i1",
];

/// 200 mails: accounts, challenges, their acceptance, and turns.
fn letters() -> Vec<Letter> {
    let names = |pair: usize| [format!("red{pair}"), format!("blue{pair}")];
    let mut letters = Vec::new();
    for pair in 0..PAIRS {
        for name in names(pair) {
            letters.push(Letter::from(&name).text(&format!("signup {name}")));
        }
    }
    for pair in 0..PAIRS {
        let [red, blue] = names(pair);
        letters.push(Letter::from(&red).text(&format!("challenge {blue} susan --first=me")));
    }
    for pair in 0..PAIRS {
        letters.push(Letter::from(&names(pair)[1]).text(&format!("accept {}", pair + 1)));
    }
    for (turn, text) in TURNS.iter().enumerate() {
        for pair in 0..PAIRS {
            let line = format!("#{} {text}\n\nThis was turn {turn}.", pair + 1);
            letters.push(Letter::from(&names(pair)[turn % 2]).text(&line));
        }
    }
    letters
}

fn prepare(place: &Path) {
    let settings = "address = \"play@example.org\"\ndata = \"data\"\n[identity]\ntrust = \"from\"\n\
                    [[source]]\ntype = \"maildir\"\npath = \"in\"\n[sink]\ntype = \"maildir\"\npath = \"out\"\n";
    std::fs::write(place.join("playpost.toml"), settings).unwrap();
    for directory in ["new", "cur", "tmp"] {
        std::fs::create_dir_all(place.join("in").join(directory)).unwrap();
    }
    for (index, letter) in letters().into_iter().enumerate() {
        let letter = letter.header("Message-ID", &format!("<{index}@crash.example>"));
        let name = format!("{:010}.M0P1.crash", 1_700_000_000 + index);
        std::fs::write(place.join("in/new").join(name), letter.bytes()).unwrap();
    }
}

fn playpost(place: &Path, now: &str, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_playpost"));
    command
        .current_dir(place)
        .args(["--config", "playpost.toml", "--now", now, "-q"])
        .args(arguments)
        .stdin(Stdio::null())
        .stderr(Stdio::null());
    command
}

fn run_to_the_end(place: &Path) {
    for now in [NOW, LATER] {
        assert!(playpost(place, now, &["run"]).status().unwrap().success());
    }
    let left = std::fs::read_dir(place.join("in/new")).unwrap().count();
    assert_eq!(left, 0, "mails are left in the source");
}

/// What is stored, as the command line shows it.
fn state(place: &Path) -> Vec<String> {
    let ask = |arguments: &[&str]| {
        let output = playpost(place, LATER, arguments).output().unwrap();
        assert!(output.status.success());
        String::from_utf8(output.stdout).unwrap()
    };
    let mut state = vec![ask(&["matches", "--json"]), ask(&["players", "--json"])];
    for pair in 1..=PAIRS {
        state.push(ask(&["show", &pair.to_string(), "--json"]));
    }
    state
}

/// The mails out, without what chance has put into them, each with how often it was written.
fn answers(place: &Path) -> BTreeMap<[String; 4], usize> {
    let mut seen = BTreeSet::new();
    let mut answers = BTreeMap::new();
    for entry in std::fs::read_dir(place.join("out/new")).unwrap() {
        let mail = Out {
            to: String::new(),
            return_path: String::new(),
            raw: std::fs::read(entry.unwrap().path()).unwrap(),
        };
        // Killed between sending and noting it, a mail goes out again as it was, and readers know it by its id.
        if seen.insert(mail.header("Message-ID")) {
            let fixed = [
                mail.header("Delivered-To"),
                mail.subject(),
                mail.header("Playpost-Match"),
                mail.text(),
            ];
            *answers.entry(fixed).or_insert(0) += 1;
        }
    }
    answers
}

#[test]
fn killed_at_random_instants_it_ends_where_an_undisturbed_run_does() {
    let calm = tempfile::tempdir().unwrap();
    prepare(calm.path());
    let begun = std::time::Instant::now();
    run_to_the_end(calm.path());
    let whole = begun.elapsed();
    assert!(answers(calm.path()).len() > 300, "the run has to be worth disturbing");

    let stormy = tempfile::tempdir().unwrap();
    prepare(stormy.path());
    for kill in 0..KILLS {
        let mut run = playpost(stormy.path(), NOW, &["run"]).spawn().unwrap();
        let mut chance = RandomState::new().build_hasher();
        chance.write_usize(kill);
        // Most of the kills fall into the work, since a run that was cut off leaves less to the next.
        let share = (chance.finish() % 1000) as u32;
        std::thread::sleep(Duration::from_millis(4) + whole * share / 1000 / 8);
        run.kill().unwrap();
        run.wait().unwrap();
    }
    run_to_the_end(stormy.path());
    assert_eq!(state(stormy.path()), state(calm.path()));
    assert_eq!(answers(stormy.path()), answers(calm.path()));
}
