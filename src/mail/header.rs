//! The raw header of a mail or of a part: its fields in order, unread and undecoded.

use std::borrow::Cow;

/// One header field as it stands in the mail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Field<'a> {
    /// The name, in the case of the mail.
    pub name: &'a [u8],
    /// What follows the colon, with its folds.
    pub value: &'a [u8],
}

/// The fields of a header, in order.
#[derive(Debug, Clone, Default)]
pub struct Header<'a> {
    fields: Vec<Field<'a>>,
}

impl<'a> Header<'a> {
    /// Splits a mail into its header and its body. A `From ` line before the header is passed over.
    pub fn of_mail(bytes: &'a [u8]) -> (Self, &'a [u8]) {
        let mut rest = bytes;
        while let Some((line, after)) = split_line(rest) {
            if !(line.starts_with(b"From ") || line.starts_with(b">From ")) {
                break;
            }
            rest = after;
        }
        Self::of_part(rest)
    }

    /// Splits a part into its header and its body. A blank line ends the header and belongs to neither; a line that is
    /// no field ends it too and is the first of the body.
    pub fn of_part(bytes: &'a [u8]) -> (Self, &'a [u8]) {
        let mut fields: Vec<Field<'a>> = Vec::new();
        let mut rest = bytes;
        let mut value_start = 0;
        while let Some((line, after)) = split_line(rest) {
            if line.is_empty() {
                return (Self { fields }, after);
            }
            let start = bytes.len() - rest.len();
            let end = start + line.len();
            let folded = line.first().is_some_and(|byte| matches!(byte, b' ' | b'\t'));
            if folded && let Some(field) = fields.last_mut() {
                field.value = bytes.get(value_start..end).unwrap_or_default();
            } else if let Some((name, value)) = split_field(line) {
                value_start = end - value.len();
                fields.push(Field { name, value });
            } else {
                break;
            }
            rest = after;
        }
        (Self { fields }, rest)
    }

    /// All fields of this name (in lower case), in order.
    pub fn all<'h>(&'h self, name: &'h str) -> impl Iterator<Item = &'a [u8]> + 'h {
        self.fields
            .iter()
            .filter(move |field| field.name.eq_ignore_ascii_case(name.as_bytes()))
            .map(|field| field.value)
    }

    /// The first field of this name: of headers that stand twice the first counts.
    pub fn first(&self, name: &str) -> Option<&'a [u8]> {
        self.all(name).next()
    }

    /// The first field of this name, unfolded, its bytes read as UTF-8 or else windows-1252, without blanks at its ends.
    pub fn text(&self, name: &str) -> Option<String> {
        let value = unfold(self.first(name)?);
        Some(super::charset::guess(&value).trim().to_owned())
    }

    /// Whether a field of this name stands here.
    pub fn has(&self, name: &str) -> bool {
        self.first(name).is_some()
    }
}

/// Takes the line ends out of a folded value; the blanks that began its further lines stay.
pub fn unfold(value: &[u8]) -> Cow<'_, [u8]> {
    if value.contains(&b'\n') {
        let kept = value.iter().copied().filter(|byte| !matches!(byte, b'\r' | b'\n'));
        Cow::Owned(kept.collect())
    } else {
        Cow::Borrowed(value)
    }
}

/// The first line without its end, and what follows; nothing where no bytes are left.
pub fn split_line(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    if bytes.is_empty() {
        return None;
    }
    let (line, rest) = match bytes.iter().position(|&byte| byte == b'\n') {
        Some(at) => (bytes.get(..at)?, bytes.get(at + 1..)?),
        None => (bytes, &bytes[bytes.len()..]),
    };
    Some((line.strip_suffix(b"\r").unwrap_or(line), rest))
}

fn split_field(line: &[u8]) -> Option<(&[u8], &[u8])> {
    let colon = line.iter().position(|&byte| byte == b':')?;
    let name = line.get(..colon)?.trim_ascii_end();
    let is_name = !name.is_empty() && name.iter().all(|byte| byte.is_ascii_graphic());
    is_name.then_some((name, line.get(colon + 1..)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folds_belong_to_their_field_and_a_stray_line_to_the_body() {
        let mail = b"From alice Mon Jan\nSubject: one\r\n\ttwo\r\nTo : bob\nd4 it is\n\nd4\n";
        let (header, body) = Header::of_mail(mail);
        assert_eq!(header.text("subject").as_deref(), Some("one\ttwo"));
        assert_eq!(header.text("to").as_deref(), Some("bob"));
        assert_eq!(body, b"d4 it is\n\nd4\n");
    }

    #[test]
    fn the_first_of_two_fields_counts() {
        let (header, body) = Header::of_mail(b"X: 1\nx: 2\n\nbody");
        assert_eq!(header.text("X").as_deref(), Some("1"));
        assert_eq!(header.all("x").count(), 2);
        assert_eq!(body, b"body");
    }
}
