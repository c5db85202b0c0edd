//! What makes a text well formed beyond its grammar.
//!
//! Most texts use nothing that could be wrong here, and a first look tells; only then are the
//! uses of all names gathered and compared.

use kanshape_diag::Diagnostic;

use crate::code;
use crate::problem;
use crate::signature::contents;
use crate::tree::{
    DimItem, DtypeExpr, Expr, Func, Item, Operand, Pattern, Sign, Signature, Span, Spanned, Type,
    TypeText,
};
use crate::uses::{self, Role, Use};

pub(crate) type Checked = Result<(), Box<Diagnostic>>;

/// Checks a signature.
pub(crate) fn signature(signature: &Signature) -> Checked {
    params(signature)?;
    let mut names_matter = !signature.conditions.is_empty();
    for operand in signature.inputs.iter().chain(&signature.outputs) {
        names_matter |= check_operand(operand)?;
    }
    if names_matter {
        let uses = uses::of_signature(signature);
        roles(&uses)?;
        runs(&uses)?;
    }
    Ok(())
}

/// Checks a type.
pub(crate) fn ty(text: &TypeText) -> Checked {
    let mut names_matter = !text.conditions.is_empty();
    check_type(&text.ty.node, &mut names_matter)?;
    if names_matter {
        roles(&uses::of_type(&text.ty.node, &text.conditions))?;
    }
    Ok(())
}

fn params(signature: &Signature) -> Checked {
    if signature.params.len() < 2 {
        return Ok(());
    }
    let labels = signature.params.iter().map(|p| &p.label);
    let names = signature.params.iter().map(|p| &p.name);
    for mut idents in [labels.collect::<Vec<_>>(), names.collect()] {
        // A stable sort: the first in the text stays the first.
        idents.sort_by(|a, b| a.node.cmp(&b.node));
        for pair in idents.windows(2) {
            if pair[0] == pair[1] {
                return Err(Box::new(
                    problem::new(
                        code::PARAM_TWICE,
                        format!("the parameter `{}` is given twice", pair[1].node),
                        pair[1].span,
                        "here again",
                    )
                    .with_label(pair[0].span.into(), "first here")
                    .with_help("once is enough: a parameter can be used any number of times"),
                ));
            }
        }
    }
    Ok(())
}

/// Checks an operand by itself, and tells whether what its names denote matters.
fn check_operand(operand: &Operand) -> Result<bool, Box<Diagnostic>> {
    let items = match &operand.pattern {
        Pattern::Shape(items) => items,
        Pattern::Type(ty) => {
            check_type(&ty.node, &mut false)?;
            contents::none(&ty.node)?;
            return Ok(true);
        }
    };
    let mut names_matter = operand.dtype.is_some();
    let mut run: Option<Span> = None;
    let mut optional = None;
    let mut skip = None;
    for item in items {
        match &item.node {
            Item::Dim(Expr::Name(_) | Expr::Int(_) | Expr::Nominal(_))
            | Item::OrOne(_)
            | Item::Skip(_) => {}
            Item::Dim(e) => {
                names_matter = true;
                whole_dim(e, item.span)?;
            }
            Item::Optional(_) => {
                names_matter = true;
                optional.get_or_insert(item.span);
            }
            Item::Run(name) => {
                names_matter |= name.is_some();
                if let Some(first) = run.replace(item.span) {
                    return Err(two_runs(item.span, first));
                }
            }
            Item::SkipNamed(_) => {
                skip.get_or_insert(item.span);
            }
        }
    }
    if let (Some(optional), Some(skip)) = (optional, skip) {
        return Err(Box::new(
            problem::new(
                code::OPTIONAL_BESIDE_SKIP,
                "an operand cannot have both an optional dim and a run of unknown length",
                optional,
                "this may be absent",
            )
            .with_label(skip.into(), "so how long is this?")
            .with_help("write the length of the run, `.2.`, or a signature for each case"),
        ));
    }
    if let Some(dtype) = &operand.dtype {
        no_holes(&dtype.node, dtype.span)?;
    }
    Ok(names_matter)
}

fn two_runs(second: Span, first: Span) -> Box<Diagnostic> {
    Box::new(
        problem::new(
            code::TWO_RUNS,
            "an operand can have one run of unknown length",
            second,
            "a second run",
        )
        .with_label(first.into(), "the first")
        .with_help("say how long one of them is: `.2.` is a run of two dims, `.k.` of `k`"),
    )
}

