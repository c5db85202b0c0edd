//! Every option of `--help` is in the tables of docs/cli.md, and no other.

use std::collections::BTreeSet;

use crate::program::kanshape;

/// The commands, each with the words that select it.
const COMMANDS: [(&str, &[&str]); 21] = [
    ("infer", &["infer"]),
    ("enum", &["enum"]),
    ("batch", &["batch"]),
    ("types", &["types", "super"]),
    ("check", &["check"]),
    ("signature", &["signature"]),
    ("why", &["why"]),
    ("diff", &["diff"]),
    ("report", &["report"]),
    ("serve", &["serve"]),
    ("rule", &["rule", "check"]),
    ("rule", &["rule", "enum"]),
    ("rewrite", &["rewrite"]),
    ("simplify", &["simplify"]),
    ("find", &["find"]),
    ("program", &["program"]),
    ("parse", &["parse"]),
    ("catalog", &["catalog"]),
    ("repl", &["repl"]),
    ("explain", &["explain"]),
    ("completions", &["completions"]),
];

/// `(command, option)`.
type Options = BTreeSet<(String, String)>;

/// The options that the help of a command lists, by their long names.
fn of_help(words: &[&str]) -> BTreeSet<String> {
    let help = kanshape(&[words, &["--help"]].concat()).solved();
    let (_, options) = help.split_once("Options:\n").unwrap();
    // The examples below begin at the margin.
    let options = options
        .lines()
        .take_while(|line| line.is_empty() || line.starts_with(' '));
    let lines = options.map(str::trim_start);
    let options = lines.filter(|line| line.starts_with('-'));
    let long =
        options.filter_map(|line| line.split_whitespace().find(|word| word.starts_with("--")));
    long.map(|word| word.trim_end_matches(',').to_owned())
        .collect()
}

#[test]
fn every_command_is_looked_at() {
    let help = kanshape(&["--help"]).solved();
    let (_, commands) = help.split_once("Commands:\n").unwrap();
    let (commands, _) = commands.split_once("\n\n").unwrap();
    let listed = commands
        .lines()
        .filter_map(|line| line.split_whitespace().next());
    let listed: BTreeSet<&str> = listed.filter(|name| *name != "help").collect();
    assert_eq!(listed, COMMANDS.iter().map(|c| c.0).collect());
}

#[test]
fn the_page_has_the_options_of_the_help() {
    let mut expected = Options::new();
    for (command, words) in COMMANDS {
        for option in of_help(words) {
            expected.insert((command.to_owned(), option));
        }
    }
    let page = include_str!("../../docs/cli.md");
    let mut found = Options::new();
    for line in page.lines() {
        // | `-o`, `--output TYPE` | `infer`, `enum` | ... |
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        let [_, option, commands, ..] = cells[..] else {
            continue;
        };
        let words = option.split(['`', ' ']);
        let Some(option) = words.into_iter().find(|word| word.starts_with("--")) else {
            continue;
        };
        for (command, _) in COMMANDS {
            if commands == "every command" || commands.split(['`', ',', ' ']).any(|c| c == command)
            {
                found.insert((command.to_owned(), option.to_owned()));
            }
        }
    }
    let missing: Vec<_> = expected.difference(&found).collect();
    let foreign: Vec<_> = found.difference(&expected).collect();
    assert!(missing.is_empty(), "not on the page: {missing:?}");
    assert!(
        foreign.is_empty(),
        "on the page, and no option: {foreign:?}"
    );
}
