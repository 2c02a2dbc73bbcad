use std::io;
use std::time::Duration;

use smtp_proto::{Error, Request};
use tokio::io::{AsyncBufRead, AsyncBufReadExt, AsyncRead, AsyncWrite, AsyncWriteExt, BufReader};
use tokio::time::timeout;

use super::data::{DataReader, Refusal};
use crate::post::take::log_fate;
use crate::post::{Envelope, Stop, Take, TakeError};

/// How long a client may be silent (RFC 5321, 4.5.3.2).
const PATIENCE: Duration = Duration::from_secs(300);
/// The longest command line, its end included.
const MAX_COMMAND: usize = 4096;
const MAX_RECIPIENTS: usize = 100;
/// A client that speaks this much nonsense is sent away.
const MAX_MISTAKES: usize = 20;

/// One client from its greeting to its end.
pub(super) struct Session<'a, S> {
    stream: BufReader<S>,
    taker: &'a dyn Take,
    stop: &'a Stop,
    max_bytes: usize,
    greeted: bool,
    /// The sender of the mail begun.
    sender: Option<String>,
    recipients: Vec<String>,
    mistakes: usize,
}

/// What follows a command.
enum Next {
    Command,
    End,
}

/// A command line, or why there is none.
enum Line {
    Command(Vec<u8>),
    /// Longer than any command; read to its end.
    TooLong,
    /// Ended by LF alone.
    BareLf,
    Closed,
}

impl<'a, S: AsyncRead + AsyncWrite + Unpin> Session<'a, S> {
    pub(super) fn new(stream: S, taker: &'a dyn Take, stop: &'a Stop, max_bytes: usize) -> Self {
        Session {
            stream: BufReader::new(stream),
            taker,
            stop,
            max_bytes,
            greeted: false,
            sender: None,
            recipients: Vec::new(),
            mistakes: 0,
        }
    }

    /// Serves the client until it leaves, is silent for too long, or we are to stop: then the mail in hand is finished first.
    pub(super) async fn run(mut self) -> io::Result<()> {
        self.reply("220 Playpost LMTP").await?;
        loop {
            let stop = self.stop.clone();
            let line = tokio::select! {
                biased;
                () = stop.stopped() => return self.reply("421 4.3.2 going away").await,
                line = timeout(PATIENCE, read_line(&mut self.stream)) => line,
            };
            let line = match line {
                Ok(line) => line?,
                Err(_) => return self.reply("421 4.4.2 silent for too long").await,
            };
            if let Next::End = self.obey(line).await? {
                return Ok(());
            }
            if self.mistakes > MAX_MISTAKES {
                return self.reply("421 4.7.0 too many errors").await;
            }
        }
    }

    async fn obey(&mut self, line: Line) -> io::Result<Next> {
        let line = match line {
            Line::Command(line) => line,
            Line::Closed => return Ok(Next::End),
            Line::TooLong => {
                self.mistake("500 5.5.2 line too long").await?;
                return Ok(Next::Command);
            }
            // What follows may be what somebody else smuggled in.
            Line::BareLf => {
                self.reply("521 5.5.2 lines end with CR LF").await?;
                return Ok(Next::End);
            }
        };
        match Request::parse(&mut line.iter()) {
            Ok(Request::Quit) => {
                self.reply("221 2.0.0 bye").await?;
                return Ok(Next::End);
            }
            Ok(Request::Lhlo { .. }) => self.greet().await?,
            Ok(Request::Ehlo { .. } | Request::Helo { .. }) => self.mistake("500 5.5.1 this is LMTP: LHLO").await?,
            Ok(Request::Noop { .. }) => self.reply("250 2.0.0 ok").await?,
            Ok(Request::Rset) => {
                self.reset();
                self.reply("250 2.0.0 ok").await?;
            }
            Ok(Request::Mail { from }) => self.begin(&from.address, from.size).await?,
            Ok(Request::Rcpt { to }) => self.add_recipient(&to.address).await?,
            Ok(Request::Data) => return self.data().await,
            Ok(_) => self.mistake("502 5.5.1 not here").await?,
            Err(error) => self.mistake(complaint(&error)).await?,
        }
        Ok(Next::Command)
    }

    async fn greet(&mut self) -> io::Result<()> {
        self.greeted = true;
        self.reset();
        let size = self.max_bytes;
        self.reply(&format!(
            "250-Playpost\r\n250-PIPELINING\r\n250-8BITMIME\r\n250-SMTPUTF8\r\n250-ENHANCEDSTATUSCODES\r\n250 SIZE {size}"
        ))
        .await
    }

    async fn begin(&mut self, sender: &str, size: usize) -> io::Result<()> {
        if !self.greeted || self.sender.is_some() {
            self.mistake("503 5.5.1 LHLO first, and one MAIL at a time").await
        } else if size > self.max_bytes {
            self.reply("552 5.3.4 the mail is too large").await
        } else {
            self.sender = Some(sender.to_string());
            self.reply("250 2.1.0 ok").await
        }
    }

