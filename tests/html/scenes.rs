//! Matches of every game at several stages, and the mails about them.

use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use mail_parser::MessageParser;
use playpost::games::{GAMES, Phase, Seat};
use playpost::language::MatchOptions;
use playpost::letters::{
    Auto, BoardStyle, Draft, Item, MatchInfo, MatchState, MatchSubject, MatchView, Message, News, Reader,
    ServerAddress, Subject, Templates, board_of_match, compose, happened, message_id,
};
use playpost::matches::{Action, Actor, Done, Head, Match, Terms};

/// 2026-11-29 18:00 UTC.
const START: i64 = 1_795_975_200;
/// A key is as long as those that the server makes.
pub const KEY: &str = "abcdefghijklmnopqrstuvwxyz";
/// A long address makes long links.
pub const SERVER: &str = "play@playpost.games.example.org";
const SEATS: [&str; 4] = ["alice", "bartholomew_j_bodkin", "carol", "dave"];

/// A match as one of its players, or a watcher, gets to see it.
#[derive(Clone)]
pub struct Scene {
    pub name: String,
    pub game: Match,
    pub reader: Option<Seat>,
    /// What the last turn did, in words.
    pub headline: String,
}

pub fn templates() -> &'static Templates {
    static TEMPLATES: LazyLock<Templates> = LazyLock::new(|| Templates::new(None).unwrap());
    &TEMPLATES
}

pub fn reader(board: BoardStyle) -> Reader {
    Reader {
        board,
        html: true,
        ..Reader::default()
    }
}

/// A reader of each language, with the board in colours and in words.
pub fn readers() -> Vec<Reader> {
    let languages = templates().languages().map(String::from);
    let readers = languages.flat_map(|language| {
        [BoardStyle::Ascii, BoardStyle::List].map(|style| Reader {
            language: language.clone(),
            ..reader(style)
        })
    });
    readers.collect()
}

fn begin(game: &str, options: &[(&str, &str)], players: usize) -> Match {
    let options = MatchOptions {
        game: options
            .iter()
            .map(|(name, value)| (name.to_string(), Some(value.to_string())))
            .collect(),
        ..MatchOptions::default()
    };
    Match::begin(Head {
        number: 1234,
        terms: Terms::parse(game, &options, Some(players)).unwrap(),
        players: SEATS[..players].iter().map(|name| name.to_string()).collect(),
        started: START,
        rules_version: 1,
    })
    .unwrap()
}

/// Plays a turn of the seat to move.
fn play(game: &mut Match, turn: &str) -> Done {
    let seat = game.to_move().unwrap();
    let action = Action::Turn {
        text: turn.to_string(),
        number: None,
    };
    game.act(game.last_at() + 60, Actor::Seat(seat), action)
        .unwrap_or_else(|refused| panic!("{turn}: {refused:?}"))
}

fn headline(game: &Match, done: &Done) -> String {
    let said = done
        .happened
        .iter()
        .filter_map(|happening| happened(happening, game, &Reader::default(), templates()).unwrap());
    said.collect::<Vec<_>>().join(" ")
}

impl Scene {
    /// The player to move reads.
    fn to_move(name: &str, game: Match, done: &Done) -> Self {
        Scene {
            name: name.to_string(),
            reader: game.to_move(),
            headline: headline(&game, done),
            game,
        }
    }
}

/// A match in which so many turns were drawn by lot, passes left out. Every lot is a fixed one.
fn drawn_by_lot(game: &str, options: &[(&str, &str)], players: usize, turns: usize) -> (Match, Done) {
    let mut lot: u64 = 0x2545_F491_4F6C_DD1D ^ turns as u64;
    let mut next = |below: usize| {
        lot = lot
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (lot >> 33) as usize % below
    };
    let mut done = Done::default();
    // A lot may end the game early: then another is tried, with one turn less.
    for shorter in 0.. {
        let mut match_ = begin(game, options, players);
        for _ in 0..turns.saturating_sub(shorter) {
            if match_.is_over() || match_.table().phase() == Phase::Counting {
                break;
            }
            let steps: Vec<String> = match_
                .table()
                .steps()
                .into_iter()
                .filter(|step| step != "pass")
                .collect();
            let step = &steps[next(steps.len())];
            done = play(&mut match_, step);
        }
        if !match_.is_over() {
            return (match_, done);
        }
    }
    unreachable!("a match of no turns is not over")
}

fn played(game: &str, turns: &[&str]) -> (Match, Done) {
    let mut match_ = begin(game, &[], 2);
    let mut done = Done::default();
    for turn in turns {
        done = play(&mut match_, turn);
    }
    (match_, done)
}

/// Every game at its start, in the middle and late, the largest boards, and what else a mail can show.
pub fn scenes() -> &'static [Scene] {
    static SCENES: LazyLock<Vec<Scene>> = LazyLock::new(all_scenes);
    &SCENES
}

