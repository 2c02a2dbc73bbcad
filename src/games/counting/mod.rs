//! What the three scored games share beside their boards: passes, the counting by talk, the score and the end.
//!
//! Source: "The end" on the pages of Medusa, Lotus and Rosette, which is the same on all three. A [`Scored`] holds the
//! position and knows everything about it but the game's own moves.

use super::board::{Board, seat_of};
use super::groups::{Area, BLACK, Point, PointSet, Reversal, Stones, WHITE, opponent};
use super::notation::{Part, parts};
use super::{Cause, Diagram, Effect, Facts, Groups, Note, Outcome, Phase, PositionError, Reason, Seat, Tally};

/// The names of the seats in the order of play.
pub const SEATS: &str = "BW";

/// The game ends after so many passes in a row. [decision] They begin the counting, as the sources only say that dead
/// stones leave the board at the end; after `resume`, and with `-nocount`, they are scored as the board stands.
const PASSES_TO_END: u8 = 2;

/// How a game scores: where its extra points come from, and what becomes of groups that were agreed to be dead.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Scoring {
    /// Medusa and Lotus: dead groups are reversed, and the marker's points (positive for Black) are added. The marker
    /// has no limit.
    Reversal { marker: i32 },
    /// Rosette: dead groups are removed, and White has the komi.
    Removal { komi: f64 },
}

/// A turn as it was read: the game's own move `M`, or what all three games know.
#[derive(Clone, Debug, PartialEq)]
pub enum Turn<M> {
    Move(M),
    Pass,
    Talk(Talk),
}

/// The words of the counting.
#[derive(Clone, Debug, PartialEq)]
pub enum Talk {
    /// The groups of these stones are dead; none are, where it is empty.
    Dead(Vec<Point>),
    Agree,
    Resume,
}

/// Reads a turn: `pass` and the words of the counting here, the rest with `read_move`.
///
/// # Errors
///
/// Whatever has none of the forms, or names a point that the board has not.
pub fn read_turn<M, const N: usize>(
    text: &str,
    board: &Board<N>,
    read_move: impl FnOnce(&[Part]) -> Result<M, Reason>,
) -> Result<Turn<M>, Reason> {
    let parts = parts(text).ok_or(Reason::NotATurn)?;
    let Some((Part::Alone(first), rest)) = parts.split_first() else {
        return read_move(&parts).map(Turn::Move);
    };
    let turn = match first.to_ascii_lowercase().as_str() {
        "pass" => Turn::Pass,
        "agree" => Turn::Talk(Talk::Agree),
        "resume" => Turn::Talk(Talk::Resume),
        "dead" => return read_dead(rest, board).map(|points| Turn::Talk(Talk::Dead(points))),
        _ => return read_move(&parts).map(Turn::Move),
    };
    if rest.is_empty() {
        Ok(turn)
    } else {
        Err(Reason::NotATurn)
    }
}

fn read_dead<const N: usize>(parts: &[Part], board: &Board<N>) -> Result<Vec<Point>, Reason> {
    match parts {
        [] => Err(Reason::NotATurn),
        [Part::Alone(none)] if none.eq_ignore_ascii_case("none") => Ok(Vec::new()),
        cells => cells
            .iter()
            .map(|part| match part {
                Part::Alone(cell) => board.named(cell),
                Part::Joined(..) => Err(Reason::NotATurn),
            })
            .collect(),
    }
}

/// Reads a turn that is one point and nothing else.
///
/// # Errors
///
/// More or less than one point, or a name that the board has not.
pub fn read_placement<const N: usize>(parts: &[Part], board: &Board<N>) -> Result<Point, Reason> {
    match parts {
        [Part::Alone(word)] => board.named(word),
        _ => Err(Reason::NotATurn),
    }
}

