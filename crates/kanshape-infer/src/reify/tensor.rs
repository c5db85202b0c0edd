//! A tensor of the store, as a type.

use super::fresh::{Denotes, Fresh};
use super::naming::Naming;
use kanshape_engine::{Linear, Part, State, Stop, Term, work};
use kanshape_rules::encode::{QueryVars, Slot, dtypes, float, measure};
use kanshape_types::{Content, Contents, Dim, DtypeSet, DtypeTerm, Shape, Tensor, Type, TypeKind};

/// What is known of the tensor in a slot. What is open in it has a name, also where it stands nowhere else.
pub(super) fn tensor(
    naming: &mut Naming<'_>,
    fresh: &mut Fresh,
    slot: &Slot,
    given: &QueryVars,
) -> Result<Type, Stop> {
    let state = naming.state;
    let parts = state.parts(&slot.shape);
    let root = state.root(slot.dtype);
    if let [Part::Run(run)] = parts[..]
        && let Some(name) = naming.tensor(root, run)
    {
        return Ok(TypeKind::Var(name).into());
    }
    // A dtype that the user has named keeps its name where it is written, and only there.
    let is_named_here = match &slot.given.kind {
        TypeKind::Tensor(t) => matches!(t.dtype, DtypeTerm::Name(_)),
        kind => !matches!(kind, TypeKind::Unknown | TypeKind::Var(_)),
    };
    let known = dtypes(state.mask(root)).single();
    let dtype = match (known, naming.dtypes.get(&root)) {
        (Some(dtype), user) if user.is_none() || !is_named_here => DtypeTerm::Known(dtype),
        (_, Some(user)) => DtypeTerm::Name(user.clone()),
        (_, None) => DtypeTerm::Name(fresh.name(root, Denotes::Dtype, given)),
    };
    let (before, after) = match slot.given.as_tensor() {
        Some(t) => (t.shape.before(), t.shape.after()),
        None => (&[][..], &[][..]),
    };
    let count = parts.len();
    let mut shape = Shape::default();
    let mut open_run = None;
    for (i, part) in parts.into_iter().enumerate() {
        // What is written is memory: of the answer, and of its text.
        work(8);
        let written = match i < before.len() {
            true => before.get(i),
            false => (i + after.len())
                .checked_sub(count)
                .and_then(|j| after.get(j)),
        };
        match (written, part) {
            (Some(dim), _) if *dim != Dim::Hole => shape.push(dim.clone()),
            (_, Part::One(l)) => {
                let e = naming.form(&l).ok_or(Stop::Overflow)?;
                shape.push(fresh.dim(e, given));
            }
            (_, Part::Run(v)) => {
                let user = naming.runs.get(&v).cloned();
                let name = user.unwrap_or_else(|| fresh.name(v, Denotes::Size, given));
                open_run = Some((shape.known_dims().len(), name));
            }
        }
    }
    if let Some((at, name)) = open_run {
        shape = shape.with_run(at, Some(name));
    }
    let of = dtypes(state.mask(slot.dtype));
    let contents = contents(state, &slot.contents, of, &mut |form| {
        let e = naming.form(form);
        e.map_or(Content::Hole, |e| Content::from(fresh.dim(e, given)))
    });
    Ok(Tensor::new(dtype, shape)
        .with_contents(contents.filter(says))
        .into())
}

/// Do contents say more than how many there are?
pub(crate) fn says(contents: &Contents) -> bool {
    contents.is_empty() || contents.say_something()
}

/// What is known of the contents of a tensor of these dtypes. `open` says what is written for a number that is open.
pub(crate) fn contents(
    state: &State,
    contents: &Term,
    dtypes: DtypeSet,
    open: &mut dyn FnMut(&Linear) -> Content,
) -> Option<Contents> {
    let Term::Seq(seq) = state.walk(contents) else {
        return None;
    };
    let mut members = Vec::new();
    for part in state.parts(&seq) {
        let Part::One(l) = part else {
            return None;
        };
        let l = state.resolve(&l).ok()?;
        members.push(match l.as_constant() {
            Some(n) if dtypes == DtypeSet::BOOL => Content::Bool(n != 0),
            Some(n) if dtypes.is_subset(DtypeSet::FLOAT) => {
                float::value(n).map_or(Content::Hole, Content::from)
            }
            Some(n) => i64::try_from(n).map_or(Content::Hole, |n| Content::whole(n, dtypes)),
            None if dtypes.is_subset(DtypeSet::INT.union(DtypeSet::UINT)) => open(&l),
            None if dtypes.is_subset(DtypeSet::FLOAT) => match measure::whole(state, &l).ok()? {
                Some(whole) => open(&whole),
                None => Content::Hole,
            },
            None => Content::Hole,
        });
    }
    Contents::new(members)
}
