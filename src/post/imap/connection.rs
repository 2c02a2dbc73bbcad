use std::fmt;
use std::fs;
use std::future::Future;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use async_imap::{Client, Session};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{ClientConfig, RootCertStore};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;

use crate::config::{ImapSource, Tls};

/// How long any one call may take: a line that died says nothing.
const PATIENCE: Duration = Duration::from_secs(90);

/// The line to the server, encrypted or not.
pub(super) trait Wire: AsyncRead + AsyncWrite + Unpin + Send + fmt::Debug {}

impl<T: AsyncRead + AsyncWrite + Unpin + Send + fmt::Debug> Wire for T {}

pub(super) type ImapSession = Session<Box<dyn Wire>>;

/// Why the mailbox could not be read, for the keeper's log.
#[derive(Debug, thiserror::Error)]
pub enum ImapError {
    #[error("the server did not answer in time ({0})")]
    Silent(&'static str),
    #[error("{doing}: {error}")]
    Server {
        doing: &'static str,
        error: Box<async_imap::error::Error>,
    },
    #[error("{doing}: {error}")]
    Network { doing: &'static str, error: std::io::Error },
    #[error("TLS: {0}")]
    Tls(String),
    #[error(transparent)]
    Config(#[from] crate::config::ConfigError),
    /// The taker's database, not the mailbox.
    #[error(transparent)]
    Take(#[from] crate::post::TakeError),
}

/// Waits for a call of async-imap, but not for ever.
pub(super) async fn within<T>(
    doing: &'static str,
    call: impl Future<Output = Result<T, async_imap::error::Error>>,
) -> Result<T, ImapError> {
    match tokio::time::timeout(PATIENCE, call).await {
        Ok(result) => result.map_err(|error| ImapError::Server {
            doing,
            error: Box::new(error),
        }),
        Err(_) => Err(ImapError::Silent(doing)),
    }
}

async fn within_io<T>(doing: &'static str, call: impl Future<Output = std::io::Result<T>>) -> Result<T, ImapError> {
    match tokio::time::timeout(PATIENCE, call).await {
        Ok(result) => result.map_err(|error| ImapError::Network { doing, error }),
        Err(_) => Err(ImapError::Silent(doing)),
    }
}

/// Connects, encrypts and logs in as the settings say.
pub(super) async fn connect(settings: &ImapSource) -> Result<ImapSession, ImapError> {
    let password = settings.password()?;
    let address = (settings.host.as_str(), settings.port());
    let tcp = within_io("connect", TcpStream::connect(address)).await?;
    let client = match settings.tls {
        Tls::None => greeted(Box::new(tcp) as Box<dyn Wire>).await?,
        Tls::Implicit => greeted(encrypt(tcp, settings).await?).await?,
        Tls::Starttls => {
            let mut client = greeted(tcp).await?;
            within("STARTTLS", client.run_command_and_check_ok("STARTTLS", None)).await?;
            // Without a greeting this time.
            Client::new(encrypt(client.into_inner(), settings).await?)
        }
    };
    within("LOGIN", async {
        let logged_in = client.login(&settings.user, password.reveal()).await;
        logged_in.map_err(|(error, _)| error)
    })
    .await
}

/// A client that has read the greeting of the server.
async fn greeted<T: Wire>(stream: T) -> Result<Client<T>, ImapError> {
    let mut client = Client::new(stream);
    match within_io("greeting", client.read_response()).await? {
        Some(_) => Ok(client),
        None => Err(ImapError::Network {
            doing: "greeting",
            error: std::io::ErrorKind::UnexpectedEof.into(),
        }),
    }
}

async fn encrypt(tcp: TcpStream, settings: &ImapSource) -> Result<Box<dyn Wire>, ImapError> {
    let name = ServerName::try_from(settings.host.clone())
        .map_err(|error| ImapError::Tls(format!("{}: {error}", settings.host)))?;
    let connector = TlsConnector::from(Arc::new(client_config(settings.ca_file.as_deref())?));
    let stream = within_io("TLS", connector.connect(name, tcp)).await?;
    Ok(Box::new(stream))
}

fn client_config(ca_file: Option<&Path>) -> Result<ClientConfig, ImapError> {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let builder = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|error| ImapError::Tls(error.to_string()))?;
    Ok(builder.with_root_certificates(roots(ca_file)?).with_no_client_auth())
}

/// The certificates of the file, or those that the system trusts.
fn roots(ca_file: Option<&Path>) -> Result<RootCertStore, ImapError> {
    let mut roots = RootCertStore::empty();
    let Some(path) = ca_file else {
        // Of a store with a few bad certificates the others are good.
        roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
        return Ok(roots);
    };
    let bad = |error: String| ImapError::Tls(format!("{}: {error}", path.display()));
    let pem = fs::read(path).map_err(|error| bad(error.to_string()))?;
    for certificate in CertificateDer::pem_slice_iter(&pem) {
        let certificate = certificate.map_err(|error| bad(error.to_string()))?;
        roots.add(certificate).map_err(|error| bad(error.to_string()))?;
    }
    Ok(roots)
}
