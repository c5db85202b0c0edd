//! Models that are cut off, overwritten, put together wrongly: whatever comes of it, it is reported.

use crate::record::Record;
use crate::survive::survive;
use kanshape::Type;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use std::collections::BTreeMap;

/// The bytes of models, the small ones first.
fn models() -> Vec<Vec<u8>> {
    let mut all: Vec<Vec<u8>> = Record::all().into_iter().map(|(_, bytes)| bytes).collect();
    all.sort_by_key(Vec::len);
    all
}

/// Those that are read in no time.
fn small() -> impl Iterator<Item = Vec<u8>> {
    models().into_iter().filter(|bytes| bytes.len() < 1000)
}

/// A field that has bytes: where it begins, where they begin and where they end.
#[derive(Clone, Copy, Debug)]
struct Span {
    tag: usize,
    from: usize,
    to: usize,
    number: u64,
}

/// The fields in these bytes, and those in them that could be messages, as deep as `depth`.
fn spans(bytes: &[u8], from: usize, to: usize, depth: usize, all: &mut Vec<Span>) -> Option<()> {
    let mut at = from;
    let varint = |at: &mut usize| {
        let mut n = 0u64;
        for shift in (0..64).step_by(7) {
            let byte = *bytes[..to].get(*at)?;
            *at += 1;
            n |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return Some(n);
            }
        }
        None
    };
    let mut own = Vec::new();
    while at < to {
        let tag = at;
        let head = varint(&mut at)?;
        let number = head >> 3;
        match head & 7 {
            0 => {
                varint(&mut at)?;
            }
            1 => at += 8,
            5 => at += 4,
            2 => {
                let len = usize::try_from(varint(&mut at)?).ok()?;
                let end = at.checked_add(len).filter(|end| *end <= to)?;
                own.push(Span {
                    tag,
                    from: at,
                    to: end,
                    number,
                });
                at = end;
            }
            _ => return None,
        }
        if number == 0 || at > to {
            return None;
        }
    }
    for span in own {
        all.push(span);
        let before = all.len();
        if depth > 0 && spans(bytes, span.from, span.to, depth - 1, all).is_none() {
            all.truncate(before);
        }
    }
    Some(())
}

fn all_spans(bytes: &[u8]) -> Vec<Span> {
    let mut all = Vec::new();
    spans(bytes, 0, bytes.len(), 6, &mut all).unwrap();
    all
}

fn varint(mut n: u64) -> Vec<u8> {
    let mut out = Vec::new();
    while n >= 0x80 {
        out.push(n as u8 | 0x80);
        n >>= 7;
    }
    out.push(n as u8);
    out
}

/// What is known of values, by name, without what is in them.
fn types(report: &kanshape_onnx::Report<'_>) -> BTreeMap<String, Type> {
    let values = report.values.iter();
    values
        .map(|(n, ty)| (n.to_string(), Type::clone(ty).with_contents(None)))
        .collect()
}

#[test]
fn cut_off_at_every_byte() {
    for bytes in small() {
        for end in 0..bytes.len() {
            survive(&bytes[..end], |_, report| {
                let text = |end: usize| format!(" at byte {end}");
                let is_cut = report
                    .problems
                    .iter()
                    .any(|p| p.diagnostic.headline.contains(" at byte "));
                // Fields may be missing where one ends.
                let ends = all_spans(&bytes)
                    .iter()
                    .any(|span| span.tag == end || span.to == end);
                assert!(is_cut || ends, "{}", text(end));
            });
        }
    }
}

