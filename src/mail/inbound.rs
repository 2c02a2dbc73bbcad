//! One mail as it came in, read: the type that hides how.

use std::panic::{AssertUnwindSafe, catch_unwind};

use super::{
    address::AddressList,
    bounce::{self, BounceReport},
    fingerprint::fingerprint,
    header::{Header, unfold},
    ids,
    kind::{self, Kind},
    mime::{Part, TooDeep},
    parts,
    subject::{self, Subject},
    typed, word,
};

/// What is read at all.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// The largest mail, in bytes.
    pub max_bytes: usize,
    /// How deep parts may be nested.
    pub max_depth: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            max_bytes: 256 * 1024,
            max_depth: 20,
        }
    }
}

/// A mail as it is understood before its lines are read as commands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Inbound {
    /// What kind of mail it is.
    pub kind: Kind,
    /// For every kind but a letter what decided, in a few words.
    pub why: Option<String>,
    /// The one address in From, its domain in lower case; nothing where there is none or more than one.
    pub from: Option<String>,
    /// The addresses in To, Cc, Delivered-To, X-Original-To and Envelope-To, each once, domains in lower case.
    pub to: Vec<String>,
    /// The Subject, decoded, without marks of answers and forwards and without list tags.
    pub subject: String,
    /// Whether the Subject had the mark of an answer, or In-Reply-To or References is there.
    pub is_reply: bool,
    /// What the person typed, unflowed, lines joined by `\n`; empty for what is no letter.
    pub typed: String,
    /// The Message-ID, without its angle brackets.
    pub message_id: Option<String>,
    /// The identifiers in In-Reply-To, without angle brackets.
    pub in_reply_to: Vec<String>,
    /// The identifiers in References, without angle brackets, oldest first.
    pub references: Vec<String>,
    /// The Date, in seconds since 1970 (UTC).
    pub date: Option<i64>,
    /// The Content-Language as written.
    pub content_language: Option<String>,
    /// The Return-Path: an address, or `""` where it is empty.
    pub return_path: Option<String>,
    /// What a delivery report says.
    pub bounce: Option<BounceReport>,
    /// The same for the same mail, whatever its trace headers.
    pub fingerprint: [u8; 32],
}

/// Reads one mail. Never fails: what cannot be read is [`Kind::Unreadable`], with the reason and with those fields of the
/// header that can be read. Takes time linear in the size, and looks at no more than the limit of bytes.
pub fn read(bytes: &[u8], limits: &Limits) -> Inbound {
    catch_unwind(AssertUnwindSafe(|| read_parts(bytes, limits))).unwrap_or_else(|_| broken(bytes))
}

fn read_parts(bytes: &[u8], limits: &Limits) -> Inbound {
    let too_large = bytes.len() > limits.max_bytes;
    let looked_at = bytes.get(..limits.max_bytes).unwrap_or(bytes);
    let (header, body) = Header::of_mail(looked_at);
    let body_start = looked_at.len() - body.len();
    let whole_body = bytes.get(body_start..).unwrap_or_default();
    let mut inbound = Inbound::of_header(&header);
    inbound.fingerprint = fingerprint(&header, whole_body.get(..limits.max_bytes).unwrap_or(whole_body));

    let tree = |header: Header<'_>| -> Result<Read, TooDeep> {
        let mail = Part::parse(header, body, limits.max_depth)?;
        Ok(match inbound.kind {
            Kind::Bounce => Read::Bounce(bounce::read(&mail, &inbound.to)),
            _ => Read::Text(parts::text(&mail)),
        })
    };
    match inbound.kind {
        Kind::Bounce => {
            inbound.bounce = match tree(header) {
                Ok(Read::Bounce(report)) => Some(report),
                _ => None,
            };
        }
        Kind::Letter => {
            let refused = if too_large {
                Some(format!("larger than {} bytes", limits.max_bytes))
            } else {
                sender_problem(&header)
            };
            match refused {
                Some(why) => inbound.refuse(why),
                None => match tree(header) {
                    Ok(Read::Text(text)) => inbound.take_text(text),
                    Ok(Read::Bounce(_)) => {}
                    Err(TooDeep) => inbound.refuse(format!("nested deeper than {} parts", limits.max_depth)),
                },
            }
        }
        Kind::Robot | Kind::List | Kind::Own | Kind::Unreadable => {}
    }
    inbound
}

