//! [`Store`]: what a run has calculated so far.
//!
//! A value of a run is a [`Val`]: a few bytes that are copied. Whatever is longer lies in the store, where nothing is
//! ever changed, so that a part of a list is a look at the same numbers.

use super::Stop;
use super::value::{ElementType, Node, Numbers, Tensor, Value};
use crate::rules::native::Extremes;
use kanshape_engine::Num;
use smallvec::SmallVec;
use std::sync::Arc;

/// What a slot denotes, as far as it is known.
#[derive(Clone, Copy, Debug)]
#[repr(u32)]
pub(crate) enum Val {
    /// Nothing is known yet.
    Open,
    /// As well, and nobody else speaks of it.
    Ignored,
    /// It is never known: the contents of a tensor of which nobody says what is in it.
    Hidden,
    /// The same, and how large its members are: the least and the greatest one, if there is one.
    Extremes(List),
    /// A list of which nothing but this length is known.
    Length(u32),
    /// Something that may be left out is there; nothing more is known.
    There,
    Int(Num),
    Dtype(ElementType),
    /// A list of numbers.
    Numbers(List),
    Tensor(u32),
    /// Something that is left out.
    None,
    /// It is there: a cell.
    Some(u32),
    /// A list of no numbers: cells.
    List(Cells),
    /// A type with parts: its label, and cells.
    Node(u32, Cells),
}

/// Numbers in the store.
#[derive(Clone, Copy, Debug)]
pub(crate) struct List {
    /// 0 for those that were calculated; one more than the place of a list that was given.
    segment: u32,
    start: u32,
    len: u32,
}

/// Values in the store.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cells {
    start: u32,
    len: u32,
}

/// A tensor in the store.
#[derive(Clone, Copy, Debug)]
pub(super) struct TensorVal<'a> {
    pub dtype: ElementType,
    pub shape: List,
    /// Nothing is known of them, or all.
    pub contents: Option<List>,
    /// See [`Val::Extremes`].
    pub extremes: Option<List>,
    /// It was given as it is.
    given: Option<&'a Arc<Tensor>>,
}

