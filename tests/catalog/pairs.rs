//! Operators whose names stand in ONNX and in another library say the same of shapes.
//!
//! Our examples with known inputs become queries about ONNX's operator as well, and its plain calls queries about ours.
//! The shapes are compared: NumPy promotes dtypes, ONNX does not.

use crate::{everyday, numpy};
use kanshape::{
    AttrValue, Call, Content, Contents, Dim, Dtype, DtypeTerm, Operator, Tensor, Type, Verdict,
    catalog, operator::Example,
};
use std::collections::BTreeMap;

/// How a call of ours is one of ONNX's.
enum As {
    /// With the same inputs.
    Same,
    /// As the call that is made of it.
    Call(fn(&Ours) -> Option<Call>),
    /// It is not, and why.
    Other(#[allow(dead_code, reason = "for the reader")] &'static str),
}

/// A call of ours.
struct Ours {
    inputs: Vec<Type>,
    params: BTreeMap<String, i64>,
    lists: BTreeMap<String, Vec<i64>>,
}

/// Which dtype takes the place of those of an example, so that only shapes are compared.
#[derive(Clone, Copy)]
enum Dtypes {
    /// This one, but for bool.
    All(Dtype),
    /// This one in the first input.
    First(Dtype),
}

use As::{Call as Made, Other, Same};

const F: Dtypes = Dtypes::All(Dtype::F32);
const I: Dtypes = Dtypes::All(Dtype::I32);
const INDEX: Dtypes = Dtypes::First(Dtype::F32);

/// Our name, the name of ONNX's operator, the dtypes, and how the calls go together.
fn pairs() -> Vec<(&'static str, &'static str, Dtypes, As)> {
    let same = [
        "Add",
        "Equal",
        "Less",
        "Greater",
        "IsNaN",
        "IsInf",
        "Sign",
        "Reciprocal",
        "Exp",
        "Log",
        "Sqrt",
        "Sin",
        "Cos",
        "Tan",
        "Sinh",
        "Cosh",
        "Tanh",
        "Floor",
        "Ceil",
        "Abs",
        "Where",
        "MatMul",
        "Det",
        "Gemm",
        "Transpose",
        "Size",
        "Shape",
        "Clip",
        "Asin",
        "Acos",
        "Atan",
        "Asinh",
        "Acosh",
        "Atanh",
    ];
    let integers = ["BitwiseAnd", "BitwiseOr", "BitwiseXor", "BitwiseNot"];
    let mut pairs: Vec<_> = same.map(|name| (ours(name), name, F, Same)).into();
    pairs.extend(integers.map(|name| (ours(name), name, I, Same)));
    pairs.extend([
        (
            "argmax",
            "ArgMax",
            F,
            Made(|c| c.with_attrs(&[("axis", c.get("axis")?), ("keepdims", 0)])),
        ),
        (
            "argmin",
            "ArgMin",
            F,
            Made(|c| c.with_attrs(&[("axis", c.get("axis")?), ("keepdims", 0)])),
        ),
        (
            "concat",
            "Concat",
            F,
            Made(|c| c.with_attrs(&[("axis", c.get("axis")?)])),
        ),
        ("split", "Split", F, Made(Ours::split)),
        (
            "squeeze",
            "Squeeze",
            F,
            Made(|c| c.with_input(&[c.get("axis")?])),
        ),
        (
            "unsqueeze",
            "Unsqueeze",
            F,
            Made(|c| c.with_input(&[c.get("axis")?])),
        ),
        (
            "cumsum",
            "CumSum",
            F,
            Made(|c| c.with_scalar(c.get("axis")?)),
        ),
        (
            "cumprod",
            "CumProd",
            F,
            Made(|c| c.with_scalar(c.get("axis")?)),
        ),
        (
            "tile",
            "Tile",
            F,
            Made(|c| c.with_input(c.lists.get("reps")?)),
        ),
        (
            "reshape",
            "Reshape",
            F,
            Made(|c| c.with_input(c.lists.get("shape")?)),
        ),
        (
            "expand",
            "Expand",
            F,
            Made(|c| c.with_input(c.lists.get("shape")?)),
        ),
        ("pad", "Pad", F, Made(Ours::padded)),
        (
            "scatter",
            "ScatterElements",
            INDEX,
            Made(|c| c.with_attrs(&[("axis", c.get("axis")?)])),
        ),
        ("slice", "Slice", F, Made(Ours::sliced)),
        ("sum", "ReduceSum", F, Made(Ours::reduced)),
        ("max", "ReduceMax", F, Made(Ours::reduced)),
        ("min", "ReduceMin", F, Made(Ours::reduced)),
        ("mean", "ReduceMean", F, Made(Ours::reduced)),
        (
            "scatter",
            "Scatter",
            F,
            Other("the old name of `ScatterElements`"),
        ),
        (
            "sum",
            "Sum",
            F,
            Other("ONNX adds tensors; what reduces is `ReduceSum`"),
        ),
        (
            "max",
            "Max",
            F,
            Other("ONNX compares tensors; what reduces is `ReduceMax`"),
        ),
        (
            "min",
            "Min",
            F,
            Other("ONNX compares tensors; what reduces is `ReduceMin`"),
        ),
        (
            "mean",
            "Mean",
            F,
            Other("ONNX takes the mean of tensors; what reduces is `ReduceMean`"),
        ),
        (
            "flatten",
            "Flatten",
            F,
            Other("NumPy makes one dim of all, ONNX two"),
        ),
        (
            "global_average_pool",
            "GlobalAveragePool",
            F,
            Other("ONNX keeps dims of 1"),
        ),
        (
            "compress",
            "Compress",
            F,
            Other("torch's mask has the shape of the tensor, ONNX's is a list"),
        ),
        (
            "cast",
            "Cast",
            F,
            Other("in ONNX the dtype is an attribute, here it is open"),
        ),
        (
            "unique",
            "Unique",
            F,
            Other("ONNX has four outputs, and an axis"),
        ),
        (
            "einsum",
            "Einsum",
            F,
            Other("in ONNX `equation` is the attribute"),
        ),
        (
            "gradient",
            "Gradient",
            F,
            Other("NumPy's are slopes along axes, ONNX's of a graph"),
        ),
        (
            "identity",
            "Identity",
            F,
            Other("NumPy's is a matrix, ONNX's the same again"),
        ),
        (
            "mod",
            "Mod",
            F,
            Other("ONNX takes floats with `fmod` alone"),
        ),
        (
            "nonzero",
            "NonZero",
            F,
            Other("NumPy has a vector for each axis, ONNX a matrix"),
        ),
        (
            "pow",
            "Pow",
            F,
            Other("NumPy promotes, and has two names for it"),
        ),
        ("resize", "Resize", F, Other("ONNX samples an image anew")),
        ("round", "Round", F, Other("NumPy rounds to digits")),
    ]);
    pairs
}

/// `LeakyRelu` as we write it.
fn ours(name: &'static str) -> &'static str {
    let all = everyday().into_iter().chain(numpy());
    let names = all.flat_map(|op| {
        let names = std::iter::once(op.name()).chain(op.aliases());
        names.map(str::to_owned).collect::<Vec<String>>()
    });
    let mut found = names.filter(|own| folded(own) == folded(name));
    Box::leak(found.next().unwrap().into_boxed_str())
}

fn folded(name: &str) -> String {
    name.replace('_', "").to_lowercase()
}

impl Ours {
    fn get(&self, name: &str) -> Option<i64> {
        self.params.get(name).copied()
    }

    fn call(&self) -> Call {
        Call {
            inputs: self.inputs.iter().cloned().map(Some).collect(),
            ..Call::default()
        }
    }

    fn with_attrs(&self, attrs: &[(&str, i64)]) -> Option<Call> {
        let attrs = attrs
            .iter()
            .map(|(name, value)| ((*name).into(), AttrValue::Int(*value)));
        Some(Call {
            attrs: attrs.collect(),
            ..self.call()
        })
    }

    fn with_input(&self, members: &[i64]) -> Option<Call> {
        let mut call = self.call();
        call.inputs.push(Some(list(members)));
        Some(call)
    }

    fn with_scalar(&self, member: i64) -> Option<Call> {
        let mut call = self.call();
        let ty = Type::tensor(Dtype::I64, [] as [Dim; 0]);
        call.inputs.push(Some(
            ty.with_contents(Contents::new([Content::Int(member)])),
        ));
        Some(call)
    }

    fn padded(&self) -> Option<Call> {
        let rank = self.inputs[0].as_tensor()?.shape.rank()?;
        self.with_input(&vec![self.get("pad_width")?; 2 * rank])
    }

    fn split(&self) -> Option<Call> {
        let count = self.get("indices_or_sections")?;
        let axis = self.get("axis").unwrap_or(0);
        let call = self.with_attrs(&[("axis", axis), ("num_outputs", count)])?;
        let outputs = Some(vec![Some(Type::UNKNOWN); usize::try_from(count).ok()?]);
        Some(Call { outputs, ..call })
    }

    fn sliced(&self) -> Option<Call> {
        let mut call = self.call();
        for members in [self.get("start")?, self.get("stop")?, 0, self.get("step")?] {
            call.inputs.push(Some(list(&[members])));
        }
        Some(call)
    }

    fn reduced(&self) -> Option<Call> {
        let mut call = self.with_input(&[self.get("axis")?])?;
        call.attrs = vec![("keepdims".into(), AttrValue::Int(0))];
        Some(call)
    }
}

fn list(members: &[i64]) -> Type {
    let ty = Type::tensor(Dtype::I64, [Dim::Size(members.len() as u64)]);
    ty.with_contents(Contents::new(members.iter().map(|n| Content::Int(*n))))
}

/// The shapes that come out, or why none do.
fn shapes(operator: &Operator, mut call: Call, outputs: usize) -> String {
    call.outputs
        .get_or_insert_with(|| vec![Some(Type::UNKNOWN); outputs]);
    let Ok(query) = operator.query(call) else {
        return "is no call".to_owned();
    };
    let mut answers = query.limit(3).solve().unwrap();
    let found: Vec<String> = answers
        .by_ref()
        .map(|answer| {
            let shape = |ty: &Type| {
                ty.as_tensor().map(|t| {
                    format!(
                        "{}",
                        Type::from(Tensor::new(DtypeTerm::Hole, t.shape.clone()))
                    )
                })
            };
            let shapes: Vec<String> = answer
                .outputs
                .iter()
                .map(|ty| shape(ty).unwrap_or_else(|| ty.to_string()))
                .collect();
            let conditions: Vec<String> = answer.conditions.iter().map(|c| c.to_string()).collect();
            format!("{} where {}", shapes.join(", "), conditions.join(", "))
        })
        .collect();
    match answers.verdict() {
        Verdict::Never => "never".to_owned(),
        _ => found.join("; "),
    }
}

fn with_dtype(ty: &Type, dtype: Dtype) -> Type {
    match ty.as_tensor() {
        Some(tensor) if tensor.dtype.known() != Some(Dtype::Bool) => {
            Tensor::new(dtype, tensor.shape.clone()).into()
        }
        _ => ty.clone(),
    }
}

fn with_dtypes(inputs: &[Option<Type>], dtypes: Dtypes) -> Option<Vec<Type>> {
    let inputs = inputs.iter().enumerate().map(|(i, ty)| {
        let ty = ty.as_ref()?;
        ty.as_tensor().filter(|t| t.shape.run().is_none())?;
        Some(match dtypes {
            Dtypes::All(dtype) => with_dtype(ty, dtype),
            Dtypes::First(dtype) if i == 0 => with_dtype(ty, dtype),
            Dtypes::First(_) => ty.clone(),
        })
    });
    inputs.collect()
}

/// What is different, and why.
const DIFFERENT: &[(&str, &str)] = &[
    (
        "where i32[3], f32[3], i64[3]",
        "NumPy takes any number for a truth, ONNX a bool",
    ),
    (
        "reciprocal bool[3]",
        "NumPy calculates with bools as with numbers, ONNX does not",
    ),
    (
        "gemm f32[3, 4], f32[4, 5], f32[5] -> f32[3, 5]",
        "the third operand has two dims here, in ONNX it broadcasts from fewer",
    ),
    (
        "argmax [axis = 1] f32[8, 0]",
        "NumPy refuses an empty axis, which ONNX leaves open",
    ),
    (
        "argmin [axis = 1] f32[8, 0]",
        "NumPy refuses an empty axis, which ONNX leaves open",
    ),
    (
        "max [axis = 0] f32[0, 3]",
        "NumPy refuses an empty axis, where ONNX has the least number",
    ),
    (
        "min [axis = 0] f32[0, 3]",
        "NumPy refuses an empty axis, where ONNX has the largest number",
    ),
    (
        "transpose [axes = [1, 0, -1]] f32[2, 3, n] -> f32[3, 2, n]",
        "the axes are an attribute of another name in ONNX",
    ),
    (
        "clip f32[2, 3], f32[], f32[3] -> f32[2, 3]",
        "NumPy broadcasts the bounds, in ONNX they are scalars",
    ),
    (
        "split [indices_or_sections = 4] f32[6]",
        "NumPy makes equal parts, in ONNX the last one may be smaller",
    ),
    (
        "tile [reps = [3, 2, 1]] f32[2, n] -> f32[3, 4, n]",
        "NumPy aligns on the right, ONNX takes a number for each axis",
    ),
    (
        "expand [shape = [1, 3]] f32[2, 3]",
        "NumPy broadcasts to the shape, ONNX the shape and the tensor against each other",
    ),
    (
        "max [axis = 1] f32[2, n] -> f32[2] where n >= 1",
        "NumPy refuses an empty axis, where ONNX has the least number",
    ),
    (
        "min [axis = 1] f32[2, n] -> f32[2] where n >= 1",
        "NumPy refuses an empty axis, where ONNX has the largest number",
    ),
];

#[test]
fn they_say_the_same_of_shapes() {
    let (mut compared, mut wrong, mut idle) = (0, Vec::new(), Vec::new());
    for (name, theirs, dtypes, how) in pairs() {
        let own = catalog().operator(name, None).unwrap();
        let onnx = catalog()
            .operator(&format!("onnx::{theirs}"), None)
            .unwrap();
        let outputs = own.outputs().count();
        let before = compared;
        let mut compare = |question: &str, ours: Call, theirs_call: Call| {
            let ours = shapes(&own, ours, outputs);
            let found = shapes(&onnx, theirs_call, outputs);
            compared += 1;
            if ours != found {
                wrong.push(format!(
                    "{name} {question}: {ours}, and of {theirs} {found}"
                ));
            }
        };
        for written in own.examples() {
            let example = Example::read(&own, &written).unwrap();
            let Some(inputs) = with_dtypes(&example.inputs, dtypes) else {
                continue;
            };
            let params = example
                .attrs
                .iter()
                .filter_map(|(name, value)| match value {
                    AttrValue::Int(n) => Some((name.to_string(), *n)),
                    AttrValue::Dim(Dim::Size(n)) => Some((name.to_string(), *n as i64)),
                    _ => None,
                });
            let number = |value: &AttrValue| match value {
                AttrValue::Int(n) => Some(*n),
                AttrValue::Dim(Dim::Size(n)) => i64::try_from(*n).ok(),
                _ => None,
            };
            let lists = example
                .attrs
                .iter()
                .filter_map(|(name, value)| match value {
                    AttrValue::List(members) => {
                        let members = members.iter().map(number);
                        Some((name.to_string(), members.collect::<Option<_>>()?))
                    }
                    _ => None,
                });
            let call = Ours {
                params: params.collect(),
                lists: lists.collect(),
                inputs,
            };
            let made = match how {
                Same => call.call(),
                Made(make) => match make(&call) {
                    Some(made) => made,
                    None => continue,
                },
                Other(_) => continue,
            };
            let mut own_call = call.call();
            own_call.attrs = example.attrs.clone();
            own_call.outputs.clone_from(&made.outputs);
            compare(written.question, own_call, made);
        }
        // And back, where only inputs are given.
        for written in onnx.examples().filter(|_| matches!(how, Same)) {
            let example = Example::read(&onnx, &written).unwrap();
            let inputs = with_dtypes(&example.inputs, dtypes);
            let plain = example.attrs.is_empty() && example.inputs.len() == own.inputs().count();
            let Some(inputs) = inputs.filter(|_| plain) else {
                continue;
            };
            let call = Call {
                inputs: inputs.into_iter().map(Some).collect(),
                ..Call::default()
            };
            compare(written.question, call.clone(), call);
        }
        if compared == before && !matches!(how, Other(_)) {
            idle.push(name);
        }
    }
    let is_known = |wrong: &String| {
        let mut known = DIFFERENT.iter();
        known.any(|(question, _)| {
            wrong
                .split_once(": ")
                .is_some_and(|(own, _)| own == *question)
        })
    };
    let new: Vec<&String> = wrong.iter().filter(|wrong| !is_known(wrong)).collect();
    assert!(new.is_empty(), "{} of {compared}:\n{new:#?}", new.len());
    assert_eq!(wrong.len(), DIFFERENT.len(), "{wrong:#?}");
    assert!(idle.is_empty(), "nothing is compared of {idle:?}");
    assert_eq!(compared, 161);
}

#[test]
fn all_names_that_stand_in_both_are_compared_or_there_is_a_reason() {
    let pairs = pairs();
    let mut missing = Vec::new();
    let all: Vec<Operator> = catalog().operators().collect();
    let of_onnx = || all.iter().filter(|op| op.file().starts_with("onnx/"));
    for operator in everyday().into_iter().chain(numpy()) {
        // The names of other libraries alone: `einsum.transpose` is a contraction.
        for name in std::iter::once(operator.name()).chain(operator.aliases()) {
            let both = of_onnx().find(|op| folded(op.name()) == folded(name));
            let Some(both) = both else { continue };
            let known = pairs
                .iter()
                .any(|(own, theirs, ..)| *own == name && *theirs == both.name());
            if !known {
                missing.push(format!("{name}, {}", both.name()));
            }
        }
    }
    assert!(missing.is_empty(), "{missing:#?}");
}
