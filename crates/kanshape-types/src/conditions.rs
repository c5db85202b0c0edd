//! [`Conditions`]: the conditions on the names of a type, written behind `where`.

use std::sync::Arc;

use kanshape_syntax::tree::Condition;

/// The conditions of a type, in the order they are written; mostly none.
///
/// They are behind a second pointer, for a [`Type`](crate::Type) is moved about far more often than
/// its conditions are read.
///
/// ```
/// use kanshape::{Conditions, Type};
///
/// let ty: Type = "f32[n] where n >= 3, n % 2 == 0".parse()?;
/// let texts: Vec<String> = ty.conditions.iter().map(|one| one.to_string()).collect();
/// assert_eq!(texts, ["n >= 3", "n % 2 == 0"]);
/// assert_eq!(ty.conditions, "n >= 3, n % 2 == 0".parse::<Conditions>()?);
/// # Ok::<(), kanshape::Diagnostic>(())
/// ```
#[derive(Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Conditions(Option<Arc<Box<[Condition]>>>);

impl Conditions {
    /// No conditions.
    pub const NONE: Conditions = Conditions(None);

    /// The conditions from first to last.
    pub fn as_slice(&self) -> &[Condition] {
        self.0.as_ref().map_or(&[], |conditions| conditions)
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.as_slice().len()
    }

    /// From first to last.
    pub fn iter(&self) -> std::slice::Iter<'_, Condition> {
        self.as_slice().iter()
    }
}

impl FromIterator<Condition> for Conditions {
    fn from_iter<I: IntoIterator<Item = Condition>>(conditions: I) -> Self {
        let mut conditions = conditions.into_iter().peekable();
        // No conditions have one form, so that equality is that of the contents.
        match conditions.peek() {
            None => Conditions::NONE,
            Some(_) => Conditions(Some(Arc::new(conditions.collect()))),
        }
    }
}

impl<'a> IntoIterator for &'a Conditions {
    type Item = &'a Condition;
    type IntoIter = std::slice::Iter<'a, Condition>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}
