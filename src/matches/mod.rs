//! MATCHES: what happens between players over a game: seats, turns, offers, conditional turns, clocks, the result, the
//! record and the rating. A pure state machine: the time is an argument (Unix seconds), and there is no store, no mail
//! and no word that a player reads.
//!
//! A match is its events. [`Match::act`] judges what somebody wants and gives the [`Entry`]s to append, and the state
//! is what [`Match::replay`] makes of all of them, by the same fold. Before an action is judged, [`Match::tick`] lets
//! the time that has passed have its effects.

mod act;
mod action;
mod clock;
mod conditional;
mod event;
mod fold;
mod offers;
mod rating;
mod record;
mod state;
mod terms;
mod vacation;

#[cfg(test)]
mod tests;

pub use action::{Action, Actor, Done, Happening, Lapse, Refused};
pub use clock::{Mark, MarkError, Window};
pub use conditional::{Chain, ConditionFault};
pub use event::{Entry, Event, Offer, Verdict};
pub use fold::{Fault, ReplayError};
pub use rating::{Rating, rate};
pub use record::{Ending, Place, Problem, Record, RecordError, RecordLine, options_text, read_result};
pub use state::{Due, Ended, Head, Match, Preview, Remark, Status, TurnPlayed};
pub use terms::{First, Limit, Terms, TermsError, TimeControl, TimeError};
pub use vacation::{DAYS_A_YEAR, Vacation, VacationError, days_by_year};
