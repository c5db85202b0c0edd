//! [`Index`]: the rules of a set of files, each read when it is first used.
//!
//! Its lines are looked up where they stand: those of rules are sorted by their numbers, those of names behind them alphabetically.
//! So a process reads of an index what it calls, and what that calls.

use super::known::{OpEntry, SymbolTable};
use super::library::{File, Standard};
use super::unread::{OpName, Unread};
use crate::encode::{Kind, Words};
use kanshape_types::{Name, Vocabulary};
use std::borrow::Cow;
use std::cmp::Ordering;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

/// What a line of names begins with.
pub(super) const OP: &str = "op";
pub(super) const RELATION: &str = "relation";
/// A rule that is a condition on dtypes and nothing else.
pub(super) const CONDITION: &str = "condition";

/// The rules of a set of files, by an index of them.
#[derive(Debug)]
pub(super) struct Index {
    text: Cow<'static, str>,
    /// Where the lines begin that are sorted.
    sorted: usize,
    files: Box<[Arc<File>]>,
    /// The number of its first rule.
    first: usize,
    rules: Box<[OnceLock<Arc<Unread>>]>,
    /// All words of the files.
    pub(super) words: Words,
    /// The types that the files can speak of.
    pub(super) types: Vocabulary,
    pub(super) standard: Option<Standard>,
    /// What was known before. Calls in the files mean what the files define, or this: later files may hide some for their own calls.
    pub(super) below: SymbolTable,
}

impl Index {
    /// The index of these files with this text, whose rules have numbers from `first` on. `words` become those of the files.
    /// `None` if it is of other files.
    pub(super) fn new(
        files: &[Arc<File>],
        text: Cow<'static, str>,
        first: usize,
        mut words: Words,
        types: Vocabulary,
        standard: Option<Standard>,
        below: SymbolTable,
    ) -> Option<Index> {
        let mut rest = &*text;
        let mut next = || {
            let (line, after) = rest.split_once('\n')?;
            rest = after;
            Some(line.split('\t'))
        };
        let mut fields = next()?;
        let count = (fields.next()? == "rules").then(|| fields.next()?.parse::<usize>().ok())??;
        for file in files {
            let mut fields = next()?;
            let fits = fields.next()? == "file"
                && fields.next()? == &*file.name
                && fields.next()?.parse() == Ok(file.text.len());
            if !fits {
                return None;
            }
        }
        let mut texts = Vec::new();
        while !rest.is_empty() && !rest.starts_with(|first: char| first.is_ascii_digit()) {
            let (line, after) = rest.split_once('\n')?;
            match line.split_once('\t')? {
                ("text", word) => texts.push(word),
                ("label", label) => {
                    words.labels.of(&label.parse().ok()?);
                }
                _ => return None,
            }
            rest = after;
        }
        if !words.extend_to(&texts) {
            return None;
        }
        let sorted = text.len() - rest.len();
        Some(Index {
            sorted,
            files: files.into(),
            first,
            // There is a line for each.
            rules: (0..count.min(text.len()))
                .map(|_| OnceLock::new())
                .collect(),
            words,
            types,
            standard,
            below,
            text,
        })
    }

    /// How many rules it has.
    pub(super) fn len(&self) -> usize {
        self.rules.len()
    }

    /// One of its rules, by its number in the library.
    pub(super) fn rule(&self, number: usize) -> &Arc<Unread> {
        let place = number - self.first;
        self.rules[place].get_or_init(|| {
            let read = self.read(place);
            debug_assert!(read.is_some(), "the index has no rule {place}");
            Arc::new(read.unwrap_or_else(|| Unread::unreadable(number)))
        })
    }

    /// A relation by its name and arity.
    pub(super) fn find(&self, name: &str, arity: usize) -> Option<usize> {
        let mut numbers = self.named(RELATION, name);
        numbers.find(|number| self.rule(*number).kinds.len() == arity)
    }

    /// The arities of the relations of a name.
    pub(super) fn arities(&self, name: &str) -> impl Iterator<Item = usize> {
        let numbers = self.named(RELATION, name);
        numbers.map(|number| self.rule(number).kinds.len())
    }

