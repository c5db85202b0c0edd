//! Each feature of each crate alone: `cargo xtask features`. The rest of CI builds the workspace as a whole, where what
//! one crate switches on is there for all: their tests are run there, and here it is seen that nothing else is needed.

use std::fs;
use std::process::Command;

use crate::{cargo, root};

/// Builds each crate without features and with each of them alone.
pub(crate) fn run() -> Result<(), String> {
    for (package, features) in features()? {
        check(&[
            "check",
            "--quiet",
            "--locked",
            "-p",
            &package,
            "--no-default-features",
        ])?;
        for feature in &features {
            let alone = [
                "--quiet",
                "--locked",
                "-p",
                &package,
                "--no-default-features",
                "--features",
                feature,
            ];
            check(&[&["check"], &alone[..]].concat())?;
        }
    }
    Ok(())
}

fn check(args: &[&str]) -> Result<(), String> {
    let text = format!("cargo {}", args.join(" "));
    eprintln!("xtask: {text}");
    let status = Command::new(cargo())
        .args(args)
        .current_dir(root())
        .status()
        .map_err(|e| format!("`{text}` can't be run: {e}"))?;
    match status.success() {
        true => Ok(()),
        false => Err(format!("`{text}` failed")),
    }
}

/// The crates that have features, each with these.
fn features() -> Result<Vec<(String, Vec<String>)>, String> {
    let mut all = Vec::new();
    let crates = fs::read_dir(root().join("crates")).map_err(|e| format!("`crates`: {e}"))?;
    for entry in crates.flatten() {
        let Ok(manifest) = fs::read_to_string(entry.path().join("Cargo.toml")) else {
            continue;
        };
        let lines = manifest
            .lines()
            .skip_while(|line| *line != "[features]")
            .skip(1);
        let lines = lines.take_while(|line| !line.starts_with('['));
        let names =
            lines.filter_map(|line| line.split_once(" = ").map(|(name, _)| name.to_owned()));
        let names: Vec<String> = names
            .filter(|name| name != "default" && !name.starts_with('#'))
            .collect();
        if !names.is_empty() {
            all.push((entry.file_name().to_string_lossy().into_owned(), names));
        }
    }
    all.sort();
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn features_are_read_from_the_manifests() {
        let all = features().unwrap_or_default();
        let of = |name: &str| {
            all.iter()
                .find(|(package, _)| package == name)
                .map(|(_, f)| f.join(" "))
        };
        assert_eq!(
            of("kanshape").as_deref(),
            Some("ndarray proptest rand relay stablehlo terminal serde")
        );
        assert_eq!(
            of("kanshape-infer").as_deref(),
            Some("ndarray proptest rand serde")
        );
        assert_eq!(of("kanshape-engine"), None);
    }
}
