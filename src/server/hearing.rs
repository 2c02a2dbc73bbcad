//! In which language a person is answered: the one that he has set, else the one of his mail.

use super::Server;
use super::drafts::reader_heard;
use super::session::Session;
use crate::language::{self, Letter};
use crate::letters::Reader;
use crate::mail::Inbound;
use crate::store::{Player, Settings};

impl Server {
    /// The language of a mail's writer, of those that there are templates for: as he has set it, else by the script of
    /// what he wrote, else by the mail's own Content-Language (RFC 3282). Script goes first, as mail programs fill in
    /// the header with the language of their menus. `None` where nothing tells it.
    pub(super) fn language_of(&self, player: Option<&Player>, inbound: &Inbound, letter: &Letter) -> Option<String> {
        let set = player.and_then(|player| player.settings.language.clone());
        set.or_else(|| self.known_language(written(inbound, letter)?))
            .or_else(|| self.language_declared(inbound.content_language.as_deref()?))
    }

    /// The first language of a Content-Language header that is known, by its whole tag or the first part of it.
    fn language_declared(&self, header: &str) -> Option<String> {
        header.split(',').map(str::trim).find_map(|tag| {
            let primary = tag.split('-').next().unwrap_or(tag);
            self.known_language(tag).or_else(|| self.known_language(primary))
        })
    }

    fn known_language(&self, name: &str) -> Option<String> {
        let mut languages = self.templates.languages();
        languages
            .find(|known| known.eq_ignore_ascii_case(name))
            .map(String::from)
    }
}

/// The language by the script of a mail: of its text, else of a Subject that is its writer's own.
fn written(inbound: &Inbound, letter: &Letter) -> Option<&'static str> {
    let own_subject = || {
        let subject = (!inbound.is_reply).then_some(inbound.subject.as_str())?;
        language::language_written(&Letter::default(), subject)
    };
    language::language_written(letter, &inbound.typed).or_else(own_subject)
}

impl Session<'_> {
    /// For whom the answer to this mail is written: a player, or somebody without an account.
    pub(super) fn reader(&self, player: Option<&Player>) -> Reader {
        let nothing_set = Settings::default();
        let settings = player.map_or(&nothing_set, |player| &player.settings);
        reader_heard(settings, self.heard.as_deref())
    }
}
