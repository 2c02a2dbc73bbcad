//! The daemon and the runs of cron, as the real program.

use std::fs;

use playpost::store::StoreError;

use crate::house::{House, Serving, header, letter, lmtp};
use crate::parts::wait_until;

fn lmtp_source(house: &House, name: &str) -> String {
    format!("[[source]]\ntype = 'lmtp'\nlisten = '{}'\n", house.path(name).display())
}

#[test]
fn the_daemon_answers_what_comes_by_each_source_and_ends_when_it_is_asked() {
    let house = House::new();
    house.configure("playpost.toml", "", &lmtp_source(&house, "lmtp"));
    let serving = Serving::start(&house, "playpost.toml");
    house.drop_in("1", &letter("alice", "one", "signup alice", ""));
    wait_until("the answer to the mail in the Maildir", || {
        house.mails_to("alice@example.net").len() == 1
    });
    let reply = lmtp(&house.path("lmtp"), &letter("bob", "two", "signup bob", "")).unwrap();
    assert!(reply.starts_with("250 "), "{reply}");
    wait_until("the answer to the mail by LMTP", || {
        house.mails_to("bob@example.net").len() == 1
    });
    assert_eq!(serving.end().code(), Some(0));
    assert_eq!(fs::read_dir(house.path("in/new")).unwrap().count(), 0);
    assert_eq!(fs::read_dir(house.path("in/cur")).unwrap().count(), 1);
    assert!(!house.path("lmtp").exists() || lmtp(&house.path("lmtp"), "").is_err());
}

#[test]
fn what_deliver_leaves_in_the_outbox_the_daemon_sends() {
    let house = House::new();
    let serving = Serving::start(&house, "playpost.toml");
    assert_eq!(house.deliver(&letter("alice", "one", "signup alice", "")), Some(0));
    wait_until("the answer", || house.mails_to("alice@example.net").len() == 1);
    assert_eq!(serving.end().code(), Some(0));
}

#[test]
fn a_run_of_cron_takes_in_and_answers_and_a_second_one_does_nothing_more() {
    let house = House::new();
    house.drop_in("1", &letter("alice", "one", "signup alice", ""));
    house.run();
    assert_eq!(house.mails_out().len(), 1);
    house.drop_in("2", &letter("alice", "one", "signup alice", ""));
    house.run();
    assert_eq!(house.mails_out().len(), 1, "the same mail again");
    assert_eq!(house.count("SELECT count(*) FROM inbox"), 1);
}

/// A database that is a directory can neither be opened nor written, whoever we are.
#[test]
fn mails_that_come_while_the_database_is_unusable_are_taken_in_later() {
    let house = House::new();
    fs::create_dir_all(house.path("data/playpost.db")).unwrap();
    assert_eq!(house.deliver(&letter("alice", "one", "signup alice", "")), Some(0));
    assert_eq!(fs::read_dir(house.path("data/emergency/new")).unwrap().count(), 1);
    let run = house.command().arg("run").output().unwrap();
    assert_eq!(run.status.code(), Some(1));
    fs::remove_dir(house.path("data/playpost.db")).unwrap();
    house.run();
    assert_eq!(house.mails_to("alice@example.net").len(), 1);
    assert_eq!(fs::read_dir(house.path("data/emergency/new")).unwrap().count(), 0);
}

#[test]
fn a_locked_database_is_no_emergency_and_the_mail_stays_with_its_source() {
    let house = House::new().with_players();
    house.drop_in("1", &letter("alice", "one", "whoami", ""));
    let mut store = house.store();
    let locked = store.write(|_| {
        assert_eq!(house.deliver(&letter("alice", "two", "whoami", "")), Some(75));
        let run = house.command().arg("run").output().unwrap();
        assert_eq!(run.status.code(), Some(1));
        Ok::<(), StoreError>(())
    });
    locked.unwrap();
    drop(store);
    assert!(!house.path("data/emergency").exists());
    assert!(house.mails_out().is_empty());
    house.run();
    assert_eq!(house.mails_out().len(), 1);
}

/// An outbox that takes no mail to bob stands for everything that makes handling fail, halfway through.
#[test]
fn a_mail_that_fails_three_times_is_set_aside_and_the_others_of_its_batch_go_on() {
    let house = House::new().with_players();
    let broken = "CREATE TRIGGER broken BEFORE INSERT ON outbox WHEN NEW.recipient = 'bob@example.net'
                  BEGIN SELECT raise(ABORT, 'broken'); END";
    let breaking = house
        .store()
        .write(|tx| tx.execute_batch(broken).map_err(StoreError::from));
    breaking.unwrap();
    let mails = [
        letter("alice", "one", "whoami", ""),
        letter("bob", "two", "set autoaccept off", ""),
        letter("alice", "three", "games", ""),
    ];
    for (name, mail) in mails.iter().enumerate() {
        house.drop_in(&name.to_string(), mail);
    }
    for _ in 0..2 {
        house.run();
        assert_eq!(fs::read_dir(house.path("in/new")).unwrap().count(), 0);
    }
    assert_eq!(house.count("SELECT attempts FROM inbox WHERE fate = 'set-aside'"), 3);
    assert_eq!(house.count("SELECT count(*) FROM inbox WHERE fate = 'done'"), 4);
    assert_eq!(house.mails_out().len(), 2, "one answer a mail that could be handled");
    let unchanged = "SELECT count(*) FROM player WHERE userid = 'bob' AND settings LIKE '%auto%true%'";
    assert_eq!(house.count(unchanged), 1, "what failed has had no effect");
}

#[test]
fn a_clock_that_is_set_back_an_hour_does_no_harm() {
    let house = House::new().with_players();
    house.drop_in("1", &letter("alice", "one", "challenge bob susan --first=me", ""));
    house.run_at("2027-03-01T12:00:00Z");
    house.forget_mails();
    house.drop_in("2", &letter("alice", "two", "#1 move a1", ""));
    house.run_at("2027-03-01T11:00:00Z");
    house.drop_in("3", &letter("bob", "three", "#1 move a2", ""));
    house.run_at("2027-03-01T11:30:00Z");
    house.run_at("2027-03-01T12:30:00Z");
    let shown = house.command().args(["show", "1", "--json"]).output().unwrap();
    let shown: serde_json::Value = serde_json::from_slice(&shown.stdout).unwrap();
    assert_eq!(shown["turns"], serde_json::json!(["a1", "a2"]));
    assert_eq!(shown["status"], "running");
    for player in ["alice@example.net", "bob@example.net"] {
        let mails = house.mails_to(player);
        let ids: std::collections::BTreeSet<String> = mails.iter().map(|mail| header(mail, "Message-ID")).collect();
        assert_eq!(
            (mails.len(), ids.len()),
            (2, 2),
            "{player}: the answer to his move, and the other's move"
        );
    }
}
