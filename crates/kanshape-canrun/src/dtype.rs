//! The dtypes of a signature as goals. The promotion table comes from outside.

use std::collections::BTreeMap;
use std::fmt;
use std::rc::Rc;

use canrun::goals::{assert_2, project_1};
use canrun::{Fail, Goal, Value, lazy, unify};
use kanshape_syntax::tree::{CmpOp, Condition, DtypeExpr, Expr, Func, Ident, Signature};

use crate::enumerate::{afterwards, one_of};
use crate::misuse::Misuse;
use crate::project::{all_of, project_all, truth};
use crate::uses::is_on_sizes;

/// A dtype as a canrun value: its canonical name.
pub type DtypeValue = Value<String>;

/// What the goals need to know of dtypes.
pub trait DtypeTable: 'static {
    /// All dtypes, by their canonical names.
    fn all(&self) -> Vec<String>;
    /// The dtype that a name or an alias denotes.
    fn dtype(&self, name: &str) -> Option<String>;
    /// The members of a class such as `Float`.
    fn class(&self, name: &str) -> Option<Vec<String>>;
    /// What two dtypes promote to, if they do.
    fn promote(&self, a: &str, b: &str) -> Option<String>;
}

/// The dtypes of a signature, as a goal of their own beside [`crate::SignatureGoals`].
#[derive(Clone)]
pub struct DtypeGoals {
    inputs: usize,
    operands: Vec<Option<DtypeExpr>>,
    conditions: Vec<Condition>,
    table: Rc<dyn DtypeTable>,
}

impl fmt::Debug for DtypeGoals {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DtypeGoals")
            .field("operands", &self.operands)
            .field("conditions", &self.conditions)
            .finish_non_exhaustive()
    }
}

impl DtypeGoals {
    /// The annotations of the operands and the conditions on dtypes, under a promotion table.
    ///
    /// The signature is one that [`SignatureGoals::new`](crate::SignatureGoals::new) takes: what it
    /// refuses has no such goals either.
    pub fn new(signature: &Signature, table: Rc<dyn DtypeTable>) -> Self {
        let operands = signature.inputs.iter().chain(&signature.outputs);
        let conditions = signature.conditions.iter().map(|condition| &condition.node);
        DtypeGoals {
            inputs: signature.inputs.len(),
            operands: operands
                .map(|operand| operand.dtype.as_ref().map(|dtype| dtype.node.clone()))
                .collect(),
            conditions: conditions
                .filter(|condition| !is_on_sizes(condition, signature))
                .cloned()
                .collect(),
            table,
        }
    }

    /// The goal that operands have these dtypes. In each state it yields, all are known.
    pub fn goal(
        &self,
        inputs: &[DtypeValue],
        outputs: &[DtypeValue],
    ) -> Result<Rc<dyn Goal>, Misuse> {
        let wanted = (self.inputs, self.operands.len() - self.inputs);
        let given = (inputs.len(), outputs.len());
        if wanted != given {
            return Err(Misuse::Operands { wanted, given });
        }
        let dtypes: Vec<DtypeValue> = inputs.iter().chain(outputs).cloned().collect();
        let goals = self.clone();
        Ok(Rc::new(lazy(move || goals.statement(&dtypes))))
    }

    fn statement(&self, dtypes: &[DtypeValue]) -> Box<dyn Goal> {
        let mut scope = DtypeScope {
            table: self.table.clone(),
            variables: BTreeMap::new(),
            goals: Vec::new(),
        };
        let shared = Value::var();
        for (written, dtype) in self.operands.iter().zip(dtypes) {
            let wanted = match written {
                Some(written) => scope.dtype(written),
                // Operands without an annotation share one dtype.
                None => shared.clone(),
            };
            scope.goals.push(Box::new(unify(wanted, dtype)));
        }
        for condition in &self.conditions {
            scope.condition(condition);
        }
        let all: Rc<[String]> = self.table.all().into();
        let open = dtypes.iter().chain(scope.variables.values());
        let tries = open.map(|dtype| Box::new(one_of(dtype, all.clone())) as Box<dyn Goal>);
        let enumeration = all_of(tries.collect());
        scope.goals.push(Box::new(afterwards(enumeration)));
        all_of(scope.goals)
    }
}

