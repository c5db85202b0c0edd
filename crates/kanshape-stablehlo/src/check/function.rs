//! Calls of functions.

use kanshape::graph::ValueId;
use kanshape::tree::Span;
use kanshape::tree::stablehlo::{Function, MlirType, Param};

use super::Checker;
use super::node::is_return;
use super::scope::Scope;
use crate::code;

impl<'m> Checker<'m> {
    /// What a function gives for these values.
    pub(super) fn enter(&mut self, function: &Function<'m>, inputs: &[ValueId]) -> Vec<ValueId> {
        if function.has_blocks {
            return self.outside(function, inputs, function.span);
        }
        let mut scope = Scope::default();
        scope.enter();
        self.bind_params(&function.params, inputs, &mut scope);
        self.calling.push(function.name.clone());
        let outputs = self.ops(function.ops, &mut scope);
        self.calling.pop();
        self.returned(function, &outputs);
        outputs
    }

    /// What a function is declared to give is a claim about what it returns.
    fn returned(&mut self, function: &Function<'m>, outputs: &[ValueId]) {
        if function.is_declared {
            return;
        }
        let module = self.program.module();
        let last = function.ops.last();
        let last = last.filter(|op| is_return(module.at(op.name).trim_matches('"')));
        let at = last.map_or(function.span, |op| op.name);
        let count = last.map_or(0, |op| module.call(op).operands.len());
        let declared = function.outputs.len();
        if count != declared {
            let name = &function.name;
            let headline = format!("`@{name}` returns {count} values, {declared} are declared");
            self.error(code::COUNT, &headline, at, "");
            return;
        }
        if !self.declared || outputs.len() != count {
            return;
        }
        let claimed = function.outputs.iter();
        let claimed = claimed.map(|ty| module.ty(*ty));
        let claimed: Vec<MlirType> = claimed.collect();
        self.claims(outputs, &claimed, at);
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
        if function.is_declared {
            return Some(self.outside(&function, inputs, at));
        }
        if self.declared {
            let params = function.params.iter();
            let taken: Option<Vec<MlirType>> =
                params.map(|p| self.program.module().declared(p)).collect();
            self.claims(inputs, &taken.unwrap_or_default(), at);
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

    /// What a function without a body gives, or one that goes on in other blocks: nobody says what it does, so its results are what they are declared as. What it is declared
    /// to take is a claim.
    fn outside(&mut self, function: &Function<'m>, inputs: &[ValueId], at: Span) -> Vec<ValueId> {
        self.acts = true;
        let module = self.program.module();
        let declared = function.outputs.iter();
        let declared = declared.map(|ty| module.ty(*ty));
        let declared: Vec<MlirType> = declared.collect();
        let name = format!("@{}", function.name);
        let (node, outputs) = self.untyped(&name, &declared, inputs, at);
        for (param, value) in function.params.iter().zip(inputs) {
            if let Some(taken) = module.declared(param) {
                self.claim(node, *value, &taken, at);
            }
        }
        outputs
    }
}
