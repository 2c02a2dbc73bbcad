//! Clocks, reminders, the server's absence, and mails that wait for the day's end.

use crate::harness::{DAY, HOUR, Post};

fn begun(time: &str) -> (Post, u32) {
    let mut post = Post::trusting();
    post.people(&["alice", "bob"]);
    let number = post.begin("alice", "bob", &format!("susan {time}"));
    (post, number)
}

#[test]
fn at_zero_the_match_is_lost_exactly_once() {
    let (mut post, number) = begun("--time=2d");
    post.write("alice", "set reminders off");
    assert!(post.later(2 * DAY - 60).out.is_empty());
    assert_eq!(post.show(number)["status"], "running");
    let came = post.later(60);
    came.only_to(&["alice", "bob"]);
    let shown = post.show(number);
    assert_eq!((&shown["result"], &shown["reason"]), (&"O".into(), &"time".into()));
    assert_eq!(came.to("alice").subject(), "Susan #1: bob won (alice - bob)");
    assert!(post.later(3 * DAY).out.is_empty());
    let came = post.write("alice", "#1 d4");
    came.only_to(&["alice"]);
    came.to("alice").says("over");
}

#[test]
fn a_move_past_the_deadline_is_too_late_though_no_timer_ran() {
    let (mut post, number) = begun("--time=30m");
    post.away(31 * 60);
    let came = post.write("alice", "#1 d4");
    came.only_to(&["alice", "bob"]);
    assert_eq!(post.show(number)["reason"], "time");
}

#[test]
fn a_soft_clock_waits_for_its_claim() {
    let (mut post, number) = begun("--time=1d --soft");
    post.write("bob", "#1 claim").to("bob").says("has time until");
    post.later(DAY + HOUR);
    assert_eq!(post.show(number)["status"], "running");
    let came = post.write("bob", "#1 claim");
    came.only_to(&["alice", "bob"]);
    let shown = post.show(number);
    assert_eq!((&shown["result"], &shown["reason"]), (&"O".into(), &"time".into()));
}

#[test]
fn reminders_come_at_their_marks_and_never_twice() {
    let (mut post, _) = begun("--time=10d");
    let mut reminded = Vec::new();
    for hours in 1..=(10 * 24 - 1) {
        for mail in post.later(HOUR).out {
            assert_eq!(mail.to, "alice@alice.example");
            assert!(!mail.header("List-Unsubscribe").is_empty());
            reminded.push(hours);
        }
    }
    // 50% of 10 days, 20% of 10 days, 1 day.
    assert_eq!(reminded, [5 * 24, 8 * 24, 9 * 24]);
}

#[test]
fn nobody_loses_by_the_servers_absence_whichever_comes_first() {
    for by_mail in [false, true] {
        let (mut post, number) = begun("--time=1d");
        post.write("alice", "set reminders off");
        post.away(40 * HOUR);
        if by_mail {
            post.write("bob", "whoami");
        } else {
            post.tick();
        }
        assert_eq!(post.show(number)["status"], "running");
        post.tick();
        post.tick();
        post.later(DAY - HOUR);
        assert_eq!(post.show(number)["status"], "running");
        post.later(HOUR + 60);
        assert_eq!(post.show(number)["reason"], "time");
    }
}

#[test]
fn the_increment_never_lifts_a_clock_above_its_cap_but_extend_may() {
    let (mut post, number) = begun("--time=2d+1d/2d");
    let begins = post.now();
    post.later(HOUR);
    post.play(number, ["alice", "bob"], &["d4"]);
    post.play(number, ["alice", "bob"], &["d5"]);
    let deadline = chrono::DateTime::from_timestamp(begins + HOUR + 2 * DAY, 0).unwrap();
    assert_eq!(
        post.show(number)["deadline"],
        deadline.to_rfc3339_opts(chrono::SecondsFormat::Secs, true)
    );
    let came = post.write("bob", "#1 extend 3d");
    came.only_to(&["alice", "bob"]);
    let deadline = deadline + chrono::TimeDelta::days(3);
    assert_eq!(
        post.show(number)["deadline"],
        deadline.to_rfc3339_opts(chrono::SecondsFormat::Secs, true)
    );
}

#[test]
fn paused_clocks_stand_still_until_somebody_continues() {
    let (mut post, number) = begun("--time=1d");
    post.reply("alice", "pause").to("bob").says("asks to stop the clocks");
    post.reply("bob", "accept").only_to(&["alice", "bob"]);
    assert_eq!(post.show(number)["status"], "paused");
    post.later(5 * DAY);
    assert_eq!(post.show(number)["status"], "paused");
    post.write("bob", "#1 continue").only_to(&["alice", "bob"]);
    assert_eq!(post.show(number)["status"], "running");
    post.later(DAY + 60);
    assert_eq!(post.show(number)["reason"], "time");
}

