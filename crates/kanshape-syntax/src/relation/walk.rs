//! The parts of goals and terms, from left to right, and the names in them.

use super::{Dtypes, Element, Formal, Goal, Pattern, Term};
use crate::tree::{Ident, Spanned};

/// What is gone through by reference and to be changed: one body for both.
macro_rules! walks {
    ([$($mut:tt)?] [$($life:lifetime)?] $iter:ident $slice:path, $parts:ident $terms:ident $names:ident $term:ident) => {
        impl Goal {
            /// The goals that it is made of.
            pub fn $parts(& $($mut)? self) -> & $($mut)? [Spanned<Goal>] {
                match self {
                    Goal::All(goals) | Goal::Any(goals) => goals,
                    Goal::Known(_, then) => $slice(& $($mut)? **then),
                    _ => & $($mut)? [],
                }
            }

            /// The terms that it is about, beside those of the goals in it.
            pub fn $terms(& $($mut)? self) -> Vec<& $($mut)? Spanned<Term>> {
                match self {
                    Goal::Call(_, terms) | Goal::Signature(_, terms) | Goal::Known(terms, _) => {
                        terms.$iter().collect()
                    }
                    Goal::Compare(first, rest) => {
                        let rest = rest.$iter().map(|(_, term)| term);
                        std::iter::once(first).chain(rest).collect()
                    }
                    Goal::In(x, list) => vec![x, list],
                    Goal::True | Goal::False | Goal::All(_) => Vec::new(),
                    Goal::Any(_) | Goal::Class(..) => Vec::new(),
                }
            }

            /// Calls `f` with every name in its terms, and with one that is of a class.
            pub fn $names<$($life)?>(
                & $($life)? $($mut)? self,
                f: &mut dyn FnMut(& $($life)? $($mut)? Ident),
            ) {
                if let Goal::Class(name, _) = self {
                    f(name);
                }
                for term in self.$terms() {
                    term.node.$names(f);
                }
                for goal in self.$parts() {
                    goal.node.$names(f);
                }
            }
        }

        impl Term {
            /// The terms that it is made of. The lists of an [`Term::Each`] stand before its body.
            pub fn $parts(& $($mut)? self) -> Vec<& $($mut)? Spanned<Term>> {
                match self {
                    Term::Name(_) | Term::Any | Term::Int(_) | Term::Float(_) => Vec::new(),
                    Term::Text(_) | Term::Bool(_) | Term::None => Vec::new(),
                    Term::List(members) => members.$iter().filter_map(Element::$term).collect(),
                    Term::Call(_, args) => args.$iter().collect(),
                    Term::Sum(addends) => addends.$iter().map(|(_, addend)| addend).collect(),
                    Term::Chain(first, rest) => {
                        let rest = rest.$iter().map(|(_, factor)| factor);
                        std::iter::once(& $($mut)? **first).chain(rest).collect()
                    }
                    Term::CeilDiv(a, b) | Term::Index(a, b) => vec![a, b],
                    Term::Slice(of, from, to) => {
                        let ends = [from, to].into_iter().flatten();
                        let ends = ends.map(|end| & $($mut)? **end);
                        std::iter::once(& $($mut)? **of).chain(ends).collect()
                    }
                    Term::Each { body, lists, .. } => {
                        lists.$iter().chain([& $($mut)? **body]).collect()
                    }
                }
            }

            /// Calls `f` with every name in it, also with those of members that are known in it alone.
            pub fn $names<$($life)?>(
                & $($life)? $($mut)? self,
                f: &mut dyn FnMut(& $($life)? $($mut)? Ident),
            ) {
                if let Term::Name(name) = self {
                    f(name);
                }
                for part in self.$parts() {
                    part.node.$names(f);
                }
            }
        }

        impl Formal {
            /// Calls `f` with its name, with those in its pattern, and with that of its contents.
            pub fn $names<$($life)?>(
                & $($life)? $($mut)? self,
                f: &mut dyn FnMut(& $($life)? $($mut)? Ident),
            ) {
                f(& $($mut)? self.name);
                let pattern = self.pattern.$iter().next();
                match pattern.map(|pattern| & $($mut)? pattern.node) {
                    Some(Pattern::Tensor { dtype, dims }) => {
                        match & $($mut)? dtype.node {
                            Dtypes::Name(name) => f(name),
                            Dtypes::Set(names) => names.$iter().for_each(&mut *f),
                        }
                        let terms = dims.$iter().filter_map(Element::$term);
                        terms.for_each(|term| term.node.$names(f));
                    }
                    Some(Pattern::Term(term)) => term.node.$names(f),
                    None => {}
                }
                self.contents.$iter().for_each(f);
            }
        }

        impl Element {
            /// What stands there; none if it is any rest.
            pub fn $term(& $($mut)? self) -> Option<& $($mut)? Spanned<Term>> {
                match self {
                    Element::One(term) => Some(term),
                    Element::Rest(Some(rest)) => Some(rest),
                    Element::Rest(None) => None,
                }
            }
        }
    };
}

walks!([] ['g] iter std::slice::from_ref, parts terms for_each_name term);
walks!([mut] [] iter_mut std::slice::from_mut, parts_mut terms_mut for_each_name_mut term_mut);

impl Goal {
    /// Does a name stand in it?
    pub fn speaks_of(&self, name: &str) -> bool {
        let mut speaks = false;
        self.for_each_name(&mut |own| speaks |= *own.node == *name);
        speaks
    }
}

impl Term {
    /// Does a name stand in it?
    pub fn speaks_of(&self, name: &str) -> bool {
        let mut speaks = false;
        self.for_each_name(&mut |own| speaks |= *own.node == *name);
        speaks
    }
}
