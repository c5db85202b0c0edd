//! Forward evaluation of both sides, on every choice of small shapes.

use std::collections::BTreeMap;
use std::collections::HashMap;

use kanshape::tree::relation::{Applied, Term};
use kanshape::{Call, Contents, Dim, Dtype, Shape, Tensor, Type, catalog};
use kanshape_rewrite::Sound;
use kanshape_testkit::rules::{Evaluate, Sides, leaves, shapes, sides};

use crate::corpus::rows;

/// A call, and the types of its inputs.
type Key = (String, Vec<Option<Type>>);

/// Leaves with their types; each call is solved once.
#[derive(Default)]
pub(crate) struct Forward {
    pub(crate) leaves: BTreeMap<String, Type>,
    known: HashMap<Key, Option<Vec<Type>>>,
}

impl Evaluate for Forward {
    type Value = Type;

    fn leaf(&mut self, name: &str) -> Type {
        self.leaves[name].clone()
    }

    fn constant(&mut self, term: &Term) -> Option<Type> {
        let text = term.to_string();
        let members = text
            .trim_matches(['[', ']'])
            .split(", ")
            .filter(|m| !m.is_empty());
        if let Ok(truth) = text.parse::<bool>() {
            let tensor = Tensor::new(Dtype::Bool, Shape::known([] as [Dim; 0]));
            return Some(tensor.with_contents(Contents::new([truth])).into());
        }
        if let Ok(x) = text.parse::<f64>()
            && text.contains('.')
        {
            let tensor = Tensor::new(Dtype::F32, Shape::known([] as [Dim; 0]));
            return Some(tensor.with_contents(Contents::new([x])).into());
        }
        let ints: Option<Vec<i64>> = members.map(|m| m.parse().ok()).collect();
        let ints = ints?;
        let shape = match text.starts_with('[') {
            true => Shape::known([Dim::Size(ints.len() as u64)]),
            false => Shape::known([] as [Dim; 0]),
        };
        Some(
            Tensor::new(Dtype::I64, shape)
                .with_contents(Contents::new(ints))
                .into(),
        )
    }

    fn call(
        &mut self,
        call: &Applied,
        inputs: &[Option<Type>],
        outputs: usize,
    ) -> Option<Vec<Type>> {
        if copies_zero(call, inputs) {
            return None;
        }
        let attrs: Vec<String> = call.attrs.iter().map(|(n, v)| format!("{n}={v}")).collect();
        let domain = call.domain.as_ref().map_or("onnx", |domain| &domain.node);
        let key = (
            format!("{domain}::{} {attrs:?} {outputs}", call.name),
            inputs.to_vec(),
        );
        if let Some(known) = self.known.get(&key) {
            return known.clone();
        }
        let operator = catalog()
            .operator(&format!("{domain}::{}", call.name), None)
            .unwrap();
        let attrs = call.attrs.iter().map(|(name, value)| {
            let text = match &value.node {
                Term::Text(text) => text.to_string(),
                _ => value.to_string(),
            };
            let value = operator.attribute(&name.node).unwrap().read(&text).unwrap();
            (name.node.clone(), value)
        });
        let query = operator.query(Call {
            attrs: attrs.collect(),
            inputs: inputs.to_vec(),
            outputs: Some(vec![Some(Type::UNKNOWN); outputs]),
            ..Call::default()
        });
        let answer = query.ok().and_then(|query| query.solve().ok()?.next());
        let found = answer.map(|answer| answer.outputs.to_vec());
        self.known.insert(key, found.clone());
        found
    }
}

/// Has a `Reshape` a -1 beside a 0 that copies a size of 0? Executors refuse it.
fn copies_zero(call: &Applied, inputs: &[Option<Type>]) -> bool {
    let [Some(data), Some(shape)] = inputs else {
        return false;
    };
    let (Some(members), Some(data)) = (shape.contents(), data.as_tensor()) else {
        return false;
    };
    let members: Vec<Option<i64>> = members.iter().map(|own| own.int()).collect();
    let is_copied = |(at, own): (usize, &Option<i64>)| {
        *own == Some(0) && data.shape.iter().nth(at).and_then(|dim| dim.size()) == Some(0)
    };
    &*call.name.node == "Reshape"
        && call.attrs.is_empty()
        && members.contains(&Some(-1))
        && members.iter().enumerate().any(is_copied)
}

/// Are numbers in them known that are not the same?
fn has_other_contents(a: &Tensor, b: &Tensor) -> bool {
    let ints = |tensor: &Tensor| -> Vec<Option<i64>> {
        let contents = tensor.contents.iter().flat_map(|all| all.iter());
        contents.map(|member| member.int()).collect()
    };
    let mut all = ints(a).into_iter().zip(ints(b));
    all.any(|pair| matches!(pair, (Some(x), Some(y)) if x != y))
}

