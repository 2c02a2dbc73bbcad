//! A record from stored events, without asking the rules: of a finished match it is known how it ended.

use serde::Deserialize;
use std::borrow::Cow;

use super::{Record, lines, read_result, turn_line};
use crate::games::{self, Seat};
use crate::matches::event::Offer;
use crate::matches::state::Head;

/// How a finished match ended, as the columns beside its events say.
#[derive(Clone, Copy, Debug)]
pub struct Ending<'a> {
    /// Unix seconds.
    pub at: i64,
    /// In the form of a record: a seat, several seats, or `draw`.
    pub result: &'a str,
    pub reason: &'a str,
}

/// What a record needs of an event (see [`crate::matches::Event`]).
#[derive(Deserialize)]
struct Light<'a> {
    at: i64,
    #[serde(borrow)]
    event: Cow<'a, str>,
    #[serde(default)]
    seat: Option<Seat>,
    #[serde(default)]
    text: Option<String>,
    #[serde(default)]
    offer: Option<Offer>,
    #[serde(default)]
    accepted: Option<bool>,
    #[serde(default)]
    to: Option<u32>,
}

impl Record {
    /// The record of a finished match from its events, each as JSON: the same as [`Record::of`] the match that they
    /// make, many times as fast.
    ///
    /// `None` where only the rules know which turns stand. With three and four players they say who must accept that a
    /// turn is taken back, and how it is written that a seat went out on time.
    ///
    /// # Errors
    ///
    /// An event that is no JSON of one.
    pub fn of_events<'a>(
        head: Head,
        events: impl IntoIterator<Item = &'a str>,
        ending: Ending,
        site: Option<&str>,
        talk: bool,
    ) -> Result<Option<Record>, serde_json::Error> {
        let seats = games::find(&head.terms.game).map_or("", |game| game.info.seats);
        let Some(told) = Told::by(events, head.players.len(), seats)? else {
            return Ok(None);
        };
        let turns = told.turns.into_iter();
        let remarks = told.remarks.into_iter().filter(|_| talk);
        Ok(Some(Record {
            lines: lines(turns, remarks, &head.players),
            game: head.terms.game,
            options: head.terms.canonical,
            number: head.number,
            site: site.map(str::to_string),
            rules_version: head.rules_version,
            players: head.players,
            start: head.started,
            end: Some(ending.at),
            time: head.terms.time,
            rated: head.terms.rated,
            result: read_result(ending.result, seats),
            reason: Some(ending.reason.to_string()),
            others: Vec::new(),
            setup: head.terms.setup,
        }))
    }
}

/// The turns that stand, and what was said.
#[derive(Default)]
struct Told {
    turns: Vec<(String, i64)>,
    remarks: Vec<(Seat, String, i64)>,
}

impl Told {
    /// `seats` are the names of the seats.
    fn by<'a>(
        events: impl IntoIterator<Item = &'a str>,
        players: usize,
        seats: &str,
    ) -> Result<Option<Told>, serde_json::Error> {
        let name = |seat: Seat| seats.chars().nth(seat.index()).map(String::from).unwrap_or_default();
        let mut told = Told::default();
        let mut offered = None;
        for event in events {
            let event: Light = serde_json::from_str(event)?;
            match (&*event.event, event.text) {
                ("turn", Some(text)) => {
                    let seat = event.seat.map(name).unwrap_or_default();
                    told.turns.push((turn_line(&text, &seat), event.at));
                }
                ("said", Some(text)) => told.remarks.extend(event.seat.map(|seat| (seat, text, event.at))),
                ("offered", _) => offered = event.offer,
                ("answered", _) => {
                    // Of two players the other has answered, and the offer is no more.
                    if let (Some(Offer::Undo { turn }), Some(true)) = (offered, event.accepted) {
                        if players > 2 {
                            return Ok(None);
                        }
                        told.turns.truncate(turn.saturating_sub(1) as usize);
                    }
                }
                ("taken-back", _) => told.turns.truncate(event.to.unwrap_or_default() as usize),
                ("time-lost", _) if players > 2 => return Ok(None),
                _ => {}
            }
        }
        Ok(Some(told))
    }
}
