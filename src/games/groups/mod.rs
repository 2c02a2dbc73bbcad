//! Groups, liberties, capture, immunity and area on any board of points: written once for Medusa, Lotus and Rosette.
//!
//! A board is a [`Graph`] of points with their neighbours and *rings*: the sets of six points around a hexagon (around
//! a dark cell in Medusa). A *group* is a maximal connected set of stones of one colour, a *liberty* of it a vacant
//! point beside it. A group is *dead* if it has no liberty and holds no ring whole: six stones on a ring (a rosette, a
//! lotus) make their group immune. Nothing here allocates but building a graph and growing a [`History`].

mod history;
mod points;
#[cfg(test)]
pub mod slow;

pub use history::History;
pub use points::{MOST_POINTS, Point, PointSet};

use super::Seat;

/// The most neighbours that a point of any of the boards has.
const MOST_NEIGHBOURS: usize = 4;

/// The seat to move first in all three games.
pub const BLACK: Seat = Seat(0);
/// The seat that answers.
pub const WHITE: Seat = Seat(1);

/// The other of the two seats.
pub fn opponent(seat: Seat) -> Seat {
    Seat(seat.0 ^ 1)
}

/// The neighbours of one point.
#[derive(Clone, Copy, Debug, Default)]
struct Neighbours {
    points: [Point; MOST_NEIGHBOURS],
    count: u8,
}

/// The six points around one hexagon: a place for a rosette or a lotus.
#[derive(Clone, Debug)]
pub struct Ring<const N: usize> {
    pub points: PointSet<N>,
    /// What it is called: the name of the dark cell or of its first point.
    pub around: String,
}

/// The points of a board, who is beside whom, and the rings. `N` is the number of 64-bit words of its point sets.
#[derive(Clone, Debug)]
pub struct Graph<const N: usize> {
    neighbours: Vec<Neighbours>,
    rings: Vec<Ring<N>>,
    all: PointSet<N>,
}

/// The stones of both seats and the hash of where they stand. A value of a few words that is copied freely.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stones<const N: usize> {
    by_seat: [PointSet<N>; 2],
    key: u128,
}

/// Stones that changed colour when a stone arrived.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reversal<const N: usize> {
    /// Enemy stones that were captured: step 1.
    pub captured: PointSet<N>,
    /// The group of the arriving stone, where it was dead itself: step 2. With captures before, the double reversal.
    pub lost: PointSet<N>,
}

/// What a seat has on the board, for the score.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Area {
    pub stones: u32,
    /// Vacant points of regions that border on this seat's stones only.
    pub points: u32,
}

impl<const N: usize> Stones<N> {
    /// No stone.
    pub const NONE: Self = Stones {
        by_seat: [PointSet::EMPTY; 2],
        key: 0,
    };

    /// The stones of one seat.
    pub fn of(&self, seat: Seat) -> &PointSet<N> {
        &self.by_seat[seat.index() & 1]
    }

    /// The points that have a stone.
    pub fn taken(&self) -> PointSet<N> {
        self.by_seat[0] | self.by_seat[1]
    }

    /// Whose stone stands there.
    pub fn at(&self, point: Point) -> Option<Seat> {
        [BLACK, WHITE].into_iter().find(|&seat| self.of(seat).contains(point))
    }

    /// Puts a stone on a vacant point.
    pub fn put(&mut self, seat: Seat, point: Point) {
        debug_assert_eq!(self.at(point), None);
        self.by_seat[seat.index() & 1].insert(point);
        self.key ^= history::stone_key(seat, point);
    }

    /// Takes the stones on these points off the board.
    pub fn remove(&mut self, points: &PointSet<N>) {
        for seat in [BLACK, WHITE] {
            for point in (*self.of(seat) & *points).iter() {
                self.key ^= history::stone_key(seat, point);
            }
            self.by_seat[seat.index()] -= *points;
        }
    }

    /// Turns the stones on these points, whosesoever they are, to the other colour, all at once.
    pub fn reverse(&mut self, points: &PointSet<N>) {
        let [black, white] = self.by_seat;
        for point in ((black | white) & *points).iter() {
            self.key ^= history::stone_key(BLACK, point) ^ history::stone_key(WHITE, point);
        }
        self.by_seat = [
            (black - *points) | (white & *points),
            (white - *points) | (black & *points),
        ];
    }

    /// The hash of the pair (stones, side to move): what must not repeat under situational superko.
    pub fn situation(&self, to_move: Seat) -> u128 {
        self.key ^ history::side_key(to_move)
    }
}

impl<const N: usize> Graph<N> {
    /// A board from the neighbours of each of its points, which are numbered from 0, and its rings.
    /// At most [`MOST_POINTS`] points and `64 * N`; at most four neighbours a point.
    pub fn new(neighbours: impl IntoIterator<Item = Vec<Point>>, rings: Vec<Ring<N>>) -> Self {
        let neighbours: Vec<Neighbours> = neighbours
            .into_iter()
            .map(|mut list| {
                list.sort_unstable();
                debug_assert!(list.len() <= MOST_NEIGHBOURS);
                let mut around = Neighbours::default();
                for (place, point) in around.points.iter_mut().zip(list) {
                    *place = point;
                    around.count += 1;
                }
                around
            })
            .collect();
        debug_assert!(neighbours.len() <= MOST_POINTS.min(64 * N));
        let all = (0..neighbours.len() as Point).collect();
        Graph { neighbours, rings, all }
    }

