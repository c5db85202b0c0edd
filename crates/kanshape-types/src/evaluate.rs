//! [`Dim::at`]: what an expression comes to where its names are sizes.

use kanshape_syntax::tree::{Expr, Func, MulOp, Sign};

use crate::Dim;

impl Dim {
    /// What it comes to where its names are these sizes; nothing if a name has none, if it is not defined there, or if it
    /// is more than can be counted.
    ///
    /// ```
    /// use kanshape::Dim;
    ///
    /// let size: Dim = "4*n*ceil(h/2)".parse()?;
    /// assert_eq!(size.at(&|name| Some(if name == "n" { 3 } else { 7 })), Some(48));
    /// assert_eq!(size.at(&|_| None), None);
    /// # Ok::<(), kanshape::Diagnostic>(())
    /// ```
    pub fn at(&self, sizes: &dyn Fn(&str) -> Option<u64>) -> Option<u64> {
        match self {
            Dim::Name(name) => sizes(name),
            Dim::Expr(e) => u64::try_from(value_at(e, sizes)?).ok(),
            Dim::Size(_) | Dim::Nominal(_) | Dim::Hole => self.extent(),
        }
    }

    /// The same of a number that need not be a size: an attribute `3 - n` may be below 0.
    ///
    /// ```
    /// use kanshape::Dim;
    ///
    /// let pad: Dim = "3 - n".parse()?;
    /// assert_eq!(pad.integer_at(&|_| Some(5)), Some(-2));
    /// # Ok::<(), kanshape::Diagnostic>(())
    /// ```
    pub fn integer_at(&self, sizes: &dyn Fn(&str) -> Option<u64>) -> Option<i64> {
        match self {
            Dim::Expr(e) => i64::try_from(value_at(e, sizes)?).ok(),
            dim => i64::try_from(dim.at(sizes)?).ok(),
        }
    }
}

/// The integer that an expression is where its names are these sizes; nothing if a name has none, if it is not defined there, or if it is
/// more than can be counted.
// Expressions are nowhere nested deeper than texts may be, so that this may recurse.
pub fn value_at(e: &Expr, sizes: &dyn Fn(&str) -> Option<u64>) -> Option<i128> {
    match e {
        Expr::Int(n) => Some(i128::from(*n)),
        Expr::Name(name) => sizes(&name.node).map(i128::from),
        Expr::Sum(terms) => terms.iter().try_fold(0i128, |sum, (sign, term)| {
            let term = value_at(term, sizes)?;
            match sign {
                Sign::Plus => sum.checked_add(term),
                Sign::Minus => sum.checked_sub(term),
            }
        }),
        Expr::Chain(first, rest) => {
            let first = value_at(first, sizes)?;
            rest.iter().try_fold(first, |product, (op, factor)| {
                let factor = value_at(factor, sizes)?;
                match op {
                    MulOp::Mul => product.checked_mul(factor),
                    MulOp::FloorDiv => floor(product, factor),
                    MulOp::Mod => product.checked_sub(factor.checked_mul(floor(product, factor)?)?),
                }
            })
        }
        Expr::CeilDiv(a, b) => {
            floor(value_at(a, sizes)?.checked_neg()?, value_at(b, sizes)?)?.checked_neg()
        }
        Expr::Call(func, args) => {
            let args = args.iter().map(|arg| value_at(arg, sizes));
            let args: Vec<i128> = args.collect::<Option<_>>()?;
            match func {
                Func::Min => args.into_iter().min(),
                Func::Max => args.into_iter().max(),
                Func::Prod => args.into_iter().try_fold(1i128, i128::checked_mul),
                Func::Broadcast => args.into_iter().try_fold(1, |out, x| match (out, x) {
                    (1, x) => Some(x),
                    (out, x) => (x == 1 || x == out).then_some(out),
                }),
                Func::Promote => None,
            }
        }
        Expr::Nominal(_) | Expr::Run(_) | Expr::List(_) => None,
    }
}

fn floor(a: i128, b: i128) -> Option<i128> {
    let quotient = a.checked_div(b)?;
    let is_below = a % b != 0 && (a < 0) != (b < 0);
    Some(quotient - i128::from(is_below))
}
