//! A match between the state machine and the archive's tables.

use crate::matches::{Entry, Head, Match, Record, Verdict, options_text};
use crate::store::{ArchivedRow, Result, StoredEvent, StoredMatch};

/// How many turns of a game's beginning the archive keeps for searching.
const OPENING: usize = 12;

/// Replays what is stored.
///
/// # Errors
///
/// What does not fit, in words for the keeper.
pub fn replay(stored: &StoredMatch) -> std::result::Result<Match, String> {
    replay_events(&stored.head, &stored.events)
}

/// Replays a head and events, both as JSON.
pub(super) fn replay_events(head: &str, events: &[StoredEvent]) -> std::result::Result<Match, String> {
    let head: Head = serde_json::from_str(head).map_err(|error| error.to_string())?;
    let entries = events
        .iter()
        .map(|event| serde_json::from_str(&event.body))
        .collect::<std::result::Result<Vec<Entry>, _>>()
        .map_err(|error| error.to_string())?;
    Match::replay(head, &entries).map_err(|error| error.to_string())
}

/// An event as the store keeps it.
///
/// # Errors
///
/// An entry that cannot be written as JSON.
pub fn event(entry: &Entry) -> Result<StoredEvent> {
    Ok(StoredEvent {
        at: entry.at,
        body: serde_json::to_string(entry)?,
    })
}

/// What the archive keeps beside a match; `None` while it goes on.
pub fn row(game: &Match) -> Option<ArchivedRow> {
    let ended = game.ended()?;
    let head = game.head();
    let opening: Vec<&str> = game
        .turns()
        .iter()
        .take(OPENING)
        .map(|turn| turn.text.as_str())
        .collect();
    Some(ArchivedRow {
        number: head.number,
        game: head.terms.game.clone(),
        options: options_text(&head.terms.canonical),
        turns: game.turn(),
        opening: opening.join(" "),
        result: Record::of(game, None, false).result_text(),
        reason: ended.reason.to_string(),
        rated: head.terms.rated,
        private: head.terms.private,
        started: head.started,
        ended: ended.at,
        userids: head.players.clone(),
    })
}

/// By seat: won, lost, or neither. Empty while the match goes on.
pub fn won(game: &Match) -> Vec<Option<bool>> {
    let Some(ended) = game.ended() else {
        return Vec::new();
    };
    game.seats()
        .map(|seat| match &ended.verdict {
            Verdict::Winner(winner) => Some(*winner == seat),
            Verdict::Shared(seats) => (!seats.contains(&seat)).then_some(false),
            Verdict::Draw => None,
        })
        .collect()
}
