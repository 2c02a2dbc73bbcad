//! Turns, results, talk, what is shown, and the terms.

use super::*;
use crate::games::{Effect, Kind};
use serde_json::json;

#[test]
fn a_turn_is_stored_in_canonical_notation() {
    let mut story = Story::new(susan(&[]));
    story.play(0, "C4 e5");
    let told = story.turn(HOUR, X, " C4 -> c5 ").unwrap();
    assert!(matches!(&told[..], [Happening::Turn { number: 3, text, .. }] if text == "c4-c5"));
    assert_eq!(
        serde_json::to_value(story.entries.last().unwrap()).unwrap(),
        json!({"at": START + HOUR, "event": "turn", "seat": 0, "text": "c4-c5"})
    );
}

#[test]
fn only_who_is_to_move_plays_and_only_what_is_legal() {
    let mut story = Story::new(susan(&[]));
    assert_eq!(story.turn(0, O, "e5"), Err(Refused::NotYourTurn { to_move: X }));
    story.play(0, "e5");
    let kind = |refused| match refused {
        Err(Refused::Game(refusal)) => refusal.kind,
        other => panic!("{other:?}"),
    };
    assert_eq!(kind(story.turn(1, O, "e5")), Kind::Illegal);
    assert_eq!(kind(story.turn(1, O, "nonsense")), Kind::Unreadable);
    assert_eq!(story.turn(1, Seat(7), "d4"), Err(Refused::NoSuchSeat));
    assert_eq!(story.game.turn(), 1);
}

#[test]
fn a_turn_with_a_number_is_played_as_that_turn_alone() {
    let mut story = Story::new(susan(&[]));
    story.play(0, "e5");
    let numbered = |number| Action::Turn {
        text: "d4".to_string(),
        number: Some(number),
    };
    assert_eq!(
        story.by(1, O, numbered(1)),
        Err(Refused::StaleTurn {
            expected: 1,
            present: 2
        })
    );
    assert!(story.by(1, O, numbered(2)).is_ok());
}

#[test]
fn the_rules_end_the_match() {
    let mut with_setup = terms("susan", &[], &[]);
    with_setup.setup = Some("5/6/7/8/3OOX3/2O1OX2/3XX2/6/5 X 0".to_string());
    let mut story = Story::new(begin(with_setup));
    let told = story.turn(5, X, "d4").unwrap();
    assert!(matches!(
        told.last(),
        Some(Happening::Finished {
            verdict: Verdict::Winner(X),
            reason: "surrounded",
            ..
        })
    ));
    let ended = story.game.ended().unwrap();
    assert_eq!((ended.reason, ended.at), ("surrounded", START + 5));
    assert_eq!(story.game.status(), Status::Finished);
    assert_eq!((story.game.to_move(), story.game.deadline()), (None, None));
}

#[test]
fn anybody_resigns_at_any_time_and_it_is_a_turn() {
    let mut story = Story::new(susan(&[]));
    story.play(0, "e5 d4");
    let told = story.by(1000, O, Action::Resign).unwrap();
    assert!(matches!(&told[0], Happening::Turn { text, .. } if text == "O: resign"));
    assert_eq!(story.game.turn(), 3);
    let ended = story.game.ended().unwrap();
    assert_eq!((&ended.verdict, ended.reason), (&Verdict::Winner(X), "resigned"));
}

#[test]
fn a_finished_match_takes_talk_and_nothing_else() {
    let mut story = Story::new(susan(&[]));
    story.by(0, X, Action::Resign).unwrap();
    let before = story.game.json();
    for action in [
        Action::OfferDraw,
        Action::AskUndo,
        Action::Resign,
        Action::Drop,
        Action::Accept,
    ] {
        assert_eq!(story.by(1, O, action), Err(Refused::Over));
    }
    assert_eq!(story.turn(1, O, "d4"), Err(Refused::Over));
    assert_eq!(story.act(1, Actor::Keeper, Action::TakeBack), Err(Refused::Over));
    let text = "Thanks for the game!".to_string();
    assert!(story.by(2, O, Action::Say { text }).is_ok());
    assert_eq!(story.game.json(), before);
    assert_eq!(story.game.talk().len(), 1);
}

