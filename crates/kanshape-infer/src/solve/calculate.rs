//! Queries that can be calculated: the rule is evaluated, and what comes out is compared with what is given.

use crate::Query;
use crate::reify::of_name;
use crate::solve::query::param_among;
use crate::solve::subject::Subject;
use crate::{Answer, AttrValue};
use kanshape_rules::eval::{Calculated, Calculation, Required, Stop};
use kanshape_types::{Conditions, Dim, Promotion, Type};
use smallvec::SmallVec;

/// What calculating comes to.
pub(crate) enum Outcome {
    Answer(Box<Answer>),
    Never,
    /// The engine has to solve it.
    Open,
}

/// What is given, to be calculated.
pub(crate) struct Given<'q> {
    pub subject: &'q Subject,
    pub inputs: &'q [&'q Type],
    /// Outputs behind these are unknown.
    pub outputs: &'q [&'q Type],
    pub attrs: &'q [(Box<str>, AttrValue)],
    pub params: &'q [(Box<str>, Dim)],
    pub promotion: Promotion,
}

/// The answer to a query that can be calculated.
pub(crate) fn of_query(query: &Query) -> Outcome {
    let plain = query.direct
        && query.conditions.is_empty()
        && query.goals.is_empty()
        && query.max_rank.is_none()
        && !query.ground
        && !query.plain_sizes
        && !query.attrs.iter().any(|a| a.1 == AttrValue::Hole);
    if !plain {
        return Outcome::Open;
    }
    let inputs: SmallVec<[&Type; 8]> = query.inputs.iter().collect();
    let outputs: SmallVec<[&Type; 8]> = query.outputs.iter().collect();
    let given = Given {
        subject: &query.subject,
        inputs: &inputs,
        outputs: &outputs,
        attrs: &query.attrs,
        params: &query.params,
        promotion: query.promotion,
    };
    match given.answer() {
        Ok(answer) => Outcome::Answer(Box::new(answer)),
        Err(Stop::Fail) => Outcome::Never,
        Err(Stop::Wait | Stop::Leave) => Outcome::Open,
    }
}

impl Given<'_> {
    /// The answer, if it is the only one whatever the names denote. Its conditions say what single names can be: each can be that, and
    /// something else, whatever the others are.
    ///
    /// # Errors
    /// [`Stop::Fail`] if there is none; [`Stop::Leave`] if the engine has to find it.
    pub(crate) fn answer(&self) -> Result<Answer, Stop> {
        let subject = self.subject;
        let mut operands: SmallVec<[&Type; 8]> = self.inputs.iter().copied().collect();
        for i in 0..subject.outputs {
            operands.push(self.outputs.get(i).copied().unwrap_or(&Type::UNKNOWN));
        }
        let params = subject.params.iter();
        let params: SmallVec<[Option<&Dim>; 4]> = params
            .map(|label| param_among(self.params, label))
            .collect();
        let calculation = Calculation {
            library: &subject.library,
            rule: &subject.rule,
            args: &subject.args,
            operator: subject.called().map(|operator| operator.parts()),
            attrs: self.attrs,
            params: &params,
            operands: &operands,
            inputs: self.inputs.len(),
            is_tensor: &|i| subject.is_tensor(i),
            labels: &subject.labels,
            promotion: self.promotion,
        };
        let is_plain = self.params.is_empty()
            && subject.params.is_empty()
            && std::ptr::eq(self.attrs, subject.attrs.as_slice())
            && self.promotion == Promotion::default();
        let calculated = match is_plain {
            true => subject.schemes.run(&calculation),
            false => None,
        };
        let Calculated {
            inputs,
            outputs,
            params,
            required,
        } = calculated.unwrap_or_else(|| calculation.run())?;
        Ok(Answer {
            inputs,
            outputs,
            params: subject.params.iter().cloned().zip(params).collect(),
            conditions: conditions(required),
            ..Answer::default()
        })
    }
}

fn conditions(required: Vec<Required>) -> Conditions {
    let all = required.iter();
    all.flat_map(|one| of_name(&one.name, &one.domain))
        .collect()
}
