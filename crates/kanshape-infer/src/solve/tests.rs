//! What the rules of operators come to: compiled with all others or when they are used, and called once they are prepared.
#![allow(clippy::unwrap_used, clippy::iter_over_hash_type)]

use super::relations::{STANDARD, STANDARD_INDEX, standard_library};
use crate::{AttrValue, Relations};
use kanshape_catalog::{FILES, INDEX};
use kanshape_engine::Forms;
use kanshape_rules::eval::{LoadedAttrs, RuleCall, Stop, Value};
use kanshape_rules::native;
use kanshape_rules::rules::Library;
use kanshape_rules::rules::library::File;
use kanshape_types::{Promotion, Type};
use std::sync::Arc;

/// `cargo xtask index` runs the tests of this name with this variable set, and that writes the index.
const WRITE: &str = "KANSHAPE_WRITE_INDEX";

/// The standard library, compiled as a whole.
fn standard() -> Relations {
    let natives = Library::of_natives(native::built_in(), standard_library);
    let file = File::read("std.kan", STANDARD).unwrap();
    Relations::over(natives, Vec::new(), vec![Arc::new(file)]).unwrap()
}

#[test]
fn the_index_is_that_of_the_standard_library() {
    let natives = native::built_in().len();
    let standard = standard();
    let index = standard.library().index(&standard.files, natives);
    if std::env::var_os(WRITE).is_some() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/src/solve/std.index.txt");
        std::fs::write(path, index).unwrap();
        return;
    }
    let same = index == STANDARD_INDEX;
    assert!(same, "`std.kan` has changed: run `cargo xtask index`");
}

#[test]
fn nothing_is_wrong_with_the_standard_library() {
    assert_eq!(standard().warnings().count(), 0);
    compare(&Relations::standard(), &standard());
}

/// An operator that is compiled when it is used is the same as one that was compiled with all others.
#[test]
fn lazy_and_eager_loading_give_the_same_rules() {
    let eager = Relations::load(FILES.iter().copied()).unwrap();
    let lazy = Relations::load_indexed(FILES.iter().copied(), INDEX).unwrap();
    compare(&lazy, &eager);
}

fn compare(lazy: &Relations, eager: &Relations) {
    let [eager, lazy] = [eager.library(), lazy.library()];
    assert_eq!(lazy.len(), eager.len());
    assert_eq!(
        format!("{:?}", lazy.words),
        format!("{:?}", eager.words),
        "the same words have the same numbers"
    );
    assert_eq!(lazy.names(), eager.names());
    for name in eager.names() {
        let arities = eager.known.arities(name);
        assert_eq!(lazy.known.arities(name), arities, "{name}");
        for arity in arities {
            let number = eager.find(name, arity);
            assert_eq!(lazy.find(name, arity), number, "{name}/{arity}");
        }
    }
    for number in (0..eager.len()).rev() {
        let is_condition = [lazy, eager].map(|library| library.is_condition(number));
        assert_eq!(is_condition[0], is_condition[1], "{}", eager.name(number));
        let [own, other] = [lazy, eager].map(|library| {
            let rule = library.rule(number);
            let (name, kinds) = (&rule.name, &rule.kinds);
            format!("{name}{kinds:?}{:#?}", rule.clauses)
        });
        assert_eq!(own, other, "{}", eager.name(number));
    }
    let names = eager.known.operator_names();
    assert_eq!(lazy.known.operator_names(), names);
    for name in names {
        let [own, entries] = [lazy, eager].map(|library| library.known.operators(name));
        assert_eq!(own.len(), entries.len(), "{name}");
        for (own, entry) in own.iter().zip(&entries) {
            assert_eq!(own.domain, entry.domain, "{name}");
            let [own, op] = [lazy.op(own), eager.op(entry)].map(|op| {
                let (attrs, inputs, outputs) = (&op.attrs, &op.inputs, &op.outputs);
                let (doc, text, file) = (&op.doc, &op.text, &op.file);
                format!(
                    "{doc:?}{text}{file}{attrs:?}{inputs:?}{outputs:?}{}",
                    op.since
                )
            });
            assert_eq!(own, op, "{}::{name}", entry.domain);
        }
    }
}

