//! Laws of every match: random players do random things at random times. Beside the match walks a simple model that
//! counts its clocks hour by hour.

use super::*;
use proptest::prelude::*;
use std::collections::BTreeSet;

/// One thing that somebody tries. `pick` chooses what is left to choose.
#[derive(Clone, Debug)]
struct Step {
    seat: Seat,
    /// Hours since the step before.
    wait: i64,
    what: What,
    pick: usize,
}

#[derive(Clone, Copy, Debug)]
enum What {
    Turn,
    Nonsense,
    Condition,
    Drop,
    Draw,
    Undo,
    Pause,
    Accept,
    Reject,
    Continue,
    Claim,
    Extend,
    Say,
    Vacation,
    Outage,
    Resign,
}

/// How often each thing is tried.
const WEIGHTS: [(u32, What); 16] = [
    (24, What::Turn),
    (1, What::Nonsense),
    (4, What::Condition),
    (1, What::Drop),
    (2, What::Draw),
    (4, What::Undo),
    (2, What::Pause),
    (6, What::Accept),
    (2, What::Reject),
    (3, What::Continue),
    (2, What::Claim),
    (2, What::Extend),
    (1, What::Say),
    (4, What::Vacation),
    (2, What::Outage),
    (1, What::Resign),
];

fn what() -> impl Strategy<Value = What> {
    proptest::strategy::Union::new_weighted(WEIGHTS.map(|(weight, what)| (weight, Just(what))).to_vec())
}

fn step(seats: u8) -> impl Strategy<Value = Step> {
    (0..seats, 0..60i64, what(), 0..10_000usize).prop_map(|(seat, wait, what, pick)| Step {
        seat: Seat(seat),
        wait,
        what,
        pick,
    })
}

fn time() -> impl Strategy<Value = Vec<(&'static str, &'static str)>> {
    let limit = prop_oneof![Just("5d+24h"), Just("5d+24h/7d"), Just("3d"), Just("4d+0h")];
    (limit, any::<bool>(), any::<bool>()).prop_map(|(limit, soft, weekdays)| {
        let flags = [(soft, "soft"), (weekdays, "weekdays")];
        let flags = flags.into_iter().filter(|(on, _)| *on).map(|(_, name)| (name, ""));
        std::iter::once(("time", limit)).chain(flags).collect()
    })
}

/// The clocks of a match of two, in whole hours since its start.
struct Model {
    control: TimeControl,
    now: i64,
    left: [i64; 2],
    to_move: Option<usize>,
    paused: bool,
    vacations: [BTreeSet<i64>; 2],
    outages: BTreeSet<i64>,
    /// What the clocks showed when each turn was played.
    shown: Vec<[i64; 2]>,
    /// How far above its cap each clock may be.
    gifts: [i64; 2],
}

impl Model {
    fn new(control: TimeControl) -> Self {
        Model {
            left: [control.limit.start() / HOUR; 2],
            control,
            now: 0,
            to_move: Some(0),
            paused: false,
            vacations: Default::default(),
            outages: BTreeSet::new(),
            shown: Vec::new(),
            gifts: [0; 2],
        }
    }

    /// Whether an hour does not count for a seat.
    fn closed(&self, seat: usize, hour: i64) -> bool {
        // The start is 18:00 of a Sunday.
        let day_of_week = (hour + 18).div_euclid(24).rem_euclid(7);
        let weekend = day_of_week == 0 || day_of_week == 6;
        self.vacations[seat].contains(&hour) || self.outages.contains(&hour) || (self.control.weekdays && weekend)
    }

    /// The hour at which the clock that runs is at zero.
    fn deadline(&self) -> Option<i64> {
        let seat = self.to_move.filter(|_| !self.paused)?;
        let (mut hour, mut left) = (self.now, self.left[seat]);
        while left > 0 || self.closed(seat, hour) {
            if !self.closed(seat, hour) {
                left -= 1;
            }
            hour += 1;
        }
        Some(hour)
    }

    fn advance(&mut self, now: i64) {
        while self.now < now {
            if let Some(seat) = self
                .to_move
                .filter(|&seat| !self.paused && !self.closed(seat, self.now))
            {
                self.left[seat] = (self.left[seat] - 1).max(0);
            }
            self.now += 1;
        }
    }

