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
        ("기권!", "resign"),
        ("기권 #12", "resign #12"),
        ("기권할게요", ""),
        ("기권 할게요", ""),
        ("기권?", ""),
        ("무승부로 할까요", ""),
        ("두기 d4", "move d4"),
        ("susan 두기 12 alice Sesame7 d4", "susan move 12 alice Sesame7 d4"),
        ("패스", "pass"),
        ("패스#7", "pass#7"),
        ("사석 d4 e5", "dead d4 e5"),
        ("사석 없음", "dead none"),
        ("만약 c4-c5 이면 d4", "if c4-c5 then d4"),
        ("만약 c4-c5면 d4 만약 e6이면 e5", "if c4-c5 then d4 if e6 then e5"),
        ("연장 1일12시간", "extend 1d12h"),
        ("전하기 d4 이면 좋겠네요.", "say d4 이면 좋겠네요."),
        ("메모하기 없음", "note 없음"),
        (
            "도전 bob susan -side=6 --unrated",
            "challenge bob susan -side=6 --unrated",
        ),
        ("가입 alice 끔", "signup alice 끔"),
        ("비밀번호 비밀7", "password 비밀7"),
        ("비밀번호 끔", "password off"),
        ("추가 주소 alice@example.net", "add address alice@example.net"),
        ("설정 언어 한국어", "set language ko"),
        ("설정 제한 susan 5", "set limit susan 5"),
        (
            "휴가 2026-12-20부터 2027-01-03까지",
            "vacation 2026-12-20 to 2027-01-03",
        ),
        ("휴가 2026-12-20 ~ 2027-01-03", "vacation 2026-12-20 to 2027-01-03"),
        ("휴가 잘 보내세요", ""),
        ("대국목록 bob 종료", "games bob finished"),
        (
            "보관함 susan bob 시작일 2026-01-01 쪽 2",
            "archive susan bob since 2026-01-01 page 2",
        ),
        ("도움말 기권", "help resign"),
        ("네", "yes"),
        ("예.", "yes"),
        ("네!", "yes"),
        ("네 그럼요", ""),
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

#[test]
fn every_command_has_its_words() {
    let words: toml::Table = include_str!("../templates/en/commands.toml").parse().unwrap();
    for entry in COMMANDS {
        for key in ["summary", "text"] {
            let word = words[entry.word].get(key).and_then(toml::Value::as_str);
            assert!(word.is_some_and(|word| !word.trim().is_empty()), "{} {key}", entry.word);
        }
    }
    for section in Section::ALL {
        assert!(words["sections"].get(section.name()).is_some(), "{}", section.name());
    }
    // Nothing explains a command that there is not.
    assert_eq!(words.len(), COMMANDS.len() + 1);
}

#[test]
fn what_a_line_means() {
    let line = read_line("susan move 12 alice Sesame7 d4#7").unwrap();
    assert_eq!(
        line.target,
        MatchRef {
            game: Some("susan"),
            number: Some(12)
        }
    );
    assert_eq!(
        line.credentials,
        Some(Credentials {
            userid: "alice".into(),
            password: Some("Sesame7".into())
        })
    );
    assert_eq!(
        line.command,
        Command::Move {
            text: "d4".into(),
            turn: Some(7)
        }
    );
    assert_eq!(line.shown, "susan move 12 alice … d4#7");

    let line = read_line("susan challenge -large a_1 bob carol --first=me").unwrap();
    assert_eq!(
        line.credentials,
        Some(Credentials {
            userid: "a_1".into(),
            password: None
        })
    );
    let Command::Challenge {
        opponents,
        game,
        options,
    } = line.command
    else {
        panic!("{:?}", line.command);
    };
    assert_eq!(game, "susan");
    assert_eq!(
        opponents,
        [Opponent::Player("bob".into()), Opponent::Player("carol".into())]
    );
    assert_eq!(options.game, [("large".to_string(), None)]);
    assert_eq!(options.terms, [("first".to_string(), Some("me".to_string()))]);

    let meaning = |line: &str| read_line(line).unwrap().command;
    assert!(
        matches!(meaning("challenge susan --open --unrated"), Command::Open { game: "susan", options } if options.terms.len() == 1)
    );
    assert_eq!(
        meaning("susan accept 12 alice secret"),
        Command::Accept { number: Some(12) }
    );
    assert_eq!(read_line("#12 accept").unwrap().target.number, Some(12));
    assert_eq!(meaning("#12 accept"), Command::Accept { number: None });
    assert_eq!(meaning("show #7"), Command::Show { turn: Some(7) });
    assert_eq!(meaning("susan show 12"), Command::Show { turn: None });
    assert_eq!(
        meaning("susan help"),
        Command::Help {
            topic: Some("susan".into())
        }
    );
    assert_eq!(
        meaning("preview d4 d5"),
        Command::Preview {
            turns: vec!["d4".into(), "d5".into()]
        }
    );
    assert_eq!(
        meaning("medusa preview a1 e1-c1 pass"),
        Command::Preview {
            turns: vec!["a1 e1-c1".into(), "pass".into()]
        }
    );
    assert_eq!(
        read_line_for("medusa", "preview a1 e1-c1").unwrap().command,
        Command::Preview {
            turns: vec!["a1 e1-c1".into()]
        }
    );
    assert_eq!(
        meaning("if c4-c5 then d4 if e6 then e5"),
        Command::If {
            chain: vec![("c4-c5".into(), "d4".into()), ("e6".into(), "e5".into())]
        }
    );
}

