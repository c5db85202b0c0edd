//! The page in the browser: kanshape as WebAssembly, the site around it, and its tests in a real browser.
//!
//! The library is compiled with rustup's target `wasm32-unknown-unknown` where it is installed, and else with Debian's packages
//! `rustc-web`, `cargo-web`, `rust-web-src` and `lld`, which build the standard library from its sources. The site is built with
//! Node.js. Where CI=true, what is missing is installed.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use crate::hash::hash;
use crate::{cargo, checker, root, venv};

const TARGET: &str = "wasm32-unknown-unknown";
/// Debian's packages, if rustup has no target.
const COMPILER: &[&str] = &["rustc-web", "cargo-web", "rust-web-src", "lld"];
/// The stack of the module: what may be nested so deep runs on it.
const STACK: &str = "-Clink-arg=-zstack-size=16777216";
/// What the module may use: the browsers of the last years have it.
const FEATURES: &[&str] = &[
    "--enable-bulk-memory",
    "--enable-bulk-memory-opt",
    "--enable-sign-ext",
    "--enable-nontrapping-float-to-int",
    "--enable-mutable-globals",
    "--enable-reference-types",
    "--enable-multivalue",
    "--enable-call-indirect-overlong",
];

/// Builds the site into `target/web`.
pub(crate) fn build() -> Result<(), String> {
    let site = root().join("site");
    let public = root().join("target/web-public");
    packages(&site)?;
    let module = compile()?;
    fs::create_dir_all(&public).map_err(|e| format!("{}: {e}", public.display()))?;
    let small = public.join("kanshape.wasm");
    let mut optimise = Command::new(site.join("node_modules/.bin/wasm-opt"));
    // What is merged can be made smaller once more.
    optimise.args(["-Oz", "--merge-similar-functions", "-Oz"]);
    optimise.args(FEATURES).arg(&module);
    run(optimise.arg("-o").arg(&small), "wasm-opt")?;
    pages(&site)
}

/// Where the page is that is part of the program.
const PAGE: &str = "crates/kanshape-cli/site";

/// Builds the page that is part of the program, and writes down what it was built from.
pub(crate) fn page() -> Result<(), String> {
    let site = root().join("site");
    packages(&site)?;
    types(&site)?;
    build_page(&site, &root().join(PAGE))?;
    let mut hashes = Command::new(cargo());
    hashes
        .args(["test", "--quiet", "--package", "xtask", "--test", "page"])
        .env("KANSHAPE_UPDATE", "1")
        .current_dir(root());
    run(&mut hashes, "cargo test --package xtask --test page")
}

fn build_page(site: &Path, folder: &Path) -> Result<(), String> {
    for mode in ["served", "served-report"] {
        let what = format!("vite build --mode {mode}");
        let mut vite = Command::new(site.join("node_modules/.bin/vite"));
        vite.args(["build", "--mode", mode])
            .env("KANSHAPE_PAGE", folder)
            .current_dir(site);
        run(&mut vite, &what)?;
    }
    Ok(())
}

/// What needs no browser: the types of the site's sources, their form, their tests, and that the page in the program is built from them.
/// In CI the tests in a browser as well, if they have not passed since the site or the schema of what it shows has changed.
pub(crate) fn check() -> Result<(), String> {
    let is_ci = env::var_os("CI").is_some_and(|ci| ci == "true");
    let has_node = is_there("node") && is_there("npm");
    if !is_ci && !has_node {
        eprintln!("xtask: the site is NOT CHECKED: there is no Node.js with npm");
        return Ok(());
    }
    let site = root().join("site");
    packages(&site)?;
    for (name, args) in [
        ("tsc", &["--noEmit"][..]),
        ("biome", &["ci"]),
        ("vitest", &["run", "--dir", "unit"]),
    ] {
        let mut tool = Command::new(site.join("node_modules/.bin").join(name));
        run(tool.args(args).current_dir(&site), name)?;
    }
    let folder = root().join("target/page");
    let _ = fs::remove_dir_all(&folder);
    build_page(&site, &folder)?;
    let read = |path: PathBuf| fs::read(&path).map_err(|e| format!("{}: {e}", path.display()));
    for file in fs::read_dir(&folder).map_err(|e| format!("{}: {e}", folder.display()))? {
        let name = file.map_err(|e| e.to_string())?.file_name();
        if read(folder.join(&name))? != read(root().join(PAGE).join(&name))? {
            let name = name.display();
            return Err(format!(
                "{PAGE}/{name} is not built from `site/` as it is: run `cargo xtask page`"
            ));
        }
    }
    if is_ci && !is_tested() {
        return test();
    }
    Ok(())
}

