//! One block of a mail as data, and its words.

use super::board::BoardView;
use super::taps::Taps;
use super::view::MatchView;
use super::{Reader, TemplateError, Templates};
use minijinja::value::Serde;
use minijinja::{Value, context};
use serde::Serialize;

/// Stands in the place of the board where another drawing of it will be put. No text that comes in by mail holds it:
/// reading takes control characters away.
pub(super) const BOARD: char = '\u{1A}';

/// One paragraph or block of a mail: `items/<template>.txt` and what it shows.
///
/// Beside its own context a template sees `server` (the server's address), `language` and `timezone`.
#[derive(Clone, Debug)]
pub struct Item {
    pub template: &'static str,
    pub context: Value,
    /// The board that `{{ board }}` of the context shows as text.
    pub board: Option<Box<BoardView>>,
    /// The match that it is about, for the links in it.
    pub about: Option<Box<About>>,
}

/// A match as far as links need it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct About {
    pub number: u32,
    /// The game's title.
    pub title: &'static str,
    pub taps: Taps,
}

/// What the words of a mail are laid out for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Medium {
    /// Lines of at most 78 columns.
    Text,
    /// Lines that flow; [`BOARD`] stands for the board.
    Html,
}

impl Item {
    pub fn new(template: &'static str, context: impl Serialize) -> Self {
        Item {
            template,
            context: Value::from(Serde(context)),
            board: None,
            about: None,
        }
    }

    /// An item with a board, which its template shows as `{{ board }}`.
    pub fn with_board(template: &'static str, context: impl Serialize, board: BoardView) -> Self {
        let text = board.text.as_str();
        Item {
            context: context! { board => text, ..Value::from(Serde(context)) },
            board: Some(Box::new(board)),
            ..Item::new(template, ())
        }
    }

    /// A match as it stands for the reader.
    pub fn of_match(mut view: MatchView) -> Self {
        let about = About {
            number: view.number,
            title: view.title,
            taps: std::mem::take(&mut view.taps),
        };
        Item {
            board: view.drawing.take(),
            about: Some(Box::new(about)),
            ..Item::new("match", view)
        }
    }

    /// Fills in the item's template for a mail from `server`.
    ///
    /// # Errors
    ///
    /// A template that cannot be filled in.
    pub(super) fn words(
        &self,
        medium: Medium,
        reader: &Reader,
        server: &str,
        templates: &Templates,
    ) -> Result<String, TemplateError> {
        let mut context = context! {
            server,
            language => reader.language.as_str(),
            timezone => reader.timezone.name(),
            ..self.context.clone()
        };
        if medium == Medium::Html {
            context = context! { medium => "html", board => BOARD.to_string(), ..context };
        }
        templates.render(&reader.language, &format!("items/{}.txt", self.template), context)
    }
}
