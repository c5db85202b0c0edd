//! A program as a model.

use std::collections::BTreeMap;

use kanshape::tree::parse_conditions;
use kanshape::{AttrValue, Conditions, Diagnostic, Dim, Operator, Relations, Shape, Tensor, Type};
use kanshape_onnx::{Exported, NewModel, NewNode};
use rustc_hash::{FxHashMap, FxHashSet};
use serde_json::Value;

use super::archive::no_archive;
use super::json::{self, Graph, Program, Range, case, name};
use super::size::{self, SizeTable};

/// The domains of the nodes: torch's operators, Python's on sizes, and what makes a value of nothing.
const ATEN: &str = "aten";
const PYTHON: &str = "_operator";
const MADE: &str = "prim";

/// What the names of operators with bodies begin with.
const HIGHER: &str = "torch.ops.higher_order.";

/// The program as torch declares it.
pub(super) fn exported(program: &Program, relations: &Relations) -> Result<Exported, Diagnostic> {
    let mut made = Translation::of(program, relations, &program.range_constraints);
    made.calls();
    made.outputs();
    made.declared();
    let mut inputs = made.model.inputs.clone();
    if let Some((_, first)) = inputs.first_mut() {
        *first = std::mem::take(first).with_conditions(ranges(program));
    }
    made.finished(inputs)
}

/// The program with inputs of other types, and what torch declares of sizes left out. A size that it computes is still the one that its
/// calls have, which is a condition where that does not follow.
pub(super) fn opened(
    program: &Program,
    relations: &Relations,
    ranges: &BTreeMap<String, Range>,
    inputs: Vec<(String, Type)>,
) -> Result<Exported, Diagnostic> {
    let mut made = Translation::of(program, relations, ranges);
    made.calls();
    made.outputs();
    for (_, ty) in made.model.inputs.iter_mut().chain(&mut made.model.outputs) {
        *ty = Type::UNKNOWN;
    }
    made.facts = made.computed();
    made.finished(inputs)
}

/// The types that torch gives to what a user gives, in order.
pub(super) fn user_inputs(program: &Program, relations: &Relations) -> Vec<(String, Type)> {
    let mut made = Translation::of(program, relations, &program.range_constraints);
    made.inputs();
    made.model.inputs
}

/// Between which numbers the names of sizes are.
fn ranges(program: &Program) -> Conditions {
    let ranges = program.range_constraints.iter().flat_map(|(name, range)| {
        let least = range.min_val.filter(|least| *least > 0);
        let least = least.map(|least| format!("{name} >= {least}"));
        let most = range.max_val.map(|most| format!("{name} <= {most}"));
        least.into_iter().chain(most)
    });
    let texts = ranges.filter_map(|text| parse_conditions(&text).ok());
    texts.flatten().map(|condition| condition.node).collect()
}

/// The name of a tensor: `{"as_tensor": {"name": ..}}`.
pub(super) fn tensor_name(value: &Value) -> Option<&str> {
    match case(value)? {
        ("as_tensor", of) => name(of),
        _ => None,
    }
}

struct Translation<'p> {
    program: &'p Program,
    /// The graph that is stated: that of the program, or a body in it.
    graph: &'p Graph,
    /// What stands before the names of values of a body.
    within: String,
    /// The values that the inputs of a body are.
    bound: FxHashMap<&'p str, String>,
    /// What torch says of values in bodies.
    inner: Vec<(String, Type)>,
    relations: &'p Relations,
    /// Between which numbers sizes are.
    ranges: &'p BTreeMap<String, Range>,
    model: NewModel,
    /// The numbers of the program that have a value of their own, by their text.
    numbers: BTreeMap<String, String>,
    sizes: SizeTable<'p>,
    /// What values are that have sizes of the program as arguments.
    facts: Vec<(String, Type)>,
    /// The program's numbers that are attributes.
    used: BTreeMap<String, &'p Value>,
}

