//! The colours of a picture. Every rule stands below `.board`, so that a picture does nothing to the page around it.

use super::Lettering;

/// Colours for a light or a dark page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Theme {
    Light,
    Dark,
    /// As the reader's screen prefers.
    Auto,
}

/// A selector, the lines of what it selects, and fill and stroke by day and by night.
struct Rule {
    selector: &'static str,
    lines: &'static str,
    day: (&'static str, &'static str),
    night: (&'static str, &'static str),
}

const fn rule(
    selector: &'static str,
    lines: &'static str,
    day: (&'static str, &'static str),
    night: (&'static str, &'static str),
) -> Rule {
    Rule {
        selector,
        lines,
        day,
        night,
    }
}

const RULES: [Rule; 18] = [
    rule(".paper", "", ("#fbf7ee", "none"), ("#1b1a18", "none")),
    rule(
        ".cells",
        "stroke-width:1.5",
        ("#f0e1c3", "#bfa677"),
        ("#4a4336", "#756950"),
    ),
    rule(
        ".dark",
        "stroke-width:1.5",
        ("#a98f62", "#bfa677"),
        ("#131210", "#756950"),
    ),
    rule(".lines", "stroke-width:2", ("none", "#a8936c"), ("none", "#7d7059")),
    rule(
        ".dots",
        "stroke-width:8;stroke-linecap:round",
        ("none", "#a8936c"),
        ("none", "#7d7059"),
    ),
    rule(
        ".black",
        "stroke-width:1.5",
        ("#1f1f21", "#000000"),
        ("#0b0b0c", "#c9c9c9"),
    ),
    rule(
        ".white",
        "stroke-width:1.5",
        ("#ffffff", "#3f3f3f"),
        ("#f4f4f2", "#ffffff"),
    ),
    rule(
        ".seat0",
        "stroke-width:1.5",
        ("#b3261e", "#5f120d"),
        ("#c23a31", "#f2b8b5"),
    ),
    rule(
        ".seat1",
        "stroke-width:1.5",
        ("#1d5bb8", "#0d2f63"),
        ("#2f6fd0", "#b7d0f5"),
    ),
    rule(
        ".seat2",
        "stroke-width:1.5",
        ("#f0b400", "#6b5000"),
        ("#e0a800", "#fff0bf"),
    ),
    rule(
        ".seat3",
        "stroke-width:1.5",
        ("#237a44", "#0e3a1f"),
        ("#2f8f55", "#bfe8cd"),
    ),
    rule(
        ".first",
        "stroke-width:1.5",
        ("#fffdf7", "#5e523e"),
        ("#f1ebdc", "#ffffff"),
    ),
    rule(
        ".second",
        "stroke-width:1.5",
        ("#3a342c", "#000000"),
        ("#14120f", "#b9ac93"),
    ),
    rule(
        ".petrified",
        "stroke-width:1.5",
        ("#c4c4c4", "#4d4d4d"),
        ("#a8a8a8", "#e0e0e0"),
    ),
    rule(".hatch", "stroke-width:2", ("none", "#a0a0a0"), ("none", "#878787")),
    rule(".out", "opacity:.45", ("#9a9a9a", "#4d4d4d"), ("#777777", "#bbbbbb")),
    rule(".filled", "stroke-width:3.5", ("none", "#d9480f"), ("none", "#ffa45c")),
    rule(
        ".changed",
        "stroke-width:3;stroke-dasharray:5 4",
        ("none", "#d9480f"),
        ("none", "#ffa45c"),
    ),
];

/// The colour of letters: selector, by day, by night.
const INKS: [(&str, &str, &str); 9] = [
    (".label", "#5f523d", "#c4b8a1"),
    (".small", "#7a6b51", "#a3967e"),
    (".light", "#ffffff", "#ffffff"),
    (".deep", "#1d1706", "#1d1706"),
    (".first-ink", "#1f1a12", "#1f1a12"),
    (".second-ink", "#fbf7ee", "#fbf7ee"),
    (".petrified-ink", "#141414", "#0c0c0c"),
    (".out-ink", "#ffffff", "#ffffff"),
    (".sign-ink", "#d9480f", "#ffa45c"),
];

/// The style sheet of a picture.
pub(super) fn sheet(theme: Theme, lettering: Lettering) -> String {
    let mut sheet = String::from(match lettering {
        Lettering::Text => ".board text{font-family:system-ui,sans-serif;font-weight:600;text-anchor:middle}",
        Lettering::Strokes => ".board .glyph{fill:none;stroke-width:1.5;stroke-linecap:round;stroke-linejoin:round}",
    });
    for rule in RULES.iter().filter(|rule| !rule.lines.is_empty()) {
        sheet.push_str(&format!(".board {}{{{}}}", rule.selector, rule.lines));
    }
    match theme {
        Theme::Light => sheet.push_str(&colours(lettering, false)),
        Theme::Dark => sheet.push_str(&colours(lettering, true)),
        Theme::Auto => {
            sheet.push_str(&colours(lettering, false));
            let night = colours(lettering, true);
            sheet.push_str(&format!("@media screen and (prefers-color-scheme:dark){{{night}}}"));
        }
    }
    sheet
}

fn colours(lettering: Lettering, is_night: bool) -> String {
    let mut rules = String::new();
    for rule in &RULES {
        let (fill, stroke) = if is_night { rule.night } else { rule.day };
        rules.push_str(&format!(".board {}{{fill:{fill};stroke:{stroke}}}", rule.selector));
    }
    for (selector, day, night) in INKS {
        let colour = if is_night { night } else { day };
        rules.push_str(&match lettering {
            Lettering::Text => format!(".board {selector} text{{fill:{colour}}}"),
            Lettering::Strokes => format!(".board {selector} .glyph{{stroke:{colour}}}"),
        });
    }
    rules
}
