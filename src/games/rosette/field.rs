//! The vertices of a honeycomb in the shape of a hexagon with n hexagons on each side: 6n² points on 2n zigzag rows.

use super::{LARGEST_SIDE, SMALLEST_SIDE, WORDS};
use crate::games::Layout;
use crate::games::board::{Board, Letters};
use crate::games::groups::Point;
use crate::games::plane::Place;
use std::sync::OnceLock;

const SIZES: usize = (LARGEST_SIDE - SMALLEST_SIDE + 1) as usize;

static FIELDS: [OnceLock<Board<WORDS>>; SIZES] = [const { OnceLock::new() }; SIZES];

/// The board with `side` hexagons on a side, made once; a side that is not allowed gives the nearest that is.
pub(super) fn field(side: u8) -> &'static Board<WORDS> {
    let side = side.clamp(SMALLEST_SIDE, LARGEST_SIDE);
    FIELDS[usize::from(side - SMALLEST_SIDE)].get_or_init(|| build(side))
}

/// The number of points on row `row`, counted from 1 at the bottom.
pub(super) fn row_length(side: u8, row: u8) -> u8 {
    if row <= side {
        2 * side - 1 + 2 * row
    } else {
        2 * side + 1 + 2 * (2 * side - row)
    }
}

/// The number, on the row above, of the point that hangs together with point `number` of row `row`, if one does.
fn above(side: u8, row: u8, number: u8) -> Option<u8> {
    let odd = number % 2 == 1;
    if row == 2 * side {
        None
    } else if row < side {
        odd.then_some(number + 1)
    } else if row == side {
        odd.then_some(number)
    } else {
        (!odd).then(|| number - 1)
    }
}

/// Where a point lies, the middle of the board being the origin: rows are 3/2 apart, points of a row √3/2, and an upper
/// point stands half a unit above the lower ones.
pub(in crate::games) fn lies_at(side: u8, number: u8, row: u8) -> Place {
    let [n, number, row] = [side, number, row].map(i32::from);
    let in_lower_half = row <= n;
    let is_upper = (number % 2 == 1) == in_lower_half;
    let (indent, half_units) = if in_lower_half {
        (n - row, -1 - 3 * (n - row) - i32::from(!is_upper))
    } else {
        (row - n - 1, 1 + 3 * (row - n - 1) + i32::from(is_upper))
    };
    let column = indent + number - 2 * n;
    // √3/2 is the width of ζ, and its height one half.
    Place::new(0, column, 0, (half_units - column) / 2)
}

fn build(side: u8) -> Board<WORDS> {
    let places: Vec<(u8, u8)> = (1..=2 * side)
        .flat_map(|row| (1..=row_length(side, row)).map(move |number| (number, row)))
        .collect();
    let point = |number: u8, row: u8| {
        let index = places.binary_search_by_key(&(row, number), |&(number, row)| (row, number));
        index.ok().map(|index| index as Point)
    };
    let mut neighbours: Vec<Vec<Point>> = vec![Vec::new(); places.len()];
    let mut join = |one: Option<Point>, other: Option<Point>| {
        if let (Some(one), Some(other)) = (one, other) {
            neighbours[usize::from(one)].push(other);
            neighbours[usize::from(other)].push(one);
        }
    };
    for &(number, row) in &places {
        let here = point(number, row);
        join(here, point(number + 1, row));
        join(here, above(side, row, number).and_then(|number| point(number, row + 1)));
    }
    let rings: Vec<_> = places
        .iter()
        .filter(|&&(number, row)| number + 2 <= row_length(side, row))
        .filter_map(|&(number, row)| {
            let first = above(side, row, number)?;
            let points = (0..3).flat_map(|step| [point(number + step, row), point(first + step, row + 1)]);
            Some(((number, row), points.flatten().collect()))
        })
        .collect();
    Board::new(Layout::Honeycomb { side }, Letters::Rows, places, neighbours, rings)
}
