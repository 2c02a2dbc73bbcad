//! All legal turns of a position, in batches that can be counted without being listed.
//!
//! Legality comes from one look at the lines around the King ([`Shield`]): which enemy men check, where a check is
//! parried, and which men are pinned. Only turns that change who is stone, those that move or make a Medusa, and the
//! King's own steps are tested one by one.

use super::attacks::{self, Direction};
use super::men::{Kind, Man, Side};
use super::position::{Position, Turn, Wing, between_king_and_rook, king_home, rook_home};
use super::squares::{Square, Squares};

/// Legal turns that differ only in the square on which they end.
#[derive(Clone, Copy, Debug)]
pub enum Batch {
    Moves {
        from: Square,
        to: Squares,
        change: Option<Kind>,
    },
    Castlings {
        to: Squares,
    },
    Drops {
        man: Man,
        to: Squares,
    },
}

impl Batch {
    fn squares(self) -> Squares {
        match self {
            Batch::Moves { to, .. } | Batch::Castlings { to } | Batch::Drops { to, .. } => to,
        }
    }

    /// The number of turns.
    pub fn len(self) -> u64 {
        u64::from(self.squares().len())
    }

    /// The turns, in listing order.
    pub fn turns(self) -> impl Iterator<Item = Turn> {
        self.squares().into_iter().map(move |to| match self {
            Batch::Moves { from, change, .. } => Turn::Move { from, to, change },
            Batch::Castlings { .. } => Turn::Castle { to },
            Batch::Drops { man, .. } => Turn::Drop { man, to },
        })
    }
}

/// The squares on which a Pawn of `side` may become a Medusa: its 9th to 11th rank.
pub fn promotion_zone(side: Side) -> Squares {
    Squares::rank_of(side, 9) | Squares::rank_of(side, 10) | last_rank(side)
}

/// The rank on which a Pawn must become a Medusa.
pub fn last_rank(side: Side) -> Squares {
    Squares::rank_of(side, 11)
}

impl Position {
    /// The number of legal turns.
    pub fn count_turns(&self) -> u64 {
        let mut count = 0;
        self.each_batch(|batch| count += batch.len());
        count
    }

    pub fn has_turns(&self) -> bool {
        self.count_turns() > 0
    }

    /// The legal turns in listing order.
    pub fn turns(&self) -> Vec<Turn> {
        let mut turns = Vec::new();
        self.each_batch(|batch| turns.extend(batch.turns()));
        turns.sort_unstable();
        turns
    }

    /// The turn with this number, counted from 0, in the order in which the batches come.
    pub fn nth_turn(&self, number: usize) -> Option<Turn> {
        let mut skip = number as u64;
        let mut found = None;
        self.each_batch(|batch| {
            if found.is_some() {
                return;
            }
            match skip.checked_sub(batch.len()) {
                Some(rest) => skip = rest,
                None => found = batch.turns().nth(skip as usize),
            }
        });
        found
    }

    /// The number of sequences of exactly `depth` legal turns, repetition aside.
    pub fn perft(&self, depth: u32) -> u64 {
        match depth {
            0 => 1,
            1 => self.count_turns(),
            _ => {
                let mut nodes = 0;
                self.each_batch(|batch| {
                    for turn in batch.turns() {
                        let mut next = self.clone();
                        next.apply(turn);
                        nodes += next.perft(depth - 1);
                    }
                });
                nodes
            }
        }
    }

    /// Calls `visit` with all legal turns, each in exactly one batch. The batches come in no order, and may be empty.
    #[inline]
    pub fn each_batch(&self, mut visit: impl FnMut(Batch)) {
        let Some(king) = self.king(self.to_move) else { return };
        let scene = Scene::of(self, king);
        scene.king(&mut visit);
        scene.pieces(&mut visit);
        scene.pawns(&mut visit);
        scene.medusas(&mut visit);
        scene.castlings(&mut visit);
        scene.drops(&mut visit);
    }
}

/// What stands between the enemy and the King.
struct Shield {
    checkers: Squares,
    /// Where a man that is not pinned may end his move: anywhere, or where he parries the only check, or nowhere.
    parries: Squares,
    /// The men that stand alone between the King and an enemy man that slides.
    pinned: Squares,
    /// For each direction from the King the line of a pin: up to the enemy man and with him.
    lines: [Squares; 8],
}

