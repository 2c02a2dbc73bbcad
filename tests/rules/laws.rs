//! Laws that hold for every game alike, on random games. `PLAYPOST_GAMES=1000` plays more of them.

use crate::support::{Options, from_environment, game, games, options, table};
use playpost::games::{self, Kind, Registration, Seat, Table};
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// Games that each variant plays under all laws.
const DEFAULT_GAMES: u64 = 8;

/// Games that each variant plays to the end without being looked at.
const DEFAULT_PLAYOUTS: u64 = 200;

/// No game of random play is longer, whatever the game.
const LONGEST: u32 = 20_000;

/// Further boards than the default on which a game is tried; every game is tried on its default.
fn variants() -> Vec<(&'static Registration, Options)> {
    let further = [
        ("susan", json!({"side": 2})),
        ("susan", json!({"side": 3})),
        ("susan", json!({"side": 3, "seats": 3})),
        ("susan", json!({"seats": 4})),
        ("susan", json!({"side": 7})),
        ("rosette", json!({"side": 2})),
        ("rosette", json!({"side": 3, "nocount": true})),
        ("lotus", json!({"nocount": true})),
        ("medusa", json!({"komi": 5})),
    ];
    let further = further.iter().map(|(name, object)| (game(name), options(object)));
    games()
        .iter()
        .map(|game| (game, Options::new()))
        .chain(further)
        .collect()
}

/// A position without what tells how it was reached.
fn position(table: &dyn Table) -> Value {
    let mut json = table.json();
    json["turn"] = Value::Null;
    json["move"] = Value::Null;
    json
}

/// One random game, looked at after every turn.
struct Trial {
    game: &'static Registration,
    options: Options,
    table: Box<dyn Table>,
    /// The turns said so far.
    said: Vec<String>,
    /// Texts that were or could have been turns in this game.
    candidates: BTreeSet<String>,
    random: Xoshiro256PlusPlus,
}

impl Trial {
    fn new(game: &'static Registration, options: &Options, seed: u64) -> Self {
        let table = table(game, options, None);
        let cells = table.diagram().cells.into_iter().map(|cell| cell.name);
        Trial {
            game,
            options: options.clone(),
            candidates: cells.collect(),
            table,
            said: Vec::new(),
            random: Xoshiro256PlusPlus::seed_from_u64(seed),
        }
    }

    fn place(&self) -> String {
        format!("{} {:?} after {:?}", self.game.info.name, self.options, self.said)
    }

    /// Plays a step that is drawn, or now and then lets a seat resign where more than two play.
    fn advance(&mut self) {
        let steps = self.table.steps();
        let resigns = self.table.seats().len() > 2 && self.random.random_range(0..60) == 0;
        let line = if resigns {
            let seat = Seat(self.random.random_range(0..self.table.seats().len()) as u8);
            format!("{}: resign", self.table.seat_name(seat))
        } else if steps.is_empty() {
            // The counting of a scored game.
            ["dead none", "agree"][usize::from(self.said.last().is_some_and(|last| last == "dead none"))].to_string()
        } else {
            steps[self.random.random_range(0..steps.len())].clone()
        };
        self.candidates.extend(steps);
        if self.table.play(None, &line).is_ok() {
            self.said.push(line);
        }
    }

    /// The listed turns are legal, are written as they are read, and are known without a board.
    fn listed_turns_are_legal(&self) {
        let steps = self.table.steps();
        if let Some(legal) = self.table.legal() {
            assert_eq!(legal, steps, "{}", self.place());
            assert_eq!(self.table.legal_count(), Some(legal.len() as u64), "{}", self.place());
        }
        for step in &steps {
            let mut next = self.table.boxed_clone();
            let played = next
                .play(None, step)
                .unwrap_or_else(|error| panic!("{}: {step}: {error:?}", self.place()));
            assert_eq!(&played.text, step, "{}", self.place());
            assert!(!played.effects.is_empty(), "{}", self.place());
            assert_eq!(
                (self.game.recognise)(step),
                Some(step.to_lowercase()),
                "{}",
                self.place()
            );
            assert_eq!(self.table.turn() + 1, next.turn());
        }
        assert_eq!(
            steps.iter().collect::<BTreeSet<_>>().len(),
            steps.len(),
            "{}",
            self.place()
        );
    }

    /// Whatever else can be read is refused, and changes nothing.
    fn only_listed_turns_are_legal(&mut self) {
        let Some(legal) = self.table.legal() else { return };
        let legal: BTreeSet<String> = legal.into_iter().collect();
        let before = self.table.json();
        let before_board = self.table.boxed_clone();
        for text in self.candidates.iter().filter(|text| !legal.contains(*text)) {
            match self.table.play(None, text) {
                // Another spelling of a listed turn, as `x` for `-` in Medusa Shogi.
                Ok(played) if legal.contains(&played.text) => self.table = before_board.boxed_clone(),
                Ok(played) => panic!("{}: {text} was played as {}", self.place(), played.text),
                Err(refusal) => assert_ne!(refusal.kind, Kind::OutOfTurn, "{}: {text}", self.place()),
            }
        }
        for text in ["", "hello", "a1-", "setup", "Q: a1", "é4", "a99"] {
            let refusal = self.table.play(None, text).unwrap_err();
            assert_eq!(refusal.kind, Kind::Unreadable, "{}: {text:?}", self.place());
        }
        assert_eq!(
            self.table.json(),
            before,
            "{}: a refused turn changed something",
            self.place()
        );
        assert_eq!(
            self.table.legal().unwrap_or_default().len(),
            legal.len(),
            "{}",
            self.place()
        );
    }

