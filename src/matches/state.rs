//! A match: what it is made of, and what can be asked of it without changing it.

use chrono::{DateTime, SecondsFormat};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use crate::games::{Phase, Played, Refusal, Seat, Table};

use super::clock::{Balance, Clocks, Mark};
use super::conditional::{Chain, Conditions};
use super::event::{Offer, Verdict};
use super::offers::Pending;
use super::terms::Terms;

/// What is fixed when a match begins.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Head {
    pub number: u32,
    pub terms: Terms,
    /// Userids in the order of the seats.
    pub players: Vec<String>,
    /// When the first clock began to run, in Unix seconds.
    pub started: i64,
    /// The version of the game's rules that the match is played under.
    pub rules_version: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    Running,
    /// A scored game after the second pass.
    Counting,
    Paused,
    Finished,
}

/// A turn that stands on the board.
#[derive(Clone, Debug, PartialEq)]
pub struct TurnPlayed {
    pub seat: Seat,
    /// In canonical notation, the seat before it where another was to move.
    pub text: String,
    /// Unix seconds.
    pub at: i64,
    pub by_condition: bool,
    /// The seat went out: it resigned, or lost on time (three and four players).
    pub departure: bool,
    /// The clocks when it was played, before the increment.
    pub(super) balance: Balance,
}

/// How a match ended.
#[derive(Clone, Debug, PartialEq)]
pub struct Ended {
    pub verdict: Verdict,
    /// As the rules page names it, or `time`, `agreed`, `adjudicated`.
    pub reason: &'static str,
    /// For scored games the score of each seat.
    pub score: Option<Vec<f64>>,
    /// The keeper's words, where he adjudicated.
    pub note: Option<String>,
    /// Unix seconds.
    pub at: i64,
}

/// A line of talk, or a note.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remark {
    pub seat: Seat,
    pub text: String,
    /// Unix seconds.
    pub at: i64,
    /// Turns played when it was written.
    pub turn: u32,
}

/// A reminder whose time has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Due {
    /// The player to move.
    pub seat: Seat,
    pub mark: Mark,
    /// When it fell due, in Unix seconds.
    pub at: i64,
}

/// A look ahead: nothing of it is played.
pub struct Preview {
    /// The board after the turns that could be played.
    pub table: Box<dyn Table>,
    pub played: Vec<Played>,
    /// The turn (as an index into those asked for) that could not be played.
    pub refused: Option<(usize, Refusal)>,
}

/// A match in any state, computed from its events.
#[derive(Clone)]
pub struct Match {
    pub(super) head: Head,
    pub(super) start: Box<dyn Table>,
    pub(super) table: Box<dyn Table>,
    pub(super) turns: Vec<TurnPlayed>,
    pub(super) clocks: Clocks,
    pub(super) pending: Option<Pending>,
    /// By seat.
    pub(super) conditions: Vec<Conditions>,
    pub(super) notes: Vec<Remark>,
    pub(super) talk: Vec<Remark>,
    pub(super) ended: Option<Ended>,
    /// Since the last turn the board has been taken back.
    pub(super) just_undone: bool,
    /// When the last event happened.
    pub(super) last_at: i64,
}

impl Match {
    pub fn head(&self) -> &Head {
        &self.head
    }

    pub fn number(&self) -> u32 {
        self.head.number
    }

    /// The userid of a seat.
    pub fn player(&self, seat: Seat) -> &str {
        self.head.players.get(seat.index()).map_or("", String::as_str)
    }

    /// The seat of a player, whatever case the userid is written in.
    pub fn seat_of(&self, userid: &str) -> Option<Seat> {
        self.seats()
            .find(|&seat| self.player(seat).eq_ignore_ascii_case(userid))
    }

    /// All seats in the order of play.
    pub fn seats(&self) -> impl Iterator<Item = Seat> + use<> {
        (0..self.head.players.len()).map(|index| Seat(index as u8))
    }