/// Is the second what the first is, as far as both are known? None where that is open.
pub(crate) fn is_same(left: &[Type], right: &[Type]) -> Option<bool> {
    let mut same = Some(true);
    for (one, other) in left.iter().zip(right) {
        let (Some(a), Some(b)) = (one.as_tensor(), other.as_tensor()) else {
            return None;
        };
        let dtypes = (a.dtype.known(), b.dtype.known());
        if matches!(dtypes, (Some(x), Some(y)) if x != y) {
            return Some(false);
        }
        if !a.shape.is_ground() || !b.shape.is_ground() {
            same = None;
        } else if a.shape != b.shape || has_other_contents(a, b) {
            return Some(false);
        }
    }
    same
}

/// No rule that is called *always* has a counterexample within the bounds, and each counterexample is one.
#[test]
fn verdicts_and_counterexamples() {
    let (mut always, mut counterexamples, mut typed) = (0, 0, 0);
    for row in rows() {
        let Some((rule, soundness)) = row.checked(true) else {
            continue;
        };
        let mut forward = Forward::default();
        if let Some(case) = &soundness.counterexample {
            forward.leaves = case
                .leaves
                .iter()
                .map(|(name, ty)| (name.to_string(), ty.clone()))
                .collect();
            let found = sides(rule.tree(), &mut forward);
            match &found {
                Sides::NoRight(_) => assert_eq!(case.right, None, "{}", row.name),
                Sides::Both(..) => assert!(case.right.is_some(), "{}", row.name),
                Sides::NoLeft => panic!("{}: the left side has no type: {case:?}", row.name),
            }
            counterexamples += 1;
        }
        if soundness.verdict != Sound::Always {
            continue;
        }
        let names = leaves(rule.tree());
        let (rank, dim) = match names.len() {
            1 => (3, 3),
            2 => (2, 3),
            3 => (2, 1),
            _ => (1, 2),
        };
        let (all, mut here) = (shapes(rank, dim), 0);
        for dtype in [Dtype::F32, Dtype::Bool, Dtype::I64] {
            let mut at = vec![0; names.len()];
            loop {
                let ty = |i: usize| {
                    Tensor::new(
                        dtype,
                        Shape::known(all[at[i]].iter().copied().map(Dim::Size)),
                    )
                };
                forward.leaves = (0..names.len())
                    .map(|i| (names[i].to_owned(), ty(i).into()))
                    .collect();
                let is_sound = match sides(rule.tree(), &mut forward) {
                    Sides::NoLeft => None,
                    Sides::NoRight(_) => Some(false),
                    Sides::Both(left, right) => is_same(&left, &right).or(Some(true)),
                };
                here += usize::from(is_sound.is_some());
                assert_ne!(is_sound, Some(false), "{}: {:?}", row.name, forward.leaves);
                // The next choice of shapes.
                let Some(i) = (0..at.len()).rfind(|i| at[*i] + 1 < all.len()) else {
                    break;
                };
                at[i] += 1;
                at[i + 1..].fill(0);
            }
            if here > 0 {
                break;
            }
        }
        typed += here;
        always += 1;
    }
    assert_eq!((always, counterexamples, typed), (83, 109, 12_126));
}

/// What brute force over small shapes has found of the rules without a precondition, recorded by others, is found here.
#[test]
fn recorded_verdicts() {
    let mut compared = 0;
    let mut wrong = Vec::new();
    for row in rows() {
        let (Some((_, soundness)), Some(bounded)) = (row.checked(true), &row.bounded) else {
            continue;
        };
        compared += 1;
        if (bounded == "holds") != (soundness.verdict == Sound::Always) {
            wrong.push(format!("{}: {bounded}, {}", row.name, soundness.verdict));
        }
    }
    assert!(wrong.is_empty(), "{wrong:?}");
    assert_eq!(compared, 66);
}

/// What a rule needs is goals that can stand behind it as they are, and with them it is sound.
#[test]
fn needs_that_are_pasted() {
    let (mut pasted, mut without) = (0, 0);
    for row in rows() {
        for bare in [true, false] {
            let Some((_, soundness)) = row.checked(bare) else {
                continue;
            };
            if soundness.verdict != Sound::Depends {
                continue;
            }
            let Some(needs) = &soundness.needs else {
                without += 1;
                continue;
            };
            let text = row.text(bare);
            let comma = if text.contains(":-") { ", " } else { " :- " };
            let text = format!("{text}{comma}{}", needs.join(", "));
            let verdict = row.of_text(&text).checked().unwrap().verdict;
            assert_eq!(verdict, Sound::Always, "{}: {text}", row.name);
            pasted += 1;
        }
    }
    assert_eq!((pasted, without), (146, 4));
}
