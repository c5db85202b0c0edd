//! Single operations.

use kanshape::graph::{Believed, NodeId, ValueId};
use kanshape::tree::Span;
use kanshape::tree::stablehlo::{Attribute, Call, MlirType, Op};
use kanshape::{
    AttrValue, Content, Contents, Diagnostic, Dim, Dtype, DtypeSet, DtypeTerm, Operator, Shape,
    Tensor, Type,
};

use super::scope::Scope;
use super::{Checker, Comparison, quantized};
use crate::attr;
use crate::code;
use crate::ty;

impl<'m> Checker<'m> {
    /// Puts in an operation. What is returned is given back where it is a return.
    pub(super) fn op(&mut self, op: &'m Op, scope: &mut Scope<'m>) -> Option<Vec<ValueId>> {
        let call = self.program.module().call(op);
        self.acts |= acts(&call);
        let mut inputs = Vec::with_capacity(call.operands.len());
        for operand in &call.operands {
            inputs.push(match scope.get(operand.name, operand.index) {
                Some(value) => value,
                None => {
                    let headline = format!("nothing defines `{}`", operand.name);
                    self.error(code::NO_VALUE, &headline, operand.span, "");
                    self.graph.unknown()
                }
            });
        }
        if is_return(call.name) {
            return Some(inputs);
        }
        let mut outputs = self.outputs(op, &call, &inputs, scope);
        let count = self.program.module().result_count(op);
        if outputs.len() < count {
            if !outputs.is_empty() && self.left > 0 {
                let headline = format!("`{}` gives {} results", call.name, outputs.len());
                self.error(code::COUNT, &headline, op.name, "here");
            }
            let missing = (outputs.len()..count).map(|i| call.outputs.get(i));
            let missing: Vec<Option<&MlirType>> = missing.collect();
            for declared in missing {
                outputs.push(self.declared_value(declared, op.name));
            }
        }
        let mut rest = outputs.into_iter();
        for result in &op.results {
            let count = result.count.map_or(1, |count| {
                self.program.module().at(count).parse().unwrap_or(1)
            });
            let own: Vec<ValueId> = rest.by_ref().take(count).collect();
            self.is_defined(result.name, &own);
            let name = self.program.module().at(result.name);
            self.record_name(name, &own);
            scope.bind(name, own);
        }
        None
    }

    /// What an operation gives.
    fn outputs(
        &mut self,
        op: &'m Op,
        call: &Call<'m>,
        inputs: &[ValueId],
        scope: &mut Scope<'m>,
    ) -> Vec<ValueId> {
        let at = op.name;
        match call.name {
            "call" | "func.call" => {
                let callee = match call.attribute("callee") {
                    Some(Attribute::Symbol(name)) => name.clone(),
                    _ => "".into(),
                };
                let outputs = self.called(&callee, inputs, at);
                outputs.map_or_else(Vec::new, |outputs| self.given(op, call, outputs))
            }
            "stablehlo.composite" => {
                if let Some(Attribute::Symbol(name)) = call.attribute("decomposition")
                    && self.functions.contains_key(&**name)
                    && let Some(outputs) = self.called(name, inputs, at)
                {
                    return self.given(op, call, outputs);
                }
                self.untyped(call.name, &call.outputs, inputs, at).1
            }
            "stablehlo.constant" | "arith.constant" if is_dense(call) => self.constant(call, at),
            "stablehlo.constant" => vec![self.declared_value(call.outputs.first(), at)],
            "stablehlo.custom_call" if is_assertion(call) => {
                self.asserted(inputs, at);
                Vec::new()
            }
            "stablehlo.while" => self.repeated(call, inputs, at, scope),
            "stablehlo.if" | "stablehlo.case" => self.chosen(call, inputs, at, scope),
            name => match self.operator(name) {
                Some(operator) => self.operated(&operator, call, inputs, at, scope),
                None => self.untyped(call.name, &call.outputs, inputs, at).1,
            },
        }
    }