    /// Follows what a match of two tells.
    fn follow(&mut self, told: &Happening) {
        match told {
            Happening::Turn { seat, .. } => {
                self.shown.push(self.left);
                let seat = seat.index();
                if self.to_move != Some(seat) {
                    return;
                }
                match self.control.limit {
                    Limit::PerTurn(span) => self.left[seat] = span.seconds() / HOUR,
                    Limit::Budget { increment, cap, .. } => {
                        let more = self.left[seat] + increment.seconds() / HOUR;
                        self.left[seat] = more.min(cap.seconds() / HOUR).max(self.left[seat]);
                    }
                    Limit::None => {}
                }
                self.to_move = Some(1 - seat);
            }
            Happening::TakenBack { turns, .. } => {
                let to = self.shown.len() - turns.len();
                self.left = self.shown[to];
                self.shown.truncate(to);
                self.to_move = Some(to % 2);
            }
            Happening::Paused { .. } => self.paused = true,
            Happening::Continued { .. } => self.paused = false,
            Happening::Extended { seat, span, .. } => {
                self.left[seat.index()] += span.seconds() / HOUR;
                self.gifts[seat.index()] += span.seconds() / HOUR;
            }
            Happening::Finished { .. } => (self.to_move, self.paused) = (None, false),
            _ => {}
        }
    }

    fn cap(&self) -> i64 {
        match self.control.limit {
            Limit::Budget { cap, .. } => cap.seconds() / HOUR,
            limit => limit.start() / HOUR,
        }
    }
}

/// What a step tries, in the words of the match.
fn action(game: &Match, step: &Step, now: i64) -> (Actor, Action) {
    let legal = game.table().legal().unwrap_or_default();
    let pick = |offset: usize| {
        legal
            .get((step.pick + offset) % legal.len().max(1))
            .cloned()
            .unwrap_or_default()
    };
    let by = Actor::Seat(step.seat);
    let action = match step.what {
        What::Turn => {
            // Mostly by who is to move.
            let mover = game.to_move().filter(|_| !step.pick.is_multiple_of(8));
            let turn = Action::Turn {
                text: pick(0),
                number: None,
            };
            return (Actor::Seat(mover.unwrap_or(step.seat)), turn);
        }
        What::Nonsense => Action::Turn {
            text: "z99".to_string(),
            number: None,
        },
        What::Condition => Action::Condition {
            chain: vec![(pick(0), pick(7)), (pick(3), pick(11))][..1 + step.pick % 2].to_vec(),
        },
        What::Drop => Action::Drop,
        What::Draw => Action::OfferDraw,
        What::Undo => Action::AskUndo,
        What::Pause => Action::AskPause,
        What::Accept => Action::Accept,
        What::Reject => Action::Reject,
        What::Continue => Action::Continue,
        What::Claim => Action::Claim,
        What::Extend => Action::Extend {
            by: Span::hours(1 + step.pick as i64 % 48),
        },
        What::Say => Action::Say {
            text: "hello".to_string(),
        },
        What::Resign => Action::Resign,
        What::Vacation => {
            let from = now + 1 + step.pick as i64 % 50;
            let until = from + step.pick as i64 % 90;
            let windows = vec![Window {
                from: START + from * HOUR,
                until: START + until * HOUR,
            }];
            let seat = step.seat;
            return (Actor::Server, Action::Vacation { seat, windows });
        }
        What::Outage => {
            let window = Window {
                from: START + (now - step.wait) * HOUR,
                until: START + now * HOUR,
            };
            return (Actor::Server, Action::Outage { window });
        }
    };
    (by, action)
}

/// Everything that can be asked of a match, to be compared.
fn shown(game: &Match) -> (serde_json::Value, String) {
    let inside = format!(
        "{:?} {:?} {:?} {:?}",
        game.clocks, game.conditions, game.notes, game.pending
    );
    (game.json(), inside)
}

/// Offers are answered once, and by somebody else.
#[derive(Default)]
struct Offers {
    pending: Option<(Seat, Offer)>,
    answered: Vec<Seat>,
}

