//! What is known of one value, read without writing a type: numbers only, no names.

use super::known::ValueState;
use super::sizes::Reader;
use super::{Graph, ValueId};
use kanshape_engine::{Linear, Num, Part};
use kanshape_rules::encode::{dtypes, tensor_parts};
use kanshape_rules::eval::{self, ElementType, Value};
use kanshape_types::{Dtype, DtypeSet};
use std::sync::Arc;

impl Graph {
    /// How many dims a value has, if it is known to be a tensor and the number is known.
    ///
    /// This and the reads below cost next to nothing, whatever else is in the graph: they solve nothing and make up no
    /// names. [`Graph::ty`] writes the whole type.
    ///
    /// ```
    /// use kanshape::{Dtype, Relations, Type, graph::Graph};
    ///
    /// let relations = Relations::load_str("mine.kan", "op MatMul \"(m,n),(n,p)->(m,p)\"")?;
    /// let mut graph = Graph::new(&relations);
    /// let (x, w) = (graph.value(&"f32[N, 4]".parse()?)?, graph.unknown());
    /// let matmul = relations.operator("MatMul", None)?;
    /// let y = graph.push(matmul.call([Type::UNKNOWN; 2]), &[x, w])?.1.get(0).unwrap();
    /// assert_eq!((graph.rank(y), graph.dtype(y), graph.dim(y, 0)), (Some(2), Some(Dtype::F32), None));
    ///
    /// graph.assume(y, &"f32[8, 10]".parse()?)?;
    /// assert_eq!((graph.dim(x, 0), graph.dim(w, 1)), (Some(8), Some(10)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn rank(&self, value: ValueId) -> Option<usize> {
        match self.values.get(value.index())? {
            ValueState::Typed(_) => Some(self.typed(value)?.shape.len()),
            ValueState::Open(term) => {
                let (_, shape, _) = tensor_parts(&self.all.state, term)?;
                let parts = self.all.state.parts(&shape);
                let is_one = |part: &Part| matches!(part, Part::One(_));
                parts.iter().all(is_one).then_some(parts.len())
            }
        }
    }

    /// The dtype of a value, if it is known to be a tensor of one dtype.
    pub fn dtype(&self, value: ValueId) -> Option<Dtype> {
        self.dtypes(value).single()
    }

    /// The dtypes that a value may have: all of them where nothing is known.
    pub fn dtypes(&self, value: ValueId) -> DtypeSet {
        match self.values.get(value.index()) {
            Some(ValueState::Typed(_)) => match self.typed(value).map(|tensor| tensor.dtype) {
                Some(ElementType::Known(dtype)) => dtype.into(),
                Some(ElementType::Open(open)) => self
                    .sizes
                    .dtype_var(open)
                    .map_or(open.set, |v| dtypes(self.all.state.mask(v))),
                None => DtypeSet::ANY,
            },
            Some(ValueState::Open(term)) => match tensor_parts(&self.all.state, term) {
                Some((dtype, ..)) => dtypes(self.all.state.mask(dtype)),
                None => DtypeSet::ANY,
            },
            None => DtypeSet::ANY,
        }
    }

    /// Is nothing of a value open but sizes and dtypes? What nodes require of these is noted, and [`Graph::asks_beyond`] says so.
    pub fn is_typed(&self, value: ValueId) -> bool {
        matches!(self.values.get(value.index()), Some(ValueState::Typed(_)))
    }

    /// The size of a dim of a value, if it is known to be a number.
    pub fn dim(&self, value: ValueId, axis: usize) -> Option<u64> {
        match self.values.get(value.index())? {
            ValueState::Typed(_) => {
                let tensor = self.typed(value)?;
                self.number(*tensor.shape.get(axis)?)
            }
            ValueState::Open(term) => {
                let (_, shape, _) = tensor_parts(&self.all.state, term)?;
                let parts = self.all.state.parts(&shape);
                // Behind a run nothing has a known place.
                let mut ones = parts.iter().map_while(|part| match part {
                    Part::One(size) => Some(size),
                    Part::Run(_) => None,
                });
                let size = self.all.state.resolve(ones.nth(axis)?).ok()?;
                u64::try_from(size.as_constant()?).ok()
            }
        }
    }

    /// Is the same known of two values, so that nothing follows from equating them? Where more than sizes is
    /// open, only a value is known to be the same as itself.
    pub fn is_known_same(&mut self, a: ValueId, b: ValueId) -> bool {
        if a == b {
            return true;
        }
        let (Some(ValueState::Typed(one)), Some(ValueState::Typed(other))) =
            (self.values.get(a.index()), self.values.get(b.index()))
        else {
            return false;
        };
        if one == other {
            return true;
        }
        let mut guard = self.cache.open();
        let cache = &mut *guard;
        if !cache.table.is_open(*one) && !cache.table.is_open(*other) {
            return false;
        }
        let mut reader = Reader {
            sizes: &mut self.sizes,
            state: &self.all.state,
            forms: &mut cache.forms,
        };
        let mut now = |id| {
            cache
                .table
                .refreshed(&mut reader, &ValueState::Typed(id))
                .ok()
        };
        matches!((now(*one), now(*other)), (Some(a), Some(b)) if a.is_some() && a == b)
    }

    fn typed(&self, value: ValueId) -> Option<Arc<eval::Tensor>> {
        let ValueState::Typed(id) = self.values.get(value.index())? else {
            return None;
        };
        match self.cache.open().table.value(*id) {
            Value::Tensor(tensor) => Some(Arc::clone(tensor)),
            Value::Node(_) => None,
        }
    }

    /// A size, with what the store knows of what it is made of.
    fn number(&self, n: Num) -> Option<u64> {
        if let Some(n) = n.int() {
            return u64::try_from(n).ok();
        }
        let mut cache = self.cache.open();
        let now = cache.forms.replace(n, &mut |forms, generator| {
            let known = self.sizes.var(forms, generator).and_then(|v| {
                let size = self.all.state.resolve(&Linear::var(v)).ok()?;
                Num::new(i64::try_from(size.as_constant()?).ok()?).ok()
            });
            Ok(known)
        });
        u64::try_from(now.ok()?.int()?).ok()
    }
}
