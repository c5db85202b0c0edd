//! What is known of a value: a type in which only sizes are open, or a term of the store.

use super::sizes::{Reader, Sizes, Writer, is_broadcast};
use super::table::TypeId;
use crate::limits::{MAX_KNOWN_DEPTH, MAX_WRITTEN_DIMS};
use crate::reify::says;
use kanshape_engine::{Forms, Linear, Num, Part, Seq, State, Stop, Term, Var};
use kanshape_rules::encode::float;
use kanshape_rules::encode::{Labels, TENSOR, atoms, form, tensor_parts};
use kanshape_rules::eval::{ElementType, Extremes, Node, Numbers, OpenDtype, Tensor, Value};
use kanshape_types::{Content, Contents, Dim, Dtype, DtypeSet, DtypeTerm, Shape, Type};
use smallvec::SmallVec;
use std::sync::Arc;

/// What is known of a value.
#[derive(Clone, Debug)]
pub(super) enum ValueState {
    /// A type in which nothing is open but sizes, which are forms, and dtypes, which are atoms.
    Typed(TypeId),
    /// More of it is open, or may become known.
    Open(Box<Term>),
}

impl ValueState {
    pub(super) fn open(term: Term) -> ValueState {
        ValueState::Open(Box::new(term))
    }
}

/// Calls `f` with each number of a value, until it returns `false`. Has it never done so?
fn all_numbers(value: &Value, f: &mut dyn FnMut(Num) -> bool) -> bool {
    match value {
        Value::Tensor(tensor) => {
            let contents = tensor.contents.as_deref().unwrap_or_default();
            let extremes = tensor.extremes.iter().flat_map(|s| [s.least, s.greatest]);
            tensor.shape.iter().chain(contents).all(|n| f(*n)) && extremes.into_iter().all(f)
        }
        Value::Node(node) => node.parts.iter().all(|part| all_numbers(part, f)),
    }
}

/// Calls `f` with the dtype of each tensor of a value, until it returns `false`. Has it never done so?
fn all_dtypes(value: &Value, f: &mut dyn FnMut(ElementType) -> bool) -> bool {
    match value {
        Value::Tensor(tensor) => f(tensor.dtype),
        Value::Node(node) => node.parts.iter().all(|part| all_dtypes(part, f)),
    }
}

/// Are some numbers of a value no integers, or is a dtype not known?
pub(super) fn is_open(value: &Value) -> bool {
    !all_numbers(value, &mut |n| n.form().is_none())
        || !all_dtypes(value, &mut |dtype| dtype.known().is_some())
}

/// Are the contents of a tensor in a value known?
pub(super) fn has_contents(value: &Value) -> bool {
    match value {
        Value::Tensor(tensor) => tensor.contents.is_some(),
        Value::Node(node) => node.parts.iter().any(has_contents),
    }
}

/// The variable of a tensor's contents, if nothing is known of them.
pub(super) fn unknown_contents(state: &State, term: &Term) -> Option<Var> {
    let term = state.walk(term);
    if !matches!(term, Term::Node(TENSOR, _)) {
        return None;
    }
    let (.., contents) = tensor_parts(state, &term)?;
    match state.walk(&contents) {
        Term::Var(v) => Some(v),
        _ => None,
    }
}

/// May something be known of the contents of a term? Does not read the members.
pub(super) fn may_have_contents(state: &State, term: &Term) -> bool {
    unknown_contents(state, term).is_none()
}

/// Has the store found out nothing of the numbers and dtypes of a value?
pub(super) fn is_settled(reader: &Reader<'_>, value: &Value) -> bool {
    all_numbers(value, &mut |n| {
        n.form().is_none() || reader.sizes.is_settled(reader.state, reader.forms, n)
    }) && all_dtypes(value, &mut |dtype| {
        reader.sizes.is_settled_dtype(reader.state, dtype)
    })
}

/// The open variables of the sizes of a value.
pub(super) fn open_vars(reader: &Reader<'_>, value: &Value, into: &mut Vec<Var>) {
    all_numbers(value, &mut |n| {
        reader.sizes.open_vars(reader.state, reader.forms, n, into);
        true
    });
}