    /// The number of points.
    #[allow(clippy::len_without_is_empty)] // no board is empty
    pub fn len(&self) -> usize {
        self.neighbours.len()
    }

    /// The points beside a point, in order.
    pub fn neighbours(&self, point: Point) -> &[Point] {
        let around = &self.neighbours[usize::from(point)];
        &around.points[..usize::from(around.count)]
    }

    /// The points without a stone.
    pub fn vacant(&self, stones: &Stones<N>) -> PointSet<N> {
        self.all - stones.taken()
    }

    /// The points of `within` that hang together with `from`, which is one of them.
    fn connected(&self, within: &PointSet<N>, from: Point) -> PointSet<N> {
        let mut found = PointSet::of(from);
        let mut open = found;
        while let Some(point) = open.take_first() {
            for &next in self.neighbours(point) {
                if within.contains(next) && found.insert(next) {
                    open.insert(next);
                }
            }
        }
        found
    }

    /// The group of the stone on a point, and whose it is.
    pub fn group_at(&self, stones: &Stones<N>, point: Point) -> Option<(Seat, PointSet<N>)> {
        let seat = stones.at(point)?;
        Some((seat, self.connected(stones.of(seat), point)))
    }

    /// Whether these stones fill a ring whole.
    pub fn immune(&self, group: &PointSet<N>) -> bool {
        self.rings.iter().any(|ring| group.contains_all(&ring.points))
    }

    /// The group of `seat`'s stone on `point`, if it is dead. Stops at the first liberty.
    pub fn dead_group(&self, stones: &Stones<N>, seat: Seat, point: Point) -> Option<PointSet<N>> {
        let (own, enemy) = (stones.of(seat), stones.of(opponent(seat)));
        let mut group = PointSet::of(point);
        let mut open = group;
        while let Some(point) = open.take_first() {
            for &next in self.neighbours(point) {
                if own.contains(next) {
                    if group.insert(next) {
                        open.insert(next);
                    }
                } else if !enemy.contains(next) {
                    return None;
                }
            }
        }
        (!self.immune(&group)).then_some(group)
    }

    /// Step 1 of every capture: the stones of all dead enemy groups beside `seat`'s new stone on `at`.
    pub fn captured_by(&self, stones: &Stones<N>, seat: Seat, at: Point) -> PointSet<N> {
        let enemy = opponent(seat);
        let mut captured = PointSet::EMPTY;
        for &next in self.neighbours(at) {
            if stones.of(enemy).contains(next)
                && !captured.contains(next)
                && let Some(group) = self.dead_group(stones, enemy, next)
            {
                captured |= group;
            }
        }
        captured
    }

    /// Capture by reversal (Medusa, Lotus), after `seat`'s stone has arrived on `at`: dead enemy groups beside it turn,
    /// all at once; then the group of the new stone turns, if it is dead.
    pub fn reverse_dead(&self, stones: &mut Stones<N>, seat: Seat, at: Point) -> Reversal<N> {
        let captured = self.captured_by(stones, seat, at);
        stones.reverse(&captured);
        let lost = self.dead_group(stones, seat, at).unwrap_or(PointSet::EMPTY);
        stones.reverse(&lost);
        Reversal { captured, lost }
    }

    /// A stone of a dead group, if there is one: no position may hold any.
    pub fn first_dead(&self, stones: &Stones<N>) -> Option<Point> {
        [BLACK, WHITE]
            .into_iter()
            .flat_map(|seat| self.groups(*stones.of(seat)).map(move |group| (seat, group)))
            .filter_map(|(seat, group)| self.dead_group(stones, seat, group.first()?)?.first())
            .min()
    }

    /// The maximal connected parts of a set, in the order of their first points.
    pub fn groups(&self, mut set: PointSet<N>) -> impl Iterator<Item = PointSet<N>> {
        std::iter::from_fn(move || {
            let group = self.connected(&set, set.first()?);
            set -= group;
            Some(group)
        })
    }

    /// Stones and surrounded points of each seat. A region of vacant points that touches both colours (seki, or open)
    /// or none counts for nobody.
    pub fn areas(&self, stones: &Stones<N>) -> [Area; 2] {
        let mut areas = [BLACK, WHITE].map(|seat| Area {
            stones: stones.of(seat).len() as u32,
            points: 0,
        });
        for region in self.groups(self.vacant(stones)) {
            let border: PointSet<N> = region
                .iter()
                .flat_map(|point| self.neighbours(point))
                .copied()
                .collect();
            match [BLACK, WHITE].map(|seat| border.touches(stones.of(seat))) {
                [true, false] => areas[0].points += region.len() as u32,
                [false, true] => areas[1].points += region.len() as u32,
                _ => {}
            }
        }
        areas
    }

    /// The rings that a seat fills after a turn and did not fill before.
    pub fn new_rings(&self, before: Stones<N>, after: Stones<N>) -> impl Iterator<Item = (Seat, &Ring<N>)> {
        let fills = |stones: &Stones<N>, seat, ring: &Ring<N>| stones.of(seat).contains_all(&ring.points);
        self.rings.iter().filter_map(move |ring| {
            let seat = [BLACK, WHITE].into_iter().find(|&seat| fills(&after, seat, ring))?;
            (!fills(&before, seat, ring)).then_some((seat, ring))
        })
    }
}

#[cfg(test)]
mod tests;
