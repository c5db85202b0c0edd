//! What the rules of operators come to: compiled with all others or when they are used, and called once they are prepared.
#![allow(clippy::unwrap_used, clippy::iter_over_hash_type)]

use crate::{AttrValue, Relations};
use kanshape_catalog::{FILES, INDEX};
use kanshape_engine::Forms;
use kanshape_rules::eval::{Prepared, Stop, Value};
use kanshape_types::{Promotion, Type};

/// An operator that is compiled when it is used is the same as one that was compiled with all others.
#[test]
fn lazy_and_eager_loading_give_the_same_rules() {
    let eager = Relations::load(FILES.iter().copied()).unwrap();
    let lazy = Relations::load_indexed(FILES.iter().copied(), INDEX).unwrap();
    let [eager, lazy] = [eager.library(), lazy.library()];
    assert_eq!(lazy.len(), eager.len());
    assert_eq!(
        format!("{:?}", lazy.words),
        format!("{:?}", eager.words),
        "the same words have the same numbers"
    );
    for number in (0..eager.len()).rev() {
        let [own, other] = [lazy, eager].map(|library| {
            let rule = library.rule(number);
            let (name, kinds) = (&rule.name, &rule.kinds);
            format!("{name}{kinds:?}{:#?}", rule.clauses)
        });
        assert_eq!(own, other, "{}", eager.name(number));
    }
    for (name, domains) in &eager.ops {
        for (domain, entries) in domains {
            let own = &lazy.ops[name][domain];
            for (own, entry) in own.iter().zip(entries) {
                let [own, op] = [lazy.op(own), eager.op(entry)].map(|op| {
                    let (attrs, inputs, outputs) = (&op.attrs, &op.inputs, &op.outputs);
                    let (doc, text, file) = (&op.doc, &op.text, &op.file);
                    format!(
                        "{doc:?}{text}{file}{attrs:?}{inputs:?}{outputs:?}{}",
                        op.since
                    )
                });
                assert_eq!(own, op, "{domain}::{name}");
            }
            assert_eq!(own.len(), entries.len());
        }
    }
}

const TEXT: &str = "
    op Split [axis: int = 0] (data: T[..l, d, ..r]) -> (..parts) :-
        AxisOf(axis, l, r), parts = [Tensor([..l, n, ..r], T) for n in ns], d = n*len(ns), ns = [n for _ in ns]
    op Pack (..xs) -> (seq: Sequence(A), first?, count: i64[] = v) :-
        xs = [A, ..], v = [len(xs)], (first = none ; first = some(A))
    op Named [mode: string] (X: T[..sh]) -> (Y: T[..sh]) :- mode != \"no\"
    op Text [s: string] () -> (output) :- output = Tensor([1], str, [s])
";

/// What an operator of [`TEXT`] makes of the inputs.
fn run(
    name: &str,
    attrs: &[(&str, AttrValue)],
    inputs: &[&str],
    outputs: &[bool],
) -> Result<Vec<String>, Stop> {
    let relations = Relations::load_str("test.kan", TEXT).unwrap();
    let operator = relations.operator(name, None).unwrap();
    let attrs: Vec<_> = attrs
        .iter()
        .map(|(n, v)| (Box::from(*n), v.clone()))
        .collect();
    let given = vec![true; inputs.len()];
    let (library, rule) = (operator.library(), operator.parts());
    let placed = rule.place(&given, &[], Some(outputs)).unwrap();
    let prepared = Prepared::new(library, rule, &attrs, placed, Promotion::default());
    let prepared = prepared.ok_or(Stop::Leave)?;
    let labels = &operator.library().words.labels;
    let types = inputs.iter().map(|t| t.parse::<Type>().unwrap());
    let values: Vec<Value> = types
        .map(|ty| Value::of_type(&ty, labels).unwrap())
        .collect();
    let values: Vec<&Value> = values.iter().collect();
    let found = prepared.run(&values, &mut Forms::default())?.outputs;
    let written = found.iter().map(|v| v.to_type(labels).unwrap().to_string());
    Ok(written.collect())
}

#[test]
fn there_are_as_many_outputs_as_are_asked_for() {
    let parts = run("Split", &[], &["f32[6, 2]"], &[true; 3]).unwrap();
    assert_eq!(parts, ["f32[2, 2]"; 3]);
    assert_eq!(
        run("Split", &[], &["f32[7, 2]"], &[true; 3]),
        Err(Stop::Fail)
    );
}

#[test]
fn only_those_that_are_asked_for_come_out() {
    let xs = ["f32[2]", "f32[2]"];
    let all = run("Pack", &[], &xs, &[true; 3]).unwrap();
    assert_eq!(all, ["Sequence[f32[2]]", "f32[2]", "i64[] = [2]"]);
    let some = run("Pack", &[], &xs, &[false, false, true]).unwrap();
    assert_eq!(some, ["i64[] = [2]"]);
}

#[test]
fn texts_need_not_be_known() {
    let same = run("Named", &[("mode", "other".into())], &["f32[2]"], &[true]);
    assert_eq!(same.unwrap(), ["f32[2]"]);
    let no = run("Named", &[("mode", "no".into())], &["f32[2]"], &[true]);
    assert_eq!(no, Err(Stop::Fail));
    let text = run("Text", &[("s", "other".into())], &[], &[true]);
    assert_eq!(text, Err(Stop::Leave));
}

#[test]
fn what_is_asked_for_is_not_prepared() {
    let hole = run("Split", &[("axis", AttrValue::Hole)], &["f32[6]"], &[true]);
    assert_eq!(hole, Err(Stop::Leave));
}
