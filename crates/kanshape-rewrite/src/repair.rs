//! Repairs: other right sides with which a rule holds, or holds for more inputs.
//!
//! Few changes are tried, the smallest first: another value of an attribute or a constant, an operator that only changes the
//! type - `Expand`, `Reshape`, `Unsqueeze`, `Squeeze`, `CastLike` - around the right side, and one around an input of it.
//! What is evaluated right on the counterexample and on instances of all ranks is checked like any rule.

use std::collections::HashSet;

use kanshape::control::is_over;
use kanshape::tree::relation::{self, Applied, Node, Term};
use kanshape::tree::{Span, Spanned};
use kanshape::{AttrValue, Control, Diagnostic};

use crate::check::{Aim, Checked, Compiled, STEPS_OF_RULE};
use crate::family::{self, int_of, ints_of};
use crate::ground::Right;
use crate::instances::Instance;
use crate::judge::Judge;
use crate::made::{int, ints};
use crate::precondition::DRAWN_OF_RANKS;
use crate::program::{self, listed};
use crate::sides::CalculatedSides;
use crate::soundness::Sound;

/// The most repairs that are reported, and the most of those that need something.
const MOST_REPAIRS: usize = 3;
const MOST_PARTIAL: usize = 2;
/// The most changes that are evaluated.
const MOST_TRIED: usize = 400;
/// The most characters of what a repair needs: longer ones are not reported.
const LONGEST_NEEDS: usize = 160;
/// Values that are tried for a number.
const NUMBERS: [i64; 5] = [0, 1, -1, 2, -2];
/// The longest list of which all orders are tried.
const LONGEST_ORDERED: usize = 4;

/// Another right side for a rule that does not always hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Repair {
    /// The right side, as it can be written in the rule.
    pub right: String,
    /// What it needs beside the precondition of the rule: nothing, or less than the rule as it is.
    pub needs: Vec<String>,
}

type Roots = Vec<Spanned<Node>>;

