//! Random graphs, most of which run for some sizes and not for others.
//!
//! The names have sizes of reference, and a graph is built along what it does with those: a tensor that a node takes
//! fits what is there, but whether that is said by a number, a name or an expression is left to chance.

use std::collections::BTreeMap;

use kanshape_syntax::tree::{Expr, Ident, MulOp, Sign};
use proptest::prelude::Rng;
use proptest::test_runner::{RngAlgorithm, TestRng};

use super::operators::OPERATORS;
use super::{Case, Concrete, Machine, Member, Node, Ran, Tensor};

/// Choices that are the same for the same seed.
pub struct Random(TestRng);

/// The choices of a seed; those of another stream do not depend on them.
pub(super) fn test_rng(seed: u64, stream: u8) -> TestRng {
    let mut bytes = [stream; 32];
    bytes[..8].copy_from_slice(&seed.to_le_bytes());
    TestRng::from_seed(RngAlgorithm::ChaCha, &bytes)
}

impl Random {
    /// The choices of a seed.
    pub fn new(seed: u64) -> Random {
        Random(test_rng(seed, 0))
    }

    /// A number below `n`, which is not 0.
    pub fn below(&mut self, n: usize) -> usize {
        (self.0.next_u64() % n.max(1) as u64) as usize
    }

    /// True in this percentage of cases.
    pub fn percent(&mut self, n: usize) -> bool {
        self.below(100) < n
    }

    /// One of these; nothing of none.
    pub fn one<'a, T>(&mut self, all: &'a [T]) -> Option<&'a T> {
        all.get(self.below(all.len()))
    }

    /// One of these numbers.
    pub fn size(&mut self, all: &[u64]) -> u64 {
        self.one(all).copied().unwrap_or(1)
    }

    /// In another order.
    pub fn shuffle<T>(&mut self, all: &mut [T]) {
        for i in (1..all.len()).rev() {
            let j = self.below(i + 1);
            all.swap(i, j);
        }
    }
}

