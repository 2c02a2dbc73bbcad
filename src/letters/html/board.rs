//! The board in colours: a table for each line of the drawing, its cells as wide as the drawing's columns ask.

use super::palette::{self, Paint};
use super::taps::Linked;
use super::writer::{Writer, attribute};
use crate::games::{Cell, Layout};
use crate::letters::board::BoardView;
use crate::letters::sheet::{Place, Sheet, Sign, What};
use std::fmt::{self, Display};

/// A board is not wider, in pixels: a telephone shows 360, and mail programs keep a margin.
const WIDEST: f64 = 322.0;
/// A cell is not wider, in pixels.
const WIDEST_CELL: f64 = 30.0;
/// Heights of lines without cells, in pixels.
const LABELS_HIGH: u32 = 14;
const STROKES_HIGH: u32 = 9;
/// How wide the ring is around a stone that the last turn placed, in pixels; one that it changed has half of it.
const RING: u32 = 2;
/// The corners of smaller cells are not rounded where nothing stands.
const SMALL: u32 = 20;
/// MIDDLE DOT, on cells that need no number.
const DOT: &str = "\u{B7}";

/// How much is spent on the links of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Linking {
    /// The whole cell is the link.
    Whole,
    /// The same in fewer bytes: underlined.
    Spare,
    Without,
}

/// Writes the board of a view. `label` says to one who listens what the table is; where there are taps, the cells on
/// which a stone may be placed are links.
pub(super) fn board(part: &mut Writer, view: &BoardView, label: &str, taps: Option<&Linked>, linking: Linking) {
    let sheet = Sheet::of(&view.diagram);
    let board = Board {
        view,
        taps: taps.filter(|_| linking != Linking::Without),
        linking,
        measure: Measure::of(&sheet, view.diagram.layout),
    };
    part.block(format_args!(
        "<table role=\"group\" aria-label=\"{}\" cellpadding=\"0\" cellspacing=\"0\" style=\"margin:0 0 10px;{}\">",
        attribute(label),
        palette::WOOD.style()
    ));
    part.block("<tr><td style=\"padding:6px 0\">");
    for line in &sheet.lines {
        board.line(part, line);
    }
    part.block("</td></tr></table>");
}

/// The sizes of a board, in pixels.
#[derive(Clone, Copy)]
struct Measure {
    /// Pixels for half a column of the drawing.
    half: f64,
    /// Half columns from the middle of a cell to its edge.
    reach: i32,
    /// Between two cells of a line; twice that is between two lines.
    gap: u32,
    /// Height of a line with cells.
    high: u32,
    /// Size of the letters.
    font: u32,
}

impl Measure {
    fn of(sheet: &Sheet, layout: Layout) -> Self {
        let pitch = sheet.pitch as f64;
        let columns = sheet.width as f64 + pitch;
        let column = (WIDEST_CELL / pitch).min(WIDEST / columns);
        let wide = column * pitch;
        let gap = if wide > 22.0 { 2 } else { 1 };
        // A row of points takes two lines, which may be lower.
        let high = match layout {
            Layout::Hexagon { .. } | Layout::Squares { .. } => wide,
            Layout::Lotus | Layout::Honeycomb { .. } => wide * 0.9,
        };
        Measure {
            half: column / 2.0,
            reach: sheet.pitch as i32,
            gap,
            high: (high.round() as u32).saturating_sub(2 * gap),
            font: (wide * 0.48).round().clamp(9.0, 15.0) as u32,
        }
    }

    /// The place of a half column, counted from half a cell before the first column.
    fn pixels(self, half_column: i32) -> u32 {
        (f64::from(half_column + self.reach) * self.half).round().max(0.0) as u32
    }
}

/// A piece of a line between two half columns.
struct Piece<'a> {
    from: i32,
    to: i32,
    what: &'a What<'a>,
}

struct Board<'a> {
    view: &'a BoardView,
    taps: Option<&'a Linked<'a>>,
    linking: Linking,
    measure: Measure,
}

