//! Sequences of integers with parts of unknown length.
//!
//! A sequence is a list of parts, each one integer or a *run*, a variable that denotes any
//! number of integers. Two sequences are compared from both ends inwards; a run that is alone on
//! one side is what is left on the other. What stays stuck waits for the length of a run.

use crate::budget::{Budget, Stop};
use crate::control::work;
use crate::domain::Domain;
use crate::int::{INF, Int, NEG_INF, finite};
use crate::linear::{Linear, Var};
use crate::store::constraint::{AfterRun, Constraint, Function, Lone};
use crate::store::{Cell, Elements, State};
use smallvec::SmallVec;
use std::collections::VecDeque;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// One part of a sequence.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Part {
    /// One integer.
    One(Linear),
    /// A run of them.
    Run(Var),
}

/// A sequence of integers.
#[derive(Clone, Debug, Default)]
pub struct Seq {
    parts: Arc<[Part]>,
    /// Those before this one are not part of it: what is left of a sequence shares its parts.
    start: usize,
}

impl PartialEq for Seq {
    fn eq(&self, other: &Seq) -> bool {
        self.parts() == other.parts()
    }
}

impl Eq for Seq {}

impl Hash for Seq {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.parts().hash(state);
    }
}

impl FromIterator<Part> for Seq {
    fn from_iter<I: IntoIterator<Item = Part>>(parts: I) -> Seq {
        Seq {
            parts: parts.into_iter().collect(),
            start: 0,
        }
    }
}

impl Seq {
    /// Just a run.
    pub fn run(v: Var) -> Seq {
        [Part::Run(v)].into_iter().collect()
    }

    /// The parts, from left to right.
    pub fn parts(&self) -> &[Part] {
        &self.parts[self.start..]
    }

    /// The first part and the others.
    pub fn split_first(&self) -> Option<(&Part, Seq)> {
        let first = self.parts().first()?;
        let rest = Seq {
            parts: Arc::clone(&self.parts),
            start: self.start + 1,
        };
        Some((first, rest))
    }

    /// Calls `f` with every variable in it.
    pub fn for_each_var(&self, f: &mut dyn FnMut(Var)) {
        work(self.parts().len());
        for part in self.parts() {
            match part {
                Part::One(l) => l.vars().for_each(&mut *f),
                Part::Run(v) => f(*v),
            }
        }
    }
}

impl State {
    /// The parts that `seq` has come to: runs that are known are replaced by what they are.
    pub fn parts(&self, seq: &Seq) -> Vec<Part> {
        work(seq.parts().len());
        if seq.parts().iter().all(|p| matches!(p, Part::One(_))) {
            return seq.parts().to_vec();
        }
        let mut out = Vec::with_capacity(seq.parts().len());
        let mut todo: Vec<(Seq, usize)> = vec![(seq.clone(), 0)];
        while let Some((seq, i)) = todo.pop() {
            let Some(part) = seq.parts().get(i) else {
                continue;
            };
            work(1);
            let part = part.clone();
            todo.push((seq, i + 1));
            match part {
                Part::One(_) => out.push(part),
                Part::Run(v) => {
                    let v = self.root(v);
                    match self.cell(v) {
                        Cell::Seq(inner) => todo.push((inner.clone(), 0)),
                        Cell::Run(length, _) if self.bounds(length).1 <= 0 => {}
                        _ => out.push(Part::Run(v)),
                    }
                }
            }
        }
        out
    }

    /// A sequence of what its runs have come to be, over open variables: of `[2, ..r]` with `r = [n]`, `n` is a part.
    pub(crate) fn resolve_seq(&self, seq: &Seq) -> Result<Seq, Stop> {
        let parts = self.parts(seq).into_iter().map(|part| match part {
            Part::One(l) => self.resolve(&l).map(Part::One),
            run => Ok(run),
        });
        parts.collect()
    }

