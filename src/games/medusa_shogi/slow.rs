//! A second move generator, from position text to turn texts: slow, without sets, pins or tables, and written from
//! the rules page alone. The tests compare it with the fast one.

use std::collections::{BTreeMap, BTreeSet};

type Place = (i32, i32);

#[derive(Clone, Copy, PartialEq)]
struct Man {
    white: bool,
    letter: char,
    morph: bool,
}

#[derive(Clone)]
struct Board(BTreeMap<Place, Man>);

const EDGE: i32 = 11;

fn places() -> impl Iterator<Item = Place> {
    (1..=EDGE).flat_map(|rank| (1..=EDGE).map(move |file| (file, rank)))
}

fn name((file, rank): Place) -> String {
    format!("{}{rank}", char::from(b'a' + file as u8 - 1))
}

fn beside(one: Place, other: Place) -> bool {
    one != other && (one.0 - other.0).abs() <= 1 && (one.1 - other.1).abs() <= 1
}

impl Board {
    fn read(text: &str) -> Board {
        let mut men = BTreeMap::new();
        for (row, rank) in text.split('/').zip((1..=EDGE).rev()) {
            let (mut file, mut run, mut morph) = (1, 0, false);
            for letter in row.chars() {
                if let Some(digit) = letter.to_digit(10) {
                    run = run * 10 + digit as i32;
                    continue;
                }
                file += std::mem::take(&mut run);
                if letter == '+' {
                    morph = true;
                    continue;
                }
                let man = Man {
                    white: letter.is_uppercase(),
                    letter: letter.to_ascii_uppercase(),
                    morph: std::mem::take(&mut morph),
                };
                men.insert((file, rank), man);
                file += 1;
            }
        }
        Board(men)
    }

    fn at(&self, place: Place) -> Option<Man> {
        self.0.get(&place).copied()
    }

    fn stone(&self, place: Place) -> bool {
        self.at(place).is_some_and(|man| {
            man.letter != 'M'
                && self
                    .0
                    .iter()
                    .any(|(other, medusa)| medusa.letter == 'M' && medusa.white != man.white && beside(place, *other))
        })
    }

    fn open_line(&self, from: Place, to: Place) -> bool {
        let (files, ranks) = (to.0 - from.0, to.1 - from.1);
        let length = files.abs().max(ranks.abs());
        (1..length).all(|step| {
            let place = (from.0 + files / length * step, from.1 + ranks / length * step);
            self.at(place).is_none()
        })
    }

    /// Whether the man on `from` would capture an enemy on `to`, were he not stone.
    fn captures(&self, from: Place, to: Place) -> bool {
        let Some(man) = self.at(from) else { return false };
        let (files, ranks) = (to.0 - from.0, to.1 - from.1);
        let (wide, high) = (files.abs(), ranks.abs());
        let straight = (wide == 0) != (high == 0) && self.open_line(from, to);
        let aslant = wide == high && wide > 0 && self.open_line(from, to);
        let leap = (wide, high) == (1, 2) || (wide, high) == (2, 1);
        match man.letter {
            'K' => beside(from, to),
            'Q' => straight || aslant,
            'S' => straight || aslant || leap,
            'R' => straight,
            'L' => straight || leap,
            'A' => aslant || leap,
            'B' => aslant,
            'N' => leap,
            'P' => wide == 1 && ranks == if man.white { 1 } else { -1 },
            _ => false,
        }
    }

    /// Whether he would move to the empty `to`.
    fn steps(&self, from: Place, to: Place) -> bool {
        match self.at(from) {
            Some(man) if man.letter == 'M' => beside(from, to),
            Some(man) if man.letter == 'P' => to == (from.0, from.1 + if man.white { 1 } else { -1 }),
            _ => self.captures(from, to),
        }
    }

    fn attacked(&self, place: Place, by_white: bool) -> bool {
        self.0
            .iter()
            .any(|(from, man)| man.white == by_white && !self.stone(*from) && self.captures(*from, place))
    }

