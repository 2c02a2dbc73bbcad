//! Tests of whole matches, most of them of Susan.

mod clocks;
mod conditions;
mod laws;
mod offers;
mod play;
mod records;

use super::*;
use crate::games::Seat;
use crate::language::MatchOptions;
use crate::span::Span;

/// 2026-11-29T18:00:00Z, a Sunday.
pub const START: i64 = 1_795_975_200;
pub const HOUR: i64 = 3_600;
pub const DAY: i64 = 24 * HOUR;

pub const X: Seat = Seat(0);
pub const O: Seat = Seat(1);
pub const Y: Seat = Seat(2);

pub fn options(pairs: &[(&str, &str)]) -> Vec<(String, Option<String>)> {
    pairs
        .iter()
        .map(|&(name, value)| {
            (
                name.to_string(),
                Some(value.to_string()).filter(|value| !value.is_empty()),
            )
        })
        .collect()
}

pub fn terms(game: &str, game_options: &[(&str, &str)], match_options: &[(&str, &str)]) -> Terms {
    let typed = MatchOptions {
        game: options(game_options),
        terms: options(match_options),
    };
    Terms::parse(game, &typed, None).unwrap()
}

pub fn begin(terms: Terms) -> Match {
    let names = ["alice", "bob", "carol", "dave"];
    let head = Head {
        number: 12,
        players: names[..terms.seats].iter().map(|name| name.to_string()).collect(),
        terms,
        started: START,
        rules_version: 1,
    };
    Match::begin(head).unwrap()
}

/// A match of Susan with match options.
pub fn susan(match_options: &[(&str, &str)]) -> Match {
    begin(terms("susan", &[], match_options))
}

/// A match with its events, so that what was done can be compared with what is replayed.
pub struct Story {
    pub game: Match,
    pub entries: Vec<Entry>,
}

impl Story {
    pub fn new(game: Match) -> Self {
        Story {
            game,
            entries: Vec::new(),
        }
    }

    pub fn act(&mut self, at: i64, by: Actor, action: Action) -> Result<Vec<Happening>, Refused> {
        let ticked = self.game.tick(START + at);
        self.entries.extend(ticked.entries);
        let done = self.game.act(START + at, by, action)?;
        self.entries.extend(done.entries);
        self.is_replayed();
        Ok(done.happened)
    }

    pub fn by(&mut self, at: i64, seat: Seat, action: Action) -> Result<Vec<Happening>, Refused> {
        self.act(at, Actor::Seat(seat), action)
    }

    pub fn turn(&mut self, at: i64, seat: Seat, text: &str) -> Result<Vec<Happening>, Refused> {
        let text = text.to_string();
        self.by(at, seat, Action::Turn { text, number: None })
    }

    pub fn condition(&mut self, at: i64, seat: Seat, pairs: &[(&str, &str)]) -> Result<Vec<Happening>, Refused> {
        let chain = pairs.iter().map(|(a, b)| (a.to_string(), b.to_string())).collect();
        self.by(at, seat, Action::Condition { chain })
    }

    /// Plays turns of the seats to move, a minute apart from `at` on.
    pub fn play(&mut self, at: i64, turns: &str) {
        for (index, text) in turns.split_whitespace().enumerate() {
            let seat = self.game.to_move().unwrap();
            self.turn(at + 60 * index as i64, seat, text).unwrap();
        }
    }

    pub fn tick(&mut self, at: i64) -> Vec<Happening> {
        let done = self.game.tick(START + at);
        self.entries.extend(done.entries);
        self.is_replayed();
        done.happened
    }

    pub fn left(&self, seat: Seat, at: i64) -> i64 {
        self.game.time_left(seat, START + at).unwrap()
    }

    pub fn deadline(&self) -> Option<i64> {
        self.game.deadline().map(|deadline| deadline - START)
    }

    /// The events, written and read again, give the same match.
    pub fn is_replayed(&self) {
        let stored = serde_json::to_string(&self.entries).unwrap();
        let read: Vec<Entry> = serde_json::from_str(&stored).unwrap();
        let again = Match::replay(self.game.head().clone(), &read).unwrap();
        assert_same(&again, &self.game);
        is_recorded(&self.game, &self.entries);
    }
}

/// The record that is made of a finished match's events alone is that of the match.
pub fn is_recorded(game: &Match, entries: &[Entry]) {
    let Some(ended) = game.ended() else { return };
    let events: Vec<String> = entries
        .iter()
        .map(|entry| serde_json::to_string(entry).unwrap())
        .collect();
    for talk in [true, false] {
        let full = Record::of(game, Some("play@example.org"), talk);
        let result = full.result_text();
        let ending = Ending {
            at: ended.at,
            result: &result,
            reason: ended.reason,
        };
        let told = events.iter().map(String::as_str);
        match Record::of_events(game.head().clone(), told, ending, Some("play@example.org"), talk).unwrap() {
            Some(record) => assert_eq!(record, full),
            None => assert!(game.seats().count() > 2),
        }
    }
}

/// Whether two matches are the same in everything that can be asked of them.
pub fn assert_same(one: &Match, other: &Match) {
    assert_eq!(one.json(), other.json());
    assert_eq!(one.turns(), other.turns());
    assert_eq!(one.clocks, other.clocks);
    assert_eq!(one.pending, other.pending);
    assert_eq!(one.conditions, other.conditions);
    assert_eq!((&one.notes, &one.talk), (&other.notes, &other.talk));
    assert_eq!(one.ended, other.ended);
    assert_eq!((one.just_undone, one.last_at), (other.just_undone, other.last_at));
}
