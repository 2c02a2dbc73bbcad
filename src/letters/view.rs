//! All that a mail about a match shows. The template `items/match.txt` lays it out.

use serde::Serialize;

/// A match as its mails show it to one reader. The server fills it; `items/match.txt` lays it out in the order of
/// LANGUAGE.md 7: what happened, the board, whose turn and how long, the last turns, offers, conditional turns, notes,
/// what others said, and how to answer.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MatchView {
    pub number: u32,
    /// The game's title: `Medusa Shogi`.
    pub title: String,
    /// The game's name in commands: `medusa-shogi`.
    pub game: String,
    /// In seat order.
    pub players: Vec<PlayerView>,
    /// What happened, as whole sentences: from [`super::sentence`] for a turn, from `events.toml` for the rest.
    pub headline: String,
    /// From [`super::board`].
    pub board: String,
    pub status: Status,
    /// The number of the turn to be played, the N of `d4#N`; of the last turn when the match is over.
    pub turn: u32,
    /// The player to move or to answer; `None` when the match is over.
    pub to_move: Option<ToMove>,
    /// How it ended; `None` while it goes on.
    pub result: Option<ResultView>,
    /// The last turns, oldest first.
    pub last_turns: Vec<NumberedTurn>,
    /// What waits for an answer.
    pub offers: Vec<OfferView>,
    /// The reader's own conditional turns, each a chain of the opponent's turn and the answer.
    pub conditionals: Vec<Vec<Condition>>,
    /// The reader's own notes.
    pub notes: Vec<NoteView>,
    /// What others said with this mail.
    pub messages: Vec<Message>,
    /// Two turns in the game's notation, to show how an answer looks.
    pub examples: [String; 2],
    /// Whether the reader plays here (else he watches, or only asked).
    pub plays: bool,
}

/// How a match stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    Running,
    Counting,
    Paused,
    Finished,
}

/// A player of a match.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PlayerView {
    pub userid: String,
    /// The seat's name in the game: `X`.
    pub seat: String,
    /// This is the reader.
    pub you: bool,
    /// Out of the game (three and four seats).
    pub out: bool,
}

/// Whose turn it is, and how long he has.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ToMove {
    pub userid: String,
    pub seat: String,
    pub you: bool,
    /// Seconds left on the clock; `None` in a match without a clock.
    pub left: Option<i64>,
    /// When the clock is at zero, in seconds since 1970; `None` without a clock and while clocks stand still.
    pub deadline: Option<i64>,
}

/// How a match ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ResultView {
    /// Userids; empty for a draw.
    pub winners: Vec<String>,
    /// As in RULES_CLI.md (`surrounded`, `score` …), or `time`, `agreed`, `adjudicated`.
    pub reason: String,
}

/// A turn in the list of turns.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct NumberedTurn {
    pub number: u32,
    /// The seat's name: `X`.
    pub seat: String,
    /// Canonical notation; a seat before it (`O: resign`) is left out where it is that seat.
    pub text: String,
}

/// An offer that waits for an answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct OfferView {
    /// A key of `events.offer`: `draw`, `undo`, `pause`.
    pub kind: String,
    pub by: String,
    /// The reader made it.
    pub yours: bool,
}

/// One link of a conditional turn: if the opponent plays `when`, the server answers `answer`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Condition {
    pub when: String,
    pub answer: String,
}

/// A private note.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct NoteView {
    /// The number of turns played when it was written.
    pub turn: u32,
    pub text: String,
}

/// What somebody said.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Message {
    pub from: String,
    pub text: String,
}
