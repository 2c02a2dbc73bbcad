//! From a mail as data to the bytes that are stored and sent.

use super::item::{Item, Medium};
use super::{Reader, Subject, TemplateError, Templates, html, raster, text};
use crate::language;
use lettre::message::header::{ContentTransferEncoding, ContentType, HeaderName, HeaderValue};
use lettre::message::{Attachment as LettreAttachment, Body, Mailbox, MessageBuilder, MultiPart, SinglePart};
use lettre::{Address, Message};
use std::time::{Duration, SystemTime};

// Header names are constants: lettre would let a line end through in one that is made of foreign text.
const AUTO_SUBMITTED: HeaderName = HeaderName::new_from_ascii_str("Auto-Submitted");
const SUPPRESS: HeaderName = HeaderName::new_from_ascii_str("X-Auto-Response-Suppress");
const PLAYPOST_MATCH: HeaderName = HeaderName::new_from_ascii_str("Playpost-Match");
const PLAYPOST_LOOP: HeaderName = HeaderName::new_from_ascii_str("Playpost-Loop");
const LIST_UNSUBSCRIBE: HeaderName = HeaderName::new_from_ascii_str("List-Unsubscribe");
const IN_REPLY_TO: HeaderName = HeaderName::new_from_ascii_str("In-Reply-To");
const REFERENCES: HeaderName = HeaderName::new_from_ascii_str("References");

/// A mail with an HTML part is no longer than this, in bytes: programs cut what is.
const LARGEST_MAIL: usize = 99_000;
/// What is left for the header and the boundaries of a mail.
const HEADER_ROOM: usize = 4_000;
/// How many Message-IDs of a long thread are kept at each end of References.
const REFERENCES_KEPT: usize = 10;
/// A mail about many matches has no more pictures.
const MOST_PICTURES: usize = 4;
/// A longer Message-ID is not ours and would not fold.
const LONGEST_MESSAGE_ID: usize = 250;

/// The server's own address, `play@example.org`, and the addresses that are made of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServerAddress {
    local: String,
    domain: String,
}

impl ServerAddress {
    /// # Errors
    ///
    /// A text that is no mail address.
    pub fn new(address: &str) -> Result<Self, ComposeError> {
        let address = parse_address(address)?;
        Ok(ServerAddress {
            local: address.user().to_string(),
            domain: address.domain().to_string(),
        })
    }

    pub fn domain(&self) -> &str {
        &self.domain
    }

    /// `play`.
    pub(super) fn base(&self) -> &str {
        &self.local
    }

    /// `play@example.org`.
    pub fn plain(&self) -> String {
        format!("{}@{}", self.local, self.domain)
    }

    /// `play+KEY@example.org`: where a player answers.
    pub fn with_key(&self, key: &str) -> String {
        format!("{}+{key}@{}", self.local, self.domain)
    }

    /// Whether this is the server's address, with whatever stands behind a `+`.
    pub fn is_own(&self, address: &str) -> bool {
        address.rsplit_once('@').is_some_and(|(local, domain)| {
            let base = local.split_once('+').map_or(local, |(base, _)| base);
            base.eq_ignore_ascii_case(&self.local) && domain.eq_ignore_ascii_case(&self.domain)
        })
    }

    /// The reply key in an address that [`ServerAddress::with_key`] may have made; in any case of letters.
    pub fn key_in(&self, address: &str) -> Option<String> {
        let (local, domain) = address.rsplit_once('@')?;
        let (base, key) = local.split_once('+')?;
        let is_ours = base.eq_ignore_ascii_case(&self.local) && domain.eq_ignore_ascii_case(&self.domain);
        let is_key = !key.is_empty() && key.chars().all(|letter| letter.is_ascii_alphanumeric());
        (is_ours && is_key).then(|| key.to_ascii_lowercase())
    }

    /// The key in an address that [`ServerAddress::bounce`] may have made.
    pub fn bounce_key_in(&self, address: &str) -> Option<String> {
        let (local, domain) = address.rsplit_once('@')?;
        let plain = local.to_ascii_lowercase().replacen("+bounce-", "+", 1);
        (plain.len() < local.len())
            .then(|| self.key_in(&format!("{plain}@{domain}")))
            .flatten()
    }

