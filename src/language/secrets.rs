//! Passwords in lines that are no commands: what somebody mistyped is shown to him again, its password is not.

use super::arguments::{game_at, number};
use super::table;
use super::words::{Word, words};

/// In words. A password stands among the first ones.
const SEARCHED: usize = 12;

/// The line as typed, with what may be a password replaced by `…`.
pub fn hide_passwords(line: &str) -> String {
    let words: Vec<_> = words(line).take(SEARCHED).collect();
    let Some(secret) = words
        .iter()
        .position(|word| word.raw == "…")
        .or_else(|| place_of_password(&words))
    else {
        return line.to_string();
    };
    let Some(word) = words.get(secret) else {
        return line.to_string();
    };
    let mut shown: Vec<_> = words.iter().take(secret).map(|word| word.raw.as_str()).collect();
    shown.push("…");
    let behind = word.behind.trim();
    if !behind.is_empty() {
        shown.push(behind);
    }
    shown.join(" ")
}

/// Where a password stands, if the line looks as if it had one: behind `password`, behind the name in `signup`, and in
/// the older spelling two words behind the number.
fn place_of_password(words: &[Word<'_>]) -> Option<usize> {
    let head = game_at(words).map_or(0, |(_, length, _)| length);
    let place = match table::nearest(&words.get(head)?.text).map(|entry| entry.word) {
        Some("password") => head + 1,
        Some("signup") => head + 2,
        _ => {
            let behind_command = words.get(head + 1..)?;
            head + 1 + behind_command.iter().position(is_numbered)? + 2
        }
    };
    words.get(place).filter(|word| !word.raw.contains('@')).map(|_| place)
}

fn is_numbered(word: &Word<'_>) -> bool {
    let named = word.text.split_once('#').map_or(
        word.text.as_str(),
        |(named, turn)| {
            if named.is_empty() { turn } else { named }
        },
    );
    number(named).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hides_what_may_be_a_password() {
        for (line, shown) in [
            ("susan mve 12 alice secret d44", "susan mve 12 alice … d44"),
            ("move 12 alice secret d4", "move 12 alice … d4"),
            ("susan show 12#7 alice secret now", "susan show 12#7 alice … now"),
            ("pasword my secret", "pasword … secret"),
            ("signup alice secret a b", "signup alice … a b"),
            ("I just sent it", "I just sent it"),
            ("  a5  looks strong", "  a5  looks strong"),
            ("", ""),
        ] {
            assert_eq!(hide_passwords(line), shown);
        }
    }
}
