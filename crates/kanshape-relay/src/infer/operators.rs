//! Calls of operators: nodes of the graph.

use std::collections::VecDeque;
use std::rc::Rc;

use kanshape::graph::{Form, NodeId, ValueId};
use kanshape::tree::relay::{Attr, AttrValue as GlobalType, Relation};
use kanshape::tree::{Span, Spanned};
use kanshape::{AttrValue, Operator};

use crate::infer::Infer;
use crate::infer::unify::OpenSide;
use crate::notation::in_relay;
use crate::problem::{ErrorKind, Problem, are, counted};
use crate::table::{Called, Goal, Node, Ty};

/// The most places that a message names where types come from, and the most types that are examined for it.
const MAX_ORIGINS: usize = 4;
const MAX_STEPS: usize = 1000;

/// Where a type comes from.
#[derive(Clone, Debug)]
pub(crate) struct Origin {
    pub(crate) at: Span,
    /// What an operator gave it on, if it was one.
    pub(crate) of: Box<[Ty]>,
}

/// The domain of the operators of Relay.
const DOMAIN: &str = "relay";

/// Something that has to hold, and is stated again for each use of a scheme.
#[derive(Clone, Debug)]
pub(crate) struct Posted {
    pub(crate) at: Span,
    pub(crate) goal: Goal,
    pub(crate) standing: Standing,
    /// The function that is bound around it, and which it is about: what it requires is required of each use, and of one that is
    /// used no more by itself.
    pub(crate) of: Option<u32>,
}

/// How far it is stated that something has to hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Standing {
    /// It could not be stated so far, because a type is not known or a rigid parameter.
    Waits,
    /// It is this node of the graph.
    Node(NodeId),
    /// The types say it.
    Met,
}

impl Posted {
    /// What could not be stated so far.
    pub(crate) fn waiting(at: Span, goal: Goal) -> Posted {
        let standing = Standing::Waits;
        let of = None;
        Posted {
            at,
            goal,
            standing,
            of,
        }
    }

    pub(crate) fn waits(&self) -> bool {
        self.standing == Standing::Waits
    }
}

/// The name of an operator with its domain.
pub(crate) fn full_name(name: &str) -> String {
    match name.contains("::") {
        true => name.to_owned(),
        false => format!("{DOMAIN}::{name}"),
    }
}

/// The operator that has a relation of Relay's.
pub(crate) fn operator_of(relation: &str) -> &str {
    match relation {
        "Broadcast" => "add",
        "BroadcastComp" => "less",
        "ShapeOf" => "shape_of",
        "Identity" => "copy",
        name => name,
    }
}

