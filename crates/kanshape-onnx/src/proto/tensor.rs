//! [`Tensor`]: a tensor that stands in a model, with what is in it.

use super::dtype;
use crate::options::Data;
use crate::wire::{Broken, Fields, Value};
use half::{bf16, f16};
use kanshape::{Content, Contents, Dim, Dtype, Type};
use smallvec::SmallVec;

/// How many numbers are taken note of: what decides about shapes is shorter.
const MOST_INTS: u64 = 1024;
/// How many floats of a list or a scalar. They decide less, and in tensors of higher rank, which are weights, nothing.
const MOST_FLOATS: u64 = 64;

/// A tensor in a model. What is in it is read when it is needed.
#[derive(Clone, Debug)]
pub(crate) struct Tensor<'a> {
    pub name: &'a str,
    pub dims: SmallVec<[i64; 4]>,
    /// By its number in the model.
    pub dtype: i64,
    message: &'a [u8],
    raw: Option<&'a [u8]>,
    external: bool,
}

/// What there is to say of a tensor: its dtype, if there is such a one, its sizes, and what it has in it if that is
/// known.
#[derive(Clone, Debug, Default)]
pub(crate) struct TensorFacts {
    pub dtype: Option<Dtype>,
    pub sizes: SmallVec<[u64; 4]>,
    pub contents: TensorMembers,
    /// The number of its elements, where it is not what its dims say.
    pub misfit: Option<u64>,
}

impl TensorFacts {
    /// Is it a short list of integers, as shapes and axes are, whose members are not known?
    pub(crate) fn is_unread_list(&self) -> bool {
        let is_list =
            self.sizes.len() <= 1 && self.sizes.iter().all(|n| (1..=MOST_INTS).contains(n));
        let is_integer = matches!(self.dtype, Some(Dtype::I32 | Dtype::I64));
        is_list && is_integer && matches!(self.contents, TensorMembers::Unknown)
    }
}

/// A part of another file.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Place<'a> {
    /// The file, as the model says it.
    pub location: &'a str,
    /// In bytes.
    pub offset: u64,
    /// In bytes; `None` is to the end of the tensor.
    pub length: Option<u64>,
}

/// What is in a tensor, as far as it is needed.
#[derive(Clone, Debug, Default)]
pub(crate) enum TensorMembers {
    #[default]
    Unknown,
    /// Integers, and bools as 0 and 1.
    Ints(Vec<i64>),
    Floats(Vec<f64>),
    Texts(Vec<Content>),
}

impl<'a> Tensor<'a> {
    pub(crate) fn read(message: &'a [u8]) -> Result<Tensor<'a>, Broken<'a>> {
        let mut tensor = Tensor {
            name: "",
            dims: SmallVec::new(),
            dtype: 0,
            message,
            raw: None,
            external: false,
        };
        for field in Fields::of(message) {
            let field = field?;
            match field.number {
                1 => field.ints(|n| tensor.dims.push(n))?,
                2 => tensor.dtype = field.int().unwrap_or(0),
                8 => tensor.name = field.text()?,
                9 => tensor.raw = field.bytes(),
                14 => tensor.external = field.int() == Some(1),
                _ => {}
            }
        }
        Ok(tensor)
    }

    /// What there is to say of it, with its contents if they are in another file and few.
    ///
    /// # Errors
    /// With a size that is none.
    pub(crate) fn known_with(&self, data: Option<&Data>) -> Result<TensorFacts, i64> {
        let elsewhere = data.filter(|_| self.external);
        let Some(bytes) = elsewhere.and_then(|data| self.fetch(data)) else {
            return self.known();
        };
        let mut own: Tensor<'_> = self.clone();
        own.raw = Some(&bytes);
        own.external = false;
        own.known()
    }

    /// Its bytes in another file, if they are few.
    fn fetch(&self, data: &Data) -> Option<Vec<u8>> {
        let sizes = self.dims.iter().map(|n| u64::try_from(*n).ok());
        let elements = sizes.into_iter().try_fold(1u64, |n, d| n.checked_mul(d?))?;
        let bits = u64::from(dtype::of_number(self.dtype)?.size_bits()?);
        if elements > MOST_INTS {
            return None;
        }
        let bytes = (elements * bits).div_ceil(8);
        let Place {
            location,
            offset,
            length,
        } = self.place()?;
        let found =
            (length.unwrap_or(bytes) == bytes).then(|| data.read(location, offset, bytes))??;
        (found.len() as u64 == bytes).then_some(found)
    }

