//! The index of a set of files: what has to be known of each rule before it is compiled.
//!
//! A line for each, its fields separated by tabs: the files with their lengths, the texts and labels that have numbers, the
//! relations and operators in the order of their numbers. Kinds are letters: `T` a type, `D` a dtype, `i` an integer, `f` a
//! float, `s` a text, `b` a truth value, `L` a list of what follows, `?` an optional one.

use super::library::{File, Library};
use super::unread::{OpName, Shared, Unread};
use crate::encode::Kind;
use kanshape_types::Name;
use std::fmt::Write;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

impl Library {
    /// The index of the rules from `first` on, which are those of these files.
    pub fn index(&self, files: &[Arc<File>], first: usize) -> String {
        let mut out = String::new();
        for file in files {
            let _ = writeln!(out, "file\t{}\t{}", file.name, file.text.len());
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
        let ops = self.ops.values().flat_map(|d| d.values().flatten());
        let mut ops: Vec<_> = ops.filter(|entry| entry.rule >= first).collect();
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
        for (number, places) in places.iter().enumerate().skip(first) {
            let kinds: String = self.kinds(number).iter().map(letters).collect();
            let op = ops.binary_search_by_key(&number, |entry| entry.rule);
            let _ = match op.map(|at| ops[at]) {
                Ok(entry) => {
                    let mut names = vec![entry.name.as_str().to_owned()];
                    let op = self.op(entry);
                    names.extend(op.aliases.iter().map(|name| name.as_str().to_owned()));
                    let names = names.join(",");
                    write!(
                        out,
                        "op\t{}\t{names}\t{}\t{kinds}\t",
                        entry.domain, entry.since
                    )
                }
                Err(_) => {
                    let what = match self.is_condition(number) {
                        true => "condition",
                        false => "relation",
                    };
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
        out
    }

    /// This library with the rules that an index gives. `None` if it does not fit the files.
    pub fn with_index(mut self, files: &[Arc<File>], index: &str) -> Option<Library> {
        let mut lines = index.lines().map(|line| line.split('\t')).peekable();
        for file in files {
            let mut fields = lines.next()?;
            let fits = fields.next()? == "file"
                && fields.next()? == &*file.name
                && fields.next()?.parse() == Ok(file.text.len());
            if !fits {
                return None;
            }
        }
        let mut rules = Vec::with_capacity(1024);
        let mut numbers = Arc::clone(&self.numbers);
        let named = Arc::make_mut(&mut numbers);
        for mut fields in lines {
            let what = fields.next()?;
            match what {
                "text" => {
                    self.words.text(fields.next()?);
                    continue;
                }
                "label" => {
                    self.words.labels.of(&fields.next()?.parse().ok()?);
                    continue;
                }
                "op" | "relation" | "condition" => {}
                _ => return None,
            }
            let op = match what {
                "op" => {
                    let domain = Name::from(fields.next()?);
                    let names: Vec<Name> = fields.next()?.split(',').map(Name::from).collect();
                    let since = fields.next()?.parse().ok()?;
                    Some(OpName {
                        domain,
                        since,
                        names,
                    })
                }
                _ => None,
            };
            let name = match &op {
                Some(op) => Name::from(super::op::full_name(&op.domain, &op.names[0], op.since)),
                None => Name::from(fields.next()?),
            };
            let kinds = kinds(fields.next()?)?;
            let (file, places) = fields.next()?.split_once(':')?;
            let file = files.get(file.parse::<usize>().ok()?)?;
            let number = self.len() + rules.len();
            if op.is_none() {
                named.insert((name.clone(), kinds.len()), number);
            }
            let places: Option<Box<[_]>> = places.split(',').map(range).collect();
            rules.push((name, number, kinds, op, file, places?, what == "condition"));
        }
        let shared = Arc::new(Shared {
            numbers: Arc::clone(&numbers),
            words: self.words.clone(),
            standard: self.standard(),
        });
        self.numbers = numbers;
        for (name, number, kinds, op, file, places, is_condition) in rules {
            let unread = Unread {
                name,
                number,
                kinds,
                op,
                file: Arc::clone(file),
                places,
                shared: Arc::clone(&shared),
                read: OnceLock::new(),
            };
            self.add_unread(Arc::new(unread), is_condition);
        }
        Some(self)
    }
}

fn range(text: &str) -> Option<Range<usize>> {
    let (start, end) = text.split_once('-')?;
    Some(start.parse().ok()?..end.parse().ok()?)
}

/// Are there nothing but blanks and comments?
fn is_blank(text: &str) -> bool {
    let mut lines = text.lines().map(str::trim);
    lines.all(|line| line.is_empty() || line.starts_with('#') || line.starts_with("///"))
}

/// Where the lines of documentation before a place begin.
fn with_doc(text: &str, place: usize) -> usize {
    let mut start = place;
    for line in text[..place].split_inclusive('\n').rev() {
        let is_doc = line.trim_start().starts_with("///");
        if !is_doc && !line.trim().is_empty() {
            break;
        }
        start -= line.len();
    }
    start
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
        Kind::IntOrInts => "LLi".into(),
    }
}

/// The kinds that letters are.
fn kinds(letters: &str) -> Option<Box<[Kind]>> {
    let mut wraps = Vec::new();
    let mut kinds = Vec::with_capacity(letters.len());
    for letter in letters.bytes() {
        let mut kind = match letter {
            b'T' => Kind::Type,
            b'D' => Kind::Dtype,
            b'i' => Kind::Int,
            b'f' => Kind::Float,
            b's' => Kind::Text,
            b'b' => Kind::Bool,
            b'L' | b'?' => {
                wraps.push(letter);
                continue;
            }
            _ => return None,
        };
        for wrap in wraps.drain(..).rev() {
            kind = match wrap {
                b'L' => kind.list(),
                _ => Kind::Option(Box::new(kind)),
            };
        }
        kinds.push(kind);
    }
    wraps.is_empty().then(|| kinds.into())
}
