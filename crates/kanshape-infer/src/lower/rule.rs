//! The rule itself: one variant of a signature as constraints between the slots.

use super::condition::promote_all;
use super::expr::{Scope, expr};
use super::given::{Given, lengths};
use super::operand::{Operand, tensor};
use super::optional::Variant;
use super::{Identities, Trouble, atoms, condition, naturals, sizes};
use crate::program::{
    CallArg, Calls, DtypeRule, ItemRule, OperandRule, OptionalDim, Program, RelationRule,
    RunLength, TypeRule,
};
use crate::relation::{Context, call, form};
use kanshape_engine::{
    Constraint, Domain, Function, Goal, Int, Linear, Part, Seq, State, Stop, Term, Var, broadcast,
};
use kanshape_syntax::tree::PrefixKind;
use kanshape_types::{DtypeSet, Promotion};
use std::sync::Arc;

/// States one variant of the signature of the operands. What is left to be unified is the goal.
pub(crate) fn post(
    state: &mut State,
    program: &Program,
    given: &Given,
    variant: &Variant,
    promotion: Promotion,
) -> Result<Goal, Stop> {
    for (operand, &(lo, hi)) in given.operands.inputs.iter().zip(&variant.ranks) {
        let Some(slot) = given.tensor(operand) else {
            continue;
        };
        let rank = state.length(&slot.shape)?;
        state.restrict(&rank, &Domain::interval(lo, hi))?;
    }
    let mut rule = Rule::new(state, program, given, variant, promotion);
    rule.post(state, given).map_err(|trouble| match trouble {
        Trouble::Stop(stop) => stop,
        // The signature has been compiled: its text is right.
        Trouble::Text(_) => Stop::Conflict,
    })?;
    Ok(Goal::All(rule.goals))
}

struct Rule<'a> {
    program: &'a Program,
    dropped: &'a [bool],
    promotion: Promotion,
    /// The sizes of the signature's names.
    names: Vec<Linear>,
    /// The run that stands for each run in the outputs and in expressions.
    runs: Vec<Seq>,
    dtypes: Vec<Var>,
    types: Vec<Var>,
    goals: Vec<Goal>,
    identities: &'a Identities,
}