#[test]
fn passwords_are_never_shown() {
    for (line, shown) in [
        ("signup alice Secret9 a@b.net", "signup alice … a@b.net"),
        ("password Secret9", "password …"),
        ("susan resign 12 alice Secret9", "susan resign 12 alice …"),
        ("susan say 12 alice Secret9 hello", "susan say 12 alice … hello"),
    ] {
        let line = read_line(line).unwrap();
        assert_eq!(line.shown, shown);
        assert!(!format!("{:?}", line.credentials).contains("Secret9"));
    }
    let refused = read_line("susan mve 12 alice Secret9 d4 please").unwrap_err();
    assert_eq!(refused.shown, "susan mve 12 alice … d4 please");
}

#[test]
fn a_refusal_names_the_nearest_command() {
    for (line, nearest) in [
        ("resing now", Some("resign")),
        ("chalenge", Some("challenge")),
        ("histry please", Some("history")),
        ("d4?", Some("move")),
        ("a5 looks strong", Some("move")),
        ("#12 movve d4", Some("move")),
        ("tutoriall", Some("tutorial")),
        ("beautiful weather", None),
        ("?", None),
        ("", None),
    ] {
        assert_eq!(read_line(line).unwrap_err().nearest, nearest, "{line}");
    }
}

#[test]
fn userids() {
    for name in ["alice", "Bob-2", "a_1", "x1234567890123456789"] {
        assert_eq!(check_userid(name), Ok(()), "{name}");
    }
    for (name, why) in [
        ("al", BadUserid::TooShort),
        ("", BadUserid::TooShort),
        ("x12345678901234567890", BadUserid::TooLong),
        ("1alice", BadUserid::Beginning),
        ("-alice", BadUserid::Beginning),
        ("al ice", BadUserid::Letter(' ')),
        ("김철수", BadUserid::Letter('김')),
        ("Resign", BadUserid::Command),
        ("end", BadUserid::Command),
        ("susan", BadUserid::Game),
        ("s19", BadUserid::Cell),
    ] {
        assert_eq!(check_userid(name), Err(why), "{name}");
    }
}

/// Lines of words that the language knows, in any order, and of anything else.
fn any_line() -> impl proptest::strategy::Strategy<Value = String> {
    use proptest::prelude::*;
    let words: Vec<String> = COMMANDS
        .iter()
        .flat_map(|entry| [&[entry.word], entry.aliases, entry.slips].concat())
        .chain([
            "susan",
            "Medusa",
            "shogi",
            "12",
            "#12",
            "12#7",
            "alice",
            "bob",
            "secret!",
            "d4",
            "c4–c5",
            "->",
            "-",
            "—time=7d",
            "-large",
            "--open",
            "then",
            "all",
            "none",
            "to",
            "off",
            "2026-12-20",
            "a@b.net",
            "*",
            "1.",
            "X:",
            "e4xh7=Q",
            ".",
            "#7",
            "page",
            "since",
            "address",
            "ko",
            "50%",
            "3d",
            "\u{a0}",
            "\u{200b}",
            "“",
            "Ｄ４",
            "…",
            "language",
            "Medusa Shogi",
        ])
        .map(String::from)
        .collect();
    let known = proptest::collection::vec(proptest::sample::select(words), 0..8).prop_map(|words| words.join(" "));
    prop_oneof![4 => known, 1 => any::<String>(), 1 => ".*"]
}

