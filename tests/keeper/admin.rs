//! `playpost admin` and `playpost doctor`.

use crate::support::{House, NOW};
use serde_json::Value;

const ALICE: &str = "alice@example.net";
const BOB: &str = "bob@example.com";

fn sign_up(house: &House, userid: &str, address: &str) {
    house.deliver(&format!("signup-{userid}"), address, &format!("signup {userid}"));
    let question = house.mails_to(address).pop().unwrap();
    let reply_to = question
        .lines()
        .find_map(|line| line.strip_prefix("Reply-To: "))
        .unwrap();
    house.deliver_raw(
        format!("From: <{address}>\r\nTo: {reply_to}\r\nSubject: Re: x\r\nMessage-ID: <yes-{userid}@example.net>\r\n\r\nyes\r\n")
            .as_bytes(),
    );
}

/// Two players with a match, number 1.
fn playing() -> House {
    let house = House::new();
    sign_up(&house, "alice", ALICE);
    sign_up(&house, "bob", BOB);
    house.deliver("challenge", ALICE, "susan challenge bob --first=me --time=10d");
    house.deliver("accept", BOB, "accept");
    house.deliver("move", ALICE, "move e5");
    assert_eq!(show(&house)["turn"], 1);
    house
}

fn show(house: &House) -> Value {
    house.run(&["show", "1", "--json"]).json()
}

fn last_audit(house: &House) -> Value {
    house.run(&["admin", "audit", "--json"]).json()[0].clone()
}

#[test]
fn a_keeper_acts_in_a_match_and_its_players_are_told_why() {
    let house = playing();
    house
        .run(&["admin", "match", "pause", "1", "--reason", "a broken board"])
        .ok();
    assert_eq!(show(&house)["status"], "paused");
    let told = house.mails_to(BOB).join("\n");
    assert!(told.contains("The keeper has stopped the clocks."), "{told}");
    assert!(told.contains("a broken board"), "{told}");
    let audit = last_audit(&house);
    assert_eq!(audit["who"], "keeper");
    assert_eq!(audit["at"], NOW);
    assert_eq!(audit["what"], "match 1: paused");
    assert_eq!(audit["why"], "a broken board");

    house.run(&["admin", "match", "continue", "1"]).ok();
    let before = show(&house)["deadline"].as_str().unwrap().to_string();
    house.run(&["admin", "match", "shift", "1", "2d", "--by", "eve"]).ok();
    assert!(show(&house)["deadline"].as_str().unwrap() > before.as_str());
    assert_eq!(last_audit(&house)["who"], "eve");
    house.run(&["admin", "match", "undo", "1"]).ok();
    assert_eq!(show(&house)["turn"], 0);

    assert_eq!(house.run(&["admin", "match", "adjudicate", "1", "O"]).code, 2);
    assert_eq!(
        house
            .run(&["admin", "match", "adjudicate", "1", "Z", "--reason", "x"])
            .code,
        1
    );
    for repeated in ["XX", "X O X"] {
        let ran = house.run(&["admin", "match", "adjudicate", "1", repeated, "--reason", "x"]);
        assert_eq!(ran.code, 1, "{repeated}");
    }
    house
        .run(&["admin", "match", "adjudicate", "1", "O", "--reason", "alice has left"])
        .ok();
    let shown = show(&house);
    assert_eq!(
        (&shown["result"], &shown["reason"]),
        (&"O".into(), &"adjudicated".into())
    );
    assert!(house.mails_to(ALICE).join("\n").contains("alice has left"));
    assert_eq!(house.run(&["admin", "match", "pause", "1"]).code, 1);
    assert!(
        house
            .run(&["archive", "show", "1"])
            .ok()
            .contains("[Reason \"adjudicated\"]")
    );
}

#[test]
fn a_backup_is_restored_and_nothing_differs() {
    let house = playing();
    house.run(&["admin", "backup", "saved.db"]).ok();
    let saved = show(&house);
    house.run(&["admin", "match", "undo", "1"]).ok();
    assert_ne!(show(&house), saved);
    house.run(&["admin", "restore", "saved.db"]).ok();
    assert_eq!(show(&house), saved);
    assert_eq!(last_audit(&house)["what"], "restored from saved.db");
    assert_eq!(house.run(&["admin", "match", "replay"]).ok(), "0 differences\n");
    assert_eq!(house.run(&["admin", "rebuild"]).ok(), "0 differences\n");
    house.run(&["admin", "vacuum"]).ok();

    std::fs::write(house.path("none.db"), "no database at all, but some text").unwrap();
    assert_eq!(house.run(&["admin", "restore", "none.db"]).code, 1);
    assert_eq!(house.run(&["admin", "restore", "missing.db"]).code, 1);
    assert_eq!(show(&house), saved);
}

