//! Earlier positions, for the rule against repetition.
//!
//! A position is known by a Zobrist hash of 128 bits: with a million positions in one game the chance that any two
//! different ones share theirs is below 10⁻²⁶, so the hash stands for the position. The keys are fixed, not random:
//! the same game gives the same answers everywhere.

use super::points::{MOST_POINTS, Point};
use crate::games::Seat;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

static STONE_KEYS: [[u128; 2]; MOST_POINTS] = stone_keys();

/// Told apart from every stone key: the stream of [`splitmix`] that begins at another seed.
const WHITE_TO_MOVE: u128 = wide(0x1975_1981).0;

/// What a stone of that seat on that point adds to a position's hash.
#[inline]
pub(super) fn stone_key(seat: Seat, point: Point) -> u128 {
    STONE_KEYS[usize::from(point)][seat.index() & 1]
}

/// What the side to move adds.
pub(super) fn side_key(to_move: Seat) -> u128 {
    if to_move.0 == 0 { 0 } else { WHITE_TO_MOVE }
}

const fn stone_keys() -> [[u128; 2]; MOST_POINTS] {
    let mut keys = [[0; 2]; MOST_POINTS];
    let mut state = 0x504c_4159_504f_5354;
    let mut index = 0;
    while index < 2 * MOST_POINTS {
        let (key, next) = wide(state);
        keys[index / 2][index % 2] = key;
        state = next;
        index += 1;
    }
    keys
}

/// The next 128 bits of the stream, and the state after them.
const fn wide(state: u64) -> (u128, u64) {
    let (high, state) = splitmix(state);
    let (low, state) = splitmix(state);
    ((high as u128) << 64 | low as u128, state)
}

/// Sebastiano Vigna's SplitMix64: 64 well mixed bits and the next state.
const fn splitmix(state: u64) -> (u64, u64) {
    let state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = state;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    (z ^ (z >> 31), state)
}

/// The positions (stones and side to move, as hashes) that have been there, each with the turn after which it was
/// there first; 0 is the start.
#[derive(Clone, Debug, Default)]
pub struct History {
    seen: HashMap<u128, u32, BuildHasherDefault<Folded>>,
}

impl History {
    /// A history that begins with this position.
    pub fn beginning_with(situation: u128) -> Self {
        let mut history = History::default();
        history.add(situation, 0);
        history
    }

    /// The turn after which the position was there first.
    #[inline]
    pub fn turn_of(&self, situation: u128) -> Option<u32> {
        self.seen.get(&situation).copied()
    }

    /// Notes the position after a turn; whether it is new.
    pub fn add(&mut self, situation: u128, turn: u32) -> bool {
        let known = self.seen.len();
        self.seen.entry(situation).or_insert(turn);
        self.seen.len() > known
    }

    /// Takes back an [`add`](Self::add) that was new.
    pub fn forget(&mut self, situation: u128) {
        self.seen.remove(&situation);
    }
}

/// The hasher of keys that are hashes already.
#[derive(Default)]
struct Folded(u64);

impl Hasher for Folded {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(byte);
        }
    }

    fn write_u128(&mut self, key: u128) {
        self.0 = key as u64;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_keys_differ_in_both_halves() {
        let mut halves: Vec<u64> = STONE_KEYS
            .iter()
            .flatten()
            .chain([&WHITE_TO_MOVE])
            .flat_map(|&key| [(key >> 64) as u64, key as u64])
            .collect();
        let all = halves.len();
        halves.sort_unstable();
        halves.dedup();
        assert_eq!((halves.len(), all), (4 * MOST_POINTS + 2, 4 * MOST_POINTS + 2));
        assert!(halves.iter().all(|&half| half.count_ones() > 12));
    }

    #[test]
    fn a_position_keeps_the_turn_of_its_first_time() {
        let mut history = History::beginning_with(7);
        assert!(history.add(9, 3));
        assert!(!history.add(9, 5));
        assert_eq!(
            (history.turn_of(7), history.turn_of(9), history.turn_of(8)),
            (Some(0), Some(3), None)
        );
        history.forget(9);
        assert_eq!(history.turn_of(9), None);
    }
}