/// What stands in a store before a run.
#[derive(Clone, Debug, Default)]
pub(super) struct Image {
    numbers: Box<[Num]>,
    cells: Box<[Val]>,
    tensors: Box<[TensorVal<'static>]>,
}

/// What a run has calculated so far, and what it was given.
#[derive(Debug)]
pub(crate) struct Store<'a> {
    numbers: &'a mut Vec<Num>,
    given: SmallVec<[&'a [Num]; 12]>,
    cells: &'a mut Vec<Val>,
    tensors: SmallVec<[TensorVal<'a>; 6]>,
}

fn small(n: usize) -> Result<u32, Stop> {
    u32::try_from(n).map_err(|_| Stop::Leave)
}

impl Val {
    /// Is it a value? It is not if only something is known of it.
    #[inline]
    pub(super) fn is_known(self) -> bool {
        !self.is_open() && !self.is_hidden()
    }

    /// Are its members never known?
    #[inline]
    pub(super) fn is_hidden(self) -> bool {
        matches!(self, Val::Hidden | Val::Extremes(_))
    }

    /// Is something of it still open?
    #[inline]
    pub(super) fn is_open(self) -> bool {
        matches!(self, Val::Open | Val::Ignored | Val::Length(_) | Val::There)
    }

    /// Is it a number or a dtype that depends on what atoms are?
    #[inline]
    pub(super) fn is_atom(self) -> bool {
        match self {
            Val::Int(n) => n.int().is_none(),
            Val::Dtype(dtype) => dtype.known().is_none(),
            _ => false,
        }
    }

    /// The length of a list, if that is known.
    #[inline]
    pub(super) fn length(self) -> Option<usize> {
        match self {
            Val::Numbers(list) => Some(list.len()),
            Val::List(cells) => Some(cells.len()),
            Val::Length(n) => Some(n as usize),
            _ => None,
        }
    }

    /// The members of a list from one place up to another.
    pub(super) fn part(self, from: usize, to: usize) -> Result<Val, Stop> {
        let part = match self {
            Val::Numbers(list) => list.part(from, to).map(Val::Numbers),
            Val::List(cells) => cells.part(from, to).map(Val::List),
            _ => None,
        };
        part.ok_or(Stop::Leave)
    }

    #[inline]
    pub(super) fn num(self) -> Result<Num, Stop> {
        match self {
            Val::Int(n) => Ok(n),
            _ => Err(Stop::Leave),
        }
    }

    /// A number that is an integer.
    #[inline]
    pub(super) fn int(self) -> Result<i64, Stop> {
        self.num()?.int().ok_or(Stop::Leave)
    }

    #[inline]
    pub(super) fn numbers(self) -> Result<List, Stop> {
        match self {
            Val::Numbers(list) => Ok(list),
            _ => Err(Stop::Leave),
        }
    }
}

impl List {
    #[inline]
    pub(super) fn len(self) -> usize {
        self.len as usize
    }

    /// The members from one place up to another.
    pub(super) fn part(self, from: usize, to: usize) -> Option<List> {
        let is_part = from <= to && to <= self.len();
        is_part.then(|| List {
            start: self.start + from as u32,
            len: (to - from) as u32,
            ..self
        })
    }
}

impl Cells {
    #[inline]
    pub(super) fn len(self) -> usize {
        self.len as usize
    }

    /// The members from one place up to another.
    pub(super) fn part(self, from: usize, to: usize) -> Option<Cells> {
        let is_part = from <= to && to <= self.len();
        is_part.then(|| Cells {
            start: self.start + from as u32,
            len: (to - from) as u32,
        })
    }
}

impl<'a> Store<'a> {
    /// A store in these buffers, which are empty.
    pub(super) fn new(numbers: &'a mut Vec<Num>, cells: &'a mut Vec<Val>) -> Store<'a> {
        Store {
            numbers,
            given: SmallVec::new(),
            cells,
            tensors: SmallVec::new(),
        }
    }

    #[inline]
    pub(super) fn numbers(&self, list: List) -> &[Num] {
        let all = match list.segment {
            0 => &self.numbers[..],
            given => self.given[given as usize - 1],
        };
        &all[list.start as usize..][..list.len()]
    }

    /// A member of a list that has it.
    #[inline]
    pub(super) fn number(&self, list: List, i: usize) -> Num {
        self.numbers(list)[i]
    }

    #[inline]
    pub(super) fn cells(&self, cells: Cells) -> &[Val] {
        &self.cells[cells.start as usize..][..cells.len()]
    }

    #[inline]
    pub(super) fn cell(&self, place: u32) -> Val {
        self.cells[place as usize]
    }

    #[inline]
    pub(super) fn tensor(&self, place: u32) -> TensorVal<'a> {
        self.tensors[place as usize]
    }

    /// From here on numbers are those of a new list.
    #[inline]
    pub(super) fn mark(&self) -> usize {
        self.numbers.len()
    }

    #[inline]
    pub(super) fn push_number(&mut self, n: Num) {
        self.numbers.push(n);
    }

    /// The list of the numbers since a mark.
    #[inline]
    pub(super) fn list_since(&self, mark: usize) -> Result<List, Stop> {
        Ok(List {
            segment: 0,
            start: small(mark)?,
            len: small(self.numbers.len() - mark)?,
        })
    }

    pub(super) fn push_numbers(&mut self, members: &[Num]) -> Result<List, Stop> {
        let start = small(self.numbers.len())?;
        let len = small(members.len())?;
        self.numbers.extend_from_slice(members);
        Ok(List {
            segment: 0,
            start,
            len,
        })
    }

    pub(super) fn push_extremes(&mut self, extremes: Extremes) -> Result<List, Stop> {
        self.push_numbers(&[extremes.least, extremes.greatest])
    }

    pub(super) fn extremes(&self, list: List) -> Extremes {
        Extremes {
            least: self.number(list, 0),
            greatest: self.number(list, 1),
        }
    }

    pub(super) fn push_cells(&mut self, members: &[Val]) -> Result<Cells, Stop> {
        let start = small(self.cells.len())?;
        let len = small(members.len())?;
        self.cells.extend_from_slice(members);
        Ok(Cells { start, len })
    }

    /// Something that is there.
    pub(super) fn push_some(&mut self, of: Val) -> Result<Val, Stop> {
        let place = small(self.cells.len())?;
        self.cells.push(of);
        Ok(Val::Some(place))
    }

