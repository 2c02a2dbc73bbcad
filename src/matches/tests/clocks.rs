//! Time: clocks, soft and hard, vacations, pauses, outages, reminders.

use super::*;

const TEN_DAYS: i64 = 10 * DAY;

fn window(from: i64, until: i64) -> Window {
    Window {
        from: START + from,
        until: START + until,
    }
}

fn vacation(story: &mut Story, at: i64, seat: Seat, windows: &[Window]) {
    let windows = windows.to_vec();
    story
        .act(at, Actor::Server, Action::Vacation { seat, windows })
        .unwrap();
}

#[test]
fn after_a_turn_the_clock_gains_the_increment_up_to_its_cap() {
    let mut story = Story::new(susan(&[]));
    story.turn(DAY, X, "e5").unwrap();
    // 9 days and 36 hours would be above the cap.
    assert_eq!(story.left(X, DAY), TEN_DAYS);
    story.turn(4 * DAY, O, "d4").unwrap();
    assert_eq!(story.left(O, 4 * DAY), 7 * DAY + 36 * HOUR);
    assert_eq!(story.left(X, 5 * DAY), 9 * DAY);
    assert_eq!(story.deadline(), Some(14 * DAY));
}

#[test]
fn a_limit_for_each_turn_begins_anew_each_turn() {
    let mut story = Story::new(susan(&[("time", "7d")]));
    story.turn(6 * DAY, X, "e5").unwrap();
    assert_eq!(story.deadline(), Some(13 * DAY));
    story.turn(12 * DAY, O, "d4").unwrap();
    assert_eq!(story.deadline(), Some(19 * DAY));
}

#[test]
fn a_hard_clock_is_lost_at_the_very_second_and_once() {
    let mut story = Story::new(susan(&[]));
    assert_eq!(story.tick(TEN_DAYS - 1), []);
    let done = story.tick(TEN_DAYS + 5 * HOUR);
    assert!(matches!(
        done[..],
        [
            Happening::TimeLost {
                seat: X,
                claimed_by: None,
                ..
            },
            Happening::Finished {
                verdict: Verdict::Winner(O),
                reason: "time",
                ..
            }
        ]
    ));
    assert_eq!(story.game.ended().unwrap().at, START + TEN_DAYS);
    assert_eq!(story.tick(TEN_DAYS + 6 * HOUR), []);
    assert_eq!(story.game.turn(), 0);
}

#[test]
fn a_turn_after_the_time_is_refused_even_without_a_sweep() {
    let mut game = susan(&[]);
    let text = "e5".to_string();
    let turn = Action::Turn { text, number: None };
    let late = game.act(START + TEN_DAYS, Actor::Seat(X), turn.clone());
    assert_eq!(
        late,
        Err(Refused::TimeIsUp {
            seat: X,
            deadline: START + TEN_DAYS
        })
    );
    assert!(game.act(START + TEN_DAYS - 1, Actor::Seat(X), turn).is_ok());
}

#[test]
fn a_soft_clock_may_be_claimed_and_is_told_once() {
    let mut story = Story::new(susan(&[("soft", "")]));
    assert_eq!(
        story.by(DAY, O, Action::Claim),
        Err(Refused::NotRunOut {
            seat: X,
            deadline: Some(START + TEN_DAYS)
        })
    );
    assert_eq!(story.tick(TEN_DAYS), [Happening::RanOut { seat: X }]);
    assert_eq!(story.tick(TEN_DAYS + 1), []);
    assert_eq!(story.game.next_wake(&Mark::DEFAULT), None);
    assert_eq!(story.by(TEN_DAYS + 2, X, Action::Claim), Err(Refused::YourTurn));
    let told = story.by(TEN_DAYS + 2, O, Action::Claim).unwrap();
    assert!(matches!(
        told[0],
        Happening::TimeLost {
            seat: X,
            claimed_by: Some(O),
            ..
        }
    ));
    assert_eq!(story.game.ended().unwrap().verdict, Verdict::Winner(O));
}

#[test]
fn a_soft_clock_that_ran_out_goes_on_with_the_increment_if_nobody_claims() {
    let mut story = Story::new(susan(&[("soft", "")]));
    story.turn(12 * DAY, X, "e5").unwrap();
    assert_eq!(story.left(X, 12 * DAY), 36 * HOUR);
    assert_eq!(
        Story::new(susan(&[])).by(11 * DAY, O, Action::Claim),
        Err(Refused::Over)
    );
    assert_eq!(Story::new(susan(&[])).by(DAY, O, Action::Claim), Err(Refused::NotSoft));
}

