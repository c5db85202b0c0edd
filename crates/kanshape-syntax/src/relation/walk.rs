//! The parts of goals and terms, from left to right, and the names in them.

use super::{Dtypes, Element, Formal, Goal, Pattern, Term};
use crate::tree::{Ident, Spanned};

impl Goal {
    /// The goals that it is made of.
    pub fn parts(&self) -> &[Spanned<Goal>] {
        match self {
            Goal::All(goals) | Goal::Any(goals) => goals,
            Goal::Known(_, then) => std::slice::from_ref(&**then),
            _ => &[],
        }
    }

    /// The same, to be changed.
    pub fn parts_mut(&mut self) -> &mut [Spanned<Goal>] {
        match self {
            Goal::All(goals) | Goal::Any(goals) => goals,
            Goal::Known(_, then) => std::slice::from_mut(&mut **then),
            _ => &mut [],
        }
    }

    /// The terms that it is about, beside those of the goals in it.
    pub fn terms(&self) -> Vec<&Spanned<Term>> {
        match self {
            Goal::Call(_, terms) | Goal::Signature(_, terms) | Goal::Known(terms, _) => {
                terms.iter().collect()
            }
            Goal::Compare(first, rest) => {
                let rest = rest.iter().map(|(_, term)| term);
                std::iter::once(first).chain(rest).collect()
            }
            Goal::In(x, list) => vec![x, list],
            Goal::True | Goal::False | Goal::All(_) | Goal::Any(_) | Goal::Class(..) => Vec::new(),
        }
    }

    /// The same, to be changed.
    pub fn terms_mut(&mut self) -> Vec<&mut Spanned<Term>> {
        match self {
            Goal::Call(_, terms) | Goal::Signature(_, terms) | Goal::Known(terms, _) => {
                terms.iter_mut().collect()
            }
            Goal::Compare(first, rest) => {
                let rest = rest.iter_mut().map(|(_, term)| term);
                std::iter::once(first).chain(rest).collect()
            }
            Goal::In(x, list) => vec![x, list],
            Goal::True | Goal::False | Goal::All(_) | Goal::Any(_) | Goal::Class(..) => Vec::new(),
        }
    }

    /// Calls `f` with every name in its terms, and with one that is of a class.
    pub fn for_each_name<'g>(&'g self, f: &mut dyn FnMut(&'g Ident)) {
        if let Goal::Class(name, _) = self {
            f(name);
        }
        for term in self.terms() {
            term.node.for_each_name(f);
        }
        for goal in self.parts() {
            goal.node.for_each_name(f);
        }
    }

    /// Does a name stand in it?
    pub fn speaks_of(&self, name: &str) -> bool {
        let mut speaks = false;
        self.for_each_name(&mut |own| speaks |= *own.node == *name);
        speaks
    }

    /// Calls `f` with the same names, to be changed.
    pub fn for_each_name_mut(&mut self, f: &mut dyn FnMut(&mut Ident)) {
        if let Goal::Class(name, _) = self {
            f(name);
        }
        for term in self.terms_mut() {
            term.node.for_each_name_mut(f);
        }
        for goal in self.parts_mut() {
            goal.node.for_each_name_mut(f);
        }
    }
}

impl Term {
    /// The terms that it is made of. The lists of an [`Term::Each`] stand before its body.
    pub fn parts(&self) -> Vec<&Spanned<Term>> {
        match self {
            Term::Name(_) | Term::Any | Term::Int(_) | Term::Float(_) => Vec::new(),
            Term::Text(_) | Term::Bool(_) | Term::None => Vec::new(),
            Term::List(members) => members.iter().filter_map(Element::term).collect(),
            Term::Call(_, args) => args.iter().collect(),
            Term::Sum(addends) => addends.iter().map(|(_, addend)| addend).collect(),
            Term::Chain(first, rest) => {
                let rest = rest.iter().map(|(_, factor)| factor);
                std::iter::once(&**first).chain(rest).collect()
            }
            Term::CeilDiv(a, b) | Term::Index(a, b) => vec![a, b],
            Term::Slice(of, from, to) => {
                let ends = [from, to].into_iter().flatten().map(|end| &**end);
                std::iter::once(&**of).chain(ends).collect()
            }
            Term::Each { body, lists, .. } => lists.iter().chain([&**body]).collect(),
        }
    }

