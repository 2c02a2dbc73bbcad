//! Each command as a person would write it.

use crate::harness::{DAY, HOUR, Letter, Post, address};

fn begun() -> (Post, u32) {
    let mut post = Post::trusting();
    post.people(&["alice", "bob"]);
    let number = post.begin("alice", "bob", "susan");
    (post, number)
}

#[test]
fn a_preview_plays_nothing() {
    let (mut post, number) = begun();
    let came = post.reply("alice", "preview d4 d5 c4");
    came.only_to(&["alice"]);
    came.to("alice").says("nothing is played");
    assert_eq!(post.show(number)["turn"], 0);
    let came = post.reply("alice", "preview d4 d4");
    came.to("alice").says("taken");
    assert_eq!(post.show(number)["turn"], 0);
}

#[test]
fn conditional_turns_are_played_at_once_and_chain() {
    let (mut post, number) = begun();
    post.play(number, ["alice", "bob"], &["d4"]);
    let came = post.reply("alice", "if e5 then e6 if f5 then f6");
    came.only_to(&["alice"]);
    came.to("alice").says("| if e5 then e6 if f5 then f6");
    let came = post.write("bob", "#1 show");
    assert!(!came.to("bob").text().contains("if e5 then e6"));
    let came = post.write("bob", "#1 e5");
    came.only_to(&["alice", "bob"]);
    assert_eq!(post.show(number)["turns"], serde_json::json!(["d4", "e5", "e6"]));
    post.write("bob", "#1 f5");
    assert_eq!(post.show(number)["turn"], 5);
    post.write("alice", "#1 if a1 then a2");
    post.write("alice", "#1 drop").to("alice").says("dropped");
    post.write("bob", "#1 a1");
    assert_eq!(post.show(number)["turn"], 6);
    post.write("alice", "#1 if b1 then d4")
        .to("alice")
        .says("It is your turn");
    post.write("alice", "#1 i9");
    post.write("alice", "#1 if b1 then d4").to("alice").says("In pair 1");
}

#[test]
fn undo_and_draw_are_asked_and_answered_once() {
    let (mut post, number) = begun();
    post.play(number, ["alice", "bob"], &["d4"]);
    post.write("alice", "#1 undo").only_to(&["alice", "bob"]);
    post.reply("bob", "accept").only_to(&["alice", "bob"]);
    assert_eq!(post.show(number)["turn"], 0);
    post.write("bob", "#1 accept").to("bob").says("no offer");
    post.write("alice", "#1 draw").to("bob").says("offers a draw");
    post.reply("bob", "reject").to("alice").says("does not agree");
    post.write("alice", "#1 draw");
    post.write("alice", "#1 d4");
    post.write("bob", "#1 d5").to("alice").says("lapsed");
    post.write("bob", "#1 draw");
    post.write("alice", "#1 accept").only_to(&["alice", "bob"]);
    let shown = post.show(number);
    assert_eq!((&shown["result"], &shown["reason"]), (&"draw".into(), &"agreed".into()));
    assert_eq!(post.last("bob").subject(), "Susan #1: draw (alice - bob)");
}

#[test]
fn notes_are_their_writers_alone() {
    let (mut post, number) = begun();
    post.reply("alice", "note he likes corners").only_to(&["alice"]);
    post.write("alice", "#1 show").to("alice").says("he likes corners");
    post.write("alice", "#1 history").to("alice").says("he likes corners");
    post.write("bob", "#1 show").to("bob").never_says("corners");
    post.write("bob", "#1 history").to("bob").never_says("corners");
    post.play(number, ["alice", "bob"], &["d4"]);
    assert!(!post.show(number).to_string().contains("corners"));
}

#[test]
fn talk_alone_is_passed_on() {
    let (mut post, _) = begun();
    let came = post.reply("alice", "say Good luck with the exam!");
    came.only_to(&["alice", "bob"]);
    came.to("bob").says("alice says:").says("| Good luck with the exam!");
}

#[test]
fn an_earlier_board_and_what_is_legal() {
    let (mut post, number) = begun();
    post.play(number, ["alice", "bob"], &["d4", "d5"]);
    post.write("bob", "#1 show #1")
        .to("bob")
        .says("Susan #1 after turn 1 (d4)");
    post.write("bob", "susan show 1#1").to("bob").says("after turn 1");
    post.write("bob", "#1 show #9").to("bob").says("There is no turn 9");
    post.write("alice", "#1 legal").to("alice").says("e5");
    post.write("alice", "#1 history").to("alice").says("1. X d4");
}

