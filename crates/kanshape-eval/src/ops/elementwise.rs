//! Functions of each element.

use kanshape_types::Dtype;

use crate::array::Array;
use crate::call::Attr;
use crate::context::{Calculate, Context, Outputs};
use crate::scalars::{Function as F, Scalars};
use crate::stop::Stop;

pub(crate) fn find<S: Scalars>(op: &str) -> Option<Calculate<S>> {
    Some(match op {
        "Abs" => |c| mapped(c, F::Abs),
        "Neg" => |c| mapped(c, F::Neg),
        "Sign" => |c| mapped(c, F::Sign),
        "Floor" => |c| mapped(c, F::Floor),
        "Ceil" => |c| mapped(c, F::Ceil),
        "Round" => |c| mapped(c, F::Round),
        "Exp" => |c| mapped(c, F::Exp),
        "Log" => |c| mapped(c, F::Log),
        "Sqrt" => |c| mapped(c, F::Sqrt),
        "Erf" => |c| mapped(c, F::Erf),
        "Tanh" => |c| mapped(c, F::Tanh),
        "Sin" => |c| mapped(c, F::Sin),
        "Cos" => |c| mapped(c, F::Cos),
        "Tan" => |c| mapped(c, F::Tan),
        "Asin" => |c| mapped(c, F::Asin),
        "Acos" => |c| mapped(c, F::Acos),
        "Atan" => |c| mapped(c, F::Atan),
        "Sinh" => |c| mapped(c, F::Sinh),
        "Cosh" => |c| mapped(c, F::Cosh),
        "Asinh" => |c| mapped(c, F::Asinh),
        "Acosh" => |c| mapped(c, F::Acosh),
        "Atanh" => |c| mapped(c, F::Atanh),
        "Not" => |c| mapped(c, F::Not),
        "BitwiseNot" => |c| mapped(c, F::BitNot),
        "Add" => |c| mapped(c, F::Add),
        "Sub" => |c| mapped(c, F::Sub),
        "Mul" => |c| mapped(c, F::Mul),
        "Div" => |c| mapped(c, F::Div),
        "Pow" => |c| mapped(c, F::Pow),
        "And" => |c| mapped(c, F::And),
        "Or" => |c| mapped(c, F::Or),
        "Xor" => |c| mapped(c, F::Xor),
        "BitwiseAnd" => |c| mapped(c, F::BitAnd),
        "BitwiseOr" => |c| mapped(c, F::BitOr),
        "BitwiseXor" => |c| mapped(c, F::BitXor),
        "Mod" => modulo,
        "BitShift" => shift,
        "Max" => |c| folded(c, F::Max),
        "Min" => |c| folded(c, F::Min),
        "Sum" => |c| folded(c, F::Add),
        "Mean" => mean,
        "Equal" => |c| compared(c, F::Equal, false),
        "Less" => |c| compared(c, F::Less, false),
        "LessOrEqual" => |c| compared(c, F::LessOrEqual, false),
        "Greater" => |c| compared(c, F::Less, true),
        "GreaterOrEqual" => |c| compared(c, F::LessOrEqual, true),
        "IsNaN" => |c| compared(c, F::IsNan, false),
        "IsInf" => is_inf,
        "Where" => where_,
        "Identity" => |c| Ok(vec![c.input(0)?.clone()]),
        "Dropout" => dropout,
        "Cast" => cast,
        "CastLike" => |c| {
            let to = c.input(1)?.dtype;
            cast_to(c, to)
        },
        "Clip" => clip,
        "PRelu" => |c| {
            let (x, slope) = (c.input(0)?, c.input(1)?);
            let leaky = |c: &mut Context<'_, S>, x: &[S::Scalar]| {
                let below = c.apply(F::Mul, slope.dtype, x)?;
                by_sign(c, slope.dtype, &x[0], below, x[0].clone())
            };
            Ok(vec![c.elementwise(x.dtype, &[x, slope], leaky)?])
        },
        _ => return activation(op),
    })
}

