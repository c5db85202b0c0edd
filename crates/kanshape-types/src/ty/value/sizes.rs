//! [`Sizes`]: whether there are sizes for names such that equations and conditions hold.
//!
//! Most names are settled by the value. For the others, a box of all that they can be is halved
//! until every condition holds in it, or none is left; the smaller half first.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::fmt;

use kanshape_syntax::tree::{CmpOp, Condition, DimItem, Expr, Func, Spanned};

use super::range::{Range, Scope};
use crate::{Dim, Name};

/// How many boxes are examined.
const BUDGET: usize = 20_000;

/// What is known of sizes.
#[derive(Default)]
pub(super) struct Sizes<'t> {
    names: BTreeMap<&'t str, u64>,
    runs: BTreeMap<&'t str, Vec<u64>>,
    demands: Vec<Demand<'t>>,
}

/// Whether sizes were found.
pub(super) enum Solved {
    Yes,
    /// There are none; because of this alone, if it is known.
    No(Option<String>),
    /// The budget ran out.
    Undecided,
}

/// What must hold.
enum Demand<'t> {
    Equation(&'t Expr, i128),
    Condition(&'t Condition),
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Truth {
    Yes,
    No,
    Open,
}

impl Truth {
    fn of(yes: bool, no: bool) -> Truth {
        match (yes, no) {
            (_, true) => Truth::No,
            (true, false) => Truth::Yes,
            (false, false) => Truth::Open,
        }
    }

    /// Whether both are.
    fn and(self, other: Truth) -> Truth {
        match (self, other) {
            (Truth::No, _) | (_, Truth::No) => Truth::No,
            (Truth::Yes, Truth::Yes) => Truth::Yes,
            _ => Truth::Open,
        }
    }
}

impl<'t> Sizes<'t> {
    /// Gives a name its size; no, if it has another.
    pub(super) fn bind(&mut self, name: &'t Name, size: u64) -> bool {
        *self.names.entry(name).or_insert(size) == size
    }

    /// Gives a run its sizes; no, if it has others.
    pub(super) fn bind_run(&mut self, name: &'t Name, sizes: &[u64]) -> bool {
        match self.runs.entry(name) {
            Entry::Occupied(known) => known.get() == sizes,
            Entry::Vacant(free) => {
                free.insert(sizes.into());
                true
            }
        }
    }

    /// The expression is this number.
    pub(super) fn equate(&mut self, expr: &'t Expr, number: i128) {
        self.demands.push(Demand::Equation(expr, number));
    }

    /// The condition holds.
    pub(super) fn require(&mut self, condition: &'t Condition) {
        self.demands.push(Demand::Condition(condition));
    }

    /// Whether all of it can hold. What no size settles, such as the length of a run, is taken
    /// to be as it must.
    pub(super) fn solve(&self) -> Solved {
        let open = self.open_names();
        let mut boxes = vec![vec![Range::new(0, Dim::MAX_SIZE.into()); open.len()]];
        for demand in &self.demands {
            let scope = Bounds {
                sizes: self,
                open: &open,
                ranges: &boxes[0],
            };
            if demand.holds(&scope) == Truth::No {
                return Solved::No(Some(demand.to_string()));
            }
        }
        for _ in 0..BUDGET {
            let Some(ranges) = boxes.pop() else {
                return Solved::No(None);
            };
            let scope = Bounds {
                sizes: self,
                open: &open,
                ranges: &ranges,
            };
            let mut split = Split::default();
            let possible = self
                .demands
                .iter()
                .all(|demand| match demand.holds(&scope) {
                    Truth::Yes => true,
                    Truth::No => false,
                    Truth::Open => {
                        demand.for_names(&mut |name| split.offer(name, &scope));
                        true
                    }
                });
            match (possible, split.widest) {
                (false, _) => {}
                (true, None) => return Solved::Yes,
                (true, Some((_, at))) => {
                    let Range { lo, hi, .. } = ranges[at];
                    let middle = lo + (hi - lo) / 2;
                    let mut lower = ranges.clone();
                    let mut upper = ranges;
                    lower[at].hi = middle;
                    upper[at].lo = middle + 1;
                    boxes.extend([upper, lower]);
                }
            }
        }
        Solved::Undecided
    }

    /// The names without a size, in order.
    fn open_names(&self) -> Vec<&'t str> {
        let mut open = Vec::new();
        for demand in &self.demands {
            demand.for_names(&mut |name| {
                if !self.names.contains_key(name) {
                    open.push(name);
                }
            });
        }
        open.sort_unstable();
        open.dedup();
        open
    }
}

/// The name with the most values left.
#[derive(Default)]
struct Split {
    widest: Option<(i128, usize)>,
}

impl Split {
    fn offer(&mut self, name: &str, scope: &Bounds<'_, '_>) {
        let Ok(at) = scope.open.binary_search(&name) else {
            return;
        };
        let width = scope.ranges[at].hi - scope.ranges[at].lo;
        if width > 0 && self.widest.is_none_or(|(widest, _)| width > widest) {
            self.widest = Some((width, at));
        }
    }
}

/// What the open names can be.
struct Bounds<'s, 't> {
    sizes: &'s Sizes<'t>,
    open: &'s [&'t str],
    ranges: &'s [Range],
}

