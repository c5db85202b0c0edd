//! What a rule needs, by the definitions of its operators: what these say of shapes and dtypes, as goals about the leaves.
//!
//! Each operator is a relation of the types of its operands. Put in for one another, those of both sides say what the outputs are,
//! and that they are the same is the weakest precondition, for all ranks and sizes. It is longer than goals that are found
//! from instances, so it is taken where there are none.

use std::collections::{BTreeMap, BTreeSet};

use kanshape::tree::Spanned;
use kanshape::tree::relation::{Attr, Dtypes, Element, Formal, Goal, Op, Pattern, Term};
use kanshape::{AttrValue, Content, Dtype, Type};

use crate::family;
use crate::goals::{contents_name, defined_contents};
use crate::made::{self, all, call, equal, ident, ints, name, nowhere};
use crate::program::{Program, Slot, Step, conjuncts};

/// The most goals that it has.
const MOST_GOALS: usize = 48;

/// What is known of a value, as terms.
#[derive(Clone)]
struct DefinedValue {
    shape: Term,
    dtype: Term,
    /// Its contents; none if nothing is said of them.
    contents: Option<Term>,
}

impl DefinedValue {
    /// The type as a term.
    fn tensor(&self) -> Term {
        let parts = [&self.shape, &self.dtype].into_iter();
        let parts = parts.chain(&self.contents).cloned().map(nowhere);
        Term::Call(ident("Tensor"), parts.collect())
    }
}

/// A value of an attribute, as the attribute's variable has it.
fn of_attribute(attr: &Attr, value: Term) -> Term {
    let is_list =
        |element: &Element| matches!(element, Element::One(t) if matches!(t.node, Term::List(_)));
    let value = match (&*attr.kind.node, value) {
        ("int_or_lists", Term::List(lists)) if lists.iter().any(is_list) => {
            call("lists", [Term::List(lists)])
        }
        ("int_or_ints" | "int_or_lists", Term::List(list)) => call("many", [Term::List(list)]),
        ("int_or_ints" | "int_or_lists", value) => call("one", [value]),
        (_, value) => value,
    };
    match attr.optional {
        true => call("some", [value]),
        false => value,
    }
}

fn is_false(goal: &Goal) -> bool {
    *goal == Goal::False
}

/// Is a term known as it is written?
fn is_constant(term: &Term) -> bool {
    match term {
        Term::Int(_) | Term::Bool(_) | Term::Text(_) | Term::Float(_) => true,
        Term::Sum(addends) => addends.iter().all(|(_, one)| is_constant(&one.node)),
        Term::List(members) => members.iter().all(|member| match member {
            Element::One(one) => is_constant(&one.node),
            Element::Rest(_) => false,
        }),
        _ => false,
    }
}

/// Are two terms the same, if it is seen from one of them being left out or there?
fn of_options(a: &Term, b: &Term) -> Option<bool> {
    let is_some = |term: &Term| matches!(term, Term::Call(name, _) if *name.node == *"some");
    match (a, b) {
        (Term::None, Term::None) => Some(true),
        (Term::None, other) | (other, Term::None) if is_some(other) => Some(false),
        (Term::Call(_, one), Term::Call(_, other)) if is_some(a) && is_some(b) => {
            let is_any = |term: &Spanned<Term>| term.node == Term::Any;
            (one == other || one.iter().chain(other).any(is_any)).then_some(true)
        }
        _ => None,
    }
}

