//! [`TypeAnalysis`]: the types of an e-graph's classes. [`Datum`]: that of one.
//!
//! All classes share one graph, so that what is learned of a size of one is known of all. A datum is a value of it: a
//! new e-node is a node of the graph, and two classes that become one are equated there.

use std::sync::{Mutex, PoisonError};

use egg::{Analysis, DidMerge, EGraph, Id, Justification, Symbol};
use kanshape::graph::{CallId, Graph, Outputs, ValueId};
use kanshape::{
    AttrValue, Content, Contents, Diagnostic, Dim, Dtype, Operator, Relations, Shape, Tensor, Type,
    code, order,
};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::conflict::{Assumed, Conflict, IllTyped, Known, Refusal, Refused, Side};
use crate::language::{AttrForm, OpCall, Term, TypedLanguage};
use crate::needs::{Needs, needs};

/// The most conflicts, refusals and mistakes that are kept of each.
const MOST: usize = 1_000;

/// The datum of a class: what is known of its type.
#[derive(Clone, Copy, Debug)]
pub struct Datum {
    /// The e-node that it was made of.
    pub(crate) made: Id,
    pub(crate) kind: ClassKind,
    /// The first conflict that the class is part of.
    conflict: Option<u32>,
}

/// What a class is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ClassKind {
    Value(ValueId),
    Constant(Constant),
    IllTyped(u32),
}

/// The number of a constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Constant(u32);

/// The types of the classes of an e-graph.
///
/// ```
/// # use egg::{Id, Symbol, EGraph, define_language};
/// # use kanshape_egg::{Term, TypedLanguage};
/// # define_language! { enum Lang { "matmul" = MatMul([Id; 2]), Sym(Symbol), } }
/// # impl TypedLanguage for Lang {
/// #     fn term(&self) -> Term<'_> {
/// #         match self {
/// #             Lang::MatMul([a, b]) => Term::op("onnx::MatMul", [a, b]),
/// #             Lang::Sym(name) => Term::Leaf(name.as_str()),
/// #         }
/// #     }
/// # }
/// use kanshape_egg::TypeAnalysis;
///
/// let mut types = TypeAnalysis::new(kanshape::catalog());
/// types.leaf("a", &"f32[N, 4]".parse()?)?;
/// types.leaf("b", &"f32[4, 8]".parse()?)?;
/// let mut egraph: EGraph<Lang, TypeAnalysis> = EGraph::new(types);
/// let id = egraph.add_expr(&"(matmul a b)".parse()?);
/// let datum = egraph[id].data;
/// assert_eq!(egraph.analysis.ty(&datum).unwrap().to_string(), "f32[N, 8]");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct TypeAnalysis {
    relations: Relations,
    opset: Option<u64>,
    pub(crate) graph: Graph,
    leaves: FxHashMap<Box<str>, ValueId>,
    /// The leaves with names in their types.
    with_names: Vec<ValueId>,
    operators: FxHashMap<Box<str>, OperatorCalls>,
    attrs: FxHashMap<Box<str>, u32>,
    constants: Vec<OneConstant>,
    numbers: FxHashMap<AttrValue, Constant>,
    /// What the nodes of the graph give, by what they are: an e-node that is made again is the same node.
    nodes: FxHashMap<(CallId, SmallVec<[ValueId; 4]>), Outputs>,
    /// The nodes that were added since a trial began.
    trial: Option<Vec<(CallId, SmallVec<[ValueId; 4]>)>>,
    conflicts: Vec<Conflict>,
    ill_typed: Vec<IllTyped>,
    assumed: Vec<Assumed>,
    refused: Vec<Refused>,
    mistakes: Vec<Diagnostic>,
    /// How much of these was found and is not kept.
    left_out: usize,
    /// The rule that is applied now.
    pub(crate) rule: Option<Symbol>,
    /// Why the next two classes are one. Behind a lock, for egg tells it of a graph that is not to be changed.
    cause: Mutex<Cause>,
}

