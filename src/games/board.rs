//! A board of points with names, as the three games of groups see it: a [`Graph`] whose points can be read and written.

use super::groups::{Graph, Point, PointSet, Ring, Stones};
use super::notation::{not_a_cell, read_cell, read_rows, write_cell, write_rows};
use super::{Cell, Layout, Mark, PositionError, Reason, Seat};
use std::ops::Range;

/// What the letter of a point's name counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Letters {
    /// The columns: the name is the letter of x and the number y (Medusa).
    Columns,
    /// The rows: the name is the letter of y and the number x (Lotus, Rosette).
    Rows,
}

/// Points in cell order, their names and neighbours. Made once and shared by all games on it.
#[derive(Debug)]
pub struct Board<const N: usize> {
    graph: Graph<N>,
    layout: Layout,
    letters: Letters,
    /// Where each point stands, from (1, 1): x, the column or the number in the row, and y, the row from the bottom.
    places: Vec<(u8, u8)>,
    /// The name of each point, as it is asked for by the hundred when a large group changes hands.
    names: Vec<String>,
    /// The points of each row from the bottom up.
    rows: Vec<Range<Point>>,
}

impl<const N: usize> Board<N> {
    /// A board from the places (x, y) of its points in cell order (by y, then by x), the neighbours of each and the
    /// points of every ring with the place that it is called after.
    pub fn new(
        layout: Layout,
        letters: Letters,
        places: Vec<(u8, u8)>,
        neighbours: impl IntoIterator<Item = Vec<Point>>,
        rings: impl IntoIterator<Item = ((u8, u8), PointSet<N>)>,
    ) -> Self {
        debug_assert!(places.is_sorted_by_key(|&(x, y)| (y, x)));
        let rings = rings
            .into_iter()
            .map(|(around, points)| Ring {
                points,
                around: name(letters, around),
            })
            .collect();
        let mut rows: Vec<Range<Point>> = Vec::new();
        for row in places.chunk_by(|one, next| one.1 == next.1) {
            let first = rows.last().map_or(0, |row| row.end);
            rows.push(first..first + row.len() as Point);
        }
        Board {
            graph: Graph::new(neighbours, rings),
            layout,
            letters,
            names: places.iter().map(|&place| name(letters, place)).collect(),
            places,
            rows,
        }
    }

    pub fn graph(&self) -> &Graph<N> {
        &self.graph
    }

    pub fn layout(&self) -> Layout {
        self.layout
    }

    /// The point at (x, y), if the board has it.
    pub fn at(&self, (x, y): (u8, u8)) -> Option<Point> {
        let index = self.places.binary_search_by_key(&(y, x), |&(x, y)| (y, x)).ok()?;
        Some(index as Point)
    }

    /// Where a point stands: (x, y).
    pub fn place(&self, point: Point) -> (u8, u8) {
        self.places[usize::from(point)]
    }

    /// The name of a point: `d4`.
    pub fn name(&self, point: Point) -> String {
        self.names[usize::from(point)].clone()
    }

    /// The names of points, in cell order.
    pub fn names(&self, points: &PointSet<N>) -> Vec<String> {
        points.iter().map(|point| self.name(point)).collect()
    }

    /// The point of that name, in any case.
    ///
    /// # Errors
    ///
    /// The name of no point of this board, or no name at all.
    pub fn named(&self, word: &str) -> Result<Point, Reason> {
        read_cell(word)
            .and_then(|(letter, number)| {
                self.at(match self.letters {
                    Letters::Columns => (letter, number),
                    Letters::Rows => (number, letter),
                })
            })
            .ok_or_else(|| not_a_cell(word))
    }

    /// Reads the rows of a position text, from the top row down.
    ///
    /// # Errors
    ///
    /// Malformed rows, and a dead group, which no position can hold.
    pub fn read_stones(&self, text: &str, seats: &str) -> Result<Stones<N>, PositionError> {
        let lengths: Vec<usize> = self.rows.iter().rev().map(Range::len).collect();
        let rows = read_rows(text, &lengths, |letter| seat_of(letter, seats))?;
        let mut stones = Stones::NONE;
        for (row, cells) in self.rows.iter().rev().zip(rows) {
            for (point, seat) in row.clone().zip(cells) {
                if let Some(seat) = seat {
                    stones.put(seat, point);
                }
            }
        }
        match self.graph.first_dead(&stones) {
            None => Ok(stones),
            Some(point) => Err(PositionError(format!(
                "the group at {} has no liberty",
                self.name(point)
            ))),
        }
    }

    /// Writes the rows of a position text.
    pub fn write_stones(&self, stones: &Stones<N>, seats: &str) -> String {
        let letter = |point| seats.chars().nth(stones.at(point)?.index());
        write_rows(self.rows.iter().rev().map(|row| row.clone().map(letter)))
    }

    /// The points with their stones, as a diagram holds them.
    pub fn cells(&self, stones: &Stones<N>, seats: &str) -> Vec<Cell> {
        (0..self.graph.len() as Point)
            .map(|point| {
                let (x, y) = self.place(point);
                Cell {
                    mark: stones.at(point).and_then(|seat| mark(seat, seats)),
                    ..Cell::empty(self.name(point), x, y)
                }
            })
            .collect()
    }
}

fn name(letters: Letters, (x, y): (u8, u8)) -> String {
    match letters {
        Letters::Columns => write_cell(x, y),
        Letters::Rows => write_cell(y, x),
    }
}

/// The seat of that name, which in a position text stands in its own case.
pub fn seat_of(letter: char, seats: &str) -> Option<Seat> {
    seats
        .chars()
        .position(|seat| seat == letter)
        .map(|index| Seat(index as u8))
}

fn mark(seat: Seat, seats: &str) -> Option<Mark> {
    Some(Mark {
        seat,
        letter: seats.chars().nth(seat.index())?,
        morph: false,
        stone: false,
        out: false,
    })
}