/// The goals; none if an operator says something else than what is read here, or too much. For each leaf, `with_contents` says
/// whether what is in it counts.
pub(crate) fn needs(program: &Program, with_contents: &[bool]) -> Option<Vec<Goal>> {
    let mut values: Vec<Option<DefinedValue>> = vec![None; program.slots];
    let mut left = Vec::new();
    for (slot, leaf) in program.leaves.iter().enumerate() {
        let own = || name(&leaf.name);
        let of = |function: &str| call(function, [own()]);
        let contents = with_contents[slot].then(|| name(&contents_name(&leaf.name)));
        if contents.is_some() {
            left.push(defined_contents(&leaf.name));
        }
        values[slot] = Some(DefinedValue {
            shape: of("shape"),
            dtype: of("dtype"),
            contents,
        });
    }
    for (slot, ty) in &program.constants {
        values[*slot] = Some(constant(ty)?);
    }
    let mut side = |steps: &[usize]| -> Option<Vec<Goal>> {
        let mut goals = Vec::new();
        for step in steps {
            let own = &program.steps[*step];
            let outputs = inlined(program, own, &values, &mut goals)?;
            for (i, value) in outputs.into_iter().enumerate() {
                values[own.first + i] = Some(value);
            }
        }
        Some(goals)
    };
    left.extend(side(&program.left.steps)?);
    let mut right = side(&program.right.steps)?;
    for (one, other) in program.left.roots.iter().zip(&program.right.roots) {
        let (one, other) = (values[*one].as_ref()?, values[*other].as_ref()?);
        if one.shape != other.shape {
            right.push(equal(&one.shape, &other.shape));
        }
        if one.dtype != other.dtype {
            right.push(equal(&one.dtype, &other.dtype));
        }
        if let (Some(one), Some(other)) = (&one.contents, &other.contents)
            && one != other
        {
            right.push(equal(one, other));
        }
    }
    same_dtypes(&mut left, &mut right);
    let right = same_outputs(&left, right);
    // The left side has a type: what it says is there for the names in it alone.
    let is_kept = used_by(program, &left, &right);
    let used = left.iter().zip(is_kept).filter(|(_, is_kept)| *is_kept);
    let mut goals: Vec<Goal> = Vec::new();
    let added = right.iter().filter(|goal| !left.contains(goal));
    for goal in used.map(|(goal, _)| goal).chain(added) {
        let is_same = made::equated(goal).is_some_and(|(a, b)| a == b);
        if !is_same && !goals.contains(goal) {
            goals.push(goal.clone());
        }
    }
    (!goals.is_empty() && goals.len() <= MOST_GOALS).then_some(goals)
}

/// Which goals speak of a variable that others use, also if only each of a chain of them does.
fn used_by(program: &Program, goals: &[Goal], others: &[Goal]) -> Vec<bool> {
    let variables = |goal: &Goal| -> BTreeSet<Box<str>> {
        let mut found = BTreeSet::new();
        goal.for_each_name(&mut |own| {
            if own.node.contains('_') && program.leaf(&own.node).is_none() {
                found.insert(own.node.clone());
            }
        });
        found
    };
    let mut used: BTreeSet<Box<str>> = others.iter().flat_map(variables).collect();
    let own: Vec<BTreeSet<Box<str>>> = goals.iter().map(variables).collect();
    loop {
        let before = used.len();
        for variables in &own {
            if !variables.is_disjoint(&used) {
                used.extend(variables.iter().cloned());
            }
        }
        if used.len() == before {
            return own.iter().map(|own| !own.is_disjoint(&used)).collect();
        }
    }
}

/// Do both sides broadcast the same leaves against each other, and nothing else? Then their shapes are the same, whatever the ranks are:
/// broadcasting does not depend on the order, and shapes of which all broadcast do so in parts.
pub(crate) fn broadcasts(program: &Program) -> bool {
    let is_scalar = |ty: &Type| ty.as_tensor().is_some_and(|t| t.shape.rank() == Some(0));
    let mut leaves: Vec<Option<BTreeSet<Slot>>> = vec![None; program.slots];
    for (slot, own) in leaves.iter_mut().enumerate().take(program.leaves.len()) {
        *own = Some(BTreeSet::from([slot]));
    }
    for (slot, ty) in &program.constants {
        leaves[*slot] = is_scalar(ty).then(BTreeSet::new);
    }
    let left = program.left.steps.len();
    for (number, step) in program.steps.iter().enumerate() {
        let Some(own) = broadcast(program, step, &leaves) else {
            return false;
        };
        let mut before = program.steps[..left].iter();
        let has_all = |other: &Step| {
            leaves[other.first]
                .as_ref()
                .is_some_and(|known| own.is_subset(known))
        };
        // A leaf by itself has a shape.
        if number >= left && own.len() > 1 && !before.any(has_all) {
            return false;
        }
        leaves[step.first] = Some(own);
    }
    let mut roots = program.left.roots.iter().zip(&program.right.roots);
    roots.all(|(one, other)| leaves[*one].is_some() && leaves[*one] == leaves[*other])
}

