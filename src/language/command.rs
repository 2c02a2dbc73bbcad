//! What a line means.

use super::entry::Entry;
use crate::span::Span;

/// One command line as it was typed and as it was understood.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// The line as the person typed it, unflowed, for refusals that show it. May hold a password: see `shown`.
    pub typed: String,
    /// The form that `playpost mail read` prints (LANGUAGE.md 8): words in lower case, abbreviations written out.
    pub canonical: String,
    /// The canonical form with everything replaced by `…` that is a password, or may be one where the older spelling
    /// gives none: what mails, logs and errors may show.
    pub shown: String,
    /// Which match the line names, if it names one.
    pub target: MatchRef,
    /// Userid and password of the older spelling.
    pub credentials: Option<Credentials>,
    pub command: Command,
    /// The command's line in the table: who may say it, and whether it changes something.
    pub entry: &'static Entry,
}

impl Line {
    /// Whether the older spelling gives a userid without a password.
    pub fn names_alone(&self) -> bool {
        let credentials = self.credentials.as_ref();
        credentials.is_some_and(|credentials| credentials.password.is_none())
    }
}

/// Which match a line is about, as far as the line itself says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MatchRef {
    /// The canonical name of the game, where one stands before the command.
    pub game: Option<&'static str>,
    pub number: Option<u32>,
}

/// Proof by password, as in `susan move 12 alice secret d4`. `password` is `None` where the older spelling gives the
/// userid alone (`susan challenge alice bob`, `susan resign 12 alice`).
#[derive(Clone, PartialEq, Eq)]
pub struct Credentials {
    pub userid: String,
    pub password: Option<String>,
}

impl std::fmt::Debug for Credentials {
    /// Never shows the password.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Credentials")
            .field("userid", &self.userid)
            .finish_non_exhaustive()
    }
}

/// Who is challenged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Opponent {
    Player(String),
    /// Somebody without an account is invited by address.
    Address(String),
}

/// Options of a challenge as typed, not yet judged: games judge `game`, matches judge the rest.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MatchOptions {
    /// `-side=6`, `-large`: name and value.
    pub game: Vec<(String, Option<String>)>,
    /// `--time=10d+36h`, `--unrated`, `--first=me`, `--forfeittime=7` …: name and value.
    pub terms: Vec<(String, Option<String>)>,
}

/// Which matches a list shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GameFilter {
    All,
    Active,
    Finished,
}

/// What a line asks for. Numbers, userids and texts are as typed and not yet checked against the store.
#[derive(Clone, Debug, PartialEq)]
pub enum Command {
    // --- playing ---
    /// A turn in some game's notation, `pass` and the counting words included; `turn` from `d4#7`.
    Move {
        text: String,
        turn: Option<u32>,
    },
    Preview {
        turns: Vec<String>,
    },
    /// `if A then B [if C then D …]`: pairs of the opponent's turn and the answer.
    If {
        chain: Vec<(String, String)>,
    },
    Drop,
    Undo,
    Draw,
    /// Accepts offer or challenge; `number` names a challenge.
    Accept {
        number: Option<u32>,
    },
    Reject,
    Resign,
    Say {
        text: String,
    },
    Note {
        text: String,
    },
    Legal,
    Show {
        turn: Option<u32>,
    },
    History,
    Record,
    Claim,
    Extend {
        by: Span,
    },
    Pause,
    Continue,
    Watch,
    Unwatch,

    // --- meeting ---
    Challenge {
        opponents: Vec<Opponent>,
        game: &'static str,
        options: MatchOptions,
    },
    Open {
        game: &'static str,
        options: MatchOptions,
    },
    Decline {
        number: Option<u32>,
    },
    Withdraw {
        number: Option<u32>,
    },
    /// `page` is of the challenges open to all, from 1.
    Challenges {
        page: u32,
    },
    Rematch,
    Block {
        userid: String,
    },
    Unblock {
        userid: String,
    },

    // --- account ---
    Signup {
        userid: String,
        password: Option<String>,
        addresses: Vec<String>,
    },
    AddAddress {
        address: String,
    },
    RemoveAddress {
        address: String,
    },
    /// `set KEY VALUE`; without a key it lists the settings.
    Set {
        setting: Option<(String, String)>,
    },
    /// `None` switches the password off.
    Password {
        new: Option<String>,
    },
    NewKey,
    /// `vacation` alone shows the vacation.
    Vacation,
    VacationOff,
    /// Dates as typed, both days inclusive.
    VacationFrom {
        first: String,
        last: String,
    },
    WhoAmI,
    Who {
        userid: String,
    },
    MyData,
    SignOff,
    /// The answer to "did you write this?".
    Yes,
    /// Ends all mail to an address that has no account.
    Stop,

    // --- looking ---
    Status {
        all: bool,
    },
    Games {
        userid: Option<String>,
        filter: GameFilter,
    },
    Resend,
    Archive {
        game: Option<&'static str>,
        userids: Vec<String>,
        since: Option<String>,
        page: u32,
    },
    Ratings {
        game: Option<&'static str>,
    },
    Standings {
        game: Option<&'static str>,
    },
    Stats {
        userids: Vec<String>,
    },
    Help {
        topic: Option<String>,
    },
    Rules {
        game: Option<&'static str>,
    },
    Tutorial,
    Commands,
}
