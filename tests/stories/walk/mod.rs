//! The table of commands, walked: every command by every kind of sender in every state of a match has the right effect
//! or the right refusal, and the right people hear of it.

mod oracle;
mod world;

use std::collections::BTreeSet;

use playpost::language::{COMMANDS, Entry};

use crate::harness::{Out, address};
use oracle::{Answer, expected, line};
use world::{Sender, State, World};

fn walk(state: State) {
    let mut origin = World::in_state(state);
    for sender in Sender::ALL {
        let mut world = origin.copy();
        world.prepare_for(sender);
        let (changing, looking): (Vec<&Entry>, Vec<&Entry>) = COMMANDS
            .iter()
            .partition(|entry| expected(entry, sender, state).changes);
        let before = world.state();
        // What changes nothing can be said in a row; each of the others needs the world as it was.
        say(&mut world, &looking, sender, state);
        let after = world.state();
        assert!(
            before == after,
            "{sender:?} changes something ({state:?}):\n{before}\n{after}"
        );
        for entry in &changing {
            world.put_back();
            say(&mut world, &[entry], sender, state);
            assert_ne!(
                world.state(),
                before,
                "{sender:?} changes nothing by {} ({state:?})",
                entry.word
            );
        }
        if sender == Sender::Failing {
            assert!(!world.is_failing("alice"), "the mark stays ({state:?})");
        }
    }
}

/// Some commands of one sender, each in a mail: each has the right answer, and the right people hear of it.
fn say(world: &mut World, entries: &[&Entry], sender: Sender, state: State) {
    let lines: Vec<String> = entries.iter().map(|entry| line(entry, sender, state)).collect();
    let came = world.say(sender, &lines);
    for ((entry, line), out) in entries.iter().zip(&lines).zip(came) {
        let expected = expected(entry, sender, state);
        let case = format!("{sender:?} says {line:?} ({state:?})");
        let to = recipients(&out);
        let answers: Vec<&Out> = out.iter().filter(|mail| mail.is_answer()).collect();
        assert_eq!(answers.len(), 1, "{case}: mails go to {to:?}");
        assert_eq!(answers[0].to, address(sender.person()), "{case}");
        let text = answers[0].text();
        assert_eq!(answer_of(&text), expected.answer, "{case}:\n{text}");
        assert_eq!(to.len(), out.len(), "{case}: two mails to one reader");
        let own = address(sender.person());
        let must: BTreeSet<String> = expected
            .others
            .iter()
            .map(|person| address(person))
            .chain([own])
            .collect();
        let may: BTreeSet<String> = expected.perhaps.iter().map(|person| address(person)).collect();
        assert!(to.is_superset(&must), "{case}: mails go to {to:?}");
        let others = to.difference(&must).find(|reader| !may.contains(*reader));
        assert_eq!(others, None, "{case}: mails go to {to:?}");
        if state == State::Private && !sender.has_seat() {
            assert!(
                !text.contains("(alice - bob)"),
                "{case}: a private match is shown:\n{text}"
            );
        }
    }
}

fn recipients(out: &[Out]) -> BTreeSet<String> {
    out.iter().map(|mail| mail.to.clone()).collect()
}

/// Which kind of answer a text is, by the words that name the kind (LANGUAGE.md 4).
fn answer_of(text: &str) -> Answer {
    let kinds = [
        ("Did you write this?", Answer::Held),
        ("answer this mail with the one word", Answer::Asked),
        ("Not understood", Answer::NotUnderstood),
        ("Not allowed", Answer::NotAllowed),
        ("Illegal", Answer::Illegal),
    ];
    let flat = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let named: Vec<Answer> = kinds
        .into_iter()
        .filter(|(words, _)| flat.contains(words))
        .map(|(_, answer)| answer)
        .collect();
    // The question of a held line asks for one word as well.
    named.first().copied().unwrap_or(Answer::Done)
}

#[test]
fn without_a_match() {
    walk(State::NoMatch);
}

#[test]
fn a_challenge_waits() {
    walk(State::Challenged);
}

#[test]
fn a_match_is_played() {
    walk(State::Running);
}

#[test]
fn an_offer_waits() {
    walk(State::Offered);
}

#[test]
fn stones_are_counted() {
    walk(State::Counting);
}

#[test]
fn the_clocks_stand_still() {
    walk(State::Paused);
}

#[test]
fn a_match_is_over() {
    walk(State::Finished);
}

#[test]
fn a_match_is_private() {
    walk(State::Private);
}

#[test]
fn a_soft_clock_has_run_out() {
    walk(State::RanOut);
}
