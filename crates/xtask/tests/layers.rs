//! The modules of a crate form layers, and each uses only those below it.
//!
//! `docs/architecture.md` has the table of layers. A module is a file or folder directly in `src`, with all that is in it;
//! the root (`lib.rs`, `main.rs`) may use all of them. Paths are read in `use` lines, in code and in the arguments of
//! macros, and what the root re-exports counts as the module that it is from. Tests may use what they like.

use proc_macro2::Span;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Attribute, Item, ItemMod, ItemUse, Macro, UseTree, Visibility};
use walkdir::WalkDir;

const TABLE: &str = "docs/architecture.md";

#[test]
fn each_module_uses_only_those_below_it() {
    let mut wrong = String::new();
    let crates = layers();
    assert!(!crates.is_empty(), "{TABLE} has no table of layers");
    for (name, layers) in &crates {
        for problem in problems(name, layers) {
            let _ = writeln!(wrong, "{problem}");
        }
    }
    assert!(
        wrong.is_empty(),
        "Modules and the table of layers in {TABLE} disagree. Turn the reference around - move what is shared down, pass \
         it as an argument, or move an `impl` block up - or change the order of the table if it has no cycle.\n\n{wrong}"
    );
}

/// The crates in the table, each with its modules from below.
fn layers() -> Vec<(String, Vec<String>)> {
    let text = read(&root().join(TABLE));
    let table = text
        .lines()
        .skip_while(|line| !line.starts_with("| crate | modules"))
        .skip(2)
        .take_while(|line| line.starts_with('|'));
    let rows = table.map(|line| {
        let mut words = line.split('`').skip(1).step_by(2).map(String::from);
        (words.next().unwrap_or_default(), words.collect())
    });
    rows.collect()
}

/// What is wrong with a crate that has these layers.
fn problems(name: &str, layers: &[String]) -> Vec<String> {
    let src = root().join("crates").join(name).join("src");
    let mut problems = Vec::new();
    let mut found = BTreeSet::new();
    let mut files = Vec::new();
    for entry in WalkDir::new(&src).sort_by_file_name() {
        let path = entry.expect("a folder that can be read").into_path();
        let Some(module) = module(&src, &path) else {
            continue;
        };
        found.extend(module.first().cloned());
        files.push((path, module));
    }
    for unlisted in found.iter().filter(|own| !layers.contains(own)) {
        problems.push(format!("{name}: the table does not list `{unlisted}`"));
    }
    for missing in layers.iter().filter(|own| !found.contains(*own)) {
        problems.push(format!("{name}: there is no module `{missing}`"));
    }
    let roots = files.iter().filter(|(_, module)| module.is_empty());
    let exports: BTreeMap<String, String> = roots.flat_map(|(path, _)| exports(path)).collect();
    let level = |own: &str| layers.iter().position(|layer| layer == own);
    for (path, module) in files.iter().filter(|(_, module)| !module.is_empty()) {
        let text = read(path);
        let file = syn::parse_file(&text).expect("Rust that compiles");
        let mut paths = Paths {
            module: module.clone(),
            found: Vec::new(),
        };
        paths.visit_file(&file);
        for (line, used) in paths.found {
            let Some(target) = used.first() else { continue };
            let target = exports.get(target).unwrap_or(target);
            if let (Some(own), Some(other)) = (level(&module[0]), level(target))
                && other > own
            {
                let file = path.strip_prefix(root()).unwrap_or(path).display();
                problems.push(format!(
                    "{file}:{line}: `{}` uses `crate::{}`, and `{target}` is above it",
                    module[0],
                    used.join("::"),
                ));
            }
        }
    }
    problems
}

/// The path of the module that a file is; `None` if it is none, or tests.
fn module(src: &Path, path: &Path) -> Option<Vec<String>> {
    if path.extension()? != "rs" {
        return None;
    }
    let inside = path.strip_prefix(src).ok()?.with_extension("");
    let mut names: Vec<String> = inside
        .iter()
        .map(|name| name.to_string_lossy().into_owned())
        .collect();
    if matches!(names.last()?.as_str(), "mod" | "lib" | "main") {
        names.pop();
    }
    (!names.iter().any(|name| name == "tests")).then_some(names)
}

