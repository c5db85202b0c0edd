//! [`Table`]: types, each of them once.

use super::Elements;
use super::known::{Filled, Known, fill, placed, read};
use crate::lower::Labels;
use crate::relation::eval::{self, Value};
use crate::relation::float;
use hashbrown::HashTable;
use kanshape_engine::{Linear, Num, State, Stop, Term};
use kanshape_types::{Contents, Dtype, DtypeSet, Type};
use rustc_hash::{FxBuildHasher, FxHashMap};
use smallvec::SmallVec;
use std::cell::OnceCell;
use std::hash::{BuildHasher, Hash};
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
    /// Those that are values.
    values: HashTable<Slot>,
    /// How many members contents have, in all.
    members: usize,
}

#[derive(Debug)]
struct Entry {
    ty: OnceCell<Arc<Type>>,
    value: Option<Value>,
}

/// A type, and the hash of its value, so that values need not be looked at again when the table grows.
#[derive(Clone, Copy, Debug)]
struct Slot {
    hash: u64,
    id: TypeId,
}

/// The parts of a tensor that is looked for.
#[derive(Clone, Copy, Hash)]
struct TensorKey<'a> {
    dtype: Dtype,
    shape: &'a [Num],
    contents: Option<&'a [Num]>,
}

/// Floats beyond so many are not kept: what decides about shapes is shorter.
const MOST_FLOATS: usize = 64;

impl PartialEq for TensorKey<'_> {
    fn eq(&self, other: &Self) -> bool {
        // They are short, so that a call of a function for each of them is what costs.
        let same = |a: &[Num], b: &[Num]| a.len() == b.len() && a.iter().eq(b);
        let contents = match (self.contents, other.contents) {
            (Some(own), Some(other)) => same(own, other),
            (own, other) => own.is_none() && other.is_none(),
        };
        self.dtype == other.dtype && same(self.shape, other.shape) && contents
    }
}

impl<'a> TensorKey<'a> {
    fn of(tensor: &'a eval::Tensor) -> TensorKey<'a> {
        TensorKey {
            dtype: tensor.dtype,
            shape: &tensor.shape,
            contents: tensor.contents.as_deref(),
        }
    }

    /// Without contents if they are more than is kept.
    fn kept(mut self) -> TensorKey<'a> {
        let most = match DtypeSet::FLOAT.contains(self.dtype) {
            true => MOST_FLOATS,
            false => Contents::MAX,
        };
        self.contents = self.contents.filter(|all| all.len() <= most);
        self
    }

    fn to_tensor(self) -> eval::Tensor {
        eval::Tensor {
            dtype: self.dtype,
            shape: self.shape.into(),
            contents: self.contents.map(Arc::from),
        }
    }
}

fn hash_of(key: &impl Hash) -> u64 {
    FxBuildHasher.hash_one(key)
}

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
        if let Value::Tensor(tensor) = &value {
            let key = TensorKey::of(tensor).kept();
            let is_whole = key.contents.is_some() == tensor.contents.is_some();
            return self.number_of_tensor(key, || match is_whole {
                true => Arc::clone(tensor),
                false => Arc::new(key.to_tensor()),
            });
        }
        let hash = hash_of(&value);
        let is = |slot: &Slot| self.value(slot.id) == Some(&value);
        if let Some(slot) = self.values.find(hash, is) {
            return Some(slot.id);
        }
        let ty = Arc::new(value.to_type(&self.labels)?);
        Some(self.push_value(hash, OnceCell::from(ty), value))
    }

    fn number_of_tensor(
        &mut self,
        key: TensorKey<'_>,
        tensor: impl FnOnce() -> Arc<eval::Tensor>,
    ) -> Option<TypeId> {
        let hash = hash_of(&key);
        let is = |slot: &Slot| match self.value(slot.id) {
            Some(Value::Tensor(tensor)) => TensorKey::of(tensor) == key,
            _ => false,
        };
        if let Some(slot) = self.values.find(hash, is) {
            return Some(slot.id);
        }
        let value = Value::Tensor(tensor());
        let ty = match key.contents {
            None => OnceCell::new(),
            Some(contents) => {
                let ty = value.to_type(&self.labels)?;
                self.members += contents.len();
                OnceCell::from(Arc::new(ty))
            }
        };
        Some(self.push_value(hash, ty, value))
    }

    fn push_value(&mut self, hash: u64, ty: OnceCell<Arc<Type>>, value: Value) -> TypeId {
        let id = self.push(Entry {
            ty,
            value: Some(value),
        });
        let slot = Slot { hash, id };
        self.values.insert_unique(hash, slot, |slot| slot.hash);
        id
    }

    /// A tensor all of whose sizes are numbers.
    pub(super) fn tensor(
        &mut self,
        dtype: Dtype,
        sizes: &[u64],
        elements: Option<Elements<'_>>,
    ) -> TypeId {
        let small = |n: &u64| Num::new(i64::try_from(*n).ok()?).ok();
        let shape: Option<eval::Numbers> = sizes.iter().map(small).collect();
        let contents: Option<SmallVec<[Num; 8]>> = match elements {
            Some(Elements::Ints(all)) if all.len() <= Contents::MAX => {
                all.iter().map(|n| Num::new(*n).ok()).collect()
            }
            Some(Elements::Floats(all)) if all.len() <= MOST_FLOATS => {
                let code = |x: &f64| Num::new(i64::try_from(float::code(*x)).ok()?).ok();
                all.iter().map(code).collect()
            }
            _ => None,
        };
        let known = shape.and_then(|shape| {
            let key = TensorKey {
                dtype,
                shape: &shape,
                contents: contents.as_deref(),
            };
            let key = key.kept();
            self.number_of_tensor(key, || Arc::new(key.to_tensor()))
        });
        known.unwrap_or_else(|| self.number(Type::tensor(dtype, sizes.iter().copied())))
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
            None => Known::open(term.clone()),
        }
    }
}
