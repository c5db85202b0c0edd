//! Outputs of a signature that nothing ties to an input: probably not meant.

use crate::{Answer, Signature, code};
use kanshape_diag::{Diagnostic, Source};
use kanshape_types::{Dim, DtypeTerm, Type};

/// The number of answers that are read where nothing is known of the operands.
const MOST: usize = 8;

/// The steps for that.
const STEPS: u64 = 20_000;

impl Signature {
    /// What is probably not meant as it is written: an output whose dtype, rank or size follows from no input.
    ///
    /// ```
    /// use kanshape::Signature;
    ///
    /// let relu: Signature = "(...s):Float->(...s)".parse()?;
    /// let warnings: Vec<_> = relu.warnings().iter().map(|w| w.headline.clone()).collect();
    /// assert_eq!(warnings, ["the dtype of output 0 follows from no input"]);
    ///
    /// let relu: Signature = "(...s):x->(...s):x where x: Float".parse()?;
    /// assert!(relu.warnings().is_empty());
    /// # Ok::<(), kanshape::Diagnostic>(())
    /// ```
    pub fn warnings(&self) -> Vec<Diagnostic> {
        if self.input_count() == 0 {
            return Vec::new();
        }
        let Ok(answers) = self.query().budget(STEPS).solve() else {
            return Vec::new();
        };
        let answers: Vec<Answer> = answers.take(MOST).collect();
        let mut found = Vec::new();
        for output in 0..self.output_count() {
            let types = answers.iter().filter_map(|a| a.outputs.get(output));
            // What some answer ties is tied.
            let open = types
                .map(Unnamed::of)
                .reduce(Unnamed::and)
                .unwrap_or_default();
            found.extend(open.words().map(|what| self.untied(output, what)));
        }
        found
    }

    fn untied(&self, output: usize, what: &str) -> Diagnostic {
        let headline = format!("the {what} of output {output} follows from no input");
        let mut d = Diagnostic::new(code::UNTIED_OUTPUT, headline).as_warning();
        if let (Some(operand), Some(text)) = (self.tree().outputs.get(output), self.text()) {
            d = d.with_label(operand.span.into(), "nothing ties it");
            d.source = Some(Source {
                name: "signature".into(),
                text: text.into(),
            });
        }
        d
    }
}

/// What of an output is not even named in an answer: a name would be shared with an input.
#[derive(Clone, Copy, Default)]
struct Unnamed {
    dtype: bool,
    rank: bool,
    size: bool,
}

impl Unnamed {
    fn of(ty: &Type) -> Unnamed {
        let Some(tensor) = ty.as_tensor() else {
            return Unnamed::default();
        };
        Unnamed {
            dtype: matches!(tensor.dtype, DtypeTerm::Hole | DtypeTerm::Set(_)),
            rank: tensor.shape.run().is_some_and(|run| run.name.is_none()),
            size: tensor.shape.iter().any(|dim| *dim == Dim::Hole),
        }
    }

    fn and(self, other: Unnamed) -> Unnamed {
        Unnamed {
            dtype: self.dtype && other.dtype,
            rank: self.rank && other.rank,
            size: self.size && other.size,
        }
    }

    fn words(self) -> impl Iterator<Item = &'static str> {
        let all = [
            (self.dtype, "dtype"),
            (self.rank, "rank"),
            (self.size, "size of a dim"),
        ];
        all.into_iter()
            .filter_map(|(open, word)| open.then_some(word))
    }
}
