//! [`Measure`]: a float in the contents of a tensor, as far as it is known.
//!
//! Floats are codes ([`float`]), with which nothing can be calculated but in Rust. So a float that is made of sizes is
//! a variable of which a form is kept beside: how many parts of `2^-40` it is. `n` as a float is `2^40*n` such parts,
//! and a half of it `2^39*n`.
//!
//! Such a form is kept only where the dtype has the number exactly. That is a question of how large the sizes are, and
//! mostly nobody says: a number of which no bound is known is taken to be at most `USUAL` in 32 bits, and nothing
//! is said of it in less.

use super::{float, sizes};
use kanshape_engine::{
    Constraint, Domain, Function, Int, Linear, Look, Refined, Relation, State, Stop, Term, Var,
    View,
};
use kanshape_types::{Content, Dtype};
use std::sync::Arc;

/// The parts that a float is counted in.
pub const PARTS: Int = 1 << 40;

/// A float of 32 bits that is made of sizes is followed as if no size were larger than this.
const USUAL: Int = 1 << 16;
/// The same for 64 bits.
const USUAL_64: Int = 1 << 32;

/// Floats beyond this are not counted in parts.
const MOST: f64 = (1u64 << 62) as f64;

/// A float, as far as it is known.
#[derive(Clone, Debug, PartialEq)]
pub enum Measure {
    /// This number.
    Number(f64),
    /// The number of [`PARTS`].
    Parts(Linear),
}

impl Measure {
    /// What is known of a member of contents that are floats.
    pub fn of(state: &State, member: &Linear) -> Result<Option<Measure>, Stop> {
        let member = state.resolve(member)?;
        if let Some(code) = member.as_constant() {
            return Ok(float::value(code).map(Measure::Number));
        }
        let described = member.as_var().and_then(|v| state.attribute(v));
        let form = described.map(|form| state.resolve(form)).transpose()?;
        Ok(form.map(Measure::Parts))
    }

    /// The number as parts, if it is a whole number of them.
    pub fn parts(&self) -> Option<Linear> {
        match self {
            Measure::Parts(form) => Some(form.clone()),
            Measure::Number(x) => {
                let parts = x * PARTS as f64;
                let whole = x.abs() < MOST && parts.fract() == 0.0;
                whole.then(|| Linear::constant(parts as Int))
            }
        }
    }

    /// The number, unless it is made of sizes that are not known.
    pub fn number(&self) -> Option<f64> {
        match self {
            Measure::Number(x) => Some(*x),
            Measure::Parts(_) => None,
        }
    }

    /// The number of parts, in a dtype that has this number exactly.
    pub fn exact(state: &State, parts: Linear, dtype: Dtype) -> Option<Measure> {
        if let Some(n) = parts.as_constant() {
            let x = n as f64 / PARTS as f64;
            let is_exact = (n as f64) as Int == n && Content::nearest(x, dtype) == Some(x);
            return is_exact.then_some(Measure::Number(x));
        }
        let (digits, usual) = match dtype {
            Dtype::F64 => (53, USUAL_64),
            Dtype::F32 => (24, USUAL),
            Dtype::F16 => (11, Int::MAX),
            Dtype::BF16 => (8, Int::MAX),
            _ => return None,
        };
        // In steps of the greatest power of two that divides all of it, it is a whole number.
        let coefficients = parts.terms().iter().map(|t| t.1);
        let all = coefficients.chain([parts.offset()]).filter(|c| *c != 0);
        let step = all.map(|c| c.trailing_zeros()).min().unwrap_or(0);
        let mut most = parts.offset().checked_abs()? >> step;
        for &(v, c) in parts.terms() {
            let (lo, hi) = state.bounds(&Linear::var(v));
            let size = hi.min(usual).max(lo.checked_neg()?);
            most = most.checked_add((c.checked_abs()? >> step).checked_mul(size)?)?;
        }
        (most <= 1 << digits).then_some(Measure::Parts(parts))
    }

    /// From now on a member of contents is this.
    pub fn says(self, view: &mut View<'_>, member: &Linear) -> Result<(), Stop> {
        match self {
            Measure::Number(x) => view.equate(member, &Linear::constant(float::code(x))),
            Measure::Parts(parts) => match view.resolve(member)?.as_var() {
                Some(v) => describe(view, v, parts),
                None => Ok(()),
            },
        }
    }
}

/// Is something known of the float?
pub fn is_measured(look: &mut Look<'_>, arg: &Term) -> Result<bool, Stop> {
    let Term::Int(l) = look.walk(arg) else {
        return Ok(false);
    };
    let l = look.resolve(&l)?;
    look.note_form(&l);
    Ok(Measure::of(look, &l)?.is_some())
}

/// From now on the open variable is the code of the float with this number of parts.
fn describe(state: &mut State, v: Var, parts: Linear) -> Result<(), Stop> {
    state.set_attribute(v, parts.clone());
    let counted = Counted { code: v, parts };
    state.post(Constraint::Custom(Arc::new(counted)))
}

/// A member of contents that is this whole number as a float.
pub fn of_whole(state: &mut State, number: &Linear) -> Result<Linear, Stop> {
    let parts = number.scaled(PARTS)?;
    let v = state.int(Domain::ALL);
    describe(state, v, parts)?;
    Ok(Linear::var(v))
}

/// What is written of a member of contents that is made of sizes: the expression, if the number is whole.
pub fn whole(state: &State, member: &Linear) -> Result<Option<Linear>, Stop> {
    Ok(match Measure::of(state, member)? {
        Some(Measure::Parts(parts)) => divided(&parts, PARTS),
        _ => None,
    })
}

/// Each coefficient divided, if all are multiples.
pub fn divided(form: &Linear, by: Int) -> Option<Linear> {
    let quotient = |n: Int| (n.checked_rem(by)? == 0).then(|| n / by);
    let mut out = Linear::constant(quotient(form.offset())?);
    for &(v, c) in form.terms() {
        out.add_term(v, quotient(c)?).ok()?;
    }
    Some(out)
}

/// A form divided by a positive number, rounded.
pub fn rounded(
    view: &mut View<'_>,
    form: &Linear,
    by: Int,
    function: Function,
) -> Result<Linear, Stop> {
    if let Some(exact) = divided(form, by) {
        return Ok(exact);
    }
    let coefficients = form.terms().iter().map(|t| t.1);
    let all = coefficients.chain([form.offset(), by]).filter(|c| *c != 0);
    let shared = all.map(|c| c.trailing_zeros()).min().unwrap_or(0);
    let (form, by) = match divided(form, 1 << shared) {
        Some(less) => (less, by >> shared),
        None => (form.clone(), by),
    };
    let domain = match view.bounds(&form).0 >= 0 {
        true => sizes(),
        false => Domain::ALL,
    };
    view.apply(function, &[form, Linear::constant(by)], domain)
}

/// A code is that of the float with this number of parts.
#[derive(Debug)]
struct Counted {
    code: Var,
    parts: Linear,
}

impl Relation for Counted {
    fn vars(&self) -> Vec<Var> {
        let code = std::iter::once(self.code);
        code.chain(self.parts.vars()).collect()
    }

    fn refine(&self, view: &mut View<'_>) -> Result<Refined, Stop> {
        let parts = view.resolve(&self.parts)?;
        let Some(n) = parts.as_constant() else {
            return Ok(Refined::Open);
        };
        if (n as f64) as Int == n {
            let code = float::code(n as f64 / PARTS as f64);
            view.equate(&Linear::var(self.code), &Linear::constant(code))?;
        }
        Ok(Refined::Settled)
    }

    fn is_redundant(&self) -> bool {
        true
    }
}