impl Offers {
    fn follow(&mut self, told: &Happening) {
        match *told {
            Happening::Offered { seat, offer } => {
                assert_eq!(self.pending, None, "an offer took the place of another unseen");
                self.pending = Some((seat, offer));
                self.answered.clear();
            }
            Happening::Answered {
                seat,
                offer,
                by,
                accepted,
            } => {
                assert_eq!(self.pending, Some((seat, offer)));
                assert!(by != seat && !self.answered.contains(&by), "answered twice");
                self.answered.push(by);
                if !accepted {
                    self.pending = None;
                }
            }
            Happening::Lapsed { seat, offer, .. } => {
                assert_eq!(self.pending.take(), Some((seat, offer)));
            }
            Happening::TakenBack { .. } | Happening::Paused { .. } | Happening::Finished { .. } => self.pending = None,
            _ => {}
        }
    }
}

/// A step of any match, and the laws that need no model. Gives what was told.
fn walk(game: &mut Match, entries: &mut Vec<Entry>, step: &Step, now: i64) -> Vec<Happening> {
    let at = START + now * HOUR;
    let (by, action) = action(game, step, now);
    let mut told = Vec::new();
    if !matches!(action, Action::Outage { .. }) {
        let ticked = game.tick(at);
        entries.extend(ticked.entries);
        told.extend(ticked.happened);
    }
    let before = shown(game);
    let over = game.is_over();
    let says = matches!(action, Action::Say { .. });
    match game.act(at, by, action) {
        Ok(done) => {
            assert!(!over || says, "a finished match changed");
            entries.extend(done.entries);
            told.extend(done.happened);
        }
        Err(refused) => {
            assert_eq!(shown(game), before, "refused ({refused:?}), and yet something changed");
            assert!(!over || refused == Refused::Over || says);
        }
    }
    let ticked = game.tick(at);
    entries.extend(ticked.entries);
    told.extend(ticked.happened);
    assert_eq!(game.tick(at), Done::default(), "ticked twice at one instant");
    if let Some(seat) = game.to_move() {
        assert!(game.conditions(seat).is_empty(), "a condition waits for its writer");
    }
    for due in game.reminders_due(at, &Mark::DEFAULT) {
        let done = game.act(at, Actor::Server, Action::Remind { mark: due.mark }).unwrap();
        entries.extend(done.entries);
    }
    assert_eq!(game.reminders_due(at, &Mark::DEFAULT), []);
    told
}

