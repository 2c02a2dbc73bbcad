//! Mails that wait for a player's daily digest.

use super::drafts::zone_of;
use super::session::{Page, Session};
use super::{Result, Server};
use crate::store::{DigestRow, MailMode, Player, Purpose, Tx};
use chrono::{DateTime, Days, TimeZone};
use chrono_tz::Tz;
use serde_json::json;
use std::collections::BTreeSet;

/// The hour of the digest, in the player's zone, where he has set none.
const DIGEST_HOUR: u32 = 8;

/// What becomes of a page by the player's mail mode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Route {
    /// A mail of its own, now.
    Now,
    /// It waits for the digest.
    Digest,
    /// The player wants reminders only.
    Nothing,
}

/// How a page goes to a player. Answers, questions and reminders always go at once, and so does to who wants reminders
/// only what he must know or is asked for.
pub(super) fn route(page: &Page, player: &Player) -> Route {
    let is_question = matches!(page.purpose, Some((Purpose::Question, _)));
    match player.settings.mail {
        _ if page.kind != "notice" || is_question || page.reminds() => Route::Now,
        MailMode::Each => Route::Now,
        MailMode::Digest => Route::Digest,
        MailMode::Reminders if page.is_pressing => Route::Now,
        MailMode::Reminders => Route::Nothing,
    }
}

impl Server {
    /// Sends the digests that are due: one mail a player and day, his own turns first, by time left.
    pub(super) fn send_digests(&self, tx: &Tx, now: i64) -> Result<()> {
        for player in tx.digest_players()? {
            let Some(player) = tx.player(player)? else {
                continue;
            };
            let rows = tx.digest(player.id)?;
            let Some(first) = rows.first() else {
                continue;
            };
            let hour = player.settings.digest_hour.unwrap_or(DIGEST_HOUR);
            // A player who has left the digest mode gets what still waits at once.
            let is_due =
                player.settings.mail != MailMode::Digest || next_hour(zone_of(&player.settings), hour, first.at) <= now;
            if is_due {
                self.send_digest(tx, &player, &rows, now)?;
                tx.clear_digest(player.id)?;
            }
        }
        Ok(())
    }

    fn send_digest(&self, tx: &Tx, player: &Player, rows: &[DigestRow], now: i64) -> Result<()> {
        let mut session = Session::new(self, tx, now);
        let news: Vec<_> = rows
            .iter()
            .map(|row| json!({ "number": row.number, "text": row.text }))
            .collect();
        let own = tx.matches_of(player.id)?;
        let listed = session.list(&own, Some(player))?;
        let changed: BTreeSet<u32> = rows.iter().filter_map(|row| row.number).collect();
        let page = session.page_of(player.id);
        page.kind = "digest";
        page.subject("digest", minijinja::context! { count => changed.len() });
        page.purpose = Some((Purpose::Account, None));
        page.item("digest", json!({ "news": news, "matches": listed }));
        // The boards of the matches where it is his turn.
        let urgent = own.iter().filter(|row| row.to_move == Some(player.id));
        let urgent: Vec<u32> = urgent
            .map(|row| row.number)
            .filter(|number| changed.contains(number))
            .collect();
        for number in urgent {
            if session.live(number)?.is_some() {
                session.page_of(player.id).about(number);
            }
        }
        self.send_pages(session, None)
    }
}

/// The first instant at or after `at` at which it is that hour in a zone, or the next hour that there is on a day whose
/// clocks skip it.
fn next_hour(zone: Tz, hour: u32, at: i64) -> i64 {
    let local = DateTime::from_timestamp(at, 0).unwrap_or_default().with_timezone(&zone);
    let today = local.date_naive();
    let days = [
        Some(today),
        today.checked_add_days(Days::new(1)),
        today.checked_add_days(Days::new(2)),
    ];
    days.into_iter()
        .flatten()
        .filter_map(|day| {
            let hours = (hour..24).filter_map(|hour| day.and_hms_opt(hour, 0, 0));
            hours
                .filter_map(|time| zone.from_local_datetime(&time).earliest())
                .next()
        })
        .map(|time| time.timestamp())
        .find(|instant| *instant >= at)
        .unwrap_or(at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hour_is_the_players_own() {
        // 2026-12-01 12:00 in Seoul is 03:00 UTC; the next 8 o'clock there is 2026-12-01 23:00 UTC.
        let noon = 1_796_094_000;
        assert_eq!(next_hour(chrono_tz::Asia::Seoul, 8, noon), noon + 20 * 3600);
        assert_eq!(next_hour(chrono_tz::UTC, 3, noon), noon);
        // On 2027-03-28 there is no 2 o'clock in Berlin: it is 3 o'clock at 01:00 UTC.
        let midnight = 1_806_192_000;
        assert_eq!(next_hour(chrono_tz::Europe::Berlin, 2, midnight), midnight + 3600);
    }
}
