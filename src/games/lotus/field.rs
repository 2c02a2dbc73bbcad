//! The 72 points: a patch of the tiling by triangles, squares and hexagons (3.4.6.4).
//!
//! Seven regular hexagons of side 1, one around the origin and six around the points at distance 1 + √3 in the
//! directions 0°, 60° …, each with corners in the directions 30°, 90° …; on each side of each hexagon a square
//! outwards. Equal corners are one point, points at distance 1 are neighbours. Rows go up, points in them to the right.

use super::WORDS;
use crate::games::Layout;
use crate::games::board::{Board, Letters};
use crate::games::groups::Point;
use crate::games::plane::{Place, pairs};
use std::collections::BTreeSet;
use std::sync::LazyLock;

/// The board, made once.
pub(super) static FIELD: LazyLock<Board<WORDS>> = LazyLock::new(build);

/// Where the points lie, in cell order.
pub(in crate::games) static PLACES: LazyLock<Vec<Place>> = LazyLock::new(|| {
    let points: BTreeSet<Place> = centres().into_iter().flat_map(corners).collect();
    let mut points: Vec<Place> = points.into_iter().collect();
    points.sort_by(|one, other| {
        let ((x, y), (other_x, other_y)) = (one.xy(), other.xy());
        y.total_cmp(&other_y).then(x.total_cmp(&other_x))
    });
    points
});

/// 1 + √3: from the middle hexagon to the ones around it.
const APART: Place = Place::new(1, 2, 0, -1);

/// The directions of the sides of a hexagon, in twelfths.
const SIXTHS: [u8; 6] = [0, 2, 4, 6, 8, 10];

/// The middles of the seven hexagons.
fn centres() -> Vec<Place> {
    [Place::ORIGIN]
        .into_iter()
        .chain(SIXTHS.map(|direction| APART.turned(direction)))
        .collect()
}

/// The corners of a hexagon and of the squares on its sides.
fn corners(centre: Place) -> impl Iterator<Item = Place> {
    SIXTHS.into_iter().flat_map(move |outwards| {
        [outwards + 1, outwards + 11].into_iter().flat_map(move |corner| {
            let corner = centre + Place::unit(corner);
            [corner, corner + Place::unit(outwards)]
        })
    })
}

fn build() -> Board<WORDS> {
    let points = &*PLACES;
    let places = in_rows(points);
    let mut neighbours = vec![Vec::new(); points.len()];
    for (one, other) in pairs(points) {
        neighbours[one].push(other as Point);
        neighbours[other].push(one as Point);
    }
    let rings = centres().into_iter().filter_map(|centre| {
        let is_corner = |&index: &usize| {
            SIXTHS
                .iter()
                .any(|side| points[index] == centre + Place::unit(side + 1))
        };
        let ring: Vec<usize> = (0..points.len()).filter(is_corner).collect();
        Some((
            places[*ring.first()?],
            ring.iter().map(|&index| index as Point).collect(),
        ))
    });
    let rings: Vec<_> = rings.collect();
    Board::new(Layout::Lotus, Letters::Rows, places.clone(), neighbours, rings)
}

/// (Number in the row, row) of points in cell order.
fn in_rows(points: &[Place]) -> Vec<(u8, u8)> {
    points
        .chunk_by(|one, next| one.height() == next.height())
        .zip(1..)
        .flat_map(|(row, y)| (1..).zip(row).map(move |(x, _)| (x, y)))
        .collect()
}
