//! Laws of reading mails that hold for any bytes.

use playpost::mail::{Inbound, Kind, Limits, authentication, read, typed_in_html};
use proptest::prelude::*;

const HEADER: &str = "From: alice@example.net\nTo: play@example.org\nSubject: Re: Susan\n";

fn reading(headers: &str, body: &[u8]) -> Inbound {
    let mut mail = format!("{HEADER}{headers}\n").into_bytes();
    mail.extend_from_slice(body);
    read(&mail, &Limits::default())
}

fn plain(text: &str) -> Inbound {
    reading(
        "Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: 8bit\n",
        text.as_bytes(),
    )
}

/// Lines as mail programs and people write them, and pieces of damage.
fn line() -> impl Strategy<Value = String> {
    prop_oneof![
        prop::sample::select(vec![
            "",
            "d4",
            "resign",
            "> resign",
            ">",
            "| d5",
            "-- ",
            "--",
            "---",
            "____________",
            "Hi Bob,",
            "say hello",
            "On Mon, Jan 5, 2026 at 10:00 AM Playpost <play@example.org>",
            "wrote:",
            "Am 05.01.26 um 10:00 schrieb Playpost:",
            "Sent from my iPhone",
            "-----Original Message-----",
            "---------- Forwarded message ---------",
            "From: Bob <b@example.org>",
            "Sent: Monday",
            "To: alice@example.net",
            "Subject: x",
            "-----BEGIN PGP SIGNED MESSAGE-----",
            "Hash: SHA256",
            "-----END PGP SIGNATURE-----",
            "Bob wrote:",
            "at 10:00 on 2026",
            "2026:",
            "\u{200b}",
            "\u{a0}",
        ])
        .prop_map(str::to_owned),
        "[ -~]{0,40}",
        "\\PC{0,20}",
    ]
}

fn text() -> impl Strategy<Value = String> {
    prop::collection::vec(line(), 0..14).prop_map(|lines| lines.join("\n"))
}

/// Pieces of mails, put together without sense.
fn piece() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        prop::sample::select(vec![
            "From: a@x.org\n",
            "From: ",
            "Subject: =?utf-8?B?",
            "?=",
            "Content-Type: multipart/mixed; boundary=b\n",
            "\n--b\n",
            "--b--",
            "Content-Type: text/html\n\n",
            "Content-Transfer-Encoding: base64\n",
            "Content-Type: message/rfc822\n\n",
            "\n",
            "\r\n",
            " ",
            "<div>",
            "</",
            "<!--",
            "<style>",
            "&#",
            "&amp",
            "=3D",
            "=\n",
            "\"",
            "(",
            "Return-Path: <>\n",
            "From: mailer-daemon@x.org\n",
            "Content-Type: text/plain; format=flowed\n\n",
            "Content-Type: multipart/report; report-type=delivery-status; boundary=b\n\n",
            "Content-Type: message/delivery-status\n\n",
            "Final-Recipient: rfc822; b@x.org\n",
            "charset=utf-16\n",
            "iso-2022-kr",
        ])
        .prop_map(|text| text.as_bytes().to_vec()),
        prop::collection::vec(any::<u8>(), 0..30),
        line().prop_map(String::into_bytes),
    ]
}

