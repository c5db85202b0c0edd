//! [`Terms`]: the sides of rules as terms. Equal terms have one number, and a term has a greater one than what is in it.

use std::collections::BTreeSet;

use kanshape::tree::relation::{Applied, Node};
use kanshape::{AttrValue, Operator};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::made;
use crate::program::{Program, Slot};

/// The number of a term.
pub(crate) type TermNo = u32;

/// A term. Leaves are called by their place, so that terms which differ in names alone are equal.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Term {
    Leaf {
        place: usize,
        /// It is a constant of the program.
        is_constant: bool,
    },
    /// A constant that is written.
    Written(String),
    Call {
        /// The operator with all its attributes.
        head: u32,
        inputs: SmallVec<[Option<TermNo>; 3]>,
        output: usize,
    },
}

/// What the leaves of a pattern are.
pub(crate) type Leaves = SmallVec<[Option<TermNo>; 4]>;

#[derive(Default)]
pub(crate) struct Terms {
    terms: Vec<Term>,
    numbers: FxHashMap<Term, TermNo>,
    heads: FxHashMap<String, u32>,
}

impl Terms {
    pub(crate) fn number(&mut self, term: Term) -> TermNo {
        if let Some(known) = self.numbers.get(&term) {
            return *known;
        }
        let number = self.terms.len() as TermNo;
        self.terms.push(term.clone());
        self.numbers.insert(term, number);
        number
    }

    /// The terms of all values of a program. `constants` says which leaves are constants.
    pub(crate) fn of(&mut self, program: &Program, constants: &[bool]) -> Vec<TermNo> {
        let mut of_slot: Vec<TermNo> = vec![0; program.slots];
        for (place, is_constant) in constants.iter().enumerate() {
            let is_constant = *is_constant;
            of_slot[place] = self.number(Term::Leaf { place, is_constant });
        }
        for (slot, ty) in &program.constants {
            of_slot[*slot] = self.number(Term::Written(ty.to_string()));
        }
        for step in &program.steps {
            let head = self.head(&step.operator, &step.attrs);
            let inputs = step.inputs.iter();
            let mut inputs: SmallVec<[Option<TermNo>; 3]> = inputs
                .map(|slot| slot.map(|slot: Slot| of_slot[slot]))
                .collect();
            // What is left out at the end need not be written.
            while inputs.last().is_some_and(Option::is_none) {
                inputs.pop();
            }
            for output in 0..step.outputs {
                let inputs = inputs.clone();
                of_slot[step.first + output] = self.number(Term::Call {
                    head,
                    inputs,
                    output,
                });
            }
        }
        of_slot
    }

    /// An operator with its attributes: one that is not written has its default.
    pub(crate) fn head(&mut self, operator: &Operator, attrs: &[(Box<str>, AttrValue)]) -> u32 {
        let mut text = operator.full_name();
        for attribute in operator.attributes() {
            let own = attrs.iter().find(|own| *own.0 == *attribute.name);
            if let Some(value) = own.map(|own| &own.1).or(attribute.default) {
                text += &format!(" {}={value}", attribute.name);
            }
        }
        let next = self.heads.len() as u32;
        *self.heads.entry(text).or_insert(next)
    }

    /// The operator of a term with its attributes.
    pub(crate) fn head_of(&self, term: TermNo) -> Option<u32> {
        match &self.terms[term as usize] {
            Term::Call { head, .. } => Some(*head),
            _ => None,
        }
    }

    /// Is a term an instance of a pattern? `leaves` are what its leaves are as far as that is known. `steps` are taken.
    pub(crate) fn is_instance(
        &self,
        pattern: TermNo,
        term: TermNo,
        leaves: &mut Leaves,
        steps: &mut u64,
    ) -> bool {
        let mut open = vec![(pattern, term)];
        while let Some((pattern, term)) = open.pop() {
            let Some(left) = steps.checked_sub(1) else {
                return false;
            };
            *steps = left;
            match (&self.terms[pattern as usize], &self.terms[term as usize]) {
                (Term::Leaf { place, is_constant }, own) => {
                    let fits = match own {
                        Term::Leaf { is_constant, .. } => *is_constant,
                        Term::Written(_) => true,
                        Term::Call { .. } => false,
                    };
                    if *is_constant && !fits || leaves[*place].is_some_and(|own| own != term) {
                        return false;
                    }
                    leaves[*place] = Some(term);
                }
                (
                    Term::Call {
                        head: a,
                        inputs: x,
                        output: i,
                    },
                    Term::Call {
                        head: b,
                        inputs: y,
                        output: j,
                    },
                ) => {
                    if a != b || i != j || x.len() != y.len() {
                        return false;
                    }
                    for (x, y) in x.iter().zip(y) {
                        match (x, y) {
                            (Some(x), Some(y)) => open.push((*x, *y)),
                            (None, None) => {}
                            _ => return false,
                        }
                    }
                }
                (a, b) => {
                    if a != b {
                        return false;
                    }
                }
            }
        }
        true
    }

