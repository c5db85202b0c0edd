//! [`Program`]: a rule as steps. Equal terms are one step, also where one stands on the left and one on the right.

use std::sync::{Arc, OnceLock};

use kanshape::tree::relation::{Applied, Dtypes, Element, Formal, Goal, Node, Pattern, Rule, Term};
use kanshape::tree::{Sign, Spanned};
use kanshape::{
    AttrValue, Content, Contents, Diagnostic, Dim, Dtype, Operator, Relations, Tensor, Type,
};

use crate::{code, reshape};

mod contents;

pub(crate) use contents::ContentsGoal;

/// The goals of a body, all of which have to hold, one by one.
pub(crate) fn conjuncts(goal: &Spanned<Goal>) -> Vec<&Spanned<Goal>> {
    let (mut left, mut found) = (vec![goal], Vec::new());
    while let Some(goal) = left.pop() {
        match &goal.node {
            Goal::True => {}
            Goal::All(goals) => left.extend(goals.iter().rev()),
            _ => found.push(goal),
        }
    }
    found
}

/// The place of a value: leaves first, then constants and outputs of steps in the order in which they are met.
pub(crate) type Slot = usize;

/// A leaf, with what is declared of it.
#[derive(Clone, Debug)]
pub(crate) struct Leaf {
    pub(crate) name: Box<str>,
    /// Its dtype, if one is written.
    pub(crate) dtype: Option<Dtype>,
    /// Its dims as far as they are numbers, if its rank is written.
    pub(crate) dims: Option<Vec<Option<u64>>>,
    /// The fewest dims that it has.
    pub(crate) least: usize,
}

impl Leaf {
    fn any(name: &str) -> Leaf {
        Leaf {
            name: name.into(),
            dtype: None,
            dims: None,
            least: 0,
        }
    }

    /// Nothing of its type is open.
    pub(crate) fn is_concrete(&self) -> bool {
        let is_number = |dims: &Vec<Option<u64>>| dims.iter().all(Option::is_some);
        self.dtype.is_some() && self.dims.as_ref().is_some_and(is_number)
    }

    /// What is declared of it beyond its dtype is left out.
    fn without_shape(&self) -> Leaf {
        Leaf {
            dtype: self.dtype,
            ..Leaf::any(&self.name)
        }
    }
}

/// A call of an operator.
#[derive(Clone, Debug)]
pub(crate) struct Step {
    pub(crate) operator: Operator,
    pub(crate) attrs: Vec<(Box<str>, AttrValue)>,
    /// The inputs, of which some may be left out.
    pub(crate) inputs: Vec<Option<Slot>>,
    /// Its first output; the others follow.
    pub(crate) first: Slot,
    pub(crate) outputs: usize,
}

/// The steps of one side, by their numbers, and its outputs.
#[derive(Clone, Debug)]
pub(crate) struct Side {
    pub(crate) steps: Vec<usize>,
    pub(crate) roots: Vec<Slot>,
}

/// A rule as steps.
#[derive(Clone, Debug)]
pub(crate) struct Program {
    pub(crate) leaves: Vec<Leaf>,
    /// The constants that are written, each with its place.
    pub(crate) constants: Vec<(Slot, Type)>,
    pub(crate) steps: Vec<Step>,
    pub(crate) left: Side,
    /// The steps of the right side that are none of the left.
    pub(crate) right: Side,
    /// How many values there are.
    pub(crate) slots: usize,
    /// What its goals require of the contents of each leaf.
    pub(crate) contents_goals: Vec<ContentsGoal>,
    /// The leaves whose contents shape the left side, once that is found out.
    pub(crate) with_contents: OnceLock<Arc<[bool]>>,
}

fn int_of(value: &AttrValue) -> Option<i64> {
    match value {
        AttrValue::Int(n) => Some(*n),
        AttrValue::Dim(kanshape::Dim::Size(n)) => i64::try_from(*n).ok(),
        _ => None,
    }
}

impl Program {
    /// The integers in the constants and attributes of the rule.
    pub(crate) fn ints(&self) -> Vec<i64> {
        let contents = self.constants.iter().filter_map(|(_, ty)| ty.contents());
        let ints = contents.flat_map(|contents| contents.iter().filter_map(kanshape::Content::int));
        let attrs = self.steps.iter().flat_map(|step| &step.attrs);
        let written = attrs.flat_map(|(_, value)| match value {
            AttrValue::List(members) => members.iter().filter_map(int_of).collect(),
            one => Vec::from_iter(int_of(one)),
        });
        ints.chain(written).collect()
    }

