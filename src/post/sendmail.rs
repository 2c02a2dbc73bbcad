use std::io::{self, Read, Write};
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use super::maildir_sink::with_unix_lines;
use super::{Outgoing, Sent, Sink};
use crate::config;

/// How long the program may take.
const PATIENCE: Duration = Duration::from_secs(300);
const POLL: Duration = Duration::from_millis(10);
/// How much of what the program complains is kept.
const COMPLAINT_BYTES: u64 = 1000;
/// How long a program that has ended may still owe its complaint: a child of it may hold the pipe open.
const COMPLAINT_WAIT: Duration = Duration::from_secs(1);
/// The exit codes of sysexits(3) that refuse this mail for good: EX_DATAERR and EX_NOUSER. A code that speaks of the
/// program or its surroundings is tried again, whatever it thinks of itself.
const REFUSALS: [i32; 2] = [65, 67];

/// Hands mails to a program that takes them as Sendmail does.
#[derive(Debug)]
pub struct SendmailSink {
    command: PathBuf,
    patience: Duration,
}

impl SendmailSink {
    pub fn open(settings: &config::SendmailSink) -> Self {
        SendmailSink {
            command: settings.command.clone(),
            patience: PATIENCE,
        }
    }

    /// The same sink, less or more patient with a program that does not end.
    pub fn with_patience(self, patience: Duration) -> Self {
        SendmailSink { patience, ..self }
    }

    /// Whether the program is there, for `playpost init` and `playpost doctor`; it is not run.
    pub fn check(&self) -> Result<(), String> {
        match std::fs::metadata(&self.command) {
            Ok(found) if found.is_file() => Ok(()),
            Ok(_) => Err(format!("{} is no program", self.command.display())),
            Err(error) => Err(format!("{}: {error}", self.command.display())),
        }
    }

    /// Runs the program on `mail`: how it ended, and what it complained.
    fn run(&self, mail: &Outgoing) -> io::Result<(Option<ExitStatus>, String)> {
        // The empty sender must be said, or the program puts the user of this process in its place. Dots alone on a
        // line end nothing (-i), and no recipient is an option (--).
        let mut child = Command::new(&self.command)
            .args(["-i", "-f", mail.envelope_from.as_deref().unwrap_or("<>"), "--"])
            .arg(&mail.recipient)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()?;
        feed(&mut child, with_unix_lines(&mail.bytes));
        let complaint = listen(&mut child);
        let status = wait(&mut child, self.patience)?;
        let complaint = complaint.recv_timeout(COMPLAINT_WAIT).unwrap_or_default();
        Ok((status, complaint))
    }
}

impl Sink for SendmailSink {
    fn send(&mut self, mail: &Outgoing) -> Sent {
        // `-f` has no `--`: an address that looks like an option goes nowhere.
        if mail
            .envelope_from
            .as_deref()
            .is_some_and(|from| from.is_empty() || from.starts_with('-'))
        {
            return Sent::Permanent("no return path that sendmail can carry".to_string());
        }
        match self.run(mail) {
            Ok((Some(status), _)) if status.success() => Sent::Delivered,
            Ok((Some(status), complaint)) => {
                let text = format!("sendmail: {status} {complaint}").trim_end().to_string();
                match status.code() {
                    Some(code) if REFUSALS.contains(&code) => Sent::Permanent(text),
                    _ => Sent::Temporary(text),
                }
            }
            Ok((None, _)) => Sent::Temporary("sendmail did not end".to_string()),
            Err(error) => Sent::Temporary(format!("{}: {error}", self.command.display())),
        }
    }
}

/// Writes the mail from a thread of its own: a program that does not read it must not hold us up.
fn feed(child: &mut Child, bytes: Vec<u8>) {
    if let Some(mut input) = child.stdin.take() {
        // A program that ends before it has read all says so by its exit code.
        thread::spawn(move || input.write_all(&bytes).unwrap_or_default());
    }
}

