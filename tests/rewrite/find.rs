//! Operators found by their types.

use std::collections::BTreeMap;
use std::fmt::Write;

use kanshape::{Type, catalog, operator::Example};
use kanshape_rewrite::Find;

/// Each example of an operator of ONNX finds its operator, or it is counted here why it does not.
#[test]
fn each_example_finds_its_operator() {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    let mut missed = Vec::new();
    let mut newest: BTreeMap<String, u64> = BTreeMap::new();
    for operator in catalog().operators() {
        let since = newest.entry(operator.full_name()).or_default();
        *since = operator.since().max(*since);
    }
    for operator in catalog().operators() {
        let name = operator.full_name();
        if newest[&name] != operator.since() {
            continue;
        }
        for written in operator.examples() {
            let example = Example::read(&operator, &written).unwrap();
            if example.answers.is_some() {
                *counts.entry("a question").or_default() += 1;
                continue;
            }
            let (Some(Some(output)), false) = (example.outputs.first(), example.inputs.is_empty())
            else {
                *counts.entry("no output or no inputs").or_default() += 1;
                continue;
            };
            if !output.conditions.is_empty() {
                *counts.entry("holds under a condition").or_default() += 1;
                continue;
            }
            let inputs = example.inputs.iter();
            let inputs: Vec<Type> = inputs.map(|ty| ty.clone().unwrap_or_default()).collect();
            let finding = Find::new(catalog(), inputs, output.clone())
                .ops([name.as_str()])
                .run();
            let same = |found: &kanshape_rewrite::Found| {
                let own = example.attrs.iter().all(|(name, value)| {
                    let found = found.attrs.iter().find(|own| own.0 == *name);
                    // A dtype is written as a word, `i64`, and read as its number.
                    let read = |own: &(Box<str>, kanshape::AttrValue)| {
                        let attribute = operator.attribute(name).unwrap();
                        let read = attribute.read(&own.1.to_string());
                        read.map_or(own.1.to_string(), |own| own.to_string())
                    };
                    found.is_some_and(|own| {
                        own.1.to_string() == value.to_string() || read(own) == value.to_string()
                    })
                });
                found.op == name && own
            };
            let is_found = !finding.found.is_empty();
            let what = match (is_found, finding.found.iter().any(same)) {
                (true, true) => "found with its attributes",
                (true, false) => "found with others that give the same types",
                (false, _) if !finding.cut_off.is_empty() => "cut off",
                (false, _) => "not found",
            };
            *counts.entry(what).or_default() += 1;
            if !is_found {
                missed.push(format!("{what}: {name} {}", written.question));
            }
        }
    }
    let mut shown = String::new();
    for (what, count) in &counts {
        let _ = writeln!(shown, "{count:4} {what}");
    }
    missed.sort();
    for one in &missed {
        let _ = writeln!(shown, "{one}");
    }
    insta::assert_snapshot!("examples", shown);
}

#[test]
fn contents_are_solved_for() {
    let find = |from: &str, to: &str, op: &str| {
        let find = Find::new(catalog(), [from.parse().unwrap()], to.parse().unwrap());
        let found = find.ops([op]).run().found;
        found.first().map(ToString::to_string)
    };
    let found = |text: &str| Some(text.to_owned());
    assert_eq!(
        find("f32[2, 3, 4]", "f32[2, 12]", "Reshape"),
        found("onnx::Reshape(x0, i64[2] = [2, 12])")
    );
    assert_eq!(
        find("f32[N, 3, 4]", "f32[N, 12]", "Reshape"),
        found("onnx::Reshape(x0, i64[2] = [N, 12])")
    );
    assert_eq!(
        find("f32[5, 3]", "f32[5, 1, 3]", "Unsqueeze"),
        found("onnx::Unsqueeze(x0, i64[] = [1])")
    );
    assert_eq!(
        find("f32[3]", "f32[2, 3]", "Expand"),
        found("onnx::Expand(x0, i64[2] = [2, 3])")
    );
    assert_eq!(find("f32[3]", "f32[N, 3]", "Relu"), None);
}

#[test]
fn a_chain_is_shown_with_all_of_its_operands() {
    let find = Find::new(
        catalog(),
        ["f32[2, 3]", "f32[3, 4]"].map(|ty| ty.parse().unwrap()),
        "f32[4, 2]".parse().unwrap(),
    );
    let found = find
        .depth(2)
        .ops(["onnx::MatMul", "onnx::Transpose"])
        .run()
        .found;
    let found: Vec<String> = found.iter().map(ToString::to_string).collect();
    assert_eq!(found, ["onnx::Transpose(onnx::MatMul(x0, x1))"]);
}

#[test]
fn chains() {
    let find = Find::new(
        catalog(),
        ["f32[N, 3, H, W]".parse().unwrap()],
        "f64[N, H, W, 3]".parse().unwrap(),
    );
    let ops = ["onnx::Transpose", "onnx::Cast", "onnx::Relu"];
    let found = find.depth(2).ops(ops).run().found;
    let found: Vec<String> = found.iter().map(ToString::to_string).collect();
    assert!(
        found
            .iter()
            .any(|one| one.contains("Transpose") && one.contains("Cast")),
        "{found:?}"
    );
}