    pub(crate) fn compile(
        rule: &Rule,
        relations: &Relations,
        opset: Option<u64>,
    ) -> Result<Program, Diagnostic> {
        let mut compiler = ProgramCompiler {
            relations,
            opset,
            domain: &rule.domain,
            leaves: Vec::new(),
            constants: Vec::new(),
            steps: Vec::new(),
            slots: 0,
        };
        // Leaves have the first places, in the order in which the left side takes them.
        let mut names: Vec<&Spanned<Box<str>>> = Vec::new();
        for node in &rule.left {
            leaves_of(&node.node, &mut names);
        }
        let mut of_right = Vec::new();
        for node in &rule.right {
            leaves_of(&node.node, &mut of_right);
        }
        if let Some(name) = of_right
            .iter()
            .find(|name| !names.iter().any(|own| own.node == name.node))
        {
            return Err(Diagnostic::new(
                code::RIGHT_ONLY,
                format!("`{}` stands on the right side alone", name.node),
            )
            .with_help(
                "a leaf is found by the left side: the right side can only use what is there",
            ));
        }
        for name in &names {
            let declared = rule.leaves.iter().find(|leaf| leaf.name.node == name.node);
            compiler
                .leaves
                .push(declared.map_or_else(|| Leaf::any(&name.node), leaf));
        }
        compiler.slots = compiler.leaves.len();
        let left = compiler.side(&rule.left, rule.right.len())?;
        let left_steps = compiler.steps.len();
        let right = compiler.side(&rule.right, left.len())?;
        if left.len() != right.len() {
            return Err(Diagnostic::new(
                code::SIDES,
                format!(
                    "the left side has {}, the right side {}",
                    count(left.len()),
                    count(right.len())
                ),
            ));
        }
        let all = compiler.steps.len();
        let contents_goals = compiler
            .leaves
            .iter()
            .map(|leaf| ContentsGoal::of(rule, &leaf.name));
        Ok(Program {
            contents_goals: contents_goals.collect(),
            leaves: compiler.leaves,
            constants: compiler.constants,
            steps: compiler.steps,
            left: Side {
                steps: (0..left_steps).collect(),
                roots: left,
            },
            right: Side {
                steps: (left_steps..all).collect(),
                roots: right,
            },
            slots: compiler.slots,
            with_contents: OnceLock::new(),
        })
    }

    /// Is a step a `Reshape` in which a 0 copies a dim?
    pub(crate) fn is_reshape(&self, step: usize) -> bool {
        let own = &self.steps[step];
        let is_set =
            |attr: &(Box<str>, AttrValue)| &*attr.0 == "allowzero" && int_of(&attr.1) == Some(1);
        reshape::is_reshape(&own.operator) && !own.attrs.iter().any(is_set)
    }

    /// The same with nothing declared of the leaves but their dtypes.
    pub(crate) fn without_shapes(&self) -> Program {
        let mut program = self.clone();
        let leaves = self.leaves.iter();
        program.leaves = leaves.map(Leaf::without_shape).collect();
        program.with_contents = OnceLock::new();
        program
    }

    /// Is a leaf an input of a step that the right side alone has?
    pub(crate) fn is_of_right(&self, leaf: Slot) -> bool {
        let steps = self.right.steps.iter();
        let mut inputs = steps.flat_map(|step| &self.steps[*step].inputs);
        inputs.any(|slot| *slot == Some(leaf))
    }

    /// Which leaves are constants of the program that is rewritten.
    pub(crate) fn constants_of(&self, rule: &Rule) -> Vec<bool> {
        let mut open: Vec<&Node> = rule
            .left
            .iter()
            .chain(&rule.right)
            .map(|n| &n.node)
            .collect();
        let mut is_constant = vec![false; self.leaves.len()];
        while let Some(node) = open.pop() {
            match node {
                Node::Constant(name) => {
                    if let Some(leaf) = self.leaf(&name.node) {
                        is_constant[leaf] = true;
                    }
                }
                Node::Call(call) => open.extend(call.args.iter().map(|arg| &arg.node)),
                Node::Leaf(_) | Node::Literal(_) | Node::None => {}
            }
        }
        is_constant
    }

    /// The place of a leaf.
    pub(crate) fn leaf(&self, name: &str) -> Option<Slot> {
        self.leaves.iter().position(|leaf| *leaf.name == *name)
    }
}

