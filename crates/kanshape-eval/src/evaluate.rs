//! [`evaluate`]: a call by the name of its operator.

use crate::array::Array;
use crate::call::Call;
use crate::context::{Calculate, Context};
use crate::ops;
use crate::scalars::Scalars;
use crate::stop::Stop;

/// The outputs of a call.
///
/// # Errors
/// [`Stop`] if an executor refuses it, or if it is not calculated here.
pub fn evaluate<S: Scalars>(
    scalars: &mut S,
    call: &Call<'_, S::Scalar>,
) -> Result<Vec<Array<S::Scalar>>, Stop> {
    let mut context = Context::new(scalars, call);
    match find::<S>(call.op) {
        Some(own) => own(&mut context),
        None => Stop::opaque(call.op),
    }
}

/// Is an operator of ONNX with this name calculated?
pub fn covers(op: &str) -> bool {
    find::<crate::Numbers>(op).is_some()
}

/// Is each element of the output calculated of one element of each input, which broadcast?
pub fn is_elementwise(op: &str) -> bool {
    ops::elementwise::find::<crate::Numbers>(op).is_some()
}

fn find<S: Scalars>(op: &str) -> Option<Calculate<S>> {
    ops::elementwise::find(op)
        .or_else(|| ops::movement::find(op))
        .or_else(|| ops::slices::find(op))
        .or_else(|| ops::indexing::find(op))
        .or_else(|| ops::reduce::find(op))
        .or_else(|| ops::linear::find(op))
        .or_else(|| ops::convolution::find(op))
        .or_else(|| ops::windows::find(op))
        .or_else(|| ops::norms::find(op))
        .or_else(|| ops::quantize::find(op))
        .or_else(|| ops::contents::find(op))
}
