//! A call with one size or one dtype of an input changed, so that it is refused: what is said of its outputs all the same is
//! true of the call as it was recorded.

use crate::case;
use kanshape::graph::{Graph, ValueId};
use kanshape::{Dim, DtypeTerm, Shape, Tensor, Type, catalog};

/// The type with another dtype, and with each of its sizes changed.
fn changed(ty: &Type) -> Vec<Type> {
    // What is in a tensor is of its size and dtype.
    let Some(tensor) = ty.as_tensor().filter(|tensor| tensor.contents.is_none()) else {
        return Vec::new();
    };
    let with = |dtype: DtypeTerm, dims: Vec<u64>| {
        Tensor::new(dtype, Shape::known(dims.into_iter().map(Dim::Size))).into()
    };
    let sizes: Option<Vec<u64>> = tensor
        .shape
        .known_dims()
        .iter()
        .map(|dim| dim.size())
        .collect();
    let Some(sizes) = sizes else {
        return Vec::new();
    };
    let other = match tensor.dtype.to_string().as_str() {
        "f32" => "i64",
        _ => "f32",
    };
    let other = DtypeTerm::Known(other.parse().unwrap());
    let mut changed: Vec<Type> = vec![with(other, sizes.clone())];
    for axis in 0..sizes.len() {
        let mut sizes = sizes.clone();
        sizes[axis] += 1;
        changed.push(with(tensor.dtype.clone(), sizes));
    }
    changed
}

#[test]
fn what_is_certain_is_true_of_the_call_without_its_mistake() {
    let relations = catalog();
    let (mut refused, mut ranks, mut dtypes, mut sizes) = (0, 0, 0, 0);
    let mut wrong = Vec::new();
    for case in &case::all() {
        let recorded = case.outputs();
        let (inputs, outputs) = (case.inputs(), recorded.iter().map(Option::is_some));
        let outputs: Vec<bool> = outputs.collect();
        let operator = relations.operator(&case.name(), Some(case.opset)).unwrap();
        for (i, input) in inputs.iter().enumerate() {
            for spoiled in input.iter().flat_map(changed) {
                let mut inputs = inputs.clone();
                inputs[i] = Some(spoiled);
                let mut graph = Graph::new(relations);
                let given: Vec<bool> = inputs.iter().map(Option::is_some).collect();
                let Ok(call) = graph.call(&operator, case.attrs(), &given, &outputs) else {
                    continue;
                };
                let values = inputs.iter().flatten().map(|ty| graph.value(ty).unwrap());
                let values: Vec<ValueId> = values.collect();
                let (_, outputs) = graph.add(call, &values);
                if graph.problems().len() == 0 {
                    continue;
                }
                for (value, recorded) in outputs.iter().zip(recorded.iter().flatten()) {
                    refused += 1;
                    let found = graph.ty(value);
                    let recorded = recorded.clone().with_contents(None);
                    if !graph.admits(value, &recorded) {
                        wrong.push(format!("{} input {i}: {found}, not {recorded}", case.id));
                    }
                    let Some(tensor) = found.as_tensor() else {
                        continue;
                    };
                    dtypes += usize::from(tensor.dtype.known().is_some());
                    ranks += usize::from(tensor.shape.run().is_none());
                    let all = tensor
                        .shape
                        .known_dims()
                        .iter()
                        .all(|dim| dim.size().is_some());
                    sizes += usize::from(tensor.shape.run().is_none() && all);
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{} of {refused}: {wrong:#?}", wrong.len());
    // Outputs, and of how many the dtype, the rank and all sizes are certain.
    assert_eq!((refused, dtypes, ranks, sizes), (3358, 3219, 3309, 2599));
}
