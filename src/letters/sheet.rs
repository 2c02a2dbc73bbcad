//! A board's drawing taken apart: which sign stands where. The plain ASCII drawing of the empty board is the one place
//! that knows how a layout is drawn; the Unicode board and the one in colours are made from what is found in it.

use crate::games::{Cell, Diagram, Layout};
use std::collections::{BTreeMap, HashMap};
use std::sync::{LazyLock, Mutex, PoisonError};

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
    Label(&'a str),
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
        let plan = plan(diagram);
        let sign = |(at, token): &'static (usize, Token)| {
            let what = match token {
                Token::Label(text) => What::Label(text),
                Token::Stroke(stroke, length) => What::Stroke(*stroke, *length),
                Token::Point { counted, cell } => What::Cell(Place {
                    cell: diagram.cells.get((*cell)?)?,
                    counted: *counted,
                    numbered: diagram.layout == Layout::Lotus,
                }),
            };
            Some(Sign { at: *at, what })
        };
        let lines = plan.lines.iter().map(|line| line.iter().filter_map(sign).collect());
        Sheet {
            lines: lines.collect(),
            width: plan.width,
            pitch: match diagram.layout {
                Layout::Hexagon { .. } => 2,
                Layout::Lotus | Layout::Honeycomb { .. } | Layout::Squares { .. } => 4,
            },
        }
    }
}

/// What is the same on all sheets of a board.
struct Plan {
    lines: Vec<Vec<(usize, Token)>>,
    width: usize,
}

/// The plan of a board, made once: there are only so many boards.
fn plan(diagram: &Diagram) -> &'static Plan {
    static KNOWN: LazyLock<Mutex<HashMap<(Layout, usize), &Plan>>> = LazyLock::new(Mutex::default);
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    let board = (diagram.layout, diagram.cells.len());
    known.entry(board).or_insert_with(|| {
        let drawing = without_men(diagram).ascii();
        let mut lines: Vec<_> = drawing.iter().map(|line| tokens(line, diagram.layout)).collect();
        assign(&mut lines, &diagram.cells);
        let width = drawing.iter().map(String::len).max().unwrap_or(0);
        Box::leak(Box::new(Plan { lines, width }))
    })
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
    /// `cell` is the place of its cell among those of the diagram, once it is assigned.
    Point {
        counted: bool,
        cell: Option<usize>,
    },
    Label(String),
    Stroke(char, usize),
}

fn tokens(line: &str, layout: Layout) -> Vec<(usize, Token)> {
    let point = |counted| Token::Point { counted, cell: None };
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
                tokens.push((at, point(false)));
                length = 2;
            }
            ('.', _) => tokens.push((at, point(false))),
            ('0'..='9', Layout::Honeycomb { .. }) => tokens.push((at, point(true))),
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

/// Says of each point which cell it is: the points of a row, which may lie on two lines, are its cells in order.
fn assign(lines: &mut [Vec<(usize, Token)>], cells: &[Cell]) {
    let mut rows: BTreeMap<u8, Vec<(usize, &mut Option<usize>)>> = BTreeMap::new();
    for tokens in lines {
        let Some(row) = tokens.first().and_then(|(_, token)| row_of(token)) else {
            continue;
        };
        let points = tokens.iter_mut().filter_map(|(at, token)| match token {
            Token::Point { cell, .. } => Some((*at, cell)),
            _ => None,
        });
        rows.entry(row).or_default().extend(points);
    }
    for (row, mut points) in rows {
        points.sort_by_key(|(at, _)| *at);
        let in_row = cells.iter().enumerate().filter(|(_, cell)| cell.y == row);
        for ((_, point), (index, _)) in points.into_iter().zip(in_row) {
            *point = Some(index);
        }
    }
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
