//! Plain text for a mail: widths as a terminal shows them, wrapping, marks, and no character that does harm.

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// No line of a mail is wider (LANGUAGE.md 7). East Asian characters take two columns.
pub(super) const COLUMNS: usize = 78;

/// As much as a telephone shows of a fixed-width font.
pub(super) const NARROW_COLUMNS: usize = 40;

/// Stands before every line that is not ours, or that could be taken for a command.
pub(super) const MARK: &str = "| ";

/// The most bytes that a text takes on its way: what is not ASCII is encoded, a byte of it as three at most.
pub(super) fn length_sent(text: &str) -> usize {
    text.len() + 2 * text.bytes().filter(|byte| !byte.is_ascii()).count() + 2 * text.lines().count()
}

pub(super) fn width(text: &str) -> usize {
    UnicodeWidthStr::width(text)
}

/// Without control characters and marks that turn the direction of writing; every run of white space is one blank.
/// For header values and for names inside a line.
pub(super) fn one_line(text: &str) -> String {
    let kept: String = text
        .chars()
        .map(|c| if c.is_whitespace() || c.is_control() { ' ' } else { c })
        .filter(|&c| !is_hidden(c))
        .collect();
    kept.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Without control characters but line ends, tabs as blanks, no blanks at line ends, LF alone.
pub(super) fn clean(text: &str) -> String {
    let text = text.replace("\r\n", "\n").replace('\r', "\n").replace('\t', "    ");
    text.split('\n')
        .map(|line| {
            let kept: String = line.chars().filter(|&c| !c.is_control() && !is_hidden(c)).collect();
            kept.trim_end().to_string()
        })
        .collect::<Vec<_>>()
        .join("\n")
}

/// Marks of writing direction and invisible joiners: they make a text look like another one.
fn is_hidden(c: char) -> bool {
    matches!(c, '\u{200B}' | '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2060}'..='\u{206F}' | '\u{FEFF}')
}

/// Flows each paragraph anew. Lines that begin with a blank or a mark stand as they are.
pub(super) fn wrap(text: &str, columns: usize) -> String {
    let mut lines: Vec<String> = Vec::new();
    let mut paragraph: Vec<&str> = Vec::new();
    let is_fixed = |line: &str| line.is_empty() || line.starts_with([' ', '|', '>']);
    for line in text.lines() {
        if is_fixed(line) {
            flow(&mut paragraph, columns, &mut lines);
            lines.push(line.to_string());
        } else {
            paragraph.extend(line.split_whitespace());
        }
    }
    flow(&mut paragraph, columns, &mut lines);
    lines.join("\n")
}

fn flow(words: &mut Vec<&str>, columns: usize, lines: &mut Vec<String>) {
    if !words.is_empty() {
        lines.extend(fill(words, columns));
        words.clear();
    }
}

/// Breaks the lines that are too wide; what begins a line (blanks, marks) begins its continuation too.
pub(super) fn fit(text: &str, columns: usize) -> String {
    let mut lines = Vec::new();
    for line in text.lines() {
        if width(line) <= columns {
            lines.push(line.to_string());
            continue;
        }
        let (lead, rest) = split_lead(line);
        let words: Vec<&str> = rest.split_whitespace().collect();
        let room = columns.saturating_sub(width(lead)).max(10);
        lines.extend(fill(&words, room).into_iter().map(|part| format!("{lead}{part}")));
    }
    lines.join("\n")
}

/// What stands before the words of a line: blanks and quote marks.
fn split_lead(line: &str) -> (&str, &str) {
    let end = line.find(|c| !matches!(c, ' ' | '|' | '>')).unwrap_or(line.len());
    line.split_at(end.min(COLUMNS / 2))
}

/// Fills lines with words; a word that is wider than a line is cut.
fn fill(words: &[&str], columns: usize) -> Vec<String> {
    let mut lines = Vec::new();
    let mut line = String::new();
    let mut used = 0;
    for word in words.iter().flat_map(|word| cut(word, columns)) {
        let wide = width(word);
        if !line.is_empty() && used + 1 + wide > columns {
            lines.push(std::mem::take(&mut line));
            used = 0;
        }
        if !line.is_empty() {
            line.push(' ');
            used += 1;
        }
        line.push_str(word);
        used += wide;
    }
    if !line.is_empty() {
        lines.push(line);
    }
    lines
}

fn cut(word: &str, columns: usize) -> Vec<&str> {
    let (mut parts, mut start, mut used) = (Vec::new(), 0, 0);
    for (index, c) in word.char_indices() {
        let wide = c.width().unwrap_or(0);
        if used + wide > columns && index > start {
            parts.push(&word[start..index]);
            (start, used) = (index, 0);
        }
        used += wide;
    }
    parts.push(&word[start..]);
    parts
}

/// Somebody's words behind a mark, line by line.
pub(super) fn quote(text: &str, columns: usize) -> String {
    fit(&clean(text), columns.saturating_sub(MARK.len()))
        .lines()
        .map(|line| format!("{MARK}{line}").trim_end().to_string())
        .collect::<Vec<_>>()
        .join("\n")
}

/// A clause as a sentence begins: with a capital, but names with a digit (cells, turns) stay as they are.
pub(super) fn sentence_case(clause: &str) -> String {
    let first_word = clause.split_whitespace().next().unwrap_or_default();
    let mut letters = clause.chars();
    match letters.next() {
        Some(first) if !first_word.contains(|c: char| c.is_ascii_digit()) => {
            first.to_uppercase().chain(letters).collect()
        }
        _ => clause.to_string(),
    }
}

/// Entries in `count` columns, row by row; in fewer where they would not fit beside each other on a line of so many
/// columns.
pub(super) fn columns(entries: &[String], count: usize, line: usize) -> String {
    let widest = entries.iter().map(|entry| width(entry)).max().unwrap_or(0);
    const INDENT: usize = 2;
    const GAP: usize = 4;
    let fitting = (1..=count.max(1))
        .rev()
        .find(|n| INDENT + n * widest + (n - 1) * GAP <= line)
        .unwrap_or(1);
    entries
        .chunks(fitting)
        .map(|row| {
            let mut line = " ".repeat(INDENT);
            for (index, entry) in row.iter().enumerate() {
                line.push_str(entry);
                if index + 1 < row.len() {
                    line.push_str(&" ".repeat(widest - width(entry) + GAP));
                }
            }
            line
        })
        .collect::<Vec<_>>()
        .join("\n")
}

/// A mail's whole text: clean, no line too wide, no line that `is_command` takes for one, at most one blank line
/// in a row, and a line end at the end.
///
/// The mark is a safety net (invariant 12); templates are written so that it is not needed.
pub(super) fn body(text: &str, is_command: impl Fn(&str) -> bool) -> String {
    let mut body = String::new();
    let mut blank = true;
    for line in fit(&clean(text), COLUMNS).lines() {
        if line.is_empty() {
            blank = true;
            continue;
        }
        if blank && !body.is_empty() {
            body.push('\n');
        }
        blank = false;
        if is_command(line) {
            body.push_str(&quote(line, COLUMNS));
        } else {
            body.push_str(line);
        }
        body.push('\n');
    }
    body
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wraps_by_columns_not_by_characters() {
        assert_eq!(wrap("one two\nthree four", 9), "one two\nthree\nfour");
        assert_eq!(wrap("바둑 장기 체스", 9), "바둑 장기\n체스");
        assert_eq!(wrap("바둑장기체스", 5), "바둑\n장기\n체스");
    }

    #[test]
    fn leaves_fixed_lines_and_paragraphs() {
        assert_eq!(wrap("a b\n\n  c d\n| e f\ng", 3), "a b\n\n  c d\n| e f\ng");
    }

    #[test]
    fn a_continuation_keeps_its_mark() {
        assert_eq!(fit("| aaaa bbbb cccc", 12), "| aaaa bbbb\n| cccc");
        assert_eq!(quote("say\td4\r\n\r\nx\u{0}y\u{202E}", 40), "| say    d4\n|\n| xy");
    }

    #[test]
    fn columns_stand_row_by_row() {
        let entries: Vec<String> = ["1. X e5", "2. O c4-c5", "3. X d4"].map(String::from).into();
        assert_eq!(columns(&entries, 2, COLUMNS), "  1. X e5       2. O c4-c5\n  3. X d4");
        let wide = vec!["x".repeat(40), "y".repeat(40)];
        assert_eq!(columns(&wide, 2, COLUMNS), format!("  {}\n  {}", wide[0], wide[1]));
    }

    #[test]
    fn a_line_that_would_be_a_command_gets_a_mark() {
        let text = body("\n\nHello\nd4\n\n\n\n  resign\n", |line| {
            matches!(line.trim(), "d4" | "resign")
        });
        assert_eq!(text, "Hello\n| d4\n\n|   resign\n");
    }

    #[test]
    fn a_sentence_begins_with_a_capital_but_for_cells() {
        assert_eq!(sentence_case("this is no turn"), "This is no turn");
        assert_eq!(sentence_case("e5 is taken"), "e5 is taken");
        assert_eq!(sentence_case(""), "");
    }

    #[test]
    fn one_line_is_one_line() {
        assert_eq!(one_line("a\r\nBcc: x\u{0}\u{7}b\u{202E}c"), "a Bcc: x bc");
    }
}
