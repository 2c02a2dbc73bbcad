//! Position text: `BOARD SEAT CASTLING HANDS`.

use super::men::{Kind, Man, Side};
use super::movegen::last_rank;
use super::position::{Hand, Position, Wing, king_home, rook_home};
use super::squares::{Square, WIDTH};
use crate::games::{PositionError, notation};

/// The start position **[decision]**. The inventor's diagram is lost; the order on the wings and the places of the
/// Pillars, the Medusa and the Morph are reconstructed from his words ("a bit like the first ranks of Grand Chess";
/// Pillars beside the Medusa; each side's two Bishops on different colours). Nothing else depends on it.
pub const DEFAULT: &str = "r3skq3r/1nablmlabn1/5+b5/ppppppppppp/11/11/11/PPPPPPPPPPP/5+B5/1NBALMLBAN1/R3QKS3R w AKak -";

/// The other reading of the inventor's sentence **[decision]**: everything behind the Pawns moved up.
pub const SHIFTED: &str =
    "r3skq3r/1nab1+b1abn1/4lml4/ppppppppppp/11/11/11/PPPPPPPPPPP/4LML4/1NBA1+B1BAN1/R3QKS3R w AKak -";

/// The most men of one sort that a position text may put into a hand. It keeps every count that play can reach from
/// there within its type, and is far above any game's.
const MOST_IN_HAND: u32 = 999;

/// The rights in the order in which they are written.
const RIGHTS: [(char, Side, Wing); 4] = [
    ('A', Side::White, Wing::A),
    ('K', Side::White, Wing::K),
    ('a', Side::Black, Wing::A),
    ('k', Side::Black, Wing::K),
];

fn invalid(why: impl Into<String>) -> PositionError {
    PositionError(why.into())
}

impl Position {
    /// Reads a position text. BOARD alone means White to move, no hands, every right whose King and Rook stand on
    /// their squares.
    ///
    /// # Errors
    ///
    /// A text that is malformed or that the rules page calls invalid.
    pub fn read(text: &str) -> Result<Position, PositionError> {
        let fields: Vec<&str> = text.split_whitespace().collect();
        let mut position = Position::empty();
        match fields[..] {
            [board] => {
                read_board(&mut position, board)?;
                for (_, side, wing) in RIGHTS {
                    if stand_unmoved(&position, side, wing) {
                        position.rights.grant(side, wing);
                    }
                }
            }
            [board, seat, rights, hands] => {
                read_board(&mut position, board)?;
                position.to_move = read_seat(seat)?;
                read_rights(&mut position, rights)?;
                read_hands(&mut position, hands)?;
            }
            _ => return Err(invalid("a position is BOARD SEAT CASTLING HANDS, or BOARD alone")),
        }
        if position.in_check(position.to_move.other()) {
            return Err(invalid("the side that is not to move is in check"));
        }
        Ok(position)
    }

    /// The position text.
    pub fn write(&self) -> String {
        let ranks: Vec<String> = (0..WIDTH).rev().map(|rank| self.write_rank(rank)).collect();
        let seat = match self.to_move {
            Side::White => 'w',
            Side::Black => 'b',
        };
        let rights: String = RIGHTS
            .into_iter()
            .filter(|(_, side, wing)| self.rights.has(*side, *wing))
            .map(|(letter, ..)| letter)
            .collect();
        let hands: String = Side::BOTH
            .into_iter()
            .flat_map(|side| self.hand(side).men().map(move |(man, count)| (side, man, count)))
            .map(|(side, man, count)| match count {
                1 => man.text_of(side),
                _ => format!("{count}{}", man.text_of(side)),
            })
            .collect();
        let or_dash = |text: String| if text.is_empty() { "-".to_string() } else { text };
        format!("{} {seat} {} {}", ranks.join("/"), or_dash(rights), or_dash(hands))
    }

    fn write_rank(&self, rank: u8) -> String {
        let mut text = String::new();
        let mut run = 0;
        for square in (0..WIDTH).filter_map(|file| Square::at(file, rank)) {
            match (self.side_at(square), self.man_at(square)) {
                (Some(side), Some(man)) => {
                    if run > 0 {
                        text.push_str(&run.to_string());
                        run = 0;
                    }
                    text.push_str(&man.text_of(side));
                }
                _ => run += 1,
            }
        }
        if run > 0 {
            text.push_str(&run.to_string());
        }
        text
    }
}

/// A man's letter with its side: White's upper case, Black's lower case.
fn read_man(letter: char, morph: bool) -> Option<(Side, Man)> {
    let kind = Kind::of_letter(letter)?;
    let side = if letter.is_ascii_uppercase() {
        Side::White
    } else {
        Side::Black
    };
    Some((side, Man { kind, morph }))
}

fn read_board(position: &mut Position, text: &str) -> Result<(), PositionError> {
    let ranks: Vec<&str> = text.split('/').collect();
    if ranks.len() != usize::from(WIDTH) {
        return Err(invalid(format!("{WIDTH} ranks expected, {} found", ranks.len())));
    }
    for (text, rank) in ranks.into_iter().zip((0..WIDTH).rev()) {
        read_rank(position, text, rank)?;
    }
    check_men(position)
}

