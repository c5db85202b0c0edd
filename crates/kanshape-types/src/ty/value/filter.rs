//! [`Type::contains`] and [`Type::filter_value`]: which values are of a type, and which can be
//! made so.

use std::sync::Arc;

use kanshape_diag::Diagnostic;

use super::fit::Fit;
use super::literal::Literals;
use super::{AnyArray, Value, storage};
use crate::{Constructor, Tensor, Type, TypeKind, error};

impl Type {
    /// Whether a value is one of this type, as it is.
    ///
    /// The names of the type may be whatever makes it so, but each is one thing only, and what is
    /// said of them behind `where` has to hold as far as the value settles it.
    ///
    /// ```
    /// use kanshape::{Type, value::Value};
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
    pub fn contains(&self, value: &Value) -> bool {
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
    /// use kanshape::{Type, value::Value};
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
    pub fn filter_value(
        &self,
        value: &Value,
        strict: bool,
        allow_downcast: Option<bool>,
    ) -> Result<Value, Diagnostic> {
        let mut fit = Fit::default();
        fit.declare(self, value);
        let mut filter = Filter {
            fit,
            strict,
            allow_downcast,
        };
        let value = filter.value(self, value)?;
        filter.fit.finish()?;
        Ok(value)
    }
}

struct Filter<'t> {
    fit: Fit<'t>,
    strict: bool,
    allow_downcast: Option<bool>,
}

impl<'t> Filter<'t> {
    fn value(&mut self, ty: &'t Type, value: &Value) -> Result<Value, Diagnostic> {
        match &ty.kind {
            TypeKind::Unknown => Ok(value.clone()),
            TypeKind::Tensor(tensor) => self.array(tensor, value).map(Value::Array),
            TypeKind::Tuple(fields) => self.tuple(fields, value),
            TypeKind::User(constructor, args) => self.user(constructor, args, value),
            TypeKind::Var(name) => {
                self.fit.bind_type(name, Type::of(value))?;
                Ok(value.clone())
            }
            TypeKind::Fn(_) => Err(error::value_refused("a function is no value here")),
            TypeKind::Adt(name, _) => Err(error::value_refused(format!(
                "what the values of `{name}` are is not known"
            ))),
        }
    }

    fn array(&mut self, tensor: &'t Tensor, value: &Value) -> Result<AnyArray, Diagnostic> {
        let dtypes = self.fit.dtypes(&tensor.dtype);
        let array = match value {
            Value::Array(array) => {
                let dtype = storage(array.dtype(), dtypes, self.strict, self.allow_downcast)?;
                array.cast(dtype).ok_or_else(|| {
                    error::value_refused(format!("{} can't become {dtype}", array.dtype()))
                })?
            }
            Value::User(_) => return Err(error::value_refused("this is no array")),
            _ if self.strict => {
                return Err(error::value_refused("this is no array")
                    .with_help("without `strict` it may become one"));
            }
            literal => {
                Literals::of(literal)?.into_array(dtypes, self.allow_downcast == Some(true))?
            }
        };
        self.fit.tensor(tensor, array.dtype(), array.shape())?;
        self.fit.contents(tensor, &array)?;
        Ok(array)
    }

    fn tuple(&mut self, fields: &'t [Type], value: &Value) -> Result<Value, Diagnostic> {
        let Value::Tuple(values) = value else {
            return Err(error::value_refused("this is no tuple"));
        };
        if values.len() != fields.len() {
            let (given, expected) = (values.len(), fields.len());
            let why = format!("the tuple has {given} fields, not {expected}");
            return Err(error::value_refused(why));
        }
        let filtered = fields
            .iter()
            .zip(values.iter())
            .map(|(field, value)| self.value(field, value))
            .collect::<Result<Arc<[_]>, _>>()?;
        Ok(Value::Tuple(filtered))
    }

    fn user(
        &mut self,
        constructor: &Constructor,
        args: &'t [Type],
        value: &Value,
    ) -> Result<Value, Diagnostic> {
        let behaviour = constructor.behaviour();
        let value = if self.strict && behaviour.contains(args, value) {
            value.clone()
        } else {
            let filtered = behaviour.filter_value(args, value, self.strict, self.allow_downcast)?;
            if self.strict {
                let why = format!("this is none of the values of `{constructor}`");
                return Err(error::value_refused(why));
            }
            filtered
        };
        for (arg, known) in args.iter().zip(behaviour.args_of(&value)) {
            self.fit.below(arg, &known)?;
        }
        Ok(value)
    }
}
