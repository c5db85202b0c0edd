//! What is given of the leaves of a rule beside its text.

use kanshape::tree::relation::{self, Goal, Pattern};
use kanshape::tree::{Ident, Spanned};
use kanshape::{Content, Diagnostic, Tensor, Type, diag::suggest};

use crate::code;

/// What is given of a leaf.
pub(super) struct GivenLeaf {
    pub(super) pattern: Spanned<Pattern>,
    /// The name of what is in it.
    pub(super) contents: Option<Ident>,
    /// What holds of that.
    pub(super) goals: Vec<Spanned<Goal>>,
}

impl GivenLeaf {
    /// Reads `T[m, k]`, `i64[n] = v`, and a type with contents as it is printed: `i64[1] = [3]`.
    pub(super) fn read(name: &str, text: &str) -> Result<GivenLeaf, Diagnostic> {
        let read = relation::parse_leaf(text);
        let (pattern, contents) = match read {
            Ok(read) => read,
            // The mistake is that of the pattern, unless the text is a type.
            Err(mistake) => match with_members(name, text) {
                Some(given) => return given,
                None => return Err(mistake),
            },
        };
        Ok(GivenLeaf {
            pattern,
            contents,
            goals: Vec::new(),
        })
    }
}

/// A type whose contents are numbers: they have a name, and a goal says what they are.
fn with_members(name: &str, text: &str) -> Option<Result<GivenLeaf, Diagnostic>> {
    let ty: Type = text.parse().ok()?;
    let tensor = ty.as_tensor()?;
    let members = tensor.contents.as_ref()?;
    let is_number = |own: &Content| matches!(own, Content::Int(_) | Content::Bool(_));
    if !members.iter().all(is_number) {
        return None;
    }
    let members: Vec<String> = members.iter().map(written).collect();
    let plain = Type::from(Tensor::new(tensor.dtype.clone(), tensor.shape.clone()));
    let own = format!("_{name}_given");
    let goal = format!("X => X :- {own} = [{}]", members.join(", "));
    let read = || {
        let (pattern, contents) = relation::parse_leaf(&format!("{plain} = {own}"))?;
        let goals = relation::parse_rule(&goal)?.body;
        Ok(GivenLeaf {
            pattern,
            contents,
            goals: vec![goals],
        })
    };
    Some(read())
}

fn written(member: &Content) -> String {
    match member {
        Content::Bool(own) => own.to_string(),
        own => own.int().map_or_else(|| "_".to_owned(), |n| n.to_string()),
    }
}

/// A leaf that the left side of the rule does not have.
pub(super) fn no_leaf(name: &str, known: &[String]) -> Diagnostic {
    let d = Diagnostic::new(code::NO_LEAF, format!("the rule has no leaf `{name}`"));
    match suggest(name, known.iter().map(String::as_str)) {
        Some(near) => d.with_help(format!("did you mean `{near}`?")),
        None => d.with_help(format!("its leaves are {}", known.join(", "))),
    }
}

/// A head stands behind the name of a rule: who left the name out is told so.
pub(super) fn with_head_hint(mistake: Diagnostic, text: &str) -> Diagnostic {
    let text = text.trim_start();
    match text.starts_with(['(', '[']) && text.contains("=>") {
        true => mistake.with_help(
            "a rule with a head begins with its name: `rule twice (A: T[m, k]): Relu(Relu(A)) => Relu(A)`",
        ),
        false => mistake,
    }
}
