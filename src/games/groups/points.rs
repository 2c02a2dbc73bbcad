//! Points and sets of points as bits.

use std::fmt;
use std::ops::{BitAnd, BitOr, BitOrAssign, Sub, SubAssign};

/// A point of a board, numbered from 0 in cell order.
pub type Point = u16;

/// No board has more points: Rosette with nine hexagons on a side has 486.
pub const MOST_POINTS: usize = 512;

/// A set of points of a board with at most `64 * N` points: bit *p* is point *p*.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct PointSet<const N: usize>([u64; N]);

impl<const N: usize> PointSet<N> {
    /// The set without points.
    pub const EMPTY: Self = PointSet([0; N]);

    /// The set of one point.
    pub fn of(point: Point) -> Self {
        let mut set = Self::EMPTY;
        set.insert(point);
        set
    }

    /// Whether the point is in the set.
    #[inline]
    pub fn contains(&self, point: Point) -> bool {
        self.0[usize::from(point / 64)] & (1 << (point % 64)) != 0
    }

    /// Puts a point into the set; whether it was new.
    #[inline]
    pub fn insert(&mut self, point: Point) -> bool {
        let word = &mut self.0[usize::from(point / 64)];
        let bit = 1 << (point % 64);
        let new = *word & bit == 0;
        *word |= bit;
        new
    }

    /// Takes a point out.
    pub fn remove(&mut self, point: Point) {
        self.0[usize::from(point / 64)] &= !(1 << (point % 64));
    }

    /// The point before which exactly `index` points stand.
    pub fn nth(&self, mut index: usize) -> Option<Point> {
        for (number, &word) in self.0.iter().enumerate() {
            let count = word.count_ones() as usize;
            if index < count {
                let rest = (0..index).fold(word, |rest, _| rest & (rest - 1));
                return Some(number as Point * 64 + rest.trailing_zeros() as Point);
            }
            index -= count;
        }
        None
    }

    /// The lowest point.
    pub fn first(&self) -> Option<Point> {
        let word = self.0.iter().position(|&word| word != 0)?;
        Some(word as Point * 64 + self.0[word].trailing_zeros() as Point)
    }

    /// Takes the lowest point out.
    #[inline]
    pub fn take_first(&mut self) -> Option<Point> {
        for (index, word) in self.0.iter_mut().enumerate() {
            if *word != 0 {
                let bit = word.trailing_zeros();
                *word &= *word - 1;
                return Some(index as Point * 64 + bit as Point);
            }
        }
        None
    }

    /// The number of points.
    pub fn len(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    pub fn is_empty(&self) -> bool {
        self.0 == [0; N]
    }

    /// Whether every point of `other` is in this set.
    pub fn contains_all(&self, other: &Self) -> bool {
        self.0.iter().zip(&other.0).all(|(mine, theirs)| theirs & !mine == 0)
    }

    /// Whether a point is in both sets.
    pub fn touches(&self, other: &Self) -> bool {
        self.0.iter().zip(&other.0).any(|(mine, theirs)| mine & theirs != 0)
    }

    /// The points in order.
    pub fn iter(&self) -> impl Iterator<Item = Point> + use<N> {
        let mut rest = *self;
        std::iter::from_fn(move || rest.take_first())
    }

    fn zip(self, other: Self, join: impl Fn(u64, u64) -> u64) -> Self {
        PointSet(std::array::from_fn(|word| join(self.0[word], other.0[word])))
    }
}

impl<const N: usize> BitOr for PointSet<N> {
    type Output = Self;
    fn bitor(self, other: Self) -> Self {
        self.zip(other, |mine, theirs| mine | theirs)
    }
}

impl<const N: usize> BitAnd for PointSet<N> {
    type Output = Self;
    fn bitand(self, other: Self) -> Self {
        self.zip(other, |mine, theirs| mine & theirs)
    }
}

/// The points that are not in the other set.
impl<const N: usize> Sub for PointSet<N> {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        self.zip(other, |mine, theirs| mine & !theirs)
    }
}

impl<const N: usize> BitOrAssign for PointSet<N> {
    fn bitor_assign(&mut self, other: Self) {
        *self = *self | other;
    }
}

impl<const N: usize> SubAssign for PointSet<N> {
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}

impl<const N: usize> FromIterator<Point> for PointSet<N> {
    fn from_iter<I: IntoIterator<Item = Point>>(points: I) -> Self {
        let mut set = Self::EMPTY;
        for point in points {
            set.insert(point);
        }
        set
    }
}

impl<const N: usize> fmt::Debug for PointSet<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}
