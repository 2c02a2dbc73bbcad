//! Judging what somebody wants, and what the time brings.

use crate::games::{Kind, Seat};
use crate::span::Span;

use super::action::{Action, Actor, Done, Refused};
use super::conditional::{self, Chain, MAX_LINES};
use super::event::{Entry, Event, Offer};
use super::fold::Fault;
use super::offers::{self, Offering};
use super::state::Match;

impl Match {
    /// What the time until `now` brings by itself: a hard clock that came to zero is lost at that instant, a soft one
    /// may be claimed from then on. To be called before [`Match::act`], and by the timers; doing it twice does nothing.
    pub fn tick(&mut self, now: i64) -> Done {
        let mut done = Done::default();
        while let Some((seat, deadline)) = self.run_out(now) {
            let event = if self.head.terms.time.soft {
                Event::RanOut { seat }
            } else {
                Event::TimeLost { seat, claimed_by: None }
            };
            let at = deadline.max(self.last_at);
            if self.clocks.told_run_out() || self.commit(&mut done, at, event).is_err() {
                break;
            }
        }
        done
    }

    /// Judges an action at `now` (Unix seconds) and carries it out. The entries of the answer are to be appended to
    /// the match's events; a refused action changes nothing.
    pub fn act(&mut self, now: i64, by: Actor, action: Action) -> Result<Done, Refused> {
        // A clock that was set back does not turn the order of events around.
        let now = now.max(self.last_at);
        if self.is_over() && !matches!((by, &action), (Actor::Seat(_), Action::Say { .. })) {
            return Err(Refused::Over);
        }
        let mut done = Done::default();
        match by {
            Actor::Seat(seat) => {
                self.in_time(now)?;
                self.act_of_player(&mut done, now, seat, action)?;
            }
            Actor::Server => self.act_of_server(&mut done, now, action)?,
            Actor::Keeper => {
                self.in_time(now)?;
                self.act_of_keeper(&mut done, now, action)?;
            }
        }
        Ok(done)
    }

    fn act_of_player(&mut self, done: &mut Done, now: i64, seat: Seat, action: Action) -> Result<(), Refused> {
        if self.head.players.len() <= seat.index() {
            return Err(Refused::NoSuchSeat);
        }
        let talks = matches!(action, Action::Say { .. } | Action::Note { .. });
        if !talks && !self.seats_in().contains(&seat) {
            return Err(Refused::OutOfGame);
        }
        match action {
            Action::Turn { text, number } => self.play_turn(done, now, seat, text, number),
            Action::Resign => self.play_turn(done, now, seat, "resign".to_string(), None),
            Action::Condition { chain } => self.set_condition(done, now, seat, &chain),
            Action::Drop => {
                if self.conditions(seat).is_empty() {
                    return Err(Refused::NoConditions);
                }
                self.commit(done, now, Event::ConditionsDropped { seat })
            }
            Action::OfferDraw => self.offer_to_others(done, now, seat, Offer::Draw),
            Action::AskUndo => {
                let offer = self.undo_of(seat)?;
                self.offer_to_others(done, now, seat, offer)
            }
            Action::AskPause => {
                self.may_pause()?;
                self.offer_to_others(done, now, seat, Offer::Pause)
            }
            Action::Accept => self.answer(done, now, seat, true),
            Action::Reject => self.answer(done, now, seat, false),
            Action::Continue => self.go_on(done, now, Some(seat)),
            Action::Claim => self.claim(done, now, seat),
            Action::Extend { by } => {
                let other = self.opponent_to_extend(seat)?;
                self.extend(done, now, other, by, Some(seat))
            }
            Action::Say { text } => {
                let text = filled(text)?;
                self.commit(done, now, Event::Said { seat, text })
            }
            Action::Note { text } => {
                let text = filled(text)?;
                self.commit(done, now, Event::Noted { seat, text })
            }
            _ => Err(Refused::NotAllowed),
        }
    }

    fn act_of_server(&mut self, done: &mut Done, now: i64, action: Action) -> Result<(), Refused> {
        match action {
            Action::Outage { window } => self.commit(done, now, Event::Shifted { window }),
            Action::Vacation { seat, windows } => {
                self.in_time(now)?;
                self.commit(done, now, Event::Vacation { seat, windows })
            }
            Action::Remind { mark } => {
                let due = self.clocks.due(now, &[mark]);
                match (self.to_move(), due.is_empty()) {
                    (Some(seat), false) => self.commit(done, now, Event::Reminded { seat, mark }),
                    _ => Err(Refused::NotDue),
                }
            }
            _ => Err(Refused::NotAllowed),
        }
    }

