//! A server in which the table is walked: some people, and a match in a certain state.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use playpost::config::Config;
use playpost::server::{Audit, Envelope, Server};
use playpost::store::{Store, StoreError};
use rusqlite::types::ValueRef;
use tempfile::TempDir;

use crate::harness::{DAY, Letter, MINUTE, Out, SERVER, address, scratch};
use crate::laws;

/// 2026-11-29T18:00:00Z.
const BEGINS: i64 = 1_795_975_200;

/// The state of the one match, in which alice is to move (or to answer) and bob waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    NoMatch,
    /// Alice has challenged bob.
    Challenged,
    Running,
    /// Bob has offered a draw.
    Offered,
    /// Rosette after two passes; bob has named no stones as dead.
    Counting,
    Paused,
    /// Bob has resigned.
    Finished,
    Private,
    /// Alice's soft clock has come to zero.
    RanOut,
}

/// Who writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sender {
    /// Somebody without an account.
    Stranger,
    /// The From address is alice's, and nothing proves it.
    Held,
    /// A player who does not play in the match.
    Outsider,
    Mover,
    Opponent,
    Watcher,
    /// A player whom both players of the match have blocked.
    Blocked,
    /// Alice, whom the keeper has barred.
    Barred,
    /// Somebody who has signed off.
    Closed,
    /// Alice, whose address is marked as failing.
    Failing,
}

impl Sender {
    pub const ALL: [Sender; 10] = [
        Sender::Stranger,
        Sender::Held,
        Sender::Outsider,
        Sender::Mover,
        Sender::Opponent,
        Sender::Watcher,
        Sender::Blocked,
        Sender::Barred,
        Sender::Closed,
        Sender::Failing,
    ];

    pub fn person(self) -> &'static str {
        match self {
            Sender::Stranger => "mallory",
            Sender::Held | Sender::Mover | Sender::Barred | Sender::Failing => "alice",
            Sender::Outsider => "carol",
            Sender::Opponent => "bob",
            Sender::Watcher => "dave",
            Sender::Blocked => "eve",
            Sender::Closed => "zoe",
        }
    }

    /// Whether a verified From proves a player with an open account.
    pub fn is_proved(self) -> bool {
        !matches!(self, Sender::Stranger | Sender::Held | Sender::Barred | Sender::Closed)
    }

    /// Whether the sender is proved and plays in the match.
    pub fn has_seat(self) -> bool {
        self.is_mover() || self == Sender::Opponent
    }

    pub fn is_mover(self) -> bool {
        matches!(self, Sender::Mover | Sender::Failing)
    }
}

pub struct World {
    server: Server,
    store: Option<Store>,
    place: TempDir,
    now: i64,
    written: usize,
    /// The last mail out that was looked at, and the last one when the world was kept.
    seen: i64,
    kept_seen: i64,
    known: BTreeSet<String>,
}

impl World {
    /// A match in this state, and people around it.
    pub fn in_state(state: State) -> Self {
        let place = scratch();
        let text = format!(
            "address = \"{SERVER}\"\ndata = \"data\"\n[identity]\ntrust = \"verified\"\nauthserv_id = \"mx.example.org\"\n\
             [limits]\nanswers_per_hour_player = 100000\nanswers_per_hour_stranger = 100000\n\
             [sink]\ntype = \"maildir\"\npath = \"out\"\n"
        );
        let path = place.path().join("playpost.toml");
        std::fs::write(&path, text).unwrap();
        let config = Config::load(Some(&path)).unwrap();
        let mut world = World {
            server: Server::new(&config).unwrap(),
            store: Some(Store::open_file(&place.path().join("walk.db")).unwrap()),
            place,
            now: BEGINS,
            written: 0,
            seen: 0,
            kept_seen: 0,
            known: BTreeSet::new(),
        };
        for person in ["alice", "bob", "carol", "dave", "eve", "zed", "zoe"] {
            world.proved(person, &format!("signup {person}"));
        }
        for person in ["alice", "bob"] {
            world.proved(person, "block eve");
        }
        let question = world.proved("zoe", "signoff").remove(0);
        world.take(Letter::answer("zoe", &question).text("yes"));
        world.begin(state);
        world
    }