/// An operator and its calls.
#[derive(Debug)]
struct OperatorCalls {
    operator: Result<Operator, Diagnostic>,
    calls: FxHashMap<OperatorCall, Option<CallId>>,
}

/// A call of an operator as far as it does not depend on operands.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct OperatorCall {
    attrs: SmallVec<[(u32, Constant); 2]>,
    inputs: SmallVec<[bool; 8]>,
    outputs: usize,
}

#[derive(Debug)]
struct OneConstant {
    value: AttrValue,
    /// It as an operand, once it is one.
    operand: Option<ValueId>,
}

/// Why two classes are one.
#[derive(Clone, Copy, Debug, Default)]
enum Cause {
    #[default]
    Unknown,
    Rule(Symbol),
    /// Their operands are one, by this rule if that is a conflict.
    Congruence(Option<Symbol>),
}

impl TypeAnalysis {
    /// An analysis with the operators of these relations.
    pub fn new(relations: &Relations) -> TypeAnalysis {
        TypeAnalysis {
            relations: relations.clone(),
            opset: None,
            graph: Graph::new(relations),
            leaves: FxHashMap::default(),
            with_names: Vec::new(),
            operators: FxHashMap::default(),
            attrs: FxHashMap::default(),
            constants: Vec::new(),
            numbers: FxHashMap::default(),
            nodes: FxHashMap::default(),
            trial: None,
            conflicts: Vec::new(),
            ill_typed: Vec::new(),
            assumed: Vec::new(),
            refused: Vec::new(),
            mistakes: Vec::new(),
            left_out: 0,
            rule: None,
            cause: Mutex::default(),
        }
    }

    /// The operators are those of this version of their set.
    #[must_use]
    pub fn opset(mut self, version: u64) -> TypeAnalysis {
        self.opset = Some(version);
        self
    }

    /// The type of a leaf. A name in it is one unknown in all leaves. A leaf without a type is an unknown.
    ///
    /// # Errors
    /// A [`Diagnostic`] if there can't be such a type beside those of other leaves.
    pub fn leaf(&mut self, name: &str, ty: &Type) -> Result<(), Diagnostic> {
        match self.leaves.get(name) {
            Some(value) => {
                let value = *value;
                let assumed = self.graph.assume(value, ty);
                assumed.map_err(|conflict| *conflict.diagnostic)?;
                self.note_names(value, ty);
                Ok(())
            }
            None => {
                let value = self.graph.value(ty)?;
                self.leaves.insert(name.into(), value);
                self.note_names(value, ty);
                Ok(())
            }
        }
    }

    fn note_names(&mut self, value: ValueId, ty: &Type) {
        let mut has_names = false;
        ty.for_each_name(&mut |_| has_names = true);
        if has_names && !self.with_names.contains(&value) {
            self.with_names.push(value);
        }
    }

    /// The type of a class; `None` if it has none. For the rank, the dtype or a size alone, [`TypeAnalysis::value`] in
    /// [`TypeAnalysis::graph`] is faster.
    pub fn ty(&mut self, datum: &Datum) -> Option<Type> {
        let value = self.operand(datum.kind)?;
        Some(self.graph.ty(value))
    }

    /// A class as a value of the graph; `None` if it has no type, or if it is a constant that no operator has taken.
    pub fn value(&self, datum: &Datum) -> Option<ValueId> {
        match datum.kind {
            ClassKind::Value(value) => Some(value),
            ClassKind::Constant(constant) => self.constants[constant.0 as usize].operand,
            ClassKind::IllTyped(_) => None,
        }
    }

    /// The constant that a class is, if it is one.
    pub fn constant(&self, datum: &Datum) -> Option<&AttrValue> {
        match datum.kind {
            ClassKind::Constant(constant) => Some(&self.constants[constant.0 as usize].value),
            _ => None,
        }
    }

    /// The graph that all classes share.
    pub fn graph(&self) -> &Graph {
        &self.graph
    }

