//! [`RuleCall`]: a call of a rule of which everything is known but its operands, run on whatever inputs there are.

use super::store::{Image, Val};
use super::value::Value;
use super::{Buffers, Evaluator, Residual, Stop, Texts};
use crate::encode::AttrValue;
use crate::rules::{CallArg, Library, OpRule, Rule};
use kanshape_engine::Forms;
use kanshape_types::{Dtype, Promotion};
use smallvec::SmallVec;

/// A call of a rule, but for its operands.
#[derive(Clone, Copy, Debug)]
pub struct RuleCall<'q> {
    pub library: &'q Library,
    pub rule: &'q Rule,
    /// Where parameters, attributes and operands stand among the arguments of the rule.
    pub args: &'q [CallArg],
    pub attrs: &'q LoadedAttrs,
    pub promotion: Promotion,
}

/// The attributes of calls, read once.
#[derive(Clone, Debug, Default)]
pub struct LoadedAttrs {
    pub(super) vals: SmallVec<[Val; 8]>,
    /// What they are made of.
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

impl LoadedAttrs {
    /// Reads the attributes of an operator. `None` if not all of them are known, or one of them is the type of a function or has
    /// names.
    pub fn new(
        library: &Library,
        operator: &OpRule,
        given: &[(Box<str>, AttrValue)],
    ) -> Option<LoadedAttrs> {
        Buffers::with_forms(|buffers, forms| {
            let mut evaluator = Evaluator::new(library, Promotion::default(), buffers, forms);
            let vals = evaluator.attributes(operator, given).ok()?;
            // A form means something in this run only.
            let is_whole = evaluator.forms.is_empty();
            is_whole.then_some(LoadedAttrs {
                vals,
                image: evaluator.store.image().ok()?,
                texts: evaluator.texts,
            })
        })
    }
}

impl<'q> RuleCall<'q> {
    pub(super) fn evaluator<'a>(
        self,
        buffers: &'a mut Buffers,
        forms: &'a mut Forms,
    ) -> Evaluator<'a>
    where
        'q: 'a,
    {
        let mut evaluator = Evaluator::new(self.library, self.promotion, buffers, forms);
        evaluator.store.restore(&self.attrs.image);
        evaluator.texts.clone_from(&self.attrs.texts);
        evaluator
    }

    /// The outputs from the inputs. For each output it is said whether it is queried: the others have to be there, and do not come out.
    /// Numbers that are no integers are those of `forms`.
    ///
    /// # Errors
    /// [`Stop::Fail`] if there is no such call; [`Stop::Leave`] if only the engine can say.
    pub fn on_values(
        self,
        inputs: &[&Value],
        queried: &[bool],
        forms: &mut Forms,
    ) -> Result<CallResult, Stop> {
        let found = Buffers::with(|buffers| {
            let mut evaluator = self.evaluator(buffers, forms);
            evaluator.fresh = Some(0);
            let mut operands: SmallVec<[Option<Val>; 8]> = SmallVec::new();
            for input in inputs {
                operands.push(Some(evaluator.store.load(input)?));
            }
            operands.resize(inputs.len() + queried.len(), None);
            let mut vals = evaluator.arguments(self.args, &operands, &self.attrs.vals, &[])?;
            evaluator.whole(self.rule, &mut vals)?;
            let results = evaluator.results(self.args, &vals, operands.len())?;
            let store = &evaluator.store;
            let mut outputs = SmallVec::new();
            for (i, val) in results.iter().skip(inputs.len()).enumerate() {
                match queried.get(i) {
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
        found.map_err(Stop::decided)
    }
}

/// Are there texts among the contents of its tensors?
fn has_texts(value: &Value) -> bool {
    match value {
        Value::Tensor(tensor) => tensor.dtype == Dtype::Str.into() && tensor.contents.is_some(),
        Value::Node(node) => node.parts.iter().any(has_texts),
    }
}