#[test]
fn watchers_get_each_turn_of_a_public_match_only() {
    let (mut post, number) = begun();
    post.people(&["carol"]);
    post.write("carol", "#1 watch").only_to(&["carol"]);
    let came = post.write("alice", "#1 d4\n\nHi");
    came.only_to(&["alice", "bob", "carol"]);
    post.write("carol", "#1 unwatch");
    post.write("bob", "#1 d5").only_to(&["alice", "bob"]);
    let private = post.begin("alice", "bob", "susan --private");
    assert_ne!(private, number);
    post.write("carol", &format!("#{private} watch"))
        .to("carol")
        .says("There is no match");
    post.write("carol", &format!("#{private} show"))
        .to("carol")
        .says("There is no match");
    post.write("alice", "#1 watch").to("alice").says("You play in match");
}

#[test]
fn open_challenges_repeat_as_often_as_they_say() {
    let mut post = Post::trusting();
    post.people(&["alice", "bob", "carol", "dave"]);
    post.write("alice", "open susan --repeat=2 --unrated")
        .only_to(&["alice"]);
    post.write("bob", "challenges")
        .to("bob")
        .says("Challenges open to all")
        .says("alice");
    post.write("bob", "accept 1").only_to(&["alice", "bob"]);
    post.write("carol", "accept 1").only_to(&["alice", "carol"]);
    post.write("dave", "accept 1").only_to(&["dave"]);
    assert!(post.has_match(2) && !post.has_match(3));
    assert_eq!(post.show(1)["rated"], false);
}

#[test]
fn a_friend_is_invited_signs_up_and_accepts_in_one_mail() {
    let mut post = Post::careful();
    let letter = Letter::from("alice").text("signup alice").before(
        "Authentication-Results",
        "mx.example.org; dmarc=pass header.from=alice.example",
    );
    post.mail(letter);
    let came = post.reply("alice", "challenge friend@friend.example susan");
    came.only_to(&["alice", "friend"]);
    let invitation = came.to("friend").clone();
    let came = post.reply_to("friend", &invitation, "signup frida\naccept");
    came.only_to(&["alice", "friend"]);
    assert_eq!(post.show(1)["status"], "running");
}

#[test]
fn invitations_have_their_limits_and_stop_ends_them() {
    let mut post = Post::trusting();
    post.people(&["alice", "bob"]);
    for friend in ["one", "two"] {
        post.same
            .extend(["alice", "bob"].map(|player| (address(player), address(friend))));
    }
    for friend in ["one", "two", "three"] {
        let line = format!("challenge {} susan", address(friend));
        post.write("alice", &line).only_to(&["alice", friend]);
    }
    let came = post.write("alice", &format!("challenge {} susan", address("four")));
    came.only_to(&["alice"]);
    came.to("alice").says("You have 3 invitations open");
    let came = post.write("bob", &format!("challenge {} susan", address("one")));
    came.only_to(&["bob"]);
    post.reply("one", "stop").only_to(&["one"]);
    post.later(31 * DAY);
    post.write("alice", &format!("challenge {} susan", address("one")))
        .only_to(&["alice"]);
    post.write("bob", &format!("challenge {} susan", address("two")))
        .only_to(&["bob", "two"]);
}

#[test]
fn a_rematch_turns_the_seats() {
    let (mut post, _) = begun();
    post.write("alice", "#1 rematch").to("alice").says("not over");
    post.reply("bob", "resign").only_to(&["alice", "bob"]);
    let came = post.reply("alice", "rematch");
    came.only_to(&["alice", "bob"]);
    post.reply("bob", "accept");
    assert_eq!(post.show(2)["seats"]["X"], "bob");
    assert_eq!(post.show(2)["seats"]["O"], "alice");
}

#[test]
fn who_is_blocked_does_not_reach() {
    let (mut post, _) = begun();
    post.people(&["carol"]);
    post.write("bob", "block alice");
    post.write("alice", "challenge bob susan").only_to(&["alice"]);
    let came = post.write("alice", "#1 d4\n\nHello?");
    came.to("bob").never_says("Hello?");
    post.write("bob", "unblock alice");
    post.write("alice", "challenge bob susan").only_to(&["alice", "bob"]);
}

#[test]
fn settings_are_kept_and_wrong_ones_refused() {
    let mut post = Post::trusting();
    post.people(&["alice", "bob"]);
    for line in [
        "set timezone Europe/Berlin",
        "set board list",
        "set reminders 50% 1d",
        "set limit susan 1",
        "set autoaccept on",
    ] {
        post.write("alice", line).to("alice").says("Set:");
    }
    post.write("alice", "set").to("alice").says("Europe/Berlin");
    for line in ["set timezone Europe/Atlantis", "set colour red", "set board purple"] {
        post.write("alice", line).to("alice").says("Not understood");
    }
    let came = post.write("bob", "challenge alice susan");
    came.only_to(&["alice", "bob"]);
    assert_eq!(post.show(1)["status"], "running");
    post.write("bob", "challenge alice susan")
        .to("bob")
        .says("no more than 1 match");
}

