//! Attribution lines: "On Monday Bob wrote:", in any language, wrapped or not, with a verb or without.

use std::sync::LazyLock;

use super::{
    line::{Line, Mark, is_blank},
    phrase::key,
    table::entries,
    typed::is_quote,
};

static VERBS: LazyLock<Vec<&'static str>> =
    LazyLock::new(|| entries(include_str!("tables/attribution_verbs.txt")).collect());
static OPENERS: LazyLock<Vec<String>> = LazyLock::new(|| {
    entries(include_str!("tables/attribution_openers.txt"))
        .map(|word| format!("{word} "))
        .collect()
});

/// Over how many lines an attribution may be wrapped.
const MOST_LINES: usize = 4;

/// An attribution whose last line stands at `at`: its first line and its number of lines.
pub(super) fn ending_at(lines: &[Line], at: usize) -> Option<(usize, usize)> {
    let last = candidate(lines, at)?;
    let ends_in_colon = last.ends_with([':', '：']);
    let quote_below = || first_below(lines, at).is_some_and(|line| line.mark != Mark::Plain || is_quote(&line.text));
    if !ends_in_colon && !(mentions_verb(&last) && quote_below()) {
        return None;
    }
    let mut joined = last;
    let mut first = at;
    loop {
        let quoted = || quote_below();
        if is_attribution(&joined, ends_in_colon, quoted) {
            first = extended(lines, first, at, &joined);
            return Some((first, at - first + 1));
        }
        if at - first + 1 == MOST_LINES {
            return None;
        }
        first = first.checked_sub(1)?;
        joined = format!("{} {joined}", candidate(lines, first)?);
    }
}

/// Whether the words between two rows of dashes name a writer and a time.
pub(super) fn is_attribution_text(words: &str) -> bool {
    mentions_verb(words) && (has_date(words) || has_address(words))
}

fn candidate(lines: &[Line], at: usize) -> Option<String> {
    let line = lines.get(at)?;
    if line.mark != Mark::Plain || is_blank(&line.text) || is_quote(&line.text) {
        return None;
    }
    key(&line.text)
}

fn first_below(lines: &[Line], at: usize) -> Option<&Line> {
    lines
        .get(at + 1..)?
        .iter()
        .take(MOST_LINES)
        .find(|line| !is_blank(&line.text))
}

fn is_attribution(text: &str, ends_in_colon: bool, quote_below: impl Fn() -> bool) -> bool {
    let (address, date, verb) = (has_address(text), has_date(text), mentions_verb(text));
    match (address, date, verb) {
        (true, true, _) => ends_in_colon || (verb && quote_below()),
        (_, _, true) if address || date => ends_in_colon || quote_below(),
        (false, false, true) => ends_in_colon && quote_below() && text.split(' ').count() <= 8,
        (true, false, false) | (false, true, false) => ends_in_colon && quote_below() && begins_like_one(text),
        _ => false,
    }
}

/// Looks for lines above that belong to a wrapped attribution which is whole without them: one that begins as
/// attributions do, or the line right above where it has the year.
fn extended(lines: &[Line], first: usize, at: usize, joined: &str) -> usize {
    if has_year(joined) && begins_like_one(joined) {
        return first;
    }
    let mut above = first;
    while let Some(next) = above.checked_sub(1).filter(|next| at - next < MOST_LINES) {
        let Some(text) = candidate(lines, next) else { break };
        let right_above = next + 1 == first;
        let long_enough = text.len() > 12;
        if (begins_like_one(&text) && has_digit(&text) && (has_year(&text) || (right_above && long_enough)))
            || (right_above && long_enough && has_year(&text) && !has_year(joined))
        {
            return next;
        }
        above = next;
    }
    first
}

fn begins_like_one(text: &str) -> bool {
    OPENERS.iter().any(|opener| text.starts_with(opener.as_str())) || text.starts_with(char::is_numeric)
}

fn mentions_verb(text: &str) -> bool {
    VERBS.iter().any(|verb| holds_words(text, verb))
}

/// Whether words stand in a text, not as a part of longer words. Scripts without blanks between words are taken as they are.
fn holds_words(text: &str, words: &str) -> bool {
    let part = |letter: Option<char>| letter.is_some_and(|letter| letter.is_alphabetic() && letter < '\u{0e00}');
    text.match_indices(words).any(|(at, _)| {
        let before = text[..at].chars().next_back();
        let after = text[at + words.len()..].chars().next();
        !part(before) && !part(after)
    })
}

fn has_address(text: &str) -> bool {
    text.split(' ').any(|word| {
        let bare = word.trim_matches(|letter: char| !letter.is_alphanumeric());
        bare.split_once('@')
            .is_some_and(|(local, domain)| !local.is_empty() && domain.contains('.'))
    })
}

