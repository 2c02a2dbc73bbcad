//! The given cases, one game a line, through the library and through the binary.

use crate::support::{data, games, json_lines, options, words};
use assert_cmd::Command;
use playpost::games::{Registration, SetupError};
use serde_json::{Value, json};

/// A case taken apart.
struct Case {
    row: Value,
}

impl Case {
    fn of(game: &Registration) -> Vec<Case> {
        let rows = json_lines(&data("rules").join(format!("{}.jsonl", game.info.name)));
        rows.into_iter().map(|row| Case { row }).collect()
    }

    fn name(&self) -> &str {
        self.row["name"].as_str().unwrap()
    }

    fn setup(&self) -> Option<&str> {
        self.row["setup"].as_str()
    }

    fn positions(&self) -> &[Value] {
        self.row["turns"].as_array().unwrap()
    }

    fn error(&self) -> Option<(u64, &str, &str)> {
        let error = self.row["error"].as_object()?;
        Some((
            error["turn"].as_u64()?,
            error["text"].as_str()?,
            error["kind"].as_str()?,
        ))
    }

    /// The lines to play, the refused one last, without the setup.
    fn lines(&self) -> Vec<&str> {
        if let Some(lines) = self.row["lines"].as_array() {
            return lines.iter().map(|line| line.as_str().unwrap()).collect();
        }
        let moves = self.positions().iter().filter_map(|position| position["move"].as_str());
        let refused = self.error().filter(|(turn, ..)| *turn > 0).map(|(_, text, _)| text);
        moves.chain(refused).collect()
    }
}

/// Whether `found` has all that `expected` says; it may hold further keys.
fn agrees(expected: &Value, found: &Value) -> bool {
    let expected = expected.as_object().unwrap();
    expected.iter().all(|(key, value)| found.get(key) == Some(value))
}

#[test]
fn the_cases_pass_in_the_library() {
    for game in games() {
        for case in Case::of(game) {
            let place = format!("{}, {:?}", game.info.name, case.name());
            let options = options(&case.row["options"]);
            let table = match case.setup() {
                None => Ok((game.start)(&options).unwrap()),
                Some(text) => (game.setup)(&options, text),
            };
            let mut table = match (table, case.error()) {
                (Ok(table), _) => table,
                (Err(SetupError::Position(_)), Some((0, _, "unreadable"))) => continue,
                (Err(error), _) => panic!("{place}: {error}"),
            };
            let mut positions = case.positions().iter();
            let mut next = || {
                positions
                    .next()
                    .unwrap_or_else(|| panic!("{place}: a position too many"))
            };
            let expected = next();
            assert!(
                agrees(expected, &table.json()),
                "{place}: {expected} expected, {} found",
                table.json()
            );
            let mut refused = None;
            for line in case.lines() {
                // `setup` after the first turn is the command line's to refuse.
                if line.starts_with("setup ") {
                    refused = Some("unreadable".to_string());
                    break;
                }
                match table.play(None, line) {
                    Ok(_) => {
                        let (expected, found) = (next(), table.json());
                        assert!(agrees(expected, &found), "{place}: {expected} expected, {found} found");
                    }
                    Err(refusal) => {
                        refused = Some(refusal.kind.to_string());
                        break;
                    }
                }
            }
            assert_eq!(refused.as_deref(), case.error().map(|(_, _, kind)| kind), "{place}");
            assert_eq!(positions.next(), None, "{place}");
        }
    }
}

#[test]
fn the_cases_pass_through_the_binary() {
    for game in games() {
        for case in Case::of(game) {
            let place = format!("{}, {:?}", game.info.name, case.name());
            let setup = case.setup().map(|text| format!("setup {text}\n")).unwrap_or_default();
            let input = format!("{setup}{}\n", case.lines().join("\n"));
            let output = Command::cargo_bin("playpost")
                .unwrap()
                .args(["rules", "replay", game.info.name])
                .args(words(&options(&case.row["options"])))
                .args(["--json", "--each"])
                .write_stdin(input)
                .output()
                .unwrap();
            let stdout = String::from_utf8(output.stdout).unwrap();
            let found: Vec<Value> = stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
            assert_eq!(found.len(), case.positions().len(), "{place}");
            for (expected, found) in case.positions().iter().zip(&found) {
                assert!(agrees(expected, found), "{place}: {expected} expected, {found} found");
            }
            let stderr = String::from_utf8(output.stderr).unwrap();
            match case.error() {
                None => assert_eq!((output.status.code(), stderr.as_str()), (Some(0), ""), "{place}"),
                Some((turn, text, kind)) => {
                    let begin = format!("turn {turn}: {text}: {kind}: ");
                    let one_line = stderr.ends_with('\n') && stderr.lines().count() == 1;
                    assert!(stderr.starts_with(&begin) && one_line, "{place}: {stderr:?}");
                    assert!(stderr.len() > begin.len() + 1, "{place}: no reason");
                    assert_eq!(output.status.code(), Some(1), "{place}");
                }
            }
        }
    }
}

#[test]
fn a_comparison_of_positions_sees_a_difference() {
    let expected = json!({"turn": 1, "stones": {"X": ["a1"]}});
    assert!(agrees(
        &expected,
        &json!({"turn": 1, "stones": {"X": ["a1"]}, "phase": "play"})
    ));
    assert!(!agrees(&expected, &json!({"turn": 1, "stones": {"X": ["a2"]}})));
    assert!(!agrees(&expected, &json!({"turn": 1})));
}
