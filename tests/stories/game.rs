//! A match of Susan from signing up to the archived record, and how it may go wrong.

use crate::harness::{DAY, Letter, Post, address};

/// Alice wins after six turns by surrounding herself: in a corner the last stone of the ring around is enough.
const SHORT: [&str; 6] = ["a1", "a2", "e5", "b1", "e6", "b2"];

#[test]
fn from_signup_to_the_record() {
    let mut post = Post::trusting();
    let came = post.mail(Letter::from("alice").subject("signup alice"));
    came.only_to(&["alice"]);
    let welcome = came.to("alice");
    assert_eq!(welcome.subject(), "Welcome to Playpost, alice");
    assert!(welcome.is_answer());
    assert!(!welcome.key().is_empty());
    post.write("bob", "signup bob");
    let came = post.write("alice", "challenge bob susan --first=me\n\nFancy a game?");
    came.only_to(&["alice", "bob"]);
    let challenge = came.to("bob");
    assert!(!challenge.is_answer());
    challenge.says("alice challenges you to Susan").says("| Fancy a game?");
    let came = post.reply("bob", "accept\n\nWith pleasure.");
    came.only_to(&["alice", "bob"]);
    let turn = came.to("alice");
    assert_eq!(turn.subject(), "Susan #1: your turn (alice - bob)");
    assert_eq!(turn.header("Playpost-Match"), "1; game=susan; turn=1; to-move=alice");
    turn.says("| With pleasure.");
    assert_eq!(came.to("bob").subject(), "Susan #1: alice to move (alice - bob)");
    for (index, turn) in SHORT.iter().enumerate() {
        let player = ["alice", "bob"][index % 2];
        let other = ["bob", "alice"][index % 2];
        let came = post.reply(player, turn);
        came.only_to(&["alice", "bob"]);
        assert!(came.to(player).is_answer() && !came.to(other).is_answer());
        if index + 1 < SHORT.len() {
            let turn = index + 2;
            assert_eq!(came.to(other).subject(), "Susan #1: your turn (alice - bob)");
            assert_eq!(
                came.to(player).subject(),
                format!("Susan #1: {other} to move (alice - bob)")
            );
            let info = format!("1; game=susan; turn={turn}; to-move={other}");
            assert_eq!(came.to(other).header("Playpost-Match"), info);
            assert_eq!(came.to(player).header("Playpost-Match"), info);
            for mail in &came.out {
                mail.says(&format!("({}) to move", ["X", "O"][(index + 1) % 2]));
            }
        }
    }
    let shown = post.show(1);
    assert_eq!(shown["status"], "finished");
    assert_eq!(shown["result"], "O");
    assert_eq!(shown["reason"], "surrounded");
    for player in ["alice", "bob"] {
        let end = post.last(player);
        assert_eq!(end.subject(), "Susan #1: bob won (alice - bob)");
        assert!(!end.header("Playpost-Match").contains("to-move"));
    }
    let came = post.reply("alice", "record");
    let attached = came.to("alice").attachments();
    assert_eq!(attached.len(), 1);
    let (_, record) = &attached[0];
    for tag in [
        "[Game \"susan\"]",
        "[X \"alice\"]",
        "[O \"bob\"]",
        "[Result \"O\"]",
        "[Reason \"surrounded\"]",
    ] {
        assert!(record.contains(tag), "{record}");
    }
}

#[test]
fn all_mails_of_a_match_are_one_thread_for_each_reader() {
    let mut post = Post::trusting();
    post.people(&["alice", "bob"]);
    let number = post.begin("alice", "bob", "susan");
    let first = post.last_about("alice", number).header("Message-ID");
    post.play(number, ["alice", "bob"], &["a1", "a2"]);
    let after = post.last_about("alice", number);
    assert_ne!(after.header("Message-ID"), first);
    assert!(
        after.header("References").contains(&first),
        "{}",
        after.header("References")
    );
    let theirs = post.last_about("bob", number);
    assert!(!theirs.header("References").contains(&first));
    assert!(theirs.header("In-Reply-To").starts_with('<'));
}