/// Writes the types of what the engine answers from its schema.
fn types(site: &Path) -> Result<(), String> {
    let mut node = Command::new("node");
    run(
        node.arg("build/types.mjs").current_dir(site),
        "types of the schema",
    )
}

/// The site around a module that is there.
fn pages(site: &Path) -> Result<(), String> {
    let tool = |name: &str| Command::new(site.join("node_modules/.bin").join(name));
    types(site)?;
    run(tool("tsc").arg("--noEmit").current_dir(site), "tsc")?;
    run(tool("vite").arg("build").current_dir(site), "vite build")?;
    let report = ["build", "--mode", "report"];
    run(
        tool("vite").args(report).current_dir(site),
        "vite build --mode report",
    )
}

/// What the tests in a browser are about, and the hash of it when they last passed.
const TESTED: &[&str] = &[
    "docs/schema.json",
    "site/build",
    "site/index.html",
    "site/package-lock.json",
    "site/public",
    "site/report.html",
    "site/src",
    "site/test",
    "site/vite.config.ts",
];
const TESTED_HASH: &str = "site/tested.hash";

/// Have the tests in a browser passed since the site, or what the engine answers, has changed?
fn is_tested() -> bool {
    let known = fs::read_to_string(root().join(TESTED_HASH)).unwrap_or_default();
    known.trim() == hash(&root(), TESTED)
}

/// The tests of the site in a real browser. The module is built if there is none.
pub(crate) fn test() -> Result<(), String> {
    let is_ci = env::var_os("CI").is_some_and(|ci| ci == "true");
    if !is_ci {
        let missing = missing();
        if !missing.is_empty() {
            eprintln!(
                "xtask: the tests in a browser are SKIPPED: there is no {}",
                missing.join(", no ")
            );
            return Ok(());
        }
    }
    if is_ci && browser().is_none() {
        install(&["chromium"])?;
    }
    let site = root().join("site");
    match root().join("target/web-public/kanshape.wasm").exists() {
        true => {
            packages(&site)?;
            pages(&site)?;
        }
        false => build()?,
    }
    let Some(browser) = browser() else {
        return Err("there is no chromium".to_owned());
    };
    program(&[])?;
    let release = venv::target("release/kanshape");
    if is_ci {
        // The page is as fast as it is beside this one.
        program(&["--release"])?;
    }
    let mut tests = Command::new("node");
    // One file after the other: some of them measure times.
    tests
        .args(["--test", "--test-reporter=spec", "--test-concurrency=1"])
        .args(test_files(&site)?)
        .current_dir(&site);
    // What these two are missing for is skipped by the tests, which count it.
    if let Some(python) = checker::python()? {
        tests.env("ONNX_PYTHON", python);
    }
    if release.exists() {
        tests.env("KANSHAPE_RELEASE", release);
    }
    run(
        tests
            .env("CHROMIUM", browser)
            .env("KANSHAPE", venv::target("debug/kanshape")),
        "the tests in a browser",
    )?;
    let found = format!("{}\n", hash(&root(), TESTED));
    fs::write(root().join(TESTED_HASH), found).map_err(|e| format!("{TESTED_HASH}: {e}"))
}

