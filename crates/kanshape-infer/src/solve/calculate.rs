//! Queries that can be calculated: the rule is evaluated, and what comes out is compared with what is given.

use crate::Query;
use crate::reify::of_name;
use crate::solve::query::param_among;
use crate::solve::subject::Subject;
use crate::{Answer, AttrValue};
use kanshape_rules::eval::{BySchemes, Calculation, Into, Operands, Required, Stop};
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
pub(crate) struct GivenCall<'q> {
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
    let given = GivenCall {
        subject: &query.subject,
        inputs: &inputs,
        outputs: &outputs,
        attrs: &query.attrs,
        params: &query.params,
        promotion: query.promotion,
    };
    let mut answer = Box::<Answer>::default();
    match given.write(&mut answer, true) {
        Ok(()) => Outcome::Answer(answer),
        Err(Stop::Fail) => Outcome::Never,
        Err(Stop::Wait | Stop::Leave) => Outcome::Open,
    }
}

impl GivenCall<'_> {
    /// Writes the answer, if it is the only one whatever the names denote: the outputs, and the inputs if they are requested. The
    /// answer is empty before, and of no use after an error. Its conditions say what single names can be: each can be that, and something
    /// else, whatever the others are.
    ///
    /// # Errors
    /// [`Stop::Fail`] if there is none; [`Stop::Leave`] if the engine has to find it.
    #[inline]
    pub(crate) fn write(&self, answer: &mut Answer, inputs: bool) -> Result<(), Stop> {
        let subject = self.subject;
        let is_plain = self.params.is_empty()
            && subject.params.is_empty()
            && std::ptr::eq(self.attrs, subject.attrs.as_slice())
            && self.promotion == Promotion::default();
        if is_plain {
            match self.by_scheme(answer, inputs) {
                BySchemes::Written => return Ok(()),
                BySchemes::Never => return Err(Stop::Fail),
                BySchemes::Open | BySchemes::Missing => {}
            }
        }
        self.calculate(answer, inputs, is_plain)
    }

    /// Writes the outputs, if a scheme for the inputs says them, which is made if that is worth while. They are of no use otherwise.
    pub(crate) fn outputs_by_scheme(&self, answer: &mut Answer) -> BySchemes {
        let make = || self.with_calculation(|calculation| self.subject.schemes.add(calculation));
        match self.by_scheme(answer, false) {
            BySchemes::Missing if make() == Ok(true) => self.by_scheme(answer, false),
            found => found,
        }
    }

    fn by_scheme(&self, answer: &mut Answer, inputs: bool) -> BySchemes {
        let subject = self.subject;
        let operands = Operands {
            inputs: self.inputs,
            outputs: self.outputs,
            count: self.inputs.len() + subject.outputs,
            is_tensor: &|i| subject.is_tensor(i),
        };
        let into = Into {
            inputs: inputs.then_some(&mut answer.inputs),
            outputs: &mut answer.outputs,
        };
        let found = subject.schemes.run(&operands, into);
        if found == BySchemes::Open {
            answer.inputs.clear();
            answer.outputs.clear();
        }
        found
    }

    /// The same without a scheme, which is made if that is worth while.
    fn calculate(&self, answer: &mut Answer, inputs: bool, is_plain: bool) -> Result<(), Stop> {
        let subject = self.subject;
        let calculated = self.with_calculation(|calculation| {
            if is_plain && subject.schemes.add(calculation) {
                match self.by_scheme(answer, inputs) {
                    BySchemes::Written => return Ok(None),
                    BySchemes::Never => return Err(Stop::Fail),
                    BySchemes::Open | BySchemes::Missing => {}
                }
            }
            calculation.run().map(Some)
        })?;
        let Some(calculated) = calculated? else {
            return Ok(());
        };
        if inputs {
            answer.inputs = calculated.inputs;
        }
        answer.outputs = calculated.outputs;
        answer.conditions = conditions(calculated.required)?;
        let params = subject.params.iter().cloned();
        answer.params = params.zip(calculated.params).collect();
        Ok(())
    }

    fn with_calculation<T>(&self, run: impl FnOnce(&Calculation<'_>) -> T) -> Result<T, Stop> {
        let subject = self.subject;
        let mut operands: SmallVec<[&Type; 8]> = self.inputs.iter().copied().collect();
        for i in 0..subject.outputs {
            operands.push(self.outputs.get(i).copied().unwrap_or(&Type::UNKNOWN));
        }
        let params = subject.params.iter();
        let params: SmallVec<[Option<&Dim>; 4]> = params
            .map(|label| param_among(self.params, label))
            .collect();
        let others;
        let attrs = match std::ptr::eq(self.attrs, subject.attrs.as_slice()) {
            true => subject.loaded(),
            false => {
                others = subject.load(self.attrs);
                others.as_ref()
            }
        };
        Ok(run(&Calculation {
            call: subject.call(attrs.ok_or(Stop::Leave)?, self.promotion),
            params: &params,
            operands: &operands,
            inputs: self.inputs.len(),
            is_tensor: &|i| subject.is_tensor(i),
            labels: &subject.labels,
        }))
    }
}

/// What is required of names as conditions.
///
/// # Errors
/// [`Stop::Leave`] for a bound as far out as those of all sizes.
fn conditions(required: Vec<Required>) -> Result<Conditions, Stop> {
    let mut all = Vec::with_capacity(required.len());
    for one in required {
        let own = of_name(&one.name, &one.domain);
        if own.is_empty() {
            return Err(Stop::Leave);
        }
        all.extend(own);
    }
    Ok(all.into_iter().collect())
}
