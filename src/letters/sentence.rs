//! What a turn did, in words. Here the effects are ordered into a subject, its verbs and what follows from them. The
//! phrases stand in `effects.toml`: how they are joined and in which order, and how a verb changes where another one
//! follows, is the language's to say there.

use super::{TemplateError, Templates};
use crate::games::{Cause, Effect, Outcome, Reason, Seat, Table, Tally};
use minijinja::{Value, context};
use serde::Serialize;

/// The players' names in seat order; `None` leaves the seats to be named as the rules pages name them.
pub type Names<'a> = Option<&'a [String]>;

/// Cells are listed by name up to this number.
const NAMED_CELLS: usize = 3;

/// The sentences of a turn: `X slides c4-c5 and surrounds O's b5: X wins.`
///
/// `effects` are those of one turn, and `table` is the game after it. Empty for no effects.
///
/// # Errors
///
/// A phrase that cannot be filled in.
pub fn sentence(
    effects: &[Effect],
    table: &dyn Table,
    names: Names,
    language: &str,
    templates: &Templates,
) -> Result<String, TemplateError> {
    let words = Words {
        table,
        names,
        language,
        templates,
    };
    let mut teller = Teller::new(&words, effects);
    for effect in effects {
        teller.tell(effect)?;
    }
    teller.finish()
}

/// Why a turn was refused, as a clause without a full stop.
///
/// # Errors
///
/// A reason without words, or words that ask for a field that the reason does not have.
pub fn why(reason: &Reason, language: &str, templates: &Templates) -> Result<String, TemplateError> {
    let fields = serde_json::to_value(reason).unwrap_or_default();
    let code = fields.get("code").and_then(|code| code.as_str()).unwrap_or_default();
    templates.word(language, &format!("reasons.{code}"), &fields)
}

/// The words for seats, men and phrases in one match.
pub(super) struct Words<'a> {
    pub table: &'a dyn Table,
    pub names: Names<'a>,
    pub language: &'a str,
    pub templates: &'a Templates,
}

impl Words<'_> {
    /// A phrase of a catalog: the game's own where it has one.
    fn phrase(&self, key: &str, fields: Value) -> Result<String, TemplateError> {
        let own = self.own_key(key);
        let key = if self.templates.has(self.language, &own) {
            own
        } else {
            format!("effects.{key}")
        };
        self.templates.word(self.language, &key, fields)
    }

    fn own_key(&self, key: &str) -> String {
        format!("effects.games.{}.{key}", self.table.info().name)
    }

    /// The seat as the rules page names it: `X`, `White`.
    pub(super) fn seat(&self, seat: Seat) -> Result<String, TemplateError> {
        self.by_letter("seats", seat)
    }

    fn colour(&self, seat: Seat) -> Result<String, TemplateError> {
        self.by_letter("seats.colour", seat)
    }

    fn by_letter(&self, catalog: &str, seat: Seat) -> Result<String, TemplateError> {
        let letter = self.table.seat_name(seat);
        let key = format!("{catalog}.{letter}");
        if self.templates.has(self.language, &key) {
            self.templates.word(self.language, &key, ())
        } else {
            Ok(letter)
        }
    }

    /// The player, by name where it is known.
    fn who(&self, seat: Seat) -> Result<String, TemplateError> {
        match self.names.and_then(|names| names.get(seat.index())) {
            Some(name) => self.phrase("player", context! { name }),
            None => self.seat(seat),
        }
    }

    /// The player with the seat, so that one finds him on the board: `bob (O)`.
    pub(super) fn who_and_seat(&self, seat: Seat) -> Result<String, TemplateError> {
        match self.names.and_then(|names| names.get(seat.index())) {
            Some(name) => self.phrase("named", context! { name, seat => self.seat(seat)? }),
            None => self.seat(seat),
        }
    }

    /// A man by its letter, in any case, with its Morph mark: `+B` is a Morph-Bishop.
    pub(super) fn man(&self, letters: &str) -> Result<String, TemplateError> {
        let (morph, letter) = match letters.strip_prefix('+') {
            Some(letter) => (true, letter),
            None => (false, letters),
        };
        let key = format!("men.{}", letter.to_ascii_uppercase());
        let man = self.templates.word(self.language, &key, ())?;
        if morph {
            self.templates.word(self.language, "men.morph", context! { man })
        } else {
            Ok(man)
        }
    }

    /// Groups of stones, each by its first stone.
    pub(super) fn groups(&self, groups: &[Vec<String>]) -> Result<Vec<String>, TemplateError> {
        groups
            .iter()
            .map(|group| {
                let fields = context! { stone => group.first(), number => group.len() };
                self.templates.word(self.language, "board.group", fields)
            })
            .collect()
    }

    fn men(&self, men: &[(Seat, String, String)]) -> Result<Value, TemplateError> {
        let said: Vec<String> = men
            .iter()
            .map(|(seat, man, cell)| {
                let fields = context! { who => self.who(*seat)?, man => self.man(man)?, cell };
                self.phrase("man-on", fields)
            })
            .collect::<Result<_, _>>()?;
        Ok(context! { number => said.len(), men => said })
    }
}

