//! What has been found out, put together as a report.

use super::bounds::joined;
use super::{Checker, NamedValue, ValueHome};
use crate::code;
use crate::graph::Graph;
use crate::problem::{self, Place, Problem};
use crate::report::{OpenDim, Report, Required, Requirement};
use crate::symbols::Symbol;
use hashbrown::{HashMap, HashSet};
use kanshape::Condition;
use kanshape::explain::Allowed;
use kanshape::graph::{Doubt, Stated};
use kanshape::tree::{CmpOp, Expr};
use kanshape::{Dim, Name, Type, Verdict, diag::Severity, types::TypeKind};
use std::borrow::Cow;
use std::sync::Arc;

/// For more conditions it is not found out which sizes are allowed.
const SHOWN: usize = 20;
/// The most undecided conditions that are listed.
const MOST_TOLD: usize = 3;

impl<'c, 'a> Checker<'c, 'a> {
    pub(super) fn finish(mut self, graph: &Graph<'a>) -> Report<'a> {
        let mut outputs = Vec::with_capacity(graph.outputs.len());
        for output in &graph.outputs {
            let value = self.scope.get(output.symbol);
            if value.is_none() {
                self.problems
                    .push(problem::dangling(output.name, graph.value_names(&self.symbols)).into());
            }
            outputs.push((output.name, value));
        }
        for name in self.dims.never_met() {
            self.problems.push(problem::no_name(name).into());
        }
        let impossible = self.impossible();
        self.problems.extend(impossible);
        self.judge_varied();
        self.judge_unread();

        let mut reading = self.graph.read();
        let of_engine = self.values.iter().filter_map(|entry| match entry.value {
            ValueHome::Value(value) => Some(value),
            ValueHome::In(..) | ValueHome::Fixed(_) => None,
        });
        let given = outputs.iter().filter_map(|output| output.1);
        let mut types = reading.all_shared(of_engine.chain(given)).into_iter();
        let mut values = Vec::with_capacity(self.values.len());
        for (i, entry) in self.values.iter().enumerate() {
            let name = self.symbols.name(entry.symbol);
            let name = match entry.path {
                0 => Cow::Borrowed(name),
                path => Cow::Owned(format!("{}{name}", self.paths[path as usize])),
            };
            let ty = match entry.value {
                ValueHome::Value(_) => types.next().unwrap_or_default(),
                ValueHome::In(..) => self.settled.types.remove(&i).unwrap_or_default(),
                ValueHome::Fixed(i) => Arc::clone(&self.fixed[i as usize]),
            };
            values.push((name, ty));
        }
        let outputs = outputs.into_iter().map(|(name, value)| {
            let ty = value.and_then(|_| types.next());
            (Cow::Borrowed(name), ty.unwrap_or_default())
        });
        let mut outputs: Vec<(Cow<'a, str>, Arc<Type>)> = outputs.collect();
        let stated = reading.conditions();
        let verdict = reading.verdict();
        let doubt = match verdict {
            Verdict::Unknown => reading.doubt(),
            _ => None,
        };
        drop(reading);
        for (_, ty) in values.iter_mut().chain(&mut outputs) {
            self.show(ty);
        }

        let (verdict, otherwise) = self.judged(verdict);
        let dims = self.open_dims(graph, &values, &stated);
        let all: Vec<Condition> = stated.iter().map(|one| one.condition.clone()).collect();
        let mut allowed = allowed(&all, self.options.assume_nonempty);
        let of_inputs = dims.iter().filter(|dim| dim.node.is_none());
        let of_inputs: HashSet<Name> = of_inputs.map(|dim| dim.name.clone()).collect();
        let conditions = stated.into_iter().enumerate().map(|(i, one)| {
            let (holds, fails) = one.examples(&all, i);
            // What is known of sizes of inputs alone, and not required, was given: a node can only repeat it.
            let is_given = !one.demands && is_about(&one.condition, &of_inputs);
            let (node, others) = match is_given {
                true => (None, &[][..]),
                false => (one.node, &one.others[..]),
            };
            Requirement {
                others: others
                    .iter()
                    .filter_map(|node| self.place_of(*node))
                    .collect(),
                node: node.and_then(|node| self.place_of(node)),
                condition: Required::Condition(one.condition),
                under: Vec::new(),
                demands: one.demands,
                unless_empty: one.unless_empty,
                holds,
                fails,
                allowed: allowed.remove(&i),
            }
        });
        let mut conditions: Vec<Requirement> = conditions.collect();
        let (guarded, in_regions) = self.settled();
        conditions.extend(guarded);
        self.drop_repetitions(&mut conditions, &dims);
        let conditions = joined(conditions);
        self.problems.extend(in_regions);
        if verdict == Verdict::Unknown && self.is_silent() {
            let doubt = doubt.map(|doubt| self.doubtful(doubt));
            self.problems.extend(doubt);
        }
        // A problem in a body is found again at each place where the body is used.
        let mut reported: HashSet<String> = HashSet::new();
        self.problems
            .retain(|own| reported.insert(format!("{:?} {:?}", own.node, own.diagnostic)));
        Report {
            verdict,
            otherwise,
            nonempty: self.options.assume_nonempty,
            inputs: values[..self.inputs].to_vec(),
            outputs,
            conditions,
            dims,
            values,
            free: self.free,
            declared: self.compared,
            assumed: Vec::new(),
            untyped: self.untyped,
            solved: self.graph.solved_count(),
            problems: self.problems,
            renamed: self
                .dims
                .renamed()
                .iter()
                .map(|(name, text)| (name.clone(), (*text).to_owned()))
                .collect(),
        }
    }

    /// Does nothing that is reported say why a verdict is not known?
    fn is_silent(&self) -> bool {
        let says_why = |problem: &Problem| {
            let diagnostic = &problem.diagnostic;
            diagnostic.severity == Severity::Error || diagnostic.code == code::UNWRITTEN
        };
        self.untyped.is_empty() && !self.problems.iter().any(says_why)
    }

    /// Drops equations of two names of which one was made up for an unknown, and is in no type and no other condition: both dims are
    /// written with the other name.
    fn drop_repetitions(&self, conditions: &mut Vec<Requirement>, dims: &[OpenDim]) {
        let mut counts: HashMap<Name, usize> = HashMap::new();
        for one in &*conditions {
            one.condition.for_each_name(&mut |name| {
                *counts.entry(Name::word(name)).or_default() += 1;
            });
        }
        let shown: HashSet<&Name> = dims.iter().map(|dim| &dim.name).collect();
        let is_unseen = |name: &str| {
            let name = Name::word(name);
            self.dims.is_fresh(&name) && !shown.contains(&name) && counts.get(&name) == Some(&1)
        };
        conditions.retain(|one| match &one.condition {
            Required::Condition(Condition::Compare(Expr::Name(a), rest)) => match &rest[..] {
                [(CmpOp::Eq, Expr::Name(b))] => !is_unseen(&a.node) && !is_unseen(&b.node),
                _ => true,
            },
            _ => true,
        });
    }

    /// Why it is not known whether the model holds.
    fn doubtful(&self, doubt: Doubt) -> Problem {
        let (diagnostic, node) = match doubt {
            Doubt::Unwritten(nodes) => {
                let place = nodes.into_iter().find_map(|node| self.place_of(node));
                let what = place.as_ref().map_or("the model", |place| &place.node);
                (problem::unwritten(what), place)
            }
            Doubt::Undecided(stated) => {
                let texts = stated.iter().take(MOST_TOLD);
                let texts: Vec<String> = texts.map(|one| format!("`{}`", one.condition)).collect();
                let node = stated.iter().find_map(|one| one.node);
                let place = node.and_then(|node| self.place_of(node));
                (problem::undecided(&texts), place)
            }
            _ => (problem::undecided(&[]), None),
        };
        Problem {
            node,
            diagnostic: diagnostic.as_warning(),
        }
    }

    /// A name that was made up for a size of a sequence's tensors would say that all of them have that size.
    fn show(&self, ty: &mut Arc<Type>) {
        if let TypeKind::Adt(name, _) = &ty.kind
            && *name == "Sequence"
        {
            *ty = Arc::new(self.known_outside(ty));
        }
    }

    /// The verdict of the engine, as far as it is one of the whole model; and what it is if the nodes are left out whose operators are
    /// not loaded.
    fn judged(&self, verdict: Verdict) -> (Verdict, Verdict) {
        let is_wrong = |problem: &Problem| problem.diagnostic.severity == Severity::Error;
        let otherwise = match verdict {
            _ if self.contradicted => Verdict::Never,
            Verdict::Never => Verdict::Never,
            _ if self.untyped.iter().any(|one| !one.is_missing) => Verdict::Unknown,
            _ if self.problems.iter().any(is_wrong) => Verdict::Unknown,
            Verdict::Unknown => Verdict::Unknown,
            verdict => match self.settled.verdict {
                Some(Verdict::Unknown) => Verdict::Unknown,
                Some(Verdict::Depends) => Verdict::Depends,
                _ => verdict,
            },
        };
        match otherwise {
            Verdict::Never => (otherwise, otherwise),
            _ if !self.untyped.is_empty() => (Verdict::Unknown, otherwise),
            _ => (otherwise, otherwise),
        }
    }

    fn open_dims(
        &self,
        graph: &Graph<'a>,
        values: &[(Cow<'a, str>, Arc<Type>)],
        stated: &[Stated],
    ) -> Vec<OpenDim> {
        let mut dims: Vec<OpenDim> = Vec::new();
        let mut met: HashSet<Name> = HashSet::new();
        let mut makers = None;
        let mut last: Option<Name> = None;
        for (i, (value, ty)) in values.iter().enumerate() {
            for_each_name(ty, &mut |axis, name| {
                // Most often it is the same one as before.
                if last.as_ref().is_some_and(|last| last == name) || met.contains(name) {
                    return;
                }
                let name = Name::word(name);
                met.insert(name.clone());
                last = Some(name.clone());
                let node = match i < self.inputs {
                    true => None,
                    false => self.maker(&self.values[i], graph, &mut makers),
                };
                dims.push(OpenDim {
                    named: self.dims.has(&name) && !self.dims.is_fresh(&name),
                    name,
                    value: value.to_string(),
                    axis,
                    node,
                    depends_on: Vec::new(),
                });
            });
        }
        let at: HashMap<Name, usize> = dims
            .iter()
            .enumerate()
            .map(|(i, d)| (d.name.clone(), i))
            .collect();
        for one in stated {
            let mut names: Vec<Name> = Vec::new();
            one.condition.for_each_name(&mut |name| {
                if met.contains(name) && !names.iter().any(|n| n == name) {
                    names.push(Name::word(name));
                }
            });
            for name in &names {
                let Some(dim) = at.get(name).map(|i| &mut dims[*i]) else {
                    continue;
                };
                for other in names.iter().filter(|other| *other != name) {
                    if !dim.depends_on.contains(other) {
                        dim.depends_on.push(other.clone());
                    }
                }
            }
        }
        dims
    }

    /// The node that gives a value.
    fn maker(
        &self,
        entry: &NamedValue,
        graph: &Graph<'a>,
        makers: &mut Option<HashMap<Symbol, u32>>,
    ) -> Option<Place> {
        if entry.path > 0 {
            return None;
        }
        let makers = makers.get_or_insert_with(|| graph.makers());
        let node = makers.get(&entry.symbol)?;
        Some(graph.place("", *node, &self.symbols))
    }
}

/// Are all names of a condition among these, and is there one?
fn is_about(condition: &Condition, names: &HashSet<Name>) -> bool {
    let (mut some, mut all) = (false, true);
    condition.for_each_name(&mut |name| {
        some = true;
        all &= names.contains(name);
    });
    some && all
}

/// The sizes for which all conditions on a name hold where these repeat, with the number of the last of them. If `nonempty`,
/// 0 is no size.
fn allowed(all: &[Condition], nonempty: bool) -> HashMap<usize, (Name, Allowed)> {
    let mut last: HashMap<Name, (usize, usize)> = HashMap::new();
    for (i, condition) in all.iter().enumerate().take(SHOWN) {
        condition.for_each_name(&mut |name| {
            let (_, count) = last.get(name).copied().unwrap_or_default();
            last.insert(Name::word(name), (i, count + 1));
        });
    }
    let found = last.into_iter().filter_map(|(name, (i, count))| {
        // `H % 32 == 0` alone says it already.
        let says_it = matches!(&all[i], Condition::Compare(Expr::Chain(e, _), _) if matches!(**e, Expr::Name(_)));
        let least = u64::from(nonempty);
        let allowed = kanshape::explain::allowed(all, &name, least)?;
        let repeats = allowed.period.is_some() && !(says_it && count == 1);
        repeats.then_some((i, (name, allowed)))
    });
    found.collect()
}

/// Calls `f` with each name in the dims of a type, and with the dim that it is in.
pub fn for_each_name(ty: &Type, f: &mut dyn FnMut(usize, &str)) {
    if let TypeKind::Tensor(tensor) = &ty.kind {
        for (axis, dim) in tensor.shape.iter().enumerate() {
            match dim {
                Dim::Name(name) => f(axis, name),
                Dim::Expr(e) => e.for_each_name(&mut |name| f(axis, name)),
                Dim::Size(_) | Dim::Nominal(_) | Dim::Hole => {}
            }
        }
        return;
    }
    ty.parts().for_each(|part| for_each_name(part, f));
}
