//! What holds for every mail that goes out, in whatever story.

use std::collections::BTreeSet;

use playpost::language;
use playpost::mail::{self, Limits};
use unicode_width::UnicodeWidthStr;

use crate::harness::{Out, SERVER};

/// Addresses of one person may stand in a mail to another address of the same person.
pub fn check(mail: &Out, known: &BTreeSet<String>, same: &[(String, String)], secrets: &[String]) {
    headers(mail);
    privacy(mail, known, same, secrets);
    yields_no_command(mail);
    keys(mail);
    for line in mail.text().lines() {
        assert!(line.width() <= 78, "a line of more than 78 columns: {line:?}");
    }
}

fn headers(mail: &Out) {
    assert_eq!(mail.header("From"), format!("Playpost <{SERVER}>"));
    assert_eq!(mail.header("X-Auto-Response-Suppress"), "All");
    assert_eq!(mail.header("Playpost-Loop"), SERVER);
    assert_eq!(mail.header("List-Id"), "");
    let auto = mail.header("Auto-Submitted");
    assert!(auto == "auto-replied" || auto == "auto-generated", "{auto:?}");
    assert!(
        mail.header("Message-ID").ends_with("@example.org>"),
        "{}",
        mail.header("Message-ID")
    );
    let path = &mail.return_path;
    let is_bounce = path.starts_with("play+bounce-") && path.ends_with("@example.org");
    assert!(path.is_empty() || is_bounce, "{path:?}");
}

fn privacy(mail: &Out, known: &BTreeSet<String>, same: &[(String, String)], secrets: &[String]) {
    let mut everything = String::from_utf8_lossy(&mail.raw).into_owned() + &mail.text();
    for (_, content) in mail.attachments() {
        everything.push_str(&content);
    }
    let is_own = |other: &str| {
        other == mail.to
            || same
                .iter()
                .any(|(a, b)| (a == &mail.to && b == other) || (b == &mail.to && a == other))
    };
    for other in known.iter().filter(|other| !is_own(other)) {
        assert!(
            !everything.contains(other.as_str()),
            "{other} is named to {}:\n{everything}",
            mail.to
        );
    }
    for secret in secrets {
        assert!(
            !everything.contains(secret.as_str()),
            "{secret:?} is told to {}:\n{everything}",
            mail.to
        );
    }
    assert!(
        !mail.text().contains("play+"),
        "a key stands in the text:\n{}",
        mail.text()
    );
}

/// A key stands in Reply-To and in the links of the HTML, and it is the reader's alone.
fn keys(mail: &Out) {
    let html = mail.html().unwrap_or_default();
    // What people type may look like a link, and is none.
    for link in html.split("href=\"mailto:").skip(1) {
        let (address, _) = link.split_once('?').unwrap_or((link, ""));
        assert_eq!(address, mail.header("Reply-To"), "a link to elsewhere:\n{html}");
    }
    let named = String::from_utf8_lossy(&mail.raw).matches("play+").count();
    let bounces = String::from_utf8_lossy(&mail.raw).matches("play+bounce-").count();
    assert!(
        named <= bounces + 2 + html.matches("mailto:").count(),
        "a key stands where it has no business"
    );
}

/// The mail comes back as what somebody typed: whole, quoted, and each line alone.
fn yields_no_command(mail: &Out) {
    let text = mail.text();
    for line in text.lines() {
        assert!(!language::is_command(line), "a line is a command: {line:?} in\n{text}");
    }
    let quoted: String = text.lines().map(|line| format!("> {line}\n")).collect();
    let html: String = text
        .lines()
        .map(|line| format!("<div>{}</div>\n", line.replace('<', "&lt;")))
        .collect();
    let mut bodies = vec![("plain", text.clone()), ("plain", quoted), ("html", html)];
    if let Some(html) = mail.html() {
        // As it is, and as a program leaves it that takes the marks of quoting away.
        bodies.push(("html", html.replace("blockquote", "div")));
        bodies.push(("html", html));
    }
    for (kind, body) in bodies {
        let reply = format!(
            "From: somebody@somewhere.example\nTo: {SERVER}\nSubject: Re: {}\nIn-Reply-To: <x@y>\nMIME-Version: 1.0\n\
             Content-Type: text/{kind}; charset=utf-8\n\n{body}",
            mail.subject()
        );
        let read = mail::read(reply.as_bytes(), &Limits::default());
        let letter = language::letter(&read.subject, read.is_reply, &read.typed);
        assert!(
            letter.lines.is_empty(),
            "{:?} is read from a mail come back:\n{body}",
            letter.lines
        );
        for line in read.typed.lines() {
            assert!(!language::is_command(line), "a line is a command: {line:?} in\n{body}");
        }
    }
    assert!(
        !language::is_command(&mail.subject()),
        "the Subject is a command: {:?}",
        mail.subject()
    );
}
