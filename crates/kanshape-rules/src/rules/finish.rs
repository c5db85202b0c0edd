//! The last step of compiling: kinds are known, and written into the clause.

use super::compile::guard;
use super::condition::Conditions;
use super::rule::{Body, Clause, Either, Guard, Kinded, Step, Value};
use super::scope::Scope;
use crate::encode::Kind;
use crate::encode::kind::Kinds;
use std::sync::Arc;

/// Writes the kinds into a clause, and conditions for the calls that are nothing else.
pub(super) fn clause(
    kinds: &Kinds,
    conditions: &Conditions<'_>,
    clause: &mut Clause,
    scope: &Scope,
) {
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
    conditions: &'a Conditions<'a>,
    slots: Arc<[Kind]>,
}

impl Finish<'_> {
    fn body(&self, body: &mut Body) {
        self.conditions(body);
        for step in &mut body.steps {
            step.each_term_mut(&mut |value| self.value(value));
            if let Step::Either(either) | Step::Known(_, either) = step {
                self.either(either);
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
            Value::Any(kinded) | Value::List(_, kinded) => self.kinded(kinded),
            Value::Each(each) => {
                let each = Arc::make_mut(each);
                self.kinded(&mut each.of);
                each.slots = Arc::clone(&self.slots);
            }
            _ => {}
        }
        value.each_part_mut(&mut |part| self.value(part));
    }

    fn kinded(&self, kinded: &mut Kinded) {
        if let Kinded::Open(kind) = kinded {
            *kinded = Kinded::Is(self.kinds.kind(*kind));
        }
    }
}
