//! The object-safe face of all games, implemented once.

use super::{
    Diagram, Effect, Facts, Game, Info, Kind, OptionError, Outcome, Phase, PositionError, RawOptions, Reason, Refusal,
    Seat, lotus, medusa, medusa_shogi, rosette, susan,
};
use serde_json::{Map, Value, json};

/// A turn that was played.
#[derive(Clone, Debug, PartialEq)]
pub struct Played {
    /// The turn in canonical notation, with the seat before it where the speaker was not the seat to move.
    pub text: String,
    pub seat: Seat,
    pub effects: Vec<Effect>,
}

/// A game in play, whichever it is. Turns go in and out as text.
pub trait Table: Send + Sync {
    fn info(&self) -> &'static Info;
    fn options(&self) -> Vec<(&'static str, Value)>;
    /// The names of the seats in the order of play.
    fn seats(&self) -> &'static str;
    /// Turns played so far.
    fn turn(&self) -> u32;
    /// The seat to move, or to answer in the counting; `None` when the game has ended.
    fn to_move(&self) -> Option<Seat>;
    fn outcome(&self) -> Option<&Outcome>;
    fn phase(&self) -> Phase;
    /// Reads, judges and plays one turn as a player would write it. A refused turn changes nothing.
    /// `speaker` is who says it; `None` means whom the text's own seat prefix names, else the seat to move.
    /// A prefix that contradicts `speaker` is out of turn.
    fn play(&mut self, speaker: Option<Seat>, text: &str) -> Result<Played, Refusal>;
    /// The legal turns in notation order, `None` where they cannot be listed.
    fn legal(&self) -> Option<Vec<String>>;
    /// What `rules legal` prints: the legal turns, or the legal steps where turns cannot be listed.
    fn steps(&self) -> Vec<String>;
    fn legal_count(&self) -> Option<u64>;
    fn position_text(&self) -> Option<String>;
    fn facts(&self) -> Facts;
    /// The board with the last turn marked.
    fn diagram(&self) -> Diagram;
    /// The effects of the last turn; empty at the start.
    fn last_effects(&self) -> &[Effect];
    /// The canonical text of the last turn.
    fn last_turn(&self) -> Option<&str>;
    /// See [`Game::perft`]; with `divide` the count below each first turn.
    fn perft(&self, depth: u32) -> Option<u64>;
    fn divide(&self, depth: u32) -> Option<Vec<(String, u64)>>;
    /// One game of uniformly random steps from here, in which two passes end a scored game: outcome and turns.
    fn playout(&self, random: &mut dyn FnMut(usize) -> usize) -> (Option<Outcome>, u32);
    fn boxed_clone(&self) -> Box<dyn Table>;

    /// The name of a seat: `X`.
    fn seat_name(&self, seat: Seat) -> String {
        self.seats()
            .chars()
            .nth(seat.index())
            .map(String::from)
            .unwrap_or_default()
    }

    /// The seat of that name, in any case.
    fn seat_named(&self, name: &str) -> Option<Seat> {
        let mut letters = name.chars();
        let letter = letters.next()?.to_ascii_uppercase();
        if letters.next().is_some() {
            return None;
        }
        self.seats()
            .chars()
            .position(|seat| seat == letter)
            .map(|index| Seat(index as u8))
    }

    /// The position as the JSON object of RULES_CLI.md.
    fn json(&self) -> Value {
        let facts = self.facts();
        let by_seat = |lists: &[Vec<String>]| -> Value {
            self.seats()
                .chars()
                .zip(lists)
                .map(|(seat, cells)| (seat.to_string(), json!(cells)))
                .collect::<Map<_, _>>()
                .into()
        };
        let mut object = Map::new();
        object.insert("turn".into(), json!(self.turn()));
        object.insert("move".into(), json!(self.last_turn()));
        object.insert("to_move".into(), json!(self.to_move().map(|seat| self.seat_name(seat))));
        object.insert("legal".into(), json!(self.legal_count()));
        object.insert(
            "outcome".into(),
            self.outcome().map_or(Value::Null, |outcome| self.outcome_json(outcome)),
        );
        object.insert("stones".into(), by_seat(&facts.stones));
        object.insert("marker".into(), json!(facts.marker));
        let hands = facts.hands.map(|hands| {
            self.seats()
                .chars()
                .zip(hands)
                .map(|(seat, men)| {
                    let men: Map<_, _> = men.into_iter().map(|(man, count)| (man, json!(count))).collect();
                    (seat.to_string(), Value::Object(men))
                })
                .collect::<Map<_, _>>()
        });
        object.insert("hands".into(), json!(hands));
        object.insert("check".into(), json!(facts.check));
        object.insert("stone".into(), json!(facts.stone));
        if let Some(out) = facts.out {
            object.insert("out".into(), out.into_iter().map(|seat| self.seat_name(seat)).collect());
        }
        if let Some(phase) = facts.phase {
            object.insert("phase".into(), json!(phase));
        }
        object.into()
    }

    /// `{"winner": "X", "reason": "surrounded"}`, with the score where there is one (whole numbers without a point).
    fn outcome_json(&self, outcome: &Outcome) -> Value {
        let mut object = Map::new();
        object.insert("winner".into(), json!(outcome.winner.map(|seat| self.seat_name(seat))));
        object.insert("reason".into(), json!(outcome.reason));
        if let Some(score) = &outcome.score {
            let points = |points: f64| {
                if points.fract() == 0.0 {
                    json!(points as i64)
                } else {
                    json!(points)
                }
            };
            let score: Map<_, _> = self
                .seats()
                .chars()
                .zip(score)
                .map(|(seat, &score)| (seat.to_string(), points(score)))
                .collect();
            object.insert("score".into(), score.into());
        }
        object.into()
    }
}

impl Clone for Box<dyn Table> {
    fn clone(&self) -> Self {
        self.boxed_clone()
    }
}

/// A [`Game`] with what every table keeps beside it: the number of turns and the last one.
#[derive(Clone)]
pub struct Seated<G: Game> {
    game: G,
    turn: u32,
    last: Option<Played>,
}

impl<G: Game> Seated<G> {
    pub fn new(game: G) -> Self {
        Seated {
            game,
            turn: 0,
            last: None,
        }
    }
}

/// A line taken apart: the seat before the colon, if any, and the rest without blanks at its ends.
fn split_seat(line: &str) -> (Option<&str>, &str) {
    let line = line.trim();
    match line.split_once(':') {
        Some((seat, rest)) if seat.trim_end().chars().count() == 1 => {
            let letter = seat.trim_end();
            if letter.chars().all(char::is_alphabetic) {
                (Some(letter), rest.trim())
            } else {
                (None, line)
            }
        }
        _ => (None, line),
    }
}

impl<G: Game> Table for Seated<G> {
    fn info(&self) -> &'static Info {
        const { &G::INFO }
    }

