//! [`Condition`]: what the author of a rule says of its leaves, as operators without outputs.

use std::collections::{BTreeMap, BTreeSet};

use kanshape::tree::relation::{Element, Formal, Goal, Op, Rule, Term};
use kanshape::tree::{Ident, Sign, Spanned};
use kanshape::{Diagnostic, Dtype, Operator, Relations, diag::Source};

use crate::made;
use crate::program::{Program, conjuncts};

/// What the operators are called, with a number behind it. No file defines one of this name.
const NAME: &str = "__rule";

/// What has to hold of the leaves.
#[derive(Clone, Debug)]
pub(crate) struct Condition {
    /// All of them have to hold. No two share a variable, so each is decided by its own leaves.
    pub(crate) parts: Box<[ConditionPart]>,
    pub(crate) relations: Relations,
    /// The types of leaves and the goals, with the leaves by name.
    declared: Vec<Formal>,
    goals: Vec<Goal>,
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
    /// The types of the leaves and the goals of a rule, which stands in this text; none if it says nothing.
    fn of(
        rule: &Rule,
        program: &Program,
        relations: &Relations,
        source: Option<&Source>,
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
        spoken.goal(&mut body.node);
        let declared = rule.leaves.iter().filter(|leaf| leaf.pattern.is_some());
        let goals = conjuncts(&rule.body).into_iter();
        let mut groups: Vec<Group> = Vec::new();
        for formal in declared.clone() {
            let mut own = Group::default();
            formal.for_each_name(&mut |name| own.name(name, program, &spoken));
            own.formals
                .extend(program.leaf(&formal.name.node).zip(Some(formal)));
            own.join(&mut groups);
        }
        for goal in conjuncts(&body) {
            let mut own = Group::default();
            goal.node
                .for_each_name(&mut |name| own.name(name, program, &spoken));
            own.goals.push(goal.clone());
            own.join(&mut groups);
        }
        let leaves = groups.iter().map(|group| group.leaves.iter().copied());
        let leaves: Vec<Box<[usize]>> = leaves.map(Iterator::collect).collect();
        let name = |i: usize| format!("{NAME}{i}");
        let operators = groups.into_iter().enumerate();
        let operators = operators.map(|(i, group)| group.operator(&name(i), program, &spoken));
        let relations = relations.with_operators(operators).map_err(|mut mistake| {
            mistake.source = source.cloned();
            if source.is_none() {
                // Its places are of several texts, or of none.
                mistake.labels.clear();
            }
            mistake
        })?;
        let parts = leaves.into_iter().enumerate().map(|(i, leaves)| {
            Ok(ConditionPart {
                operator: relations.operator_of("", &name(i), None)?,
                leaves,
            })
        });
        let mut sizes = Vec::new();
        compared(&rule.body.node, &mut sizes);
        Ok(Some(Condition {
            sizes: sizes.into_iter().map(i64::unsigned_abs).collect(),
            parts: parts.collect::<Result<_, Diagnostic>>()?,
            relations,
            declared: declared.cloned().collect(),
            goals: goals.map(|goal| goal.node.clone()).collect(),
        }))
    }

    /// The goals with the leaves by place: equal for rules with the same goals.
    pub(crate) fn says(&self, program: &Program) -> Vec<String> {
        let places: Vec<usize> = (0..program.leaves.len()).collect();
        self.says_at(program, &places)
    }

    /// The same where the leaves have other places.
    pub(crate) fn says_at(&self, program: &Program, places: &[usize]) -> Vec<String> {
        let mut by_place = |name: &mut Ident| {
            if let Some(leaf) = program.leaf(&name.node) {
                let place = places.get(leaf).copied().unwrap_or(leaf);
                name.node = format!("${place}").into();
            }
        };
        let mut says: Vec<String> = Vec::new();
        for formal in &self.declared {
            let mut formal = formal.clone();
            formal.for_each_name_mut(&mut by_place);
            says.push(formal.to_string());
        }
        for goal in &self.goals {
            let mut goal = goal.clone();
            goal.for_each_name_mut(&mut by_place);
            says.push(goal.to_string());
        }
        says.sort_unstable();
        says.dedup();
        says
    }
}

