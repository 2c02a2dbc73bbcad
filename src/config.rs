//! The configuration file: TOML, every key explained in `config.example.toml`.
//!
//! A key that is not known is an error that names the nearest one that is, so that a slip of the keyboard does not quietly
//! leave a default in force. Passwords never stand in the file: they come from a file of their own or the environment.

use std::fmt;
use std::net::{IpAddr, SocketAddr};
use std::path::{Path, PathBuf};

use serde::Deserialize;

/// The environment variable that names the configuration file where `--config` does not.
pub const PATH_VARIABLE: &str = "PLAYPOST_CONFIG";
/// The configuration file looked for in the working directory.
pub const FILE_NAME: &str = "playpost.toml";
/// The environment variable with the password for IMAP sources that have no `password_file`.
pub const IMAP_PASSWORD_VARIABLE: &str = "PLAYPOST_IMAP_PASSWORD";
/// The environment variable with the password for an SMTP sink that has no `password_file`.
pub const SMTP_PASSWORD_VARIABLE: &str = "PLAYPOST_SMTP_PASSWORD";

/// The keys of each table. `config.example.toml` explains each of them, and a test holds both to the structures below.
const KNOWN_KEYS: &[(&str, &[&str])] = &[
    (
        "",
        &[
            "address",
            "data",
            "data_must_exist",
            "templates_dir",
            "identity",
            "source",
            "sink",
            "limits",
        ],
    ),
    ("identity", &["trust", "authserv_id"]),
    (
        "source",
        &[
            "type",
            "path",
            "host",
            "port",
            "tls",
            "ca_file",
            "user",
            "password_file",
            "folder",
            "done_folder",
            "listen",
        ],
    ),
    (
        "sink",
        &[
            "type",
            "path",
            "host",
            "port",
            "tls",
            "ca_file",
            "user",
            "password_file",
            "command",
        ],
    ),
    (
        "limits",
        &[
            "mails_per_hour",
            "max_mail_bytes",
            "answers_per_hour_player",
            "answers_per_hour_stranger",
            "answers_per_hour_strangers",
        ],
    ),
];

/// Why there is no usable configuration.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// The file, or a file that it names, cannot be read.
    #[error("cannot read {}: {error}", path.display())]
    Unreadable { path: PathBuf, error: std::io::Error },
    /// The text is no TOML, or a value is of the wrong kind.
    #[error("{}: {error}", path.display())]
    Toml { path: PathBuf, error: Box<toml::de::Error> },
    /// A key that Playpost does not have.
    #[error("{}: unknown key `{key}`{}", path.display(), nearest.as_ref().map(|near| format!(" (did you mean `{near}`?)")).unwrap_or_default())]
    UnknownKey {
        path: PathBuf,
        key: String,
        nearest: Option<String>,
    },
    /// The values are well formed, but do not go together.
    #[error("{}: {problem}", path.display())]
    Invalid { path: PathBuf, problem: String },
}

/// All that the keeper can set.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Config {
    /// The address of the server; `play+KEY@…` must reach the same mailbox.
    pub address: String,
    /// The directory of the database and of all else that Playpost keeps.
    pub data: PathBuf,
    /// Whether a database that is not there is an error, and not made anew: a disk that is not mounted must not look like
    /// a new server.
    #[serde(default)]
    pub data_must_exist: bool,
    /// Where templates of the keeper's own lie; a file there replaces the built-in one of the same name.
    #[serde(default)]
    pub templates_dir: Option<PathBuf>,
    /// Who is believed to be who.
    #[serde(default)]
    pub identity: Identity,
    /// Where mails come from; `deliver` needs none.
    #[serde(default, rename = "source")]
    pub sources: Vec<Source>,
    /// Where mails go.
    pub sink: Sink,
    /// What is too much.
    #[serde(default)]
    pub limits: Limits,
    /// The file this was read from; `None` for the embedded defaults.
    #[serde(skip)]
    pub file: Option<PathBuf>,
}

/// What proves a sender besides keys and passwords.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Identity {
    /// How far a From address is believed.
    #[serde(default)]
    pub trust: Trust,
    /// The name by which the keeper's own mail host signs its `Authentication-Results`; without it none is believed.
    #[serde(default)]
    pub authserv_id: Option<String>,
}

/// How far a From address is believed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Trust {
    /// Only with a pass of DKIM, SPF or DMARC in the trusted host's `Authentication-Results`.
    #[default]
    Verified,
    /// As it stands: for closed networks, where nobody can write somebody else's address.
    From,
}

/// One place where mails come from.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum Source {
    Maildir(MaildirPlace),
    Imap(ImapSource),
    Lmtp(LmtpSource),
}

