//! What is given of the leaves of a rule beside its text.

use kanshape::tree::relation::{self, Goal, Node, Pattern, Term};
use kanshape::tree::{Ident, Spanned};
use kanshape::{Content, Diagnostic, Dtype, Tensor, Type, diag::suggest};

use crate::{code, made};

/// What is given of a leaf.
pub(super) struct GivenLeaf {
    pub(super) pattern: Spanned<Pattern>,
    /// The name of what is in it.
    pub(super) contents: Option<Ident>,
    /// What holds of that.
    pub(super) goals: Vec<Goal>,
    /// The constant that it is, if all of it is given.
    pub(super) literal: Option<Node>,
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
            literal: None,
        })
    }
}

/// A type whose contents are numbers: they have a name, and a goal says what they are.
fn with_members(name: &str, text: &str) -> Option<Result<GivenLeaf, Diagnostic>> {
    let ty: Type = text.parse().ok()?;
    let tensor = ty.as_tensor()?;
    let members = tensor.contents.as_ref()?;
    let number = |own: &Content| match own {
        Content::Int(n) => Some(made::int(*n)),
        Content::Bool(is) => Some(Term::Bool(*is)),
        _ => None,
    };
    let members: Vec<Term> = members.iter().map(number).collect::<Option<_>>()?;
    let plain = Type::from(Tensor::new(tensor.dtype.clone(), tensor.shape.clone()));
    let contents = format!("_{name}_given");
    let goal = made::equal(&made::name(&contents), &made::list(members.iter().cloned()));
    Some(
        relation::parse_leaf(&plain.to_string()).map(|(pattern, _)| GivenLeaf {
            pattern,
            contents: Some(made::ident(&contents)),
            goals: vec![goal],
            literal: literal(tensor, members),
        }),
    )
}

/// What stands in a rule for such a tensor: of the dtypes that constants have, with one dim at most.
fn literal(tensor: &Tensor, mut members: Vec<Term>) -> Option<Node> {
    let is_bool = tensor.dtype.known()? == Dtype::Bool && !members.is_empty();
    if !is_bool && tensor.dtype.known()? != Dtype::I64 {
        return None;
    }
    let term = match (tensor.shape.rank()?, members.len()) {
        (0, 1) => members.remove(0),
        (1, _) => made::list(members),
        _ => return None,
    };
    Some(Node::Literal(made::nowhere(term)))
}

/// Does a rule declare a leaf, or do its goals speak of it?
pub(super) fn is_spoken_of(rule: &relation::Rule, leaf: &str) -> bool {
    let is_declared = rule.leaves.iter().any(|own| *own.name.node == *leaf);
    is_declared || rule.body.node.speaks_of(leaf)
}

/// Puts a constant in the place of a leaf.
pub(super) fn with_literal(rule: &mut relation::Rule, leaf: &str, literal: &Node) {
    let roots = rule.left.iter_mut().chain(&mut rule.right);
    let mut open: Vec<&mut Node> = roots.map(|root| &mut root.node).collect();
    while let Some(node) = open.pop() {
        match node {
            Node::Leaf(name) | Node::Constant(name) if *name.node == *leaf => {
                *node = literal.clone();
            }
            Node::Call(call) => open.extend(call.args.iter_mut().map(|arg| &mut arg.node)),
            _ => {}
        }
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

/// A head stands behind the name of a rule: a hint says that the name is missing.
pub(super) fn with_head_hint(mistake: Diagnostic, text: &str) -> Diagnostic {
    let text = text.trim_start();
    match text.starts_with(['(', '[']) && text.contains("=>") {
        true => mistake.with_help(
            "a rule with a head begins with its name: `rule twice (A: T[m, k]): Relu(Relu(A)) => Relu(A)`",
        ),
        false => mistake,
    }
}
