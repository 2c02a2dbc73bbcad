//! The binary, as a new user tries it from the shell and as an MTA calls it.

use std::path::Path;
use std::time::Duration;

use assert_cmd::Command;
use serde_json::Value;
use tempfile::TempDir;

use crate::harness::{Letter, Out, address};

/// A configuration in a fresh directory, and the clock of its runs.
struct Shell {
    place: TempDir,
    minutes: u32,
    letters: u32,
}

impl Shell {
    fn new() -> Self {
        let place = tempfile::tempdir().unwrap();
        let settings = "address = \"play@example.org\"\ndata = \"data\"\n[identity]\ntrust = \"from\"\n\
                        [sink]\ntype = \"maildir\"\npath = \"out\"\n";
        std::fs::write(place.path().join("playpost.toml"), settings).unwrap();
        Shell {
            place,
            minutes: 0,
            letters: 0,
        }
    }

    fn path(&self) -> &Path {
        self.place.path()
    }

    fn playpost(&self, arguments: &[&str]) -> Command {
        let mut command = Command::cargo_bin("playpost").unwrap();
        let now = format!("2026-11-29T18:{:02}:00Z", self.minutes);
        command.current_dir(self.path());
        for variable in [
            "SENDER",
            "RECIPIENT",
            "ORIGINAL_RECIPIENT",
            "LOCAL",
            "EXTENSION",
            "DOMAIN",
            "PLAYPOST_CONFIG",
        ] {
            command.env_remove(variable);
        }
        command
            .args(["--config", "playpost.toml", "--now", &now])
            .args(arguments);
        command
    }

    /// Hands bytes to `deliver`: the exit code, and the mails that came out.
    fn deliver_bytes(&mut self, raw: &[u8]) -> (i32, Vec<Out>) {
        self.minutes += 1;
        let before = self.sent();
        let output = self.playpost(&["deliver"]).write_stdin(raw).output().unwrap();
        assert!(output.stdout.is_empty(), "a pipe's output may become a bounce");
        let after = self.sent();
        let fresh = after
            .into_iter()
            .filter(|(name, _)| !before.iter().any(|(known, _)| known == name));
        (output.status.code().unwrap(), fresh.map(|(_, mail)| mail).collect())
    }

    /// Hands a letter over, which must be taken.
    fn deliver(&mut self, letter: Letter) -> Vec<Out> {
        self.letters += 1;
        let letter = letter.header("Message-ID", &format!("<{}@shell.example>", self.letters));
        let (code, out) = self.deliver_bytes(&letter.bytes());
        assert_eq!(code, 0);
        out
    }

    /// What stands in the sink, by file name.
    fn sent(&self) -> Vec<(String, Out)> {
        let Ok(entries) = std::fs::read_dir(self.path().join("out/new")) else {
            return Vec::new();
        };
        let mut sent: Vec<(String, Out)> = entries
            .map(|entry| {
                let entry = entry.unwrap();
                let raw = std::fs::read(entry.path()).unwrap();
                let mut mail = Out {
                    to: String::new(),
                    return_path: String::new(),
                    raw,
                };
                mail.to = mail.header("Delivered-To");
                mail.return_path = mail.header("Return-Path").trim_matches(['<', '>']).to_string();
                (entry.file_name().into_string().unwrap(), mail)
            })
            .collect();
        sent.sort_by(|a, b| a.0.cmp(&b.0));
        sent
    }

    fn show(&self, number: u32) -> Value {
        let output = self
            .playpost(&["show", &number.to_string(), "--json"])
            .output()
            .unwrap();
        assert!(output.status.success());
        serde_json::from_slice(&output.stdout).unwrap()
    }
}

#[track_caller]
fn to<'m>(mails: &'m [Out], person: &str) -> &'m Out {
    let address = address(person);
    mails
        .iter()
        .find(|mail| mail.to == address)
        .unwrap_or_else(|| panic!("no mail to {person}"))
}

#[test]
fn a_game_from_the_shell_ends_in_a_record_that_the_rules_play_again() {
    let mut shell = Shell::new();
    shell.deliver(Letter::from("alice").subject("signup alice"));
    shell.deliver(Letter::from("bob").subject("signup bob"));
    let out = shell.deliver(Letter::from("alice").text("challenge bob susan --first=me"));
    let mut out = shell.deliver(Letter::answer("bob", to(&out, "bob")).text("accept"));
    for (index, turn) in ["a1", "a2", "e5", "b1", "e6", "b2"].iter().enumerate() {
        let player = ["alice", "bob"][index % 2];
        out = shell.deliver(Letter::answer(player, to(&out, player)).text(turn));
        assert_eq!(out.len(), 2, "both get the board");
    }
    let shown = shell.show(1);
    assert_eq!(shown["status"], "finished");
    assert_eq!(
        (&shown["result"], &shown["reason"]),
        (&"O".into(), &"surrounded".into())
    );
    shell
        .playpost(&["archive", "export", "--dir", "records"])
        .assert()
        .success();
    let files: Vec<_> = std::fs::read_dir(shell.path().join("records")).unwrap().collect();
    assert_eq!(files.len(), 1);
    let record = files[0].as_ref().unwrap().path();
    let output = shell
        .playpost(&["rules", "replay", "susan", record.to_str().unwrap(), "--json"])
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let replayed: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(
        replayed["outcome"],
        serde_json::json!({"winner": "O", "reason": "surrounded"})
    );
}

