//! Single lines that are no text of the person: separators, rules, signature marks and adverts.

use std::{collections::HashMap, sync::LazyLock};

use super::{
    line::is_invisible,
    table::{entries, fits},
};

/// Longer lines are no phrases of a mail program.
const LONGEST: usize = 300;

/// A line as the tables hold it: lower case, one blank between words, letters without width gone. Nothing for a line
/// that is too long to be looked up.
pub(super) fn key(text: &str) -> Option<String> {
    if text.len() > LONGEST {
        return None;
    }
    let visible: String = text.chars().filter(|&letter| !is_invisible(letter)).collect();
    let words: Vec<&str> = visible.split_whitespace().collect();
    Some(words.join(" ").to_lowercase())
}

/// A line above a mail that is not the person's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Separator {
    /// Above the mail that is answered.
    Original,
    /// Above a forwarded mail.
    Forward,
}

static ORIGINAL: LazyLock<Vec<&'static str>> =
    LazyLock::new(|| entries(include_str!("tables/original_separators.txt")).collect());
static FORWARD: LazyLock<Vec<&'static str>> =
    LazyLock::new(|| entries(include_str!("tables/forward_separators.txt")).collect());

/// Judges a line with dashes on both sides, or one that announces a forwarded mail and ends in a colon. Words between
/// dashes that are in no table count as a forward: then nothing under them is read.
pub(super) fn separator(text: &str) -> Option<Separator> {
    let trimmed = text.trim_matches(|letter: char| letter.is_whitespace() || is_invisible(letter));
    let ends_in_colon = trimmed.ends_with([':', '：']);
    let dashes = trimmed.chars().take_while(|&letter| is_dash(letter)).count();
    if dashes < 2 && !ends_in_colon {
        return None;
    }
    let words = key(trimmed.trim_matches(|letter: char| is_dash(letter) || letter.is_whitespace()))?;
    let words = words.trim_end_matches([':', '：', ' ']);
    if words.is_empty() {
        return None;
    }
    if dashes < 2 {
        return FORWARD.contains(&words).then_some(Separator::Forward);
    }
    let closing = trimmed.chars().rev().take_while(|&letter| is_dash(letter)).count();
    if ORIGINAL.iter().any(|known| words.starts_with(known)) {
        return Some(Separator::Original);
    }
    if FORWARD.iter().any(|known| words.starts_with(known)) {
        return Some(Separator::Forward);
    }
    let is_attribution = super::attribution::is_attribution_text(words);
    match (dashes, closing) {
        (2.., 2..) if is_attribution => Some(Separator::Original),
        (4.., 4..) if words.chars().any(char::is_alphabetic) => Some(Separator::Forward),
        _ => None,
    }
}

fn is_dash(letter: char) -> bool {
    matches!(letter, '-' | '_' | '=' | '*' | '~' | '–' | '—' | '―' | '─' | '－')
}

/// A line of ten or more `_`, `-`, `=` or `*`.
pub(super) fn is_rule(text: &str) -> bool {
    let trimmed = text.trim_matches(|letter: char| letter.is_whitespace() || is_invisible(letter));
    let bytes = trimmed.as_bytes();
    bytes.len() >= 10
        && bytes
            .first()
            .is_some_and(|first| b"_-=*".contains(first) && bytes.iter().all(|byte| byte == first))
}

/// `-- `, also without its blank.
pub(super) fn is_signature_mark(text: &str) -> bool {
    text.trim_matches(|letter: char| letter.is_whitespace() || is_invisible(letter)) == "--"
}

/// Adverts by their first word, and those that begin with a star or in a script without blanks.
struct Adverts {
    by_word: HashMap<&'static str, Vec<&'static str>>,
    others: Vec<&'static str>,
}

