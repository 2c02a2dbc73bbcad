//! Ratings by Glicko-2 (Glickman, "Example of the Glicko-2 system"), each match a rating period of its own.

use serde::{Deserialize, Serialize};
use skillratings::Outcomes;
use skillratings::glicko2::{Glicko2Config, Glicko2Rating, glicko2_rating_period};

use super::event::Verdict;
use super::state::Match;
use crate::games::Seat;

/// A player's strength in one game.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Rating {
    /// On the scale on which a newcomer has 1500.
    pub rating: f64,
    /// The standard deviation of `rating`: 350 for a newcomer.
    pub deviation: f64,
    pub volatility: f64,
}

impl Default for Rating {
    fn default() -> Self {
        Rating {
            rating: 1500.0,
            deviation: 350.0,
            volatility: 0.06,
        }
    }
}

impl Rating {
    /// A rating is provisional while its deviation is above this.
    pub const PROVISIONAL_ABOVE: f64 = 110.0;

    /// Whether too little is known yet to take the rating seriously.
    pub fn provisional(&self) -> bool {
        self.deviation > Self::PROVISIONAL_ABOVE
    }
}

/// The turns that each player must have played in a match that counts.
const FEWEST_TURNS: usize = 2;

impl Match {
    /// Whether the result changes the players' ratings: rated, over, and not before each player had two turns.
    pub fn changes_ratings(&self) -> bool {
        let turns_of = |seat: Seat| {
            self.turns()
                .iter()
                .filter(|turn| turn.seat == seat && !turn.departure)
                .count()
        };
        self.head().terms.rated && self.is_over() && self.seats().all(|seat| turns_of(seat) >= FEWEST_TURNS)
    }
}

/// The ratings after a match, from those before it, both in seat order. With three or four players the winner has
/// beaten each of the others, and those who share a draw have beaten those who went out; losers do not count as having
/// played each other.
pub fn rate(before: &[Rating], verdict: &Verdict) -> Vec<Rating> {
    let config = Glicko2Config::default();
    before
        .iter()
        .enumerate()
        .map(|(own, rating)| {
            let results: Vec<_> = before
                .iter()
                .enumerate()
                .filter(|&(other, _)| other != own)
                .filter_map(|(other, rating)| Some((glicko(rating), outcome(verdict, own, other)?)))
                .collect();
            if results.is_empty() {
                return *rating;
            }
            let after = glicko2_rating_period(&glicko(rating), &results, &config);
            Rating {
                rating: after.rating,
                deviation: after.deviation,
                volatility: after.volatility,
            }
        })
        .collect()
}

fn glicko(rating: &Rating) -> Glicko2Rating {
    Glicko2Rating {
        rating: rating.rating,
        deviation: rating.deviation,
        volatility: rating.volatility,
    }
}

/// How seat `own` did against seat `other`; `None` where they did not decide anything between them.
fn outcome(verdict: &Verdict, own: usize, other: usize) -> Option<Outcomes> {
    let rank = |index: usize| match verdict {
        Verdict::Winner(seat) => seat.index() == index,
        Verdict::Shared(seats) => seats.iter().any(|seat| seat.index() == index),
        Verdict::Draw => true,
    };
    match (rank(own), rank(other)) {
        (true, true) => Some(Outcomes::DRAW),
        (true, false) => Some(Outcomes::WIN),
        (false, true) => Some(Outcomes::LOSS),
        (false, false) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(one: f64, other: f64) -> bool {
        (one - other).abs() < 0.01
    }

    #[test]
    fn a_newcomer_gains_what_the_other_loses() {
        let after = rate(&[Rating::default(); 2], &Verdict::Winner(Seat(1)));
        assert!(near(after[1].rating, 1662.31), "{after:?}");
        assert!(near(after[0].rating, 1337.69), "{after:?}");
        assert!(near(after[0].deviation, 290.32), "{after:?}");
    }

    #[test]
    fn a_draw_of_equals_changes_no_rating_but_makes_it_surer() {
        let after = rate(&[Rating::default(); 2], &Verdict::Draw);
        assert!(near(after[0].rating, 1500.0));
        assert!(after[0].deviation < 350.0);
    }

    #[test]
    fn of_four_the_losers_lose_to_the_winner_alone() {
        let after = rate(&[Rating::default(); 4], &Verdict::Winner(Seat(2)));
        let pair = rate(&[Rating::default(); 2], &Verdict::Winner(Seat(1)));
        assert!(near(after[0].rating, pair[0].rating));
        assert!(after[2].rating > pair[1].rating);
        assert_eq!(after[0], after[3]);
    }

    #[test]
    fn who_shares_a_draw_has_beaten_who_went_out() {
        let after = rate(&[Rating::default(); 3], &Verdict::Shared(vec![Seat(0), Seat(2)]));
        assert!(after[0].rating > 1500.0);
        assert_eq!(after[0], after[2]);
        assert!(after[1].rating < 1500.0);
    }

    #[test]
    fn is_provisional_until_it_is_known_well() {
        let mut ratings = [Rating::default(); 2];
        assert!(ratings[0].provisional());
        let mut matches = 0;
        while ratings[0].provisional() {
            let verdict = Verdict::Winner(Seat(matches % 2));
            let after = rate(&ratings, &verdict);
            ratings = [after[0], after[1]];
            matches += 1;
        }
        assert!((5..30).contains(&matches), "{matches}");
    }
}
