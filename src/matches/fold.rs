//! The fold: one event applied to the state. Replaying a match and acting on it use nothing else.

use crate::games::{Effect, Played, Refusal, Seat};
use crate::span::Span;

use super::action::{Happening, Lapse};
use super::clock::Clocks;
use super::conditional::Conditions;
use super::event::{Entry, Event, Offer, Verdict};
use super::offers::Pending;
use super::state::{Ended, Head, Match, Remark, TurnPlayed};
use super::terms::TermsError;

/// Why an event cannot have happened.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Fault {
    #[error("the terms of the match are invalid: {0}")]
    Terms(#[from] TermsError),
    #[error("{players} players for {seats} seats")]
    Players { players: usize, seats: usize },
    #[error("turn {turn} ({text}) is refused: {}", .refusal.kind)]
    Turn { turn: u32, text: String, refusal: Refusal },
    #[error("there is no seat {}", .0.0)]
    NoSuchSeat(Seat),
    #[error("the match was over")]
    Over,
    #[error("no offer was pending")]
    NoOffer,
    #[error("turn {to} cannot be gone back to")]
    BadUndo { to: u32 },
    #[error("it is earlier than the event before it")]
    Backwards,
}

/// Stored events that do not make a match. `index` is the event's, from 0; `None` if the match could not even begin.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{}{fault}", .index.map(|index| format!("event {index}: ")).unwrap_or_default())]
pub struct ReplayError {
    pub index: Option<usize>,
    pub fault: Fault,
}

impl Match {
    /// A match that begins now: no event has happened.
    pub fn begin(head: Head) -> Result<Match, Fault> {
        let table = head.terms.table()?;
        let seats = table.seats().chars().count();
        if head.players.len() != seats {
            return Err(Fault::Players {
                players: head.players.len(),
                seats,
            });
        }
        let mut clocks = Clocks::new(head.terms.time, seats);
        if let Some(first) = table.to_move() {
            clocks.begin_turn(first, head.started);
        }
        let last_at = head.started;
        Ok(Match {
            head,
            start: table.clone(),
            table,
            turns: Vec::new(),
            clocks,
            pending: None,
            conditions: vec![Conditions::default(); seats],
            notes: Vec::new(),
            talk: Vec::new(),
            ended: None,
            just_undone: false,
            last_at,
        })
    }

    /// The match that these events make.
    pub fn replay(head: Head, entries: &[Entry]) -> Result<Match, ReplayError> {
        let mut game = Match::begin(head).map_err(|fault| ReplayError { index: None, fault })?;
        for (index, entry) in entries.iter().enumerate() {
            game.apply(entry).map_err(|fault| ReplayError {
                index: Some(index),
                fault,
            })?;
        }
        Ok(game)
    }

