//! Splits HTML into texts and tags. Never looks back, so that any input takes linear time.

/// A piece of HTML.
pub(super) enum Token<'a> {
    /// Text between tags, its character references undecoded.
    Text(&'a str),
    /// A start tag.
    Open(Tag<'a>),
    /// The name of an end tag, in lower case.
    Close(String),
    /// The text of a style element.
    Style(&'a str),
}

/// A start tag with the attributes that tell whose words its element holds.
#[derive(Default)]
pub(super) struct Tag<'a> {
    /// In lower case.
    pub name: String,
    pub class: &'a str,
    pub id: &'a str,
    pub style: &'a str,
    pub name_attribute: &'a str,
    pub hidden: bool,
    self_closing: bool,
}

impl Tag<'_> {
    /// Whether no end tag belongs to it.
    pub fn is_void(&self) -> bool {
        let void = matches!(
            self.name.as_str(),
            "img"
                | "meta"
                | "link"
                | "input"
                | "col"
                | "area"
                | "base"
                | "embed"
                | "source"
                | "track"
                | "wbr"
                | "param"
        );
        void || (self.self_closing && self.name.contains(':'))
    }
}

/// The pieces of a text in order. What is no HTML is text; an unclosed comment or tag reaches to the end.
pub(super) fn tokens(html: &str) -> Tokens<'_> {
    Tokens { rest: html }
}

pub(super) struct Tokens<'a> {
    rest: &'a str,
}

impl<'a> Iterator for Tokens<'a> {
    type Item = Token<'a>;

    fn next(&mut self) -> Option<Token<'a>> {
        loop {
            if self.rest.is_empty() {
                return None;
            }
            if !begins_markup(self.rest) {
                return Some(Token::Text(self.take_text()));
            }
            if let Some(comment) = self.rest.strip_prefix("<!--") {
                self.rest = if comment.starts_with('>') || comment.starts_with("->") {
                    after(comment, ">")
                } else {
                    after(comment, "-->")
                };
            } else if let Some(section) = self.rest.strip_prefix("<![CDATA[") {
                self.rest = after(section, "]]>");
            } else if self.rest.starts_with("<!") || self.rest.starts_with("<?") {
                self.rest = after(self.rest, ">");
            } else if let Some(token) = self.take_tag() {
                return Some(token);
            }
        }
    }
}

impl<'a> Tokens<'a> {
    fn take_text(&mut self) -> &'a str {
        let html = self.rest;
        let mut end = 0;
        loop {
            // The first letter is text in any case: a `<` that begins no mark-up.
            let from = end + html[end..].chars().next().map_or(0, char::len_utf8);
            match html[from..].find('<') {
                Some(at) if begins_markup(&html[from + at..]) => {
                    end = from + at;
                    break;
                }
                Some(at) => end = from + at,
                None => {
                    end = html.len();
                    break;
                }
            }
        }
        let (text, rest) = html.split_at(end);
        self.rest = rest;
        text
    }

    /// Takes a tag, and with some start tags the raw text up to their end tag.
    fn take_tag(&mut self) -> Option<Token<'a>> {
        let inner = &self.rest[1..];
        let closing = inner.starts_with('/');
        let inner = inner.strip_prefix('/').unwrap_or(inner);
        let name_end = inner
            .find(|letter: char| letter.is_ascii_whitespace() || matches!(letter, '>' | '/'))
            .unwrap_or(inner.len());
        let mut tag = Tag {
            name: inner[..name_end].to_ascii_lowercase(),
            ..Tag::default()
        };
        self.rest = take_attributes(&inner[name_end..], &mut tag)?;
        if closing {
            return Some(Token::Close(tag.name));
        }
        match tag.name.as_str() {
            "style" => Some(Token::Style(self.take_raw("</style"))),
            "script" => self.skip_raw("</script"),
            "title" => self.skip_raw("</title"),
            "xml" => self.skip_raw("</xml"),
            "svg" => self.skip_raw("</svg"),
            "template" => self.skip_raw("</template"),
            _ => Some(Token::Open(tag)),
        }
    }

    fn skip_raw(&mut self, end_tag: &str) -> Option<Token<'a>> {
        self.take_raw(end_tag);
        None
    }

    fn take_raw(&mut self, end_tag: &str) -> &'a str {
        let html = self.rest;
        let wanted = end_tag.as_bytes();
        let end = html
            .as_bytes()
            .windows(wanted.len())
            .position(|window| window.eq_ignore_ascii_case(wanted))
            .unwrap_or(html.len());
        self.rest = after(&html[end..], ">");
        &html[..end]
    }
}

fn begins_markup(html: &str) -> bool {
    let mut bytes = html.bytes();
    let second = if bytes.next() == Some(b'<') { bytes.next() } else { None };
    match second {
        Some(b'/') => bytes.next().is_some_and(|byte| byte.is_ascii_alphabetic()),
        Some(byte) => byte.is_ascii_alphabetic() || matches!(byte, b'!' | b'?'),
        None => false,
    }
}

/// What stands behind the first occurrence; nothing where there is none.
fn after<'a>(text: &'a str, end: &str) -> &'a str {
    text.find(end).map_or("", |at| &text[at + end.len()..])
}

/// Reads attributes up to the `>`; gives what follows it. A tag that does not end takes all with it.
fn take_attributes<'a>(text: &'a str, tag: &mut Tag<'a>) -> Option<&'a str> {
    let mut rest = text;
    loop {
        rest = rest.trim_start_matches(|letter: char| letter.is_ascii_whitespace());
        if let Some(rest) = rest.strip_prefix('>') {
            return Some(rest);
        }
        if let Some(after) = rest.strip_prefix('/') {
            tag.self_closing = after.starts_with('>');
            rest = after;
            continue;
        }
        let end = rest
            .find(|letter: char| letter.is_ascii_whitespace() || matches!(letter, '=' | '>' | '/'))
            .unwrap_or(rest.len());
        let name = &rest[..end];
        rest = rest[end..].trim_start_matches(|letter: char| letter.is_ascii_whitespace());
        let mut value = "";
        if let Some(after) = rest.strip_prefix('=') {
            (value, rest) = take_value(after.trim_start_matches(|letter: char| letter.is_ascii_whitespace()));
        } else if end == 0 {
            return Some("");
        }
        tag.note(name, value);
    }
}

fn take_value(text: &str) -> (&str, &str) {
    let quote = text.chars().next().filter(|letter| matches!(letter, '"' | '\''));
    match quote {
        Some(quote) => text[1..].split_once(quote).unwrap_or((&text[1..], "")),
        None => {
            let end = text
                .find(|letter: char| letter.is_ascii_whitespace() || letter == '>')
                .unwrap_or(text.len());
            text.split_at(end)
        }
    }
}

impl<'a> Tag<'a> {
    fn note(&mut self, name: &str, value: &'a str) {
        let slot = if name.eq_ignore_ascii_case("class") {
            &mut self.class
        } else if name.eq_ignore_ascii_case("id") {
            &mut self.id
        } else if name.eq_ignore_ascii_case("style") {
            &mut self.style
        } else if name.eq_ignore_ascii_case("name") {
            &mut self.name_attribute
        } else {
            self.hidden |= name.eq_ignore_ascii_case("hidden");
            return;
        };
        if slot.is_empty() {
            *slot = value;
        }
    }
}
