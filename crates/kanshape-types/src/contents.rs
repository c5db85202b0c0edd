//! [`Contents`]: what a tensor has in it, as far as it is known.

use std::fmt::{self, Display};
use std::sync::Arc;

use kanshape_syntax::MAX_CONTENTS;
use kanshape_syntax::tree::{Expr, Float, Ident, Sign};

use crate::{Dim, Dtype, DtypeSet, Name, Shape};

mod rounding;

/// What a tensor has in it, row by row: `[2, n, ?]`. As many members as the tensor has elements.
///
/// Contents in which nothing is known say how many elements there are, and nothing else. As with
/// [`Conditions`](crate::Conditions), a second pointer keeps a [`Type`](crate::Type) small.
///
/// ```
/// use kanshape::{Content, Contents, Type};
///
/// let shape: Type = "i64[3] = [2, n, ?]".parse()?;
/// let contents = shape.contents().unwrap();
/// assert_eq!(contents.as_slice()[0], Content::Int(2));
/// assert_eq!(*contents, "[2, n, ?]".parse::<Contents>()?);
/// # Ok::<(), kanshape::Diagnostic>(())
/// ```
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Contents(Arc<Box<[Content]>>);

/// One member of [`Contents`], as far as it is known.
///
/// ```
/// use kanshape::{Content, Contents};
///
/// let contents = Contents::new([Content::Int(-1), Content::Hole]).unwrap();
/// assert_eq!(contents.to_string(), "[-1, ?]");
/// ```
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Content {
    /// `?`: an unknown of its own.
    Hole,
    /// `2`, `-1`.
    Int(i64),
    /// `n`: the number that the name denotes in dims as well. A size, so that it is not negative.
    Name(Name),
    /// `2*n - 1`: an expression that is more than a number or a name. It may be negative.
    Expr(Arc<Expr>),
    /// `true`.
    Bool(bool),
    /// `0.5`.
    Float(Float),
    /// `"text"`.
    Text(Arc<str>),
}

impl Contents {
    /// The most members there can be; what is larger is not worth saying.
    pub const MAX: usize = MAX_CONTENTS;

    /// These members; none if there are more than [`Contents::MAX`].
    pub fn new<I>(members: I) -> Option<Contents>
    where
        I: IntoIterator,
        I::Item: Into<Content>,
    {
        let members = members.into_iter().take(Contents::MAX + 1).map(Into::into);
        let members: Box<[Content]> = members.collect();
        (members.len() <= Contents::MAX).then(|| Contents(Arc::new(members)))
    }

    /// The members, row by row.
    pub fn as_slice(&self) -> &[Content] {
        &self.0
    }

    /// The members, row by row.
    pub fn iter(&self) -> std::slice::Iter<'_, Content> {
        self.0.iter()
    }

    /// How many members there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are no members, because a dim is 0.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether something is known of a member.
    pub fn say_something(&self) -> bool {
        self.iter().any(|member| *member != Content::Hole)
    }

    /// The same with `f` of each member.
    #[must_use]
    pub fn map(&self, f: &mut dyn FnMut(&Content) -> Content) -> Contents {
        Contents(Arc::new(self.iter().map(f).collect()))
    }

    /// Calls `f` with every name, in the order in which they are written.
    pub fn for_each_name(&self, f: &mut dyn FnMut(&str)) {
        self.iter().for_each(|member| member.for_each_name(f));
    }

    /// The dtypes that can have all of these as elements.
    pub fn dtypes(&self) -> DtypeSet {
        let all = self.iter().map(Content::dtypes);
        all.fold(DtypeSet::ANY, DtypeSet::intersection)
    }

    /// The same contents as elements of these dtypes have them: a number among floats is a float,
    /// and 0 and 1 among truth values are `false` and `true`.
    #[must_use]
    pub fn as_of(&self, dtypes: DtypeSet) -> Contents {
        match self.iter().all(|member| member.as_of(dtypes) == *member) {
            true => self.clone(),
            false => self.map(&mut |member| member.as_of(dtypes)),
        }
    }

    /// Can a tensor of this shape have this number of members?
    pub fn fit(shape: &Shape, len: usize) -> bool {
        let len = len as u64;
        if let Some(elements) = shape.elements() {
            return elements == len;
        }
        let mut known = shape.iter().filter_map(Dim::extent);
        // Too many to be counted are more than there can be members.
        let known = known.try_fold(1u64, u64::checked_mul);
        match known {
            Some(0) => len == 0,
            Some(known) => !shape.is_ground() && len.is_multiple_of(known),
            None => len == 0 && !shape.is_ground(),
        }
    }
}

