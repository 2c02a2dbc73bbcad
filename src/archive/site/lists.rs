//! The pages that list: the first one, one for each game and each player, all players, the standings.

use super::SiteError;
use super::folder::Folder;
use super::page::{Press, game_title, player_key, player_page, players, result, verdict};
use crate::games::GAMES;
use crate::matches::{Rating, Verdict};
use crate::store::{ArchivedRow, RatingRow, StoreError, Tx};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Matches or players on a page.
const PAGE: usize = 200;
/// Matches on the first page.
const LATEST: usize = 20;
/// How many pages before and after a page it links to, beside the first and the last.
const NEAR: usize = 3;
/// Places in the standings of a game.
const PLACES: usize = 100;

/// A player's results in one game.
#[derive(Default)]
struct Score {
    played: u32,
    won: u32,
    drawn: u32,
}

/// A player with what he has finished.
struct Player<'a> {
    /// As it is written in his latest match.
    userid: &'a str,
    matches: Vec<&'a ArchivedRow>,
    /// By game.
    scores: BTreeMap<&'a str, Score>,
}

/// All that is listed.
pub(super) struct Lists<'a> {
    /// Newest first.
    rows: &'a [ArchivedRow],
    /// By the key of his name.
    players: BTreeMap<String, Player<'a>>,
    /// By game and the key of a player's name.
    ratings: BTreeMap<(&'static str, String), RatingRow>,
}

impl<'a> Lists<'a> {
    /// Of these matches, newest first.
    pub(super) fn new(tx: &Tx, rows: &'a [ArchivedRow]) -> Result<Self, StoreError> {
        let mut players: BTreeMap<String, Player> = BTreeMap::new();
        for row in rows {
            let verdict = verdict(row);
            for (seat, userid) in row.userids.iter().enumerate() {
                let player = players.entry(player_key(userid)).or_insert_with(|| Player {
                    userid,
                    matches: Vec::new(),
                    scores: BTreeMap::new(),
                });
                player.matches.push(row);
                let score = player.scores.entry(row.game.as_str()).or_default();
                score.played += 1;
                match &verdict {
                    Verdict::Winner(winner) => score.won += u32::from(winner.index() == seat),
                    Verdict::Shared(seats) => score.drawn += u32::from(seats.iter().any(|one| one.index() == seat)),
                    Verdict::Draw => score.drawn += 1,
                }
            }
        }
        let mut ratings = BTreeMap::new();
        for game in GAMES {
            let name = game.info.name;
            let rows = tx.ratings(name)?.into_iter();
            ratings.extend(rows.map(|(userid, rating)| ((name, player_key(&userid)), rating)));
        }
        Ok(Lists { rows, players, ratings })
    }

    pub(super) fn write(&self, press: &Press, folder: &mut Folder) -> Result<(), SiteError> {
        for player in self.players.values() {
            let scores: Vec<Value> = player.scores.keys().map(|game| self.score(player, game)).collect();
            let own = json!({ "userid": player.userid, "scores": scores });
            let file = format!("player/{}", player_page(player.userid));
            write_paged(press, folder, &file, "player", &player.matches, own, matches_of)?;
        }
        for game in self.games() {
            let rows: Vec<&ArchivedRow> = self.rows.iter().filter(|row| row.game == game).collect();
            let own = json!({ "game": game, "title": game_title(game) });
            write_paged(press, folder, &format!("games/{game}"), "game", &rows, own, matches_of)?;
        }
        let players: Vec<&Player> = self.players.values().collect();
        write_paged(press, folder, "players", "players", &players, json!({}), |players| {
            let listed = players.iter().map(|player| {
                json!({
                    "userid": player.userid,
                    "page": player_page(player.userid),
                    "matches": player.matches.len(),
                })
            });
            ("players", listed.collect())
        })?;
        let standings: Vec<Value> = self
            .games()
            .map(|game| json!({ "game": game, "title": game_title(game), "scores": self.standings(game) }))
            .collect();
        let standings = press.page("standings.html", "standings", json!({ "games": standings }))?;
        folder.write("standings.html", &standings)?;
        folder.write("index.html", &self.index(press)?)
    }