    /// Applies one event; gives what there is to tell of it.
    pub fn apply(&mut self, entry: &Entry) -> Result<Vec<Happening>, Fault> {
        let Entry { at, event } = entry;
        let at = *at;
        if at < self.last_at {
            return Err(Fault::Backwards);
        }
        if self.is_over() && !matches!(event, Event::Said { .. }) {
            return Err(Fault::Over);
        }
        if let Some(seat) = event.seats().find(|seat| self.head.players.len() <= seat.index()) {
            return Err(Fault::NoSuchSeat(seat));
        }
        let mut told = Vec::new();
        match event {
            Event::Turn {
                seat,
                text,
                by_condition,
            } => self.play(at, *seat, text, *by_condition, &mut told)?,
            Event::Offered { seat, offer } => self.offered(*seat, *offer, &mut told),
            Event::Answered { seat, accepted } => self.answered(at, *seat, *accepted, &mut told)?,
            Event::TakenBack { to } => {
                self.take_back(at, *to, None, &mut told)?;
                self.lapse(Lapse::Changed, &mut told);
            }
            Event::Paused => self.pause(at, None, &mut told),
            Event::Continued { by } => {
                self.clocks.resume(at);
                told.push(Happening::Continued { by: *by });
            }
            Event::Extended { seat, span, by } => self.extended(at, *seat, *span, *by, &mut told),
            Event::RanOut { seat } => {
                self.clocks.tell_run_out();
                told.push(Happening::RanOut { seat: *seat });
            }
            Event::TimeLost { seat, claimed_by } => self.time_lost(at, *seat, *claimed_by, &mut told)?,
            Event::ConditionSet { seat, chain } => {
                let replaced = self.conditions_mut(*seat)?.add(chain.clone());
                told.push(Happening::ConditionSet {
                    seat: *seat,
                    chain: chain.clone(),
                    replaced,
                });
            }
            Event::ConditionsDropped { seat } => {
                let count = self.conditions_mut(*seat)?.clear();
                told.push(Happening::ConditionsDropped { seat: *seat, count });
            }
            Event::Noted { seat, text } => {
                self.notes.push(self.remark(at, *seat, text));
                told.push(Happening::Noted { seat: *seat });
            }
            Event::Said { seat, text } => {
                self.talk.push(self.remark(at, *seat, text));
                told.push(Happening::Said {
                    seat: *seat,
                    text: text.clone(),
                });
            }
            Event::Shifted { window } => {
                self.clocks.close(*window);
                told.push(Happening::Shifted { window: *window });
            }
            Event::Vacation { seat, windows } => {
                self.clocks.set_vacations(*seat, windows, at);
                told.push(Happening::Vacation { seat: *seat });
            }
            Event::Reminded { seat, mark } => {
                self.clocks.reminded(*mark);
                told.push(Happening::Reminded {
                    seat: *seat,
                    mark: *mark,
                });
            }
            Event::Adjudicated { verdict, reason } => {
                let ended = Ended {
                    verdict: verdict.clone(),
                    reason: "adjudicated",
                    score: None,
                    note: Some(reason.clone()).filter(|reason| !reason.is_empty()),
                    at,
                };
                self.finish(ended, &mut told);
            }
        }
        self.last_at = at;
        Ok(told)
    }

    fn play(
        &mut self,
        at: i64,
        seat: Seat,
        text: &str,
        by_condition: bool,
        told: &mut Vec<Happening>,
    ) -> Result<(), Fault> {
        let played = self.put_on_board(at, seat, text, by_condition)?;
        let went_out = played.effects.iter().any(|effect| matches!(effect, Effect::Out { .. }));
        told.push(Happening::Turn {
            number: self.turn(),
            seat,
            text: played.text.clone(),
            effects: played.effects,
            by_condition,
        });
        self.lapse_by_turn(seat, by_condition, went_out, told);
        self.follow_conditions(seat, &played.text, by_condition, told);
        self.finish_by_rules(at, None, told);
        Ok(())
    }

    /// Plays the turn on the board, lists it and moves the clocks on.
    fn put_on_board(&mut self, at: i64, seat: Seat, text: &str, by_condition: bool) -> Result<Played, Fault> {
        let mover = self.table.to_move();
        let balance = self.clocks.balance(at);
        let played = self.table.play(Some(seat), text).map_err(|refusal| Fault::Turn {
            turn: self.turn() + 1,
            text: text.to_string(),
            refusal,
        })?;
        let departure = played
            .effects
            .iter()
            .any(|effect| matches!(effect, Effect::Out { resigned: true, .. } | Effect::Resigned { .. }));
        self.turns.push(TurnPlayed {
            seat,
            text: played.text.clone(),
            at,
            by_condition,
            departure,
            balance,
        });
        self.just_undone = false;
        let by_mover = mover == Some(seat);
        if by_mover || self.table.to_move() != mover {
            self.clocks.end_turn(at, by_mover && !departure);
            if let Some(next) = self.table.to_move() {
                self.clocks.begin_turn(next, at);
            }
        }
        Ok(played)
    }

    /// A draw offer lapses when another player plays himself (an answer of the server's was no answer to the offer); a
    /// wish to undo when anybody plays; everything when a player goes out.
    fn lapse_by_turn(&mut self, seat: Seat, by_condition: bool, went_out: bool, told: &mut Vec<Happening>) {
        let Some(pending) = &self.pending else { return };
        if went_out {
            self.lapse(Lapse::Changed, told);
            return;
        }
        let lapses = match pending.offer {
            Offer::Draw => pending.seat != seat && !by_condition,
            Offer::Undo { .. } => true,
            Offer::Pause => false,
        };
        if lapses {
            self.lapse(Lapse::Played, told);
        }
    }

