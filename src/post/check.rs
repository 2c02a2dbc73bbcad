use super::{ImapSource, LmtpListener, MaildirSink, MaildirSource, SendmailSink, SmtpSink};
use crate::config::{Config, Sink, Source};

/// Tries each source and the sink as far as that moves no mail: what it is, and whether it works or why it does not.
pub fn check(config: &Config) -> Vec<(String, Result<(), String>)> {
    let mut found: Vec<(String, Result<(), String>)> = config
        .sources
        .iter()
        .map(|source| check_source(source, config.limits.max_mail_bytes))
        .collect();
    found.push(check_sink(&config.sink));
    found
}

fn check_source(source: &Source, max_bytes: usize) -> (String, Result<(), String>) {
    match source {
        Source::Maildir(place) => (
            format!("mails in from the Maildir {}", place.path.display()),
            MaildirSource::open(&place.path, max_bytes)
                .map(drop)
                .map_err(|error| error.to_string()),
        ),
        Source::Imap(settings) => (
            format!("mails in from the IMAP server {}", settings.host),
            ImapSource::new(settings, max_bytes)
                .check()
                .map_err(|error| error.to_string()),
        ),
        Source::Lmtp(settings) => (
            "mails in by LMTP".to_string(),
            LmtpListener::bind(&settings.listen, max_bytes)
                .map(drop)
                .map_err(|error| error.to_string()),
        ),
    }
}

fn check_sink(sink: &Sink) -> (String, Result<(), String>) {
    match sink {
        Sink::Maildir(place) => (
            format!("mails out into the Maildir {}", place.path.display()),
            MaildirSink::open(&place.path)
                .map(drop)
                .map_err(|error| error.to_string()),
        ),
        Sink::Smtp(settings) => (
            format!("mails out by the SMTP server {}", settings.host),
            SmtpSink::open(settings)
                .map_err(|error| error.to_string())
                .and_then(|mut sink| sink.check()),
        ),
        Sink::Sendmail(settings) => (
            format!("mails out by {}", settings.command.display()),
            SendmailSink::open(settings).check(),
        ),
    }
}