    /// Where two classes became one that can't be.
    pub fn conflicts(&self) -> &[Conflict] {
        &self.conflicts
    }

    /// The e-nodes that have no type.
    pub fn ill_typed(&self) -> &[IllTyped] {
        &self.ill_typed
    }

    /// What was made true of the names of the leaves by classes that became one.
    pub fn assumed(&self) -> &[Assumed] {
        &self.assumed
    }

    /// The right sides that were not added by rules that are [`typed`](crate::typed), once for each rule, class and reason.
    pub fn refused(&self) -> &[Refused] {
        &self.refused
    }

    /// What could not be typed because it is not known: an operator, an attribute that is no constant. Each once.
    pub fn mistakes(&self) -> &[Diagnostic] {
        &self.mistakes
    }

    /// How many conflicts, ill-typed e-nodes, conditions, refusals and mistakes were found and are not kept, since there are
    /// more than 1,000 of their kind.
    pub fn left_out(&self) -> usize {
        self.left_out
    }

    /// The number of a constant.
    fn number(&mut self, value: AttrValue) -> Constant {
        if let Some(known) = self.numbers.get(&value) {
            return *known;
        }
        let number = Constant(self.constants.len() as u32);
        self.numbers.insert(value.clone(), number);
        self.constants.push(OneConstant {
            value,
            operand: None,
        });
        number
    }

    /// What a class is as an operand.
    pub(crate) fn operand(&mut self, kind: ClassKind) -> Option<ValueId> {
        let constant = match kind {
            ClassKind::Value(value) => return Some(value),
            ClassKind::IllTyped(_) => return None,
            ClassKind::Constant(constant) => &mut self.constants[constant.0 as usize],
        };
        if constant.operand.is_none() {
            let value = match type_of(&constant.value) {
                Some(ty) => self.graph.value(&ty).ok(),
                None => None,
            };
            constant.operand = Some(value.unwrap_or_else(|| self.graph.unknown()));
        }
        constant.operand
    }

    /// What a term is. `of` says what its children are.
    pub(crate) fn kind(
        &mut self,
        id: Id,
        term: Term<'_>,
        of: &dyn Fn(Id) -> ClassKind,
    ) -> Result<ClassKind, Diagnostic> {
        Ok(match term {
            Term::Leaf(name) => ClassKind::Value(match self.leaves.get(name) {
                Some(value) => *value,
                None => {
                    let value = self.graph.unknown();
                    self.leaves.insert(name.into(), value);
                    value
                }
            }),
            Term::Constant(value) => ClassKind::Constant(self.number(value)),
            Term::List(all) => {
                let members = all.iter().map(|id| match of(*id) {
                    ClassKind::Constant(c) => Some(self.constants[c.0 as usize].value.clone()),
                    _ => None,
                });
                match members.collect::<Option<AttrValue>>() {
                    Some(list) => ClassKind::Constant(self.number(list)),
                    None => ClassKind::Value(self.graph.unknown()),
                }
            }
            Term::Opaque => ClassKind::Value(self.graph.unknown()),
            Term::Call(call) => return self.of_call(id, &call, of),
        })
    }

    fn of_call(
        &mut self,
        id: Id,
        call: &OpCall<'_>,
        of: &dyn Fn(Id) -> ClassKind,
    ) -> Result<ClassKind, Diagnostic> {
        let mut inputs: SmallVec<[ValueId; 4]> = SmallVec::new();
        for child in call.inputs.iter().flatten() {
            let kind = of(*child);
            match self.operand(kind) {
                Some(value) => inputs.push(value),
                // The operand's own mistake is reported.
                None => return Ok(kind),
            }
        }
        let Some(prepared) = self.prepared(call, of) else {
            return Ok(ClassKind::Value(self.graph.unknown()));
        };
        let place = call.output.map_or(0, |(place, _)| place);
        let key = (prepared, inputs);
        let outputs = match self.nodes.get(&key) {
            Some(outputs) => *outputs,
            None => {
                let outputs = self
                    .graph
                    .try_add(prepared, &key.1)
                    .map_err(|problem| problem.diagnostic)?;
                if let Some(trial) = &mut self.trial {
                    trial.push(key.clone());
                }
                self.nodes.insert(key, outputs);
                outputs
            }
        };
        Ok(match outputs.get(place) {
            Some(value) => ClassKind::Value(value),
            None => {
                let what = format!("`{}` has no output {place}, of class {id}", call.operator);
                self.mistake(Diagnostic::new(code::OPERAND_COUNT, what));
                ClassKind::Value(self.graph.unknown())
            }
        })
    }

