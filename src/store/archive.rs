//! Finished matches, in tables of their own with what a search needs.

use super::{PlayerId, Result, StoredEvent, StoredMatch, Tx, from_json, to_json};
use rusqlite::types::Value;
use rusqlite::{OptionalExtension, params, params_from_iter};

/// A finished match as it is entered and as a list shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArchivedRow {
    pub number: u32,
    pub game: String,
    /// The options in the form of a record: `side=5`.
    pub options: String,
    pub turns: u32,
    /// The first turns, one blank between.
    pub opening: String,
    /// As in a record: a seat, several seats, or `draw`.
    pub result: String,
    pub reason: String,
    pub rated: bool,
    pub private: bool,
    pub started: i64,
    pub ended: i64,
    /// Userids by seat.
    pub userids: Vec<String>,
}

/// A finished match as it is stored, with what the columns beside its events say of its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArchivedMatch {
    pub number: u32,
    /// JSON of the head.
    pub head: String,
    /// As stored; see [`ArchivedMatch::events`].
    events: String,
    /// As in a record.
    pub result: String,
    pub reason: String,
    /// Unix seconds.
    pub ended: i64,
}

impl ArchivedMatch {
    /// What happened, in order. They are read when they are asked for, so that several processors can read many matches.
    ///
    /// # Errors
    ///
    /// [`StoreError::Damaged`](super::StoreError::Damaged).
    pub fn events(&self) -> Result<Vec<StoredEvent>> {
        stored_events(&self.events)
    }
}

/// A player's results in one game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StandingRow {
    pub userid: String,
    pub played: u32,
    pub won: u32,
    pub drawn: u32,
}

/// Results of two players against each other in one game: matches that each has won.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BetweenRow {
    pub game: String,
    pub first: u32,
    pub second: u32,
    pub drawn: u32,
}

/// What to look for among the finished matches. Everything that is given must hold.
#[derive(Clone, Debug, Default)]
pub struct Filter {
    pub number: Option<u32>,
    pub game: Option<String>,
    /// All of these took part.
    pub userids: Vec<String>,
    /// Ended at or after this instant.
    pub since: Option<i64>,
    pub until: Option<i64>,
    pub result: Option<String>,
    /// The first turns, in canonical notation with one blank between.
    pub opening: Option<String>,
    /// A position of this key stood.
    pub position: Option<i64>,
    /// Private matches too, and those of this player.
    pub private_of: Option<String>,
    pub private_all: bool,
    pub offset: u32,
    /// 0: all.
    pub limit: u32,
}

