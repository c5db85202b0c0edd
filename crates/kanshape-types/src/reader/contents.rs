//! What a tensor has in it.

use kanshape_diag::Diagnostic;
use kanshape_syntax::tree::{self, Expr, Sign, Spanned};

use super::Reader;
use crate::error::{self, range};
use crate::{Content, Contents, Dim, Tensor};

impl<'t> Reader<'t> {
    /// The tensor with these contents, if it can have them.
    pub(super) fn with_contents(
        &mut self,
        tensor: Tensor,
        members: &'t Spanned<Vec<Spanned<tree::Content>>>,
    ) -> Result<Tensor, Diagnostic> {
        let count = members.node.len();
        if !Contents::fit(&tensor.shape, count) {
            return Err(error::contents_count(
                &tensor.shape,
                count,
                range(members.span),
            ));
        }
        let declared = tensor.dtype.set();
        let mut dtypes = declared;
        let mut contents = Vec::with_capacity(count);
        for member in &members.node {
            let content = self.content(member)?;
            let possible = content.dtypes();
            let (shown, at) = (format!("`{}`", member.node), range(member.span));
            if possible.intersection(declared).is_empty() {
                return Err(error::contents_dtype(&shown, &tensor.dtype.to_string(), at));
            }
            dtypes = dtypes.intersection(possible);
            if dtypes.is_empty() {
                return Err(error::contents_mixed(&shown, at));
            }
            contents.push(content);
        }
        Ok(tensor.with_contents(Contents::new(contents)))
    }

    fn content(&mut self, member: &'t Spanned<tree::Content>) -> Result<Content, Diagnostic> {
        Ok(match &member.node {
            tree::Content::Hole => Content::Hole,
            tree::Content::Bool(bool) => Content::Bool(*bool),
            tree::Content::Float(float) => Content::Float(*float),
            tree::Content::Text(text) => Content::Text((&**text).into()),
            tree::Content::Dim(expr) => {
                self.note_dims(expr, member.span)?;
                let content = Content::number(expr.clone());
                if let (Content::Expr(expr), at) = (&content, range(member.span))
                    && let Some(int) = too_large(expr)
                {
                    return Err(error::content_too_large(int, at));
                }
                content
            }
        })
    }
}

/// The number, if it is one that contents do not have.
fn too_large(expr: &Expr) -> Option<u64> {
    match expr {
        Expr::Int(int) if *int > Dim::MAX_SIZE => Some(*int),
        Expr::Sum(terms) => match terms[..] {
            [(Sign::Minus, Expr::Int(int))] => Some(int),
            _ => None,
        },
        _ => None,
    }
}
