//! Operators: a rule with names for what it is about.
//!
//! The rule of an operator is a clause between its attributes, its inputs and its outputs, in this order.
//! What may be left out is an optional thing there, and operands of which there may be any number are a
//! list.

use super::Compiled;
use super::compile::{Compiler, Draft};
use super::error;
use super::library::Library;
use super::library::Standard;
use super::rule::{Body, Clause, Guard, Kinded, Rule, Step, Value};
use super::scope::Scope;
use super::stated;
use crate::encode::AttrValue;
use crate::encode::Kind;
use crate::encode::kind::{Form, Open};
use kanshape_diag::Diagnostic;
use kanshape_syntax::relation::{self, Dtypes, Pattern, Term};
use kanshape_syntax::tree::{self, Ident, Sign, Span, Spanned};
use kanshape_types::{Dtype, DtypeSet, DtypeTerm, Name, Vocabulary};
use std::sync::{Arc, OnceLock};

/// An operator, compiled.
#[derive(Debug)]
pub struct OpRule {
    pub domain: Name,
    pub name: Name,
    /// The version of the domain from which on it is this.
    pub since: u64,
    pub doc: Vec<Box<str>>,
    /// As it is written.
    pub text: Box<str>,
    /// The name of its file.
    pub file: Box<str>,
    pub attrs: Box<[Attr]>,
    pub inputs: Box<[Formal]>,
    pub outputs: Box<[Formal]>,
    /// Its other names.
    pub aliases: Box<[Name]>,
    /// The signature that it is, if it is written as one.
    pub signature: Option<OpSignature>,
    /// The number of its rule.
    pub rule: usize,
    /// Its text, read again when a place in it is first needed.
    read: OnceLock<Option<relation::Op>>,
}

impl OpRule {
    /// One of which nothing is known but its names.
    pub(super) fn unknown(domain: Name, name: Name, since: u64, rule: usize) -> OpRule {
        OpRule {
            domain,
            name,
            since,
            doc: Vec::new(),
            text: Box::default(),
            file: Box::default(),
            attrs: Box::default(),
            inputs: Box::default(),
            outputs: Box::default(),
            aliases: Box::default(),
            signature: None,
            rule,
            read: OnceLock::new(),
        }
    }

    /// Its text as a tree, with the places in it.
    pub fn written(&self) -> Option<&relation::Op> {
        let read = || {
            Some(
                kanshape_syntax::parse_relations(&self.text)
                    .ok()?
                    .ops
                    .pop()?
                    .node,
            )
        };
        self.read.get_or_init(read).as_ref()
    }
}

/// An operator's signature, compiled.
#[derive(Debug)]
pub struct OpSignature {
    pub tree: tree::Signature,
    pub compiled: Compiled,
}

/// An attribute.
#[derive(Debug)]
pub struct Attr {
    pub name: Box<str>,
    /// Of its variable: optional if it may be left out.
    pub kind: Kind,
    pub optional: bool,
    /// A question has to say it.
    pub required: bool,
    pub default: Option<AttrValue>,
}

impl Attr {
    /// Its value in a call with these attributes: its default where it is left out, and a hole, which is solved for, where it
    /// has none and can't be left out.
    pub fn value_among<'q>(&'q self, attrs: &'q [(Box<str>, AttrValue)]) -> &'q AttrValue {
        let own = attrs.iter().rev().find(|a| a.0 == self.name);
        let value = own.map(|a| &a.1).or(self.default.as_ref());
        value.unwrap_or(match self.optional {
            true => &AttrValue::Absent,
            false => &AttrValue::Hole,
        })
    }
}

/// An input or an output.
#[derive(Debug)]
pub struct Formal {
    pub name: Box<str>,
    pub optional: bool,
    pub variadic: bool,
}

/// The name under which the rule of an operator stands in a library: no clause can call it.
pub(super) fn rule_name(op: &relation::Op) -> Name {
    Name::word(full_name(&op.domain, &op.name.node, op.since))
}

/// The name of the rule of an operator.
pub(super) fn full_name(domain: &str, name: &str, since: u64) -> String {
    format!("{domain}::{name}@{since}")
}

/// Of how many things the rule of an operator is.
pub(super) fn arity(op: &relation::Op, signature: Option<&OpSignature>) -> usize {
    let operands = match signature {
        None => op.inputs.len() + op.outputs.len(),
        Some(signature) => signature.compiled.args().len(),
    };
    op.attrs.len() + operands
}

