//! What a command must come to, by what the table says of it and a few words on each command.

use playpost::language::{Access, Entry, When};

use super::world::{Sender, State};

/// What the answer is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    Done,
    NotUnderstood,
    NotAllowed,
    Illegal,
    /// The player is asked whether he wrote it.
    Held,
    /// Somebody is asked to confirm it.
    Asked,
}

/// What a line must come to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Expected {
    pub answer: Answer,
    /// Whether something stored changes.
    pub changes: bool,
    /// Who gets a mail beside the sender.
    pub others: &'static [&'static str],
    /// Who may get one.
    pub perhaps: &'static [&'static str],
}

const fn only(answer: Answer) -> Expected {
    Expected {
        answer,
        changes: false,
        others: &[],
        perhaps: &[],
    }
}

const DONE: Expected = only(Answer::Done);
const REFUSED: Expected = only(Answer::NotAllowed);
/// Something changes that is the sender's own affair.
const OWN: Expected = Expected { changes: true, ..DONE };
/// Something changes in the match: both players hear of it, and perhaps those who watch.
const BOTH: Expected = Expected {
    others: &["alice", "bob"],
    perhaps: &["dave"],
    ..OWN
};

/// The line with which the walk says a command.
pub fn line(entry: &Entry, sender: Sender, state: State) -> String {
    let words = match entry.word {
        "move" => "f6",
        "dead" => "dead none",
        "preview" => "preview f6",
        "if" => "if f6 then g6",
        "say" => "say Good luck!",
        "note" => "note he likes corners",
        "extend" => "extend 3d",
        "challenge" if sender == Sender::Blocked => "challenge alice susan",
        "challenge" => "challenge zed susan",
        "open" => "open susan",
        "block" => "block zed",
        "unblock" => "unblock eve",
        "signup" => "signup newname",
        "add" => "add address new@new.example",
        "remove" => "remove address none@none.example",
        "set" => "set board unicode",
        "password" => "password Sesame7",
        "vacation" => "vacation 2026-12-20 to 2026-12-22",
        "who" => "who bob",
        "ratings" => "ratings susan",
        "standings" => "standings susan",
        "stats" => "stats alice bob",
        "rules" => "rules susan",
        alone => alone,
    };
    let is_about_match = entry.needs_match || matches!(entry.word, "accept" | "reject");
    match state {
        _ if !is_about_match => words.to_string(),
        State::NoMatch => format!("#99 {words}"),
        State::Challenged => words.to_string(),
        _ => format!("#1 {words}"),
    }
}

pub fn expected(entry: &Entry, sender: Sender, state: State) -> Expected {
    let answered_to_anyone = match entry.access {
        Access::Anyone | Access::Newcomer => true,
        Access::Reader => !entry.changes,
        Access::Player | Access::Seat | Access::Outsider => false,
    };
    if !sender.is_proved() && !answered_to_anyone {
        return match sender {
            Sender::Held => only(Answer::Held),
            _ => REFUSED,
        };
    }
    if entry.needs_match {
        in_match(entry, sender, state)
    } else {
        elsewhere(entry.word, sender, state)
    }
}

fn in_match(entry: &Entry, sender: Sender, state: State) -> Expected {
    let is_seen = match state {
        State::NoMatch | State::Challenged => false,
        State::Private => sender.has_seat(),
        _ => true,
    };
    let may = match entry.access {
        Access::Seat => sender.has_seat(),
        Access::Outsider => !sender.has_seat(),
        _ => true,
    };
    let is_over = state == State::Finished;
    // In a counting the other may speak too.
    let is_mover = sender.is_mover() || (state == State::Counting && sender.has_seat());
    let is_time = match entry.when {
        When::Always => true,
        When::GoesOn => !is_over,
        When::OwnTurn => !is_over && is_mover,
        When::OthersTurn => !is_over && !sender.is_mover(),
        When::Paused => state == State::Paused,
        When::Over => is_over,
    };
    if !(is_seen && may && is_time) {
        return REFUSED;
    }
    match entry.word {
        "move" | "pass" | "dead" | "agree" | "resume" => turn(entry.word, sender, state),
        "preview" if state == State::Counting => only(Answer::Illegal),
        "preview" | "legal" | "show" | "history" | "record" | "resend" => DONE,
        // Its first turn cannot be played in a counting.
        "if" if state == State::Counting => REFUSED,
        "if" | "note" => OWN,
        "drop" => REFUSED,
        "draw" if state == State::Offered => match sender.is_mover() {
            // He offers what he is offered.
            true => BOTH,
            false => REFUSED,
        },
        // An offer of the other's is to be answered first; an own one makes way.
        "undo" | "pause" if state == State::Offered && sender.is_mover() => REFUSED,
        "pause" if state == State::Paused => REFUSED,
        "undo" | "pause" | "draw" | "resign" | "say" | "extend" | "continue" => BOTH,
        "claim" if state == State::RanOut => BOTH,
        "claim" => REFUSED,
        "watch" => match sender {
            Sender::Blocked => REFUSED,
            // He watches already.
            Sender::Watcher => DONE,
            _ => OWN,
        },
        // Who watched a match is forgotten with its end.
        "unwatch" if sender == Sender::Watcher && !is_over => OWN,
        "unwatch" => REFUSED,
        "rematch" => Expected {
            others: &["alice", "bob"],
            ..OWN
        },
        other => panic!("the walk does not know {other}"),
    }
}

fn turn(word: &str, sender: Sender, state: State) -> Expected {
    if state != State::Counting {
        // Susan has neither passes nor countings.
        return match word {
            "move" => BOTH,
            _ => only(Answer::NotUnderstood),
        };
    }
    match word {
        "dead" | "resume" => BOTH,
        _ if !sender.is_mover() => REFUSED,
        "agree" => BOTH,
        _ => only(Answer::Illegal),
    }
}

fn elsewhere(word: &str, sender: Sender, state: State) -> Expected {
    let is_asked = state == State::Challenged && sender == Sender::Opponent;
    let challenges = state == State::Challenged && sender.is_mover();
    match word {
        "accept" | "reject" | "decline" if is_asked => BOTH,
        "accept" | "reject" if state == State::Offered && sender.is_mover() => BOTH,
        "accept" | "reject" | "decline" => REFUSED,
        "challenge" if sender == Sender::Blocked => REFUSED,
        "challenge" => Expected {
            others: &["zed"],
            ..OWN
        },
        "withdraw" if challenges => BOTH,
        "withdraw" => REFUSED,
        "unblock" if sender.has_seat() => OWN,
        "unblock" => REFUSED,
        "open" | "block" | "set" | "password" | "newkey" | "vacation" => OWN,
        "signup" => match sender {
            Sender::Stranger | Sender::Closed => only(Answer::Asked),
            _ => REFUSED,
        },
        "add" => Expected {
            others: &["new@new.example"],
            // That somebody was asked there is noted.
            changes: true,
            ..DONE
        },
        "signoff" => only(Answer::Asked),
        "remove" | "yes" => REFUSED,
        "stop" => match sender {
            Sender::Stranger | Sender::Closed => OWN,
            _ => REFUSED,
        },
        "challenges" | "whoami" | "who" | "mydata" | "status" | "games" | "archive" | "ratings" | "standings"
        | "stats" | "help" | "rules" | "tutorial" | "commands" => DONE,
        other => panic!("the walk does not know {other}"),
    }
}