    /// The length of `seq` as a form.
    pub fn length(&self, seq: &Seq) -> Result<Linear, Stop> {
        self.length_of(&self.parts(seq))
    }

    fn length_of(&self, parts: &[Part]) -> Result<Linear, Stop> {
        work(parts.len());
        let mut sum = Linear::default();
        let mut ones: Int = 0;
        for part in parts {
            match part {
                Part::One(_) => ones += 1,
                Part::Run(v) => sum.add_assign_scaled(&self.run_length(*v)?, 1)?,
            }
        }
        sum.add_constant(ones)?;
        self.resolve(&sum)
    }

    /// Is nothing in these parts negative, as far as can be known now?
    pub fn has_no_negative(&self, parts: &[Part]) -> bool {
        let parts = self.parts(&parts.iter().cloned().collect());
        parts.iter().all(|part| match part {
            Part::One(l) => self.bounds(l).0 >= 0,
            Part::Run(v) => self.domain_of(self.run_of(*v)).lo() >= 0,
        })
    }

    /// The length of a run that is still open.
    fn run_length(&self, v: Var) -> Result<Linear, Stop> {
        match self.cell(self.root(v)) {
            Cell::Run(length, _) => self.resolve(length),
            Cell::Seq(seq) => self.length(seq),
            _ => Err(Stop::Conflict),
        }
    }

    /// What the members of a run can be.
    fn run_of(&self, v: Var) -> Elements {
        match self.cell(self.root(v)) {
            Cell::Run(_, of) => *of,
            _ => Elements::Any,
        }
    }

    /// From now on every integer in `parts` is what members of sequences are.
    fn members_only(&mut self, parts: &[Part]) -> Result<(), Stop> {
        if !self.has_free_runs() {
            return Ok(());
        }
        let domain = self.domain_of(Elements::Members);
        for part in parts {
            match part {
                Part::One(l) => self.restrict(l, &domain)?,
                Part::Run(w) => self.require_members(*w),
            }
        }
        Ok(())
    }

    /// From now on every integer in `seq` is in the domain of members.
    ///
    /// # Errors
    /// [`Stop::Conflict`] if one of them can't be.
    pub fn restrict_members(&mut self, seq: &Seq) -> Result<(), Stop> {
        let parts = self.parts(seq);
        self.members_only(&parts)
    }

    /// Binds the open run `v` to `parts`, in which it is not.
    fn bind_run(&mut self, v: Var, parts: Vec<Part>) -> Result<(), Stop> {
        let length = self.run_length(v)?;
        let is = self.length_of(&parts)?;
        if self.run_of(v) == Elements::Members {
            self.members_only(&parts)?;
        }
        let seq: Seq = match parts.as_slice() {
            [Part::Run(w)] => {
                let w = self.root(*w);
                let (older, newer) = (v.min(w), v.max(w));
                if self.run_of(w) == Elements::Members {
                    self.require_members(v);
                }
                self.equate(&length, &is)?;
                self.bind(newer, Cell::Alias(older), std::iter::once(older));
                return Ok(());
            }
            _ => parts.into_iter().collect(),
        };
        self.equate(&length, &is)?;
        let mut vars = Vec::new();
        seq.for_each_var(&mut |w| vars.push(w));
        self.bind(v, Cell::Seq(seq), vars.into_iter());
        Ok(())
    }

    /// Turns a run of known length into its members, and takes one member off the given end of a
    /// run that has at least one. `false` if the run may be empty.
    fn open_run(&mut self, budget: &mut Budget, v: Var, end: End) -> Result<bool, Stop> {
        let length = self.run_length(v)?;
        if let Some(n) = length.as_constant() {
            let n = u64::try_from(n).map_err(|_| Stop::Conflict)?;
            budget.spend(n)?;
            let of = self.run_of(v);
            let members = (0..n).map(|_| Part::One(self.member(of))).collect();
            self.bind_run(v, members)?;
            return Ok(true);
        }
        if self.bounds(&length).0 < 1 {
            return Ok(false);
        }
        self.take_off(budget, v, length, end)?;
        Ok(true)
    }

