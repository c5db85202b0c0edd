//! What is known of a value: a type whose open sizes have been taken out, and what stands in their places.
//!
//! `f32[N, 64, H//2]` is the type `f32[#0, 64, #1]` with the forms of `N` and of `H//2`. Types are kept once in a
//! table (`table`) and compared by number, so that operators on types that have come up before need not be asked again.

use super::table::TypeId;
use crate::lower::{Labels, TENSOR, atoms, dtypes, tensor_parts};
use crate::relation::{float, measure};
use kanshape_engine::{Domain, Int, Linear, Part, State, Term};
use kanshape_types::{
    Content, Contents, Dim, DtypeSet, DtypeTerm, Name, Shape, Tensor, Type, TypeKind,
};
use std::sync::{Arc, LazyLock};

/// What is known of a value.
#[derive(Clone, Debug)]
pub(super) enum Known {
    /// A type in which nothing is open.
    Closed(TypeId),
    /// A type with places, and the forms that stand in them.
    Named(TypeId, Arc<[Linear]>),
    /// Not even a rank or a dtype, or not of all of it. Few values are like this, so it stands apart.
    Open(Box<Term>),
}

impl Known {
    pub(super) fn open(term: Term) -> Known {
        Known::Open(Box::new(term))
    }
}

/// What stands in a place.
pub(super) enum Filled {
    Number(Int),
    /// The place of this number.
    Place(usize),
    Hole,
    Dim(Dim),
}

/// A form as a number, or as the next place.
pub(super) fn placed(form: &Linear, left: &mut Vec<Linear>) -> Filled {
    match form.as_constant() {
        Some(n) => Filled::Number(n),
        None => {
            left.push(form.clone());
            Filled::Place(left.len() - 1)
        }
    }
}

const PLACES: usize = 64;

static PLACE_NAMES: LazyLock<Vec<Name>> =
    LazyLock::new(|| (0..PLACES).map(|k| Name::from(format!("#{k}"))).collect());

/// The name of a place. No name that a user writes begins like this.
pub(super) fn place_name(k: usize) -> Name {
    match PLACE_NAMES.get(k) {
        Some(name) => name.clone(),
        None => Name::from(format!("#{k}")),
    }
}

/// Which place a name is.
pub(super) fn place_of(name: &Name) -> Option<usize> {
    name.as_str().strip_prefix('#')?.parse().ok()
}

/// A type with something in its places.
pub(super) fn fill(ty: &Type, with: &mut dyn FnMut(usize) -> Filled) -> Type {
    let TypeKind::Tensor(tensor) = &ty.kind else {
        return ty.map_parts(&mut |part| fill(part, with));
    };
    let mut dims = Vec::with_capacity(tensor.shape.dims().len());
    for dim in tensor.shape.dims() {
        dims.push(match dim {
            Dim::Name(name) => match place_of(name) {
                Some(k) => match with(k) {
                    Filled::Number(n) => u64::try_from(n).map_or(Dim::Hole, Dim::Size),
                    Filled::Place(k) => Dim::Name(place_name(k)),
                    Filled::Hole => Dim::Hole,
                    Filled::Dim(dim) => dim,
                },
                None => dim.clone(),
            },
            dim => dim.clone(),
        });
    }
    let contents = tensor.contents.as_ref().map(|contents| {
        contents.map(&mut |member| match member {
            Content::Name(name) => match place_of(name) {
                Some(k) => match with(k) {
                    Filled::Number(n) => i64::try_from(n).map_or(Content::Hole, Content::Int),
                    Filled::Place(k) => Content::Name(place_name(k)),
                    Filled::Hole => Content::Hole,
                    Filled::Dim(dim) => Content::from(dim),
                },
                None => member.clone(),
            },
            member => member.clone(),
        })
    });
    Tensor::new(tensor.dtype.clone(), dims.into_iter().collect::<Shape>())
        .with_contents(contents.filter(says))
        .into()
}

pub(super) fn says(contents: &Contents) -> bool {
    contents.is_empty() || contents.say_something()
}

/// Types that are nested more deeply than this stay terms.
const DEEPEST: usize = 32;

/// The type that a term has come to be, and the forms in its places; `None` if more of it is open than sizes.
pub(super) fn read(
    state: &State,
    term: &Term,
    labels: &Labels,
    forms: &mut Vec<Linear>,
) -> Option<Type> {
    read_at(state, term, labels, forms, 0)
}