/// The signature that an operator is, if it is written as one.
pub(super) fn signature(
    op: &relation::Op,
    types: &Vocabulary,
    standard: Option<Standard>,
) -> Result<Option<OpSignature>, Diagnostic> {
    let Some(text) = &op.signature else {
        return Ok(None);
    };
    let tree = kanshape_syntax::parse_signature(&text.node);
    let signature = tree.and_then(|tree| {
        let compiled = Compiled::new(&tree, types, standard)?;
        Ok(OpSignature { tree, compiled })
    });
    signature
        .map(Some)
        .map_err(|d| error::in_signature(d, text.span))
}

/// The rule of an operator that is its signature and nothing more, if that has no words of its own.
pub(super) fn own_rule(op: &relation::Op, signature: Option<&OpSignature>) -> Option<Rule> {
    let compiled = &signature?.compiled;
    let is_plain = op.attrs.is_empty()
        && compiled.identities.is_empty()
        && compiled.labels.is_empty()
        && compiled.library.is_empty();
    is_plain.then(|| Rule {
        name: rule_name(op),
        ..Rule::clone(&compiled.rule)
    })
}

/// What an operator is, beside its rule.
pub(super) fn describe(
    op: &relation::Op,
    text: &str,
    file: &str,
    signature: Option<OpSignature>,
    rule: usize,
) -> Result<OpRule, Diagnostic> {
    let mut attrs = Vec::with_capacity(op.attrs.len());
    for attr in &op.attrs {
        let kind = kind(attr)?;
        let default = attr.default.as_ref().map(literal).transpose()?;
        attrs.push(Attr {
            name: attr.name.node.clone(),
            kind,
            optional: attr.optional,
            required: attr.required,
            default,
        });
    }
    let formals = |formals: &[relation::Formal]| {
        let formals = formals.iter().map(|f| Formal {
            name: f.name.node.clone(),
            optional: f.optional,
            variadic: f.variadic,
        });
        formals.collect::<Box<[Formal]>>()
    };
    let (mut inputs, mut outputs) = (formals(&op.inputs), formals(&op.outputs));
    if let Some(signature) = &signature {
        // Its parameters are attributes: unknown numbers where they are not given.
        attrs.extend(signature.compiled.params.iter().map(|name| Attr {
            name: name.as_str().into(),
            kind: Kind::Int,
            optional: false,
            required: false,
            default: None,
        }));
        let named = |count: usize, letter: char| -> Box<[Formal]> {
            let names = (0..count).map(|i| Formal {
                name: format!("{letter}{i}").into(),
                optional: false,
                variadic: false,
            });
            names.collect()
        };
        inputs = named(signature.compiled.inputs, 'x');
        outputs = named(signature.compiled.outputs(), 'y');
    }
    Ok(OpRule {
        domain: Name::word(&*op.domain),
        name: Name::word(&*op.name.node),
        since: op.since,
        doc: op.doc.clone(),
        text: text.into(),
        file: file.into(),
        attrs: attrs.into(),
        inputs,
        outputs,
        aliases: op
            .aliases
            .iter()
            .map(|name| Name::word(&*name.node))
            .collect(),
        signature,
        rule,
        read: OnceLock::new(),
    })
}

/// The kind of an attribute's variable.
fn kind(attr: &relation::Attr) -> Result<Kind, Diagnostic> {
    let kind = Kind::named(&attr.kind.node).ok_or_else(|| error::unknown_kind(&attr.kind))?;
    Ok(match attr.optional {
        true => Kind::Option(Box::new(kind)),
        false => kind,
    })
}

/// The value that a literal is.
fn literal(term: &Spanned<Term>) -> Result<AttrValue, Diagnostic> {
    let wrong = || error::not_literal(term.span);
    Ok(match &term.node {
        Term::Int(n) => AttrValue::Int(i64::try_from(*n).map_err(|_| wrong())?),
        Term::Float(x) => AttrValue::from(x.get()),
        Term::Text(text) => AttrValue::Text(text.clone()),
        Term::Bool(truth) => AttrValue::Bool(*truth),
        Term::Name(name) => match DtypeTerm::from_ident(name)? {
            DtypeTerm::Known(dtype) => AttrValue::Dtype(dtype),
            _ => return Err(wrong()),
        },
        Term::List(members) => {
            let members = members.iter().map(|m| match m {
                relation::Element::One(term) => literal(term),
                relation::Element::Rest(_) => Err(wrong()),
            });
            AttrValue::List(members.collect::<Result<_, _>>()?)
        }
        Term::Sum(terms) => match &terms[..] {
            [(Sign::Minus, term)] => match literal(term)? {
                AttrValue::Int(n) => AttrValue::Int(-n),
                AttrValue::Float(x) => AttrValue::from(-x.get()),
                _ => return Err(wrong()),
            },
            _ => return Err(wrong()),
        },
        _ => return Err(wrong()),
    })
}

