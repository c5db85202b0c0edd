//! One answer from one state.

use super::conditions::{DtypeWriter, of_constraint, of_domain};
use super::hidden::without_hidden;
use super::minimal::minimal;
use super::naming::{Naming, Unnamed, ident};
use crate::Answer;
use crate::lower::{Given, Slot, What, dtypes, is_any_size};
use crate::program::Program;
use kanshape_engine::{Constraint, Function, Part, Seq, State, Stop, Var};
use kanshape_syntax::tree::{Condition, DtypeExpr, Expr, Ident};
use kanshape_types::{
    Conditions, Dim, Dtype, DtypeSet, DtypeTerm, Name, Promotion, Shape, Tensor, Type, TypeKind,
};
use rustc_hash::{FxHashMap, FxHashSet};

/// An operand before its unknowns have names.
struct Draft {
    dtype: DraftDtype,
    dims: Vec<DraftDim>,
}

enum DraftDtype {
    Known(Dtype),
    Open(Var),
}

enum DraftDim {
    /// As the user wrote it.
    Given(Dim),
    Expr(Expr),
    Run(Var),
}

/// The answer that a state comes to.
pub(crate) fn answer(
    state: &State,
    program: &Program,
    given: &Given,
    promotion: Promotion,
) -> Result<Answer, Stop> {
    let (shown, shown_dtypes) = shown(state, given);
    let mut all_shown = shown.clone();
    all_shown.extend(&shown_dtypes);
    let constraints = without_hidden(state, &all_shown)?;

    let mut naming = Naming::new(state, &constraints);
    naming.name_users(given)?;
    let mut params = Vec::with_capacity(given.params.len());
    for ((label, _), form) in program.params.iter().zip(&given.params) {
        let form = state.resolve(form)?;
        naming.name_param(label, &form, given);
        params.push((label.clone(), form));
    }
    let mut drafts: Vec<Draft> = Vec::new();
    for slot in given.inputs.iter().chain(&given.outputs) {
        drafts.push(draft(state, &mut naming, slot)?);
    }
    let params: Vec<(Name, Expr)> = params
        .into_iter()
        .map(|(label, form)| naming.form(&form).map(|e| (label, e)).ok_or(Stop::Overflow))
        .collect::<Result<_, _>>()?;
    let conditions = conditions(&mut naming, &constraints, &shown, &shown_dtypes);

    let mut finish = Finish::new(given, &naming);
    finish.count(&drafts, &params, &conditions);
    let inputs = given.inputs.len();
    let mut types = drafts
        .into_iter()
        .zip(given.inputs.iter().chain(&given.outputs))
        .map(|(d, slot)| finish.ty(d, slot))
        .collect::<Vec<Type>>();
    let outputs = types.split_off(inputs);
    let params: Vec<(Name, Dim)> = params
        .into_iter()
        .map(|(label, e)| (label, Dim::expr(finish.expr(e))))
        .collect();
    let conditions: Vec<Condition> = conditions
        .into_iter()
        .map(|c| finish.condition(c))
        .collect();
    let conditions = if conditions.is_empty() {
        conditions
    } else {
        let dims: Vec<Expr> = types.iter().chain(&outputs).flat_map(dim_exprs).collect();
        minimal(conditions, &dims, &finish.dtype_names(given), promotion)
    };
    Ok(Answer {
        inputs: types,
        outputs,
        params,
        conditions: conditions.into_iter().collect(),
    })
}

/// The variables that an answer shows: those of sizes, and those of dtypes.
fn shown(state: &State, given: &Given) -> (FxHashSet<Var>, Vec<Var>) {
    let mut shown: FxHashSet<Var> = FxHashSet::default();
    let mut shown_dtypes: Vec<Var> = Vec::new();
    for slot in given.inputs.iter().chain(&given.outputs) {
        for part in state.parts(&slot.shape) {
            if let Part::One(l) = part {
                shown.extend(state.open_vars_of(&l));
            }
        }
        let root = state.root(slot.dtype);
        if !shown_dtypes.contains(&root) {
            shown_dtypes.push(root);
        }
    }
    for p in &given.params {
        shown.extend(state.open_vars_of(p));
    }
    for user in &given.names {
        match user.what {
            What::Size(v) => {
                shown.extend(state.open_vars_of(&kanshape_engine::Linear::var(v)));
            }
            What::Dtype(v) => {
                let root = state.root(v);
                if !shown_dtypes.contains(&root) {
                    shown_dtypes.push(root);
                }
            }
            _ => {}
        }
    }
    (shown, shown_dtypes)
}