    fn options(&self) -> Vec<(&'static str, Value)> {
        self.game.options()
    }

    fn seats(&self) -> &'static str {
        self.game.seats()
    }

    fn turn(&self) -> u32 {
        self.turn
    }

    fn to_move(&self) -> Option<Seat> {
        self.game.outcome().is_none().then(|| self.game.to_move())
    }

    fn outcome(&self) -> Option<&Outcome> {
        self.game.outcome()
    }

    fn phase(&self) -> Phase {
        self.game.facts().phase.unwrap_or(Phase::Play)
    }

    fn play(&mut self, speaker: Option<Seat>, text: &str) -> Result<Played, Refusal> {
        let refuse = |kind, reason| Err(Refusal { kind, reason });
        let (prefix, rest) = split_seat(text);
        let prefix = match prefix {
            None => None,
            Some(letter) => match self.seat_named(letter) {
                Some(seat) => Some(seat),
                None => {
                    return refuse(
                        Kind::Unreadable,
                        Reason::NoSuchSeat {
                            seat: letter.to_string(),
                        },
                    );
                }
            },
        };
        let resigns = rest.eq_ignore_ascii_case("resign");
        let turn = if resigns {
            None
        } else {
            Some(self.game.parse(rest).map_err(|reason| Refusal {
                kind: Kind::Unreadable,
                reason,
            })?)
        };
        if self.game.outcome().is_some() {
            return refuse(Kind::Over, Reason::Over);
        }
        let to_move = self.game.to_move();
        let out_of_turn = || Reason::OutOfTurn {
            to_move: self.seat_name(to_move),
        };
        let seat = match (speaker, prefix) {
            (Some(speaker), Some(prefix)) if speaker != prefix => return refuse(Kind::OutOfTurn, out_of_turn()),
            (speaker, prefix) => speaker.or(prefix).unwrap_or(to_move),
        };
        let (text, effects) = match turn {
            None => ("resign".to_string(), self.game.resign(seat)),
            Some(turn) => {
                if !self.game.may_say(seat, &turn) {
                    return refuse(Kind::OutOfTurn, out_of_turn());
                }
                let text = self.game.write(&turn);
                (text, self.game.play(seat, &turn))
            }
        };
        let effects = effects.map_err(|reason| Refusal {
            kind: Kind::Illegal,
            reason,
        })?;
        let text = if seat == to_move {
            text
        } else {
            format!("{}: {text}", self.seat_name(seat))
        };
        self.turn += 1;
        let played = Played { text, seat, effects };
        self.last = Some(played.clone());
        Ok(played)
    }

    fn legal(&self) -> Option<Vec<String>> {
        Some(
            self.game
                .legal_turns()?
                .iter()
                .map(|turn| self.game.write(turn))
                .collect(),
        )
    }

    fn steps(&self) -> Vec<String> {
        self.game.steps().iter().map(|turn| self.game.write(turn)).collect()
    }

    fn legal_count(&self) -> Option<u64> {
        if self.game.outcome().is_some() {
            Some(0)
        } else {
            self.game.legal_count()
        }
    }

    fn position_text(&self) -> Option<String> {
        self.game.position_text()
    }

    fn facts(&self) -> Facts {
        self.game.facts()
    }

    fn diagram(&self) -> Diagram {
        let mut diagram = self.game.diagram();
        for effect in self.last_effects() {
            let (filled, changed) = (effect.filled(), effect.changed());
            for cell in &mut diagram.cells {
                cell.filled |= filled.contains(&cell.name.as_str());
                cell.changed |= changed.contains(&cell.name.as_str());
            }
        }
        diagram
    }

    fn last_effects(&self) -> &[Effect] {
        self.last.as_ref().map_or(&[], |last| &last.effects)
    }

    fn last_turn(&self) -> Option<&str> {
        self.last.as_ref().map(|last| last.text.as_str())
    }

    fn perft(&self, depth: u32) -> Option<u64> {
        self.game.without_counting().perft(depth)
    }

    fn divide(&self, depth: u32) -> Option<Vec<(String, u64)>> {
        let game = self.game.without_counting();
        game.perft(0)?;
        let seat = game.to_move();
        let turns = if depth == 0 { Vec::new() } else { game.legal_turns()? };
        turns
            .iter()
            .map(|turn| {
                let mut next = game.clone();
                next.play(seat, turn).ok()?;
                Some((game.write(turn), next.perft(depth - 1)?))
            })
            .collect()
    }

    fn playout(&self, random: &mut dyn FnMut(usize) -> usize) -> (Option<Outcome>, u32) {
        self.game.without_counting().playout(random)
    }

    fn boxed_clone(&self) -> Box<dyn Table> {
        Box::new(self.clone())
    }
}