impl Checked<'_> {
    /// Other right sides. There are none of a rule that always holds and is not refuted, that has variables, or of which too little is known.
    pub(crate) fn repairs(&self) -> Result<Vec<Repair>, Diagnostic> {
        Control::default().run(STEPS_OF_RULE, || self.all_repairs())
    }

    fn all_repairs(&self) -> Result<Vec<Repair>, Diagnostic> {
        if family::of(self.rule, self.relations, self.opset)?.is_some() {
            return Ok(Vec::new());
        }
        let own = self.compile(self.rule)?;
        if own.program.leaves.is_empty() {
            return Ok(Vec::new());
        }
        let (found, ranks) = self.search(&own, Aim::Smallest)?;
        let refuted = match self.is_known_refuted() {
            true => self.refuted_instance(&own)?,
            false => None,
        };
        let mut instances: Vec<Instance> =
            found.counterexample.into_iter().chain(refuted).collect();
        if instances.is_empty() {
            return Ok(Vec::new());
        }
        let ranks = ranks.completed(&mut self.symbolic(&own)?);
        let mut drawn = self.drawn_of(&own, &ranks, 0, 1, DRAWN_OF_RANKS)?;
        drawn.retain(|one| one.holds && one.right != Right::Unknown);
        if self.is_known_refuted() {
            let sides = CalculatedSides::of(&own.program);
            let mut judge = Judge::new(self, &own, &sides, false);
            for one in drawn.iter_mut().filter(|one| one.right == Right::Same) {
                if judge.differs(one) == Some(true) {
                    *one = one.refused();
                }
            }
        }
        // Those for which something has to change come first.
        drawn.sort_by_key(|one| one.right == Right::Same);
        instances.extend(drawn);
        let mut repairs = Vec::new();
        let mut partial: Vec<(usize, relation::Rule)> = Vec::new();
        let mut seen = HashSet::from([listed(&self.rule.right), listed(&self.rule.left)]);
        let few = self.changes().into_iter().map(|right| (1, right));
        let many = self.expanded_twice().into_iter().map(|right| (2, right));
        for (changes, right) in few.chain(many).take(MOST_TRIED) {
            // Two changes are tried only where one is not enough.
            let is_enough = repairs.len() == MOST_REPAIRS || changes > 1 && !repairs.is_empty();
            if is_enough || is_over() {
                break;
            }
            if !seen.insert(listed(&right)) {
                continue;
            }
            let rule = relation::Rule {
                right,
                ..self.rule.clone()
            };
            let Ok(other) = self.compile(&rule) else {
                continue;
            };
            match self.mended(&other, &instances)? {
                Mended::Nothing => {}
                Mended::Some(count) => partial.push((count, rule)),
                Mended::All => {
                    let (found, _) = self.search(&other, Aim::Any)?;
                    let is_always = self.judged(&other, &found).verdict == Sound::Always;
                    let with = Checked {
                        rule: &rule,
                        ..*self
                    };
                    if is_always && !(self.values.is_some() && with.is_refuted()) {
                        repairs.push(Repair {
                            right: listed(&rule.right),
                            needs: Vec::new(),
                        });
                    }
                }
            }
        }
        if repairs.is_empty() {
            // Of those that mend as much, the first one is the smallest change.
            partial.sort_by_key(|(count, _)| std::cmp::Reverse(*count));
            for (_, rule) in partial.iter().take(MOST_PARTIAL) {
                let other = Checked { rule, ..*self };
                let soundness = match self.values {
                    Some(_) => other.run_with_values()?.0,
                    None => other.run_one()?,
                };
                let is_short = |needs: &Vec<String>| {
                    !needs.is_empty()
                        && needs.iter().map(String::len).sum::<usize>() <= LONGEST_NEEDS
                };
                let needs = soundness.needs.filter(is_short);
                if let (Sound::Depends, Some(needs)) = (soundness.verdict, needs) {
                    let right = listed(&rule.right);
                    repairs.push(Repair { right, needs });
                    break;
                }
            }
        }
        Ok(repairs)
    }

    /// What another right side mends of what is not sound, if it breaks nothing that is.
    fn mended(&self, other: &Compiled, instances: &[Instance]) -> Result<Mended, Diagnostic> {
        let program = &other.program;
        let Ok(mut ground) = self.ground(program, other) else {
            // An operator does not have this many operands.
            return Ok(Mended::Nothing);
        };
        let (mut mended, mut is_all) = (0, true);
        let mut is_broken = false;
        let sides = CalculatedSides::of(program);
        let mut judge = self
            .is_known_refuted()
            .then(|| Judge::new(self, other, &sides, false));
        for one in instances {
            let mut slots = ground.slots();
            for (slot, ty) in one.leaves.iter().enumerate() {
                slots[slot] = ground.number(ty);
            }
            let mut steps = program.left.steps.iter();
            let mut is_right = steps.all(|step| ground.step(*step, &mut slots))
                && ground.right(&mut slots) == Right::Same;
            let was_sound = one.right == Right::Same;
            if let Some(judge) = judge.as_mut().filter(|_| is_right && !was_sound) {
                is_right = judge.differs(one) != Some(true);
            }
            if was_sound && (!is_right || mended == 0) {
                is_broken = true;
                break;
            }
            mended += usize::from(is_right && !was_sound);
            is_all &= is_right;
        }
        ground.keep();
        Ok(match (is_broken, is_all, mended) {
            (true, ..) | (_, _, 0) => Mended::Nothing,
            (_, true, _) => Mended::All,
            _ => Mended::Some(mended),
        })
    }

    /// The right sides that are tried, those that differ least first.
    fn changes(&self) -> Vec<Roots> {
        let mut all = Vec::new();
        self.other_values(&mut all);
        let leaves = self.leaves();
        if let Some(root) = self.root() {
            let around = around(&root.node, &leaves, None);
            all.extend(around.iter().map(|node| vec![spanned(node.clone())]));
        }
        self.other_inputs(&leaves, &mut all);
        all
    }

    /// The right side expanded to the shapes of two leaves.
    fn expanded_twice(&self) -> Vec<Roots> {
        let Some(root) = self.root() else {
            return Vec::new();
        };
        let leaves = self.leaves();
        let mut all = Vec::new();
        for first in &leaves {
            for then in leaves.iter().filter(|then| *then != first) {
                let twice = expanded(expanded(root.node.clone(), first), then);
                all.push(vec![spanned(twice)]);
            }
        }
        all
    }

    /// The right side, if it is one value.
    fn root(&self) -> Option<&Spanned<Node>> {
        match (&self.rule.left[..], &self.rule.right[..]) {
            ([_], [root]) => Some(root),
            _ => None,
        }
    }

    fn leaves(&self) -> Vec<Box<str>> {
        let mut open: Vec<&Node> = self.rule.left.iter().rev().map(|n| &n.node).collect();
        let mut found: Vec<Box<str>> = Vec::new();
        while let Some(node) = open.pop() {
            match node {
                Node::Leaf(name) | Node::Constant(name) if !found.contains(&name.node) => {
                    found.push(name.node.clone());
                }
                Node::Call(call) => open.extend(call.args.iter().rev().map(|arg| &arg.node)),
                _ => {}
            }
        }
        found
    }

    /// Other values of one attribute, or of one constant.
    fn other_values(&self, all: &mut Vec<Roots>) {
        let mut place = 0;
        while let Some(call) = call_at(&self.rule.right, place) {
            let operator = program::operator(self.relations, &self.rule.domain, call, self.opset);
            if let Ok(operator) = operator {
                for attribute in operator.attributes() {
                    let written = call.attrs.iter().find(|own| *own.0.node == *attribute.name);
                    let own = match (written, attribute.default) {
                        (Some((_, term)), _) => integers(&term.node),
                        (None, Some(AttrValue::Int(n))) => Some((vec![*n], false)),
                        _ => None,
                    };
                    let Some((own, is_list)) = own else {
                        continue;
                    };
                    for value in others(&own, is_list) {
                        self.with_call(place, all, |call| {
                            let name = spanned(attribute.name.into());
                            let value = spanned(value);
                            match call.attrs.iter_mut().find(|own| own.0.node == name.node) {
                                Some(own) => own.1 = value,
                                None => call.attrs.push((name, value)),
                            }
                        });
                    }
                }
            }
            for (i, arg) in call.args.iter().enumerate() {
                if let Node::Literal(term) = &arg.node
                    && let Some((own, is_list)) = integers(&term.node)
                {
                    for value in others(&own, is_list) {
                        self.with_call(place, all, |call| {
                            call.args[i].node = Node::Literal(spanned(value));
                        });
                    }
                }
            }
            place += 1;
        }
    }

    /// An operator around one input that is a leaf.
    fn other_inputs(&self, leaves: &[Box<str>], all: &mut Vec<Roots>) {
        let mut place = 0;
        while let Some(call) = call_at(&self.rule.right, place) {
            for (i, arg) in call.args.iter().enumerate() {
                let (Node::Leaf(name) | Node::Constant(name)) = &arg.node else {
                    continue;
                };
                for node in around(&arg.node, leaves, Some(&name.node)) {
                    self.with_call(place, all, |call| call.args[i].node = node);
                }
            }
            place += 1;
        }
    }

    /// The right side with one call changed.
    fn with_call(&self, place: usize, all: &mut Vec<Roots>, change: impl FnOnce(&mut Applied)) {
        let mut right = self.rule.right.clone();
        if let Some(call) = call_at_mut(&mut right, place) {
            change(call);
            all.push(right);
        }
    }
}

