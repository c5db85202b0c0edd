//! Rewrite rules by brute force: both sides are evaluated forwards, operator by operator, on leaves that are given.

use kanshape_syntax::relation::{Applied, Node, Rule, Term};
use kanshape_syntax::tree::Spanned;

/// What the two sides of a rule are for some leaves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sides<V> {
    /// The left side has no type.
    NoLeft,
    /// Both have types.
    Both(Vec<V>, Vec<V>),
    /// The right side has none.
    NoRight(Vec<V>),
}

/// How leaves, constants and operators are evaluated. Whether two outputs are the same is for the caller to say.
pub trait Evaluate {
    /// What is known of a value.
    type Value: Clone;

    /// A leaf.
    fn leaf(&mut self, name: &str) -> Self::Value;

    /// A constant.
    fn constant(&mut self, term: &Term) -> Option<Self::Value>;

    /// An operator, with this many outputs; none if it cannot be.
    fn call(
        &mut self,
        call: &Applied,
        inputs: &[Option<Self::Value>],
        outputs: usize,
    ) -> Option<Vec<Self::Value>>;
}

/// Evaluates both sides. The goals of the rule are left out.
pub fn sides<E: Evaluate>(rule: &Rule, with: &mut E) -> Sides<E::Value> {
    let Some(left) = side(&rule.left, rule.right.len(), with) else {
        return Sides::NoLeft;
    };
    match side(&rule.right, left.len(), with) {
        Some(right) => Sides::Both(left, right),
        None => Sides::NoRight(left),
    }
}

fn side<E: Evaluate>(
    roots: &[Spanned<Node>],
    wanted: usize,
    with: &mut E,
) -> Option<Vec<E::Value>> {
    match roots {
        [root] => value(&root.node, wanted, with),
        roots => {
            let all = roots.iter().map(|root| value(&root.node, 1, with)?.pop());
            all.collect()
        }
    }
}

fn value<E: Evaluate>(node: &Node, outputs: usize, with: &mut E) -> Option<Vec<E::Value>> {
    match node {
        Node::Leaf(name) | Node::Constant(name) => Some(vec![with.leaf(&name.node)]),
        Node::Literal(term) => Some(vec![with.constant(&term.node)?]),
        Node::None => None,
        Node::Call(call) => {
            let mut inputs = Vec::new();
            for arg in &call.args {
                inputs.push(match arg.node {
                    Node::None => None,
                    ref node => Some(value(node, 1, with)?.pop()?),
                });
            }
            with.call(call, &inputs, outputs)
        }
    }
}

/// The names of the leaves of the left side, in the order in which they are met.
pub fn leaves(rule: &Rule) -> Vec<&str> {
    fn of<'r>(node: &'r Node, found: &mut Vec<&'r str>) {
        match node {
            Node::Leaf(name) | Node::Constant(name) => {
                if !found.contains(&&*name.node) {
                    found.push(&name.node);
                }
            }
            Node::Call(call) => call.args.iter().for_each(|arg| of(&arg.node, found)),
            Node::Literal(_) | Node::None => {}
        }
    }
    let mut found = Vec::new();
    rule.left.iter().for_each(|node| of(&node.node, &mut found));
    found
}

/// All shapes within bounds, those with the fewest dims first.
pub fn shapes(max_rank: usize, max_dim: u64) -> Vec<Vec<u64>> {
    let mut all = vec![vec![]];
    let mut last = all.clone();
    for _ in 0..max_rank {
        let longer = last
            .iter()
            .flat_map(|shape| (0..=max_dim).map(move |size| [&shape[..], &[size]].concat()));
        last = longer.collect();
        all.extend(last.iter().cloned());
    }
    all
}