#[test]
fn notes_and_talk_are_kept_with_their_turn() {
    let mut story = Story::new(susan(&[]));
    story.play(0, "e5");
    let note = Action::Note {
        text: " e8 is safe ".into(),
    };
    assert_eq!(story.by(9, O, note), Ok(vec![Happening::Noted { seat: O }]));
    assert_eq!(story.by(9, O, Action::Note { text: "  ".into() }), Err(Refused::Empty));
    let notes: Vec<_> = story.game.notes(O).collect();
    assert_eq!((notes[0].text.as_str(), notes[0].turn), ("e8 is safe", 1));
    assert_eq!(story.game.notes(X).count(), 0);
}

#[test]
fn of_three_who_resigns_or_loses_on_time_goes_out_and_the_others_go_on() {
    let three = || begin(terms("susan", &[("seats", "3")], &[("time", "7d")]));
    let mut story = Story::new(three());
    story.play(0, "e5");
    let told = story.by(500, Y, Action::Resign).unwrap();
    assert!(matches!(&told[0], Happening::Turn { effects, .. }
        if effects.contains(&Effect::Out { seat: Y, resigned: true })));
    assert_eq!(story.game.to_move(), Some(O));
    assert_eq!(story.by(501, Y, Action::OfferDraw), Err(Refused::OutOfGame));
    // O's clock went on through that.
    assert_eq!(story.deadline(), Some(7 * DAY));
    let told = story.tick(8 * DAY);
    assert!(matches!(&told[0], Happening::TimeLost { seat: O, .. }));
    let ended = story.game.ended().unwrap();
    assert_eq!((&ended.verdict, ended.reason), (&Verdict::Winner(X), "time"));

    let mut story = Story::new(three());
    let told = story.tick(8 * DAY);
    assert!(matches!(told[..], [Happening::TimeLost { seat: X, .. }]));
    assert_eq!(story.game.seats_in(), [O, Y]);
    assert_eq!(story.deadline(), Some(14 * DAY));
    story.play(9 * DAY, "e5 d4");
    assert_eq!(story.game.turns()[0].text, "resign");
}

#[test]
fn the_words_of_a_counting_are_turns_of_whoever_may_say_them() {
    let mut story = Story::new(begin(terms("rosette", &[("side", "3")], &[])));
    story.play(0, "a1 pass pass");
    assert_eq!(story.game.status(), Status::Counting);
    let (first, other) = (story.game.to_move().unwrap(), X);
    assert_ne!(first, other);
    story.turn(HOUR, first, "dead a1").unwrap();
    assert_eq!(story.game.to_move(), Some(other));
    assert_eq!(
        story.turn(HOUR, first, "agree"),
        Err(Refused::NotYourTurn { to_move: other })
    );
    // The proposer thinks again; it is still the other's clock that runs.
    let before = story.deadline();
    story.turn(2 * HOUR, first, "dead none").unwrap();
    assert_eq!(story.deadline(), before);
    story.turn(3 * HOUR, other, "agree").unwrap();
    let ended = story.game.ended().unwrap();
    assert_eq!((ended.reason, story.game.turn()), ("score", 6));
    assert!(ended.score.is_some());
}

#[test]
fn the_keeper_takes_back_and_adjudicates() {
    let mut story = Story::new(susan(&[]));
    assert_eq!(
        story.act(0, Actor::Keeper, Action::TakeBack),
        Err(Refused::NothingToUndo)
    );
    story.play(0, "e5 d4");
    let told = story.act(HOUR, Actor::Keeper, Action::TakeBack).unwrap();
    assert!(matches!(&told[0], Happening::TakenBack { turns, by: None } if turns == &["d4"]));
    assert_eq!(story.game.to_move(), Some(O));
    let adjudicate = |verdict| Action::Adjudicate {
        verdict,
        reason: "abandoned".to_string(),
    };
    let nobody = adjudicate(Verdict::Winner(Y));
    assert_eq!(story.act(HOUR, Actor::Keeper, nobody), Err(Refused::NoSuchSeat));
    let draw = adjudicate(Verdict::Draw);
    assert_eq!(story.by(HOUR, X, draw.clone()), Err(Refused::NotAllowed));
    story.act(HOUR, Actor::Keeper, draw).unwrap();
    let ended = story.game.ended().unwrap();
    assert_eq!(
        (ended.reason, ended.note.as_deref()),
        ("adjudicated", Some("abandoned"))
    );
}

