//! Passwords taken out of a mail that is kept for the keeper.

use crate::language::hide_passwords;
use crate::mail::Inbound;

/// The mail with every word that may be a password blanked. A mail in plain text keeps its form; of one that is encoded
/// only the headers and the decoded text are kept.
pub fn without_passwords(raw: &[u8], inbound: &Inbound) -> Vec<u8> {
    let text = String::from_utf8_lossy(raw);
    let lower = text.to_ascii_lowercase();
    let is_encoded = ["base64", "quoted-printable", "=?"]
        .iter()
        .any(|mark| lower.contains(mark));
    let (head, body) = parted(&text);
    let mut kept = String::with_capacity(text.len());
    let mut is_dropped = false;
    for line in head.split_inclusive('\n') {
        if line.starts_with([' ', '\t']) {
            if !is_dropped {
                kept.push_str(line);
            }
            continue;
        }
        let name = line.split(':').next().unwrap_or_default().trim().to_ascii_lowercase();
        let is_subject = name == "subject";
        is_dropped = is_subject || (is_encoded && (name.starts_with("content-") || name == "mime-version"));
        if is_subject {
            kept.push_str(&format!("Subject: {}\r\n", hidden(&inbound.subject)));
        } else if !is_dropped {
            kept.push_str(line);
        }
    }
    if is_encoded {
        kept.push_str(
            "MIME-Version: 1.0\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\n",
        );
    }
    kept.push_str("\r\n");
    let body = if is_encoded { inbound.typed.as_str() } else { body };
    for line in body.split_inclusive('\n') {
        let (words, end) = match line.strip_suffix('\n') {
            Some(words) => (words.strip_suffix('\r').unwrap_or(words), "\r\n"),
            None => (line, ""),
        };
        kept.push_str(&hidden(words));
        kept.push_str(end);
    }
    kept.into_bytes()
}

/// Header and body; the empty line between them belongs to neither.
fn parted(text: &str) -> (&str, &str) {
    let mut end = 0;
    for line in text.split_inclusive('\n') {
        if line.trim_end_matches(['\r', '\n']).is_empty() {
            let (head, rest) = text.split_at(end);
            return (head, rest.get(line.len()..).unwrap_or_default());
        }
        end += line.len();
    }
    (text, "")
}

/// A line with its passwords hidden, behind quote marks too.
fn hidden(line: &str) -> String {
    let words = line.trim_start_matches(['>', '|', ' ', '\t']);
    let marks = line.len() - words.len();
    let shown = hide_passwords(words);
    if shown == words {
        return line.to_string();
    }
    format!("{}{shown}", line.get(..marks).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mail;

    fn kept(raw: &str) -> String {
        let inbound = mail::read(raw.as_bytes(), &mail::Limits::default());
        String::from_utf8(without_passwords(raw.as_bytes(), &inbound)).unwrap()
    }

    #[test]
    fn blanks_subject_body_and_quoted_text() {
        let text = kept(
            "From: a@b.net\r\nSubject: susan move 12 alice secret d4\r\nTo: c@d.net\r\n\r\nsusan move 12 alice secret e5\r\n> move 12 alice secret d4\r\nHello\r\n",
        );
        assert!(!text.contains("secret"), "{text}");
        assert!(
            text.contains("To: c@d.net\r\n") && text.contains("\r\nHello\r\n"),
            "{text}"
        );
    }

    #[test]
    fn keeps_of_an_encoded_mail_what_it_says() {
        // "susan move 12 alice secret d4\n" in base64.
        let text = kept(
            "From: a@b.net\r\nSubject: x\r\nContent-Type: text/plain\r\nContent-Transfer-Encoding: base64\r\n\r\nc3VzYW4gbW92ZSAxMiBhbGljZSBzZWNyZXQgZDQK\r\n",
        );
        assert!(!text.contains("secret") && !text.contains("c3VzYW4g"), "{text}");
        assert!(text.contains("alice … d4"), "{text}");
        let broken = kept(
            "From: a@b.net\r\nSubject: x\r\nContent-Type: text/plain\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\npassword sec=\r\nret\r\n",
        );
        assert!(!broken.contains("sec") && !broken.contains("\nret"), "{broken}");
    }
}