    /// A term with all that is in it, what is inside before what it is in.
    pub(crate) fn inside(&self, roots: &[TermNo]) -> BTreeSet<TermNo> {
        let mut found = BTreeSet::new();
        let mut open = roots.to_vec();
        while let Some(term) = open.pop() {
            if !found.insert(term) {
                continue;
            }
            if let Term::Call { inputs, .. } = &self.terms[term as usize] {
                open.extend(inputs.iter().flatten());
            }
        }
        found
    }

    /// The operators in a term, those in equal ones as often as these stand in it.
    pub(crate) fn size(&self, term: TermNo) -> usize {
        let mut sizes: FxHashMap<TermNo, usize> = FxHashMap::default();
        for own in self.inside(&[term]) {
            let size = match &self.terms[own as usize] {
                Term::Call { inputs, .. } => {
                    let inputs = inputs.iter().flatten();
                    let sizes = inputs.map(|input| sizes.get(input).copied().unwrap_or(0));
                    sizes.fold(1_usize, usize::saturating_add)
                }
                Term::Leaf { .. } | Term::Written(_) => 0,
            };
            sizes.insert(own, size);
        }
        sizes.get(&term).copied().unwrap_or(0)
    }

    /// The places of the leaves in a term, from left to right, each once.
    pub(crate) fn leaves_in_order(&self, term: TermNo) -> Vec<usize> {
        let mut found = Vec::new();
        let mut open = vec![term];
        while let Some(term) = open.pop() {
            match &self.terms[term as usize] {
                Term::Leaf { place, .. } if !found.contains(place) => found.push(*place),
                Term::Leaf { .. } | Term::Written(_) => {}
                Term::Call { inputs, .. } => open.extend(inputs.iter().rev().flatten()),
            }
        }
        found
    }

    /// A term as a tree. `call` is an operator with its attributes; none if a constant stands in the term.
    pub(crate) fn node(&self, term: TermNo, call: &dyn Fn(u32) -> Option<Applied>) -> Option<Node> {
        let mut nodes: FxHashMap<TermNo, Node> = FxHashMap::default();
        for own in self.inside(&[term]) {
            let node = match &self.terms[own as usize] {
                Term::Leaf { place, .. } => Node::Leaf(made::ident(&match u8::try_from(*place) {
                    Ok(place @ 0..26) => char::from(b'A' + place).to_string(),
                    _ => format!("X{place}"),
                })),
                Term::Written(_) => return None,
                Term::Call { head, inputs, .. } => {
                    let args = inputs.iter().map(|input| match input {
                        Some(input) => nodes.get(input).cloned().map(made::nowhere),
                        None => Some(made::nowhere(Node::None)),
                    });
                    let args = args.collect::<Option<_>>()?;
                    let call = call(*head)?;
                    Node::Call(Box::new(Applied { args, ..call }))
                }
            };
            nodes.insert(own, node);
        }
        nodes.remove(&term)
    }

    /// A pattern with these terms for its leaves.
    pub(crate) fn filled(&mut self, pattern: TermNo, leaves: &Leaves) -> TermNo {
        self.changed(pattern, |_, term| match term {
            Term::Leaf { place, .. } => leaves.get(*place).copied().flatten(),
            _ => None,
        })
    }

    /// A term with one term in it replaced by another.
    pub(crate) fn replaced(&mut self, root: TermNo, from: TermNo, to: TermNo) -> TermNo {
        self.changed(root, |own, _| (own == from).then_some(to))
    }

    fn changed(
        &mut self,
        root: TermNo,
        change: impl Fn(TermNo, &Term) -> Option<TermNo>,
    ) -> TermNo {
        let mut new: FxHashMap<TermNo, TermNo> = FxHashMap::default();
        for own in self.inside(&[root]) {
            let term = self.terms[own as usize].clone();
            let becomes = match (change(own, &term), term) {
                (Some(other), _) => other,
                (
                    None,
                    Term::Call {
                        head,
                        mut inputs,
                        output,
                    },
                ) => {
                    for input in inputs.iter_mut().flatten() {
                        *input = new.get(input).copied().unwrap_or(*input);
                    }
                    self.number(Term::Call {
                        head,
                        inputs,
                        output,
                    })
                }
                (None, _) => own,
            };
            new.insert(own, becomes);
        }
        new.get(&root).copied().unwrap_or(root)
    }
}
