//! Sizes as text and back: expressions over names as numbers in normal form, written as a person would.

use super::given::QueryVars;
use indexmap::IndexSet;
use kanshape_engine::{Beyond, Form, FormTerm, Forms, Monomial, Node, Num, is_over};
use kanshape_syntax::tree::{Expr, Func, MulOp, Sign, Span, Spanned};
use rustc_hash::FxBuildHasher;
use smallvec::SmallVec;

/// A set in the order in which its members were put in.
pub type FxIndexSet<T> = IndexSet<T, FxBuildHasher>;

/// What atoms are called.
pub trait Atoms {
    /// The number of a name, a natural number that is made where it is met for the first time.
    ///
    /// # Errors
    /// [`Beyond`] for something that is no natural number.
    fn read(&mut self, forms: &mut Forms, name: &str) -> Result<Num, Beyond>;
}

/// The number that an expression is.
///
/// # Errors
/// [`Beyond`] where it is beyond the normal form, or may have no value.
pub fn read(forms: &mut Forms, atoms: &mut dyn Atoms, e: &Expr) -> Result<Num, Beyond> {
    match e {
        Expr::Int(n) => Num::new(i64::try_from(*n).map_err(|_| Beyond)?),
        Expr::Name(name) => atoms.read(forms, &name.node),
        Expr::Sum(terms) => {
            let mut all: SmallVec<[(Num, i64); 4]> = SmallVec::new();
            for (sign, term) in terms {
                let times = match sign {
                    Sign::Plus => 1,
                    Sign::Minus => -1,
                };
                all.push((read(forms, atoms, term)?, times));
            }
            forms.combine(&all)
        }
        Expr::Chain(first, rest) => {
            let mut value = read(forms, atoms, first)?;
            for (op, operand) in rest {
                let operand = read(forms, atoms, operand)?;
                value = match op {
                    MulOp::Mul => forms.mul(value, operand)?,
                    MulOp::FloorDiv => forms.floor_div(value, operand)?,
                    MulOp::Mod => forms.modulo(value, operand)?,
                };
            }
            Ok(value)
        }
        Expr::CeilDiv(a, b) => {
            let (a, b) = (read(forms, atoms, a)?, read(forms, atoms, b)?);
            forms.ceil_div(a, b)
        }
        Expr::Call(func, args) => {
            let args = args.iter().map(|arg| read(forms, atoms, arg));
            let args = args.collect::<Result<SmallVec<[Num; 4]>, Beyond>>()?;
            match func {
                Func::Min => forms.min(&args),
                Func::Max => forms.max(&args),
                Func::Prod => args.into_iter().try_fold(Num::ONE, |p, n| forms.mul(p, n)),
                // That they broadcast would have to be stated.
                Func::Broadcast | Func::Promote => Err(Beyond),
            }
        }
        Expr::Nominal(_) | Expr::Run(_) | Expr::List(_) => Err(Beyond),
    }
}

/// Writes numbers. `name` says what an atom is called.
pub struct Writer<'w> {
    pub forms: &'w mut Forms,
    pub name: &'w mut dyn FnMut(u32) -> Expr,
}

/// A term of a sum that is being written: a coefficient and an expression.
type Part = (i64, Expr);

