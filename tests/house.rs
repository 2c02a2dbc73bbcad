//! The walls of the house (ARCHITECTURE.md): a room uses only rooms below it.

use std::fs;
use std::path::{Path, PathBuf};

/// The rooms from the ground up. Rooms in one entry stand on the same floor and do not know each other.
const FLOORS: &[&[&str]] = &[
    &["span", "config"],
    &["games"],
    &["language"],
    &["mail"],
    &["matches"],
    &["store"],
    &["letters"],
    &["archive"],
    &["server"],
    &["post"],
    &["cli"],
];

fn floor(room: &str) -> Option<usize> {
    FLOORS.iter().position(|rooms| rooms.contains(&room))
}

fn sources(directory: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

/// The room of a file: the first part of its path below `src`.
fn room(path: &Path, root: &Path) -> String {
    let first = path.strip_prefix(root).unwrap().components().next().unwrap();
    let name = first.as_os_str().to_string_lossy();
    name.trim_end_matches(".rs").to_string()
}

#[test]
fn a_room_uses_only_rooms_below_it() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    sources(&root, &mut files);
    let mut seen = 0;
    let mut wrong = Vec::new();
    for path in files {
        let own = room(&path, &root);
        let Some(own_floor) = floor(&own) else { continue };
        let text = fs::read_to_string(&path).unwrap();
        let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
        for line in code {
            for part in line.split("crate::").skip(1) {
                let used: String = part
                    .chars()
                    .take_while(|letter| letter.is_alphanumeric() || *letter == '_')
                    .collect();
                let Some(used_floor) = floor(&used) else { continue };
                seen += 1;
                if used != own && used_floor >= own_floor {
                    wrong.push(format!(
                        "{}: {}",
                        path.strip_prefix(&root).unwrap().display(),
                        line.trim()
                    ));
                }
            }
        }
    }
    assert!(seen > 100, "the walls were not looked at: {seen} uses found");
    assert!(
        wrong.is_empty(),
        "arrows that run up in the house:\n{}",
        wrong.join("\n")
    );
}

#[test]
fn sql_and_unsafe_stay_where_they_belong() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    sources(&root, &mut files);
    for path in files {
        let text = fs::read_to_string(&path).unwrap();
        let name = path.strip_prefix(&root).unwrap().display().to_string();
        assert!(!text.contains("unsafe "), "{name} has unsafe code");
        assert!(
            name.starts_with("store/") || !text.contains("rusqlite"),
            "{name} knows SQL"
        );
    }
}
