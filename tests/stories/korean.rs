//! People who write Korean, and in which language the server answers whom.

use crate::harness::{Letter, Out, Post};

/// Whether the sentences of a mail are Korean: whatever else is in it, the first line is.
fn is_korean(mail: &Out) -> bool {
    let text = mail.text();
    let first = text.lines().next().unwrap_or_default();
    first.contains(|letter| ('가'..='힣').contains(&letter))
}

#[track_caller]
fn all_korean(post: &Post) {
    for mail in &post.all {
        assert!(is_korean(mail), "{}\n{}", mail.subject(), mail.text());
    }
}

/// What a person writes, and what comes of it, as one reads it.
fn tell(story: &mut String, who: &str, text: &str, out: &[Out]) {
    story.push_str(&format!(">>> {who}\n{text}\n\n"));
    for mail in out {
        story.push_str(&format!(
            "<<< {}\nSubject: {}\n\n{}\n",
            mail.to,
            mail.subject(),
            mail.text()
        ));
    }
}

#[test]
fn from_the_account_to_the_end_of_a_match() {
    let mut post = Post::trusting();
    let mut story = String::new();
    for (who, text) in [
        ("alice", "안녕하세요\n가입 alice"),
        ("bob", "가입 bob"),
        ("alice", "도전 bob susan --first=me\n전하기 한 판 두실까요?"),
    ] {
        let out = post.write(who, text).out;
        tell(&mut story, who, text, &out);
    }
    for (who, text) in [
        ("bob", "수락\n\n좋습니다. 잘 부탁드립니다."),
        ("alice", "a1\n\n귀퉁이는 제 것입니다."),
        ("bob", "a2\n만약 e5 이면 b1"),
        ("alice", "e5"),
        ("alice", "무승부"),
        ("bob", "거절"),
        ("alice", "미리보기 b2\ne6"),
        ("bob", "b2를 볼까요?"),
        ("bob", "b2.\n\n둘러쌌습니다. 잘 두었습니다!"),
        ("alice", "재대국"),
        ("bob", "사양"),
        ("alice", "수순\n상태 전체\n내정보"),
    ] {
        let out = post.reply(who, text).out;
        tell(&mut story, who, text, &out);
    }
    all_korean(&post);
    assert_eq!(post.show(1)["result"], "O");
    assert_eq!(
        post.show(1)["turns"],
        serde_json::json!(["a1", "a2", "e5", "b1", "e6", "b2"])
    );
    insta::assert_snapshot!("korean", story);
}

#[test]
fn resigning_is_a_whole_line_and_no_word_of_a_chat() {
    let mut post = Post::trusting();
    post.people(&["alice", "bob"]);
    let number = post.begin("alice", "bob", "susan");
    for text in [
        "기권은 하지 않겠습니다",
        "기권할까요?",
        "기권?",
        "d4\n기권은 아직 이릅니다",
    ] {
        post.reply("alice", text);
        assert_eq!(post.show(number)["status"], "running", "{text}");
    }
    post.last_about("bob", number).says("| 기권은 아직 이릅니다");
    post.reply("bob", "기권").to("bob").says("bob님(O)이 기권했습니다");
    assert_eq!(post.show(number)["result"], "X");
}

#[test]
fn a_new_account_keeps_the_language_of_its_mail() {
    let mut post = Post::trusting();
    let declared = Letter::from("alice").header("Content-Language", "xx, ko-KR");
    post.mail(declared.text("signup alice")).to("alice").says("환영합니다");
    post.write("alice", "status")
        .to("alice")
        .says("진행 중인 대국이 없습니다");
    post.write("bob", "가입 bob").to("bob").says("환영합니다");
    post.write("bob", "help").to("bob").says("| 기권");
    post.write("carol", "signup carol").to("carol").says("Welcome");
    post.write("carol", "help").to("carol").says("| resign");
    let number = post.begin("alice", "carol", "susan");
    let mail = post.last_about("alice", number);
    assert_eq!(mail.subject(), "Susan #1: 내 차례 (alice - carol)");
    let mail = post.last_about("carol", number);
    assert_eq!(
        mail.subject(),
        "Susan #1: alice to move (alice - carol)",
        "each in his own"
    );
}

