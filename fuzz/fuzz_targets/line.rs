//! A Subject and typed text to commands.
#![no_main]

use libfuzzer_sys::fuzz_target;
use playpost::language::{MOST_COMMANDS, letter};

fuzz_target!(|input: (&str, bool, &str)| {
    let (subject, is_reply, typed) = input;
    let letter = letter(subject, is_reply, typed);
    assert!(letter.lines.len() <= MOST_COMMANDS);
    assert!(letter.unread.is_none() || letter.lines.is_empty());
});
