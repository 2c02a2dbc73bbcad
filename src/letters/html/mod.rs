//! The HTML part of a mail: the same items as its text, with the boards in colours and links that make answers.
//!
//! There is one source of words. An item's template is filled in once more, with [`BOARD`] in the place of the board;
//! its lines become paragraphs, fixed lines and quotes ([`flow`]), and the board is put in as a table. What mail
//! programs refuse is not used: no style sheet, script, picture, font or other thing from outside, no position, no
//! float. Everything is ASCII in short lines, so that it goes out as it is (7bit).

mod board;
mod flow;
mod palette;
mod taps;
mod writer;

use super::board::BoardView;
use super::item::{BOARD, Item, Medium};
use super::taps::Links;
use super::{BoardStyle, Reader, TemplateError, Templates};
use board::{Linking, board};
use minijinja::context;
use writer::Writer;

/// The part is never longer, in bytes as they are sent.
pub(in crate::letters) const LARGEST: usize = 92_000;

/// As long as most pages are, in bytes.
const ROOM: usize = 24_000;

/// A board with its links is put in as long as this is left for the words with links below it.
const KEPT_FREE: usize = 5_000;

/// For whom and by whom a mail is written.
pub(super) struct Mail<'a> {
    pub reader: &'a Reader,
    /// The server's plain address.
    pub server: &'a str,
    /// The reader's own address for answers.
    pub reply_to: &'a str,
    /// The match that answers to this address are about.
    pub about: Option<u32>,
    pub templates: &'a Templates,
    /// The part must not be longer, in bytes.
    pub largest: usize,
}

/// The HTML of a mail with a board; `None` where there is no board to show, or the mail would be too long.
///
/// # Errors
///
/// A template that cannot be filled in.
pub(super) fn page(items: &[Item], mail: &Mail) -> Result<Option<String>, TemplateError> {
    if items.iter().all(|item| item.board.is_none()) {
        return Ok(None);
    }
    let mut page = Writer::with_room(ROOM);
    page.block(format_args!(
        "<!DOCTYPE html><html lang=\"{}\"><head>",
        writer::attribute(&mail.reader.language)
    ));
    page.block("<meta http-equiv=\"Content-Type\" content=\"text/html; charset=utf-8\"/>");
    page.block("<meta name=\"viewport\" content=\"width=device-width\"/></head>");
    page.block(format_args!("<body style=\"margin:0;{}\">", palette::PAGE.style()));
    page.block(format_args!(
        "<div style=\"max-width:600px;padding:8px;{};font-family:Arial,Helvetica,sans-serif;font-size:15px;line-height:1.4\">",
        palette::PAGE.style()
    ));
    // The words come first: a board takes what room they leave it.
    let mut parts: Vec<(Writer, Writer)> = Vec::new();
    for item in items {
        let words = item.words(Medium::Html, mail.reader, mail.server, mail.templates)?;
        let (before, after) = words.split_once(BOARD).unwrap_or((&words, ""));
        parts.push((flow::written(before), flow::written(after)));
    }
    let mut words_left: usize = parts.iter().map(|(before, after)| before.len() + after.len()).sum();
    for (item, (before, after)) in items.iter().zip(parts) {
        words_left -= before.len();
        page.append(before);
        if let Some(view) = &item.board {
            put_board(&mut page, item, view, words_left, mail)?;
        }
        words_left -= after.len();
        page.append(after);
    }
    page.block("</div></body></html>");
    let html = page.finished();
    Ok((html.len() <= mail.largest).then_some(html))
}

/// The board in colours (or in words for one who listens), with captions and what can be tapped; where that would be
/// too long with sparer links, or without them, and else as the text has it.
/// `words_left` bytes of words are yet to follow.
fn put_board(
    page: &mut Writer,
    item: &Item,
    view: &BoardView,
    words_left: usize,
    mail: &Mail,
) -> Result<(), TemplateError> {
    let about = item.about.as_ref().filter(|about| mail.about == Some(about.number));
    let subject = match about {
        Some(about) => {
            let fields = context! { title => about.title, number => about.number };
            mail.templates.word(&mail.reader.language, "subjects.link", fields)?
        }
        None => String::new(),
    };
    let links = Links::new(mail.reply_to, &subject);
    let taps = about.map(|about| taps::Linked::new(&about.taps, &links));
    let room = mail.largest.saturating_sub(KEPT_FREE + words_left + page.len());
    // Links of men go before the looks of the board, and the board's own before those of men.
    let men = taps.as_ref().map_or(0, taps::Linked::length_of_men);
    for (linking, kept) in [(Linking::Whole, men), (Linking::Spare, 0), (Linking::Without, 0)] {
        let drawn = draw(view, taps.as_ref(), linking, mail)?;
        if drawn.len() + kept <= room {
            page.append(drawn);
            return match taps {
                Some(linked) => linked.write(page, view, linking, words_left, mail),
                None => Ok(()),
            };
        }
    }
    flow::write_fixed(page, view.text.lines());
    Ok(())
}

fn draw(view: &BoardView, taps: Option<&taps::Linked>, linking: Linking, mail: &Mail) -> Result<Writer, TemplateError> {
    let mut part = Writer::with_room(ROOM);
    for caption in &view.above {
        part.paragraph(caption);
    }
    match view.style {
        BoardStyle::List => {
            for line in &view.spoken {
                part.paragraph(line);
            }
        }
        BoardStyle::Ascii | BoardStyle::Unicode => {
            let label = mail.templates.word(&mail.reader.language, "tap.board", ())?;
            board(&mut part, view, &label, taps, linking);
        }
    }
    for caption in &view.below {
        part.paragraph(caption);
    }
    Ok(part)
}