fn read_at(
    state: &State,
    term: &Term,
    labels: &Labels,
    forms: &mut Vec<Linear>,
    depth: usize,
) -> Option<Type> {
    if depth > DEEPEST {
        return None;
    }
    match state.walk(term) {
        term @ Term::Node(TENSOR, _) => {
            let (dtype, shape, contents) = tensor_parts(state, &term)?;
            let dtype = dtypes(state.mask(dtype)).single()?;
            let mut dims = Vec::new();
            for part in state.parts(&shape) {
                let Part::One(l) = part else {
                    return None;
                };
                dims.push(match placed(&state.resolve(&l).ok()?, forms) {
                    Filled::Number(n) => Dim::Size(u64::try_from(n).ok()?),
                    Filled::Place(k) => Dim::Name(place_name(k)),
                    _ => Dim::Hole,
                });
            }
            let members = |l: &Linear| measure::is_untold(state, l).unwrap_or(true);
            if DtypeSet::FLOAT.contains(dtype) && any_member(state, &contents, members) {
                return None;
            }
            let contents = self::contents(state, &contents, dtype.into(), &mut |form| {
                forms.push(form.clone());
                Content::Name(place_name(forms.len() - 1))
            });
            let tensor = Tensor::new(dtype, dims.into_iter().collect::<Shape>());
            Some(tensor.with_contents(contents.filter(says)).into())
        }
        Term::Node(label, parts) => {
            let parts = parts
                .iter()
                .map(|part| read_at(state, part, labels, forms, depth + 1));
            Some(labels.build(label, parts.collect::<Option<_>>()?))
        }
        _ => None,
    }
}

/// Is this so of any of the contents that are known one by one?
fn any_member(state: &State, contents: &Term, is: impl Fn(&Linear) -> bool) -> bool {
    let Term::Seq(seq) = state.walk(contents) else {
        return false;
    };
    let mut parts = state.parts(&seq).into_iter();
    parts.any(|part| matches!(part, Part::One(l) if is(&l)))
}

/// What is known of the contents of a tensor of these dtypes. `open` says what stands for a number that is open.
pub(super) fn contents(
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
            Some(n) => i64::try_from(n).map_or(Content::Hole, Content::Int),
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

/// A type as a term, with these forms in its places.
pub(super) fn term(state: &mut State, ty: &Type, forms: &[Linear], labels: &mut Labels) -> Term {
    let TypeKind::Tensor(tensor) = &ty.kind else {
        if ty.is_unknown() {
            return Term::Var(state.any());
        }
        let label = labels.of(ty);
        let parts: Vec<Term> = ty
            .parts()
            .map(|part| match term(state, part, forms, labels) {
                // A tree behind a variable keeps its parent shallow.
                part @ Term::Node(label, _) if label != TENSOR => {
                    Term::Var(state.standing_for(part))
                }
                part => part,
            })
            .collect();
        return Term::node(label, parts);
    };
    let set = match &tensor.dtype {
        DtypeTerm::Known(dtype) => (*dtype).into(),
        term => term.set(),
    };
    let dtype = state.atom(atoms(set));
    let form = |name: &Name| place_of(name).and_then(|k| forms.get(k)).cloned();
    let mut parts = Vec::new();
    for dim in tensor.shape.dims() {
        parts.push(Part::One(
            match dim {
                Dim::Size(n) => Some(Linear::constant(Int::from(*n))),
                Dim::Name(name) => form(name),
                _ => None,
            }
            .unwrap_or_else(|| Linear::var(state.int(crate::lower::sizes()))),
        ));
    }
    let contents = match &tensor.contents {
        None => Term::Var(state.any()),
        Some(contents) => {
            let is_float = set.is_subset(DtypeSet::FLOAT);
            let members = contents.iter().map(|member| {
                let known = match member {
                    Content::Int(n) => Some(Linear::constant(Int::from(*n))),
                    Content::Bool(truth) => Some(Linear::constant(Int::from(*truth))),
                    Content::Float(x) => Some(Linear::constant(float::code(x.get()))),
                    Content::Name(name) => match form(name) {
                        Some(whole) if is_float => measure::of_whole(state, &whole).ok(),
                        form => form,
                    },
                    _ => None,
                };
                Part::One(known.unwrap_or_else(|| Linear::var(state.int(Domain::ALL))))
            });
            Term::Seq(members.collect())
        }
    };
    Term::node(
        TENSOR,
        [
            Term::Atom(dtype),
            Term::Seq(parts.into_iter().collect()),
            contents,
        ],
    )
}
