//! HTML as it is written: ASCII alone, in lines that need no encoding on their way (RFC 5321 allows 998 characters).

use std::fmt::{self, Display, Write};

/// A blank in a text becomes the end of the line from here on.
const LONG: usize = 76;
/// A longer word may be broken after so many characters, each of which takes up to ten bytes.
const LONGEST_WORD: usize = 60;

const LINE_END: &str = "\r\n";

pub(super) const PARAGRAPH: &str = "<p style=\"margin:0 0 10px\">";

#[derive(Debug, Default)]
pub(super) struct Writer {
    html: String,
    /// Bytes on the present line.
    column: usize,
}

impl Writer {
    /// A writer for so many bytes, or more.
    pub fn with_room(bytes: usize) -> Self {
        Writer {
            html: String::with_capacity(bytes),
            column: 0,
        }
    }

    pub fn len(&self) -> usize {
        self.html.len()
    }

    /// Mark-up before which white space shows nothing.
    pub fn block(&mut self, markup: impl Display) {
        let start = self.html.len();
        let before = self.column;
        self.inline(markup);
        if self.column > LONG && before > 0 {
            self.html.insert_str(start, LINE_END);
            self.column -= before;
        }
    }

    /// Mark-up within a line of text.
    pub fn inline(&mut self, markup: impl Display) {
        let start = self.html.len();
        // Writing to a String does not fail.
        let _ = write!(self.html, "{markup}");
        self.column += self.html.len() - start;
    }

    /// Text, with everything escaped; a blank may become a line end.
    pub fn text(&mut self, text: &str) {
        for (index, word) in text.split(' ').enumerate() {
            if index > 0 {
                self.blank();
            }
            self.word(word);
        }
    }

    /// Text in which blanks stay as they are.
    pub fn fixed(&mut self, text: &str) {
        self.word(text);
    }

    /// A blank between words.
    pub fn blank(&mut self) {
        if self.column > LONG {
            self.end_line();
        } else {
            self.inline(" ");
        }
    }

    fn word(&mut self, word: &str) {
        for (index, letter) in word.chars().enumerate() {
            if index > 0 && index.is_multiple_of(LONGEST_WORD) {
                // A line end within a tag shows nothing.
                self.inline("<wbr");
                self.end_line();
                self.inline("/>");
            }
            let before = self.html.len();
            let _ = escape(letter, &mut self.html);
            self.column += self.html.len() - before;
        }
    }

    pub fn end_line(&mut self) {
        self.html.push_str(LINE_END);
        self.column = 0;
    }

    /// One paragraph of text.
    pub fn paragraph(&mut self, text: &str) {
        self.block(PARAGRAPH);
        self.text(text);
        self.inline("</p>");
    }

    /// What another writer has written.
    pub fn append(&mut self, other: Writer) {
        self.end_line();
        self.html.push_str(&other.html);
        self.column = other.column;
    }

    pub fn finished(mut self) -> String {
        self.end_line();
        self.html
    }
}

/// A character as it stands in a text or in a value between quotation marks.
fn escape(letter: char, html: &mut impl Write) -> fmt::Result {
    match letter {
        '&' => html.write_str("&amp;"),
        '<' => html.write_str("&lt;"),
        '>' => html.write_str("&gt;"),
        '"' => html.write_str("&quot;"),
        letter if letter.is_ascii_graphic() || letter == ' ' => html.write_char(letter),
        letter if letter.is_ascii_control() => Ok(()),
        letter => write!(html, "&#{};", u32::from(letter)),
    }
}

/// A value between quotation marks.
pub(super) fn attribute(value: &str) -> impl Display {
    fmt::from_fn(move |html| value.chars().try_for_each(|letter| escape(letter, html)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_stay_short_whatever_the_text_is() {
        let mut writer = Writer::default();
        writer.paragraph(&format!("{} {}", "\u{1F600}".repeat(1000), "word ".repeat(1000)));
        writer.fixed(&"가".repeat(500));
        let html = writer.finished();
        assert!(html.is_ascii());
        assert!(html.lines().all(|line| line.len() < 900), "{html}");
        assert!(!html.contains(" \r\n"));
    }

    #[test]
    fn text_is_escaped() {
        let mut writer = Writer::default();
        writer.text("<b> & \"c\" \u{0} é");
        assert_eq!(writer.finished(), "&lt;b&gt; &amp; &quot;c&quot;  &#233;\r\n");
    }
}
