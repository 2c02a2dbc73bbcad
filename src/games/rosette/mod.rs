//! Rosette, by Mark Berger: Go on the vertices of a honeycomb, where six stones around a hexagon live for ever.
//!
//! Source: the rules page of Rosette; what it marks [decision] stands here at one named place each.

mod field;
mod picture;
mod search;
#[cfg(test)]
mod tests;

pub(super) use field::lies_at;
pub(super) use picture::draw;

use super::counting::{SEATS, Scored, Scoring, Turn, read_placement, read_turn, write_turn};
use super::groups::{Graph, History, Point, PointSet, Stones, opponent};
use super::notation::read_number;
use super::{
    Diagram, Effect, Facts, Game, Info, OptionError, OptionInfo, Outcome, PositionError, RawOptions, Reason, Seat,
    options,
};
use field::field;
use serde_json::{Value, json};

/// [decision] 5, 6 and 7 hexagons on a side are played on the site that publishes the rules; the others are for study
/// and tests.
const SMALLEST_SIDE: u8 = 2;
const LARGEST_SIDE: u8 = 9;
const SIDE: u8 = 7;
/// The 486 points of the largest board in 64-bit words.
const WORDS: usize = 8;
/// [decision] No komi is known, so none without the option. In half points.
const KOMI: u32 = 0;
/// The most half points that `-komi` gives to White: 99.5.
const MOST_KOMI: u32 = 199;
/// The same as a reader sees it.
const KOMI_VALUES: &str = "0 … 99.5, whole or half";

/// A game of Rosette.
#[derive(Clone)]
pub struct Rosette {
    scored: Scored<WORDS>,
    side: u8,
    /// In half points.
    komi: u32,
    history: History,
}

/// Why a placement is illegal.
enum Forbidden {
    Taken,
    /// [decision] A group that is dead after the captures; one with a rosette never is, so to fill the last liberty of
    /// one's own rosette, or to complete a rosette without a liberty, is legal: it cannot be captured.
    Suicide,
    /// Situational superko: the stones and the side to move were there after that turn.
    Repetition(u32),
}

/// A placement that is no suicide.
struct Placement {
    captured: PointSet<WORDS>,
    stones: Stones<WORDS>,
}

/// Places a stone on a vacant point and removes the dead enemy groups beside it, all at once; `None` for suicide.
fn place(graph: &Graph<WORDS>, before: &Stones<WORDS>, seat: Seat, point: Point) -> Option<Placement> {
    let mut stones = *before;
    stones.put(seat, point);
    let captured = graph.captured_by(&stones, seat, point);
    stones.remove(&captured);
    let suicide = graph.dead_group(&stones, seat, point).is_some();
    (!suicide).then_some(Placement { captured, stones })
}

impl Rosette {
    fn beginning_with(scored: Scored<WORDS>, side: u8, komi: u32) -> Self {
        Rosette {
            history: History::beginning_with(scored.situation()),
            scored,
            side,
            komi,
        }
    }

    fn judge(&self, point: Point) -> Result<Placement, Forbidden> {
        let (seat, stones) = (self.to_move(), &self.scored.stones);
        if stones.at(point).is_some() {
            return Err(Forbidden::Taken);
        }
        let placement = place(self.scored.board.graph(), stones, seat, point).ok_or(Forbidden::Suicide)?;
        match self.history.turn_of(placement.stones.situation(opponent(seat))) {
            None => Ok(placement),
            Some(after) => Err(Forbidden::Repetition(after)),
        }
    }

    fn place(&mut self, seat: Seat, point: Point) -> Result<Vec<Effect>, Reason> {
        self.scored.check_in_play()?;
        let board = self.scored.board;
        let cell = board.name(point);
        let Placement { captured, stones } = match self.judge(point) {
            Ok(placement) => placement,
            Err(Forbidden::Taken) => return Err(Reason::Taken { cell }),
            Err(Forbidden::Suicide) => return Err(Reason::Suicide { cell }),
            Err(Forbidden::Repetition(after)) => return Err(Reason::Repetition { turn: cell, after }),
        };
        let mut effects = vec![Effect::Placed { seat, cell }];
        if !captured.is_empty() {
            let cells = board.names(&captured);
            effects.push(Effect::Captured { seat, cells });
        }
        effects.extend(self.scored.rosettes(stones));
        self.take(stones);
        Ok(effects)
    }

    /// Takes the position after a legal placement.
    fn take(&mut self, stones: Stones<WORDS>) {
        self.scored.moved(stones);
        self.remember();
    }

