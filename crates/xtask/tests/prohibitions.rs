//! What must never be in a crate, as `docs/architecture.md` says, where looking for words can find it.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use walkdir::WalkDir;

const PAGE: &str = "docs/architecture.md";

/// A sentence of the page, the crate that it is about, the words that its code must not have, and the files of `src` that may.
type Prohibition = (
    &'static str,
    &'static str,
    &'static [&'static str],
    &'static [&'static str],
);

const FILES: &[&str] = &[
    "std::fs",
    "fs::",
    "File::open",
    "OpenOptions",
    "read_to_string(",
];
const PRINTS: &[&str] = &[
    "println!",
    "print!(",
    "eprintln!",
    "eprint!(",
    "std::fs",
    "File::open",
];
const THREADS: &[&str] = &[
    "std::thread",
    "thread::",
    "Instant::now",
    "SystemTime",
    "std::fs",
    "File::open",
];

const PROHIBITIONS: &[Prohibition] = &[
    (
        "It opens no file and prints nothing.",
        "kanshape-diag",
        PRINTS,
        &[],
    ),
    (
        "`ndarray` is behind a feature, and named in `value/` only.",
        "kanshape-types",
        &["ndarray::"],
        &["ty/value"],
    ),
    (
        "It has never heard of tensors, operators, text or files.",
        "kanshape-engine",
        FILES,
        &[],
    ),
    (
        "nothing else names the crate it is from.",
        "kanshape-engine",
        &["im::", "imbl"],
        &["persistent.rs"],
    ),
    (
        "It knows no file format and no command line.",
        "kanshape-infer",
        FILES,
        &[],
    ),
    (
        "It must not know how anything is solved, and opens no file.",
        "kanshape-onnx",
        FILES,
        &[],
    ),
    (
        "It opens no file. ONNX models are known to `model.rs`, `extract.rs`, `simplify.rs`, `cost.rs` and `replay.rs` alone",
        "kanshape-rewrite",
        FILES,
        &[],
    ),
    (
        "It opens no file. ONNX models are known to `model.rs`, `extract.rs`, `simplify.rs`, `cost.rs` and `replay.rs` alone",
        "kanshape-rewrite",
        &["kanshape_onnx"],
        &[
            "model.rs",
            "extract.rs",
            "simplify.rs",
            "cost.rs",
            "replay.rs",
        ],
    ),
    (
        "Goals, terms, rules and operators are trees, which `made.rs` makes and the library takes.",
        "kanshape-rewrite",
        &[
            "parse_rule(",
            "parse_leaf(",
            "parse_relations(",
            "split_once(\" ",
            ".with([(",
        ],
        &["rules.rs", "rules/given.rs", "enumerate.rs", "predicate.rs"],
    ),
    (
        "but to say an error as Relay does. It opens no file.",
        "kanshape-relay",
        FILES,
        &[],
    ),
    (
        "It opens no file, starts no thread and reads no clock but through `Control`",
        "kanshape-batch",
        THREADS,
        &[],
    ),
];

/// A sentence of the page, the crate that it is about, and the crates of this workspace that it may be built on.
type Foundation = (&'static str, &'static str, &'static [&'static str]);

const FOUNDATIONS: &[Foundation] = &[
    ("It knows no tensors and no grammar.", "kanshape-diag", &[]),
    (
        "It has never heard of tensors, operators, text or files.",
        "kanshape-engine",
        &[],
    ),
    (
        "It knows no signatures and no search.",
        "kanshape-types",
        &["kanshape-diag", "kanshape-syntax"],
    ),
    (
        "It never uses the engine.",
        "kanshape-canrun",
        &["kanshape-syntax"],
    ),
    (
        "It does not know how anything is read or solved.",
        "kanshape-catalog",
        &[],
    ),
    (
        "ONNX models on the public face of `kanshape`",
        "kanshape-onnx",
        &["kanshape"],
    ),
    (
        "Types as the analysis of an e-graph of `egg`, on the public face of `kanshape`",
        "kanshape-egg",
        &["kanshape"],
    ),
    (
        "Programs in Relay's text format on the public face of `kanshape`",
        "kanshape-relay",
        &["kanshape"],
    ),
    (
        "Rewrite rules on the public face of `kanshape`",
        "kanshape-rewrite",
        &["kanshape", "kanshape-eval", "kanshape-onnx"],
    ),
];

