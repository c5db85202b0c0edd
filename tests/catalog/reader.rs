//! What the reader of `.kan` files makes of mistakes.

use kanshape::catalog::{Catalog, Expected, code};

const GOOD: &str = "
from  here

op pair
    sig   (n),(n)
            ->(n,2)
    doc   Two vectors,
          side by side.
    also  zip, linalg.pair

    > f32[3],
        f32[3]
    f32[3], f32[3] -> f32[3, 2]

    # The other way.
    > [k: 1] fn(i64[]), (f32[3], f32[3]) -> f32[n, 2] where n > 1, n < 9
    never
";

#[test]
fn a_file_is_read() {
    let catalog = Catalog::load_str("a.kan", GOOD).unwrap();
    let entry = catalog.get("linalg.pair").unwrap();
    assert_eq!(entry.name(), "pair");
    assert_eq!(entry.doc(), "Two vectors, side by side.");
    assert_eq!(entry.from(), "here");
    assert_eq!(entry.signature().unwrap().to_string(), "(n),(n)->(n,2)");
    assert_eq!(entry.aliases().collect::<Vec<_>>(), ["zip", "linalg.pair"]);
    let [first, second] = entry.examples() else {
        panic!("two examples")
    };
    assert_eq!(first.question().inputs, ["f32[3]", "f32[3]"]);
    assert!(first.question().outputs.is_empty());
    assert_eq!(second.question().params, [("k".into(), "1".into())]);
    assert_eq!(second.question().inputs, ["fn(i64[])", "(f32[3], f32[3])"]);
    assert_eq!(second.question().outputs, ["f32[n, 2]"]);
    assert_eq!(
        second.question().conditions.as_deref(),
        Some("n > 1, n < 9")
    );
    assert_eq!(*second.expected(), Expected::Never);
    assert_eq!(catalog.suggest("pari"), Some("pair"));
}

/// A mistake, and what is said of it.
fn mistake(text: &str) -> String {
    Catalog::load_str("a.kan", text).unwrap_err().to_string()
}

#[test]
fn mistakes_are_pointed_at() {
    let head = "op f\n    sig  ()->()\n    doc  Nothing.\n    from us\n";
    let cases = [
        "ops f\n".to_owned(),
        "sig  ()->()\n".to_owned(),
        "    sig  ()->()\n".to_owned(),
        "op\n".to_owned(),
        "op 2d\n".to_owned(),
        "op f\n    sgi  ()->()\n".to_owned(),
        "op f\n    attr axis\n".to_owned(),
        "op f\n    sig  ()->()\n    sig  ()->()\n".to_owned(),
        "op f\n    doc\n".to_owned(),
        "op f\n    sig  ()->()\n".to_owned(),
        format!("{head}\n    > f32[]\n"),
        format!("{head}\n    > f32[]\n    f32[] -> f32[]\n\n    f32[] -> f32[]\n"),
        format!("{head}\n    > f32[, f32[]\n    never\n"),
        format!("{head}\n    > f32[],\n    never\n"),
        format!("{head}\n    > f32)\n    never\n"),
        format!("{head}\n    > [k] f32\n    never\n"),
        format!("{head}\n    >\n    never\n"),
        format!("{head}\n{head}"),
    ];
    let said: Vec<String> = cases.iter().map(|text| mistake(text)).collect();
    for (code, meaning) in code::ALL {
        let shown = said.iter().any(|s| s.contains(code));
        assert!(shown, "no case shows {code}: {meaning}");
    }
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("snapshots");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!("mistakes", said.join("\n\n")));
}

#[test]
fn a_mistake_in_a_signature_is_pointed_at_in_the_file() {
    let text = "op f\n    sig  (m n)->()\n    doc  Nothing.\n    from us\n";
    let catalog = Catalog::load_str("a.kan", text).unwrap();
    let mistake = catalog.get("f").unwrap().signature().unwrap_err();
    let at = mistake.position().unwrap();
    assert_eq!((at.line, at.column), (2, 13));
    assert_eq!(mistake.source.unwrap().name, "a.kan");
}

#[test]
fn catalogs_merge_where_no_name_is_taken() {
    let mut all = Catalog::builtin().clone();
    let before = all.len();
    all.merge(Catalog::load_str("a.kan", GOOD).unwrap())
        .unwrap();
    assert_eq!(all.len(), before + 1);
    let taken = all
        .merge(Catalog::load_str("b.kan", GOOD).unwrap())
        .unwrap_err();
    assert_eq!(taken.code, code::NAME_TAKEN);
    assert_eq!(all.len(), before + 1);
}

#[test]
fn any_text_is_read_or_refused() {
    let bytes: Vec<char> = "op f\n    sig >[]:,(){}->where#.\u{e9}\t\r"
        .chars()
        .collect();
    let mut seed = 1_u64;
    for _ in 0..20_000 {
        let mut text = String::new();
        for _ in 0..seed % 40 {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            text.push(bytes[(seed >> 33) as usize % bytes.len()]);
        }
        seed = seed.wrapping_add(1);
        let _ = Catalog::load_str("a.kan", &text);
        let _ = Catalog::load_str("a.kan", &format!("op f\n    > {text}"));
    }
}
