//! Is what is claimed of a case true of every binding?

use std::collections::BTreeMap;
use std::fmt::{self, Display};

use kanshape_syntax::tree::{CmpOp, Condition, DimItem, DtypeExpr, Expr, Spanned, Type};

use super::{Binding, Case, Concrete, Machine, Member, Outcome, numbers};
use crate::symbolic::{Check, Names, Search, search};

/// What is claimed of a case with names.
#[derive(Clone, Debug, PartialEq)]
pub struct Claim {
    /// Does it hold?
    pub verdict: Verdict,
    /// The answers: of a graph there is one.
    pub answers: Vec<Said>,
    /// There are no other answers.
    pub complete: bool,
}

/// Does a case hold for whatever its names are?
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// For every binding.
    Always,
    /// Where the conditions hold.
    Depends,
    /// For none.
    Never,
    /// Nothing is claimed.
    Unknown,
}

/// One answer.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Said {
    /// What has to hold. The names that are none of the case are existential.
    pub conditions: Vec<Condition>,
    /// Those of them that are claimed only as far as no tensor is empty.
    pub unless_empty: Vec<Condition>,
    /// The types of values.
    pub types: BTreeMap<String, Type>,
}

/// How many bindings were compared, and how.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// The claim says what was found.
    pub right: u64,
    /// It says less than what was found: a rank, a dtype or a size is open though it is always the same.
    pub loose: u64,
    /// It requires what need not hold where a tensor has no elements, and says that it does.
    pub empty: u64,
    /// Nobody could say.
    pub undecided: u64,
}

/// A claim that is not true, and the binding that shows it.
#[derive(Clone, Debug, PartialEq)]
pub enum Wrong {
    /// `always` or the conditions admit a binding with which a node cannot run.
    Admits {
        /// The names.
        binding: Binding,
        /// The node.
        node: usize,
        /// What it was given, and whatever else was there.
        values: BTreeMap<String, Concrete>,
        /// What the claim was.
        verdict: Verdict,
        /// The conditions hold.
        conditions: bool,
    },
    /// `never` or the conditions refuse a binding with which all nodes run.
    Refuses {
        /// The names.
        binding: Binding,
        /// The values.
        values: BTreeMap<String, Concrete>,
        /// What the claim was.
        verdict: Verdict,
    },
    /// A type is another one.
    Type {
        /// The names.
        binding: Binding,
        /// The values whose types are not those that were claimed; all of them if it is none alone.
        values: BTreeMap<String, Concrete>,
    },
}

impl Wrong {
    /// Two claims are wrong in the same way.
    pub fn kind(&self) -> &'static str {
        match self {
            Wrong::Admits {
                conditions: false, ..
            } => "always, against its own conditions",
            Wrong::Admits { verdict, .. } if *verdict == Verdict::Always => "always, but fails",
            Wrong::Admits { .. } => "the conditions admit what fails",
            Wrong::Refuses { verdict, .. } if *verdict == Verdict::Never => "never, but runs",
            Wrong::Refuses { .. } => "the conditions refuse what runs",
            Wrong::Type { .. } => "another type",
        }
    }
}

/// Compares a claim with what every binding does.
///
/// # Errors
/// The first binding of which the claim is not true.
pub fn judge(case: &Case, claim: &Claim, machine: &mut impl Machine) -> Result<Stats, Box<Wrong>> {
    let mut stats = Stats::default();
    if claim.verdict == Verdict::Unknown {
        return Ok(stats);
    }
    for binding in case.bindings() {
        let names = numbers(&binding);
        match case.run(&binding, machine) {
            None => {}
            Some(Outcome::Open) => stats.undecided += 1,
            Some(Outcome::Fails(node, values)) => {
                let conditions = admits(claim, &names);
                let verdict = claim.verdict;
                match (verdict, conditions) {
                    (Verdict::Always, _) | (_, Some(true)) => {
                        return Err(Box::new(Wrong::Admits {
                            binding,
                            node,
                            values,
                            verdict,
                            conditions: conditions != Some(false),
                        }));
                    }
                    (_, Some(false)) => stats.right += 1,
                    (_, None) => stats.undecided += 1,
                }
            }
            Some(Outcome::Runs(values)) => runs(claim, binding, &names, values, &mut stats)?,
        }
    }
    Ok(stats)
}

/// Do the conditions of an answer hold? `None` if nobody can say.
fn admits(claim: &Claim, names: &Names) -> Option<bool> {
    if claim.verdict == Verdict::Never {
        return Some(false);
    }
    let mut decided = true;
    for answer in &claim.answers {
        match search(&of_conditions(answer), names) {
            Search::Found(_) => return Some(true),
            Search::None => {}
            Search::GaveUp => decided = false,
        }
    }
    decided.then_some(false)
}

