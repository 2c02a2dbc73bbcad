//! LETTERS: what happened, in words that a player reads, and the mail that carries them.
//!
//! Every word stands in `templates/<language>/`: whole blocks of a mail as `items/*.txt`, single phrases in catalogs
//! (`*.toml`). The code decides *what* is said and in which order; a template decides *how*.
//!
//! * [`Templates`] loads and renders them; the keeper may replace each file.
//! * [`Draft`] is a mail as data; [`compose`] turns it into the bytes that are stored and sent.
//! * [`board`], [`sentence`] and [`why`] put a position, a turn's effects and a refusal into words.
//! * [`MatchView`] is all that a mail about a match shows.
//! * [`BoardView`] is a position in the reader's style; `html` makes the coloured board of it, and of the same items the
//!   HTML part of a mail.

mod board;
mod compose;
mod event;
mod filters;
mod html;
mod item;
mod josa;
mod keys;
mod list;
pub mod picture;
mod raster;
mod reader;
mod sentence;
mod sheet;
mod subject;
mod taps;
mod templates;
mod text;
mod unicode;
mod view;

#[cfg(test)]
mod tests;

pub use board::{BoardView, board, board_of_match, captions};
pub use compose::{
    Attachment, Auto, ComposeError, Composed, Draft, File, MatchInfo, ServerAddress, compose, message_id,
};
pub use event::{happened, refused};
pub use item::Item;
pub use reader::{BoardStyle, Reader};
pub use sentence::{Names, sentence, why};
pub use subject::{MatchState, MatchSubject, Subject};
pub use taps::{ManTaps, Taps};
pub use templates::{TemplateError, Templates};
pub use view::{
    Condition, MatchView, Message, News, NoteView, NumberedTurn, OfferView, PlayerView, ResultView, ToMove,
};
