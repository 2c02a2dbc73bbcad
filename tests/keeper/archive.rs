//! Records out of the archive and into it.

use crate::simulated::{fill, play};
use crate::support::{House, contents};
use playpost::games;
use playpost::matches::Record;
use std::fmt::Write;
use std::path::Path;

/// A match to be written as a record.
struct Sample<'a> {
    game: &'a str,
    options: &'a str,
    players: &'a [&'a str],
    setup: Option<&'a str>,
    /// How many turns are played, or fewer where the game ends before.
    turns: usize,
    /// What is said after them.
    last: Option<&'a str>,
    /// The tags; `None` asks the turns.
    end: Option<(&'a str, &'a str)>,
}

const TWO: &[&str] = &["alice", "bob"];

/// Turns drawn by a fixed rule from those that are offered.
fn text(number: u32, sample: &Sample) -> String {
    let game = games::find(sample.game).unwrap();
    let options: Vec<(String, Option<String>)> = sample
        .options
        .split_whitespace()
        .map(|word| match word.split_once('=') {
            Some((name, value)) => (name.to_string(), Some(value.to_string())),
            None => (word.to_string(), None),
        })
        .collect();
    let mut table = match sample.setup {
        Some(setup) => (game.setup)(&options, setup).unwrap(),
        None => (game.start)(&options).unwrap(),
    };
    let (mut turns, mut state) = (String::new(), u64::from(number));
    let mut played = 0;
    let mut play = |table: &mut Box<dyn games::Table>, turn: &str| {
        table.play(None, turn).unwrap();
        played += 1;
        writeln!(turns, "{turn} ; 2026-11-29T18:{:02}:{:02}Z", played / 60, played % 60).unwrap();
    };
    for _ in 0..sample.turns {
        if table.outcome().is_some() {
            break;
        }
        let steps = table.steps();
        state = state
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        let turn = steps[(state >> 33) as usize % steps.len()].clone();
        play(&mut table, &turn);
    }
    if let Some(last) = sample.last {
        play(&mut table, last);
    }
    let end = format!("2026-11-29T18:{:02}:{:02}Z", played / 60, played % 60);
    let outcome = table.outcome().cloned();
    let (result, reason) = match (sample.end, outcome) {
        (Some((result, reason)), _) => (result.to_string(), reason.to_string()),
        (None, Some(outcome)) => {
            let winner = outcome.winner.map_or("draw".to_string(), |seat| table.seat_name(seat));
            (winner, outcome.reason.to_string())
        }
        (None, None) => panic!("{} {number} does not end", sample.game),
    };
    let seats: String = table
        .seats()
        .chars()
        .zip(sample.players)
        .map(|(seat, player)| format!("[{seat} \"{player}\"]\n"))
        .collect();
    let setup = sample.setup.map(|setup| format!("setup {setup}\n")).unwrap_or_default();
    let text = format!(
        "[Game \"{}\"]\n[Options \"{}\"]\n[Match \"{number}\"]\n[Rules \"1\"]\n{seats}[Start \"2026-11-29T18:00:00Z\"]\n[End \"{end}\"]\n[Time \"10d+36h/10d\"]\n[Rated \"yes\"]\n[Result \"{result}\"]\n[Reason \"{reason}\"]\n\n{setup}{turns}",
        sample.game, sample.options
    );
    Record::parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    text
}

fn samples() -> Vec<String> {
    let sample = |game, options, turns, last, end| Sample {
        game,
        options,
        players: TWO,
        setup: None,
        turns,
        last,
        end,
    };
    let mut samples = Vec::new();
    for game in ["susan", "medusa", "lotus", "rosette", "medusa-shogi"] {
        samples.push(sample(game, "", 5, Some("resign"), None));
        samples.push(sample(game, "", 4, None, Some(("draw", "agreed"))));
        samples.push(sample(game, "", 3, None, Some(("draw", "adjudicated"))));
    }
    // With turns left even, the first seat is to move and loses on time.
    samples.push(sample("susan", "side=6", 4, None, Some(("O", "time"))));
    samples.push(sample("susan", "", 2000, None, None));
    samples.push(sample("medusa-shogi", "", 2000, None, None));
    let three = &["alice", "bob", "carol"];
    let four = &["alice", "bob", "carol", "dave"];
    samples.push(Sample {
        players: three,
        ..sample("susan", "seats=3", 5, None, Some(("draw", "agreed")))
    });
    samples.push(Sample {
        players: three,
        ..sample("susan", "seats=3", 3, Some("Y: resign"), Some(("X O", "agreed")))
    });
    samples.push(Sample {
        players: four,
        ..sample("susan", "seats=4", 6, None, Some(("O", "adjudicated")))
    });
    samples.push(Sample {
        setup: Some("5/6/7/8/3OOX3/2O1OX2/3XX2/6/5 X 0"),
        ..sample("susan", "", 2, Some("resign"), None)
    });
    samples
        .iter()
        .enumerate()
        .map(|(index, sample)| text(index as u32 + 1, sample))
        .collect()
}