    /// A tensor: that its dims are sizes has been seen to.
    pub(super) fn push_tensor(
        &mut self,
        dtype: ElementType,
        shape: List,
        contents: Option<List>,
        extremes: Option<List>,
    ) -> Result<Val, Stop> {
        let place = small(self.tensors.len())?;
        self.tensors.push(TensorVal {
            dtype,
            shape,
            contents,
            extremes,
            given: None,
        });
        Ok(Val::Tensor(place))
    }

    /// What has been put into it, of which nothing is borrowed.
    ///
    /// # Errors
    /// [`Stop::Leave`] if something is.
    pub(super) fn image(&self) -> Result<Image, Stop> {
        let tensors = self.tensors.iter().map(|tensor| match tensor.given {
            None => Ok(TensorVal {
                given: None,
                ..*tensor
            }),
            Some(_) => Err(Stop::Leave),
        });
        match self.given.is_empty() {
            true => Ok(Image {
                numbers: self.numbers[..].into(),
                cells: self.cells[..].into(),
                tensors: tensors.collect::<Result<_, Stop>>()?,
            }),
            false => Err(Stop::Leave),
        }
    }

    /// Puts it into a store that is empty.
    pub(super) fn restore(&mut self, image: &Image) {
        self.numbers.extend_from_slice(&image.numbers);
        self.cells.extend_from_slice(&image.cells);
        self.tensors.extend(image.tensors.iter().copied());
    }

    fn give(&mut self, members: &'a [Num]) -> Result<List, Stop> {
        self.given.push(members);
        Ok(List {
            segment: small(self.given.len())?,
            start: 0,
            len: small(members.len())?,
        })
    }

    /// A value that is given.
    pub(super) fn load(&mut self, value: &'a Value) -> Result<Val, Stop> {
        Ok(match value {
            Value::Tensor(tensor) => {
                let shape = self.give(&tensor.shape)?;
                let contents = tensor.contents.as_deref().map(|c| self.give(c));
                let extremes = tensor
                    .extremes
                    .map(|extremes| self.push_extremes(extremes))
                    .transpose()?;
                let place = small(self.tensors.len())?;
                self.tensors.push(TensorVal {
                    dtype: tensor.dtype,
                    shape,
                    contents: contents.transpose()?,
                    extremes,
                    given: Some(tensor),
                });
                Val::Tensor(place)
            }
            Value::Node(node) => {
                let mut parts: SmallVec<[Val; 8]> = SmallVec::new();
                for part in &node.parts {
                    parts.push(self.load(part)?);
                }
                Val::Node(node.label, self.push_cells(&parts)?)
            }
        })
    }

    /// A type that was calculated.
    pub(super) fn unload(&self, val: Val) -> Result<Value, Stop> {
        match val {
            Val::Tensor(place) => {
                let tensor = self.tensor(place);
                if tensor.contents.is_some() && tensor.dtype.known().is_none() {
                    return Err(Stop::Leave);
                }
                Ok(Value::Tensor(match tensor.given {
                    Some(given) => Arc::clone(given),
                    None => Arc::new(Tensor {
                        dtype: tensor.dtype,
                        shape: Numbers::from_slice(self.numbers(tensor.shape)),
                        contents: tensor.contents.map(|list| self.contents(list)),
                        extremes: tensor.extremes.map(|list| self.extremes(list)),
                    }),
                }))
            }
            Val::Node(label, parts) => {
                let parts = self.cells(parts).iter().map(|part| self.unload(*part));
                let parts = parts.collect::<Result<_, Stop>>()?;
                let node = Node::new(label, parts).ok_or(Stop::Leave)?;
                Ok(Value::Node(Arc::new(node)))
            }
            _ => Err(Stop::Leave),
        }
    }

    /// Numbers as the contents of a tensor: those of a tensor that was given are not copied.
    fn contents(&self, list: List) -> Arc<[Num]> {
        let given = self.tensors.iter().find_map(|tensor| {
            let own = tensor.contents.filter(|c| c.segment == list.segment)?;
            let whole = own.start == list.start && own.len == list.len;
            tensor.given?.contents.as_ref().filter(|_| whole)
        });
        match given {
            Some(given) if list.segment > 0 => Arc::clone(given),
            _ => self.numbers(list).into(),
        }
    }
}
