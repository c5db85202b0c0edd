//! The best type above two.

use super::implied::{Facts, names};
use super::meet::of_answer;
use super::{bare, conditions, contents, meet_all, unify};
use crate::{Answers, Verdict};
use kanshape_types::{Conditions, Dim, DtypeTerm, Shape, Tensor, Type, TypeKind};

/// A type above both `a` and `b` that says as much as one can: a part on which they agree stays, one on
/// which they don't is open, and the conditions on the names are those that both have.
///
/// There is a least such type unless the ranks differ and the shapes agree both from the left and from
/// the right (`f32[2]` and `f32[2, 2]` are below `f32[2, ...]` as well as `f32[..., 2]`); then it is
/// one that keeps most, from the left if that is even.
pub fn join(a: &Type, b: &Type) -> Type {
    // What follows from a type's own conditions is used, as if it had been written.
    let (a, b) = match [a, b].map(|ty| refined(&contents::settled(ty))) {
        [Some(a), Some(b)] => (a, b),
        // One that has no values is below every other.
        [None, _] => return b.clone(),
        [_, None] => return a.clone(),
    };
    let sides = Sides {
        a: Facts::of(&a, &[&b]),
        b: Facts::of(&b, &[&a]),
    };
    let ty = sides.ty(&a, &b);
    let of_a = conditions(&a);
    let mut kept: Vec<_> = of_a.into_iter().filter(|c| sides.b.imply(c)).collect();
    for c in conditions(&b) {
        if !kept.contains(&c) && sides.a.imply(&c) {
            kept.push(c);
        }
    }
    // What its contents say is said.
    let facts = contents::facts(&ty);
    kept.retain(|c| !facts.contains(c));
    if kept.is_empty() {
        return ty;
    }
    let ty = ty.with_conditions(kept.into_iter().collect());
    // Each said once, and none that the others say.
    refined(&ty).unwrap_or(ty)
}

/// The same type with what follows from its conditions; none if they do not hold for any value.
fn refined(ty: &Type) -> Option<Type> {
    let own = conditions(ty);
    if own.is_empty() {
        return Some(ty.clone());
    }
    let plain = contents::emptied(ty);
    let solve = |ty: &Type| unify(vec![ty.clone()], vec![Type::UNKNOWN]).solve();
    let is_never = |answers: &mut Answers| answers.verdict() == Verdict::Never;
    let facts = contents::facts(ty);
    if !facts.is_empty() {
        let stated = bare(&plain).with_conditions(own.into_iter().chain(facts).collect());
        if solve(&stated).is_ok_and(|mut answers| is_never(&mut answers)) {
            return None;
        }
    }
    let mut answers = solve(&plain).ok();
    if answers.as_mut().is_some_and(is_never) {
        return None;
    }
    let own = names(ty);
    let is_user = |name: &str| own.iter().any(|n| n == name);
    let found = answers.and_then(|mut answers| match (answers.next(), answers.next()) {
        (Some(answer), None) if answers.complete() => {
            of_answer(&answer, &is_user, (ty, &Type::UNKNOWN))
        }
        _ => None,
    });
    // A name of our own could be taken for one of the other type's.
    let familiar = |ty: &Type| names(ty).iter().all(|name| is_user(name));
    Some(found.filter(familiar).unwrap_or_else(|| ty.clone()))
}

/// The parameter that functions with these two take, if there is one whatever the names denote.
fn taken_by_both(a: &Type, b: &Type) -> Option<Type> {
    let mut met = meet_all(a, b).ok().filter(|met| met.complete)?;
    let only = met.types.pop().filter(|_| met.types.is_empty())?;
    conditions(&only).is_empty().then_some(only)
}

/// What is known on either side.
struct Sides {
    a: Facts,
    b: Facts,
}

impl Sides {
    fn ty(&self, a: &Type, b: &Type) -> Type {
        let alike = |x: &[Type], y: &[Type]| x.len() == y.len();
        match (&a.kind, &b.kind) {
            (TypeKind::Tensor(x), TypeKind::Tensor(y)) => self.tensor(x, y).into(),
            (TypeKind::Tuple(x), TypeKind::Tuple(y)) if alike(x, y) => self.parts(a, b),
            (TypeKind::Adt(f, x), TypeKind::Adt(g, y)) if f == g && alike(x, y) => self.parts(a, b),
            (TypeKind::User(f, x), TypeKind::User(g, y)) if f == g && alike(x, y) => {
                self.parts(a, b)
            }
            (TypeKind::Fn(f), TypeKind::Fn(g)) if alike(&f.params, &g.params) => {
                let params = f.params.iter().zip(&g.params);
                match params.map(|(f, g)| taken_by_both(f, g)).collect() {
                    Some(params) => {
                        let params: Vec<Type> = params;
                        Type::function(params, self.ty(&f.result, &g.result))
                    }
                    None => Type::UNKNOWN,
                }
            }
            (TypeKind::Var(x), TypeKind::Var(y)) if x == y => bare(a),
            _ => Type::UNKNOWN,
        }
    }

