//! Calls of functions.

use kanshape::graph::ValueId;
use kanshape::tree::Span;
use kanshape::tree::stablehlo::{Function, Param};

use super::Checker;
use super::scope::Scope;
use crate::code;

impl<'m> Checker<'m> {
    /// What a function gives for these values.
    pub(super) fn enter(&mut self, function: &Function<'m>, inputs: &[ValueId]) -> Vec<ValueId> {
        let mut scope = Scope::default();
        scope.enter();
        self.bind_params(&function.params, inputs, &mut scope);
        self.calling.push(function.name.clone());
        let outputs = self.ops(function.ops, &mut scope);
        self.calling.pop();
        outputs
    }

    /// From now on the parameters denote these values.
    pub(super) fn bind_params(
        &mut self,
        params: &[Param<'m>],
        values: &[ValueId],
        scope: &mut Scope<'m>,
    ) {
        for (param, value) in params.iter().zip(values) {
            self.is_defined(param.span, &[*value]);
            self.record_name(param.name, &[*value]);
            scope.bind(param.name, vec![*value]);
        }
    }

    /// What the function of this name gives for these values; none if that is not known.
    pub(super) fn called(
        &mut self,
        name: &str,
        inputs: &[ValueId],
        at: Span,
    ) -> Option<Vec<ValueId>> {
        let Some(function) = self.functions.get(name).cloned() else {
            let headline = format!("the module has no function `@{name}`");
            self.error(code::NO_FUNCTION, &headline, at, "called here");
            return None;
        };
        if self.calling.iter().any(|own| **own == *name) {
            self.is_open = true;
            let headline = format!("`@{name}` is called within itself");
            self.error(code::RECURSION, &headline, at, "called here");
            return None;
        }
        if function.params.len() != inputs.len() {
            let (takes, given) = (function.params.len(), inputs.len());
            let headline = format!("`@{name}` takes {takes} values, {given} are given");
            self.error(code::COUNT, &headline, at, "called here");
            return None;
        }
        // What is calculated from the same values is the same.
        let key = (function.name.clone(), inputs.to_vec());
        if let Some(outputs) = self.called.get(&key) {
            return Some(outputs.clone());
        }
        let acted = std::mem::take(&mut self.acts);
        self.record_enter(name);
        let outputs = self.enter(&function, inputs);
        self.record_leave();
        if !self.acts {
            self.called.insert(key, outputs.clone());
        }
        self.acts |= acted;
        Some(outputs)
    }
}
