//! A board as data, and its drawing in plain ASCII. Other renderings are made from the same data in letters.

use super::{chessboard, hexagon, lotus, rosette};

/// The shape in which a board's cells lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Layout {
    /// A hexagon of hexagons with this many cells on a side; a cell is (x, y). Medusa's dark cells are not cells.
    Hexagon { side: u8 },
    /// The 72 points of Lotus.
    Lotus,
    /// The vertices of a honeycomb with this many hexagons on a side.
    Honeycomb { side: u8 },
    /// A chessboard.
    Squares { files: u8, ranks: u8 },
}

/// What stands on a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mark {
    /// The seat whose man or stone it is.
    pub seat: super::Seat,
    /// The letter that is printed: `X`, `x` for a seat that is out, `B`, `K` …
    pub letter: char,
    /// Medusa Shogi: a Morph.
    pub morph: bool,
    /// Medusa Shogi: stone (petrified).
    pub stone: bool,
    /// The seat is out of the game.
    pub out: bool,
}

/// One cell of a diagram. Cells stand in cell order.
#[derive(Clone, Debug, PartialEq)]
pub struct Cell {
    pub name: String,
    /// Column and row of the layout, from 1 (Hexagon: x, y; others: number in the row, row from the bottom).
    pub x: u8,
    pub y: u8,
    pub mark: Option<Mark>,
    /// The last turn filled this cell.
    pub filled: bool,
    /// The last turn changed this cell without filling it (reversed, captured, surrounded).
    pub changed: bool,
}

impl Cell {
    /// A cell on which nothing stands.
    pub fn empty(name: String, x: u8, y: u8) -> Self {
        Cell {
            name,
            x,
            y,
            mark: None,
            filled: false,
            changed: false,
        }
    }

    /// What a board of stones prints here: the letter of the mark, or a dot.
    pub fn letter(&self) -> char {
        self.mark.map_or('.', |mark| mark.letter)
    }
}

/// What stands beside the board; the words are letters'.
#[derive(Clone, Debug, PartialEq)]
pub enum Note {
    /// Susan, from the second slide in a row on.
    Slides {
        count: u32,
        draw_at: u32,
    },
    /// Medusa and Lotus: the marker, positive for Black.
    Marker {
        value: i32,
    },
    /// One pass was made; a second begins the counting (or ends the game, with `-nocount` and after `resume`).
    PassedOnce {
        seat: super::Seat,
        counts: bool,
    },
    /// In the counting: the groups named dead by a seat.
    Proposal {
        seat: super::Seat,
        groups: super::Groups,
    },
    Check {
        seat: super::Seat,
    },
    /// Men in hand, in listing order.
    Hand {
        seat: super::Seat,
        men: Vec<(String, u32)>,
    },
}

/// A board as data.
#[derive(Clone, Debug, PartialEq)]
pub struct Diagram {
    pub layout: Layout,
    pub cells: Vec<Cell>,
    pub notes: Vec<Note>,
}

impl Diagram {
    /// The board in plain ASCII for a fixed-width font, a line a string, without what stands below it.
    pub fn ascii(&self) -> Vec<String> {
        match self.layout {
            Layout::Hexagon { side } => hexagon::draw(side, &self.cells),
            Layout::Lotus => lotus::draw(&self.cells),
            Layout::Honeycomb { side } => rosette::draw(side, &self.cells),
            Layout::Squares { files, ranks } => chessboard::draw(files, ranks, &self.cells),
        }
    }
}
