//! The examples in contrib/ for the programs that stand before `playpost deliver`: what they do with its exit codes.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::parts::program;

const INSTALLED: &str = "/usr/local/bin/playpost --config /etc/playpost/playpost.toml deliver";
const MAIL: &str = "From: a@example.net\nSubject: x\n\nboard\n";

/// Runs `filter` with the example `recipe`, in which a program that ends with `code` stands for ours: the exit code of the filter, and
/// the mail that the program got.
fn filtered(filter: &Path, arguments: &[&str], recipe: &str, code: i32) -> (i32, String) {
    let place = tempfile::tempdir().unwrap();
    let got = place.path().join("got");
    let stand_in = format!("/bin/sh -c 'cat > {}; exit {code}'", got.display());
    assert!(recipe.contains(INSTALLED));
    // Whatever falls through would go into this mailbox, not into one of the machine.
    let head = format!(
        "DEFAULT=\"{}\"\nSHELL=/bin/sh\n",
        place.path().join("fallen-through").display()
    );
    let file = place.path().join("recipe");
    fs::write(&file, head + &recipe.replace(INSTALLED, &stand_in)).unwrap();
    let mut child = Command::new(filter)
        .args(arguments)
        .arg(&file)
        .env("HOME", place.path())
        .current_dir(place.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(MAIL.as_bytes()).unwrap();
    let status = child.wait().unwrap();
    assert!(!place.path().join("fallen-through").exists(), "the mail fell through");
    (status.code().unwrap(), fs::read_to_string(got).unwrap_or_default())
}

#[test]
fn procmail_hands_the_mail_over_or_tells_the_mta_to_try_again() {
    let Some(procmail) = program("procmail") else { return };
    let recipe = include_str!("../../contrib/procmailrc");
    for (code, told) in [(0, 0), (75, 75), (101, 75)] {
        let (status, mail) = filtered(&procmail, &["-m"], recipe, code);
        assert_eq!(status, told, "the program ended with {code}");
        assert!(mail.contains("Subject: x\n\nboard\n"), "{mail}");
    }
}

#[test]
fn maildrop_hands_the_mail_over_or_tells_the_mta_to_try_again() {
    let Some(maildrop) = program("maildrop") else { return };
    let recipe = include_str!("../../contrib/mailfilter");
    for (code, told) in [(0, 0), (75, 75), (101, 75)] {
        let (status, mail) = filtered(&maildrop, &[], recipe, code);
        assert_eq!(status, told, "the program ended with {code}");
        assert!(mail.contains("Subject: x\n\nboard\n"), "{mail}");
    }
}
