//! Which mail a delivery report is about, whom it failed to reach, and whether for good (RFC 3464, and the texts of
//! qmail, Exim and others).

use super::{
    address::AddressList,
    header::{Header, split_line, unfold},
    ids,
    mime::Part,
    word,
};

/// What a delivery report says.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct BounceReport {
    /// The address that could not be reached, its domain in lower case.
    pub recipient: Option<String>,
    /// The Message-ID of the mail that came back, without its angle brackets.
    pub message_id: Option<String>,
    /// Whether the failure is permanent (5yz). Delays and failures that may pass are not.
    pub hard: bool,
    /// Whether the mail is given up; a notice of delay or of delivery is no failure.
    pub failed: bool,
    /// The key of the envelope sender that the report was sent to: KEY of `play+bounce-KEY@example.org`.
    pub envelope_key: Option<String>,
}

/// Reads a delivery report. `to` are the addresses that it was sent to.
pub fn read(mail: &Part<'_>, to: &[String]) -> BounceReport {
    let mut report = BounceReport {
        envelope_key: to.iter().find_map(|address| envelope_key(address)),
        ..BounceReport::default()
    };
    let mut status_seen = false;
    visit(mail, &mut |part| match part.content_type.value.as_str() {
        "message/delivery-status" | "message/global-delivery-status" => {
            status_seen |= read_status(&part.decoded(), &mut report);
        }
        "message/rfc822"
        | "text/rfc822-headers"
        | "message/rfc822-headers"
        | "message/global"
        | "message/global-headers" => {
            let bytes = part.decoded();
            let (header, _) = Header::of_mail(&bytes);
            take_returned(&header, &mut report);
        }
        _ => {}
    });
    if !status_seen {
        read_words(mail, &mut report);
    }
    report
}

/// The key in the address `name+bounce-KEY@domain`.
fn envelope_key(address: &str) -> Option<String> {
    let (local, _) = address.rsplit_once('@')?;
    let (_, detail) = local.split_once('+')?;
    let start = detail.get(..7)?;
    let key = detail.get(7..)?;
    (start.eq_ignore_ascii_case("bounce-") && !key.is_empty()).then(|| key.to_ascii_lowercase())
}

fn visit<'p, 'a>(part: &'p Part<'a>, look: &mut impl FnMut(&'p Part<'a>)) {
    look(part);
    for inner in part.parts() {
        visit(inner, look);
    }
}

/// Reads the fields about each recipient; the first that failed counts.
fn read_status(bytes: &[u8], report: &mut BounceReport) -> bool {
    let mut rest = bytes;
    let mut seen = false;
    while !rest.is_empty() {
        let (header, after) = Header::of_part(rest);
        // A line that is no field would stop the reading: it is passed over.
        rest = if after.len() == rest.len() {
            split_line(rest).map_or(&[][..], |(_, after)| after)
        } else {
            after
        };
        let action = header.text("action").map(|text| text.to_ascii_lowercase());
        let recipient = ["original-recipient", "final-recipient"]
            .into_iter()
            .find_map(|name| recipient(&header.text(name)?));
        if action.is_none() && recipient.is_none() {
            continue;
        }
        seen = true;
        let failed = action.as_deref().is_none_or(|action| action.starts_with("fail"));
        if report.recipient.is_none() || (failed && !report.failed) {
            report.recipient = recipient;
            report.failed = failed;
            let status = header.text("status").unwrap_or_default();
            report.hard = failed && !status.trim_start().starts_with(['4', '2']);
        }
    }
    seen
}

/// The address of `rfc822; bob@example.com`.
fn recipient(value: &str) -> Option<String> {
    let address = value.split_once(';').map_or(value, |(_, address)| address);
    first_address(address)
}

fn first_address(text: &str) -> Option<String> {
    AddressList::parse(text)
        .mailboxes
        .into_iter()
        .next()
        .map(|mailbox| mailbox.address)
}

fn take_returned(header: &Header<'_>, report: &mut BounceReport) {
    if report.message_id.is_none() {
        report.message_id = header.first("message-id").and_then(|value| ids::first(&unfold(value)));
    }
    if report.recipient.is_none() {
        report.recipient = header.first("to").and_then(|value| first_address(&word::decode(value)));
    }
}