#[test]
fn more_time_may_go_above_the_cap() {
    let mut story = Story::new(susan(&[]));
    let extend = |by| Action::Extend { by };
    story.by(DAY, O, extend(Span::days(3))).unwrap();
    assert_eq!(story.deadline(), Some(13 * DAY));
    story.by(DAY, X, extend(Span::days(3))).unwrap();
    assert_eq!(story.left(O, DAY), 13 * DAY);
    // The increment neither lifts it further nor takes anything.
    story.turn(DAY, X, "e5").unwrap();
    assert_eq!(story.left(X, DAY), 12 * DAY);
    assert!(matches!(
        story.by(DAY, X, extend(Span::minutes(0))),
        Err(Refused::BadExtension { .. })
    ));
    assert!(matches!(
        story.by(DAY, X, extend(Span::MAX)),
        Err(Refused::BadExtension { .. })
    ));
    let mut timeless = Story::new(susan(&[("time", "none"), ("unrated", "")]));
    assert_eq!(timeless.by(0, O, extend(Span::days(1))), Err(Refused::NoClock));
    assert_eq!(timeless.by(0, O, Action::AskPause), Err(Refused::NoClock));
    assert_eq!((timeless.deadline(), timeless.tick(900 * DAY)), (None, vec![]));
}

#[test]
fn of_three_more_time_goes_to_who_is_to_move() {
    let mut story = Story::new(begin(terms("susan", &[("seats", "3")], &[])));
    let extend = Action::Extend { by: Span::days(1) };
    assert_eq!(story.by(0, X, extend.clone()), Err(Refused::YourTurn));
    story.by(0, Y, extend).unwrap();
    assert_eq!(story.deadline(), Some(11 * DAY));
}

#[test]
fn a_vacation_stops_only_the_clock_of_who_is_away() {
    let mut story = Story::new(susan(&[]));
    vacation(&mut story, 0, X, &[window(2 * DAY, 7 * DAY)]);
    assert_eq!(story.deadline(), Some(15 * DAY));
    assert_eq!(story.left(X, 5 * DAY), 8 * DAY);
    assert!(story.game.is_away(X, START + 5 * DAY) && !story.game.is_away(O, START + 5 * DAY));
    vacation(&mut story, DAY, O, &[window(2 * DAY, 7 * DAY)]);
    assert_eq!(story.deadline(), Some(15 * DAY));
    // Given up while it lasts: the days that were had stay had.
    vacation(&mut story, 4 * DAY, X, &[]);
    assert_eq!(story.deadline(), Some(12 * DAY));
}

#[test]
fn no_deadline_falls_into_a_vacation() {
    let mut story = Story::new(susan(&[]));
    vacation(&mut story, 0, X, &[window(TEN_DAYS, 12 * DAY)]);
    assert_eq!(story.deadline(), Some(12 * DAY));
}

#[test]
fn a_vacation_never_moves_a_deadline_that_has_passed() {
    let mut story = Story::new(susan(&[("soft", "")]));
    vacation(&mut story, TEN_DAYS, X, &[window(9 * DAY, 20 * DAY)]);
    assert_eq!(story.deadline(), Some(TEN_DAYS));
    assert!(story.by(11 * DAY, O, Action::Claim).is_ok());
}

#[test]
fn a_vacation_from_today_leaves_the_hours_that_have_run() {
    let mut story = Story::new(susan(&[]));
    vacation(&mut story, 12 * HOUR, X, &[window(0, DAY)]);
    assert_eq!(story.deadline(), Some(TEN_DAYS + 12 * HOUR));
}

#[test]
fn weekends_may_be_left_out() {
    // The start is Sunday, 18:00: the clock begins to run at midnight. Ten weekdays later it is Saturday, 0:00, which
    // is no time to lose at; the deadline is the Monday after.
    let mut story = Story::new(susan(&[("weekdays", "")]));
    assert_eq!(story.left(X, 6 * HOUR), TEN_DAYS);
    assert_eq!(story.deadline(), Some(6 * HOUR + 14 * DAY));
    story.turn(30 * HOUR, X, "e5").unwrap();
    assert_eq!(story.left(X, 30 * HOUR), TEN_DAYS);
}

