//! Operations with bodies: loops, choices, and what combines elements.

use kanshape::graph::{NodeId, ValueId};
use kanshape::tree::Span;
use kanshape::tree::stablehlo::{Applied, Body, Call};
use kanshape::{AttrValue, Dim, Dtype, DtypeTerm, Operator, Shape, Tensor, Type};

use super::Checker;
use super::scope::Scope;
use crate::code;
use crate::ty;

impl<'m> Checker<'m> {
    /// What a body gives for these values.
    fn body(
        &mut self,
        name: &str,
        body: &Body<'m>,
        inputs: &[ValueId],
        scope: &mut Scope<'m>,
    ) -> Vec<ValueId> {
        let Applied::Ops(ops) = body.runs else {
            return Vec::new();
        };
        self.record_enter(name);
        scope.enter();
        self.bind_params(&body.params, inputs, scope);
        let outputs = self.ops(ops, scope);
        scope.leave();
        self.record_leave();
        outputs
    }

    /// A loop: its values have the types of what it begins with, before and behind each iteration.
    pub(super) fn repeated(
        &mut self,
        call: &Call<'m>,
        inputs: &[ValueId],
        at: Span,
        scope: &mut Scope<'m>,
    ) -> Vec<ValueId> {
        let bare = self.handed_on(inputs);
        if let Some(operator) = self.operator("stablehlo.while") {
            self.record_call(&operator, call.name, &[], inputs, &bare);
        }
        let (node, _) = self.graph.add_typed(inputs, &[]);
        self.origins.insert(node, at);
        let [cond, body] = &call.bodies[..] else {
            self.error(code::BODY, "a loop has two bodies", at, "here");
            return bare;
        };
        for own in [cond, body] {
            self.takes(own, &bare, at);
        }
        let goes_on = self.body("cond", cond, &bare, scope);
        self.is_truth(node, &goes_on, at);
        let next = self.body("do", body, &bare, scope);
        self.are_same(node, &next, &bare, at);
        if self.declared {
            self.claims(&bare, &call.outputs, at);
        }
        bare
    }

    /// A choice between bodies: all of them give the same types.
    pub(super) fn chosen(
        &mut self,
        call: &Call<'m>,
        inputs: &[ValueId],
        at: Span,
        scope: &mut Scope<'m>,
    ) -> Vec<ValueId> {
        let (node, _) = self.graph.add_typed(inputs, &[]);
        self.origins.insert(node, at);
        match call.name {
            "stablehlo.if" => self.is_truth(node, inputs, at),
            _ => self.is_index(node, inputs, at),
        }
        if call.bodies.is_empty() {
            self.error(code::BODY, "a choice has a body for each case", at, "here");
        }
        let mut outputs: Option<Vec<ValueId>> = None;
        for body in &call.bodies {
            self.takes(body, &[], at);
            let given = self.body("branch", body, &[], scope);
            match &outputs {
                None => {
                    let own = self.handed_on(&given);
                    let taken: Vec<ValueId> = inputs.iter().chain(&given).copied().collect();
                    self.record_own("chosen", &taken, &own);
                    outputs = Some(own);
                }
                Some(first) => {
                    let first = first.clone();
                    self.are_same(node, &given, &first, at);
                }
            }
        }
        let outputs = outputs.unwrap_or_default();
        if self.declared {
            self.claims(&outputs, &call.outputs, at);
        }
        outputs
    }

    /// A body takes these values. The types that are declared for its parameters are claims.
    fn takes(&mut self, body: &Body<'m>, values: &[ValueId], at: Span) {
        if body.params.len() != values.len() {
            let (takes, given) = (body.params.len(), values.len());
            let headline = format!("a body takes {takes} values, {given} are given");
            self.error(code::BODY, &headline, at, "here");
            return;
        }
        if !self.declared {
            return;
        }
        let module = self.program.module();
        for (param, value) in body.params.iter().zip(values) {
            if let Some(declared) = module.declared(param) {
                self.claims(&[*value], &[declared], param.span);
            }
        }
    }

    /// What a loop or a choice gives where it has these: the same values, with nothing known of what is in them. In a model they are
    /// values of their own.
    fn handed_on(&mut self, values: &[ValueId]) -> Vec<ValueId> {
        let mut own = Vec::with_capacity(values.len());
        for value in values {
            let bare = self.graph.without_contents(*value);
            let is_other = self.recorded.is_some() && bare == *value;
            let handed = match is_other {
                true => self.alike(bare),
                false => bare,
            };
            self.is_quantized_as(handed, *value);
            own.push(handed);
        }
        own
    }

    /// Another value of the same type.
    fn alike(&mut self, value: ValueId) -> ValueId {
        if let Some(alike) = self.graph.alike(value).filter(|alike| *alike != value) {
            return alike;
        }
        let alike = self.graph.unknown();
        // Nothing is known of it: it can be whatever the other one is.
        let _ = self.graph.equate(alike, value);
        alike
    }

    /// One value that is true or false.
    fn is_truth(&mut self, node: NodeId, values: &[ValueId], at: Span) {
        self.is_scalar(node, values, Dtype::Bool, at);
    }

    /// One number that says which body is run.
    fn is_index(&mut self, node: NodeId, values: &[ValueId], at: Span) {
        self.is_scalar(node, values, Dtype::I32, at);
    }

