//! Arguments of the commands about an account.

use super::super::command::Command;
use super::{Arguments, address, is_date_like, keyword};

/// `signup NAME [PASSWORD] [ADDRESS …]`. The name is judged later, so that the answer can say what is wrong with it.
pub(in crate::language) fn signup(arguments: &mut Arguments<'_, '_>) -> Option<Command> {
    let userid = arguments.next()?.text.trim_end_matches(',').to_string();
    arguments.rendering.push(&userid);
    let mut password = None;
    let mut addresses = Vec::new();
    while let Some(word) = arguments.next() {
        if let Some(address) = address(&word.text) {
            arguments.rendering.push(&address);
            addresses.push(address);
        } else if password.is_none() && addresses.is_empty() {
            arguments.rendering.push_secret(&word.raw);
            password = Some(word.raw.to_string());
        } else {
            return None;
        }
    }
    Some(Command::Signup {
        userid,
        password,
        addresses,
    })
}

pub(in crate::language) fn set(arguments: &mut Arguments<'_, '_>) -> Option<Command> {
    const ONE_WORD: [&str; 7] = ["language", "timezone", "mail", "board", "html", "picture", "autoaccept"];
    const SEVERAL_WORDS: [&str; 2] = ["reminders", "limit"];
    if arguments.is_empty() {
        return Some(Command::Set { setting: None });
    }
    let key = &arguments.next()?.text;
    let keys = [&ONE_WORD[..], &SEVERAL_WORDS[..]].concat();
    let key = keyword(key, &keys)?;
    let words = arguments.words.len();
    if words == 0 || (words > 1 && ONE_WORD.contains(&key)) {
        return None;
    }
    let value = arguments.rest();
    arguments.rendering.push(key);
    arguments.rendering.push(&value);
    Some(Command::Set {
        setting: Some((key.to_string(), value)),
    })
}

pub(in crate::language) fn password(arguments: &mut Arguments<'_, '_>) -> Option<Command> {
    let word = arguments.only()?;
    if word.text == "off" {
        arguments.rendering.push("off");
        return Some(Command::Password { new: None });
    }
    arguments.rendering.push_secret(&word.raw);
    Some(Command::Password {
        new: Some(word.raw.to_string()),
    })
}

pub(in crate::language) fn vacation(arguments: &mut Arguments<'_, '_>) -> Option<Command> {
    let texts: Vec<_> = arguments.words.iter().map(|word| &*word.text).collect();
    match texts[..] {
        [] => Some(Command::Vacation),
        ["off"] => {
            arguments.words = &[];
            arguments.rendering.push("off");
            Some(Command::VacationOff)
        }
        [first, "to", last] if is_date_like(first) && is_date_like(last) => {
            let command = Command::VacationFrom {
                first: first.to_string(),
                last: last.to_string(),
            };
            let piece = arguments.rest();
            arguments.rendering.push(&piece);
            Some(command)
        }
        _ => None,
    }
}
