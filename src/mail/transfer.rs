//! Content-Transfer-Encoding, with the damage that real mails carry.

use std::borrow::Cow;

use super::header::split_line;

/// Undoes a transfer encoding. The name may be quoted, commented or in any case; an unknown one changes nothing.
pub fn decode<'a>(encoding: &str, body: &'a [u8]) -> Cow<'a, [u8]> {
    let name = encoding.split(['(', ';']).next().unwrap_or_default();
    let name = name.trim().trim_matches(['"', '\'']).trim();
    if name.eq_ignore_ascii_case("base64") {
        base64_body(body)
    } else if name.eq_ignore_ascii_case("quoted-printable") {
        Cow::Owned(quoted_printable(body))
    } else {
        Cow::Borrowed(body)
    }
}

/// Base64 in lines. Text that some list or scanner appended below the encoded lines is kept as it is, and a body that
/// is no base64 at all is returned unchanged.
fn base64_body(body: &[u8]) -> Cow<'_, [u8]> {
    let mut encoded_end = 0;
    let mut complete = false;
    let mut rest = body;
    while let Some((line, after)) = split_line(rest) {
        let line = line.trim_ascii();
        if !line.is_empty() {
            let whole = line.len() % 4 == 0;
            if !line.iter().all(|&byte| is_base64(byte)) || (complete && !whole) {
                break;
            }
            complete = line.ends_with(b"=");
            encoded_end = body.len() - after.len();
        }
        rest = after;
    }
    let (encoded, appended) = body.split_at(encoded_end);
    if encoded.is_empty() {
        return Cow::Borrowed(body);
    }
    let mut decoded = base64(encoded);
    if !appended.trim_ascii().is_empty() {
        if !decoded.ends_with(b"\n") {
            decoded.push(b'\n');
        }
        decoded.extend_from_slice(appended);
    }
    Cow::Owned(decoded)
}

fn is_base64(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=')
}

/// Decodes base64 and passes over every byte that is none. Padding ends a group, not the text.
pub fn base64(encoded: &[u8]) -> Vec<u8> {
    let mut decoded = Vec::with_capacity(encoded.len() / 4 * 3 + 3);
    let (mut group, mut bits) = (0u32, 0u32);
    for &byte in encoded {
        let value = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' | b'-' => 62,
            b'/' | b'_' => 63,
            b'=' => {
                (group, bits) = (0, 0);
                continue;
            }
            _ => continue,
        };
        group = (group << 6) | u32::from(value);
        bits += 6;
        if bits >= 8 {
            bits -= 8;
            decoded.push((group >> bits) as u8);
            group &= (1 << bits) - 1;
        }
    }
    decoded
}

/// Decodes quoted-printable: soft line breaks go, and `=` that begins no escape stays.
fn quoted_printable(body: &[u8]) -> Vec<u8> {
    let mut decoded = Vec::with_capacity(body.len());
    let mut rest = body;
    while let Some((line, after)) = split_line(rest) {
        let trimmed = line.trim_ascii_end();
        if let Some(soft) = trimmed.strip_suffix(b"=") {
            decoded.extend_from_slice(&escaped(soft, b'='));
        } else {
            decoded.extend_from_slice(&escaped(line, b'='));
            let ended = after.len() + line.len() < rest.len();
            if ended {
                decoded.push(b'\n');
            }
        }
        rest = after;
    }
    decoded
}

/// Undoes escapes of two hexadecimal digits behind a mark.
pub fn escaped(text: &[u8], mark: u8) -> Cow<'_, [u8]> {
    if !text.contains(&mark) {
        return Cow::Borrowed(text);
    }
    let mut decoded = Vec::with_capacity(text.len());
    let mut rest = text;
    while let [first, after @ ..] = rest {
        let code = match after {
            [high, low, ..] if *first == mark => hex(*high).zip(hex(*low)),
            _ => None,
        };
        match code {
            Some((high, low)) => {
                decoded.push(high << 4 | low);
                rest = after.get(2..).unwrap_or_default();
            }
            None => {
                decoded.push(*first);
                rest = after;
            }
        }
    }
    Cow::Owned(decoded)
}

fn hex(byte: u8) -> Option<u8> {
    char::from(byte).to_digit(16).map(|digit| digit as u8)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(encoding: &str, body: &str) -> String {
        String::from_utf8_lossy(&decode(encoding, body.as_bytes())).into_owned()
    }

    #[test]
    fn a_footer_below_base64_is_kept() {
        assert_eq!(
            text("base64", "ZDQNCg==\n\n____\nThe list\n"),
            "d4\r\n\n____\nThe list\n"
        );
        assert_eq!(text("\"Base64\"", "ZDQ\n"), "d4");
        assert_eq!(text("base64", "d4, it says\n"), "d4, it says\n");
    }

    #[test]
    fn quoted_printable_forgives() {
        assert_eq!(text("Quoted-Printable", "c4-=  \nc5 =e2=82=AC a=b =\n"), "c4-c5 € a=b ");
        assert_eq!(text("quoted-printable", "-- =20"), "--  ");
    }

    #[test]
    fn unknown_encodings_change_nothing() {
        assert_eq!(text("8-bit", "d4"), "d4");
    }
}
