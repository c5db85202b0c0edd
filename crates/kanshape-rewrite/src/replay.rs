//! [`Rule::models`](crate::Rule::models): both sides of a rule as models, so that what it says of a case can be shown to other programs.

use std::collections::BTreeMap;

use kanshape::tree::relation;
use kanshape::{Content, Contents, Diagnostic, Dtype, Relations, Tensor, Type};
use kanshape_onnx::{NewModel, NewNode};

use crate::family;
use crate::program::{Program, Side, Slot, domain};
use crate::soundness::Case;

/// The most elements of a constant that are made up.
const MOST_ELEMENTS: u64 = 1 << 16;

/// The sides of a rule as ONNX models.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sides {
    /// The left side. Its outputs have the types that are in the case.
    pub left: Vec<u8>,
    /// The right side. Where it has no type, its outputs are declared to have those of the left side.
    pub right: Vec<u8>,
}

pub(crate) fn models(
    rule: &relation::Rule,
    relations: &Relations,
    opset: Option<u64>,
    case: &Case,
) -> Result<Option<Sides>, Diagnostic> {
    let family = family::of(rule, relations, opset)?;
    let rule = match &family {
        None => rule,
        Some(family) => match family.with_values(&case.attrs) {
            Some(rule) => rule,
            None => return Ok(None),
        },
    };
    let program = Program::compile(rule, relations, opset)?;
    let constants = program.constants_of(rule);
    Ok(Inputs::of(&program, &constants, relations, opset, case)
        .and_then(|inputs| inputs.sides(case)))
}

/// What both sides take.
struct Inputs<'p> {
    program: &'p Program,
    versions: Vec<(String, u64)>,
    names: Vec<String>,
    inputs: Vec<(String, Type)>,
    constants: Vec<(String, Type)>,
}

impl<'p> Inputs<'p> {
    fn of(
        program: &'p Program,
        is_constant: &[bool],
        relations: &Relations,
        opset: Option<u64>,
        case: &Case,
    ) -> Option<Inputs<'p>> {
        let leaves = program.leaves.iter();
        let mut this = Inputs {
            program,
            versions: versions(program, relations, opset),
            names: leaves.map(|leaf| leaf.name.to_string()).collect(),
            inputs: Vec::new(),
            constants: Vec::new(),
        };
        for (leaf, is_constant) in program.leaves.iter().zip(is_constant) {
            let ty = &case.leaves.iter().find(|(name, _)| *name == leaf.name)?.1;
            let name = leaf.name.to_string();
            let has_contents = ty.contents().is_some_and(are_known);
            match *is_constant || has_contents {
                true => this.constants.push((name, with_contents(ty)?)),
                false => this.inputs.push((name, ty.clone())),
            }
        }
        let behind = this.names.len()..program.slots;
        for slot in behind {
            let mut name = format!("v{slot}");
            while this.names.contains(&name) {
                name.push('_');
            }
            this.names.push(name);
        }
        let written = program.constants.iter();
        let written = written.map(|(slot, ty)| (this.names[*slot].clone(), ty.clone()));
        this.constants.extend(written);
        Some(this)
    }

    fn sides(&self, case: &Case) -> Option<Sides> {
        let right = case.right.as_ref().unwrap_or(&case.left);
        Some(Sides {
            left: self.model(&self.program.left, &case.left)?,
            right: self.model(&self.program.right, right)?,
        })
    }

    /// The model of a side whose outputs have these types.
    fn model(&self, side: &Side, types: &[Type]) -> Option<Vec<u8>> {
        // What both sides need is among the steps of the left one.
        let mut steps: Vec<usize> = Vec::new();
        let mut open: Vec<Slot> = side.roots.clone();
        while let Some(slot) = open.pop() {
            let of = |step: &usize| {
                let own = &self.program.steps[*step];
                (own.first..own.first + own.outputs).contains(&slot)
            };
            if let Some(step) = (0..self.program.steps.len()).find(of)
                && !steps.contains(&step)
            {
                steps.push(step);
                open.extend(self.program.steps[step].inputs.iter().flatten());
            }
        }
        steps.sort_unstable();
        let mut names = self.names.clone();
        let mut nodes: Vec<NewNode> = Vec::new();
        let mut outputs = Vec::new();
        for (i, (root, ty)) in side.roots.iter().zip(types).enumerate() {
            let mut name = format!("y{i}");
            while self.names.contains(&name) {
                name.push('_');
            }
            outputs.push((name.clone(), without_contents(ty)));
            let is_leaf = *root < self.program.leaves.len();
            if !is_leaf && !side.roots[..i].contains(root) {
                names[*root] = name;
                continue;
            }
            // A leaf may be an output, and a value two of them.
            nodes.push(NewNode {
                name: String::new(),
                op: "Identity".into(),
                domain: String::new(),
                inputs: vec![names[*root].clone()],
                outputs: vec![name],
                attrs: Vec::new(),
            });
        }
        let text = |slot: &Option<Slot>| slot.map_or(String::new(), |slot| names[slot].clone());
        let steps = steps.iter().map(|step| {
            let own = &self.program.steps[*step];
            let outputs = own.first..own.first + own.outputs;
            NewNode {
                name: String::new(),
                op: own.operator.name().to_owned(),
                domain: domain(&own.operator).to_owned(),
                inputs: own.inputs.iter().map(text).collect(),
                outputs: outputs.map(|slot| names[slot].clone()).collect(),
                attrs: own.attrs.clone(),
            }
        });
        let nodes = steps.chain(nodes).collect();
        let model = NewModel {
            versions: self.versions.clone(),
            inputs: self.inputs.clone(),
            constants: self.constants.clone(),
            nodes,
            outputs,
            ..NewModel::default()
        };
        model.encode()
    }
}

/// The version of each operator set that is used: the one that is given, or the newest in which an operator came.
fn versions(program: &Program, relations: &Relations, opset: Option<u64>) -> Vec<(String, u64)> {
    let mut versions = BTreeMap::from([(String::new(), 1)]);
    for step in &program.steps {
        versions.insert(domain(&step.operator).to_owned(), 1);
    }
    for operator in relations.operators() {
        if let Some(version) = versions.get_mut(domain(&operator)) {
            *version = operator.since().max(*version);
        }
    }
    if let Some(opset) = opset {
        versions.insert(String::new(), opset);
    }
    versions.into_iter().collect()
}

fn are_known(contents: &Contents) -> bool {
    let is_known = |member: &Content| {
        matches!(
            member,
            Content::Int(_) | Content::Float(_) | Content::Bool(_)
        )
    };
    contents.iter().all(is_known)
}

/// A constant of this type: with the contents that are known, or with ones.
fn with_contents(ty: &Type) -> Option<Type> {
    let tensor = ty.as_tensor()?;
    if tensor.contents.as_ref().is_some_and(are_known) {
        return Some(ty.clone());
    }
    let count = tensor.shape.elements()?;
    let dtype = tensor.dtype.known()?;
    let one = match dtype {
        Dtype::Bool => Content::Bool(true),
        _ => Content::Int(1),
    };
    if count > MOST_ELEMENTS {
        return None;
    }
    let contents = Contents::new((0..count).map(|_| one.clone()));
    let tensor = Tensor::new(dtype, tensor.shape.clone());
    Some(tensor.with_contents(contents).into())
}

fn without_contents(ty: &Type) -> Type {
    match ty.as_tensor() {
        Some(tensor) => tensor.clone().with_contents(None).into(),
        None => ty.clone(),
    }
}
