//! A position of Susan and its rules, without texts.

use super::cells::{Bit, Grid, NARROW, NARROW_SIDE, Set, WIDE};
use crate::games::Seat;

/// The most seats that a match has.
pub const MOST_SEATS: usize = 4;

/// X begins. Decision: Linhart lets the players choose, and in his example game the first player begins.
const FIRST: u8 = 0;

/// Slides in a row by each player still in the game that make a draw. With three and four players this is a decision
/// that gives the original six with two.
const SLIDES_EACH: u8 = 3;

/// Decision: the last slide of the count that also surrounds decides the game. The sources do not cover it and
/// readings differ; a decided position outranks a draw for lack of progress, and the rules page says "as soon as".
const SURROUNDING_OUTRANKS_DRAW: bool = true;

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// This seat surrounded an enemy stone.
    Surrounded(Seat),
    /// This seat is left, since the last opponent surrounded a stone of his own.
    OwnStoneSurrounded(Seat),
    /// This seat is left, since the last opponent resigned.
    Resigned(Seat),
    /// A draw by this many slides in a row.
    Slides(u8),
    /// A draw, since nobody can move.
    BoardFull,
}

/// A placement, or a slide from a cell. The supply of stones is unlimited (decision: the original text names no
/// number, and the board ends it).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Turn {
    pub from: Option<Bit>,
    pub to: Bit,
}

/// A position, in sets of `N` words.
#[derive(Clone, Copy, Debug)]
pub struct Position<const N: usize> {
    pub grid: &'static Grid<N>,
    /// By seat: its stones.
    pub stones: [Set<N>; MOST_SEATS],
    pub seats: u8,
    pub to_move: u8,
    /// Slides in a row so far.
    pub slides: u8,
    /// The seats that are out, as bits.
    pub out: u8,
    pub end: Option<End>,
}

impl<const N: usize> Position<N> {
    /// The empty board.
    pub fn start(grid: &'static Grid<N>, seats: u8) -> Self {
        Position {
            grid,
            stones: [Set::EMPTY; MOST_SEATS],
            seats,
            to_move: FIRST,
            slides: 0,
            out: 0,
            end: None,
        }
    }

    pub fn is_out(&self, seat: u8) -> bool {
        self.out >> seat & 1 == 1
    }

    /// The number of players still in the game.
    pub fn players_in(&self) -> u8 {
        self.seats - self.out.count_ones() as u8
    }

    /// The number of slides in a row that is a draw now.
    pub fn draw_at(&self) -> u8 {
        SLIDES_EACH * self.players_in()
    }

    pub fn occupied(&self) -> Set<N> {
        self.stones.iter().fold(Set::EMPTY, |all, &stones| all | stones)
    }

    pub fn empty(&self) -> Set<N> {
        self.grid.board.without(self.occupied())
    }

    /// The seat whose stone stands on a cell.
    pub fn owner(&self, cell: Bit) -> Option<u8> {
        (0..self.seats).find(|&seat| self.stones[usize::from(seat)].contains(cell))
    }

    fn own(&self) -> Set<N> {
        self.stones[usize::from(self.to_move)]
    }

    /// By step: the cells from which it leads to an empty cell.
    fn open_by_step(&self) -> [Set<N>; 6] {
        let empty = self.empty();
        self.grid.steps.map(|step| empty.shifted(-step))
    }

    /// By step: the stones of the seat to move that can make it.
    fn slides_by_step(&self, open: &[Set<N>; 6]) -> [Set<N>; 6] {
        open.map(|cells| self.own() & cells)
    }

    /// The number of turns of the seat to move; 0 after the end.
    pub fn count_turns(&self) -> usize {
        if self.end.is_some() {
            return 0;
        }
        self.empty().count() + total(&self.slides_by_step(&self.open_by_step()))
    }

    /// The turns of the seat to move in listing order: placements in cell order, then slides by their first cell and
    /// then their second. None after the end.
    pub fn turns(&self) -> impl Iterator<Item = Turn> + use<N> {
        let (grid, going_on) = (self.grid, self.end.is_none());
        let (empty, own) = if going_on {
            (self.empty(), self.own())
        } else {
            (Set::EMPTY, Set::EMPTY)
        };
        let placements = empty.iter().map(|to| Turn { from: None, to });
        let slides = own.iter().flat_map(move |from| {
            let targets = grid.around(from) & empty;
            targets.iter().map(move |to| Turn { from: Some(from), to })
        });
        placements.chain(slides)
    }

    /// Plays a turn that is legal, and gives the stones that it surrounded, whosever they are.
    ///
    /// Only the stone that fills `to` and its neighbours can have been surrounded by the turn, and since `to` was a
    /// liberty of those neighbours, none of them was surrounded before.
    pub fn play(&mut self, turn: Turn) -> Set<N> {
        self.fill(turn);
        self.settle(turn.to, &self.open_by_step())
    }

    /// Puts the stone of the seat to move on its cell.
    fn fill(&mut self, turn: Turn) {
        let stones = &mut self.stones[usize::from(self.to_move)];
        match turn.from {
            Some(from) => {
                stones.remove(from);
                self.slides += 1;
            }
            None => self.slides = 0,
        }
        stones.insert(turn.to);
    }

