//! The header of a mail: exact, and closed to what others write.

use super::*;

#[test]
fn a_turn_mail_has_the_headers_of_the_contract() {
    let mut draft = draft(Vec::new());
    draft.match_info = Some(MatchInfo {
        number: 12,
        game: "susan".into(),
        turn: 7,
        to_move: Some("bob".into()),
    });
    draft.in_reply_to = Some("<turn.12.6.other@example.org>".into());
    draft.references = vec![
        "<turn.12.1.one@example.org>".into(),
        "<turn.12.6.other@example.org>".into(),
    ];
    let (header, _) = opened(&draft);
    assert_eq!(
        header,
        "\
From: Playpost <play@example.org>
Reply-To: play+k7@example.org
To: alice@example.net
Subject: Susan #12: your turn (alice - bob)
Date: Sun, 29 Nov 2026 18:00:00 +0000
Message-ID: <turn.12.7.secret@example.org>
In-Reply-To: <turn.12.6.other@example.org>
References: <turn.12.1.one@example.org> <turn.12.6.other@example.org>
Auto-Submitted: auto-generated
X-Auto-Response-Suppress: All
Playpost-Loop: play@example.org
Playpost-Match: 12; game=susan; turn=7; to-move=bob
MIME-Version: 1.0
Content-Type: text/plain; charset=utf-8
Content-Transfer-Encoding: 7bit"
    );
}

#[test]
fn the_envelope_names_what_bounces() {
    let mut mail = draft(Vec::new());
    let sent = compose(&mail, &server(), templates()).unwrap();
    assert_eq!(sent.envelope_from.as_deref(), Some("play+bounce-b7@example.org"));
    assert_eq!(sent.recipient, "alice@example.net");
    mail.bounce_key = None;
    mail.reply_key = None;
    mail.auto = Auto::Replied;
    let sent = compose(&mail, &server(), templates()).unwrap();
    assert_eq!(sent.envelope_from, None);
    let (header, _) = opened(&mail);
    assert!(header.contains("\nReply-To: play@example.org\n"), "{header}");
    assert!(header.contains("\nAuto-Submitted: auto-replied\n"), "{header}");
    assert!(!header.contains("Playpost-Match"), "{header}");
    assert!(!header.contains("List-"), "{header}");
}

#[test]
fn the_subjects_of_a_match() {
    let subject = |state| {
        let subject = Subject::Match(MatchSubject {
            title: "Susan".into(),
            number: 12,
            state,
            names: vec!["alice".into(), "bob".into()],
        });
        subject.line("en", templates()).unwrap()
    };
    assert_eq!(subject(MatchState::YourTurn), "Susan #12: your turn (alice - bob)");
    assert_eq!(
        subject(MatchState::ToMove("bob".into())),
        "Susan #12: bob to move (alice - bob)"
    );
    assert_eq!(
        subject(MatchState::Won(vec!["alice".into()])),
        "Susan #12: alice won (alice - bob)"
    );
    assert_eq!(
        subject(MatchState::Won(vec!["alice".into(), "bob".into()])),
        "Susan #12: alice and bob won (alice - bob)"
    );
    assert_eq!(subject(MatchState::Draw), "Susan #12: draw (alice - bob)");
}

#[test]
fn nobody_writes_a_header_of_his_own() {
    let mut draft = draft(Vec::new());
    draft.subject = Subject::Match(MatchSubject {
        title: "Susan\r\nBcc: eve@example.com".into(),
        number: 12,
        state: MatchState::ToMove("bob\r\nX-Evil: yes\0".into()),
        names: vec!["a\u{7}lice\u{202E}".into()],
    });
    draft.message_id = "<a\r\nX-Evil: yes@example.org>".into();
    draft.in_reply_to = Some("<b\r\nX-Evil: yes@example.org>".into());
    draft.references = vec!["<c\nX-Evil: yes@example.org>".into()];
    let (header, _) = opened(&draft);
    let names: Vec<&str> = header
        .lines()
        .filter(|line| !line.starts_with(' '))
        .filter_map(|line| Some(line.split_once(':')?.0))
        .collect();
    assert!(!names.contains(&"Bcc") && !names.contains(&"X-Evil"), "{header}");
    assert!(!header.contains(['\0', '\u{7}']), "{header:?}");
}

#[test]
fn a_long_thread_loses_its_middle() {
    let mut draft = draft(Vec::new());
    draft.references = (1..=50).map(|n| format!("<turn.12.{n}.secret@example.org>")).collect();
    draft.references.push(format!("<{}@example.org>", "x".repeat(2000)));
    let (header, _) = opened(&draft);
    let references = header.split_once("References: ").unwrap().1;
    let unfolded = references.split_once("Auto-Submitted").unwrap().0.replace("\n ", " ");
    let numbers: Vec<&str> = unfolded
        .split_whitespace()
        .filter_map(|id| id.split('.').nth(2))
        .collect();
    let expected: Vec<String> = (1..=10).chain(41..=50).map(|n| n.to_string()).collect();
    assert_eq!(numbers, expected);
    assert!(header.lines().all(|line| line.len() < 998));
    draft.references.truncate(15);
    let (header, _) = opened(&draft);
    assert_eq!(header.matches("secret@").count(), 1 + 15, "{header}");
}

#[test]
fn unsubscribing_is_a_mail_with_a_command() {
    let mut draft = draft(Vec::new());
    draft.list_unsubscribe = Some("set mail reminders");
    let (header, _) = opened(&draft);
    let expected = "List-Unsubscribe: <mailto:play+k7@example.org?subject=set%20mail%20reminders>";
    assert!(header.replace("\n ", " ").contains(expected), "{header}");
}

#[test]
fn an_address_that_is_none_is_an_error() {
    for address in [
        "",
        "alice",
        "a..b@example.net",
        "a b@example.net",
        "alice@example.net\r\nBcc: x@y.org",
    ] {
        let mut draft = draft(Vec::new());
        draft.to_address = address.into();
        let error = compose(&draft, &server(), templates()).unwrap_err();
        assert!(matches!(error, ComposeError::Address(_)), "{address}: {error}");
    }
    assert!(ServerAddress::new("not an address").is_err());
}

#[test]
fn a_record_goes_along_as_an_attachment() {
    let mut draft = draft(Vec::new());
    draft.attachments = vec![Attachment {
        name: "susan-12.txt".into(),
        content_type: "text/plain; charset=utf-8".into(),
        file: File::Text("[Game \"susan\"]\n\ne5\n# bob: 안녕\n".into()),
    }];
    let bytes = composed(&draft);
    assert_eq!(bytes, composed(&draft), "the same draft gives the same bytes");
    let message = MessageParser::default().parse(&bytes).unwrap();
    let file = message.attachment(0).unwrap();
    assert_eq!(mail_parser::MimeHeaders::attachment_name(file), Some("susan-12.txt"));
    let text = file.text_contents().unwrap().replace("\r\n", "\n");
    assert_eq!(File::Text(text.to_string()), draft.attachments[0].file);
}
