//! Rules with variables in attributes and constants: a family of rules without, which are checked one by one.
//!
//! The values of the variables are small ones. What the goals say of them decides which of the values go together, and
//! what is found holds up to these.

use std::collections::BTreeSet;

use kanshape::control::is_over;
use kanshape::tree::relation::{self, Attr, Goal, Node, Term};
use kanshape::{AttrValue, Call, Diagnostic, Operator, Relations};

use crate::condition::compared;
use crate::goals::VariableValue;
use crate::made::{self, int, name as named};
use crate::program;

mod search;
mod together;
mod values;

use search::VariableSearch;
pub(crate) use values::{domain, int_of, ints_of, term};
use values::{known, weight};

/// The most members of a family that are checked.
const MOST_MEMBERS: usize = 72;
/// The most values of a variable that are taken from what the goals say of it.
const MOST_VALUES: usize = 12;
/// What an operator about variables is called. No file defines one of this name.
const VALUE: &str = "__value";
/// The steps of a question about variables alone.
const STEPS: u64 = 50_000;

/// A variable, and what it may be.
#[derive(Clone, Debug)]
struct FamilyVariable {
    name: Box<str>,
    /// `int`, `ints`, `bool`, ...
    kind: &'static str,
    /// It stands on the left side.
    is_left: bool,
}

/// The rules that a rule with variables denotes.
pub(crate) struct Family {
    /// Those for which the goals about variables hold come first.
    members: Vec<FamilyMember>,
    /// There are more.
    is_cut_off: bool,
}

/// A rule without variables.
pub(crate) struct FamilyMember {
    pub(crate) rule: relation::Rule,
    /// The same with the values as goals, so that others may speak of the variables.
    pub(crate) with_values: relation::Rule,
    pub(crate) values: Vec<(Box<str>, String)>,
    /// The same values, for goals.
    pub(crate) known: Vec<VariableValue>,
    /// The goals about variables alone do not hold of the values.
    is_excluded: bool,
}

/// The family of a rule; none if it has no variables.
pub(crate) fn of(
    rule: &relation::Rule,
    relations: &Relations,
    opset: Option<u64>,
) -> Result<Option<Family>, Diagnostic> {
    let mut found = VariableSearch {
        rule,
        relations,
        opset,
        variables: Vec::new(),
        is_left: true,
    };
    rule.left
        .iter()
        .try_for_each(|node| found.node(&node.node))?;
    found.is_left = false;
    rule.right
        .iter()
        .try_for_each(|node| found.node(&node.node))?;
    let mut variables = found.variables;
    if variables.is_empty() {
        return Ok(None);
    }
    // Values of the left side are given by a match; the others follow from them.
    variables.sort_by_key(|v| !v.is_left);
    let builder = FamilyBuilder {
        rule,
        relations,
        goals: goals_of_variables(rule, &variables),
    };
    let stated = builder.stated(&variables);
    let is_about_leaves = builder.goals.len() < goals(rule).len() || has_types(rule);
    let mut family = Family {
        members: Vec::new(),
        is_cut_off: false,
    };
    for values in builder.choices(&variables, &mut family.is_cut_off) {
        let holds = stated
            .as_ref()
            .map_or(Some(builder.goals.is_empty()), |stated| {
                stated.holds(&values)
            });
        if let Some(with_values) = builder.member(&variables, &values, opset) {
            let mut rule = with_values.clone();
            if holds == Some(true) && !is_about_leaves {
                // It says nothing of the leaves: there is no condition to be evaluated.
                rule.body.node = Goal::True;
            }
            let names = variables.iter().map(|v| v.name.clone());
            let texts = values.iter().map(ToString::to_string);
            family.members.push(FamilyMember {
                rule,
                with_values,
                values: names.zip(texts).collect(),
                known: values.iter().map(known).collect(),
                is_excluded: holds == Some(false),
            });
        }
    }
    family.members.sort_by_key(|member| member.is_excluded);
    Ok(Some(family))
}

impl Family {
    /// The members that the goals about variables allow.
    pub(crate) fn included(&self) -> impl Iterator<Item = &FamilyMember> {
        self.members.iter().filter(|member| !member.is_excluded)
    }
}

/// Does a rule say of a leaf what type it has?
fn has_types(rule: &relation::Rule) -> bool {
    rule.leaves.iter().any(|leaf| leaf.pattern.is_some())
}

