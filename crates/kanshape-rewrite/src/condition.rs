//! [`Condition`]: what the author of a rule says of its leaves, as operators without outputs.

use std::collections::{BTreeMap, BTreeSet};

use kanshape::tree::relation::{Element, Formal, Goal, Rule, Term};
use kanshape::tree::{Sign, Span, Spanned};
use kanshape::{Diagnostic, Dtype, Operator, Relations};

use crate::program::{Program, conjuncts};
use crate::words::{is_word, pieces};

/// What the operators are called, with a number behind it. No file defines one of this name.
const NAME: &str = "__rule";

/// What has to hold of the leaves.
#[derive(Clone, Debug)]
pub(crate) struct Condition {
    /// All of them have to hold. No two share a variable, so each is decided by its own leaves.
    pub(crate) parts: Box<[ConditionPart]>,
    pub(crate) relations: Relations,
    /// The goals as texts, with the leaves by name.
    says: Vec<String>,
    /// The numbers with which it compares other things than ranks: mostly sizes.
    pub(crate) sizes: Vec<u64>,
}

/// What has to hold of some of the leaves.
#[derive(Clone, Debug)]
pub(crate) struct ConditionPart {
    pub(crate) operator: Operator,
    /// The leaves that it takes.
    pub(crate) leaves: Box<[usize]>,
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
        let mut says: Vec<String> = declared.clone().map(ToString::to_string).collect();
        match &rule.body.node {
            Goal::True => {}
            Goal::All(goals) => says.extend(goals.iter().map(ToString::to_string)),
            _ => says.push(rule.body.to_string()),
        }
        let mut groups: Vec<Group> = Vec::new();
        for formal in declared {
            let mut own = Group::of(&formal.to_string(), program, &spoken);
            own.formals
                .extend(program.leaf(&formal.name.node).zip(Some(formal)));
            own.join(&mut groups);
        }
        for goal in conjuncts(&body) {
            let text = conjunct(goal);
            let mut own = Group::of(&text, program, &spoken);
            own.goals.push(text);
            own.join(&mut groups);
        }
        let texts = groups.iter().enumerate();
        let texts = texts.map(|(i, group)| group.text(&format!("{NAME}{i}"), program, &spoken));
        let text = texts.collect::<Vec<_>>().join("\n");
        let relations = relations.with([("rule", text.as_str())])?;
        let parts = groups.iter().enumerate().map(|(i, group)| {
            Ok(ConditionPart {
                operator: relations.operator_of("", &format!("{NAME}{i}"), None)?,
                leaves: group.leaves.iter().copied().collect(),
            })
        });
        let mut sizes = Vec::new();
        compared(&rule.body.node, &mut sizes);
        Ok(Some(Condition {
            sizes: sizes.into_iter().map(i64::unsigned_abs).collect(),
            parts: parts.collect::<Result<_, Diagnostic>>()?,
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

/// The numbers with which something is compared that is no rank.
pub(crate) fn compared(goal: &Goal, found: &mut Vec<i64>) {
    match goal {
        Goal::All(goals) | Goal::Any(goals) => {
            goals.iter().for_each(|goal| compared(&goal.node, found));
        }
        Goal::Known(_, goal) => compared(&goal.node, found),
        Goal::Compare(first, rest) => {
            let terms = || std::iter::once(first).chain(rest.iter().map(|(_, term)| term));
            let is_rank = |term: &Spanned<Term>| match &term.node {
                Term::Call(name, _) => ["rank", "len"].contains(&&*name.node),
                _ => false,
            };
            if !terms().any(is_rank) {
                terms().for_each(|term| numbers(&term.node, found));
            }
        }
        Goal::In(_, list) => numbers(&list.node, found),
        Goal::True | Goal::False | Goal::Class(..) | Goal::Call(..) | Goal::Signature(..) => {}
    }
}

/// The numbers in a sum or a list.
fn numbers(term: &Term, found: &mut Vec<i64>) {
    match term {
        Term::Int(n) => found.extend(i64::try_from(*n)),
        Term::List(members) => members.iter().for_each(|member| {
            if let Element::One(one) = member {
                numbers(&one.node, found);
            }
        }),
        Term::Sum(addends) => {
            for (sign, one) in addends {
                let before = found.len();
                numbers(&one.node, found);
                if *sign == Sign::Minus {
                    found[before..].iter_mut().for_each(|n| *n = -*n);
                }
            }
        }
        _ => {}
    }
}

/// A text in which leaves are called by places.
fn renamed(text: &str, program: &Program, places: &[usize]) -> String {
    let piece = |piece: &str| match program.leaf(piece) {
        Some(leaf) => format!("${}", places.get(leaf).copied().unwrap_or(leaf)),
        None => piece.to_owned(),
    };
    pieces(text).map(piece).collect()
}

/// A goal as one of several that have a comma between them.
pub(crate) fn conjunct(goal: &Spanned<Goal>) -> String {
    match goal.node {
        Goal::Any(_) | Goal::Known(..) => format!("({goal})"),
        _ => goal.to_string(),
    }
}

/// Declarations of leaves, and goals, that share variables.
#[derive(Default)]
struct Group<'r> {
    leaves: BTreeSet<usize>,
    /// The leaves of which variables for the shape and the dtype are used.
    spoken: BTreeSet<usize>,
    names: BTreeSet<String>,
    formals: BTreeMap<usize, &'r Formal>,
    goals: Vec<String>,
}

impl<'r> Group<'r> {
    /// The leaves and the variables in a text. Words of the language are taken for variables: then more is in one group than has to be.
    fn of(text: &str, program: &Program, spoken: &Spoken<'_>) -> Group<'r> {
        let mut group = Group::default();
        let mut pieces = pieces(text).peekable();
        while let Some(word) = pieces.next() {
            if !is_word(word) {
                continue;
            }
            let mut types = spoken.types.iter();
            let of_leaf = types.find(|(_, own)| own.iter().any(|own| own == word));
            let leaf = of_leaf.map_or(word, |(leaf, _)| leaf);
            if let Some(leaf) = program.leaf(leaf) {
                group.leaves.insert(leaf);
                group.spoken.extend(of_leaf.map(|_| leaf));
            } else if pieces.peek() != Some(&"(") && !is_constant(word) {
                group.names.insert(word.to_owned());
            }
        }
        group
    }

    /// Adds this to the groups, merged with those that share a variable with it.
    fn join(mut self, groups: &mut Vec<Group<'r>>) {
        let mut at = groups.len();
        for i in (0..groups.len()).rev() {
            if groups[i].names.is_disjoint(&self.names) {
                continue;
            }
            let mut other = groups.remove(i);
            other.leaves.append(&mut self.leaves);
            other.spoken.append(&mut self.spoken);
            other.names.append(&mut self.names);
            other.formals.append(&mut self.formals);
            other.goals.append(&mut self.goals);
            self = other;
            at = i;
        }
        groups.insert(at, self);
    }

    /// The definition of an operator that requires this.
    fn text(&self, name: &str, program: &Program, spoken: &Spoken<'_>) -> String {
        let leaves = self.leaves.iter().map(|leaf| match self.formals.get(leaf) {
            Some(formal) => formal.to_string(),
            None => program.leaves[*leaf].name.to_string(),
        });
        let leaves = leaves.collect::<Vec<_>>().join(", ");
        let types = self.spoken.iter().filter_map(|leaf| {
            let leaf = &program.leaves[*leaf].name;
            let [shape, dtype] = spoken.types.get(leaf)?;
            Some(format!("{leaf} = Tensor({shape}, {dtype})"))
        });
        let goals: Vec<String> = types.chain(self.goals.iter().cloned()).collect();
        match goals.is_empty() {
            true => format!("op {name}({leaves}) -> () :- true"),
            false => format!("op {name}({leaves}) -> () :- {}", goals.join(", ")),
        }
    }
}

/// Is a word no variable?
fn is_constant(word: &str) -> bool {
    let is_keyword = ["true", "false", "none", "for", "in", "_"].contains(&word);
    // Another name of a dtype is taken for a variable as well.
    let is_dtype = || Dtype::ALL.iter().any(|dtype| dtype.name() == word);
    is_keyword || word.starts_with(|c: char| c.is_ascii_digit()) || is_dtype()
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
