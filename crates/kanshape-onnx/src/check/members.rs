//! Sequences whose members are known.
//!
//! The type of a sequence says what is known of all of its members alike, and of an empty one nothing but the dtype. A
//! model mostly says more: it makes a sequence of these tensors, puts one in at a place that is a constant, takes one out
//! again. So it is noted here which values the members of a sequence are. What is taken out is the member itself then,
//! and what is put together of all of them is put together of the members.
//!
//! Only what is certain is noted. A place that depends on data, or a loop that adds to a sequence in each turn, leave the
//! type of the sequence, as the rules of the catalog say it.

use super::call::OfSequences;
use super::{Around, Checker};
use crate::graph::Graph;
use crate::symbols::Symbol;
use im::Vector;
use kanshape::graph::{Outputs, ValueId};
use kanshape::{AttrValue, Content, Contents, Dim, Dtype, Type, order};

/// The members of a sequence, in order.
pub(super) type SequenceMembers = Vector<ValueId>;

/// Into how many parts a tensor is split at most, for each of them to be noted.
const MOST_PARTS: usize = 64;

/// The number of members up to which what is made of all of them is found out from each.
const MOST_TOGETHER: usize = 256;

/// The attributes of a call.
type Attrs = Vec<(Box<str>, AttrValue)>;

/// A node that has to do with sequences.
#[derive(Clone, Copy)]
struct SequenceNode<'g, 'r, 'a> {
    graph: &'g Graph<'a>,
    index: u32,
    around: Around<'r, 'a>,
}

impl<'c, 'a> Checker<'c, 'a> {
    /// A node that has to do with sequences: what its members say of it, and else what the rule of its operator says.
    pub(super) fn add_of_sequences(
        &mut self,
        graph: &Graph<'a>,
        index: u32,
        op: u32,
        of: OfSequences,
        around: Around<'_, 'a>,
    ) {
        let at = SequenceNode {
            graph,
            index,
            around,
        };
        let node = &graph.nodes[index as usize];
        let inputs = self.inputs(graph, index, graph.inputs_of(node), around);
        // What may be left out stands at the end.
        let first = graph.inputs_of(node).iter().take(inputs.len());
        if first
            .clone()
            .any(|s| *s == Symbol::NONE || around.absent.contains(s))
        {
            return self.add_call(graph, index, op, around);
        }
        let wrong = self.wrong();
        let made = match (of, &inputs[..]) {
            (OfSequences::At, [sequence, place]) => self.member(*sequence, *place, at),
            (OfSequences::Length, [sequence]) => self.length(*sequence),
            (OfSequences::Concat, [sequence]) => self.put_together(*sequence, at),
            (OfSequences::Insert, [sequence, tensor, ..]) if self.is_empty(*sequence) => {
                self.only(*sequence, *tensor, at)
            }
            (OfSequences::Erase, [sequence, place @ ..]) => {
                self.left(*sequence, place.first().copied(), at)
            }
            _ => None,
        };
        match (made, graph.outputs_of(node)) {
            (Some(value), [symbol]) if *symbol != Symbol::NONE => {
                self.bind(graph, *symbol, value, around)
            }
            _ => self.add_call(graph, index, op, around),
        }
        if self.wrong() > wrong {
            return;
        }
        let output = graph.outputs_of(node).first();
        let output = output.and_then(|symbol| self.scope.get(*symbol));
        let members = match (of, &inputs[..]) {
            (OfSequences::Empty, []) => Some(SequenceMembers::new()),
            (OfSequences::Construct, tensors) => Some(tensors.iter().copied().collect()),
            (OfSequences::Insert, [sequence, tensor, place @ ..]) => {
                self.inserted(*sequence, *tensor, place.first().copied())
            }
            (OfSequences::Erase, [sequence, place @ ..]) => {
                self.erased(*sequence, place.first().copied())
            }
            (OfSequences::Split, [tensor, sizes @ ..]) => {
                self.parts(*tensor, sizes.first().copied(), at)
            }
            (OfSequences::Same, [sequence]) => self.members.get(sequence).cloned(),
            _ => None,
        };
        if let (Some(output), Some(members)) = (output, members) {
            self.members.insert(output, members);
        }
    }

    /// How many nodes can't be or are none that are known.
    fn wrong(&self) -> usize {
        self.untyped.len() + self.graph.problems().len()
    }

    pub(super) fn is_empty(&self, sequence: ValueId) -> bool {
        self.members.get(&sequence).is_some_and(Vector::is_empty)
    }

