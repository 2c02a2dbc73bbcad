//! A position as a compact value: sets of squares by kind and side, hands, and rights to castle.

use super::attacks::{self, Direction};
use super::men::{Kind, Man, Side};
use super::squares::{Square, Squares};

/// The men in a side's hand: how many of each kind, unmarked and marked. Kings and Medusas are never in hand.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Hand([[u16; 2]; Kind::COUNT]);

impl Hand {
    pub fn count(&self, man: Man) -> u16 {
        self.0[man.kind.index()][usize::from(man.morph)]
    }

    pub fn set(&mut self, man: Man, count: u16) {
        self.0[man.kind.index()][usize::from(man.morph)] = count;
    }

    fn add(&mut self, man: Man) {
        self.set(man, self.count(man) + 1);
    }

    fn remove(&mut self, man: Man) {
        self.set(man, self.count(man).saturating_sub(1));
    }

    /// The men that are there with their counts, in listing order.
    pub fn men(&self) -> impl Iterator<Item = (Man, u16)> {
        Kind::IN_HAND
            .into_iter()
            .flat_map(|kind| [false, true].map(|morph| Man { kind, morph }))
            .map(|man| (man, self.count(man)))
            .filter(|(_, count)| *count > 0)
    }
}

/// One wing of the board on which a side may castle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wing {
    /// Towards file a.
    A,
    /// Towards file k.
    K,
}

impl Wing {
    pub const BOTH: [Wing; 2] = [Wing::A, Wing::K];

    /// One square towards the Rook.
    pub fn step(self) -> i8 {
        match self {
            Wing::A => -1,
            Wing::K => 1,
        }
    }
}

/// The most squares that a King moves in castling.
pub const LONGEST_CASTLING: i8 = 4;

/// Where a side's King stands unmoved: f1 or f11.
pub fn king_home(side: Side) -> Square {
    const WHITE: Square = Square::at(5, 0).expect("f1 is on the board");
    const BLACK: Square = Square::at(5, 10).expect("f11 is on the board");
    match side {
        Side::White => WHITE,
        Side::Black => BLACK,
    }
}

/// Where the Rook of that wing stands unmoved.
pub fn rook_home(side: Side, wing: Wing) -> Square {
    const CORNERS: [[Square; 2]; 2] = [
        [
            Square::at(0, 0).expect("a1 is on the board"),
            Square::at(10, 0).expect("k1 is on the board"),
        ],
        [
            Square::at(0, 10).expect("a11 is on the board"),
            Square::at(10, 10).expect("k11 is on the board"),
        ],
    ];
    CORNERS[side.index()][wing as usize]
}

/// The rights to castle that are left: Kings and Rooks that have never moved.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Rights(u8);

impl Rights {
    fn bit(side: Side, wing: Wing) -> u8 {
        1 << (side.index() * 2 + wing as usize)
    }

    pub fn has(self, side: Side, wing: Wing) -> bool {
        self.0 & Rights::bit(side, wing) != 0
    }

    pub fn grant(&mut self, side: Side, wing: Wing) {
        self.0 |= Rights::bit(side, wing);
    }

    /// Takes the rights away that a man's leaving or entering `square` ends.
    fn touch(&mut self, square: Square) {
        if self.0 == 0 {
            return;
        }
        for side in Side::BOTH {
            for wing in Wing::BOTH {
                if square == king_home(side) || square == rook_home(side, wing) {
                    self.0 &= !Rights::bit(side, wing);
                }
            }
        }
    }
}

/// A turn. The order is the listing order of the rules page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Turn {
    /// A move or capture; `change` is the kind behind `=`.
    Move {
        from: Square,
        to: Square,
        change: Option<Kind>,
    },
    /// Castling, by the King's destination.
    Castle {
        to: Square,
    },
    Drop {
        man: Man,
        to: Square,
    },
}

/// Board, hands, side to move and rights: what must recur for a repetition.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    kinds: [Squares; Kind::COUNT],
    sides: [Squares; 2],
    morphs: Squares,
    hands: [Hand; 2],
    pub to_move: Side,
    pub rights: Rights,
}