    /// Takes one member off the given end of a run of this length, which has at least one.
    fn take_off(
        &mut self,
        budget: &mut Budget,
        v: Var,
        length: Linear,
        end: End,
    ) -> Result<(), Stop> {
        budget.spend(1)?;
        let mut shorter = length;
        shorter.add_constant(-1)?;
        let of = self.run_of(v);
        let rest = Part::Run(self.run_like(shorter, of));
        let member = Part::One(self.member(of));
        let parts = match end {
            End::Front => vec![member, rest],
            End::Back => vec![rest, member],
        };
        self.bind_run(v, parts)
    }

    /// A run whose length search may have to split so that `constraint` can go on.
    pub(crate) fn stuck_on(&self, constraint: &Constraint) -> Option<Var> {
        let run = |part: Option<&Part>| match part {
            Some(Part::Run(v)) => Some(*v),
            _ => None,
        };
        match constraint {
            Constraint::SeqEqual(a, b) => {
                let (a, b) = (self.parts(a), self.parts(b));
                run(a.first()).or_else(|| run(b.first()))
            }
            Constraint::SeqBroadcast { args, .. } => {
                args.iter().find_map(|a| run(self.parts(a).last()))
            }
            Constraint::SeqProduct { seq, .. } => self.parts(seq).iter().find_map(|p| run(Some(p))),
            Constraint::Custom(relation) => {
                let vars = relation.waits_for().into_iter().map(|v| self.root(v));
                let mut open = vars.filter(|v| matches!(self.cell(*v), Cell::Run(..)));
                open.next()
            }
            _ => None,
        }
    }

    /// Turns the runs in `seq` whose lengths are numbers into their members.
    ///
    /// # Errors
    /// [`Stop::Budget`] if there are more members than steps.
    pub fn spell_out(&mut self, seq: &Seq, budget: &mut Budget) -> Result<(), Stop> {
        if seq.parts().iter().all(|p| matches!(p, Part::One(_))) {
            return Ok(());
        }
        for part in self.parts(seq) {
            if let Part::Run(v) = part
                && self.run_length(v)?.as_constant().is_some()
            {
                self.open_run(budget, v, End::Front)?;
            }
        }
        Ok(())
    }

    /// The open runs in what `seq` has come to.
    pub(crate) fn open_runs(&self, seq: &Seq) -> Vec<Var> {
        let parts = self.parts(seq);
        let runs = parts.iter().filter_map(|p| match p {
            Part::Run(w) => Some(*w),
            Part::One(_) => None,
        });
        runs.collect()
    }

    /// The length of an open run.
    pub fn length_of_run(&self, v: Var) -> Result<Linear, Stop> {
        self.run_length(v)
    }

    /// Splits on the length of a run: one variable of the length has the value with which the run is shortest, or another one.
    pub(crate) fn split_run(&mut self, v: Var, shortest: bool) -> Result<(), Stop> {
        let length = self.run_length(v)?;
        // A bound on a sum of several would say nothing of any of them. A variable with a negative coefficient need not have a least
        // value: with its greatest value the run is shortest.
        let ends = length.terms().iter().map(|&(x, c)| {
            let domain = self.domain(x);
            let (lo, hi) = (domain.lo(), domain.hi());
            (x, if c > 0 { [lo, hi] } else { [hi, lo] })
        });
        let ends: SmallVec<[(Var, [Int; 2]); 2]> = ends.collect();
        let bounded = ends.iter().find(|(_, [short, _])| finite(*short));
        let Some(&(x, [short, long])) = bounded.or(ends.first()) else {
            return Ok(());
        };
        let end = if finite(short) { short } else { long };
        let domain = match (finite(end), shortest) {
            (true, true) => Domain::interval(end, end),
            (true, false) if end == self.domain(x).lo() => Domain::interval(end + 1, INF),
            (true, false) => Domain::interval(NEG_INF, end - 1),
            // It has a bound on either side of 0.
            (false, true) => Domain::interval(0, INF),
            (false, false) => Domain::interval(NEG_INF, -1),
        };
        self.restrict(&Linear::var(x), &domain)
    }

