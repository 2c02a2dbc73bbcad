//! Who wrote it: keys, verified senders, passwords, and what nobody proves.

use crate::harness::{Came, DAY, HOUR, Letter, Out, Post, SERVER, address, holds};

/// The letter as it arrives when the host has verified its sender.
fn verified(letter: Letter) -> Letter {
    let from = letter.sender.clone().unwrap();
    let domain = from.split_once('@').unwrap().1.to_string();
    let result = format!("mx.example.org; spf=none; dkim=pass header.d={domain}; dmarc=pass header.from={domain}");
    letter.before("Authentication-Results", &result)
}

/// A server that checks, with these people and their accounts.
fn careful(people: &[&str]) -> Post {
    let mut post = Post::careful();
    for person in people {
        let letter = verified(Letter::from(person)).text(&format!("signup {person}"));
        post.mail(letter).to(person).says("Welcome");
    }
    post
}

/// A match in which alice moves first.
fn with_match(people: &[&str]) -> (Post, u32) {
    let mut post = careful(people);
    let number = begin(&mut post, "alice", "bob");
    (post, number)
}

fn begin(post: &mut Post, first: &str, second: &str) -> u32 {
    let challenge = format!("challenge {second} susan --first=me");
    let came = post.mail(verified(Letter::from(first)).text(&challenge));
    let mail = came.to(second).clone();
    let came = post.reply_to(second, &mail, "accept");
    let info = came.to(first).header("Playpost-Match");
    info.split(';').next().unwrap().parse().unwrap()
}

fn key_of(mail: &Out) -> String {
    let key = mail.key();
    assert!(key.len() >= 26, "{key:?}");
    key
}

#[test]
fn a_password_in_a_subject_plays_the_move_from_any_address() {
    let (mut post, number) = with_match(&["alice", "bob"]);
    post.secrets.push("Sesame7x".to_string());
    post.mail(verified(Letter::from("alice")).text("password Sesame7x"));
    let line = format!("susan move {number} alice Sesame7x d4");
    let came = post.mail(Letter::from("cafe").subject(&line));
    came.only_to(&["alice", "bob"]);
    assert!(came.to("alice").is_answer());
    assert_eq!(post.show(number)["turns"], serde_json::json!(["d4"]));
    assert!(
        !holds(&post.stored_bytes(), "Sesame7x"),
        "the password is stored in plain"
    );
}

#[test]
fn a_wrong_password_is_refused_alike_for_every_userid_and_nothing_is_held() {
    let (mut post, number) = with_match(&["alice", "bob"]);
    post.secrets.extend(["Sesame7x".to_string(), "guess99".to_string()]);
    post.mail(verified(Letter::from("alice")).text("password Sesame7x"));
    let told: Vec<String> = ["alice", "bob", "nobody"]
        .iter()
        .map(|userid| {
            let line = format!("susan move {number} {userid} guess99 d4");
            let came = post.mail(Letter::from("mallory").subject(&line));
            came.only_to(&["mallory"]);
            assert_eq!(came.to("mallory").return_path, "");
            came.to("mallory").text().replace(userid, "USERID")
        })
        .collect();
    assert_eq!(told[0], told[1]);
    assert_eq!(told[0], told[2]);
    assert_eq!(post.show(number)["turn"], 0);
    assert!(!holds(&post.stored_bytes(), "guess99"));
}

#[test]
fn an_unproved_command_is_held_and_a_yes_carries_it_out() {
    let (mut post, number) = with_match(&["alice", "bob"]);
    let came = post.mail(Letter::from("alice").text(&format!("#{number} d4\n\nHello Bob!")));
    came.only_to(&["alice"]);
    let question = came.to("alice").clone();
    question.says("Did you write this?");
    assert_eq!(post.show(number)["turn"], 0);
    let came = post.reply_to("alice", &question, "yes");
    came.only_to(&["alice", "bob"]);
    came.to("bob").says("| Hello Bob!");
    assert_eq!(post.show(number)["turn"], 1);
    post.reply_to("alice", &question, "yes").only_to(&["alice"]);
    assert_eq!(post.show(number)["turn"], 1);
}