/// Checks the list of dims that a run is compared with.
pub(crate) fn list(items: &[Spanned<DimItem>]) -> Checked {
    items.iter().try_for_each(|item| match &item.node {
        DimItem::Dim(e) => whole_dim(e, item.span),
        DimItem::Hole | DimItem::Run(_) => Ok(()),
    })
}

/// Checks an expression that is a dim by itself.
fn whole_dim(e: &Expr, at: Span) -> Checked {
    if let Expr::Sum(terms) = e
        && let [(Sign::Minus, Expr::Int(_))] = &terms[..]
    {
        return Err(Box::new(
            problem::new(code::NEGATIVE_SIZE, "a size cannot be negative", at, "")
                .with_help("a dim of any size is a name, or in a type `?`"),
        ));
    }
    of_dims(e, at)
}

/// Checks an expression that is a number in a tensor, of either sign.
pub(crate) fn number(e: &Expr, at: Span) -> Checked {
    match e {
        Expr::Nominal(n) => Err(Box::new(
            problem::new(
                code::NO_ARITHMETIC,
                "a number in a tensor has no identity",
                at,
                "only a dim has one",
            )
            .with_help(format!("write the plain number: `{}`", n.size)),
        )),
        e => of_dims(e, at),
    }
}

/// Some functions make no dim that the solver could count with.
fn of_dims(e: &Expr, around: Span) -> Checked {
    match e {
        // The grammar lets no list stand inside a dim.
        Expr::Int(_) | Expr::Name(_) | Expr::Nominal(_) | Expr::Run(_) | Expr::List(_) => Ok(()),
        Expr::Sum(terms) => terms.iter().try_for_each(|(_, e)| of_dims(e, around)),
        Expr::Chain(first, rest) => {
            of_dims(first, around)?;
            rest.iter().try_for_each(|(_, e)| of_dims(e, around))
        }
        Expr::CeilDiv(a, b) => {
            of_dims(a, around)?;
            of_dims(b, around)
        }
        Expr::Call(func @ (Func::Broadcast | Func::Promote), _) => Err(Box::new(
            problem::new(
                code::CONDITIONS_ONLY,
                format!("`{func}` stands in conditions only"),
                around,
                "this is a dim",
            )
            .with_help(match func {
                Func::Promote => {
                    "it makes a dtype, which stands behind a colon: `(n):promote(x,y)`".to_owned()
                }
                _ => format!("give the dim a name, and say what it is: `where d == {func}(a, b)`"),
            }),
        )),
        Expr::Call(_, args) => args.iter().try_for_each(|e| of_dims(e, around)),
    }
}

fn no_holes(dtype: &DtypeExpr, around: Span) -> Checked {
    match dtype {
        DtypeExpr::Name(_) | DtypeExpr::Set(_) => Ok(()),
        DtypeExpr::Promote(args) => args.iter().try_for_each(|d| no_holes(d, around)),
        DtypeExpr::Hole => Err(Box::new(
            problem::new(
                code::UNEXPECTED,
                "a hole stands in types only",
                around,
                "`?` in here",
            )
            .with_help("in a signature give the dtype a name: it stands for any"),
        )),
    }
}

/// Checks a type by itself, and tells whether what its names denote may matter.
fn check_type(ty: &Type, names_matter: &mut bool) -> Checked {
    match ty {
        Type::Hole | Type::Name(_) => Ok(()),
        Type::Tensor {
            dtype,
            shape,
            contents,
        } => {
            *names_matter |= contents.is_some();
            for item in shape {
                match &item.node {
                    DimItem::Hole
                    | DimItem::Dim(Expr::Int(_) | Expr::Nominal(_))
                    | DimItem::Run(None) => {}
                    DimItem::Dim(Expr::Name(dim)) => {
                        let same = matches!(&dtype.node, DtypeExpr::Name(name) if name == dim);
                        *names_matter |= same || !matches!(dtype.node, DtypeExpr::Name(_));
                    }
                    DimItem::Run(Some(_)) => *names_matter = true,
                    DimItem::Dim(e) => {
                        *names_matter = true;
                        whole_dim(e, item.span)?;
                    }
                }
            }
            Ok(())
        }
        Type::Tuple(types) | Type::Adt(_, types) => {
            *names_matter = true;
            types
                .iter()
                .try_for_each(|ty| check_type(&ty.node, names_matter))
        }
        Type::Fn(args, result) => {
            *names_matter = true;
            args.iter()
                .try_for_each(|ty| check_type(&ty.node, names_matter))?;
            check_type(&result.node, names_matter)
        }
    }
}

