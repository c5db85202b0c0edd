//! Calls: an operator with its attributes, prepared once and used by many nodes.

use crate::{AttrValue, Call, Operator, Places, Query};
use kanshape_diag::Diagnostic;
use kanshape_rules::eval;
use kanshape_rules::rules::CallArg;
use kanshape_types::{Promotion, Type};
use std::sync::{Arc, OnceLock};

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

/// A call that has been prepared.
#[derive(Debug)]
pub(super) struct Prepared {
    pub operator: Operator,
    pub written: CallKey,
    /// The number of operands that come before the outputs.
    pub input_count: usize,
    /// The short way, where all inputs are known.
    pub ground: Option<eval::Prepared>,
    layout: OnceLock<Layout>,
}

/// What the engine has to know of a call.
#[derive(Debug, Default)]
pub(super) struct Layout {
    /// Where the operands stand in an answer.
    pub places: Places,
    /// What the rule is called with.
    pub args: Arc<[CallArg]>,
}

impl Prepared {
    pub(super) fn new(
        operator: &Operator,
        written: CallKey,
        promotion: Promotion,
    ) -> Result<Prepared, Diagnostic> {
        let CallKey {
            attrs,
            inputs,
            outputs,
            ..
        } = &written;
        operator.check_attributes(attrs)?;
        let rule = operator.parts();
        let placed = rule.place(inputs, &[], Some(outputs))?;
        Ok(Prepared {
            ground: eval::Prepared::new(operator.library(), rule, attrs, placed, promotion),
            operator: operator.clone(),
            input_count: inputs.iter().filter(|is| **is).count(),
            written,
            layout: OnceLock::new(),
        })
    }

    /// What the engine has to know, found out when it is first queried: mostly it is not.
    pub(super) fn layout(&self) -> &Layout {
        self.layout.get_or_init(|| {
            let unknown = vec![Type::UNKNOWN; self.input_count];
            let call = self.call(unknown, &[]);
            let places = self.operator.places(&call);
            // That the operator can be called like this is known.
            let query = self.operator.query(call).ok();
            let args = query.map(|query| query.subject.args.iter().cloned().collect());
            Layout {
                places,
                args: args.unwrap_or_default(),
            }
        })
    }

    /// Where each output of the node stands in an answer. Those that are left out are not among them.
    pub(super) fn output_places(&self) -> impl Iterator<Item = Option<usize>> {
        let places = self.layout().places.outputs.iter();
        let there = places.zip(&self.written.outputs).filter(|(_, is)| **is);
        there.map(|(place, _)| *place)
    }

    /// The call with these types of the inputs that are there, and these functions as attributes.
    fn call(&self, types: Vec<Type>, bodies: &[(Box<str>, Type)]) -> Call {
        let mut types = types.into_iter();
        let inputs = self.written.inputs.iter();
        let inputs = inputs.map(|is| is.then(|| types.next().unwrap_or_default()));
        let outputs = self
            .written
            .outputs
            .iter()
            .map(|is| is.then_some(Type::UNKNOWN));
        let bodies = bodies
            .iter()
            .map(|(name, ty)| (name.clone(), AttrValue::Type(ty.clone())));
        Call {
            inputs: inputs.collect(),
            outputs: Some(outputs.collect()),
            attrs: self.written.attrs.iter().cloned().chain(bodies).collect(),
            ..Call::default()
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
