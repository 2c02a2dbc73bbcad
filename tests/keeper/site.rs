//! The archive as a web site.

use crate::browser::{chromium, dump};
use crate::simulated::{fill, play};
use crate::support::{House, contents};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Enough for every kind of match, some of them twice.
const MATCHES: u32 = 40;

fn site(house: &House) -> PathBuf {
    house
        .run(&["archive", "site", "--dir", "site", "--title", "Club & <Games>"])
        .ok();
    house.path("site")
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Every page by its name, folders before it.
fn pages(site: &Path) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    for folder in ["", "games/", "match/", "player/"] {
        let dir = site.join(folder);
        for entry in std::fs::read_dir(&dir).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_some_and(|extension| extension == "html") {
                let name = path.file_name().unwrap().to_string_lossy();
                found.insert(format!("{folder}{name}"), read(&path));
            }
        }
    }
    found
}

/// The values of an attribute.
fn values<'a>(page: &'a str, attribute: &str) -> Vec<&'a str> {
    let begin = format!(" {attribute}=\"");
    page.split(&begin)
        .skip(1)
        .filter_map(|rest| rest.split('"').next())
        .collect()
}

#[test]
fn a_second_run_on_the_same_place_is_turned_away() {
    let house = House::new();
    fill(&house.path("data"), 2);
    let site = site(&house);
    let before = read(&site.join("index.html"));
    let lock = std::fs::File::open(site.join(".playpost-lock")).unwrap();
    lock.lock().unwrap();
    let ran = house.run(&["archive", "site", "--dir", "site", "--title", "Another"]);
    assert_eq!(ran.code, 1);
    assert!(ran.err.contains("another run is writing"), "{}", ran.err);
    assert_eq!(read(&site.join("index.html")), before);
    drop(lock);
    house.run(&["archive", "site", "--dir", "site"]).ok();
}

#[test]
fn every_public_match_has_a_page_and_every_link_leads_somewhere() {
    let house = House::new();
    fill(&house.path("data"), MATCHES);
    let site = site(&house);
    let pages = pages(&site);
    let mut private = 0;
    for number in 1..=MATCHES {
        let is_private = play(number).game.head().terms.private;
        private += usize::from(is_private);
        assert_eq!(
            pages.contains_key(&format!("match/{number}.html")),
            !is_private,
            "{number}"
        );
        assert_eq!(site.join(format!("match/{number}.txt")).exists(), !is_private);
        let link = format!("match/{number}.html\"");
        assert_eq!(pages.values().any(|page| page.contains(&link)), !is_private);
    }
    assert!(private > 0, "no match was private");
    for (name, page) in &pages {
        assert!(page.starts_with("<!doctype html>"), "{name}");
        let here = site.join(name);
        for link in values(page, "href").into_iter().chain(values(page, "src")) {
            let (file, _) = link.split_once('#').unwrap_or((link, ""));
            let target = if file.is_empty() {
                here.clone()
            } else {
                here.parent().unwrap().join(file)
            };
            assert!(target.is_file(), "{name}: {link}");
        }
    }
}

#[test]
fn a_record_of_the_site_can_be_imported() {
    let (house, other) = (House::new(), House::new());
    fill(&house.path("data"), MATCHES);
    let site = site(&house);
    let said = other
        .run(&["archive", "import", site.join("match").to_str().unwrap()])
        .ok();
    assert!(said.ends_with(" taken in, 0 there already, 0 wrong\n"), "{said}");
}

#[test]
fn a_site_is_brought_up_to_date_and_says_the_same_twice() {
    let house = House::new();
    fill(&house.path("data"), 5);
    let site = site(&house);
    let before = contents(&site.join("player"));
    house
        .run(&["archive", "site", "--dir", "site", "--title", "Club & <Games>"])
        .ok();
    assert_eq!(contents(&site.join("player")), before);
    std::fs::write(house.path("other.html"), "").unwrap();
    std::fs::create_dir(house.path("taken")).unwrap();
    std::fs::write(house.path("taken/index.html"), "mine").unwrap();
    let refused = house.run(&["archive", "site", "--dir", "taken"]);
    assert_eq!(refused.code, 1);
    assert!(refused.err.contains("taken/index.html"), "{}", refused.err);
    assert_eq!(
        house
            .run(&["archive", "site", "--dir", "site", "--language", "tlh"])
            .code,
        2
    );
}

#[test]
fn no_page_has_an_address_or_what_was_said() {
    let house = House::new();
    house.run(&["demo", "--dir", "demo"]).ok();
    std::fs::create_dir(house.path("data")).unwrap();
    std::fs::copy(house.path("demo/data/playpost.db"), house.path("data/playpost.db")).unwrap();
    let told = house.run(&["archive", "show", "1", "--talk"]).ok();
    let said: Vec<&str> = told
        .lines()
        .filter_map(|line| line.strip_prefix("# ")?.split_once(": "))
        .map(|(_, said)| said)
        .collect();
    assert!(!said.is_empty());
    let site = site(&house);
    let pages = pages(&site);
    assert!(pages["match/1.html"].contains("alice"));
    let record = read(&site.join("match/1.txt"));
    for text in pages.values().chain([&record]) {
        assert!(!text.contains("@example.net") && !text.contains("@example.com"));
        assert!(said.iter().all(|said| !text.contains(said)));
    }
}

