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

    // --- Medusa, Lotus, Rosette ---
    /// A move or a pass in the counting.
    InTheCounting,
    /// `dead`, `agree` or `resume` outside the counting.
    NotInTheCounting,
    /// `agree` where nothing is proposed.
    NothingProposed,
    /// A vacant cell was named dead.
    NoStone {
        cell: String,
    },
    /// A group with a rosette or a lotus was named dead.
    Immune {
        cell: String,
    },
    /// The turn would repeat the stones and the side to move after an earlier turn; 0 is the start.
    Repetition {
        turn: String,
        after: u32,
    },
    /// Rosette: the placement would leave its own group without a liberty.
    Suicide {
        cell: String,
    },
    /// Medusa: the group of that stone has moved in this turn, or hangs together with stones that have.
    Spent {
        cell: String,
    },
    /// Medusa: the two cells lie on no common line.
    NotOnALine {
        from: String,
        to: String,
    },
    /// Medusa: no own stone stands next to the moving one in that direction.
    NothingToJump {
        from: String,
        to: String,
    },
    /// Medusa: behind the row stands an enemy stone, on `cell`.
    RowBlocked {
        from: String,
        to: String,
        cell: String,
    },
    /// Medusa: the row reaches to the edge.
    RowEndsAtEdge {
        from: String,
        to: String,
    },
    /// Medusa: the first vacant cell behind the row is another.
    LandsElsewhere {
        from: String,
        to: String,
        landing: String,
    },
}
