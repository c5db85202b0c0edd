//! Relations in text: loaded at run time, solved in every direction.
//!
//!     cargo run -p kanshape --example relations
#![allow(clippy::print_stdout)]

use kanshape::{Diagnostic, Relations, Signature};

const MINE: &str = r"
/// As the page of Relay has them.
Identity(I, I) :- true
Flatten(Tensor(sh, bt), O) :- O = Tensor((sh[0], prod(sh[1:])), bt)

/// Every dim twice as large.
Doubled(Tensor(sh, bt), Tensor([2 * d for d in sh], bt))

/// The halves of a tensor's first axis, one behind the other.
Halves(Tensor([n, ..r], bt), Tensor([n, ..r], bt), Tensor([2 * n, ..r], bt))
";

fn main() -> Result<(), Diagnostic> {
    let relations = Relations::load_str("mine.kan", MINE)?;
    let ask = |name: &str, inputs: &[&str], output: &str| -> Result<(), Diagnostic> {
        let signature: Signature = relations.signature(name)?;
        let inputs = inputs
            .iter()
            .map(|t| t.parse())
            .collect::<Result<Vec<_>, _>>()?;
        let query = signature.query().inputs(inputs).output(0, output.parse()?);
        for answer in query.limit(3).solve()? {
            println!("{name}: {answer}");
        }
        Ok(())
    };
    ask("Flatten", &["f32[2, 3, 4]"], "?")?;
    ask("Flatten", &["f32[2, ?, 4]"], "f32[2, 12]")?;
    ask("Flatten", &["?"], "f32[2, 12]")?;
    ask("Doubled", &["?"], "f32[6, n]")?;
    ask("Doubled", &["f32[...r]"], "?")?;
    ask("Halves", &["f32[3, 4]", "?"], "?")?;
    ask("Broadcast", &["f32[3, 1]", "?"], "f32[3, 4]")?;
    Ok(())
}
