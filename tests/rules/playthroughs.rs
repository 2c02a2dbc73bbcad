//! Golden playthroughs: `tests/data/playthroughs/GAME.turns` is played, and every board must be the one of `GAME.txt`.
//! `BLESS=1` writes them anew; read them by eye before they are committed.

use crate::support::{data, games};
use assert_cmd::Command;

#[test]
fn the_playthroughs_show_the_boards_that_were_read_by_eye() {
    for game in games() {
        let turns = data("playthroughs").join(format!("{}.turns", game.info.name));
        let golden = turns.with_extension("txt");
        let output = Command::cargo_bin("playpost")
            .unwrap()
            .args(["rules", "replay", game.info.name, "--each"])
            .arg(&turns)
            .output()
            .unwrap();
        let place = turns.display();
        assert!(
            output.status.success(),
            "{place}: {}",
            String::from_utf8_lossy(&output.stderr)
        );
        let found = String::from_utf8(output.stdout).unwrap();
        if std::env::var_os("BLESS").is_some() {
            std::fs::write(&golden, &found).unwrap();
        }
        let expected = std::fs::read_to_string(&golden).unwrap_or_default();
        assert!(
            found == expected,
            "{place}: the boards differ from {}; BLESS=1 writes them anew",
            golden.display()
        );
    }
}
