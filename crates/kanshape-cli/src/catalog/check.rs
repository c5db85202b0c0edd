//! The examples of operators, solved in every direction.

use std::io::{self, IsTerminal, Write};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use kanshape::Operator;

use crate::exit::{Exit, Failure};
use crate::screen::Screen;

/// Checks all examples of these operators, and prints what fails.
pub(super) fn run(operators: &[Operator], screen: &Screen) -> Result<Exit, Failure> {
    let mut out = screen.out();
    let bar = bar(operators.len());
    let (mut examples, mut questions, mut failures) = (0, 0, 0);
    for operator in operators {
        bar.set_message(operator.full_name());
        let checked = operator.check_examples();
        examples += checked.examples;
        questions += checked.questions;
        failures += checked.failures.len();
        let by_example = checked.failures.chunk_by(|a, b| a.example == b.example);
        for failed in by_example {
            bar.suspend(|| -> io::Result<()> {
                let [first, ..] = failed else { return Ok(()) };
                let title = screen.bold(first.operator.clone());
                writeln!(out, "{title}\n  {}", first.example)?;
                for one in failed {
                    writeln!(out, "  {}", one.why)?;
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
