//! The index of a set of files: what has to be known of each rule before it is compiled. [`super::indexed`] reads it.
//!
//! Its first lines are the number of rules, the files with their lengths, and the texts and labels that have numbers. Then there is a line
//! for each rule, in the order of their numbers, and one for each name of relations and of operators, in alphabetical order, with the numbers
//! of the rules that have it. Fields are separated by tabs. Kinds are letters: `T` a type, `D` a dtype, `i` an integer, `f` a
//! float, `s` a text, `b` a truth value, `L` a list of what follows, `?` an optional one.

use super::indexed::{CONDITION, OP, RELATION};
use super::known::OpEntry;
use super::library::{File, Library};
use crate::encode::Kind;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::ops::Range;
use std::sync::Arc;

impl Library {
    /// The index of the rules from `first` on, which are those of these files.
    pub fn index(&self, files: &[Arc<File>], first: usize) -> String {
        let mut out = String::new();
        let _ = writeln!(out, "rules\t{}", self.len() - first);
        for file in files {
            let _ = writeln!(out, "file\t{}\t{}", file.name, file.text.len());
        }
        // No rule can be compiled by itself where types are declared: with this line the index is none.
        if files.iter().any(|file| !file.tree().types.is_empty()) {
            out.push_str("types\n");
        }
        for text in self.words.texts() {
            let _ = writeln!(out, "text\t{text}");
        }
        for label in self.words.labels.iter() {
            let _ = writeln!(out, "label\t{label}");
        }
        let mut places: Vec<Vec<(usize, Range<usize>)>> = vec![Vec::new(); self.len()];
        for (i, file) in files.iter().enumerate() {
            for clause in &file.tree().clauses {
                let arity = clause.node.params.len();
                if let Some(number) = self.find(&clause.node.name.node, arity) {
                    let place = clause.span.start..clause.span.end;
                    match places[number].last_mut() {
                        // From one clause to the next there are blanks and comments only.
                        Some((_, last)) if is_blank(&file.text[last.end..place.start]) => {
                            last.end = place.end;
                        }
                        _ => places[number].push((i, place)),
                    }
                }
            }
        }
        let known = self.known.operator_names().into_iter();
        let ops = known.flat_map(|name| self.known.operators(name));
        let mut ops: Vec<OpEntry> = ops.filter(|entry| entry.rule >= first).collect();
        ops.sort_by_key(|entry| entry.rule);
        ops.dedup_by_key(|entry| entry.rule);
        let mut written = ops.iter();
        for (i, file) in files.iter().enumerate() {
            for op in &file.tree().ops {
                if let Some(entry) = written.next() {
                    places[entry.rule] =
                        vec![(i, with_doc(&file.text, op.span.start)..op.span.end)];
                }
            }
        }
        let mut named: BTreeMap<(&str, String), Vec<usize>> = BTreeMap::new();
        for (number, places) in places.iter().enumerate().skip(first) {
            let kinds: String = self.kinds(number).iter().map(letters).collect();
            let op = ops.binary_search_by_key(&number, |entry| entry.rule);
            let mut name = |what: &'static str, name: &str| {
                let numbers = named.entry((what, name.to_owned())).or_default();
                numbers.push(number - first);
            };
            let _ = write!(out, "{}\t", number - first);
            let _ = match op.map(|at| &ops[at]) {
                Ok(entry) => {
                    let mut names = vec![entry.name.as_str().to_owned()];
                    let op = self.op(entry);
                    names.extend(op.aliases.iter().map(|name| name.as_str().to_owned()));
                    names.iter().for_each(|own| name(OP, own));
                    let names = names.join(",");
                    let (domain, since) = (&entry.domain, entry.since);
                    write!(out, "{OP}\t{domain}\t{names}\t{since}\t{kinds}\t")
                }
                Err(_) => {
                    let what = match self.is_condition(number) {
                        true => CONDITION,
                        false => RELATION,
                    };
                    name(RELATION, self.name(number));
                    write!(out, "{what}\t{}\t{kinds}\t", self.name(number))
                }
            };
            for (i, (file, place)) in places.iter().enumerate() {
                let _ = match i {
                    0 => write!(out, "{file}:{}-{}", place.start, place.end),
                    _ => write!(out, ",{}-{}", place.start, place.end),
                };
            }
            out.push('\n');
        }
        for ((what, name), numbers) in named {
            let numbers: Vec<String> = numbers.iter().map(usize::to_string).collect();
            let _ = writeln!(out, "{what}\t{name}\t{}", numbers.join(" "));
        }
        out
    }
}

/// Are there nothing but blanks and comments?
fn is_blank(text: &str) -> bool {
    let mut lines = text.lines().map(str::trim);
    lines.all(|line| line.is_empty() || line.starts_with('#') || line.starts_with("///"))
}

/// Where the lines of documentation before a place begin. Comments may stand between them and the place.
fn with_doc(text: &str, place: usize) -> usize {
    let mut start = place;
    let mut first = place;
    for line in text[..place].split_inclusive('\n').rev() {
        start -= line.len();
        let written = line.trim();
        match written {
            _ if written.starts_with("///") => first = start,
            _ if written.is_empty() || written.starts_with('#') => {}
            _ => break,
        }
    }
    first
}

/// A kind in letters.
fn letters(kind: &Kind) -> String {
    match kind {
        Kind::Type => "T".into(),
        Kind::Dtype => "D".into(),
        Kind::Int => "i".into(),
        Kind::Float => "f".into(),
        Kind::Text => "s".into(),
        Kind::Bool => "b".into(),
        Kind::List(of) => format!("L{}", letters(of)),
        Kind::Option(of) => format!("?{}", letters(of)),
        Kind::IntOrInts | Kind::IntOrLists => "LLi".into(),
    }
}
