//! The templates: compiled in, replaceable by the keeper, strict about what is missing.

use super::filters;
use include_dir::{Dir, File, include_dir};
use minijinja::syntax::SyntaxConfig;
use minijinja::value::Serde;
use minijinja::{AutoEscape, Environment, ErrorKind, UndefinedBehavior, Value};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::sync::{LazyLock, Mutex, PoisonError};

/// The language that is complete, and stands in for what another one lacks.
pub(super) const FALLBACK_LANGUAGE: &str = "en";

static COMPILED_IN: Dir = include_dir!("$CARGO_MANIFEST_DIR/templates");

/// The files of [`COMPILED_IN`] by name: the folders themselves are searched from end to end.
static FILES: LazyLock<HashMap<String, &File>> = LazyLock::new(|| {
    let files = files_in(&COMPILED_IN).into_iter();
    files.map(|file| (name_of(file.path()), file)).collect()
});

fn files_in(dir: &'static Dir) -> Vec<&'static File<'static>> {
    let deeper = dir.dirs().flat_map(files_in);
    dir.files().chain(deeper).collect()
}

/// Name to source. A text is `en/items/match.txt`; a phrase of a catalog is `en/board.to-move`.
pub(super) type Sources = BTreeMap<String, String>;

/// What is wrong with a template. The keeper reads this, never a player.
#[derive(Debug, thiserror::Error)]
pub enum TemplateError {
    #[error("cannot read {path}: {source}")]
    Read {
        path: PathBuf,
        #[source]
        source: std::io::Error,
    },
    #[error("{name} is no catalog of phrases: {why}")]
    Catalog { name: String, why: String },
    #[error("{name} replaces nothing: there is no template of that name")]
    ReplacesNothing { name: String },
    #[error("template {name}: {source}")]
    Syntax {
        name: String,
        #[source]
        source: minijinja::Error,
    },
    #[error("template {name} cannot be filled in: {source:#}")]
    Render {
        name: String,
        #[source]
        source: minijinja::Error,
    },
}

/// All templates of all languages, ready to be filled in.
pub struct Templates {
    /// With the keeper's files where he has any.
    current: Environment<'static>,
    /// As compiled in: what a mail falls back to when a keeper's template cannot be filled in.
    original: Option<Environment<'static>>,
    languages: BTreeSet<String>,
}

impl Templates {
    /// Loads the compiled-in templates, and over them the files of the keeper's `templates_dir`.
    ///
    /// A `.txt` or `.html` file replaces the file of the same path (`en/items/match.txt`); a `.toml` catalog replaces the phrases
    /// that it holds. A folder of another language adds that language; what it lacks is taken from English.
    ///
    /// # Errors
    ///
    /// A file that cannot be read or parsed, or that replaces nothing, is named.
    pub fn new(dir: Option<&Path>) -> Result<Self, TemplateError> {
        let Some(dir) = dir else {
            let library = Library::default();
            return Ok(Templates {
                languages: Library::languages().collect(),
                current: environment(move |name| library.find(name))?,
                original: None,
            });
        };
        let compiled_in = compiled_in()?;
        let originals = compiled_in.clone();
        let original = environment(move |name| Ok(originals.get(name).cloned()))?;
        let mut sources = compiled_in.clone();
        let keepers = collect_directory(dir)?;
        for (name, source) in &keepers {
            if !compiled_in.contains_key(&in_language(FALLBACK_LANGUAGE, local_name(name))) {
                return Err(TemplateError::ReplacesNothing { name: name.clone() });
            }
            sources.insert(name.clone(), source.clone());
        }
        let languages = languages(&sources);
        let current = environment(move |name| Ok(sources.get(name).cloned()))?;
        for name in keepers.keys() {
            current
                .get_template(name)
                .map_err(|source| syntax_error(name, source))?;
        }
        Ok(Templates {
            current,
            original: Some(original),
            languages,
        })
    }

    /// The languages that have a folder, sorted.
    pub fn languages(&self) -> impl Iterator<Item = &str> {
        self.languages.iter().map(String::as_str)
    }

