//! What has to be true of the explanation of a question that was spoiled by one change.

use kanshape::explain::{Edit, FactKind, Slot};
use kanshape::{
    AttrValue, Dim, Dtype, DtypeTerm, Query, Shape, Tensor, Type, Verdict, explain::Conflict, order,
};

/// One change to what was given, which spoiled it.
#[derive(Clone, Debug)]
pub(crate) struct Mutation {
    pub(crate) slot: Slot,
    /// The dim that is another, if it is one.
    pub(crate) dim: Option<usize>,
    pub(crate) old: Given,
    pub(crate) new: Given,
}

/// What is given at a slot.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Given {
    Type(Type),
    Attr(AttrValue),
}

/// The changes of a tensor: each dim, the rank, the dtype.
pub(crate) fn of_tensor(slot: &Slot, ty: &Type) -> Vec<Mutation> {
    let Some(tensor) = ty.as_tensor() else {
        return Vec::new();
    };
    let dims = tensor.shape.known_dims();
    let other = |new: Tensor, dim: Option<usize>| Mutation {
        slot: slot.clone(),
        dim,
        old: Given::Type(ty.clone()),
        new: Given::Type(new.into()),
    };
    let shaped = |dims: Vec<Dim>| Tensor::new(tensor.dtype.clone(), Shape::known(dims));
    let mut all = Vec::new();
    for (i, dim) in dims.iter().enumerate() {
        let mut dims = dims.to_vec();
        dims[i] = Dim::Size(dim.size().unwrap_or(0) + 2);
        all.push(other(shaped(dims), Some(i)));
    }
    all.push(other(shaped([dims, &[Dim::Size(2)]].concat()), None));
    if let [_, rest @ ..] = dims {
        all.push(other(shaped(rest.to_vec()), None));
    }
    for dtype in [Dtype::F32, Dtype::I64, Dtype::Bool] {
        let dtype = DtypeTerm::from(dtype);
        if dtype != tensor.dtype {
            all.push(other(Tensor::new(dtype, tensor.shape.clone()), None));
        }
    }
    all
}

/// The changes of an attribute that is a number, or a list of some.
pub(crate) fn of_attr(name: &str, value: &AttrValue) -> Vec<Mutation> {
    let other = |new: AttrValue| Mutation {
        slot: Slot::Attr(name.parse().unwrap()),
        dim: None,
        old: Given::Attr(value.clone()),
        new: Given::Attr(new),
    };
    match value {
        AttrValue::Int(n) => vec![other((n + 1).into()), other((n + 5).into())],
        AttrValue::List(members) => {
            let numbers = members.iter().enumerate();
            let numbers = numbers.filter_map(|(i, m)| match m {
                AttrValue::Int(n) => Some((i, *n)),
                _ => None,
            });
            let changed = numbers.map(|(i, n)| {
                let mut members = members.clone();
                members[i] = AttrValue::Int(n + 3);
                other(AttrValue::List(members))
            });
            changed.collect()
        }
        _ => Vec::new(),
    }
}

/// How a spoiled question was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Outcome {
    /// It still has an answer.
    StillFits,
    /// Nobody knows.
    Unknown,
    Explained,
}

/// How many questions were found how. All of it is an equality.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Outcomes {
    pub(crate) still_fits: usize,
    pub(crate) unknown: usize,
    pub(crate) explained: usize,
}

impl Outcomes {
    pub(crate) fn count(&mut self, outcome: Outcome) {
        *match outcome {
            Outcome::StillFits => &mut self.still_fits,
            Outcome::Unknown => &mut self.unknown,
            Outcome::Explained => &mut self.explained,
        } += 1;
    }
}

/// The explanation of a spoiled question is right.
pub(crate) fn check(query: &Query, mutation: &Mutation) -> Result<Outcome, String> {
    let solved = query.solve();
    let Ok(mut answers) = solved else {
        return Ok(Outcome::Unknown);
    };
    match answers.verdict() {
        Verdict::Never => {}
        Verdict::Unknown => return Ok(Outcome::Unknown),
        Verdict::Always | Verdict::Depends => return Ok(Outcome::StillFits),
    }
    let Some(conflict) = query.explain() else {
        return Err(format!("not explained: {mutation:?}"));
    };
    let wrong = |what: &str| Err(format!("{what}: {mutation:?}\n{conflict}\n{conflict:#?}"));
    let about_it = conflict.facts.iter().any(|fact| {
        let same_dim = match (mutation.dim, fact.about) {
            (Some(dim), FactKind::Dim(axis)) => dim == axis,
            _ => true,
        };
        fact.slot == mutation.slot && same_dim
    });
    if !about_it {
        return wrong("the change is not in the core");
    }
    if let Some(what) = mistake(query, &conflict) {
        return wrong(&what);
    }
    if !covers(&conflict, mutation) {
        return wrong("no repair gives back what it was");
    }
    Ok(Outcome::Explained)
}

/// What is wrong with an explanation, whatever the question is: a core can't hold, all of it is needed for that, and
/// each repair helps.
pub(crate) fn mistake(query: &Query, conflict: &Conflict) -> Option<String> {
    if !never(&query.with_only(&conflict.facts)) {
        return Some("the core can hold".into());
    }
    for i in 0..conflict.facts.len() {
        let mut fewer = conflict.facts.clone();
        fewer.remove(i);
        if never(&query.with_only(&fewer)) {
            return Some("a fact of the core is not needed".into());
        }
    }
    let mut repairs = conflict.repairs.iter();
    let useless = repairs.find(|repair| never(&repair.apply(query)))?;
    Some(format!("{useless:?} does not help"))
}

pub(crate) fn never(query: &Query) -> bool {
    query
        .solve()
        .is_ok_and(|mut answers| answers.verdict() == Verdict::Never)
}

/// Is one of the repairs what it was, or more general?
fn covers(conflict: &Conflict, mutation: &Mutation) -> bool {
    let of_slot = conflict.repairs.iter().filter(|r| r.slot == mutation.slot);
    of_slot
        .into_iter()
        .any(|repair| match (&repair.change, &mutation.old) {
            (Edit::Type(ty), Given::Type(old)) => {
                let (ty, old) = (
                    ty.clone().with_contents(None),
                    old.clone().with_contents(None),
                );
                // What was open itself is given back where it can still be that.
                let is_known = |t: &Tensor| t.shape.is_ground() && t.dtype.known().is_some();
                match old.as_tensor().is_some_and(is_known) {
                    true => order::is_super(&ty, &old) != Verdict::Never,
                    false => order::meet(&ty, &old).is_ok(),
                }
            }
            (Edit::Attr(value), Given::Attr(old)) => is_above(value, old),
            _ => false,
        })
}

fn is_above(value: &AttrValue, old: &AttrValue) -> bool {
    match (value, old) {
        (AttrValue::Dim(Dim::Name(_) | Dim::Expr(_) | Dim::Hole) | AttrValue::Hole, _) => true,
        (AttrValue::Dim(Dim::Size(a)), AttrValue::Int(b)) => i64::try_from(*a) == Ok(*b),
        (AttrValue::List(a), AttrValue::List(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| is_above(a, b))
        }
        _ => value == old,
    }
}
