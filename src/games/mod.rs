//! GAMES: the rules. No mail, no store, no clock and no chance: a random source is always an argument.
//!
//! A game implements [`Game`], a typed and fast interface. The rest of the house sees every game through the
//! object-safe [`Table`], which is implemented once, for all games, by [`Seated`]. To add a game is to write one
//! file with a [`Game`] in it and one line in [`GAMES`].

mod board;
mod chessboard;
mod counting;
mod diagram;
mod effect;
mod groups;
pub mod hexagon;
mod lotus;
mod medusa;
mod medusa_shogi;
pub mod notation;
pub mod options;
pub mod plane;
mod reason;
mod rosette;
mod susan;
mod table;
#[cfg(test)]
mod trial;

pub use diagram::{Cell, Diagram, Layout, Mark, Note};
pub use effect::{Cause, Effect, Groups, Tally};
pub use reason::Reason;
pub use table::{GAMES, Played, Registration, Seated, Setup, SetupError, Table, find, may_begin_turn, recognise};

use serde::{Deserialize, Serialize};
use std::fmt;

/// A seat at the board, numbered from 0 in the order of play. Its name ("X", "W" …) is the game's: [`Game::seats`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Seat(pub u8);

impl Seat {
    /// The seat as an index into a list by seat.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// Options as they were typed (`-side=6`, `-large`): name without dash in lower case, and the value if there was one.
pub type RawOptions = [(String, Option<String>)];

/// One option of a game as `rules list` and `help` show it.
#[derive(Clone, Copy, Debug)]
pub struct OptionInfo {
    pub name: &'static str,
    /// The values allowed, as a reader sees them: `2 … 10`; empty for a flag.
    pub values: &'static str,
    /// The default as a reader sees it; empty for a flag that is off.
    pub default: &'static str,
}

/// What is known of a game before it is played.
#[derive(Debug)]
pub struct Info {
    /// The name in commands, in the store and in records: `medusa-shogi`.
    pub name: &'static str,
    /// Other spellings that commands understand: `shogi`.
    pub aliases: &'static [&'static str],
    /// The name in subjects and sentences: `Medusa Shogi`.
    pub title: &'static str,
    /// Names of the seats, most seats first played: `XOYZ`.
    pub seats: &'static str,
    /// Numbers of seats that a match may have.
    pub seat_counts: &'static [usize],
    pub options: &'static [OptionInfo],
    /// Two plain turns in notation, for examples in mails.
    pub examples: [&'static str; 2],
    /// The version of these rules, stored with every match. It grows when a decision changes.
    pub rules_version: u32,
}

/// An option that the game does not have, or a value out of its range.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OptionError {
    #[error("{game} has no option -{name} (it has {known})")]
    Unknown {
        game: &'static str,
        name: String,
        known: String,
    },
    #[error("-{name}={value} is out of range: -{name} takes {allowed}")]
    Value {
        name: String,
        value: String,
        allowed: String,
    },
    #[error("-{name} needs a value: {allowed}")]
    Missing { name: String, allowed: String },
    #[error("-{name} takes no value")]
    Flag { name: String },
    #[error("-{first} and -{second} contradict each other")]
    Conflict { first: String, second: String },
}

/// A position text that is malformed, or that the rules page calls invalid; the text says why.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct PositionError(pub String);

/// How a turn was refused: which KIND of RULES_CLI.md, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    pub kind: Kind,
    pub reason: Reason,
}

/// The kinds of refusal, in the order in which they are judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// The text is not in the game's notation.
    Unreadable,
    /// The game has ended.
    Over,
    /// Said by a seat that may not say it now.
    OutOfTurn,
    /// In the notation, and the rules forbid it here.
    Illegal,
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Kind::Unreadable => "unreadable",
            Kind::Over => "over",
            Kind::OutOfTurn => "out of turn",
            Kind::Illegal => "illegal",
        })
    }
}

/// How a game ended. `winner` is `None` for a draw.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    pub winner: Option<Seat>,
    /// As the rules page names it: `surrounded`, `six slides`, `score`, `checkmate` …
    pub reason: &'static str,
    /// For scored games the score of each seat, komi and marker counted.
    pub score: Option<Vec<f64>>,
}

/// What is going on: play, or the counting of a scored game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Phase {
    Play,
    Counting,
}

