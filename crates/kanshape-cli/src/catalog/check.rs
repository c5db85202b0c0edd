//! The examples of operators, solved in every direction: forwards the answer is what is written, and where an operand is
//! hidden, what is written of it is an instance of an answer.

use std::io::{self, IsTerminal, Write};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use kanshape::tree::relation;
use kanshape::{
    Answer, Call, Operator, Type, Verdict,
    operator::{Example, Expected},
    order,
};

use crate::exit::{Exit, Failure};
use crate::screen::Screen;
use kanshape_batch::answer_text;

/// The steps that a question may take.
const BUDGET: u64 = 2_000_000;
/// The answers among which one is looked for.
const MOST: usize = 300;
/// The answers that are shown of those that are wrong.
const SHOWN: usize = 3;

/// Checks all examples of these operators, and prints what fails.
pub(super) fn run(operators: &[Operator], screen: &Screen) -> Result<Exit, Failure> {
    let mut out = screen.out();
    let bar = bar(operators.len());
    let (mut examples, mut questions, mut failures) = (0, 0, 0);
    for operator in operators {
        bar.set_message(operator.full_name());
        for example in operator.examples() {
            examples += 1;
            let text = example.question;
            let found = check(operator, &example);
            questions += found.questions;
            if found.failures.is_empty() {
                continue;
            }
            failures += found.failures.len();
            let title = format!("{} since {}", operator.full_name(), operator.since());
            bar.suspend(|| -> io::Result<()> {
                writeln!(out, "{}\n  {text}", screen.bold(title))?;
                for failure in &found.failures {
                    writeln!(out, "  {failure}")?;
                }
                writeln!(out)?;
                out.flush()
            })?;
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    let all = format!(
        "{}, {}, {}",
        counted(operators.len(), "operator"),
        counted(examples, "example"),
        counted(questions, "question"),
    );
    match failures {
        0 => writeln!(out, "{all}: all hold")?,
        _ => writeln!(out, "{all}: {}", counted(failures, "failure"))?,
    }
    out.flush()?;
    Ok(if failures == 0 {
        Exit::Solved
    } else {
        Exit::Never
    })
}

fn counted(count: usize, what: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {what}{plural}")
}

/// A bar, where somebody is looking.
fn bar(count: usize) -> ProgressBar {
    let target = match io::stderr().is_terminal() {
        true => ProgressDrawTarget::stderr(),
        false => ProgressDrawTarget::hidden(),
    };
    let bar = ProgressBar::with_draw_target(Some(count as u64), target);
    if let Ok(style) = ProgressStyle::with_template("{bar:30} {pos}/{len} {msg}") {
        bar.set_style(style);
    }
    bar.enable_steady_tick(Duration::from_millis(200));
    bar
}

/// What came of an example.
#[derive(Default)]
struct Checked {
    questions: usize,
    failures: Vec<String>,
}

fn check(operator: &Operator, written: &relation::Example<'_>) -> Checked {
    let mut checked = Checked::default();
    let example = match Example::read(operator, written) {
        Ok(example) => example,
        Err(mistake) => {
            let why = format!("error[{}]: {}", mistake.code, mistake.headline);
            checked.failures.push(why);
            return checked;
        }
    };
    let mut ask = |what: String, failure: Result<(), String>| {
        checked.questions += 1;
        if let Err(why) = failure {
            checked.failures.push(format!("{what}: {why}"));
        }
    };
    if let Some(expected) = &example.answers {
        ask(
            "as it stands".into(),
            as_written(operator, &example, expected),
        );
        return checked;
    }
    ask("forwards".into(), forwards(operator, &example));
    for (i, input) in example.inputs.iter().enumerate() {
        if let Some(written) = input {
            let mut call = example.call();
            call.inputs[i] = Some(Type::UNKNOWN);
            let place = operator.places(&call).inputs[i];
            let failure = hidden(operator, call, written, |a| &a.inputs, place);
            ask(format!("with input {i} hidden"), failure);
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
            ask(format!("with output {i} hidden"), failure);
        }
    }
    checked
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
    let places = operator.places(&example.forwards()).outputs;
    let query = operator.query(example.forwards()).map_err(|d| d.headline)?;
    let answers = query
        .budget(BUDGET)
        .limit(SHOWN)
        .solve()
        .map_err(|d| d.headline)?;
    let users = answer_text::words_of(example.inputs.iter().flatten().map(Type::to_string));
    let written = answer_text::outputs(&users, example.outputs.iter().map(Option::as_ref), &[]);
    let mut found = Vec::new();
    for answer in answers {
        let outputs = places
            .iter()
            .map(|at| at.and_then(|at| answer.outputs.get(at)));
        found.push(answer_text::outputs(
            &users,
            outputs,
            answer.conditions.as_slice(),
        ));
    }
    match &found[..] {
        [one] if *one == written => Ok(()),
        [] => Err("there is no answer".into()),
        _ => Err(format!("the answer is {}", found.join(" or "))),
    }
}

/// Is what is written an instance of an answer?
fn hidden(
    operator: &Operator,
    call: Call,
    written: &Type,
    operands: impl Fn(&Answer) -> &Vec<Type>,
    place: Option<usize>,
) -> Result<(), String> {
    let query = operator.query(call).map_err(|d| d.headline)?;
    let mut answers = query
        .budget(BUDGET)
        .limit(MOST)
        .solve()
        .map_err(|d| d.headline)?;
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
    Err(match (found.is_empty(), answers.out_of_budget()) {
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
