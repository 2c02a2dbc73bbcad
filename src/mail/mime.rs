//! The tree of parts of a mail (RFC 2046), read from the raw bytes without decoding any.
//!
//! An own walk, because the points that matter here are those where mail-parser 0.11 reads otherwise: a boundary in the
//! middle of a line, parts that are never closed, and a header that is ended by a line which is no field.

use super::{
    header::{Header, split_line, unfold},
    parameter::Parameterised,
    transfer,
};
use std::borrow::Cow;

/// The mail is nested deeper than the limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("nested deeper than the limit")]
pub struct TooDeep;

/// A part: its header and what it holds.
#[derive(Debug)]
pub struct Part<'a> {
    /// The header of the part; for the outermost that of the mail.
    pub header: Header<'a>,
    /// `Content-Type`, `text/plain` where there is none.
    pub content_type: Parameterised,
    /// What the part holds.
    pub content: Content<'a>,
}

/// What a part holds.
#[derive(Debug)]
pub enum Content<'a> {
    /// Undecoded bytes.
    Leaf(&'a [u8]),
    /// The parts of a multipart.
    Parts(Vec<Part<'a>>),
}

impl<'a> Part<'a> {
    /// Reads the tree below a header.
    ///
    /// # Errors
    ///
    /// [`TooDeep`] where parts or attached mails are nested more than `depth` deep.
    pub fn parse(header: Header<'a>, body: &'a [u8], depth: usize) -> Result<Self, TooDeep> {
        Self::parse_as(header, body, depth, "text/plain")
    }

    fn parse_as(header: Header<'a>, body: &'a [u8], depth: usize, default: &str) -> Result<Self, TooDeep> {
        let mut content_type = content_type(&header, default);
        let mut content = Content::Leaf(body);
        if content_type.value.starts_with("multipart/") {
            let default = if content_type.value == "multipart/digest" {
                "message/rfc822"
            } else {
                "text/plain"
            };
            match bodies(body, content_type.get("boundary")) {
                Some(bodies) => {
                    let depth = depth.checked_sub(1).ok_or(TooDeep)?;
                    let parts = bodies.into_iter().map(|bytes| {
                        let (header, body) = Header::of_part(bytes);
                        Part::parse_as(header, body, depth, default)
                    });
                    content = Content::Parts(parts.collect::<Result<_, _>>()?);
                }
                None => content_type = Parameterised::parse("text/plain"),
            }
        } else if content_type.value == "message/rfc822" {
            let depth = depth.checked_sub(1).ok_or(TooDeep)?;
            let (header, body) = Header::of_mail(body);
            Part::parse(header, body, depth)?;
        }
        Ok(Self {
            header,
            content_type,
            content,
        })
    }

    /// The parts of a multipart; none for another part.
    pub fn parts(&self) -> &[Part<'a>] {
        match &self.content {
            Content::Parts(parts) => parts,
            Content::Leaf(_) => &[],
        }
    }

    /// The bytes of a leaf with the transfer encoding undone; empty for a multipart.
    pub fn decoded(&self) -> Cow<'a, [u8]> {
        match &self.content {
            Content::Leaf(body) => match self.header.text("content-transfer-encoding") {
                Some(encoding) => transfer::decode(&encoding, body),
                None => Cow::Borrowed(body),
            },
            Content::Parts(_) => Cow::Borrowed(&[]),
        }
    }

    /// Whether the part is meant to be kept, not read: it says so or has a file name.
    pub fn is_attachment(&self) -> bool {
        let disposition = self
            .header
            .text("content-disposition")
            .map(|text| Parameterised::parse(&text))
            .unwrap_or_default();
        disposition.value == "attachment" || disposition.has("filename") || self.content_type.has("name")
    }
}

/// The type of a part. One that cannot be read is text, as RFC 2045 has it.
fn content_type(header: &Header<'_>, default: &str) -> Parameterised {
    let written = header.text("content-type").map(|text| Parameterised::parse(&text));
    match written {
        Some(read) if read.value.contains('/') => read,
        Some(mut read) => {
            "text/plain".clone_into(&mut read.value);
            read
        }
        None => Parameterised::parse(default),
    }
}

