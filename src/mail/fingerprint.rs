//! The key that tells whether a mail was seen before (LANGUAGE.md 1.3).

use sha2::{Digest, Sha256};

use super::header::{Header, unfold};

/// The fields that belong to the content of a mail. Trace fields are not among them: they differ between deliveries.
const CONTENT_FIELDS: [&str; 9] = [
    "from",
    "to",
    "cc",
    "subject",
    "in-reply-to",
    "references",
    "content-type",
    "content-transfer-encoding",
    "auto-submitted",
];

/// SHA-256 over the Message-ID, or without one the Date, and the content. Line ends and blank ends do not count.
pub fn fingerprint(header: &Header<'_>, body: &[u8]) -> [u8; 32] {
    let mut digest = Sha256::new();
    let identity = if header.has("message-id") { "message-id" } else { "date" };
    for name in std::iter::once(identity).chain(CONTENT_FIELDS) {
        digest.update(name.as_bytes());
        digest.update([0]);
        if let Some(value) = header.first(name) {
            for word in unfold(value)
                .split(u8::is_ascii_whitespace)
                .filter(|word| !word.is_empty())
            {
                digest.update(word);
                digest.update(b" ");
            }
        }
        digest.update([0]);
    }
    for line in body.trim_ascii_end().split(|&byte| byte == b'\n') {
        digest.update(line.trim_ascii_end());
        digest.update(b"\n");
    }
    digest.finalize().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(mail: &str) -> [u8; 32] {
        let (header, body) = Header::of_mail(mail.as_bytes());
        fingerprint(&header, body)
    }

    #[test]
    fn trace_headers_and_line_ends_do_not_count() {
        let mail = "Message-ID: <1@x>\nFrom: a@x.org\nDate: today\n\nd4\n";
        assert_eq!(of(mail), of(&mail.replace('\n', "\r\n")));
        assert_eq!(
            of(mail),
            of(&format!(
                "Return-Path: <a@x.org>\nReceived: by y\nDelivered-To: play@x\n{mail}\n"
            ))
        );
        assert_eq!(of(mail), of(&mail.replace("today", "tomorrow")));
        assert_ne!(of(mail), of(&mail.replace("<1@x>", "<2@x>")));
        assert_ne!(of(mail), of(&mail.replace("d4", "d5")));
    }

    #[test]
    fn without_a_message_id_the_date_counts() {
        let mail = "From: a@x.org\nDate: today\n\nd4\n";
        assert_ne!(of(mail), of(&mail.replace("today", "tomorrow")));
    }
}
