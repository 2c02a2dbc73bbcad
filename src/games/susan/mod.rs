//! Susan, by Stephen Linhart, about 1991. Two players, here also three or four.
//!
//! A turn places a stone or slides one to an adjacent cell; whoever surrounds an enemy stone wins, and whoever
//! surrounds his own loses. The rules as a player reads them are in `templates/*/rules/susan.txt`.

mod cells;
mod position;
mod text;

use super::{
    Cell, Diagram, Effect, Facts, Game, Info, Layout, Mark, Note, OptionError, OptionInfo, Outcome, PositionError,
    RawOptions, Reason, Seat, options,
};
use cells::{Bit, Grid, Set, WIDE};
use position::{End, Position, Turn};
use serde_json::{Value, json};

/// Cells on each side of the board. Decision: 5 is the original board and 6 the older server's large one; the rest
/// are for study and tests.
const SIDES: std::ops::RangeInclusive<u32> = 2..=10;

/// The board of Linhart's Susan.
const ORIGINAL_SIDE: u32 = 5;

/// The board of `-large`.
const LARGE_SIDE: u32 = 6;

/// The numbers of players. Decision: see [`Position::leave`].
const SEAT_COUNTS: [usize; 3] = [2, 3, 4];

/// The seats in the order of play.
const SEATS: &str = "XOYZ";

/// From this number of slides in a row on the count is told.
const SLIDES_TOLD_FROM: u8 = 2;

/// A match of Susan.
#[derive(Clone, Debug)]
pub struct Susan {
    position: Position<WIDE>,
    outcome: Option<Outcome>,
}

impl Susan {
    fn grid(&self) -> &'static Grid<WIDE> {
        self.position.grid
    }

    fn name(&self, cell: Bit) -> String {
        text::name(self.grid(), cell)
    }

    /// Why the rules forbid a turn of the seat to move here.
    fn forbidden(&self, turn: Turn) -> Option<Reason> {
        let taken = self.position.owner(turn.to).is_some();
        let cell = |cell| self.name(cell);
        if let Some(from) = turn.from {
            if self.position.owner(from) != Some(self.position.to_move) {
                return Some(Reason::NotYours { cell: cell(from) });
            }
            if from == turn.to {
                return Some(Reason::SameCell { cell: cell(from) });
            }
            if !self.grid().around(from).contains(turn.to) {
                return Some(Reason::NotAdjacent {
                    from: cell(from),
                    to: cell(turn.to),
                });
            }
        }
        taken.then(|| Reason::Taken { cell: cell(turn.to) })
    }

    /// The stone that a turn puts on its cell, in words of effects.
    fn filled(&self, seat: Seat, turn: Turn) -> Effect {
        let to = self.name(turn.to);
        match turn.from {
            None => Effect::Placed { seat, cell: to },
            Some(from) => Effect::Moved {
                seat,
                man: None,
                from: self.name(from),
                to,
            },
        }
    }

    /// The stones that `by` has surrounded, of those that belonged to a player in the game `before` the turn.
    fn surrounded(&self, by: Seat, surrounded: Set<WIDE>, before: &Position<WIDE>) -> Vec<Effect> {
        let owned = |cell| self.position.owner(cell).filter(|&owner| !before.is_out(owner));
        let effect = |(owner, cell)| Effect::Surrounded {
            by,
            owner: Seat(owner),
            cell: self.name(cell),
        };
        let cells = surrounded.iter();
        cells
            .filter_map(|cell| Some((owned(cell)?, cell)))
            .map(effect)
            .collect()
    }

    /// The count of slides, where it is worth a word: the game goes on, or it is the reason of the draw.
    fn slides(&self) -> Option<Effect> {
        let position = &self.position;
        let counts = matches!(position.end, None | Some(End::Slides(_)));
        (counts && position.slides >= SLIDES_TOLD_FROM).then(|| Effect::Slides {
            count: position.slides.into(),
            draw_at: position.draw_at().into(),
        })
    }

    /// The seat went out. Where the match has only two seats the end says it.
    fn went_out(&self, seat: Seat, resigned: bool) -> Option<Effect> {
        let told = self.position.seats > 2 && self.position.is_out(seat.0);
        told.then_some(Effect::Out { seat, resigned })
    }

    /// Keeps the outcome when the position has come to its end.
    fn ended(&mut self) -> Option<Effect> {
        let outcome = outcome(self.position.end?);
        self.outcome = Some(outcome.clone());
        Some(Effect::Ended { outcome, tally: None })
    }

    fn mark(&self, cell: Bit) -> Option<Mark> {
        let seat = Seat(self.position.owner(cell)?);
        let out = self.position.is_out(seat.0);
        let letter = text::letter(seat);
        Some(Mark {
            seat,
            letter: if out { letter.to_ascii_lowercase() } else { letter },
            morph: false,
            stone: false,
            out,
        })
    }

    fn seats_out(&self) -> Vec<Seat> {
        let seats = 0..self.position.seats;
        seats.filter(|&seat| self.position.is_out(seat)).map(Seat).collect()
    }
}

