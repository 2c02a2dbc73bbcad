//! Letters and digits as strokes, for pictures that are drawn where no font is.

use super::{Lettering, Point, number, pair};
use std::fmt::Write;

/// Height of capitals and digits. Small letters begin at 3.5, the line is at 10, descenders end at 13.
const HEIGHT: f64 = 10.0;
/// Between two letters.
const GAP: f64 = 2.2;
/// What stands for a letter that is not in the table.
const UNKNOWN: (char, f64, &str) = ('?', 6.0, "M0 0H6V10H0Z");

/// A letter, its width, and its strokes.
const GLYPHS: [(char, f64, &str); 63] = [
    ('0', 6.0, "M3 0C.8 0 0 2.3 0 5S.8 10 3 10S6 7.7 6 5S5.2 0 3 0Z"),
    ('1', 3.6, "M0 2.2L3.2 0V10"),
    ('2', 6.0, "M0 2.6C0 1 1.2 0 3 0S5.9 1 5.9 2.7C5.9 4.6 4 6 0 10H6.2"),
    (
        '3',
        6.0,
        "M.2 0H5.8L2.8 3.9C4.8 3.9 6 5.1 6 6.9S4.8 10 3 10S.3 9.2 0 7.8",
    ),
    ('4', 6.0, "M4.6 10V0L0 7H6.2"),
    (
        '5',
        6.0,
        "M5.6 0H.9L.4 4.4C1 3.8 2 3.5 3 3.5C4.9 3.5 6 4.8 6 6.7S4.8 10 3 10S.4 9.2 0 8",
    ),
    (
        '6',
        6.0,
        "M5.4 .8C4.8 .3 4 0 3.2 0C1 0 0 2.2 0 5.6C0 8.4 1 10 3 10S6 8.7 6 6.8S4.8 3.8 3 3.8S0 5 0 6.8",
    ),
    ('7', 6.0, "M0 0H6L2 10"),
    (
        '8',
        6.0,
        "M3 0C1.4 0 .4 1 .4 2.4S1.6 4.7 3 4.7S5.6 3.7 5.6 2.4S4.6 0 3 0ZM3 4.7C1.2 4.7 0 5.8 0 7.3S1.2 10 3 10S6 8.9 6 7.3S4.8 4.7 3 4.7Z",
    ),
    (
        '9',
        6.0,
        "M.6 9.2C1.2 9.7 2 10 2.8 10C5 10 6 7.8 6 4.4C6 1.6 5 0 3 0S0 1.3 0 3.2S1.2 6.2 3 6.2S6 5 6 3.2",
    ),
    ('A', 7.0, "M0 10L3.5 0L7 10M1.2 6.6H5.8"),
    (
        'B',
        6.2,
        "M0 10V0H3.2C5 0 5.8 1 5.8 2.4S5 4.8 3.2 4.8H0M3.2 4.8C5.2 4.8 6.2 5.9 6.2 7.4S5.2 10 3.2 10H0",
    ),
    (
        'C',
        6.8,
        "M6.6 2C5.9 .7 4.9 0 3.7 0C1.4 0 0 2 0 5S1.4 10 3.7 10C4.9 10 5.9 9.3 6.6 8",
    ),
    ('D', 6.8, "M0 0V10H2.8C5.4 10 6.8 8 6.8 5S5.4 0 2.8 0Z"),
    ('E', 5.6, "M5.6 0H0V10H5.6M0 4.8H4.6"),
    ('F', 5.4, "M5.4 0H0V10M0 4.8H4.4"),
    (
        'G',
        7.0,
        "M6.6 2C5.9 .7 4.9 0 3.7 0C1.4 0 0 2 0 5S1.4 10 3.7 10C5.6 10 7 8.8 7 5.4H4",
    ),
    ('H', 6.6, "M0 0V10M6.6 0V10M0 4.8H6.6"),
    ('I', 0.4, "M.2 0V10"),
    ('J', 4.4, "M4.4 0V7.4C4.4 9 3.6 10 2.2 10S0 9.2 0 7.8"),
    ('K', 6.2, "M0 0V10M6 0L0 6.2M2.2 4.1L6.2 10"),
    ('L', 5.4, "M0 0V10H5.4"),
    ('M', 8.0, "M0 10V0L4 6.5L8 0V10"),
    ('N', 6.5, "M0 10V0L6.5 10V0"),
    ('O', 7.6, "M3.8 0C1.4 0 0 2 0 5S1.4 10 3.8 10S7.6 8 7.6 5S6.2 0 3.8 0Z"),
    ('P', 6.2, "M0 10V0H3.2C5.2 0 6.2 1.2 6.2 2.9S5.2 5.8 3.2 5.8H0"),
    (
        'Q',
        7.8,
        "M3.8 0C1.4 0 0 2 0 5S1.4 10 3.8 10S7.6 8 7.6 5S6.2 0 3.8 0ZM4.8 6.8L7.8 10.6",
    ),
    (
        'R',
        6.4,
        "M0 10V0H3.2C5.2 0 6.2 1.2 6.2 2.9S5.2 5.8 3.2 5.8H0M3.2 5.8L6.4 10",
    ),
    (
        'S',
        6.0,
        "M5.8 1.9C5.4 .7 4.4 0 3 0C1.3 0 .2 1 .2 2.5C.2 5.8 6 4.2 6 7.4C6 9 4.8 10 3 10C1.4 10 .3 9.3 0 8",
    ),
    ('T', 6.4, "M0 0H6.4M3.2 0V10"),
    ('U', 6.6, "M0 0V6.4C0 8.8 1.2 10 3.3 10S6.6 8.8 6.6 6.4V0"),
    ('V', 6.8, "M0 0L3.4 10L6.8 0"),
    ('W', 9.0, "M0 0L2.2 10L4.5 1.5L6.8 10L9 0"),
    ('X', 6.5, "M0 0L6.5 10M6.5 0L0 10"),
    ('Y', 6.6, "M0 0L3.3 5V10M6.6 0L3.3 5"),
    ('Z', 6.0, "M0 0H6L0 10H6"),
    (
        'a',
        5.0,
        "M5 3.6V10M5 6.8C5 4.8 4 3.5 2.5 3.5S0 4.8 0 6.8S1 10 2.5 10S5 8.8 5 6.8",
    ),
    (
        'b',
        5.0,
        "M0 0V10M0 6.8C0 4.8 1 3.5 2.5 3.5S5 4.8 5 6.8S4 10 2.5 10S0 8.8 0 6.8",
    ),
    (
        'c',
        4.6,
        "M4.6 4.7C4.2 3.9 3.5 3.5 2.6 3.5C1 3.5 0 4.8 0 6.8S1 10 2.6 10C3.5 10 4.2 9.6 4.6 8.8",
    ),
    (
        'd',
        5.0,
        "M5 0V10M5 6.8C5 4.8 4 3.5 2.5 3.5S0 4.8 0 6.8S1 10 2.5 10S5 8.8 5 6.8",
    ),
    (
        'e',
        5.0,
        "M0 6.6H5C5 4.7 4 3.5 2.5 3.5S0 4.8 0 6.8S1 10 2.6 10C3.6 10 4.4 9.6 4.8 8.8",
    ),
    ('f', 3.4, "M3.4 .1C1.8 -.2 1.2 .6 1.2 2V10M0 3.6H3"),
    (
        'g',
        5.0,
        "M5 3.6V10.6C5 12.2 4 13 2.5 13C1.5 13 .8 12.7 .3 12.1M5 6.8C5 4.8 4 3.5 2.5 3.5S0 4.8 0 6.8S1 10 2.5 10S5 8.8 5 6.8",
    ),
    ('h', 4.7, "M0 0V10M0 6C.3 4.5 1.2 3.5 2.6 3.5C4 3.5 4.7 4.4 4.7 6V10"),
    ('i', 0.4, "M.2 3.6V10M.2 .6V1.2"),
    ('j', 2.0, "M2 3.6V11C2 12.5 1.2 13 0 12.9M2 .6V1.2"),
    ('k', 4.6, "M0 0V10M4.4 3.6L0 7.6M1.6 6.2L4.6 10"),
    ('l', 1.6, "M0 0V8.4C0 9.6 .6 10 1.6 10"),
    (
        'm',
        7.2,
        "M0 3.6V10M0 6C.2 4.4 1 3.5 2 3.5C3.1 3.5 3.6 4.3 3.6 5.8V10M3.6 6C3.8 4.4 4.6 3.5 5.6 3.5C6.7 3.5 7.2 4.3 7.2 5.8V10",
    ),
    ('n', 4.7, "M0 3.6V10M0 6C.3 4.5 1.2 3.5 2.6 3.5C4 3.5 4.7 4.4 4.7 6V10"),
    (
        'o',
        5.2,
        "M2.6 3.5C1 3.5 0 4.8 0 6.8S1 10 2.6 10S5.2 8.8 5.2 6.8S4.2 3.5 2.6 3.5Z",
    ),
    (
        'p',
        5.0,
        "M0 3.6V13M0 6.8C0 4.8 1 3.5 2.5 3.5S5 4.8 5 6.8S4 10 2.5 10S0 8.8 0 6.8",
    ),
    (
        'q',
        5.0,
        "M5 3.6V13M5 6.8C5 4.8 4 3.5 2.5 3.5S0 4.8 0 6.8S1 10 2.5 10S5 8.8 5 6.8",
    ),
    ('r', 2.8, "M0 3.6V10M0 6.4C.3 4.5 1.2 3.5 2.8 3.6"),
    (
        's',
        4.4,
        "M4.2 4.7C3.8 3.9 3.1 3.5 2.2 3.5C1 3.5 .3 4.2 .3 5.2C.3 7.4 4.4 6 4.4 8.3C4.4 9.4 3.5 10 2.3 10C1.2 10 .4 9.6 0 8.8",
    ),
    ('t', 3.2, "M1.2 1V8.2C1.2 9.5 1.9 10 3.2 9.9M0 3.6H3"),
    (
        'u',
        4.7,
        "M0 3.6V7.6C0 9.2 .8 10 2.1 10C3.5 10 4.5 9.1 4.7 7.6M4.7 3.6V10",
    ),
    ('v', 5.0, "M0 3.6L2.5 10L5 3.6"),
    ('w', 7.0, "M0 3.6L1.8 10L3.5 4.4L5.2 10L7 3.6"),
    ('x', 4.6, "M0 3.6L4.6 10M4.6 3.6L0 10"),
    ('y', 5.0, "M0 3.6L2.5 10M5 3.6L2.5 10L1.8 11.8C1.4 12.8 .8 13 0 12.9"),
    ('z', 4.4, "M0 3.6H4.4L0 10H4.4"),
    ('+', 5.0, "M0 6H5M2.5 3.5V8.5"),
];