fn write_all(directory: &Path, texts: &[String]) {
    std::fs::create_dir_all(directory).unwrap();
    for (index, text) in texts.iter().enumerate() {
        std::fs::write(directory.join(format!("{:03}.txt", index + 1)), text).unwrap();
    }
}

#[test]
fn what_is_exported_comes_out_the_same_after_an_import() {
    let texts = samples();
    let (first, second) = (House::new(), House::new());
    write_all(&first.path("records"), &texts);
    let said = first.run(&["archive", "import", "records"]).ok();
    assert_eq!(said, format!("{} taken in, 0 there already, 0 wrong\n", texts.len()));
    first.run(&["archive", "export", "--dir", "one"]).ok();
    first.run(&["archive", "export", "--jsonl", "one.jsonl"]).ok();
    assert_eq!(contents(&first.path("one")).len(), texts.len());

    second
        .run(&["archive", "import", first.path("one").to_str().unwrap()])
        .ok();
    second.run(&["archive", "export", "--dir", "two"]).ok();
    assert_eq!(contents(&first.path("one")), contents(&second.path("two")));

    let third = House::new();
    third
        .run(&["archive", "import", first.path("one.jsonl").to_str().unwrap()])
        .ok();
    third.run(&["archive", "export", "--jsonl", "three.jsonl"]).ok();
    let read = |path| std::fs::read_to_string(path).unwrap();
    assert_eq!(read(first.path("one.jsonl")), read(third.path("three.jsonl")));
    let shown = third.run(&["archive", "show", "1"]).ok();
    assert_eq!(shown, read(first.path("one/susan-1.txt")));
}

#[test]
fn a_simulated_archive_is_the_same_after_export_import_and_export() {
    const MATCHES: u32 = 156;
    let (first, second, third) = (House::new(), House::new(), House::new());
    fill(&first.path("data"), MATCHES);
    let reasons: std::collections::BTreeSet<&str> = (1..=MATCHES)
        .map(|number| play(number).game.ended().unwrap().reason)
        .collect();
    for reason in ["resigned", "agreed", "time", "adjudicated", "surrounded", "score"] {
        assert!(
            reasons.contains(reason),
            "no match ended so: {reason} (but {reasons:?})"
        );
    }
    for talk in [&[][..], &["--talk"][..]] {
        let export = |house: &House, to: &[&str]| {
            house.run(&[&["archive", "export"], to, talk].concat()).ok();
        };
        let (one, two) = (first.path("one"), second.path("two"));
        export(&first, &["--dir", "one"]);
        export(&first, &["--jsonl", "one.jsonl"]);
        second.run(&["archive", "import", one.to_str().unwrap()]).ok();
        export(&second, &["--dir", "two"]);
        assert!(contents(&one) == contents(&two), "the texts differ");
        third
            .run(&["archive", "import", first.path("one.jsonl").to_str().unwrap()])
            .ok();
        export(&third, &["--jsonl", "three.jsonl"]);
        let read = |path| std::fs::read_to_string(path).unwrap();
        assert!(
            read(first.path("one.jsonl")) == read(third.path("three.jsonl")),
            "the lines differ"
        );
        for house in [&second, &third] {
            assert_eq!(house.run(&["admin", "rebuild"]).ok(), "0 differences\n");
            // The next round takes in the same matches with what the players said.
            std::fs::remove_dir_all(house.path("data")).unwrap();
        }
    }
}

