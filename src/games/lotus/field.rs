//! The 72 points: a patch of the tiling by triangles, squares and hexagons (3.4.6.4).
//!
//! Seven regular hexagons of side 1, one around the origin and six around the points at distance 1 + √3 in the
//! directions 0°, 60° …, each with corners in the directions 30°, 90° …; on each side of each hexagon a square
//! outwards. Equal corners are one point, points at distance 1 are neighbours. Rows go up, points in them to the right.

use super::WORDS;
use crate::games::Layout;
use crate::games::board::{Board, Letters};
use crate::games::groups::Point;
use std::f64::consts::PI;
use std::ops::Add;
use std::sync::LazyLock;

/// Two corners at a smaller distance are one; no two different ones are as near.
const TOLERANCE: f64 = 0.01;

/// The board, made once.
pub(super) static FIELD: LazyLock<Board<WORDS>> = LazyLock::new(build);

/// A place in the plane.
#[derive(Clone, Copy)]
struct Corner {
    x: f64,
    y: f64,
}

impl Corner {
    fn distance(self, other: Corner) -> f64 {
        (self.x - other.x).hypot(self.y - other.y)
    }
}

impl Add for Corner {
    type Output = Corner;
    fn add(self, other: Corner) -> Corner {
        Corner {
            x: self.x + other.x,
            y: self.y + other.y,
        }
    }
}

/// The step of a length in a direction, in degrees.
fn step(length: f64, degrees: u32) -> Corner {
    let angle = f64::from(degrees) * PI / 180.0;
    Corner {
        x: length * angle.cos(),
        y: length * angle.sin(),
    }
}

const SIXTHS: [u32; 6] = [0, 60, 120, 180, 240, 300];

fn build() -> Board<WORDS> {
    let centre = Corner { x: 0.0, y: 0.0 };
    let centres: Vec<Corner> = [centre]
        .into_iter()
        .chain(SIXTHS.map(|direction| step(1.0 + 3_f64.sqrt(), direction)))
        .collect();
    let (corners, places) = in_cell_order(points(&centres));
    let near = |place: Corner, distance: f64| {
        let found = corners.iter().enumerate();
        found
            .filter(move |(_, corner)| (corner.distance(place) - distance).abs() < TOLERANCE)
            .map(|(index, _)| index as Point)
    };
    let neighbours: Vec<Vec<Point>> = corners.iter().map(|&corner| near(corner, 1.0).collect()).collect();
    let rings = centres.iter().filter_map(|&centre| {
        let first = near(centre, 1.0).next()?;
        Some((places[usize::from(first)], near(centre, 1.0).collect()))
    });
    Board::new(Layout::Lotus, Letters::Rows, places.clone(), neighbours, rings)
}

/// The corners of the hexagons and of the squares on their sides, each once.
fn points(centres: &[Corner]) -> Vec<Corner> {
    let mut points: Vec<Corner> = Vec::new();
    for &centre in centres {
        for outwards in SIXTHS {
            for corner in [step(1.0, outwards + 30), step(1.0, outwards + 330)] {
                for point in [centre + corner, centre + corner + step(1.0, outwards)] {
                    if points.iter().all(|known| known.distance(point) > TOLERANCE) {
                        points.push(point);
                    }
                }
            }
        }
    }
    points
}

/// The points by row from the bottom and then from the left, and (number in the row, row) of each.
fn in_cell_order(mut points: Vec<Corner>) -> (Vec<Corner>, Vec<(u8, u8)>) {
    points.sort_by(|one, other| one.y.total_cmp(&other.y));
    let mut places = Vec::new();
    for (row, y) in points
        .chunk_by_mut(|one, other| (one.y - other.y).abs() < TOLERANCE)
        .zip(1..)
    {
        row.sort_by(|one, other| one.x.total_cmp(&other.x));
        places.extend((1..).zip(row).map(|(x, _)| (x, y)));
    }
    (points, places)
}
