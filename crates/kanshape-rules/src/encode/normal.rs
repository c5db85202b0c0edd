//! Conditions on sizes in normal form, written as a person would: products stay products, and what is on both sides of a
//! comparison is on one.

use super::size::{First, Names, Writer, atom_of, normal, read};
use kanshape_engine::{Form, FormTerm, Forms, Node, Num, gcd};
use kanshape_syntax::tree::{CmpOp, Condition, Expr, Func, MulOp};

/// A condition on sizes in normal form; as it stands where that is beyond the normal form.
pub fn normal_condition(c: Condition, first: First<'_>) -> Condition {
    let mut reader = Reader::new(first);
    match c {
        Condition::Compare(a, rest) => {
            if let [(op, b)] = &rest[..]
                && let Some(c) = reader.compare(&a, *op, b)
            {
                return c;
            }
            let rest = rest.into_iter();
            let rest = rest.map(|(op, e)| (op, normal(e, first)));
            let rest = rest.collect();
            Condition::Compare(normal(a, first), rest)
        }
        Condition::In(e, values) => match reader.member(&e, &values) {
            Some(c) => c,
            None => {
                let values = values.into_iter().map(|v| normal(v, first));
                let values = values.collect();
                Condition::In(normal(e, first), values)
            }
        },
        c => c,
    }
}

/// Does a comparison follow from what the others say each name is at least, term by term? With each name written as its
/// least size and what it is more, all terms are natural then. Or is one of the others the same and stronger by an integer?
pub fn is_evident(c: &Condition, others: &[Condition]) -> bool {
    let mut reader = Reader::new(First::default());
    let (a, rest) = match c {
        Condition::Compare(a, rest) => (a, rest),
        Condition::In(e, values) => return reader.is_one_of(e, values) == Some(true),
        Condition::Dtype(..) => return false,
    };
    let [(op, b)] = &rest[..] else {
        return false;
    };
    reader.is_evident(a, *op, b, others) == Some(true)
        || reader.is_weaker(a, *op, b, others) == Some(true)
}

/// Expressions over the same names.
pub(super) struct Reader<'g> {
    pub(super) forms: Forms,
    names: Names<'g>,
}

