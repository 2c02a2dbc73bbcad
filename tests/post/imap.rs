use playpost::config::{self, Tls};
use playpost::post::{ImapSource, Intake, Stop};

use crate::parts::{Dovecot, Notebook, wait_until};

const LIMIT: usize = 10_000;

fn settings(server: &Dovecot, directory: &std::path::Path, tls: Tls) -> config::ImapSource {
    let password_file = directory.join("password");
    std::fs::write(&password_file, "secret\n").unwrap();
    config::ImapSource {
        host: "localhost".to_string(),
        port: Some(match tls {
            Tls::Implicit => server.imaps,
            Tls::None | Tls::Starttls => server.imap,
        }),
        tls,
        ca_file: Some(server.certificate.clone()),
        user: "play".to_string(),
        password_file: Some(password_file),
        folder: "INBOX".to_string(),
        done_folder: None,
    }
}

fn mail(body: &str) -> String {
    format!("Return-Path: <a@x>\nDelivered-To: play+k@y\nSubject: x\n\n{body}\n")
}

#[test]
fn mails_are_read_once_whatever_other_programs_do_to_their_flags() {
    let Some(server) = Dovecot::start() else { return };
    let place = tempfile::tempdir().unwrap();
    let source = ImapSource::new(&settings(&server, place.path(), Tls::None), LIMIT);
    let taker = Notebook::default();
    server.append("play", "INBOX (\\Seen)", &mail("one"));
    server.append("play", "INBOX", &mail("two"));
    source.drain(&taker, &taker, &Stop::new()).unwrap();
    assert_eq!(taker.bodies(), ["one", "two"]);
    assert_eq!(taker.envelopes()[0].sender.as_deref(), Some("a@x"));
    assert_eq!(taker.envelopes()[0].recipients, ["play+k@y"]);
    assert_eq!(server.count("play", "INBOX"), (2, 2));
    server.talk("play", &["SELECT INBOX", "STORE 1:* -FLAGS (\\Seen)"]);
    server.append("play", "INBOX", &mail("three"));
    let again = source.drain(&taker, &taker, &Stop::new()).unwrap();
    assert_eq!(again, Intake { taken: 1, kept: 0 });
    assert_eq!(taker.bodies(), ["one", "two", "three"]);
}

#[test]
fn encryption_both_ways_and_a_wrong_password() {
    let Some(server) = Dovecot::start() else { return };
    let place = tempfile::tempdir().unwrap();
    for tls in [Tls::Implicit, Tls::Starttls] {
        ImapSource::new(&settings(&server, place.path(), tls), LIMIT)
            .check()
            .unwrap();
    }
    let stranger = config::ImapSource {
        ca_file: None,
        ..settings(&server, place.path(), Tls::Implicit)
    };
    assert!(
        ImapSource::new(&stranger, LIMIT).check().is_err(),
        "a certificate that nobody vouches for"
    );
    let wrong = settings(&server, place.path(), Tls::Starttls);
    std::fs::write(place.path().join("password"), "wrong").unwrap();
    let error = ImapSource::new(&wrong, LIMIT).check().unwrap_err().to_string();
    assert!(error.contains("LOGIN") && !error.contains("wrong"), "{error}");
}

#[test]
fn done_mails_are_moved_into_a_folder_that_is_made() {
    let Some(server) = Dovecot::start() else { return };
    let place = tempfile::tempdir().unwrap();
    let settings = config::ImapSource {
        done_folder: Some("Done".to_string()),
        ..settings(&server, place.path(), Tls::None)
    };
    let source = ImapSource::new(&settings, LIMIT);
    let taker = Notebook::default();
    for body in ["one", "two"] {
        server.append("play", "INBOX", &mail(body));
    }
    source.drain(&taker, &taker, &Stop::new()).unwrap();
    assert_eq!(taker.bodies(), ["one", "two"]);
    assert_eq!(server.count("play", "INBOX"), (0, 0));
    assert_eq!(server.count("play", "Done"), (2, 2));
}

#[test]
fn a_mail_that_is_not_taken_over_stays_for_the_next_run() {
    let Some(server) = Dovecot::start() else { return };
    let place = tempfile::tempdir().unwrap();
    let source = ImapSource::new(&settings(&server, place.path(), Tls::None), LIMIT);
    let taker = Notebook::default();
    server.append("play", "INBOX", &mail("one"));
    taker.lock(true);
    assert_eq!(
        source.drain(&taker, &taker, &Stop::new()).unwrap(),
        Intake { taken: 0, kept: 1 }
    );
    assert_eq!(server.count("play", "INBOX"), (1, 0));
    taker.lock(false);
    source.drain(&taker, &taker, &Stop::new()).unwrap();
    assert_eq!(taker.bodies(), ["one"]);
}

#[test]
fn without_a_mark_everything_is_looked_at() {
    let Some(server) = Dovecot::start() else { return };
    let place = tempfile::tempdir().unwrap();
    let source = ImapSource::new(&settings(&server, place.path(), Tls::None), LIMIT);
    let taker = Notebook::default();
    server.append("play", "INBOX", &mail("one"));
    source.drain(&taker, &taker, &Stop::new()).unwrap();
    taker.forget_marks();
    source.drain(&taker, &taker, &Stop::new()).unwrap();
    assert_eq!(
        taker.bodies(),
        ["one", "one"],
        "the taker, not the mark, knows what has been here"
    );
}

#[test]
fn of_a_mail_too_large_the_beginning_is_fetched() {
    let Some(server) = Dovecot::start() else { return };
    let place = tempfile::tempdir().unwrap();
    let source = ImapSource::new(&settings(&server, place.path(), Tls::None), 100);
    let taker = Notebook::default();
    server.append("play", "INBOX", &mail(&"x".repeat(100_000)));
    source.drain(&taker, &taker, &Stop::new()).unwrap();
    let bodies = taker.bodies();
    assert!(bodies.len() == 1 && bodies[0].len() < 101, "{}", bodies.len());
}

#[test]
fn the_daemon_hears_of_new_mail_and_comes_back_when_the_line_is_lost() {
    let Some(mut server) = Dovecot::start() else { return };
    let place = tempfile::tempdir().unwrap();
    let source = ImapSource::new(&settings(&server, place.path(), Tls::Implicit), LIMIT);
    let taker = Notebook::default();
    let stop = Stop::new();
    server.append("play", "INBOX", &mail("one"));
    std::thread::scope(|scope| {
        let daemon = scope.spawn(|| source.serve(&taker, &taker, &stop));
        wait_until("the first mail", || taker.bodies() == ["one"]);
        server.append("play", "INBOX", &mail("two"));
        wait_until("the mail in IDLE", || taker.bodies() == ["one", "two"]);
        server.restart();
        server.append("play", "INBOX", &mail("three"));
        wait_until("the mail after the line was lost", || {
            taker.bodies() == ["one", "two", "three"]
        });
        stop.stop();
        daemon.join().unwrap().unwrap();
    });
}
