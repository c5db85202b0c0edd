//! `docs/stablehlo-functions.md` has JAX's answer for each function beside the one that is found here. `KANSHAPE_UPDATE=1` in the environment
//! writes it again.

use super::{functions, of_jax, specified, text, typed};
use serde_json::Value;
use std::fmt::Write;
use std::path::Path;

const HEAD: &str = "# Functions that JAX has lowered

What JAX 0.10 says of functions that it traces with names for sizes, and what is found in the module that it writes, in whose types the names are `?`.
The declared types of results are not looked at. JAX takes each name to be 1 or more: that is what its modules assert, and so a condition here.
Those that JAX can't trace are in [the guide](guides/jax.md#where-jax-stops). The modules are in `tests/data/stablehlo`.
";

fn texts(row: &Value, key: &str, read: fn(&str) -> String) -> Vec<String> {
    let all = row[key].as_array().unwrap().iter();
    all.map(|ty| read(ty.as_str().unwrap())).collect()
}

fn code(texts: &[String]) -> String {
    let code = texts.iter().map(|text| format!("`{text}`"));
    code.collect::<Vec<String>>().join(" ")
}

#[test]
fn what_jax_says_stands_beside_what_is_found() {
    let mut table = String::new();
    let (mut count, mut same) = (0, 0);
    for row in functions() {
        let id = row["id"].as_str().unwrap();
        let inputs = texts(&row, "inputs", specified);
        let wanted = texts(&row, "symbolic_outputs", of_jax);
        let module = text(id, "dynamic").unwrap();
        let report = typed(&module, Some(inputs.clone()), false);
        let found: Vec<String> = report.outputs.iter().map(ToString::to_string).collect();
        let conditions = report.conditions.iter().map(|c| c.condition.to_string());
        let conditions: Vec<String> = conditions.collect();
        let own = match found == wanted {
            true => "the same".to_owned(),
            false => code(&found),
        };
        count += 1;
        same += usize::from(found == wanted);
        let _ = writeln!(
            table,
            "| {id} | {} | {} | {own} | {} |",
            code(&inputs),
            code(&wanted),
            code(&conditions)
        );
    }
    let page = format!(
        "{HEAD}\nOf {count} functions {same} have results that are written as JAX writes them; the others have the same sizes, written in another way.\n\n| function | inputs | JAX | here | where |\n|---|---|---|---|---|\n{table}"
    );
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let path = root.join("docs/stablehlo-functions.md");
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
