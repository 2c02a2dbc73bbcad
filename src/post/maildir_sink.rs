use std::path::Path;

use super::{Envelope, Maildir, Outgoing, PostError, Sent, Sink};

/// Writes each mail into a Maildir, its envelope in `Return-Path` and `Delivered-To` before the other headers.
#[derive(Debug)]
pub struct MaildirSink {
    maildir: Maildir,
}

impl MaildirSink {
    /// A sink into the Maildir at `path`, which is made where it is missing.
    pub fn open(path: &Path) -> Result<Self, PostError> {
        let maildir = Maildir::open(path)?;
        maildir.sweep();
        Ok(MaildirSink { maildir })
    }
}

impl Sink for MaildirSink {
    fn send(&mut self, mail: &Outgoing) -> Sent {
        let envelope = Envelope {
            sender: Some(mail.envelope_from.clone().unwrap_or_default()),
            recipients: vec![mail.recipient.clone()],
        };
        let trace = envelope.to_trace("\n");
        match self.maildir.store(&[trace.as_bytes(), &with_unix_lines(&mail.bytes)]) {
            Ok(()) => Sent::Delivered,
            Err(error) => Sent::Temporary(error.to_string()),
        }
    }
}

/// The mail with the line ends that files have on this side of SMTP.
pub(super) fn with_unix_lines(bytes: &[u8]) -> Vec<u8> {
    let mut lines = Vec::with_capacity(bytes.len());
    let mut rest = bytes.iter().copied().peekable();
    while let Some(byte) = rest.next() {
        if byte != b'\r' || rest.peek() != Some(&b'\n') {
            lines.push(byte);
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mail_lies_complete_in_new_with_its_envelope() {
        let place = tempfile::tempdir().unwrap();
        let mut sink = MaildirSink::open(place.path()).unwrap();
        for sender in [None, Some("play+bounce-k@example.org".to_string())] {
            let mail = Outgoing {
                envelope_from: sender,
                recipient: "alice@example.net".to_string(),
                bytes: b"Subject: x\r\n\r\nbody\r\n".to_vec(),
            };
            assert_eq!(sink.send(&mail), Sent::Delivered);
        }
        let maildir = Maildir::open(place.path()).unwrap();
        let texts: Vec<String> = maildir
            .new_names()
            .unwrap()
            .iter()
            .map(|name| std::fs::read_to_string(maildir.new_dir().join(name)).unwrap())
            .collect();
        assert_eq!(
            texts,
            [
                "Return-Path: <>\nDelivered-To: alice@example.net\nSubject: x\n\nbody\n",
                "Return-Path: <play+bounce-k@example.org>\nDelivered-To: alice@example.net\nSubject: x\n\nbody\n",
            ]
        );
        assert_eq!(std::fs::read_dir(place.path().join("tmp")).unwrap().count(), 0);
    }

    #[test]
    fn a_mail_that_cannot_be_written_is_tried_again() {
        let place = tempfile::tempdir().unwrap();
        let mut sink = MaildirSink::open(place.path()).unwrap();
        std::fs::remove_dir(place.path().join("tmp")).unwrap();
        let mail = Outgoing {
            envelope_from: None,
            recipient: "alice@example.net".to_string(),
            bytes: b"\n".to_vec(),
        };
        assert!(matches!(sink.send(&mail), Sent::Temporary(_)));
    }
}
