//! Recorded questions about types: equations, relations, kinds, matches.

use kanshape::Verdict;
use kanshape_relay::solve::{Stated, kind_of, missing, solve};
use serde_json::Value;

use crate::recorded::rows;

/// Relay refuses these, and a relational engine has an answer: `n` and `m` become one size, `n + 1` being 3 gives `n`.
const MORE_THAN_RELAY: [&str; 2] = ["unify-dim-two-symbols", "unify-dim-expression"];
/// A relation that Relay leaves alone says something of its holes: the rank, and all but one size. What is left of it is a condition,
/// and nothing waits.
const LESS_OPEN: [&str; 1] = ["rel-bcast-output-known"];

fn text(value: &Value) -> String {
    value.as_str().unwrap().to_owned()
}

fn texts(value: &Value) -> Vec<String> {
    value.as_array().into_iter().flatten().map(text).collect()
}

/// A type without the names that it binds: up to renaming.
fn unnamed(ty: &str) -> String {
    let mut names: Vec<String> = Vec::new();
    let mut out = String::new();
    let mut rest = ty;
    while let Some(at) = rest.find('\'') {
        out.push_str(&rest[..at]);
        rest = &rest[at + 1..];
        let end = rest
            .find(|c: char| !c.is_alphanumeric())
            .unwrap_or(rest.len());
        let name = rest[..end].to_owned();
        rest = &rest[end..];
        let place = names
            .iter()
            .position(|own| *own == name)
            .unwrap_or_else(|| {
                names.push(name);
                names.len() - 1
            });
        out.push_str(&format!("'{place}"));
    }
    out.push_str(rest);
    out.replace("] (", "](")
}

#[test]
fn equations_and_relations_are_as_recorded() {
    let mut count = 0;
    for row in rows("solver.jsonl") {
        let (id, expect) = (text(&row["id"]), &row["expect"]);
        if !matches!(row["kind"].as_str(), Some("unify" | "relation")) {
            continue;
        }
        count += 1;
        let pairs = row["equations"].as_array().into_iter().flatten();
        let equations: Vec<(String, String)> = pairs.map(|e| (text(&e[0]), text(&e[1]))).collect();
        let stated = row["relations"].as_array().into_iter().flatten();
        let stated: Vec<Stated> = stated
            .map(|r| Stated {
                name: text(&r["name"]),
                args: texts(&r["args"]),
            })
            .collect();
        let solved = solve(kanshape::catalog(), &equations, &stated);
        let hole = |name: &str| {
            let found = solved.holes.iter().find(|(own, _)| own == name);
            found
                .unwrap_or_else(|| panic!("{id}: no hole {name}"))
                .1
                .to_string()
        };
        if MORE_THAN_RELAY.contains(&&*id) {
            assert_eq!(solved.verdict, Verdict::Always, "{id}");
            continue;
        }
        if expect["ok"] == false {
            let kind = solved.problem.as_ref().map(|problem| problem.kind.name());
            assert_eq!(kind, expect["error_kind"].as_str(), "{id}");
            continue;
        }
        assert!(solved.problem.is_none(), "{id}: {:?}", solved.problem);
        for (name, ty) in expect["bindings"].as_object().into_iter().flatten() {
            assert_eq!(hole(name), text(ty), "{id}");
        }
        for same in expect["same"].as_array().into_iter().flatten() {
            let all = texts(same);
            assert!(all.iter().all(|name| hole(name) == hole(&all[0])), "{id}");
        }
        for name in texts(&expect["open"]) {
            let is_open = hole(&name).contains(['?', '_']);
            assert!(
                is_open || LESS_OPEN.contains(&&*id),
                "{id}: {}",
                hole(&name)
            );
        }
        if LESS_OPEN.contains(&&*id) {
            assert_eq!(solved.verdict, Verdict::Depends, "{id}");
            assert_eq!(solved.conditions, ["d0 in {1, 3}"], "{id}");
            assert!(solved.waiting.is_empty(), "{id}: {:?}", solved.waiting);
        } else if let Some(resolved) = expect["all_resolved"].as_bool() {
            assert_eq!(
                solved.waiting.is_empty(),
                resolved,
                "{id}: {:?}",
                solved.waiting
            );
        }
        if let Some(unified) = expect["unified"].as_str() {
            let own = solved.unified.as_ref().unwrap().to_string();
            assert_eq!(unnamed(&own), unnamed(unified), "{id}");
        }
        for (name, size) in expect["dims"].as_object().into_iter().flatten() {
            let found = solved.dims.iter().find(|(own, _)| own == name);
            assert_eq!(found.map(|(_, n)| *n), size.as_u64(), "{id}");
        }
    }
    assert_eq!(count, 29);
}

#[test]
fn kinds_are_as_recorded() {
    let mut count = 0;
    for row in rows("solver.jsonl")
        .iter()
        .filter(|row| row["kind"] == "kind")
    {
        count += 1;
        let adts = row["adts"].as_object().into_iter().flatten();
        let adts: Vec<(String, usize)> = adts
            .map(|(name, n)| (name.clone(), n.as_u64().unwrap() as usize))
            .collect();
        let found = kind_of(row["type"].as_str().unwrap(), &adts);
        match &found {
            Ok(kind) => assert_eq!(Some(kind.name()), row["expect"]["kind"].as_str(), "{row}"),
            Err(problem) => {
                assert_eq!(row["expect"]["ok"], false, "{row}: {problem:?}");
                assert_eq!(problem.kind.name(), "kind", "{row}");
            }
        }
        assert_eq!(row["expect"]["ok"], found.is_ok(), "{row}");
    }
    assert_eq!(count, 12);
}

#[test]
fn missing_cases_are_as_recorded() {
    let mut count = 0;
    for row in rows("solver.jsonl")
        .iter()
        .filter(|row| row["kind"] == "exhaustiveness")
    {
        count += 1;
        let adts = row["adts"].as_object().into_iter().flatten();
        let adts: Vec<(String, Vec<(String, usize)>)> = adts
            .map(|(name, all)| {
                let all = texts(all).into_iter().map(|c| {
                    let (name, n) = c.split_once('/').unwrap();
                    (name.to_owned(), n.parse().unwrap())
                });
                (name.clone(), all.collect())
            })
            .collect();
        let found = missing(&texts(&row["patterns"]), &adts).unwrap();
        let found: Vec<String> = found.iter().map(ToString::to_string).collect();
        assert_eq!(found, texts(&row["expect"]["missing"]), "{row}");
    }
    assert_eq!(count, 9);
}