/// The leaves that the output of a step broadcasts; none if it does something else.
fn broadcast(
    program: &Program,
    step: &Step,
    leaves: &[Option<BTreeSet<Slot>>],
) -> Option<BTreeSet<Slot>> {
    if step.outputs != 1 {
        return None;
    }
    let shape = |slot: Slot| format!("v{slot}_shape");
    let mut values: Vec<Option<DefinedValue>> = vec![None; program.slots];
    let mut shapes: BTreeMap<Box<str>, BTreeSet<Slot>> = BTreeMap::new();
    for slot in step.inputs.iter().flatten() {
        values[*slot] = Some(DefinedValue {
            shape: name(&shape(*slot)),
            dtype: name(&format!("v{slot}_dtype")),
            contents: None,
        });
        shapes.insert(shape(*slot).into(), leaves[*slot].clone()?);
    }
    let mut goals = Vec::new();
    let output = inlined(program, step, &values, &mut goals)?.pop()?;
    let of = |term: &Spanned<Term>, shapes: &BTreeMap<Box<str>, BTreeSet<Slot>>| match &term.node {
        Term::Name(name) => shapes.get(&name.node).cloned(),
        _ => None,
    };
    for goal in &goals {
        if let Goal::Call(relation, terms) = goal
            && *relation.node == *"BroadcastShapes"
            && let [one, other, both] = &terms[..]
            && let Term::Name(both) = &both.node
            && let Some((mut all, more)) = of(one, &shapes).zip(of(other, &shapes))
            && !shapes.contains_key(&both.node)
        {
            all.extend(more);
            shapes.insert(both.node.clone(), all);
            continue;
        }
        if shapes.keys().any(|shape| goal.speaks_of(shape)) {
            return None;
        }
    }
    let found = of(&nowhere(output.shape), &shapes)?;
    let inputs = step.inputs.iter().flatten();
    inputs
        .flat_map(|slot| leaves[*slot].iter().flatten())
        .all(|leaf| found.contains(leaf))
        .then_some(found)
}

/// Dtypes that are the same for the left side are called the same.
fn same_dtypes(left: &mut Vec<Goal>, right: &mut [Goal]) {
    let is_dtype = |term: &Term| matches!(term, Term::Call(f, _) if *f.node == *"dtype");
    let mut at = 0;
    while let Some(goal) = left.get(at) {
        let pair = made::equated(goal).filter(|(one, other)| is_dtype(one) && is_dtype(other));
        let Some((one, other)) = pair.map(|(a, b)| (a.clone(), b.clone())) else {
            at += 1;
            continue;
        };
        left.remove(at);
        for goal in left.iter_mut().chain(right.iter_mut()) {
            made::replace(goal, &other, &one);
        }
    }
}

/// What a goal says to be the same as an output of the left side is called as that.
fn same_outputs(left: &[Goal], mut right: Vec<Goal>) -> Vec<Goal> {
    let variable = |term: &Term| match term {
        Term::Name(name) if name.node.starts_with('v') => Some(name.node.clone()),
        _ => None,
    };
    let is_left = |name: &str| left.iter().any(|goal| goal.speaks_of(name));
    let mut at = 0;
    while let Some(goal) = right.get(at) {
        let names = made::equated(goal).and_then(|(a, b)| variable(a).zip(variable(b)));
        let Some((one, other)) = names.filter(|(_, other)| !is_left(other)) else {
            at += 1;
            continue;
        };
        right.remove(at);
        for goal in &mut right {
            made::replace(goal, &name(&other), &name(&one));
        }
    }
    right
}

fn constant(ty: &Type) -> Option<DefinedValue> {
    let tensor = ty.as_tensor()?;
    let sizes = tensor
        .shape
        .iter()
        .map(|dim| i64::try_from(dim.size()?).ok());
    let contents = tensor.contents.as_ref().and_then(|contents| {
        let members: Option<Vec<i64>> = contents.iter().map(Content::int).collect();
        Some(ints(&members?))
    });
    Some(DefinedValue {
        shape: ints(&sizes.collect::<Option<Vec<_>>>()?),
        dtype: name(tensor.dtype.known()?.name()),
        contents,
    })
}