    fn empty_run(&mut self, v: Var) -> Result<(), Stop> {
        let length = self.run_length(v)?;
        self.restrict(&length, &Domain::interval(0, 0))
    }
}

#[derive(Clone, Copy, PartialEq)]
enum End {
    Front,
    Back,
}

fn end(parts: &VecDeque<Part>, end: End) -> Option<&Part> {
    match end {
        End::Front => parts.front(),
        End::Back => parts.back(),
    }
}

fn drop_end(parts: &mut VecDeque<Part>, end: End) {
    match end {
        End::Front => parts.pop_front(),
        End::Back => parts.pop_back(),
    };
}

/// Puts what a run has become in its place.
fn expand(state: &State, parts: &mut VecDeque<Part>) {
    let seq: Seq = parts.drain(..).collect();
    parts.extend(state.parts(&seq));
}

pub(crate) fn run_equal(
    state: &mut State,
    budget: &mut Budget,
    a: &Seq,
    b: &Seq,
) -> Result<AfterRun, Stop> {
    let (long_a, long_b) = (state.length(a)?, state.length(b)?);
    state.equate(&long_a, &long_b)?;
    let mut a: VecDeque<Part> = state.parts(a).into();
    let mut b: VecDeque<Part> = state.parts(b).into();
    budget.spend((a.len() + b.len()) as u64 / 4)?;
    // A run is opened against another only where nothing else is left to do at either end: opened at the
    // wrong end, the two would never be found to be one.
    for (side, last_resort) in [
        (End::Front, false),
        (End::Back, false),
        (End::Front, true),
        (End::Back, true),
    ] {
        loop {
            budget.spend(1)?;
            match (end(&a, side), end(&b, side)) {
                (Some(Part::One(x)), Some(Part::One(y))) => {
                    let (x, y) = (x.clone(), y.clone());
                    state.equate(&x, &y)?;
                }
                (Some(Part::Run(v)), Some(Part::Run(w))) if v == w => {}
                (Some(Part::Run(v)), Some(Part::One(_))) if b.len() > 1 || a.len() > 1 => {
                    if a.len() > 1 && state.open_run(budget, *v, side)? {
                        expand(state, &mut a);
                        expand(state, &mut b);
                        continue;
                    }
                    break;
                }
                (Some(Part::One(_)), Some(Part::Run(v))) if b.len() > 1 => {
                    if state.open_run(budget, *v, side)? {
                        expand(state, &mut a);
                        expand(state, &mut b);
                        continue;
                    }
                    break;
                }
                (Some(Part::Run(v)), Some(Part::Run(w))) if a.len() > 1 && b.len() > 1 => {
                    let (v, w) = (*v, *w);
                    let same_length = state.run_length(v)? == state.run_length(w)?;
                    if same_length {
                        state.bind_run(v.max(w), vec![Part::Run(v.min(w))])?;
                    } else if !last_resort
                        || !state.open_run(budget, v, side)? && !state.open_run(budget, w, side)?
                    {
                        break;
                    }
                    expand(state, &mut a);
                    expand(state, &mut b);
                    continue;
                }
                _ => break,
            }
            drop_end(&mut a, side);
            drop_end(&mut b, side);
        }
    }
    let (a, b) = (Vec::from(a), Vec::from(b));
    match (a.as_slice(), b.as_slice()) {
        ([], rest) | (rest, []) => {
            empty(state, rest)?;
            Ok(AfterRun::Done)
        }
        ([Part::Run(v)], rest) | (rest, [Part::Run(v)]) => {
            let (v, rest) = (*v, rest.to_vec());
            if rest.contains(&Part::Run(v)) {
                let others: Vec<Part> = without_one(rest, v);
                empty(state, &others)?;
            } else {
                state.bind_run(v, rest)?;
            }
            Ok(AfterRun::Done)
        }
        _ => {
            equate_members(state, &a, &b)?;
            place_members(state, &a, &b)?;
            place_members(state, &b, &a)?;
            Ok(AfterRun::Become(Constraint::SeqEqual(
                a.into_iter().collect(),
                b.into_iter().collect(),
            )))
        }
    }
}

