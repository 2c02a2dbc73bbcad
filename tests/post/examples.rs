//! The examples in contrib, read by the programs that they are for.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use tempfile::TempDir;

use crate::parts::program;

fn contrib(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("contrib").join(name);
    fs::read_to_string(path).unwrap()
}

fn place() -> TempDir {
    let place = tempfile::tempdir().unwrap();
    // Exim and OpenSMTPD work as users of their own.
    let open = <fs::Permissions as std::os::unix::fs::PermissionsExt>::from_mode(0o755);
    fs::set_permissions(place.path(), open).unwrap();
    place
}

fn said(command: &mut Command) -> (bool, String) {
    let Output { status, stdout, stderr } = command.output().unwrap();
    let text = String::from_utf8_lossy(&stdout).into_owned() + &String::from_utf8_lossy(&stderr);
    (status.success(), text)
}

/// The example with a user that every system has.
fn with_nobody(text: &str) -> String {
    text.replace("user = playpost", "user = nobody")
        .replace("user playpost", "user nobody")
        .replace("user=playpost", "user=nobody")
}

#[test]
fn exim_routes_the_address_and_its_keys_to_the_pipe() {
    let Some(exim) = program("exim4") else { return };
    let place = place();
    let example = with_nobody(&contrib("exim.conf"));
    let (router, transport) = example.split_once("# Among the transports").unwrap();
    let spool = place.path().join("spool");
    fs::create_dir(&spool).unwrap();
    let text = format!(
        "primary_hostname = mail.example.org\nspool_directory = {spool}\nlog_file_path = {spool}/%slog\n\
         keep_environment =\nbegin routers\n{router}\nbegin transports\n# {transport}\n",
        spool = spool.display(),
    );
    let path = place.path().join("exim.conf");
    fs::write(&path, text).unwrap();
    let (reads, what) = said(Command::new(&exim).arg("-C").arg(&path).arg("-bV"));
    assert!(reads, "{what}");
    for address in [
        "play@example.org",
        "play+abc@example.org",
        "play+bounce-abc@example.org",
    ] {
        let (routes, what) = said(Command::new(&exim).arg("-C").arg(&path).args(["-bt", address]));
        assert!(
            routes && what.contains("transport = playpost_transport"),
            "{address}: {what}"
        );
    }
    let (routes, what) = said(
        Command::new(&exim)
            .arg("-C")
            .arg(&path)
            .args(["-bt", "other@example.org"]),
    );
    assert!(!routes, "{what}");
}

#[test]
fn opensmtpd_reads_its_example() {
    let Some(smtpd) = program("smtpd") else { return };
    let place = place();
    let path = place.path().join("smtpd.conf");
    fs::write(
        &path,
        format!("listen on 127.0.0.1 port 2525\n{}", with_nobody(&contrib("smtpd.conf"))),
    )
    .unwrap();
    let (reads, what) = said(Command::new(smtpd).arg("-n").arg("-f").arg(&path));
    assert!(reads && what.contains("configuration OK"), "{what}");
}

#[test]
fn dovecot_reads_its_example() {
    let Some(doveconf) = program("doveconf") else { return };
    let place = place();
    let path = place.path().join("dovecot.conf");
    fs::write(&path, contrib("dovecot.conf")).unwrap();
    let (reads, what) = said(Command::new(doveconf).arg("-n").arg("-c").arg(&path));
    assert!(reads && what.contains("lmtp_hdr_delivery_address = original"), "{what}");
}

#[test]
fn systemd_reads_the_unit() {
    let Some(analyze) = program("systemd-analyze") else {
        return;
    };
    let place = place();
    let path: PathBuf = place.path().join("playpost.service");
    let unit = contrib("playpost.service")
        .replace("/usr/local/bin/playpost", env!("CARGO_BIN_EXE_playpost"))
        .replace("User=playpost", "User=daemon")
        .replace("Group=playpost", "Group=daemon");
    fs::write(&path, unit).unwrap();
    let (reads, what) = said(Command::new(analyze).args(["verify", "--man=no"]).arg(&path));
    let complaints: Vec<&str> = what.lines().filter(|line| line.contains("playpost")).collect();
    assert!(reads && complaints.is_empty(), "{what}");
}

#[test]
fn the_line_for_cron_runs_every_few_minutes_as_a_user_of_its_own() {
    let text = contrib("playpost.cron");
    let line = text.lines().find(|line| line.contains(" run")).unwrap();
    let fields: Vec<&str> = line.split_whitespace().collect();
    assert!(
        fields[0].starts_with("*/") && fields[1..5].iter().all(|field| *field == "*"),
        "{line}"
    );
    assert_eq!(fields[5], "playpost", "{line}");
}