enum Read {
    Text(parts::Text),
    Bounce(BounceReport),
}

impl Inbound {
    fn of_header(header: &Header<'_>) -> Self {
        let Subject {
            text: subject,
            is_reply: marked,
        } = header.first("subject").map(subject::read).unwrap_or_default();
        let identifiers = |name: &str| {
            header
                .first(name)
                .map(|value| ids::all(&unfold(value)))
                .unwrap_or_default()
        };
        let is_reply = marked || header.has("in-reply-to") || header.has("references");
        let (kind, why) = match kind::by_header(header) {
            Some((kind, why)) => (kind, Some(why)),
            None => (Kind::Letter, None),
        };
        Self {
            kind,
            why,
            from: sender(header),
            to: recipients(header),
            subject,
            is_reply,
            typed: String::new(),
            message_id: identifiers("message-id").into_iter().next(),
            in_reply_to: identifiers("in-reply-to"),
            references: identifiers("references"),
            date: header.text("date").and_then(|text| timestamp(&text)),
            content_language: header.text("content-language").filter(|text| !text.is_empty()),
            return_path: header
                .text("return-path")
                .map(|text| text.trim_matches(['<', '>', ' ']).to_owned()),
            bounce: None,
            fingerprint: [0; 32],
        }
    }

    fn refuse(&mut self, why: String) {
        self.kind = Kind::Unreadable;
        self.why = Some(why);
        self.typed = String::new();
    }

    fn take_text(&mut self, text: parts::Text) {
        match text.unreadable {
            Some(why) if text.is_blank() => self.refuse(why.to_owned()),
            _ => self.typed = typed::typed(text.lines).join("\n"),
        }
    }
}

/// What is known of a mail whose reading broke off.
fn broken(bytes: &[u8]) -> Inbound {
    let header = Header::default();
    let mut inbound = Inbound::of_header(&header);
    inbound.fingerprint = fingerprint(&header, bytes);
    inbound.refuse("its reading broke off".to_owned());
    inbound
}

/// The one address in From, where there is exactly one.
pub(super) fn sender(header: &Header<'_>) -> Option<String> {
    let list = from_list(header)?;
    match list.mailboxes.as_slice() {
        [mailbox] if list.unusable == 0 && !list.has_group => Some(mailbox.address.clone()),
        _ => None,
    }
}

fn from_list(header: &Header<'_>) -> Option<AddressList> {
    let mut fields = header.all("from");
    let value = fields.next()?;
    fields
        .next()
        .is_none()
        .then(|| AddressList::parse(&super::charset::guess(&unfold(value))))
}

fn sender_problem(header: &Header<'_>) -> Option<String> {
    if sender(header).is_some() {
        return None;
    }
    let why = match header.all("from").count() {
        0 => "no From",
        1 => "not exactly one address in From",
        _ => "several From fields",
    };
    Some(why.to_owned())
}

fn recipients(header: &Header<'_>) -> Vec<String> {
    let mut addresses: Vec<String> = Vec::new();
    for name in ["to", "cc", "delivered-to", "x-original-to", "envelope-to"] {
        let Some(value) = header.first(name) else { continue };
        let list = AddressList::parse(&super::charset::guess(&unfold(value)));
        addresses.extend(list.mailboxes.into_iter().map(|mailbox| mailbox.address));
    }
    let mut seen = std::collections::HashSet::new();
    addresses.retain(|address| seen.insert(address.clone()));
    addresses
}

/// Dates longer than this are none.
const LONGEST_DATE: usize = 100;

fn timestamp(text: &str) -> Option<i64> {
    let decoded = word::decode(text.as_bytes());
    if decoded.len() > LONGEST_DATE {
        return None;
    }
    let date = mail_parser::DateTime::parse_rfc822(&decoded)?;
    date.is_valid().then(|| date.to_timestamp())
}
