//! The dtypes of a signature by definition: try every dtype for every variable.

use std::collections::BTreeSet;

use kanshape_syntax::tree::{CmpOp, Condition, DtypeExpr, Expr, Func, Ident, Signature};

use super::names::{dtype_names, is_about_dtypes};

/// What is known about dtypes, passed in: names in, canonical names out.
pub trait DtypeTable {
    /// All dtypes.
    fn all(&self) -> Vec<String>;
    /// The dtype that a name or an alias denotes.
    fn dtype(&self, name: &str) -> Option<String>;
    /// The members of a class.
    fn class(&self, name: &str) -> Option<Vec<String>>;
    /// What two dtypes promote to, if they do.
    fn promote(&self, a: &str, b: &str) -> Option<String>;
}

/// A signature as a relation over concrete dtypes.
#[derive(Clone, Debug)]
pub struct DtypeRelation {
    inputs: usize,
    operands: Vec<Option<DtypeExpr>>,
    conditions: Vec<Condition>,
    names: BTreeSet<String>,
}

impl DtypeRelation {
    /// The relation of the annotations and of the conditions on dtypes.
    ///
    /// The signature is one that [`Relation::new`](super::Relation::new) takes.
    pub fn new(signature: &Signature) -> Self {
        let names = dtype_names(signature);
        DtypeRelation {
            inputs: signature.inputs.len(),
            operands: signature
                .inputs
                .iter()
                .chain(&signature.outputs)
                .map(|operand| operand.dtype.as_ref().map(|dtype| dtype.node.clone()))
                .collect(),
            conditions: signature
                .conditions
                .iter()
                .map(|condition| condition.node.clone())
                .filter(|condition| is_about_dtypes(condition, &names))
                .collect(),
            names,
        }
    }

    /// Whether one choice of dtypes for the variables makes every operand have its dtype.
    pub fn dtype_holds(&self, inputs: &[&str], outputs: &[&str], table: &impl DtypeTable) -> bool {
        if inputs.len() != self.inputs || inputs.len() + outputs.len() != self.operands.len() {
            return false;
        }
        let actual: Vec<&str> = inputs.iter().chain(outputs).copied().collect();
        let variables: Vec<&str> = self
            .names
            .iter()
            .map(String::as_str)
            .filter(|name| table.dtype(name).is_none() && table.class(name).is_none())
            .collect();
        self.choose(&variables, &mut Vec::new(), &actual, table)
    }

    fn choose<'n>(
        &'n self,
        variables: &[&'n str],
        chosen: &mut Vec<(&'n str, String)>,
        actual: &[&str],
        table: &impl DtypeTable,
    ) -> bool {
        let Some((variable, rest)) = variables.split_first() else {
            return self.matches(&Reading { chosen, table }, actual);
        };
        // A variable that is some operand's dtype can only be that.
        let shown = self
            .operands
            .iter()
            .zip(actual)
            .find_map(|(dtype, actual)| {
                matches!(dtype, Some(DtypeExpr::Name(name)) if *name.node == **variable)
                    .then(|| vec![(*actual).to_owned()])
            });
        shown
            .unwrap_or_else(|| table.all())
            .into_iter()
            .any(|dtype| {
                chosen.push((variable, dtype));
                let found = self.choose(rest, chosen, actual, table);
                chosen.pop();
                found
            })
    }

    fn matches(&self, reading: &Reading<'_, impl DtypeTable>, actual: &[&str]) -> bool {
        let mut shared = None;
        let operands = self.operands.iter().zip(actual).all(|(dtype, actual)| {
            match dtype {
                Some(dtype) => reading.dtypes(dtype).contains(*actual),
                // Operands without an annotation share one dtype.
                None => *shared.get_or_insert(*actual) == *actual,
            }
        });
        operands
            && self
                .conditions
                .iter()
                .all(|condition| reading.is_true(condition))
    }
}

/// Dtype expressions once the variables have dtypes.
struct Reading<'c, T> {
    chosen: &'c [(&'c str, String)],
    table: &'c T,
}

impl<T: DtypeTable> Reading<'_, T> {
    /// The dtypes that a name may denote: one, but for a class.
    fn of_name(&self, name: &Ident) -> BTreeSet<String> {
        let name = &*name.node;
        if let Some(dtype) = self.table.dtype(name) {
            return BTreeSet::from([dtype]);
        }
        if let Some(members) = self.table.class(name) {
            return members.into_iter().collect();
        }
        self.chosen
            .iter()
            .filter(|(variable, _)| *variable == name)
            .map(|(_, dtype)| dtype.clone())
            .collect()
    }

    fn dtypes(&self, dtype: &DtypeExpr) -> BTreeSet<String> {
        match dtype {
            DtypeExpr::Name(name) => self.of_name(name),
            DtypeExpr::Set(members) => members.iter().flat_map(|name| self.of_name(name)).collect(),
            DtypeExpr::Promote(args) => self.promoted(args.iter().map(|arg| self.dtypes(arg))),
            DtypeExpr::Hole => self.table.all().into_iter().collect(),
        }
    }

    fn of_expr(&self, expr: &Expr) -> BTreeSet<String> {
        match expr {
            Expr::Name(name) => self.of_name(name),
            Expr::Call(Func::Promote, args) => {
                self.promoted(args.iter().map(|arg| self.of_expr(arg)))
            }
            _ => BTreeSet::new(),
        }
    }

    /// What one dtype of each argument promotes to, from the left.
    fn promoted(&self, args: impl Iterator<Item = BTreeSet<String>>) -> BTreeSet<String> {
        args.reduce(|left, right| {
            left.iter()
                .flat_map(|a| right.iter().filter_map(|b| self.table.promote(a, b)))
                .collect()
        })
        .unwrap_or_default()
    }

    fn is_true(&self, condition: &Condition) -> bool {
        match condition {
            Condition::Dtype(name, dtype) => {
                let allowed = self.dtypes(dtype);
                self.of_name(name)
                    .iter()
                    .any(|dtype| allowed.contains(dtype))
            }
            Condition::In(expr, members) => {
                let allowed: BTreeSet<String> = members
                    .iter()
                    .flat_map(|member| self.of_expr(member))
                    .collect();
                self.of_expr(expr)
                    .iter()
                    .any(|dtype| allowed.contains(dtype))
            }
            Condition::Compare(first, rest) => {
                let mut left = self.of_expr(first);
                rest.iter().all(|(op, right)| {
                    let right = self.of_expr(right);
                    let pairs = || left.iter().flat_map(|a| right.iter().map(move |b| (a, b)));
                    let holds = match op {
                        CmpOp::Eq => pairs().any(|(a, b)| a == b),
                        CmpOp::Ne => pairs().any(|(a, b)| a != b),
                        CmpOp::Lt | CmpOp::Le | CmpOp::Gt | CmpOp::Ge => false,
                    };
                    left = right;
                    holds
                })
            }
        }
    }
}
