//! [`steps`]: a call of a PyTensor operator as questions to the catalog, one after the other.
//!
//! An operator of the catalog reduces one axis. Several axes are therefore as many steps, and a permutation, for which
//! there is no line of all ranks, is written as the line of this one.

use crate::fact::{Axes, Fact, Place, dims};
use kanshape::{
    Answer, AttrValue, Call, Dim, DtypeTerm, Operator, Query, Signature, Type, Verdict, catalog,
};
use std::collections::BTreeSet;

/// A question of which the inputs are what the step before has answered.
#[derive(Debug)]
pub(crate) struct Step {
    operator: Line,
    axis: Option<Dim>,
    /// What is required of the output.
    output: Type,
}

/// An operator of the catalog, or a line that is none.
#[derive(Debug)]
enum Line {
    Entry(Operator),
    Own(Box<Signature>),
}

impl Step {
    /// An operator of the catalog.
    fn entry(name: &str) -> Step {
        Step::of(Line::Entry(catalog().operator(name, None).unwrap()))
    }

    fn line(text: &str) -> Step {
        Step::of(Line::Own(Box::new(text.parse().unwrap())))
    }

    fn of(operator: Line) -> Step {
        Step {
            operator,
            axis: None,
            output: Type::UNKNOWN,
        }
    }

    /// Gives the axis, counted from the left. One that is negative even so is beyond all of them.
    fn at(self, axis: i64) -> Step {
        let value = match u64::try_from(axis) {
            Ok(axis) => Dim::Size(axis),
            Err(_) => Dim::Size(99),
        };
        let axis = Some(value);
        Step { axis, ..self }
    }

    /// Requires a shape of the output.
    fn requiring(self, shape: impl IntoIterator<Item = Dim>) -> Step {
        let output = Type::tensor(DtypeTerm::Hole, shape);
        Step { output, ..self }
    }

    /// What is required of the output.
    pub(crate) fn required(&self) -> &Type {
        &self.output
    }

    /// The name of the operator, or the line.
    pub(crate) fn rule(&self) -> String {
        match &self.operator {
            Line::Entry(operator) => operator.full_name(),
            Line::Own(line) => line.to_string(),
        }
    }

    /// The value of the attribute `axis`, if the operator has it.
    pub(crate) fn axis(&self) -> Option<&Dim> {
        self.axis.as_ref()
    }

    /// The query of this step.
    pub(crate) fn query(&self, inputs: &[Type]) -> Query {
        match &self.operator {
            Line::Own(line) => {
                let query = line.query().inputs(inputs.to_vec());
                query.output(0, self.output.clone())
            }
            Line::Entry(operator) => {
                let axis = self.axis.clone();
                let axis = axis.map(|axis| ("axis".into(), AttrValue::Dim(axis)));
                let call = Call {
                    inputs: inputs.iter().cloned().map(Some).collect(),
                    outputs: Some(vec![Some(self.output.clone())]),
                    attrs: axis.into_iter().collect(),
                    ..Call::default()
                };
                operator.query(call).unwrap()
            }
        }
    }

    /// The output of every answer.
    ///
    /// # Errors
    /// What is odd: the verdict is not what the answers are, or not known.
    fn outputs(&self, inputs: &[Type]) -> Result<Vec<Type>, String> {
        let mut answers = self.query(inputs).solve().map_err(|e| e.to_string())?;
        let found = answers.verdict();
        let outputs: Vec<Type> = answers.by_ref().map(output).collect();
        let fits = match found {
            Verdict::Always | Verdict::Depends => !outputs.is_empty(),
            Verdict::Never => outputs.is_empty(),
            Verdict::Unknown => false,
        };
        if !fits || !answers.complete() {
            let inputs: Vec<String> = inputs.iter().map(Type::to_string).collect();
            return Err(format!("{self:?} on {} is {found}", inputs.join(", ")));
        }
        Ok(outputs)
    }
}

/// The output of an answer, with the conditions under which it is one.
pub(crate) fn output(mut answer: Answer) -> Type {
    answer.outputs.remove(0).with_conditions(answer.conditions)
}

/// What the last step gives on these inputs; nothing if there is no solution.
///
/// # Errors
/// What is odd about one of the steps.
pub(crate) fn outputs(steps: &[Step], inputs: Vec<Type>) -> Result<Vec<Type>, String> {
    let mut known = vec![inputs];
    for step in steps {
        let mut next = Vec::new();
        for inputs in &known {
            next.extend(step.outputs(inputs)?.into_iter().map(|ty| vec![ty]));
        }
        known = next;
    }
    Ok(known.into_iter().flatten().collect())
}