/// What the root re-exports, each with the module that it is from.
fn exports(root: &Path) -> Vec<(String, String)> {
    let file = syn::parse_file(&read(root)).expect("Rust that compiles");
    let mut exports = Vec::new();
    for item in &file.items {
        let Item::Use(item) = item else { continue };
        if !matches!(item.vis, Visibility::Inherited) {
            leaves(&item.tree, &mut Vec::new(), &mut |path, name| {
                let first = path.iter().find(|part| *part != "crate" && *part != "self");
                exports.extend(first.map(|module| (name.to_string(), module.clone())));
            });
        }
    }
    exports
}

/// Calls `f` with each path that a `use` line names, and the name that it brings in.
fn leaves(tree: &UseTree, path: &mut Vec<String>, f: &mut dyn FnMut(&[String], &str)) {
    match tree {
        UseTree::Path(inner) => {
            path.push(inner.ident.to_string());
            leaves(&inner.tree, path, f);
            path.pop();
        }
        UseTree::Group(group) => group.items.iter().for_each(|tree| leaves(tree, path, f)),
        UseTree::Name(last) => leaf(last.ident.to_string(), None, path, f),
        UseTree::Rename(last) => {
            leaf(
                last.ident.to_string(),
                Some(last.rename.to_string()),
                path,
                f,
            );
        }
        UseTree::Glob(_) => f(path, "*"),
    }
}

fn leaf(
    last: String,
    rename: Option<String>,
    path: &mut Vec<String>,
    f: &mut dyn FnMut(&[String], &str),
) {
    path.push(last.clone());
    f(path, &rename.unwrap_or(last));
    path.pop();
}

/// The paths of a file that lead to modules of its crate.
struct Paths {
    /// The module that is being read.
    module: Vec<String>,
    /// Each path from the root, and its line.
    found: Vec<(usize, Vec<String>)>,
}

impl Paths {
    fn note(&mut self, path: &[String], span: Span) {
        let supers = path.iter().take_while(|part| *part == "super").count();
        let base = match path.first().map(String::as_str) {
            Some("crate") => &path[1..1],
            Some("super") => &self.module[..self.module.len().saturating_sub(supers)],
            _ => return,
        };
        let rest = &path[supers.max(1)..];
        let full = base.iter().chain(rest).cloned().collect();
        self.found.push((span.start().line, full));
    }
}

impl<'ast> Visit<'ast> for Paths {
    fn visit_item(&mut self, item: &'ast Item) {
        let attrs: &[Attribute] = match item {
            Item::Mod(item) => &item.attrs,
            Item::Use(item) => &item.attrs,
            Item::Fn(item) => &item.attrs,
            Item::Impl(item) => &item.attrs,
            _ => &[],
        };
        if !attrs.iter().any(is_test) {
            visit::visit_item(self, item);
        }
    }

    fn visit_item_mod(&mut self, item: &'ast ItemMod) {
        self.module.push(item.ident.to_string());
        visit::visit_item_mod(self, item);
        self.module.pop();
    }

    fn visit_item_use(&mut self, item: &'ast ItemUse) {
        let span = item.span();
        leaves(&item.tree, &mut Vec::new(), &mut |path, _| {
            self.note(path, span)
        });
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        let parts: Vec<String> = path.segments.iter().map(|s| s.ident.to_string()).collect();
        self.note(&parts, path.span());
        visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, called: &'ast Macro) {
        let text = called.tokens.to_string().replace(' ', "");
        let parts = text.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == ':'));
        for path in parts.filter(|part| part.contains("::")) {
            let parts: Vec<String> = path.split("::").map(String::from).collect();
            self.note(&parts, called.span());
        }
        visit::visit_macro(self, called);
    }
}

/// Is it there in tests alone?
fn is_test(attr: &Attribute) -> bool {
    let is_cfg = attr.path().is_ident("cfg")
        && attr
            .parse_args::<syn::Path>()
            .is_ok_and(|path| path.is_ident("test"));
    is_cfg || attr.path().is_ident("test")
}

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}
