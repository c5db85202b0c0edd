//! Whether both sides are the same numbers: recorded instances, and rules that were made wrong, each calculated a second time by the
//! interpreter alone.

use std::collections::BTreeMap;
use std::path::Path;

use kanshape::tree::relation::{self, Applied, Node, Term, parse_rule};
use kanshape::{Content, Dtype, Type, catalog};
use kanshape_eval::{Array, Attr, Call, Number, Numbers, evaluate};
use kanshape_rewrite::{Agreement, Audit, Case, Rule, Rules, Sound, Values};
use kanshape_testkit::rules::{Evaluate, Sides, sides};
use serde_json::Value;

/// Rules of which instances are recorded as `differ` whose sides are the same numbers. `onnx.reference` 1.23.2 was run on them again.
const RECORDED_WRONG: [(&str, &str); 5] = [
    ("local_sqrt_sqr", "the root of a square is the size"),
    ("logical/9", "below two numbers is below the smaller one"),
    (
        "logical/10",
        "above the smaller one of two is to be the larger one",
    ),
    ("clamp/1", "a clamp does nothing the second time"),
    (
        "concat/6",
        "where the constant has one element, the pad is it",
    ),
];
/// Instances for which the sides have no common type: `onnx.reference` takes what the specification excludes.
const NO_COMMON_TYPE: usize = 57;
const PROVED: usize = 1106;
const REFUTED: usize = 253;

struct Recorded {
    name: String,
    text: String,
    instances: Vec<(Vec<(String, String)>, bool)>,
}

fn recorded() -> Vec<Recorded> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/rule_values.jsonl");
    let text = std::fs::read_to_string(path).unwrap();
    let row = |line: &str| {
        let row: Value = serde_json::from_str(line).unwrap();
        let instance = |own: &Value| {
            let leaves = own["leaves"].as_object().unwrap().iter();
            let leaves = leaves.map(|(name, ty)| (name.clone(), ty.as_str().unwrap().to_owned()));
            (leaves.collect(), own["values"] == "equal")
        };
        Recorded {
            name: row["rule"].as_str().unwrap().into(),
            text: row["text"].as_str().unwrap().into(),
            instances: row["instances"]
                .as_array()
                .unwrap()
                .iter()
                .map(instance)
                .collect(),
        }
    };
    text.lines().map(row).collect()
}

fn values(text: &str, leaves: &[(String, String)]) -> Option<Values> {
    let leaves = leaves.iter().map(|(name, ty)| (&**name, &**ty));
    Rule::read(catalog(), text, leaves).ok()?.values().ok()
}

/// Both sides on arrays, operator by operator.
struct OnNumbers(BTreeMap<String, Array<Number>>);

impl Evaluate for OnNumbers {
    type Value = Array<Number>;

    fn leaf(&mut self, name: &str) -> Array<Number> {
        self.0[name].clone()
    }

    fn constant(&mut self, term: &Term) -> Option<Array<Number>> {
        let text = term.to_string();
        let members = text
            .trim_matches(['[', ']'])
            .split(", ")
            .filter(|own| !own.is_empty());
        let members: Vec<&str> = members.collect();
        let (dtype, data) = if let Ok(all) = members
            .iter()
            .map(|own| own.parse())
            .collect::<Result<Vec<i64>, _>>()
        {
            (
                Dtype::I64,
                all.into_iter().map(Number::Int).collect::<Vec<_>>(),
            )
        } else if let Ok(all) = members
            .iter()
            .map(|own| own.parse())
            .collect::<Result<Vec<bool>, _>>()
        {
            (Dtype::Bool, all.into_iter().map(Number::Bool).collect())
        } else {
            let all = members
                .iter()
                .map(|own| own.parse())
                .collect::<Result<Vec<f64>, _>>()
                .ok()?;
            (Dtype::F32, all.into_iter().map(Number::Float).collect())
        };
        let shape = if text.starts_with('[') {
            vec![data.len()]
        } else {
            Vec::new()
        };
        Array::new(dtype, shape, data).ok()
    }

