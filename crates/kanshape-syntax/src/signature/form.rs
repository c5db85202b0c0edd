//! The parts of signatures and conditions that the grammar alone cannot finish.

use std::collections::BTreeMap;

use kanshape_diag::{Diagnostic, suggest};

use crate::code;
use crate::problem::{self, refuse};
use crate::signature::failure::Read;
use crate::signature::nominal;
use crate::tree::{
    CmpOp, Condition, DtypeExpr, Expr, Ident, Item, MulOp, Operand, Param, Pattern, Prefix,
    Relation, Sign, Signature, Span, Spanned, Type,
};
use crate::uses::{self, Role};

/// `dim a` or `dtype x` at the head of the long form.
pub(crate) enum Declaration {
    Dim(Ident),
    Dtype(Ident),
}

/// The short form, without conditions yet. Boxed, since the parser moves it about.
pub(crate) fn short(
    params: Vec<Param>,
    prefix: Option<Prefix>,
    inputs: Vec<Operand>,
    outputs: Vec<Operand>,
) -> Box<Signature> {
    Box::new(Signature {
        params,
        prefix,
        inputs,
        outputs,
        conditions: Vec::new(),
        variables: Vec::new(),
        relations: Vec::new(),
    })
}

pub(crate) fn with_conditions(
    mut signature: Box<Signature>,
    conditions: Vec<Spanned<Condition>>,
) -> Box<Signature> {
    signature.conditions = conditions;
    signature
}

/// The long form with declared dims and dtypes: the tree of the short line that says the same.
pub(crate) fn long<'i>(
    declarations: Vec<Declaration>,
    inputs: Vec<Operand>,
    outputs: Vec<Operand>,
) -> Read<'i, Box<Signature>> {
    let mut dims = Declared::default();
    let mut all = Declared::default();
    for declaration in &declarations {
        match declaration {
            Declaration::Dim(name) => {
                dims.add(name)?;
                all.add(name)?;
            }
            Declaration::Dtype(name) => all.add(name)?,
        }
    }
    let signature = short(Vec::new(), None, inputs, outputs);
    // Which names are dtypes and need no declaration, only their meaning tells.
    for used in uses::of_signature(&signature) {
        if matches!(used.role, Role::Dim | Role::Optional) {
            dims.check(used.name, used.span, "dim")?;
        }
    }
    Ok(signature)
}

/// The long form with declared types and relations between them.
pub(crate) fn relational<'i>(
    binders: Vec<Vec<Ident>>,
    relations: Vec<Spanned<Relation>>,
    inputs: Vec<Operand>,
    outputs: Vec<Operand>,
) -> Read<'i, Box<Signature>> {
    let variables: Vec<Ident> = binders.into_iter().flatten().collect();
    let mut types = Declared::default();
    for name in &variables {
        types.add(name)?;
    }
    let operands = inputs.iter().chain(&outputs);
    let used = operands.filter_map(|operand| match &operand.pattern {
        Pattern::Type(ty) => match &ty.node {
            Type::Name(name) => Some(name),
            _ => None,
        },
        Pattern::Shape(_) => None,
    });
    for name in relations.iter().flat_map(|r| &r.node.args).chain(used) {
        types.check(&name.node, name.span, "type")?;
    }
    drop(types);
    let mut signature = short(Vec::new(), None, inputs, outputs);
    signature.variables = variables;
    signature.relations = relations;
    Ok(signature)
}

/// `Lhs` of the relational form.
pub(crate) fn type_variable(name: Ident) -> Operand {
    let span = name.span;
    whole_type(Type::Name(name), span)
}

/// A type as an operand. It prints as it stands, so its print must start with a word as well.
pub(crate) fn type_operand<'i>(start: usize, ty: Type, end: usize) -> Read<'i, Operand> {
    let span = Span::new(start, end);
    let refused = |headline: &str, help: &str| {
        let d = problem::new(code::NOT_AN_OPERAND, headline, span, "");
        Err(refuse(d.with_help(help)))
    };
    match &ty {
        Type::Tuple(_) => refused("a tuple cannot be an operand", NO_TUPLE),
        Type::Tensor { dtype, .. } => match &dtype.node {
            DtypeExpr::Hole => refused(
                "the dtype of an operand is no hole",
                "in a signature give the dtype a name: it stands for any",
            ),
            DtypeExpr::Name(name) if &*name.node == "where" => refused(
                "an operand cannot start with `where`",
                "there the conditions begin: give the dtype another name",
            ),
            _ => Ok(whole_type(ty, span)),
        },
        _ => Ok(whole_type(ty, span)),
    }
}

/// Why there are no operands that are tuples, and what there is instead.
pub(crate) const NO_TUPLE: &str = "in parentheses stand the dims of a shape, `(m, n)`; \
     the members of a tuple are operands of their own: `t[m, n], A`";

fn whole_type(ty: Type, span: Span) -> Operand {
    Operand {
        pattern: Pattern::Type(Box::new(Spanned::new(ty, span))),
        dtype: None,
        span,
    }
}