/// Counts by playing every legal turn on a copy. The last ply is counted without being played.
pub(super) fn perft_by_copies<G: Game>(game: &G, depth: u32) -> Option<u64> {
    if depth == 0 {
        return Some(1);
    }
    if game.outcome().is_some() {
        return Some(0);
    }
    if depth == 1 {
        return game.legal_count();
    }
    let seat = game.to_move();
    let mut nodes = 0;
    for turn in game.legal_turns()? {
        let mut next = game.clone();
        if next.play(seat, &turn).is_ok() {
            nodes += perft_by_copies(&next, depth - 1)?;
        }
    }
    Some(nodes)
}

/// Plays random steps until the game ends; gives up (no outcome) where there is no step.
pub(super) fn playout_by_steps<G: Game>(mut game: G, random: &mut dyn FnMut(usize) -> usize) -> (Option<Outcome>, u32) {
    let mut turns = 0;
    while game.outcome().is_none() {
        let steps = game.steps();
        if steps.is_empty() {
            return (None, turns);
        }
        let seat = game.to_move();
        if game.play(seat, &steps[random(steps.len())]).is_err() {
            return (None, turns);
        }
        turns += 1;
    }
    (game.outcome().cloned(), turns)
}

/// Why a table with a start position of its own could not be made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SetupError {
    #[error(transparent)]
    Option(#[from] OptionError),
    #[error(transparent)]
    Position(#[from] PositionError),
}

/// Makes a table with the start position under these options.
pub type Start = fn(&RawOptions) -> Result<Box<dyn Table>, OptionError>;

/// Makes a table with the position of a position text, under these options.
pub type Setup = fn(&RawOptions, &str) -> Result<Box<dyn Table>, SetupError>;

/// One game as the rest of the house finds it.
pub struct Registration {
    pub info: &'static Info,
    pub start: Start,
    pub setup: Setup,
    pub is_cell_name: fn(&str) -> bool,
    pub recognise: fn(&str) -> Option<String>,
}

impl Registration {
    const fn of<G: Game>() -> Self {
        Registration {
            info: const { &G::INFO },
            start: |options| Ok(Box::new(Seated::new(G::start(options)?))),
            setup: |options, text| {
                let game = G::start(options)?.with_setup(text)?;
                Ok(Box::new(Seated::new(game)))
            },
            is_cell_name: G::is_cell_name,
            recognise: G::recognise,
        }
    }
}

/// Every game of the house. To add one is to write its file and a line here.
pub static GAMES: &[Registration] = &[
    Registration::of::<susan::Susan>(),
    Registration::of::<medusa::Medusa>(),
    Registration::of::<lotus::Lotus>(),
    Registration::of::<rosette::Rosette>(),
    Registration::of::<medusa_shogi::MedusaShogi>(),
];

/// The game of that name or alias, in any case.
pub fn find(name: &str) -> Option<&'static Registration> {
    GAMES.iter().find(|game| {
        game.info.name.eq_ignore_ascii_case(name)
            || game.info.aliases.iter().any(|alias| alias.eq_ignore_ascii_case(name))
    })
}

