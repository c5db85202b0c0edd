//! No place and no text makes a renderer panic, or a terminal do anything.

use kanshape_diag::{Diagnostic, Position, suggest};
use proptest::prelude::*;

/// Characters of every kind, and many lines.
fn text() -> impl Strategy<Value = String> {
    let c = prop_oneof![
        any::<char>(),
        Just('\n'),
        Just('\t'),
        Just('a'),
        Just('批'),
        Just('\u{301}'),
        Just('\u{202e}'),
    ];
    proptest::collection::vec(c, 0..300).prop_map(|c| c.into_iter().collect())
}

fn diagnostic() -> impl Strategy<Value = Diagnostic> {
    let label = (0..1300usize, 0..1300usize, text());
    let labels = proptest::collection::vec(label, 0..4);
    (text(), labels, text(), text()).prop_map(|(source, labels, headline, name)| {
        let mut d = Diagnostic::new("K0000", headline).with_source(name, source);
        for (start, end, text) in labels {
            d = d.with_label(start..end, text);
        }
        d
    })
}

fn harmless(shown: &str) -> bool {
    !shown.contains(|c: char| (c.is_control() && c != '\n') || c == '\u{202e}')
}

proptest! {
    #[test]
    fn plain(d in diagnostic()) {
        let shown = d.to_string();
        prop_assert!(harmless(&shown), "{shown:?}");
        prop_assert!(d.position().is_none() == d.labels.is_empty());
    }

    #[cfg(feature = "terminal")]
    #[test]
    fn terminal(d in diagnostic(), width in 0..200usize, unicode: bool) {
        let shown = kanshape_diag::render_terminal(&d, width, false, unicode);
        prop_assert!(harmless(&shown), "{shown:?}");
    }

    #[test]
    fn positions_count_up(text in text(), a in 0..1300usize, b in 0..1300usize) {
        let (a, b) = (a.min(b), a.max(b));
        prop_assert!(Position::of(&text, a) <= Position::of(&text, b));
    }

    #[test]
    fn suggestions_are_candidates(name in text(), candidates in proptest::collection::vec("[a-z]{0,6}", 0..6)) {
        if let Some(found) = suggest(&name, candidates.iter().map(String::as_str)) {
            prop_assert!(candidates.iter().any(|c| c == found));
            prop_assert_ne!(found, name);
        }
    }
}
