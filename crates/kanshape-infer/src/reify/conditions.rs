//! The conditions that open constraints and domains come to.

use super::naming::{Naming, application, compare, difference, number};
use super::symbol::{Condition, Expr, Symbol, ident, name};
use crate::limits::{IMPLIED_STEPS, MAX_LISTED_SIZES};
use kanshape_engine::{Budget, Constraint, Domain, Function, Int, Linear, State, Var};
use kanshape_rules::encode::{FAR_BOUND, MAX_SIZE, atoms, dtypes, states};
use kanshape_syntax::Rename;
use kanshape_syntax::tree::{self, CmpOp, DtypeExpr, Func, Ident, MulOp, Sign};
use kanshape_types::{DtypeSet, Name};
use rustc_hash::{FxHashMap, FxHashSet};

/// How an open constraint is written.
pub(crate) enum Written {
    Condition(Condition),
    /// Where dtypes are, or the end of all sizes, or among what is judged by itself.
    Elsewhere,
    /// It can't be.
    Not,
}

/// What an open constraint says. `lone` are the variables that nothing else says anything of.
pub(crate) fn of_constraint(
    naming: &mut Naming<'_>,
    c: &Constraint,
    lone: &FxHashSet<Var>,
) -> Written {
    let mut compared = |l: &Linear, op| {
        let [plus, minus] =
            <[_; 2]>::from(naming.sides(l)).map(|side| difference(side, Vec::new()));
        Some(compare(plus, op, minus))
    };
    let condition = match c {
        Constraint::Zero(l) => compared(l, CmpOp::Eq),
        Constraint::NonZero(l) => compared(l, CmpOp::Ne),
        // That sizes have an end is no condition of a node.
        Constraint::NonNegative(l) if l.offset() >= far(naming.state) => return Written::Elsewhere,
        Constraint::NonNegative(l) => {
            let (plus, minus) = naming.sides(l);
            Some(at_most(minus, plus))
        }
        Constraint::Member(l, values) => naming.form(l).map(|e| {
            let values = values.iter().filter(|&&x| x >= 0);
            Condition::In(e, values.map(|&x| number(x)).collect())
        }),
        Constraint::Apply {
            function,
            args,
            out,
        } => of_application(naming, *function, args, out, lone),
        // What is suspended is judged by itself.
        Constraint::Atoms { .. } | Constraint::Choice(_) | Constraint::Custom(_) => {
            return Written::Elsewhere;
        }
        _ => None,
    };
    condition.map_or(Written::Not, Written::Condition)
}

/// That a number is the value of a function.
fn of_application(
    naming: &mut Naming<'_>,
    function: Function,
    forms: &[Linear],
    form: &Linear,
    lone: &FxHashSet<Var>,
) -> Option<Condition> {
    let is_lone = |v: Var| lone.contains(&v) && !naming.is_user(v);
    let defined = function == Function::Broadcast && form.as_var().is_some_and(is_lone);
    let args = forms
        .iter()
        .map(|a| naming.form(a))
        .collect::<Option<Vec<_>>>()?;
    let value = application(function, args);
    if defined {
        // Nothing shows what they broadcast to, only that they do.
        return Some(compare(value, CmpOp::Ge, Expr::Int(0)));
    }
    let out = naming.form(form)?;
    if let Some((factor, rest)) = naming.divided(function, forms, form) {
        // What it is a multiple of is called by this.
        let rest_of = Expr::Chain(Box::new(value), vec![(MulOp::Mod, number(factor))]);
        return Some(compare(rest_of, CmpOp::Eq, number(rest)));
    }
    Some(match out {
        Expr::Int(_) => compare(value, CmpOp::Eq, out),
        out => compare(out, CmpOp::Eq, value),
    })
}

/// Bounds from here on are those of all sizes, and are not written: sizes have a limit, and so have their
/// products.
fn far(state: &State) -> Int {
    match state.has_far_bound() {
        true => MAX_SIZE / 2,
        false => FAR_BOUND,
    }
}

