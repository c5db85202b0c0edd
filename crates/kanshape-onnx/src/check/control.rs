//! The operators that have bodies: what is handed to these, and when they are run.
//!
//! What comes out of them is said by the rules of the catalog, as for all operators.

use super::body::{BodyGraph, Param, Ran};
use super::node::Values;
use super::{Around, Checker};
use crate::graph::Graph;
use crate::symbols::Symbol;
use kanshape::graph::{Body, ValueId};
use kanshape::{AttrValue, Content, Contents, Dim, Dtype, Operator, Shape, Tensor, Type, order};

/// How often a loop is tried before what it hands on is taken for anything.
const MOST_TRIES: usize = 4;

impl<'c, 'a> Checker<'c, 'a> {
    /// A node that has bodies.
    pub(super) fn add_control(
        &mut self,
        graph: &Graph<'a>,
        index: u32,
        operator: &Operator,
        inputs: &[Symbol],
        around: Around<'_, 'a>,
    ) {
        let node = &graph.nodes[index as usize];
        let written = self.written(node, around);
        let mut values = self.inputs(graph, index, inputs, around);
        let mut bodies = Vec::with_capacity(written.bodies.len());
        for body in &written.bodies {
            let Some(body) = self.read_body(graph, index, *body, around) else {
                return self.untyped(graph, index, around, "its bodies stand too deep".into());
            };
            bodies.push(body);
        }
        let is_there: Vec<bool> = inputs.iter().map(|s| *s != Symbol::NONE).collect();
        let ran = match (operator.domain(), operator.name()) {
            ("ai.onnx", "If") => {
                let bodies = bodies
                    .iter()
                    .all(|body| self.fits(graph, index, body, 0, around))
                    .then_some(&bodies);
                match bodies.and_then(|bodies| self.branches(bodies, &values, around)) {
                    Some(Branches::One(results)) => {
                        return self.hand_over(graph, index, results, around);
                    }
                    Some(Branches::Both(ran)) => Some(ran),
                    None => None,
                }
            }
            ("ai.onnx", "Loop") => {
                let carried = match is_there[..] {
                    [limit, cond, ..] => values.get(usize::from(limit) + usize::from(cond)..),
                    _ => None,
                };
                // Where there is a condition, the body is run only when it holds.
                let holds = Contents::new([Content::Bool(true)]);
                let is_conditional = matches!(is_there[..], [_, true, ..]);
                let cond = scalar(Dtype::Bool).with_contents(holds.filter(|_| is_conditional));
                let body = bodies.first();
                let ran = carried.zip(body).and_then(|(carried, body)| {
                    let fits = self.fits(graph, index, body, carried.len() + 2, around);
                    fits.then(|| self.turns(body, cond, carried, around))
                });
                if let Some(ran) = &ran {
                    // An empty sequence is one of those that the body is given later.
                    let carried = values.iter_mut().rev().zip(ran.params.iter().rev());
                    for (value, param) in carried.filter(|(value, _)| self.is_empty(**value)) {
                        *value = *param;
                    }
                }
                ran.map(|ran| vec![ran])
            }
            ("ai.onnx", "Scan") => bodies.first().and_then(|body| {
                let params = self.slices(operator, &written.attrs, &values, &is_there)?;
                let fits = self.fits(graph, index, body, params.len(), around);
                fits.then(|| vec![self.run_if_at_all(body, &params, around)])
            }),
            ("ai.onnx", "SequenceMap") => bodies.first().and_then(|body| {
                let params = self.members(&values);
                let fits = self.fits(graph, index, body, params.len(), around);
                fits.then(|| vec![self.run_if_at_all(body, &params, around)])
            }),
            // What it hands to them it does not say.
            _ => {
                let ran = bodies.iter().map(|body| {
                    let params = vec![Param::Type(Type::UNKNOWN); body.graph.inputs.len()];
                    self.run_if_at_all(body, &params, around)
                });
                Some(ran.collect())
            }
        };
        let Some(ran) = ran else {
            let why = "its bodies are none that it has, or not like what it hands to them";
            return self.untyped(graph, index, around, why.into());
        };
        let outputs = graph.outputs_of(node).iter();
        let outputs: Vec<bool> = outputs.map(|s| *s != Symbol::NONE).collect();
        let call = self
            .graph
            .call(operator, written.attrs, &is_there, &outputs);
        let call = match call {
            Ok(call) => call,
            Err(diagnostic) => {
                return self.untyped(graph, index, around, diagnostic.headline.into());
            }
        };
        let ran: Vec<Body<'_>> = bodies
            .iter()
            .zip(&ran)
            .map(|(body, ran)| Body {
                attr: body.attr,
                params: &ran.params,
                results: &ran.results,
            })
            .collect();
        let (_, outputs) = self.graph.add_with_bodies(call, &values, &ran);
        self.origin(node, index, around);
        self.bind_outputs(graph, index, outputs, around);
    }

