//! [`Call`]: an operator with its attributes and inputs.

use kanshape_types::Dtype;

use crate::array::Array;
use crate::number::Number;

/// The value of an attribute.
#[derive(Clone, Debug, PartialEq)]
pub enum Attr {
    /// An integer, or a truth value.
    Int(i64),
    /// A float.
    Float(f64),
    /// A text.
    Text(String),
    /// A dtype.
    Dtype(Dtype),
    /// Several integers.
    Ints(Vec<i64>),
    /// Several floats.
    Floats(Vec<f64>),
    /// A tensor.
    Tensor(Array<Number>),
}

/// An operator of ONNX with its attributes and inputs.
#[derive(Clone, Debug)]
pub struct Call<'a, T> {
    /// Its name.
    pub op: &'a str,
    /// The version of the operator set in which it came; an older one of the name may do something else.
    pub since: u64,
    /// The attributes that are given.
    pub attrs: &'a [(String, Attr)],
    /// The inputs, of which some may be left out.
    pub inputs: &'a [Option<&'a Array<T>>],
    /// How many outputs are wanted.
    pub outputs: usize,
}

impl<'a, T> Call<'a, T> {
    /// A call of the newest version without attributes, of which one output is wanted.
    pub fn new(op: &'a str, inputs: &'a [Option<&'a Array<T>>]) -> Call<'a, T> {
        Call {
            op,
            since: u64::MAX,
            attrs: &[],
            inputs,
            outputs: 1,
        }
    }
}
