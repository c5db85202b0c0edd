//! What a size of a value is made of: one node back, to the sizes of the inputs of the node that gives the value.
//!
//! Found by solving the node's call again with a name of its own for one size of an input: the sizes of the output that
//! have the name then are made of it.

use super::{CallId, Graph, NodeId, ValueId};
use crate::explain::with_dims;
use crate::graph::call::PreparedCall;
use crate::limits::MAX_SOURCES;
use kanshape_types::{Conditions, Content, Contents, Dim, Name, Type};
use std::sync::Arc;

/// Where a size is in a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Site {
    /// It is this dim.
    Dim(usize),
    /// It is this element of a tensor whose contents are known, such as the shape that a reshape is given.
    Element(usize),
}

/// What a size of a node's output is made of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sources {
    /// The node.
    pub node: NodeId,
    /// Sizes of its inputs. There are none where the node brings the size itself: by an attribute, or by what is in its
    /// inputs.
    pub from: Vec<(ValueId, Site)>,
    /// It is another size than these. Otherwise there is one, and the node hands it on.
    pub is_computed: bool,
}

/// Sizes of the inputs of a call, by the places of these.
pub(super) type Places = (Vec<(usize, Site)>, bool);

/// Which of the sizes that something is made of are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wanted {
    /// The first dim.
    FirstDim,
    /// All dims and elements.
    All,
}

/// The name by which a size is followed: no user can write it.
const FOLLOWED: &str = "#followed";

impl Graph {
    /// What a size of a value is made of; `None` if no node that is known gives the value, or there is no such size.
    pub fn sources(&mut self, value: ValueId, site: Site) -> Option<Sources> {
        let (node, output) = self.maker(value)?;
        let own = self.nodes[node.index()].clone();
        let types: Vec<Type> = {
            let mut reading = self.read();
            own.inputs.iter().map(|v| reading.ty(*v)).collect()
        };
        let size = self.size_at(value, site)?;
        let (from, is_computed) =
            self.followed(own.call?, &types, (output, site), &size, Wanted::All);
        let from = from.into_iter();
        Some(Sources {
            node,
            from: from
                .map(|(input, site)| (own.inputs[input], site))
                .collect(),
            is_computed,
        })
    }

    /// A size of a value; `None` if it has none there.
    pub fn size_at(&mut self, value: ValueId, site: Site) -> Option<Dim> {
        size_at(&self.ty(value), site)
    }

    /// The sizes of the inputs that a size of an output is, or is made of.
    pub(super) fn followed(
        &self,
        call: CallId,
        types: &[Type],
        (output, at): (usize, Site),
        size: &Dim,
        wanted: Wanted,
    ) -> Places {
        let prepared = Arc::clone(&self.cache.open().calls[call.0 as usize]);
        let all = sites(types, wanted);
        let same = all.iter().filter(|(_, own)| own == size);
        let same: Vec<(usize, Site)> = same.map(|(place, _)| *place).collect();
        let of = |named: &[(usize, Site)], open: &[(usize, Site)]| {
            becomes(&prepared, types, named, open, (output, at))
        };
        let is_it = |named: &[(usize, Site)]| {
            of(named, &same).is_some_and(|(size, _)| size == Dim::Name(Name::word(FOLLOWED)))
        };
        if let Some(place) = same.iter().find(|place| is_it(&[**place])) {
            return (vec![*place], false);
        }
        // Where they have to be the same, each of them is it.
        if let Some(first) = same.first().filter(|_| is_it(&same)) {
            return (vec![*first], false);
        }
        let made_of = |place: &(usize, Site)| {
            let Some((size, conditions)) = of(&[*place], &[]) else {
                return false;
            };
            match &size {
                Dim::Expr(e) => has(FOLLOWED, |f| e.for_each_name(f)),
                // A size that has no form of its own is tied to what it is made of.
                Dim::Name(own) => conditions.iter().any(|condition| {
                    has(FOLLOWED, |f| condition.for_each_name(f))
                        && has(own, |f| condition.for_each_name(f))
                }),
                _ => false,
            }
        };
        let from = all.into_iter().filter(|(place, _)| made_of(place));
        let from: Vec<((usize, Site), Dim)> = match wanted {
            Wanted::FirstDim => from.take(1).collect(),
            Wanted::All => from.collect(),
        };
        // What is made of one size alone, and is that, is handed on, though the node could make another one of it.
        let is_computed = !matches!(&from[..], [(_, own)] if own == size);
        (
            from.into_iter().map(|(place, _)| place).collect(),
            is_computed,
        )
    }
}