pub(crate) fn item(start: usize, item: Item, end: usize) -> Spanned<Item> {
    Spanned::new(item, Span::new(start, end))
}

/// `n|1`, where the number had better be 1.
pub(crate) fn or_one<'i>(
    start: usize,
    dim: Expr,
    one: Spanned<u64>,
    end: usize,
) -> Read<'i, Spanned<Item>> {
    if one.node != 1 {
        return Err(refuse(
            problem::new(
                code::NOT_ONE,
                "only 1 can stand after `|`",
                one.span,
                "not 1",
            )
            .with_help("`n|1` is a dim that may also be 1, and then stretches to `n`"),
        ));
    }
    Ok(item(start, Item::OrOne(dim), end))
}

/// `-a*b//c`: the sign belongs to `a`, as in Python. It makes no difference where nothing is rounded, and then the product
/// keeps it.
pub(crate) fn negated(first: Expr, factors: Vec<(MulOp, Expr)>) -> (Sign, Expr) {
    if factors.iter().all(|(op, _)| *op == MulOp::Mul) {
        return (Sign::Minus, Expr::Chain(Box::new(first), factors));
    }
    let first = Expr::Sum(vec![(Sign::Minus, first)]);
    (Sign::Plus, Expr::Chain(Box::new(first), factors))
}

/// The sum of some terms; one is just that.
pub(crate) fn sum(mut terms: Vec<(Sign, Expr)>) -> Expr {
    match terms.pop() {
        Some((Sign::Plus, only)) if terms.is_empty() => only,
        last => {
            terms.extend(last);
            Expr::Sum(terms)
        }
    }
}

/// A chain of comparisons.
pub(crate) fn compare<'i>(
    start: usize,
    first: Spanned<Expr>,
    rest: Vec<(CmpOp, Spanned<Expr>)>,
    end: usize,
) -> Read<'i, Spanned<Condition>> {
    runs_are_equal(&first, &rest)?;
    nominal::no_order(&first, &rest)?;
    let rest = rest.into_iter().map(|(op, side)| (op, side.node)).collect();
    Ok(Spanned::new(
        Condition::Compare(first.node, rest),
        Span::new(start, end),
    ))
}

/// A run can only be equal to something, and a list of dims only to a run.
fn runs_are_equal<'i>(first: &Spanned<Expr>, rest: &[(CmpOp, Spanned<Expr>)]) -> Read<'i, ()> {
    let compared = |headline: &str, at: Span, label: &str, help: &str| {
        let d = problem::new(code::RUN_COMPARED, headline, at, label);
        Err(refuse(d.with_help(help)))
    };
    let only_equal = rest.iter().all(|(op, _)| *op == CmpOp::Eq);
    let sides = || std::iter::once(first).chain(rest.iter().map(|(_, side)| side));
    let run = sides().find(|side| matches!(side.node, Expr::Run(_)));
    if let (Some(run), false) = (run, only_equal) {
        return compared(
            "a run can be compared by `==` only",
            run.span,
            "this is a run of dims",
            "compare one dim, or the product of a run: `prod(...r) >= 2`",
        );
    }
    for (left, right) in sides().zip(sides().skip(1)) {
        let (list, other) = match (&left.node, &right.node) {
            (Expr::List(_), _) => (left, right),
            (_, Expr::List(_)) => (right, left),
            _ => continue,
        };
        if !matches!(other.node, Expr::Run(_)) {
            return compared(
                "a list of dims says what a run is",
                list.span,
                "the other side of the `==` is no run",
                "write `...r == [2, n]`",
            );
        }
    }
    Ok(())
}

/// The names that a long form declares, and where.
#[derive(Default)]
struct Declared<'a>(BTreeMap<&'a str, Span>);

impl<'a> Declared<'a> {
    fn add<'i>(&mut self, name: &'a Ident) -> Read<'i, ()> {
        match self.0.insert(&name.node, name.span) {
            None => Ok(()),
            Some(first) => Err(refuse(
                problem::new(
                    code::DECLARED_TWICE,
                    format!("`{}` is declared twice", name.node),
                    name.span,
                    "here again",
                )
                .with_label(first.into(), "first here")
                .with_help("once is enough: a name can be used any number of times"),
            )),
        }
    }

    fn check<'i>(&self, name: &str, at: Span, kind: &str) -> Read<'i, ()> {
        if self.0.contains_key(name) {
            return Ok(());
        }
        let d: Diagnostic = problem::new(
            code::UNDECLARED,
            format!("the {kind} `{name}` is not declared"),
            at,
            "",
        );
        let near = suggest(name, self.0.keys().copied());
        Err(refuse(match near {
            Some(near) => d.with_help(format!("did you mean `{near}`?")),
            None => d.with_help(format!(
                "a long form declares its names in front: `{}`",
                match kind {
                    "type" => format!("({name} : Type)"),
                    _ => format!("{kind} {name}"),
                }
            )),
        }))
    }
}
