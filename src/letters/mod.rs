//! LETTERS: what happened, in words that a player reads, and the mail that carries them.
//!
//! Every word stands in `templates/<language>/`: whole blocks of a mail as `items/*.txt`, single phrases in catalogs
//! (`*.toml`). The code decides *what* is said and in which order; a template decides *how*.
//!
//! * [`Templates`] loads and renders them; the keeper may replace each file.
//! * [`Draft`] is a mail as data; [`compose`] turns it into the bytes that are stored and sent.
//! * [`board`], [`sentence`] and [`why`] put a position, a turn's effects and a refusal into words.
//! * [`MatchView`] is all that a mail about a match shows.

mod board;
mod compose;
mod event;
mod filters;
mod josa;
mod keys;
pub mod picture;
mod reader;
mod sentence;
mod subject;
mod templates;
mod text;
mod view;

#[cfg(test)]
mod tests;

pub use board::{board, board_of_match, captions};
pub use compose::{
    Attachment, Auto, ComposeError, Composed, Draft, Item, MatchInfo, ServerAddress, compose, message_id,
};
pub use event::{happened, refused};
pub use reader::{BoardStyle, Reader};
pub use sentence::{Names, sentence, why};
pub use subject::{MatchState, MatchSubject, Subject};
pub use templates::{TemplateError, Templates};
pub use view::{
    Condition, MatchView, Message, News, NoteView, NumberedTurn, OfferView, PlayerView, ResultView, ToMove,
};
