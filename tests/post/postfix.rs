use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use playpost::config::{self, Tls};
use playpost::post::{Outgoing, Sent, Sink, SmtpSink};
use playpost::store::{Store, StoreError};
use tempfile::TempDir;

use crate::parts::{Dovecot, free_port, give_to_server_user, is_root, program, wait_for_port, wait_or_explain};

/// The services of master.cf that a Postfix without chroot needs, besides its listener.
const SERVICES: &str = "\
pickup unix n - n 60 1 pickup
cleanup unix n - n - 0 cleanup
qmgr unix n - n 300 1 qmgr
tlsmgr unix - - n 1000? 1 tlsmgr
rewrite unix - - n - - trivial-rewrite
bounce unix - - n - 0 bounce
defer unix - - n - 0 bounce
trace unix - - n - 0 bounce
verify unix - - n - 1 verify
proxymap unix - - n - - proxymap
smtp unix - - n - - smtp
error unix - - n - - error
retry unix - - n - - error
lmtp unix - - n - - lmtp
anvil unix - - n - 1 anvil
scache unix - - n - 1 scache
postlog unix-dgram n - n - 1 postlogd
";

/// An instance of Postfix with submission on a port of its own: it asks for encryption and a password, and hands every mail
/// to Dovecot, but for those that `extra` lines route elsewhere.
pub struct Postfix {
    directory: TempDir,
    pub port: u16,
    program: PathBuf,
}

impl Postfix {
    /// `None` where Postfix is not installed, or we are not root, which its master must be.
    pub fn start(dovecot: &Dovecot, extra_main: &str, extra_master: &str) -> Option<Self> {
        let program = program("postfix")?;
        if !is_root() {
            eprintln!("skipped: Postfix starts as root only");
            return None;
        }
        let directory = tempfile::tempdir().unwrap();
        let port = free_port();
        let place = directory.path().display();
        let keys = dovecot.directory.path().display();
        let main = format!(
            "compatibility_level = 3.6\nqueue_directory = {place}/queue\ndata_directory = {place}/data\n\
             maillog_file = {place}/log\nmaillog_file_prefixes = {place}\nmyhostname = localhost\nmydestination =\n\
             inet_interfaces = 127.0.0.1\ninet_protocols = ipv4\nbiff = no\n\
             virtual_mailbox_domains = example.org, example.net\nvirtual_mailbox_maps = static:all\n\
             virtual_transport = lmtp:inet:127.0.0.1:{lmtp}\nsmtpd_tls_security_level = may\n\
             smtpd_tls_cert_file = {keys}/cert.pem\nsmtpd_tls_key_file = {keys}/key.pem\n\
             smtpd_tls_auth_only = yes\nsmtpd_sasl_auth_enable = yes\nsmtpd_sasl_type = dovecot\n\
             smtpd_sasl_path = inet:127.0.0.1:{auth}\nmynetworks =\n\
             smtpd_relay_restrictions = permit_sasl_authenticated, reject_unauth_destination\n{extra_main}\n",
            lmtp = dovecot.lmtp,
            auth = dovecot.auth,
        );
        let configuration = directory.path().join("conf");
        for part in ["conf", "queue", "data"] {
            fs::create_dir(directory.path().join(part)).unwrap();
        }
        fs::write(configuration.join("main.cf"), main).unwrap();
        let master = format!("127.0.0.1:{port} inet n - n - - smtpd\n{SERVICES}{extra_master}\n");
        fs::write(configuration.join("master.cf"), master).unwrap();
        // Postfix's own user must get through.
        open_up(&directory);
        let data = directory.path().join("data");
        assert!(
            Command::new("chown")
                .arg("postfix")
                .arg(data)
                .status()
                .unwrap()
                .success()
        );
        let server = Postfix {
            directory,
            port,
            program,
        };
        server.command("start");
        wait_for_port(port);
        Some(server)
    }

    pub fn log(&self) -> String {
        fs::read_to_string(self.directory.path().join("log")).unwrap_or_default()
    }

    fn command(&self, verb: &str) {
        let status = Command::new(&self.program)
            .arg("-c")
            .arg(self.directory.path().join("conf"))
            .arg(verb)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status()
            .unwrap();
        assert!(status.success(), "postfix {verb}");
    }
}

impl Drop for Postfix {
    fn drop(&mut self) {
        self.command("stop");
    }
}

fn open_up(directory: &TempDir) {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(directory.path(), fs::Permissions::from_mode(0o755)).unwrap();
}