/// Members between two runs stand among members that all show: the length of the run before them is one of the places
/// where they can be. `[...l, 1, ...r]` is never `[0, 2]`, and is `[0, 1]` with one member before the 1.
fn place_members(state: &mut State, whole: &[Part], parts: &[Part]) -> Result<(), Stop> {
    let [Part::Run(before), between @ .., Part::Run(_)] = parts else {
        return Ok(());
    };
    let one = |part: &Part| match part {
        Part::One(l) => Some(l.clone()),
        Part::Run(_) => None,
    };
    let (Some(whole), Some(between)) = (
        whole.iter().map(one).collect::<Option<Vec<Linear>>>(),
        between.iter().map(one).collect::<Option<Vec<Linear>>>(),
    ) else {
        return Ok(());
    };
    if between.is_empty() {
        return Ok(());
    }
    work(whole.len() * between.len());
    let mut places = Vec::new();
    for (place, members) in whole.windows(between.len()).enumerate() {
        let mut may_be = true;
        for (x, y) in members.iter().zip(&between) {
            let difference = state.resolve(&x.minus(y)?)?;
            may_be &= state.may_be(&difference, 0);
        }
        if may_be {
            places.push(place as Int);
        }
    }
    let length = state.run_length(*before)?;
    state.restrict(&length, &Domain::of(places))
}

/// Where the same runs stand on both sides, in whatever order, the members beside them are the same
/// ones, in whatever order: `[1, ...r]` is never `[...r, 0]`, however long the run.
fn equate_members(state: &mut State, a: &[Part], b: &[Part]) -> Result<(), Stop> {
    let (mut runs_a, mut a) = apart(state, a)?;
    let (mut runs_b, mut b) = apart(state, b)?;
    runs_a.sort_unstable();
    runs_b.sort_unstable();
    if runs_a != runs_b {
        return Ok(());
    }
    work(a.len() * b.len() / 8);
    a.retain(|x| match b.iter().position(|y| x == y) {
        Some(i) => {
            b.swap_remove(i);
            false
        }
        None => true,
    });
    // A number that is left is one of the unknowns that are left on the other side.
    let numbers = |forms: &[Linear]| forms.iter().filter(|l| l.as_constant().is_some()).count();
    if numbers(&a) + numbers(&b) > a.len() {
        return Err(Stop::Conflict);
    }
    let sum = |forms: &[Linear]| -> Result<Linear, Stop> {
        let mut sum = Linear::default();
        for l in forms {
            sum.add_assign_scaled(l, 1)?;
        }
        Ok(sum)
    };
    let (a, b) = (sum(&a)?, sum(&b)?);
    state.equate(&a, &b)
}

/// The runs among some parts, and the members beside them.
fn apart(state: &State, parts: &[Part]) -> Result<(Vec<Var>, Vec<Linear>), Stop> {
    let (mut runs, mut members) = (Vec::new(), Vec::new());
    for part in parts {
        match part {
            Part::Run(v) => runs.push(*v),
            Part::One(l) => members.push(state.resolve(l)?),
        }
    }
    Ok((runs, members))
}

fn without_one(mut parts: Vec<Part>, v: Var) -> Vec<Part> {
    if let Some(i) = parts.iter().position(|p| *p == Part::Run(v)) {
        parts.remove(i);
    }
    parts
}

