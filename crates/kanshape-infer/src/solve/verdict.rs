//! Always, depends, never: for which values of the user's names is there a solution?

use crate::conjunction::Conjunction;
use crate::limits::{COUNTEREXAMPLE_STEPS, COUNTEREXAMPLES_STEPS, MAX_TRIED_SIZES};
use crate::reify::{Candidates, Hold, Length, Own, contradict, cover, cover_all, sizes_around};
use crate::{AttrValue, Query, Verdict};
use kanshape_engine::{State, is_over, work};
use kanshape_rules::encode::size::FxIndexSet;
use kanshape_rules::encode::{QueryVars, What, about_dtypes};
use kanshape_syntax::tree::{CmpOp, Condition, DimItem, Expr, Ident, Span, Spanned};
use kanshape_types::{Dim, Dtype, DtypeTerm, Name, Promotion, Type, TypeKind};
use std::ops::Range;
use std::sync::{Arc, OnceLock};

/// A state that has come to an answer, and what it requires of the user's names once that is found out.
#[derive(Debug)]
pub(crate) struct Leaf {
    all: Conjunction,
    hold: OnceLock<Option<Hold>>,
}

impl Leaf {
    pub(crate) fn new(all: Conjunction) -> Leaf {
        Leaf {
            all,
            hold: OnceLock::new(),
        }
    }

    /// An answer without names.
    pub(crate) fn ground() -> Leaf {
        let nothing = Conjunction::new(State::new(), QueryVars::default(), Promotion::default());
        let leaf = Leaf::new(nothing);
        let _ = leaf.hold.set(Some(Hold::default()));
        leaf
    }

    /// What it requires; `None` if that is too much to find out.
    fn hold(&self, query: &Query) -> Option<&Hold> {
        let find = || {
            let names = Names::of(query);
            Hold::of(&self.all, self.own(query, &names), &names.tensors).ok()
        };
        self.hold.get_or_init(find).as_ref()
    }

    fn own(&self, query: &Query, names: &Names) -> Own {
        let users = self.all.given.names.iter();
        let dtypes = users.filter_map(|user| match user.what {
            What::Dtype(_) => Some(user.name.clone()),
            _ => None,
        });
        own(query, names, dtypes)
    }
}

/// The verdict that a state allows of which all answers are cases: only that nothing is required, since what its choices require no
/// condition says. Its own cases may say so.
pub(crate) fn of_whole(query: &Query, whole: &Leaf) -> Option<Verdict> {
    let hold = whole.hold(query)?;
    if !hold.undecided {
        let verdict = of_holds(query, &[hold], true);
        return verdict.filter(|verdict| *verdict == Verdict::Always);
    }
    let names = Names::of(query);
    let cases = Hold::of_cases(&whole.all, &|| whole.own(query, &names), &names.tensors)?;
    let cases: Vec<&Hold> = cases.iter().collect();
    let all_of_them = !cases.iter().any(|hold| hold.waits) && covered(query, &names, &cases);
    all_of_them.then_some(Verdict::Always)
}

/// The verdict that some answers allow, if they are enough for one. `ended` says that they are all.
pub(crate) fn of<'l>(
    query: &Query,
    found: impl Iterator<Item = &'l Leaf>,
    ended: bool,
) -> Option<Verdict> {
    let found = found.map(|leaf| leaf.hold(query));
    let found: Vec<&Hold> = found.collect::<Option<_>>()?;
    of_holds(query, &found, ended)
}

fn of_holds(query: &Query, found: &[&Hold], ended: bool) -> Option<Verdict> {
    if found.iter().any(|hold| hold.undecided) {
        return None;
    }
    let names = Names::of(query);
    if names.is_empty() {
        return Some(Verdict::Always);
    }
    // A rule that is suspended may require something that no condition says: then there are sizes that fulfil all conditions, and for
    // which the query fails.
    for hold in found.iter().filter(|hold| hold.waits) {
        let mut beyond = query.clone();
        beyond.conditions.extend(hold.required.iter().cloned());
        if has_counterexample(&beyond, &names, found, false) {
            return None;
        }
    }
    if hold_for_all(found) {
        return Some(Verdict::Always);
    }
    if has_counterexample(query, &names, found, ended) {
        return Some(Verdict::Depends);
    }
    (ended && covered(query, &names, found)).then_some(Verdict::Always)
}

