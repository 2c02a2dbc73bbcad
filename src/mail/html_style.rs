//! What class, id and style say about the text of an element.

use std::{
    collections::{HashMap, HashSet},
    sync::LazyLock,
};

use super::{
    html::Effect,
    html_tag::Tag,
    table::{fits, pairs},
};

/// What an element does to its text, and what its beginning tells.
pub(super) struct Style {
    pub effect: Effect,
    /// Here begins the header block of a quoted mail.
    pub under: bool,
    /// Here ends what was typed.
    pub end: bool,
    /// Whether the element is a block or within a line, where the style says so.
    pub block: Option<bool>,
}

/// The containers: what the table says of a name, by its whole pattern, and the patterns with a star.
struct Containers {
    exact: HashMap<&'static str, &'static str>,
    starred: Vec<(&'static str, &'static str)>,
}

static CONTAINERS: LazyLock<Containers> = LazyLock::new(|| {
    let table = pairs(include_str!("tables/html_containers.txt")).map(|(says, pattern)| (pattern, says));
    let (starred, exact): (Vec<_>, Vec<_>) = table.partition(|(pattern, _)| pattern.contains('*'));
    Containers {
        exact: exact.into_iter().collect(),
        starred,
    }
});

impl Containers {
    /// What the table says of a class (`.`), an id (`#`) or a name (`@`).
    fn say(&self, sign: char, name: &str) -> Option<&'static str> {
        let written = format!("{sign}{}", without_prefix(name));
        let exact = self.exact.get(written.as_str()).copied();
        exact.or_else(|| {
            self.starred
                .iter()
                .find(|(pattern, _)| fits(pattern, &written))
                .map(|(_, says)| *says)
        })
    }

    fn of(&self, tag: &Tag<'_>) -> Option<&'static str> {
        let by = |sign, name: &str| (!name.is_empty()).then(|| self.say(sign, name)).flatten();
        by('#', tag.id).or_else(|| by('@', tag.name_attribute)).or_else(|| {
            tag.class
                .split_ascii_whitespace()
                .find_map(|class| self.say('.', class))
        })
    }
}

impl Style {
    /// Judges a start tag. Classes in `hidden_classes` are hidden by a style sheet.
    pub fn of(tag: &Tag<'_>, hidden_classes: &HashSet<String>) -> Self {
        let mut style = Self {
            effect: Effect::None,
            under: false,
            end: false,
            block: None,
        };
        match tag.name.as_str() {
            "blockquote" => style.effect = Effect::Quote,
            "pre" => style.effect = Effect::Preformatted,
            "head" | "noframes" | "object" => style.effect = Effect::Hide,
            _ => {}
        }
        let classes = tag.class.split_ascii_whitespace();
        let named = !(tag.class.is_empty() && tag.id.is_empty() && tag.name_attribute.is_empty());
        if named && style.effect != Effect::Quote {
            style.apply_containers(tag);
        }
        if !tag.style.is_empty() {
            style.apply_declarations(tag.style);
        }
        if tag.hidden || classes.into_iter().any(|class| hidden_classes.contains(class)) {
            style.effect = Effect::Hide;
        }
        style
    }

    fn apply_containers(&mut self, tag: &Tag<'_>) {
        match CONTAINERS.of(tag) {
            Some("quote") => self.effect = Effect::Quote,
            Some("around") => self.effect = Effect::Around,
            Some("attribution") => self.effect = Effect::Attribution,
            Some("drop") => self.effect = Effect::Hide,
            Some("under") => self.under = true,
            Some(_) => self.end = true,
            None => {}
        }
    }

    fn apply_declarations(&mut self, declarations: &str) {
        for (property, value) in properties(declarations) {
            if hides(&property, &value) {
                self.effect = Effect::Hide;
                return;
            }
            let line = value.contains("solid") && !value.contains("none");
            match property.as_str() {
                "display" if matches!(value.as_str(), "block" | "flex" | "table" | "list-item" | "grid") => {
                    self.block = Some(true)
                }
                "display" if value == "inline" => self.block = Some(false),
                "border-top" if line => self.under = true,
                "border-left" if line && self.effect == Effect::None => self.effect = Effect::Quote,
                "white-space" if value.starts_with("pre") && self.effect == Effect::None => {
                    self.effect = Effect::Preformatted
                }
                _ => {}
            }
        }
    }
}

/// Outlook puts `x_` before the names in mails that it quotes.
fn without_prefix(name: &str) -> &str {
    name.trim_start_matches("x_")
}

/// The declarations of a style, property and value in lower case.
fn properties(declarations: &str) -> impl Iterator<Item = (String, String)> {
    declarations.split(';').filter_map(|declaration| {
        let (property, value) = declaration.split_once(':')?;
        let value = value.trim().to_ascii_lowercase();
        let value = value.strip_suffix("!important").unwrap_or(&value).trim().to_owned();
        Some((property.trim().to_ascii_lowercase(), value))
    })
}

fn hides(property: &str, value: &str) -> bool {
    match property {
        "display" => value == "none",
        "visibility" => value == "hidden" || value == "collapse",
        "mso-hide" => value == "all",
        "font-size" | "max-height" | "max-width" | "opacity" => is_zero(value),
        "color" => value == "transparent",
        _ => false,
    }
}

/// Whether a length is nothing: `0`, `0px`, `0.0em`.
fn is_zero(value: &str) -> bool {
    let digits = value.trim_end_matches(|letter: char| letter.is_ascii_alphabetic() || letter == '%');
    !digits.is_empty() && digits.chars().all(|letter| matches!(letter, '0' | '.'))
}

/// The classes that a style sheet hides for every reader: plain selectors outside `@` rules.
pub(super) fn hidden_classes(sheet: &str) -> Vec<String> {
    let mut classes = Vec::new();
    let mut depth = 0usize;
    let mut at_rule = false;
    let mut selector = String::new();
    let mut block = String::new();
    for letter in sheet.chars() {
        match letter {
            '{' => {
                depth += 1;
                if depth == 1 {
                    at_rule = selector.trim_start().starts_with('@');
                }
                block.clear();
            }
            '}' => {
                if depth == 1 && !at_rule && properties(&block).any(|(property, value)| hides(&property, &value)) {
                    classes.extend(selector.split(',').filter_map(class_of));
                }
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    selector.clear();
                }
            }
            ';' if depth == 0 => selector.clear(),
            _ if depth == 0 => selector.push(letter),
            _ => block.push(letter),
        }
    }
    classes
}

/// `.name`, `div.name` or `*.name` alone.
fn class_of(selector: &str) -> Option<String> {
    let selector = selector.trim().trim_start_matches("<!--").trim();
    let (element, class) = selector.split_once('.')?;
    let plain = |text: &str| {
        text.chars()
            .all(|letter| letter.is_alphanumeric() || matches!(letter, '-' | '_' | '*'))
    };
    (plain(element) && plain(class) && !class.is_empty()).then(|| class.to_owned())
}