impl Shield {
    fn of(position: &Position, king: Square, hunters: Squares) -> Shield {
        let side = position.to_move;
        let occupied = position.occupied();
        let [straight, aslant, leaping] = position.ways();
        let close = attacks::knight(king) & leaping
            | attacks::steps(king) & position.kind(Kind::King)
            | attacks::pawn(side, king) & position.kind(Kind::Pawn);
        let mut shield = Shield {
            checkers: close & hunters,
            parries: close & hunters,
            pinned: Squares::NONE,
            lines: [Squares::NONE; 8],
        };
        for (line, direction) in shield.lines.iter_mut().zip(Direction::ALL) {
            let sliders = if direction.is_straight() { straight } else { aslant } & hunters;
            let ray = direction.ray(king);
            if !ray.meets(sliders) {
                continue;
            }
            let Some(first) = direction.nearest(ray & occupied) else {
                continue;
            };
            if sliders.contains(first) {
                shield.checkers |= first.bit();
                shield.parries |= ray ^ direction.ray(first);
            } else if position.of(side).contains(first) {
                let beyond = direction.slide(first, occupied);
                if beyond.meets(sliders) {
                    shield.pinned |= first.bit();
                    *line = ray & (beyond | !direction.ray(first));
                }
            }
        }
        match shield.checkers.len() {
            0 => shield.parries = Squares::ALL,
            1 => {}
            _ => shield.parries = Squares::NONE,
        }
        shield
    }

    /// Where the man on `from` may end his move without leaving his King attacked, the Medusas aside.
    #[inline(always)]
    fn allowed(&self, from: Square) -> Squares {
        if !self.pinned.contains(from) {
            return self.parries;
        }
        let line = self.lines.iter().find(|line| line.contains(from));
        line.map_or(Squares::NONE, |line| self.parries & *line)
    }
}

/// A position with what all its turns share.
struct Scene<'a> {
    position: &'a Position,
    side: Side,
    king: Square,
    own: Squares,
    enemy: Squares,
    occupied: Squares,
    /// The own men that can move, Medusas included: they are never stone.
    free: Squares,
    /// The enemy's men that attack.
    hunters: Squares,
    shield: Shield,
}

impl<'a> Scene<'a> {
    fn of(position: &'a Position, king: Square) -> Self {
        let side = position.to_move;
        let hunters = position.hunters(side.other());
        Scene {
            position,
            side,
            king,
            own: position.of(side),
            enemy: position.of(side.other()),
            occupied: position.occupied(),
            free: position.of(side).without(position.stone(side)),
            hunters,
            shield: Shield::of(position, king, hunters),
        }
    }

    fn movable(&self, kind: Kind) -> Squares {
        self.position.kind(kind) & self.free
    }

    fn attacked(&self, target: Square, hunters: Squares, occupied: Squares) -> bool {
        let attackers = self.position.attackers(target, self.side.other(), hunters, occupied);
        !attackers.is_empty()
    }

    fn king(&self, visit: &mut impl FnMut(Batch)) {
        if !self.free.contains(self.king) {
            return;
        }
        let without_king = self.occupied.without(self.king.bit());
        let safe = attacks::steps(self.king)
            .without(self.own)
            .into_iter()
            .filter(|to| !self.attacked(*to, self.hunters, without_king))
            .collect();
        visit(Batch::Moves {
            from: self.king,
            to: safe,
            change: None,
        });
    }

    fn pieces(&self, visit: &mut impl FnMut(Batch)) {
        for kind in Kind::PIECES {
            for from in self.movable(kind) {
                let reach = attacks::piece(kind, from, self.occupied).without(self.own);
                let to = reach & self.shield.allowed(from);
                visit(Batch::Moves { from, to, change: None });
                if self.position.morphs().contains(from) {
                    self.changes(kind, from, reach, visit);
                    self.to_medusa(from, reach & self.enemy & self.position.kind(Kind::Medusa), visit);
                }
            }
        }
    }

