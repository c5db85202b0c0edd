//! What Aesara's types say of each other: every recorded row.

use kanshape::order::{Filtered, Test, filter, in_same_class, is_super, meet, same};
use kanshape::{Dim, Type, Verdict};
use serde::Deserialize;

const FACTS: &str = include_str!("../data/aesara/type_facts.jsonl");

#[derive(Deserialize)]
struct Row {
    id: String,
    a: Tensor,
    b: Tensor,
    is_super: bool,
    in_same_class: bool,
    equal: bool,
    filter_variable: Filter,
}

#[derive(Deserialize, Clone)]
struct Tensor {
    dtype: String,
    shape: Vec<Option<u64>>,
}

#[derive(Deserialize)]
struct Filter {
    kind: String,
    #[serde(rename = "type")]
    ty: Option<Tensor>,
}

impl Tensor {
    fn ty(&self) -> Type {
        let dims = self.shape.iter().map(|d| match d {
            Some(size) => size.to_string(),
            None => "?".to_owned(),
        });
        let dims: Vec<String> = dims.collect();
        format!("{}[{}]", self.dtype, dims.join(", "))
            .parse()
            .unwrap()
    }

    /// Are there two sizes at one axis that can't be one?
    fn conflicts(&self, other: &Tensor) -> bool {
        let mut pairs = self.shape.iter().zip(&other.shape);
        pairs.any(|(a, b)| a.is_some() && b.is_some() && a != b)
    }
}

fn rows() -> impl Iterator<Item = Row> {
    FACTS
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
}

fn holds(verdict: Verdict, id: &str) -> bool {
    match verdict {
        Verdict::Always => true,
        Verdict::Never => false,
        other => panic!("{id}: {other}, though there are no names"),
    }
}

#[test]
fn tests_are_as_recorded() {
    let mut count = 0;
    for row in rows() {
        let (a, b, id) = (row.a.ty(), row.b.ty(), &row.id);
        assert_eq!(holds(is_super(&a, &b), id), row.is_super, "{id}: {a} {b}");
        assert_eq!(holds(same(&a, &b), id), row.equal, "{id}: {a} {b}");
        let class = holds(in_same_class(&a, &b), id);
        assert_eq!(class, row.in_same_class, "{id}: {a} {b}");
        count += 1;
    }
    assert_eq!(count, 1558);
}

/// Where two sizes clash, Aesara's `SpecifyShape` fails at run time; here that is said at once.
#[test]
fn filtering_is_as_recorded_but_for_clashing_sizes() {
    let mut kinds = [0; 4];
    for row in rows() {
        let (a, b, id) = (row.a.ty(), row.b.ty(), &row.id);
        let recorded = row.filter_variable.ty.as_ref().map(Tensor::ty);
        match (row.filter_variable.kind.as_str(), filter(&a, &b)) {
            ("same", Filtered::Same(ty)) => {
                assert_eq!(Some(ty), recorded, "{id}");
                kinds[0] += 1;
            }
            ("specify_shape", Filtered::Check { ty, checks }) => {
                assert!(!row.a.conflicts(&row.b), "{id}");
                assert_eq!(Some(&ty), recorded.as_ref(), "{id}");
                assert_eq!(Ok(&ty), meet(&a, &b).as_ref().map_err(|_| ()), "{id}");
                // Just the sizes that `a` requires and `b` leaves open.
                let expected = row.a.shape.iter().zip(&row.b.shape).enumerate();
                let expected = expected.filter_map(|(axis, (a, b))| match (a, b) {
                    (Some(size), None) => Some(Test::Size {
                        axis: axis as isize,
                        size: Dim::Size(*size),
                    }),
                    _ => None,
                });
                let found = checks.into_iter().map(|c| c.what);
                assert_eq!(
                    found.collect::<Vec<_>>(),
                    expected.collect::<Vec<_>>(),
                    "{id}"
                );
                kinds[1] += 1;
            }
            ("specify_shape", Filtered::Never(_)) => {
                assert!(row.a.conflicts(&row.b), "{id}");
                kinds[2] += 1;
            }
            ("error", Filtered::Never(why)) => {
                assert_eq!(why.code, "K0102", "{id}");
                kinds[3] += 1;
            }
            (kind, found) => panic!("{id}: {kind}, {found:?}"),
        }
    }
    assert_eq!(kinds, [368, 378, 149, 663]);
}