/// Where mails go.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum Sink {
    Maildir(MaildirPlace),
    Smtp(SmtpSink),
    Sendmail(SendmailSink),
}

/// A Maildir, as a source or as a sink.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MaildirPlace {
    /// The directory above `new`, `cur` and `tmp`.
    pub path: PathBuf,
}

/// A mailbox at a provider.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ImapSource {
    pub host: String,
    /// Default: 993, or 143 without implicit TLS.
    #[serde(default)]
    pub port: Option<u16>,
    #[serde(default = "Tls::implicit")]
    pub tls: Tls,
    /// A file of certificates (PEM) to trust instead of the system's.
    #[serde(default)]
    pub ca_file: Option<PathBuf>,
    pub user: String,
    /// A file whose first line is the password; without it [`IMAP_PASSWORD_VARIABLE`].
    #[serde(default)]
    pub password_file: Option<PathBuf>,
    /// The folder that is read.
    #[serde(default = "ImapSource::inbox")]
    pub folder: String,
    /// The folder that mails are moved to when they are done; without it they stay, marked as read.
    #[serde(default)]
    pub done_folder: Option<String>,
}

/// A listener for an MTA on this machine.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LmtpSource {
    /// A loopback address with its port, or the path of a UNIX socket.
    pub listen: Listen,
}

/// Where the LMTP listener waits.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(from = "String")]
pub enum Listen {
    Tcp(SocketAddr),
    Unix(PathBuf),
}

/// A server that takes mails for the world.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SmtpSink {
    pub host: String,
    /// Default: 587 with STARTTLS, 465 with implicit TLS, 25 without.
    #[serde(default)]
    pub port: Option<u16>,
    #[serde(default = "Tls::starttls")]
    pub tls: Tls,
    /// A file of certificates (PEM) to trust instead of the system's.
    #[serde(default)]
    pub ca_file: Option<PathBuf>,
    /// Without it nobody logs in.
    #[serde(default)]
    pub user: Option<String>,
    /// A file whose first line is the password; without it [`SMTP_PASSWORD_VARIABLE`].
    #[serde(default)]
    pub password_file: Option<PathBuf>,
}

/// A program that takes mails as Sendmail does.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SendmailSink {
    /// The path of the program.
    #[serde(default = "SendmailSink::usual")]
    pub command: PathBuf,
}

/// How a connection is encrypted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Tls {
    /// Not at all: only to this machine.
    None,
    /// After the greeting, and never without.
    Starttls,
    /// From the first byte.
    Implicit,
}

/// What is too much.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Limits {
    /// More mails out in an hour than this stop the outbox: it guards the world from a fault of ours.
    pub mails_per_hour: u32,
    /// The longest mail in that is read, in bytes.
    pub max_mail_bytes: usize,
    /// Answers in an hour to one player.
    pub answers_per_hour_player: u32,
    /// Answers in an hour to the address of somebody who is no player.
    pub answers_per_hour_stranger: u32,
    /// Answers in an hour to all who are no players together: a flood from ever new addresses must not go out again as
    /// ours, nor try passwords.
    pub answers_per_hour_strangers: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            mails_per_hour: 10_000,
            max_mail_bytes: 256 * 1024,
            answers_per_hour_player: 30,
            answers_per_hour_stranger: 5,
            answers_per_hour_strangers: 300,
        }
    }
}

impl Default for Config {
    /// The embedded defaults: everything below `./playpost-data`, and no mail leaves the machine.
    ///
    /// A From address alone proves nothing here either. An MTA's pipe that starts in the wrong directory finds no
    /// configuration file and works by these defaults; it must not thereby become a server that believes everybody.
    fn default() -> Self {
        let data = PathBuf::from("./playpost-data");
        Config {
            address: "play@localhost".to_string(),
            data_must_exist: false,
            templates_dir: None,
            identity: Identity::default(),
            sources: Vec::new(),
            sink: Sink::Maildir(MaildirPlace { path: data.join("out") }),
            limits: Limits::default(),
            file: None,
            data,
        }
    }
}

impl Config {
    /// The configuration from `path`, else from the file that `PLAYPOST_CONFIG` names, else from `./playpost.toml`,
    /// else the embedded defaults. A file that was named must be there.
    pub fn load(path: Option<&Path>) -> Result<Config, ConfigError> {
        if let Some(path) = path {
            return Config::read(path);
        }
        if let Some(path) = std::env::var_os(PATH_VARIABLE).filter(|path| !path.is_empty()) {
            return Config::read(Path::new(&path));
        }
        let here = Path::new(FILE_NAME);
        if here.exists() {
            return Config::read(here);
        }
        Ok(Config::default())
    }

