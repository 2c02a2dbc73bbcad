//! For whom a mail is written.

use chrono_tz::Tz;
use serde::Serialize;

/// How a player wants to see boards (`set board …`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum BoardStyle {
    #[default]
    Ascii,
    Unicode,
    List,
}

/// The settings of a player that decide how a mail reads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reader {
    /// A folder of `templates/`; one that does not exist reads as English.
    pub language: String,
    /// Times are shown in this zone.
    pub timezone: Tz,
    pub board: BoardStyle,
    /// Mails with a board have a part in HTML beside the text (`set html …`).
    pub html: bool,
    /// Boards go with a mail as pictures too (`set picture …`).
    pub picture: bool,
}

impl Default for Reader {
    /// A stranger: English, UTC, boards in plain ASCII, text alone.
    fn default() -> Self {
        Reader {
            language: super::templates::FALLBACK_LANGUAGE.to_string(),
            timezone: Tz::UTC,
            board: BoardStyle::Ascii,
            html: false,
            picture: false,
        }
    }
}
