//! What stands on a cell, drawn around the origin. Seats differ in shape as well as in colour.

use super::{FILLED, Lettering, Point, glyphs, number, polygon};
use crate::games::{Layout, Mark};

/// The radius of a stone.
const STONE: f64 = 15.0;
/// The radius of the sign of the last turn around it.
const SIGN: f64 = 18.0;
/// Half the side of that sign on a square.
const SQUARE_SIGN: f64 = 18.0;
/// The size of a letter on a man.
const LETTER: f64 = 17.0;
/// The size of a letter that has a Morph's mark before it.
const MORPH_LETTER: f64 = 13.0;
/// The tile of a man, its point forward.
const TILE: [Point; 5] = [(0.0, -17.0), (12.0, -11.0), (14.5, 15.5), (-14.5, 15.5), (-12.0, -11.0)];
/// The strokes over a man of stone.
const HATCH: &str = "M-11.5 1L-2 -13M-13.5 13L5 -14M-6 15L12.5 -10M4 15L13.5 3";

/// A man or stone.
pub(super) fn mark(mark: &Mark, layout: Layout, lettering: Lettering) -> String {
    match (layout, mark.letter) {
        (Layout::Squares { .. }, _) => tile(mark, lettering),
        (_, 'B') => circle("black", STONE),
        (_, 'W') => circle("white", STONE),
        _ => token(mark, lettering),
    }
}

/// The sign of the last turn.
pub(super) fn sign(code: &str, layout: Layout) -> String {
    debug_assert!(code == FILLED || code == super::CHANGED);
    match layout {
        Layout::Squares { .. } => {
            let (start, length) = (number(-SQUARE_SIGN), number(2.0 * SQUARE_SIGN));
            format!(r#"<rect class="{code}" x="{start}" y="{start}" width="{length}" height="{length}" rx="3"/>"#)
        }
        _ => circle(code, SIGN),
    }
}

fn circle(class: &str, radius: f64) -> String {
    format!(r#"<circle class="{class}" r="{}"/>"#, number(radius))
}

/// A man of a chessboard: a tile that points forward, the first player's upwards.
fn tile(mark: &Mark, lettering: Lettering) -> String {
    let is_first = mark.seat.index() == 0;
    let class = match (mark.stone, is_first) {
        (true, _) => "petrified",
        (false, true) => "first",
        (false, false) => "second",
    };
    let forward = if is_first { 1.0 } else { -1.0 };
    let outline = polygon(TILE.map(|(x, y)| (x * forward, y * forward)));
    let mut drawn = format!(r#"<path class="{class}" d="{outline}"/>"#);
    if mark.stone {
        drawn.push_str(&format!(r#"<path class="hatch" d="{HATCH}"/>"#));
    }
    let (text, size) = match mark.morph {
        true => (format!("+{}", mark.letter), MORPH_LETTER),
        false => (mark.letter.to_string(), LETTER),
    };
    // The tile is wider behind.
    let middle = (0.0, 2.0 * forward);
    drawn.push_str(&format!(r#"<g class="{class}-ink">"#));
    glyphs::write(&mut drawn, lettering, &text, middle, size);
    drawn.push_str("</g>");
    drawn
}

/// A stone with a letter: each seat has its own shape.
fn token(mark: &Mark, lettering: Lettering) -> String {
    let seat = mark.seat.index() % 4;
    let class = if mark.out {
        "out".to_string()
    } else {
        format!("seat{seat}")
    };
    let corners = |count: u32, radius: f64, first: f64| {
        polygon((0..count).map(|corner| {
            let angle = (first + 360.0 / f64::from(count) * f64::from(corner)).to_radians();
            (radius * angle.cos(), radius * angle.sin())
        }))
    };
    let shape = match seat {
        0 => format!(r#"<path class="{class}" d="{}"/>"#, corners(4, STONE + 3.0, 45.0)),
        1 => circle(&class, STONE),
        2 => format!(r#"<path class="{class}" d="{}"/>"#, corners(6, STONE + 2.0, 0.0)),
        _ => format!(r#"<path class="{class}" d="{}"/>"#, corners(4, STONE + 4.0, 0.0)),
    };
    let ink = match (mark.out, seat) {
        (true, _) => "out-ink",
        (false, 2) => "deep",
        (false, _) => "light",
    };
    let mut drawn = format!(r#"{shape}<g class="{ink}">"#);
    glyphs::write(&mut drawn, lettering, &mark.letter.to_string(), (0.0, 0.0), LETTER);
    drawn.push_str("</g>");
    drawn
}