    fn pawns(&self, visit: &mut impl FnMut(Batch)) {
        let (zone, last) = (promotion_zone(self.side), last_rank(self.side));
        let ahead = match self.side {
            Side::White => 1,
            Side::Black => -1,
        };
        for from in self.movable(Kind::Pawn) {
            let step = from.offset(0, ahead).map_or(Squares::NONE, Square::bit);
            let reach = step.without(self.occupied) | attacks::pawn(self.side, from) & self.enemy;
            let to = (reach & self.shield.allowed(from)).without(last);
            visit(Batch::Moves { from, to, change: None });
            let mut promoting = reach & zone;
            if self.position.morphs().contains(from) {
                self.changes(Kind::Pawn, from, reach, visit);
                promoting |= reach & self.enemy & self.position.kind(Kind::Medusa);
            }
            if !promoting.is_empty() {
                self.to_medusa(from, promoting, visit);
            }
        }
    }

    /// A Morph's changes to the kinds that it captures, Medusa aside.
    fn changes(&self, own: Kind, from: Square, reach: Squares, visit: &mut impl FnMut(Batch)) {
        let captures = reach & self.enemy & self.shield.allowed(from);
        for kind in Kind::IN_HAND {
            if kind == own {
                continue;
            }
            let mut to = captures & self.position.kind(kind);
            if kind == Kind::Pawn {
                to &= !last_rank(self.side);
            }
            visit(Batch::Moves {
                from,
                to,
                change: Some(kind),
            });
        }
    }

    /// The turns by which a man becomes a Medusa. She petrifies at once, and so may parry what he could not.
    fn to_medusa(&self, from: Square, targets: Squares, visit: &mut impl FnMut(Batch)) {
        let allowed = targets & self.shield.allowed(from);
        let parrying: Squares = targets
            .without(allowed)
            .into_iter()
            .filter(|to| {
                let hunters = self.hunters.without(attacks::steps(*to) | to.bit());
                let occupied = self.occupied.without(from.bit()) | to.bit();
                !self.attacked(self.king, hunters, occupied)
            })
            .collect();
        visit(Batch::Moves {
            from,
            to: allowed | parrying,
            change: Some(Kind::Medusa),
        });
    }

    /// A Medusa's move may free enemy men, and may petrify a checking one.
    fn medusas(&self, visit: &mut impl FnMut(Batch)) {
        let medusas = self.movable(Kind::Medusa);
        let enemies = self.enemy.without(self.position.kind(Kind::Medusa));
        for from in medusas {
            let others = attacks::around(medusas.without(from.bit()));
            let reach = attacks::steps(from).without(self.occupied);
            let frees = enemies & attacks::steps(from).without(others);
            let quiet = self.shield.checkers.is_empty() && !self.shield.pinned.contains(from) && frees.is_empty();
            let to = if quiet {
                reach
            } else {
                let safe = |to: &Square| {
                    let hunters = enemies.without(others | attacks::steps(*to));
                    let occupied = self.occupied.without(from.bit()) | to.bit();
                    !self.attacked(self.king, hunters, occupied)
                };
                reach.into_iter().filter(safe).collect()
            };
            visit(Batch::Moves { from, to, change: None });
        }
    }

    /// No square that the King crosses or reaches may be attacked; he cannot be in check, so that no line to these
    /// squares leads through him.
    fn castlings(&self, visit: &mut impl FnMut(Batch)) {
        for wing in Wing::BOTH {
            if !self.position.rights.has(self.side, wing)
                || !self.shield.checkers.is_empty()
                || !self.free.contains(king_home(self.side))
                || !self.free.contains(rook_home(self.side, wing))
                || between_king_and_rook(self.side, wing).any(|square| self.occupied.contains(square))
            {
                continue;
            }
            let to = between_king_and_rook(self.side, wing)
                .take_while(|square| !self.attacked(*square, self.hunters, self.occupied))
                .collect();
            visit(Batch::Castlings { to });
        }
    }

    fn drops(&self, visit: &mut impl FnMut(Batch)) {
        let vacant = self.shield.parries.without(self.occupied);
        for (man, _) in self.position.hand(self.side).men() {
            let to = if man.kind == Kind::Pawn {
                vacant.without(last_rank(self.side))
            } else {
                vacant
            };
            visit(Batch::Drops { man, to });
        }
    }
}