impl Scope for Bounds<'_, '_> {
    fn name(&self, name: &str) -> Range {
        match (self.sizes.names.get(name), self.open.binary_search(&name)) {
            (Some(size), _) => Range::just(*size),
            (None, Ok(at)) => self.ranges[at],
            (None, Err(_)) => Range::new(0, Dim::MAX_SIZE.into()),
        }
    }

    fn run(&self, name: &str) -> Option<&[u64]> {
        self.sizes.runs.get(name).map(Vec::as_slice)
    }
}

impl<'t> Demand<'t> {
    fn holds(&self, scope: &Bounds<'_, '_>) -> Truth {
        match self {
            Demand::Equation(expr, number) => {
                let value = Range::of(expr, scope);
                compare(CmpOp::Eq, value, Some(Range::new(*number, *number)))
            }
            Demand::Condition(Condition::Compare(first, rest)) => {
                let mut left = first;
                let mut all = Truth::Yes;
                for (op, right) in rest {
                    let truth = match (runs(left, scope), runs(right, scope)) {
                        (Operand::List(items), Operand::Run(sizes))
                        | (Operand::Run(sizes), Operand::List(items)) => {
                            is_list(&sizes, items, scope)
                        }
                        (Operand::Size, Operand::Size) => {
                            compare(*op, Range::of(left, scope), Range::of(right, scope))
                        }
                        (Operand::Run(a), Operand::Run(b)) => match op {
                            CmpOp::Eq => Truth::of(a == b, a != b),
                            CmpOp::Ne => Truth::of(a != b, a == b),
                            _ => Truth::Open,
                        },
                        (Operand::Nothing, _) | (_, Operand::Nothing) => Truth::No,
                        _ => Truth::Open,
                    };
                    all = all.and(truth);
                    left = right;
                }
                all
            }
            Demand::Condition(Condition::In(of, members)) => {
                let of = Range::of(of, scope);
                let truths = members
                    .iter()
                    .map(|member| compare(CmpOp::Eq, of, Range::of(member, scope)));
                truths.fold(Truth::No, |any, truth| match (any, truth) {
                    (Truth::Yes, _) | (_, Truth::Yes) => Truth::Yes,
                    (Truth::No, Truth::No) => Truth::No,
                    _ => Truth::Open,
                })
            }
            Demand::Condition(Condition::Dtype(..)) => Truth::Open,
        }
    }

    fn for_names(&self, each: &mut impl FnMut(&'t str)) {
        match self {
            Demand::Equation(expr, _) => for_names(expr, each),
            Demand::Condition(Condition::Compare(first, rest)) => {
                for_names(first, each);
                rest.iter().for_each(|(_, expr)| for_names(expr, each));
            }
            Demand::Condition(Condition::In(of, members)) => {
                for_names(of, each);
                members.iter().for_each(|expr| for_names(expr, each));
            }
            Demand::Condition(Condition::Dtype(..)) => {}
        }
    }
}

impl fmt::Display for Demand<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Demand::Equation(expr, number) => write!(f, "{expr} == {number}"),
            Demand::Condition(condition) => condition.fmt(f),
        }
    }
}

/// The names of sizes in an expression.
fn for_names<'t>(expr: &'t Expr, each: &mut impl FnMut(&'t str)) {
    match expr {
        Expr::Int(_) | Expr::Nominal(_) | Expr::Run(_) => {}
        Expr::Name(name) => each(&name.node),
        Expr::List(_) => expr.parts().into_iter().for_each(|e| for_names(e, each)),
        Expr::Sum(terms) => terms.iter().for_each(|(_, term)| for_names(term, each)),
        Expr::Chain(first, rest) => {
            for_names(first, each);
            rest.iter().for_each(|(_, factor)| for_names(factor, each));
        }
        Expr::Call(_, args) => args.iter().for_each(|arg| for_names(arg, each)),
        Expr::CeilDiv(a, b) => {
            for_names(a, each);
            for_names(b, each);
        }
    }
}

