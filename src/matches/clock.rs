//! Clocks: what each seat has left, and when the seat to move runs out. All in Unix seconds and whole seconds.
//!
//! Time counts only outside of *closed* windows: the player's vacations, the server's absences and, where the terms
//! leave them out, Saturdays and Sundays (UTC). A deadline never falls into a closed window.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

use super::terms::{Limit, TimeControl};
use crate::games::Seat;
use crate::span::Span;

const DAY: i64 = 24 * 60 * 60;
const WEEK: i64 = 7 * DAY;
/// The first Saturday 00:00 UTC of the epoch, which began on a Thursday.
const FIRST_SATURDAY: i64 = 2 * DAY;

/// A stretch of time from `from` to before `until`, in Unix seconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Window {
    pub from: i64,
    pub until: i64,
}

impl Window {
    pub fn contains(self, at: i64) -> bool {
        self.from <= at && at < self.until
    }

    /// The part at or after `at`, if there is any.
    fn after(self, at: i64) -> Option<Window> {
        let from = self.from.max(at);
        (from < self.until).then_some(Window { from, ..self })
    }

    /// The part before `at`, if there is any.
    fn before(self, at: i64) -> Option<Window> {
        let until = self.until.min(at);
        (self.from < until).then_some(Window { until, ..self })
    }
}

/// When a reminder is due (LANGUAGE.md 7, Exact point 8).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Mark {
    /// At this share, in percent, of the time that was left when the turn began: `50%`.
    Share(u8),
    /// At this time left: `1d`.
    Left(Span),
    /// This long after the turn began: the older `--nagtime`. Written `+3d`.
    After(Span),
}

impl Mark {
    /// What a player has who has set nothing.
    pub const DEFAULT: [Mark; 3] = [Mark::Share(50), Mark::Share(20), Mark::Left(Span::days(1))];

    /// The time left, in seconds, at which the reminder is due in a turn that began with `began` seconds left.
    /// `None` where the mark had passed before the turn began.
    fn threshold(self, began: i64) -> Option<i64> {
        let left = match self {
            Mark::Share(percent) => began * i64::from(percent) / 100,
            Mark::Left(span) => span.seconds(),
            Mark::After(span) => began - span.seconds(),
        };
        (0 < left && left < began).then_some(left)
    }
}

impl fmt::Display for Mark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Mark::Share(percent) => write!(f, "{percent}%"),
            Mark::Left(span) => write!(f, "{span}"),
            Mark::After(span) => write!(f, "+{span}"),
        }
    }
}

/// The text is no mark of a reminder.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is no time for a reminder (write 50% or 1d)")]
pub struct MarkError(pub String);

impl FromStr for Mark {
    type Err = MarkError;

    fn from_str(text: &str) -> Result<Self, MarkError> {
        let bad = || MarkError(text.to_string());
        if let Some(percent) = text.strip_suffix('%') {
            return match percent.parse() {
                Ok(percent @ 1..=99) => Ok(Mark::Share(percent)),
                _ => Err(bad()),
            };
        }
        let (after, span) = match text.strip_prefix('+') {
            Some(span) => (true, span),
            None => (false, text),
        };
        let span: Span = span.parse().map_err(|_| bad())?;
        if span.seconds() == 0 {
            return Err(bad());
        }
        Ok(if after { Mark::After(span) } else { Mark::Left(span) })
    }
}

impl Serialize for Mark {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Mark {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?
            .parse()
            .map_err(serde::de::Error::custom)
    }
}

/// What each seat has left, in seconds, when no clock runs.
pub type Balance = Vec<i64>;

/// The clock that runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Running {
    seat: Seat,
    /// When the balance was last struck.
    from: i64,
}

/// The present turn, for reminders.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Turn {
    seat: Seat,
    /// Time left when it began.
    began_with: i64,
    reminded: Vec<Mark>,
    told_run_out: bool,
}

/// All clocks of a match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clocks {
    control: TimeControl,
    balance: Balance,
    running: Option<Running>,
    turn: Option<Turn>,
    paused: bool,
    /// By seat, sorted, without overlaps.
    vacations: Vec<Vec<Window>>,
    outages: Vec<Window>,
}

impl Clocks {
    /// Clocks of `seats` seats, none of them running yet.
    pub fn new(control: TimeControl, seats: usize) -> Self {
        Clocks {
            balance: vec![control.limit.start(); seats],
            control,
            running: None,
            turn: None,
            paused: false,
            vacations: vec![Vec::new(); seats],
            outages: Vec::new(),
        }
    }

    pub fn exist(&self) -> bool {
        self.control.limit != Limit::None
    }

