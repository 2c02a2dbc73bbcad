//! Words behind a command in other languages, and what they mean. Names, moves and free text are the same in all.

use super::words::Word;
use std::borrow::Cow;

/// A word of another language, and the word of the table of commands that it means.
const KEYWORDS: &[(&str, &str)] = &[
    // --- Korean ---
    ("만약", "if"),
    ("이면", "then"),
    ("그러면", "then"),
    ("없음", "none"),
    ("전체", "all"),
    ("주소", "address"),
    ("켬", "on"),
    ("끔", "off"),
    ("~", "to"),
    ("진행", "active"),
    ("종료", "finished"),
    ("시작일", "since"),
    ("쪽", "page"),
    ("언어", "language"),
    ("한국어", "ko"),
    ("영어", "en"),
    ("시간대", "timezone"),
    ("메일", "mail"),
    ("판", "board"),
    ("알림", "reminders"),
    ("자동수락", "autoaccept"),
    ("그림", "picture"),
    ("제한", "limit"),
];

/// What hangs behind a move or a date without a blank, and the word that it means; an empty one means nothing.
const SUFFIXES: &[(&str, &str)] = &[("이면", "then"), ("면", "then"), ("부터", "to"), ("까지", "")];

/// Units of time behind a number, longer words first, and the letters for them (`span.rs`).
const UNITS: &[(&str, &str)] = &[("시간", "h"), ("주", "w"), ("일", "d"), ("분", "m")];

/// The words behind a command with those of other languages as the table of commands has them. What was typed stays in
/// each word, so that a password is what it was.
pub(super) fn in_words_of_the_table<'w, 't>(words: &'w [Word<'t>]) -> Cow<'w, [Word<'t>]> {
    let is_plain = |word: &Word<'_>| word.text.is_ascii() && word.text != "~";
    if words.iter().all(is_plain) {
        return Cow::Borrowed(words);
    }
    let mut meant = Vec::with_capacity(words.len());
    for word in words {
        let is = |text: &str| Word {
            text: text.to_string().into(),
            ..word.clone()
        };
        if let Some((_, keyword)) = KEYWORDS.iter().find(|(typed, _)| *typed == word.text) {
            meant.push(is(keyword));
        } else if let Some(span) = span(&word.text) {
            meant.push(is(&span));
        } else if let Some((before, suffix)) = without_suffix(&word.text) {
            meant.push(is(before));
            meant.extend((!suffix.is_empty()).then(|| is(suffix)));
        } else {
            meant.push(word.clone());
        }
    }
    Cow::Owned(meant)
}

fn without_suffix(text: &str) -> Option<(&str, &'static str)> {
    let (before, meant) = SUFFIXES
        .iter()
        .find_map(|(suffix, meant)| Some((text.strip_suffix(suffix)?, *meant)))?;
    (!before.is_empty() && before.is_ascii()).then_some((before, meant))
}

/// `1일12시간` as `1d12h`.
fn span(text: &str) -> Option<String> {
    let mut letters = String::with_capacity(text.len());
    let mut rest = text;
    while !rest.is_empty() {
        let unit = rest
            .find(|letter: char| !letter.is_ascii_digit())
            .filter(|&digits| digits > 0)?;
        let (number, behind) = rest.split_at(unit);
        let (word, letter) = UNITS.iter().find(|(word, _)| behind.starts_with(word))?;
        letters.push_str(number);
        letters.push_str(letter);
        rest = behind.strip_prefix(word)?;
    }
    (!letters.is_empty()).then_some(letters)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::words::words;

    fn meant(line: &str) -> String {
        let words: Vec<_> = words(line).collect();
        let texts: Vec<_> = in_words_of_the_table(&words)
            .iter()
            .map(|word| word.text.clone())
            .collect();
        texts.join(" ")
    }

    #[test]
    fn words_are_understood_and_names_are_left() {
        for (typed, expected) in [
            ("d4 이면 c3", "d4 then c3"),
            ("d4이면 c3", "d4 then c3"),
            ("c4-c5면 d4 만약 e6면 e5", "c4-c5 then d4 if e6 then e5"),
            ("2026-12-20부터 2027-01-03까지", "2026-12-20 to 2027-01-03"),
            ("2026-12-20 ~ 2027-01-03", "2026-12-20 to 2027-01-03"),
            ("3일", "3d"),
            ("1일12시간", "1d12h"),
            ("90분", "90m"),
            ("2주", "2w"),
            ("일", "일"),
            ("3개월", "3개월"),
            ("주소 alice@example.net", "address alice@example.net"),
            ("화면 d4", "화면 d4"),
            ("bob susan", "bob susan"),
        ] {
            assert_eq!(meant(typed), expected, "{typed}");
        }
    }

    #[test]
    fn what_was_typed_stays() {
        let words: Vec<_> = words("끔").collect();
        let meant = in_words_of_the_table(&words);
        assert_eq!((&*meant[0].text, &*meant[0].raw), ("off", "끔"));
    }
}
