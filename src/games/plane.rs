//! Boards in the plane: where the cells of a layout lie, which of them touch, and by which turns and mirrorings a board
//! comes to lie on itself. Data only; letters draws them.
//!
//! All boards lie in one grid of exact places, so that turning, mirroring and comparing never round.

use super::{Cell, Layout, lotus, rosette};
use std::collections::{BTreeSet, HashMap};
use std::ops::{Add, Mul, Sub};

/// A place in the plane: a + bζ + cζ² + dζ³ with ζ = e^(iπ/6), the unit step in the direction of 30°.
///
/// The unit is the distance of two neighbours. These places hold the corners of all tilings by triangles, squares and
/// regular hexagons; ζ⁴ = ζ² − 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Place([i32; 4]);

impl Place {
    pub const ORIGIN: Place = Place([0; 4]);

    /// The place a + bζ + cζ² + dζ³.
    pub const fn new(a: i32, b: i32, c: i32, d: i32) -> Place {
        Place([a, b, c, d])
    }

    /// The unit step in the direction of so many times 30°, counted from the right against the clock.
    pub fn unit(twelfths: u8) -> Place {
        Place::new(1, 0, 0, 0).turned(twelfths)
    }

    /// Turned about the origin by so many times 30° against the clock.
    pub fn turned(self, twelfths: u8) -> Place {
        (0..twelfths % 12).fold(self, |Place([a, b, c, d]), _| Place([-d, a, b + d, c]))
    }

    /// Mirrored left to right at the vertical through the origin.
    pub fn mirrored(self) -> Place {
        let Place([a, b, c, d]) = self;
        Place([-a - c, -b, c, b + d])
    }

    /// To the right and up, in units.
    pub fn xy(self) -> (f64, f64) {
        let Place([a, b, c, d]) = self;
        let half_of_root = 3_f64.sqrt() / 2.0;
        (
            f64::from(2 * a + c) / 2.0 + f64::from(b) * half_of_root,
            f64::from(b + 2 * d) / 2.0 + f64::from(c) * half_of_root,
        )
    }

    /// Equal for places of equal height, and for no others.
    pub(super) fn height(self) -> (i32, i32) {
        let Place([_, b, c, d]) = self;
        (b + 2 * d, c)
    }
}

impl Add for Place {
    type Output = Place;
    fn add(self, other: Place) -> Place {
        Place(std::array::from_fn(|index| self.0[index] + other.0[index]))
    }
}

impl Sub for Place {
    type Output = Place;
    fn sub(self, other: Place) -> Place {
        Place(std::array::from_fn(|index| self.0[index] - other.0[index]))
    }
}

impl Mul<i32> for Place {
    type Output = Place;
    fn mul(self, factor: i32) -> Place {
        Place(self.0.map(|part| part * factor))
    }
}

/// Where the cells of a diagram lie, in cell order.
pub fn places(layout: Layout, cells: &[Cell]) -> Vec<Place> {
    match layout {
        Layout::Hexagon { side } => cells.iter().map(|cell| hexagon_place(side, cell.x, cell.y)).collect(),
        Layout::Lotus => lotus::PLACES.clone(),
        Layout::Honeycomb { side } => cells
            .iter()
            .map(|cell| rosette::lies_at(side, cell.x, cell.y))
            .collect(),
        Layout::Squares { .. } => cells
            .iter()
            .map(|cell| Place::new(cell.x.into(), 0, 0, cell.y.into()))
            .collect(),
    }
}

/// The cell (x, y) of a hexagonal board, the middle of which is the origin; also of a cell beside the board.
pub fn hexagon_place(side: u8, x: u8, y: u8) -> Place {
    let [x, y] = [x, y].map(|number| i32::from(number) - i32::from(side));
    Place::new(x - y, 0, y, 0)
}

/// The places of a hexagonal board that are no cells: Medusa's dark cells. Empty for other layouts.
pub fn holes(layout: Layout, cells: &[Cell]) -> Vec<Place> {
    let Layout::Hexagon { side } = layout else {
        return Vec::new();
    };
    let there: BTreeSet<(u8, u8)> = cells.iter().map(|cell| (cell.x, cell.y)).collect();
    let last = 2 * side - 1;
    (1..=last)
        .flat_map(|y| (1..=last).map(move |x| (x, y)))
        .filter(|&(x, y)| x.abs_diff(y) < side && !there.contains(&(x, y)))
        .map(|(x, y)| hexagon_place(side, x, y))
        .collect()
}

/// The corners of a cell as seen from its middle, in units; empty where cells are the points of a graph.
pub fn outline(layout: Layout) -> Vec<(f64, f64)> {
    match layout {
        Layout::Hexagon { .. } => (0..6)
            .map(|sixth| {
                let (x, y) = Place::unit(2 * sixth + 1).xy();
                (x / 3_f64.sqrt(), y / 3_f64.sqrt())
            })
            .collect(),
        Layout::Squares { .. } => vec![(0.5, 0.5), (-0.5, 0.5), (-0.5, -0.5), (0.5, -0.5)],
        Layout::Lotus | Layout::Honeycomb { .. } => Vec::new(),
    }
}

/// The pairs of places that are a unit apart, by their indexes, each once.
pub fn pairs(places: &[Place]) -> Vec<(usize, usize)> {
    let index = by_place(places);
    let half_way_round: Vec<Place> = (0..6).map(Place::unit).collect();
    let from = places.iter().enumerate();
    from.flat_map(|(here, &place)| {
        let there = half_way_round
            .iter()
            .filter_map(|&step| index.get(&(place + step)).copied());
        there.map(move |there| (here, there)).collect::<Vec<_>>()
    })
    .collect()
}