static ADVERTS: LazyLock<Adverts> = LazyLock::new(|| {
    let mut adverts = Adverts {
        by_word: HashMap::new(),
        others: Vec::new(),
    };
    for pattern in entries(include_str!("tables/adverts.txt")) {
        match pattern.split(' ').next() {
            Some(word) if !word.contains('*') => adverts.by_word.entry(word).or_default().push(pattern),
            _ => adverts.others.push(pattern),
        }
    }
    adverts
});

/// Whether a line is what a mail program or a telephone says of itself: "Sent from my …", "Get Outlook for …".
pub(super) fn is_advert(text: &str) -> bool {
    let Some(key) = key(text) else {
        return false;
    };
    let line = key.trim_start_matches(['*', '_', '[', '(', '<', '-', '–', '—', ' ', '"', '“', '\'']);
    let line = line.trim_end_matches(['*', '_', ' ']);
    let first = line.split(' ').next().unwrap_or_default();
    let by_word = ADVERTS.by_word.get(first).into_iter().flatten();
    let others = ADVERTS.others.iter().take_while(|_| !line.is_ascii());
    by_word.chain(others).any(|pattern| fits(pattern, line)) || (first == "sent" && is_sent_with(text))
}

/// "Sent with Proton Mail", "Sent from Surface": the name of a program begins with a capital letter, which "sent with
/// love" does not.
fn is_sent_with(text: &str) -> bool {
    let trimmed = text.trim().trim_start_matches(['*', '_', '-', ' ']);
    let start: String = trimmed.chars().take(10).flat_map(char::to_lowercase).collect();
    let next = trimmed.chars().nth(10);
    let names =
        next.is_some_and(|letter| letter.is_uppercase() || letter.is_ascii_digit() || matches!(letter, '[' | '<'));
    matches!(start.as_str(), "sent with " | "sent from ") && names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn separators() {
        for line in [
            "-----Original Message-----",
            "-------- Ursprüngliche Nachricht --------",
            "---- On Mon, 05 Jan 2026 10:00:02 +0100 Playpost <p@x.org> wrote ----",
            "--------- 원본 메일 ---------",
        ] {
            assert_eq!(separator(line), Some(Separator::Original), "{line}");
        }
        for line in [
            "---------- Forwarded message ---------",
            "Anfang der weitergeleiteten Nachricht:",
            "----- Forwarded message from Bob <b@x.org> -----",
            "------ Some language ------",
        ] {
            assert_eq!(separator(line), Some(Separator::Forward), "{line}");
        }
        for line in ["-- ", "---", "- d4", "--unrated", "d4", "* d4 *", "a - b", "----------"] {
            assert_eq!(separator(line), None, "{line}");
        }
    }

    #[test]
    fn adverts() {
        for line in [
            "Sent from my iPhone",
            "Von meinem iPhone gesendet",
            "Envoyé de mon iPhone",
            "나의 iPhone에서 보냄",
            "從我的 iPhone 傳送",
            "iPhoneから送信",
            "Get Outlook for iOS<https://aka.ms/o0>",
            "Sent with Proton Mail secure email.",
            "Sent with [Proton Mail](https://x)",
            "Enviado desde mi iPhone",
            "Inviato da iPhone",
            "*Sent from my Galaxy*",
            "发自我的iPhone",
            "Отправлено с iPhone",
            "iPhone'umdan gönderildi",
            "נשלח מה-iPhone שלי",
        ] {
            assert!(is_advert(line), "{line}");
        }
        for line in [
            "Sent with love",
            "sent it yesterday",
            "d4",
            "Send from b",
            "Von Herzen alles Gute",
            "I sent it from my garden",
        ] {
            assert!(!is_advert(line), "{line}");
        }
    }

    #[test]
    fn rules_and_marks() {
        assert!(
            is_rule("__________") && is_rule(" ============ ") && !is_rule("_________") && !is_rule("-=-=-=-=-=-=")
        );
        assert!(
            is_signature_mark("-- ")
                && is_signature_mark("--")
                && !is_signature_mark("---")
                && !is_signature_mark("-- x")
        );
    }
}
