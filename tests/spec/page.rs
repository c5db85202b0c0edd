//! A page: its blocks, and what is wrong with them.

use std::fmt::Write;
use std::path::Path;

use crate::case::Case;

/// Runs all blocks of a page, and fails with everything that came out otherwise.
#[track_caller]
pub(crate) fn check(path: &Path) {
    let text = std::fs::read_to_string(path).unwrap();
    let name = path.file_name().unwrap().to_string_lossy();
    let mut page = String::new();
    let mut wrong = String::new();
    let (mut count, mut inside) = (0, false);
    let mut cases: Vec<Case> = Vec::new();
    for (i, line) in text.lines().enumerate() {
        if inside && line == "```" {
            for case in cases.drain(..) {
                count += 1;
                let got = case.run();
                if got != case.expected {
                    let (at, question) = (case.line, &case.question);
                    let (wanted, got) = (case.expected.join("\n  "), got.join("\n  "));
                    let _ = writeln!(
                        wrong,
                        "{name}:{at}: {question}\n written:\n  {wanted}\n found:\n  {got}\n"
                    );
                }
                page.push_str(&case.written(&got));
            }
            inside = false;
        }
        if !inside {
            page.push_str(line);
            page.push('\n');
            inside = line == "```kanshape";
        } else if let Some(case) = cases.last_mut().filter(|_| Case::goes_on(line)) {
            case.push(line);
        } else {
            cases.push(Case::new(i + 1, line));
        }
    }
    assert!(!inside, "{name}: a block is not closed");
    assert!(count > 0, "{name}: there is nothing to run");
    if std::env::var_os("KANSHAPE_UPDATE").is_some() {
        std::fs::write(path, page).unwrap();
    } else {
        assert!(wrong.is_empty(), "\n{wrong}");
    }
}