impl Tx<'_> {
    /// Moves a finished match out of the running ones, or enters an imported one (no `players`).
    pub fn archive_match(
        &self,
        row: &ArchivedRow,
        head: &str,
        events: &[StoredEvent],
        players: &[PlayerId],
        won: &[Option<bool>],
    ) -> Result<()> {
        let events: Vec<(i64, &str)> = events.iter().map(|event| (event.at, event.body.as_str())).collect();
        self.prepare_cached(
            "INSERT INTO archived (number, head, events, game, options, turns, opening, result, reason, rated, private, started, ended, filed)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, (SELECT coalesce(max(filed), 0) + 1 FROM archived))",
        )?
        .execute(params![
            row.number,
            head,
            to_json(&events)?,
            row.game,
            row.options,
            row.turns,
            row.opening,
            row.result,
            row.reason,
            row.rated,
            row.private,
            row.started,
            row.ended
        ])?;
        let mut seat_statement = self.prepare_cached(
            "INSERT INTO archived_seat (match, seat, userid, player, won) VALUES (?1, ?2, ?3, ?4, ?5)",
        )?;
        for (seat, userid) in row.userids.iter().enumerate() {
            seat_statement.execute(params![
                row.number,
                seat as i64,
                userid,
                players.get(seat).map(|player| player.0),
                won.get(seat).copied().flatten()
            ])?;
        }
        self.prepare_cached("DELETE FROM match WHERE number = ?1")?
            .execute([row.number])?;
        Ok(())
    }

    /// Adds events to a finished match: its players may still talk.
    pub fn append_to_archived(&self, number: u32, events: &[StoredEvent]) -> Result<()> {
        let stored: String = self.query_row("SELECT events FROM archived WHERE number = ?1", [number], |row| {
            row.get(0)
        })?;
        let mut all: Vec<(i64, String)> = from_json(&stored)?;
        all.extend(events.iter().map(|event| (event.at, event.body.clone())));
        self.execute(
            "UPDATE archived SET events = ?2 WHERE number = ?1",
            params![number, to_json(&all)?],
        )?;
        Ok(())
    }

    /// Numbers of the finished matches in the order in which they were archived.
    pub fn numbers_as_filed(&self) -> Result<Vec<u32>> {
        let mut statement = self.prepare_cached("SELECT number FROM archived ORDER BY filed, ended, number")?;
        let rows = statement.query_map([], |row| row.get(0))?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
    }

    /// Whether a match of this number is archived.
    pub fn is_archived(&self, number: u32) -> Result<bool> {
        Ok(self
            .prepare_cached("SELECT 1 FROM archived WHERE number = ?1")?
            .exists([number])?)
    }

    pub(super) fn archived_match(&self, number: u32) -> Result<Option<StoredMatch>> {
        let found: Option<(String, String)> = self
            .prepare_cached("SELECT head, events FROM archived WHERE number = ?1")?
            .query_row([number], |row| Ok((row.get(0)?, row.get(1)?)))
            .optional()?;
        let Some((head, events)) = found else {
            return Ok(None);
        };
        Ok(Some(StoredMatch {
            number,
            head,
            events: stored_events(&events)?,
            players: self.archived_players(number)?,
            finished: true,
        }))
    }

    /// Players of a finished match by seat; none of one that was imported.
    pub fn archived_players(&self, number: u32) -> Result<Vec<PlayerId>> {
        let mut statement =
            self.prepare_cached("SELECT player FROM archived_seat WHERE match = ?1 AND player NOT NULL ORDER BY seat")?;
        let players = statement.query_map([number], |row| Ok(PlayerId(row.get(0)?)))?;
        Ok(players.collect::<rusqlite::Result<_>>()?)
    }

    /// A finished match, for a record of it.
    pub fn archived(&self, number: u32) -> Result<Option<ArchivedMatch>> {
        let mut statement =
            self.prepare_cached("SELECT head, events, result, reason, ended FROM archived WHERE number = ?1")?;
        let mut rows = statement.query([number])?;
        let Some(row) = rows.next()? else {
            return Ok(None);
        };
        Ok(Some(ArchivedMatch {
            number,
            head: row.get(0)?,
            events: row.get(1)?,
            result: row.get(2)?,
            reason: row.get(3)?,
            ended: row.get(4)?,
        }))
    }

    /// Finished matches that the filter lets by, newest first.
    pub fn search_archive(&self, filter: &Filter) -> Result<Vec<ArchivedRow>> {
        let (condition, mut values) = condition(filter);
        let mut query = format!(
            "SELECT number, game, options, turns, opening, result, reason, rated, private, started, ended FROM archived
             WHERE {condition} ORDER BY ended DESC, number DESC"
        );
        if filter.limit > 0 {
            query.push_str(" LIMIT ? OFFSET ?");
            values.push(Value::Integer(filter.limit.into()));
            values.push(Value::Integer(filter.offset.into()));
        }
        let mut statement = self.prepare_cached(&query)?;
        let rows = statement.query_map(params_from_iter(values), |row| {
            Ok(ArchivedRow {
                number: row.get(0)?,
                game: row.get(1)?,
                options: row.get(2)?,
                turns: row.get(3)?,
                opening: row.get(4)?,
                result: row.get(5)?,
                reason: row.get(6)?,
                rated: row.get(7)?,
                private: row.get(8)?,
                started: row.get(9)?,
                ended: row.get(10)?,
                userids: Vec::new(),
            })
        })?;
        let mut found = rows.collect::<rusqlite::Result<Vec<_>>>()?;
        let mut seats = self.prepare_cached("SELECT userid FROM archived_seat WHERE match = ?1 ORDER BY seat")?;
        for row in &mut found {
            row.userids = seats
                .query_map([row.number], |seat| seat.get(0))?
                .collect::<rusqlite::Result<_>>()?;
        }
        Ok(found)
    }

    /// Numbers of the finished matches that the filter lets by, in order.
    pub fn numbers_of_archive(&self, filter: &Filter) -> Result<Vec<u32>> {
        let (condition, values) = condition(filter);
        let query = format!("SELECT number FROM archived WHERE {condition} ORDER BY number");
        let mut statement = self.prepare_cached(&query)?;
        let numbers = statement.query_map(params_from_iter(values), |row| row.get(0))?;
        Ok(numbers.collect::<rusqlite::Result<_>>()?)
    }

    /// How many finished matches the filter lets by, pages aside.
    pub fn count_archive(&self, filter: &Filter) -> Result<u32> {
        let (condition, values) = condition(filter);
        let query = format!("SELECT count(*) FROM archived WHERE {condition}");
        Ok(self
            .prepare_cached(&query)?
            .query_row(params_from_iter(values), |row| row.get(0))?)
    }

    /// Finished matches of a player, and how many of them he did not lose on time.
    pub fn on_time(&self, userid: &str) -> Result<(u32, u32)> {
        Ok(self.query_row(
            "SELECT count(*), coalesce(sum(reason <> 'time' OR won IS NOT 0), 0)
             FROM archived_seat JOIN archived ON number = match WHERE userid = ?1",
            [userid],
            |row| Ok((row.get(0)?, row.get(1)?)),
        )?)
    }

    /// Who played how many public matches of a game, those who won most first.
    pub fn standings(&self, game: &str, most: u32) -> Result<Vec<StandingRow>> {
        let mut statement = self.prepare_cached(
            "SELECT userid, count(*), coalesce(sum(won = 1), 0), coalesce(sum(won IS NULL), 0)
             FROM archived_seat JOIN archived ON number = match WHERE game = ?1 AND private = 0
             GROUP BY userid ORDER BY 3 DESC, 4 DESC, 2, userid LIMIT ?2",
        )?;
        let rows = statement.query_map(params![game, most], |row| {
            Ok(StandingRow {
                userid: row.get(0)?,
                played: row.get(1)?,
                won: row.get(2)?,
                drawn: row.get(3)?,
            })
        })?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
    }

    /// How two players stand against each other in each game.
    pub fn between(&self, first: &str, second: &str) -> Result<Vec<BetweenRow>> {
        let mut statement = self.prepare_cached(
            "SELECT game, coalesce(sum(a.won = 1), 0), coalesce(sum(b.won = 1), 0),
                    coalesce(sum(a.won IS NULL AND b.won IS NULL), 0)
             FROM archived_seat AS a JOIN archived_seat AS b ON a.match = b.match JOIN archived ON number = a.match
             WHERE a.userid = ?1 AND b.userid = ?2 GROUP BY game ORDER BY game",
        )?;
        let rows = statement.query_map([first, second], |row| {
            Ok(BetweenRow {
                game: row.get(0)?,
                first: row.get(1)?,
                second: row.get(2)?,
                drawn: row.get(3)?,
            })
        })?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
    }

    /// Writes the derived columns of a finished match anew.
    pub fn set_archived_row(&self, row: &ArchivedRow, won: &[Option<bool>]) -> Result<()> {
        self.execute(
            "UPDATE archived SET game = ?2, options = ?3, turns = ?4, opening = ?5, result = ?6, reason = ?7, rated = ?8,
                    private = ?9, started = ?10, ended = ?11 WHERE number = ?1",
            params![
                row.number,
                row.game,
                row.options,
                row.turns,
                row.opening,
                row.result,
                row.reason,
                row.rated,
                row.private,
                row.started,
                row.ended
            ],
        )?;
        let mut seat_statement =
            self.prepare_cached("UPDATE archived_seat SET userid = ?3, won = ?4 WHERE match = ?1 AND seat = ?2")?;
        for (seat, userid) in row.userids.iter().enumerate() {
            seat_statement.execute(params![
                row.number,
                seat as i64,
                userid,
                won.get(seat).copied().flatten()
            ])?;
        }
        Ok(())
    }

    /// By seat: who won a finished match, as it is stored.
    pub fn archived_won(&self, number: u32) -> Result<Vec<Option<bool>>> {
        let mut statement = self.prepare_cached("SELECT won FROM archived_seat WHERE match = ?1 ORDER BY seat")?;
        let rows = statement.query_map([number], |row| row.get(0))?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
    }

    /// Renames a player in the archive's seats.
    pub fn rename_archived(&self, player: PlayerId, userid: &str) -> Result<()> {
        self.execute(
            "UPDATE archived_seat SET userid = ?2 WHERE player = ?1",
            params![player.0, userid],
        )?;
        Ok(())
    }
}

