//! Mails as bots see them.

use mail_parser::MessageParser;
use playpost::store::OutboxRow;

pub const SERVER: &str = "play@example.org";

/// A mail that a bot got.
#[derive(Clone, Debug)]
pub struct Mail {
    pub to: String,
    pub subject: String,
    pub text: String,
    pub reply_to: String,
    pub message_id: String,
    pub in_reply_to: String,
    /// What `Playpost-Match` says: the number, and who is to move.
    pub about: Option<(u32, Option<String>)>,
    pub is_answer: bool,
    pub is_reminder: bool,
}

impl Mail {
    pub fn read(row: &OutboxRow) -> Self {
        let parsed = MessageParser::default().parse(&row.raw).expect("a mail out is a mail");
        let header = |name: &str| {
            let value = parsed.header_raw(name.to_string()).unwrap_or_default();
            value.replace("\r\n", "").trim().to_string()
        };
        let about = header("Playpost-Match");
        let number = about.split(';').next().and_then(|number| number.trim().parse().ok());
        let to_move = about.split("to-move=").nth(1).map(|name| name.trim().to_string());
        Mail {
            to: row.recipient.clone(),
            subject: parsed.subject().unwrap_or_default().to_string(),
            text: parsed.body_text(0).unwrap_or_default().replace("\r\n", "\n"),
            reply_to: header("Reply-To"),
            message_id: header("Message-ID"),
            in_reply_to: header("In-Reply-To"),
            about: number.map(|number| (number, to_move)),
            is_answer: header("Auto-Submitted") == "auto-replied",
            is_reminder: row.kind == "reminder",
        }
    }

    /// Numbers of the matches that the text lists as waiting for its reader.
    pub fn own_turns(&self) -> Vec<u32> {
        let listed = self.text.lines().filter(|line| line.contains("): your turn"));
        listed
            .filter_map(|line| line.trim().strip_prefix('#')?.split(' ').next()?.parse().ok())
            .collect()
    }

    /// Numbers of the challenges that the text tells how to accept.
    pub fn challenges(&self) -> Vec<u32> {
        let parts = self.text.split("`accept ").skip(1);
        parts.filter_map(|part| part.split('`').next()?.parse().ok()).collect()
    }
}

/// A mail that somebody writes.
#[derive(Clone, Debug)]
pub struct Letter {
    pub from: String,
    pub to: String,
    pub subject: String,
    pub in_reply_to: Option<String>,
    pub text: String,
    /// Written by a program of the mailbox.
    pub is_robots: bool,
}

impl Letter {
    /// A new mail to the server.
    pub fn new(from: &str, text: &str) -> Self {
        Letter {
            from: from.to_string(),
            to: SERVER.to_string(),
            subject: "playing by mail".to_string(),
            in_reply_to: None,
            text: text.to_string(),
            is_robots: false,
        }
    }

    /// The answer to a mail of the server.
    pub fn answer(from: &str, mail: &Mail, text: &str) -> Self {
        Letter {
            to: mail.reply_to.clone(),
            subject: format!("Re: {}", mail.subject),
            in_reply_to: Some(mail.message_id.clone()),
            ..Letter::new(from, text)
        }
    }

    pub fn bytes(&self, number: u64) -> Vec<u8> {
        let domain = self.from.split_once('@').map_or("", |(_, domain)| domain);
        let mut mail = format!(
            "Authentication-Results: mx.example.org; dmarc=pass header.from={domain}\r\nFrom: {}\r\nTo: {}\r\n\
             Subject: {}\r\nMessage-ID: <{number}@bots.example>\r\n",
            self.from, self.to, self.subject
        );
        if let Some(answered) = &self.in_reply_to {
            mail.push_str(&format!("In-Reply-To: {answered}\r\n"));
        }
        if self.is_robots {
            mail.push_str("Auto-Submitted: auto-replied\r\n");
        }
        mail.push_str("MIME-Version: 1.0\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n");
        mail.push_str(&self.text.replace('\n', "\r\n"));
        mail.push_str("\r\n");
        mail.into_bytes()
    }
}
