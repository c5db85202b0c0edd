//! What `docs/relations.md` and `docs/operators.md` show loads.

use kanshape::Relations;

#[test]
fn relations_load() {
    load(include_str!("../../docs/relations.md"));
}

#[test]
fn operators_load() {
    load(include_str!("../../docs/operators.md"));
}

/// Every block of a page, each by itself.
fn load(page: &str) {
    let blocks: Vec<&str> = page.split("```kan\n").skip(1).collect();
    assert!(blocks.len() > 4);
    for block in blocks {
        let text = block.split("```").next().unwrap();
        let relations = Relations::load_str("page.kan", text).unwrap_or_else(|d| panic!("{d}"));
        let warnings: Vec<_> = relations.warnings().collect();
        assert!(warnings.is_empty(), "{text}");
    }
}
