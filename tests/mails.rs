//! The corpus of mails: every case as it is, with LF and with CRLF.

use std::{fs, path::PathBuf};

use playpost::cli::mail::reading;
use playpost::mail::{Kind, Limits, read};
use serde_json::Value;

struct Case {
    name: String,
    mail: Vec<u8>,
    expected: Value,
}

fn cases() -> Vec<Case> {
    let directory = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data/mails");
    let mut names: Vec<PathBuf> = fs::read_dir(&directory)
        .expect("the corpus is there")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "eml"))
        .collect();
    names.sort();
    assert!(names.len() >= 169, "the corpus is not whole: {}", names.len());
    names
        .into_iter()
        .map(|path| Case {
            name: path.file_stem().expect("a name").to_string_lossy().into_owned(),
            mail: fs::read(&path).expect("a mail"),
            expected: serde_json::from_slice(&fs::read(path.with_extension("json")).expect("a reading")).expect("JSON"),
        })
        .collect()
}

fn with_line_ends(mail: &[u8], end: &[u8]) -> Vec<u8> {
    let mut turned = Vec::with_capacity(mail.len());
    for (at, &byte) in mail.iter().enumerate() {
        match byte {
            b'\r' if mail.get(at + 1) == Some(&b'\n') => {}
            b'\n' => turned.extend_from_slice(end),
            _ => turned.push(byte),
        }
    }
    turned
}

/// Where a reading is not the expected one. The wording of `why` is free.
fn differences(case: &Case, reading: &Value) -> Vec<String> {
    let mut found = Vec::new();
    for (key, expected) in case.expected.as_object().expect("an object") {
        let (mut expected, mut read) = (expected.clone(), reading[key].clone());
        if key == "to" {
            for list in [&mut expected, &mut read] {
                list.as_array_mut().expect("a list").sort_by_key(Value::to_string);
            }
        }
        if expected != read {
            found.push(format!("{}: {key} is {read}, not {expected}", case.name));
        }
    }
    if (reading["kind"] == "letter") != reading["why"].is_null() {
        found.push(format!("{}: why is {}", case.name, reading["why"]));
    }
    found
}

#[test]
fn every_case_with_every_line_end() {
    let mut wrong = Vec::new();
    for case in cases() {
        for mail in [
            case.mail.clone(),
            with_line_ends(&case.mail, b"\n"),
            with_line_ends(&case.mail, b"\r\n"),
        ] {
            wrong.extend(differences(&case, &reading(&mail)));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn line_ends_do_not_change_what_a_mail_is() {
    for case in cases() {
        let [one, other] = [&b"\n"[..], b"\r\n"].map(|end| read(&with_line_ends(&case.mail, end), &Limits::default()));
        if one.kind == Kind::Letter {
            assert_eq!(one, other, "{}", case.name);
        }
    }
}
