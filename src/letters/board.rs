//! A position as a mail shows it: the drawing, and captions in words above and below it.

use super::sentence::{Names, Words, marked_seat};
use super::{BoardStyle, Reader, TemplateError, Templates, list, unicode};
use crate::games::{Diagram, Note, Seat, Table};
use crate::matches::{Match, Verdict};
use minijinja::{Value, context};

/// A position as it is shown to one reader: his kind of board as text, and what another drawing of it needs.
#[derive(Clone, Debug, PartialEq)]
pub struct BoardView {
    /// The whole of it as text, in the reader's style.
    pub text: String,
    pub style: BoardStyle,
    /// Captions above the drawing.
    pub above: Vec<String>,
    /// Captions below the drawing.
    pub below: Vec<String>,
    pub diagram: Diagram,
    /// The names of the seats in the order of play: `XO`.
    pub seats: &'static str,
    /// The position in words, for a reader who listens; else empty.
    pub spoken: Vec<String>,
}

/// The board with its coordinates and the last turn marked, and what stands beside it: whose turn it is, hands, marker,
/// a pass, a proposal. The player to move is named where the names are known; the rest goes by seats.
///
/// # Errors
///
/// A caption that cannot be filled in.
pub fn board(
    table: &dyn Table,
    names: Names,
    reader: &Reader,
    templates: &Templates,
) -> Result<BoardView, TemplateError> {
    let words = Words {
        table,
        names,
        language: &reader.language,
        templates,
    };
    let standing = standing_of_table(&words)?;
    view(&words, standing, reader.board)
}

/// The board of a match now: as [`board`], and a match that is over without its game being so (on time, by agreement,
/// by the keeper) says how.
///
/// # Errors
///
/// A caption that cannot be filled in.
pub fn board_of_match(game: &Match, reader: &Reader, templates: &Templates) -> Result<BoardView, TemplateError> {
    let words = Words {
        table: game.table(),
        names: Some(&game.head().players),
        language: &reader.language,
        templates,
    };
    let standing = match game.ended() {
        Some(ended) if game.table().outcome().is_none() => {
            let winner = match ended.verdict {
                Verdict::Winner(seat) => Some(seat),
                Verdict::Shared(_) | Verdict::Draw => None,
            };
            end(&words, winner, ended.reason, None)?
        }
        _ => standing_of_table(&words)?,
    };
    view(&words, standing, reader.board)
}

/// What stands beside a board, a line each: whose turn it is or how it ended, hands, marker, a pass, a proposal.
/// `ending` says how the match ended (the winner, `None` for a draw, and the reason) where its game did not.
///
/// # Errors
///
/// A caption that cannot be filled in.
pub fn captions(
    table: &dyn Table,
    names: Names,
    ending: Option<(Option<Seat>, &str)>,
    language: &str,
    templates: &Templates,
) -> Result<Vec<String>, TemplateError> {
    let words = Words {
        table,
        names,
        language,
        templates,
    };
    let standing = match ending {
        Some((winner, reason)) if table.outcome().is_none() => end(&words, winner, reason, None)?,
        _ => standing_of_table(&words)?,
    };
    let notes = table.diagram().notes;
    let mut lines = vec![standing];
    for note in &notes {
        lines.push(caption(&words, note)?);
    }
    Ok(lines)
}

fn view(words: &Words, standing: String, style: BoardStyle) -> Result<BoardView, TemplateError> {
    let diagram = words.table.diagram();
    let (mut above, mut below) = (Vec::new(), vec![standing]);
    for note in &diagram.notes {
        match note {
            // Who listens need not hear of an empty hand.
            Note::Hand { men, .. } if men.is_empty() && style == BoardStyle::List => {}
            // The first player sits below the board.
            Note::Hand { seat, .. } if *seat == Seat(0) => below.insert(0, caption(words, note)?),
            Note::Hand { .. } => above.push(caption(words, note)?),
            _ => below.push(caption(words, note)?),
        }
    }
    let spoken = match style {
        BoardStyle::List => list::lines(words, &diagram)?,
        BoardStyle::Ascii | BoardStyle::Unicode => Vec::new(),
    };
    let drawing = match style {
        BoardStyle::Ascii => diagram.ascii(),
        BoardStyle::Unicode => unicode::draw(&diagram),
        BoardStyle::List => spoken.clone(),
    };
    let lines: Vec<&str> = [&above, &drawing, &below]
        .into_iter()
        .flatten()
        .map(String::as_str)
        .collect();
    Ok(BoardView {
        text: lines.join("\n"),
        style,
        above,
        below,
        diagram,
        seats: words.table.seats(),
        spoken,
    })
}

/// Whose turn it is, or how the game ended.
fn standing_of_table(words: &Words) -> Result<String, TemplateError> {
    match words.table.outcome() {
        Some(outcome) => end(words, outcome.winner, outcome.reason, outcome.score.as_deref()),
        None => {
            let seat = words.table.to_move();
            let who = seat.map(|seat| words.who_and_seat(seat)).transpose()?;
            words.templates.word(words.language, "board.to-move", context! { who })
        }
    }
}

fn end(words: &Words, winner: Option<Seat>, reason: &str, score: Option<&[f64]>) -> Result<String, TemplateError> {
    let reason = format!("board.reason.{}", reason.replace(' ', "-"));
    let fields = context! {
        who => winner.map(|seat| words.who_and_seat(seat)).transpose()?,
        reason => words.templates.word(words.language, &reason, ())?,
        score => score.map(|score| score.iter().map(f64::to_string).collect::<Vec<_>>()),
    };
    let key = if winner.is_some() { "board.won" } else { "board.drawn" };
    words.templates.word(words.language, key, fields)
}

fn caption(words: &Words, note: &Note) -> Result<String, TemplateError> {
    let (key, fields) = match note {
        Note::Slides { count, draw_at } => ("board.slides", context! { number => count, draw_at }),
        Note::Marker { value } => {
            let who = marked_seat(*value).map(|seat| words.seat(seat)).transpose()?;
            ("board.marker", context! { who, number => value.unsigned_abs() })
        }
        Note::PassedOnce { seat, counts } => {
            let key = if *counts {
                "board.passed-once"
            } else {
                "board.passed-once-at-once"
            };
            (key, context! { who => words.seat(*seat)? })
        }
        Note::Proposal { seat, groups } => {
            let groups = words.groups(groups)?;
            ("board.proposal", context! { who => words.seat(*seat)?, groups })
        }
        Note::Check { seat } => ("board.check", context! { who => words.seat(*seat)? }),
        Note::Hand { seat, men } => (
            "board.hand",
            context! { who => words.seat(*seat)?, ..men_in_hand(*seat, men) },
        ),
    };
    words.templates.word(words.language, key, fields)
}

/// Men in hand as on the board: those of the first player in upper case, of the second in lower: `+N, 2 P`.
fn men_in_hand(seat: Seat, men: &[(String, u32)]) -> Value {
    let men: Vec<String> = men
        .iter()
        .map(|(man, count)| {
            let man = if seat == Seat(0) {
                man.to_uppercase()
            } else {
                man.to_lowercase()
            };
            if *count > 1 { format!("{count} {man}") } else { man }
        })
        .collect();
    context! { men }
}