    /// The games of which there is a match.
    fn games(&self) -> impl Iterator<Item = &'static str> {
        let names = GAMES.iter().map(|game| game.info.name);
        names.filter(|name| self.rows.iter().any(|row| row.game == *name))
    }

    fn index(&self, press: &Press) -> Result<String, SiteError> {
        let games: Vec<Value> = self
            .games()
            .map(|game| {
                let matches = self.rows.iter().filter(|row| row.game == game).count();
                json!({ "game": game, "title": game_title(game), "matches": matches })
            })
            .collect();
        let latest: Vec<Value> = self.rows.iter().take(LATEST).map(match_row).collect();
        let context = json!({ "games": games, "matches": latest });
        Ok(press.page("index.html", "index", context)?)
    }

    /// Who has won most, first.
    fn standings(&self, game: &str) -> Vec<Value> {
        let mut players: Vec<(&Player, &Score)> = self
            .players
            .values()
            .filter_map(|player| Some((player, player.scores.get(game)?)))
            .collect();
        // Players stand by name already, which decides where all else is equal.
        players.sort_by_key(|(_, score)| (u32::MAX - score.won, u32::MAX - score.drawn, score.played));
        let first = players.into_iter().take(PLACES);
        first.map(|(player, _)| self.score(player, game)).collect()
    }

    /// A line of a table of scores.
    fn score(&self, player: &Player, game: &str) -> Value {
        let none = Score::default();
        let score = player.scores.get(game).unwrap_or(&none);
        let rated = GAMES.iter().find(|known| known.info.name == game);
        let rating = rated.and_then(|known| self.ratings.get(&(known.info.name, player_key(player.userid))));
        json!({
            "userid": player.userid,
            "page": player_page(player.userid),
            "game": game,
            "title": game_title(game),
            "played": score.played,
            "won": score.won,
            "drawn": score.drawn,
            "lost": score.played - score.won - score.drawn,
            "rating": rating.map(|rating| rating.rating.round() as i64),
            "provisional": rating.is_some_and(|rating| rating.deviation > Rating::PROVISIONAL_ABOVE),
        })
    }
}

fn matches_of(rows: &[&ArchivedRow]) -> (&'static str, Vec<Value>) {
    ("matches", rows.iter().map(|row| match_row(row)).collect())
}

/// A line of a list of matches.
fn match_row(row: &ArchivedRow) -> Value {
    json!({
        "number": row.number,
        "game": row.game,
        "title": game_title(&row.game),
        "players": players(row),
        "result": result(row),
        "turns": row.turns,
        "ended": row.ended,
    })
}

/// Writes a list on as many pages as it needs: `games/susan.html`, `games/susan.2.html` …
fn write_paged<T>(
    press: &Press,
    folder: &mut Folder,
    file: &str,
    template: &str,
    all: &[T],
    own: Value,
    context: impl Fn(&[T]) -> (&'static str, Vec<Value>),
) -> Result<(), SiteError> {
    let name_of = |page: usize| match page {
        0 => format!("{file}.html"),
        _ => format!("{file}.{}.html", page + 1),
    };
    let count = all.len().div_ceil(PAGE).max(1);
    for page in 0..count {
        let is_near = |other: &usize| other.abs_diff(page) <= NEAR || *other == 0 || *other + 1 == count;
        let pages: Vec<Value> = (0..count)
            .filter(is_near)
            .map(|other| {
                let name = name_of(other);
                let local = name.rsplit('/').next();
                json!({ "number": other + 1, "file": local, "here": other == page })
            })
            .collect();
        let (key, listed) = context(all.chunks(PAGE).nth(page).unwrap_or_default());
        let mut fields = own.clone();
        fields["pages"] = pages.into();
        fields[key] = listed.into();
        let name = name_of(page);
        folder.write(&name, &press.page(&name, template, fields)?)?;
    }
    Ok(())
}
