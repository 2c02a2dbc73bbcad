//! Medusa Shogi (Gary K. Gifford, 2006). The rules are those of the page `medusa-shogi`; its decisions stand each in
//! one named place here.
//!
//! * [`men`] the men, their letters, the sides
//! * [`squares`] squares and sets of squares; [`attacks`] what a man reaches
//! * [`position`] board, hands and rights to castle; playing a turn on them; who is stone, who attacks
//! * [`movegen`] all legal turns, in batches; perft
//! * [`explain`] one turn judged rule by rule, with the reason of a refusal
//! * [`results`] what a turn did
//! * [`setup`] position text; [`text`] turns as text

mod attacks;
mod explain;
mod men;
mod movegen;
mod position;
mod results;
mod setup;
mod squares;
mod text;

#[cfg(test)]
mod laws;
#[cfg(test)]
mod slow;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod worked;

use super::{
    Cell, Diagram, Effect, Facts, Game, Info, Layout, Mark, Note, OptionError, OptionInfo, Outcome, PositionError,
    RawOptions, Reason, Seat, options,
};
use men::Side;
use position::{Hand, Position};
use serde_json::Value;
use squares::{Square, WIDTH};
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, DefaultHasher};
use std::sync::Arc;

pub use position::Turn;

/// The occurrence of a position that is a draw, at once and by itself **[decision]**.
const DRAW_AT: u32 = 3;

/// The plies after which a position can be there again at the earliest: both sides go away and come back.
const SHORTEST_RETURN: u32 = 4;

/// The named start positions of `-setup=`, the default first.
const NAMED_SETUPS: [(&str, &str); 2] = [("default", setup::DEFAULT), ("shifted", setup::SHIFTED)];

const SETUP_VALUES: &str = "default, shifted, or a position text with _ for each blank";

/// How often each position has been there, the start included. Whole positions are compared, so that no two are taken
/// for one; the hasher has no random keys.
type Occurrences = HashMap<Position, u32, BuildHasherDefault<DefaultHasher>>;

/// A game of Medusa Shogi: a position, and the positions before it.
#[derive(Clone)]
pub struct MedusaShogi {
    /// The value of `-setup=` in canonical form.
    setup: String,
    position: Position,
    /// Shared by clones until one of them plays on.
    seen: Arc<Occurrences>,
    outcome: Option<Outcome>,
}

impl MedusaShogi {
    fn at(setup: String, position: Position) -> Self {
        let mut game = MedusaShogi {
            setup,
            seen: Arc::new(Occurrences::from_iter([(position.clone(), 1)])),
            outcome: None,
            position,
        };
        game.outcome = game.position_outcome();
        game
    }

    /// Mate, or no legal move and no check **[decision: a draw, as in chess]**.
    fn position_outcome(&self) -> Option<Outcome> {
        if self.position.has_turns() {
            return None;
        }
        let side = self.position.to_move;
        Some(if self.position.in_check(side) {
            ended(Some(side.other()), "checkmate")
        } else {
            ended(None, "no legal move")
        })
    }

    /// Carries out a legal turn: how often the new position has now been there.
    fn advance(&mut self, turn: Turn) -> u32 {
        self.position.apply(turn);
        let times = Arc::make_mut(&mut self.seen)
            .entry(self.position.clone())
            .and_modify(|times| *times += 1)
            .or_insert(1);
        let times = *times;
        self.outcome = self
            .position_outcome()
            .or_else(|| (times >= DRAW_AT).then(|| ended(None, "repetition")));
        times
    }

    /// Whether a game that has gone on for `plies` from here can have ended by repetition.
    fn may_repeat_within(&self, plies: u32) -> bool {
        let most = self.seen.values().copied().max().unwrap_or(1);
        let first_again = if self.seen.len() > 1 { 1 } else { SHORTEST_RETURN };
        let wanted = DRAW_AT.saturating_sub(most);
        wanted == 0 || plies >= first_again + (wanted - 1) * SHORTEST_RETURN
    }

    fn mark(&self, square: Square) -> Option<Mark> {
        let (side, man) = (self.position.side_at(square)?, self.position.man_at(square)?);
        let letter = match side {
            Side::White => man.kind.letter(),
            Side::Black => man.kind.letter().to_ascii_lowercase(),
        };
        Some(Mark {
            seat: side.seat(),
            letter,
            morph: man.morph,
            stone: self.position.stone(side).contains(square),
            out: false,
        })
    }
}

fn ended(winner: Option<Side>, reason: &'static str) -> Outcome {
    Outcome {
        winner: winner.map(Side::seat),
        reason,
        score: None,
    }
}

/// The men in a hand by their texts, with their counts, in listing order.
fn men_in(hand: &Hand) -> Vec<(String, u32)> {
    hand.men().map(|(man, count)| (man.text(), u32::from(count))).collect()
}

impl Game for MedusaShogi {
    type Turn = Turn;

    const INFO: Info = Info {
        name: "medusa-shogi",
        aliases: &["shogi", "메두사쇼기", "쇼기"],
        title: "Medusa Shogi",
        seats: "WB",
        seat_counts: &[2],
        options: &[OptionInfo {
            name: "setup",
            values: SETUP_VALUES,
            default: NAMED_SETUPS[0].0,
        }],
        examples: ["f4-f5", "castle h1"],
        rules_version: 1,
    };

    fn start(raw: &RawOptions) -> Result<Self, OptionError> {
        options::check(&Self::INFO, raw)?;
        let setup = options::value(raw, "setup", SETUP_VALUES, |text| Some(text.to_string()))?;
        with_option(setup.as_deref().unwrap_or(NAMED_SETUPS[0].0))
    }