#[test]
fn anything_but_yes_drops_what_is_held_and_so_do_three_days() {
    let (mut post, number) = with_match(&["alice", "bob"]);
    let line = format!("#{number} d4");
    let question = post.mail(Letter::from("alice").text(&line)).to("alice").clone();
    post.reply_to("alice", &question, "no, certainly not")
        .only_to(&["alice"]);
    post.reply_to("alice", &question, "yes").only_to(&["alice"]);
    assert_eq!(post.show(number)["turn"], 0);
    let question = post.mail(Letter::from("alice").text(&line)).to("alice").clone();
    post.later(3 * DAY + 60);
    post.reply_to("alice", &question, "yes").only_to(&["alice"]);
    assert_eq!(post.show(number)["turn"], 0);
}

#[test]
fn somebody_elses_name_in_a_line_asks_its_player_once() {
    let (mut post, number) = with_match(&["alice", "bob"]);
    let came = post.mail(Letter::from("mallory").text("susan challenge alice bob"));
    came.only_to(&["alice", "mallory"]);
    assert!(came.to("mallory").is_answer() && !came.to("alice").is_answer());
    came.to("alice").says("Did you write this?");
    assert!(!post.has_match(number + 1));
}

#[test]
fn signing_up_from_an_unproved_address_waits_for_its_yes() {
    let mut post = Post::careful();
    let came = post.mail(Letter::from("alice").text("signup alice"));
    came.only_to(&["alice"]);
    let question = came.to("alice").clone();
    assert!(!question.text().contains("Welcome"));
    let came = post.reply_to("alice", &question, "yes");
    came.only_to(&["alice"]);
    came.to("alice").says("Welcome");
    let (mut post, question) = (Post::careful(), question);
    let came = post.mail(Letter::from("alice").text("signup alice"));
    let mine = came.to("alice").clone();
    assert_ne!(mine.key(), question.key());
    post.reply_to("alice", &mine, "never");
    let again = post.reply_to("alice", &mine, "yes");
    assert!(!again.to("alice").text().contains("Welcome"));
}

/// Whether alice's turn from a mail with these Authentication-Results (topmost first) is played.
fn is_believed(results: &[&str], from: Option<&str>) -> bool {
    let (mut post, number) = with_match(&["alice", "bob"]);
    let mut letter = Letter::from("alice").text(&format!("#{number} d4"));
    if let Some(from) = from {
        letter = letter.header("From", from);
    }
    for result in results.iter().rev() {
        letter = letter.before("Authentication-Results", result);
    }
    post.mail(letter);
    post.show(number)["turn"] == 1
}

#[test]
fn only_the_topmost_result_of_the_named_host_is_believed() {
    let pass = "mx.example.org; dmarc=pass header.from=alice.example";
    assert!(is_believed(&[pass], None));
    assert!(is_believed(
        &["mx.example.org; spf=pass smtp.mailfrom=alice@alice.example"],
        None
    ));
    assert!(is_believed(&["mx.example.org; dkim=pass header.d=alice.example"], None));
    assert!(!is_believed(
        &["mx.example.org; dkim=pass header.d=mallory.example"],
        None
    ));
    assert!(!is_believed(
        &["mx.example.org; dkim=fail header.d=alice.example; spf=softfail"],
        None
    ));
    assert!(!is_believed(
        &["evil.example; dmarc=pass header.from=alice.example"],
        None
    ));
    assert!(!is_believed(
        &["mx.example.org; dmarc=fail header.from=alice.example", pass],
        None
    ));
    assert!(
        !is_believed(&["other.example; none", pass], None),
        "the topmost is another host's"
    );
}

#[test]
fn tricks_with_from_prove_nothing() {
    let pass = "mx.example.org; dmarc=pass header.from=mallory.example";
    assert!(!is_believed(
        &[pass],
        Some("\"alice@alice.example\" <mallory@mallory.example>")
    ));
    assert!(!is_believed(
        &[pass],
        Some("alice@alice.example <mallory@mallory.example>")
    ));
    assert!(!is_believed(
        &[pass],
        Some("mallory@mallory.example, alice@alice.example")
    ));
    assert!(!is_believed(
        &[pass],
        Some("Mallory <mallory@mallory.example>\r\nFrom: alice@alice.example")
    ));
}

