//! Types of operands in the notation of Relay: `Tensor[(2, n), float32]`, a tuple `(A, B)`, a scalar `float32`, `_` for one of which
//! nothing is known. The contents of a tensor are written after `=`, as elsewhere.

use std::fmt::{self, Display, Formatter, Write};

use kanshape::tree::{Ident, Span, Spanned};
use kanshape::tree::{parse_relay_type, relay, split_binding, split_list};
use kanshape::{
    Diagnostic, Dim, Dtype, DtypeSet, DtypeTerm, Name, Shape, Tensor, Type, types::TypeKind,
};

use crate::code;

/// Reads a type as Relay writes it.
///
/// # Errors
/// A [`Diagnostic`] if it is no type, or one that no operand has.
pub fn read(text: &str) -> Result<Type, Diagnostic> {
    // No type has an `=`.
    let (ty, contents) = match split_binding(text) {
        Some((ty, contents)) => (ty, Some(contents)),
        None => (text, None),
    };
    if ty.trim() == "?" {
        return Ok(Type::UNKNOWN);
    }
    let read = of_relay(&parse_relay_type(ty)?)?;
    match contents {
        None => Ok(read),
        Some(contents) => with_contents(&read, contents),
    }
}

/// Reads the type of a program, as Relay writes it or as kanshape does: `fn (Tensor[(m, n), float32]) -> float32`,
/// `fn (f32[m, n]) -> f32[]`.
///
/// # Errors
/// A [`Diagnostic`] if it is neither.
pub fn read_program_type(text: &str) -> Result<relay::Type, Diagnostic> {
    // What is written with `Tensor` would be a data type of this name.
    let own = match text.contains("Tensor") {
        true => None,
        false => text.parse::<Type>().ok(),
    };
    match own {
        Some(ty) => parse_relay_type(&Written(&ty).to_string()),
        None => parse_relay_type(text),
    }
}

/// The type with these contents: a number, or numbers in brackets, in the order of memory.
fn with_contents(ty: &Type, contents: &str) -> Result<Type, Diagnostic> {
    let floats = match ty.as_tensor() {
        Some(tensor) => tensor.dtype.set().is_subset(DtypeSet::FLOAT),
        None => {
            return Err(no_operand("a type that is no tensor has contents"));
        }
    };
    let (mut open, mut members) = (vec![contents], Vec::new());
    while let Some(part) = open.pop() {
        match (split_list(part), part) {
            (Some(list), _) => open.extend(list.into_iter().rev()),
            (None, "True") => members.push("true".to_owned()),
            (None, "False") => members.push("false".to_owned()),
            // A whole number in a tensor of floats is a float.
            (None, part) if floats && part.parse::<i64>().is_ok() => {
                members.push(format!("{part}.0"));
            }
            (None, part) => members.push(part.to_owned()),
        }
    }
    format!("{ty} = [{}]", members.join(", ")).parse()
}

fn no_operand(why: &str) -> Diagnostic {
    Diagnostic::new(code::NO_OPERAND, why)
}

pub(crate) fn of_relay(ty: &relay::Type) -> Result<Type, Diagnostic> {
    Ok(match ty {
        relay::Type::Hole => Type::UNKNOWN,
        relay::Type::Tensor(shape, dtype) => {
            let dtype = match dtype {
                relay::Dtype::Hole => DtypeTerm::Hole,
                relay::Dtype::Name(name) => DtypeTerm::from_ident(name)?,
            };
            Tensor::new(dtype, shape_of(&shape.node)).into()
        }
        relay::Type::Name(name) => match DtypeTerm::from_ident(name) {
            Ok(DtypeTerm::Known(dtype)) => Type::tensor(dtype, [] as [Dim; 0]),
            _ => TypeKind::Var(Name::word(&*name.node)).into(),
        },
        relay::Type::Rigid(name, _) => TypeKind::Var(Name::word(&*name.node)).into(),
        relay::Type::Apply(name, args) if !args.is_empty() => {
            Type::adt(Name::word(&*name.node), all(args)?)
        }
        relay::Type::Apply(name, _) => TypeKind::Var(Name::word(&*name.node)).into(),
        relay::Type::Tuple(fields) => Type::tuple(all(fields)?),
        relay::Type::Fn(function)
            if function.binders.is_empty() && function.constraints.is_empty() =>
        {
            Type::function(all(&function.params)?, of_relay(&function.result.node)?)
        }
        _ => {
            return Err(no_operand("no operand of an operator has this type"));
        }
    })
}

