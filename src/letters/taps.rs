//! What can be answered by a tap: the turns and words that the reader may say now, and the links that say them.

use super::view::OfferView;
use crate::games::{Cell, Layout, Phase, Seat, Table};
use crate::matches::{Action, Actor, Match, Status};
use std::collections::BTreeSet;
use std::fmt::{self, Display, Write};

/// Turns and words that are open to the reader of a mail about a match.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Taps {
    /// The number of the turn to be played: a link says `d4#7`, so that one in an old mail does no harm.
    pub turn: u32,
    /// Cells on which a stone may be placed; the turn is the cell's name.
    pub placements: BTreeSet<String>,
    /// Turns of men, by the man.
    pub men: Vec<ManTaps>,
    /// Other turns: `pass`, `castle g1`.
    pub others: Vec<String>,
    /// Words that change little.
    pub words: Vec<&'static str>,
    /// Words that end the match, or may: they stand last and apart.
    pub grave: Vec<&'static str>,
}

/// The turns of one man.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ManTaps {
    /// The cell where it stands; for a man in hand its letters with `@`: `+N@`.
    pub from: String,
    /// Its letters where the game has kinds of men.
    pub man: Option<String>,
    /// What is shown of each turn (`f5`, `xf5`, `f5=Q`) and the turn.
    pub turns: Vec<(String, String)>,
}

impl ManTaps {
    /// Whether the man is dropped from the hand.
    pub fn is_in_hand(&self) -> bool {
        self.from.ends_with('@')
    }
}

impl Taps {
    /// What `seat` may say at `now` in a match as it stands: the match is asked, so that no link is made in vain.
    /// `watches` says of one without a seat whether he watches.
    pub(super) fn of(game: &Match, seat: Option<Seat>, watches: Option<bool>, offers: &[OfferView], now: i64) -> Self {
        let mut taps = Taps {
            turn: game.turn() + 1,
            ..Taps::default()
        };
        let Some(seat) = seat else {
            if !game.is_over() {
                taps.words.push("show");
                taps.words
                    .extend(watches.map(|watches| if watches { "unwatch" } else { "watch" }));
            }
            return taps;
        };
        if game.is_over() {
            taps.words.extend(["rematch", "record"]);
            return taps;
        }
        // Asking costs a copy of the match, so only what is likely is asked.
        let may = |action| game.clone().act(now, Actor::Seat(seat), action).is_ok();
        let has_played_last = game.turns().last().is_some_and(|turn| turn.seat == seat);
        let time_is_up = game.deadline().is_some_and(|deadline| deadline <= now);
        let is_in = game.seats_in().contains(&seat);
        if let Some(offer) = offers.iter().find(|offer| !offer.yours) {
            // To agree to a draw ends the match.
            let answers = if offer.kind == "draw" {
                &mut taps.grave
            } else {
                &mut taps.words
            };
            answers.push("accept");
            taps.words.push("reject");
        }
        if game.to_move() == Some(seat) && game.status() != Status::Paused {
            taps.add_turns(game.table(), seat);
        }
        if game.status() == Status::Paused && may(Action::Continue) {
            taps.words.push("continue");
        }
        if offers.is_empty() && has_played_last && may(Action::AskUndo) {
            taps.words.push("undo");
        }
        taps.words.push("show");
        if time_is_up && may(Action::Claim) {
            taps.grave.push("claim");
        }
        if offers.is_empty() && is_in && may(Action::OfferDraw) {
            taps.grave.push("draw");
        }
        if is_in {
            taps.grave.push("resign");
        }
        taps
    }

    fn add_turns(&mut self, table: &dyn Table, seat: Seat) {
        if table.phase() == Phase::Counting {
            let can_be_said = |word: &&str| table.boxed_clone().play(Some(seat), word).is_ok();
            let words = ["agree", "dead none", "resume"].into_iter().filter(can_be_said);
            self.others.extend(words.map(String::from));
            return;
        }
        let diagram = table.diagram();
        let kinds: &[Cell] = match diagram.layout {
            Layout::Squares { .. } => &diagram.cells,
            Layout::Hexagon { .. } | Layout::Lotus | Layout::Honeycomb { .. } => &[],
        };
        let vacant: BTreeSet<&str> = diagram
            .cells
            .iter()
            .filter(|cell| cell.mark.is_none())
            .map(|cell| cell.name.as_str())
            .collect();
        for turn in table.steps() {
            if vacant.contains(turn.as_str()) {
                self.placements.insert(turn);
            } else if let Some((from, label)) = parted(&turn) {
                self.add_man(kinds, from.to_string(), label.to_string(), turn);
            } else {
                self.others.push(turn);
            }
        }
    }

