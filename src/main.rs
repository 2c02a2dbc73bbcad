//! The command line: parses it, calls the library, turns errors into exit codes.

use clap::Parser;
use playpost::cli::{self, Cli};
use std::process::ExitCode;

fn main() -> ExitCode {
    match cli::run(&Cli::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            if let Some(message) = failure.message() {
                eprintln!("{message}");
            }
            ExitCode::from(failure.exit_code())
        }
    }
}
