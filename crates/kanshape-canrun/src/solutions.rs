//! All solutions within bounds, as plain numbers.

use std::collections::{BTreeMap, BTreeSet};

use canrun::{StateIterator, Value};

use crate::misuse::Misuse;
use crate::shape::{Shape, Size, partly_known, read};
use crate::signature::{Bounds, SignatureGoals};

/// The shapes of the inputs, those of the outputs, and the parameters by label.
pub type Ground = (Vec<Vec<u64>>, Vec<Vec<u64>>, BTreeMap<String, u64>);

/// What is known of a shape: nothing, or its rank and some of its sizes.
pub type Known = Option<Vec<Option<u64>>>;

impl SignatureGoals {
    /// All solutions within bounds that are instances of what is known, each once, in order.
    ///
    /// ```
    /// use kanshape_canrun::{Bounds, SignatureGoals};
    ///
    /// let signature = kanshape_syntax::parse_signature("(m,n),(n,p)->(m,p)")?;
    /// let matmul = SignatureGoals::new(&signature)?;
    /// let inputs = [Some(vec![Some(2), None]), None];
    /// let outputs = [Some(vec![Some(2), Some(4)])];
    /// let found = matmul.solutions(&inputs, &outputs, &Default::default(), Bounds::new(2, 4))?;
    ///
    /// let second: Vec<_> = found.iter().map(|(inputs, _, _)| inputs[1].clone()).collect();
    /// assert_eq!(second, [[0, 4], [1, 4], [2, 4], [3, 4], [4, 4]]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn solutions(
        &self,
        inputs: &[Known],
        outputs: &[Known],
        params: &BTreeMap<String, u64>,
        bounds: Bounds,
    ) -> Result<Vec<Ground>, Misuse> {
        let inputs: Vec<Shape> = inputs.iter().map(shape).collect();
        let outputs: Vec<Shape> = outputs.iter().map(shape).collect();
        if let Some(label) = params
            .keys()
            .find(|label| !self.labels().any(|l| l == *label))
        {
            return Err(Misuse::Parameter(label.clone()));
        }
        let params: Vec<(&str, Size)> = self
            .labels()
            .map(|label| {
                (
                    label,
                    params
                        .get(label)
                        .map_or_else(Value::var, |value| Value::new(*value)),
                )
            })
            .collect();
        let goal = self.goal(&inputs, &outputs, &params, bounds)?;
        let found: BTreeSet<Ground> = goal
            .into_states()
            .filter_map(|state| {
                let read_all = |shapes: &[Shape]| -> Option<Vec<Vec<u64>>> {
                    shapes.iter().map(|shape| read(&state, shape)).collect()
                };
                let params = params.iter().map(|(label, value)| {
                    let value = state.resolve(value).resolved().copied()?;
                    Some(((*label).to_owned(), value))
                });
                let params: Option<BTreeMap<String, u64>> = params.collect();
                Some((read_all(&inputs)?, read_all(&outputs)?, params?))
            })
            .collect();
        Ok(found.into_iter().collect())
    }
}

fn shape(known: &Known) -> Shape {
    known
        .as_ref()
        .map_or_else(Value::var, |sizes| partly_known(sizes))
}
