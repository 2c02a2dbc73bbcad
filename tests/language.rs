//! The language of the mails, as LANGUAGE.md has it: the table of commands, lines and letters.

use playpost::language::*;

/// The canonical form of a line, or `None` where it is no command.
fn canonical(line: &str) -> Option<String> {
    read_line(line).ok().map(|line| line.canonical)
}

#[test]
fn every_example_is_its_command_and_canonical() {
    for entry in COMMANDS {
        assert!(!entry.examples.is_empty(), "{} has no example", entry.word);
        assert!(!entry.syntax.is_empty(), "{} has no syntax", entry.word);
        for example in entry.examples {
            let line = read_line(example).unwrap_or_else(|_| panic!("{example}"));
            let bare_turn = entry.word == "pass" && line.entry.word == "move";
            assert!(line.entry == entry || bare_turn, "{example}: {line:?}");
            assert_eq!(line.canonical, *example);
        }
    }
}

#[test]
fn words_of_the_table_are_each_their_own() {
    let mut seen = std::collections::BTreeSet::new();
    for entry in COMMANDS {
        for word in [&[entry.word], entry.aliases, entry.slips].concat() {
            assert!(seen.insert(word), "{word} stands twice");
            assert_eq!(word, word.to_lowercase());
        }
    }
    assert_eq!(COMMANDS[0].word, "move");
}

#[test]
fn lines_in_canonical_form() {
    for (typed, expected) in [
        ("D4.", "d4"),
        ("c4–c5", "c4-c5"),
        ("c4—c5", "c4-c5"),
        ("c4 → c5", "c4-c5"),
        ("c4 -> c5", "c4-c5"),
        ("c4 - c5", "c4-c5"),
        ("c4-->c5", "c4-c5"),
        ("c4 => c5", "c4-c5"),
        ("＃１２　ｄ４", "#12 d4"),
        ("\u{feff}move\u{a0}d4\u{200b}", "move d4"),
        ("* d4", "d4"),
        ("- d4", "d4"),
        ("1. d4", "d4"),
        ("• say hello there", "say hello there"),
        ("*d4*", "d4"),
        ("**move d4**.", "move d4"),
        ("12 d4", "12 d4"),
        ("#012 d4", "#12 d4"),
        ("#12: d4", "#12 d4"),
        ("Susan 12 d4", "susan 12 d4"),
        ("susan #12 d4", "susan #12 d4"),
        ("Susan d4", "susan d4"),
        ("d4#7", "d4#7"),
        ("move d4 #7", "move d4#7"),
        ("X: d4", "x: d4"),
        ("mvoe d4", "move d4"),
        ("mov d4", "move d4"),
        ("chall bob susan", "challenge bob susan"),
        ("Challenge Bob Susan", "challenge bob susan"),
        (
            "challenge bob susan —time=7d —unrated",
            "challenge bob susan --time=7d --unrated",
        ),
        (
            "challenge bob susan -large --time=10d+36h --unr",
            "challenge bob susan -large --time=10d+36h --unrated",
        ),
        ("challenge susan bob", "challenge susan bob"),
        ("susan challenge -large alice bob", "susan challenge -large alice bob"),
        (
            "challenge friend@example.net<mailto:friend@example.net> susan",
            "challenge friend@example.net susan",
        ),
        ("challenge susan --open", "challenge susan --open"),
        ("challenge bob sus", "challenge bob susan"),
        ("susan move 12 alice Sesame7 d4", "susan move 12 alice Sesame7 d4"),
        (
            "SUSAN MOVE 12 ALICE Sesame7 C4->C5!",
            "susan move 12 alice Sesame7 c4-c5",
        ),
        (
            "medusa move 7 alice Sesame7 a1 e1-c1 e3-c3",
            "medusa move 7 alice Sesame7 a1 e1-c1 e3-c3",
        ),
        ("susan move 12 d4", "susan move 12 d4"),
        (
            "susan say 12 alice secret  Hello – you!",
            "susan say 12 alice secret Hello – you!",
        ),
        ("susan say 12 alice secret", ""),
        ("susan show 12#7", "susan show 12#7"),
        ("susan show 12 alice secret", "susan show 12 alice secret"),
        ("show 12#7", "show 12#7"),
        ("susan accept 12 alice secret", "susan accept 12 alice secret"),
        ("resign #12", "resign #12"),
        ("history 12", "history 12"),
        ("resign 12", ""),
        ("say  Good luck – “really”!", "say Good luck – “really”!"),
        ("SAY Hi.", "say Hi."),
        ("say", ""),
        ("sa hello", ""),
        ("not he likes corners", ""),
        ("if e4-e5 then d6", "if e4-e5 then d6"),
        ("If c4–c5 then D4, if e6 then e5.", "if c4-c5 then d4 if e6 then e5"),
        ("if d4", ""),
        ("preview d4, d5 c4 - c5", "preview d4 d5 c4-c5"),
        ("medusa preview a1 e1-c1 pass", "medusa preview a1 e1-c1 pass"),
        ("dead d4, e5", "dead d4 e5"),
        ("dead none", "dead none"),
        ("dead", ""),
        ("pass.", "pass"),
        ("pass #7", "pass #7"),
        ("rosette pass 12 alice secret", "rosette pass 12 alice secret"),
        ("pas", ""),
        ("stat", ""),
        ("HELP", "help"),
        ("help chall", "help challenge"),
        ("도움말", "help"),
        ("기권", "resign"),
        ("set lang ko", "set language ko"),
        ("set reminders 50% 20% 1d", "set reminders 50% 20% 1d"),
        ("set sail", ""),
        ("vacation 2026–12–20 to 2027-01-03", "vacation 2026-12-20 to 2027-01-03"),
        ("vacation plans to come", ""),
        ("password Secret–1!", "password Secret–1!"),
        ("password OFF", "password off"),
        (
            "signup Alice Secret Alice@Example.net",
            "signup alice Secret alice@example.net",
        ),
        ("games bob fin", "games bob finished"),
        ("susan games", "susan games"),
        ("extend 3d", "extend 3d"),
        ("extend 3", ""),
        ("d4?", ""),
        ("d4?!", ""),
        ("a5 looks strong", ""),
        ("resign now", ""),
        ("I resign myself to a long evening", ""),
        ("no draw", ""),
        ("draw?", ""),
        ("Susan #12: your turn (alice - bob)", ""),
        ("susan", ""),
        ("#12", ""),
        ("12", ""),
        ("", ""),
        ("> d4", ""),
        ("\"d4\"", ""),
        ("end", ""),
        ("multiple", ""),
        ("#99999999999 d4", ""),
    ] {
        let expected = (!expected.is_empty()).then(|| expected.to_string());
        assert_eq!(canonical(typed), expected, "{typed:?}");
        if let Some(expected) = expected {
            let (first, again) = (read_line(typed).unwrap(), read_line(&expected).unwrap());
            assert_eq!(again.canonical, expected);
            assert_eq!(
                (again.command, again.target),
                (first.command, first.target),
                "{typed:?}"
            );
        }
    }
}