impl Content {
    /// The number that an expression denotes.
    pub fn number(expr: Expr) -> Content {
        match expr {
            Expr::Int(int) if int <= Dim::MAX_SIZE => Content::Int(int as i64),
            Expr::Name(name) => Content::Name(Name::word(name.node)),
            // An identity is that of a dim, and no part of the number.
            Expr::Nominal(n) => Content::number(Expr::Int(n.size.node)),
            expr => match negative(&expr) {
                Some(int) => Content::Int(int),
                None => Content::Expr(Arc::new(expr)),
            },
        }
    }

    /// The number, if it is one that is known: `2`, `2.0`.
    pub fn int(&self) -> Option<i64> {
        match self {
            Content::Int(int) => Some(*int),
            Content::Float(float) => whole(float.get()),
            _ => None,
        }
    }

    /// The number as an expression, unless there is none: `2`, `n`, `2*n - 1`, `2.0`.
    pub fn expr(&self) -> Option<Expr> {
        match self {
            Content::Name(name) => Some(Expr::Name(crate::name::ident(name))),
            Content::Expr(expr) => Some((**expr).clone()),
            _ => self.int().map(literal),
        }
    }

    /// Calls `f` with every name, in the order in which they are written.
    pub fn for_each_name(&self, f: &mut dyn FnMut(&str)) {
        match self {
            Content::Name(name) => f(name),
            Content::Expr(expr) => expr.for_each_name(f),
            Content::Hole
            | Content::Int(_)
            | Content::Bool(_)
            | Content::Float(_)
            | Content::Text(_) => {}
        }
    }

    /// The same with something else for each name.
    #[must_use]
    pub fn map_leaves(&self, f: &mut dyn FnMut(Ident) -> Expr) -> Content {
        match self {
            Content::Name(name) => Content::number(f(crate::name::ident(name))),
            Content::Expr(expr) => Content::number((**expr).clone().map_leaves(f)),
            member => member.clone(),
        }
    }

    /// An integer as an element of one of these dtypes; a hole if none of them has it, as of a sum that has wrapped around.
    pub fn whole(int: i64, dtypes: DtypeSet) -> Content {
        let has = |dtype: Dtype| dtype.integers().is_none_or(|all| all.contains(&int.into()));
        match dtypes.iter().any(has) {
            true => Content::Int(int),
            false => Content::Hole,
        }
    }

    /// The dtypes that can have this as an element.
    pub fn dtypes(&self) -> DtypeSet {
        const REAL: DtypeSet = DtypeSet::FLOAT.union(DtypeSet::COMPLEX);
        match self {
            Content::Hole => DtypeSet::ANY,
            Content::Int(int) => {
                let mut set = REAL;
                for dtype in DtypeSet::INT.union(DtypeSet::UINT).iter() {
                    if dtype
                        .integers()
                        .is_some_and(|all| all.contains(&(*int).into()))
                    {
                        set = set.union(dtype.into());
                    }
                }
                match int {
                    0 | 1 => set.union(DtypeSet::BOOL),
                    _ => set,
                }
            }
            Content::Name(_) | Content::Expr(_) => DtypeSet::ANY.difference(Dtype::Str.into()),
            Content::Bool(_) => DtypeSet::BOOL,
            Content::Float(_) => REAL,
            Content::Text(_) => Dtype::Str.into(),
        }
    }

