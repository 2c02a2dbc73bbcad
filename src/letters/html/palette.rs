//! The colours of a mail. Every ground comes with the colour of what is written on it; all pairs have the contrast that
//! WCAG 2 AA asks for: 4.5 for text, 3 for the shape of a stone against the board.
//!
//! Programs that show mails dark turn light grounds dark and dark letters light, and leave the rest alone. So dark
//! letters stand on very light grounds only, and what tells stones apart beside their letters does not hang on white: a
//! light stone has a rim, a dark one has none.

use crate::games::{Layout, Mark};
use std::fmt::{self, Display};

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
    pub fn style(self) -> impl Display {
        fmt::from_fn(move |css| write!(css, "background:{};color:{}", self.ground, self.ink))
    }

    /// The ring around what the last turn placed or changed.
    pub fn ring(self) -> &'static str {
        if self == DARK { GOLD } else { self.ink }
    }

    /// The rim that a stone always has.
    pub fn rim(self) -> Option<&'static str> {
        (self == LIGHT).then_some(SHELL)
    }
}

pub(super) const PAGE: Paint = Paint::new("#ffffff", "#222222");
pub(super) const QUOTE: Paint = Paint::new("#f1efe8", "#222222");
/// The wood of the board, between the cells and around them, and the strokes and coordinates on it.
pub(super) const WOOD: Paint = Paint::new("#8f6d3a", "#ffffff");
/// A cell on which nothing stands.
pub(super) const VACANT: Paint = Paint::new("#efdcb0", "#000000");
const DARK: Paint = Paint::new("#1c1c1c", "#ffffff");
const LIGHT: Paint = Paint::new("#ffffff", "#111111");
const YELLOW: Paint = Paint::new("#ffe27a", "#111111");
const BLUE: Paint = Paint::new("#9fe3f5", "#111111");
/// A man that has turned to stone, of either side; its letter and the `*` behind it say whose it is.
const STONE: Paint = Paint::new("#e6e6e6", "#1a1a1a");
const GOLD: &str = "#f4ca50";
const SHELL: &str = "#cdb890";

/// The colours of what stands on a cell. Letters say the same to those who see no colours.
pub(super) fn of_mark(mark: Mark, layout: Layout, seats: &str) -> Paint {
    if mark.stone {
        return STONE;
    }
    match (layout, seats.chars().nth(mark.seat.index())) {
        (_, Some('X' | 'B')) => DARK,
        (_, Some('Y')) => YELLOW,
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

    const PAINTS: [Paint; 9] = [PAGE, QUOTE, WOOD, VACANT, DARK, LIGHT, YELLOW, BLUE, STONE];

    #[test]
    fn text_can_be_read_on_its_ground() {
        assert!((contrast("#000000", "#ffffff") - 21.0).abs() < 0.01);
        for paint in PAINTS {
            let found = contrast(paint.ground, paint.ink);
            assert!(found >= 4.5, "{paint:?}: {found:.2}");
        }
    }

    #[test]
    fn stones_stand_out_from_the_board_and_rings_from_their_stones() {
        for paint in [DARK, LIGHT, YELLOW, BLUE, STONE] {
            let found = contrast(paint.ground, WOOD.ground);
            assert!(found >= 3.0, "{paint:?} on the board: {found:.2}");
            for beside in [paint.ground, WOOD.ground] {
                let ring = contrast(paint.ring(), beside);
                assert!(ring >= 3.0, "the ring of {paint:?}: {ring:.2}");
            }
        }
    }

    /// Brightness from 0 to 255, by which programs choose what to turn.
    fn brightness(colour: &str) -> f64 {
        let channel = |at: usize| f64::from(u8::from_str_radix(&colour[at..at + 2], 16).unwrap());
        (299.0 * channel(1) + 587.0 * channel(3) + 114.0 * channel(5)) / 1000.0
    }

    #[test]
    fn a_program_that_turns_light_grounds_dark_leaves_letters_that_can_be_read() {
        for paint in PAINTS {
            let turns_ink = brightness(paint.ink) < 150.0;
            let turns_ground = brightness(paint.ground) > 205.0;
            assert_eq!(turns_ink, turns_ground, "{paint:?}");
        }
        for kept in [GOLD, SHELL] {
            assert!(brightness(kept) < 205.0, "{kept} would be turned dark");
            assert!(
                contrast(kept, "#121212") >= 3.0,
                "{kept} on a stone that was turned dark"
            );
        }
    }
}
