//! How the transports say the envelope of a mail: in options, in the environment, in lines before the header.

use std::ffi::OsString;

use crate::server::Envelope;

impl Envelope {
    /// The envelope from options, and what they leave open from the environment as MTAs set it: Postfix's local(8), Exim and
    /// OpenSMTPD say `SENDER`, `RECIPIENT` and `ORIGINAL_RECIPIENT`; the address is also put together from `LOCAL_PART` (or `LOCAL`),
    /// `LOCAL_PART_SUFFIX` (or `EXTENSION`) and `DOMAIN`, since some hand on a `RECIPIENT` that has lost its `+KEY`.
    pub fn from_options(
        sender: Option<&str>,
        recipients: &[String],
        variable: impl Fn(&str) -> Option<OsString>,
    ) -> Self {
        let variable = |name: &str| variable(name).and_then(|value| value.into_string().ok());
        let sender = sender.map(str::to_string).or_else(|| variable("SENDER"));
        let recipients = if recipients.is_empty() {
            recipients_from(&variable)
        } else {
            recipients.iter().filter_map(|text| bare_address(text)).collect()
        };
        Envelope {
            sender: sender.map(|text| bare_address(&text).unwrap_or_default()),
            recipients,
        }
    }

    /// The envelope as the MTA wrote it into the mail: the first `Return-Path`, and every `Delivered-To`, `X-Original-To` and
    /// `Envelope-To`.
    pub fn from_trace(raw: &[u8]) -> Self {
        let mut envelope = Envelope::default();
        for line in raw.split(|&byte| byte == b'\n') {
            let line = line.trim_ascii_end();
            if line.is_empty() {
                break;
            }
            let Some((name, value)) = line.iter().position(|&byte| byte == b':').map(|at| line.split_at(at)) else {
                continue;
            };
            let Ok(value) = std::str::from_utf8(&value[1..]) else {
                continue;
            };
            match name.to_ascii_lowercase().as_slice() {
                b"return-path" if envelope.sender.is_none() => {
                    envelope.sender = Some(bare_address(value).unwrap_or_default());
                }
                b"delivered-to" | b"x-original-to" | b"envelope-to" => envelope.add_recipients(value),
                _ => {}
            }
        }
        envelope
    }

    /// The lines that an MTA would put before the mail, each with `line_end`.
    pub fn to_trace(&self, line_end: &str) -> String {
        let mut lines = String::new();
        if let Some(sender) = &self.sender {
            lines.push_str(&format!("Return-Path: <{}>{line_end}", one_line(sender)));
        }
        for recipient in &self.recipients {
            lines.push_str(&format!("Delivered-To: {}{line_end}", one_line(recipient)));
        }
        lines
    }

    fn add_recipients(&mut self, list: &str) {
        for address in list.split(',').filter_map(bare_address) {
            if !self.recipients.contains(&address) {
                self.recipients.push(address);
            }
        }
    }
}

fn recipients_from(variable: &impl Fn(&str) -> Option<String>) -> Vec<String> {
    let mut envelope = Envelope::default();
    for name in ["ORIGINAL_RECIPIENT", "RECIPIENT"] {
        if let Some(address) = variable(name) {
            envelope.add_recipients(&address);
        }
    }
    if let Some(address) = assembled(variable) {
        envelope.add_recipients(&address);
    }
    envelope.recipients
}

/// `local+extension@domain` from its parts, where all three are said.
fn assembled(variable: &impl Fn(&str) -> Option<String>) -> Option<String> {
    let local = variable("LOCAL_PART").or_else(|| variable("LOCAL"))?;
    let domain = variable("DOMAIN")?;
    let suffix = variable("LOCAL_PART_SUFFIX").or_else(|| variable("EXTENSION"))?;
    // Exim's suffix begins with its delimiter, the extension of the others does not.
    let extension = suffix.trim_start_matches('+');
    if extension.is_empty() || local.contains('+') {
        return None;
    }
    Some(format!("{local}+{extension}@{domain}"))
}

/// The address without white space and angle brackets around it; `None` where nothing is left.
fn bare_address(text: &str) -> Option<String> {
    let text = text.trim();
    let bare = text
        .strip_prefix('<')
        .and_then(|rest| rest.strip_suffix('>'))
        .unwrap_or(text)
        .trim();
    (!bare.is_empty()).then(|| bare.to_string())
}

/// No address brings a line of its own into a header.
fn one_line(text: &str) -> String {
    text.chars().filter(|c| !c.is_control()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn from_environment(pairs: &[(&str, &str)]) -> Envelope {
        Envelope::from_options(None, &[], |name| {
            pairs
                .iter()
                .find(|(known, _)| *known == name)
                .map(|(_, value)| OsString::from(value))
        })
    }

    #[test]
    fn options_come_before_the_environment() {
        let envelope = Envelope::from_options(Some("<a@x>"), &["<play+k@y>".to_string()], |_| Some("other@z".into()));
        assert_eq!(envelope.sender.as_deref(), Some("a@x"));
        assert_eq!(envelope.recipients, ["play+k@y"]);
    }

    #[test]
    fn the_environment_of_each_mta_gives_the_key() {
        let postfix = [
            ("SENDER", "a@x"),
            ("RECIPIENT", "play@y"),
            ("ORIGINAL_RECIPIENT", "play+K@y"),
        ];
        let exim = [("LOCAL_PART", "play"), ("LOCAL_PART_SUFFIX", "+K"), ("DOMAIN", "y")];
        let opensmtpd = [
            ("LOCAL", "play"),
            ("EXTENSION", "K"),
            ("DOMAIN", "y"),
            ("RECIPIENT", "play+K@y"),
        ];
        for environment in [&postfix[..], &exim[..], &opensmtpd[..]] {
            let envelope = from_environment(environment);
            assert!(envelope.recipients.contains(&"play+K@y".to_string()), "{envelope:?}");
        }
    }

    #[test]
    fn an_empty_sender_is_not_an_unknown_one() {
        assert_eq!(from_environment(&[("SENDER", "")]).sender.as_deref(), Some(""));
        assert_eq!(from_environment(&[("SENDER", "<>")]).sender.as_deref(), Some(""));
        assert_eq!(from_environment(&[]).sender, None);
    }

    #[test]
    fn the_trace_is_read_as_it_was_written() {
        let envelope = Envelope {
            sender: Some(String::new()),
            recipients: vec!["play+k@y".to_string(), "play@y".to_string()],
        };
        for line_end in ["\n", "\r\n"] {
            let mail = format!(
                "{}Subject: x{line_end}{line_end}Delivered-To: no@y",
                envelope.to_trace(line_end)
            );
            assert_eq!(Envelope::from_trace(mail.as_bytes()), envelope);
        }
        assert_eq!(Envelope::from_trace(b"Subject: x\n\nbody"), Envelope::default());
        assert_eq!(Envelope::from_trace(b"\xff\xfe: \xff\n:\n"), Envelope::default());
    }

    #[test]
    fn no_address_brings_a_line_of_its_own() {
        let envelope = Envelope {
            sender: Some("a@x\r\nSubject: y".to_string()),
            recipients: vec!["b@x\nSubject: y".to_string()],
        };
        assert_eq!(envelope.to_trace("\n").lines().count(), 2);
    }
}
