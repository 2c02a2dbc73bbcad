//! A board's drawing taken apart: which sign stands where. The plain ASCII drawing of the empty board is the one place
//! that knows how a layout is drawn; the Unicode board and the one in colours are made from what is found in it.

use crate::games::{Cell, Diagram, Layout};
use std::collections::BTreeMap;

/// The lines of a drawing from the top.
#[derive(Debug)]
pub(super) struct Sheet<'a> {
    pub lines: Vec<Vec<Sign<'a>>>,
    /// Columns of the drawing.
    pub width: usize,
    /// Columns from a cell to the next one on the same line, where they stand closest.
    pub pitch: usize,
}

/// Something on a line, by its first column.
#[derive(Debug)]
pub(super) struct Sign<'a> {
    pub at: usize,
    pub what: What<'a>,
}

#[derive(Debug)]
pub(super) enum What<'a> {
    Cell(Place<'a>),
    /// A coordinate at the edge.
    Label(String),
    /// A stroke between points, with the number of columns that it takes: `-`, `|`, `/` or `\`.
    Stroke(char, usize),
}

/// A cell of the board in its drawing.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place<'a> {
    pub cell: &'a Cell,
    /// The cell shows its number in the row while nothing stands there.
    pub counted: bool,
    /// The number of the cell stands behind it.
    pub numbered: bool,
}

impl<'a> Sheet<'a> {
    /// Takes the drawing of a diagram apart.
    pub fn of(diagram: &'a Diagram) -> Self {
        let drawing = without_men(diagram).ascii();
        let found: Vec<Vec<(usize, Token)>> = drawing.iter().map(|line| tokens(line, diagram.layout)).collect();
        let cells = assigned(&found, &diagram.cells);
        let lines = found
            .iter()
            .enumerate()
            .map(|(line, tokens)| {
                let signs = tokens.iter().filter_map(|(at, token)| {
                    let what = match token {
                        Token::Label(text) => What::Label(text.clone()),
                        Token::Stroke(stroke, length) => What::Stroke(*stroke, *length),
                        Token::Point { counted } => What::Cell(Place {
                            cell: cells.get(&(line, *at)).copied()?,
                            counted: *counted,
                            numbered: diagram.layout == Layout::Lotus,
                        }),
                    };
                    Some(Sign { at: *at, what })
                });
                signs.collect()
            })
            .collect();
        Sheet {
            lines,
            width: drawing.iter().map(String::len).max().unwrap_or(0),
            pitch: match diagram.layout {
                Layout::Hexagon { .. } => 2,
                Layout::Lotus | Layout::Honeycomb { .. } | Layout::Squares { .. } => 4,
            },
        }
    }
}

/// A cell's name in two: its row, and its place in the row.
pub(super) fn row_and_place(name: &str, layout: Layout) -> (&str, &str) {
    let (letter, number) = name.split_at_checked(1).unwrap_or((name, ""));
    match layout {
        Layout::Hexagon { .. } | Layout::Squares { .. } => (number, letter),
        Layout::Lotus | Layout::Honeycomb { .. } => (letter, number),
    }
}

fn without_men(diagram: &Diagram) -> Diagram {
    Diagram {
        layout: diagram.layout,
        cells: diagram
            .cells
            .iter()
            .map(|cell| Cell::empty(cell.name.clone(), cell.x, cell.y))
            .collect(),
        notes: Vec::new(),
    }
}

#[derive(Debug)]
enum Token {
    Point { counted: bool },
    Label(String),
    Stroke(char, usize),
}

fn tokens(line: &str, layout: Layout) -> Vec<(usize, Token)> {
    let signs: Vec<char> = line.chars().collect();
    let mut tokens: Vec<(usize, Token)> = Vec::new();
    let mut at = 0;
    while let Some(&sign) = signs.get(at) {
        let same = |wanted: &dyn Fn(char) -> bool| signs.iter().skip(at).take_while(|&&sign| wanted(sign)).count();
        let mut length = 1;
        match (sign, layout) {
            (' ', _) => {}
            ('.', Layout::Lotus) => {
                // The number of the point stands behind it, and is no coordinate of the edge.
                tokens.push((at, Token::Point { counted: false }));
                length = 2;
            }
            ('.', _) => tokens.push((at, Token::Point { counted: false })),
            ('0'..='9', Layout::Honeycomb { .. }) => tokens.push((at, Token::Point { counted: true })),
            ('-', _) => {
                length = same(&|sign| sign == '-');
                tokens.push((at, Token::Stroke(sign, length)));
            }
            ('/' | '\\' | '|', _) => tokens.push((at, Token::Stroke(sign, 1))),
            _ => {
                length = same(&|sign: char| sign.is_ascii_alphanumeric()).max(1);
                tokens.push((at, Token::Label(signs.iter().skip(at).take(length).collect())));
            }
        }
        at += length;
    }
    tokens
}

/// Which cell stands at which line and column: the points of a row, which may lie on two lines, are its cells in order.
fn assigned<'a>(found: &[Vec<(usize, Token)>], cells: &'a [Cell]) -> BTreeMap<(usize, usize), &'a Cell> {
    let mut rows: BTreeMap<u8, Vec<(usize, usize)>> = BTreeMap::new();
    for (line, tokens) in found.iter().enumerate() {
        let Some(row) = tokens.first().and_then(|(_, token)| row_of(token)) else {
            continue;
        };
        let points = tokens.iter().filter(|(_, token)| matches!(token, Token::Point { .. }));
        rows.entry(row).or_default().extend(points.map(|(at, _)| (*at, line)));
    }
    let mut places = BTreeMap::new();
    for (row, mut points) in rows {
        points.sort_unstable();
        let in_row = cells.iter().filter(|cell| cell.y == row);
        places.extend(points.into_iter().map(|(at, line)| (line, at)).zip(in_row));
    }
    places
}

/// The row that the label at the beginning of a line names.
fn row_of(token: &Token) -> Option<u8> {
    let Token::Label(text) = token else { return None };
    text.parse().ok().or_else(|| match text.as_bytes() {
        [letter @ b'a'..=b'z'] => Some(letter - b'a' + 1),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::GAMES;

    #[test]
    fn every_cell_of_every_board_stands_once_on_its_sheet_where_the_drawing_has_it() {
        for game in GAMES {
            let sides: &[&str] = match game.info.name {
                "susan" => &["2", "5", "10"],
                "rosette" => &["3", "7"],
                _ => &[""],
            };
            for side in sides {
                let options = match side {
                    &"" => Vec::new(),
                    side => vec![("side".to_string(), Some(side.to_string()))],
                };
                let diagram = (game.start)(&options).unwrap().diagram();
                let sheet = Sheet::of(&diagram);
                let mut names: Vec<&str> = Vec::new();
                for (line, drawn) in sheet.lines.iter().zip(diagram.ascii()) {
                    for sign in line {
                        if let What::Cell(place) = &sign.what {
                            names.push(&place.cell.name);
                            let letter = drawn.chars().nth(sign.at).unwrap();
                            assert!(
                                letter == place.cell.letter() || letter.is_ascii_digit(),
                                "{} {side}: {} is drawn as {letter:?}",
                                game.info.name,
                                place.cell.name
                            );
                        }
                    }
                }
                let mut expected: Vec<&str> = diagram.cells.iter().map(|cell| cell.name.as_str()).collect();
                names.sort_unstable();
                expected.sort_unstable();
                assert_eq!(names, expected, "{} {side}", game.info.name);
            }
        }
    }
}
