//! Each theme as a page to read: what every entry answers, one snapshot a file.

use crate::ask;
use kanshape::catalog::{Catalog, Entry, Example, Expected, FILES};
use std::fmt::Write;

fn example(page: &mut String, entry: &Entry, example: &Example) {
    let signature = ask::signature(entry).unwrap();
    let query = ask::query(&signature, example.question()).unwrap();
    let mut answers = query.solve().unwrap();
    let verdict = answers.verdict();
    writeln!(page, "    {}   ({verdict})", example.query()).unwrap();
    let most = match example.expected() {
        Expected::Answers { first, .. } => first.len(),
        Expected::Never => 0,
    };
    if let Expected::Answers { first, more } = ask::answered(&mut answers, most) {
        for answer in &first {
            writeln!(page, "      = {answer}").unwrap();
        }
        if more {
            writeln!(page, "      ...").unwrap();
        }
    }
}

fn page(name: &str, text: &str) -> String {
    let mut page = String::new();
    for entry in &Catalog::load_str(name, text).unwrap() {
        let signature = entry.signature().unwrap();
        writeln!(page, "{}   {signature}", entry.name()).unwrap();
        writeln!(page, "    {} [{}]", entry.doc(), entry.from()).unwrap();
        let aliases: Vec<&str> = entry.aliases().collect();
        if !aliases.is_empty() {
            writeln!(page, "    also {}", aliases.join(", ")).unwrap();
        }
        for e in entry.examples() {
            example(&mut page, entry, e);
        }
        page.push('\n');
    }
    page
}

#[test]
fn every_page_reads_well() {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("snapshots");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| {
        for (name, text) in FILES {
            insta::assert_snapshot!(name.trim_end_matches(".kan"), page(name, text));
        }
    });
}