/// What a right side mends.
enum Mended {
    Nothing,
    Some(usize),
    All,
}

/// Operators around a node that only change its type; `own` is the leaf that it is.
fn around(node: &Node, leaves: &[Box<str>], own: Option<&str>) -> Vec<Node> {
    let others = || leaves.iter().filter(|leaf| Some(&***leaf) != own);
    let one = |name: &str, n: i64| call(name, vec![node.clone(), literal(ints(&[n]))]);
    let mut all = Vec::new();
    all.extend(others().map(|leaf| expanded(node.clone(), leaf)));
    all.extend([0, 1, -1].map(|n| one("Unsqueeze", n)));
    all.extend([0, 1, -1].map(|n| one("Squeeze", n)));
    if own.is_some() {
        all.push(call("Squeeze", vec![node.clone()]));
        all.push(one("Reshape", -1));
    }
    for leaf in others() {
        let like = Node::Leaf(spanned(leaf.clone()));
        let shape = call("Shape", vec![like.clone()]);
        all.push(call("Reshape", vec![node.clone(), shape]));
        all.push(call("CastLike", vec![node.clone(), like]));
    }
    all
}

fn expanded(node: Node, leaf: &str) -> Node {
    let like = Node::Leaf(spanned(leaf.into()));
    call("Expand", vec![node, call("Shape", vec![like])])
}