fn settings(dovecot: &Dovecot, postfix: &Postfix, password: &str) -> config::SmtpSink {
    let password_file = dovecot.directory.path().join("smtp-password");
    fs::write(&password_file, password).unwrap();
    config::SmtpSink {
        host: "localhost".to_string(),
        port: Some(postfix.port),
        tls: Tls::Starttls,
        ca_file: Some(dovecot.certificate.clone()),
        user: Some("play".to_string()),
        password_file: Some(password_file),
    }
}

#[test]
fn mails_go_out_encrypted_with_a_login_and_a_refused_login_is_not_the_mails_fault() {
    let Some(dovecot) = Dovecot::start() else { return };
    let Some(postfix) = Postfix::start(&dovecot, "", "") else {
        return;
    };
    let mail = Outgoing {
        envelope_from: None,
        recipient: "bob@example.net".to_string(),
        bytes: b"Message-ID: <one@example.org>\r\nSubject: x\r\n\r\nboard\r\n".to_vec(),
    };
    let mut wrong = SmtpSink::open(&settings(&dovecot, &postfix, "wrong")).unwrap();
    let refused = wrong.send(&mail);
    assert!(
        matches!(&refused, Sent::Temporary(text) if !text.contains("wrong")),
        "{refused:?}"
    );
    let mut sink = SmtpSink::open(&settings(&dovecot, &postfix, "secret")).unwrap();
    assert_eq!(sink.send(&mail), Sent::Delivered);
    assert_eq!(sink.send(&mail), Sent::Delivered, "a second one over the same line");
    sink.rest();
    wait_or_explain(
        || dovecot.count("bob", "INBOX").0 == 2,
        || format!("both mails lie in Dovecot\n{}", postfix.log()),
    );
    let nobody = config::SmtpSink {
        ca_file: None,
        ..settings(&dovecot, &postfix, "secret")
    };
    let distrusted = SmtpSink::open(&nobody).unwrap().send(&mail);
    assert!(matches!(distrusted, Sent::Temporary(_)), "{distrusted:?}");
}

/// Playpost behind the lines of contrib/postfix-master.cf and contrib/postfix-main.cf, as the user `nobody`.
pub struct Piped {
    pub place: TempDir,
    pub postfix: Postfix,
    pub dovecot: Dovecot,
}

impl Piped {
    pub fn start() -> Option<Self> {
        let dovecot = Dovecot::start()?;
        let place = tempfile::tempdir().unwrap();
        let binary = place.path().join("playpost");
        fs::copy(env!("CARGO_BIN_EXE_playpost"), &binary).unwrap();
        let configuration = place.path().join("playpost.toml");
        let text = "address = 'play@example.org'\ndata = 'data'\n[identity]\ntrust = 'from'\n\
                    [sink]\ntype = 'maildir'\npath = 'out'\n";
        fs::write(&configuration, text).unwrap();
        give_to_server_user(place.path());
        let here = |text: &str| {
            text.replace("/usr/local/bin/playpost", &binary.display().to_string())
                .replace("/etc/playpost/playpost.toml", &configuration.display().to_string())
                .replace("user=playpost", "user=nobody")
        };
        let main = here(include_str!("../../contrib/postfix-main.cf"));
        let master = here(include_str!("../../contrib/postfix-master.cf"));
        Some(Piped {
            postfix: Postfix::start(&dovecot, &main, &master)?,
            place,
            dovecot,
        })
    }

    /// Sends a mail to Playpost as a player would, from the outside.
    fn send(&self, swaks: &Path, subject: &str) {
        let output = Command::new(swaks)
            .args(["--server", "127.0.0.1", "--port", &self.postfix.port.to_string()])
            .args(["--from", "alice@example.net", "--to", "play+k7@example.org"])
            .args(["--header", &format!("Subject: {subject}")])
            .output()
            .unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    }

    fn wait_for(&self, word: &str) {
        let log = || self.postfix.log();
        wait_or_explain(|| log().contains(word), || format!("{word}\n{}", log()));
    }
}

#[test]
fn postfix_pipes_mails_into_deliver_and_keeps_them_while_the_database_is_locked() {
    let Some(swaks) = program("swaks") else { return };
    let Some(piped) = Piped::start() else { return };
    piped.send(&swaks, "games");
    piped.wait_for("status=sent (delivered via playpost service)");
    let data = piped.place.path().join("data");
    let mut store = Store::open(&data).unwrap();
    store
        .write(|_| {
            piped.send(&swaks, "help");
            piped.wait_for("status=deferred");
            Ok::<(), StoreError>(())
        })
        .unwrap();
    assert!(!data.join("emergency").exists(), "a locked database is no emergency");
    piped.postfix.command("flush");
    let sent = "status=sent (delivered via playpost service)";
    wait_or_explain(
        || piped.postfix.log().matches(sent).count() == 2,
        || piped.postfix.log(),
    );
    assert!(!piped.postfix.log().contains("status=bounced"));
}