fn has_digit(text: &str) -> bool {
    text.contains(char::is_numeric)
}

/// A year, a time (`10:00`), or a day with its month in digits (`5.1.26`, `1/5/26`).
fn has_date(text: &str) -> bool {
    if has_year(text) {
        return true;
    }
    let letters: Vec<char> = text.chars().collect();
    let pair = |window: &[char]| {
        window[0].is_numeric()
            && matches!(window[1], ':' | '/' | '.' | '-' | '時' | '点' | '시' | 'h')
            && window[2].is_numeric()
    };
    letters.windows(3).any(pair)
}

/// Four digits that name a year of mail.
fn has_year(text: &str) -> bool {
    let mut digits = String::new();
    for letter in text.chars().chain([' ']) {
        match letter.to_digit(10).or_else(|| other_digit(letter)) {
            Some(digit) => digits.extend(char::from_digit(digit, 10)),
            None => {
                if digits.len() == 4
                    && (digits.starts_with("19") || digits.starts_with("20") || digits.starts_with("25"))
                {
                    return true;
                }
                digits.clear();
            }
        }
    }
    false
}

/// The value of a digit of another script: Arabic, Persian, Devanagari, Bengali, Thai.
fn other_digit(letter: char) -> Option<u32> {
    [0x660, 0x6f0, 0x966, 0x9e6, 0xe50].into_iter().find_map(|zero| {
        let value = (letter as u32).checked_sub(zero)?;
        (value < 10).then_some(value)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Option<(usize, usize)> {
        let lines: Vec<Line> = text.split('\n').map(Line::plain).collect();
        (0..lines.len()).find_map(|at| ending_at(&lines, at))
    }

    #[test]
    fn languages() {
        for line in [
            "On Mon, Jan 5, 2026 at 10:00 AM Playpost <play+k7@example.org> wrote:",
            "On 1/5/26 10:00, Playpost wrote:",
            "Am 05.01.26 um 10:00 schrieb Playpost:",
            "Le 05/01/2026 à 10:00, Playpost a écrit :",
            "El lun, 5 ene 2026 a las 10:00, Playpost (<play+k7@example.org>) escribió:",
            "Op ma 5 jan 2026 om 10:00 schreef Playpost <play@example.org>:",
            "W dniu 5.01.2026 o 10:00, Playpost pisze:",
            "пн, 5 янв. 2026 г. в 12:00, Playpost <play+k7@example.org>:",
            "05.01.2026 10:00, Playpost пишет:",
            "2026년 1월 5일 (월) 오후 6:00, Playpost <play+k7@example.org>님이 작성:",
            "2026年1月5日(月) 18:00 Playpost <play@example.org>:",
            "在 2026/1/5 17:00, Playpost 写道:",
            "Playpost <play@example.org> 于2026年1月5日周一 17:00写道：",
            "Playpost <play@example.org>, 5 Oca 2026 Pzt, 10:00 tarihinde şunu yazdı:",
            "Playpost <play@example.org> ezt írta (időpont: 2026. jan. 5., H, 10:00):",
            "في الاثنين، ٥ يناير ٢٠٢٦ في ١٠:٠٠ ص تمت كتابة ما يلي بواسطة Playpost <play@example.org>:\u{200f}",
            "Vào Th 2, 5 thg 1, 2026 vào lúc 10:00 Playpost <play@example.org> đã viết:",
            "Playpost wrote on 5 January 2026:",
            "2016-03-03 17:21 GMT+01:00 Some One <one@example.org>:",
        ] {
            assert_eq!(found(line), Some((0, 1)), "{line}");
        }
    }

    #[test]
    fn wrapped() {
        assert_eq!(
            found("d4\nOn Mon, Jan 5, 2026, 10:00 AM Playpost <play@example.org>\nwrote:"),
            Some((1, 2))
        );
        assert_eq!(
            found("d4\nOn Mon, Jan 5, 2026 at\n10:00 AM Playpost <play@example.org> wrote:"),
            Some((1, 2))
        );
        assert_eq!(
            found("d4\n\nOn 5 January 2026 at 10:00,\nPlaypost\n<play@example.org>\nwrote:"),
            Some((2, 4))
        );
        assert_eq!(
            found("d4\nLe lun. 5 janv. 2026 à 10:00, Playpost <play@example.org> a écrit\n:"),
            Some((1, 2))
        );
    }

    #[test]
    fn sentences_are_none() {
        for text in [
            "My plan:",
            "You wrote: no",
            "As the poet wrote:\nd4",
            "See you at 10:00:",
            "challenge bob@example.org",
            "On 5 January 2026 I will be away",
        ] {
            assert_eq!(found(text), None, "{text}");
        }
        assert_eq!(found("Bob wrote:\n> d4"), Some((0, 1)));
    }
}
