//! Patterns of compilers, restated in `tests/released/judged.kan`: `docs/released.md` shows what is found of them. `KANSHAPE_UPDATE=1` in the environment
//! writes its table again.

use std::path::Path;

use kanshape::catalog;
use kanshape_rewrite::{Agreement, Case, Rules, Soundness, Values};

const BEGIN: &str = "<!-- what follows is printed by tests/rules/judged.rs -->\n";
const END: &str = "<!-- up to here, by judged.rs -->\n";

/// Patterns as they were before a report, or as they would be without a test that their source makes, and one that is wrong in the source of today.
const WRONG: [&str; 5] = [
    "mul_softmax_without_sign",
    "permuted_keys_of_three_dims",
    "multiply_roots",
    "log_of_power",
    "clamp_of_any_numbers",
];
const PROVED: usize = 36;

/// Where each rule is from, as the comment before it says, and its text without its name.
fn sources(text: &str) -> Vec<(String, String)> {
    let blocks = text.split("\n\n").filter(|block| block.starts_with("/// "));
    let rows = blocks.map(|block| {
        let (comment, rule) = block.split_once("\nrule ").unwrap();
        let rule: Vec<&str> = rule.split_whitespace().collect();
        let rule = rule.join(" ");
        let (_, rule) = rule.split_once([' ', ':']).unwrap();
        let comment = comment.trim_start_matches("/// ");
        (comment.to_owned(), rule.trim().to_owned())
    });
    rows.collect()
}

fn case(own: &Case) -> String {
    let leaves = own.leaves.iter();
    let leaves: Vec<String> = leaves.map(|(name, ty)| format!("{name} {ty}")).collect();
    let types = |all: &[kanshape::Type]| {
        let all: Vec<String> = all.iter().map(ToString::to_string).collect();
        all.join(", ")
    };
    let right = own.right.as_deref().map_or("refused".into(), types);
    format!(
        "`{}`: `{}`, and not `{right}`",
        leaves.join(", "),
        types(&own.left)
    )
}

fn row(source: &str, rule: &str, types: &Soundness, values: &Values) -> String {
    let needs = match types.needs.as_deref() {
        None | Some([]) => String::new(),
        Some(goals) => format!(", with `{}`", goals.join(", ")),
    };
    let found = match (values.verdict, &values.counterexample) {
        (Agreement::Refuted, Some(own)) => format!("refuted for {}", case(own)),
        (Agreement::Proved, _) if values.all_ranks => "proved for all ranks and sizes".into(),
        (Agreement::Proved, _) => match values.all_sizes {
            Some(rank) => format!("proved for all sizes, ranks up to {rank}"),
            None => format!("proved for {} instances", values.instances),
        },
        (Agreement::Tested, _) => format!("tested on {} instances", values.instances),
        (verdict, _) => verdict.to_string(),
    };
    format!(
        "| {source} | `{rule}` | {}{needs} | {found} |\n",
        types.verdict
    )
}

#[test]
fn patterns_of_compilers_are_judged_as_the_page_says() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let text = std::fs::read_to_string(root.join("tests/released/judged.kan")).unwrap();
    let rules = Rules::load_str(catalog(), "judged.kan", &text).unwrap();
    let sources = sources(&text);
    assert_eq!(sources.len(), rules.iter().len());
    let mut table =
        String::from("\n| source | rule | types | values |\n| --- | --- | --- | --- |\n");
    let mut proved = 0;
    for (rule, (source, text)) in rules.iter().zip(&sources) {
        let (types, values) = rule.checked_with_values().unwrap();
        proved += usize::from(values.verdict == Agreement::Proved);
        let is_wrong = WRONG.contains(&rule.name());
        assert!(
            is_wrong == (values.verdict == Agreement::Refuted),
            "{}: {:?}",
            rule.name(),
            values.counterexample
        );
        table += &row(source, text, &types, &values);
    }
    table.push('\n');
    let path = root.join("docs/released.md");
    let page = std::fs::read_to_string(&path).unwrap();
    let (before, rest) = page.split_once(BEGIN).unwrap();
    let (old, after) = rest.split_once(END).unwrap();
    if std::env::var_os("KANSHAPE_UPDATE").is_some() {
        std::fs::write(&path, format!("{before}{BEGIN}{table}{END}{after}")).unwrap();
    } else {
        assert!(
            old == table,
            "docs/released.md is out of date: KANSHAPE_UPDATE=1 cargo test --test rules"
        );
    }
    assert_eq!(proved, PROVED);
}