fn all(types: &[Spanned<relay::Type>]) -> Result<Vec<Type>, Diagnostic> {
    types.iter().map(|ty| of_relay(&ty.node)).collect()
}

fn shape_of(shape: &relay::Shape) -> Shape {
    let dims = match shape {
        relay::Shape::Hole => return Shape::unknown(),
        relay::Shape::Name(name) => {
            return Shape::default().with_run(0, Some(Name::word(&*name.node)));
        }
        relay::Shape::Dims(dims) => dims,
    };
    let (mut known, mut run) = (Vec::with_capacity(dims.len()), None);
    for dim in dims {
        match &dim.node {
            relay::Dim::Any => known.push(Dim::Hole),
            relay::Dim::Expr(expr) => known.push(Dim::expr(expr.clone())),
            relay::Dim::Rest(name) => {
                run = Some((known.len(), name.as_ref().map(|n| Name::word(&*n.node))));
            }
        }
    }
    let shape = Shape::known(known);
    match run {
        Some((at, name)) => shape.with_run(at, name),
        None => shape,
    }
}

/// A type as Relay writes it.
#[derive(Debug)]
pub struct Written<'t>(pub &'t Type);

impl Display for Written<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write(f, self.0)?;
        for (i, condition) in self.0.conditions.iter().enumerate() {
            f.write_str(if i == 0 { " where " } else { ", " })?;
            condition.fmt(f)?;
        }
        Ok(())
    }
}

fn write(f: &mut Formatter<'_>, ty: &Type) -> fmt::Result {
    match &ty.kind {
        TypeKind::Unknown => f.write_char('_'),
        // What is in a tensor is no part of Relay's types.
        TypeKind::Tensor(tensor) => tensor_in_relay(f, tensor),
        TypeKind::Tuple(fields) => {
            let comma = if fields.len() == 1 { ",)" } else { ")" };
            f.write_char('(')?;
            list(f, fields)?;
            f.write_str(comma)
        }
        TypeKind::Fn(function) => {
            f.write_str("fn (")?;
            list(f, &function.params)?;
            f.write_str(") -> ")?;
            write(f, &function.result)
        }
        TypeKind::Adt(name, args) => {
            write!(f, "{name}[")?;
            list(f, args)?;
            f.write_char(']')
        }
        TypeKind::User(..) | TypeKind::Var(_) => ty.fmt(f),
    }
}

fn list(f: &mut Formatter<'_>, types: &[Type]) -> fmt::Result {
    for (i, ty) in types.iter().enumerate() {
        if i > 0 {
            f.write_str(", ")?;
        }
        write(f, ty)?;
    }
    Ok(())
}

fn tensor_in_relay(f: &mut Formatter<'_>, tensor: &Tensor) -> fmt::Result {
    let shape = &tensor.shape;
    f.write_str("Tensor[(")?;
    let mut comma = "";
    for dim in shape.before() {
        write!(f, "{comma}{dim}")?;
        comma = ", ";
    }
    if let Some(run) = shape.run() {
        write!(f, "{comma}..")?;
        if let Some(name) = &run.name {
            name.fmt(f)?;
        }
        comma = ", ";
    }
    for dim in shape.after() {
        write!(f, "{comma}{dim}")?;
        comma = ", ";
    }
    f.write_str("), ")?;
    match &tensor.dtype {
        DtypeTerm::Known(dtype) => f.write_str(&dtype_name(*dtype))?,
        DtypeTerm::Hole => f.write_char('_')?,
        open => open.fmt(f)?,
    }
    f.write_char(']')
}