#[test]
fn a_key_proves_its_player_from_any_address_in_any_case() {
    let (mut post, number) = with_match(&["alice", "bob"]);
    let key = key_of(post.last_about("alice", number));
    let letter = Letter::from("phone")
        .header("To", &format!("PLAY+{}@Example.ORG", key.to_uppercase()))
        .subject("Re: our game")
        .text("d4");
    let came = post.mail(letter);
    came.only_to(&["alice", "bob"]);
    assert!(came.to("alice").is_answer());
    assert_eq!(post.show(number)["turn"], 1);
}

#[test]
fn where_the_address_lost_its_key_the_message_id_serves() {
    let (mut post, number) = with_match(&["alice", "bob"]);
    let mail = post.last_about("alice", number).clone();
    let letter = Letter::answer("phone", &mail).header("To", SERVER).text("d4");
    post.mail(letter).only_to(&["alice", "bob"]);
    assert_eq!(post.show(number)["turn"], 1);
    let mail = post.last_about("bob", number).clone();
    let id = mail.header("Message-ID");
    let letter = Letter::answer("tablet", &mail)
        .header("To", SERVER)
        .without("In-Reply-To")
        .header("References", &format!("<unknown@somewhere.example> {id}"))
        .text("d5");
    post.mail(letter).only_to(&["alice", "bob"]);
    assert_eq!(post.show(number)["turn"], 2);
}

#[test]
fn a_key_of_one_match_does_not_play_in_anothers_name() {
    let (mut post, number) = with_match(&["alice", "bob", "carol"]);
    let carols = begin(&mut post, "carol", "bob");
    let key = post.last_about("carol", carols).clone();
    // Carol's key says nothing in alice's match.
    let letter = Letter::answer("carol", &key).text(&format!("#{number} d4"));
    post.mail(letter).only_to(&["carol"]);
    assert_eq!(post.show(number)["turn"], 0);
}

#[test]
fn a_made_up_key_is_none() {
    let (mut post, number) = with_match(&["alice", "bob"]);
    let letter = Letter::from("mallory")
        .header("To", "play+aaaaaaaaaaaaaaaaaaaaaaaaaa@example.org")
        .header("In-Reply-To", "<match.1.1.aaaaaaaaaaaaaaaaaaaaaaaaaa@example.org>")
        .text(&format!("#{number} d4"));
    let came = post.mail(letter);
    came.only_to(&["mallory"]);
    assert_eq!(post.show(number)["turn"], 0);
}

#[test]
fn newkey_takes_the_power_from_all_mails_before() {
    let (mut post, number) = with_match(&["alice", "bob"]);
    let old = post.last_about("alice", number).clone();
    let came = post.mail(verified(Letter::from("alice")).text("newkey"));
    let newer = came.to("alice").clone();
    assert_ne!(newer.key(), old.key());
    let came = post.mail(Letter::answer("thief", &old).text("d4"));
    assert!(came.find("bob").is_none());
    let came = post.mail(Letter::answer("thief", &old).header("To", SERVER).text("d4"));
    assert!(came.find("bob").is_none());
    assert_eq!(post.show(number)["turn"], 0);
    post.reply_to("alice", &newer, &format!("#{number} d4"));
    assert_eq!(post.show(number)["turn"], 1);
}

#[test]
fn further_addresses_are_proved_and_removed() {
    let mut post = Post::trusting();
    post.people(&["alice"]);
    post.same.push((address("alice"), "alice@work.example".to_string()));
    let came = post.write("alice", "add address alice@work.example");
    came.only_to(&["alice", "alice@work.example"]);
    let question = came.to("alice@work.example").clone();
    let came = post.write("alice", "whoami");
    assert!(!came.to("alice").text().contains("alice@work.example"));
    post.mail(Letter::answer("alice@work.example", &question).text("yes"));
    let came = post.write("alice", "whoami");
    came.to("alice").says("alice@work.example");
    let came = post.mail(Letter::from("alice@work.example").text("whoami"));
    assert_eq!(came.out.len(), 1);
    came.out[0].says("alice");
    post.write("alice", "remove address alice@work.example");
    let came = post.write("alice", "whoami");
    assert!(!came.to("alice").text().contains("alice@work.example"));
    post.write("alice", &format!("remove address {}", address("alice")))
        .to("alice")
        .says("your only address");
}

