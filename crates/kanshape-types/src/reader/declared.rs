//! Which words are taken for dtype variables: a misspelt or foreign dtype would otherwise be one, without a word.

use std::collections::BTreeSet;

use kanshape_diag::Diagnostic;
use kanshape_syntax::tree::{
    Condition, DtypeExpr, Expr, Ident, Pattern, Signature, Spanned, Type, TypeText,
};

use crate::error::{self, range};
use crate::{DtypeTerm, Vocabulary};

/// What words for dtypes begin with, in front of their bits.
const HEADS: [&str; 16] = [
    "f", "fp", "float", "bf", "bfloat", "i", "int", "s", "si", "u", "ui", "uint", "c", "complex",
    "nf", "q",
];

impl DtypeTerm {
    /// Whether a word that is no dtype looks like one: letters that dtypes begin with, and bits.
    fn is_like_dtype(name: &str) -> bool {
        let name = name.to_ascii_lowercase();
        let Some(digits) = name.find(|c: char| c.is_ascii_digit()) else {
            return false;
        };
        HEADS.contains(&&name[..digits])
    }

    /// Whether a word is a name for any dtype: a letter, perhaps with a number, or what begins with a `T`.
    fn is_variable(name: &str) -> bool {
        let mut rest = name.chars();
        let first = rest.next();
        let rest = rest.as_str();
        let numbered = rest
            .chars()
            .all(|c| c.is_ascii_digit() || matches!(c, '_' | '\''));
        (numbered || rest.chars().count() == 1 || first == Some('T'))
            && !DtypeTerm::is_like_dtype(name)
    }

    /// What is wrong about a signature with a dtype that is none: a word that looks like one, and no condition is about it.
    pub fn undeclared(tree: &Signature) -> Option<Diagnostic> {
        let mut words = Vec::new();
        for operand in tree.inputs.iter().chain(&tree.outputs) {
            match (&operand.pattern, &operand.dtype) {
                (Pattern::Type(ty), _) => dtypes(&ty.node, &mut words),
                (Pattern::Shape(_), Some(dtype)) => of_dtype(&dtype.node, &mut words),
                (Pattern::Shape(_), None) => {}
            }
        }
        words.retain(|ident| DtypeTerm::is_like_dtype(&ident.node));
        if words.is_empty() {
            return None;
        }
        let declared = declared(&tree.conditions);
        let wrong = words.into_iter().find(|ident| {
            !declared.contains(&*ident.node)
                && matches!(DtypeTerm::from_ident(ident), Ok(DtypeTerm::Name(_)))
        })?;
        Some(error::undeclared_dtype(&wrong.node, range(wrong.span)))
    }
}

impl crate::Type {
    /// That each dtype of a type that is read on its own is one, or a variable for sure.
    pub(crate) fn all_declared(text: &TypeText, vocabulary: &Vocabulary) -> Result<(), Diagnostic> {
        let mut words = Vec::new();
        dtypes(&text.ty.node, &mut words);
        let declared = declared(&text.conditions);
        let wrong = words.into_iter().find(|ident| {
            let name = &*ident.node;
            !DtypeTerm::is_variable(name)
                && !declared.contains(name)
                && vocabulary.get(name).is_none()
                && matches!(DtypeTerm::from_ident(ident), Ok(DtypeTerm::Name(_)))
        });
        match wrong {
            Some(ident) => Err(error::undeclared_dtype(&ident.node, range(ident.span))),
            None => Ok(()),
        }
    }
}

/// The words that stand where the dtypes of tensors do.
fn dtypes<'t>(ty: &'t Type, into: &mut Vec<&'t Ident>) {
    match ty {
        Type::Tensor { dtype, .. } => of_dtype(&dtype.node, into),
        Type::Tuple(types) | Type::Adt(_, types) => {
            types.iter().for_each(|ty| dtypes(&ty.node, into))
        }
        Type::Fn(params, result) => {
            params.iter().for_each(|ty| dtypes(&ty.node, into));
            dtypes(&result.node, into);
        }
        Type::Hole | Type::Name(_) => {}
    }
}

fn of_dtype<'t>(dtype: &'t DtypeExpr, into: &mut Vec<&'t Ident>) {
    match dtype {
        DtypeExpr::Name(name) => into.push(name),
        DtypeExpr::Promote(args) => args.iter().for_each(|arg| of_dtype(arg, into)),
        DtypeExpr::Set(_) | DtypeExpr::Hole => {}
    }
}

/// The names that conditions are about.
fn declared(conditions: &[Spanned<Condition>]) -> BTreeSet<&str> {
    fn side<'t>(e: &'t Expr, names: &mut BTreeSet<&'t str>) {
        match e {
            Expr::Name(name) => {
                names.insert(&name.node);
            }
            Expr::Call(_, args) => args.iter().for_each(|arg| side(arg, names)),
            _ => {}
        }
    }
    let mut names = BTreeSet::new();
    for condition in conditions {
        match &condition.node {
            Condition::Compare(first, rest) => {
                side(first, &mut names);
                rest.iter().for_each(|(_, e)| side(e, &mut names));
            }
            Condition::In(e, _) => side(e, &mut names),
            Condition::Dtype(name, _) => {
                names.insert(&name.node);
            }
        }
    }
    names
}