impl Board<'_> {
    fn line(&self, part: &mut Writer, signs: &[Sign]) {
        let has_cells = signs.iter().any(|sign| matches!(sign.what, What::Cell(_)));
        let has_labels = signs.iter().any(|sign| matches!(sign.what, What::Label(_)));
        let high = match (has_cells, has_labels) {
            (true, _) => self.measure.high,
            (false, true) => LABELS_HIGH,
            (false, false) => STROKES_HIGH,
        };
        part.block(format_args!(
            "<table role=\"presentation\" cellpadding=\"0\" cellspacing=\"{}\" style=\"font:{}px/{high}px Arial,sans-serif;color:{}\">",
            self.measure.gap,
            self.measure.font,
            palette::WOOD.ink
        ));
        part.block("<tr align=\"center\">");
        let mut at = -self.measure.reach;
        let mut is_first = true;
        for piece in self.pieces(signs) {
            if piece.from > at || is_first {
                let width = self.width(at, piece.from);
                if is_first {
                    part.block(format_args!("<td width=\"{width}\" height=\"{high}\"></td>"));
                } else if width > 0 {
                    part.block(format_args!("<td width=\"{width}\"></td>"));
                }
                is_first = false;
            }
            let width = self.width(piece.from, piece.to);
            match piece.what {
                What::Cell(place) => self.cell(part, *place, width, high),
                What::Label(text) => self.plain(part, width, text),
                What::Stroke(stroke, _) => self.plain(part, width, drawn(*stroke)),
            }
            at = piece.to;
        }
        part.block("</tr></table>");
    }

    /// The width of a table cell between two half columns; the gap beside it is its neighbours' and its own.
    fn width(&self, from: i32, to: i32) -> u32 {
        let pixels = self.measure.pixels(to).saturating_sub(self.measure.pixels(from));
        pixels.saturating_sub(self.measure.gap)
    }

    /// The pieces of a line from the left.
    fn pieces<'a>(&self, signs: &'a [Sign<'a>]) -> Vec<Piece<'a>> {
        let fixed: Vec<Piece> = signs.iter().filter_map(|sign| self.fixed(sign)).collect();
        let mut pieces: Vec<Piece> = signs.iter().filter_map(|sign| stroke(sign, &fixed)).collect();
        pieces.extend(fixed);
        pieces.sort_by_key(|piece| piece.from);
        pieces
    }

    /// A cell or a label, which is as wide as a cell.
    fn fixed<'a>(&self, sign: &'a Sign<'a>) -> Option<Piece<'a>> {
        let length = match &sign.what {
            What::Cell(_) => 1,
            What::Label(text) => text.len(),
            What::Stroke(..) => return None,
        };
        let middle = (2 * sign.at + length) as i32;
        Some(Piece {
            from: middle - self.measure.reach,
            to: middle + self.measure.reach,
            what: &sign.what,
        })
    }

    fn plain(&self, part: &mut Writer, width: u32, text: &str) {
        part.block(format_args!("<td width=\"{width}\">"));
        part.fixed(text);
        part.inline("</td>");
    }

    fn cell(&self, part: &mut Writer, place: Place, width: u32, high: u32) {
        let cell = place.cell;
        let paint = self.paint(cell);
        let link = self.taps.and_then(|taps| taps.placement(&cell.name));
        let (ring, ground) = match (cell.filled, cell.changed, paint.rim()) {
            (true, ..) => (RING, paint.ring()),
            (false, true, _) => (RING / 2, paint.ring()),
            (false, false, Some(rim)) => (if width > SMALL { RING } else { RING / 2 }, rim),
            (false, false, None) => (0, paint.ground),
        };
        let round = self.round(cell, width);
        let ink = (ring == 0 && link.is_none()).then_some(paint.ink);
        let name = self.name(cell);
        let titled = name.as_ref().filter(|_| link.is_none());
        part.block(fmt::from_fn(|td| {
            write!(td, "<td width=\"{width}\" bgcolor=\"{ground}\"")?;
            if let Some(name) = titled {
                write!(td, "{name}")?;
            }
            match (ink, round) {
                (None, 0) => {}
                (Some(ink), 0) => write!(td, " style=\"color:{ink}\"")?,
                (None, round) => write!(td, " style=\"border-radius:{round}px\"")?,
                (Some(ink), round) => write!(td, " style=\"color:{ink};border-radius:{round}px\"")?,
            }
            td.write_str(">")
        }));
        if ring > 0 {
            let inner = high.saturating_sub(2 * ring);
            part.inline(format_args!(
                "<span style=\"display:block;margin:{ring}px;{};line-height:{inner}px;border-radius:{}px\">",
                paint.style(),
                round.saturating_sub(ring)
            ));
        }
        let sign = self.sign(place);
        match link {
            Some(link) => {
                let look = match self.linking {
                    Linking::Whole => "display:block;text-decoration:none;",
                    Linking::Spare | Linking::Without => "display:block;",
                };
                let ink = paint.ink;
                part.inline(format_args!("<a href=\"{link}\""));
                if let Some(name) = name {
                    part.inline(name);
                }
                part.inline(format_args!(" style=\"{look}color:{ink}\">"));
                part.fixed(&sign);
                part.inline("</a>");
            }
            None if cell.filled => {
                part.inline("<u>");
                part.fixed(&sign);
                part.inline("</u>");
            }
            None => part.fixed(&sign),
        }
        if ring > 0 {
            part.inline("</span>");
        }
        part.inline("</td>");
    }

    /// The radius of a cell's corners: stones are round, chess-like men less so (petrified ones are blocks), and so are
    /// larger vacant cells.
    fn round(&self, cell: &Cell, width: u32) -> u32 {
        match (cell.mark.is_some(), self.view.diagram.layout) {
            _ if cell.mark.is_some_and(|mark| mark.stone) => 0,
            (true, Layout::Squares { .. }) => width / 4,
            (true, _) => width / 2,
            (false, Layout::Hexagon { .. }) if width > SMALL => width / 4,
            (false, _) => 0,
        }
    }

    /// The attribute that says the cell's name, where the board shows no number on it.
    fn name(&self, cell: &Cell) -> Option<impl Display> {
        match self.view.diagram.layout {
            Layout::Lotus | Layout::Honeycomb { .. } if cell.mark.is_none() => None,
            _ => Some(fmt::from_fn(|html| {
                write!(html, " aria-label=\"{}\"", attribute(&cell.name))
            })),
        }
    }

    fn paint(&self, cell: &Cell) -> Paint {
        match cell.mark {
            Some(mark) => palette::of_mark(mark, self.view.diagram.layout, self.view.seats),
            None => palette::VACANT,
        }
    }

    /// What is written on a cell: the letter of a stone or man with its marks, the number of a point, or a dot.
    fn sign(&self, place: Place) -> String {
        match (place.cell.mark, self.view.diagram.layout) {
            (Some(mark), _) => {
                let morph = if mark.morph { "+" } else { "" };
                let stone = if mark.stone { "*" } else { "" };
                format!("{morph}{}{stone}", mark.letter)
            }
            (None, Layout::Lotus | Layout::Honeycomb { .. }) => place.cell.x.to_string(),
            (None, Layout::Hexagon { .. } | Layout::Squares { .. }) => DOT.to_string(),
        }
    }
}

/// What cells and labels leave of a stroke's place; `None` where that is nothing.
fn stroke<'a>(sign: &'a Sign<'a>, fixed: &[Piece]) -> Option<Piece<'a>> {
    let What::Stroke(_, length) = &sign.what else {
        return None;
    };
    let (mut from, mut to) = (2 * sign.at as i32, 2 * (sign.at + length) as i32);
    for piece in fixed {
        if piece.from <= from && from < piece.to {
            from = piece.to;
        }
        if piece.from < to && to <= piece.to {
            to = piece.from;
        }
    }
    (from < to).then_some(Piece {
        from,
        to,
        what: &sign.what,
    })
}

/// A stroke as it is written between cells.
fn drawn(stroke: char) -> &'static str {
    match stroke {
        '-' => "\u{2013}",
        '/' => "/",
        '\\' => "\\",
        _ => "|",
    }
}