    /// The same as elements of these dtypes have it.
    pub(crate) fn as_of(&self, dtypes: DtypeSet) -> Content {
        let floats = dtypes.is_subset(DtypeSet::FLOAT.union(DtypeSet::COMPLEX));
        let number = match self {
            Content::Int(int @ (0 | 1)) if dtypes == DtypeSet::BOOL => {
                return Content::Bool(*int == 1);
            }
            Content::Int(int) if floats => Float::new(*int as f64),
            Content::Float(float) => *float,
            member => return member.clone(),
        };
        Content::Float(match dtypes.single() {
            Some(dtype) => rounding::nearest(number, dtype),
            None => number,
        })
    }

    /// The number of a dtype that is nearest to this one; `None` for dtypes of which that is not known here: those
    /// that are no floats, and floats of 8 bits and less.
    pub fn nearest(number: f64, dtype: Dtype) -> Option<f64> {
        let known = [Dtype::F64, Dtype::F32, Dtype::F16, Dtype::BF16];
        let nearest = || rounding::nearest(Float::new(number), dtype).get();
        known.contains(&dtype).then(nearest)
    }

    /// How an element of this dtype is best written.
    pub(crate) fn float_text(float: Float, dtype: Option<Dtype>) -> Float {
        dtype.map_or(float, |dtype| rounding::shortest(float, dtype))
    }
}

/// The number that a minus and digits write.
fn negative(expr: &Expr) -> Option<i64> {
    match expr {
        Expr::Sum(terms) => match terms[..] {
            [(Sign::Minus, Expr::Int(int))] => 0i64.checked_sub_unsigned(int),
            _ => None,
        },
        _ => None,
    }
}

fn literal(int: i64) -> Expr {
    let size = Expr::Int(int.unsigned_abs());
    match int < 0 {
        true => Expr::Sum(vec![(Sign::Minus, size)]),
        false => size,
    }
}

/// The integer that a float is. From 2^53 on a float denotes its neighbours as well, and is none.
fn whole(float: f64) -> Option<i64> {
    (float.fract() == 0.0 && float.abs() < (1u64 << 53) as f64).then_some(float as i64)
}

impl From<i64> for Content {
    fn from(int: i64) -> Self {
        Content::Int(int)
    }
}

impl From<bool> for Content {
    fn from(bool: bool) -> Self {
        Content::Bool(bool)
    }
}

impl From<f64> for Content {
    fn from(float: f64) -> Self {
        Content::Float(float.into())
    }
}

/// The number that the dim is. Of a size with an identity it is the size.
impl From<Dim> for Content {
    fn from(dim: Dim) -> Self {
        match dim {
            Dim::Hole => Content::Hole,
            Dim::Size(size) => Content::number(Expr::Int(size)),
            Dim::Nominal(nominal) => Content::number(Expr::Int(nominal.size)),
            Dim::Name(name) => Content::Name(name),
            Dim::Expr(expr) => match negative(&expr) {
                Some(int) => Content::Int(int),
                None => Content::Expr(expr),
            },
        }
    }
}

/// A text. A name is a [`Dim`].
impl From<&str> for Content {
    fn from(text: &str) -> Self {
        Content::Text(text.into())
    }
}

impl<'a> IntoIterator for &'a Contents {
    type Item = &'a Content;
    type IntoIter = std::slice::Iter<'a, Content>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl Display for Content {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.to_tree(None).fmt(f)
    }
}

/// `[2, n, ?]`.
impl Display for Contents {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.fmt_as(f, None)
    }
}

impl Contents {
    /// Writes the members as elements of a dtype are best written.
    pub(crate) fn fmt_as(&self, f: &mut fmt::Formatter<'_>, dtype: Option<Dtype>) -> fmt::Result {
        f.write_str("[")?;
        for (i, member) in self.iter().enumerate() {
            f.write_str(if i == 0 { "" } else { ", " })?;
            member.to_tree(dtype).fmt(f)?;
        }
        f.write_str("]")
    }
}
