//! What a man on a square reaches: tables that the compiler computes, and slides among other men.

use super::men::{Kind, Side};
use super::squares::{SQUARES, Square, Squares};

/// A table by square; 128 entries, so that no index needs a bounds check. The last ones stay empty.
type Table = [Squares; 128];

/// The eight directions as files and ranks. Towards the first four the numbers of squares grow.
const DIRECTIONS: [(i8, i8); 8] = [(0, 1), (1, 0), (1, 1), (-1, 1), (0, -1), (-1, 0), (-1, -1), (1, -1)];

/// How many of [`DIRECTIONS`] lead to squares with higher numbers.
const RISING: usize = 4;

const LEAPS: [(i8, i8); 8] = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];

/// One step in eight directions: King, Medusa, and the reach of petrification.
static STEPS: Table = offsets(&DIRECTIONS);

static KNIGHT: Table = offsets(&LEAPS);

/// The squares on which a Pawn captures, by its side.
static PAWN: [Table; 2] = [offsets(&[(-1, 1), (1, 1)]), offsets(&[(-1, -1), (1, -1)])];

/// The squares from a square to the edge of the board, by direction.
static RAYS: [Table; 8] = rays();

/// The Queen's squares on an empty board.
static LINES: Table = lines();

const fn offsets(offsets: &[(i8, i8)]) -> Table {
    let mut table = [Squares::NONE; 128];
    let mut number = 0;
    while let Some(square) = Square::numbered(number) {
        let mut index = 0;
        while index < offsets.len() {
            let (files, ranks) = offsets[index];
            if let Some(to) = square.offset(files, ranks) {
                table[square.index()] = table[square.index()].union(to.bit());
            }
            index += 1;
        }
        number += 1;
    }
    table
}

const fn rays() -> [Table; 8] {
    let mut rays = [[Squares::NONE; 128]; 8];
    let mut direction = 0;
    while direction < DIRECTIONS.len() {
        let (files, ranks) = DIRECTIONS[direction];
        let mut number = 0;
        while let Some(square) = Square::numbered(number) {
            let mut here = square;
            while let Some(next) = here.offset(files, ranks) {
                rays[direction][square.index()] = rays[direction][square.index()].union(next.bit());
                here = next;
            }
            number += 1;
        }
        direction += 1;
    }
    rays
}

const fn lines() -> Table {
    let rays = rays();
    let mut table = [Squares::NONE; 128];
    let mut number = 0;
    while number < SQUARES {
        let mut direction = 0;
        while direction < DIRECTIONS.len() {
            table[number as usize] = table[number as usize].union(rays[direction][number as usize]);
            direction += 1;
        }
        number += 1;
    }
    table
}

/// A direction in which men slide.
#[derive(Clone, Copy)]
pub struct Direction(usize);

impl Direction {
    pub const ALL: [Direction; 8] = [
        Direction(0),
        Direction(1),
        Direction(2),
        Direction(3),
        Direction(4),
        Direction(5),
        Direction(6),
        Direction(7),
    ];
    /// Along ranks and files.
    pub const STRAIGHT: [Direction; 4] = [Direction(0), Direction(1), Direction(4), Direction(5)];
    /// Along slants.
    pub const ASLANT: [Direction; 4] = [Direction(2), Direction(3), Direction(6), Direction(7)];

    /// Whether the direction leads along a rank or a file.
    #[inline(always)]
    pub fn is_straight(self) -> bool {
        let (files, ranks) = DIRECTIONS[self.0 & 7];
        files == 0 || ranks == 0
    }

    /// The squares from `from` to the edge.
    #[inline(always)]
    pub fn ray(self, from: Square) -> Squares {
        RAYS[self.0 & 7][from.index()]
    }

    /// Of squares on one ray in this direction the one nearest to the ray's start.
    #[inline(always)]
    pub fn nearest(self, squares: Squares) -> Option<Square> {
        if self.0 < RISING {
            squares.first()
        } else {
            squares.last()
        }
    }

    /// The squares that a slide reaches, the first occupied one included.
    #[inline(always)]
    pub fn slide(self, from: Square, occupied: Squares) -> Squares {
        let ray = self.ray(from);
        match self.nearest(ray & occupied) {
            Some(stop) => ray ^ self.ray(stop),
            None => ray,
        }
    }
}

/// One step in eight directions.
#[inline(always)]
pub fn steps(from: Square) -> Squares {
    STEPS[from.index()]
}

#[inline(always)]
pub fn knight(from: Square) -> Squares {
    KNIGHT[from.index()]
}

/// The squares on which a Pawn of `side` captures.
#[inline(always)]
pub fn pawn(side: Side, from: Square) -> Squares {
    PAWN[side.index()][from.index()]
}

/// All squares on the straight and slanting lines through a square.
#[inline(always)]
pub fn lines_through(square: Square) -> Squares {
    LINES[square.index()]
}

pub fn straight(from: Square, occupied: Squares) -> Squares {
    slides(Direction::STRAIGHT, from, occupied)
}

pub fn aslant(from: Square, occupied: Squares) -> Squares {
    slides(Direction::ASLANT, from, occupied)
}

#[inline(always)]
fn slides(directions: [Direction; 4], from: Square, occupied: Squares) -> Squares {
    directions.into_iter().fold(Squares::NONE, |reached, direction| {
        reached | direction.slide(from, occupied)
    })
}

/// The squares that a sliding or leaping man reaches, the first occupied ones included. Nothing for a King, a Medusa
/// or a Pawn.
#[inline(always)]
pub fn piece(kind: Kind, from: Square, occupied: Squares) -> Squares {
    let mut reached = Squares::NONE;
    if kind.slides_straight() {
        reached |= straight(from, occupied);
    }
    if kind.slides_aslant() {
        reached |= aslant(from, occupied);
    }
    if kind.leaps() {
        reached |= knight(from);
    }
    reached
}

/// The squares that are one step away from a square of the set.
#[inline(always)]
pub fn around(squares: Squares) -> Squares {
    squares
        .into_iter()
        .fold(Squares::NONE, |reached, square| reached | steps(square))
}
