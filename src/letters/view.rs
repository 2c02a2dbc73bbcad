//! All that a mail about a match shows. The template `items/match.txt` lays it out.

use super::board::{BoardView, board_of_match};
use super::event::{offer_key, offer_turn};
use super::taps::Taps;
use super::{Reader, TemplateError, Templates};
use crate::games::{Phase, Seat, Table};
use crate::matches::{Match, Status, Verdict};
use serde::Serialize;

/// How many of the last turns a mail lists: even, so that with two players each keeps his column.
const TURNS_LISTED: u32 = 8;

/// A match as its mails show it to one reader. `items/match.txt` lays it out in the order of
/// LANGUAGE.md 7: what happened, the board, whose turn and how long, the last turns, offers, conditional turns, notes,
/// what others said, and how to answer.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MatchView {
    pub number: u32,
    /// Whether the match is named above its board: in a mail about several.
    pub heading: bool,
    /// The game's title: `Medusa Shogi`.
    pub title: &'static str,
    /// The game's name in commands: `medusa-shogi`.
    pub game: &'static str,
    /// In seat order.
    pub players: Vec<PlayerView>,
    /// What happened, as whole sentences.
    pub headline: String,
    /// The board as text.
    pub board: String,
    /// The same board for other drawings of it.
    #[serde(skip)]
    pub drawing: Option<Box<BoardView>>,
    /// What the reader may say by a tap.
    #[serde(skip)]
    pub taps: Taps,
    pub status: Status,
    /// The number of the turn to be played, the N of `d4#N`; of the last turn when the match is over.
    pub turn: u32,
    /// The player to move or to answer; `None` when the match is over.
    pub to_move: Option<ToMove>,
    /// How it ended; `None` while it goes on.
    pub result: Option<ResultView>,
    /// The last turns, oldest first.
    pub last_turns: Vec<NumberedTurn>,
    /// The players other than the reader, by userid.
    pub opponents: Vec<String>,
    /// What waits for an answer.
    pub offers: Vec<OfferView>,
    /// The reader's own conditional turns, each a chain of the opponent's turn and the answer.
    pub conditionals: Vec<Vec<Condition>>,
    /// The reader's own notes.
    pub notes: Vec<NoteView>,
    /// What others said with this mail.
    pub messages: Vec<Message>,
    /// Up to two turns that can be played now, to show how an answer looks.
    pub examples: Vec<String>,
    /// Whether the reader plays here (else he watches, or only asked).
    pub plays: bool,
    /// See [`News::watches`].
    pub watches: Option<bool>,
}

/// What a mail about a match is about.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct News {
    /// What happened, as whole sentences: from [`super::happened`].
    pub headline: String,
    /// What others said with it.
    pub messages: Vec<Message>,
    /// Whether a reader without a seat watches the match; `None` for one who has a seat, or is no player.
    pub watches: Option<bool>,
}

/// A player of a match.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PlayerView {
    pub userid: String,
    /// The seat's name in the game: `X`.
    pub seat: String,
    /// This is the reader.
    pub you: bool,
    /// Out of the game (three and four seats).
    pub out: bool,
}

/// Whose turn it is, and how long he has.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ToMove {
    pub userid: String,
    pub seat: String,
    pub you: bool,
    /// Seconds left on the clock; `None` in a match without a clock.
    pub left: Option<i64>,
    /// When the clock is at zero, in seconds since 1970; `None` without a clock and while clocks stand still.
    pub deadline: Option<i64>,
}

/// How a match ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ResultView {
    /// Userids; empty for a draw.
    pub winners: Vec<String>,
    /// As in RULES_CLI.md (`surrounded`, `score` …), or `time`, `agreed`, `adjudicated`.
    pub reason: &'static str,
}

/// A turn in the list of turns.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct NumberedTurn {
    pub number: u32,
    /// The seat's name: `X`.
    pub seat: String,
    /// Canonical notation; a seat before it (`O: resign`) is left out where it is that seat.
    pub text: String,
}

/// An offer that waits for an answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct OfferView {
    /// A key of `events.waiting`: `draw`, `undo`, `pause`.
    pub kind: &'static str,
    pub by: String,
    /// The turn that is to be taken back.
    pub turn: Option<u32>,
    /// The reader made it.
    pub yours: bool,
}

/// One link of a conditional turn: if the opponent plays `when`, the server answers `answer`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Condition {
    pub when: String,
    pub answer: String,
}

/// A private note.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct NoteView {
    /// The number of turns played when it was written.
    pub turn: u32,
    pub text: String,
}

/// What somebody said.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Message {
    pub from: String,
    pub text: String,
}

