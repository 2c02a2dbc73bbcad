//! What can be asked of a match, what comes of it, and why it may be refused: all data, for others to put into words.

use crate::games::{Effect, Refusal, Seat};
use crate::span::Span;

use super::clock::{Mark, Window};
use super::conditional::{Chain, ConditionFault};
use super::event::{Entry, Offer, Verdict};

/// Who asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Actor {
    Seat(Seat),
    /// The person who runs the server.
    Keeper,
    /// The server itself: timers and outages.
    Server,
}

/// What is asked. Players' actions first, then those of the server and the keeper alone.
#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    /// A turn as written; `number` is the turn that it must become (`d4#7`, or the board that the mail answers).
    Turn {
        text: String,
        number: Option<u32>,
    },
    Resign,
    /// `if A then B [if C then D …]`: pairs of the opponent's turn and the answer, as written.
    Condition {
        chain: Chain,
    },
    /// Forgets one's conditional turns.
    Drop,
    OfferDraw,
    /// Asks to take back one's last turn.
    AskUndo,
    AskPause,
    Accept,
    Reject,
    Continue,
    Claim,
    Extend {
        by: Span,
    },
    Say {
        text: String,
    },
    Note {
        text: String,
    },

    // --- the server's ---
    /// The server was away in this window.
    Outage {
        window: Window,
    },
    /// All vacations of a player that are known now; only what lies ahead counts.
    Vacation {
        seat: Seat,
        windows: Vec<Window>,
    },
    /// A reminder at this mark goes out.
    Remind {
        mark: Mark,
    },

    // --- the keeper's ---
    /// Stops the clocks without asking.
    Pause,
    /// Gives the clock that runs more time.
    Shift {
        by: Span,
    },
    /// Takes back the last turn.
    TakeBack,
    Adjudicate {
        verdict: Verdict,
        reason: String,
    },
}

/// What an action came to: the entries to append, in order, and what there is to tell.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Done {
    pub entries: Vec<Entry>,
    pub happened: Vec<Happening>,
}

/// Why an offer is gone without an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lapse {
    /// Another player played.
    Played,
    /// Its writer offered something else.
    Replaced,
    /// A player went out, or the keeper took a turn back.
    Changed,
}

/// Something to tell the players (or, where it says so, one of them).
#[derive(Clone, Debug, PartialEq)]
pub enum Happening {
    /// A turn was played; `by_condition` by the server, from a conditional turn.
    Turn {
        number: u32,
        seat: Seat,
        text: String,
        effects: Vec<Effect>,
        by_condition: bool,
    },
    Offered {
        seat: Seat,
        offer: Offer,
    },
    /// `by` answered the offer of `seat`. With three or four players others may still have to answer.
    Answered {
        seat: Seat,
        offer: Offer,
        by: Seat,
        accepted: bool,
    },
    Lapsed {
        seat: Seat,
        offer: Offer,
        why: Lapse,
    },
    /// These turns were taken back, in the order in which they had been played. `by` the asker, or the keeper.
    TakenBack {
        turns: Vec<String>,
        by: Option<Seat>,
    },
    Paused {
        by: Option<Seat>,
    },
    Continued {
        by: Option<Seat>,
    },
    Extended {
        seat: Seat,
        span: Span,
        by: Option<Seat>,
    },
    /// The clocks stood still while the server was away.
    Shifted {
        window: Window,
    },
    /// The vacations of a player changed.
    Vacation {
        seat: Seat,
    },
    /// A soft clock came to zero: the win may be claimed.
    RanOut {
        seat: Seat,
    },
    /// A seat lost on time; with three or four players the others go on.
    TimeLost {
        seat: Seat,
        claimed_by: Option<Seat>,
        effects: Vec<Effect>,
    },
    /// For the writer alone. `replaced` earlier lines gave another answer to the same turn and are gone.
    ConditionSet {
        seat: Seat,
        chain: Chain,
        replaced: usize,
    },
    /// For the writer alone: dropped by his own wish.
    ConditionsDropped {
        seat: Seat,
        count: usize,
    },
    /// For the writer alone: the game went another way.
    ConditionsForgotten {
        seat: Seat,
        count: usize,
    },
    /// For the writer alone.
    Noted {
        seat: Seat,
    },
    Said {
        seat: Seat,
        text: String,
    },
    /// For the player to move alone.
    Reminded {
        seat: Seat,
        mark: Mark,
    },
    /// The match is over. `note` is the keeper's reason of an adjudication.
    Finished {
        verdict: Verdict,
        reason: &'static str,
        score: Option<Vec<f64>>,
        note: Option<String>,
    },
}

