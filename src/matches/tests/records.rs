//! Records: written, read and checked.

use super::*;

const SITE: &str = "play@example.org";

/// A match that ends with a resignation.
fn resigned() -> Story {
    let mut story = Story::new(susan(&[]));
    story.turn(131, X, "e5").unwrap();
    story.turn(13 * HOUR, O, "c4").unwrap();
    let text = "Nice try!\n\nReally.".to_string();
    story.by(14 * HOUR, O, Action::Say { text }).unwrap();
    story.by(15 * HOUR, O, Action::Resign).unwrap();
    story
}

const TEXT: &str = r#"[Game "susan"]
[Options "side=5"]
[Match "12"]
[Site "play@example.org"]
[Rules "1"]
[X "alice"]
[O "bob"]
[Start "2026-11-29T18:00:00Z"]
[End "2026-11-30T09:00:00Z"]
[Time "10d+36h/10d"]
[Rated "yes"]
[Result "X"]
[Reason "resigned"]

e5        ; 2026-11-29T18:02:11Z
c4        ; 2026-11-30T07:00:00Z
# bob: Nice try!
# bob: Really.
O: resign ; 2026-11-30T09:00:00Z
"#;

#[test]
fn is_written_as_the_design_says() {
    let story = resigned();
    assert_eq!(Record::of(&story.game, Some(SITE), true).to_text(), TEXT);
    let silent = Record::of(&story.game, Some(SITE), false).to_text();
    assert!(!silent.contains("bob:"));
}

/// Written, read and written again it is the same, as text and as JSON, and the match that it makes is the same.
fn round_trips(game: &Match) {
    let record = Record::of(game, Some(SITE), true);
    let text = record.to_text();
    let read = Record::parse(&text).unwrap();
    assert_eq!(read, record);
    assert_eq!(read.to_text(), text);
    assert_eq!(Record::parse(&text.replace('\n', "\r\n")).unwrap(), record);
    let line = record.to_json();
    assert!(!line.contains('\n'));
    assert_eq!(Record::from_json(&line).unwrap(), record);
    let (head, entries) = read.into_match();
    let again = Match::replay(head, &entries).unwrap();
    assert_eq!(Record::of(&again, Some(SITE), true), record);
    assert_eq!(again.summary_json(), game.summary_json());
}

#[test]
fn every_end_of_a_match_round_trips() {
    round_trips(&resigned().game);

    let mut lost = Story::new(susan(&[("soft", ""), ("weekdays", ""), ("unrated", "")]));
    lost.play(0, "e5 d4");
    lost.by(40 * DAY, O, Action::Claim).unwrap();
    round_trips(&lost.game);

    let mut drawn = Story::new(susan(&[("time", "7d")]));
    drawn.play(0, "e5 d4");
    drawn.by(200, O, Action::OfferDraw).unwrap();
    drawn.by(300, X, Action::Accept).unwrap();
    round_trips(&drawn.game);

    let mut slides = Story::new(begin(terms("susan", &[("side", "6")], &[])));
    slides.play(0, "a1 k11 a1-a2 k11-k10 a2-a1 k10-k11 a1-a2 k11-k10");
    assert_eq!(slides.game.ended().unwrap().reason, "six slides");
    round_trips(&slides.game);

    let mut judged = Story::new(susan(&[("time", "none"), ("unrated", "")]));
    judged.play(0, "e5");
    let verdict = Verdict::Winner(O);
    let reason = "abandoned".to_string();
    judged
        .act(500, Actor::Keeper, Action::Adjudicate { verdict, reason })
        .unwrap();
    round_trips(&judged.game);
}

#[test]
fn three_seats_and_setups_round_trip() {
    let three = || terms("susan", &[("seats", "3")], &[("time", "7d")]);
    let mut shared = Story::new(begin(three()));
    shared.play(0, "e5");
    shared.by(60, Y, Action::Resign).unwrap();
    shared.by(61, X, Action::OfferDraw).unwrap();
    shared.by(62, O, Action::Accept).unwrap();
    round_trips(&shared.game);
    let text = Record::of(&shared.game, None, false).to_text();
    assert!(
        text.contains("[Result \"X O\"]") && text.contains("[Options \"side=5 seats=3\"]"),
        "{text}"
    );

    let mut on_time = Story::new(begin(three()));
    on_time.play(0, "e5");
    on_time.by(60, Y, Action::Resign).unwrap();
    on_time.tick(30 * DAY);
    round_trips(&on_time.game);

    let mut set = terms("susan", &[], &[]);
    set.setup = Some("5/6/7/8/3OOX3/2O1OX2/3XX2/6/5 X 0".to_string());
    let mut story = Story::new(begin(set));
    story.turn(60, X, "d4").unwrap();
    round_trips(&story.game);
}

#[test]
fn a_match_that_goes_on_round_trips() {
    let mut story = Story::new(begin(terms("rosette", &[("side", "3"), ("nocount", "")], &[])));
    story.play(0, "a1 pass");
    round_trips(&story.game);
    let text = Record::of(&story.game, None, false).to_text();
    assert!(text.contains("[Result \"*\"]\n\n"), "{text}");
}