fn count(outputs: usize) -> String {
    match outputs {
        1 => "1 output".into(),
        several => format!("{several} outputs"),
    }
}

/// The leaves of a term, from left to right, each once.
fn leaves_of<'r>(node: &'r Node, found: &mut Vec<&'r Spanned<Box<str>>>) {
    match node {
        Node::Leaf(name) | Node::Constant(name) => {
            if !found.iter().any(|own| own.node == name.node) {
                found.push(name);
            }
        }
        Node::Call(call) => call.args.iter().for_each(|arg| leaves_of(&arg.node, found)),
        Node::Literal(_) | Node::None => {}
    }
}

/// What is declared of a leaf.
fn leaf(formal: &Formal) -> Leaf {
    let mut leaf = Leaf::any(&formal.name.node);
    let Some(Pattern::Tensor { dtype, dims }) = formal.pattern.as_ref().map(|p| &p.node) else {
        return leaf;
    };
    if let Dtypes::Name(name) = &dtype.node {
        leaf.dtype = name.node.parse().ok();
    }
    let size = |element: &Element| match element {
        Element::One(term) => Some(match term.node {
            Term::Int(n) => Some(n),
            _ => None,
        }),
        Element::Rest(_) => None,
    };
    leaf.least = dims.iter().filter(|d| matches!(d, Element::One(_))).count();
    leaf.dims = dims.iter().map(size).collect();
    leaf
}

struct ProgramCompiler<'r> {
    relations: &'r Relations,
    opset: Option<u64>,
    domain: &'r str,
    leaves: Vec<Leaf>,
    constants: Vec<(Slot, Type)>,
    steps: Vec<Step>,
    slots: usize,
}

impl ProgramCompiler<'_> {
    /// The outputs of a side. A single operator may have as many as the other side.
    fn side(&mut self, roots: &[Spanned<Node>], wanted: usize) -> Result<Vec<Slot>, Diagnostic> {
        if let ([root], true) = (roots, wanted > 1)
            && let Node::Call(call) = &root.node
        {
            let first = self.call(call, wanted)?;
            return Ok((first..first + wanted).collect());
        }
        roots.iter().map(|root| self.value(&root.node)).collect()
    }

    fn value(&mut self, node: &Node) -> Result<Slot, Diagnostic> {
        match node {
            Node::Leaf(name) | Node::Constant(name) => {
                let place = self.leaves.iter().position(|leaf| leaf.name == name.node);
                Ok(place.unwrap_or_default())
            }
            Node::Literal(term) => {
                let ty = literal(&term.node).ok_or_else(|| {
                    Diagnostic::new(code::ATTRIBUTE, format!("`{term}` is no constant"))
                        .with_help("a constant is a number or a list of numbers: `[1, 0]`, `2.0`, `[[1, 2], [3, 4]]`")
                })?;
                if let Some((slot, _)) = self.constants.iter().find(|(_, own)| *own == ty) {
                    return Ok(*slot);
                }
                self.constants.push((self.slots, ty));
                self.slots += 1;
                Ok(self.slots - 1)
            }
            Node::Call(call) => self.call(call, 1),
            Node::None => Err(Diagnostic::new(
                code::SIDES,
                "an input that is left out is no output",
            )),
        }
    }

    /// The first output of a call.
    fn call(&mut self, call: &Applied, outputs: usize) -> Result<Slot, Diagnostic> {
        let mut inputs = Vec::with_capacity(call.args.len());
        for arg in &call.args {
            inputs.push(match arg.node {
                Node::None => None,
                ref node => Some(self.value(node)?),
            });
        }
        let operator = operator(self.relations, self.domain, call, self.opset)?;
        if outputs == 1 && has_several(&operator, call) {
            return Err(one_of_several(&call.name.node));
        }
        let mut attrs = Vec::with_capacity(call.attrs.len());
        for (name, term) in &call.attrs {
            let attribute = operator.attribute(&name.node)?;
            let text = match &term.node {
                Term::Text(text) => text.to_string(),
                _ => term.to_string(),
            };
            attrs.push((name.node.clone(), attribute.read(&text)?));
        }
        let is_same = |step: &Step| {
            step.operator.full_name() == operator.full_name()
                && step.attrs == attrs
                && step.inputs == inputs
                && step.outputs == outputs
        };
        if let Some(step) = self.steps.iter().find(|step| is_same(step)) {
            return Ok(step.first);
        }
        let first = self.slots;
        self.slots += outputs;
        self.steps.push(Step {
            operator,
            attrs,
            inputs,
            first,
            outputs,
        });
        Ok(first)
    }
}

