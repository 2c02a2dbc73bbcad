//! Conditional turns.

use super::*;

fn texts(game: &Match) -> Vec<&str> {
    game.turns().iter().map(|turn| turn.text.as_str()).collect()
}

#[test]
fn an_answer_is_played_at_once_and_chains_go_on() {
    let mut story = Story::new(susan(&[]));
    story.play(0, "e5");
    story.condition(100, X, &[("D4", "a1"), ("i9", "b1")]).unwrap();
    assert_eq!(story.game.conditions(X)[0][0], ("d4".to_string(), "a1".to_string()));
    let told = story.turn(200, O, "d4").unwrap();
    assert!(matches!(&told[1], Happening::Turn { seat: X, by_condition: true, text, .. } if text == "a1"));
    assert_eq!(story.game.conditions(X), [vec![("i9".to_string(), "b1".to_string())]]);
    story.turn(300, O, "i9").unwrap();
    assert_eq!(texts(&story.game), ["e5", "d4", "a1", "i9", "b1"]);
    assert_eq!(story.game.conditions(X), [] as [Chain; 0]);
}

#[test]
fn several_lines_stand_until_the_game_goes_another_way() {
    let mut story = Story::new(susan(&[]));
    story.play(0, "e5");
    story.condition(1, X, &[("d4", "a1"), ("i9", "b1")]).unwrap();
    story.condition(1, X, &[("d4", "a1"), ("h9", "c1")]).unwrap();
    story.condition(1, X, &[("d5", "a2")]).unwrap();
    story.turn(2, O, "d4").unwrap();
    assert_eq!(story.game.conditions(X).len(), 2);
    let told = story.turn(3, O, "g9").unwrap();
    assert_eq!(told[1], Happening::ConditionsForgotten { seat: X, count: 2 });
    assert_eq!(story.game.to_move(), Some(X));
}

#[test]
fn another_answer_to_the_same_turn_takes_the_place_of_the_first() {
    let mut story = Story::new(susan(&[]));
    story.play(0, "e5");
    story.condition(1, X, &[("d4", "a1"), ("i9", "b1")]).unwrap();
    let told = story.condition(1, X, &[("d4", "a2")]).unwrap();
    assert!(matches!(told[..], [Happening::ConditionSet { replaced: 1, .. }]));
    story.turn(2, O, "d4").unwrap();
    assert_eq!(texts(&story.game), ["e5", "d4", "a2"]);
}

#[test]
fn a_chain_is_checked_when_it_is_entered() {
    let mut story = Story::new(susan(&[]));
    assert_eq!(story.condition(0, X, &[("d4", "a1")]), Err(Refused::YourTurn));
    story.play(0, "e5");
    let fault = |result| match result {
        Err(Refused::Condition { pair, fault }) => (pair, fault),
        other => panic!("{other:?}"),
    };
    assert!(matches!(
        fault(story.condition(1, X, &[("e5", "a1")])),
        (0, ConditionFault::Their(_))
    ));
    assert!(matches!(
        fault(story.condition(1, X, &[("d4", "a1"), ("i9", "d4")])),
        (1, ConditionFault::Yours(_))
    ));
    assert_eq!(
        fault(story.condition(1, X, &[("resign", "a1")])),
        (0, ConditionFault::Resigns)
    );
    assert_eq!(
        fault(story.condition(1, X, &[("d4", "X: resign")])),
        (0, ConditionFault::Resigns)
    );
    assert!(matches!(
        fault(story.condition(1, X, &[])),
        (0, ConditionFault::Length { .. })
    ));
    assert_eq!(story.game.conditions(X), [] as [Chain; 0]);
}

#[test]
fn a_turn_that_would_end_the_game_needs_no_answer() {
    let mut with_setup = terms("susan", &[], &[]);
    with_setup.setup = Some("5/6/7/8/3OOX3/2O1OX2/3XX2/6/5 X 0".to_string());
    let mut story = Story::new(begin(with_setup));
    assert_eq!(
        story.condition(0, O, &[("d4", "a1")]),
        Err(Refused::Condition {
            pair: 0,
            fault: ConditionFault::EndsGame
        })
    );
}

