//! A signature among a canrun user's own goals.

use std::collections::BTreeSet;
use std::rc::Rc;

use canrun::goals::Any;
use canrun::{Fail, Goal, Value, both, either, lazy, unify};
use kanshape_syntax::tree::{Expr, Signature};

use crate::arithmetic::{condition, equation};
use crate::broadcast::{broadcast, is_not_one};
use crate::concat::{Part, concat};
use crate::enumerate::{UpTo, afterwards, one_of, some_values};
use crate::misuse::Misuse;
use crate::optional::{choices, ranks_drop};
use crate::project::{all_of, with_cells};
use crate::reading::{Element, Reading, Unsupported};
use crate::scope::Scope;
use crate::shape::{Shape, Size, fresh, list, rank, rank_at_most};
use crate::uses::RunKey;

/// Where the search for ground answers ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// No shape has more dims.
    pub max_rank: usize,
    /// No dim and no declared parameter is greater.
    pub max_dim: u64,
    /// No name that no operand shows is greater (`n` in `(n//2)->()`): 24 unless set.
    pub max_hidden: u64,
}

impl Bounds {
    /// Ranks up to `max_rank`, sizes and parameters up to `max_dim`.
    pub fn new(max_rank: usize, max_dim: u64) -> Self {
        Bounds {
            max_rank,
            max_dim,
            max_hidden: max_dim.max(24),
        }
    }
}

/// A signature that can be stated as a canrun goal, as often as you like.
#[derive(Clone, Debug)]
pub struct SignatureGoals {
    pub(crate) reading: Rc<Reading>,
}

impl SignatureGoals {
    /// Takes a signature apart. Its dtypes are goals of their own: [`crate::DtypeGoals`].
    pub fn new(signature: &Signature) -> Result<Self, Unsupported> {
        Ok(SignatureGoals {
            reading: Rc::new(Reading::new(signature)?),
        })
    }

    /// The labels of the declared parameters, and the names of the lengths of runs `.k.`.
    pub fn labels(&self) -> impl Iterator<Item = &str> {
        self.reading.params.iter().map(|(label, _)| label.as_str())
    }

    /// The goal that shapes and parameters satisfy the signature, and are within bounds.
    ///
    /// In each state that the goal yields, all shapes and parameters are known. Parameters that are
    /// not given are solved for and not reported. The same answer may come more than once, where a
    /// signature has several ways to it (`+(...)->()`).
    pub fn goal(
        &self,
        inputs: &[Shape],
        outputs: &[Shape],
        params: &[(&str, Size)],
        bounds: Bounds,
    ) -> Result<Rc<dyn Goal>, Misuse> {
        let wanted = (self.reading.inputs.len(), self.reading.outputs.len());
        let given = (inputs.len(), outputs.len());
        if wanted != given {
            return Err(Misuse::Operands { wanted, given });
        }
        let mut named = Vec::new();
        for (label, value) in params {
            let known = self.reading.params.iter().find(|(other, _)| other == label);
            match known {
                Some((_, name)) => named.push((name.clone(), value.clone())),
                None => return Err(Misuse::Parameter((*label).to_owned())),
            }
        }
        let statement = Statement {
            reading: self.reading.clone(),
            shapes: inputs.iter().chain(outputs).cloned().collect(),
            params: named,
            bounds,
        };
        Ok(Rc::new(lazy(move || statement.goal())))
    }
}

/// A signature about some shapes.
#[derive(Clone)]
struct Statement {
    reading: Rc<Reading>,
    shapes: Vec<Shape>,
    params: Vec<(String, Size)>,
    bounds: Bounds,
}

impl Statement {
    /// One way for each choice of optional dims that are absent, of which the ranks leave one.
    fn goal(&self) -> Box<dyn Goal> {
        let scope = Scope::new(&self.reading);
        let mut goals: Vec<Box<dyn Goal>> = Vec::new();
        for (name, value) in &self.params {
            goals.push(Box::new(unify(scope.name(name), value)));
        }
        let ways = choices(&self.reading).into_iter().map(|absent| {
            let statement = self.clone();
            let scope = scope.clone();
            let way = lazy(move || statement.way(&scope, &absent));
            Rc::new(way) as Rc<dyn Goal>
        });
        goals.push(Box::new(ways.collect::<Any>()));
        all_of(goals)
    }

