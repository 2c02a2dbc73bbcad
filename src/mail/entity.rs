//! Character references of HTML.

use std::{collections::HashMap, sync::LazyLock};

use super::table::pairs;

static NAMED: LazyLock<HashMap<&'static str, String>> = LazyLock::new(|| {
    let code = |hex| u32::from_str_radix(hex, 16).ok().and_then(char::from_u32);
    pairs(include_str!("tables/entities.txt"))
        .map(|(name, codes)| (name, codes.split(' ').filter_map(code).collect()))
        .collect()
});

/// The longest name of a reference.
const LONGEST: usize = 32;

/// Replaces the references in a text; what is none stays.
pub fn decode(text: &str) -> String {
    let mut decoded = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('&') {
        decoded.push_str(&rest[..at]);
        rest = &rest[at..];
        match reference(rest) {
            Some((letters, length)) => {
                decoded.push_str(&letters);
                rest = &rest[length..];
            }
            None => {
                decoded.push('&');
                rest = &rest[1..];
            }
        }
    }
    decoded.push_str(rest);
    decoded
}

/// The letters of a reference at the beginning of a text, and its length.
fn reference(text: &str) -> Option<(String, usize)> {
    let body = text.strip_prefix('&')?;
    if let Some(number) = body.strip_prefix('#') {
        let (digits, radix, prefix) = match number.strip_prefix(['x', 'X']) {
            Some(hex) => (hex, 16, 3),
            None => (number, 10, 2),
        };
        let length = digits
            .bytes()
            .take(LONGEST)
            .take_while(|byte| char::from(*byte).is_digit(radix))
            .count();
        let code = u32::from_str_radix(digits.get(..length)?, radix).ok()?;
        let end = prefix + length + usize::from(digits[length..].starts_with(';'));
        return Some((numbered(code).to_string(), end));
    }
    let length = body.bytes().take(LONGEST).take_while(u8::is_ascii_alphanumeric).count();
    let name = &body[..length];
    if body[length..].starts_with(';')
        && let Some(letters) = NAMED.get(name)
    {
        return Some((letters.clone(), length + 2));
    }
    // The oldest references are known without their semicolon.
    let bare = ["nbsp", "amp", "lt", "gt", "quot", "copy", "reg"]
        .into_iter()
        .find(|bare| name.starts_with(bare))?;
    NAMED.get(bare).map(|letters| (letters.clone(), bare.len() + 1))
}

/// Numbers from 128 to 159 name letters of windows-1252, as browsers read them.
fn numbered(code: u32) -> char {
    let letter = match u8::try_from(code) {
        Ok(byte @ 0x80..=0x9f) => super::charset::decode(&[byte], Some("windows-1252"))
            .ok()
            .and_then(|text| text.chars().next()),
        _ => char::from_u32(code),
    };
    letter
        .filter(|&letter| letter != '\0')
        .unwrap_or(char::REPLACEMENT_CHARACTER)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_of_all_kinds() {
        assert_eq!(
            decode("a&amp;b &lt;&#8211;&#x2192;&#150;&rarr; caf&eacute;"),
            "a&b <–→–→ café"
        );
        assert_eq!(
            decode("&nbsp;&nbspx&unknown; & &#; &#xZ;"),
            "\u{a0}\u{a0}x&unknown; & &#; &#xZ;"
        );
        assert_eq!(decode("&#0;&#99999999999;&#x110000;"), "\u{fffd}&#99999999999;\u{fffd}");
    }
}
