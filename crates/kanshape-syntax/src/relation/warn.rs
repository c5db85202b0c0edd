//! What reads, and is likely not meant: found in the tree, without an engine.

use std::collections::BTreeMap;

use kanshape_diag::{Diagnostic, suggest};

use super::parse::is_stopped;
use super::{Clause, Element, File, Goal, Term};
use crate::code;
use crate::problem;
use crate::tree::{Ident, Span, Spanned};

/// The warnings about a file, which was read from `text`, in the order of their places.
///
/// `is_word` says which names stand for something by themselves, such as dtypes: they are no
/// variables, and may stand anywhere once. A name that starts with `_` may as well.
///
/// The places are in `text`, which is left to the caller to attach: there may be many warnings.
///
/// ```
/// use kanshape_syntax::{parse_relations, relation};
///
/// let text = "Halves(n, m) :- n = 2*k";
/// let warnings = relation::warnings(&parse_relations(text)?, text, |name| name == "f32");
/// assert_eq!(warnings.len(), 2);
/// assert_eq!(warnings[0].headline, "`m` stands only once in this clause");
/// # Ok::<(), kanshape_diag::Diagnostic>(())
/// ```
pub fn warnings(file: &File, text: &str, is_word: impl Fn(&str) -> bool) -> Vec<Diagnostic> {
    let mut all = Vec::new();
    for clause in &file.clauses {
        all.extend(used_once(&clause.node, &is_word));
    }
    all.extend(maybe_goals(&file.clauses, text));
    all.sort_by_key(|d| d.labels.first().map_or(0, |label| label.start));
    all.into_iter().map(Diagnostic::as_warning).collect()
}

fn used_once(clause: &Clause, is_word: impl Fn(&str) -> bool) -> Vec<Diagnostic> {
    let mut uses = Uses::default();
    for param in &clause.params {
        uses.term(&param.term);
    }
    uses.goal(&clause.body);
    let variables: Vec<Variable<'_>> = uses
        .variables
        .into_iter()
        .filter(|v| !is_word(v.name))
        .collect();
    let once = variables
        .iter()
        .filter(|v| v.count == 1 && !v.name.starts_with('_'));
    once.map(|v| {
        let d = problem::new(
            code::USED_ONCE,
            format!(
                "`{}` stands only once in this clause",
                problem::brief(v.name)
            ),
            v.span,
            "nothing else speaks of it",
        );
        match near(v, &variables) {
            Some(near) => d.with_help(format!("did you mean `{near}`?")),
            None => d.with_help("write `_` if it may be anything"),
        }
    })
    .collect()
}

/// Among more variables nobody looks for a misspelt one, and looking takes its time for each.
const MANY: usize = 100;

/// What `variable` may be a misspelling of.
fn near<'c>(variable: &Variable<'c>, all: &[Variable<'c>]) -> Option<&'c str> {
    // One letter is near to every other one.
    if all.len() > MANY || variable.name.chars().nth(1).is_none() {
        return None;
    }
    // Of two that stand once, it is the second that is misspelt.
    let others = all
        .iter()
        .filter(|other| other.span != variable.span)
        .filter(|other| other.count > 1 || other.span.start < variable.span.start);
    suggest(variable.name, others.map(|other| other.name))
}

/// The variables of a clause.
#[derive(Default)]
struct Uses<'c> {
    variables: Vec<Variable<'c>>,
    /// Which variable a name stands for, the innermost last.
    scopes: BTreeMap<&'c str, Vec<usize>>,
}

struct Variable<'c> {
    name: &'c str,
    /// Where it stands first.
    span: Span,
    count: usize,
}

impl<'c> Uses<'c> {
    fn name(&mut self, name: &'c Ident) {
        let innermost = self.scopes.get(&*name.node).and_then(|ids| ids.last());
        match innermost.and_then(|id| self.variables.get_mut(*id)) {
            Some(variable) => variable.count += 1,
            None => self.declare(name),
        }
    }

