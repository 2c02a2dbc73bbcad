//! Which parts of a mail hold the text to read, and that text as lines.

use std::sync::LazyLock;

use super::{
    charset, flowed, html,
    line::{Line, is_blank},
    mime::Part,
    pgp,
    table::{entries, fits},
};

/// The text of a mail.
#[derive(Debug, Default)]
pub struct Text {
    /// The lines of the inline text parts, one part after the other.
    pub lines: Vec<Line>,
    /// Why a part that may hold the text could not be read.
    pub unreadable: Option<&'static str>,
}

impl Text {
    /// Whether any line shows anything.
    pub fn is_blank(&self) -> bool {
        self.lines.iter().all(|line| is_blank(&line.text))
    }

    fn extend(&mut self, other: Self) {
        self.lines.extend(other.lines);
        self.unreadable = self.unreadable.or(other.unreadable);
    }

    fn unreadable(why: &'static str) -> Self {
        Self {
            lines: Vec::new(),
            unreadable: Some(why),
        }
    }
}

/// Reads the text of a mail.
pub fn text(mail: &Part<'_>) -> Text {
    read(mail, Place::Whole)
}

/// A part that is the whole mail may have a name; one among others with a name is an attachment.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Whole,
    Among,
}

fn read(part: &Part<'_>, place: Place) -> Text {
    match part.content_type.value.as_str() {
        "multipart/alternative" if !part.parts().is_empty() => best_alternative(part.parts()),
        "multipart/signed" => part
            .parts()
            .first()
            .map(|first| read(first, Place::Among))
            .unwrap_or_default(),
        "multipart/encrypted" => Text::unreadable("an encrypted mail"),
        "application/pkcs7-mime" | "application/x-pkcs7-mime" => Text::unreadable("an opaque S/MIME mail"),
        "application/pgp-encrypted" => Text::unreadable("an encrypted mail"),
        value if value.starts_with("multipart/") => all_parts(part.parts()),
        "text/plain" | "text/markdown" | "text/x-markdown" if is_inline(part, place) => plain(part),
        "text/html" | "application/xhtml+xml" if is_inline(part, place) => markup(part),
        _ => Text::default(),
    }
}

fn is_inline(part: &Part<'_>, place: Place) -> bool {
    match place {
        Place::Whole => {
            let disposition = part.header.text("content-disposition").unwrap_or_default();
            !disposition.to_ascii_lowercase().starts_with("attachment")
        }
        Place::Among => !part.is_attachment(),
    }
}

fn all_parts(parts: &[Part<'_>]) -> Text {
    let mut text = Text::default();
    let mut notice = None;
    for part in parts {
        let read = read(part, Place::Among);
        if only_points_to_html(&read) {
            notice = Some(read);
        } else {
            text.extend(read);
        }
    }
    match notice {
        Some(notice) if text.is_blank() => notice,
        _ => text,
    }
}

/// The first alternative in plain text that says something, or else the first that does.
fn best_alternative(parts: &[Part<'_>]) -> Text {
    let mut unreadable = None;
    let mut fallback = None;
    for wants_plain in [true, false] {
        for part in parts.iter().filter(|part| is_plain(part) == wants_plain) {
            let text = read(part, Place::Among);
            unreadable = unreadable.or(text.unreadable);
            if text.is_blank() {
                continue;
            }
            if !only_points_to_html(&text) {
                return text;
            }
            fallback.get_or_insert(text);
        }
    }
    fallback.unwrap_or(Text {
        lines: Vec::new(),
        unreadable,
    })
}

/// Whether a part, with all within it, begins with plain text.
fn is_plain(part: &Part<'_>) -> bool {
    match part.parts().first() {
        Some(first) => is_plain(first),
        None => part.content_type.value == "text/plain",
    }
}

static HTML_NOTICES: LazyLock<Vec<&'static str>> =
    LazyLock::new(|| entries(include_str!("tables/html_notices.txt")).collect());

/// A notice is not longer than this.
const LONGEST_NOTICE: usize = 400;

/// Whether a text says no more than that the mail is in HTML.
fn only_points_to_html(text: &Text) -> bool {
    let length: usize = text.lines.iter().map(|line| line.text.len()).sum();
    if length > LONGEST_NOTICE {
        return false;
    }
    let words: Vec<&str> = text
        .lines
        .iter()
        .flat_map(|line| line.text.split_whitespace())
        .collect();
    let words = words.join(" ").to_lowercase();
    words.contains("html") && HTML_NOTICES.iter().any(|notice| fits(notice, &words))
}

fn plain(part: &Part<'_>) -> Text {
    let Some(decoded) = decoded(part) else {
        return Text::unreadable("a text in UTF-7");
    };
    let flows = part
        .content_type
        .get("format")
        .is_some_and(|format| format.eq_ignore_ascii_case("flowed"));
    let unflowed = if flows {
        let delsp = part
            .content_type
            .get("delsp")
            .is_some_and(|delsp| delsp.eq_ignore_ascii_case("yes"));
        flowed::unflow(&decoded, delsp)
    } else {
        decoded
    };
    let bare = pgp::unarmour(unflowed);
    let lines: Vec<Line> = bare.text.split('\n').map(|line| Line::plain(cleaned(line))).collect();
    let text = Text {
        lines,
        unreadable: None,
    };
    if bare.encrypted && text.is_blank() {
        Text::unreadable("an encrypted mail")
    } else {
        text
    }
}

fn markup(part: &Part<'_>) -> Text {
    match decoded(part) {
        Some(decoded) => {
            let mut lines = html::lines(&decoded);
            for line in &mut lines {
                line.text = cleaned(&line.text);
            }
            Text {
                lines,
                unreadable: None,
            }
        }
        None => Text::unreadable("a text in UTF-7"),
    }
}

fn decoded(part: &Part<'_>) -> Option<String> {
    let label = part.content_type.get("charset");
    charset::decode(&part.decoded(), label.as_deref()).ok()
}

/// A line without control characters; a bare carriage return ends no line and is a blank.
fn cleaned(line: &str) -> String {
    let line = line.trim_end_matches('\r');
    if !line.contains(|letter: char| letter.is_control() && letter != '\t') {
        return line.to_owned();
    }
    line.chars()
        .filter_map(|letter| match letter {
            '\t' => Some('\t'),
            '\r' | '\u{b}' | '\u{c}' | '\u{85}' => Some(' '),
            _ if letter.is_control() => None,
            _ => Some(letter),
        })
        .collect()
}
