//! Programs that torch has exported: every value has a type, it is the one that torch gives it, and all conditions are decided.

use kanshape::{Type, Verdict, catalog};
use kanshape_onnx::{Model, Options, Report, check};
use kanshape_torch::exported;
use std::path::{Path, PathBuf};

fn archives(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../tests/data/torch")
        .join(folder);
    let files = std::fs::read_dir(folder).unwrap();
    let mut all: Vec<PathBuf> = files.map(|file| file.unwrap().path()).collect();
    all.sort();
    all
}

/// Reads the report about a program.
fn with_report<R>(path: &Path, read: impl FnOnce(&Report<'_>) -> R) -> R {
    let program = exported(&std::fs::read(path).unwrap(), catalog()).unwrap();
    let model = Model::read(&program.model).unwrap();
    let options = Options {
        inputs: program.inputs,
        facts: program.facts,
        ..Options::default()
    };
    read(&check(&model, &options))
}

/// The values that have no type, or not all of one.
fn open(ty: &Type) -> bool {
    ty.is_unknown() || ty.to_string().contains('?')
}

#[test]
fn every_value_has_a_type() {
    let all = archives("export");
    assert_eq!(all.len(), 31);
    let mut wrong = Vec::new();
    let mut values = 0;
    for path in all {
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        with_report(&path, |report| {
            values += report.values.len();
            let headlines = report.problems.iter().map(|p| &p.diagnostic.headline);
            wrong.extend(headlines.map(|headline| format!("{name}: {headline}")));
            if report.verdict == Verdict::Unknown {
                wrong.push(format!("{name}: unknown"));
            }
            let untyped = report.values.iter().filter(|(_, ty)| open(ty));
            wrong.extend(untyped.map(|(value, ty)| format!("{name}: {value}: {ty}")));
        });
    }
    assert!(values > 8000, "{values}");
    assert!(
        wrong.is_empty(),
        "{} wrong:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

/// Programs with bodies, with numbers of their own, and with sizes that data decide: all is typed by rules, and equals what torch says.
#[test]
fn bodies_and_numbers_are_typed() {
    let all = archives("bodies");
    assert_eq!(all.len(), 17);
    for path in all {
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        with_report(&path, |report| {
            let problems = report.problems.iter();
            let headlines: Vec<_> = problems.map(|p| &p.diagnostic.headline).collect();
            let is_known = matches!(report.verdict, Verdict::Always | Verdict::Depends);
            assert!(is_known && headlines.is_empty(), "{name}: {headlines:?}");
        });
    }
}

#[test]
fn what_is_no_archive_is_refused() {
    for bytes in [&b"PK\x03\x04"[..], b"", b"PK\x05\x06", &[0x50; 100]] {
        assert_eq!(exported(bytes, catalog()).unwrap_err().code, "K0903");
    }
    let whole = std::fs::read(&archives("export")[0]).unwrap();
    for len in (0..whole.len()).step_by(97) {
        // An archive that is cut off has no list of its files.
        assert!(exported(&whole[..len], catalog()).is_err(), "{len}");
    }
}