    /// What a function gives, as the results of a call of it.
    fn given(&mut self, op: &Op, call: &Call<'m>, outputs: Vec<ValueId>) -> Vec<ValueId> {
        let count = self.program.module().result_count(op);
        if self.left > 0 && count != outputs.len() {
            let headline = format!(
                "the function gives {} values, {count} are taken",
                outputs.len()
            );
            self.error(code::COUNT, &headline, op.name, "here");
        }
        if self.declared {
            self.claims(&outputs, &call.outputs, op.name);
        }
        outputs
    }

    /// A constant is what it is written as, whatever is declared for it.
    fn constant(&mut self, call: &Call<'m>, at: Span) -> Vec<ValueId> {
        let Some(Attribute::Dense(dense)) = call.attribute("value") else {
            return Vec::new();
        };
        if let Some(MlirType::Tensor { dims, .. }) = &dense.ty
            && dims.as_ref().is_none_or(|dims| dims.contains(&None))
        {
            self.error(
                code::DECLARED,
                "a constant has no dim that is open",
                at,
                "here",
            );
        }
        let types = dense.ty.iter().chain(&call.outputs);
        for declared in types {
            self.is_open |= self.is_beyond(declared);
        }
        // Of quantized elements the integers are written that are stored, and the type may be that of these.
        let quantized = call.outputs.first().into_iter().chain(&dense.ty);
        let quantized = quantized.into_iter().find(|ty| quantized::is_written(ty));
        let ty = match quantized {
            Some(declared) => self.says(declared),
            None => attr::constant(dense),
        };
        let ty = ty.unwrap_or(Type::UNKNOWN);
        let value = self.graph.value(&ty);
        let value = value.unwrap_or_else(|_| self.graph.unknown());
        self.record_value(value, &ty);
        if let Some(declared) = quantized {
            self.is_quantized(value, declared, at);
        }
        if ty.contents().is_some() && !is_counted(&ty) {
            let bare = self.graph.without_contents(value);
            self.uncounted.insert(value, bare);
        }
        if let Some(declared) = call.outputs.first()
            && self.declared
            && dense.ty.as_ref() != Some(declared)
        {
            self.claims(&[value], std::slice::from_ref(declared), at);
        }
        vec![value]
    }

    /// Values have the types that are declared for them, by a node that does nothing else.
    pub(super) fn claims(&mut self, values: &[ValueId], declared: &[MlirType], at: Span) {
        let mut node = None;
        for (value, declared) in values.iter().zip(declared) {
            if self.is_redundant(*value, declared) {
                continue;
            }
            let node = *node.get_or_insert_with(|| self.graph.add_typed(values, &[]).0);
            self.origins.insert(node, at);
            self.claim(node, *value, declared, at);
        }
    }

    /// The operator of the catalog that an operation is.
    pub(super) fn operator(&mut self, name: &'m str) -> Option<Operator> {
        let relations = self.relations;
        let found = self.operators.entry(name).or_insert_with(|| {
            let (domain, own) = name.split_once('.')?;
            relations.operator_of(domain, own, None).ok()
        });
        found.clone()
    }

