//! What is changed without changing its meaning is claimed alike: other names, another order of nodes and inputs,
//! operands that commute, identities and pairs of transposes.
//!
//! The law compares a graph with what it does; this one compares two graphs, so that what is *unknown* or open in one of
//! them only is seen as well.

use std::collections::{BTreeMap, BTreeSet};

use kanshape_testkit::graphs::{self, Case, Claim, Node, Random, Verdict};

use kanshape::Dtype;
use kanshape::tree::{DimItem, DtypeExpr, Spanned, Type};

use super::claims::{Plan, graph};
use super::numbers::Numbers;
use super::seeds;

/// A graph of the same meaning; `None` where there is nothing to change.
type Change = fn(&Case, &mut Random) -> Option<Case>;

const CHANGES: [(&str, Change); 5] = [
    ("other names", other_names),
    ("another order", another_order),
    ("operands in the other order", commuted),
    ("an identity", with_identity),
    ("a pair of transposes", with_transposes),
];

/// The names of sizes in another alphabetical order.
fn other_names(case: &Case, _: &mut Random) -> Option<Case> {
    let renamed = |text: &str| {
        let words = text.split_inclusive(|c: char| !c.is_ascii_alphanumeric());
        let word = |word: &str| {
            let end = word.trim_end_matches(|c: char| !c.is_ascii_alphanumeric());
            match end {
                "N" | "M" | "K" => word.replace("N", "a").replace("M", "z").replace("K", "q"),
                _ => word.to_owned(),
            }
        };
        words.map(word).collect::<String>()
    };
    let inputs = case.inputs.iter();
    let lines = inputs.map(|(name, tensor)| format!("{name}: {}\n", renamed(&tensor.to_string())));
    let mut changed: Case = lines.collect::<String>().parse().ok()?;
    changed.nodes.clone_from(&case.nodes);
    Some(changed)
}

/// Nodes in an order that chance decides, each behind those that it takes from.
fn another_order(case: &Case, rng: &mut Random) -> Option<Case> {
    let mut inputs = case.inputs.clone();
    rng.shuffle(&mut inputs);
    let mut there: BTreeSet<&String> = case.inputs.iter().map(|(name, _)| name).collect();
    let mut left: Vec<&Node> = case.nodes.iter().collect();
    let mut nodes = Vec::new();
    while !left.is_empty() {
        rng.shuffle(&mut left);
        let ready = |n: &&Node| n.inputs.iter().flatten().all(|i| there.contains(i));
        let at = left.iter().position(ready)?;
        let node = left.swap_remove(at);
        there.extend(&node.outputs);
        nodes.push(node.clone());
    }
    Some(Case { inputs, nodes })
}

/// The two operands of what commutes, in the other order.
fn commuted(case: &Case, _: &mut Random) -> Option<Case> {
    let mut changed = case.clone();
    let mut any = false;
    for node in &mut changed.nodes {
        let commutes = matches!(&*node.op, "Add" | "Mul" | "Min" | "Max" | "And" | "Or");
        if commutes && node.inputs.len() == 2 {
            node.inputs.swap(0, 1);
            any = true;
        }
    }
    any.then_some(changed)
}

/// All that take a value take what these nodes make of it.
fn with_nodes(case: &Case, value: &str, made: &str, nodes: Vec<Node>) -> Case {
    let mut changed = Case {
        inputs: case.inputs.clone(),
        nodes: Vec::new(),
    };
    let given = case.inputs.iter().any(|(name, _)| name == value);
    if given {
        changed.nodes.clone_from(&nodes);
    }
    for node in &case.nodes {
        let mut node = node.clone();
        for input in node.inputs.iter_mut().flatten() {
            if input == value {
                made.clone_into(input);
            }
        }
        let makes = node.outputs.iter().any(|o| o == value);
        changed.nodes.push(node);
        if makes {
            changed.nodes.extend(nodes.iter().cloned());
        }
    }
    changed
}

/// A node of one input and one output.
fn node(op: &str, attr: Option<(&str, String)>, input: &str, output: &str) -> Node {
    Node {
        op: op.into(),
        attrs: attr.into_iter().map(|(n, v)| (n.into(), v)).collect(),
        inputs: vec![Some(input.into())],
        outputs: vec![output.into()],
    }
}

