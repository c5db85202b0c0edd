//! Two models of different systems: an exported program of torch, and the model of ONNX that was made of it.
//!
//! Inputs and outputs are compared by their places, and what is between where both have it under one name. A name of the first model is
//! what the second one has in its place at the inputs. A size that differs is reported once: the sizes made of it are then compared
//! with what the second model has.

use super::{Change, Difference, OtherSize, Ports, Renaming};
use crate::model::Model;
use crate::report::{Report, Required};
use hashbrown::{HashMap, HashSet};
use kanshape::tree::{CmpOp, DimItem, Expr, Ident};
use kanshape::{Condition, Dim, Name, Relations, Tensor, Type, catalog};

/// The separator of a domain and a name.
const IN_DOMAIN: &str = "::";

/// Have both nodes, and none of the domain of another one?
pub(super) fn are_different(first: &Model<'_>, second: &Model<'_>) -> bool {
    let domains = |model: &Model<'_>| -> HashSet<String> {
        let nodes = model.each_node();
        let domains = nodes.map(|node| {
            let domain = node.place.op.split_once(IN_DOMAIN);
            domain.map_or("", |(domain, _)| domain).to_owned()
        });
        domains.collect()
    };
    let [own, other] = [first, second].map(domains);
    !own.is_empty() && !other.is_empty() && own.is_disjoint(&other)
}

pub(super) fn diff(first: &Report<'_>, second: &Report<'_>) -> Difference {
    let [own, other] = [first, second].map(Ports::of);
    let have_same_ports =
        own.inputs.len() == other.inputs.len() && own.outputs.len() == other.outputs.len();
    let mut sides = SizePairs::of(first, second);
    let mut difference = Difference {
        across: true,
        ..Difference::default()
    };
    if have_same_ports {
        let inputs = first.inputs.iter().zip(&second.inputs);
        let outputs = first.outputs.iter().zip(&second.outputs);
        for ((name, a), (_, b)) in inputs {
            sides.learn(name, a, b, &mut difference);
        }
        sides.between(first, second, &mut difference);
        for ((name, a), (_, b)) in outputs {
            sides.compare(name, a, b, &mut difference);
        }
    } else {
        sides.between(first, second, &mut difference);
        difference.ports = Some([own, other]);
    }
    difference.conditions = sides.conditions(first, second);
    difference
}

/// Which sizes of two models are the same.
struct SizePairs<'r> {
    relations: &'r Relations,
    /// What names of the first model are in the second one.
    first: HashMap<String, Dim>,
    /// What names of the second model are: of sizes that were lost, or were no names.
    second: HashMap<String, Dim>,
    renaming: Renaming,
}