    /// The outputs of a node are these values.
    fn hand_over(
        &mut self,
        graph: &Graph<'a>,
        index: u32,
        results: Vec<ValueId>,
        around: Around<'_, 'a>,
    ) {
        let outputs = graph.outputs_of(&graph.nodes[index as usize]);
        let mut results = results.into_iter();
        for symbol in outputs {
            let value = results.next();
            if *symbol != Symbol::NONE {
                let value = value.unwrap_or_else(|| self.graph.unknown());
                self.bind(graph, *symbol, value, around);
            }
        }
    }

    /// Runs the branches of an `If`. If it is known which one is taken, that one is always run, and the other never.
    fn branches(
        &mut self,
        bodies: &[BodyGraph<'a>],
        inputs: &[ValueId],
        around: Around<'_, 'a>,
    ) -> Option<Branches> {
        let names = bodies.iter().map(|body| body.attr);
        if !names.clone().eq(["then_branch", "else_branch"])
            && !names.eq(["else_branch", "then_branch"])
        {
            return None;
        }
        let cond = self.types(inputs.first().into_iter());
        let cond = cond
            .first()
            .and_then(Type::contents)
            .map(Contents::as_slice);
        let taken = match cond {
            Some([Content::Bool(true)]) => "then_branch",
            Some([Content::Bool(false)]) => "else_branch",
            _ => {
                let ran = bodies
                    .iter()
                    .map(|body| self.run_if_at_all(body, &[], around));
                return Some(Branches::Both(ran.collect()));
            }
        };
        let mut results = Vec::new();
        for body in bodies {
            if body.attr == taken {
                results = self.run_body(body, &[], around).results;
            } else {
                self.run_never(body, around);
            }
        }
        Some(Branches::One(results))
    }

    /// Runs the body of a `Loop`, until what it hands on to its next turn is what it is given in each. `cond` is the
    /// condition that it is given.
    fn turns(
        &mut self,
        body: &BodyGraph<'a>,
        cond: Type,
        carried: &[ValueId],
        around: Around<'_, 'a>,
    ) -> Ran {
        let types = self.types(carried.iter());
        let mut params: Vec<Param> = vec![Param::Type(scalar(Dtype::I64)), Param::Type(cond)];
        // What is carried is the same value as long as nothing is known of what is in it: that may change.
        params.extend(
            carried
                .iter()
                .zip(&types)
                .map(|(value, ty)| match ty.contents() {
                    None => Param::Value(*value),
                    Some(_) => Param::Type(self.known_outside(&ty.clone().with_contents(None))),
                }),
        );
        let before = self.mark();
        for turn in 0..=MOST_TRIES {
            let ran = self.run_body(body, &params, around);
            let handed_on = ran.params.iter().skip(2).zip(ran.results.iter().skip(1));
            let pairs: Vec<(ValueId, ValueId)> = handed_on.map(|(a, b)| (*a, *b)).collect();
            let types = self.types(pairs.iter().flat_map(|(a, b)| [a, b]));
            let mut is_steady = true;
            for ((param, types), pair) in params[2..].iter_mut().zip(types.chunks(2)).zip(&pairs) {
                let own = [pair.0, pair.1];
                if let Some(other) = self.other_members(own, [&types[0], &types[1]]) {
                    is_steady = false;
                    *param = Param::Type(other);
                    continue;
                }
                let [given, back] = [&types[0], &types[1]].map(|ty| ty.clone().with_contents(None));
                if given == back || given.is_unknown() {
                    continue;
                }
                let both = order::join(&given, &back);
                // What a sequence's tensors have of any size has a name where it is given, each time another one.
                let is_any = || {
                    let is_typed = matches!(param, Param::Type(_)) && given.as_tensor().is_none();
                    is_typed && both == self.known_outside(&given)
                };
                if both == given || is_any() {
                    continue;
                }
                is_steady = false;
                *param = Param::Type(match turn + 1 < MOST_TRIES {
                    true => self.known_outside(&both),
                    false => any_like(&both),
                });
            }
            if is_steady || turn == MOST_TRIES {
                return self.settle(before, ran);
            }
            self.back_to(&before);
        }
        self.run_body(body, &params, around)
    }

    /// What a `Scan` hands to its body: its states, and a slice of each other input.
    fn slices(
        &self,
        operator: &Operator,
        attrs: &[(Box<str>, AttrValue)],
        inputs: &[ValueId],
        is_there: &[bool],
    ) -> Option<Vec<Param>> {
        let attr = |name: &str| attrs.iter().find(|a| *a.0 == *name).map(|a| &a.1);
        let Some(AttrValue::Int(scanned)) = attr("num_scan_inputs") else {
            return None;
        };
        // The first version goes through batches, whose lengths may be given before everything else.
        let has_batches = operator.since() < 9;
        let inputs = match (has_batches, is_there.first()) {
            (true, Some(true)) => inputs.get(1..)?,
            _ => inputs,
        };
        let states = inputs.len().checked_sub(usize::try_from(*scanned).ok()?)?;
        let axes: Vec<i64> = match attr("scan_input_axes") {
            Some(AttrValue::List(axes)) => axes
                .iter()
                .map(|axis| match axis {
                    AttrValue::Int(axis) => *axis,
                    _ => 0,
                })
                .collect(),
            _ => Vec::new(),
        };
        let types = self.types(inputs.iter());
        let params = types
            .iter()
            .zip(inputs)
            .enumerate()
            .map(|(i, (ty, value))| {
                let bare = ty.clone().with_contents(None);
                let ty = match (has_batches, i.checked_sub(states)) {
                    (false, None) if ty.contents().is_none() => return Param::Value(*value),
                    (false, None) => bare,
                    (true, None) => without_axis(&bare, 0),
                    (false, Some(i)) => without_axis(&bare, axes.get(i).copied().unwrap_or(0)),
                    (true, Some(_)) => without_axis(&without_axis(&bare, 0), 0),
                };
                Param::Type(self.known_outside(&ty))
            });
        Some(params.collect())
    }

    /// What a `SequenceMap` hands to its body: a member of each sequence, and each tensor as it is.
    fn members(&self, inputs: &Values) -> Vec<Param> {
        let types = self.types(inputs.iter());
        let params = types.iter().zip(inputs).map(|(ty, value)| match &ty.kind {
            kanshape::TypeKind::Adt(name, of) if *name == "Sequence" => match of.first() {
                Some(member) => Param::Type(self.known_outside(member)),
                None => Param::Type(Type::UNKNOWN),
            },
            _ => Param::Value(*value),
        });
        params.collect()
    }
}

/// What has come of the branches of an `If`.
enum Branches {
    /// One is always taken, and this is what it gives.
    One(Vec<ValueId>),
    Both(Vec<Ran>),
}

fn scalar(dtype: Dtype) -> Type {
    Type::tensor(dtype, [] as [u64; 0])
}

/// The type of the slices of a tensor along an axis.
fn without_axis(ty: &Type, axis: i64) -> Type {
    let Some(tensor) = ty.as_tensor() else {
        return Type::UNKNOWN;
    };
    let shape = match tensor.shape.rank() {
        Some(rank) => {
            let at = if axis < 0 { axis + rank as i64 } else { axis };
            let mut dims: Vec<Dim> = tensor.shape.dims().to_vec();
            match usize::try_from(at).ok().filter(|at| *at < rank) {
                Some(at) => {
                    dims.remove(at);
                    Shape::known(dims)
                }
                None => Shape::unknown(),
            }
        }
        None => Shape::unknown(),
    };
    Tensor::new(tensor.dtype.clone(), shape).into()
}

/// Anything of the same dtype, if it is a tensor.
fn any_like(ty: &Type) -> Type {
    match ty.as_tensor() {
        Some(tensor) => Tensor::new(tensor.dtype.clone(), Shape::unknown()).into(),
        None => Type::UNKNOWN,
    }
}