    fn way(&self, scope: &Scope, absent: &BTreeSet<String>) -> Box<dyn Goal> {
        let mut goals: Vec<Box<dyn Goal>> = Vec::new();
        if !self.reading.optional().is_empty() {
            let inputs = &self.shapes[..self.reading.inputs.len()];
            goals.push(Box::new(ranks_drop(&self.reading, inputs, absent)));
        }
        for (key, run) in scope.runs() {
            goals.extend(self.run(key, run, scope));
        }
        for condition_of_sizes in &self.reading.conditions {
            goals.push(condition(condition_of_sizes, scope));
        }
        for relation in &self.reading.relations {
            let from = relation.from.iter().map(|key| scope.run(key)).collect();
            goals.push(Box::new(broadcast(from, &scope.run(&relation.to))));
        }
        // Ranks first: the forks of the second loop come after those of the first.
        let mut dims = Vec::new();
        for (at, shape) in self.shapes.iter().enumerate() {
            let parts = self.parts(at, scope, absent, &mut dims);
            goals.push(Box::new(concat(parts, shape, self.bounds.max_rank)));
        }
        goals.extend(dims);
        goals.push(Box::new(afterwards(self.enumeration(scope, absent))));
        all_of(goals)
    }

    /// What is known of a run wherever it stands.
    fn run(&self, key: &RunKey, run: &Shape, scope: &Scope) -> Vec<Box<dyn Goal>> {
        let broadcasts = self.reading.broadcasts(key);
        let own = scope.own_runs(key);
        let mut goals: Vec<Box<dyn Goal>> = Vec::new();
        for run in own.iter().chain([run]) {
            match key {
                RunKey::Skip(length, _) => goals.push(match usize::try_from(*length) {
                    Ok(length) if length <= self.bounds.max_rank => {
                        Box::new(unify(run, list(&fresh(length))))
                    }
                    _ => Box::new(Fail),
                }),
                RunKey::Counted(name, _) => goals.push(Box::new(rank(run, &scope.name(name)))),
                _ => {}
            }
        }
        if let (RunKey::Batch, Some((_, Some(max)))) = (key, self.reading.prefix) {
            goals.push(Box::new(rank_at_most(run, max)));
        }
        if broadcasts {
            goals.push(Box::new(broadcast(own, run)));
        }
        goals
    }

    /// The parts of an operand, and the goals about its dims.
    fn parts(
        &self,
        at: usize,
        scope: &Scope,
        absent: &BTreeSet<String>,
        goals: &mut Vec<Box<dyn Goal>>,
    ) -> Vec<Part> {
        let mut parts = Vec::new();
        for element in self.reading.operands().nth(at).into_iter().flatten() {
            match element {
                Element::Optional(key, _) if absent.contains(key) => {}
                Element::Dim(expr) | Element::Optional(_, expr) => {
                    let size = Value::var();
                    goals.push(equation(expr, &size, scope));
                    parts.push(Part::Dim(size));
                }
                Element::OrOne(expr) => {
                    let size = Value::var();
                    goals.push(Box::new(either(
                        unify(&size, 1),
                        both(
                            is_not_one(&size),
                            Rc::<dyn Goal>::from(equation(expr, &size, scope)),
                        ),
                    )));
                    parts.push(Part::Dim(size));
                }
                Element::Run(key) => parts.push(Part::Run(scope.run_in(key, at))),
            }
        }
        parts
    }

    /// Everything that is still open gets a number.
    fn enumeration(&self, scope: &Scope, absent: &BTreeSet<String>) -> Box<dyn Goal> {
        let size = UpTo(self.bounds.max_dim.min(i64::MAX.unsigned_abs()));
        let mut goals: Vec<Box<dyn Goal>> = Vec::new();
        let mut hidden = self.reading.names();
        for name in self.reading.counts() {
            hidden.remove(&name);
        }
        let declared = &self.reading.params[..self.reading.declared];
        let shown = self.reading.operands().flatten().filter_map(|e| match e {
            Element::Optional(key, _) if absent.contains(key) => None,
            Element::Dim(Expr::Name(name)) | Element::Optional(_, Expr::Name(name)) => {
                Some(&*name.node)
            }
            _ => None,
        });
        for name in shown.chain(declared.iter().map(|(_, name)| name.as_str())) {
            hidden.remove(name);
            goals.push(Box::new(one_of(&scope.name(name), size)));
        }
        goals.push(Box::new(with_cells(self.shapes.clone(), move |shapes| {
            let cells = shapes.iter().flatten();
            all_of(
                cells
                    .map(|cell| Box::new(one_of(cell, size)) as Box<dyn Goal>)
                    .collect(),
            )
        })));
        let hidden: Vec<Size> = hidden.iter().map(|name| scope.name(name)).collect();
        if !hidden.is_empty() {
            goals.push(Box::new(some_values(hidden, self.bounds.max_hidden)));
        }
        all_of(goals)
    }
}