#[test]
fn what_there_is_to_look_at() {
    let (mut post, number) = begun();
    post.people(&["carol"]);
    post.play(number, ["alice", "bob"], &["d4", "d5", "a1", "a2"]);
    post.write("alice", "status")
        .to("alice")
        .says("#1 Susan (alice - bob): your turn");
    post.write("carol", "games alice")
        .to("carol")
        .says("#1 Susan (alice - bob)");
    post.write("carol", "susan games").to("carol").says("#1 Susan");
    post.write("alice", "#1 resend").only_to(&["alice"]);
    post.write("alice", "#1 resign");
    post.later(HOUR);
    post.write("carol", "archive susan alice")
        .to("carol")
        .says("bob won after");
    post.write("carol", "archive since 2027-01-01")
        .to("carol")
        .says("No finished match");
    post.write("carol", "archive since 2026-13-01")
        .to("carol")
        .says("no date");
    post.write("carol", "ratings susan").to("carol").says("1. bob");
    post.write("carol", "standings susan").to("carol").says("bob 1 won");
    post.write("carol", "stats alice bob");
    post.write("carol", "who bob").to("carol").says("bob");
    post.write("carol", "whoami").to("carol").says(&address("carol"));
    post.write("carol", "status all");
    post.write("carol", "commands");
    post.write("carol", "tutorial");
    post.write("carol", "who nobody").to("carol").says("no player called");
}

#[test]
fn mydata_is_an_attachment_without_others_addresses() {
    let (mut post, _) = begun();
    let came = post.write("alice", "mydata");
    let attached = came.to("alice").attachments();
    assert_eq!(attached.len(), 1);
    assert!(attached[0].1.contains(&address("alice")), "{}", attached[0].1);
}

#[test]
fn every_command_and_every_game_has_its_help() {
    let mut post = Post::trusting();
    post.people(&["alice"]);
    for (index, entry) in playpost::language::COMMANDS.iter().enumerate() {
        if index % 20 == 0 {
            post.later(HOUR);
        }
        let came = post.write("alice", &format!("help {}", entry.word));
        came.to("alice").says("For example:").says(entry.examples[0]);
    }
    post.later(HOUR);
    for game in ["susan", "medusa", "lotus", "rosette", "medusa-shogi", "shogi"] {
        let came = post.write("alice", &format!("rules {game}"));
        assert!(came.to("alice").text().len() > 2000, "{game}");
    }
    post.write("alice", "help").to("alice").says("d4");
}

#[test]
fn all_five_games_are_played_by_mail() {
    for (game, turn) in [
        ("susan", "d4"),
        ("medusa", "i9"),
        ("lotus", "g2"),
        ("rosette", "c5"),
        ("shogi", "f4-f5"),
    ] {
        let mut post = Post::trusting();
        post.people(&["alice", "bob"]);
        let number = post.begin("alice", "bob", game);
        post.play(number, ["alice", "bob"], &[turn]);
        post.write("alice", &format!("#{number} legal"));
    }
}

#[test]
fn three_play_susan_when_all_have_accepted() {
    let mut post = Post::trusting();
    post.people(&["alice", "bob", "carol"]);
    let came = post.write("alice", "susan challenge alice bob carol --first=me");
    came.only_to(&["alice", "bob", "carol"]);
    post.reply("bob", "accept").only_to(&["alice", "bob"]);
    assert!(!post.has_match(1));
    post.reply("carol", "accept").only_to(&["alice", "bob", "carol"]);
    assert_eq!(post.show(1)["seats"].as_object().unwrap().len(), 3);
    let mover = post.show(1)["to_move"].as_str().unwrap().to_string();
    let userid = post.show(1)["seats"][&mover].as_str().unwrap().to_string();
    let came = post.write(&userid, "#1 d4");
    came.only_to(&["alice", "bob", "carol"]);
}

#[test]
fn the_older_spelling_works_with_userid_and_password() {
    let (mut post, number) = begun();
    post.secrets.push("Sesame7x".to_string());
    post.write("alice", "password Sesame7x");
    for line in [
        "susan say 1 alice Sesame7x Hello",
        "susan draw 1 alice Sesame7x",
        "susan show 1",
    ] {
        post.mail(Letter::from("cafe").text(line));
    }
    post.mail(Letter::from("cafe").text("susan resign 1 alice Sesame7x"))
        .only_to(&["alice", "bob"]);
    assert_eq!(post.show(number)["result"], "O");
}

#[test]
fn names_that_would_be_read_as_something_else_are_refused() {
    let mut post = Post::trusting();
    for name in ["move", "susan", "d4", "al", "1abc", "shogi"] {
        let came = post.write("alice", &format!("signup {name}"));
        came.only_to(&["alice"]);
        assert!(!came.to("alice").text().contains("Welcome"), "{name}");
        post.later(HOUR);
    }
    post.write("alice", "signup alice").to("alice").says("Welcome");
    post.write("bob", "signup Alice");
    assert_eq!(post.last("bob").return_path, "");
}

