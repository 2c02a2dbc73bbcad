//! What the person typed: lines without quotes, attributions, quoted and forwarded mails, signatures and adverts.

use super::{
    attribution,
    header_block::{self, is_label_line},
    line::{Line, Mark, is_blank},
    phrase::{Separator, is_advert, is_rule, is_signature_mark, separator},
};

/// How often the reading is read again, so that it stays the same when it is read as a mail itself.
const PASSES: usize = 6;

/// Keeps the typed lines. Blank lines at both ends are gone.
pub fn typed(lines: Vec<Line>) -> Vec<String> {
    let mut kept = one_pass(lines);
    for _ in 0..PASSES {
        let before = kept.len();
        let lines = kept.iter().map(|line| Line::plain(line.clone())).collect();
        let again = one_pass(lines);
        if again.len() == before {
            break;
        }
        kept = again;
    }
    kept
}

/// Where a line stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// Not under anything that names a quote, or among marked quotes.
    Open,
    /// Under an attribution or a header block; the first line with text decides.
    Under,
}

fn one_pass(lines: Vec<Line>) -> Vec<String> {
    let notes = notes(&lines);
    let mut place = Place::Open;
    let mut kept = Vec::new();
    let mut at = 0;
    while let Some(line) = lines.get(at) {
        let note = notes.get(at).copied().unwrap_or(Note::None);
        at += 1;
        match line.mark {
            Mark::End => break,
            Mark::Attribution if !is_blank(&line.text) && separator(&line.text) == Some(Separator::Forward) => break,
            Mark::Attribution => {
                place = Place::Under;
                continue;
            }
            Mark::Quoted => {
                if !is_blank(&line.text) {
                    place = Place::Open;
                }
                continue;
            }
            Mark::Plain => {}
        }
        if is_quote(&line.text) {
            let marks = |letter: char| letter.is_whitespace() || matches!(letter, '>' | '|' | '＞');
            if !line.text.trim_start_matches(marks).is_empty() {
                place = Place::Open;
            }
            continue;
        }
        match note {
            Note::Attribution(length) | Note::HeaderBlock(length) => {
                place = Place::Under;
                at += length.saturating_sub(1);
                continue;
            }
            Note::Advert(length) if place == Place::Open => {
                at += length.saturating_sub(1);
                continue;
            }
            Note::Advert(_) | Note::None => {}
        }
        if is_blank(&line.text) {
            kept.push(String::new());
            continue;
        }
        match separator(&line.text) {
            Some(Separator::Forward) => break,
            Some(Separator::Original) => {
                place = Place::Under;
                continue;
            }
            None => {}
        }
        if is_rule(&line.text) || is_signature_mark(&line.text) {
            break;
        }
        if place == Place::Under {
            if is_label_line(&line.text) {
                continue;
            }
            break;
        }
        kept.push(line.text.trim_end().to_owned());
    }
    without_outer_blanks(kept)
}

/// What is found over several lines, noted at the first of them with their number.
#[derive(Clone, Copy)]
enum Note {
    None,
    Attribution(usize),
    HeaderBlock(usize),
    Advert(usize),
}

fn notes(lines: &[Line]) -> Vec<Note> {
    let mut notes = vec![Note::None; lines.len()];
    for at in 0..lines.len() {
        let found = if let Some((first, length)) = attribution::ending_at(lines, at) {
            Some((first, Note::Attribution(length)))
        } else if let Some(length) = header_block::beginning_at(lines, at) {
            Some((at, Note::HeaderBlock(length)))
        } else {
            advert_at(lines, at).map(|length| (at, Note::Advert(length)))
        };
        if let Some((first, note)) = found
            && let Some(place) = notes.get_mut(first)
        {
            *place = note;
        }
    }
    notes
}

/// An advert, in one line or wrapped into two.
fn advert_at(lines: &[Line], at: usize) -> Option<usize> {
    let line = lines
        .get(at)
        .filter(|line| line.mark == Mark::Plain && !is_blank(&line.text))?;
    if is_advert(&line.text) {
        return Some(1);
    }
    let next = lines
        .get(at + 1)
        .filter(|next| next.mark == Mark::Plain && !is_blank(&next.text) && !is_quote(&next.text))?;
    let wrapped =
        line.text.chars().nth(30).is_some() && is_advert(&format!("{} {}", line.text.trim_end(), next.text.trim()));
    wrapped.then_some(2)
}

/// Whether a line begins with a quote mark.
pub(super) fn is_quote(text: &str) -> bool {
    text.trim_start_matches(|letter: char| letter.is_whitespace() || super::line::is_invisible(letter))
        .starts_with(['>', '|', '＞'])
}

fn without_outer_blanks(mut lines: Vec<String>) -> Vec<String> {
    while lines.last().is_some_and(|line| is_blank(line)) {
        lines.pop();
    }
    let first = lines.iter().position(|line| !is_blank(line)).unwrap_or(lines.len());
    lines.split_off(first)
}
