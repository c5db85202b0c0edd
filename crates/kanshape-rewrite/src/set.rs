//! Rules among themselves: which are the same, which take back what another does, which never come to an end.
//!
//! Sides are compared as [`Terms`]: a rule is used on the sides of another one where its left side has an instance there.
//! Whether it holds there is decided by types, for leaves of any rank.

use std::collections::BTreeMap;

use kanshape::Diagnostic;
use kanshape::control::{is_over, work};
use kanshape::{Control, Type};
use rustc_hash::FxHashMap;
use smallvec::smallvec;

use crate::condition::{self, Condition};
use crate::family;
use crate::program::Program;
use crate::rules::{Rule, Rules};
use crate::symbolic::{RuleUse, Symbolic};
use crate::terms::{Leaves, TermNo, Terms};

/// The steps of the solver for a set, those of comparing terms, and the most uses that are decided by types.
const STEPS: u64 = 1_000_000;
const STEPS_OF_TERMS: u64 = 8_000_000;
const MOST_USES: usize = 2_000;

/// What it costs to compile a rule, in units of work.
const WORK_OF_RULE: usize = 1_000;

/// What two rules of a set are to each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Relation {
    /// The same but for names.
    Same,
    /// The other one does what this one does, and more.
    Subsumed,
    /// The other one makes the left side again out of the right side.
    Undone,
    /// A rule matches what it has made: it never comes to an end.
    Loops,
}

impl Relation {
    /// `same`, `subsumed`, `undone`, `loops`.
    pub fn name(self) -> &'static str {
        match self {
            Relation::Same => "same",
            Relation::Subsumed => "subsumed",
            Relation::Undone => "undone",
            Relation::Loops => "loops",
        }
    }
}

/// A rule and what another one, or it itself, does to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Related {
    /// What they are to each other.
    pub relation: Relation,
    /// The name of the rule.
    pub rule: String,
    /// That of the other one; its own where it loops.
    pub other: String,
    /// What has to hold for that; none if it is not known whether it can hold.
    pub under: Option<Vec<String>>,
}

/// What is found out of a set of rules.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Set {
    /// In the order of the rules.
    pub related: Vec<Related>,
    /// The rules that were not compared with all others: that was too much.
    pub cut_off: Vec<String>,
}

/// A rule without variables, from left to right.
struct DirectedRule<'r> {
    rule: &'r Rule,
    /// The number of the rule in the set.
    number: usize,
    program: Program,
    condition: Option<Condition>,
    constants: Vec<bool>,
    left: Vec<TermNo>,
    right: Vec<TermNo>,
    /// The terms of its values.
    terms: Vec<TermNo>,
    /// What its author says of the leaves, which are called by their places.
    says: Vec<String>,
}

/// The rules of a set while they are compared.
struct ComparedRules<'r> {
    all: Vec<DirectedRule<'r>>,
    terms: Terms,
    /// The types of the values of both sides, by the number of the rule.
    types: FxHashMap<usize, Option<FxHashMap<TermNo, Type>>>,
    steps: u64,
    uses: usize,
    judges_values: bool,
    /// Are the sides other numbers? By the number of the rule.
    refuted: FxHashMap<usize, bool>,
    found: Set,
}

impl Rules {
    /// What the rules are to each other. A rule with `<=>` is one from left to right and one from right to left.
    ///
    /// # Errors
    /// A [`Diagnostic`] if a rule speaks of what is not known.
    pub fn related(&self) -> Result<Set, Diagnostic> {
        self.compared(false)
    }

    /// The same, where a rule whose sides are other numbers does nothing that another one does.
    ///
    /// # Errors
    /// A [`Diagnostic`] if a rule speaks of what is not known.
    pub fn related_with_values(&self) -> Result<Set, Diagnostic> {
        self.compared(true)
    }

    fn compared(&self, judges_values: bool) -> Result<Set, Diagnostic> {
        Control::default().run(STEPS, || {
            let mut compared = ComparedRules {
                all: Vec::new(),
                terms: Terms::default(),
                types: FxHashMap::default(),
                steps: STEPS_OF_TERMS,
                uses: MOST_USES,
                judges_values,
                refuted: FxHashMap::default(),
                found: Set::default(),
            };
            for (number, rule) in self.iter().enumerate() {
                work(WORK_OF_RULE);
                if is_over() {
                    compared.found.cut_off.push(rule.name().to_owned());
                    continue;
                }
                compared.add(number, rule)?;
            }
            compared.run();
            Ok(compared.found)
        })
    }
}

impl<'r> ComparedRules<'r> {
    fn add(&mut self, number: usize, rule: &'r Rule) -> Result<(), Diagnostic> {
        let family = family::of(rule.tree(), rule.relations(), rule.version())?;
        let trees = match &family {
            Some(family) => family.rules().cloned().collect(),
            None => vec![rule.tree().clone()],
        };
        let has_family = family.is_some();
        for tree in trees {
            let mut ways = vec![tree];
            if ways[0].both {
                let mut back = ways[0].clone();
                std::mem::swap(&mut back.left, &mut back.right);
                ways.push(back);
            }
            for tree in ways {
                match self.own(number, rule, &tree) {
                    Ok(own) => self.all.push(own),
                    // Some values of variables are none of an attribute, and not every rule can go backwards.
                    Err(_) if has_family || tree.both => {}
                    Err(mistake) => return Err(mistake),
                }
            }
        }
        Ok(())
    }

