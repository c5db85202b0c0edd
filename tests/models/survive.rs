//! What holds of whatever bytes are read.

use kanshape::Verdict;
use kanshape_onnx::{Model, Options, Report, check, signature, write};
use std::time::{Duration, Instant};

/// Longer than this nothing may take, unless the machine is busy with other things.
const LONGEST: Duration = Duration::from_secs(60);

/// Reads and checks what may be no model, and calls `f` with what comes of it if it is one.
#[track_caller]
pub(crate) fn survive<T>(bytes: &[u8], f: impl FnOnce(&Model<'_>, &Report<'_>) -> T) -> Option<T> {
    let start = Instant::now();
    let model = match Model::read(bytes) {
        Ok(model) => model,
        Err(diagnostic) => {
            assert_eq!(diagnostic.code, "K0601", "{diagnostic}");
            return None;
        }
    };
    let report = check(&model, &Options::default());
    assert_reported(&report);
    let out = write(&model, &report);
    assert!(Model::read(&out).is_ok());
    let line = signature(&report);
    assert!(line.contains("->"));
    let taken = start.elapsed();
    assert!(taken < LONGEST, "{taken:?}");
    Some(f(&model, &report))
}

/// The report says what is wrong, and where.
#[track_caller]
fn assert_reported(report: &Report<'_>) {
    if report.has_errors() || !report.untyped.is_empty() {
        let verdict = report.verdict;
        assert!(
            matches!(verdict, Verdict::Never | Verdict::Unknown),
            "{verdict:?}"
        );
    }
    for problem in &report.problems {
        let text = &problem.diagnostic.headline;
        // A node, a name or a byte.
        let has_place = problem.node.is_some() || text.contains('`') || text.contains(" at byte ");
        assert!(has_place, "{text}");
    }
    for one in &report.untyped {
        assert!(!one.why.is_empty());
    }
}