    /// An operator of the catalog.
    fn operated(
        &mut self,
        operator: &Operator,
        call: &Call<'m>,
        inputs: &[ValueId],
        at: Span,
        scope: &mut Scope<'m>,
    ) -> Vec<ValueId> {
        let mut attrs = attr::values(operator, &call.attributes);
        if !call.bodies.is_empty() {
            self.bodies(operator, call, inputs, &mut attrs, at, scope);
        }
        if let Err(diagnostic) = operator.check_required(&attrs) {
            self.push(diagnostic.with_label(at.into(), "here"));
        }
        let count = call.outputs.len();
        let kept = self.recorded.is_some().then(|| attrs.clone());
        let id = self.graph.call(
            operator,
            attrs,
            &vec![true; inputs.len()],
            &vec![true; count],
        );
        let id = match id {
            Ok(id) => id,
            Err(diagnostic) => {
                self.push(diagnostic.with_label(at.into(), "here"));
                return Vec::new();
            }
        };
        let meets = self.meets_quantized(call, inputs);
        let rule = meets
            .then(|| call.name.strip_prefix("stablehlo."))
            .flatten()
            .and_then(|name| self.quantized_operator(name));
        // Of an operation of which it is not known what it makes of quantized elements, no more than shapes is known.
        let is_bare = meets && rule.is_none();
        self.is_open |= is_bare;
        let says = |declared: &MlirType| match is_bare {
            true => ty::of(declared),
            false => self.says(declared),
        };
        let types: Vec<Option<Type>> = call.outputs.iter().map(says).collect();
        for declared in &call.outputs {
            self.is_open |= self.is_beyond(declared);
        }
        let bare: Vec<ValueId>;
        let taken = match is_bare {
            true => {
                let each = inputs.iter().map(|value| self.without_elements(*value, at));
                bare = each.collect();
                &bare[..]
            }
            false => inputs,
        };
        let declared: Vec<Type> = types
            .iter()
            .map(|ty| ty.clone().unwrap_or(Type::UNKNOWN))
            .collect();
        let counted = taken.iter();
        let counted = counted.map(|value| self.uncounted.get(value).unwrap_or(value));
        let counted: Vec<ValueId> = counted.copied().collect();
        let (node, outputs, believed) = self.graph.add_declared(id, &counted, &declared);
        self.origins.insert(node, at);
        let mut outputs: Vec<ValueId> = outputs.iter().collect();
        if let Some(attrs) = kept {
            self.record_call(operator, call.name, &attrs, inputs, &outputs);
        }
        if let Some(rule) = rule {
            for (value, declared) in outputs.iter().zip(&call.outputs) {
                self.is_quantized(*value, declared, at);
            }
            self.quantized(&rule, call, inputs, &outputs, at);
        }
        for ((value, ty), declared) in outputs.iter_mut().zip(&types).zip(&call.outputs) {
            if is_bare && quantized::is_written(declared) {
                *value = self.with_elements(*value, declared, at);
                self.claims(&[*value], std::slice::from_ref(declared), at);
            } else if let Some(ty) = ty {
                let believed = believed.iter().find(|own| own.value == *value);
                self.settle(node, *value, ty, believed, declared, at);
            }
        }
        if let ("stablehlo.compare", [a, b], [value]) = (call.name, inputs, &outputs[..])
            && let Some(Attribute::Text(direction)) = call.attribute("comparison_direction")
        {
            let compared = Comparison {
                direction: direction.clone(),
                sides: [*a, *b],
            };
            self.compared.insert(*value, compared);
        }
        outputs
    }

    /// What is declared for a value has been believed where its operation leaves open what it is, and is otherwise a claim.
    fn settle(
        &mut self,
        node: NodeId,
        value: ValueId,
        ty: &Type,
        believed: Option<&Believed>,
        declared: &MlirType,
        at: Span,
    ) {
        self.record_declared(value, ty);
        if let Some(believed) = believed {
            self.record_fact(value, &believed.ty);
            if let Some(refused) = &believed.refused {
                self.refuted.insert(value);
                self.contradicted(ty, &refused.diagnostic, at);
                return;
            }
        }
        if self.declared {
            self.claim(node, value, declared, at);
        }
    }

    /// Does a declared type add nothing to what is known of a value?
    pub(super) fn is_redundant(&mut self, value: ValueId, declared: &MlirType) -> bool {
        let has_bounds = matches!(declared, MlirType::Tensor { bounds, .. } if !bounds.is_empty());
        !has_bounds
            && self.has_elements(value, declared)
            && self
                .says(declared)
                .is_none_or(|ty| self.is_evident(value, &ty))
    }

