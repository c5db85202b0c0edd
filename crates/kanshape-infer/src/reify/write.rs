//! One answer from one state.

use super::attribute;
use super::collect::collect;
use super::draft::{Draft, draft};
use super::finish::Finish;
use super::hidden::without_hidden;
use super::minimal::minimal;
use super::naming::Naming;
use super::shown::shown;
use super::symbol;
use crate::{Answer, AttrValue};
use kanshape_engine::{Constraint, Linear, State, Stop, Var, checkpoint};
use kanshape_rules::encode::{End, Given, What, Words};
use kanshape_syntax::tree::{Condition, Expr, MulOp};
use kanshape_types::{Dim, Name, Promotion, Type};
use rustc_hash::FxHashSet;

/// The answer that a state comes to, to a query with these parameters. An operator has `words`, in which its attributes
/// are written.
pub(crate) fn answer(
    state: &State,
    params: &[Name],
    words: Option<&Words>,
    given: &Given,
    promotion: Promotion,
) -> Result<Answer, Stop> {
    let (shown, shown_dtypes) = shown(state, given);
    let mut all_shown = shown.clone();
    all_shown.extend(&shown_dtypes);
    let constraints = without_hidden(state, &all_shown)?;

    let mut naming = Naming::new(state, &constraints).with_parts(&constraints);
    naming.name_users(given)?;
    naming.define_unknowns(&constraints);
    let labels = params.iter();
    let mut params = Vec::with_capacity(given.params.len());
    for (label, form) in labels.zip(&given.params) {
        let form = state.resolve(form)?;
        naming.name_param(label, &form, given);
        params.push((label.clone(), form));
    }
    let mut drafts: Vec<Draft> = Vec::with_capacity(given.slots.len());
    for slot in &given.slots {
        checkpoint()?;
        drafts.push(draft(state, &mut naming, slot)?);
    }
    let mut open = Vec::new();
    given.operands.types(&mut |end| {
        if let End::Open(v) = end {
            open.push(state.root(v));
        }
        Type::UNKNOWN
    });
    let params: Vec<(Name, symbol::Expr)> = params
        .into_iter()
        .map(|(label, form)| naming.form(&form).map(|e| (label, e)).ok_or(Stop::Overflow))
        .collect::<Result<_, _>>()?;
    let attrs = match words {
        Some(words) => attribute::drafts(&mut naming, given, words)?,
        None => Vec::new(),
    };
    let runs = naming.settled_runs(given)?;
    naming.facts.extend(runs);
    let users = vars_of_users(state, given);
    let (conditions, _) = conditions(&mut naming, constraints, &users, &shown, &shown_dtypes);

    let mut finish = Finish::new(given, &naming);
    finish.count(&drafts, &params, &attrs, &conditions, &open);
    // Every tensor is written once, in the order in which the operands show them.
    let mut drafts = drafts.into_iter();
    let (inputs, outputs) = given.operands.types(&mut |end| match end {
        End::Tensor(_) => drafts.next().map_or(Type::UNKNOWN, |d| finish.ty(d)),
        End::Open(v) => finish.open(state.root(v)),
    });
    let params: Vec<(Name, Dim)> = params
        .into_iter()
        .map(|(label, e)| (label, finish.dim(e)))
        .collect();
    let attrs: Vec<(Name, AttrValue)> = attrs
        .into_iter()
        .map(|(name, attr)| (name, attr.finish(&mut finish)))
        .collect();
    // What stands in an expression of a type is shown as well: `d0` of `[d0*d1, d1]`.
    let named = finish.named();
    let conditions: Vec<Condition> = conditions
        .into_iter()
        .map(|c| finish.condition(c))
        .collect();
    let is_shown = |v: Var| shown.contains(&v) || named.contains(&v);
    let conditions = finish.without_defined(conditions, state, is_shown);
    let (conditions, unwritten) = finish.expressible(conditions, state);
    let conditions = if conditions.is_empty() {
        conditions
    } else {
        let types = inputs.iter().chain(&outputs);
        let dims: Vec<Expr> = types.flat_map(dim_exprs).filter(has_value).collect();
        minimal(conditions, &dims, &finish.dtype_names(given), promotion)
    };
    let answer = Answer {
        inputs,
        outputs,
        params,
        attrs,
        conditions: conditions.into_iter().collect(),
        absent: given.absent(state),
    };
    Ok(
        match unwritten && answer.params.is_empty() && answer.attrs.is_empty() {
            // An unknown that only what was left out spoke of needs no name.
            true => answer.canonical(&|name| given.place(name).is_some()),
            false => answer,
        },
    )
}

