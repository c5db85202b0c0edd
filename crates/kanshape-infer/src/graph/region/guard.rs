//! When a region is run: what its guard says as types of values, and as words.

use super::super::{Graph, Placed, ValueId};
use super::Region;
use super::types::{known_number, known_size, known_truth, only_named};
use kanshape_syntax::tree::{CmpOp, Condition, Expr};
use kanshape_types::{Content, Contents, Dtype, Type};
use std::sync::Arc;

/// A value, with what it is called.
pub type NamedValue = (ValueId, String);

/// Values, each with an axis along which it is taken apart.
pub type Scanned = Vec<(NamedValue, usize)>;

/// When a region is run.
#[derive(Clone, Debug)]
pub enum Guard {
    /// When a value is true, or false.
    Branch {
        /// The value.
        cond: ValueId,
        /// What it is.
        is: bool,
        /// The same in words: `c == true`.
        says: String,
    },
    /// As often as these say.
    Loop {
        /// In which iteration, at the earliest: in the first or the second.
        iteration: u64,
        /// The number of iterations.
        limit: Option<NamedValue>,
        /// What has to be true before the first one.
        cond: Option<NamedValue>,
    },
    /// Once for each slice of these along an axis.
    Scan(Scanned),
    /// In ways that can't be stated here, with what is run.
    Other(String),
}

/// Values with types that they have to have.
pub(super) type Guards = Vec<(ValueId, Type)>;

/// Where the values of a region are in a graph, and which names are known outside of it.
#[derive(Clone, Copy)]
pub(super) struct Placing<'p> {
    pub at: Option<&'p Arc<Placed>>,
    pub is_named: &'p dyn Fn(&str) -> bool,
}

impl Placing<'_> {
    pub(super) fn value(self, value: ValueId) -> ValueId {
        self.at.map_or(value, |placed| placed.value(value))
    }

    fn ty(self, graph: &mut Graph, value: ValueId) -> (ValueId, Type) {
        let value = self.value(value);
        (value, only_named(&graph.ty(value), self.is_named))
    }
}

impl Guard {
    /// In which iteration of a loop, at the earliest.
    pub(super) fn iteration(&self) -> u64 {
        match self {
            Guard::Loop { iteration, .. } => *iteration,
            _ => 1,
        }
    }

    /// What values have to be for a region to be run, or not to be run, as far as types can say it.
    pub(super) fn types(&self, graph: &mut Graph, is_run: bool, at: Placing<'_>) -> Guards {
        let mut all = Guards::new();
        let mut ty = |value: ValueId| at.ty(graph, value);
        match self {
            Guard::Branch { cond, is, .. } => {
                let (value, ty) = ty(*cond);
                all.extend(truth(&ty, *is == is_run).map(|ty| (value, ty)));
            }
            Guard::Loop {
                iteration: least,
                limit,
                cond,
            } => {
                let limit = limit.as_ref().map(|limit| ty(limit.0));
                let cond = cond.as_ref().map(|cond| ty(cond.0));
                let number = limit.as_ref().and_then(|(_, ty)| known_number(ty));
                let is_large = matches!(number, Some(Expr::Int(n)) if n >= *least);
                // One of two may be what ends a loop: then no type says which.
                let limit_ends = match (&cond, least) {
                    (None, _) => true,
                    (Some((_, cond)), 1) => known_truth(cond) == Some(true),
                    (Some(_), _) => false,
                };
                let cond_ends = *least == 1 && (limit.is_none() || is_large);
                if let (Some((value, ty)), Some(e)) = (limit, number)
                    && (is_run || limit_ends)
                {
                    all.push((value, bounded(ty, e, is_run, *least)));
                }
                if let Some((value, ty)) = cond.filter(|_| is_run || cond_ends) {
                    all.extend(truth(&ty, is_run).map(|ty| (value, ty)));
                }
            }
            Guard::Scan(scanned) => {
                for ((value, _), axis) in scanned {
                    let (value, ty) = ty(*value);
                    if let Some(e) = known_size(&ty, *axis) {
                        all.push((value, bounded(ty, e, is_run, 1)));
                    }
                }
            }
            Guard::Other(_) => {}
        }
        all
    }

    /// That a region is not run, where no type says so.
    pub(super) fn not_run(&self, graph: &mut Graph, at: Placing<'_>) -> Option<String> {
        let mut ty = |called: &NamedValue| at.ty(graph, called.0).1;
        match self {
            Guard::Branch { .. } => None,
            Guard::Loop {
                iteration,
                limit,
                cond,
            } => {
                let most = iteration - 1;
                let mut texts: Vec<String> = Vec::new();
                if let Some(limit) = limit {
                    let is_said = match known_number(&ty(limit)) {
                        Some(Expr::Int(n)) => n > most,
                        Some(_) => cond.is_none(),
                        None => false,
                    };
                    if !is_said {
                        texts.push(format!("{} <= {most}", limit.1));
                    }
                }
                if let Some(cond) = cond {
                    match most {
                        0 if known_truth(&ty(cond)) == Some(true) => {}
                        0 => texts.push(format!("{} == false", cond.1)),
                        _ => texts.push("the body ends the loop the first time".into()),
                    }
                }
                (!texts.is_empty()).then(|| texts.join(" or "))
            }
            Guard::Scan(scanned) => {
                let (called, axis) = scanned.first()?;
                let is_said = known_size(&ty(called), *axis).is_some();
                (!is_said).then(|| format!("{} has no slices", called.1))
            }
            Guard::Other(body) => Some(format!("{body} is not run")),
        }
    }
}

impl<O> Region<O> {
    /// Can it be run, as far as its graph is known by now?
    pub(super) fn can_be(&self, graph: &Graph, is_named: &dyn Fn(&str) -> bool) -> bool {
        let mut graph = graph.clone();
        let (node, _) = graph.add_unknown(&[], 0);
        let at = Placing { at: None, is_named };
        let guards = self.guard.types(&mut graph, true, at);
        let mut guards = guards.iter();
        guards.all(|(value, ty)| graph.require(node, *value, ty).is_ok())
            && graph.extend(&self.before, &self.after, None).is_ok()
            && graph.is_possible()
    }
}

/// The type of which it is known that an expression is at least this, or less.
fn bounded(ty: Type, e: Expr, is_least: bool, least: u64) -> Type {
    let bound = match is_least {
        true => (CmpOp::Ge, Expr::Int(least)),
        false => (CmpOp::Le, Expr::Int(least - 1)),
    };
    let condition = Condition::Compare(e, vec![bound]);
    ty.with_conditions([condition].into_iter().collect())
}

/// A type of one truth value, with which it is.
pub(super) fn truth(ty: &Type, is: bool) -> Option<Type> {
    let tensor = ty.as_tensor()?;
    let is_bool = tensor.dtype.known() == Some(Dtype::Bool);
    let is_one = tensor.shape.rank().is_some() && tensor.shape.iter().all(|d| d.size() == Some(1));
    let contents = Contents::new([Content::Bool(is)]);
    (is_bool && is_one).then(|| ty.clone().with_contents(contents))
}