    /// Are its bytes in another file?
    pub(crate) fn is_external(&self) -> bool {
        self.external
    }

    /// Where its bytes are, if that is in another file.
    pub(crate) fn place(&self) -> Option<Place<'a>> {
        let mut place = self.external.then(Place::default)?;
        for field in Fields::of(self.message)
            .flatten()
            .filter(|f| f.number == 13)
        {
            let (mut key, mut value) = ("", "");
            for part in Fields::of(field.bytes()?).flatten() {
                match part.number {
                    1 => key = part.text().ok()?,
                    2 => value = part.text().ok()?,
                    _ => {}
                }
            }
            match key {
                "location" => place.location = value,
                "offset" => place.offset = value.parse().ok()?,
                "length" => place.length = Some(value.parse().ok()?),
                _ => {}
            }
        }
        Some(place)
    }

    /// What there is to say of it, if nothing is read but the model.
    ///
    /// # Errors
    /// With a size that is none.
    pub(crate) fn known(&self) -> Result<TensorFacts, i64> {
        let sizes = self.dims.iter().map(|n| u64::try_from(*n).map_err(|_| *n));
        let sizes: SmallVec<[u64; 4]> = sizes.collect::<Result<_, i64>>()?;
        let dtype = dtype::of_number(self.dtype);
        let mut known = TensorFacts {
            dtype,
            sizes,
            ..TensorFacts::default()
        };
        let (Some(dtype), false) = (dtype, self.external) else {
            return Ok(known);
        };
        let elements = known.sizes.iter().try_fold(1u64, |n, d| n.checked_mul(*d));
        let elements = elements.or(known.sizes.contains(&0).then_some(0));
        known.misfit = self.misfit(dtype, elements);
        if known.misfit.is_none()
            && let Some(elements) = elements
        {
            known.contents = self.members(dtype, elements);
        }
        Ok(known)
    }

    /// How many elements there are data of, if it should be another number. Without data nothing is said:
    /// models are passed on without their weights.
    fn misfit(&self, dtype: Dtype, elements: Option<u64>) -> Option<u64> {
        let raw = self.raw.filter(|raw| !raw.is_empty())?;
        let bits = u64::from(dtype.size_bits()?);
        let bytes = elements
            .and_then(|n| n.checked_mul(bits))
            .map(|n| n.div_ceil(8));
        (bytes != Some(raw.len() as u64)).then_some(raw.len() as u64 * 8 / bits)
    }

    fn members(&self, dtype: Dtype, elements: u64) -> TensorMembers {
        let count = elements as usize;
        let found = match dtype {
            Dtype::Str if elements <= MOST_FLOATS => self.texts().map(TensorMembers::Texts),
            Dtype::F16 | Dtype::BF16 | Dtype::F32 | Dtype::F64
                if elements <= MOST_FLOATS && self.dims.len() < 2 =>
            {
                self.floats(dtype).map(TensorMembers::Floats)
            }
            _ if elements <= MOST_INTS => self.ints(dtype).map(TensorMembers::Ints),
            _ => None,
        };
        found
            .filter(|members| members.len() == Some(count))
            .unwrap_or_default()
    }

    fn ints(&self, dtype: Dtype) -> Option<Vec<i64>> {
        let row: fn(&[u8], &mut dyn FnMut(i64)) = match dtype {
            Dtype::Bool | Dtype::U8 => |raw, f| raw.iter().for_each(|b| f(i64::from(*b))),
            Dtype::I8 => |raw, f| raw.iter().for_each(|b| f(i64::from(*b as i8))),
            Dtype::I16 => |raw, f| each(raw, |b| f(i16::from_le_bytes(b).into())),
            Dtype::U16 => |raw, f| each(raw, |b| f(u16::from_le_bytes(b).into())),
            Dtype::I32 => |raw, f| each(raw, |b| f(i32::from_le_bytes(b).into())),
            Dtype::U32 => |raw, f| each(raw, |b| f(u32::from_le_bytes(b).into())),
            // Numbers of 64 bits without a sign that don't fit are none that a shape has.
            Dtype::I64 | Dtype::U64 => |raw, f| each(raw, |b| f(i64::from_le_bytes(b))),
            _ => return None,
        };
        let mut ints = Vec::new();
        match self.raw {
            Some(raw) => row(raw, &mut |n| ints.push(n)),
            None => {
                for field in Fields::of(self.message).flatten() {
                    if let 5 | 7 | 11 = field.number {
                        field.ints(|n| ints.push(n)).ok()?;
                    }
                }
            }
        }
        match dtype {
            Dtype::Bool => ints.iter_mut().for_each(|n| *n = i64::from(*n != 0)),
            Dtype::U64 if ints.iter().any(|n| *n < 0) => return None,
            _ => {}
        }
        Some(ints)
    }

    fn floats(&self, dtype: Dtype) -> Option<Vec<f64>> {
        let mut floats = Vec::new();
        match (dtype, self.raw) {
            (Dtype::F16, Some(raw)) => each(raw, |b| floats.push(f16::from_le_bytes(b).to_f64())),
            (Dtype::BF16, Some(raw)) => each(raw, |b| floats.push(bf16::from_le_bytes(b).to_f64())),
            (Dtype::F32, Some(raw)) => each(raw, |b| floats.push(f32::from_le_bytes(b).into())),
            (Dtype::F64, Some(raw)) => each(raw, |b| floats.push(f64::from_le_bytes(b))),
            (dtype, None) => {
                for field in Fields::of(self.message).flatten() {
                    match (field.number, dtype) {
                        (4, Dtype::F32) => field.floats(|x| floats.push(x.into())),
                        (10, Dtype::F64) => field.doubles(|x| floats.push(x)),
                        // The bits of small floats stand among the integers.
                        (5, Dtype::F16) => {
                            let f = |n| floats.push(f16::from_bits(n as u16).to_f64());
                            field.ints(f).ok()?;
                        }
                        (5, Dtype::BF16) => {
                            let f = |n| floats.push(bf16::from_bits(n as u16).to_f64());
                            field.ints(f).ok()?;
                        }
                        _ => {}
                    }
                }
            }
            _ => return None,
        }
        Some(floats)
    }

    fn texts(&self) -> Option<Vec<Content>> {
        let mut texts = Vec::new();
        for field in Fields::of(self.message).flatten() {
            if let (6, Value::Bytes(bytes)) = (field.number, field.value) {
                texts.push(Content::from(std::str::from_utf8(bytes).ok()?));
            }
        }
        Some(texts)
    }
}

