//! Every link makes a mail that says what it promises, and the turn is played.

use std::collections::BTreeSet;

use playpost::language::{self, Command};
use playpost::letters::BoardStyle;
use playpost::mail::{self, Limits};
use playpost::matches::{Action, Actor};

use crate::markup::elements;
use crate::scenes::{KEY, SERVER, Scene, scenes};

/// The mail that a mail program makes of a `mailto:` link (RFC 6068).
fn mail_of(link: &str) -> String {
    let rest = link.strip_prefix("mailto:").expect("a mailto link");
    let (address, fields) = rest.split_once('?').unwrap();
    let mut header = format!("From: alice@example.net\r\nTo: {}\r\n", decoded(address));
    let mut body = String::new();
    for field in fields.split('&') {
        let (name, value) = field.split_once('=').unwrap();
        match name {
            "body" => body = decoded(value),
            "subject" => header.push_str(&format!("Subject: {}\r\n", decoded(value))),
            other => panic!("{other} in {link}"),
        }
    }
    format!("{header}\r\n{body}\r\n\r\n-- \r\nAlice\r\n")
}

fn decoded(text: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        if byte == b'%' {
            let digits: Vec<u8> = rest.by_ref().take(2).collect();
            bytes.push(u8::from_str_radix(std::str::from_utf8(&digits).unwrap(), 16).unwrap());
        } else {
            assert!(byte.is_ascii_graphic(), "{text}");
            bytes.push(byte);
        }
    }
    String::from_utf8(bytes).unwrap()
}

pub fn links(html: &str) -> Vec<String> {
    elements(html)
        .iter()
        .filter_map(|element| element.attributes.get("href").cloned())
        .collect()
}

/// The commands that the links of a scene make, each read as `playpost mail read` does.
fn commands(scene: &Scene, style: BoardStyle) -> Vec<Command> {
    let html = scene.html(style);
    let commands = links(&html).into_iter().map(|link| {
        let raw = mail_of(&link);
        let read = mail::read(raw.as_bytes(), &Limits::default());
        let (local, domain) = SERVER.split_once('@').unwrap();
        assert_eq!(read.to, [format!("{local}+{KEY}@{domain}")]);
        assert!(read.is_reply, "{link}");
        let letter = language::letter(&read.subject, read.is_reply, &read.typed);
        assert_eq!(letter.lines.len(), 1, "{link}: {letter:?}");
        assert_eq!(letter.message, None, "{link}");
        letter.lines.into_iter().next().unwrap().command
    });
    commands.collect()
}

#[test]
fn every_link_says_a_turn_that_can_be_played_or_a_word_that_is_understood() {
    for scene in scenes() {
        for style in [BoardStyle::Ascii, BoardStyle::List] {
            let mut turns = BTreeSet::new();
            for command in commands(scene, style) {
                let (mut game, now) = (scene.game.clone(), scene.game.last_at() + 90);
                let action = match command {
                    Command::Move { text, turn } => {
                        assert_eq!(turn, Some(scene.game.turn() + 1), "{}: {text}", scene.name);
                        turns.insert(text.clone());
                        Action::Turn { text, number: turn }
                    }
                    Command::Draw => Action::OfferDraw,
                    Command::Resign => Action::Resign,
                    Command::Undo => Action::AskUndo,
                    Command::Accept { number: None } => Action::Accept,
                    Command::Reject => Action::Reject,
                    Command::Show { turn: None } | Command::Rematch | Command::Record | Command::Unwatch => continue,
                    other => panic!("{}: {other:?}", scene.name),
                };
                let actor = Actor::Seat(scene.reader.expect("a watcher plays no turn"));
                if let Err(refused) = game.act(now, actor, action.clone()) {
                    panic!("{}: {action:?} is refused: {refused:?}", scene.name);
                }
            }
            let is_to_move = scene.reader.is_some() && scene.reader == scene.game.to_move();
            let expected: BTreeSet<String> = match is_to_move {
                true => scene
                    .game
                    .table()
                    .steps()
                    .iter()
                    .map(|step| step.to_lowercase())
                    .collect(),
                false => BTreeSet::new(),
            };
            let found: BTreeSet<String> = turns.iter().map(|turn| turn.to_lowercase()).collect();
            let missing: Vec<&String> = expected.difference(&found).collect();
            // With much in hand there are more turns than a mail has room for; the mail names them all the same.
            assert!(
                missing.is_empty() || scene.name == "medusa-shogi-late",
                "{}: no link for {missing:?}",
                scene.name
            );
        }
    }
}

#[test]
fn words_that_end_the_match_stand_last_and_apart() {
    for scene in scenes() {
        let html = scene.html(BoardStyle::Ascii);
        let all = elements(&html);
        let grave: Vec<usize> = (0..all.len())
            .filter(|&index| {
                all[index]
                    .attributes
                    .get("href")
                    .is_some_and(|href| href.ends_with("=resign"))
            })
            .collect();
        let plays_on = scene.reader.is_some() && !scene.game.is_over();
        assert_eq!(grave.len(), usize::from(plays_on), "{}", scene.name);
        for index in grave {
            let around = all[index].parent;
            let beside = all.iter().filter(|other| other.parent == around).count();
            assert!(beside <= 2, "{}: beside `resign` stands more than `draw`", scene.name);
            let later = &all[index + 1..];
            assert!(
                later.iter().all(|other| !other.attributes.contains_key("href")),
                "{}",
                scene.name
            );
        }
    }
}
