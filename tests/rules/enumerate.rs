//! All rules between small terms.

use kanshape::catalog;
use kanshape_rewrite::{Agreement, Bounds, Enumerate, Enumerated, Rules, Sound};

fn enumerate(ops: &[&str]) -> Enumerate {
    Enumerate::new(catalog(), ops.iter().map(|op| (*op).to_owned()))
}

fn texts(found: &Enumerated) -> Vec<String> {
    let bare = found
        .rules
        .iter()
        .map(|rule| rule.tree().bare().to_string());
    bare.collect()
}

#[test]
fn elementwise_operators() {
    let ops = ["onnx::Add", "onnx::Neg"];
    let found = enumerate(&ops).types_only(true).run().unwrap();
    assert_eq!(found.cut_off, [""; 0]);
    // Types alone: that is not what they calculate.
    insta::assert_snapshot!(texts(&found).join("\n"));
    // Those that are the same numbers.
    let found = enumerate(&ops).run().unwrap();
    assert_eq!(found.cut_off, [""; 0]);
    insta::assert_snapshot!("elementwise_operators_values", texts(&found).join("\n"));
    for rule in &found.rules {
        assert_eq!(rule.values().unwrap().verdict, Agreement::Proved, "{rule}");
    }
}

#[test]
fn transposes() {
    let ops = ["onnx::Add", "onnx::Transpose[perm = [1, 0]]"];
    let found = enumerate(&ops).size(3).run().unwrap();
    insta::assert_snapshot!(texts(&found).join("\n"));
    // What is known is not found again, nor what follows from it.
    let known = "rule swap: Add(X, Y) => Add(Y, X)\nrule twice: Transpose[perm = [1, 0]](Transpose[perm = [1, 0]](X)) => X\n";
    let known = Rules::load_str(catalog(), "known.kan", known).unwrap();
    let rest = enumerate(&ops).size(3).known(known).run().unwrap();
    let all = texts(&found);
    assert!(texts(&rest).iter().all(|text| all.contains(text)));
    assert!(rest.rules.len() < found.rules.len());
}

/// Each is *always*, and reads back from its text.
#[test]
fn each_holds_always() {
    let ops = ["onnx::MatMul", "onnx::Concat", "onnx::Relu"];
    let bounds = Bounds {
        max_rank: 2,
        max_dim: 2,
    };
    let search = enumerate(&ops).leaves(2).bounds(bounds);
    let found = search.run().unwrap();
    assert!(found.rules.len() >= 3, "{:?}", texts(&found));
    let text: String = found.rules.iter().map(|rule| format!("{rule}\n")).collect();
    let read = Rules::load_str(catalog(), "found.kan", &text).unwrap();
    assert_eq!(read.iter().len(), found.rules.len());
    for rule in read.iter() {
        let rule = rule.clone().bounds(bounds);
        assert_eq!(rule.check().verdict, Sound::Always, "{rule}");
    }
}

/// What is cut off is reported.
#[test]
fn what_is_cut_off() {
    let ops = ["onnx::MatMul", "onnx::Gemm", "onnx::Where", "onnx::Concat"];
    let bounds = Bounds {
        max_rank: 1,
        max_dim: 1,
    };
    let search = enumerate(&ops).size(9).leaves(4).bounds(bounds);
    let found = search.run().unwrap();
    assert!(!found.cut_off.is_empty());
}