/// The turns and mirrorings that lay a board on itself, the one that leaves all as it is first: for each cell, the index
/// of the cell on which it comes to lie.
///
/// Men have a direction, so that a chessboard is only mirrored left to right.
pub fn symmetries(layout: Layout, cells: &[Cell]) -> Vec<Vec<usize>> {
    let places = places(layout, cells);
    // Seen from the middle, and so many times as large as there are cells, to stay whole.
    let count = places.len() as i32;
    let sum = places.iter().fold(Place::ORIGIN, |sum, &place| sum + place);
    let from_middle: Vec<Place> = places.iter().map(|&place| place * count - sum).collect();
    let index = by_place(&from_middle);
    let turns = match layout {
        Layout::Squares { .. } => 0..1,
        Layout::Hexagon { .. } | Layout::Lotus | Layout::Honeycomb { .. } => 0..12,
    };
    let movements = [false, true]
        .into_iter()
        .flat_map(|mirrors| turns.clone().map(move |turn| (mirrors, turn)));
    movements
        .filter_map(|(mirrors, turn)| {
            let moved = |&place: &Place| if mirrors { place.mirrored() } else { place }.turned(turn);
            from_middle
                .iter()
                .map(|place| index.get(&moved(place)).copied())
                .collect()
        })
        .collect()
}

fn by_place(places: &[Place]) -> HashMap<Place, usize> {
    places
        .iter()
        .enumerate()
        .map(|(index, &place)| (place, index))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::{GAMES, Table, find};

    fn near((x, y): (f64, f64), (other_x, other_y): (f64, f64)) -> bool {
        (x - other_x).hypot(y - other_y) < 1e-9
    }

    fn tables() -> Vec<Box<dyn Table>> {
        let smaller = [
            ("susan", "side", "2"),
            ("susan", "side", "10"),
            ("rosette", "side", "3"),
        ];
        let smaller = smaller.map(|(game, name, value)| {
            let options = [(name.to_string(), Some(value.to_string()))];
            (find(game).unwrap().start)(&options).unwrap()
        });
        GAMES
            .iter()
            .map(|game| (game.start)(&[]).unwrap())
            .chain(smaller)
            .collect()
    }

    #[test]
    fn places_turn_and_mirror_as_points_do() {
        let place = Place::new(3, -2, 5, 1);
        let (x, y) = place.xy();
        assert!(near(place.mirrored().xy(), (-x, y)));
        for twelfths in 0..12 {
            let angle = f64::from(twelfths) * std::f64::consts::PI / 6.0;
            let (sine, cosine) = angle.sin_cos();
            let turned = (x * cosine - y * sine, x * sine + y * cosine);
            assert!(near(place.turned(twelfths).xy(), turned), "{twelfths}");
        }
        assert_eq!(place.turned(12), place);
    }

    #[test]
    fn cells_that_touch_are_a_unit_apart() {
        let pairs: Vec<usize> = tables()
            .iter()
            .map(|table| {
                let diagram = table.diagram();
                pairs(&places(diagram.layout, &diagram.cells)).len()
            })
            .collect();
        // Those of the rules pages, 2 · 11 · 10 on the chessboard, and of the boards of other sizes as counted elsewhere.
        assert_eq!(pairs, [156, 390, 132, 420, 220, 12, 756, 72]);
    }

    #[test]
    fn symmetries_are_a_group_of_permutations_that_keep_what_touches() {
        let counts: Vec<usize> = tables()
            .iter()
            .map(|table| {
                let diagram = table.diagram();
                let found = symmetries(diagram.layout, &diagram.cells);
                let touching: BTreeSet<(usize, usize)> = pairs(&places(diagram.layout, &diagram.cells))
                    .into_iter()
                    .flat_map(|(one, other)| [(one, other), (other, one)])
                    .collect();
                assert!(found[0].iter().copied().eq(0..diagram.cells.len()));
                for one in &found {
                    let all: BTreeSet<usize> = one.iter().copied().collect();
                    assert_eq!(all.len(), diagram.cells.len());
                    assert!(
                        touching
                            .iter()
                            .all(|&(from, to)| touching.contains(&(one[from], one[to])))
                    );
                    for other in &found {
                        let both: Vec<usize> = one.iter().map(|&cell| other[cell]).collect();
                        assert!(found.contains(&both), "two of them are one of them");
                    }
                }
                found.iter().collect::<BTreeSet<_>>().len()
            })
            .collect();
        assert_eq!(counts, [12, 12, 12, 12, 2, 12, 12, 12]);
    }

    #[test]
    fn a_chessboard_is_mirrored_left_to_right() {
        let diagram = (find("shogi").unwrap().start)(&[]).unwrap().diagram();
        let mirrored = &symmetries(diagram.layout, &diagram.cells)[1];
        let named = |name: &str| diagram.cells.iter().position(|cell| cell.name == name).unwrap();
        assert_eq!(mirrored[named("a3")], named("k3"));
        assert_eq!(mirrored[named("f11")], named("f11"));
    }

    #[test]
    fn the_dark_cells_of_medusa_are_holes() {
        let holes_of = |game: &str| {
            let diagram = (find(game).unwrap().start)(&[]).unwrap().diagram();
            holes(diagram.layout, &diagram.cells).len()
        };
        assert_eq!([holes_of("medusa"), holes_of("susan"), holes_of("lotus")], [61, 0, 0]);
    }
}