/// Do the answers that require nothing of sizes and dtypes have a solution for every run of the user's?
fn hold_for_all(found: &[&Hold]) -> bool {
    let free = found.iter().filter(|hold| hold.unconditional);
    let lengths: Vec<&[Length]> = free.map(|hold| &hold.runs[..]).collect();
    cover(&lengths)
}

/// What the user states of the names, of which these are dtype variables. A dim that the user writes is a size: that sizes
/// have a limit is no condition on its names.
pub(crate) fn own(query: &Query, names: &Names, dtypes: impl IntoIterator<Item = Name>) -> Own {
    let most = || vec![(CmpOp::Le, Expr::Int(Dim::MAX_SIZE))];
    let dims = names.dims.iter();
    let sizes = dims.map(|e| Condition::Compare(Expr::clone(e), most()));
    let conditions = query.own_conditions().cloned().chain(sizes).collect();
    Own::new(conditions, query.promotion, dtypes)
}

/// The names that the user wrote in types, parameters and attributes.
#[derive(Default)]
pub(crate) struct Names {
    sizes: FxIndexSet<Name>,
    /// The dims that are more than a name.
    dims: Vec<Arc<Expr>>,
    pub dtypes: Vec<Name>,
    runs: Vec<Name>,
    /// Type variables that may be any type.
    types: Vec<Name>,
    /// Type variables that are tensors, because an operand requires one.
    pub(crate) tensors: Vec<Name>,
}

impl Names {
    pub(crate) fn of(query: &Query) -> Names {
        let mut names = Names::default();
        for (i, ty) in query.inputs.iter().chain(&query.outputs).enumerate() {
            match &ty.kind {
                TypeKind::Var(name) if query.subject.is_tensor(i) => push(&mut names.tensors, name),
                _ => names.ty(ty),
            }
        }
        let tensors = std::mem::take(&mut names.tensors);
        names.types.retain(|n| !tensors.contains(n));
        names.tensors = tensors;
        for (_, dim) in &query.params {
            names.dim(dim);
        }
        for c in query.own_conditions().chain(&query.goals) {
            names.condition(c);
        }
        for (_, value) in query.attrs.iter() {
            names.attribute(value);
        }
        names
    }

    fn attribute(&mut self, value: &AttrValue) {
        match value {
            AttrValue::Dim(dim) => self.dim(dim),
            AttrValue::Type(ty) => self.ty(ty),
            AttrValue::List(members) => members.iter().for_each(|m| self.attribute(m)),
            _ => {}
        }
    }

    /// The names that only a condition has: of sizes and runs, since a dtype's would be shown by an operand.
    fn condition(&mut self, c: &Condition) {
        let is_dtype = |name: &str| {
            let name = Name::word(name);
            match self.dtypes.contains(&name) {
                true => Some(true),
                false => self.sizes.contains(&name).then_some(false),
            }
        };
        let parts = c.parts();
        if !about_dtypes(parts.iter().copied(), &is_dtype) {
            parts.into_iter().for_each(|e| self.expr(e));
        }
    }

    fn expr(&mut self, e: &Expr) {
        match e {
            Expr::Name(name) => self.size(Name::word(&*name.node)),
            Expr::Run(Some(name)) => push(&mut self.runs, &Name::word(&*name.node)),
            _ => e.parts().into_iter().for_each(|e| self.expr(e)),
        }
    }

    fn ty(&mut self, ty: &Type) {
        match &ty.kind {
            TypeKind::Tensor(t) => {
                if let DtypeTerm::Name(name) = &t.dtype {
                    push(&mut self.dtypes, name);
                }
                if let Some(name) = t.shape.run().and_then(|r| r.name.as_ref()) {
                    push(&mut self.runs, name);
                }
                for dim in t.shape.known_dims() {
                    self.dim(dim);
                }
                let contents = t.contents.iter();
                contents.for_each(|c| c.for_each_name(&mut |n| self.size(Name::word(n))));
            }
            TypeKind::Var(name) => push(&mut self.types, name),
            _ => ty.parts().for_each(|part| self.ty(part)),
        }
    }

    fn size(&mut self, name: Name) {
        self.sizes.insert(name);
    }

    fn dim(&mut self, dim: &Dim) {
        match dim {
            Dim::Name(name) => self.size(name.clone()),
            Dim::Expr(e) => {
                e.for_each_name(&mut |n| self.size(Name::word(n)));
                self.dims.push(e.clone());
            }
            Dim::Size(_) | Dim::Nominal(_) | Dim::Hole => {}
        }
    }

    fn is_empty(&self) -> bool {
        self.sizes.is_empty() && self.dtypes.is_empty() && !self.has_shapes()
    }

