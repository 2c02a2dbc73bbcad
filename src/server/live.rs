//! Matches between the store and the state machine.

use super::sayings::Saying;
use super::{Result, ServerError};
use crate::archive;
use crate::games::{Seat, Table};
use crate::matches::{Action, Actor, Done, Entry, Happening, Head, Mark, Match, Refused, Status, Window};
use crate::store::{ArchivedRow, MatchRow, PlayerId, Stood, StoredEvent, Tx};

/// A match in memory, with the events that the store does not have yet.
pub struct Live {
    game: Match,
    /// By seat; empty where an imported record names people without accounts.
    players: Vec<PlayerId>,
    fresh: Vec<Entry>,
    is_new: bool,
    touched: bool,
    finished_before: bool,
}

impl Live {
    /// Reads a match, running or archived, and replays it. `None` where there is none of that number.
    ///
    /// # Errors
    ///
    /// [`ServerError::Broken`] when its events do not replay under the present rules.
    pub fn read(tx: &Tx, number: u32) -> Result<Option<Live>> {
        let Some(stored) = tx.stored_match(number)? else {
            return Ok(None);
        };
        let game = archive::replay(&stored).map_err(|why| ServerError::Broken(format!("match {number}: {why}")))?;
        Ok(Some(Live {
            game,
            players: stored.players,
            fresh: Vec::new(),
            is_new: false,
            touched: false,
            finished_before: stored.finished,
        }))
    }

    /// As [`Live::read`], but a match that does not replay is set aside, and reads as none.
    pub(super) fn load(tx: &Tx, number: u32) -> Result<Option<Live>> {
        match Live::read(tx, number) {
            Err(ServerError::Broken(why)) => {
                tracing::error!(number, why, "a match is set aside");
                tx.set_trouble(number, Some(&why))?;
                Ok(None)
            }
            other => other,
        }
    }

    /// A match that begins now.
    pub(super) fn begin(head: Head, players: Vec<PlayerId>) -> Result<Live> {
        let game = Match::begin(head).map_err(|fault| ServerError::Broken(format!("a match cannot begin: {fault}")))?;
        Ok(Live {
            game,
            players,
            fresh: Vec::new(),
            is_new: true,
            touched: false,
            finished_before: false,
        })
    }

    pub fn game(&self) -> &Match {
        &self.game
    }

    pub fn number(&self) -> u32 {
        self.game.number()
    }

    /// By seat; empty where an imported record names people without accounts.
    pub fn players(&self) -> &[PlayerId] {
        &self.players
    }

    pub fn userids(&self) -> &[String] {
        &self.game.head().players
    }

    pub fn userid_at(&self, seat: Seat) -> String {
        self.game.player(seat).to_string()
    }

    pub fn table(&self) -> &dyn Table {
        self.game.table()
    }

    /// Whether the match stood in the archive when it was read.
    pub fn finished_before(&self) -> bool {
        self.finished_before
    }

    pub(super) fn seat_of(&self, player: PlayerId) -> Option<Seat> {
        let seat = self.players.iter().position(|other| *other == player)?;
        Some(Seat(seat as u8))
    }

    /// The player to move.
    pub(super) fn player_to_move(&self) -> Option<PlayerId> {
        self.players.get(self.game.to_move()?.index()).copied()
    }

    /// Lets the time that has passed have its effects.
    pub(super) fn tick(&mut self, now: i64) -> Vec<Happening> {
        let done = self.game.tick(now);
        self.keep(done)
    }

    pub(super) fn act(
        &mut self,
        now: i64,
        actor: Actor,
        action: Action,
    ) -> std::result::Result<Vec<Happening>, Refused> {
        let mut happened = self.tick(now);
        let done = self.game.act(now, actor, action)?;
        happened.extend(self.keep(done));
        Ok(happened)
    }

    /// The vacations of a seat's player, as they are known now.
    pub(super) fn set_vacation(&mut self, now: i64, seat: Seat, windows: Vec<Window>) -> Vec<Happening> {
        self.act(now, Actor::Server, Action::Vacation { seat, windows })
            .unwrap_or_default()
    }

