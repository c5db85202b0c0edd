//! Linear forms that a product never crosses, whatever its factors are: where nothing bounds them, bounds say nothing of
//! `x*y - x`, and these say that it is not negative.
//!
//! They are the envelopes of McCormick, *Computability of global solutions to factorable nonconvex programs*,
//! Mathematical Programming 10 (1976).

use crate::int::{INF, Int, NEG_INF, bound_mul, finite};
use crate::limits::{MAX_ENVELOPE_TERMS, TIGHT_BOUND};
use crate::linear::{Linear, Var};
use crate::store::State;
use crate::store::bounds::of_linear;
use smallvec::SmallVec;

/// Can factors say more of the product `v` in the short form `l` than its bounds do?
pub(crate) fn says_more(state: &State, v: Var, factors: &[Linear], l: &Linear) -> bool {
    let (lo, hi) = state.var_bounds(v);
    let is_wide = lo < -TIGHT_BOUND || hi > TIGHT_BOUND;
    let is_beside = |f: &Linear| {
        let f = state.resolve(f);
        f.is_ok_and(|f| f.vars().any(|w| l.coefficient(w) != 0))
    };
    is_wide && l.terms().len() <= MAX_ENVELOPE_TERMS && factors.iter().any(is_beside)
}

/// Is `l`, of which bounds say little, always less than a product, or always more? Numbers that grow too large say
/// nothing.
pub(crate) fn excludes(state: &State, factors: &[Linear], l: &Linear) -> bool {
    if l.terms().len() > MAX_ENVELOPE_TERMS {
        return false;
    }
    let (lo, hi) = of_linear(state, l);
    let is_beyond = |form: &Linear, above: bool| {
        let form = state.resolve(form).ok()?;
        let mut beyond = match above {
            true => l.minus(&form).ok()?,
            false => form.minus(l).ok()?,
        };
        beyond.add_constant(-1).ok()?;
        Some(of_linear(state, &beyond).0 >= 0)
    };
    [(false, hi > TIGHT_BOUND), (true, lo < -TIGHT_BOUND)]
        .into_iter()
        .filter(|(_, is_wide)| *is_wide)
        .any(|(above, _)| {
            let mut forms = forms(state, factors, above).into_iter();
            forms.any(|form| is_beyond(&form, above) == Some(true))
        })
}

/// Forms that a product is never less than, or never more with `above`. For factors `x` and `y` that are not less than
/// `a` and `b` this is `(x - a)*(y - b) >= 0`, multiplied out; the others are the same from the other ends.
pub(crate) fn forms(state: &State, factors: &[Linear], above: bool) -> SmallVec<[Linear; 2]> {
    let mut forms = SmallVec::new();
    let bounds = |f: &Linear| {
        state
            .resolve(f)
            .map_or((NEG_INF, INF), |f| of_linear(state, &f))
    };
    let of_two = |x: &Linear, y: &Linear, a: Int, b: Int| {
        if !finite(a) || !finite(b) {
            return None;
        }
        let mut form = x.scaled(b).ok()?.add_scaled(y, a).ok()?;
        form.add_constant(a.checked_mul(b)?.checked_neg()?).ok()?;
        Some(form)
    };
    match factors {
        [x, y] => {
            let ((x_lo, x_hi), (y_lo, y_hi)) = (bounds(x), bounds(y));
            let ends = match above {
                false => [(x_lo, y_lo), (x_hi, y_hi)],
                true => [(x_hi, y_lo), (x_lo, y_hi)],
            };
            forms.extend(ends.into_iter().filter_map(|(a, b)| of_two(x, y, a, b)));
        }
        // Of naturals, each times the least that the others come to.
        _ if !above => {
            let least: SmallVec<[Int; 4]> = factors.iter().map(|f| bounds(f).0).collect();
            if least.iter().all(|n| *n >= 0) {
                for (i, x) in factors.iter().enumerate() {
                    let others = least.iter().enumerate().filter(|(j, _)| *j != i);
                    let others = others.fold(1, |product, (_, n)| bound_mul(product, *n));
                    forms.extend(x.scaled(others).ok().filter(|_| finite(others)));
                }
            }
        }
        _ => {}
    }
    forms
}
