use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::Mutex;

use super::*;
use crate::post::{Envelope, Fate, TakeError};

const LIMIT: usize = 1000;

/// Writes down what it gets, and does not take over mails that say so.
#[derive(Default)]
struct Notebook(Mutex<Vec<(String, Envelope)>>);

impl Take for Notebook {
    fn take(&self, raw: &[u8], envelope: &Envelope) -> Result<Fate, TakeError> {
        if raw.starts_with(b"later") {
            return Err(TakeError::Temporary("locked".to_string()));
        }
        let text = String::from_utf8_lossy(raw).into_owned();
        self.0.lock().unwrap().push((text, envelope.clone()));
        Ok(Fate::Done)
    }
}

/// What the server says to `lines` sent at once, without the texts after the codes, and what its taker got.
fn talk(lines: &str) -> (Vec<String>, Vec<(String, Envelope)>) {
    with_server(|address| {
        let mut stream = TcpStream::connect(address).unwrap();
        stream.write_all(lines.as_bytes()).unwrap();
        stream.shutdown(std::net::Shutdown::Write).unwrap();
        let mut said = String::new();
        stream.read_to_string(&mut said).unwrap();
        said.lines().map(|line| line[..4].trim_end().to_string()).collect()
    })
}

fn with_server<T>(client: impl FnOnce(SocketAddr) -> T) -> (T, Vec<(String, Envelope)>) {
    let listener = LmtpListener::bind(&"127.0.0.1:0".to_string().into(), LIMIT).unwrap();
    let taker = Notebook::default();
    let stop = Stop::new();
    let result = std::thread::scope(|scope| {
        scope.spawn(|| listener.serve(&taker, &stop).unwrap());
        let result = client(listener.local_addr().unwrap());
        stop.stop();
        result
    });
    (result, taker.0.into_inner().unwrap())
}

const GREETING: [&str; 7] = ["220", "250-", "250-", "250-", "250-", "250-", "250"];

fn replies(lines: &str) -> Vec<String> {
    let (said, _) = talk(&format!("LHLO me\r\n{lines}QUIT\r\n"));
    assert_eq!(said[..7], GREETING);
    assert_eq!(said.last().unwrap(), "221");
    said[7..said.len() - 1].to_vec()
}

#[test]
fn one_reply_a_recipient_after_the_taker_has_it() {
    let mail = "LHLO me\r\nMAIL FROM:<>\r\nRCPT TO:<play+k@y>\r\nRCPT TO:<play@y>\r\nDATA\r\nSubject: x\r\n\r\n..\r\n.\r\nQUIT\r\n";
    let (said, taken) = talk(mail);
    assert_eq!(said[7..], ["250", "250", "250", "354", "250", "250", "221"]);
    let envelope = Envelope {
        sender: Some(String::new()),
        recipients: vec!["play+k@y".to_string(), "play@y".to_string()],
    };
    assert_eq!(taken, [("Subject: x\r\n\r\n.\r\n".to_string(), envelope)]);
}

#[test]
fn what_is_not_taken_over_comes_again_later() {
    let (said, taken) = talk("LHLO me\r\nMAIL FROM:<a@x>\r\nRCPT TO:<p@y>\r\nDATA\r\nlater\r\n.\r\nQUIT\r\n");
    assert_eq!(said[7..], ["250", "250", "354", "451", "221"]);
    assert!(taken.is_empty());
}

#[test]
fn several_mails_on_one_line() {
    let one = "MAIL FROM:<a@x> BODY=8BITMIME SIZE=10\r\nRCPT TO:<p@y>\r\nDATA\r\nx\r\n.\r\n";
    let (said, taken) = talk(&format!("LHLO me\r\n{one}{one}QUIT\r\n"));
    assert_eq!(
        said[7..],
        ["250", "250", "354", "250", "250", "250", "354", "250", "221"]
    );
    assert_eq!(taken.len(), 2);
}

