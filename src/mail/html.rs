//! HTML to the lines that a reader sees: one pass over the text, linear in its length.

use std::collections::{HashMap, HashSet};

use super::{
    entity,
    html_style::{Style, hidden_classes},
    html_tag::{Tag, Token, tokens},
    line::{Line, Mark, is_blank},
};

/// Reads HTML as lines. Each block is one line; `<br>` and an empty block make a blank one; cells of a table row are
/// parted by a blank. What is hidden is left out, what is quoted is marked.
pub fn lines(html: &str) -> Vec<Line> {
    let mut reader = Reader::default();
    for token in tokens(html) {
        match token {
            Token::Text(text) => reader.text(text),
            Token::Open(tag) => reader.open(&tag),
            Token::Close(name) => reader.close(&name),
            Token::Style(style) => reader.hidden_classes.extend(hidden_classes(style)),
        }
    }
    reader.break_line();
    reader.lines
}

/// What an open element does to the text in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Effect {
    None,
    Hide,
    Quote,
    Around,
    Attribution,
    Preformatted,
}

struct Open {
    name: String,
    effect: Effect,
    block: bool,
    /// How many lines there were when the element began.
    lines_before: usize,
}

#[derive(Default)]
struct Reader {
    lines: Vec<Line>,
    current: String,
    current_mark: Option<Mark>,
    open: Vec<Open>,
    /// How many elements of each name are open, so that a stray end tag costs nothing.
    counts: HashMap<String, usize>,
    /// Places in `open` of containers that still quote what stands before their blockquote.
    around: Vec<usize>,
    hidden: usize,
    quoted: usize,
    attributions: usize,
    preformatted: usize,
    hidden_classes: HashSet<String>,
}

impl Reader {
    fn text(&mut self, text: &str) {
        if self.hidden > 0 {
            return;
        }
        for letter in entity::decode(text).chars() {
            match letter {
                '\n' if self.preformatted > 0 => self.end_line(),
                '\r' if self.preformatted > 0 => {}
                ' ' | '\t' | '\n' | '\r' | '\x0c' if self.preformatted == 0 => {
                    if !self.current.is_empty() && !self.current.ends_with(' ') {
                        self.current.push(' ');
                    }
                }
                '\u{a0}' => self.current.push(' '),
                _ => {
                    self.current.push(letter);
                    if self.current_mark.is_none() {
                        self.current_mark = Some(self.mark());
                    }
                }
            }
        }
    }

    fn mark(&self) -> Mark {
        if self.attributions > 0 {
            Mark::Attribution
        } else if self.quoted > 0 {
            Mark::Quoted
        } else {
            Mark::Plain
        }
    }

    fn open(&mut self, tag: &Tag<'_>) {
        let name = tag.name.as_str();
        match name {
            "br" => {
                if self.hidden == 0 {
                    self.end_line();
                }
                return;
            }
            "hr" => {
                let style = Style::of(tag, &self.hidden_classes);
                self.break_line();
                if self.hidden == 0 && self.quoted == 0 {
                    self.signal(if style.under { Mark::Attribution } else { Mark::End });
                }
                return;
            }
            "body" => self.close("head"),
            _ => {}
        }
        if tag.is_void() {
            return;
        }
        let style = Style::of(tag, &self.hidden_classes);
        let block = style.block.unwrap_or_else(|| is_block(name));
        if block {
            self.end_implied(name);
            self.break_line();
        } else if matches!(name, "td" | "th")
            && self.hidden == 0
            && !self.current.is_empty()
            && !self.current.ends_with(' ')
        {
            self.current.push(' ');
        }
        if self.hidden == 0 && self.quoted == 0 {
            if style.end {
                self.signal(Mark::End);
            } else if style.under {
                self.signal(Mark::Attribution);
            }
        }
        self.push(name, style.effect, block);
    }

    fn push(&mut self, name: &str, effect: Effect, block: bool) {
        match effect {
            Effect::Hide => self.hidden += 1,
            Effect::Quote => self.quoted += 1,
            Effect::Attribution => self.attributions += 1,
            Effect::Preformatted => self.preformatted += 1,
            Effect::Around => {
                self.quoted += 1;
                self.around.push(self.open.len());
            }
            Effect::None => {}
        }
        match self.counts.get_mut(name) {
            Some(count) => *count += 1,
            None => {
                self.counts.insert(name.to_owned(), 1);
            }
        }
        self.open.push(Open {
            name: name.to_owned(),
            effect,
            block,
            lines_before: self.lines.len(),
        });
    }

    fn close(&mut self, name: &str) {
        if self.counts.get(name).is_none_or(|&count| count == 0) {
            return;
        }
        while let Some(open) = self.open.pop() {
            let last = open.name == name;
            self.end_element(&open);
            if last {
                break;
            }
        }
    }

    fn end_element(&mut self, open: &Open) {
        if let Some(count) = self.counts.get_mut(&open.name) {
            *count -= 1;
        }
        if open.block && self.hidden == 0 {
            let empty = is_blank(&self.current) && self.lines.len() == open.lines_before;
            if empty && shows_when_empty(&open.name) {
                self.end_line();
            } else {
                self.break_line();
            }
        }
        match open.effect {
            Effect::Hide => self.hidden -= 1,
            Effect::Quote => self.quoted -= 1,
            Effect::Attribution => self.attributions -= 1,
            Effect::Preformatted => self.preformatted -= 1,
            Effect::Around => {
                if self.around.last() == Some(&self.open.len()) {
                    self.around.pop();
                    self.quoted -= 1;
                }
            }
            Effect::None => {}
        }
        if open.name == "blockquote" && self.around.pop().is_some() {
            self.quoted -= 1;
        }
    }

