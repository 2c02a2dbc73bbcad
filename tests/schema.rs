//! Databases of every released schema are opened, migrated, and read.

use playpost::archive;
use playpost::matches::Record;
use playpost::server::Live;
use playpost::store::{Filter, Store, VERSION};
use std::path::Path;

#[test]
fn a_database_of_each_schema_opens_with_what_was_in_it() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/schema");
    let scratch = tempfile::TempDir::new().unwrap();
    for version in 1..=VERSION {
        let name = format!("{version:03}.db");
        let copy = scratch.path().join(&name);
        std::fs::copy(folder.join(&name), &copy).unwrap_or_else(|error| panic!("{name}: {error}"));
        let mut store = Store::open_file(&copy).unwrap();
        let found = store
            .read(|tx| {
                assert_eq!(tx.integrity()?, Vec::<String>::new(), "{name}");
                assert_eq!(
                    tx.pragma_query_value(None, "user_version", |row| row.get(0)),
                    Ok(VERSION)
                );
                let users: Vec<String> = tx.players()?.into_iter().map(|player| player.userid).collect();
                assert_eq!(users, ["alice", "bob"], "{name}");
                tx.search_archive(&Filter::default())
            })
            .unwrap();
        // The demo's match, won by a surrounded group.
        assert_eq!(found.len(), 1, "{name}");
        assert_eq!(
            (found[0].game.as_str(), found[0].reason.as_str()),
            ("susan", "surrounded")
        );
        let live = store.read(|tx| Live::read(tx, found[0].number)).unwrap().unwrap();
        assert_eq!(live.archived_row().unwrap(), found[0], "{name}");
        let exported = store.read(|tx| archive::export(tx, found[0].number, "play@example.org", true));
        let record = Record::of(live.game(), Some("play@example.org"), true);
        assert_eq!(exported.unwrap().unwrap(), record, "{name}");
        // What the schema of that time did not keep is made up for.
        archive::derive_missing(&mut store, |_, _| {}).unwrap();
        let has_positions = store.read(|tx| tx.has_positions(found[0].number, archive::FORM, &live.positions()));
        assert!(has_positions.unwrap(), "{name}");
    }
}

#[test]
fn a_mail_that_was_queued_before_mails_were_packed_goes_out_as_it_was() {
    let scratch = tempfile::TempDir::new().unwrap();
    let copy = scratch.path().join("playpost.db");
    let third = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/schema/003.db");
    std::fs::copy(third, &copy).unwrap();
    let raw = b"Subject: x\r\n\r\nhello\r\n";
    let connection = rusqlite::Connection::open(&copy).unwrap();
    let entered = connection.execute(
        "INSERT INTO outbox (recipient, message_id, kind, raw, created, next_try, state) VALUES ('a@b.example', '<x@y>', 'answer', ?1, 1, 1, 'queued')",
        [raw],
    );
    assert_eq!(entered, Ok(1));
    let mut store = Store::open_file(&copy).unwrap();
    let due = store.read(|tx| tx.due_mails(2, 10)).unwrap();
    assert_eq!(due.len(), 1);
    assert_eq!(due[0].raw, raw);
    // A program of that schema that is still at work must not send packed bytes.
    let sent_by_it = connection.query_row("SELECT raw FROM outbox WHERE state = 'queued'", [], |_| Ok(()));
    assert!(sent_by_it.is_err());
}

#[test]
fn a_new_database_may_be_opened_by_several_at_once() {
    for _ in 0..20 {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("playpost.db");
        std::thread::scope(|scope| {
            let opened: Vec<_> = (0..4)
                .map(|_| scope.spawn(|| Store::open_file(&path).map(|_| ())))
                .collect();
            for thread in opened {
                thread.join().unwrap().unwrap();
            }
        });
    }
}
