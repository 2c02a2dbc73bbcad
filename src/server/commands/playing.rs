//! Commands of play: turns, offers, conditional turns, clocks, talk, and looking at a match.

use super::{Outcome, Speaker};
use crate::games::{Seat, Table};
use crate::language::{Command, Line};
use crate::letters::{Attachment, BoardView, File};
use crate::matches::{Action, Actor, Record, Refused};
use crate::server::Result;
use crate::server::sayings::{Fault, Saying};
use crate::server::session::Session;
use crate::store::Player;
use serde_json::json;

impl Session<'_> {
    pub(super) fn playing(
        &mut self,
        speaker: &mut Speaker,
        line: &Line,
        player: Option<&Player>,
        number: Option<u32>,
        seat: Option<Seat>,
    ) -> Result<Outcome> {
        if matches!(line.command, Command::Accept { .. } | Command::Reject) {
            return self.answer(speaker, line, player, number);
        }
        let Some(number) = number else {
            return Ok(Outcome::FAILED);
        };
        if let Some(outcome) = self.look(speaker, line, player, number, seat)? {
            // Text below a look goes to the others where the speaker plays.
            return Ok(match outcome {
                Outcome::Done { .. } => Outcome::Done {
                    about: seat.map(|_| number),
                },
                other => other,
            });
        }
        match (seat, action(&line.command, speaker.board_of(number))) {
            (Some(seat), Some(action)) => self.act_in(speaker, line, number, seat, action),
            _ => Ok(Outcome::Failed { about: Some(number) }),
        }
    }

    /// Commands that only look at the match, or watch it; `None` for all others.
    fn look(
        &mut self,
        speaker: &Speaker,
        line: &Line,
        player: Option<&Player>,
        number: u32,
        seat: Option<Seat>,
    ) -> Result<Option<Outcome>> {
        Ok(Some(match &line.command {
            Command::Show { turn: None } => {
                self.page(&speaker.who).about(number);
                Outcome::DONE
            }
            Command::Show { turn: Some(turn) } => self.show_then(speaker, line, player, number, *turn)?,
            Command::History => self.history(speaker, number, seat),
            Command::Record => self.record(speaker, number),
            Command::Legal => self.legal(speaker, number),
            Command::Preview { turns } => self.preview(speaker, line, player, number, turns)?,
            Command::Watch => self.watch(speaker, line, player, number)?,
            Command::Unwatch => self.unwatch(speaker, line, player, number)?,
            _ => return Ok(None),
        }))
    }

    /// Lets a player's action happen; a refusal is said with the board.
    pub(super) fn act_in(
        &mut self,
        speaker: &mut Speaker,
        line: &Line,
        number: u32,
        seat: Seat,
        action: Action,
    ) -> Result<Outcome> {
        let is_turn = matches!(action, Action::Turn { .. });
        match self.act(number, Actor::Seat(seat), action)? {
            Ok(()) => {
                if is_turn {
                    speaker.board = None;
                }
                self.page(&speaker.who).about(number);
                Ok(Outcome::Done { about: Some(number) })
            }
            Err(refused) => {
                self.refuse_in(speaker, line, number, refused);
                Ok(Outcome::Failed { about: Some(number) })
            }
        }
    }

    pub(super) fn refuse_in(&mut self, speaker: &Speaker, line: &Line, number: u32, refused: Refused) {
        let line = line.shown.clone();
        let sayings = self.page(&speaker.who).about(number);
        sayings.push(Saying::MatchRefused { line, refused });
    }

    /// The board after an earlier turn.
    fn show_then(
        &mut self,
        speaker: &Speaker,
        line: &Line,
        player: Option<&Player>,
        number: u32,
        turn: u32,
    ) -> Result<Outcome> {
        let Some(live) = self.loaded(number) else {
            return Ok(Outcome::FAILED);
        };
        let played = live.game().turn();
        let Some(table) = live.game().table_at(turn) else {
            let context = json!({ "turn": turn, "played": played });
            self.refuse(speaker, line, Some(number), Fault::NotAllowed, "no-such-turn", context);
            return Ok(Outcome::Failed { about: Some(number) });
        };
        let board = self.drawing(player, table.as_ref())?;
        let title = table.info().title;
        let last = table.last_turn();
        let context = json!({ "number": number, "title": title, "turn": turn, "last": last });
        let page = self.page(&speaker.who);
        page.board("board-then", context, board);
        page.subject("board-then", minijinja::context! { title, number, turn });
        Ok(Outcome::DONE)
    }

    /// A board in the player's own style.
    fn drawing(&self, player: Option<&Player>, table: &dyn Table) -> Result<BoardView> {
        let reader = self.reader(player);
        Ok(crate::letters::board(table, None, &reader, &self.server.templates)?)
    }

    fn history(&mut self, speaker: &Speaker, number: u32, seat: Option<Seat>) -> Outcome {
        let Some(live) = self.loaded(number) else {
            return Outcome::FAILED;
        };
        let game = live.game();
        let turns: Vec<_> = game
            .turns()
            .iter()
            .enumerate()
            .map(|(index, turn)| {
                json!({
                    "number": index + 1,
                    "seat": game.seat_name(turn.seat),
                    "player": live.userid_at(turn.seat),
                    "text": turn.text,
                    "at": turn.at,
                })
            })
            .collect();
        // A note is its writer's alone until the match ends.
        let open: Vec<Seat> = if game.is_over() {
            game.seats().collect()
        } else {
            seat.into_iter().collect()
        };
        let notes: Vec<_> = open
            .into_iter()
            .flat_map(|seat| game.notes(seat))
            .map(|note| json!({ "by": live.userid_at(note.seat), "turn": note.turn, "text": note.text }))
            .collect();
        let context = json!({ "number": number, "title": live.table().info().title, "turns": turns, "notes": notes });
        let page = self.page(&speaker.who);
        page.about(number);
        page.item("history", context);
        Outcome::DONE
    }

    /// The record as an attachment.
    fn record(&mut self, speaker: &Speaker, number: u32) -> Outcome {
        let Some(live) = self.loaded(number) else {
            return Outcome::FAILED;
        };
        let text = Record::of(live.game(), Some(&self.server.address.plain()), false).to_text();
        let name = format!("{}-{number}.txt", live.game().head().terms.game);
        let page = self.page(&speaker.who);
        page.about(number);
        page.item("record", json!({ "number": number, "file": name }));
        page.attachments.push(Attachment {
            name,
            content_type: "text/plain; charset=utf-8".to_string(),
            file: File::Text(text),
        });
        Outcome::DONE
    }

    fn legal(&mut self, speaker: &Speaker, number: u32) -> Outcome {
        let turns = self.loaded(number).map(|live| live.table().steps()).unwrap_or_default();
        let page = self.page(&speaker.who);
        page.about(number);
        page.item("legal", json!({ "number": number, "turns": turns }));
        Outcome::DONE
    }

    fn preview(
        &mut self,
        speaker: &Speaker,
        line: &Line,
        player: Option<&Player>,
        number: u32,
        turns: &[String],
    ) -> Result<Outcome> {
        let Some(preview) = self.loaded(number).map(|live| live.game().preview(turns)) else {
            return Ok(Outcome::FAILED);
        };
        let board = self.drawing(player, preview.table.as_ref())?;
        let played: Vec<_> = preview.played.iter().map(|played| &played.text).collect();
        let page = self.page(&speaker.who);
        page.board("preview", json!({ "number": number, "turns": played }), board);
        page.subject("preview", minijinja::context! { number });
        let Some((_, refusal)) = preview.refused else {
            return Ok(Outcome::DONE);
        };
        self.refuse_in(speaker, line, number, Refused::Game(refusal));
        Ok(Outcome::Failed { about: Some(number) })
    }

    fn watch(&mut self, speaker: &Speaker, line: &Line, player: Option<&Player>, number: u32) -> Result<Outcome> {
        let (Some(player), Some(live)) = (player, self.loaded(number)) else {
            return Ok(Outcome::FAILED);
        };
        for other in live.players().to_vec() {
            if self.tx.blocks(other, player.id)? {
                self.refuse(speaker, line, None, Fault::NotAllowed, "blocked", json!({}));
                return Ok(Outcome::Failed { about: Some(number) });
            }
        }
        self.tx.add_watcher(number, player.id)?;
        let saying = Saying::told("watching", json!({ "number": number }));
        self.page(&speaker.who).about(number).push(saying);
        Ok(Outcome::DONE)
    }

    fn unwatch(&mut self, speaker: &Speaker, line: &Line, player: Option<&Player>, number: u32) -> Result<Outcome> {
        let watched = match player {
            Some(player) => self.tx.remove_watcher(number, player.id)?,
            None => false,
        };
        if watched {
            self.tell_speaker(speaker, "watches-no-more", json!({ "number": number }));
            return Ok(Outcome::DONE);
        }
        self.refuse(
            speaker,
            line,
            None,
            Fault::NotAllowed,
            "not-watching",
            json!({ "number": number }),
        );
        Ok(Outcome::Failed { about: Some(number) })
    }
}

/// The action of a command in a match; `None` for commands that are none. `board` is the turn that the answered board
/// awaited.
fn action(command: &Command, board: Option<u32>) -> Option<Action> {
    Some(match command {
        Command::Move { text, turn } => Action::Turn {
            text: text.clone(),
            number: turn.or(board),
        },
        Command::If { chain } => Action::Condition { chain: chain.clone() },
        Command::Drop => Action::Drop,
        Command::Undo => Action::AskUndo,
        Command::Draw => Action::OfferDraw,
        Command::Resign => Action::Resign,
        Command::Say { text } => Action::Say { text: text.clone() },
        Command::Note { text } => Action::Note { text: text.clone() },
        Command::Claim => Action::Claim,
        Command::Extend { by } => Action::Extend { by: *by },
        Command::Pause => Action::AskPause,
        Command::Continue => Action::Continue,
        _ => return None,
    })
}