/// Writes a turn as it was read, without a position: the groups named dead by the points that were written.
pub fn write_turn<M, const N: usize>(
    turn: &Turn<M>,
    board: &Board<N>,
    write_move: impl FnOnce(&M) -> String,
) -> String {
    match turn {
        Turn::Move(turn) => write_move(turn),
        Turn::Pass => "pass".into(),
        Turn::Talk(Talk::Agree) => "agree".into(),
        Turn::Talk(Talk::Resume) => "resume".into(),
        Turn::Talk(Talk::Dead(points)) if points.is_empty() => "dead none".into(),
        Turn::Talk(Talk::Dead(points)) => {
            let names: Vec<String> = points.iter().map(|&point| board.name(point)).collect();
            format!("dead {}", names.join(" "))
        }
    }
}

/// Where a game stands.
#[derive(Clone, Debug)]
enum Stage<const N: usize> {
    Play,
    /// `first` passed first.
    Counting {
        first: Seat,
        proposal: Option<Proposal<N>>,
    },
    Ended(Outcome),
}

/// The groups that a seat named dead.
#[derive(Clone, Debug)]
struct Proposal<const N: usize> {
    seat: Seat,
    groups: Vec<PointSet<N>>,
}

/// A position of a scored game with everything about it but the game's own moves.
#[derive(Clone)]
pub struct Scored<const N: usize> {
    pub board: &'static Board<N>,
    pub stones: Stones<N>,
    scoring: Scoring,
    nocount: bool,
    to_move: Seat,
    passes: u8,
    /// The next two passes are scored as the board stands.
    at_once: bool,
    stage: Stage<N>,
    turn: u32,
}

impl<const N: usize> Scored<N> {
    /// The empty board with Black to move.
    pub fn new(board: &'static Board<N>, scoring: Scoring, nocount: bool) -> Self {
        Scored {
            board,
            stones: Stones::NONE,
            scoring,
            nocount,
            to_move: BLACK,
            passes: 0,
            at_once: nocount,
            stage: Stage::Play,
            turn: 0,
        }
    }

    /// The start position of a position text `ROWS SEAT MARKER PASSES`, without MARKER where the game has none.
    ///
    /// # Errors
    ///
    /// A text that is malformed or that the pages call invalid.
    pub fn set_up(&self, text: &str) -> Result<Self, PositionError> {
        let wrong = |what: &str| PositionError(what.to_string());
        let fields: Vec<&str> = text.split_whitespace().collect();
        let (rows, seat, scoring, passes) = match (self.scoring, fields.as_slice()) {
            (Scoring::Reversal { .. }, &[rows, seat, marker, passes]) => {
                let marker = read_marker(marker).ok_or_else(|| wrong("the marker must be a whole number"))?;
                (rows, seat, Scoring::Reversal { marker }, passes)
            }
            (Scoring::Removal { .. }, &[rows, seat, passes]) => (rows, seat, self.scoring, passes),
            (Scoring::Reversal { .. }, _) => return Err(wrong("ROWS SEAT MARKER PASSES expected")),
            (Scoring::Removal { .. }, _) => return Err(wrong("ROWS SEAT PASSES expected")),
        };
        let mut letters = seat.chars();
        let to_move = letters
            .next()
            .filter(|_| letters.next().is_none())
            .and_then(|letter| seat_of(letter, SEATS))
            .ok_or_else(|| wrong("the seat to move must be B or W"))?;
        let passes = match passes {
            "0" => 0,
            "1" => 1,
            _ => return Err(wrong("the passes in a row must be 0 or 1")),
        };
        Ok(Scored {
            stones: self.board.read_stones(rows, SEATS)?,
            scoring,
            to_move,
            passes,
            ..Scored::new(self.board, self.scoring, self.nocount)
        })
    }

    /// The position text; `None` in the counting and after the end.
    pub fn position_text(&self) -> Option<String> {
        if !matches!(self.stage, Stage::Play) {
            return None;
        }
        let rows = self.board.write_stones(&self.stones, SEATS);
        let seat = if self.to_move == BLACK { 'B' } else { 'W' };
        let passes = self.passes;
        Some(match self.scoring {
            Scoring::Reversal { marker } => format!("{rows} {seat} {marker} {passes}"),
            Scoring::Removal { .. } => format!("{rows} {seat} {passes}"),
        })
    }

