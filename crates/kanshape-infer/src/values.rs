//! [`Filter`]: which values are of a type, and which can be made so.

use crate::reify::{can_hold, contradict};
use kanshape_diag::Diagnostic;
use kanshape_syntax::tree::Condition;
use kanshape_types::value::{Fitted, Value};
use kanshape_types::{Promotion, Type};

/// A type as a set of values.
pub trait Filter {
    /// Whether a value is one of this type, as it is.
    ///
    /// The names of the type may denote whatever makes it one, the same wherever they stand, and the
    /// conditions behind `where` have to hold for it.
    ///
    /// ```
    /// use kanshape::{Type, value::{Filter, Value}};
    /// use ndarray::{Array1, Array2};
    ///
    /// let square: Type = "f32[n, n]".parse()?;
    /// assert!(square.contains(&Array2::<f32>::zeros((3, 3)).into()));
    /// assert!(!square.contains(&Array2::<f32>::zeros((2, 3)).into()));
    ///
    /// let even: Type = "f32[2*k] where k >= 1".parse()?;
    /// assert!(even.contains(&Array1::<f32>::zeros(4).into()));
    /// assert!(!even.contains(&Array1::<f32>::zeros(0).into()));
    /// # Ok::<(), kanshape::Diagnostic>(())
    /// ```
    fn contains(&self, value: &Value) -> bool {
        self.filter_value(value, true, None).is_ok()
    }

    /// The value as one of this type.
    ///
    /// If `strict`, it comes out as it went in, or not at all. Otherwise a number, or a list of
    /// numbers, becomes an array, if the array's elements are equal to them; and an array is
    /// converted to a dtype that its own promotes to, after NumPy. With `Some(true)` for
    /// `allow_downcast` both are converted to the dtype of the type whatever that loses. `None`
    /// and `Some(false)` are the same for tensors. A shape is never changed.
    ///
    /// ```
    /// use kanshape::{Type, value::{Filter, Value}};
    ///
    /// let scalar: Type = "f32[]".parse()?;
    /// assert!(scalar.filter_value(&Value::from(3), false, None).is_ok());
    /// assert!(scalar.filter_value(&Value::from(0.1), false, None).is_err());
    /// assert!(scalar.filter_value(&Value::from(0.1), false, Some(true)).is_ok());
    /// assert!(scalar.filter_value(&Value::from(3), true, None).is_err());
    /// # Ok::<(), kanshape::Diagnostic>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Why the value can't be one of this type, or why that is not known.
    fn filter_value(
        &self,
        value: &Value,
        strict: bool,
        allow_downcast: Option<bool>,
    ) -> Result<Value, Diagnostic>;
}

impl Filter for Type {
    fn filter_value(
        &self,
        value: &Value,
        strict: bool,
        allow_downcast: Option<bool>,
    ) -> Result<Value, Diagnostic> {
        let fitted = self.fit_value(value, strict, allow_downcast)?;
        decide(&fitted)?;
        Ok(fitted.value)
    }
}

/// Can what is required of the names hold?
fn decide(fitted: &Fitted) -> Result<(), Diagnostic> {
    let Fitted {
        settled,
        required,
        dtypes,
        ..
    } = fitted;
    if required.is_empty() {
        return Ok(());
    }
    let promotion = Promotion::default();
    let all = [&settled[..], &required[..]].concat();
    let can_hold = can_hold(&all, dtypes.iter(), promotion);
    if can_hold == Some(true) {
        return Ok(());
    }
    let fails_alone = |one: &&Condition| {
        let alone = [&settled[..], std::slice::from_ref(*one)].concat();
        contradict(&alone, dtypes.iter(), promotion)
    };
    let failed = required.iter().find(fails_alone);
    Err(Fitted::refusal(failed, can_hold.is_some()))
}
