//! The header block that Outlook and others put above a quoted mail: From, Sent, To, Subject in many languages.

use std::{collections::HashMap, sync::LazyLock};

use super::{
    line::{Line, Mark, is_blank},
    phrase::key,
    table::pairs,
    typed::is_quote,
};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Role {
    From,
    Sent,
    To,
    Copy,
    Subject,
}

static LABELS: LazyLock<HashMap<&'static str, Vec<Role>>> = LazyLock::new(|| {
    let mut labels: HashMap<&'static str, Vec<Role>> = HashMap::new();
    for (role, label) in pairs(include_str!("tables/header_labels.txt")) {
        let role = match role {
            "from" => Role::From,
            "sent" => Role::Sent,
            "to" => Role::To,
            "cc" => Role::Copy,
            _ => Role::Subject,
        };
        labels.entry(label).or_default().push(role);
    }
    labels
});

/// Longer labels are in no table.
const LONGEST_LABEL: usize = 60;
/// How many lines a block may have, and how many of them in a row may be blank or go on a long list of addresses.
const MOST_LINES: usize = 16;
const MOST_OTHERS: usize = 2;

/// The number of lines of a header block that begins here. It has at least three labels, or two with an address, and
/// names who wrote.
pub(super) fn beginning_at(lines: &[Line], at: usize) -> Option<usize> {
    label(lines.get(at)?)?;
    let mut seen: Vec<Role> = Vec::new();
    let mut has_address = false;
    let mut length = 0;
    let mut others = 0;
    for (number, line) in lines.get(at..)?.iter().take(MOST_LINES).enumerate() {
        match label(line) {
            Some(roles) => {
                // A label that stood before begins another block; copies and the like may stand twice.
                match roles.iter().find(|role| !seen.contains(role)) {
                    Some(fresh) => seen.push(*fresh),
                    None if roles.contains(&Role::Copy) => {}
                    None => break,
                }
                has_address |= line.text.contains('@');
                length = number + 1;
                others = 0;
            }
            None if others < MOST_OTHERS && line.mark == Mark::Plain && !is_quote(&line.text) => others += 1,
            None => break,
        }
    }
    let is_block = seen.contains(&Role::From) && (seen.len() >= 3 || (seen.len() == 2 && has_address));
    is_block.then_some(length)
}

/// Whether a line is a label of such a block and its value.
pub(super) fn is_label_line(text: &str) -> bool {
    roles(text).is_some()
}

fn label(line: &Line) -> Option<&'static [Role]> {
    if line.mark != Mark::Plain || is_blank(&line.text) || is_quote(&line.text) {
        return None;
    }
    roles(&line.text)
}

fn roles(text: &str) -> Option<&'static [Role]> {
    let head = match text.char_indices().nth(LONGEST_LABEL) {
        Some((end, _)) => &text[..end],
        None => text,
    };
    let colon = head.find([':', '：'])?;
    let label = key(&head[..colon])?;
    let label = label.trim_matches(|letter: char| matches!(letter, '*' | '_' | ' '));
    LABELS.get(label).map(Vec::as_slice)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn block(text: &str) -> Option<usize> {
        let lines: Vec<Line> = text.split('\n').map(Line::plain).collect();
        beginning_at(&lines, 0)
    }

    #[test]
    fn languages_and_bold() {
        assert_eq!(
            block("From: P <p@x.org>\nSent: Monday\nTo: a@x.org\nSubject: S\n\nbob"),
            Some(4)
        );
        assert_eq!(block("*Von:* P\n*Gesendet:* Montag\n*An:* a\n*Betreff:* S"), Some(4));
        assert_eq!(block("De : P <p@x.org>\nEnvoyé : lundi\nÀ : a\nObjet : S"), Some(4));
        assert_eq!(block("发件人： P\n发送时间： 2026\n收件人： a\n主题： S"), Some(4));
        assert_eq!(block("From: P <p@x.org>\nTo: a@x.org;\n b@x.org\nSubject: S"), Some(4));
    }

    #[test]
    fn sentences_are_none() {
        for text in ["From: here", "To: you\nsubject: none", "From: me\nTo: you\nbye", "d4"] {
            assert_eq!(block(text), None, "{text}");
        }
    }
}