/// The outcome as the rules page names it.
fn outcome(end: End) -> Outcome {
    let (winner, reason) = match end {
        End::Surrounded(seat) => (Some(seat), "surrounded"),
        End::OwnStoneSurrounded(seat) => (Some(seat), "own stone surrounded"),
        End::Resigned(seat) => (Some(seat), "resigned"),
        End::Slides(6) => (None, "six slides"),
        End::Slides(9) => (None, "nine slides"),
        End::Slides(_) => (None, "twelve slides"),
        End::BoardFull => (None, "board full"),
    };
    Outcome {
        winner,
        reason,
        score: None,
    }
}

/// The side of the board that the options ask for.
fn side(raw: &RawOptions) -> Result<u32, OptionError> {
    let side = options::number(raw, "side", SIDES)?;
    match (options::flag(raw, "large")?, side) {
        (true, Some(side)) if side != LARGE_SIDE => Err(OptionError::Conflict {
            first: "large".to_string(),
            second: format!("side={side}"),
        }),
        (true, _) => Ok(LARGE_SIDE),
        (false, side) => Ok(side.unwrap_or(ORIGINAL_SIDE)),
    }
}

impl Game for Susan {
    type Turn = Turn;

    const INFO: Info = Info {
        name: "susan",
        aliases: &["수잔"],
        title: "Susan",
        seats: SEATS,
        seat_counts: &SEAT_COUNTS,
        options: &[
            OptionInfo {
                name: "side",
                values: "2 … 10",
                default: "5",
            },
            OptionInfo {
                name: "large",
                values: "",
                default: "",
            },
            OptionInfo {
                name: "seats",
                values: "2, 3, 4",
                default: "2",
            },
        ],
        examples: ["d4", "d4-d5"],
        rules_version: 1,
    };

    fn start(raw: &RawOptions) -> Result<Self, OptionError> {
        options::check(&Self::INFO, raw)?;
        let side = side(raw)?;
        let seats = options::number(raw, "seats", 2..=4)?.unwrap_or(2);
        Ok(Susan {
            position: Position::start(Grid::wide(side as u8), seats as u8),
            outcome: None,
        })
    }

    fn with_setup(&self, text: &str) -> Result<Self, PositionError> {
        Ok(Susan {
            position: text::read_position(self.grid(), self.position.seats, text)?,
            outcome: None,
        })
    }

    fn options(&self) -> Vec<(&'static str, Value)> {
        let mut options = vec![("side", json!(self.grid().side))];
        if self.position.seats > 2 {
            options.push(("seats", json!(self.position.seats)));
        }
        options
    }