/// Calls `f` with the variable of each dtype of a value that is not known.
pub(super) fn open_dtypes(sizes: &Sizes, value: &Value, f: &mut dyn FnMut(Var)) {
    all_dtypes(value, &mut |dtype| {
        if let ElementType::Open(open) = dtype
            && let Some(v) = sizes.dtype_var(open)
        {
            f(v);
        }
        true
    });
}

/// Is some number of a value made of what sizes broadcast to?
pub(super) fn has_broadcast(forms: &Forms, value: &Value) -> bool {
    !all_numbers(value, &mut |n| {
        forms.all_generators(n, &mut |g| !is_broadcast(forms, g))
    })
}

/// A value with all that the store knows of its numbers and dtypes.
pub(super) fn refreshed(reader: &mut Reader<'_>, value: &Value) -> Result<Value, Stop> {
    changed(value, reader)
}

/// A value with atoms for whatever sizes broadcast to.
pub(super) fn without_broadcasts(writer: &mut Writer<'_>, value: &Value) -> Result<Value, Stop> {
    changed(value, writer)
}

/// Is there a dtype in a value that a call leaves open?
pub(super) fn has_fresh(value: &Value) -> bool {
    !all_dtypes(
        value,
        &mut |dtype| !matches!(dtype, ElementType::Open(open) if open.is_fresh()),
    )
}

/// A value with other dtypes for those that a call leaves open.
pub(super) fn with_dtypes(
    value: &Value,
    dtype: &mut dyn FnMut(OpenDtype) -> ElementType,
) -> Result<Value, Stop> {
    changed(value, &mut Fresh(dtype))
}

/// What dtypes become that a call leaves open.
struct Fresh<'f>(&'f mut dyn FnMut(OpenDtype) -> ElementType);

impl Change for Fresh<'_> {
    fn number(&mut self, n: Num) -> Result<Num, Stop> {
        Ok(n)
    }

    fn dtype(&mut self, dtype: ElementType) -> ElementType {
        match dtype {
            ElementType::Open(open) if open.is_fresh() => (self.0)(open),
            dtype => dtype,
        }
    }
}

/// What becomes of the numbers and dtypes of a value.
trait Change {
    fn number(&mut self, n: Num) -> Result<Num, Stop>;
    fn dtype(&mut self, dtype: ElementType) -> ElementType;
}

impl Change for Reader<'_> {
    fn number(&mut self, n: Num) -> Result<Num, Stop> {
        self.refreshed(n)
    }

    fn dtype(&mut self, dtype: ElementType) -> ElementType {
        self.refreshed_dtype(dtype)
    }
}

impl Change for Writer<'_> {
    fn number(&mut self, n: Num) -> Result<Num, Stop> {
        self.without_broadcasts(n)
    }

    fn dtype(&mut self, dtype: ElementType) -> ElementType {
        dtype
    }
}

fn changed(value: &Value, change: &mut impl Change) -> Result<Value, Stop> {
    Ok(match value {
        Value::Tensor(tensor) => {
            let mut shape = Numbers::with_capacity(tensor.shape.len());
            for n in &tensor.shape {
                let n = change.number(*n)?;
                // A size is never negative.
                if n.int().is_some_and(|n| n < 0) {
                    return Err(Stop::Conflict);
                }
                shape.push(n);
            }
            let contents = tensor.contents.as_deref().map(|contents| {
                let all = contents.iter().map(|n| change.number(*n));
                all.collect::<Result<Arc<[Num]>, Stop>>()
            });
            let extremes = tensor.extremes.map(|extremes| -> Result<Extremes, Stop> {
                Ok(Extremes {
                    least: change.number(extremes.least)?,
                    greatest: change.number(extremes.greatest)?,
                })
            });
            Value::Tensor(Arc::new(Tensor {
                dtype: change.dtype(tensor.dtype),
                shape,
                contents: contents.transpose()?,
                extremes: extremes.transpose()?,
            }))
        }
        Value::Node(node) => {
            let parts = node.parts.iter().map(|part| changed(part, change));
            let parts = parts.collect::<Result<_, Stop>>()?;
            let node = Node::new(node.label, parts).ok_or(Stop::Overflow)?;
            Value::Node(Arc::new(node))
        }
    })
}

/// The number of dims of an open run, if that is known and they are not many.
pub(super) fn dims_of_run(state: &State, run: Var) -> Option<usize> {
    let length = state.length_of_run(run).ok()?.as_constant()?;
    let length = usize::try_from(length).ok()?;
    (length <= MAX_WRITTEN_DIMS).then_some(length)
}

