//! The LMTP listener (RFC 2033), for an MTA on this machine: it says of each recipient what became of the mail, after the commit.

mod data;
mod session;

use std::fs;
use std::io;
use std::os::unix::fs::{FileTypeExt, PermissionsExt};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::Path;

use futures_util::StreamExt;
use futures_util::future::LocalBoxFuture;
use futures_util::stream::FuturesUnordered;

use self::session::Session;
use super::maildir::file_error;
use super::{PostError, Stop, Take};
use crate::config::Listen;

/// Clients at a time; further ones wait to be greeted.
const MAX_CLIENTS: usize = 50;

/// Waits for MTAs on a port of loopback or on a UNIX socket.
#[derive(Debug)]
pub struct LmtpListener {
    socket: Socket,
    max_bytes: usize,
}

#[derive(Debug)]
enum Socket {
    Tcp(std::net::TcpListener),
    Unix(UnixListener),
}

impl LmtpListener {
    /// Begins to listen. Port 0 takes one that is free. The socket file of a process that is gone is replaced; only its
    /// owner and its group may connect.
    pub fn bind(listen: &Listen, max_bytes: usize) -> Result<Self, PostError> {
        let socket = match listen {
            Listen::Tcp(address) => {
                let listener = std::net::TcpListener::bind(address).map_err(|error| PostError::Network {
                    place: address.to_string(),
                    error,
                })?;
                Socket::Tcp(listener)
            }
            Listen::Unix(path) => Socket::Unix(bind_unix(path).map_err(file_error(path))?),
        };
        Ok(LmtpListener { socket, max_bytes })
    }

    /// The address that is listened on; `None` for a UNIX socket.
    pub fn local_addr(&self) -> Option<std::net::SocketAddr> {
        match &self.socket {
            Socket::Tcp(listener) => listener.local_addr().ok(),
            Socket::Unix(_) => None,
        }
    }

    /// Serves clients until the word to stop; then the mails in hand are finished.
    pub fn serve(&self, taker: &dyn Take, stop: &Stop) -> Result<(), PostError> {
        let failed = |error| PostError::Network {
            place: "LMTP listener".to_string(),
            error,
        };
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .map_err(failed)?;
        runtime.block_on(self.accept_all(taker, stop)).map_err(failed)
    }

    async fn accept_all(&self, taker: &dyn Take, stop: &Stop) -> io::Result<()> {
        let acceptor = Acceptor::of(&self.socket)?;
        let mut sessions: FuturesUnordered<LocalBoxFuture<'_, io::Result<()>>> = FuturesUnordered::new();
        while !stop.is_stopped() {
            tokio::select! {
                () = stop.stopped() => break,
                Some(ended) = sessions.next() => log_end(ended),
                session = acceptor.accept(taker, stop, self.max_bytes), if sessions.len() < MAX_CLIENTS => match session {
                    Ok(session) => sessions.push(session),
                    // Too many open files, or a client gone before its turn: neither ends the listener.
                    Err(error) => {
                        tracing::warn!(%error, "LMTP client lost");
                        tokio::time::sleep(std::time::Duration::from_millis(100)).await;
                    }
                },
            }
        }
        while let Some(ended) = sessions.next().await {
            log_end(ended);
        }
        Ok(())
    }
}

impl Drop for LmtpListener {
    fn drop(&mut self) {
        if let Socket::Unix(listener) = &self.socket
            && let Ok(address) = listener.local_addr()
            && let Some(path) = address.as_pathname()
        {
            let _ = fs::remove_file(path);
        }
    }
}

enum Acceptor {
    Tcp(tokio::net::TcpListener),
    Unix(tokio::net::UnixListener),
}

impl Acceptor {
    fn of(socket: &Socket) -> io::Result<Self> {
        Ok(match socket {
            Socket::Tcp(listener) => {
                let listener = listener.try_clone()?;
                listener.set_nonblocking(true)?;
                Acceptor::Tcp(tokio::net::TcpListener::from_std(listener)?)
            }
            Socket::Unix(listener) => {
                let listener = listener.try_clone()?;
                listener.set_nonblocking(true)?;
                Acceptor::Unix(tokio::net::UnixListener::from_std(listener)?)
            }
        })
    }

    async fn accept<'a>(
        &self,
        taker: &'a dyn Take,
        stop: &'a Stop,
        max_bytes: usize,
    ) -> io::Result<LocalBoxFuture<'a, io::Result<()>>> {
        Ok(match self {
            Acceptor::Tcp(listener) => {
                let (stream, _) = listener.accept().await?;
                Box::pin(Session::new(stream, taker, stop, max_bytes).run())
            }
            Acceptor::Unix(listener) => {
                let (stream, _) = listener.accept().await?;
                Box::pin(Session::new(stream, taker, stop, max_bytes).run())
            }
        })
    }
}

/// A socket at `path`. One that is there already and that nobody listens on was left by a process that was killed.
fn bind_unix(path: &Path) -> io::Result<UnixListener> {
    let is_socket = fs::symlink_metadata(path).is_ok_and(|data| data.file_type().is_socket());
    if is_socket && UnixStream::connect(path).is_err() {
        fs::remove_file(path)?;
    }
    let listener = UnixListener::bind(path)?;
    fs::set_permissions(path, fs::Permissions::from_mode(0o660))?;
    Ok(listener)
}

fn log_end(ended: io::Result<()>) {
    if let Err(error) = ended {
        tracing::debug!(%error, "LMTP client lost");
    }
}

#[cfg(test)]
mod tests;