#[test]
fn nobody_loses_while_the_server_is_away() {
    let mut story = Story::new(susan(&[]));
    // Away from day 3 to day 12, noticed before anything else is done.
    let done = story
        .game
        .act(
            START + 12 * DAY,
            Actor::Server,
            Action::Outage {
                window: window(3 * DAY, 12 * DAY),
            },
        )
        .unwrap();
    story.entries.extend(done.entries);
    assert_eq!(story.tick(12 * DAY), []);
    assert_eq!(story.deadline(), Some(19 * DAY));
    assert_eq!(story.left(X, 12 * DAY), 7 * DAY);
}

#[test]
fn a_pause_needs_both_and_either_goes_on() {
    let mut story = Story::new(susan(&[]));
    story.by(DAY, O, Action::AskPause).unwrap();
    assert_eq!(story.by(DAY, O, Action::Continue), Err(Refused::NotPaused));
    story.by(2 * DAY, X, Action::Accept).unwrap();
    assert_eq!((story.game.status(), story.deadline()), (Status::Paused, None));
    assert_eq!(story.by(3 * DAY, X, Action::AskPause), Err(Refused::AlreadyPaused));
    assert_eq!(story.tick(100 * DAY), []);
    // The board may go on while the clocks stand.
    story.turn(100 * DAY, X, "e5").unwrap();
    assert_eq!(story.game.status(), Status::Paused);
    story.by(101 * DAY, X, Action::Continue).unwrap();
    assert_eq!(story.deadline(), Some(111 * DAY));
    assert_eq!(story.left(X, 101 * DAY), 9 * DAY + 12 * HOUR);
    story.act(102 * DAY, Actor::Keeper, Action::Pause).unwrap();
    assert_eq!(story.left(O, 150 * DAY), 9 * DAY);
}

#[test]
fn the_keeper_moves_the_clock_that_runs() {
    let mut story = Story::new(susan(&[]));
    let shift = Action::Shift { by: Span::days(2) };
    assert_eq!(story.by(0, X, shift.clone()), Err(Refused::NotAllowed));
    story.act(0, Actor::Keeper, shift).unwrap();
    assert_eq!(story.deadline(), Some(12 * DAY));
}

#[test]
fn reminders_are_due_at_shares_of_the_turns_time_and_never_twice() {
    let mut story = Story::new(susan(&[("time", "10h")]));
    let due = |story: &Story, at| -> Vec<(Mark, i64)> {
        let due = story.game.reminders_due(START + at, &Mark::DEFAULT);
        due.into_iter().map(|due| (due.mark, due.at - START)).collect()
    };
    assert_eq!(story.game.next_wake(&Mark::DEFAULT), Some(START + 5 * HOUR));
    assert_eq!(due(&story, 5 * HOUR - 1), []);
    // A day left had passed before the turn began.
    assert_eq!(due(&story, 5 * HOUR), [(Mark::Share(50), 5 * HOUR)]);
    let remind = Action::Remind { mark: Mark::Share(50) };
    story.act(5 * HOUR, Actor::Server, remind.clone()).unwrap();
    assert_eq!(due(&story, 6 * HOUR), []);
    assert_eq!(story.act(6 * HOUR, Actor::Server, remind), Err(Refused::NotDue));
    assert_eq!(due(&story, 9 * HOUR), [(Mark::Share(20), 8 * HOUR)]);
    story.turn(9 * HOUR, X, "e5").unwrap();
    assert_eq!(due(&story, 14 * HOUR), [(Mark::Share(50), 14 * HOUR)]);
}

#[test]
fn nagtime_takes_the_place_of_the_first_mark() {
    let story = Story::new(susan(&[("time", "10d"), ("nagtime", "3")]));
    let due = story.game.reminders_due(START + 4 * DAY, &Mark::DEFAULT);
    assert_eq!((due[0].mark, due[0].at), (Mark::After(Span::days(3)), START + 3 * DAY));
    let wakes = story.game.next_wake(&[]);
    assert_eq!(wakes, Some(START + 3 * DAY));
}

#[test]
fn marks_read_and_write() {
    for text in ["50%", "1d", "+3d", "36h"] {
        assert_eq!(text.parse::<Mark>().unwrap().to_string(), text);
    }
    for text in ["", "0%", "100%", "0m", "x", "-5%", "5"] {
        assert_eq!(text.parse::<Mark>(), Err(MarkError(text.to_string())));
    }
}
