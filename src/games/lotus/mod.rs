//! Lotus, by Christian Freeling: placement alone, and capture by reversal.
//!
//! Source: the rules page of Lotus; what it marks [decision] stands here at one named place each. Stones never leave
//! the board and never move, so no position can repeat and no rule against it is needed.

mod field;
mod picture;
#[cfg(test)]
mod tests;

pub(super) use field::PLACES;
pub(super) use picture::draw;

use super::counting::{SEATS, Scored, Scoring, Turn, read_placement, read_turn, write_turn};
use super::groups::{Graph, Point, Stones, opponent};
use super::{
    Diagram, Effect, Facts, Game, Info, OptionError, OptionInfo, Outcome, PositionError, RawOptions, Reason, Seat,
    options,
};
use field::FIELD;
use serde_json::{Value, json};
use std::ops::RangeInclusive;

/// 72 points in 64-bit words.
const WORDS: usize = 2;
/// The points that `-komi` can give to White.
const KOMI_ALLOWED: RangeInclusive<u32> = 0..=7;
/// [decision] The komi without the option, after the printed rules; the inventor's page says 1 to 3.
const KOMI: u32 = 3;

/// A game of Lotus.
#[derive(Clone)]
pub struct Lotus {
    scored: Scored<WORDS>,
    komi: u32,
}

impl Lotus {
    fn place(&mut self, seat: Seat, point: Point) -> Result<Vec<Effect>, Reason> {
        self.scored.check_in_play()?;
        let board = self.scored.board;
        let before = self.scored.stones;
        let cell = board.name(point);
        if before.at(point).is_some() {
            return Err(Reason::Taken { cell });
        }
        let mut stones = before;
        stones.put(seat, point);
        let reversal = board.graph().reverse_dead(&mut stones, seat, point);
        let mut effects = vec![Effect::Placed { seat, cell }];
        effects.extend(self.scored.reversals(seat, 0, &reversal));
        effects.extend(
            board
                .graph()
                .new_rings(before, stones)
                .map(|(seat, ring)| Effect::Lotus {
                    seat,
                    cells: board.names(&ring.points),
                }),
        );
        self.scored.moved(stones);
        Ok(effects)
    }
}

/// Counts sequences of exactly `depth` turns, in which two passes in a row end the game.
fn count(graph: &Graph<WORDS>, stones: &Stones<WORDS>, seat: Seat, passes: u8, depth: u32) -> u64 {
    let vacant = graph.vacant(stones);
    match (depth, passes) {
        (0, _) => 1,
        (_, 2..) => 0,
        (1, _) => vacant.len() as u64 + 1,
        _ => {
            let placements: u64 = vacant
                .iter()
                .map(|point| {
                    let mut after = *stones;
                    after.put(seat, point);
                    graph.reverse_dead(&mut after, seat, point);
                    count(graph, &after, opponent(seat), 0, depth - 1)
                })
                .sum();
            placements + count(graph, stones, opponent(seat), passes + 1, depth - 1)
        }
    }
}

impl Game for Lotus {
    type Turn = Turn<Point>;

    const INFO: Info = Info {
        name: "lotus",
        aliases: &["로터스"],
        title: "Lotus",
        seats: SEATS,
        seat_counts: &[2],
        options: &[
            OptionInfo {
                name: "komi",
                values: "0 … 7",
                default: "3",
            },
            OptionInfo {
                name: "nocount",
                values: "",
                default: "",
            },
        ],
        examples: ["i4", "m4"],
        rules_version: 1,
    };

    fn start(raw: &RawOptions) -> Result<Self, OptionError> {
        options::check(&Self::INFO, raw)?;
        let komi = options::number(raw, "komi", KOMI_ALLOWED)?.unwrap_or(KOMI);
        let scoring = Scoring::Reversal { marker: -(komi as i32) };
        let scored = Scored::new(&FIELD, scoring, options::flag(raw, "nocount")?);
        Ok(Lotus { scored, komi })
    }

