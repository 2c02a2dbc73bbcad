//! A folder of files that takes the place of an earlier one when it is whole.

use super::SiteError;
use std::collections::BTreeSet;
use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

/// Lists the files that a site is made of, in the site's own folder.
const LIST: &str = ".playpost-site";

/// Locked while a run works on the site. It stays: a lock on a file that was removed would keep nobody away.
const LOCK: &str = ".playpost-lock";

/// Files that are written beside their place, and moved there at the end.
pub(super) struct Folder {
    place: PathBuf,
    /// Where they are written.
    part: PathBuf,
    /// In the order in which they were written.
    written: Vec<String>,
    /// What an earlier run has put into the place.
    earlier: BTreeSet<String>,
    /// Keeps other runs away for as long as it is open.
    _lock: File,
}

impl Folder {
    /// Begins anew; what a run that was killed has left beside the place is removed.
    pub(super) fn begin(place: &Path) -> Result<Folder, SiteError> {
        // The folder above need not be named: `--dir site`.
        let place = std::path::absolute(place).map_err(at(place))?;
        let name = place.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let part = place.with_file_name(format!(".{name}.playpost-part"));
        let lock = locked(&place)?;
        let folder = Folder {
            earlier: listed(&place.join(LIST))?,
            place,
            part,
            written: Vec::new(),
            _lock: lock,
        };
        folder.is_free("index.html")?;
        if folder.part.exists() {
            fs::remove_dir_all(&folder.part).map_err(at(&folder.part))?;
        }
        fs::create_dir_all(&folder.part).map_err(at(&folder.part))?;
        Ok(folder)
    }

    /// Writes a file; `name` may have folders before it. Each is written once, and after those to which it links: they
    /// are moved in the same order, so that a run that is killed meanwhile leaves no link that leads nowhere.
    pub(super) fn write(&mut self, name: &str, contents: &str) -> Result<(), SiteError> {
        let path = self.part.join(name);
        let written = fs::write(&path, contents).or_else(|error| match (error.kind(), path.parent()) {
            (io::ErrorKind::NotFound, Some(parent)) => {
                fs::create_dir_all(parent)?;
                fs::write(&path, contents)
            }
            _ => Err(error),
        });
        written.map_err(at(&path))?;
        self.written.push(name.to_string());
        Ok(())
    }

    /// Moves the files to their place, and removes those of an earlier run that are not among them; gives how many
    /// files there are.
    ///
    /// Each file is whole at every instant. The list holds at every instant all files that are ours.
    pub(super) fn finish(self) -> Result<usize, SiteError> {
        for name in &self.written {
            self.is_free(name)?;
        }
        let written: BTreeSet<String> = self.written.iter().cloned().collect();
        self.list(written.union(&self.earlier))?;
        for name in &self.written {
            let target = self.place.join(name);
            if let Some(parent) = target.parent() {
                fs::create_dir_all(parent).map_err(at(parent))?;
            }
            fs::rename(self.part.join(name), &target).map_err(at(&target))?;
        }
        for name in self.earlier.difference(&written) {
            let gone = self.place.join(name);
            match fs::remove_file(&gone) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(at(&gone)(error)),
                _ => {}
            }
        }
        self.list(written.iter())?;
        fs::remove_dir_all(&self.part).map_err(at(&self.part))?;
        Ok(written.len())
    }

    /// Refuses a name under which a file stands that is not ours.
    fn is_free(&self, name: &str) -> Result<(), SiteError> {
        let path = self.place.join(name);
        if !self.earlier.contains(name) && path.symlink_metadata().is_ok() {
            return Err(SiteError::NotOurs(path));
        }
        Ok(())
    }

    fn list<'a>(&self, names: impl Iterator<Item = &'a String>) -> Result<(), SiteError> {
        let text: String = names.map(|name| format!("{name}\n")).collect();
        let (part, target) = (self.part.join(LIST), self.place.join(LIST));
        fs::write(&part, text).map_err(at(&part))?;
        fs::rename(&part, &target).map_err(at(&target))
    }
}

/// Makes the place, and locks it.
fn locked(place: &Path) -> Result<File, SiteError> {
    fs::create_dir_all(place).map_err(at(place))?;
    let path = place.join(LOCK);
    let lock = File::create(&path).map_err(at(&path))?;
    match lock.try_lock() {
        Ok(()) => Ok(lock),
        Err(TryLockError::WouldBlock) => Err(SiteError::AtWork(place.to_path_buf())),
        Err(TryLockError::Error(error)) => Err(at(&path)(error)),
    }
}

