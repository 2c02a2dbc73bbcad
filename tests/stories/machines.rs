//! Mails that no person wrote, and mails that nobody can read.

use crate::harness::{HOUR, Letter, Out, Post, address};

fn begun() -> (Post, u32) {
    let mut post = Post::trusting();
    post.people(&["alice", "bob"]);
    let number = post.begin("alice", "bob", "susan");
    (post, number)
}

#[test]
fn no_machines_mail_is_carried_out_or_answered() {
    for (name, value) in [
        ("Auto-Submitted", "auto-replied"),
        ("Auto-Submitted", "auto-generated"),
        ("Precedence", "bulk"),
        ("Precedence", "junk"),
        ("Precedence", "list"),
        ("List-Id", "<friends.example>"),
        ("X-Auto-Response-Suppress", "All"),
        ("X-Autoreply", "yes"),
        ("X-Autorespond", "vacation"),
        ("From", "MAILER-DAEMON@alice.example"),
        ("From", "postmaster@alice.example"),
        ("From", "play@example.org"),
        ("Playpost-Loop", "play@example.org"),
        ("Playpost-Match", "1; game=susan; turn=1; to-move=alice"),
        ("Return-Path", "<>"),
    ] {
        let (mut post, number) = begun();
        let letter = Letter::answer("alice", post.last_about("alice", number)).text("d4");
        let came = post.mail(letter.header(name, value));
        assert!(came.out.is_empty(), "{name}: {value} was answered");
        assert_eq!(post.show(number)["turn"], 0, "{name}: {value}");
    }
    let (mut post, number) = begun();
    let letter = Letter::answer("alice", post.last_about("alice", number)).text("d4");
    post.mail(letter.header("Auto-Submitted", "no"))
        .only_to(&["alice", "bob"]);
}

#[test]
fn an_empty_envelope_sender_is_a_machines() {
    let (mut post, number) = begun();
    let letter = Letter::answer("alice", post.last_about("alice", number)).text("d4");
    let came = post.take(&letter.bytes(), Some(""));
    assert!(came.out.is_empty());
    assert_eq!(post.show(number)["turn"], 0);
}

#[test]
fn the_servers_own_mails_come_back_without_effect() {
    let (mut post, _) = begun();
    for mail in post.all.clone() {
        let came = post.take(&mail.raw, Some("play@example.org"));
        assert!(came.out.is_empty());
    }
}

/// A delivery report for a mail, as Postfix writes it.
pub fn report(mail: &Out, action: &str, status: &str) -> Vec<u8> {
    format!(
        "Return-Path: <>\r\nFrom: MAILER-DAEMON@mx.example.org\r\nTo: {}\r\nSubject: Undelivered Mail Returned to Sender\r\n\
         Message-ID: <{}.{}@mx.example.org>\r\nAuto-Submitted: auto-replied\r\nMIME-Version: 1.0\r\n\
         Content-Type: multipart/report; report-type=delivery-status; boundary=\"b\"\r\n\r\n\
         --b\r\nContent-Type: text/plain\r\n\r\nI'm sorry.\r\n\
         --b\r\nContent-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; mx.example.org\r\n\r\n\
         Final-Recipient: rfc822; {}\r\nAction: {action}\r\nStatus: {status}\r\n\r\n\
         --b\r\nContent-Type: text/rfc822-headers\r\n\r\nMessage-ID: {}\r\n\r\n--b--\r\n",
        mail.return_path,
        status,
        mail.key(),
        mail.to,
        mail.header("Message-ID"),
    )
    .into_bytes()
}

#[test]
fn a_hard_bounce_is_told_to_the_opponent_once_and_a_mail_from_there_clears_it() {
    let (mut post, number) = begun();
    post.play(number, ["alice", "bob"], &["a1"]);
    let mail = post.last_about("bob", number).clone();
    let came = post.take(&report(&mail, "failed", "5.1.1"), Some(""));
    came.only_to(&["alice"]);
    came.to("alice").says("Mails to bob come back");
    let first = post.all.iter().find(|mail| mail.to == address("bob")).unwrap().clone();
    assert!(
        post.take(&report(&first, "failed", "5.1.1"), Some("")).out.is_empty(),
        "told twice"
    );
    post.reply("bob", "a2");
    let mail = post.last_about("bob", number).clone();
    post.take(&report(&mail, "failed", "5.1.1"), Some(""))
        .only_to(&["alice"]);
}