impl Compiler {
    /// The rule of an operator as its one clause.
    pub(super) fn op(
        &mut self,
        library: &Library,
        of: usize,
        op: &relation::Op,
        params: usize,
    ) -> Result<Draft, Diagnostic> {
        let mut scope = Scope::default();
        let mut kinds = self.params(library, of).to_vec().into_iter();
        let mut next = || kinds.next().ok_or_else(|| error::not_literal(op.name.span));
        let mut head = Vec::new();
        let mut places = Vec::new();
        let mut steps = Vec::new();
        for attr in &op.attrs {
            let kind = next()?;
            let own = self.kinds.known(&self::kind(attr)?, Some(attr.kind.span));
            self.same(kind, own, attr.name.span, Some(&attr.name.node))?;
            head.push(self.variable(&mut scope, &attr.name, kind)?);
            places.push((kind, attr.name.span));
        }
        // The names of operands are in sight from the beginning; their patterns come before the body.
        let formals = || op.inputs.iter().chain(&op.outputs);
        let mut wholes = Vec::new();
        for formal in formals() {
            let kind = next()?;
            let span = formal.name.span;
            let own = match (formal.variadic, formal.optional) {
                (true, _) => self.kinds.known(&Kind::Type.list(), Some(span)),
                (_, true) => self
                    .kinds
                    .known(&Kind::Option(Box::new(Kind::Type)), Some(span)),
                _ => self.kinds.known(&Kind::Type, Some(span)),
            };
            self.same(kind, own, span, Some(&formal.name.node))?;
            wholes.push(self.variable(&mut scope, &formal.name, kind)?);
            places.push((kind, span));
        }
        let mark = scope.mark();
        let mut patterns = Vec::new();
        for formal in formals() {
            let mark = scope.mark();
            let stated = stated::named(op, formal);
            let own = stated.as_ref().unwrap_or(formal);
            let pattern = self.formal(&mut scope, own, &mut steps)?;
            if stated.is_some() {
                steps.extend(pattern.as_ref().and_then(stated::as_many));
            }
            patterns.push(pattern.map(|p| (p, scope.since(mark, &[]))));
        }
        if let Some(text) = &op.signature {
            let mut values = Vec::new();
            for place in 0.. {
                let Ok(kind) = next() else { break };
                let own = match place < params {
                    true => Kind::Int,
                    false => Kind::Type,
                };
                let own = self.kinds.known(&own, Some(text.span));
                self.same(kind, own, text.span, None)?;
                let name: Ident = Spanned::new(format!("\u{1}{place}").into(), text.span);
                values.push(self.variable(&mut scope, &name, kind)?);
                places.push((kind, text.span));
            }
            wholes.extend(values.iter().cloned());
            patterns.extend(values.iter().map(|_| None));
            self.signature(&mut scope, text, &values, &mut steps)?;
        }
        let body = self.body(library, &mut scope, &op.body)?;
        let spoken_of = scope.since(mark, &[]);
        // What nothing speaks of may be anything.
        for (place, (kind, _)) in head.iter_mut().zip(&places).take(op.attrs.len()) {
            let is_used = matches!(place, Value::Slot(slot) if spoken_of.contains(slot));
            if !is_used && op.signature.is_none() {
                *place = Value::Any(Kinded::Open(*kind));
            }
        }
        // An operand that only its pattern speaks of is taken apart where it comes in.
        let mut before = Vec::new();
        for ((formal, whole), pattern) in formals().zip(&wholes).zip(patterns) {
            let is_named = matches!(whole, Value::Slot(slot) if spoken_of.contains(slot));
            match pattern {
                None => head.push(whole.clone()),
                Some((pattern, shared)) if formal.optional => {
                    head.push(whole.clone());
                    before.push(present(whole, pattern, &shared));
                }
                Some((pattern, _)) if is_named => {
                    head.push(whole.clone());
                    before.push(Step::Equal(whole.clone(), pattern));
                }
                Some((pattern, _)) => head.push(pattern),
            }
        }
        if op.signature.is_some() {
            head.extend(wholes);
        }
        let mut guards: Vec<Guard> = before.iter().filter_map(super::compile::guard).collect();
        guards.extend(body.guards);
        before.extend(steps);
        before.extend(body.steps);
        Ok(Draft {
            clause: Clause {
                slots: Arc::default(),
                head: head.into(),
                body: Body {
                    guards: guards.into(),
                    steps: before.into(),
                },
            },
            scope,
            needs: std::mem::take(&mut self.needs),
            head: places,
        })
    }

