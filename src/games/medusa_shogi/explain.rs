//! Judging one turn by the rules one after the other, with the reason where one forbids it.

use super::attacks::{self, Direction};
use super::men::{Kind, Man, Side};
use super::movegen::{last_rank, promotion_zone};
use super::position::{Position, Turn, between_king_and_rook, castling_squares, king_home, rook_home};
use super::squares::{Square, Squares};
use crate::games::Reason;

/// A man on the board with his square, as reasons name him.
struct Named {
    seat: String,
    man: String,
    cell: String,
}

impl Position {
    /// Whether the side to move may play this turn.
    ///
    /// # Errors
    ///
    /// The first rule that forbids it.
    pub fn judge(&self, turn: Turn) -> Result<(), Reason> {
        match turn {
            Turn::Move { from, to, change } => self.judge_move(from, to, change)?,
            Turn::Castle { to } => return self.judge_castling(to),
            Turn::Drop { man, to } => self.judge_drop(man, to)?,
        }
        self.judge_safety(turn)
    }

    fn named(&self, square: Square) -> Named {
        Named {
            seat: self.side_at(square).map(Side::name).unwrap_or_default(),
            man: self.man_at(square).map(Man::text).unwrap_or_default(),
            cell: square.to_string(),
        }
    }

    fn judge_move(&self, from: Square, to: Square, change: Option<Kind>) -> Result<(), Reason> {
        let cell = from.to_string();
        let man = match (self.side_at(from), self.man_at(from)) {
            (Some(side), Some(man)) if side == self.to_move => man,
            _ => return Err(Reason::NotYours { cell }),
        };
        self.judge_stone(from)?;
        if from != to && self.of(self.to_move).contains(to) {
            let Named { man, cell, .. } = self.named(to);
            return Err(Reason::OwnMan { cell, man });
        }
        self.judge_reach(man, from, to)?;
        self.judge_change(man, to, change.filter(|kind| *kind != man.kind))
    }

    /// A stone man cannot move, capture or castle.
    fn judge_stone(&self, square: Square) -> Result<(), Reason> {
        if !self.stone(self.to_move).contains(square) {
            return Ok(());
        }
        let medusas = attacks::steps(square) & self.medusas(self.to_move.other());
        let Some(medusa) = medusas.first() else { return Ok(()) };
        let Named { man, cell, .. } = self.named(square);
        Err(Reason::Stone {
            cell,
            man,
            by_seat: self.to_move.other().name(),
            by: medusa.to_string(),
        })
    }

    fn judge_reach(&self, man: Man, from: Square, to: Square) -> Result<(), Reason> {
        let cannot = || Reason::CannotReach {
            man: man.text(),
            from: from.to_string(),
            to: to.to_string(),
        };
        let taken = self.occupied().contains(to);
        match man.kind {
            Kind::King if attacks::steps(from).contains(to) => Ok(()),
            Kind::King if from == king_home(self.to_move) && castling_squares(self.to_move, to).is_some() => {
                Err(Reason::CastlingIsWritten { to: to.to_string() })
            }
            Kind::Medusa if attacks::steps(from).contains(to) && taken => {
                Err(Reason::MedusaNeverCaptures { cell: to.to_string() })
            }
            Kind::Medusa if attacks::steps(from).contains(to) => Ok(()),
            Kind::King | Kind::Medusa => Err(cannot()),
            Kind::Pawn => self.judge_pawn(from, to, taken).unwrap_or_else(|| Err(cannot())),
            kind if attacks::piece(kind, from, self.occupied()).contains(to) => Ok(()),
            kind if attacks::piece(kind, from, Squares::NONE).contains(to) => Err(self.blocked(man, from, to)),
            _ => Err(cannot()),
        }
    }

    /// A Pawn's step forward and capture aslant; `None` for any other square.
    fn judge_pawn(&self, from: Square, to: Square, taken: bool) -> Option<Result<(), Reason>> {
        let cell = to.to_string();
        if attacks::pawn(self.to_move, from).contains(to) {
            return Some(if taken {
                Ok(())
            } else {
                Err(Reason::PawnCapturesAslant { cell })
            });
        }
        let forward = from.file() == to.file() && from.rank_of(self.to_move) + 1 == to.rank_of(self.to_move);
        let straight = if taken {
            Err(Reason::PawnMovesStraight { cell })
        } else {
            Ok(())
        };
        forward.then_some(straight)
    }

    fn blocked(&self, man: Man, from: Square, to: Square) -> Reason {
        let way = [Direction::STRAIGHT, Direction::ASLANT]
            .into_iter()
            .flatten()
            .find(|direction| direction.ray(from).contains(to));
        let in_the_way = way.and_then(|direction| direction.nearest(direction.ray(from) & self.occupied()));
        let by = self.named(in_the_way.unwrap_or(to));
        Reason::Blocked {
            man: man.text(),
            by_seat: by.seat,
            by_man: by.man,
            by: by.cell,
        }
    }

