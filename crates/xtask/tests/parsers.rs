//! The parsers and lexers in `crates/kanshape-syntax/src/generated` are those of `grammar/`. They are part of the sources, so
//! that whoever builds the library builds no generator.
//!
//! `cargo xtask parsers` writes them again after a change of a grammar. It is a test of this crate, which does not need them
//! to compile.

use quote::ToTokens;
use std::path::{Path, PathBuf};
use std::{env, fs};

const LANGUAGES: [&str; 4] = ["signature", "relation", "relay", "stablehlo"];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Compares a generated file with the one in the sources, or writes it there.
fn compare(name: &str, generated: &str) {
    let file = root()
        .join("crates/kanshape-syntax/src/generated")
        .join(name);
    if env::var_os("KANSHAPE_UPDATE").is_some() {
        fs::write(file, generated).expect("the file is written");
    } else {
        assert!(
            fs::read_to_string(&file).is_ok_and(|shipped| shipped == generated),
            "{name} is not that of `grammar/`: run `cargo xtask parsers`"
        );
    }
}

#[test]
fn parsers_are_those_of_the_grammars() {
    let fresh = Path::new(env!("CARGO_TARGET_TMPDIR")).join("parsers");
    fs::create_dir_all(&fresh).expect("a folder for the parsers");
    lalrpop::Configuration::new()
        .set_in_dir(root().join("grammar"))
        .set_out_dir(&fresh)
        .emit_whitespace(false)
        .force_build(true)
        .log_quiet()
        .process()
        .expect("parsers of the grammars");
    for language in LANGUAGES {
        let name = format!("{language}.rs");
        compare(
            &name,
            &fs::read_to_string(fresh.join(&name)).expect("a parser"),
        );
    }
}

#[test]
fn lexers_are_those_of_the_words() {
    for language in LANGUAGES {
        let name = format!("{language}_words.rs");
        let text = fs::read_to_string(root().join("grammar").join(&name)).expect("the words");
        let file: syn::File = syn::parse_str(&text).expect("the words are Rust");
        let (words, callbacks): (Vec<_>, Vec<_>) = file
            .items
            .iter()
            .partition(|item| matches!(item, syn::Item::Enum(_)));
        let mut lexer = proc_macro2::TokenStream::new();
        for item in callbacks {
            item.to_tokens(&mut lexer);
        }
        for item in words {
            let words = item.to_token_stream();
            lexer.extend(logos_codegen::strip_attributes(words.clone()));
            lexer.extend(logos_codegen::generate(words));
        }
        let lexer: syn::File = syn::parse2(lexer).expect("the lexer is Rust");
        let head = format!("//! Generated from `grammar/{name}` by `cargo xtask parsers`.\n\n");
        // Indentation would be half of it.
        let lexer = prettyplease::unparse(&lexer);
        let lines: Vec<&str> = lexer.lines().map(str::trim_start).collect();
        compare(&name, &(head + &lines.join("\n") + "\n"));
    }
}
