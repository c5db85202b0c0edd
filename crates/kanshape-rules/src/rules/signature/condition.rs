//! Arithmetic and conditions, of a signature and of a question, as numbers and steps of clauses.

use super::clause::{list, number};
use crate::encode::{Kind, about_dtypes, dtype_set, set_of};
use crate::rules::rule::{Kinded, Number, Piece, Step, Value};
use kanshape_engine::Int;
use kanshape_syntax::tree::{
    CmpOp, Condition, DimItem, DtypeExpr, Expr, Func, MulOp, Sign, Spanned,
};
use kanshape_types::{Dim, DtypeSet, Nominal};

/// Writes arithmetic and conditions as numbers and steps: what the names in them denote, whoever writes them knows.
pub(crate) trait WriteConditions {
    /// The size that a name denotes.
    fn size(&mut self, name: &str) -> Value;

    /// A size with an identity.
    fn identity(&mut self, nominal: &Nominal) -> Number;

    /// The dims of `...` or `...r`.
    fn run(&mut self, name: Option<&str>) -> Vec<Piece>;

    /// The dtype variable of a name, if it is one.
    fn dtype_name(&mut self, name: &str) -> Option<Value>;

    /// Is the name a dtype variable? `None` if it is not known.
    fn is_dtype(&self, name: &str) -> Option<bool>;

    /// A new variable.
    fn fresh(&mut self, kind: Kind) -> Value;

    /// That two numbers are the same. It is decided by a look at arguments where it can be.
    fn same(&self, a: Value, b: Value) -> Step {
        Step::Equal(a, b)
    }

    /// Adds a step.
    fn push(&mut self, step: Step);

    /// The number that an expression is.
    fn number(&mut self, e: &Expr) -> Number {
        match e {
            Expr::Int(n) => Number::Int(Int::from(*n)),
            Expr::Name(name) => Number::Term(self.size(&name.node)),
            Expr::Nominal(_) => match Dim::expr(e.clone()) {
                Dim::Nominal(nominal) => self.identity(&nominal),
                _ => Number::Int(0),
            },
            Expr::Sum(terms) => {
                let terms = terms.iter().map(|(sign, term)| (*sign, self.number(term)));
                Number::Sum(terms.collect())
            }
            Expr::Chain(first, rest) => {
                let first = Box::new(self.number(first));
                let rest = rest.iter().map(|(op, operand)| (*op, self.number(operand)));
                Number::Chain(first, rest.collect())
            }
            Expr::CeilDiv(a, b) => Number::CeilDiv(Box::new([self.number(a), self.number(b)])),
            Expr::Call(Func::Prod, args) if args.iter().any(|arg| matches!(arg, Expr::Run(_))) => {
                let pieces = args.iter().flat_map(|arg| match arg {
                    Expr::Run(name) => self.run(name.as_ref().map(|n| &*n.node)),
                    arg => vec![Piece::One(number(self.number(arg)))],
                });
                Number::Product(list(pieces.collect::<Vec<Piece>>()))
            }
            Expr::Call(func, args) => {
                let args: Box<[Number]> = args.iter().map(|arg| self.number(arg)).collect();
                match func {
                    Func::Min => Number::Min(args),
                    Func::Max => Number::Max(args),
                    Func::Prod => multiplied(args),
                    _ => Number::Broadcast(args),
                }
            }
            // The grammar lets a run and a list stand only where they are looked for.
            Expr::Run(_) | Expr::List(_) => Number::Int(0),
        }
    }

    /// Writes a condition.
    fn condition(&mut self, condition: &Condition) {
        match condition {
            Condition::Compare(first, rest) => {
                let mut left = first;
                for (op, right) in rest {
                    self.compare(left, *op, right);
                    left = right;
                }
            }
            Condition::In(e, values) => self.among(e, values),
            Condition::Dtype(name, dtype) => {
                let value = self.dtype_value(&Expr::Name(name.clone()));
                match dtype {
                    DtypeExpr::Promote(_) => {
                        let promoted = self.promoted(dtype);
                        self.push(Step::Equal(value, promoted));
                    }
                    dtype => self.push(Step::Class(value, set_of(dtype))),
                }
            }
        }
    }