impl Infer<'_> {
    /// What a function requires beside its body: it is stated for its own types, and again at each call.
    pub(crate) fn constraint(
        &mut self,
        relation: &Spanned<Relation>,
        params: &[Ty],
        result: Ty,
    ) -> Result<(), Problem> {
        let at = relation.span;
        match self.goal(relation, params, result)? {
            Goal::Operator(called, args, output) => {
                self.post(at, called, args, Some(output)).map(drop)
            }
            goal @ Goal::Field(..) => {
                self.log.push(Posted::waiting(at, goal));
                Ok(())
            }
        }
    }

    /// A relation that is written of a function of these types.
    pub(crate) fn goal(
        &mut self,
        relation: &Spanned<Relation>,
        params: &[Ty],
        result: Ty,
    ) -> Result<Goal, Problem> {
        let at = relation.span;
        let relation = &relation.node;
        let args = match &relation.args {
            Some(args) => {
                let args = args.iter().map(|arg| self.annotation(arg));
                args.collect::<Result<Vec<Ty>, Problem>>()?
            }
            // By its name alone it is between all that the function takes and what it gives.
            None => params.iter().copied().chain([result]).collect(),
        };
        let Some((output, inputs)) = args.split_last() else {
            let headline = format!("`{}` is between types", relation.name.node);
            return Err(Problem::new(ErrorKind::Arity, headline, at));
        };
        if let Some(("TupleGetItem", field)) = relation.name.node.split_once(':') {
            let ([of], Ok(index)) = (inputs, field.parse()) else {
                let headline = "`TupleGetItem` is between a tuple and its field";
                return Err(Problem::new(ErrorKind::Arity, headline, at));
            };
            return Ok(Goal::Field(*of, index, *output));
        }
        let name = operator_of(&relation.name.node).to_owned();
        let Some(operator) = self.operator(&name) else {
            let headline = format!("there is no relation `{}`", relation.name.node);
            return Err(Problem::new(ErrorKind::Scope, headline, at));
        };
        let called = self.called(&name, operator, inputs.len(), &relation.attrs, at);
        let called = called.map_err(|problem| match problem.kind {
            ErrorKind::Arity => problem.step("the last type of a relation is what it gives"),
            _ => problem,
        })?;
        Ok(Goal::Operator(called, inputs.to_vec(), *output))
    }

    /// The operator of this name, if there is one.
    pub(crate) fn operator(&mut self, name: &str) -> Option<Rc<Operator>> {
        if let Some(found) = self.operators.get(name) {
            return found.clone();
        }
        let found = self
            .relations
            .operator(&full_name(name), None)
            .ok()
            .map(Rc::new);
        self.operators.insert(name.into(), found.clone());
        found
    }

    /// A call of an operator.
    pub(crate) fn operator_call(
        &mut self,
        name: &str,
        operator: Rc<Operator>,
        args: Vec<Ty>,
        attrs: &[Attr],
        at: Span,
    ) -> Result<Ty, Problem> {
        let called = self.called(name, operator, args.len(), attrs, at)?;
        self.post(at, called, args, None)
    }

    fn called(
        &mut self,
        name: &str,
        operator: Rc<Operator>,
        count: usize,
        attrs: &[Attr],
        at: Span,
    ) -> Result<Called, Problem> {
        let key = (Box::<str>::from(name), count);
        if attrs.is_empty()
            && let Some(called) = self.calls.get(&key)
        {
            return Ok(called.clone());
        }
        let formals: Vec<(bool, bool)> = operator
            .inputs()
            .map(|formal| (formal.optional, formal.variadic))
            .collect();
        let least = formals
            .iter()
            .filter(|(optional, variadic)| !optional && !variadic);
        let has_any = formals.iter().any(|(_, variadic)| *variadic);
        if count < least.count() || (count > formals.len() && !has_any) {
            let headline = format!(
                "`{name}` takes {}, and here {}",
                counted(formals.len(), "operand"),
                are(count)
            );
            return Err(Problem::new(ErrorKind::Arity, headline, at));
        }
        let written: Vec<(Box<str>, AttrValue)> = attrs
            .iter()
            .map(|attr| (attr.name.node.clone(), value(&attr.value.node)))
            .collect();
        let outputs = vec![true; operator.outputs().count()];
        let call = self
            .graph
            .call(&operator, written, &vec![true; count], &outputs);
        let call = call.map_err(|d| {
            let mut problem = Problem::new(ErrorKind::Relation, d.headline, at);
            problem.diagnostic.help = d.help;
            problem
        })?;
        let called = Called {
            name: name.into(),
            attrs: attrs.into(),
            call,
        };
        if attrs.is_empty() {
            self.calls.insert(key, called.clone());
        }
        Ok(called)
    }

    /// States what an operator gives on these, which is `result` if that is there already.
    pub(crate) fn post(
        &mut self,
        at: Span,
        called: Called,
        args: Vec<Ty>,
        result: Option<Ty>,
    ) -> Result<Ty, Problem> {
        if !self.problems.is_empty() && args.iter().any(|arg| self.is_wrong(*arg)) {
            return Ok(result.unwrap_or_else(|| self.table.push(Node::Wrong)));
        }
        let mut values = Vec::with_capacity(args.len());
        let mut waits = false;
        for (i, arg) in args.iter().enumerate() {
            match self.value_of(*arg) {
                Ok(Some(value)) => values.push(value),
                Ok(None) => waits = true,
                Err(part) => {
                    let (arg, part) = (self.shown(*arg), self.shown(part));
                    let headline = format!(
                        "`{}` takes tensors, and operand {i} is `{arg}`",
                        called.name
                    );
                    let problem = Problem::new(ErrorKind::Relation, headline, at);
                    return Err(match arg == part {
                        true => problem,
                        false => problem.step(format!("`{part}` is no tensor")),
                    });
                }
            }
        }
        if waits {
            let level = self.level;
            let result = result.unwrap_or_else(|| self.table.push(Node::Hole { level }));
            let goal = Goal::Operator(called, args, result);
            self.log.push(Posted::waiting(at, goal));
            return Ok(result);
        }
        let before = self.graph.problems().len();
        let (node, outputs) = self.graph.add(called.call, &values);
        let refused = self.graph.problems().nth(before);
        let refused = refused.map(|problem| problem.diagnostic.clone());
        if let Some(d) = refused {
            let headline = match d.headline.contains(&*called.name) {
                true => in_relay(&d.headline),
                false => format!("`{}`: {}", called.name, in_relay(&d.headline)),
            };
            let mut found = Problem::new(ErrorKind::Relation, headline, at);
            found.diagnostic.steps = d.steps.iter().map(|step| in_relay(step)).collect();
            found.diagnostic.help = d.help.iter().map(|help| in_relay(help)).collect();
            let found = self.as_relay_calls_it(found, &called, &values);
            return Err(self.with_origins(found, at, &args));
        }
        let single = (outputs.len() == 1).then(|| outputs.get(0)).flatten();
        let own = match single {
            Some(value) => self.ty_of_value(value),
            None => {
                let fields: Vec<Ty> = outputs.iter().map(|v| self.ty_of_value(v)).collect();
                self.table.push(Node::Tuple(fields.into()))
            }
        };
        if at != Span::default() && !self.is_quiet {
            let of: Box<[Ty]> = args.iter().map(|arg| self.table.root(*arg)).collect();
            if let Node::Tuple(_) = self.table.get(own) {
                for part in self.table.all_parts(own) {
                    let of = of.clone();
                    self.origins.insert(part, Origin { at, of });
                }
            }
            self.origins.insert(own, Origin { at, of });
        }
        let is_closed =
            self.is_closed(own) && values.iter().all(|v| self.graph.known(*v).is_some());
        if !is_closed {
            self.log.push(Posted {
                at,
                goal: Goal::Operator(called.clone(), args, own),
                standing: Standing::Node(node),
                of: None,
            });
        }
        if let Some(result) = result {
            let unified = self.unify(result, own, OpenSide::Both);
            unified.map_err(|clash| {
                let clash = crate::infer::unify::Clash {
                    kind: ErrorKind::Relation,
                    ..clash
                };
                self.clash(
                    clash,
                    result,
                    own,
                    at,
                    &format!("what `{}` gives", called.name),
                )
            })?;
        }
        Ok(own)
    }

    /// Is something wrong with what is of this type, or with a field of it?
    fn is_wrong(&self, ty: Ty) -> bool {
        match self.table.get(ty) {
            Node::Wrong => true,
            Node::Tuple(_) => {
                let parts = self.table.all_parts(ty);
                parts
                    .iter()
                    .any(|part| matches!(self.table.get(*part), Node::Wrong))
            }
            _ => false,
        }
    }

    /// A problem with the places that these types come from, and what they were calculated from.
    pub(crate) fn with_origins(&mut self, mut problem: Problem, at: Span, types: &[Ty]) -> Problem {
        if self.is_quiet {
            return problem;
        }
        let mut places = vec![at];
        let mut todo: VecDeque<Ty> = types.iter().copied().collect();
        let mut steps = 0;
        while let Some(ty) = todo.pop_front() {
            for part in self.table.all_parts(ty) {
                steps += 1;
                if places.len() > MAX_ORIGINS || steps > MAX_STEPS {
                    return problem;
                }
                let Some(origin) = self.origins.get(&part) else {
                    continue;
                };
                let own = origin.at;
                todo.extend(origin.of.iter());
                let is_new = |place: &Span| place.end <= own.start || own.end <= place.start;
                if places.iter().all(is_new) {
                    places.push(own);
                    let shown = self.shown(part);
                    problem = problem.also(own, format!("`{shown}` comes from here"));
                }
            }
        }
        problem
    }

    /// Dense layers compare the sizes that are summed over by unification in Relay.
    fn as_relay_calls_it(
        &self,
        mut problem: Problem,
        called: &Called,
        values: &[ValueId],
    ) -> Problem {
        let is_tensor = |v: &ValueId| match self.graph.known(*v) {
            Some(ty) => ty
                .as_tensor()
                .and_then(|t| Some((t.dtype.known()?, t.shape.rank()?))),
            None => None,
        };
        let known: Option<Vec<_>> = values.iter().map(is_tensor).collect();
        if let (true, Some(known)) = (&*called.name == "nn.dense", known)
            && let [(one, _), (other, 2)] = known[..]
            && one == other
        {
            problem.kind = ErrorKind::Mismatch;
        }
        problem
    }

    /// The value that a type is in the graph: `None` if it is a rigid parameter, or has one in it.
    ///
    /// # Errors
    /// The part that is neither a tensor nor a tuple.
    pub(crate) fn value_of(&mut self, ty: Ty) -> Result<Option<ValueId>, Ty> {
        if let Some(value) = self.contents.get(&ty) {
            return Ok(Some(*value));
        }
        self.value_at(ty, 0)
    }

    fn value_at(&mut self, ty: Ty, depth: usize) -> Result<Option<ValueId>, Ty> {
        let ty = self.table.find(ty);
        if depth > MAX_TUPLE_DEPTH {
            return Err(ty);
        }
        match self.table.get(ty).clone() {
            Node::Tensor { value, .. } | Node::Open { value, .. } => Ok(Some(value)),
            Node::Hole { level } => {
                let value = self.graph.unknown();
                self.table.set(ty, Node::Open { value, level });
                self.open.push(ty);
                Ok(Some(value))
            }
            Node::Tuple(fields) => {
                let mut values = Vec::with_capacity(fields.len());
                let mut waits = false;
                for field in &fields {
                    match self.value_at(*field, depth + 1)? {
                        Some(value) => values.push(value),
                        None => waits = true,
                    }
                }
                match waits {
                    true => Ok(None),
                    false => self.graph.tuple(&values).map(Some).ok_or(ty),
                }
            }
            Node::Rigid(_) | Node::Wrong => Ok(None),
            _ => Err(ty),
        }
    }

    /// The type that a value of the graph is.
    pub(crate) fn ty_of_value(&mut self, value: ValueId) -> Ty {
        let level = self.level;
        match self.graph.form(value) {
            Form::Tensor => {
                let bare = self.graph.without_contents(value);
                let ty = self.tensor(bare, 0, level);
                self.soft.insert(ty);
                if bare != value {
                    self.contents.insert(ty, value);
                }
                ty
            }
            Form::Tuple(_) => {
                let fields = self.graph.fields(value).unwrap_or_default();
                let fields: Vec<Ty> = fields.into_iter().map(|v| self.ty_of_value(v)).collect();
                self.table.push(Node::Tuple(fields.into()))
            }
            Form::Unknown | Form::Other => {
                let ty = self.table.push(Node::Open { value, level });
                self.open.push(ty);
                ty
            }
        }
    }

    /// A tensor of the graph as a type.
    pub(crate) fn tensor(&mut self, value: ValueId, any: u64, level: u32) -> Ty {
        let ty = self.table.push(Node::Tensor { value, any, level });
        if self.graph.known(value).is_none() {
            self.open.push(ty);
        }
        ty
    }

    /// What an operator was found to give is a tensor or a tuple by now, if the graph knows it.
    pub(crate) fn settled(&mut self, ty: Ty) -> Ty {
        let root = self.table.find(ty);
        let Node::Open { value, level } = *self.table.get(root) else {
            return root;
        };
        match self.graph.form(value) {
            Form::Unknown | Form::Other => root,
            Form::Tensor | Form::Tuple(_) => {
                let own = std::mem::replace(&mut self.level, level);
                let known = self.ty_of_value(value);
                self.level = own;
                self.table.set(root, Node::Link(known));
                known
            }
        }
    }

    fn is_closed(&self, ty: Ty) -> bool {
        let parts = self.table.all_parts(ty);
        parts.iter().all(|part| match self.table.get(*part) {
            Node::Tensor { value, .. } => self.graph.known(*value).is_some(),
            Node::Open { .. } | Node::Hole { .. } | Node::Rigid(_) => false,
            _ => true,
        })
    }
}

/// Tuples of tuples as operands.
const MAX_TUPLE_DEPTH: usize = 64;

/// An attribute as the engine has it.
pub(crate) fn value(written: &GlobalType) -> AttrValue {
    match written {
        GlobalType::Hole => AttrValue::Unknown,
        GlobalType::Int(n) => AttrValue::Int(*n),
        GlobalType::Float(n) => AttrValue::Float(*n),
        GlobalType::Text(text) | GlobalType::Word(text) => AttrValue::Text(text.clone()),
        GlobalType::Bool(b) => AttrValue::Bool(*b),
        GlobalType::None => AttrValue::Absent,
        GlobalType::List(members) => {
            AttrValue::List(members.iter().map(|member| value(&member.node)).collect())
        }
    }
}
