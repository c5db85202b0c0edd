//! Which cases a match misses, and which of its clauses no value reaches (Maranget, "Warnings for pattern matching").

use kanshape::tree::relay::Pattern;
use kanshape::tree::{Ident, Span, Spanned};

/// The most steps that are taken to find missing cases.
const MAX_STEPS: usize = 200_000;
/// The most missing cases that are listed.
const MAX_CASES: usize = 100;

/// The constructors of algebraic data types, for patterns.
pub(crate) trait Constructors {
    /// The constructors of the type that this one belongs to, with how many fields each has.
    fn siblings(&self, name: &str) -> Vec<(Box<str>, usize)>;
}

type Row<'p> = Vec<&'p Pattern>;

/// What patterns of a match leave out, small cases first; `None` if it takes too long to find out.
pub(crate) fn missing(patterns: &[&Pattern], types: &dyn Constructors) -> Option<Vec<Pattern>> {
    let rows: Vec<Row<'_>> = patterns.iter().map(|p| vec![*p]).collect();
    let mut finder = Finder { types, steps: 0 };
    let cases = finder.missing(&rows, 1)?;
    let mut cases: Vec<Pattern> = cases.into_iter().flatten().collect();
    cases.sort_by_key(size);
    Some(cases)
}

/// How many patterns a pattern is made of.
fn size(pattern: &Pattern) -> usize {
    1 + fields_of(pattern)
        .iter()
        .map(|f| size(&f.node))
        .sum::<usize>()
}

/// The places of the patterns that match nothing that the ones before them do not.
pub(crate) fn redundant(patterns: &[&Pattern], types: &dyn Constructors) -> Option<Vec<usize>> {
    let mut finder = Finder { types, steps: 0 };
    let mut found = Vec::new();
    for (i, pattern) in patterns.iter().enumerate() {
        let rows: Vec<Row<'_>> = patterns[..i].iter().map(|p| vec![*p]).collect();
        if !finder.is_useful(&rows, vec![*pattern])? {
            found.push(i);
        }
    }
    Some(found)
}

struct Finder<'t> {
    types: &'t dyn Constructors,
    steps: usize,
}

/// What a pattern begins with.
#[derive(Clone, PartialEq)]
enum PatternHead {
    Constructor(Box<str>, usize),
    Tuple(usize),
}

impl PatternHead {
    fn of(pattern: &Pattern) -> Option<PatternHead> {
        match pattern {
            Pattern::Wildcard | Pattern::Var(..) => None,
            Pattern::Constructor(name, fields) => {
                Some(PatternHead::Constructor(name.node.clone(), fields.len()))
            }
            Pattern::Tuple(fields) => Some(PatternHead::Tuple(fields.len())),
        }
    }

    fn arity(&self) -> usize {
        match self {
            PatternHead::Constructor(_, n) | PatternHead::Tuple(n) => *n,
        }
    }

    fn is_same(&self, other: &PatternHead) -> bool {
        match (self, other) {
            (PatternHead::Constructor(a, _), PatternHead::Constructor(b, _)) => a == b,
            (PatternHead::Tuple(_), PatternHead::Tuple(_)) => true,
            _ => false,
        }
    }

    fn pattern(&self, fields: Vec<Pattern>) -> Pattern {
        let at = Span::default();
        let fields = fields.into_iter().map(|f| Spanned::new(f, at)).collect();
        match self {
            PatternHead::Constructor(name, _) => {
                Pattern::Constructor(Ident::new(name.clone(), at), fields)
            }
            PatternHead::Tuple(_) => Pattern::Tuple(fields),
        }
    }
}

const WILDCARD: &Pattern = &Pattern::Wildcard;

fn fields_of(pattern: &Pattern) -> &[Spanned<Pattern>] {
    match pattern {
        Pattern::Constructor(_, fields) | Pattern::Tuple(fields) => fields,
        Pattern::Wildcard | Pattern::Var(..) => &[],
    }
}

/// The rows that match what begins with `head`, with its fields in front.
fn specialized<'p>(rows: &[Row<'p>], head: &PatternHead) -> Vec<Row<'p>> {
    let mut all = Vec::new();
    for row in rows {
        if let Some(row) = specialized_row(row, head) {
            all.push(row);
        }
    }
    all
}

