//! What a turn did, as structured results.

use super::men::{Kind, Man, Side};
use super::position::{Position, Turn, castling_squares, king_home, rook_home};
use super::squares::{Square, Squares};
use crate::games::{Effect, Seat};

/// The results of a turn on the board, in the order of the sentence. `after` is the position that it led to.
pub fn of_turn(before: &Position, turn: Turn, after: &Position) -> Vec<Effect> {
    let side = before.to_move;
    let mut effects = match turn {
        Turn::Move { from, to, change } => of_move(before, from, to, change),
        Turn::Castle { to } => of_castling(side, to),
        Turn::Drop { man, to } => vec![Effect::Dropped {
            seat: side.seat(),
            man: man.text(),
            on: to.to_string(),
        }],
    };
    effects.extend(of_petrification(before, turn, after));
    if after.in_check(after.to_move) {
        effects.push(Effect::Check {
            seat: after.to_move.seat(),
        });
    }
    effects
}

fn of_move(before: &Position, from: Square, to: Square, change: Option<Kind>) -> Vec<Effect> {
    let (side, on) = (before.to_move, to.to_string());
    let Some(man) = before.man_at(from) else {
        return Vec::new();
    };
    let mut effects = vec![Effect::Moved {
        seat: side.seat(),
        man: Some(man.text()),
        from: from.to_string(),
        to: on.clone(),
    }];
    if let (Some(owner), Some(taken)) = (before.side_at(to), before.man_at(to)) {
        let in_hand = Man {
            kind: taken.kind.in_hand(),
            ..taken
        };
        effects.push(Effect::ManTaken {
            seat: owner.seat(),
            man: taken.text(),
            on: on.clone(),
            in_hand: in_hand.text(),
        });
    }
    if let Some(kind) = change.filter(|kind| *kind != man.kind) {
        let became = Man { kind, ..man }.text();
        effects.push(if man.kind == Kind::Pawn && kind == Kind::Medusa {
            Effect::Promoted {
                seat: side.seat(),
                on,
                to: became,
            }
        } else {
            Effect::Changed {
                from: man.text(),
                to: became,
                on,
            }
        });
    }
    effects
}

fn of_castling(side: Side, to: Square) -> Vec<Effect> {
    let castled = castling_squares(side, to).map(|(wing, beside)| Effect::Castled {
        seat: side.seat(),
        king_from: king_home(side).to_string(),
        king_to: to.to_string(),
        rook_from: rook_home(side, wing).to_string(),
        rook_to: beside.to_string(),
    });
    castled.into_iter().collect()
}

/// The men of both sides that became stone or free. A man that arrives beside a Medusa becomes stone, whatever stood
/// on its square before; a captured stone man is not free.
fn of_petrification(before: &Position, turn: Turn, after: &Position) -> Vec<Effect> {
    let arrived = match turn {
        Turn::Move { to, .. } | Turn::Drop { to, .. } => to.bit(),
        Turn::Castle { .. } => Squares::NONE,
    };
    let was = before.all_stone().without(arrived);
    let is = after.all_stone();
    let mut effects = Vec::new();
    let petrified = named_men(after, is.without(was));
    if !petrified.is_empty() {
        effects.push(Effect::Petrified { men: petrified });
    }
    let freed = named_men(after, was.without(is));
    if !freed.is_empty() {
        effects.push(Effect::Freed { men: freed });
    }
    effects
}

/// Seat, man and square of the men on these squares, in cell order.
fn named_men(position: &Position, squares: Squares) -> Vec<(Seat, String, String)> {
    squares
        .into_iter()
        .filter_map(|square| {
            let (side, man) = (position.side_at(square)?, position.man_at(square)?);
            Some((side.seat(), man.text(), square.to_string()))
        })
        .collect()
}
