//! The perft tables of the rules pages: `tests/data/perft.jsonl`, one position a line. `nodes` holds the counts of depth
//! 1, 2, …; `ends` for some depths how many sequences end the game exactly there, by the winning seat or `draw`.
//!
//! Rows up to a limit are counted; `PLAYPOST_PERFT_NODES=100000000` counts them all (best with `--release`).

use crate::support::{data, from_environment, game, json_lines, options, table};
use playpost::games::Table;
use serde_json::Value;
use std::collections::BTreeMap;

const DEFAULT_LIMIT: u64 = 400_000;

fn limit() -> u64 {
    from_environment("PLAYPOST_PERFT_NODES", DEFAULT_LIMIT)
}

fn rows() -> Vec<(String, Box<dyn Table>, Value)> {
    let start = |row: Value| {
        let game = game(row["game"].as_str().unwrap());
        let table = table(game, &options(&row["options"]), row["setup"].as_str());
        (
            format!("{} {} {}", game.info.name, row["options"], row["setup"]),
            table,
            row,
        )
    };
    json_lines(&data("perft.jsonl")).into_iter().map(start).collect()
}

/// Counts by copies and texts, with no help from the games' fast loops.
fn count_slowly(table: &dyn Table, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    after_each_turn(table)
        .iter()
        .map(|next| count_slowly(&**next, depth - 1))
        .sum()
}

fn after_each_turn(table: &dyn Table) -> Vec<Box<dyn Table>> {
    let played = |turn: &String| {
        let mut next = table.boxed_clone();
        next.play(None, turn).unwrap();
        next
    };
    table.legal().unwrap_or_default().iter().map(played).collect()
}

/// How many sequences end the game exactly after `depth` more turns, by winner.
fn count_ends(table: &dyn Table, depth: u32, ends: &mut BTreeMap<String, u64>) {
    if let (0, Some(outcome)) = (depth, table.outcome()) {
        let winner = outcome.winner.map_or("draw".to_string(), |seat| table.seat_name(seat));
        *ends.entry(winner).or_default() += 1;
    }
    if depth > 0 {
        after_each_turn(table)
            .iter()
            .for_each(|next| count_ends(&**next, depth - 1, ends));
    }
}

#[test]
fn the_tables_are_counted_right() {
    let mut counted = 0;
    for (place, table, row) in rows() {
        for (depth, nodes) in (1..).zip(row["nodes"].as_array().unwrap()) {
            let nodes = nodes.as_u64().unwrap();
            if nodes <= limit() {
                assert_eq!(table.perft(depth), Some(nodes), "{place}, depth {depth}");
                counted += 1;
            }
        }
    }
    assert!(counted > 0);
}

#[test]
fn counting_by_copies_and_dividing_give_the_same() {
    let slow_limit = limit() / 20;
    for (place, table, row) in rows() {
        for (depth, nodes) in (1..).zip(row["nodes"].as_array().unwrap()) {
            let nodes = nodes.as_u64().unwrap();
            if nodes <= slow_limit {
                assert_eq!(count_slowly(&*table, depth), nodes, "{place}, depth {depth}");
                let parts = table.divide(depth).unwrap();
                assert_eq!(
                    parts.iter().map(|(_, nodes)| nodes).sum::<u64>(),
                    nodes,
                    "{place}, depth {depth}"
                );
                let turns: Vec<String> = parts.into_iter().map(|(turn, _)| turn).collect();
                assert_eq!(Some(turns), table.legal(), "{place}");
            }
        }
    }
}

#[test]
fn as_many_games_end_at_a_turn_as_the_tables_say() {
    let slow_limit = limit() / 4;
    let mut counted = 0;
    for (place, table, row) in rows() {
        let Some(by_depth) = row["ends"].as_object() else {
            continue;
        };
        for (depth, expected) in by_depth {
            let depth: usize = depth.parse().unwrap();
            if row["nodes"][depth - 1].as_u64().unwrap() <= slow_limit {
                let mut ends = BTreeMap::new();
                count_ends(&*table, depth as u32, &mut ends);
                assert_eq!(&serde_json::to_value(ends).unwrap(), expected, "{place}, depth {depth}");
                counted += 1;
            }
        }
    }
    assert!(counted > 0);
}