/// The words that a turn may begin with. Every other turn begins with a cell or a drop.
const FIRST_WORDS: [&str; 5] = ["pass", "dead", "agree", "resume", "castle"];

/// What stands before the first digit of a cell or a drop is no longer: `+N@d4`.
const LONGEST_BEFORE_DIGIT: usize = 4;

/// Whether a turn of any game may begin with this word, which may have the turn's number behind a `#`.
pub fn may_begin_turn(word: &str) -> bool {
    let word = word.trim_start_matches(',');
    let word = word.split(['#', ',']).next().unwrap_or_default();
    let digit = word.bytes().position(|byte| byte.is_ascii_digit());
    digit.is_some_and(|at| at <= LONGEST_BEFORE_DIGIT)
        || FIRST_WORDS.iter().any(|first| word.eq_ignore_ascii_case(first))
}

/// Whether a line is a turn in the notation of any game on any of its boards, and if so its canonical form in lower
/// case. A seat prefix is allowed where the letter is a seat of that game. `resign` is not among these.
pub fn recognise(line: &str) -> Option<String> {
    let (prefix, rest) = split_seat(line);
    GAMES.iter().find_map(|game| {
        let turn = (game.recognise)(rest)?;
        match prefix {
            None => Some(turn),
            Some(seat) => {
                let letter = seat.to_ascii_uppercase();
                game.info
                    .seats
                    .contains(&letter)
                    .then(|| format!("{}: {turn}", seat.to_ascii_lowercase()))
            }
        }
    })
}
