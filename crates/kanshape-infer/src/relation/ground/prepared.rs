//! [`Prepared`]: a call of an operator that is prepared once, and run on whatever inputs there are.

use super::attribute::Attributes;
use super::store::Val;
use super::value::Value;
use super::{Buffers, Ground, Stop};
use crate::program::CallArg;
use crate::relation::Library;
use crate::{AttrValue, Operator};
use kanshape_diag::Diagnostic;
use kanshape_types::{Dtype, Promotion};
use smallvec::SmallVec;
use std::sync::Arc;

/// A call of which everything is known but the inputs.
#[derive(Clone, Debug)]
pub(crate) struct Prepared {
    library: Arc<Library>,
    /// The number of the operator's rule.
    rule: usize,
    promotion: Promotion,
    args: Box<[Arg]>,
}

/// The outputs of a call.
pub(crate) type Outputs = SmallVec<[Value; 2]>;

/// What the operator's rule is called with.
#[derive(Clone, Debug)]
enum Arg {
    /// An attribute, or something that is left out.
    Known(Value),
    /// An input, by its place among those that are there.
    Input(usize),
    /// The same, where it might have been left out.
    Present(usize),
    /// So many inputs from this one on.
    Inputs(usize, usize),
    /// An output, and whether it is asked for.
    Output(bool),
    /// The same, where it might have been left out.
    PresentOutput,
    /// A list of so many outputs.
    Outputs(usize),
    /// A list of however many outputs.
    Rest,
}

impl Prepared {
    /// Prepares a call with these attributes, of which it is known which inputs there are, and which outputs are asked
    /// for. `None` if not all of its attributes are known, or one of them is the type of a function.
    ///
    /// # Errors
    /// As [`Operator::query`].
    pub(crate) fn new(
        operator: &Operator,
        attrs: &[(Box<str>, AttrValue)],
        inputs: &[bool],
        outputs: &[bool],
        promotion: Promotion,
    ) -> Result<Option<Prepared>, Diagnostic> {
        for (name, _) in attrs {
            operator.attribute(name)?;
        }
        let placed = operator.place(inputs, Some(outputs))?;
        let asked = |i: usize| placed.outputs[i].is_some();
        let count = placed.inputs.len();
        Ok(Prepared::of_call(
            operator,
            &placed.args,
            count,
            asked,
            attrs,
            promotion,
        ))
    }

    /// A call of an operator's rule with these arguments, which speak of `count` inputs and then of outputs.
    pub(super) fn of_call(
        operator: &Operator,
        args: &[CallArg],
        count: usize,
        asked: impl Fn(usize) -> bool,
        attrs: &[(Box<str>, AttrValue)],
        promotion: Promotion,
    ) -> Option<Prepared> {
        let library = operator.library();
        let mut attributes = Attributes::new(&library.words);
        let args = args.iter().map(|arg| {
            Some(match arg {
                CallArg::Type(i) => match i.checked_sub(count) {
                    None => Arg::Input(*i),
                    Some(output) => Arg::Output(asked(output)),
                },
                CallArg::Present(i) if *i < count => Arg::Present(*i),
                CallArg::Present(_) => Arg::PresentOutput,
                CallArg::Absent => Arg::Known(Value::None),
                CallArg::Types(all) => match all.first() {
                    None => Arg::Known(Value::List(Arc::default())),
                    Some(first) if *first < count => Arg::Inputs(*first, all.len()),
                    Some(_) => Arg::Outputs(all.len()),
                },
                CallArg::Rest => Arg::Rest,
                CallArg::Attr(i) => {
                    let rule = &operator.parts().attrs[*i];
                    let own = attrs.iter().rev().find(|a| a.0 == rule.name);
                    Arg::Known(match own.map(|a| &a.1).or(rule.default.as_ref()) {
                        Some(given) => attributes.value(&rule.kind, given)?,
                        None if rule.optional => Value::None,
                        None => return None,
                    })
                }
            })
        });
        Some(Prepared {
            args: args.collect::<Option<_>>()?,
            library: Arc::clone(library),
            rule: operator.rule(),
            promotion,
        })
    }

    /// The outputs that are asked for, in order, from the inputs that are there.
    ///
    /// # Errors
    /// [`Stop::Fail`] if there is no such call; [`Stop::Leave`] if only the engine can say, or too few inputs are
    /// given.
    pub(crate) fn run(&self, inputs: &[&Value]) -> Result<Outputs, Stop> {
        Buffers::with(|buffers| self.run_in(buffers, inputs))
    }