fn glyph(letter: char) -> &'static (char, f64, &'static str) {
    GLYPHS.iter().find(|(known, ..)| *known == letter).unwrap_or(&UNKNOWN)
}

/// Writes a word with its middle at a point; `size` is that of a font, in which a capital takes seven tenths.
pub(super) fn write(out: &mut String, lettering: Lettering, text: &str, (x, y): Point, size: f64) {
    match lettering {
        Lettering::Text => {
            let base = number(y + 0.35 * size);
            let _ = write!(
                out,
                r#"<text x="{}" y="{base}" font-size="{}">{text}</text>"#,
                number(x),
                number(size)
            );
        }
        Lettering::Strokes => strokes(out, text, (x, y), size),
    }
}

fn strokes(out: &mut String, text: &str, (x, y): Point, size: f64) {
    let scale = 0.7 * size / HEIGHT;
    let glyphs: Vec<_> = text.chars().map(glyph).collect();
    let width = glyphs.iter().map(|(_, width, _)| width + GAP).sum::<f64>() - GAP;
    let mut left = x - scale * width / 2.0;
    for (_, width, path) in glyphs {
        let corner = pair((left, y - scale * HEIGHT / 2.0));
        let _ = write!(
            out,
            r#"<path class="glyph" transform="translate({corner})scale({scale:.2})" d="{path}"/>"#
        );
        left += scale * (width + GAP);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_letter_that_a_board_shows_has_strokes() {
        for letter in ('a'..='z').chain('A'..='Z').chain('0'..='9').chain(['+']) {
            assert_eq!(glyph(letter).0, letter);
        }
    }
}
