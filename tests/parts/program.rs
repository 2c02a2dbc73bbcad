//! Programs of the system that tests work with where they are installed.

use std::path::PathBuf;

/// The path of a program of the system, or `None`, said aloud, where it is not installed.
pub fn program(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut places: Vec<PathBuf> = std::env::split_paths(&path).collect();
    places.extend(["/usr/sbin".into(), "/sbin".into()]);
    let found = places
        .into_iter()
        .map(|place| place.join(name))
        .find(|path| path.is_file());
    if found.is_none() {
        assert!(
            std::env::var("PLAYPOST_REAL_PARTS").as_deref() != Ok("required"),
            "{name} is not installed"
        );
        eprintln!("skipped: {name} is not installed");
    }
    found
}
