//! Medusa, by Christian Freeling: placement, movement over one's own row, and capture by reversal.
//!
//! Source: the rules page of Medusa; what it marks [decision] stands here at one named place each.

mod steps;
#[cfg(test)]
mod tests;

use super::board::{Board, Letters};
use super::counting::{SEATS, Scored, Scoring, Turn, read_turn, write_turn};
use super::groups::{History, Point, PointSet, Reversal, Stones, opponent};
use super::hexagon::{DIRECTIONS, Hexagon};
use super::notation::{Part, read_cell};
use super::{
    Diagram, Effect, Facts, Game, Info, Layout, OptionError, OptionInfo, Outcome, PositionError, RawOptions, Reason,
    Seat, options,
};
use serde_json::{Value, json};
use std::ops::RangeInclusive;
use std::sync::LazyLock;

/// Cells on each side of the hexagon.
const SIDE: u8 = 10;
/// 210 cells in 64-bit words.
const WORDS: usize = 4;
/// The points that `-komi` can give to White.
const KOMI_ALLOWED: RangeInclusive<u32> = 0..=9;
/// The komi without the option: the inventor's page says 3.
const KOMI: u32 = 3;

/// The 210 light cells with their names, the 61 rosettes and the lines.
struct Field {
    board: Board<WORDS>,
    /// For each cell the next light cell in each of the six directions. A line never crosses a dark cell, so a cell
    /// without a next one is the end of its line, or the direction is none of its lines.
    next: Vec<[Option<Point>; DIRECTIONS.len()]>,
}

static FIELD: LazyLock<Field> = LazyLock::new(Field::new);

impl Field {
    fn new() -> Self {
        let whole = Hexagon::new(SIDE, |_, _| true);
        let light = Hexagon::new(SIDE, |x, y| !is_dark(x, y));
        let cells = 0..light.len();
        let point = |cell: usize| cell as Point;
        let next = cells
            .clone()
            .map(|cell| DIRECTIONS.map(|direction| light.step(cell, direction).map(point)))
            .collect();
        let rings = (0..whole.len())
            .map(|cell| (whole.coordinates(cell), whole.neighbours(cell)))
            .filter(|&((x, y), _)| is_dark(x, y))
            .map(|(dark, around)| {
                let cells = around.iter().filter_map(|&cell| {
                    let (x, y) = whole.coordinates(cell);
                    light.at(x, y).map(point)
                });
                (dark, cells.collect())
            });
        let board = Board::new(
            Layout::Hexagon { side: SIDE },
            Letters::Columns,
            cells.clone().map(|cell| light.coordinates(cell)).collect(),
            cells.map(|cell| light.neighbours(cell).iter().copied().map(point).collect()),
            rings,
        );
        Field { board, next }
    }
}

/// A dark cell is never occupied and no part of the board.
fn is_dark(x: u8, y: u8) -> bool {
    x.is_multiple_of(2) && y.is_multiple_of(2)
}

/// A placement, movements, or both, in this order.
#[derive(Clone, Debug, PartialEq)]
pub struct Steps {
    pub placement: Option<Point>,
    pub movements: Vec<(Point, Point)>,
}

/// A game of Medusa.
#[derive(Clone)]
pub struct Medusa {
    scored: Scored<WORDS>,
    komi: u32,
    history: History,
}

impl Medusa {
    fn beginning_with(scored: Scored<WORDS>, komi: u32) -> Self {
        Medusa {
            history: History::beginning_with(scored.situation()),
            scored,
            komi,
        }
    }

    /// Plays the steps of a turn.
    fn play_steps(&mut self, seat: Seat, turn: &Steps) -> Result<Vec<Effect>, Reason> {
        self.scored.check_in_play()?;
        let board = self.scored.board;
        let mut stones = self.scored.stones;
        let mut effects = Vec::new();
        let mut parts = 0..;
        let mut report = |effect, reversal: Reversal<WORDS>| {
            effects.push(effect);
            effects.extend(self.scored.reversals(seat, parts.next().unwrap_or_default(), &reversal));
        };
        if let Some(cell) = turn.placement {
            let reversal = steps::place(&mut stones, seat, cell)?;
            report(
                Effect::Placed {
                    seat,
                    cell: board.name(cell),
                },
                reversal,
            );
        }
        let mut spent = PointSet::EMPTY;
        for &(from, to) in &turn.movements {
            let captured = steps::move_group(&mut stones, &mut spent, seat, from, to)?;
            let moved = Effect::Moved {
                seat,
                man: None,
                from: board.name(from),
                to: board.name(to),
            };
            report(
                moved,
                Reversal {
                    captured,
                    lost: PointSet::EMPTY,
                },
            );
        }
        if let Some(after) = self.repeated(&stones) {
            let turn = write_steps(board, turn);
            return Err(Reason::Repetition { turn, after });
        }
        effects.extend(self.scored.rosettes(stones));
        self.take(stones, turn.placement.is_some());
        if turn.placement.is_none() {
            effects.extend(self.scored.marker_effect());
        }
        Ok(effects)
    }