#[test]
fn an_index_of_other_texts_is_ignored() {
    let files = [("mine.kan", "op Twice(x: T[n]) -> (y: T[2*n])")];
    let index = Relations::load(files).unwrap().index();
    let longer = [("mine.kan", "op Three(x: T[n]) -> (y: T[ 2*n ])")];
    for index in [
        index.as_str(),
        "",
        "rules\t",
        "rules\tx\n",
        "file\tmine.kan\t3\n",
    ] {
        let relations = Relations::load_indexed(longer, index.to_owned()).unwrap();
        assert!(relations.operator("Twice", None).is_err(), "{index}");
        assert!(relations.operator("Three", None).is_ok(), "{index}");
    }
}

/// What is loaded on top of an index hides what is in it, and only that.
#[test]
fn later_files_hide_what_is_in_an_index() {
    let files = [(
        "mine.kan",
        "Same(x, y) :- y = 2*x
         op F(x: T[n]) -> (y: T[m]) since 3 :- Same(n, m)
         op F(x: T[n]) -> (y: T[n + 1]) since 1
         op G(x: T[n]) -> (y: T[m]) :- Same(n, m)",
    )];
    let index = Relations::load(files).unwrap().index();
    let below = Relations::load_indexed(files, index).unwrap();
    let above = [(
        "other.kan",
        "Same(x, y) :- y = x
         op F(x: T[n]) -> (y: T[m]) since 3 :- Same(n, m)
         op H(x: T[n]) -> (y: T[m]) :- Same(n, m)",
    )];
    let both = below.with(above).unwrap();
    let output = |relations: &Relations, name: &str, version: Option<u64>| {
        let operator = relations.operator(name, version).unwrap();
        let call = operator.call([&"f32[5]".parse::<Type>().unwrap()]);
        call.infer().unwrap().outputs[0].to_string()
    };
    assert_eq!(output(&below, "F", None), "f32[10]");
    assert_eq!(output(&both, "F", None), "f32[5]");
    assert_eq!(output(&both, "F", Some(2)), "f32[6]");
    assert_eq!(output(&both, "G", None), "f32[10]");
    assert_eq!(output(&both, "H", None), "f32[5]");
    let all: Vec<String> = both
        .operators()
        .map(|op| format!("{}@{} of {}", op.name(), op.since(), op.file()))
        .collect();
    assert_eq!(
        all,
        [
            "F@3 of other.kan",
            "F@1 of mine.kan",
            "G@1 of mine.kan",
            "H@1 of other.kan"
        ]
    );
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
    let call = RuleCall {
        library,
        rule: library.rule(operator.rule()),
        args: &placed.args,
        attrs: &LoadedAttrs::new(library, rule, &attrs).ok_or(Stop::Leave)?,
        promotion: Promotion::default(),
    };
    let labels = &operator.library().words.labels;
    let types = inputs.iter().map(|t| t.parse::<Type>().unwrap());
    let values: Vec<Value> = types
        .map(|ty| Value::of_type(&ty, labels).unwrap())
        .collect();
    let values: Vec<&Value> = values.iter().collect();
    let queried: Vec<bool> = placed.outputs.iter().map(Option::is_some).collect();
    let found = call.on_values(&values, &queried, &mut Forms::default())?;
    let written = found
        .outputs
        .iter()
        .map(|v| v.to_type(labels).unwrap().to_string());
    Ok(written.collect())
}

#[test]
fn there_are_as_many_outputs_as_are_queried() {
    let parts = run("Split", &[], &["f32[6, 2]"], &[true; 3]).unwrap();
    assert_eq!(parts, ["f32[2, 2]"; 3]);
    assert_eq!(
        run("Split", &[], &["f32[7, 2]"], &[true; 3]),
        Err(Stop::Fail)
    );
}

#[test]
fn only_those_that_are_queried_come_out() {
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
fn what_is_queried_is_not_prepared() {
    let hole = run("Split", &[("axis", AttrValue::Hole)], &["f32[6]"], &[true]);
    assert_eq!(hole, Err(Stop::Leave));
}
