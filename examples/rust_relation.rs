//! A relation that text can't say, stated in Rust and called from text.
//!
//! A kernel pads the last axis of its input to a power of two, and cuts it into tiles as wide as a table says for
//! the dtype. Clauses know sums and products, but neither powers nor tables; two relations in Rust do. Nothing in
//! them says which argument is given, so the kernel's rule runs in every direction.
//!
//!     cargo run -p kanshape --example rust_relation
#![allow(clippy::print_stdout)]

use kanshape::{
    Diagnostic, Dtype, DtypeSet, Relations, Type,
    relation::{Args, Impossible, Progress, RustRelation},
};

/// `PowerOfTwo(n, p)`: `p` is the least power of two that is not less than `n`.
struct PowerOfTwo;

impl PowerOfTwo {
    fn above(n: i64) -> Option<i64> {
        let power = u64::try_from(n).ok()?.checked_next_power_of_two()?;
        i64::try_from(power).ok()
    }
}

impl RustRelation for PowerOfTwo {
    fn name(&self) -> &str {
        "PowerOfTwo"
    }

    fn kinds(&self) -> Vec<&str> {
        vec!["int", "int"]
    }

    fn refine(&self, args: &mut Args<'_>) -> Result<Progress, Impossible> {
        let [n, p] = args.all();
        args.at_least(&n, 0)?;
        args.one_of(&p, (0..63).map(|i| 1 << i))?;
        // The greater `n` is, the greater is `p`.
        if let Some(least) = args.least(&n) {
            args.at_least(&p, Self::above(least).ok_or(Impossible)?)?;
        }
        if let Some(most) = args.most(&n).and_then(Self::above) {
            args.at_most(&p, most)?;
        }
        // And the other way round: half of `p` would not do.
        if let Some(most) = args.most(&p) {
            args.at_most(&n, most)?;
        }
        if let Some(least) = args.least(&p).filter(|least| *least > 1) {
            args.at_least(&n, least / 2 + 1)?;
        }
        match args.value(&p) {
            Some(_) => Ok(Progress::Done),
            None => Ok(Progress::Waiting),
        }
    }
}

/// `TileOf(dtype, n)`: a tile of this dtype is `n` numbers wide.
struct TileOf {
    /// What somebody has measured.
    table: Vec<(Dtype, i64)>,
}

impl RustRelation for TileOf {
    fn name(&self) -> &str {
        "TileOf"
    }

    fn kinds(&self) -> Vec<&str> {
        vec!["dtype", "int"]
    }

    fn refine(&self, args: &mut Args<'_>) -> Result<Progress, Impossible> {
        let [dtype, n] = args.all();
        let dtypes = args.dtypes(&dtype);
        let mut left: Vec<(Dtype, i64)> = self.table.clone();
        left.retain(|(dtype, width)| dtypes.contains(*dtype) && args.may_be(&n, *width));
        let dtypes: Vec<Dtype> = left.iter().map(|row| row.0).collect();
        args.restrict_dtype(&dtype, DtypeSet::of(&dtypes))?;
        args.one_of(&n, left.iter().map(|row| row.1))?;
        // One width for all that the dtype can still be: then it does not matter which it is.
        match left.iter().all(|row| row.1 == left[0].1) {
            true => Ok(Progress::Done),
            false => Ok(Progress::Waiting),
        }
    }
}

const KERNEL: &str = "
/// The input's last axis, padded to a power of two, in tiles.
Tiled(Tensor([..front, n], T), Tensor([..front, tiles, width], T)) :-
    PowerOfTwo(n, padded),
    TileOf(T, width),
    tiles*width = padded
";

fn main() -> Result<(), Diagnostic> {
    let table = vec![
        (Dtype::F32, 32),
        (Dtype::F16, 64),
        (Dtype::BF16, 64),
        (Dtype::I8, 128),
    ];
    let relations = Relations::standard()
        .with_relation(PowerOfTwo)?
        .with_relation(TileOf { table })?
        .with([("kernel.kan", KERNEL)])?;
    let tiled = relations.signature("Tiled")?;
    let ask = |input: &str, output: &str| -> Result<Vec<String>, Diagnostic> {
        let (input, output): (Type, Type) = (input.parse()?, output.parse()?);
        let answers = tiled.query().inputs([input]).outputs([output]).solve()?;
        let answers: Vec<String> = answers.map(|answer| answer.to_string()).collect();
        answers.iter().for_each(|answer| println!("{answer}"));
        Ok(answers)
    };

    // Forwards.
    assert_eq!(ask("f32[8, 100]", "?")?, ["f32[8, 100] -> f32[8, 4, 32]"]);
    // Backwards: what can have been padded to this?
    assert_eq!(
        ask("?", "f16[8, 2, ?]")?,
        ["f16[8, d0] -> f16[8, 2, 64] where d0 >= 65, d0 <= 128"]
    );
    // Sideways: which dtype is cut into four tiles?
    assert_eq!(ask("?[500]", "?[4, ?]")?, ["i8[500] -> i8[4, 128]"]);
    // No tile is as wide as that.
    assert!(ask("?", "?[8, 2, 48]")?.is_empty());
    Ok(())
}
