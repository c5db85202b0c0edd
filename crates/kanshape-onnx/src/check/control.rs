//! The operators that have bodies: what is handed to these, and when they are run.
//!
//! What comes out of them is said by the rules of the catalog, as for all operators.

use super::body::{BodyGraph, Ending, Param, Ran, is_vague};
use super::node::Values;
use super::part::{self, Called, Guard, Part};
use super::{Around, Checker, Entry, Known, Origin};
use crate::graph::Graph;
use crate::problem::Place;
use crate::report::When;
use crate::symbols::Symbol;
use kanshape::graph::{Body, CallId, Outputs, ValueId};
use kanshape::syntax::tree::Expr;
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
        let values = self.inputs(graph, index, inputs, around);
        let mut bodies = Vec::with_capacity(written.bodies.len());
        for body in &written.bodies {
            let Some(body) = self.read_body(graph, index, *body, around) else {
                return self.untyped(graph, index, around, "its bodies stand too deep".into());
            };
            bodies.push(body);
        }
        let is_there: Vec<bool> = inputs.iter().map(|s| *s != Symbol::NONE).collect();
        let names = values.iter().map(|value| self.name_of(*value));
        let given = values.iter().copied().zip(names).collect();
        let path = &self.paths[around.path as usize];
        let mut at = At {
            graph,
            index,
            around,
            place: graph.place(path, index, &self.symbols),
            given,
            values,
            carried: Vec::new(),
        };
        let parts = self.parts.len();
        let outputs = graph.outputs_of(node).iter();
        let outputs: Vec<bool> = outputs.map(|s| *s != Symbol::NONE).collect();
        let attrs = written.attrs.clone();
        let call = self.graph.call(operator, attrs, &is_there, &outputs);
        let ran = match (operator.domain(), operator.name()) {
            ("ai.onnx", "If") => {
                let fits = |body: &BodyGraph<'a>| self.fits(graph, index, body, 0, around);
                match bodies.iter().all(fits) && are_branches(&bodies) {
                    true => return self.add_choice(&at, operator, &bodies),
                    false => None,
                }
            }
            ("ai.onnx", "Loop") => self.run_loop(&mut at, &bodies, &is_there),
            ("ai.onnx", "Scan") => bodies.first().and_then(|body| {
                let (params, scanned) = self.slices(operator, &written.attrs, &at, &is_there)?;
                let fits = self.fits(graph, index, body, params.len(), around);
                let call = call.as_ref().ok().copied();
                fits.then(|| vec![self.run_scan(&at, body, &params, scanned, call)])
            }),
            ("ai.onnx", "SequenceMap") => bodies.first().and_then(|body| {
                let params = self.members(&at.values);
                let params: Vec<Param> = params.iter().map(|p| self.widened(p)).collect();
                let fits = self.fits(graph, index, body, params.len(), around);
                let guard = other(body, When::Member);
                let when = (at.place.clone(), guard);
                fits.then(|| vec![self.run_if_at_all(body, &params, when, around).0])
            }),
            // What it hands to them it does not say.
            _ => {
                let ran = bodies.iter().map(|body| {
                    let params = vec![Param::Type(Type::UNKNOWN); body.graph.inputs.len()];
                    let when = (at.place.clone(), other(body, When::Sometimes));
                    self.run_if_at_all(body, &params, when, around).0
                });
                Some(ran.collect())
            }
        };
        let Some(ran) = ran else {
            let why = "its bodies are none that it has, or not like what it hands to them";
            return self.untyped(graph, index, around, why.into());
        };
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
        let (_, outputs) = self.graph.add_with_bodies(call, &at.values, &ran);
        self.origin(node, index, around);
        self.note_unrun(parts, &at, operator, outputs);
        self.bind_outputs(graph, index, outputs, around);
    }

    /// Notes of the parts of a loop what it gives if its body is not run.
    fn note_unrun(&mut self, first: usize, at: &At<'_, '_, 'a>, operator: &Operator, all: Outputs) {
        if (operator.domain(), operator.name()) != ("ai.onnx", "Loop") {
            return;
        }
        let node = &at.graph.nodes[at.index as usize];
        let inputs = at.graph.inputs_of(node).iter().skip(2);
        let outputs = at.graph.outputs_of(node);
        let mut values = all.iter();
        let mut pairs: Vec<(ValueId, ValueId)> = Vec::new();
        let carried = &at.carried[..];
        for ((_, symbol), given) in inputs.zip(outputs).zip(carried) {
            if *symbol != Symbol::NONE
                && let Some(value) = values.next()
            {
                pairs.push((value, *given));
            }
        }
        let parent = self.inside;
        for part in self.parts[first..]
            .iter_mut()
            .filter(|p| p.parent == parent)
        {
            part.unrun = pairs.clone();
        }
    }

    /// What a value is called.
    fn name_of(&self, value: ValueId) -> String {
        let is_it = |entry: &&Entry| matches!(entry.value, Known::Value(own) if own == value);
        match self.values.iter().find(is_it) {
            Some(entry) => {
                let path = &self.paths[entry.path as usize];
                format!("{path}{}", self.symbols.name(entry.symbol))
            }
            None => "a value without a name".into(),
        }
    }

    /// The outputs of a node are these values.
    fn hand_over(&mut self, at: &At<'_, '_, 'a>, results: Vec<ValueId>) {
        let outputs = at.graph.outputs_of(&at.graph.nodes[at.index as usize]);
        let mut results = results.into_iter();
        for symbol in outputs {
            let value = results.next();
            if *symbol != Symbol::NONE {
                let value = value.unwrap_or_else(|| self.graph.unknown());
                self.bind(at.graph, *symbol, value, at.around);
            }
        }
    }

    /// A node that runs one of two bodies. If it is known which one, that is always run, and the other never.
    fn add_choice(&mut self, at: &At<'_, '_, 'a>, operator: &Operator, bodies: &[BodyGraph<'a>]) {
        let node = &at.graph.nodes[at.index as usize];
        let cond = at.given.first().cloned();
        // What the rule says of the condition.
        let is_there = vec![true; at.given.len()];
        let call = match self.graph.call(operator, Vec::new(), &is_there, &[]) {
            Ok(call) => call,
            Err(diagnostic) => {
                let why = diagnostic.headline.into();
                return self.untyped(at.graph, at.index, at.around, why);
            }
        };
        let known = cond.as_ref().and_then(|(value, _)| {
            let types = self.types(std::iter::once(value));
            part::is_truth(&types[0])
        });
        if let Some(is) = known {
            let mut results = Vec::new();
            for body in bodies {
                match is_run_if(body, is) {
                    true => results = self.run_body(body, &[], at.around).results,
                    false => self.run_never(body, &[], at.around),
                }
            }
            return self.hand_over(at, results);
        }
        let Some(cond) = cond else {
            let why = "it has no condition";
            return self.untyped(at.graph, at.index, at.around, why.into());
        };
        let mut results: Vec<Vec<ValueId>> = Vec::new();
        let mut parts: Vec<usize> = Vec::new();
        let mut is_merged = true;
        for body in bodies {
            let before = self.mark();
            let guard = Guard::Branch {
                body: body.attr.into(),
                cond: cond.clone(),
                is: is_run_if(body, true),
            };
            self.begin_part((at.place.clone(), guard));
            let part = self.parts.len() - 1;
            let ran = self.run_body(body, &[], at.around);
            is_merged &= matches!(self.end_part(&before, &ran), Ending::Merged);
            parts.push(part);
            results.push(ran.results);
        }
        let [own, other] = [&results[0], &results[1]];
        if own.len() != other.len() {
            let why = "its branches do not give the same number of values";
            return self.untyped(at.graph, at.index, at.around, why.into());
        }
        let types = self.types(own.iter().chain(other));
        let is_same = types[..own.len()] == types[own.len()..] && !types.iter().any(is_vague);
        if is_merged && is_same {
            return self.add_merged(at, operator, bodies, &results);
        }
        let none = bodies.iter().map(|body| Body {
            attr: body.attr,
            params: &[],
            results: &[],
        });
        let none: Vec<Body<'_>> = none.collect();
        self.graph.add_with_bodies(call, &at.values, &none);
        self.origin(node, at.index, at.around);
        for (own, results) in parts.iter().zip(&results) {
            let part = &mut self.parts[*own];
            part.origin = Origin {
                path: at.around.path,
                index: at.index,
            };
            if !part.is_open {
                // It is in the graph, and requires nothing.
                part.before = self.graph.clone();
                part.after = self.graph.clone();
                part.results = results.clone();
                part.is_open = true;
            }
        }
        self.parts[parts[0]].other = Some(parts[1]);
        self.parts[parts[1]].other = Some(parts[0]);
        let can: Vec<usize> = parts.iter().copied().filter(|p| self.can_be(*p)).collect();
        let types = match can[..] {
            [own, other] => {
                let [own, other] = [own, other].map(|p| {
                    let part = &self.parts[p];
                    (part.after.clone(), part.results.clone())
                });
                self.common([&own, &other])
            }
            [only] => types_of(&mut self.parts[only]),
            _ => vec![Type::UNKNOWN; results[0].len()],
        };
        let types: Vec<Type> = types.iter().map(|ty| self.known_outside(ty)).collect();
        let (_, outputs) = self.graph.add_typed(&at.values, &types);
        self.origin(node, at.index, at.around);
        let outputs: Vec<ValueId> = outputs.iter().collect();
        for part in parts {
            self.parts[part].outputs = outputs.clone();
        }
        self.hand_over(at, outputs);
    }

    /// A choice of which no branch requires anything: both are in the graph, and its rule says what is common to them.
    fn add_merged(
        &mut self,
        at: &At<'_, '_, 'a>,
        operator: &Operator,
        bodies: &[BodyGraph<'a>],
        results: &[Vec<ValueId>],
    ) {
        let node = &at.graph.nodes[at.index as usize];
        let outputs = at.graph.outputs_of(node).iter();
        let outputs: Vec<bool> = outputs.map(|s| *s != Symbol::NONE).collect();
        let is_there = vec![true; at.given.len()];
        let call = match self.graph.call(operator, Vec::new(), &is_there, &outputs) {
            Ok(call) => call,
            Err(diagnostic) => {
                let why = diagnostic.headline.into();
                return self.untyped(at.graph, at.index, at.around, why);
            }
        };
        let bodies = bodies.iter().zip(results).map(|(body, results)| Body {
            attr: body.attr,
            params: &[],
            results,
        });
        let bodies: Vec<Body<'_>> = bodies.collect();
        let (_, outputs) = self.graph.add_with_bodies(call, &at.values, &bodies);
        self.origin(node, at.index, at.around);
        self.bind_outputs(at.graph, at.index, outputs, at.around);
    }

    /// What the results of two branches have in common, in names that hold outside of them.
    pub(super) fn common(&self, parts: [&InGraph; 2]) -> Vec<Type> {
        let [own, other] = parts.map(|(graph, results)| {
            let mut graph = graph.clone();
            let mut reading = graph.read();
            results.iter().map(|v| reading.ty(*v)).collect::<Vec<_>>()
        });
        let pairs = own.iter().zip(&other);
        pairs
            .map(|(a, b)| {
                let [a, b] = [a, b].map(|ty| self.known_outside(ty));
                let both = order::join(&a, &b);
                let (Some(x), Some(y), Some(joined)) =
                    (a.as_tensor(), b.as_tensor(), both.as_tensor())
                else {
                    return both;
                };
                if x.shape.rank().is_none() || x.shape.rank() != y.shape.rank() {
                    return both;
                }
                let dims = x.shape.dims().iter().zip(y.shape.dims());
                let dims: Vec<Dim> = dims
                    .map(|(x, y)| match x == y {
                        true => x.clone(),
                        // What one branch requires of a name does not make it another size there.
                        false if seen_in(&parts[1].0, x).as_ref() == Some(y) => x.clone(),
                        false if seen_in(&parts[0].0, y).as_ref() == Some(x) => y.clone(),
                        false => Dim::Hole,
                    })
                    .collect();
                let tensor = Tensor::new(joined.dtype.clone(), Shape::known(dims));
                tensor.with_contents(joined.contents.clone()).into()
            })
            .collect()
    }

    /// Runs the body of a `Loop`.
    fn run_loop(
        &mut self,
        at: &mut At<'_, '_, 'a>,
        bodies: &[BodyGraph<'a>],
        is_there: &[bool],
    ) -> Option<Vec<Ran>> {
        let body = bodies.first()?;
        let [has_limit, has_cond] = match is_there[..] {
            [limit, cond, ..] => [limit, cond],
            _ => return None,
        };
        let first = usize::from(has_limit) + usize::from(has_cond);
        let carried: Vec<ValueId> = at.values.get(first..)?.to_vec();
        at.carried = carried.clone();
        if !self.fits(at.graph, at.index, body, carried.len() + 2, at.around) {
            return None;
        }
        let limit = at.given.first().filter(|_| has_limit).cloned();
        let cond = at
            .given
            .get(usize::from(has_limit))
            .filter(|_| has_cond)
            .cloned();
        // Where there is a condition, the body is run only when it holds.
        let holds = Contents::new([Content::Bool(true)]).filter(|_| has_cond);
        let truth = scalar(Dtype::Bool).with_contents(holds);
        let turns = self.count(limit.as_ref(), cond.as_ref());
        let loop_guard = |when: When| Guard::Loop {
            body: body.attr.into(),
            when,
            limit: limit.clone(),
            cond: cond.clone(),
        };
        let how = Turns {
            body,
            cond: &truth,
            turns,
            guard: &loop_guard,
        };
        let ran = self.turns(&how, &carried, at);
        // An empty sequence is one of those that the body is given later.
        let carried = at.values.iter_mut().rev().zip(ran.params.iter().rev());
        for (value, param) in carried.filter(|(value, _)| self.is_empty(**value)) {
            *value = *param;
        }
        Some(vec![ran])
    }

    /// How often a loop is run, as far as that is known.
    fn count(&self, limit: Option<&Called>, cond: Option<&Called>) -> Count {
        let types = self.types(limit.into_iter().chain(cond).map(|called| &called.0));
        let mut types = types.iter();
        let limit = limit.and_then(|_| types.next());
        let cond = cond.and_then(|_| types.next());
        let most = limit.map(|ty| match part::number(ty) {
            Some(Expr::Int(n)) => Some(n),
            _ => None,
        });
        match (most, cond.map(part::is_truth)) {
            (Some(Some(0)), _) | (_, Some(Some(false))) => Count::Never,
            // Nothing ends it, or nothing but its limit.
            (None, None) => Count::AtLeast(2),
            (Some(Some(n)), None) => Count::AtLeast(n),
            (None | Some(Some(_)), Some(Some(true))) => Count::AtLeast(1),
            _ => Count::Any,
        }
    }

    /// Runs the body of a `Loop`, until what it hands on to its next turn is what it is given in each.
    fn turns(&mut self, how: &Turns<'_, 'a>, carried: &[ValueId], at: &At<'_, '_, 'a>) -> Ran {
        let Turns { body, .. } = *how;
        let types = self.types(carried.iter());
        let mut params: Vec<Param> = vec![
            Param::Type(scalar(Dtype::I64)),
            Param::Type(how.cond.clone()),
        ];
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
        let first = params.clone();
        for turn in 0..=MOST_TRIES {
            let before = self.mark();
            self.begin_part((at.place.clone(), (how.guard)(When::Each)));
            let ran = self.run_body(body, &params, at.around);
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
                // What the body requires of what it is given does not make that another one.
                let given = match &*param {
                    Param::Value(_) => given,
                    Param::Type(ty) => ty.clone().with_contents(None),
                };
                if given == back || given.is_unknown() {
                    continue;
                }
                let both = order::join(&given, &back);
                if both == given || self.known_outside(&both) == self.known_outside(&given) {
                    continue;
                }
                is_steady = false;
                *param = Param::Type(match turn + 1 < MOST_TRIES {
                    true => self.known_outside(&both),
                    false => any_like(&both),
                });
            }
            let is_last = turn == MOST_TRIES;
            let wrong = before.graph.problems().len();
            let is_impossible = turn == 0 && self.graph.problems().len() > wrong;
            if !is_steady && !is_last && !is_impossible {
                self.back_to(&before);
                continue;
            }
            let is_widened = turn > 0;
            if how.turns == Count::Never {
                self.back_to(&before);
                return self.run_no_turn(body, &params, at);
            }
            if !is_widened && how.turns != Count::Any {
                // It is run, and what it requires is required of the model.
                self.merge(&before);
                return ran;
            }
            if !is_widened || !self.graph.asks_beyond(&before.graph) {
                let (mut ran, ending) = self.settle_body(before, ran);
                self.with_names_of(&mut ran, &ending, carried);
                self.originate(ending, at);
                return ran;
            }
            self.back_to(&before);
            return self.run_widened(how, [&first, &params], at);
        }
        // The last try has returned.
        self.run_body(body, &params, at.around)
    }

    /// Runs the body of a loop that hands on something else than it is given: the first iteration with what that is
    /// given, and the others with anything that they may be given.
    fn run_widened(
        &mut self,
        how: &Turns<'_, 'a>,
        [first, later]: [&[Param]; 2],
        at: &At<'_, '_, 'a>,
    ) -> Ran {
        let before = self.mark();
        let mut is_first = None;
        if how.turns == Count::Any {
            self.begin_part((at.place.clone(), (how.guard)(When::First)));
            let ran = self.run_body(how.body, first, at.around);
            let ending = self.end_part(&before, &ran);
            if let Ending::Part(part) = ending {
                is_first = Some(part);
            }
            self.originate(ending, at);
        } else {
            self.run_body(how.body, first, at.around);
        }
        self.unlist(&before);
        let params: Vec<Param> = later.iter().map(|param| self.widened(param)).collect();
        let when = (at.place.clone(), (how.guard)(When::Later));
        let (ran, ending) = self.run_if_at_all(how.body, &params, when, at.around);
        if let (Ending::Part(part), Some(first)) = (&ending, is_first) {
            self.parts[first].later = Some(*part);
        }
        self.originate(ending, at);
        ran
    }

    /// What a body gives, in the names of what it was given, where it has these sizes: there, a name may have been
    /// found to be a number.
    fn with_names_of(&mut self, ran: &mut Ran, ending: &Ending, carried: &[ValueId]) {
        let Ending::Part(part) = *ending else { return };
        let types = self.types(carried.iter().chain(ran.results.iter().skip(1)));
        let (given, back) = types.split_at(carried.len());
        for (i, (given, back)) in given.iter().zip(back).enumerate() {
            let (Some(x), Some(y)) = (given.as_tensor(), back.as_tensor()) else {
                continue;
            };
            if x.shape.rank().is_none() || x.shape.rank() != y.shape.rank() {
                continue;
            }
            let after = &self.parts[part].after;
            let dims = x.shape.dims().iter().zip(y.shape.dims());
            let dims = dims.map(|(x, y)| match seen_in(after, x).as_ref() == Some(y) {
                true => x.clone(),
                false => y.clone(),
            });
            let shape = Shape::known(dims.collect::<Vec<Dim>>());
            if shape != y.shape {
                let ty = Tensor::new(y.dtype.clone(), shape).into();
                let ty = self.without_conditions(self.known_outside(&ty));
                ran.results[i + 1] = self.value(&ty, "");
            }
        }
    }

    /// The body of a loop that is not run, for the types that it has.
    fn run_no_turn(&mut self, body: &BodyGraph<'a>, params: &[Param], at: &At<'_, '_, 'a>) -> Ran {
        self.run_never(body, params, at.around);
        let mut unknown = |count: usize| (0..count).map(|_| self.graph.unknown()).collect();
        let params = unknown(body.graph.inputs.len());
        let results = unknown(body.graph.outputs.len());
        Ran { params, results }
    }

    /// What a loop is given in some iteration, with names for the dims that may be others in each.
    fn widened(&mut self, param: &Param) -> Param {
        let Param::Type(ty) = param else {
            return param.clone();
        };
        let Some(tensor) = ty.as_tensor() else {
            return param.clone();
        };
        if tensor.shape.run().is_some() {
            return param.clone();
        }
        let dims = tensor.shape.iter().map(|dim| match dim {
            Dim::Hole => {
                let dim = self.dims.of_iteration();
                if let Dim::Name(name) = &dim {
                    self.widened.insert(name.clone());
                }
                dim
            }
            dim => dim.clone(),
        });
        let shape = Shape::known(dims.collect::<Vec<Dim>>());
        let named = Tensor::new(tensor.dtype.clone(), shape);
        Param::Type(named.with_contents(tensor.contents.clone()).into())
    }

    /// Notes which node a part is of.
    fn originate(&mut self, ending: Ending, at: &At<'_, '_, 'a>) {
        if let Ending::Part(part) = ending {
            self.parts[part].origin = Origin {
                path: at.around.path,
                index: at.index,
            };
        }
    }

    /// Runs the body of a `Scan`: once for each slice.
    fn run_scan(
        &mut self,
        at: &At<'_, '_, 'a>,
        body: &BodyGraph<'a>,
        params: &[Param],
        scanned: Vec<(Called, usize)>,
        call: Option<CallId>,
    ) -> Ran {
        let types = self.types(scanned.iter().map(|(called, _)| &called.0));
        let sizes = types.iter().zip(&scanned);
        let mut sizes = sizes.filter_map(|(ty, (_, axis))| match part::size(ty, *axis) {
            Some(Expr::Int(n)) => Some(n),
            _ => None,
        });
        match sizes.next() {
            Some(0) => self.run_no_turn(body, params, at),
            Some(_) => self.run_body(body, params, at.around),
            None => {
                let before = self.mark();
                let guard = Guard::Scan {
                    body: body.attr.into(),
                    scanned,
                };
                self.begin_part((at.place.clone(), guard));
                let ran = self.run_body(body, params, at.around);
                if let (true, Some(call)) = (self.graph.asks_beyond(&before.graph), call) {
                    // What it requires of the slices it requires of what they are slices of.
                    let own = Body {
                        attr: body.attr,
                        params: &ran.params,
                        results: &ran.results,
                    };
                    self.graph.add_with_bodies(call, &at.values, &[own]);
                    let node = &at.graph.nodes[at.index as usize];
                    self.origin(node, at.index, at.around);
                }
                let (ran, ending) = self.settle_body(before, ran);
                self.originate(ending, at);
                ran
            }
        }
    }

    /// What a `Scan` hands to its body: its states, and a slice of each other input. And along which axes it takes them.
    fn slices(
        &self,
        operator: &Operator,
        attrs: &[(Box<str>, AttrValue)],
        at: &At<'_, '_, 'a>,
        is_there: &[bool],
    ) -> Option<(Vec<Param>, Vec<(Called, usize)>)> {
        let attr = |name: &str| attrs.iter().find(|a| *a.0 == *name).map(|a| &a.1);
        let Some(AttrValue::Int(count)) = attr("num_scan_inputs") else {
            return None;
        };
        // The first version goes through batches, whose lengths may be given before everything else.
        let has_batches = operator.since() < 9;
        let inputs = match (has_batches, is_there.first()) {
            (true, Some(true)) => at.given.get(1..)?,
            _ => &at.given[..],
        };
        let states = inputs.len().checked_sub(usize::try_from(*count).ok()?)?;
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
        let types = self.types(inputs.iter().map(|called| &called.0));
        let mut scanned = Vec::new();
        let params = types
            .iter()
            .zip(inputs)
            .enumerate()
            .map(|(i, (ty, called))| {
                let bare = ty.clone().with_contents(None);
                let ty = match (has_batches, i.checked_sub(states)) {
                    (false, None) if ty.contents().is_none() => return Param::Value(called.0),
                    (false, None) => bare,
                    (true, None) => without_axis(&bare, 0),
                    (false, Some(i)) => {
                        let axis = axes.get(i).copied().unwrap_or(0);
                        scanned.extend(place_of_axis(&bare, axis).map(|at| (called.clone(), at)));
                        without_axis(&bare, axis)
                    }
                    (true, Some(_)) => {
                        scanned.extend([0, 1].map(|at| (called.clone(), at)));
                        without_axis(&without_axis(&bare, 0), 0)
                    }
                };
                Param::Type(self.known_outside(&ty))
            });
        let params = params.collect();
        Some((params, scanned))
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

/// A node that has bodies.
struct At<'g, 'r, 'a> {
    graph: &'g Graph<'a>,
    index: u32,
    around: Around<'r, 'a>,
    place: Place,
    /// What it is given.
    values: Values,
    /// The same with names.
    given: Vec<Called>,
    /// What a loop is given to carry.
    carried: Vec<ValueId>,
}

/// How often a loop is run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Count {
    Never,
    /// So often at least, which is at least once.
    AtLeast(u64),
    Any,
}

