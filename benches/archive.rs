//! A large archive: searched, exported, and made a web site of: `cargo bench --bench archive`.
//!
//! A number behind it (`-- 1000`) takes another size than 100,000 matches.

use std::error::Error;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;
use std::time::{Duration, Instant};

use playpost::archive::{self, Canonical, Import, Plan};
use playpost::games::{self, Table};
use playpost::letters::Templates;
use playpost::matches::{Record, RecordLine, TimeControl, Verdict};
use playpost::store::{Filter, Store, StoreError};
use serde_json::Map;

type Outcome<T> = Result<T, Box<dyn Error>>;

const MATCHES: u32 = 100_000;
const PLAYERS: u32 = 2_000;
/// Matches of which a site is made.
const SITE: u32 = 1_000;
/// Searches of a kind.
const SEARCHES: u32 = 25;
/// Records exported in one transaction.
const BATCH: usize = 1_000;
/// 2020-01-01T00:00:00Z; a match begins every half hour.
const START: i64 = 1_577_836_800;
const HALF_HOUR: i64 = 1_800;
const ADDRESS: &str = "play@example.org";

/// What is played: of a hundred matches so many, game, options, and for how many turns at most.
type Kind = (u32, &'static str, &'static [(&'static str, &'static str)], usize);

const KINDS: [Kind; 6] = [
    (86, "susan", &[], 400),
    (6, "susan", &[("seats", "3")], 60),
    (2, "lotus", &[("nocount", "")], 24),
    (2, "rosette", &[("side", "3")], 24),
    (2, "medusa", &[], 12),
    (2, "medusa-shogi", &[], 30),
];

fn main() -> Outcome<()> {
    let matches = std::env::args()
        .find_map(|argument| argument.parse().ok())
        .unwrap_or(MATCHES);
    let place = tempfile::tempdir_in(".")?;
    let mut store = imported(place.path(), "all", matches)?;
    measure_search(&mut store, matches)?;
    measure_positions(&mut store, matches)?;
    measure_export(&mut store, &place.path().join("out.jsonl"))?;
    let mut few = imported(place.path(), "few", matches.min(SITE))?;
    measure_site(&mut few, &place.path().join("site"))
}

/// Numbers that look random and are the same each time.
struct Chance(u64);

impl Chance {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % limit
    }
}

/// The kind of the match of this number.
fn kind(number: u32) -> (&'static str, Vec<(String, Option<String>)>, usize) {
    let mut share = number % 100;
    for (count, game, options, turns) in KINDS {
        if share < count {
            let value = |value: &str| (!value.is_empty()).then(|| value.to_string());
            let options = options.iter().map(|(name, text)| (name.to_string(), value(text)));
            return (game, options.collect(), turns);
        }
        share -= count;
    }
    ("susan", Vec::new(), 400)
}

/// A match of random turns, which the player to move resigns where it has not ended.
fn record(number: u32) -> Outcome<Record> {
    let mut chance = Chance(u64::from(number).wrapping_mul(0x9E37_79B9_7F4A_7C15));
    let (game, options, most) = kind(number);
    let game = games::find(game).ok_or("no such game")?;
    let mut table = (game.start)(&options)?;
    let start = START + HALF_HOUR * i64::from(number);
    let mut lines = Vec::new();
    let play = |table: &mut Box<dyn Table>, text: &str, lines: &mut Vec<RecordLine>| {
        let at = start + 600 * (lines.len() as i64 + 1);
        let turn = table.play(None, text).map(|played| played.text).unwrap_or_default();
        lines.push(RecordLine::Turn { turn, at: Some(at) });
    };
    while table.outcome().is_none() && lines.len() < most {
        let steps = table.steps();
        // In a counting no step is listed.
        if steps.is_empty() {
            break;
        }
        play(&mut table, &steps[chance.below(steps.len())], &mut lines);
    }
    while table.outcome().is_none() {
        play(&mut table, "resign", &mut lines);
    }
    let outcome = table.outcome().ok_or("the match goes on")?;
    let seats = table.seats().len() as u32;
    let first = chance.below(PLAYERS as usize) as u32;
    Ok(Record {
        game: game.info.name.to_string(),
        options: table
            .options()
            .into_iter()
            .map(|(name, value)| (name.to_string(), value))
            .collect::<Map<_, _>>(),
        number,
        site: None,
        rules_version: game.info.rules_version,
        players: (0..seats).map(|seat| userid((first + seat) % PLAYERS)).collect(),
        start,
        end: Some(start + 600 * lines.len() as i64),
        time: TimeControl::default(),
        rated: true,
        result: outcome.winner.map(Verdict::Winner).or(Some(Verdict::Draw)),
        reason: Some(outcome.reason.to_string()),
        others: Vec::new(),
        setup: None,
        lines,
    })
}

fn userid(player: u32) -> String {
    format!("player{player:04}")
}