    async fn add_recipient(&mut self, recipient: &str) -> io::Result<()> {
        if self.sender.is_none() {
            self.mistake("503 5.5.1 MAIL first").await
        } else if recipient.is_empty() {
            self.mistake("501 5.1.3 no recipient").await
        } else if self.recipients.len() >= MAX_RECIPIENTS {
            self.reply("452 4.5.3 too many recipients").await
        } else {
            self.recipients.push(recipient.to_string());
            self.reply("250 2.1.5 ok").await
        }
    }

    /// The text of the mail, and one reply a recipient (RFC 2033, 4.2) after the taker's commit.
    async fn data(&mut self) -> io::Result<Next> {
        if self.recipients.is_empty() {
            self.mistake("503 5.5.1 RCPT first").await?;
            return Ok(Next::Command);
        }
        self.reply("354 go on").await?;
        let Some(text) = read_text(&mut self.stream, self.max_bytes).await? else {
            return Ok(Next::End);
        };
        let recipients = self.recipients.len();
        let envelope = Envelope {
            sender: self.sender.take(),
            recipients: std::mem::take(&mut self.recipients),
        };
        let reply = match text {
            Ok(raw) => self.hand_over(&raw, &envelope),
            Err(Refusal::TooLarge) => "552 5.3.4 the mail is too large",
            Err(Refusal::BareLf) => "554 5.6.0 a bare LF in the mail",
        };
        for _ in 0..recipients {
            self.reply(reply).await?;
        }
        Ok(Next::Command)
    }

    fn hand_over(&self, raw: &[u8], envelope: &Envelope) -> &'static str {
        let outcome = self.taker.take(raw, envelope);
        log_fate("lmtp", raw.len(), &outcome);
        match outcome {
            Ok(_) => "250 2.0.0 taken over",
            Err(TakeError::Temporary(_)) => "451 4.3.0 try again later",
            Err(TakeError::Unusable(_)) => "451 4.3.5 the database is unusable, try again later",
        }
    }

    fn reset(&mut self) {
        self.sender = None;
        self.recipients.clear();
    }

    async fn mistake(&mut self, text: &str) -> io::Result<()> {
        self.mistakes += 1;
        self.reply(text).await
    }

    async fn reply(&mut self, text: &str) -> io::Result<()> {
        let line = format!("{text}\r\n");
        let written = timeout(PATIENCE, async {
            self.stream.write_all(line.as_bytes()).await?;
            self.stream.flush().await
        });
        written.await.map_err(|_| io::Error::from(io::ErrorKind::TimedOut))?
    }
}

fn complaint(error: &Error) -> &'static str {
    match error {
        Error::UnknownCommand => "500 5.5.1 unknown command",
        Error::InvalidSenderAddress => "501 5.1.7 no sender's address",
        Error::InvalidRecipientAddress => "501 5.1.3 no recipient's address",
        Error::UnsupportedParameter { .. } => "555 5.5.4 unknown parameter",
        _ => "501 5.5.2 cannot be read",
    }
}

async fn read_line(stream: &mut (impl AsyncBufRead + Unpin)) -> io::Result<Line> {
    let mut line = Vec::new();
    let mut too_long = false;
    loop {
        let bytes = stream.fill_buf().await?;
        if bytes.is_empty() {
            return Ok(Line::Closed);
        }
        let end = bytes.iter().position(|&byte| byte == b'\n').map(|at| at + 1);
        let used = end.unwrap_or(bytes.len());
        too_long |= line.len() + used > MAX_COMMAND;
        if too_long {
            // The last byte may be the CR of the end, and the others are of no use.
            line.drain(..line.len().saturating_sub(1));
        }
        line.extend_from_slice(&bytes[used - used.min(MAX_COMMAND)..used]);
        stream.consume(used);
        if end.is_some() {
            break;
        }
    }
    Ok(match (line.ends_with(b"\r\n"), too_long) {
        (false, _) => Line::BareLf,
        (true, true) => Line::TooLong,
        (true, false) => Line::Command(line),
    })
}

/// The text after DATA; `None` when the client was gone before its end.
async fn read_text(
    stream: &mut (impl AsyncBufRead + Unpin),
    max_bytes: usize,
) -> io::Result<Option<Result<Vec<u8>, Refusal>>> {
    let mut reader = DataReader::new(max_bytes);
    while !reader.is_at_end() {
        let silent = |_| io::Error::from(io::ErrorKind::TimedOut);
        let bytes = timeout(PATIENCE, stream.fill_buf()).await.map_err(silent)??;
        if bytes.is_empty() {
            return Ok(None);
        }
        let used = reader.read(bytes);
        stream.consume(used);
    }
    Ok(Some(reader.finish()))
}
