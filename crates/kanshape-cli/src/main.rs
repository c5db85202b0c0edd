//! The program `kanshape`: [`kanshape_cli::run`].

use std::process::ExitCode;

use mimalloc::MiMalloc;

/// What a large model is made of comes and goes in large pieces, on every core. An allocator that keeps them for the next
/// model spends a third less time on a model of a million operators than one that gives them back each time.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

fn main() -> ExitCode {
    ExitCode::from(kanshape_cli::run(std::env::args_os()))
}
