//! [`Table`]: types, each of them once.

use super::Elements;
use super::known::{self, ValueState};
use super::sizes::Reader;
use crate::limits::MAX_FLOATS;
use hashbrown::HashTable;
use kanshape_engine::{Num, Stop, Term};
use kanshape_rules::encode::Labels;
use kanshape_rules::encode::float;
use kanshape_rules::eval::{self, ElementType, Extremes, Value};
use kanshape_types::{Contents, Dtype, DtypeSet, Type};
use rustc_hash::FxBuildHasher;
use smallvec::SmallVec;
use std::cell::OnceCell;
use std::hash::{BuildHasher, Hash};
use std::sync::Arc;

/// The number of a type in a [`Table`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct TypeId(u32);

/// Types, each of them once, as the values with which operators calculate. Those in which nothing is open are written
/// as types when they are first read.
#[derive(Debug, Default)]
pub(super) struct Table {
    labels: Labels,
    entries: Vec<Entry>,
    values: HashTable<Slot>,
    /// How many members contents have, in all.
    members: usize,
}

#[derive(Debug)]
struct Entry {
    ty: OnceCell<Arc<Type>>,
    value: Value,
    /// Are some of its numbers no integers, or is a dtype not known?
    is_open: bool,
}

/// A type, and the hash of its value, so that values need not be re-examined when the table grows.
#[derive(Clone, Copy, Debug)]
struct Slot {
    hash: u64,
    id: TypeId,
}

/// The parts of a tensor that is looked for.
#[derive(Clone, Copy, Hash)]
struct TensorKey<'a> {
    dtype: ElementType,
    shape: &'a [Num],
    contents: Option<&'a [Num]>,
    extremes: Option<Extremes>,
}

impl PartialEq for TensorKey<'_> {
    fn eq(&self, other: &Self) -> bool {
        // They are short, so that a call of a function for each of them is what costs.
        let same = |a: &[Num], b: &[Num]| a.len() == b.len() && a.iter().eq(b);
        let contents = match (self.contents, other.contents) {
            (Some(own), Some(other)) => same(own, other),
            (own, other) => own.is_none() && other.is_none(),
        };
        self.dtype == other.dtype
            && same(self.shape, other.shape)
            && contents
            && self.extremes == other.extremes
    }
}