    /// The secret part of a Message-ID that [`message_id`] may have made.
    pub fn secret_in(&self, message_id: &str) -> Option<String> {
        let id = message_id.trim().trim_start_matches('<').trim_end_matches('>');
        let (local, domain) = id.rsplit_once('@')?;
        let (_, secret) = local.rsplit_once('.')?;
        domain
            .eq_ignore_ascii_case(&self.domain)
            .then(|| secret.to_ascii_lowercase())
    }

    /// `play+bounce-KEY@example.org`: an envelope sender that tells what bounced.
    pub fn bounce(&self, key: &str) -> String {
        self.with_key(&format!("bounce-{key}"))
    }
}

/// Whether a mail answers one that came in (RFC 3834).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Auto {
    Replied,
    Generated,
}

/// What the header `Playpost-Match` tells programs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MatchInfo {
    pub number: u32,
    /// The game's name in commands: `medusa-shogi`.
    pub game: String,
    /// The number of the turn to be played, the N of `d4#N`.
    pub turn: u32,
    /// The userid of the player to move; `None` when the match is over.
    pub to_move: Option<String>,
}

/// A file that goes with a mail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attachment {
    pub name: String,
    /// A media type: `text/plain; charset=utf-8`.
    pub content_type: String,
    pub file: File,
}

/// What is in an attached file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum File {
    Text(String),
    Bytes(Vec<u8>),
}

/// A mail as data.
#[derive(Clone, Debug)]
pub struct Draft {
    pub to_address: String,
    pub reader: Reader,
    pub subject: Subject,
    pub items: Vec<Item>,
    /// The reader's key; without one the answer goes to the plain address.
    pub reply_key: Option<String>,
    /// Names this mail in a bounce; `None` gives an empty envelope sender.
    pub bounce_key: Option<String>,
    pub auto: Auto,
    pub match_info: Option<MatchInfo>,
    /// The match that an answer to this mail is about; `None` where its reply key is for something else, such as a
    /// question, so that a tap must not answer in the match.
    pub answers_match: Option<u32>,
    /// With its angle brackets, as [`message_id`] makes it.
    pub message_id: String,
    pub in_reply_to: Option<String>,
    /// Oldest first.
    pub references: Vec<String>,
    pub attachments: Vec<Attachment>,
    /// Seconds since 1970.
    pub date: i64,
    /// The command that ends mails of this kind, for reminders, digests and invitations: a `mailto:` link with it as
    /// the Subject.
    pub list_unsubscribe: Option<&'static str>,
}

/// A mail ready to be stored and sent: one row and one SMTP transaction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Composed {
    /// `None` is the empty return path `<>`.
    pub envelope_from: Option<String>,
    pub recipient: String,
    pub message_id: String,
    /// The whole mail with CRLF line ends.
    pub bytes: Vec<u8>,
}

