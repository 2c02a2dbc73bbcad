//! Header text: encoded words (RFC 2047), also broken in the ways that mail programs break them.

use super::{charset, header::unfold, transfer};

/// Decodes an unstructured header value to text. Raw bytes are UTF-8 if valid and else windows-1252; the bytes of words
/// in one charset that follow each other are joined before they are decoded, since some programs split inside a letter.
pub fn decode(value: &[u8]) -> String {
    let value = unfold(value);
    let last_end = value.windows(2).rposition(|pair| pair == b"?=").unwrap_or(0);
    let mut text = String::with_capacity(value.len());
    let mut pending: Option<Word> = None;
    let mut raw_start = 0;
    let mut at = 0;
    while let Some(found) = find(&value, at, b"=?") {
        let Some((word, end)) = Word::parse(&value, found, last_end) else {
            at = found + 2;
            continue;
        };
        let between = value.get(raw_start..found).unwrap_or_default();
        let adjoins = pending.is_some() && between.trim_ascii().is_empty();
        if !adjoins {
            flush(&mut pending, &mut text);
            text.push_str(&charset::guess(between));
        }
        match &mut pending {
            Some(before) if before.charset.eq_ignore_ascii_case(&word.charset) => before.bytes.extend(word.bytes),
            _ => {
                flush(&mut pending, &mut text);
                pending = Some(word);
            }
        }
        raw_start = end;
        at = end;
    }
    flush(&mut pending, &mut text);
    text.push_str(&charset::guess(value.get(raw_start..).unwrap_or_default()));
    text
}

struct Word {
    charset: String,
    bytes: Vec<u8>,
}

impl Word {
    /// Reads `=?charset?B?text?=` at a place; gives the word and where it ends. Behind `last_end` no word ends.
    fn parse(value: &[u8], start: usize, last_end: usize) -> Option<(Self, usize)> {
        let charset_start = start + 2;
        let charset_end = charset_start + bounded(value.get(charset_start..)?, b'?', 64)?;
        let label = std::str::from_utf8(value.get(charset_start..charset_end)?).ok()?;
        let encoding = *value.get(charset_end + 1)?;
        if *value.get(charset_end + 2)? != b'?' {
            return None;
        }
        let text_start = charset_end + 3;
        if text_start > last_end {
            return None;
        }
        let text_end = find(value, text_start, b"?=")?;
        let text = value.get(text_start..text_end)?;
        let bytes = match encoding {
            b'B' | b'b' => transfer::base64(text),
            b'Q' | b'q' => {
                let spaced: Vec<u8> = text
                    .iter()
                    .map(|&byte| if byte == b'_' { b' ' } else { byte })
                    .collect();
                transfer::escaped(&spaced, b'=').into_owned()
            }
            _ => return None,
        };
        let charset = label.split('*').next().unwrap_or_default().to_owned();
        Some((Self { charset, bytes }, text_end + 2))
    }
}

fn flush(pending: &mut Option<Word>, text: &mut String) {
    if let Some(word) = pending.take() {
        let decoded = charset::decode(&word.bytes, Some(&word.charset));
        text.push_str(&decoded.unwrap_or_else(|_| charset::guess(&word.bytes)));
    }
}

/// Where a byte stands within the first few.
fn bounded(bytes: &[u8], wanted: u8, limit: usize) -> Option<usize> {
    bytes.iter().take(limit).position(|&byte| byte == wanted)
}

fn find(bytes: &[u8], from: usize, wanted: &[u8; 2]) -> Option<usize> {
    let tail = bytes.get(from..)?;
    tail.windows(2).position(|pair| pair == wanted).map(|at| from + at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn reads(value: &str, expected: &str) {
        assert_eq!(decode(value.as_bytes()), expected);
    }

    #[test]
    fn words_join_without_the_blanks_between() {
        reads("=?utf-8?B?UmU6IFN1?=\r\n =?UTF-8?b?c2Fu?= #12", "Re: Susan #12");
        reads(
            "=?utf-8?B?7ZWcIO2MkCDrjQ==?=\n =?utf-8?B?lCDrkZDsi6TrnpjsmpQ/?=",
            "한 판 더 두실래요?",
        );
        reads("=?utf-8?Q?a?==?utf-8?q?_b?=", "a b");
        reads("=?iso-8859-1?Q?=E9?= =?utf-8?Q?=C3=A9?=", "éé");
    }

    #[test]
    fn broken_words_are_read_as_far_as_they_can_be() {
        reads("=?utf-8?Q?blank inside?= it", "blank inside it");
        reads("=?utf-8?X?abc?= it", "=?utf-8?X?abc?= it");
        reads("=?utf-8?Q?never closed", "=?utf-8?Q?never closed");
        reads("=?utf-8*en?Q?=41?=", "A");
        reads("\"=?utf-8?Q?=C3=A9?=\" x", "\"é\" x");
    }

    #[test]
    fn raw_bytes() {
        assert_eq!(decode(b"caf\xe9"), "café");
        assert_eq!(decode("café".as_bytes()), "café");
    }
}