    /// The configuration in the file at `path`.
    pub fn read(path: &Path) -> Result<Config, ConfigError> {
        let text = std::fs::read_to_string(path).map_err(|error| ConfigError::Unreadable {
            path: path.to_path_buf(),
            error,
        })?;
        Config::parse(&text, path)
    }

    /// The configuration in `text`, with relative paths taken from the directory of `path`.
    pub fn parse(text: &str, path: &Path) -> Result<Config, ConfigError> {
        let bad_toml = |error| ConfigError::Toml {
            path: path.to_path_buf(),
            error: Box::new(error),
        };
        let table: toml::Table = text.parse().map_err(bad_toml)?;
        refuse_unknown_keys(&table, path)?;
        let mut config: Config = toml::from_str(text).map_err(bad_toml)?;
        config.check().map_err(|problem| ConfigError::Invalid {
            path: path.to_path_buf(),
            problem,
        })?;
        config.resolve(path.parent().unwrap_or(Path::new("")));
        config.file = Some(path.to_path_buf());
        Ok(config)
    }

    /// The Maildir that takes a mail when the database cannot.
    pub fn emergency_dir(&self) -> PathBuf {
        self.data.join("emergency")
    }

    fn check(&self) -> Result<(), String> {
        if !is_plain_address(&self.address) {
            return Err(format!(
                "`address` is no plain mail address: {:?} (write it as play@example.org, without a name or a +)",
                self.address
            ));
        }
        for source in &self.sources {
            match source {
                Source::Imap(imap) => imap.tls.check_host(&imap.host)?,
                Source::Lmtp(lmtp) => lmtp.listen.check()?,
                Source::Maildir(_) => {}
            }
        }
        if let Sink::Smtp(smtp) = &self.sink {
            smtp.tls.check_host(&smtp.host)?;
        }
        if self.limits.max_mail_bytes == 0 || self.limits.mails_per_hour == 0 {
            return Err("`max_mail_bytes` and `mails_per_hour` must be greater than 0".to_string());
        }
        Ok(())
    }

    fn resolve(&mut self, base: &Path) {
        let resolve = |path: &mut PathBuf| *path = base.join(&*path);
        let resolve_optional = |path: &mut Option<PathBuf>| path.iter_mut().for_each(resolve);
        resolve(&mut self.data);
        resolve_optional(&mut self.templates_dir);
        for source in &mut self.sources {
            match source {
                Source::Maildir(maildir) => resolve(&mut maildir.path),
                Source::Imap(imap) => {
                    resolve_optional(&mut imap.password_file);
                    resolve_optional(&mut imap.ca_file);
                }
                Source::Lmtp(LmtpSource {
                    listen: Listen::Unix(path),
                }) => resolve(path),
                Source::Lmtp(_) => {}
            }
        }
        match &mut self.sink {
            Sink::Maildir(maildir) => resolve(&mut maildir.path),
            Sink::Smtp(smtp) => {
                resolve_optional(&mut smtp.password_file);
                resolve_optional(&mut smtp.ca_file);
            }
            // A bare name is looked for in PATH; only a path is a path.
            Sink::Sendmail(sendmail) if sendmail.command.components().count() > 1 => resolve(&mut sendmail.command),
            Sink::Sendmail(_) => {}
        }
    }
}

impl ImapSource {
    fn inbox() -> String {
        "INBOX".to_string()
    }

    /// The port given, or the usual one.
    pub fn port(&self) -> u16 {
        self.port.unwrap_or(match self.tls {
            Tls::Implicit => 993,
            Tls::Starttls | Tls::None => 143,
        })
    }

    /// The password, from `password_file` or [`IMAP_PASSWORD_VARIABLE`].
    pub fn password(&self) -> Result<Secret, ConfigError> {
        Secret::find(self.password_file.as_deref(), IMAP_PASSWORD_VARIABLE)
    }
}

impl SmtpSink {
    /// The port given, or the usual one.
    pub fn port(&self) -> u16 {
        self.port.unwrap_or(match self.tls {
            Tls::Starttls => 587,
            Tls::Implicit => 465,
            Tls::None => 25,
        })
    }

    /// The password, from `password_file` or [`SMTP_PASSWORD_VARIABLE`].
    pub fn password(&self) -> Result<Secret, ConfigError> {
        Secret::find(self.password_file.as_deref(), SMTP_PASSWORD_VARIABLE)
    }
}

impl SendmailSink {
    fn usual() -> PathBuf {
        PathBuf::from("/usr/sbin/sendmail")
    }
}

impl Tls {
    fn implicit() -> Self {
        Tls::Implicit
    }

    fn starttls() -> Self {
        Tls::Starttls
    }