    fn begin(&mut self, state: State) {
        let challenge = match state {
            State::NoMatch => return,
            State::Counting => "challenge bob rosette --first=me",
            State::Private => "challenge bob susan --first=me --private",
            State::RanOut => "challenge bob susan --first=me --time=1d --soft",
            _ => "challenge bob susan --first=me",
        };
        self.proved("alice", challenge);
        if state == State::Challenged {
            return;
        }
        self.proved("bob", "accept");
        if state != State::Private {
            self.proved("dave", "#1 watch");
        }
        for (player, turn) in [("alice", "d4"), ("bob", "d5"), ("alice", "a1"), ("bob", "a2")] {
            self.proved(player, &format!("#1 {turn}"));
        }
        let further: &[(&str, &str)] = match state {
            State::Offered => &[("bob", "draw")],
            State::Counting => &[("alice", "pass"), ("bob", "pass"), ("bob", "dead none")],
            State::Paused => &[("bob", "pause"), ("alice", "accept")],
            State::Finished => &[("bob", "resign")],
            _ => &[],
        };
        for (player, line) in further {
            self.proved(player, &format!("#1 {line}"));
        }
        if state == State::RanOut {
            let end = self.now + DAY + 1;
            while self.now < end {
                self.now += 50 * MINUTE;
                let (server, now) = (&self.server, self.now);
                server.tick(self.store.as_mut().unwrap(), now).unwrap();
            }
        }
    }

    /// What makes the sender who he is; from then on the world can be put back to this.
    pub fn prepare_for(&mut self, sender: Sender) {
        let (now, store) = (self.now, self.store.as_mut().unwrap());
        match sender {
            Sender::Barred => {
                let audit = Audit::default();
                self.server.bar(store, "alice", true, &audit, now).unwrap();
            }
            Sender::Failing => {
                let marked = store.write(|tx| tx.mark_failing(&address("alice"), now));
                assert!(marked.unwrap());
            }
            _ => {}
        }
        self.outgoing();
        self.kept_seen = self.seen;
        self.close();
        std::fs::copy(self.database(), self.kept()).unwrap();
        self.open();
    }

    /// As [`World::prepare_for`] left it.
    pub fn put_back(&mut self) {
        self.close();
        std::fs::copy(self.kept(), self.database()).unwrap();
        self.open();
        self.seen = self.kept_seen;
    }

    fn database(&self) -> PathBuf {
        self.place.path().join("walk.db")
    }

    fn kept(&self) -> PathBuf {
        self.place.path().join("kept.db")
    }

    /// The last connection that closes folds the log into the database.
    fn close(&mut self) {
        self.store = None;
    }

    fn open(&mut self) {
        self.store = Some(Store::open_file(&self.database()).unwrap());
    }

    /// The same world for another sender.
    pub fn copy(&mut self) -> World {
        self.outgoing();
        self.close();
        let place = scratch();
        for name in ["walk.db", "playpost.toml"] {
            copy_file(self.place.path(), place.path(), name);
        }
        self.open();
        let config = Config::load(Some(&place.path().join("playpost.toml"))).unwrap();
        World {
            server: Server::new(&config).unwrap(),
            store: Some(Store::open_file(&place.path().join("walk.db")).unwrap()),
            place,
            now: self.now,
            written: self.written,
            seen: self.seen,
            kept_seen: self.seen,
            known: self.known.clone(),
        }
    }

    /// A mail whose sender the host has verified.
    fn proved(&mut self, person: &str, text: &str) -> Vec<Out> {
        self.take(verified(Letter::from(person)).text(text))
    }

    /// Lines of this sender, each in a mail of its own, as his host hands them over. What came of each of them: answers
    /// are told apart by the mail that they answer, everything else belongs to the only line.
    pub fn say(&mut self, sender: Sender, lines: &[String]) -> Vec<Vec<Out>> {
        let letters = lines.iter().map(|line| {
            let letter = Letter::from(sender.person()).text(line);
            let is_verified = sender.is_proved() || sender == Sender::Barred;
            if is_verified { verified(letter) } else { letter }
        });
        let letters: Vec<Letter> = letters.collect();
        let first = self.written + 1;
        let mut came: Vec<Vec<Out>> = lines.iter().map(|_| Vec::new()).collect();
        for mail in self.take_all(letters) {
            laws::check(&mail, &self.known, &[], &[]);
            let answered = mail.header("In-Reply-To");
            let number = answered
                .strip_prefix('<')
                .and_then(|id| id.strip_suffix("@walk.example>"));
            let place = number.map_or(0, |number| number.parse::<usize>().unwrap() - first);
            came[place].push(mail);
        }
        came
    }

