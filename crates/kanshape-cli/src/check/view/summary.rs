//! The first line of a model, and the last one of many.

use std::fmt::Write;

use kanshape::{Dim, Type, Verdict, diag::Severity};
use kanshape_onnx::Report;

use super::{View, count};

impl View<'_, '_> {
    /// `model.onnx: 3 nodes, 5 values, all typed; always`.
    pub(super) fn summary(&self, text: &mut String) {
        let report = self.report;
        let nodes = count(self.model.nodes(), "node");
        let values = count(report.values.len(), "value");
        let name = self.screen.bold(self.name);
        let _ = write!(text, "{name}: {nodes}, {values}");
        let open = report.values.iter().filter(|v| !is_typed(&v.1)).count();
        let wrong = errors(report);
        if open > 0 {
            let _ = write!(text, ", {open} not fully typed");
        } else if wrong == 0 {
            text.push_str(", all typed");
        }
        if wrong > 0 {
            let wrong = count(wrong, "error");
            let _ = write!(text, ", {}", self.screen.red(wrong));
        }
        let verdict = report.verdict.name();
        let verdict = match report.verdict {
            Verdict::Never => self.screen.red(verdict),
            _ => verdict.to_owned(),
        };
        let _ = writeln!(
            text,
            "; {verdict}{}",
            match report.nonempty {
                true => ", if no size is 0",
                false => "",
            }
        );
    }
}

fn errors(report: &Report<'_>) -> usize {
    let problems = report.problems.iter();
    problems
        .filter(|p| p.diagnostic.severity == Severity::Error)
        .count()
}

/// Is it known what it is, but for sizes that have a name?
fn is_typed(ty: &Type) -> bool {
    match ty.as_tensor() {
        Some(tensor) => {
            tensor.dtype.known().is_some()
                && tensor.shape.run().is_none()
                && !tensor.shape.known_dims().contains(&Dim::Hole)
        }
        None => !ty.is_unknown() && ty.parts().all(is_typed),
    }
}

/// What became of many models.
#[derive(Debug, Default)]
pub(in crate::check) struct Tally {
    verdicts: [usize; 4],
    unreadable: usize,
}

impl Tally {
    /// One model more; none if the file can't be read as one.
    pub(in crate::check) fn add(&mut self, verdict: Option<Verdict>) {
        match verdict {
            Some(Verdict::Always) => self.verdicts[0] += 1,
            Some(Verdict::Depends) => self.verdicts[1] += 1,
            Some(Verdict::Never) => self.verdicts[2] += 1,
            Some(Verdict::Unknown) => self.verdicts[3] += 1,
            None => self.unreadable += 1,
        }
    }

    /// `13 models: 9 always, 3 depends, 1 never`.
    pub(in crate::check) fn line(&self) -> String {
        let all = self.verdicts.iter().sum::<usize>() + self.unreadable;
        let words = [
            Verdict::Always,
            Verdict::Depends,
            Verdict::Never,
            Verdict::Unknown,
        ];
        let words = words.map(Verdict::name).into_iter().chain(["unreadable"]);
        let counts = self.verdicts.into_iter().chain([self.unreadable]);
        let parts = words.zip(counts).filter(|(_, n)| *n > 0);
        let parts: Vec<String> = parts.map(|(word, n)| format!("{n} {word}")).collect();
        format!("{}: {}", count(all, "model"), parts.join(", "))
    }
}
