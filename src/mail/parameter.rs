//! Values with parameters: `text/plain; charset="utf-8"` (RFC 2045), with the continuations of RFC 2231.

use super::charset;

/// A value and its parameters, names and the value itself in lower case.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Parameterised {
    /// What stands before the first `;`.
    pub value: String,
    parameters: Vec<(String, String)>,
}

impl Parameterised {
    /// Reads an unfolded header value. Nothing is an error: what cannot be read is not there.
    pub fn parse(text: &str) -> Self {
        let mut rest = skip_comments(text);
        let end = rest.find([';', ' ', '\t', '(']).unwrap_or(rest.len());
        let value = rest[..end].trim_matches('"').to_ascii_lowercase();
        rest = &rest[end..];
        let mut parameters = Vec::new();
        loop {
            rest = rest.trim_start_matches([';', ' ', '\t', ',']);
            if rest.starts_with('(') {
                rest = skip_comments(rest);
                continue;
            }
            if rest.is_empty() {
                break;
            }
            let end = rest.find(['=', ';', ' ', '\t']).unwrap_or(rest.len());
            let name = rest[..end].to_ascii_lowercase();
            rest = rest[end..].trim_start_matches([' ', '\t']);
            if let Some(after) = rest.strip_prefix('=') {
                let (value, after) = take_value(after.trim_start_matches([' ', '\t']));
                parameters.push((name, value));
                rest = after;
            } else if end == 0 {
                break;
            }
        }
        Self { value, parameters }
    }

    /// The parameter of this name (in lower case), its RFC 2231 pieces joined and decoded.
    pub fn get(&self, name: &str) -> Option<String> {
        let plain = self.parameters.iter().find(|(key, _)| key == name);
        if let Some((_, value)) = plain {
            return Some(value.clone());
        }
        let mut joined = String::new();
        let mut found = false;
        let extended = |key: &str| key.strip_prefix(name).is_some_and(|rest| rest.starts_with('*'));
        for (key, value) in self.parameters.iter().filter(|(key, _)| extended(key)) {
            found = true;
            if key.ends_with('*') {
                joined.push_str(&unescape(value));
            } else {
                joined.push_str(value);
            }
        }
        found.then_some(joined)
    }

    /// Whether the parameter is there in any form.
    pub fn has(&self, name: &str) -> bool {
        self.get(name).is_some()
    }
}

fn skip_comments(text: &str) -> &str {
    let mut rest = text.trim_start();
    while rest.starts_with('(') {
        let mut depth = 0usize;
        let end = rest.char_indices().find_map(|(at, letter)| {
            match letter {
                '(' => depth += 1,
                ')' => depth -= 1,
                _ => {}
            }
            (depth == 0).then_some(at + 1)
        });
        rest = end.map_or("", |end| rest[end..].trim_start());
    }
    rest
}

fn take_value(text: &str) -> (String, &str) {
    let Some(quoted) = text.strip_prefix('"') else {
        let end = text.find([';', ' ', '\t']).unwrap_or(text.len());
        return (text[..end].to_owned(), &text[end..]);
    };
    let mut value = String::new();
    let mut escaped = false;
    for (at, letter) in quoted.char_indices() {
        match letter {
            _ if escaped => {
                value.push(letter);
                escaped = false;
            }
            '\\' => escaped = true,
            '"' => return (value, &quoted[at + 1..]),
            _ => value.push(letter),
        }
    }
    (value, "")
}

/// Undoes `charset'language'%41%42` and a continued `%41`.
fn unescape(value: &str) -> String {
    let mut parts = value.splitn(3, '\'');
    let (label, text) = match (parts.next(), parts.next(), parts.next()) {
        (Some(label), Some(_), Some(text)) => (Some(label), text),
        _ => (None, value),
    };
    let bytes = super::transfer::escaped(text.as_bytes(), b'%');
    charset::decode(&bytes, label).unwrap_or_else(|_| text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_quotes_comments_and_missing_semicolons() {
        let read = Parameterised::parse("TEXT/Plain (a (b) c); charset=\"utf-8\" format=Flowed; delsp = yes");
        assert_eq!(read.value, "text/plain");
        assert_eq!(read.get("charset").as_deref(), Some("utf-8"));
        assert_eq!(read.get("format").as_deref(), Some("Flowed"));
        assert_eq!(read.get("delsp").as_deref(), Some("yes"));
    }

    #[test]
    fn joins_continuations() {
        let read = Parameterised::parse("multipart/mixed; boundary*0=\"ab\"; boundary*1=cd; name*=utf-8'en'%E2%82%AC");
        assert_eq!(read.get("boundary").as_deref(), Some("abcd"));
        assert_eq!(read.get("name").as_deref(), Some("€"));
    }
}