    /// The seat to move, or to speak or to answer in the counting.
    pub fn to_move(&self) -> Seat {
        self.to_move
    }

    /// Turns played so far, the words of the counting included.
    pub fn turn(&self) -> u32 {
        self.turn
    }

    /// The option `-nocount` as [`Game::options`](super::Game::options) gives it, where it is on.
    pub fn nocount_option(&self) -> Option<(&'static str, serde_json::Value)> {
        self.nocount.then_some(("nocount", true.into()))
    }

    pub fn outcome(&self) -> Option<&Outcome> {
        match &self.stage {
            Stage::Ended(outcome) => Some(outcome),
            _ => None,
        }
    }

    /// Whether moves and passes are to be played now.
    pub fn in_play(&self) -> bool {
        matches!(self.stage, Stage::Play)
    }

    /// The stones and the side to move, as a hash.
    pub fn situation(&self) -> u128 {
        self.stones.situation(self.to_move)
    }

    /// Whether a seat may say this now: the seat to move may, and the other may name the dead and resume in the
    /// counting.
    pub fn may_say<M>(&self, seat: Seat, turn: &Turn<M>) -> bool {
        let open_to_both = matches!(turn, Turn::Talk(Talk::Dead(_) | Talk::Resume));
        seat == self.to_move || (open_to_both && matches!(self.stage, Stage::Counting { .. }))
    }

    /// Writes a turn in canonical form: each group named dead once, by its first stone in cell order, in that order.
    pub fn write<M>(&self, turn: &Turn<M>, write_move: impl FnOnce(&M) -> String) -> String {
        let turn = match turn {
            Turn::Talk(Talk::Dead(points)) => {
                let mut firsts: Vec<Point> = points.iter().map(|&point| self.first_of_group(point)).collect();
                firsts.sort_unstable();
                firsts.dedup();
                &Turn::Talk(Talk::Dead(firsts))
            }
            other => other,
        };
        write_turn(turn, self.board, write_move)
    }

    fn first_of_group(&self, point: Point) -> Point {
        self.board
            .graph()
            .group_at(&self.stones, point)
            .and_then(|(_, group)| group.first())
            .unwrap_or(point)
    }

    /// Refuses a move or a pass in the counting.
    pub fn check_in_play(&self) -> Result<(), Reason> {
        if self.in_play() {
            Ok(())
        } else {
            Err(Reason::InTheCounting)
        }
    }

    /// Takes the position after a move of the seat to move.
    pub fn moved(&mut self, stones: Stones<N>) {
        self.stones = stones;
        self.passes = 0;
        self.turn += 1;
        self.to_move = opponent(self.to_move);
    }

    /// Moves the marker one point to a seat's side, in a game that has one.
    pub fn move_marker(&mut self, seat: Seat) {
        if let Scoring::Reversal { marker } = &mut self.scoring {
            *marker = marker.saturating_add(if seat == BLACK { 1 } else { -1 });
        }
    }

    /// The marker's value, as a result of a turn that moved it.
    pub fn marker_effect(&self) -> Option<Effect> {
        match self.scoring {
            Scoring::Reversal { marker } => Some(Effect::Marker { value: marker }),
            Scoring::Removal { .. } => None,
        }
    }

    /// The seat to move passes; the second pass in a row begins the counting or ends the game.
    ///
    /// # Errors
    ///
    /// In the counting.
    pub fn pass(&mut self) -> Result<Vec<Effect>, Reason> {
        self.check_in_play()?;
        let mut effects = vec![Effect::Passed { seat: self.to_move }];
        self.pass_on();
        effects.extend(self.marker_effect());
        match self.stage {
            Stage::Play => {}
            Stage::Counting { first, .. } => effects.push(Effect::Counting { first }),
            Stage::Ended(_) => effects.extend(self.end_effect()),
        }
        Ok(effects)
    }