    /// Ends the elements that the beginning of this one ends without a tag.
    fn end_implied(&mut self, name: &str) {
        let Some(top) = self.open.last().map(|open| open.name.as_str()) else {
            return;
        };
        let ends = match top {
            "p" => !matches!(name, "td" | "th"),
            "li" => name == "li",
            "dt" | "dd" => matches!(name, "dt" | "dd"),
            "td" | "th" => name == "tr",
            "tr" => name == "tr",
            _ => false,
        };
        if ends {
            let top = top.to_owned();
            self.close(&top);
        }
    }

    /// Ends the line if it shows anything.
    fn break_line(&mut self) {
        if is_blank(&self.current) {
            self.current.clear();
            self.current_mark = None;
        } else {
            self.end_line();
        }
    }

    /// Ends the line, blank or not.
    fn end_line(&mut self) {
        let mark = self.current_mark.take().unwrap_or_else(|| match self.mark() {
            Mark::Attribution => Mark::Quoted,
            mark => mark,
        });
        let text = std::mem::take(&mut self.current);
        self.lines.push(Line {
            text: text.trim_end().to_owned(),
            mark,
        });
    }

    fn signal(&mut self, mark: Mark) {
        self.lines.push(Line {
            text: String::new(),
            mark,
        });
    }
}

fn is_block(name: &str) -> bool {
    shows_when_empty(name)
        || matches!(
            name,
            "ul" | "ol"
                | "dl"
                | "table"
                | "tr"
                | "tbody"
                | "thead"
                | "tfoot"
                | "body"
                | "html"
                | "form"
                | "fieldset"
                | "caption"
                | "main"
                | "header"
                | "footer"
                | "nav"
                | "aside"
                | "figure"
                | "figcaption"
                | "details"
                | "summary"
                | "legend"
        )
}

fn shows_when_empty(name: &str) -> bool {
    matches!(
        name,
        "p" | "div"
            | "li"
            | "dt"
            | "dd"
            | "pre"
            | "blockquote"
            | "center"
            | "address"
            | "section"
            | "article"
            | "h1"
            | "h2"
            | "h3"
            | "h4"
            | "h5"
            | "h6"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn typed(html: &str) -> Vec<String> {
        lines(html)
            .into_iter()
            .filter(|line| line.mark == Mark::Plain)
            .map(|line| line.text)
            .collect()
    }

    #[test]
    fn blocks_are_lines() {
        assert_eq!(
            typed("<p>d4</p><p>One\n two</p>x<br><br>y<div><br></div><div>z"),
            ["d4", "One two", "x", "", "y", "", "z"]
        );
        assert_eq!(
            typed("<table><tr><td>a</td><td>b</td></tr><tr><td>c</table>"),
            ["a b", "c"]
        );
        assert_eq!(typed("<ul><li>d4<li>e5</ul><pre>a\n b</pre>"), ["d4", "e5", "a", " b"]);
        assert_eq!(
            typed("<p class=x>d4<o:p></o:p></p><p><o:p>&nbsp;</o:p></p><p>x</p>"),
            ["d4", "", "x"]
        );
        assert_eq!(
            typed("<span style='display:block'>a</span><div style='display:inline'>b</div>c"),
            ["a", "bc"]
        );
    }

    #[test]
    fn hidden_text_is_left_out() {
        for html in [
            "<div style='DISPLAY : none'>resign</div>d4",
            "<span style=\"font-size:0px\">resign</span>d4",
            "<div style='max-height:0'>resign</div>d4",
            "<div style='mso-hide:all'>resign</div>d4",
            "<p hidden>resign</p>d4",
            "<style>.pre{display:none !important}</style><div class='a pre'>resign</div>d4",
            "<head><title>resign</title></head><body>d4",
            "<head><title>resign</title><body>d4",
            "<script>resign</script><!-- resign --><![CDATA[resign]]>d4",
            "<!--[if mso]><p>resign</p><![endif]-->d4",
        ] {
            assert_eq!(typed(html).join(""), "d4", "{html}");
        }
    }

    #[test]
    fn quotes_are_marked() {
        for html in [
            "<p>d4</p><blockquote><p>resign</p><blockquote>accept</blockquote>draw</blockquote>",
            "<p>d4</p><div class='x_gmail_quote'><div class=gmail_attr>On…</div>resign</div>",
            "<p>d4</p><div class='ydp12yahoo_quoted'>resign</div>",
            "<p>d4</p><div name=quote>resign</div>",
            "<p>d4</p><div style='border:none;border-left:solid blue 1.5pt'>resign</div>",
        ] {
            assert_eq!(typed(html), ["d4"], "{html}");
        }
        let between = "<div class=gmail_quote><div class=gmail_attr>On</div><blockquote>a</blockquote><div>d4</div><blockquote>b</blockquote></div>";
        assert_eq!(typed(between), ["d4"]);
    }

    #[test]
    fn stray_tags_do_no_harm() {
        assert_eq!(typed("</div></b>d4<b></p> a < b <3 <notclosed"), ["d4 a < b <3"]);
    }
}