/// How a part of a sentence is joined to what stands before it; the key of `effects.joint`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Joint {
    Comma,
    Semicolon,
    Colon,
    Stop,
}

impl Joint {
    fn key(self) -> &'static str {
        match self {
            Joint::Comma => "joint.comma",
            Joint::Semicolon => "joint.semicolon",
            Joint::Colon => "joint.colon",
            Joint::Stop => "joint.stop",
        }
    }
}

/// A phrase of the catalog and what it is to be filled in with.
struct Phrase {
    key: &'static str,
    fields: Value,
}

/// What the subject did. Its words are chosen when all verbs are known: many languages close a sentence with another
/// form of the verb than the one that goes on.
struct Verb {
    does: Phrase,
    /// What goes right behind it.
    behind: Vec<Phrase>,
}

#[derive(Serialize)]
struct Tail {
    #[serde(skip)]
    kind: Joint,
    joint: String,
    text: String,
}

/// Puts the sentence of one turn together, effect by effect.
struct Teller<'a> {
    words: &'a Words<'a>,
    effects: &'a [Effect],
    subject: Option<String>,
    verbs: Vec<Verb>,
    tails: Vec<Tail>,
    /// The cell that was filled last: the one that a suicide speaks of.
    filled: Option<String>,
    /// Lists that are said as one, when the first of them comes.
    surrounded_said: bool,
    rosettes_said: bool,
}

impl<'a> Teller<'a> {
    fn new(words: &'a Words<'a>, effects: &'a [Effect]) -> Self {
        Teller {
            words,
            effects,
            subject: None,
            verbs: Vec::new(),
            tails: Vec::new(),
            filled: None,
            surrounded_said: false,
            rosettes_said: false,
        }
    }

