//! Commands that look: lists of matches, the archive, ratings, help and rules.

use super::{Outcome, Speaker, title};
use crate::language::{COMMANDS, Command, Entry, GameFilter, Line, Section, find_command};
use crate::server::Result;
use crate::server::sayings::Fault;
use crate::server::session::Session;
use crate::store::{Filter, MatchRow, Player, RatingRow};
use chrono::NaiveDate;
use serde_json::{Value, json};

/// Rows of a list in one mail.
const PAGE: u32 = 20;
/// Rows of a list of running matches of everybody.
const MOST_LISTED: usize = 200;
/// A rating with a greater deviation is provisional (Glicko-2's own scale, as shown).
const PROVISIONAL: f64 = 110.0;

impl Session<'_> {
    pub(super) fn looking(
        &mut self,
        speaker: &mut Speaker,
        line: &Line,
        player: Option<&Player>,
        number: Option<u32>,
    ) -> Result<Outcome> {
        match &line.command {
            Command::Status { all } => self.status(speaker, player, *all),
            Command::Games { userid, filter } => self.games(speaker, line, player, userid.as_deref(), *filter),
            Command::Resend => Ok(self.resend(speaker, number)),
            Command::Archive {
                game,
                userids,
                since,
                page,
            } => self.archive(
                speaker,
                line,
                player,
                (*game).or(line.target.game),
                userids,
                since.as_deref(),
                *page,
            ),
            Command::Ratings { game } => self.ratings(speaker, line, (*game).or(line.target.game)),
            Command::Standings { game } => self.standings(speaker, line, (*game).or(line.target.game)),
            Command::Stats { userids } => self.stats(speaker, line, player, userids),
            Command::Help { topic } => self.help(speaker, line, topic.as_deref()),
            Command::Rules { game } => self.rules(speaker, line, player, (*game).or(line.target.game)),
            Command::Tutorial => {
                self.words(speaker, "tutorial");
                Ok(Outcome::DONE)
            }
            Command::Commands => {
                let commands: Vec<Value> = COMMANDS.iter().map(entry_context).collect();
                let page = self.page(&speaker.who);
                page.item("commands", json!({ "sections": sections(), "commands": commands }));
                page.subject("commands", minijinja::context! {});
                Ok(Outcome::DONE)
            }
            _ => Ok(Outcome::FAILED),
        }
    }

    fn words(&mut self, speaker: &Speaker, template: &'static str) {
        let page = self.page(&speaker.who);
        page.item(template, json!({}));
        page.subject(template, minijinja::context! {});
    }

    /// The player's matches, those where it is his turn first, by time left; `all` adds challenges and the last
    /// finished ones.
    fn status(&mut self, speaker: &Speaker, player: Option<&Player>, all: bool) -> Result<Outcome> {
        let Some(player) = player else {
            return Ok(Outcome::FAILED);
        };
        let rows = self.tx.matches_of(player.id)?;
        let matches = self.list(&rows, Some(player))?;
        let waiting = self.tx.challenges_to(player.id)?.len();
        let finished = if all {
            let filter = Filter {
                userids: vec![player.userid.clone()],
                private_of: Some(player.userid.clone()),
                limit: PAGE,
                ..Filter::default()
            };
            self.finished(&filter)?
        } else {
            Vec::new()
        };
        let context = json!({ "matches": matches, "waiting": waiting, "finished": finished, "all": all });
        let page = self.page(&speaker.who);
        page.item("status", context);
        page.subject("status", minijinja::context! {});
        Ok(Outcome::DONE)
    }

    fn games(
        &mut self,
        speaker: &Speaker,
        line: &Line,
        player: Option<&Player>,
        userid: Option<&str>,
        filter: GameFilter,
    ) -> Result<Outcome> {
        let of = match userid {
            Some(userid) => match self.tx.player_named(userid)? {
                Some(other) => Some(other),
                None => {
                    self.refuse(
                        speaker,
                        line,
                        None,
                        Fault::NotAllowed,
                        "no-such-player",
                        json!({ "userid": userid }),
                    );
                    return Ok(Outcome::FAILED);
                }
            },
            None if line.target.game.is_none() => player.cloned(),
            None => None,
        };
        let mut rows: Vec<MatchRow> = match &of {
            Some(of) => self.tx.matches_of(of.id)?,
            None => self.tx.running_matches()?,
        };
        if let Some(game) = line.target.game {
            rows.retain(|row| row.game == game);
        }
        let mut public = Vec::new();
        for row in rows {
            if self.may_list(&row, player)? {
                public.push(row);
            }
        }
        public.truncate(MOST_LISTED);
        let active = if filter == GameFilter::Finished {
            Vec::new()
        } else {
            self.list(&public, player)?
        };
        let finished = if filter == GameFilter::Active {
            Vec::new()
        } else {
            let filter = Filter {
                game: line.target.game.map(str::to_string),
                userids: of.iter().map(|of| of.userid.clone()).collect(),
                private_of: player.map(|player| player.userid.clone()),
                limit: PAGE,
                ..Filter::default()
            };
            self.finished(&filter)?
        };
        let context = json!({
            "of": of.map(|of| of.userid),
            "game": line.target.game.map(title),
            "matches": active,
            "finished": finished,
        });
        let page = self.page(&speaker.who);
        page.item("games", context);
        page.subject("games", minijinja::context! {});
        Ok(Outcome::DONE)
    }

    /// Whether a running match may stand in a list for this reader: it is public, or his own.
    fn may_list(&self, row: &MatchRow, reader: Option<&Player>) -> Result<bool> {
        let seats = self.tx.seats(row.number)?;
        if reader.is_some_and(|reader| seats.contains(&reader.id)) {
            return Ok(true);
        }
        Ok(!row.private)
    }

    fn finished(&self, filter: &Filter) -> Result<Vec<Value>> {
        let rows = self.tx.search_archive(filter)?;
        Ok(rows
            .iter()
            .map(|row| {
                let seats = crate::games::find(&row.game).map_or("", |game| game.info.seats);
                let winner = seats
                    .chars()
                    .position(|seat| row.result == seat.to_string())
                    .and_then(|index| row.userids.get(index));
                json!({
                    "number": row.number,
                    "title": title(&row.game),
                    "names": row.userids,
                    "winner": winner,
                    "reason": row.reason,
                    "turns": row.turns,
                    "ended": row.ended,
                })
            })
            .collect())
    }

    /// The last mail about the match again: what it would say now.
    fn resend(&mut self, speaker: &Speaker, number: Option<u32>) -> Outcome {
        let Some(number) = number else {
            return Outcome::FAILED;
        };
        let saying = self.loaded(number).and_then(|live| live.last_turn_again());
        self.page(&speaker.who).about(number).extend(saying);
        Outcome::DONE
    }

    #[allow(clippy::too_many_arguments)] // one argument for each word that the command has
    fn archive(
        &mut self,
        speaker: &Speaker,
        line: &Line,
        player: Option<&Player>,
        game: Option<&'static str>,
        userids: &[String],
        since: Option<&str>,
        page: u32,
    ) -> Result<Outcome> {
        let since_date = since.map(|text| text.parse::<NaiveDate>());
        if let Some(Err(_)) = since_date {
            self.refuse(
                speaker,
                line,
                None,
                Fault::NotUnderstood,
                "no-date",
                json!({ "text": since }),
            );
            return Ok(Outcome::FAILED);
        }
        let since = since_date
            .and_then(|date| date.ok())
            .and_then(|date| date.and_hms_opt(0, 0, 0))
            .map(|start| start.and_utc().timestamp());
        let page = page.max(1);
        let filter = Filter {
            game: game.map(str::to_string),
            userids: userids.to_vec(),
            since,
            private_of: player.map(|player| player.userid.clone()),
            offset: (page - 1).saturating_mul(PAGE),
            limit: PAGE,
            ..Filter::default()
        };
        let count = self.tx.count_archive(&filter)?;
        let context = json!({
            "matches": self.finished(&filter)?,
            "count": count,
            "page": page,
            "pages": count.div_ceil(PAGE).max(1),
        });
        let answer = self.page(&speaker.who);
        answer.item("archive", context);
        answer.subject("archive", minijinja::context! {});
        Ok(Outcome::DONE)
    }

    /// The game that a line needs; says so where it names none.
    fn game_named(&mut self, speaker: &Speaker, line: &Line, game: Option<&'static str>) -> Option<&'static str> {
        if game.is_none() {
            let games: Vec<&str> = crate::games::GAMES.iter().map(|game| game.info.name).collect();
            self.refuse(
                speaker,
                line,
                None,
                Fault::NotUnderstood,
                "which-game",
                json!({ "games": games }),
            );
        }
        game
    }

    fn ratings(&mut self, speaker: &Speaker, line: &Line, game: Option<&'static str>) -> Result<Outcome> {
        let Some(game) = self.game_named(speaker, line, game) else {
            return Ok(Outcome::FAILED);
        };
        let rows = self.tx.ratings(game)?;
        let ratings: Vec<Value> = rows
            .iter()
            .take(MOST_LISTED)
            .enumerate()
            .map(|(index, (userid, rating))| {
                let mut context = rating_context(title(game), rating);
                context["place"] = json!(index + 1);
                context["userid"] = json!(userid);
                context
            })
            .collect();
        let page = self.page(&speaker.who);
        page.item("ratings", json!({ "game": title(game), "ratings": ratings }));
        page.subject("ratings", minijinja::context! { game => title(game) });
        Ok(Outcome::DONE)
    }

    /// Who has won how many of his finished matches of a game.
    fn standings(&mut self, speaker: &Speaker, line: &Line, game: Option<&'static str>) -> Result<Outcome> {
        let Some(game) = self.game_named(speaker, line, game) else {
            return Ok(Outcome::FAILED);
        };
        let rows: Vec<Value> = self
            .tx
            .standings(game, MOST_LISTED as u32)?
            .iter()
            .enumerate()
            .map(|(index, row)| {
                json!({
                    "place": index + 1,
                    "userid": row.userid,
                    "played": row.played,
                    "won": row.won,
                    "drawn": row.drawn,
                    "lost": row.played - row.won - row.drawn,
                })
            })
            .collect();
        let page = self.page(&speaker.who);
        page.item("standings", json!({ "game": title(game), "standings": rows }));
        page.subject("standings", minijinja::context! { game => title(game) });
        Ok(Outcome::DONE)
    }

    /// How two players stand against each other; with one name, the speaker is the other.
    fn stats(
        &mut self,
        speaker: &Speaker,
        line: &Line,
        player: Option<&Player>,
        userids: &[String],
    ) -> Result<Outcome> {
        let pair = match (userids, player) {
            ([one, other], _) => Some((one.clone(), other.clone())),
            ([other], Some(player)) => Some((player.userid.clone(), other.clone())),
            _ => None,
        };
        let Some((one, other)) = pair else {
            self.refuse(speaker, line, None, Fault::NotUnderstood, "which-players", json!({}));
            return Ok(Outcome::FAILED);
        };
        let mut named = Vec::new();
        for userid in [one, other] {
            match self.tx.player_named(&userid)? {
                Some(found) => named.push(found.userid),
                None => {
                    self.refuse(
                        speaker,
                        line,
                        None,
                        Fault::NotAllowed,
                        "no-such-player",
                        json!({ "userid": userid }),
                    );
                    return Ok(Outcome::FAILED);
                }
            }
        }
        let games: Vec<Value> = self
            .tx
            .between(&named[0], &named[1])?
            .iter()
            .map(
                |row| json!({ "game": title(&row.game), "first": row.first, "second": row.second, "drawn": row.drawn }),
            )
            .collect();
        let page = self.page(&speaker.who);
        page.item("stats", json!({ "names": named, "games": games }));
        page.subject("stats", minijinja::context! { names => named });
        Ok(Outcome::DONE)
    }

    fn help(&mut self, speaker: &Speaker, line: &Line, topic: Option<&str>) -> Result<Outcome> {
        let Some(topic) = topic else {
            let commands: Vec<Value> = COMMANDS.iter().map(entry_context).collect();
            let games: Vec<&str> = crate::games::GAMES.iter().map(|game| game.info.name).collect();
            let context = json!({ "sections": sections(), "commands": commands, "games": games });
            let page = self.page(&speaker.who);
            page.item("help", context);
            page.subject("help", minijinja::context! {});
            return Ok(Outcome::DONE);
        };
        if let Some(game) = crate::games::find(topic) {
            return self.rules(speaker, line, speaker.player.clone().as_ref(), Some(game.info.name));
        }
        let entries: Vec<Value> = match (
            Section::ALL.iter().find(|section| section.name() == topic),
            find_command(topic),
        ) {
            (_, Some(entry)) => vec![entry_context(entry)],
            (Some(section), None) => COMMANDS
                .iter()
                .filter(|entry| entry.section == *section)
                .map(entry_context)
                .collect(),
            (None, None) => {
                self.refuse(
                    speaker,
                    line,
                    None,
                    Fault::NotUnderstood,
                    "no-such-topic",
                    json!({ "topic": topic }),
                );
                return Ok(Outcome::FAILED);
            }
        };
        let page = self.page(&speaker.who);
        page.item("help-topic", json!({ "topic": topic, "commands": entries }));
        page.subject("help", minijinja::context! {});
        Ok(Outcome::DONE)
    }

    fn rules(
        &mut self,
        speaker: &Speaker,
        line: &Line,
        player: Option<&Player>,
        game: Option<&'static str>,
    ) -> Result<Outcome> {
        let Some(name) = self.game_named(speaker, line, game) else {
            return Ok(Outcome::FAILED);
        };
        let reader = self.reader(player);
        let text = self
            .server
            .templates
            .render(&reader.language, &format!("rules/{name}.txt"), json!({}))?;
        let page = self.page(&speaker.who);
        page.item("rules", json!({ "game": title(name), "text": text }));
        page.subject("rules", minijinja::context! { game => title(name) });
        Ok(Outcome::DONE)
    }
}

/// A rating as templates show it.
pub(super) fn rating_context(game: &str, rating: &RatingRow) -> Value {
    json!({
        "game": game,
        "rating": rating.rating.round() as i64,
        "deviation": rating.deviation.round() as i64,
        "provisional": rating.deviation > PROVISIONAL,
        "matches": rating.matches,
        "won": rating.won,
        "drawn": rating.drawn,
        "lost": rating.matches.saturating_sub(rating.won + rating.drawn),
    })
}

fn sections() -> Vec<&'static str> {
    Section::ALL.iter().map(|section| section.name()).collect()
}

/// A command of the table as help shows it; its words are in `commands.toml`.
fn entry_context(entry: &Entry) -> Value {
    json!({
        "word": entry.word,
        "section": entry.section.name(),
        "syntax": entry.syntax,
        "examples": entry.examples,
        "aliases": entry.aliases,
    })
}
