//! The parsers in `crates/kanshape-syntax/src/generated` are those of the grammars. They are part of the sources, so that
//! whoever builds the library builds no parser generator.
//!
//! `cargo xtask parsers` writes them again after a change of a grammar. It is a test of this crate, which does not need the
//! parsers to compile.

use std::path::Path;
use std::{env, fs};

const GRAMMARS: [&str; 2] = ["signature", "relation"];

#[test]
fn parsers_are_those_of_the_grammars() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let fresh = Path::new(env!("CARGO_TARGET_TMPDIR")).join("parsers");
    fs::create_dir_all(&fresh).expect("a folder for the parsers");
    lalrpop::Configuration::new()
        .set_in_dir(root.join("grammar"))
        .set_out_dir(&fresh)
        .emit_whitespace(false)
        .force_build(true)
        .log_quiet()
        .process()
        .expect("parsers of the grammars");

    let shipped = root.join("crates/kanshape-syntax/src/generated");
    for name in GRAMMARS {
        let read = |path: &Path| fs::read_to_string(path.join(name).with_extension("rs"));
        let generated = read(&fresh).expect("a generated parser");
        if env::var_os("KANSHAPE_UPDATE").is_some() {
            let file = shipped.join(name).with_extension("rs");
            fs::write(file, &generated).expect("the parser is written");
        } else {
            assert!(
                read(&shipped).is_ok_and(|shipped| shipped == generated),
                "the parser of grammar/{name}.lalrpop is an older one: run `cargo xtask parsers`"
            );
        }
    }
}