impl<'a> TensorKey<'a> {
    fn of(tensor: &'a eval::Tensor) -> TensorKey<'a> {
        TensorKey {
            dtype: tensor.dtype,
            shape: &tensor.shape,
            contents: tensor.contents.as_deref(),
            extremes: tensor.extremes,
        }
    }

    /// Without contents if they are more than is kept.
    fn kept(mut self) -> TensorKey<'a> {
        let most = match self.dtype.set().is_subset(DtypeSet::FLOAT) {
            true => MAX_FLOATS,
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
            extremes: self.extremes,
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

    /// The number of a type in which nothing is open; `None` of any other.
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
        let is = |slot: &Slot| *self.value(slot.id) == value;
        if let Some(slot) = self.values.find(hash, is) {
            return Some(slot.id);
        }
        self.push_value(hash, value)
    }

    fn number_of_tensor(
        &mut self,
        key: TensorKey<'_>,
        tensor: impl FnOnce() -> Arc<eval::Tensor>,
    ) -> Option<TypeId> {
        let hash = hash_of(&key);
        let is = |slot: &Slot| match self.value(slot.id) {
            Value::Tensor(tensor) => TensorKey::of(tensor) == key,
            _ => false,
        };
        if let Some(slot) = self.values.find(hash, is) {
            return Some(slot.id);
        }
        self.members += key.contents.map_or(0, <[Num]>::len);
        self.push_value(hash, Value::Tensor(tensor()))
    }

    /// `None` for a value that no type can be written for.
    fn push_value(&mut self, hash: u64, value: Value) -> Option<TypeId> {
        let is_open = known::is_open(&value);
        let ty = match (&value, is_open) {
            // Mostly nobody reads it.
            (_, true) => OnceCell::new(),
            (Value::Tensor(tensor), false) if tensor.contents.is_none() => OnceCell::new(),
            (value, false) => OnceCell::from(Arc::new(value.to_type(&self.labels)?)),
        };
        let id = TypeId(u32::try_from(self.entries.len()).ok()?);
        self.entries.push(Entry { ty, value, is_open });
        let slot = Slot { hash, id };
        self.values.insert_unique(hash, slot, |slot| slot.hash);
        Some(id)
    }

    /// A tensor all of whose sizes are numbers.
    pub(super) fn tensor(
        &mut self,
        dtype: Dtype,
        sizes: &[u64],
        elements: Option<Elements<'_>>,
    ) -> Option<TypeId> {
        let small = |n: &u64| Num::new(i64::try_from(*n).ok()?).ok();
        let shape: Option<eval::Numbers> = sizes.iter().map(small).collect();
        let contents: Option<SmallVec<[Num; 8]>> = match elements {
            Some(Elements::Ints(all)) if all.len() <= Contents::MAX => {
                all.iter().map(|n| Num::new(*n).ok()).collect()
            }
            Some(Elements::Floats(all)) if all.len() <= MAX_FLOATS => {
                let code = |x: &f64| Num::new(i64::try_from(float::code(*x)).ok()?).ok();
                all.iter().map(code).collect()
            }
            _ => None,
        };
        shape.and_then(|shape| {
            let key = TensorKey {
                dtype: dtype.into(),
                shape: &shape,
                contents: contents.as_deref(),
                extremes: None,
            };
            let key = key.kept();
            self.number_of_tensor(key, || Arc::new(key.to_tensor()))
        })
    }

    /// Are some of its numbers no integers, or is a dtype not known?
    #[inline]
    pub(super) fn is_open(&self, id: TypeId) -> bool {
        self.entries[id.0 as usize].is_open
    }

    /// Is it a tensor in which nothing is open, and of whose contents nothing is known?
    pub(super) fn is_bare(&self, id: TypeId) -> bool {
        let is_tensor = matches!(self.value(id), Value::Tensor(_));
        is_tensor && !self.is_open(id) && !self.has_contents(id)
    }

    /// Is something known of what is in it?
    pub(super) fn has_contents(&self, id: TypeId) -> bool {
        known::has_contents(self.value(id))
    }

    /// The type of a tensor of whose contents something is known, without that. `None` for others.
    pub(super) fn bare(&mut self, id: TypeId) -> Option<TypeId> {
        let Value::Tensor(tensor) = self.value(id) else {
            return None;
        };
        if tensor.contents.is_none() && tensor.extremes.is_none() {
            return None;
        }
        let bare = eval::Tensor {
            dtype: tensor.dtype,
            shape: tensor.shape.clone(),
            contents: None,
            extremes: None,
        };
        self.number_of(Value::Tensor(Arc::new(bare)))
    }

    /// A type in which nothing is open.
    pub(super) fn ty(&self, id: TypeId) -> &Arc<Type> {
        let entry = &self.entries[id.0 as usize];
        entry.ty.get_or_init(|| {
            let ty = entry.value.to_type(&self.labels);
            Arc::new(ty.unwrap_or_default())
        })
    }

    /// What a type is in calculations.
    #[inline]
    pub(super) fn value(&self, id: TypeId) -> &Value {
        &self.entries[id.0 as usize].value
    }

    /// What is known of a value now. `None` if more of it is open than sizes and dtypes.
    pub(super) fn refreshed(
        &mut self,
        reader: &mut Reader<'_>,
        known: &ValueState,
    ) -> Result<Option<TypeId>, Stop> {
        let id = match known {
            ValueState::Typed(id) => *id,
            ValueState::Open(term) => return self.read(reader, term),
        };
        if !self.is_open(id) {
            return Ok(Some(id));
        }
        let value = self.value(id);
        if known::is_settled(reader, value) {
            return Ok(Some(id));
        }
        let value = known::refreshed(reader, &value.clone())?;
        Ok(self.number_of(value))
    }

    /// What a term has come to be, if no more of it is open than sizes and dtypes.
    pub(super) fn read(
        &mut self,
        reader: &mut Reader<'_>,
        term: &Term,
    ) -> Result<Option<TypeId>, Stop> {
        let value = known::read(reader, term)?;
        Ok(value.and_then(|value| self.number_of(value)))
    }
}
