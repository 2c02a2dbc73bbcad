//! A line as words: Unicode made plain for reading, and what was typed kept beside it.

use std::borrow::Cow;
use unicode_normalization::UnicodeNormalization;

/// One word of a line.
#[derive(Clone, Debug)]
pub(super) struct Word<'a> {
    /// As typed, without invisible characters: passwords are taken from here.
    pub raw: Cow<'a, str>,
    /// NFKC, lower case, every dash as `-` and every arrow as `->`; an em dash that begins an option as `--`.
    pub text: Cow<'a, str>,
    /// Everything behind this word, as typed.
    pub behind: &'a str,
}

/// Takes a line apart at its blanks. Words that are invisible are none. Linear in what is taken.
pub(super) fn words(line: &str) -> impl Iterator<Item = Word<'_>> {
    let mut rest = line;
    std::iter::from_fn(move || {
        loop {
            let from_here = rest.trim_start_matches(is_blank);
            if from_here.is_empty() {
                return None;
            }
            let length = from_here.find(is_blank).unwrap_or(from_here.len());
            let (typed, behind) = from_here.split_at(length);
            rest = behind;
            let raw = without_invisible(typed);
            if !raw.is_empty() {
                let text = match &raw {
                    Cow::Borrowed(raw) => plain(raw),
                    Cow::Owned(raw) => Cow::Owned(plain(raw).into_owned()),
                };
                return Some(Word { raw, text, behind });
            }
        }
    })
}

fn without_invisible(text: &str) -> Cow<'_, str> {
    if text.chars().any(is_invisible) {
        text.chars().filter(|&letter| !is_invisible(letter)).collect()
    } else {
        Cow::Borrowed(text)
    }
}

/// Whether a line holds nothing that a reader sees.
pub(super) fn is_blank_line(line: &str) -> bool {
    trim_free_text(line).is_empty()
}

/// Free text without blanks and invisible characters at its ends.
pub(super) fn trim_free_text(text: &str) -> &str {
    text.trim_matches(|letter| is_blank(letter) || is_invisible(letter))
}

/// Drops `.`, `!`, `;` and `,` after the line, also where blanks stand between. A question mark stays.
pub(super) fn drop_end_punctuation(words: &mut Vec<Word<'_>>) {
    while let Some(last) = words.last_mut() {
        let kept = last.text.trim_end_matches(is_end_punctuation).len();
        if kept < last.text.len() {
            last.text.to_mut().truncate(kept);
        }
        if kept > 0 {
            break;
        }
        words.pop();
    }
}

/// Whether a word is a list mark: `*`, `-`, a bullet, `1.` or `1)`.
pub(super) fn is_list_mark(word: &Word<'_>) -> bool {
    const BULLETS: &str = "*•‣⁃▪▫●○◦·∙➢➤►▶▸■□◆◇※ㆍ・";
    let mut letters = word.raw.chars();
    if let (Some(letter), None) = (letters.next(), letters.next()) {
        return is_dash(letter) || letter == '-' || BULLETS.contains(letter);
    }
    let digits = word.text.strip_suffix(['.', ')']).unwrap_or_default();
    let digits = digits.strip_prefix('(').unwrap_or(digits);
    (1..=3).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit())
}

pub(super) fn is_end_punctuation(letter: char) -> bool {
    matches!(letter, '.' | '!' | ';' | ',' | '。' | '、')
}

/// Blanks of every width, and control characters.
fn is_blank(letter: char) -> bool {
    letter.is_whitespace() || letter.is_control()
}

/// Characters without width: joiners, marks of direction, soft hyphens, byte order marks, variation selectors.
fn is_invisible(letter: char) -> bool {
    matches!(letter,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180e}'
        | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{fe00}'..='\u{fe0f}'
        | '\u{feff}' | '\u{e0000}'..='\u{e007f}')
}

fn is_em_dash(letter: char) -> bool {
    matches!(letter, '—' | '―' | '⸺' | '⸻' | '\u{fe58}' | '\u{fe31}')
}

fn is_dash(letter: char) -> bool {
    is_em_dash(letter)
        || matches!(
            letter,
            '\u{2010}'
                ..='\u{2013}' | '\u{2212}' | '\u{2043}' | '\u{2e17}' | '\u{2e1a}' | '\u{2e40}' | '\u{fe63}'
            | '\u{ff0d}' | '\u{58a}' | '\u{5be}' | '\u{1400}' | '\u{1806}' | '\u{2d7}' | '\u{2500}' | '\u{2501}'
            | '\u{fe32}' | '\u{10ead}'
            // What the dash key of Japanese and Korean keyboards gives.
            | '\u{30fc}' | '\u{ff70}' | '\u{3161}' | '\u{301c}' | '\u{ff5e}'
        )
}

