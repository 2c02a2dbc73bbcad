//! The program as daemon, from cron and at the end of a pipe, and its transports against real parts from Debian's packages, on loopback with directories and ports of their own.
//!
//! Where a part is not installed its tests say `skipped` and pass; with `PLAYPOST_REAL_PARTS=required`, as `.ci/run` sets
//! it, they fail.

#[path = "post/house.rs"]
mod house;
#[path = "post/parts.rs"]
mod parts;
#[path = "parts/program.rs"]
mod program;

#[path = "post/crowd.rs"]
mod crowd;
#[path = "post/disk.rs"]
mod disk;
#[path = "post/examples.rs"]
mod examples;
#[path = "post/filters.rs"]
mod filters;
#[path = "post/game.rs"]
mod game;
#[path = "post/imap.rs"]
mod imap;
#[path = "post/lmtp.rs"]
mod lmtp;
#[path = "post/postfix.rs"]
mod postfix;
#[path = "post/serve.rs"]
mod serve;
#[path = "post/smtp.rs"]
mod smtp;