#[test]
fn a_delay_is_no_bounce_and_three_soft_ones_are() {
    let (mut post, number) = begun();
    let mails: Vec<Out> = post
        .all
        .iter()
        .filter(|mail| mail.to == address("bob"))
        .cloned()
        .collect();
    assert_eq!(mails.len(), 3, "{number}");
    for mail in &mails {
        assert!(post.take(&report(mail, "delayed", "4.4.1"), Some("")).out.is_empty());
    }
    let told: Vec<usize> = mails
        .iter()
        .map(|mail| post.take(&report(mail, "failed", "4.4.7"), Some("")).out.len())
        .collect();
    assert_eq!(told, [0, 0, 1]);
}

#[test]
fn a_report_without_one_of_our_mails_marks_nobody() {
    let (mut post, number) = begun();
    let mut mail = post.last_about("bob", number).clone();
    mail.return_path = "play+bounce-aaaaaaaaaaaaaaaaaaaaaaaaaa@example.org".to_string();
    mail.raw = b"Message-ID: <hearsay@somewhere.example>\r\n\r\n".to_vec();
    assert!(post.take(&report(&mail, "failed", "5.1.1"), Some("")).out.is_empty());
}

#[test]
fn the_player_of_an_unreadable_mail_is_told_once_and_a_stranger_never() {
    let (mut post, number) = begun();
    let encrypted = |person: &str| {
        let letter = Letter::from(person).header("Message-ID", &format!("<secret@{person}.example>"));
        let parts = "--b\nContent-Type: application/pgp-encrypted\n\nVersion: 1\n--b\nContent-Type: \
                     application/octet-stream\n\n-----BEGIN PGP MESSAGE-----\n--b--";
        let bytes = String::from_utf8(letter.text(parts).bytes()).unwrap();
        bytes
            .replace(
                "text/plain; charset=utf-8",
                "multipart/encrypted; protocol=\"application/pgp-encrypted\"; boundary=\"b\"",
            )
            .into_bytes()
    };
    let came = post.take(&encrypted("alice"), Some("alice@alice.example"));
    came.only_to(&["alice"]);
    assert!(
        post.take(&encrypted("mallory"), Some("mallory@mallory.example"))
            .out
            .is_empty()
    );
    let several = Letter::from("alice")
        .header("From", "alice@alice.example, bob@bob.example")
        .text("#1 d4");
    assert!(post.mail(several).out.is_empty());
    assert_eq!(post.show(number)["turn"], 0);
}

#[test]
fn rubbish_changes_nothing_and_is_not_answered() {
    let (mut post, number) = begun();
    let mut state = 88172645463325252_u64;
    let noise: Vec<u8> = std::iter::repeat_with(|| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state as u8
    })
    .take(1_000_000)
    .collect();
    for bytes in [&b""[..], b"\n", &noise] {
        assert!(post.take(bytes, None).out.is_empty());
    }
    assert_eq!(post.show(number)["turn"], 0);
}

#[test]
fn past_thirty_answers_an_hour_one_mail_says_so_and_the_rest_waits() {
    let (mut post, number) = begun();
    let answers = post
        .all
        .iter()
        .filter(|mail| mail.to == address("alice") && mail.is_answer())
        .count();
    for _ in answers..30 {
        post.write("alice", "whoami");
    }
    let came = post.write("alice", "whoami");
    came.to("alice").says("More than 30 mails");
    let waits = Letter::from("alice").text(&format!("#{number} d4"));
    assert!(post.mail(waits).out.is_empty());
    assert_eq!(post.show(number)["turn"], 0);
    let came = post.later(HOUR + 60);
    assert_eq!(post.show(number)["turn"], 1);
    assert!(came.find("bob").is_some());
}

#[test]
fn a_stranger_gets_five_answers_an_hour() {
    let mut post = Post::trusting();
    for _ in 0..5 {
        post.write("mallory", "what?");
    }
    post.write("mallory", "what?").to("mallory").says("More than 5 mails");
    assert!(post.mail(Letter::from("mallory").text("what?")).out.is_empty());
    post.write("trudy", "help")
        .to("trudy")
        .says("Write one command on each line");
}

#[test]
fn a_flood_from_ever_new_addresses_does_not_go_out_again_as_ours() {
    let mut post = Post::with("[identity]\ntrust = \"from\"\n[limits]\nanswers_per_hour_strangers = 7");
    post.people(&["alice"]);
    let mut answers = 0;
    for number in 0..20 {
        let stranger = format!("stranger{number}");
        answers += post.mail(Letter::from(&stranger).text("help")).out.len();
    }
    assert_eq!(answers, 7, "what all strangers get together in an hour");
    post.write("alice", "whoami").only_to(&["alice"]);
    answers += post.later(HOUR).out.len();
    assert_eq!(answers, 14, "what waits is answered when there is room again");
    answers += post.later(HOUR).out.len();
    assert_eq!(answers, 20, "and everybody in the end");
}