fn activation<S: Scalars>(op: &str) -> Option<Calculate<S>> {
    Some(match op {
        "Relu" => |c| {
            each(c, |c, d, x| {
                let zero = c.constant(0.0, d)?;
                c.apply(F::Max, d, &[x, zero])
            })
        },
        "Reciprocal" => |c| each(c, |c, d, x| inverse(c, d, x)),
        "Sigmoid" => |c| each(c, |c, d, x| sigmoid(c, d, x)),
        "Softsign" => |c| {
            each(c, |c, d, x| {
                let size = c.apply(F::Abs, d, std::slice::from_ref(&x))?;
                let under = plus(c, d, size, 1.0)?;
                c.apply(F::Div, d, &[x, under])
            })
        },
        "Softplus" => |c| each(c, |c, d, x| softplus(c, d, x)),
        "Mish" => |c| {
            each(c, |c, d, x| {
                let soft = softplus(c, d, x.clone())?;
                let tanh = c.apply(F::Tanh, d, &[soft])?;
                c.apply(F::Mul, d, &[x, tanh])
            })
        },
        "HardSigmoid" => |c| {
            each(c, |c, d, x| {
                let (alpha, beta) = (c.float("alpha", 0.2), c.float("beta", 0.5));
                hard_sigmoid(c, d, x, alpha, beta)
            })
        },
        "HardSwish" => |c| {
            each(c, |c, d, x| {
                // The specification defines it by an attribute, which is a float of 32 bits.
                let hard = hard_sigmoid(c, d, x.clone(), f64::from(1.0_f32 / 6.0), 0.5)?;
                c.apply(F::Mul, d, &[x, hard])
            })
        },
        "Swish" => |c| {
            each(c, |c, d, x| {
                let alpha = c.float("alpha", 1.0);
                let scaled = times(c, d, x.clone(), alpha)?;
                let soft = sigmoid(c, d, scaled)?;
                c.apply(F::Mul, d, &[x, soft])
            })
        },
        "Gelu" => |c| each(c, gelu),
        "LeakyRelu" => |c| {
            each(c, |c, d, x| {
                let alpha = c.float("alpha", 0.01);
                let below = times(c, d, x.clone(), alpha)?;
                by_sign(c, d, &x.clone(), below, x)
            })
        },
        "Elu" => |c| {
            each(c, |c, d, x| {
                let alpha = c.float("alpha", 1.0);
                let below = exp_below(c, d, x.clone(), 1.0, alpha)?;
                by_sign(c, d, &x.clone(), below, x)
            })
        },
        "Celu" => |c| {
            each(c, |c, d, x| {
                let alpha = c.float("alpha", 1.0);
                let below = exp_below(c, d, x.clone(), 1.0 / alpha, alpha)?;
                by_sign(c, d, &x.clone(), below, x)
            })
        },
        "Selu" => |c| {
            each(c, |c, d, x| {
                let alpha = c.float("alpha", 1.673_263_192_176_818_8);
                let gamma = c.float("gamma", 1.050_700_902_938_842_8);
                let below = exp_below(c, d, x.clone(), 1.0, alpha * gamma)?;
                let above = times(c, d, x.clone(), gamma)?;
                by_sign(c, d, &x, below, above)
            })
        },
        "ThresholdedRelu" => |c| {
            each(c, |c, d, x| {
                let alpha = c.float("alpha", 1.0);
                let (alpha, zero) = (c.constant(alpha, d)?, c.constant(0.0, d)?);
                let above = c.apply(F::Less, d, &[alpha, x.clone()])?;
                c.apply(F::Where, d, &[above, x, zero])
            })
        },
        "Shrink" => |c| {
            each(c, |c, d, x| {
                let (lambd, bias) = (c.float("lambd", 0.5), c.float("bias", 0.0));
                let (low, high, zero) = (
                    c.constant(-lambd, d)?,
                    c.constant(lambd, d)?,
                    c.constant(0.0, d)?,
                );
                let below = c.apply(F::Less, d, &[x.clone(), low])?;
                let above = c.apply(F::Less, d, &[high, x.clone()])?;
                let (more, less) = (plus(c, d, x.clone(), bias)?, plus(c, d, x, -bias)?);
                let other = c.apply(F::Where, d, &[above, less, zero])?;
                c.apply(F::Where, d, &[below, more, other])
            })
        },
        _ => return None,
    })
}

/// One function of all inputs, which broadcast.
fn mapped<S: Scalars>(c: &mut Context<'_, S>, function: F) -> Outputs<S::Scalar> {
    let inputs = c.all_inputs()?;
    Ok(vec![c.map(function, &inputs)?])
}

/// A function of each element of the first input.
fn each<S: Scalars>(
    c: &mut Context<'_, S>,
    element: impl Fn(&mut Context<'_, S>, Dtype, S::Scalar) -> Result<S::Scalar, Stop>,
) -> Outputs<S::Scalar> {
    let x = c.input(0)?;
    let own = c.elementwise(x.dtype, &[x], |c, args| {
        element(c, x.dtype, args[0].clone())
    })?;
    Ok(vec![own])
}

fn folded<S: Scalars>(c: &mut Context<'_, S>, function: F) -> Outputs<S::Scalar> {
    let inputs = c.all_inputs()?;
    let dtype = c.input(0)?.dtype;
    let fold = |c: &mut Context<'_, S>, all: &[S::Scalar]| c.fold(function, dtype, all, None);
    Ok(vec![c.elementwise(dtype, &inputs, fold)?])
}

fn mean<S: Scalars>(c: &mut Context<'_, S>) -> Outputs<S::Scalar> {
    let inputs = c.all_inputs()?;
    let dtype = c.input(0)?.dtype;
    let fold = |c: &mut Context<'_, S>, all: &[S::Scalar]| {
        let sum = c.sum(dtype, all)?;
        divided(c, dtype, sum, all.len() as f64)
    };
    Ok(vec![c.elementwise(dtype, &inputs, fold)?])
}

