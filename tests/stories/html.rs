//! Mails in HTML: who gets them, what a tap does, and the forms of the board.

use crate::harness::{Came, Letter, Out, Post};

/// The links of a mail, as they stand in it.
fn links(mail: &Out) -> Vec<String> {
    let html = mail.html().unwrap_or_default();
    let links = html.split("href=\"").skip(1).filter_map(|rest| rest.split_once('"'));
    links.map(|(link, _)| link.replace("&amp;", "&")).collect()
}

/// A tap on the link whose mail says `line`, from whatever address the telephone has, and the mail is sent as it is.
#[track_caller]
fn tap(post: &mut Post, mail: &Out, line: &str) -> Came {
    let written = line.replace('#', "%23").replace(' ', "%20");
    let link = links(mail)
        .into_iter()
        .find(|link| link.ends_with(&format!("body={written}")))
        .unwrap_or_else(|| panic!("no link says {line:?}: {:?}", links(mail)));
    let (address, fields) = link.strip_prefix("mailto:").unwrap().split_once('?').unwrap();
    let (subject, _) = fields.strip_prefix("subject=").unwrap().split_once('&').unwrap();
    let subject = subject.replace("%20", " ").replace("%23", "#");
    let letter = Letter::from("telephone@elsewhere.example")
        .header("To", address)
        .subject(&subject)
        .text(line);
    post.mail(letter)
}

#[test]
fn a_match_is_played_by_tapping_alone() {
    let mut post = Post::trusting();
    post.people(&["alice", "bob"]);
    let number = post.begin("alice", "bob", "susan");
    for (index, turn) in ["a1", "a2", "e5", "b1", "e6", "b2"].iter().enumerate() {
        let player = ["alice", "bob"][index % 2];
        let mail = post.last_about(player, number).clone();
        tap(&mut post, &mail, &format!("{turn}#{}", index + 1)).only_to(&["alice", "bob"]);
    }
    assert_eq!(post.show(number)["result"], "O");
    let mail = post.last_about("alice", number).clone();
    let came = tap(&mut post, &mail, "rematch");
    came.to("bob").says("alice challenges you to play again");
}

#[test]
fn men_move_and_offers_are_answered_by_a_tap() {
    let mut post = Post::trusting();
    post.people(&["alice", "bob"]);
    let number = post.begin("alice", "bob", "shogi");
    let mail = post.last_about("alice", number).clone();
    tap(&mut post, &mail, "f4-f5#1");
    let mail = post.last_about("bob", number).clone();
    tap(&mut post, &mail, "draw").to("alice").says("bob offers a draw");
    let mail = post.last_about("alice", number).clone();
    tap(&mut post, &mail, "accept");
    assert_eq!(post.show(number)["result"], "draw");
}

#[test]
fn a_tap_in_an_old_mail_does_no_harm() {
    let mut post = Post::trusting();
    post.people(&["alice", "bob"]);
    let number = post.begin("alice", "bob", "susan");
    let old = post.last_about("alice", number).clone();
    post.play(number, ["alice", "bob"], &["e5", "d4"]);
    tap(&mut post, &old, "c3#1").to("alice").says("Not allowed");
    assert_eq!(post.show(number)["turn"], 2);
}

#[test]
fn who_waits_or_watches_is_offered_no_turn() {
    let mut post = Post::trusting();
    post.people(&["alice", "bob", "carol"]);
    let number = post.begin("alice", "bob", "susan");
    let turns = |mail: &Out| {
        links(mail)
            .iter()
            .filter(|link| link.contains("%23") && link.contains("body=e5"))
            .count()
    };
    assert_eq!(turns(post.last_about("alice", number)), 1);
    assert_eq!(turns(post.last_about("bob", number)), 0);
    post.write("carol", &format!("#{number} watch"));
    let mail = post.last_about("carol", number).clone();
    assert_eq!(turns(&mail), 0);
    tap(&mut post, &mail, "unwatch").to("carol").says("no more");
}

#[test]
fn html_is_for_boards_and_for_those_who_want_it() {
    let mut post = Post::trusting();
    post.people(&["alice", "bob"]);
    let number = post.begin("alice", "bob", "susan");
    assert!(post.last_about("alice", number).html().is_some());
    let came = post.write("alice", "status");
    assert!(came.to("alice").html().is_none(), "there is no board to show");
    post.write("alice", "set html off");
    let came = post.write("alice", "show");
    assert!(came.to("alice").html().is_none(), "{}", came.to("alice").text());
    assert!(!String::from_utf8_lossy(&came.to("alice").raw).contains("multipart"));
    post.write("alice", "set html on");
    assert!(post.write("alice", "show").to("alice").html().is_some());
    let came = post.write("stranger", &format!("#{number} show"));
    came.to("stranger").says("alice (X) to move");
    assert!(came.to("stranger").html().is_none(), "a stranger gets text alone");
}

