//! Korean sentences, as a Korean would write them.

use super::sentences::{Sketch, cells, ended, man_moved, moved, placed, reversed, said_in, scored, sketch, surrounded};
use super::*;
use crate::games::{Cause, Effect};

#[track_caller]
fn says(table: &Sketch, effects: &[Effect], expected: &str) {
    assert_eq!(said_in("ko", table, effects), expected);
}

#[test]
fn verbs_are_joined_and_the_last_one_closes_the_sentence() {
    let susan = sketch("susan");
    says(
        &susan,
        &[
            moved(FIRST, "c4", "c5"),
            surrounded(FIRST, SECOND, "b5"),
            ended(Some(FIRST), "surrounded"),
        ],
        "X가 c4에서 c5로 밀고, O의 b5를 둘러쌌습니다. X가 이겼습니다.",
    );
    says(
        &susan,
        &[
            placed(SECOND, "d4"),
            surrounded(SECOND, SECOND, "e4"),
            ended(Some(FIRST), "own stone surrounded"),
        ],
        "O가 d4에 두고, 자기 돌 e4를 둘러쌌습니다. X가 이겼습니다.",
    );
    let slides = Effect::Slides { count: 6, draw_at: 6 };
    says(
        &susan,
        &[moved(SECOND, "i9", "i8"), slides, ended(None, "six slides")],
        "O가 i9에서 i8로 밀었습니다. 연속 여섯 번째 밀기입니다. 무승부입니다.",
    );
    let three = Sketch {
        seats: "XOY",
        to_move: Some(SECOND),
        last_turn: Some("Y: resign"),
        ..sketch("susan")
    };
    let seat = Seat(2);
    says(
        &three,
        &[Effect::Resigned { seat }, Effect::Out { seat, resigned: true }],
        "Y가 기권하고, 판에서 빠졌습니다. 여전히 O 차례입니다.",
    );
}

#[test]
fn what_a_verb_brings_stands_behind_it_in_parentheses() {
    let medusa = sketch("medusa");
    says(
        &medusa,
        &[
            placed(SECOND, "a1"),
            reversed("a1", FIRST, 0, Cause::Suicide),
            moved(SECOND, "e1", "c1"),
            moved(SECOND, "e3", "c3"),
            reversed("b1 a2 c2 b3 a1", SECOND, 2, Cause::Captured),
            Effect::Rosette {
                seat: SECOND,
                around: "b2".into(),
                cells: cells("a1 b1 a2 c2 a3 b3"),
            },
        ],
        "백이 a1에 두고(그 돌은 흑이 됨), e1에서 c1로 움직이고, e3에서 c3으로 움직이고, 돌 5개를 잡았습니다. 백이 b2 둘레에 \
         로제트를 지었습니다.",
    );
    says(
        &medusa,
        &[moved(FIRST, "q15", "s15"), Effect::Marker { value: -2 }],
        "흑이 q15에서 s15로 움직이고, 돌은 두지 않았습니다. 마커는 백 2점이 되었습니다.",
    );
    says(
        &medusa,
        &[Effect::Passed { seat: FIRST }, Effect::Marker { value: -2 }],
        "흑이 패스했습니다(마커: 백 2점).",
    );
    says(
        &sketch("lotus"),
        &[
            placed(FIRST, "d2"),
            reversed("b1", FIRST, 0, Cause::Captured),
            reversed("a1 b1 c1 d1 d2", SECOND, 0, Cause::Double),
        ],
        "흑이 d2에 두고, b1의 돌 1개를 잡았습니다(그러나 활로가 남지 않아 돌 5개가 백이 됨).",
    );
}

#[test]
fn men_have_their_particles() {
    let shogi = sketch("medusa-shogi");
    says(
        &shogi,
        &[
            man_moved(FIRST, "+B", "e4", "h7"),
            Effect::ManTaken {
                seat: SECOND,
                man: "Q".into(),
                on: "h7".into(),
                in_hand: "Q".into(),
            },
            Effect::Changed {
                from: "+B".into(),
                to: "+Q".into(),
                on: "h7".into(),
            },
            Effect::Check { seat: SECOND },
        ],
        "백의 모프 비숍이 h7에 있는 퀸을 잡고, 모프 퀸이 되었습니다. 흑이 체크를 받고 있습니다.",
    );
    says(
        &shogi,
        &[
            man_moved(SECOND, "M", "e6", "f6"),
            Effect::Freed {
                men: vec![(FIRST, "R".into(), "e5".into())],
            },
        ],
        "흑의 메두사가 e6에서 f6으로 움직였습니다. e5에 있는 백의 룩이 다시 풀려났습니다.",
    );
    let dropped = |man: &str| Effect::Dropped {
        seat: SECOND,
        man: man.into(),
        on: "e5".into(),
    };
    says(&shogi, &[dropped("+N")], "흑이 모프 나이트를 e5에 내려놓았습니다.");
    says(&shogi, &[dropped("P")], "흑이 폰을 e5에 내려놓았습니다.");
}