    fn is_scalar(&mut self, node: NodeId, values: &[ValueId], dtype: Dtype, at: Span) {
        let scalar = Type::tensor(dtype, [] as [Dim; 0]);
        let [one] = values else {
            let headline = format!("one value of `{scalar}` is needed");
            return self.error(code::BODY, &headline, at, "here");
        };
        self.record_claim(*one, &scalar);
        if let Err(refused) = self.graph.require(node, *one, &scalar) {
            let label = format!("needs `{scalar}`");
            self.push(refused.diagnostic.with_label(at.into(), label));
        }
    }

    /// Values side by side have the same types.
    fn are_same(&mut self, node: NodeId, own: &[ValueId], wanted: &[ValueId], at: Span) {
        if own.len() != wanted.len() {
            let (wanted, given) = (wanted.len(), own.len());
            let headline = format!("a body gives {given} values where {wanted} are needed");
            self.error(code::BODY, &headline, at, "here");
            return;
        }
        let both: Vec<ValueId> = own.iter().chain(wanted).copied().collect();
        self.record_own("returned", &both, &[]);
        for (own, wanted) in own.iter().zip(wanted) {
            self.have_same_elements(*own, *wanted, at);
            let own = self.graph.without_contents(*own);
            if self.graph.is_known_same(own, *wanted) {
                continue;
            }
            if let Err(refused) = self.graph.require_same(node, own, *wanted) {
                self.push(refused.diagnostic.with_label(at.into(), "here"));
            }
        }
    }

    /// The types of the bodies, as attributes of the operator: each is the next one that is a type and is not given, the rest are in a
    /// list.
    pub(super) fn bodies(
        &mut self,
        operator: &Operator,
        call: &Call<'m>,
        inputs: &[ValueId],
        attrs: &mut Vec<(Box<str>, AttrValue)>,
        at: Span,
        scope: &mut Scope<'m>,
    ) {
        let mut types = Vec::with_capacity(call.bodies.len());
        for body in &call.bodies {
            types.push(self.function_type(body, inputs, at, scope));
        }
        let mut types = types.into_iter();
        for formal in operator.attributes() {
            if attrs.iter().any(|(name, _)| **name == *formal.name) {
                continue;
            }
            let value = match (formal.is_type(), formal.is_list_of_types()) {
                (true, _) => types.next().map(AttrValue::from),
                (_, true) => Some(types.by_ref().collect()),
                _ => None,
            };
            attrs.extend(value.map(|value| (formal.name.into(), value)));
        }
    }

    /// The type of a value that a body gives, as far as it is known when the body ends: it is not read again later.
    fn returned_type(&mut self, value: ValueId) -> Type {
        if let Some(known) = self.graph.known(value) {
            return ty::without_contents(&known);
        }
        let (Some(dtype), Some(rank)) = (self.graph.dtype(value), self.graph.rank(value)) else {
            self.is_open = true;
            return Type::UNKNOWN;
        };
        let dims = (0..rank).map(|axis| self.graph.dim(value, axis).map_or(Dim::Hole, Dim::Size));
        let dims: Vec<Dim> = dims.collect();
        self.is_open |= dims.contains(&Dim::Hole);
        Tensor::new(DtypeTerm::from(dtype), Shape::known(dims)).into()
    }

    /// The type of a body whose parameters are declared.
    fn function_type(
        &mut self,
        body: &Body<'m>,
        inputs: &[ValueId],
        at: Span,
        scope: &mut Scope<'m>,
    ) -> Type {
        if let Applied::Operation(name) = body.runs {
            if !combines(name) {
                let headline =
                    format!("`{name}` is not an operation that combines two elements in any order");
                self.error(code::BODY, &headline, at, "here");
            }
            let dtype = inputs.first().and_then(|value| self.graph.dtype(*value));
            let dtype = dtype.map_or(DtypeTerm::Hole, DtypeTerm::from);
            let scalar = Type::from(Tensor::new(dtype, Shape::known([] as [Dim; 0])));
            return Type::function([scalar.clone(), scalar.clone()], scalar);
        }
        let mut values = Vec::with_capacity(body.params.len());
        let mut params = Vec::with_capacity(body.params.len());
        for param in &body.params {
            let declared = self.program.module().declared(param);
            let ty = declared.as_ref().and_then(|declared| self.says(declared));
            let ty = ty.unwrap_or(Type::UNKNOWN);
            let value = self.graph.value(&ty);
            let value = value.unwrap_or_else(|_| self.graph.unknown());
            self.record_value(value, &ty);
            if let Some(declared) = &declared {
                self.is_quantized(value, declared, param.span);
            }
            values.push(value);
            params.push(ty);
        }
        let results = self.body("body", body, &values, scope);
        let mut results: Vec<Type> = results
            .iter()
            .map(|value| self.returned_type(*value))
            .collect();
        let result = match results.len() {
            1 => results.remove(0),
            _ => Type::tuple(results),
        };
        Type::function(params, result)
    }
}

/// Whether an operation may stand behind `applies`.
fn combines(name: &str) -> bool {
    matches!(
        name,
        "stablehlo.add"
            | "stablehlo.multiply"
            | "stablehlo.maximum"
            | "stablehlo.minimum"
            | "stablehlo.and"
            | "stablehlo.or"
            | "stablehlo.xor"
    )
}
