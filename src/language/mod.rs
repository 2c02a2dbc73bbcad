//! LANGUAGE: the one table of commands, and text to command. No input or output.
//!
//! What was typed and what it means are two types: a [`Line`] keeps both.

mod command;

pub use command::{Command, Credentials, GameFilter, Line, MatchOptions, MatchRef, Opponent};