/// A database with so many matches, entered by the import.
fn imported(place: &Path, name: &str, matches: u32) -> Outcome<Store> {
    let path = place.join(format!("{name}.jsonl"));
    let mut file = BufWriter::new(File::create(&path)?);
    for number in 1..=matches {
        writeln!(file, "{}", record(number)?.to_json())?;
    }
    file.flush()?;
    let mut store = Store::open(&place.join(name))?;
    let begun = Instant::now();
    let mut wrong = |failing: &archive::Failing| println!("{failing:?}");
    let mut import = Import::new(&mut store, &mut wrong);
    import.file(&path)?;
    assert_eq!(import.finish()?.taken, matches as usize);
    let (time, size) = (begun.elapsed(), std::fs::metadata(store.path())?.len());
    println!(
        "import of {matches} matches, every turn checked: {time:.2?}, {} (the database has {} MB)",
        rate(matches as usize, time),
        size / 1_000_000
    );
    Ok(store)
}

fn rate(count: usize, time: Duration) -> String {
    format!("{:.0} a second", count as f64 / time.as_secs_f64())
}

/// The median and the slowest time of some searches, and how many matches they found on average.
fn measure(what: &str, mut search: impl FnMut(u32) -> Outcome<usize>) -> Outcome<()> {
    let (mut times, mut found) = (Vec::new(), 0);
    for index in 0..SEARCHES {
        let begun = Instant::now();
        found += search(index)?;
        times.push(begun.elapsed());
    }
    times.sort();
    let (median, slowest) = (times[times.len() / 2], times[times.len() - 1]);
    println!(
        "{what}: median {median:.2?}, slowest {slowest:.2?} ({} found on average)",
        found / SEARCHES as usize
    );
    Ok(())
}

fn measure_search(store: &mut Store, matches: u32) -> Outcome<()> {
    let mut search = |filter: Filter| -> Outcome<usize> {
        let filter = Filter {
            private_all: true,
            ..filter
        };
        Ok(store.read(|tx| Ok::<_, StoreError>(tx.search_archive(&filter)?.len()))?)
    };
    let player = |index: u32| vec![userid((index * 37) % PLAYERS)];
    let day = |index: u32| START + HALF_HOUR * i64::from(matches) * i64::from(index) / i64::from(SEARCHES);
    measure("search by player", |index| {
        let userids = player(index);
        search(Filter {
            userids,
            ..Filter::default()
        })
    })?;
    measure("search by a week", |index| {
        let (since, until) = (Some(day(index)), Some(day(index) + 7 * 86_400));
        search(Filter {
            since,
            until,
            ..Filter::default()
        })
    })?;
    measure("search by player and year", |index| {
        let (userids, since, until) = (player(index), Some(day(index)), Some(day(index) + 365 * 86_400));
        search(Filter {
            userids,
            since,
            until,
            ..Filter::default()
        })
    })?;
    measure("the first page of a mail, by player since a day", |index| {
        let (userids, since) = (player(index), Some(day(index)));
        search(Filter {
            userids,
            since,
            limit: 20,
            ..Filter::default()
        })
    })
}

/// Positions after some turn of matches of the most common kind.
fn measure_positions(store: &mut Store, matches: u32) -> Outcome<()> {
    for turn in [20, 8, 3, 2, 1] {
        // Numbers that are whole hundreds are of the first kind; some matches are shorter.
        let numbers = (100..=matches).step_by(100);
        let wanted: Vec<Canonical> = numbers
            .filter_map(|number| store.read(|tx| archive::position_in(tx, number, turn)).ok())
            .take(SEARCHES as usize)
            .collect();
        measure(&format!("search by the position after turn {turn}"), |index| {
            let filter = Filter {
                private_all: true,
                ..Filter::default()
            };
            let position = wanted
                .get(index as usize % wanted.len().max(1))
                .ok_or("no match is long enough")?;
            let found = store.read(|tx| archive::search(tx, position, &filter))?;
            assert!(!found.is_empty());
            Ok(found.len())
        })?;
    }
    Ok(())
}

fn measure_export(store: &mut Store, path: &Path) -> Outcome<()> {
    let begun = Instant::now();
    let filter = Filter {
        private_all: true,
        ..Filter::default()
    };
    let numbers = store.read(|tx| tx.numbers_of_archive(&filter))?;
    let mut file = BufWriter::new(File::create(path)?);
    for batch in numbers.chunks(BATCH) {
        let lines = store.read(|tx| archive::export_all(tx, batch, ADDRESS, false, Record::to_json))?;
        for line in lines {
            writeln!(file, "{}", line?)?;
        }
    }
    file.flush()?;
    let time = begun.elapsed();
    println!(
        "export of {} matches as JSON lines: {time:.2?}, {}",
        numbers.len(),
        rate(numbers.len(), time)
    );
    Ok(())
}

fn measure_site(store: &mut Store, dir: &Path) -> Outcome<()> {
    let templates = Templates::new(None)?;
    let plan = Plan {
        dir,
        title: None,
        address: ADDRESS,
        language: "en",
        now: START,
        templates: &templates,
    };
    let begun = Instant::now();
    let made = archive::write_site(store, &plan, |_, _| {})?;
    println!(
        "site of {} matches, {} files: {:.2?}",
        made.matches,
        made.files,
        begun.elapsed()
    );
    Ok(())
}
