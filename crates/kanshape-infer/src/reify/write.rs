//! One answer from one state.

use super::attribute;
use super::conditions::{DtypeWriter, is_written_otherwise, of_constraint, of_domain};
use super::draft::{Draft, draft};
use super::finish::Finish;
use super::hidden::without_hidden;
use super::minimal::minimal;
use super::naming::Naming;
use super::shown::{is_int, shown};
use super::symbol;
use crate::{Answer, AttrValue};
use kanshape_engine::{Constraint, Linear, State, Stop, Var, checkpoint};
use kanshape_rules::encode::{End, Given, What, Words, is_any_size};
use kanshape_syntax::tree::{Condition, Expr, MulOp};
use kanshape_types::{Dim, Name, Promotion, Type};
use rustc_hash::{FxHashMap, FxHashSet};

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

    let mut naming = Naming::new(state, &constraints);
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
    let (conditions, _) = conditions(&mut naming, &constraints, &users, &shown, &shown_dtypes);

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
    let conditions = if conditions.is_empty() {
        conditions
    } else {
        let types = inputs.iter().chain(&outputs);
        let dims: Vec<Expr> = types.flat_map(dim_exprs).filter(has_value).collect();
        minimal(conditions, &dims, &finish.dtype_names(given), promotion)
    };
    Ok(Answer {
        inputs,
        outputs,
        params,
        attrs,
        conditions: conditions.into_iter().collect(),
        absent: given.absent(state),
    })
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
    let mut naming = Naming::new(state, &constraints);
    naming.name_users(given)?;
    naming.define_unknowns(&constraints);
    let runs = naming.settled_runs(given)?;
    naming.facts.extend(runs);
    for v in &dtypes {
        shown.remove(v);
    }
    let (conditions, is_all) = conditions(&mut naming, &constraints, &users, &shown, &dtypes);
    if !is_all {
        return Ok(None);
    }
    let mut finish = Finish::new(given, &naming);
    finish.count(&[], &[], &[], &conditions, &[]);
    let conditions = conditions.into_iter().map(|c| finish.condition(c));
    let conditions = conditions.collect();
    let conditions = finish.without_defined(conditions, state, |v| shown.contains(&v));
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
fn vars_of_users(state: &State, given: &Given) -> Vec<Var> {
    let mut vars = Vec::new();
    for user in &given.names {
        if let What::Size(v) = user.what {
            vars.extend(state.open_vars_of(&Linear::var(v)));
        }
    }
    vars
}

/// All that holds between what the answer shows; what reads best comes first: what `users` are, the variables of the
/// user's names, before what others are. `false` where something can't be written.
fn conditions(
    naming: &mut Naming<'_>,
    constraints: &[Constraint],
    users: &[Var],
    shown: &FxHashSet<Var>,
    shown_dtypes: &[Var],
) -> (Vec<symbol::Condition>, bool) {
    let mut out = std::mem::take(&mut naming.facts);
    let mut open: Vec<Var> = shown.iter().copied().collect();
    for c in constraints {
        c.for_each_var(&mut |v| open.push(v));
    }
    open.sort_unstable();
    open.dedup();
    let order: FxHashMap<Var, usize> = users
        .iter()
        .rev()
        .copied()
        .zip((0..users.len()).rev())
        .collect();
    open.sort_by_key(|v| order.get(v).copied().unwrap_or(usize::MAX));
    let lone = lone(naming.state, constraints, shown);
    let mut is_all = true;
    let mut written: Vec<Option<symbol::Condition>> = Vec::new();
    for (i, c) in constraints.iter().enumerate() {
        written.push(if naming.said.contains(&i) {
            None
        } else {
            let condition = of_constraint(naming, c, &lone);
            is_all &= condition.is_some() || is_written_otherwise(c);
            condition
        });
    }
    // Naming the parts of one constraint may have written another.
    for i in std::mem::take(&mut naming.said) {
        if i < written.len() && !matches!(&constraints[i], Constraint::NonNegative(_)) {
            written[i] = None;
        }
    }
    let relations: Vec<symbol::Condition> = written.into_iter().flatten().collect();
    for v in open {
        if naming.state.domain(v).len() != Some(0) && is_int(naming.state, v) {
            out.extend(of_domain(naming, v));
        }
    }
    out.extend(relations);
    let writer = DtypeWriter::new(
        naming.state,
        &naming.dtypes,
        shown_dtypes.to_vec(),
        constraints,
    );
    let dtypes = writer.all(constraints.iter().map(|c| ((), c)));
    out.extend(dtypes.into_iter().map(|(_, condition)| condition));
    (out, is_all)
}

/// The variables that are in one place of one constraint, may be any size, and are not shown.
fn lone(state: &State, constraints: &[Constraint], shown: &FxHashSet<Var>) -> FxHashSet<Var> {
    let mut count: FxHashMap<Var, usize> = FxHashMap::default();
    for c in constraints {
        c.for_each_var(&mut |v| *count.entry(v).or_insert(0) += 1);
    }
    let any_size = |v: Var| {
        let domain = state.domain(v);
        let listed = domain.only().is_some() || !domain.except().is_empty();
        !listed && is_any_size(domain.lo(), domain.hi())
    };
    let lone = count
        .into_iter()
        .filter(|(v, n)| *n == 1 && !shown.contains(v) && any_size(*v));
    lone.map(|(v, _)| v).collect()
}
