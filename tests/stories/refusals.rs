//! What cannot be done is refused with what is wrong and what would be right.

use crate::harness::{DAY, HOUR, Letter, Post, address};

fn begun() -> (Post, u32) {
    let mut post = Post::trusting();
    post.people(&["alice", "bob"]);
    let number = post.begin("alice", "bob", "susan");
    (post, number)
}

#[test]
fn an_offer_is_answered_once() {
    let (mut post, number) = begun();
    post.play(number, ["alice", "bob"], &["d4", "d5", "a1"]);
    post.write("alice", "#1 undo");
    let came = post.write("bob", "#1 accept\n#1 reject");
    came.only_to(&["alice", "bob"]);
    came.to("bob")
        .says("Not allowed: \"#1 reject\". There is no offer to answer.");
    assert_eq!(post.show(number)["turn"], 2);
    for line in ["#1 accept", "#1 reject"] {
        post.write("bob", line).to("bob").says("There is no offer to answer.");
    }
    post.write("alice", "#1 pause");
    post.write("alice", "#1 accept")
        .to("alice")
        .says("You made that offer yourself; the others answer it.");
    post.write("bob", "#1 reject");
    post.write("bob", "#1 accept")
        .to("bob")
        .says("There is no offer to answer.");
    assert_eq!(post.show(number)["status"], "running");
}

#[test]
fn what_became_of_a_challenge_is_told_to_who_accepts_it_too_late() {
    let mut post = Post::trusting();
    post.people(&["alice", "bob", "carol"]);
    post.write("alice", "challenge bob susan");
    post.write("alice", "withdraw 1").only_to(&["alice", "bob"]);
    for line in ["accept 1", "decline 1", "reject"] {
        let came = post.write("bob", line);
        came.only_to(&["bob"]);
        assert!(came.to("bob").text().contains("Not allowed"), "{line}");
    }
    post.write("bob", "accept 1")
        .to("bob")
        .says("Challenge 1 waits no more: it was withdrawn.");
    post.write("alice", "challenge bob susan");
    post.write("bob", "decline 2");
    post.write("bob", "accept 2").to("bob").says("it was declined");
    post.write("alice", "open susan");
    post.write("bob", "accept 3");
    post.write("carol", "accept 3").to("carol").says("it has been accepted");
    post.write("alice", "challenge bob susan");
    post.later(15 * DAY);
    post.write("bob", "accept 4").to("bob").says("it has expired");
    post.write("carol", "accept 4")
        .to("carol")
        .says("There is no challenge 4 for you.");
    assert!(!post.has_match(2));
}

#[test]
fn a_challenge_is_declined_by_reject_as_well() {
    let mut post = Post::trusting();
    post.people(&["alice", "bob"]);
    let came = post.write("alice", "challenge bob susan");
    post.reply_to("bob", &came.to("bob").clone(), "reject")
        .only_to(&["alice", "bob"]);
    post.write("bob", "accept 1").to("bob").says("it was declined");
}

#[test]
fn an_undo_is_not_undone() {
    let (mut post, number) = begun();
    post.play(number, ["alice", "bob"], &["d4", "d5", "a1"]);
    post.write("alice", "#1 undo");
    post.write("bob", "#1 accept");
    for person in ["alice", "bob"] {
        post.write(person, "#1 undo")
            .to(person)
            .says("A turn has just been taken back; play on first.");
    }
    post.write("alice", "#1 a1");
    post.write("alice", "#1 undo").only_to(&["alice", "bob"]);
}

#[test]
fn a_conditional_turn_that_goes_round_in_a_circle_ends() {
    let (mut post, number) = begun();
    post.play(number, ["alice", "bob"], &["a1", "i9"]);
    let there = "if a1-a2 then i9-i8 ";
    let and_back = "if a2-a1 then i8-i9 ";
    // Six slides in a row are a draw: after the third pair there is nothing to answer.
    let circle = format!("#1 {}", [there, and_back, there, and_back].concat());
    post.write("bob", circle.trim())
        .to("bob")
        .says("In pair 4 alice cannot play that turn");
    let long = format!("#1 {}", "if a1-a2 then i9-i8 ".repeat(21));
    post.write("bob", long.trim()).to("bob").says("at most 20");
    let three = format!("#1 {}", [there, and_back, there].concat());
    post.write("bob", three.trim()).to("bob").says("Conditional turn kept");
    for turn in ["a1-a2", "a2-a1", "a1-a2"] {
        post.write("alice", &format!("#1 {turn}"));
    }
    let shown = post.show(number);
    assert_eq!(
        (&shown["result"], &shown["reason"]),
        (&"draw".into(), &"six slides".into())
    );
    assert_eq!(shown["turn"], 8);
}

