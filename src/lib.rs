//! Playpost lets people play abstract board games with each other by e-mail.
//!
//! The rooms of the house, from the ground up; a room uses only rooms below it (see ARCHITECTURE.md):
//!
//! * [`games`](mod@games): the rules. No mail, no store, no clock, no chance.
//! * [`language`](mod@language): the one table of commands; text to command.
//! * [`mail`](mod@mail): bytes to meaning and back. No input or output.
//! * [`matches`](mod@matches): a pure state machine over a game: seats, clock, offers, result.
//! * [`store`](mod@store): SQLite.
//! * [`letters`](mod@letters): what happened, in words a player reads.
//! * [`archive`](mod@archive): finished matches out to records and back.
//! * [`server`](mod@server): one mail is one transaction.
//! * [`post`](mod@post): carries mails between the world and the server.
//! * [`cli`](mod@cli): one file a subcommand.

pub mod archive;
pub mod cli;
pub mod config;
pub mod games;
pub mod language;
pub mod letters;
pub mod mail;
pub mod matches;
pub mod post;
pub mod server;
pub mod span;
pub mod store;