    /// The position text gives the position again; turns that only the history forbids may be legal then.
    fn the_position_text_gives_the_position(&self) {
        let Some(text) = self.table.position_text() else { return };
        let again = (self.game.setup)(&self.options, &text).unwrap_or_else(|error| panic!("{}: {error}", self.place()));
        assert_eq!(again.position_text().as_ref(), Some(&text), "{}", self.place());
        let (mut before, mut after) = (position(&*self.table), position(&*again));
        let remembers = ["medusa", "rosette"].contains(&self.game.info.name);
        if remembers {
            before["legal"] = Value::Null;
            after["legal"] = Value::Null;
        }
        assert_eq!(before, after, "{}", self.place());
        let (before, after) = (self.table.steps(), again.steps());
        if remembers {
            assert!(before.iter().all(|step| after.contains(step)), "{}", self.place());
        } else {
            assert_eq!(before, after, "{}", self.place());
        }
    }

    /// The drawing shows every stone, and fits into a mail.
    fn the_drawing_fits(&self) {
        let diagram = self.table.diagram();
        let marks = diagram.cells.iter().filter(|cell| cell.mark.is_some()).count();
        let stones: usize = self.table.facts().stones.iter().map(Vec::len).sum();
        assert_eq!(marks, stones, "{}", self.place());
        let lines = diagram.ascii();
        assert!(
            !lines.is_empty() && lines.iter().all(|line| line.is_ascii() && line.len() <= 78),
            "{}",
            self.place()
        );
    }

    /// The lines said give the same position again.
    fn a_replay_gives_the_same(&self) {
        let mut again = table(self.game, &self.options, None);
        for line in &self.said {
            again.play(None, line).unwrap();
        }
        assert_eq!(again.json(), self.table.json(), "{}", self.place());
    }

    fn after_the_end_nothing_is_legal(&mut self) {
        assert_eq!(
            (self.table.to_move(), self.table.legal_count()),
            (None, Some(0)),
            "{}",
            self.place()
        );
        assert_eq!(
            self.table.legal().unwrap_or_default(),
            Vec::<String>::new(),
            "{}",
            self.place()
        );
        assert_eq!(self.table.position_text(), None, "{}", self.place());
        let before = self.table.json();
        for line in self.said.iter().chain(&["resign".to_string()]) {
            let refusal = self.table.play(None, line).unwrap_err();
            assert_eq!(refusal.kind, Kind::Over, "{}: {line}", self.place());
        }
        assert_eq!(self.table.json(), before, "{}", self.place());
    }
}

#[test]
fn the_laws_hold_in_random_games_of_every_game() {
    for (game, options) in variants() {
        for seed in 0..from_environment("PLAYPOST_GAMES", DEFAULT_GAMES) {
            let mut trial = Trial::new(game, &options, seed);
            while trial.table.outcome().is_none() {
                trial.the_drawing_fits();
                // The slow laws are looked at in some positions of a long game.
                if trial.said.len() < 4 || trial.random.random_range(0..12) == 0 {
                    trial.listed_turns_are_legal();
                    trial.only_listed_turns_are_legal();
                    trial.the_position_text_gives_the_position();
                }
                trial.advance();
                assert!(trial.table.turn() < LONGEST, "{}", trial.place());
            }
            trial.the_drawing_fits();
            trial.a_replay_gives_the_same();
            trial.after_the_end_nothing_is_legal();
        }
    }
}

#[test]
fn random_games_of_every_game_end() {
    for (game, options) in variants() {
        let table = table(game, &options, None);
        let mut random = Xoshiro256PlusPlus::seed_from_u64(5);
        // The large boards of stones play long games.
        let count = if table.diagram().cells.len() > 100 {
            1
        } else {
            from_environment("PLAYPOST_GAMES", DEFAULT_PLAYOUTS)
        };
        for _ in 0..count {
            let (outcome, turns) = table.playout(&mut |choices| random.random_range(0..choices));
            assert!(
                outcome.is_some() && (1..LONGEST).contains(&turns),
                "{} {options:?}",
                game.info.name
            );
        }
    }
}

#[test]
fn a_turn_is_known_with_the_seat_before_it() {
    for game in games() {
        let turn = table(game, &Options::new(), None).steps().into_iter().next().unwrap();
        let seat = game.info.seats.chars().next().unwrap();
        let expected = format!("{}: {}", seat.to_lowercase(), turn.to_lowercase());
        assert_eq!(games::recognise(&format!("{seat} : {turn}")), Some(expected));
        assert_eq!(games::recognise(&format!("q: {turn}")), None);
        for text in ["", "hello", "d4?", "a5 looks strong", "resign"] {
            assert_eq!((game.recognise)(text), None, "{}: {text:?}", game.info.name);
        }
        for example in game.info.examples {
            assert!((game.recognise)(example).is_some(), "{}: {example}", game.info.name);
        }
    }
}
