//! A type that is written as elsewhere: `(2,3) float32`, `f32(2, 3)`, `torch.Size([2, 3])`, `2x3xf32`,
//! `Float[Array, "n m"]`.

use logos::Logos;

use super::jaxtyping;
use crate::signature::lex::Token;
use crate::signature::parse;
use crate::signature::scene::is_word;

/// Words that say that this is a tensor, or where its parts are.
const FILLERS: [&str; 27] = [
    "torch",
    "np",
    "numpy",
    "jnp",
    "jax",
    "tf",
    "onnx",
    "Size",
    "shape",
    "Shape",
    "dtype",
    "of",
    "tensor",
    "Tensor",
    "array",
    "Array",
    "ndarray",
    "NDArray",
    "TensorSpec",
    "TensorShape",
    "type",
    "ShapeDtypeStruct",
    "zeros",
    "ones",
    "empty",
    "rand",
    "randn",
];

/// The help: the whole type as it would be right. None if this is no such text.
pub(super) fn meant(text: &str) -> Option<String> {
    let quoted = text.replace('\'', "\"");
    let (ty, conditions) = match quoted.split_once(" where ") {
        Some((ty, conditions)) => (ty, format!(" where {}", conditions.trim())),
        None => (&*quoted, String::new()),
    };
    let ty = of_jaxtyping(ty)
        .or_else(|| by_x(ty))
        .or_else(|| of_parts(ty))?;
    let whole = format!("{ty}{conditions}");
    parse::is_right(Token::StartType, &whole).then(|| format!("a type is written `{whole}`"))
}

/// `Float[Array, "n m"]`, with any array or none.
fn of_jaxtyping(text: &str) -> Option<String> {
    let (name, rest) = text.trim().split_once('[')?;
    let (_, dims) = rest.strip_suffix("\"]")?.split_once('"')?;
    let dims = jaxtyping::dims(dims, false)?;
    Some(format!(
        "{}[{}]",
        jaxtyping::dtype(name.trim())?,
        dims.join(", ")
    ))
}

/// `2x3xf32`.
fn by_x(text: &str) -> Option<String> {
    let (dims, dtype) = text.trim().rsplit_once('x')?;
    let is_dim =
        |dim: &str| dim == "?" || (!dim.is_empty() && dim.bytes().all(|b| b.is_ascii_digit()));
    let dims: Vec<&str> = dims.split('x').collect();
    if is_dim(dtype) && dims.iter().all(|dim| is_dim(dim)) {
        return Some(format!("({}, {dtype})", dims.join(", ")));
    }
    (is_word(dtype) && dims.iter().all(|dim| is_dim(dim)))
        .then(|| format!("{dtype}[{}]", dims.join(", ")))
}

/// One list of dims in brackets, and the name of a dtype in front or behind.
fn of_parts(text: &str) -> Option<String> {
    let mut dtype: Option<&str> = None;
    let mut dims: Option<&str> = None;
    let mut loose: Vec<&str> = Vec::new();
    // The outermost bracket that is open, behind it.
    let mut from = None;
    let mut depth = 0usize;
    let mut filler = false;
    for (word, at) in Token::lexer(text).spanned() {
        let word = word.ok()?;
        let written = &text[at.start..at.end];
        match word {
            Token::LeftParen | Token::LeftBracket | Token::LeftBrace | Token::Less => {
                depth += 1;
                from = from.or(Some(at.end));
                continue;
            }
            Token::RightParen | Token::RightBracket | Token::RightBrace | Token::Greater => {
                depth = depth.checked_sub(1)?;
                if depth == 0 && dims.replace(&text[from.take()?..at.start]).is_some() {
                    return None;
                }
                continue;
            }
            _ if depth > 0 => continue,
            Token::Text(quoted) => {
                if dtype.replace(quoted.trim_matches('"')).is_some() {
                    return None;
                }
            }
            // Contents stand behind an `=` that no word such as `dtype` is in front of.
            Token::Equals if !filler => return None,
            Token::Comma | Token::Colon | Token::Dot | Token::Equals => {}
            Token::Int(_) | Token::Question => loose.push(written),
            _ if is_word(written) && FILLERS.contains(&written) => {
                filler = true;
                continue;
            }
            _ if is_word(written) => {
                if dtype.replace(written).is_some() {
                    return None;
                }
            }
            _ => return None,
        }
        filler = false;
    }
    if depth > 0 || is_in_order(text) {
        return None;
    }
    let dims = match (dims, loose.is_empty()) {
        (Some(dims), true) => list(dims, &mut dtype)?,
        (None, false) => loose.join(", "),
        _ => return None,
    };
    Some(match dtype {
        Some(dtype) => format!("{dtype}[{dims}]"),
        None => format!("?[{dims}]"),
    })
}

/// Whether a word, brackets and nothing else stand there: then something is wrong about the dims.
fn is_in_order(text: &str) -> bool {
    let parts = text
        .trim()
        .strip_suffix(']')
        .and_then(|text| text.split_once('['));
    parts.is_some_and(|(name, dims)| {
        is_word(name)
            && name.chars().all(|c| c == '_' || c.is_alphanumeric())
            && !dims.contains(['[', ']'])
    })
}

/// The dims of a list, with commas between; of a list within it, whatever else it holds is the dtype.
fn list<'t>(text: &'t str, dtype: &mut Option<&'t str>) -> Option<String> {
    let text = text.trim();
    for (open, close) in [('(', ')'), ('[', ']')] {
        if let Some((before, rest)) = text.split_once(open)
            && let Some((dims, behind)) = rest.split_once(close)
        {
            let words = [before, behind].into_iter().flat_map(|part| {
                part.split(|c: char| !(c.is_alphanumeric() || c == '_'))
                    .filter(|word| !word.is_empty())
            });
            for word in words.filter(|word| !FILLERS.contains(word)) {
                if !is_word(word) || dtype.replace(word).is_some() {
                    return None;
                }
            }
            return list(dims, &mut None);
        }
    }
    // `x` between dims stands where MLIR's notation is meant.
    if text.contains('@') || text.split_whitespace().any(|word| word == "x") {
        return None;
    }
    let separated = text.trim_end_matches(',').split([',', ';']);
    let dims = separated.map(|dim| match dim.trim() {
        "" | "*" | ":" | "_" | "-1" | "None" => "?".to_owned(),
        dim => dim.split_whitespace().collect::<Vec<_>>().join(", "),
    });
    match text.is_empty() {
        true => Some(String::new()),
        false => Some(dims.collect::<Vec<_>>().join(", ")),
    }
}