    /// Are there names of more than a size or a dtype?
    fn has_shapes(&self) -> bool {
        !(self.runs.is_empty() && self.types.is_empty() && self.tensors.is_empty())
    }

    /// The ranks of runs and tensors that are tried, one after another.
    fn ranks(&self) -> Range<u64> {
        0..if self.has_shapes() { 3 } else { 1 }
    }

    /// The sizes of a run, or of a tensor, by its number.
    fn run_sizes(&self, i: usize, values: &Values<'_>) -> impl Iterator<Item = u64> {
        let first = self.sizes.len() + 2 * i;
        (0..values.rank).map(move |j| (values.size)(first + j as usize))
    }

    /// Is there one of which `f` is true?
    pub(crate) fn any(&self, f: impl Fn(&str) -> bool) -> bool {
        let all = self.sizes.iter().chain(&self.dtypes).chain(&self.runs);
        let mut all = all.chain(&self.types).chain(&self.tensors);
        all.any(|n| f(n.as_str()))
    }
}

fn push(names: &mut Vec<Name>, name: &Name) {
    if !names.contains(name) {
        names.push(name.clone());
    }
}

/// Values for the user's names.
struct Values<'a> {
    size: &'a dyn Fn(usize) -> u64,
    dtype: Option<&'a dyn Fn(usize) -> Dtype>,
    rank: u64,
}

/// Is there a choice of values for the user's names for which there is no solution? Found by
/// solving again, with the names replaced by numbers; where the answers are all that there are, by what they require.
fn has_counterexample(query: &Query, names: &Names, found: &[&Hold], ended: bool) -> bool {
    let required = found.iter().flat_map(|hold| &hold.required);
    let candidates = Candidates {
        names: names.sizes.len(),
        values: sizes_around(&[0, 1, 2, 3, 4, 5, 7, 11], required, MAX_TRIED_SIZES),
        others: &[1, 2, 6],
    };
    let mut own = own(query, names, names.dtypes.iter().cloned());
    if ended && !names.sizes.is_empty() {
        let cases: Vec<Vec<&Condition>> = found
            .iter()
            .map(|hold| hold.required.iter().collect())
            .collect();
        let place = |name: &str| names.sizes.get_index_of(name);
        let mut is_allowed = |size: &dyn Fn(usize) -> u64| {
            let fixed: Vec<Condition> = fixed_sizes(names, size).collect();
            allows(&own, &fixed, names, query.promotion)
        };
        if candidates.refute(&cases, &place, &mut is_allowed) {
            return true;
        }
    }
    let allowed = names.dtypes.iter().map(|n| own.dtype(n).iter().next());
    let allowed: Vec<Option<Dtype>> = allowed.collect();
    // A dtype that the user's own conditions allow.
    let usual = |i: usize| allowed.get(i).copied().flatten().unwrap_or(Dtype::F32);
    // All attempts together cost no more than one question may.
    let mut left = query.budget.min(COUNTEREXAMPLES_STEPS);
    let mut at = |size: &dyn Fn(usize) -> u64, dtype: Option<&dyn Fn(usize) -> Dtype>, rank| {
        // Each attempt copies the query and fixes all of its names.
        work(8 * names.sizes.len());
        if is_over() || left == 0 {
            return false;
        }
        let values = Values { size, dtype, rank };
        let share = left.min(COUNTEREXAMPLE_STEPS);
        let (fails, used) = fails_at(query, names, &own, &values, share);
        // An attempt is work, even if the engine has nothing to do.
        left = left.saturating_sub(used + 100);
        fails
    };
    if (names.ranks()).any(|rank| candidates.distinct(&mut |size| at(size, None, rank))) {
        return true;
    }
    for dtype in Dtype::ALL {
        if !names.dtypes.is_empty() && at(&|_| 2, Some(&|_| dtype), 0) {
            return true;
        }
    }
    // One dtype away from the others.
    for i in 0..names.dtypes.len().min(4) {
        for (k, &one) in Dtype::ALL.iter().enumerate() {
            let other = Dtype::ALL[(k + 1) % Dtype::ALL.len()];
            let dtype = |j: usize| if i == j { one } else { other };
            if names.dtypes.len() > 1 && at(&|_| 2, Some(&dtype), 1) {
                return true;
            }
        }
    }
    (names.ranks()).any(|rank| candidates.equal(&mut |size| at(size, Some(&usual), rank)))
        || candidates.one_by_one(&mut |size| at(size, Some(&usual), 1))
}

