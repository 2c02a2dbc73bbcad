//! A disk that is full, and one that turned read-only: a small file system in memory under the data directory.

use std::fs::{self, File};
use std::io::Write;
use std::path::PathBuf;
use std::process::Command;

use crate::house::{House, header, letter};

/// A file system of its own under a directory, until the test ends.
struct SmallDisk(PathBuf);

impl SmallDisk {
    /// `None`, said aloud, where we may not mount one: that needs root, and more than some containers give it.
    fn mount(path: PathBuf) -> Option<Self> {
        fs::create_dir_all(&path).unwrap();
        let mounted = Command::new("mount")
            .args(["-t", "tmpfs", "-o", "size=2m", "tmpfs"])
            .arg(&path)
            .output();
        if mounted.is_ok_and(|output| output.status.success()) {
            return Some(SmallDisk(path));
        }
        eprintln!("skipped: no small file system can be mounted here");
        None
    }

    /// Writes a file until nothing more fits.
    fn fill(&self) {
        let mut file = File::create(self.0.join("ballast")).unwrap();
        let (mut size, mut fits) = (64 * 1024, true);
        while size > 0 {
            fits = fits && file.write_all(&vec![b'x'; size]).is_ok();
            if !fits {
                (size, fits) = (size / 2, true);
            }
        }
    }

    fn empty(&self) {
        fs::remove_file(self.0.join("ballast")).unwrap();
    }

    fn remount(&self, how: &str) {
        let done = Command::new("mount")
            .args(["-o", &format!("remount,{how}")])
            .arg(&self.0)
            .status();
        assert!(done.unwrap().success());
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("--lazy").arg(&self.0).status();
    }
}

const MAILS: usize = 30;

fn mail(number: usize) -> String {
    let person = ["alice", "bob"][number % 2];
    letter(person, &format!("mail-{number}"), "question", "whoami")
}

/// Delivers the mails until each has been taken over, as an MTA does; gives how many were not in the first round.
fn deliver_each(house: &House) -> usize {
    let left: Vec<usize> = (0..MAILS)
        .filter(|number| house.deliver(&mail(*number)) != Some(0))
        .collect();
    for number in &left {
        assert_eq!(house.deliver(&mail(*number)), Some(75), "trouble with the disk lasts");
    }
    left.len()
}

/// Every mail has one answer, and no answer is doubled.
fn assert_each_is_answered(house: &House) {
    let ids: std::collections::BTreeSet<String> = house
        .mails_out()
        .iter()
        .map(|mail| header(mail, "In-Reply-To"))
        .collect();
    assert_eq!((house.mails_out().len(), ids.len()), (MAILS, MAILS));
    let done = "SELECT count(*) FROM inbox WHERE fate = 'done'";
    assert_eq!(house.count(done), MAILS as i64 + 2);
}

#[test]
fn a_full_disk_loses_no_mail_and_does_nothing_by_halves() {
    let house = House::new();
    let Some(disk) = SmallDisk::mount(house.path("data")) else {
        return;
    };
    let house = house.with_players();
    disk.fill();
    assert!(deliver_each(&house) > 0, "the disk was full");
    house.drop_in("1", &mail(0));
    let run = house.command().arg("run").output().unwrap();
    assert_eq!(run.status.code(), Some(1), "{run:?}");
    assert!(String::from_utf8_lossy(&run.stderr).contains("unusable"), "{run:?}");
    disk.empty();
    for number in 0..MAILS {
        assert_eq!(house.deliver(&mail(number)), Some(0));
    }
    house.run();
    assert_each_is_answered(&house);
}

#[test]
fn a_read_only_disk_loses_no_mail() {
    let house = House::new();
    let Some(disk) = SmallDisk::mount(house.path("data")) else {
        return;
    };
    let house = house.with_players();
    disk.remount("ro");
    assert_eq!(deliver_each(&house), MAILS);
    disk.remount("rw");
    for number in 0..MAILS {
        assert_eq!(house.deliver(&mail(number)), Some(0));
    }
    assert_each_is_answered(&house);
}

/// The emergency Maildir is a way out where the database alone is in trouble: here it lies on another disk.
#[test]
fn mails_in_the_emergency_maildir_of_a_full_disk_are_taken_in_later() {
    let house = House::new();
    let Some(disk) = SmallDisk::mount(house.path("data")) else {
        return;
    };
    let house = house.with_players();
    fs::create_dir_all(house.path("spare")).unwrap();
    std::os::unix::fs::symlink(house.path("spare"), house.path("data/emergency")).unwrap();
    disk.remount("ro");
    for number in 0..MAILS {
        assert_eq!(house.deliver(&mail(number)), Some(0));
    }
    assert_eq!(fs::read_dir(house.path("spare/new")).unwrap().count(), MAILS);
    disk.remount("rw");
    house.run();
    assert_each_is_answered(&house);
    assert_eq!(fs::read_dir(house.path("spare/new")).unwrap().count(), 0);
}
