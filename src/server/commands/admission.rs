//! Who may say a command about a match, and when: what the table of commands says, held against the match.

use super::Speaker;
use crate::games::Seat;
use crate::language::{Access, Line, When};
use crate::matches::{Refused, Status};
use crate::server::Result;
use crate::server::live::Live;
use crate::server::sayings::Fault;
use crate::server::session::Session;
use crate::store::Player;
use serde_json::json;

/// Whether somebody may say a line about a match.
pub(super) enum Admitted {
    /// With the seat that he has there, if he plays in it.
    As(Option<Seat>),
    /// Why is said already.
    Not,
}

impl Session<'_> {
    /// Whether the table lets somebody say a line about a match, and now; where not, why is said.
    pub(super) fn admit(
        &mut self,
        speaker: &Speaker,
        line: &Line,
        player: Option<&Player>,
        number: u32,
    ) -> Result<Admitted> {
        let about = json!({ "number": number });
        if !self.may_see(player, number)? {
            self.refuse(speaker, line, None, Fault::NotAllowed, "no-such-match", about);
            return Ok(Admitted::Not);
        }
        let Some(live) = self.loaded(number) else {
            return Ok(Admitted::Not);
        };
        let game = &live.game().head().terms.game;
        let seat = player.and_then(|player| live.seat_of(player.id));
        let key = match (line.entry.access, seat) {
            _ if line.target.game.is_some_and(|named| named != game) => "no-such-match",
            (Access::Seat, None) => "not-your-match",
            (Access::Outsider, Some(_)) => "watch-own",
            _ => match untimely(line.entry.when, live, seat) {
                Untimely::Not => return Ok(Admitted::As(seat)),
                Untimely::NotOver => "still-running",
                Untimely::Refused(refused) => {
                    self.refuse_in(speaker, line, number, refused);
                    return Ok(Admitted::Not);
                }
            },
        };
        let shown = (key == "not-your-match").then_some(number);
        self.refuse(speaker, line, shown, Fault::NotAllowed, key, about);
        Ok(Admitted::Not)
    }

    /// Whether there is a match of this number for a player (or a stranger): it is public, or his own.
    pub(super) fn may_see(&mut self, player: Option<&Player>, number: u32) -> Result<bool> {
        Ok(self.live(number)?.is_some_and(|live| {
            let is_own = player.is_some_and(|player| live.seat_of(player.id).is_some());
            is_own || !live.game().head().terms.private
        }))
    }
}

/// Whether a match is in a state in which a line cannot be said.
enum Untimely {
    Not,
    NotOver,
    Refused(Refused),
}

fn untimely(when: When, live: &Live, seat: Option<Seat>) -> Untimely {
    let game = live.game();
    let to_move = game.to_move();
    match (when, to_move) {
        (When::Always, _) | (When::Over, None) => Untimely::Not,
        (When::Over, Some(_)) => Untimely::NotOver,
        (_, None) => Untimely::Refused(Refused::Over),
        (When::OwnTurn, Some(to_move)) if seat != Some(to_move) && game.status() != Status::Counting => {
            Untimely::Refused(Refused::NotYourTurn { to_move })
        }
        (When::OthersTurn, _) if seat == to_move => Untimely::Refused(Refused::YourTurn),
        (When::Paused, _) if !game.is_paused() => Untimely::Refused(Refused::NotPaused),
        _ => Untimely::Not,
    }
}
