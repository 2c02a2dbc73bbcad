//! Structured results: what a turn did, from which letters makes sentences in the reader's language.

use super::{Outcome, Seat};
use serde::Serialize;

/// Groups named dead in a counting: the cells of each group, in cell order.
pub type Groups = Vec<Vec<String>>;

/// Why stones changed colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Cause {
    Captured,
    Suicide,
    Double,
}

/// What a scored game's end is made of, for one seat.
#[derive(Clone, Debug, PartialEq)]
pub struct Tally {
    pub stones: u32,
    /// Vacant cells of regions that border on this seat's stones only.
    pub cells: u32,
    /// Points of the marker (Medusa, Lotus) or komi (Rosette) that are this seat's.
    pub extra: f64,
}

/// One thing that a turn did. Cells are names. The order of a turn's effects is the order of the sentence.
#[derive(Clone, Debug, PartialEq)]
pub enum Effect {
    /// A stone was placed.
    Placed {
        seat: Seat,
        cell: String,
    },
    /// A stone or man moved; `man` is its letter with Morph mark (`+B`) in games that have kinds.
    Moved {
        seat: Seat,
        man: Option<String>,
        from: String,
        to: String,
    },
    /// Susan: a stone was newly surrounded.
    Surrounded {
        by: Seat,
        owner: Seat,
        cell: String,
    },
    /// Susan with three and four seats: a player went out; `resigned` or surrounded.
    Out {
        seat: Seat,
        resigned: bool,
    },
    /// Susan: slides in a row, and the number that is a draw.
    Slides {
        count: u32,
        draw_at: u32,
    },
    /// Stones changed colour; `part` counts the parts of a compound turn from 0.
    Reversed {
        cells: Vec<String>,
        to: Seat,
        part: usize,
        cause: Cause,
    },
    /// Rosette: stones were taken off the board.
    Captured {
        seat: Seat,
        cells: Vec<String>,
    },
    /// A rosette was made, around `around` (the dark cell or the first of its points).
    Rosette {
        seat: Seat,
        around: String,
        cells: Vec<String>,
    },
    /// Lotus: a lotus was made.
    Lotus {
        seat: Seat,
        cells: Vec<String>,
    },
    Passed {
        seat: Seat,
    },
    /// The marker's new value, positive for Black.
    Marker {
        value: i32,
    },
    /// The counting began; `first` passed first and is to speak.
    Counting {
        first: Seat,
    },
    Named {
        seat: Seat,
        groups: Groups,
    },
    Resumed {
        seat: Seat,
    },
    /// The proposal was accepted: these stones were reversed or removed.
    Agreed {
        seat: Seat,
        cells: Vec<String>,
    },
    /// Medusa Shogi: a man of `seat` was taken on `on` and goes to the other seat's hand as `in_hand`.
    ManTaken {
        seat: Seat,
        man: String,
        on: String,
        in_hand: String,
    },
    /// A Morph took another kind; both are men with their mark: `+B`, `+Q`.
    Changed {
        from: String,
        to: String,
        on: String,
    },
    Promoted {
        seat: Seat,
        on: String,
        to: String,
    },
    Dropped {
        seat: Seat,
        man: String,
        on: String,
    },
    Castled {
        seat: Seat,
        king_from: String,
        king_to: String,
        rook_from: String,
        rook_to: String,
    },
    /// Men that turned to stone by this turn, with their seats, in cell order.
    Petrified {
        men: Vec<(Seat, String, String)>,
    },
    /// Men that are free again by this turn: seat, man, cell.
    Freed {
        men: Vec<(Seat, String, String)>,
    },
    Check {
        seat: Seat,
    },
    /// How often the position has now been there (from 2 on).
    Repeated {
        times: u32,
    },
    Resigned {
        seat: Seat,
    },
    Ended {
        outcome: Outcome,
        tally: Option<Vec<Tally>>,
    },
}

impl Effect {
    /// The cells that this effect filled: what a board marks as the last turn.
    pub fn filled(&self) -> Vec<&str> {
        match self {
            Effect::Placed { cell, .. } => vec![cell],
            Effect::Moved { to, .. } => vec![to],
            Effect::Dropped { on, .. } => vec![on],
            Effect::Castled { king_to, rook_to, .. } => vec![king_to, rook_to],
            _ => Vec::new(),
        }
    }

    /// The cells whose stone changed without being filled: reversed, surrounded, petrified, or emptied by a capture.
    pub fn changed(&self) -> Vec<&str> {
        match self {
            Effect::Reversed { cells, .. } | Effect::Captured { cells, .. } | Effect::Agreed { cells, .. } => {
                cells.iter().map(String::as_str).collect()
            }
            Effect::Surrounded { cell, .. } => vec![cell],
            _ => Vec::new(),
        }
    }
}
