//! Several processes on one database at once, undisturbed and killed: every mail accounted for once, every turn played once, every
//! answer out with one Message-ID.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use crate::house::{House, Serving, header, letter, lmtp};
use crate::parts::wait_or_explain;

/// Matches, in each of which one mail plays the first turn.
const MATCHES: usize = 200;
/// Of so many mails the first comes by the pipe as well as by its source: the same mail twice.
const TWICE: usize = 10;

/// A house with so many matches in which alice is to move, and two configurations that differ in their LMTP listener.
fn house_with_matches() -> House {
    let house = House::new().with_players();
    let challenges = "challenge bob susan --first=me\n".repeat(20);
    for number in 0..MATCHES / 20 {
        let id = format!("challenge-{number}");
        house.drop_in(&id, &letter("alice", &id, "several", &challenges));
    }
    house.run();
    assert_eq!(house.count("SELECT count(*) FROM match"), MATCHES as i64);
    house.forget_mails();
    for name in ["one", "two"] {
        let source = format!("[[source]]\ntype = 'lmtp'\nlisten = '{}'\n", house.path(name).display());
        house.configure(&format!("{name}.toml"), "", &source);
    }
    house
}

fn move_mail(number: usize) -> String {
    letter("alice", &format!("move-{number}"), &format!("#{number} move a1"), "")
}

/// Hands every mail in: by turns through the Maildir, either LMTP listener and the pipe, and again whatever was not taken.
fn hand_in(house: &House, disturb: impl Fn(usize) + Sync) {
    let (next, waiting) = (AtomicUsize::new(1), Mutex::new(()));
    let work = || loop {
        let number = next.fetch_add(1, Ordering::Relaxed);
        if number > MATCHES {
            break;
        }
        let mail = move_mail(number);
        {
            let _one_at_a_time = waiting.lock();
            disturb(number);
        }
        match number % 4 {
            0 | 1 => house.drop_in(&format!("move-{number:03}"), &mail),
            2 => {
                let socket = house.path(if number % 8 == 2 { "one" } else { "two" });
                let taken = || lmtp(&socket, &mail).is_ok_and(|reply| reply.starts_with("250"));
                wait_or_explain(taken, || format!("mail {number} is taken over by LMTP"));
            }
            _ => wait_or_explain(|| house.deliver(&mail) == Some(0), || format!("mail {number} is piped")),
        }
        if number % TWICE == 0 {
            wait_or_explain(
                || house.deliver(&mail) == Some(0),
                || format!("mail {number} is piped again"),
            );
        }
    };
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(work);
        }
    });
}

fn wait_until_all_is_in(house: &House) {
    let waiting = || std::fs::read_dir(house.path("in/new")).unwrap().count();
    wait_or_explain(|| waiting() == 0, || format!("{} mails wait in the Maildir", waiting()));
}

/// What must be true in the end; `sends_once` where no process was killed while it sent.
fn check(house: &House, sends_once: bool) {
    assert_eq!(house.count("SELECT count(*) FROM outbox"), 0);
    let mails = (2 + MATCHES / 20 + MATCHES) as i64;
    assert_eq!(house.count("SELECT count(*) FROM inbox"), mails, "every mail once");
    assert_eq!(house.count("SELECT count(*) FROM inbox WHERE fate = 'done'"), mails);
    assert_eq!(house.count("SELECT count(*) FROM match WHERE turn = 1"), MATCHES as i64);
    for player in ["alice@example.net", "bob@example.net"] {
        let mails = house.mails_to(player);
        let mut ids_by_match: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for mail in &mails {
            let about = header(mail, "Playpost-Match");
            let number = about.split_whitespace().next().unwrap_or_default().to_string();
            ids_by_match
                .entry(number)
                .or_default()
                .insert(header(mail, "Message-ID"));
        }
        assert_eq!(ids_by_match.len(), MATCHES, "{player} hears of every match");
        assert!(
            ids_by_match.values().all(|ids| ids.len() == 1),
            "{player}: one mail a turn"
        );
        if sends_once {
            assert_eq!(mails.len(), MATCHES, "{player} gets each mail once");
        }
    }
}

#[test]
fn two_daemons_and_the_pipe_on_one_database() {
    let house = house_with_matches();
    let daemons = ["one.toml", "two.toml"].map(|name| Serving::start(&house, name));
    hand_in(&house, |_| {});
    wait_until_all_is_in(&house);
    let out = || house.mails_out().len();
    wait_or_explain(|| out() == 2 * MATCHES, || format!("{} mails are out", out()));
    for daemon in daemons {
        assert_eq!(daemon.end().code(), Some(0));
    }
    check(&house, true);
}

#[test]
fn daemons_that_are_killed_again_and_again() {
    let house = house_with_matches();
    let daemons = ["one.toml", "two.toml"].map(|name| Mutex::new(Some(Serving::start(&house, name))));
    hand_in(&house, |number| {
        if number % 25 == 0 {
            let which = (number / 25) % 2;
            let mut daemon = daemons[which].lock().unwrap();
            if let Some(daemon) = daemon.take() {
                daemon.kill();
            }
            *daemon = Some(Serving::start(&house, ["one.toml", "two.toml"][which]));
        }
    });
    wait_until_all_is_in(&house);
    for daemon in daemons {
        let daemon = daemon.into_inner().unwrap();
        assert_eq!(daemon.unwrap().end().code(), Some(0));
    }
    // A mail that a killed process had in hand is tried again after a pause.
    let later = chrono::Utc::now() + chrono::TimeDelta::minutes(10);
    house.run_at(&later.to_rfc3339());
    check(&house, false);
}