/// A variable that no operand shows, with few values, in a constraint that says something of what is
/// shown: an answer could only speak of it under a name that stands nowhere else.
pub(crate) fn hidden_choice(state: &State, given: &Given) -> Result<Option<Var>, Stop> {
    const FEW: u128 = 8;
    if state.open_constraints().next().is_none() {
        return Ok(None);
    }
    let (mut shown, shown_dtypes) = shown(state, given);
    shown.extend(shown_dtypes);
    let constraints = without_hidden(state, &shown)?;
    // What an expression says needs no name.
    for c in &constraints {
        if let Constraint::Apply { function, out, .. } = c
            && *function != Function::Broadcast
        {
            shown.extend(out.as_var());
        }
    }
    let mut best: Option<(u128, Var)> = None;
    for c in &constraints {
        c.for_each_var(&mut |v| {
            let few = state.domain(v).len().filter(|&n| (2..=FEW).contains(&n));
            if let Some(n) = few.filter(|_| is_int(state, v) && !shown.contains(&v))
                && best.is_none_or(|b| (n, v) < b)
            {
                best = Some((n, v));
            }
        });
    }
    Ok(best.map(|b| b.1))
}

/// The dtypes of the operands of a state whose sizes are told otherwise, and what is known of them.
pub(crate) fn dtypes_of(
    state: &State,
    given: &Given,
    promotion: Promotion,
) -> (Vec<DtypeTerm>, Conditions) {
    if let Some(dtypes) = plain_dtypes(state, given) {
        return (dtypes, Conditions::NONE);
    }
    let mut sizeless = given.clone();
    for slot in sizeless.inputs.iter_mut().chain(&mut sizeless.outputs) {
        slot.shape = Seq::default();
        if let TypeKind::Tensor(t) = &mut slot.given.kind {
            t.shape = Shape::default();
        }
    }
    sizeless.params.clear();
    sizeless.names.retain(|u| matches!(u.what, What::Dtype(_)));
    match answer(state, &Program::default(), &sizeless, promotion) {
        Ok(answer) => {
            let dtype = |t: &Type| t.as_tensor().map_or(DtypeTerm::Hole, |t| t.dtype.clone());
            let dtypes = answer.inputs.iter().chain(&answer.outputs).map(dtype);
            (dtypes.collect(), answer.conditions)
        }
        Err(_) => {
            let count = given.inputs.len() + given.outputs.len();
            (vec![DtypeTerm::Hole; count], Conditions::NONE)
        }
    }
}

/// The dtypes where each is known or one that is entirely open: then there is nothing to say of them.
fn plain_dtypes(state: &State, given: &Given) -> Option<Vec<DtypeTerm>> {
    let named = |u: &crate::lower::UserName| matches!(u.what, What::Dtype(_) | What::Type(..));
    let promotes = |c: &Constraint| matches!(c, Constraint::Atoms { .. });
    let taken = |u: &crate::lower::UserName| u.name.starts_with('t');
    if given.names.iter().any(|u| named(u) || taken(u)) || state.open_constraints().any(promotes) {
        return None;
    }
    let roots: Vec<Var> = given
        .inputs
        .iter()
        .chain(&given.outputs)
        .map(|s| state.root(s.dtype))
        .collect();
    let mut open: Vec<Var> = Vec::new();
    let mut terms = Vec::with_capacity(roots.len());
    for &root in &roots {
        let set = dtypes(state.mask(root));
        terms.push(match set.single() {
            Some(dtype) => DtypeTerm::Known(dtype),
            None if set != DtypeSet::ANY => return None,
            None if roots.iter().filter(|r| **r == root).count() == 1 => DtypeTerm::Hole,
            None => {
                let known = open.iter().position(|r| *r == root);
                let i = known.unwrap_or_else(|| {
                    open.push(root);
                    open.len() - 1
                });
                DtypeTerm::Name(Name::from(format!("t{i}")))
            }
        });
    }
    Some(terms)
}

