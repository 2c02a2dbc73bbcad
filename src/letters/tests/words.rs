//! The filters that templates call.

use super::*;
use serde_json::{Value, json};

/// A phrase of the keeper's own that uses a filter.
fn filled(phrase: &str, fields: Value) -> String {
    let dir = tempfile::TempDir::new().unwrap();
    std::fs::create_dir(dir.path().join("en")).unwrap();
    std::fs::write(dir.path().join("en/board.toml"), format!("check = '''{phrase}'''")).unwrap();
    let templates = Templates::new(Some(dir.path())).unwrap();
    templates.word("en", "board.check", fields).unwrap()
}

#[test]
fn spans() {
    for (seconds, said) in [
        (0, "less than a minute"),
        (-5, "less than a minute"),
        (59, "less than a minute"),
        (60, "1 minute"),
        (3599, "59 minutes"),
        (3600, "1 hour"),
        (90061, "1 day 1 hour"),
        (86400 + 300, "1 day"),
        (864_000, "10 days"),
        (863_999, "9 days 23 hours"),
    ] {
        assert_eq!(filled("{{ n | span }}", json!({ "n": seconds })), said, "{seconds}");
    }
}

#[test]
fn times_stand_in_the_readers_zone() {
    let now = json!({ "at": START, "timezone": "Europe/Berlin" });
    assert_eq!(filled("{{ at | when }}", now.clone()), "Sun 29 Nov 2026, 19:00 CET");
    assert_eq!(
        filled("{{ at | when('Asia/Seoul') }}", now.clone()),
        "Mon 30 Nov 2026, 03:00 KST"
    );
    assert_eq!(filled("{{ at | day }}", now), "29 Nov 2026");
    assert_eq!(
        filled("{{ at | when }}", json!({ "at": START })),
        "Sun 29 Nov 2026, 18:00 UTC"
    );
}

#[test]
fn numbers_and_lists() {
    let ordinals = [
        (1, "1st"),
        (2, "2nd"),
        (3, "3rd"),
        (4, "4th"),
        (11, "11th"),
        (12, "12th"),
        (22, "22nd"),
        (113, "113th"),
    ];
    for (n, said) in ordinals {
        assert_eq!(filled("{{ n | ordinal }}", json!({ "n": n })), said);
    }
    assert_eq!(
        filled("{{ 1 | count('stone') }}, {{ 0 | count('stone') }}", json!({})),
        "1 stone, 0 stones"
    );
    let list = |entries: Value| filled("{{ list | listed }}", json!({ "list": entries }));
    assert_eq!(list(json!([])), "");
    assert_eq!(list(json!(["a"])), "a");
    assert_eq!(list(json!(["a", "b"])), "a and b");
    assert_eq!(list(json!(["a", "b", "c"])), "a, b and c");
}

#[test]
fn seats_and_men() {
    let said = filled(
        "{{ 'W' | seat }} {{ 'X' | seat }} {{ 'Q9' | seat }} {{ '+b' | man }} {{ 'A' | man }}",
        json!({}),
    );
    assert_eq!(said, "White X Q9 Morph-Bishop Mounted Advisor");
}

#[test]
fn turns_stand_under_each_other() {
    let turns = json!({ "turns": [
        { "number": 9, "seat": "X", "text": "d4" },
        { "number": 10, "seat": "O", "text": "c4-c5" },
        { "number": 11, "seat": "X", "text": "e5" },
    ] });
    let said = filled("{{ turns | numbered | columns(2) }}", turns);
    assert_eq!(said, "   9. X d4       10. O c4-c5\n  11. X e5");
}