#[test]
fn what_a_restoring_replaced_is_never_written_over() {
    let house = playing();
    house.run(&["admin", "backup", "saved.db"]).ok();
    house.run(&["admin", "match", "undo", "1"]).ok();
    let undone = show(&house);
    house.run(&["admin", "restore", "saved.db"]).ok();
    assert_ne!(show(&house), undone);
    // The restoring was a mistake; what it replaced is brought back, and what is replaced now is kept beside it.
    let said = house.run(&["admin", "restore", "data/before-restore.db"]).ok();
    assert!(said.contains("before-restore-2.db"), "{said}");
    assert_eq!(show(&house), undone);
    house.run(&["admin", "restore", "data/before-restore-2.db"]).ok();
    assert_ne!(show(&house), undone);
    house.run(&["admin", "restore", "data/before-restore.db"]).ok();
    assert_eq!(show(&house), undone);
}

#[test]
fn a_backup_that_cannot_be_restored_leaves_no_copy() {
    let house = playing();
    std::fs::write(house.path("none.db"), "no database at all, but some text").unwrap();
    assert_eq!(house.run(&["admin", "restore", "none.db"]).code, 1);
    assert!(!house.path("data/before-restore.db").exists());
}

#[test]
fn the_database_is_no_place_of_a_backup() {
    let house = playing();
    let before = show(&house);
    std::os::unix::fs::symlink(house.path("data"), house.path("other")).unwrap();
    for file in [
        "data/playpost.db",
        "data/playpost.db-wal",
        "data/playpost.db-shm",
        "data/../other/playpost.db",
    ] {
        assert_eq!(house.run(&["admin", "backup", file]).code, 1, "{file}");
        assert_eq!(house.run(&["admin", "restore", file]).code, 1, "{file}");
        assert_eq!(show(&house), before, "{file}");
    }
    assert!(!house.path("data/before-restore.db").exists());
}

#[test]
fn columns_that_differ_are_found_and_derived_again() {
    let house = playing();
    let database = rusqlite::Connection::open(house.path("data/playpost.db")).unwrap();
    database
        .execute("UPDATE match SET turn = 9, status = 'paused'", [])
        .unwrap();
    drop(database);
    let ran = house.run(&["admin", "match", "replay", "1"]);
    assert_eq!(
        (ran.code, ran.out.as_str()),
        (1, "match 1: columns differ\n1 differences\n")
    );
    assert!(house.run(&["admin", "rebuild"]).ok().ends_with("1 differences\n"));
    assert_eq!(house.run(&["admin", "rebuild"]).ok(), "0 differences\n");
}

#[test]
fn many_matches_and_all_ratings_are_derived_again() {
    // More than are played through in one transaction.
    const MATCHES: u32 = 210;
    let house = House::new();
    crate::simulated::fill(&house.path("data"), MATCHES);
    sign_up(&house, "alice", ALICE);
    sign_up(&house, "bob", BOB);
    house.deliver("challenge", ALICE, "susan challenge bob --first=me");
    house.deliver("accept", BOB, "accept");
    for (key, player, turn) in [
        ("1", ALICE, "e5"),
        ("2", BOB, "c4"),
        ("3", ALICE, "d4"),
        ("4", BOB, "a1"),
    ] {
        house.deliver(key, player, &format!("move {turn}"));
    }
    house.deliver("end", ALICE, "resign");
    let database = rusqlite::Connection::open(house.path("data/playpost.db")).unwrap();
    let ratings = || -> Vec<(i64, f64)> {
        let mut statement = database
            .prepare("SELECT player, rating FROM rating ORDER BY player, game")
            .unwrap();
        let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?))).unwrap();
        rows.collect::<Result<_, _>>().unwrap()
    };
    assert_eq!(house.run(&["admin", "rebuild"]).ok(), "0 differences\n");
    let before = ratings();
    assert!(!before.is_empty());
    let changed = database.execute("UPDATE archived SET turns = turns + 1", []).unwrap();
    database.execute("UPDATE rating SET rating = 1", []).unwrap();
    let said = house.run(&["admin", "rebuild"]).ok();
    assert_eq!(said.matches(": columns differ\n").count(), changed);
    assert_eq!(said.matches("rating of ").count(), before.len());
    assert_eq!(ratings(), before);
    assert_eq!(house.run(&["admin", "rebuild"]).ok(), "0 differences\n");
}