    /// What a loop is given in its other turns, if all members of a sequence that is given to the first one are known, and
    /// those of the one that comes back are not or are others. The types are those of the two.
    pub(super) fn other_members(
        &self,
        [given, back]: [ValueId; 2],
        types: [&Type; 2],
    ) -> Option<Type> {
        let members = self.members.get(&given)?;
        if self.members.get(&back) == Some(members) {
            return None;
        }
        let [given, back] = types;
        Some(match members.is_empty() {
            // Of an empty one nothing is known but the dtype.
            true => self.known_outside(back),
            false => self.known_outside(&order::join(given, back)),
        })
    }

    /// Of values that have been taken back the members are not known any more.
    pub(super) fn forget_members(&mut self) {
        let count = self.graph.value_count();
        self.members.retain(|value, _| value.index() < count);
    }

    /// The member at a place.
    fn member(
        &mut self,
        sequence: ValueId,
        place: ValueId,
        at: SequenceNode<'_, '_, 'a>,
    ) -> Option<ValueId> {
        let members = self.members.get(&sequence)?;
        let member = *members.get(self.place(place, members.len())?)?;
        self.one("Identity", 14, vec![], &[member], at)
    }

    fn length(&mut self, sequence: ValueId) -> Option<ValueId> {
        let length = i64::try_from(self.members.get(&sequence)?.len()).ok()?;
        let ty = Type::tensor(Dtype::I64, [] as [Dim; 0]).with_contents(Contents::new([length]));
        self.graph.value(&ty).ok()
    }

    /// All members one behind the other, along an axis that they have or along a new one.
    fn put_together(&mut self, sequence: ValueId, at: SequenceNode<'_, '_, 'a>) -> Option<ValueId> {
        let members = self.members.get(&sequence)?;
        if members.len() > MOST_TOGETHER {
            return None;
        }
        let mut members: Vec<ValueId> = members.iter().copied().collect();
        let attrs = self.attributes(at)?;
        let axis = int(&attrs, "axis")?;
        if int(&attrs, "new_axis").unwrap_or(0) != 0 {
            for member in &mut members {
                *member = self.one("Unsqueeze", 11, axes(axis), &[*member], at)?;
            }
        }
        let attrs = vec![("axis".into(), AttrValue::Int(axis))];
        self.one("Concat", 13, attrs, &members, at)
    }

    /// What is put into an empty sequence makes one of itself. Another dtype is a mistake, about which the rule of the
    /// operator itself has more to say.
    fn only(
        &mut self,
        sequence: ValueId,
        tensor: ValueId,
        at: SequenceNode<'_, '_, 'a>,
    ) -> Option<ValueId> {
        let types = self.types([&sequence, &tensor].into_iter());
        let member = types[0].parts().next().and_then(Type::as_tensor);
        let dtypes = [member, types[1].as_tensor()].map(|tensor| tensor?.dtype.known());
        (dtypes[0].is_some() && dtypes[0] == dtypes[1])
            .then(|| self.one("SequenceConstruct", 11, vec![], &[tensor], at))?
    }

    /// A sequence of what is left when a member is taken out.
    fn left(
        &mut self,
        sequence: ValueId,
        place: Option<ValueId>,
        at: SequenceNode<'_, '_, 'a>,
    ) -> Option<ValueId> {
        let left = self.erased(sequence, place)?;
        if left.is_empty() || left.len() > MOST_TOGETHER {
            return None;
        }
        let left: Vec<ValueId> = left.into_iter().collect();
        self.one("SequenceConstruct", 11, vec![], &left, at)
    }

    fn inserted(
        &mut self,
        sequence: ValueId,
        tensor: ValueId,
        place: Option<ValueId>,
    ) -> Option<SequenceMembers> {
        let mut members = self.members.get(&sequence)?.clone();
        let place = match place {
            None => members.len(),
            Some(place) => counted(self.position(place)?, members.len())?,
        };
        members.insert(place, tensor);
        Some(members)
    }

    fn erased(&mut self, sequence: ValueId, place: Option<ValueId>) -> Option<SequenceMembers> {
        let mut members = self.members.get(&sequence)?.clone();
        let place = match place {
            None => members.len().checked_sub(1)?,
            Some(place) => self.place(place, members.len())?,
        };
        members.remove(place);
        Some(members)
    }

