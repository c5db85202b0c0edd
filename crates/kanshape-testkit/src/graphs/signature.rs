//! Questions about signatures: a case whose one node is a call of a random signature.

use std::collections::BTreeMap;

use kanshape_syntax::tree::{Expr, Ident};
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::{Config, TestRunner};

use super::generate::test_rng;
use super::{Case, Node, Random, Tensor};
use crate::brute::Relation;
use crate::generate;
use crate::ground::{Bounds, Partial};
use crate::text::text_of;

/// How large the solution is of which a question is made.
const BOUNDS: Bounds = Bounds {
    max_rank: 3,
    max_dim: 4,
};

/// A call of a random signature, with one to three names among the sizes of its inputs: of one of its solutions, some
/// sizes are names, and some may be others. `None` if it has no solutions, or there are no sizes to be named.
pub fn signature(seed: u64) -> Option<Case> {
    let mut rng = Random::new(seed);
    let mut runner = TestRunner::new_with_rng(Config::default(), test_rng(seed, 1));
    let tree = generate::signatures().new_tree(&mut runner).ok()?.current();
    let relation = Relation::new(&tree).ok()?;
    let (inputs, outputs) = relation.arity();
    let all = relation.solutions_up_to(60, BOUNDS, &Partial::nothing(inputs, outputs));
    let all: Vec<_> = all.into_iter().collect();
    let solution = rng.one(&all)?;
    let mut names: BTreeMap<u64, Vec<&str>> = BTreeMap::new();
    let mut fresh = ["K", "M", "N"].to_vec();
    let mut dim = |size: u64| {
        let known = names.entry(size).or_default();
        if rng.percent(65) {
            let name = match rng.one(known).copied() {
                Some(name) if fresh.is_empty() || rng.percent(75) => Some(name),
                _ => fresh.pop(),
            };
            if let Some(name) = name {
                known.push(name);
                return Expr::Name(Ident::new(name.into(), Default::default()));
            }
        }
        match rng.percent(10) {
            true => Expr::Int(rng.size(&[0, 1, 2, 3])),
            false => Expr::Int(size),
        }
    };
    let mut case = Case::default();
    for (i, shape) in solution.inputs.iter().enumerate() {
        let tensor = Tensor {
            dtype: "f32".into(),
            dims: shape.iter().map(|size| dim(*size)).collect(),
            contents: None,
        };
        case.inputs.push((format!("x{i}"), tensor));
    }
    let params = solution.params.iter();
    case.nodes.push(Node {
        op: text_of(&tree),
        attrs: params.map(|(n, x)| (n.clone(), x.to_string())).collect(),
        inputs: (0..inputs).map(|i| Some(format!("x{i}"))).collect(),
        outputs: (0..outputs).map(|i| format!("y{i}")).collect(),
    });
    (!case.names().is_empty()).then_some(case)
}
