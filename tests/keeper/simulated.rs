//! A simulated archive: random matches of all games, with every way to end.

use playpost::archive;
use playpost::games::{Phase, Seat};
use playpost::language::MatchOptions;
use playpost::matches::{Action, Actor, Entry, Head, Match, Terms, Verdict};
use playpost::store::{Store, StoreError};
use std::path::Path;

/// 2026-01-01T00:00:00Z.
const START: i64 = 1_767_225_600;
const HOUR: i64 = 3600;

const PLAYERS: [&str; 7] = ["alice", "bob", "carol", "dave", "Erin", "frank_2", "grace-h"];

/// A kind of match: game, its options, a set-up, and for how many turns it is played at most.
type Kind = (
    &'static str,
    &'static [(&'static str, &'static str)],
    Option<&'static str>,
    usize,
);

const KINDS: [Kind; 13] = [
    ("susan", &[], None, 400),
    ("susan", &[("side", "3")], None, 400),
    ("susan", &[("side", "6")], None, 60),
    ("susan", &[("seats", "3")], None, 60),
    ("susan", &[("seats", "4"), ("side", "4")], None, 60),
    ("susan", &[], Some("5/6/7/8/3OOX3/2O1OX2/3XX2/6/5 X 0"), 60),
    ("medusa", &[], None, 25),
    ("medusa", &[("komi", "5"), ("nocount", "")], None, 20),
    ("lotus", &[], None, 40),
    ("lotus", &[("nocount", ""), ("komi", "1")], None, 40),
    ("rosette", &[("side", "3"), ("komi", "6.5")], None, 50),
    ("rosette", &[("nocount", "")], None, 30),
    ("medusa-shogi", &[], None, 60),
];

/// Numbers that look random and are the same each time.
pub struct Chance(u64);

impl Chance {
    pub fn new(seed: u64) -> Chance {
        Chance(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ 0x5DEE_CE66)
    }

    /// A number below `limit`.
    pub fn below(&mut self, limit: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % limit
    }

    fn one_in(&mut self, number: usize) -> bool {
        self.below(number) == 0
    }
}

/// A finished match and its events.
pub struct Played {
    pub game: Match,
    pub entries: Vec<Entry>,
}

impl Played {
    fn act(&mut self, at: i64, by: Actor, action: Action) -> bool {
        let ticked = self.game.tick(at);
        self.entries.extend(ticked.entries);
        match self.game.act(at, by, action) {
            Ok(done) => {
                self.entries.extend(done.entries);
                true
            }
            Err(_) => false,
        }
    }

    /// Everybody else accepts what was offered.
    fn all_accept(&mut self, at: i64) {
        for seat in self.game.seats() {
            self.act(at, Actor::Seat(seat), Action::Accept);
        }
    }
}

fn typed(pairs: &[(&str, &str)]) -> Vec<(String, Option<String>)> {
    let value = |value: &str| (!value.is_empty()).then(|| value.to_string());
    pairs
        .iter()
        .map(|(name, text)| (name.to_string(), value(text)))
        .collect()
}

fn begin(number: u32, chance: &mut Chance) -> (Played, usize) {
    let (game, options, setup, most) = KINDS[number as usize % KINDS.len()];
    let times = ["10d+36h/10d", "7d", "3d+12h/5d"];
    let mut own = vec![("time", times[chance.below(times.len())])];
    own.extend(chance.one_in(4).then_some(("unrated", "")));
    own.extend(chance.one_in(9).then_some(("private", "")));
    let options = MatchOptions {
        game: typed(options),
        terms: typed(&own),
    };
    let mut terms = Terms::parse(game, &options, None).unwrap();
    terms.setup = setup.map(String::from);
    let first = chance.below(PLAYERS.len());
    let head = Head {
        number,
        players: (0..terms.seats)
            .map(|seat| PLAYERS[(first + seat) % PLAYERS.len()].to_string())
            .collect(),
        terms,
        started: START + i64::from(number) * HOUR,
        rules_version: 1,
    };
    let game = Match::begin(head).unwrap();
    let entries = Vec::new();
    (Played { game, entries }, most)
}

