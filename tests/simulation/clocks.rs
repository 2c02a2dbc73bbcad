//! The clocks of a match counted once more, in the plainest way: hour by hour, from its stored events. Everything in a
//! simulation happens at whole hours.

use std::collections::BTreeSet;

use playpost::games::{Seat, Table};
use playpost::matches::{Entry, Event, Limit, Match, Offer, TimeControl};

pub const HOUR: i64 = 3600;

/// What each seat has left, in hours, and what stops and runs.
struct Clocks {
    control: TimeControl,
    now: i64,
    left: Vec<i64>,
    /// How far each clock may stand above its cap, by the opponents' wish.
    gifts: Vec<i64>,
    to_move: Option<usize>,
    paused: bool,
    vacations: Vec<BTreeSet<i64>>,
}

impl Clocks {
    fn is_closed(&self, seat: usize, hour: i64) -> bool {
        // The first day of the epoch was a Thursday.
        let day = (hour.div_euclid(24) + 3).rem_euclid(7);
        self.vacations[seat].contains(&hour) || (self.control.weekdays && day >= 5)
    }

    /// The seat whose clock runs.
    fn running(&self) -> Option<usize> {
        self.to_move
            .filter(|_| !self.paused && self.control.limit != Limit::None)
    }

    fn advance(&mut self, to: i64) {
        while self.now < to {
            if let Some(seat) = self.running().filter(|&seat| !self.is_closed(seat, self.now)) {
                self.left[seat] = (self.left[seat] - 1).max(0);
            }
            self.now += 1;
        }
    }

    /// The first hour at which the clock that runs is at zero, outside of what does not count.
    fn deadline(&self) -> Option<i64> {
        let seat = self.running()?;
        let (mut hour, mut left) = (self.now, self.left[seat]);
        while left > 0 || self.is_closed(seat, hour) {
            left -= i64::from(!self.is_closed(seat, hour));
            hour += 1;
        }
        Some(hour)
    }

    /// The seat to move has played.
    fn gain(&mut self, seat: usize) {
        match self.control.limit {
            Limit::PerTurn(span) => self.left[seat] = span.seconds() / HOUR,
            Limit::Budget { increment, cap, .. } => {
                let full = (self.left[seat] + increment.seconds() / HOUR).min(cap.seconds() / HOUR);
                self.left[seat] = self.left[seat].max(full);
            }
            Limit::None => {}
        }
    }

    /// No clock is above its cap but by what it was given.
    fn check_caps(&self, number: u32) {
        let cap = match self.control.limit {
            Limit::PerTurn(span) => span,
            Limit::Budget { cap, .. } => cap,
            Limit::None => return,
        };
        for (left, gift) in self.left.iter().zip(&self.gifts) {
            assert!(
                *left <= cap.seconds() / HOUR + gift,
                "match {number}: a clock is above its cap"
            );
        }
    }
}

/// A match that is counted once more.
struct Recount {
    number: u32,
    clocks: Clocks,
    start: Box<dyn Table>,
    table: Box<dyn Table>,
    turns: Vec<String>,
    /// The clocks when each turn was played.
    shown: Vec<Vec<i64>>,
    offer: Option<(usize, Offer, usize)>,
    over: bool,
}

impl Recount {
    fn seats_in(&self) -> usize {
        let out = self.table.facts().out.map_or(0, |out| out.len());
        self.clocks.left.len() - out
    }

    /// Where two play, losing on time plays no turn.
    fn is_pair(&self) -> bool {
        self.clocks.left.len() == 2
    }

    fn play(&mut self, seat: Seat, text: &str) {
        self.shown.push(self.clocks.left.clone());
        let mover = self.table.to_move();
        self.table.play(Some(seat), text).unwrap();
        self.turns.push(text.to_string());
        let resigns = text.ends_with("resign");
        if mover == Some(seat) && !resigns {
            self.clocks.gain(seat.index());
        }
        if mover == Some(seat)
            && resigns
            && let Limit::PerTurn(span) = self.clocks.control.limit
        {
            self.clocks.left[seat.index()] = span.seconds() / HOUR;
        }
        self.over |= self.table.outcome().is_some();
    }

