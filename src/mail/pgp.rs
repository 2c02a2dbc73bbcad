//! The armour of OpenPGP (RFC 9580, 6.2 and 7) in a text part.

/// What a text is once its armour is taken off.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unarmoured {
    /// The text without armour, dash-escapes undone.
    pub text: String,
    /// Whether an encrypted block stood in it (and was taken out).
    pub encrypted: bool,
}

const BEGIN: &str = "-----BEGIN PGP ";
const END: &str = "-----END PGP ";

/// Takes off the armour of a signature, and takes out keys and encrypted blocks.
pub fn unarmour(text: String) -> Unarmoured {
    if !text.contains(BEGIN) {
        return Unarmoured { text, encrypted: false };
    }
    let mut state = State::Outside;
    let mut encrypted = false;
    let mut kept: Vec<&str> = Vec::new();
    for line in text.split('\n') {
        let bare = line.trim_end();
        if let Some(name) = bare.strip_prefix(BEGIN) {
            encrypted |= name.starts_with("MESSAGE");
            state = if name.starts_with("SIGNED MESSAGE") {
                State::SignedHeader
            } else {
                State::Block
            };
            continue;
        }
        match state {
            State::Outside => kept.push(line),
            State::SignedHeader if bare.is_empty() => state = State::Signed,
            State::SignedHeader => {}
            State::Signed => kept.push(line.strip_prefix("- ").unwrap_or(line)),
            State::Block if bare.starts_with(END) => state = State::Outside,
            State::Block => {}
        }
    }
    Unarmoured {
        text: kept.join("\n"),
        encrypted,
    }
}

#[derive(Clone, Copy)]
enum State {
    Outside,
    SignedHeader,
    Signed,
    Block,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_signed_text_is_left() {
        let text = "-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\nd4\n- -- \nAlice\n-----BEGIN PGP SIGNATURE-----\n\nresign\n-----END PGP SIGNATURE-----\nafter";
        let read = unarmour(text.to_owned());
        assert_eq!(
            read,
            Unarmoured {
                text: "d4\n-- \nAlice\nafter".to_owned(),
                encrypted: false
            }
        );
    }

    #[test]
    fn an_encrypted_block_is_told() {
        let read = unarmour("-----BEGIN PGP MESSAGE-----\n\nhQ\n-----END PGP MESSAGE-----\n".to_owned());
        assert!(read.encrypted);
        assert_eq!(read.text.trim(), "");
    }
}
