//! Sets of cells as bits, and the geometry of a board in those bits.
//!
//! The cell (x, y) of a board of side n is the bit (y − 1)(2n − 1) + (x − 1), so that bits stand in cell order and
//! each of the six steps is one shift of the whole set. A step off the end of a row never lands on a cell: the last
//! column has cells only in the rows from n up, the first only in the rows to n.

use crate::games::hexagon::Hexagon;
use std::ops::{BitAnd, BitOr, Range};
use std::sync::OnceLock;

/// Words of a set that holds every board: 19 × 19 bits.
pub const WIDE: usize = 6;

/// Words of a set that holds the boards up to [`NARROW_SIDE`]: 11 × 11 bits. The fast loops run on these.
pub const NARROW: usize = 2;

/// The largest board that fits into [`NARROW`] words.
pub const NARROW_SIDE: u8 = 6;

/// A cell of a board: its bit.
pub type Bit = u16;

/// A set of cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Set<const N: usize>(pub [u64; N]);

impl<const N: usize> Set<N> {
    pub const EMPTY: Self = Set([0; N]);

    pub fn of(bit: Bit) -> Self {
        let mut set = Self::EMPTY;
        set.insert(bit);
        set
    }

    pub fn insert(&mut self, bit: Bit) {
        self.0[usize::from(bit / 64)] |= 1 << (bit % 64);
    }

    pub fn remove(&mut self, bit: Bit) {
        self.0[usize::from(bit / 64)] &= !(1 << (bit % 64));
    }

    pub fn contains(&self, bit: Bit) -> bool {
        self.0[usize::from(bit / 64)] >> (bit % 64) & 1 == 1
    }

    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|&word| word == 0)
    }

    pub fn count(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// The cells that are not in `other`.
    pub fn without(mut self, other: Self) -> Self {
        self.0.iter_mut().zip(other.0).for_each(|(word, other)| *word &= !other);
        self
    }

    /// Every cell moved by `steps` bits, 1 to 63; back where it is negative. Bits beyond the ends are lost.
    pub fn shifted(self, steps: i8) -> Self {
        let mut moved = Self::EMPTY;
        let distance = u32::from(steps.unsigned_abs());
        let rest = 64 - distance;
        for word in 0..N {
            moved.0[word] = if steps > 0 {
                self.0[word] << distance | if word > 0 { self.0[word - 1] >> rest } else { 0 }
            } else {
                self.0[word] >> distance | if word + 1 < N { self.0[word + 1] << rest } else { 0 }
            };
        }
        moved
    }

    /// The cells in cell order.
    pub fn iter(self) -> impl Iterator<Item = Bit> {
        (0..).step_by(64).zip(self.0).flat_map(|(first, mut word)| {
            std::iter::from_fn(move || {
                let bit = (word != 0).then(|| first + word.trailing_zeros() as Bit)?;
                word &= word - 1;
                Some(bit)
            })
        })
    }

    /// The cell that has `place` cells of the set before it.
    pub fn nth(self, mut place: usize) -> Option<Bit> {
        for (first, word) in (0..).step_by(64).zip(self.0) {
            let count = word.count_ones() as usize;
            if place < count {
                return Some(first + nth_in_word(word, place));
            }
            place -= count;
        }
        None
    }
}

/// The bit of `word` that has `place` set bits below it; there is one.
fn nth_in_word(mut word: u64, mut place: usize) -> Bit {
    let mut bit = 0;
    for half in [32, 16, 8] {
        let low = word & ((1 << half) - 1);
        let count = low.count_ones() as usize;
        if place < count {
            word = low;
        } else {
            place -= count;
            word >>= half;
            bit += half;
        }
    }
    for _ in 0..place {
        word &= word - 1;
    }
    bit + word.trailing_zeros() as Bit
}

impl<const N: usize> BitAnd for Set<N> {
    type Output = Self;

    fn bitand(mut self, other: Self) -> Self {
        self.0.iter_mut().zip(other.0).for_each(|(word, other)| *word &= other);
        self
    }
}

impl<const N: usize> BitOr for Set<N> {
    type Output = Self;

    fn bitor(mut self, other: Self) -> Self {
        self.0.iter_mut().zip(other.0).for_each(|(word, other)| *word |= other);
        self
    }
}

