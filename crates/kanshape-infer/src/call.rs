//! [`OperatorCall`]: a call of an operator in a line.

use crate::{Answer, AttrValue, Call, Error, Operator, Prepared, Query};
use kanshape_diag::Diagnostic;
use kanshape_types::Type;

/// A call of an operator while it is written: [`Operator::call`].
#[derive(Clone, Debug)]
#[must_use = "a call does nothing until it is queried"]
pub struct OperatorCall<'o> {
    operator: &'o Operator,
    call: Call,
}

/// What an operand is given as: a type or a reference to one, or either in an `Option`, `None` where it is left out.
///
/// ```
/// use kanshape::{Relations, Type};
///
/// let text = "op Bias (x: T[..r, n], b: T[n]?) -> (y: T[..r, n])";
/// let relations = Relations::load_str("mine.kan", text)?;
/// let bias = relations.operator("Bias", None)?;
/// let x: Type = "f32[2, 3]".parse()?;
/// assert_eq!(bias.call([Some(&x), None]).infer()?.outputs[0], x);
/// assert_eq!(bias.call([x.clone()]).infer()?.outputs[0], x);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Operand {
    /// The type, if it is not left out.
    fn into_operand(self) -> Option<Type>;
}

impl Operand for Type {
    fn into_operand(self) -> Option<Type> {
        Some(self)
    }
}

impl Operand for &Type {
    fn into_operand(self) -> Option<Type> {
        Some(self.clone())
    }
}

impl<T: Operand> Operand for Option<T> {
    fn into_operand(self) -> Option<Type> {
        self.and_then(Operand::into_operand)
    }
}

impl<T: Operand + Clone> Operand for &Option<T> {
    fn into_operand(self) -> Option<Type> {
        self.clone().into_operand()
    }
}

impl Operator {
    /// A call with these inputs: types, or `None` for one that is left out ([`Operand`]).
    ///
    /// ```
    /// use kanshape::{Relations, Type};
    ///
    /// let text = "op Tile [times: int] (a: f32[..r, n]) -> (b: f32[..r, times * n])";
    /// let relations = Relations::load_str("mine.kan", text)?;
    /// let tile = relations.operator("Tile", None)?;
    /// let x: Type = "f32[2, k]".parse()?;
    ///
    /// let answer = tile.call([&x]).attr("times", 3).infer()?;
    /// assert_eq!(answer.output(0).unwrap().to_string(), "f32[2, 3*k]");
    /// // Backwards.
    /// let answer = tile.call([Type::UNKNOWN]).attr("times", 3).outputs(["f32[2, 12]".parse::<Type>()?]).infer()?;
    /// assert_eq!(answer.inputs[0].to_string(), "f32[2, 4]");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn call<I: Operand>(&self, inputs: impl IntoIterator<Item = I>) -> OperatorCall<'_> {
        OperatorCall {
            operator: self,
            call: Call {
                inputs: inputs.into_iter().map(Operand::into_operand).collect(),
                ..Call::default()
            },
        }
    }
}

impl<'o> OperatorCall<'o> {
    pub(crate) fn into_parts(self) -> (&'o Operator, Call) {
        (self.operator, self.call)
    }
}

impl OperatorCall<'_> {
    /// Gives an attribute. [`AttrValue::Hole`] solves for it.
    pub fn attr(mut self, name: &str, value: impl Into<AttrValue>) -> Self {
        self.call.attrs.push((name.into(), value.into()));
        self
    }

    /// Gives attributes, as [`OperatorCall::attr`] gives one.
    pub fn attrs<N: Into<Box<str>>, V: Into<AttrValue>>(
        mut self,
        attrs: impl IntoIterator<Item = (N, V)>,
    ) -> Self {
        let attrs = attrs.into_iter();
        self.call
            .attrs
            .extend(attrs.map(|(name, value)| (name.into(), value.into())));
        self
    }

    /// Gives the outputs: types, or `None` for one that is not there.
    pub fn outputs<I: Operand>(mut self, types: impl IntoIterator<Item = I>) -> Self {
        self.call.outputs = Some(types.into_iter().map(Operand::into_operand).collect());
        self
    }

    /// Says of optional inputs, by their places, that they may be left out as well. Each answer says whether they are
    /// there: [`Answer::absent`].
    ///
    /// ```
    /// use kanshape::{Relations, Type};
    ///
    /// let text = "op Bias (x: T[..r, n], b: T[n]?) -> (y: T[..r, m]) :- (b = none, m = 1 ; b = some(_), m = n)";
    /// let relations = Relations::load_str("mine.kan", text)?;
    /// let bias = relations.operator("Bias", None)?;
    /// let call = bias.call([Some("f32[2, 3]".parse()?), Some(Type::UNKNOWN)]).may_be_absent([1]);
    /// let answers = call.clone().query()?.solve()?;
    /// let answers: Vec<String> = answers.map(|answer| answer.to_string()).collect();
    /// assert_eq!(answers, ["f32[2, 3], - -> f32[2, 1]", "f32[2, 3], f32[3] -> f32[2, 3]"]);
    /// // The output leaves one of them.
    /// let answer = call.outputs(["f32[2, 3]".parse::<Type>()?]).infer()?;
    /// assert_eq!(answer.input(1).unwrap().to_string(), "f32[3]");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn may_be_absent(mut self, inputs: impl IntoIterator<Item = usize>) -> Self {
        self.call.may_be_absent.extend(inputs);
        self
    }

    /// The call as a value.
    pub fn into_call(self) -> Call {
        self.call
    }

    /// The question that it is, to be given more, or answered in more than one way.
    ///
    /// # Errors
    /// As [`Operator::query`].
    pub fn query(self) -> Result<Query, Diagnostic> {
        self.operator.query(self.call)
    }

    /// The call prepared once, for many types of its operands.
    ///
    /// # Errors
    /// As [`Operator::query`].
    pub fn prepare(self) -> Result<Prepared, Diagnostic> {
        self.operator.prepare(self.call)
    }

    /// Its one answer.
    ///
    /// # Errors
    /// See [`Error`].
    pub fn infer(self) -> Result<Answer, Error> {
        self.query()?.one()
    }
}