    /// The parts of a tensor, where it is known how many there are.
    fn parts(
        &mut self,
        tensor: ValueId,
        sizes: Option<ValueId>,
        at: SequenceNode<'_, '_, 'a>,
    ) -> Option<SequenceMembers> {
        let attrs = self.attributes(at)?;
        let axis = int(&attrs, "axis").unwrap_or(0);
        let is_bare = sizes.is_none() && int(&attrs, "keepdims") == Some(0);
        let sizes = match sizes {
            None => equal_parts(self.size(tensor, axis)?, 1)?,
            Some(sizes) => {
                let sizes = self.graph.known(sizes)?;
                let given = ints(&sizes)?;
                match sizes.as_tensor()?.shape.rank()? {
                    // The size of each of them.
                    0 => equal_parts(self.size(tensor, axis)?, *given.first()?)?,
                    _ => given,
                }
            }
        };
        if sizes.is_empty() || sizes.len() > MOST_PARTS {
            return None;
        }
        let count = sizes.len();
        let sizes =
            Type::tensor(Dtype::I64, [Dim::Size(count as u64)]).with_contents(Contents::new(sizes));
        let sizes = self.graph.value(&sizes).ok()?;
        let along = vec![("axis".into(), AttrValue::Int(axis))];
        let parts = self.call("Split", 13, along, &[tensor, sizes], count, at)?;
        let mut parts: Vec<ValueId> = parts.iter().collect();
        if is_bare {
            for part in &mut parts {
                *part = self.one("Squeeze", 11, axes(axis), &[*part], at)?;
            }
        }
        Some(parts.into_iter().collect())
    }

    /// The size of an axis, if it is a number.
    fn size(&self, tensor: ValueId, axis: i64) -> Option<i64> {
        let types = self.types([&tensor].into_iter());
        let shape = &types[0].as_tensor()?.shape;
        let axis = counted(axis, shape.rank()?)?;
        i64::try_from(shape.known_dims().get(axis)?.size()?).ok()
    }

    /// The place among this number of places that a value denotes, if it is known and there is such a place.
    fn place(&self, value: ValueId, count: usize) -> Option<usize> {
        counted(self.position(value)?, count).filter(|place| *place < count)
    }

    /// The one number that a value is, if that is known.
    fn position(&self, value: ValueId) -> Option<i64> {
        match ints(&*self.graph.known(value)?)?[..] {
            [place] => Some(place),
            _ => None,
        }
    }

    /// The attributes of a node, if all of them can be read.
    fn attributes(&mut self, at: SequenceNode<'_, '_, 'a>) -> Option<Attrs> {
        let written = self.written(&at.graph.nodes[at.index as usize], None, at.around);
        (!written.unreadable && written.bodies.is_empty()).then_some(written.attrs)
    }

    /// What an operator makes of some values.
    fn one(
        &mut self,
        op: &str,
        version: u64,
        attrs: Attrs,
        inputs: &[ValueId],
        at: SequenceNode<'_, '_, 'a>,
    ) -> Option<ValueId> {
        self.call(op, version, attrs, inputs, 1, at)?.get(0)
    }

    /// A node of the model is, for the engine, a call of this operator of ONNX.
    fn call(
        &mut self,
        op: &str,
        version: u64,
        attrs: Attrs,
        inputs: &[ValueId],
        outputs: usize,
        at: SequenceNode<'_, '_, 'a>,
    ) -> Option<Outputs> {
        let operator = self.calls.own(op, version)?;
        let [given, present] = [inputs.len(), outputs].map(|count| vec![true; count]);
        let call = self.graph.call(&operator, attrs, &given, &present).ok()?;
        let (_, outputs) = self.graph.add(call, inputs);
        self.origin(&at.graph.nodes[at.index as usize], at.index, at.around);
        Some(outputs)
    }
}

/// The sizes of parts of `each` that a size has: the last one may be smaller.
fn equal_parts(size: i64, each: i64) -> Option<Vec<i64>> {
    if each < 1 || size < 0 || size / each > MOST_PARTS as i64 {
        return None;
    }
    let mut sizes = vec![each; usize::try_from(size / each).ok()?];
    sizes.extend((size % each != 0).then_some(size % each));
    Some(sizes)
}

fn axes(axis: i64) -> Attrs {
    vec![(
        "axes".into(),
        AttrValue::List([AttrValue::Int(axis)].into()),
    )]
}

fn int(attrs: &Attrs, name: &str) -> Option<i64> {
    match attrs.iter().find(|(own, _)| **own == *name) {
        Some((_, AttrValue::Int(value))) => Some(*value),
        _ => None,
    }
}

/// The numbers that are in a tensor of integers.
fn ints(ty: &Type) -> Option<Vec<i64>> {
    let tensor = ty.as_tensor()?;
    if !matches!(tensor.dtype.known()?, Dtype::I64 | Dtype::I32) {
        return None;
    }
    let contents = tensor.contents.as_ref()?.as_slice().iter();
    let ints = contents.map(|member| match member {
        Content::Int(int) => Some(*int),
        _ => None,
    });
    ints.collect()
}

/// The place among this number of places, or behind the last of them, that a number denotes. A negative one counts from the end.
fn counted(place: i64, count: usize) -> Option<usize> {
    let back = || usize::try_from(place.unsigned_abs()).ok();
    let place = match usize::try_from(place) {
        Ok(place) => place,
        Err(_) => count.checked_sub(back()?)?,
    };
    (place <= count).then_some(place)
}
