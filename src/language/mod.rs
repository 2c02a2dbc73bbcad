//! LANGUAGE: the one table of commands, and text to command. No input or output.
//!
//! What was typed and what it means are two types: a [`Line`] keeps both.

mod arguments;
mod command;
mod entry;
mod greeting;
mod keywords;
mod letter;
mod line;
mod lookup;
mod script;
mod secrets;
mod table;
mod turns;
mod userid;
mod words;

pub use command::{Command, Credentials, GameFilter, Line, MatchOptions, MatchRef, Opponent};
pub use entry::{Access, Entry, Older, Section, When};
pub use letter::{Letter, MOST_COMMANDS, Source, letter};
pub use line::{NotACommand, is_command, read_line, read_line_for};
pub use lookup::find_command;
pub use script::language_written;
pub use secrets::hide_passwords;
pub use table::COMMANDS;
pub use userid::{BadUserid, USERID_LENGTH, check_userid};