/// What the definition of a step's operator says of its operands, added to `goals`, and its outputs.
fn inlined(
    program: &Program,
    step: &Step,
    values: &[Option<DefinedValue>],
    goals: &mut Vec<Goal>,
) -> Option<Vec<DefinedValue>> {
    if let Some(shape) = shape_of(step, values) {
        return Some(vec![shape]);
    }
    let op = step.operator.tree()?;
    let mut own = Inline {
        program,
        first: step.first,
        terms: BTreeMap::new(),
        unknown: BTreeSet::new(),
        goals: Vec::new(),
    };
    own.attrs(op, &step.attrs)?;
    own.inputs(op, &step.inputs, values)?;
    let outputs = own.outputs(op, step.outputs)?;
    for goal in conjuncts(&op.body) {
        match own.goal(&goal.node)? {
            Goal::True => {}
            Goal::All(goals) => own.goals.extend(goals.into_iter().map(|goal| goal.node)),
            goal => own.goals.push(goal),
        }
    }
    goals.append(&mut own.goals);
    Some(outputs)
}

/// The whole shape of an operand, which is shorter to write than the places that it is taken from and to.
fn shape_of(step: &Step, values: &[Option<DefinedValue>]) -> Option<DefinedValue> {
    let [Some(of)] = step.inputs[..] else {
        return None;
    };
    if step.operator.full_name() != "onnx::Shape" || !step.attrs.is_empty() {
        return None;
    }
    let shape = values[of].as_ref()?.shape.clone();
    let rank = match &shape {
        Term::Call(function, of) if *function.node == *"shape" => {
            Term::Call(ident("rank"), of.clone())
        }
        _ => call("len", [shape.clone()]),
    };
    Some(DefinedValue {
        dtype: name(Dtype::I64.name()),
        contents: Some(shape),
        shape: made::list([rank]),
    })
}

/// A definition whose variables are replaced.
struct Inline<'p> {
    program: &'p Program,
    /// The place of the first output: variables that stay are called by it.
    first: Slot,
    terms: BTreeMap<Box<str>, Term>,
    /// Contents of which nothing is known.
    unknown: BTreeSet<Box<str>>,
    goals: Vec<Goal>,
}

