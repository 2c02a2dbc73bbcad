//! Laws that hold in every position, checked in random games: the fast move generator, the judge and the slow
//! generator agree on every turn, and nobody and nothing is lost.

use super::men::{Kind, Man, Side};
use super::position::{Position, Turn};
use super::squares::Square;
use super::{setup, slow, text};
use std::collections::BTreeSet;

/// Random games, and their longest length in plies.
const GAMES: u64 = 6;
const PLIES: usize = 150;

/// Of the positions of these games, every so many are judged in full: that is 30,000 turns each.
const STRIDE: usize = 15;

/// Positions that bring about what random play from the start seldom does.
const SHARP: [&str; 4] = [
    "r4k4r/11/2M8/11/11/11/11/11/11/7m3/R4K4R w AKak -",
    "11/9k1/5n5/4+P6/11/7m3/3M7/6+p4/4A6/1K9/11 w - P+n",
    "3q6k/4+P1l4/7+P3/11/5+M5/11/2+m8/11/3+p2+p4/5Q5/K10 w - 2P+Rsn",
    "k3r6/2P8/11/1+N1m7/4+P6/3rr6/11/4+B6/4R6/2+q1M6/4K6 w - L+S",
];

/// Random numbers below a bound (xorshift); the same in every run.
fn dice(seed: u64) -> impl FnMut(usize) -> usize {
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    move |bound| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 11) as usize % bound
    }
}

/// Plays random games from the start and from the sharp positions, and shows each position before it is left.
fn in_random_games(games: u64, mut look: impl FnMut(&Position, &[Turn])) {
    let starts = [setup::DEFAULT, setup::SHIFTED].into_iter().chain(SHARP);
    for (text, seed) in starts.flat_map(|text| (1..=games).map(move |seed| (text, seed))) {
        let mut random = dice(seed);
        let mut position = Position::read(text).unwrap();
        for _ in 0..PLIES {
            let turns = position.turns();
            look(&position, &turns);
            if turns.is_empty() {
                break;
            }
            position.apply(turns[random(turns.len())]);
        }
    }
}

fn texts(position: &Position, turns: &[Turn]) -> BTreeSet<String> {
    turns.iter().map(|turn| text::write(position, *turn)).collect()
}

#[test]
fn the_fast_and_the_slow_generator_list_the_same_turns() {
    in_random_games(GAMES, |position, turns| {
        let written = position.write();
        assert_eq!(texts(position, turns), slow::turns(&written), "{written}");
    });
}

/// Every turn that can be written in the notation, legal or not, that is no mere change of another.
fn all_turns(position: &Position) -> Vec<Turn> {
    let mut turns = Vec::new();
    let changes = [None].into_iter().chain(Kind::ALL.map(Some));
    for to in Square::all() {
        turns.push(Turn::Castle { to });
        for kind in Kind::ALL {
            turns.extend([false, true].map(|morph| Turn::Drop {
                man: Man { kind, morph },
                to,
            }));
        }
        for from in position.of(position.to_move) {
            for change in changes.clone() {
                if change.is_none() || position.kind_at(from) != change {
                    turns.push(Turn::Move { from, to, change });
                }
            }
        }
    }
    turns
}

#[test]
fn the_judge_allows_the_listed_turns_and_no_others() {
    let mut looks = (0..STRIDE).cycle();
    in_random_games(1, |position, turns| {
        if looks.next() != Some(0) {
            return;
        }
        let listed: BTreeSet<Turn> = turns.iter().copied().collect();
        let allowed = all_turns(position).into_iter();
        let allowed: BTreeSet<Turn> = allowed.filter(|turn| position.judge(*turn).is_ok()).collect();
        assert_eq!(allowed, listed, "{}", position.write());
    });
}

#[test]
fn a_turn_reads_back_as_it_was_written_and_no_two_are_written_alike() {
    in_random_games(GAMES, |position, turns| {
        assert_eq!(texts(position, turns).len(), turns.len(), "{}", position.write());
        for turn in turns {
            let written = text::write(position, *turn);
            assert_eq!(text::read(&written).map(|reading| reading.turn), Ok(*turn), "{written}");
        }
    });
}

#[test]
fn turns_are_listed_in_order_counted_and_found_by_number() {
    in_random_games(GAMES, |position, turns| {
        assert!(turns.is_sorted());
        assert_eq!(position.count_turns(), turns.len() as u64);
        let mut found: Vec<Turn> = (0..turns.len())
            .filter_map(|number| position.nth_turn(number))
            .collect();
        found.sort_unstable();
        assert_eq!(found, turns);
        assert_eq!(position.nth_turn(turns.len()), None);
    });
}

#[test]
fn a_position_text_reads_back() {
    in_random_games(GAMES, |position, _| {
        assert_eq!(Position::read(&position.write()).as_ref(), Ok(position));
    });
}

fn men(position: &Position) -> u32 {
    let in_hand = |side| {
        position
            .hand(side)
            .men()
            .map(|(_, count)| u32::from(count))
            .sum::<u32>()
    };
    position.occupied().len() + in_hand(Side::White) + in_hand(Side::Black)
}

#[test]
fn men_are_conserved_and_no_turn_leaves_the_own_king_attacked() {
    in_random_games(GAMES, |position, turns| {
        for turn in turns {
            let mut next = position.clone();
            next.apply(*turn);
            assert_eq!(men(&next), men(position));
            assert!(!next.in_check(position.to_move));
            for side in Side::BOTH {
                assert_eq!((next.kind(Kind::King) & next.of(side)).len(), 1);
                for kind in [Kind::King, Kind::Medusa] {
                    let in_hand = [false, true].map(|morph| next.hand(side).count(Man { kind, morph }));
                    assert_eq!(in_hand, [0, 0]);
                }
            }
        }
    });
}

/// A turn on the board turned by half.
fn turned(turn: Turn) -> Turn {
    match turn {
        Turn::Move { from, to, change } => Turn::Move {
            from: from.turned(),
            to: to.turned(),
            change,
        },
        // The Kings' files are in the middle, so that castling is turned like any move.
        Turn::Castle { to } => Turn::Castle { to: to.turned() },
        Turn::Drop { man, to } => Turn::Drop { man, to: to.turned() },
    }
}

#[test]
fn a_turned_position_has_the_turned_turns() {
    in_random_games(GAMES, |position, turns| {
        let mut expected: Vec<Turn> = turns.iter().copied().map(turned).collect();
        expected.sort_unstable();
        assert_eq!(position.turned().turns(), expected, "{}", position.write());
    });
}