    pub fn paused(&self) -> bool {
        self.paused
    }

    /// What all seats would have left if the clock that runs stopped at `at`.
    pub fn balance(&self, at: i64) -> Balance {
        let mut balance = self.balance.clone();
        if let Some(Running { seat, .. }) = self.running
            && let (Some(left), Some(shown)) = (self.left(seat, at), balance.get_mut(seat.index()))
        {
            *shown = left;
        }
        balance
    }

    /// The seat whose turn began last, while the match goes on.
    pub fn seat(&self) -> Option<Seat> {
        self.turn.as_ref().map(|turn| turn.seat)
    }

    /// A turn of `seat` begins at `at`.
    pub fn begin_turn(&mut self, seat: Seat, at: i64) {
        self.turn = Some(Turn {
            seat,
            began_with: self.balance.get(seat.index()).copied().unwrap_or_default(),
            reminded: Vec::new(),
            told_run_out: false,
        });
        self.start(seat, at);
    }

    /// The turn of the seat whose clock runs ends at `at`. It gains the increment if it `played` itself.
    pub fn end_turn(&mut self, at: i64, played: bool) {
        self.strike(at);
        self.running = None;
        let Some(turn) = self.turn.take() else { return };
        let Some(balance) = self.balance.get_mut(turn.seat.index()) else {
            return;
        };
        match self.control.limit {
            Limit::PerTurn(span) => *balance = span.seconds(),
            Limit::Budget { increment, cap, .. } if played => {
                let room = (cap.seconds() - *balance).max(0);
                *balance += increment.seconds().min(room);
            }
            Limit::Budget { .. } | Limit::None => {}
        }
    }

    /// Everything as it was, but for the windows: used where turns are taken back.
    pub fn restore(&mut self, balance: Balance, seat: Seat, at: i64) {
        self.running = None;
        self.balance = balance;
        self.begin_turn(seat, at);
    }

    /// No clock runs any more.
    pub fn stop(&mut self, at: i64) {
        self.strike(at);
        self.running = None;
        self.turn = None;
        self.paused = false;
    }

    pub fn pause(&mut self, at: i64) {
        self.strike(at);
        self.running = None;
        self.paused = true;
    }

    pub fn resume(&mut self, at: i64) {
        self.paused = false;
        if let Some(seat) = self.seat() {
            self.start(seat, at);
        }
    }

    /// Gives a seat more time; the cap does not matter.
    pub fn extend(&mut self, seat: Seat, span: Span, at: i64) {
        self.strike(at);
        if let Some(balance) = self.balance.get_mut(seat.index()) {
            *balance += span.seconds();
        }
        if let Some(turn) = self.turn.as_mut().filter(|turn| turn.seat == seat) {
            turn.told_run_out = false;
        }
    }

    /// No clock runs in the window. A deadline that lies before it stays where it is.
    pub fn close(&mut self, window: Window) {
        insert(&mut self.outages, window);
    }

    /// Replaces a seat's vacations from `at` on: the time before has been counted, and stays so. A vacation that begins
    /// at the very second at which the clock ran out comes too late.
    pub fn set_vacations(&mut self, seat: Seat, windows: &[Window], at: i64) {
        let ran_out = self.seat() == Some(seat) && self.deadline().is_some_and(|deadline| deadline <= at);
        let from = if ran_out { at + 1 } else { at };
        let Some(vacations) = self.vacations.get_mut(seat.index()) else {
            return;
        };
        let past = vacations.iter().filter_map(|window| window.before(at));
        let ahead = windows.iter().filter_map(|window| window.after(from));
        let mut all = Vec::new();
        for window in past.chain(ahead) {
            insert(&mut all, window);
        }
        *vacations = all;
    }

    /// Whether the seat is on vacation.
    pub fn away(&self, seat: Seat, at: i64) -> bool {
        self.vacations
            .get(seat.index())
            .is_some_and(|windows| windows.iter().any(|window| window.contains(at)))
    }

    /// What a seat has left at `at`, never below zero. `None` without a clock.
    pub fn left(&self, seat: Seat, at: i64) -> Option<i64> {
        let balance = *self.balance.get(seat.index())?;
        if !self.exist() {
            return None;
        }
        let used = match self.running {
            Some(running) if running.seat == seat => self.counted(seat, running.from, at),
            _ => 0,
        };
        Some((balance - used).max(0))
    }

    /// When the clock that runs comes to zero: the first such instant that is not in a closed window.
    pub fn deadline(&self) -> Option<i64> {
        let running = self.running?;
        Some(self.when(running, *self.balance.get(running.seat.index())?))
    }