#[test]
fn no_crate_has_what_it_must_not_have() {
    let page = read(&root().join(PAGE));
    let page: String = page.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut wrong = String::new();
    for (sentence, name, words, may) in PROHIBITIONS {
        assert!(page.contains(sentence), "{PAGE} does not say: {sentence}");
        for found in found(name, words, may) {
            let _ = writeln!(wrong, "{found}\n  {sentence}");
        }
    }
    for (sentence, name, on) in FOUNDATIONS {
        assert!(page.contains(sentence), "{PAGE} does not say: {sentence}");
        for used in dependencies(name)
            .iter()
            .filter(|used| !on.contains(&&***used))
        {
            let _ = writeln!(wrong, "{name} is built on {used}\n  {sentence}");
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

/// The places in the code of a crate that have one of these words.
fn found(name: &str, words: &[&str], may: &[&str]) -> Vec<String> {
    let src = root().join("crates").join(name).join("src");
    let mut found = Vec::new();
    for entry in WalkDir::new(&src).sort_by_file_name() {
        let path = entry.expect("a folder that can be read").into_path();
        let inside = path.strip_prefix(&src).unwrap_or(&path).to_owned();
        let is_code = path.extension().is_some_and(|e| e == "rs") && !inside.ends_with("tests.rs");
        if !is_code || may.iter().any(|own| inside.starts_with(own)) {
            continue;
        }
        let text = read(&path);
        // Tests stand at the end of a file, and may use what they like.
        let code = text.split("#[cfg(test)]").next().unwrap_or_default();
        for (i, line) in code.lines().enumerate() {
            let line = line.split("//").next().unwrap_or_default();
            if let Some(word) = words.iter().find(|word| has(line, word)) {
                found.push(format!(
                    "{name}/src/{}:{}: `{word}`",
                    inside.display(),
                    i + 1
                ));
            }
        }
    }
    found
}

/// Does a line have a word that is no end of a longer one?
fn has(line: &str, word: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    line.match_indices(word)
        .any(|(at, _)| !line[..at].ends_with(is_part))
}

/// The crates of this workspace that a crate depends on, but for its tests.
fn dependencies(name: &str) -> Vec<String> {
    let manifest = read(&root().join("crates").join(name).join("Cargo.toml"));
    let section = manifest
        .lines()
        .skip_while(|line| *line != "[dependencies]")
        .skip(1)
        .take_while(|line| !line.starts_with('['));
    let names = section.filter_map(|line| line.split(['.', ' ', '=']).next());
    let own = names.filter(|name| *name == "kanshape" || name.starts_with("kanshape-"));
    own.map(str::to_owned).collect()
}

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// What runs in a browser has one import, its clock: nothing in it is for the JavaScript of another tool.
#[test]
fn the_module_of_the_page_needs_no_bindings() {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let tree = std::process::Command::new(cargo)
        .args(["tree", "--locked", "--package", "kanshape-web"])
        .args(["--target", "wasm32-unknown-unknown"])
        .args(["--edges", "normal", "--prefix", "none"])
        // As the module is built, and not with what the tests of other crates switch on.
        .env_remove("CARGO_RESOLVER_FEATURE_UNIFICATION")
        .current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("../.."))
        .output()
        .expect("cargo runs");
    let text = String::from_utf8_lossy(&tree.stdout);
    assert!(
        text.contains("kanshape-batch"),
        "{}",
        String::from_utf8_lossy(&tree.stderr)
    );
    for name in ["wasm-bindgen ", "js-sys ", "getrandom "] {
        let found = text.lines().find(|line| line.starts_with(name));
        assert_eq!(found, None, "kanshape-web depends on it");
    }
}