/// `small <= large`, turned so that it reads well.
fn at_most(small: Vec<Expr>, large: Vec<Expr>) -> Condition {
    let lone = |side: &[Expr]| matches!(side, [] | [Expr::Int(_)]);
    if lone(&small) {
        return compare(
            difference(large, Vec::new()),
            CmpOp::Ge,
            difference(small, Vec::new()),
        );
    }
    compare(
        difference(small, Vec::new()),
        CmpOp::Le,
        difference(large, Vec::new()),
    )
}

/// What the domain of an open variable says beyond its being a size.
pub(crate) fn of_domain(naming: &mut Naming<'_>, v: Var) -> Vec<Condition> {
    let domain = naming.state.domain(v);
    // What is known of a part of the user's name is stated about the name.
    let (e, factor, shift) = match naming.multiple(v) {
        Some((user, factor, shift)) => (name(user), *factor, *shift),
        None => (naming.var(v), 1, 0),
    };
    let bounds = Bounds {
        domain: &domain,
        factor,
        shift,
        far: far(naming.state),
    };
    bounds.written(e)
}

/// What a name that a calculation has left open can be.
pub(crate) fn of_name(user: &Name, domain: &Domain) -> Vec<tree::Condition> {
    let bounds = Bounds {
        domain,
        factor: 1,
        shift: 0,
        far: FAR_BOUND,
    };
    let conditions = bounds.written(name(user)).into_iter();
    conditions.map(|c| c.rename(&mut UsersOnly)).collect()
}

/// Symbols that are all the user's names.
struct UsersOnly;

impl Rename<Symbol, Ident> for UsersOnly {
    fn leaf(&mut self, symbol: Symbol) -> tree::Expr {
        tree::Expr::Name(self.run(symbol))
    }

    fn run(&mut self, symbol: Symbol) -> Ident {
        symbol.ident(|_| Name::word("?"))
    }

    fn dtype(&mut self, symbol: Symbol) -> Ident {
        self.run(symbol)
    }
}

/// What `factor*v + shift` can be, for a variable with this domain. Bounds from `far` on are those of all sizes.
struct Bounds<'d> {
    domain: &'d Domain,
    factor: Int,
    shift: Int,
    far: Int,
}

impl Bounds<'_> {
    /// The same as conditions on an expression for it.
    fn written(&self, e: Expr) -> Vec<Condition> {
        let Bounds {
            domain,
            factor,
            shift,
            far,
        } = *self;
        let mut out = Vec::new();
        let whole = |x: Int| x.checked_mul(factor).and_then(|x| x.checked_add(shift));
        if let Some(values) = domain.only() {
            // Values of an expression may be negative, and are not written.
            let values = values.iter().filter_map(|&x| whole(x)).filter(|x| *x >= 0);
            out.push(Condition::In(e, values.map(number).collect()));
            return out;
        }
        // What no size can be is a number of an attribute, or of what a tensor has in it.
        let may_be_negative = has_minus(&e) || domain.lo() < 0;
        if domain.lo() >= 0 && domain.len().is_some_and(|n| n <= MAX_LISTED_SIZES) {
            let values = domain.values().filter_map(whole);
            out.push(Condition::In(e, values.map(number).collect()));
            return out;
        }
        let is_above_zero = whole(domain.lo()).is_some_and(|lo| lo > 0);
        let bounded = domain.lo() > -far && (is_above_zero || may_be_negative);
        if let Some(lo) = whole(domain.lo()).filter(|_| bounded) {
            out.push(moved(&e, CmpOp::Ge, lo));
        }
        let far = far.min(MAX_SIZE - factor);
        if let Some(hi) = whole(domain.hi()).filter(|hi| *hi < far) {
            out.push(moved(&e, CmpOp::Le, hi));
        }
        for x in domain.except().iter().filter_map(|&x| whole(x)) {
            out.push(moved(&e, CmpOp::Ne, x));
        }
        out
    }
}

