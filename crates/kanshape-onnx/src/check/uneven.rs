//! What may be another thing in each iteration of a loop. The slices that a loop puts together have to have one shape: what is calculated
//! of shapes that stay the same, and of what is in values from outside, has one shape even where its sizes are not known.
//!
//! This goes by what the nodes of a body take and give, not by the types that were found: a size may be open, and the same each time.

use super::body::{BodyGraph, BodyParam, Ran};
use super::call::{CalledOp, OfSequences};
use super::{Around, Checker, DEEPEST};
use crate::graph::Graph;
use crate::model::Versions;
use crate::symbols::Symbol;
use hashbrown::HashMap;
use kanshape::graph::ValueId;
use kanshape::{AttrValue, Dim, Operator, Type};

/// So many nodes are gone through for one loop; beyond, anything may be another thing each time.
const MOST_STEPS: usize = 20_000;

/// What of a value may be another thing in another iteration.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Varies {
    shape: bool,
    contents: bool,
}

impl Varies {
    const NOTHING: Varies = Varies {
        shape: false,
        contents: false,
    };
    const CONTENTS: Varies = Varies {
        shape: false,
        contents: true,
    };
    const ALL: Varies = Varies {
        shape: true,
        contents: true,
    };

    fn or(self, other: Varies) -> Varies {
        Varies {
            shape: self.shape || other.shape,
            contents: self.contents || other.contents,
        }
    }

    fn any(self) -> bool {
        self.shape || self.contents
    }

    /// All of what is made of it, where nothing is known of how.
    fn spread(self) -> Varies {
        match self.any() {
            true => Varies::ALL,
            false => Varies::NOTHING,
        }
    }
}

/// The values that may be other things each time, by the names that they have where the nodes stand.
#[derive(Default)]
struct VariedNames {
    by: HashMap<Symbol, Varies>,
    left: usize,
}

impl VariedNames {
    fn of(&self, symbol: Symbol) -> Varies {
        self.by.get(&symbol).copied().unwrap_or_default()
    }

    fn set(&mut self, symbol: Symbol, varies: Varies) -> Option<Varies> {
        match varies.any() {
            true => self.by.insert(symbol, varies),
            false => self.by.remove(&symbol),
        }
    }
}

/// A value that a loop carries.
#[derive(Clone, Copy, Debug)]
pub(super) struct Moving {
    /// It may have another shape in another iteration.
    shape: bool,
    /// The body was given the value from outside, which is that of the first iteration.
    is_value: bool,
}

impl Moving {
    /// What it is later, where this is what it is at first.
    pub(super) fn or(self, first: Moving) -> Moving {
        Moving {
            shape: self.shape || first.shape,
            ..self
        }
    }
}

/// The slices that a body gives, behind what it hands on.
pub(super) struct Slices {
    from: usize,
    carried: Vec<Moving>,
}

impl Slices {
    /// Those behind so many others.
    pub(super) fn behind(from: usize) -> Slices {
        Slices {
            from,
            carried: Vec::new(),
        }
    }

    /// Those of a loop that carries this.
    pub(super) fn of_loop(carried: Vec<Moving>) -> Slices {
        Slices {
            from: 1 + carried.len(),
            carried,
        }
    }
}

impl<'c, 'a> Checker<'c, 'a> {
    /// Which values that a loop carries may have another shape in another iteration: all that are not certain to come back with the shape
    /// that they are given with.
    pub(super) fn moving(&self, params: &[BodyParam], ran: &Ran) -> Vec<Moving> {
        let given = ran.params.iter().skip(2);
        let back = ran.results.iter().skip(1);
        let types = self.types(given.zip(back).flat_map(|(a, b)| [a, b]));
        let pairs = params.iter().skip(2).zip(types.chunks(2));
        let moving = pairs.map(|(param, types)| {
            let shape = |ty: &Type| ty.as_tensor().map(|tensor| tensor.shape.clone());
            let is_same = types.iter().all(is_fixed) && shape(&types[0]) == shape(&types[1]);
            let (is_fixed, is_value) = match param {
                BodyParam::Value(_) => (true, true),
                BodyParam::Type(ty) => (is_fixed(ty), false),
            };
            Moving {
                shape: !is_fixed || !is_same,
                is_value,
            }
        });
        moving.collect()
    }

