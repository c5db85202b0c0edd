//! Each theme as a page to read: what every operator answers, one snapshot a file.

use crate::everyday;
use kanshape::{
    Operator,
    operator::{Example, Expected},
};
use std::collections::BTreeMap;
use std::fmt::Write;

fn example(page: &mut String, operator: &Operator, question: &str, example: &Example) {
    let query = example.query(operator).unwrap();
    let verdict = query.solve().unwrap().verdict();
    writeln!(page, "    {question}   ({verdict})").unwrap();
    let expected = example.answers.as_ref().unwrap();
    if let Expected::Answers { first, more } = expected.of(&query).unwrap() {
        for answer in &first {
            writeln!(page, "      = {answer}").unwrap();
        }
        if more {
            writeln!(page, "      ...").unwrap();
        }
    }
}

fn entry(page: &mut String, operator: &Operator) {
    match operator.signature() {
        Some(signature) => writeln!(page, "{}   {signature}", operator.full_name()).unwrap(),
        None => writeln!(page, "{}\n    {}", operator.full_name(), operator.text()).unwrap(),
    }
    let doc: Vec<&str> = operator.doc().filter(|line| !line.is_empty()).collect();
    writeln!(page, "    {}", doc.join(" ")).unwrap();
    let aliases: Vec<&str> = operator.aliases().collect();
    if !aliases.is_empty() {
        writeln!(page, "    also {}", aliases.join(", ")).unwrap();
    }
    for written in operator.examples() {
        let read = Example::read(operator, &written).unwrap();
        example(page, operator, written.question, &read);
    }
    page.push('\n');
}

#[test]
fn every_page_reads_well() {
    let mut pages: BTreeMap<String, String> = BTreeMap::new();
    for operator in everyday() {
        let theme = operator
            .file()
            .trim_start_matches("ops/")
            .trim_end_matches(".kan");
        entry(pages.entry(theme.to_owned()).or_default(), &operator);
    }
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("snapshots");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| {
        for (theme, page) in pages {
            insta::assert_snapshot!(theme, page);
        }
    });
}
