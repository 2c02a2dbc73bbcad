//! `playpost admin player`: accounts.

use super::Desk;
use crate::cli::Failure;
use clap::Subcommand;

#[derive(Debug, Subcommand)]
pub(super) enum PlayerCommand {
    /// Let a player's mails change nothing
    Block { userid: String },
    /// Let a blocked player in again
    Unblock { userid: String },
    /// Give a player another name, in finished matches too
    Rename { userid: String, name: String },
    /// Give everything of one account to another and close the first
    Merge { from: String, into: String },
    /// Take the proof from all mails that went to a player before
    Newkey { userid: String },
    /// Close an account as if its owner had signed off
    Forget { userid: String },
}

pub(super) fn run(desk: &mut Desk, command: &PlayerCommand) -> Result<(), Failure> {
    let Desk {
        server, store, by, now, ..
    } = desk;
    let now = *now;
    match command {
        PlayerCommand::Block { userid } => server.bar(store, userid, true, by, now)?,
        PlayerCommand::Unblock { userid } => server.bar(store, userid, false, by, now)?,
        PlayerCommand::Rename { userid, name } => server.rename(store, userid, name, by, now)?,
        PlayerCommand::Merge { from, into } => server.merge(store, from, into, by, now)?,
        PlayerCommand::Newkey { userid } => server.new_key(store, userid, by, now)?,
        PlayerCommand::Forget { userid } => server.forget(store, userid, by, now)?,
    }
    Ok(())
}