    /// The slices that have certainly one shape by what was open before their loop, as far as that has a name.
    pub(super) fn fixed_slices(
        &self,
        before: &kanshape::graph::Graph,
        ran: &Ran,
        slices: &Slices,
    ) -> Vec<Option<Type>> {
        let own = ran.results.iter().skip(slices.from);
        let types = self.types(own.clone());
        // What the body is given is then what only the first iteration is given.
        let is_first = slices.carried.iter().any(|own| own.shape && own.is_value);
        let is_certain = |value: &ValueId| match is_first {
            true => self.graph.known(*value).is_some(),
            false => self.graph.is_determined_by(before, *value),
        };
        own.zip(types)
            .map(|(value, ty)| {
                is_certain(value).then(|| self.known_outside(&ty.with_contents(None)))
            })
            .collect()
    }

    /// May slices have other shapes in another iteration? These are certainly of one shape.
    pub(super) fn are_uneven(
        &mut self,
        body: &BodyGraph<'a>,
        ran: &Ran,
        (slices, fixed): (&Slices, &[Option<Type>]),
        around: Around<'_, 'a>,
    ) -> bool {
        if fixed.iter().all(Option::is_some) {
            return false;
        }
        let results = self.varying(body, ran, &slices.carried, around);
        let mut own = results.iter().skip(slices.from).zip(fixed);
        own.any(|(result, fixed)| result.shape && fixed.is_none())
    }

    /// What the results of the body of a loop are.
    fn varying(
        &mut self,
        body: &BodyGraph<'a>,
        ran: &Ran,
        carried: &[Moving],
        around: Around<'_, 'a>,
    ) -> Vec<Varies> {
        let first = body.graph.inputs.len() - carried.len().min(body.graph.inputs.len());
        let mut params = vec![Varies::CONTENTS; first];
        params.extend(carried.iter().zip(first..).map(|(own, i)| Varies {
            shape: own.shape,
            contents: own.shape || !is_handed_on(body, i),
        }));
        let mut names = VariedNames {
            left: MOST_STEPS,
            ..VariedNames::default()
        };
        let inside = Around {
            path: body.path,
            depth: around.depth + 1,
            ..around
        };
        loop {
            let results = self.varying_in(&body.graph, &params, &mut names, inside);
            let mut is_steady = true;
            // What a loop hands on follows its condition.
            let handed_on = results.iter().zip(&ran.results).skip(1);
            for (param, (result, value)) in params[first..].iter_mut().zip(handed_on) {
                if result.shape && !param.shape && self.graph.known(*value).is_none() {
                    *param = Varies::ALL;
                    is_steady = false;
                }
            }
            if is_steady {
                return results;
            }
        }
    }

    /// What the results of a graph are that is given this.
    fn varying_in(
        &mut self,
        graph: &Graph<'a>,
        params: &[Varies],
        names: &mut VariedNames,
        around: Around<'_, 'a>,
    ) -> Vec<Varies> {
        let cost = 1 + graph.nodes.len() + graph.initializers.len();
        if around.depth > DEEPEST || names.left < cost || !graph.later.is_empty() {
            names.left = 0;
            return vec![Varies::ALL; graph.outputs.len()];
        }
        names.left -= cost;
        let mut hidden: Vec<(Symbol, Option<Varies>)> = Vec::new();
        let given = graph.inputs.iter().map(|input| input.symbol);
        let given = given.zip(params.iter().copied());
        let own = graph.initializers.iter().map(|(symbol, _)| *symbol);
        for (symbol, varies) in own.map(|symbol| (symbol, Varies::NOTHING)).chain(given) {
            hidden.push((symbol, names.set(symbol, varies)));
        }
        for index in graph.in_order() {
            let outputs = self.varying_of(graph, index, names, around);
            let symbols = graph.outputs_of(&graph.nodes[index as usize]);
            for (i, symbol) in symbols.iter().enumerate() {
                let varies = outputs.get(i).or(outputs.last()).copied();
                let varies = varies.unwrap_or(Varies::ALL);
                hidden.push((*symbol, names.set(*symbol, varies)));
            }
        }
        let results = graph.outputs.iter().map(|own| names.of(own.symbol));
        let results = results.collect();
        for (symbol, varies) in hidden.into_iter().rev() {
            names.set(symbol, varies.unwrap_or_default());
        }
        results
    }