/// Whether a comparison holds for all that both sides can be, or for nothing.
fn compare(op: CmpOp, a: Option<Range>, b: Option<Range>) -> Truth {
    let (Some(a), Some(b)) = (a, b) else {
        return Truth::No;
    };
    let total = a.total && b.total;
    let apart = a.hi < b.lo || b.hi < a.lo;
    let same = a.is_one() && b.is_one() && a.lo == b.lo;
    match op {
        CmpOp::Eq => Truth::of(same && total, apart),
        CmpOp::Ne => Truth::of(apart && total, same),
        CmpOp::Lt => Truth::of(a.hi < b.lo && total, a.lo >= b.hi),
        CmpOp::Le => Truth::of(a.hi <= b.lo && total, a.lo > b.hi),
        CmpOp::Gt => Truth::of(a.lo > b.hi && total, a.hi <= b.lo),
        CmpOp::Ge => Truth::of(a.lo >= b.hi && total, a.hi < b.lo),
    }
}

/// One side of a comparison.
enum Operand<'e> {
    /// Not about runs.
    Size,
    Run(Vec<u64>),
    /// What a run may be.
    List(&'e [Spanned<DimItem>]),
    /// A run that is not settled.
    Open,
    /// Runs that do not broadcast.
    Nothing,
}

fn runs<'e>(expr: &'e Expr, scope: &Bounds<'_, '_>) -> Operand<'e> {
    match expr {
        Expr::List(items) => Operand::List(items),
        Expr::Run(Some(name)) => match scope.run(&name.node) {
            Some(sizes) => Operand::Run(sizes.into()),
            None => Operand::Open,
        },
        Expr::Run(None) => Operand::Open,
        Expr::Call(Func::Broadcast, args) if args.iter().any(|arg| matches!(arg, Expr::Run(_))) => {
            args.iter()
                .map(|arg| runs(arg, scope))
                .reduce(broadcast)
                .unwrap_or(Operand::Open)
        }
        _ => Operand::Size,
    }
}

/// Whether these sizes are what a list says.
fn is_list(sizes: &[u64], items: &[Spanned<DimItem>], scope: &Bounds<'_, '_>) -> Truth {
    let run = items
        .iter()
        .position(|item| matches!(item.node, DimItem::Run(_)));
    let (before, after) = items.split_at(run.unwrap_or(items.len()));
    let after = after.get(1..).unwrap_or(&[]);
    let fits = match run {
        None => sizes.len() == before.len(),
        Some(_) => sizes.len() >= before.len() + after.len(),
    };
    if !fits {
        return Truth::No;
    }
    let (first, rest) = sizes.split_at(before.len());
    let (middle, last) = rest.split_at(rest.len() - after.len());
    let pairs = before.iter().zip(first).chain(after.iter().zip(last));
    let dims = pairs.fold(Truth::Yes, |all, (item, &size)| match &item.node {
        DimItem::Dim(e) => {
            let size = Some(Range::just(size));
            all.and(compare(CmpOp::Eq, Range::of(e, scope), size))
        }
        DimItem::Hole | DimItem::Run(_) => all,
    });
    let named = run.map(|at| &items[at].node);
    let Some(DimItem::Run(Some(name))) = named else {
        return dims;
    };
    dims.and(match scope.run(&name.node) {
        Some(known) => Truth::of(known == middle, known != middle),
        None => Truth::Open,
    })
}

/// What two runs broadcast to, aligned on the right.
fn broadcast<'e>(a: Operand<'e>, b: Operand<'e>) -> Operand<'e> {
    match (a, b) {
        (Operand::Run(mut long), Operand::Run(mut short)) => {
            if long.len() < short.len() {
                std::mem::swap(&mut long, &mut short);
            }
            for (a, &b) in long.iter_mut().rev().zip(short.iter().rev()) {
                match (*a, b) {
                    (1, b) => *a = b,
                    (_, 1) => {}
                    (a, b) if a == b => {}
                    _ => return Operand::Nothing,
                }
            }
            Operand::Run(long)
        }
        (Operand::Nothing, _) | (_, Operand::Nothing) => Operand::Nothing,
        _ => Operand::Open,
    }
}