/// A match of this number, the same each time.
pub fn play(number: u32) -> Played {
    let mut chance = Chance::new(number.into());
    let (mut played, most) = begin(number, &mut chance);
    let mut now = played.game.head().started;
    for _ in 0..most {
        now += 60 + chance.below(5 * HOUR as usize) as i64;
        let Some(seat) = played.game.to_move() else {
            return played;
        };
        if chance.one_in(12) {
            let speaker = Seat(chance.below(played.game.head().players.len()) as u8);
            let text = ["Hello!", "Nice \"try\" <b>&amp;\n\n: really", "# a mark; 2026"][chance.below(3)].to_string();
            played.act(now, Actor::Seat(speaker), Action::Say { text });
        }
        if chance.one_in(25) && played.act(now, Actor::Seat(seat), Action::AskUndo) {
            played.all_accept(now);
            continue;
        }
        if chance.one_in(60) {
            played.act(now, Actor::Keeper, Action::TakeBack);
        }
        turn(&mut played, now, &mut chance);
    }
    end(&mut played, now + HOUR, &mut chance);
    assert!(played.game.is_over());
    played
}

/// One turn of the seat to move; in a counting what ends it.
fn turn(played: &mut Played, now: i64, chance: &mut Chance) {
    let Some(seat) = played.game.to_move() else { return };
    let steps = played.game.table().steps();
    let texts = match (played.game.table().phase(), steps.len()) {
        (Phase::Counting, _) => vec!["agree".to_string(), "dead none".to_string()],
        (Phase::Play, 0) => Vec::new(),
        // Passes are rare among so many steps.
        (Phase::Play, _) if chance.one_in(8) => vec!["pass".to_string()],
        (Phase::Play, count) => vec![steps[chance.below(count)].clone()],
    };
    for text in texts {
        if played.act(now, Actor::Seat(seat), Action::Turn { text, number: None }) {
            return;
        }
    }
}

/// Ends a match that goes on.
fn end(played: &mut Played, now: i64, chance: &mut Chance) {
    let Some(seat) = played.game.to_move() else { return };
    let others: Vec<Seat> = played
        .game
        .seats_in()
        .into_iter()
        .filter(|other| *other != seat)
        .collect();
    match chance.below(4) {
        0 => {
            for other in others {
                played.act(now, Actor::Seat(other), Action::Resign);
            }
        }
        1 => {
            played.act(now, Actor::Seat(seat), Action::OfferDraw);
            played.all_accept(now);
        }
        2 => {
            let mut late = now;
            while !played.game.is_over() {
                late += 400 * 24 * HOUR;
                let ticked = played.game.tick(late);
                played.entries.extend(ticked.entries);
            }
        }
        _ => {
            let verdict = match chance.below(3) {
                0 => Verdict::Draw,
                _ => Verdict::Winner(others[0]),
            };
            let reason = "abandoned".to_string();
            played.act(now, Actor::Keeper, Action::Adjudicate { verdict, reason });
        }
    }
}

/// Puts finished matches of the numbers 1 … `count` into the archive of a database, as the server does.
pub fn fill(data: &Path, count: u32) {
    let mut store = Store::open(data).unwrap();
    store
        .write(|tx| {
            for number in 1..=count {
                let Played { game, entries } = play(number);
                let head = serde_json::to_string(game.head())?;
                let events: Vec<_> = entries.iter().map(archive::event).collect::<Result<_, _>>()?;
                let row = archive::row(&game).unwrap();
                tx.archive_match(&row, &head, &events, &[], &archive::won(&game))?;
                tx.set_positions(number, archive::FORM, &archive::positions(&game))?;
            }
            Ok::<_, StoreError>(())
        })
        .unwrap();
}