    /// The seats that have not gone out of the game.
    pub fn seats_in(&self) -> Vec<Seat> {
        if self.head.players.len() == 2 {
            return self.seats().collect();
        }
        let out = self.table.facts().out.unwrap_or_default();
        self.seats().filter(|seat| !out.contains(seat)).collect()
    }

    pub fn status(&self) -> Status {
        if self.ended.is_some() {
            Status::Finished
        } else if self.clocks.paused() {
            Status::Paused
        } else if self.table.phase() == Phase::Counting {
            Status::Counting
        } else {
            Status::Running
        }
    }

    pub fn is_over(&self) -> bool {
        self.ended.is_some()
    }

    pub fn ended(&self) -> Option<&Ended> {
        self.ended.as_ref()
    }

    /// Turns played, resignations and the words of a counting among them.
    pub fn turn(&self) -> u32 {
        self.turns.len() as u32
    }

    pub fn turns(&self) -> &[TurnPlayed] {
        &self.turns
    }

    /// The seat to move, or to answer in the counting; `None` when the match is over.
    pub fn to_move(&self) -> Option<Seat> {
        match self.ended {
            Some(_) => None,
            None => self.table.to_move(),
        }
    }

    /// The board now.
    pub fn table(&self) -> &dyn Table {
        self.table.as_ref()
    }

    /// The board after the first `turn` turns; `None` where so many have not been played.
    pub fn table_at(&self, turn: u32) -> Option<Box<dyn Table>> {
        let turns = self.turns.get(..turn as usize)?;
        let mut table = self.start.clone();
        for turn in turns {
            table.play(None, &turn.text).ok()?;
        }
        Some(table)
    }

    /// Plays turns on a copy of the board, each by whoever is to move then, as far as they can be played.
    pub fn preview(&self, turns: &[String]) -> Preview {
        let mut preview = Preview {
            table: self.table.clone(),
            played: Vec::new(),
            refused: None,
        };
        for (index, text) in turns.iter().enumerate() {
            match preview.table.play(None, text) {
                Ok(played) => preview.played.push(played),
                Err(refusal) => {
                    preview.refused = Some((index, refusal));
                    break;
                }
            }
        }
        preview
    }

    /// When the clock that runs comes to zero, in Unix seconds; it may have passed in a match with a soft clock.
    /// `None` while no clock runs.
    pub fn deadline(&self) -> Option<i64> {
        self.clocks.deadline()
    }

    /// The seconds that a seat has left at `now`; `None` in a match without a clock.
    pub fn time_left(&self, seat: Seat, now: i64) -> Option<i64> {
        self.clocks.left(seat, now)
    }

    pub fn is_paused(&self) -> bool {
        self.clocks.paused()
    }

    /// Whether a seat's clock stands still for a vacation at `now`.
    pub fn is_away(&self, seat: Seat, now: i64) -> bool {
        self.clocks.away(seat, now)
    }

    /// The reminders that are due to the player to move, whose own marks are `marks`, and have not gone out.
    /// Those that go out are recorded by [`super::Action::Remind`], so that none goes out twice.
    pub fn reminders_due(&self, now: i64, marks: &[Mark]) -> Vec<Due> {
        let Some(seat) = self.to_move() else { return Vec::new() };
        self.clocks
            .due(now, &self.head.terms.marks(marks))
            .into_iter()
            .map(|(mark, at)| Due { seat, mark, at })
            .collect()
    }

    /// The next instant at which a timer has something to do here: a reminder, or the deadline.
    pub fn next_wake(&self, marks: &[Mark]) -> Option<i64> {
        let ahead = self.clocks.ahead(&self.head.terms.marks(marks));
        let deadline = self.deadline().filter(|_| !self.clocks.told_run_out());
        ahead.first().map(|&(_, at)| at).into_iter().chain(deadline).min()
    }

    /// The offer that waits for an answer, and who made it.
    pub fn offer(&self) -> Option<(Seat, Offer)> {
        self.pending.as_ref().map(|pending| (pending.seat, pending.offer))
    }

