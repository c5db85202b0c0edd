//! What an array has in it, against the contents of a type.

use kanshape_diag::Diagnostic;

use super::AnyArray;
use super::fit::Fit;
use super::number::Number;
use crate::{Content, Contents, Dim, Tensor, error};

impl<'t> Fit<'t> {
    /// Makes a tensor type contain an array that has its dtype and its shape. Nothing is examined
    /// if it has no contents.
    pub(super) fn contents(
        &mut self,
        tensor: &'t Tensor,
        array: &AnyArray,
    ) -> Result<(), Diagnostic> {
        let Some(contents) = &tensor.contents else {
            return Ok(());
        };
        let count: usize = array.shape().iter().product();
        if count != contents.len() {
            return Err(error::value_count(count, contents.len()));
        }
        let dtype = array.dtype();
        if !contents.dtypes().contains(dtype) {
            return Err(error::value_refused(format!(
                "no element of dtype `{dtype}` is among {contents}"
            )));
        }
        match array.numbers() {
            Some(numbers) => self.numbers(contents, numbers, array),
            None => same_texts(contents, array),
        }
    }

    fn numbers(
        &mut self,
        contents: &'t Contents,
        numbers: impl Iterator<Item = Number>,
        array: &AnyArray,
    ) -> Result<(), Diagnostic> {
        let dtypes = array.dtype().into();
        for (i, (member, number)) in contents.iter().zip(numbers).enumerate() {
            let size = || number.whole().and_then(|whole| u64::try_from(whole).ok());
            let same = match member {
                Content::Hole => true,
                Content::Name(name) => match size() {
                    Some(size) if size <= Dim::MAX_SIZE => self.bind(name, size),
                    _ => false,
                },
                Content::Expr(expr) => match number.whole() {
                    Some(whole) => {
                        self.equate(expr, whole);
                        true
                    }
                    None => false,
                },
                // As an element of this dtype has it.
                member => match member.as_of(dtypes) {
                    Content::Int(int) => number.equals(Number::Int(int.into())),
                    Content::Bool(bool) => number.equals(Number::Int(bool.into())),
                    Content::Float(float) => number.equals(Number::Float(float.get())),
                    _ => false,
                },
            };
            if !same {
                return Err(error::value_contents(i, &number, member));
            }
        }
        Ok(())
    }
}

fn same_texts(contents: &Contents, array: &AnyArray) -> Result<(), Diagnostic> {
    let texts = array.view::<String>();
    let texts = texts.iter().flat_map(|texts| texts.iter());
    for (i, (member, text)) in contents.iter().zip(texts).enumerate() {
        let same = match member {
            Content::Hole => true,
            Content::Text(wanted) => **wanted == **text,
            _ => false,
        };
        if !same {
            let given = Content::from(text.as_str());
            return Err(error::value_contents(i, &given, member));
        }
    }
    Ok(())
}
