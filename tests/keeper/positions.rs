//! All matches in which a position stood.

use crate::simulated::{fill, play};
use crate::support::House;
use playpost::archive::Canonical;
use serde_json::Value;
use std::collections::BTreeMap;

const MATCHES: u32 = 60;

fn record(number: u32, options: &str, turns: &[&str]) -> String {
    let last = if turns.len().is_multiple_of(2) { "X" } else { "O" };
    let winner = if last == "X" { "O" } else { "X" };
    format!(
        "[Game \"susan\"]\n[Options \"{options}\"]\n[Match \"{number}\"]\n[Rules \"1\"]\n[X \"alice\"]\n[O \"bob\"]\n\
         [Start \"2026-11-29T18:00:00Z\"]\n[End \"2026-11-29T19:00:00Z\"]\n[Time \"7d\"]\n[Rated \"no\"]\n\
         [Result \"{winner}\"]\n[Reason \"resigned\"]\n\n{}\n{last}: resign\n",
        turns.join("\n")
    )
}

fn house(records: &[String]) -> House {
    let house = House::new();
    std::fs::create_dir(house.path("records")).unwrap();
    for (index, record) in records.iter().enumerate() {
        std::fs::write(house.path(&format!("records/{index}.txt")), record).unwrap();
    }
    house.run(&["archive", "import", "records"]).ok();
    house
}

/// By match, the turns after which the position stood.
fn found(house: &House, arguments: &[&str]) -> BTreeMap<u64, Value> {
    let list = house.run(&[&["archive", "list", "--json"], arguments].concat()).json();
    let list = list.as_array().unwrap();
    list.iter()
        .map(|row| (row["match"].as_u64().unwrap(), row["after"].clone()))
        .collect()
}

#[test]
fn a_position_is_found_turned_and_mirrored_and_by_other_ways() {
    let house = house(&[
        record(1, "side=5", &["e5", "c4", "d4"]),
        // The same reached by another order of turns.
        record(2, "side=5", &["d4", "c4", "e5"]),
        // Turned by half: (x, y) becomes (10 - x, 10 - y).
        record(3, "side=5", &["e5", "g6", "f6"]),
        // Mirrored: x and y change places.
        record(4, "side=5", &["e5", "d3", "d4"]),
        // Another board, other stones, another seat to move.
        record(5, "side=6", &["e5", "c4", "d4"]),
        record(6, "side=5", &["e5", "c4", "i9"]),
        record(7, "side=5", &["e5", "c4", "d4", "a1"]),
    ]);
    let stood: BTreeMap<u64, Value> = [1, 2, 3, 4, 7].map(|number| (number, serde_json::json!([3]))).into();
    let all = found(&house, &["--like", "1#3"]);
    assert_eq!(all, stood);
    let text = "5/6/7/8/4X4/2OX4/7/6/5 O 0";
    assert_eq!(found(&house, &["--game", "susan", "--position", text]), stood);
    let mirrored = "5/6/7/8/4X4/3X4/3O3/6/5 O 0";
    assert_eq!(found(&house, &["--game", "susan", "--position", mirrored]), stood);
    assert_eq!(found(&house, &["--like", "1#3", "--player", "nobody"]).len(), 0);
    let larger = [
        "--game",
        "susan",
        "--options",
        "-side=6",
        "--position",
        "6/7/8/9/10/11/4X5/2OX5/8/7/6 O 0",
    ];
    assert_eq!(found(&house, &larger).into_keys().collect::<Vec<_>>(), [5]);
    let line = house.run(&["archive", "list", "--like", "5#2"]).ok();
    assert!(line.trim_end().ends_with("alice - bob  after turn 2"), "{line}");
}

#[test]
fn what_is_no_position_is_refused() {
    let house = house(&[record(1, "side=5", &["e5", "c4", "d4"])]);
    let code = |arguments: &[&str]| house.run(&[&["archive", "list"], arguments].concat()).code;
    assert_eq!(code(&["--position", "5/6/7/8/9/8/7/6/5 X 0"]), 2, "no game");
    assert_eq!(code(&["--game", "susan", "--position", "nonsense"]), 2);
    assert_eq!(code(&["--like", "1"]), 2);
    assert_eq!(code(&["--like", "9#1"]), 1);
    assert_eq!(code(&["--like", "1#99"]), 1);
}

#[test]
fn every_position_of_every_game_is_found_where_it_stood() {
    let house = House::new();
    fill(&house.path("data"), MATCHES);
    // What stood where, without the keys and the tables of the store.
    let mut all: Vec<(u64, u32, Canonical)> = Vec::new();
    for number in 1..=MATCHES {
        let game = play(number).game;
        for turn in 0..=game.turn() {
            let position = Canonical::of(game.table_at(turn).unwrap().as_ref());
            all.extend(position.map(|position| (u64::from(number), turn, position)));
        }
    }
    for number in (1..=u64::from(MATCHES)).step_by(7) {
        let own: Vec<_> = all.iter().filter(|(here, ..)| *here == number).collect();
        let (_, turn, position) = own[own.len() / 2];
        let mut stood: BTreeMap<u64, Vec<u32>> = BTreeMap::new();
        for (there, turn, _) in all.iter().filter(|(.., other)| other == position) {
            stood.entry(*there).or_default().push(*turn);
        }
        let stood: BTreeMap<u64, Value> = stood
            .into_iter()
            .map(|(number, turns)| (number, turns.into()))
            .collect();
        assert_eq!(found(&house, &["--like", &format!("{number}#{turn}")]), stood);
    }
}

#[test]
fn what_was_archived_before_positions_were_kept_is_made_up_for() {
    let house = house(&[
        record(1, "side=5", &["e5", "c4", "d4"]),
        record(2, "side=5", &["d4", "c4", "e5"]),
    ]);
    let forget = || {
        let database = rusqlite::Connection::open(house.path("data/playpost.db")).unwrap();
        database
            .execute_batch("DELETE FROM position; UPDATE archived SET positions = 0")
            .unwrap();
    };
    forget();
    assert_eq!(found(&house, &["--like", "1#3"]).len(), 2);
    forget();
    assert_eq!(house.run(&["admin", "match", "replay"]).ok(), "0 differences\n");
    assert_eq!(
        house.run(&["admin", "rebuild"]).ok(),
        "match 2: positions are missing\nmatch 1: positions are missing\n2 differences\n"
    );
    assert_eq!(house.run(&["admin", "match", "replay"]).ok(), "0 differences\n");
    assert_eq!(found(&house, &["--like", "1#3"]).len(), 2);
}
