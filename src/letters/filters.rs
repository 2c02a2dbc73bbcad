//! What templates may call beside minijinja's own filters.
//!
//! | in a template | gives |
//! |---|---|
//! | `{{ seconds \| span }}` | `3 days 4 hours` |
//! | `{{ timestamp \| when }}`, `{{ timestamp \| when("Europe/Berlin") }}` | `Wed 9 Dec 2026, 07:40 UTC`, in the reader's zone |
//! | `{{ timestamp \| day }}` | `9 Dec 2026` |
//! | `{{ number \| count("stone") }}` | `1 stone`, `3 stones`, from `words.count.stone` |
//! | `{{ number \| ordinal }}` | `4th` |
//! | `{{ clause \| sentence }}` | the clause with a capital, unless a cell (`e5`) begins it |
//! | `{{ list \| listed }}` | `a, b and c` |
//! | `{{ cell \| josa("을/를") }}` | the cell with its Korean particle: `d4를`, `d3을`, see [`super::josa`] |
//! | `{{ name \| command }}` | a command by its word in the language: `기권` for `resign` |
//! | `{{ line \| spelled(name) }}` | how a command is written, or an example of it, in the words of the language |
//! | `{{ text \| wrap }}`, `{{ text \| wrap(60) }}` | paragraphs flowed anew |
//! | `{{ text \| quote }}` | each line behind `\| ` |
//! | `{{ list \| columns(2) }}` | the entries in two columns, row by row |
//! | `{{ turns \| numbered }}` | turns as `7. X c4-c5`, for `columns` |
//! | `{{ letter \| seat }}` | `White` for `W`: a seat as sentences name it |
//! | `{{ letters \| man }}` | `Morph-Bishop` for `+B` |
//! | `{{ word("board.to-move", who="X") }}` | a phrase of a catalog in the same language |

use super::templates::invalid;
use super::{josa, text};
use chrono::{DateTime, Datelike, Timelike};
use chrono_tz::Tz;
use minijinja::value::{Kwargs, Rest};
use minijinja::{Environment, Error, State, Value, context};

pub(super) fn add_to(environment: &mut Environment<'static>) {
    environment.add_filter("span", span);
    environment.add_filter("when", when);
    environment.add_filter("day", day);
    environment.add_filter("count", count);
    environment.add_filter("ordinal", |state: &State, number: i64| {
        phrase(state, "words.ordinal", context! { number })
    });
    environment.add_filter("sentence", |clause: String| text::sentence_case(&clause));
    environment.add_filter("listed", listed);
    environment.add_filter("josa", |text: String, pair: String| {
        josa::with_particle(&text, &pair).ok_or_else(|| invalid(format!("{pair} is no pair of particles")))
    });
    environment.add_filter("command", |state: &State, name: String| command(state, &name));
    environment.add_filter("spelled", spelled);
    environment.add_filter("wrap", |state: &State, text: String, columns: Option<usize>| {
        text::wrap(&text, columns.unwrap_or_else(|| line_length(state)))
    });
    environment.add_filter("quote", |state: &State, text: String| {
        text::quote(&text, line_length(state))
    });
    environment.add_filter("columns", |state: &State, entries: Vec<String>, count: usize| {
        text::columns(&entries, count, table_width(state))
    });
    environment.add_filter("numbered", numbered);
    environment.add_filter("seat", seat);
    environment.add_filter("man", man);
    environment.add_function("word", word);
}

/// Columns in a line of text: no end of them where lines flow by themselves.
fn line_length(state: &State) -> usize {
    if is_html(state) { usize::MAX } else { text::COLUMNS }
}

/// Columns that entries under each other may take.
fn table_width(state: &State) -> usize {
    if is_html(state) {
        text::NARROW_COLUMNS
    } else {
        text::COLUMNS
    }
}

fn is_html(state: &State) -> bool {
    state
        .lookup("medium")
        .is_some_and(|medium| medium.as_str() == Some("html"))
}

fn phrase(state: &State, key: &str, context: Value) -> Result<String, Error> {
    // The environment puts the language of the calling template before the name.
    state.get_template(key)?.render(context)
}

fn word(state: &State, key: String, _positional: Rest<Value>, fields: Kwargs) -> Result<String, Error> {
    let names: Vec<String> = fields.args().map(String::from).collect();
    let mut pairs: Vec<(String, Value)> = Vec::new();
    for name in names {
        let value = fields.get::<Value>(&name)?;
        pairs.push((name, value));
    }
    phrase(state, &key, Value::from_pairs(pairs))
}

fn seat(state: &State, letter: String) -> Result<String, Error> {
    match state.get_template(&format!("seats.{letter}")) {
        Ok(template) => template.render(()),
        Err(_) => Ok(letter),
    }
}

fn man(state: &State, letters: String) -> Result<String, Error> {
    let letter = letters.trim_start_matches('+').to_uppercase();
    let man = phrase(state, &format!("men.{letter}"), context! {})?;
    if letters.starts_with('+') {
        phrase(state, "men.morph", context! { man })
    } else {
        Ok(man)
    }
}

