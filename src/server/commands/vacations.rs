//! Vacations: days on which all of a player's clocks stand still.

use super::{Outcome, Speaker};
use crate::language::Line;
use crate::matches::{DAYS_A_YEAR, Vacation, VacationError, Window, days_by_year};
use crate::server::Result;
use crate::server::drafts::zone_of;
use crate::server::sayings::Fault;
use crate::server::session::Session;
use crate::store::{Player, PlayerId};
use chrono::{DateTime, Datelike, NaiveDate};
use chrono_tz::Tz;
use serde_json::{Value, json};

impl Session<'_> {
    /// The player's vacations as windows, for the clocks of his matches.
    pub(super) fn vacation_windows(&self, player: PlayerId) -> Result<Vec<Window>> {
        let vacations = self.tx.vacations(player, self.now)?;
        Ok(vacations
            .iter()
            .map(|vacation| Window {
                from: vacation.start,
                until: vacation.end,
            })
            .collect())
    }

    /// Puts the player's vacations into the clocks of all his running matches.
    pub(in crate::server) fn spread_vacation(&mut self, player: PlayerId) -> Result<()> {
        let windows = self.vacation_windows(player)?;
        let now = self.now;
        for row in self.tx.matches_of(player)? {
            let number = row.number;
            let Some(live) = self.live(number)? else {
                continue;
            };
            if let Some(seat) = live.seat_of(player) {
                let happened = live.set_vacation(now, seat, windows.clone());
                self.tell(number, happened)?;
            }
        }
        Ok(())
    }

    pub(super) fn tell_vacation(&mut self, speaker: &Speaker, player: &Player) -> Result<()> {
        let zone = zone_of(&player.settings);
        let vacations = self.tx.vacations(player.id, self.now)?;
        let days: Vec<Value> = vacations
            .iter()
            .map(|vacation| json!({ "first": vacation.first, "last": vacation.last }))
            .collect();
        let year = local_date(zone, self.now).year();
        let taken = days_by_year(&self.vacations_of(player.id)?);
        let left = DAYS_A_YEAR.saturating_sub(taken.get(&year).copied().unwrap_or(0));
        self.tell_speaker(
            speaker,
            "vacation",
            json!({ "vacations": days, "left": left, "year": year }),
        );
        Ok(())
    }

    /// The player's vacations as days, past ones too: the budget counts them.
    fn vacations_of(&self, player: PlayerId) -> Result<Vec<Vacation>> {
        let rows = self.tx.vacations(player, 0)?;
        let days = rows.iter().filter_map(|row| {
            Some(Vacation {
                first: row.first.parse().ok()?,
                last: row.last.parse().ok()?,
            })
        });
        Ok(days.collect())
    }

    pub(super) fn vacation(
        &mut self,
        speaker: &Speaker,
        line: &Line,
        player: &Player,
        first: &str,
        last: &str,
    ) -> Result<Outcome> {
        let zone = zone_of(&player.settings);
        let taken = self.vacations_of(player.id)?;
        match Vacation::parse(first, last, self.now, zone, &taken) {
            Ok(vacation) => {
                let window = vacation.window(zone);
                let (first, last) = (vacation.first.to_string(), vacation.last.to_string());
                self.tx
                    .add_vacation(player.id, &first, &last, window.from, window.until)?;
                self.spread_vacation(player.id)?;
                self.tell_vacation(speaker, player)?;
                Ok(Outcome::DONE)
            }
            Err(error) => {
                let (key, context) = vacation_words(&error);
                self.refuse(speaker, line, None, Fault::NotAllowed, key, context);
                Ok(Outcome::FAILED)
            }
        }
    }

    /// Ends a vacation that goes on, and drops those to come.
    pub(super) fn vacation_off(&mut self, speaker: &Speaker, player: &Player) -> Result<Outcome> {
        let today = local_date(zone_of(&player.settings), self.now).to_string();
        for vacation in self.tx.vacations(player.id, self.now)? {
            if vacation.start > self.now {
                self.tx.remove_vacation(vacation.id)?;
            } else {
                self.tx.shorten_vacation(vacation.id, &today, self.now)?;
            }
        }
        self.spread_vacation(player.id)?;
        self.tell_vacation(speaker, player)?;
        Ok(Outcome::DONE)
    }
}

/// The day that it is in a zone.
fn local_date(zone: Tz, now: i64) -> NaiveDate {
    DateTime::from_timestamp(now, 0)
        .unwrap_or_default()
        .with_timezone(&zone)
        .date_naive()
}

/// The words for a vacation that cannot be.
fn vacation_words(error: &VacationError) -> (&'static str, Value) {
    match error {
        VacationError::NoSuchDate(text) => ("no-date", json!({ "text": text })),
        VacationError::Past { first, today } => ("vacation-past", json!({ "first": first, "today": today })),
        VacationError::Backwards { first, last } => ("vacation-backwards", json!({ "first": first, "last": last })),
        VacationError::TooFar(date) => ("vacation-too-far", json!({ "date": date })),
        VacationError::OverBudget { year, taken, wanted } => (
            "vacation-budget",
            json!({ "year": year, "taken": taken, "wanted": wanted, "most": DAYS_A_YEAR }),
        ),
    }
}