/// Is a value written out?
fn is_written(value: &AttrValue) -> bool {
    match value {
        AttrValue::Hole | AttrValue::Absent | AttrValue::Unknown => false,
        AttrValue::Dim(dim) => matches!(dim, kanshape::Dim::Size(_)),
        AttrValue::List(members) => members.iter().all(is_written),
        _ => true,
    }
}

/// The goals that speak of variables, and of no leaf.
fn goals_of_variables(rule: &relation::Rule, variables: &[FamilyVariable]) -> Vec<Goal> {
    let mut of_leaves: BTreeSet<&str> = BTreeSet::new();
    for leaf in &rule.leaves {
        leaf.for_each_name(&mut |name| {
            of_leaves.insert(&name.node);
        });
    }
    for node in &rule.left {
        leaves(&node.node, &mut of_leaves);
    }
    for variable in variables {
        of_leaves.remove(&*variable.name);
    }
    let is_own = |goal: &&Goal| {
        let mut is_own = true;
        goal.for_each_name(&mut |name| is_own &= !of_leaves.contains(&*name.node));
        is_own
    };
    goals(rule).into_iter().filter(is_own).cloned().collect()
}

/// The goals of a rule, one by one.
fn goals(rule: &relation::Rule) -> Vec<&Goal> {
    let goals = program::conjuncts(&rule.body).into_iter();
    goals.map(|goal| &goal.node).collect()
}

fn leaves<'n>(node: &'n Node, found: &mut BTreeSet<&'n str>) {
    match node {
        Node::Leaf(name) | Node::Constant(name) => {
            found.insert(&name.node);
        }
        Node::Call(call) => call.args.iter().for_each(|arg| leaves(&arg.node, found)),
        Node::Literal(_) | Node::None => {}
    }
}

/// The goals about variables alone, as an operator that is called with values.
struct StatedGoals {
    operator: Operator,
    /// The places and the names of the variables that they speak of.
    variables: Vec<(usize, Box<str>)>,
}

impl StatedGoals {
    /// Do they hold? None if that is not found out.
    fn holds(&self, values: &[Term]) -> Option<bool> {
        let attrs = self.variables.iter().map(|(place, name)| {
            let attribute = self.operator.attribute(name).ok()?;
            let value = attribute.read(&values[*place].to_string()).ok()?;
            Some((name.clone(), value))
        });
        let call = Call {
            attrs: attrs.collect::<Option<_>>()?,
            ..Call::default()
        };
        let query = self.operator.query(call).ok()?.budget(STEPS).limit(1);
        let mut answers = query.solve().ok()?;
        match answers.next() {
            Some(_) => Some(true),
            None => answers.complete().then_some(false),
        }
    }
}

/// Makes the members of a family.
struct FamilyBuilder<'r> {
    rule: &'r relation::Rule,
    relations: &'r Relations,
    /// The goals that speak of variables alone.
    goals: Vec<Goal>,
}

