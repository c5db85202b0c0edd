//! [`Options`]: what is known of a model besides its contents.

use kanshape::{Control, Dim, Relations, Type};
use std::fmt;
use std::sync::Arc;

/// What is known of a model beside what stands in it, and how far it is to be believed.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Types of inputs, in place of those that the model declares.
    pub inputs: Vec<(String, Type)>,
    /// Dims of inputs, in place of those that the model declares: `N` in place of its batch size of 1.
    pub dims: Vec<InputDim>,
    /// All dims of inputs, one after another, in place of those that the model declares; `None` is one that is as it is declared. A
    /// list of another length than the input has dims is an error. `*` is each input that has so many.
    pub shapes: Vec<(String, Vec<Option<Dim>>)>,
    /// The first dim of inputs, in place of the one that the model declares: of the first input that has dims, and of each
    /// other whose first dim is declared as that one is.
    pub batch: Option<Dim>,
    /// Names that denote sizes: those that the model gives to its dims, and those of `dims` and `shapes`.
    pub set: Vec<(String, u64)>,
    /// Types that values have, mostly outputs: what follows for the inputs?
    pub given: Vec<(String, Type)>,
    /// Types that values of the model's graph have as soon as they are made: what another program says of them that the model does not.
    pub facts: Vec<(String, Type)>,
    /// Values that are taken as inputs of these types: what makes them is still typed, and says nothing of them. So the rest of a
    /// model is typed from a value on, whatever was before it.
    pub cuts: Vec<(String, Type)>,
    /// No size is 0 but those that are written so in the model.
    pub assume_nonempty: bool,
    /// What the model declares of outputs and of values between is true. Otherwise it is reported where it can't be.
    pub trust_annotations: bool,
    /// Whether the report is to have the [declared types](crate::Report::declared).
    pub declared: bool,
    /// What ends the check besides its steps: a deadline, or a flag that another thread sets. Of what is then left nothing is
    /// known.
    pub control: Control,
    /// The steps that may be taken for all of the model; without, as many as it needs.
    pub budget: Option<u64>,
    /// The operators that there are; without, those of ONNX.
    pub relations: Option<Relations>,
    /// What reads the data that a model has in other files; without, nothing is known of it. It is called for that of small
    /// tensors alone.
    pub data: Option<Data>,
}

/// Reads a part of a file that a model has data in: where that is, as the model says it, the first byte, and how many.
type ReadPart = dyn Fn(&str, u64, u64) -> Option<Vec<u8>> + Send + Sync;

/// What reads the data that a model has in other files.
///
/// ```
/// use kanshape_onnx::{Data, Options};
///
/// let data = Data::new(|location, offset, length| {
///     let file = std::fs::read(std::path::Path::new("models").join(location)).ok()?;
///     let from = usize::try_from(offset).ok()?;
///     let part = file.get(from..)?.get(..usize::try_from(length).ok()?)?;
///     Some(part.to_vec())
/// });
/// let options = Options { data: Some(data), ..Options::default() };
/// ```
#[derive(Clone)]
pub struct Data(Arc<ReadPart>);

impl Data {
    /// With a function that is given where the data is, as the model says it, the first byte, and how many. Of what can't be read it
    /// gives nothing.
    pub fn new(read: impl Fn(&str, u64, u64) -> Option<Vec<u8>> + Send + Sync + 'static) -> Data {
        Data(Arc::new(read))
    }

    pub(crate) fn read(&self, location: &str, offset: u64, length: u64) -> Option<Vec<u8>> {
        (self.0)(location, offset, length)
    }
}

impl fmt::Debug for Data {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Data")
    }
}

/// A dim of an input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InputDim {
    /// The name of the input; `*` is each input that has such a dim.
    pub input: String,
    /// Which dim of it, from 0.
    pub axis: usize,
    /// A name, a size or an expression.
    pub dim: Dim,
}
