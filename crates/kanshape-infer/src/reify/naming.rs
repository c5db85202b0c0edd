//! Expressions for open variables.

use super::multiple::Multiple;
use super::symbol::{Condition, Expr, Symbol, name};
use crate::limits::{MAX_NAMED_DEPTH, MAX_NAMELESS, MAX_REPEATED};
use kanshape_engine::{Constraint, Function, Int, Linear, Part, State, Stop, Term, Var, work};
use kanshape_rules::encode::{QueryVars, What, atoms, index_of, tensor_parts};
use kanshape_syntax::tree::{self, CmpOp, Func, MulOp, Sign};
use kanshape_types::{DtypeSet, Name};
use rustc_hash::{FxHashMap, FxHashSet};
use std::borrow::Borrow;

/// What the open variables of a state are called.
pub(crate) struct Naming<'a> {
    pub state: &'a State,
    pub(super) exprs: FxHashMap<Var, Expr>,
    /// The user's names that are more than one open variable.
    forms: Vec<(Linear, Name)>,
    /// The open variables of which a user's name is a multiple and something: the name, the factor,
    /// and what is added.
    multiples: FxHashMap<Var, (Name, Int, Int)>,
    /// The applications that give variables their values, by variable.
    pub(super) defined: FxHashMap<Var, Definition>,
    /// The applications whose values are a multiple of a variable and something, by variable.
    pub(super) parts: FxHashMap<Var, Multiple>,
    /// Those of them that a variable is called by.
    pub(super) divided: Vec<Multiple>,
    /// Which of the open constraints an expression says already.
    pub said: Vec<usize>,
    /// The user's runs that are still open.
    pub runs: FxHashMap<Var, Name>,
    /// The user's type variables that are still open.
    pub types: FxHashMap<Var, Name>,
    /// Those that are tensors of which nothing else is known: the dtype and the run of its dims.
    pub tensors: Vec<(Var, Var, Name)>,
    /// The user's dtype variables.
    pub dtypes: FxHashMap<Var, Name>,
    /// What the user's names themselves are known to be.
    pub facts: Vec<Condition>,
    pub(super) depth: usize,
}

/// An application that gives a variable its value.
#[derive(Clone, Debug)]
pub(super) struct Definition {
    pub constraint: usize,
    pub function: Function,
    pub args: Vec<Linear>,
    /// The value of the application; the variable is in it once.
    pub out: Linear,
}

/// The applications among constraints that can give variables their values. What broadcasts is none: it is one of its arguments.
pub(super) fn definitions<'c, C: Borrow<Constraint>>(
    state: &'c State,
    constraints: &'c [C],
) -> impl Iterator<Item = Definition> + use<'c, C> {
    let own = constraints.iter().map(C::borrow).enumerate();
    own.filter_map(|(constraint, c)| match c {
        Constraint::Apply {
            function,
            args,
            out,
        } if *function != Function::Broadcast => Some(Definition {
            constraint,
            function: *function,
            args: args.to_vec(),
            out: state.resolve(out).ok()?,
        }),
        _ => None,
    })
}

/// A number, or a size with an identity.
pub(super) fn number(n: Int) -> Expr {
    match index_of(n) {
        Some(i) => Expr::Name(Symbol::Identity(i)),
        None => Expr::Int(u64::try_from(n).unwrap_or(u64::MAX)),
    }
}

pub(super) fn compare<N>(a: tree::Expr<N>, op: CmpOp, b: tree::Expr<N>) -> tree::Condition<N> {
    tree::Condition::Compare(a, vec![(op, b)])
}

