//! The coordinates of a board, where the ASCII board has them.

use super::{PITCH, Point, on_paper};
use crate::games::plane;
use crate::games::{Cell, Diagram, Layout};

/// How large a label is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Size {
    /// Rows and columns.
    Edge,
    /// Numbers of single points.
    Cell,
}

impl Size {
    pub(super) fn class(self) -> &'static str {
        match self {
            Size::Edge => "label",
            Size::Cell => "small",
        }
    }

    /// The height of the letters.
    pub(super) fn pixels(self) -> f64 {
        match self {
            Size::Edge => 15.0,
            Size::Cell => 10.0,
        }
    }
}

/// A word of the coordinates; its middle lies at `point`.
pub(super) struct Label {
    pub(super) text: String,
    pub(super) point: Point,
    pub(super) size: Size,
}

impl Label {
    fn edge(text: impl ToString, point: Point) -> Label {
        Label {
            text: text.to_string(),
            point,
            size: Size::Edge,
        }
    }
}

/// The labels of a board.
pub(super) fn labels(diagram: &Diagram) -> Vec<Label> {
    match diagram.layout {
        Layout::Hexagon { side } => hexagon(side),
        Layout::Lotus => points(diagram, |_| true, |_| (0.3, -0.36)),
        Layout::Honeycomb { side } => {
            let is_counted = |cell: &Cell| cell.x.is_multiple_of(COUNTED);
            points(diagram, is_counted, |cell| {
                let is_upper = (cell.x % 2 == 1) == (cell.y <= side);
                (0.47, if is_upper { 0.2 } else { -0.2 })
            })
        }
        Layout::Squares { files, ranks } => squares(files, ranks),
    }
}

/// Every so-manieth point of a row of the honeycomb shows its number.
const COUNTED: u8 = 5;

/// Rows that are nearer than this (in units) have their letters beside, not above, each other.
const NEAR: f64 = 0.45;

/// The letter of a row or column: 1 is a.
fn letter(number: u8) -> char {
    char::from(b'a' + number - 1)
}

/// Numbers at the left ends of the rows, letters at the lower ends of the slants.
fn hexagon(side: u8) -> Vec<Label> {
    let last = 2 * side - 1;
    let beside = |x: u8, y: u8, (dx, dy): (f64, f64)| {
        let (x, y) = plane::hexagon_place(side, x, y).xy();
        on_paper((x + dx, y + dy))
    };
    let numbers = (1..=last).map(|y| {
        let first = (y + 1).saturating_sub(side).max(1);
        Label::edge(y, beside(first, y, (-0.85, 0.0)))
    });
    let letters = (1..=last).map(|x| {
        let lowest = (x + 1).saturating_sub(side).max(1);
        // One step along the slant, to the lower right.
        Label::edge(letter(x), beside(x, lowest, (0.44, -0.78)))
    });
    numbers.chain(letters).collect()
}

/// Letters of the rows at both ends, and numbers beside some of the points, so far from them (in units).
fn points(diagram: &Diagram, is_numbered: impl Fn(&Cell) -> bool, away: impl Fn(&Cell) -> (f64, f64)) -> Vec<Label> {
    let places = plane::places(diagram.layout, &diagram.cells);
    let at = |index: usize| places[index].xy();
    let widest = (0..places.len()).map(|index| at(index).0).fold(0.0, f64::max) + 0.9;
    let cells: Vec<(usize, &Cell)> = diagram.cells.iter().enumerate().collect();
    let mut labels = Vec::new();
    let (mut height, mut is_outside) = (f64::NEG_INFINITY, false);
    for row in cells.chunk_by(|(_, one), (_, next)| one.y == next.y) {
        let middle = row.iter().map(|&(index, _)| at(index).1).sum::<f64>() / row.len() as f64;
        is_outside = middle - height < NEAR && !is_outside;
        height = middle;
        let across = if is_outside { widest + NEAR } else { widest };
        if let Some((_, cell)) = row.first() {
            let ends = [-across, across].map(|x| on_paper((x, middle)));
            labels.extend(ends.map(|point| Label::edge(letter(cell.y), point)));
        }
        for (index, cell) in row.iter().filter(|(_, cell)| is_numbered(cell)) {
            let ((x, y), (dx, dy)) = (at(*index), away(cell));
            labels.push(Label {
                text: cell.x.to_string(),
                point: on_paper((x + dx, y + dy)),
                size: Size::Cell,
            });
        }
    }
    labels
}

/// Files above and below, ranks at both sides.
fn squares(files: u8, ranks: u8) -> Vec<Label> {
    let beside = 0.8 * PITCH;
    let (left, right) = (PITCH - beside, f64::from(files) * PITCH + beside);
    let (below, above) = (-PITCH + beside, -f64::from(ranks) * PITCH - beside);
    let of_files = (1..=files).flat_map(|file| {
        let x = f64::from(file) * PITCH;
        [below, above].map(|y| Label::edge(letter(file), (x, y)))
    });
    let of_ranks = (1..=ranks).flat_map(|rank| {
        let y = -f64::from(rank) * PITCH;
        [left, right].map(|x| Label::edge(rank, (x, y)))
    });
    of_files.chain(of_ranks).collect()
}