/// The part of a position's JSON (RULES_CLI.md) that the game alone knows.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Facts {
    /// For each seat the occupied cells in cell order, the man before the cell where a game writes it: `+Bf3`.
    pub stones: Vec<Vec<String>>,
    pub marker: Option<i32>,
    /// For each seat the men in hand in listing order, with their counts, without zeros.
    pub hands: Option<Vec<Vec<(String, u32)>>>,
    pub check: Option<bool>,
    pub stone: Option<Vec<String>>,
    /// Seats that are out (three and four seats); `None` where the game cannot have any.
    pub out: Option<Vec<Seat>>,
    /// `Some` for scored games.
    pub phase: Option<Phase>,
}

/// The rules of one game: a value of the type is a position with the history that the rules need.
///
/// `play` on a refused turn leaves the position as it was. Everything is deterministic.
pub trait Game: Clone + Send + Sync + 'static {
    /// A turn as it was read, `resign` aside. Readable is not legal.
    type Turn: Clone + PartialEq + fmt::Debug + Send + Sync;

    const INFO: Info;

    /// The start position with these options.
    fn start(options: &RawOptions) -> Result<Self, OptionError>;

    /// Another start position from the game's position text, under the options of `self`.
    fn with_setup(&self, text: &str) -> Result<Self, PositionError>;

    /// The options in canonical form, in the order of the rules page, as `show --json` prints them: `{"side": 5}`.
    fn options(&self) -> Vec<(&'static str, serde_json::Value)>;

    /// The names of this match's seats in the order of play: `XO`.
    fn seats(&self) -> &'static str;

    /// The seat to move, or to answer in the counting. After the end: the seat that would be to move.
    fn to_move(&self) -> Seat;

    fn outcome(&self) -> Option<&Outcome>;

    /// Reads a turn; `text` is without seat prefix and blanks at its ends, in any case, and is not `resign`.
    /// The only refusal is that it cannot be read.
    fn parse(&self, text: &str) -> Result<Self::Turn, Reason>;

    /// The canonical notation of a turn, as it would be said in this position.
    fn write(&self, turn: &Self::Turn) -> String;

    /// Whether `seat` may say `turn` now at all (else the refusal is *out of turn*).
    /// The default: the seat to move alone.
    fn may_say(&self, seat: Seat, turn: &Self::Turn) -> bool {
        let _ = turn;
        seat == self.to_move()
    }

    /// Plays a turn that `seat` may say, or refuses it as illegal. Called only while the game goes on.
    fn play(&mut self, seat: Seat, turn: &Self::Turn) -> Result<Vec<Effect>, Reason>;

    /// `seat` resigns. Refused only for a seat that is out already. Called only while the game goes on.
    fn resign(&mut self, seat: Seat) -> Result<Vec<Effect>, Reason>;

    /// All legal turns in listing order; `None` where they cannot be listed (Medusa; the counting).
    /// Empty when the game has ended.
    fn legal_turns(&self) -> Option<Vec<Self::Turn>>;

    /// The number of legal turns, faster than listing them where a game can.
    fn legal_count(&self) -> Option<u64> {
        self.legal_turns().map(|turns| turns.len() as u64)
    }

    /// What `rules legal` lists and random play draws from: the legal turns, or where they cannot be listed
    /// (Medusa) the steps that are legal as whole turns. Empty in the counting and after the end.
    fn steps(&self) -> Vec<Self::Turn> {
        self.legal_turns().unwrap_or_default()
    }

    /// The number of sequences of exactly `depth` turns. `None` where the game offers none.
    /// A game overrides this where its own loop is faster than playing on copies.
    fn perft(&self, depth: u32) -> Option<u64> {
        table::perft_by_copies(self, depth)
    }

    /// For `perft` and playouts of a scored game: two passes end it without a counting.
    fn without_counting(&self) -> Self {
        self.clone()
    }

    /// Plays uniformly random steps to the end and gives the outcome and the number of turns.
    /// A game overrides this where it can be faster; the distribution must stay uniform.
    fn playout(self, random: &mut dyn FnMut(usize) -> usize) -> (Option<Outcome>, u32) {
        table::playout_by_steps(self, random)
    }

    /// The position text (`setup` line without the word); `None` in the counting and after the end.
    fn position_text(&self) -> Option<String>;

    fn facts(&self) -> Facts;

    /// The board as data. Marks of the last turn are put on by [`Seated`] from the turn's effects.
    fn diagram(&self) -> Diagram;

    /// A name that a cell of some board of this game can have. Used to keep userids and cells apart.
    fn is_cell_name(text: &str) -> bool;

    /// Whether `text` (without seat prefix) is a turn in this game's notation on some board that its options allow.
    /// Gives it in canonical form but in lower case: the form of `playpost mail read`.
    fn recognise(text: &str) -> Option<String>;
}
