//! A house in a temporary directory, and Playpost run in it.

use assert_cmd::Command;
use serde_json::Value;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// When everything happens, where a test does not say otherwise.
pub const NOW: &str = "2026-12-01T12:00:00Z";

/// A directory with a configuration, an empty database and a Maildir for outgoing mails.
pub struct House(TempDir);

/// What a command said and how it ended.
#[derive(Debug)]
pub struct Ran {
    pub code: i32,
    pub out: String,
    pub err: String,
}

impl Ran {
    fn of(command: &mut Command) -> Ran {
        let output = command.output().unwrap();
        Ran {
            code: output.status.code().unwrap_or(-1),
            out: String::from_utf8(output.stdout).unwrap(),
            err: String::from_utf8(output.stderr).unwrap(),
        }
    }

    /// What it said, if it ended well.
    pub fn ok(self) -> String {
        assert_eq!(self.code, 0, "{self:?}");
        self.out
    }

    pub fn json(self) -> Value {
        let out = self.ok();
        serde_json::from_str(&out).unwrap_or_else(|error| panic!("{error}: {out}"))
    }
}

impl House {
    /// A directory with nothing in it.
    pub fn empty() -> House {
        House(TempDir::new().unwrap())
    }

    pub fn new() -> House {
        let house = House::empty();
        let text = format!(
            "address = \"play@example.org\"\ndata = {:?}\n[identity]\ntrust = \"from\"\n[sink]\ntype = \"maildir\"\npath = {:?}\n",
            house.path("data"),
            house.path("out")
        );
        std::fs::write(house.path("playpost.toml"), text).unwrap();
        house
    }

    /// A house whose daemon takes mails from a Maildir.
    pub fn with_source() -> House {
        let house = House::new();
        let config = house.path("playpost.toml");
        let source = format!("[[source]]\ntype = \"maildir\"\npath = {:?}\n", house.path("in"));
        std::fs::write(&config, std::fs::read_to_string(&config).unwrap() + &source).unwrap();
        for folder in ["new", "cur", "tmp"] {
            std::fs::create_dir_all(house.path("in").join(folder)).unwrap();
        }
        house
    }

    /// Starts the daemon.
    pub fn serve(&self) -> Daemon {
        let child = std::process::Command::new(assert_cmd::cargo::cargo_bin("playpost"))
            .env_remove("PLAYPOST_CONFIG")
            .arg("--config")
            .arg(self.path("playpost.toml"))
            .args(["--quiet", "serve"])
            .spawn();
        Daemon(child.unwrap())
    }

    /// Puts a mail where the daemon finds it; `key` names it.
    pub fn drop_in(&self, key: &str, from: &str, body: &str) {
        let waiting = self.path("in/tmp").join(key);
        std::fs::write(&waiting, mail(key, from, body)).unwrap();
        std::fs::rename(waiting, self.path("in/new").join(key)).unwrap();
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn plain_command(&self) -> Command {
        let mut command = Command::cargo_bin("playpost").unwrap();
        command
            .env_remove("PLAYPOST_CONFIG")
            .env("USER", "keeper")
            .current_dir(self.0.path());
        command
    }

    fn command(&self) -> Command {
        let mut command = self.plain_command();
        command.arg("--config").arg(self.path("playpost.toml"));
        command
    }

    /// Runs a command line that finds its configuration itself, or needs none.
    pub fn run_without_configuration(&self, arguments: &[&str]) -> Ran {
        Ran::of(self.plain_command().args(arguments))
    }

    /// Runs a command line of words without blanks, at a time.
    pub fn run_at(&self, now: &str, arguments: &[&str]) -> Ran {
        Ran::of(self.command().args(["--now", now]).args(arguments))
    }

    pub fn run(&self, arguments: &[&str]) -> Ran {
        self.run_at(NOW, arguments)
    }

    /// Delivers a mail; `key` makes its Message-ID its own.
    pub fn deliver(&self, key: &str, from: &str, body: &str) {
        assert_eq!(self.deliver_status(key, from, body), 0);
    }

    /// As [`House::deliver`], and gives what `playpost deliver` ends with.
    pub fn deliver_status(&self, key: &str, from: &str, body: &str) -> i32 {
        self.deliver_raw_status(mail(key, from, body).as_bytes())
    }

    pub fn deliver_raw(&self, mail: &[u8]) {
        assert_eq!(self.deliver_raw_status(mail), 0);
    }

    fn deliver_raw_status(&self, mail: &[u8]) -> i32 {
        let output = self
            .command()
            .args(["--now", NOW, "deliver"])
            .write_stdin(mail.to_vec())
            .output()
            .unwrap();
        output.status.code().unwrap_or(-1)
    }

    /// Sends the outbox, and gives all mails that have gone to an address.
    pub fn mails_to(&self, address: &str) -> Vec<String> {
        self.run(&["run"]).ok();
        let mark = format!("Delivered-To: {address}\n");
        contents(&self.path("out/new"))
            .into_iter()
            .map(|(_, bytes)| String::from_utf8(bytes).unwrap().replace("\r\n", "\n"))
            .filter(|mail| mail.contains(&mark))
            .collect()
    }
}

/// A daemon that is ended when the test is.
pub struct Daemon(std::process::Child);

impl Drop for Daemon {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn mail(key: &str, from: &str, body: &str) -> String {
    format!(
        "From: <{from}>\r\nTo: <play@example.org>\r\nSubject: playpost\r\nMessage-ID: <{key}@example.net>\r\nDate: Tue, 01 Dec 2026 12:00:00 +0000\r\n\r\n{body}\r\n"
    )
}

/// The files of a directory with their bytes, by name.
pub fn contents(directory: &Path) -> Vec<(String, Vec<u8>)> {
    let mut files: Vec<_> = std::fs::read_dir(directory)
        .unwrap()
        .map(|entry| {
            let entry = entry.unwrap();
            let name = entry.file_name().into_string().unwrap();
            (name, std::fs::read(entry.path()).unwrap())
        })
        .collect();
    files.sort();
    files
}
