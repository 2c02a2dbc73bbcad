//! Mails as they go out, and the sentences in them.

mod headers;
mod korean;
mod languages;
mod mails;
mod pictures;
mod sentences;
mod templates;
mod words;

use super::*;
use crate::games::Seat;
use crate::language::MatchOptions;
use crate::matches::{Action, Actor, Done, Head, Match, Terms};
use mail_parser::MessageParser;
use std::sync::LazyLock;

/// 2026-11-29 18:00 UTC, a Sunday.
const START: i64 = 1_795_975_200;
const FIRST: Seat = Seat(0);
const SECOND: Seat = Seat(1);

/// The compiled-in templates, loaded once for all tests.
fn templates() -> &'static Templates {
    static TEMPLATES: LazyLock<Templates> = LazyLock::new(|| Templates::new(None).unwrap());
    &TEMPLATES
}

fn server() -> ServerAddress {
    ServerAddress::new("play@example.org").unwrap()
}

fn begin(game: &str, players: &[&str]) -> Match {
    begin_with(game, players, &[])
}

fn begin_with(game: &str, players: &[&str], terms: &[(&str, &str)]) -> Match {
    let options = MatchOptions {
        terms: terms
            .iter()
            .map(|(name, value)| (name.to_string(), Some(value.to_string())))
            .collect(),
        ..MatchOptions::default()
    };
    Match::begin(Head {
        number: 12,
        terms: Terms::parse(game, &options, Some(players.len())).unwrap(),
        players: players.iter().map(|name| name.to_string()).collect(),
        started: START,
        rules_version: 1,
    })
    .unwrap()
}

/// Each turn an hour after the one before; gives what the last one did.
fn play(game: &mut Match, turns: &[&str]) -> Done {
    let mut done = Done::default();
    for text in turns {
        let seat = game.to_move().unwrap();
        let now = game.last_at() + 3600;
        let action = Action::Turn {
            text: text.to_string(),
            number: None,
        };
        done = game.act(now, Actor::Seat(seat), action).unwrap();
    }
    done
}

/// Somebody who reads a language.
fn reader_of(language: &str) -> Reader {
    Reader {
        language: language.to_string(),
        ..Reader::default()
    }
}

/// Whatever happened, in sentences.
fn told(done: &Done, game: &Match) -> String {
    told_to(&Reader::default(), done, game)
}

fn told_to(reader: &Reader, done: &Done, game: &Match) -> String {
    let sentences: Vec<String> = done
        .happened
        .iter()
        .filter_map(|happening| happened(happening, game, reader, templates()).unwrap())
        .collect();
    sentences.join(" ")
}

fn draft(items: Vec<Item>) -> Draft {
    Draft {
        to_address: "alice@example.net".into(),
        reader: Reader::default(),
        subject: Subject::Match(MatchSubject {
            title: "Susan".into(),
            number: 12,
            state: MatchState::YourTurn,
            names: vec!["alice".into(), "bob".into()],
        }),
        items,
        reply_key: Some("k7".into()),
        bounce_key: Some("b7".into()),
        auto: Auto::Generated,
        match_info: None,
        answers_match: None,
        message_id: message_id("turn", Some(12), Some(7), "secret", "example.org"),
        in_reply_to: None,
        references: Vec::new(),
        attachments: Vec::new(),
        date: START,
        list_unsubscribe: None,
    }
}

fn composed(draft: &Draft) -> Vec<u8> {
    compose(draft, &server(), templates()).unwrap().bytes
}

/// The header as it goes out and the text as a reader sees it.
fn opened(draft: &Draft) -> (String, String) {
    let bytes = composed(draft);
    let text = String::from_utf8(bytes.clone()).unwrap();
    let (header, _) = text.split_once("\r\n\r\n").unwrap();
    let message = MessageParser::default().parse(&bytes).unwrap();
    let body = message.body_text(0).unwrap().replace("\r\n", "\n");
    (header.replace("\r\n", "\n"), body)
}

/// The text of the mail about a match that `seat` gets at `now`.
fn match_text(game: &Match, seat: Option<Seat>, now: i64, news: News) -> String {
    match_text_to(&Reader::default(), game, seat, now, news)
}

fn match_text_to(reader: &Reader, game: &Match, seat: Option<Seat>, now: i64, news: News) -> String {
    let view = MatchView::new(game, seat, now, news, reader, templates()).unwrap();
    let mut draft = draft(vec![Item::new("match", view)]);
    draft.reader = reader.clone();
    opened(&draft).1
}

fn news(headline: String) -> News {
    News {
        headline,
        watches: Some(true),
        messages: Vec::new(),
    }
}