proptest::proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig { cases: 4000, failure_persistence: None, ..Default::default() })]

    #[test]
    fn the_canonical_form_reads_as_itself(typed in any_line()) {
        if let Ok(line) = read_line(&typed) {
            let again = read_line(&line.canonical);
            let again = again.map_err(|_| proptest::test_runner::TestCaseError::fail(format!("{typed:?} gave {line:?}")))?;
            proptest::prop_assert_eq!(&again.canonical, &line.canonical);
            proptest::prop_assert_eq!(&again.command, &line.command);
            proptest::prop_assert_eq!(&again.target, &line.target);
            proptest::prop_assert_eq!(&again.shown, &line.shown);
            proptest::prop_assert!(is_command(&typed));
        }
    }

    #[test]
    fn any_letter_is_read(subject in any_line(), lines in proptest::collection::vec(any_line(), 0..30)) {
        let typed = lines.join("\n");
        let read = letter(&subject, false, &typed);
        proptest::prop_assert!(read.lines.len() <= MOST_COMMANDS);
        proptest::prop_assert!(read.unread.is_none() || read.lines.is_empty());
        proptest::prop_assert_eq!(read.source == Source::None, read.lines.is_empty());
    }
}

#[test]
fn long_lines_are_texts() {
    let long = "d4 ".repeat(70_000);
    assert!(!is_command(&long));
    assert!(!is_command(&"d".repeat(200_000)));
    assert!(!is_command(&format!("if {long}")));
    assert!(!is_command(&format!("preview {long}")));
    let said = read_line(&format!("say {long}")).unwrap();
    assert_eq!(said.canonical.len(), "say ".len() + long.trim_end().len());
}

/// Every turn of the given games, as a line: bare, behind a match, and in the older spelling.
#[test]
fn turns_of_all_games_are_commands() {
    let directory = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/rules");
    let mut turns = std::collections::BTreeSet::new();
    for game in playpost::games::GAMES {
        let cases = std::fs::read_to_string(directory.join(format!("{}.jsonl", game.info.name))).unwrap();
        for case in cases.lines() {
            let case: serde_json::Value = serde_json::from_str(case).unwrap();
            let played = case["turns"].as_array().unwrap().iter();
            turns.extend(played.filter_map(|turn| Some((game.info.name, turn["move"].as_str()?.to_lowercase()))));
        }
    }
    turns.retain(|(_, turn)| !turn.ends_with("resign"));
    assert!(turns.len() > 1000);
    for (game, turn) in &turns {
        for line in [turn.clone(), format!("#12 {turn}"), format!("{game} 12 {turn}")] {
            assert_eq!(canonical(&line).as_ref(), Some(&line), "{game}");
        }
        if !turn.contains(':') {
            let line = read_line_for(game, &turn.to_uppercase()).unwrap();
            assert_eq!(&line.canonical, turn, "{game}");
        }
        let line = format!("{game} move 12 alice Sesame7 {turn}");
        assert_eq!(canonical(&line).as_ref(), Some(&line));
    }
}

#[test]
fn moves_as_people_write_them() {
    for (typed, expected) in [
        ("1) d4", "d4"),
        ("– d4", "d4"),
        ("d4;", "d4"),
        ("d4 ,", "d4"),
        ("d4…", "d4"),
        ("d4。", "d4"),
        ("c4‑c5", "c4-c5"),
        ("c4‒c5", "c4-c5"),
        ("c4−c5", "c4-c5"),
        ("c4 ⇒ c5", "c4-c5"),
        ("c4➔c5", "c4-c5"),
        ("c4 ⟶ c5", "c4-c5"),
        ("c4>c5", "c4-c5"),
        ("c4:c5", "c4-c5"),
        ("c4c5", "c4-c5"),
        ("c4 –> c5", "c4-c5"),
        ("c4--c5", "c4-c5"),
        ("c4 —c5", "c4-c5"),
        ("C4ㅡC5", "c4-c5"),
        ("a1 e1→c1 e3 → c3", "a1 e1-c1 e3-c3"),
        ("a1, e1-c1, e3-c3", "a1 e1-c1 e3-c3"),
        ("qs15", "q15-s15"),
        ("E4×H7=Q", "e4xh7=q"),
        ("＋Ｂ＠ｅ５", "+b@e5"),
        ("N@e5!", "n@e5"),
        ("castle h1", "castle h1"),
        ("b: agree", "b: agree"),
        ("d4!?", ""),
        ("d4 d5?", ""),
        ("d4 :-)", ""),
        ("d 4", ""),
        ("move", ""),
        ("d4 or d5", ""),
        ("not d4", ""),
        ("d4-d5-d6", ""),
        ("z99", ""),
        ("O-O", ""),
        ("pass the salt", ""),
        ("i pass", ""),
        ("+ b@e5", ""),
        ("e", ""),
    ] {
        let expected = (!expected.is_empty()).then(|| expected.to_string());
        assert_eq!(canonical(typed), expected, "{typed:?}");
    }
}