#[test]
fn drop_forgets_and_an_undo_does_too() {
    let mut story = Story::new(susan(&[]));
    story.play(0, "e5");
    assert_eq!(story.by(1, X, Action::Drop), Err(Refused::NoConditions));
    story.condition(1, X, &[("d4", "a1")]).unwrap();
    let told = story.by(2, X, Action::Drop).unwrap();
    assert_eq!(told, [Happening::ConditionsDropped { seat: X, count: 1 }]);
    story.condition(3, X, &[("d4", "a1")]).unwrap();
    story.by(4, X, Action::AskUndo).unwrap();
    let told = story.by(5, O, Action::Accept).unwrap();
    assert!(told.contains(&Happening::ConditionsForgotten { seat: X, count: 1 }));
}

#[test]
fn conditions_of_both_that_answer_each_other_come_to_an_end() {
    let mut story = Story::new(susan(&[]));
    story.play(0, "a1 i9");
    // O prepares a walk to and fro, and X prepares the steps that it answers.
    story
        .condition(300, O, &[("a1-a2", "i9-i8"), ("a2-a1", "i8-i9"), ("c4", "d4")])
        .unwrap();
    story.turn(400, X, "a1-a2").unwrap();
    assert_eq!(story.game.turn(), 4);
    story.turn(500, X, "a2-a1").unwrap();
    assert_eq!(texts(&story.game), ["a1", "i9", "a1-a2", "i9-i8", "a2-a1", "i8-i9"]);
    assert_eq!(story.game.conditions(O).len(), 1);

    let mut story = Story::new(begin(terms("susan", &[("seats", "3")], &[])));
    story.play(0, "a1");
    story.condition(100, Y, &[("i9", "e5")]).unwrap();
    assert_eq!(
        story.condition(100, X, &[("i9", "a1-a2")]),
        Err(Refused::Condition {
            pair: 0,
            fault: ConditionFault::NotYourTurn
        })
    );
    story.turn(200, O, "i9").unwrap();
    assert_eq!(texts(&story.game), ["a1", "i9", "e5"]);
}

#[test]
fn two_players_chains_feed_each_other() {
    let mut story = Story::new(susan(&[]));
    story.play(0, "e5");
    // X writes while O thinks; then O plays and writes while X's next answer is not yet due.
    story.condition(10, X, &[("d4", "a1"), ("i9", "a1-a2")]).unwrap();
    story.turn(20, O, "d4").unwrap();
    assert_eq!(story.condition(30, O, &[("a1-a2", "i9-i8")]), Err(Refused::YourTurn));
    story.turn(40, O, "i9").unwrap();
    assert_eq!(texts(&story.game), ["e5", "d4", "a1", "i9", "a1-a2"]);
}

#[test]
fn an_automatic_answer_leaves_a_draw_offer_standing() {
    let mut story = Story::new(susan(&[]));
    story.play(0, "e5");
    story.condition(1, X, &[("d4", "a1")]).unwrap();
    story.by(2, O, Action::OfferDraw).unwrap();
    story.turn(3, O, "d4").unwrap();
    assert_eq!(story.game.turn(), 3);
    assert_eq!(story.game.offer(), Some((O, Offer::Draw)));
}

#[test]
fn only_so_many_lines() {
    let mut story = Story::new(susan(&[]));
    story.play(0, "e5");
    let cells: Vec<String> = story.game.table().legal().unwrap();
    for cell in cells.iter().take(50) {
        let answer = if cell == "a1" { "b1" } else { "a1" };
        story.condition(1, X, &[(cell, answer)]).unwrap();
    }
    assert_eq!(
        story.condition(1, X, &[(&cells[50], "a1")]),
        Err(Refused::TooManyConditions { max: 50 })
    );
}
