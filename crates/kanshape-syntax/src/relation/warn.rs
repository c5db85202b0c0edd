//! What reads, and is likely not meant: found in the tree, without an engine.

use std::collections::BTreeMap;

use kanshape_diag::{Diagnostic, suggest};

use super::parse::is_stopped;
use super::{Clause, Dtypes, Element, File, Formal, Goal, Item, Op, Pattern, Term};
use crate::code;
use crate::problem;
use crate::tree::{Ident, Span, Spanned};

/// The warnings about a file, which was read from `text`, in the order of their places.
///
/// `is_word` says which names denote something by themselves, such as dtypes: they are no
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
        all.extend(used_once("clause", Uses::of_clause(&clause.node), &is_word));
    }
    for op in &file.ops {
        all.extend(used_once("operator", Uses::of_op(&op.node), &is_word));
    }
    all.extend(maybe_goals(file, text));
    all.sort_by_key(|d| d.labels.first().map_or(0, |label| label.start));
    all.into_iter().map(Diagnostic::as_warning).collect()
}

/// What stands once in what `uses` is about, which is called `whole`.
fn used_once(whole: &str, uses: Uses<'_>, is_word: impl Fn(&str) -> bool) -> Vec<Diagnostic> {
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
                "`{}` stands only once in this {whole}",
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

/// The variables of a clause or an operator.
#[derive(Default)]
struct Uses<'c> {
    variables: Vec<Variable<'c>>,
    /// Which variable a name denotes, the innermost last.
    scopes: BTreeMap<&'c str, Vec<usize>>,
}

struct Variable<'c> {
    name: &'c str,
    /// Where it stands first.
    span: Span,
    count: usize,
}

impl<'c> Uses<'c> {
    fn of_clause(clause: &'c Clause) -> Self {
        let mut uses = Uses::default();
        for param in &clause.params {
            uses.term(&param.term);
        }
        uses.goal(&clause.body);
        uses
    }

    fn of_op(op: &'c Op) -> Self {
        let mut uses = Uses::default();
        op.attrs.iter().for_each(|attr| uses.name(&attr.name));
        for formal in op.inputs.iter().chain(&op.outputs) {
            uses.formal(formal);
        }
        // A head tells its reader what there is, whether the body speaks of it or not.
        uses.variables.iter_mut().for_each(|v| v.count += 1);
        uses.goal(&op.body);
        uses
    }

    fn formal(&mut self, formal: &'c Formal) {
        self.name(&formal.name);
        match formal.pattern.as_ref().map(|pattern| &pattern.node) {
            Some(Pattern::Tensor { dtype, dims }) => {
                match &dtype.node {
                    Dtypes::Name(name) => self.name(name),
                    Dtypes::Set(names) => names.iter().for_each(|name| self.name(name)),
                }
                self.terms(dims.iter().filter_map(Element::term));
            }
            Some(Pattern::Term(term)) => self.term(term),
            None => {}
        }
        formal.contents.iter().for_each(|name| self.name(name));
    }

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
        if let Goal::Class(name, _) = &goal.node {
            self.name(name);
        }
        self.terms(goal.node.terms());
        goal.node.parts().iter().for_each(|part| self.goal(part));
    }

    fn terms(&mut self, terms: impl IntoIterator<Item = &'c Spanned<Term>>) {
        terms.into_iter().for_each(|term| self.term(term));
    }

    fn term(&mut self, term: &'c Spanned<Term>) {
        match &term.node {
            Term::Name(name) => self.name(name),
            Term::Each { body, names, lists } => {
                self.terms(lists);
                names.iter().for_each(|name| self.declare(name));
                self.term(body);
                for name in names {
                    self.scopes.entry(&name.node).or_default().pop();
                }
            }
            term => self.terms(term.parts()),
        }
    }
}

/// Facts that stand like a goal below an unfinished body: a `,` is forgotten easily.
fn maybe_goals(file: &File, text: &str) -> Vec<Diagnostic> {
    let mut warnings = Vec::new();
    let mut end = 0;
    let mut margin = 0;
    let mut above: Option<Item<'_>> = None;
    for item in file.items() {
        let gap = text.get(end..item.span().start).unwrap_or_default();
        let indent = match gap.rfind('\n') {
            Some(newline) => gap.len() - newline - 1,
            None if above.is_none() => gap.len(),
            None => margin,
        };
        let unfinished = above.filter(|above| !is_fact(*above) && !is_stopped(above.span(), text));
        if let Some(above) = unfinished
            && let Item::Clause(clause) = item
            && indent > margin
            && is_fact(item)
            && item.doc().is_empty()
        {
            let end = Span::new(above.span().end, above.span().end);
            let whole = match above {
                Item::Clause(_) => "clause",
                Item::Op(_) => "operator",
                Item::Rule(_) => "rule",
                Item::Type(_) => "type",
            };
            let name = &clause.node.name;
            warnings.push(
                problem::new(
                    code::MAYBE_GOAL,
                    format!(
                        "`{}` begins a clause of its own here",
                        problem::brief(&name.node)
                    ),
                    name.span,
                    format!("it stands like a goal of the {whole} above"),
                )
                .with_label(end.into(), "no `,` stands here")
                .with_help("put a `,` there, or a `.` if it is meant to be a fact"),
            );
        }
        margin = indent;
        end = item.span().end;
        above = Some(item);
    }
    warnings
}

/// Whether nothing is written behind the head.
fn is_fact(item: Item<'_>) -> bool {
    item.body()
        .is_none_or(|body| body.span.start == body.span.end)
}