impl Happening {
    /// Whether it ends the match for a player, or asks for his answer: he is told in every mail mode.
    pub fn is_pressing(&self) -> bool {
        matches!(
            self,
            Happening::Finished { .. }
                | Happening::TimeLost { .. }
                | Happening::RanOut { .. }
                | Happening::Offered { .. }
        )
    }
}

/// Why an action was refused. Nothing has changed then.
#[derive(Clone, Debug, PartialEq)]
pub enum Refused {
    /// The match is over.
    Over,
    /// Not this actor's to do: a player's action by the keeper, a keeper's by a player.
    NotAllowed,
    /// The seat has gone out of the game (three and four players).
    OutOfGame,
    NotYourTurn {
        to_move: Seat,
    },
    /// Only for who is not to move: one's own conditional turns, time for oneself.
    YourTurn,
    /// The turn would become number `present`, not `expected`.
    StaleTurn {
        expected: u32,
        present: u32,
    },
    /// Unreadable or illegal, with the game's reason.
    Game(Refusal),
    /// The clock of `seat` came to zero at `deadline`, and [`super::Match::tick`] was not called since.
    TimeIsUp {
        seat: Seat,
        deadline: i64,
    },

    NoOffer,
    OwnOffer {
        offer: Offer,
    },
    /// The same offer waits for its answer already.
    AlreadyOffered {
        offer: Offer,
    },
    /// This player has accepted already; others are to answer.
    AlreadyAnswered {
        offer: Offer,
    },
    /// Another player's offer is to be answered first.
    OfferPending {
        seat: Seat,
        offer: Offer,
    },
    /// One has played no turn.
    NothingToUndo,
    /// The last thing that happened on the board was an undo.
    UndoOfUndo,
    /// A player went out since; that cannot be taken back.
    UndoPastDeparture,

    /// The match has no clock.
    NoClock,
    AlreadyPaused,
    NotPaused,
    /// The clock is hard: nothing is to be claimed.
    NotSoft,
    /// The time of `seat` is not up before `deadline` (`None` while no clock runs).
    NotRunOut {
        seat: Seat,
        deadline: Option<i64>,
    },
    /// No time, or more than a clock may hold.
    BadExtension {
        max: Span,
    },

    /// The pair (from 0) of a chain that cannot stand, and why.
    Condition {
        pair: usize,
        fault: ConditionFault,
    },
    TooManyConditions {
        max: usize,
    },
    NoConditions,
    /// A text is empty.
    Empty,
    /// The reminder is not due, or went out already.
    NotDue,
    /// A verdict that names seats which this match does not have.
    NoSuchSeat,
}

impl Refused {
    /// The name of the refusal in templates.
    pub fn code(&self) -> &'static str {
        match self {
            Refused::Over => "over",
            Refused::NotAllowed => "not-allowed",
            Refused::OutOfGame => "out-of-game",
            Refused::NotYourTurn { .. } => "not-your-turn",
            Refused::YourTurn => "your-turn",
            Refused::StaleTurn { .. } => "stale-turn",
            Refused::Game(_) => "game",
            Refused::TimeIsUp { .. } => "time-is-up",
            Refused::NoOffer => "no-offer",
            Refused::OwnOffer { .. } => "own-offer",
            Refused::AlreadyOffered { .. } => "already-offered",
            Refused::AlreadyAnswered { .. } => "already-answered",
            Refused::OfferPending { .. } => "offer-pending",
            Refused::NothingToUndo => "nothing-to-undo",
            Refused::UndoOfUndo => "undo-of-undo",
            Refused::UndoPastDeparture => "undo-past-departure",
            Refused::NoClock => "no-clock",
            Refused::AlreadyPaused => "already-paused",
            Refused::NotPaused => "not-paused",
            Refused::NotSoft => "not-soft",
            Refused::NotRunOut { .. } => "not-run-out",
            Refused::BadExtension { .. } => "bad-extension",
            Refused::Condition { .. } => "condition",
            Refused::TooManyConditions { .. } => "too-many-conditions",
            Refused::NoConditions => "no-conditions",
            Refused::Empty => "empty",
            Refused::NotDue => "not-due",
            Refused::NoSuchSeat => "no-such-seat",
        }
    }
}