#[test]
fn a_vacation_needs_days_that_there_are() {
    let (mut post, _) = begun();
    for (line, why) in [
        (
            "vacation 2026-02-30 to 2026-03-01",
            "\"2026-02-30\" is no date. Write dates like 2026-12-20.",
        ),
        ("vacation 2027-02-27 to 2027-02-29", "\"2027-02-29\" is no date."),
        ("vacation 2026-13-01 to 2027-01-01", "\"2026-13-01\" is no date."),
        ("vacation 20.12.2026 to 3.1.2027", "\"20.12.2026\" is no date."),
        (
            "vacation 2026-11-28 to 2026-12-02",
            "2026-11-28 is in the past: today is 2026-11-29.",
        ),
        ("vacation 2025-01-01 to 2025-01-05", "2025-01-01 is in the past"),
        ("vacation 2026-12-05 to 2026-12-01", "2026-12-01 is before 2026-12-05."),
        ("vacation 2031-01-01 to 2031-01-02", "2031-01-02 is too far ahead."),
        (
            "vacation 2027-01-01 to 2027-01-31",
            "There are 30 days of vacation in a year.",
        ),
    ] {
        let came = post.write("alice", line);
        came.only_to(&["alice"]);
        came.to("alice").says("Not allowed").says(why);
        post.write("alice", "vacation")
            .to("alice")
            .says("You have no vacation planned.");
        post.later(HOUR);
    }
}

#[test]
fn days_on_which_the_clocks_are_changed_are_days() {
    let (mut post, number) = begun();
    // Midnight of 2027-09-05 does not exist in Santiago.
    post.write("alice", "set timezone america/santiago");
    post.write("alice", "vacation 2027-09-05 to 2027-09-05")
        .to("alice")
        .says("Your vacation: 2027-09-05 to 2027-09-05.");
    // Both clocks stand until then; the day itself has 23 hours.
    post.write("bob", "#1 extend 400d");
    let before = post.show(number)["deadline"].as_str().unwrap().to_string();
    post.write("alice", "vacation off");
    let after = post.show(number)["deadline"].as_str().unwrap().to_string();
    let instant = |text: &str| chrono::DateTime::parse_from_rfc3339(text).unwrap();
    assert_eq!(instant(&before) - instant(&after), chrono::TimeDelta::hours(23));
}

#[test]
fn nobody_floods_the_list_of_open_challenges() {
    let mut post = Post::with(
        "[identity]\ntrust = \"from\"\n[limits]\nanswers_per_hour_player = 100000\nanswers_per_hour_stranger = 1000\n",
    );
    post.people(&["alice", "bob", "carol"]);
    // 10,000 of them, as many as go into a mail at a time.
    let mut refused = 0;
    for _ in 0..500 {
        let came = post.write("alice", "open susan\n".repeat(20).trim());
        let text = came.to("alice").text().split_whitespace().collect::<Vec<_>>().join(" ");
        refused += usize::from(text.contains("You have 50 challenges waiting. Withdraw some first."));
        if refused >= 3 {
            break;
        }
    }
    assert_eq!(refused, 3);
    post.write("carol", "open lotus");
    let came = post.write("bob", "challenges");
    came.only_to(&["bob"]);
    let listed = |text: &str| text.lines().filter(|line| line.starts_with('(')).count();
    let text = came.to("bob").text();
    assert_eq!(listed(&text), 20, "{text}");
    assert!(text.contains("Page 1 of 3; `challenges page 2` shows more"), "{text}");
    let last = post.write("bob", "challenges page 3");
    last.to("bob").says("carol").says("Page 3 of 3.");
    assert_eq!(listed(&last.to("bob").text()), 11);
    post.write("bob", "challenges page 9").to("bob").says("Page 9 of 3.");
    // One's own are listed up to a page, and counted.
    post.write("alice", "challenges").to("alice").says("30 more wait.");
    // Who is blocked offers nothing.
    post.write("bob", "block alice");
    let text = post.write("bob", "challenges").to("bob").text();
    assert!(!text.contains("alice") && text.contains("carol"), "{text}");
}

#[test]
fn a_userid_that_means_something_else_is_refused_with_what_it_is() {
    let mut post = Post::trusting();
    for (name, why) in [
        ("move", "\"move\" is a word of the language here. Choose another name."),
        ("resign", "\"resign\" is a word of the language here."),
        ("everyone", "\"everyone\" is a word of the language here."),
        ("susan", "\"susan\" is the name of a game. Choose another name."),
        ("shogi", "\"shogi\" is the name of a game."),
        ("a10", "\"a10\" is the name of a cell. Choose another name."),
        ("al", "A name has 3 to 20 letters: \"al\" has not."),
        ("abcdefghijklmnopqrstu", "A name has 3 to 20 letters"),
        ("1abc", "A name begins with a letter"),
        ("álice", "A name begins with a letter and has only letters (a to z)"),
    ] {
        let came = post.mail(Letter::from("newcomer").text(&format!("signup {name}")));
        came.only_to(&["newcomer"]);
        came.to("newcomer").says("Not allowed").says(why);
        post.later(HOUR);
    }
    post.write("newcomer", "signup newcomer").to("newcomer").says("Welcome");
    post.write("other", "signup NewComer")
        .to("other")
        .says("The name newcomer is taken. Choose another.");
    assert!(!post.last("other").text().contains(&address("newcomer")));
}
