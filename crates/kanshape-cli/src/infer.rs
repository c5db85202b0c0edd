//! `kanshape infer`: what follows from what is given.

use std::io::Write;

use kanshape::{Query, Verdict, explain};

use crate::args::QueryArgs;
use crate::check::view::conditions::sizes;
use crate::exit::{Exit, Failure};
use crate::load::load;
use kanshape_batch::answer_text::AnswerText;
use kanshape_batch::effort::Effort;
use kanshape_batch::question::Question;

use crate::question::from_args;
use crate::screen::Screen;
use kanshape_batch::reply::{ended, write_answers};

/// The answers that are shown unless more are requested.
pub(crate) const LIMIT: usize = 20;

pub(crate) fn run(args: &QueryArgs, effort: &Effort, screen: &Screen) -> Result<Exit, Failure> {
    let loaded = load(&args.load, screen)?;
    let mut question = from_args(args, effort, &loaded)?;
    question.limit = Some(args.limit.unwrap_or(LIMIT));
    if args.json {
        let mut out = screen.out();
        let exit = write_solved(&mut out, &question)?;
        writeln!(out)?;
        out.flush()?;
        return Ok(exit);
    }
    answer(&question, args.limit.is_none(), screen)
}

/// Writes the answers to a question as JSON, each as soon as it is found.
fn write_solved(out: &mut impl Write, question: &Question) -> Result<Exit, Failure> {
    let answers = question.query()?.solve()?;
    out.write_all(b"{")?;
    let places = question.places();
    let (types, all) = (question.types, question.all);
    Ok(write_answers(out, answers, places.as_ref(), types, all)?.into())
}

/// Prints the answers to a question. `hint` says that the limit was not the user's own.
pub(crate) fn answer(question: &Question, hint: bool, screen: &Screen) -> Result<Exit, Failure> {
    let query = question.query()?;
    let mut answers = query.solve()?;
    let text = AnswerText::new(question);
    let mut out = screen.out();
    let mut count = 0;
    let mut first = None;
    for answer in &mut answers {
        text.write(&mut out, &answer)?;
        first.get_or_insert_with(|| answer.conditions.clone());
        // Answers are found as they are requested: show each as soon as it is there.
        out.flush()?;
        count += 1;
    }
    let verdict = answers.verdict();
    let complete = answers.complete();
    let stopped = answers.is_stopped();
    if verdict == Verdict::Never {
        why(&query, question.all, screen)?;
    } else if screen.is_watched() {
        let summary = summary(verdict, count, complete, stopped);
        writeln!(out, "{}", screen.grey(summary))?;
        if let Some(conditions) = first.filter(|_| verdict == Verdict::Depends && count == 1) {
            for i in 0..conditions.len() {
                let (holds, fails) = explain::sizes(conditions.as_slice(), i);
                if let Some(sizes) = sizes(holds.as_ref(), fails.as_ref()) {
                    let condition = &conditions.as_slice()[i];
                    writeln!(out, "{}", screen.grey(format_args!("{condition}: {sizes}")))?;
                }
            }
        }
        out.flush()?;
    } else if stopped {
        screen.note(format_args!("note: {OUT_OF_BUDGET}"))?;
    } else if verdict == Verdict::Unknown && count == 0 {
        screen.note("note: unknown: the question is beyond the solver")?;
    } else if verdict == Verdict::Unknown && complete {
        screen.note(format_args!("note: unknown: {UNDECIDED}"))?;
    }
    if hint && !complete && !stopped && count == LIMIT {
        screen.note("note: there are more answers; --limit N shows N of them")?;
    }
    Ok(ended(&answers, verdict).into())
}

/// Says why there is no solution: the first reason, or all of them.
pub(crate) fn why(query: &Query, all: bool, screen: &Screen) -> Result<(), Failure> {
    let conflicts = match all {
        true => query.explain_all(),
        false => query.explain().into_iter().collect(),
    };
    for conflict in &conflicts {
        screen.diagnostic(&conflict.diagnostic)?;
    }
    Ok(())
}

pub(crate) const OUT_OF_BUDGET: &str = "the budget ran out; --budget STEPS gives more, and --timeout SECONDS says how long it may take";

/// Why the verdict is unknown though all answers were found.
const UNDECIDED: &str = "it is not decided whether this holds for all values of the names";

fn summary(verdict: Verdict, count: usize, complete: bool, stopped: bool) -> String {
    let answers = match (count, complete) {
        (0, _) => "no answer found".to_owned(),
        (1, true) => "the only answer".to_owned(),
        (n, true) => format!("all {n} answers"),
        (1, false) => "1 answer, there may be more".to_owned(),
        (n, false) => format!("{n} answers, there may be more"),
    };
    let why = if stopped {
        format!("; {OUT_OF_BUDGET}")
    } else if verdict == Verdict::Unknown && complete && count > 0 {
        format!("; {UNDECIDED}")
    } else {
        String::new()
    };
    format!("{verdict}: {answers}{why}")
}
