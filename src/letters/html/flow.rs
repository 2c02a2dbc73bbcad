//! The words of an item as blocks of HTML, by the conventions of plain text: what flows, what is fixed, what is quoted.

use super::palette;
use super::writer::{PARAGRAPH, Writer};
use crate::language;
use crate::letters::text::{self, COLUMNS, MARK};

/// A block of text.
#[derive(Debug, PartialEq, Eq)]
enum Block {
    /// Lines that flow together.
    Paragraph(String),
    /// Lines that begin with a blank: they stay as they are, and under each other.
    Fixed(Vec<String>),
    /// Other people's words, and examples: lines behind a mark.
    Quoted(Vec<String>),
}

/// The words of an item, or of a part of it.
pub(super) fn written(words: &str) -> Writer {
    let mut page = Writer::default();
    write(&mut page, words);
    page
}

fn write(page: &mut Writer, words: &str) {
    for block in blocks(&text::clean(words)) {
        match block {
            Block::Paragraph(text) => {
                page.block(PARAGRAPH);
                write_with_code(page, &text);
                page.inline("</p>");
            }
            Block::Fixed(lines) => write_fixed(page, lines.iter().map(String::as_str)),
            Block::Quoted(lines) => write_quoted(page, &lines),
        }
    }
}

/// Writes lines in a fixed-width font.
pub(super) fn write_fixed<'a>(page: &mut Writer, lines: impl Iterator<Item = &'a str>) {
    page.block("<pre style=\"margin:0 0 10px;font-family:monospace;font-size:13px;white-space:pre-wrap\">");
    let lines: Vec<String> = lines.map(|line| text::fit(line, COLUMNS)).collect();
    for (index, line) in lines.iter().flat_map(|line| line.lines()).enumerate() {
        if index > 0 {
            page.end_line();
        }
        page.fixed(line);
    }
    page.inline("</pre>");
}

/// The marks stay visible: a program that takes the mark-up away must not make somebody's words the reader's own.
fn write_quoted(page: &mut Writer, lines: &[String]) {
    page.block(format_args!(
        "<blockquote style=\"margin:0 0 10px;padding:6px 10px;{};font-family:monospace;font-size:14px;word-break:break-word\">",
        palette::QUOTE.style()
    ));
    for (index, line) in lines.iter().enumerate() {
        if index > 0 {
            page.block("<br/>");
        }
        match line.strip_prefix(MARK) {
            Some(words) => {
                // A blank at which no line ends keeps the mark with its words.
                page.inline("|&#160;");
                page.text(words);
            }
            None => page.text(line),
        }
    }
    page.inline("</blockquote>");
}

/// Text in which words between backticks are to be typed.
fn write_with_code(page: &mut Writer, text: &str) {
    let pieces: Vec<&str> = text.split('`').collect();
    let is_paired = pieces.len() % 2 == 1;
    if !is_paired {
        return page.text(text);
    }
    for (index, piece) in pieces.iter().enumerate() {
        if index % 2 == 1 {
            page.inline("<code>");
            page.text(piece);
            page.inline("</code>");
        } else {
            page.text(piece);
        }
    }
}

fn blocks(text: &str) -> Vec<Block> {
    let mut blocks = Vec::new();
    // A blank line ends a block, and so does a line of another kind.
    let mut open = false;
    for line in text.lines() {
        if line.trim().is_empty() {
            open = false;
            continue;
        }
        let next = block_of(line);
        match (blocks.last_mut().filter(|_| open), next) {
            (Some(Block::Paragraph(text)), Block::Paragraph(line)) => {
                text.push(' ');
                text.push_str(&line);
            }
            (Some(Block::Fixed(lines)), Block::Fixed(line)) | (Some(Block::Quoted(lines)), Block::Quoted(line)) => {
                lines.extend(line);
            }
            (_, next) => blocks.push(next),
        }
        open = true;
    }
    blocks.into_iter().map(harmless).collect()
}

fn block_of(line: &str) -> Block {
    let words = line.trim();
    if words.starts_with(MARK.trim_end()) {
        Block::Quoted(vec![words.to_string()])
    } else if line.starts_with(' ') {
        Block::Fixed(vec![line.to_string()])
    } else {
        Block::Paragraph(words.to_string())
    }
}

/// A block in which no line is by itself a command (invariant 12).
fn harmless(block: Block) -> Block {
    let marked = |line: &str| format!("{MARK}{line}");
    match block {
        Block::Paragraph(text) if language::is_command(&text) => Block::Quoted(vec![marked(&text)]),
        Block::Fixed(lines) if lines.iter().any(|line| language::is_command(line)) => {
            Block::Quoted(lines.iter().map(|line| marked(line.trim_start())).collect())
        }
        block => block,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn html(words: &str) -> String {
        let mut writer = Writer::default();
        write(&mut writer, words);
        writer.finished()
    }

    #[test]
    fn lines_become_blocks() {
        let found = blocks("One\ntwo\n\nThree:\n  1. X d4\n  2. O e5\n\n  | d4\n  | e5\nFour");
        let lines = |lines: &[&str]| lines.iter().map(|line| line.to_string()).collect::<Vec<_>>();
        assert_eq!(
            found,
            [
                Block::Paragraph("One two".into()),
                Block::Paragraph("Three:".into()),
                Block::Fixed(lines(&["  1. X d4", "  2. O e5"])),
                Block::Quoted(lines(&["| d4", "| e5"])),
                Block::Paragraph("Four".into()),
            ]
        );
    }

    #[test]
    fn a_line_that_is_a_command_gets_a_mark() {
        for words in ["resign", "res\u{0}ign", "  resign", "Hello\n\nd4"] {
            assert!(html(words).contains("blockquote"), "{words:?}: {}", html(words));
        }
    }

    #[test]
    fn words_to_be_typed_are_set_apart() {
        assert!(html("answer `accept` or `reject`.").contains("answer <code>accept</code> or <code>reject</code>."));
        assert!(html("a single ` alone").contains("single ` alone"));
    }
}