impl Writer<'_> {
    /// A number as an expression.
    pub fn write(&mut self, n: Num) -> Expr {
        let Some(form) = n.form() else {
            return integer(n.int().unwrap_or(0));
        };
        match self.forms.node(form).clone() {
            Node::Atom(atom) => (self.name)(atom),
            Node::Sum(terms, constant) => self.sum(n, &terms, constant),
            Node::Floor(a, b) => self.floor(a, b),
            Node::Min(all) => self.call(Func::Min, &all),
            Node::Max(all) => self.call(Func::Max, &all),
            Node::Broadcast(all) => self.call(Func::Broadcast, &all),
        }
    }

    fn call(&mut self, func: Func, all: &[Num]) -> Expr {
        // Names first, numbers last.
        let mut all = all.to_vec();
        all.sort_by(|a, b| self.forms.order(*a, *b));
        Expr::Call(func, all.into_iter().map(|n| self.write(n)).collect())
    }

    /// A product of sums where it is one, and a sum otherwise.
    fn sum(&mut self, n: Num, terms: &[FormTerm], constant: i64) -> Expr {
        let is_long = terms.len() > 1 || constant != 0;
        if is_long && terms.iter().any(|t| t.0.len() > 1) {
            let (times, factors) = self.forms.factors(n);
            if factors.len() > 1 && times > 0 {
                return self.product(times, &factors);
            }
        }
        let (mut parts, constant) = self.parts(terms, constant);
        // What is added comes first.
        parts.sort_by_key(|part| part.0 < 0);
        let mut sum: Vec<(Sign, Expr)> = Vec::with_capacity(parts.len() + 1);
        let starts_with_constant = constant > 0 && parts.first().is_none_or(|part| part.0 < 0);
        let number = (sign(constant), Expr::Int(constant.unsigned_abs()));
        if starts_with_constant {
            sum.push(number.clone());
        }
        sum.extend(
            parts
                .into_iter()
                .map(|(times, e)| (sign(times), scaled(times, e))),
        );
        if constant != 0 && !starts_with_constant {
            sum.push(number);
        }
        match &mut sum[..] {
            [(Sign::Plus, only)] => std::mem::replace(only, Expr::Int(0)),
            _ => Expr::Sum(sum),
        }
    }

    /// The terms of a sum as they are written: remainders are found again, and what is added to a rounded quotient is
    /// added inside of it.
    fn parts(&mut self, terms: &[FormTerm], constant: i64) -> (Vec<Part>, i64) {
        let mut left: Vec<FormTerm> = self.forms.sorted_terms(terms);
        let mut constant = constant;
        let mut parts: Vec<Part> = Vec::new();
        while let Some((at, times, a, b)) = self.remainder(&left, constant) {
            left.remove(at);
            let (own, more) = self.terms_of(a);
            for (monomial, c) in own {
                if let Some(at) = left.iter().position(|t| t.0 == monomial) {
                    left[at].1 -= times * c;
                }
            }
            left.retain(|t| t.1 != 0);
            constant -= times * more;
            let e = self.quotient(a, b, MulOp::Mod);
            parts.push((times, e));
        }
        if let Some((floor, e)) = self.rounded(&mut left, &mut constant) {
            left.retain(|t| t.0 != floor && t.1 != 0);
            parts.push((1, e));
        }
        for (monomial, c) in left {
            let factors: Vec<Num> = monomial.iter().map(|g| Num::from(*g)).collect();
            let e = self.product(1, &factors);
            parts.push((c, e));
        }
        (parts, constant)
    }

    fn terms_of(&self, n: Num) -> (Vec<FormTerm>, i64) {
        match n.form() {
            None => (Vec::new(), n.int().unwrap_or(0)),
            Some(form) => match self.forms.node(form) {
                Node::Sum(terms, constant) => (terms.to_vec(), *constant),
                _ => (vec![(std::iter::once(form).collect(), 1)], 0),
            },
        }
    }

    /// A term `-k*b*floor(a/b)` of a sum that has `k*a` as well: its place, `k`, `a` and `b`.
    fn remainder(&self, terms: &[FormTerm], constant: i64) -> Option<(usize, i64, Num, Num)> {
        terms.iter().enumerate().find_map(|(at, (monomial, c))| {
            let [g] = &monomial[..] else { return None };
            let Node::Floor(a, b) = *self.forms.node(*g) else {
                return None;
            };
            let by = b.int()?;
            if *c >= 0 {
                return None;
            }
            // `floor(x/8) - 4*floor(x/32)` is `floor(x/8) % 4`.
            let inner = terms.iter().find_map(|(other, k)| {
                let [own] = &other[..] else { return None };
                let Node::Floor(x, d) = *self.forms.node(*own) else {
                    return None;
                };
                let by_inner = d.int()?;
                let times = by / by_inner;
                let nests = x == a && by % by_inner == 0 && times > 1 && *c == -times * k;
                nests.then_some((at, *k, Num::from(*own), Num::new(times).ok()?))
            });
            if inner.is_some() {
                return inner;
            }
            if c % by != 0 {
                return None;
            }
            let times = -c / by;
            let (own, more) = self.terms_of(a);
            let has = |(monomial, c): &FormTerm| {
                terms
                    .iter()
                    .any(|t| t.0 == *monomial && Some(t.1) == times.checked_mul(*c))
            };
            (own.iter().all(has) && (more == 0 || constant == times * more))
                .then_some((at, times, a, b))
        })
    }

    /// A quotient of which a part stands beside it: `floor((h + k)/2) - k` is `floor((h - k)/2)`. What has been put into
    /// it is taken out of the terms and of the constant.
    fn rounded(&mut self, terms: &mut [FormTerm], constant: &mut i64) -> Option<(Monomial, Expr)> {
        for at in 0..terms.len() {
            let (monomial, c) = terms[at].clone();
            let [g] = &monomial[..] else { continue };
            let Node::Floor(a, b) = *self.forms.node(*g) else {
                continue;
            };
            let (Some(by), 1) = (b.int(), c) else {
                continue;
            };
            let (inner, rest) = self.terms_of(a);
            let is_inside = |t: &FormTerm| inner.iter().any(|own| own.0 == t.0);
            let moves: Vec<usize> = (0..terms.len()).filter(|i| is_inside(&terms[*i])).collect();
            let mut more = if rest != 0 { *constant } else { 0 };
            if moves.is_empty() && more == 0 {
                continue;
            }
            let mut dividend = self
                .forms
                .add(a, Num::new(more.checked_mul(by)?).ok()?)
                .ok()?;
            for i in &moves {
                let (monomial, c) = &terms[*i];
                let mut moved = Num::new(c.checked_mul(by)?).ok()?;
                for g in monomial {
                    moved = self.forms.mul(moved, (*g).into()).ok()?;
                }
                dividend = self.forms.add(dividend, moved).ok()?;
            }
            // `(36 - d)//2` rather than `18 + (-d)//2`.
            let is_negative = self.terms_of(dividend).0.iter().all(|t| t.1 < 0);
            if is_negative && more == 0 && *constant > 0 {
                more = *constant;
                let inside = Num::new(more.checked_mul(by)?).ok()?;
                dividend = self.forms.add(dividend, inside).ok()?;
            }
            moves.into_iter().for_each(|i| terms[i].1 = 0);
            *constant -= more;
            return Some((monomial, self.quotient(dividend, b, MulOp::FloorDiv)));
        }
        None
    }

    /// A quotient that is rounded down, or up where it is that.
    fn floor(&mut self, a: Num, b: Num) -> Expr {
        let (_, rest) = self.terms_of(a);
        if let Some(by) = b.int()
            && rest == by - 1
            && let Ok(more) = Num::new(rest)
            && let Ok(whole) = self.forms.sub(a, more)
        {
            return Expr::CeilDiv(Box::new(self.write(whole)), Box::new(self.write(b)));
        }
        self.quotient(a, b, MulOp::FloorDiv)
    }

    pub(super) fn quotient(&mut self, a: Num, b: Num, op: MulOp) -> Expr {
        Expr::Chain(Box::new(self.write(a)), vec![(op, self.write(b))])
    }

    /// A product: the integer first, then names, then sums.
    pub(super) fn product(&mut self, times: i64, factors: &[Num]) -> Expr {
        let is_sum = |n: &Num| {
            n.form()
                .is_some_and(|f| matches!(self.forms.node(f), Node::Sum(..)))
        };
        let mut factors = factors.to_vec();
        factors.sort_by(|a, b| self.forms.order(*a, *b));
        let (sums, names): (Vec<Num>, Vec<Num>) = factors.iter().partition(|n| is_sum(n));
        let mut all: Vec<Expr> = Vec::with_capacity(factors.len() + 1);
        if times != 1 {
            all.push(integer(times));
        }
        all.extend(names.into_iter().chain(sums).map(|n| self.write(n)));
        let mut all = all.into_iter();
        let first = all.next().unwrap_or(Expr::Int(1));
        let rest: Vec<(MulOp, Expr)> = all.map(|e| (MulOp::Mul, e)).collect();
        match rest.is_empty() {
            true => first,
            false => Expr::Chain(Box::new(first), rest),
        }
    }
}

