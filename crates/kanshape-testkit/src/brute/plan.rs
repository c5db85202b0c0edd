//! The tree of a signature as the pieces that shapes are made of.

use std::collections::BTreeSet;
use std::fmt;

use kanshape_syntax::tree::{
    Condition, DimItem, Expr, Func, Item, Operand, Param, Pattern, PrefixKind, Signature, Type,
};

use super::names::{dtype_names, is_about_dtypes};

/// Why a tree has no meaning as a relation over shapes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Malformed(pub String);

impl fmt::Display for Malformed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Malformed {}

/// Which run it is: two pieces with the same key are the same run.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum RunKey {
    /// The batch dims of a prefix.
    Batch,
    /// `...`.
    Ellipsis,
    /// The j-th `.2.` of an operand.
    Skip(u64, usize),
    /// The j-th `.k.` of an operand.
    Counted(String, usize),
    /// `...r`.
    Named(String),
    /// The shape of a type variable.
    Type(String),
}

impl RunKey {
    /// Whether runs of this key broadcast under `+`, instead of being equal.
    pub(super) fn is_unnamed(&self) -> bool {
        !matches!(self, RunKey::Named(_) | RunKey::Type(_))
    }
}

/// One piece of a shape.
#[derive(Clone, Debug)]
pub(super) enum Piece {
    /// One dim of that size.
    Dim(Expr),
    /// One dim, or none where the optional dim of this name or numeral is absent.
    Optional(String, Expr),
    /// One dim of that size, or of size 1.
    OrOne(Expr),
    /// Some dims.
    Run(RunKey),
}

/// `Out == broadcast(Lhs, Rhs)` between type variables.
#[derive(Clone, Debug)]
pub(super) struct Broadcasts {
    pub(super) args: Vec<RunKey>,
    pub(super) out: RunKey,
}

/// A signature, taken apart.
#[derive(Clone, Debug)]
pub(super) struct Plan {
    pub(super) inputs: Vec<Vec<Piece>>,
    pub(super) outputs: Vec<Vec<Piece>>,
    /// Under `+`, unnamed runs broadcast.
    pub(super) broadcasting: bool,
    pub(super) max_batch: Option<u64>,
    /// What an answer reports, by label: the name that holds the number.
    pub(super) reported: Vec<(String, String)>,
    /// The names among `reported` that were declared in brackets.
    pub(super) declared: BTreeSet<String>,
    /// The conditions on sizes.
    pub(super) conditions: Vec<Condition>,
    pub(super) relations: Vec<Broadcasts>,
}

impl Plan {
    pub(super) fn new(signature: &Signature) -> Result<Self, Malformed> {
        let relational = !signature.variables.is_empty();
        let mut inputs = pieces_of_all(&signature.inputs, relational)?;
        let mut outputs = pieces_of_all(&signature.outputs, relational)?;
        if let Some(prefix) = &signature.prefix {
            // The broadcast of no inputs at all has no dims, as `numpy.broadcast_shapes()`.
            let nothing_to_broadcast =
                prefix.kind == PrefixKind::Broadcast && signature.inputs.is_empty();
            if !nothing_to_broadcast {
                for operand in inputs.iter_mut().chain(&mut outputs) {
                    operand.insert(0, Piece::Run(RunKey::Batch));
                }
            }
        }
        let prefix = signature.prefix.as_ref();
        let dtypes = dtype_names(signature);
        let plan = Plan {
            broadcasting: prefix.is_some_and(|prefix| prefix.kind == PrefixKind::Broadcast),
            max_batch: prefix.and_then(|prefix| prefix.max),
            reported: reported(&signature.params, inputs.iter().chain(&outputs))?,
            declared: signature
                .params
                .iter()
                .map(|param| param.name.node.to_string())
                .collect(),
            conditions: signature
                .conditions
                .iter()
                .map(|condition| &condition.node)
                .filter(|condition| !is_about_dtypes(condition, &dtypes))
                .cloned()
                .collect(),
            relations: relations(signature)?,
            inputs,
            outputs,
        };
        plan.check_optional_dims()?;
        plan.check_runs()?;
        plan.check_identities()?;
        Ok(plan)
    }

    /// Every operand, inputs first.
    pub(super) fn operands(&self) -> impl Iterator<Item = &Vec<Piece>> {
        self.inputs.iter().chain(&self.outputs)
    }

    /// The names and numerals of all optional dims.
    pub(super) fn optional_dims(&self) -> BTreeSet<&str> {
        self.operands()
            .flatten()
            .filter_map(|piece| match piece {
                Piece::Optional(key, _) => Some(key.as_str()),
                _ => None,
            })
            .collect()
    }