#[test]
fn an_address_that_says_anything_else_is_not_added() {
    let mut post = Post::trusting();
    post.people(&["alice"]);
    post.same.push((address("alice"), "alice@work.example".to_string()));
    let came = post.write("alice", "add address alice@work.example");
    let question = came.to("alice@work.example").clone();
    post.mail(Letter::answer("alice@work.example", &question).text("Who are you?"));
    post.mail(Letter::answer("alice@work.example", &question).text("yes"));
    let came = post.write("alice", "whoami");
    assert!(!came.to("alice").text().contains("alice@work.example"));
}

#[test]
fn who_signs_off_is_gone_from_the_store() {
    let mut post = Post::trusting();
    post.people(&["alice", "bob"]);
    let number = post.begin("alice", "bob", "susan");
    post.play(number, ["alice", "bob"], &["e5", "d4", "a1", "a2"]);
    assert!(holds(&post.stored_bytes(), &address("alice")));
    let question = post.write("alice", "signoff").to("alice").clone();
    assert_eq!(post.show(number)["status"], "running");
    let came = post.reply_to("alice", &question, "yes");
    came.only_to(&["alice", "bob"]);
    assert_eq!(post.show(number)["result"], "O");
    assert_eq!(post.show(number)["seats"]["X"], "alice");
    post.tick();
    assert!(
        !holds(&post.stored_bytes(), &address("alice")),
        "the address is still in the files"
    );
    assert!(
        !holds(&post.stored_bytes(), "alice.example"),
        "a part of the address is still in the files"
    );
    let came = post.write("alice", "status");
    assert_eq!(came.to("alice").return_path, "");
}

#[test]
fn keys_and_passwords_are_nowhere_in_plain() {
    let (mut post, number) = with_match(&["alice", "bob"]);
    post.secrets.push("Sesame7x".to_string());
    post.mail(verified(Letter::from("alice")).text("password Sesame7x"));
    let keys: Vec<String> = post.all.iter().map(Out::key).filter(|key| !key.is_empty()).collect();
    post.tick();
    let stored = post.stored_bytes();
    // A sent mail is gone from the outbox, and its key with it.
    for key in keys {
        assert!(!holds(&stored, &key), "a key is stored in plain");
    }
    assert!(!post.show(number).to_string().contains('@'));
}

#[test]
fn held_lines_do_not_keep_a_password_in_plain() {
    let (mut post, _) = with_match(&["alice", "bob"]);
    post.secrets.push("Geheim88x".to_string());
    let came: Came = post.mail(Letter::from("alice").text("password Geheim88x"));
    came.only_to(&["alice"]);
    assert!(!holds(&post.stored_bytes(), "Geheim88x"));
}

#[test]
fn a_word_that_may_be_a_password_is_not_echoed_where_the_older_spelling_has_none() {
    let (mut post, number) = with_match(&["alice", "bob", "carol"]);
    post.secrets.push("sesame7x".to_string());
    for line in [
        "susan challenge alice sesame7x bob",
        "susan challenge -side=6 alice sesame7x bob",
    ] {
        let came = post.mail(verified(Letter::from("alice")).text(line));
        came.only_to(&["alice"]);
        came.to("alice").says("A challenge takes no password");
        // Nobody proved: nothing is held, and so nothing is kept of it.
        let came = post.mail(Letter::from("mallory").text(line));
        came.only_to(&["mallory"]);
        assert!(!holds(&post.stored_bytes(), "sesame7x"));
    }
    let many = format!("{}susan challenge alice sesame7x bob", "whoami\n".repeat(20));
    post.mail(verified(Letter::from("alice")).text(&many))
        .to("alice")
        .says("These were not carried out");
    assert!(!post.has_match(number + 1));
    // Names that are players stay a challenge for as many seats.
    let came = post.mail(verified(Letter::from("alice")).text("susan challenge alice bob carol"));
    came.only_to(&["alice", "bob", "carol"]);
    let came = post.mail(Letter::from("mallory").text("susan challenge alice bob carol"));
    came.to("alice").says("| susan challenge alice bob carol");
}