fn with_identity(case: &Case, rng: &mut Random) -> Option<Case> {
    let values: Vec<&String> = case.values().collect();
    let value = *rng.one(&values)?;
    let nodes = vec![node("Identity", None, value, "same")];
    Some(with_nodes(case, value, "same", nodes))
}

/// Contents do not pass a transpose, so only what has none is transposed.
fn with_transposes(case: &Case, rng: &mut Random) -> Option<Case> {
    let plain = case.inputs.iter().filter(|(_, t)| t.contents.is_none());
    let plain: Vec<_> = plain.filter(|(_, t)| t.dtype == "f32").collect();
    let (value, tensor) = *rng.one(&plain)?;
    let mut perm: Vec<usize> = (0..tensor.dims.len()).collect();
    rng.shuffle(&mut perm);
    let mut back = vec![0; perm.len()];
    for (to, from) in perm.iter().enumerate() {
        back[*from] = to;
    }
    let nodes = vec![
        node(
            "Transpose",
            Some(("perm", format!("{perm:?}"))),
            value,
            "turned",
        ),
        node(
            "Transpose",
            Some(("perm", format!("{back:?}"))),
            "turned",
            "same",
        ),
    ];
    Some(with_nodes(case, value, "same", nodes))
}

/// How much of a type is known: of each dim whether it is said by the names of the case.
fn openness(ty: &Type, names: &[Box<str>]) -> String {
    let Type::Tensor { dtype, shape, .. } = ty else {
        return "no tensor".into();
    };
    let dtype = match &dtype.node {
        DtypeExpr::Name(name) if Dtype::named(&name.node).is_some() => "known",
        _ => "open",
    };
    let dim = |item: &Spanned<DimItem>| match &item.node {
        DimItem::Dim(e) => {
            let mut known = true;
            e.for_each_name(&mut |name| known &= names.iter().any(|n| **n == *name));
            if known { "." } else { "?" }
        }
        DimItem::Hole => "?",
        DimItem::Run(_) => "...",
    };
    format!("{dtype} {}", shape.iter().map(dim).collect::<String>())
}

/// What is claimed of the values of a case, without how it is written.
fn outline(case: &Case, claim: &Claim) -> (Verdict, BTreeMap<String, String>) {
    let names = case.names();
    let types = claim
        .answers
        .first()
        .filter(|_| claim.verdict != Verdict::Never);
    let types = types.iter().flat_map(|said| &said.types);
    let types = types.map(|(value, ty)| (value.clone(), openness(ty, &names)));
    (claim.verdict, types.collect())
}

#[test]
fn a_graph_of_the_same_meaning_is_claimed_alike() {
    let (mut compared, mut verdicts, mut types) = (0, 0, 0);
    let mut changes = BTreeSet::new();
    let mut report = String::new();
    let mut numbers = Numbers::new();
    for seed in seeds(250) {
        let case = graphs::graph(seed, 6, &mut numbers);
        let Some(claim) = graph(&case, &Plan::default()) else {
            continue;
        };
        let before = outline(&case, &claim);
        for (name, change) in CHANGES {
            let mut rng = Random::new(seed);
            let Some(changed) = change(&case, &mut rng) else {
                continue;
            };
            let other = graph(&changed, &Plan::default()).expect("a graph as before");
            let mut after = outline(&changed, &other);
            after.1.retain(|value, _| before.1.contains_key(value));
            compared += 1;
            changes.insert(name);
            if before == after {
                continue;
            }
            verdicts += usize::from(before.0 != after.0);
            types += usize::from(before.0 == after.0);
            report += &format!(
                "--- {name}, seed {seed}\n{case}claimed: {claim}\nchanged:\n{changed}claimed: {other}\n\n"
            );
        }
    }
    assert_eq!((verdicts, types), (0, 0), "of {compared}:\n{report}");
    if std::env::var_os("KANSHAPE_SEED").is_none() {
        assert_eq!(changes.len(), CHANGES.len(), "some change is never made");
    }
}