    fn check_optional_dims(&self) -> Result<(), Malformed> {
        let optional = self.optional_dims();
        for operand in self.operands() {
            let has_optional = operand.iter().any(|p| matches!(p, Piece::Optional(..)));
            let counted = |p: &Piece| matches!(p, Piece::Run(RunKey::Counted(..)));
            if has_optional && operand.iter().any(counted) {
                return Err(Malformed(
                    "an optional dim in an operand with `.k.`".to_owned(),
                ));
            }
            for piece in operand {
                let mut names = BTreeSet::new();
                match piece {
                    Piece::Dim(expr) | Piece::OrOne(expr) => names_in(expr, &mut names),
                    Piece::Run(RunKey::Counted(name, _)) => drop(names.insert(name.clone())),
                    Piece::Optional(..) | Piece::Run(_) => {}
                }
                if let Some(name) = names.iter().find(|name| optional.contains(name.as_str())) {
                    return Err(Malformed(format!("`{name}?` and `{name}` together")));
                }
            }
        }
        Ok(())
    }

    /// Shapes of numbers have no identities.
    fn check_identities(&self) -> Result<(), Malformed> {
        let dims = self.operands().flatten().filter_map(|piece| match piece {
            Piece::Dim(expr) | Piece::OrOne(expr) | Piece::Optional(_, expr) => Some(expr),
            Piece::Run(_) => None,
        });
        let sides = self.conditions.iter().flat_map(exprs_of);
        match dims.chain(sides).find(|expr| has_identity(expr)) {
            None => Ok(()),
            Some(expr) => Err(Malformed(format!("an identity: {expr}"))),
        }
    }

    /// A run in an expression must be a run of some operand.
    fn check_runs(&self) -> Result<(), Malformed> {
        let shown: BTreeSet<&RunKey> = self
            .operands()
            .flatten()
            .filter_map(|piece| match piece {
                Piece::Run(key) => Some(key),
                _ => None,
            })
            .collect();
        let mut used = BTreeSet::new();
        for piece in self.operands().flatten() {
            if let Piece::Dim(expr) | Piece::OrOne(expr) | Piece::Optional(_, expr) = piece {
                runs_in(expr, &mut used);
            }
        }
        for condition in &self.conditions {
            for expr in exprs_of(condition) {
                runs_in(expr, &mut used);
            }
        }
        for relation in &self.relations {
            used.extend(relation.args.iter().cloned());
            used.insert(relation.out.clone());
        }
        match used.iter().find(|key| !shown.contains(key)) {
            None => Ok(()),
            Some(key) => Err(Malformed(format!("no operand shows the run {key:?}"))),
        }
    }
}

/// Only what a `forall` declares is a type that is a shape and nothing else.
fn pieces_of_all(operands: &[Operand], relational: bool) -> Result<Vec<Vec<Piece>>, Malformed> {
    operands
        .iter()
        .map(|operand| match &operand.pattern {
            Pattern::Type(ty) => match &ty.node {
                Type::Name(name) if relational => {
                    Ok(vec![Piece::Run(RunKey::Type(name.node.to_string()))])
                }
                ty => Err(Malformed(format!("the type `{ty}` as an operand"))),
            },
            Pattern::Shape(items) => pieces(items.iter().map(|item| &item.node)),
        })
        .collect()
}

fn pieces<'a>(items: impl Iterator<Item = &'a Item>) -> Result<Vec<Piece>, Malformed> {
    let mut pieces: Vec<Piece> = Vec::new();
    for item in items {
        // How many runs of this kind stand before this one in the operand.
        let before = |is_same: &dyn Fn(&RunKey) -> bool| {
            pieces
                .iter()
                .filter(|piece| matches!(piece, Piece::Run(key) if is_same(key)))
                .count()
        };
        let piece = match item {
            Item::Dim(expr) => Piece::Dim(expr.clone()),
            Item::Optional(expr) => Piece::Optional(optional_key(expr)?, expr.clone()),
            Item::OrOne(expr) => Piece::OrOne(expr.clone()),
            Item::Run(name) => {
                let key = run_key(name.as_ref().map(|name| &*name.node));
                if before(&|other| matches!(other, RunKey::Ellipsis | RunKey::Named(_))) > 0 {
                    return Err(Malformed("two `...` in one operand".to_owned()));
                }
                Piece::Run(key)
            }
            Item::Skip(length) => {
                let at = before(&|other| matches!(other, RunKey::Skip(n, _) if n == length));
                Piece::Run(RunKey::Skip(*length, at))
            }
            Item::SkipNamed(name) => {
                let at =
                    before(&|other| matches!(other, RunKey::Counted(n, _) if **n == *name.node));
                Piece::Run(RunKey::Counted(name.node.to_string(), at))
            }
        };
        pieces.push(piece);
    }
    Ok(pieces)
}

