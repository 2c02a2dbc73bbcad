//! Address lists of header fields (RFC 5322), read without decoding names: only the addresses count.

/// One address of a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mailbox {
    /// As written, but the domain in lower case.
    pub address: String,
    /// Whether it stood in a group (`Friends: a@x, b@x;`).
    pub in_group: bool,
}

/// The addresses of a list and whether all of it could be read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AddressList {
    /// The usable addresses, in order.
    pub mailboxes: Vec<Mailbox>,
    /// Entries that hold no usable address.
    pub unusable: usize,
    /// Whether a group stood in the list, even an empty one.
    pub has_group: bool,
}

impl AddressList {
    /// Reads an unfolded value.
    pub fn parse(value: &str) -> Self {
        let mut reader = Reader::default();
        let mut letters = value.chars();
        while let Some(letter) = letters.next() {
            reader.take(letter, &mut letters);
        }
        reader.end_entry();
        reader.list
    }
}

/// Lower-cases the domain. Nothing unless there is exactly one `@` outside quotes, with something on both sides and no
/// blank.
fn normalise(address: &str) -> Option<String> {
    let address = address.trim();
    let (local, domain) = address.rsplit_once('@')?;
    let quoted = local.len() > 2 && local.starts_with('"') && local.ends_with('"');
    let plain = |part: &str| {
        !part.is_empty() && !part.contains(['@', '"', '<', '>', ',']) && !part.contains(char::is_whitespace)
    };
    let clean = |part: &str| !part.contains(char::is_control);
    let usable = (quoted || plain(local)) && plain(domain) && clean(local) && clean(domain);
    usable.then(|| format!("{local}@{}", domain.to_lowercase()))
}

#[derive(Default)]
struct Reader {
    list: AddressList,
    entry: String,
    angle: Option<String>,
    in_angle: bool,
    in_group: bool,
}

impl Reader {
    fn take(&mut self, letter: char, letters: &mut std::str::Chars<'_>) {
        match letter {
            '"' => self.take_quoted(letters),
            '(' => skip_comment(letters),
            '<' => {
                self.in_angle = true;
                self.angle = Some(String::new());
            }
            '>' => self.in_angle = false,
            // A source route, `<@relay:alice@x>`, and the colon that begins a group.
            ':' if self.in_angle => self.current().clear(),
            ':' => {
                self.in_group = true;
                self.list.has_group = true;
                self.entry.clear();
            }
            ',' if self.in_angle => self.current().clear(),
            ',' => self.end_entry(),
            ';' => {
                self.end_entry();
                self.in_group = false;
            }
            _ => self.current().push(letter),
        }
    }

    fn current(&mut self) -> &mut String {
        match &mut self.angle {
            Some(angle) if self.in_angle => angle,
            _ => &mut self.entry,
        }
    }

    fn take_quoted(&mut self, letters: &mut std::str::Chars<'_>) {
        let current = self.current();
        current.push('"');
        let mut escaped = false;
        for letter in letters {
            current.push(letter);
            match letter {
                _ if escaped => escaped = false,
                '\\' => escaped = true,
                '"' => break,
                _ => {}
            }
        }
    }

    fn end_entry(&mut self) {
        let entry = std::mem::take(&mut self.entry);
        let angle = self.angle.take();
        self.in_angle = false;
        let written = angle.as_deref().unwrap_or(&entry);
        if angle.is_none() && entry.trim().is_empty() {
            return;
        }
        match normalise(written) {
            Some(address) => self.list.mailboxes.push(Mailbox {
                address,
                in_group: self.in_group,
            }),
            None => self.list.unusable += 1,
        }
    }
}

fn skip_comment(letters: &mut std::str::Chars<'_>) {
    let mut depth = 1usize;
    let mut escaped = false;
    for letter in letters {
        match letter {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn addresses(value: &str) -> Vec<String> {
        AddressList::parse(value)
            .mailboxes
            .into_iter()
            .map(|mailbox| mailbox.address)
            .collect()
    }

    #[test]
    fn names_comments_and_groups() {
        assert_eq!(
            addresses("(the first) alice@Example.NET (Alice, of (it))"),
            ["alice@example.net"]
        );
        assert_eq!(
            addresses("\"Example, Alice <carol@x.org>\" <Alice@X.org>"),
            ["Alice@x.org"]
        );
        assert_eq!(
            addresses("Friends: bob@x.org, Carol <carol@x.org>;, d@x.org"),
            ["bob@x.org", "carol@x.org", "d@x.org"]
        );
        assert_eq!(addresses("\"alice at home\"@x.org"), ["\"alice at home\"@x.org"]);
        assert_eq!(addresses("<@relay.x,@b.x:alice@x.org>"), ["alice@x.org"]);
        assert!(AddressList::parse("undisclosed-recipients:;").has_group);
    }

    #[test]
    fn what_is_no_address_is_counted() {
        for value in ["Bob Smith bob@x.org", "bob", "<>", "a@b@c", "@x.org", "a b@x.org"] {
            let list = AddressList::parse(value);
            assert_eq!((list.mailboxes.len(), list.unusable), (0, 1), "{value}");
        }
        assert_eq!(AddressList::parse(" , ").unusable, 0);
    }
}