#[test]
fn shows_what_show_json_promises() {
    let mut story = Story::new(susan(&[]));
    story.turn(131, X, "e5").unwrap();
    story.by(200, X, Action::OfferDraw).unwrap();
    let object = story.game.json();
    let keys: Vec<&String> = object.as_object().unwrap().keys().collect();
    assert_eq!(
        keys,
        [
            "match", "game", "options", "seats", "status", "turn", "to_move", "result", "reason", "rated", "time",
            "deadline", "offers", "turns", "position"
        ]
    );
    assert_eq!(object["options"], json!({"side": 5}));
    assert_eq!(object["seats"], json!({"X": "alice", "O": "bob"}));
    assert_eq!(object["status"], "running");
    assert_eq!((&object["turn"], &object["to_move"]), (&json!(1), &json!("O")));
    assert_eq!((&object["result"], &object["reason"]), (&json!(null), &json!(null)));
    assert_eq!(object["deadline"], "2026-12-09T18:02:11Z");
    assert_eq!(object["offers"], json!([{"offer": "draw", "by": "X"}]));
    assert_eq!(object["turns"], json!(["e5"]));
    assert_eq!(object["position"]["turn"], 1);
    let summary = story.game.summary_json();
    assert_eq!(summary.as_object().unwrap().len(), keys.len() - 2);
}

#[test]
fn an_earlier_board_and_a_look_ahead_change_nothing() {
    let mut story = Story::new(susan(&[]));
    story.play(0, "e5 d4 e5-e6");
    let table = story.game.table_at(2).unwrap();
    assert_eq!((table.turn(), table.last_turn()), (2, Some("d4")));
    assert!(story.game.table_at(4).is_none());
    let turns = ["a1", "i9", "a1"].map(String::from);
    let preview = story.game.preview(&turns);
    assert_eq!(preview.played.len(), 2);
    assert!(matches!(preview.refused, Some((2, refusal)) if refusal.kind == Kind::Illegal));
    assert_eq!(story.game.turn(), 3);
}

#[test]
fn a_stored_turn_that_the_rules_refuse_is_an_error_with_its_number() {
    let turn = |text: &str, seat| Entry {
        at: START,
        event: Event::Turn {
            seat,
            text: text.to_string(),
            by_condition: false,
        },
    };
    let head = susan(&[]).head().clone();
    let error = Match::replay(head.clone(), &[turn("e5", X), turn("e5", O)])
        .err()
        .unwrap();
    assert_eq!(error.index, Some(1));
    assert!(matches!(error.fault, Fault::Turn { turn: 2, .. }));
    assert_eq!(error.to_string(), "event 1: turn 2 (e5) is refused: illegal");
    let early = Entry {
        at: START - 1,
        ..turn("e5", X)
    };
    assert_eq!(
        Match::replay(head.clone(), &[early]).err().unwrap().fault,
        Fault::Backwards
    );
    let nobody = turn("e5", Seat(9));
    assert_eq!(
        Match::replay(head, &[nobody]).err().unwrap().fault,
        Fault::NoSuchSeat(Seat(9))
    );
}

#[test]
fn ratings_change_only_after_two_turns_of_each_in_a_rated_match() {
    let mut story = Story::new(susan(&[]));
    story.play(0, "e5 d4 a1");
    story.by(500, O, Action::Resign).unwrap();
    assert!(!story.game.changes_ratings());

    let mut story = Story::new(susan(&[]));
    story.play(0, "e5 d4 a1 i9");
    assert!(!story.game.changes_ratings());
    story.by(500, X, Action::Resign).unwrap();
    assert!(story.game.changes_ratings());

    let mut story = Story::new(susan(&[("unrated", "")]));
    story.play(0, "e5 d4 a1 i9");
    story.by(500, X, Action::Resign).unwrap();
    assert!(!story.game.changes_ratings());
}

