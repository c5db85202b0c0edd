//! Types and attributes as a table shows them: what is in a large tensor is never wanted.

use std::borrow::Cow;

use kanshape::{AttrValue, Type};
use kanshape_onnx::NodeAttr;

/// The most elements of a tensor or a list that are shown, and none of a longer one.
const ELEMENTS: usize = 8;
/// The most characters of a text.
const TEXT: usize = 40;

/// A type, with what is in the tensor if that is not much.
pub fn short(ty: &Type) -> String {
    let is_long = |ty: &Type| {
        let contents = ty.as_tensor().and_then(|tensor| tensor.contents.as_ref());
        contents.is_some_and(|contents| contents.len() > ELEMENTS)
    };
    match is_long(ty) {
        true => ty.clone().with_contents(None).to_string(),
        false => ty.to_string(),
    }
}

/// An attribute's value, if that is not much.
pub fn attr(value: &NodeAttr<'_>) -> String {
    match value {
        NodeAttr::Value(value) => attr_value(value),
        NodeAttr::Body => "{body}".to_owned(),
        NodeAttr::Reference(name) => format!("@{name}"),
        NodeAttr::Other => "?".to_owned(),
    }
}

fn attr_value(value: &AttrValue) -> String {
    match value {
        AttrValue::Type(ty) => short(ty),
        AttrValue::List(members) if members.len() > ELEMENTS => {
            format!("[{} elements]", members.len())
        }
        value => cut(&value.to_string(), TEXT).into_owned(),
    }
}

/// The beginning of a long text.
pub fn cut(text: &str, most: usize) -> Cow<'_, str> {
    match text.char_indices().nth(most) {
        None => Cow::Borrowed(text),
        Some(_) => {
            let kept: String = text.chars().take(most.saturating_sub(3)).collect();
            Cow::Owned(format!("{kept}..."))
        }
    }
}
