//! The HTML is well-formed, holds nothing that mail programs refuse, and is small enough.

use std::collections::BTreeMap;

use playpost::letters::{BoardStyle, Reader};

use crate::scenes::{html_of, readers, scenes};

/// Programs cut a longer mail.
const LARGEST_MAIL: usize = 100_000;

/// An element as it begins.
#[derive(Debug)]
pub struct Element {
    pub name: String,
    pub attributes: BTreeMap<String, String>,
    /// The text directly in it.
    pub text: String,
    /// Its place in the list of the element around it.
    pub parent: Option<usize>,
}

/// Reads a document strictly: every element is closed where it should be, every value stands between quotation marks,
/// every `&` begins a character reference.
pub fn elements(html: &str) -> Vec<Element> {
    let mut rest = html.strip_prefix("<!DOCTYPE html>").expect("a document type");
    let mut elements: Vec<Element> = Vec::new();
    let mut open: Vec<usize> = Vec::new();
    while !rest.is_empty() {
        if let Some(tag) = rest.strip_prefix("</") {
            let (name, after) = tag.split_once('>').expect("an end of the tag");
            let closed = open.pop().unwrap_or_else(|| panic!("</{name}> closes nothing"));
            assert_eq!(elements[closed].name, name, "closed in the wrong place: {rest:.80}");
            rest = after;
        } else if let Some(tag) = rest.strip_prefix('<') {
            let (tag, after) = tag.split_once('>').expect("an end of the tag");
            let (tag, is_closed) = match tag.strip_suffix('/') {
                Some(tag) => (tag, true),
                None => (tag, false),
            };
            let (name, attributes) = tag.split_once(char::is_whitespace).unwrap_or((tag, ""));
            assert!(name.bytes().all(|byte| byte.is_ascii_lowercase()), "<{tag}>");
            let parent = open.last().copied();
            if !is_closed {
                open.push(elements.len());
            }
            elements.push(Element {
                name: name.to_string(),
                attributes: read_attributes(attributes),
                text: String::new(),
                parent,
            });
            rest = after;
        } else {
            let end = rest.find('<').unwrap_or(rest.len());
            let (text, after) = rest.split_at(end);
            assert!(!text.contains('>'), "{text}");
            match open.last() {
                Some(&index) => elements[index].text.push_str(&unescaped(text)),
                None => assert!(text.trim().is_empty(), "text outside: {text}"),
            }
            rest = after;
        }
    }
    assert!(open.is_empty(), "not closed: {:?}", elements[open[0]].name);
    elements
}

fn read_attributes(mut rest: &str) -> BTreeMap<String, String> {
    let mut attributes = BTreeMap::new();
    rest = rest.trim();
    while !rest.is_empty() {
        let (name, after) = rest.split_once("=\"").unwrap_or_else(|| panic!("no value: {rest}"));
        let (value, after) = after.split_once('"').expect("an end of the value");
        assert!(!value.contains('<'), "{value}");
        let before = attributes.insert(name.to_string(), unescaped(value));
        assert!(before.is_none(), "{name} twice");
        assert!(after.is_empty() || after.starts_with(char::is_whitespace), "{after}");
        rest = after.trim_start();
    }
    attributes
}

fn unescaped(text: &str) -> String {
    let mut pieces = text.split('&');
    let mut unescaped = pieces.next().unwrap_or_default().to_string();
    for piece in pieces {
        let (reference, after) = piece
            .split_once(';')
            .unwrap_or_else(|| panic!("a bare & before {piece}"));
        match reference {
            "amp" => unescaped.push('&'),
            "lt" => unescaped.push('<'),
            "gt" => unescaped.push('>'),
            "quot" => unescaped.push('"'),
            number => {
                let number = number.strip_prefix('#').expect("a number").parse().unwrap();
                unescaped.push(char::from_u32(number).unwrap());
            }
        }
        unescaped.push_str(after);
    }
    unescaped
}

/// Elements, attributes and properties that every common mail program shows (caniemail.com); all others are refused.
const ELEMENTS: &[&str] = &[
    "html",
    "head",
    "meta",
    "body",
    "div",
    "p",
    "br",
    "pre",
    "blockquote",
    "code",
    "table",
    "tr",
    "td",
    "a",
    "span",
    "u",
    "wbr",
];
const ATTRIBUTES: &[&str] = &[
    "lang",
    "http-equiv",
    "content",
    "name",
    "style",
    "role",
    "aria-label",
    "cellpadding",
    "cellspacing",
    "align",
    "width",
    "height",
    "bgcolor",
    "title",
    "href",
];
const PROPERTIES: &[&str] = &[
    "margin",
    "padding",
    "background",
    "color",
    "font",
    "font-family",
    "font-size",
    "line-height",
    "max-width",
    "border-radius",
    "text-decoration",
    "display",
    "white-space",
    "word-break",
];

#[test]
fn every_mail_is_well_formed_and_holds_nothing_that_programs_refuse() {
    for scene in scenes() {
        for reader in readers() {
            for element in elements(&html_of(&scene.mail_to(reader)).unwrap()) {
                assert!(
                    ELEMENTS.contains(&element.name.as_str()),
                    "{}: <{}>",
                    scene.name,
                    element.name
                );
                for (name, value) in &element.attributes {
                    assert!(ATTRIBUTES.contains(&name.as_str()), "{}: {name}", scene.name);
                    if name == "href" {
                        assert!(value.starts_with("mailto:"), "{value}");
                    }
                    if name == "style" {
                        check_style(value);
                    }
                }
            }
        }
    }
}

