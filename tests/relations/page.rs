//! What `docs/relations.md` shows loads.

use kanshape::Relations;

#[test]
fn blocks_load() {
    let page = include_str!("../../docs/relations.md");
    let blocks: Vec<&str> = page.split("```kan\n").skip(1).collect();
    assert!(blocks.len() > 4);
    for block in blocks {
        let text = block.split("```").next().unwrap();
        let relations = Relations::load_str("page.kan", text).unwrap_or_else(|d| panic!("{d}"));
        let warnings: Vec<_> = relations.warnings().collect();
        assert!(warnings.is_empty(), "{text}");
    }
}
