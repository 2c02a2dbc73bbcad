//! Ratings after a match (`matches` has the formulas).

use super::live::Live;
use super::{Result, Server};
use crate::matches::{Rating, Verdict, rate};
use crate::store::{RatingRow, Tx};

impl Server {
    /// Changes the ratings of a match's players, if its result counts.
    pub(crate) fn rate(&self, tx: &Tx, live: &Live, now: i64) -> Result<()> {
        let game = live.game();
        let (true, Some(ended)) = (game.changes_ratings() && !live.players().is_empty(), game.ended()) else {
            return Ok(());
        };
        let name = &game.head().terms.game;
        let mut rows = Vec::new();
        for player in live.players() {
            rows.push(tx.rating(*player, name)?.unwrap_or_else(|| newcomer(now)));
        }
        let before: Vec<Rating> = rows.iter().map(rating).collect();
        let after = rate(&before, &ended.verdict);
        for (((player, row), rating), seat) in live.players().iter().zip(&rows).zip(after).zip(game.seats()) {
            let won = matches!(&ended.verdict, Verdict::Winner(winner) if *winner == seat);
            let drawn = match &ended.verdict {
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