#[test]
fn a_withdrawn_invitation_counts_until_its_mail_is_thirty_days_old() {
    let mut post = Post::trusting();
    post.people(&["alice"]);
    for (index, friend) in ["one", "two", "three"].iter().enumerate() {
        post.same.push((address("alice"), address(friend)));
        post.write("alice", &format!("challenge {} susan", address(friend)))
            .only_to(&["alice", friend]);
        post.write("alice", &format!("withdraw {}", index + 1));
    }
    let four = format!("challenge {} susan", address("four"));
    post.same.push((address("alice"), address("four")));
    post.write("alice", &four)
        .only_to(&["alice"])
        .to("alice")
        .says("3 invitations");
    post.later(29 * DAY);
    post.write("alice", &four).only_to(&["alice"]);
    post.later(2 * DAY);
    post.write("alice", &four).only_to(&["alice", "four"]);
}

#[test]
fn the_welcome_does_not_announce_what_the_same_mail_has_answered() {
    let mut post = Post::trusting();
    post.people(&["alice"]);
    let invite = |post: &mut Post, friend: &str| {
        post.same.push((address("alice"), address(friend)));
        let came = post.write("alice", &format!("challenge {} susan", address(friend)));
        came.to(friend).clone()
    };
    let invitation = invite(&mut post, "frida");
    let came = post.reply_to("frida", &invitation, "signup frida\naccept");
    let welcome = came.to("frida");
    welcome.says("Welcome, frida").says("The match begins");
    assert!(!welcome.text().contains("is waiting for you"), "{}", welcome.text());
    let invitation = invite(&mut post, "gina");
    let came = post.reply_to("gina", &invitation, "signup gina");
    came.to("gina").says("A challenge is waiting for you");
}

#[test]
fn a_setting_is_told_as_it_is_kept() {
    let mut post = Post::trusting();
    post.people(&["alice"]);
    for (line, told) in [
        ("set timezone europe/berlin", "timezone is Europe/Berlin."),
        ("set timezone AMERICA/new_york", "timezone is America/New_York."),
        ("set mail DIGEST", "mail is digest."),
        ("set reminders 50%, 24h", "reminders is 50% 1d."),
        ("set reminders none", "reminders is off."),
        ("set autoaccept yes", "autoaccept is on."),
        ("set limit shogi 5", "limit is medusa-shogi 5."),
        ("set limit shogi none", "limit is medusa-shogi off."),
    ] {
        post.write("alice", line).to("alice").says(told);
    }
    post.write("alice", "whoami")
        .to("alice")
        .says("timezone: America/New_York");
}

#[test]
fn nobody_claims_where_there_is_no_clock() {
    let mut post = Post::trusting();
    post.people(&["alice", "bob"]);
    post.begin("alice", "bob", "susan --time=none --unrated");
    post.write("bob", "#1 claim").to("bob").says("This match has no clock.");
}

#[test]
fn an_unread_line_that_names_a_match_gets_its_board() {
    let (mut post, number) = begun();
    post.people(&["carol"]);
    let private = post.begin("alice", "bob", "susan --private");
    for line in ["#1 whatever", "susan 1 what do you think?", "#1: d44"] {
        let came = post.write("alice", line);
        came.only_to(&["alice"]);
        let mail = came.to("alice");
        mail.says("othing was done").says("It is your turn.");
        assert!(mail.header("Playpost-Match").starts_with("1;"), "{}", mail.text());
    }
    assert_eq!(post.show(number)["turn"], 0);
    // No board for who may not see it, or of a match that is none.
    for line in [format!("#{private} whatever"), "#77 whatever".to_string()] {
        let came = post.write("carol", &line);
        assert_eq!(came.to("carol").header("Playpost-Match"), "");
    }
}

#[test]
fn after_the_end_the_players_may_still_talk() {
    let (mut post, number) = begun();
    post.play(number, ["alice", "bob"], &["d4", "d5", "a1", "a2"]);
    post.reply("alice", "resign");
    let came = post.reply("bob", "say Thank you for the game!");
    came.only_to(&["alice", "bob"]);
    came.to("alice").says("| Thank you for the game!");
    let came = post.write("alice", "#1 rematch\n\nOnce more?");
    came.to("bob").says("| Once more?");
    assert_eq!(post.show(number)["result"], "O");
    post.write("alice", "#1 note too late")
        .to("alice")
        .says("The match is over");
    post.people(&["carol"]);
    post.write("carol", "ratings susan")
        .to("carol")
        .says("1. bob")
        .says("1 played");
}