    /// A node claims that a value has this type.
    pub(super) fn claim(&mut self, node: NodeId, value: ValueId, declared: &MlirType, at: Span) {
        self.bound(value, declared, at);
        if self.claims_elements(value, declared, at) {
            return;
        }
        let Some(ty) = self.says(declared).filter(|ty| !self.is_evident(value, ty)) else {
            return;
        };
        // What was refused once is handed on, and refused wherever it is declared again.
        if self.refuted.contains(&value) {
            return;
        }
        self.record_claim(value, &ty);
        if let Err(refused) = self.graph.require(node, value, &ty) {
            self.refuted.insert(value);
            self.contradicted(&ty, &refused.diagnostic, at);
        }
    }

    /// What the bounds of a declared type say of a value.
    pub(super) fn bound(&mut self, value: ValueId, declared: &MlirType, at: Span) {
        let MlirType::Tensor { dims, bounds, .. } = declared else {
            return;
        };
        if let Some(dims) = dims.as_ref().filter(|_| !bounds.is_empty()) {
            let is_open =
                |(dim, bound): (&Option<u64>, &Option<u64>)| dim.is_none() || bound.is_none();
            if dims.len() != bounds.len() || !dims.iter().zip(bounds).all(is_open) {
                let headline = "bounds stand for the `?` of a type, one for each dim";
                return self.error(code::DECLARED, headline, at, "here");
            }
        }
        let is_known = |(axis, bound): (usize, &Option<u64>)| match bound {
            Some(bound) => self.graph.dim(value, axis).is_some_and(|dim| dim <= *bound),
            None => true,
        };
        if bounds.iter().enumerate().all(is_known) {
            return;
        }
        let name = "stablehlo.bounded";
        let Some(operator) = self.operator(name) else {
            return;
        };
        let each = bounds.iter();
        let each = each.map(|bound| bound.and_then(|n| i64::try_from(n).ok()).unwrap_or(-1));
        let attrs = vec![("bounds".into(), each.collect::<AttrValue>())];
        self.record_call(&operator, name, &attrs, &[value], &[]);
        match self.graph.call(&operator, attrs, &[true], &[]) {
            Ok(id) => {
                let (node, _) = self.graph.add(id, &[value]);
                self.origins.insert(node, at);
            }
            Err(diagnostic) => self.push(diagnostic.with_label(at.into(), "here")),
        }
    }

    /// Whether a declared type says nothing of a value that is not known: of a `?` in it, whatever the size is.
    fn is_evident(&self, value: ValueId, declared: &Type) -> bool {
        let Some(dims) = declared.dims() else {
            return false;
        };
        let is_known = |(axis, dim): (usize, &Dim)| match dim {
            Dim::Hole => true,
            Dim::Size(size) => self.graph.dim(value, axis) == Some(*size),
            _ => false,
        };
        self.graph.rank(value) == Some(dims.len())
            && self.graph.dtype(value) == declared.dtype()
            && dims.iter().enumerate().all(is_known)
    }

    fn contradicted(&mut self, declared: &Type, why: &Diagnostic, at: Span) {
        let d = Diagnostic::new(
            code::DECLARED,
            format!("it can't be `{declared}`, as is declared"),
        );
        let d = d.with_step(why.headline.clone());
        self.push(d.with_label(at.into(), "here"));
    }

    /// An operation of which nothing is known: its results are what they are declared as.
    pub(super) fn untyped(
        &mut self,
        name: &str,
        declared: &[MlirType],
        inputs: &[ValueId],
        at: Span,
    ) -> (NodeId, Vec<ValueId>) {
        self.is_open = true;
        let headline = format!("nothing is known of `{name}`");
        let d = Diagnostic::new(code::UNTYPED, headline).as_warning();
        self.push(d.with_label(at.into(), "its results are what they are declared as"));
        let types: Vec<Type> = declared
            .iter()
            .map(|declared| self.says(declared).unwrap_or(Type::UNKNOWN))
            .collect();
        let (node, outputs) = self.graph.add_typed(inputs, &types);
        self.origins.insert(node, at);
        let outputs: Vec<ValueId> = outputs.iter().collect();
        self.record(name, Vec::new(), inputs, &outputs);
        for ((value, ty), declared) in outputs.iter().zip(&types).zip(declared) {
            self.record_declared(*value, ty);
            self.is_quantized(*value, declared, at);
        }
        (node, outputs)
    }