#[test]
fn challenges_in_both_spellings_are_declined_withdrawn_and_expire() {
    let mut post = Post::trusting();
    post.people(&["alice", "bob"]);
    post.write("alice", "susan challenge bob");
    let came = post.reply("bob", "decline");
    came.only_to(&["alice", "bob"]);
    came.to("alice").says("bob declines challenge 1");
    post.write("alice", "susan challenge alice bob");
    let came = post.write("alice", "withdraw 2");
    came.only_to(&["alice", "bob"]);
    let challenge = post
        .all
        .iter()
        .find(|mail| mail.text().contains("accept 2"))
        .unwrap()
        .clone();
    let came = post.reply_to("bob", &challenge, "accept");
    came.only_to(&["bob"]);
    assert!(!post.has_match(1));
    post.write("alice", "challenge bob susan");
    let early = post.later(14 * DAY - 3600);
    assert!(early.out.is_empty(), "{:?}", early.recipients());
    let came = post.later(2 * 3600);
    came.to("alice").says("expired");
    let came = post.write("bob", "accept 3");
    came.only_to(&["bob"]);
    assert!(!post.has_match(1));
}

#[test]
fn the_wrong_player_and_the_move_out_of_turn() {
    let mut post = Post::trusting();
    post.people(&["alice", "bob", "carol"]);
    let number = post.begin("alice", "bob", "susan");
    let came = post.reply("bob", "e5");
    came.only_to(&["bob"]);
    came.to("bob").says("Not allowed").says("alice's turn");
    let came = post.write("carol", "#1 e5");
    came.only_to(&["carol"]);
    came.to("carol").says("Not allowed");
    assert_eq!(post.show(number)["turn"], 0);
}

#[test]
fn an_illegal_move_is_told_with_its_reason_and_the_board() {
    let mut post = Post::trusting();
    post.people(&["alice", "bob"]);
    let number = post.begin("alice", "bob", "susan");
    post.play(number, ["alice", "bob"], &["e5"]);
    let came = post.reply("bob", "e5\n\nha!");
    came.only_to(&["bob"]);
    came.to("bob")
        .says("Illegal")
        .says("e5 is taken")
        .says("bob (O) to move");
    assert_eq!(post.show(number)["turn"], 1);
}

#[test]
fn an_unreadable_line_does_nothing_and_passes_nothing_on() {
    let mut post = Post::trusting();
    post.people(&["alice", "bob"]);
    let number = post.begin("alice", "bob", "susan");
    let came = post.reply("alice", "a5 looks strong\na5");
    came.only_to(&["alice"]);
    let answer = came.to("alice");
    answer
        .says("Not understood")
        .says("a5 looks strong")
        .says("alice (X) to move");
    let examples = answer
        .text()
        .lines()
        .filter(|line| line.trim_start().starts_with("| "))
        .count();
    assert!(examples >= 2, "{}", answer.text());
    assert_eq!(post.show(number)["turn"], 0);
}

#[test]
fn an_answer_to_an_older_board_is_not_played() {
    let mut post = Post::trusting();
    post.people(&["alice", "bob"]);
    let number = post.begin("alice", "bob", "susan");
    let old = post.last_about("alice", number).clone();
    post.play(number, ["alice", "bob"], &["a1", "a2"]);
    let came = post.reply_to("alice", &old, "e5");
    came.only_to(&["alice"]);
    came.to("alice")
        .says("turn 3")
        .says("present board")
        .says("alice (X) to move");
    assert_eq!(post.show(number)["turn"], 2);
    let came = post.write("alice", "#1 e5#2");
    came.only_to(&["alice"]);
    assert_eq!(post.show(number)["turn"], 2);
    post.write("alice", "#1 e5#3").only_to(&["alice", "bob"]);
    assert_eq!(post.show(number)["turn"], 3);
}