    fn seats(&self) -> &'static str {
        &SEATS[..usize::from(self.position.seats)]
    }

    fn to_move(&self) -> Seat {
        Seat(self.position.to_move)
    }

    fn outcome(&self) -> Option<&Outcome> {
        self.outcome.as_ref()
    }

    fn parse(&self, text: &str) -> Result<Turn, Reason> {
        text::read_turn(self.grid(), text)
    }

    fn write(&self, turn: &Turn) -> String {
        text::write_turn(self.grid(), *turn)
    }

    fn play(&mut self, seat: Seat, turn: &Turn) -> Result<Vec<Effect>, Reason> {
        if let Some(reason) = self.forbidden(*turn) {
            return Err(reason);
        }
        let before = self.position;
        let surrounded = self.position.play(*turn);
        let mut effects = vec![self.filled(seat, *turn)];
        effects.extend(self.surrounded(seat, surrounded, &before));
        effects.extend(self.slides());
        effects.extend(self.went_out(seat, false));
        effects.extend(self.ended());
        Ok(effects)
    }

    fn resign(&mut self, seat: Seat) -> Result<Vec<Effect>, Reason> {
        if self.position.is_out(seat.0) {
            return Err(Reason::AlreadyOut {
                seat: text::letter(seat).to_string(),
            });
        }
        self.position.leave(seat.0, End::Resigned);
        let mut effects = vec![Effect::Resigned { seat }];
        effects.extend(self.went_out(seat, true));
        effects.extend(self.ended());
        Ok(effects)
    }

    fn legal_turns(&self) -> Option<Vec<Turn>> {
        Some(self.position.turns().collect())
    }

    fn legal_count(&self) -> Option<u64> {
        Some(self.position.count_turns() as u64)
    }

    fn perft(&self, depth: u32) -> Option<u64> {
        Some(match self.position.narrowed() {
            Some(narrow) => narrow.perft(depth),
            None => self.position.perft(depth),
        })
    }

    fn playout(self, random: &mut dyn FnMut(usize) -> usize) -> (Option<Outcome>, u32) {
        let (end, turns) = match self.position.narrowed() {
            Some(mut narrow) => {
                let turns = narrow.playout(random);
                (narrow.end, turns)
            }
            None => {
                let mut wide = self.position;
                let turns = wide.playout(random);
                (wide.end, turns)
            }
        };
        (end.map(outcome), turns)
    }

    fn position_text(&self) -> Option<String> {
        self.outcome.is_none().then(|| text::write_position(&self.position))
    }

    fn facts(&self) -> Facts {
        let stones = &self.position.stones[..usize::from(self.position.seats)];
        Facts {
            stones: stones
                .iter()
                .map(|stones| stones.iter().map(|cell| self.name(cell)).collect())
                .collect(),
            out: (self.position.seats > 2).then(|| self.seats_out()),
            ..Facts::default()
        }
    }

    fn diagram(&self) -> Diagram {
        let cell = |cell: Bit| {
            let (x, y) = self.grid().coordinates(cell);
            Cell {
                mark: self.mark(cell),
                ..Cell::empty(self.name(cell), x, y)
            }
        };
        let position = &self.position;
        let told = position.end.is_none() && position.slides >= SLIDES_TOLD_FROM;
        let slides = told.then(|| Note::Slides {
            count: position.slides.into(),
            draw_at: position.draw_at().into(),
        });
        Diagram {
            layout: Layout::Hexagon { side: self.grid().side },
            cells: self.grid().board.iter().map(cell).collect(),
            notes: slides.into_iter().collect(),
        }
    }

    fn is_cell_name(name: &str) -> bool {
        text::read_cell_of(largest(), name).is_some()
    }

    fn recognise(text: &str) -> Option<String> {
        let turn = text::read_turn(largest(), text).ok()?;
        Some(text::write_turn(largest(), turn))
    }
}

/// The largest board: it has every cell that a smaller one has, under the same name.
fn largest() -> &'static Grid<WIDE> {
    Grid::wide(*SIDES.end() as u8)
}

#[cfg(test)]
mod tests;
