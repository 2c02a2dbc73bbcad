//! The keeper's command line, through the binary.

mod admin;
mod archive;
mod browser;
mod init;
mod positions;
#[path = "../parts/program.rs"]
mod program;
mod simulated;
mod site;
mod support;