/// The beginning of what the program says on its standard error, on one line.
fn listen(child: &mut Child) -> mpsc::Receiver<String> {
    let (sender, receiver) = mpsc::channel();
    if let Some(output) = child.stderr.take() {
        thread::spawn(move || {
            let mut text = Vec::new();
            // What cannot be read is not needed.
            let _ = output.take(COMPLAINT_BYTES).read_to_end(&mut text);
            let text = String::from_utf8_lossy(&text);
            sender
                .send(text.split_whitespace().collect::<Vec<_>>().join(" "))
                .unwrap_or_default();
        });
    }
    receiver
}

/// Waits until the program ends; `None` when it did not in time, and was ended.
fn wait(child: &mut Child, patience: Duration) -> io::Result<Option<ExitStatus>> {
    let begun = Instant::now();
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        if begun.elapsed() > patience {
            child.kill()?;
            child.wait()?;
            return Ok(None);
        }
        thread::sleep(POLL);
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    /// A sendmail that writes down its arguments and its input, and then does as `ending` says.
    fn fake(ending: &str) -> (tempfile::TempDir, SendmailSink) {
        let place = tempfile::tempdir().unwrap();
        let command = place.path().join("sendmail");
        let script =
            format!("#!/bin/sh\ncd \"$(dirname \"$0\")\"\nprintf '%s\\n' \"$@\" > arguments\ncat > input\n{ending}\n");
        // Written by another process: a file that this one has open, as a child forked by another test may see it, cannot be run.
        let mut shell = Command::new("sh")
            .args(["-c", "cat > \"$0\" && chmod 755 \"$0\""])
            .arg(&command)
            .stdin(Stdio::piped())
            .spawn()
            .unwrap();
        shell.stdin.take().unwrap().write_all(script.as_bytes()).unwrap();
        assert!(shell.wait().unwrap().success());
        let sink = SendmailSink::open(&config::SendmailSink { command });
        (place, sink)
    }

    fn mail(from: Option<&str>) -> Outgoing {
        Outgoing {
            envelope_from: from.map(str::to_string),
            recipient: "-oQ/tmp@example.net".to_string(),
            bytes: b"Subject: x\r\n\r\n.\r\nbody\r\n".to_vec(),
        }
    }

    #[test]
    fn the_envelope_is_in_the_arguments_and_the_mail_in_the_input() {
        for (from, said) in [(None, "<>"), (Some("play+bounce-k@y"), "play+bounce-k@y")] {
            let (place, mut sink) = fake("exit 0");
            assert_eq!(sink.send(&mail(from)), Sent::Delivered);
            let arguments = fs::read_to_string(place.path().join("arguments")).unwrap();
            assert_eq!(arguments, format!("-i\n-f\n{said}\n--\n-oQ/tmp@example.net\n"));
            let input = fs::read_to_string(place.path().join("input")).unwrap();
            assert_eq!(input, "Subject: x\n\n.\nbody\n");
        }
    }

    #[test]
    fn only_a_refusal_of_the_mail_is_for_good() {
        for (ending, permanent) in [
            ("exit 67", true),
            ("exit 65", true),
            ("exit 75", false),
            ("exit 1", false),
            ("exit 78", false),
            ("kill -9 $$", false),
        ] {
            let (_place, mut sink) = fake(&format!("echo 'because of this' >&2\n{ending}"));
            match sink.send(&mail(None)) {
                Sent::Permanent(text) => assert!(permanent && text.contains("because of this"), "{ending}: {text}"),
                Sent::Temporary(text) => assert!(!permanent && text.contains("because of this"), "{ending}: {text}"),
                Sent::Delivered => panic!("{ending}"),
            }
        }
    }

    #[test]
    fn a_program_that_is_not_there_or_does_not_end_is_tried_again() {
        let mut missing = SendmailSink::open(&config::SendmailSink {
            command: "/nonexistent/sendmail".into(),
        });
        assert!(matches!(missing.send(&mail(None)), Sent::Temporary(_)));
        let (_place, sink) = fake("exec sleep 1000");
        let mut sink = sink.with_patience(Duration::from_millis(200));
        assert!(matches!(sink.send(&mail(None)), Sent::Temporary(_)));
    }

    #[test]
    fn a_return_path_is_no_option() {
        let (place, mut sink) = fake("exit 0");
        assert!(matches!(sink.send(&mail(Some("-C/tmp/evil"))), Sent::Permanent(_)));
        assert!(!place.path().join("arguments").exists());
    }
}
