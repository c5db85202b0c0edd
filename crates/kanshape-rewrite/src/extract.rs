//! [`extract`]: a part of a model as a model of its own.

use std::collections::{BTreeMap, BTreeSet};

use kanshape::diag::suggest;
use kanshape::{Diagnostic, Type};
use kanshape_onnx::{Edit, Model, ModelNode, Options, check, code, edit};

/// The part of a model that gives the values `to`, from the values `from` on: these are its inputs, with the types that they have in
/// the model, and beside them those inputs of the model that it needs as well. Sizes keep their names. Without `to` it gives what the
/// model gives. What the part does not need is left out.
///
/// ```
/// use kanshape_onnx::{Model, NewModel, NewNode, Options, check};
/// use kanshape_rewrite::extract;
///
/// let node = |op: &str, from: &str, to: &str| NewNode {
///     name: String::new(),
///     op: op.into(),
///     domain: String::new(),
///     inputs: vec![from.into()],
///     outputs: vec![to.into()],
///     attrs: Vec::new(),
/// };
/// let model = NewModel {
///     versions: vec![(String::new(), 18)],
///     inputs: vec![("x".into(), "f32[N, 4]".parse()?)],
///     nodes: vec![node("Relu", "x", "a"), node("Transpose", "a", "b"), node("Exp", "b", "y")],
///     outputs: vec![("y".into(), "f32[...]".parse()?)],
///     ..NewModel::default()
/// };
/// let bytes = model.encode().ok_or("nothing that a model can't have")?;
/// let options = Options::default();
/// let part = extract(&bytes, &["a".into()], &["b".into()], &options)?;
/// let part = Model::read(&part)?;
/// let report = check(&part, &options);
/// assert_eq!(report.inputs[0].0, "a");
/// assert_eq!(report.outputs[0].1.to_string(), "f32[4, N]");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// A [`Diagnostic`] if it is no model, if it has no such value, or if so little is known of a value that it can be no input or output.
pub fn extract(
    bytes: &[u8],
    from: &[String],
    to: &[String],
    options: &Options,
) -> Result<Vec<u8>, Diagnostic> {
    let model = Model::read(bytes)?;
    let report = check(&model, options);
    let nodes: Vec<ModelNode<'_>> = model.each_node().collect();
    let mut types: BTreeMap<&str, &Type> = BTreeMap::new();
    for (name, ty) in report.values.iter().chain(&report.outputs) {
        types.entry(name).or_insert(ty);
    }
    let mut makers: BTreeMap<&str, usize> = BTreeMap::new();
    for (i, node) in nodes.iter().enumerate() {
        let outputs = node.outputs.iter().filter(|name| !name.is_empty());
        makers.extend(outputs.map(|name| (*name, i)));
    }
    let inputs: BTreeSet<&str> = report.inputs.iter().map(|(name, _)| &**name).collect();
    let tensors: BTreeSet<&str> = model.initializers().collect();
    let is_value =
        |name: &str| makers.contains_key(name) || inputs.contains(name) || tensors.contains(name);
    for name in from.iter().chain(to) {
        if !is_value(name) {
            let known = makers.keys().chain(&inputs).chain(&tensors).copied();
            return Err(no_value(name, known));
        }
    }
    let given: Vec<&str> = report.outputs.iter().map(|(name, _)| &**name).collect();
    let wanted: Vec<&str> = match to.is_empty() {
        true => given.clone(),
        false => to.iter().map(String::as_str).collect(),
    };
    let cut: BTreeSet<&str> = from.iter().map(String::as_str).collect();
    let mut needed: BTreeSet<&str> = BTreeSet::new();
    let mut kept: BTreeSet<usize> = BTreeSet::new();
    let mut todo = wanted.clone();
    while let Some(name) = todo.pop() {
        if !needed.insert(name) || cut.contains(name) {
            continue;
        }
        if let Some(i) = makers.get(name).copied()
            && kept.insert(i)
        {
            let own = nodes[i].inputs.iter().copied();
            todo.extend(own.filter(|name| !name.is_empty()));
            todo.extend(model.names_in_bodies_of(i));
        }
    }
    let typed = |name: &str| -> Result<Option<Type>, Diagnostic> {
        let ty = types.get(name).copied();
        let ty = ty.filter(|ty| ty.as_tensor().is_none_or(|t| t.dtype.known().is_some()));
        let ty = ty.filter(|ty| !ty.is_unknown());
        let ty = ty.ok_or_else(|| too_little(name))?.clone();
        Ok(Some(ty.with_contents(None)))
    };
    let mut new_inputs: Vec<(String, Option<Type>)> = Vec::new();
    for (name, _) in &report.inputs {
        if needed.contains(&**name) || cut.contains(&**name) {
            new_inputs.push((name.to_string(), None));
        }
    }
    for name in from.iter().filter(|name| !inputs.contains(&***name)) {
        if new_inputs.iter().all(|own| own.0 != **name) {
            new_inputs.push((name.clone(), typed(name)?));
        }
    }
    let mut new_outputs: Vec<(String, Option<Type>)> = Vec::new();
    for name in &wanted {
        let ty = match given.contains(name) {
            true => None,
            false => typed(name)?,
        };
        if new_outputs.iter().all(|own| own.0 != **name) {
            new_outputs.push(((*name).to_owned(), ty));
        }
    }
    // A node that gives an input of the part, and something else that is needed.
    let made = kept.iter().flat_map(|i| &nodes[*i].outputs);
    let made = made.filter(|name| cut.contains(**name)).map(|name| {
        let mut other = format!("{name}.made");
        while is_value(&other) {
            other.push('_');
        }
        ((*name).to_owned(), other)
    });
    let dropped = tensors.iter();
    let dropped = dropped.filter(|name| cut.contains(**name) || !needed.contains(**name));
    let change = Edit {
        removed: (0..nodes.len()).filter(|i| !kept.contains(i)).collect(),
        dropped: dropped.map(|name| (*name).to_owned()).collect(),
        made: made.collect(),
        inputs: Some(new_inputs),
        outputs: Some(new_outputs),
        ..Edit::default()
    };
    let name = wanted.first().copied().unwrap_or_default();
    edit(&model, &change).ok_or_else(|| too_little(name))
}

fn no_value<'n>(name: &str, known: impl Iterator<Item = &'n str>) -> Diagnostic {
    let d = Diagnostic::new(
        code::NO_SUCH_VALUE,
        format!("the model has no value `{name}`"),
    );
    match suggest(name, known) {
        Some(near) => d.with_help(format!("did you mean `{near}`?")),
        None => d,
    }
}

fn too_little(name: &str) -> Diagnostic {
    Diagnostic::new(
        code::UNTYPED,
        format!("too little is known of `{name}` for an input or an output of a model"),
    )
}
