//! Squares, and sets of squares as the bits of a `u128`.

use super::men::Side;
use crate::games::notation;
use std::fmt;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, Not};

/// Files and ranks of the board.
pub const WIDTH: u8 = 11;

/// Squares of the board.
pub const SQUARES: u8 = WIDTH * WIDTH;

/// A square, numbered from 0 in cell order: by rank, then by file. The number is always below [`SQUARES`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(u8);

impl Square {
    /// The square on this file and rank, both counted from 0.
    pub const fn at(file: u8, rank: u8) -> Option<Square> {
        if file < WIDTH && rank < WIDTH {
            Some(Square(rank * WIDTH + file))
        } else {
            None
        }
    }

    /// The square with this number.
    pub const fn numbered(number: u8) -> Option<Square> {
        if number < SQUARES { Some(Square(number)) } else { None }
    }

    /// All squares in cell order.
    pub fn all() -> impl Iterator<Item = Square> {
        (0..SQUARES).map(Square)
    }

    /// The file from 0 (a) to 10 (k).
    pub const fn file(self) -> u8 {
        self.0 % WIDTH
    }

    /// The rank from 0 to 10, from White's side.
    pub const fn rank(self) -> u8 {
        self.0 / WIDTH
    }

    /// The rank from 1 to 11 as a player counts it, from his own side.
    pub fn rank_of(self, side: Side) -> u8 {
        match side {
            Side::White => self.rank() + 1,
            Side::Black => WIDTH - self.rank(),
        }
    }

    /// The square as an index into a table of 128, which the compiler knows to be in bounds.
    pub const fn index(self) -> usize {
        (self.0 & 127) as usize
    }

    /// The square as a set of one.
    pub const fn bit(self) -> Squares {
        Squares(1 << self.index())
    }

    /// The square that many files and ranks away.
    pub const fn offset(self, files: i8, ranks: i8) -> Option<Square> {
        let file = self.file() as i8 + files;
        let rank = self.rank() as i8 + ranks;
        if file < 0 || rank < 0 {
            None
        } else {
            Square::at(file as u8, rank as u8)
        }
    }

    /// The square in this one's place when the board is turned by half.
    #[cfg(test)]
    pub fn turned(self) -> Square {
        Square(SQUARES - 1 - self.0)
    }

    /// The square of that name, in any case.
    pub fn named(name: &str) -> Option<Square> {
        let (file, rank) = notation::read_cell(name)?;
        Square::at(file.checked_sub(1)?, rank.checked_sub(1)?)
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&notation::write_cell(self.file() + 1, self.rank() + 1))
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A set of squares. Bits above the last square are never set.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Squares(u128);

impl Squares {
    pub const NONE: Squares = Squares(0);
    pub const ALL: Squares = Squares((1 << SQUARES) - 1);

    /// The rank that a player counts as `rank` (1 to 11) from his own side.
    pub const fn rank_of(side: Side, rank: u8) -> Squares {
        let from_white = match side {
            Side::White => rank - 1,
            Side::Black => WIDTH - rank,
        };
        Squares(((1 << WIDTH) - 1) << (from_white * WIDTH))
    }

    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub const fn contains(self, square: Square) -> bool {
        self.0 & square.bit().0 != 0
    }

    /// Whether the sets have a square in common.
    pub const fn meets(self, other: Squares) -> bool {
        self.0 & other.0 != 0
    }

    /// The squares of both sets together, where a `const` needs it.
    pub const fn union(self, other: Squares) -> Squares {
        Squares(self.0 | other.0)
    }

    /// The squares that are not in `other`.
    pub const fn without(self, other: Squares) -> Squares {
        Squares(self.0 & !other.0)
    }

    /// The number of squares.
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// The first square in cell order.
    pub const fn first(self) -> Option<Square> {
        Square::numbered(self.0.trailing_zeros() as u8)
    }

    /// The last square in cell order.
    pub const fn last(self) -> Option<Square> {
        Square::numbered(127_u32.wrapping_sub(self.0.leading_zeros()) as u8)
    }
}

impl fmt::Debug for Squares {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(*self).finish()
    }
}

impl BitAnd for Squares {
    type Output = Squares;
    fn bitand(self, other: Squares) -> Squares {
        Squares(self.0 & other.0)
    }
}

impl BitAndAssign for Squares {
    fn bitand_assign(&mut self, other: Squares) {
        self.0 &= other.0;
    }
}

impl BitOr for Squares {
    type Output = Squares;
    fn bitor(self, other: Squares) -> Squares {
        Squares(self.0 | other.0)
    }
}

impl BitOrAssign for Squares {
    fn bitor_assign(&mut self, other: Squares) {
        self.0 |= other.0;
    }
}

impl BitXor for Squares {
    type Output = Squares;
    fn bitxor(self, other: Squares) -> Squares {
        Squares(self.0 ^ other.0)
    }
}

impl Not for Squares {
    type Output = Squares;
    fn not(self) -> Squares {
        Squares(!self.0 & Squares::ALL.0)
    }
}

impl FromIterator<Square> for Squares {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> Squares {
        squares
            .into_iter()
            .fold(Squares::NONE, |set, square| set | square.bit())
    }
}

impl IntoIterator for Squares {
    type Item = Square;
    type IntoIter = Iter;
    fn into_iter(self) -> Iter {
        Iter(self)
    }
}

/// The squares of a set in cell order.
pub struct Iter(Squares);

impl Iterator for Iter {
    type Item = Square;

    fn next(&mut self) -> Option<Square> {
        let square = self.0.first()?;
        self.0.0 &= self.0.0 - 1;
        Some(square)
    }
}