impl FamilyBuilder<'_> {
    /// The values that go together, the small ones first.
    fn choices(&self, variables: &[FamilyVariable], is_cut_off: &mut bool) -> Vec<Vec<Term>> {
        let mut all: Vec<Vec<Term>> = vec![Vec::new()];
        // Values that goals alone give count as the smallest ones, however large they are.
        let mut stated: Vec<Term> = Vec::new();
        for (i, variable) in variables.iter().enumerate() {
            let known = &variables[..i];
            let near = self.near(variable);
            let small = domain(variable.kind);
            let mut large = |values: &[Term]| {
                for value in values {
                    if !small.contains(value) && !stated.contains(value) {
                        stated.push(value.clone());
                    }
                }
            };
            large(&near);
            // What the goals say of it may be the same whatever the others are.
            let is_alone = !self.speak_of(known);
            let mut alone: Option<Vec<Term>> = None;
            let mut next = Vec::new();
            for values in &all {
                let domain = match &alone {
                    Some(domain) => domain.clone(),
                    None => {
                        let follows = self.solved(known, values, variable);
                        large(follows.as_deref().unwrap_or_default());
                        self.domain(variable, follows, &near)
                    }
                };
                if is_alone {
                    alone.get_or_insert_with(|| domain.clone());
                }
                for value in domain {
                    let mut values = values.clone();
                    values.push(value);
                    next.push(values);
                }
                if is_over() {
                    *is_cut_off = true;
                    break;
                }
            }
            all = next;
            // What is on the right side follows: fewer are left of what the left side allows.
            let most = if variable.is_left {
                4 * MOST_MEMBERS
            } else {
                8 * MOST_MEMBERS
            };
            if all.len() > most {
                all.sort_by_cached_key(|values| weight(values, &stated));
                all.truncate(most);
                *is_cut_off = true;
            }
        }
        all.sort_by_cached_key(|values| weight(values, &stated));
        all
    }

    /// The values of a variable that are tried. `follows` are all that the goals allow, if that is known: of a variable of the left side others
    /// are tried as well, which the goals exclude.
    fn domain(
        &self,
        variable: &FamilyVariable,
        follows: Option<Vec<Term>>,
        near: &[Term],
    ) -> Vec<Term> {
        let mut all = match (follows, variable.is_left) {
            (Some(follows), false) => return follows,
            (follows, _) => follows.unwrap_or_default(),
        };
        for value in domain(variable.kind)
            .into_iter()
            .chain(near.iter().cloned())
        {
            if !all.contains(&value) {
                all.push(value);
            }
        }
        all
    }

    /// The numbers with which goals compare a variable, and those next to them.
    fn near(&self, variable: &FamilyVariable) -> Vec<Term> {
        let mut numbers = Vec::new();
        if variable.kind == "int" {
            for goal in goals(self.rule) {
                if goal.speaks_of(&variable.name) {
                    compared(goal, &mut numbers);
                }
            }
        }
        let next = |n: &i64| [n.saturating_sub(1), *n, n.saturating_add(1)];
        let all: BTreeSet<i64> = numbers.iter().flat_map(next).collect();
        all.into_iter().take(MOST_VALUES).map(int).collect()
    }

    /// Do the goals speak of one of these variables?
    fn speak_of(&self, variables: &[FamilyVariable]) -> bool {
        let speaks_of =
            |own: &FamilyVariable| self.goals.iter().any(|goal| goal.speaks_of(&own.name));
        variables.iter().any(speaks_of)
    }

    /// The goals about variables alone; none if there are none, or if they can't be written as an operator.
    fn stated(&self, variables: &[FamilyVariable]) -> Option<StatedGoals> {
        let used = variables.iter().enumerate();
        let used = used.filter(|(_, own)| self.speak_of(std::slice::from_ref(own)));
        let used: Vec<(usize, &FamilyVariable)> = used.collect();
        if self.goals.is_empty() || used.is_empty() {
            return None;
        }
        let attrs = used.iter().map(|(_, own)| (&*own.name, own.kind));
        let operator = self.operator(attrs, self.goals.clone())?;
        let variables = used.iter().map(|(i, own)| (*i, own.name.clone()));
        Some(StatedGoals {
            operator,
            variables: variables.collect(),
        })
    }

    /// Goals as an operator with attributes of these names and kinds; none if they can't be one.
    fn operator<'a>(
        &self,
        attrs: impl IntoIterator<Item = (&'a str, &'a str)>,
        goals: Vec<Goal>,
    ) -> Option<Operator> {
        let attrs = attrs.into_iter().map(|(name, kind)| Attr {
            name: made::ident(name),
            kind: made::ident(kind),
            optional: false,
            required: false,
            default: None,
        });
        let goals = goals.into_iter().map(made::nowhere).collect();
        let operator = made::operator(VALUE, attrs.collect(), Vec::new(), goals);
        let relations = self.relations.with_operators([operator]).ok()?;
        relations.operator_of("", VALUE, None).ok()
    }

    /// What the goals say that a variable is; none if they say nothing.
    fn solved(
        &self,
        known: &[FamilyVariable],
        values: &[Term],
        variable: &FamilyVariable,
    ) -> Option<Vec<Term>> {
        if !self.speak_of(std::slice::from_ref(variable)) {
            return None;
        }
        let mut goals = equations(known, values);
        goals.extend(self.goals.iter().cloned());
        self.ask(&variable.name, variable.kind, goals)
    }

    /// The values of a variable for which goals hold; none if that is too many, or not found out.
    fn ask(&self, name: &str, kind: &str, goals: Vec<Goal>) -> Option<Vec<Term>> {
        let operator = self.operator([(name, kind)], goals)?;
        let call = Call {
            attrs: vec![(name.into(), AttrValue::Hole)],
            ..Call::default()
        };
        let query = operator
            .query(call)
            .ok()?
            .budget(STEPS)
            .limit(MOST_VALUES + 1);
        let mut answers = query.solve().ok()?;
        let mut found = Vec::new();
        for answer in answers.by_ref() {
            let value = answer.attr(name).filter(|value| is_written(value))?;
            found.push(term(value)?);
        }
        (answers.complete() && found.len() <= MOST_VALUES).then_some(found)
    }

    /// The rule with these values; none if what is to be calculated of them is no value.
    fn member(
        &self,
        variables: &[FamilyVariable],
        values: &[Term],
        opset: Option<u64>,
    ) -> Option<relation::Rule> {
        let mut rule = self.rule.clone();
        let fill = Fill {
            builder: self,
            variables,
            values,
            domain: self.rule.domain.clone(),
            opset,
        };
        for node in rule.left.iter_mut().chain(&mut rule.right) {
            fill.node(&mut node.node)?;
        }
        let own = std::mem::replace(&mut rule.body.node, Goal::True);
        let goals = equations(variables, values).into_iter();
        made::add(&mut rule.body, goals.chain([own]));
        rule.attrs.clear();
        Some(rule)
    }
}

