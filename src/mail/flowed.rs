//! `format=flowed` (RFC 3676): lines that end in a blank go on in the next.

/// Joins flowed lines to paragraphs, each one line. With `delsp` the blank at the end of a flowed line goes too. Quote
/// marks stay, `-- ` is never joined, and a blank line ends a paragraph and stays.
pub fn unflow(text: &str, delsp: bool) -> String {
    let mut unflowed = String::with_capacity(text.len());
    let mut open: Option<usize> = None;
    for line in text.split('\n') {
        let line = line.strip_suffix('\r').unwrap_or(line);
        let content = line.trim_start_matches('>');
        let depth = line.len() - content.len();
        let content = content.strip_prefix(' ').unwrap_or(content);
        let is_signature = content.trim_end_matches(' ') == "--" && depth == 0;
        let joins = open == Some(depth) && !content.trim().is_empty() && !is_signature;
        if !joins {
            unflowed.push('\n');
            unflowed.extend(std::iter::repeat_n('>', depth));
            if depth > 0 {
                unflowed.push(' ');
            }
        }
        let flows = content.ends_with(' ') && !is_signature && !content.trim().is_empty();
        unflowed.push_str(if flows && delsp {
            &content[..content.len() - 1]
        } else {
            content
        });
        open = flows.then_some(depth);
    }
    unflowed.remove(0);
    unflowed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flowed_lines_join() {
        assert_eq!(unflow("one \ntwo\nthree", false), "one two\nthree");
        assert_eq!(unflow("one \r\ntwo", true), "onetwo");
        assert_eq!(unflow("d4 \n\nnext", false), "d4 \n\nnext");
    }

    #[test]
    fn quotes_and_signatures_are_not_joined() {
        assert_eq!(
            unflow("d4 \n> e5 \n> f6 \n-- \nAlice", false),
            "d4 \n> e5 f6 \n-- \nAlice"
        );
        assert_eq!(unflow(" >typed\n From here", false), ">typed\nFrom here");
    }
}