/// What a size of an output is, where these sizes of the inputs have the name and those are left open.
fn becomes(
    prepared: &PreparedCall,
    types: &[Type],
    named: &[(usize, Site)],
    open: &[(usize, Site)],
    (output, at): (usize, Site),
) -> Option<(Dim, Conditions)> {
    let mut types = types.to_vec();
    for (i, site) in open {
        types[*i] = with_size(&types[*i], *site, &Dim::Hole);
    }
    for (i, site) in named {
        types[*i] = with_size(&types[*i], *site, &Dim::Name(Name::word(FOLLOWED)));
    }
    let answer = prepared.query(types).ok()?.solve().ok()?.next()?;
    let place = prepared.output_places().nth(output)?;
    let size = size_at(answer.outputs.get(place)?, at)?;
    Some((size, answer.conditions))
}

/// Is a name among those that `each` goes through?
fn has(name: &str, each: impl FnOnce(&mut dyn FnMut(&str))) -> bool {
    let mut found = false;
    each(&mut |own| found |= own == name);
    found
}

/// The sizes in types, each with its place.
fn sites(types: &[Type], wanted: Wanted) -> Vec<((usize, Site), Dim)> {
    let mut all = Vec::new();
    for (i, tensor) in types.iter().enumerate() {
        let Some(tensor) = tensor.as_tensor() else {
            continue;
        };
        let dims = tensor.shape.known_dims().iter().enumerate();
        all.extend(dims.map(|(axis, dim)| ((i, Site::Dim(axis)), dim.clone())));
        if let (Wanted::All, Some(contents)) = (wanted, &tensor.contents) {
            let elements = contents.iter().enumerate();
            all.extend(
                elements
                    .filter_map(|(k, content)| Some(((i, Site::Element(k)), of_content(content)?))),
            );
        }
    }
    all.truncate(MAX_SOURCES);
    all
}

/// A size in a type.
pub(super) fn size_at(ty: &Type, site: Site) -> Option<Dim> {
    let tensor = ty.as_tensor()?;
    match site {
        Site::Dim(axis) => tensor.shape.known_dims().get(axis).cloned(),
        Site::Element(k) => of_content(tensor.contents.as_ref()?.as_slice().get(k)?),
    }
}

/// An element as a size, if it can be one.
fn of_content(content: &Content) -> Option<Dim> {
    match content {
        Content::Hole => Some(Dim::Hole),
        Content::Int(n) => u64::try_from(*n).ok().map(Dim::Size),
        Content::Name(name) => Some(Dim::Name(name.clone())),
        Content::Expr(e) => Some(Dim::Expr(Arc::clone(e))),
        Content::Bool(_) | Content::Float(_) | Content::Text(_) => None,
    }
}

/// The type with another size in this place.
fn with_size(ty: &Type, site: Site, size: &Dim) -> Type {
    match site {
        // What it has in it is of the dim it had.
        Site::Dim(axis) => with_dims(&ty.clone().with_contents(None), |dims| {
            dims[axis] = size.clone();
        }),
        Site::Element(k) => {
            let contents = ty.as_tensor().and_then(|tensor| tensor.contents.clone());
            let element = match size {
                Dim::Name(name) => Content::Name(name.clone()),
                _ => Content::Hole,
            };
            let elements = contents.iter().flat_map(Contents::iter).enumerate();
            let elements = elements.map(|(i, own)| match i == k {
                true => element.clone(),
                false => own.clone(),
            });
            let contents = Contents::new(elements.collect::<Vec<Content>>());
            ty.clone().with_contents(contents)
        }
    }
}