    /// A value of a declared type.
    fn declared_value(&mut self, declared: Option<&MlirType>, at: Span) -> ValueId {
        self.is_open |= declared.is_some_and(|declared| self.is_beyond(declared));
        let ty = declared.and_then(|declared| self.says(declared));
        let ty = ty.unwrap_or(Type::UNKNOWN);
        let value = self.graph.value(&ty);
        let value = value.unwrap_or_else(|_| self.graph.unknown());
        self.record_value(value, &ty);
        if let Some(declared) = declared {
            self.is_quantized(value, declared, at);
        }
        value
    }

    /// The program asserts that something is true: that is a condition. Of a comparison it is the one between the sizes that are compared.
    fn asserted(&mut self, inputs: &[ValueId], at: Span) {
        let Some(value) = inputs.first() else {
            return;
        };
        let compared = self.compared.get(value).cloned();
        let operator = compared.and_then(|compared| {
            let operator = self.operator("stablehlo.assert_compared")?;
            Some((operator, compared))
        });
        let Some((operator, compared)) = operator else {
            let (node, _) = self.graph.add_typed(inputs, &[]);
            self.origins.insert(node, at);
            // What is in a tensor no model says: so it is open there.
            self.record_own("shape_assertion", inputs, &[]);
            let truth = Contents::new([Content::from(true)]);
            let ty = Tensor::new(DtypeTerm::from(Dtype::Bool), Shape::known([] as [Dim; 0]));
            let ty = Type::from(ty.with_contents(truth));
            if let Err(refused) = self.graph.require(node, *value, &ty) {
                self.push(refused.diagnostic.with_label(at.into(), "asserted here"));
            }
            return;
        };
        let direction = AttrValue::Text(compared.direction);
        let attrs = vec![("comparison_direction".into(), direction)];
        let name = "stablehlo.assert_compared";
        self.record_call(&operator, name, &attrs, &compared.sides, &[]);
        match self.graph.call(&operator, attrs, &[true, true], &[]) {
            Ok(id) => {
                let (node, _) = self.graph.add(id, &compared.sides);
                self.origins.insert(node, at);
            }
            Err(diagnostic) => self.push(diagnostic.with_label(at.into(), "asserted here")),
        }
    }
}

/// Is it written what a constant is?
fn is_dense(call: &Call<'_>) -> bool {
    matches!(call.attribute("value"), Some(Attribute::Dense(_)))
}

/// Are sizes calculated in the dtype of a tensor? No operator reads the contents of others.
fn is_counted(ty: &Type) -> bool {
    let counted = DtypeSet::of(&[Dtype::Bool, Dtype::I32, Dtype::I64]);
    ty.as_tensor()
        .is_none_or(|tensor| !tensor.dtype.set().intersection(counted).is_empty())
}

/// Does an operation end a body?
pub(super) fn is_return(name: &str) -> bool {
    matches!(name, "return" | "func.return" | "stablehlo.return")
}

/// Whether an operation may give something else each time.
fn acts(call: &Call<'_>) -> bool {
    match call.name {
        "stablehlo.rng" | "stablehlo.infeed" | "stablehlo.recv" => true,
        "stablehlo.custom_call" => !is_assertion(call),
        name => !name.contains('.') && name != "return" && name != "call",
    }
}

/// A call by which JAX asserts what it assumes of sizes.
fn is_assertion(call: &Call<'_>) -> bool {
    let target = call.attribute("call_target_name");
    matches!(target, Some(Attribute::Text(name)) if &**name == "shape_assertion")
}