proptest! {
    #[test]
    fn any_bytes_are_read(pieces in prop::collection::vec(piece(), 0..30)) {
        let bytes = pieces.concat();
        let inbound = read(&bytes, &Limits::default());
        prop_assert_eq!(inbound.kind == Kind::Letter, inbound.why.is_none());
        prop_assert!(inbound.kind == Kind::Letter || inbound.typed.is_empty());
        prop_assert!(inbound.why.as_deref() != Some("its reading broke off"));
        authentication(&bytes, "mx.example.org");
        prop_assert_eq!(inbound, read(&bytes, &Limits::default()));
    }

    #[test]
    fn reading_what_was_typed_gives_it_again(text in text()) {
        let typed = plain(&text).typed;
        prop_assert_eq!(plain(&typed).typed, typed);
    }

    #[test]
    fn no_marked_line_is_typed(text in text()) {
        let marked: String = text.split('\n').map(|line| format!("> {line}\n")).collect();
        prop_assert_eq!(plain(&marked).typed, "");
        let whole = format!("d4\n\nOn 5 Jan 2026 at 10:00, Playpost <play@example.org> wrote:\n\n{marked}");
        prop_assert_eq!(plain(&whole).typed, "d4");
    }

    #[test]
    fn nothing_under_a_signature_or_a_forward_is_typed(text in text()) {
        for mark in ["-- ", "---------- Forwarded message ---------", "________________"] {
            prop_assert_eq!(plain(&format!("d4\n{mark}\n{text}")).typed, "d4");
        }
    }

    #[test]
    fn line_ends_do_not_matter(text in text()) {
        prop_assert_eq!(plain(&text).typed, plain(&text.replace('\n', "\r\n")).typed);
    }

    #[test]
    fn html_without_marks_is_its_text(words in prop::collection::vec("[a-z]{1,8}", 1..8)) {
        let html: String = words.iter().map(|word| format!("<p>{word}</p>")).collect();
        prop_assert_eq!(typed_in_html(&html), words.join("\n"));
        prop_assert_eq!(typed_in_html(&format!("<blockquote>{html}</blockquote>")), "");
    }

    #[test]
    fn any_html_is_read(pieces in prop::collection::vec(prop_oneof!["<[a-z]{1,5}( [a-z]{1,5}=\"?[a-z:;0]{0,9}\"?)?>", "</[a-z]{1,5}>", "\\PC{0,8}", "<!-{0,3}", "&[a-z#0-9]{0,8};?"], 0..40)) {
        typed_in_html(&pieces.concat());
    }
}

/// Repeats a shape to a size and reads it; the work is told by how often the shape stands in what is typed.
#[test]
fn hostile_shapes_are_read_to_their_end() {
    let shapes = [
        "x:\n",
        "From: x\n",
        "wrote:\n",
        "> x\n",
        "a@b.c 2026\n",
        "\n",
        "2026 x\n10:00:\n",
        "----- a\n",
        "sent from my \n",
    ];
    for shape in shapes {
        let body = shape.repeat(200_000 / shape.len());
        assert_eq!(plain(&body).kind, Kind::Letter, "{shape:?}");
    }
    for shape in [
        "<div>",
        "<blockquote>",
        "</div>",
        "<",
        "<!--",
        "&",
        "<a href=\"",
        "<style>",
        "<div class='a b c'>",
        "<table><tr><td>",
    ] {
        let body = shape.repeat(200_000 / shape.len());
        assert_eq!(
            reading("Content-Type: text/html\n", body.as_bytes()).kind,
            Kind::Letter,
            "{shape:?}"
        );
    }
    for shape in ["--b\n", "--b\n\nd4\n", "--b\nContent-Type: text/html\n\n<p>d4\n"] {
        let body = shape.repeat(200_000 / shape.len());
        assert_eq!(
            reading("Content-Type: multipart/mixed; boundary=b\n", body.as_bytes()).kind,
            Kind::Letter,
            "{shape:?}"
        );
    }
    for shape in ["X: y\n", "Subject: =?utf-8?Q?a\n", "References: <a@x>\n"] {
        assert_eq!(reading(&shape.repeat(10_000), b"d4").typed, "d4", "{shape:?}");
    }
}

#[test]
fn a_mail_over_the_limit_is_refused_and_its_header_read() {
    let mut mail = format!("{HEADER}\nd4\n").into_bytes();
    mail.resize(25_000_000, b'x');
    let inbound = read(&mail, &Limits::default());
    assert_eq!(
        (inbound.kind, inbound.from.as_deref()),
        (Kind::Unreadable, Some("alice@example.net"))
    );
    assert_eq!(inbound.typed, "");
}

/// A line of talk is typed, however much it reads like an attribution; what follows is not quoted.
#[test]
fn talk_that_reads_like_an_attribution_is_typed() {
    let mail = "From: a@example.net\nTo: play@example.org\nSubject: Re: x\n\nd4\nsay He wrote at 10:00:\nreally\n";
    let inbound = playpost::mail::read(mail.as_bytes(), &playpost::mail::Limits::default());
    assert_eq!(inbound.typed, "d4\nsay He wrote at 10:00:\nreally");
}
