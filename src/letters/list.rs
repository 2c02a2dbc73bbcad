//! The position in words, for people who listen: what the last turn changed, then the board row by row, or man by man
//! where there are kinds of men. The phrases stand in `list.toml`.

use super::TemplateError;
use super::sentence::Words;
use super::sheet::row_and_place;
use crate::games::{Cell, Diagram, Layout, Mark, Seat};
use minijinja::context;

/// As many neighbours of one colour are said as a range: `a to d`.
const SHORTEST_RANGE: usize = 3;

/// The men of a chess-like game in the order in which they are listed.
const MEN: &str = "KQSRLABNMP";

/// The position, a sentence a line.
///
/// # Errors
///
/// A phrase that cannot be filled in.
pub(super) fn lines(words: &Words, diagram: &Diagram) -> Result<Vec<String>, TemplateError> {
    let list = List {
        words,
        layout: diagram.layout,
    };
    let mut lines = list.last_turn(&diagram.cells)?;
    let position = match diagram.layout {
        Layout::Squares { .. } => list.sides(&diagram.cells)?,
        Layout::Hexagon { .. } | Layout::Lotus | Layout::Honeycomb { .. } => list.rows(&diagram.cells)?,
    };
    if position.is_empty() {
        lines.push(list.phrase("empty", context! {})?);
    }
    lines.extend(position);
    Ok(lines)
}

struct List<'a> {
    words: &'a Words<'a>,
    layout: Layout,
}

impl List<'_> {
    fn phrase(&self, key: &str, fields: minijinja::Value) -> Result<String, TemplateError> {
        let key = format!("list.{key}");
        self.words.templates.word(self.words.language, &key, fields)
    }

    fn last_turn(&self, cells: &[Cell]) -> Result<Vec<String>, TemplateError> {
        let filled: Vec<&Cell> = cells.iter().filter(|cell| cell.filled).collect();
        let changed: Vec<&Cell> = cells.iter().filter(|cell| cell.changed && !cell.filled).collect();
        let emptied = changed.iter().filter(|cell| cell.mark.is_none());
        let emptied: Vec<String> = emptied.map(|cell| cell.name.clone()).collect();
        let mut lines = Vec::new();
        for (key, cells) in [("filled", filled), ("changed", changed)] {
            let stones = self.whole_names(&cells)?;
            if !stones.is_empty() {
                lines.push(self.phrase(key, context! { stones })?);
            }
        }
        if !emptied.is_empty() {
            lines.push(self.phrase("emptied", context! { cells => emptied })?);
        }
        Ok(lines)
    }

    /// `Black on d4 and e5`, for each kind of stone or man.
    fn whole_names(&self, cells: &[&Cell]) -> Result<Vec<String>, TemplateError> {
        let mut kinds: Vec<(String, Vec<String>)> = Vec::new();
        for cell in cells {
            let Some(mark) = cell.mark else { continue };
            let who = self.who(mark)?;
            match kinds.iter_mut().find(|(known, _)| *known == who) {
                Some((_, places)) => places.push(cell.name.clone()),
                None => kinds.push((who, vec![cell.name.clone()])),
            }
        }
        kinds
            .into_iter()
            .map(|(who, places)| self.phrase("stones", context! { who, places }))
            .collect()
    }

    /// A stone by its seat, a man by its seat and kind.
    fn who(&self, mark: Mark) -> Result<String, TemplateError> {
        let seat = self.words.seat(mark.seat)?;
        if !matches!(self.layout, Layout::Squares { .. }) {
            return Ok(seat);
        }
        let man = self.man(mark)?;
        self.phrase("man-of", context! { who => seat, man })
    }

    fn man(&self, mark: Mark) -> Result<String, TemplateError> {
        let morph = if mark.morph { "+" } else { "" };
        let man = self.words.man(&format!("{morph}{}", mark.letter))?;
        if mark.stone {
            self.phrase("stone", context! { man })
        } else {
            Ok(man)
        }
    }

    /// The rows from the top, each with its stones by seat. Rows without stones are not named.
    fn rows(&self, cells: &[Cell]) -> Result<Vec<String>, TemplateError> {
        let rows = cells.chunk_by(|one, next| one.y == next.y).rev();
        let mut lines = Vec::new();
        for row in rows {
            let mut stones = Vec::new();
            for seat in seats_on(row) {
                let places = self.places(row, seat)?;
                stones.push(self.phrase("stones", context! { who => self.words.seat(seat)?, places })?);
            }
            if let (Some(first), false) = (row.first(), stones.is_empty()) {
                lines.push(self.phrase("row", context! { row => self.parts(first).0, stones })?);
            }
        }
        Ok(lines)
    }

    fn parts<'c>(&self, cell: &'c Cell) -> (&'c str, &'c str) {
        row_and_place(&cell.name, self.layout)
    }

    /// Where a seat's stones stand in a row: `a to d`, `f`.
    fn places(&self, row: &[Cell], seat: Seat) -> Result<Vec<String>, TemplateError> {
        let is_here = |cell: &Cell| cell.mark.is_some_and(|mark| mark.seat == seat);
        let runs = row.chunk_by(|one, next| is_here(one) && is_here(next) && one.x + 1 == next.x);
        let mut places = Vec::new();
        for run in runs {
            match run {
                [first, .., last] if run.len() >= SHORTEST_RANGE => {
                    let (first, last) = (self.parts(first).1, self.parts(last).1);
                    places.push(self.phrase("range", context! { first, last })?);
                }
                run => places.extend(
                    run.iter()
                        .filter(|cell| is_here(cell))
                        .map(|cell| self.parts(cell).1.to_string()),
                ),
            }
        }
        Ok(places)
    }

    /// The men of each side by kind.
    fn sides(&self, cells: &[Cell]) -> Result<Vec<String>, TemplateError> {
        let mut lines = Vec::new();
        for seat in seats_on(cells) {
            let mut kinds: Vec<(usize, String, Vec<String>)> = Vec::new();
            for cell in cells {
                let Some(mark) = cell.mark.filter(|mark| mark.seat == seat) else {
                    continue;
                };
                let man = self.man(mark)?;
                match kinds.iter_mut().find(|(_, known, _)| *known == man) {
                    Some((.., places)) => places.push(cell.name.clone()),
                    None => kinds.push((rank(mark), man, vec![cell.name.clone()])),
                }
            }
            kinds.sort_by_key(|(rank, ..)| *rank);
            let men: Vec<String> = kinds
                .into_iter()
                .map(|(_, man, places)| self.phrase("man", context! { man, places }))
                .collect::<Result<_, _>>()?;
            lines.push(self.phrase("side", context! { who => self.words.seat(seat)?, men })?);
        }
        Ok(lines)
    }
}

/// The seats that have something on these cells, in the order of play.
fn seats_on(cells: &[Cell]) -> Vec<Seat> {
    let mut seats: Vec<Seat> = cells
        .iter()
        .filter_map(|cell| cell.mark)
        .map(|mark| mark.seat)
        .collect();
    seats.sort_unstable();
    seats.dedup();
    seats
}

fn rank(mark: Mark) -> usize {
    let letter = mark.letter.to_ascii_uppercase();
    MEN.find(letter).unwrap_or(MEN.len())
}
