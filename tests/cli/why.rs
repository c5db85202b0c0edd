//! An explanation as a terminal shows it: wide and narrow, with drawn lines and in ASCII, without colours.

use kanshape::diag::render_terminal;
use kanshape::{Call, Diagnostic, Signature, catalog};

fn matmul() -> Diagnostic {
    let matmul: Signature = "(m,n),(n,p)->(m,p)".parse().unwrap();
    let types = ["f32[2, 3]".parse().unwrap(), "f32[5, 3]".parse().unwrap()];
    matmul.query().inputs(types).explain().unwrap().diagnostic
}

fn conv() -> Diagnostic {
    let conv = catalog().operator("onnx::Conv", None).unwrap();
    let ty = |text: &str| Some(text.parse().unwrap());
    let call = Call {
        inputs: vec![ty("f32[1, 3, 224, 224]"), ty("f32[64, 4, 7, 7]")],
        ..Call::default()
    };
    conv.query(call).unwrap().explain().unwrap().diagnostic
}

/// How wide a text is.
fn width(text: &str) -> usize {
    let widths = text.lines().map(|line| line.chars().count());
    widths.max().unwrap_or(0)
}

#[test]
fn on_a_terminal() {
    assert_eq!(
        render_terminal(&matmul(), 80, false, true),
        "\
error[K0101]: the two inputs disagree about `n`
  ╭▸ signature:1:4
  │
1 │ (m,n),(n,p)->(m,p)
  │    ┯   ─ input 1 makes `n` 5
  │    │
  │    input 0 makes `n` 3
  │
  ├ help: input 0 would fit as f32[2, 5]; input 1 would fit as f32[3, 3]
  ╰ help: did you mean the transpose of input 1? f32[3, 5] fits"
    );
    assert_eq!(
        render_terminal(&matmul(), 80, false, false),
        "\
error[K0101]: the two inputs disagree about `n`
 --> signature:1:4
  |
1 | (m,n),(n,p)->(m,p)
  |    ^   - input 1 makes `n` 5
  |    |
  |    input 0 makes `n` 3
  |
  = help: input 0 would fit as f32[2, 5]; input 1 would fit as f32[3, 3]
  = help: did you mean the transpose of input 1? f32[3, 5] fits"
    );
}

/// The text that is pointed into is cut to the width; lines of help are left to the terminal to wrap.
#[test]
fn on_a_narrow_terminal() {
    for columns in [40, 60, 80] {
        let shown = render_terminal(&conv(), columns, false, true);
        let excerpt = shown
            .lines()
            .filter(|line| line.contains("since") || line.contains("T["));
        let excerpt: Vec<&str> = excerpt.filter(|line| !line.contains("fit as")).collect();
        assert!(!excerpt.is_empty(), "{shown}");
        assert!(
            excerpt.iter().all(|line| width(line) <= columns),
            "{columns}:\n{shown}"
        );
    }
}

#[test]
fn colours_are_all_that_differs() {
    let coloured = render_terminal(&matmul(), 80, true, true);
    assert!(coloured.contains('\u{1b}'));
    let mut plain = String::new();
    let mut rest = coloured.as_str();
    while let Some((before, after)) = rest.split_once("\u{1b}[") {
        plain.push_str(before);
        rest = after.split_once('m').map_or("", |(_, rest)| rest);
    }
    plain.push_str(rest);
    assert_eq!(plain, render_terminal(&matmul(), 80, false, true));
}
