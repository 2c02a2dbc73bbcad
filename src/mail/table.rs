//! The tables of what mail programs write: one entry a line, `#` begins a comment.

/// The entries of a table.
pub fn entries(table: &'static str) -> impl Iterator<Item = &'static str> {
    table
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
}

/// The entries of a table whose lines are a key, a tab and a value.
pub fn pairs(table: &'static str) -> impl Iterator<Item = (&'static str, &'static str)> {
    table
        .lines()
        .filter(|line| !line.starts_with("# "))
        .filter_map(|line| line.split_once('\t'))
        .map(|(key, value)| (key.trim(), value.trim()))
}

/// Whether a text fits a pattern in which `*` stands for any text. Linear in the text for each `*`.
pub fn fits(pattern: &str, text: &str) -> bool {
    let mut pieces = pattern.split('*');
    let Some(mut rest) = pieces.next().and_then(|first| text.strip_prefix(first)) else {
        return false;
    };
    let mut pieces = pieces.peekable();
    if pieces.peek().is_none() {
        return rest.is_empty();
    }
    while let Some(piece) = pieces.next() {
        if pieces.peek().is_none() {
            return rest.ends_with(piece);
        }
        match rest.find(piece) {
            Some(at) => rest = &rest[at + piece.len()..],
            None => return false,
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stars_stand_for_any_text() {
        assert!(fits("sent from my *", "sent from my phone"));
        assert!(fits("von * gesendet", "von meinem iphone gesendet"));
        assert!(!fits("von * gesendet", "von meinem iphone"));
        assert!(fits("*quote*", "my_quote_1"));
        assert!(!fits("a*a", "a"));
    }
}