#[test]
fn cut_off_between_nodes() {
    // Nothing is lost of what stands before.
    for bytes in models().into_iter().skip(58).take(3) {
        let whole = survive(&bytes, |_, report| types(report)).unwrap();
        let spans = all_spans(&bytes);
        let graph = spans.iter().find(|span| span.number == 7).unwrap();
        let within = |span: &&Span| span.from > graph.from && span.to < graph.to;
        let ends: Vec<usize> = spans.iter().filter(within).map(|span| span.to).collect();
        for end in ends.iter().step_by(ends.len() / 40 + 1) {
            survive(&bytes[..*end], |_, report| {
                let mut problems = report.problems.iter();
                assert!(problems.any(|p| p.diagnostic.code == "K0602"));
                for (name, ty) in types(report) {
                    let before = whole.get(&name);
                    let is_less = before.is_none_or(|before| {
                        kanshape::order::is_super(&ty, before) != kanshape::Verdict::Never
                    });
                    assert!(is_less, "{name}: {ty} is {before:?}");
                }
            });
        }
    }
}

#[test]
fn bytes_and_bits_turned_over() {
    for mut bytes in small() {
        for i in 0..bytes.len() {
            let own = bytes[i];
            for other in [own ^ 0xff, own ^ 1 << (i % 8), 0, 0x7f] {
                bytes[i] = other;
                survive(&bytes, |_, _| ());
            }
            bytes[i] = own;
        }
    }
}

#[test]
fn lengths_that_are_not_so() {
    for bytes in small() {
        for span in all_spans(&bytes) {
            for len in [0, 1, 1 << 31, u64::MAX >> 1, u64::MAX] {
                let head = bytes[span.tag] & 7;
                assert_eq!(head, 2);
                let mut wrong = bytes[..=span.tag].to_vec();
                wrong.extend(varint(len));
                wrong.extend(&bytes[span.from..]);
                survive(&wrong, |_, _| ());
            }
            // A length that never ends.
            let mut wrong = bytes[..=span.tag].to_vec();
            wrong.extend([0x80; 20]);
            wrong.extend(&bytes[span.from..]);
            survive(&wrong, |_, _| ());
        }
    }
}

/// A model whose graph has these fields in place of its own.
fn with_fields(bytes: &[u8], fields: impl Fn(&mut Vec<(u64, Vec<u8>)>)) -> Vec<u8> {
    let graph = *crate::encode::of_number(bytes, 7).last().unwrap();
    let all = crate::encode::fields(graph).into_iter();
    let mut all: Vec<(u64, Vec<u8>)> = all
        .map(|(number, bytes)| (number, bytes.to_vec()))
        .collect();
    fields(&mut all);
    let graph = all
        .iter()
        .fold(crate::encode::message(), |m, (number, bytes)| {
            m.bytes(*number, bytes)
        });
    let rest = crate::encode::fields(bytes)
        .into_iter()
        .filter(|(number, _)| *number != 7);
    let model = crate::encode::message().int(1, 8).message(7, &graph);
    rest.fold(model, |m, (number, bytes)| m.bytes(number, bytes))
        .0
}

#[test]
fn nodes_in_any_order() {
    for bytes in models().into_iter().filter(|bytes| bytes.len() < 40_000) {
        let before = survive(&bytes, |_, report| (types(report), report.verdict)).unwrap();
        let turned = with_fields(&bytes, |fields| fields.reverse());
        let after = survive(&turned, |_, report| (types(report), report.verdict)).unwrap();
        assert_eq!(before, after);
    }
}

#[test]
fn nodes_that_are_there_twice() {
    for bytes in models().into_iter().filter(|bytes| bytes.len() < 40_000) {
        let before = survive(&bytes, |_, report| types(report)).unwrap();
        let twice = with_fields(&bytes, |fields| {
            let nodes: Vec<_> = fields
                .iter()
                .filter(|(number, _)| *number == 1)
                .cloned()
                .collect();
            fields.extend(nodes);
        });
        survive(&twice, |model, report| {
            assert_eq!(before, types(report));
            let twice = report
                .problems
                .iter()
                .filter(|p| p.diagnostic.code == "K0603");
            assert!(twice.clone().count() >= model.nodes() / 2);
            assert!(twice.into_iter().all(|p| p.node.is_some()));
        });
    }
}