    /// Fills in a text, such as `items/match.txt`. An unknown language reads as English.
    ///
    /// # Errors
    ///
    /// [`TemplateError::Render`] when a template asks for what `context` does not hold.
    pub fn render(&self, language: &str, file: &str, context: impl Serialize) -> Result<String, TemplateError> {
        self.fill(language, file, Value::from(Serde(context)))
    }

    /// Fills in a phrase of a catalog, such as `board.to-move`: key `to-move` of `board.toml`.
    ///
    /// # Errors
    ///
    /// As [`Templates::render`].
    pub fn word(&self, language: &str, key: &str, context: impl Serialize) -> Result<String, TemplateError> {
        self.fill(language, key, Value::from(Serde(context)))
    }

    /// Whether there is a text or phrase of that name.
    pub fn has(&self, language: &str, name: &str) -> bool {
        self.current
            .get_template(&in_language(self.known(language), name))
            .is_ok()
    }

    /// What a template asks its context for: `to_move.left`. Words and filters of the engine's own are not among them.
    #[cfg(test)]
    pub(super) fn variables(&self, language: &str, name: &str) -> BTreeSet<String> {
        let template = self.current.get_template(&in_language(language, name)).unwrap();
        let asked = template.undeclared_variables(true).into_iter();
        asked.filter(|variable| variable != "word").collect()
    }

    fn known<'a>(&self, language: &'a str) -> &'a str {
        if self.languages.contains(language) {
            language
        } else {
            FALLBACK_LANGUAGE
        }
    }

    fn fill(&self, language: &str, name: &str, context: Value) -> Result<String, TemplateError> {
        let name = in_language(self.known(language), name);
        let filled = fill_from(&self.current, &name, &context);
        match (&filled, &self.original) {
            (Err(error), Some(original)) => {
                tracing::error!("{error}; the compiled-in template is used instead");
                fill_from(original, &name, &context)
            }
            _ => filled,
        }
    }
}

fn fill_from(environment: &Environment, name: &str, context: &Value) -> Result<String, TemplateError> {
    environment
        .get_template(name)
        .and_then(|template| template.render(context.clone()))
        .map_err(|source| TemplateError::Render {
            name: name.to_string(),
            source,
        })
}

/// The name of a template in a language: `en/items/match.txt`.
fn in_language(language: &str, name: &str) -> String {
    format!("{language}/{name}")
}

/// The language of a template's full name.
fn language_of(name: &str) -> &str {
    name.split_once('/').map_or(FALLBACK_LANGUAGE, |(language, _)| language)
}

/// A template's full name without its language.
fn local_name(name: &str) -> &str {
    name.split_once('/').map_or(name, |(_, local)| local)
}

fn languages(sources: &Sources) -> BTreeSet<String> {
    sources.keys().map(|name| language_of(name).to_string()).collect()
}

/// The compiled-in templates by name. A catalog is parsed when its first phrase is asked for: a pipe's mail needs few.
#[derive(Default)]
struct Library {
    /// By the catalog's name, `en/board`.
    catalogs: Mutex<BTreeMap<String, Sources>>,
}

impl Library {
    fn languages() -> impl Iterator<Item = String> {
        COMPILED_IN.dirs().map(|dir| dir.path().to_string_lossy().into_owned())
    }

    /// The source of `en/items/match.txt`, or of the phrase `en/board.to-move`.
    fn find(&self, name: &str) -> Result<Option<String>, TemplateError> {
        if let Some(file) = FILES.get(name) {
            return Ok(file.contents_utf8().map(String::from));
        }
        let Some((catalog, _)) = name.split_once('.') else {
            return Ok(None);
        };
        let mut catalogs = self.catalogs.lock().unwrap_or_else(PoisonError::into_inner);
        if !catalogs.contains_key(catalog) {
            let mut phrases = Sources::new();
            if let Some(file) = FILES.get(&format!("{catalog}.toml")) {
                add_file(file.path(), file.contents(), &mut phrases)?;
            }
            catalogs.insert(catalog.to_string(), phrases);
        }
        Ok(catalogs.get(catalog).and_then(|phrases| phrases.get(name)).cloned())
    }
}

