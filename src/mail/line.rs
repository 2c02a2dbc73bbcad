//! A line of a text part and what is known of it from the mark-up.

/// Whose words a line holds, as far as the mark-up tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mark {
    /// Nothing is known: the text of the line decides.
    Plain,
    /// It stands in a quote.
    Quoted,
    /// It names the writer of what is quoted below it; empty where a header block begins.
    Attribution,
    /// Here ends what was typed.
    End,
}

/// A line without its end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// The text.
    pub text: String,
    /// What the mark-up says of it.
    pub mark: Mark,
}

impl Line {
    /// A line of plain text.
    pub fn plain(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            mark: Mark::Plain,
        }
    }
}

/// Whether nothing of a text is seen: blanks and letters without width alone.
pub fn is_blank(text: &str) -> bool {
    text.chars()
        .all(|letter| letter.is_whitespace() || is_invisible(letter))
}

/// Letters without width, marks of direction, and control characters.
pub fn is_invisible(letter: char) -> bool {
    matches!(letter, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}' | '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{180e}')
        || (letter.is_control() && letter != '\t')
}