    fn about_dtypes<'e>(&self, parts: impl IntoIterator<Item = &'e Expr>) -> bool {
        about_dtypes(parts, &|name| self.is_dtype(name))
    }

    fn compare(&mut self, left: &Expr, op: CmpOp, right: &Expr) {
        if self.about_dtypes([left, right]) {
            let (a, b) = (self.dtype_value(left), self.dtype_value(right));
            return self.push(match op {
                CmpOp::Eq => Step::Equal(a, b),
                CmpOp::Ne => Step::Compare(a, op, b),
                _ => Step::Fail,
            });
        }
        if is_run(left) || is_run(right) {
            return self.runs(left, right);
        }
        let (a, b) = (self.number(left), self.number(right));
        let step = match (op, a, b) {
            // What sizes broadcast to comes second: it is stated as a relation.
            (CmpOp::Eq, a @ Number::Broadcast(_), b) | (CmpOp::Eq, b, a @ Number::Broadcast(_)) => {
                Step::Equal(number(b), number(a))
            }
            (CmpOp::Eq, a, b) => self.same(number(a), number(b)),
            (op, a, b) => Step::Compare(number(a), op, number(b)),
        };
        self.push(step);
    }

    /// Two runs are the same.
    fn runs(&mut self, left: &Expr, right: &Expr) {
        let step = match (self.run_side(left), self.run_side(right)) {
            (ListSide::List(a), ListSide::List(b)) => Step::Equal(a, b),
            (ListSide::List(out), ListSide::Broadcast(args))
            | (ListSide::Broadcast(args), ListSide::List(out)) => Step::Broadcast(out, args),
            (ListSide::Broadcast(a), ListSide::Broadcast(b)) => {
                let out = self.fresh(Kind::Int.list());
                self.push(Step::Broadcast(out.clone(), a));
                Step::Broadcast(out, b)
            }
        };
        self.push(step);
    }

    fn run_side(&mut self, e: &Expr) -> ListSide {
        match e {
            Expr::Call(Func::Broadcast, args) => {
                ListSide::Broadcast(args.iter().map(|arg| self.run_value(arg)).collect())
            }
            e => ListSide::List(self.run_value(e)),
        }
    }

    fn run_value(&mut self, e: &Expr) -> Value {
        list(match e {
            Expr::Run(name) => self.run(name.as_ref().map(|n| &*n.node)),
            Expr::List(items) => self.items(items),
            _ => Vec::new(),
        })
    }

    /// The dims of a list, written as those of a type: `?` and `...` are unknowns of their own, in a
    /// signature as well.
    fn items(&mut self, items: &[Spanned<DimItem>]) -> Vec<Piece> {
        let mut pieces = Vec::with_capacity(items.len());
        for item in items {
            match &item.node {
                DimItem::Hole => pieces.push(Piece::One(Value::Any(Kinded::Is(Kind::Int)))),
                DimItem::Dim(e) => {
                    let dim = number(self.number(e));
                    let natural = Step::Compare(dim.clone(), CmpOp::Ge, Value::Int(0));
                    self.push(natural);
                    pieces.push(Piece::One(dim));
                }
                DimItem::Run(None) => {
                    pieces.push(Piece::Rest(Value::Any(Kinded::Is(Kind::Int.list()))));
                }
                DimItem::Run(Some(name)) => pieces.extend(self.run(Some(&name.node))),
            }
        }
        pieces
    }

    fn among(&mut self, e: &Expr, values: &[Expr]) {
        if self.about_dtypes(std::iter::once(e).chain(values)) {
            let value = self.dtype_value(e);
            return self.push(Step::Class(value, dtype_set(values)));
        }
        let value = number(self.number(e));
        let sizes = values.iter().map(|v| match Dim::expr(v.clone()) {
            Dim::Size(n) => Some(Number::Int(Int::from(n))),
            Dim::Nominal(_) => Some(self.number(v)),
            _ => None,
        });
        if let Some(sizes) = sizes.collect() {
            return self.push(Step::Among(value, sizes));
        }
        // It is 1 or a number: it broadcasts to this.
        if let [Expr::Int(1), other] | [other, Expr::Int(1)] = values {
            let other = self.number(other);
            let both = [Number::Term(value), other.clone()];
            let value = number(Number::Broadcast(both.into()));
            return self.push(Step::Equal(number(other), value));
        }
        // It is one of some expressions: the product of the differences is 0.
        let differences = values.iter().map(|v| {
            let own = Number::Term(value.clone());
            Number::Sum([(Sign::Plus, own), (Sign::Minus, self.number(v))].into())
        });
        let product = multiplied(differences.collect::<Vec<Number>>());
        self.push(Step::Equal(Value::Int(0), number(product)));
    }

    /// The dtype that an expression denotes.
    fn dtype_value(&mut self, e: &Expr) -> Value {
        match e {
            Expr::Name(name) => match self.dtype_name(&name.node) {
                Some(value) => value,
                None => self.dtype_of_set(set_of(&DtypeExpr::Name(name.clone()))),
            },
            Expr::Call(Func::Promote, args) => {
                Value::Promote(args.iter().map(|a| self.dtype_value(a)).collect())
            }
            _ => self.dtype_of_set(DtypeSet::EMPTY),
        }
    }

    fn promoted(&mut self, dtype: &DtypeExpr) -> Value {
        match dtype {
            DtypeExpr::Name(name) => self.dtype_value(&Expr::Name(name.clone())),
            DtypeExpr::Promote(args) => {
                Value::Promote(args.iter().map(|a| self.promoted(a)).collect())
            }
            other => self.dtype_of_set(set_of(other)),
        }
    }

    /// Some dtype of a set.
    fn dtype_of_set(&mut self, set: DtypeSet) -> Value {
        match set.single() {
            Some(dtype) => Value::Dtype(dtype),
            None => {
                let own = self.fresh(Kind::Dtype);
                self.push(Step::Class(own.clone(), set));
                own
            }
        }
    }
}

/// The product of some numbers.
fn multiplied(factors: impl IntoIterator<Item = Number>) -> Number {
    let mut factors = factors.into_iter();
    let first = Box::new(factors.next().unwrap_or(Number::Int(1)));
    Number::Chain(first, factors.map(|factor| (MulOp::Mul, factor)).collect())
}

/// What a side of an `==` between runs denotes.
pub(crate) enum ListSide {
    List(Value),
    Broadcast(Box<[Value]>),
}

/// Is the expression about runs rather than sizes?
fn is_run(e: &Expr) -> bool {
    match e {
        Expr::Run(_) | Expr::List(_) => true,
        Expr::Call(Func::Broadcast, args) => args.iter().any(is_run),
        _ => false,
    }
}
