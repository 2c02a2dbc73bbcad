//! The drawing of the board in plain ASCII.

use super::field::row_length;
use crate::games::Cell;

/// The column of the leftmost point.
const MARGIN: usize = 4;
/// Columns from one point to the next, which stands on the other line of the row.
const STEP: usize = 2;
/// Every so-manieth vacant point of a row shows the last digit of its number.
const COUNTED: u8 = 5;

/// Draws the board. A row of points takes two lines, the upper and the lower points, with its letter at both ends of
/// both; a line of bars joins it to the row below. Parentheses around a point that the last turn filled take the place
/// of what is beside it.
pub(in crate::games) fn draw(side: u8, cells: &[Cell]) -> Vec<String> {
    let mut lines = Vec::new();
    for row in (1..=2 * side).rev() {
        let points: Vec<&Cell> = cells.iter().filter(|cell| cell.y == row).collect();
        lines.push(draw_points(side, row, &points, true));
        lines.push(draw_points(side, row, &points, false));
        if row > 1 {
            lines.push(draw_bars(side, row));
        }
    }
    lines
}

/// Whether a point stands on the upper line of its row: odd ones in the lower half of the board, even ones above it.
fn is_upper(side: u8, row: u8, number: u8) -> bool {
    (number % 2 == 1) == (row <= side)
}

fn column(side: u8, row: u8, number: u8) -> usize {
    let indent = if row <= side { side - row } else { row - side - 1 };
    MARGIN + STEP * (usize::from(indent) + usize::from(number) - 1)
}

fn draw_points(side: u8, row: u8, points: &[&Cell], upper: bool) -> String {
    // The longest row, three columns, and the letter.
    let width = column(side, side, row_length(side, side)) + 3;
    let letter = char::from(b'a' + row - 1);
    let mut line = vec![' '; width];
    line[0] = letter;
    line.push(letter);
    if upper {
        // A stroke stands between an upper point and the lower one before or after it.
        for number in 1..row_length(side, row) {
            let rises = !is_upper(side, row, number);
            line[column(side, row, number) + 1] = if rises { '/' } else { '\\' };
        }
    }
    for cell in points.iter().filter(|cell| is_upper(side, row, cell.x) == upper) {
        let place = column(side, row, cell.x);
        line[place] = match cell.letter() {
            '.' if cell.x.is_multiple_of(COUNTED) => char::from(b'0' + cell.x % 10),
            letter => letter,
        };
        if cell.filled {
            line[place - 1] = '(';
            line[place + 1] = ')';
        }
    }
    line.into_iter().collect()
}

/// The bars between a row and the one below it, under the lower points of the row.
fn draw_bars(side: u8, row: u8) -> String {
    let mut line = Vec::new();
    for number in (1..=row_length(side, row)).filter(|&number| !is_upper(side, row, number)) {
        line.resize(column(side, row, number), ' ');
        line.push('|');
    }
    line.into_iter().collect()
}
