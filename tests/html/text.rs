//! The HTML as it is read by programs that show text, and as it comes back to the server.

use std::collections::BTreeSet;
use std::process::{Command, Stdio};

use playpost::language;
use playpost::letters::BoardStyle;
use playpost::mail::{self, Limits};

pub use crate::program::program;

use crate::markup::elements;
use crate::scenes::{Scene, html_of, readers, scenes, tray};

/// What the server reads when HTML comes back as somebody's mail.
fn read(html: &str) -> mail::Inbound {
    let raw = format!(
        "From: alice@example.net\r\nTo: play@example.org\r\nSubject: Re: x\r\nIn-Reply-To: <x@y>\r\nMIME-Version: 1.0\r\n\
         Content-Type: text/html; charset=utf-8\r\n\r\n{html}"
    );
    mail::read(raw.as_bytes(), &Limits::default())
}

#[test]
fn a_mail_that_comes_back_does_nothing() {
    for scene in scenes() {
        for reader in readers() {
            let html = html_of(&scene.mail_to(reader)).unwrap();
            // With the marks of quoting, and as a program leaves it that takes them away.
            for html in [html.clone(), html.replace("blockquote", "div")] {
                let read = read(&html);
                let letter = language::letter(&read.subject, read.is_reply, &read.typed);
                assert!(letter.lines.is_empty(), "{}: {:?}", scene.name, letter.lines);
                for line in read.typed.lines() {
                    assert!(!language::is_command(line), "{}: {line:?} is a command", scene.name);
                }
            }
        }
    }
}

#[test]
fn the_html_says_what_the_text_says() {
    let words = |text: &str| -> Vec<String> {
        let letters = |word: &str| word.trim_matches(|letter: char| !letter.is_alphanumeric()).to_string();
        text.split_whitespace()
            .map(letters)
            .filter(|word| word.len() > 3)
            .collect()
    };
    for scene in scenes() {
        let mail = scene.mail(BoardStyle::Ascii);
        let message = mail_parser::MessageParser::default().parse(&mail).unwrap();
        let html = elements(&scene.html(BoardStyle::Ascii));
        let html: Vec<String> = html.iter().flat_map(|element| words(&element.text)).collect();
        let text = message.body_text(0).unwrap().replace("\r\n", "\n");
        for word in words(&text.replace(&scene.board(BoardStyle::Ascii), "")) {
            assert!(html.contains(&word), "{}: {word:?} is not in the HTML", scene.name);
        }
    }
}

/// The letters of the men on each line of a text that has any: a row of the board stays on one line.
fn rows_of_men(scene: &Scene, text: &str) -> BTreeSet<String> {
    let cells = scene.game.table().diagram().cells;
    let letters: BTreeSet<char> = cells
        .iter()
        .filter_map(|cell| cell.mark)
        .map(|mark| mark.letter)
        .collect();
    let is_row = |line: &&str| {
        line.split_whitespace()
            .all(|word| word.chars().filter(|sign| sign.is_alphabetic()).count() < 3)
    };
    let rows = text.lines().filter(is_row);
    let men = rows.map(|line| line.chars().filter(|sign| letters.contains(sign)).collect::<String>());
    men.filter(|men| !men.is_empty()).collect()
}

fn dump(browser: &str, arguments: &[&str], name: &str, html: &str) -> Option<String> {
    let browser = program(browser)?;
    let path = tray().join(format!("{name}.html"));
    std::fs::write(&path, html).unwrap();
    let output = Command::new(browser)
        .args(arguments)
        .arg(&path)
        .stdin(Stdio::null())
        .output()
        .unwrap();
    assert!(output.status.success());
    Some(String::from_utf8_lossy(&output.stdout).into_owned())
}

#[test]
fn text_browsers_show_the_board_and_the_words() {
    for scene in scenes() {
        let html = scene.html(BoardStyle::Ascii);
        for (browser, arguments) in [
            ("w3m", &["-dump", "-cols", "78", "-O", "UTF-8", "-T", "text/html"][..]),
            (
                "lynx",
                &[
                    "-dump",
                    "-nolist",
                    "-width=78",
                    "-display_charset=utf-8",
                    "-assume_charset=utf-8",
                ][..],
            ),
        ] {
            let Some(text) = dump(browser, arguments, &format!("{}-{browser}", scene.name), &html) else {
                continue;
            };
            std::fs::write(tray().join(format!("{}.{browser}.txt", scene.name)), &text).unwrap();
            let flat = text.split_whitespace().collect::<Vec<_>>().join(" ");
            assert!(flat.contains("carol says:"), "{}:\n{text}", scene.name);
            assert!(flat.contains("| resign"), "{}:\n{text}", scene.name);
            for men in rows_of_men(scene, &scene.board(BoardStyle::Ascii)) {
                assert!(
                    rows_of_men(scene, &text).contains(&men),
                    "{}: no line with the row {men} in\n{text}",
                    scene.name
                );
            }
        }
    }
}
