//! Derived columns: whether they are what the events give, and made anew where they are not.

use super::drafts::marks_of;
use super::live::Live;
use super::ratings::Counted;
use super::{Result, Server, ServerError};
use crate::archive::FORM;
use crate::store::{Filter, RatingRow, Store, Tx};
use std::collections::BTreeMap;

/// Ratings that are nearer than this are the same.
const SAME_RATING: f64 = 1e-6;

/// Matches that are played through in one transaction.
const TOGETHER: usize = 200;

/// Something stored that is not what the events give.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The match; `None` for a player's ratings.
    pub number: Option<u32>,
    /// In words for the keeper.
    pub what: String,
}

impl Server {
    /// Replays the matches (or one) under the present rules and says what differs from what is stored. Nothing changes.
    ///
    /// # Errors
    ///
    /// Trouble with the store.
    pub fn check(&self, store: &mut Store, number: Option<u32>) -> Result<Vec<Difference>> {
        store.read(|tx| match number {
            Some(number) => self.differences(tx, &[number], false),
            None => self.differences(tx, &numbers(tx)?, false),
        })
    }

    /// Derives all columns and ratings anew; gives what was different. Mails are handled meanwhile: the matches are
    /// played through a few at a time, and only the ratings are written all together.
    ///
    /// # Errors
    ///
    /// Trouble with the store.
    pub fn rebuild(&self, store: &mut Store) -> Result<Vec<Difference>> {
        let mut found = Vec::new();
        for batch in store.read(numbers)?.chunks(TOGETHER) {
            found.extend(store.write(|tx| self.differences(tx, batch, true))?);
        }
        let mut known = BTreeMap::new();
        for batch in store.read(|tx| tx.numbers_as_filed())?.chunks(TOGETHER) {
            store.read(|tx| {
                for &number in batch {
                    known.insert(number, counted(tx, number)?);
                }
                Ok::<_, ServerError>(())
            })?;
        }
        found.extend(store.write(|tx| self.rebuild_ratings(tx, &known))?);
        Ok(found)
    }

    /// Derives all columns and ratings anew in this transaction.
    pub(super) fn rebuild_at_once(&self, tx: &Tx) -> Result<()> {
        self.differences(tx, &numbers(tx)?, true)?;
        self.rebuild_ratings(tx, &BTreeMap::new())?;
        Ok(())
    }

    /// What differs in these matches, mended at once where `mend` says so.
    fn differences(&self, tx: &Tx, numbers: &[u32], mend: bool) -> Result<Vec<Difference>> {
        let mut found = Vec::new();
        for &number in numbers {
            let differs = match tx.match_row(number)? {
                Some(row) => self.running_differs(tx, &row, mend)?,
                None => match tx.search_archive(&only(number))?.first() {
                    Some(row) => archived_differs(tx, row, mend)?,
                    None => None,
                },
            };
            found.extend(differs.map(|what| of_match(number, what)));
        }
        Ok(found)
    }

    fn running_differs(&self, tx: &Tx, row: &crate::store::MatchRow, mend: bool) -> Result<Option<String>> {
        let live = match Live::read(tx, row.number) {
            Ok(Some(live)) => live,
            Ok(None) => return Ok(None),
            Err(ServerError::Broken(why)) => {
                if mend {
                    tx.set_trouble(row.number, Some(&why))?;
                }
                return Ok(Some(why));
            }
            Err(error) => return Err(error),
        };
        let marks = match live.player_to_move() {
            Some(player) => tx
                .player(player)?
                .map(|player| marks_of(&player.settings))
                .unwrap_or_default(),
            None => Vec::new(),
        };
        let derived = live.row(&marks);
        if derived == *row {
            return Ok(None);
        }
        if mend {
            tx.set_match_row(&derived)?;
        }
        Ok(Some("columns differ".to_string()))
    }

