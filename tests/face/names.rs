//! The names at the root. A new one belongs into the module of its subject, unless most programs need it.

use std::collections::BTreeSet;

const ROOT: &str = "
    Answer Answers AttrValue Call Condition Conditions Content Contents Control Diagnostic Dim Dtype DtypeSet DtypeTerm
    Error Name Operator Outcome Prepared Promotion Query Relations Shape Signature Tensor Type Verdict catalog choice clock
    code control diag explain graph infer operator order prelude relation proptest shorthand tree types user value
";

#[test]
fn the_root_has_these_names_and_no_more() {
    let source = include_str!("../../crates/kanshape/src/lib.rs");
    let mut names: BTreeSet<&str> = BTreeSet::new();
    let mut list = String::new();
    let mut in_list = false;
    for line in source.lines() {
        if let Some(module) = line.strip_prefix("pub mod ") {
            names.insert(module.trim_end_matches([';', '{', ' ']));
        }
        in_list |= line.starts_with("pub use ");
        if in_list {
            list += line;
            in_list = !line.ends_with(';');
        }
    }
    for words in list.split("pub use ") {
        let last = words.trim_end_matches(';').trim_end_matches('}');
        let last = last.rsplit(['{', ':']).next().unwrap_or_default();
        names.extend(
            last.split(',')
                .map(str::trim)
                .filter(|name| !name.is_empty()),
        );
    }
    let expected: BTreeSet<&str> = ROOT.split_whitespace().collect();
    assert_eq!(names, expected);
}
