//! `playpost rules …`: the rules engines without mail, store and configuration. Its output is a contract (RULES_CLI.md).

mod arguments;
pub(super) mod captions;
mod turns;

use super::Failure;
use crate::games::{self, GAMES, Registration, Table};
use arguments::Arguments;
use clap::{Args, Subcommand};
use rand::{RngExt, SeedableRng, rngs::Xoshiro256PlusPlus};
use serde_json::json;
use std::io::{self, BufWriter, Write};
use std::time::{Duration, Instant};
use turns::TurnsFile;

/// `playpost rules`
#[derive(Debug, Args)]
pub struct RulesArgs {
    #[command(subcommand)]
    command: RulesCommand,
}

// Game options have one dash (`-side=6`), which clap cannot read: everything behind the subcommand is read by hand.
#[derive(Debug, Subcommand)]
enum RulesCommand {
    /// The games with their seats and options
    List,
    /// The rules as a player reads them, and the starting board: show GAME [-OPTION…]
    Show(Rest),
    /// Plays turns and prints the position reached: replay GAME [-OPTION…] [--json] [--each] [FILE]
    Replay(Rest),
    /// The legal moves after some turns, one a line: legal GAME [-OPTION…] [--json] [FILE]
    Legal(Rest),
    /// Counts move sequences: perft GAME [-OPTION…] --depth N [--divide] [FILE]
    Perft(Rest),
    /// Plays random games: playouts GAME [-OPTION…] --count N --seed S
    Playouts(Rest),
}

#[derive(Debug, Args)]
struct Rest {
    /// The game, its options with one dash, and what else the command takes, in any order
    #[arg(value_name = "GAME", trailing_var_arg = true, allow_hyphen_values = true)]
    words: Vec<String>,
}

/// Carries out `playpost rules …` on standard output.
///
/// # Errors
///
/// Wrong use (an unknown game, option or file), or a turn or position text that is refused.
pub fn run(args: &RulesArgs) -> Result<(), Failure> {
    let mut out = BufWriter::new(io::stdout().lock());
    let result = match &args.command {
        RulesCommand::List => list(&mut out),
        RulesCommand::Show(rest) => show(&mut out, &rest.words),
        RulesCommand::Replay(rest) => replay(&mut out, &rest.words),
        RulesCommand::Legal(rest) => legal(&mut out, &rest.words),
        RulesCommand::Perft(rest) => perft(&mut out, &rest.words),
        RulesCommand::Playouts(rest) => playouts(&mut out, &rest.words),
    };
    out.flush()?;
    result
}

fn list(out: &mut impl Write) -> Result<(), Failure> {
    for game in GAMES {
        let info = game.info;
        let seats: Vec<String> = info.seats.chars().map(String::from).collect();
        let counts: Vec<String> = info.seat_counts.iter().map(usize::to_string).collect();
        let options: Vec<String> = info.options.iter().map(option_in_words).collect();
        let (seats, counts, options) = (seats.join(" "), counts.join(", "), options.join("  "));
        writeln!(out, "{:<13} seats {counts} ({seats})  {options}", info.name)?;
    }
    Ok(())
}

fn option_in_words(option: &games::OptionInfo) -> String {
    match (option.values, option.default) {
        ("", "") => format!("-{} (off)", option.name),
        ("", default) => format!("-{} ({default})", option.name),
        (values, default) => format!("-{}={values} ({default})", option.name),
    }
}

fn show(out: &mut impl Write, words: &[String]) -> Result<(), Failure> {
    let arguments = Arguments::read(words, &[], &[])?;
    arguments.takes_no_file()?;
    let table = (arguments.game.start)(&arguments.options).map_err(|error| usage(&error.to_string()))?;
    writeln!(out, "{}\n", captions::rules_page(table.info())?.trim_end())?;
    print_position(out, &*table)
}

fn replay(out: &mut impl Write, words: &[String]) -> Result<(), Failure> {
    let arguments = Arguments::read(words, &["json", "each"], &[])?;
    let (json, each) = (arguments.flag("json"), arguments.flag("each"));
    let mut print = |table: &dyn Table| {
        if json {
            Ok(writeln!(out, "{}", table.json())?)
        } else {
            print_position(out, table)
        }
    };
    let file = TurnsFile::read(arguments.file.as_deref())?;
    let table = play(&arguments, &file, &mut |table| if each { print(table) } else { Ok(()) })?;
    if each { Ok(()) } else { print(&*table) }
}

fn legal(out: &mut impl Write, words: &[String]) -> Result<(), Failure> {
    let arguments = Arguments::read(words, &["json"], &[])?;
    let table = reached(&arguments)?;
    let moves = table.steps();
    if arguments.flag("json") {
        let mut object = table.json();
        object["moves"] = json!(moves);
        writeln!(out, "{object}")?;
    } else {
        for turn in moves {
            writeln!(out, "{turn}")?;
        }
    }
    Ok(())
}

