//! What a rule needs, by the definitions of its operators: what these say of shapes and dtypes, as goals about the leaves.
//!
//! Each operator is a relation of the types of its operands. Put in for one another, those of both sides say what the outputs are,
//! and that they are the same is the weakest precondition, for all ranks and sizes. It is longer than goals that are found
//! from instances, so it is taken where there are none.

use std::collections::{BTreeMap, BTreeSet};

use kanshape::tree::parse_relations;
use kanshape::tree::relation::{Attr, Dtypes, Element, Formal, Goal, Op, Pattern, Term};
use kanshape::tree::{CmpOp, Ident, Span, Spanned};
use kanshape::{AttrValue, Content, Dtype, Type};

use crate::condition::conjunct;
use crate::family;
use crate::goals::contents_name;
use crate::program::{Program, Slot, Step};
use crate::words::{is_word, pieces};

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

fn nowhere<T>(node: T) -> Spanned<T> {
    Spanned::new(node, Span::default())
}

fn ident(name: &str) -> Ident {
    nowhere(name.into())
}

fn name(name: &str) -> Term {
    Term::Name(ident(name))
}

/// A value of an attribute, as the attribute's variable has it.
fn of_attribute(attr: &Attr, value: Term) -> Term {
    let call = |function: &str, value| Term::Call(ident(function), vec![nowhere(value)]);
    let is_list =
        |element: &Element| matches!(element, Element::One(t) if matches!(t.node, Term::List(_)));
    let value = match (&*attr.kind.node, value) {
        ("int_or_lists", Term::List(lists)) if lists.iter().any(is_list) => {
            call("lists", Term::List(lists))
        }
        ("int_or_ints" | "int_or_lists", Term::List(list)) => call("many", Term::List(list)),
        ("int_or_ints" | "int_or_lists", value) => call("one", value),
        (_, value) => value,
    };
    match attr.optional {
        true => call("some", value),
        false => value,
    }
}

