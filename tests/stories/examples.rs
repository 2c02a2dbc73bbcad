//! Every line that help shows as an example is carried out, sent as a mail in a state that fits it.

use std::collections::BTreeMap;

use playpost::language::{COMMANDS, read_line};
use playpost::store::StoreError;

use crate::harness::{DAY, HOUR, Letter, Out, Post, address};

/// Where an example is tried.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Scene {
    /// Nobody has an account.
    Nobody,
    /// Alice, bob and carol, and the next match is number 12, as the next challenge is.
    People,
    /// Match 12, Susan; alice plays the 7th turn.
    Susan,
    /// Match 12, Rosette; alice plays the 7th turn.
    Rosette,
    /// Match 12, Rosette; both have passed.
    Counting,
    /// Match 12, Susan; alice's soft clock has run out.
    RanOut,
}

impl Scene {
    fn build(self) -> Post {
        let mut post = Post::trusting();
        if self == Scene::Nobody {
            return post;
        }
        post.people(&["alice", "bob", "carol"]);
        post.same.push((address("alice"), "alice@example.org".to_string()));
        post.write("alice", "password secret");
        post.edit(|tx| {
            tx.execute_batch(
                "DELETE FROM sqlite_sequence WHERE name IN ('match', 'challenge');
                 INSERT INTO sqlite_sequence (name, seq) VALUES ('match', 11), ('challenge', 11);",
            )
            .map_err(StoreError::from)
        });
        let (challenge, turns): (&str, &[&str]) = match self {
            Scene::Nobody | Scene::People => return post,
            Scene::Susan => ("susan", &["c4", "a1", "i9", "a2", "i8", "e1"]),
            Scene::Rosette => ("rosette", &["d4", "e5", "c3", "f6", "b2", "g7"]),
            Scene::Counting => ("rosette", &["d4", "e5", "pass", "pass"]),
            Scene::RanOut => ("susan --soft --time=1d", &[]),
        };
        let number = post.begin("alice", "bob", challenge);
        assert_eq!(number, 12);
        post.play(number, ["alice", "bob"], turns);
        if self == Scene::RanOut {
            post.later(DAY + HOUR);
        }
        // The next challenge is number 12 as well.
        post.edit(|tx| {
            tx.execute_batch(
                "DELETE FROM invitee; DELETE FROM challenge;
                 UPDATE sqlite_sequence SET seq = 11 WHERE name = 'challenge';",
            )
            .map_err(StoreError::from)
        });
        post
    }
}

/// Who says an example where, and what is said before it (by whom).
fn setting(word: &str, example: &str) -> (&'static str, Scene, &'static [(&'static str, &'static str)]) {
    match (word, example) {
        ("show", _) if example.contains("#7") => ("alice", Scene::Susan, &[("alice", "d4")]),
        ("pass", _) => ("alice", Scene::Rosette, &[]),
        ("agree", _) => ("alice", Scene::Counting, &[("bob", "#12 dead none")]),
        ("dead" | "resume", _) => ("alice", Scene::Counting, &[]),
        ("if", _) => ("bob", Scene::Susan, &[]),
        ("drop", _) => ("bob", Scene::Susan, &[("bob", "#12 if c4-c5 then d4")]),
        ("accept", "accept") | ("reject", _) => ("alice", Scene::Susan, &[("bob", "#12 draw")]),
        ("accept" | "decline", _) => ("alice", Scene::People, &[("bob", "challenge alice susan")]),
        ("withdraw", _) => ("alice", Scene::People, &[("alice", "challenge bob susan")]),
        ("claim", _) => ("bob", Scene::RanOut, &[]),
        ("continue", _) => ("alice", Scene::Susan, &[("bob", "#12 pause"), ("alice", "#12 accept")]),
        ("watch", _) => ("carol", Scene::Susan, &[]),
        ("unwatch", _) => ("carol", Scene::Susan, &[("carol", "#12 watch")]),
        ("rematch", _) => ("alice", Scene::Susan, &[("bob", "#12 resign")]),
        ("unblock", _) => ("alice", Scene::People, &[("alice", "block bob")]),
        ("signup" | "stop", _) => ("newcomer", Scene::Nobody, &[]),
        ("remove", _) => (
            "alice",
            Scene::People,
            &[("alice", "add address alice@example.org"), ("alice@example.org", "yes")],
        ),
        ("yes", _) => ("alice", Scene::People, &[("alice", "signoff")]),
        (_, _) if COMMANDS.iter().any(|entry| entry.word == word && entry.needs_match) => ("alice", Scene::Susan, &[]),
        _ => ("alice", Scene::People, &[]),
    }
}