#[test]
fn every_mail_with_a_board_follows_the_setting() {
    let mut post = Post::trusting();
    post.people(&["alice", "bob"]);
    let number = post.begin("alice", "bob", "susan");
    post.write("bob", "set board list");
    post.play(number, ["alice", "bob"], &["e5"]);
    let mail = post.last_about("bob", number);
    mail.says("New: X on e5. Row 5: X on e.").says("bob (O) to move");
    assert!(!mail.text().contains(". . ."));
    let html = mail.html().unwrap();
    let flat = html.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(flat.contains("Row 5: X on e."), "{flat}");
    let came = post.write("bob", "preview d4");
    came.to("bob").says("New: O on d4.");
    came.to("bob").says("Row 4: O on d.");
    let came = post.write("bob", "show #1");
    came.to("bob").says("New: X on e5.");
    let mail = post.last_about("bob", number).clone();
    tap(&mut post, &mail, "d4#2");
    assert_eq!(post.show(number)["turn"], 2);
    post.write("alice", "set board unicode");
    let came = post.write("alice", "show");
    came.to("alice").says("\u{2219} \u{2219}(O)\u{2219}");
    let came = post.write("alice", "preview d3");
    came.to("alice").says("\u{2219} \u{2219}(X)\u{2219}");
}

#[test]
fn who_wants_pictures_gets_them() {
    let mut post = Post::trusting();
    post.people(&["alice", "bob"]);
    let number = post.begin("alice", "bob", "lotus");
    post.write("bob", "set picture on");
    post.play(number, ["alice", "bob"], &["i4"]);
    let mail = post.last_about("bob", number);
    assert!(mail.html().is_some());
    assert_eq!(mail.files(), ["board-1.png"]);
    mail.says("bob (White) to move");
    assert!(post.last_about("alice", number).files().is_empty());
    post.write("bob", "set html off");
    let mail = post.reply("bob", "show").to("bob").clone();
    assert_eq!((mail.html(), mail.files()), (None, vec!["board-1.png".to_string()]));
    let came = post.write("bob", "set picture off");
    assert!(came.to("bob").files().is_empty());
}

#[test]
fn a_record_goes_beside_both_parts() {
    let mut post = Post::trusting();
    post.people(&["alice", "bob"]);
    let number = post.begin("alice", "bob", "susan");
    post.play(number, ["alice", "bob"], &["e5"]);
    let came = post.reply("alice", "record");
    let mail = came.to("alice");
    assert!(mail.header("Content-Type").starts_with("multipart/mixed"));
    assert!(mail.html().is_some());
    mail.says("bob (O) to move");
    assert_eq!(mail.attachments().len(), 1);
}

/// An answer to a mail that asks something answers that; a tap must not answer in the match beside it, or in another.
#[test]
fn a_mail_whose_answer_is_for_something_else_has_no_links() {
    let mut post = Post::trusting();
    post.people(&["alice", "bob"]);
    let number = post.begin("alice", "bob", "susan");
    let mail = post.last_about("alice", number).clone();
    let came = post.reply_to("alice", &mail, "d4\nchallenge bob rosette -side=3");
    assert_eq!(links(came.to("bob")), Vec::<String>::new());
    assert!(
        came.to("bob").html().is_some_and(|html| html.contains("d4")),
        "the board is there"
    );
    let mail = post.last_about("bob", number).clone();
    let came = post.write("bob", &format!("#{number} e5"));
    assert!(!links(came.to("alice")).is_empty(), "{mail:?}");
}

#[test]
fn who_only_looks_is_offered_to_watch_and_who_watches_to_stop() {
    let mut post = Post::trusting();
    post.people(&["alice", "bob", "carol"]);
    let number = post.begin("alice", "bob", "susan");
    let looked = post.write("carol", &format!("#{number} show"));
    looked
        .to("carol")
        .says("To get a copy of each turn")
        .never_says("You are watching");
    let mail = looked.to("carol").clone();
    tap(&mut post, &mail, "watch")
        .to("carol")
        .says("You are watching this match");
    let mail = post.last_about("carol", number).clone();
    tap(&mut post, &mail, "unwatch");
}

#[test]
fn a_pause_is_ended_by_a_tap() {
    let mut post = Post::trusting();
    post.people(&["alice", "bob"]);
    let number = post.begin("alice", "bob", "susan");
    post.write("alice", &format!("#{number} pause"));
    let mail = post.last_about("bob", number).clone();
    tap(&mut post, &mail, "accept");
    let mail = post.last_about("bob", number).clone();
    tap(&mut post, &mail, "continue");
    assert_eq!(post.show(number)["status"], "running");
}