#[test]
fn accounts_are_blocked_renamed_merged_and_forgotten() {
    let house = playing();
    house
        .run(&["admin", "player", "block", "alice", "--reason", "rude words"])
        .ok();
    assert!(house.mails_to(ALICE).join("\n").contains("rude words"));
    house.deliver("barred", ALICE, "resign");
    assert_eq!(show(&house)["status"], "running");
    house.run(&["admin", "player", "unblock", "alice"]).ok();
    assert_eq!(house.run(&["admin", "player", "rename", "alice", "bob"]).code, 1);
    house.run(&["admin", "player", "rename", "alice", "alicia"]).ok();
    assert_eq!(show(&house)["seats"]["X"], "alicia");
    assert_eq!(house.run(&["admin", "player", "merge", "alicia", "bob"]).code, 1);
    house.run(&["admin", "player", "newkey", "bob"]).ok();
    house.run(&["admin", "player", "forget", "alicia"]).ok();
    assert_eq!(show(&house)["reason"], "resigned");
    assert_eq!(house.run(&["admin", "player", "forget", "alicia"]).code, 1);
    assert_eq!(house.run(&["admin", "rebuild"]).ok(), "0 differences\n");
}

#[test]
fn of_two_accounts_one_is_left_with_all_that_was_theirs() {
    const CAROL: &str = "carol@example.net";
    let house = playing();
    sign_up(&house, "carol", CAROL);
    house.deliver("challenge-2", CAROL, "lotus challenge bob --first=me");
    house.deliver("accept-2", BOB, "accept");
    house.deliver("challenge-3", CAROL, "rosette challenge bob --first=me");
    house.deliver("accept-3", BOB, "accept");
    house.deliver("resign-3", CAROL, "#3 resign");
    assert_eq!(
        house.run(&["archive", "list", "--player", "carol", "--json"]).json()[0]["match"],
        3
    );
    for (from, to) in [("alice", "bob"), ("alice", "alice"), ("carol", "nobody")] {
        assert_eq!(
            house.run(&["admin", "player", "merge", from, to]).code,
            1,
            "{from} {to}"
        );
    }

    house
        .run(&["admin", "player", "merge", "carol", "alice", "--reason", "one person"])
        .ok();
    let told = house.mails_to(ALICE).join("\n");
    assert!(told.contains("carol") && told.contains("one person"), "{told}");
    let seats = |number: &str| house.run(&["show", number, "--json"]).json()["seats"].clone();
    assert_eq!(seats("2")["B"], "alice");
    assert_eq!(seats("3")["B"], "alice");
    assert_eq!(house.run(&["archive", "list", "--player", "carol"]).ok(), "");
    assert_eq!(
        house.run(&["archive", "list", "--player", "alice", "--json"]).json()[0]["match"],
        3
    );
    // The mails of both addresses are now those of one player.
    house.deliver("move-2", CAROL, "#2 move d2");
    assert_eq!(
        house.run(&["show", "2", "--json"]).json()["turns"],
        serde_json::json!(["d2"])
    );
    let players = house.run(&["players", "--json"]).json();
    let closed = |userid: &str| {
        let mut rows = players.as_array().unwrap().iter();
        rows.any(|row| row["userid"] == userid && !row["closed"].is_null())
    };
    assert!(!closed("alice") && !closed("bob"));
    assert!(
        !players.to_string().contains("\"carol\"") || closed("carol"),
        "{players}"
    );
    assert_eq!(last_audit(&house)["what"], "player carol: merged into alice");
    assert_eq!(house.run(&["admin", "rebuild"]).ok(), "0 differences\n");
}

#[test]
fn a_challenge_in_common_is_settled_before_two_accounts_are_one() {
    const CAROL: &str = "carol@example.net";
    let house = playing();
    sign_up(&house, "carol", CAROL);
    let merge = || house.run(&["admin", "player", "merge", "carol", "alice"]);
    house.deliver("ask", CAROL, "lotus challenge alice");
    let refused = merge();
    assert_eq!(refused.code, 1);
    assert!(refused.err.contains("challenge"), "{}", refused.err);
    house.deliver("no", ALICE, "decline");
    merge().ok();
}