    /// `kinds` are the cells on which the men's letters say their kinds.
    fn add_man(&mut self, kinds: &[Cell], from: String, label: String, turn: String) {
        if let Some(known) = self.men.iter_mut().find(|known| known.from == from) {
            known.turns.push((label, turn));
            return;
        }
        let mark = kinds.iter().find(|cell| cell.name == from).and_then(|cell| cell.mark);
        let man = mark.map(|mark| format!("{}{}", if mark.morph { "+" } else { "" }, mark.letter));
        self.men.push(ManTaps {
            man: man.or_else(|| from.strip_suffix('@').map(String::from)),
            from,
            turns: vec![(label, turn)],
        });
    }
}

/// A man's turn in two: where from, and what is shown of the rest. `f4-f5` is (`f4`, `f5`), `f4xf5` (`f4`, `xf5`),
/// `N@d4` (`N@`, `d4`).
fn parted(turn: &str) -> Option<(&str, &str)> {
    if turn.contains(' ') {
        return None;
    }
    if let Some(at) = turn.find('@') {
        return Some(turn.split_at(at + 1));
    }
    if let Some((from, to)) = turn.split_once('-') {
        return Some((from, to));
    }
    turn.find('x').filter(|at| *at > 0).map(|at| turn.split_at(at))
}

/// Makes the links of one mail.
#[derive(Clone, Debug)]
pub(super) struct Links {
    /// A link up to the line that its mail will say.
    beginning: String,
}

impl Links {
    /// `address` is the reader's own reply address, `subject` the Subject of the mails that the links make.
    pub fn new(address: &str, subject: &str) -> Self {
        // A `+` stands in many addresses and is left alone by every program; RFC 6068 allows it.
        let (address, subject) = (encoded(address, "@+"), encoded(subject, ":"));
        let beginning = format!("mailto:{address}?subject={subject}&body=");
        Links { beginning }
    }

    /// Every link begins with this.
    pub fn beginning(&self) -> &str {
        &self.beginning
    }
}

/// What stands behind the beginning of a link whose mail says `line`: letters, digits, `-._~` and `%`.
pub(super) fn ending(line: &str) -> impl Display {
    encoded(line, "")
}

/// Percent-encodes what is neither unreserved (RFC 3986 2.3) nor among `kept`.
fn encoded<'t>(text: &'t str, kept: &'t str) -> impl Display + use<'t> {
    fmt::from_fn(move |link| {
        text.bytes().try_for_each(|byte| {
            let sign = char::from(byte);
            if byte.is_ascii_alphanumeric() || "-._~".contains(sign) || (byte.is_ascii() && kept.contains(sign)) {
                link.write_char(sign)
            } else {
                write!(link, "%{byte:02X}")
            }
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turns_of_men_are_parted() {
        for (turn, parts) in [
            ("c4-c5", Some(("c4", "c5"))),
            ("f4xf5", Some(("f4", "xf5"))),
            ("f4-f5=Q", Some(("f4", "f5=Q"))),
            ("f4xf5=Q", Some(("f4", "xf5=Q"))),
            ("+N@d4", Some(("+N@", "d4"))),
            ("castle g1", None),
            ("pass", None),
        ] {
            assert_eq!(parted(turn), parts, "{turn}");
        }
    }

    #[test]
    fn a_link_holds_no_sign_that_would_end_it() {
        let links = Links::new("play+k7@example.org", "Re: Susan #12");
        assert_eq!(
            links.beginning(),
            "mailto:play+k7@example.org?subject=Re:%20Susan%20%2312&body="
        );
        assert_eq!(ending("+N@d4#7").to_string(), "%2BN%40d4%237");
        assert_eq!(ending("기").to_string(), "%EA%B8%B0");
    }
}
