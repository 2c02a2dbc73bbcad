//! The links of a mail: turns and words that a tap turns into a mail ready to be sent.

use super::KEPT_FREE;
use super::Mail;
use super::board::Linking;
use super::writer::{PARAGRAPH, Writer, attribute};
use crate::letters::board::BoardView;
use crate::letters::sheet::row_and_place;
use crate::letters::taps::{Links, ManTaps, Taps, ending};
use crate::letters::{BoardStyle, TemplateError};
use minijinja::{Value, context};
use std::fmt::{self, Display};

/// Stands in a phrase where the links come; as [`crate::letters::item::BOARD`], no text holds it.
const LINKS: char = '\u{1A}';

/// What can be tapped in a mail, and how its links are made.
pub(super) struct Linked<'a> {
    taps: &'a Taps,
    /// The beginning of every link, as it stands in an attribute.
    beginning: String,
}

impl<'a> Linked<'a> {
    pub fn new(taps: &'a Taps, links: &Links) -> Self {
        Linked {
            taps,
            beginning: attribute(links.beginning()).to_string(),
        }
    }

    /// The link that places a stone on a cell, where that may be done; as all links here, ready to stand in an
    /// attribute.
    pub fn placement<'l>(&'l self, cell: &'l str) -> Option<impl Display + use<'l>> {
        let may_be = self.taps.placements.contains(cell);
        may_be.then(|| self.playing(cell))
    }

    /// The link to a mail that says `line`.
    fn saying(&self, line: &str) -> String {
        format!("{}{}", self.beginning, ending(line))
    }

    /// The link to a mail that plays a turn, if it is still the one to be played.
    fn playing<'l>(&'l self, turn: &'l str) -> impl Display + use<'l> {
        let number = ending("#");
        fmt::from_fn(move |link| write!(link, "{}{}{number}{}", self.beginning, ending(turn), self.taps.turn))
    }

    /// Writes what is tapped below the board: turns of men, other turns, words, and apart the grave words.
    pub fn write(
        &self,
        page: &mut Writer,
        view: &BoardView,
        linking: Linking,
        words_left: usize,
        mail: &Mail,
    ) -> Result<(), TemplateError> {
        let taps = self.taps;
        let cells = !taps.placements.is_empty() && view.style != BoardStyle::List && linking != Linking::Without;
        if cells || !taps.men.is_empty() || view.style == BoardStyle::List && !taps.placements.is_empty() {
            let fields = context! { cells, men => !taps.men.is_empty() };
            page.paragraph(&self.phrase(mail, "how", fields)?);
        }
        if view.style == BoardStyle::List {
            self.write_rows(page, view, mail)?;
        }
        for man in &taps.men {
            self.write_man(page, man, words_left, mail)?;
        }
        let others = taps
            .others
            .iter()
            .map(|turn| (turn.clone(), self.playing(turn).to_string()));
        let words = taps.words.iter().map(|word| (word.to_string(), self.saying(word)));
        self.write_words(page, mail, "words", others.chain(words).collect())?;
        let grave = taps.grave.iter().map(|word| (word.to_string(), self.saying(word)));
        self.write_words(page, mail, "grave", grave.collect())
    }

    /// The bytes that the turns of men take with their links.
    pub fn length_of_men(&self) -> usize {
        let turns = self.taps.men.iter().flat_map(|man| &man.turns);
        turns
            .map(|(label, turn)| label.len() + self.playing(turn).to_string().len() + LINK_LENGTH)
            .sum::<usize>()
            + self.taps.men.len() * LINE_LENGTH
    }

    fn phrase(&self, mail: &Mail, key: &str, fields: Value) -> Result<String, TemplateError> {
        mail.templates
            .word(&mail.reader.language, &format!("tap.{key}"), fields)
    }

    /// The cells where a stone may be placed, by rows, for one who listens.
    fn write_rows(&self, page: &mut Writer, view: &BoardView, mail: &Mail) -> Result<(), TemplateError> {
        let rows = view.diagram.cells.chunk_by(|one, next| one.y == next.y).rev();
        for row in rows {
            let Some(first) = row.first() else { continue };
            let cells = row
                .iter()
                .filter_map(|cell| Some((cell.name.clone(), self.placement(&cell.name)?.to_string())));
            let links: Vec<(String, String)> = cells.collect();
            if !links.is_empty() {
                let (name, _) = row_and_place(&first.name, view.diagram.layout);
                let phrase = self.phrase(mail, "row", context! { row => name, links => LINKS.to_string() })?;
                write_line(page, &phrase, &links);
            }
        }
        Ok(())
    }

    /// The turns of one man; without links where the mail would be too long.
    fn write_man(&self, page: &mut Writer, man: &ManTaps, words_left: usize, mail: &Mail) -> Result<(), TemplateError> {
        let key = if man.is_in_hand() { "hand" } else { "man" };
        let fields = context! { from => man.from.as_str(), man => man.man.as_deref(), links => LINKS.to_string() };
        let phrase = self.phrase(mail, key, fields)?;
        let links = man
            .turns
            .iter()
            .map(|(label, turn)| (label.clone(), self.playing(turn).to_string()));
        let links: Vec<(String, String)> = links.collect();
        let length: usize = links
            .iter()
            .map(|(label, link)| label.len() + link.len() + LINK_LENGTH)
            .sum();
        if page.len() + length + words_left + KEPT_FREE <= mail.largest {
            write_line(page, &phrase, &links);
        } else {
            let labels: Vec<&str> = man.turns.iter().map(|(label, _)| label.as_str()).collect();
            page.paragraph(&phrase.replace(LINKS, &labels.join(" ")));
        }
        Ok(())
    }

    fn write_words(
        &self,
        page: &mut Writer,
        mail: &Mail,
        key: &str,
        words: Vec<(String, String)>,
    ) -> Result<(), TemplateError> {
        if words.is_empty() {
            return Ok(());
        }
        let phrase = self.phrase(mail, key, context! { links => LINKS.to_string() })?;
        let mut links = Vec::new();
        for (word, link) in words {
            let key = format!("tap.word.{}", word.replace(' ', "-"));
            let label = if mail.templates.has(&mail.reader.language, &key) {
                mail.templates.word(&mail.reader.language, &key, ())?
            } else {
                word
            };
            links.push((label, link));
        }
        write_line(page, &phrase, &links);
        Ok(())
    }
}

/// What a paragraph of links takes beside them.
const LINE_LENGTH: usize = 100;
/// What a link takes beside its text and its address.
const LINK_LENGTH: usize = 20;

/// A paragraph with links where the phrase has its sign.
fn write_line(page: &mut Writer, phrase: &str, links: &[(String, String)]) {
    let (before, after) = phrase.split_once(LINKS).unwrap_or((phrase, ""));
    page.block(PARAGRAPH);
    page.text(before);
    for (index, (label, link)) in links.iter().enumerate() {
        if index > 0 {
            // Wide enough for a finger.
            page.inline("&#160;");
            page.blank();
        }
        page.inline(format_args!("<a href=\"{link}\">"));
        page.text(label);
        page.inline("</a>");
    }
    page.text(after);
    page.inline("</p>");
}
