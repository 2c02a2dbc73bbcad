//! What every language must have: all that English has, and nothing that nobody asks for.

use super::*;
use crate::language::{self, COMMANDS};
use crate::letters::templates::{FALLBACK_LANGUAGE, compiled_in};
use crate::letters::text::{self, COLUMNS};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// The names of the templates of each language.
fn names() -> BTreeMap<String, BTreeSet<String>> {
    let mut names: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for name in compiled_in().unwrap().keys() {
        let (language, local) = name.split_once('/').unwrap();
        names.entry(language.to_string()).or_default().insert(local.to_string());
    }
    names
}

fn english() -> BTreeSet<String> {
    names().remove(FALLBACK_LANGUAGE).unwrap()
}

/// Every language but English, with its names.
fn others() -> BTreeMap<String, BTreeSet<String>> {
    let mut others = names();
    others.remove(FALLBACK_LANGUAGE);
    assert!(others.contains_key("ko"));
    others
}

/// What only another language than English has: its words for the commands. English has those of the table.
fn is_word_of_the_table(name: &str) -> bool {
    let command = name
        .strip_prefix("commands.")
        .and_then(|rest| rest.strip_suffix(".word"));
    command.is_some() || name.starts_with("commands.spelled.")
}

#[test]
fn every_language_has_all_that_english_has() {
    let english = english();
    let mut wrong = Vec::new();
    for (language, own) in others() {
        // A page of the web site holds no words of its own: it is the same in every language.
        let lacking = english.difference(&own).filter(|name| !name.ends_with(".html"));
        let lacking = lacking.map(|name| format!("{language} lacks {name}"));
        let unknown = own.difference(&english).filter(|name| !is_word_of_the_table(name));
        wrong.extend(lacking);
        wrong.extend(unknown.map(|name| format!("{language}/{name} is nothing that English has")));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Variables that the code gives to phrases whose English needs them not.
fn is_given_anyway(name: &str, variable: &str) -> bool {
    variable == "last" && name.starts_with("effects.")
}

/// What another language says with another word than the variable.
const SAID_WITHOUT: &[(&str, &str)] = &[
    // Forms of the plural, where the number itself is not told.
    ("effects.freed", "number"),
    ("effects.petrified", "number"),
];

#[test]
fn every_phrase_asks_for_what_its_english_asks_for() {
    let english = english();
    let mut wrong = Vec::new();
    for (language, own) in others() {
        for name in own.intersection(&english) {
            let asked = templates().variables(&language, name);
            let known = templates().variables(FALLBACK_LANGUAGE, name);
            let unknown = asked
                .difference(&known)
                .filter(|variable| !is_given_anyway(name, variable));
            wrong.extend(unknown.map(|variable| format!("{language}/{name} asks for {variable}: nobody gives it")));
            let left_out = known
                .difference(&asked)
                .filter(|variable| !SAID_WITHOUT.contains(&(name, variable)));
            wrong.extend(left_out.map(|variable| format!("{language}/{name} leaves out {variable}")));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What `help COMMAND` shows in a language, line by line behind the marks.
fn shown(language: &str, command: &str, lines: &[&str]) -> Vec<String> {
    let command = serde_json::json!({ "word": command, "syntax": [], "examples": lines });
    let context = serde_json::json!({ "commands": [command] });
    let help = templates().render(language, "items/help-topic.txt", context).unwrap();
    let shown = help.lines().filter_map(|line| line.strip_prefix("| "));
    shown.map(String::from).collect()
}

#[test]
fn every_language_has_words_for_the_commands_that_are_understood() {
    for (language, own) in others() {
        for entry in COMMANDS {
            assert!(
                own.contains(&format!("commands.{}.word", entry.word)),
                "{language} has no word for {}",
                entry.word
            );
            for (example, shown) in entry.examples.iter().zip(shown(&language, entry.word, entry.examples)) {
                let read = language::read_line(&shown).unwrap_or_else(|_| panic!("{language}: {shown}"));
                assert_eq!(read.canonical, *example, "{language}: {shown}");
            }
        }
    }
}

#[test]
fn the_places_to_fill_in_have_words_in_every_language() {
    let lines = || {
        COMMANDS
            .iter()
            .flat_map(|entry| entry.syntax.iter().chain(entry.examples))
    };
    let words_of = |line: &'static str| line.split(|letter: char| !letter.is_ascii_alphabetic());
    let written: BTreeSet<&str> = lines().copied().flat_map(words_of).collect();
    let places = written
        .iter()
        .filter(|word| word.len() > 1 && word.bytes().all(|b| b.is_ascii_uppercase()));
    let places: Vec<String> = places.map(|word| format!("commands.spelled.{word}")).collect();
    assert!(places.len() > 10, "{places:?}");
    for (language, own) in others() {
        let lacking: Vec<_> = places.iter().filter(|place| !own.contains(*place)).collect();
        assert!(lacking.is_empty(), "{language} lacks {lacking:?}");
        let spelled = own.iter().filter_map(|name| name.strip_prefix("commands.spelled."));
        let unknown: Vec<_> = spelled.filter(|word| !written.contains(word)).collect();
        assert!(unknown.is_empty(), "{language}: no command is written with {unknown:?}");
    }
}

/// Commands as texts name them: in backquotes. What is no whole line by itself is one with something before or behind it.
#[test]
fn what_texts_say_to_write_is_understood() {
    let parts = |line: &str| {
        [
            line.replace(" …", ""),
            format!("{line} d4"),
            format!("{line} susan"),
            line.replace("GAME", "susan")
                .replace("NAME", "carol")
                .replace("COMMAND", "draw"),
        ]
    };
    let mut seen = 0;
    for (name, source) in compiled_in().unwrap() {
        for quoted in source
            .split('`')
            .skip(1)
            .step_by(2)
            .filter(|quoted| !quoted.contains(['{', '"']))
        {
            assert!(
                parts(quoted).iter().any(|line| language::is_command(line)),
                "{name} says to write `{quoted}`"
            );
            seen += 1;
        }
    }
    assert!(seen > 50, "{seen}");
}

/// A template's name and what it was filled in with in a story, one of each kind.
struct Filled {
    name: String,
    context: Value,
}

fn filled() -> Vec<Filled> {
    let lines = include_str!("filled.jsonl").lines();
    lines
        .map(|line| {
            let mut line: Value = serde_json::from_str(line).unwrap();
            Filled {
                name: line["name"].as_str().unwrap().to_string(),
                context: line["context"].take(),
            }
        })
        .collect()
}

/// What filters and other templates fill in themselves, and the pages of the web site, which the site's stories fill in.
fn is_reached_by_others(name: &str) -> bool {
    let included = ["items/match-clock.txt", "items/match-how.txt", "items/match-waits.txt"];
    name.starts_with("words.") || name.starts_with("men.") || name.ends_with(".html") || included.contains(&name)
}

#[test]
fn every_template_of_every_language_is_filled_in() {
    let filled = filled();
    let tried: BTreeSet<&str> = filled.iter().map(|filled| filled.name.as_str()).collect();
    let english = english();
    let english: BTreeSet<String> = english.into_iter().filter(|name| !is_reached_by_others(name)).collect();
    let is_untried = |name: &&String| !tried.contains(name.as_str());
    let untried: Vec<&String> = english
        .iter()
        .filter(is_untried)
        .filter(|name| !templates().variables(FALLBACK_LANGUAGE, name).is_empty())
        .collect();
    assert!(untried.is_empty(), "nothing in filled.jsonl fills in {untried:?}");
    for language in templates().languages() {
        for Filled { name, context } in &filled {
            let said = templates().word(language, name, context).unwrap();
            check(language, name, &said);
        }
        for name in english.iter().filter(is_untried) {
            let said = templates().word(language, name, ()).unwrap();
            check(language, name, &said);
        }
    }
}

/// What is an item of a mail needs no mark of the safety net and is not too wide.
fn check(language: &str, name: &str, said: &str) {
    assert!(
        !said.contains("{{") && !said.contains("{%"),
        "{language}/{name}: {said}"
    );
    // The heading of `help resign` is the one line that the safety net marks.
    if name.starts_with("items/") && name != "items/help-topic.txt" {
        let body = text::body(said, |_| false);
        let marked: Vec<&str> = body.lines().filter(|line| language::is_command(line)).collect();
        assert!(marked.is_empty(), "{language}/{name}: {marked:?}");
        let wide: Vec<&str> = body.lines().filter(|line| text::width(line) > COLUMNS).collect();
        assert!(wide.is_empty(), "{language}/{name}: {wide:?}");
    }
    if name.starts_with("subjects.") {
        assert!(!language::is_command(said), "{language}/{name}: {said}");
    }
    if name.starts_with("rules/") {
        let wide: Vec<&str> = said.lines().filter(|line| text::width(line) > COLUMNS).collect();
        assert!(wide.is_empty(), "{language}/{name}: {wide:?}");
    }
}