#[test]
fn nodes_that_are_not_there() {
    for bytes in models().into_iter().filter(|bytes| bytes.len() < 20_000) {
        let before = survive(&bytes, |_, report| types(report)).unwrap();
        let count = crate::encode::of_number(crate::encode::of_number(&bytes, 7)[0], 1).len();
        for missing in (0..count).step_by(count / 8 + 1) {
            let without = with_fields(&bytes, |fields| {
                let at = fields
                    .iter()
                    .enumerate()
                    .filter(|(_, (number, _))| *number == 1);
                let at = at.map(|(i, _)| i).nth(missing).unwrap();
                fields.remove(at);
            });
            survive(&without, |_, report| {
                // The nodes before it know nothing of it.
                for (name, ty) in types(report) {
                    let is_less = kanshape::order::is_super(&ty, &before[&name]);
                    assert_ne!(is_less, kanshape::Verdict::Never, "{name}: {ty}");
                }
            });
        }
    }
}

/// A change of some bytes.
#[derive(Clone, Debug)]
enum Change {
    Set(usize, u8),
    Insert(usize, Vec<u8>),
    Remove(usize, usize),
    /// A piece is put somewhere else as well.
    Copy(usize, usize, usize),
    Cut(usize),
    /// A number in place of what stands there.
    Number(usize, u64),
}

fn change() -> impl Strategy<Value = Change> {
    let at = || any::<usize>();
    let edge = prop_oneof![
        Just(0),
        Just(i64::MAX as u64),
        Just(u64::MAX),
        Just(1 << 31),
        any::<u64>(),
        0..40u64,
    ];
    prop_oneof![
        4 => (at(), any::<u8>()).prop_map(|(at, b)| Change::Set(at, b)),
        1 => (at(), prop::collection::vec(any::<u8>(), 1..12)).prop_map(|(at, b)| Change::Insert(at, b)),
        2 => (at(), 1..40usize).prop_map(|(at, len)| Change::Remove(at, len)),
        2 => (at(), 1..80usize, at()).prop_map(|(from, len, to)| Change::Copy(from, len, to)),
        1 => at().prop_map(Change::Cut),
        3 => (at(), edge).prop_map(|(at, n)| Change::Number(at, n)),
    ]
}

fn changed(mut bytes: Vec<u8>, changes: &[Change]) -> Vec<u8> {
    for change in changes {
        if bytes.is_empty() {
            break;
        }
        let len = bytes.len();
        let within = |at: &usize| at % len;
        match change {
            Change::Set(at, byte) => bytes[within(at)] = *byte,
            Change::Insert(at, new) => {
                let at = within(at);
                bytes.splice(at..at, new.iter().copied());
            }
            Change::Remove(at, count) => {
                let at = within(at);
                bytes.drain(at..(at + count).min(len));
            }
            Change::Copy(from, count, to) => {
                let from = within(from);
                let piece = bytes[from..(from + count).min(len)].to_vec();
                let to = within(to);
                bytes.splice(to..to, piece);
            }
            Change::Cut(at) => bytes.truncate(within(at)),
            Change::Number(at, n) => {
                let at = within(at);
                bytes.splice(at..=at, varint(*n));
            }
        }
    }
    bytes
}

/// How many cases each property is tried on: `KANSHAPE_CASES`, or few enough for a quick run.
fn cases() -> u32 {
    let set = std::env::var("KANSHAPE_CASES").ok();
    set.and_then(|n| n.parse().ok()).unwrap_or(512)
}

#[test]
fn changed_in_any_way() {
    let models: Vec<Vec<u8>> = models()
        .into_iter()
        .filter(|bytes| bytes.len() < 10_000)
        .collect();
    let config = Config {
        cases: cases(),
        failure_persistence: None,
        ..Config::default()
    };
    let strategy = (0..models.len(), prop::collection::vec(change(), 1..6));
    let tried = TestRunner::new(config).run(&strategy, |(which, changes)| {
        survive(&changed(models[which].clone(), &changes), |_, _| ());
        Ok(())
    });
    tried.unwrap();
}