/// The dtype variables of a signature, and the goals about them so far.
struct DtypeScope {
    table: Rc<dyn DtypeTable>,
    variables: BTreeMap<String, DtypeValue>,
    goals: Vec<Box<dyn Goal>>,
}

impl DtypeScope {
    fn dtype(&mut self, written: &DtypeExpr) -> DtypeValue {
        match written {
            DtypeExpr::Name(name) => self.name(name),
            DtypeExpr::Set(members) => {
                let members = members.iter().flat_map(|name| self.members(name));
                let members = members.collect();
                self.member_of(members)
            }
            DtypeExpr::Promote(args) => {
                let args: Vec<DtypeValue> = args.iter().map(|arg| self.dtype(arg)).collect();
                self.promoted(args)
            }
            DtypeExpr::Hole => Value::var(),
        }
    }

    fn expr(&mut self, written: &Expr) -> Option<DtypeValue> {
        match written {
            Expr::Name(name) => Some(self.name(name)),
            Expr::Call(Func::Promote, args) => {
                let args: Option<Vec<DtypeValue>> = args.iter().map(|arg| self.expr(arg)).collect();
                Some(self.promoted(args?))
            }
            _ => None,
        }
    }

    /// A dtype by name, some dtype of a class, or a variable.
    fn name(&mut self, name: &Ident) -> DtypeValue {
        if let Some(dtype) = self.table.dtype(&name.node) {
            return Value::new(dtype);
        }
        if let Some(members) = self.table.class(&name.node) {
            return self.member_of(members);
        }
        self.variables
            .entry(name.node.to_string())
            .or_insert_with(Value::var)
            .clone()
    }

    fn members(&self, name: &Ident) -> Vec<String> {
        let class = self.table.class(&name.node);
        class.unwrap_or_else(|| self.table.dtype(&name.node).into_iter().collect())
    }

    fn member_of(&mut self, members: Vec<String>) -> DtypeValue {
        let dtype = Value::var();
        let members: Rc<[String]> = members.into();
        // Last: what else is known of it may leave one, or none.
        let choice = one_of(&dtype, members);
        self.goals.push(Box::new(afterwards(Box::new(choice))));
        dtype
    }

    /// What dtypes promote to, from the left: counted out once both sides are known.
    fn promoted(&mut self, args: Vec<DtypeValue>) -> DtypeValue {
        let promote = |a: DtypeValue, b: DtypeValue| {
            let (to, table) = (Value::var(), self.table.clone());
            let result: DtypeValue = to.clone();
            let goal = project_all(vec![a, b], move |pair| {
                match table.promote(&pair[0], &pair[1]) {
                    Some(dtype) => Box::new(unify(dtype, &to)),
                    None => Box::new(Fail),
                }
            });
            self.goals.push(Box::new(goal));
            result
        };
        args.into_iter().reduce(promote).unwrap_or_else(Value::var)
    }

    fn condition(&mut self, condition: &Condition) {
        match condition {
            Condition::Dtype(name, dtype) => {
                let (left, right) = (self.name(name), self.dtype(dtype));
                self.goals.push(Box::new(unify(left, right)));
            }
            Condition::In(member, set) => {
                let names = set.iter().filter_map(|expr| match expr {
                    Expr::Name(name) => Some(self.members(name)),
                    _ => None,
                });
                let members: Vec<String> = names.flatten().collect();
                if let Some(dtype) = self.expr(member) {
                    let allowed = project_1(dtype, move |dtype| truth(members.contains(&dtype)));
                    self.goals.push(Box::new(allowed));
                }
            }
            Condition::Compare(first, rest) => {
                let mut left = self.expr(first);
                for (op, right) in rest {
                    let right = self.expr(right);
                    let goal: Box<dyn Goal> = match (left, op, right.clone()) {
                        (Some(left), CmpOp::Eq, Some(right)) => Box::new(unify(left, right)),
                        (Some(left), CmpOp::Ne, Some(right)) => {
                            Box::new(assert_2(left, right, |left, right| left != right))
                        }
                        _ => Box::new(Fail),
                    };
                    self.goals.push(goal);
                    left = right;
                }
            }
        }
    }
}