    /// The pass without its report.
    pub fn pass_on(&mut self) {
        self.move_marker(self.to_move);
        self.passes += 1;
        self.turn += 1;
        self.to_move = opponent(self.to_move);
        if self.passes >= PASSES_TO_END {
            if self.at_once {
                self.end_by_score();
            } else {
                let first = self.to_move;
                self.stage = Stage::Counting { first, proposal: None };
            }
        }
    }

    /// The passes in a row; as many as end the game after its end, and `None` in the counting.
    pub fn passes(&self) -> Option<u8> {
        match self.stage {
            Stage::Play => Some(self.passes),
            Stage::Counting { .. } => None,
            Stage::Ended(_) => Some(PASSES_TO_END),
        }
    }

    /// The reversals that one part of a turn of `seat` made.
    pub fn reversals(&self, seat: Seat, part: usize, reversal: &Reversal<N>) -> impl Iterator<Item = Effect> {
        let lost_by = if reversal.captured.is_empty() {
            Cause::Suicide
        } else {
            Cause::Double
        };
        let (captured, lost) = (reversal.captured, reversal.lost);
        [(captured, seat, Cause::Captured), (lost, opponent(seat), lost_by)]
            .into_iter()
            .filter(|(cells, ..)| !cells.is_empty())
            .map(move |(cells, to, cause)| Effect::Reversed {
                cells: self.board.names(&cells),
                to,
                part,
                cause,
            })
    }

    /// The rosettes that a turn to these stones makes.
    pub fn rosettes(&self, after: Stones<N>) -> impl Iterator<Item = Effect> {
        let new = self.board.graph().new_rings(self.stones, after);
        new.map(|(seat, ring)| Effect::Rosette {
            seat,
            around: ring.around.clone(),
            cells: self.board.names(&ring.points),
        })
    }

    /// A word of the counting.
    ///
    /// # Errors
    ///
    /// Outside the counting; a vacant point or an immune group named dead; `agree` where nothing is proposed.
    pub fn talk(&mut self, seat: Seat, talk: &Talk) -> Result<Vec<Effect>, Reason> {
        let Stage::Counting { first, proposal } = &mut self.stage else {
            return Err(Reason::NotInTheCounting);
        };
        let effects = match talk {
            Talk::Dead(points) => {
                let groups = dead_groups(self.board, &self.stones, points)?;
                let named = named(self.board, &groups);
                *proposal = Some(Proposal { seat, groups });
                self.to_move = opponent(seat);
                vec![Effect::Named { seat, groups: named }]
            }
            Talk::Agree => {
                let Some(proposal) = proposal.take() else {
                    return Err(Reason::NothingProposed);
                };
                let dead = proposal.groups.iter().fold(PointSet::EMPTY, |all, &group| all | group);
                match self.scoring {
                    Scoring::Reversal { .. } => self.stones.reverse(&dead),
                    Scoring::Removal { .. } => self.stones.remove(&dead),
                }
                let cells = self.board.names(&dead);
                self.end_by_score();
                let agreed = Effect::Agreed { seat, cells };
                [agreed].into_iter().chain(self.end_effect()).collect()
            }
            Talk::Resume => {
                self.to_move = *first;
                self.passes = 0;
                self.at_once = true;
                self.stage = Stage::Play;
                vec![Effect::Resumed { seat }]
            }
        };
        self.turn += 1;
        Ok(effects)
    }

    /// A seat resigns.
    pub fn resign(&mut self, seat: Seat) -> Vec<Effect> {
        let outcome = Outcome {
            winner: Some(opponent(seat)),
            reason: "resigned",
            score: None,
        };
        self.turn += 1;
        self.stage = Stage::Ended(outcome.clone());
        vec![Effect::Resigned { seat }, Effect::Ended { outcome, tally: None }]
    }

