//! What is known of a value: a type whose open sizes have been taken out, and what stands in their places.
//!
//! `f32[N, 64, H//2]` is the type `f32[#0, 64, #1]` with the forms of `N` and of `H//2`. Types are kept once in a
//! [`Table`] and compared by number, so that operators on types that have come up before need not be asked again.

use super::Elements;
use crate::lower::{Labels, TENSOR, atoms, dtypes, tensor_parts};
use crate::relation::float;
use crate::relation::ground::{self, Value};
use kanshape_engine::{Domain, Int, Linear, Part, State, Stop, Term};
use kanshape_types::{
    Content, Contents, Dim, Dtype, DtypeSet, DtypeTerm, Name, Shape, Tensor, Type, TypeKind,
};
use rustc_hash::FxHashMap;
use std::cell::OnceCell;
use std::sync::{Arc, LazyLock};

/// The number of a type in a [`Table`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct TypeId(u32);

/// What is known of a value.
#[derive(Clone, Debug)]
pub(super) enum Known {
    /// A type in which nothing is open.
    Closed(TypeId),
    /// A type with places, and the forms that stand in them.
    Named(TypeId, Arc<[Linear]>),
    /// Not even a rank or a dtype, or not of all of it.
    Open(Term),
}

/// Types, each of them once.
///
/// Those in which nothing is open are kept as values, with which operators calculate, and written as types when
/// somebody asks.
#[derive(Debug, Default)]
pub(super) struct Table {
    labels: Labels,
    entries: Vec<Entry>,
    /// By the type, of those that are no values.
    types: FxHashMap<Type, TypeId>,
    values: FxHashMap<Value, TypeId>,
    /// How many members contents have, in all.
    members: usize,
}

#[derive(Debug)]
struct Entry {
    ty: OnceCell<Type>,
    value: Option<Value>,
}

/// Floats beyond so many are not kept: what decides about shapes is shorter.
const MOST_FLOATS: usize = 64;

impl Table {
    pub(super) fn new(labels: Labels) -> Table {
        Table {
            labels,
            ..Table::default()
        }
    }

    /// How much there is in it: types, and members of their contents.
    pub(super) fn weight(&self) -> usize {
        self.entries.len() + self.members
    }

    pub(super) fn number(&mut self, ty: Type) -> TypeId {
        if let Some(id) = self.closed(&ty).or(self.types.get(&ty).copied()) {
            return id;
        }
        let id = self.push(Entry {
            ty: OnceCell::from(ty.clone()),
            value: None,
        });
        self.types.insert(ty, id);
        id
    }

    /// The same of a type in which nothing is open; `None` of any other.
    pub(super) fn closed(&mut self, ty: &Type) -> Option<TypeId> {
        self.number_of(Value::of_type(ty, &self.labels)?)
    }

    /// The number of a value that a type is; `None` if no type can be written for it.
    pub(super) fn number_of(&mut self, value: Value) -> Option<TypeId> {
        let value = match &value {
            Value::Tensor(tensor) if has_too_much(tensor) => {
                Value::Tensor(Arc::new(ground::Tensor {
                    contents: None,
                    ..(**tensor).clone()
                }))
            }
            _ => value,
        };
        if let Some(id) = self.values.get(&value) {
            return Some(*id);
        }
        let ty = match &value {
            Value::Tensor(tensor) if tensor.contents.is_none() => OnceCell::new(),
            value => OnceCell::from(value.to_type(&self.labels)?),
        };
        if let Value::Tensor(tensor) = &value {
            self.members += tensor.contents.as_ref().map_or(0, |all| all.len());
        }
        let id = self.push(Entry {
            ty,
            value: Some(value.clone()),
        });
        self.values.insert(value, id);
        Some(id)
    }

    /// A tensor all of whose sizes are numbers.
    pub(super) fn tensor(
        &mut self,
        dtype: Dtype,
        sizes: &[u64],
        elements: Option<Elements<'_>>,
    ) -> TypeId {
        let is_size = |n: &u64| i64::try_from(*n).ok();
        let shape: Option<ground::Numbers> = sizes.iter().map(is_size).collect();
        let contents = match elements {
            None => None,
            Some(Elements::Ints(all)) => Some(all.into()),
            Some(Elements::Floats(all)) => {
                let codes = all.iter().map(|x| i64::try_from(float::code(*x)).ok());
                codes.collect()
            }
        };
        let value = shape.map(|shape| {
            Value::Tensor(Arc::new(ground::Tensor {
                dtype,
                shape,
                contents,
            }))
        });
        let id = value.and_then(|value| self.number_of(value));
        id.unwrap_or_else(|| self.number(Type::tensor(dtype, sizes.iter().copied())))
    }

    fn push(&mut self, entry: Entry) -> TypeId {
        self.entries.push(entry);
        TypeId(self.entries.len() as u32 - 1)
    }

    pub(super) fn ty(&self, id: TypeId) -> &Type {
        let entry = &self.entries[id.0 as usize];
        entry.ty.get_or_init(|| {
            let ty = entry.value.as_ref().and_then(|v| v.to_type(&self.labels));
            ty.unwrap_or_default()
        })
    }

    /// What a type is in calculations; `None` if something is open in it.
    pub(super) fn value(&self, id: TypeId) -> Option<&Value> {
        self.entries[id.0 as usize].value.as_ref()
    }

    /// A type with its places, and what stands in them.
    pub(super) fn known(&mut self, ty: Type, forms: Vec<Linear>) -> Known {
        let id = self.number(ty);
        match forms.is_empty() {
            true => Known::Closed(id),
            false => Known::Named(id, forms.into()),
        }
    }

    /// What is known now that more is known of the forms.
    pub(super) fn refreshed(&mut self, state: &State, labels: &Labels, known: &Known) -> Known {
        let Known::Named(id, forms) = known else {
            return match known {
                Known::Open(term) => self.read(state, labels, term),
                known => known.clone(),
            };
        };
        let resolved: Result<Vec<Linear>, Stop> = forms.iter().map(|l| state.resolve(l)).collect();
        let Ok(resolved) = resolved else {
            return known.clone();
        };
        if resolved.iter().all(|l| l.as_constant().is_none()) {
            return match resolved[..] == **forms {
                true => known.clone(),
                false => Known::Named(*id, resolved.into()),
            };
        }
        let mut left = Vec::new();
        let ty = fill(self.ty(*id), &mut |k| match resolved.get(k) {
            Some(form) => placed(form, &mut left),
            None => Filled::Hole,
        });
        self.known(ty, left)
    }

    /// What a term has come to be.
    pub(super) fn read(&mut self, state: &State, labels: &Labels, term: &Term) -> Known {
        let mut forms = Vec::new();
        match read(state, term, labels, &mut forms) {
            Some(ty) => self.known(ty, forms),
            None => Known::Open(term.clone()),
        }
    }
}

/// Is there more in it than is kept?
fn has_too_much(tensor: &ground::Tensor) -> bool {
    let most = match DtypeSet::FLOAT.contains(tensor.dtype) {
        true => MOST_FLOATS,
        false => Contents::MAX,
    };
    let contents = tensor.contents.as_ref();
    contents.is_some_and(|all| all.len() > most)
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
            let members = contents.iter().map(|member| {
                let known = match member {
                    Content::Int(n) => Some(Linear::constant(Int::from(*n))),
                    Content::Bool(truth) => Some(Linear::constant(Int::from(*truth))),
                    Content::Float(x) => Some(Linear::constant(float::code(x.get()))),
                    Content::Name(name) => form(name),
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