#[test]
fn too_large_a_mail_is_refused_before_and_after() {
    assert_eq!(replies(&format!("MAIL FROM:<a@x> SIZE={}\r\n", LIMIT + 1)), ["552"]);
    let text = "x".repeat(LIMIT + 1);
    let said = replies(&format!("MAIL FROM:<a@x>\r\nRCPT TO:<p@y>\r\nDATA\r\n{text}\r\n.\r\n"));
    assert_eq!(said, ["250", "250", "354", "552"]);
}

#[test]
fn nothing_is_smuggled_by_a_bare_lf() {
    let inner = "a\n.\nMAIL FROM:<evil@x>\r\nRCPT TO:<p@y>\r\nDATA\r\nb";
    let (said, taken) = talk(&format!(
        "LHLO me\r\nMAIL FROM:<a@x>\r\nRCPT TO:<p@y>\r\nDATA\r\n{inner}\r\n.\r\nQUIT\r\n"
    ));
    assert_eq!(said[7..], ["250", "250", "354", "554", "221"]);
    assert!(taken.is_empty());
    let (said, _) = talk("LHLO me\nMAIL FROM:<a@x>\r\n");
    assert_eq!(said, ["220", "521"]);
}

#[test]
fn commands_out_of_order_and_nonsense_are_refused() {
    assert_eq!(talk("MAIL FROM:<a@x>\r\n").0, ["220", "503"]);
    assert_eq!(talk("EHLO me\r\n").0, ["220", "500"]);
    assert_eq!(replies("RCPT TO:<p@y>\r\nDATA\r\n"), ["503", "503"]);
    assert_eq!(
        replies("MAIL FROM:<a@x>\r\nMAIL FROM:<a@x>\r\nRSET\r\nMAIL FROM:<a@x>\r\n"),
        ["250", "503", "250", "250"]
    );
    assert_eq!(replies("MAIL FROM:<a@x>\r\nRCPT TO:<>\r\n").last().unwrap(), "501");
    assert_eq!(replies("XYZZY\r\nBDAT 5\r\nNOOP\r\n")[0], "500");
    assert_eq!(replies(&format!("{}\r\nNOOP\r\n", "x".repeat(100_000))), ["500", "250"]);
    let (said, _) = talk(&format!("LHLO me\r\n{}", "XYZZY\r\n".repeat(100)));
    assert_eq!(said.last().unwrap(), "421");
}

#[test]
fn a_client_that_leaves_in_the_middle_has_sent_nothing() {
    let (said, taken) = talk("LHLO me\r\nMAIL FROM:<a@x>\r\nRCPT TO:<p@y>\r\nDATA\r\nhalf a mail\r\n");
    assert_eq!(said.last().unwrap(), "354");
    assert!(taken.is_empty());
}

#[test]
fn a_waiting_client_is_told_when_we_go() {
    let (stream, _) = with_server(|address| {
        let mut stream = BufReader::new(TcpStream::connect(address).unwrap());
        let mut line = String::new();
        stream.read_line(&mut line).unwrap();
        assert!(line.starts_with("220"), "{line}");
        stream
    });
    let last = stream.lines().map(Result::unwrap).last();
    assert!(last.is_some_and(|line| line.starts_with("421")));
}

#[test]
fn a_unix_socket_left_by_the_dead_is_replaced_and_one_of_the_living_is_not() {
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("lmtp");
    let listen = Listen::Unix(path.clone());
    drop(UnixListener::bind(&path).unwrap());
    let listener = LmtpListener::bind(&listen, LIMIT).unwrap();
    assert!(LmtpListener::bind(&listen, LIMIT).is_err());
    let taker = Notebook::default();
    let stop = Stop::new();
    std::thread::scope(|scope| {
        scope.spawn(|| listener.serve(&taker, &stop).unwrap());
        let mut stream = UnixStream::connect(&path).unwrap();
        stream.write_all(b"QUIT\r\n").unwrap();
        let mut said = String::new();
        stream.read_to_string(&mut said).unwrap();
        assert!(said.contains("221"), "{said}");
        stop.stop();
    });
    drop(listener);
    assert!(!path.exists());
}