fn call(name: &str, args: Vec<Node>) -> Node {
    Node::Call(Box::new(Applied {
        domain: None,
        name: spanned(name.into()),
        attrs: Vec::new(),
        args: args.into_iter().map(spanned).collect(),
    }))
}

fn literal(term: Term) -> Node {
    Node::Literal(spanned(term))
}

fn spanned<T>(node: T) -> Spanned<T> {
    Spanned::new(node, Span::default())
}

/// The call that is met as this one, from left to right.
fn call_at(roots: &[Spanned<Node>], place: usize) -> Option<&Applied> {
    let mut open: Vec<&Node> = roots.iter().rev().map(|root| &root.node).collect();
    let mut before = place;
    while let Some(node) = open.pop() {
        if let Node::Call(call) = node {
            if before == 0 {
                return Some(call);
            }
            before -= 1;
            open.extend(call.args.iter().rev().map(|arg| &arg.node));
        }
    }
    None
}

fn call_at_mut(roots: &mut [Spanned<Node>], place: usize) -> Option<&mut Applied> {
    let mut open: Vec<&mut Node> = roots.iter_mut().rev().map(|root| &mut root.node).collect();
    let mut before = place;
    while let Some(node) = open.pop() {
        if let Node::Call(call) = node {
            if before == 0 {
                return Some(call);
            }
            before -= 1;
            open.extend(call.args.iter_mut().rev().map(|arg| &mut arg.node));
        }
    }
    None
}

/// The integers of a term, and whether they are a list.
fn integers(term: &Term) -> Option<(Vec<i64>, bool)> {
    match term {
        Term::List(members) => Some((ints_of(members)?, true)),
        term => Some((vec![int_of(term)?], false)),
    }
}

/// Other values: of a list that is an order of axes the other orders, else another number in one place.
fn others(own: &[i64], is_list: bool) -> Vec<Term> {
    let write = |values: &[i64]| match (is_list, values) {
        (false, [one]) => int(*one),
        _ => ints(values),
    };
    let mut sorted = own.to_vec();
    sorted.sort_unstable();
    let is_order = own.len() > 1 && (0..).zip(&sorted).all(|(i, n)| i == *n);
    if is_order && own.len() <= LONGEST_ORDERED {
        return orders(&sorted).iter().map(|order| ints(order)).collect();
    }
    let mut all = Vec::new();
    for i in 0..own.len() {
        for n in NUMBERS.into_iter().filter(|n| *n != own[i]) {
            let mut other = own.to_vec();
            other[i] = n;
            all.push(write(&other));
        }
    }
    all
}

/// All orders of a few numbers.
fn orders(of: &[i64]) -> Vec<Vec<i64>> {
    let mut all = vec![Vec::new()];
    for _ in of {
        let longer = all.iter().flat_map(|order: &Vec<i64>| {
            let rest = of.iter().filter(|n| !order.contains(n));
            rest.map(|n| [&order[..], &[*n]].concat())
                .collect::<Vec<_>>()
        });
        all = longer.collect();
    }
    all
}