/// Reads a report in words: an address in angle brackets or alone on its line, codes of SMTP, and the copy of the mail
/// below.
fn read_words(mail: &Part<'_>, report: &mut BounceReport) {
    report.failed = true;
    report.hard = true;
    if let Some(value) = mail.header.text("x-failed-recipients") {
        report.recipient = first_address(&value);
    }
    let mut soft = false;
    let mut hard = false;
    visit(mail, &mut |part| {
        if part.content_type.value != "text/plain" {
            return;
        }
        let bytes = part.decoded();
        let mut rest: &[u8] = &bytes;
        while let Some((line, after)) = split_line(rest) {
            let text = String::from_utf8_lossy(line);
            let text = text.trim();
            if begins_copy(text) {
                take_copy(after, report);
                break;
            }
            if report.recipient.is_none() && !text.to_ascii_lowercase().starts_with("from") {
                report.recipient = addressed(text);
            }
            let lower = text.to_ascii_lowercase();
            hard |= has_code(&lower, '5') || lower.contains("permanent");
            soft |= has_code(&lower, '4')
                || lower.contains("delayed")
                || lower.contains("will retry")
                || lower.contains("still being retried");
            rest = after;
        }
    });
    let subject = mail
        .header
        .first("subject")
        .map(|value| word::decode(value).to_lowercase())
        .unwrap_or_default();
    let delayed = subject.contains("delayed") || subject.starts_with("warning");
    report.hard = hard || !soft;
    if delayed {
        report.failed = false;
        report.hard = false;
    }
}

/// Whether a line announces the copy of the mail that came back.
fn begins_copy(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    text.starts_with("--")
        && [
            "copy of",
            "original message",
            "returned message",
            "unsent message",
            "message header",
            "returned mail",
        ]
        .iter()
        .any(|words| lower.contains(words))
}

fn take_copy(bytes: &[u8], report: &mut BounceReport) {
    let start = bytes
        .iter()
        .position(|byte| !byte.is_ascii_whitespace())
        .unwrap_or(bytes.len());
    let (header, _) = Header::of_mail(bytes.get(start..).unwrap_or_default());
    take_returned(&header, report);
}

/// The address of a line `<bob@example.com>: no such user`, or of one that is an address alone.
fn addressed(text: &str) -> Option<String> {
    let end = text.find([' ', '\t']).unwrap_or(text.len());
    let word = text[..end].trim_end_matches([':', '.', ',', ';']);
    let bracketed = word.starts_with('<') && word.ends_with('>');
    let alone = word.len() + 1 >= text.len() || text[end..].trim_start().starts_with(['(', '.', ':']);
    (word.contains('@') && (bracketed || alone)).then(|| first_address(word))?
}

/// Whether a status code of a class stands in a line: `5.1.1`, `550 `.
fn has_code(text: &str, class: char) -> bool {
    text.split(|letter: char| !(letter.is_ascii_digit() || letter == '.'))
        .any(|word| {
            let begins = word.starts_with(class);
            let digits = |word: &str| word.chars().all(|letter| letter.is_ascii_digit());
            let enhanced = word.split('.').count() == 3
                && word.split('.').all(|piece| !piece.is_empty() && digits(piece))
                && word[1..].starts_with('.');
            let basic = word.len() == 3 && digits(word);
            begins && (enhanced || basic)
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(mail: &str, to: &[&str]) -> BounceReport {
        let (header, body) = Header::of_mail(mail.as_bytes());
        let part = Part::parse(header, body, 20).expect("not deep");
        let to: Vec<String> = to.iter().map(|&address| address.to_owned()).collect();
        read(&part, &to)
    }

    #[test]
    fn rfc_3464() {
        let mail = "Content-Type: multipart/report; report-type=delivery-status; boundary=b\n\n--b\n\nbob could not be reached\n--b\nContent-Type: message/delivery-status\n\nReporting-MTA: dns; x\n\nFinal-Recipient: rfc822; carol@x.org\nAction: delayed\nStatus: 4.4.1\n\nFinal-Recipient: rfc822; bob@Example.com\nAction: failed\nStatus: 5.1.1\n--b\nContent-Type: text/rfc822-headers\n\nMessage-ID: <12.7.abc@play.example.org>\nTo: bob@example.com\n--b--\n";
        let read = report(mail, &["play+bounce-AB2@example.org"]);
        let expected = BounceReport {
            recipient: Some("bob@example.com".to_owned()),
            message_id: Some("12.7.abc@play.example.org".to_owned()),
            hard: true,
            failed: true,
            envelope_key: Some("ab2".to_owned()),
        };
        assert_eq!(read, expected);
    }

    #[test]
    fn qmail_and_exim() {
        let qmail = "From: MAILER-DAEMON@x.org\n\nHi. This is the qmail-send program.\n\n<bob@example.com>:\nNo mailbox here. (#5.1.1)\n\n--- Below this line is a copy of the message.\n\nMessage-ID: <1@x>\nTo: bob@example.com\n";
        let read = report(qmail, &[]);
        assert_eq!(
            (read.recipient.as_deref(), read.message_id.as_deref(), read.hard),
            (Some("bob@example.com"), Some("1@x"), true)
        );
        let exim = "From: Mailer-Daemon@x.org\n\nA message that you sent could not be delivered:\n\n  bob@example.com\n    host mx: 452 4.2.2 over quota\n\n------ This is a copy of the message, including all the headers. ------\n\nMessage-ID: <2@x>\n";
        let read = report(exim, &[]);
        assert_eq!(
            (read.recipient.as_deref(), read.message_id.as_deref(), read.hard),
            (Some("bob@example.com"), Some("2@x"), false)
        );
    }
}