/// Is there certainly no solution when the names have these values, though the user's own
/// conditions allow them? And the steps that it took to find out.
fn fails_at(
    query: &Query,
    names: &Names,
    own: &Own,
    values: &Values<'_>,
    steps: u64,
) -> (bool, u64) {
    // The values as conditions: the user's names stay, so that the user's conditions hold of them.
    let mut fixed: Vec<Condition> = fixed_sizes(names, values.size).collect();
    let word = |text: &str| Expr::Name(ident(text));
    if let Some(dtype) = values.dtype {
        for (i, name) in names.dtypes.iter().enumerate() {
            fixed.push(Condition::Compare(
                word(name),
                vec![(CmpOp::Eq, word(dtype(i).name()))],
            ));
        }
    }
    for (i, name) in own.free_runs(names.runs.iter()) {
        let dims = names
            .run_sizes(i, values)
            .map(|n| item(DimItem::Dim(Expr::Int(n))));
        fixed.push(Condition::Compare(
            Expr::Run(Some(ident(name))),
            vec![(CmpOp::Eq, Expr::List(dims.collect()))],
        ));
    }
    if !allows(own, &fixed, names, query.promotion) {
        return (false, 0);
    }
    let mut varied = query.clone();
    let with_shapes = |ty: &Type| with_shapes(ty, names, values);
    varied.inputs = query.inputs.iter().map(with_shapes).collect();
    varied.outputs = query.outputs.iter().map(with_shapes).collect();
    varied.conditions.extend(fixed);
    varied.budget = steps;
    varied.limit = None;
    match varied.solve() {
        Ok(mut answers) => {
            let none = answers.next().is_none() && answers.complete();
            (none, answers.steps())
        }
        Err(_) => (false, 0),
    }
}

/// That the names have these sizes.
fn fixed_sizes(names: &Names, size: &dyn Fn(usize) -> u64) -> impl Iterator<Item = Condition> {
    let sizes = names.sizes.iter().enumerate();
    sizes.map(move |(i, name)| {
        Condition::Compare(
            Expr::Name(ident(name)),
            vec![(CmpOp::Eq, Expr::Int(size(i)))],
        )
    })
}

/// Do the user's own conditions allow these?
fn allows(own: &Own, fixed: &[Condition], names: &Names, promotion: Promotion) -> bool {
    let all = || {
        own.conditions
            .iter()
            .chain(fixed)
            .cloned()
            .collect::<Vec<_>>()
    };
    own.conditions.is_empty() || !contradict(&all(), names.dtypes.iter(), promotion)
}

fn ident(text: &str) -> Ident {
    Spanned::new(text.into(), Span::default())
}

fn item(item: DimItem) -> Spanned<DimItem> {
    Spanned::new(item, Span::default())
}

/// The type with types for its type variables.
fn with_shapes(ty: &Type, names: &Names, values: &Values<'_>) -> Type {
    let number = |list: &[Name], name: &Name| list.iter().position(|n| n == name);
    match &ty.kind {
        TypeKind::Var(name) => match number(&names.tensors, name) {
            Some(i) => {
                let dtype = values.dtype.map_or(Dtype::F32, |d| d(i));
                Type::tensor(
                    dtype,
                    names.run_sizes(names.runs.len() + i, values).map(Dim::Size),
                )
            }
            // A type that is like no other.
            None => TypeKind::Adt(Name::word(format!("\u{1}{name}")), [].into()).into(),
        },
        _ => ty.map_parts(&mut |part| with_shapes(part, names, values)),
    }
}

/// Do the conditions of the answers together leave no value of the names out?
fn covered(query: &Query, names: &Names, found: &[&Hold]) -> bool {
    // What has become of a type variable is not among the conditions.
    if !(names.types.is_empty() && names.tensors.is_empty()) {
        return false;
    }
    let own = own(query, names, names.dtypes.iter().cloned());
    let is_user = |n: &str| names.any(|m| m == n) || Dtype::ALL.iter().any(|d| d.name() == n);
    let cases = found.iter().map(|hold| {
        // What the user states is not denied.
        let is_found = |c: &&Condition| !own.imply(c, hold.required.iter(), &is_user);
        hold.required.iter().filter(is_found).cloned().collect()
    });
    let cases: Vec<Vec<Condition>> = cases.collect();
    let dtypes = names.dtypes.iter();
    cover_all(&own.conditions, &cases, &is_user, dtypes, query.promotion)
}