    fn with_setup(&self, text: &str) -> Result<Self, PositionError> {
        let scored = self.scored.set_up(text)?;
        Ok(Lotus {
            scored,
            komi: self.komi,
        })
    }

    fn options(&self) -> Vec<(&'static str, Value)> {
        let mut options = vec![("komi", json!(self.komi))];
        options.extend(self.scored.nocount_option());
        options
    }

    fn seats(&self) -> &'static str {
        SEATS
    }

    fn to_move(&self) -> Seat {
        self.scored.to_move()
    }

    fn outcome(&self) -> Option<&Outcome> {
        self.scored.outcome()
    }

    fn parse(&self, text: &str) -> Result<Self::Turn, Reason> {
        read_turn(text, self.scored.board, |parts| {
            read_placement(parts, self.scored.board)
        })
    }

    fn write(&self, turn: &Self::Turn) -> String {
        self.scored.write(turn, |&point| self.scored.board.name(point))
    }

    fn may_say(&self, seat: Seat, turn: &Self::Turn) -> bool {
        self.scored.may_say(seat, turn)
    }

    fn play(&mut self, seat: Seat, turn: &Self::Turn) -> Result<Vec<Effect>, Reason> {
        match turn {
            Turn::Move(point) => self.place(seat, *point),
            Turn::Pass => self.scored.pass(),
            Turn::Talk(talk) => self.scored.talk(seat, talk),
        }
    }

    fn resign(&mut self, seat: Seat) -> Result<Vec<Effect>, Reason> {
        Ok(self.scored.resign(seat))
    }

    fn legal_turns(&self) -> Option<Vec<Self::Turn>> {
        if self.outcome().is_some() {
            return Some(Vec::new());
        }
        self.scored.in_play().then(|| {
            let vacant = self.scored.board.graph().vacant(&self.scored.stones);
            vacant.iter().map(Turn::Move).chain([Turn::Pass]).collect()
        })
    }

    fn legal_count(&self) -> Option<u64> {
        if self.outcome().is_some() {
            return Some(0);
        }
        let vacant = self.scored.board.graph().vacant(&self.scored.stones);
        self.scored.in_play().then(|| vacant.len() as u64 + 1)
    }

    fn perft(&self, depth: u32) -> Option<u64> {
        let Scored { board, stones, .. } = &self.scored;
        self.scored
            .passes()
            .map(|passes| count(board.graph(), stones, self.to_move(), passes, depth))
    }

    fn without_counting(&self) -> Self {
        let mut game = self.clone();
        game.scored.leave_out_counting();
        game
    }

    fn playout(mut self, random: &mut dyn FnMut(usize) -> usize) -> (Option<Outcome>, u32) {
        let mut turns = 0;
        while self.scored.in_play() {
            let vacant = self.scored.board.graph().vacant(&self.scored.stones);
            match vacant.nth(random(vacant.len() + 1)) {
                None => self.scored.pass_on(),
                Some(point) => {
                    let (seat, mut stones) = (self.to_move(), self.scored.stones);
                    stones.put(seat, point);
                    self.scored.board.graph().reverse_dead(&mut stones, seat, point);
                    self.scored.moved(stones);
                }
            }
            turns += 1;
        }
        (self.outcome().cloned(), turns)
    }

    fn position_text(&self) -> Option<String> {
        self.scored.position_text()
    }

    fn facts(&self) -> Facts {
        self.scored.facts()
    }

    fn diagram(&self) -> Diagram {
        self.scored.diagram()
    }

    fn is_cell_name(text: &str) -> bool {
        FIELD.named(text).is_ok()
    }

    fn recognise(text: &str) -> Option<String> {
        let turn = read_turn(text, &FIELD, |parts| read_placement(parts, &FIELD)).ok()?;
        Some(write_turn(&turn, &FIELD, |&point| FIELD.name(point)))
    }
}
