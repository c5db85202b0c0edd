//! [`Enumerate`]: all rules between small terms of some operators that keep types for all shapes.
//!
//! Terms are made from small to large. A term that an earlier rule makes smaller is left out, with every term that contains
//! it: its rules follow from that one. The others are evaluated on leaves of a few types, and a term is tried as the right
//! side of another one where it has its types there. Whether it has them for all shapes is then checked.

use std::collections::BTreeMap;

use kanshape::control::{is_over, work};
use kanshape::tree::relation::{self, Applied, Node};
use kanshape::{Control, Diagnostic, Dim, Dtype, Operator, Relations, Shape, Tensor, Type};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::{SmallVec, smallvec};

use crate::code;
use crate::condition;
use crate::family;
use crate::ground::{CallTable, Memory, TypeNo};
use crate::made;
use crate::program::{self, Program};
use crate::rules::{Rule, Rules};
use crate::soundness::{Bounds, Sound};
use crate::terms::{Leaves, Term, TermNo, Terms};

/// The most types of terms that are kept, for all choices of the types of leaves together, and the most pairs that are checked.
const MOST_TYPES: usize = 6_000_000;
const MOST_CHECKED: usize = 500;
/// The most choices of inputs that are tried for the terms of a size.
const MOST_CHOICES: usize = 4_000_000;
/// The steps of the solver.
const STEPS: u64 = 50_000_000;
/// The most terms that are tried as the right side of one.
const MOST_TRIED: usize = 12;
/// The most leaves of a term.
const MOST_LEAVES: usize = 4;
/// The types on which terms are evaluated.
const SIZES: [&[u64]; 9] = [
    &[],
    &[1],
    &[3],
    &[2, 3],
    &[3, 2],
    &[2, 2],
    &[1, 3],
    &[0, 2],
    &[2, 3, 2],
];

/// A search for rules.
#[derive(Clone, Debug)]
pub struct Enumerate {
    relations: Relations,
    ops: Vec<String>,
    size: usize,
    leaves: usize,
    known: Rules,
    opset: Option<u64>,
    bounds: Bounds,
    types_only: bool,
}

/// The rules that were found.
#[derive(Clone, Debug, Default)]
pub struct Enumerated {
    /// Each is *always*, and its values are not refuted. Those with the smallest left side come first.
    pub rules: Vec<Rule>,
    /// What was too much, a line each.
    pub cut_off: Vec<String>,
}

/// An operator with attributes.
struct OperatorChoice {
    head: u32,
    inputs: usize,
    /// A call of it.
    call: Applied,
}

/// A term that no rule makes smaller.
struct MadeTerm {
    term: TermNo,
    leaves: Vec<usize>,
    /// Its type for each choice of the types of the leaves; none where it has none.
    types: Vec<Option<TypeNo>>,
}

/// A rule that has been found, or was known.
struct Oriented {
    left: TermNo,
    right: TermNo,
    leaves: usize,
}

impl Enumerate {
    /// Of terms of these operators: `onnx::Add`, `onnx::Transpose[perm = [1, 0]]`. An attribute that has to be given and is
    /// not is tried with small values.
    pub fn new(relations: &Relations, ops: impl IntoIterator<Item = String>) -> Enumerate {
        Enumerate {
            relations: relations.clone(),
            ops: ops.into_iter().collect(),
            size: 2,
            leaves: 3,
            known: Rules::default(),
            opset: None,
            bounds: Bounds::default(),
            types_only: false,
        }
    }

    /// Rules that keep types are found, whether both sides are the same numbers or not.
    #[must_use]
    pub fn types_only(mut self, types_only: bool) -> Enumerate {
        self.types_only = types_only;
        self
    }

    /// The most operators of a side: 2 unless given.
    #[must_use]
    pub fn size(mut self, size: usize) -> Enumerate {
        self.size = size;
        self
    }

    /// The most leaves of a side: 3 unless given, and never more than 4.
    #[must_use]
    pub fn leaves(mut self, leaves: usize) -> Enumerate {
        self.leaves = leaves.min(MOST_LEAVES);
        self
    }

    /// These are known: they are not found again, and neither is what follows from them.
    #[must_use]
    pub fn known(mut self, rules: Rules) -> Enumerate {
        self.known = rules;
        self
    }

    /// The operators are those of this version of their set.
    #[must_use]
    pub fn opset(mut self, version: Option<u64>) -> Enumerate {
        self.opset = version;
        self
    }

    /// How far rules are checked.
    #[must_use]
    pub fn bounds(mut self, bounds: Bounds) -> Enumerate {
        self.bounds = bounds;
        self
    }

