//! Types as models declare them.

use super::dtype;
use crate::dims::Dims;
use crate::wire::{Broken, Field, Fields};
use kanshape::{Dim, DtypeTerm, Name, Shape, Tensor, Type};

/// How deep a type may be declared: a sequence of optional sequences, and so on.
pub(crate) const DEEPEST: u32 = 16;

/// A type as it is declared, and what is wrong with it.
#[derive(Clone, Debug)]
pub(crate) struct Declared {
    pub ty: Type,
    /// What could not be taken as it is declared: that is left open.
    pub wrong: Vec<DeclaredError>,
}

/// What is wrong with a declared type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DeclaredError {
    /// A number that no dtype has.
    Dtype(i64),
    /// A number that no size can be.
    Size(i64),
    /// It is a type in a type in a type.
    Deep,
}

/// Reads the type that a message declares. What it says nothing of is open.
pub(crate) fn read<'a>(message: &'a [u8], dims: &mut Dims<'a>) -> Result<Declared, Broken<'a>> {
    let mut reader = TypeReader {
        dims,
        wrong: Vec::new(),
    };
    let ty = reader.ty(message, 0)?;
    Ok(Declared {
        ty,
        wrong: reader.wrong,
    })
}

/// Does a message plainly declare just this tensor, with every size a number? Mostly that is so where this is called, and
/// then nothing has to be made to compare it. Of anything out of the ordinary it says no.
pub(crate) fn declares(message: &[u8], ty: &Type) -> bool {
    is_plainly(message, ty).is_some()
}

fn is_plainly(message: &[u8], ty: &Type) -> Option<()> {
    let is = |holds: bool| holds.then_some(());
    let tensor = ty.as_tensor().filter(|t| t.shape.run().is_none())?;
    let mut parts = Fields::of(only(message, 1)?.bytes()?);
    let (dtype, shape) = (parts.next()?.ok()?, parts.next()?.ok()?);
    is(parts.next().is_none() && (dtype.number, shape.number) == (1, 2))?;
    is(dtype::of_number(dtype.int()?)? == tensor.dtype.known()?)?;
    let mut dims = Fields::of(shape.bytes()?);
    for own in tensor.shape.known_dims() {
        let dim = dims.next()?.ok().filter(|dim| dim.number == 1)?;
        let size = u64::try_from(only(dim.bytes()?, 1)?.int()?).ok()?;
        is(*own == Dim::Size(size))?;
    }
    is(dims.next().is_none())
}

/// The field of a message that has no other, if that is its number.
fn only(message: &[u8], number: u32) -> Option<Field<'_>> {
    let mut fields = Fields::of(message);
    let first = fields.next()?.ok()?;
    (fields.next().is_none() && first.number == number).then_some(first)
}

struct TypeReader<'d, 'a> {
    dims: &'d mut Dims<'a>,
    wrong: Vec<DeclaredError>,
}

impl<'a> TypeReader<'_, 'a> {
    fn ty(&mut self, message: &'a [u8], depth: u32) -> Result<Type, Broken<'a>> {
        if depth == DEEPEST {
            self.wrong.push(DeclaredError::Deep);
            return Ok(Type::UNKNOWN);
        }
        let mut ty = Type::UNKNOWN;
        for field in Fields::of(message) {
            let field = field?;
            let Some(inner) = field.bytes() else { continue };
            ty = match field.number {
                // Of a sparse tensor what operators see is the tensor.
                1 | 8 => self.tensor(inner, depth > 0)?,
                4 => Type::adt(Name::word("Sequence"), [self.element(inner, depth)?]),
                9 => Type::adt(Name::word("Optional"), [self.element(inner, depth)?]),
                5 => self.map(inner, depth)?,
                _ => continue,
            };
        }
        Ok(ty)
    }

    /// The type in a sequence or in something optional.
    fn element(&mut self, message: &'a [u8], depth: u32) -> Result<Type, Broken<'a>> {
        match last(message, 1)?.and_then(Field::bytes) {
            Some(ty) => self.ty(ty, depth + 1),
            None => Ok(Type::UNKNOWN),
        }
    }

    fn map(&mut self, message: &'a [u8], depth: u32) -> Result<Type, Broken<'a>> {
        let key = match last(message, 1)?.and_then(Field::int) {
            Some(number) => self.dtype(number),
            None => DtypeTerm::Hole,
        };
        let value = match last(message, 2)?.and_then(Field::bytes) {
            Some(ty) => self.ty(ty, depth + 1)?,
            None => Type::UNKNOWN,
        };
        Ok(Type::adt(
            Name::word("Map"),
            [Type::tensor(key, [] as [Dim; 0]), value],
        ))
    }

    /// A tensor; as one of many, a dim that has a name is not the same in all of them.
    fn tensor(&mut self, message: &'a [u8], of_many: bool) -> Result<Type, Broken<'a>> {
        let mut dtype = DtypeTerm::Hole;
        let mut shape = Shape::unknown();
        for field in Fields::of(message) {
            let field = field?;
            match (field.number, field.int(), field.bytes()) {
                (1, Some(number), _) => dtype = self.dtype(number),
                (2, _, Some(dims)) => shape = self.shape(dims, of_many)?,
                _ => {}
            }
        }
        Ok(Tensor::new(dtype, shape).into())
    }

    fn dtype(&mut self, number: i64) -> DtypeTerm {
        match dtype::of_number(number) {
            Some(dtype) => dtype.into(),
            None => {
                if number != 0 {
                    self.wrong.push(DeclaredError::Dtype(number));
                }
                DtypeTerm::Hole
            }
        }
    }

    fn shape(&mut self, message: &'a [u8], of_many: bool) -> Result<Shape, Broken<'a>> {
        let mut shape = Shape::default();
        for field in Fields::of(message) {
            let field = field?;
            if let (1, Some(dim)) = (field.number, field.bytes()) {
                shape.push(match self.dim(dim)? {
                    Dim::Name(_) if of_many => Dim::Hole,
                    dim => dim,
                });
            }
        }
        Ok(shape)
    }

    fn dim(&mut self, message: &'a [u8]) -> Result<Dim, Broken<'a>> {
        let mut dim = Dim::Hole;
        for field in Fields::of(message) {
            let field = field?;
            match (field.number, field.int()) {
                (1, Some(size)) => {
                    dim = match u64::try_from(size) {
                        Ok(size) => Dim::Size(size),
                        // What some exporters write for a dim that they know nothing of.
                        Err(_) if size == -1 => Dim::Hole,
                        Err(_) => {
                            self.wrong.push(DeclaredError::Size(size));
                            Dim::Hole
                        }
                    }
                }
                (2, None) => dim = self.dims.dim(field.text()?),
                _ => {}
            }
        }
        Ok(dim)
    }
}

/// The last field of a number: of several it is the one that counts.
fn last(message: &[u8], number: u32) -> Result<Option<Field<'_>>, Broken<'_>> {
    let mut found = None;
    for field in Fields::of(message) {
        let field = field?;
        if field.number == number {
            found = Some(field);
        }
    }
    Ok(found)
}

impl DeclaredError {
    pub(crate) fn text(self) -> String {
        match self {
            DeclaredError::Dtype(number) => format!("{number} is the number of no dtype"),
            DeclaredError::Size(size) => format!("{size} is no size"),
            DeclaredError::Deep => "its type is nested too deeply".into(),
        }
    }
}
