//! [`Table`]: types, each of them once.

use super::Elements;
use super::known::{Filled, Known, fill, placed, read};
use crate::lower::Labels;
use crate::relation::float;
use crate::relation::ground::{self, Value};
use kanshape_engine::{Linear, State, Stop, Term};
use kanshape_types::{Contents, Dtype, DtypeSet, Type};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::cell::OnceCell;
use std::sync::Arc;

/// The number of a type in a [`Table`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct TypeId(u32);

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
    /// Tensors by dtype and sizes, where nothing is known of what is in them: mostly this is asked.
    plain: FxHashMap<(Dtype, SmallVec<[u64; 4]>), TypeId>,
    /// How many members contents have, in all.
    members: usize,
}

#[derive(Debug)]
struct Entry {
    ty: OnceCell<Arc<Type>>,
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
            ty: OnceCell::from(Arc::new(ty.clone())),
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
            value => OnceCell::from(Arc::new(value.to_type(&self.labels)?)),
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
        let is_plain = elements.is_none();
        let key = (dtype, SmallVec::from_slice(sizes));
        if is_plain && let Some(id) = self.plain.get(&key) {
            return *id;
        }
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
        let id = id.unwrap_or_else(|| self.number(Type::tensor(dtype, sizes.iter().copied())));
        if is_plain {
            self.plain.insert(key, id);
        }
        id
    }

    fn push(&mut self, entry: Entry) -> TypeId {
        self.entries.push(entry);
        TypeId(self.entries.len() as u32 - 1)
    }

    pub(super) fn ty(&self, id: TypeId) -> &Arc<Type> {
        let entry = &self.entries[id.0 as usize];
        entry.ty.get_or_init(|| {
            let ty = entry.value.as_ref().and_then(|v| v.to_type(&self.labels));
            Arc::new(ty.unwrap_or_default())
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
        // Mostly nothing has become known since.
        let is_same = |l: &Linear| state.resolve(l).is_ok_and(|now| now == *l);
        if forms.iter().all(is_same) {
            return known.clone();
        }
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