#[test]
fn a_password_in_a_subject_from_the_shell() {
    let mut shell = Shell::new();
    shell.deliver(Letter::from("alice").subject("signup alice secret9"));
    shell.deliver(Letter::from("bob").subject("signup bob"));
    let out = shell.deliver(Letter::from("alice").text("challenge bob susan --first=me"));
    shell.deliver(Letter::answer("bob", to(&out, "bob")).text("accept"));
    let wrong = shell.deliver(Letter::from("cafe").subject("susan move 1 alice secret8 d4"));
    assert_eq!(wrong.len(), 1);
    to(&wrong, "cafe")
        .says("The userid or the password is wrong")
        .never_says("secret");
    assert_eq!(shell.show(1)["turn"], 0);
    let right = shell.deliver(Letter::from("cafe").subject("susan move 1 alice secret9 d4"));
    let mut recipients: Vec<&str> = right.iter().map(|mail| mail.to.as_str()).collect();
    recipients.sort_unstable();
    assert_eq!(recipients, [address("alice"), address("bob")]);
    assert_eq!(shell.show(1)["turns"], serde_json::json!(["d4"]));
}

#[test]
fn what_is_no_letter_is_taken_and_changes_nothing() {
    let mut shell = Shell::new();
    shell.deliver(Letter::from("alice").subject("signup alice"));
    shell.deliver(Letter::from("bob").subject("signup bob"));
    let out = shell.deliver(Letter::from("alice").text("challenge bob susan --first=me"));
    let out = shell.deliver(Letter::answer("bob", to(&out, "bob")).text("accept"));
    let daemon = Letter::answer("alice", to(&out, "alice"))
        .header("From", "MAILER-DAEMON")
        .text("d4");
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    let noise: Vec<u8> = std::iter::repeat_with(|| {
        state = state
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (state >> 56) as u8
    })
    .take(1_000_000)
    .collect();
    for raw in [Vec::new(), noise, daemon.bytes()] {
        let (code, out) = shell.deliver_bytes(&raw);
        assert_eq!(code, 0);
        assert!(out.is_empty());
    }
    assert_eq!(shell.show(1)["turn"], 0);
}

#[test]
fn a_locked_database_makes_the_mta_try_again_and_nothing_has_changed() {
    let mut shell = Shell::new();
    shell.deliver(Letter::from("alice").subject("signup alice"));
    let database = std::fs::read_dir(shell.path().join("data"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .find(|path| path.ends_with("playpost.db"))
        .unwrap();
    let lock = rusqlite::Connection::open(database).unwrap();
    lock.busy_timeout(Duration::from_secs(5)).unwrap();
    lock.execute_batch("BEGIN IMMEDIATE").unwrap();
    let letter = Letter::from("bob")
        .subject("signup bob")
        .header("Message-ID", "<locked@shell.example>");
    let (code, out) = shell.deliver_bytes(&letter.bytes());
    assert_eq!(code, 75);
    assert!(out.is_empty());
    lock.execute_batch("ROLLBACK").unwrap();
    let output = shell.playpost(&["players", "--json"]).output().unwrap();
    let players: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(players.as_array().unwrap().len(), 1);
    let (code, out) = shell.deliver_bytes(&letter.bytes());
    assert_eq!((code, out.len()), (0, 1), "the same mail, once the lock is gone");
}

#[test]
fn a_wrong_command_line_or_configuration_is_no_bounce() {
    let shell = Shell::new();
    shell
        .playpost(&["deliver", "--no-such-option"])
        .write_stdin("x")
        .assert()
        .code(75);
    let help = shell.playpost(&["deliver", "--help"]).assert().code(0);
    assert!(String::from_utf8_lossy(&help.get_output().stdout).contains("Usage: playpost deliver"));
    std::fs::write(shell.path().join("playpost.toml"), "addres = \"x\"").unwrap();
    shell.playpost(&["deliver"]).write_stdin("x").assert().code(75);
}
