//! What happened in a match, and what it refused, in whole sentences.

use super::{Reader, TemplateError, Templates, sentence, text, why};
use crate::games::{Refusal, Seat};
use crate::matches::{Chain, ConditionFault, Happening, Match, Offer, Refused, Verdict};
use minijinja::{Value, context};

/// One thing that happened, as a sentence; `None` where another part of the mail says it: talk is quoted below, and a
/// game's own end stands in the sentence of its last turn.
///
/// `game` is the match after it. Who may see a happening is the caller's to know.
///
/// # Errors
///
/// A phrase that cannot be filled in.
pub fn happened(
    happening: &Happening,
    game: &Match,
    reader: &Reader,
    templates: &Templates,
) -> Result<Option<String>, TemplateError> {
    let teller = Teller::new(game, reader, templates);
    let said = match happening {
        Happening::Turn {
            effects, by_condition, ..
        } => {
            let names = &game.head().players;
            let sentence = sentence(effects, game.table(), Some(names), &reader.language, templates)?;
            if *by_condition {
                teller.say("by-condition", context! { sentence })?
            } else {
                sentence
            }
        }
        Happening::Offered { seat, offer } => teller.about_offer("offered", *seat, *offer)?,
        Happening::Answered {
            seat,
            offer,
            by,
            accepted,
        } => {
            let key = if *accepted {
                "answered-accepted"
            } else {
                "answered-rejected"
            };
            let offer = teller.about_offer("offer", *seat, *offer)?;
            teller.say(key, context! { by => teller.who(*by), offer })?
        }
        Happening::Lapsed { seat, offer, .. } => {
            let offer_of = teller.about_offer("offer-of", *seat, *offer)?;
            teller.say("lapsed", context! { offer_of })?
        }
        Happening::TakenBack { turns, by } => {
            let turns = turns.clone();
            teller.say("taken-back", context! { turns, by => teller.by(*by) })?
        }
        Happening::Paused { by } => teller.say("paused", context! { by => teller.by(*by) })?,
        Happening::Continued { by } => teller.say("continued", context! { by => teller.by(*by) })?,
        Happening::Extended { seat, span, by } => {
            let fields = context! { who => teller.who(*seat), span => span.seconds(), by => teller.by(*by) };
            teller.say("extended", fields)?
        }
        Happening::Shifted { window } => teller.say("shifted", context! { span => window.until - window.from })?,
        Happening::Vacation { seat } => teller.say("vacation", context! { who => teller.who(*seat) })?,
        Happening::RanOut { seat } => teller.say("ran-out", context! { who => teller.who(*seat) })?,
        Happening::TimeLost { seat, claimed_by, .. } => {
            let key = if claimed_by.is_some() {
                "time-claimed"
            } else {
                "time-lost"
            };
            teller.say(key, context! { who => teller.who(*seat), by => teller.by(*claimed_by) })?
        }
        Happening::ConditionSet { chain, replaced, .. } => {
            teller.say("condition-set", context! { chain => teller.chain(chain)?, replaced })?
        }
        Happening::ConditionsDropped { count, .. } => teller.say("conditions-dropped", context! { number => count })?,
        Happening::ConditionsForgotten { count, .. } => {
            teller.say("conditions-forgotten", context! { number => count })?
        }
        Happening::Noted { .. } => teller.say("noted", context! {})?,
        Happening::Said { .. } => return Ok(None),
        Happening::Reminded { seat, .. } => teller.say("reminded", context! { who => teller.who(*seat) })?,
        Happening::Finished { .. } if game.table().outcome().is_some() => return Ok(None),
        Happening::Finished {
            verdict, reason, note, ..
        } => teller.finished(verdict, reason, note.as_deref())?,
    };
    Ok(Some(said))
}

