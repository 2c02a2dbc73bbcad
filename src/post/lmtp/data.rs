/// Reads the text of a mail after DATA, byte by byte, to its end `CR LF . CR LF` and to no other.
///
/// A bare LF is no line end: whoever took it for one would see an end, and commands behind it, where the MTA before us
/// saw text ("SMTP smuggling"). A mail with one is read to its real end and then refused.
#[derive(Debug)]
pub(super) struct DataReader {
    state: State,
    max_bytes: usize,
    /// The text so far without the dots that were put before dots, and at most one byte more than the limit.
    text: Vec<u8>,
    bare_lf: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// After CR LF, or before the first byte.
    LineStart,
    /// After a dot at the start of a line.
    Dot,
    /// After a dot at the start of a line and CR.
    DotCr,
    /// Somewhere in a line.
    Inside,
    /// After CR in a line.
    Cr,
    /// After the end.
    End,
}

/// Why the text is no mail that is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Refusal {
    TooLarge,
    BareLf,
}

impl DataReader {
    pub(super) fn new(max_bytes: usize) -> Self {
        DataReader {
            state: State::LineStart,
            max_bytes,
            text: Vec::new(),
            bare_lf: false,
        }
    }

    /// Reads as much of `bytes` as belongs to the text, and says how many those are.
    pub(super) fn read(&mut self, bytes: &[u8]) -> usize {
        for (index, &byte) in bytes.iter().enumerate() {
            self.step(byte);
            if self.is_at_end() {
                return index + 1;
            }
        }
        bytes.len()
    }

    pub(super) fn is_at_end(&self) -> bool {
        self.state == State::End
    }

    /// The text, or why it is refused.
    pub(super) fn finish(self) -> Result<Vec<u8>, Refusal> {
        if self.bare_lf {
            Err(Refusal::BareLf)
        } else if self.text.len() > self.max_bytes {
            Err(Refusal::TooLarge)
        } else {
            Ok(self.text)
        }
    }

    fn step(&mut self, byte: u8) {
        self.state = match (self.state, byte) {
            (State::LineStart, b'.') => State::Dot,
            (State::Dot, b'\r') => State::DotCr,
            (State::DotCr, b'\n') => State::End,
            (State::DotCr, _) => {
                self.push(b'\r');
                self.inside(byte, true)
            }
            (state, _) => self.inside(byte, state == State::Cr),
        };
    }

    /// A byte of text; `after_cr` when a CR stands before it.
    fn inside(&mut self, byte: u8, after_cr: bool) -> State {
        self.push(byte);
        match byte {
            b'\n' if after_cr => State::LineStart,
            b'\n' => {
                self.bare_lf = true;
                State::Inside
            }
            b'\r' => State::Cr,
            _ => State::Inside,
        }
    }

    fn push(&mut self, byte: u8) {
        if self.text.len() <= self.max_bytes {
            self.text.push(byte);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The text and what was left over, fed in two pieces at every place.
    fn read(wire: &[u8]) -> (Result<Vec<u8>, Refusal>, Vec<u8>) {
        let mut results = (0..=wire.len()).map(|middle| {
            let mut reader = DataReader::new(100);
            let mut used = 0;
            for piece in [&wire[..middle], &wire[middle..]] {
                if !reader.is_at_end() {
                    used += reader.read(piece);
                }
            }
            assert!(reader.is_at_end(), "{}", wire.escape_ascii());
            (reader.finish(), wire[used..].to_vec())
        });
        let first = results.next().unwrap();
        assert!(results.all(|other| other == first));
        first
    }

    fn text(wire: &str) -> String {
        let (text, rest) = read(wire.as_bytes());
        assert_eq!(rest, b"");
        String::from_utf8(text.unwrap()).unwrap()
    }

    #[test]
    fn dots_before_dots_go_and_the_end_is_no_text() {
        assert_eq!(text("a\r\n.\r\n"), "a\r\n");
        assert_eq!(text("..a\r\n...\r\n.b\r\n.\r\n"), ".a\r\n..\r\nb\r\n");
        assert_eq!(text(".\r\n"), "");
        assert_eq!(text("a\rb\r\r\n.\r\n"), "a\rb\r\r\n");
        assert_eq!(text(".\ra\r\n.\r\n"), "\ra\r\n");
    }

    #[test]
    fn what_follows_is_left() {
        assert_eq!(
            read(b"a\r\n.\r\nQUIT\r\n"),
            (Ok(b"a\r\n".to_vec()), b"QUIT\r\n".to_vec())
        );
    }

    #[test]
    fn no_end_but_the_real_one_ends_it_and_bare_lf_is_refused() {
        for smuggled in [
            "a\n.\nMAIL",
            "a\n.\r\nMAIL",
            "a\r\n.\nMAIL",
            "a\r.\r\nMAIL\n",
            "\n.\r\nMAIL",
        ] {
            let (outcome, rest) = read(format!("{smuggled}\r\n.\r\n").as_bytes());
            assert_eq!((outcome, rest), (Err(Refusal::BareLf), vec![]), "{smuggled:?}");
        }
    }

    #[test]
    fn too_much_is_read_to_its_end_and_refused() {
        let (outcome, rest) = read(format!("{}\r\n.\r\nQUIT", "x".repeat(150)).as_bytes());
        assert_eq!((outcome, rest), (Err(Refusal::TooLarge), b"QUIT".to_vec()));
        assert_eq!(text(&format!("{}\r\n.\r\n", "x".repeat(98))).len(), 100);
    }
}