    /// What the outputs of a node are; the last one says it of those behind it too.
    fn varying_of(
        &mut self,
        graph: &Graph<'a>,
        index: u32,
        names: &mut VariedNames,
        around: Around<'_, 'a>,
    ) -> Vec<Varies> {
        let node = &graph.nodes[index as usize];
        let inputs = graph.inputs_of(node);
        let inputs: Vec<Varies> = inputs.iter().map(|symbol| names.of(*symbol)).collect();
        let all = inputs.iter().fold(Varies::NOTHING, |all, own| all.or(*own));
        let symbols = &self.symbols;
        let (op, _) = self
            .calls
            .op(around.dialect, node.kind, || symbols.op(node.kind));
        let (operator, of) = match self.calls.meaning(op) {
            CalledOp::Operator(operator, of) => (operator.clone(), *of),
            CalledOp::Constant => return vec![Varies::NOTHING],
            CalledOp::Function(function) => {
                let function = *function;
                return self.varying_function(graph, index, (function, &inputs), names, around);
            }
            CalledOp::Unknown(_) => return vec![Varies::ALL],
        };
        if operator.attributes().any(|attribute| attribute.is_type()) {
            return self.varying_control(graph, index, (&operator, &inputs), names, around);
        }
        match of {
            OfSequences::Nothing if operator.domain() == "ai.onnx" => {
                vec![made(operator.name(), &inputs, all)]
            }
            OfSequences::Same => vec![all],
            _ => vec![all.spread()],
        }
    }

    /// What a node gives that has bodies.
    fn varying_control(
        &mut self,
        graph: &Graph<'a>,
        index: u32,
        (operator, inputs): (&Operator, &[Varies]),
        names: &mut VariedNames,
        around: Around<'_, 'a>,
    ) -> Vec<Varies> {
        let node = &graph.nodes[index as usize];
        let written = self.written(node, Some(operator), around);
        let inside = Around {
            depth: around.depth + 1,
            ..around
        };
        let bodies = written.bodies.iter();
        let bodies: Vec<_> = bodies
            .map(|(_, message)| self.reader().graph(&[*message]))
            .collect();
        let input = |i: usize| inputs.get(i).copied().unwrap_or_default();
        match (operator.domain(), operator.name(), &bodies[..]) {
            ("ai.onnx", "If", [one, other]) => {
                let own = self.varying_in(one, &[], names, inside);
                let other = self.varying_in(other, &[], names, inside);
                let both = own.into_iter().zip(other).map(|(a, b)| a.or(b));
                both.map(|own| own.or(input(0).spread())).collect()
            }
            ("ai.onnx", "Loop", [body]) => {
                let mut count = input(0).or(input(1)).spread();
                let mut states = inputs.get(2..).unwrap_or_default().to_vec();
                loop {
                    // Which iteration it is, is the same in each that is compared.
                    let mut params = vec![Varies::NOTHING, count];
                    params.extend(&states);
                    let results = self.varying_in(body, &params, names, inside);
                    let goes_on = results.first().copied().unwrap_or(Varies::ALL);
                    let now = count.or(goes_on.spread());
                    let next = results.get(1..).unwrap_or_default();
                    let is_steady = handed_on(&mut states, next) && now == count;
                    count = now;
                    if is_steady {
                        let slices = next.iter().skip(states.len());
                        let all = states.iter().chain(slices);
                        return all.map(|own| own.or(count)).collect();
                    }
                }
            }
            ("ai.onnx", "Scan", [body]) => {
                let mut attrs = written.attrs.iter();
                let count = attrs.find_map(|(name, value)| match value {
                    AttrValue::Int(n) if **name == *"num_scan_inputs" => usize::try_from(*n).ok(),
                    _ => None,
                });
                let first = usize::from(operator.since() < 9);
                let given = inputs.get(first..).unwrap_or_default();
                let Some(at) = count.and_then(|count| given.len().checked_sub(count)) else {
                    return vec![Varies::ALL];
                };
                let (states, rows) = given.split_at(at);
                let mut states = states.to_vec();
                let turns = rows.iter().fold(Varies::NOTHING, |all, own| Varies {
                    shape: all.shape || own.shape,
                    contents: all.contents || own.shape,
                });
                loop {
                    let params = [&states[..], rows].concat();
                    let results = self.varying_in(body, &params, names, inside);
                    if handed_on(&mut states, &results) {
                        let slices = results.iter().skip(states.len());
                        let slices = slices.map(|own| own.or(turns));
                        let last = states.iter().map(|own| Varies {
                            contents: own.contents || turns.shape,
                            ..*own
                        });
                        return last.chain(slices).collect();
                    }
                }
            }
            // It may take anything.
            _ if names.by.is_empty() => vec![Varies::NOTHING],
            _ => vec![Varies::ALL],
        }
    }

