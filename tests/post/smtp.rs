use std::process::Stdio;
use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use playpost::config::{self, Config, Tls};
use playpost::post::{Envelope, Office, OutboxRun, Outgoing, Sent, Sink, SmtpSink, Take, run_outbox};
use tempfile::TempDir;

use crate::house::{House, header, letter};
use crate::parts::{Running, as_server_user, free_port, give_to_server_user, program, wait_for_port};

/// Postfix's smtp-sink with the faults that `options` order; every mail it takes is a file in `dumps`.
struct Server {
    port: u16,
    dumps: TempDir,
    _running: Running,
}

impl Server {
    fn start(options: &[&str]) -> Option<Self> {
        let smtp_sink = program("smtp-sink")?;
        let dumps = tempfile::tempdir().unwrap();
        let port = free_port();
        give_to_server_user(dumps.path());
        let child = as_server_user(&smtp_sink)
            .current_dir(dumps.path())
            .args(options)
            .args(["-d", "%M."])
            .arg(format!("127.0.0.1:{port}"))
            .arg("10")
            .stdin(Stdio::null())
            .spawn()
            .unwrap();
        let running = Running(child);
        wait_for_port(port);
        Some(Server {
            port,
            dumps,
            _running: running,
        })
    }

    fn sink(&self) -> SmtpSink {
        let settings = config::SmtpSink {
            host: "127.0.0.1".to_string(),
            port: Some(self.port),
            tls: Tls::None,
            ca_file: None,
            user: None,
            password_file: None,
        };
        SmtpSink::open(&settings).unwrap().with_patience(Duration::from_secs(2))
    }

    /// The mails taken, with the envelope that smtp-sink writes before them.
    fn mails(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.dumps.path()).unwrap();
        let mails = entries.map(|entry| std::fs::read_to_string(entry.unwrap().path()).unwrap());
        mails.filter(|mail| !mail.is_empty()).collect()
    }
}

fn mail(from: Option<&str>) -> Outgoing {
    Outgoing {
        envelope_from: from.map(str::to_string),
        recipient: "alice@example.net".to_string(),
        bytes: b"Message-ID: <one@example.org>\r\nSubject: x\r\n\r\n.\r\nboard\r\n".to_vec(),
    }
}

#[test]
fn mails_arrive_with_their_envelope_and_as_they_are() {
    let Some(server) = Server::start(&[]) else { return };
    let mut sink = server.sink();
    assert_eq!(sink.check(), Ok(()));
    for from in [None, Some("play+bounce-k@example.org")] {
        assert_eq!(sink.send(&mail(from)), Sent::Delivered);
    }
    sink.rest();
    let mut mails = server.mails();
    mails.sort_by_key(String::len);
    assert_eq!(mails.len(), 2);
    assert!(mails[0].contains("X-Mail-Args: <>\n"), "{}", mails[0]);
    assert!(
        mails[1].contains("X-Mail-Args: <play+bounce-k@example.org>\n"),
        "{}",
        mails[1]
    );
    for mail in mails {
        assert!(mail.contains("X-Rcpt-Args: <alice@example.net>\n"), "{mail}");
        assert!(mail.contains("\n\n.\nboard\n"), "{mail}");
    }
}

#[test]
fn only_5yz_is_for_good() {
    for command in ["MAIL", "RCPT", "DATA", "."] {
        let Some(server) = Server::start(&["-f", command]) else {
            return;
        };
        let sent = server.sink().send(&mail(None));
        assert!(matches!(sent, Sent::Permanent(_)), "{command}: {sent:?}");
        let Some(server) = Server::start(&["-r", command]) else {
            return;
        };
        let sent = server.sink().send(&mail(None));
        assert!(matches!(sent, Sent::Temporary(_)), "{command}: {sent:?}");
    }
}

#[test]
fn a_server_that_does_not_want_us_at_all_says_nothing_of_the_mail() {
    for refusal in ["connect", "EHLO"] {
        let Some(server) = Server::start(&["-f", refusal]) else {
            return;
        };
        let sent = server.sink().send(&mail(None));
        assert!(matches!(sent, Sent::Temporary(_)), "{refusal}: {sent:?}");
    }
}

