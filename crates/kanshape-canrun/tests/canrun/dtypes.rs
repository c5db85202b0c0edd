//! The dtype goals and brute force over all dtypes agree.

use std::collections::BTreeSet;
use std::rc::Rc;

use canrun::{StateIterator, Value};
use kanshape_canrun::{DtypeGoals, DtypeTable, DtypeValue};
use kanshape_syntax::parse_signature;
use kanshape_syntax::tree::Signature;
use kanshape_testkit::brute;
use kanshape_testkit::brute::DtypeRelation;
use kanshape_testkit::generate::{Style, signatures_in};
use kanshape_testkit::text::text_of;
use proptest::prelude::*;

/// A few dtypes, which promote to the later one; but `str` with none of the others.
struct Few;

const DTYPES: [&str; 6] = ["bool", "i32", "i64", "f32", "f64", "str"];

impl DtypeTable for Few {
    fn all(&self) -> Vec<String> {
        DTYPES.map(str::to_owned).to_vec()
    }

    fn dtype(&self, name: &str) -> Option<String> {
        let name = if name == "float32" { "f32" } else { name };
        DTYPES.contains(&name).then(|| name.to_owned())
    }

    fn class(&self, name: &str) -> Option<Vec<String>> {
        let members = match name {
            "Bool" => &DTYPES[..1],
            "Int" => &DTYPES[1..3],
            "Float" => &DTYPES[3..5],
            "Num" => &DTYPES[1..5],
            "Any" => &DTYPES[..],
            _ => return None,
        };
        Some(members.iter().map(|name| (*name).to_owned()).collect())
    }

    fn promote(&self, a: &str, b: &str) -> Option<String> {
        let place = |name| DTYPES.iter().position(|dtype| *dtype == name);
        let (a, b) = (place(a)?, place(b)?);
        (a == b || a.max(b) < 5).then(|| DTYPES[a.max(b)].to_owned())
    }
}

impl brute::DtypeTable for Few {
    fn all(&self) -> Vec<String> {
        DtypeTable::all(self)
    }

    fn dtype(&self, name: &str) -> Option<String> {
        DtypeTable::dtype(self, name)
    }

    fn class(&self, name: &str) -> Option<Vec<String>> {
        DtypeTable::class(self, name)
    }

    fn promote(&self, a: &str, b: &str) -> Option<String> {
        DtypeTable::promote(self, a, b)
    }
}

fn by_brute_force(signature: &Signature) -> BTreeSet<Vec<String>> {
    let relation = DtypeRelation::new(signature);
    let inputs = signature.inputs.len();
    let count = inputs + signature.outputs.len();
    (0..DTYPES.len().pow(count as u32))
        .map(|number| {
            let digit = |place| DTYPES[number / DTYPES.len().pow(place) % DTYPES.len()];
            (0..count as u32).map(digit).collect::<Vec<_>>()
        })
        .filter(|dtypes| {
            let (inputs, outputs) = dtypes.split_at(inputs);
            relation.dtype_holds(inputs, outputs, &Few)
        })
        .map(|dtypes| dtypes.into_iter().map(str::to_owned).collect())
        .collect()
}

fn by_canrun(signature: &Signature) -> BTreeSet<Vec<String>> {
    let values = |count| -> Vec<DtypeValue> { (0..count).map(|_| Value::var()).collect() };
    let inputs = values(signature.inputs.len());
    let outputs = values(signature.outputs.len());
    let goal = DtypeGoals::new(signature, Rc::new(Few));
    goal.goal(&inputs, &outputs)
        .unwrap()
        .into_states()
        .map(|state| {
            let known = |dtype: &DtypeValue| state.resolve(dtype).resolved().unwrap().clone();
            inputs.iter().chain(&outputs).map(known).collect()
        })
        .collect()
}

#[track_caller]
fn check(signature: &Signature) -> usize {
    let found = by_canrun(signature);
    assert_eq!(found, by_brute_force(signature), "{}", text_of(signature));
    found.len()
}

#[test]
fn dtypes_of_lines() {
    for (line, count) in [
        ("(n),(n)->()", 6),
        ("(n):t,(n):t->():t", 6),
        ("(n),(n):i64->()", 6),
        ("(n):Any,(n):Any->()", 36 * 6),
        ("(n):Float->():float32", 2),
        ("(n):{f32,Bool}->()", 2 * 6),
        // 5 by 5, and `str` with itself.
        ("(a):x,(b):y->(a+b):promote(x,y)", 26),
        ("(a):x->():x where x in {f32, Int}", 3),
        ("(a):x->():y where x: Num, y == promote(x, i64)", 4),
        ("(a):x->():y where x != y", 30),
        ("(a):x->(b):promote(x,Float) where a < b, b in {1, 2}", 9),
    ] {
        let signature = parse_signature(line).unwrap();
        assert_eq!(check(&signature), count, "{line}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn dtypes_of_generated_signatures(
        signature in signatures_in(Style {
            max_inputs: 2,
            max_outputs: 1,
            dtypes: true,
            ..Style::default()
        })
    ) {
        check(&signature);
    }
}
