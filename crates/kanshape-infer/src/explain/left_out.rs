//! What was left out of a call of an operator, and would give it an answer.

use super::place::operand_args;
use crate::limits::CORE_STEPS;
use crate::solve::answers::Answers;
use crate::{AttrValue, Call, Operator, Query};
use kanshape_rules::rules::CallArg;
use kanshape_types::Type;

/// A line for each thing that may be left out, was, and with which there is an answer.
pub(super) fn lines(query: &Query) -> Vec<String> {
    let Some(operator) = query.subject.called().cloned() else {
        return Vec::new();
    };
    let call = call(query, &operator);
    let fits = |call: Call| {
        operator.query(call).is_ok_and(|with| {
            let without = Query {
                subject: with.subject,
                inputs: with.inputs,
                outputs: with.outputs,
                attrs: with.attrs,
                budget: query.budget.min(CORE_STEPS),
                ..query.clone()
            };
            Answers::are_there(&without) == Some(true)
        })
    };
    let mut lines = Vec::new();
    for attribute in operator.attributes().filter(|a| a.optional) {
        let is_given = call.attrs.iter().any(|own| *own.0 == *attribute.name);
        let mut with = call.clone();
        let name = attribute.name;
        with.attrs.push((name.into(), AttrValue::Hole));
        if !is_given && fits(with) {
            lines.push(format!("with the attribute `{name}` it would fit"));
        }
    }
    for (i, formal) in operator.inputs().enumerate() {
        let is_given = call.inputs.get(i).is_some_and(Option::is_some);
        if !formal.optional || formal.variadic || is_given {
            continue;
        }
        let mut with = call.clone();
        with.inputs.resize(with.inputs.len().max(i + 1), None);
        with.inputs[i] = Some(Type::UNKNOWN);
        if fits(with) {
            lines.push(format!("with input {i} (`{}`) it would fit", formal.name));
        }
    }
    lines
}

/// The call that a query is about.
fn call(query: &Query, operator: &Operator) -> Call {
    let args: Vec<&CallArg> = operand_args(query).collect();
    let (inputs, outputs) = args.split_at(operator.inputs().count().min(args.len()));
    let mut may_be_absent = Vec::new();
    let mut types = |args: &[&CallArg]| {
        let mut types = Vec::new();
        for arg in args {
            if let CallArg::Open(_) = arg {
                may_be_absent.push(types.len());
            }
            match arg {
                CallArg::Type(i) | CallArg::Present(i) | CallArg::Open(i) => {
                    types.push(Some(query.operand(*i).clone()));
                }
                CallArg::Types(all) => {
                    types.extend(all.iter().map(|i| Some(query.operand(*i).clone())));
                }
                CallArg::Absent => types.push(None),
                CallArg::Rest | CallArg::Attr(_) | CallArg::Param(_) => {}
            }
        }
        types
    };
    let has_outputs = query.outputs.iter().any(|ty| !ty.is_unknown());
    let inputs = types(inputs);
    let outputs = has_outputs.then(|| types(outputs));
    Call {
        inputs,
        outputs,
        attrs: query.attrs.to_vec(),
        may_be_absent,
    }
}
