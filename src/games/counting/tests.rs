use super::*;
use crate::games::lotus::Lotus;
use crate::games::medusa::Medusa;
use crate::games::rosette::Rosette;
use crate::games::trial::{after_turns, illegal, play, play_all, refusal, score};
use crate::games::{Kind, Table};

/// Every test of the talk is held in all three games.
fn in_all_three(turns: &str, test: impl Fn(&mut dyn Table)) {
    test(&mut after_turns::<Medusa>("", turns));
    test(&mut after_turns::<Lotus>("", turns));
    test(&mut after_turns::<Rosette>("side=3 komi=3", turns));
}

fn facts(table: &dyn Table) -> (Option<Seat>, Phase) {
    (table.to_move(), table.phase())
}

#[test]
fn the_second_pass_begins_the_counting_and_the_first_passer_speaks() {
    in_all_three("a1 pass", |table| {
        assert!(table.diagram().notes.contains(&Note::PassedOnce {
            seat: WHITE,
            counts: true
        }));
        let effects = play(table, "pass").effects;
        assert_eq!(effects.last(), Some(&Effect::Counting { first: WHITE }));
        assert_eq!(facts(table), (Some(WHITE), Phase::Counting));
        assert_eq!(
            (table.legal(), table.legal_count(), table.position_text()),
            (None, None, None)
        );
        assert!(table.steps().is_empty());
    });
}

#[test]
fn four_turns_make_a_game() {
    in_all_three("pass pass", |table| {
        play_all(table, "dead none; agree");
        assert_eq!(score(table), (Some(WHITE), vec![0.0, 3.0]));
        assert_eq!((table.turn(), table.to_move(), table.legal_count()), (4, None, Some(0)));
        assert_eq!(refusal(table, "agree").kind, Kind::Over);
    });
}

#[test]
fn the_seat_that_did_not_propose_answers() {
    in_all_three("a1 pass pass", |table| {
        assert_eq!(illegal(table, "agree"), Reason::NothingProposed);
        assert_eq!(refusal(table, "B: agree").kind, Kind::OutOfTurn);
        let played = play(table, "B: dead A1, a1");
        assert_eq!(played.text, "B: dead a1");
        let groups = vec![vec!["a1".to_string()]];
        assert_eq!(
            played.effects,
            [Effect::Named {
                seat: BLACK,
                groups: groups.clone()
            }]
        );
        assert!(table.diagram().notes.contains(&Note::Proposal { seat: BLACK, groups }));
        assert_eq!(facts(table).0, Some(WHITE));
        assert_eq!(refusal(table, "B: agree").kind, Kind::OutOfTurn);
        assert_eq!(play(table, "dead none").text, "dead none");
        assert_eq!(facts(table).0, Some(BLACK));
        assert_eq!(play(table, "W: dead a1").text, "W: dead a1");
        assert_eq!(facts(table).0, Some(BLACK));
        let effects = play(table, "agree").effects;
        assert!(matches!(
            effects.as_slice(),
            [Effect::Agreed { seat: BLACK, .. }, Effect::Ended { tally: Some(_), .. }]
        ));
    });
}

#[test]
fn moves_and_passes_wait_while_it_is_talked() {
    in_all_three("pass pass", |table| {
        for turn in ["a1", "pass"] {
            assert_eq!(illegal(table, turn), Reason::InTheCounting);
            assert_eq!(refusal(table, &format!("W: {turn}")).kind, Kind::OutOfTurn);
        }
        assert_eq!(illegal(table, "dead a1"), Reason::NoStone { cell: "a1".into() });
    });
}

#[test]
fn outside_the_counting_there_is_nothing_to_talk_about() {
    in_all_three("a1", |table| {
        for word in ["dead a1", "dead none", "agree", "resume"] {
            assert_eq!(illegal(table, word), Reason::NotInTheCounting);
            assert_eq!(refusal(table, &format!("B: {word}")).kind, Kind::OutOfTurn);
        }
    });
}

#[test]
fn after_resume_two_passes_are_scored_as_the_board_stands() {
    for word in ["resume", "B: resume", "W: resume"] {
        in_all_three("pass pass", |table| {
            play(table, word);
            assert_eq!(facts(table), (Some(BLACK), Phase::Play));
            play(table, "pass");
            assert!(table.diagram().notes.contains(&Note::PassedOnce {
                seat: BLACK,
                counts: false
            }));
            let effects = play(table, "pass").effects;
            assert!(matches!(effects.last(), Some(Effect::Ended { .. })));
        });
    }
}

#[test]
fn either_seat_may_resign_at_any_time() {
    for (turns, word, winner) in [
        ("a1", "resign", BLACK),
        ("a1", "B: resign", WHITE),
        ("pass pass dead,none", "W: resign", BLACK),
        ("pass pass dead,none", "B: resign", WHITE),
    ] {
        in_all_three(turns, |table| {
            let effects = play(table, word).effects;
            assert!(matches!(effects[0], Effect::Resigned { seat } if seat == opponent(winner)));
            let outcome = table.outcome().unwrap();
            assert_eq!(
                (outcome.winner, outcome.reason, &outcome.score),
                (Some(winner), "resigned", &None)
            );
        });
    }
}

#[test]
fn the_marker_has_no_limit_but_that_of_the_number() {
    let setup = "4/3/2/6/6/4/3/8/8/3/4/6/6/2/3/4 B 2147483647 0";
    let mut table = crate::games::trial::table::<Lotus>("", setup);
    play(&mut table, "pass");
    assert_eq!(table.facts().marker, Some(i32::MAX));
    let mut table = crate::games::trial::table::<Lotus>("", &setup.replace("B 2", "B -2"));
    play_all(&mut table, "a1; pass");
    assert_eq!(table.facts().marker, Some(i32::MIN));
    play_all(&mut table, "a2; pass");
    assert_eq!(table.facts().marker, Some(i32::MIN));
}

#[test]
fn the_tally_says_what_the_score_is_made_of() {
    let mut table = after_turns::<Lotus>("nocount", "a1 pass");
    let Effect::Ended { tally: Some(tally), .. } = play(&mut table, "pass").effects.pop().unwrap() else {
        panic!("the game has not ended");
    };
    let parts = |tally: &Tally| (tally.stones, tally.cells, tally.extra);
    assert_eq!(tally.iter().map(parts).collect::<Vec<_>>(), [(1, 71, 0.0), (0, 0, 3.0)]);
}
