//! Whole mails about matches: read by eye, and held to the laws of every mail.

use super::*;
use crate::games::GAMES;
use crate::language;
use crate::letters::text::{self, COLUMNS};
use crate::matches::{Chain, Verdict};
use crate::span::Span;
use insta::assert_snapshot;

const HOUR: i64 = 3600;

/// A turn has been played, and this is what the mails say of it.
fn turn_mail(game: &mut Match, turns: &[&str], reader: Seat) -> String {
    let done = play(game, turns);
    let headline = told(&done, game);
    match_text(game, Some(reader), game.last_at(), news(headline))
}

#[test]
fn a_turn_of_susan() {
    let mut game = begin("susan", &["alice", "bob"]);
    assert_snapshot!(
        "susan_start",
        match_text(&game, Some(FIRST), START, news("The match has begun.".into()))
    );
    let turns = ["e5", "d4", "c4", "b5", "e4", "d3", "f5", "c3", "c4-c5", "g5"];
    assert_snapshot!("susan_your_turn", turn_mail(&mut game, &turns, FIRST));
    assert_snapshot!(
        "susan_not_your_turn",
        match_text(
            &game,
            Some(SECOND),
            game.last_at(),
            News {
                headline: String::new(),
                watches: Some(true),
                messages: vec![Message {
                    from: "alice".into(),
                    text: "Nice try!\n\nd4\nI saw that coming: ".to_string() + &"very ".repeat(20)
                }],
            }
        )
    );
    assert_snapshot!(
        "susan_watched",
        match_text(&game, None, game.last_at(), news("Seen from outside.".into()))
    );
}

#[test]
fn the_end_of_a_game() {
    let mut game = begin("susan", &["alice", "bob"]);
    let slides = ["a1", "i9", "a1-a2", "i9-i8", "a2-a1", "i8-i9", "a1-a2", "i9-i8"];
    assert_snapshot!("susan_draw", turn_mail(&mut game, &slides, FIRST));
    let mut game = begin("lotus", &["alice", "bob"]);
    play(&mut game, &["i4"]);
    let now = game.last_at() + 60;
    let done = game.act(now, Actor::Seat(SECOND), Action::Resign).unwrap();
    let headline = told(&done, &game);
    assert_snapshot!("lotus_resigned", match_text(&game, Some(SECOND), now, news(headline)));
}

#[test]
fn a_match_that_the_clock_ends() {
    let mut game = begin("susan", &["alice", "bob"]);
    let done = game.tick(START + 60 * 24 * HOUR);
    let headline = told(&done, &game);
    assert_snapshot!(
        "susan_time",
        match_text(&game, Some(FIRST), game.last_at(), news(headline))
    );
}

#[test]
fn the_counting() {
    let mut game = begin("rosette", &["alice", "bob"]);
    assert_snapshot!(
        "rosette_counting",
        turn_mail(&mut game, &["g14", "h14", "pass", "pass"], FIRST)
    );
}

#[test]
fn medusa_and_medusa_shogi() {
    let mut game = begin("medusa", &["alice", "bob"]);
    assert_snapshot!("medusa", turn_mail(&mut game, &["i9", "h9", "pass"], SECOND));
    let mut game = begin("medusa-shogi", &["alice", "bob"]);
    assert_snapshot!("medusa_shogi", turn_mail(&mut game, &["f4-f5", "f8-f7"], FIRST));
}

#[test]
fn what_waits() {
    let mut game = begin("susan", &["alice", "bob"]);
    play(&mut game, &["e5"]);
    let now = game.last_at() + 60;
    let chain: Chain = vec![("d4".into(), "c3".into()), ("f6".into(), "f7".into())];
    for action in [
        Action::Condition { chain },
        Action::Note {
            text: "He likes the middle.\nd4".into(),
        },
        Action::OfferDraw,
    ] {
        game.act(now, Actor::Seat(FIRST), action).unwrap();
    }
    assert_snapshot!("waits_for_alice", match_text(&game, Some(FIRST), now, News::default()));
    assert_snapshot!("waits_for_bob", match_text(&game, Some(SECOND), now, News::default()));
}

#[test]
fn every_event_has_its_words() {
    assert_snapshot!("events", every_event(&Reader::default()));
    assert_snapshot!("events_ko", every_event(&reader_of("ko")));
}