/// Says a line: in the older spelling from anywhere, else in answer to the last mail that the person got.
fn say(post: &mut Post, person: &str, line: &str) -> Out {
    let is_older = line.contains("secret") && !line.starts_with("signup");
    let last = post.find_last(person).cloned();
    let came = match last {
        _ if is_older => post.mail(Letter::from("cafe").subject(line)),
        Some(mail) => post.mail(Letter::answer(person, &mail).text(line)),
        None => post.mail(Letter::from(person).text(line)),
    };
    let answer = came.out.iter().find(|mail| mail.is_answer());
    answer.unwrap_or_else(|| panic!("no answer to {line:?}")).clone()
}

#[test]
fn every_example_in_the_table_is_carried_out() {
    let mut scenes: BTreeMap<Scene, Post> = BTreeMap::new();
    let mut tried = 0;
    for entry in COMMANDS {
        assert!(!entry.examples.is_empty(), "{} has no example", entry.word);
        for example in entry.examples {
            let (person, scene, before) = setting(entry.word, example);
            let mut post = scenes.entry(scene).or_insert_with(|| scene.build()).copy();
            if *example == "set language ko" && !post.speaks("ko") {
                continue;
            }
            for (other, line) in before {
                say(&mut post, other, line);
            }
            let text = say(&mut post, person, example).text();
            let refusals = [
                "Not understood",
                "Not allowed",
                "Illegal",
                "Did you write this?",
                "could not read",
            ];
            let refused = refusals.iter().find(|words| text.contains(**words));
            assert_eq!(refused, None, "{example:?}:\n{text}");
            tried += 1;
        }
    }
    assert!(tried > 90, "{tried}");
}

/// Lines behind the mark of an example.
fn examples_in(text: &str) -> Vec<String> {
    let marked = text.lines().filter_map(|line| line.trim().strip_prefix("| "));
    marked.map(str::to_string).collect()
}

#[test]
fn help_shows_the_examples_that_are_tried() {
    let mut post = Post::with("[identity]\ntrust = \"from\"\n[limits]\nanswers_per_hour_player = 1000\n");
    post.people(&["alice"]);
    for entry in COMMANDS {
        let came = post.write("alice", &format!("help {}", entry.word));
        let text = came.to("alice").text();
        let (_, examples) = text.split_once("For example:").unwrap();
        assert_eq!(examples_in(examples), entry.examples, "{text}");
    }
}

#[test]
fn the_tutorial_can_be_followed_line_by_line() {
    let mut post = Post::trusting();
    post.people(&["bob"]);
    let tutorial = post.write("alice", "tutorial").to("alice").text();
    let mut followed = Vec::new();
    for line in examples_in(&tutorial) {
        let Ok(read) = read_line(&line) else {
            assert_eq!(line, "Good luck!");
            continue;
        };
        let came = post.write("alice", &line);
        let text = came.to("alice").text();
        assert!(!text.contains("Not "), "{line:?}:\n{text}");
        if read.entry.word == "challenge" {
            post.write("bob", "accept 1");
            if post.show(1)["seats"]["X"] == "bob" {
                post.write("bob", "#1 e5");
            }
        }
        followed.push(read.entry.word);
    }
    assert_eq!(followed, ["signup", "challenge", "open", "move"]);
    assert!(post.show(1)["turns"].to_string().contains("d4"));
}