fn perft(out: &mut impl Write, words: &[String]) -> Result<(), Failure> {
    let arguments = Arguments::read(words, &["divide"], &["depth"])?;
    let depth = arguments
        .number("depth")
        .ok_or_else(|| usage("perft needs --depth N"))?;
    let depth = u32::try_from(depth).map_err(|_| usage("--depth is too large"))?;
    let table = reached(&arguments)?;
    let not_offered = || {
        usage(&format!(
            "{} offers no perft: its turns cannot be listed",
            table.info().name
        ))
    };
    let begin = Instant::now();
    let nodes = if arguments.flag("divide") && depth > 0 {
        let parts = table.divide(depth).ok_or_else(not_offered)?;
        for (turn, nodes) in &parts {
            writeln!(out, "{turn} {nodes}")?;
        }
        parts.iter().map(|(_, nodes)| nodes).sum()
    } else {
        table.perft(depth).ok_or_else(not_offered)?
    };
    let time = begin.elapsed();
    let seconds = time.as_secs_f64();
    writeln!(
        out,
        "nodes {nodes}  seconds {seconds:.3}  nodes/s {:.0}",
        rate(nodes, time)
    )?;
    Ok(())
}

fn playouts(out: &mut impl Write, words: &[String]) -> Result<(), Failure> {
    let arguments = Arguments::read(words, &[], &["count", "seed"])?;
    arguments.takes_no_file()?;
    let count = arguments
        .number("count")
        .ok_or_else(|| usage("playouts needs --count N"))?;
    let seed = arguments
        .number("seed")
        .ok_or_else(|| usage("playouts needs --seed S"))?;
    let table = (arguments.game.start)(&arguments.options).map_err(|error| usage(&error.to_string()))?;
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut won = vec![0u64; table.seats().len()];
    let (mut draws, mut turns) = (0u64, 0u64);
    let begin = Instant::now();
    for _ in 0..count {
        let (outcome, length) = table.playout(&mut |choices| random.random_range(0..choices));
        turns += u64::from(length);
        match outcome.and_then(|outcome| outcome.winner) {
            Some(seat) => won[seat.index()] += 1,
            None => draws += 1,
        }
    }
    let time = begin.elapsed();
    for (seat, won) in table.seats().chars().zip(won) {
        writeln!(out, "{seat} won {won}")?;
    }
    let mean = if count == 0 { 0.0 } else { turns as f64 / count as f64 };
    writeln!(out, "draws {draws}")?;
    writeln!(out, "mean length {mean:.2}")?;
    let (games, moves, seconds) = (rate(count, time), rate(turns, time), time.as_secs_f64());
    writeln!(out, "seconds {seconds:.3}  games/s {games:.0}  moves/s {moves:.0}")?;
    Ok(())
}

/// How many a second; 0 where the time was too short to be measured.
fn rate(count: u64, time: Duration) -> f64 {
    if time.is_zero() {
        0.0
    } else {
        count as f64 / time.as_secs_f64()
    }
}

/// The table after the turns of the file.
fn reached(arguments: &Arguments) -> Result<Box<dyn Table>, Failure> {
    let file = TurnsFile::read(arguments.file.as_deref())?;
    play(arguments, &file, &mut |_| Ok(()))
}

/// Plays the turns of a file and shows `position` the start and the position after each turn.
fn play(
    arguments: &Arguments,
    file: &TurnsFile,
    position: &mut dyn FnMut(&dyn Table) -> Result<(), Failure>,
) -> Result<Box<dyn Table>, Failure> {
    // The record's options hold unless the command line gives its own.
    let options = if arguments.options.is_empty() {
        file.options()
    } else {
        arguments.options.clone()
    };
    let mut lines = file.lines();
    let mut table = match file.setup() {
        None => (arguments.game.start)(&options).map_err(|error| usage(&error.to_string()))?,
        Some(text) => (arguments.game.setup)(&options, text).map_err(|error| match error {
            games::SetupError::Option(error) => usage(&error.to_string()),
            games::SetupError::Position(why) => {
                refused(0, &format!("setup {text}"), games::Kind::Unreadable, &why.to_string())
            }
        })?,
    };
    position(&*table)?;
    lines.try_for_each(|line| {
        line.play(&mut *table).or_else(|refusal| {
            let why = captions::why(&refusal.reason)?;
            Err(refused(table.turn() + 1, line.written, refusal.kind, &why))
        })?;
        position(&*table)
    })?;
    Ok(table)
}

fn refused(turn: u32, text: &str, kind: games::Kind, why: &str) -> Failure {
    Failure::Refused(format!("turn {turn}: {}: {kind}: {why}", turns::shown(text)))
}

fn usage(message: &str) -> Failure {
    Failure::Usage(message.to_string())
}

fn print_position(out: &mut impl Write, table: &dyn Table) -> Result<(), Failure> {
    if let Some(turn) = captions::last_turn(table)? {
        writeln!(out, "{turn}\n")?;
    }
    Ok(writeln!(out, "{}\n", captions::board(table)?)?)
}

/// The game of that name, or a line that names those that are known.
fn find(name: &str) -> Result<&'static Registration, Failure> {
    games::find(name).ok_or_else(|| {
        let known: Vec<&str> = GAMES.iter().map(|game| game.info.name).collect();
        usage(&format!(
            "unknown game {:?}: known are {}",
            turns::shown(name),
            known.join(", ")
        ))
    })
}