/// Arrows that point to the right, as people and mail programs write them.
fn is_arrow(letter: char) -> bool {
    matches!(
        letter,
        '→' | '↦'
            | '↠'
            | '↣'
            | '⇀'
            | '⇁'
            | '⇉'
            | '⇒'
            | '⇝'
            | '⇢'
            | '⇥'
            | '⇨'
            | '⇾'
            | '⟶'
            | '⟹'
            | '⟼'
            | '⟾'
            | '⟿'
            | '➔'
            | '➙'
            | '➛'
            | '➜'
            | '➝'
            | '➞'
            | '➟'
            | '➠'
            | '➡'
            | '➢'
            | '➣'
            | '➤'
            | '➥'
            | '➦'
            | '➧'
            | '➨'
            | '➩'
            | '➪'
            | '➫'
            | '➬'
            | '➭'
            | '➮'
            | '➯'
            | '➱'
            | '➲'
            | '➵'
            | '➸'
            | '➺'
            | '➻'
            | '➼'
            | '➽'
            | '➾'
            | '►'
            | '▶'
            | '▸'
            | '▹'
            | '▷'
            | '⮕'
            | '🡒'
            | '🡢'
            | '🡪'
            | '🠖'
            | '🠚'
            | '🠢'
            | '🠪'
            | '🠮'
    )
}

/// The form in which a word is read.
fn plain(raw: &str) -> Cow<'_, str> {
    if raw.is_ascii() {
        return match raw.bytes().any(|byte| byte.is_ascii_uppercase()) {
            true => raw.to_ascii_lowercase().into(),
            false => raw.into(),
        };
    }
    let option = raw.chars().next().is_some_and(is_em_dash) && raw.chars().nth(1).is_some_and(char::is_alphabetic);
    let mut text = String::with_capacity(raw.len());
    if option {
        text.push('-');
    }
    // Dashes are judged before NFKC, which knows some of them as letters.
    for letter in raw.chars() {
        match letter {
            _ if is_dash(letter) => text.push('-'),
            _ if is_arrow(letter) => text.push_str("->"),
            '×' | '✕' | '✖' => text.push('x'),
            _ => text.push(letter),
        }
    }
    text.nfkc().flat_map(char::to_lowercase).collect::<String>().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(line: &str) -> Vec<String> {
        words(line).map(|word| word.text.into_owned()).collect()
    }

    #[test]
    fn makes_unicode_plain() {
        for (line, expected) in [
            ("＃１２　ｄ４", vec!["#12", "d4"]),
            ("\u{feff}Move\u{a0}D4\u{200b}", vec!["move", "d4"]),
            ("c4–c5 c4—c5 c4−c5 c4→c5", vec!["c4-c5", "c4-c5", "c4-c5", "c4->c5"]),
            ("c4➡\u{fe0f}c5", vec!["c4->c5"]),
            ("—time=7d — d4", vec!["--time=7d", "-", "d4"]),
            ("c4ㅡc5 c4ーc5", vec!["c4-c5", "c4-c5"]),
            ("e4×h7=Q", vec!["e4xh7=q"]),
            (" \u{200b} \t ", vec![]),
        ] {
            assert_eq!(texts(line), expected, "{line:?}");
        }
    }

    #[test]
    fn keeps_what_was_typed() {
        let words: Vec<_> = words("say  Hello – “you”! ").collect();
        assert_eq!(words[0].behind, "  Hello – “you”! ");
        assert_eq!(trim_free_text(words[0].behind), "Hello – “you”!");
        assert_eq!(words[3].raw, "“you”!");
    }

    #[test]
    fn drops_end_punctuation_but_no_question_mark() {
        for (line, expected) in [
            ("d4.", vec!["d4"]),
            ("d4 !!", vec!["d4"]),
            ("d4…", vec!["d4"]),
            ("d4！", vec!["d4"]),
            ("d4。", vec!["d4"]),
            ("d4?", vec!["d4?"]),
            ("d4?!", vec!["d4?"]),
            (". ! ,", vec![]),
        ] {
            let mut words: Vec<_> = words(line).collect();
            drop_end_punctuation(&mut words);
            let texts: Vec<_> = words.into_iter().map(|word| word.text).collect();
            assert_eq!(texts, expected, "{line:?}");
        }
    }

    #[test]
    fn knows_list_marks() {
        for mark in ["*", "-", "–", "•", "➢", "1.", "12.", "3)", "(4)"] {
            assert!(is_list_mark(&words(mark).next().unwrap()), "{mark}");
        }
        for word in [".", "+", "#1.", "1", "1234.", "a)", "--", "d4."] {
            assert!(!is_list_mark(&words(word).next().unwrap()), "{word}");
        }
    }
}