    fn parts(&self, a: &Type, b: &Type) -> Type {
        let mut others = b.parts();
        let joined = a.map_parts(&mut |part| match others.next() {
            Some(other) => self.ty(part, other),
            None => Type::UNKNOWN,
        });
        joined.with_conditions(Conditions::NONE)
    }

    fn tensor(&self, a: &Tensor, b: &Tensor) -> Tensor {
        let dtype = match (&a.dtype, &b.dtype) {
            (DtypeTerm::Name(x), DtypeTerm::Name(y)) if x == y => a.dtype.clone(),
            (x, y) => DtypeTerm::from(self.a.set(x) | self.b.set(y)),
        };
        let above = Tensor::new(dtype, self.shape(&a.shape, &b.shape));
        let contents = contents::joined(&above, (a, &self.a), (b, &self.b));
        above.with_contents(contents)
    }

    /// A dim that is right on both sides, if one of the two is.
    fn dim(&self, a: &Dim, b: &Dim) -> Dim {
        if self.a.equal(a, b) {
            b.clone()
        } else if self.b.equal(b, a) {
            a.clone()
        } else {
            Dim::Hole
        }
    }

    fn shape(&self, a: &Shape, b: &Shape) -> Shape {
        if self.a.fits(a, b) {
            return b.clone();
        }
        if self.b.fits(b, a) {
            return a.clone();
        }
        // What else is known of a run is better than its name, since the other side has not that.
        let (a, b) = (&self.a.spelled(a), &self.b.spelled(b));
        let (x, y) = (a.known_dims(), b.known_dims());
        let same_run = match (a.run(), b.run()) {
            (None, None) => true,
            (Some(r), Some(s)) => r == s && (r.name.is_some() || x.len() == y.len()),
            _ => false,
        };
        if same_run && x.len() == y.len() {
            let shape: Shape = x.iter().zip(y).map(|(x, y)| self.dim(x, y)).collect();
            return match a.run() {
                Some(run) => shape.with_run(run.at, run.name.clone()),
                None => shape,
            };
        }
        // The ranks differ, or one is unknown: the dims that both have are counted from the left and from the right
        // on both sides, and in all.
        let from_left = |s: &Shape| {
            if s.run().is_some() {
                s.before().len()
            } else {
                s.known_dims().len()
            }
        };
        let from_right = |s: &Shape| {
            if s.run().is_some() {
                s.after().len()
            } else {
                s.known_dims().len()
            }
        };
        let left: Vec<Dim> = (0..from_left(a).min(from_left(b)))
            .map(|i| self.dim(&x[i], &y[i]))
            .collect();
        let right: Vec<Dim> = (1..=from_right(a).min(from_right(b)))
            .map(|i| self.dim(&x[x.len() - i], &y[y.len() - i]))
            .collect();
        let all = x.len().min(y.len());
        let known = |dims: &[Dim]| -> Vec<usize> {
            let mut sum = 0;
            let counts = dims.iter().map(|d| {
                sum += usize::from(*d != Dim::Hole);
                sum
            });
            std::iter::once(0).chain(counts).collect()
        };
        let (known_left, known_right) = (known(&left), known(&right));
        // Where to stop from the left so that most is kept; later is better if it is even.
        let least = all.saturating_sub(right.len());
        let best = (least..=left.len().min(all)).max_by_key(|&l| {
            let r = right.len().min(all - l);
            (known_left[l] + known_right[r], l)
        });
        let l = best.unwrap_or_else(|| left.len().min(all));
        let r = right.len().min(all - l);
        // The number of dims on which they do not agree.
        let open = std::iter::repeat_n(&Dim::Hole, all - l - r);
        let dims = left[..l].iter().chain(open).chain(right[..r].iter().rev());
        let shape: Shape = dims.cloned().collect();
        shape.with_run(all - r, None)
    }
}