#[test]
fn a_userid_without_a_password_asks_its_player() {
    let (mut post, number) = with_match(&["alice", "bob"]);
    for line in [
        format!("susan resign {number} alice"),
        format!("susan move {number} alice d4"),
    ] {
        let came = post.mail(Letter::from("mallory").subject(&line));
        came.only_to(&["alice", "mallory"]);
        assert!(came.to("mallory").is_answer() && !came.to("alice").is_answer());
        came.to("alice").says("Did you write this?").says(&format!("| {line}"));
        came.to("mallory").says("The player has been asked");
        // From her own address it is one mail.
        let came = post.mail(Letter::from("alice").subject(&line));
        came.only_to(&["alice"]);
    }
    assert_eq!(post.show(number)["turn"], 0);
    // Proved by other means the name is hers already.
    let came = post.mail(verified(Letter::from("alice")).subject(&format!("susan move {number} alice d4")));
    came.only_to(&["alice", "bob"]);
    assert_eq!(post.show(number)["turns"], serde_json::json!(["d4"]));
    // In another's name nothing happens before a yes.
    let came = post.mail(verified(Letter::from("bob")).subject(&format!("susan resign {number} alice")));
    came.only_to(&["alice", "bob"]);
    assert_eq!(post.show(number)["status"], "running");
    let question = came.to("alice").clone();
    post.reply_to("alice", &question, "yes").only_to(&["alice", "bob"]);
    assert_eq!(post.show(number)["result"], "O");
}

#[test]
fn who_is_proved_by_a_password_has_a_players_answers() {
    let (mut post, _) = with_match(&["alice", "bob"]);
    post.mail(verified(Letter::from("alice")).text("password Sesame7x"));
    post.later(2 * HOUR);
    let line = "susan show 1 alice Sesame7x";
    for _ in 0..30 {
        let came = post.mail(Letter::from("cafe").subject(line));
        came.only_to(&["alice"]);
    }
    let came = post.mail(Letter::from("cafe").subject(line));
    came.only_to(&["alice"]);
    came.to("alice").says("More than 30 mails");
    assert!(post.mail(Letter::from("cafe").subject(line)).out.is_empty());
}

#[test]
fn a_reply_address_that_somebody_types_is_not_passed_on() {
    let (mut post, number) = with_match(&["alice", "bob"]);
    let mail = post.last_about("alice", number).clone();
    let key = mail.key();
    post.secrets.push(key.to_uppercase());
    let id = mail.header("Message-ID");
    let secret = id.rsplit_once('@').unwrap().0.rsplit_once('.').unwrap().1.to_string();
    let text = format!(
        "d4\nsay write to play+{key}@example.org!\nnote play+{key}@example.org\n\nOr to <PLAY+{}@EXAMPLE.ORG>, \
         mailto:play%2B{key}@example.org, and see {id}. Not play@example.org, and not me@example.org.",
        key.to_uppercase()
    );
    let came = post.reply_to("alice", &mail, &text);
    for person in ["alice", "bob"] {
        let mail = came.to(person);
        let text = (mail.text() + &mail.html().unwrap_or_default()).to_lowercase();
        assert!(!text.contains(&key) && !text.contains(&secret), "{text}");
    }
    came.to("bob")
        .says("write to play@example.org!")
        .says("Not play@example.org, and not me@example.org.");
    let record = post.mail(verified(Letter::from("bob")).text(&format!("#{number} history")));
    record.to("bob").never_says(&key);
    post.tick();
    assert!(!holds(&post.stored_bytes(), &key));
}

#[test]
fn guesses_past_the_limit_wait_unread_the_right_one_too() {
    let (mut post, number) = with_match(&["alice", "bob"]);
    post.mail(verified(Letter::from("alice")).text("password Sesame7x"));
    for guess in 0..8 {
        post.mail(Letter::from("mallory").text(&format!("susan resign {number} alice Guess{guess}x")));
    }
    let came = post.mail(Letter::from("mallory").text(&format!("susan resign {number} alice Sesame7x")));
    assert!(came.out.is_empty());
    assert_eq!(post.show(number)["status"], "running");
    // From an address that has not been guessing the password is as good as ever.
    post.mail(Letter::from("phone").text(&format!("susan move {number} alice Sesame7x d4")));
    assert_eq!(post.show(number)["turn"], 1);
}