/// What a state requires of the user's names, whatever else the answer shows: the conditions between them alone. `None` where
/// something has to hold that can't be written.
pub(super) fn required(
    state: &State,
    given: &Given,
    promotion: Promotion,
) -> Result<Option<Vec<Condition>>, Stop> {
    let users = vars_of_users(state, given);
    let mut shown: FxHashSet<Var> = users.iter().copied().collect();
    let dtypes = given.names.iter().filter_map(|user| match user.what {
        What::Dtype(v) => Some(state.root(v)),
        _ => None,
    });
    let mut dtypes: Vec<Var> = dtypes.collect();
    dtypes.dedup();
    shown.extend(&dtypes);
    let constraints = without_hidden(state, &shown)?;
    let mut naming = Naming::new(state, &constraints).with_parts(&constraints);
    naming.name_users(given)?;
    naming.define_unknowns(&constraints);
    let runs = naming.settled_runs(given)?;
    naming.facts.extend(runs);
    for v in &dtypes {
        shown.remove(v);
    }
    let (conditions, unwritten) = conditions(&mut naming, constraints, &users, &shown, &dtypes);
    if unwritten {
        return Ok(None);
    }
    let mut finish = Finish::new(given, &naming);
    finish.count(&[], &[], &[], &conditions, &[]);
    let conditions = conditions.into_iter().map(|c| finish.condition(c));
    let conditions = conditions.collect();
    let conditions = finish.without_defined(conditions, state, |v| shown.contains(&v));
    let (conditions, unwritten) = finish.expressible(conditions, state);
    if unwritten {
        return Ok(None);
    }
    let dtypes = finish.dtype_names(given);
    Ok(Some(minimal(conditions, &[], &dtypes, promotion)))
}

/// The dims of a type that are more than a name or a number.
fn dim_exprs(ty: &Type) -> Vec<Expr> {
    let dims = ty.as_tensor().map_or(&[][..], |t| t.shape.known_dims());
    let own = dims.iter().filter_map(|d| match d {
        Dim::Expr(e) => Some((**e).clone()),
        _ => None,
    });
    own.chain(ty.parts().flat_map(dim_exprs)).collect()
}

/// Has an expression a value, whatever its names denote? It has none where something is divided by 0.
fn has_value(e: &Expr) -> bool {
    let is_number = |e: &Expr| matches!(e, Expr::Int(1..));
    let divides = match e {
        Expr::Chain(_, rest) => {
            let mut divisors = rest.iter().filter(|(op, _)| *op != MulOp::Mul);
            divisors.any(|(_, by)| !is_number(by))
        }
        Expr::CeilDiv(_, by) => !is_number(by),
        _ => false,
    };
    !divides && e.parts().into_iter().all(has_value)
}

/// The open variables of the user's sizes, in the order in which their names are written.
pub(crate) fn vars_of_users(state: &State, given: &Given) -> Vec<Var> {
    let mut vars = Vec::new();
    for user in &given.names {
        if let What::Size(v) = user.what {
            vars.extend(state.open_vars_of(&Linear::var(v)));
        }
    }
    vars
}

/// All that holds between what the answer shows; and whether something has to hold that can't be written.
fn conditions(
    naming: &mut Naming<'_>,
    constraints: Vec<Constraint>,
    users: &[Var],
    shown: &FxHashSet<Var>,
    dtypes: &[Var],
) -> (Vec<symbol::Condition>, bool) {
    let constraints: Vec<(usize, Constraint)> = constraints.into_iter().enumerate().collect();
    let found = collect(naming, &constraints, &|i| i, users, shown, dtypes.to_vec());
    let conditions = found.conditions.into_iter().map(|(_, c)| c).collect();
    (conditions, found.unwritten)
}