#[test]
fn what_waits_for_a_merged_account_waits_for_the_one_that_is_left() {
    const CAROL: &str = "carol@example.net";
    let house = playing();
    sign_up(&house, "carol", CAROL);
    house.deliver("ask", CAROL, "lotus challenge bob --first=me");
    house.deliver("yes", BOB, "accept");
    house.deliver("end", CAROL, "#2 resign");
    house.deliver("again", CAROL, "#2 rematch");
    house.deliver("watch", CAROL, "#1 watch");
    house.deliver("vacation", CAROL, "vacation 2026-12-20 to 2026-12-24");
    house.deliver("vacation-same", ALICE, "vacation 2026-12-24 to 2026-12-26");
    house.deliver("vacation-later", CAROL, "vacation 2027-01-10 to 2027-01-12");
    house.deliver("block", CAROL, "block alice");
    sign_up(&house, "dave", "dave@example.net");
    house.deliver("block-dave", CAROL, "block dave");
    let database = rusqlite::Connection::open(house.path("data/playpost.db")).unwrap();
    let lines = |query: &str| -> Vec<String> {
        let mut statement = database.prepare(query).unwrap();
        let rows = statement.query_map([], |row| row.get(0)).unwrap();
        rows.collect::<Result<_, _>>().unwrap()
    };
    let watchers = "SELECT userid FROM watcher JOIN player ON id = player";
    let blocks = "SELECT one.userid || ' ' || other.userid FROM block
         JOIN player AS one ON one.id = block.player JOIN player AS other ON other.id = blocked ORDER BY 1";
    let vacations = "SELECT userid || ' ' || first FROM vacation JOIN player ON player.id = player ORDER BY 1";
    assert_eq!(lines(watchers), ["carol"]);
    assert_eq!(lines(blocks), ["carol alice", "carol dave"]);
    assert_eq!(lines(vacations).len(), 3);

    house.run(&["admin", "player", "merge", "carol", "alice"]).ok();
    assert_eq!(lines(watchers), [""; 0]);
    assert_eq!(lines(blocks), ["alice dave"]);
    assert_eq!(lines(vacations), ["alice 2026-12-24", "alice 2027-01-10"]);
    house.deliver("yes-again", BOB, "accept");
    let seats = house.run(&["show", "3", "--json"]).json()["seats"].clone();
    assert_eq!((&seats["B"], &seats["W"]), (&"bob".into(), &"alice".into()));
    assert_eq!(house.run(&["admin", "rebuild"]).ok(), "0 differences\n");
}

/// The mails that have come in, of a backup that is whole.
fn mails_in(backup: &std::path::Path) -> u32 {
    let house = House::new();
    house.run(&["admin", "restore", backup.to_str().unwrap()]).ok();
    assert_eq!(house.run(&["admin", "rebuild"]).ok(), "0 differences\n");
    let findings = house.run(&["doctor", "--json"]);
    let findings: Value = serde_json::from_str(&findings.out).unwrap();
    let integrity = findings
        .as_array()
        .unwrap()
        .iter()
        .find(|finding| finding["about"] == "integrity");
    assert_eq!(integrity.unwrap()["ok"], true);
    let database = rusqlite::Connection::open(house.path("data/playpost.db")).unwrap();
    database
        .query_row("SELECT count(*) FROM inbox", [], |row| row.get(0))
        .unwrap()
}

#[test]
fn a_backup_that_is_taken_while_the_daemon_works_is_whole() {
    const WAVES: u32 = 4;
    const MAILS: u32 = 10;
    let house = House::with_source();
    let daemon = house.serve();
    let mut taken = Vec::new();
    for wave in 0..WAVES {
        for mail in 0..MAILS {
            let userid = format!("player{wave}{mail}");
            house.drop_in(&userid, &format!("{userid}@example.net"), &format!("signup {userid}"));
        }
        let backup = format!("saved-{wave}.db");
        house.run(&["admin", "backup", &backup]).ok();
        taken.push(mails_in(&house.path(&backup)));
    }
    drop(daemon);
    // What the daemon has left is taken up.
    house.run(&["run"]).ok();
    house.run(&["admin", "backup", "last.db"]).ok();
    taken.push(mails_in(&house.path("last.db")));
    assert!(taken.is_sorted(), "{taken:?}");
    assert_eq!(taken.last(), Some(&(WAVES * MAILS)));
}

