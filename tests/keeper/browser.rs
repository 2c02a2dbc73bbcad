//! Headless Chromium, where it is installed.

use crate::program::program;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The browser, or `None`, said aloud, where there is none. `PLAYPOST_REAL_PARTS=required` makes that a failure.
pub fn chromium() -> Option<PathBuf> {
    program("chromium")
}

/// The page at an address of a file, with its part behind `#`, as it stands when its scripts have run.
pub fn dump(chromium: &Path, page: &Path, hash: &str) -> String {
    let profile = tempfile::TempDir::new().unwrap();
    let output = Command::new(chromium)
        .args([
            "--headless=new",
            "--no-sandbox",
            "--disable-gpu",
            "--virtual-time-budget=5000",
        ])
        .arg(format!("--user-data-dir={}", profile.path().display()))
        .args(["--window-size=360,800", "--dump-dom"])
        .arg(format!("file://{}{hash}", page.display()))
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}
