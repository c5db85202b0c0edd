//! NumPy's gufuncs stand in the catalog with NumPy's own signatures.

use kanshape::catalog;
use kanshape::tree::parse_signature;
use kanshape::tree::{Operand, PrefixKind, Signature};
use serde::Deserialize;

#[derive(Deserialize)]
struct Facts {
    gufuncs: Vec<Gufunc>,
}

/// A gufunc as `numpy_gufuncs.json` has it.
#[derive(Deserialize)]
struct Gufunc {
    func: String,
    signature: String,
}

fn shapes(operands: &[Operand]) -> Vec<String> {
    let bare = |operand: &Operand| Operand {
        dtype: None,
        ..operand.clone()
    };
    let alone = |operand| Signature {
        params: vec![],
        prefix: None,
        inputs: vec![],
        outputs: vec![operand],
        conditions: vec![],
        variables: vec![],
        relations: vec![],
    };
    operands
        .iter()
        .map(|o| alone(bare(o)).to_string())
        .collect()
}

#[test]
fn all_of_numpy_s_gufuncs_are_there() {
    let facts: Facts =
        serde_json::from_str(include_str!("../data/numpy/numpy_gufuncs.json")).unwrap();
    assert_eq!(facts.gufuncs.len(), 40);
    for gufunc in facts.gufuncs {
        let path = gufunc.func.strip_prefix("numpy.").unwrap();
        let operator = catalog().operator(&format!("numpy.gufuncs::{path}"), None);
        let operator = operator.unwrap_or_else(|missing| panic!("{missing}"));
        let ours = operator.signature().unwrap().tree();
        let theirs = parse_signature(&gufunc.signature).unwrap();
        assert_eq!(
            shapes(&ours.inputs),
            shapes(&theirs.inputs),
            "{}",
            gufunc.func
        );
        assert_eq!(
            shapes(&ours.outputs),
            shapes(&theirs.outputs),
            "{}",
            gufunc.func
        );
        let prefix = ours.prefix.as_ref().unwrap();
        assert_eq!((prefix.kind, prefix.max), (PrefixKind::Broadcast, None));
    }
}