    /// Mails hold keys, and a login a password: without encryption they go no farther than this machine.
    fn check_host(self, host: &str) -> Result<(), String> {
        let loopback = host == "localhost" || host.parse::<IpAddr>().is_ok_and(|address| address.is_loopback());
        if self == Tls::None && !loopback {
            return Err(format!(
                "`tls = \"none\"` is only for this machine, and {host:?} is another (write \"starttls\" or \"implicit\")"
            ));
        }
        Ok(())
    }
}

impl Listen {
    /// Whoever reaches the listener can write any sender: it is for the MTA on this machine.
    fn check(&self) -> Result<(), String> {
        match self {
            Listen::Tcp(address) if !address.ip().is_loopback() => Err(format!(
                "`listen` must be a loopback address (such as 127.0.0.1:8024) or the path of a socket, not {address}"
            )),
            Listen::Unix(path) if !path.to_string_lossy().contains('/') => Err(format!(
                "`listen` is neither an address with its port nor a path with a slash: {:?}",
                path.display().to_string()
            )),
            Listen::Tcp(_) | Listen::Unix(_) => Ok(()),
        }
    }
}

impl From<String> for Listen {
    fn from(text: String) -> Self {
        match text.parse() {
            Ok(address) => Listen::Tcp(address),
            Err(_) => Listen::Unix(PathBuf::from(text)),
        }
    }
}

impl fmt::Display for Listen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Listen::Tcp(address) => address.fmt(f),
            Listen::Unix(path) => path.display().fmt(f),
        }
    }
}

/// A password, which shows itself to nobody: no log and no error prints it.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    pub fn new(text: impl Into<String>) -> Self {
        Secret(text.into())
    }

    /// The text itself, for the one who must send it.
    pub fn reveal(&self) -> &str {
        &self.0
    }

    fn find(file: Option<&Path>, variable: &str) -> Result<Secret, ConfigError> {
        let Some(file) = file else {
            return std::env::var(variable).map(Secret).map_err(|_| ConfigError::Invalid {
                path: PathBuf::from(variable),
                problem: "no password: set `password_file`, or this environment variable".to_string(),
            });
        };
        let text = std::fs::read_to_string(file).map_err(|error| ConfigError::Unreadable {
            path: file.to_path_buf(),
            error,
        })?;
        Ok(Secret(text.lines().next().unwrap_or_default().to_string()))
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(…)")
    }
}

/// Whether `text` is `local@domain` with nothing around it, and with room for `+KEY`.
fn is_plain_address(text: &str) -> bool {
    let plain = |part: &str| {
        !part.is_empty()
            && part
                .chars()
                .all(|c| c.is_alphanumeric() || matches!(c, '.' | '-' | '_'))
    };
    text.split_once('@')
        .is_some_and(|(local, domain)| plain(local) && plain(domain))
}

fn refuse_unknown_keys(table: &toml::Table, path: &Path) -> Result<(), ConfigError> {
    for (section, known) in KNOWN_KEYS {
        let mut keys = section_tables(table, section).into_iter().flat_map(toml::Table::keys);
        if let Some(key) = keys.find(|key| !known.contains(&key.as_str())) {
            return Err(ConfigError::UnknownKey {
                path: path.to_path_buf(),
                key: qualified(section, key),
                nearest: nearest_key(key, section).map(|(section, key)| qualified(section, key)),
            });
        }
    }
    Ok(())
}

/// The tables that `section` names: one, or each of an array.
fn section_tables<'a>(root: &'a toml::Table, section: &str) -> Vec<&'a toml::Table> {
    if section.is_empty() {
        return vec![root];
    }
    match root.get(section) {
        Some(toml::Value::Table(table)) => vec![table],
        Some(toml::Value::Array(values)) => values.iter().filter_map(toml::Value::as_table).collect(),
        _ => Vec::new(),
    }
}

fn qualified(section: &str, key: &str) -> String {
    if section.is_empty() {
        key.to_string()
    } else {
        format!("{section}.{key}")
    }
}

/// The known key most like `key`, one of its own section before one of another.
fn nearest_key(key: &str, section: &str) -> Option<(&'static str, &'static str)> {
    const ALIKE: f64 = 0.7;
    KNOWN_KEYS
        .iter()
        .flat_map(|(place, keys)| keys.iter().map(move |known| (*place, *known)))
        .map(|(place, known)| {
            let likeness = strsim::jaro_winkler(&key.to_lowercase(), known);
            (likeness + if place == section { 0.1 } else { 0.0 }, (place, known))
        })
        .filter(|(likeness, _)| *likeness >= ALIKE)
        .max_by(|(one, _), (other, _)| one.total_cmp(other))
        .map(|(_, key)| key)
}

#[cfg(test)]
mod tests;
