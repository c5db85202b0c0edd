//! Calls: an operator with its attributes, prepared once and used by many nodes.

use crate::solve::calculate::GivenCall;
use crate::solve::subject::Subject;
use crate::{Answer, AttrValue, Call, Operator, Query};
use kanshape_diag::Diagnostic;
use kanshape_engine::Forms;
use kanshape_rules::eval::{self, BySchemes};
use kanshape_types::{Promotion, Type};
use std::sync::Arc;

/// A call as it is written.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct CallKey {
    /// The number of the operator's rule.
    pub rule: usize,
    /// Shared by all that knows the call: they may be long.
    pub attrs: Arc<Vec<(Box<str>, AttrValue)>>,
    /// Which inputs are there.
    pub inputs: Box<[bool]>,
    /// Which outputs are there.
    pub outputs: Box<[bool]>,
}

impl CallKey {
    /// Are there names in its attributes?
    pub(super) fn has_names(&self) -> bool {
        let mut has = false;
        for (_, value) in self.attrs.iter() {
            value.for_each_name(&mut |_| has = true);
        }
        has
    }
}

/// A call that has been prepared: what a query about it is about, and which of the outputs that it has are those of the node.
#[derive(Debug)]
pub(super) struct PreparedCall {
    pub operator: Operator,
    pub subject: Arc<Subject>,
    pub written: CallKey,
    pub outputs: Box<[bool]>,
    promotion: Promotion,
}

impl PreparedCall {
    pub(super) fn new(
        operator: &Operator,
        written: CallKey,
        promotion: Promotion,
    ) -> Result<PreparedCall, Diagnostic> {
        operator.check_attributes(&written.attrs)?;
        let rule = operator.parts();
        let placed = rule.place(&written.inputs, &[], Some(&written.outputs))?;
        let counts = [placed.inputs.len(), placed.outputs.len()];
        let attrs = Arc::clone(&written.attrs);
        Ok(PreparedCall {
            operator: operator.clone(),
            subject: Arc::new(Subject::operator(operator, placed.args, counts, attrs)),
            written,
            outputs: placed.outputs.iter().map(Option::is_some).collect(),
            promotion,
        })
    }

    /// What it comes to on these inputs, as far as that can be calculated.
    pub(super) fn on_values(
        &self,
        inputs: &[&eval::Value],
        forms: &mut Forms,
    ) -> Result<eval::CallResult, eval::Stop> {
        let attrs = self.subject.loaded();
        let attrs = attrs.filter(|_| inputs.len() == self.subject.inputs);
        let attrs = attrs.ok_or(eval::Stop::Leave)?;
        let call = self.subject.call(attrs, self.promotion);
        call.on_values(inputs, &self.outputs, forms)
    }

    /// The same of inputs that are tensors of known sizes, by what has been found for all of their ranks and dtypes: the types of the outputs,
    /// or none if it cannot be.
    pub(super) fn by_scheme(&self, inputs: &[&Type]) -> Option<Option<Vec<Type>>> {
        let mut answer = Answer::default();
        let given = GivenCall {
            subject: &self.subject,
            inputs,
            outputs: &[],
            attrs: &self.subject.attrs,
            params: &[],
            promotion: self.promotion,
        };
        let has_all = inputs.len() == self.subject.inputs && self.promotion == Promotion::default();
        match has_all.then(|| given.outputs_by_scheme(&mut answer))? {
            BySchemes::Written => {
                let outputs = answer.outputs.into_iter().zip(&self.outputs);
                let outputs = outputs.filter(|(_, is)| **is).map(|(ty, _)| ty);
                Some(Some(outputs.collect()))
            }
            BySchemes::Never => Some(None),
            BySchemes::Open | BySchemes::Missing => None,
        }
    }

    /// Where each output of the node stands in an answer. Those that are left out are not among them.
    pub(super) fn output_places(&self) -> impl Iterator<Item = usize> {
        let outputs = self.outputs.iter().enumerate();
        outputs.filter(|(_, is)| **is).map(|(place, _)| place)
    }

    /// The question what follows from these types of the inputs that are there.
    pub(super) fn query(&self, types: Vec<Type>) -> Result<Query, Diagnostic> {
        let CallKey {
            attrs,
            inputs,
            outputs,
            ..
        } = &self.written;
        let mut types = types.into_iter();
        let inputs = inputs.iter();
        let inputs = inputs.map(|is| is.then(|| types.next().unwrap_or_default()));
        let outputs = outputs.iter().map(|is| is.then_some(Type::UNKNOWN));
        self.operator.query(Call {
            inputs: inputs.collect(),
            outputs: Some(outputs.collect()),
            attrs: attrs.to_vec(),
            ..Call::default()
        })
    }
}