#[test]
fn letters() {
    let twenty_two: String = (1..=22).map(|number| format!("#{number} pass\n")).collect();
    for (subject, is_reply, typed, source, commands, unread, message) in [
        (
            "Susan #12: your turn (alice - bob)",
            true,
            "d4\n",
            Source::Text,
            vec!["d4"],
            None,
            None,
        ),
        (
            "#12 d4",
            false,
            "\nSorry for the wait.\n\n",
            Source::Subject,
            vec!["#12 d4"],
            None,
            Some("Sorry for the wait."),
        ),
        ("#12 d4", false, "e5", Source::Subject, vec!["#12 d4"], None, Some("e5")),
        (
            "#12 d4",
            true,
            "I just sent it\nd4",
            Source::None,
            vec![],
            Some("I just sent it"),
            None,
        ),
        (
            "multiple",
            false,
            "#12 d4\r\n\r\n#15 c4-c5\r\nThat was it.\r\n#16 resign",
            Source::Text,
            vec!["#12 d4", "#15 c4-c5"],
            None,
            Some("That was it.\n#16 resign"),
        ),
        ("x", true, "Hi,\n\nd4\n", Source::Text, vec!["d4"], None, Some("Hi,")),
        (
            "x",
            true,
            "Hello Bob!\n\nc4-c5\n\nThat took me a week.\n",
            Source::Text,
            vec!["c4-c5"],
            None,
            Some("Hello Bob!\nThat took me a week."),
        ),
        (
            "x",
            true,
            "Hi Bob,\nhello again,\nd4\n",
            Source::None,
            vec![],
            Some("hello again,"),
            None,
        ),
        ("x", true, "Hi Bob", Source::None, vec![], Some("Hi Bob"), None),
        (
            "x",
            true,
            "d4\n\nFirst.\n\nSecond.\n",
            Source::Text,
            vec!["d4"],
            None,
            Some("First.\n\nSecond."),
        ),
        (
            "x",
            true,
            "d4\nEnd.\ne5\nresign",
            Source::Text,
            vec!["d4"],
            None,
            Some("e5\nresign"),
        ),
        ("x", true, "d4\nend", Source::Text, vec!["d4"], None, None),
        ("x", true, " \n\u{200b}\n", Source::None, vec![], None, None),
        (
            "A new game",
            false,
            "challenge bob susan",
            Source::Text,
            vec!["challenge bob susan"],
            None,
            None,
        ),
    ] {
        let letter = letter(subject, is_reply, typed);
        let read: Vec<_> = letter.lines.iter().map(|line| line.canonical.as_str()).collect();
        assert_eq!(letter.source, source, "{typed:?}");
        assert_eq!(read, commands, "{typed:?}");
        assert_eq!(letter.unread.as_deref(), unread, "{typed:?}");
        assert_eq!(letter.message.as_deref(), message, "{typed:?}");
    }
    let many = letter("x", true, &format!("{twenty_two}That is all."));
    assert_eq!(many.lines.len(), MOST_COMMANDS);
    assert_eq!(many.dropped, ["#21 pass", "#22 pass"]);
    assert_eq!(many.message.as_deref(), Some("That is all."));
}
