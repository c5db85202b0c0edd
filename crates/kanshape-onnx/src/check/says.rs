//! What a truth value says, in words of what the model is given: `sr == 16000`. It is followed back through the nodes that
//! make it, to inputs of the model, to numbers and to sizes. What it can't be followed back through exactly it is not said of.

use super::Checker;
use crate::report::Said;
use kanshape::graph::ValueId;
use kanshape::graph::region::{known_number, known_truth};
use kanshape::{Content, Dim, Dtype, DtypeSet, Type};

/// So many nodes are followed back.
const MOST_FOLLOWED: usize = 64;
/// Longer texts say less than a name.
const MOST_SAID: usize = 80;

/// What is still followed.
struct Following {
    left: usize,
}

impl Following {
    fn step(&mut self) -> Option<()> {
        self.left = self.left.checked_sub(1)?;
        Some(())
    }
}

/// How a comparison is written, and what it is where it does not hold.
const COMPARISONS: [(&str, &str, &str); 5] = [
    ("Equal", "==", "!="),
    ("Less", "<", ">="),
    ("Greater", ">", "<="),
    ("LessOrEqual", "<=", ">"),
    ("GreaterOrEqual", ">=", "<"),
];

impl Checker<'_, '_> {
    /// What has to be given to the model for a truth value to be this.
    pub(super) fn said(&self, value: ValueId, is: bool) -> Option<Said> {
        let mut following = Following {
            left: MOST_FOLLOWED,
        };
        let said = self.truth_of(value, is, &mut following)?;
        (said.text.len() <= MOST_SAID).then_some(said)
    }

    fn truth_of(
        &self,
        mut value: ValueId,
        mut is: bool,
        following: &mut Following,
    ) -> Option<Said> {
        loop {
            following.step()?;
            if let Some(name) = self.input_of(value) {
                return Some(Said {
                    text: format!("{name} == {is}"),
                    denies: !is,
                });
            }
            let (op, inputs) = self.made_by(value)?;
            let first = *inputs.first()?;
            match op.as_str() {
                "Not" => (value, is) = (first, !is),
                "Identity" | "Squeeze" | "Unsqueeze" | "Reshape" | "Flatten" => value = first,
                "Cast" => match self.dtype_of(first)? {
                    Dtype::Bool => value = first,
                    dtype if is_integer(dtype) => {
                        let number = self.number_of(first, following)?;
                        return Some(Said {
                            text: format!("{number} {} 0", if is { "!=" } else { "==" }),
                            denies: is,
                        });
                    }
                    _ => return None,
                },
                "And" | "Or" => {
                    let second = *inputs.get(1)?;
                    let both = [first, second].map(|one| self.truth_of(one, is, following));
                    let [Some(one), Some(other)] = both else {
                        return None;
                    };
                    // What is not both of them is not the one, or not the other.
                    let word = if (op == "And") == is { "and" } else { "or" };
                    let bracketed =
                        |text: String| match text.contains(" and ") || text.contains(" or ") {
                            true => format!("({text})"),
                            false => text,
                        };
                    return Some(Said {
                        denies: one.denies && other.denies,
                        text: format!("{} {word} {}", bracketed(one.text), bracketed(other.text)),
                    });
                }
                op => {
                    let (_, holds, fails) = COMPARISONS.iter().find(|own| own.0 == op)?;
                    let second = *inputs.get(1)?;
                    let dtype = self.dtype_of(first)?;
                    if dtype == Dtype::Bool {
                        return self.same_truth(first, second, is, following);
                    }
                    // What is not a number is neither less nor not less.
                    if !is && op != "Equal" && !is_integer(dtype) {
                        return None;
                    }
                    let one = self.number_of(first, following)?;
                    let other = self.number_of(second, following)?;
                    let op = if is { holds } else { fails };
                    // The number is what something is compared with.
                    let is_number = |text: &str| text.parse::<i64>().is_ok();
                    let text = match is_number(&one) && !is_number(&other) {
                        true => format!("{other} {} {one}", turned(op)),
                        false => format!("{one} {op} {other}"),
                    };
                    let denies = *op == "!=";
                    return Some(Said { text, denies });
                }
            }
        }
    }

