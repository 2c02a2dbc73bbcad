//! Files of records into the archive: text, one record a file, or JSON, one record a line.

use super::export::PRIVATE;
use super::position::{FORM, positions};
use super::{event, replay, row, won};
use crate::matches::{Match, Problem, Record, RecordError, RecordLine};
use crate::store::{Stood, Store, StoreError, StoredEvent, Tx};
use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};

/// How many records are entered in one transaction.
const BATCH: usize = 500;

/// What became of the records.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Count {
    /// Entered into the archive.
    pub taken: usize,
    /// There already.
    pub known: usize,
    /// Not entered; each was reported.
    pub wrong: usize,
}

/// What is wrong with a record.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Wrong {
    #[error(transparent)]
    Record(#[from] Problem),
    #[error("match {0} goes on; only finished matches are imported")]
    GoesOn(u32),
    #[error("match {0} is another match here")]
    Taken(u32),
    #[error("the match does not come out as the record says: {0}")]
    Unlike(String),
    #[error("the file cannot be read: {0}")]
    Unreadable(String),
    #[error("the line is no UTF-8")]
    NoText,
}

/// A record that was not entered.
#[derive(Clone, Debug, PartialEq)]
pub struct Failing {
    pub file: PathBuf,
    /// From 1; 0 where it is the file as a whole.
    pub line: usize,
    pub wrong: Wrong,
}

/// Why an import cannot go on.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("{}: {error}", .path.display())]
    File { path: PathBuf, error: io::Error },
}

/// The files that the paths name: files as they are, and of directories those that end in `.txt` or `.jsonl`, by name.
///
/// # Errors
///
/// A path that is not there, or a directory that cannot be read.
pub fn files(paths: &[PathBuf]) -> Result<Vec<PathBuf>, ImportError> {
    let mut found = Vec::new();
    for path in paths {
        let trouble = |error| ImportError::File {
            path: path.clone(),
            error,
        };
        if !std::fs::metadata(path).map_err(trouble)?.is_dir() {
            found.push(path.clone());
            continue;
        }
        let mut inside = Vec::new();
        for entry in std::fs::read_dir(path).map_err(trouble)? {
            let path = entry.map_err(trouble)?.path();
            if matches!(extension(&path), Some("txt" | "jsonl")) && path.is_file() {
                inside.push(path);
            }
        }
        inside.sort();
        found.append(&mut inside);
    }
    Ok(found)
}

fn extension(path: &Path) -> Option<&str> {
    path.extension().and_then(|extension| extension.to_str())
}

/// An import: records are checked as they are read, and entered in batches.
pub struct Import<'a> {
    store: &'a mut Store,
    batch: Vec<Checked>,
    count: Count,
    failing: &'a mut dyn FnMut(&Failing),
}

/// A record that the rules have checked, and the match that it makes.
struct Checked {
    file: PathBuf,
    line: usize,
    game: Match,
    events: Vec<StoredEvent>,
    positions: Vec<Stood>,
}

impl<'a> Import<'a> {
    /// An import into this store; `failing` hears of every record that is not entered.
    pub fn new(store: &'a mut Store, failing: &'a mut dyn FnMut(&Failing)) -> Self {
        Import {
            store,
            batch: Vec::new(),
            count: Count::default(),
            failing,
        }
    }

    /// Reads the records of a file.
    ///
    /// # Errors
    ///
    /// Trouble with the store; a file that cannot be read is one that fails.
    pub fn file(&mut self, path: &Path) -> Result<(), ImportError> {
        let read = match extension(path) {
            Some("jsonl" | "json") => self.json_lines(path)?,
            _ => self.text(path)?,
        };
        if let Err(error) = read {
            self.fails(path, 0, Wrong::Unreadable(error.to_string()));
        }
        Ok(())
    }