    /// The same, to be changed.
    pub fn parts_mut(&mut self) -> Vec<&mut Spanned<Term>> {
        match self {
            Term::Name(_) | Term::Any | Term::Int(_) | Term::Float(_) => Vec::new(),
            Term::Text(_) | Term::Bool(_) | Term::None => Vec::new(),
            Term::List(members) => members.iter_mut().filter_map(Element::term_mut).collect(),
            Term::Call(_, args) => args.iter_mut().collect(),
            Term::Sum(addends) => addends.iter_mut().map(|(_, addend)| addend).collect(),
            Term::Chain(first, rest) => {
                let rest = rest.iter_mut().map(|(_, factor)| factor);
                std::iter::once(&mut **first).chain(rest).collect()
            }
            Term::CeilDiv(a, b) | Term::Index(a, b) => vec![a, b],
            Term::Slice(of, from, to) => {
                let ends = [from, to].into_iter().flatten().map(|end| &mut **end);
                std::iter::once(&mut **of).chain(ends).collect()
            }
            Term::Each { body, lists, .. } => lists.iter_mut().chain([&mut **body]).collect(),
        }
    }

    /// Calls `f` with every name in it, also with those of members that are known in it alone.
    pub fn for_each_name<'t>(&'t self, f: &mut dyn FnMut(&'t Ident)) {
        if let Term::Name(name) = self {
            f(name);
        }
        for part in self.parts() {
            part.node.for_each_name(f);
        }
    }

    /// Calls `f` with the same names, to be changed.
    pub fn for_each_name_mut(&mut self, f: &mut dyn FnMut(&mut Ident)) {
        if let Term::Name(name) = self {
            f(name);
        }
        for part in self.parts_mut() {
            part.node.for_each_name_mut(f);
        }
    }

    /// Does a name stand in it?
    pub fn speaks_of(&self, name: &str) -> bool {
        let mut speaks = false;
        self.for_each_name(&mut |own| speaks |= *own.node == *name);
        speaks
    }
}

impl Formal {
    /// Calls `f` with its name, with those in its pattern, and with that of its contents.
    pub fn for_each_name<'f>(&'f self, f: &mut dyn FnMut(&'f Ident)) {
        f(&self.name);
        match self.pattern.as_ref().map(|pattern| &pattern.node) {
            Some(Pattern::Tensor { dtype, dims }) => {
                match &dtype.node {
                    Dtypes::Name(name) => f(name),
                    Dtypes::Set(names) => names.iter().for_each(&mut *f),
                }
                let terms = dims.iter().filter_map(Element::term);
                terms.for_each(|term| term.node.for_each_name(f));
            }
            Some(Pattern::Term(term)) => term.node.for_each_name(f),
            None => {}
        }
        self.contents.iter().for_each(f);
    }

    /// Calls `f` with the same names, to be changed.
    pub fn for_each_name_mut(&mut self, f: &mut dyn FnMut(&mut Ident)) {
        f(&mut self.name);
        match self.pattern.as_mut().map(|pattern| &mut pattern.node) {
            Some(Pattern::Tensor { dtype, dims }) => {
                match &mut dtype.node {
                    Dtypes::Name(name) => f(name),
                    Dtypes::Set(names) => names.iter_mut().for_each(&mut *f),
                }
                let terms = dims.iter_mut().filter_map(Element::term_mut);
                terms.for_each(|term| term.node.for_each_name_mut(f));
            }
            Some(Pattern::Term(term)) => term.node.for_each_name_mut(f),
            None => {}
        }
        self.contents.iter_mut().for_each(f);
    }
}

impl Element {
    /// What stands there; none if it is any rest.
    pub fn term(&self) -> Option<&Spanned<Term>> {
        match self {
            Element::One(term) => Some(term),
            Element::Rest(rest) => rest.as_ref(),
        }
    }

    fn term_mut(&mut self) -> Option<&mut Spanned<Term>> {
        match self {
            Element::One(term) => Some(term),
            Element::Rest(rest) => rest.as_mut(),
        }
    }
}
