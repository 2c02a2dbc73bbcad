//! What all pages share: the templates, the title, the names of files, who has won.

use super::Plan;
use crate::games;
use crate::letters::{TemplateError, Templates};
use crate::matches::{Verdict, read_result};
use crate::store::ArchivedRow;
use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};

/// Fills in the pages.
pub(super) struct Press<'a> {
    pub(super) templates: &'a Templates,
    pub(super) language: &'a str,
    pub(super) address: &'a str,
    title: String,
    now: i64,
}

impl<'a> Press<'a> {
    pub(super) fn new(plan: &Plan<'a>) -> Result<Self, TemplateError> {
        let Plan {
            address,
            language,
            now,
            templates,
            ..
        } = *plan;
        let title = match plan.title {
            Some(title) => title.to_string(),
            None => templates.word(language, "site.title", json!({ "address": address }))?,
        };
        Ok(Press {
            templates,
            language,
            address,
            title,
            now,
        })
    }

    /// The page that is to stand in `file`, from the template `site/NAME.html`.
    pub(super) fn page(&self, file: &str, name: &str, context: Value) -> Result<String, TemplateError> {
        let root = "../".repeat(file.matches('/').count());
        let mut fields = Map::new();
        fields.insert("language".into(), json!(self.language));
        fields.insert("site".into(), json!(self.title));
        fields.insert("root".into(), json!(root));
        fields.insert("made".into(), json!(self.now));
        if let Value::Object(own) = context {
            fields.extend(own);
        }
        self.templates
            .render(self.language, &format!("site/{name}.html"), fields)
    }
}

/// The title of a game: `Medusa Shogi`.
pub(super) fn game_title(name: &str) -> &str {
    games::find(name).map_or(name, |game| game.info.title)
}

/// A player's name as all that is his is found by: case does not matter.
pub(super) fn player_key(userid: &str) -> String {
    userid.to_ascii_lowercase()
}

/// The name of a player's page, without its ending. Imported records may have players of any name, and a file may not.
pub(super) fn player_page(userid: &str) -> String {
    const LONGEST: usize = 40;
    let key = player_key(userid);
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || letter == '-' || letter == '_';
    if !key.is_empty() && key.len() <= LONGEST && key.chars().all(is_plain) {
        return key;
    }
    // No userid has a full stop in it.
    let digest = Sha256::digest(key.as_bytes());
    let digits: String = digest.iter().take(8).map(|byte| format!("{byte:02x}")).collect();
    format!("x.{digits}")
}

/// The players of a match as links.
pub(super) fn players(row: &ArchivedRow) -> Vec<Value> {
    let seats = games::find(&row.game).map_or("", |game| game.info.seats);
    seats
        .chars()
        .zip(&row.userids)
        .map(|(seat, userid)| json!({ "seat": seat.to_string(), "userid": userid, "page": player_page(userid) }))
        .collect()
}

/// How a match ended, by seat.
pub(super) fn verdict(row: &ArchivedRow) -> Verdict {
    let seats = games::find(&row.game).map_or("", |game| game.info.seats);
    read_result(&row.result, seats).unwrap_or(Verdict::Draw)
}

/// The key of a sentence in `site.toml`, and the names that it needs.
pub(super) fn result(row: &ArchivedRow) -> Value {
    let seats = match verdict(row) {
        Verdict::Winner(seat) => ("won-by", vec![seat]),
        Verdict::Shared(seats) => ("shared-by", seats),
        Verdict::Draw => ("draw", Vec::new()),
    };
    let (key, seats) = seats;
    let names: Vec<&String> = seats.iter().filter_map(|seat| row.userids.get(seat.index())).collect();
    json!({ "key": key, "names": names })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_has_a_page_that_is_one_plain_file() {
        assert_eq!(player_page("Alice-2"), "alice-2");
        let names = [
            "../../etc/passwd",
            "a/b",
            "<b>",
            "",
            "con.html",
            "한글",
            "a b",
            &"x".repeat(300),
        ];
        let pages: std::collections::BTreeSet<String> = names.iter().map(|name| player_page(name)).collect();
        assert_eq!(pages.len(), names.len());
        for page in &pages {
            assert!(page.starts_with("x.") && !page.contains(['/', '<', ' ']), "{page}");
        }
        assert_eq!(player_page("A B"), player_page("a b"));
    }
}
