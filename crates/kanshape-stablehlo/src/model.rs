//! A module as a model: so it is explained, compared and reported as a model of ONNX is.

use kanshape::diag::Severity;
use kanshape::{Diagnostic, Relations};
use kanshape_onnx::Exported;

use crate::check::{self, Findings, Kept, Recorded};
use crate::code;
use crate::program::{Options, Program};

/// Does a module begin like this, as text or as bytecode? No model begins like that.
///
/// ```
/// assert!(kanshape_stablehlo::is_module(b"\nmodule @jit_f {"));
/// assert!(!kanshape_stablehlo::is_module(b"\x08\x08"));
/// ```
pub fn is_module(bytes: &[u8]) -> bool {
    const FIRST: [&[u8]; 5] = [
        b"module",
        b"func.func",
        b"\"builtin.module\"",
        b"#loc",
        b"ML\xefR",
    ];
    let mut start = bytes.trim_ascii_start();
    while start.starts_with(b"//") {
        let end = start.iter().position(|byte| *byte == b'\n');
        start = end.map_or(&[][..], |end| start[end..].trim_ascii_start());
    }
    FIRST.iter().any(|first| start.starts_with(first))
}

impl Program {
    /// The module as a model: each operation is a node, of functions each time that they are called. What declared types say where nothing
    /// else does is given beside. Values are called as in the text, without `%`; those of functions and bodies have a path before that.
    ///
    /// ```
    /// use kanshape_onnx::{Model, Options, check, signature};
    /// use kanshape_stablehlo::Program;
    ///
    /// let text = "func.func @main(%x: tensor<?x8xf32>) -> tensor<8x?xf32> {
    ///   %0 = stablehlo.transpose %x, dims = [1, 0] : (tensor<?x8xf32>) -> tensor<8x?xf32>
    ///   return %0 : tensor<8x?xf32>
    /// }";
    /// let exported = Program::parse("x.mlir", text)?.exported(kanshape::catalog())?;
    /// let model = Model::read(&exported.model)?;
    /// let report = check(&model, &exported.known(&Options::default()));
    /// assert_eq!(signature(&report), "f32[d0, 8] -> f32[8, d0]");
    /// # Ok::<(), kanshape::Diagnostic>(())
    /// ```
    ///
    /// # Errors
    /// What is wrong with the module that no model says: a value or a function that is not there, counts that differ.
    pub fn exported(&self, relations: &Relations) -> Result<Exported, Diagnostic> {
        let kept = Kept {
            recorded: Some(Recorded::default()),
            ..Kept::default()
        };
        let found = check::run(self, relations, &Options::default(), kept);
        let Findings {
            report, recorded, ..
        } = found;
        let mut problems = report.problems.into_iter();
        if let Some(wrong) = problems.find(|d| d.severity == Severity::Error && is_beside(d)) {
            return Err(wrong);
        }
        let exported = recorded.and_then(Recorded::exported);
        exported.ok_or_else(|| {
            let headline = format!("`{}` can't be written as a model", self.name());
            Diagnostic::new(code::TOO_MUCH, headline)
        })
    }
}

/// Whether a model does not have what is wrong here.
fn is_beside(wrong: &Diagnostic) -> bool {
    matches!(
        wrong.code,
        code::NO_ENTRY
            | code::NO_VALUE
            | code::NO_FUNCTION
            | code::RECURSION
            | code::COUNT
            | code::TOO_MUCH
            | code::BODY
            | code::INPUTS
            | code::TWICE
    )
}