    fn act_of_keeper(&mut self, done: &mut Done, now: i64, action: Action) -> Result<(), Refused> {
        match action {
            Action::Pause => {
                self.may_pause()?;
                self.commit(done, now, Event::Paused)
            }
            Action::Continue => self.go_on(done, now, None),
            Action::Shift { by } => {
                let seat = self.to_move().ok_or(Refused::Over)?;
                self.extend(done, now, seat, by, None)
            }
            Action::TakeBack => {
                let to = self.turn().checked_sub(1).ok_or(Refused::NothingToUndo)?;
                self.commit(done, now, Event::TakenBack { to })
            }
            Action::Adjudicate { verdict, reason } => {
                let reason = filled(reason)?;
                self.commit(done, now, Event::Adjudicated { verdict, reason })
            }
            _ => Err(Refused::NotAllowed),
        }
    }

    fn play_turn(
        &mut self,
        done: &mut Done,
        now: i64,
        seat: Seat,
        text: String,
        number: Option<u32>,
    ) -> Result<(), Refused> {
        let present = self.turn() + 1;
        if let Some(expected) = number.filter(|&number| number != present) {
            return Err(Refused::StaleTurn { expected, present });
        }
        self.commit_turn(done, now, seat, text, false)?;
        self.answer_by_condition(done, now);
        Ok(())
    }

    /// Plays a turn; what is stored is its canonical form.
    fn commit_turn(
        &mut self,
        done: &mut Done,
        now: i64,
        seat: Seat,
        text: String,
        by_condition: bool,
    ) -> Result<(), Refused> {
        let event = Event::Turn {
            seat,
            text,
            by_condition,
        };
        self.commit(done, now, event)?;
        if let (Some(entry), Some(played)) = (done.entries.last_mut(), self.turns.last()) {
            entry.event = Event::Turn {
                seat,
                text: played.text.clone(),
                by_condition,
            };
        }
        Ok(())
    }

    /// Plays the conditional answers to the last turn. Every answer uses up a pair, so that two players' chains that
    /// answer each other come to an end.
    fn answer_by_condition(&mut self, done: &mut Done, now: i64) {
        while let Some(seat) = self.to_move() {
            let conditions = self.conditions.get(seat.index());
            let Some(answer) = conditions.and_then(|conditions| conditions.answer()) else {
                return;
            };
            let answer = answer.to_string();
            if self.commit_turn(done, now, seat, answer, true).is_err() {
                // Rules that have changed since it was entered: its writer plays for himself.
                let _ = self.commit(done, now, Event::ConditionsDropped { seat });
                return;
            }
        }
    }

    fn set_condition(&mut self, done: &mut Done, now: i64, seat: Seat, chain: &Chain) -> Result<(), Refused> {
        if self.to_move() == Some(seat) {
            return Err(Refused::YourTurn);
        }
        if self.conditions(seat).len() >= MAX_LINES {
            return Err(Refused::TooManyConditions { max: MAX_LINES });
        }
        let chain = conditional::check(self.table(), seat, chain)
            .map_err(|(pair, fault)| Refused::Condition { pair, fault })?;
        self.commit(done, now, Event::ConditionSet { seat, chain })
    }

    fn offer_to_others(&mut self, done: &mut Done, now: i64, seat: Seat, offer: Offer) -> Result<(), Refused> {
        let event = match offers::judge(self.pending.as_ref(), seat, offer)? {
            Offering::New => Event::Offered { seat, offer },
            Offering::Accepts => Event::Answered { seat, accepted: true },
        };
        self.commit(done, now, event)
    }

    fn answer(&mut self, done: &mut Done, now: i64, seat: Seat, accepted: bool) -> Result<(), Refused> {
        offers::judge_answer(self.pending.as_ref(), seat)?;
        self.commit(done, now, Event::Answered { seat, accepted })
    }

    /// The wish to take back the last turn of `seat`.
    fn undo_of(&self, seat: Seat) -> Result<Offer, Refused> {
        if self.just_undone {
            return Err(Refused::UndoOfUndo);
        }
        let last = self
            .turns
            .iter()
            .rposition(|turn| turn.seat == seat)
            .ok_or(Refused::NothingToUndo)?;
        if self.turns.iter().skip(last).any(|turn| turn.departure) {
            return Err(Refused::UndoPastDeparture);
        }
        Ok(Offer::Undo { turn: last as u32 + 1 })
    }

