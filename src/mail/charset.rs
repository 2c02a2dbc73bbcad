//! Bytes to text in the charset that a mail names, or in the likely one.

use mail_parser::decoders::charsets::map::charset_decoder;

/// The text is in UTF-7, which is not read: what it shows and what it holds may differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the text is in UTF-7")]
pub struct Utf7;

/// Decodes text by the label of its charset. Without one, with an unknown one or with us-ascii it is UTF-8 if valid and
/// else windows-1252; iso-8859-1 is read as windows-1252.
///
/// # Errors
///
/// [`Utf7`] for text in UTF-7.
pub fn decode(bytes: &[u8], label: Option<&str>) -> Result<String, Utf7> {
    let label = label
        .unwrap_or_default()
        .trim()
        .trim_matches(['"', '\''])
        .trim()
        .to_ascii_lowercase();
    let text = match label.as_str() {
        "" | "us-ascii" | "ascii" | "ansi_x3.4-1968" => guess(bytes),
        "utf-7" | "utf7" | "unicode-1-1-utf-7" | "x-unicode-2-0-utf-7" | "csutf7" | "unicode-2-0-utf-7" => {
            return Err(Utf7);
        }
        "utf-8" | "utf8" | "utf-8mb4" | "utf8mb4" | "unicode-1-1-utf-8" | "unicode11utf8" | "cp65001" | "utf_8"
        | "csutf8" => said_to_be_utf8(bytes),
        "iso-2022-kr" | "csiso2022kr" => decode_known(&shifted(bytes), "euc-kr"),
        "hz-gb-2312" | "hz" => decode_known(&tilde_escaped(bytes), "gb18030"),
        _ => decode_known(bytes, alias(&label)),
    };
    Ok(match text.strip_prefix('\u{feff}') {
        Some(text) => text.to_owned(),
        None => text,
    })
}

/// Text whose charset is not known: UTF-8 if valid, else windows-1252.
pub fn guess(bytes: &[u8]) -> String {
    match std::str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(_) => windows_1252(bytes),
    }
}

fn decode_known(bytes: &[u8], label: &str) -> String {
    match charset_decoder(label.as_bytes()) {
        Some(decoder) => decoder(bytes),
        None => guess(bytes),
    }
}

fn windows_1252(bytes: &[u8]) -> String {
    match charset_decoder(b"windows-1252") {
        Some(decoder) => decoder(bytes),
        None => bytes.iter().copied().map(char::from).collect(),
    }
}

/// A label that the decoders know, for one that mail programs use.
fn alias(label: &str) -> &str {
    match label {
        "cp949" | "ms949" | "uhc" | "x-windows-949" | "euckr" | "ks_c_5601" | "ksc5601-1987" | "ks-c-5601-1987" => {
            "euc-kr"
        }
        "cp932" | "ms_932" | "csmswindows31j" | "shift-jis" | "x-ms-cp932" | "windows-932" => "shift_jis",
        "gb-2312" | "gb2312-80" | "euc-cn" | "euccn" | "x-euc-cn" | "cp54936" | "gb18030-2000" | "gb_18030"
        | "hz-gb2312" => "gb18030",
        "big-5" | "cp950" | "x-big5" | "ms950" | "windows-950" | "big5-eten" => "big5",
        "eucjp" | "ujis" | "euc_jp" => "euc-jp",
        "iso2022jp" | "iso-2022-jp-1" | "iso-2022-jp-2" | "iso-2022-jp-3" | "iso-2022-jp-ms" | "cp50220"
        | "cp50221" | "jis" => "iso-2022-jp",
        "latin-1"
        | "iso-latin-1"
        | "iso8859_1"
        | "ansi"
        | "windows-1252http-equivcontent-type"
        | "win-1252"
        | "windows1252" => "windows-1252",
        "latin-2" | "iso-latin-2" => "iso-8859-2",
        "latin-9" | "latin9" | "iso-8859-15-euro" | "latin-0" => "iso-8859-15",
        "win-1250" | "win1250" | "windows1250" => "windows-1250",
        "win-1251" | "win1251" | "windows1251" => "windows-1251",
        "koi8r" => "koi8-r",
        "koi8u" => "koi8-u",
        "utf16" | "ucs2" => "utf-16",
        "utf16le" | "ucs-2le" => "utf-16le",
        "utf16be" | "ucs-2be" => "utf-16be",
        "tis620" | "tis-620-2533" => "tis-620",
        "ibm852" | "cp852" => "iso-8859-2",
        _ => label,
    }
}