#[test]
fn hang_ups_are_tried_again() {
    for command in ["MAIL", "DATA", "."] {
        let Some(server) = Server::start(&["-q", command]) else {
            return;
        };
        let sent = server.sink().send(&mail(None));
        assert!(matches!(sent, Sent::Temporary(_)), "{command}: {sent:?}");
    }
}

/// Nobody knows whether it has the mail: it gets it again, with the same Message-ID.
#[test]
fn silence_after_the_final_dot_is_tried_again() {
    let Some(server) = Server::start(&["-W", ".:30"]) else {
        return;
    };
    let sent = server.sink().send(&mail(None));
    assert!(matches!(sent, Sent::Temporary(_)), "{sent:?}");
}

#[test]
fn a_server_without_encryption_gets_nothing_where_encryption_is_asked_for() {
    let Some(server) = Server::start(&[]) else { return };
    let settings = config::SmtpSink {
        host: "localhost".to_string(),
        port: Some(server.port),
        tls: Tls::Starttls,
        ca_file: None,
        user: None,
        password_file: None,
    };
    let sent = SmtpSink::open(&settings).unwrap().send(&mail(None));
    assert!(matches!(sent, Sent::Temporary(_)), "{sent:?}");
    assert!(server.mails().is_empty());
}

/// A house with one mail in its outbox, and the mail's Message-ID.
fn house_with_an_answer() -> (House, String) {
    let house = House::new().with_players();
    let office = office(&house, Utc::now());
    office
        .take(letter("alice", "one", "whoami", "").as_bytes(), &Envelope::default())
        .unwrap();
    let rows = house.store().read(|tx| tx.outbox()).unwrap();
    assert_eq!(rows.len(), 1);
    let mail = String::from_utf8_lossy(&rows[0].raw).replace("\r\n", "\n");
    (house, header(&mail, "Message-ID"))
}

/// The house's office, whose clock stands at `now`.
fn office(house: &House, now: DateTime<Utc>) -> Office {
    let config = Config::read(&house.path("playpost.toml")).unwrap();
    let playpost = playpost::server::Server::new(&config).unwrap();
    Office::open(playpost, &config, Box::new(move || now)).unwrap()
}

/// A run of the outbox at the time `now`.
fn send_at(house: &House, server: &Server, now: DateTime<Utc>) -> OutboxRun {
    let office = office(house, now);
    run_outbox(&office, &mut server.sink(), now, 1000, &|| false).unwrap()
}

#[test]
fn what_a_server_may_not_have_taken_goes_out_again_with_its_message_id() {
    for fault in [["-W", ".:30"], ["-r", "."], ["-q", "."], ["-r", "RCPT"]] {
        let Some(faulty) = Server::start(&fault) else { return };
        let (house, id) = house_with_an_answer();
        let now = Utc::now();
        let waiting = OutboxRun {
            waiting: 1,
            ..OutboxRun::default()
        };
        assert_eq!(send_at(&house, &faulty, now), waiting, "{fault:?}");
        let Some(fine) = Server::start(&[]) else { return };
        let soon = send_at(&house, &fine, now + TimeDelta::minutes(1));
        assert_eq!(soon, OutboxRun::default(), "{fault:?}: not before its pause is over");
        let sent = OutboxRun {
            sent: 1,
            ..OutboxRun::default()
        };
        assert_eq!(send_at(&house, &fine, now + TimeDelta::minutes(10)), sent, "{fault:?}");
        let mails = fine.mails();
        assert_eq!(mails.len(), 1);
        assert!(mails[0].contains(&format!("\nMessage-ID: {id}\n")), "{}", mails[0]);
        assert_eq!(house.count("SELECT count(*) FROM outbox"), 0);
    }
}

#[test]
fn a_mail_refused_for_good_is_not_tried_again() {
    let Some(server) = Server::start(&["-f", "RCPT"]) else {
        return;
    };
    let (house, _) = house_with_an_answer();
    let failed = OutboxRun {
        failed: 1,
        ..OutboxRun::default()
    };
    let now = Utc::now();
    assert_eq!(send_at(&house, &server, now), failed);
    assert_eq!(send_at(&house, &server, now + TimeDelta::days(1)), OutboxRun::default());
    assert_eq!(house.count("SELECT count(*) FROM outbox WHERE state = 'failed'"), 1);
}