    fn king_attacked(&self, white: bool) -> bool {
        let king = self.0.iter().find(|(_, man)| man.letter == 'K' && man.white == white);
        king.is_some_and(|(place, _)| self.attacked(*place, !white))
    }

    fn after(&self, from: Option<Place>, to: Place, man: Man) -> Board {
        let mut next = self.clone();
        if let Some(from) = from {
            next.0.remove(&from);
        }
        next.0.insert(to, man);
        next
    }
}

/// The texts of the legal turns of a full position text.
pub fn turns(text: &str) -> BTreeSet<String> {
    let fields: Vec<&str> = text.split(' ').collect();
    let board = Board::read(fields[0]);
    let white = fields[1] == "w";
    let mut turns = BTreeSet::new();
    for (from, man) in board.0.iter().filter(|(_, man)| man.white == white) {
        if !board.stone(*from) {
            moves(&board, *from, *man, &mut turns);
        }
    }
    castlings(&board, white, fields[2], &mut turns);
    drops(&board, white, fields[3], &mut turns);
    turns
}

fn moves(board: &Board, from: Place, man: Man, turns: &mut BTreeSet<String>) {
    for to in places() {
        let taken = board.at(to);
        let possible = match taken {
            None => board.steps(from, to),
            Some(other) => other.white != man.white && board.captures(from, to),
        };
        if !possible {
            continue;
        }
        let rank = if man.white { to.1 } else { EDGE + 1 - to.1 };
        let mut becomes = BTreeSet::from([man.letter]);
        if man.letter == 'P' && rank >= 9 {
            becomes.insert('M');
        }
        if let (true, Some(taken)) = (man.morph, taken) {
            becomes.insert(taken.letter);
        }
        if rank == 11 {
            becomes.remove(&'P');
        }
        for letter in becomes {
            if board
                .after(Some(from), to, Man { letter, ..man })
                .king_attacked(man.white)
            {
                continue;
            }
            let sign = if taken.is_some() { 'x' } else { '-' };
            let change = if letter == man.letter {
                String::new()
            } else {
                format!("={letter}")
            };
            turns.insert(format!("{}{sign}{}{change}", name(from), name(to)));
        }
    }
}

fn castlings(board: &Board, white: bool, rights: &str, turns: &mut BTreeSet<String>) {
    let rank = if white { 1 } else { 11 };
    let king = (6, rank);
    for (letter, corner, step) in [('A', 1, -1), ('K', 11, 1)] {
        let letter = if white { letter } else { letter.to_ascii_lowercase() };
        let between_empty = (1..=4).all(|squares| board.at((6 + squares * step, rank)).is_none());
        if !rights.contains(letter)
            || !between_empty
            || board.stone(king)
            || board.stone((corner, rank))
            || board.attacked(king, !white)
        {
            continue;
        }
        for squares in 1..=4 {
            let to = (6 + squares * step, rank);
            if board.attacked(to, !white) {
                break;
            }
            turns.insert(format!("castle {}", name(to)));
        }
    }
}

fn drops(board: &Board, white: bool, hands: &str, turns: &mut BTreeSet<String>) {
    let mut morph = false;
    for letter in hands.chars() {
        if letter == '+' {
            morph = true;
        }
        if !letter.is_alphabetic() {
            continue;
        }
        let morph = std::mem::take(&mut morph);
        if letter.is_uppercase() != white {
            continue;
        }
        let letter = letter.to_ascii_uppercase();
        for to in places().filter(|to| board.at(*to).is_none()) {
            if letter == 'P' && to.1 == if white { 11 } else { 1 } {
                continue;
            }
            if !board.after(None, to, Man { white, letter, morph }).king_attacked(white) {
                let mark = if morph { "+" } else { "" };
                turns.insert(format!("{mark}{letter}@{}", name(to)));
            }
        }
    }
}
