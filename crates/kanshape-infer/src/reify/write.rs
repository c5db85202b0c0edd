//! One answer from one state.

use super::attribute;
use super::collect::{Collected, Source, collect, mentions};
use super::fresh::{Denotes, Fresh};
use super::hidden::without_hidden;
use super::minimal::minimal;
use super::naming::Naming;
use super::shown::shown;
use super::symbol;
use super::tensor::tensor;
use crate::Answer;
use crate::conjunction::Conjunction;
use kanshape_engine::{Constraint, Linear, State, Stop, Var, checkpoint};
use kanshape_rules::encode::{End, QueryVars, What, Words, without_defined};
use kanshape_syntax::tree::{Condition, Expr, MulOp};
use kanshape_types::{Dim, Name, Type, TypeKind};
use rustc_hash::FxHashSet;

/// The answer that a state comes to, to a query with these parameters. An operator has `words`, in which its attributes
/// are written.
pub(crate) fn answer(
    all: &Conjunction,
    params: &[Name],
    words: Option<&Words>,
) -> Result<Answer, Stop> {
    let Conjunction {
        state,
        given,
        promotion,
    } = all;
    let (shown, shown_dtypes) = shown(state, given);
    let mut all_shown = shown.clone();
    all_shown.extend(&shown_dtypes);
    let constraints = without_hidden(state, &all_shown)?;

    let mut naming = Naming::new(state, &constraints).with_parts(&constraints);
    naming.name_users(given, None)?;
    naming.define_unknowns(&constraints);
    let labels = params.iter();
    let mut params = Vec::with_capacity(given.params.len());
    for (label, form) in labels.zip(&given.params) {
        let form = state.resolve(form)?;
        naming.name_param(label, &form, given);
        params.push((label.clone(), form));
    }
    let mut fresh = Fresh::default();
    fresh.avoid_labels(&params);
    let mut tensors: Vec<Type> = Vec::with_capacity(given.slots.len());
    for slot in &given.slots {
        checkpoint()?;
        tensors.push(tensor(&mut naming, &mut fresh, slot, given)?);
    }
    let params: Vec<(Name, Dim)> = params
        .into_iter()
        .map(|(label, form)| {
            let e = naming.form(&form).ok_or(Stop::Overflow)?;
            Ok((label, fresh.dim(e, given)))
        })
        .collect::<Result<_, Stop>>()?;
    let attrs = match words {
        Some(words) => attribute::written(&mut naming, &mut fresh, given, words)?,
        None => Vec::new(),
    };
    let runs = naming.settled_runs(given)?;
    naming.facts.extend(runs);
    // Every tensor is written once, in the order in which the operands show them.
    let mut tensors = tensors.into_iter();
    let (inputs, outputs) = given.operands.types(&mut |end| match end {
        End::Tensor(_) => tensors.next().unwrap_or(Type::UNKNOWN),
        End::Open(v) => {
            let v = state.root(v);
            let user = naming.types.get(&v).cloned();
            let name = user.unwrap_or_else(|| fresh.name(v, Denotes::Type, given));
            TypeKind::Var(name).into()
        }
    });
    // What stands in an expression of a type is shown as well: `d0` of `[d0*d1, d1]`.
    let mut all_named = shown.clone();
    all_named.extend(fresh.names().keys());
    let users = vars_of_users(state, given);
    let found = conditions(&mut naming, constraints, &users, &shown, &shown_dtypes);
    if found.is_beyond {
        return Err(Stop::Overflow);
    }
    let (conditions, _) = written(&mut fresh, found.conditions, &naming, given, &all_named);
    let conditions = match conditions.is_empty() {
        true => conditions,
        false => {
            let types = inputs.iter().chain(&outputs);
            let dims: Vec<Expr> = types.flat_map(dim_exprs).filter(has_value).collect();
            minimal(conditions, &dims, &dtype_names(&fresh, given), *promotion)
        }
    };
    let answer = Answer {
        inputs,
        outputs,
        params,
        attrs,
        conditions: conditions.into_iter().collect(),
        absent: given.absent(state),
    };
    let labels: Vec<&Name> = answer.params.iter().map(|(label, _)| label).collect();
    let is_named = |name: &str| {
        given.names.place(name).is_some() || labels.iter().any(|own| own.as_str() == name)
    };
    Ok(answer.canonical(&is_named))
}

/// What a state requires of the user's names, whatever else the answer shows: the conditions between them alone. `None` where
/// something has to hold that can't be written.
pub(super) fn required(all: &Conjunction) -> Result<Option<Vec<Condition>>, Stop> {
    let Conjunction {
        state,
        given,
        promotion,
    } = all;
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
    naming.name_users(given, None)?;
    naming.define_unknowns(&constraints);
    let runs = naming.settled_runs(given)?;
    naming.facts.extend(runs);
    for v in &dtypes {
        shown.remove(v);
    }
    let found = conditions(&mut naming, constraints, &users, &shown, &dtypes);
    if found.unwritten {
        return Ok(None);
    }
    let mut fresh = Fresh::default();
    let (conditions, unwritten) = written(&mut fresh, found.conditions, &naming, given, &shown);
    if unwritten {
        return Ok(None);
    }
    let dtypes = dtype_names(&fresh, given);
    Ok(Some(minimal(conditions, &[], &dtypes, *promotion)))
}

/// Conditions with names for what is open, without the unknowns that are not shown and that one of them defines, and without those on
/// what may be negative, which has no name; and whether there were any.
fn written(
    fresh: &mut Fresh,
    conditions: Vec<(Source, symbol::Condition)>,
    naming: &Naming<'_>,
    given: &QueryVars,
    shown: &FxHashSet<Var>,
) -> (Vec<Condition>, bool) {
    let state = naming.state;
    let conditions = conditions.into_iter();
    let conditions = conditions.map(|(_, c)| fresh.condition(c, state, given));
    let mut conditions: Vec<Condition> = conditions.collect();
    let hidden = fresh.hidden(state, shown);
    if !hidden.is_empty() {
        let left = without_defined(conditions, &|name| hidden.contains(name), given.into());
        conditions = left.into_iter().map(|(_, c)| c).collect();
    }
    let nameless = fresh.nameless(state);
    let all = conditions.len();
    conditions.retain(|c| !mentions(c, &nameless));
    let unwritten = conditions.len() < all;
    (conditions, unwritten)
}

/// The names of dtypes.
fn dtype_names(fresh: &Fresh, given: &QueryVars) -> Vec<Name> {
    let users = given.names.iter().filter_map(|user| match user.what {
        What::Dtype(_) => Some(user.name.clone()),
        _ => None,
    });
    users.chain(fresh.dtypes().iter().cloned()).collect()
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
pub(crate) fn vars_of_users(state: &State, given: &QueryVars) -> Vec<Var> {
    let mut vars = Vec::new();
    for user in &given.names {
        if let What::Size(v) = user.what {
            vars.extend(state.open_vars_of(&Linear::var(v)));
        }
    }
    vars
}

/// All that holds between what the answer shows.
fn conditions(
    naming: &mut Naming<'_>,
    constraints: Vec<Constraint>,
    users: &[Var],
    shown: &FxHashSet<Var>,
    dtypes: &[Var],
) -> Collected {
    let constraints: Vec<(usize, Constraint)> = constraints.into_iter().enumerate().collect();
    collect(naming, &constraints, &|i| i, users, shown, dtypes.to_vec())
}
