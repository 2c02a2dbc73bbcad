//! Keys that people type or paste: they prove who writes, and must not be passed on.

use super::ServerAddress;

/// Letters of a key, of the secret part of a Message-ID: 128 bits in base32.
const KEY_LENGTH: usize = 26;

impl ServerAddress {
    /// The text with the keys in it taken out: addresses of this server with a reply or bounce key become its plain
    /// address, and Message-IDs of its mails lose what stands before the `@`.
    pub fn without_keys(&self, text: &str) -> String {
        let mut clean = String::with_capacity(text.len());
        let mut rest = text;
        while let Some(at) = rest.find('@') {
            let (before, behind) = rest.split_at(at);
            let local = before.len() - before.trim_end_matches(is_local).len();
            let (kept, local) = before.split_at(before.len() - local);
            let domain = behind.get(1..=self.domain().len()).unwrap_or_default();
            clean.push_str(kept);
            clean.push_str(&self.without_key(local, domain));
            clean.push('@');
            rest = behind.get(1..).unwrap_or_default();
        }
        clean.push_str(rest);
        clean
    }

    /// What may stand before the `@`.
    fn without_key(&self, local: &str, domain: &str) -> String {
        let address = format!("{}@{domain}", local.replace("%2B", "+").replace("%2b", "+"));
        if self.key_in(&address).is_some() || self.bounce_key_in(&address).is_some() {
            return self.base().to_string();
        }
        let secret = self.secret_in(&address).filter(|secret| secret.len() == KEY_LENGTH);
        if secret.is_some_and(|secret| secret.bytes().all(|letter| letter.is_ascii_alphanumeric())) {
            return "…".to_string();
        }
        local.to_string()
    }
}

/// Letters of the part before the `@`, as the server makes it, and of a `+` in a link.
fn is_local(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || matches!(letter, '+' | '-' | '.' | '_' | '%')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_taken_out_and_nothing_else() {
        let server = ServerAddress::new("play@example.org").unwrap();
        let key = "abcdefghijklmnopqrstuvwxyz";
        for (text, clean) in [
            (format!("to play+{key}@example.org."), "to play@example.org."),
            (
                format!("<Play+{}@EXAMPLE.org>", key.to_uppercase()),
                "<play@EXAMPLE.org>",
            ),
            (
                format!("mailto:play%2B{key}@example.org?subject=d4"),
                "mailto:play@example.org?subject=d4",
            ),
            (format!("play+bounce-{key}@example.org"), "play@example.org"),
            (format!("<match.12.7.{key}@example.org>"), "<…@example.org>"),
            (
                format!("play+{key}@example.com"),
                "play+abcdefghijklmnopqrstuvwxyz@example.com",
            ),
            (
                "play@example.org me@example.org a.b@example.org".into(),
                "play@example.org me@example.org a.b@example.org",
            ),
            ("@ @@ 한@국 @example.org".into(), "@ @@ 한@국 @example.org"),
            (String::new(), ""),
        ] {
            assert_eq!(server.without_keys(&text), clean);
        }
    }
}