fn sign(n: i64) -> Sign {
    match n < 0 {
        true => Sign::Minus,
        false => Sign::Plus,
    }
}

/// A multiple of an expression; the sign is written elsewhere.
fn scaled(times: i64, e: Expr) -> Expr {
    let times = times.unsigned_abs();
    if times == 1 {
        return e;
    }
    match e {
        Expr::Chain(first, mut rest) if rest.iter().all(|r| r.0 == MulOp::Mul) => {
            rest.insert(0, (MulOp::Mul, *first));
            Expr::Chain(Box::new(Expr::Int(times)), rest)
        }
        e => Expr::Chain(Box::new(Expr::Int(times)), vec![(MulOp::Mul, e)]),
    }
}

/// An integer as an expression.
fn integer(n: i64) -> Expr {
    let size = Expr::Int(n.unsigned_abs());
    match n < 0 {
        true => Expr::Sum(vec![(Sign::Minus, size)]),
        false => size,
    }
}

/// The names that come first where sums are written: the user's, in the order in which they are made. There may be many, so
/// they are looked up and not listed for each expression.
#[derive(Clone, Copy, Default)]
pub struct First<'g>(Option<&'g QueryVars>);

impl<'g> From<&'g QueryVars> for First<'g> {
    fn from(given: &'g QueryVars) -> First<'g> {
        First(Some(given))
    }
}

