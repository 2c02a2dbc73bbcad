//! Attribution lines: "On Monday Bob wrote:", in any language, wrapped or not, with a verb or without.

use std::{cell::OnceCell, collections::HashSet, sync::LazyLock};

use super::{
    line::{Line, Mark, is_blank},
    phrase::key,
    table::entries,
    typed::is_quote,
};

/// Over how many lines an attribution may be wrapped.
const MOST_LINES: usize = 4;
/// A shorter line above is a text of its own.
const SHORTEST_PIECE: usize = 12;
/// A verb alone, with neither date nor address, stands in no longer line.
const MOST_WORDS: usize = 8;

/// Finds the attributions among lines; what is found out about a line is kept.
pub(super) struct Attributions<'l> {
    lines: &'l [Line],
    facts: Vec<OnceCell<Option<Facts>>>,
}

/// A line of talk or a note (`say`, `note`) may say anything: it is typed, however much it reads like an attribution.
fn is_free_text(line: &str) -> bool {
    let word = line.split_whitespace().next().unwrap_or_default();
    word.eq_ignore_ascii_case("say") || word.eq_ignore_ascii_case("note")
}

impl<'l> Attributions<'l> {
    /// Nothing is looked at yet.
    pub fn of(lines: &'l [Line]) -> Self {
        Self {
            lines,
            facts: vec![OnceCell::new(); lines.len()],
        }
    }

    /// An attribution whose last line stands at `at`: its first line and its number of lines.
    pub fn ending_at(&self, at: usize) -> Option<(usize, usize)> {
        let text = self
            .lines
            .get(at)?
            .text
            .trim_end_matches(|letter: char| letter.is_whitespace() || super::line::is_invisible(letter));
        let ends_in_colon = text.ends_with([':', '：']);
        if is_free_text(text) || (!ends_in_colon && !self.quote_below(at)) {
            return None;
        }
        let mut facts = self.facts(at)?.clone();
        if !ends_in_colon && !facts.verb {
            return None;
        }
        let mut first = at;
        while !facts.are_of_attribution(ends_in_colon, || self.quote_below(at)) {
            first = first.checked_sub(1).filter(|first| at - first < MOST_LINES)?;
            facts = self.facts(first)?.followed_by(&facts);
        }
        let first = self.extended(first, at, facts);
        Some((first, at - first + 1))
    }

    /// Looks for lines above that belong to a wrapped attribution which is whole without them: one that begins as
    /// attributions do, or the line right above where it has the year.
    fn extended(&self, first: usize, at: usize, facts: Facts) -> usize {
        let (mut first, mut whole, mut tried, mut above) = (first, facts.clone(), facts, first);
        while !(whole.year && whole.opener) {
            let Some(next) = above.checked_sub(1).filter(|next| at - next < MOST_LINES) else {
                break;
            };
            let Some(line) = self.facts(next) else { break };
            let right_above = next + 1 == first && line.length > SHORTEST_PIECE;
            let begins = line.opener && line.digit && (line.year || right_above);
            let holds_year = right_above && line.year && !whole.year;
            tried = line.followed_by(&tried);
            above = next;
            if begins || holds_year {
                first = next;
                whole = tried.clone();
            }
        }
        first
    }

    fn facts(&self, at: usize) -> Option<&Facts> {
        let line = self.lines.get(at)?;
        let found = self.facts.get(at)?.get_or_init(|| {
            let is_text = line.mark == Mark::Plain && !is_blank(&line.text) && !is_quote(&line.text);
            is_text.then(|| key(&line.text)).flatten().map(|text| Facts::of(&text))
        });
        found.as_ref()
    }

    /// Whether the first line with text below is quoted.
    fn quote_below(&self, at: usize) -> bool {
        let below = self.lines.get(at + 1..).unwrap_or_default().iter().take(MOST_LINES);
        let first = below.into_iter().find(|line| !is_blank(&line.text));
        first.is_some_and(|line| line.mark != Mark::Plain || is_quote(&line.text))
    }
}

/// Whether the words between two rows of dashes name a writer and a time.
pub(super) fn is_attribution_text(words: &str) -> bool {
    let facts = Facts::of(words);
    facts.verb && (facts.date || facts.address)
}

/// What makes a line look like an attribution or a part of one.
#[derive(Debug, Clone)]
struct Facts {
    address: bool,
    /// A year, a time (`10:00`), or a day with its month in digits (`5.1.26`, `1/5/26`).
    date: bool,
    year: bool,
    digit: bool,
    /// "wrote", in some language.
    verb: bool,
    /// Whether it begins as attributions do: "On …", or with a digit.
    opener: bool,
    words: usize,
    length: usize,
}

