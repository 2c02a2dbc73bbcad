//! Why a turn was refused, as data. The words are in `templates/*/reasons.toml`, by the name of the variant in
//! kebab-case; a variant's fields are the names that the words may use.

use serde::Serialize;

/// Why a turn was refused. Seats are given by their names, so that the words can be made without the game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "code", rename_all = "kebab-case", rename_all_fields = "snake_case")]
pub enum Reason {
    // --- unreadable, out of turn, over: the same in all games ---
    /// The text has none of the game's forms.
    NotATurn,
    /// A name that is no cell of this board.
    NoSuchCell {
        cell: String,
    },
    /// A letter and colon that are no seat of this game.
    NoSuchSeat {
        seat: String,
    },
    /// `setup` after the first turn.
    SetupTooLate,
    /// Another seat is to move.
    OutOfTurn {
        to_move: String,
    },
    Over,

    // --- illegal ---
    /// The cell has a stone or man already.
    Taken {
        cell: String,
    },
    /// No stone or man of the speaker's there.
    NotYours {
        cell: String,
    },
    NotAdjacent {
        from: String,
        to: String,
    },
    SameCell {
        cell: String,
    },
    AlreadyOut {
        seat: String,
    },
}