/// A board of one size.
#[derive(Debug)]
pub struct Grid<const N: usize> {
    pub side: u8,
    /// All cells.
    pub board: Set<N>,
    /// The six steps to a neighbour, in bits.
    pub steps: [i8; 6],
    /// By cell: its neighbours.
    around: Vec<Set<N>>,
    /// The cells of each row from the top down, as places in cell order.
    rows_down: Vec<Range<usize>>,
}

impl<const N: usize> Grid<N> {
    fn new(side: u8) -> Self {
        let hexagon = Hexagon::new(side, |_, _| true);
        let width = 2 * side - 1;
        let bit = |cell: usize| {
            let (x, y) = hexagon.coordinates(cell);
            Bit::from(y - 1) * Bit::from(width) + Bit::from(x - 1)
        };
        let mut board = Set::EMPTY;
        let mut around = vec![Set::EMPTY; usize::from(width) * usize::from(width)];
        for cell in 0..hexagon.len() {
            board.insert(bit(cell));
            for &neighbour in hexagon.neighbours(cell) {
                around[usize::from(bit(cell))].insert(bit(neighbour));
            }
        }
        let row = width as i8;
        Grid {
            side,
            board,
            steps: [1, -1, row, -row, row + 1, -row - 1],
            around,
            rows_down: hexagon.rows_down().collect(),
        }
    }

    fn width(&self) -> u8 {
        2 * self.side - 1
    }

    /// The neighbours of a cell.
    pub fn around(&self, cell: Bit) -> Set<N> {
        self.around[usize::from(cell)]
    }

    /// The cell at (x, y), if the board has it.
    pub fn at(&self, x: u8, y: u8) -> Option<Bit> {
        let width = self.width();
        let fits = (1..=width).contains(&x) && (1..=width).contains(&y) && x.abs_diff(y) < self.side;
        fits.then(|| Bit::from(y - 1) * Bit::from(width) + Bit::from(x - 1))
    }

    /// The coordinates (x, y) of a cell.
    pub fn coordinates(&self, cell: Bit) -> (u8, u8) {
        let width = Bit::from(self.width());
        ((cell % width + 1) as u8, (cell / width + 1) as u8)
    }

    /// The cells of each row, from the top row down: the order of a position text.
    pub fn rows_down(&self) -> Vec<Vec<Bit>> {
        let cells: Vec<Bit> = self.board.iter().collect();
        self.rows_down.iter().map(|row| cells[row.clone()].to_vec()).collect()
    }
}

impl Grid<WIDE> {
    /// The board with `side` cells on each side, 1 … 10.
    pub fn wide(side: u8) -> &'static Self {
        static GRIDS: [OnceLock<Grid<WIDE>>; 11] = [const { OnceLock::new() }; 11];
        GRIDS[usize::from(side)].get_or_init(|| Grid::new(side))
    }
}

impl Grid<NARROW> {
    /// The board with `side` cells on each side, at most [`NARROW_SIDE`].
    pub fn narrow(side: u8) -> &'static Self {
        static GRIDS: [OnceLock<Grid<NARROW>>; 7] = [const { OnceLock::new() }; 7];
        GRIDS[usize::from(side)].get_or_init(|| Grid::new(side))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shift_of_the_whole_set_finds_the_neighbours_and_no_more() {
        for side in 2..=10 {
            let grid = Grid::wide(side);
            for cell in grid.board.iter() {
                let shifted = grid.steps.map(|step| Set::of(cell).shifted(step) & grid.board);
                let around = shifted.into_iter().fold(Set::EMPTY, |all, one| all | one);
                assert_eq!(around, grid.around(cell), "side {side}, {:?}", grid.coordinates(cell));
            }
        }
    }

    #[test]
    fn the_nth_cell_is_the_nth_that_is_listed() {
        let set = Grid::wide(10).board;
        for (place, cell) in set.iter().enumerate() {
            assert_eq!(set.nth(place), Some(cell));
        }
        assert_eq!(set.nth(set.count()), None);
    }

    #[test]
    fn cells_and_coordinates_belong_together() {
        let grid = Grid::narrow(5);
        for cell in grid.board.iter() {
            let (x, y) = grid.coordinates(cell);
            assert_eq!(grid.at(x, y), Some(cell));
        }
        assert_eq!(grid.at(1, 6), None);
        assert_eq!(grid.at(0, 0), None);
        assert_eq!(grid.at(10, 9), None);
    }
}
