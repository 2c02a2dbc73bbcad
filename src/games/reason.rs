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

    // --- Medusa Shogi: men are their letters with the Morph's mark (`+B`), `seat` is whose man it is ---
    /// A letter that is no man's.
    NoSuchMan {
        letter: String,
    },
    /// The man on `cell` is petrified: a Medusa of `by_seat` stands on `by`.
    Stone {
        cell: String,
        man: String,
        by_seat: String,
        by: String,
    },
    /// The square holds a man of the speaker's own.
    OwnMan {
        cell: String,
        man: String,
    },
    /// The man does not move so.
    CannotReach {
        man: String,
        from: String,
        to: String,
    },
    /// The man would move so, but another stands in his way on `by`.
    Blocked {
        man: String,
        by_seat: String,
        by_man: String,
        by: String,
    },
    /// A Medusa moves to empty squares only.
    MedusaNeverCaptures {
        cell: String,
    },
    /// A Pawn moves aslant only to capture, and nothing stands there.
    PawnCapturesAslant {
        cell: String,
    },
    /// A Pawn does not capture straight ahead.
    PawnMovesStraight {
        cell: String,
    },
    /// A King's move along his rank that only castling makes.
    CastlingIsWritten {
        to: String,
    },
    /// A Pawn on its last rank must become a Medusa (or what a Morph-Pawn took there).
    MustPromote {
        cell: String,
    },
    /// A Pawn becomes a Medusa on its 9th to 11th rank only.
    NoPromotion {
        cell: String,
    },
    /// Only Morphs change.
    NotAMorph {
        man: String,
    },
    /// A Morph changes by capturing, and nothing stands there.
    NothingTaken {
        cell: String,
    },
    /// A Morph becomes the kind that it takes and no other.
    OtherKindTaken {
        kind: String,
        taken: String,
    },
    /// Neither a drop nor a change may put a Pawn on its last rank.
    PawnOnLastRank {
        cell: String,
    },
    /// Kings and Medusas are never in hand.
    NeverInHand {
        man: String,
    },
    NotInHand {
        man: String,
    },
    /// No castling of this side ends there.
    CastlingEndsNowhere {
        cell: String,
    },
    /// King or Rook has moved, or was not there from the start.
    NoRightToCastle {
        king: String,
        rook: String,
    },
    CastlingBlocked {
        cell: String,
    },
    /// The King is in check from the man on `cell`.
    CastlingInCheck {
        seat: String,
        man: String,
        cell: String,
    },
    /// The man on `cell` attacks a square that the King crosses or reaches.
    CastlingAttacked {
        through: String,
        seat: String,
        man: String,
        cell: String,
    },
    /// The man on `cell` attacks the square to which the King would go.
    KingAttacked {
        to: String,
        seat: String,
        man: String,
        cell: String,
    },
    /// The King on `king` is in check from the man on `cell`, and stays so.
    StillInCheck {
        seat: String,
        man: String,
        cell: String,
        king: String,
    },
    /// The turn frees the petrified man on `cell`, who attacks the King.
    FreesAttacker {
        seat: String,
        man: String,
        cell: String,
    },
    /// The turn opens the line from the man on `cell` to the King on `king`.
    OpensLine {
        seat: String,
        man: String,
        cell: String,
        king: String,
    },
}
