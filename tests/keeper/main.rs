//! The keeper's command line, through the binary.

mod admin;
mod archive;
mod init;
mod support;