/// The query of the first step that has no solution on these inputs.
pub(crate) fn refused(steps: &[Step], inputs: Vec<Type>) -> Option<Query> {
    let mut known = inputs;
    for step in steps {
        match step.outputs(&known).unwrap().into_iter().next() {
            Some(ty) => known = vec![ty],
            None => return Some(step.query(&known)),
        }
    }
    None
}

/// The steps of a call. None where no operator has such an attribute, whatever its input is.
pub(crate) fn steps(fact: &Fact) -> Option<Vec<Step>> {
    let (params, rank) = (&fact.params, fact.rank());
    let step = match fact.op.as_str() {
        "mul" => Step::entry("multiply"),
        "true_div" => Step::entry("divide"),
        "lt" => Step::entry("less"),
        "add3" => Step::entry("add_3"),
        "neg" => Step::entry("negative"),
        "concatenate" => Step::entry("concatenate").at(axes(fact, rank)[0]),
        "stack" => Step::entry("stack").at(axes(fact, rank + 1)[0]),
        "expand_dims" => Step::entry("expand_dims").at(axes(fact, rank + 1)[0]),
        "squeeze" | "sum" | "max" | "prod" | "mean" | "all" | "argmax" => return reduce(fact),
        "dimshuffle" => Step::line(&dimshuffle(&params.pattern, rank)?),
        "transpose" => {
            let turned = || (0..rank).rev().collect();
            let axes = params.axes.clone().unwrap_or_else(turned);
            let pattern: Vec<Place> = axes.into_iter().map(Place::Old).collect();
            Step::line(&dimshuffle(&pattern, pattern.len())?)
        }
        "reshape" => {
            let size = |&n| u64::try_from(n).map_or(Dim::Hole, Dim::Size);
            let line = "(...a)->(...b) where prod(...a) == prod(...b)";
            Step::line(line).requiring(params.newshape.iter().map(size))
        }
        "broadcast_to" => {
            let line = "(...a)->(...b) where ...b == broadcast(...a, ...b)";
            Step::line(line).requiring(dims(&params.shape))
        }
        "specify_shape" => Step::entry("specify_shape").requiring(dims(&params.shape)),
        name => Step::entry(name),
    };
    Some(vec![step])
}

/// The axes that a call gives, counted from the left where there are this many dims.
fn axes(fact: &Fact, rank: usize) -> Vec<i64> {
    let rank = i64::try_from(rank).unwrap();
    let from_left = |&axis: &i64| if axis < 0 { axis + rank } else { axis };
    let given = fact.params.axis.as_ref().map_or(&[][..], Axes::list);
    given.iter().map(from_left).collect()
}

/// One axis after the other, from the right: those that are left keep their numbers. None if an axis
/// stands twice.
fn reduce(fact: &Fact) -> Option<Vec<Step>> {
    let (name, rank) = (&fact.op, fact.rank());
    let unsqueeze = |axis| Step::entry("unsqueeze").at(axis);
    let mut steps = Vec::new();
    if fact.params.axis.is_none() {
        steps.push(Step::entry(name));
        let kept = if fact.params.keepdims { rank } else { 0 };
        steps.extend((0..kept).map(|_| unsqueeze(0)));
        return Some(steps);
    }
    // Where an axis is given, a scalar counts as a vector of one, but for `mean`, which divides by the size of that axis.
    let is_vector = rank == 0 && name != "mean";
    if is_vector {
        steps.push(unsqueeze(0));
    }
    let axes = axes(fact, if is_vector { 1 } else { rank });
    let distinct: BTreeSet<i64> = axes.iter().copied().collect();
    for &axis in distinct.iter().rev() {
        steps.push(Step::entry(name).at(axis));
        if fact.params.keepdims {
            steps.push(unsqueeze(axis));
        }
    }
    (distinct.len() == axes.len()).then_some(steps)
}

/// The line of a permutation of `rank` dims: `[2, "x", 0]` is `(a0,1,a2)->(a2,1,a0)`, for what is left
/// out must be 1. None if a dim stands twice: no permutation does that.
fn dimshuffle(pattern: &[Place], rank: usize) -> Option<String> {
    let mut used = BTreeSet::new();
    let mut output = Vec::new();
    for place in pattern {
        output.push(match place {
            Place::New(_) => "1".to_owned(),
            Place::Old(dim) => used.insert(*dim).then(|| format!("a{dim}"))?,
        });
    }
    // A dim that the input does not have is required of it all the same: there is no solution.
    let dims = used.last().map_or(0, |last| last + 1).max(rank);
    let name = |dim| match used.contains(&dim) {
        true => format!("a{dim}"),
        false => "1".to_owned(),
    };
    let input: Vec<String> = (0..dims).map(name).collect();
    Some(format!("({})->({})", input.join(","), output.join(",")))
}
