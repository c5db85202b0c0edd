//! The examples of operators, solved in every direction.

use crate::reify::canonical;
use crate::{Answer, Call, Example, Expected, Operator, Relations, Verdict, order};
use kanshape_diag::Diagnostic;
use kanshape_syntax::tree::Condition;
use kanshape_types::{Conditions, Type};
use std::collections::BTreeSet;
use std::fmt;

/// The steps that a question may take.
const BUDGET: u64 = 2_000_000;
/// The answers among which one is looked for.
const MOST: usize = 300;
/// The answers that are shown of those that are wrong.
const SHOWN: usize = 3;

/// What came of checking examples.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct CheckedExamples {
    /// How many examples were checked.
    pub examples: usize,
    /// How many questions were asked: each example is solved in several directions.
    pub questions: usize,
    /// The questions that were not answered as the examples say.
    pub failures: Vec<FailedExample>,
}

impl CheckedExamples {
    fn add(&mut self, other: CheckedExamples) {
        self.examples += other.examples;
        self.questions += other.questions;
        self.failures.extend(other.failures);
    }
}

/// An example that does not hold.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FailedExample {
    /// The operator with its domain, and the version in which it appeared: `onnx::Conv since 11`.
    pub operator: String,
    /// The example as it is written.
    pub example: String,
    /// What was asked and what the answer was: `forwards: the answer is f32[2]`.
    pub why: String,
}

impl fmt::Display for FailedExample {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: `{}`: {}", self.operator, self.example, self.why)
    }
}

impl Relations {
    /// Checks the examples of all operators, as [`Operator::check_examples`] does for one. For a test of one's own operators:
    ///
    /// ```
    /// use kanshape::Relations;
    ///
    /// let relations = Relations::load_str("mine.kan", "\
    /// /// > f32[2, n] -> f32[n, 2]
    /// op Swap(x: T[a, b]) -> (y: T[b, a])")?;
    /// let checked = relations.check_examples();
    /// assert_eq!(checked.failures, []);
    /// assert_eq!((checked.examples, checked.questions), (1, 2));
    /// # Ok::<(), kanshape::Diagnostic>(())
    /// ```
    pub fn check_examples(&self) -> CheckedExamples {
        let mut all = CheckedExamples::default();
        for operator in self.operators() {
            all.add(operator.check_examples());
        }
        all
    }
}

impl Operator {
    /// Checks its examples. One with answers has to give these; a whole call is solved in every direction: forwards the answer
    /// has to be what is written, and where an operand is hidden, what is written of it has to be an instance of an answer.
    ///
    /// ```
    /// use kanshape::Relations;
    ///
    /// let relations = Relations::load_str("mine.kan", "\
    /// /// > f32[2, n] -> f32[2, n]
    /// op Swap(x: T[a, b]) -> (y: T[b, a])")?;
    /// let checked = relations.operator("Swap", None)?.check_examples();
    /// let first = "Swap since 1: `f32[2, n] -> f32[2, n]`: forwards: the answer is f32[n, 2]";
    /// assert_eq!(checked.failures[0].to_string(), first);
    /// # Ok::<(), kanshape::Diagnostic>(())
    /// ```
    pub fn check_examples(&self) -> CheckedExamples {
        let mut all = CheckedExamples::default();
        for written in self.examples() {
            all.examples += 1;
            let failures = match Example::read(self, &written) {
                Ok(example) => {
                    let asked = check(self, &example);
                    all.questions += asked.len();
                    asked.into_iter().filter_map(Result::err).collect()
                }
                Err(mistake) => vec![format!("error[{}]: {}", mistake.code, mistake.headline)],
            };
            let failed = failures.into_iter().map(|why| FailedExample {
                operator: format!("{} since {}", self.full_name(), self.since()),
                example: written.question.to_owned(),
                why,
            });
            all.failures.extend(failed);
        }
        all
    }
}

/// What came of each question about an example: nothing, or why it is not answered as it should be.
fn check(operator: &Operator, example: &Example) -> Vec<Result<(), String>> {
    let mut asked = Vec::new();
    let mut ask = |what: &str, failure: Result<(), String>| {
        asked.push(failure.map_err(|why| format!("{what}: {why}")));
    };
    if let Some(expected) = &example.answers {
        ask("as it stands", as_written(operator, example, expected));
        return asked;
    }
    ask("forwards", forwards(operator, example));
    for (i, input) in example.inputs.iter().enumerate() {
        if let Some(written) = input {
            let mut call = example.call();
            call.inputs[i] = Some(Type::UNKNOWN);
            let place = operator.places(&call).inputs[i];
            let failure = hidden(operator, call, written, |a| &a.inputs, place);
            ask(&format!("with input {i} hidden"), failure);
        }
    }
    for (i, output) in example.outputs.iter().enumerate() {
        // One alone is what is requested forwards.
        if let (Some(written), true) = (output, example.outputs.len() > 1) {
            let mut outputs = example.outputs.clone();
            outputs[i] = Some(Type::UNKNOWN);
            let call = Call {
                outputs: Some(outputs),
                ..example.call()
            };
            let place = operator.places(&call).outputs[i];
            let failure = hidden(operator, call, written, |a| &a.outputs, place);
            ask(&format!("with output {i} hidden"), failure);
        }
    }
    asked
}