impl<'p> Translation<'p> {
    fn of(
        program: &'p Program,
        relations: &'p Relations,
        ranges: &'p BTreeMap<String, Range>,
    ) -> Translation<'p> {
        let versions = [ATEN, PYTHON, MADE].map(|domain| (domain.to_owned(), 1));
        Translation {
            program,
            graph: &program.graph_module.graph,
            within: String::new(),
            bound: FxHashMap::default(),
            inner: Vec::new(),
            relations,
            ranges,
            model: NewModel {
                versions: versions.into(),
                ..NewModel::default()
            },
            numbers: BTreeMap::new(),
            sizes: SizeTable::default(),
            facts: Vec::new(),
            used: BTreeMap::new(),
        }
    }

    /// All inputs and nodes.
    fn calls(&mut self) {
        self.inputs();
        for node in &self.graph.nodes {
            self.node(node);
        }
    }

    /// The name that a value of the graph has in the model.
    fn named(&self, own: &str) -> String {
        let bound = self.bound.get(own).cloned();
        bound.unwrap_or_else(|| format!("{}{own}", self.within))
    }

    fn finished(self, inputs: Vec<(String, Type)>) -> Result<Exported, Diagnostic> {
        let encoded = self.model.encode();
        let model = encoded.ok_or_else(|| no_archive("it has something that no model has"))?;
        Ok(Exported {
            model,
            inputs,
            facts: self.facts,
            assumes: None,
        })
    }

    /// The program's numbers that are attributes, each as the expression that is written there.
    fn computed(&self) -> Vec<(String, Type)> {
        let known = self.used.iter().filter_map(|(own, value)| {
            let text = size::argument(value, self.ranges)?;
            let ty = format!("Scalar[i64[] = [{text}]]").parse().ok()?;
            Some((own.clone(), ty))
        });
        known.collect()
    }

    /// What the user gives is an input; parameters, buffers and constants are values of their types.
    fn inputs(&mut self) {
        let graph = self.graph;
        let specs = &self.program.graph_module.signature.input_specs;
        for (at, input) in graph.inputs.iter().enumerate() {
            let Some(own) = tensor_name(input) else {
                continue;
            };
            let by_user = specs
                .get(at)
                .and_then(case)
                .is_none_or(|(kind, _)| kind == "user_input");
            let ty = self.ty(own);
            match by_user {
                true => self.model.inputs.push((own.to_owned(), ty)),
                false => self.parameter(own, &ty),
            }
        }
    }

    /// The type that torch gives a value.
    fn ty(&self, own: &str) -> Type {
        let Some(tensor) = self.graph.tensor_values.get(own) else {
            return Type::UNKNOWN;
        };
        let Some(dtype) = tensor.dtype() else {
            return Type::UNKNOWN;
        };
        let dims: Vec<Dim> = tensor.sizes.iter().map(|of| self.sizes.dim(of)).collect();
        Tensor::new(dtype, Shape::known(dims)).into()
    }

    fn parameter(&mut self, own: &str, ty: &Type) {
        let (Some(dtype), Some(dims)) = (ty.dtype(), ty.dims()) else {
            return self.model.inputs.push((own.to_owned(), ty.clone()));
        };
        let dims: Vec<String> = dims.iter().map(Dim::to_string).collect();
        let attrs = [
            ("dtype", dtype.name().to_owned()),
            ("shape", format!("[{}]", dims.join(", "))),
        ];
        let attrs = attrs.map(|(name, text)| (name.into(), AttrValue::Text(text.into())));
        self.push(
            MADE,
            "Parameter",
            vec![],
            vec![own.to_owned()],
            attrs.into(),
        );
    }

    fn push(
        &mut self,
        domain: &str,
        op: &str,
        inputs: Vec<String>,
        outputs: Vec<String>,
        attrs: Vec<(Box<str>, AttrValue)>,
    ) {
        let name = outputs
            .iter()
            .find(|own| !own.is_empty())
            .cloned()
            .unwrap_or_default();
        self.model.nodes.push(NewNode {
            name,
            op: op.to_owned(),
            domain: domain.to_owned(),
            inputs,
            outputs,
            attrs,
        });
    }

    fn node(&mut self, node: &'p json::Node) {
        let higher = node.target.strip_prefix(HIGHER);
        if higher.is_some_and(|kind| self.higher(kind, node)) {
            return;
        }
        let (domain, op) = target(&node.target);
        let full = format!("{domain}::{op}");
        let operator = self.relations.operator(&full, None).ok();
        let mut attrs = Vec::new();
        let mut inputs = Vec::new();
        let mut left: Vec<&json::Input> = node.inputs.iter().collect();
        match &operator {
            Some(operator) if domain == ATEN => {
                for formal in operator.inputs() {
                    let at = left.iter().position(|input| input.name == formal.name);
                    match at.map(|at| left.remove(at)) {
                        Some(input) => self.operand(&input.arg, &mut inputs),
                        None if formal.variadic => {}
                        None => inputs.push(String::new()),
                    }
                }
                for input in left {
                    let value = self.attribute(operator, &input.name, &input.arg);
                    attrs.extend(value.map(|value| (input.name.as_str().into(), value)));
                }
            }
            // Of what is not known, the operands are those that are values.
            _ => left
                .iter()
                .for_each(|input| self.operand(&input.arg, &mut inputs)),
        }
        while inputs.last().is_some_and(String::is_empty) {
            inputs.pop();
        }
        if node.inputs.iter().any(|input| has_symbols(&input.arg)) {
            let own = node.outputs.iter().flat_map(names);
            let types = own.map(|own| (self.named(own), self.ty(own)));
            let known =
                types.filter(|(_, ty)| ty.dims().is_some_and(|dims| !dims.contains(&Dim::Hole)));
            self.facts.extend(known.collect::<Vec<_>>());
        }
        let outputs = self.results(node);
        self.push(domain, op, inputs, outputs, attrs);
    }

    /// The names of the values that a node gives.
    fn results(&self, node: &json::Node) -> Vec<String> {
        let own = node.outputs.iter().flat_map(names);
        let name = |own: &str| match own {
            "" => String::new(),
            own => self.named(own),
        };
        own.map(name).collect()
    }

    /// States an operator with bodies: each body stands in the place of the node, once, with what its values are in any run of it. Not
    /// done for a kind that is not known, and for one in which operators give other dtypes than by themselves.
    fn higher(&mut self, kind: &str, node: &'p json::Node) -> bool {
        let bodies: Vec<&'p json::Input> =
            node.inputs.iter().filter(|i| i.body.is_some()).collect();
        let results = self.results(node);
        let Some(place) = results.iter().find(|own| !own.is_empty()).cloned() else {
            return false;
        };
        // What is given: a list stands for all of its members.
        let mut given: Vec<Vec<String>> = Vec::new();
        for input in node.inputs.iter().filter(|i| i.body.is_none()) {
            let mut own = Vec::new();
            self.operand(&input.arg, &mut own);
            given.push(own);
        }
        let all = |lists: &[Vec<String>]| lists.concat();
        let made: Vec<(&str, Vec<String>)> = match (kind, &bodies[..], &given[..]) {
            ("cond", [yes, no], [_, operands @ ..]) => {
                let yes = self.body(&place, yes, all(operands));
                let no = self.body(&place, no, all(operands));
                let both = yes.into_iter().zip(no);
                both.map(|(a, b)| ("Either", vec![a, b])).collect()
            }
            ("while_loop", [goes_on, step], [first, more @ ..]) => {
                let carried = self.each(&place, "Carried", first);
                let operands = [carried, all(more)].concat();
                self.body(&place, goes_on, operands.clone());
                let next = self.body(&place, step, operands);
                let both = first.iter().cloned().zip(next);
                both.map(|(a, b)| ("Either", vec![a, b])).collect()
            }
            ("scan", [step], [first, rows, more @ ..]) => {
                let carried = self.each(&place, "Carried", first);
                let row = self.each(&place, "Row", rows);
                let out = self.body(&place, step, [carried, row, all(more)].concat());
                let made = out.into_iter().enumerate();
                made.map(|(i, own)| match first.get(i) {
                    Some(before) => ("Either", vec![before.clone(), own]),
                    None => ("Rows", vec![own].into_iter().chain(rows.clone()).collect()),
                })
                .collect()
            }
            ("map_impl" | "map", [step], [rows, more @ ..]) => {
                let row = self.each(&place, "Row", rows);
                let out = self.body(&place, step, [row, all(more)].concat());
                let rows = |own| ("Rows", vec![own].into_iter().chain(rows.clone()).collect());
                out.into_iter().map(rows).collect()
            }
            ("wrap_with_set_grad_enabled", [inner], [_, operands @ ..])
            | ("invoke_subgraph", [inner], [_, operands @ ..])
            | ("strict_mode" | "wrap" | "tag_activation_checkpoint", [inner], operands) => {
                let out = self.body(&place, inner, all(operands));
                out.into_iter().map(|own| ("Same", vec![own])).collect()
            }
            _ => return false,
        };
        for (own, (op, inputs)) in results.into_iter().zip(made) {
            if !own.is_empty() {
                self.push(MADE, op, inputs, vec![own], vec![]);
            }
        }
        true
    }

    /// What an operator makes of each of these, for a body.
    fn each(&mut self, place: &str, op: &str, values: &[String]) -> Vec<String> {
        let values = values.iter().enumerate();
        let made = values.map(|(i, own)| {
            let name = format!("{place}.{op}_{i}");
            self.push(MADE, op, vec![own.clone()], vec![name.clone()], vec![]);
            name
        });
        made.collect()
    }

    /// States the nodes of a body of which these are the inputs. The outputs of it.
    fn body(&mut self, place: &str, body: &'p json::Input, given: Vec<String>) -> Vec<String> {
        let Some(graph) = &body.body else {
            return Vec::new();
        };
        let own = body.arg.get("as_graph").and_then(name).unwrap_or("body");
        let within = format!("{place}.{own}.");
        let inputs = graph.inputs.iter().filter_map(value_name);
        let bound = inputs.zip(given).collect();
        let graph = std::mem::replace(&mut self.graph, graph);
        let within = std::mem::replace(&mut self.within, within);
        let bound = std::mem::replace(&mut self.bound, bound);
        for node in &self.graph.nodes {
            self.node(node);
        }
        let declared = self.graph.tensor_values.keys();
        let declared = declared.filter(|own| !self.bound.contains_key(own.as_str()));
        let declared: Vec<_> = declared
            .map(|own| (self.named(own), self.ty(own)))
            .collect();
        self.inner.extend(declared);
        let outputs = self.graph.outputs.iter();
        let outputs =
            outputs.map(|own| value_name(own).map_or_else(String::new, |own| self.named(own)));
        let outputs = outputs.collect();
        (self.graph, self.within, self.bound) = (graph, within, bound);
        outputs
    }

    /// The values that an argument is: none if it is left out of a list of operands, several if it is a list.
    fn operand(&mut self, arg: &Value, inputs: &mut Vec<String>) {
        match case(arg) {
            Some(("as_tensor", of)) => {
                inputs.push(name(of).map_or_else(String::new, |own| self.named(own)));
            }
            Some(("as_sym_int" | "as_sym_bool" | "as_sym_float", of)) => match name(of) {
                Some(own) => inputs.push(self.named(own)),
                None => self.operand(of, inputs),
            },
            Some(("as_tensors", Value::Array(members))) => {
                for of in members {
                    inputs.push(name(of).map_or_else(String::new, |own| self.named(own)));
                }
            }
            Some(("as_sym_ints", Value::Array(members))) => {
                for of in members {
                    match name(of) {
                        Some(own) => inputs.push(self.named(own)),
                        None => self.operand(of, inputs),
                    }
                }
            }
            Some(("as_ints", Value::Array(members))) => {
                for n in members {
                    inputs.push(self.number("int", n.to_string()));
                }
            }
            Some(("as_optional_tensors", Value::Array(members))) => {
                for member in members {
                    let own = tensor_name(member).map(|own| self.named(own));
                    let own = own.unwrap_or_else(|| self.no_tensor());
                    inputs.push(own);
                }
            }
            Some(("as_int", n)) => inputs.push(self.number("int", n.to_string())),
            Some(("as_float", x)) => inputs.push(self.number("float", x.to_string())),
            Some(("as_bool", truth)) => inputs.push(self.number("truth", truth.to_string())),
            _ => inputs.push(String::new()),
        }
    }

    /// A value that is a number of the program.
    fn number(&mut self, kind: &str, text: String) -> String {
        let key = format!("{kind} {text}");
        if let Some(own) = self.numbers.get(&key) {
            return own.clone();
        }
        let own = format!("number {text}");
        let value = AttrValue::Text(text.trim_matches('"').into());
        self.push(
            MADE,
            "Number",
            vec![],
            vec![own.clone()],
            vec![(kind.into(), value)],
        );
        self.numbers.insert(key, own.clone());
        own
    }

    /// A value that stands for a tensor that is left out of a list.
    fn no_tensor(&mut self) -> String {
        let own = "no tensor".to_owned();
        if self.numbers.insert(own.clone(), own.clone()).is_none() {
            self.push(MADE, "NoTensor", vec![], vec![own.clone()], vec![]);
        }
        own
    }

    /// The value of an attribute, as a text that its kind reads; none if it is left out.
    fn attribute(&mut self, operator: &Operator, own: &str, arg: &'p Value) -> Option<AttrValue> {
        let (kind, of) = case(arg)?;
        let mut one = |of: &'p Value| self.int(of).unwrap_or_else(|| "?".into());
        let text = match kind {
            "as_none" => return None,
            "as_int" | "as_bool" | "as_float" => of.to_string().trim_matches('"').to_owned(),
            "as_sym_int" => one(of),
            "as_ints" | "as_floats" | "as_bools" | "as_sym_ints" => {
                let members = of.as_array()?.iter();
                let members = members.map(|m| match kind {
                    "as_sym_ints" => one(m),
                    _ => m.to_string().trim_matches('"').to_owned(),
                });
                format!("[{}]", members.collect::<Vec<String>>().join(", "))
            }
            "as_scalar_type" => json::scalar_type(of.as_u64()?)?.name().to_owned(),
            "as_string" => of.as_str()?.to_owned(),
            // Where a tensor is, and how it lies in memory: no type says it.
            "as_device" => of.get("type")?.as_str()?.to_owned(),
            "as_layout" | "as_memory_format" => of.to_string(),
            _ => return None,
        };
        let attribute = operator.attribute(own).ok()?;
        // A float that is written as a whole number is one.
        match attribute.read(&text) {
            Ok(_) => Some(AttrValue::Text(text.into())),
            Err(_) => None,
        }
    }

    /// The text of a number of the program, `{"as_name": ..}` or `{"as_int": ..}`.
    fn int(&mut self, of: &'p Value) -> Option<String> {
        if let Some(n) = of.get("as_int") {
            return n.as_i64().map(|n| n.to_string());
        }
        let own = name(of)?;
        let value = self.graph.sym_int_values.get(own)?;
        self.used.insert(self.named(own), value);
        size::argument(value, self.ranges)
    }

    fn outputs(&mut self) {
        for own in self.graph.outputs.iter().filter_map(value_name) {
            let ty = self.ty(own);
            self.model.outputs.push((own.to_owned(), ty));
        }
    }

    /// What torch says of the values that nodes give.
    fn declared(&mut self) {
        let inputs = self.graph.inputs.iter();
        let given: FxHashSet<&str> = inputs.filter_map(tensor_name).collect();
        let own: FxHashSet<String> = self
            .model
            .outputs
            .iter()
            .map(|(own, _)| own.clone())
            .collect();
        for name in self.graph.tensor_values.keys() {
            if !given.contains(name.as_str()) && !own.contains(name) {
                let ty = self.ty(name);
                if !ty.is_unknown() {
                    self.model.between.push((name.clone(), ty));
                }
            }
        }
        let inner = std::mem::take(&mut self.inner).into_iter();
        self.model
            .between
            .extend(inner.filter(|(_, ty)| !ty.is_unknown()));
    }
}