impl Facts {
    fn of(text: &str) -> Self {
        let year = has_year(text);
        Self {
            address: has_address(text),
            date: year || has_time_or_day(text),
            year,
            digit: text.contains(char::is_numeric),
            verb: mentions_verb(text),
            opener: begins_like_one(text),
            words: text.split(' ').count(),
            length: text.len(),
        }
    }

    fn followed_by(&self, next: &Self) -> Self {
        Self {
            address: self.address || next.address,
            date: self.date || next.date,
            year: self.year || next.year,
            digit: self.digit || next.digit,
            verb: self.verb || next.verb,
            opener: self.opener,
            words: self.words + next.words,
            length: self.length + next.length,
        }
    }

    fn are_of_attribution(&self, ends_in_colon: bool, quote_below: impl Fn() -> bool) -> bool {
        match (self.address, self.date, self.verb) {
            (true, true, false) => ends_in_colon,
            (true, _, true) | (_, true, true) => ends_in_colon || quote_below(),
            (false, false, true) => ends_in_colon && self.words <= MOST_WORDS && quote_below(),
            (true, false, false) | (false, true, false) => ends_in_colon && self.opener && quote_below(),
            (false, false, false) => false,
        }
    }
}

/// Words of the table; those of scripts without blanks between words, or without letter case, are looked for as they are.
struct Verbs {
    words: HashSet<&'static str>,
    pieces: Vec<&'static str>,
}

static VERBS: LazyLock<Verbs> = LazyLock::new(|| {
    let (pieces, words) = entries(include_str!("tables/attribution_verbs.txt"))
        .partition(|verb: &&str| verb.chars().any(|letter| letter >= FIRST_UNCASED));
    Verbs {
        words: HashSet::from_iter::<Vec<&str>>(words),
        pieces,
    }
});

/// Hebrew and what comes after it, but for a few Latin letters with marks.
const FIRST_UNCASED: char = '\u{590}';

fn mentions_verb(text: &str) -> bool {
    let by_word = text
        .split(|letter: char| !letter.is_alphanumeric())
        .any(|word| VERBS.words.contains(word));
    by_word || (!text.is_ascii() && VERBS.pieces.iter().any(|piece| text.contains(piece)))
}

static OPENERS: LazyLock<HashSet<&'static str>> =
    LazyLock::new(|| entries(include_str!("tables/attribution_openers.txt")).collect());

fn begins_like_one(text: &str) -> bool {
    let first = text.split([' ', ',', '.']).next().unwrap_or_default();
    OPENERS.contains(first) || text.starts_with(char::is_numeric)
}

fn has_address(text: &str) -> bool {
    text.contains('@')
        && text.split(' ').any(|word| {
            let bare = word.trim_matches(|letter: char| !letter.is_alphanumeric());
            bare.split_once('@')
                .is_some_and(|(local, domain)| !local.is_empty() && domain.contains('.'))
        })
}

fn has_time_or_day(text: &str) -> bool {
    let mut before = [' ', ' '];
    text.chars().any(|letter| {
        let found = before[0].is_numeric()
            && matches!(before[1], ':' | '/' | '.' | '-' | '時' | '点' | '시' | 'h')
            && letter.is_numeric();
        before = [before[1], letter];
        found
    })
}

/// Four digits that name a year of mail, also one of the Buddhist calendar.
fn has_year(text: &str) -> bool {
    let mut digits = [0; 4];
    let mut count = 0;
    text.chars().chain([' ']).any(|letter| match digit(letter) {
        Some(value) => {
            if let Some(place) = digits.get_mut(count) {
                *place = value;
            }
            count += 1;
            false
        }
        None => {
            let found = count == 4 && matches!(digits, [1, 9, ..] | [2, 0, ..] | [2, 5, ..]);
            count = 0;
            found
        }
    })
}

/// The value of a digit, also an Arabic, Persian, Devanagari, Bengali or Thai one.
fn digit(letter: char) -> Option<u32> {
    letter.to_digit(10).or_else(|| {
        [0x660, 0x6f0, 0x966, 0x9e6, 0xe50].into_iter().find_map(|zero| {
            let value = u32::from(letter).checked_sub(zero)?;
            (value < 10).then_some(value)
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Option<(usize, usize)> {
        let lines: Vec<Line> = text.split('\n').map(Line::plain).collect();
        let attributions = Attributions::of(&lines);
        (0..lines.len()).find_map(|at| attributions.ending_at(at))
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
