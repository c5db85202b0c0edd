//! Does it follow that a run is another, or has the dims of a list?

use super::minimal::{NameScope, follows};
use kanshape_engine::{Linear, Part, State};
use kanshape_rules::encode::Scope;
use kanshape_rules::given::expr;
use kanshape_syntax::tree::{CmpOp, DimItem, Expr, Ident, Span, Spanned};
use kanshape_types::{Name, Promotion};

/// Does `left == right` follow, one of which is a run? That it could not be found out counts as no.
pub(super) fn same_run(
    state: &State,
    known: &NameScope,
    left: &Expr,
    right: &Expr,
    promotion: Promotion,
) -> bool {
    let (mut state, mut known) = (state.clone(), known.clone());
    let (name, other) = match (left, right) {
        (Expr::Run(name), other) | (other, Expr::Run(name)) => (name, other),
        _ => return false,
    };
    let mut parts = |name: &Option<Ident>| {
        let run = known.run(&mut state, name.as_ref().map(|n| &*n.node));
        run.map(|run| state.parts(&run)).ok()
    };
    let Some(run) = parts(name) else {
        return false;
    };
    match other {
        Expr::Run(other) => parts(other).is_some_and(|other| alike(&state, &run, &other)),
        Expr::List(items) => {
            let named = items.iter().find_map(|item| match &item.node {
                DimItem::Run(Some(_)) => Some(&item.node),
                _ => None,
            });
            let inner = match named {
                Some(DimItem::Run(name)) => parts(name),
                _ => None,
            };
            has_dims(&state, &known, &run, items, inner, promotion)
        }
        _ => false,
    }
}

fn alike(state: &State, a: &[Part], b: &[Part]) -> bool {
    let same = |pair: (&Part, &Part)| match pair {
        (Part::One(a), Part::One(b)) => state.resolve(a).ok() == state.resolve(b).ok(),
        (Part::Run(a), Part::Run(b)) => state.root(*a) == state.root(*b),
        _ => false,
    };
    a.len() == b.len() && a.iter().zip(b).all(same)
}

/// Is each dim of a run what a list says? `inner` is what the run with a name in it is.
fn has_dims(
    state: &State,
    known: &NameScope,
    run: &[Part],
    items: &[Spanned<DimItem>],
    inner: Option<Vec<Part>>,
    promotion: Promotion,
) -> bool {
    let is_run = |item: &Spanned<DimItem>| matches!(item.node, DimItem::Run(_));
    let at = items.iter().position(is_run);
    let (before, after) = items.split_at(at.unwrap_or(items.len()));
    let after = after.get(1..).unwrap_or(&[]);
    let Some(left) = run.len().checked_sub(before.len() + after.len()) else {
        return false;
    };
    let (first, rest) = run.split_at(before.len());
    let (middle, last) = rest.split_at(left);
    let middle = match (at, inner) {
        (None, _) => middle.is_empty(),
        (Some(_), None) => true,
        (Some(_), Some(inner)) => alike(state, middle, &inner),
    };
    let mut pairs = first.iter().zip(before).chain(last.iter().zip(after));
    middle
        && pairs.all(|pair| match pair {
            (Part::Run(_), _) => false,
            (Part::One(size), item) => match &item.node {
                DimItem::Dim(e) => is_size(state, known, size, e, promotion),
                DimItem::Hole | DimItem::Run(_) => true,
            },
        })
}

/// Does it follow that the expression is this size?
fn is_size(
    state: &State,
    known: &NameScope,
    size: &Linear,
    e: &Expr,
    promotion: Promotion,
) -> bool {
    /// No text has such a name.
    const SIZE: &str = "\u{4}";
    let (mut state, mut known) = (state.clone(), known.clone());
    if matches!(e, Expr::Int(_) | Expr::Name(_))
        && let Ok(form) = expr(&mut state, &mut known, e)
        && let (Ok(a), Ok(b)) = (state.resolve(&form), state.resolve(size))
        && a == b
    {
        return true;
    }
    let name: Ident = Spanned::new(SIZE.into(), Span::default());
    if !known.call(&mut state, Name::word(SIZE), size) {
        return false;
    }
    let equal = super::naming::compare(Expr::Name(name), CmpOp::Eq, e.clone());
    follows(&state, &known, &equal, promotion)
}
