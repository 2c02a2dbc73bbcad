//! What is stored of a match. Names and fields are a stored format: they are never changed, only added to.

use crate::games::Seat;
use crate::span::Span;
use serde::{Deserialize, Serialize};

use super::clock::{Mark, Window};
use super::conditional::Chain;

/// One thing that happened, and when (Unix seconds).
///
/// As JSON it is flat: `{"at": 1796000000, "event": "turn", "seat": 0, "text": "e5"}`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Entry {
    pub at: i64,
    #[serde(flatten)]
    pub event: Event,
}

/// What one player asks of the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Offer {
    Draw,
    /// To take back the turn of this number, and all turns after it.
    Undo {
        turn: u32,
    },
    /// To stop the clocks.
    Pause,
}

/// Who won.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    Winner(Seat),
    /// A draw among these seats, in seat order, while others have gone out (three and four players).
    Shared(Vec<Seat>),
    /// A draw among all.
    Draw,
}

/// A stored event. What follows from it by rule (what an accepted offer does, an offer that lapses, a condition that is
/// forgotten, the end of the game, the clocks) is not stored: the fold computes it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "kebab-case")]
pub enum Event {
    /// A turn in canonical notation; `resign` and the words of a counting are turns.
    Turn {
        seat: Seat,
        text: String,
        /// Played by the server from a conditional turn.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        by_condition: bool,
    },
    Offered {
        seat: Seat,
        offer: Offer,
    },
    /// One player's answer to the pending offer. When all others have accepted, it takes effect.
    Answered {
        seat: Seat,
        accepted: bool,
    },
    /// The keeper took back the turns after the first `to`.
    TakenBack {
        to: u32,
    },
    /// The keeper stopped the clocks.
    Paused,
    /// The clocks go on; `by` whom, the keeper where it is `None`.
    Continued {
        by: Option<Seat>,
    },
    /// A clock is given time; `by` who gave it, the keeper where it is `None`.
    Extended {
        seat: Seat,
        #[serde(with = "span_text")]
        span: Span,
        by: Option<Seat>,
    },
    /// A soft clock has come to zero, and the others were told.
    RanOut {
        seat: Seat,
    },
    /// A seat lost on time: at once (hard clock) or because `claimed_by` claimed it (soft clock).
    TimeLost {
        seat: Seat,
        claimed_by: Option<Seat>,
    },
    /// A conditional turn was entered, in canonical notation.
    ConditionSet {
        seat: Seat,
        chain: Chain,
    },
    ConditionsDropped {
        seat: Seat,
    },
    Noted {
        seat: Seat,
        text: String,
    },
    Said {
        seat: Seat,
        text: String,
    },
    /// The server was away: no clock runs in this window.
    Shifted {
        window: Window,
    },
    /// All vacations of a player from now on; what was before stays as it was.
    Vacation {
        seat: Seat,
        windows: Vec<Window>,
    },
    /// The player to move was reminded at this mark of the present turn.
    Reminded {
        seat: Seat,
        mark: Mark,
    },
    /// The keeper's decision.
    Adjudicated {
        verdict: Verdict,
        reason: String,
    },
}

/// A [`Span`] as the text that people write.
pub(super) mod span_text {
    use crate::span::Span;
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub fn serialize<S: Serializer>(span: &Span, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(span)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Span, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
    }
}
