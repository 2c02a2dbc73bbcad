//! Draws, taking back, and their answers.

use super::*;

#[test]
fn a_draw_is_agreed_and_its_offer_answered_once() {
    let mut story = Story::new(susan(&[]));
    story.play(0, "e5");
    assert_eq!(story.by(100, X, Action::Accept), Err(Refused::NoOffer));
    story.by(100, X, Action::OfferDraw).unwrap();
    let offer = Offer::Draw;
    assert_eq!(
        story.by(101, X, Action::OfferDraw),
        Err(Refused::AlreadyOffered { offer })
    );
    assert_eq!(story.by(101, X, Action::Accept), Err(Refused::OwnOffer { offer }));
    assert!(story.game.awaits_answer_of(O) && !story.game.awaits_answer_of(X));
    story.by(102, O, Action::Reject).unwrap();
    assert_eq!(story.by(103, O, Action::Accept), Err(Refused::NoOffer));
    story.by(104, X, Action::OfferDraw).unwrap();
    let told = story.by(105, O, Action::Accept).unwrap();
    assert!(matches!(
        told[..],
        [
            Happening::Answered {
                seat: X,
                by: O,
                accepted: true,
                ..
            },
            Happening::Finished {
                verdict: Verdict::Draw,
                reason: "agreed",
                ..
            }
        ]
    ));
}

#[test]
fn a_draw_offer_lapses_when_the_opponent_plays_and_not_when_its_writer_does() {
    let mut story = Story::new(susan(&[]));
    story.by(0, X, Action::OfferDraw).unwrap();
    story.turn(1, X, "e5").unwrap();
    assert_eq!(story.game.offer(), Some((X, Offer::Draw)));
    let told = story.turn(2, O, "d4").unwrap();
    assert!(told.contains(&Happening::Lapsed {
        seat: X,
        offer: Offer::Draw,
        why: Lapse::Played
    }));
    assert_eq!(story.by(3, O, Action::Accept), Err(Refused::NoOffer));
}

#[test]
fn offering_what_the_other_offers_is_accepting_it() {
    let mut story = Story::new(susan(&[]));
    story.by(0, X, Action::OfferDraw).unwrap();
    story.by(1, O, Action::OfferDraw).unwrap();
    assert_eq!(story.game.ended().unwrap().reason, "agreed");
}

#[test]
fn one_offer_at_a_time() {
    let mut story = Story::new(susan(&[]));
    story.by(0, X, Action::OfferDraw).unwrap();
    assert_eq!(
        story.by(1, O, Action::AskPause),
        Err(Refused::OfferPending {
            seat: X,
            offer: Offer::Draw
        })
    );
    let told = story.by(2, X, Action::AskPause).unwrap();
    assert!(matches!(
        told[0],
        Happening::Lapsed {
            offer: Offer::Draw,
            why: Lapse::Replaced,
            ..
        }
    ));
    story.by(3, O, Action::Accept).unwrap();
    assert_eq!(story.game.status(), Status::Paused);
}

#[test]
fn one_takes_back_ones_last_turn_and_what_came_after() {
    let mut story = Story::new(susan(&[]));
    assert_eq!(story.by(0, X, Action::AskUndo), Err(Refused::NothingToUndo));
    story.turn(DAY, X, "e5").unwrap();
    assert_eq!(story.by(DAY, O, Action::AskUndo), Err(Refused::NothingToUndo));
    story.turn(3 * DAY, O, "d4").unwrap();
    story.by(4 * DAY, X, Action::AskUndo).unwrap();
    assert_eq!(story.game.offer(), Some((X, Offer::Undo { turn: 1 })));
    let told = story.by(5 * DAY, O, Action::Accept).unwrap();
    assert!(matches!(&told[1], Happening::TakenBack { turns, by: Some(X) } if turns == &["e5", "d4"]));
    assert_eq!((story.game.turn(), story.game.to_move()), (0, Some(X)));
    // The clocks show what they showed when e5 was played.
    assert_eq!(story.left(X, 5 * DAY), 9 * DAY);
    assert_eq!(story.left(O, 5 * DAY), 10 * DAY);
    assert_eq!(story.deadline(), Some(14 * DAY));
}

#[test]
fn an_undo_is_not_undone() {
    let mut story = Story::new(susan(&[]));
    story.play(0, "e5 d4");
    story.by(200, O, Action::AskUndo).unwrap();
    assert_eq!(
        story.by(201, O, Action::AskUndo),
        Err(Refused::AlreadyOffered {
            offer: Offer::Undo { turn: 2 }
        })
    );
    story.by(202, X, Action::Accept).unwrap();
    assert_eq!(story.by(203, O, Action::AskUndo), Err(Refused::UndoOfUndo));
    assert_eq!(story.by(203, X, Action::AskUndo), Err(Refused::UndoOfUndo));
    story.turn(204, O, "d5").unwrap();
    assert!(story.by(205, O, Action::AskUndo).is_ok());
}

#[test]
fn a_wish_to_undo_lapses_when_anybody_plays() {
    let mut story = Story::new(susan(&[]));
    story.play(0, "e5");
    story.by(100, X, Action::AskUndo).unwrap();
    story.turn(101, O, "d4").unwrap();
    assert_eq!(story.game.offer(), None);
}

#[test]
fn of_three_all_who_are_in_must_agree() {
    let three = || Story::new(begin(terms("susan", &[("seats", "3")], &[])));
    let mut story = three();
    story.by(0, X, Action::OfferDraw).unwrap();
    story.by(1, O, Action::Accept).unwrap();
    assert!(!story.game.is_over());
    let offer = Offer::Draw;
    assert_eq!(story.by(2, O, Action::Accept), Err(Refused::AlreadyAnswered { offer }));
    story.by(3, Y, Action::Accept).unwrap();
    assert_eq!(story.game.ended().unwrap().verdict, Verdict::Draw);

    let mut story = three();
    story.play(0, "e5");
    story.by(99, Y, Action::Resign).unwrap();
    assert_eq!(story.by(100, X, Action::AskUndo), Err(Refused::UndoPastDeparture));
    story.by(100, X, Action::OfferDraw).unwrap();
    story.by(101, O, Action::Accept).unwrap();
    assert_eq!(story.game.ended().unwrap().verdict, Verdict::Shared(vec![X, O]));
}

#[test]
fn an_offer_lapses_when_a_player_goes_out() {
    let mut story = Story::new(begin(terms("susan", &[("seats", "3")], &[])));
    story.by(0, X, Action::AskPause).unwrap();
    story.by(1, O, Action::Accept).unwrap();
    let told = story.by(2, Y, Action::Resign).unwrap();
    assert!(told.iter().any(|told| matches!(
        told,
        Happening::Lapsed {
            why: Lapse::Changed,
            ..
        }
    )));
    assert_eq!(story.game.offer(), None);
}