    /// The call without its operands; `None` where there is none, which is a mistake that is noted.
    fn prepared(&mut self, call: &OpCall<'_>, of: &dyn Fn(Id) -> ClassKind) -> Option<CallId> {
        if !self.operators.contains_key(call.operator) {
            let operator = self.relations.operator(call.operator, self.opset);
            if let Err(mistake) = &operator {
                self.mistake(mistake.clone());
            }
            let calls = OperatorCalls {
                operator,
                calls: FxHashMap::default(),
            };
            self.operators.insert(call.operator.into(), calls);
        }
        let mut attrs: SmallVec<[(u32, Constant); 2]> = SmallVec::new();
        for (name, attr) in &call.attrs {
            let value = match attr {
                AttrForm::Value(value) => self.number(value.clone()),
                AttrForm::Child(child) => match of(*child) {
                    ClassKind::Constant(constant) => constant,
                    _ => {
                        let operator = call.operator;
                        let what = format!("`{name}` of `{operator}` is no constant");
                        self.mistake(Diagnostic::new(code::WRONG_ATTRIBUTE, what));
                        return None;
                    }
                },
            };
            let name = match self.attrs.get(*name) {
                Some(number) => *number,
                None => {
                    let number = self.attrs.len() as u32;
                    self.attrs.insert((*name).into(), number);
                    number
                }
            };
            attrs.push((name, value));
        }
        let calls = self.operators.get_mut(call.operator)?;
        let Ok(operator) = &calls.operator else {
            return None;
        };
        let key = OperatorCall {
            attrs,
            inputs: call.inputs.iter().map(Option::is_some).collect(),
            outputs: call
                .output
                .map_or_else(|| operator.sure_outputs().len(), |(_, of)| of),
        };
        if let Some(known) = calls.calls.get(&key) {
            return *known;
        }
        let value = |constant: Constant| self.constants[constant.0 as usize].value.clone();
        let attrs = call.attrs.iter().zip(&key.attrs);
        let attrs = attrs.map(|((name, _), (_, constant))| ((*name).into(), value(*constant)));
        let outputs = vec![true; key.outputs];
        let made = self
            .graph
            .call(operator, attrs.collect(), &key.inputs, &outputs);
        let found = made.as_ref().ok().copied();
        calls.calls.insert(key, found);
        if let Err(mistake) = made {
            self.mistake(mistake);
        }
        found
    }

    fn mistake(&mut self, mistake: Diagnostic) {
        if !self.mistakes.contains(&mistake) {
            keep(&mut self.mistakes, mistake, &mut self.left_out);
        }
    }

    /// Begins a trial: what is added from now on can be taken back.
    pub(crate) fn begin(&mut self) -> Graph {
        self.trial = Some(Vec::new());
        self.graph.clone()
    }

    /// Ends a trial. What was added since is taken back if the graph before it is given.
    pub(crate) fn end(&mut self, before: Option<Graph>) {
        let added = self.trial.take().unwrap_or_default();
        let Some(before) = before else {
            return;
        };
        for key in added {
            self.nodes.remove(&key);
        }
        let values = before.value_count();
        self.leaves.retain(|_, value| value.index() < values);
        for constant in &mut self.constants {
            constant.operand = constant.operand.filter(|value| value.index() < values);
        }
        self.graph = before;
    }