    fn variable(
        &mut self,
        scope: &mut Scope,
        name: &Ident,
        kind: Open,
    ) -> Result<Value, Diagnostic> {
        let slot = scope.slot(&mut self.kinds, name);
        let own = scope.variables[slot].kind;
        self.same(own, kind, name.span, Some(&name.node))?;
        Ok(Value::Slot(slot))
    }

    /// What the type of an operand looks like, if that is said.
    fn formal(
        &mut self,
        scope: &mut Scope,
        formal: &relation::Formal,
        steps: &mut Vec<Step>,
    ) -> Result<Option<Value>, Diagnostic> {
        let Some(pattern) = &formal.pattern else {
            return Ok(None);
        };
        Ok(Some(match &pattern.node {
            Pattern::Term(term) => {
                let kind = self.kinds.known(&Kind::Type, Some(pattern.span));
                self.term(scope, term, kind)?
            }
            Pattern::Tensor { dtype, dims } => {
                let ints = self.kinds.known(&Kind::Int.list(), Some(pattern.span));
                let dims = Spanned::new(Term::List(dims.clone()), pattern.span);
                let shape = match &dims.node {
                    // All of the dims under one name are that list.
                    Term::List(one) => match &one[..] {
                        [relation::Element::Rest(Some(rest))] => self.term(scope, rest, ints)?,
                        [relation::Element::Rest(None)] => Value::Any(Kinded::Open(ints)),
                        _ => self.term(scope, &dims, ints)?,
                    },
                    _ => self.term(scope, &dims, ints)?,
                };
                let dtype = self.dtypes(scope, dtype, steps)?;
                let contents = match &formal.contents {
                    Some(name) => {
                        let numbers = self.contents(name.span);
                        self.variable(scope, name, numbers)?
                    }
                    None => Value::Any(Kinded::Is(Kind::Int.list())),
                };
                Value::Tensor(Box::new([shape, dtype, contents]))
            }
        }))
    }

    /// The dtype of a pattern: a name, or a set, which is a variable of its own.
    fn dtypes(
        &mut self,
        scope: &mut Scope,
        dtypes: &Spanned<Dtypes>,
        steps: &mut Vec<Step>,
    ) -> Result<Value, Diagnostic> {
        let kind = self.kinds.is(Form::Dtype, Some(dtypes.span));
        let own =
            |compiler: &mut Compiler, scope: &mut Scope, set: DtypeSet, steps: &mut Vec<Step>| {
                let name: Ident = Spanned::new(
                    format!("\u{1}{}", scope.variables.len()).into(),
                    dtypes.span,
                );
                let value = compiler.variable(scope, &name, kind)?;
                steps.push(Step::Class(value.clone(), set));
                Ok(value)
            };
        match &dtypes.node {
            Dtypes::Name(name) => match DtypeTerm::from_ident(name)? {
                DtypeTerm::Known(dtype) => Ok(Value::Dtype(dtype)),
                DtypeTerm::Name(_) => self.variable(scope, name, kind),
                term => own(self, scope, term.set(), steps),
            },
            Dtypes::Set(names) => {
                let set = DtypeSet::from_idents(names)?;
                match set.single() {
                    Some(dtype) => Ok(Value::Dtype(Dtype::clone(&dtype))),
                    None => own(self, scope, set, steps),
                }
            }
        }
    }
}

/// If it is there, it looks like this.
fn present(whole: &Value, pattern: Value, shared: &[usize]) -> Step {
    let left_out = Step::Equal(whole.clone(), Value::None);
    let there = Step::Equal(whole.clone(), Value::Some(Box::new(pattern)));
    let way = |step: Step| Body {
        guards: super::compile::guard(&step).into_iter().collect(),
        steps: [step].into(),
    };
    let mut shared = shared.to_vec();
    if let Value::Slot(slot) = whole {
        shared.push(*slot);
    }
    super::compile::either(vec![way(left_out), way(there)], shared.into())
}

/// Where an operator of a file is written.
pub(super) fn place(op: &Spanned<relation::Op>) -> Span {
    op.node.name.span
}
