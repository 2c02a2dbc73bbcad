//! Lines of greeting (LANGUAGE.md 3): one may stand before the commands.

use std::sync::LazyLock;
use unicode_normalization::UnicodeNormalization;

/// At most so many words has a greeting.
const MOST_WORDS: usize = 5;
/// In bytes. Five words are shorter in every language.
const LONGEST: usize = 400;

static GREETINGS: LazyLock<Vec<String>> = LazyLock::new(|| {
    include_str!("tables/greetings.txt")
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .map(plain)
        .collect()
});

/// Whether a line is a greeting: at most five words, no digit, a word of greeting at its beginning.
pub(super) fn is_greeting(line: &str) -> bool {
    if line.len() > LONGEST || line.chars().any(char::is_numeric) || line.split_whitespace().count() > MOST_WORDS {
        return false;
    }
    let line = plain(line);
    let line = line.trim_start_matches(|letter: char| !letter.is_alphanumeric());
    GREETINGS.iter().any(|greeting| begins_with(line, greeting))
}

fn begins_with(line: &str, greeting: &str) -> bool {
    let Some(rest) = line.strip_prefix(greeting) else {
        return false;
    };
    // Thai, Korean, Japanese and Chinese put what follows right behind the word.
    let joins = |letter: char| letter >= '\u{0e00}';
    rest.chars().next().is_none_or(|next| !next.is_alphanumeric()) || greeting.chars().next_back().is_some_and(joins)
}

fn plain(text: &str) -> String {
    let blanks: Vec<_> = text.split_whitespace().collect();
    blanks
        .join(" ")
        .replace('’', "'")
        .nfkc()
        .flat_map(char::to_lowercase)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn knows_greetings() {
        for line in [
            "Hi,",
            "Hello Bob!",
            "hey there",
            "Dear Bob,",
            "Good morning, Bob",
            "Hallo Bob,",
            "Liebe Alice,",
            "Guten Tag",
            "Bonjour Bob !",
            "¡Hola!",
            "Ciao",
            "Привет, Боб!",
            "안녕하세요, 밥님",
            "안녕하세요",
            "こんにちは、ボブさん",
            "你好，",
            "Hi",
            "  Olá  Bob ",
            "Grüß dich",
            "Xin chào Bob",
            "สวัสดีครับ",
            "مرحبا",
            "שלום בוב",
            "नमस्ते",
        ] {
            assert!(is_greeting(line), "{line}");
        }
    }

    #[test]
    fn knows_what_is_none() {
        for line in [
            "",
            "d4",
            "hi 5",
            "Hi Bob, how are you today",
            "history",
            "High noon",
            "Heya2",
            "that is all",
            "Hint",
            "the end",
            "Goodness",
            "Hi ５",
        ] {
            assert!(!is_greeting(line), "{line}");
        }
    }
}