impl<'r> SizePairs<'r> {
    fn of(first: &Report<'_>, second: &Report<'_>) -> SizePairs<'r> {
        SizePairs {
            relations: catalog(),
            first: HashMap::new(),
            second: HashMap::new(),
            renaming: Renaming::of(first, second),
        }
    }

    /// The values between, by their names.
    fn between(&mut self, first: &Report<'_>, second: &Report<'_>, found: &mut Difference) {
        let types: HashMap<&str, &Type> = second
            .values
            .iter()
            .map(|(name, ty)| (&**name, &**ty))
            .collect();
        let ports = first.inputs.iter().chain(&first.outputs);
        let ports: HashSet<&str> = ports.map(|(name, _)| &**name).collect();
        for (name, a) in &first.values {
            if let Some(b) = types.get(&**name).filter(|_| !ports.contains(&**name)) {
                self.compare(name, a, b, found);
            }
        }
    }

    /// An input: what has a name in it is from now on what the other model has there.
    fn learn(&mut self, name: &str, a: &Type, b: &Type, found: &mut Difference) {
        let Some((own, other)) = both(a, b) else {
            return self.compare(name, a, b, found);
        };
        for (axis, (a, b)) in own.iter().zip(other).enumerate() {
            let mut report = |change| found.sizes.push(other_size(name, axis, a, b, change));
            match (a, b) {
                (Dim::Name(own), _) if !self.first.contains_key(&**own) => {
                    match b {
                        Dim::Size(_) => report(Change::Fixed),
                        Dim::Name(_) if self.first.values().any(|known| known == b) => {
                            report(Change::Same);
                        }
                        _ => {}
                    }
                    self.first.insert(own.to_string(), b.clone());
                }
                (Dim::Size(_), Dim::Name(other)) => {
                    report(Change::Open);
                    self.second.insert(other.to_string(), a.clone());
                }
                (Dim::Expr(_), Dim::Name(other)) if !self.second.contains_key(&**other) => {
                    self.second.insert(other.to_string(), a.clone());
                }
                _ => self.size(name, axis, a, b, found),
            }
        }
    }

    fn compare(&mut self, name: &str, a: &Type, b: &Type, found: &mut Difference) {
        if a.as_tensor().is_none() || b.as_tensor().is_none() {
            // A number of one system may be a tensor of the other.
            return;
        }
        let Some((own, other)) = both(a, b) else {
            if with_names(a, &self.first) != with_names(b, &self.second) {
                let row = (name.to_owned(), Some(a.clone()), Some(b.clone()));
                found.values.push(row);
            }
            return;
        };
        for (axis, (a, b)) in own.iter().zip(other).enumerate() {
            self.size(name, axis, a, b, found);
        }
    }

    /// One dim of both.
    fn size(&mut self, value: &str, axis: usize, a: &Dim, b: &Dim, found: &mut Difference) {
        let [own, other] =
            [(a, &self.first), (b, &self.second)].map(|(dim, names)| known(dim, names));
        if own == other || self.are_equal(&own, &other) {
            return;
        }
        let is_open = |dim: &Dim, side: usize| match dim {
            Dim::Hole => true,
            Dim::Name(name) => self.renaming.made_up[side].contains(&**name),
            _ => false,
        };
        let change = match (is_open(a, 0), is_open(b, 1)) {
            // The first one did not know it either.
            (true, _) => return,
            (false, true) => Change::Lost,
            (false, false) => match (&own, &other) {
                (Dim::Size(_), Dim::Size(_)) => Change::Other,
                (_, Dim::Size(_)) => Change::Fixed,
                (Dim::Size(_), _) => Change::Open,
                _ => Change::Other,
            },
        };
        found
            .sizes
            .push(other_size(value, axis, &own, &other, change));
        if let (Change::Lost, Dim::Name(lost)) = (change, &other) {
            self.second.insert(lost.to_string(), own);
        }
    }

    /// Are two sizes the same, whatever their names denote?
    fn are_equal(&self, a: &Dim, b: &Dim) -> bool {
        let (DimItem::Dim(a), DimItem::Dim(b)) = (a.to_tree(), b.to_tree()) else {
            return false;
        };
        let equation = Condition::Compare(a, vec![(CmpOp::Eq, b)]);
        let mut graph = kanshape::graph::Graph::new(self.relations);
        graph.read().follow(&[], &[equation])
    }

    /// Conditions that only one has, in words of the second.
    fn conditions(&mut self, first: &Report<'_>, second: &Report<'_>) -> [Vec<String>; 2] {
        let all = |report: &Report<'_>, names: &HashMap<String, Dim>| -> Vec<Required> {
            let all = report.conditions.iter();
            let all = all.map(|one| match &one.condition {
                Required::Condition(condition) => {
                    let condition = condition.clone();
                    Required::Condition(condition.map_leaves(&mut |name| leaf(name, names)))
                }
                value => value.clone(),
            });
            all.collect()
        };
        let own = all(first, &self.first);
        let other = all(second, &self.second);
        let mut graph = kanshape::graph::Graph::new(self.relations);
        let reading = graph.read();
        let mut beyond = |all: &[Required], beside: &[Required]| {
            let known = beside.iter().filter_map(condition).cloned();
            let known: Vec<Condition> = known.collect();
            let texts: Vec<String> = beside.iter().map(ToString::to_string).collect();
            let mut found: Vec<String> = Vec::new();
            for one in all {
                let follows = condition(one)
                    .is_some_and(|own| reading.follow(&known, std::slice::from_ref(own)));
                let text = one.to_string();
                let mut texts = texts.iter();
                if !follows && !texts.any(|other| self.renaming.are_same(&text, other)) {
                    found.push(text);
                }
            }
            found
        };
        [beyond(&own, &other), beyond(&other, &own)]
    }
}

fn condition(required: &Required) -> Option<&Condition> {
    match required {
        Required::Condition(condition) => Some(condition),
        Required::Value(_) => None,
    }
}

fn other_size(value: &str, axis: usize, first: &Dim, second: &Dim, change: Change) -> OtherSize {
    OtherSize {
        value: value.to_owned(),
        axis,
        first: first.clone(),
        second: second.clone(),
        change,
    }
}

/// The dims of two tensors of one dtype and rank.
fn both<'t>(a: &'t Type, b: &'t Type) -> Option<(&'t [Dim], &'t [Dim])> {
    let (own, other) = (a.as_tensor()?, b.as_tensor()?);
    let dims = (own.shape.known_dims(), other.shape.known_dims());
    let is_whole = |tensor: &Tensor| tensor.shape.run().is_none();
    let are_alike = own.dtype == other.dtype
        && is_whole(own)
        && is_whole(other)
        && dims.0.len() == dims.1.len();
    are_alike.then_some(dims)
}

/// A type without its contents, with names for those that have one in the other model.
fn with_names(ty: &Type, names: &HashMap<String, Dim>) -> Type {
    let ty = ty.clone().with_contents(None);
    ty.map_names(&mut |name| match names.get(name) {
        Some(Dim::Name(other)) => other.clone(),
        _ => Name::word(name),
    })
}

/// A size with what its names are in the other model.
fn known(dim: &Dim, names: &HashMap<String, Dim>) -> Dim {
    match dim.to_tree() {
        DimItem::Dim(e) => Dim::expr(e.map_leaves(&mut |name| leaf(name, names))),
        _ => dim.clone(),
    }
}

fn leaf(name: Ident, names: &HashMap<String, Dim>) -> Expr {
    match names.get(&*name.node).map(Dim::to_tree) {
        Some(DimItem::Dim(e)) => e,
        _ => Expr::Name(name),
    }
}