/// Goals that all hold; none if there are none.
fn all(mut goals: Vec<Goal>) -> Option<Goal> {
    match goals.len() {
        0 => None,
        1 => goals.pop(),
        _ if goals.iter().any(is_false) => Some(Goal::False),
        _ => Some(Goal::All(goals.into_iter().map(nowhere).collect())),
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

fn equal(a: &Term, b: &Term) -> Goal {
    Goal::Compare(nowhere(a.clone()), vec![(CmpOp::Eq, nowhere(b.clone()))])
}

/// The goals; none if an operator says something else than what is read here, or too much. For each leaf, `with_contents` says
/// whether what is in it counts.
pub(crate) fn needs(program: &Program, with_contents: &[bool]) -> Option<Vec<String>> {
    let mut values: Vec<Option<DefinedValue>> = vec![None; program.slots];
    let mut left = Vec::new();
    for (slot, leaf) in program.leaves.iter().enumerate() {
        let own = || name(&leaf.name);
        let of = |function: &str| Term::Call(ident(function), vec![nowhere(own())]);
        let contents = with_contents[slot].then(|| name(&contents_name(&leaf.name)));
        if let Some(contents) = &contents {
            let parts = [Term::Any, Term::Any, contents.clone()].map(nowhere);
            let tensor = Term::Call(ident("Tensor"), parts.into());
            left.push(equal(&own(), &tensor));
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
    let texts = |goals: &[Goal]| -> Vec<String> { goals.iter().map(text).collect() };
    let (mut left, mut right) = (texts(&left), texts(&right));
    same_dtypes(&mut left, &mut right);
    let right = same_outputs(&left, right);
    let mut goals: Vec<String> = Vec::new();
    // The left side has a type: what it says is there for the names in it alone.
    let is_leaf = |word: &String| program.leaf(word).is_some();
    let of = |text: &String| words(text).into_iter().filter(|word| !is_leaf(word));
    let mut used: BTreeSet<String> = right.iter().flat_map(of).collect();
    let mut is_used = vec![false; left.len()];
    loop {
        let before = used.len();
        for (goal, is_used) in left.iter().zip(&mut is_used) {
            let words: Vec<String> = of(goal).filter(|word| word.contains('_')).collect();
            if words.iter().any(|word| used.contains(word)) {
                used.extend(words);
                *is_used = true;
            }
        }
        if used.len() == before {
            break;
        }
    }
    let kept = left.iter().zip(is_used).filter(|(_, is_used)| *is_used);
    goals.extend(kept.map(|(goal, _)| goal.clone()));
    goals.extend(right.into_iter().filter(|goal| !left.contains(goal)));
    let mut seen = BTreeSet::new();
    let is_same = |goal: &String| goal.split_once(" = ").is_some_and(|(a, b)| a == b);
    goals.retain(|goal| !is_same(goal) && seen.insert(goal.clone()));
    (!goals.is_empty() && goals.len() <= MOST_GOALS).then_some(goals)
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
        let is_shape = |word: &String| shapes.contains_key(word.as_str());
        if words(&text(goal)).iter().any(is_shape) {
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
fn same_dtypes(left: &mut Vec<String>, right: &mut [String]) {
    let is_dtype = |text: &str| text.starts_with("dtype(") && text.ends_with(')');
    let mut at = 0;
    while let Some(goal) = left.get(at) {
        let sides = goal.split_once(" = ");
        let pair = sides.filter(|(one, other)| is_dtype(one) && is_dtype(other));
        let Some((one, other)) = pair.map(|(a, b)| (a.to_owned(), b.to_owned())) else {
            at += 1;
            continue;
        };
        left.remove(at);
        for text in left.iter_mut().chain(right.iter_mut()) {
            *text = text.replace(&other, &one);
        }
    }
}

/// What a goal says to be the same as an output of the left side is called as that.
fn same_outputs(left: &[String], mut right: Vec<String>) -> Vec<String> {
    let is_left = |word: &str| {
        left.iter()
            .any(|goal| words(goal).iter().any(|own| own == word))
    };
    let is_name = |side: &str| words(side) == [side] && side.starts_with('v');
    let mut at = 0;
    while let Some(goal) = right.get(at) {
        let sides = goal.split_once(" = ");
        let pair = sides.filter(|(one, other)| is_name(one) && is_name(other) && !is_left(other));
        let Some((one, other)) = pair.map(|(a, b)| (a.to_owned(), b.to_owned())) else {
            at += 1;
            continue;
        };
        right.remove(at);
        for goal in &mut right {
            *goal = renamed(goal, &other, &one);
        }
    }
    right
}

/// A text with a word replaced.
fn renamed(text: &str, word: &str, by: &str) -> String {
    let pieces = pieces(text).map(|one| if one == word { by } else { one });
    pieces.collect()
}

fn text(goal: &Goal) -> String {
    conjunct(&nowhere(goal.clone()))
}

fn words(text: &str) -> Vec<String> {
    let words = pieces(text).filter(|piece| is_word(piece));
    words.map(str::to_owned).collect()
}

fn constant(ty: &Type) -> Option<DefinedValue> {
    let tensor = ty.as_tensor()?;
    let sizes = tensor
        .shape
        .iter()
        .map(|dim| i64::try_from(dim.size()?).ok());
    let contents = tensor.contents.as_ref().and_then(|contents| {
        let ints: Option<Vec<i64>> = contents.iter().map(Content::int).collect();
        Some(family::ints(&ints?))
    });
    Some(DefinedValue {
        shape: family::ints(&sizes.collect::<Option<Vec<_>>>()?),
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
    let mut file = parse_relations(step.operator.text()).ok()?;
    let op = match file.ops.len() {
        1 => file.ops.remove(0).node,
        _ => return None,
    };
    let mut own = Inline {
        program,
        first: step.first,
        terms: BTreeMap::new(),
        unknown: BTreeSet::new(),
        goals: Vec::new(),
    };
    own.attrs(&op, &step.attrs)?;
    own.inputs(&op, &step.inputs, values)?;
    let outputs = own.outputs(&op, step.outputs)?;
    let body = match op.body.node {
        Goal::True => Vec::new(),
        Goal::All(goals) => goals,
        _ => vec![op.body],
    };
    for goal in body {
        match own.goal(&goal.node)? {
            None => {}
            Some(Goal::All(goals)) => own.goals.extend(goals.into_iter().map(|goal| goal.node)),
            Some(goal) => own.goals.push(goal),
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
        _ => Term::Call(ident("len"), vec![nowhere(shape.clone())]),
    };
    Some(DefinedValue {
        dtype: name(Dtype::I64.name()),
        contents: Some(shape),
        shape: Term::List(vec![Element::One(nowhere(rank))]),
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
            true => Term::Call(ident("some"), vec![nowhere(value.tensor())]),
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
                        let all = all.iter().map(|one| Element::One(nowhere(name(&one.node))));
                        let list = nowhere(Term::List(all.collect()));
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
        let goals = match &op.body.node {
            Goal::All(goals) => &goals[..],
            _ => std::slice::from_ref(&op.body),
        };
        goals.iter().any(|goal| {
            let is_kept = !matches!(&goal.node, Goal::Known(terms, _) if self.is_unknown(terms));
            is_kept && words(&goal.to_string()).iter().any(|word| word == variable)
        })
    }

    /// Is one of the terms that have to be known not known?
    fn is_unknown(&self, terms: &[Spanned<Term>]) -> bool {
        terms.iter().any(|term| match &term.node {
            Term::Name(name) => self.unknown.contains(&name.node),
            _ => false,
        })
    }

    /// A goal with the terms put in; none if it is about contents of which nothing is known.
    fn goal(&mut self, goal: &Goal) -> Option<Option<Goal>> {
        Some(Some(match goal {
            Goal::True => return Some(None),
            Goal::False => Goal::False,
            Goal::Known(terms, _) if self.is_unknown(terms) => return Some(None),
            Goal::Known(terms, then) => match (self.terms(terms)?, self.goal(&then.node)?) {
                (_, None) => return Some(None),
                (terms, Some(then)) if terms.iter().all(|term| is_constant(&term.node)) => then,
                (terms, Some(then)) => Goal::Known(terms, Box::new(nowhere(then))),
            },
            Goal::All(goals) => return self.goals(goals).map(all),
            Goal::Any(goals) => {
                let goals: Vec<Goal> = goals
                    .iter()
                    .map(|goal| Some(self.goal(&goal.node)?.unwrap_or(Goal::True)))
                    .collect::<Option<_>>()?;
                let mut goals: Vec<Goal> =
                    goals.into_iter().filter(|goal| !is_false(goal)).collect();
                match goals.len() {
                    0 => Goal::False,
                    1 => return Some(Some(goals.remove(0))),
                    _ => Goal::Any(goals.into_iter().map(nowhere).collect()),
                }
            }
            Goal::Call(name, terms) => Goal::Call(name.clone(), self.terms(terms)?),
            Goal::Signature(text, terms) => Goal::Signature(text.clone(), self.terms(terms)?),
            Goal::Compare(first, rest) => {
                let first = nowhere(self.term(&first.node)?);
                let rest = rest
                    .iter()
                    .map(|(op, term)| Some((*op, nowhere(self.term(&term.node)?))));
                let rest: Vec<_> = rest.collect::<Option<_>>()?;
                if let [(CmpOp::Eq, other)] = &rest[..] {
                    match of_options(&first.node, &other.node) {
                        Some(true) => return Some(None),
                        Some(false) => return Some(Some(Goal::False)),
                        None => {}
                    }
                }
                Goal::Compare(first, rest)
            }
            Goal::In(x, list) => Goal::In(
                nowhere(self.term(&x.node)?),
                nowhere(self.term(&list.node)?),
            ),
            Goal::Class(name, class) => match self.term(&Term::Name(name.clone()))? {
                Term::Name(name) => Goal::Class(name, class.clone()),
                _ => return None,
            },
        }))
    }

    fn goals(&mut self, goals: &[Spanned<Goal>]) -> Option<Vec<Goal>> {
        let mut found = Vec::new();
        for goal in goals {
            found.extend(self.goal(&goal.node)?);
        }
        Some(found)
    }

    fn terms(&self, terms: &[Spanned<Term>]) -> Option<Vec<Spanned<Term>>> {
        let terms = terms
            .iter()
            .map(|term| Some(nowhere(self.term(&term.node)?)));
        terms.collect()
    }

    fn list(&self, members: &[Element]) -> Option<Term> {
        let members = members.iter().map(|member| {
            Some(match member {
                Element::One(one) => Element::One(nowhere(self.term(&one.node)?)),
                Element::Rest(None) => Element::Rest(None),
                Element::Rest(Some(rest)) => Element::Rest(match self.term(&rest.node)? {
                    Term::Any => None,
                    term => Some(nowhere(term)),
                }),
            })
        });
        Some(Term::List(members.collect::<Option<_>>()?))
    }

    /// A term with the variables replaced; none if that can't be written.
    fn term(&self, term: &Term) -> Option<Term> {
        let boxed = |term: &Spanned<Term>| Some(Box::new(nowhere(self.term(&term.node)?)));
        let end = |term: &Option<Box<Spanned<Term>>>| match term {
            Some(term) => Some(Some(boxed(term)?)),
            None => Some(None),
        };
        Some(match term {
            Term::Name(word) => match self.terms.get(&word.node) {
                Some(term) => term.clone(),
                None if Dtype::named(&word.node).is_some() => term.clone(),
                // It is spoken of once.
                None if word.node.starts_with('_') => Term::Any,
                None => name(&self.variable(&word.node)),
            },
            Term::Any
            | Term::Int(_)
            | Term::Float(_)
            | Term::Text(_)
            | Term::Bool(_)
            | Term::None => term.clone(),
            Term::List(members) => self.list(members)?,
            Term::Call(function, args) => Term::Call(function.clone(), self.terms(args)?),
            Term::Sum(addends) => {
                let all = addends
                    .iter()
                    .map(|(sign, one)| Some((*sign, nowhere(self.term(&one.node)?))));
                Term::Sum(all.collect::<Option<_>>()?)
            }
            Term::Chain(first, rest) => {
                let rest = rest
                    .iter()
                    .map(|(op, one)| Some((*op, nowhere(self.term(&one.node)?))));
                Term::Chain(boxed(first)?, rest.collect::<Option<_>>()?)
            }
            Term::CeilDiv(a, b) => Term::CeilDiv(boxed(a)?, boxed(b)?),
            Term::Index(a, b) => Term::Index(boxed(a)?, boxed(b)?),
            Term::Slice(of, from, to) => Term::Slice(boxed(of)?, end(from)?, end(to)?),
            Term::Each { body, names, lists } => {
                let lists = self.terms(lists)?;
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
                let body = Box::new(nowhere(inner.term(&body.node)?));
                Term::Each {
                    body,
                    names: names.clone(),
                    lists,
                }
            }
        })
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