    fn with_setup(&self, text: &str) -> Result<Self, PositionError> {
        Ok(MedusaShogi::at(self.setup.clone(), Position::read(text)?))
    }

    fn options(&self) -> Vec<(&'static str, Value)> {
        vec![("setup", Value::from(self.setup.as_str()))]
    }

    fn seats(&self) -> &'static str {
        Self::INFO.seats
    }

    fn to_move(&self) -> Seat {
        self.position.to_move.seat()
    }

    fn outcome(&self) -> Option<&Outcome> {
        self.outcome.as_ref()
    }

    fn parse(&self, text: &str) -> Result<Turn, Reason> {
        text::read(text).map(|reading| reading.turn)
    }

    fn write(&self, turn: &Turn) -> String {
        text::write(&self.position, *turn)
    }

    fn play(&mut self, _seat: Seat, turn: &Turn) -> Result<Vec<Effect>, Reason> {
        self.position.judge(*turn)?;
        let before = self.position.clone();
        let times = self.advance(*turn);
        let mut effects = results::of_turn(&before, *turn, &self.position);
        if times > 1 {
            effects.push(Effect::Repeated { times });
        }
        effects.extend(
            self.outcome
                .clone()
                .map(|outcome| Effect::Ended { outcome, tally: None }),
        );
        Ok(effects)
    }

    fn resign(&mut self, seat: Seat) -> Result<Vec<Effect>, Reason> {
        let outcome = ended(Some(Side::of_seat(seat).other()), "resigned");
        self.outcome = Some(outcome.clone());
        Ok(vec![Effect::Resigned { seat }, Effect::Ended { outcome, tally: None }])
    }

    fn legal_turns(&self) -> Option<Vec<Turn>> {
        Some(if self.outcome.is_some() {
            Vec::new()
        } else {
            self.position.turns()
        })
    }

    fn legal_count(&self) -> Option<u64> {
        Some(if self.outcome.is_some() {
            0
        } else {
            self.position.count_turns()
        })
    }

    /// Counts on bare positions where no repetition can occur within the depth.
    fn perft(&self, depth: u32) -> Option<u64> {
        if self.outcome.is_some() {
            return Some(u64::from(depth == 0));
        }
        if depth > 0 && self.may_repeat_within(depth - 1) {
            return super::table::perft_by_copies(self, depth);
        }
        Some(self.position.perft(depth))
    }

    fn playout(mut self, random: &mut dyn FnMut(usize) -> usize) -> (Option<Outcome>, u32) {
        let mut turns = 0;
        while self.outcome.is_none() {
            let count = self.position.count_turns();
            let Some(turn) = self.position.nth_turn(random(count as usize)) else {
                break;
            };
            self.advance(turn);
            turns += 1;
        }
        (self.outcome, turns)
    }

    fn position_text(&self) -> Option<String> {
        self.outcome.is_none().then(|| self.position.write())
    }

    fn facts(&self) -> Facts {
        let position = &self.position;
        let men_of = |side| {
            let squares = position.of(side).into_iter();
            squares
                .filter_map(|square| Some(format!("{}{square}", position.man_at(square)?.text())))
                .collect()
        };
        Facts {
            stones: Side::BOTH.into_iter().map(men_of).collect(),
            hands: Some(Side::BOTH.map(|side| men_in(position.hand(side))).to_vec()),
            check: Some(position.in_check(position.to_move)),
            stone: Some(
                position
                    .all_stone()
                    .into_iter()
                    .map(|square| square.to_string())
                    .collect(),
            ),
            ..Facts::default()
        }
    }

    fn diagram(&self) -> Diagram {
        let cells = Square::all()
            .map(|square| Cell {
                mark: self.mark(square),
                ..Cell::empty(square.to_string(), square.file() + 1, square.rank() + 1)
            })
            .collect();
        let hand = |side: Side| Note::Hand {
            seat: side.seat(),
            men: men_in(self.position.hand(side)),
        };
        let mut notes = vec![hand(Side::Black), hand(Side::White)];
        if self.position.in_check(self.position.to_move) {
            notes.push(Note::Check { seat: self.to_move() });
        }
        Diagram {
            layout: Layout::Squares {
                files: WIDTH,
                ranks: WIDTH,
            },
            cells,
            notes,
        }
    }

    fn is_cell_name(text: &str) -> bool {
        Square::named(text).is_some()
    }

    fn recognise(text: &str) -> Option<String> {
        let reading = text::read(text).ok()?;
        Some(reading.text().to_ascii_lowercase())
    }
}

fn start_position(text: &str, value: &str) -> Result<Position, OptionError> {
    Position::read(text).map_err(|error| OptionError::Value {
        name: "setup".to_string(),
        value: value.to_string(),
        allowed: format!("{SETUP_VALUES} ({error})"),
    })
}

/// The game that a value of `-setup=` begins.
fn with_option(value: &str) -> Result<MedusaShogi, OptionError> {
    let named = NAMED_SETUPS.iter().find(|(name, _)| value.eq_ignore_ascii_case(name));
    if let Some((name, text)) = named {
        return Ok(MedusaShogi::at(name.to_string(), start_position(text, value)?));
    }
    let position = start_position(&value.replace('_', " "), value)?;
    let text = position.write();
    let same = NAMED_SETUPS.iter().find(|(_, known)| *known == text);
    let canonical = same.map_or_else(|| text.replace(' ', "_"), |(name, _)| name.to_string());
    Ok(MedusaShogi::at(canonical, position))
}