fn runs(
    claim: &Claim,
    binding: Binding,
    names: &Names,
    values: BTreeMap<String, Concrete>,
    stats: &mut Stats,
) -> Result<(), Box<Wrong>> {
    let mut decided = claim.complete;
    let mut admitted = None;
    for answer in &claim.answers {
        let conditions = of_conditions(answer);
        let Some(typed) = of_types(answer, &values) else {
            match search(&conditions, names) {
                Search::Found(_) => admitted = admitted.or(Some(answer)),
                Search::None => {}
                Search::GaveUp => decided = false,
            }
            continue;
        };
        let all: Vec<Check> = typed.checks.into_iter().chain(conditions.clone()).collect();
        match search(&all, names) {
            Search::Found(found) => {
                match typed.loose || is_loose(answer, &all, names, &found) {
                    true => stats.loose += 1,
                    false => stats.right += 1,
                }
                return Ok(());
            }
            Search::GaveUp => decided = false,
            Search::None => match search(&conditions, names) {
                Search::Found(_) => admitted = admitted.or(Some(answer)),
                Search::None => {}
                Search::GaveUp => decided = false,
            },
        }
    }
    if !decided {
        stats.undecided += 1;
        return Ok(());
    }
    let verdict = claim.verdict;
    let is_empty = values.values().any(|value| value.dims.contains(&0));
    if admitted.is_none() && is_empty && admits(&but_for_empty(claim), names) == Some(true) {
        stats.empty += 1;
        return Ok(());
    }
    let wrong = match admitted {
        Some(answer) => Wrong::Type {
            values: mistyped(answer, names, values),
            binding,
        },
        None => Wrong::Refuses {
            binding,
            values,
            verdict,
        },
    };
    Err(Box::new(wrong))
}

/// What is claimed whether or not tensors have elements.
fn but_for_empty(claim: &Claim) -> Claim {
    let mut claim = claim.clone();
    for answer in &mut claim.answers {
        let unless_empty = std::mem::take(&mut answer.unless_empty);
        answer.conditions.retain(|own| !unless_empty.contains(own));
    }
    claim
}

/// The values whose types alone are not those that were found; all of them if it is none alone.
fn mistyped(
    answer: &Said,
    names: &Names,
    values: BTreeMap<String, Concrete>,
) -> BTreeMap<String, Concrete> {
    let is_wrong = |value: &String, found: &Concrete| {
        let Some(ty) = answer.types.get(value) else {
            return false;
        };
        let mut typed = Typed::default();
        if typed.fit(ty, found).is_none() {
            return true;
        }
        typed.checks.extend(of_conditions(answer));
        search(&typed.checks, names) == Search::None
    };
    let some: BTreeMap<_, _> = values
        .iter()
        .filter(|(value, found)| is_wrong(value, found))
        .map(|(value, found)| (value.clone(), found.clone()))
        .collect();
    match some.is_empty() {
        true => values,
        false => some,
    }
}

/// What has to hold where an answer does.
fn of_conditions(answer: &Said) -> Vec<Check> {
    let conditions = answer.conditions.iter().cloned();
    conditions.map(Check::Holds).collect()
}

/// Is a name that the types speak of open, though each binding gives it one size?
fn is_loose(answer: &Said, checks: &[Check], names: &Names, found: &Names) -> bool {
    let mut open: Vec<Box<str>> = Vec::new();
    for ty in answer.types.values() {
        let Type::Tensor { shape, .. } = ty else {
            continue;
        };
        for item in shape {
            if let DimItem::Dim(e) = &item.node {
                e.for_each_name(&mut |n| open.push(n.into()));
            }
        }
    }
    open.sort();
    open.dedup();
    open.retain(|n| !names.contains_key(n));
    // The types that were found say what these are: without them, the conditions have to.
    let conditions = checks.iter().filter(|c| matches!(c, Check::Holds(_)));
    let conditions: Vec<Check> = conditions.cloned().collect();
    open.iter().any(|name| {
        let Some(Ok(x)) = found.get(name).map(|x| u64::try_from(*x)) else {
            return false;
        };
        let e = Expr::Name(Spanned::new(name.clone(), Default::default()));
        let other = Condition::Compare(e, vec![(CmpOp::Ne, Expr::Int(x))]);
        let mut checks = conditions.clone();
        checks.push(Check::Holds(other));
        matches!(search(&checks, names), Search::Found(_))
    })
}

/// What has to hold for types to be those that were found; `None` if they can't be.
fn of_types(answer: &Said, values: &BTreeMap<String, Concrete>) -> Option<Typed> {
    let mut typed = Typed::default();
    for (value, found) in values {
        if let Some(ty) = answer.types.get(value) {
            typed.fit(ty, found)?;
        }
    }
    Some(typed)
}