fn check_style(style: &str) {
    for declaration in style.split(';') {
        let (property, value) = declaration.split_once(':').unwrap_or_else(|| panic!("{style}"));
        assert!(PROPERTIES.contains(&property), "{style}");
        assert!(!value.contains("url(") && !value.contains('!'), "{style}");
        if property == "display" {
            assert_eq!(value, "block");
        }
    }
}

#[test]
fn every_cell_of_a_board_has_its_ground_and_its_ink() {
    for scene in scenes() {
        let all = elements(&scene.html(BoardStyle::Ascii));
        let mut cells = 0;
        for (index, element) in all.iter().enumerate() {
            let of = |element: &Element, name: &str| element.attributes.get(name).cloned().unwrap_or_default();
            let is_cell = element.name == "td" && element.attributes.contains_key("bgcolor");
            if !is_cell {
                continue;
            }
            cells += 1;
            assert!(of(element, "bgcolor").starts_with('#'));
            let inner = all.iter().filter(|other| other.parent == Some(index));
            let inked = of(element, "style").contains("color:#")
                || inner.clone().any(|other| of(other, "style").contains("color:"));
            assert!(inked, "{}: {element:?}", scene.name);
        }
        assert_eq!(cells, scene.game.table().diagram().cells.len(), "{}", scene.name);
    }
}

#[test]
fn no_mail_is_longer_than_programs_show() {
    for scene in scenes() {
        for reader in readers() {
            let about = format!("{} ({}, {:?})", scene.name, reader.language, reader.board);
            let mail = scene.mail_to(reader);
            println!("{about}: {} bytes", mail.len());
            assert!(mail.len() < LARGEST_MAIL, "{about}: {} bytes", mail.len());
            assert!(mail.split(|byte| *byte == b'\n').all(|line| line.len() < 998));
        }
    }
}

#[test]
fn the_text_stands_first_and_is_the_same_without_the_html() {
    for scene in scenes() {
        let both = String::from_utf8(scene.mail(BoardStyle::Ascii)).unwrap();
        let alone = String::from_utf8(scene.mail_to(Reader::default())).unwrap();
        assert_eq!(html_of(alone.as_bytes()), None, "{}", scene.name);
        assert!(!alone.contains("multipart"));
        let (_, text) = alone.split_once("\r\n\r\n").unwrap();
        let at = both
            .find(text.trim_end())
            .unwrap_or_else(|| panic!("{}: another text", scene.name));
        assert!(at < both.find("text/html").unwrap(), "{}", scene.name);
    }
}

#[test]
fn a_mail_that_would_be_too_long_goes_out_as_text_alone() {
    let mut scene = scenes()[0].clone();
    scene.headline = "word ".repeat(30_000);
    assert_eq!(html_of(&scene.mail(BoardStyle::Ascii)), None);
}

/// The middles of the cells on each line of a board, in pixels from its left edge.
fn middles(all: &[Element]) -> Vec<Vec<f64>> {
    let number = |element: &Element, name: &str| -> f64 {
        element
            .attributes
            .get(name)
            .and_then(|value| value.parse().ok())
            .unwrap_or_default()
    };
    let mut lines = Vec::new();
    for (table, element) in all.iter().enumerate() {
        if element.attributes.get("role").is_none_or(|role| role != "presentation") {
            continue;
        }
        let gap = number(element, "cellspacing");
        let row = (table + 1..all.len())
            .find(|&index| all[index].parent == Some(table))
            .unwrap();
        let (mut left, mut line) = (gap, Vec::new());
        for cell in all.iter().filter(|cell| cell.parent == Some(row)) {
            let width = number(cell, "width");
            if cell.attributes.contains_key("bgcolor") {
                line.push(left + width / 2.0);
            }
            left += width + gap;
        }
        if !line.is_empty() {
            lines.push(line);
        }
    }
    lines
}

#[test]
fn cells_stand_where_the_drawing_has_them() {
    for scene in scenes()
        .iter()
        .filter(|scene| scene.name.ends_with("-start") && !scene.name.contains("shogi"))
    {
        let is_cell = |sign: char, before: char| {
            sign == '.' || (sign.is_ascii_digit() && "/\\ ".contains(before) && scene.name.starts_with("rosette"))
        };
        let drawn: Vec<Vec<f64>> = scene
            .board(BoardStyle::Ascii)
            .lines()
            .filter(|line| line.contains('.'))
            .map(|line| {
                let signs: Vec<char> = line.chars().collect();
                let columns = (1..signs.len()).filter(|&column| is_cell(signs[column], signs[column - 1]));
                columns.map(|column| column as f64).collect()
            })
            .collect();
        let shown = middles(&elements(&scene.html(BoardStyle::Ascii)));
        assert_eq!(shown.len(), drawn.len(), "{}", scene.name);
        let widest = (0..drawn.len()).max_by_key(|&line| drawn[line].len()).unwrap();
        let ends = |line: &[f64]| (line[0], line[line.len() - 1]);
        let ((left, right), (first, last)) = (ends(&shown[widest]), ends(&drawn[widest]));
        let pixels = |column: f64| left + (column - first) * (right - left) / (last - first);
        for (shown, drawn) in shown.iter().zip(&drawn) {
            assert_eq!(shown.len(), drawn.len(), "{}", scene.name);
            for (shown, column) in shown.iter().zip(drawn) {
                let expected = pixels(*column);
                assert!((shown - expected).abs() < 1.6, "{}: {shown} for {expected}", scene.name);
            }
        }
    }
}