fn compared<S: Scalars>(c: &mut Context<'_, S>, function: F, swap: bool) -> Outputs<S::Scalar> {
    let mut inputs = c.all_inputs()?;
    if swap {
        inputs.reverse();
    }
    let dtype = c.input(0)?.dtype;
    let compare = |c: &mut Context<'_, S>, args: &[S::Scalar]| c.apply(function, dtype, args);
    Ok(vec![c.elementwise(Dtype::Bool, &inputs, compare)?])
}

fn is_inf<S: Scalars>(c: &mut Context<'_, S>) -> Outputs<S::Scalar> {
    let x = c.input(0)?;
    let (positive, negative) = (c.int("detect_positive", 1), c.int("detect_negative", 1));
    let own = c.elementwise(Dtype::Bool, &[x], |c, args| {
        let zero = c.constant(0.0, x.dtype)?;
        let is_inf = c.apply(F::IsInf, x.dtype, args)?;
        let below = c.apply(F::Less, x.dtype, &[args[0].clone(), zero.clone()])?;
        let above = c.apply(F::Less, x.dtype, &[zero, args[0].clone()])?;
        let mut sign = c.apply(F::Or, Dtype::Bool, &[below.clone(), above.clone()])?;
        if positive == 0 {
            sign = c.apply(F::And, Dtype::Bool, &[sign, below])?;
        }
        if negative == 0 {
            sign = c.apply(F::And, Dtype::Bool, &[sign, above])?;
        }
        c.apply(F::And, Dtype::Bool, &[is_inf, sign])
    })?;
    Ok(vec![own])
}

fn modulo<S: Scalars>(c: &mut Context<'_, S>) -> Outputs<S::Scalar> {
    match c.int("fmod", 0) {
        0 => mapped(c, F::Mod),
        _ => mapped(c, F::Fmod),
    }
}

fn shift<S: Scalars>(c: &mut Context<'_, S>) -> Outputs<S::Scalar> {
    match c.text("direction", "") {
        "LEFT" => mapped(c, F::ShiftLeft),
        "RIGHT" => mapped(c, F::ShiftRight),
        _ => Stop::refused("a shift without a direction"),
    }
}

fn where_<S: Scalars>(c: &mut Context<'_, S>) -> Outputs<S::Scalar> {
    let (condition, yes, no) = (c.input(0)?, c.input(1)?, c.input(2)?);
    let own = c.elementwise(yes.dtype, &[condition, yes, no], |c, args| {
        c.apply(F::Where, yes.dtype, args)
    })?;
    Ok(vec![own])
}

fn dropout<S: Scalars>(c: &mut Context<'_, S>) -> Outputs<S::Scalar> {
    if let Some(mode) = c.optional(2)
        && c.numbers(mode)?.iter().any(|own| own.truth())
    {
        return Stop::opaque("Dropout in training");
    }
    let x = c.input(0)?.clone();
    let yes = c.scalars.number(crate::Number::Bool(true));
    let mask = Array::by(Dtype::Bool, x.shape.clone(), |_| Ok(yes.clone()))?;
    Ok([x, mask].into_iter().take(c.call.outputs.max(1)).collect())
}

fn cast<S: Scalars>(c: &mut Context<'_, S>) -> Outputs<S::Scalar> {
    match c.attr("to") {
        Some(Attr::Dtype(to)) => cast_to(c, *to),
        _ => Stop::opaque("a Cast to a dtype that is not known"),
    }
}

fn cast_to<S: Scalars>(c: &mut Context<'_, S>, to: Dtype) -> Outputs<S::Scalar> {
    let x = c.input(0)?;
    let own = c.elementwise(to, &[x], |c, args| c.apply(F::Cast(to), x.dtype, args))?;
    Ok(vec![own])
}

fn clip<S: Scalars>(c: &mut Context<'_, S>) -> Outputs<S::Scalar> {
    let x = c.input(0)?;
    let mut own = x.clone();
    for (function, at, name) in [(F::Max, 1, "min"), (F::Min, 2, "max")] {
        if let Some(bound) = c.optional(at) {
            own = c.map(function, &[&own, bound])?;
        } else if let Some(Attr::Float(bound)) = c.attr(name) {
            let bound = c.constant(*bound, x.dtype)?;
            own = c.elementwise(x.dtype, &[&own.clone()], |c, args| {
                c.apply(function, x.dtype, &[args[0].clone(), bound.clone()])
            })?;
        }
    }
    Ok(vec![own])
}