/// From now on all of these parts are empty.
fn empty(state: &mut State, parts: &[Part]) -> Result<(), Stop> {
    for part in parts {
        match part {
            Part::One(_) => return Err(Stop::Conflict),
            Part::Run(v) => state.empty_run(*v)?,
        }
    }
    Ok(())
}

/// States what broadcasting says of lengths; the members follow as lengths become known.
pub fn broadcast(state: &mut State, out: Seq, args: Vec<Seq>) -> Result<(), Stop> {
    let mut lengths = Vec::with_capacity(args.len());
    for a in &args {
        lengths.push(state.length(a)?);
    }
    let longest = if lengths.is_empty() {
        Linear::constant(0)
    } else {
        state.apply(Function::Max, &lengths, Domain::interval(0, INF))?
    };
    let length = state.length(&out)?;
    state.equate(&length, &longest)?;
    state.post(Constraint::SeqBroadcast { out, args })
}

pub(crate) fn run_broadcast(
    state: &mut State,
    budget: &mut Budget,
    out: &Seq,
    args: &[Seq],
) -> Result<AfterRun, Stop> {
    let mut args: Vec<VecDeque<Part>> = args.iter().map(|a| state.parts(a).into()).collect();
    let mut out: VecDeque<Part> = state.parts(out).into();
    let mut peeled = false;
    loop {
        args.retain(|a| !a.is_empty());
        args.dedup();
        match args.as_slice() {
            [] => {
                empty(state, out.make_contiguous())?;
                return Ok(AfterRun::Done);
            }
            [only] => {
                let (out, only) = (out.into_iter().collect(), only.iter().cloned().collect());
                state.post(Constraint::SeqEqual(out, only))?;
                return Ok(AfterRun::Done);
            }
            _ => {}
        }
        budget.spend(args.len() as u64)?;
        // Every argument must show its last member.
        let mut all_show = true;
        for i in 0..args.len() {
            // Behind a run that is empty there may be another one.
            while let Some(&Part::Run(v)) = args[i].back() {
                if !state.open_run(budget, v, End::Back)? {
                    all_show = false;
                    break;
                }
                args.iter_mut().for_each(|a| expand(state, a));
                expand(state, &mut out);
            }
        }
        if args.iter().any(VecDeque::is_empty) {
            continue;
        }
        if !all_show {
            if args.iter().any(|arg| is_excluded(state, arg, &out)) {
                return Err(Stop::Conflict);
            }
            break;
        }
        let last: Vec<Linear> = args
            .iter_mut()
            .filter_map(|a| match a.pop_back() {
                Some(Part::One(l)) => Some(l),
                _ => None,
            })
            .collect();
        let member = loop {
            match out.back() {
                Some(Part::One(l)) => break l.clone(),
                Some(&Part::Run(v)) => {
                    let is_only = out.len() == 1;
                    if !state.open_run(budget, v, End::Back)? {
                        if !is_only {
                            // Which of the runs the last member is in is not known yet.
                            return Ok(AfterRun::Become(unpeeled(out, args, last)));
                        }
                        // The arguments have a last member, so it has one too.
                        let length = state.run_length(v)?;
                        state.restrict(&length, &Domain::interval(1, INF))?;
                        state.take_off(budget, v, length, End::Back)?;
                    }
                    expand(state, &mut out);
                }
                None => return Err(Stop::Conflict),
            }
        };
        out.pop_back();
        peeled = true;
        state.relate(Function::Broadcast, &last, &member)?;
    }
    if !peeled {
        return Ok(AfterRun::Keep);
    }
    Ok(AfterRun::Become(Constraint::SeqBroadcast {
        out: out.into_iter().collect(),
        args: args.into_iter().map(|a| a.into_iter().collect()).collect(),
    }))
}