    fn lapse(&mut self, why: Lapse, told: &mut Vec<Happening>) {
        if let Some(Pending { seat, offer, .. }) = self.pending.take() {
            told.push(Happening::Lapsed { seat, offer, why });
        }
    }

    fn follow_conditions(&mut self, seat: Seat, text: &str, by_condition: bool, told: &mut Vec<Happening>) {
        for writer in self.seats() {
            let Some(conditions) = self.conditions.get_mut(writer.index()) else {
                continue;
            };
            let forgotten = match (writer == seat, by_condition) {
                (true, true) => {
                    conditions.answered();
                    0
                }
                (true, false) => conditions.clear(),
                (false, _) => conditions.opponent_played(text),
            };
            if forgotten > 0 {
                told.push(Happening::ConditionsForgotten {
                    seat: writer,
                    count: forgotten,
                });
            }
        }
    }

    fn forget_conditions(&mut self, told: &mut Vec<Happening>) {
        for seat in self.seats() {
            let count = self.conditions.get_mut(seat.index()).map_or(0, Conditions::clear);
            if count > 0 {
                told.push(Happening::ConditionsForgotten { seat, count });
            }
        }
    }

    fn offered(&mut self, seat: Seat, offer: Offer, told: &mut Vec<Happening>) {
        self.lapse(Lapse::Replaced, told);
        self.pending = Some(Pending {
            seat,
            offer,
            accepted: Vec::new(),
        });
        told.push(Happening::Offered { seat, offer });
    }

    fn answered(&mut self, at: i64, by: Seat, accepted: bool, told: &mut Vec<Happening>) -> Result<(), Fault> {
        let awaited: Vec<Seat> = self.seats_in();
        let Some(mut pending) = self.pending.take() else {
            return Err(Fault::NoOffer);
        };
        let (seat, offer) = (pending.seat, pending.offer);
        told.push(Happening::Answered {
            seat,
            offer,
            by,
            accepted,
        });
        if !accepted {
            return Ok(());
        }
        pending.accepted.push(by);
        let all = awaited
            .iter()
            .all(|other| *other == seat || pending.accepted.contains(other));
        if !all {
            self.pending = Some(pending);
            return Ok(());
        }
        match offer {
            Offer::Draw => {
                let ended = Ended {
                    verdict: self.drawn(),
                    reason: "agreed",
                    score: None,
                    note: None,
                    at,
                };
                self.finish(ended, told);
            }
            Offer::Undo { turn } => self.take_back(at, turn.saturating_sub(1), Some(seat), told)?,
            Offer::Pause => self.pause(at, Some(seat), told),
        }
        Ok(())
    }

    /// Goes back to the board after `to` turns. Every clock shows again what it showed when the first of the turns
    /// that are taken back was played.
    fn take_back(&mut self, at: i64, to: u32, by: Option<Seat>, told: &mut Vec<Happening>) -> Result<(), Fault> {
        let bad = Fault::BadUndo { to };
        let (Some(table), Some(first)) = (self.table_at(to), self.turns.get(to as usize)) else {
            return Err(bad);
        };
        let Some(seat) = table.to_move() else { return Err(bad) };
        self.clocks.restore(first.balance.clone(), seat, at);
        self.table = table;
        let gone = self.turns.split_off(to as usize);
        self.just_undone = true;
        told.push(Happening::TakenBack {
            turns: gone.into_iter().map(|turn| turn.text).collect(),
            by,
        });
        self.forget_conditions(told);
        Ok(())
    }

    fn pause(&mut self, at: i64, by: Option<Seat>, told: &mut Vec<Happening>) {
        self.clocks.pause(at);
        told.push(Happening::Paused { by });
    }

    fn extended(&mut self, at: i64, seat: Seat, span: Span, by: Option<Seat>, told: &mut Vec<Happening>) {
        self.clocks.extend(seat, span, at);
        told.push(Happening::Extended { seat, span, by });
    }