fn specialized_row<'p>(row: &Row<'p>, head: &PatternHead) -> Option<Row<'p>> {
    let (first, rest) = row.split_first()?;
    let mut new: Row<'p> = Vec::with_capacity(rest.len() + head.arity());
    match PatternHead::of(first) {
        None => new.extend(std::iter::repeat_n(WILDCARD, head.arity())),
        Some(own) if own.is_same(head) => {
            let fields = fields_of(first);
            let fields = fields.iter().map(|f| &f.node);
            let rest = std::iter::repeat(WILDCARD);
            new.extend(fields.chain(rest).take(head.arity()));
        }
        Some(_) => return None,
    }
    new.extend(rest);
    Some(new)
}

/// The rows that match what begins with something else.
fn defaults<'p>(rows: &[Row<'p>]) -> Vec<Row<'p>> {
    let open = rows.iter().filter(|row| PatternHead::of(row[0]).is_none());
    open.map(|row| row[1..].to_vec()).collect()
}

impl Finder<'_> {
    fn step(&mut self, rows: usize) -> Option<()> {
        self.steps += 1 + rows;
        (self.steps <= MAX_STEPS).then_some(())
    }

    /// The heads that values of the first column can have, if some row has one; `None` in their place if they are not
    /// all of them.
    fn heads(&self, rows: &[Row<'_>]) -> Option<Vec<PatternHead>> {
        let mut own = rows.iter().filter_map(|row| PatternHead::of(row[0]));
        let first = own.next()?;
        Some(match &first {
            PatternHead::Tuple(_) => vec![first],
            PatternHead::Constructor(name, _) => {
                let all = self.types.siblings(name);
                let all = all
                    .into_iter()
                    .map(|(name, n)| PatternHead::Constructor(name, n));
                all.collect()
            }
        })
    }

    /// Nesting is that of the patterns, which the reader bounds, times the number of fields.
    fn missing(&mut self, rows: &[Row<'_>], width: usize) -> Option<Vec<Vec<Pattern>>> {
        self.step(rows.len())?;
        if width == 0 {
            return Some(match rows.is_empty() {
                true => vec![Vec::new()],
                false => Vec::new(),
            });
        }
        let mut found: Vec<Vec<Pattern>> = Vec::new();
        let heads = self.heads(rows);
        let Some(heads) = heads.filter(|heads| !heads.is_empty()) else {
            for mut case in self.missing(&defaults(rows), width - 1)? {
                case.insert(0, Pattern::Wildcard);
                found.push(case);
            }
            return Some(found);
        };
        for head in heads {
            let is_used = rows
                .iter()
                .filter_map(|row| PatternHead::of(row[0]))
                .any(|own| own.is_same(&head));
            let arity = head.arity();
            let cases = match is_used {
                true => self.missing(&specialized(rows, &head), width - 1 + arity)?,
                false => {
                    let rest = self.missing(&defaults(rows), width - 1)?;
                    let fields = std::iter::repeat_n(Pattern::Wildcard, arity);
                    let fields: Vec<Pattern> = fields.collect();
                    let with = |case: Vec<Pattern>| fields.iter().cloned().chain(case).collect();
                    rest.into_iter().map(with).collect()
                }
            };
            for mut case in cases {
                let rest = case.split_off(arity);
                let mut whole = vec![head.pattern(case)];
                whole.extend(rest);
                found.push(whole);
                if found.len() > MAX_CASES {
                    return Some(found);
                }
            }
        }
        Some(found)
    }

    fn is_useful(&mut self, rows: &[Row<'_>], row: Row<'_>) -> Option<bool> {
        self.step(rows.len())?;
        let Some(first) = row.first() else {
            return Some(rows.is_empty());
        };
        if let Some(head) = PatternHead::of(first) {
            let row = specialized_row(&row, &head).unwrap_or_default();
            return self.is_useful(&specialized(rows, &head), row);
        }
        for head in self.heads(rows).unwrap_or_default() {
            let is_used = rows
                .iter()
                .filter_map(|row| PatternHead::of(row[0]))
                .any(|own| own.is_same(&head));
            if !is_used {
                break;
            }
            let own = specialized_row(&row, &head).unwrap_or_default();
            if self.is_useful(&specialized(rows, &head), own)? {
                return Some(true);
            }
        }
        self.is_useful(&defaults(rows), row[1..].to_vec())
            .map(|useful| useful && !self.is_complete(rows))
    }

    /// Do the rows have all heads that values of the first column can have?
    fn is_complete(&self, rows: &[Row<'_>]) -> bool {
        let heads = self.heads(rows).unwrap_or_default();
        let own: Vec<PatternHead> = rows
            .iter()
            .filter_map(|row| PatternHead::of(row[0]))
            .collect();
        !heads.is_empty() && heads.iter().all(|h| own.iter().any(|o| o.is_same(h)))
    }
}
