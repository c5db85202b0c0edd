//! A signature among goals of one's own: which strides and kernels of a convolution turn a row of
//! 32 into a row of 8, if the hardware has only some kernels and a buffer for 40 numbers?
#![allow(clippy::print_stdout)]

use canrun::cmp::lte;
use canrun::ops::add;
use canrun::{LVar, Query, Value, all, any, lvec, unify};
use kanshape_canrun::{Bounds, SignatureGoals, known};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let text = "[stride: s] (h),(k)->((h - k)//s + 1) where s >= 1";
    let convolution = SignatureGoals::new(&kanshape_syntax::parse_signature(text)?)?;

    let (kernel, stride, used) = (LVar::<u64>::new(), LVar::new(), LVar::<u64>::new());
    let hardware = all![
        any![
            unify(kernel, 3),
            unify(kernel, 4),
            unify(kernel, 5),
            unify(kernel, 11)
        ],
        add(kernel, 32, used),
        lte(used, 40),
    ];
    let signature = convolution.goal(
        &[known(&[32]), Value::new(lvec![kernel])],
        &[known(&[8])],
        &[("stride", stride.into())],
        Bounds::new(1, 32),
    )?;
    for (kernel, stride) in all![hardware, signature].query((kernel, stride)) {
        println!("a kernel of {kernel} with stride {stride}");
    }
    Ok(())
}