    pub(crate) fn refuse(&mut self, rule: Symbol, id: Id, why: Refusal) {
        let is_known = |own: &Refused| own.rule == rule && own.id == id && own.why == why;
        if !self.refused.iter().any(is_known) {
            keep(
                &mut self.refused,
                Refused { rule, id, why },
                &mut self.left_out,
            );
        }
    }

    /// What is known of a class, for a conflict.
    fn side(&mut self, datum: &Datum) -> Side {
        let known = match self.constant(datum) {
            Some(value) => Known::Constant(value.clone()),
            None => self.ty(datum).map_or(Known::IllTyped, Known::Type),
        };
        Side {
            id: datum.made,
            known,
        }
    }

    /// Two classes are one that can't be. Returns the number of the conflict.
    fn conflict(&mut self, a: &Datum, b: &Datum, cause: Cause, why: Option<Diagnostic>) -> u32 {
        let (left, right) = (self.side(a), self.side(b));
        let own = match (&left.known, &right.known) {
            (Known::Type(one), Known::Type(other)) => order::meet(one, other).err().map(|d| *d),
            _ => None,
        };
        let (rule, is_congruence) = match cause {
            Cause::Rule(rule) => (Some(rule), false),
            Cause::Unknown => (self.rule, false),
            Cause::Congruence(rule) => (rule, true),
        };
        let why = own.or(why).unwrap_or_else(|| {
            let (left, right) = (&left.known, &right.known);
            Diagnostic::new(
                code::NO_COMMON_VALUE,
                format!("nothing is both `{left}` and `{right}`"),
            )
        });
        let conflict = Conflict {
            left,
            right,
            rule,
            is_congruence,
            why,
        };
        let number = self.conflicts.len() as u32;
        keep(&mut self.conflicts, conflict, &mut self.left_out);
        number
    }

    /// Two values are one.
    fn equate(&mut self, a: ValueId, b: ValueId, cause: Cause) -> Result<(), Diagnostic> {
        if self.graph.is_known_same(a, b) {
            return Ok(());
        }
        let noted = self.graph.equate_noting(a, b);
        let noted = noted.map_err(|conflict| *conflict.diagnostic)?;
        if let Some(mut before) = noted {
            let conditions = match needs(&mut before, &mut self.graph, &self.with_names) {
                Needs::Nothing => return Ok(()),
                Needs::These(conditions) => conditions,
                Needs::Unknown => Vec::new(),
            };
            let rule = match cause {
                Cause::Rule(rule) | Cause::Congruence(Some(rule)) => Some(rule),
                Cause::Congruence(None) => None,
                Cause::Unknown => self.rule,
            };
            let assumed = Assumed { rule, conditions };
            if !self.assumed.contains(&assumed) {
                keep(&mut self.assumed, assumed, &mut self.left_out);
            }
        }
        Ok(())
    }
}

/// Adds to a list that has an end.
fn keep<T>(all: &mut Vec<T>, one: T, left_out: &mut usize) {
    match all.len() < MOST {
        true => all.push(one),
        false => *left_out += 1,
    }
}

/// A constant as an operand; `None` if no type says it.
fn type_of(value: &AttrValue) -> Option<Type> {
    let content = |value: &AttrValue| match value {
        AttrValue::Int(n) => Some((Dtype::I64, Content::Int(*n))),
        AttrValue::Bool(b) => Some((Dtype::Bool, Content::Bool(*b))),
        AttrValue::Float(x) => Some((Dtype::F32, Content::Float(*x))),
        _ => None,
    };
    if let AttrValue::Type(ty) = value {
        return Some(ty.clone());
    }
    let (dtype, shape, contents) = match value {
        AttrValue::List(members) => {
            let all: Option<Vec<_>> = members.iter().map(content).collect();
            let all = all?;
            let dtype = all.first().map_or(Dtype::I64, |member| member.0);
            if all.iter().any(|member| member.0 != dtype) {
                return None;
            }
            let len = all.len() as u64;
            (
                dtype,
                Shape::from_iter([Dim::Size(len)]),
                Contents::new(all.into_iter().map(|m| m.1)),
            )
        }
        one => {
            let (dtype, content) = content(one)?;
            (dtype, Shape::default(), Contents::new([content]))
        }
    };
    Some(Tensor::new(dtype, shape).with_contents(contents).into())
}

