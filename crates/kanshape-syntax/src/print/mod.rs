//! Trees as text: the one canonical print, which reads back as the same tree.
//!
//! Types and conditions put a space after a comma, `f32[2, min(a, b)]`; signatures don't,
//! `(m,min(a,b))->()`. Sums are spaced and products are tight wherever they stand: `h + 2*p`.

mod expr;
mod signature;
mod types;

use std::fmt::{self, Display, Formatter};

use crate::tree::Spanned;

/// What stands between the members of a list.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Style {
    /// `, `.
    Spaced,
    /// `,`.
    Tight,
}

impl Style {
    fn comma(self) -> &'static str {
        match self {
            Style::Spaced => ", ",
            Style::Tight => ",",
        }
    }
}

/// Writes `items` with `between` between them.
pub(crate) fn list<T>(
    f: &mut Formatter<'_>,
    items: &[T],
    between: &str,
    mut write: impl FnMut(&mut Formatter<'_>, &T) -> fmt::Result,
) -> fmt::Result {
    for (i, item) in items.iter().enumerate() {
        if i > 0 {
            f.write_str(between)?;
        }
        write(f, item)?;
    }
    Ok(())
}

impl<T: Display> Display for Spanned<T> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.node.fmt(f)
    }
}