/// Are the answers those that are written?
fn as_written(operator: &Operator, example: &Example, expected: &Expected) -> Result<(), String> {
    let query = example.query(operator).map_err(|d| d.headline)?;
    match expected.of(&query.budget(BUDGET)).map_err(|d| d.headline)? {
        found if found == *expected => Ok(()),
        Expected::Never => Err("there is no answer".into()),
        Expected::Answers { first, more } => {
            let more = if more { ", and there are more" } else { "" };
            Err(format!("the answers are {}{more}", first.join(" or ")))
        }
    }
}

/// Is the one answer what is written?
fn forwards(operator: &Operator, example: &Example) -> Result<(), String> {
    let wrong = |d: Diagnostic| d.headline;
    let call = example.forwards();
    let places = operator.places(&call).outputs;
    let query = operator.query(call).map_err(wrong)?.budget(BUDGET);
    let mut users: BTreeSet<String> = BTreeSet::new();
    for ty in example.inputs.iter().flatten() {
        ty.for_each_name(&mut |name| users.extend([name.to_owned()]));
    }
    let is_user = |name: &str| users.contains(name);
    // What is alike but for the names of unknowns is the same.
    let outputs = |types: &mut dyn Iterator<Item = Option<&Type>>, conditions: &[Condition]| {
        let mut conditions = conditions.to_vec();
        let types = types.map(|ty| {
            let ty = ty.unwrap_or(&Type::UNKNOWN);
            conditions.extend(ty.conditions.iter().cloned());
            ty.clone().with_conditions(Conditions::NONE)
        });
        let types: Vec<Type> = types.collect();
        canonical(&Type::tuple(types), conditions, &is_user)
    };
    let written = outputs(&mut example.outputs.iter().map(Option::as_ref), &[]);
    let mut found = Vec::new();
    for answer in query.limit(SHOWN).solve().map_err(wrong)? {
        let mut types = places
            .iter()
            .map(|at| at.and_then(|at| answer.outputs.get(at)));
        found.push(outputs(&mut types, answer.conditions.as_slice()));
    }
    match &found[..] {
        [one] if *one == written => Ok(()),
        [] => Err("there is no answer".into()),
        all => {
            let texts: Vec<String> = all.iter().map(listed).collect();
            Err(format!("the answer is {}", texts.join(" or ")))
        }
    }
}

/// The members of a tuple, as outputs are written.
fn listed(all: &Type) -> String {
    let types: Vec<String> = all.parts().map(ToString::to_string).collect();
    let conditions: Vec<String> = all.conditions.iter().map(ToString::to_string).collect();
    match conditions.is_empty() {
        true => types.join(", "),
        false => format!("{} where {}", types.join(", "), conditions.join(", ")),
    }
}

/// Is what is written an instance of an answer?
fn hidden(
    operator: &Operator,
    call: Call,
    written: &Type,
    operands: impl Fn(&Answer) -> &[Type],
    place: Option<usize>,
) -> Result<(), String> {
    let wrong = |d: Diagnostic| d.headline;
    let query = operator.query(call).map_err(wrong)?;
    let mut answers = query.budget(BUDGET).limit(MOST).solve().map_err(wrong)?;
    let mut found = Vec::new();
    for answer in &mut answers {
        let Some(ty) = place.and_then(|at| operands(&answer).get(at)) else {
            continue;
        };
        if is_instance(written, ty) {
            return Ok(());
        }
        if found.len() < SHOWN {
            found.push(ty.to_string());
        }
    }
    Err(match (found.is_empty(), answers.is_stopped()) {
        (true, true) => "the budget ran out".into(),
        (true, false) => "there is no answer".into(),
        (false, _) => format!("`{written}` is not among {}", found.join(" or ")),
    })
}

/// May what is written be an instance of an answer? What an answer has a name for may be open where it is written.
fn is_instance(written: &Type, answer: &Type) -> bool {
    let is_open = || written.to_string().contains('?');
    order::is_super(answer, written) != Verdict::Never
        || is_open() && order::meet(answer, written).is_ok()
}