    /// Looks for the rules.
    ///
    /// # Errors
    /// A [`Diagnostic`] if an operator is not known, or has no such attribute.
    pub fn run(&self) -> Result<Enumerated, Diagnostic> {
        Control::default().run(STEPS, || self.search())
    }

    fn search(&self) -> Result<Enumerated, Diagnostic> {
        let memory = Memory::default();
        let mut search = RuleSearch {
            of: self,
            table: CallTable::new(&self.relations),
            terms: Terms::default(),
            ops: Vec::new(),
            made: Vec::new(),
            by_type: FxHashMap::default(),
            oriented: Vec::new(),
            by_head: BTreeMap::new(),
            found: Enumerated::default(),
            checked: 0,
            tried: FxHashSet::default(),
            memory,
        };
        for text in &self.ops {
            search.op(text)?;
        }
        search.know(&self.known)?;
        search.run();
        Ok(search.found)
    }
}

struct RuleSearch<'e> {
    of: &'e Enumerate,
    table: CallTable,
    terms: Terms,
    ops: Vec<OperatorChoice>,
    made: Vec<MadeTerm>,
    /// The terms of a type on a choice of types.
    by_type: FxHashMap<(usize, TypeNo), Vec<usize>>,
    oriented: Vec<Oriented>,
    /// The ways of these rules that begin with an operator: their number, and whether backwards.
    by_head: BTreeMap<u32, Vec<(usize, bool)>>,
    found: Enumerated,
    checked: usize,
    /// The pairs that have been checked.
    tried: FxHashSet<(TermNo, TermNo)>,
    memory: Memory,
}

/// How large a term is: what a rule makes smaller is left out.
type Weight = (usize, TermNo);