fn equations(variables: &[FamilyVariable], values: &[Term]) -> Vec<Goal> {
    let all = variables.iter().zip(values);
    all.map(|(variable, value)| made::equal(&named(&variable.name), value))
        .collect()
}

/// Puts values in for variables.
struct Fill<'b> {
    builder: &'b FamilyBuilder<'b>,
    variables: &'b [FamilyVariable],
    values: &'b [Term],
    domain: Box<str>,
    opset: Option<u64>,
}

impl Fill<'_> {
    fn node(&self, node: &mut Node) -> Option<()> {
        match node {
            Node::Leaf(_) | Node::Constant(_) | Node::None => {}
            Node::Literal(term) => {
                let kind = match term.node {
                    Term::List(_) | Term::Each { .. } | Term::Slice(..) => "ints",
                    Term::Name(ref name) => self.kind(&name.node).unwrap_or("int"),
                    _ => "int",
                };
                term.node = self.value(&term.node, kind)?;
            }
            Node::Call(call) => {
                let relations = self.builder.relations;
                let operator = program::operator(relations, &self.domain, call, self.opset).ok()?;
                for (name, term) in &mut call.attrs {
                    let attribute = operator.attribute(&name.node).ok()?;
                    let kind = match attribute.is_list() {
                        true => "ints",
                        false => "int",
                    };
                    term.node = self.value(&term.node, kind)?;
                }
                for arg in &mut call.args {
                    self.node(&mut arg.node)?;
                }
            }
        }
        Some(())
    }

    fn kind(&self, name: &str) -> Option<&'static str> {
        let variable = self.variables.iter().find(|v| *v.name == *name)?;
        Some(variable.kind)
    }

    /// What a term is with the values put in.
    fn value(&self, term: &Term, kind: &str) -> Option<Term> {
        if let Term::Name(name) = term {
            let at = self.variables.iter().position(|v| v.name == name.node);
            return Some(at.map_or_else(|| term.clone(), |at| self.values[at].clone()));
        }
        if !self.variables.iter().any(|own| term.speaks_of(&own.name)) {
            return Some(term.clone());
        }
        let mut goals = equations(self.variables, self.values);
        goals.push(made::equal(&named("__out"), term));
        let found = self.builder.ask("__out", kind, goals)?;
        match <[Term; 1]>::try_from(found) {
            Ok([one]) => Some(one),
            Err(_) => None,
        }
    }
}

impl Family {
    /// The rule that it denotes where the variables have these values.
    #[cfg(feature = "onnx")]
    pub(crate) fn with_values(&self, values: &[(Box<str>, String)]) -> Option<&relation::Rule> {
        let mut members = self.members.iter();
        let member = members.find(|member| member.values == values)?;
        Some(&member.rule)
    }

    /// The rules that it denotes.
    pub(crate) fn rules(&self) -> impl Iterator<Item = &relation::Rule> {
        self.members.iter().map(|member| &member.rule)
    }
}