#[test]
fn what_is_there_is_skipped_and_what_is_wrong_is_named() {
    let house = House::new();
    let texts = samples();
    write_all(&house.path("records"), &texts[..3]);
    house.run(&["archive", "import", "records"]).ok();
    let again = house.run(&["archive", "import", "records"]).ok();
    assert_eq!(again, "0 taken in, 3 there already, 0 wrong\n");

    // Line 13 is the first turn; the fourth is played where it must not be.
    let mut lines: Vec<&str> = texts[3].lines().collect();
    let first = lines.iter().position(|line| line.is_empty()).unwrap() + 1;
    lines[first + 3] = lines[first];
    let broken = lines.join("\n").replace("[Match \"4\"]", "[Match \"40\"]");
    std::fs::write(house.path("broken.txt"), broken).unwrap();
    std::fs::write(
        house.path("taken.txt"),
        texts[4].replace("[Match \"5\"]", "[Match \"1\"]"),
    )
    .unwrap();
    std::fs::write(house.path("good.txt"), &texts[5]).unwrap();
    let ran = house.run(&["archive", "import", "broken.txt", "taken.txt", "good.txt"]);
    assert_eq!(
        (ran.code, ran.out.as_str()),
        (1, "1 taken in, 0 there already, 2 wrong\n")
    );
    let told: Vec<&str> = ran.err.lines().collect();
    assert!(
        told[0].starts_with(&format!("broken.txt:{}: turn 4: ", first + 4)),
        "{told:?}"
    );
    assert!(
        told[1].starts_with("taken.txt:1: match 1 is another match here"),
        "{told:?}"
    );
}

#[test]
fn a_result_that_the_turns_do_not_give_is_an_error_of_its_line() {
    let house = House::new();
    let resigned = &samples()[0];
    let wrong = match resigned.contains("[Result \"X\"]") {
        true => resigned.replace("[Result \"X\"]", "[Result \"O\"]"),
        false => resigned.replace("[Result \"O\"]", "[Result \"X\"]"),
    };
    let line = wrong.lines().position(|line| line.starts_with("[Result")).unwrap() + 1;
    std::fs::write(house.path("wrong.txt"), wrong).unwrap();
    let ran = house.run(&["archive", "import", "wrong.txt"]);
    assert_eq!(ran.code, 1);
    assert!(ran.err.starts_with(&format!("wrong.txt:{line}: ")), "{}", ran.err);
}

#[test]
fn a_number_that_would_leave_none_for_new_matches_is_an_error_of_its_line() {
    let house = House::new();
    let first = &samples()[0];
    for number in ["0", "1000000001", "4294967295"] {
        let text = first.replace("[Match \"1\"]", &format!("[Match \"{number}\"]"));
        let line = text.lines().position(|line| line.starts_with("[Match")).unwrap() + 1;
        std::fs::write(house.path("far.txt"), text).unwrap();
        let ran = house.run(&["archive", "import", "far.txt"]);
        assert_eq!(ran.code, 1, "{number}");
        let told = format!("far.txt:{line}: Match is \"{number}\"");
        assert!(ran.err.starts_with(&told), "{}", ran.err);
    }
    let last = first.replace("[Match \"1\"]", "[Match \"1000000000\"]");
    std::fs::write(house.path("last.txt"), last).unwrap();
    house.run(&["archive", "import", "last.txt"]).ok();

    let json = house.run(&["archive", "show", "1000000000", "--json"]).ok();
    let json = json.replace("\"match\":1000000000", "\"match\":4294967295");
    std::fs::write(house.path("far.jsonl"), json).unwrap();
    let ran = house.run(&["archive", "import", "far.jsonl"]);
    assert_eq!(ran.code, 1);
    assert!(ran.err.starts_with("far.jsonl:1: Match is"), "{}", ran.err);
}

#[test]
fn a_line_that_is_no_text_is_named_and_the_lines_after_it_are_read() {
    let house = House::new();
    write_all(&house.path("records"), &samples()[..2]);
    house.run(&["archive", "import", "records"]).ok();
    house.run(&["archive", "export", "--jsonl", "good.jsonl"]).ok();
    let mut lines = b"{\"game\": \"\xff\"}\n".to_vec();
    lines.extend(std::fs::read(house.path("good.jsonl")).unwrap());
    std::fs::write(house.path("mixed.jsonl"), lines).unwrap();
    let ran = house.run(&["archive", "import", "mixed.jsonl"]);
    assert_eq!(
        (ran.code, ran.out.as_str()),
        (1, "0 taken in, 2 there already, 1 wrong\n")
    );
    assert!(ran.err.starts_with("mixed.jsonl:1: "), "{}", ran.err);
}