impl MatchView {
    /// What a match shows to one reader at `now`; `reader_seat` is his seat, `None` for one who watches. The headline
    /// and the messages are what this mail is about.
    ///
    /// # Errors
    ///
    /// A caption of the board that cannot be filled in.
    pub fn new(
        game: &Match,
        reader_seat: Option<Seat>,
        now: i64,
        news: News,
        reader: &Reader,
        templates: &Templates,
    ) -> Result<Self, TemplateError> {
        let info = game.table().info();
        let players = players(game, reader_seat);
        let opponents = players.iter().filter(|player| !player.you);
        let drawing = board_of_match(game, reader, templates)?;
        let offers = offers(game, reader_seat);
        let taps = if reader.html {
            Taps::of(game, reader_seat, news.watches, &offers, now)
        } else {
            Taps::default()
        };
        Ok(MatchView {
            number: game.number(),
            heading: false,
            title: info.title,
            game: info.name,
            opponents: opponents.map(|player| player.userid.clone()).collect(),
            players,
            headline: news.headline,
            board: drawing.text.clone(),
            drawing: Some(Box::new(drawing)),
            taps,
            status: game.status(),
            turn: if game.is_over() { game.turn() } else { game.turn() + 1 },
            to_move: game.to_move().map(|seat| to_move(game, seat, reader_seat, now)),
            result: result(game),
            last_turns: last_turns(game),
            offers,
            conditionals: reader_seat.map(|seat| conditionals(game, seat)).unwrap_or_default(),
            notes: reader_seat.map(|seat| notes(game, seat)).unwrap_or_default(),
            messages: news.messages,
            examples: examples(game, reader_seat),
            plays: reader_seat.is_some(),
            watches: news.watches,
        })
    }
}

/// Turns that can be played now, to show how an answer looks. For a player who waits: a turn of the other's, and one of
/// his own that answers it.
fn examples(game: &Match, reader_seat: Option<Seat>) -> Vec<String> {
    let own = game.table().info().examples.map(String::from);
    if game.is_over() {
        return own.into();
    }
    let mut examples = playable(game.table());
    let waits = reader_seat.is_some() && game.to_move() != reader_seat;
    if let (true, Some(theirs)) = (waits, examples.first().cloned()) {
        let mut table = game.table().boxed_clone();
        let answer = table
            .play(None, &theirs)
            .ok()
            .and_then(|_| playable(table.as_ref()).into_iter().next());
        examples = std::iter::once(theirs).chain(answer).collect();
    }
    // In the counting no step can be listed; the template shows words of the counting then.
    if examples.is_empty() { own.into() } else { examples }
}

/// The game's own examples as far as they can be played on this board, and in the place of others some other turns.
fn playable(table: &dyn Table) -> Vec<String> {
    if table.phase() == Phase::Counting {
        // What can be named dead: a stone that stands there.
        return table.facts().stones.into_iter().flatten().take(1).collect();
    }
    let own = table.info().examples;
    let can_be_played = |text: &&str| table.boxed_clone().play(None, text).is_ok();
    let mut examples: Vec<String> = own.iter().copied().filter(can_be_played).map(String::from).collect();
    if examples.len() < own.len() {
        let steps = table.steps();
        let middle = steps.iter().skip(steps.len() / 2);
        let others: Vec<String> = middle
            .filter(|step| !examples.contains(step))
            .take(own.len())
            .cloned()
            .collect();
        examples.extend(others);
    }
    examples.truncate(own.len());
    examples
}

fn players(game: &Match, reader_seat: Option<Seat>) -> Vec<PlayerView> {
    let seats_in = game.seats_in();
    game.seats()
        .map(|seat| PlayerView {
            userid: game.player(seat).to_string(),
            seat: game.seat_name(seat),
            you: Some(seat) == reader_seat,
            out: !seats_in.contains(&seat),
        })
        .collect()
}

fn to_move(game: &Match, seat: Seat, reader_seat: Option<Seat>, now: i64) -> ToMove {
    ToMove {
        userid: game.player(seat).to_string(),
        seat: game.seat_name(seat),
        you: Some(seat) == reader_seat,
        left: game.time_left(seat, now),
        deadline: game.deadline(),
    }
}

fn result(game: &Match) -> Option<ResultView> {
    let ended = game.ended()?;
    let winners = match &ended.verdict {
        Verdict::Winner(seat) => vec![game.player(*seat).to_string()],
        Verdict::Shared(_) | Verdict::Draw => Vec::new(),
    };
    Some(ResultView {
        winners,
        reason: ended.reason,
    })
}

fn last_turns(game: &Match) -> Vec<NumberedTurn> {
    let seats = game.head().players.len().max(1) as u32;
    // The list begins with the first seat's turn, as long as the turns go round.
    let earlier = game.turn().saturating_sub(TURNS_LISTED).next_multiple_of(seats);
    (1..)
        .zip(game.turns())
        .skip(earlier as usize)
        .map(|(number, turn)| {
            let seat = game.seat_name(turn.seat);
            let text = turn.text.strip_prefix(&format!("{seat}: ")).unwrap_or(&turn.text);
            NumberedTurn {
                number,
                text: text.to_string(),
                seat,
            }
        })
        .collect()
}

fn offers(game: &Match, reader_seat: Option<Seat>) -> Vec<OfferView> {
    let waiting = game.offer().filter(|(by, _)| {
        // Who only watches has nothing to answer, and who has answered already has no more to do.
        reader_seat.is_some_and(|seat| seat == *by || game.awaits_answer_of(seat))
    });
    waiting
        .map(|(by, offer)| OfferView {
            kind: offer_key(offer),
            by: game.player(by).to_string(),
            turn: offer_turn(offer),
            yours: Some(by) == reader_seat,
        })
        .into_iter()
        .collect()
}

fn conditionals(game: &Match, seat: Seat) -> Vec<Vec<Condition>> {
    let link = |(when, answer): &(String, String)| Condition {
        when: when.clone(),
        answer: answer.clone(),
    };
    let chains = game.conditions(seat).iter();
    chains.map(|chain| chain.iter().map(link).collect()).collect()
}

fn notes(game: &Match, seat: Seat) -> Vec<NoteView> {
    game.notes(seat)
        .map(|note| NoteView {
            turn: note.turn,
            text: note.text.clone(),
        })
        .collect()
}