/// A graph of this many nodes at most, and one at least, over one to three names.
pub fn graph(seed: u64, most: usize, machine: &mut impl Machine) -> Case {
    let mut rng = Random::new(seed);
    let mut names: Vec<(&'static str, u64)> = Vec::new();
    let count = 1 + rng.below(3);
    for name in ["N", "M", "K"].into_iter().take(count) {
        names.push((name, rng.size(&[1, 2, 3, 4, 4, 8])));
    }
    let mut builder = Builder {
        rng,
        names,
        case: Case::default(),
        known: BTreeMap::new(),
        next: 0,
    };
    let nodes = 1 + builder.rng.below(most);
    let mut tries = 0;
    while builder.case.nodes.len() < nodes && tries < 40.max(4 * most) {
        tries += 1;
        builder.add(machine);
    }
    builder.case
}

/// A case while it is built.
pub(super) struct Builder {
    pub(super) rng: Random,
    /// Each with its size of reference.
    names: Vec<(&'static str, u64)>,
    case: Case,
    /// The values as they are with the sizes of reference.
    known: BTreeMap<String, Concrete>,
    next: usize,
}

/// A call that is to be a node.
pub(super) struct Wanted {
    pub(super) op: &'static str,
    pub(super) attrs: Vec<(&'static str, String)>,
    pub(super) inputs: Vec<Option<String>>,
    pub(super) outputs: usize,
}

impl Builder {
    /// Adds a node, unless the one that was thought of cannot be used.
    fn add(&mut self, machine: &mut impl Machine) {
        let (before, next) = (self.case.inputs.clone(), self.next);
        let known = self.known.clone();
        let operator = OPERATORS[self.rng.below(OPERATORS.len())];
        let wanted = operator(self);
        let usable = wanted.is_some_and(|wanted| self.node(wanted, machine));
        if !usable {
            self.case.inputs = before;
            self.next = next;
            self.known = known;
        }
    }

    fn node(&mut self, wanted: Wanted, machine: &mut impl Machine) -> bool {
        let mut node = Node {
            op: wanted.op.into(),
            attrs: wanted
                .attrs
                .into_iter()
                .map(|(n, v)| (n.into(), v))
                .collect(),
            inputs: wanted.inputs,
            outputs: (0..wanted.outputs).map(|_| self.name()).collect(),
        };
        if self.rng.percent(8) {
            self.spoil(&mut node);
        }
        let inputs = node.inputs.iter();
        let inputs = inputs.map(|name| name.as_ref().and_then(|n| self.known.get(n).cloned()));
        match machine.run(&node, &inputs.collect::<Vec<_>>()) {
            Ran::Gives(outputs) => {
                let elements = |t: &Concrete| {
                    let mut dims = t.dims.iter();
                    dims.try_fold(1u64, |n, dim| n.checked_mul(*dim))
                };
                let small =
                    |t: &Concrete| t.dims.contains(&0) || elements(t).is_some_and(|n| n <= 1 << 20);
                if !outputs.iter().all(small) || outputs.len() != node.outputs.len() {
                    return false;
                }
                self.known.extend(node.outputs.iter().cloned().zip(outputs));
            }
            // What fails with these sizes may run with others.
            Ran::Fails if self.rng.percent(25) => {}
            Ran::Fails | Ran::Open => return false,
        }
        self.case.nodes.push(node);
        true
    }

    /// Makes a node take something else: another value of the same dtype.
    fn spoil(&mut self, node: &mut Node) {
        let at = self.rng.below(node.inputs.len());
        let Some(Some(old)) = node.inputs.get(at).cloned() else {
            return;
        };
        let dtype = self.known.get(&old).map(|t| t.dtype.clone());
        let (with, contents): (Vec<_>, _) = (
            self.known
                .iter()
                .filter(|(_, t)| Some(&t.dtype) == dtype.as_ref())
                .collect(),
            self.known.get(&old).is_some_and(|t| t.contents.is_some()),
        );
        let with: Vec<String> = with
            .into_iter()
            .filter(|(_, t)| t.contents.is_some() == contents)
            .map(|(n, _)| n.clone())
            .collect();
        node.inputs[at] = self.rng.one(&with).cloned();
    }

    fn name(&mut self) -> String {
        let name = format!("x{}", self.next);
        self.next += 1;
        name
    }

    /// What is known of a value.
    pub(super) fn of(&self, value: &str) -> &Concrete {
        // The caller has the name from here.
        &self.known[value]
    }

    /// A tensor with numbers in it.
    pub(super) fn constant(&mut self, dtype: &str, dims: &[u64], members: Vec<Member>) -> String {
        let dims = dims.iter().map(|n| Expr::Int(*n)).collect();
        self.input(dtype, dims, Some(members))
    }

    /// A list of integers.
    pub(super) fn ints(&mut self, members: &[i64]) -> String {
        let all = members.iter().map(|n| Member::Int(*n)).collect();
        self.constant("i64", &[members.len() as u64], all)
    }

    /// An integer without dims.
    pub(super) fn int(&mut self, n: i64) -> String {
        self.constant("i64", &[], vec![Member::Int(n)])
    }

    /// A tensor that has these dims with the sizes of reference.
    pub(super) fn tensor(&mut self, dtype: &str, dims: &[u64]) -> String {
        let dims = dims.iter().map(|n| self.dim(*n)).collect();
        self.input(dtype, dims, None)
    }

    fn input(&mut self, dtype: &str, dims: Vec<Expr>, contents: Option<Vec<Member>>) -> String {
        let name = self.name();
        let names = self.names.iter();
        let names = names.map(|(n, x)| ((*n).into(), i128::from(*x))).collect();
        let tensor = Tensor {
            dtype: dtype.into(),
            dims,
            contents,
        };
        if let Some(concrete) = tensor.at(&names) {
            self.known.insert(name.clone(), concrete);
        }
        self.case.inputs.push((name.clone(), tensor));
        name
    }

    /// A size: as a number, as a name that has it as its size of reference, as an expression over one.
    fn dim(&mut self, n: u64) -> Expr {
        let ident = |name: &str| Expr::Name(Ident::new(name.into(), Default::default()));
        let same: Vec<&str> = self
            .names
            .iter()
            .filter(|(_, x)| *x == n)
            .map(|(name, _)| *name)
            .collect();
        if let Some(name) = self.rng.one(&same).copied()
            && self.rng.percent(60)
        {
            return ident(name);
        }
        let Some(&(name, x)) = self.rng.one(&self.names) else {
            return Expr::Int(n);
        };
        if n > x && self.rng.percent(8) {
            return match n % x {
                0 if self.rng.percent(60) => {
                    Expr::Chain(Box::new(Expr::Int(n / x)), vec![(MulOp::Mul, ident(name))])
                }
                _ => Expr::Sum(vec![
                    (Sign::Plus, ident(name)),
                    (Sign::Plus, Expr::Int(n - x)),
                ]),
            };
        }
        Expr::Int(n)
    }

    /// A size for a dim of a new tensor.
    pub(super) fn any_size(&mut self) -> u64 {
        match self.rng.percent(50) {
            true => self.rng.one(&self.names).map_or(1, |(_, x)| *x),
            false => self.rng.size(&[1, 2, 3, 4, 5, 6, 8, 12]),
        }
    }

    /// A list of this many sizes.
    pub(super) fn any_dims(&mut self, rank: usize) -> Vec<u64> {
        (0..rank).map(|_| self.any_size()).collect()
    }

    /// A value like this: one that is there, the last ones first, or a new one of a rank between these.
    pub(super) fn float(&mut self, least: usize, most: usize) -> String {
        let fits = |t: &Concrete| t.dtype == "f32" && (least..=most).contains(&t.dims.len());
        if let Some(value) = self.there(&fits)
            && self.rng.percent(85)
        {
            return value;
        }
        let rank = least + self.rng.below(most.min(least + 2) - least + 1);
        let dims = self.any_dims(rank);
        self.tensor("f32", &dims)
    }

    /// A value that is there.
    pub(super) fn there(&mut self, fits: &dyn Fn(&Concrete) -> bool) -> Option<String> {
        let outputs = self.case.nodes.iter().flat_map(|n| &n.outputs);
        let last: Vec<String> = outputs
            .filter(|o| self.known.get(*o).is_some_and(fits))
            .cloned()
            .collect();
        if !last.is_empty() && self.rng.percent(70) {
            return self.rng.one(&last).cloned();
        }
        let all: Vec<String> = self
            .known
            .iter()
            .filter(|(_, t)| fits(t))
            .map(|(n, _)| n.clone())
            .collect();
        self.rng.one(&all).cloned()
    }

    /// Integers that are known, of a rank: of a shape that has been computed, if there is one.
    pub(super) fn numbers(&mut self, rank: usize) -> Option<String> {
        self.there(&|t| t.dtype == "i64" && t.dims.len() == rank && t.contents.is_some())
    }
}

/// The integers in a tensor.
pub(super) fn members(tensor: &Concrete) -> Option<Vec<i64>> {
    let all = tensor.contents.as_ref()?.iter();
    all.map(|m| match m {
        Member::Int(n) => Some(*n),
        Member::Other(_) | Member::Unknown => None,
    })
    .collect()
}