    fn tell(&mut self, effect: &Effect) -> Result<(), TemplateError> {
        if let Some(cell) = effect.filled().last() {
            self.filled = Some(cell.to_string());
        }
        match effect {
            Effect::Placed { seat, cell } => self.act(*seat, "placed", context! { cell }),
            Effect::Moved {
                seat,
                man: None,
                from,
                to,
            } => self.act(*seat, "moved", context! { from, to }),
            Effect::Moved {
                seat,
                man: Some(man),
                from,
                to,
            } => self.man_moved(*seat, man, from, to),
            Effect::Surrounded { by, .. } => self.surrounded(*by),
            Effect::Out { seat, resigned } => self.out(*seat, *resigned),
            Effect::Slides { count, draw_at } => self.slides(*count, *draw_at),
            Effect::Reversed { cells, to, cause, .. } => self.reversed(cells, *to, *cause),
            Effect::Captured { cells, .. } => {
                self.verb("captured", stones(cells));
                Ok(())
            }
            Effect::Rosette { seat, .. } => self.rosettes(*seat),
            Effect::Lotus { seat, .. } => {
                let who = self.words.who(*seat)?;
                self.tail(Joint::Semicolon, "lotus", context! { who })
            }
            Effect::Passed { seat } => self.act(*seat, "passed", context! {}),
            Effect::Marker { value } => self.marker(*value),
            Effect::Counting { .. } if self.tails.is_empty() => self.tail(Joint::Colon, "counting", context! {}),
            Effect::Counting { .. } => self.tail(Joint::Stop, "counting-sentence", context! {}),
            Effect::Named { seat, groups } => {
                let groups = self.words.groups(groups)?;
                self.act(*seat, "named-dead", context! { groups })
            }
            Effect::Resumed { seat } => self.act(*seat, "resumed", context! {}),
            Effect::Agreed { seat, cells } => {
                self.act(*seat, "agreed", context! {})?;
                if cells.is_empty() {
                    return Ok(());
                }
                self.tail(Joint::Semicolon, "agreed-stones", stones(cells))
            }
            Effect::ManTaken { .. } => Ok(()), // said with the move
            Effect::Changed { to, .. } => {
                // Only a Morph changes, and it stays one.
                let man = self.words.man(&format!("+{}", to.trim_start_matches('+')))?;
                self.verb("man-becomes", context! { man });
                Ok(())
            }
            Effect::Promoted { to, .. } => {
                let man = self.words.man(to)?;
                self.verb("man-becomes", context! { man });
                Ok(())
            }
            Effect::Dropped { seat, man, on } => {
                let man = self.words.man(man)?;
                self.act(*seat, "man-dropped", context! { man, cell => on })
            }
            Effect::Castled {
                seat, king_to, rook_to, ..
            } => {
                self.act(*seat, "castled", context! {})?;
                self.tail(Joint::Colon, "castled-how", context! { king_to, rook_to })
            }
            Effect::Petrified { men } => {
                let men = self.words.men(men)?;
                self.tail(Joint::Semicolon, "petrified", men)
            }
            Effect::Freed { men } => {
                let men = self.words.men(men)?;
                self.consequence("freed", men)
            }
            Effect::Check { seat } if !self.has_ended() => {
                let who = self.words.who(*seat)?;
                self.tail(Joint::Stop, "check", context! { who })
            }
            Effect::Repeated { times } if !self.has_ended() => {
                self.tail(Joint::Stop, "repeated", context! { number => times })
            }
            Effect::Check { .. } | Effect::Repeated { .. } => Ok(()),
            Effect::Resigned { seat } => self.resigned(*seat),
            Effect::Ended { outcome, tally } => self.ended(outcome, tally.as_deref()),
        }
    }

    /// A verb of a seat; the first makes it the subject.
    fn act(&mut self, seat: Seat, key: &'static str, fields: Value) -> Result<(), TemplateError> {
        if self.subject.is_none() {
            self.subject = Some(self.words.who_and_seat(seat)?);
        }
        self.verb(key, fields);
        Ok(())
    }

    fn verb(&mut self, key: &'static str, fields: Value) {
        self.verbs.push(Verb {
            does: Phrase { key, fields },
            behind: Vec::new(),
        });
    }

    /// Goes right behind the last verb.
    fn behind_verb(&mut self, key: &'static str, fields: Value) {
        if let Some(verb) = self.verbs.last_mut() {
            verb.behind.push(Phrase { key, fields });
        }
    }

    fn tail(&mut self, kind: Joint, key: &str, fields: Value) -> Result<(), TemplateError> {
        let joint = self.words.phrase(kind.key(), context! {})?;
        let text = self.words.phrase(key, fields)?;
        self.tails.push(Tail { kind, joint, text });
        Ok(())
    }

    /// What follows from the turn: behind a colon if it is the first that does, else behind a semicolon.
    fn consequence(&mut self, key: &str, fields: Value) -> Result<(), TemplateError> {
        let joint = if self.tails.is_empty() {
            Joint::Colon
        } else {
            Joint::Semicolon
        };
        self.tail(joint, key, fields)
    }

    fn has_ended(&self) -> bool {
        self.effects.iter().any(|effect| matches!(effect, Effect::Ended { .. }))
    }

    fn man_moved(&mut self, seat: Seat, man: &str, from: &str, to: &str) -> Result<(), TemplateError> {
        let fields = context! { who => self.words.who(seat)?, man => self.words.man(man)? };
        self.subject = Some(self.words.phrase("mans", fields)?);
        let taken = self.effects.iter().find_map(|effect| match effect {
            Effect::ManTaken { man, on, in_hand, .. } => Some((man, on, in_hand)),
            _ => None,
        });
        let Some((taken, on, in_hand)) = taken else {
            self.verb("moved", context! { from, to });
            return Ok(());
        };
        let in_hand = if in_hand.eq_ignore_ascii_case(taken) {
            None
        } else {
            Some(self.words.man(in_hand)?)
        };
        let fields = context! { man => self.words.man(taken)?, cell => on, in_hand };
        self.verb("man-takes", fields);
        Ok(())
    }

