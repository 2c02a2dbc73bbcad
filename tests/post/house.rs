//! Playpost itself as the tests run it: the real program in a directory of its own.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::os::unix::net::{UnixDatagram, UnixStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::Duration;

use playpost::store::Store;
use tempfile::TempDir;

/// A daemon that has not begun or ended after so long never will.
const PATIENCE: Duration = Duration::from_secs(60);

/// A directory with a configuration, a Maildir `in` that mails come from and a Maildir `out` that they go to.
pub struct House {
    place: TempDir,
}

impl House {
    pub fn new() -> Self {
        let house = House {
            place: tempfile::tempdir().unwrap(),
        };
        house.configure("playpost.toml", "", "");
        for part in ["in/new", "in/cur", "in/tmp"] {
            fs::create_dir_all(house.path(part)).unwrap();
        }
        house
    }

    /// Writes a configuration on the same database and the same Maildirs, with `keys` at its beginning and `sources` at its end.
    pub fn configure(&self, name: &str, keys: &str, sources: &str) {
        let text = format!(
            "address = 'play@example.org'\ndata = 'data'\n{keys}\n[identity]\ntrust = 'from'\n\
             [limits]\nanswers_per_hour_player = 10000\n[sink]\ntype = 'maildir'\npath = 'out'\n\
             [[source]]\ntype = 'maildir'\npath = 'in'\n{sources}"
        );
        fs::write(self.path(name), text).unwrap();
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.place.path().join(name)
    }

    /// The program with its configuration.
    pub fn command(&self) -> Command {
        self.command_with("playpost.toml")
    }

    fn command_with(&self, configuration: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_playpost"));
        command
            .arg("--config")
            .arg(self.path(configuration))
            .env_remove("RUST_LOG");
        command
    }

    /// One round, as cron starts it, at the time `now`.
    pub fn run_at(&self, now: &str) {
        let output = self.command().args(["--now", now, "run"]).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }

    /// One round, as cron starts it.
    pub fn run(&self) {
        let output = self.command().arg("run").output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }

    /// What `playpost deliver` ends with for a mail.
    pub fn deliver(&self, mail: &str) -> Option<i32> {
        let mut child = self
            .command()
            .args(["deliver", "--recipient", "play@example.org"])
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        // A program that ends early is judged by its status.
        let _ = child.stdin.take().unwrap().write_all(mail.as_bytes());
        child.wait().unwrap().code()
    }

    /// Puts a mail into the Maildir that mails come from, as an MTA does.
    pub fn drop_in(&self, name: &str, mail: &str) {
        let unfinished = self.path("in/tmp").join(name);
        fs::write(&unfinished, mail).unwrap();
        fs::rename(unfinished, self.path("in/new").join(name)).unwrap();
    }

    /// The mails that have gone out.
    pub fn mails_out(&self) -> Vec<String> {
        mails_in(&self.path("out/new"))
    }

    /// The mails that have gone out to an address.
    pub fn mails_to(&self, address: &str) -> Vec<String> {
        let line = format!("Delivered-To: {address}\n");
        self.mails_out()
            .into_iter()
            .filter(|mail| mail.contains(&line))
            .collect()
    }

    pub fn store(&self) -> Store {
        Store::open(&self.path("data")).unwrap()
    }

    /// The number that a query of the database gives.
    pub fn count(&self, query: &str) -> i64 {
        let count = self.store().read(|tx| {
            let count = tx.query_row(query, [], |row| row.get(0));
            count.map_err(playpost::store::StoreError::from)
        });
        count.unwrap()
    }

    /// Two players who have an account: alice and bob, who accepts every challenge.
    pub fn with_players(self) -> Self {
        for (name, commands) in [("alice", "signup alice"), ("bob", "signup bob\nset autoaccept on")] {
            self.drop_in(
                &format!("0-{name}"),
                &letter(name, &format!("signup-{name}"), "hello", commands),
            );
        }
        self.run();
        self.forget_mails();
        self
    }