/// The shape of a tensor, if it has runs and the number of the dims of each is known.
pub(super) fn shape_to_spell_out(state: &State, term: &Term) -> Option<Seq> {
    let (_, shape, _) = tensor_parts(state, term)?;
    let mut runs = state
        .parts(&shape)
        .into_iter()
        .filter_map(|part| match part {
            Part::Run(v) => Some(v),
            Part::One(_) => None,
        });
    let all = |v: Var| dims_of_run(state, v).is_some();
    let are_known = runs.next().is_some_and(all) && runs.all(all);
    are_known.then_some(shape)
}

/// The value that a term has come to be; `None` if more of it is open than sizes and dtypes, or may become known.
pub(super) fn read(reader: &mut Reader<'_>, term: &Term) -> Result<Option<Value>, Stop> {
    read_at(reader, term, true, 0)
}

/// The same, where what waits for contents is only hints, so that they are not known.
pub(super) fn read_apart_from_hints(
    reader: &mut Reader<'_>,
    term: &Term,
) -> Result<Option<Value>, Stop> {
    read_at(reader, term, false, 0)
}

fn read_at(
    reader: &mut Reader<'_>,
    term: &Term,
    has_hints: bool,
    depth: usize,
) -> Result<Option<Value>, Stop> {
    if depth > MAX_KNOWN_DEPTH {
        return Ok(None);
    }
    let state = reader.state;
    match state.walk(term) {
        term @ Term::Node(TENSOR, _) => {
            let Some((dtype, shape, contents)) = tensor_parts(state, &term) else {
                return Ok(None);
            };
            let dtype = reader.dtype(dtype);
            let mut dims = Numbers::new();
            for part in state.parts(&shape) {
                let Part::One(l) = part else {
                    return Ok(None);
                };
                match number(reader, &l)? {
                    Some(n) => dims.push(n),
                    None => return Ok(None),
                }
            }
            let contents = match state.walk(&contents) {
                Term::Seq(seq) => {
                    // What its members are depends on what they are members of.
                    let Some(dtype) = dtype.known() else {
                        return Ok(None);
                    };
                    match members(reader, dtype, &state.parts(&seq))? {
                        Members::All(members) => Some(members),
                        Members::Unknown => None,
                        Members::Open => return Ok(None),
                    }
                }
                // A rule that waits may find out what is in it.
                Term::Var(v) if has_hints && state.is_watched(v) => return Ok(None),
                _ => None,
            };
            Ok(Some(Value::Tensor(Arc::new(Tensor {
                dtype,
                shape: dims,
                contents,
                extremes: None,
            }))))
        }
        Term::Node(label, parts) => {
            let mut all: Vec<Value> = Vec::with_capacity(parts.len());
            for part in parts.iter() {
                match read_at(reader, part, has_hints, depth + 1)? {
                    Some(part) => all.push(part),
                    None => return Ok(None),
                }
            }
            let node = Node::new(label, all.into());
            Ok(node.map(|node| Value::Node(Arc::new(node))))
        }
        _ => Ok(None),
    }
}

fn number(reader: &mut Reader<'_>, l: &Linear) -> Result<Option<Num>, Stop> {
    let l = reader.state.resolve(l)?;
    Ok(reader.num(&l).ok())
}

/// What is known of the contents of a tensor.
enum Members {
    All(Arc<[Num]>),
    /// Nothing is known of any of them.
    Unknown,
    /// Something is known that numbers can't say.
    Open,
}

fn members(reader: &mut Reader<'_>, dtype: Dtype, parts: &[Part]) -> Result<Members, Stop> {
    // Texts have numbers in one call only.
    if dtype == Dtype::Str {
        return Ok(Members::Unknown);
    }
    let is_float = DtypeSet::FLOAT.contains(dtype);
    let mut all: SmallVec<[Num; 8]> = SmallVec::new();
    let mut unknown = 0;
    for part in parts {
        let Part::One(l) = part else {
            return Ok(Members::Open);
        };
        let l = reader.state.resolve(l)?;
        match l.as_var() {
            // A float that is made of sizes is followed in the store.
            Some(v) if is_float => match is_followed(reader.state, v) {
                true => return Ok(Members::Open),
                false => unknown += 1,
            },
            _ => match reader.num(&l) {
                Ok(n) if !is_float || n.int().is_some() => all.push(n),
                _ => return Ok(Members::Open),
            },
        }
    }
    Ok(match unknown {
        0 => Members::All(Arc::from(&all[..])),
        n if n == parts.len() => Members::Unknown,
        _ => Members::Open,
    })
}