    fn may_pause(&self) -> Result<(), Refused> {
        if !self.clocks.exist() {
            Err(Refused::NoClock)
        } else if self.is_paused() {
            Err(Refused::AlreadyPaused)
        } else {
            Ok(())
        }
    }

    fn go_on(&mut self, done: &mut Done, now: i64, by: Option<Seat>) -> Result<(), Refused> {
        if !self.is_paused() {
            return Err(Refused::NotPaused);
        }
        self.commit(done, now, Event::Continued { by })
    }

    fn claim(&mut self, done: &mut Done, now: i64, claimant: Seat) -> Result<(), Refused> {
        if !self.clocks.exist() {
            return Err(Refused::NoClock);
        }
        if !self.head.terms.time.soft {
            return Err(Refused::NotSoft);
        }
        let seat = self.to_move().ok_or(Refused::Over)?;
        if seat == claimant {
            return Err(Refused::YourTurn);
        }
        match self.run_out(now) {
            None => Err(Refused::NotRunOut {
                seat,
                deadline: self.deadline(),
            }),
            Some((seat, _)) => self.commit(
                done,
                now,
                Event::TimeLost {
                    seat,
                    claimed_by: Some(claimant),
                },
            ),
        }
    }

    /// Who gets more time from `seat`: the opponent; with more players the one to move.
    fn opponent_to_extend(&self, seat: Seat) -> Result<Seat, Refused> {
        let others: Vec<Seat> = self.seats_in().into_iter().filter(|&other| other != seat).collect();
        match others[..] {
            [only] => Ok(only),
            _ => self.to_move().filter(|&other| other != seat).ok_or(Refused::YourTurn),
        }
    }

    fn extend(&mut self, done: &mut Done, now: i64, seat: Seat, span: Span, by: Option<Seat>) -> Result<(), Refused> {
        let left = self.time_left(seat, now).ok_or(Refused::NoClock)?;
        if span.seconds() == 0 || left + span.seconds() > Span::MAX.seconds() {
            return Err(Refused::BadExtension { max: Span::MAX });
        }
        self.commit(done, now, Event::Extended { seat, span, by })
    }

    /// The seat whose clock has come to zero by `now`, and when.
    fn run_out(&self, now: i64) -> Option<(Seat, i64)> {
        let deadline = self.deadline().filter(|&deadline| deadline <= now)?;
        Some((self.to_move()?, deadline))
    }

    /// A hard clock that has come to zero must have been settled by [`Match::tick`] before anything else is judged.
    fn in_time(&self, now: i64) -> Result<(), Refused> {
        match self.run_out(now) {
            Some((seat, deadline)) if !self.head.terms.time.soft => Err(Refused::TimeIsUp { seat, deadline }),
            _ => Ok(()),
        }
    }

    /// Applies an event and keeps it and what it tells.
    fn commit(&mut self, done: &mut Done, at: i64, event: Event) -> Result<(), Refused> {
        let entry = Entry { at, event };
        let happened = self.apply(&entry).map_err(|fault| self.refusal(fault))?;
        done.happened.extend(happened);
        done.entries.push(entry);
        Ok(())
    }

    fn refusal(&self, fault: Fault) -> Refused {
        match fault {
            Fault::Turn { refusal, .. } => match (refusal.kind, self.to_move()) {
                (Kind::OutOfTurn, Some(to_move)) => Refused::NotYourTurn { to_move },
                (Kind::Over, _) => Refused::Over,
                _ => Refused::Game(refusal),
            },
            Fault::Over => Refused::Over,
            Fault::NoSuchSeat(_) => Refused::NoSuchSeat,
            Fault::NoOffer => Refused::NoOffer,
            Fault::BadUndo { .. } => Refused::NothingToUndo,
            Fault::Terms(_) | Fault::Players { .. } | Fault::Backwards => Refused::NotAllowed,
        }
    }
}

/// A text without blanks at its ends, if anything is left of it.
fn filled(text: String) -> Result<String, Refused> {
    let text = text.trim();
    if text.is_empty() {
        Err(Refused::Empty)
    } else {
        Ok(text.to_string())
    }
}