    /// The operators of a name.
    pub(super) fn operators(&self, name: &str) -> impl Iterator<Item = OpEntry> {
        let numbers = self.named(OP, name);
        numbers.filter_map(|number| {
            let op = self.rule(number).op.as_ref()?;
            Some(OpEntry {
                name: op.names.first()?.clone(),
                domain: op.domain.clone(),
                since: op.since,
                rule: number,
                described: None,
            })
        })
    }

    /// The names of its relations.
    pub(super) fn relation_names(&self) -> impl Iterator<Item = &str> {
        self.names_of(RELATION)
    }

    /// The names of its operators.
    pub(super) fn operator_names(&self) -> impl Iterator<Item = &str> {
        self.names_of(OP)
    }

    fn names_of(&self, what: &'static str) -> impl Iterator<Item = &str> {
        let keys = self.text[self.sorted..].lines().filter_map(key);
        keys.filter(move |key| key.0 == what).map(|key| key.1)
    }

    /// The numbers of the rules of a name.
    fn named(&self, what: &str, name: &str) -> impl Iterator<Item = usize> {
        let line = self.line(|line| match key(line) {
            Some(key) => key.cmp(&(what, name)),
            // The lines of rules stand before.
            None => Ordering::Less,
        });
        let numbers = line.and_then(|line| line.rsplit('\t').next());
        let numbers = numbers.into_iter().flat_map(|numbers| numbers.split(' '));
        let numbers = numbers.filter_map(|number| number.parse::<usize>().ok());
        numbers
            .filter(|place| *place < self.rules.len())
            .map(|place| self.first + place)
    }

    /// The line of a rule, read.
    fn read(&self, place: usize) -> Option<Unread> {
        let line = self.line(|line| match line.split_once('\t') {
            Some((own, _)) => own
                .parse::<usize>()
                .map_or(Ordering::Greater, |own| own.cmp(&place)),
            None => Ordering::Greater,
        })?;
        let mut fields = line.split('\t').skip(1);
        let what = fields.next()?;
        let (name, op) = match what {
            OP => {
                let domain = Name::word(fields.next()?);
                let names: Vec<Name> = fields.next()?.split(',').map(Name::word).collect();
                let since = fields.next()?.parse().ok()?;
                let full = super::op::full_name(&domain, names.first()?, since);
                let op = OpName {
                    domain,
                    since,
                    names,
                };
                (Name::word(full), Some(op))
            }
            RELATION | CONDITION => (Name::word(fields.next()?), None),
            _ => return None,
        };
        let kinds = kinds(fields.next()?)?;
        let (file, places) = fields.next()?.split_once(':')?;
        let file = self.files.get(file.parse::<usize>().ok()?)?;
        Some(Unread {
            name,
            number: self.first + place,
            kinds,
            op,
            is_condition: what == CONDITION,
            file: Some(Arc::clone(file)),
            places: places.split(',').map(range).collect::<Option<_>>()?,
            read: OnceLock::new(),
        })
    }

    /// The line among those that are sorted of which the order says that it is equal.
    fn line(&self, order: impl Fn(&str) -> Ordering) -> Option<&str> {
        let mut rest = self.text.get(self.sorted..)?;
        while !rest.is_empty() {
            let middle = rest.len() / 2;
            let bytes = rest.as_bytes();
            let is_end = |byte: &u8| *byte == b'\n';
            let start = bytes[..middle].iter().rposition(is_end);
            let start = start.map_or(0, |end| end + 1);
            let end = bytes[middle..].iter().position(is_end);
            let end = end.map_or(rest.len(), |end| middle + end);
            // Between two ends of lines there are whole characters.
            let line = rest.get(start..end)?;
            match order(line) {
                Ordering::Equal => return Some(line),
                Ordering::Less => rest = rest.get(end + 1..).unwrap_or_default(),
                Ordering::Greater => rest = rest.get(..start)?,
            }
        }
        None
    }
}

/// What a line of names is sorted by: what it is about, and the name. A line of a rule has none.
fn key(line: &str) -> Option<(&str, &str)> {
    let (what, rest) = line.split_once('\t')?;
    let (name, _) = rest.split_once('\t')?;
    matches!(what, OP | RELATION).then_some((what, name))
}

fn range(text: &str) -> Option<Range<usize>> {
    let (start, end) = text.split_once('-')?;
    Some(start.parse().ok()?..end.parse().ok()?)
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