#[derive(Default)]
struct Typed {
    checks: Vec<Check>,
    /// Something is open.
    loose: bool,
}

impl Typed {
    fn fit(&mut self, ty: &Type, found: &Concrete) -> Option<()> {
        let Type::Tensor {
            dtype,
            shape,
            contents,
        } = ty
        else {
            self.loose = true;
            return matches!(ty, Type::Hole | Type::Name(_)).then_some(());
        };
        match &dtype.node {
            DtypeExpr::Name(name) if *name.node == *found.dtype => {}
            // A variable.
            DtypeExpr::Name(name) if is_variable(&name.node) => self.loose = true,
            DtypeExpr::Name(_) => return None,
            _ => self.loose = true,
        }
        let is_run = |item: &DimItem| matches!(item, DimItem::Run(_));
        let run = shape.iter().position(|item| is_run(&item.node));
        let dims = match run {
            None if shape.len() != found.dims.len() => return None,
            None => shape.iter().zip(&found.dims).collect::<Vec<_>>(),
            Some(at) => {
                self.loose = true;
                let after = shape.len() - at - 1;
                let rest = found.dims.len().checked_sub(after).filter(|n| *n >= at)?;
                let before = shape[..at].iter().zip(&found.dims);
                before
                    .chain(shape[at + 1..].iter().zip(&found.dims[rest..]))
                    .collect()
            }
        };
        for (item, size) in dims {
            match &item.node {
                DimItem::Dim(e) => self.checks.push(Check::Equal(e.clone(), i128::from(*size))),
                DimItem::Hole | DimItem::Run(_) => self.loose = true,
            }
        }
        if let (Some(said), Some(found)) = (contents, &found.contents) {
            if said.node.len() != found.len() {
                return None;
            }
            for (said, found) in said.node.iter().zip(found) {
                self.member(&said.node, found)?;
            }
        }
        Some(())
    }

    fn member(&mut self, said: &kanshape_syntax::tree::Content, found: &Member) -> Option<()> {
        use kanshape_syntax::tree::Content;
        match (said, found) {
            (_, Member::Unknown) => {}
            (Content::Hole, _) => self.loose = true,
            (Content::Dim(e), Member::Int(n)) => {
                self.checks.push(Check::Equal(e.clone(), i128::from(*n)));
            }
            (said, found) => return (Member::from(said) == *found).then_some(()),
        }
        Some(())
    }
}

/// `t0`: a dtype that is open.
fn is_variable(name: &str) -> bool {
    let digits = name.strip_prefix('t');
    digits.is_some_and(|d| !d.is_empty() && d.bytes().all(|b| b.is_ascii_digit()))
}

impl Claim {
    /// The texts in it that are not read back as what they are.
    pub fn unread(&self) -> Vec<String> {
        let types = self.answers.iter().flat_map(|a| a.types.values());
        let is_type = |ty: &&Type| {
            let read = kanshape_syntax::parse_type(&ty.to_string());
            !read.is_ok_and(|read| read.ty.node == **ty)
        };
        let conditions = self.answers.iter().flat_map(|a| &a.conditions);
        let is_condition = |condition: &&Condition| {
            let read = kanshape_syntax::parse_condition(&condition.to_string());
            !read.is_ok_and(|read| read.node == **condition)
        };
        let types = types.filter(is_type).map(Type::to_string);
        let conditions = conditions.filter(is_condition);
        types.chain(conditions.map(Condition::to_string)).collect()
    }
}

impl Verdict {
    /// As it is written.
    pub fn name(self) -> &'static str {
        match self {
            Verdict::Always => "always",
            Verdict::Depends => "depends",
            Verdict::Never => "never",
            Verdict::Unknown => "unknown",
        }
    }
}

impl Display for Claim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.verdict.name())?;
        for answer in &self.answers {
            for (value, ty) in &answer.types {
                write!(f, "\n    {value}: {ty}")?;
            }
            let mut word = "where";
            for condition in &answer.conditions {
                write!(f, "\n    {word} {condition}")?;
                word = "and";
            }
        }
        Ok(())
    }
}

impl Display for Wrong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (Wrong::Admits {
            binding, values, ..
        }
        | Wrong::Refuses {
            binding, values, ..
        }
        | Wrong::Type { binding, values }) = self;
        let binding: Vec<String> = binding.iter().map(|(n, x)| format!("{n} = {x}")).collect();
        write!(f, "{}: with {}", self.kind(), binding.join(", "))?;
        if let Wrong::Admits { node, .. } = self {
            write!(f, ", node {node} cannot run on")?;
        }
        values
            .iter()
            .try_for_each(|(value, ty)| write!(f, "\n    {value}: {ty}"))
    }
}