/// The dims of a type that are more than a name or a number.
fn dim_exprs(ty: &Type) -> Vec<Expr> {
    let dims = ty.as_tensor().map_or(&[][..], |t| t.shape.dims());
    dims.iter()
        .filter_map(|d| match d {
            Dim::Expr(e) => Some((**e).clone()),
            _ => None,
        })
        .collect()
}

fn draft(state: &State, naming: &mut Naming<'_>, slot: &Slot) -> Result<Draft, Stop> {
    let root = state.root(slot.dtype);
    let dtype = match dtypes(state.mask(root)).single() {
        Some(d) if !naming.dtypes.contains_key(&root) => DraftDtype::Known(d),
        _ => DraftDtype::Open(root),
    };
    // A dtype that the user has named keeps its name where it is written, and only there.
    let dtype = match (dtype, &slot.given.kind, dtypes(state.mask(root)).single()) {
        (DraftDtype::Open(_), TypeKind::Tensor(t), Some(d))
            if !matches!(t.dtype, DtypeTerm::Name(_)) =>
        {
            DraftDtype::Known(d)
        }
        (DraftDtype::Open(_), TypeKind::Unknown | TypeKind::Var(_), Some(d)) => {
            DraftDtype::Known(d)
        }
        (dtype, _, _) => dtype,
    };
    let parts = state.parts(&slot.shape);
    let (before, after) = match slot.given.as_tensor() {
        Some(t) => (t.shape.before(), t.shape.after()),
        None => (&[][..], &[][..]),
    };
    let mut dims = Vec::with_capacity(parts.len());
    let count = parts.len();
    for (i, part) in parts.into_iter().enumerate() {
        let written = if i < before.len() {
            before.get(i)
        } else {
            (i + after.len())
                .checked_sub(count)
                .and_then(|j| after.get(j))
        };
        dims.push(match (written, part) {
            (Some(dim), _) if *dim != Dim::Hole => DraftDim::Given(dim.clone()),
            (_, Part::One(l)) => DraftDim::Expr(naming.form(&l).ok_or(Stop::Overflow)?),
            (_, Part::Run(v)) => DraftDim::Run(v),
        });
    }
    Ok(Draft { dtype, dims })
}