fn all_scenes() -> Vec<Scene> {
    let mut scenes = Vec::new();
    for game in GAMES {
        let name = game.info.name;
        let (middle, late) = match name {
            "susan" => (24, 36),
            "medusa" => (50, 120),
            "medusa-shogi" => (40, 160),
            "lotus" => (24, 48),
            _ => (40, 90),
        };
        scenes.push(Scene::to_move(
            &format!("{name}-start"),
            begin(name, &[], 2),
            &Done::default(),
        ));
        for (stage, turns) in [("middle", middle), ("late", late)] {
            let (match_, done) = drawn_by_lot(name, &[], 2, turns);
            scenes.push(Scene::to_move(&format!("{name}-{stage}"), match_, &done));
        }
    }
    let (largest, done) = drawn_by_lot("susan", &[("side", "10")], 2, 80);
    scenes.push(Scene::to_move("susan-side-10", largest, &done));
    let (four, done) = drawn_by_lot("susan", &[("side", "6")], 4, 30);
    scenes.push(Scene::to_move("susan-four", four, &done));
    let (small, done) = drawn_by_lot("rosette", &[("side", "3")], 2, 20);
    scenes.push(Scene::to_move("rosette-side-3", small, &done));
    let (large, done) = drawn_by_lot("rosette", &[("side", "7")], 2, 2);
    scenes.push(Scene::to_move("rosette-side-7", large, &done));
    let (counting, done) = played("rosette", &["g14", "h14", "pass", "pass"]);
    scenes.push(Scene::to_move("rosette-counting", counting, &done));
    let (mut offered, _) = played("susan", &["e5", "d4"]);
    let done = offered
        .act(offered.last_at() + 60, Actor::Seat(Seat(1)), Action::OfferDraw)
        .unwrap();
    scenes.push(Scene::to_move("susan-draw-offered", offered, &done));
    let (waiting, done) = drawn_by_lot("susan", &[], 2, 23);
    let other = waiting.to_move().map(|seat| Seat(1 - seat.0));
    scenes.push(Scene {
        reader: other,
        ..Scene::to_move("susan-waiting", waiting, &done)
    });
    let (watched, done) = drawn_by_lot("lotus", &[], 2, 21);
    scenes.push(Scene {
        reader: None,
        ..Scene::to_move("lotus-watched", watched, &done)
    });
    let (mut over, _) = drawn_by_lot("medusa-shogi", &[], 2, 31);
    let done = over
        .act(over.last_at() + 60, Actor::Seat(Seat(0)), Action::Resign)
        .unwrap();
    scenes.push(Scene {
        reader: Some(Seat(1)),
        ..Scene::to_move("medusa-shogi-over", over, &done)
    });
    scenes
}

impl Scene {
    /// The mail about the scene.
    pub fn mail(&self, style: BoardStyle) -> Vec<u8> {
        self.mail_to(reader(style))
    }

    pub fn mail_to(&self, reader: Reader) -> Vec<u8> {
        let templates = templates();
        let news = News {
            headline: self.headline.clone(),
            watches: Some(true),
            messages: vec![Message {
                from: "carol".into(),
                text:
                    "What a <position>!\n\nresign\nI have seen nothing like it in all these years & months, have you?"
                        .into(),
            }],
        };
        let now = self.game.last_at() + 60;
        let view = MatchView::new(&self.game, self.reader, now, news, &reader, templates).unwrap();
        let info = self.game.table().info();
        let draft = Draft {
            to_address: "alice@example.net".into(),
            subject: Subject::Match(MatchSubject {
                title: info.title.into(),
                number: self.game.number(),
                state: MatchState::YourTurn,
                names: self.game.head().players.clone(),
            }),
            items: vec![Item::of_match(view)],
            reply_key: Some(KEY.into()),
            bounce_key: Some("b7".into()),
            auto: Auto::Generated,
            answers_match: Some(self.game.number()),
            match_info: Some(MatchInfo {
                number: self.game.number(),
                game: info.name.into(),
                turn: self.game.turn() + 1,
                to_move: None,
            }),
            message_id: message_id("turn", Some(1234), Some(7), "secret", "example.org"),
            in_reply_to: None,
            references: Vec::new(),
            attachments: Vec::new(),
            date: now,
            list_unsubscribe: None,
            reader,
        };
        compose(&draft, &ServerAddress::new(SERVER).unwrap(), templates)
            .unwrap()
            .bytes
    }

    /// The HTML part of the mail, decoded.
    pub fn html(&self, style: BoardStyle) -> String {
        html_of(&self.mail(style)).unwrap_or_else(|| panic!("{} has no HTML", self.name))
    }

    /// The board of the scene as text.
    pub fn board(&self, style: BoardStyle) -> String {
        board_of_match(&self.game, &reader(style), templates()).unwrap().text
    }
}

pub fn html_of(mail: &[u8]) -> Option<String> {
    let message = MessageParser::default().parse(mail).unwrap();
    let part = message.html_part(0)?;
    (part.is_text_html()).then(|| part.text_contents().unwrap_or_default().to_string())
}

/// Where the tests lay down what they look at.
pub fn tray() -> PathBuf {
    let tray = Path::new(env!("CARGO_TARGET_TMPDIR")).join("html");
    std::fs::create_dir_all(&tray).unwrap();
    tray
}