/// A name denotes one kind of thing.
fn roles(uses: &[Use<'_>]) -> Checked {
    let mut sorted: Vec<&Use<'_>> = uses.iter().filter(|u| !u.name.is_empty()).collect();
    sorted.sort_by(|a, b| (a.name, a.span.start).cmp(&(b.name, b.span.start)));
    let mut worst: Option<(&Use<'_>, &Use<'_>)> = None;
    for same in sorted.chunk_by(|a, b| a.name == b.name) {
        // The first use in each role will do: there are few roles and may be many uses.
        let mut firsts: Vec<&Use<'_>> = Vec::new();
        let clash = same.iter().find_map(|second| {
            let first = firsts.iter().find(|first| clash(first.role, second.role));
            let clash = first.map(|first| (*first, *second));
            if firsts.iter().all(|first| first.role != second.role) {
                firsts.push(second);
            }
            clash
        });
        let earlier = |(_, second): &(&Use<'_>, &Use<'_>)| {
            worst.is_none_or(|(_, worst)| second.span.start < worst.span.start)
        };
        if let Some(clash) = clash.filter(earlier) {
            worst = Some(clash);
        }
    }
    match worst {
        None => Ok(()),
        Some((first, second)) => Err(clashing(first, second)),
    }
}

fn clash(a: Role, b: Role) -> bool {
    use Role::{Dim, DimOrDtype, Dtype, Run, RunArg};
    match (a.min(b), a.max(b)) {
        (Dim, DimOrDtype) | (Dtype, DimOrDtype) | (Run, RunArg) => false,
        (a, b) => a != b,
    }
}

fn clashing(first: &Use<'_>, second: &Use<'_>) -> Box<Diagnostic> {
    let name = second.name;
    let kind = |role| match role {
        Role::Dim | Role::DimOrDtype => "a dim",
        Role::Optional => "an optional dim",
        Role::Run | Role::RunArg => "a run",
        Role::Dtype => "a dtype",
        Role::Type => "a type",
    };
    let optional = [first.role, second.role].contains(&Role::Optional);
    let dims = [Role::Dim, Role::DimOrDtype, Role::Optional];
    Box::new(
        if optional && dims.contains(&first.role) && dims.contains(&second.role) {
            problem::new(
                code::OPTIONAL_AND_PLAIN,
                format!("`{name}` is optional in one place and not in another"),
                second.span,
                kind(second.role).replace("a dim", "not optional here"),
            )
            .with_label(
                first.span.into(),
                kind(first.role).replace("a dim", "not optional here"),
            )
            .with_help(format!(
                "an optional dim is absent everywhere or nowhere: write `{name}?` in every place"
            ))
        } else {
            let d = problem::new(
                code::TWO_ROLES,
                format!(
                    "`{name}` cannot be both {} and {}",
                    kind(first.role),
                    kind(second.role)
                ),
                second.span,
                format!("here it is {}", kind(second.role)),
            )
            .with_label(
                first.span.into(),
                format!("here it is {}", kind(first.role)),
            );
            match (first.role, second.role) {
                // Between brackets a name is a dim, unless something says that it is a type.
                (Role::Type, Role::Dim) | (Role::Dim, Role::Type) => {
                    d.with_help(format!("arguments that are types: `List[type {name}]`"))
                }
                (Role::Run | Role::RunArg, Role::Dim) | (Role::Dim, Role::Run | Role::RunArg) => d
                    .with_help(format!(
                        "a run has its dots wherever it stands: `...{name}`, `prod(...{name})`; a dim has another name"
                    )),
                _ => d.with_help("give one of the two another name"),
            }
        },
    )
}

/// A run that a function or a condition speaks of stands in some operand.
fn runs(uses: &[Use<'_>]) -> Checked {
    let mut known: Vec<&str> = Vec::new();
    known.extend(uses.iter().filter(|u| u.role == Role::Run).map(|u| u.name));
    known.sort_unstable();
    let missing = uses
        .iter()
        .find(|u| u.role == Role::RunArg && known.binary_search(&u.name).is_err());
    match missing {
        None => Ok(()),
        Some(run) => Err(Box::new(
            problem::new(
                code::NO_SUCH_RUN,
                format!("no operand has the run `...{}`", run.name),
                run.span,
                "",
            )
            .with_help(format!(
                "an operand has it as one of its dims: `(d,...{})`",
                run.name
            )),
        )),
    }
}