    /// What lies in the Maildir for mails out is taken away.
    pub fn forget_mails(&self) {
        for entry in fs::read_dir(self.path("out/new")).unwrap() {
            fs::remove_file(entry.unwrap().path()).unwrap();
        }
    }
}

/// The mails in a directory, with the line ends of files.
pub fn mails_in(directory: &Path) -> Vec<String> {
    let Ok(entries) = fs::read_dir(directory) else {
        return Vec::new();
    };
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    // A mail may have gone on since.
    paths.iter().filter_map(|path| fs::read_to_string(path).ok()).collect()
}

/// A mail of the player `name`, which its `id` makes unlike every other.
pub fn letter(name: &str, id: &str, subject: &str, body: &str) -> String {
    format!(
        "From: {name} <{name}@example.net>\nTo: play@example.org\nSubject: {subject}\n\
         Message-ID: <{id}@example.net>\nDate: Sun, 29 Nov 2026 18:00:00 +0000\n\n{body}\n"
    )
}

/// The value of a header of a mail.
pub fn header(mail: &str, name: &str) -> String {
    let (head, _) = mail.split_once("\n\n").unwrap_or((mail, ""));
    let unfolded = head.replace("\n ", " ").replace("\n\t", " ");
    let begin = format!("{name}: ");
    let found = unfolded.lines().find_map(|line| line.strip_prefix(&begin));
    found.unwrap_or_default().trim().to_string()
}

/// A daemon.
pub struct Serving {
    child: Child,
    notices: UnixDatagram,
}

impl Serving {
    /// Starts it by a configuration of the house, and waits until it says that it is ready.
    pub fn start(house: &House, configuration: &str) -> Self {
        let socket = house.path(&format!("{configuration}.notify"));
        let _ = fs::remove_file(&socket);
        let notices = UnixDatagram::bind(&socket).unwrap();
        notices.set_read_timeout(Some(PATIENCE)).unwrap();
        let log = fs::File::create(house.path(&format!("{configuration}.log"))).unwrap();
        let child = house
            .command_with(configuration)
            .arg("serve")
            .env("NOTIFY_SOCKET", &socket)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(log)
            .spawn()
            .unwrap();
        let serving = Serving { child, notices };
        serving.wait_for("READY=1");
        serving
    }

    /// Waits until it tells its manager `state`.
    pub fn wait_for(&self, state: &str) {
        let mut buffer = [0; 256];
        loop {
            let length = self.notices.recv(&mut buffer).expect(state);
            if String::from_utf8_lossy(&buffer[..length]).contains(state) {
                return;
            }
        }
    }

    /// Asks it to end, as a service manager does, and waits until it has.
    pub fn end(mut self) -> ExitStatus {
        let asked = Command::new("kill").arg(self.child.id().to_string()).status().unwrap();
        assert!(asked.success());
        self.wait_for("STOPPING=1");
        self.child.wait().unwrap()
    }

    /// Kills it where it stands.
    pub fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        // It has ended already, unless the test failed.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Hands a mail over by LMTP and gives the reply to it.
pub fn lmtp(socket: &Path, mail: &str) -> std::io::Result<String> {
    let mut stream = UnixStream::connect(socket)?;
    stream.set_read_timeout(Some(PATIENCE))?;
    let mut replies = BufReader::new(stream.try_clone()?);
    let mut reply = || loop {
        let mut line = String::new();
        if replies.read_line(&mut line)? == 0 {
            return Err(std::io::Error::from(std::io::ErrorKind::UnexpectedEof));
        }
        if line.as_bytes().get(3) != Some(&b'-') {
            return Ok(line);
        }
    };
    reply()?;
    for command in [
        "LHLO localhost",
        "MAIL FROM:<a@example.net>",
        "RCPT TO:<play@example.org>",
        "DATA",
    ] {
        write!(stream, "{command}\r\n")?;
        reply()?;
    }
    write!(stream, "{}\r\n.\r\n", mail.replace('\n', "\r\n"))?;
    reply()
}