/// The events in the form of the archive.
fn stored_events(json: &str) -> Result<Vec<StoredEvent>> {
    let events: Vec<(i64, String)> = from_json(json)?;
    Ok(events.into_iter().map(|(at, body)| StoredEvent { at, body }).collect())
}

/// The SQL condition of a filter, and its values in order.
fn condition(filter: &Filter) -> (String, Vec<Value>) {
    let mut parts = vec!["1".to_string()];
    let mut values = Vec::new();
    let mut add = |part: &str, value: Value| {
        parts.push(part.to_string());
        values.push(value);
    };
    if let Some(number) = filter.number {
        add("number = ?", Value::Integer(number.into()));
    }
    if let Some(game) = &filter.game {
        add("game = ?", Value::Text(game.clone()));
    }
    for userid in &filter.userids {
        add(
            "number IN (SELECT match FROM archived_seat WHERE userid = ?)",
            Value::Text(userid.clone()),
        );
    }
    if let Some(since) = filter.since {
        add("ended >= ?", Value::Integer(since));
    }
    if let Some(until) = filter.until {
        add("ended < ?", Value::Integer(until));
    }
    if let Some(result) = &filter.result {
        add("result = ?", Value::Text(result.clone()));
    }
    if let Some(opening) = &filter.opening {
        add("(opening || ' ') GLOB ?", Value::Text(format!("{opening} *")));
    }
    if let Some(key) = filter.position {
        add(
            "number IN (SELECT number FROM position WHERE key = ?)",
            Value::Integer(key),
        );
    }
    match &filter.private_of {
        _ if filter.private_all => {}
        None => parts.push("private = 0".to_string()),
        Some(userid) => add(
            "(private = 0 OR number IN (SELECT match FROM archived_seat WHERE userid = ?))",
            Value::Text(userid.clone()),
        ),
    }
    (parts.join(" AND "), values)
}