    fn take_back(&mut self, to: usize) {
        self.clocks.left = self.shown[to].clone();
        self.turns.truncate(to);
        self.shown.truncate(to);
        self.table = self.start.clone();
        for turn in &self.turns {
            self.table.play(None, turn).unwrap();
        }
    }

    fn answered(&mut self, accepted: bool) {
        let Some((_, offer, accepts)) = self.offer.take() else {
            panic!("match {}: an answer to no offer", self.number);
        };
        if !accepted {
            return;
        }
        if accepts + 2 < self.seats_in() {
            self.offer = self.offer.take().or(Some((0, offer, accepts + 1)));
            return;
        }
        match offer {
            Offer::Draw => self.over = true,
            Offer::Undo { turn } => self.take_back(turn as usize - 1),
            Offer::Pause => self.clocks.paused = true,
        }
    }

    fn follow(&mut self, entry: &Entry) {
        assert_eq!(entry.at % HOUR, 0, "match {}: {entry:?}", self.number);
        let at = entry.at / HOUR;
        let deadline = self.clocks.deadline();
        let is_hard = !self.clocks.control.soft;
        match &entry.event {
            Event::TimeLost { claimed_by: None, .. } | Event::RanOut { .. } => {
                assert_eq!(deadline, Some(at), "match {}: the time is not up", self.number);
            }
            Event::TimeLost { .. } => assert!(deadline.is_some_and(|end| end <= at), "match {}", self.number),
            _ if is_hard && !self.over => {
                assert!(
                    deadline.is_none_or(|end| at < end),
                    "match {}: {entry:?} is too late",
                    self.number
                );
            }
            _ => {}
        }
        self.clocks.advance(at);
        match &entry.event {
            Event::Turn { seat, text, .. } => self.play(*seat, text),
            Event::Offered { seat, offer } => self.offer = Some((seat.index(), *offer, 0)),
            Event::Answered { accepted, .. } => self.answered(*accepted),
            Event::Continued { .. } => self.clocks.paused = false,
            Event::Extended { seat, span, .. } => {
                self.clocks.left[seat.index()] += span.seconds() / HOUR;
                self.clocks.gifts[seat.index()] += span.seconds() / HOUR;
            }
            Event::TimeLost { .. } if self.is_pair() => self.over = true,
            Event::TimeLost { seat, .. } => self.play(*seat, "resign"),
            Event::Vacation { seat, windows } => {
                let hours = windows
                    .iter()
                    .flat_map(|window| window.from / HOUR..window.until / HOUR);
                let vacation = &mut self.clocks.vacations[seat.index()];
                vacation.retain(|&hour| hour < at);
                vacation.extend(hours.filter(|&hour| hour >= at));
            }
            _ => {}
        }
        self.clocks.to_move = match self.over {
            true => None,
            false => self.table.to_move().map(Seat::index),
        };
        self.clocks.check_caps(self.number);
    }
}

/// Counts the clocks of a match from its events, and holds what was stored and what the match says of `now` against it.
///
/// # Panics
///
/// Where they differ.
pub fn check(game: &Match, entries: &[Entry], now: i64) {
    let head = game.head();
    let table = head.terms.table().unwrap();
    let seats = head.players.len();
    let start = head.terms.time.limit.start() / HOUR;
    let mut recount = Recount {
        number: head.number,
        clocks: Clocks {
            control: head.terms.time,
            now: head.started / HOUR,
            left: vec![start; seats],
            gifts: vec![0; seats],
            to_move: table.to_move().map(Seat::index),
            paused: false,
            vacations: vec![BTreeSet::new(); seats],
        },
        start: table.clone(),
        table,
        turns: Vec::new(),
        shown: Vec::new(),
        offer: None,
        over: false,
    };
    for entry in entries {
        recount.follow(entry);
    }
    assert_eq!(recount.over, game.is_over(), "match {}", head.number);
    if recount.over || head.terms.time.limit == Limit::None {
        return;
    }
    recount.clocks.advance(now / HOUR);
    for seat in game.seats() {
        let counted = recount.clocks.left[seat.index()] * HOUR;
        assert_eq!(
            game.time_left(seat, now),
            Some(counted),
            "match {}, seat {}",
            head.number,
            seat.0
        );
    }
}
