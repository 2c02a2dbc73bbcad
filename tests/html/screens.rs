//! The mails in a real browser: nothing is wider than a telephone.

use std::path::Path;
use std::process::{Command, Stdio};

use playpost::letters::BoardStyle;

use crate::scenes::{scenes, tray};
use crate::text::program;

/// A page that shows others at the width of a telephone, and writes down how wide each of them is.
const MEASURE: &str = r#"<!DOCTYPE html><html><head><meta charset="utf-8"></head><body>MAILS<pre id="widths"></pre>
<script>
onload = () => {
  const mails = [...document.querySelectorAll("iframe")];
  document.getElementById("widths").textContent =
    mails.map(mail => `wide ${mail.contentDocument.documentElement.scrollWidth} ${mail.title}`).join("\n");
};
</script></body></html>"#;

fn chromium(browser: &Path, arguments: &[String]) -> String {
    let place = tempfile::tempdir().unwrap();
    let output = Command::new(browser)
        .args([
            "--headless=new",
            "--no-sandbox",
            "--disable-gpu",
            "--hide-scrollbars",
            "--allow-file-access-from-files",
        ])
        .arg(format!("--user-data-dir={}", place.path().display()))
        .args(arguments)
        .stdin(Stdio::null())
        .output()
        .unwrap();
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn no_mail_is_wider_than_a_telephone() {
    let Some(browser) = program("chromium") else { return };
    let mut frames = String::new();
    let mut expected = 0;
    for scene in scenes() {
        for (style, kind) in [(BoardStyle::Ascii, "board"), (BoardStyle::List, "list")] {
            let name = format!("{}-{kind}", scene.name);
            let mail = tray().join(format!("{name}.html"));
            std::fs::write(&mail, scene.html(style)).unwrap();
            frames.push_str(&format!(
                "<iframe title=\"{name}\" src=\"file://{}\" style=\"width:360px;height:2000px;border:0\"></iframe>\n",
                mail.display()
            ));
            expected += 1;
        }
    }
    let page = tray().join("measure.html");
    std::fs::write(&page, MEASURE.replace("MAILS", &frames)).unwrap();
    let shown = chromium(&browser, &["--dump-dom".into(), format!("file://{}", page.display())]);
    let mut measured = 0;
    for line in shown.lines() {
        let mut words = line
            .trim_start_matches("<pre id=\"widths\">")
            .trim_end_matches("</pre>")
            .split(' ');
        if words.next() != Some("wide") {
            continue;
        }
        let (wide, name) = (words.next().unwrap(), words.next().unwrap());
        assert!(wide.parse::<u32>().unwrap() <= 360, "{name} is {wide} pixels wide");
        measured += 1;
    }
    assert_eq!(measured, expected, "{shown:.2000}");
}