    /// The server was away in this window: the clocks stood still, whatever else has not been counted yet.
    pub(super) fn make_up(&mut self, now: i64, window: Window) {
        if let Ok(done) = self.game.act(now, Actor::Server, Action::Outage { window }) {
            self.keep(done);
        }
        self.touched = true;
    }

    /// The derived columns are to be written anew.
    pub(super) fn touch(&mut self) {
        self.touched = true;
    }

    /// The last turn as something to tell again.
    pub(super) fn last_turn_again(&self) -> Option<Saying> {
        let turn = self.game.turns().last()?;
        Some(Saying::Happened(Happening::Turn {
            number: self.game.turn(),
            seat: turn.seat,
            text: turn.text.clone(),
            effects: self.game.table().last_effects().to_vec(),
            by_condition: false,
        }))
    }

    fn keep(&mut self, done: Done) -> Vec<Happening> {
        self.fresh.extend(done.entries);
        done.happened
    }

    /// Writes what is new: events and derived columns; a match that has finished moves to the archive. `marks` are the reminder
    /// marks of the player to move. Gives whether the match has finished by this.
    pub(super) fn save(&mut self, tx: &Tx, marks: &[Mark]) -> Result<bool> {
        if !self.is_new && !self.touched && self.fresh.is_empty() {
            return Ok(false);
        }
        if self.finished_before {
            let events = self.fresh_events()?;
            tx.append_to_archived(self.number(), &events)?;
            return Ok(false);
        }
        let row = self.row(marks);
        if self.is_new {
            let head = serde_json::to_string(self.game.head())?;
            tx.add_match(&row, &head, &self.players)?;
            self.is_new = false;
        }
        let events = self.fresh_events()?;
        tx.append_events(self.number(), &events)?;
        if self.game.is_over() {
            self.archive(tx)?;
            return Ok(true);
        }
        tx.set_match_row(&row)?;
        Ok(false)
    }

    /// The events that the store does not have yet, in its form.
    fn fresh_events(&mut self) -> Result<Vec<StoredEvent>> {
        let events = self.fresh.drain(..).map(|entry| archive::event(&entry));
        Ok(events.collect::<crate::store::Result<_>>()?)
    }

    /// The derived columns.
    pub(super) fn row(&self, marks: &[Mark]) -> MatchRow {
        MatchRow {
            number: self.number(),
            game: self.game.head().terms.game.clone(),
            status: status_name(self.game.status()).to_string(),
            turn: self.game.turn(),
            to_move: self.player_to_move(),
            deadline: self.game.deadline(),
            wake: self.game.next_wake(marks),
            started: self.game.head().started,
            private: self.game.head().terms.private,
            trouble: None,
        }
    }

    fn archive(&mut self, tx: &Tx) -> Result<()> {
        let Some(stored) = tx.stored_match(self.number())? else {
            return Ok(());
        };
        let (Some(row), won) = (self.archived_row(), self.won()) else {
            return Ok(());
        };
        tx.archive_match(&row, &stored.head, &stored.events, &self.players, &won)?;
        tx.set_positions(self.number(), archive::FORM, &self.positions())?;
        self.finished_before = true;
        Ok(())
    }

    /// What the archive keeps beside the match; `None` while it goes on.
    pub fn archived_row(&self) -> Option<ArchivedRow> {
        archive::row(&self.game)
    }

    /// The positions that have stood in the match.
    pub fn positions(&self) -> Vec<Stood> {
        archive::positions(&self.game)
    }

    /// By seat: won, lost, or neither. Empty while the match goes on.
    pub fn won(&self) -> Vec<Option<bool>> {
        archive::won(&self.game)
    }
}

/// The word of a status in the store and in JSON.
pub(super) fn status_name(status: Status) -> &'static str {
    match status {
        Status::Running => "running",
        Status::Counting => "counting",
        Status::Paused => "paused",
        Status::Finished => "finished",
    }
}