    fn surrounded(&mut self, by: Seat) -> Result<(), TemplateError> {
        if self.surrounded_said {
            return Ok(());
        }
        self.surrounded_said = true;
        let mut said = Vec::new();
        for effect in self.effects {
            if let Effect::Surrounded { owner, cell, .. } = effect {
                let fields = context! { who => self.words.who(*owner)?, own => *owner == by, cell };
                said.push(self.words.phrase("surrounded-stone", fields)?);
            }
        }
        self.verb("surrounded", context! { stones => said });
        Ok(())
    }

    /// Out of a game that others go on with, or that it ends.
    fn out(&mut self, seat: Seat, resigned: bool) -> Result<(), TemplateError> {
        if resigned {
            self.resigned(seat)?;
            self.verb("resigned-out", context! {});
        } else {
            let who = self.words.who(seat)?;
            self.consequence("out", context! { who })?;
        }
        if self.has_ended() {
            return Ok(());
        }
        let Some(to_move) = self.words.table.to_move() else {
            return Ok(());
        };
        // A turn said by a seat that was not to move has the seat before it.
        let was_to_move = self.words.table.last_turn().is_none_or(|turn| !turn.contains(':'));
        let who = self.words.who(to_move)?;
        if was_to_move {
            self.tail(Joint::Stop, "to-move", context! { who })
        } else {
            self.tail(Joint::Semicolon, "still-to-move", context! { who })
        }
    }

    fn resigned(&mut self, seat: Seat) -> Result<(), TemplateError> {
        if self.verbs.is_empty() {
            self.act(seat, "resigned", context! {})?;
        }
        Ok(())
    }

    fn slides(&mut self, number: u32, draw_at: u32) -> Result<(), TemplateError> {
        let fields = context! { number, draw_at };
        match (number, self.has_ended()) {
            (0 | 1, _) => Ok(()),
            (_, false) => self.tail(Joint::Comma, "slides", fields),
            (_, true) if number == draw_at && self.words.table.outcome().is_none_or(|end| end.winner.is_none()) => {
                self.tail(Joint::Comma, "slides-all", fields)
            }
            // Somebody has won: how many slides there were no longer matters.
            (_, true) => Ok(()),
        }
    }

    fn reversed(&mut self, cells: &[String], to: Seat, cause: Cause) -> Result<(), TemplateError> {
        match cause {
            Cause::Captured => self.verb("captured", stones(cells)),
            Cause::Suicide => {
                let filled = self.filled.as_deref();
                let others: Vec<String> = cells
                    .iter()
                    .filter(|cell| Some(cell.as_str()) != filled)
                    .cloned()
                    .collect();
                let fields = context! { colour => self.words.colour(to)?, ..stones(&others) };
                self.behind_verb("suicide", fields)
            }
            Cause::Double => {
                let fields = context! { colour => self.words.colour(to)?, ..stones(cells) };
                self.behind_verb("double", fields)
            }
        }
        Ok(())
    }

    fn rosettes(&mut self, seat: Seat) -> Result<(), TemplateError> {
        if self.rosettes_said {
            return Ok(());
        }
        self.rosettes_said = true;
        let around: Vec<String> = self
            .effects
            .iter()
            .filter_map(|effect| match effect {
                Effect::Rosette { around, .. } => Some(around.clone()),
                _ => None,
            })
            .collect();
        let who = self.words.who(seat)?;
        self.tail(Joint::Semicolon, "rosette", context! { who, around })
    }

