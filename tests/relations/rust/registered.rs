//! Which relations can be registered, and beside what.

use super::super::all;
use super::{Stated, load, stated};
use kanshape::{
    Relations,
    relation::{Impossible, Progress},
};
use std::sync::Arc;

fn even() -> Stated {
    stated("Even", &["int"], |args| {
        let [n] = args.all();
        match args.value(&n) {
            None => Ok(Progress::Waiting),
            Some(n) if n % 2 == 0 => Ok(Progress::Done),
            Some(_) => Err(Impossible),
        }
    })
}

/// The code and the headline of what is said against a relation.
fn refused(loaded: Result<Relations, kanshape::Diagnostic>) -> String {
    let d = loaded.unwrap_err();
    format!("{}: {}", d.code, d.headline)
}

#[test]
fn names_and_kinds_are_checked() {
    let with =
        |name, kinds| Relations::standard().with_relation(stated(name, kinds, |_| Err(Impossible)));
    for name in ["", "two words", "1st", "in", "P()", "P() Q", "f(x)", "# P"] {
        let refused = refused(with(name, &[]));
        assert_eq!(refused, format!("K0344: `{name}` is no name of a relation"));
    }
    assert_eq!(
        refused(with("P", &["int", "ints??"])),
        "K0331: there is no kind `ints?`, which `P` is about"
    );
    let unknown = with("P", &["shape"]).unwrap_err();
    assert!(unknown.to_string().contains("Shape"), "{unknown}");
    for kind in [
        "int", "ints", "Shape", "Type", "tensor", "dtype", "string", "float", "floats?", "bool",
    ] {
        assert!(with("P", Box::leak(Box::new([kind]))).is_ok(), "{kind}");
    }
}

#[test]
fn nothing_is_defined_twice() {
    let r = Relations::standard().with_relation(even()).unwrap();
    assert_eq!(
        refused(r.with_relation(even())),
        "K0332: `Even` of 1 thing is defined already"
    );
    let clause = ("mine.kan", "Even(n) :- n = 2");
    assert_eq!(
        refused(r.with([clause])),
        "K0332: `Even` of 1 thing is stated in Rust"
    );
    let text = Relations::load([clause]).unwrap();
    assert_eq!(
        refused(text.with_relation(even())),
        "K0332: `Even` of 1 thing is defined already"
    );
    assert!(refused(text.merge(&r)).starts_with("K0332"));
    // Of other numbers of things, they are other relations.
    assert!(
        r.with([("mine.kan", "Even(n, m) :- Even(n), Even(m)")])
            .is_ok()
    );
    // One of the standard library gives way.
    let length = stated("Distinct", &["ints"], |_| Ok(Progress::Done));
    let r = load([length], "P(Tensor(sh, T), Tensor(sh, T)) :- Distinct(sh)");
    assert_eq!(
        all(&r, "P", &["f32[2, 2]", "?"]),
        ["f32[2, 2] -> f32[2, 2]"]
    );
}

#[test]
fn kinds_are_checked_where_it_is_called() {
    let r = Relations::standard().with_relation(even()).unwrap();
    assert_eq!(
        refused(r.with([(
            "mine.kan",
            "P(Tensor(sh, T), A) :- Even(sh), A = Tensor(sh, T)"
        )])),
        "K0330: `sh` is a list of numbers in one place and a number in another"
    );
    assert!(refused(r.with([("mine.kan", "P(n, m) :- Even(n, m)")])).starts_with("K0333"));
    assert!(refused(r.with([("mine.kan", "P(n) :- Evn(n)")])).starts_with("K0301"));
}

#[test]
fn merged_relations_keep_theirs() {
    let text = "Halved(Tensor([n], T), Tensor([m], T)) :- Even(n), n = 2*m";
    let a = load([even()], text);
    let b = Relations::load_str("other.kan", "Same(A, A)").unwrap();
    for merged in [a.merge(&b), b.merge(&a), a.merge(&a)] {
        let merged = merged.unwrap();
        assert_eq!(
            all(&merged, "Halved", &["f32[6]", "?"]),
            ["f32[6] -> f32[3]"]
        );
    }
    assert!(a.names().any(|name| name == "Even"));
}

#[test]
fn one_relation_can_be_in_several_libraries() {
    let even = Arc::new(even());
    for text in ["P(Tensor([n], T), Tensor([n], T)) :- Even(n)", "P(A, A)"] {
        let r = Relations::standard().with_relation(Arc::clone(&even));
        let r = r.unwrap().with([("mine.kan", text)]).unwrap();
        assert_eq!(all(&r, "P", &["f32[4]", "?"]), ["f32[4] -> f32[4]"]);
    }
}

#[test]
#[should_panic(expected = "out of order")]
fn a_panic_is_nobody_elses() {
    let broken = stated("Broken", &[], |_| panic!("out of order"));
    let r = load([broken], "P(A, A) :- Broken()");
    let _ = all(&r, "P", &["f32[4]", "?"]);
}