impl Inline<'_> {
    fn attrs(&mut self, op: &Op, given: &[(Box<str>, AttrValue)]) -> Option<()> {
        for attr in &op.attrs {
            let value = given.iter().find(|(name, _)| *name == attr.name.node);
            let term = match (value, &attr.default) {
                (None, Some(default)) => of_attribute(attr, default.node.clone()),
                (None, None) if attr.optional => Term::None,
                (None, None) => return None,
                (Some((_, AttrValue::Absent)), _) => Term::None,
                (Some((_, value)), _) => {
                    let term = match value {
                        AttrValue::Text(text) => Term::Text(text.clone()),
                        AttrValue::Dtype(dtype) => name(dtype.name()),
                        value => family::term(value)?,
                    };
                    of_attribute(attr, term)
                }
            };
            self.terms.insert(attr.name.node.clone(), term);
        }
        Some(())
    }

    fn inputs(
        &mut self,
        op: &Op,
        given: &[Option<Slot>],
        values: &[Option<DefinedValue>],
    ) -> Option<()> {
        let mut given = given.iter();
        for formal in &op.inputs {
            if formal.variadic {
                let all = given.by_ref().map(|slot| values[(*slot)?].as_ref());
                let all = all.map(|value| Some(Element::One(nowhere(value?.tensor()))));
                let list = Term::List(all.collect::<Option<_>>()?);
                self.terms.insert(formal.name.node.clone(), list);
                continue;
            }
            let value = given.next().copied().flatten();
            let Some(value) = value else {
                if !formal.optional {
                    return None;
                }
                self.terms.insert(formal.name.node.clone(), Term::None);
                continue;
            };
            self.input(formal, values[value].as_ref()?)?;
        }
        given.next().is_none().then_some(())
    }

    fn input(&mut self, formal: &Formal, value: &DefinedValue) -> Option<()> {
        let term = match formal.optional {
            true => call("some", [value.tensor()]),
            false => value.tensor(),
        };
        self.terms.insert(formal.name.node.clone(), term);
        if let Some(name) = &formal.contents {
            match &value.contents {
                Some(contents) => {
                    self.terms.insert(name.node.clone(), contents.clone());
                }
                None => {
                    self.unknown.insert(name.node.clone());
                }
            }
        }
        match formal.pattern.as_ref().map(|pattern| &pattern.node) {
            None => Some(()),
            Some(Pattern::Term(_)) => None,
            Some(Pattern::Tensor { dtype, dims }) => {
                match &dtype.node {
                    Dtypes::Set(all) => {
                        let list = nowhere(made::list(all.iter().map(|one| name(&one.node))));
                        self.goals
                            .push(Goal::In(nowhere(value.dtype.clone()), list));
                    }
                    Dtypes::Name(name) => self.bind(&name.node, &value.dtype),
                }
                match &dims[..] {
                    [Element::Rest(None)] => {}
                    [
                        Element::Rest(Some(Spanned {
                            node: Term::Name(name),
                            ..
                        })),
                    ] => {
                        self.bind(&name.node, &value.shape);
                    }
                    dims => self.equate(dims, &value.shape)?,
                }
                Some(())
            }
        }
    }

    /// The dims of a pattern are those of a shape.
    fn equate(&mut self, dims: &[Element], shape: &Term) -> Option<()> {
        // Dim by dim, where each is written.
        if let Term::List(given) = shape
            && given.len() == dims.len()
        {
            let pairs = dims.iter().zip(given).map(|pair| match pair {
                (Element::One(own), Element::One(given)) => match &own.node {
                    Term::Name(name) => Some((&name.node, &given.node)),
                    _ => None,
                },
                _ => None,
            });
            if let Some(pairs) = pairs.collect::<Option<Vec<_>>>() {
                pairs
                    .into_iter()
                    .for_each(|(name, dim)| self.bind(name, dim));
                return Some(());
            }
        }
        let list = self.list(dims)?;
        self.goals.push(equal(shape, &list));
        Some(())
    }

    /// A variable is this term. If it is known already, both are the same.
    fn bind(&mut self, variable: &str, term: &Term) {
        if variable == "_" {
            return;
        }
        match self.terms.get(variable) {
            Some(known) if known == term => {}
            Some(known) => self.goals.push(equal(known, term)),
            None if Dtype::named(variable).is_some() => {
                let dtype = name(variable);
                if dtype != *term {
                    self.goals.push(equal(term, &dtype));
                }
            }
            None => {
                self.terms.insert(variable.into(), term.clone());
            }
        }
    }

    fn outputs(&mut self, op: &Op, count: usize) -> Option<Vec<DefinedValue>> {
        let mut outputs = Vec::new();
        for formal in op.outputs.iter().take(count) {
            let variable = |what: &str| ident(&format!("{what}_{}", formal.name.node));
            let (dtype, shape) = match formal.pattern.as_ref().map(|pattern| &pattern.node) {
                _ if formal.variadic => return None,
                Some(Pattern::Tensor { dtype, dims }) => {
                    let Dtypes::Name(dtype) = &dtype.node else {
                        return None;
                    };
                    let dtype = self.term(&Term::Name(dtype.clone()))?;
                    let shape = match &dims[..] {
                        [Element::Rest(Some(one))] => self.term(&one.node)?,
                        dims => self.list(dims)?,
                    };
                    (dtype, shape)
                }
                Some(Pattern::Term(_)) => return None,
                None => {
                    let of = |what: &str| self.term(&Term::Name(variable(what)));
                    (of("dtype")?, of("shape")?)
                }
            };
            let contents = match &formal.contents {
                Some(name) if self.unknown.contains(&name.node) => None,
                Some(name) => match self.terms.contains_key(&name.node) {
                    true => self.terms.get(&name.node).cloned(),
                    false if self.says(op, &name.node) => self.term(&Term::Name(name.clone())),
                    false => None,
                },
                None => None,
            };
            let value = DefinedValue {
                shape,
                dtype,
                contents,
            };
            self.terms.insert(formal.name.node.clone(), value.tensor());
            outputs.push(value);
        }
        (outputs.len() == count).then_some(outputs)
    }

    /// Does a goal that is kept speak of a variable?
    fn says(&self, op: &Op, variable: &str) -> bool {
        conjuncts(&op.body).iter().any(|goal| {
            let is_kept = !matches!(&goal.node, Goal::Known(terms, _) if self.is_unknown(terms));
            is_kept && goal.node.speaks_of(variable)
        })
    }

    /// Is one of the terms that have to be known not known?
    fn is_unknown(&self, terms: &[Spanned<Term>]) -> bool {
        terms.iter().any(|term| match &term.node {
            Term::Name(name) => self.unknown.contains(&name.node),
            _ => false,
        })
    }

    /// A goal with the terms put in, `true` if it is about contents of which nothing is known; none if that can't be written.
    fn goal(&self, goal: &Goal) -> Option<Goal> {
        let inner = |goals: &[Spanned<Goal>]| -> Option<Vec<Goal>> {
            goals.iter().map(|goal| self.goal(&goal.node)).collect()
        };
        Some(match goal {
            Goal::Known(terms, _) if self.is_unknown(terms) => Goal::True,
            Goal::Known(terms, then) => {
                let terms: Vec<Term> = terms
                    .iter()
                    .map(|term| self.term(&term.node))
                    .collect::<Option<_>>()?;
                match self.goal(&then.node)? {
                    Goal::True => Goal::True,
                    then if terms.iter().all(is_constant) => then,
                    then => {
                        let terms = terms.into_iter().map(nowhere).collect();
                        Goal::Known(terms, Box::new(nowhere(then)))
                    }
                }
            }
            Goal::All(goals) => {
                let goals = inner(goals)?;
                match goals.len() > 1 && goals.contains(&Goal::False) {
                    true => Goal::False,
                    false => all(goals),
                }
            }
            Goal::Any(goals) => {
                let goals = inner(goals)?;
                let mut left: Vec<Goal> = goals.into_iter().filter(|own| !is_false(own)).collect();
                match left.len() {
                    0 => Goal::False,
                    1 => left.remove(0),
                    _ => Goal::Any(left.into_iter().map(nowhere).collect()),
                }
            }
            Goal::Class(name, class) => match self.term(&Term::Name(name.clone()))? {
                Term::Name(name) => Goal::Class(name, class.clone()),
                _ => return None,
            },
            goal => {
                let mut goal = goal.clone();
                for term in goal.terms_mut() {
                    self.put_in(&mut term.node)?;
                }
                let same = made::equated(&goal).and_then(|(a, b)| of_options(a, b));
                match same {
                    Some(true) => Goal::True,
                    Some(false) => Goal::False,
                    None => goal,
                }
            }
        })
    }

    fn list(&self, members: &[Element]) -> Option<Term> {
        self.term(&Term::List(members.to_vec()))
    }

    /// A term with the variables replaced; none if that can't be written.
    fn term(&self, term: &Term) -> Option<Term> {
        let mut term = term.clone();
        self.put_in(&mut term)?;
        Some(term)
    }

    /// Replaces the variables of a term.
    fn put_in(&self, term: &mut Term) -> Option<()> {
        if let Term::Each { body, names, lists } = term {
            for list in lists {
                self.put_in(&mut list.node)?;
            }
            // What the members are called is known in the body alone.
            let mut terms = self.terms.clone();
            for own in names {
                terms.insert(own.node.clone(), Term::Name(own.clone()));
            }
            let inner = Inline {
                terms,
                unknown: BTreeSet::new(),
                goals: Vec::new(),
                ..*self
            };
            return inner.put_in(&mut body.node);
        }
        if let Term::Name(word) = term {
            *term = match self.terms.get(&word.node) {
                Some(known) => known.clone(),
                None if Dtype::named(&word.node).is_some() => return Some(()),
                // It is spoken of once.
                None if word.node.starts_with('_') => Term::Any,
                None => name(&self.variable(&word.node)),
            };
            return Some(());
        }
        for part in term.parts_mut() {
            self.put_in(&mut part.node)?;
        }
        if let Term::List(members) = term {
            for member in members {
                if matches!(member, Element::Rest(Some(rest)) if rest.node == Term::Any) {
                    *member = Element::Rest(None);
                }
            }
        }
        Some(())
    }

    /// What a variable of the definition is called.
    fn variable(&self, word: &str) -> String {
        let mut own = format!("v{}_{word}", self.first);
        while self.program.leaf(&own).is_some() {
            own.push('_');
        }
        own
    }
}
