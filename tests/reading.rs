//! The corpus of mails from bytes to commands: what LANGUAGE.md 8 says of source, commands, unread and message.

use playpost::language::{Source, letter};
use playpost::mail::{Kind, Limits, read};
use serde_json::{Value, json};

#[test]
fn the_corpus_yields_its_commands() {
    let directory = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/mails");
    let mut mails: Vec<_> = std::fs::read_dir(directory)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "eml"))
        .collect();
    mails.sort();
    assert!(mails.len() >= 169, "the corpus is not whole");
    let mut wrong = Vec::new();
    for path in mails {
        let expected: Value = serde_json::from_slice(&std::fs::read(path.with_extension("json")).unwrap()).unwrap();
        let inbound = read(&std::fs::read(&path).unwrap(), &Limits::default());
        let letter = match inbound.kind {
            Kind::Letter => letter(&inbound.subject, inbound.is_reply, &inbound.typed),
            _ => Default::default(),
        };
        let source = match letter.source {
            Source::Subject => "subject",
            Source::Text => "text",
            Source::None => "none",
        };
        let commands: Vec<_> = letter.lines.iter().map(|line| &line.canonical).collect();
        for (key, found) in [
            ("source", json!(source)),
            ("commands", json!(commands)),
            ("unread", json!(letter.unread)),
            ("message", json!(letter.message)),
        ] {
            if found != expected[key] {
                wrong.push(format!("{}: {key} is {found}, not {}", path.display(), expected[key]));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
