//! What mails show of challenges and their terms.

use super::Stored;
use crate::games::OptionError;
use crate::matches::{Terms, TermsError, TimeError};
use crate::server::Result;
use crate::server::commands::{Outcome, Speaker, title};
use crate::server::session::Session;
use crate::store::{Challenge, Player};
use serde_json::{Value, json};

/// Challenges of one list that a mail shows.
const PAGE: u32 = 20;

impl Session<'_> {
    /// What waits for the player, what he sent, and a page of what is open to all.
    pub(super) fn challenges(&mut self, speaker: &Speaker, player: &Player, page: u32) -> Result<Outcome> {
        let page = page.max(1);
        let to_you = self.tx.challenges_to(player.id)?;
        let by_you = self.tx.challenges_by(player.id)?;
        let offset = (page - 1).saturating_mul(PAGE);
        let (open, count) = self.tx.open_challenges(player.id, offset, PAGE)?;
        if to_you.is_empty() && by_you.is_empty() && count == 0 {
            self.tell_speaker(speaker, "no-challenges", json!({}));
        }
        self.list_challenges(speaker, "to-you", &to_you, None)?;
        self.list_challenges(speaker, "by-you", &by_you, None)?;
        self.list_challenges(speaker, "open", &open, Some((page, count.div_ceil(PAGE).max(1))))?;
        self.page(&speaker.who).subject("challenges", minijinja::context! {});
        Ok(Outcome::DONE)
    }

    /// Shows a list of challenges; `paged` is its page and how many there are, where it has pages.
    pub(super) fn list_challenges(
        &mut self,
        speaker: &Speaker,
        key: &str,
        challenges: &[Challenge],
        paged: Option<(u32, u32)>,
    ) -> Result<()> {
        let (page, pages) = paged.unwrap_or((1, 1));
        if challenges.is_empty() && pages == 1 {
            return Ok(());
        }
        let shown = challenges.iter().take(PAGE as usize);
        let list = shown
            .map(|challenge| self.challenge_context(challenge.number))
            .collect::<Result<Vec<Value>>>()?;
        let context = json!({
            "key": key,
            "challenges": list,
            "more": challenges.len().saturating_sub(list.len()),
            "page": page,
            "pages": pages,
        });
        self.page(&speaker.who).item("challenge-list", context);
        Ok(())
    }

    /// What templates show of a challenge. Addresses of invited friends are shown only as the challenger typed them.
    pub(super) fn challenge_context(&mut self, number: u32) -> Result<Value> {
        let Some(challenge) = self.tx.challenge(number)? else {
            return Ok(json!({}));
        };
        let stored: Stored = serde_json::from_str(&challenge.terms)?;
        let mut invitees = Vec::new();
        for invitee in &challenge.invitees {
            invitees.push(match (invitee.player, &invitee.address) {
                (Some(player), _) => self.userid(player)?,
                (None, Some(address)) => address.clone(),
                (None, None) => continue,
            });
        }
        let mut context = terms_context(&stored.terms);
        let more = json!({
            "number": number,
            "by": self.userid(challenge.player)?,
            "to": invitees,
            "open": challenge.open,
            "repeats": challenge.repeats,
            "expires": challenge.expires,
            "rematch": stored.order.is_some(),
        });
        if let (Value::Object(context), Value::Object(more)) = (&mut context, more) {
            context.extend(more);
        }
        Ok(context)
    }
}

/// What templates show of the terms.
pub(super) fn terms_context(terms: &Terms) -> Value {
    json!({
        "game": title(&terms.game),
        "name": terms.game,
        "options": crate::matches::options_text(&terms.canonical),
        "time": terms.time.to_string(),
        "rated": terms.rated,
        "private": terms.private,
        "first": terms.first,
        "seats": terms.seats,
    })
}

/// The words for options that cannot be.
pub(super) fn terms_words(error: &TermsError) -> (&'static str, Value) {
    match error {
        TermsError::UnknownGame { name, nearest } => ("unknown-game", json!({ "name": name, "nearest": nearest })),
        TermsError::Game(error) => option_words(error),
        TermsError::Setup(why) => ("game-option", json!({ "why": why })),
        TermsError::Unknown { name, nearest } => ("unknown-option", json!({ "name": name, "nearest": nearest })),
        TermsError::Value { name, value, allowed } => (
            "option-value",
            json!({ "name": name, "value": value, "allowed": allowed }),
        ),
        TermsError::Missing { name, allowed } => ("option-missing", json!({ "name": name, "allowed": allowed })),
        TermsError::Flag { name } => ("option-flag", json!({ "name": name })),
        TermsError::Conflict { first, second } => ("option-conflict", json!({ "first": first, "second": second })),
        TermsError::Time(TimeError::CapBelowStart { start, cap }) => (
            "cap-below-start",
            json!({ "start": start.to_string(), "cap": cap.to_string() }),
        ),
        TermsError::Time(TimeError::Zero) => ("no-time", json!({})),
        TermsError::Time(TimeError::Unreadable(text)) => ("bad-time", json!({ "text": text })),
        TermsError::RatedWithoutClock => ("rated-without-clock", json!({})),
        TermsError::SeatCount { game, seats, allowed } => (
            "seat-count",
            json!({ "game": title(game), "seats": seats, "allowed": allowed }),
        ),
    }
}

/// The words for a game's option that cannot be.
fn option_words(error: &OptionError) -> (&'static str, Value) {
    match error {
        OptionError::Unknown { game, name, known } => (
            "game-option-unknown",
            json!({ "game": title(game), "name": name, "known": known }),
        ),
        OptionError::Value { name, value, allowed } => (
            "game-option-value",
            json!({ "name": name, "value": value, "allowed": allowed }),
        ),
        OptionError::Missing { name, allowed } => ("game-option-missing", json!({ "name": name, "allowed": allowed })),
        OptionError::Flag { name } => ("game-option-flag", json!({ "name": name })),
        OptionError::Conflict { first, second } => {
            ("game-option-conflict", json!({ "first": first, "second": second }))
        }
    }
}
