//! The whole way of a mail, beside what the disk itself can do: `cargo bench --bench drain`.
//!
//! Waiting mails drained from a Maildir, `playpost deliver` from start to exit, the cost of a mail with few and with
//! many stored matches, and the memory of the daemon with many.

use std::error::Error;
use std::fs::{self, File};
use std::io::Write;
use std::os::unix::net::UnixDatagram;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use playpost::config::Config;
use playpost::post::{Envelope, Incoming, MaildirSource, Office, Stop, Take};
use playpost::server::Server;
use playpost::store::StoreError;

type Outcome<T> = Result<T, Box<dyn Error>>;

/// Mails that wait in the Maildir, each a move in a match of its own.
const WAITING: usize = 1000;
/// Players; each meets the next one.
const PLAYERS: usize = 200;
/// Matches that each player begins: enough for every mail that is measured.
const MATCHES_EACH: usize = 10;
/// Mails piped into `deliver`.
const DELIVERED: usize = 50;
/// Mails whose cost is taken, with few and with many stored matches.
const SAMPLE: usize = 200;
const FEW: usize = PLAYERS * MATCHES_EACH;
const MANY: usize = 100_000;
/// Players of the matches that are only stored.
const OTHERS: usize = 5_000;

fn main() -> Outcome<()> {
    let place = tempfile::tempdir_in(".")?;
    let house = House::build(place.path())?;
    measure_disk(place.path())?;
    let mut moves = (1..=FEW).map(move_mail);
    house.measure_drain(moves.by_ref().take(WAITING).collect())?;
    house.measure_deliver(moves.by_ref().take(DELIVERED).collect())?;
    house.measure_mails(FEW, moves.by_ref().take(SAMPLE).collect())?;
    house.store_many()?;
    house.measure_mails(MANY, moves.by_ref().take(SAMPLE).collect())?;
    house.measure_deliver(moves.by_ref().take(DELIVERED).collect())?;
    house.measure_memory()
}

/// A server with players and running matches.
struct House<'p> {
    place: &'p Path,
    config: Config,
    office: Office,
}

impl<'p> House<'p> {
    fn build(place: &'p Path) -> Outcome<Self> {
        let path = place.join("playpost.toml");
        let text = "address = 'play@example.org'\ndata = 'data'\n[identity]\ntrust = 'from'\n\
                    [limits]\nanswers_per_hour_player = 100000\nmails_per_hour = 1000000\n\
                    [sink]\ntype = 'maildir'\npath = 'out'\n[[source]]\ntype = 'maildir'\npath = 'in'\n";
        fs::write(&path, text)?;
        let config = Config::read(&path)?;
        let office = Office::open(Server::new(&config)?, &config, Box::new(chrono::Utc::now))?;
        let house = House { place, config, office };
        let signups = (0..PLAYERS).map(|player| {
            let commands = format!("signup {}\nset autoaccept on", userid(player));
            letter(player, &format!("signup-{player}"), "hello", &commands)
        });
        house.take(signups.collect())?;
        let challenges = (0..PLAYERS).map(|player| {
            let challenge = format!("challenge {} susan --first=me\n", userid((player + 1) % PLAYERS));
            let id = format!("challenge-{player}");
            letter(player, &id, "matches", &challenge.repeat(MATCHES_EACH))
        });
        house.take(challenges.collect())?;
        assert_eq!(house.count("SELECT count(*) FROM match")?, FEW);
        Ok(house)
    }

    fn take(&self, mails: Vec<String>) -> Outcome<()> {
        let envelope = Envelope::default();
        let mails: Vec<Incoming> = mails
            .into_iter()
            .map(|mail| Incoming {
                raw: mail.into_bytes(),
                envelope: envelope.clone(),
            })
            .collect();
        for batch in mails.chunks(64) {
            for fate in self.office.take_all(batch) {
                fate?;
            }
        }
        Ok(())
    }

    fn count(&self, query: &str) -> Outcome<usize> {
        let count = self.office.store().read(|tx| {
            let count = tx.query_row(query, [], |row| row.get::<_, i64>(0));
            count.map_err(StoreError::from)
        });
        Ok(usize::try_from(count?)?)
    }

    fn measure_drain(&self, mails: Vec<String>) -> Outcome<()> {
        let inbox = self.place.join("in");
        let source = MaildirSource::open(&inbox, self.config.limits.max_mail_bytes)?;
        for (number, mail) in mails.iter().enumerate() {
            fs::write(inbox.join("new").join(format!("{number:05}")), mail)?;
        }
        let outbox_before = self.count("SELECT count(*) FROM outbox")?;
        let (begun, used_before) = (Instant::now(), processor_time()?);
        let intake = source.drain(&self.office, &Stop::new())?;
        let (time, used) = (begun.elapsed(), processor_time()? - used_before);
        assert_eq!(intake.taken, mails.len());
        assert_eq!(self.count("SELECT count(*) FROM match WHERE turn = 1")?, mails.len());
        assert_eq!(
            self.count("SELECT count(*) FROM outbox")?,
            outbox_before + 2 * mails.len()
        );
        println!(
            "{} mails drained from a Maildir, durable, answers in the outbox: {time:.2?} ({used:.2?} of processor time)",
            mails.len()
        );
        Ok(())
    }

