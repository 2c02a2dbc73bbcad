//! What the person typed: lines without quotes, attributions, quoted and forwarded mails, signatures and adverts.

use super::{
    attribution::Attributions,
    header_block::{self, is_label_line},
    line::{Line, Mark, is_blank},
    phrase::{Separator, is_advert, is_rule, is_signature_mark, separator},
};

/// How often the reading is read again, so that it stays the same when it is read as a mail itself.
const PASSES: usize = 6;

/// Keeps the typed lines. Blank lines at both ends are gone.
pub fn typed(lines: Vec<Line>) -> Vec<String> {
    let mut kept = one_pass(lines);
    // Where lines went between others, those that are neighbours now may make a whole.
    for _ in 0..PASSES {
        if !kept.between {
            break;
        }
        kept = one_pass(kept.lines.into_iter().map(Line::plain).collect());
    }
    kept.lines
}

/// The typed lines, and whether others went between them.
struct Kept {
    lines: Vec<String>,
    between: bool,
}

/// Where a line stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// Not under anything that names a quote, or among marked quotes.
    Open,
    /// Under an attribution or a header block; the first line with text decides.
    Under,
}

fn one_pass(mut lines: Vec<Line>) -> Kept {
    lines.truncate(lines.iter().position(ends_all).unwrap_or(lines.len()));
    let notes = notes(&lines);
    let mut place = Place::Open;
    let mut kept = Vec::new();
    let mut between = false;
    let mut removed = 0;
    let mut at = 0;
    while let Some(line) = lines.get(at) {
        let note = notes.get(at).copied().unwrap_or(Note::None);
        at += 1;
        let fate = fate(line, note, place);
        match fate {
            Fate::Keep => {
                between |= removed > 0 && kept.iter().any(|line: &String| !is_blank(line)) && !is_blank(&line.text);
                kept.push(line.text.trim_end().to_owned());
            }
            Fate::End => break,
            Fate::Drop(after, length) => {
                place = after;
                at += length.saturating_sub(1);
                removed += 1;
            }
        }
    }
    Kept {
        lines: without_outer_blanks(kept),
        between,
    }
}

/// What becomes of a line: it goes with some lines after it, and what follows stands in another place.
enum Fate {
    Keep,
    Drop(Place, usize),
    End,
}

fn fate(line: &Line, note: Note, place: Place) -> Fate {
    match line.mark {
        Mark::Attribution => return Fate::Drop(Place::Under, 1),
        Mark::Quoted => return Fate::Drop(if is_blank(&line.text) { place } else { Place::Open }, 1),
        Mark::Plain | Mark::End => {}
    }
    if is_quote(&line.text) {
        let marks = |letter: char| letter.is_whitespace() || matches!(letter, '>' | '|' | '＞');
        let says_nothing = line.text.trim_start_matches(marks).is_empty();
        return Fate::Drop(if says_nothing { place } else { Place::Open }, 1);
    }
    if is_blank(&line.text) {
        return Fate::Keep;
    }
    match note {
        Note::Attribution(length) | Note::HeaderBlock(length) => return Fate::Drop(Place::Under, length),
        Note::Advert(length) if place == Place::Open => return Fate::Drop(place, length),
        Note::Advert(_) | Note::None => {}
    }
    if separator(&line.text) == Some(Separator::Original) {
        return Fate::Drop(Place::Under, 1);
    }
    match place {
        Place::Open => Fate::Keep,
        Place::Under if is_label_line(&line.text) => Fate::Drop(place, 1),
        Place::Under => Fate::End,
    }
}

/// Whether nothing is typed from this line on, wherever it stands.
fn ends_all(line: &Line) -> bool {
    match line.mark {
        Mark::End => true,
        Mark::Quoted => false,
        Mark::Attribution => separator(&line.text) == Some(Separator::Forward),
        Mark::Plain => {
            is_rule(&line.text) || is_signature_mark(&line.text) || separator(&line.text) == Some(Separator::Forward)
        }
    }
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
    let attributions = Attributions::of(lines);
    let mut notes = vec![Note::None; lines.len()];
    let mut block_end = 0;
    for at in 0..lines.len() {
        let found = if let Some((first, length)) = attributions.ending_at(at) {
            Some((first, Note::Attribution(length)))
        } else if at < block_end {
            None
        } else if let Some(length) = header_block::beginning_at(lines, at) {
            block_end = at + length;
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

/// Shorter lines are not wrapped.
const SHORTEST_WRAPPED: usize = 30;

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
    let wrapped = line.text.chars().nth(SHORTEST_WRAPPED).is_some()
        && is_advert(&format!("{} {}", line.text.trim_end(), next.text.trim()));
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
