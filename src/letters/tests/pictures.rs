//! Boards as SVG.

use crate::games::{Diagram, GAMES, Mark, Table, find};
use crate::letters::picture::{Lettering, Look, Theme, mark_code, svg};
use std::collections::BTreeMap;

const PLAIN: Look = Look {
    label: "a board",
    theme: Theme::Auto,
    lettering: Lettering::Text,
    live: None,
};

/// A game after these turns.
fn after(game: &str, options: &[(&str, &str)], turns: &[&str]) -> Diagram {
    let options: Vec<_> = options
        .iter()
        .map(|(name, value)| (name.to_string(), Some(value.to_string())))
        .collect();
    let mut table: Box<dyn Table> = (find(game).unwrap().start)(&options).unwrap();
    for turn in turns {
        table.play(None, turn).unwrap();
    }
    table.diagram()
}

fn boards() -> Vec<Diagram> {
    vec![
        after("susan", &[], &["e5", "c4", "d4", "c4-c5"]),
        after("susan", &[("seats", "4")], &["e5", "c4", "d4", "X: resign", "a1"]),
        after("medusa", &[], &["i9", "a1", "j9", "b1", "s19 i9-k9"]),
        after("lotus", &[], &["m4", "j2", "i4"]),
        after("rosette", &[("side", "3")], &["c5", "d4", "b4"]),
        after("medusa-shogi", &[], &["f4-f5", "f8-f7", "e4-e5", "g8-g7", "f3-d5"]),
    ]
}

/// The elements of a text that is well-formed as XML, each with its attributes.
fn elements(text: &str) -> Vec<(String, BTreeMap<String, String>)> {
    let (mut found, mut open, mut rest) = (Vec::new(), Vec::new(), text);
    while let Some(begin) = rest.find('<') {
        assert!(!rest[..begin].contains('>'), "a bare > before {}", &rest[begin..]);
        let end = begin + rest[begin..].find('>').unwrap();
        let tag = &rest[begin + 1..end];
        rest = &rest[end + 1..];
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop().as_deref(), Some(name));
            continue;
        }
        let is_empty = tag.ends_with('/');
        let tag = tag.trim_end_matches('/');
        let (name, mut list) = tag.split_once(' ').unwrap_or((tag, ""));
        let mut attributes = BTreeMap::new();
        while let Some((key, after)) = list.split_once("=\"") {
            let (value, after) = after.split_once('"').unwrap();
            assert!(attributes.insert(key.trim().to_string(), value.to_string()).is_none());
            list = after;
        }
        assert_eq!(list.trim(), "", "{tag}");
        found.push((name.to_string(), attributes));
        if !is_empty {
            open.push(name.to_string());
        }
    }
    assert!(open.is_empty(), "not closed: {open:?}");
    found
}

#[test]
fn every_board_is_drawn_with_its_men_and_its_last_turn() {
    for diagram in boards() {
        for lettering in [Lettering::Text, Lettering::Strokes] {
            let text = svg(&diagram, &Look { lettering, ..PLAIN });
            let drawn = elements(&text);
            let groups = drawn
                .iter()
                .filter(|(_, attributes)| attributes.contains_key("transform") && !attributes.contains_key("class"));
            let cells = diagram.cells.iter();
            let shown = cells.filter(|cell| cell.mark.is_some() || cell.filled || cell.changed);
            assert_eq!(groups.count(), shown.count());
            let signs = drawn
                .iter()
                .filter(|(_, attributes)| attributes.get("class").is_some_and(|class| class == "filled"));
            let filled = diagram.cells.iter().filter(|cell| cell.filled).count();
            assert!(filled > 0);
            assert_eq!(signs.count(), filled);
            assert_eq!(text.contains("<text"), lettering == Lettering::Text);
        }
    }
}

#[test]
fn nothing_comes_from_elsewhere_and_names_do_no_harm() {
    let label = "<script>\"&'\u{7}";
    for diagram in boards() {
        let text = svg(&diagram, &Look { label, ..PLAIN });
        let inside = text.replacen("http://www.w3.org/2000/svg", "", 1);
        for foreign in ["http", "href", "url(", "@import", "<script", "\u{7}"] {
            assert!(!inside.contains(foreign), "{foreign}");
        }
        let (_, attributes) = elements(&text).swap_remove(0);
        assert_eq!(attributes["aria-label"], "&lt;script&gt;&quot;&amp;' ");
        assert_eq!(attributes["role"], "img");
    }
}

#[test]
fn a_theme_decides_the_colours() {
    let diagram = after("susan", &[], &["e5"]);
    let with = |theme| svg(&diagram, &Look { theme, ..PLAIN });
    let is_both = |text: &str| text.contains("prefers-color-scheme");
    assert!(is_both(&with(Theme::Auto)));
    assert!(!is_both(&with(Theme::Light)) && !is_both(&with(Theme::Dark)));
    assert_ne!(with(Theme::Light), with(Theme::Dark));
}

#[test]
fn a_live_picture_names_its_cells_and_keeps_the_marks() {
    for diagram in boards() {
        let marks: Vec<Mark> = diagram.cells.iter().filter_map(|cell| cell.mark).collect();
        let mut codes: Vec<String> = marks.iter().map(mark_code).collect();
        codes.sort();
        codes.dedup();
        let mut kept: Vec<Mark> = Vec::new();
        for mark in marks {
            if !kept.contains(&mark) {
                kept.push(mark);
            }
        }
        let drawn = elements(&svg(
            &diagram,
            &Look {
                live: Some(&kept),
                ..PLAIN
            },
        ));
        let all = |key: &str| -> Vec<String> {
            let values = drawn.iter().filter_map(|(_, attributes)| attributes.get(key));
            values.cloned().collect()
        };
        let names: Vec<String> = diagram.cells.iter().map(|cell| cell.name.clone()).collect();
        assert_eq!(all("data-cell"), names);
        let mut found = all("data-mark");
        found.sort();
        codes.extend(["changed".to_string(), "filled".to_string()]);
        codes.sort();
        assert_eq!(found, codes);
    }
}

#[test]
fn every_game_is_drawn_at_its_start() {
    for game in GAMES {
        let diagram = (game.start)(&[]).unwrap().diagram();
        let drawn = elements(&svg(&diagram, &PLAIN));
        assert_eq!(drawn[0].0, "svg", "{}", game.info.name);
    }
}

#[test]
fn a_small_board_is_drawn_so() {
    let diagram = after("susan", &[("side", "2")], &["a1", "b2"]);
    let light = Look {
        theme: Theme::Light,
        lettering: Lettering::Strokes,
        ..PLAIN
    };
    insta::assert_snapshot!(svg(&diagram, &light).replace("><", ">\n<").replace('}', "}\n"));
}
