//! Starts servers for the tests, and ends them.

use std::collections::HashMap;
use std::fs::{self, File};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use playpost::post::{Envelope, Fate, ImapMark, ImapMemory, Incoming, Take, TakeError};
use tempfile::TempDir;

pub use crate::program::program;

/// The user that servers run as when the tests run as root.
const NOBODY: &str = "nobody";
/// A server that is not there after so long will not come.
const START: Duration = Duration::from_secs(120);

/// A port of loopback that was free a moment ago.
pub fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

/// Waits until somebody listens on the port.
pub fn wait_for_port(port: u16) {
    wait_until(&format!("somebody listens on port {port}"), || {
        TcpStream::connect(("127.0.0.1", port)).is_ok()
    });
}

pub fn wait_until(what: &str, condition: impl FnMut() -> bool) {
    wait_or_explain(condition, || what.to_string());
}

/// Waits for the condition; what `explain` says at the end of all patience stands in the failure.
pub fn wait_or_explain(mut condition: impl FnMut() -> bool, explain: impl Fn() -> String) {
    let begun = Instant::now();
    while !condition() {
        assert!(begun.elapsed() < START, "in vain: {}", explain());
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// A process that ends with the test.
pub struct Running(pub Child);

impl Drop for Running {
    fn drop(&mut self) {
        let pid = self.0.id().to_string();
        // Dovecot ends its children when it is asked, and not when it is killed.
        let _ = Command::new("kill").arg(&pid).status();
        let begun = Instant::now();
        while begun.elapsed() < Duration::from_secs(5) && matches!(self.0.try_wait(), Ok(None)) {
            std::thread::sleep(Duration::from_millis(20));
        }
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

pub fn is_root() -> bool {
    let id = Command::new("id").arg("-u").output().unwrap();
    id.stdout.starts_with(b"0\n")
}

/// The name of the user and of the group that servers of the tests run as.
fn server_user() -> (String, String) {
    let name = |option: &str| {
        let mut id = Command::new("id");
        id.arg(option);
        if is_root() {
            id.arg(NOBODY);
        }
        String::from_utf8(id.output().unwrap().stdout)
            .unwrap()
            .trim()
            .to_string()
    };
    (name("-un"), name("-gn"))
}

/// A command that runs as the servers' user.
pub fn as_server_user(program: &Path) -> Command {
    if !is_root() {
        return Command::new(program);
    }
    let mut command = Command::new("setpriv");
    command
        .args(["--reuid", NOBODY, "--regid", "nogroup", "--clear-groups", "--"])
        .arg(program);
    command
}

/// Gives a directory, with what is in it, to the servers' user.
pub fn give_to_server_user(directory: &Path) {
    if is_root() {
        let (user, group) = server_user();
        let mut chown = Command::new("chown");
        chown.arg("-R").arg(format!("{user}:{group}")).arg(directory);
        assert!(chown.status().unwrap().success());
    }
}

/// A certificate for localhost, and its key.
pub fn certificate(directory: &Path) -> Option<(PathBuf, PathBuf)> {
    let openssl = program("openssl")?;
    let (certificate, key) = (directory.join("cert.pem"), directory.join("key.pem"));
    let made = Command::new(openssl)
        .args([
            "req",
            "-x509",
            "-newkey",
            "ec",
            "-pkeyopt",
            "ec_paramgen_curve:P-256",
            "-nodes",
        ])
        .args(["-days", "2", "-subj", "/CN=localhost"])
        .args([
            "-addext",
            "basicConstraints=critical,CA:FALSE",
            "-addext",
            "subjectAltName=DNS:localhost",
        ])
        .arg("-out")
        .arg(&certificate)
        .arg("-keyout")
        .arg(&key)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .unwrap();
    assert!(made.success());
    Some((certificate, key))
}

/// Dovecot with IMAP and LMTP, on ports of its own, for any user with the password `secret`.
pub struct Dovecot {
    pub directory: TempDir,
    pub imap: u16,
    pub imaps: u16,
    pub lmtp: u16,
    /// Where other servers ask it for passwords.
    pub auth: u16,
    pub certificate: PathBuf,
    running: Option<Running>,
}

impl Dovecot {
    /// `None` where Dovecot or what it needs is not installed.
    pub fn start() -> Option<Self> {
        let dovecot = program("dovecot")?;
        let directory = tempfile::tempdir().unwrap();
        let (certificate, key) = certificate(directory.path())?;
        let [imap, imaps, lmtp, auth] = std::array::from_fn(|_| free_port());
        let place = directory.path().display();
        let (user, group) = server_user();
        let configuration = format!(
            "protocols = imap lmtp\nrecipient_delimiter = +\npostmaster_address = postmaster@localhost\nlisten = 127.0.0.1\nbase_dir = {place}/run\nstate_dir = {place}/state\nlog_path = {place}/log\n\
             ssl = yes\nssl_cert = <{certificate}\nssl_key = <{key}\n\
             default_internal_user = {user}\ndefault_login_user = {user}\ndefault_internal_group = {group}\n\
             service imap-login {{\n chroot =\n inet_listener imap {{\n port = {imap}\n }}\n inet_listener imaps {{\n port = {imaps}\n ssl = yes\n }}\n}}\n\
             service anvil {{\n chroot =\n}}\nservice stats {{\n chroot =\n}}\n\
             service lmtp {{\n user = {user}\n inet_listener lmtp {{\n port = {lmtp}\n }}\n}}\n\
             service auth {{\n inet_listener auth {{\n port = {auth}\n }}\n}}\nauth_username_format = %n\n\
             passdb {{\n driver = static\n args = password=secret\n}}\n\
             userdb {{\n driver = static\n args = uid={user} gid={group} home={place}/mail/%n\n}}\n\
             mail_location = maildir:{place}/mail/%n\ndisable_plaintext_auth = no\nfirst_valid_uid = 1\n",
            certificate = certificate.display(),
            key = key.display(),
        );
        fs::write(directory.path().join("dovecot.conf"), configuration).unwrap();
        give_to_server_user(directory.path());
        let mut server = Dovecot {
            directory,
            imap,
            imaps,
            lmtp,
            auth,
            certificate,
            running: None,
        };
        server.run(&dovecot);
        Some(server)
    }

    fn run(&mut self, dovecot: &Path) {
        let log = File::create(self.directory.path().join("console")).unwrap();
        let child = as_server_user(dovecot)
            .arg("-F")
            .arg("-c")
            .arg(self.directory.path().join("dovecot.conf"))
            .stdin(Stdio::null())
            .stdout(log.try_clone().unwrap())
            .stderr(log)
            .spawn()
            .unwrap();
        self.running = Some(Running(child));
        wait_for_port(self.imap);
    }

    /// Ends it with all its connections, and starts it again on the same port.
    pub fn restart(&mut self) {
        self.running = None;
        let dovecot = program("dovecot").unwrap();
        self.run(&dovecot);
    }

    /// Runs a command of IMAP as `user` and gives what the server said: one line of the protocol a command.
    pub fn talk(&self, user: &str, commands: &[&str]) -> String {
        use std::io::{BufRead, BufReader, Write};
        let mut stream = TcpStream::connect(("127.0.0.1", self.imap)).unwrap();
        let mut reader = BufReader::new(stream.try_clone().unwrap());
        let mut said = String::new();
        reader.read_line(&mut said).unwrap();
        let login = format!("LOGIN {user} secret");
        for (tag, command) in [login.as_str()].iter().chain(commands).enumerate() {
            write!(stream, "t{tag} {command}\r\n").unwrap();
            loop {
                let mut line = String::new();
                assert!(reader.read_line(&mut line).unwrap() > 0, "{said}");
                said.push_str(&line);
                if line.starts_with(&format!("t{tag} ")) {
                    break;
                }
                if line.starts_with('+') {
                    break;
                }
            }
        }
        said
    }

    /// Puts a mail into a folder of `user`.
    pub fn append(&self, user: &str, folder: &str, mail: &str) {
        let mail = mail.replace('\n', "\r\n");
        let append = format!("APPEND {folder} {{{}+}}\r\n{mail}", mail.len());
        let said = self.talk(user, &[&append]);
        assert!(said.contains("t1 OK"), "{said}");
    }

    /// The number of mails in a folder of `user`, and of those that are marked as read.
    pub fn count(&self, user: &str, folder: &str) -> (usize, usize) {
        let said = self.talk(user, &[&format!("SELECT {folder}"), "SEARCH ALL", "SEARCH SEEN"]);
        let counts: Vec<usize> = said
            .lines()
            .filter_map(|line| line.strip_prefix("* SEARCH"))
            .map(|found| found.split_whitespace().count())
            .collect();
        match counts[..] {
            [all, seen] => (all, seen),
            _ => (0, 0),
        }
    }
}

/// A taker that writes down what it gets; while it is `locked` it takes nothing.
#[derive(Default)]
pub struct Notebook {
    mails: Mutex<Vec<Incoming>>,
    locked: Mutex<bool>,
    marks: Mutex<HashMap<String, ImapMark>>,
}

impl Notebook {
    /// The bodies of the mails, without white space at their ends.
    pub fn bodies(&self) -> Vec<String> {
        let mails = self.mails.lock().unwrap();
        mails
            .iter()
            .map(|mail| {
                let text = String::from_utf8_lossy(&mail.raw).replace("\r\n", "\n");
                let body = text.split_once("\n\n").map(|(_, body)| body).unwrap_or_default();
                body.trim_end().to_string()
            })
            .collect()
    }

    pub fn envelopes(&self) -> Vec<Envelope> {
        self.mails
            .lock()
            .unwrap()
            .iter()
            .map(|mail| mail.envelope.clone())
            .collect()
    }

    pub fn lock(&self, locked: bool) {
        *self.locked.lock().unwrap() = locked;
    }

    pub fn forget_marks(&self) {
        self.marks.lock().unwrap().clear();
    }
}

impl Take for Notebook {
    fn take(&self, raw: &[u8], envelope: &Envelope) -> Result<Fate, TakeError> {
        if *self.locked.lock().unwrap() {
            return Err(TakeError::Temporary("locked".to_string()));
        }
        self.mails.lock().unwrap().push(Incoming {
            raw: raw.to_vec(),
            envelope: envelope.clone(),
        });
        Ok(Fate::Done)
    }
}

impl ImapMemory for Notebook {
    fn recall(&self, mailbox: &str) -> Result<Option<ImapMark>, TakeError> {
        Ok(self.marks.lock().unwrap().get(mailbox).copied())
    }

    fn note(&self, mailbox: &str, mark: ImapMark) -> Result<(), TakeError> {
        self.marks.lock().unwrap().insert(mailbox.to_string(), mark);
        Ok(())
    }
}
