use std::process::Command;

use playpost::config::Listen;
use playpost::post::{LmtpListener, Stop};

use crate::parts::{Notebook, program};

const LIMIT: usize = 100_000;

/// Runs `client` against a listener on the port it is given, and gives what the taker got.
fn with_listener(client: impl FnOnce(u16, &Notebook)) -> Notebook {
    let listener = LmtpListener::bind(&Listen::from("127.0.0.1:0".to_string()), LIMIT).unwrap();
    let taker = Notebook::default();
    let stop = Stop::new();
    std::thread::scope(|scope| {
        scope.spawn(|| listener.serve(&taker, &stop).unwrap());
        client(listener.local_addr().unwrap().port(), &taker);
        stop.stop();
    });
    taker
}

#[test]
fn swaks_hands_a_mail_over_for_two_recipients() {
    let Some(swaks) = program("swaks") else { return };
    let taker = with_listener(|port, _| {
        let output = Command::new(&swaks)
            .args([
                "--protocol",
                "LMTP",
                "--server",
                "127.0.0.1",
                "--port",
                &port.to_string(),
            ])
            .args([
                "--from",
                "<>",
                "--to",
                "play+k@example.org,play@example.org",
                "--body",
                "e5",
            ])
            .output()
            .unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    });
    assert_eq!(taker.bodies(), ["e5"]);
    let envelope = &taker.envelopes()[0];
    assert_eq!(envelope.sender.as_deref(), Some(""));
    assert_eq!(envelope.recipients, ["play+k@example.org", "play@example.org"]);
}

#[test]
fn swaks_is_told_to_come_again() {
    let Some(swaks) = program("swaks") else { return };
    let taker = with_listener(|port, taker| {
        taker.lock(true);
        let output = Command::new(&swaks)
            .args([
                "--protocol",
                "LMTP",
                "--server",
                "127.0.0.1",
                "--port",
                &port.to_string(),
            ])
            .args(["--from", "a@example.net", "--to", "play@example.org"])
            .output()
            .unwrap();
        assert!(String::from_utf8_lossy(&output.stdout).contains(" 451 "));
    });
    assert!(taker.bodies().is_empty());
}

#[test]
fn a_load_of_mails_over_many_lines_at_once() {
    let Some(smtp_source) = program("smtp-source") else {
        return;
    };
    let taker = with_listener(|port, _| {
        let status = Command::new(&smtp_source)
            .args([
                "-L",
                "-s",
                "10",
                "-m",
                "200",
                "-l",
                "2000",
                "-f",
                "a@example.net",
                "-t",
                "play@example.org",
            ])
            .arg(format!("127.0.0.1:{port}"))
            .status()
            .unwrap();
        assert!(status.success());
    });
    assert_eq!(taker.bodies().len(), 200);
}