    /// With two players the other wins, and no turn is played. With more the seat goes out as if it had resigned.
    fn time_lost(
        &mut self,
        at: i64,
        seat: Seat,
        claimed_by: Option<Seat>,
        told: &mut Vec<Happening>,
    ) -> Result<(), Fault> {
        let lost = |effects| Happening::TimeLost {
            seat,
            claimed_by,
            effects,
        };
        if let [one, other] = self.seats().collect::<Vec<_>>()[..] {
            told.push(lost(Vec::new()));
            let ended = Ended {
                verdict: Verdict::Winner(if seat == one { other } else { one }),
                reason: "time",
                score: None,
                note: None,
                at,
            };
            self.finish(ended, told);
            return Ok(());
        }
        let played = self.put_on_board(at, seat, "resign", false)?;
        told.push(lost(played.effects));
        self.lapse(Lapse::Changed, told);
        self.forget_conditions(told);
        self.finish_by_rules(at, Some("time"), told);
        Ok(())
    }

    /// Ends the match if the rules have ended the game; `reason` takes the place of theirs.
    fn finish_by_rules(&mut self, at: i64, reason: Option<&'static str>, told: &mut Vec<Happening>) {
        let Some(outcome) = self.table.outcome() else { return };
        let ended = Ended {
            verdict: outcome.winner.map_or_else(|| self.drawn(), Verdict::Winner),
            reason: reason.unwrap_or(outcome.reason),
            score: outcome.score.clone(),
            note: None,
            at,
        };
        self.finish(ended, told);
    }

    /// A draw among those who are still in the game.
    fn drawn(&self) -> Verdict {
        let still_in = self.seats_in();
        if still_in.len() == self.head.players.len() {
            Verdict::Draw
        } else {
            Verdict::Shared(still_in)
        }
    }

    fn finish(&mut self, ended: Ended, told: &mut Vec<Happening>) {
        self.clocks.stop(ended.at);
        self.pending = None;
        self.conditions.iter_mut().for_each(|conditions| {
            conditions.clear();
        });
        told.push(Happening::Finished {
            verdict: ended.verdict.clone(),
            reason: ended.reason,
            score: ended.score.clone(),
            note: ended.note.clone(),
        });
        self.ended = Some(ended);
    }

    fn remark(&self, at: i64, seat: Seat, text: &str) -> Remark {
        Remark {
            seat,
            text: text.to_string(),
            at,
            turn: self.turn(),
        }
    }

    fn conditions_mut(&mut self, seat: Seat) -> Result<&mut Conditions, Fault> {
        self.conditions.get_mut(seat.index()).ok_or(Fault::NoSuchSeat(seat))
    }
}

impl Event {
    /// All seats that the event names.
    fn seats(&self) -> impl Iterator<Item = Seat> + '_ {
        let (one, other, shared): (Option<Seat>, Option<Seat>, &[Seat]) = match self {
            Event::Turn { seat, .. }
            | Event::Offered { seat, .. }
            | Event::Answered { seat, .. }
            | Event::RanOut { seat }
            | Event::ConditionSet { seat, .. }
            | Event::ConditionsDropped { seat }
            | Event::Noted { seat, .. }
            | Event::Said { seat, .. }
            | Event::Vacation { seat, .. }
            | Event::Reminded { seat, .. } => (Some(*seat), None, &[]),
            Event::Extended { seat, by, .. } => (Some(*seat), *by, &[]),
            Event::TimeLost { seat, claimed_by } => (Some(*seat), *claimed_by, &[]),
            Event::Continued { by } => (*by, None, &[]),
            Event::Adjudicated { verdict, .. } => match verdict {
                Verdict::Winner(seat) => (Some(*seat), None, &[]),
                Verdict::Shared(seats) => (None, None, seats),
                Verdict::Draw => (None, None, &[]),
            },
            Event::TakenBack { .. } | Event::Paused | Event::Shifted { .. } => (None, None, &[]),
        };
        one.into_iter().chain(other).chain(shared.iter().copied())
    }
}