    /// Whether an answer of this seat to the pending offer is awaited.
    pub fn awaits_answer_of(&self, seat: Seat) -> bool {
        self.pending.as_ref().is_some_and(|pending| {
            pending.seat != seat && !pending.accepted.contains(&seat) && self.seats_in().contains(&seat)
        })
    }

    /// A seat's conditional turns: for its player's eyes alone.
    pub fn conditions(&self, seat: Seat) -> &[Chain] {
        self.conditions.get(seat.index()).map_or(&[], Conditions::chains)
    }

    /// A seat's notes: for its player's eyes alone until the match is over.
    pub fn notes(&self, seat: Seat) -> impl Iterator<Item = &Remark> {
        self.notes.iter().filter(move |note| note.seat == seat)
    }

    pub fn talk(&self) -> &[Remark] {
        &self.talk
    }

    /// When the last event happened, in Unix seconds.
    pub fn last_at(&self) -> i64 {
        self.last_at
    }

    /// The name of a seat in this game: `X`.
    pub fn seat_name(&self, seat: Seat) -> String {
        self.table.seat_name(seat)
    }

    /// The object of `playpost show N --json` (DESIGN.md, "The command line").
    pub fn json(&self) -> Value {
        let mut object = self.summary();
        let turns: Vec<&str> = self.turns.iter().map(|turn| turn.text.as_str()).collect();
        object.insert("turns".into(), json!(turns));
        object.insert("position".into(), self.table.json());
        object.into()
    }

    /// The same without `turns` and `position`: an element of `playpost matches --json`.
    pub fn summary_json(&self) -> Value {
        self.summary().into()
    }

    fn summary(&self) -> Map<String, Value> {
        let seats: Map<_, _> = self
            .seats()
            .map(|seat| (self.seat_name(seat), json!(self.player(seat))))
            .collect();
        let offers: Vec<Value> = self.offer().into_iter().map(|offer| self.offer_json(offer)).collect();
        let mut object = Map::new();
        object.insert("match".into(), json!(self.head.number));
        object.insert("game".into(), json!(self.head.terms.game));
        object.insert("options".into(), json!(self.head.terms.canonical));
        object.insert("seats".into(), seats.into());
        object.insert("status".into(), json!(self.status()));
        object.insert("turn".into(), json!(self.turn()));
        object.insert("to_move".into(), json!(self.to_move().map(|seat| self.seat_name(seat))));
        object.insert(
            "result".into(),
            json!(self.ended.as_ref().map(|ended| self.verdict_text(&ended.verdict))),
        );
        object.insert("reason".into(), json!(self.ended.as_ref().map(|ended| ended.reason)));
        object.insert("rated".into(), json!(self.head.terms.rated));
        object.insert("time".into(), json!(self.head.terms.time.to_string()));
        object.insert("deadline".into(), json!(self.deadline().and_then(rfc3339)));
        object.insert("offers".into(), offers.into());
        object
    }

    /// `result` in JSON: a seat or `draw`.
    fn verdict_text(&self, verdict: &Verdict) -> String {
        match verdict {
            Verdict::Winner(seat) => self.seat_name(*seat),
            Verdict::Shared(_) | Verdict::Draw => "draw".to_string(),
        }
    }

    /// `{"offer": "undo", "by": "X", "turn": 7}`.
    fn offer_json(&self, (seat, offer): (Seat, Offer)) -> Value {
        let by = self.seat_name(seat);
        match offer {
            Offer::Draw => json!({"offer": "draw", "by": by}),
            Offer::Pause => json!({"offer": "pause", "by": by}),
            Offer::Undo { turn } => json!({"offer": "undo", "by": by, "turn": turn}),
        }
    }
}

/// `2026-12-09T07:40:00Z`; `None` for an instant beyond the calendar.
pub(super) fn rfc3339(at: i64) -> Option<String> {
    Some(DateTime::from_timestamp(at, 0)?.to_rfc3339_opts(SecondsFormat::Secs, true))
}