/// All that holds between what the answer shows; what reads best comes first.
fn conditions(
    naming: &mut Naming<'_>,
    constraints: &[Constraint],
    shown: &FxHashSet<Var>,
    shown_dtypes: &[Var],
) -> Vec<Condition> {
    let mut out = std::mem::take(&mut naming.facts);
    let mut open: Vec<Var> = shown.iter().copied().collect();
    for c in constraints {
        c.for_each_var(&mut |v| open.push(v));
    }
    open.sort_unstable();
    open.dedup();
    let lone = lone(naming.state, constraints, shown);
    let mut said: Vec<Option<Condition>> = Vec::new();
    for (i, c) in constraints.iter().enumerate() {
        said.push(if naming.said.contains(&i) {
            None
        } else {
            of_constraint(naming, c, &lone)
        });
    }
    // Naming the parts of one constraint may have said another.
    for i in std::mem::take(&mut naming.said) {
        if i < said.len() && !matches!(&constraints[i], Constraint::NonNegative(_)) {
            said[i] = None;
        }
    }
    let relations: Vec<Condition> = said.into_iter().flatten().collect();
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
    out.extend(constraints.iter().filter_map(|c| writer.of_constraint(c)));
    for &v in writer.shown() {
        out.extend(writer.of_set(v));
    }
    out
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

fn is_int(state: &State, v: Var) -> bool {
    state.mask(v) == 0
}

/// Gives the unknowns their names, in order of first print.
struct Finish {
    counts: FxHashMap<Box<str>, usize>,
    names: FxHashMap<Box<str>, Name>,
    taken: FxHashSet<Name>,
    runs: FxHashMap<Var, Name>,
    dtypes: FxHashMap<Var, Name>,
    fresh_dtypes: Vec<Name>,
    next_dim: usize,
    next_dtype: usize,
}

impl Finish {
    fn new(given: &Given, naming: &Naming<'_>) -> Finish {
        Finish {
            counts: FxHashMap::default(),
            names: FxHashMap::default(),
            taken: given.names.iter().map(|u| u.name.clone()).collect(),
            runs: naming.runs.clone(),
            dtypes: naming.dtypes.clone(),
            fresh_dtypes: Vec::new(),
            next_dim: 0,
            next_dtype: 0,
        }
    }

    fn count(&mut self, drafts: &[Draft], params: &[(Name, Expr)], conditions: &[Condition]) {
        let mut counts = std::mem::take(&mut self.counts);
        let mut bump = |name: &str| {
            if Unnamed::is(name) {
                *counts.entry(name.into()).or_insert(0) += 1;
            }
        };
        for d in drafts {
            if let DraftDtype::Open(v) = d.dtype {
                bump(&Unnamed::name(v));
            }
            for dim in &d.dims {
                match dim {
                    DraftDim::Given(_) => {}
                    // Inside an expression a name is needed, however rare.
                    DraftDim::Expr(e @ Expr::Name(_)) => idents(e, &mut bump),
                    DraftDim::Expr(e) => {
                        idents(e, &mut bump);
                        idents(e, &mut bump);
                    }
                    DraftDim::Run(v) => bump(&Unnamed::name(*v)),
                }
            }
        }
        for (_, e) in params {
            idents(e, &mut bump);
            idents(e, &mut bump);
        }
        for c in conditions {
            for _ in 0..2 {
                condition_idents(c, &mut bump);
            }
        }
        self.counts = counts;
    }

    fn ty(&mut self, draft: Draft, slot: &Slot) -> Type {
        if slot.no_tensor {
            return slot.given.clone();
        }
        let dtype = match draft.dtype {
            DraftDtype::Known(d) => DtypeTerm::Known(d),
            DraftDtype::Open(v) => match self.dtypes.get(&v) {
                Some(user) => DtypeTerm::Name(user.clone()),
                None => self.dtype(&Unnamed::name(v)),
            },
        };
        let mut shape = Shape::default();
        let mut run = None;
        for dim in draft.dims {
            match dim {
                DraftDim::Given(dim) => shape.push(dim),
                DraftDim::Expr(Expr::Name(n)) if self.is_hole(&n.node) => shape.push(Dim::Hole),
                DraftDim::Expr(e) => shape.push(Dim::expr(self.expr(e))),
                DraftDim::Run(v) => {
                    let text = Unnamed::name(v);
                    let name = match self.runs.get(&v) {
                        Some(user) => Some(user.clone()),
                        None if self.is_hole(&text) => None,
                        None => Some(self.fresh(&text)),
                    };
                    run = Some((shape.dims().len(), name));
                }
            }
        }
        if let Some((at, name)) = run {
            shape = shape.with_run(at, name);
        }
        Tensor { dtype, shape }.into()
    }

    fn is_hole(&self, name: &str) -> bool {
        Unnamed::is(name) && self.counts.get(name).copied().unwrap_or(0) <= 1
    }

    fn dtype(&mut self, text: &str) -> DtypeTerm {
        if self.is_hole(text) {
            return DtypeTerm::Hole;
        }
        DtypeTerm::Name(self.fresh_dtype(text))
    }

    fn fresh_dtype(&mut self, text: &str) -> Name {
        if let Some(name) = self.names.get(text) {
            return name.clone();
        }
        let name = loop {
            let name = Name::from(format!("t{}", self.next_dtype));
            self.next_dtype += 1;
            if !self.taken.contains(&name) {
                break name;
            }
        };
        self.names.insert(text.into(), name.clone());
        self.fresh_dtypes.push(name.clone());
        name
    }

    fn fresh(&mut self, text: &str) -> Name {
        if let Some(name) = self.names.get(text) {
            return name.clone();
        }
        let name = loop {
            let name = Name::from(format!("d{}", self.next_dim));
            self.next_dim += 1;
            if !self.taken.contains(&name) {
                break name;
            }
        };
        self.names.insert(text.into(), name.clone());
        name
    }

    fn ident(&mut self, i: Ident, dtype: bool) -> Ident {
        if !Unnamed::is(&i.node) {
            return i;
        }
        let name = if dtype {
            self.fresh_dtype(&i.node)
        } else {
            self.fresh(&i.node)
        };
        ident(&name)
    }

    fn expr(&mut self, e: Expr) -> Expr {
        self.expr_of(e, false)
    }

    fn expr_of(&mut self, e: Expr, dtype: bool) -> Expr {
        match e {
            Expr::Name(n) => Expr::Name(self.ident(n, dtype)),
            Expr::Sum(terms) => Expr::Sum(
                terms
                    .into_iter()
                    .map(|(s, t)| (s, self.expr_of(t, dtype)))
                    .collect(),
            ),
            Expr::Chain(first, rest) => Expr::Chain(
                Box::new(self.expr_of(*first, dtype)),
                rest.into_iter()
                    .map(|(o, t)| (o, self.expr_of(t, dtype)))
                    .collect(),
            ),
            Expr::CeilDiv(a, b) => Expr::CeilDiv(
                Box::new(self.expr_of(*a, dtype)),
                Box::new(self.expr_of(*b, dtype)),
            ),
            Expr::Call(f, args) => Expr::Call(
                f,
                args.into_iter().map(|a| self.expr_of(a, dtype)).collect(),
            ),
            e @ (Expr::Int(_) | Expr::Nominal(_) | Expr::Run(_)) => e,
        }
    }

    fn condition(&mut self, c: Condition) -> Condition {
        use kanshape_syntax::tree::Func;
        match c {
            Condition::Compare(first, rest) => {
                let promotes =
                    |e: &Expr| matches!(e, Expr::Call(Func::Promote, _)) || self.is_dtype(e);
                let dtype = promotes(&first) || rest.iter().any(|r| promotes(&r.1));
                Condition::Compare(
                    self.expr_of(first, dtype),
                    rest.into_iter()
                        .map(|(o, e)| (o, self.expr_of(e, dtype)))
                        .collect(),
                )
            }
            Condition::In(e, values) => {
                let dtype = values.iter().any(|v| matches!(v, Expr::Name(_)));
                Condition::In(
                    self.expr_of(e, dtype),
                    values.into_iter().map(|v| self.expr_of(v, dtype)).collect(),
                )
            }
            Condition::Dtype(name, dtype) => {
                let dtype: DtypeExpr = dtype;
                Condition::Dtype(self.ident(name, true), dtype)
            }
        }
    }

    fn is_dtype(&self, e: &Expr) -> bool {
        match e {
            Expr::Name(n) => self
                .names
                .get(&n.node)
                .is_some_and(|n| self.fresh_dtypes.contains(n)),
            _ => false,
        }
    }

    fn dtype_names(&self, given: &Given) -> Vec<Name> {
        let users = given.names.iter().filter_map(|u| match u.what {
            What::Dtype(_) => Some(u.name.clone()),
            _ => None,
        });
        users.chain(self.fresh_dtypes.iter().cloned()).collect()
    }
}

fn idents(e: &Expr, f: &mut dyn FnMut(&str)) {
    match e {
        Expr::Name(n) => f(&n.node),
        Expr::Sum(terms) => terms.iter().for_each(|t| idents(&t.1, f)),
        Expr::Chain(first, rest) => {
            idents(first, f);
            rest.iter().for_each(|t| idents(&t.1, f));
        }
        Expr::CeilDiv(a, b) => {
            idents(a, f);
            idents(b, f);
        }
        Expr::Call(_, args) => args.iter().for_each(|a| idents(a, f)),
        Expr::Int(_) | Expr::Nominal(_) | Expr::Run(_) => {}
    }
}

fn condition_idents(c: &Condition, f: &mut dyn FnMut(&str)) {
    match c {
        Condition::Compare(first, rest) => {
            idents(first, f);
            rest.iter().for_each(|r| idents(&r.1, f));
        }
        Condition::In(e, values) => {
            idents(e, f);
            values.iter().for_each(|v| idents(v, f));
        }
        Condition::Dtype(name, _) => f(&name.node),
    }
}
