use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use super::PostError;

/// Files in `tmp` older than this were left by a process that was killed (maildir(5)).
const STALE: Duration = Duration::from_secs(36 * 60 * 60);

/// A Maildir: a mail in `new` is always complete, and readers never look into `tmp`.
#[derive(Clone, Debug)]
pub struct Maildir {
    path: PathBuf,
}

impl Maildir {
    /// The Maildir at `path`; its directories are made where they are missing.
    pub fn open(path: &Path) -> Result<Self, PostError> {
        for part in ["tmp", "new", "cur"] {
            let directory = path.join(part);
            fs::create_dir_all(&directory).map_err(file_error(&directory))?;
        }
        Ok(Maildir {
            path: path.to_path_buf(),
        })
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The directory where new mails lie.
    pub fn new_dir(&self) -> PathBuf {
        self.path.join("new")
    }

    /// Puts a mail, given in `pieces`, into `new`: complete and durable when this returns, or not there at all.
    pub fn store(&self, pieces: &[&[u8]]) -> Result<(), PostError> {
        let name = unique_name();
        let (unfinished, finished) = (self.path.join("tmp").join(&name), self.new_dir().join(&name));
        let written = write_durably(&unfinished, pieces).and_then(|()| fs::rename(&unfinished, &finished));
        if let Err(error) = written {
            // Of a full disk the half mail would keep its part.
            let _ = fs::remove_file(&unfinished);
            return Err(file_error(&unfinished)(error));
        }
        sync_directory(&self.new_dir())
    }

    /// The names of the mails in `new`, in their order.
    pub fn new_names(&self) -> Result<Vec<String>, PostError> {
        let directory = self.new_dir();
        let mut names = Vec::new();
        for entry in fs::read_dir(&directory).map_err(file_error(&directory))? {
            let entry = entry.map_err(file_error(&directory))?;
            // A name that is no UTF-8 is none that an MTA makes.
            if let Ok(name) = entry.file_name().into_string()
                && !name.starts_with('.')
                && entry.file_type().is_ok_and(|kind| !kind.is_dir())
            {
                names.push(name);
            }
        }
        names.sort_unstable();
        Ok(names)
    }

    /// Moves the mail `name` from `new` to `cur`, marked as seen.
    pub fn finish(&self, name: &str) -> Result<(), PostError> {
        let from = self.new_dir().join(name);
        let base = name.split_once(":2,").map_or(name, |(base, _)| base);
        let to = self.path.join("cur").join(format!("{base}:2,S"));
        fs::rename(&from, &to).map_err(file_error(&from))
    }

    /// Removes the mail `name` from `new`.
    pub fn remove(&self, name: &str) -> Result<(), PostError> {
        let path = self.new_dir().join(name);
        fs::remove_file(&path).map_err(file_error(&path))
    }

    /// Removes what killed processes left in `tmp` long ago.
    pub fn sweep(&self) {
        let Ok(entries) = fs::read_dir(self.path.join("tmp")) else {
            return;
        };
        for entry in entries.flatten() {
            let age = entry
                .metadata()
                .and_then(|data| data.modified())
                .map(|time| time.elapsed());
            if matches!(age, Ok(Ok(age)) if age > STALE) {
                let _ = fs::remove_file(entry.path());
            }
        }
    }
}

/// Turns an error of input or output into one that names the file.
pub(super) fn file_error(path: &Path) -> impl Fn(io::Error) -> PostError + use<> {
    let path = path.to_path_buf();
    move |error| PostError::File {
        path: path.clone(),
        error,
    }
}

fn write_durably(path: &Path, pieces: &[&[u8]]) -> io::Result<()> {
    let mut file = File::options().write(true).create_new(true).open(path)?;
    for piece in pieces {
        file.write_all(piece)?;
    }
    file.sync_all()
}

fn sync_directory(path: &Path) -> Result<(), PostError> {
    File::open(path)
        .and_then(|directory| directory.sync_all())
        .map_err(file_error(path))
}

/// A name that no other mail has, and that sorts behind those that were made before.
fn unique_name() -> String {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    format!(
        "{:010}.M{:06}Q{:06}P{}R{:08x}.playpost",
        now.as_secs(),
        now.subsec_micros(),
        COUNT.fetch_add(1, Ordering::Relaxed),
        std::process::id(),
        rand::random::<u32>(),
    )
}