    fn declare(&mut self, name: &'c Ident) {
        let ids = self.scopes.entry(&name.node).or_default();
        ids.push(self.variables.len());
        self.variables.push(Variable {
            name: &name.node,
            span: name.span,
            count: 1,
        });
    }

    fn goal(&mut self, goal: &'c Spanned<Goal>) {
        match &goal.node {
            Goal::True | Goal::False => {}
            Goal::All(goals) | Goal::Any(goals) => goals.iter().for_each(|g| self.goal(g)),
            Goal::Call(_, terms) | Goal::Signature(_, terms) => self.terms(terms),
            Goal::Compare(first, rest) => {
                self.term(first);
                rest.iter().for_each(|(_, side)| self.term(side));
            }
            Goal::In(x, list) => {
                self.term(x);
                self.term(list);
            }
            Goal::Class(name, _) => self.name(name),
            Goal::Known(terms, then) => {
                self.terms(terms);
                self.goal(then);
            }
        }
    }

    fn terms(&mut self, terms: &'c [Spanned<Term>]) {
        terms.iter().for_each(|term| self.term(term));
    }

    fn term(&mut self, term: &'c Spanned<Term>) {
        match &term.node {
            Term::Name(name) => self.name(name),
            Term::Any
            | Term::Int(_)
            | Term::Float(_)
            | Term::Text(_)
            | Term::Bool(_)
            | Term::None => {}
            Term::List(parts) => {
                for part in parts {
                    match part {
                        Element::One(term) | Element::Rest(Some(term)) => self.term(term),
                        Element::Rest(None) => {}
                    }
                }
            }
            Term::Call(_, terms) => self.terms(terms),
            Term::Sum(addends) => addends.iter().for_each(|(_, term)| self.term(term)),
            Term::Chain(first, rest) => {
                self.term(first);
                rest.iter().for_each(|(_, term)| self.term(term));
            }
            Term::CeilDiv(a, b) | Term::Index(a, b) => {
                self.term(a);
                self.term(b);
            }
            Term::Slice(of, from, to) => {
                self.term(of);
                from.iter().chain(to).for_each(|term| self.term(term));
            }
            Term::Each { body, names, lists } => {
                self.terms(lists);
                names.iter().for_each(|name| self.declare(name));
                self.term(body);
                for name in names {
                    self.scopes.entry(&name.node).or_default().pop();
                }
            }
        }
    }
}

/// Facts that stand like a goal below an unfinished body: a `,` is forgotten easily.
fn maybe_goals(clauses: &[Spanned<Clause>], text: &str) -> Vec<Diagnostic> {
    let mut warnings = Vec::new();
    let mut end = 0;
    let mut margin = 0;
    let mut above: Option<&Spanned<Clause>> = None;
    for clause in clauses {
        let name = &clause.node.name;
        let gap = text.get(end..name.span.start).unwrap_or_default();
        let indent = match gap.rfind('\n') {
            Some(newline) => gap.len() - newline - 1,
            None if above.is_none() => gap.len(),
            None => margin,
        };
        let unfinished = above.filter(|above| !is_fact(above) && !is_stopped(above.span, text));
        if let Some(above) = unfinished
            && indent > margin
            && is_fact(clause)
            && clause.node.doc.is_empty()
        {
            let end = Span::new(above.span.end, above.span.end);
            warnings.push(
                problem::new(
                    code::MAYBE_GOAL,
                    format!(
                        "`{}` begins a clause of its own here",
                        problem::brief(&name.node)
                    ),
                    name.span,
                    "it stands like a goal of the clause above",
                )
                .with_label(end.into(), "no `,` stands here")
                .with_help("put a `,` there, or a `.` if it is meant to be a fact"),
            );
        }
        margin = indent;
        end = clause.span.end;
        above = Some(clause);
    }
    warnings
}

/// Whether nothing is written behind the head.
fn is_fact(clause: &Spanned<Clause>) -> bool {
    let body = clause.node.body.span;
    body.start == body.end
}