    fn measure_deliver(&self, mails: Vec<String>) -> Outcome<()> {
        let mut times = Vec::new();
        for mail in &mails {
            let begun = Instant::now();
            let mut child = self
                .command()
                .args(["deliver", "--recipient", "play@example.org"])
                .stdin(Stdio::piped())
                .spawn()?;
            if let Some(mut input) = child.stdin.take() {
                input.write_all(mail.as_bytes())?;
            }
            assert!(child.wait()?.success());
            times.push(begun.elapsed());
        }
        times.sort();
        let matches = self.count("SELECT count(*) FROM match")?;
        let (median, slowest) = (times[times.len() / 2], times[times.len() - 1]);
        println!("`playpost deliver`, start to exit, {matches} matches: median {median:.2?}, slowest {slowest:.2?}");
        Ok(())
    }

    /// One transaction a mail, so that the cost is that of a mail that comes alone.
    fn measure_mails(&self, matches: usize, mails: Vec<String>) -> Outcome<()> {
        let envelope = Envelope::default();
        let begun = Instant::now();
        for mail in &mails {
            self.office.take(mail.as_bytes(), &envelope)?;
        }
        let time = begun.elapsed() / u32::try_from(mails.len())?;
        println!("one mail by itself, durable, {matches} stored matches: {time:.2?}");
        Ok(())
    }

    /// Copies of the first match, spread over players of their own, until there are many.
    fn store_many(&self) -> Outcome<()> {
        let numbers =
            format!("WITH RECURSIVE n(n) AS (SELECT {FEW} + 1 UNION ALL SELECT n + 1 FROM n WHERE n < {MANY}) ");
        self.office.store().write(|tx| {
            let copied = tx.execute_batch(&format!(
                "{numbers} INSERT INTO match SELECT n, json_set(head, '$.number', n), game, status, turn, to_move,
                     deadline, wake, started, private, trouble FROM match, n WHERE number = 1;
                 {numbers} INSERT INTO event SELECT n, seq, at, body FROM event, n WHERE match = 1;
                 {numbers} INSERT INTO player (userid, created) SELECT 'other' || n, 0 FROM n LIMIT {OTHERS};
                 {numbers} INSERT INTO seat SELECT n, seat, {PLAYERS} + 1 + (n + seat) % {OTHERS} FROM seat, n WHERE match = 1;"
            ));
            copied.map_err(StoreError::from)
        })?;
        assert_eq!(self.count("SELECT count(*) FROM match")?, MANY);
        Ok(())
    }

    fn measure_memory(&self) -> Outcome<()> {
        let socket = self.place.join("notify");
        let notices = UnixDatagram::bind(&socket)?;
        notices.set_read_timeout(Some(Duration::from_secs(60)))?;
        let mut child = self
            .command()
            .args(["-q", "serve"])
            .env("NOTIFY_SOCKET", socket.canonicalize()?)
            .spawn()?;
        let mut notice = [0; 256];
        // The first is that it is ready, the second comes after a round of the timers.
        for _ in 0..2 {
            notices.recv(&mut notice)?;
        }
        let status = fs::read_to_string(format!("/proc/{}/status", child.id()))?;
        child.kill()?;
        child.wait()?;
        for line in status
            .lines()
            .filter(|line| line.starts_with("VmRSS") || line.starts_with("VmHWM"))
        {
            println!("the daemon with {MANY} stored matches: {line}");
        }
        Ok(())
    }

    fn command(&self) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_playpost"));
        command.arg("--config").arg(self.place.join("playpost.toml"));
        command
    }
}

/// What all threads of this process have used of the processors, in the program and in the system for it.
fn processor_time() -> Outcome<Duration> {
    /// Of the kernel's counts, which it gives to user programs in hundredths of a second.
    const TICK: Duration = Duration::from_millis(10);
    let stat = fs::read_to_string("/proc/self/stat")?;
    // The name of the program, between parentheses, may hold blanks.
    let (_, fields) = stat.rsplit_once(')').ok_or("no stat")?;
    let ticks = fields.split_whitespace().skip(11).take(2).map(str::parse::<u32>);
    Ok(TICK * ticks.sum::<Result<u32, _>>()?)
}

fn userid(player: usize) -> String {
    format!("player{player:03}")
}

fn letter(player: usize, id: &str, subject: &str, body: &str) -> String {
    let name = userid(player);
    format!(
        "From: {name} <{name}@example.net>\nTo: play@example.org\nSubject: {subject}\nMessage-ID: <{id}@example.net>\n\n{body}\n"
    )
}

/// The first turn in match `number`, by the player who began it.
fn move_mail(number: usize) -> String {
    let player = (number - 1) / MATCHES_EACH;
    let id = format!("move-{number}");
    letter(player, &id, "my move", &format!("#{number} move a1\n\nGood luck!"))
}

/// What the disk can do: durable writes of a page, and the smallest transactions of SQLite with the settings of the store.
fn measure_disk(place: &Path) -> Outcome<()> {
    const TIMES: u32 = 500;
    let mut file = File::create(place.join("page"))?;
    let begun = Instant::now();
    for _ in 0..TIMES {
        file.write_all(&[0; 4096])?;
        file.sync_data()?;
    }
    println!(
        "fdatasync: {:.0} a second",
        f64::from(TIMES) / begun.elapsed().as_secs_f64()
    );
    let connection = rusqlite::Connection::open(place.join("raw.db"))?;
    connection.execute_batch("PRAGMA journal_mode = wal; PRAGMA synchronous = full; CREATE TABLE t (body BLOB)")?;
    let begun = Instant::now();
    for _ in 0..TIMES {
        connection.execute("INSERT INTO t VALUES (?1)", [[0u8; 1000].as_slice()])?;
    }
    println!(
        "raw SQLite transactions: {:.0} a second",
        f64::from(TIMES) / begun.elapsed().as_secs_f64()
    );
    Ok(())
}
