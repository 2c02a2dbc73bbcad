//! A board as a picture: SVG that stands alone, or in a page.
//!
//! The picture has what the ASCII board has: the ground, what stands on it, the last turn marked, the coordinates at the
//! edges. What stands beside the board (hands, the marker, whose turn it is) is words, and those are the caller's.

mod edges;
mod glyphs;
mod men;
mod style;

use crate::games::plane::{self, Place};
use crate::games::{Diagram, Mark};
use std::fmt::Write;

pub use style::Theme;

/// The distance of neighbours in the picture.
const PITCH: f64 = 40.0;
/// Room around the outermost cells and labels.
const MARGIN: f64 = 30.0;

/// How letters and coordinates are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lettering {
    /// As text, in the fonts of the reader.
    Text,
    /// As strokes: no font is needed.
    Strokes,
}

/// How a picture is made.
#[derive(Clone, Copy, Debug)]
pub struct Look<'a> {
    /// What the picture shows, for those who do not see it.
    pub label: &'a str,
    pub theme: Theme,
    pub lettering: Lettering,
    /// A picture for a script that changes it: every cell gets a group with `data-cell`, its name, and `<defs>` holds
    /// each of these marks in a group with `data-mark`, its [`mark_code`], beside those of the last turn.
    pub live: Option<&'a [Mark]>,
}

/// Tells the marks of one game apart: `X`, `+B` for a Morph, `k*` for a King of stone.
pub fn mark_code(mark: &Mark) -> String {
    let morph = if mark.morph { "+" } else { "" };
    let stone = if mark.stone { "*" } else { "" };
    format!("{morph}{}{stone}", mark.letter)
}

/// The code under which a live picture keeps the sign of a cell that the last turn filled.
pub const FILLED: &str = "filled";
/// The code of the sign of a cell that the last turn changed without filling it.
pub const CHANGED: &str = "changed";

/// The board as an `<svg>` element, without anything from elsewhere.
pub fn svg(diagram: &Diagram, look: &Look) -> String {
    let mut picture = Picture {
        diagram,
        look,
        places: plane::places(diagram.layout, &diagram.cells),
        text: String::new(),
    };
    picture.draw();
    picture.text
}

/// A point of the picture: to the right and down.
type Point = (f64, f64);

/// Where a point of the plane, in units, lies in the picture.
fn on_paper((x, y): (f64, f64)) -> Point {
    (x * PITCH, -y * PITCH)
}

/// A coordinate with at most one digit behind the point.
fn number(value: f64) -> String {
    let tenths = (value * 10.0).round() as i64;
    let sign = if tenths < 0 { "-" } else { "" };
    match (tenths.abs() / 10, tenths.abs() % 10) {
        (whole, 0) => format!("{sign}{whole}"),
        (whole, tenth) => format!("{sign}{whole}.{tenth}"),
    }
}

fn pair((x, y): Point) -> String {
    format!("{} {}", number(x), number(y))
}

/// A line through points, closed.
fn polygon(points: impl IntoIterator<Item = Point>) -> String {
    let mut path = String::new();
    for (index, point) in points.into_iter().enumerate() {
        path.push(if index == 0 { 'M' } else { 'L' });
        path.push_str(&pair(point));
    }
    path.push('Z');
    path
}

fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            letter if letter.is_control() => escaped.push(' '),
            letter => escaped.push(letter),
        }
    }
    escaped
}

/// A picture in the making.
struct Picture<'a> {
    diagram: &'a Diagram,
    look: &'a Look<'a>,
    /// By cell.
    places: Vec<Place>,
    text: String,
}