    /// What a function of the model gives.
    fn varying_function(
        &mut self,
        graph: &Graph<'a>,
        index: u32,
        (function, inputs): (usize, &[Varies]),
        names: &mut VariedNames,
        around: Around<'_, 'a>,
    ) -> Vec<Varies> {
        let definition = &self.model.functions[function];
        if around.depth > DEEPEST {
            return vec![Varies::ALL];
        }
        let body = self.body_of(function);
        let attrs = self.attributes_of(graph, index, function, around);
        let versions = match definition.versions.is_empty() {
            true => self.model.versions.clone(),
            false => Versions::new(&definition.versions),
        };
        let inside = Around {
            path: around.path,
            depth: around.depth + 1,
            dialect: self.calls.dialect(&versions),
            versions: &versions,
            attrs: Some(&attrs),
            absent: &[],
        };
        let mut params = inputs.to_vec();
        params.resize(body.inputs.len(), Varies::NOTHING);
        // It does not see what is around it.
        let mut own = VariedNames {
            left: names.left,
            ..VariedNames::default()
        };
        let results = self.varying_in(&body, &params, &mut own, inside);
        names.left = own.left;
        results
    }
}

/// Has a type a rank, and all of its sizes a name or number? Within one reading a name is one size.
fn is_fixed(ty: &Type) -> bool {
    ty.as_tensor().is_some_and(|tensor| {
        tensor.shape.rank().is_some() && !tensor.shape.iter().any(|dim| *dim == Dim::Hole)
    })
}

/// Adds to what states are what they come back as. Was that so already?
fn handed_on(states: &mut [Varies], back: &[Varies]) -> bool {
    let mut is_steady = true;
    for (i, state) in states.iter_mut().enumerate() {
        let both = state.or(back.get(i).copied().unwrap_or(Varies::ALL));
        is_steady &= both == *state;
        *state = both;
    }
    is_steady
}

/// Does the body of a loop hand on a value as it is given it?
fn is_handed_on(body: &BodyGraph<'_>, input: usize) -> bool {
    let graph = &body.graph;
    let ends = graph.outputs.get(input - 1).map(|own| own.symbol);
    ends.is_some() && ends == graph.inputs.get(input).map(|own| own.symbol)
}

/// What an operator gives of this.
fn made(op: &str, inputs: &[Varies], all: Varies) -> Varies {
    let contents = |from: usize| inputs.iter().skip(from).any(|own| own.contents);
    let shape = all.shape
        || match op {
            // What is in these inputs is how large the outputs are: all, or all but the first.
            "NonZero" | "Unique" | "NonMaxSuppression" | "StringSplit" | "StringNormalizer"
            | "Range" | "MelWeightMatrix" | "ConstantOfShape" | "HannWindow" | "HammingWindow"
            | "BlackmanWindow" | "ImageDecoder" => contents(0),
            "Reshape" | "Expand" | "Tile" | "Slice" | "Squeeze" | "Unsqueeze" | "Pad"
            | "Resize" | "Upsample" | "TopK" | "OneHot" | "Split" | "Compress" | "MaxUnpool"
            | "STFT" | "DFT" | "CenterCropPad" | "AffineGrid" | "Col2Im" | "ReduceSum"
            | "ReduceMax" | "ReduceMin" | "ReduceMean" | "ReduceProd" | "ReduceL1" | "ReduceL2"
            | "ReduceLogSum" | "ReduceLogSumExp" | "ReduceSumSquare" => contents(1),
            "Optional" | "OptionalGetElement" | "OptionalHasElement" => all.contents,
            _ => false,
        };
    let is_random = matches!(
        op,
        "RandomNormal"
            | "RandomUniform"
            | "RandomNormalLike"
            | "RandomUniformLike"
            | "Bernoulli"
            | "Multinomial"
            | "Dropout"
    );
    let contents = match op {
        "Shape" | "Size" => all.shape,
        _ => all.any() || is_random,
    };
    Varies { shape, contents }
}
