//! The README's examples, run as they stand: lines that begin with `$` in `console` blocks, in a fresh directory, with
//! the output that follows where any does.

use std::path::Path;
use std::process::Command;

const README: &str = include_str!("../README.md");

/// One command of a block, and the output shown below it.
struct Example {
    command: String,
    output: String,
}

fn examples() -> Vec<Vec<Example>> {
    let mut blocks = Vec::new();
    for block in README.split("```console\n").skip(1) {
        let block = block.split("```").next().unwrap_or_default();
        let mut examples: Vec<Example> = Vec::new();
        for line in block.lines() {
            match (line.strip_prefix("$ "), examples.last_mut()) {
                (Some(command), _) => examples.push(Example {
                    command: command.to_string(),
                    output: String::new(),
                }),
                (None, Some(example)) => example.output += &format!("{line}\n"),
                (None, None) => panic!("output before a command: {line}"),
            }
        }
        blocks.push(examples);
    }
    blocks
}

fn run(example: &Example, directory: &Path) {
    let bin = Path::new(env!("CARGO_BIN_EXE_playpost")).parent().unwrap();
    let path = format!("{}:{}", bin.display(), std::env::var("PATH").unwrap_or_default());
    // The README's dates are those of one day.
    let command = example
        .command
        .replace("playpost --config", "playpost --now 2026-11-29T18:00:00Z --config");
    let output = Command::new("sh")
        .args(["-c", &command])
        .current_dir(directory)
        .env("PATH", path)
        .env_remove("PLAYPOST_CONFIG")
        .output()
        .unwrap();
    let printed = String::from_utf8_lossy(&output.stdout);
    assert!(
        output.status.success(),
        "{command}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    if !example.output.is_empty() {
        let trimmed: String = printed.lines().map(|line| format!("{}\n", line.trim_end())).collect();
        assert_eq!(trimmed, example.output, "{command}");
    }
}

#[test]
fn the_examples_do_what_the_readme_says() {
    let blocks = examples();
    assert!(blocks.len() >= 2, "the README has lost its examples");
    for block in blocks {
        let directory = tempfile::tempdir().unwrap();
        for example in &block {
            run(example, directory.path());
        }
    }
}