/// The stored events give the same match, and the record of it reads back.
fn is_stored(game: &Match, entries: &[Entry]) {
    let stored = serde_json::to_string(entries).unwrap();
    let read: Vec<Entry> = serde_json::from_str(&stored).unwrap();
    assert!(read.is_sorted_by_key(|entry| entry.at));
    let again = Match::replay(game.head().clone(), &read).unwrap();
    assert_same(&again, game);
    is_recorded(game, entries);
    let record = Record::of(game, None, true);
    let text = record.to_text();
    let read = Record::parse(&text).unwrap();
    assert_eq!(read.to_text(), text);
    assert_eq!(Record::from_json(&record.to_json()).unwrap(), record);
    let (head, events) = read.into_match();
    let imported = Match::replay(head, &events).unwrap();
    assert_eq!(Record::of(&imported, None, true), record);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_match_of_two_keeps_the_laws(time in time(), steps in prop::collection::vec(step(2), 1..60)) {
        let terms = terms("susan", &[("side", "3")], &time);
        let mut model = Model::new(terms.time);
        let mut game = begin(terms);
        let (mut entries, mut offers, mut now) = (Vec::new(), Offers::default(), 0);
        for step in &steps {
            now += step.wait;
            if let What::Outage = step.what {
                model.outages.extend(now - step.wait..now);
            }
            let due = model.deadline().filter(|&hour| hour <= now && !model.control.soft);
            let told = walk(&mut game, &mut entries, step, now);
            model.advance(due.unwrap_or(now));
            for told in &told {
                if let Happening::TimeLost { seat, claimed_by, .. } = told {
                    prop_assert_eq!(model.left[seat.index()], 0);
                    prop_assert!(claimed_by.is_some() || !model.closed(seat.index(), model.now), "lost on vacation");
                }
                model.follow(told);
                offers.follow(told);
                if let Happening::Vacation { seat } = told {
                    let from = now + 1 + step.pick as i64 % 50;
                    let vacation = &mut model.vacations[seat.index()];
                    vacation.retain(|&hour| hour < now);
                    vacation.extend(from..from + step.pick as i64 % 90);
                }
            }
            model.advance(now);
            prop_assert_eq!(game.offer(), offers.pending);
            prop_assert_eq!(game.to_move().map(Seat::index), model.to_move);
            if game.is_over() {
                prop_assert_eq!(game.deadline(), None);
                continue;
            }
            let soft_and_past = model.control.soft && game.deadline().is_some_and(|deadline| deadline <= START + now * HOUR);
            if !soft_and_past {
                prop_assert_eq!(game.deadline(), model.deadline().map(|hour| START + hour * HOUR));
            }
            for seat in [X, O] {
                let left = game.time_left(seat, START + now * HOUR).unwrap();
                prop_assert_eq!(left, model.left[seat.index()] * HOUR);
                prop_assert!(left <= (model.cap() + model.gifts[seat.index()]) * HOUR, "above its cap");
            }
        }
        is_stored(&game, &entries);
    }

    #[test]
    fn a_match_of_three_or_four_keeps_the_laws(
        (seats, steps) in (3..=4u8).prop_flat_map(|seats| (Just(seats), prop::collection::vec(step(seats), 1..60))),
        time in time(),
    ) {
        let count = seats.to_string();
        let mut game = begin(terms("susan", &[("side", "3"), ("seats", &count)], &time));
        let (mut entries, mut offers, mut now) = (Vec::new(), Offers::default(), 0);
        for step in &steps {
            now += step.wait;
            for told in walk(&mut game, &mut entries, step, now) {
                offers.follow(&told);
            }
            prop_assert_eq!(game.offer(), offers.pending);
            let end = game.deadline().filter(|_| !game.head().terms.time.soft);
            prop_assert!(end.is_none_or(|end| end > START + now * HOUR), "a deadline passed unseen");
        }
        is_stored(&game, &entries);
    }

    #[test]
    fn every_game_is_stored_and_read_back(
        game in prop::sample::select(vec!["medusa", "lotus", "rosette", "medusa-shogi"]),
        steps in prop::collection::vec((0..10_000usize, any::<bool>()), 1..25),
    ) {
        let mut game = begin(terms(game, &[], &[]));
        let mut entries = Vec::new();
        for (minute, (pick, pass)) in steps.into_iter().enumerate() {
            let Some(seat) = game.to_move() else { break };
            let steps = game.table().steps();
            let text = match (game.status(), steps.len()) {
                (Status::Counting, _) => if pass { "dead none" } else { "resume" }.to_string(),
                (_, 0) => "resign".to_string(),
                (_, many) => if pass && pick % 3 == 0 { "pass".to_string() } else { steps[pick % many].clone() },
            };
            let turn = Action::Turn { text, number: None };
            if let Ok(done) = game.act(START + minute as i64 * 60, Actor::Seat(seat), turn) {
                entries.extend(done.entries);
            }
        }
        is_stored(&game, &entries);
    }

    #[test]
    fn a_limit_reads_as_it_is_written(days in 1..400i64, more in 0..2000i64, cap in 0..100i64) {
        for text in [format!("{days}d+{more}h/{}d", days + cap), format!("{days}d"), format!("{days}d+{more}m")] {
            let limit: Limit = text.parse().unwrap();
            prop_assert_eq!(limit.to_string().parse::<Limit>(), Ok(limit));
        }
    }

    #[test]
    fn any_text_is_a_record_or_an_error(text in "(\\[[A-Za-z]{1,7} \"[ -~]{0,12}\"\\]\n|[a-i][1-9](-[a-i][1-9])? ; [0-9TZ:-]{0,20}\n|.{0,20}\n){0,20}") {
        if let Ok(record) = Record::parse(&text) {
            prop_assert_eq!(Record::parse(&record.to_text()).unwrap(), record);
        }
    }
}