    fn own(
        &mut self,
        number: usize,
        rule: &'r Rule,
        tree: &kanshape::tree::relation::Rule,
    ) -> Result<DirectedRule<'r>, Diagnostic> {
        let (relations, source, opset) = (rule.relations(), rule.source(), rule.version());
        let (program, condition) = match condition::compiled(tree, relations, source, opset)? {
            (_, Some((condition, program))) => (program, Some(condition)),
            (program, None) => (program, None),
        };
        let constants = program.constants_of(tree);
        let terms = self.terms.of(&program, &constants);
        let of = |roots: &[usize]| roots.iter().map(|slot| terms[*slot]).collect();
        Ok(DirectedRule {
            rule,
            number,
            left: of(&program.left.roots),
            right: of(&program.right.roots),
            says: condition
                .iter()
                .flat_map(|own| own.says(&program))
                .collect(),
            program,
            condition,
            constants,
            terms,
        })
    }

    fn run(&mut self) {
        let is_same = self.same();
        // The rules that have a term with this operator as their left side.
        let mut by_head: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
        for (i, own) in self.all.iter().enumerate() {
            if let Some(head) = own.left.first().and_then(|root| self.terms.head_of(*root))
                && !is_same[i]
            {
                by_head.entry(head).or_default().push(i);
            }
        }
        let mut last_cut_off = None;
        let different = is_same.iter().enumerate().filter(|(_, is)| !**is);
        for (i, _) in different {
            if self.steps == 0 || self.uses == 0 || is_over() {
                let name = self.all[i].rule.name();
                if last_cut_off != Some(name) {
                    self.found.cut_off.push(name.to_owned());
                    last_cut_off = Some(name);
                }
                continue;
            }
            self.subsumed(i, &by_head);
            self.result(i, &by_head);
        }
    }

    /// Notes which rules are the same as one before them.
    fn same(&mut self) -> Vec<bool> {
        let mut first = FxHashMap::default();
        let mut is_same = vec![false; self.all.len()];
        for (i, own) in self.all.iter().enumerate() {
            let key = (own.left.clone(), own.right.clone(), own.says.clone());
            let before = *first.entry(key).or_insert(i);
            let other = &self.all[before];
            is_same[i] = before != i;
            if other.number != own.number {
                let related = Related {
                    relation: Relation::Same,
                    rule: own.rule.name().to_owned(),
                    other: other.rule.name().to_owned(),
                    under: Some(Vec::new()),
                };
                if !self.found.related.contains(&related) {
                    self.found.related.push(related);
                }
            }
        }
        is_same
    }

    /// Does another rule do what this one does?
    fn subsumed(&mut self, i: usize, by_head: &BTreeMap<u32, Vec<usize>>) {
        let (left, right) = (self.all[i].left.clone(), self.all[i].right.clone());
        let Some(head) = left.first().and_then(|root| self.terms.head_of(*root)) else {
            return;
        };
        for other in by_head.get(&head).into_iter().flatten() {
            if self.all[*other].number == self.all[i].number {
                continue;
            }
            let Some(leaves) = self.instance(*other, &left) else {
                continue;
            };
            let becomes = self.becomes(*other, &leaves);
            if becomes != right {
                continue;
            }
            let is_subsumed = self.says_all(*other, i, &leaves)
                || self.held(*other, i, &leaves) == Some(Vec::new());
            // One that is wrong is no reason to leave out one that is not.
            if is_subsumed && (!self.is_refuted(*other) || self.is_refuted(i)) {
                self.note(Relation::Subsumed, i, *other, Some(Vec::new()));
            }
        }
    }

    /// What can be done to the result of a rule: does it match again, or is it made what it was?
    fn result(&mut self, i: usize, by_head: &BTreeMap<u32, Vec<usize>>) {
        let (left, right) = (self.all[i].left.clone(), self.all[i].right.clone());
        for inner in self.terms.inside(&right) {
            let Some(head) = self.terms.head_of(inner) else {
                continue;
            };
            for other in by_head.get(&head).into_iter().flatten() {
                // Several outputs are a match at the roots alone.
                let is_root = right.first() == Some(&inner);
                let place: Vec<TermNo> = match self.all[*other].left.len() {
                    1 => vec![inner],
                    _ if is_root => right.clone(),
                    _ => continue,
                };
                let Some(leaves) = self.instance(*other, &place) else {
                    continue;
                };
                let is_own = *other == i;
                let becomes = self.becomes(*other, &leaves);
                let mut whole = right.clone();
                for (from, to) in place.iter().zip(&becomes) {
                    for root in &mut whole {
                        *root = self.terms.replaced(*root, *from, *to);
                    }
                }
                let is_back = whole == left;
                // The two ways of one rule take each other back by design.
                if self.all[*other].number == self.all[i].number && !is_own {
                    continue;
                }
                let relation = match is_own {
                    true => Relation::Loops,
                    false if is_back => Relation::Undone,
                    false => continue,
                };
                let under = self.use_of(*other, i, &leaves);
                match under {
                    RuleUse::Always(_) => self.note(relation, i, *other, Some(Vec::new())),
                    RuleUse::Depends(_) if self.says_all(*other, i, &leaves) => {
                        self.note(relation, i, *other, Some(Vec::new()));
                    }
                    RuleUse::Depends(needs) => self.note(relation, i, *other, Some(needs)),
                    RuleUse::Unknown(_) => self.note(relation, i, *other, None),
                    RuleUse::Never(_) => {}
                }
            }
        }
    }

    fn is_refuted(&mut self, own: usize) -> bool {
        if !self.judges_values {
            return false;
        }
        let own = &self.all[own];
        let is_refuted = self.refuted.entry(own.number);
        *is_refuted.or_insert_with(|| own.rule.is_refuted())
    }

    /// What the leaves of a rule are where these terms are its left side.
    fn instance(&mut self, other: usize, place: &[TermNo]) -> Option<Leaves> {
        let own = &self.all[other];
        if own.left.len() != place.len() {
            return None;
        }
        let mut leaves: Leaves = smallvec![None; own.program.leaves.len()];
        work(1);
        for (pattern, term) in own.left.iter().zip(place) {
            if !self
                .terms
                .is_instance(*pattern, *term, &mut leaves, &mut self.steps)
            {
                return None;
            }
        }
        Some(leaves)
    }

    /// What a rule makes of its left side with these leaves.
    fn becomes(&mut self, other: usize, leaves: &Leaves) -> Vec<TermNo> {
        let right = self.all[other].right.clone();
        let filled = right.iter().map(|root| self.terms.filled(*root, leaves));
        filled.collect()
    }

    /// Is all that a rule needs said by the other one in the same words?
    fn says_all(&self, other: usize, of: usize, leaves: &Leaves) -> bool {
        let (other, of) = (&self.all[other], &self.all[of]);
        let own = &of.terms[..of.constants.len()];
        let places: Option<Vec<usize>> = leaves
            .iter()
            .map(|leaf| own.iter().position(|term| Some(*term) == *leaf))
            .collect();
        let Some(places) = places else {
            return other.says.is_empty();
        };
        let Some(condition) = &other.condition else {
            return true;
        };
        let says = condition.says_at(&other.program, &places);
        says.iter().all(|goal| of.says.contains(goal))
    }

    fn held(&mut self, other: usize, of: usize, leaves: &Leaves) -> Option<Vec<String>> {
        match self.use_of(other, of, leaves) {
            RuleUse::Always(_) => Some(Vec::new()),
            RuleUse::Depends(needs) => Some(needs),
            RuleUse::Never(_) | RuleUse::Unknown(_) => None,
        }
    }

    /// What a rule comes to on these terms, which are of the other one.
    fn use_of(&mut self, other: usize, of: usize, leaves: &Leaves) -> RuleUse {
        let unknown = |why: &str| RuleUse::Unknown(why.to_owned());
        let Some(left) = self.uses.checked_sub(1) else {
            return unknown("there are too many uses");
        };
        self.uses = left;
        let all = &self.all;
        let types = self.types.entry(of).or_insert_with(|| values(&all[of]));
        let Some(types) = types else {
            return RuleUse::Never("its sides have no types".into());
        };
        let types: Option<Vec<Type>> = leaves
            .iter()
            .map(|leaf| types.get(leaf.as_ref()?).cloned())
            .collect();
        let Some(types) = types else {
            return unknown("a type is not known");
        };
        match symbolic(&all[other]) {
            Some(symbolic) => symbolic.on(&types),
            None => unknown("the rule can't be typed"),
        }
    }

    fn note(&mut self, relation: Relation, rule: usize, other: usize, under: Option<Vec<String>>) {
        let name = |i: usize| self.all[i].rule.name().to_owned();
        let related = Related {
            relation,
            rule: name(rule),
            other: name(other),
            under,
        };
        // Of rules that undo each other one line is enough.
        let is_there = |own: &Related| {
            own.relation == relation
                && (own.rule == related.rule && own.other == related.other
                    || relation == Relation::Undone
                        && own.rule == related.other
                        && own.other == related.rule)
        };
        if !self.found.related.iter().any(is_there) {
            self.found.related.push(related);
        }
    }
}

fn symbolic<'o>(own: &'o DirectedRule<'_>) -> Option<Symbolic<'o>> {
    let relations = own
        .condition
        .as_ref()
        .map_or(own.rule.relations(), |condition| &condition.relations);
    Symbolic::new(&own.program, own.condition.as_ref(), relations, 0).ok()
}

/// The types of the terms of a rule, as far as nothing is known of its leaves but what it says.
fn values(own: &DirectedRule<'_>) -> Option<FxHashMap<TermNo, Type>> {
    let types = symbolic(own)?.values()?;
    let all = own.terms.iter().copied().zip(types);
    Some(all.filter_map(|(term, ty)| Some((term, ty?))).collect())
}