    fn text(&mut self, path: &Path) -> Result<io::Result<()>, ImportError> {
        let text = match std::fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) => return Ok(Err(error)),
        };
        match Record::parse(&text) {
            Ok(record) => self.record(path, 1, record)?,
            Err(RecordError { line, problem }) => self.fails(path, line, problem.into()),
        }
        Ok(Ok(()))
    }

    fn json_lines(&mut self, path: &Path) -> Result<io::Result<()>, ImportError> {
        let file = match File::open(path) {
            Ok(file) => file,
            Err(error) => return Ok(Err(error)),
        };
        for (index, line) in BufReader::new(file).split(b'\n').enumerate() {
            let line = match line {
                Ok(line) => line,
                Err(error) => return Ok(Err(error)),
            };
            let Ok(line) = str::from_utf8(&line) else {
                self.fails(path, index + 1, Wrong::NoText);
                continue;
            };
            if line.trim().is_empty() {
                continue;
            }
            match Record::from_json(line) {
                Ok(record) => self.record(path, index + 1, record)?,
                Err(problem) => self.fails(path, index + 1, problem.into()),
            }
        }
        Ok(Ok(()))
    }

    fn record(&mut self, path: &Path, line: usize, record: Record) -> Result<(), ImportError> {
        match match_of(record) {
            Ok((game, events)) => self.batch.push(Checked {
                file: path.to_path_buf(),
                line,
                positions: positions(&game),
                game,
                events,
            }),
            Err(wrong) => self.fails(path, line, wrong),
        }
        if self.batch.len() >= BATCH {
            self.enter()
        } else {
            Ok(())
        }
    }

    fn fails(&mut self, path: &Path, line: usize, wrong: Wrong) {
        self.count.wrong += 1;
        (self.failing)(&Failing {
            file: path.to_path_buf(),
            line,
            wrong,
        });
    }

    /// Enters what is left; gives what became of all.
    ///
    /// # Errors
    ///
    /// Trouble with the store.
    pub fn finish(mut self) -> Result<Count, ImportError> {
        self.enter()?;
        Ok(self.count)
    }

    fn enter(&mut self) -> Result<(), ImportError> {
        let batch = std::mem::take(&mut self.batch);
        let entered: Vec<Entered> = self.store.write(|tx| {
            batch
                .iter()
                .map(|checked| enter(tx, checked))
                .collect::<Result<_, StoreError>>()
        })?;
        for (checked, entered) in batch.iter().zip(entered) {
            match entered {
                Entered::Taken => self.count.taken += 1,
                Entered::Known => self.count.known += 1,
                Entered::Other => {
                    let number = checked.game.number();
                    self.fails(&checked.file, checked.line, Wrong::Taken(number));
                }
            }
        }
        Ok(())
    }
}

enum Entered {
    Taken,
    Known,
    /// The number belongs to another match.
    Other,
}

/// The match of a checked record as the store keeps it, played through once more.
fn match_of(mut record: Record) -> Result<(Match, Vec<StoredEvent>), Wrong> {
    if record.result.is_none() {
        return Err(Wrong::GoesOn(record.number));
    }
    let private = record
        .others
        .iter()
        .any(|(name, value)| name == PRIVATE && value == "yes");
    // A last turn without a time was played when the match ended, if it ended by it.
    let end = record.end;
    if let Some(RecordLine::Turn { at, .. }) = record.lines.last_mut() {
        *at = at.or(end);
    }
    let (number, result, reason) = (record.number, record.result_text(), record.reason.clone());
    let (mut head, entries) = record.into_match();
    head.terms.private = private;
    let game = Match::replay(head, &entries).map_err(|error| Wrong::Unlike(error.to_string()))?;
    let row = row(&game).ok_or(Wrong::GoesOn(number))?;
    if row.result != result || reason.is_some_and(|reason| row.reason != reason) {
        return Err(Wrong::Unlike(format!("{} ({})", row.result, row.reason)));
    }
    let events = entries
        .iter()
        .map(event)
        .collect::<Result<_, _>>()
        .map_err(|error| Wrong::Unlike(error.to_string()))?;
    Ok((game, events))
}

fn enter(tx: &Tx, checked: &Checked) -> Result<Entered, StoreError> {
    let Some(row) = row(&checked.game) else {
        return Ok(Entered::Other);
    };
    if let Some(stored) = tx.stored_match(row.number)? {
        let is_same = replay(&stored).is_ok_and(|game| are_same(&game, &checked.game));
        return Ok(if is_same { Entered::Known } else { Entered::Other });
    }
    let head = serde_json::to_string(checked.game.head())?;
    tx.archive_match(&row, &head, &checked.events, &[], &won(&checked.game))?;
    tx.set_positions(row.number, FORM, &checked.positions)?;
    Ok(Entered::Taken)
}

/// Whether two matches are one: what the players said and what stands beside the board aside.
fn are_same(one: &Match, other: &Match) -> bool {
    let essence = |game: &Match| {
        let record = Record::of(game, None, false);
        (
            record.game,
            record.options,
            record.players,
            record.start,
            record.result,
            record.setup,
            record.lines,
        )
    };
    essence(one) == essence(other)
}
