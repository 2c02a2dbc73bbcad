//! In which language somebody writes, as far as his letters tell.

use super::letter::Letter;
use std::collections::BTreeMap;
use std::ops::RangeInclusive;

/// The letters that only one language is written in, by its code (ISO 639-1).
const SCRIPTS: &[(&str, RangeInclusive<char>)] = &[
    ("ko", '가'..='힣'),
    ("ko", '\u{1100}'..='\u{11ff}'),
    ("ko", '\u{3131}'..='\u{318e}'),
    ("ja", 'ぁ'..='ゖ'),
    // Not the long vowel mark: Japanese keyboards give it for a dash, also in a move.
    ("ja", 'ァ'..='ヺ'),
    ("el", 'Ͱ'..='Ͽ'),
    ("hy", 'Ա'..='֏'),
    ("he", 'א'..='ת'),
    ("th", 'ก'..='๛'),
    ("ka", 'ა'..='ჿ'),
];

/// The language of a letter by its script: of a command that was said in it, else of most of what was typed. `None`
/// where the letters are those of many languages.
pub fn language_written(letter: &Letter, typed: &str) -> Option<&'static str> {
    let said = letter.lines.iter().find_map(|line| language_of_command(&line.typed));
    said.or_else(|| language_of_most(typed))
}

/// The language of the words of a command, up to the one that names it: what stands behind may be a quotation or a
/// password. A turn has no such word and is looked at whole.
fn language_of_command(typed: &str) -> Option<&'static str> {
    for word in typed.split_whitespace() {
        if let Some(language) = word.chars().find_map(language_of) {
            return Some(language);
        }
        if super::lookup::understand(&word.to_lowercase()).is_some() {
            return None;
        }
    }
    None
}

fn language_of(letter: char) -> Option<&'static str> {
    if letter.is_ascii() {
        return None;
    }
    SCRIPTS
        .iter()
        .find(|(_, letters)| letters.contains(&letter))
        .map(|(language, _)| *language)
}

/// The language whose letters are more than half of all.
fn language_of_most(text: &str) -> Option<&'static str> {
    let mut all = 0;
    let mut own: BTreeMap<&'static str, usize> = BTreeMap::new();
    for letter in text.chars().filter(|letter| letter.is_alphabetic()) {
        all += 1;
        if let Some(language) = language_of(letter) {
            *own.entry(language).or_default() += 1;
        }
    }
    own.into_iter()
        .find(|(_, count)| count * 2 > all)
        .map(|(language, _)| language)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::letter;

    #[track_caller]
    fn written(subject: &str, typed: &str) -> Option<&'static str> {
        language_written(&letter(subject, false, typed), typed)
    }

    #[test]
    fn by_what_is_typed() {
        assert_eq!(written("", "안녕하세요, Susan 한 판 두고 싶습니다."), Some("ko"));
        assert_eq!(written("", "d4\n\n잘 부탁드립니다"), Some("ko"));
        assert_eq!(written("", "help"), None);
        assert_eq!(written("", "d4\n\nGood luck! My wife says 안녕."), None);
        assert_eq!(written("", "Привет"), None, "many languages are written so");
        assert_eq!(written("", "d4\n\nよろしくお願いします"), Some("ja"));
        assert_eq!(written("", ""), None);
    }

    #[test]
    fn a_command_in_its_words_is_enough() {
        assert_eq!(written("", "d4\nsay 안녕 means hello in Korean, did you know?"), None);
        assert_eq!(written("", "password 비밀번호"), None);
        assert_eq!(written("", "#12 기권"), Some("ko"));
        assert_eq!(written("", "도전 bob susan --unrated"), Some("ko"));
        assert_eq!(written("가입 alice", ""), Some("ko"));
        assert_eq!(written("", "c4ーc5"), None);
    }
}
