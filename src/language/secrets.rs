//! Passwords in lines that are no commands: what somebody mistyped is shown to him again, its password is not.

use super::arguments::{Rendering, number, userid_like};
use super::line::reference;
use super::lookup;
use super::turns;
use super::words::{Word, words};

/// In words. A password stands among the first ones.
const SEARCHED: usize = 12;

/// The line as typed, with what may be a password replaced by `…`.
pub fn hide_passwords(line: &str) -> String {
    let words: Vec<_> = words(line).take(SEARCHED).collect();
    let Some((place, secret)) = place_of_password(&words).and_then(|place| Some((place, words.get(place)?))) else {
        return line.to_string();
    };
    let mut shown: Vec<_> = words.iter().take(place).map(|word| &*word.raw).collect();
    shown.push("…");
    let behind = secret.behind.trim();
    if !behind.is_empty() {
        shown.push(behind);
    }
    shown.join(" ")
}

/// Where a password stands, if the line looks as if it had one: behind `password`, behind the name in `signup`, and
/// behind the name in a challenge or a line about a match.
fn place_of_password(words: &[Word<'_>]) -> Option<usize> {
    let (_, rest) = reference(words, &mut Rendering::default());
    let head = words.len() - rest.len();
    let (command, behind) = rest.split_first()?;
    let nearest = lookup::nearest(&command.text).map(|entry| entry.word);
    let is_challenge = nearest == Some("challenge");
    match nearest {
        Some("password") => return Some(head + 1),
        Some("signup") => return behind.get(1).filter(|word| !word.raw.contains('@')).map(|_| head + 2),
        _ => {}
    }
    if let Some(number) = behind.iter().position(is_numbered) {
        return Some(head + 1 + number + 2);
    }
    if is_challenge && head > 0 {
        let mut names = behind
            .iter()
            .enumerate()
            .filter(|(_, word)| !word.text.starts_with('-'));
        return names.nth(1).map(|(place, _)| head + 1 + place);
    }
    let is_name = |word: &Word<'_>| userid_like(word).is_some();
    let is_turn = |words: &[Word<'_>]| {
        let texts: Vec<_> = words.iter().map(|word| &*word.text).collect();
        turns::read(None, &texts.join(" ")).is_some()
    };
    match rest {
        // The command was forgotten: `susan 12 alice secret d4`.
        [name, _, turn @ ..] if head > 0 && is_name(name) && is_turn(turn) => Some(head + 1),
        // The number stands before the command: `susan 12 move alice secret d4`.
        [_, name, _, ..] if head > 0 && is_name(name) => Some(head + 2),
        _ => None,
    }
}

fn is_numbered(word: &Word<'_>) -> bool {
    let named = word
        .text
        .split_once('#')
        .map_or(&*word.text, |(named, turn)| if named.is_empty() { turn } else { named });
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
            ("#12 move alice secret d4", "#12 move alice … d4"),
            ("susan 12 alice secret d4", "susan 12 alice … d4"),
            ("signup alice a@b.net c", "signup alice a@b.net c"),
            (
                "susan challange -large alice secret bob?",
                "susan challange -large alice … bob?",
            ),
            ("susan resign 12 alice", "susan resign 12 alice"),
            ("I just sent it", "I just sent it"),
            ("  a5  looks strong", "  a5  looks strong"),
            ("", ""),
        ] {
            assert_eq!(hide_passwords(line), shown);
        }
    }
}
