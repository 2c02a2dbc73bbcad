//! A whole game of Susan between two real mailboxes.

use std::collections::HashSet;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::house::{House, Serving, header, mails_in};
use crate::parts::{Dovecot, as_server_user, give_to_server_user, program, wait_or_explain};
use crate::postfix::{Piped, Postfix};

const SERVER: &str = "play@example.org";

/// What the two write once the match has begun, by turns.
const TURNS: [(&str, &str); 6] = [
    ("alice", "a1\n\nThe corner is mine."),
    ("bob", "a2"),
    ("alice", "e5"),
    ("bob", "b1"),
    ("alice", "e6"),
    ("bob", "b2\n\nAnd surrounded. Thank you for the game!"),
];

/// The players at their mail programs.
struct Players<'a> {
    swaks: &'a Path,
    dovecot: &'a Dovecot,
    postfix: &'a Postfix,
    /// Lets Playpost work where it does not by itself.
    round: &'a dyn Fn(),
    /// Message-IDs of the mails that they have read.
    read: HashSet<String>,
    written: usize,
}

impl Players<'_> {
    /// Plays from the first sign of life to the last turn.
    fn play(&mut self) {
        for player in ["alice", "bob"] {
            self.write(player, SERVER, &format!("Subject: signup {player}\n"), "");
            self.next_mail(player);
        }
        let subject = "Subject: challenge bob susan --first=me\n";
        self.write("alice", SERVER, subject, "");
        self.next_mail("alice");
        let challenge = self.next_mail("bob");
        let mut last = self.answer("bob", &challenge, "accept\n\nWith pleasure.");
        for (player, text) in TURNS {
            let turn = last.remove(if player == "alice" { 0 } else { 1 });
            last = self.answer(player, &turn, text);
        }
    }

    /// Answers a mail, and gives what alice and bob get then.
    fn answer(&mut self, player: &str, mail: &str, text: &str) -> Vec<String> {
        let head = format!(
            "Subject: Re: {}\nIn-Reply-To: {}\n",
            header(mail, "Subject"),
            header(mail, "Message-ID")
        );
        let quoted: Vec<String> = mail.lines().map(|line| format!("> {line}")).collect();
        let body = format!("{text}\n\nOn Sunday the server wrote:\n{}", quoted.join("\n"));
        self.write(player, &header(mail, "Reply-To"), &head, &body);
        ["alice", "bob"].map(|player| self.next_mail(player)).to_vec()
    }

    fn write(&mut self, player: &str, to: &str, head: &str, body: &str) {
        self.written += 1;
        let mail = format!(
            "From: {player} <{player}@example.net>\nTo: {to}\nMessage-ID: <{}@example.net>\n\
             Date: Sun, 29 Nov 2026 18:00:00 +0000\n{head}\n{body}\n",
            self.written
        );
        let to = to.rsplit_once('<').map_or(to, |(_, rest)| rest.trim_end_matches('>'));
        let mut swaks = Command::new(self.swaks)
            .args(["--server", "127.0.0.1", "--port", &self.postfix.port.to_string()])
            .args(["--from", &format!("{player}@example.net"), "--to", to, "--data", "-"])
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        swaks.stdin.take().unwrap().write_all(mail.as_bytes()).unwrap();
        assert!(swaks.wait().unwrap().success(), "{}", self.postfix.log());
    }

    /// The one mail of a player that he has not read yet.
    fn next_mail(&mut self, player: &str) -> String {
        let mailbox = self.dovecot.directory.path().join("mail").join(player);
        let unread = || -> Vec<String> {
            let mails = mails_in(&mailbox.join("new"))
                .into_iter()
                .chain(mails_in(&mailbox.join("cur")));
            mails
                .filter(|mail| !self.read.contains(&header(mail, "Message-ID")))
                .collect()
        };
        wait_or_explain(
            || {
                (self.round)();
                !unread().is_empty()
            },
            || format!("{player} gets a mail\n{}", self.postfix.log()),
        );
        let [mail]: [String; 1] = unread().try_into().expect("one mail at a time");
        self.read.insert(header(&mail, "Message-ID"));
        mail
    }
}

fn assert_is_over(show: &mut Command) {
    let output = show.args(["show", "1", "--json"]).output().unwrap();
    let shown: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(shown["status"], "finished", "{shown}");
    assert_eq!(shown["turns"].as_array().map(Vec::len), Some(TURNS.len()), "{shown}");
}

/// The configuration that sends through Postfix, with a login.
fn configuration(directory: &Path, dovecot: &Dovecot, postfix: &Postfix, source: &str) -> String {
    let password = directory.join("password");
    fs::write(&password, "secret\n").unwrap();
    format!(
        "address = '{SERVER}'\ndata = 'data'\n[identity]\ntrust = 'from'\n\
         [sink]\ntype = 'smtp'\nhost = 'localhost'\nport = {port}\ntls = 'starttls'\nca_file = '{certificate}'\n\
         user = 'play'\npassword_file = '{password}'\n{source}",
        port = postfix.port,
        certificate = dovecot.certificate.display(),
        password = password.display(),
    )
}

/// Player, Postfix, pipe, Playpost, SMTP, Postfix, Dovecot, player.
#[test]
fn a_game_by_way_of_the_pipe_and_an_mta_of_ones_own() {
    let Some(swaks) = program("swaks") else { return };
    let Some(piped) = Piped::start() else { return };
    let directory = piped.place.path();
    let (binary, settings) = (directory.join("playpost"), directory.join("playpost.toml"));
    fs::write(&settings, configuration(directory, &piped.dovecot, &piped.postfix, "")).unwrap();
    give_to_server_user(directory);
    let command = || {
        let mut command = as_server_user(&binary);
        command.arg("--config").arg(&settings);
        command
    };
    let round = || assert!(command().arg("run").status().unwrap().success());
    let mut players = Players {
        swaks: &swaks,
        dovecot: &piped.dovecot,
        postfix: &piped.postfix,
        round: &round,
        read: HashSet::new(),
        written: 0,
    };
    players.play();
    assert_is_over(&mut command());
    assert!(
        !piped.postfix.log().contains("status=bounced"),
        "{}",
        piped.postfix.log()
    );
}

/// The keeper has a mailbox at a provider and nothing else: IMAP in, submission out.
#[test]
fn a_game_by_way_of_a_mailbox_at_a_provider() {
    let Some(swaks) = program("swaks") else { return };
    let Some(dovecot) = Dovecot::start() else { return };
    let Some(postfix) = Postfix::start(&dovecot, "", "") else {
        return;
    };
    let house = House::new();
    let password = house.path("password");
    let source = format!(
        "[[source]]\ntype = 'imap'\nhost = 'localhost'\nport = {}\ntls = 'implicit'\nca_file = '{}'\nuser = 'play'\n\
         password_file = '{}'\ndone_folder = 'Done'\n",
        dovecot.imaps,
        dovecot.certificate.display(),
        password.display()
    );
    let settings = configuration(&house.path(""), &dovecot, &postfix, &source);
    fs::write(house.path("playpost.toml"), settings).unwrap();
    let serving = Serving::start(&house, "playpost.toml");
    let mut players = Players {
        swaks: &swaks,
        dovecot: &dovecot,
        postfix: &postfix,
        round: &|| {},
        read: HashSet::new(),
        written: 0,
    };
    players.play();
    assert_eq!(serving.end().code(), Some(0));
    assert_is_over(&mut house.command());
    assert_eq!(dovecot.count("play", "INBOX").0, 0, "what is done is moved away");
}