impl Picture<'_> {
    fn draw(&mut self) {
        let labels = edges::labels(self.diagram);
        let frame = Frame::around(
            self.places
                .iter()
                .map(|place| on_paper(place.xy()))
                .chain(labels.iter().map(|label| label.point)),
        );
        let label = escape(self.look.label);
        let _ = write!(
            self.text,
            r#"<svg xmlns="http://www.w3.org/2000/svg" class="board" role="img" aria-label="{label}" viewBox="{}"><title>{label}</title><style>{}</style>"#,
            frame.view_box(),
            style::sheet(self.look.theme, self.look.lettering),
        );
        self.text.push_str(&frame.paper());
        self.ground();
        for label in &labels {
            let size = label.size.pixels();
            self.text.push_str(&format!("<g class=\"{}\">", label.size.class()));
            glyphs::write(&mut self.text, self.look.lettering, &label.text, label.point, size);
            self.text.push_str("</g>");
        }
        self.spare();
        self.men();
        self.text.push_str("</svg>");
    }

    /// The cells, or the lines of a graph.
    fn ground(&mut self) {
        let layout = self.diagram.layout;
        let outline: Vec<Point> = plane::outline(layout).into_iter().map(on_paper).collect();
        if outline.is_empty() {
            return self.lines();
        }
        let polygons = |places: &[Place]| -> String {
            let middles = places.iter().map(|place| on_paper(place.xy()));
            middles
                .map(|(x, y)| polygon(outline.iter().map(|(dx, dy)| (x + dx, y + dy))))
                .collect()
        };
        let holes = plane::holes(layout, &self.diagram.cells);
        if !holes.is_empty() {
            let _ = write!(self.text, r#"<path class="dark" d="{}"/>"#, polygons(&holes));
        }
        let _ = write!(self.text, r#"<path class="cells" d="{}"/>"#, polygons(&self.places));
    }

    fn lines(&mut self) {
        let at = |index: usize| pair(on_paper(self.places[index].xy()));
        let lines: String = plane::pairs(&self.places)
            .into_iter()
            .map(|(one, other)| format!("M{}L{}", at(one), at(other)))
            .collect();
        // A line of no length with round ends is a dot.
        let dots: String = (0..self.places.len())
            .map(|index| format!("M{}h0", at(index)))
            .collect();
        let _ = write!(
            self.text,
            r#"<path class="lines" d="{lines}"/><path class="dots" d="{dots}"/>"#
        );
    }

    /// What a script may put on the cells.
    fn spare(&mut self) {
        let Some(marks) = self.look.live else { return };
        let lettering = self.look.lettering;
        self.text.push_str("<defs>");
        for mark in marks {
            let (code, drawn) = (mark_code(mark), men::mark(mark, self.diagram.layout, lettering));
            let _ = write!(self.text, r#"<g data-mark="{code}">{drawn}</g>"#);
        }
        for code in [FILLED, CHANGED] {
            let drawn = men::sign(code, self.diagram.layout);
            let _ = write!(self.text, r#"<g data-mark="{code}">{drawn}</g>"#);
        }
        self.text.push_str("</defs>");
    }

    fn men(&mut self) {
        let (layout, lettering) = (self.diagram.layout, self.look.lettering);
        for (cell, place) in self.diagram.cells.iter().zip(&self.places) {
            let mut drawn = String::new();
            if let Some(mark) = &cell.mark {
                drawn.push_str(&men::mark(mark, layout, lettering));
            }
            let sign = match (cell.filled, cell.changed) {
                (true, _) => Some(FILLED),
                (false, true) => Some(CHANGED),
                (false, false) => None,
            };
            drawn.extend(sign.map(|code| men::sign(code, layout)));
            if drawn.is_empty() && self.look.live.is_none() {
                continue;
            }
            let name = match self.look.live {
                Some(_) => format!(r#" data-cell="{}""#, cell.name),
                None => String::new(),
            };
            let point = pair(on_paper(place.xy()));
            let _ = write!(self.text, r#"<g transform="translate({point})"{name}>{drawn}</g>"#);
        }
    }
}

/// What a picture shows of the paper.
struct Frame {
    least: Point,
    greatest: Point,
}

impl Frame {
    fn around(points: impl Iterator<Item = Point>) -> Frame {
        let nothing = Frame {
            least: (f64::INFINITY, f64::INFINITY),
            greatest: (f64::NEG_INFINITY, f64::NEG_INFINITY),
        };
        let frame = points.fold(nothing, |Frame { least, greatest }, (x, y)| Frame {
            least: (least.0.min(x), least.1.min(y)),
            greatest: (greatest.0.max(x), greatest.1.max(y)),
        });
        Frame {
            least: (frame.least.0 - MARGIN, frame.least.1 - MARGIN),
            greatest: (frame.greatest.0 + MARGIN, frame.greatest.1 + MARGIN),
        }
    }

    fn size(&self) -> Point {
        (self.greatest.0 - self.least.0, self.greatest.1 - self.least.1)
    }

    fn view_box(&self) -> String {
        format!("{} {}", pair(self.least), pair(self.size()))
    }

    fn paper(&self) -> String {
        let ((x, y), (width, height)) = (self.least, self.size());
        let [x, y, width, height] = [x, y, width, height].map(number);
        format!(r#"<rect class="paper" x="{x}" y="{y}" width="{width}" height="{height}" rx="12"/>"#)
    }
}