pub(crate) fn plus<S: Scalars>(
    c: &mut Context<'_, S>,
    d: Dtype,
    x: S::Scalar,
    more: f64,
) -> Result<S::Scalar, Stop> {
    let more = c.constant(more, d)?;
    c.apply(F::Add, d, &[x, more])
}

pub(crate) fn times<S: Scalars>(
    c: &mut Context<'_, S>,
    d: Dtype,
    x: S::Scalar,
    factor: f64,
) -> Result<S::Scalar, Stop> {
    if factor == 1.0 {
        return Ok(x);
    }
    let factor = c.constant(factor, d)?;
    c.apply(F::Mul, d, &[x, factor])
}

pub(crate) fn divided<S: Scalars>(
    c: &mut Context<'_, S>,
    d: Dtype,
    x: S::Scalar,
    by: f64,
) -> Result<S::Scalar, Stop> {
    let by = c.constant(by, d)?;
    c.apply(F::Div, d, &[x, by])
}

fn inverse<S: Scalars>(c: &mut Context<'_, S>, d: Dtype, x: S::Scalar) -> Result<S::Scalar, Stop> {
    let one = c.constant(1.0, d)?;
    c.apply(F::Div, d, &[one, x])
}

fn sigmoid<S: Scalars>(c: &mut Context<'_, S>, d: Dtype, x: S::Scalar) -> Result<S::Scalar, Stop> {
    let negative = c.apply(F::Neg, d, &[x])?;
    let exp = c.apply(F::Exp, d, &[negative])?;
    let under = plus(c, d, exp, 1.0)?;
    inverse(c, d, under)
}

fn softplus<S: Scalars>(c: &mut Context<'_, S>, d: Dtype, x: S::Scalar) -> Result<S::Scalar, Stop> {
    let exp = c.apply(F::Exp, d, &[x])?;
    let more = plus(c, d, exp, 1.0)?;
    c.apply(F::Log, d, &[more])
}

fn hard_sigmoid<S: Scalars>(
    c: &mut Context<'_, S>,
    d: Dtype,
    x: S::Scalar,
    alpha: f64,
    beta: f64,
) -> Result<S::Scalar, Stop> {
    let scaled = times(c, d, x, alpha)?;
    let moved = plus(c, d, scaled, beta)?;
    let (zero, one) = (c.constant(0.0, d)?, c.constant(1.0, d)?);
    let below = c.apply(F::Min, d, &[moved, one])?;
    c.apply(F::Max, d, &[below, zero])
}

fn gelu<S: Scalars>(c: &mut Context<'_, S>, d: Dtype, x: S::Scalar) -> Result<S::Scalar, Stop> {
    let inner = match c.text("approximate", "none") {
        "tanh" => {
            let square = c.apply(F::Mul, d, &[x.clone(), x.clone()])?;
            let cube = c.apply(F::Mul, d, &[square, x.clone()])?;
            let cube = times(c, d, cube, 0.044715)?;
            let both = c.apply(F::Add, d, &[x.clone(), cube])?;
            let scaled = times(c, d, both, (2.0 / std::f64::consts::PI).sqrt())?;
            c.apply(F::Tanh, d, &[scaled])?
        }
        _ => {
            let scaled = divided(c, d, x.clone(), std::f64::consts::SQRT_2)?;
            c.apply(F::Erf, d, &[scaled])?
        }
    };
    let more = plus(c, d, inner, 1.0)?;
    let both = c.apply(F::Mul, d, &[x, more])?;
    times(c, d, both, 0.5)
}

/// `factor * (exp(x * inner) - 1)`.
fn exp_below<S: Scalars>(
    c: &mut Context<'_, S>,
    d: Dtype,
    x: S::Scalar,
    inner: f64,
    factor: f64,
) -> Result<S::Scalar, Stop> {
    let scaled = times(c, d, x, inner)?;
    let exp = c.apply(F::Exp, d, &[scaled])?;
    let less = plus(c, d, exp, -1.0)?;
    times(c, d, less, factor)
}

/// One element where `x` is below 0, and another one else.
fn by_sign<S: Scalars>(
    c: &mut Context<'_, S>,
    d: Dtype,
    x: &S::Scalar,
    below: S::Scalar,
    else_: S::Scalar,
) -> Result<S::Scalar, Stop> {
    let zero = c.constant(0.0, d)?;
    let is_below = c.apply(F::Less, d, &[x.clone(), zero])?;
    c.apply(F::Where, d, &[is_below, below, else_])
}
