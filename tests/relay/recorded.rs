//! Recorded programs: each has the recorded type or kind of error, or is in the table of `docs/programs.md` with what
//! is found instead.

use std::collections::BTreeMap;

use kanshape_relay::Program;
use serde_json::Value;

pub(crate) fn rows(file: &str) -> Vec<Value> {
    let path = format!(
        "{}/../../tests/data/relay/{file}",
        env!("CARGO_MANIFEST_DIR")
    );
    let text = std::fs::read_to_string(path).unwrap();
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

/// The type of a global with its conditions, or the kind of the first error.
pub(crate) fn found(text: &str, entry: &str) -> String {
    let program = match Program::parse("program", text) {
        Ok(program) => program,
        Err(problem) => return format!("error: {}", problem.kind),
    };
    let typing = program.check(kanshape::catalog());
    if let Some(problem) = typing.problems.first() {
        return format!("error: {}", problem.kind);
    }
    let global = typing.global(entry).unwrap();
    let mut all = global.ty.to_string();
    if !global.conditions.is_empty() {
        all.push_str(&format!(" where {}", global.conditions.join(", ")));
    }
    if global.is_open {
        all.push_str(" (incomplete)");
    }
    all
}

/// What the table of the page says of rows: what is found.
fn deviations() -> BTreeMap<String, String> {
    let page = include_str!("../../docs/programs.md");
    let table = page
        .split("## Where kanshape says something else than Relay")
        .nth(1)
        .unwrap();
    let rows = table.lines().filter(|line| line.starts_with("| `"));
    rows.map(|line| {
        let mut cells = line.trim_matches('|').split(" | ").map(str::trim);
        let id = cells.next().unwrap().trim_matches('`').to_owned();
        let found = cells.next().unwrap().trim_matches('`').to_owned();
        assert!(
            cells.next().is_some_and(|why| !why.is_empty()),
            "{id} has no reason"
        );
        (id, found)
    })
    .collect()
}

#[test]
fn each_program_is_as_recorded_or_listed() {
    let mut listed = deviations();
    let mut wrong = Vec::new();
    let mut as_recorded = 0;
    for row in rows("programs.jsonl") {
        let id = row["id"].as_str().unwrap();
        let expect = &row["expect"];
        let entry = expect["entry"].as_str().unwrap_or("main");
        let wanted = match expect["ok"].as_bool().unwrap() {
            true => expect["type"].as_str().unwrap().to_owned(),
            false => format!("error: {}", expect["error_kind"].as_str().unwrap()),
        };
        let found = found(row["program"].as_str().unwrap(), entry);
        match listed.remove(id) {
            Some(own) if own == found && found != wanted => {}
            None if found == wanted => as_recorded += 1,
            _ => wrong.push(format!("| `{id}` | `{found}` | recorded: {wanted} |")),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(listed.is_empty(), "{listed:?} are no rows");
    assert!(as_recorded >= 128, "{as_recorded}");
}

#[test]
fn programs_print_and_read_back() {
    for row in rows("programs.jsonl") {
        let text = row["program"].as_str().unwrap();
        let Ok(program) = Program::parse("program", text) else {
            continue;
        };
        let print = program.tree().to_string();
        let again =
            Program::parse("program", &print).unwrap_or_else(|p| panic!("{}", p.diagnostic));
        assert_eq!(again.tree().to_string(), print);
        let entry = row["expect"]["entry"].as_str().unwrap_or("main");
        assert_eq!(found(&print, entry), found(text, entry), "{print}");
    }
}

/// With all annotations written in, a program has the same types.
#[test]
fn annotated_programs_have_the_same_types() {
    let mut count = 0;
    for row in rows("programs.jsonl") {
        let text = row["program"].as_str().unwrap();
        let entry = row["expect"]["entry"].as_str().unwrap_or("main");
        let own = found(text, entry);
        if own.starts_with("error") {
            continue;
        }
        let Ok(program) = Program::parse("program", text) else {
            continue;
        };
        let written = program.annotated(kanshape::catalog()).to_string();
        // A type that nothing determines has been written as a parameter.
        let own = own.trim_end_matches(" (incomplete)");
        let again = found(&written, entry);
        assert_eq!(
            again.trim_end_matches(" (incomplete)"),
            own,
            "{}\n{written}",
            row["id"]
        );
        count += 1;
    }
    assert!(count > 100, "{count}");
}

/// The kinds of errors have codes of their own, and places.
#[test]
fn errors_have_a_code_and_a_place() {
    for row in rows("programs.jsonl") {
        let text = row["program"].as_str().unwrap();
        let problems = match Program::parse("program", text) {
            Ok(program) => program.check(kanshape::catalog()).problems,
            Err(problem) => vec![problem],
        };
        for problem in problems {
            let d = &problem.diagnostic;
            let label = d
                .labels
                .first()
                .unwrap_or_else(|| panic!("{}: {d}", row["id"]));
            assert!(
                text.get(label.start..label.end).is_some(),
                "{}: {d}",
                row["id"]
            );
        }
    }
}