impl<L: TypedLanguage> Analysis<L> for TypeAnalysis {
    type Data = Datum;

    fn make(egraph: &mut EGraph<L, Self>, enode: &L, id: Id) -> Datum {
        let mut children: SmallVec<[(Id, ClassKind); 4]> = SmallVec::new();
        enode.for_each(|child| children.push((child, egraph[child].data.kind)));
        let of = |id: Id| {
            let own = children.iter().find(|own| own.0 == id);
            own.map_or(ClassKind::IllTyped(0), |own| own.1)
        };
        let this = &mut egraph.analysis;
        let kind = match this.kind(id, enode.term(), &of) {
            Ok(kind) => kind,
            Err(why) => {
                let rule = this.rule;
                let number = this.ill_typed.len() as u32;
                keep(
                    &mut this.ill_typed,
                    IllTyped { id, rule, why },
                    &mut this.left_out,
                );
                ClassKind::IllTyped(number)
            }
        };
        Datum {
            made: id,
            kind,
            conflict: None,
        }
    }

    fn pre_union(egraph: &EGraph<L, Self>, id1: Id, _: Id, justification: &Option<Justification>) {
        let this = &egraph.analysis;
        let cause = match justification {
            None => Cause::Unknown,
            Some(Justification::Rule(rule)) => Cause::Rule(*rule),
            Some(Justification::Congruence) if this.conflicts.is_empty() => Cause::Congruence(None),
            Some(Justification::Congruence) => {
                let mut children = egraph.id_to_node(id1).children().iter();
                let number = children.find_map(|child| egraph[*child].data.conflict);
                let conflict = number.and_then(|n| this.conflicts.get(n as usize));
                Cause::Congruence(conflict.and_then(|own| own.rule))
            }
        };
        *this.cause.lock().unwrap_or_else(PoisonError::into_inner) = cause;
    }

    fn merge(&mut self, a: &mut Datum, b: Datum) -> DidMerge {
        let cause = self.cause.get_mut();
        let cause = std::mem::take(cause.unwrap_or_else(PoisonError::into_inner));
        let was = a.kind;
        // What is wrong of two classes, and what they are from now on.
        let (wrong, kind) = match (a.kind, b.kind) {
            (one, other) if one == other => (None, one),
            (ClassKind::Constant(_), ClassKind::Constant(_)) => (Some(None), was),
            (ClassKind::IllTyped(_), ClassKind::IllTyped(_)) => (None, was),
            (ClassKind::IllTyped(problem), other) | (other, ClassKind::IllTyped(problem)) => {
                let problem = self.ill_typed.get(problem as usize);
                (Some(problem.map(|own| own.why.clone())), other)
            }
            (one, other) => {
                let kind = match other {
                    ClassKind::Constant(_) => other,
                    _ => one,
                };
                match (self.operand(one), self.operand(other)) {
                    (Some(x), Some(y)) => (self.equate(x, y, cause).err().map(Some), kind),
                    _ => (None, kind),
                }
            }
        };
        let mut conflict = a.conflict.or(b.conflict);
        if let Some(why) = wrong
            && conflict.is_none()
        {
            conflict = Some(self.conflict(a, &b, cause, why));
        }
        // A constant can be an attribute, so that its parents can be typed.
        let is_news = |own: ClassKind| {
            matches!(own, ClassKind::Value(_) | ClassKind::IllTyped(_))
                && std::mem::discriminant(&own) != std::mem::discriminant(&kind)
        };
        let did = DidMerge(is_news(was), is_news(b.kind));
        a.kind = kind;
        a.conflict = conflict;
        did
    }
}