/// `e op n` with the numbers of `e` brought to the other side, and none negative.
fn moved(e: &Expr, op: CmpOp, n: Int) -> Condition {
    let (mut plus, mut minus) = (Vec::new(), Vec::new());
    let mut rest = n;
    match e {
        Expr::Sum(terms) => {
            for (sign, t) in terms {
                match (sign, t) {
                    (Sign::Plus, Expr::Int(c)) => rest -= Int::from(*c),
                    (Sign::Minus, Expr::Int(c)) => rest += Int::from(*c),
                    (Sign::Plus, t) => plus.push(t.clone()),
                    (Sign::Minus, t) => minus.push(t.clone()),
                }
            }
        }
        e => plus.push(e.clone()),
    }
    match rest {
        0 => {}
        1.. => minus.push(number(rest)),
        _ => plus.push(number(-rest)),
    }
    compare(
        difference(plus, Vec::new()),
        op,
        difference(minus, Vec::new()),
    )
}

fn has_minus(e: &Expr) -> bool {
    match e {
        Expr::Int(_) | Expr::Name(_) | Expr::Nominal(_) | Expr::Run(_) | Expr::List(_) => false,
        Expr::Sum(terms) => terms.iter().any(|t| t.0 == Sign::Minus || has_minus(&t.1)),
        Expr::Chain(first, rest) => has_minus(first) || rest.iter().any(|r| has_minus(&r.1)),
        Expr::CeilDiv(a, b) => has_minus(a) || has_minus(b),
        Expr::Call(_, args) => args.iter().any(has_minus),
    }
}

/// Dtype variables as expressions: a dtype, the user's name, or one to be given; promotions that
/// no operand shows are written inside each other.
pub(crate) struct DtypeWriter<'a> {
    state: &'a State,
    names: &'a FxHashMap<Var, kanshape_types::Name>,
    shown: Vec<Var>,
    inner: FxHashMap<Var, (Var, Var)>,
}

