//! The Subject without the marks that answering and forwarding put before it, and without list tags.

use std::sync::LazyLock;

use super::{table::entries, word};

/// A Subject as it is read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Subject {
    /// Decoded, without marks and tags, white space and control characters as one blank.
    pub text: String,
    /// Whether a mark of an answer stood before it. A forward mark alone is none.
    pub is_reply: bool,
}

static MARKS: LazyLock<Vec<(&'static str, bool)>> = LazyLock::new(|| {
    let replies = entries(include_str!("tables/reply_marks.txt")).map(|mark| (mark, true));
    let forwards = entries(include_str!("tables/forward_marks.txt")).map(|mark| (mark, false));
    replies.chain(forwards).collect()
});

/// Marks and their numbers are not longer than this many letters.
const LONGEST_MARK: usize = 40;

/// Reads the raw value of a Subject field.
pub fn read(value: &[u8]) -> Subject {
    let decoded = word::decode(value);
    let blank = |letter: char| letter.is_whitespace() || letter.is_control();
    let words: Vec<&str> = decoded.split(blank).filter(|word| !word.is_empty()).collect();
    let whole = words.join(" ");
    let mut rest = whole.as_str();
    let mut is_reply = false;
    loop {
        rest = rest.trim_start_matches(|letter: char| letter == ' ' || super::line::is_invisible(letter));
        if let Some((reply, after)) = without_mark(rest) {
            is_reply |= reply;
            rest = after;
        } else if let Some(after) = without_tag(rest) {
            rest = after;
        } else {
            return Subject {
                text: rest.trim_end().to_owned(),
                is_reply,
            };
        }
    }
}

/// Takes a mark and its colon off: whether it is that of an answer, and what follows.
fn without_mark(text: &str) -> Option<(bool, &str)> {
    let head_end = text.char_indices().nth(LONGEST_MARK).map_or(text.len(), |(end, _)| end);
    let head = text.get(..head_end)?;
    let (colon, width) = head
        .char_indices()
        .find(|(_, letter)| matches!(letter, ':' | '：'))
        .map(|(at, letter)| (at, letter.len_utf8()))?;
    let written = without_number(head[..colon].trim_end()).to_lowercase();
    let (_, reply) = MARKS.iter().find(|(mark, _)| *mark == written)?;
    Some((*reply, &text[colon + width..]))
}

/// `RE[2]`, `Re(2)`, `Re^2`, `Re*2` and `Re2` without the number.
fn without_number(mark: &str) -> &str {
    let bare = mark.strip_suffix([']', ')']).unwrap_or(mark);
    let digits = bare.trim_end_matches(|letter: char| letter.is_ascii_digit());
    if digits.len() == bare.len() {
        return mark;
    }
    digits.strip_suffix(['[', '(', '^', '*']).unwrap_or(digits).trim_end()
}

/// Takes a tag in brackets off.
fn without_tag(text: &str) -> Option<&str> {
    let closing = match text.chars().next()? {
        '[' => ']',
        '【' => '】',
        '［' => '］',
        _ => return None,
    };
    let end = text.find(closing)?;
    Some(&text[end + closing.len_utf8()..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_and_tags_in_any_order() {
        for subject in [
            "Re: S",
            "RE[2]: AW: S",
            "[games] Re: [x] S",
            "Sv:S",
            "답장: S",
            "回复：S",
            "Re : S",
            "Re(3): Fwd: S",
            "Antw: RE: S",
            "RE：S",
            "TR: RE: S",
            "Re^2: S",
        ] {
            let read = read(subject.as_bytes());
            assert_eq!((read.text.as_str(), read.is_reply), ("S", true), "{subject}");
        }
        for subject in ["Fwd: S", "WG: S", "[x] S", "转发: S", "S"] {
            let read = read(subject.as_bytes());
            assert_eq!((read.text.as_str(), read.is_reply), ("S", false), "{subject}");
        }
        assert_eq!(read(b"Susan: a game\r\n\t of two").text, "Susan: a game of two");
        assert_eq!(read(b"Reply: no mark").text, "Reply: no mark");
    }
}