    fn call(
        &mut self,
        call: &Applied,
        inputs: &[Option<Array<Number>>],
        outputs: usize,
    ) -> Option<Vec<Array<Number>>> {
        let attrs = call.attrs.iter().map(|(name, term)| {
            let own = match &term.node {
                Term::Text(text) => Attr::Text(text.to_string()),
                term => read(&term.to_string())?,
            };
            Some((name.node.to_string(), own))
        });
        let attrs: Vec<(String, Attr)> = attrs.collect::<Option<_>>()?;
        let inputs: Vec<Option<&Array<Number>>> = inputs.iter().map(Option::as_ref).collect();
        let call = Call {
            attrs: &attrs,
            outputs,
            ..Call::new(&call.name.node, &inputs)
        };
        let own = evaluate(&mut Numbers, &call).ok()?;
        (own.len() >= outputs).then_some(own)
    }
}

/// An attribute as it is written.
fn read(text: &str) -> Option<Attr> {
    let ints = |text: &str| {
        let members = text.split(", ").filter(|own| !own.is_empty());
        members
            .map(|own| own.parse().ok())
            .collect::<Option<Vec<i64>>>()
    };
    if let Some(inner) = text.strip_prefix('[') {
        return ints(inner.trim_end_matches(']')).map(Attr::Ints);
    }
    let int = text.parse().map(Attr::Int);
    let float = || text.parse().map(Attr::Float);
    int.ok()
        .or_else(|| float().ok())
        .or_else(|| text.parse().ok().map(Attr::Dtype))
}

/// Do the sides differ on these leaves? None if one of them can't be calculated.
fn differ(rule: &relation::Rule, leaves: BTreeMap<String, Array<Number>>) -> Option<bool> {
    match sides(rule, &mut OnNumbers(leaves)) {
        Sides::NoLeft => None,
        Sides::NoRight(_) => Some(true),
        Sides::Both(left, right) => Some(left.iter().zip(&right).any(|(a, b)| {
            a.shape != b.shape
                || a.data.iter().zip(&b.data).any(|(a, b)| {
                    let (a, b) = (a.float(), b.float());
                    (a - b).abs() > 1e-6 * (1.0 + a.abs()) && a.is_finite()
                })
        })),
    }
}

/// The contents of a case.
fn contents(case: &Case) -> BTreeMap<String, Array<Number>> {
    let leaves = case
        .leaves
        .iter()
        .map(|(name, ty)| (name.to_string(), array(ty).unwrap()));
    leaves.collect()
}

fn shape_of(ty: &Type) -> (Dtype, Vec<usize>) {
    let tensor = ty.as_tensor().unwrap();
    let shape = tensor.shape.iter().map(|dim| dim.size().unwrap() as usize);
    (tensor.dtype.known().unwrap(), shape.collect())
}

fn array(ty: &Type) -> Option<Array<Number>> {
    let (dtype, shape) = shape_of(ty);
    let is_float = dtype.name().starts_with(['f', 'b']) && dtype != Dtype::Bool;
    let data = ty.contents()?.iter().map(|own| match own {
        Content::Int(n) if is_float => Number::Float(*n as f64),
        Content::Int(n) => Number::Int(*n),
        Content::Float(x) => Number::Float(x.get()),
        Content::Bool(own) => Number::Bool(*own),
        other => panic!("{other}"),
    });
    Some(Array::new(dtype, shape, data.collect()).unwrap())
}

/// Contents of these types that look random.
fn drawn(leaves: &[(String, String)], seed: &mut u64) -> BTreeMap<String, Array<Number>> {
    let mut next = || {
        *seed = seed
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        *seed >> 33
    };
    let leaves = leaves.iter().map(|(name, ty)| {
        let ty: Type = ty.parse().unwrap();
        let own = array(&ty).unwrap_or_else(|| {
            let (dtype, shape) = shape_of(&ty);
            let data = (0..shape.iter().product::<usize>()).map(|_| match dtype {
                Dtype::Bool => Number::Bool(next() % 2 == 0),
                Dtype::F32 => Number::Float(next() as f64 / 4e8 - 2.7),
                _ => Number::Int((next() % 3) as i64),
            });
            Array::new(dtype, shape, data.collect()).unwrap()
        });
        (name.clone(), own)
    });
    leaves.collect()
}