#[test]
fn options_of_a_challenge_are_judged() {
    let read = |pairs: &[(&str, &str)]| {
        let typed = MatchOptions {
            game: Vec::new(),
            terms: options(pairs),
        };
        Terms::parse("susan", &typed, None)
    };
    let time = |pairs: &[(&str, &str)]| read(pairs).unwrap().time.to_string();
    assert_eq!(time(&[]), "10d+36h/10d");
    assert_eq!(time(&[("time", "10d+36h")]), "10d+36h/10d");
    assert_eq!(
        time(&[("time", "1w+1d/12d"), ("soft", ""), ("weekdays", "")]),
        "7d+1d/12d soft weekdays"
    );
    assert_eq!(time(&[("forfeittime", "7")]), "7d");
    assert_eq!(time(&[("totaltime", "30")]), "30d+0m/30d");
    assert_eq!(time(&[("time", "none"), ("unrated", "")]), "none");
    assert_eq!(read(&[("nagtime", "3")]).unwrap().nag, Some(Mark::After(Span::days(3))));
    assert_eq!(read(&[("first", "ME")]).unwrap().first, First::Me);

    assert_eq!(read(&[("time", "none")]), Err(TermsError::RatedWithoutClock));
    assert_eq!(
        read(&[("tiem", "7d")]),
        Err(TermsError::Unknown {
            name: "tiem".into(),
            nearest: Some("time")
        })
    );
    assert!(matches!(
        read(&[("first", "her")]),
        Err(TermsError::Value { name: "first", .. })
    ));
    assert!(matches!(read(&[("forfeittime", "0")]), Err(TermsError::Value { .. })));
    assert!(matches!(
        read(&[("time", "")]),
        Err(TermsError::Missing { name: "time", .. })
    ));
    assert!(matches!(
        read(&[("soft", "yes")]),
        Err(TermsError::Flag { name: "soft" })
    ));
    assert!(matches!(
        read(&[("soft", ""), ("hard", "")]),
        Err(TermsError::Conflict { .. })
    ));
    assert!(matches!(
        read(&[("time", "soon")]),
        Err(TermsError::Time(TimeError::Unreadable(_)))
    ));
    assert!(matches!(
        read(&[("time", "0d")]),
        Err(TermsError::Time(TimeError::Zero))
    ));
    assert!(matches!(
        read(&[("time", "10d+1d/5d")]),
        Err(TermsError::Time(TimeError::CapBelowStart { .. }))
    ));
}

#[test]
fn as_many_seats_as_names() {
    let typed = MatchOptions::default();
    let seats =
        |game: &str, typed: &MatchOptions, count| Terms::parse(game, typed, Some(count)).map(|terms| terms.seats);
    assert_eq!(seats("susan", &typed, 3), Ok(3));
    assert!(matches!(
        seats("susan", &typed, 5),
        Err(TermsError::SeatCount { seats: 5, .. })
    ));
    assert!(matches!(seats("rosette", &typed, 3), Err(TermsError::SeatCount { .. })));
    let four = MatchOptions {
        game: options(&[("seats", "4")]),
        ..typed
    };
    assert!(matches!(seats("susan", &four, 3), Err(TermsError::SeatCount { .. })));
    assert!(matches!(
        Terms::parse("suzan", &four, None),
        Err(TermsError::UnknownGame {
            nearest: Some("susan"),
            ..
        })
    ));
}

#[test]
fn the_stored_head_reads_back() {
    let head = susan(&[("time", "7d"), ("soft", ""), ("nagtime", "3")]).head().clone();
    let stored = serde_json::to_string(&head).unwrap();
    assert_eq!(serde_json::from_str::<Head>(&stored).unwrap(), head);
}
