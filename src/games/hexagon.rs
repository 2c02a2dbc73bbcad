//! The hexagon of hexagons: the board of Susan, and with its dark cells taken out that of Medusa.
//!
//! A board of side *n* has the cells (x, y), 1 ≤ x, y ≤ 2n − 1, with |x − y| ≤ n − 1. A cell's name is the letter of x
//! and the number y. Cells stand in cell order: by y, then by x; the index of a cell is its place in that order.

use super::Cell;
use super::notation::{read_cell, write_cell};
use std::ops::Range;

/// The six steps from a cell to its neighbours.
pub const DIRECTIONS: [(i8, i8); 6] = [(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, -1)];

/// The cells of a hexagonal board, their names and neighbours.
#[derive(Debug)]
pub struct Hexagon {
    side: u8,
    cells: Vec<(u8, u8)>,
    /// The indexes of the cells in each row, from row 1 up.
    rows: Vec<Range<usize>>,
    neighbours: Vec<Vec<usize>>,
}

impl Hexagon {
    /// The board with `side` cells on each side, of which only the cells with `exists(x, y)` are there.
    pub fn new(side: u8, exists: impl Fn(u8, u8) -> bool) -> Self {
        let mut cells = Vec::new();
        let mut rows = Vec::new();
        for y in 1..=height(side) {
            let first = cells.len();
            cells.extend(columns(side, y).filter(|&x| exists(x, y)).map(|x| (x, y)));
            rows.push(first..cells.len());
        }
        let mut board = Hexagon {
            side,
            cells,
            rows,
            neighbours: Vec::new(),
        };
        board.neighbours = (0..board.len())
            .map(|cell| {
                let mut around: Vec<usize> = DIRECTIONS
                    .iter()
                    .filter_map(|&direction| board.step(cell, direction))
                    .collect();
                around.sort_unstable();
                around
            })
            .collect();
        board
    }

    /// Cells on each side.
    pub fn side(&self) -> u8 {
        self.side
    }

    /// The number of cells.
    #[allow(clippy::len_without_is_empty)] // no board is empty
    pub fn len(&self) -> usize {
        self.cells.len()
    }

    /// The cell at (x, y), if the board has it.
    pub fn at(&self, x: u8, y: u8) -> Option<usize> {
        self.cells.binary_search_by_key(&(y, x), |&(x, y)| (y, x)).ok()
    }

    /// The cell of that name, in any case.
    pub fn named(&self, name: &str) -> Option<usize> {
        let (x, y) = read_cell(name)?;
        self.at(x, y)
    }

    /// The coordinates (x, y) of a cell.
    pub fn coordinates(&self, cell: usize) -> (u8, u8) {
        self.cells[cell]
    }

    /// The name of a cell: `d4`.
    pub fn name(&self, cell: usize) -> String {
        let (x, y) = self.cells[cell];
        write_cell(x, y)
    }

    /// The cells around a cell, in cell order.
    pub fn neighbours(&self, cell: usize) -> &[usize] {
        &self.neighbours[cell]
    }

    /// The cell one step away in one of the [`DIRECTIONS`].
    pub fn step(&self, cell: usize, (dx, dy): (i8, i8)) -> Option<usize> {
        let (x, y) = self.cells[cell];
        self.at(x.checked_add_signed(dx)?, y.checked_add_signed(dy)?)
    }

    /// The indexes of the cells in each row from the top row down: the order of a position text.
    pub fn rows_down(&self) -> impl Iterator<Item = Range<usize>> {
        self.rows.iter().rev().cloned()
    }
}

/// The number of rows, and of letters.
fn height(side: u8) -> u8 {
    2 * side - 1
}

/// The letters (as numbers from 1) of row `y`.
fn columns(side: u8, y: u8) -> std::ops::RangeInclusive<u8> {
    (y + 1).saturating_sub(side).max(1)..=height(side).min(y + side - 1)
}

/// Draws the board, a line a row from the top, and a line of letters below it.
///
/// Rows are horizontal. The letters name the slants that run from the lower right to the upper left: the first n
/// stand below row 1, the others at the right ends of rows 1 … n − 1, where their slants begin. A cell that the
/// diagram has not stays blank. Parentheses stand around a cell that the last turn filled; between two such cells
/// stands one opening parenthesis.
pub(super) fn draw(side: u8, cells: &[Cell]) -> Vec<String> {
    let number_width = height(side).to_string().len();
    let mut lines: Vec<String> = (1..=height(side))
        .rev()
        .map(|y| {
            let margin = usize::from(side.abs_diff(y));
            let head = format!("{:margin$}{y:>number_width$}", "");
            let tail = (y < side).then(|| letter(side + y));
            draw_row(head, columns(side, y), cells.iter().filter(|cell| cell.y == y), tail)
        })
        .collect();
    let margin = usize::from(side) + number_width + 1;
    let letters: Vec<String> = (1..=side).map(|x| letter(x).to_string()).collect();
    lines.push(format!("{:margin$}{}", "", letters.join(" ")));
    lines
}