impl First<'_> {
    fn len(self) -> usize {
        self.0.map_or(0, |given| given.names.len())
    }

    fn place(self, name: &str) -> Option<usize> {
        self.0?.names.place(name)
    }

    fn name(self, place: usize) -> Option<Box<str>> {
        let user = self.0?.names.get(place)?;
        Some(user.name.as_str().into())
    }
}

/// The names of some expressions: the first ones, and the others in the order in which they are met.
pub(super) struct Names<'g> {
    first: First<'g>,
    others: FxIndexSet<Box<str>>,
}

impl<'g> Names<'g> {
    pub(super) fn new(first: First<'g>) -> Names<'g> {
        Names {
            first,
            others: FxIndexSet::default(),
        }
    }

    /// How many names are the first ones.
    pub(super) fn users(&self) -> usize {
        self.first.len()
    }

    /// What an atom is called.
    pub(super) fn name(&self, atom: u32) -> Expr {
        let place = atom as usize;
        let other = || self.others.get_index(place - self.first.len()).cloned();
        let name = self.first.name(place).or_else(other);
        Expr::Name(Spanned::new(name.unwrap_or_default(), Span::default()))
    }
}

impl Atoms for Names<'_> {
    fn read(&mut self, forms: &mut Forms, name: &str) -> Result<Num, Beyond> {
        let place = match (self.first.place(name), self.others.get_index_of(name)) {
            (Some(place), _) => place,
            (None, Some(place)) => self.first.len() + place,
            (None, None) => self.first.len() + self.others.insert_full(name.into()).0,
        };
        let place = u32::try_from(place).map_err(|_| Beyond)?;
        Ok(forms.atom(place, true))
    }
}

/// An expression in normal form, as it is written; as it stands where it is beyond that.
pub fn normal(e: Expr, first: First<'_>) -> Expr {
    if let Expr::Int(_) | Expr::Name(_) = e {
        return e;
    }
    if is_over() {
        // As it stands it is true as well.
        return e;
    }
    let (mut forms, mut names) = (Forms::default(), Names::new(first));
    let Ok(n) = read(&mut forms, &mut names, &e) else {
        return e;
    };
    let mut name = |atom: u32| names.name(atom);
    let mut writer = Writer {
        forms: &mut forms,
        name: &mut name,
    };
    writer.write(n)
}

/// Is a form nothing but an atom?
pub fn atom_of(forms: &Forms, form: Form) -> Option<u32> {
    match forms.node(form) {
        Node::Atom(atom) => Some(*atom),
        _ => None,
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::{First, normal};
    use kanshape_syntax::parse_expr;
    use kanshape_types::Dim;

    fn written(text: &str) -> String {
        let e = parse_expr(text).unwrap();
        Dim::expr(normal(e, First::default())).to_string()
    }

    #[test]
    fn sizes_are_written_as_a_person_would() {
        for (text, expected) in [
            ("(h - 2)*(w - 2)*n*8", "8*n*(h - 2)*(w - 2)"),
            ("n*h*w - 2*n*h - 2*n*w + 4*n", "n*(h - 2)*(w - 2)"),
            ("((((h + 1)//2 + 1)//2 + 1)//2 + 1)//2", "ceil(h/16)"),
            ("(h + 6 - 7)//2 + 1", "ceil(h/2)"),
            ("(h - 3)//2 + 1", "(h - 1)//2"),
            ("(h - k)//2 + 1", "(h - k)//2 + 1"),
            ("n//2 + 1", "n//2 + 1"),
            ("(ceil(h/8))%4", "ceil(h/8) % 4"),
            ("n%8 + 1", "n % 8 + 1"),
            ("5 - n", "5 - n"),
            ("2*(n + 1)", "2*n + 2"),
            ("min(n, 5, n + 1)", "min(n, 5)"),
            ("n + m - n", "m"),
            ("(n*m)//m", "(n*m)//m"),
            ("a*b*2 + c", "2*a*b + c"),
        ] {
            assert_eq!(written(text), expected, "{text}");
        }
    }
}