#[test]
fn on_vacation_no_clock_runs() {
    let (mut post, number) = begun("--time=2d");
    let came = post.write("alice", "vacation 2026-11-30 to 2026-12-04");
    came.to("alice").says("2026-11-30 to 2026-12-04");
    post.later(5 * DAY);
    assert_eq!(post.show(number)["status"], "running");
    post.write("alice", "vacation 2026-12-33 to 2026-12-34")
        .to("alice")
        .says("no date");
    post.write("alice", "vacation 2026-11-01 to 2026-11-02")
        .to("alice")
        .says("in the past");
    post.write("alice", "vacation 2027-01-05 to 2027-01-01")
        .to("alice")
        .says("is before");
    post.write("alice", "vacation 2027-01-05 to 2027-02-28")
        .to("alice")
        .says("30 days");
    post.write("alice", "vacation off");
    post.later(3 * DAY);
    assert_eq!(post.show(number)["reason"], "time");
}

#[test]
fn a_digest_is_one_mail_a_day() {
    let (mut post, number) = begun("--time=10d");
    let two = post.begin("alice", "bob", "susan");
    post.write("bob", "set mail digest");
    let came = post.write("alice", &format!("#{number} d4\n#{two} d4"));
    came.only_to(&["alice"]);
    let came = post.later(DAY);
    came.only_to(&["bob"]);
    let digest = came.to("bob");
    assert!(!digest.header("List-Unsubscribe").is_empty());
    digest
        .says("#1 Susan (alice - bob): your turn")
        .says("#2 Susan (alice - bob): your turn");
    assert!(post.later(DAY).find("bob").is_none());
}

#[test]
fn reminders_only_means_no_mail_of_turns() {
    let (mut post, number) = begun("--time=10d");
    post.write("bob", "set mail reminders");
    post.write("alice", &format!("#{number} d4")).only_to(&["alice"]);
    let came = post.later(6 * DAY);
    came.only_to(&["bob"]);
}

#[test]
fn the_older_options_of_time_are_read() {
    let (mut post, _) = begun("--forfeittime=3");
    assert_eq!(post.show(1)["time"], "3d");
    post.begin("alice", "bob", "susan --time=none --unrated");
    assert_eq!(post.show(2)["deadline"], serde_json::Value::Null);
    post.write("alice", "challenge bob susan --time=none")
        .to("alice")
        .says("unrated");
}

#[test]
fn in_reminders_mode_the_end_of_a_match_is_told_all_the_same() {
    let (mut post, number) = begun("--time=2d");
    let two = post.begin("alice", "bob", "susan");
    post.write("alice", "set mail reminders");
    post.write("bob", "set mail reminders");
    post.write("alice", "set reminders off");
    let came = post.later(2 * DAY + 60);
    came.only_to(&["alice", "bob"]);
    for person in ["alice", "bob"] {
        assert_eq!(came.to(person).subject(), "Susan #1: bob won (alice - bob)");
    }
    assert_eq!(post.show(number)["reason"], "time");
    post.write("alice", &format!("#{two} resign"))
        .only_to(&["alice", "bob"]);
}

#[test]
fn in_reminders_mode_what_asks_for_an_answer_comes_at_once() {
    let (mut post, number) = begun("--time=10d");
    post.write("bob", "set mail reminders");
    post.write("alice", &format!("#{number} d4")).only_to(&["alice"]);
    for line in ["draw", "undo", "pause"] {
        let came = post.write("alice", &format!("#{number} {line}"));
        came.only_to(&["alice", "bob"]);
        post.write("bob", &format!("#{number} reject"))
            .only_to(&["alice", "bob"]);
    }
    let came = post.write("alice", "challenge bob lotus");
    came.only_to(&["alice", "bob"]);
    post.reply_to("bob", &came.to("bob").clone(), "accept");
    let soft = post.begin("alice", "bob", "susan --time=1d --soft");
    let came = post.later(DAY + HOUR);
    came.to("bob").says("the win may be claimed");
    assert_eq!(post.show(soft)["status"], "running");
}

#[test]
fn a_reminder_that_comes_with_news_is_neither_late_nor_dropped_with_them() {
    let (mut post, long) = begun("--time=10d");
    // In one run of the timers bob hears that a match of his has ended, and that he is to move in another.
    let short = post.begin("alice", "bob", "susan --time=5d");
    post.write("alice", &format!("#{long} d4"));
    for person in ["alice", "bob"] {
        post.write(person, "set mail digest");
    }
    post.write("alice", "set reminders off");
    post.write("bob", "set reminders 50%");
    let came = post.later(5 * DAY);
    let mail = came.out.iter().find(|mail| mail.text().contains("A reminder"));
    let mail = mail.expect("bob is reminded on the day");
    assert_eq!(mail.to, crate::harness::address("bob"));
    mail.says("bob wins");
    assert_eq!(mail.header("List-Unsubscribe"), "", "news are no reminder");
    assert_eq!(post.show(short)["reason"], "time");
}

#[test]
fn a_clock_that_was_far_ahead_once_leaves_the_watch_over_absences_at_work() {
    let (mut post, number) = begun("--time=3d");
    post.away(100 * 365 * DAY);
    post.write("alice", "whoami");
    post.away(-100 * 365 * DAY);
    let second = post.begin("alice", "bob", "susan --time=3d --first=me");
    post.away(60 * DAY);
    post.tick();
    for number in [number, second] {
        assert_eq!(
            post.show(number)["status"],
            "running",
            "nobody loses by the server's absence"
        );
    }
    post.later(4 * DAY);
    assert_eq!(post.show(second)["reason"], "time", "but by his own");
}