/// A rule as steps; and if it has a precondition, that and the same steps of its relations.
pub(crate) fn compiled(
    rule: &Rule,
    relations: &Relations,
    source: Option<&Source>,
    opset: Option<u64>,
) -> Result<(Program, Option<(Condition, Program)>), Diagnostic> {
    let program = Program::compile(rule, relations, opset)?;
    let with = match Condition::of(rule, &program, relations, source)? {
        Some(condition) => {
            let program = Program::compile(rule, &condition.relations, opset)?;
            Some((condition, program))
        }
        None => None,
    };
    Ok((program, with))
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

/// Declarations of leaves, and goals, that share variables.
#[derive(Default)]
struct Group<'r> {
    leaves: BTreeSet<usize>,
    /// The leaves of which variables for the shape and the dtype are used.
    spoken: BTreeSet<usize>,
    names: BTreeSet<Box<str>>,
    formals: BTreeMap<usize, &'r Formal>,
    goals: Vec<Spanned<Goal>>,
}

impl<'r> Group<'r> {
    /// Adds a leaf or a variable by its name.
    fn name(&mut self, name: &Ident, program: &Program, spoken: &Spoken<'_>) {
        let mut types = spoken.types.iter();
        let of_leaf = types.find(|(_, own)| own.iter().any(|own| **own == *name.node));
        let leaf = of_leaf.map_or(&name.node, |(leaf, _)| leaf);
        if let Some(leaf) = program.leaf(leaf) {
            self.leaves.insert(leaf);
            self.spoken.extend(of_leaf.map(|_| leaf));
        } else if *name.node != *"_" && Dtype::named(&name.node).is_none() {
            self.names.insert(name.node.clone());
        }
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

    /// An operator that requires this.
    fn operator(self, name: &str, program: &Program, spoken: &Spoken<'_>) -> Op {
        let inputs = self.leaves.iter().map(|leaf| match self.formals.get(leaf) {
            Some(formal) => Formal::clone(formal),
            None => made::formal(&program.leaves[*leaf].name),
        });
        let types = self.spoken.iter().filter_map(|leaf| {
            let leaf = &program.leaves[*leaf].name;
            let [shape, dtype] = spoken.types.get(leaf)?;
            let tensor = made::call("Tensor", [made::name(shape), made::name(dtype)]);
            Some(made::nowhere(made::equal(&made::name(leaf), &tensor)))
        });
        let goals = types.chain(self.goals).collect();
        made::operator(name, Vec::new(), inputs.collect(), goals)
    }
}

/// `shape(A)`, `rank(A)` and `dtype(A)` become variables.
struct Spoken<'p> {
    program: &'p Program,
    /// The variables for the shape and the dtype of a leaf.
    types: BTreeMap<Box<str>, [String; 2]>,
}

impl Spoken<'_> {
    fn goal(&mut self, goal: &mut Goal) {
        for term in goal.terms_mut() {
            self.term(&mut term.node);
        }
        for part in goal.parts_mut() {
            self.goal(&mut part.node);
        }
    }

    fn term(&mut self, term: &mut Term) {
        let variable = match term {
            Term::Call(name, args) => self.variable(&name.node, args),
            _ => None,
        };
        match variable {
            Some(variable) => *term = variable,
            None => {
                for part in term.parts_mut() {
                    self.term(&mut part.node);
                }
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
        let mut known = |i: usize| {
            let own = self.types.entry(leaf.node.clone()).or_insert_with(fresh);
            made::name(&own[i])
        };
        match function {
            "shape" => Some(known(0)),
            "dtype" => Some(known(1)),
            "rank" => Some(made::call("len", [known(0)])),
            _ => None,
        }
    }
}
