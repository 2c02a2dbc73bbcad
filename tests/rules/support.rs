//! What the suites share.

use playpost::games::{GAMES, Registration, Table};
use serde_json::Value;
use std::path::{Path, PathBuf};

/// Options as [`playpost::games::RawOptions`] takes them.
pub type Options = Vec<(String, Option<String>)>;

pub fn data(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(path)
}

/// The objects of a file of JSON lines; a file without any fails.
pub fn json_lines(path: &Path) -> Vec<Value> {
    let text = std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let rows: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(!rows.is_empty(), "{} holds no case", path.display());
    rows
}

/// `{"side": 6, "large": true}` as options.
pub fn options(object: &Value) -> Options {
    let value = |value: &Value| match value {
        Value::Bool(true) => None,
        Value::String(text) => Some(text.clone()),
        other => Some(other.to_string()),
    };
    let object = object.as_object().expect("options are an object");
    object
        .iter()
        .map(|(name, given)| (name.clone(), value(given)))
        .collect()
}

/// `-side=6` for each option, as the command line takes them.
pub fn words(options: &Options) -> Vec<String> {
    options
        .iter()
        .map(|(name, value)| {
            value
                .as_ref()
                .map_or(format!("-{name}"), |value| format!("-{name}={value}"))
        })
        .collect()
}

pub fn game(name: &str) -> &'static Registration {
    playpost::games::find(name).unwrap_or_else(|| panic!("no game {name}"))
}

pub fn table(game: &Registration, options: &Options, setup: Option<&str>) -> Box<dyn Table> {
    match setup {
        None => (game.start)(options).unwrap(),
        Some(text) => (game.setup)(options, text).unwrap(),
    }
}

/// Every game of the house; there is at least one.
pub fn games() -> &'static [Registration] {
    assert!(!GAMES.is_empty());
    GAMES
}

/// A number from the environment that makes a suite longer.
pub fn from_environment(name: &str, default: u64) -> u64 {
    std::env::var(name)
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(default)
}
