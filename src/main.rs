//! The command line: parses it, calls the library, turns errors into exit codes.

use clap::Parser;
use playpost::cli::{self, Cli};
use std::process::ExitCode;

fn main() -> ExitCode {
    // An MTA turns any status but 0 and 75 into a bounce, one for a wrong command line included.
    if std::env::args_os().any(|argument| argument == "deliver") {
        return ExitCode::from(cli::deliver());
    }
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
