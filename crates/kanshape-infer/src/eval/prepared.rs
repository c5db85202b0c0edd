//! [`Prepared`]: a call of an operator that is prepared once, and run on whatever inputs there are.

use super::store::{Image, Val};
use super::value::Value;
use super::{Buffers, Evaluator, Residual, Stop};
use crate::encode::AttrValue;
use crate::rules::place::Placed;
use crate::rules::{CallArg, Library, OpRule, Rule};
use kanshape_engine::Forms;
use kanshape_types::{Dtype, Promotion};
use smallvec::SmallVec;
use std::sync::Arc;

/// A call of which everything is known but the inputs.
#[derive(Clone, Debug)]
pub(crate) struct Prepared {
    library: Arc<Library>,
    /// The operator's rule.
    rule: Arc<Rule>,
    promotion: Promotion,
    args: Box<[CallArg]>,
    attrs: SmallVec<[Val; 8]>,
    /// How many inputs there are, and for each output whether it is one that was queried.
    inputs: usize,
    outputs: Box<[bool]>,
    /// What its attributes are made of.
    image: Image,
}

/// What comes of a call.
#[derive(Debug)]
pub(crate) struct Outcome {
    /// The outputs that were requested.
    pub outputs: SmallVec<[Value; 2]>,
    /// What has to hold between the names in the inputs.
    pub residuals: SmallVec<[Residual; 2]>,
    /// The rule says more once more is known of the names.
    pub is_partial: bool,
}

impl Prepared {
    /// Prepares a call with these attributes, whose operands stand in these places. `None` if not all of its attributes
    /// are known, or one of them is the type of a function.
    pub(crate) fn new(
        library: &Arc<Library>,
        operator: &OpRule,
        attrs: &[(Box<str>, AttrValue)],
        placed: Placed,
        promotion: Promotion,
    ) -> Option<Prepared> {
        let prepared = Buffers::with_forms(|buffers, forms| {
            let mut evaluator = Evaluator::new(library, promotion, buffers, forms);
            let attrs = evaluator.attributes(operator, attrs)?;
            Ok::<_, Stop>(Prepared {
                attrs,
                image: evaluator.store.image()?,
                library: Arc::clone(library),
                rule: Arc::clone(library.rule(operator.rule)),
                promotion,
                args: placed.args,
                inputs: placed.inputs.len(),
                outputs: placed.outputs.iter().map(Option::is_some).collect(),
            })
        });
        prepared.ok()
    }

    /// The outputs that are queried, in order, from the inputs that are there. Numbers that are no integers are
    /// those of `forms`.
    ///
    /// # Errors
    /// [`Stop::Fail`] if there is no such call; [`Stop::Leave`] if only the engine can say, or too few inputs are
    /// given.
    pub(crate) fn run(&self, inputs: &[&Value], forms: &mut Forms) -> Result<Outcome, Stop> {
        if inputs.len() != self.inputs {
            return Err(Stop::Leave);
        }
        let found = Buffers::with(|buffers| {
            let mut evaluator = Evaluator::new(&self.library, self.promotion, buffers, forms);
            evaluator.store.restore(&self.image);
            let mut operands: SmallVec<[Option<Val>; 8]> = SmallVec::new();
            for input in inputs {
                operands.push(Some(evaluator.store.load(input)?));
            }
            operands.resize(self.inputs + self.outputs.len(), None);
            let mut vals = evaluator.arguments(&self.args, &operands, &self.attrs, &[])?;
            evaluator.whole(&self.rule, &mut vals)?;
            let results = evaluator.results(&self.args, &vals, operands.len())?;
            let store = &evaluator.store;
            let mut outputs = SmallVec::new();
            for (i, val) in results.iter().skip(self.inputs).enumerate() {
                match self.outputs.get(i) {
                    // Nobody asks for it, but it has to be there.
                    Some(false) if store.is_type(*val) => {}
                    Some(false) => return Err(Stop::Leave),
                    Some(true) | None => outputs.push(store.unload(*val)?),
                }
            }
            match outputs.iter().any(has_texts) {
                // The numbers of texts mean something in this call only.
                true => Err(Stop::Leave),
                false => Ok(Outcome {
                    outputs,
                    residuals: std::mem::take(&mut evaluator.residuals),
                    is_partial: evaluator.has_dropped,
                }),
            }
        });
        found.map_err(|stop| match stop {
            Stop::Fail => Stop::Fail,
            Stop::Wait | Stop::Leave => Stop::Leave,
        })
    }
}

/// Are there texts among the contents of its tensors?
fn has_texts(value: &Value) -> bool {
    match value {
        Value::Tensor(tensor) => tensor.dtype == Dtype::Str && tensor.contents.is_some(),
        Value::Node(node) => node.parts.iter().any(has_texts),
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
        let (library, rule) = (operator.library(), operator.parts());
        let placed = rule.place(&given, Some(outputs)).unwrap();
        let prepared = Prepared::new(library, rule, &attrs, placed, Promotion::default());
        let prepared = prepared.ok_or(Stop::Leave)?;
        let labels = &operator.library().words.labels;
        let types = inputs.iter().map(|t| t.parse::<Type>().unwrap());
        let values: Vec<Value> = types
            .map(|ty| Value::of_type(&ty, labels).unwrap())
            .collect();
        let values: Vec<&Value> = values.iter().collect();
        let found = prepared.run(&values, &mut Forms::default())?.outputs;
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