#[test]
fn a_score_is_told_with_what_it_is_made_of() {
    says(
        &sketch("rosette"),
        &[
            Effect::Agreed {
                seat: FIRST,
                cells: cells("a1 a2 a3"),
            },
            scored(Some(SECOND), [144.0, 150.5], [(100, 44, 0.0), (100, 45, 5.5)]),
        ],
        "흑이 동의했습니다. 돌 3개를 들어냈습니다. 백이 150.5 대 144로 이겼습니다(돌 100개, 45점, 덤 5.5점).",
    );
    says(
        &sketch("medusa"),
        &[
            Effect::Passed { seat: FIRST },
            Effect::Marker { value: 0 },
            scored(Some(SECOND), [40.0, 43.0], [(30, 10, 0.0), (31, 12, 0.0)]),
        ],
        "흑이 패스했습니다(마커: 0점). 백이 43 대 40으로 이겼습니다(돌 31개, 빈칸 12개).",
    );
}

#[test]
fn players_have_their_names_with_respect() {
    let names = ["alice".to_string(), "bob".to_string()];
    let effects = [
        moved(SECOND, "c4", "c5"),
        surrounded(SECOND, FIRST, "b5"),
        ended(Some(SECOND), "surrounded"),
    ];
    let said = sentence(&effects, &sketch("susan"), Some(&names), "ko", templates()).unwrap();
    assert_eq!(
        said,
        "bob님(O)이 c4에서 c5로 밀고, alice님의 b5를 둘러쌌습니다. bob님이 이겼습니다."
    );
}

#[test]
fn the_subjects_of_a_match() {
    let subject = |state| {
        let subject = Subject::Match(MatchSubject {
            title: "Susan".into(),
            number: 12,
            state,
            names: vec!["alice".into(), "bob".into()],
        });
        subject.line("ko", templates()).unwrap()
    };
    assert_eq!(subject(MatchState::YourTurn), "Susan #12: 내 차례 (alice - bob)");
    assert_eq!(
        subject(MatchState::ToMove("bob".into())),
        "Susan #12: bob님 차례 (alice - bob)"
    );
    assert_eq!(
        subject(MatchState::Won(vec!["alice".into()])),
        "Susan #12: alice님 승리 (alice - bob)"
    );
    assert_eq!(subject(MatchState::Draw), "Susan #12: 무승부 (alice - bob)");
}

#[test]
fn times_and_counts() {
    let word = |name: &str, context: serde_json::Value| templates().word("ko", name, context).unwrap();
    let deadline = 1_796_802_000; // 2026-12-09 07:40 UTC
    assert_eq!(
        word(
            "refused.not-run-out",
            serde_json::json!({ "deadline": deadline, "who": "bob" })
        ),
        "bob님의 시간은 2026년 12월 9일 (수) 07:40 UTC까지 남아 있습니다."
    );
    assert_eq!(
        word(
            "events.extended",
            serde_json::json!({ "by": "alice", "who": "bob", "span": 3 * 86_400 + 4 * 3600 })
        ),
        "alice님이 bob님에게 3일 4시간을 더 주었습니다."
    );
    assert_eq!(
        word(
            "events.taken-back",
            serde_json::json!({ "by": null, "turns": ["d4", "e5", "c3"] })
        ),
        "관리자가 3수(d4, e5, c3)를 물렀습니다."
    );
}

/// Whole mails of each game, read by eye.
#[test]
fn mails_of_every_game() {
    let reader = reader_of("ko");
    let cases: [(&str, &[&str], Seat); 5] = [
        (
            "susan",
            &["e5", "d4", "c4", "b5", "e4", "d3", "f5", "c3", "c4-c5", "g5"],
            FIRST,
        ),
        ("medusa", &["i9", "h9", "pass"], SECOND),
        ("lotus", &["i4", "j2", "pass", "pass"], FIRST),
        ("rosette", &["g14", "h14", "pass", "pass"], FIRST),
        ("medusa-shogi", &["f4-f5", "f8-f7"], SECOND),
    ];
    let mut mails = Vec::new();
    for (name, turns, seat) in cases {
        let mut game = begin(name, &["alice", "bob"]);
        let done = play(&mut game, turns);
        let headline = told_to(&reader, &done, &game);
        let news = News {
            headline,
            watches: Some(true),
            messages: vec![Message {
                from: "bob".into(),
                text: "좋은 수네요!\n기권\n안녕하세요. ".to_string() + &"잘 부탁드립니다. ".repeat(8),
            }],
        };
        mails.push(match_text_to(&reader, &game, Some(seat), game.last_at(), news));
    }
    insta::assert_snapshot!("korean", mails.join("\n=====\n\n"));
}
