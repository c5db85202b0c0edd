//! The question by definition: is there one assignment that makes every operand match?
//!
//! Every way of cutting every shape into the pieces of its operand is tried. A cut gives each piece
//! of each operand its dims; what is left are the names, and all their values are tried.

use std::collections::{BTreeMap, BTreeSet};

use kanshape_syntax::tree::Expr;

use super::Relation;
use super::eval::{Env, MAX_SIZE, Stop, as_size, broadcast_runs, eval, is_true};
use super::plan::{Piece, RunKey, exprs_of, names_in};
use super::presence::{dropped, present};
use crate::ground::{Holds, Shape};

/// One shape cut into pieces: each piece with its dims.
type Cut<'p, 's> = Vec<(&'p Piece, &'s [u64])>;

/// How many assignments are tried before the search is given up.
const MAX_STEPS: u64 = 20_000_000;

impl Relation {
    /// Whether shapes and parameters satisfy the signature: whether one assignment of sizes to names
    /// and of runs to skips makes every operand match.
    ///
    /// A parameter that is not in `params` may be anything. Names that no operand shows are tried
    /// from 0 to the bound of [`Relation::searching_to`], and at every size that is given.
    pub fn holds(
        &self,
        inputs: &[Shape],
        outputs: &[Shape],
        params: &BTreeMap<String, u64>,
    ) -> Holds {
        let plan = &self.plan;
        if inputs.len() != plan.inputs.len() || outputs.len() != plan.outputs.len() {
            return Holds::No;
        }
        let sizes = || {
            inputs
                .iter()
                .chain(outputs)
                .flatten()
                .chain(params.values())
        };
        if sizes().any(|size| *size > MAX_SIZE) {
            return Holds::No;
        }
        let ranks: Vec<usize> = inputs.iter().map(Vec::len).collect();
        let Some(dropped) = dropped(&plan.inputs, &ranks) else {
            return Holds::No;
        };
        let operands: Vec<Vec<&Piece>> = plan
            .operands()
            .map(|operand| present(operand, &dropped))
            .collect();
        let mut search = Search {
            relation: self,
            params,
            values: (0..=self.hidden).chain(sizes().copied()).collect(),
            steps: 0,
        };
        let shapes: Vec<&[u64]> = inputs.iter().chain(outputs).map(Vec::as_slice).collect();
        match search.cuts(&operands, &shapes, &mut Vec::new()) {
            Ok(true) => Holds::Yes,
            Ok(false) => Holds::No,
            Err(GivenUp) => Holds::TooBig,
        }
    }
}

struct GivenUp;

struct Search<'r> {
    relation: &'r Relation,
    params: &'r BTreeMap<String, u64>,
    /// The values that a name without a value is tried with.
    values: BTreeSet<u64>,
    steps: u64,
}