/// Text that says it is UTF-8. Where it is not and no character outside ASCII is valid, it is windows-1252 in truth.
fn said_to_be_utf8(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    let holds_utf8 = text
        .chars()
        .any(|letter| !letter.is_ascii() && letter != char::REPLACEMENT_CHARACTER);
    if holds_utf8 || !text.contains(char::REPLACEMENT_CHARACTER) {
        text.into_owned()
    } else {
        guess(bytes)
    }
}

/// ISO-2022-KR as EUC-KR: between SO and SI the letters are the same without their high bits.
fn shifted(bytes: &[u8]) -> Vec<u8> {
    let without_designator = bytes.strip_prefix(b"\x1b$)C").unwrap_or(bytes);
    let mut high = 0;
    let mut decoded = Vec::with_capacity(bytes.len());
    for &byte in without_designator {
        match byte {
            0x0e => high = 0x80,
            0x0f | b'\n' => {
                high = 0;
                if byte == b'\n' {
                    decoded.push(byte);
                }
            }
            _ if byte.is_ascii_graphic() => decoded.push(byte | high),
            _ => decoded.push(byte),
        }
    }
    decoded
}

/// HZ as GB 2312: between `~{` and `~}` the letters are the same without their high bits (RFC 1843).
fn tilde_escaped(bytes: &[u8]) -> Vec<u8> {
    let mut high = 0;
    let mut decoded = Vec::with_capacity(bytes.len());
    let mut rest = bytes;
    while let [first, after @ ..] = rest {
        let (taken, kept) = match (first, after.first()) {
            (b'~', Some(b'{')) => {
                high = 0x80;
                (2, None)
            }
            (b'~', Some(b'}')) => {
                high = 0;
                (2, None)
            }
            (b'~', Some(b'~')) => (2, Some(b'~')),
            (b'~', Some(b'\n')) => (2, None),
            (b'\n', _) => {
                high = 0;
                (1, Some(b'\n'))
            }
            _ if first.is_ascii_graphic() => (1, Some(first | high)),
            _ => (1, Some(*first)),
        };
        decoded.extend(kept);
        rest = rest.get(taken..).unwrap_or_default();
    }
    decoded
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn reads(bytes: &[u8], label: &str, expected: &str) {
        assert_eq!(decode(bytes, Some(label)).as_deref(), Ok(expected), "{label}");
    }

    #[test]
    fn labels_as_mail_programs_write_them() {
        reads(b"\xb9\xce\xc1\xf6", "ks_c_5601-1987", "민지");
        reads(b"\xb9\xce\xc1\xf6", "CP949", "민지");
        reads(b"\xd0\xa1\xce\xb0", "gb2312", "小伟");
        reads(b"\x82\x60", "x-sjis", "Ａ");
        reads(b"\x80 5", "iso-8859-1", "€ 5");
        reads(b"\xe9t\xe9", "", "été");
        reads("été".as_bytes(), "us-ascii", "été");
        reads("été".as_bytes(), "\"utf-8\"", "été");
        reads(b"\xe9t\xe9", "utf-8", "été");
        reads(b"\xfe\xff\0d\x004", "utf-16", "d4");
        reads(b"d\x004\0", "utf-16le", "d4");
        reads(b"\x1b$)C\x0e9NAv\x0f d4", "iso-2022-kr", "민지 d4");
        reads(b"~{P!N0~} d4", "hz-gb-2312", "小伟 d4");
        reads(b"\x1b$B4A;z\x1b(B", "iso-2022-jp", "漢字");
        reads(b"d4", "no-such-charset", "d4");
    }

    #[test]
    fn utf_7_is_refused() {
        assert_eq!(decode(b"d4 +AOk-", Some("UTF-7")), Err(Utf7));
    }
}