/// Is one of the last members of an argument another number than 1 and than what all arguments broadcast to? Whatever
/// the other arguments are, it can't be one of them then.
fn is_excluded(state: &State, arg: &VecDeque<Part>, out: &VecDeque<Part>) -> bool {
    let number = |part: &Part| match part {
        Part::One(l) => Some(state.resolve(l).ok().and_then(|l| l.as_constant())),
        Part::Run(_) => None,
    };
    let members = |parts: &VecDeque<Part>| -> Vec<Option<Int>> {
        parts.iter().rev().map_while(number).collect()
    };
    let pairs = members(arg).into_iter().zip(members(out));
    pairs
        .filter_map(|(a, b)| Some((a?, b?)))
        .any(|(a, b)| a != 1 && a != b)
}

/// The constraint with the last members of its arguments still in them.
fn unpeeled(out: VecDeque<Part>, mut args: Vec<VecDeque<Part>>, last: Vec<Linear>) -> Constraint {
    for (arg, member) in args.iter_mut().zip(last) {
        arg.push_back(Part::One(member));
    }
    Constraint::SeqBroadcast {
        out: out.into_iter().collect(),
        args: args.into_iter().map(|a| a.into_iter().collect()).collect(),
    }
}

pub(crate) fn run_product(
    state: &mut State,
    budget: &mut Budget,
    out: &Linear,
    seq: &Seq,
) -> Result<AfterRun, Stop> {
    let mut parts: VecDeque<Part> = state.parts(seq).into();
    let runs: Vec<Var> = parts
        .iter()
        .filter_map(|p| match p {
            Part::Run(v) => Some(*v),
            Part::One(_) => None,
        })
        .collect();
    for v in runs {
        let length = state.run_length(v)?;
        if length.as_constant().is_none() {
            if parts.len() == 1 && !may_be_one(state, out, &length)? {
                state.restrict(&length, &Domain::interval(1, INF))?;
            }
            return Ok(AfterRun::Keep);
        }
        state.open_run(budget, v, End::Front)?;
    }
    expand(state, &mut parts);
    budget.spend(parts.len() as u64)?;
    let factors: Vec<Linear> = parts
        .into_iter()
        .filter_map(|p| match p {
            Part::One(l) => Some(l),
            Part::Run(_) => None,
        })
        .collect();
    state.relate(Function::Product, &factors, out)?;
    Ok(AfterRun::Done)
}

/// May a form be 1, which is the product of no numbers, where their count is 0?
fn may_be_one(state: &State, l: &Linear, count: &Linear) -> Result<bool, Stop> {
    let l = state.resolve(l)?;
    let mut rest = Linear::constant(l.offset());
    for &(v, times) in l.terms() {
        let mut is_zero = count.as_var() == Some(v);
        for factor in state.factors(v) {
            is_zero |= state.resolve(factor)? == *count;
        }
        if !is_zero {
            rest.add_term(v, times)?;
        }
    }
    let (least, most) = state.bounds(&rest);
    let divides = match rest.content() {
        0 => true,
        content => (1 - rest.offset()) % content == 0,
    };
    Ok(least <= 1 && 1 <= most && divides)
}

/// What remains of the constraint that `out` is the product of `seq` when the run `lone` is eliminated, which occurs in no other constraint.
/// If the run is all of `seq`, has at least one member and allows 1, the product can be whatever one member can be.
pub(super) fn eliminate_product(
    state: &State,
    out: &Linear,
    seq: &Seq,
    lone: &Lone<'_>,
) -> Option<Vec<Constraint>> {
    let [Part::Run(v)] = state.parts(seq)[..] else {
        return None;
    };
    let (least, _) = state.bounds(&state.run_length(v).ok()?);
    let members = state.domain_of(state.run_of(v));
    if state.root(v) != state.root(lone.var) || least < 1 || !members.contains(1) {
        return None;
    }
    let (lowest, _) = state.bounds(out);
    match members.lo() {
        lo if lo <= lowest => Some(Vec::new()),
        0 => Some(vec![Constraint::NonNegative(out.clone())]),
        _ => None,
    }
}
