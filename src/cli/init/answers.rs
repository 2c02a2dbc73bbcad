//! What the keeper says about his mail, in options or when he is asked, and the configuration that it makes.

use clap::Args;
use std::io::{self, BufRead, Write};
use std::path::PathBuf;

/// Where mails come from and where they go, as far as it has been said.
#[derive(Args, Clone, Debug, Default)]
pub(super) struct Answers {
    /// The address of the server; mails to play+ANYTHING@… must reach the same mailbox
    #[arg(long)]
    address: Option<String>,

    /// Mails come from this IMAP server (TLS, port 993)
    #[arg(long, value_name = "HOST", group = "source")]
    imap: Option<String>,

    /// Mails come from this Maildir
    #[arg(long, value_name = "PATH", group = "source")]
    maildir: Option<PathBuf>,

    /// Mails come by LMTP to this address of loopback or UNIX socket
    #[arg(long, value_name = "LISTEN", group = "source")]
    lmtp: Option<String>,

    /// Mails go out by this SMTP server (STARTTLS, port 587)
    #[arg(long, value_name = "HOST", group = "sink")]
    smtp: Option<String>,

    /// Mails go out by this sendmail program
    #[arg(long, value_name = "PATH", group = "sink")]
    sendmail: Option<PathBuf>,

    /// Mails go into this Maildir, for trials
    #[arg(long, value_name = "PATH", group = "sink")]
    out: Option<PathBuf>,

    /// The login at the mail servers (else the address)
    #[arg(long)]
    user: Option<String>,

    /// A file whose first line is the password of that login
    #[arg(long, value_name = "PATH")]
    password_file: Option<PathBuf>,

    /// The name by which the mail host signs Authentication-Results
    #[arg(long, value_name = "NAME")]
    authserv_id: Option<String>,
}

impl Answers {
    /// Whether nothing has been said.
    pub fn is_empty(&self) -> bool {
        self.address.is_none() && !self.has_source() && !self.has_sink()
    }

    fn has_source(&self) -> bool {
        self.imap.is_some() || self.maildir.is_some() || self.lmtp.is_some()
    }

    fn has_sink(&self) -> bool {
        self.smtp.is_some() || self.sendmail.is_some() || self.out.is_some()
    }

    /// With answers to the questions that are still open.
    pub fn asked(mut self, input: &mut dyn BufRead, output: &mut dyn Write) -> io::Result<Self> {
        let mut ask = |question: &str| ask(input, output, question);
        if self.address.is_none() {
            self.address = ask("The address of the server, such as play@example.org")?;
        }
        if !self.has_source() {
            self.imap = ask("The IMAP server with its mailbox (empty: an MTA pipes mails into `playpost deliver`)")?;
        }
        if !self.has_sink() {
            self.smtp = ask("The SMTP server for mails out (empty: the sendmail program of this machine)")?;
        }
        if self.has_login() {
            if self.user.is_none() {
                self.user = ask("The login there (empty: the address)")?;
            }
            if self.password_file.is_none() {
                self.password_file =
                    ask("The file with its password (empty: from the environment)")?.map(PathBuf::from);
            }
        }
        if self.authserv_id.is_none() {
            self.authserv_id =
                ask("The first word of the Authentication-Results in mails that you get (empty: believe none)")?;
        }
        Ok(self)
    }

    fn has_login(&self) -> bool {
        self.imap.is_some() || self.smtp.is_some()
    }

    /// The configuration file; the error says which answer is missing.
    pub fn configuration(&self) -> Result<String, String> {
        let address = self
            .address
            .as_deref()
            .ok_or("--address is missing: the address of the server")?;
        let mut text = format!(
            "# config.example.toml explains these keys and all others.\naddress = {}\ndata = \"data\"\ndata_must_exist = true\n",
            quoted(address)
        );
        if let Some(name) = &self.authserv_id {
            text.push_str(&format!("\n[identity]\nauthserv_id = {}\n", quoted(name)));
        }
        if let Some(host) = &self.imap {
            text.push_str(&format!(
                "\n[[source]]\ntype = \"imap\"\nhost = {}\n{}",
                quoted(host),
                self.login(address)
            ));
        } else if let Some(path) = &self.maildir {
            text.push_str(&format!(
                "\n[[source]]\ntype = \"maildir\"\npath = {}\n",
                quoted(&path.to_string_lossy())
            ));
        } else if let Some(listen) = &self.lmtp {
            text.push_str(&format!("\n[[source]]\ntype = \"lmtp\"\nlisten = {}\n", quoted(listen)));
        }
        text.push_str("\n[sink]\n");
        if let Some(host) = &self.smtp {
            text.push_str(&format!(
                "type = \"smtp\"\nhost = {}\n{}",
                quoted(host),
                self.login(address)
            ));
        } else if let Some(path) = &self.out {
            text.push_str(&format!(
                "type = \"maildir\"\npath = {}\n",
                quoted(&path.to_string_lossy())
            ));
        } else {
            text.push_str("type = \"sendmail\"\n");
            if let Some(command) = &self.sendmail {
                text.push_str(&format!("command = {}\n", quoted(&command.to_string_lossy())));
            }
        }
        Ok(text)
    }