    /// What follows after the seat to move has filled a cell: gives the stones that it surrounded.
    fn settle(&mut self, filled: Bit, open: &[Set<N>; 6]) -> Set<N> {
        let near = self.grid.around(filled) & self.occupied() | Set::of(filled);
        let with_liberty = open.iter().fold(Set::EMPTY, |all, &cells| all | cells);
        let surrounded = near.without(with_liberty);
        self.judge(surrounded);
        surrounded
    }

    /// What follows from the stones that the seat to move has surrounded, and whose turn it is then.
    fn judge(&mut self, surrounded: Set<N>) {
        let mover = self.to_move;
        let drawn = (self.slides == self.draw_at()).then_some(End::Slides(self.slides));
        let of = |seat: u8| !(self.stones[usize::from(seat)] & surrounded).is_empty();
        let enemy = || (0..self.seats).any(|other| other != mover && !self.is_out(other) && of(other));
        if surrounded.is_empty() || !SURROUNDING_OUTRANKS_DRAW && drawn.is_some() {
            self.end = drawn;
        } else if of(mover) {
            return self.leave(mover, End::OwnStoneSurrounded);
        } else if enemy() {
            self.end = Some(End::Surrounded(Seat(mover)));
        } else {
            self.end = drawn;
        }
        self.to_move = self.after(mover);
    }

    /// `seat`, still in the game, goes out. His stones stay and belong to nobody; the count of slides begins again.
    /// Whoever is left alone wins, as `end` says; nobody can move on a full board.
    ///
    /// Decision: the older server offered three and four players, and no text of their rules survives.
    pub fn leave(&mut self, seat: u8, end: fn(Seat) -> End) {
        self.out |= 1 << seat;
        self.slides = 0;
        if seat == self.to_move {
            self.to_move = self.after(seat);
        }
        if self.players_in() == 1 {
            self.end = Some(end(Seat(self.after(seat))));
        } else if self.empty().is_empty() {
            self.end = Some(End::BoardFull);
        }
    }

    /// The next seat in the order of play that is in the game.
    fn after(&self, seat: u8) -> u8 {
        let mut next = seat;
        loop {
            next = if next + 1 == self.seats { 0 } else { next + 1 };
            if !self.is_out(next) || next == seat {
                return next;
            }
        }
    }

    /// The number of sequences of exactly `depth` turns.
    pub fn perft(&self, depth: u32) -> u64 {
        match depth {
            0 => 1,
            1 => self.count_turns() as u64,
            _ => self.turns().map(|turn| self.played(turn).perft(depth - 1)).sum(),
        }
    }

    fn played(mut self, turn: Turn) -> Self {
        self.play(turn);
        self
    }

    /// Plays uniformly random turns to the end, and counts them.
    pub fn playout(&mut self, random: &mut dyn FnMut(usize) -> usize) -> u32 {
        let mut turns = 0;
        // What is open after a turn serves to judge it and to draw the next.
        let mut open = self.open_by_step();
        while self.end.is_none() {
            let Some(turn) = self.random_turn(&open, random) else {
                break;
            };
            self.fill(turn);
            open = self.open_by_step();
            self.settle(turn.to, &open);
            turns += 1;
        }
        turns
    }

    /// One of the turns, by a number below [`Self::count_turns`] that `random` draws.
    fn random_turn(&self, open: &[Set<N>; 6], random: &mut dyn FnMut(usize) -> usize) -> Option<Turn> {
        let empty = self.empty();
        let slides = self.slides_by_step(open);
        let placements = empty.count();
        let mut place = random(placements + total(&slides));
        if place < placements {
            return empty.nth(place).map(|to| Turn { from: None, to });
        }
        place -= placements;
        for (step, stones) in self.grid.steps.into_iter().zip(slides) {
            let count = stones.count();
            if place < count {
                let from = stones.nth(place)?;
                let to = from.checked_add_signed(step.into())?;
                return Some(Turn { from: Some(from), to });
            }
            place -= count;
        }
        None
    }

    /// The turn that [`Self::playout`] draws from this position.
    #[cfg(test)]
    pub fn drawn_turn(&self, random: &mut dyn FnMut(usize) -> usize) -> Option<Turn> {
        self.random_turn(&self.open_by_step(), random)
    }
}

/// The cells of six sets together. They are added up bit by bit before they are counted: the processors that the
/// compiler builds for by default have no instruction that counts bits, and this halves the counting.
fn total<const N: usize>(sets: &[Set<N>; 6]) -> usize {
    let add = |x: u64, y: u64, z: u64| (x ^ y ^ z, x & y | z & (x ^ y));
    let word = |word: usize| {
        let [a, b, c, d, e, f] = sets.map(|set| set.0[word]);
        let (first_ones, first_twos) = add(a, b, c);
        let (second_ones, second_twos) = add(d, e, f);
        let (ones, third_twos) = add(first_ones, second_ones, 0);
        let (twos, fours) = add(first_twos, second_twos, third_twos);
        ones.count_ones() + 2 * twos.count_ones() + 4 * fours.count_ones()
    };
    (0..N).map(word).sum::<u32>() as usize
}

impl Position<WIDE> {
    /// The same position in the words that the fast loops use, where the board fits.
    pub fn narrowed(&self) -> Option<Position<NARROW>> {
        (self.grid.side <= NARROW_SIDE).then(|| Position {
            grid: Grid::narrow(self.grid.side),
            stones: self.stones.map(|Set([first, second, ..])| Set([first, second])),
            seats: self.seats,
            to_move: self.to_move,
            slides: self.slides,
            out: self.out,
            end: self.end,
        })
    }
}
