//! How diagnostics look.

use insta::assert_snapshot;
use kanshape_diag::Diagnostic;

fn simple() -> Diagnostic {
    Diagnostic::new("K0001", "unexpected `n`")
        .with_label(3..4, "expected `,` or `)`")
        .with_help("put a comma between: `m, n`")
        .with_source("signature", "(m n)->()")
}

fn explained() -> Diagnostic {
    Diagnostic::new("K0101", "the inputs do not fit together")
        .with_label(9..10, "`k` is 4 here")
        .with_label(4..5, "and 3 here")
        .with_step("`k` is 3, since the first input is `f32[2, 3]`")
        .with_step("`k` is 4, since the second input is `f32[4, 5]`")
        .with_help("make the second input `f32[3, 5]`")
        .with_source("signature", "(m, k), (k, n) -> (m, n)")
}

fn lines() -> Diagnostic {
    Diagnostic::new("K0002", "some lines")
        .with_label(14..17, "the last")
        .with_label(0..3, "the first")
        .with_label(4..7, "")
        .with_source("file.kan", "one\ntwo\nthen\r\nsix\n")
}

/// A megabyte on one line, with the place in its middle.
fn long() -> Diagnostic {
    let text = format!("{}(n m){}", "(n),".repeat(1 << 17), ",(n)".repeat(1 << 17));
    let at = (4 << 17) + 3;
    Diagnostic::new("K0001", "unexpected `m`")
        .with_label(at..at + 1, "expected `,` or `)`")
        .with_label(at - 2..at - 1, "behind this")
        .with_label(1..2, "and this")
        .with_source("signature", text)
}

fn wide() -> Diagnostic {
    Diagnostic::new("K0002", "`）` is no part of the language")
        .with_label(7..10, "`)` is meant")
        .with_source("signature", "(批次）->()")
}

fn hostile() -> Diagnostic {
    Diagnostic::new("K0002", "a \u{1b}[31mred\u{1b}[0m headline\r")
        .with_label(2..3, "an \u{1b} escape")
        .with_label(4..7, "turned \u{202e}round")
        .with_source("si\u{7}gnature", "a\t\u{1b}b\u{202e}c\u{0}")
}

fn placeless() -> Diagnostic {
    Diagnostic::new("K0900", "no answer within the budget").with_help("give more of the inputs")
}

fn questionable() -> Diagnostic {
    Diagnostic::new("K0051", "`m` stands only once in this clause")
        .with_label(10..11, "nothing else speaks of it")
        .with_source("file.kan", "Halves(n, m)")
        .as_warning()
}

type Named = (&'static str, fn() -> Diagnostic);

const ALL: [Named; 8] = [
    ("simple", simple),
    ("explained", explained),
    ("lines", lines),
    ("long", long),
    ("wide", wide),
    ("hostile", hostile),
    ("placeless", placeless),
    ("questionable", questionable),
];

/// All of them, one after another.
fn all(render: impl Fn(&Diagnostic) -> String) -> String {
    let shown = ALL.map(|(name, make)| format!("--- {name}\n{}\n", render(&make())));
    shown.join("\n")
}

#[test]
fn plain() {
    assert_snapshot!(all(ToString::to_string));
}

#[cfg(feature = "terminal")]
mod terminal {
    use super::*;
    use kanshape_diag::render_terminal;

    #[test]
    fn unicode() {
        assert_snapshot!(all(|d| render_terminal(d, 80, false, true)));
    }

    #[test]
    fn ascii() {
        assert_snapshot!(all(|d| render_terminal(d, 80, false, false)));
    }

    #[test]
    fn narrow() {
        assert_snapshot!(all(|d| render_terminal(d, 36, false, true)));
    }

    #[test]
    fn colours_change_nothing_else() {
        for (name, make) in ALL {
            let d = make();
            let mut coloured = render_terminal(&d, 80, true, true);
            assert!(coloured.contains('\u{1b}'), "{name}");
            while let Some(start) = coloured.find('\u{1b}') {
                let end = start + coloured[start..].find('m').unwrap();
                coloured.replace_range(start..=end, "");
            }
            let plain = render_terminal(&d, 80, false, true);
            let trimmed = |s: &str| {
                s.lines()
                    .map(|l| l.trim_end().to_owned())
                    .collect::<Vec<_>>()
            };
            assert_eq!(trimmed(&coloured), trimmed(&plain), "{name}");
        }
    }
}

#[cfg(feature = "serde")]
#[test]
fn json() {
    let mut short: Vec<_> = ALL
        .into_iter()
        .filter(|(name, _)| *name != "long")
        .collect();
    short.sort_unstable_by_key(|(name, _)| *name);
    let lines = short
        .iter()
        .map(|(_, make)| serde_json::to_string(&make()).unwrap());
    assert_snapshot!(lines.collect::<Vec<_>>().join("\n"));
}
