//! From a word as typed to the line of the table of commands that it means.

use super::entry::Entry;
use super::table::COMMANDS;
use std::collections::HashMap;
use std::sync::LazyLock;

/// The entry of that very word.
pub fn find_command(word: &str) -> Option<&'static Entry> {
    COMMANDS.iter().find(|entry| entry.word == word)
}

/// The entry of a turn that stands without a command before it.
pub(super) fn bare_turn() -> &'static Entry {
    &COMMANDS[0]
}

/// Every whole word that means a command: words, other words for them, slips. Each line of a mail is looked up here.
static WHOLE_WORDS: LazyLock<HashMap<&str, &Entry>> = LazyLock::new(|| {
    let mut index = HashMap::new();
    for entry in COMMANDS {
        for word in [&entry.word].into_iter().chain(entry.aliases).chain(entry.slips) {
            index.entry(*word).or_insert(entry);
        }
    }
    index
});

/// The entry that a word as typed means: the word, another word for it, a slip, or a unique beginning.
/// `word` is in lower case.
pub(super) fn understand(word: &str) -> Option<&'static Entry> {
    WHOLE_WORDS.get(word).copied().or_else(|| {
        if word.chars().count() < 3 {
            return None;
        }
        let mut longer = COMMANDS.iter().filter(|entry| entry.word.starts_with(word));
        match (longer.next(), longer.next()) {
            (Some(only), None) if only.abbreviable => Some(only),
            _ => None,
        }
    })
}

/// The command that a word which is none comes nearest to, if one is near enough to be worth showing.
pub(super) fn nearest(word: &str) -> Option<&'static Entry> {
    const LONGEST: usize = 24;
    if let Some(entry) = understand(word) {
        return Some(entry);
    }
    let letters = word.chars().count();
    if !(2..=LONGEST).contains(&letters) || !word.chars().all(|letter| letter.is_alphabetic() || letter == '-') {
        return None;
    }
    let near = |candidate: &str| strsim::damerau_levenshtein(word, candidate);
    if !word.is_ascii() {
        // A syllable holds several letters: only of three there is enough left when one is wrong.
        let is_near = |entry: &&Entry| entry.aliases.iter().any(|alias| near(alias) <= letters / 3);
        return COMMANDS.iter().find(is_near);
    }
    COMMANDS
        .iter()
        .map(|entry| (near(entry.word), entry))
        .min_by_key(|(distance, _)| *distance)
        .filter(|(distance, entry)| *distance <= 1.max(letters.min(entry.word.len()) / 3))
        .map(|(_, entry)| entry)
}
