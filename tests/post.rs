//! The transports against real parts from Debian's packages, on loopback with directories and ports of their own.
//!
//! Where a part is not installed its tests say `skipped` and pass; with `PLAYPOST_REAL_PARTS=required`, as `.ci/run` sets
//! it, they fail.

#[path = "post/parts.rs"]
mod parts;

#[path = "post/filters.rs"]
mod filters;
#[path = "post/imap.rs"]
mod imap;
#[path = "post/lmtp.rs"]
mod lmtp;
#[path = "post/postfix.rs"]
mod postfix;
#[path = "post/smtp.rs"]
mod smtp;