#[test]
fn what_is_set_goes_before_what_is_written() {
    let mut post = Post::trusting();
    post.people(&["alice"]);
    post.write("alice", "도움말").to("alice").says("한 줄에 명령 하나씩");
    post.write("alice", "help")
        .to("alice")
        .says("Write one command on each line");
    post.write("alice", "설정 언어 영어")
        .to("alice")
        .says("Set: language is en");
    post.write("alice", "도움말")
        .to("alice")
        .says("Write one command on each line");
    post.write("alice", "set language ko")
        .to("alice")
        .says("설정했습니다: language = ko");
    let declared = Letter::from("alice").header("Content-Language", "en-US");
    post.mail(declared.text("rules susan"))
        .to("alice")
        .says("수잔은 1분이면 배웁니다");
}

#[test]
fn a_stranger_is_answered_as_he_writes() {
    let mut post = Post::trusting();
    post.write("kim", "안녕하세요, 여기서 바둑을 둘 수 있나요?")
        .to("kim")
        .says("여기는 Playpost입니다");
    post.write("lee", "Hello, can I play here?")
        .to("lee")
        .says("This is Playpost");
    post.write("kim", "수신거부").to("kim").says("메일이 더 가지 않습니다");
    let foreign = Letter::from("han").header("Content-Language", "en-US");
    post.mail(foreign.text("규칙 susan"))
        .to("han")
        .says("수잔은 1분이면 배웁니다");
    let subject = Letter::from("choi").subject("한 판 두고 싶습니다");
    post.mail(subject.text("rules susan"))
        .to("choi")
        .says("수잔은 1분이면 배웁니다");
}

#[test]
fn an_account_from_an_unproved_address_is_asked_for_and_opened_in_korean() {
    let mut post = Post::careful();
    post.write("alice", "가입 alice").to("alice").says("본인이시라면");
    post.reply("alice", "네").to("alice").says("alice님, 환영합니다");
    post.reply("alice", "status")
        .to("alice")
        .says("진행 중인 대국이 없습니다");
}

#[test]
fn a_friend_is_invited_in_the_language_of_who_invites() {
    let mut post = Post::trusting();
    post.write("alice", "가입 alice");
    let came = post.write("alice", "도전 friend@friend.example susan --first=me");
    came.to("friend@friend.example")
        .says("alice님이 메일로 함께 두자고 초대합니다");
    let invitation = post.last("friend@friend.example").clone();
    let came = post.reply_to("friend@friend.example", &invitation, "가입 minho\n수락");
    assert_eq!(came.to("alice").subject(), "Susan #1: 내 차례 (alice - minho)");
    assert_eq!(
        came.to("friend@friend.example").subject(),
        "Susan #1: alice님 차례 (alice - minho)"
    );
}

#[test]
fn the_counting_is_done_in_korean_words() {
    let mut post = Post::trusting();
    for person in ["alice", "bob"] {
        post.write(person, &format!("가입 {person}"));
    }
    let number = post.begin("alice", "bob", "rosette -side=3");
    for turn in ["c5", "d4", "c6", "패스#4", "패스", "사석 없음"] {
        let player = if post.show(number)["to_move"] == "B" {
            "alice"
        } else {
            "bob"
        };
        post.reply(player, turn);
    }
    assert_eq!(post.show(number)["status"], "counting");
    let player = if post.show(number)["to_move"] == "B" {
        "alice"
    } else {
        "bob"
    };
    post.reply(player, "동의").to(player).says("이겼습니다");
    assert_eq!(post.show(number)["status"], "finished");
    all_korean(&post);
}
