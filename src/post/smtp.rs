use std::fs;
use std::time::Duration;

use lettre::Address;
use lettre::address::Envelope;
use lettre::transport::smtp::Error;
use lettre::transport::smtp::authentication::{Credentials, DEFAULT_MECHANISMS};
use lettre::transport::smtp::client::{Certificate, CertificateStore, SmtpConnection, TlsParameters};
use lettre::transport::smtp::extension::ClientId;

use super::maildir::file_error;
use super::{Outgoing, PostError, Sent, Sink};
use crate::config::{self, Tls};

/// How long the server may be silent. It may take long over the final dot, and whoever is impatient there sends twice (RFC 1047).
const PATIENCE: Duration = Duration::from_secs(300);
/// How long a connection may take to come about.
const CONNECT_PATIENCE: Duration = Duration::from_secs(60);
/// Replies with 5yz that speak of us and not of the mail: encryption or a login is asked for, or the login is refused.
const OUR_OWN_FAULT: [u16; 4] = [530, 534, 535, 538];

/// Hands mails to an SMTP server. One mail is one transaction with one recipient; the connection is kept for the mails of one run.
pub struct SmtpSink {
    settings: config::SmtpSink,
    credentials: Option<Credentials>,
    tls: Option<TlsParameters>,
    patience: Duration,
    connection: Option<SmtpConnection>,
}

impl SmtpSink {
    /// A sink to the server that `settings` name. It connects when there is something to send.
    pub fn open(settings: &config::SmtpSink) -> Result<Self, PostError> {
        let credentials = match &settings.user {
            Some(user) => Some(Credentials::new(
                user.clone(),
                settings.password()?.reveal().to_string(),
            )),
            None => None,
        };
        let tls = match settings.tls {
            Tls::None => None,
            Tls::Starttls | Tls::Implicit => Some(tls_parameters(settings)?),
        };
        Ok(SmtpSink {
            settings: settings.clone(),
            credentials,
            tls,
            patience: PATIENCE,
            connection: None,
        })
    }

    /// The same sink, less or more patient with a silent server.
    pub fn with_patience(self, patience: Duration) -> Self {
        SmtpSink { patience, ..self }
    }

    /// Connects, encrypts and logs in as far as the settings say, and leaves again: for `playpost doctor`.
    pub fn check(&mut self) -> Result<(), String> {
        let outcome = self.connected().map(drop).map_err(|error| described(&error));
        self.rest();
        outcome
    }

    /// The kept connection, if the server still has it too, or a new one.
    fn connected(&mut self) -> Result<&mut SmtpConnection, Error> {
        let connection = match self.connection.take().and_then(still_there) {
            Some(connection) => connection,
            None => self.connect()?,
        };
        Ok(self.connection.insert(connection))
    }

    fn connect(&self) -> Result<SmtpConnection, Error> {
        let name = ClientId::default();
        let implicit = self.tls.as_ref().filter(|_| self.settings.tls == Tls::Implicit);
        let server = (self.settings.host.as_str(), self.settings.port());
        let mut connection =
            SmtpConnection::connect(server, Some(self.patience.min(CONNECT_PATIENCE)), &name, implicit, None)?;
        // Of a socket that takes no timeout, the one of the connection stays.
        let _ = connection.set_timeout(Some(self.patience));
        if let Some(tls) = self.tls.as_ref().filter(|_| self.settings.tls == Tls::Starttls) {
            connection.starttls(tls, &name)?;
        }
        if let Some(credentials) = &self.credentials {
            connection.auth(DEFAULT_MECHANISMS, credentials)?;
        }
        Ok(connection)
    }
}

impl Sink for SmtpSink {
    fn send(&mut self, mail: &Outgoing) -> Sent {
        let envelope = match envelope(mail) {
            Ok(envelope) => envelope,
            Err(reason) => return Sent::Permanent(reason),
        };
        // Whatever goes wrong before the mail is spoken of, a refused login included, is no refusal of the mail.
        let connection = match self.connected() {
            Ok(connection) => connection,
            Err(error) => return Sent::Temporary(described(&error)),
        };
        match connection.send(&envelope, &mail.bytes) {
            Ok(_) => Sent::Delivered,
            Err(error) => {
                self.connection = None;
                judge(&error)
            }
        }
    }

    fn rest(&mut self) {
        if let Some(mut connection) = self.connection.take() {
            connection.abort();
        }
    }
}

/// The connection, if the server still answers on it.
fn still_there(mut connection: SmtpConnection) -> Option<SmtpConnection> {
    (!connection.has_broken() && connection.test_connected()).then_some(connection)
}

/// Only a refusal with 5yz is for good. A timeout and a broken connection are neither transient nor permanent to
/// lettre, and here they are temporary.
fn judge(error: &Error) -> Sent {
    let ours = error
        .status()
        .is_some_and(|code| OUR_OWN_FAULT.contains(&u16::from(code)));
    if error.is_permanent() && !ours {
        Sent::Permanent(described(error))
    } else {
        Sent::Temporary(described(error))
    }
}

/// The error with what lies under it, on one line.
fn described(error: &Error) -> String {
    let mut text = error.to_string();
    let mut cause = std::error::Error::source(error);
    while let Some(error) = cause {
        let more = error.to_string();
        if !text.contains(&more) {
            text = format!("{text}: {more}");
        }
        cause = error.source();
    }
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn envelope(mail: &Outgoing) -> Result<Envelope, String> {
    let address = |text: &str| {
        text.parse::<Address>()
            .map_err(|error| format!("no address that SMTP can carry: {error}"))
    };
    let from = mail.envelope_from.as_deref().map(address).transpose()?;
    Envelope::new(from, vec![address(&mail.recipient)?]).map_err(|error| error.to_string())
}

fn tls_parameters(settings: &config::SmtpSink) -> Result<TlsParameters, PostError> {
    let tls_error = |error: Error| PostError::Tls(described(&error));
    let mut builder = TlsParameters::builder(settings.host.clone());
    if let Some(file) = &settings.ca_file {
        let pem = fs::read(file).map_err(file_error(file))?;
        builder = builder
            .certificate_store(CertificateStore::None)
            .add_root_certificate(Certificate::from_pem(&pem).map_err(tls_error)?);
    }
    builder.build_rustls().map_err(tls_error)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mail(from: Option<&str>, to: &str) -> Outgoing {
        Outgoing {
            envelope_from: from.map(str::to_string),
            recipient: to.to_string(),
            bytes: b"Subject: x\r\n\r\n".to_vec(),
        }
    }

    #[test]
    fn an_address_that_is_none_never_reaches_the_server() {
        assert!(envelope(&mail(None, "alice@example.net")).is_ok());
        assert!(envelope(&mail(None, "alice@example.net>\r\nRCPT TO:<bob@example.net")).is_err());
        assert!(envelope(&mail(Some("two words"), "alice@example.net")).is_err());
    }

    #[test]
    fn a_server_that_is_not_there_is_tried_again() {
        // A port that was free a moment ago, and that nobody listens on.
        let port = std::net::TcpListener::bind("127.0.0.1:0")
            .unwrap()
            .local_addr()
            .unwrap()
            .port();
        let settings = config::SmtpSink {
            host: "127.0.0.1".to_string(),
            port: Some(port),
            tls: Tls::None,
            ca_file: None,
            user: None,
            password_file: None,
        };
        let mut sink = SmtpSink::open(&settings).unwrap();
        assert!(matches!(
            sink.send(&mail(None, "alice@example.net")),
            Sent::Temporary(_)
        ));
        assert!(sink.check().is_err());
    }
}
