//! Questions to the catalog, and what there is to say of their answers.

use crate::case::Case;
use kanshape::{Answer, Call, Query, Type, Verdict, catalog, order};

/// The steps that a question may take.
const BUDGET: u64 = 2_000_000;

/// A question about the call of a case, with these operands.
pub(crate) fn query(
    case: &Case,
    inputs: Vec<Option<Type>>,
    outputs: Vec<Option<Type>>,
) -> Result<Query, String> {
    let operator = catalog()
        .operator(&case.name(), Some(case.opset))
        .map_err(|e| e.to_string())?;
    let call = Call {
        inputs,
        outputs: Some(outputs),
        attrs: case.attrs(),
        ..Call::default()
    };
    let query = operator.query(call).map_err(|e| e.to_string())?;
    Ok(query.budget(BUDGET))
}

/// Nothing is known of these, but which ones there are.
pub(crate) fn hidden(operands: &[Option<Type>]) -> Vec<Option<Type>> {
    let operands = operands.iter();
    operands
        .map(|ty| ty.as_ref().map(|_| Type::UNKNOWN))
        .collect()
}

/// May this type be the recorded one? What it says of contents is not recorded.
pub(crate) fn admits(found: &Type, recorded: &Type) -> bool {
    let (found, recorded) = (found.clone().with_contents(None), recorded.clone());
    found == recorded || order::is_super(&found, &recorded.with_contents(None)) != Verdict::Never
}

/// May all outputs be the recorded ones?
pub(crate) fn admits_all(answer: &Answer, recorded: &[Option<Type>]) -> bool {
    let recorded = recorded.iter().flatten();
    answer
        .outputs
        .iter()
        .zip(recorded)
        .all(|(found, ty)| admits(found, ty))
}
