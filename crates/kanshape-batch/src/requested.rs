//! [`Requested`]: which parts of an answer are printed.

use kanshape::{AttrValue, Content, Dim, DtypeTerm, Type, types::TypeKind};

use crate::loaded::Subject;
use crate::question::Question;

/// The parts of an answer that the user requested by leaving them open. They depend on the
/// question alone, so that all answers to it are printed alike.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Requested {
    /// These.
    Parts(Vec<Part>),
    /// Nothing was left open: the answer as a whole.
    Whole,
}

/// A part of an answer. Operands have the places of the question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// This input.
    Input(usize),
    /// This output.
    Output(usize),
    /// All outputs from this place on, however many an answer has.
    Outputs(usize),
    /// The parameter of this name.
    Param(Box<str>),
    /// The attribute of this name.
    Attr(Box<str>),
}

/// How much of a type was left open.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Openness {
    Nothing,
    /// The dtype alone: `?[2, 3]`.
    Dtype,
    /// Something of the shape or of what is in it, or everything.
    Shape,
}

impl Requested {
    /// What a question leaves open.
    pub fn of(question: &Question) -> Requested {
        // A dtype is requested only where nothing else is: in `?[8, 1], ?[7] -> ` it is the output
        // that is wanted.
        let shapes = parts(question, Openness::Shape);
        let found = if shapes.is_empty() {
            parts(question, Openness::Dtype)
        } else {
            shapes
        };
        if found.is_empty() {
            Requested::Whole
        } else {
            Requested::Parts(found)
        }
    }
}

fn parts(question: &Question, least: Openness) -> Vec<Part> {
    let is_requested = |given: &Option<Type>| {
        let open = |ty| open(ty, question.ground) >= least;
        given.as_ref().is_some_and(open)
    };
    let all = |given: &[Option<Type>], part: fn(usize) -> Part| {
        let requested = given.iter().enumerate().filter(|(_, ty)| is_requested(ty));
        requested.map(|(i, _)| part(i)).collect::<Vec<Part>>()
    };
    let (inputs, outputs) = (question.all_inputs(), question.all_outputs());
    let mut parts = all(&inputs, Part::Input);
    // Whether it is there is what is requested of it.
    for i in &question.may_be_absent {
        if !parts.contains(&Part::Input(*i)) {
            parts.push(Part::Input(*i));
        }
    }
    parts.extend(all(&outputs, Part::Output));
    if question.has_more_outputs() {
        parts.push(Part::Outputs(outputs.len()));
    }
    for (name, value) in &question.params {
        let named = question.ground && matches!(value, Dim::Name(_) | Dim::Expr(_));
        if *value == Dim::Hole || named {
            parts.push(Part::Param(name.clone()));
        }
    }
    let requested = question.attrs.iter();
    let requested = requested.filter(|a| has_hole(&a.1, question.ground));
    parts.extend(requested.map(|a| Part::Attr(a.0.clone())));
    // A parameter of which nothing is said may be the one thing that is open, and so may an attribute that has
    // to be there.
    match (least, &question.subject) {
        (Openness::Dtype, Subject::Signature(signature)) => {
            for param in &signature.tree().params {
                let label = &param.label.node;
                if !question.params.iter().any(|p| p.0 == *label) {
                    parts.push(Part::Param(label.clone()));
                }
            }
        }
        (Openness::Dtype, Subject::Operator(operator)) => {
            let needed = operator
                .attributes()
                .filter(|a| !a.optional && a.default.is_none());
            let missing = needed.filter(|a| !question.attrs.iter().any(|own| *own.0 == *a.name));
            parts.extend(missing.map(|a| Part::Attr(a.name.into())));
        }
        _ => {}
    }
    parts
}

/// Is something of the value of an attribute requested?
fn has_hole(value: &AttrValue, ground: bool) -> bool {
    match value {
        AttrValue::Hole | AttrValue::Dim(Dim::Hole) => true,
        AttrValue::Dim(Dim::Name(_) | Dim::Expr(_)) => ground,
        AttrValue::Type(ty) => open(ty, ground) == Openness::Shape,
        AttrValue::List(members) => members.iter().any(|m| has_hole(m, ground)),
        _ => false,
    }
}

/// How much of a type is open. Where answers are ground, names are too.
fn open(ty: &Type, ground: bool) -> Openness {
    let all = |types: &mut dyn Iterator<Item = &Type>| {
        types
            .map(|t| open(t, ground))
            .max()
            .unwrap_or(Openness::Nothing)
    };
    match &ty.kind {
        TypeKind::Unknown => Openness::Shape,
        TypeKind::Tensor(tensor) => {
            let run = tensor
                .shape
                .run()
                .is_some_and(|run| run.name.is_none() || ground);
            let dim = tensor.shape.iter().any(|dim| match dim {
                Dim::Hole => true,
                Dim::Size(_) | Dim::Nominal(_) => false,
                Dim::Name(_) | Dim::Expr(_) => ground,
            });
            let mut members = tensor.contents.iter().flat_map(|c| c.iter());
            let member = members.any(|member| *member == Content::Hole);
            match tensor.dtype {
                _ if run || dim || member => Openness::Shape,
                DtypeTerm::Hole | DtypeTerm::Set(_) => Openness::Dtype,
                DtypeTerm::Known(_) | DtypeTerm::Name(_) => Openness::Nothing,
            }
        }
        TypeKind::Tuple(fields) => all(&mut fields.iter()),
        TypeKind::Fn(f) => all(&mut f.params.iter().chain([&f.result])),
        TypeKind::Adt(_, args) | TypeKind::User(_, args) => all(&mut args.iter()),
        TypeKind::Var(_) => Openness::Nothing,
    }
}