    /// From now on two passes end the game; in the counting it ends at once.
    pub fn leave_out_counting(&mut self) {
        self.at_once = true;
        if matches!(self.stage, Stage::Counting { .. }) {
            self.end_by_score();
        }
    }

    fn end_by_score(&mut self) {
        let [black, white] = self.tally().each_ref().map(points);
        self.stage = Stage::Ended(Outcome {
            // [decision] Equal scores are a draw.
            winner: match black.total_cmp(&white) {
                std::cmp::Ordering::Greater => Some(BLACK),
                std::cmp::Ordering::Less => Some(WHITE),
                std::cmp::Ordering::Equal => None,
            },
            reason: "score",
            score: Some(vec![black, white]),
        });
    }

    /// The end of a game that was scored.
    fn end_effect(&self) -> Option<Effect> {
        self.outcome().map(|outcome| Effect::Ended {
            outcome: outcome.clone(),
            tally: Some(self.tally().into()),
        })
    }

    /// What each seat has, if the game were scored as the board stands.
    fn tally(&self) -> [Tally; 2] {
        let extra = match self.scoring {
            Scoring::Reversal { marker } => [f64::from(marker.max(0)), -f64::from(marker.min(0))],
            Scoring::Removal { komi } => [0.0, komi],
        };
        let [black, white] = self.board.graph().areas(&self.stones);
        [(black, extra[0]), (white, extra[1])].map(|(Area { stones, points }, extra)| Tally {
            stones,
            cells: points,
            extra,
        })
    }

    /// The part of the JSON that the rules know.
    pub fn facts(&self) -> Facts {
        Facts {
            stones: [BLACK, WHITE].map(|seat| self.board.names(self.stones.of(seat))).into(),
            marker: match self.scoring {
                Scoring::Reversal { marker } => Some(marker),
                Scoring::Removal { .. } => None,
            },
            phase: Some(match self.stage {
                Stage::Counting { .. } => Phase::Counting,
                _ => Phase::Play,
            }),
            ..Facts::default()
        }
    }

    /// The board and what stands below it.
    pub fn diagram(&self) -> Diagram {
        let mut notes = Vec::new();
        if let Scoring::Reversal { marker } = self.scoring {
            notes.push(Note::Marker { value: marker });
        }
        match &self.stage {
            Stage::Play if self.passes > 0 => notes.push(Note::PassedOnce {
                seat: opponent(self.to_move),
                counts: !self.at_once,
            }),
            Stage::Counting {
                proposal: Some(Proposal { seat, groups }),
                ..
            } => notes.push(Note::Proposal {
                seat: *seat,
                groups: named(self.board, groups),
            }),
            _ => {}
        }
        Diagram {
            layout: self.board.layout(),
            cells: self.board.cells(&self.stones, SEATS),
            notes,
        }
    }
}

/// A seat's score.
fn points(tally: &Tally) -> f64 {
    f64::from(tally.stones) + f64::from(tally.cells) + tally.extra
}

/// A whole number without a plus sign.
fn read_marker(text: &str) -> Option<i32> {
    if text.starts_with('+') { None } else { text.parse().ok() }
}

/// The groups of these stones, each once, in the order of their first stones.
fn dead_groups<const N: usize>(
    board: &Board<N>,
    stones: &Stones<N>,
    points: &[Point],
) -> Result<Vec<PointSet<N>>, Reason> {
    let mut groups = Vec::new();
    for &point in points {
        let cell = board.name(point);
        let Some((_, group)) = board.graph().group_at(stones, point) else {
            return Err(Reason::NoStone { cell });
        };
        if board.graph().immune(&group) {
            return Err(Reason::Immune { cell });
        }
        if !groups.contains(&group) {
            groups.push(group);
        }
    }
    groups.sort_by_key(PointSet::first);
    Ok(groups)
}

fn named<const N: usize>(board: &Board<N>, groups: &[PointSet<N>]) -> Groups {
    groups.iter().map(|group| board.names(group)).collect()
}

#[cfg(test)]
mod tests;
