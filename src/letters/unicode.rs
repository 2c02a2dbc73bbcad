//! The board in signs beyond ASCII: columns stay even in any common fixed-width font, an East Asian one included.
//!
//! Most round and square signs, the middle dot and the solid box-drawing lines are *ambiguous* in width (UAX 11): a
//! Korean or Japanese font draws them two columns wide. The signs here are narrow in every font. Stones and men keep
//! their letters, which no font can make uneven.

use super::sheet::{Place, Sheet, What};
use crate::games::{Diagram, Layout};

/// BULLET OPERATOR: a cell on which nothing stands.
const VACANT: char = '\u{2219}';
/// BOX DRAWINGS LIGHT DOUBLE DASH HORIZONTAL and VERTICAL: the light lines that are not ambiguous.
const HORIZONTAL: char = '\u{254C}';
const VERTICAL: char = '\u{254E}';
/// Around a cell that the last turn changed without filling it.
const CHANGED: (char, char) = ('\u{2039}', '\u{203A}');
/// Around a cell that the last turn filled.
const FILLED: (char, char) = ('(', ')');

/// Draws the board, a line a string, without what stands above and below it.
pub(super) fn draw(diagram: &Diagram) -> Vec<String> {
    let sheet = Sheet::of(diagram);
    let lines = sheet.lines.iter().map(|signs| {
        let mut line = Line(Vec::new());
        // Strokes and labels first: a mark around a cell takes their place.
        for sign in signs {
            match &sign.what {
                What::Label(text) => line.put_all(sign.at, text.chars()),
                What::Stroke(stroke, length) => line.put_all(sign.at, std::iter::repeat_n(drawn(*stroke), *length)),
                What::Cell(_) => {}
            }
        }
        for sign in signs {
            if let What::Cell(place) = sign.what {
                line.put_cell(sign.at, place, diagram.layout);
            }
        }
        line.finished()
    });
    lines.collect()
}

fn drawn(stroke: char) -> char {
    match stroke {
        '-' => HORIZONTAL,
        '|' => VERTICAL,
        other => other,
    }
}

struct Line(Vec<char>);

impl Line {
    fn put(&mut self, at: usize, sign: char) {
        if self.0.len() <= at {
            self.0.resize(at + 1, ' ');
        }
        if let Some(place) = self.0.get_mut(at) {
            *place = sign;
        }
    }

    fn put_all(&mut self, at: usize, signs: impl Iterator<Item = char>) {
        for (place, sign) in (at..).zip(signs) {
            self.put(place, sign);
        }
    }

    fn put_cell(&mut self, at: usize, place: Place, layout: Layout) {
        let cell = place.cell;
        let sign = match cell.mark {
            Some(mark) => mark.letter,
            None if place.counted => last_digit(cell.x),
            None => VACANT,
        };
        self.put(at, sign);
        if place.numbered {
            self.put(at + 1, last_digit(cell.x));
        }
        let is = |of: fn(crate::games::Mark) -> bool| cell.mark.is_some_and(of);
        // A Morph's mark and the mark of stone stand beside the letter, so a square's brackets stand farther off.
        let (before, after) = match layout {
            Layout::Squares { .. } => (2, 2),
            Layout::Lotus => (1, 2),
            Layout::Hexagon { .. } | Layout::Honeycomb { .. } => (1, 1),
        };
        if is(|mark| mark.morph) {
            self.put(at.saturating_sub(1), '+');
        }
        if is(|mark| mark.stone) {
            self.put(at + 1, '*');
        }
        let around = match (cell.filled, cell.changed) {
            (true, _) => Some(FILLED),
            (false, true) => Some(CHANGED),
            (false, false) => None,
        };
        if let Some((open, close)) = around {
            self.put(at.saturating_sub(before), open);
            self.put(at + after, close);
        }
    }

    fn finished(self) -> String {
        self.0.into_iter().collect::<String>().trim_end().to_string()
    }
}

fn last_digit(number: u8) -> char {
    char::from(b'0' + number % 10)
}