#[test]
fn recorded_instances_are_refuted_where_the_numbers_differ_and_nowhere_else() {
    let (mut proved, mut refuted, mut untyped) = (0, 0, 0);
    let mut wrong = Vec::new();
    let mut known: BTreeMap<String, usize> = BTreeMap::new();
    for row in recorded() {
        for (leaves, is_equal) in &row.instances {
            let own = values(&row.text, leaves).unwrap();
            match (is_equal, own.verdict) {
                (_, Agreement::Opaque) => untyped += 1,
                (true, Agreement::Proved) => proved += 1,
                (false, Agreement::Refuted) => refuted += 1,
                (false, Agreement::Proved)
                    if RECORDED_WRONG.iter().any(|own| own.0 == row.name) =>
                {
                    *known.entry(row.name.clone()).or_default() += 1;
                }
                (_, verdict) => {
                    wrong.push(format!("{}: {leaves:?}: {verdict} {:?}", row.name, own.why))
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert_eq!(known.len(), RECORDED_WRONG.len());
    assert_eq!(
        (proved, refuted, untyped),
        (PROVED, REFUTED, NO_COMMON_TYPE)
    );
}

/// What is recommended leaves no recorded instance whose numbers differ, and no author's condition is called too strong for a case with other numbers.
#[test]
fn what_a_rule_needs_and_what_its_condition_loses_is_about_values() {
    let mut with_needs = 0;
    for row in recorded() {
        let Ok(rule) = Rule::read(catalog(), &row.text, []) else {
            continue;
        };
        let (soundness, values) = rule.checked_with_values().unwrap();
        if values.verdict == Agreement::Refuted {
            assert_eq!(soundness.needs, values.needs, "{}", row.text);
        }
        let Some(needs) = soundness.needs.filter(|needs| !needs.is_empty()) else {
            continue;
        };
        with_needs += 1;
        let text = format!("{} :- {}", row.text, needs.join(", "));
        for (leaves, is_equal) in row.instances.iter().filter(|own| !own.1).take(3) {
            if RECORDED_WRONG.iter().any(|own| own.0 == row.name) {
                break;
            }
            let own = self::values(&text, leaves).map(|own| own.verdict);
            // A goal may say what is in a leaf: then the numbers that were recorded are others.
            let says_contents = needs.iter().any(|goal| goal.contains(" for _ in "));
            let is_excluded = match own {
                None | Some(Agreement::Opaque) => true,
                Some(own) => says_contents && own != Agreement::Refuted,
            };
            assert!(is_excluded, "{text}: {leaves:?}: {own:?} {is_equal}");
        }
    }
    assert!(with_needs >= 20, "{with_needs}");
}

#[test]
fn conditions_are_judged_by_values() {
    let checked = |text: &str| {
        let rule = Rule::read(catalog(), text, []).unwrap();
        let (soundness, values) = rule.checked_with_values().unwrap();
        let repairs = rule.repairs_with_values(&values).unwrap();
        (soundness, repairs)
    };
    // The textbook condition excludes cases of other ranks alone in which the numbers are the same.
    let text = "MatMul(MatMul(A, B), C) => MatMul(A, MatMul(B, C)) :- rank(A) = 2, rank(B) = 2, rank(C) = 2";
    let (soundness, _) = checked(text);
    assert_eq!(soundness.audit, Some(Audit::Exact));
    assert!(soundness.lost.is_some());
    let rule = Rule::read(catalog(), text, []).unwrap();
    assert_eq!(rule.check().audit, Some(Audit::TooStrong));
    let text = "MatMul(A, B) => ReduceSum[keepdims = 0](Mul(A, B), [-1]) :- rank(B) = 1";
    assert_eq!(checked(text).0.audit, Some(Audit::Exact));
    // Types allow it, and the numbers do not.
    let text = "Relu(A) => A :- rank(A) = 2";
    assert_eq!(checked(text).0.audit, Some(Audit::TooWeak));
    let text = "Add(A, B) => Add(B, A) :- shape(A) = shape(B)";
    assert_eq!(checked(text).0.audit, Some(Audit::TooStrong));
    let text = "Gemm(Transpose[perm = [0, 1]](A), B, C) => Gemm[transA = 1](A, B, C)";
    let (soundness, repairs) = checked(text);
    assert_eq!(soundness.needs, None);
    assert_eq!(repairs[0].right, "Gemm[transA = 0](A, B, C)");
    let (soundness, _) = checked("MatMul(MatMul(A, B), C) => MatMul(A, MatMul(B, C))");
    let needs = soundness.needs.unwrap().join(", ");
    assert!(
        !needs.contains(" ; ") && !needs.contains("Product"),
        "{needs}"
    );
}

/// The sizes of leaves of recorded instances, replaced by larger ones: dims that are equal stay so, and those that are 1.
#[test]
fn what_is_proved_for_all_sizes_is_the_same_for_sizes_that_were_not_tried() {
    let larger = |text: &str, by: u64| {
        let ty: Type = text.parse().ok()?;
        let (dtype, shape) = shape_of(&ty);
        let sizes = shape.iter().map(|size| match *size as u64 {
            0 | 1 => size.to_string(),
            other => (other + by).to_string(),
        });
        let sizes: Vec<String> = sizes.collect();
        Some(format!("{dtype}[{}]", sizes.join(", ")))
    };
    let (mut rules, mut instances) = (0, 0);
    for row in recorded() {
        let Some(own) = values(&row.text, &[]).and_then(|own| own.all_sizes) else {
            continue;
        };
        rules += 1;
        for (leaves, _) in &row.instances {
            let leaves = leaves
                .iter()
                .map(|(name, ty)| Some((name.clone(), larger(ty, 3)?)));
            let Some(leaves) = leaves.collect::<Option<Vec<_>>>() else {
                continue;
            };
            let rank = |ty: &str| ty.matches(',').count() + usize::from(!ty.ends_with("[]"));
            if leaves.iter().any(|(_, ty)| rank(ty) as u64 > own) {
                continue;
            }
            let found = values(&row.text, &leaves).map(|own| own.verdict);
            assert_ne!(found, Some(Agreement::Refuted), "{}: {leaves:?}", row.text);
            instances += usize::from(found == Some(Agreement::Proved));
        }
    }
    assert!(
        rules >= 22 && instances >= 40,
        "{rules} rules, {instances} instances"
    );
}

/// A number or a list with one thing changed.
fn terms(term: &Term) -> Vec<Term> {
    match term {
        Term::Int(n) => vec![Term::Int(n + 1), Term::Int(n.saturating_sub(1))],
        Term::List(members) if members.len() > 1 => {
            let mut turned = members.clone();
            turned.reverse();
            vec![Term::List(turned)]
        }
        _ => Vec::new(),
    }
}

/// A term with one thing changed: two operands, an attribute, a constant.
fn mutants(node: &Node) -> Vec<Node> {
    let mut all = Vec::new();
    match node {
        Node::Literal(term) => {
            let changed = |own| {
                let mut term = term.clone();
                term.node = own;
                Node::Literal(term)
            };
            all.extend(terms(&term.node).into_iter().map(changed));
        }
        Node::Call(call) => {
            if call.args.len() > 1 {
                let mut own = call.clone();
                own.args.swap(0, 1);
                all.push(Node::Call(own));
            }
            for (i, (_, term)) in call.attrs.iter().enumerate() {
                for changed in terms(&term.node) {
                    let mut own = call.clone();
                    own.attrs[i].1.node = changed;
                    all.push(Node::Call(own));
                }
            }
            for (i, arg) in call.args.iter().enumerate() {
                for changed in mutants(&arg.node) {
                    let mut own = call.clone();
                    own.args[i].node = changed;
                    all.push(Node::Call(own));
                }
            }
        }
        Node::Leaf(_) | Node::Constant(_) | Node::None => {}
    }
    all
}

/// Few instances are found for these leaves: what is not shown for all sizes says which.
#[test]
fn rules_of_many_dims_are_refuted_for_the_sizes_at_which_they_differ() {
    let text = "Conv(W, X) => Unsqueeze(MatMul(Squeeze(X, [2, 3]), Transpose[perm = [1, 0]](Squeeze(W, [2, 3]))), [2, 3])";
    assert_eq!(values(text, &[]).unwrap().verdict, Agreement::Refuted);
    let text = text.replace("Conv(W, X)", "Conv(X, W)");
    let own = values(&text, &[]).unwrap();
    assert_eq!((own.verdict, own.all_sizes), (Agreement::Proved, Some(4)));
}

/// The same of rules as a whole, whose proofs are about all sizes: none that is proved differs for a recorded instance.
#[test]
fn no_rule_that_was_made_wrong_is_proved() {
    let (mut proved, mut compared) = (0, 0);
    for (at, row) in recorded().iter().enumerate() {
        let tree = parse_rule(&row.text).unwrap();
        let all = mutants(&tree.right[0].node);
        // Another one of each rule.
        let Some(node) = all.into_iter().cycle().nth(at % 7) else {
            continue;
        };
        let mut rule = tree.clone();
        rule.right[0].node = node;
        let text = rule.bare().to_string();
        let own = values(&text, &[]);
        if own.is_none_or(|own| own.verdict != Agreement::Proved) {
            continue;
        }
        proved += 1;
        for (leaves, _) in &row.instances {
            let found = values(&text, leaves).map(|own| own.verdict);
            assert_ne!(found, Some(Agreement::Refuted), "{text}: {leaves:?}");
            compared += usize::from(found == Some(Agreement::Proved));
        }
    }
    assert!(
        proved >= 20 && compared >= 100,
        "{proved} rules, {compared} instances"
    );
}

/// How many instances of mutants are proved, as when operands of a sum are swapped, and refuted; the sides of the others have no common type, or are not
/// calculated.
const MUTANTS: (usize, usize, usize) = (441, 232, 402);

#[test]
fn a_rule_that_was_made_wrong_is_refuted_and_never_proved() {
    let (mut proved, mut refuted, mut others) = (0, 0, 0);
    let mut wrong = Vec::new();
    let mut seed = 7;
    for row in recorded() {
        let tree = parse_rule(&row.text).unwrap();
        let roots = tree.right.iter().enumerate();
        let changed =
            roots.flat_map(|(i, root)| mutants(&root.node).into_iter().map(move |own| (i, own)));
        for (i, node) in changed.collect::<Vec<_>>() {
            let mut rule = tree.clone();
            rule.right[i].node = node;
            let text = rule.bare().to_string();
            for (leaves, _) in row.instances.iter().step_by(4) {
                let Some(own) = values(&text, leaves) else {
                    continue;
                };
                let mut differs = false;
                for _ in 0..4 {
                    differs |= differ(&rule, drawn(leaves, &mut seed)) == Some(true);
                }
                match own.verdict {
                    Agreement::Proved if differs => {
                        wrong.push(format!("{text}: {leaves:?}: proved"))
                    }
                    Agreement::Tested if differs => {
                        wrong.push(format!("{text}: {leaves:?}: tested"))
                    }
                    Agreement::Refuted => {
                        let mut all = drawn(leaves, &mut seed);
                        all.extend(contents(&own.counterexample.unwrap()));
                        match differ(&rule, all) {
                            Some(true) => refuted += 1,
                            _ => wrong.push(format!("{text}: {leaves:?}: refuted")),
                        }
                    }
                    Agreement::Proved => proved += 1,
                    _ => others += 1,
                }
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "{} wrong:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
    assert_eq!((proved, refuted, others), MUTANTS);
}

/// No rule with other numbers is proved, and none with the same numbers is refuted.
#[test]
fn rules_of_optimisers_are_judged_as_they_are() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/judged_rules.txt");
    let all = std::fs::read_to_string(path).unwrap();
    let (mut proved, mut refuted) = (0, 0);
    let mut wrong = Vec::new();
    for line in all.lines().filter(|line| !line.starts_with('#')) {
        let (truth, text) = line.split_once(' ').unwrap();
        let own = values(text, &[]).unwrap();
        proved += usize::from(own.verdict == Agreement::Proved);
        refuted += usize::from(own.verdict == Agreement::Refuted);
        match (truth, own.verdict) {
            ("F", Agreement::Refuted) | ("T", Agreement::Proved | Agreement::Tested) => {}
            (_, verdict) => wrong.push(format!("{line}: {verdict} {:?}", own.why)),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert_eq!((proved, refuted), (122, 89));
}

/// Sound instances without small sizes are few where two sums are put behind each other: they are looked for.
#[test]
fn sums_of_concats_need_pairs_of_one_shape() {
    for text in [
        "Concat[axis = 0](Add(A, B), Add(C, D)) => Add(Concat[axis = 0](A, D), Concat[axis = 0](B, C))",
        "Concat[axis = 0](Add(A, B), Add(C, D)) => Add(Concat[axis = 0](B, D), Concat[axis = 0](A, C))",
    ] {
        let needs = values(text, &[]).unwrap().needs;
        let goals = ["shape(A) = shape(B)", "shape(C) = shape(D)"].map(str::to_owned);
        assert_eq!(needs, Some(goals.into()), "{text}");
    }
}

/// What is in a list of sizes or axes is said as a person would, and not by what operators are made of.
#[test]
fn lists_of_sizes_are_spoken_of_by_themselves() {
    for (text, goals) in [
        ("Reshape(X, s) => X", "s_contents = shape(X)"),
        (
            "Expand(X, s) => X",
            "BroadcastShapes(s_contents, shape(X), shape(X))",
        ),
        (
            "Reshape(Reshape(X, a), s) => Reshape(X, s)",
            "prod(s_contents) != 0",
        ),
        ("Pad(X, s) => X", "s_contents = [0 for _ in s_contents]"),
    ] {
        let rule = Rule::read(catalog(), text, []).unwrap();
        let (soundness, _) = rule.checked_with_values().unwrap();
        let goals = ["s = Tensor(_, _, s_contents)".to_owned(), goals.to_owned()];
        assert_eq!(soundness.needs, Some(goals.into()), "{text}");
        // They can be pasted.
        let text = format!("{text} :- {}", soundness.needs.unwrap().join(", "));
        let rule = Rule::read(catalog(), &text, []).unwrap();
        assert_eq!(rule.checked().unwrap().verdict, Sound::Always, "{text}");
    }
}

/// Nothing is drawn for sizes that a rule names, where these are large.
#[test]
fn large_sizes_take_no_memory() {
    let text = "Slice(A, [0], [1000000], [0]) => Relu(A)";
    assert_eq!(values(text, &[]).unwrap().verdict, Agreement::Refuted);
}

/// Rules that shipped, whose types are right.
#[test]
fn public_bugs_with_other_numbers_are_refuted() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/released/values.kan");
    let text = std::fs::read_to_string(path).unwrap();
    let rules = Rules::load_str(catalog(), "values.kan", &text).unwrap();
    let mut count = 0;
    for rule in rules {
        let own = rule.values().unwrap();
        assert_eq!(own.verdict, Agreement::Refuted, "{}", rule.name());
        count += 1;
    }
    assert_eq!(count, 19);
}

/// Goals about contents: what is found can be pasted, and is respected.
#[test]
fn a_number_that_all_members_are_is_a_condition() {
    for (text, number) in [
        ("Add(A, c) => A", "0"),
        ("Mul(X, one) => X", "1"),
        ("Pow(X, three) => Mul(Mul(X, X), X)", "3"),
        ("Mul(X, zero) => zero", "0"),
        ("Conv(X, W, zero) => Conv(X, W)", "0"),
        (
            "Where(c, A, B) => A :- shape(c) = shape(A), shape(A) = shape(B)",
            "true",
        ),
        (
            "Or(one, A) => Expand(true, Shape(A)) :- shape(one) = shape(A)",
            "true",
        ),
    ] {
        let needs = values(text, &[]).unwrap().needs.unwrap().join(", ");
        assert!(
            needs.contains(&format!("[{number} for _ in ")),
            "{text}: {needs}"
        );
        let joint = if text.contains(":-") { ", " } else { " :- " };
        let own = values(&format!("{text}{joint}{needs}"), &[]).unwrap();
        assert_eq!(
            own.verdict,
            Agreement::Proved,
            "{text}: {needs}: {:?}",
            own.why
        );
    }
    // What the right side calculates with is no such constant, and nothing is said of the only leaf.
    for text in ["Mul(Relu(X), s) => Relu(Mul(X, s))", "Relu(A) => A"] {
        assert_eq!(values(text, &[]).unwrap().needs, None, "{text}");
    }
    // A declared name says the same as a goal.
    for head in ["rule z (c: T[..s] = v): ", "rule z: "] {
        let text = format!(
            "{head}Add(A, c) => A :- BroadcastShapes(shape(c), shape(A), shape(A)), v = [0 for _ in v]"
        );
        let text = match head.contains('(') {
            true => text,
            false => text + ", c = Tensor(_, _, v)",
        };
        let own = values(&text, &[]).unwrap();
        assert_eq!(
            (own.verdict, own.all_sizes),
            (Agreement::Proved, Some(4)),
            "{text}"
        );
    }
}
