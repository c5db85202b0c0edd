//! `docs/stablehlo-constraints.md` lists which constraints of the specification the catalog states, by the numbers in its comments.
//! `KANSHAPE_UPDATE=1` in the environment writes it again.
//!
//! A comment behind a goal, `# C3`, says that the goal states this; in front of an operator `# not C3: why`, that nothing does, and `# no abs: why`
//! that there is no such operator. A relation states its constraints for each operator that it is called by.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::{Path, PathBuf};

const HEAD: &str = "# StableHLO's constraints

Which constraints of [StableHLO's specification](https://openxla.org/stablehlo/spec) the operators of the [catalog](stablehlo.md#operators) state, by
their numbers there, and why others are not. A constraint that is stated is solved for: it refuses, it infers, or it is a condition.
One that is about more than a call says - how many processes there are - is stated as far as the call says it.
";

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// An operator or a relation: what stands in it.
#[derive(Default)]
struct Item {
    code: String,
    stated: BTreeSet<u32>,
}

#[derive(Default)]
struct Catalog {
    operators: BTreeMap<String, Item>,
    relations: BTreeMap<String, Item>,
    /// What is not stated of operators, and why.
    open: BTreeMap<String, Vec<(BTreeSet<u32>, String)>>,
    /// The operators that there are not.
    absent: BTreeMap<String, String>,
}

impl Catalog {
    fn read() -> Catalog {
        let mut catalog = Catalog::default();
        let folder = root().join("crates/kanshape-catalog/stablehlo");
        let files = std::fs::read_dir(folder).unwrap();
        let mut files: Vec<PathBuf> = files.map(|file| file.unwrap().path()).collect();
        files.sort();
        for file in files {
            let text = std::fs::read_to_string(file).unwrap();
            if text.contains("domain \"stablehlo") {
                catalog.add(&text);
            }
        }
        catalog
    }

    fn add(&mut self, text: &str) {
        let mut before: Vec<(BTreeSet<u32>, String)> = Vec::new();
        let mut item = &mut Item::default();
        for line in text.lines() {
            if let Some(rest) = line.strip_prefix("# no ") {
                let (names, why) = rest.split_once(": ").unwrap();
                let names = names.split(", ").map(|name| (name.into(), why.into()));
                self.absent.extend(names);
            } else if let Some(rest) = line.strip_prefix("# not ") {
                let (of, why) = rest.split_once(": ").unwrap();
                before.push((numbers(of), why.to_owned()));
            }
            if line.starts_with('#') || line.starts_with("///") {
                continue;
            }
            let (code, comment) = line.split_once("  # ").unwrap_or((line, ""));
            if let Some(head) = line.strip_prefix("op ") {
                let name = first_word(head);
                let open = self.open.entry(name.to_owned()).or_default();
                open.append(&mut before);
                item = self.operators.entry(name.to_owned()).or_default();
            } else if !line.starts_with(' ') && !line.is_empty() {
                item = self
                    .relations
                    .entry(first_word(line).to_owned())
                    .or_default();
            }
            item.code.push_str(code);
            item.code.push('\n');
            item.stated.extend(numbers(comment));
        }
        assert!(
            before.is_empty(),
            "a comment stands in front of no operator"
        );
    }

    /// What an operator states, and the relations that it is made of.
    fn stated(&self, operator: &str) -> BTreeSet<u32> {
        let mut stated = BTreeSet::new();
        let mut met: BTreeSet<&str> = BTreeSet::new();
        let mut left: Vec<&Item> = self.operators.get(operator).into_iter().collect();
        while let Some(item) = left.pop() {
            stated.extend(&item.stated);
            for (at, _) in item.code.match_indices('(') {
                let before = &item.code[..at];
                let name = before
                    .rsplit(|c: char| !c.is_alphanumeric() && c != '_')
                    .next();
                if let Some((name, relation)) =
                    name.and_then(|name| self.relations.get_key_value(name))
                    && met.insert(name)
                {
                    left.push(relation);
                }
            }
        }
        stated
    }
}

fn first_word(text: &str) -> &str {
    let end = text.find(|c: char| !c.is_alphanumeric() && c != '_' && c != '.');
    &text[..end.unwrap_or(text.len())]
}

/// The numbers of `C1, C3-C5`.
fn numbers(text: &str) -> BTreeSet<u32> {
    let parts = text.split(|c: char| c == ',' || c.is_whitespace());
    let ranges = parts.filter_map(|part| {
        let number = |text: &str| text.strip_prefix('C')?.parse::<u32>().ok();
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        Some(number(first)?..=number(last)?)
    });
    ranges.flatten().collect()
}

/// `C1, C3 to C5`.
fn shown(numbers: &BTreeSet<u32>) -> String {
    let mut runs: Vec<(u32, u32)> = Vec::new();
    for n in numbers {
        match runs.last_mut() {
            Some((_, last)) if *last + 1 == *n => *last = *n,
            _ => runs.push((*n, *n)),
        }
    }
    let texts = runs.iter().map(|(first, last)| match last - first {
        0 => format!("C{first}"),
        1 => format!("C{first}, C{last}"),
        _ => format!("C{first} to C{last}"),
    });
    texts.collect::<Vec<String>>().join(", ")
}

#[test]
fn each_constraint_is_stated_or_it_is_said_why_not() {
    let catalog = Catalog::read();
    let specified = include_str!("../data/stablehlo/constraints.txt");
    let mut table = String::new();
    let (mut all, mut how_many, mut operators) = (0, 0, 0);
    for line in specified.lines() {
        let (name, count) = line.split_once(' ').unwrap_or((line, "0"));
        let count: u32 = count.parse().unwrap();
        let wanted: BTreeSet<u32> = (1..=count).collect();
        all += count;
        operators += 1;
        let (stated, open) = match catalog.absent.get(name) {
            Some(why) => {
                assert!(!catalog.operators.contains_key(name), "{name} is there");
                (BTreeSet::new(), vec![(wanted.clone(), why.clone())])
            }
            None => {
                assert!(catalog.operators.contains_key(name), "{name} is not there");
                let open = catalog.open.get(name).cloned().unwrap_or_default();
                (&catalog.stated(name) & &wanted, open)
            }
        };
        how_many += stated.len();
        let mut said = stated.clone();
        for (of, _) in &open {
            assert!(
                said.is_disjoint(of),
                "{name}: {of:?} is stated, and it is said why it is not"
            );
            said.extend(of);
        }
        assert_eq!(said, wanted, "{name}: neither stated nor said why not");
        let open: Vec<String> = open
            .iter()
            .map(|(of, why)| format!("{}: {why}", shown(of)))
            .collect();
        let _ = writeln!(
            table,
            "| `{name}` | {} | {} |",
            shown(&stated),
            open.join("; ")
        );
    }
    let page = format!(
        "{HEAD}\nOf {all} constraints of {operators} operators {how_many} are stated.\n\n| operator | stated | not stated |\n|---|---|---|\n{table}"
    );
    let path = root().join("docs/stablehlo-constraints.md");
    if std::env::var_os("KANSHAPE_UPDATE").is_some() {
        std::fs::write(&path, &page).unwrap();
    }
    let written = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        written == page,
        "{} is out of date: KANSHAPE_UPDATE=1 cargo test -p kanshape-stablehlo",
        path.display()
    );
}
