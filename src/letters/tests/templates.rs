//! What the keeper may replace, and what happens when he slips.

use super::*;
use crate::letters::templates::compiled_in;
use std::fs;
use tempfile::TempDir;

fn keepers(files: &[(&str, &str)]) -> (TempDir, Result<Templates, TemplateError>) {
    let dir = TempDir::new().unwrap();
    for (name, text) in files {
        let path = dir.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    let templates = Templates::new(Some(dir.path()));
    (dir, templates)
}

fn error_of(files: &[(&str, &str)]) -> String {
    keepers(files).1.err().unwrap().to_string()
}

#[test]
fn every_template_can_be_compiled() {
    let (templates, sources) = (templates(), compiled_in().unwrap());
    assert!(sources.len() > 100);
    for name in sources.keys() {
        let (language, local) = name.split_once('/').unwrap();
        assert!(templates.has(language, local), "{name}");
    }
}

#[test]
fn a_keepers_file_takes_the_place_of_ours() {
    let (_dir, templates) = keepers(&[
        ("en/board.toml", "to-move = \"{{ who }}, if you please\""),
        ("en/README.md", "notes"),
    ]);
    let templates = templates.unwrap();
    let who = serde_json::json!({ "who": "X", "number": 3, "draw_at": 6 });
    assert_eq!(templates.word("en", "board.to-move", &who).unwrap(), "X, if you please");
    let slides = templates.word("en", "board.slides", &who).unwrap();
    assert_eq!(
        slides, "Slides in a row: 3 (draw at 6)",
        "what the keeper left out is ours"
    );
}

#[test]
fn a_keepers_language_is_filled_up_with_english() {
    let (_dir, templates) = keepers(&[("de/board.toml", "to-move = \"{{ who }} ist am Zug\"")]);
    let templates = templates.unwrap();
    assert_eq!(templates.languages().collect::<Vec<_>>(), ["de", "en", "ko"]);
    let who = serde_json::json!({ "who": "X", "number": 3, "draw_at": 6 });
    assert_eq!(templates.word("de", "board.to-move", &who).unwrap(), "X ist am Zug");
    assert!(
        templates
            .word("de", "board.slides", &who)
            .unwrap()
            .starts_with("Slides")
    );
    assert_eq!(
        templates.word("xx", "board.to-move", &who).unwrap(),
        "X to move",
        "an unknown language is English"
    );
}

#[test]
fn a_template_uses_the_words_of_its_own_language() {
    let (_dir, templates) = keepers(&[(
        "de/words.toml",
        "moment = \"gleich\"\n[count]\nday = { one = \"1 Tag\" }",
    )]);
    let templates = templates.unwrap();
    let fields = serde_json::json!({ "max": 86400 });
    let said = templates.word("de", "refused.bad-extension", &fields).unwrap();
    assert!(said.ends_with("no clock holds more than 1 Tag."), "{said}");
}

#[test]
fn a_slip_of_the_keeper_is_named_when_the_server_starts() {
    let error = error_of(&[("en/items/match.txt", "{{ headline")]);
    assert!(error.contains("en/items/match.txt"), "{error}");
    let error = error_of(&[("en/board.toml", "check = \"{{ who\"")]);
    assert!(error.contains("en/board.check"), "{error}");
    let error = error_of(&[("en/board.toml", "check = ")]);
    assert!(error.contains("en/board.toml"), "{error}");
    let error = error_of(&[("en/items/mtach.txt", "hello")]);
    assert!(error.contains("en/items/mtach.txt replaces nothing"), "{error}");
    assert!(Templates::new(Some(std::path::Path::new("/nonexistent/templates"))).is_err());
}

#[test]
fn where_a_keepers_template_cannot_be_filled_in_ours_stands() {
    let (_dir, templates) = keepers(&[("en/board.toml", "check = \"{{ nobody }} is in check\"")]);
    let fields = serde_json::json!({ "who": "White" });
    assert_eq!(
        templates.unwrap().word("en", "board.check", &fields).unwrap(),
        "White is in check"
    );
}

#[test]
fn a_missing_field_is_an_error_with_the_templates_name() {
    let error = templates().word("en", "board.to-move", ()).unwrap_err().to_string();
    assert!(error.contains("en/board.to-move"), "{error}");
    let error = templates()
        .render("en", "items/no-such.txt", ())
        .unwrap_err()
        .to_string();
    assert!(error.contains("en/items/no-such.txt"), "{error}");
}
