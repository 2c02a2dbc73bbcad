//! A new house, and one whose database has vanished.

use crate::support::House;
use std::fs;

/// A house that `playpost init` has made, with these options.
fn made(options: &[&str]) -> House {
    let house = House::empty();
    let mut arguments = vec!["init", "."];
    arguments.extend(options);
    let said = house.run_without_configuration(&arguments).ok();
    assert!(said.contains("playpost.toml is written"), "{said}");
    house
}

#[test]
fn what_init_makes_works_at_once() {
    let house = made(&["--address", "play@example.org", "--out", "out"]);
    house.deliver("one", "alice@example.net", "help");
    assert_eq!(house.mails_to("alice@example.net").len(), 1);
    let doctor = house.run(&["doctor"]);
    assert_eq!(doctor.code, 0, "{doctor:?}");
}

#[test]
fn init_without_answers_writes_the_example_and_leaves_what_is_there() {
    let house = made(&[]);
    let written = fs::read_to_string(house.path("playpost.toml")).unwrap();
    assert!(written.contains("[limits]"));
    let again = house.run_without_configuration(&["init", "."]).ok();
    assert!(again.contains("stays as it is"), "{again}");
    assert_eq!(fs::read_to_string(house.path("playpost.toml")).unwrap(), written);
    let refused = House::empty().run_without_configuration(&["init", ".", "--imap", "imap.example.org"]);
    assert_eq!(refused.code, 2, "{refused:?}");
    assert!(refused.err.contains("--address is missing"), "{refused:?}");
}

/// A data directory whose disk is not mounted is there and empty, and some editors leave a file without content.
#[test]
fn a_database_that_has_vanished_is_not_made_anew() {
    let house = made(&["--address", "play@example.org", "--out", "out"]);
    let path = house.path("playpost.toml");
    let trusting = fs::read_to_string(&path).unwrap() + "\n[identity]\ntrust = \"from\"\n";
    fs::write(path, trusting).unwrap();
    house.deliver("one", "alice@example.net", "signup alice");
    house.run(&["admin", "backup", "copy.db"]).ok();
    fs::remove_dir_all(house.path("data")).unwrap();
    fs::create_dir(house.path("data")).unwrap();
    for empty in [false, true] {
        if empty {
            fs::write(house.path("data/playpost.db"), "").unwrap();
        }
        assert_eq!(house.deliver_status("two", "alice@example.net", "whoami"), 75);
        for command in [&["run"][..], &["players"], &["doctor"], &["admin", "mails", "list"]] {
            let ran = house.run(command);
            assert_eq!(ran.code, 1, "{ran:?}");
            assert!((ran.out + &ran.err).contains("there is no database at"), "{command:?}");
        }
    }
    assert!(
        !house.path("data/emergency").exists(),
        "the MTA waits better than we do"
    );
    house.run(&["admin", "restore", "copy.db"]).ok();
    house.deliver("two", "alice@example.net", "whoami");
    let players = house.run(&["players", "--json"]).json();
    assert_eq!(players.as_array().unwrap().len(), 1);
}
