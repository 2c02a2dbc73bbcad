//! The keeper's command line, through the binary.

mod admin;
mod archive;
mod support;
