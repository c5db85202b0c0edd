//! The pages of the codes: each code has one, and each shows its code in a session or in a block of Rust that is run.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crate::page_files;
use crate::program::kanshape;
use crate::transcripts;

/// The pages that have nothing to show: nobody knows a text that brings the code about.
const NOTHING_TO_SHOW: [&str; 2] = ["K0599", "K0836"];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn text(code: &str) -> String {
    std::fs::read_to_string(root().join(format!("docs/codes/{code}.md"))).unwrap()
}

/// Every code with its meaning, as the program lists them.
fn codes() -> Vec<(String, String)> {
    let list = kanshape(&["explain"]).solved();
    let pair = |line: &str| {
        let (code, meaning) = line.split_once(": ").unwrap();
        (code.to_owned(), meaning.to_owned())
    };
    list.lines().map(pair).collect()
}

#[test]
fn each_code_has_a_page_and_each_page_a_code() {
    let all = codes();
    let codes: BTreeSet<String> = all.iter().map(|(code, _)| code.clone()).collect();
    assert_eq!(codes.len(), all.len(), "a code is given twice");
    let files = std::fs::read_dir(root().join("docs/codes")).unwrap();
    let pages: BTreeSet<String> = files
        .map(|file| file.unwrap().file_name().into_string().unwrap())
        .map(|name| name.strip_suffix(".md").unwrap().to_owned())
        .collect();
    assert_eq!(codes, pages);
}

#[test]
fn a_page_begins_with_what_its_code_means() {
    for (code, meaning) in codes() {
        let title = text(&code).lines().next().unwrap().to_owned();
        assert_eq!(title, format!("# {code}: {meaning}"));
    }
}

#[test]
fn a_page_is_what_the_program_prints() {
    for (code, meaning) in codes() {
        assert_eq!(kanshape(&["explain", &code]).solved(), text(&code));
        let json = kanshape(&["explain", &code, "--json"]).solved();
        let json: serde_json::Value = serde_json::from_str(&json).unwrap();
        let all = serde_json::json!({"code": code, "meaning": meaning, "page": text(&code)});
        assert_eq!(json, all);
    }
}

#[test]
fn all_pages_as_data() {
    let lines = kanshape(&["explain", "--json"]).solved();
    let found = lines.lines().map(|line| {
        let line: serde_json::Value = serde_json::from_str(line).unwrap();
        let text = |field: &str| line[field].as_str().unwrap().to_owned();
        (text("code"), text("meaning"))
    });
    assert_eq!(found.collect::<Vec<_>>(), codes());
}

/// Sessions are run here; the blocks of Rust are examples of the library's documentation, and run with those.
#[test]
fn a_page_shows_its_code() {
    let library = std::fs::read_to_string(root().join("crates/kanshape/src/lib.rs")).unwrap();
    for (code, _) in codes() {
        let page = format!("docs/codes/{code}.md");
        transcripts::page_in(page_files::folder(), &page, 0);
        let text = text(&code);
        let in_session = transcripts::of_page(&text).iter().any(|session| {
            session.shows(&format!("[{code}]")) || session.shows(&format!(r#""code":"{code}""#))
        });
        let blocks = text.split("\n```rust\n").skip(1);
        let blocks: Vec<&str> = blocks.filter_map(|b| b.split("\n```").next()).collect();
        let is_run = library.contains(&format!("codes/{code}.md"));
        assert_eq!(
            !blocks.is_empty(),
            is_run,
            "{code}: a page is run if it has Rust"
        );
        let in_rust = blocks.iter().any(|block| block.contains(&code));
        assert!(
            in_session || in_rust || NOTHING_TO_SHOW.contains(&&*code),
            "{page} does not show {code}"
        );
        let unsaid = transcripts::of_page(&text)
            .into_iter()
            .find(|s| s.shows_nothing());
        assert!(unsaid.is_none(), "{page}: {unsaid:?}");
    }
}

#[test]
fn a_code_that_there_is_not_may_be_a_slip_of_the_pen() {
    for (written, meant) in [
        ("K101", "K0101"),
        ("101", "K0101"),
        ("E0101", "K0101"),
        ("K00021", "K0021"),
        ("KO101", "K0101"),
    ] {
        let run = kanshape(&["explain", written]);
        assert_eq!(run.code, Some(2));
        let help = format!("did you mean `{meant}`?");
        assert!(run.err.contains(&help), "{}", run.err);
    }
    let run = kanshape(&["explain", "matmul"]);
    assert!(run.err.contains("lists all codes"), "{}", run.err);
    // Small letters will do.
    assert_eq!(kanshape(&["explain", "k0021"]).solved(), text("K0021"));
}

#[test]
fn on_a_screen_headings_are_bold_and_code_is_green() {
    let page = kanshape(&["explain", "K0021", "--color=always"]).solved();
    assert!(page.starts_with("\u{1b}[1m# K0021: "), "{page}");
    assert!(page.contains("\u{1b}[32m$ kanshape infer"), "{page}");
    assert!(page.contains("\u{1b}[32m`.2.`\u{1b}[0m"), "{page}");
    let plain: String = page
        .split('\u{1b}')
        .enumerate()
        .map(|(i, part)| match i {
            0 => part,
            _ => part.split_once('m').unwrap().1,
        })
        .collect();
    assert_eq!(plain, text("K0021"));
}
