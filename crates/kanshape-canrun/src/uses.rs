//! What expressions and conditions speak of: names, runs, dtypes.

use std::collections::BTreeSet;

use kanshape_syntax::tree::{Condition, DimItem, DtypeExpr, Expr, Func, Ident, Signature};

/// Which run: two runs with the same key are one.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum RunKey {
    /// The batch dims that a prefix puts in front.
    Batch,
    /// `...`.
    Unnamed,
    /// The j-th `.2.` of an operand.
    Skip(u64, usize),
    /// The j-th `.k.` of an operand.
    Counted(String, usize),
    /// `...r`.
    Named(String),
    /// All dims of a type variable.
    Type(String),
}

impl RunKey {
    /// The run that is written `...` or `...r`.
    pub(crate) fn written(name: Option<&Ident>) -> Self {
        name.map_or(RunKey::Unnamed, |name| RunKey::Named(name.node.to_string()))
    }
}

/// The expressions of a condition on sizes.
pub(crate) fn exprs(condition: &Condition) -> Vec<&Expr> {
    match condition {
        Condition::Compare(first, rest) => {
            let mut all = vec![first];
            all.extend(rest.iter().map(|(_, expr)| expr));
            all
        }
        Condition::In(member, set) => {
            let mut all = vec![member];
            all.extend(set);
            all
        }
        Condition::Dtype(..) => Vec::new(),
    }
}

/// The names and runs that expressions speak of, each once.
#[derive(Clone, Debug, Default)]
pub(crate) struct Uses {
    pub(crate) names: Vec<String>,
    pub(crate) runs: Vec<RunKey>,
    pub(crate) identities: Vec<String>,
}

impl Uses {
    pub(crate) fn of<'e>(exprs: impl IntoIterator<Item = &'e Expr>) -> Self {
        let mut uses = Uses::default();
        exprs.into_iter().for_each(|expr| uses.add(expr));
        uses
    }

    fn add(&mut self, expr: &Expr) {
        match expr {
            Expr::Int(_) => {}
            Expr::Nominal(nominal) => self.identities.push(nominal.identity.node.to_string()),
            Expr::Name(name) => {
                if !self.names.iter().any(|other| **other == *name.node) {
                    self.names.push(name.node.to_string());
                }
            }
            Expr::Run(name) => {
                let key = RunKey::written(name.as_ref());
                if !self.runs.contains(&key) {
                    self.runs.push(key);
                }
            }
            Expr::Sum(terms) => terms.iter().for_each(|(_, term)| self.add(term)),
            Expr::Chain(first, rest) => {
                self.add(first);
                rest.iter().for_each(|(_, factor)| self.add(factor));
            }
            Expr::Call(_, args) => args.iter().for_each(|arg| self.add(arg)),
            Expr::CeilDiv(a, b) => {
                self.add(a);
                self.add(b);
            }
            Expr::List(items) => items.iter().for_each(|item| match &item.node {
                DimItem::Hole | DimItem::Run(None) => {}
                DimItem::Dim(dim) => self.add(dim),
                DimItem::Run(name) => self.add(&Expr::Run(name.clone())),
            }),
        }
    }
}

/// Whether a condition is one on sizes: none of its names is a dtype.
///
/// A name is a dtype where one stands after a colon, in `promote`, or beside one of these.
pub(crate) fn is_on_sizes(condition: &Condition, signature: &Signature) -> bool {
    let mut dtypes: BTreeSet<String> = WORDS.iter().map(|word| (*word).to_owned()).collect();
    for operand in signature.inputs.iter().chain(&signature.outputs) {
        if let Some(dtype) = &operand.dtype {
            add_names(&dtype.node, &mut dtypes);
        }
    }
    for written in &signature.conditions {
        if let Condition::Dtype(name, dtype) = &written.node {
            dtypes.insert(name.node.to_string());
            add_names(dtype, &mut dtypes);
        }
    }
    // What is compared with a dtype is one: spread that until nothing is new.
    loop {
        let before = dtypes.len();
        for written in &signature.conditions {
            if speaks_of(&written.node, &dtypes) {
                dtypes.extend(Uses::of(exprs(&written.node)).names);
            }
        }
        if dtypes.len() == before {
            return !speaks_of(condition, &dtypes);
        }
    }
}

fn speaks_of(condition: &Condition, dtypes: &BTreeSet<String>) -> bool {
    matches!(condition, Condition::Dtype(..))
        || exprs(condition).into_iter().any(|expr| match expr {
            Expr::Call(Func::Promote, _) => true,
            Expr::Name(name) => dtypes.contains(&*name.node),
            _ => false,
        })
}

fn add_names(dtype: &DtypeExpr, names: &mut BTreeSet<String>) {
    match dtype {
        DtypeExpr::Name(name) => {
            names.insert(name.node.to_string());
        }
        DtypeExpr::Set(members) => names.extend(members.iter().map(|name| name.node.to_string())),
        DtypeExpr::Promote(args) => args.iter().for_each(|arg| add_names(arg, names)),
        DtypeExpr::Hole => {}
    }
}

/// The dtypes and classes that the language names.
const WORDS: [&str; 38] = [
    "bool",
    "i4",
    "i8",
    "i16",
    "i32",
    "i64",
    "u4",
    "u8",
    "u16",
    "u32",
    "u64",
    "f16",
    "bf16",
    "f32",
    "f64",
    "c64",
    "c128",
    "str",
    "f8e4m3fn",
    "f8e4m3fnuz",
    "f8e5m2",
    "f8e5m2fnuz",
    "f4e2m1",
    "f6e2m3",
    "f6e3m2",
    "f8e8m0",
    "i2",
    "u2",
    "f8e4m3",
    "f8e3m4",
    "f8e4m3b11fnuz",
    "Float",
    "Int",
    "UInt",
    "Bool",
    "Complex",
    "Num",
    "Any",
];