/// How a loop is run.
#[derive(Clone, Copy)]
struct Turns<'r, 'a> {
    body: &'r BodyGraph<'a>,
    /// The condition that the body is given.
    cond: &'r Type,
    turns: Count,
    guard: &'r dyn Fn(When) -> Guard,
}

/// Values of a graph.
pub(super) type InGraph = (kanshape::graph::Graph, Vec<ValueId>);

/// What a dim is known to be in a graph.
fn seen_in(graph: &kanshape::graph::Graph, dim: &Dim) -> Option<Dim> {
    if *dim == Dim::Hole {
        return None;
    }
    let mut graph = graph.clone();
    let value = graph.value(&Type::tensor(Dtype::F32, [dim.clone()]));
    let ty = graph.ty(value.ok()?);
    ty.as_tensor()?.shape.dims().first().cloned()
}

/// The types of the results of a part, as they are there.
fn types_of(part: &mut Part) -> Vec<Type> {
    let mut reading = part.after.read();
    part.results.iter().map(|v| reading.ty(*v)).collect()
}

/// Are these the two branches of a choice?
fn are_branches(bodies: &[BodyGraph<'_>]) -> bool {
    let names = bodies.iter().map(|body| body.attr);
    names.clone().eq(["then_branch", "else_branch"]) || names.eq(["else_branch", "then_branch"])
}

/// Is a branch run if the condition is this?
fn is_run_if(body: &BodyGraph<'_>, cond: bool) -> bool {
    (body.attr == "then_branch") == cond
}

fn other(body: &BodyGraph<'_>, when: When) -> Guard {
    Guard::Other {
        body: body.attr.into(),
        when,
    }
}

fn scalar(dtype: Dtype) -> Type {
    Type::tensor(dtype, [] as [u64; 0])
}

/// The place of an axis among the dims of a tensor.
fn place_of_axis(ty: &Type, axis: i64) -> Option<usize> {
    let rank = ty.as_tensor()?.shape.rank()?;
    let at = if axis < 0 { axis + rank as i64 } else { axis };
    usize::try_from(at).ok().filter(|at| *at < rank)
}

/// The type of the slices of a tensor along an axis.
fn without_axis(ty: &Type, axis: i64) -> Type {
    let Some(tensor) = ty.as_tensor() else {
        return Type::UNKNOWN;
    };
    let shape = match tensor.shape.rank() {
        Some(_) => {
            let mut dims: Vec<Dim> = tensor.shape.dims().to_vec();
            match place_of_axis(ty, axis) {
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
