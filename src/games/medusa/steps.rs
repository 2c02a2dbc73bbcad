//! The two phases of a turn: a placement, and the movement of groups.

use super::{FIELD, WORDS};
use crate::games::groups::{Point, PointSet, Reversal, Stones, opponent};
use crate::games::hexagon::DIRECTIONS;
use crate::games::{Reason, Seat};

/// Places a stone and resolves the captures: step 2 may turn it, alone (suicide) or after captures. [decision] The
/// double reversal is stated by the inventor for Lotus only.
///
/// # Errors
///
/// A cell that is taken.
pub(super) fn place(stones: &mut Stones<WORDS>, seat: Seat, cell: Point) -> Result<Reversal<WORDS>, Reason> {
    let board = &FIELD.board;
    if stones.at(cell).is_some() {
        return Err(Reason::Taken { cell: board.name(cell) });
    }
    stones.put(seat, cell);
    Ok(board.graph().reverse_dead(stones, seat, cell))
}

/// Moves a group by the stone on `from`, which jumps over its own row to `to`, and resolves the captures; gives the
/// captured stones. `spent` holds the stones that may not move any more in this turn.
///
/// [decision] All stones of the group are spent, with `to` in place of `from`, and so are parts that the movement
/// splits off: "no group may move more than once", and otherwise a big group could move as often as it can be split.
///
/// # Errors
///
/// Whatever the rules forbid here.
pub(super) fn move_group(
    stones: &mut Stones<WORDS>,
    spent: &mut PointSet<WORDS>,
    seat: Seat,
    from: Point,
    to: Point,
) -> Result<PointSet<WORDS>, Reason> {
    let board = &FIELD.board;
    let group = match board.graph().group_at(stones, from) {
        Some((owner, group)) if owner == seat => group,
        _ => return Err(Reason::NotYours { cell: board.name(from) }),
    };
    if group.touches(spent) {
        return Err(Reason::Spent { cell: board.name(from) });
    }
    check_jump(stones, seat, from, to)?;
    *spent |= (group - PointSet::of(from)) | PointSet::of(to);
    Ok(jump(stones, seat, from, to))
}

/// Carries out a jump that is known to be legal, and gives the captured stones. It is never suicidal: the stone stays
/// connected to the row that it jumped, and that row touches the cell it left.
pub(super) fn jump(stones: &mut Stones<WORDS>, seat: Seat, from: Point, to: Point) -> PointSet<WORDS> {
    stones.remove(&PointSet::of(from));
    stones.put(seat, to);
    let reversal = FIELD.board.graph().reverse_dead(stones, seat, to);
    debug_assert!(reversal.lost.is_empty());
    reversal.captured
}

/// Where the stone on `from` can jump to, whatever its group has done in this turn.
pub(super) fn landings(stones: &Stones<WORDS>, seat: Seat, from: Point) -> impl Iterator<Item = Point> {
    (0..DIRECTIONS.len()).filter_map(move |direction| match row_end(stones, seat, from, direction) {
        RowEnd::Vacant(cell) => Some(cell),
        _ => None,
    })
}

/// What comes behind the row of a seat's stones next to a cell in one direction.
enum RowEnd {
    /// There is no row: the next cell has no stone of the seat's.
    NoRow,
    /// The first cell behind the row, where the stone would land.
    Vacant(Point),
    /// An enemy stone.
    Stone(Point),
    /// The end of the line.
    Edge,
}

fn row_end(stones: &Stones<WORDS>, seat: Seat, from: Point, direction: usize) -> RowEnd {
    let mut at = from;
    let mut jumped = false;
    loop {
        match FIELD.next[usize::from(at)][direction] {
            Some(next) if stones.of(seat).contains(next) => {
                at = next;
                jumped = true;
            }
            _ if !jumped => return RowEnd::NoRow,
            None => return RowEnd::Edge,
            Some(next) if stones.of(opponent(seat)).contains(next) => return RowEnd::Stone(next),
            Some(next) => return RowEnd::Vacant(next),
        }
    }
}

/// Whether the stone on `from` can jump to `to`, or why not.
fn check_jump(stones: &Stones<WORDS>, seat: Seat, from: Point, to: Point) -> Result<(), Reason> {
    let board = &FIELD.board;
    let names = || (board.name(from), board.name(to));
    if from == to {
        return Err(Reason::SameCell { cell: board.name(from) });
    }
    let (from_name, to_name) = names();
    let Some(direction) = direction_of(from, to) else {
        return Err(Reason::NotOnALine {
            from: from_name,
            to: to_name,
        });
    };
    match row_end(stones, seat, from, direction) {
        RowEnd::Vacant(landing) if landing == to => Ok(()),
        RowEnd::Vacant(landing) => Err(Reason::LandsElsewhere {
            from: from_name,
            to: to_name,
            landing: board.name(landing),
        }),
        RowEnd::NoRow => Err(Reason::NothingToJump {
            from: from_name,
            to: to_name,
        }),
        RowEnd::Stone(cell) => Err(Reason::RowBlocked {
            from: from_name,
            to: to_name,
            cell: board.name(cell),
        }),
        RowEnd::Edge => Err(Reason::RowEndsAtEdge {
            from: from_name,
            to: to_name,
        }),
    }
}

/// The direction of the line that two cells lie on, as an index of [`DIRECTIONS`].
fn direction_of(from: Point, to: Point) -> Option<usize> {
    (0..DIRECTIONS.len()).find(|&direction| {
        let line = std::iter::successors(FIELD.next[usize::from(from)][direction], |&cell| {
            FIELD.next[usize::from(cell)][direction]
        });
        line.into_iter().any(|cell| cell == to)
    })
}