/// What is said of everything that can happen in a match beside its turns.
fn every_event(reader: &Reader) -> String {
    let mut game = begin_with("susan", &["alice", "bob"], &[]);
    play(&mut game, &["e5", "d4"]);
    let now = game.last_at() + 60;
    let (alice, bob) = (Actor::Seat(FIRST), Actor::Seat(SECOND));
    let chain: Chain = vec![("c3".into(), "f6".into())];
    let mut lines = Vec::new();
    let mut act = |game: &mut Match, by: Actor, action: Action| {
        let done = game.act(now, by, action).unwrap();
        lines.push(told_to(reader, &done, game));
    };
    act(&mut game, alice, Action::OfferDraw);
    act(&mut game, bob, Action::Reject);
    act(&mut game, bob, Action::AskPause);
    act(&mut game, alice, Action::Accept);
    act(&mut game, bob, Action::Continue);
    act(&mut game, bob, Action::Extend { by: Span::days(3) });
    act(&mut game, bob, Action::Condition { chain });
    act(&mut game, bob, Action::Drop);
    act(&mut game, bob, Action::Note { text: "hm".into() });
    act(&mut game, bob, Action::Say { text: "Hello".into() });
    act(&mut game, bob, Action::AskUndo);
    act(&mut game, alice, Action::Accept);
    act(
        &mut game,
        bob,
        Action::Turn {
            text: "d4".into(),
            number: None,
        },
    );
    act(&mut game, alice, Action::OfferDraw);
    act(
        &mut game,
        alice,
        Action::Turn {
            text: "f6".into(),
            number: None,
        },
    );
    act(
        &mut game,
        bob,
        Action::Turn {
            text: "c3".into(),
            number: None,
        },
    );
    act(&mut game, Actor::Keeper, Action::Pause);
    act(
        &mut game,
        Actor::Keeper,
        Action::Adjudicate {
            verdict: Verdict::Winner(FIRST),
            reason: "bob has moved to the moon".into(),
        },
    );
    lines.join("\n")
}

#[test]
fn refusals_have_their_words() {
    assert_snapshot!("refusals", every_refusal(&Reader::default()));
    assert_snapshot!("refusals_ko", every_refusal(&reader_of("ko")));
}

fn every_refusal(reader: &Reader) -> String {
    let mut game = begin("susan", &["alice", "bob"]);
    play(&mut game, &["e5"]);
    let now = game.last_at() + 60;
    let turn = |text: &str, number| Action::Turn {
        text: text.into(),
        number,
    };
    let chain = |theirs: &str, ours: &str| Action::Condition {
        chain: vec![(theirs.into(), ours.into())],
    };
    let (alice, bob) = (Actor::Seat(FIRST), Actor::Seat(SECOND));
    let cases = [
        (alice, turn("d4", None)),
        (bob, turn("e5", None)),
        (bob, turn("nonsense", None)),
        (bob, turn("d4", Some(9))),
        (bob, chain("d4", "e6")),
        (alice, chain("e5", "d4")),
        (alice, chain("d4", "e5")),
        (alice, chain("resign", "d4")),
        (alice, Action::Accept),
        (alice, Action::Claim),
        (alice, Action::Continue),
        (alice, Action::Drop),
        (bob, Action::AskUndo),
        (alice, Action::Extend { by: Span::minutes(0) }),
        (alice, Action::Say { text: " ".into() }),
        (alice, Action::Pause),
    ];
    let mut lines = Vec::new();
    for (by, action) in cases {
        let refusal = game.act(now, by, action).unwrap_err();
        lines.push(refused(&refusal, &game, reader, templates()).unwrap());
    }
    game.act(now, alice, Action::OfferDraw).unwrap();
    for (by, action) in [
        (alice, Action::Accept),
        (alice, Action::OfferDraw),
        (bob, Action::AskPause),
    ] {
        let refusal = game.act(now, by, action).unwrap_err();
        lines.push(refused(&refusal, &game, reader, templates()).unwrap());
    }
    lines.join("\n")
}

/// Plays every game at random, and looks at what its players and a watcher get after each turn, in every language.
#[test]
fn the_laws_of_every_mail() {
    let templates = templates();
    let readers: Vec<Reader> = templates.languages().map(reader_of).collect();
    for game in GAMES {
        for &seats in game.info.seat_counts {
            let names = &["alice", "bob", "carol", "dave"][..seats];
            let mut state = 20_261_129_u64;
            let mut game = begin(game.info.name, names);
            for _ in 0..40 {
                let steps = game.table().steps();
                if steps.is_empty() || game.is_over() {
                    break;
                }
                state = state
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1_442_695_040_888_963_407);
                let step = steps[(state >> 33) as usize % steps.len()].clone();
                let done = play(&mut game, &[&step]);
                for reader in &readers {
                    let headline = told_to(reader, &done, &game);
                    assert!(headline.ends_with('.'), "{headline}");
                    for seat in [Some(FIRST), Some(SECOND), None] {
                        check_match_text(reader, &game, seat, &headline, templates);
                    }
                }
            }
        }
    }
}

fn check_match_text(reader: &Reader, game: &Match, seat: Option<Seat>, headline: &str, templates: &Templates) {
    let view = MatchView::new(
        game,
        seat,
        game.last_at(),
        news(headline.to_string()),
        reader,
        templates,
    );
    let item = templates
        .render(&reader.language, "items/match.txt", view.unwrap())
        .unwrap();
    let body = text::body(&item, language::is_command);
    assert_eq!(
        body,
        text::body(&item, |_| false),
        "no line needs the mark of the safety net"
    );
    for line in body.lines() {
        assert!(text::width(line) <= COLUMNS, "{line}");
    }
}
