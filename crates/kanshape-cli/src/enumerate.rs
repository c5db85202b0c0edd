//! `kanshape enum`: all ground answers within bounds, as they are found.

use std::io::Write;

use kanshape::Verdict;

use crate::args::EnumArgs;
use crate::exit::{Exit, Failure};
use crate::infer::{OUT_OF_BUDGET, why};
use crate::load::load;
use kanshape_batch::answer_json::AnswerJson;
use kanshape_batch::answer_text::AnswerText;
use kanshape_batch::effort::Effort;

use crate::question::from_args;
use crate::screen::Screen;
use kanshape_batch::reply::ended;

pub(crate) fn run(args: &EnumArgs, effort: &Effort, screen: &Screen) -> Result<Exit, Failure> {
    let loaded = load(&args.query.load, screen)?;
    let mut question = from_args(&args.query, effort, &loaded)?;
    question.ground = true;
    let query = question.query()?;
    let mut answers = query.solve()?;
    let text = AnswerText::new(&question);
    let places = question.places();
    let mut out = screen.out();
    let mut count = 0_u64;
    for answer in &mut answers {
        count += 1;
        if args.query.json {
            serde_json::to_writer(
                &mut out,
                &AnswerJson::new(&answer, places.as_ref(), question.types),
            )
            .map_err(std::io::Error::from)?;
            writeln!(out)?;
        } else if !args.count {
            text.write(&mut out, &answer)?;
        }
        if screen.is_watched() {
            out.flush()?;
        }
    }
    let complete = answers.complete();
    let stopped = answers.is_stopped();
    let verdict = if count == 0 {
        answers.verdict()
    } else {
        Verdict::Always
    };
    if args.count {
        writeln!(out, "{count}")?;
    }
    if screen.is_watched() && !args.count {
        let all = if complete { "all" } else { "not all" };
        writeln!(
            out,
            "{}",
            screen.grey(format_args!("{count} answers, {all} there are"))
        )?;
    }
    out.flush()?;
    if verdict == Verdict::Never && !args.count {
        why(&query, question.all, screen)?;
    }
    if stopped {
        screen.note(format_args!("note: {OUT_OF_BUDGET}"))?;
    }
    Ok(ended(&answers, verdict).into())
}