    /// Rates the finished matches again in the order in which they were rated. `known` are the results of those that were
    /// played through before; the others are now.
    fn rebuild_ratings(&self, tx: &Tx, known: &BTreeMap<u32, Option<Counted>>) -> Result<Vec<Difference>> {
        let before = all_ratings(tx)?;
        tx.clear_ratings()?;
        for number in tx.numbers_as_filed()? {
            let fresh = match known.get(&number) {
                Some(_) => None,
                None => counted(tx, number)?,
            };
            if let Some(counted) = known.get(&number).and_then(Option::as_ref).or(fresh.as_ref()) {
                // Whose the seats are may have changed since.
                self.count(tx, counted, &tx.archived_players(number)?)?;
            }
        }
        let after = all_ratings(tx)?;
        let keys = before
            .keys()
            .chain(after.keys().filter(|key| !before.contains_key(*key)));
        Ok(keys
            .filter(|key| !same_rating(before.get(*key), after.get(*key)))
            .map(|(game, userid)| Difference {
                number: None,
                what: format!("rating of {userid} in {game}"),
            })
            .collect())
    }
}

/// Running matches, then finished ones, newest first.
fn numbers(tx: &Tx) -> Result<Vec<u32>> {
    let running = tx.running_matches()?.into_iter().map(|row| row.number);
    let filter = Filter {
        private_all: true,
        ..Filter::default()
    };
    let finished = tx.search_archive(&filter)?.into_iter().map(|row| row.number);
    Ok(running.chain(finished).collect())
}

fn only(number: u32) -> Filter {
    Filter {
        number: Some(number),
        private_all: true,
        ..Filter::default()
    }
}

/// The result of a finished match, if ratings change by it.
fn counted(tx: &Tx, number: u32) -> Result<Option<Counted>> {
    match Live::read(tx, number) {
        Ok(live) => Ok(live.as_ref().and_then(Counted::of)),
        Err(ServerError::Broken(_)) => Ok(None),
        Err(error) => Err(error),
    }
}

fn of_match(number: u32, what: String) -> Difference {
    Difference {
        number: Some(number),
        what,
    }
}

fn archived_differs(tx: &Tx, row: &crate::store::ArchivedRow, mend: bool) -> Result<Option<String>> {
    let live = match Live::read(tx, row.number) {
        Ok(Some(live)) => live,
        Ok(None) => return Ok(None),
        Err(ServerError::Broken(why)) => return Ok(Some(why)),
        Err(error) => return Err(error),
    };
    let Some(derived) = live.archived_row() else {
        return Ok(Some("the events do not end the match".to_string()));
    };
    let (won, positions) = (live.won(), live.positions());
    let is_same = derived == *row && won == tx.archived_won(row.number)?;
    let has_positions = tx.has_positions(row.number, FORM, &positions)?;
    if mend && !is_same {
        tx.set_archived_row(&derived, &won)?;
    }
    if mend && !has_positions {
        tx.set_positions(row.number, FORM, &positions)?;
    }
    Ok(match (is_same, has_positions) {
        (true, true) => None,
        (false, _) => Some("columns differ".to_string()),
        // The first search or rebuild enters those of matches that were archived before positions were kept.
        (true, false) => mend.then(|| "positions are missing".to_string()),
    })
}

/// By game and userid.
type Ratings = BTreeMap<(String, String), RatingRow>;

fn all_ratings(tx: &Tx) -> Result<Ratings> {
    let mut all = Ratings::new();
    for game in crate::games::GAMES {
        for (userid, row) in tx.ratings(game.info.name)? {
            all.insert((game.info.name.to_string(), userid), row);
        }
    }
    Ok(all)
}

fn same_rating(one: Option<&RatingRow>, other: Option<&RatingRow>) -> bool {
    let (Some(one), Some(other)) = (one, other) else {
        return false;
    };
    (one.matches, one.won, one.drawn) == (other.matches, other.won, other.drawn)
        && (one.rating - other.rating).abs() < SAME_RATING
        && (one.deviation - other.deviation).abs() < SAME_RATING
}