/// The names in a list; none where there is no list. A name that leads out of the folder is nobody's.
fn listed(path: &Path) -> Result<BTreeSet<String>, SiteError> {
    match fs::read_to_string(path) {
        Ok(text) => {
            let is_inside = |name: &&str| {
                let mut parts = Path::new(name).components();
                !name.is_empty() && parts.all(|part| matches!(part, std::path::Component::Normal(_)))
            };
            Ok(text.lines().filter(is_inside).map(String::from).collect())
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(BTreeSet::new()),
        Err(error) => Err(at(path)(error)),
    }
}

fn at(path: &Path) -> impl Fn(io::Error) -> SiteError {
    let path = path.to_path_buf();
    move |error| SiteError::File {
        path: path.clone(),
        error,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tempfile::TempDir;

    fn files(place: &Path) -> Vec<String> {
        let mut found = Vec::new();
        let mut waiting = vec![place.to_path_buf()];
        while let Some(dir) = waiting.pop() {
            for entry in fs::read_dir(dir).unwrap() {
                let path = entry.unwrap().path();
                match path.is_dir() {
                    true => waiting.push(path),
                    false => found.push(path.strip_prefix(place).unwrap().to_string_lossy().into_owned()),
                }
            }
        }
        found.retain(|name| name != LOCK);
        found.sort();
        found
    }

    fn made(place: &Path, names: &[&str]) -> Result<usize, SiteError> {
        let mut folder = Folder::begin(place)?;
        for name in names {
            folder.write(name, name)?;
        }
        folder.finish()
    }

    #[test]
    fn files_that_are_no_part_of_it_any_more_are_removed_and_others_stay() {
        let dir = TempDir::new().unwrap();
        let place = dir.path().join("site");
        fs::create_dir(&place).unwrap();
        fs::write(place.join("robots.txt"), "mine").unwrap();
        assert_eq!(
            made(&place, &["index.html", "match/1.html", "match/2.html"]).unwrap(),
            3
        );
        assert_eq!(made(&place, &["index.html", "match/2.html"]).unwrap(), 2);
        assert_eq!(
            files(&place),
            [".playpost-site", "index.html", "match/2.html", "robots.txt"]
        );
        assert_eq!(
            fs::read_dir(dir.path()).unwrap().count(),
            1,
            "nothing is left beside it"
        );
    }

    #[test]
    fn what_is_not_ours_is_not_written_over() {
        let dir = TempDir::new().unwrap();
        fs::write(dir.path().join("index.html"), "mine").unwrap();
        assert!(matches!(made(dir.path(), &["index.html"]), Err(SiteError::NotOurs(_))));
        fs::remove_file(dir.path().join("index.html")).unwrap();
        fs::write(dir.path().join("style.css"), "mine").unwrap();
        assert!(matches!(
            made(dir.path(), &["index.html", "style.css"]),
            Err(SiteError::NotOurs(_))
        ));
        assert_eq!(files(dir.path()), ["style.css"]);
    }

    #[test]
    fn a_run_that_is_killed_leaves_the_old_site_and_the_next_one_is_whole() {
        let dir = TempDir::new().unwrap();
        let place = dir.path().join("site");
        made(&place, &["index.html", "old.html"]).unwrap();
        let mut killed = Folder::begin(&place).unwrap();
        killed.write("index.html", "half").unwrap();
        killed.write("half.html", "half").unwrap();
        drop(killed);
        assert_eq!(files(&place), [".playpost-site", "index.html", "old.html"]);
        assert_eq!(fs::read_to_string(place.join("index.html")).unwrap(), "index.html");
        made(&place, &["index.html", "new.html"]).unwrap();
        assert_eq!(files(&place), [".playpost-site", "index.html", "new.html"]);
    }

    #[test]
    fn a_run_that_stops_while_it_moves_leaves_no_link_that_leads_nowhere() {
        let dir = TempDir::new().unwrap();
        made(dir.path(), &["old.html", "index.html"]).unwrap();
        // Where a folder is to be stands a file.
        fs::write(dir.path().join("match"), "mine").unwrap();
        let mut folder = Folder::begin(dir.path()).unwrap();
        folder.write("match/1.html", "new").unwrap();
        folder.write("index.html", "new").unwrap();
        assert!(folder.finish().is_err());
        assert_eq!(fs::read_to_string(dir.path().join("index.html")).unwrap(), "index.html");
        assert!(dir.path().join("old.html").exists());
    }

    #[test]
    fn two_runs_do_not_work_on_one_place() {
        let dir = TempDir::new().unwrap();
        let mut first = Folder::begin(dir.path()).unwrap();
        first.write("index.html", "first").unwrap();
        assert!(matches!(Folder::begin(dir.path()), Err(SiteError::AtWork(_))));
        assert_eq!(first.finish().unwrap(), 1);
        made(dir.path(), &["index.html"]).unwrap();
    }

    #[test]
    fn a_list_that_names_files_elsewhere_removes_none() {
        let dir = TempDir::new().unwrap();
        let place = dir.path().join("site");
        fs::create_dir(&place).unwrap();
        fs::write(dir.path().join("precious"), "").unwrap();
        fs::write(place.join(LIST), "../precious\n/etc/hostname\n").unwrap();
        made(&place, &["index.html"]).unwrap();
        assert!(dir.path().join("precious").exists());
    }
}
