//! [`Condition`]: what the author of a rule says of its leaves, as an operator without outputs.

use std::collections::BTreeMap;
use std::fmt::Write;

use kanshape::unstable::syntax::relation::{Element, Goal, Rule, Term};
use kanshape::unstable::syntax::tree::{Span, Spanned};
use kanshape::{Diagnostic, Operator, Relations};

use crate::program::Program;

/// What the operator is called. No file defines one of this name.
const NAME: &str = "__rule";

/// What has to hold of the leaves.
#[derive(Clone, Debug)]
pub(crate) struct Condition {
    pub(crate) operator: Operator,
    pub(crate) relations: Relations,
    /// The goals as texts, with the leaves by name.
    says: Vec<String>,
}

impl Condition {
    /// The types of the leaves and the goals of a rule; none if it says nothing.
    pub(crate) fn of(
        rule: &Rule,
        program: &Program,
        relations: &Relations,
    ) -> Result<Option<Condition>, Diagnostic> {
        let has_type = rule.leaves.iter().any(|leaf| leaf.pattern.is_some());
        if rule.body.node == Goal::True && !has_type {
            return Ok(None);
        }
        let mut body = rule.body.clone();
        let mut spoken = Spoken {
            program,
            types: BTreeMap::new(),
        };
        spoken.goal(&mut body);
        let declared = rule.leaves.iter().filter(|leaf| leaf.pattern.is_some());
        let mut says: Vec<String> = declared.map(ToString::to_string).collect();
        match &rule.body.node {
            Goal::True => {}
            Goal::All(goals) => says.extend(goals.iter().map(ToString::to_string)),
            _ => says.push(rule.body.to_string()),
        }
        let mut goals: Vec<String> = Vec::new();
        for (leaf, [shape, dtype]) in &spoken.types {
            goals.push(format!("{leaf} = Tensor({shape}, {dtype})"));
        }
        match &body.node {
            Goal::True => {}
            Goal::Any(_) => goals.push(format!("({body})")),
            _ => goals.push(body.to_string()),
        }
        if goals.is_empty() {
            goals.push("true".into());
        }
        let mut text = format!("op {NAME}(");
        for (i, leaf) in program.leaves.iter().enumerate() {
            let declared = rule.leaves.iter().find(|own| own.name.node == leaf.name);
            let comma = if i == 0 { "" } else { ", " };
            let _ = match declared {
                Some(formal) => write!(text, "{comma}{formal}"),
                None => write!(text, "{comma}{}", leaf.name),
            };
        }
        let _ = write!(text, ") -> () :- {}", goals.join(", "));
        let relations = relations.with([("rule", text.as_str())])?;
        Ok(Some(Condition {
            operator: relations.operator_of("", NAME, None)?,
            relations,
            says,
        }))
    }

    /// The goals with the leaves by place: equal for rules with the same goals.
    pub(crate) fn says(&self, program: &Program) -> Vec<String> {
        let places: Vec<usize> = (0..program.leaves.len()).collect();
        self.says_at(program, &places)
    }

    /// The same where the leaves have other places.
    pub(crate) fn says_at(&self, program: &Program, places: &[usize]) -> Vec<String> {
        let says = self.says.iter().map(|text| renamed(text, program, places));
        let mut says: Vec<String> = says.collect();
        says.sort_unstable();
        says.dedup();
        says
    }
}

/// A text in which leaves are called by places.
fn renamed(text: &str, program: &Program, places: &[usize]) -> String {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut renamed = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let end = match is_word(first) {
            true => rest.find(|c| !is_word(c)).unwrap_or(rest.len()),
            false => first.len_utf8(),
        };
        let (word, behind) = rest.split_at(end);
        match program.leaf(word) {
            Some(leaf) => {
                let _ = write!(renamed, "${}", places.get(leaf).copied().unwrap_or(leaf));
            }
            None => renamed.push_str(word),
        }
        rest = behind;
    }
    renamed
}

/// `shape(A)`, `rank(A)` and `dtype(A)` become variables.
struct Spoken<'p> {
    program: &'p Program,
    /// The variables for the shape and the dtype of a leaf.
    types: BTreeMap<Box<str>, [String; 2]>,
}

impl Spoken<'_> {
    fn goal(&mut self, goal: &mut Spanned<Goal>) {
        match &mut goal.node {
            Goal::True | Goal::False | Goal::Class(..) => {}
            Goal::All(goals) | Goal::Any(goals) => goals.iter_mut().for_each(|g| self.goal(g)),
            Goal::Call(_, terms) | Goal::Signature(_, terms) => self.terms(terms),
            Goal::Compare(first, rest) => {
                self.term(first);
                rest.iter_mut().for_each(|(_, term)| self.term(term));
            }
            Goal::In(x, list) => {
                self.term(x);
                self.term(list);
            }
            Goal::Known(terms, then) => {
                self.terms(terms);
                self.goal(then);
            }
        }
    }

    fn terms(&mut self, terms: &mut [Spanned<Term>]) {
        terms.iter_mut().for_each(|term| self.term(term));
    }

    fn term(&mut self, term: &mut Spanned<Term>) {
        match &mut term.node {
            Term::Name(_) | Term::Any | Term::Int(_) | Term::Float(_) => {}
            Term::Text(_) | Term::Bool(_) | Term::None => {}
            Term::List(members) => {
                for member in members {
                    match member {
                        Element::One(one) => self.term(one),
                        Element::Rest(Some(rest)) => self.term(rest),
                        Element::Rest(None) => {}
                    }
                }
            }
            Term::Call(name, args) => {
                if let Some(variable) = self.variable(&name.node, args) {
                    term.node = variable;
                } else {
                    self.terms(args);
                }
            }
            Term::Sum(addends) => addends.iter_mut().for_each(|(_, term)| self.term(term)),
            Term::Chain(first, rest) => {
                self.term(first);
                rest.iter_mut().for_each(|(_, term)| self.term(term));
            }
            Term::CeilDiv(a, b) | Term::Index(a, b) => {
                self.term(a);
                self.term(b);
            }
            Term::Slice(of, from, to) => {
                self.term(of);
                [from, to].into_iter().flatten().for_each(|t| self.term(t));
            }
            Term::Each { body, lists, .. } => {
                self.term(body);
                self.terms(lists);
            }
        }
    }

    /// What a call about a leaf becomes.
    fn variable(&mut self, function: &str, args: &[Spanned<Term>]) -> Option<Term> {
        let [
            Spanned {
                node: Term::Name(leaf),
                ..
            },
        ] = args
        else {
            return None;
        };
        self.program.leaf(&leaf.node)?;
        let fresh = || {
            let leaf = &leaf.node;
            [format!("_{leaf}_shape"), format!("_{leaf}_dtype")]
        };
        let at = |name: &str| Spanned::new(name.into(), Span::default());
        let mut known = |i: usize| {
            let own = self.types.entry(leaf.node.clone()).or_insert_with(fresh);
            Term::Name(at(&own[i]))
        };
        match function {
            "shape" => Some(known(0)),
            "dtype" => Some(known(1)),
            "rank" => {
                let shape = Spanned::new(known(0), Span::default());
                Some(Term::Call(at("len"), vec![shape]))
            }
            _ => None,
        }
    }
}