#[test]
fn after_a_line_that_fails_the_same_match_is_skipped_and_others_go_on() {
    let mut post = Post::trusting();
    post.people(&["alice", "bob", "carol"]);
    let one = post.begin("alice", "bob", "susan");
    let two = post.begin("alice", "carol", "susan");
    post.play(one, ["alice", "bob"], &["e5", "a1"]);
    let text = format!("#{one} e5\n#{one} say too late\n#{two} e5");
    let came = post.write("alice", &text);
    came.only_to(&["alice", "carol"]);
    came.to("alice").says("Skipped after that: \"#1 say too late\"");
    assert_eq!(post.show(one)["turn"], 2);
    assert_eq!(post.show(two)["turn"], 1);
}

#[test]
fn of_more_than_twenty_commands_the_rest_is_told() {
    let mut post = Post::trusting();
    post.people(&["alice", "bob"]);
    let number = post.begin("alice", "bob", "susan");
    let lines: String = (0..21).map(|_| "whoami\n").collect();
    let came = post.reply("alice", &(lines + "e5\n\nHello!"));
    came.to("alice").says("At most 20 command lines");
    assert_eq!(post.show(number)["turn"], 0);
}

#[test]
fn a_greeting_may_stand_before_and_end_ends_the_commands() {
    let mut post = Post::trusting();
    post.people(&["alice", "bob"]);
    let number = post.begin("alice", "bob", "susan");
    let came = post.reply("alice", "Hello Bob!\n\ne5\nend\nresign");
    came.to("bob").says("| Hello Bob!").says("| resign");
    assert_eq!(post.show(number)["turn"], 1);
    assert_eq!(post.show(number)["status"], "running");
}

#[test]
fn a_line_that_may_mean_several_matches_is_asked_back() {
    let mut post = Post::trusting();
    post.people(&["alice", "bob"]);
    let one = post.begin("alice", "bob", "susan");
    let two = post.begin("alice", "bob", "susan");
    let came = post.write("alice", "e5");
    came.only_to(&["alice"]);
    came.to("alice")
        .says("#1 Susan (alice - bob)")
        .says("#2 Susan (alice - bob)");
    assert_eq!(
        (post.show(one)["turn"].as_u64(), post.show(two)["turn"].as_u64()),
        (Some(0), Some(0))
    );
}

#[test]
fn a_stranger_gets_one_constant_answer() {
    let mut post = Post::trusting();
    let came = post.write("mallory", "challenge bob susan\nVIAGRA at my shop");
    let first = came.to("mallory");
    assert_eq!(first.return_path, "");
    first.never_says("VIAGRA");
    let came = post.write("trudy", "what is this?");
    came.to("trudy").never_says("what is this");
    let other = post.write("eve", "buy my things").to("eve").text();
    assert_eq!(came.to("trudy").text(), other);
}

#[test]
fn the_same_mail_twice_has_one_effect_and_one_answer() {
    let mut post = Post::trusting();
    post.people(&["alice", "bob"]);
    let number = post.begin("alice", "bob", "susan");
    let letter = Letter::answer("alice", post.last("alice"))
        .text("e5")
        .header("Message-ID", "<one@alice.example>");
    post.mail(letter.clone()).only_to(&["alice", "bob"]);
    post.mail(letter.clone()).only_to(&[]);
    let by_another_way = letter.before(
        "Received",
        "from b.example by c.example; Sun, 29 Nov 2026 18:00:00 +0000",
    );
    post.mail(by_another_way).only_to(&[]);
    assert_eq!(post.show(number)["turn"], 1);
    let nameless = |text: &str| {
        let letter = Letter::answer("bob", &post.all[0])
            .without("In-Reply-To")
            .without("References");
        letter
            .header("To", "play@example.org")
            .header("Date", "Sun, 29 Nov 2026 18:00:00 +0000")
            .text(text)
    };
    let bytes = nameless("#1 a1").bytes();
    assert_eq!(post.take(&bytes, Some(&address("bob"))).out.len(), 2);
    assert_eq!(post.take(&bytes, Some(&address("bob"))).out.len(), 0);
}
