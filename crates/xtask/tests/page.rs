//! The page that is part of the program, `crates/kanshape-cli/site`, is built from `site/`. It is part of the sources, so that whoever
//! builds the program needs no Node.js.
//!
//! `cargo xtask page` builds it again after a change. This test needs no Node.js either: beside the page stands a hash of what it was
//! built from, and one of what it is.

use std::path::{Path, PathBuf};
use std::{env, fs};
use walkdir::WalkDir;

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

/// FNV-1a with 64 bits: it finds what was forgotten, and nobody is to be fooled.
struct Hash(u64);

impl Hash {
    fn add(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
}

/// The hash of these files and folders: of their names and what is in them, whatever the ends of lines.
fn hash(folder: &Path, names: &[&str]) -> String {
    let mut hash = Hash(0xcbf2_9ce4_8422_2325);
    for name in names {
        for entry in WalkDir::new(folder.join(name)).sort_by_file_name() {
            let entry = entry.expect("a folder that can be read");
            // Models are links to those of the tests.
            if !entry.file_type().is_file() {
                continue;
            }
            let name = entry.path().strip_prefix(folder).expect("it is below");
            let name = name.to_string_lossy().replace('\\', "/");
            let text = fs::read_to_string(entry.path()).expect("a text");
            hash.add(name.as_bytes());
            hash.add(&[0]);
            hash.add(text.replace("\r\n", "\n").as_bytes());
            hash.add(&[0]);
        }
    }
    format!("{:016x}", hash.0)
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
