//! Ratings after a match (`matches` has the formulas).

use super::live::Live;
use super::{Result, Server};
use crate::games::Seat;
use crate::matches::{Rating, Verdict, rate};
use crate::store::{PlayerId, RatingRow, Tx};

/// A result by which ratings change.
pub(super) struct Counted {
    game: String,
    verdict: Verdict,
    /// Unix seconds.
    ended: i64,
}

impl Counted {
    /// `None` where the match goes on or its result does not count.
    pub(super) fn of(live: &Live) -> Option<Counted> {
        let game = live.game();
        let ended = game.ended().filter(|_| game.changes_ratings())?;
        Some(Counted {
            game: game.head().terms.game.clone(),
            verdict: ended.verdict.clone(),
            ended: ended.at,
        })
    }
}

impl Server {
    /// Changes the ratings of a match's players, if its result counts.
    pub(crate) fn rate(&self, tx: &Tx, live: &Live, now: i64) -> Result<()> {
        match Counted::of(live) {
            Some(counted) => self.count(tx, &Counted { ended: now, ..counted }, live.players()),
            None => Ok(()),
        }
    }

    /// Changes the ratings of the players, in the order of the seats; none where the match was imported.
    pub(super) fn count(&self, tx: &Tx, counted: &Counted, players: &[PlayerId]) -> Result<()> {
        if players.is_empty() {
            return Ok(());
        }
        let (name, now) = (&counted.game, counted.ended);
        let mut rows = Vec::new();
        for player in players {
            rows.push(tx.rating(*player, name)?.unwrap_or_else(|| newcomer(now)));
        }
        let before: Vec<Rating> = rows.iter().map(rating).collect();
        let after = rate(&before, &counted.verdict);
        for (((player, row), rating), seat) in players.iter().zip(&rows).zip(after).zip((0..).map(Seat)) {
            let won = matches!(&counted.verdict, Verdict::Winner(winner) if *winner == seat);
            let drawn = match &counted.verdict {
                Verdict::Draw => true,
                Verdict::Shared(seats) => seats.contains(&seat),
                Verdict::Winner(_) => false,
            };
            let row = RatingRow {
                rating: rating.rating,
                deviation: rating.deviation,
                volatility: rating.volatility,
                matches: row.matches + 1,
                won: row.won + u32::from(won),
                drawn: row.drawn + u32::from(drawn),
                changed: now,
            };
            tx.set_rating(*player, name, &row)?;
        }
        Ok(())
    }
}

fn rating(row: &RatingRow) -> Rating {
    Rating {
        rating: row.rating,
        deviation: row.deviation,
        volatility: row.volatility,
    }
}

fn newcomer(now: i64) -> RatingRow {
    let rating = Rating::default();
    RatingRow {
        rating: rating.rating,
        deviation: rating.deviation,
        volatility: rating.volatility,
        matches: 0,
        won: 0,
        drawn: 0,
        changed: now,
    }
}
