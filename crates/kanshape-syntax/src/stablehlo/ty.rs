//! [`MlirType`]: a type as it is written.

use super::parse;

/// How deep types may be nested.
const MOST_NESTED: usize = 32;

/// A type as it is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MlirType {
    /// `tensor<2x?xf32>`.
    Tensor {
        /// `None` for `*`; of each dim its size, or `None` for `?`.
        dims: Option<Vec<Option<u64>>>,
        /// `f32`.
        element: Box<str>,
        /// The bounds of the dims, if there are any: `#stablehlo.bounds<?, 5>`.
        bounds: Vec<Option<u64>>,
    },
    /// `tuple<tensor<f32>, i32>`.
    Tuple(Vec<MlirType>),
    /// `!stablehlo.token`.
    Token,
    /// Any other.
    Other(Box<str>),
}

impl MlirType {
    /// Reads a type.
    ///
    /// ```
    /// use kanshape_syntax::stablehlo::MlirType;
    ///
    /// let MlirType::Tensor { dims, element, .. } = MlirType::read("tensor<2x?xf32>") else { unreachable!() };
    /// assert_eq!(dims, Some(vec![Some(2), None]));
    /// assert_eq!(&*element, "f32");
    /// ```
    pub fn read(text: &str) -> MlirType {
        nested(text.trim(), MOST_NESTED)
    }

    /// How many tensors it has in it: itself, or the members of a tuple.
    pub fn tensors(&self) -> usize {
        match self {
            MlirType::Tensor { .. } => 1,
            MlirType::Tuple(members) => members.iter().map(MlirType::tensors).sum(),
            MlirType::Token | MlirType::Other(_) => 0,
        }
    }

    /// The text of a type with a size for each `?` of which one is known. `sizes` has what is known of each tensor in it, in their
    /// order; a tensor of as many dims as are known, or of an unknown rank, is filled in. What has bounds or an encoding stays as
    /// it is.
    ///
    /// ```
    /// use kanshape_syntax::stablehlo::MlirType;
    ///
    /// let known = [Some(vec![Some(4), None])];
    /// assert_eq!(MlirType::filled("tensor<?x?xf32>", &mut known.iter().cloned()), "tensor<4x?xf32>");
    /// assert_eq!(MlirType::filled("tuple<tensor<*xi1>>", &mut known.iter().cloned()), "tuple<tensor<4x?xi1>>");
    /// ```
    pub fn filled(text: &str, sizes: &mut dyn Iterator<Item = Option<Vec<Option<u64>>>>) -> String {
        filled(text, sizes, MOST_NESTED)
    }
}

fn filled(
    text: &str,
    sizes: &mut dyn Iterator<Item = Option<Vec<Option<u64>>>>,
    depth: usize,
) -> String {
    if let Some(inner) = inside(text, "tuple")
        && depth > 0
        && let Some(members) = parse::types(inner)
    {
        let mut out = "tuple<".to_owned();
        let mut end = 0;
        for member in members {
            let at = member.span;
            out.push_str(inner.get(end..at.start).unwrap_or_default());
            let written = inner.get(at.start..at.end).unwrap_or_default();
            out.push_str(&filled(written, sizes, depth - 1));
            end = at.end;
        }
        out.push_str(inner.get(end..).unwrap_or_default());
        out.push('>');
        return out;
    }
    let read = inside(text, "tensor").and_then(|inner| Some((inner, tensor(inner)?)));
    let Some((inner, MlirType::Tensor { dims, element, .. })) = read else {
        return text.to_owned();
    };
    let Some(known) = sizes.next().flatten() else {
        return text.to_owned();
    };
    let fits = dims.as_ref().is_none_or(|dims| dims.len() == known.len());
    if !fits || outer_comma(inner).is_some() {
        return text.to_owned();
    }
    let mut out = "tensor<".to_owned();
    for (i, known) in known.iter().enumerate() {
        let own = dims
            .as_ref()
            .and_then(|dims| dims.get(i).copied().flatten());
        // MLIR's sizes are not larger.
        let known = known.filter(|size| i64::try_from(*size).is_ok());
        match own.or(known) {
            Some(size) => out.push_str(&size.to_string()),
            None => out.push('?'),
        }
        out.push('x');
    }
    out.push_str(element.trim());
    out.push('>');
    out
}

/// What stands in the angle brackets behind a name.
fn inside<'t>(text: &'t str, name: &str) -> Option<&'t str> {
    text.strip_prefix(name)?
        .strip_prefix('<')?
        .strip_suffix('>')
}

fn nested(text: &str, depth: usize) -> MlirType {
    if let Some(inner) = inside(text, "tensor") {
        return tensor(inner).unwrap_or_else(|| MlirType::Other(text.into()));
    }
    if text == "!stablehlo.token" || text == "!mhlo.token" {
        return MlirType::Token;
    }
    if let Some(inner) = inside(text, "tuple")
        && depth > 0
        && let Some(members) = parse::types(inner)
    {
        let read = |member: &super::Piece| {
            let written = inner.get(member.span.start..member.span.end);
            nested(written.unwrap_or_default(), depth - 1)
        };
        return MlirType::Tuple(members.iter().map(read).collect());
    }
    MlirType::Other(text.into())
}

/// What stands in the angle brackets of a tensor.
fn tensor(inner: &str) -> Option<MlirType> {
    let (shape, encoding) = match outer_comma(inner) {
        Some(at) => (&inner[..at], inner[at + 1..].trim()),
        None => (inner, ""),
    };
    let mut rest = shape.trim();
    let bounds = encoding
        .strip_prefix("#stablehlo.bounds<")
        .or_else(|| encoding.strip_prefix("#stablehlo.type_extensions<bounds = ["))
        .or_else(|| encoding.strip_prefix("#mhlo.type_extensions<bounds = ["))
        .map(|list| list.trim_end_matches(['>', ']']))
        .filter(|list| !list.trim().is_empty());
    let bounds = bounds.map_or_else(Vec::new, |list| {
        list.split(',').map(|one| one.trim().parse().ok()).collect()
    });
    if let Some(element) = rest.strip_prefix("*x") {
        return Some(MlirType::Tensor {
            dims: None,
            element: element.into(),
            bounds,
        });
    }
    let mut dims = Vec::new();
    while let Some((dim, behind)) = rest.split_once('x') {
        let dim = dim.trim();
        match dim {
            "?" => dims.push(None),
            _ if !dim.is_empty() && dim.bytes().all(|b| b.is_ascii_digit()) => {
                dims.push(Some(dim.parse().ok()?));
            }
            _ => break,
        }
        rest = behind;
    }
    Some(MlirType::Tensor {
        dims: Some(dims),
        element: rest.trim().into(),
        bounds,
    })
}

/// The first comma that stands in no angle brackets.
fn outer_comma(text: &str) -> Option<usize> {
    let mut depth = 0_usize;
    for (at, c) in text.char_indices() {
        match c {
            '<' => depth += 1,
            '>' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => return Some(at),
            _ => {}
        }
    }
    None
}