impl RuleSearch<'_> {
    /// An operator, with each choice of attributes that have to be given and are not.
    fn op(&mut self, text: &str) -> Result<(), Diagnostic> {
        let tree = relation::parse_rule(&format!("{text}(X) => X"))?;
        let Some(Node::Call(call)) = tree.left.first().map(|node| &node.node) else {
            return Err(Diagnostic::new(
                code::ATTRIBUTE,
                format!("`{text}` is no operator"),
            ));
        };
        let operator = program::operator(&self.of.relations, "", call, self.of.opset)?;
        let is_given = |name: &str| call.attrs.iter().any(|own| *own.0.node == *name);
        let open = operator.attributes().filter(|attribute| {
            !attribute.optional && attribute.default.is_none() && !is_given(attribute.name)
        });
        let mut choices = vec![Applied::clone(call)];
        for attribute in open {
            let kind = match attribute.is_list() {
                true => "ints",
                false => "int",
            };
            let values = family::domain(kind);
            let with = |call: Applied| {
                let name = made::ident(attribute.name);
                let values = values.iter().cloned();
                values.map(move |value| {
                    let mut call = call.clone();
                    call.attrs.push((name.clone(), made::nowhere(value)));
                    call
                })
            };
            choices = choices.into_iter().flat_map(with).collect();
        }
        for call in choices {
            // A value that the attribute does not have.
            let _ = self.with_attrs(&operator, call);
        }
        Ok(())
    }

    fn with_attrs(&mut self, operator: &Operator, call: Applied) -> Result<(), Diagnostic> {
        let formals: Vec<_> = operator.inputs().collect();
        let needed = formals.iter().filter(|f| !f.optional && !f.variadic);
        let several = formals.iter().any(|formal| formal.variadic);
        // Of any number of operands two are tried.
        let inputs = needed.count() + if several { 2 } else { 0 };
        let leaf = |i| made::nowhere(Node::Leaf(made::ident(&format!("X{i}"))));
        let call = Applied {
            args: (0..inputs).map(leaf).collect(),
            ..call
        };
        let side = Node::Call(Box::new(call.clone()));
        let tree = made::rule("", side.clone(), side, false);
        let program = Program::compile(&tree, &self.of.relations, self.of.opset)?;
        let Some(step) = program.steps.first() else {
            return Ok(());
        };
        let head = self.terms.head(&step.operator, &step.attrs);
        self.table.prepare(head, &program)?;
        self.ops.push(OperatorChoice { head, inputs, call });
        Ok(())
    }

    /// Takes rules for known. Those under a condition say nothing of all shapes.
    fn know(&mut self, rules: &Rules) -> Result<(), Diagnostic> {
        for rule in rules.iter() {
            let family = family::of(rule.tree(), rule.relations(), self.of.opset)?;
            let trees = match &family {
                Some(family) => family.rules().cloned().collect(),
                None => vec![rule.tree().clone()],
            };
            for tree in trees {
                let compiled = condition::compiled(&tree, rule.relations(), None, self.of.opset);
                let Ok((program, None)) = compiled else {
                    continue;
                };
                let constants = program.constants_of(&tree);
                if constants.contains(&true) {
                    continue;
                }
                let terms = self.terms.of(&program, &constants);
                if let ([left], [right]) = (&program.left.roots[..], &program.right.roots[..]) {
                    self.orient(terms[*left], terms[*right], constants.len(), tree.both);
                }
            }
        }
        Ok(())
    }

    fn orient(&mut self, left: TermNo, right: TermNo, leaves: usize, both: bool) {
        let number = self.oriented.len();
        for (side, back) in [(left, false), (right, true)] {
            if back && !both {
                continue;
            }
            if let Some(head) = self.terms.head_of(side) {
                self.by_head.entry(head).or_default().push((number, back));
            }
        }
        self.oriented.push(Oriented {
            left,
            right,
            leaves,
        });
    }

    fn weight(&self, term: TermNo) -> Weight {
        (self.terms.size(term), term)
    }

    /// Does a rule make a term smaller? What is inside of it has been made, so that no rule does so there.
    fn is_reducible(&mut self, term: TermNo) -> bool {
        let Some(head) = self.terms.head_of(term) else {
            return false;
        };
        let ways = self.by_head.get(&head).cloned().unwrap_or_default();
        for (number, back) in ways {
            let own = &self.oriented[number];
            let (from, to) = match back {
                false => (own.left, own.right),
                true => (own.right, own.left),
            };
            let mut leaves: Leaves = smallvec![None; own.leaves];
            let mut steps = u64::MAX;
            if self.terms.is_instance(from, term, &mut leaves, &mut steps) {
                let becomes = self.terms.filled(to, &leaves);
                if self.weight(becomes) < self.weight(term) {
                    return true;
                }
            }
        }
        false
    }

    fn run(&mut self) {
        let choices = self.choices();
        for place in 0..self.of.leaves {
            let term = self.terms.number(Term::Leaf {
                place,
                is_constant: false,
            });
            let types = (0..choices).map(|choice| Some(self.sample(choice, place)));
            let types = types.collect();
            self.push(term, types);
        }
        // Where the terms of each size end.
        let mut ends = vec![self.made.len()];
        for size in 1..=self.of.size {
            if !self.of_size(size, &ends) {
                self.found.cut_off.push(format!(
                    "terms of {size} operators and more: there are too many"
                ));
                return;
            }
            ends.push(self.made.len());
        }
    }

    /// Of more leaves fewer shapes are tried.
    fn shapes(&self) -> usize {
        if self.of.leaves < MOST_LEAVES {
            SIZES.len()
        } else {
            5
        }
    }

    /// The number of choices of the types of leaves.
    fn choices(&self) -> usize {
        self.shapes().pow(self.of.leaves as u32)
    }

    /// The type of a leaf in a choice.
    fn sample(&mut self, choice: usize, place: usize) -> TypeNo {
        let at = choice / self.shapes().pow(place as u32) % self.shapes();
        let shape = Shape::known(SIZES[at].iter().copied().map(Dim::Size));
        self.table
            .number(&Type::from(Tensor::new(Dtype::F32, shape)))
    }

    /// Makes the terms of this many operators; false if that is too much. `ends` are where the terms of smaller sizes end.
    fn of_size(&mut self, size: usize, ends: &[usize]) -> bool {
        let mut left = MOST_CHOICES;
        for op in 0..self.ops.len() {
            let inputs = self.ops[op].inputs;
            if inputs == 0 {
                continue;
            }
            let mut at: SmallVec<[usize; 4]> = smallvec![0; inputs];
            loop {
                let sizes = at
                    .iter()
                    .map(|i| ends.iter().filter(|end| *i >= **end).count());
                if sizes.sum::<usize>() + 1 == size && !self.make(op, &at) {
                    return false;
                }
                work(1);
                left -= 1;
                if left == 0 || left.is_multiple_of(4096) && is_over() {
                    return false;
                }
                // The next choice of inputs.
                let Some(i) = (0..inputs).rfind(|i| at[*i] + 1 < ends[size - 1]) else {
                    break;
                };
                at[i] += 1;
                at[i + 1..].fill(0);
            }
        }
        true
    }

    fn make(&mut self, op: usize, at: &[usize]) -> bool {
        let (head, inputs) = (self.ops[op].head, at.iter());
        let term = self.terms.number(Term::Call {
            head,
            inputs: inputs.map(|i| Some(self.made[*i].term)).collect(),
            output: 0,
        });
        if self.made.len().saturating_mul(self.choices()) >= MOST_TYPES || is_over() {
            return false;
        }
        if self.is_reducible(term) {
            return true;
        }
        let choices = self.choices();
        let mut types = Vec::with_capacity(choices);
        for choice in 0..choices {
            let inputs = at.iter().map(|i| self.made[*i].types[choice]);
            let inputs: Option<SmallVec<[TypeNo; 4]>> = inputs.collect();
            types.push(inputs.and_then(|inputs| self.table.first_output(head, inputs)));
        }
        work(choices / 8);
        // What has no type anywhere says nothing.
        if types.iter().all(Option::is_none) {
            return true;
        }
        self.find(term, &types);
        if !self.is_reducible(term) {
            self.push(term, types);
        }
        true
    }

    fn push(&mut self, term: TermNo, types: Vec<Option<TypeNo>>) {
        let leaves = self.terms.leaves_in_order(term);
        let number = self.made.len();
        for (choice, ty) in types.iter().enumerate() {
            if let Some(ty) = ty {
                self.by_type.entry((choice, *ty)).or_default().push(number);
            }
        }
        self.made.push(MadeTerm {
            term,
            leaves,
            types,
        });
    }

    /// Finds the rules with this term as the left side.
    fn find(&mut self, left: TermNo, types: &[Option<TypeNo>]) {
        let leaves = self.terms.leaves_in_order(left);
        // The choice for which the fewest terms have the type.
        let typed = types
            .iter()
            .enumerate()
            .filter_map(|(i, ty)| Some((i, (*ty)?)));
        let count = |key: &(usize, TypeNo)| self.by_type.get(key).map_or(0, Vec::len);
        let Some(key) = typed.min_by_key(count) else {
            return;
        };
        let others = self.by_type.get(&key).cloned().unwrap_or_default();
        let fits = |other: &usize| {
            let own = &self.made[*other];
            let mut pairs = types.iter().zip(&own.types);
            own.leaves.iter().all(|leaf| leaves.contains(leaf))
                && pairs.all(|(a, b)| a.is_none() || a == b)
        };
        let fitting: Vec<usize> = others.into_iter().filter(fits).take(MOST_TRIED).collect();
        for other in fitting {
            if self.checked >= MOST_CHECKED || is_over() {
                let line = "pairs of terms: there are too many to check";
                if !self.found.cut_off.iter().any(|own| own == line) {
                    self.found.cut_off.push(line.to_owned());
                }
                return;
            }
            let is_same_leaves = self.made[other].leaves.len() == leaves.len();
            // The leaves are called in the order in which they stand on the left.
            let (left, right) = self.renamed(left, self.made[other].term, &leaves);
            if !self.tried.insert((left, right)) {
                continue;
            }
            self.checked += 1;
            let Some(mut rule) = self.rule(left, right, false) else {
                continue;
            };
            let soundness = rule.check();
            if soundness.verdict != Sound::Always || !self.of.types_only && rule.is_refuted() {
                continue;
            }
            let both = is_same_leaves && soundness.backward == Some(true);
            if both {
                rule = self.rule(left, right, true).unwrap_or(rule);
            }
            self.found.rules.push(rule);
            self.orient(left, right, leaves.len(), both);
            return;
        }
    }

    /// Two terms with these leaves called by their numbers in the list.
    fn renamed(&mut self, left: TermNo, right: TermNo, leaves: &[usize]) -> (TermNo, TermNo) {
        let mut names: Leaves = smallvec![None; self.of.leaves];
        for (place, leaf) in leaves.iter().enumerate() {
            let is_constant = false;
            names[*leaf] = Some(self.terms.number(Term::Leaf { place, is_constant }));
        }
        let left = self.terms.filled(left, &names);
        (left, self.terms.filled(right, &names))
    }

    /// The rule between two terms, with a name.
    fn rule(&self, left: TermNo, right: TermNo, both: bool) -> Option<Rule> {
        let call = |head: u32| {
            let op = self.ops.iter().find(|op| op.head == head);
            op.map(|op| op.call.clone())
        };
        let side = |term| self.terms.node(term, &call);
        let name = format!("r{}", self.found.rules.len() + 1);
        let tree = made::rule(&name, side(left)?, side(right)?, both);
        let rule = Rule::new(tree, &self.of.relations, &self.memory);
        Some(rule.opset(self.of.opset).bounds(self.of.bounds))
    }
}
