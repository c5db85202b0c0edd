//! [`TypedLanguage`]: what the e-nodes of a language are. [`Term`]: what one of them is.

use std::borrow::Borrow;

use egg::{Id, Language};
use kanshape::AttrValue;
use smallvec::SmallVec;

/// A language whose e-nodes have types.
///
/// ```
/// use egg::{Id, Symbol, define_language};
/// use kanshape_egg::{Term, TypedLanguage};
///
/// define_language! {
///     enum Lang {
///         "matmul" = MatMul([Id; 2]),
///         "transpose" = Transpose([Id; 2]), // (transpose (list 1 0) x)
///         "list" = List(Box<[Id]>),
///         Num(i64),
///         Sym(Symbol),
///     }
/// }
///
/// impl TypedLanguage for Lang {
///     fn term(&self) -> Term<'_> {
///         match self {
///             Lang::MatMul([a, b]) => Term::op("onnx::MatMul", [a, b]),
///             Lang::Transpose([perm, x]) => Term::op("onnx::Transpose", [x]).attr("perm", perm),
///             Lang::List(all) => Term::List(all),
///             Lang::Num(n) => Term::constant(*n),
///             Lang::Sym(name) => Term::Leaf(name.as_str()),
///         }
///     }
/// }
/// ```
pub trait TypedLanguage: Language {
    /// What an e-node is. Its children are operands, or constants that its attributes are.
    fn term(&self) -> Term<'_>;
}

/// What an e-node is.
#[derive(Clone, Debug)]
pub enum Term<'a> {
    /// A call of an operator.
    Call(Box<OpCall<'a>>),
    /// An input, by its name: [`TypeAnalysis::leaf`](crate::TypeAnalysis::leaf) has its type.
    Leaf(&'a str),
    /// A constant: an attribute, or an operand of which the contents are known.
    Constant(AttrValue),
    /// The list of these constants.
    List(&'a [Id]),
    /// Something of which nothing is known.
    Opaque,
}

/// A call of an operator.
#[derive(Clone, Debug)]
pub struct OpCall<'a> {
    pub(crate) operator: &'a str,
    pub(crate) inputs: SmallVec<[Option<Id>; 4]>,
    pub(crate) attrs: Vec<(&'a str, AttrForm)>,
    /// Which of its outputs it is, of how many; by default the first of those that every call has.
    pub(crate) output: Option<(usize, usize)>,
}

/// What an attribute is.
#[derive(Clone, Debug)]
pub(crate) enum AttrForm {
    Child(Id),
    Value(AttrValue),
}

impl<'a> Term<'a> {
    /// A call of an operator of the analysis' relations, `onnx::MatMul`, on these operands.
    pub fn op<I>(operator: &'a str, inputs: I) -> Term<'a>
    where
        I: IntoIterator,
        I::Item: Borrow<Id>,
    {
        let inputs = inputs.into_iter().map(|id| Some(*id.borrow()));
        Term::op_with(operator, inputs)
    }

    /// The same, where some of the operands are left out.
    pub fn op_with(operator: &'a str, inputs: impl IntoIterator<Item = Option<Id>>) -> Term<'a> {
        Term::Call(Box::new(OpCall {
            operator,
            inputs: inputs.into_iter().collect(),
            attrs: Vec::new(),
            output: None,
        }))
    }

    /// A constant.
    pub fn constant(value: impl Into<AttrValue>) -> Term<'a> {
        Term::Constant(value.into())
    }

    /// The same call with an attribute that is the constant of this child. Of anything but a call it says nothing.
    #[must_use]
    pub fn attr(self, name: &'a str, child: impl Borrow<Id>) -> Term<'a> {
        self.with(name, AttrForm::Child(*child.borrow()))
    }

    /// The same call with an attribute that is part of the e-node.
    #[must_use]
    pub fn attr_value(self, name: &'a str, value: impl Into<AttrValue>) -> Term<'a> {
        self.with(name, AttrForm::Value(value.into()))
    }

    /// Of a call that has `of` outputs, the output of this place.
    #[must_use]
    pub fn output(mut self, place: usize, of: usize) -> Term<'a> {
        if let Term::Call(call) = &mut self {
            call.output = Some((place, of));
        }
        self
    }

    fn with(mut self, name: &'a str, attr: AttrForm) -> Term<'a> {
        if let Term::Call(call) = &mut self {
            call.attrs.push((name, attr));
        }
        self
    }
}
