//! The name of a type means one thing: where more than two modules define the same one, the field gives it its meaning, or it is to go.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use walkdir::WalkDir;

/// How many modules may define a name.
const FEW: usize = 2;

/// Names that are defined for each notation, format or store, and mean in each what the field means by them: a tree of ONNX, of Relay and of
/// StableHLO has its own `Attr`.
const OF_THE_FIELD: &[&str] = &[
    "Attr",
    "Attribute",
    "Binding",
    "Call",
    "Clause",
    "Condition",
    "Dim",
    "Element",
    "Expr",
    "Formal",
    "Function",
    "Goal",
    "Graph",
    "Lexer",
    "Node",
    "Operand",
    "Param",
    "Parsed",
    "Pattern",
    "Problem",
    "Program",
    "Relation",
    "Rule",
    "Scope",
    "Shape",
    "Signature",
    "Symbol",
    "Tensor",
    "Term",
    "Type",
    "Value",
];

/// Other names, and how many modules define them. A number only ever falls: a new type has a name that says what it is.
const TODAY: &[(&str, usize)] = &[
    ("Applied", 3),
    ("Arg", 3),
    ("Body", 5),
    ("Bounds", 4),
    ("Calls", 4),
    ("Case", 3),
    ("Cell", 3),
    ("Change", 3),
    ("Check", 3),
    ("Clash", 3),
    ("Conditions", 4),
    ("Data", 3),
    ("Declared", 4),
    ("Elements", 5),
    ("Entry", 3),
    ("Facts", 3),
    ("Failure", 3),
    ("Form", 3),
    ("Found", 3),
    ("Given", 3),
    ("Ground", 3),
    ("Instance", 4),
    ("Item", 4),
    ("Known", 4),
    ("Layout", 3),
    ("Leaf", 3),
    ("Leaves", 3),
    ("Linear", 3),
    ("Mark", 4),
    ("Member", 3),
    ("Named", 3),
    ("Names", 5),
    ("Number", 3),
    ("Numbers", 4),
    ("Outcome", 4),
    ("Part", 6),
    ("Piece", 5),
    ("Place", 5),
    ("Placed", 3),
    ("Places", 3),
    ("Question", 3),
    ("Read", 7),
    ("Reader", 6),
    ("Reading", 4),
    ("Refusal", 3),
    ("Refused", 3),
    ("Requirement", 3),
    ("Run", 5),
    ("RunKey", 3),
    ("Said", 3),
    ("Search", 4),
    ("Side", 5),
    ("Sides", 4),
    ("Size", 3),
    ("Sizes", 5),
    ("Slot", 5),
    ("Source", 3),
    ("Step", 5),
    ("Stop", 4),
    ("Table", 3),
    ("Text", 5),
    ("Typed", 3),
    ("Uses", 5),
    ("Values", 3),
    ("Waiting", 4),
    ("What", 3),
    ("Word", 3),
    ("Words", 5),
    ("Writer", 3),
];

#[test]
fn a_name_means_one_thing() {
    let mut wrong = String::new();
    let defined = defined();
    for (name, modules) in &defined {
        let most = match TODAY.iter().find(|own| own.0 == name) {
            Some((_, most)) => *most,
            None if OF_THE_FIELD.contains(&name.as_str()) => usize::MAX,
            None => FEW,
        };
        if modules.len() > most {
            let modules = modules.join(", ");
            let _ = writeln!(wrong, "`{name}` is defined in {modules}: at most {most}");
        }
    }
    for (name, most) in TODAY {
        let count = defined.get(*name).map_or(0, Vec::len);
        if count < *most {
            let _ = writeln!(
                wrong,
                "`{name}` is defined in {count} modules, and no more in {most}"
            );
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

/// The names of types and traits in the sources, each with the modules that define it.
fn defined() -> BTreeMap<String, Vec<String>> {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut defined: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for entry in WalkDir::new(&root).sort_by_file_name() {
        let path = entry.expect("a folder that can be read").into_path();
        let inside = path.strip_prefix(&root).unwrap_or(&path);
        let mut parts = inside.iter().skip(1);
        let is_code = path.extension().is_some_and(|e| e == "rs");
        if !is_code || parts.next().is_none_or(|src| src != "src") || is_generated(inside) {
            continue;
        }
        let text = std::fs::read_to_string(&path)
            .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        // Tests stand at the end of a file, and may call their types what they like.
        let code = text.split("#[cfg(test)]").next().unwrap_or_default();
        for name in code.lines().filter_map(name) {
            let modules = defined.entry(name.to_owned()).or_default();
            let module = inside.display().to_string();
            if !modules.contains(&module) {
                modules.push(module);
            }
        }
    }
    defined
}

fn is_generated(path: &Path) -> bool {
    path.iter().any(|part| part == "generated")
}

/// The name that a line gives to a type or trait. A type in a trait has the name that the trait gives it.
fn name(line: &str) -> Option<&str> {
    let own = line.trim_start();
    let own = match own.strip_prefix("pub") {
        Some(rest) => match rest.trim_start().strip_prefix('(') {
            Some(rest) => rest.split_once(')')?.1.trim_start(),
            None => rest.trim_start(),
        },
        None => own,
    };
    let (kind, rest) = own.split_once(' ')?;
    let is_one = match kind {
        "struct" | "enum" | "trait" => true,
        "type" => !line.starts_with(' '),
        _ => false,
    };
    let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_');
    is_one.then(|| &rest[..end.unwrap_or(rest.len())])
}