/// The engine over the sources that `find` knows. A template is compiled when it is first used.
fn environment(
    find: impl Fn(&str) -> Result<Option<String>, TemplateError> + Send + Sync + 'static,
) -> Result<Environment<'static>, TemplateError> {
    let mut environment = Environment::new();
    let syntax = SyntaxConfig::builder()
        .trim_blocks(true)
        .lstrip_blocks(true)
        .build()
        .map_err(|source| syntax_error("", source))?;
    environment.set_syntax(syntax);
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    environment.set_auto_escape_callback(|name| match name.ends_with(".html") {
        true => AutoEscape::Html,
        false => AutoEscape::None,
    });
    environment.set_path_join_callback(|name, parent| in_language(language_of(parent), name).into());
    environment.set_loader(move |name| {
        let english = || find(&in_language(FALLBACK_LANGUAGE, local_name(name)));
        let found = match find(name) {
            Ok(None) => english(),
            found => found,
        };
        found.map_err(|error| invalid(error.to_string()))
    });
    filters::add_to(&mut environment);
    Ok(environment)
}

fn syntax_error(name: &str, source: minijinja::Error) -> TemplateError {
    TemplateError::Syntax {
        name: name.to_string(),
        source,
    }
}

/// All templates that the program brings along.
pub(super) fn compiled_in() -> Result<Sources, TemplateError> {
    let mut sources = Sources::new();
    for file in FILES.values() {
        add_file(file.path(), file.contents(), &mut sources)?;
    }
    Ok(sources)
}

fn collect_directory(root: &Path) -> Result<Sources, TemplateError> {
    let mut sources = Sources::new();
    let mut waiting = vec![root.to_path_buf()];
    while let Some(dir) = waiting.pop() {
        let unreadable = |source| TemplateError::Read {
            path: dir.clone(),
            source,
        };
        for entry in std::fs::read_dir(&dir).map_err(unreadable)? {
            let path = entry.map_err(unreadable)?.path();
            if path.is_dir() {
                waiting.push(path);
                continue;
            }
            let contents = std::fs::read(&path).map_err(|source| TemplateError::Read {
                path: path.clone(),
                source,
            })?;
            add_file(path.strip_prefix(root).unwrap_or(&path), &contents, &mut sources)?;
        }
    }
    Ok(sources)
}

/// The name of a file: its path, with `/` on every system.
fn name_of(path: &Path) -> String {
    let parts: Vec<_> = path
        .components()
        .map(|part| part.as_os_str().to_string_lossy())
        .collect();
    parts.join("/")
}

/// Adds a text, or every phrase of a catalog. Other kinds of files (a README, an editor's backup) are no templates.
fn add_file(path: &Path, contents: &[u8], sources: &mut Sources) -> Result<(), TemplateError> {
    let name = name_of(path);
    let text = String::from_utf8_lossy(contents);
    if name.ends_with(".txt") || name.ends_with(".html") {
        sources.insert(name, text.into_owned());
    } else if let Some(stem) = name.strip_suffix(".toml") {
        let table: toml::Table = toml::from_str(&text).map_err(|error| TemplateError::Catalog {
            name: name.clone(),
            why: error.to_string(),
        })?;
        add_phrases(stem, &toml::Value::Table(table), sources);
    }
    Ok(())
}

/// `[days] short = ["Mon", …]` in `words.toml` becomes `en/words.days.short.0` and so on.
fn add_phrases(prefix: &str, value: &toml::Value, sources: &mut Sources) {
    match value {
        toml::Value::Table(table) => {
            for (key, value) in table {
                add_phrases(&format!("{prefix}.{key}"), value, sources);
            }
        }
        toml::Value::Array(list) => {
            for (index, value) in list.iter().enumerate() {
                add_phrases(&format!("{prefix}.{index}"), value, sources);
            }
        }
        toml::Value::String(text) => {
            sources.insert(prefix.to_string(), text.clone());
        }
        other => {
            sources.insert(prefix.to_string(), other.to_string());
        }
    }
}

/// An error of the template engine about an argument.
pub(super) fn invalid(why: impl Into<std::borrow::Cow<'static, str>>) -> minijinja::Error {
    minijinja::Error::new(ErrorKind::InvalidOperation, why)
}