impl<'g> Reader<'g> {
    pub(super) fn new(first: First<'g>) -> Reader<'g> {
        Reader {
            forms: Forms::default(),
            names: Names::new(first),
        }
    }

    pub(super) fn read(&mut self, e: &Expr) -> Option<Num> {
        read(&mut self.forms, &mut self.names, e).ok()
    }

    fn writer<R>(&mut self, write: impl FnOnce(&mut Writer<'_>) -> R) -> R {
        let Reader { forms, names } = self;
        let mut name = |atom: u32| names.name(atom);
        write(&mut Writer {
            forms,
            name: &mut name,
        })
    }

    pub(super) fn write(&mut self, n: Num) -> Expr {
        self.writer(|writer| writer.write(n))
    }

    /// Are these all values that it may have?
    fn is_one_of(&mut self, e: &Expr, values: &[Expr]) -> Option<bool> {
        let n = self.read(e)?;
        let (lo, hi) = self.forms.bounds(n);
        // No more than there are values, so that the loop ends.
        if hi.checked_sub(lo)? >= i64::try_from(values.len()).ok()? {
            return Some(false);
        }
        let values: Option<Vec<i64>> = values.iter().map(|v| self.read(v)?.int()).collect();
        let values = values?;
        Some((lo..=hi).all(|n| values.contains(&n)))
    }

    fn is_evident(&mut self, a: &Expr, op: CmpOp, b: &Expr, others: &[Condition]) -> Option<bool> {
        let difference = (self.read(a)?, self.read(b)?);
        let difference = self.forms.sub(difference.0, difference.1).ok()?;
        let mut least: Vec<(u32, i64)> = Vec::new();
        for other in others {
            if let Some((name, n)) = least_of(other)
                && let Some(atom) = self.read(name)?.form()
                && let Node::Atom(atom) = self.forms.node(atom)
            {
                least.push((*atom, n));
            }
        }
        let moved = self.forms.replace(difference, &mut |forms, g| {
            let Node::Atom(atom) = *forms.node(g) else {
                return Ok(None);
            };
            let of_atom = least.iter().filter(|own| own.0 == atom).map(|own| own.1);
            let Some(n) = of_atom.max() else {
                return Ok(None);
            };
            forms.add(g.into(), Num::new(n)?).map(Some)
        });
        let (lo, hi) = self.forms.bounds(moved.ok()?);
        Some(match op {
            CmpOp::Ge => lo >= 0,
            CmpOp::Gt => lo > 0,
            CmpOp::Le => hi <= 0,
            CmpOp::Lt => hi < 0,
            CmpOp::Ne => lo > 0 || hi < 0,
            CmpOp::Eq => lo == 0 && hi == 0,
        })
    }

    /// Is one of the others `x >= k` where this one is `x >= j`, and `j <= k`?
    fn is_weaker(&mut self, a: &Expr, op: CmpOp, b: &Expr, others: &[Condition]) -> Option<bool> {
        let names = |a: &Expr, b: &Expr| {
            let mut names: Vec<Box<str>> = Vec::new();
            for e in [a, b] {
                e.for_each_name(&mut |name| names.push(name.into()));
            }
            names.sort_unstable();
            names.dedup();
            names
        };
        let own = names(a, b);
        if own.len() < 2 {
            // What one name can be is known to the solver.
            return None;
        }
        let own_sum = self.at_least(a, op, b)?;
        for other in others {
            let Condition::Compare(c, rest) = other else {
                continue;
            };
            let [(op, d)] = &rest[..] else { continue };
            if names(c, d) != own {
                continue;
            }
            let Some(sum) = self.at_least(c, *op, d) else {
                continue;
            };
            let more = self.forms.sub(own_sum, sum).ok().and_then(Num::int);
            if more.is_some_and(|more| more >= 0) {
                return Some(true);
            }
        }
        Some(false)
    }

    /// What is at least 0 where a comparison holds; none if it is no order.
    fn at_least(&mut self, a: &Expr, op: CmpOp, b: &Expr) -> Option<Num> {
        let (small, large, apart) = match op {
            CmpOp::Ge => (b, a, 0),
            CmpOp::Gt => (b, a, 1),
            CmpOp::Le => (a, b, 0),
            CmpOp::Lt => (a, b, 1),
            CmpOp::Eq | CmpOp::Ne => return None,
        };
        let (small, large) = (self.read(small)?, self.read(large)?);
        let difference = self.forms.sub(large, small).ok()?;
        self.forms.sub(difference, Num::new(apart).ok()?).ok()
    }

    fn compare(&mut self, a: &Expr, op: CmpOp, b: &Expr) -> Option<Condition> {
        for (value, out) in [(a, b), (b, a)] {
            if let (Expr::Call(Func::Broadcast, args), CmpOp::Eq) = (value, op) {
                return self.broadcast(args, out);
            }
        }
        let (left, right) = (self.read(a)?, self.read(b)?);
        let difference = self.forms.sub(left, right).ok()?;
        if op == CmpOp::Eq
            && let Some(c) =
                (self.multiple(difference)).or_else(|| self.unrounded_equal(difference))
        {
            return Some(c);
        }
        if let Some(c) = self.unrounded(difference, op) {
            return Some(c);
        }
        if let Some(c) = self.product(difference, op) {
            return Some(c);
        }
        match self.shares(left, right) {
            true if op == CmpOp::Eq => {
                let solved = self.solved(difference);
                solved.or_else(|| self.balanced(difference, op))
            }
            true => self.balanced(difference, op),
            false => {
                let (left, right) = match op == CmpOp::Eq && self.defines(right, left) {
                    true => (right, left),
                    false => (left, right),
                };
                Some(compared(self.write(left), op, self.write(right)))
            }
        }
    }

    /// An order of a rounded quotient and an integer without the rounding: `floor(a/b) >= k` is `a >= k*b`. Terms that are in
    /// the quotient as well may stand beside it, as normal forms take them out of it.
    fn unrounded(&mut self, difference: Num, op: CmpOp) -> Option<Condition> {
        // At least 0 or at most 0.
        let (mut op, more) = match op {
            CmpOp::Ge => (CmpOp::Ge, 0),
            CmpOp::Gt => (CmpOp::Ge, -1),
            CmpOp::Le => (CmpOp::Le, 0),
            CmpOp::Lt => (CmpOp::Le, 1),
            CmpOp::Eq | CmpOp::Ne => return None,
        };
        let mut sum = self.forms.add(difference, Num::new(more).ok()?).ok()?;
        let quotient = |forms: &Forms, t: &FormTerm| match t.0[..] {
            [g] => match *forms.node(g) {
                Node::Floor(a, b) => b.int().filter(|by| *by > 0).map(|by| (g, a, by, t.1)),
                _ => None,
            },
            _ => None,
        };
        let (terms, _) = self.terms(sum);
        let mut quotients = terms.iter().filter_map(|t| quotient(&self.forms, t));
        let (Some((g, a, by, times)), None) = (quotients.next(), quotients.next()) else {
            return None;
        };
        if times < 0 {
            op = turned(op);
            sum = self.forms.combine(&[(sum, -1)]).ok()?;
        }
        let times = times.checked_abs()?;
        // `times*q + rest + constant op 0`, where `rest` is a multiple of `times`.
        let rest = self.forms.combine(&[(sum, 1), (g.into(), -times)]).ok()?;
        let (rest, constant) = self.terms(rest);
        let (inner, _) = self.terms(a);
        let is_inside = |t: &FormTerm| t.1 % times == 0 && inner.iter().any(|own| own.0 == t.0);
        if !rest.iter().all(is_inside) {
            return None;
        }
        let least = constant.checked_neg()?;
        let bound = match op {
            CmpOp::Ge => least
                .checked_add(times - 1)?
                .div_euclid(times)
                .checked_mul(by)?,
            _ => least
                .div_euclid(times)
                .checked_mul(by)?
                .checked_add(by - 1)?,
        };
        let mut all: Vec<(Num, i64)> = vec![(a, 1), (Num::new(bound).ok()?, -1)];
        for (monomial, c) in rest {
            let mut product = Num::ONE;
            for g in monomial {
                product = self.forms.mul(product, g.into()).ok()?;
            }
            all.push((product, (c / times).checked_mul(by)?));
        }
        let difference = self.forms.combine(&all).ok()?;
        self.unrounded(difference, op)
            .or_else(|| self.balanced(difference, op))
    }

    /// Is `value` of names that the user has given, and `other` of one at least that nobody has, without being that alone?
    fn defines(&self, value: Num, other: Num) -> bool {
        let users = self.names.users();
        let has_fresh = |n: Num| {
            let mut has = false;
            self.forms.all_generators(n, &mut |g| {
                has |= atom_of(&self.forms, g).is_some_and(|atom| atom as usize >= users);
                true
            });
            has
        };
        let is_atom = other
            .form()
            .is_some_and(|form| atom_of(&self.forms, form).is_some());
        value.int().is_none() && !is_atom && has_fresh(other) && !has_fresh(value)
    }

    /// `out == broadcast(args)`: where one of two arguments is `out`, the other one is this or 1.
    fn broadcast(&mut self, args: &[Expr], out: &Expr) -> Option<Condition> {
        let mut all: Vec<Num> = Vec::with_capacity(args.len());
        let mut todo: Vec<&Expr> = args.iter().rev().collect();
        while let Some(e) = todo.pop() {
            match e {
                Expr::Call(Func::Broadcast, inner) => todo.extend(inner.iter().rev()),
                e => {
                    let n = self.read(e)?;
                    if n != Num::ONE && !all.contains(&n) {
                        all.push(n);
                    }
                }
            }
        }
        let out = self.read(out)?;
        let others: Vec<Num> = all.iter().copied().filter(|n| *n != out).collect();
        match others[..] {
            [only] if others.len() < all.len() => {
                if let Some(c) = self.clipped(only, out) {
                    return Some(c);
                }
                let values = vec![Expr::Int(1), self.write(out)];
                Some(Condition::In(self.write(only), values))
            }
            _ if all.is_empty() => None,
            _ => {
                all.sort_by(|a, b| self.forms.order(*a, *b));
                let args = all.into_iter().map(|n| self.write(n)).collect();
                let value = Expr::Call(Func::Broadcast, args);
                Some(match out.int() {
                    Some(_) => compared(value, CmpOp::Eq, self.write(out)),
                    None => compared(self.write(out), CmpOp::Eq, value),
                })
            }
        }
    }

    /// That `min(x, k)` is 1 or `x`, where `k` is 2 or more: `x <= k`, since it is 1 only where `x` is.
    fn clipped(&mut self, n: Num, x: Num) -> Option<Condition> {
        let Node::Min(all) = self.forms.node(n.form()?) else {
            return None;
        };
        let others: Vec<Num> = all.iter().copied().filter(|k| *k != x).collect();
        let is_clipped = others.len() < all.len();
        if !is_clipped || others.iter().any(|k| self.forms.bounds(*k).0 < 2) {
            return None;
        }
        let most = self.forms.min(&others).ok()?;
        Some(compared(self.write(x), CmpOp::Le, self.write(most)))
    }

    /// That `x` is a multiple of `k`, if that is what an equation says: `k*floor((x + j)/k) == x`, where `j < k`.
    fn multiple(&mut self, difference: Num) -> Option<Condition> {
        let Node::Sum(terms, _) = self.forms.node(difference.form()?).clone() else {
            return None;
        };
        for (monomial, c) in &terms {
            let [g] = monomial[..] else { continue };
            let (true, Node::Floor(..)) = (c.unsigned_abs() > 1, self.forms.node(g)) else {
                continue;
            };
            let by = Num::new(i64::try_from(c.unsigned_abs()).ok()?).ok()?;
            let sign = -c.signum();
            let x = self
                .forms
                .combine(&[(difference, sign), (g.into(), by.int()?)])
                .ok()?;
            for j in [0, by.int()? - 1] {
                let moved = self.forms.add(x, Num::new(j).ok()?).ok()?;
                if self.forms.floor_div(moved, by) != Ok(g.into()) {
                    continue;
                }
                return self.divides(by, x);
            }
        }
        None
    }

    /// The same of `ceil(x/k) == floor(x/k)`.
    fn unrounded_equal(&mut self, difference: Num) -> Option<Condition> {
        let (terms, constant) = self.terms(difference);
        let [(a, c), (b, d)] = &terms[..] else {
            return None;
        };
        let (&[a], &[b], true) = (&a[..], &b[..], c.checked_neg() == Some(*d)) else {
            return None;
        };
        let more = (constant.checked_rem(*c)? == 0).then_some(constant.checked_div(*c)?)?;
        let (&Node::Floor(x, by), &Node::Floor(y, other)) =
            (self.forms.node(a), self.forms.node(b))
        else {
            return None;
        };
        // `floor(x/k) + more` is `floor((x + more*k)/k)`.
        let more = Num::new(more.checked_mul(by.int()?)?).ok()?;
        let x = self.forms.add(x, more).ok()?;
        let distance = self.forms.sub(x, y).ok()?.int()?;
        let is_one_less = distance.checked_abs()? == by.int().filter(|by| *by > 1)? - 1;
        (by == other && is_one_less).then_some(())?;
        self.divides(by, if distance < 0 { x } else { y })
    }

    /// That a number divides `x`: what is added to or subtracted from the rest of `x` becomes the remainder.
    fn divides(&mut self, by: Num, x: Num) -> Option<Condition> {
        let (_, constant) = self.terms(x);
        let left = constant.checked_neg()?.rem_euclid(by.int()?);
        let x = self.forms.sub(x, Num::new(constant).ok()?).ok()?;
        let rest = self.writer(|writer| writer.quotient(x, by, MulOp::Mod));
        Some(compared(rest, CmpOp::Eq, Expr::Int(left.unsigned_abs())))
    }

    /// A comparison of `difference` with 0 as one of a product: with 0 or another integer, or with something that is nowhere
    /// else.
    fn product(&mut self, difference: Num, op: CmpOp) -> Option<Condition> {
        let (times, factors) = self.forms.factors(difference);
        if factors.iter().filter(|n| self.is_sum(**n)).count() > 1 {
            // Two sums or more: whether it is 0, or above, is plain from them.
            let op = if times < 0 { turned(op) } else { op };
            let product = self.writer(|writer| writer.product(1, &factors));
            return Some(compared(product, op, Expr::Int(0)));
        }
        if let Some(found) = self.forms.completed(difference)
            && found.rest != 0
        {
            let (sign, op) = match found.times < 0 {
                true => (-1, turned(op)),
                false => (1, op),
            };
            let (times, number) = (
                found.times.checked_mul(sign)?,
                found.rest.checked_mul(-sign)?,
            );
            let (times, number) = match number % times {
                0 => (1, number / times),
                _ => (times, number),
            };
            if number > 0 {
                let product = self.writer(|writer| writer.product(times, &found.factors));
                return Some(compared(product, op, Expr::Int(number.unsigned_abs())));
            }
            return None;
        }
        // The last name first: one that nobody has given is rather defined than another one.
        let (terms, _) = self.terms(difference);
        if terms.iter().all(|t| t.0.len() < 2) {
            return None;
        }
        let lone = |t: &&FormTerm| {
            let [g] = t.0[..] else { return false };
            terms.iter().filter(|other| other.0.contains(&g)).count() == 1
        };
        let lone: Vec<(Form, i64)> = terms.iter().filter(lone).map(|t| (t.0[0], t.1)).collect();
        for (g, times) in lone.into_iter().rev() {
            // `g + rest op 0` or `rest - g op 0`.
            let rest = self
                .forms
                .combine(&[(difference, 1), (g.into(), -times)])
                .ok()?;
            let value = self.forms.combine(&[(rest, -times.signum())]).ok()?;
            let (times_of, factors) = self.forms.factors(value);
            if times_of > 0 && factors.len() > 1 && factors.iter().any(|n| self.is_sum(*n)) {
                let op = if times < 0 { turned(op) } else { op };
                let by = i64::try_from(gcd(times.into(), times_of.into())).ok()?;
                let own = self.forms.combine(&[(g.into(), times.checked_abs()? / by)]);
                let own = self.write(own.ok()?);
                let product = self.writer(|writer| writer.product(times_of / by, &factors));
                // What is defined is on the left, what is only a factor of it on the right.
                return Some(match times.abs() == by {
                    true => compared(own, op, product),
                    false => compared(product, turned(op), own),
                });
            }
        }
        None
    }

    fn is_sum(&self, n: Num) -> bool {
        n.form()
            .is_some_and(|form| matches!(self.forms.node(form), Node::Sum(..)))
    }

    pub(super) fn terms(&self, n: Num) -> (Vec<FormTerm>, i64) {
        match n.form() {
            None => (Vec::new(), n.int().unwrap_or(0)),
            Some(form) => match self.forms.node(form) {
                Node::Sum(terms, constant) => (terms.to_vec(), *constant),
                _ => (vec![(std::iter::once(form).collect(), 1)], 0),
            },
        }
    }

    /// An equation with rounding in it, solved for a name that is in it once.
    fn solved(&mut self, difference: Num) -> Option<Condition> {
        let (terms, _) = self.terms(difference);
        let is_atom = |forms: &Forms, g: Form| matches!(forms.node(g), Node::Atom(_));
        let generators = terms.iter().flat_map(|t| t.0.iter());
        if generators.clone().all(|g| is_atom(&self.forms, *g)) {
            return None;
        }
        let mut lone: Vec<(Form, i64)> = Vec::new();
        for (monomial, times) in &terms {
            let ([g], 1) = (&monomial[..], times.abs()) else {
                continue;
            };
            let mut places = 0;
            self.forms.all_generators(difference, &mut |own| {
                places += usize::from(own == *g);
                true
            });
            if places == 1 && is_atom(&self.forms, *g) {
                lone.push((*g, *times));
            }
        }
        let (g, times) = lone.pop()?;
        let rest = self.forms.combine(&[(difference, 1), (g.into(), -times)]);
        let value = self.forms.combine(&[(rest.ok()?, -times)]).ok()?;
        Some(compared(self.write(g.into()), CmpOp::Eq, self.write(value)))
    }

    /// Do both sides have a term in common, or an integer beside their terms?
    fn shares(&self, left: Num, right: Num) -> bool {
        let ((left, a), (right, b)) = (self.terms(left), self.terms(right));
        let is_there = |t: &FormTerm| right.iter().any(|other| other.0 == t.0);
        left.iter().any(is_there) || a != 0 && b != 0
    }

    /// A comparison with 0 with the terms that are added on one side, and those that are taken off on the other.
    pub(super) fn balanced(&mut self, difference: Num, op: CmpOp) -> Option<Condition> {
        let (terms, constant) = self.terms(difference);
        if terms.is_empty() {
            return None;
        }
        let mut sides: [Vec<(Num, i64)>; 2] = Default::default();
        for (monomial, times) in &terms {
            let mut product = Num::ONE;
            for g in monomial {
                product = self.forms.mul(product, (*g).into()).ok()?;
            }
            sides[usize::from(*times < 0)].push((product, times.checked_abs()?));
        }
        if constant != 0 {
            let number = Num::new(constant.checked_abs()?).ok()?;
            sides[usize::from(constant < 0)].push((number, 1));
        }
        let [plus, minus] = sides;
        let (plus, minus) = (
            self.forms.combine(&plus).ok()?,
            self.forms.combine(&minus).ok()?,
        );
        // A number is on the right.
        Some(match plus.int() {
            Some(_) => compared(self.write(minus), turned(op), self.write(plus)),
            None => compared(self.write(plus), op, self.write(minus)),
        })
    }

    /// `c*x + k in {..}` of an atom `x` as `x in {..}`.
    fn member(&mut self, e: &Expr, values: &[Expr]) -> Option<Condition> {
        let n = self.read(e)?;
        if let [one, other] = values {
            let [one, other] = [self.read(one)?, self.read(other)?];
            let found = match (one == Num::ONE, other == Num::ONE) {
                (true, _) => self.clipped(n, other),
                (_, true) => self.clipped(n, one),
                _ => None,
            };
            if found.is_some() {
                return found;
            }
        }
        let (terms, constant) = self.terms(n);
        let [(monomial, times)] = &terms[..] else {
            return None;
        };
        let ([g], true) = (&monomial[..], *times > 0) else {
            return None;
        };
        if constant == 0 && *times == 1 {
            return None;
        }
        if !matches!(self.forms.node(*g), Node::Atom(_)) {
            return None;
        }
        let mut own = Vec::with_capacity(values.len());
        for v in values {
            let Expr::Int(v) = v else { return None };
            let v = i64::try_from(*v).ok()?.checked_sub(constant)?;
            if v >= 0 && v % times == 0 {
                own.push(Expr::Int((v / times).unsigned_abs()));
            }
        }
        (!own.is_empty()).then(|| Condition::In(self.write((*g).into()), own))
    }
}

/// The name of which a condition says how great it is at least.
fn least_of(c: &Condition) -> Option<(&Expr, i64)> {
    let number = |e: &Expr| match e {
        Expr::Int(n) => i64::try_from(*n).ok(),
        _ => None,
    };
    match c {
        Condition::Compare(name @ Expr::Name(_), rest) => match &rest[..] {
            [(CmpOp::Ge | CmpOp::Eq, n)] => Some((name, number(n)?)),
            [(CmpOp::Gt, n)] => Some((name, number(n)?.checked_add(1)?)),
            [(CmpOp::Ne, Expr::Int(0))] => Some((name, 1)),
            _ => None,
        },
        Condition::In(name @ Expr::Name(_), values) => {
            let values: Option<Vec<i64>> = values.iter().map(number).collect();
            Some((name, values?.into_iter().min()?))
        }
        _ => None,
    }
}

pub(super) fn compared(a: Expr, op: CmpOp, b: Expr) -> Condition {
    Condition::Compare(a, vec![(op, b)])
}

/// The comparison with its sides exchanged.
fn turned(op: CmpOp) -> CmpOp {
    match op {
        CmpOp::Eq | CmpOp::Ne => op,
        CmpOp::Lt => CmpOp::Gt,
        CmpOp::Le => CmpOp::Ge,
        CmpOp::Gt => CmpOp::Lt,
        CmpOp::Ge => CmpOp::Le,
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::{First, is_evident, normal_condition};
    use kanshape_syntax::parse_condition;
    use kanshape_testkit::symbolic::{Names, holds};
    use proptest::prelude::*;

    fn written(text: &str) -> String {
        let c = parse_condition(text).unwrap().node;
        normal_condition(c, First::default()).to_string()
    }

    #[test]
    fn conditions_are_written_as_a_person_would() {
        for (text, expected) in [
            (
                "6*n*h + 6*n*w - 36*n + 1 == n*h*w",
                "n*(h - 6)*(w - 6) == 1",
            ),
            (
                "2*n*h + 2*n*w + 36*d - 4*n == n*h*w",
                "n*(h - 2)*(w - 2) == 36*d",
            ),
            ("2*h + 2*w + d - 4 == h*w", "d == (h - 2)*(w - 2)"),
            ("n == broadcast(m, n)", "m in {1, n}"),
            (
                "2*ceil(h/32) == broadcast((h + 15)//16, 2*ceil(h/32))",
                "ceil(h/16) in {1, 2*ceil(h/32)}",
            ),
            ("d == broadcast(n, broadcast(n, m))", "d == broadcast(n, m)"),
            ("32*((h + 31)//32) == h", "h % 32 == 0"),
            ("3*((n - 2)//3) == n - 2", "n % 3 == 2"),
            ("ceil(h/2) == h//2", "h % 2 == 0"),
            ("2*(h//7) == 2*ceil(h/7)", "h % 7 == 0"),
            ("ceil((n - 1)/3) == (n - 1)//3", "n % 3 == 1"),
            ("(h + 1)//3 == h//3", "(h + 1)//3 == h//3"),
            ("n - 1 == (34 - d)//2", "n == (36 - d)//2"),
            ("2*n + 2 in {2, 4, 5}", "n in {0, 1}"),
            ("min(n, 128) in {1, n}", "n <= 128"),
            ("n == broadcast(min(n, 2), n)", "n <= 2"),
            ("min(n, 1) in {1, n}", "min(n, 1) in {1, n}"),
            ("n + 3 <= m + 5", "n <= m + 2"),
            ("m*m == n*m", "m*m == m*n"),
        ] {
            assert_eq!(written(text), expected, "{text}");
        }
    }

    #[test]
    fn what_is_natural_term_by_term_is_evident() {
        let read = |text: &str| parse_condition(text).unwrap().node;
        let others = [read("h >= 2"), read("w in {2, 5}")];
        assert!(is_evident(&read("n*h*w + 4*n >= 2*n*h + 2*n*w"), &others));
        assert!(is_evident(&read("h*w != 3"), &others));
        assert!(!is_evident(&read("h*w >= 5"), &others));
        assert!(!is_evident(&read("n >= 1"), &others));
        assert!(is_evident(&read("min(h//4, 1) in {0, 1}"), &[]));
        assert!(is_evident(
            &read("4*((h + 12)//16) - h//4 in {0, 1, 2, 3}"),
            &[]
        ));
        assert!(!is_evident(&read("min(h//4, 2) in {0, 1}"), &[]));
        assert!(!is_evident(&read("n in {0, 1}"), &[]));
    }

    fn expr() -> impl Strategy<Value = String> {
        let leaf = prop_oneof![
            3 => prop::sample::select(vec!["n", "m", "k"]).prop_map(String::from),
            2 => (0..9u64).prop_map(|n| n.to_string()),
        ];
        leaf.prop_recursive(3, 10, 2, |inner| {
            let two = (inner.clone(), inner.clone());
            let by = 1..6u64;
            prop_oneof![
                3 => two.clone().prop_map(|(a, b)| format!("({a} + {b})")),
                2 => two.clone().prop_map(|(a, b)| format!("({a} - {b})")),
                3 => two.clone().prop_map(|(a, b)| format!("({a})*({b})")),
                2 => (inner.clone(), by.clone()).prop_map(|(a, b)| format!("(({a})//{b})")),
                2 => (inner.clone(), by.clone()).prop_map(|(a, b)| format!("ceil(({a})/{b})")),
                1 => (inner, by).prop_map(|(a, b)| format!("(({a})%{b})")),
                1 => two.clone().prop_map(|(a, b)| format!("min({a}, {b})")),
                1 => two.prop_map(|(a, b)| format!("max({a}, {b})")),
            ]
        })
    }

    fn condition() -> impl Strategy<Value = String> {
        let op = prop::sample::select(vec!["==", "!=", "<", "<=", ">", ">="]);
        let number = 0..12u64;
        prop_oneof![
            4 => (expr(), op, expr()).prop_map(|(a, op, b)| format!("{a} {op} {b}")),
            1 => (expr(), expr(), expr()).prop_map(|(a, b, c)| format!("{a} == broadcast({b}, {c})")),
            1 => (expr(), expr()).prop_map(|(a, b)| format!("{a} == broadcast({b}, {a})")),
            1 => (expr(), 1..6u64).prop_map(|(a, k)| format!("{k}*(({a})//{k}) == {a}")),
            1 => (expr(), number.clone(), number.clone())
                .prop_map(|(a, x, y)| format!("{a} in {{{x}, {y}}}")),
            1 => (0..5u64, 0..5u64, number)
                .prop_map(|(a, b, c)| format!("n*m == {a}*n + {b}*m + {c}")),
        ]
    }

    proptest! {
        /// A condition in normal form holds for the sizes for which it held before.
        #[test]
        fn a_normal_condition_says_the_same(text in condition()) {
            let before = parse_condition(&text).unwrap().node;
            let after = normal_condition(before.clone(), First::default());
            let read = parse_condition(&after.to_string()).unwrap().node;
            for n in [0, 1, 2, 3, 5, 8] {
                for m in [0, 1, 2, 4, 9] {
                    for k in [0, 1, 3] {
                        let all = [("n", n), ("m", m), ("k", k)];
                        let names: Names = all.iter().map(|(n, x)| ((*n).into(), *x)).collect();
                        let holds = |c| holds(c, &names);
                        prop_assert_eq!(holds(&before), holds(&after), "{} became {} at {:?}", &text, &after, all);
                        prop_assert_eq!(holds(&after), holds(&read), "{} is read otherwise", after);
                    }
                }
            }
        }
    }
}