impl<'a> Rule<'a> {
    fn new(
        state: &mut State,
        program: &'a Program,
        given: &'a Given,
        variant: &'a Variant,
        promotion: Promotion,
    ) -> Rule<'a> {
        let mut names: Vec<Linear> = Vec::with_capacity(program.names.len());
        for i in 0..program.names.len() {
            let param = program.params.iter().position(|p| p.1 == i);
            names.push(match param {
                Some(p) => given.params[p].clone(),
                None => Linear::var(state.int(naturals())),
            });
        }
        let any = atoms(DtypeSet::ANY);
        let dtypes = program.dtypes.iter().map(|_| state.atom(any)).collect();
        let mut rule = Rule {
            program,
            dropped: &variant.dropped,
            promotion,
            names,
            runs: Vec::new(),
            dtypes,
            types: (0..program.types).map(|_| state.any()).collect(),
            goals: Vec::new(),
            identities: &given.identities,
        };
        for r in 0..program.runs.len() {
            let run = rule.new_run(state, r);
            rule.runs.push(run);
        }
        rule
    }

    fn post(&mut self, state: &mut State, given: &Given) -> Result<(), Trouble> {
        let program = self.program;
        // What each input has of each run that broadcasts, and of the batch run.
        let mut own: Vec<Vec<Seq>> = vec![Vec::new(); program.runs.len()];
        let batch = program.batch.map(|b| (b, Seq::run(state.run(lengths()))));
        let mut batches: Vec<Seq> = Vec::new();
        for (operand, value) in program.inputs.iter().zip(&given.operands.inputs) {
            if let Some(rule) = &operand.whole {
                let term = self.whole(state, rule)?;
                self.goals.push(Goal::equal(term, given.term(value)));
                continue;
            }
            let front = match &batch {
                Some((b, _)) if b.kind == PrefixKind::Broadcast && program.inputs.len() > 1 => {
                    let run = Seq::run(state.run(lengths()));
                    batches.push(run.clone());
                    Some(run)
                }
                Some((_, run)) => Some(run.clone()),
                None => None,
            };
            let parts = self.parts(state, &operand.items, front, Some(&mut own))?;
            self.operand(state, operand, given, value, parts)?;
        }
        for (operand, value) in program.outputs.iter().zip(&given.operands.outputs) {
            if let Some(rule) = &operand.whole {
                let term = self.whole(state, rule)?;
                self.goals.push(Goal::equal(term, given.term(value)));
                continue;
            }
            let front = batch.as_ref().map(|(_, run)| run.clone());
            let parts = self.parts(state, &operand.items, front, None)?;
            self.operand(state, operand, given, value, parts)?;
        }
        if let Some((b, run)) = batch {
            if let Some(most) = b.max {
                let rank = state.length(&run)?;
                state.restrict(&rank, &Domain::interval(0, Int::from(most)))?;
            }
            if program.inputs.is_empty() && b.kind == PrefixKind::Broadcast {
                let none = Seq::default();
                state.post(Constraint::SeqEqual(run, none))?;
            } else if !batches.is_empty() {
                broadcast(state, run, batches)?;
            }
        }
        for (r, args) in own.into_iter().enumerate() {
            if !args.is_empty() {
                broadcast(state, self.runs[r].clone(), args)?;
            }
        }
        for relation in &program.relations {
            self.relation(state, relation)?;
        }
        if let Some(calls) = &program.calls {
            self.calls(state, calls, given);
        }
        for c in &program.conditions {
            let promotion = self.promotion;
            condition(state, self, c, promotion)?;
        }
        Ok(())
    }

    /// A name where an operand shows it: there it is a size.
    fn shown(&self, state: &mut State, i: usize) -> Result<Linear, Stop> {
        let form = self.names[i].clone();
        state.restrict(&form, &self.identities.dims())?;
        Ok(form)
    }

    fn new_run(&self, state: &mut State, r: usize) -> Seq {
        Seq::run(match self.program.runs[r].length {
            RunLength::Any => state.run(lengths()),
            RunLength::Fixed(n) => state.run_of_length(Linear::constant(Int::from(n))),
            RunLength::Name(i) => state.run_of_length(self.names[i].clone()),
        })
    }

    /// The shape that an operand must have.
    fn parts(
        &mut self,
        state: &mut State,
        items: &[ItemRule],
        front: Option<Seq>,
        mut own: Option<&mut Vec<Vec<Seq>>>,
    ) -> Result<Seq, Trouble> {
        let mut parts: Vec<Part> = Vec::with_capacity(items.len() + 1);
        if let Some(run) = front {
            parts.extend_from_slice(run.parts());
        }
        for item in items {
            let one = match item {
                ItemRule::Size(n) => Linear::constant(Int::from(*n)),
                ItemRule::Name(i) => self.shown(state, *i)?,
                ItemRule::Expr(e) => {
                    let form = expr(state, self, e)?;
                    state.restrict(&form, &self.identities.dims())?;
                    form
                }
                ItemRule::Hole => Linear::var(state.int(self.identities.dims())),
                ItemRule::Optional(i, _) if self.dropped[*i] => continue,
                ItemRule::Optional(_, OptionalDim::Size(n)) => Linear::constant(Int::from(*n)),
                ItemRule::Optional(_, OptionalDim::Name(i)) => self.shown(state, *i)?,
                ItemRule::OrOne(e) => {
                    let whole = expr(state, self, e)?;
                    let dims = self.identities.dims();
                    state.restrict(&whole, &dims)?;
                    let dim = Linear::var(state.int(dims));
                    // 1 or the whole: broadcasting with the whole changes nothing.
                    state.relate(Function::Broadcast, &[dim.clone(), whole.clone()], &whole)?;
                    dim
                }
                ItemRule::Run(r) => {
                    let run = match own.as_deref_mut() {
                        Some(own) if self.program.runs[*r].broadcast => {
                            let run = self.new_run(state, *r);
                            own[*r].push(run.clone());
                            run
                        }
                        _ => self.runs[*r].clone(),
                    };
                    parts.extend_from_slice(run.parts());
                    continue;
                }
            };
            parts.push(Part::One(one));
        }
        Ok(parts.into_iter().collect())
    }

    fn operand(
        &mut self,
        state: &mut State,
        operand: &OperandRule,
        given: &Given,
        value: &Operand,
        parts: Seq,
    ) -> Result<(), Trouble> {
        let Some(slot) = given.tensor(value) else {
            // A pattern of dims describes tensors only.
            return Err(Stop::Conflict.into());
        };
        state.post(Constraint::SeqEqual(slot.shape.clone(), parts))?;
        match &operand.dtype {
            DtypeRule::Known(d) => state.restrict_atom(slot.dtype, atoms((*d).into()))?,
            DtypeRule::Among(set) => state.restrict_atom(slot.dtype, atoms(*set))?,
            rule => {
                let v = self.dtype_of(state, rule)?;
                state.equate_atoms(slot.dtype, v)?;
            }
        }
        Ok(())
    }

    /// An operand that is written as a type.
    fn whole(&mut self, state: &mut State, rule: &TypeRule) -> Result<Term, Trouble> {
        Ok(match rule {
            TypeRule::Any => Term::Var(state.any()),
            TypeRule::Variable(i) => Term::Var(self.types[*i]),
            TypeRule::Tensor(items, dtype) => {
                let shape = self.parts(state, items, None, None)?;
                let contents = Term::Var(state.any());
                tensor(self.dtype_of(state, dtype)?, shape, contents)
            }
            TypeRule::Node(label, parts) => {
                let parts = parts.iter().map(|part| self.whole(state, part));
                Term::node(*label, parts.collect::<Result<Vec<_>, _>>()?)
            }
        })
    }

    fn dtype_of(&mut self, state: &mut State, rule: &DtypeRule) -> Result<Var, Trouble> {
        Ok(match rule {
            DtypeRule::Known(d) => state.atom(atoms((*d).into())),
            DtypeRule::Among(set) => state.atom(atoms(*set)),
            DtypeRule::Variable(i) => self.dtypes[*i],
            DtypeRule::Promote(args) => {
                let mut vars = Vec::with_capacity(args.len());
                for a in args {
                    vars.push(self.dtype_of(state, a)?);
                }
                promote_all(state, &vars, self.promotion)?
            }
        })
    }

    /// Relations in text.
    fn calls(&mut self, state: &mut State, calls: &Calls, given: &Given) {
        state.allow_free_runs();
        let context = Arc::new(Context {
            library: Arc::clone(&calls.library),
            promotion: self.promotion,
            identities: self.identities.clone(),
            texts: Arc::clone(&given.texts),
        });
        for (relation, args) in &calls.calls {
            let args = args.iter().map(|arg| self.call_arg(state, given, arg));
            let args = args.collect();
            self.goals.push(call(&context, *relation, args));
        }
    }

    fn call_arg(&self, state: &mut State, given: &Given, arg: &CallArg) -> Term {
        let ty = |i: usize| Term::Var(self.types[i]);
        match arg {
            CallArg::Type(i) => ty(*i),
            CallArg::Present(i) => form::some(ty(*i)),
            CallArg::Absent => form::none(),
            CallArg::Types(all) => form::chain(state, all.iter().map(|i| ty(*i))),
            CallArg::Rest => Term::Var(given.rest.unwrap_or_else(|| state.any())),
            CallArg::Attr(i) => given.attrs[*i].term.clone(),
        }
    }

    fn relation(&self, state: &mut State, relation: &RelationRule) -> Result<(), Trouble> {
        match relation {
            RelationRule::Broadcast(runs) => {
                if let Some((&out, args)) = runs.split_last() {
                    let args = args.iter().map(|&r| self.runs[r].clone()).collect();
                    broadcast(state, self.runs[out].clone(), args)?;
                }
            }
            RelationRule::Identity(runs) => {
                for pair in runs.windows(2) {
                    let (a, b) = (self.runs[pair[0]].clone(), self.runs[pair[1]].clone());
                    state.post(Constraint::SeqEqual(a, b))?;
                }
            }
        }
        Ok(())
    }
}

impl Scope for Rule<'_> {
    fn size(&mut self, state: &mut State, name: &str) -> Result<Linear, Trouble> {
        Ok(match self.program.name(name) {
            Some(i) => self.names[i].clone(),
            None => Linear::var(state.int(sizes())),
        })
    }

    fn run(&mut self, state: &mut State, name: Option<&str>) -> Result<Seq, Trouble> {
        Ok(match self.program.run(name) {
            Some(r) => self.runs[r].clone(),
            None => Seq::run(state.run(lengths())),
        })
    }

    fn dtype(&mut self, _: &mut State, name: &str) -> Result<Option<Var>, Trouble> {
        Ok(self.program.dtype(name).map(|i| self.dtypes[i]))
    }

    fn identities(&self) -> &Identities {
        self.identities
    }

    fn is_dtype(&self, name: &str) -> bool {
        self.program.dtype(name).is_some()
    }
}