    fn remember(&mut self) {
        self.history.add(self.scored.situation(), self.scored.turn());
    }

    fn legal_placements(&self) -> impl Iterator<Item = Point> {
        let vacant = self.scored.board.graph().vacant(&self.scored.stones);
        vacant.iter().filter(|&point| self.judge(point).is_ok())
    }
}

/// Half points as the option `-komi` is typed: `5`, `5.5`.
fn read_komi(text: &str) -> Option<u32> {
    let (whole, half) = match text.split_once('.') {
        None => (text, 0),
        Some((whole, "0")) => (whole, 0),
        Some((whole, "5")) => (whole, 1),
        Some(_) => return None,
    };
    read_number(whole)?
        .checked_mul(2)
        .map(|halves| halves + half)
        .filter(|&halves| halves <= MOST_KOMI)
}

/// Half points as a number.
fn in_points(halves: u32) -> f64 {
    f64::from(halves) / 2.0
}

impl Game for Rosette {
    type Turn = Turn<Point>;

    const INFO: Info = Info {
        name: "rosette",
        aliases: &["로제트"],
        title: "Rosette",
        seats: SEATS,
        seat_counts: &[2],
        options: &[
            OptionInfo {
                name: "side",
                values: "2 … 9",
                default: "7",
            },
            OptionInfo {
                name: "komi",
                values: KOMI_VALUES,
                default: "0",
            },
            OptionInfo {
                name: "nocount",
                values: "",
                default: "",
            },
        ],
        examples: ["g14", "h14"],
        rules_version: 1,
    };

    fn start(raw: &RawOptions) -> Result<Self, OptionError> {
        options::check(&Self::INFO, raw)?;
        let allowed = u32::from(SMALLEST_SIDE)..=u32::from(LARGEST_SIDE);
        let side = options::number(raw, "side", allowed)?.map_or(SIDE, |side| side as u8);
        let komi = options::value(raw, "komi", KOMI_VALUES, read_komi)?.unwrap_or(KOMI);
        let scoring = Scoring::Removal { komi: in_points(komi) };
        let scored = Scored::new(field(side), scoring, options::flag(raw, "nocount")?);
        Ok(Rosette::beginning_with(scored, side, komi))
    }

    fn with_setup(&self, text: &str) -> Result<Self, PositionError> {
        Ok(Rosette::beginning_with(self.scored.set_up(text)?, self.side, self.komi))
    }

    fn options(&self) -> Vec<(&'static str, Value)> {
        let komi = if self.komi.is_multiple_of(2) {
            json!(self.komi / 2)
        } else {
            json!(in_points(self.komi))
        };
        let mut options = vec![("side", json!(self.side)), ("komi", komi)];
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
            Turn::Talk(talk) => self.scored.talk(seat, talk),
            Turn::Pass => {
                let effects = self.scored.pass()?;
                self.remember();
                Ok(effects)
            }
        }
    }

    fn resign(&mut self, seat: Seat) -> Result<Vec<Effect>, Reason> {
        Ok(self.scored.resign(seat))
    }

    fn legal_turns(&self) -> Option<Vec<Self::Turn>> {
        if self.outcome().is_some() {
            return Some(Vec::new());
        }
        let turns = || self.legal_placements().map(Turn::Move).chain([Turn::Pass]).collect();
        self.scored.in_play().then(turns)
    }

    fn legal_count(&self) -> Option<u64> {
        if self.outcome().is_some() {
            return Some(0);
        }
        self.scored
            .in_play()
            .then(|| self.legal_placements().count() as u64 + 1)
    }

    fn perft(&self, depth: u32) -> Option<u64> {
        search::perft(self, depth)
    }

    fn without_counting(&self) -> Self {
        let mut game = self.clone();
        game.scored.leave_out_counting();
        game
    }

    fn playout(self, random: &mut dyn FnMut(usize) -> usize) -> (Option<Outcome>, u32) {
        search::playout(self, random)
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

    /// Every point of a smaller board has a namesake on the largest.
    fn is_cell_name(text: &str) -> bool {
        field(LARGEST_SIDE).named(text).is_ok()
    }

    fn recognise(text: &str) -> Option<String> {
        let board = field(LARGEST_SIDE);
        let turn = read_turn(text, board, |parts| read_placement(parts, board)).ok()?;
        Some(write_turn(&turn, board, |&point| board.name(point)))
    }
}
