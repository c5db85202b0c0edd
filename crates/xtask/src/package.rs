//! What is published: every crate packs, and a program outside of the workspace builds from what is packed, with few
//! crates.

use crate::{cargo, root};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

/// What is not published on crates.io.
const KEPT: &[&str] = &["kanshape-testkit", "kanshape-python", "xtask"];

/// The most crates that are built for a program that uses the library alone, its own ones among them.
const MOST_CRATES: usize = 30;

/// What every package says of itself.
const KEYS: &[&str] = &[
    "description",
    "license",
    "repository",
    "keywords",
    "categories",
    "rust-version",
    "readme",
];

const PROGRAM: &str = "\
use kanshape::prelude::*;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let answer = infer(\"(m,n),(n,p)->(m,p)\", [f32s([2, 3]), f32s([3, 4])])?;
    assert_eq!(answer.outputs[0], f32s([2, 4]));
    let relu = catalog().operator(\"onnx::Relu\", None)?;
    assert_eq!(relu.call([f32s([2])]).infer()?.outputs[0], f32s([2]));
    Ok(())
}
";

/// Packs all crates and builds a program from them.
pub(crate) fn run() -> Result<(), String> {
    let since = Instant::now();
    let mut pack = vec![
        "package",
        "--workspace",
        "--locked",
        "--no-verify",
        "--allow-dirty",
        "--quiet",
    ];
    for name in KEPT {
        pack.extend(["--exclude", name]);
    }
    call(Command::new(cargo()).args(pack).current_dir(root()))?;
    let folder = root().join("target/package/user");
    let _ = fs::remove_dir_all(&folder);
    let crates = unpacked(&folder)?;
    complete(&crates)?;
    let program = program(&folder, &crates)?;
    let count = crate_count(&program)?;
    eprintln!(
        "xtask: {} crates packed; a program builds {count}",
        crates.len()
    );
    if count > MOST_CRATES {
        return Err(format!(
            "a program builds {count} crates, which is more than {MOST_CRATES}"
        ));
    }
    call(
        Command::new(cargo())
            .args(["run", "--quiet", "--manifest-path"])
            .arg(program.join("Cargo.toml"))
            .env("CARGO_TARGET_DIR", root().join("target/package/build"))
            // It is run once, and says what is wrong by itself.
            .env("CARGO_PROFILE_DEV_DEBUG", "0"),
    )?;
    eprintln!("xtask: packed and built in {} s", since.elapsed().as_secs());
    Ok(())
}

/// The packed crates, unpacked: name and folder of each.
fn unpacked(folder: &Path) -> Result<Vec<(String, PathBuf)>, String> {
    fs::create_dir_all(folder).map_err(|e| format!("`{}`: {e}", folder.display()))?;
    let mut crates = Vec::new();
    let packed = fs::read_dir(root().join("target/package"))
        .map_err(|e| format!("`target/package`: {e}"))?;
    for file in packed.flatten().map(|entry| entry.path()) {
        if file.extension().is_none_or(|e| e != "crate") {
            continue;
        }
        call(
            Command::new("tar")
                // The packed files have one old time, by which cargo would take them for those of the last run.
                .arg("xmf")
                .arg(&file)
                .arg("-C")
                .arg(folder),
        )?;
        let stem = file
            .file_stem()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        let name = stem.rsplit_once('-').map_or(&*stem, |(name, _)| name);
        crates.push((name.to_owned(), folder.join(&stem)));
    }
    crates.sort();
    Ok(crates)
}

/// What every crate on crates.io has to have.
fn complete(crates: &[(String, PathBuf)]) -> Result<(), String> {
    for (name, folder) in crates {
        for file in ["LICENSE-MIT", "LICENSE-APACHE"] {
            if !folder.join(file).is_file() {
                return Err(format!("the package `{name}` has no {file}"));
            }
        }
        let manifest = fs::read_to_string(folder.join("Cargo.toml")).unwrap_or_default();
        let value = |key: &str| {
            let start = format!("{key} = ");
            manifest.lines().find_map(|line| line.strip_prefix(&*start))
        };
        for key in KEYS {
            if value(key).is_none() {
                return Err(format!("the package `{name}` does not say its {key}"));
            }
        }
        let readme = value("readme").unwrap_or_default().trim_matches('"');
        if !folder.join(readme).is_file() {
            return Err(format!("the package `{name}` has no `{readme}`"));
        }
    }
    Ok(())
}

/// A program that uses the library as it is published.
fn program(folder: &Path, crates: &[(String, PathBuf)]) -> Result<PathBuf, String> {
    let program = folder.join("program");
    let mut manifest = String::from(
        "[package]\nname = \"program\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[workspace]\n\n\
         [dependencies]\nkanshape = \"0.1.0\"\n\n[patch.crates-io]\n",
    );
    for (name, folder) in crates {
        manifest += &format!("{name} = {{ path = {:?} }}\n", folder.display().to_string());
    }
    let write = |path: &str, text: &str| {
        let file = program.join(path);
        let parent = file.parent().unwrap_or(&program);
        fs::create_dir_all(parent)
            .and_then(|()| fs::write(&file, text))
            .map_err(|e| format!("`{}`: {e}", file.display()))
    };
    write("Cargo.toml", &manifest)?;
    write("src/main.rs", PROGRAM)?;
    // The versions that the workspace is tested with.
    let lock =
        fs::read_to_string(root().join("Cargo.lock")).map_err(|e| format!("`Cargo.lock`: {e}"))?;
    write("Cargo.lock", &lock)?;
    Ok(program)
}

/// How many crates a program builds, without itself.
fn crate_count(program: &Path) -> Result<usize, String> {
    let output = Command::new(cargo())
        .args([
            "tree",
            "--edges",
            "normal,build",
            "--prefix",
            "none",
            "--no-dedupe",
            "--format",
            "{p}",
        ])
        .arg("--manifest-path")
        .arg(program.join("Cargo.toml"))
        .output()
        .map_err(|e| format!("`cargo tree` can't be run: {e}"))?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned());
    }
    let text = String::from_utf8_lossy(&output.stdout);
    let mut names: Vec<&str> = text.lines().filter(|line| !line.is_empty()).collect();
    names.sort_unstable();
    names.dedup();
    Ok(names.len().saturating_sub(1))
}

fn call(command: &mut Command) -> Result<(), String> {
    let text = format!("{command:?}");
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(_) => Err(format!("`{text}` failed")),
        Err(e) => Err(format!("`{text}` can't be run: {e}")),
    }
}