    /// Takes the position after legal steps. [decision] Who placed no stone moves the marker one point to his side:
    /// the page says "may", but it never hurts, so it happens by itself.
    fn take(&mut self, stones: Stones<WORDS>, placed: bool) {
        if !placed {
            self.scored.move_marker(self.scored.to_move());
        }
        self.scored.moved(stones);
        self.remember();
    }

    fn remember(&mut self) {
        self.history.add(self.scored.situation(), self.scored.turn());
    }

    /// [decision] Situational superko: a turn other than a complete pass may not produce stones and side to move that
    /// have been there together before; gives the turn after which they were. The page is silent; without it two
    /// players could shuttle for marker points for ever, and the same site prints this rule for Rosette.
    fn repeated(&self, stones: &Stones<WORDS>) -> Option<u32> {
        self.history.turn_of(stones.situation(opponent(self.scored.to_move())))
    }

    /// The stones after a single movement that is legal as a whole turn; `None` where it would repeat a position.
    fn after_movement(&self, from: Point, to: Point) -> Option<Stones<WORDS>> {
        let mut stones = self.scored.stones;
        steps::jump(&mut stones, self.scored.to_move(), from, to);
        self.repeated(&stones).is_none().then_some(stones)
    }

    /// The single movements by first and second cell, those that repeat a position included.
    fn jumps(&self) -> impl Iterator<Item = (Point, Point)> {
        let (seat, stones) = (self.scored.to_move(), &self.scored.stones);
        stones.of(seat).iter().flat_map(move |from| {
            let landings: PointSet<WORDS> = steps::landings(stones, seat, from).collect();
            landings.iter().map(move |to| (from, to))
        })
    }

    /// Plays a random legal step.
    fn play_randomly(&mut self, random: &mut dyn FnMut(usize) -> usize, jumps: &mut Vec<(Point, Point)>) {
        jumps.clear();
        jumps.extend(self.jumps());
        let vacant = self.scored.board.graph().vacant(&self.scored.stones);
        loop {
            let drawn = random(1 + vacant.len() + jumps.len());
            if drawn == 0 {
                self.scored.pass_on();
                self.remember();
                return;
            }
            if let Some(cell) = vacant.nth(drawn - 1) {
                let (seat, mut stones) = (self.scored.to_move(), self.scored.stones);
                stones.put(seat, cell);
                self.scored.board.graph().reverse_dead(&mut stones, seat, cell);
                self.take(stones, true);
                return;
            }
            let (from, to) = jumps.swap_remove(drawn - 1 - vacant.len());
            if let Some(stones) = self.after_movement(from, to) {
                self.take(stones, false);
                return;
            }
        }
    }
}

/// Reads `[cell] [from-to …]`.
fn read_steps(parts: &[Part]) -> Result<Steps, Reason> {
    let board = &FIELD.board;
    let mut turn = Steps {
        placement: None,
        movements: Vec::new(),
    };
    for (index, part) in parts.iter().enumerate() {
        match *part {
            Part::Joined(from, to) => turn.movements.push((board.named(from)?, board.named(to)?)),
            Part::Alone(word) => match short_form(word) {
                Some((from, to)) => turn.movements.push((board.named(&from)?, board.named(&to)?)),
                None => {
                    let cell = board.named(word)?;
                    if index > 0 {
                        return Err(Reason::NotATurn);
                    }
                    turn.placement = Some(cell);
                }
            },
        }
    }
    if parts.is_empty() {
        Err(Reason::NotATurn)
    } else {
        Ok(turn)
    }
}