/// The tests of the site: what else is in their folder helps them.
fn test_files(site: &Path) -> Result<Vec<PathBuf>, String> {
    let folder = site.join("test");
    let wrong = |e| format!("{}: {e}", folder.display());
    let mut files = Vec::new();
    for file in fs::read_dir(&folder).map_err(wrong)? {
        let path = file.map_err(wrong)?.path();
        if path.to_string_lossy().ends_with(".test.mjs") {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

/// Compiles the program that the page is compared with.
fn program(profile: &[&str]) -> Result<(), String> {
    let mut compile = Command::new(cargo());
    compile
        .args(["build", "--locked", "-p", "kanshape-cli"])
        .args(profile)
        .current_dir(root());
    let what = ["cargo build", profile.first().unwrap_or(&"")].join(" ");
    run(&mut compile, what.trim_end())
}

/// What the tests need and this machine lacks.
fn missing() -> Vec<&'static str> {
    let mut missing = Vec::new();
    if !is_there("node") || !is_there("npm") {
        missing.push("Node.js with npm");
    }
    if browser().is_none() {
        missing.push("chromium");
    }
    let has_module = root().join("target/web-public/kanshape.wasm").exists();
    if !has_module && !has_rustup_target() && !has_debian() {
        missing.push("compiler to WebAssembly");
    }
    missing
}

fn browser() -> Option<PathBuf> {
    let named = env::var_os("CHROMIUM").map(PathBuf::from);
    let usual = [
        "/usr/bin/chromium",
        "/usr/bin/chromium-browser",
        "/usr/bin/google-chrome",
    ];
    let mut all = named.into_iter().chain(usual.map(PathBuf::from));
    all.find(|path| path.exists())
}

/// Installs what `package-lock.json` says, if that was not done.
fn packages(site: &Path) -> Result<(), String> {
    let time = |path: PathBuf| fs::metadata(path).and_then(|m| m.modified()).ok();
    let done = time(site.join("node_modules/.package-lock.json"));
    if done.is_some() && done >= time(site.join("package-lock.json")) {
        return Ok(());
    }
    let mut npm = Command::new("npm");
    npm.args(["ci", "--no-audit", "--no-fund", "--ignore-scripts"])
        .current_dir(site);
    run(&mut npm, "npm ci")
}

/// Compiles the library, and says where the module is.
fn compile() -> Result<PathBuf, String> {
    let folder = root().join("target/wasm");
    let mut build = if has_rustup_target() {
        let mut build = Command::new(cargo());
        build.env("RUSTFLAGS", STACK);
        build
    } else {
        if !has_debian() {
            if env::var_os("CI").is_none_or(|ci| ci != "true") {
                return Err(format!(
                    "there is no compiler to WebAssembly: `rustup target add {TARGET}`, or on Debian `apt-get install {}`",
                    COMPILER.join(" ")
                ));
            }
            install(COMPILER)?;
        }
        // Debian's own compiler, whatever toolchain this was run by.
        let mut build = Command::new("/usr/bin/cargo");
        build
            .env_clear()
            .envs(env::vars().filter(|(name, _)| is_kept(name)))
            .env("PATH", "/usr/bin:/bin")
            .env("RUSTC", "/usr/bin/rustc")
            .env("RUSTC_BOOTSTRAP", "1")
            .env("RUSTFLAGS", format!("-Clinker=wasm-ld {STACK}"))
            .arg("-Zbuild-std=std,panic_abort");
        build
    };
    build
        .args([
            "build",
            "--release",
            "--locked",
            "-p",
            "kanshape-web",
            "--target",
            TARGET,
            "--target-dir",
        ])
        .arg(&folder)
        // What is loaded is small: that is worth more than speed here.
        .env("CARGO_PROFILE_RELEASE_OPT_LEVEL", "z")
        .env("CARGO_PROFILE_RELEASE_LTO", "fat")
        .env("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "1")
        .env("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "1")
        .env("CARGO_PROFILE_RELEASE_PANIC", "abort")
        .current_dir(root());
    run(&mut build, "cargo build for WebAssembly")?;
    Ok(folder.join(TARGET).join("release/kanshape_web.wasm"))
}

/// Is this variable for any cargo, and not about the toolchain that this was run by?
fn is_kept(name: &str) -> bool {
    let is_of_cargo = [
        "CARGO_HOME",
        "CARGO_REGISTR",
        "CARGO_SOURCE",
        "CARGO_HTTP",
        "CARGO_NET",
    ];
    match name.starts_with("CARGO") || name.starts_with("RUST") {
        true => is_of_cargo.iter().any(|start| name.starts_with(start)),
        false => true,
    }
}

fn has_rustup_target() -> bool {
    let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let found = Command::new(rustc)
        .args(["--print", "target-libdir", "--target", TARGET])
        .output();
    found.is_ok_and(|found| {
        let folder = String::from_utf8_lossy(&found.stdout);
        found.status.success() && Path::new(folder.trim()).exists()
    })
}

fn has_debian() -> bool {
    let needed = [
        "/usr/bin/cargo",
        "/usr/bin/rustc",
        "/usr/bin/wasm-ld",
        "/usr/lib/rustlib/src/rust/library",
    ];
    needed.iter().all(|path| Path::new(path).exists())
}

fn install(packages: &[&str]) -> Result<(), String> {
    run(Command::new("apt-get").arg("update"), "apt-get update")?;
    let mut install = Command::new("apt-get");
    install
        .args(["install", "-y", "--no-install-recommends"])
        .args(packages);
    run(&mut install, "apt-get install")
}

fn is_there(tool: &str) -> bool {
    let mut found = Command::new(tool);
    found
        .arg("--version")
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    found.status().is_ok_and(|status| status.success())
}

fn run(command: &mut Command, what: &str) -> Result<(), String> {
    eprintln!("xtask: {what}");
    let start = Instant::now();
    let status = command
        .status()
        .map_err(|e| format!("`{what}` can't be run: {e}"))?;
    if !status.success() {
        return Err(format!("`{what}` failed"));
    }
    eprintln!("xtask: done in {} s", start.elapsed().as_secs());
    Ok(())
}
