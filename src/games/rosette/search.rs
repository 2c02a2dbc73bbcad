//! Counting and random play without listing turns or reporting effects.

use super::{Rosette, WORDS, place};
use crate::games::groups::{Graph, History, Stones, opponent};
use crate::games::{Game, Outcome, Seat};

/// Sequences of exactly `depth` turns, in which two passes in a row end the game.
pub(super) fn perft(game: &Rosette, depth: u32) -> Option<u64> {
    let passes = game.scored.passes()?;
    let mut search = Search {
        graph: game.scored.board.graph(),
        history: game.history.clone(),
    };
    Some(search.count(&game.scored.stones, game.to_move(), passes, depth))
}

struct Search<'a> {
    graph: &'a Graph<WORDS>,
    /// The positions of the game and of the sequence that is being counted.
    history: History,
}

impl Search<'_> {
    fn count(&mut self, stones: &Stones<WORDS>, seat: Seat, passes: u8, depth: u32) -> u64 {
        match (depth, passes) {
            (0, _) => 1,
            (_, 2..) => 0,
            _ => self.count_placements(stones, seat, depth) + self.count_pass(stones, seat, passes, depth),
        }
    }

    fn count_placements(&mut self, stones: &Stones<WORDS>, seat: Seat, depth: u32) -> u64 {
        let next = opponent(seat);
        let mut nodes = 0;
        for point in self.graph.vacant(stones).iter() {
            let Some(placement) = place(self.graph, stones, seat, point) else {
                continue;
            };
            let situation = placement.stones.situation(next);
            if depth == 1 {
                nodes += u64::from(self.history.turn_of(situation).is_none());
            } else if self.history.add(situation, 0) {
                nodes += self.count(&placement.stones, next, 0, depth - 1);
                self.history.forget(situation);
            }
        }
        nodes
    }

    fn count_pass(&mut self, stones: &Stones<WORDS>, seat: Seat, passes: u8, depth: u32) -> u64 {
        let next = opponent(seat);
        let situation = stones.situation(next);
        let new = self.history.add(situation, 0);
        let nodes = self.count(stones, next, passes + 1, depth - 1);
        if new {
            self.history.forget(situation);
        }
        nodes
    }
}

/// Random play: draws from the vacant points and the pass until what was drawn is legal, which is uniform over the
/// legal turns.
pub(super) fn playout(mut game: Rosette, random: &mut dyn FnMut(usize) -> usize) -> (Option<Outcome>, u32) {
    let mut turns = 0;
    while game.scored.in_play() {
        let mut open = game.scored.board.graph().vacant(&game.scored.stones);
        loop {
            let Some(point) = open.nth(random(open.len() + 1)) else {
                game.scored.pass_on();
                game.remember();
                break;
            };
            if let Ok(placement) = game.judge(point) {
                game.take(placement.stones);
                break;
            }
            open.remove(point);
        }
        turns += 1;
    }
    (game.outcome().cloned(), turns)
}
