//! [`Type::fit_value`]: a value as one of a type, if the conditions on the names of the type can hold.

use std::sync::Arc;

use kanshape_diag::Diagnostic;

use super::fit::Fit;
use super::literal::Literals;
use super::{AnyArray, Value, storage};
use crate::{Constructor, Name, Tensor, Type, TypeKind, error};
use kanshape_syntax::tree::Condition;

impl Type {
    /// The value as one of this type, with the conditions under which it is one: whether these can hold, the engine decides. `strict` and
    /// `allow_downcast` are those of `filter_value` (`kanshape::value::Filter`).
    ///
    /// # Errors
    ///
    /// Why the value can't be one of this type.
    pub fn fit_value(
        &self,
        value: &Value,
        strict: bool,
        allow_downcast: Option<bool>,
    ) -> Result<Fitted, Diagnostic> {
        let mut fit = Fit::default();
        fit.declare(self, value);
        let mut filter = Filter {
            fit,
            strict,
            allow_downcast,
        };
        let value = filter.value(self, value)?;
        filter.fit.finish(value)
    }
}

/// A value, and the conditions under which it is one of a type.
#[derive(Clone, Debug)]
pub struct Fitted {
    /// The value.
    pub value: Value,
    /// What the value makes the names of the type: `n == 3`.
    pub settled: Vec<Condition>,
    /// The conditions of the type, and what its expressions have to be: `2*k == 4`.
    pub required: Vec<Condition>,
    /// The names of dtypes in these.
    pub dtypes: Vec<Name>,
}

impl Fitted {
    /// Why the value is none of the type: a condition does not hold, or no sizes are found for which all of them do.
    pub fn refusal(failed: Option<&Condition>, all_tried: bool) -> Diagnostic {
        match (failed, all_tried) {
            (Some(condition), _) => error::value_condition(condition),
            (None, true) => {
                error::value_refused("no sizes for the names of the type make it contain this")
            }
            (None, false) => {
                error::value_refused("whether the type can contain this was not found out in time")
            }
        }
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