/// Does the store know of a number, or may it come to know of it?
fn is_followed(state: &State, v: Var) -> bool {
    state.attribute(v).is_some() || state.is_watched(v)
}

/// Writes what is open in a type.
pub(super) trait Write {
    /// A number that is no integer.
    fn dim(&mut self, n: Num) -> Result<Dim, Stop>;
    /// The integer that a number has come to be since it was calculated.
    fn integer(&mut self, n: Num) -> Option<i64>;
    fn dtype(&mut self, dtype: OpenDtype) -> DtypeTerm;
}

/// A type with dims for the numbers of a value.
pub(super) fn written(
    value: &Value,
    labels: &Labels,
    write: &mut impl Write,
) -> Result<Type, Stop> {
    let tensor = match value {
        Value::Tensor(tensor) => tensor,
        Value::Node(node) => {
            let parts = node.parts.iter().map(|part| written(part, labels, write));
            let parts = parts.collect::<Result<Vec<Type>, Stop>>()?;
            return Ok(labels.build(node.label, parts));
        }
    };
    let mut shape = Shape::default();
    for n in &tensor.shape {
        shape.push(match n.int() {
            Some(n) => u64::try_from(n).map_or(Dim::Hole, Dim::Size),
            None => write.dim(*n)?,
        });
    }
    let term = match tensor.dtype {
        ElementType::Known(dtype) => DtypeTerm::Known(dtype),
        ElementType::Open(open) => write.dtype(open),
    };
    let set = term.known().map_or(DtypeSet::ANY, DtypeSet::from);
    let ty = kanshape_types::Tensor::new(term, shape);
    let Some(members) = tensor.contents.as_deref() else {
        return Ok(ty.into());
    };
    let mut contents: Vec<Content> = Vec::with_capacity(members.len());
    for n in members {
        let is_bool = set == DtypeSet::BOOL;
        contents.push(match write.integer(*n) {
            Some(n) if is_bool => Content::Bool(n != 0),
            Some(n) if set.is_subset(DtypeSet::FLOAT) => {
                float::value(n.into()).map_or(Content::Hole, Content::from)
            }
            Some(n) => Content::whole(n, set),
            None if is_bool => Content::Hole,
            None => write.dim(*n).map(Content::from)?,
        });
    }
    let contents = Contents::new(contents).filter(says);
    Ok(ty.with_contents(contents).into())
}

/// A value as a term of the store.
pub(super) fn term(writer: &mut Writer<'_>, value: &Value) -> Result<Term, Stop> {
    let tensor = match value {
        Value::Tensor(tensor) => tensor,
        Value::Node(node) => {
            let parts = node.parts.iter().map(|part| term(writer, part));
            let parts: Vec<Term> = parts.collect::<Result<_, Stop>>()?;
            return Ok(form::node(writer.state, node.label, parts));
        }
    };
    let dtype = match tensor.dtype {
        ElementType::Known(dtype) => writer.state.atom(atoms(dtype.into())),
        // Every atom was made for a variable.
        ElementType::Open(open) => writer.sizes.dtype_var(open).ok_or(Stop::Overflow)?,
    };
    let mut dims: Vec<Part> = Vec::with_capacity(tensor.shape.len());
    for n in &tensor.shape {
        dims.push(Part::One(writer.linear(*n)?));
    }
    let contents = match tensor.contents.as_deref() {
        None => Term::Var(writer.state.any()),
        Some(members) => {
            let mut parts: Vec<Part> = Vec::with_capacity(members.len());
            for n in members {
                parts.push(Part::One(writer.linear(*n)?));
            }
            Term::Seq(parts.into_iter().collect())
        }
    };
    for part in &dims {
        if let Part::One(l) = part {
            writer.state.restrict(l, &kanshape_rules::encode::sizes())?;
        }
    }
    Ok(Term::node(
        TENSOR,
        [
            Term::Atom(dtype),
            Term::Seq(dims.into_iter().collect()),
            contents,
        ],
    ))
}