#[test]
fn a_match_that_is_damaged_is_named_and_the_others_go_on() {
    for damage in ["events = '['", "head = '{}'"] {
        let house = House::new();
        let texts = samples();
        write_all(&house.path("records"), &texts);
        house.run(&["archive", "import", "records"]).ok();
        house.run(&["archive", "export", "--jsonl", "all.jsonl"]).ok();
        let database = rusqlite::Connection::open(house.path("data/playpost.db")).unwrap();
        let damage = format!("UPDATE archived SET {damage} WHERE number = 2");
        assert_eq!(database.execute(&damage, []).unwrap(), 1);
        drop(database);
        let failed = |arguments: &[&str]| {
            let ran = house.run(arguments);
            assert_eq!(ran.code, 1, "{arguments:?}");
            assert!(ran.err.starts_with("match 2 is left out: "), "{}", ran.err);
            ran.out
        };
        failed(&["archive", "export", "--jsonl", "rest.jsonl"]);
        let lines = |name: &str| std::fs::read_to_string(house.path(name)).unwrap();
        let all = lines("all.jsonl");
        let rest: Vec<&str> = all.lines().filter(|line| !line.contains("\"match\":2,")).collect();
        assert_eq!(rest.len() + 1, texts.len());
        assert_eq!(lines("rest.jsonl").lines().collect::<Vec<_>>(), rest);
        assert!(!house.path("rest.jsonl.part").exists());
        failed(&["archive", "export", "--dir", "rest"]);
        assert_eq!(std::fs::read_dir(house.path("rest")).unwrap().count(), rest.len());
        // The same game from the same start. A search asks the derived positions alone, which are whole.
        let twin = texts[1].replace("[Match \"2\"]", "[Match \"200\"]");
        std::fs::write(house.path("twin.txt"), twin).unwrap();
        house.run(&["archive", "import", "twin.txt"]).ok();
        let found = house.run(&["archive", "list", "--like", "200#0"]).ok();
        assert!(found.contains("   200  ") && found.contains("     2  "), "{found}");
        let site = house.run(&["archive", "site", "--dir", "site"]);
        assert!(site.err.contains("match 2 is left out: "), "{}", site.err);
        assert!(house.path("site/match/1.html").exists());
    }
}

#[test]
fn lists_are_filtered() {
    let house = House::new();
    let texts = samples();
    write_all(&house.path("records"), &texts);
    house.run(&["archive", "import", "records"]).ok();
    let count = |arguments: &[&str]| {
        let mut all = vec!["archive", "list", "--json"];
        all.extend(arguments);
        house.run(&all).json().as_array().unwrap().len()
    };
    assert_eq!(count(&[]), texts.len());
    assert_eq!(count(&["--game", "lotus"]), 3);
    assert_eq!(count(&["--player", "CAROL"]), 3);
    assert_eq!(count(&["--player", "carol", "--player", "dave"]), 1);
    assert_eq!(count(&["--result", "X O"]), 1);
    assert_eq!(count(&["--until", "2026-11-28"]), 0);
    assert_eq!(count(&["--since", "2026-11-29", "--until", "2026-11-29"]), texts.len());
    let first = house.run(&["archive", "show", "1", "--json"]).json();
    let opening: Vec<&str> = (0..2)
        .map(|index| first["lines"][index]["turn"].as_str().unwrap_or("?"))
        .collect();
    assert!(count(&["--opening", &opening.join("  ")]) >= 1);
    assert_eq!(count(&["--opening", "z99"]), 0);
    assert_eq!(house.run(&["archive", "list", "--since", "yesterday"]).code, 2);
    assert_eq!(count(&["--game", "shogi"]), count(&["--game", "medusa-shogi"]));
    let unknown = house.run(&["archive", "list", "--game", "chess"]);
    assert_eq!(unknown.code, 2);
    for game in games::GAMES {
        assert!(unknown.err.contains(game.info.name), "{}", unknown.err);
    }
}