    /// The marks of the present turn whose time has come and that were not reminded of yet, with their instants.
    pub fn due(&self, at: i64, marks: &[Mark]) -> Vec<(Mark, i64)> {
        let mut due = self.ahead(marks);
        let over = self.deadline().is_none_or(|deadline| deadline <= at);
        due.retain(|&(_, instant)| instant <= at && !over);
        due
    }

    /// The marks of the present turn that were not reminded of yet, each with its instant, in the order of time. None
    /// after a soft clock has run out.
    pub fn ahead(&self, marks: &[Mark]) -> Vec<(Mark, i64)> {
        let (Some(running), Some(turn)) = (self.running, self.turn.as_ref().filter(|turn| !turn.told_run_out)) else {
            return Vec::new();
        };
        let balance = self.balance.get(running.seat.index()).copied().unwrap_or_default();
        let mut ahead: Vec<(Mark, i64)> = Vec::new();
        for &mark in marks {
            let known = turn.reminded.contains(&mark) || ahead.iter().any(|&(other, _)| other == mark);
            if let (false, Some(left)) = (known, mark.threshold(turn.began_with)) {
                ahead.push((mark, self.when(running, (balance - left).max(0))));
            }
        }
        ahead.sort_by_key(|&(_, instant)| instant);
        ahead
    }

    pub fn reminded(&mut self, mark: Mark) {
        if let Some(turn) = &mut self.turn {
            turn.reminded.push(mark);
        }
    }

    pub fn told_run_out(&self) -> bool {
        self.turn.as_ref().is_some_and(|turn| turn.told_run_out)
    }

    pub fn tell_run_out(&mut self) {
        if let Some(turn) = &mut self.turn {
            turn.told_run_out = true;
        }
    }

    fn start(&mut self, seat: Seat, at: i64) {
        self.running = (self.exist() && !self.paused).then_some(Running { seat, from: at });
    }

    /// Takes what was used up to `at` off the balance.
    fn strike(&mut self, at: i64) {
        let Some(running) = self.running else { return };
        let used = self.counted(running.seat, running.from, at);
        if let Some(balance) = self.balance.get_mut(running.seat.index()) {
            *balance = (*balance - used).max(0);
        }
        self.running = Some(Running { from: at, ..running });
    }

    /// The first instant, outside of closed windows, by which `seconds` have been counted.
    fn when(&self, running: Running, seconds: i64) -> i64 {
        let (mut at, mut wanted) = (running.from, seconds);
        while let Some(closed) = self.next_closed(running.seat, at) {
            let open = (closed.from - at).max(0);
            if open > wanted {
                break;
            }
            wanted -= open;
            at = closed.until;
        }
        at + wanted
    }

    /// The seconds of `from` to `until` that count for a seat.
    fn counted(&self, seat: Seat, from: i64, until: i64) -> i64 {
        let (mut at, mut counted) = (from, 0);
        while at < until {
            match self.next_closed(seat, at) {
                Some(closed) if closed.from < until => {
                    counted += (closed.from - at).max(0);
                    at = closed.until;
                }
                _ => {
                    counted += until - at;
                    at = until;
                }
            }
        }
        counted
    }

    /// The earliest closed window that ends after `at`.
    fn next_closed(&self, seat: Seat, at: i64) -> Option<Window> {
        let vacations = self.vacations.get(seat.index()).map_or(&[][..], Vec::as_slice);
        let first = |windows: &[Window]| windows.iter().copied().find(|window| window.until > at);
        let weekend = self.control.weekdays.then(|| next_weekend(at));
        [first(vacations), first(&self.outages), weekend]
            .into_iter()
            .flatten()
            .min()
    }
}

/// The weekend (UTC) that ends after `at`.
fn next_weekend(at: i64) -> Window {
    let week = (at - FIRST_SATURDAY).div_euclid(WEEK);
    let from = FIRST_SATURDAY + week * WEEK;
    let weekend = Window {
        from,
        until: from + 2 * DAY,
    };
    if weekend.until > at {
        weekend
    } else {
        Window {
            from: weekend.from + WEEK,
            until: weekend.until + WEEK,
        }
    }
}

/// Adds a window to a sorted list without overlaps, melting what touches.
fn insert(windows: &mut Vec<Window>, mut window: Window) {
    if window.from >= window.until {
        return;
    }
    windows.retain(|old| {
        let apart = old.until < window.from || window.until < old.from;
        if !apart {
            window.from = window.from.min(old.from);
            window.until = window.until.max(old.until);
        }
        apart
    });
    let place = windows.partition_point(|old| old.from < window.from);
    windows.insert(place, window);
}