impl<'r> Search<'r> {
    /// Tries all cuts of the shapes from `cuts.len()` on.
    fn cuts<'p, 's>(
        &mut self,
        operands: &[Vec<&'p Piece>],
        shapes: &[&'s [u64]],
        cuts: &mut Vec<Cut<'p, 's>>,
    ) -> Result<bool, GivenUp> {
        let Some(operand) = operands.get(cuts.len()) else {
            return self.matches(cuts);
        };
        for cut in all_cuts(operand, shapes[cuts.len()]) {
            cuts.push(cut);
            let found = self.cuts(operands, shapes, cuts)?;
            cuts.pop();
            if found {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether the names can be given numbers such that all pieces are what their dims say.
    fn matches(&mut self, cuts: &[Cut<'_, '_>]) -> Result<bool, GivenUp> {
        let Some(env) = self.runs_and_lengths(cuts) else {
            return Ok(false);
        };
        let mut facts: Vec<Fact<'_>> = Vec::new();
        for (piece, dims) in cuts.iter().flatten() {
            match piece {
                Piece::Dim(expr) | Piece::Optional(_, expr) => facts.push(Fact::Is(expr, dims[0])),
                Piece::OrOne(expr) => facts.push(Fact::IsOrOne(expr, dims[0])),
                Piece::Run(_) => {}
            }
        }
        let plan = &self.relation.plan;
        facts.extend(plan.conditions.iter().map(Fact::Condition));
        let mut open: BTreeSet<String> = BTreeSet::new();
        facts.iter().for_each(|fact| fact.names(&mut open));
        open.extend(plan.declared.iter().cloned());
        open.retain(|name| !env.names.contains_key(name));
        self.names(&facts, &open.into_iter().collect::<Vec<_>>(), env)
    }

    /// The runs and the lengths that a cut says, unless it contradicts itself.
    fn runs_and_lengths(&self, cuts: &[Cut<'_, '_>]) -> Option<Env> {
        let plan = &self.relation.plan;
        let mut env = Env::default();
        for (label, name) in &plan.reported {
            if let Some(value) = self.params.get(label) {
                bind(&mut env.names, name, *value)?;
            }
        }
        let mut shown: BTreeMap<RunKey, [Vec<Shape>; 2]> = BTreeMap::new();
        for (at, cut) in cuts.iter().enumerate() {
            for (piece, dims) in cut {
                let Piece::Run(key) = piece else { continue };
                if let RunKey::Counted(name, _) = key {
                    bind(&mut env.names, name, dims.len() as u64)?;
                }
                let side = usize::from(at >= plan.inputs.len());
                shown.entry(key.clone()).or_default()[side].push(dims.to_vec());
            }
        }
        for (key, [inputs, outputs]) in shown {
            let broadcasts = plan.broadcasting && key.is_unnamed() && !inputs.is_empty();
            let run = if broadcasts {
                broadcast_runs(&inputs)?
            } else {
                inputs.iter().chain(&outputs).next()?.clone()
            };
            let must_be_it = if broadcasts { &[][..] } else { &inputs[..] };
            if must_be_it.iter().chain(&outputs).any(|other| *other != run) {
                return None;
            }
            let max = plan.max_batch.unwrap_or(u64::MAX);
            if key == RunKey::Batch && run.len() as u64 > max {
                return None;
            }
            env.runs.insert(key, run);
        }
        for relation in &plan.relations {
            let args: Vec<Shape> = relation
                .args
                .iter()
                .map(|arg| env.runs[arg].clone())
                .collect();
            if broadcast_runs(&args)? != env.runs[&relation.out] {
                return None;
            }
        }
        Some(env)
    }

    /// Tries all values of the open names.
    fn names(&mut self, facts: &[Fact<'_>], open: &[String], env: Env) -> Result<bool, GivenUp> {
        self.steps += 1;
        if self.steps > MAX_STEPS {
            return Err(GivenUp);
        }
        let mut waiting: Vec<&Fact<'_>> = Vec::new();
        for fact in facts {
            let mut names = BTreeSet::new();
            fact.names(&mut names);
            if names.iter().any(|name| !env.names.contains_key(name)) {
                waiting.push(fact);
            } else if !fact.is_true(&env).map_err(|_| GivenUp)? {
                return Ok(false);
            }
        }
        let Some((name, rest)) = open.split_first() else {
            return Ok(true);
        };
        // A name that is a dim by itself can only be that.
        let shown = waiting.iter().find_map(|fact| match fact {
            Fact::Is(Expr::Name(other), size) if *other.node == **name => Some(*size),
            _ => None,
        });
        let values = match shown {
            Some(size) => vec![size],
            None => self.values.iter().copied().collect(),
        };
        let waiting: Vec<Fact<'_>> = waiting.into_iter().copied().collect();
        for value in values {
            let mut env = env.clone();
            env.names.insert(name.clone(), value);
            if self.names(&waiting, rest, env)? {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// Something that has to be true once the names in it have values.
#[derive(Clone, Copy)]
enum Fact<'p> {
    Is(&'p Expr, u64),
    IsOrOne(&'p Expr, u64),
    Condition(&'p kanshape_syntax::tree::Condition),
}

impl Fact<'_> {
    fn names(&self, names: &mut BTreeSet<String>) {
        match self {
            Fact::Is(expr, _) | Fact::IsOrOne(expr, _) => names_in(expr, names),
            Fact::Condition(condition) => {
                for expr in exprs_of(condition) {
                    names_in(expr, names);
                }
            }
        }
    }

    fn is_true(&self, env: &Env) -> Result<bool, Stop> {
        let size = |expr| match eval(expr, env) {
            Ok(value) => Ok(as_size(value)),
            Err(Stop::NoValue) => Ok(None),
            Err(Stop::TooBig) => Err(Stop::TooBig),
        };
        match self {
            Fact::Is(expr, dim) => Ok(size(expr)? == Some(*dim)),
            Fact::IsOrOne(expr, dim) => Ok(*dim == 1 || size(expr)? == Some(*dim)),
            Fact::Condition(condition) => is_true(condition, env),
        }
    }
}

/// All ways of cutting a shape into the pieces of an operand.
fn all_cuts<'p, 's>(operand: &[&'p Piece], shape: &'s [u64]) -> Vec<Cut<'p, 's>> {
    let Some((piece, rest)) = operand.split_first() else {
        return if shape.is_empty() {
            vec![Vec::new()]
        } else {
            Vec::new()
        };
    };
    let lengths = match piece {
        Piece::Run(RunKey::Skip(length, _)) => match usize::try_from(*length) {
            Ok(length) if length <= shape.len() => length..=length,
            _ => return Vec::new(),
        },
        Piece::Run(_) => 0..=shape.len(),
        _ if shape.is_empty() => return Vec::new(),
        _ => 1..=1,
    };
    let mut cuts = Vec::new();
    for length in lengths {
        let (dims, others) = shape.split_at(length);
        for mut cut in all_cuts(rest, others) {
            cut.insert(0, (*piece, dims));
            cuts.push(cut);
        }
    }
    cuts
}

/// Gives a name its value; `None` if it has another one.
fn bind(names: &mut BTreeMap<String, u64>, name: &str, value: u64) -> Option<()> {
    (*names.entry(name.to_owned()).or_insert(value) == value).then_some(())
}