/// Has an operator any number of outputs, and is it not said that it has one?
fn has_several(operator: &Operator, call: &Applied) -> bool {
    let is_one = |(name, term): &(Spanned<Box<str>>, Spanned<Term>)| {
        &*name.node == "num_outputs" && term.node == Term::Int(1)
    };
    let is_single = |node: &Node| match node {
        Node::Literal(term) => matches!(&term.node, Term::List(members) if members.len() == 1),
        _ => false,
    };
    operator.outputs().last().is_some_and(|own| own.variadic)
        && !call.attrs.iter().any(is_one)
        && !call.args.iter().skip(1).any(|arg| is_single(&arg.node))
}

fn one_of_several(name: &str) -> Diagnostic {
    Diagnostic::new(
        code::ONE_OF_SEVERAL,
        format!("`{name}` has several outputs, and a rule can't name one of them"),
    )
    .with_help(format!(
        "all of its outputs are a whole side: `{name}(..) => A, B`; or a part is written by `Slice`"
    ))
}

/// The operator of a call: of the domain that is written, of that of the rule, of ONNX, or of any other.
pub(crate) fn operator(
    relations: &Relations,
    domain: &str,
    call: &Applied,
    opset: Option<u64>,
) -> Result<Operator, Diagnostic> {
    let name = &call.name.node;
    if let Some(domain) = &call.domain {
        return relations.operator(&format!("{domain}::{name}"), opset);
    }
    let find = |domain: &str| relations.operator_of(domain, name, opset);
    // A domain that has no such operator would say so at length.
    if !domain.is_empty()
        && relations.has_operator(domain, name)
        && let Ok(found) = find(domain)
    {
        return Ok(found);
    }
    if relations.has_operator("", name) {
        return relations.operator_of("", name, None);
    }
    match find("ai.onnx") {
        Ok(found) => Ok(found),
        Err(why) => match relations.operator(name, None) {
            Ok(found) if found.domain() != "ai.onnx" => Ok(found),
            _ => Err(why),
        },
    }
}

/// The domain of an operator as models write it: none for ONNX's own.
pub(crate) fn domain(operator: &Operator) -> &str {
    match operator.domain() {
        "ai.onnx" => "",
        domain => domain,
    }
}

/// A constant as a type with contents.
fn literal(term: &Term) -> Option<Type> {
    let mut members = Vec::new();
    let sizes = sizes(term, &mut members)?;
    let is_int = |member: &Content| matches!(member, Content::Int(_));
    let dtype = match &members[..] {
        [Content::Bool(_), ..] if members.iter().all(|m| matches!(m, Content::Bool(_))) => {
            Dtype::Bool
        }
        members if members.iter().all(is_int) => Dtype::I64,
        _ => Dtype::F32,
    };
    let tensor = Tensor::new(
        dtype,
        kanshape::Shape::known(sizes.into_iter().map(Dim::Size)),
    );
    Some(tensor.with_contents(Contents::new(members)).into())
}

/// The sizes of a constant, whose members are added in row-major order. Lists in a list are of one length.
fn sizes(term: &Term, members: &mut Vec<Content>) -> Option<Vec<u64>> {
    let Term::List(list) = term else {
        members.push(content(term)?);
        return Some(Vec::new());
    };
    let mut inner: Option<Vec<u64>> = None;
    for member in list {
        let Element::One(one) = member else {
            return None;
        };
        let own = sizes(&one.node, members)?;
        if *inner.get_or_insert_with(|| own.clone()) != own {
            return None;
        }
    }
    let mut sizes = vec![list.len() as u64];
    sizes.extend(inner.unwrap_or_default());
    Some(sizes)
}

fn content(term: &Term) -> Option<Content> {
    Some(match term {
        Term::Int(n) => i64::try_from(*n).ok()?.into(),
        Term::Float(x) => x.get().into(),
        Term::Bool(b) => (*b).into(),
        Term::Sum(parts) => match &parts[..] {
            [(Sign::Minus, one)] => match content(&one.node)? {
                Content::Int(n) => n.checked_neg()?.into(),
                Content::Float(x) => (-x.get()).into(),
                _ => return None,
            },
            _ => return None,
        },
        _ => return None,
    })
}

/// The roots of a side, as they are written in a rule.
pub(crate) fn listed(roots: &[Spanned<Node>]) -> String {
    let roots = roots.iter().map(ToString::to_string);
    roots.collect::<Vec<_>>().join(", ")
}