impl Position {
    /// A board without men, White to move.
    pub fn empty() -> Position {
        Position {
            kinds: [Squares::NONE; Kind::COUNT],
            sides: [Squares::NONE; 2],
            morphs: Squares::NONE,
            hands: [Hand::default(), Hand::default()],
            to_move: Side::White,
            rights: Rights::default(),
        }
    }

    pub fn occupied(&self) -> Squares {
        self.sides[0] | self.sides[1]
    }

    /// The squares of a side's men.
    pub fn of(&self, side: Side) -> Squares {
        self.sides[side.index()]
    }

    /// The squares of both sides' men of a kind.
    pub fn kind(&self, kind: Kind) -> Squares {
        self.kinds[kind.index()]
    }

    pub fn morphs(&self) -> Squares {
        self.morphs
    }

    pub fn hand(&self, side: Side) -> &Hand {
        &self.hands[side.index()]
    }

    pub fn hand_mut(&mut self, side: Side) -> &mut Hand {
        &mut self.hands[side.index()]
    }

    pub fn medusas(&self, side: Side) -> Squares {
        self.kind(Kind::Medusa) & self.of(side)
    }

    /// The square of a side's King. Every position of a game has exactly one King a side.
    pub fn king(&self, side: Side) -> Option<Square> {
        (self.kind(Kind::King) & self.of(side)).first()
    }

    pub fn side_at(&self, square: Square) -> Option<Side> {
        Side::BOTH.into_iter().find(|side| self.of(*side).contains(square))
    }

    pub fn kind_at(&self, square: Square) -> Option<Kind> {
        Kind::ALL.into_iter().find(|kind| self.kind(*kind).contains(square))
    }

    pub fn man_at(&self, square: Square) -> Option<Man> {
        Some(Man {
            kind: self.kind_at(square)?,
            morph: self.morphs.contains(square),
        })
    }

    /// Puts a man on an empty square.
    pub fn put(&mut self, square: Square, side: Side, man: Man) {
        self.kinds[man.kind.index()] |= square.bit();
        self.sides[side.index()] |= square.bit();
        if man.morph {
            self.morphs |= square.bit();
        }
    }

    /// Takes the man off a square, if there is one.
    fn take(&mut self, square: Square) -> Option<Man> {
        let man = self.man_at(square)?;
        self.kinds[man.kind.index()] &= !square.bit();
        for side in &mut self.sides {
            *side &= !square.bit();
        }
        self.morphs &= !square.bit();
        Some(man)
    }

    /// A side's petrified men: those beside an enemy Medusa, Medusas excluded. Read off the board; nothing is
    /// remembered.
    pub fn stone(&self, side: Side) -> Squares {
        let reach = attacks::around(self.medusas(side.other()));
        (self.of(side) & reach).without(self.kind(Kind::Medusa))
    }

    /// The petrified men of both sides.
    pub fn all_stone(&self) -> Squares {
        self.stone(Side::White) | self.stone(Side::Black)
    }

    /// A side's men that attack: neither stone nor Medusas. A stone man attacks nothing **[decision]**.
    pub fn hunters(&self, side: Side) -> Squares {
        let reach = attacks::around(self.medusas(side.other()));
        self.of(side).without(reach | self.kind(Kind::Medusa))
    }

    /// Those men of `hunters`, all of side `by`, that attack `target` when the men on `occupied` stand in the way.
    pub fn attackers(&self, target: Square, by: Side, hunters: Squares, occupied: Squares) -> Squares {
        let [straight, aslant, leaping] = self.ways();
        let mut found = attacks::knight(target) & leaping
            | attacks::steps(target) & self.kind(Kind::King)
            | attacks::pawn(by.other(), target) & self.kind(Kind::Pawn);
        found &= hunters;
        for (directions, sliders) in [
            (Direction::STRAIGHT, straight & hunters),
            (Direction::ASLANT, aslant & hunters),
        ] {
            if attacks::lines_through(target).meets(sliders) {
                for direction in directions {
                    found |= direction.slide(target, occupied) & sliders;
                }
            }
        }
        found
    }

