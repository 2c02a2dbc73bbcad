//! The men and their letters.

use crate::games::Seat;

/// A side; White moves first **[decision]**: Western convention and the practice of the inventor's site.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Side {
    White,
    Black,
}

impl Side {
    pub const BOTH: [Side; 2] = [Side::White, Side::Black];

    pub fn other(self) -> Side {
        match self {
            Side::White => Side::Black,
            Side::Black => Side::White,
        }
    }

    /// The side as an index into a list by side.
    pub fn index(self) -> usize {
        self as usize
    }

    pub fn seat(self) -> Seat {
        Seat(self as u8)
    }

    pub fn of_seat(seat: Seat) -> Side {
        if seat == Side::White.seat() {
            Side::White
        } else {
            Side::Black
        }
    }

    /// The name of the seat: `W`.
    pub fn name(self) -> String {
        match self {
            Side::White => "W".to_string(),
            Side::Black => "B".to_string(),
        }
    }
}

/// The ten kinds of men, in the order in which changes are listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    King,
    Queen,
    /// Queen or Knight.
    Serpent,
    Rook,
    /// Rook or Knight.
    Pillar,
    /// Bishop or Knight: the Mounted Advisor.
    Advisor,
    Bishop,
    Knight,
    /// One step to an empty square; never captures; petrifies.
    Medusa,
    Pawn,
}

impl Kind {
    pub const COUNT: usize = 10;

    pub const ALL: [Kind; Kind::COUNT] = [
        Kind::King,
        Kind::Queen,
        Kind::Serpent,
        Kind::Rook,
        Kind::Pillar,
        Kind::Advisor,
        Kind::Bishop,
        Kind::Knight,
        Kind::Medusa,
        Kind::Pawn,
    ];

    /// The kinds that can be in hand, in listing order: all but King and Medusa.
    pub const IN_HAND: [Kind; 8] = [
        Kind::Queen,
        Kind::Serpent,
        Kind::Rook,
        Kind::Pillar,
        Kind::Advisor,
        Kind::Bishop,
        Kind::Knight,
        Kind::Pawn,
    ];

    /// The kinds that slide or leap, and so can move from any square and capture as they move.
    pub const PIECES: [Kind; 7] = [
        Kind::Queen,
        Kind::Serpent,
        Kind::Rook,
        Kind::Pillar,
        Kind::Advisor,
        Kind::Bishop,
        Kind::Knight,
    ];

    /// The kind as an index into a list by kind.
    pub fn index(self) -> usize {
        self as usize
    }

    /// The letter; the letters are ours **[decision]**.
    pub fn letter(self) -> char {
        match self {
            Kind::King => 'K',
            Kind::Queen => 'Q',
            Kind::Serpent => 'S',
            Kind::Rook => 'R',
            Kind::Pillar => 'L',
            Kind::Advisor => 'A',
            Kind::Bishop => 'B',
            Kind::Knight => 'N',
            Kind::Medusa => 'M',
            Kind::Pawn => 'P',
        }
    }

    /// The kind of that letter, in any case.
    pub fn of_letter(letter: char) -> Option<Kind> {
        let letter = letter.to_ascii_uppercase();
        Kind::ALL.into_iter().find(|kind| kind.letter() == letter)
    }

    /// What a captured man of this kind is in its captor's hand: a Medusa becomes a Pawn.
    pub fn in_hand(self) -> Kind {
        if self == Kind::Medusa { Kind::Pawn } else { self }
    }

    pub fn slides_straight(self) -> bool {
        matches!(self, Kind::Queen | Kind::Serpent | Kind::Rook | Kind::Pillar)
    }

    pub fn slides_aslant(self) -> bool {
        matches!(self, Kind::Queen | Kind::Serpent | Kind::Advisor | Kind::Bishop)
    }

    pub fn leaps(self) -> bool {
        matches!(self, Kind::Serpent | Kind::Pillar | Kind::Advisor | Kind::Knight)
    }
}

/// A man without its side: its kind, and whether it bears the mark of a Morph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Man {
    pub kind: Kind,
    pub morph: bool,
}

impl Man {
    /// The man in upper case, as texts name him: `+B`.
    pub fn text(self) -> String {
        let mark = if self.morph { "+" } else { "" };
        format!("{mark}{}", self.kind.letter())
    }

    /// The man as a position text names him: White's upper case, Black's lower case.
    pub fn text_of(self, side: Side) -> String {
        match side {
            Side::White => self.text(),
            Side::Black => self.text().to_ascii_lowercase(),
        }
    }
}