/// A match whose players have names that would do harm.
const HOSTILE: &str = r#"[Game "susan"]
[Match "1"]
[Rules "1"]
[X "<script>alert(1)</script>"]
[O "../../\"onload=\"x&amp;</script>"]
[Start "2026-11-29T18:00:00Z"]
[End "2026-11-29T19:00:00Z"]
[Time "7d"]
[Rated "no"]
[Result "X"]
[Reason "resigned"]

e5
# bob: <img src=x onerror=alert(2)>
c4
d4
O: resign
"#;

#[test]
fn names_do_no_harm_and_talk_is_not_told() {
    let house = House::new();
    std::fs::write(house.path("hostile.txt"), HOSTILE).unwrap();
    house.run(&["archive", "import", "hostile.txt"]).ok();
    let site = site(&house);
    let pages = pages(&site);
    assert_eq!(pages.keys().filter(|name| name.starts_with("player/")).count(), 2);
    for (name, page) in &pages {
        let scripts = page.matches("<script").count();
        let own = if name.starts_with("match/") { 2 } else { 0 };
        assert_eq!(scripts, own, "{name}");
        assert_eq!(page.matches("</script>").count(), own, "{name}");
        assert!(!page.contains("onload=\"") && !page.contains("<Games>"), "{name}");
        assert!(!page.contains("onerror"), "{name}: talk is told");
    }
    assert!(pages["index.html"].contains("&lt;script&gt;alert(1)"));
    let Some(chromium) = chromium() else { return };
    let shown = dump(&chromium, &site.join("match/1.html"), "#3");
    assert!(
        shown.contains("aria-current"),
        "the page's own script did not run: {shown}"
    );
}

/// What stands on which cells of a page's board: the letters, or classes of stones.
fn standing(page: &str) -> Vec<(String, String)> {
    let board = page.split("<svg").nth(1).unwrap().split("</svg>").next().unwrap();
    let cells = board.split("data-cell=\"").skip(1);
    let mut found: Vec<(String, String)> = cells
        .filter_map(|rest| {
            let (name, rest) = rest.split_once('"')?;
            let drawn = rest.split_once('>')?.1;
            let next = drawn.find("data-cell").unwrap_or(drawn.len());
            let drawn = &drawn[..next];
            let what: String = [
                "black",
                "white",
                "seat0",
                "seat1",
                "seat2",
                "seat3",
                "out",
                "first",
                "second",
                "petrified",
            ]
            .iter()
            .filter(|class| drawn.contains(&format!("class=\"{class}\"")))
            .copied()
            .collect();
            let letter = drawn
                .split_once("</text>")
                .map(|(before, _)| before.rsplit('>').next().unwrap_or_default());
            let sign = if drawn.contains("class=\"filled\"") { "!" } else { "" };
            let what = format!("{what}{}{sign}", letter.unwrap_or_default());
            (!what.is_empty()).then(|| (name.to_string(), what))
        })
        .collect();
    found.sort();
    found
}

#[test]
fn a_browser_shows_the_turn_of_the_address_and_goes_on_by_keys_and_buttons() {
    let Some(chromium) = chromium() else { return };
    let house = House::new();
    fill(&house.path("data"), MATCHES);
    let site = site(&house);
    let mut games = BTreeMap::new();
    for number in 1..=MATCHES {
        let game = play(number).game;
        if !game.head().terms.private && game.turn() >= 8 {
            games.entry(game.head().terms.game.clone()).or_insert(game);
        }
    }
    assert_eq!(games.len(), 5);
    for game in games.values() {
        let page = site.join(format!("match/{}.html", game.number()));
        let drawn = standing(&read(&page));
        let all = dump(&chromium, &page, "");
        assert_eq!(standing(&all), drawn, "without an address the last position stays");
        let at = |turn: u32| {
            let table = game.table_at(turn).unwrap();
            let cells = table.diagram().cells;
            cells.into_iter().filter(|cell| cell.mark.is_some()).count()
        };
        let shown = dump(&chromium, &page, "#7");
        assert_eq!(standing(&shown).iter().filter(|(_, what)| what != "!").count(), at(7));
        assert!(shown.contains(&format!("7 of {}", game.turn())), "{}", game.number());
        let driven = page.with_file_name("driven.html");
        let script = read(&page).replace("</body>", &format!("<script>{PLAYER}</script></body>"));
        std::fs::write(&driven, script).unwrap();
        let report = dump(&chromium, &driven, "");
        let report = report
            .split("<output>")
            .nth(1)
            .unwrap()
            .split("</output>")
            .next()
            .unwrap();
        assert_eq!(
            report,
            "right left next previous first home last end",
            "{}",
            game.number()
        );
    }
}

/// A script that does what a player does on the page, and tells what has shown what it should.
const PLAYER: &str = include_str!("player.js");