    fn marker(&mut self, value: i32) -> Result<(), TemplateError> {
        let who = marked_seat(value).map(|seat| self.words.seat(seat)).transpose()?;
        let fields = context! { who, number => value.unsigned_abs() };
        let is = |wanted: fn(&Effect) -> bool| self.effects.iter().any(wanted);
        if is(|effect| matches!(effect, Effect::Passed { .. })) {
            let own = self.words.own_key("passed-marker");
            if self.words.templates.has(self.words.language, &own) {
                self.behind_verb("passed-marker", fields);
                return Ok(());
            }
        } else if !is(|effect| matches!(effect, Effect::Placed { .. })) {
            self.verb("moved-nothing-placed", context! {});
        }
        self.consequence("marker", fields)
    }

    fn ended(&mut self, outcome: &Outcome, tally: Option<&[Tally]>) -> Result<(), TemplateError> {
        let text = ending(self.words, outcome, tally)?;
        let kind = match self.tails.last() {
            None => Joint::Colon,
            Some(last) if last.kind == Joint::Comma => Joint::Colon,
            Some(_) => Joint::Stop,
        };
        let joint = self.words.phrase(kind.key(), context! {})?;
        self.tails.push(Tail { kind, joint, text });
        Ok(())
    }

    fn finish(self) -> Result<String, TemplateError> {
        let Some(subject) = &self.subject else {
            return Ok(String::new());
        };
        let verbs: Vec<String> = self
            .verbs
            .iter()
            .enumerate()
            .map(|(index, verb)| self.said(verb, index + 1 == self.verbs.len()))
            .collect::<Result<_, _>>()?;
        let tails: Vec<Value> = self
            .tails
            .iter()
            .map(|tail| context! { joint => tail.joint.as_str(), text => tail.text.as_str() })
            .collect();
        self.words.phrase("sentence", context! { subject, verbs, tails })
    }

    /// A verb in words. Every phrase of it sees whether it is the `last` of its sentence.
    fn said(&self, verb: &Verb, last: bool) -> Result<String, TemplateError> {
        std::iter::once(&verb.does)
            .chain(&verb.behind)
            .map(|phrase| {
                self.words
                    .phrase(phrase.key, context! { last, ..phrase.fields.clone() })
            })
            .collect()
    }
}

/// Whom a marker is worth points; nobody when it is level. Positive is Black's, who sits first.
pub(super) fn marked_seat(value: i32) -> Option<Seat> {
    match value {
        0 => None,
        value if value > 0 => Some(Seat(0)),
        _ => Some(Seat(1)),
    }
}

fn stones(cells: &[String]) -> Value {
    let named = if cells.len() <= NAMED_CELLS { cells } else { &[] };
    context! { number => cells.len(), cells => named.to_vec() }
}

/// How a game ended: `White wins by 43 to 40 (31 stones, 12 cells)`.
fn ending(words: &Words, outcome: &Outcome, tally: Option<&[Tally]>) -> Result<String, TemplateError> {
    let who = outcome.winner.map(|seat| words.who(seat)).transpose()?;
    if let Some(score) = &outcome.score {
        let mut points = score.clone();
        points.sort_by(|a, b| b.total_cmp(a));
        let (high, low) = (points.first().copied(), points.last().copied());
        let tally = outcome
            .winner
            .zip(tally)
            .and_then(|(seat, tally)| tally.get(seat.index()));
        let fields = context! {
            who,
            high => high.map(number),
            low => low.map(number),
            tally => tally.map(|tally| tally_text(words, tally)).transpose()?,
        };
        let key = if outcome.winner.is_some() {
            "ended.score-win"
        } else {
            "ended.score-draw"
        };
        return words.phrase(key, fields);
    }
    let own = format!("ended.{}", outcome.reason.replace(' ', "-"));
    let key = if words.templates.has(words.language, &format!("effects.{own}")) {
        own.as_str()
    } else if outcome.winner.is_some() {
        "ended.win"
    } else {
        "ended.draw"
    };
    words.phrase(key, context! { who })
}

fn tally_text(words: &Words, tally: &Tally) -> Result<String, TemplateError> {
    let fields = context! {
        stones => tally.stones,
        cells => tally.cells,
        area => words.phrase("ended.area", context! {})?,
        extra => (tally.extra != 0.0).then(|| number(tally.extra)),
        source => words.phrase("ended.extra", context! {})?,
    };
    words.phrase("ended.tally", fields)
}

/// Points without a superfluous `.0`: `43`, `43.5`.
fn number(points: f64) -> String {
    points.to_string()
}