/// Calls `f` with chunks of this number of bytes.
fn each<const N: usize>(raw: &[u8], mut f: impl FnMut([u8; N])) {
    raw.as_chunks().0.iter().for_each(|b| f(*b));
}

impl TensorMembers {
    fn len(&self) -> Option<usize> {
        match self {
            TensorMembers::Unknown => None,
            TensorMembers::Ints(all) => Some(all.len()),
            TensorMembers::Floats(all) => Some(all.len()),
            TensorMembers::Texts(all) => Some(all.len()),
        }
    }
}

impl TensorFacts {
    /// Its type, with what is in it.
    pub(crate) fn ty(&self) -> Type {
        let Some(dtype) = self.dtype else {
            let shape = kanshape::Shape::known(self.sizes.iter().copied().map(Dim::Size));
            return kanshape::Tensor::new(kanshape::DtypeTerm::Hole, shape).into();
        };
        let ty = Type::tensor(dtype, self.sizes.iter().copied().map(Dim::Size));
        let contents = match &self.contents {
            TensorMembers::Unknown => None,
            TensorMembers::Ints(all) => Contents::new(all.iter().copied()),
            TensorMembers::Floats(all) => Contents::new(all.iter().copied()),
            TensorMembers::Texts(all) => Contents::new(all.iter().cloned()),
        };
        ty.with_contents(contents)
    }
}

/// The tensor that a sparse tensor denotes, as far as its type goes.
pub(crate) fn sparse(message: &[u8]) -> Result<Tensor<'_>, Broken<'_>> {
    let mut dims = SmallVec::new();
    let mut values = None;
    for field in Fields::of(message) {
        let field = field?;
        match (field.number, field.bytes()) {
            (1, Some(tensor)) => values = Some(Tensor::read(tensor)?),
            (3, _) => field.ints(|n| dims.push(n))?,
            _ => {}
        }
    }
    Ok(Tensor {
        name: values.as_ref().map_or("", |values| values.name),
        dims,
        dtype: values.map_or(0, |values| values.dtype),
        message: &[],
        raw: None,
        // Where its elements are is known, but not what they are.
        external: true,
    })
}