/// Why a match refused what a player asked, as a sentence.
///
/// # Errors
///
/// A phrase that cannot be filled in.
pub fn refused(
    refusal: &Refused,
    game: &Match,
    reader: &Reader,
    templates: &Templates,
) -> Result<String, TemplateError> {
    let teller = Teller::new(game, reader, templates);
    let reason = |refusal: &Refusal| why(&refusal.reason, &reader.language, templates);
    let (key, fields) = match refusal {
        Refused::NotYourTurn { to_move } => (refusal.code(), context! { who => teller.who(*to_move) }),
        Refused::StaleTurn { expected, present } => (refusal.code(), context! { expected, present }),
        Refused::Game(rules) => (refusal.code(), context! { why => reason(rules)? }),
        Refused::TimeIsUp { seat, .. } => (refusal.code(), context! { who => teller.who(*seat) }),
        Refused::OfferPending { seat, offer } => {
            let offer_of = teller.about_offer("offer-of", *seat, *offer)?;
            (refusal.code(), context! { offer_of })
        }
        Refused::NotRunOut { seat, deadline } => (refusal.code(), context! { who => teller.who(*seat), deadline }),
        Refused::BadExtension { max } => (refusal.code(), context! { max => max.seconds() }),
        Refused::TooManyConditions { max } => (refusal.code(), context! { max }),
        Refused::Condition { pair, fault } => {
            let opponent = game.to_move().map(|seat| teller.who(seat));
            let pair = pair + 1;
            match fault {
                ConditionFault::Their(rules) => ("condition.their", context! { pair, opponent, why => reason(rules)? }),
                ConditionFault::Yours(rules) => ("condition.yours", context! { pair, why => reason(rules)? }),
                ConditionFault::EndsGame => ("condition.ends-game", context! { pair }),
                ConditionFault::NotYourTurn => ("condition.not-your-turn", context! { pair }),
                ConditionFault::Resigns => ("condition.resigns", context! {}),
                ConditionFault::Length { max } => ("condition.length", context! { max }),
            }
        }
        other => (other.code(), context! {}),
    };
    let fields = context! { timezone => reader.timezone.name(), ..fields };
    templates.word(&reader.language, &format!("refused.{key}"), fields)
}

/// A conditional turn in words that can be typed: `if c4-c5 then d4 if e6 then e5`.
pub(super) fn chain(chain: &Chain, language: &str, templates: &Templates) -> Result<String, TemplateError> {
    let links: Vec<String> = chain
        .iter()
        .map(|(when, answer)| templates.word(language, "events.condition", context! { when, answer }))
        .collect::<Result<_, _>>()?;
    Ok(links.join(" "))
}

/// The key of an offer in the catalogs.
pub(super) fn offer_key(offer: Offer) -> &'static str {
    match offer {
        Offer::Draw => "draw",
        Offer::Undo { .. } => "undo",
        Offer::Pause => "pause",
    }
}

/// The turn that an offer is about.
pub(super) fn offer_turn(offer: Offer) -> Option<u32> {
    match offer {
        Offer::Undo { turn } => Some(turn),
        Offer::Draw | Offer::Pause => None,
    }
}

struct Teller<'a> {
    game: &'a Match,
    reader: &'a Reader,
    templates: &'a Templates,
}

impl<'a> Teller<'a> {
    fn new(game: &'a Match, reader: &'a Reader, templates: &'a Templates) -> Self {
        Teller {
            game,
            reader,
            templates,
        }
    }

    fn say(&self, key: &str, fields: Value) -> Result<String, TemplateError> {
        self.templates
            .word(&self.reader.language, &format!("events.{key}"), fields)
    }

    fn who(&self, seat: Seat) -> &str {
        self.game.player(seat)
    }

    fn by(&self, seat: Option<Seat>) -> Option<&str> {
        seat.map(|seat| self.who(seat))
    }

    fn chain(&self, of: &Chain) -> Result<String, TemplateError> {
        chain(of, &self.reader.language, self.templates)
    }

    fn about_offer(&self, catalog: &str, seat: Seat, offer: Offer) -> Result<String, TemplateError> {
        let fields = context! { who => self.who(seat), turn => offer_turn(offer) };
        self.say(&format!("{catalog}.{}", offer_key(offer)), fields)
    }

    fn finished(&self, verdict: &Verdict, reason: &str, note: Option<&str>) -> Result<String, TemplateError> {
        let (key, seats) = match verdict {
            Verdict::Winner(seat) => ("finished-win", std::slice::from_ref(seat)),
            Verdict::Shared(seats) => ("finished-shared", seats.as_slice()),
            Verdict::Draw => ("finished-draw", [].as_slice()),
        };
        let winners: Vec<String> = seats.iter().map(|&seat| self.who(seat).to_string()).collect();
        let end = self.say(key, context! { winners })?;
        if reason != "adjudicated" {
            return Ok(end);
        }
        let decided = self.say("adjudicated", context! { note => note.map(text::one_line) })?;
        Ok(format!("{decided} {end}"))
    }
}
