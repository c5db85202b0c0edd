//! The last step of compiling: kinds are known, and written into the clause.

use super::compile::guard;
use super::condition::Conditions;
use super::kind::{Kind, Kinds};
use super::rule::{Body, Clause, Each, Either, Guard, Kinded, Piece, Step, Value};
use super::scope::Scope;
use std::sync::Arc;

/// Writes the kinds into a clause, and conditions for the calls that are nothing else.
pub(super) fn clause(kinds: &Kinds, conditions: &Conditions, clause: &mut Clause, scope: &Scope) {
    let variables = scope.variables.iter();
    let slots: Arc<[Kind]> = variables.map(|v| kinds.kind(v.kind)).collect();
    let finish = Finish {
        kinds,
        conditions,
        slots,
    };
    finish.values(&mut clause.head);
    finish.body(&mut clause.body);
    clause.slots = finish.slots;
}

struct Finish<'a> {
    kinds: &'a Kinds,
    conditions: &'a Conditions,
    slots: Arc<[Kind]>,
}

impl Finish<'_> {
    fn body(&self, body: &mut Body) {
        self.conditions(body);
        for step in &mut body.steps {
            match step {
                Step::Fail => {}
                Step::Equal(a, b) | Step::Compare(a, _, b) | Step::Member(a, b) => {
                    self.value(a);
                    self.value(b);
                }
                Step::Class(a, _) | Step::Among(a, _) => self.value(a),
                Step::Call(_, args) | Step::Signature(_, args) => self.values(args),
                Step::Either(either) => self.either(either),
                Step::Known(values, body) => {
                    self.values(values);
                    self.either(body);
                }
            }
        }
        for guard in &mut body.guards {
            if let Guard::Like(_, value) = guard {
                self.value(value);
            }
        }
    }

    fn conditions(&self, body: &mut Body) {
        let of_call = |step: &Step| match step {
            Step::Call(number, args) => self.conditions.steps(*number, args),
            _ => None,
        };
        if !body.steps.iter().any(|step| of_call(step).is_some()) {
            return;
        }
        let steps = std::mem::take(&mut body.steps).into_iter();
        let steps = steps.flat_map(|step| of_call(&step).unwrap_or_else(|| vec![step]));
        body.steps = steps.collect();
        body.guards = body.steps.iter().filter_map(guard).collect();
    }

    fn either(&self, either: &mut Arc<Either>) {
        let Either { ways, shared, .. } = &**either;
        let mut ways = ways.clone();
        ways.iter_mut().for_each(|way| self.body(way));
        *either = Arc::new(Either {
            ways,
            shared: shared.clone(),
            slots: Arc::clone(&self.slots),
        });
    }

    fn values(&self, values: &mut [Value]) {
        values.iter_mut().for_each(|v| self.value(v));
    }

    fn value(&self, value: &mut Value) {
        match value {
            Value::Slot(_) | Value::Int(_) | Value::Dtype(_) | Value::None => {}
            Value::Any(kinded) => self.kinded(kinded),
            Value::Some(of) | Value::Sum(of) | Value::Length(of) => self.value(of),
            Value::Tensor(parts) => self.values(&mut **parts),
            Value::Index(parts) | Value::Function(parts) => self.values(&mut **parts),
            Value::Node(_, parts) | Value::Promote(parts) => self.values(parts),
            Value::List(pieces, of) => {
                for piece in pieces {
                    match piece {
                        Piece::One(v) | Piece::Rest(v) => self.value(v),
                    }
                }
                self.kinded(of);
            }
            Value::Number(number) => self.values(&mut number.1),
            Value::Slice(slice) => {
                self.value(&mut slice.0);
                slice.1.iter_mut().for_each(|v| self.value(v));
                slice.2.iter_mut().for_each(|v| self.value(v));
            }
            Value::Each(each) => {
                let mut own = Each::clone(each);
                self.value(&mut own.body);
                self.values(&mut own.lists);
                self.kinded(&mut own.of);
                own.slots = Arc::clone(&self.slots);
                *each = Arc::new(own);
            }
        }
    }

    fn kinded(&self, kinded: &mut Kinded) {
        if let Kinded::Open(kind) = kinded {
            *kinded = Kinded::Is(self.kinds.kind(*kind));
        }
    }
}