    fn run_in(&self, buffers: &mut Buffers, inputs: &[&Value]) -> Result<Outputs, Stop> {
        let mut ground = Ground::new(&self.library, self.promotion, buffers);
        let mut args: SmallVec<[Val; 16]> = SmallVec::new();
        let input = |i: usize| inputs.get(i).copied().ok_or(Stop::Leave);
        for arg in &self.args {
            let store = &mut ground.store;
            args.push(match arg {
                Arg::Known(value) => store.load(value)?,
                Arg::Input(i) => store.load(input(*i)?)?,
                Arg::Present(i) => {
                    let input = store.load(input(*i)?)?;
                    store.push_some(input)?
                }
                Arg::Inputs(first, count) => {
                    let all = inputs.get(*first..first + count).ok_or(Stop::Leave)?;
                    store.load_list(all.iter().copied())?
                }
                Arg::Output(_) | Arg::Rest => Val::Open,
                Arg::PresentOutput => Val::There,
                Arg::Outputs(count) => Val::Length(u32::try_from(*count).map_err(|_| Stop::Leave)?),
            });
        }
        ground
            .operator(self.rule, &mut args)
            .map_err(|stop| match stop {
                Stop::Fail => Stop::Fail,
                Stop::Wait | Stop::Leave => Stop::Leave,
            })?;
        let store = &ground.store;
        let mut outputs = Outputs::new();
        for (arg, val) in self.args.iter().zip(args) {
            match (arg, val) {
                (Arg::Known(_) | Arg::Input(_) | Arg::Present(_) | Arg::Inputs(..), _) => {}
                (Arg::Output(asked), val) => {
                    let output = store.unload(val)?;
                    outputs.extend(asked.then_some(output));
                }
                (Arg::PresentOutput, Val::Some(of)) => outputs.push(store.unload(store.cell(of))?),
                (Arg::Outputs(_) | Arg::Rest, Val::List(cells)) => {
                    for val in store.cells(cells) {
                        outputs.push(store.unload(*val)?);
                    }
                }
                _ => return Err(Stop::Leave),
            }
        }
        match outputs.iter().any(has_texts) {
            // The numbers of texts mean something in this call only.
            true => Err(Stop::Leave),
            false => Ok(outputs),
        }
    }
}

/// Are there texts among the contents of its tensors?
fn has_texts(value: &Value) -> bool {
    match value {
        Value::Tensor(tensor) => tensor.dtype == Dtype::Str && tensor.contents.is_some(),
        Value::Node(node) => node.parts.iter().any(has_texts),
        _ => false,
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::Relations;
    use kanshape_types::Type;

    const TEXT: &str = "
        op Split [axis: int = 0] (data: T[..l, d, ..r]) -> (..parts) :-
            AxisOf(axis, l, r), parts = [Tensor([..l, n, ..r], T) for n in ns], d = n*len(ns), ns = [n for _ in ns]
        op Pack (..xs) -> (seq: Sequence(A), first?, count: i64[] = v) :-
            xs = [A, ..], v = [len(xs)], (first = none ; first = some(A))
        op Named [mode: string] (X: T[..sh]) -> (Y: T[..sh]) :- mode != \"no\"
        op Text [s: string] () -> (output) :- output = Tensor([1], str, [s])
    ";

    /// What an operator of [`TEXT`] makes of the inputs.
    fn run(
        name: &str,
        attrs: &[(&str, AttrValue)],
        inputs: &[&str],
        outputs: &[bool],
    ) -> Result<Vec<String>, Stop> {
        let relations = Relations::load_str("test.kan", TEXT).unwrap();
        let operator = relations.operator(name, None).unwrap();
        let attrs: Vec<_> = attrs
            .iter()
            .map(|(n, v)| (Box::from(*n), v.clone()))
            .collect();
        let given = vec![true; inputs.len()];
        let prepared = Prepared::new(&operator, &attrs, &given, outputs, Promotion::default());
        let prepared = prepared.unwrap().ok_or(Stop::Leave)?;
        let labels = &operator.library().words.labels;
        let types = inputs.iter().map(|t| t.parse::<Type>().unwrap());
        let values: Vec<Value> = types
            .map(|ty| Value::of_type(&ty, labels).unwrap())
            .collect();
        let found = prepared.run(&values.iter().collect::<Vec<_>>())?;
        let written = found.iter().map(|v| v.to_type(labels).unwrap().to_string());
        Ok(written.collect())
    }

    #[test]
    fn there_are_as_many_outputs_as_are_asked_for() {
        let parts = run("Split", &[], &["f32[6, 2]"], &[true; 3]).unwrap();
        assert_eq!(parts, ["f32[2, 2]"; 3]);
        assert_eq!(
            run("Split", &[], &["f32[7, 2]"], &[true; 3]),
            Err(Stop::Fail)
        );
    }

    #[test]
    fn only_those_that_are_asked_for_come_out() {
        let xs = ["f32[2]", "f32[2]"];
        let all = run("Pack", &[], &xs, &[true; 3]).unwrap();
        assert_eq!(all, ["Sequence[f32[2]]", "f32[2]", "i64[] = [2]"]);
        let some = run("Pack", &[], &xs, &[false, false, true]).unwrap();
        assert_eq!(some, ["i64[] = [2]"]);
    }

    #[test]
    fn texts_need_not_be_known() {
        let same = run("Named", &[("mode", "other".into())], &["f32[2]"], &[true]);
        assert_eq!(same.unwrap(), ["f32[2]"]);
        let no = run("Named", &[("mode", "no".into())], &["f32[2]"], &[true]);
        assert_eq!(no, Err(Stop::Fail));
        let text = run("Text", &[("s", "other".into())], &[], &[true]);
        assert_eq!(text, Err(Stop::Leave));
    }

    #[test]
    fn what_is_asked_for_is_not_prepared() {
        let hole = run("Split", &[("axis", AttrValue::Hole)], &["f32[6]"], &[true]);
        assert_eq!(hole, Err(Stop::Leave));
    }
}
