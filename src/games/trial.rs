//! What the tests of the three games of stones share: positions in words, and a die.

use super::board::{Board, seat_of};
use super::counting::SEATS;
use super::groups::Stones;
use super::{Game, Played, RawOptions, Reason, Refusal, Seat, Seated, Table};

/// The rows of a position text from words: `B c1 c2, W b1`.
pub fn rows<const N: usize>(board: &Board<N>, words: &str) -> String {
    let mut stones = Stones::NONE;
    for list in words.split(',').filter(|list| !list.trim().is_empty()) {
        let (seat, cells) = list.trim().split_once(' ').unwrap();
        let seat = seat_of(seat.parse().unwrap(), SEATS).unwrap();
        for cell in cells.split_whitespace() {
            stones.put(seat, board.named(cell).unwrap());
        }
    }
    board.write_stones(&stones, SEATS)
}

/// Options from words: `side=3 nocount`.
fn options(words: &str) -> Vec<(String, Option<String>)> {
    let option = |word: &str| match word.split_once('=') {
        None => (word.to_string(), None),
        Some((name, value)) => (name.to_string(), Some(value.to_string())),
    };
    words.split_whitespace().map(option).collect()
}

/// A game with these options.
pub fn game<G: Game>(words: &str) -> G {
    G::start(&options(words)).unwrap()
}

/// Why a game does not take these options.
pub fn wrong_option<G: Game>(words: &str) -> String {
    let options: &RawOptions = &options(words);
    G::start(options)
        .err()
        .map(|error| error.to_string())
        .unwrap_or_default()
}

/// A table on which the game begins with this position text.
pub fn table<G: Game>(words: &str, setup: &str) -> Seated<G> {
    Seated::new(game::<G>(words).with_setup(setup).unwrap())
}

/// A table after turns from the start, separated by blanks.
pub fn after_turns<G: Game>(words: &str, turns: &str) -> Seated<G> {
    let mut table = Seated::new(game::<G>(words));
    play_all(&mut table, turns);
    table
}

/// Plays turns, separated by semicolons or, where there are none, by blanks.
pub fn play_all(table: &mut dyn Table, turns: &str) {
    let turns: Vec<&str> = match turns.contains(';') {
        true => turns.split(';').collect(),
        false => turns.split_whitespace().collect(),
    };
    for turn in turns {
        play(table, turn);
    }
}

/// Plays a turn that must be legal.
pub fn play(table: &mut dyn Table, turn: &str) -> Played {
    table
        .play(None, turn)
        .unwrap_or_else(|refusal| panic!("{turn}: {}: {:?}", refusal.kind, refusal.reason))
}

/// How a turn is refused; the position must stay what it was.
pub fn refusal(table: &mut dyn Table, turn: &str) -> Refusal {
    let before = table.json();
    let refusal = table.play(None, turn).expect_err(turn);
    assert_eq!(table.json(), before, "{turn}");
    refusal
}

/// Why a turn is illegal.
pub fn illegal(table: &mut dyn Table, turn: &str) -> Reason {
    let refusal = refusal(table, turn);
    assert_eq!(refusal.kind, super::Kind::Illegal, "{turn}: {:?}", refusal.reason);
    refusal.reason
}

/// The stones in words: `B c1 c2, W b1`.
pub fn stones(table: &dyn Table) -> String {
    let facts = table.facts();
    let lists: Vec<String> = SEATS
        .chars()
        .zip(facts.stones)
        .filter(|(_, cells)| !cells.is_empty())
        .map(|(seat, cells)| format!("{seat} {}", cells.join(" ")))
        .collect();
    lists.join(", ")
}

/// The score of a game that has ended.
pub fn score(table: &dyn Table) -> (Option<Seat>, Vec<f64>) {
    let outcome = table.outcome().unwrap();
    (outcome.winner, outcome.score.clone().unwrap())
}

/// A die that always falls the same way for the same seed: a number below its argument.
pub fn die(seed: u64) -> impl FnMut(usize) -> usize {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    move |sides| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) as usize % sides
    }
}