    fn login(&self, address: &str) -> String {
        let mut lines = format!("user = {}\n", quoted(self.user.as_deref().unwrap_or(address)));
        if let Some(path) = &self.password_file {
            lines.push_str(&format!("password_file = {}\n", quoted(&path.to_string_lossy())));
        }
        lines
    }
}

/// Asks, and gives the answer; `None` for an empty one.
fn ask(input: &mut dyn BufRead, output: &mut dyn Write, question: &str) -> io::Result<Option<String>> {
    write!(output, "{question}: ")?;
    output.flush()?;
    let mut line = String::new();
    input.read_line(&mut line)?;
    let answer = line.trim();
    Ok((!answer.is_empty()).then(|| answer.to_string()))
}

/// A string of TOML.
fn quoted(text: &str) -> String {
    toml::Value::from(text).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{Config, Sink, Source, Tls};
    use std::path::Path;

    fn parsed(answers: &Answers) -> Config {
        let text = answers.configuration().unwrap();
        Config::parse(&text, Path::new("/etc/playpost/playpost.toml")).unwrap()
    }

    #[test]
    fn a_mailbox_at_a_provider() {
        let mut input: &[u8] =
            b"play@example.org\nimap.example.org\nsmtp.example.org\n\n/etc/playpost/\"word\"\nmx.example.org\n";
        let mut questions = Vec::new();
        let answers = Answers::default().asked(&mut input, &mut questions).unwrap();
        let config = parsed(&answers);
        assert_eq!(config.address, "play@example.org");
        assert_eq!(config.data, Path::new("/etc/playpost/data"));
        assert_eq!(config.identity.authserv_id.as_deref(), Some("mx.example.org"));
        let [Source::Imap(source)] = &config.sources[..] else {
            panic!("{config:?}")
        };
        assert_eq!(
            (source.host.as_str(), source.user.as_str(), source.tls),
            ("imap.example.org", "play@example.org", Tls::Implicit)
        );
        let Sink::Smtp(sink) = &config.sink else {
            panic!("{config:?}")
        };
        assert_eq!((sink.host.as_str(), sink.tls), ("smtp.example.org", Tls::Starttls));
        assert_eq!(sink.password_file.as_deref(), Some(Path::new("/etc/playpost/\"word\"")));
    }

    #[test]
    fn an_mta_of_ones_own_needs_only_an_address() {
        let mut input: &[u8] = b"play@example.org\n\n\n\n";
        let answers = Answers::default().asked(&mut input, &mut io::sink()).unwrap();
        let config = parsed(&answers);
        assert!(config.sources.is_empty());
        assert!(matches!(config.sink, Sink::Sendmail(_)));
    }

    #[test]
    fn what_the_options_say_is_not_asked() {
        let answers = Answers {
            address: Some("play@example.org".to_string()),
            maildir: Some("in".into()),
            out: Some("out".into()),
            authserv_id: Some("mx".to_string()),
            ..Answers::default()
        };
        let mut questions = Vec::new();
        let answers = answers.asked(&mut io::empty(), &mut questions).unwrap();
        assert!(questions.is_empty());
        let config = parsed(&answers);
        assert!(matches!(&config.sources[..], [Source::Maildir(place)] if place.path == Path::new("/etc/playpost/in")));
        assert!(matches!(&config.sink, Sink::Maildir(place) if place.path == Path::new("/etc/playpost/out")));
    }

    #[test]
    fn without_an_address_there_is_no_configuration() {
        let answers = Answers {
            imap: Some("imap.example.org".to_string()),
            ..Answers::default()
        };
        assert!(answers.configuration().unwrap_err().contains("--address"));
    }
}