impl<'a> DtypeWriter<'a> {
    pub(crate) fn new(
        state: &'a State,
        names: &'a FxHashMap<Var, kanshape_types::Name>,
        mut shown: Vec<Var>,
        constraints: &[(usize, Constraint)],
    ) -> DtypeWriter<'a> {
        let mut inner = FxHashMap::default();
        for (_, c) in constraints {
            if let Constraint::Atoms {
                table,
                left,
                right,
                out,
            } = c
                && !table.is_relation()
                && dtypes(state.mask(*out)).single().is_none()
                && !shown.contains(out)
                && !names.contains_key(out)
            {
                inner.insert(*out, (*left, *right));
            }
        }
        // What is hidden, but written as a part of a promotion.
        for (_, c) in constraints {
            let Constraint::Atoms {
                table,
                left,
                right,
                out,
            } = c
            else {
                continue;
            };
            let out = (!table.is_relation()).then_some(*out);
            let all = [Some(*left), Some(*right), out];
            for v in all.into_iter().flatten().map(|v| state.root(v)) {
                let is_dtype = states(state.mask(v)).is_none();
                if is_dtype && !inner.contains_key(&v) && !shown.contains(&v) {
                    shown.push(v);
                }
            }
        }
        DtypeWriter {
            state,
            names,
            shown,
            inner,
        }
    }

    fn expr(&self, v: Var, depth: usize) -> Expr {
        let v = self.state.root(v);
        if let Some(dtype) = dtypes(self.state.mask(v)).single() {
            return name(dtype.name());
        }
        if let Some(user) = self.names.get(&v) {
            return name(user);
        }
        match self.inner.get(&v) {
            Some(&(a, b)) if depth < 40 => {
                Expr::Call(Func::Promote, self.promoted(a, b, depth + 1))
            }
            _ => name(v),
        }
    }

    /// The arguments of a promotion. What those before the last have come to is written as what they are.
    fn promoted(&self, left: Var, right: Var, depth: usize) -> Vec<Expr> {
        let mut args = vec![self.expr(right, depth)];
        let mut left = self.state.root(left);
        while let Some(so_far) = states(self.state.mask(left)) {
            if let Some(&(before, last)) = self.inner.get(&left) {
                args.push(self.expr(last, depth));
                left = self.state.root(before);
                continue;
            }
            let Some(known) = so_far.single() else {
                break;
            };
            let mut known: Vec<Expr> = known.iter().map(|d| name(d.name())).collect();
            known.reverse();
            args.extend(known);
            args.reverse();
            return args;
        }
        args.push(self.expr(left, depth));
        args.reverse();
        args
    }

    /// What the constraints say, and the sets of dtypes. What only says which dtypes one variable can be is said by its set.
    pub(crate) fn all<T>(
        &self,
        constraints: impl Iterator<Item = (T, &'a Constraint)>,
    ) -> Vec<(Option<T>, Condition)> {
        let write = |(place, c): (T, &Constraint)| match self.follows_from_a_set(c) {
            true => None,
            false => Some((Some(place), self.of_constraint(c)?)),
        };
        let mut all: Vec<(Option<T>, Condition)> = constraints.filter_map(write).collect();
        let sets = self.shown.iter();
        all.extend(sets.filter_map(|v| Some((None, self.of_set(*v)?))));
        all
    }

    /// Does a promotion with two known parts, which is kept to be written, hold for all that the one variable in it can be?
    fn follows_from_a_set(&self, c: &Constraint) -> bool {
        let Constraint::Atoms { left, right, .. } = c else {
            return false;
        };
        if !c.is_kept_to_be_written(self.state) {
            return false;
        }
        let is_one = |v: Var| self.state.mask(v).is_power_of_two();
        let mut open: Vec<Var> = Vec::new();
        let mut todo = vec![*left, *right];
        while let Some(v) = todo.pop() {
            let v = self.state.root(v);
            match self.inner.get(&v) {
                Some((a, b)) => todo.extend([*a, *b]),
                None if is_one(v) || open.contains(&v) => {}
                None => open.push(v),
            }
        }
        let [v] = open[..] else { return false };
        let mut each = (0..64)
            .map(|i| 1 << i)
            .filter(|bit| self.state.mask(v) & bit != 0);
        each.all(|bit| {
            let mut state = self.state.clone();
            let stated = state.restrict_atom(v, bit);
            let mut budget = Budget::new(IMPLIED_STEPS);
            stated.and_then(|()| state.propagate(&mut budget)).is_ok()
        })
    }

    fn is_known(&self, v: Var) -> bool {
        dtypes(self.state.mask(v)).single().is_some()
    }

    /// Is there a dtype in an expression that is not known?
    fn is_open(&self, e: &Expr) -> bool {
        let mut is = false;
        e.visit(&mut |symbol| {
            is |= match symbol {
                Symbol::Open(v) => !self.is_known(*v),
                Symbol::Name(name) => kanshape_types::Dtype::named(name).is_none(),
                Symbol::Identity(_) => false,
            }
        });
        is
    }

    /// What a promotion that is still open says.
    fn of_constraint(&self, c: &Constraint) -> Option<Condition> {
        let Constraint::Atoms {
            table,
            left,
            right,
            out,
        } = c
        else {
            return None;
        };
        if self.inner.contains_key(out) {
            return None;
        }
        if table.is_relation() {
            let (a, b) = (self.expr(*left, 0), self.expr(*right, 0));
            return Some(compare(a, CmpOp::Ne, b));
        }
        let value = Expr::Call(Func::Promote, self.promoted(*left, *right, 0));
        // It was kept only to be written, and there is nothing open in it.
        if states(self.state.mask(*left)).is_some() && !self.is_open(&value) && self.is_known(*out)
        {
            return None;
        }
        let known = dtypes(self.state.mask(*out)).len() == 1;
        Some(match self.expr(*out, 0) {
            out if known => compare(value, CmpOp::Eq, out),
            out => compare(out, CmpOp::Eq, value),
        })
    }

    /// What the set of a variable says.
    fn of_set(&self, v: Var) -> Option<Condition> {
        let v = self.state.root(v);
        let set = dtypes(self.state.mask(v));
        let called = self.names.get(&v);
        if atoms(set) == atoms(DtypeSet::ANY) || (called.is_none() && set.len() == 1) {
            return None;
        }
        let symbol = called.map_or(Symbol::Open(v), Symbol::from);
        if let Some(dtype) = set.single() {
            return Some(compare(name(symbol), CmpOp::Eq, name(dtype.name())));
        }
        Some(match set.class_name() {
            Some(class) => Condition::Dtype(symbol, DtypeExpr::Name(ident(class))),
            None => Condition::In(name(symbol), set.iter().map(|d| name(d.name())).collect()),
        })
    }
}