/// The line and the problem of a record that is refused.
fn refused(text: &str) -> (usize, Problem) {
    let error = Record::parse(text).unwrap_err();
    (error.line, error.problem)
}

#[test]
fn says_which_line_is_wrong() {
    let with = |from: &str, to: &str| refused(&TEXT.replacen(from, to, 1));
    assert!(matches!(with("c4 ", "e5 "), (16, Problem::Turn { turn: 2, .. })));
    assert!(matches!(with("[Rated \"yes\"]", "[Rated yes]"), (11, Problem::NotATag)));
    assert!(matches!(with("\"yes\"", "\"maybe\""), (11, Problem::Value { .. })));
    assert!(matches!(with("susan", "suzan"), (1, Problem::UnknownGame(_))));
    assert!(matches!(with("side=5", "side=55"), (2, Problem::Option(_))));
    assert!(matches!(with("[O \"bob\"]\n", ""), (12, Problem::Missing(tag)) if tag == "O"));
    assert!(matches!(with("[X \"alice\"]", "[O \"alice\"]"), (7, Problem::Twice(tag)) if tag == "O"));
    assert!(matches!(with("18:02:11Z", "yesterday"), (15, Problem::NoTime(_))));
    assert!(matches!(with("\"10d+36h/10d\"", "\"soon\""), (10, Problem::Time(_))));
    assert!(matches!(with("[Result \"X\"]", "[Result \"O\"]"), (12, Problem::Result { given }) if given == "X"));
    assert!(matches!(
        with("[Result \"X\"]", "[Result \"Q\"]"),
        (12, Problem::Value { .. })
    ));
    assert!(matches!(
        with("\"resigned\"", "\"surrounded\""),
        (13, Problem::Reason { .. })
    ));
    assert!(matches!(
        refused(&TEXT.replace("c4  ", "setup 5/6/7/8/9/8/7/6/5 X 0\nc4  ")),
        (16, Problem::SetupTooLate)
    ));
    assert!(matches!(
        refused(&TEXT.replace("\ne5", "\nsetup nonsense\ne5")),
        (15, Problem::Setup(_))
    ));
}

#[test]
fn a_result_that_the_turns_do_not_give_needs_a_reason_that_is_not_theirs() {
    let open = TEXT.replace("O: resign ; 2026-11-30T09:00:00Z\n", "");
    let with = |result: &str, reason: &str| {
        let text = open
            .replace("[Result \"X\"]", &format!("[Result \"{result}\"]"))
            .replace("[Reason \"resigned\"]", &format!("[Reason \"{reason}\"]"));
        Record::parse(&text)
    };
    // X is to move, so that only O can have won on time.
    assert!(with("O", "time").is_ok());
    assert!(with("draw", "agreed").is_ok());
    assert!(with("X", "adjudicated").is_ok());
    for (result, reason) in [
        ("X", "time"),
        ("draw", "time"),
        ("X", "agreed"),
        ("X", "surrounded"),
        ("draw", "six slides"),
    ] {
        let error = with(result, reason).unwrap_err();
        assert_eq!(error.line, 12, "{result} {reason}");
    }
    assert!(matches!(
        with("Y", "adjudicated").unwrap_err().problem,
        Problem::NoSuchSeat(Y)
    ));
    assert_eq!(with("*", "time").unwrap_err().line, 13);
}

#[test]
fn keeps_tags_that_it_does_not_know_and_passes_over_comments() {
    let text = TEXT.replace("\n\ne5", "\n[Event \"a \\\"cup\\\"\"]\n\n# a comment\ne5");
    let record = Record::parse(&text).unwrap();
    assert_eq!(record.others, [("Event".to_string(), "a \"cup\"".to_string())]);
    assert_eq!(Record::parse(&record.to_text()).unwrap(), record);
}

#[test]
fn bad_json_is_refused() {
    for line in ["", "{}", "[]", "{\"game\": \"susan\"}"] {
        assert!(matches!(Record::from_json(line), Err(Problem::Json(_))), "{line}");
    }
    let line = Record::of(&resigned().game, None, false).to_json();
    let bad = line.replace("\"c4\"", "\"e5\"");
    assert!(matches!(Record::from_json(&bad), Err(Problem::Turn { turn: 2, .. })));
}

#[test]
fn a_resignation_is_a_line_with_its_seat_whoever_is_to_move() {
    let written = |turns: &str| TEXT.replace(&TEXT[TEXT.find("\ne5").unwrap()..], turns);
    let by_mover = Record::parse(&written("\ne5\nO: resign\n")).unwrap();
    assert_eq!(by_mover, Record::parse(&written("\ne5\nresign\n")).unwrap());
    assert!(
        by_mover.to_text().ends_with("\ne5\nO: resign\n"),
        "{}",
        by_mover.to_text()
    );
    let (head, events) = by_mover.into_match();
    let game = Match::replay(head, &events).unwrap();
    assert_eq!(game.turns()[1].text, "resign");
    assert!(Record::of(&game, None, false).to_text().contains("\nO: resign"));
}