/// Why a mail could not be made.
#[derive(Debug, thiserror::Error)]
pub enum ComposeError {
    #[error("{0:?} is no mail address that can be written to")]
    Address(String),
    #[error(transparent)]
    Template(#[from] TemplateError),
    #[error("the mail cannot be put together: {0}")]
    Build(#[from] lettre::error::Error),
}

/// `<turn.12.7.SECRET@example.org>`. `secret` is an unguessable part that the caller makes: the Message-ID proves who
/// answers when a mail system has dropped the reply key. It must be made of letters and digits.
pub fn message_id(kind: &str, number: Option<u32>, turn: Option<u32>, secret: &str, domain: &str) -> String {
    let part = |number: Option<u32>| number.map(|number| format!("{number}.")).unwrap_or_default();
    format!("<{kind}.{}{}{secret}@{domain}>", part(number), part(turn))
}

/// Makes the mail: fills in the templates, and puts header and body together.
///
/// No value brings a control character into the header, and no line of the body is wider than 78 columns or a command.
///
/// # Errors
///
/// An address that cannot be written to, or a template that cannot be filled in (in a release build a short sentence
/// stands in the place of that item instead).
pub fn compose(draft: &Draft, server: &ServerAddress, templates: &Templates) -> Result<Composed, ComposeError> {
    let spoken = &draft.reader.language;
    let recipient = parse_address(&draft.to_address)?;
    let sender = text::one_line(&templates.word(spoken, "words.sender", ())?);
    let reply_to = match &draft.reply_key {
        Some(key) => server.with_key(key),
        None => server.plain(),
    };
    let mut message = Message::builder()
        .from(Mailbox::new(Some(sender), parse_address(&server.plain())?))
        .reply_to(Mailbox::new(None, parse_address(&reply_to)?))
        .to(Mailbox::new(None, recipient.clone()))
        .subject(draft.subject.line(spoken, templates)?)
        .date(system_time(draft.date))
        .message_id(Some(text::one_line(&draft.message_id)));
    message = thread(message, draft);
    message = marks(message, draft, server, &reply_to);
    let text = body(draft, server, templates)?;
    let html = html_body(draft, server, &reply_to, &text, templates)?;
    let content = content(text, html, draft);
    let attachments = attachments(draft);
    let message = match content {
        content if !attachments.is_empty() => message.multipart(with_attachments(content, &attachments, draft))?,
        Content::Single(part) => message.singlepart(part)?,
        Content::Alternatives(parts) => message.multipart(parts)?,
    };
    Ok(Composed {
        envelope_from: draft.bounce_key.as_deref().map(|key| server.bounce(key)),
        recipient: recipient.to_string(),
        message_id: draft.message_id.clone(),
        bytes: message.formatted(),
    })
}

fn parse_address(address: &str) -> Result<Address, ComposeError> {
    address.parse().map_err(|_| ComposeError::Address(address.to_string()))
}

fn system_time(timestamp: i64) -> SystemTime {
    SystemTime::UNIX_EPOCH + Duration::from_secs(timestamp.try_into().unwrap_or(0))
}

fn header(message: MessageBuilder, name: HeaderName, value: &str) -> MessageBuilder {
    message.raw_header(HeaderValue::new(name, text::one_line(value)))
}

/// In-Reply-To and References (RFC 5322 3.6.4), the middle of a long thread left out.
fn thread(mut message: MessageBuilder, draft: &Draft) -> MessageBuilder {
    let is_usable = |id: &&String| id.len() <= LONGEST_MESSAGE_ID && !id.contains(char::is_whitespace);
    if let Some(parent) = draft.in_reply_to.as_ref().filter(is_usable) {
        message = header(message, IN_REPLY_TO, parent);
    }
    let ids: Vec<&str> = draft.references.iter().filter(is_usable).map(String::as_str).collect();
    if ids.is_empty() {
        return message;
    }
    let tail = ids
        .len()
        .saturating_sub(REFERENCES_KEPT)
        .max(REFERENCES_KEPT.min(ids.len()));
    let kept: Vec<&str> = ids.iter().take(REFERENCES_KEPT).chain(&ids[tail..]).copied().collect();
    header(message, REFERENCES, &kept.join(" "))
}

/// The marks by which programs, this server among them, know the mail for a machine's.
fn marks(mut message: MessageBuilder, draft: &Draft, server: &ServerAddress, reply_to: &str) -> MessageBuilder {
    let auto = match draft.auto {
        Auto::Replied => "auto-replied",
        Auto::Generated => "auto-generated",
    };
    message = header(message, AUTO_SUBMITTED, auto);
    message = header(message, SUPPRESS, "All");
    message = header(message, PLAYPOST_LOOP, &server.plain());
    if let Some(about) = &draft.match_info {
        let mut value = format!("{}; game={}; turn={}", about.number, about.game, about.turn);
        if let Some(userid) = &about.to_move {
            value.push_str("; to-move=");
            value.push_str(userid);
        }
        message = header(message, PLAYPOST_MATCH, &value);
    }
    if let Some(command) = draft.list_unsubscribe {
        let subject = command.replace(' ', "%20");
        message = header(
            message,
            LIST_UNSUBSCRIBE,
            &format!("<mailto:{reply_to}?subject={subject}>"),
        );
    }
    message
}

fn body(draft: &Draft, server: &ServerAddress, templates: &Templates) -> Result<String, TemplateError> {
    let mut blocks = Vec::new();
    for item in &draft.items {
        match item.words(Medium::Text, &draft.reader, &server.plain(), templates) {
            Ok(block) => blocks.push(block),
            Err(error) if cfg!(debug_assertions) => return Err(error),
            Err(error) => {
                tracing::error!("{error}");
                blocks.push(templates.word(&draft.reader.language, "words.unwritten", ())?);
            }
        }
    }
    Ok(text::body(&blocks.join("\n\n"), language::is_command))
}

/// The HTML part where the reader wants one and there is a board to show. A mail does not fail for it.
fn html_body(
    draft: &Draft,
    server: &ServerAddress,
    reply_to: &str,
    body: &str,
    templates: &Templates,
) -> Result<Option<String>, TemplateError> {
    if !draft.reader.html {
        return Ok(None);
    }
    let about = draft.answers_match.filter(|_| draft.reply_key.is_some());
    let mail = html::Mail {
        reader: &draft.reader,
        server: &server.plain(),
        reply_to,
        about,
        largest: LARGEST_MAIL
            .saturating_sub(HEADER_ROOM + text::length_sent(body))
            .min(html::LARGEST),
        templates,
    };
    match html::page(&draft.items, &mail) {
        Err(error) if !cfg!(debug_assertions) => {
            tracing::error!("{error}; the mail goes out as text alone");
            Ok(None)
        }
        made => made,
    }
}

/// What a mail says, in one form or in two.
enum Content {
    Single(SinglePart),
    Alternatives(MultiPart),
}

/// The text, and the HTML behind it: the last alternative is the one that a program prefers (RFC 2046 5.1.4).
fn content(text: String, html: Option<String>, draft: &Draft) -> Content {
    let text = if text.is_ascii() {
        as_it_is(ContentType::TEXT_PLAIN, text.replace('\n', "\r\n"))
    } else {
        SinglePart::plain(text)
    };
    let Some(html) = html else {
        return Content::Single(text);
    };
    let html = as_it_is(ContentType::TEXT_HTML, html);
    Content::Alternatives(
        MultiPart::alternative()
            .boundary(boundary("alternative", draft))
            .singlepart(text)
            .singlepart(html),
    )
}

/// A part of ASCII in short lines with CRLF. Lettre would encode lines of more than 76 columns, and who looks at the mail
/// as it came would see words cut in two.
fn as_it_is(content_type: ContentType, text: String) -> SinglePart {
    let body = Body::dangerous_pre_encoded(text.into_bytes(), ContentTransferEncoding::SevenBit);
    SinglePart::builder().header(content_type).body(body)
}

/// The Message-ID has an unguessable part, so no text can hold this boundary by design or chance.
fn boundary(kind: &str, draft: &Draft) -> String {
    let unique: String = draft
        .message_id
        .chars()
        .filter(char::is_ascii_alphanumeric)
        .take(50)
        .collect();
    format!("=_{kind}_{unique}")
}

fn with_attachments(content: Content, attachments: &[Attachment], draft: &Draft) -> MultiPart {
    let parts = MultiPart::mixed().boundary(boundary("mixed", draft));
    let parts = match content {
        Content::Single(part) => parts.singlepart(part),
        Content::Alternatives(part) => parts.multipart(part),
    };
    attachments.iter().fold(parts, |parts, attached| {
        let content_type = ContentType::parse(&attached.content_type).unwrap_or(ContentType::TEXT_PLAIN);
        let part = LettreAttachment::new(text::one_line(&attached.name));
        parts.singlepart(match &attached.file {
            File::Text(text) => part.body(text::clean(text), content_type),
            File::Bytes(bytes) => part.body(bytes.clone(), content_type),
        })
    })
}

/// The files that go with a mail: its own, and the boards as pictures where the reader wants them. A mail does not fail
/// for a picture.
fn attachments(draft: &Draft) -> Vec<Attachment> {
    let mut attachments = draft.attachments.clone();
    if !draft.reader.picture {
        return attachments;
    }
    let boards = draft.items.iter().filter_map(|item| item.board.as_deref());
    for (number, view) in (1..).zip(boards.take(MOST_PICTURES)) {
        match raster::png(view) {
            Ok(png) => attachments.push(Attachment {
                name: format!("board-{number}.png"),
                content_type: "image/png".to_string(),
                file: File::Bytes(png),
            }),
            Err(error) => tracing::warn!("{error}; the mail goes out without it"),
        }
    }
    attachments
}