/// Has an argument a size in it that is no number?
fn has_symbols(arg: &Value) -> bool {
    match case(arg) {
        Some(("as_sym_int", of)) => name(of).is_some(),
        Some(("as_sym_ints", Value::Array(members))) => members.iter().any(|of| name(of).is_some()),
        _ => false,
    }
}

/// The name of a tensor, or of a number of the program.
fn value_name(value: &Value) -> Option<&str> {
    match case(value)? {
        ("as_tensor" | "as_sym_int" | "as_sym_bool" | "as_sym_float", of) => name(of),
        _ => None,
    }
}

/// The domain and the name of what a node calls.
fn target(target: &str) -> (&'static str, &str) {
    if let Some(own) = target.strip_prefix("_operator.") {
        return (PYTHON, own);
    }
    // Functions of sizes: `torch.sym_max`, `math.ceil`.
    let of_sizes = target
        .strip_prefix("torch.")
        .or_else(|| target.strip_prefix("math."));
    if let Some(own) = of_sizes.filter(|own| !own.contains('.')) {
        return (PYTHON, own);
    }
    let own = target.strip_prefix("torch.ops.aten.").unwrap_or(target);
    (ATEN, own.strip_suffix(".default").unwrap_or(own))
}

/// The names of the values that a result is.
fn names(result: &Value) -> Vec<&str> {
    fn one(of: &Value) -> &str {
        name(of).unwrap_or_default()
    }
    match case(result) {
        Some(("as_tensors", Value::Array(members))) => members.iter().map(one).collect(),
        Some((_, of)) => vec![one(of)],
        None => Vec::new(),
    }
}
