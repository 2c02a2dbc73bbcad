//! Susan's notation and position texts.

use super::SEATS;
use super::cells::{Bit, Grid, Set, WIDE};
use super::position::{Position, Turn};
use crate::games::notation::{Part, not_a_cell, parts, read_cell, read_number, read_rows, write_cell, write_rows};
use crate::games::{PositionError, Reason, Seat};

/// The name of a cell: `d4`.
pub fn name(grid: &Grid<WIDE>, cell: Bit) -> String {
    let (x, y) = grid.coordinates(cell);
    write_cell(x, y)
}

/// The letter of a seat: `X`.
pub fn letter(seat: Seat) -> char {
    char::from(SEATS.as_bytes()[seat.index()])
}

/// The cell of that name on this board.
pub fn read_cell_of(grid: &Grid<WIDE>, name: &str) -> Option<Bit> {
    let (x, y) = read_cell(name)?;
    grid.at(x, y)
}

/// Reads a placement `d4` or a slide `d4-d5`. Decision: two cells with only a blank between them, `pass`, `swap` and
/// everything else are unreadable, since a game without passing has no such word.
pub fn read_turn(grid: &Grid<WIDE>, text: &str) -> Result<Turn, Reason> {
    let cell = |word| read_cell_of(grid, word).ok_or_else(|| not_a_cell(word));
    match parts(text).ok_or(Reason::NotATurn)?[..] {
        [Part::Alone(to)] => Ok(Turn {
            from: None,
            to: cell(to)?,
        }),
        [Part::Joined(from, to)] => Ok(Turn {
            from: Some(cell(from)?),
            to: cell(to)?,
        }),
        _ => Err(Reason::NotATurn),
    }
}

pub fn write_turn(grid: &Grid<WIDE>, turn: Turn) -> String {
    let to = name(grid, turn.to);
    match turn.from {
        None => to,
        Some(from) => format!("{}-{to}", name(grid, from)),
    }
}

/// Reads `ROWS SEAT SLIDES [OUT]`. Surrounded stones are allowed: only newly surrounded ones count.
pub fn read_position(grid: &'static Grid<WIDE>, seats: u8, text: &str) -> Result<Position<WIDE>, PositionError> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let (rows, seat, slides, out) = match words[..] {
        [rows, seat, slides] => (rows, seat, slides, "-"),
        [rows, seat, slides, out] => (rows, seat, slides, out),
        _ => return Err(invalid("ROWS SEAT SLIDES [OUT] expected")),
    };
    let seat_of = |letter: char| SEATS[..usize::from(seats)].chars().position(|seat| seat == letter);
    let mut position = Position::start(grid, seats);
    position.stones = read_stones(grid, rows, seat_of)?;
    if position.empty().is_empty() {
        return Err(invalid("the board is full"));
    }
    position.out = read_out(out, seat_of)?;
    if position.players_in() < 2 {
        return Err(invalid("fewer than two players are in the game"));
    }
    let mut letters = seat.chars();
    position.to_move = match (letters.next().and_then(seat_of), letters.next()) {
        (Some(seat), None) => seat as u8,
        _ => return Err(invalid("the seat to move is no seat of this game")),
    };
    if position.is_out(position.to_move) {
        return Err(invalid("the seat to move is out"));
    }
    let most = position.draw_at() - 1;
    position.slides = match read_number(slides) {
        Some(slides) if slides <= u32::from(most) => slides as u8,
        _ => {
            return Err(PositionError(format!(
                "the slides in a row are not a number from 0 to {most}"
            )));
        }
    };
    Ok(position)
}

fn invalid(why: &str) -> PositionError {
    PositionError(why.to_string())
}

fn read_stones(
    grid: &Grid<WIDE>,
    rows: &str,
    seat_of: impl Fn(char) -> Option<usize>,
) -> Result<[Set<WIDE>; 4], PositionError> {
    let cells = grid.rows_down();
    let lengths: Vec<usize> = cells.iter().map(Vec::len).collect();
    let rows = read_rows(rows, &lengths, seat_of)?;
    let mut stones = [Set::EMPTY; 4];
    for (&cell, stone) in cells.iter().flatten().zip(rows.into_iter().flatten()) {
        if let Some(seat) = stone {
            stones[seat].insert(cell);
        }
    }
    Ok(stones)
}

/// The seats that are out, in seat order, as bits; `-` if nobody is.
fn read_out(text: &str, seat_of: impl Fn(char) -> Option<usize>) -> Result<u8, PositionError> {
    let mut out = 0;
    if text == "-" {
        return Ok(out);
    }
    for letter in text.chars() {
        let seat = seat_of(letter).ok_or_else(|| invalid("a seat that is out is no seat of this game"))?;
        if out >> seat != 0 {
            return Err(invalid("the seats that are out do not stand once each in seat order"));
        }
        out |= 1 << seat;
    }
    Ok(out)
}

/// Writes the text that [`read_position`] reads.
pub fn write_position(position: &Position<WIDE>) -> String {
    let stone = |cell: Bit| position.owner(cell).map(|seat| letter(Seat(seat)));
    let rows = position.grid.rows_down();
    let rows = write_rows(rows.into_iter().map(|row| row.into_iter().map(stone)));
    let text = format!("{rows} {} {}", letter(Seat(position.to_move)), position.slides);
    let out: String = (0..position.seats)
        .filter(|&seat| position.is_out(seat))
        .map(|seat| letter(Seat(seat)))
        .collect();
    if out.is_empty() { text } else { format!("{text} {out}") }
}