    /// Two truth values are the same, or not, of which one is known.
    fn same_truth(
        &self,
        one: ValueId,
        other: ValueId,
        is: bool,
        following: &mut Following,
    ) -> Option<Said> {
        let known = |value: ValueId| known_truth(&self.type_of(value));
        match (known(one), known(other)) {
            (None, Some(own)) => self.truth_of(one, own == is, following),
            (Some(own), None) => self.truth_of(other, own == is, following),
            _ => None,
        }
    }

    /// The number in a tensor of one element.
    fn number_of(&self, mut value: ValueId, following: &mut Following) -> Option<String> {
        loop {
            following.step()?;
            let ty = self.known_outside(&self.type_of(value));
            if !is_one(&ty) {
                return None;
            }
            match ty.contents().map(|contents| contents.as_slice()) {
                Some([Content::Int(n)]) => return Some(n.to_string()),
                Some([Content::Hole]) | None => {}
                Some(_) => return known_number(&ty).map(|e| Dim::expr(e).to_string()),
            }
            if let Some(name) = self.input_of(value) {
                return Some(name);
            }
            let (op, inputs) = self.made_by(value)?;
            let first = *inputs.first()?;
            match op.as_str() {
                "Identity" | "Squeeze" | "Unsqueeze" | "Reshape" | "Flatten" => value = first,
                "Cast" => {
                    let [from, to] = [self.dtype_of(first)?, self.dtype_of(value)?];
                    if !is_exact(from, to) {
                        return None;
                    }
                    value = first;
                }
                // Of one element there is no other.
                "Gather" if is_one(&self.type_of(first)) => value = first,
                "Gather" => {
                    let name = self.input_of(first)?;
                    let rank = self.type_of(first).as_tensor()?.shape.rank()?;
                    let at = self.type_of(*inputs.get(1)?);
                    return match at.contents().map(|at| at.as_slice()) {
                        Some([Content::Int(at @ 0..)]) if rank == 1 => {
                            Some(format!("{name}[{at}]"))
                        }
                        _ => None,
                    };
                }
                _ => return None,
            }
        }
    }

    /// The name of an input of the model.
    fn input_of(&self, value: ValueId) -> Option<String> {
        let inputs = self.values[..self.inputs].iter();
        let is_it = |entry: &&super::NamedValue| matches!(entry.value, super::ValueHome::Value(own) if own == value);
        let entry = inputs.rev().find(is_it)?;
        Some(self.symbols.name(entry.symbol).to_owned())
    }

    /// The operator of ONNX that gives a value, and what it is given.
    fn made_by(&self, value: ValueId) -> Option<(String, Vec<ValueId>)> {
        let (node, _) = self.graph.maker(value)?;
        let operator = self.graph.operator(node)?;
        let (inputs, _) = self.graph.operands(node)?;
        (operator.domain() == "ai.onnx").then(|| (operator.name().to_owned(), inputs.to_vec()))
    }

    fn type_of(&self, value: ValueId) -> Type {
        let types = self.types(std::iter::once(&value));
        types.into_iter().next().unwrap_or_default()
    }

    fn dtype_of(&self, value: ValueId) -> Option<Dtype> {
        self.type_of(value).as_tensor()?.dtype.known()
    }
}

/// Has a tensor one element?
fn is_one(ty: &Type) -> bool {
    ty.as_tensor().is_some_and(|tensor| {
        let shape = &tensor.shape;
        shape.rank().is_some() && shape.iter().all(|dim| dim.size() == Some(1))
    })
}

/// A comparison the other way round.
fn turned(op: &'static str) -> &'static str {
    match op {
        "<" => ">",
        ">" => "<",
        "<=" => ">=",
        ">=" => "<=",
        op => op,
    }
}

fn is_integer(dtype: Dtype) -> bool {
    DtypeSet::INT.union(DtypeSet::UINT).contains(dtype)
}

/// Has every number of a dtype the same value in the other?
fn is_exact(from: Dtype, to: Dtype) -> bool {
    let are_signed = [from, to].map(|dtype| DtypeSet::INT.contains(dtype));
    match (is_integer(from), is_integer(to)) {
        _ if from == to => true,
        (true, true) => are_signed[0] == are_signed[1] && from.size_bits() <= to.size_bits(),
        _ => matches!(
            (from, to),
            (Dtype::I32, Dtype::F64)
                | (Dtype::F16 | Dtype::BF16, Dtype::F32 | Dtype::F64)
                | (Dtype::F32, Dtype::F64)
        ),
    }
}
