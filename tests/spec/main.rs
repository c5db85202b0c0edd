//! The language's behaviour, as chapters that are run: `docs/language.md`, `docs/deviations.md` and the
//! pages beside this file.
//!
//! A page has blocks that begin with three backticks and `kanshape`. Each holds questions and what
//! comes of them:
//!
//! ```text
//! (m,n),(n,p)->(m,p) : f32[2, 3], ? -> f32[2, 4]      a signature, and a question about it
//! with promotion torch, max_rank 2                     options of the question
//! => f32[2, 3], f32[3, 4] -> f32[2, 4]                 an answer, as it is printed; `=> ...` for more
//! verdict always                                       the verdict, if it is the point
//! type (2, 3)                                          a type, and its one print
//! => ?[2, 3]
//! signature ( n )->( )                                 a signature, and its one print
//! => (n)->()
//! type float[2]
//! => error K0202                                       an error is shown by its code
//! (n),(n)->() : f32[2], f32[3]
//! => never
//! super f32[n] : f32[3]                                two types, and what one says of the other:
//! => depends                                           `super`, `same` and `same_class` are tests,
//! meet f32[?, 3] : f32[2, ?]                           `meet` and `join` have a type; where several
//! => f32[2, 3]                                         say it better, each stands behind `exactly`
//! filter f32[2, n] : f32[?, n]                         required, and given: `same`, `check` or `never`,
//! => check f32[2, n]                                   and what has to be checked, or why not
//! => dim 0 is 2
//! ```
//!
//! With `KANSHAPE_UPDATE=1` in the environment the answers are written into the pages: read the
//! difference before you believe it.
#![allow(clippy::unwrap_used)]

mod case;
mod page;
mod pair;

use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

#[test]
fn language_reference() {
    page::check(&root().join("docs/language.md"));
}

#[test]
fn deviations() {
    page::check(&root().join("docs/deviations.md"));
}

#[test]
fn chapters() {
    let dir = std::fs::read_dir(root().join("tests/spec")).unwrap();
    let mut pages: Vec<PathBuf> = dir.map(|entry| entry.unwrap().path()).collect();
    pages.retain(|path| path.extension().is_some_and(|e| e == "md"));
    pages.sort();
    assert!(pages.len() >= 8, "only {} chapters", pages.len());
    for path in &pages {
        page::check(path);
    }
}