    /// Promotions and the changes of Morphs. `change` is not the man's own kind.
    fn judge_change(&self, man: Man, to: Square, change: Option<Kind>) -> Result<(), Reason> {
        let cell = to.to_string();
        let last = last_rank(self.to_move).contains(to);
        let Some(kind) = change else {
            return if man.kind == Kind::Pawn && last {
                Err(Reason::MustPromote { cell })
            } else {
                Ok(())
            };
        };
        if man.kind == Kind::Pawn && kind == Kind::Medusa && promotion_zone(self.to_move).contains(to) {
            return Ok(());
        }
        let kind_text = kind.letter().to_string();
        match self.kind_at(to) {
            _ if man.kind == Kind::Pawn && kind == Kind::Medusa && !man.morph => Err(Reason::NoPromotion { cell }),
            _ if !man.morph => Err(Reason::NotAMorph { man: man.text() }),
            None => Err(Reason::NothingTaken { cell }),
            Some(taken) if taken != kind => Err(Reason::OtherKindTaken {
                kind: kind_text,
                taken: taken.letter().to_string(),
            }),
            Some(_) if kind == Kind::Pawn && last => Err(Reason::PawnOnLastRank { cell }),
            Some(_) => Ok(()),
        }
    }

    fn judge_drop(&self, man: Man, to: Square) -> Result<(), Reason> {
        let cell = to.to_string();
        if !Kind::IN_HAND.contains(&man.kind) {
            return Err(Reason::NeverInHand { man: man.text() });
        }
        if self.hand(self.to_move).count(man) == 0 {
            return Err(Reason::NotInHand { man: man.text() });
        }
        if self.occupied().contains(to) {
            return Err(Reason::Taken { cell });
        }
        if man.kind == Kind::Pawn && last_rank(self.to_move).contains(to) {
            return Err(Reason::PawnOnLastRank { cell });
        }
        Ok(())
    }

    fn judge_castling(&self, to: Square) -> Result<(), Reason> {
        let (side, cell) = (self.to_move, to.to_string());
        let home = king_home(side);
        let Some((wing, _)) = castling_squares(side, to) else {
            return Err(Reason::CastlingEndsNowhere { cell });
        };
        let rook = rook_home(side, wing);
        if !self.rights.has(side, wing) {
            return Err(Reason::NoRightToCastle {
                king: home.to_string(),
                rook: rook.to_string(),
            });
        }
        self.judge_stone(home)?;
        self.judge_stone(rook)?;
        if let Some(square) = between_king_and_rook(side, wing).find(|square| self.occupied().contains(*square)) {
            return Err(Reason::CastlingBlocked {
                cell: square.to_string(),
            });
        }
        let hunters = self.hunters(side.other());
        let attacker = |square| {
            let attackers = self.attackers(square, side.other(), hunters, self.occupied());
            attackers.first().map(|at| self.named(at))
        };
        if let Some(Named { seat, man, cell }) = attacker(home) {
            return Err(Reason::CastlingInCheck { seat, man, cell });
        }
        let beyond = to.offset(wing.step(), 0);
        for square in between_king_and_rook(side, wing).take_while(|square| Some(*square) != beyond) {
            if let Some(Named { seat, man, cell }) = attacker(square) {
                return Err(Reason::CastlingAttacked {
                    through: square.to_string(),
                    seat,
                    man,
                    cell,
                });
            }
        }
        Ok(())
    }

    /// No turn may leave the own King attacked, petrification judged after the turn.
    fn judge_safety(&self, turn: Turn) -> Result<(), Reason> {
        let mut next = self.clone();
        next.apply(turn);
        let attackers = next.checkers(self.to_move);
        let before = self.checkers(self.to_move);
        let still = attackers & before;
        let Some(attacker) = still.first().or(attackers.first()) else {
            return Ok(());
        };
        let Named { seat, man, cell } = next.named(attacker);
        let king = next.king(self.to_move).map(|king| king.to_string()).unwrap_or_default();
        Err(match turn {
            Turn::Move { from, to, .. } if Some(from) == self.king(self.to_move) => Reason::KingAttacked {
                to: to.to_string(),
                seat,
                man,
                cell,
            },
            _ if !still.is_empty() => Reason::StillInCheck { seat, man, cell, king },
            _ if self.stone(self.to_move.other()).contains(attacker) => Reason::FreesAttacker { seat, man, cell },
            _ => Reason::OpensLine { seat, man, cell, king },
        })
    }
}
