//! [`Defined`]: the values that have a name in the text, in all calls of the functions they stand in.

use kanshape::graph::{Graph, ValueId};
use kanshape::tree::Span;
use kanshape::{Dim, Type};
use rustc_hash::FxHashMap;
use std::collections::hash_map::Entry;

use super::Checker;

/// The values that have a name in the text, each time that they are made.
#[derive(Debug, Default)]
pub(crate) struct Defined {
    /// Where the name stands, and what it denotes.
    all: Vec<(usize, Vec<ValueId>)>,
}

/// The sizes of a tensor: those that are the same number in all calls. None if its rank isn't the same.
pub(crate) type Leaf = Option<Vec<Option<u64>>>;

/// What is known of values: by where their name stands and which of those that are called so it is, of each tensor in it.
pub(crate) type DefinedSizes = FxHashMap<(usize, usize), Vec<Leaf>>;

impl Checker<'_> {
    /// What stands here denotes these values.
    pub(super) fn is_defined(&mut self, at: Span, values: &[ValueId]) {
        if let Some(defined) = &mut self.defined {
            defined.all.push((at.start, values.to_vec()));
        }
    }
}

impl Defined {
    /// What is known of them.
    pub(super) fn sizes(self, graph: &mut Graph) -> DefinedSizes {
        let mut sizes = DefinedSizes::default();
        // Those that are read without writing their types come first: almost all.
        let mut rest = Vec::new();
        for (at, values) in self.all {
            for (i, value) in values.into_iter().enumerate() {
                match of_tensor(graph, value) {
                    Some(leaf) => add(&mut sizes, (at, i), vec![leaf]),
                    None => rest.push(((at, i), value)),
                }
            }
        }
        if rest.is_empty() {
            return sizes;
        }
        let mut reading = graph.read();
        for (key, value) in rest {
            let mut leaves = Vec::new();
            of_type(&reading.shared(value), &mut leaves);
            add(&mut sizes, key, leaves);
        }
        sizes
    }
}

fn of_tensor(graph: &Graph, value: ValueId) -> Option<Leaf> {
    let rank = graph.rank(value)?;
    Some(Some((0..rank).map(|axis| graph.dim(value, axis)).collect()))
}

fn of_type(ty: &Type, leaves: &mut Vec<Leaf>) {
    if ty.as_tensor().is_none() {
        return match ty.parts().next() {
            Some(_) => ty.parts().for_each(|part| of_type(part, leaves)),
            None if ty.is_unknown() => leaves.push(None),
            None => {}
        };
    }
    let size = |dim: &Dim| match dim {
        Dim::Size(size) => Some(*size),
        _ => None,
    };
    leaves.push(ty.dims().map(|dims| dims.iter().map(size).collect()));
}

/// One call more.
fn add(sizes: &mut DefinedSizes, key: (usize, usize), leaves: Vec<Leaf>) {
    match sizes.entry(key) {
        Entry::Vacant(entry) => {
            entry.insert(leaves);
        }
        Entry::Occupied(mut entry) => {
            let own = entry.get_mut();
            match own.len() == leaves.len() {
                true => own
                    .iter_mut()
                    .zip(leaves)
                    .for_each(|(own, leaf)| meet(own, leaf)),
                false => own.iter_mut().for_each(|own| *own = None),
            }
        }
    }
}

/// What is the same of both.
pub(crate) fn meet(own: &mut Leaf, other: Leaf) {
    *own = match (own.take(), other) {
        (Some(mut sizes), Some(others)) if sizes.len() == others.len() => {
            for (size, other) in sizes.iter_mut().zip(others) {
                *size = size.filter(|size| other == Some(*size));
            }
            Some(sizes)
        }
        _ => None,
    };
}