/// The word for a command in the language of the template; where it has none, the word of the table.
fn command(state: &State, name: &str) -> Result<String, Error> {
    let word = match state.get_template(&format!("commands.{name}.word")) {
        Ok(template) => template.render(())?,
        Err(_) => name.to_string(),
    };
    Ok(word)
}

/// A line of the table of commands (`challenge PLAYER GAME [OPTION …]`, `challenge bob susan`) with the command, the
/// places to fill in and the other words of the language that stand in `commands.spelled` as this language has them.
fn spelled(state: &State, line: String, name: String) -> Result<String, Error> {
    let mut said = String::with_capacity(line.len());
    for piece in line.split_inclusive(|letter: char| !letter.is_ascii_alphabetic()) {
        let word = piece.trim_end_matches(|letter: char| !letter.is_ascii_alphabetic());
        let behind = piece.strip_prefix(word).unwrap_or_default();
        if word == name {
            said.push_str(&command(state, word)?);
        } else {
            match state.get_template(&format!("commands.spelled.{word}")) {
                Ok(template) if !word.is_empty() => said.push_str(&template.render(())?),
                _ => said.push_str(word),
            }
        }
        said.push_str(behind);
    }
    Ok(said)
}

fn numbered(state: &State, turns: Vec<Value>) -> Result<Vec<String>, Error> {
    let digits = |turn: &Value| Ok::<_, Error>(turn.get_attr("number")?.to_string().len());
    let widest = turns
        .iter()
        .map(digits)
        .try_fold(0, |widest, len| Ok::<_, Error>(len?.max(widest)))?;
    turns
        .iter()
        .map(|turn| {
            let number = format!("{:>widest$}", turn.get_attr("number")?.to_string());
            let seat = seat(state, turn.get_attr("seat")?.to_string())?;
            phrase(
                state,
                "words.numbered",
                context! { number, seat, text => turn.get_attr("text")? },
            )
        })
        .collect()
}

/// A length of time by its two greatest units. What is left below a minute is said as such.
fn span(state: &State, seconds: i64) -> Result<String, Error> {
    let minutes = seconds.max(0) / 60;
    let units = [
        ("day", minutes / 1440),
        ("hour", minutes / 60 % 24),
        ("minute", minutes % 60),
    ];
    let said: Vec<_> = units
        .iter()
        .skip_while(|(_, number)| *number == 0)
        .take(2)
        .filter(|(_, number)| *number > 0)
        .map(|(unit, number)| count(state, *number, unit.to_string()))
        .collect::<Result<_, _>>()?;
    match said.as_slice() {
        [] => phrase(state, "words.moment", context! {}),
        said => Ok(said.join(" ")),
    }
}

fn count(state: &State, number: i64, what: String) -> Result<String, Error> {
    let form = if number == 1 { "one" } else { "other" };
    phrase(state, &format!("words.count.{what}.{form}"), context! { number })
}

fn listed(state: &State, entries: Vec<String>) -> Result<String, Error> {
    match entries.as_slice() {
        [] => Ok(String::new()),
        [only] => Ok(only.clone()),
        [first @ .., last] => phrase(
            state,
            "words.list",
            context! { first => first.join(&phrase(state, "words.list-comma", context! {})?), last },
        ),
    }
}

fn local_time(state: &State, timestamp: i64, zone: Option<String>) -> Result<DateTime<Tz>, Error> {
    let zone = match zone {
        Some(zone) => zone,
        None => state
            .lookup("timezone")
            .and_then(|zone| zone.as_str().map(String::from))
            .unwrap_or_else(|| Tz::UTC.name().to_string()),
    };
    let zone: Tz = zone.parse().map_err(|_| invalid(format!("{zone} is no time zone")))?;
    DateTime::from_timestamp(timestamp, 0)
        .map(|time| time.with_timezone(&zone))
        .ok_or_else(|| invalid(format!("{timestamp} is no time")))
}

fn when(state: &State, timestamp: i64, zone: Option<String>) -> Result<String, Error> {
    let time = local_time(state, timestamp, zone)?;
    let weekday = time.weekday().num_days_from_monday();
    phrase(
        state,
        "words.when",
        context! {
            weekday => phrase(state, &format!("words.weekdays.{weekday}"), context! {})?,
            day => day_of(state, &time)?,
            time => format!("{:02}:{:02}", time.hour(), time.minute()),
            zone => time.format("%Z").to_string(),
        },
    )
}

fn day(state: &State, timestamp: i64, zone: Option<String>) -> Result<String, Error> {
    day_of(state, &local_time(state, timestamp, zone)?)
}

fn day_of(state: &State, time: &DateTime<Tz>) -> Result<String, Error> {
    let month = phrase(state, &format!("words.months.{}", time.month0()), context! {})?;
    phrase(
        state,
        "words.day",
        context! { day => time.day(), month, year => time.year() },
    )
}
