//! Several mails taken over in one transaction, and what waits in the outbox: each as if it were alone.

use playpost::store::Fate;

use crate::harness::{Letter, Out, Post, address};
use crate::machines::report;

/// What somebody got, without keys and secrets.
fn told(mails: &[Out]) -> Vec<(String, String, String)> {
    let told = mails.iter().map(|mail| (mail.to.clone(), mail.subject(), mail.text()));
    told.collect()
}

fn letter(number: usize, person: &str, text: &str) -> Letter {
    let id = format!("<batch-{number}@somewhere.example>");
    Letter::from(person).header("Message-ID", &id).text(text)
}

#[test]
fn mails_of_a_batch_do_what_they_do_one_by_one() {
    let mut apart = Post::trusting();
    apart.people(&["alice", "bob", "carol"]);
    let number = apart.begin("alice", "bob", "susan");
    let mut together = apart.copy();
    let written: Vec<(&str, String)> = [
        ("alice", format!("#{number} move e5\n\nGood luck!")),
        ("carol", "help susan".to_string()),
        ("bob", format!("#{number} move d4")),
        ("bob", format!("#{number} move d5")),
        ("nobody", "hello".to_string()),
        ("alice", format!("#{number} move f5\n#{number} say You are quick.")),
        ("carol", format!("watch #{number}")),
        ("bob", format!("#{number} resign")),
        ("alice", format!("#{number} rematch")),
    ]
    .into();
    let letters: Vec<Letter> = (0..)
        .zip(&written)
        .map(|(number, (person, text))| letter(number, person, text))
        .collect();
    let one_by_one: Vec<Out> = letters
        .iter()
        .flat_map(|letter| apart.mail(letter.clone()).out)
        .collect();
    let (fates, came) = together.batch(&letters);
    assert_eq!(fates.len(), letters.len());
    assert!(
        fates.iter().all(|fate| matches!(fate, Fate::Done | Fate::Refused)),
        "{fates:?}"
    );
    // Of each reader's mails the order is kept; that of the readers is the outbox's.
    let sorted = |mails: &[Out]| {
        let mut told = told(mails);
        told.sort_by(|one, other| one.0.cmp(&other.0));
        told
    };
    assert_eq!(sorted(&came.out), sorted(&one_by_one));
    assert_eq!(together.show(number), apart.show(number));
    assert!(together.rebuild().is_empty());
    // Once more, all are known.
    let (fates, came) = together.batch(&letters);
    assert!(fates.iter().all(|fate| *fate == Fate::Duplicate), "{fates:?}");
    assert!(came.out.is_empty());
}

#[test]
fn an_answer_that_cannot_be_made_fails_its_own_mail_alone() {
    let mut post = Post::trusting();
    post.people(&["alice", "bob", "carol"]);
    post.edit(|tx| {
        tx.execute(
            "UPDATE address SET address = 'bob at home' WHERE address = 'bob@bob.example'",
            [],
        )?;
        Ok(())
    });
    let letters = [
        letter(1, "carol", "help accept"),
        letter(2, "alice", "challenge bob susan"),
        letter(3, "carol", "help reject"),
    ];
    let (fates, came) = post.batch(&letters);
    assert_eq!(fates, [Fate::Done, Fate::Failing, Fate::Done]);
    let texts: Vec<String> = told(&came.out).into_iter().map(|(_, _, text)| text).collect();
    assert_eq!(texts.len(), 2, "{texts:?}");
    assert!(texts[0].contains("accept") && texts[1].contains("reject"), "{texts:?}");
    let challenges = |post: &Post| {
        let count = post.read(|tx| {
            tx.query_row("SELECT count(*) FROM challenge", [], |row| row.get::<_, u32>(0))
                .map_err(playpost::store::StoreError::from)
        });
        count.unwrap()
    };
    assert_eq!(challenges(&post), 0, "what failed is taken back");
    // The mail waits: when the address is whole again, it is carried out, once.
    post.edit(|tx| {
        tx.execute(
            "UPDATE address SET address = 'bob@bob.example' WHERE address = 'bob at home'",
            [],
        )?;
        Ok(())
    });
    let came = post.later(24 * 60 * 60);
    came.to("bob").says("alice challenges you to Susan");
    assert_eq!(challenges(&post), 1);
    let (fates, came) = post.batch(&letters);
    assert_eq!(fates, [Fate::Duplicate; 3]);
    assert!(came.out.is_empty());
}

#[test]
fn what_a_report_tells_comes_behind_what_happened_before_it() {
    let mut post = Post::trusting();
    post.people(&["alice", "bob", "carol"]);
    let number = post.begin("alice", "bob", "susan");
    post.begin("carol", "bob", "susan");
    let turn = letter(1, "alice", &format!("#{number} move e5"));
    let report = report(post.last("carol"), "failed", "5.1.1");
    let mails = vec![(turn.bytes(), turn.sender), (report, Some(String::new()))];
    let (fates, came) = post.take_together(mails);
    assert_eq!(fates, [Fate::Done, Fate::Bounce]);
    let bobs: Vec<&Out> = came.out.iter().filter(|mail| mail.to == address("bob")).collect();
    assert_eq!(bobs.len(), 2);
    bobs[0].says("alice (X) places on e5");
    bobs[1].says("Mails to carol come back");
}

#[test]
fn a_damaged_mail_in_the_outbox_keeps_no_other_back() {
    let mut post = Post::trusting();
    post.people(&["alice"]);
    for (number, raw) in [(1, "x''"), (2, "x'ffffffff00'"), (3, "x'0500000012'")] {
        post.edit(|tx| {
            let row = format!(
                "INSERT INTO outbox (recipient, message_id, kind, bytes, created, next_try, state, packed)
                 VALUES ('alice@alice.example', '<{number}@x>', 'notice', {raw}, 1, 1, 'queued', 1)"
            );
            tx.execute_batch(&row)?;
            Ok(())
        });
    }
    post.mail(Letter::from("alice").text("help"));
    post.later(60 * 60);
    post.last("alice").says("signup");
    let failed = post.read(|tx| tx.outbox()).unwrap();
    assert_eq!(failed.len(), 3);
    assert!(
        failed
            .iter()
            .all(|row| row.state == "failed" && row.last_reply.as_deref() == Some("the stored mail is damaged"))
    );
}
