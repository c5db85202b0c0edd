//! Terms: what a variable can denote, and when two are the same.

use crate::budget::{Budget, Stop};
use crate::control::work;
use crate::linear::{Linear, Var};
use crate::store::constraint::Constraint;
use crate::store::sequence::{Part, Seq};
use crate::store::{Cell, State};
use std::sync::Arc;

/// A value with holes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Term {
    /// A variable for any term.
    Var(Var),
    /// An integer.
    Int(Linear),
    /// A variable over atoms.
    Atom(Var),
    /// A sequence of integers.
    Seq(Seq),
    /// A node of a tree: a label and its children.
    Node(u32, Arc<[Term]>),
}

impl Term {
    /// A node of a tree.
    pub fn node(label: u32, children: impl IntoIterator<Item = Term>) -> Term {
        Term::Node(label, children.into_iter().collect())
    }
}

impl From<Linear> for Term {
    fn from(l: Linear) -> Term {
        Term::Int(l)
    }
}

impl State {
    /// The term that `term` has come to: itself unless it is a variable that is bound.
    pub fn walk(&self, term: &Term) -> Term {
        let Term::Var(v) = term else {
            return term.clone();
        };
        let v = self.root(*v);
        match self.cell(v) {
            Cell::Term(t) => self.walk(t),
            _ => Term::Var(v),
        }
    }

    /// From now on `a` and `b` are the same term.
    ///
    /// # Errors
    /// [`Stop::Conflict`] if they can't be, or if a variable would have to contain itself.
    pub fn unify(&mut self, a: &Term, b: &Term, budget: &mut Budget) -> Result<(), Stop> {
        let mut todo = vec![(a.clone(), b.clone())];
        while let Some((a, b)) = todo.pop() {
            budget.spend(1)?;
            match (self.walk(&a), self.walk(&b)) {
                (Term::Var(v), Term::Var(w)) if v == w => {}
                (Term::Var(v), Term::Var(w)) => {
                    let (older, newer) = (v.min(w), v.max(w));
                    self.note_binding(newer);
                    self.bind(newer, Cell::Alias(older), std::iter::once(older));
                }
                (Term::Var(v), t) | (t, Term::Var(v)) => {
                    if self.occurs(v, &t, budget)? {
                        return Err(Stop::Conflict);
                    }
                    let mut vars = Vec::new();
                    if let Term::Node(_, children) = &t {
                        vars.extend(children.iter().filter_map(|c| match c {
                            Term::Var(w) => Some(self.root(*w)),
                            _ => None,
                        }));
                    }
                    if matches!(t, Term::Seq(_)) {
                        self.note_binding(v);
                    }
                    self.bind(v, Cell::Term(t.into()), vars.into_iter());
                }
                (Term::Int(a), Term::Int(b)) => self.equate(&a, &b)?,
                (Term::Atom(a), Term::Atom(b)) => self.equate_atoms(a, b)?,
                (Term::Seq(a), Term::Seq(b)) => self.post(Constraint::SeqEqual(a, b))?,
                (Term::Node(f, xs), Term::Node(g, ys)) if f == g && xs.len() == ys.len() => {
                    todo.extend(xs.iter().cloned().zip(ys.iter().cloned()).rev());
                }
                _ => return Err(Stop::Conflict),
            }
        }
        Ok(())
    }

    /// Is the open variable `v` in `term`?
    fn occurs(&self, v: Var, term: &Term, budget: &mut Budget) -> Result<bool, Stop> {
        let mut todo = vec![term.clone()];
        while let Some(t) = todo.pop() {
            budget.spend(1)?;
            match self.walk(&t) {
                Term::Var(w) if w == v => return Ok(true),
                Term::Node(_, children) => todo.extend(children.iter().cloned()),
                _ => {}
            }
        }
        Ok(false)
    }

    /// `term` with everything in it that is known.
    pub fn reify(&self, term: &Term) -> Result<Term, Stop> {
        // Nodes are rebuilt from the leaves up, on a stack of our own.
        enum Task {
            Visit(Term),
            Build(u32, usize),
        }
        let mut tasks = vec![Task::Visit(term.clone())];
        let mut built: Vec<Term> = Vec::new();
        while let Some(task) = tasks.pop() {
            work(1);
            match task {
                Task::Visit(t) => match self.walk(&t) {
                    Term::Int(l) => built.push(Term::Int(self.resolve(&l)?)),
                    Term::Atom(v) => built.push(Term::Atom(self.root(v))),
                    Term::Seq(s) => {
                        let mut parts = self.parts(&s);
                        for p in &mut parts {
                            if let Part::One(l) = p {
                                *l = self.resolve(l)?;
                            }
                        }
                        built.push(Term::Seq(parts.into_iter().collect()));
                    }
                    Term::Node(label, children) => {
                        tasks.push(Task::Build(label, children.len()));
                        tasks.extend(children.iter().rev().cloned().map(Task::Visit));
                    }
                    t @ Term::Var(_) => built.push(t),
                },
                Task::Build(label, n) => {
                    let children = built.split_off(built.len() - n);
                    built.push(Term::Node(label, children.into()));
                }
            }
        }
        built.pop().ok_or(Stop::Conflict)
    }
}