    fn take(&mut self, letter: Letter) -> Vec<Out> {
        self.take_all(vec![letter])
    }

    fn take_all(&mut self, letters: Vec<Letter>) -> Vec<Out> {
        let mut mails = Vec::new();
        for letter in letters {
            self.written += 1;
            self.known.extend(letter.sender.clone());
            let envelope = Envelope {
                sender: letter.sender.clone(),
                recipients: vec![SERVER.to_string()],
            };
            let letter = letter.header("Message-ID", &format!("<{}@walk.example>", self.written));
            mails.push((letter.bytes(), envelope));
        }
        let mails: Vec<(&[u8], &Envelope)> = mails.iter().map(|(raw, envelope)| (raw.as_slice(), envelope)).collect();
        let store = self.store.as_mut().unwrap();
        self.server.take_all(store, &mails, self.now).unwrap();
        self.outgoing()
    }

    /// What has been put into the outbox since it was last looked at.
    fn outgoing(&mut self) -> Vec<Out> {
        let rows = self.store.as_mut().unwrap().read(|tx| tx.outbox()).unwrap();
        let seen = self.seen;
        self.seen = rows.last().map_or(seen, |row| row.id);
        let mails = rows.into_iter().filter(|row| row.id > seen).map(|row| Out {
            to: row.recipient,
            return_path: row.envelope_from.unwrap_or_default(),
            raw: row.raw,
        });
        mails.collect()
    }

    /// Everything that a command may change, as text: what only tells of mails is left out.
    pub fn state(&mut self) -> String {
        const LOOKED_AT: [&str; 14] = [
            "match",
            "event",
            "seat",
            "watcher",
            "archived",
            "archived_seat",
            "challenge",
            "invitee",
            "player",
            "block",
            "vacation",
            "stranger",
            "rating",
            "digest",
        ];
        let mut text = self.rows("SELECT player, address, main FROM address");
        text += &self.rows("SELECT count(*) FROM sent WHERE revoked = 1");
        for table in LOOKED_AT {
            text += &self.rows(&format!("SELECT '{table}', * FROM {table}"));
        }
        text
    }

    pub fn is_failing(&mut self, person: &str) -> bool {
        let rows = self.rows(&format!(
            "SELECT failing FROM address WHERE address = '{}'",
            address(person)
        ));
        !rows.contains("NULL")
    }

    fn rows(&mut self, query: &str) -> String {
        let text = self.store.as_mut().unwrap().read(|tx| {
            let mut statement = tx.prepare_cached(query)?;
            let columns = statement.column_count();
            let mut rows = statement.query([])?;
            let mut text = String::new();
            while let Some(row) = rows.next()? {
                for column in 0..columns {
                    match row.get_ref(column)? {
                        ValueRef::Null => text.push_str("NULL"),
                        ValueRef::Integer(number) => text.push_str(&number.to_string()),
                        ValueRef::Real(number) => text.push_str(&number.to_string()),
                        ValueRef::Text(bytes) | ValueRef::Blob(bytes) => text.push_str(&String::from_utf8_lossy(bytes)),
                    }
                    text.push('|');
                }
                text.push('\n');
            }
            Ok::<_, StoreError>(text)
        });
        text.unwrap()
    }
}

fn copy_file(from: &Path, to: &Path, name: &str) {
    std::fs::copy(from.join(name), to.join(name)).unwrap();
}

/// The letter as it arrives when the host has verified its sender.
fn verified(letter: Letter) -> Letter {
    let from = letter.sender.clone().unwrap();
    let domain = from.split_once('@').unwrap().1.to_string();
    letter.before(
        "Authentication-Results",
        &format!("mx.example.org; dmarc=pass header.from={domain}"),
    )
}