fn optional_key(expr: &Expr) -> Result<String, Malformed> {
    match expr {
        Expr::Name(name) => Ok(name.node.to_string()),
        Expr::Int(numeral) => Ok(numeral.to_string()),
        _ => Err(Malformed(
            "an optional dim is a name or a numeral".to_owned(),
        )),
    }
}

/// The key of `...` or `...r`.
pub(super) fn run_key(name: Option<&str>) -> RunKey {
    name.map_or(RunKey::Ellipsis, |name| RunKey::Named(name.to_owned()))
}

fn reported<'a>(
    params: &[Param],
    operands: impl Iterator<Item = &'a Vec<Piece>>,
) -> Result<Vec<(String, String)>, Malformed> {
    let mut reported: Vec<(String, String)> = Vec::new();
    for param in params {
        let label = param.label.node.to_string();
        if reported.iter().any(|(other, _)| *other == label) {
            return Err(Malformed(format!("two parameters `{label}`")));
        }
        reported.push((label, param.name.node.to_string()));
    }
    for piece in operands.flatten() {
        if let Piece::Run(RunKey::Counted(name, _)) = piece {
            // A length that was declared as a parameter is reported by its label.
            if reported.iter().any(|(_, other)| other == name) {
                continue;
            }
            if reported.iter().any(|(label, _)| label == name) {
                return Err(Malformed(format!(
                    "`{name}` is the label of another name and the length of a run"
                )));
            }
            reported.push((name.clone(), name.clone()));
        }
    }
    Ok(reported)
}

fn relations(signature: &Signature) -> Result<Vec<Broadcasts>, Malformed> {
    signature
        .relations
        .iter()
        .map(|relation| {
            let relation = &relation.node;
            let mut args: Vec<RunKey> = relation
                .args
                .iter()
                .map(|arg| RunKey::Type(arg.node.to_string()))
                .collect();
            match (&*relation.name.node, args.len(), args.pop()) {
                ("Broadcast", 2.., Some(out)) => Ok(Broadcasts { args, out }),
                (name, count, _) => Err(Malformed(format!("no relation `{name}` of {count}"))),
            }
        })
        .collect()
}

/// All expressions of a condition on sizes.
pub(super) fn exprs_of(condition: &Condition) -> Vec<&Expr> {
    match condition {
        Condition::Compare(first, rest) => std::iter::once(first)
            .chain(rest.iter().map(|(_, expr)| expr))
            .collect(),
        Condition::In(expr, members) => std::iter::once(expr).chain(members).collect(),
        Condition::Dtype(..) => Vec::new(),
    }
}

/// Adds the names of an expression to `names`.
pub(super) fn names_in(expr: &Expr, names: &mut BTreeSet<String>) {
    if let Expr::Name(name) = expr {
        names.insert(name.node.to_string());
    }
    for part in parts(expr) {
        names_in(part, names);
    }
}

/// Adds the runs of an expression to `runs`.
pub(super) fn runs_in(expr: &Expr, runs: &mut BTreeSet<RunKey>) {
    if let Expr::Run(name) = expr {
        runs.insert(run_key(name.as_ref().map(|name| &*name.node)));
    }
    if let Expr::List(items) = expr {
        // Without a name it is some dims, and not the run of the operands.
        let named = items.iter().filter_map(|item| match &item.node {
            DimItem::Run(Some(name)) => Some(run_key(Some(&name.node))),
            _ => None,
        });
        runs.extend(named);
    }
    for part in parts(expr) {
        runs_in(part, runs);
    }
}

/// Whether an expression denotes a run rather than a number.
pub(super) fn is_run(expr: &Expr) -> bool {
    match expr {
        Expr::Run(_) => true,
        Expr::Call(Func::Broadcast, args) => args.iter().any(is_run),
        _ => false,
    }
}

fn has_identity(expr: &Expr) -> bool {
    matches!(expr, Expr::Nominal(_)) || parts(expr).into_iter().any(has_identity)
}

fn parts(expr: &Expr) -> Vec<&Expr> {
    match expr {
        Expr::Int(_) | Expr::Name(_) | Expr::Nominal(_) | Expr::Run(_) => Vec::new(),
        Expr::Sum(terms) => terms.iter().map(|(_, term)| term).collect(),
        Expr::Chain(first, rest) => std::iter::once(&**first)
            .chain(rest.iter().map(|(_, factor)| factor))
            .collect(),
        Expr::Call(_, args) => args.iter().collect(),
        Expr::CeilDiv(a, b) => vec![a, b],
        Expr::List(_) => expr.parts(),
    }
}
