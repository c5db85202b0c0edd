//! [`Prepared`]: a call of an operator that is prepared once, and run on whatever inputs there are.

use super::store::{Image, Val};
use super::value::Value;
use super::{Buffers, Evaluator, Residual, Stop, Texts};
use crate::encode::AttrValue;
use crate::rules::place::Placed;
use crate::rules::{CallArg, Library, OpRule, Rule};
use kanshape_engine::Forms;
use kanshape_types::{Dtype, Promotion};
use smallvec::SmallVec;
use std::sync::Arc;

/// A call of which everything is known but the inputs.
#[derive(Clone, Debug)]
pub struct Prepared {
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
    texts: Texts,
}

/// What comes of a call.
#[derive(Debug)]
pub struct CallResult {
    /// The outputs that were requested.
    pub outputs: SmallVec<[Value; 2]>,
    /// What has to hold between the names in the inputs.
    pub residuals: SmallVec<[Residual; 2]>,
    /// The rule says more once more is known of the names.
    pub is_partial: bool,
    /// The rule leaves open what some dtypes of the outputs are ([`OpenDtype::is_fresh`](super::OpenDtype::is_fresh)).
    pub has_fresh: bool,
}

impl Prepared {
    /// Prepares a call with these attributes, whose operands stand in these places. `None` if not all of its attributes
    /// are known, or one of them is the type of a function.
    pub fn new(
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
                texts: evaluator.texts,
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
    pub fn run(&self, inputs: &[&Value], forms: &mut Forms) -> Result<CallResult, Stop> {
        if inputs.len() != self.inputs {
            return Err(Stop::Leave);
        }
        let found = Buffers::with(|buffers| {
            let mut evaluator = Evaluator::new(&self.library, self.promotion, buffers, forms);
            evaluator.fresh = Some(0);
            evaluator.store.restore(&self.image);
            evaluator.texts.clone_from(&self.texts);
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
                    // It is not requested, but it has to be there.
                    Some(false) if store.is_type(*val) => {}
                    Some(false) => return Err(Stop::Leave),
                    Some(true) | None => outputs.push(store.unload(*val)?),
                }
            }
            let is_about_fresh = evaluator.residuals.iter().any(Residual::is_about_fresh);
            match is_about_fresh || outputs.iter().any(has_texts) {
                // The numbers of texts mean something in this call only.
                true => Err(Stop::Leave),
                false => Ok(CallResult {
                    outputs,
                    residuals: std::mem::take(&mut evaluator.residuals),
                    is_partial: evaluator.has_dropped,
                    has_fresh: evaluator.fresh != Some(0),
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
        Value::Tensor(tensor) => tensor.dtype == Dtype::Str.into() && tensor.contents.is_some(),
        Value::Node(node) => node.parts.iter().any(has_texts),
    }
}
