//! A model that has to work for whatever its free dims are: where it does not, that is an error.

use crate::code;
use crate::problem::Problem;
use crate::report::{Report, Requirement};
use kanshape::{Diagnostic, Dim, diag::Severity};

impl Report<'_> {
    /// Adds an error for each dim of an input that was declared free, or has a name, and is not free: it is fixed, or some
    /// sizes of it are refused. A declared type that can't be is an error as well. Says whether there was any of these.
    pub fn make_strict(&mut self) -> bool {
        let mut is_wrong = false;
        for problem in &mut self.problems {
            if problem.diagnostic.code == code::HINT {
                problem.diagnostic.severity = Severity::Error;
                is_wrong = true;
            }
        }
        let mut found: Vec<Problem> = Vec::new();
        let mut is_reported = vec![false; self.conditions.len()];
        for free in &self.free {
            let place = format!("dim {} of `{}`", free.axis, free.input);
            let ty = self.value(&free.input);
            let now = ty.and_then(|ty| ty.as_tensor()?.shape.known_dims().get(free.axis).cloned());
            let about = |one: &Requirement| one.demands && speaks_of(one, &free.name);
            let word = match free.named {
                true => format!("{place} is declared as `{}`", free.name),
                false => format!("{place} is declared free"),
            };
            let conditions = self.conditions.iter().zip(&mut is_reported);
            let mut own = conditions.filter(|(one, _)| about(one)).peekable();
            match now {
                Some(now) if now != Dim::Name(free.name.clone()) => {
                    let d = Diagnostic::new(code::NOT_FREE, format!("{word}, and has to be {now}"));
                    let because = own.next().map(|(one, is_reported)| {
                        *is_reported = true;
                        one
                    });
                    found.push(problem(d, because));
                }
                _ => {
                    for (one, is_reported) in own {
                        if std::mem::replace(is_reported, true) {
                            continue;
                        }
                        let d = format!("{word}, and it is required that {}", one.condition);
                        found.push(problem(Diagnostic::new(code::NOT_FREE, d), Some(one)));
                    }
                }
            }
        }
        is_wrong |= !found.is_empty();
        self.problems.extend(found);
        is_wrong
    }
}

fn problem(mut diagnostic: Diagnostic, because: Option<&Requirement>) -> Problem {
    if let Some(fails) = because.and_then(|one| one.fails.as_ref()) {
        diagnostic = diagnostic.with_step(format!("it does not hold for {fails}"));
    }
    Problem {
        diagnostic,
        node: because.and_then(|one| one.node.clone()),
    }
}

fn speaks_of(one: &Requirement, name: &str) -> bool {
    let mut found = false;
    one.condition.for_each_name(&mut |own| found |= own == name);
    found
}
