//! The corpus of mails: every case as it is, with LF and with CRLF.

use std::{fs, path::PathBuf};

use playpost::mail::{Inbound, Limits, read};
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

fn differences(case: &Case, inbound: &Inbound) -> Vec<String> {
    let mut differences = Vec::new();
    let mut differ = |key: &str, found: Value| {
        if found != case.expected[key] {
            differences.push(format!("{}: {key} is {found}, not {}", case.name, case.expected[key]));
        }
    };
    differ("kind", inbound.kind.word().into());
    differ("from", inbound.from.clone().into());
    differ("subject", inbound.subject.clone().into());
    differ("is_reply", inbound.is_reply.into());
    let sorted = |mut list: Vec<String>| {
        list.sort();
        list
    };
    let expected = case.expected["to"].as_array().into_iter().flatten().filter_map(Value::as_str).map(str::to_owned);
    if sorted(inbound.to.clone()) != sorted(expected.collect()) {
        differences.push(format!("{}: to is {:?}", case.name, inbound.to));
    }
    if (inbound.kind.word() == "letter") != inbound.why.is_none() {
        differences.push(format!("{}: why is {:?}", case.name, inbound.why));
    }
    if let Some(message) = case.expected["message"].as_str()
        && !message.split('\n').all(|line| inbound.typed.split('\n').any(|typed| typed.trim() == line.trim()))
    {
        differences.push(format!("{}: the message is not in {:?}", case.name, inbound.typed));
    }
    let commands = case.expected["commands"].as_array().map_or(0, Vec::len);
    let lines = inbound.typed.lines().filter(|line| !line.trim().is_empty()).count();
    let message_lines = case.expected["message"].as_str().map_or(0, |message| message.lines().filter(|line| !line.is_empty()).count());
    let from_text = case.expected["source"] == "text";
    if from_text && lines != commands + message_lines && case.expected["commands"].as_array().is_some_and(|list| list.len() < 20) {
        differences.push(format!("{}: {commands} commands and {message_lines} lines of message, but typed is {:?}", case.name, inbound.typed));
    }
    differences
}

#[test]
fn every_case_with_every_line_end() {
    let mut wrong = Vec::new();
    for case in cases() {
        let mails = [case.mail.clone(), with_line_ends(&case.mail, b"\n"), with_line_ends(&case.mail, b"\r\n")];
        let readings: Vec<Inbound> = mails.iter().map(|mail| read(mail, &Limits::default())).collect();
        wrong.extend(readings.iter().flat_map(|reading| differences(&case, reading)));
        for pair in readings.windows(2) {
            let [one, other] = pair else { continue };
            if one != other {
                wrong.push(format!("{}: differs with its line ends", case.name));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