/// The inventor's short form of a movement along a row, two letters and the common number: `qs15` is `q15-s15`.
fn short_form(word: &str) -> Option<(String, String)> {
    let (first, rest) = word.split_at_checked(1)?;
    let (second, number) = rest.split_at_checked(1)?;
    let (from, to) = (format!("{first}{number}"), format!("{second}{number}"));
    (read_cell(&from).is_some() && read_cell(&to).is_some()).then_some((from, to))
}

fn write_steps(board: &Board<WORDS>, turn: &Steps) -> String {
    let placement = turn.placement.map(|cell| board.name(cell));
    let movements = turn
        .movements
        .iter()
        .map(|&(from, to)| format!("{}-{}", board.name(from), board.name(to)));
    let words: Vec<String> = placement.into_iter().chain(movements).collect();
    words.join(" ")
}

impl Game for Medusa {
    type Turn = Turn<Steps>;

    const INFO: Info = Info {
        name: "medusa",
        aliases: &["메두사"],
        title: "Medusa",
        seats: SEATS,
        seat_counts: &[2],
        options: &[
            OptionInfo {
                name: "komi",
                values: "0 … 9",
                default: "3",
            },
            OptionInfo {
                name: "nocount",
                values: "",
                default: "",
            },
        ],
        examples: ["i9", "s19 q15-s15"],
        rules_version: 1,
    };

    fn start(raw: &RawOptions) -> Result<Self, OptionError> {
        options::check(&Self::INFO, raw)?;
        let komi = options::number(raw, "komi", KOMI_ALLOWED)?.unwrap_or(KOMI);
        let scoring = Scoring::Reversal { marker: -(komi as i32) };
        let scored = Scored::new(&FIELD.board, scoring, options::flag(raw, "nocount")?);
        Ok(Medusa::beginning_with(scored, komi))
    }

    fn with_setup(&self, text: &str) -> Result<Self, PositionError> {
        Ok(Medusa::beginning_with(self.scored.set_up(text)?, self.komi))
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
        read_turn(text, self.scored.board, read_steps)
    }

    fn write(&self, turn: &Self::Turn) -> String {
        self.scored.write(turn, |steps| write_steps(self.scored.board, steps))
    }

    fn may_say(&self, seat: Seat, turn: &Self::Turn) -> bool {
        self.scored.may_say(seat, turn)
    }

    fn play(&mut self, seat: Seat, turn: &Self::Turn) -> Result<Vec<Effect>, Reason> {
        match turn {
            Turn::Talk(talk) => self.scored.talk(seat, talk),
            Turn::Move(steps) => self.play_steps(seat, steps),
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

    /// Turns cannot be listed, as one may hold many movements.
    fn legal_turns(&self) -> Option<Vec<Self::Turn>> {
        self.outcome().map(|_| Vec::new())
    }

    /// [decision] The steps that are legal as whole turns: the pass, the placements in cell order, the single
    /// movements. A placement adds a stone to the board, so it cannot repeat a position.
    fn steps(&self) -> Vec<Self::Turn> {
        if !self.scored.in_play() {
            return Vec::new();
        }
        let placements = self.scored.board.graph().vacant(&self.scored.stones);
        let placements = placements.iter().map(|cell| Steps {
            placement: Some(cell),
            movements: Vec::new(),
        });
        let movements = self
            .jumps()
            .filter(|&(from, to)| self.after_movement(from, to).is_some())
            .map(|movement| Steps {
                placement: None,
                movements: vec![movement],
            });
        std::iter::once(Turn::Pass)
            .chain(placements.chain(movements).map(Turn::Move))
            .collect()
    }

    /// Not offered, as turns cannot be listed.
    fn perft(&self, _depth: u32) -> Option<u64> {
        None
    }

    fn without_counting(&self) -> Self {
        let mut game = self.clone();
        game.scored.leave_out_counting();
        game
    }

    fn playout(mut self, random: &mut dyn FnMut(usize) -> usize) -> (Option<Outcome>, u32) {
        let mut turns = 0;
        let mut jumps = Vec::new();
        while self.scored.in_play() {
            self.play_randomly(random, &mut jumps);
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
        FIELD.board.named(text).is_ok()
    }

    fn recognise(text: &str) -> Option<String> {
        let turn = read_turn(text, &FIELD.board, read_steps).ok()?;
        Some(write_turn(&turn, &FIELD.board, |steps| {
            write_steps(&FIELD.board, steps)
        }))
    }
}