/// Puts a mail that came in where the keeper finds it; gives its number.
fn keep(house: &House, fate: &str, subject: &str) -> String {
    let raw = format!(
        "From: <{BOB}>\r\nTo: <play@example.org>\r\nSubject: {subject}\r\nMessage-ID: <kept@example.net>\r\n\r\n"
    );
    let database = rusqlite::Connection::open(house.path("data/playpost.db")).unwrap();
    database
        .execute(
            "INSERT INTO inbox (fingerprint, received, fate, reason, sender, raw) VALUES (x'00', 0, ?1, 'a fault', '{}', ?2)",
            rusqlite::params![fate, raw.as_bytes()],
        )
        .unwrap();
    database.last_insert_rowid().to_string()
}

#[test]
fn mails_that_are_kept_can_be_seen_and_dropped() {
    let house = playing();
    let id = keep(&house, "held", "susan resign 1 bob secret now");
    let list = house.run(&["admin", "mails", "list", "--json"]).json();
    assert_eq!((&list[0]["fate"], &list[0]["from"]), (&"held".into(), &BOB.into()));
    assert!(!list.to_string().contains("secret"), "{list}");
    let shown = house.run(&["admin", "mails", "show", &id]).ok();
    assert!(
        shown.contains("susan resign 1 bob …") && !shown.contains("secret"),
        "{shown}"
    );
    assert_eq!(house.run(&["admin", "mails", "replay", &id]).code, 1);
    house.run(&["admin", "mails", "drop", &id]).ok();
    assert_eq!(house.run(&["admin", "mails", "list"]).ok(), "");
    assert_eq!(house.run(&["admin", "mails", "drop", &id]).code, 1);
}

#[test]
fn a_mail_set_aside_is_handled_again() {
    let house = playing();
    let id = keep(&house, "set-aside", "susan move 1 d4");
    assert_eq!(house.run(&["doctor"]).code, 1);
    assert!(house.run(&["admin", "mails", "list"]).ok().contains("a fault"));
    assert_eq!(
        house.run(&["admin", "mails", "replay", &id]).ok(),
        format!("mail {id}: done\n")
    );
    assert_eq!(show(&house)["turn"], 2);
    assert_eq!(house.run(&["doctor"]).code, 0);
}

#[test]
fn the_outbox_is_listed_and_mails_taken_out() {
    let house = playing();
    house.mails_to(BOB);
    // Where no Maildir can be, the answer waits.
    std::fs::remove_dir_all(house.path("out")).unwrap();
    std::fs::write(house.path("out"), "").unwrap();
    house.deliver("status", ALICE, "status");
    let list = house.run(&["admin", "outbox", "list", "--json"]).json();
    let id = list[0]["id"].to_string();
    assert_eq!(list[0]["recipient"], ALICE);
    house.run(&["admin", "outbox", "retry", &id]).ok();
    house.run(&["admin", "outbox", "drop", &id]).ok();
    assert_eq!(house.run(&["admin", "outbox", "drop", &id]).code, 1);
    assert_eq!(house.run(&["admin", "outbox", "list"]).ok(), "");
}

#[test]
fn the_doctor_says_what_is_wrong() {
    let house = playing();
    let findings = house.run(&["doctor", "--json"]).json();
    assert!(
        findings.as_array().unwrap().iter().all(|finding| finding["ok"] == true),
        "{findings}"
    );
    let late = house.run_at("2026-12-03T12:00:00Z", &["doctor"]);
    assert_eq!(late.code, 1);
    assert!(late.out.contains("BAD  server"), "{}", late.out);
    std::fs::write(house.path("playpost.toml"), "adress = 1\n").unwrap();
    assert_eq!(house.run(&["doctor"]).code, 1);
}

#[test]
fn completions_and_manual_pages_are_made() {
    let house = House::new();
    assert!(house.run(&["completions", "bash"]).ok().contains("playpost"));
    house.run(&["man", "--dir", "man"]).ok();
    let page = std::fs::read_to_string(house.path("man/playpost-archive-import.1")).unwrap();
    assert!(page.contains("PATH"), "{page}");
}