impl<'a> Naming<'a> {
    pub(crate) fn new<C: Borrow<Constraint>>(state: &'a State, constraints: &[C]) -> Naming<'a> {
        Naming {
            state,
            exprs: FxHashMap::default(),
            forms: Vec::new(),
            multiples: FxHashMap::default(),
            defined: defined(state, constraints),
            parts: FxHashMap::default(),
            divided: Vec::new(),
            said: Vec::new(),
            runs: FxHashMap::default(),
            types: FxHashMap::default(),
            tensors: Vec::new(),
            dtypes: FxHashMap::default(),
            facts: Vec::new(),
            depth: 0,
        }
    }

    /// Calls what the user has named by the user's names. With `written`, an open size that is not among these is left out.
    pub(crate) fn name_users(
        &mut self,
        given: &QueryVars,
        written: Option<&FxHashSet<Var>>,
    ) -> Result<(), Stop> {
        let mut later = Vec::new();
        for user in &given.names {
            match user.what {
                What::Size(v) => {
                    let form = self.state.resolve(&Linear::var(v))?;
                    match form.as_var() {
                        Some(v) if written.is_some_and(|written| !written.contains(&v)) => {}
                        Some(v) if !self.exprs.contains_key(&v) => {
                            self.exprs.insert(v, name(&user.name));
                        }
                        _ => later.push((user, form)),
                    }
                }
                What::Type(v) => self.name_type(v, &user.name),
                What::Run(v) => self.name_run(v, &user.name),
                What::Dtype(v) => {
                    let root = self.state.root(v);
                    match self.dtypes.get(&root) {
                        None => {
                            self.dtypes.insert(root, user.name.clone());
                        }
                        Some(first) => {
                            self.facts
                                .push(compare(name(&user.name), CmpOp::Eq, name(first)))
                        }
                    }
                }
            }
        }
        // A name that is a multiple of something inside gives that its expression.
        let mut rest = Vec::new();
        for (user, form) in later {
            match *form.terms() {
                [(v, c)] if c < -1 && !self.is_named(v) => {
                    let (by, shift) = (-c, form.offset());
                    let (mut plus, mut minus) = (Vec::new(), vec![name(&user.name)]);
                    match shift {
                        0.. => plus.push(number(shift)),
                        _ => minus.push(number(-shift)),
                    }
                    let whole = difference(plus, minus);
                    self.state_remainder(&user.name, by, shift);
                    let whole = Expr::Chain(Box::new(whole), vec![(MulOp::FloorDiv, number(by))]);
                    self.exprs.insert(v, whole);
                    self.forms.push((form, user.name.clone()));
                }
                [(v, c)] if c > 1 || c == 1 && form.offset() != 0 => {
                    if self.is_named(v) {
                        rest.push((user, form));
                        continue;
                    }
                    let shift = form.offset();
                    let mut whole = name(&user.name);
                    if shift != 0 {
                        let sign = if shift > 0 { Sign::Minus } else { Sign::Plus };
                        whole = Expr::Sum(vec![(Sign::Plus, whole), (sign, number(shift.abs()))]);
                    }
                    if c > 1 {
                        self.state_remainder(&user.name, c, shift);
                        whole = Expr::Chain(Box::new(whole), vec![(MulOp::FloorDiv, number(c))]);
                    }
                    self.exprs.insert(v, whole);
                    let multiple = (user.name.clone(), c, shift);
                    self.multiples.insert(v, multiple);
                    self.forms.push((form, user.name.clone()));
                }
                _ => rest.push((user, form)),
            }
        }
        for (user, form) in rest {
            if let Some((v, whole)) = self.inverted(&user.name, &form)? {
                self.exprs.insert(v, whole);
                self.forms.push((form, user.name.clone()));
                continue;
            }
            let (left, right) = self.sides(&form.minus(&Linear::default())?);
            let value = match form.as_constant() {
                Some(n) => number(n),
                None => difference(left, right),
            };
            self.facts.push(compare(name(&user.name), CmpOp::Eq, value));
        }
        Ok(())
    }

    /// Is there an expression for a variable, or will there be one?
    fn is_named(&self, v: Var) -> bool {
        self.exprs.contains_key(&v) || self.defined.contains_key(&v)
    }

    /// States what is left over of a name that is `shift` and a multiple of `by`.
    fn state_remainder(&mut self, user: &Name, by: Int, shift: Int) {
        let rest = Expr::Chain(Box::new(name(user)), vec![(MulOp::Mod, number(by))]);
        let left = number(kanshape_engine::modulo(shift, by));
        self.facts.push(compare(rest, CmpOp::Eq, left));
    }

    /// Defines the unknowns that are the only ones in what an application is worth: of `d - 1 == (n - 1)//2` that is `d`. The user's names
    /// are known by now.
    pub(crate) fn define_unknowns<C: Borrow<Constraint>>(&mut self, constraints: &[C]) {
        for own in definitions(self.state, constraints) {
            let is_unknown = |t: &&(Var, Int)| !self.exprs.contains_key(&t.0);
            let mut unknown = own.out.terms().iter().filter(is_unknown);
            if let (Some(&(v, 1 | -1)), None) = (unknown.next(), unknown.next())
                && !self.parts.contains_key(&v)
            {
                self.defined.entry(v).or_insert(own);
            }
        }
    }

    /// The only variable without an expression in a sum that has this name, and what it is then: of `K == n - M` it is `n`, which
    /// is `K + M`.
    fn inverted(&mut self, called: &Name, form: &Linear) -> Result<Option<(Var, Expr)>, Stop> {
        let is_open = |v: Var| !self.exprs.contains_key(&v);
        let mut open = form.terms().iter().filter(|t| is_open(t.0));
        let (Some(&(v, c)), None) = (open.next(), open.next()) else {
            return Ok(None);
        };
        if c.abs() != 1 || self.defined.contains_key(&v) {
            return Ok(None);
        }
        let rest = form.add_scaled(&Linear::var(v), -c)?;
        let (plus, minus) = self.sides(&rest);
        let own = name(called);
        let whole = match c {
            1 => difference([vec![own], minus].concat(), plus),
            _ => difference(plus, [minus, vec![own]].concat()),
        };
        Ok((whole.size() <= MAX_REPEATED).then_some((v, whole)))
    }

    fn name_type(&mut self, v: Var, called: &Name) {
        let first = match (
            self.state.walk(&Term::Var(v)),
            tensor_parts(self.state, &Term::Var(v)),
        ) {
            (Term::Var(v), _) => {
                let first = self.types.entry(v).or_insert_with(|| called.clone());
                first.clone()
            }
            (_, Some((dtype, shape, _))) => {
                let [Part::Run(run)] = self.state.parts(&shape)[..] else {
                    return;
                };
                let dtype = self.state.root(dtype);
                if self.state.mask(dtype) != atoms(DtypeSet::ANY) {
                    return;
                }
                let same = |t: &&(Var, Var, Name)| (t.0, t.1) == (dtype, run);
                match self.tensors.iter().find(same) {
                    Some(first) => first.2.clone(),
                    None => {
                        self.tensors.push((dtype, run, called.clone()));
                        called.clone()
                    }
                }
            }
            _ => return,
        };
        if first != *called {
            self.facts
                .push(compare(name(called), CmpOp::Eq, name(&first)));
        }
    }

    /// The user's type variable that is a tensor with this dtype and this run of dims.
    pub(crate) fn tensor(&self, dtype: Var, run: Var) -> Option<Name> {
        let named = self.tensors.iter().find(|t| (t.0, t.1) == (dtype, run));
        named.map(|t| t.2.clone())
    }

    /// Calls a parameter that is open by its own label, if that is free.
    pub(crate) fn name_param(&mut self, label: &Name, form: &Linear, given: &QueryVars) {
        let taken = given.names.iter().any(|u| u.name == *label);
        if let Some(v) = form.as_var()
            && !taken
            && !self.defined.contains_key(&v)
        {
            self.exprs.entry(v).or_insert_with(|| name(label));
        }
    }

    /// Is there an expression for `v` that is not just a fresh name?
    pub(crate) fn is_user(&self, v: Var) -> bool {
        self.exprs.contains_key(&v)
    }

    /// The expression of an open variable.
    pub(crate) fn var(&mut self, v: Var) -> Expr {
        if let Some(e) = self.exprs.get(&v) {
            return e.clone();
        }
        let mut made = None;
        if self.depth < MAX_NAMED_DEPTH
            && let Some(definition) = self.defined.remove(&v)
        {
            let said = self.said.len();
            self.depth += 1;
            let value = self.value(v, &definition);
            self.depth -= 1;
            match value {
                Some(e) if mentions(&e, v) => {
                    // Nothing that was written on the way is kept.
                    self.said.truncate(said);
                    self.exprs.retain(|_, own| !mentions(own, v));
                }
                Some(e) if e.size() <= self.most_of(v) && !self.is_beyond_names(&e) => {
                    self.said.push(definition.constraint);
                    made = Some(e);
                }
                _ => {}
            }
        }
        if made.is_none() {
            made = self.part(v);
        }
        let e = made.unwrap_or_else(|| name(v));
        self.exprs.insert(v, e.clone());
        e
    }

    /// The longest expression that replaces a variable. What may be negative has no name to be written instead.
    fn most_of(&self, v: Var) -> usize {
        match may_be_negative(self.state, v) {
            true => MAX_NAMELESS,
            false => MAX_REPEATED,
        }
    }

    /// What a variable is by its definition.
    fn value(&mut self, v: Var, definition: &Definition) -> Option<Expr> {
        let args = definition.args.iter().map(|a| self.form(a));
        let args: Option<Vec<Expr>> = args.collect();
        let value = application(definition.function, args?);
        if definition.out.as_var() == Some(v) {
            return Some(value);
        }
        let times = definition.out.coefficient(v);
        let rest = definition.out.add_scaled(&Linear::var(v), -times).ok()?;
        let (plus, minus) = self.sides(&rest);
        Some(match times {
            1 => difference([vec![value], minus].concat(), plus),
            _ => difference(plus, [minus, vec![value]].concat()),
        })
    }

    /// Is there an unknown in an expression that no name can denote? A name is that of a size, which is never negative.
    pub(crate) fn is_beyond_names(&self, e: &Expr) -> bool {
        let mut is = false;
        e.visit(&mut |symbol| is |= self.is_nameless(symbol));
        is
    }

    /// Is this an unknown number that may be negative?
    fn is_nameless(&self, symbol: &Symbol) -> bool {
        match symbol {
            Symbol::Open(v) => may_be_negative(self.state, *v),
            Symbol::Name(_) | Symbol::Identity(_) => false,
        }
    }

    /// The expression of a form, if its least value is not clearly negative.
    pub(crate) fn form(&mut self, l: &Linear) -> Option<Expr> {
        let l = self.state.resolve(l).ok()?;
        work(4 * l.terms().len() + self.forms.len() / 8);
        if let Some((_, user)) = self.forms.iter().find(|f| f.0 == l) {
            return Some(name(user));
        }
        if let Some(n) = l.as_constant() {
            return if n >= 0 {
                Some(number(n))
            } else {
                Some(Expr::Sum(vec![(Sign::Minus, number(n.checked_neg()?))]))
            };
        }
        let (plus, minus) = self.sides(&l);
        Some(difference(plus, minus))
    }

    /// The name that `v` is a part of, what it is multiplied by there, and what is added.
    pub(crate) fn multiple(&self, v: Var) -> Option<&(Name, Int, Int)> {
        self.multiples.get(&v)
    }

    /// The terms of a resolved form that are added and those that are taken off.
    pub(crate) fn sides(&mut self, l: &Linear) -> (Vec<Expr>, Vec<Expr>) {
        work(4 * l.terms().len());
        let (mut plus, mut minus) = (Vec::new(), Vec::new());
        let mut offset = l.offset();
        for &(v, c) in l.terms() {
            // Where the user's name divides evenly, it is said rather than its part.
            let (e, c) = match self.multiples.get(&v) {
                Some((user, factor, shift)) if c % factor == 0 => {
                    offset -= c / factor * shift;
                    (name(user), c / factor)
                }
                _ => (self.var(v), c),
            };
            let positive = c > 0;
            let (same, other) = if positive {
                (&mut plus, &mut minus)
            } else {
                (&mut minus, &mut plus)
            };
            match e {
                // A sum is taken apart, so that like things stand together.
                Expr::Sum(terms) if c.abs() == 1 => {
                    for (sign, t) in terms {
                        match sign {
                            Sign::Plus => same.push(t),
                            Sign::Minus => other.push(t),
                        }
                    }
                }
                e => same.push(scaled(c.abs(), e)),
            }
        }
        match offset {
            0 => {}
            n if n > 0 => add_number(&mut plus, n),
            n => add_number(&mut minus, -n),
        }
        cancel_numbers(&mut plus, &mut minus);
        (plus, minus)
    }
}

/// Is this a number that may be negative, so that no name can denote it?
pub(super) fn may_be_negative(state: &State, v: Var) -> bool {
    state.is_int(v) && state.domain(v).lo() < 0
}

/// The applications that give variables their values.
fn defined<C: Borrow<Constraint>>(state: &State, constraints: &[C]) -> FxHashMap<Var, Definition> {
    let mut defined = FxHashMap::default();
    for own in definitions(state, constraints) {
        // What may be negative needs a value: it can't have a name.
        let needs_value = |&&(v, times): &&(Var, Int)| times.abs() == 1 && state.domain(v).lo() < 0;
        let needs_value = || own.out.terms().iter().find(needs_value).map(|t| t.0);
        if let Some(v) = own.out.as_var().or_else(needs_value) {
            defined.entry(v).or_insert(own);
        }
    }
    defined
}

fn add_number(terms: &mut Vec<Expr>, n: Int) {
    let mut sum = n;
    terms.retain(|t| match t {
        Expr::Int(m) => {
            sum += Int::from(*m);
            false
        }
        _ => true,
    });
    terms.push(number(sum));
}

/// Numbers on both sides: only their difference stays, on one.
fn cancel_numbers(plus: &mut Vec<Expr>, minus: &mut Vec<Expr>) {
    let take = |terms: &mut Vec<Expr>| {
        let mut sum = 0;
        terms.retain(|t| match t {
            Expr::Int(m) => {
                sum += Int::from(*m);
                false
            }
            _ => true,
        });
        sum
    };
    let n = take(plus) - take(minus);
    if n > 0 {
        plus.push(number(n));
    } else if n < 0 {
        minus.push(number(-n));
    }
}

fn scaled(c: Int, e: Expr) -> Expr {
    if c == 1 {
        return e;
    }
    match e {
        Expr::Chain(first, mut rest) if rest.iter().all(|r| r.0 == MulOp::Mul) => {
            rest.insert(0, (MulOp::Mul, *first));
            Expr::Chain(Box::new(number(c)), rest)
        }
        e => Expr::Chain(Box::new(number(c)), vec![(MulOp::Mul, e)]),
    }
}

/// `plus - minus` as one expression.
pub(crate) fn difference(plus: Vec<Expr>, minus: Vec<Expr>) -> Expr {
    let mut terms: Vec<(Sign, Expr)> = Vec::with_capacity(plus.len() + minus.len());
    // A number comes last, unless it is all there is to subtract from.
    let (numbers, others): (Vec<Expr>, Vec<Expr>) =
        plus.into_iter().partition(|t| matches!(t, Expr::Int(_)));
    let lone = others.is_empty();
    terms.extend(others.into_iter().map(|t| (Sign::Plus, t)));
    if lone {
        terms.extend(numbers.iter().cloned().map(|t| (Sign::Plus, t)));
    }
    terms.extend(minus.into_iter().map(|t| (Sign::Minus, t)));
    if !lone {
        terms.extend(numbers.into_iter().map(|t| (Sign::Plus, t)));
    }
    match terms.len() {
        0 => Expr::Int(0),
        1 if terms[0].0 == Sign::Plus => terms.remove(0).1,
        _ => Expr::Sum(terms),
    }
}

/// A function applied to expressions.
pub(crate) fn application(function: Function, mut args: Vec<Expr>) -> Expr {
    match function {
        Function::Product => {
            let first = args.remove(0);
            if args.is_empty() {
                return first;
            }
            let rest = args.into_iter().map(|a| (MulOp::Mul, a)).collect();
            Expr::Chain(Box::new(first), rest)
        }
        Function::FloorDiv | Function::Mod | Function::CeilDiv if args.len() == 2 => {
            let (b, a) = (args.remove(1), args.remove(0));
            match function {
                Function::FloorDiv => Expr::Chain(Box::new(a), vec![(MulOp::FloorDiv, b)]),
                Function::Mod => Expr::Chain(Box::new(a), vec![(MulOp::Mod, b)]),
                _ => Expr::CeilDiv(Box::new(a), Box::new(b)),
            }
        }
        Function::Min | Function::Max | Function::Broadcast => {
            // Names first, numbers last.
            args.sort_by_key(|a| matches!(a, Expr::Int(_)));
            let func = match function {
                Function::Min => Func::Min,
                Function::Max => Func::Max,
                _ => Func::Broadcast,
            };
            Expr::Call(func, args)
        }
        Function::FloorDiv | Function::CeilDiv | Function::Mod => Expr::Int(0),
    }
}

/// Is an expression made of a variable that has no name yet? What a variable is made of may be made of it in turn.
fn mentions(e: &Expr, v: Var) -> bool {
    let mut is = false;
    e.visit(&mut |own| is |= *own == Symbol::Open(v));
    is
}