/// The bodies between the delimiter lines. A part that is never closed reaches to the end. Nothing where no delimiter
/// line stands in the body.
fn bodies(body: &[u8], boundary: Option<String>) -> Option<Vec<&[u8]>> {
    let boundary = boundary.filter(|text| !text.trim().is_empty());
    let known = boundary.and_then(|boundary| split(body, boundary.trim_end().as_bytes()));
    known.or_else(|| split(body, likely_boundary(body)?))
}

fn split<'a>(body: &'a [u8], boundary: &[u8]) -> Option<Vec<&'a [u8]>> {
    let mut bodies = Vec::new();
    let mut start: Option<usize> = None;
    let mut rest = body;
    let mut closed = false;
    while let Some((line, after)) = split_line(rest) {
        if let Some(delimiter) = delimiter(line, boundary) {
            let line_start = body.len() - rest.len();
            if let Some(start) = start {
                bodies.push(without_last_line_end(
                    body.get(start..line_start.max(start)).unwrap_or_default(),
                ));
            }
            start = Some(body.len() - after.len());
            if delimiter == Delimiter::Close {
                closed = true;
                break;
            }
        }
        rest = after;
    }
    let start = start?;
    if !closed {
        bodies.push(body.get(start..).unwrap_or_default());
    }
    Some(bodies)
}

#[derive(PartialEq, Eq)]
enum Delimiter {
    Open,
    Close,
}

fn delimiter(line: &[u8], boundary: &[u8]) -> Option<Delimiter> {
    let rest = line.strip_prefix(b"--")?.strip_prefix(boundary)?.trim_ascii_end();
    match rest {
        b"" => Some(Delimiter::Open),
        b"--" => Some(Delimiter::Close),
        _ => None,
    }
}

/// A first line `--x` with a MIME field under it, for a multipart that does not name its boundary or names another.
fn likely_boundary(body: &[u8]) -> Option<&[u8]> {
    let mut rest = body;
    while let Some((line, after)) = split_line(rest) {
        let names = line
            .strip_prefix(b"--")
            .map(<[u8]>::trim_ascii_end)
            .filter(|name| !name.is_empty());
        if let Some(name) = names {
            let (next, _) = split_line(after)?;
            let is_field = next
                .get(..8)
                .is_some_and(|start| start.eq_ignore_ascii_case(b"content-"));
            return is_field.then_some(name);
        }
        rest = after;
    }
    None
}

/// The line end before a delimiter belongs to it.
fn without_last_line_end(bytes: &[u8]) -> &[u8] {
    let bytes = bytes.strip_suffix(b"\n").unwrap_or(bytes);
    bytes.strip_suffix(b"\r").unwrap_or(bytes)
}

/// Reads a `Content-Type` value for the kind of the mail, before its body is looked at.
pub fn top_content_type(header: &Header<'_>) -> Parameterised {
    header
        .first("content-type")
        .map_or_else(Parameterised::default, |value| {
            Parameterised::parse(&super::charset::guess(&unfold(value)))
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn leaves(mail: &str) -> Vec<String> {
        let (header, body) = Header::of_mail(mail.as_bytes());
        let part = Part::parse(header, body, 20).expect("not deep");
        part.parts()
            .iter()
            .map(|part| String::from_utf8_lossy(&part.decoded()).into_owned())
            .collect()
    }

    #[test]
    fn a_boundary_counts_only_as_a_whole_line() {
        let mail = "Content-Type: multipart/mixed; boundary=b\n\n--b\n\nd4 --b\n--b0\n--b \t\n\ne5\n";
        assert_eq!(leaves(mail), ["d4 --b\n--b0", "e5\n"]);
    }

    #[test]
    fn a_wrong_or_missing_boundary_is_guessed() {
        let mail = "Content-Type: multipart/mixed; boundary=x\n\n--b\nContent-Type: text/plain\n\nd4\n--b--\n";
        assert_eq!(leaves(mail), ["d4"]);
    }

    #[test]
    fn depth_is_limited() {
        let mut mail = String::new();
        for level in 0..3 {
            mail += &format!("Content-Type: multipart/mixed; boundary=b{level}\n\n--b{level}\n");
        }
        let (header, body) = Header::of_mail(mail.as_bytes());
        assert!(Part::parse(header.clone(), body, 2).is_err());
        assert!(Part::parse(header, body, 3).is_ok());
    }
}
