//! Positions, so that all matches can be found in which one stood, also turned or mirrored.
//!
//! A position is what stands on the cells, the men in hand and the seat to move. What else the rules remember (the
//! marker, slides in a row, the right to castle, earlier positions) is no part of it.

use super::replay;
use crate::games::{Diagram, Layout, Mark, Note, Phase, Table, plane};
use crate::matches::Match;
use crate::store::{ArchivedRow, Filter, Stood, Store, StoreError, Tx};
use sha2::{Digest, Sha256};
use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

/// The version of the canonical form. A change of the form raises it, and all positions are entered anew.
pub const FORM: u32 = 1;

/// Matches whose positions are derived in one transaction.
const BATCH: u32 = 200;

/// A position in the form that is the same however the board is turned or mirrored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Canonical(Vec<u8>);

impl Canonical {
    /// The position on a table; `None` in a counting, when no turn is played on the board.
    pub fn of(table: &dyn Table) -> Option<Canonical> {
        if table.phase() == Phase::Counting {
            return None;
        }
        let diagram = table.diagram();
        let cells: Vec<u8> = diagram.cells.iter().map(|cell| cell_byte(cell.mark.as_ref())).collect();
        let symmetries = symmetries(&diagram);
        let laid = symmetries.iter().map(|symmetry| {
            let mut laid = cells.clone();
            for (&cell, &there) in cells.iter().zip(symmetry) {
                if let Some(place) = laid.get_mut(there) {
                    *place = cell;
                }
            }
            laid
        });
        let to_move = table.to_move().map_or("-".to_string(), |seat| table.seat_name(seat));
        let mut form = format!("{} {} {to_move} ", table.info().name, table.seats());
        for note in &diagram.notes {
            if let Note::Hand { seat, men } = note {
                form.push_str(&table.seat_name(*seat));
                for (man, count) in men {
                    form.push_str(&format!(" {man}{count}"));
                }
                form.push(' ');
            }
        }
        let mut form = form.into_bytes();
        form.extend(laid.min()?);
        Some(Canonical(form))
    }

    /// The first 8 bytes of the SHA-256 of the form.
    pub fn key(&self) -> i64 {
        let digest = Sha256::digest(&self.0);
        let mut first = [0; 8];
        for (byte, digit) in first.iter_mut().zip(digest) {
            *byte = digit;
        }
        i64::from_be_bytes(first)
    }
}

/// What stands on a cell. Whether a man is stone follows from the others.
fn cell_byte(mark: Option<&Mark>) -> u8 {
    const MORPH: u8 = 0x80;
    mark.map_or(b'.', |mark| {
        let letter = u8::try_from(mark.letter).unwrap_or(b'?');
        if mark.morph { letter | MORPH } else { letter }
    })
}

type Symmetries = Arc<Vec<Vec<usize>>>;

/// The symmetries of a board, computed once for each layout.
fn symmetries(diagram: &Diagram) -> Symmetries {
    static KNOWN: LazyLock<Mutex<HashMap<(Layout, usize), Symmetries>>> = LazyLock::new(Mutex::default);
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    let board = (diagram.layout, diagram.cells.len());
    known
        .entry(board)
        .or_insert_with(|| Arc::new(plane::symmetries(diagram.layout, &diagram.cells)))
        .clone()
}

/// The positions of a match, the one at the start and the one after each turn that stands.
pub fn positions(game: &Match) -> Vec<Stood> {
    let Some(mut table) = game.table_at(0) else {
        return Vec::new();
    };
    let stands = |table: &dyn Table, turn| {
        Canonical::of(table).map(|position| Stood {
            key: position.key(),
            turn,
        })
    };
    let mut found = Vec::new();
    found.extend(stands(table.as_ref(), 0));
    for (played, turn) in game.turns().iter().zip(1..) {
        if table.play(None, &played.text).is_err() {
            break;
        }
        found.extend(stands(table.as_ref(), turn));
    }
    found
}

/// Why a position is not found.
#[derive(Debug, thiserror::Error)]
pub enum PositionError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("there is no match {0}")]
    NoMatch(u32),
    #[error("match {number} has no position after turn {turn}")]
    NoTurn { number: u32, turn: u32 },
    /// The match does not replay.
    #[error("match {number}: {why}")]
    Unplayable { number: u32, why: String },
}

/// The position in a match, running or finished, after this turn.
///
/// # Errors
///
/// No such match, no such turn, or one in a counting.
pub fn position_in(tx: &Tx, number: u32, turn: u32) -> Result<Canonical, PositionError> {
    let stored = tx.stored_match(number)?.ok_or(PositionError::NoMatch(number))?;
    let game = replay(&stored).map_err(|why| PositionError::Unplayable { number, why })?;
    let table = game.table_at(turn);
    table
        .and_then(|table| Canonical::of(table.as_ref()))
        .ok_or(PositionError::NoTurn { number, turn })
}

/// A match in which a position stood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    pub row: ArchivedRow,
    /// After which turns.
    pub turns: Vec<u32>,
}

/// The finished matches that the filter lets by and in which the position stood, newest first. The keys are trusted: that
/// another of ten million positions has the same 64 bits happens in one search of 10^12.
///
/// # Errors
///
/// Trouble with the store.
pub fn search(tx: &Tx, position: &Canonical, filter: &Filter) -> Result<Vec<Found>, StoreError> {
    let key = position.key();
    let mut turns: HashMap<u32, Vec<u32>> = HashMap::new();
    for (number, turn) in tx.positions_with(key)? {
        turns.entry(number).or_default().push(turn);
    }
    let filter = Filter {
        position: Some(key),
        ..filter.clone()
    };
    let rows = tx.search_archive(&filter)?.into_iter();
    let found = rows.map(|row| Found {
        turns: turns.remove(&row.number).unwrap_or_default(),
        row,
    });
    Ok(found.collect())
}

/// Derives the positions of finished matches that have none under the present form: what was archived before positions
/// were kept. `progress` hears how many are done, and of how many. A match that does not replay has no positions.
///
/// # Errors
///
/// Trouble with the store.
pub fn derive_missing(store: &mut Store, mut progress: impl FnMut(u32, u32)) -> Result<(), StoreError> {
    let all = store.read(|tx| tx.count_without_positions(FORM))?;
    let (mut done, mut last) = (0, 0);
    while done < all {
        let derived = store.write(|tx| {
            let numbers = tx.without_positions(FORM, last, BATCH)?;
            for &number in &numbers {
                let stored = match tx.stored_match(number) {
                    Err(StoreError::Damaged(_)) => None,
                    stored => stored?,
                };
                let game = stored.and_then(|stored| replay(&stored).ok());
                let positions = game.map(|game| positions(&game)).unwrap_or_default();
                tx.set_positions(number, FORM, &positions)?;
            }
            Ok::<_, StoreError>(numbers)
        })?;
        let Some(&highest) = derived.last() else {
            break;
        };
        last = highest;
        done += derived.len() as u32;
        progress(done, all);
    }
    Ok(())
}
