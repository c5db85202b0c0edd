//! The page that is part of the program, `crates/kanshape-cli/site`, is built from `site/`. It is part of the sources, so that whoever
//! builds the program needs no Node.js.
//!
//! `cargo xtask page` builds it again after a change. This test needs no Node.js either: beside the page stands a hash of what it was
//! built from, and one of what it is.

use hash::hash;
use std::path::{Path, PathBuf};
use std::{env, fs};

#[path = "../src/hash.rs"]
mod hash;

/// What the page is made of, in `site/`.
const SOURCES: &[&str] = &[
    "build",
    "index.html",
    "package-lock.json",
    "public",
    "report.html",
    "src",
    "tsconfig.json",
    "vite.config.ts",
];
const PAGE: &str = "crates/kanshape-cli/site";
const HASHES: &str = "crates/kanshape-cli/site.hash";

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

#[test]
fn the_page_is_that_of_its_sources() {
    let sources = hash(&root().join("site"), SOURCES);
    let page = hash(&root().join(PAGE), &[""]);
    let found = format!("site {sources}\npage {page}\n");
    let file = root().join(HASHES);
    if env::var_os("KANSHAPE_UPDATE").is_some() {
        fs::write(file, found).expect("the file is written");
    } else {
        let known = fs::read_to_string(file).expect("the hashes");
        assert!(
            known.replace("\r\n", "\n") == found,
            "{PAGE} is not built from `site/` as it is: run `cargo xtask page`"
        );
    }
}
