//! Calls: an operator with its attributes, prepared once and used by many nodes.

use crate::program::CallArg;
use crate::relation::ground;
use crate::{AttrValue, Call, Operator, Places, Query};
use kanshape_diag::Diagnostic;
use kanshape_types::{Promotion, Type};
use std::sync::Arc;

/// An operator with its attributes, and which of its operands are there.
#[derive(Debug)]
pub(super) struct Prepared {
    pub operator: Operator,
    pub attrs: Vec<(Box<str>, AttrValue)>,
    /// Which inputs are there.
    pub inputs: Box<[bool]>,
    /// Which outputs are there.
    pub outputs: Box<[bool]>,
    /// Where the operands stand in an answer.
    pub places: Places,
    /// What the rule is called with.
    pub args: Arc<[CallArg]>,
    /// The number of operands that come before the outputs.
    pub input_count: usize,
    /// The short way, where all inputs are known.
    pub ground: Option<ground::Prepared>,
}

impl Prepared {
    pub(super) fn new(
        operator: &Operator,
        attrs: Vec<(Box<str>, AttrValue)>,
        inputs: &[bool],
        outputs: &[bool],
        promotion: Promotion,
    ) -> Result<Prepared, Diagnostic> {
        let mut prepared = Prepared {
            operator: operator.clone(),
            attrs,
            inputs: inputs.into(),
            outputs: outputs.into(),
            places: Places::default(),
            args: Arc::default(),
            input_count: inputs.iter().filter(|is| **is).count(),
            ground: None,
        };
        let unknown = vec![Type::UNKNOWN; prepared.input_count];
        let call = prepared.call(unknown, &[]);
        prepared.places = operator.places(&call);
        prepared.ground =
            ground::Prepared::new(operator, &prepared.attrs, inputs, outputs, promotion)?;
        let query = operator.query(call)?;
        let calls = query.signature().program().calls.as_ref();
        if let Some((_, args)) = calls.and_then(|c| c.calls.first()) {
            prepared.args = args.iter().cloned().collect();
        }
        Ok(prepared)
    }

    /// The call with these types of the inputs that are there, and these functions as attributes.
    fn call(&self, types: Vec<Type>, bodies: &[(Box<str>, Type)]) -> Call {
        let mut types = types.into_iter();
        let inputs = self.inputs.iter();
        let inputs = inputs.map(|is| is.then(|| types.next().unwrap_or_default()));
        let outputs = self.outputs.iter().map(|is| is.then_some(Type::UNKNOWN));
        let bodies = bodies
            .iter()
            .map(|(name, ty)| (name.clone(), AttrValue::Type(ty.clone())));
        Call {
            inputs: inputs.collect(),
            outputs: Some(outputs.collect()),
            attrs: self.attrs.iter().cloned().chain(bodies).collect(),
        }
    }

    /// The question what follows from these types.
    pub(super) fn query(
        &self,
        types: Vec<Type>,
        bodies: &[(Box<str>, Type)],
    ) -> Result<Query, Diagnostic> {
        self.operator.query(self.call(types, bodies))
    }
}