    /// The men of both sides that slide along ranks and files, that slide along slants, and that leap.
    #[inline(always)]
    pub fn ways(&self) -> [Squares; 3] {
        let [_, queens, serpents, rooks, pillars, advisors, bishops, knights, _, _] = self.kinds;
        let royal = queens | serpents;
        [
            royal | rooks | pillars,
            royal | bishops | advisors,
            serpents | pillars | advisors | knights,
        ]
    }

    /// The enemy's men that attack a side's King. To be stone is no check.
    pub fn checkers(&self, side: Side) -> Squares {
        let enemy = side.other();
        self.king(side).map_or(Squares::NONE, |king| {
            self.attackers(king, enemy, self.hunters(enemy), self.occupied())
        })
    }

    pub fn in_check(&self, side: Side) -> bool {
        !self.checkers(side).is_empty()
    }

    /// Carries out a legal turn of the side to move.
    pub fn apply(&mut self, turn: Turn) {
        let side = self.to_move;
        match turn {
            Turn::Move { from, to, change } => self.apply_move(side, from, to, change),
            Turn::Castle { to } => self.apply_castling(side, to),
            Turn::Drop { man, to } => {
                self.hand_mut(side).remove(man);
                self.put(to, side, man);
            }
        }
        self.to_move = side.other();
    }

    fn apply_move(&mut self, side: Side, from: Square, to: Square, change: Option<Kind>) {
        let Some(man) = self.take(from) else { return };
        if self.of(side.other()).contains(to)
            && let Some(taken) = self.take(to)
        {
            self.hand_mut(side).add(Man {
                kind: taken.kind.in_hand(),
                morph: taken.morph,
            });
        }
        let kind = change.unwrap_or(man.kind);
        self.put(to, side, Man { kind, ..man });
        self.rights.touch(from);
        self.rights.touch(to);
    }

    fn apply_castling(&mut self, side: Side, to: Square) {
        let Some((wing, beside)) = castling_squares(side, to) else {
            return;
        };
        for (from, to) in [(king_home(side), to), (rook_home(side, wing), beside)] {
            if let Some(man) = self.take(from) {
                self.put(to, side, man);
            }
            self.rights.touch(from);
        }
    }

    /// The same position with the board turned by half and the colours exchanged.
    #[cfg(test)]
    pub fn turned(&self) -> Position {
        let mut turned = Position::empty();
        for square in self.occupied() {
            if let (Some(side), Some(man)) = (self.side_at(square), self.man_at(square)) {
                turned.put(square.turned(), side.other(), man);
            }
        }
        for side in Side::BOTH {
            *turned.hand_mut(side.other()) = self.hand(side).clone();
            for (wing, opposite) in [(Wing::A, Wing::K), (Wing::K, Wing::A)] {
                if self.rights.has(side, wing) {
                    turned.rights.grant(side.other(), opposite);
                }
            }
        }
        turned.to_move = self.to_move.other();
        turned
    }
}

/// The wing on which a King castles to `to`, and where the Rook lands beside him on the other side. `None` where no
/// castling of that side ends.
pub fn castling_squares(side: Side, to: Square) -> Option<(Wing, Square)> {
    let home = king_home(side);
    let files = to.file() as i8 - home.file() as i8;
    if to.rank() != home.rank() || !(1..=LONGEST_CASTLING).contains(&files.abs()) {
        return None;
    }
    let wing = if files < 0 { Wing::A } else { Wing::K };
    Some((wing, to.offset(-wing.step(), 0)?))
}

/// The squares between King and Rook of a wing, from the King on.
pub fn between_king_and_rook(side: Side, wing: Wing) -> impl Iterator<Item = Square> {
    (1..=LONGEST_CASTLING).filter_map(move |steps| king_home(side).offset(steps * wing.step(), 0))
}
