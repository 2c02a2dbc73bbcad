//! The colours of a mail. Every ground comes with the colour of what is written on it, so that a program that turns
//! light into dark turns both; all pairs have the contrast that WCAG 2 AA asks for: 4.5 for text, 3 for the shape of a
//! stone against the board.

use crate::games::{Layout, Mark};

/// A ground and what is written on it, as `#rrggbb`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Paint {
    pub ground: &'static str,
    pub ink: &'static str,
}

impl Paint {
    const fn new(ground: &'static str, ink: &'static str) -> Self {
        Paint { ground, ink }
    }

    /// The declarations of both.
    pub fn style(self) -> String {
        format!("background:{};color:{}", self.ground, self.ink)
    }
}

pub(super) const PAGE: Paint = Paint::new("#ffffff", "#222222");
pub(super) const QUOTE: Paint = Paint::new("#f1efe8", "#222222");
/// The wood of the board, between the cells and around them, and the strokes and coordinates on it.
pub(super) const WOOD: Paint = Paint::new("#a07c46", "#000000");
/// A cell on which nothing stands.
pub(super) const VACANT: Paint = Paint::new("#e2c995", "#000000");
const DARK: Paint = Paint::new("#1c1c1c", "#ffffff");
const LIGHT: Paint = Paint::new("#ffffff", "#111111");
const RED: Paint = Paint::new("#6e0014", "#ffffff");
const BLUE: Paint = Paint::new("#10206e", "#ffffff");
/// A man that has turned to stone, of either side; its letter and the `*` behind it say whose it is.
const STONE: Paint = Paint::new("#e6e6e6", "#333333");

/// The colours of what stands on a cell. Letters say the same to those who see no colours.
pub(super) fn of_mark(mark: Mark, layout: Layout, seats: &str) -> Paint {
    if mark.stone {
        return STONE;
    }
    match (layout, seats.chars().nth(mark.seat.index())) {
        (_, Some('X' | 'B')) => DARK,
        (_, Some('Y')) => RED,
        (_, Some('Z')) => BLUE,
        _ => LIGHT,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Relative luminance (WCAG 2.2, definition).
    fn luminance(colour: &str) -> f64 {
        let channel = |at: usize| {
            let value = f64::from(u8::from_str_radix(&colour[at..at + 2], 16).unwrap()) / 255.0;
            if value <= 0.04045 {
                value / 12.92
            } else {
                ((value + 0.055) / 1.055).powf(2.4)
            }
        };
        0.2126 * channel(1) + 0.7152 * channel(3) + 0.0722 * channel(5)
    }

    fn contrast(one: &str, other: &str) -> f64 {
        let (one, other) = (luminance(one), luminance(other));
        (one.max(other) + 0.05) / (one.min(other) + 0.05)
    }

    #[test]
    fn text_can_be_read_on_its_ground() {
        assert!((contrast("#000000", "#ffffff") - 21.0).abs() < 0.01);
        for paint in [PAGE, QUOTE, WOOD, VACANT, DARK, LIGHT, RED, BLUE, STONE] {
            let found = contrast(paint.ground, paint.ink);
            assert!(found >= 4.5, "{paint:?}: {found:.2}");
        }
    }

    #[test]
    fn stones_stand_out_from_the_board_and_rings_from_their_stones() {
        for paint in [DARK, LIGHT, RED, BLUE, STONE] {
            let found = contrast(paint.ground, WOOD.ground);
            assert!(found >= 3.0, "{paint:?} on the board: {found:.2}");
            let ring = contrast(paint.ink, WOOD.ground);
            assert!(ring >= 3.0, "the ring of {paint:?}: {ring:.2}");
        }
    }
}