/// A message with its types as Relay writes them: `f32[5, n]` as `Tensor[(5, n), float32]`.
pub(crate) fn in_relay(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(open) = rest.find('[') {
        let word = |c: char| c.is_alphanumeric() || c == '_';
        let before = &rest[..open];
        let start = match before.strip_suffix('?') {
            Some(before) => before.len(),
            None => before.trim_end_matches(word).len(),
        };
        let written = closed(&rest[open..]).map(|length| &rest[start..open + length]);
        let is_dtype = &rest[start..open] == "?" || Dtype::named(&rest[start..open]).is_some();
        let ty = written
            .filter(|_| is_dtype)
            .and_then(|own| own.parse::<Type>().ok());
        match (ty.as_ref().and_then(Type::as_tensor), written) {
            (Some(tensor), Some(written)) => {
                out.push_str(&rest[..start]);
                out.push_str(&InRelay(tensor).to_string());
                rest = &rest[start + written.len()..];
            }
            _ => {
                out.push_str(&rest[..=open]);
                rest = &rest[open + 1..];
            }
        }
    }
    out + rest
}

/// How long what is in the bracket is that a text begins with.
fn closed(text: &str) -> Option<usize> {
    let mut depth = 0usize;
    for (at, c) in text.char_indices() {
        match c {
            '[' => depth += 1,
            ']' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some(at + 1);
        }
    }
    None
}

/// A tensor in a message; a scalar is its dtype.
struct InRelay<'t>(&'t Tensor);

impl Display for InRelay<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match (self.0.shape.rank(), self.0.dtype.known()) {
            (Some(0), Some(dtype)) => f.write_str(&dtype_name(dtype)),
            _ => tensor_in_relay(f, self.0),
        }
    }
}

/// `float32` for `f32`.
pub(crate) fn dtype_name(dtype: Dtype) -> String {
    let name = dtype.name();
    let bits = |letter| {
        let bits = name.strip_prefix(letter)?;
        let is_plain = !bits.is_empty() && bits.bytes().all(|b| b.is_ascii_digit());
        is_plain.then_some(bits)
    };
    let long = [
        ("bf", "bfloat"),
        ("f", "float"),
        ("i", "int"),
        ("u", "uint"),
        ("c", "complex"),
    ];
    let mut written = long.iter().filter_map(|(short, long)| {
        let long = format!("{long}{}", bits(*short)?);
        // Only what reads back as the same dtype.
        let ident: Ident = Spanned::new(long.as_str().into(), Span::default());
        let same = DtypeTerm::from_ident(&ident).ok()? == DtypeTerm::Known(dtype);
        same.then_some(long)
    });
    written.next().unwrap_or_else(|| name.to_owned())
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn relay(text: &str) -> String {
        Written(&read(text).unwrap()).to_string()
    }

    #[test]
    fn what_relay_writes_reads_back() {
        for text in [
            "Tensor[(2, n, ?), float32]",
            "Tensor[(), bool]",
            "Tensor[(n + 2, d2*d3), bfloat16]",
            "Tensor[(2), _]",
            "(Tensor[(2, 3), int64], Tensor[(), uint8])",
            "(Tensor[(2), float16],)",
            "()",
            "_",
            "fn (Tensor[(2), int32]) -> Tensor[(), complex64]",
            "List[Tensor[(2), int32]]",
        ] {
            assert_eq!(relay(text), text);
        }
        assert_eq!(relay("float32"), "Tensor[(), float32]");
        assert_eq!(relay("?"), "_");
        assert_eq!(relay("Tensor[((n + -2)), bool]"), "Tensor[(n - 2), bool]");
    }

    #[test]
    fn messages_are_written_as_programs_are() {
        let text = "input 1 (`rhs`) would fit as f32[5, 10, d0]; `i64[2] = [n_1, 3]`, ?[...r, 1] or f64[], not a[0]";
        let own = "input 1 (`rhs`) would fit as Tensor[(5, 10, d0), float32]; `Tensor[(2), int64] = [n_1, 3]`, \
                   Tensor[(..r, 1), _] or float64, not a[0]";
        assert_eq!(in_relay(text), own);
        assert_eq!(in_relay("f32[2"), "f32[2");
    }

    #[test]
    fn contents_are_read() {
        let read = |text: &str| read(text).unwrap().to_string();
        assert_eq!(read("Tensor[(), float32] = 20"), "f32[] = [20.0]");
        assert_eq!(read("float32 = -0.5"), "f32[] = [-0.5]");
        assert_eq!(
            read("Tensor[(2, 2), int64] = [[1, n], [3, 4]]"),
            "i64[2, 2] = [1, n, 3, 4]"
        );
    }
}
