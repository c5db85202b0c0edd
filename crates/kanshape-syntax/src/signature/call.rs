//! Functions of dims: which there are, and what they take.

use kanshape_diag::{Diagnostic, suggest};

use crate::code;
use crate::problem::{self, refuse};
use crate::signature::failure::Read;
use crate::signature::nominal;
use crate::tree::{DtypeExpr, Expr, Func, Ident, Sign, Span, Spanned};

/// A function with its arguments, before it is known whether there is such a function.
pub(crate) struct Call {
    pub(crate) name: Ident,
    pub(crate) args: Vec<Spanned<Arg>>,
}

/// Whatever may be an argument of some function.
pub(crate) enum Arg {
    /// `n + 1`.
    Expr(Expr),
    /// `a/b`.
    Ratio(Box<(Expr, Expr)>),
    /// `...` or `...r`.
    Run(Option<Ident>),
    /// `[a, b]`.
    List(Vec<Expr>),
}

/// The functions by name; the last is how the long form writes a sum.
const NAMES: [&str; 7] = [
    "min",
    "max",
    "prod",
    "ceil",
    "broadcast",
    "promote",
    "ConcatDim",
];

/// The call as a dim, or as one side of a condition.
pub(crate) fn expr<'i>(call: Call) -> Read<'i, Expr> {
    let func = match &*call.name.node {
        "min" => Func::Min,
        "max" => Func::Max,
        "prod" => Func::Prod,
        "broadcast" => Func::Broadcast,
        "ceil" => return ceil(call),
        "ConcatDim" => return concat(call),
        _ => return Err(refuse(unknown(&call.name))),
    };
    if call.args.is_empty() && func != Func::Prod {
        return Err(refuse(bad(
            call.name.span,
            format!("`{}` needs an argument", call.name.node),
        )));
    }
    let args = call.args.into_iter().map(|arg| dim(arg, func));
    Ok(Expr::Call(func, args.collect::<Result<_, _>>()?))
}

/// `promote(x, y)` as one side of a condition.
pub(crate) fn promotion<'i>(start: usize, args: Vec<DtypeExpr>, end: usize) -> Read<'i, Expr> {
    let args = args.into_iter().map(|arg| match arg {
        DtypeExpr::Name(name) => Ok(Expr::Name(name)),
        DtypeExpr::Promote(args) => promotion(start, args, end),
        DtypeExpr::Set(_) | DtypeExpr::Hole => Err(refuse(bad(
            Span::new(start, end),
            "in a condition `promote` takes names of dtypes only",
        ))),
    });
    Ok(Expr::Call(Func::Promote, args.collect::<Result<_, _>>()?))
}

fn dim<'i>(arg: Spanned<Arg>, func: Func) -> Read<'i, Expr> {
    match arg.node {
        // To broadcast is no arithmetic: what has an identity keeps it.
        Arg::Expr(e) if func == Func::Broadcast => Ok(e),
        Arg::Expr(e) => nominal::no_arithmetic(e),
        Arg::Run(name) if matches!(func, Func::Prod | Func::Broadcast) => Ok(Expr::Run(name)),
        Arg::Run(_) => Err(refuse(
            bad(arg.span, "a run cannot be an argument here")
                .with_help("`prod` takes runs, and in conditions `broadcast`"),
        )),
        Arg::Ratio(..) => Err(refuse(slash(arg.span))),
        Arg::List(_) => Err(refuse(bad(arg.span, "only `ConcatDim` takes a list"))),
    }
}

/// `ceil(a/b)`.
fn ceil<'i>(call: Call) -> Read<'i, Expr> {
    let at = call.name.span;
    let mut args = call.args.into_iter();
    match (args.next().map(|arg| arg.node), args.next()) {
        (Some(Arg::Ratio(ratio)), None) => {
            let (a, b) = *ratio;
            Ok(Expr::CeilDiv(Box::new(a), Box::new(b)))
        }
        _ => Err(refuse(
            bad(at, "`ceil` takes one division").with_help("write `ceil(a/b)`"),
        )),
    }
}

/// `ConcatDim([a, b])`, which is `a + b`.
fn concat<'i>(call: Call) -> Read<'i, Expr> {
    let at = call.name.span;
    let mut args = call.args.into_iter();
    match (args.next().map(|arg| arg.node), args.next()) {
        (Some(Arg::List(mut dims)), None) if dims.len() == 1 => Ok(dims.remove(0)),
        (Some(Arg::List(dims)), None) if !dims.is_empty() => {
            let dims = dims.into_iter().map(nominal::no_arithmetic);
            let terms = dims.map(|dim| dim.map(|dim| (Sign::Plus, dim)));
            Ok(Expr::Sum(terms.collect::<Result<_, _>>()?))
        }
        _ => Err(refuse(
            bad(at, "`ConcatDim` takes one list of dims").with_help("write `ConcatDim([a, b])`"),
        )),
    }
}

fn unknown(name: &Ident) -> Diagnostic {
    let d = problem::new(
        code::UNKNOWN_FUNCTION,
        format!("there is no function `{}`", name.node),
        name.span,
        "",
    );
    match suggest(&name.node, NAMES) {
        Some(near) => d.with_help(format!("did you mean `{near}`?")),
        None if &*name.node == "floor" => d.with_help("`a//b` rounds down"),
        None => d.with_help("the functions of dims are `min`, `max`, `prod` and `ceil`"),
    }
}

fn bad(at: Span, headline: impl Into<String>) -> Diagnostic {
    problem::new(code::BAD_ARGUMENT, headline, at, "")
}

/// The diagnostic of a `/`.
pub(crate) fn slash(at: Span) -> Diagnostic {
    problem::new(
        code::UNEXPECTED,
        "a division must say how it rounds",
        at,
        "",
    )
    .with_help("write `a//b` to round down, or `ceil(a/b)` to round up")
}
