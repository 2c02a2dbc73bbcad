//! What kind of mail it is: the first that fits of the server's own, a delivery report, list mail, a robot's.

use std::sync::LazyLock;

use super::{
    header::{Header, unfold},
    mime::top_content_type,
    parameter::Parameterised,
    table::entries,
};

/// The kinds of mail (LANGUAGE.md 8).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// A person's letter.
    Letter,
    /// An answer that a program sent by itself: a vacation notice, a receipt.
    Robot,
    /// A delivery report.
    Bounce,
    /// Came through a mailing list.
    List,
    /// A mail of the server come back.
    Own,
    /// Kept in quarantine: too large, too deep, without exactly one sender, or without a text that can be read.
    Unreadable,
}

impl Kind {
    /// The word of the JSON contract.
    pub fn word(self) -> &'static str {
        match self {
            Self::Letter => "letter",
            Self::Robot => "robot",
            Self::Bounce => "bounce",
            Self::List => "list",
            Self::Own => "own",
            Self::Unreadable => "unreadable",
        }
    }
}

/// Judges by the header alone. Nothing for a mail that a person seems to have sent; else the kind and what decided.
pub fn by_header(header: &Header<'_>) -> Option<(Kind, String)> {
    own(header)
        .or_else(|| bounce(header))
        .or_else(|| list(header))
        .or_else(|| robot(header))
}

fn own(header: &Header<'_>) -> Option<(Kind, String)> {
    let field = ["Playpost-Loop", "Playpost-Match"]
        .into_iter()
        .find(|name| header.has(name))?;
    Some((Kind::Own, field.to_owned()))
}

fn report_type(content_type: &Parameterised) -> Option<String> {
    let is_report = content_type.value == "multipart/report";
    is_report.then(|| {
        content_type
            .get("report-type")
            .unwrap_or_default()
            .trim()
            .to_ascii_lowercase()
    })
}

fn bounce(header: &Header<'_>) -> Option<(Kind, String)> {
    match report_type(&top_content_type(header)).as_deref() {
        Some("delivery-status") => {
            return Some((Kind::Bounce, "multipart/report; report-type=delivery-status".to_owned()));
        }
        Some("") | None => {}
        Some(_) => return None,
    }
    let daemon = daemon(header)?;
    Some((Kind::Bounce, format!("From {daemon}")))
}

/// The local part of From, if it is one that mail systems report from.
fn daemon(header: &Header<'_>) -> Option<&'static str> {
    let from = header.text("from")?;
    let words =
        from.split(|letter: char| letter.is_whitespace() || matches!(letter, '<' | '>' | '(' | ')' | ',' | '"'));
    // The address is looked for, not a name: a word with an `@`, or in `MAILER-DAEMON (Mail Delivery System)` the first.
    let list = super::address::AddressList::parse(&from);
    let local = match list.mailboxes.as_slice() {
        [mailbox] => mailbox.address.rsplit_once('@').map(|(local, _)| local.to_owned()),
        [] => words
            .into_iter()
            .find(|word| !word.is_empty())
            .map(|word| word.split('@').next().unwrap_or_default().to_owned()),
        _ => None,
    }?;
    ["mailer-daemon", "postmaster"]
        .into_iter()
        .find(|name| local.trim_matches('"').eq_ignore_ascii_case(name))
}

fn list(header: &Header<'_>) -> Option<(Kind, String)> {
    if header.has("list-id") {
        return Some((Kind::List, "List-Id".to_owned()));
    }
    (precedence(header)? == "list").then(|| (Kind::List, "Precedence: list".to_owned()))
}

fn precedence(header: &Header<'_>) -> Option<String> {
    first_word(header, "precedence")
}

static ROBOT_FIELDS: LazyLock<Vec<&'static str>> =
    LazyLock::new(|| entries(include_str!("tables/robot_headers.txt")).collect());

fn robot(header: &Header<'_>) -> Option<(Kind, String)> {
    if let Some(report) = report_type(&top_content_type(header)) {
        return Some((Kind::Robot, format!("multipart/report; report-type={report}")));
    }
    if let Some(said) = first_word(header, "auto-submitted").filter(|said| said != "no") {
        return Some((Kind::Robot, format!("Auto-Submitted: {said}")));
    }
    if let Some(precedence) =
        precedence(header).filter(|word| matches!(word.as_str(), "bulk" | "junk" | "auto_reply" | "auto-reply"))
    {
        return Some((Kind::Robot, format!("Precedence: {precedence}")));
    }
    if let Some(field) = ROBOT_FIELDS.iter().find(|name| header.has(name)) {
        return Some((Kind::Robot, (*field).to_owned()));
    }
    let empty_return_path = header.first("return-path").is_some_and(|value| {
        let value = unfold(value);
        value
            .iter()
            .all(|byte| byte.is_ascii_whitespace() || matches!(byte, b'<' | b'>'))
    });
    empty_return_path.then(|| (Kind::Robot, "an empty Return-Path".to_owned()))
}

/// The first word of a field in lower case, without comments; nothing for an empty one.
fn first_word(header: &Header<'_>, name: &str) -> Option<String> {
    let word = Parameterised::parse(&header.text(name)?).value;
    (!word.is_empty()).then_some(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn judged(header: &str, expected: Option<Kind>) {
        let text = format!("{header}\n\n");
        let (header, _) = Header::of_mail(text.as_bytes());
        assert_eq!(by_header(&header).map(|(kind, _)| kind), expected, "{text}");
    }

    #[test]
    fn kinds() {
        judged("From: a@x.org", None);
        judged("Auto-Submitted: No (a person)", None);
        judged("auto-submitted: (comment) auto-replied; owner=x", Some(Kind::Robot));
        judged("Precedence: first-class\nPrecedence: bulk", None);
        judged("Precedence: Bulk", Some(Kind::Robot));
        judged("Precedence: list", Some(Kind::List));
        judged("List-Id: <x>\nReturn-Path: <>", Some(Kind::List));
        judged("Return-Path: < >", Some(Kind::Robot));
        judged("Return-Path: <a@x.org>", None);
        judged("X-Auto-Response-Suppress: OOF", Some(Kind::Robot));
        judged("From: Mailer-Daemon@x.org", Some(Kind::Bounce));
        judged("From: MAILER-DAEMON (Mail Delivery System)", Some(Kind::Bounce));
        judged("From: \"postmaster@x.org\" <a@x.org>", None);
        judged(
            "Content-Type: multipart/report; report-type=\"Delivery-Status\"",
            Some(Kind::Bounce),
        );
        judged(
            "Content-Type: multipart/report; report-type=feedback-report",
            Some(Kind::Robot),
        );
        judged(
            "From: postmaster@x.org\nContent-Type: multipart/report; report-type=disposition-notification",
            Some(Kind::Robot),
        );
        judged(
            "From: postmaster@x.org\nPlaypost-Loop: play@example.org",
            Some(Kind::Own),
        );
    }
}
