//! Puts the site into the program: the files in the folder that `KANSHAPE_SITE` names, if it does.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::{env, fs};

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=KANSHAPE_SITE");
    link_in_place();
    let mut rows = String::new();
    if let Some(folder) = env::var_os("KANSHAPE_SITE").filter(|folder| !folder.is_empty()) {
        let folder = site(Path::new(&folder));
        println!("cargo::rerun-if-changed={}", folder.display());
        let mut files = Vec::new();
        collect(&folder, &mut files);
        let name_of = |file: &PathBuf| {
            let name = file.strip_prefix(&folder).expect("it is below");
            name.to_str().expect("a name").replace('\\', "/")
        };
        // The table is searched by name.
        files.sort_by_cached_key(name_of);
        for file in &files {
            let name = name_of(file);
            if name.ends_with(".gz") {
                continue;
            }
            let small = PathBuf::from(format!("{}.gz", file.display()));
            // Pages are changed before they are sent.
            let is_gzip = small.exists() && !name.ends_with(".html");
            let path = if is_gzip { &small } else { file };
            let _ = writeln!(rows, "    ({name:?}, {is_gzip}, include_bytes!({path:?})),");
        }
    }
    let table = format!(
        "/// Each file: its path, whether it is compressed, and what is in it.\nstatic FILES: &[(&str, bool, &[u8])] = &[\n{rows}];\n"
    );
    let out = Path::new(&env::var_os("OUT_DIR").expect("cargo says where")).join("site.rs");
    fs::write(out, table).expect("the table can be written");
}

/// The folder of the site. Build scripts run in the folder of their package, and a relative path is typed elsewhere: it is
/// looked for in the package's folder and in those around it, such as that of the workspace.
fn site(named: &Path) -> PathBuf {
    let package = env::var_os("CARGO_MANIFEST_DIR").expect("cargo says where");
    let around = Path::new(&package).ancestors();
    let mut tried = around.map(|folder| folder.join(named));
    let found = tried.find(|folder| folder.join("index.html").is_file());
    let Some(found) = found else {
        println!(
            "cargo::error=KANSHAPE_SITE={} has no index.html; `cargo xtask web` builds the site into target/web, and a relative path is looked for from the folder of the workspace",
            named.display()
        );
        std::process::exit(1);
    };
    fs::canonicalize(&found).expect("a folder that is there")
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder)
        .expect("a folder that can be read")
        .flatten()
    {
        let path = entry.path();
        match path.is_dir() {
            true => collect(&path, files),
            false => files.push(path),
        }
    }
}

/// On Linux the program stands at one address: otherwise a third of the time until a first answer is the loader's, which moves
/// thousands of pointers in tables and copies the pages they stand in.
fn link_in_place() {
    let is = |key: &str, value: &str| env::var(key).is_ok_and(|own| own == value);
    let features = env::var("CARGO_CFG_TARGET_FEATURE").unwrap_or_default();
    if is("CARGO_CFG_TARGET_OS", "linux")
        && is("CARGO_CFG_TARGET_ENV", "gnu")
        && is("CARGO_CFG_TARGET_ARCH", "x86_64")
        && !features.split(',').any(|own| own == "crt-static")
    {
        println!("cargo::rustc-link-arg-bins=-no-pie");
    }
}