fn read_rank(position: &mut Position, text: &str, rank: u8) -> Result<(), PositionError> {
    let number = rank + 1;
    let wrong_length = || invalid(format!("rank {number} has not {WIDTH} squares"));
    let mut file = 0;
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        if first.is_ascii_digit() {
            let (run, after) = split_number(rest);
            let run = notation::read_number(run)
                .filter(|run| *run > 0)
                .ok_or_else(|| invalid(format!("rank {number}: {run} is no run of empty squares")))?;
            file = u8::try_from(run)
                .ok()
                .and_then(|run| run.checked_add(file))
                .filter(|file| *file <= WIDTH)
                .ok_or_else(wrong_length)?;
            rest = after;
        } else {
            let (side, man, after) =
                split_man(rest).ok_or_else(|| invalid(format!("rank {number}: no man begins {rest:?}")))?;
            let square = Square::at(file, rank).ok_or_else(wrong_length)?;
            position.put(square, side, man);
            file += 1;
            rest = after;
        }
    }
    if file == WIDTH { Ok(()) } else { Err(wrong_length()) }
}

/// The digits at the beginning of a text, and what follows them.
fn split_number(text: &str) -> (&str, &str) {
    let end = text.find(|character: char| !character.is_ascii_digit());
    text.split_at(end.unwrap_or(text.len()))
}

/// The man with or without mark at the beginning of a text, and what follows it.
fn split_man(text: &str) -> Option<(Side, Man, &str)> {
    let (morph, text) = match text.strip_prefix('+') {
        Some(text) => (true, text),
        None => (false, text),
    };
    let mut rest = text.chars();
    let (side, man) = read_man(rest.next()?, morph)?;
    Some((side, man, rest.as_str()))
}

fn read_seat(text: &str) -> Result<Side, PositionError> {
    match text {
        "w" => Ok(Side::White),
        "b" => Ok(Side::Black),
        _ => Err(invalid(format!("{text:?} is no seat: w or b"))),
    }
}

fn read_rights(position: &mut Position, text: &str) -> Result<(), PositionError> {
    if text == "-" {
        return Ok(());
    }
    let mut order = RIGHTS.into_iter();
    for letter in text.chars() {
        let (_, side, wing) = order.find(|(right, ..)| *right == letter).ok_or_else(|| {
            invalid(format!(
                "the rights to castle {text:?} are not letters of AKak in this order"
            ))
        })?;
        if !stand_unmoved(position, side, wing) {
            return Err(invalid(format!(
                "the right {letter} has no King on {} or no unmarked Rook on {}",
                king_home(side),
                rook_home(side, wing)
            )));
        }
        position.rights.grant(side, wing);
    }
    Ok(())
}

/// Whether King and Rook of a wing stand where they stand at the start.
fn stand_unmoved(position: &Position, side: Side, wing: Wing) -> bool {
    let rook = Man {
        kind: Kind::Rook,
        morph: false,
    };
    let corner = rook_home(side, wing);
    position.king(side) == Some(king_home(side))
        && position.side_at(corner) == Some(side)
        && position.man_at(corner) == Some(rook)
}

fn read_hands(position: &mut Position, text: &str) -> Result<(), PositionError> {
    if text == "-" {
        return Ok(());
    }
    let mut rest = text;
    while !rest.is_empty() {
        let (number, after) = split_number(rest);
        let count = match number {
            "" => 1,
            _ => notation::read_number(number)
                .filter(|count| (2..=MOST_IN_HAND).contains(count))
                .ok_or_else(|| invalid(format!("{number} is no number of men in hand: 2 to {MOST_IN_HAND}")))?,
        };
        let (side, man, after) = split_man(after).ok_or_else(|| invalid(format!("hands: no man begins {after:?}")))?;
        if !Kind::IN_HAND.contains(&man.kind) {
            return Err(invalid(format!("{} is never in hand", man.text_of(side))));
        }
        let hand: &mut Hand = position.hand_mut(side);
        if hand.count(man) > 0 {
            return Err(invalid(format!("{} stands twice in hand", man.text_of(side))));
        }
        hand.set(man, count as u16);
        rest = after;
    }
    Ok(())
}

/// What makes a well-formed board invalid.
fn check_men(position: &Position) -> Result<(), PositionError> {
    for (side, name) in [(Side::White, "White"), (Side::Black, "Black")] {
        let kings = position.kind(Kind::King) & position.of(side);
        if kings.len() != 1 {
            return Err(invalid(format!("{name} has {} Kings", kings.len())));
        }
        if kings.meets(position.morphs()) {
            return Err(invalid(format!("{name}'s King bears the mark of a Morph")));
        }
        if (position.kind(Kind::Pawn) & position.of(side)).meets(last_rank(side)) {
            return Err(invalid(format!("{name} has a Pawn on its last rank")));
        }
    }
    Ok(())
}