fn draw_row<'a>(
    head: String,
    columns: std::ops::RangeInclusive<u8>,
    cells: impl Iterator<Item = &'a Cell>,
    tail: Option<char>,
) -> String {
    let first = *columns.start();
    // Each cell takes two places, the blank before it and itself; one blank closes the row.
    let mut places = vec![' '; 2 * columns.count() + 1];
    for cell in cells {
        let place = 2 * usize::from(cell.x - first) + 1;
        places[place] = cell.letter();
        if cell.filled {
            places[place - 1] = '(';
            places[place + 1] = ')';
        }
    }
    let row: String = head.chars().chain(places).chain(tail).collect();
    row.trim_end().to_string()
}

/// The letter of column `x`: 1 is a.
fn letter(x: u8) -> char {
    char::from(b'a' + x - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn whole(side: u8) -> Hexagon {
        Hexagon::new(side, |_, _| true)
    }

    #[test]
    fn the_boards_have_as_many_cells_as_the_rules_page_says() {
        let cells: Vec<usize> = (2..=6).map(|side| whole(side).len()).collect();
        assert_eq!(cells, [7, 19, 37, 61, 91]);
    }

    #[test]
    fn the_original_board_has_the_neighbours_that_were_computed() {
        let board = whole(5);
        let with = |count| {
            (0..board.len())
                .filter(|&cell| board.neighbours(cell).len() == count)
                .count()
        };
        assert_eq!((with(6), with(4), with(3)), (37, 18, 6));
        let corners: Vec<String> = (0..board.len())
            .filter(|&cell| board.neighbours(cell).len() == 3)
            .map(|cell| board.name(cell))
            .collect();
        assert_eq!(corners, ["a1", "e1", "a5", "i5", "e9", "i9"]);
        let (c3, d2) = (board.named("c3").unwrap(), board.named("d2").unwrap());
        assert!(!board.neighbours(c3).contains(&d2));
    }

    #[test]
    fn cells_taken_out_are_no_neighbours() {
        let medusa = Hexagon::new(10, |x, y| x % 2 == 1 || y % 2 == 1);
        assert_eq!(medusa.len(), 210);
        let pairs: usize = (0..medusa.len()).map(|cell| medusa.neighbours(cell).len()).sum();
        assert_eq!(pairs / 2, 390);
        assert_eq!(medusa.named("b2"), None);
        let lengths: Vec<usize> = medusa.rows_down().map(|row| row.len()).collect();
        assert_eq!(
            lengths,
            [10, 6, 12, 7, 14, 8, 16, 9, 18, 10, 18, 9, 16, 8, 14, 7, 12, 6, 10]
        );
    }

    #[test]
    fn names_and_indexes_belong_together() {
        for side in 2..=10 {
            let board = whole(side);
            for cell in 0..board.len() {
                assert_eq!(board.named(&board.name(cell)), Some(cell));
            }
        }
        assert_eq!(whole(5).named("a6"), None);
        assert_eq!(whole(5).named("I9"), whole(5).at(9, 9));
    }

    #[test]
    fn a_board_with_dark_cells_and_two_filled_ones_is_drawn_as_its_page_shows() {
        let medusa = Hexagon::new(10, |x, y| x % 2 == 1 || y % 2 == 1);
        let cells: Vec<Cell> = (0..medusa.len())
            .map(|cell| {
                let (x, y) = medusa.coordinates(cell);
                let mut cell = Cell::empty(medusa.name(cell), x, y);
                cell.filled = ["s19", "k9"].contains(&cell.name.as_str());
                cell
            })
            .collect();
        let lines = draw(10, &cells);
        assert_eq!(lines[0], "         19 . . . . . . . . .(.)");
        assert_eq!(lines[1], "        18 .   .   .   .   .   .");
        assert_eq!(lines[10], "  9 . . . . . . . . . .(.). . . . . . . s");
        assert_eq!(lines[11], "   8 .   .   .   .   .   .   .   .   . r");
        assert_eq!(lines[19], "             a b c d e f g h i j");
    }

    #[test]
    fn a_filled_cell_beside_another_or_beside_a_letter_keeps_its_parenthesis() {
        let board = whole(2);
        let mut cells: Vec<Cell> = (0..board.len())
            .map(|cell| {
                let (x, y) = board.coordinates(cell);
                Cell::empty(board.name(cell), x, y)
            })
            .collect();
        cells[0].filled = true;
        cells[1].filled = true;
        assert_eq!(draw(2, &cells), [" 3 . .", "2 . . .", " 1(.(.)c", "    a b"]);
    }
}
