//! Terms, as values of rules.

use super::compile::{Compiler, Need, constant};
use super::error;
use super::rule::{Each, Kinded, Number, Piece, Value};
use super::scope::Scope;
use crate::encode::Kind;
use crate::encode::float;
use crate::encode::kind::{Form, Open};
use kanshape_diag::Diagnostic;
use kanshape_engine::Int;
use kanshape_syntax::relation::{Element, Term};
use kanshape_syntax::tree::{Ident, MulOp, Span, Spanned};
use kanshape_types::{DtypeTerm, Name, Type};
use std::sync::Arc;

/// The constructors of types that terms can call: those of ONNX, lists, and numbers of a program beside tensors.
pub(super) const CONSTRUCTORS: [&str; 5] = ["Sequence", "Optional", "Map", "List", "Scalar"];

impl Compiler {
    /// A term, of which it is known what kind it has to be.
    pub(super) fn term(
        &mut self,
        scope: &mut Scope,
        term: &Spanned<Term>,
        kind: Open,
    ) -> Result<Value, Diagnostic> {
        let span = term.span;
        match &term.node {
            Term::Name(name) => self.name(scope, name, kind),
            Term::Any => Ok(Value::Any(Kinded::Open(kind))),
            Term::Int(n) => {
                self.expect(kind, Form::Int, span)?;
                Ok(Value::Int(Int::from(*n)))
            }
            Term::Float(x) => {
                self.expect(kind, Form::Float, span)?;
                Ok(Value::Int(float::code(x.get())))
            }
            Term::Text(text) => {
                self.expect(kind, Form::Text, span)?;
                Ok(Value::Int(self.words.text(text)))
            }
            Term::Bool(truth) => {
                self.expect(kind, Form::Bool, span)?;
                Ok(Value::Int(Int::from(*truth)))
            }
            Term::None => {
                let of = self.kinds.open();
                self.expect(kind, Form::Option(of), span)?;
                Ok(Value::None)
            }
            Term::List(elements) => self.list(scope, elements, span, kind),
            Term::Call(name, args) => self.call(scope, name, args, span, kind),
            Term::Sum(_) | Term::Chain(..) | Term::CeilDiv(..) => {
                self.expect(kind, Form::Int, span)?;
                self.number(scope, term)
            }
            Term::Index(list, index) => {
                let lists = self.kinds.list(kind, span);
                let list = self.term(scope, list, lists)?;
                let number = self.kinds.known(&Kind::Int, Some(index.span));
                let index = self.term(scope, index, number)?;
                if matches!(index, Value::Int(..0)) {
                    self.needs.push(Need::Numbers(kind, span));
                }
                Ok(Value::Index(Box::new([list, index])))
            }
            Term::Slice(list, from, to) => {
                let of = self.kinds.open();
                self.expect(kind, Form::List(of), span)?;
                let list = self.term(scope, list, kind)?;
                let number = self.kinds.known(&Kind::Int, Some(span));
                let mut bound = |bound: &Option<Box<Spanned<Term>>>| {
                    let bound = bound.as_ref().map(|b| self.term(scope, b, number));
                    bound.transpose()
                };
                let (from, to) = (bound(from)?, bound(to)?);
                if to.is_some() || !matches!(from, None | Some(Value::Int(0..))) {
                    self.needs.push(Need::Numbers(of, span));
                }
                Ok(Value::Slice(Box::new((list, from, to))))
            }
            Term::Each { body, names, lists } => self.each(scope, body, names, lists, span, kind),
        }
    }

    fn expect(&mut self, kind: Open, form: Form, span: Span) -> Result<(), Diagnostic> {
        let is = self.kinds.is(form, Some(span));
        self.same(kind, is, span, None)
    }

    /// A list of numbers, which something at `place` requires.
    fn ints(&mut self, place: Span) -> Open {
        self.kinds.known(&Kind::Int.list(), Some(place))
    }

    /// The kind is that of an attribute that is a number or a list: gives the kind of its parts.
    fn int_or_ints(&mut self, kind: Open, place: Span) -> Result<Open, Diagnostic> {
        let ints = self.ints(place);
        self.expect(kind, Form::List(ints), place)?;
        Ok(ints)
    }

    /// The contents of a tensor: numbers, texts or truth values.
    pub(super) fn contents(&mut self, place: Span) -> Open {
        let of = self.kinds.open();
        self.needs.push(Need::Numbers(of, place));
        self.kinds.list(of, place)
    }

    fn name(&mut self, scope: &mut Scope, name: &Ident, kind: Open) -> Result<Value, Diagnostic> {
        if scope.find(&name.node).is_none() {
            match DtypeTerm::from_ident(name)? {
                DtypeTerm::Known(dtype) => {
                    self.expect(kind, Form::Dtype, name.span)?;
                    return Ok(Value::Dtype(dtype));
                }
                DtypeTerm::Name(_) => {}
                DtypeTerm::Set(_) | DtypeTerm::Hole => return Err(error::class_as_term(name)),
            }
        }
        let slot = scope.slot(&mut self.kinds, name);
        let own = scope.variables[slot].kind;
        self.same(own, kind, name.span, Some(&name.node))?;
        Ok(Value::Slot(slot))
    }

    fn list(
        &mut self,
        scope: &mut Scope,
        elements: &[Element],
        span: Span,
        kind: Open,
    ) -> Result<Value, Diagnostic> {
        let of = self.kinds.open();
        self.expect(kind, Form::List(of), span)?;
        let mut pieces = Vec::with_capacity(elements.len());
        for element in elements {
            pieces.push(match element {
                Element::One(term) => Piece::One(self.term(scope, term, of)?),
                Element::Rest(Some(term)) => Piece::Rest(self.term(scope, term, kind)?),
                Element::Rest(None) => Piece::Rest(Value::Any(Kinded::Open(kind))),
            });
        }
        Ok(Value::List(pieces.into(), Kinded::Open(of)))
    }

    fn call(
        &mut self,
        scope: &mut Scope,
        name: &Ident,
        args: &[Spanned<Term>],
        span: Span,
        kind: Open,
    ) -> Result<Value, Diagnostic> {
        match (&*name.node, args) {
            ("Tensor", [shape, dtype, contents @ ..]) if contents.len() < 2 => {
                self.expect(kind, Form::Type, span)?;
                let ints = self.ints(shape.span);
                let shape = self.term(scope, shape, ints)?;
                let dtypes = self.kinds.known(&Kind::Dtype, Some(dtype.span));
                let dtype = self.term(scope, dtype, dtypes)?;
                let contents = match contents {
                    [contents] => {
                        let numbers = self.contents(contents.span);
                        self.term(scope, contents, numbers)?
                    }
                    _ => Value::Any(Kinded::Is(Kind::Int.list())),
                };
                Ok(Value::Tensor(Box::new([shape, dtype, contents])))
            }
            ("tuple", parts) => self.node(scope, &Type::tuple(Vec::new()), parts, span, kind),
            ("some", [of]) => {
                let part = self.kinds.open();
                self.expect(kind, Form::Option(part), span)?;
                Ok(Value::Some(Box::new(self.term(scope, of, part)?)))
            }
            ("one", [of]) => {
                let ints = self.int_or_ints(kind, span)?;
                let number = self.kinds.known(&Kind::Int, Some(of.span));
                let of = Piece::One(self.term(scope, of, number)?);
                let one = Value::List([of].into(), Kinded::Is(Kind::Int));
                Ok(Value::List([Piece::One(one)].into(), Kinded::Open(ints)))
            }
            ("many", [of]) => {
                let ints = self.int_or_ints(kind, span)?;
                let none = Value::List([].into(), Kinded::Is(Kind::Int));
                let of = self.term(scope, of, ints)?;
                let both = [none, of].map(Piece::One);
                Ok(Value::List(both.into(), Kinded::Open(ints)))
            }
            ("lists", [of]) => {
                let ints = self.int_or_ints(kind, span)?;
                let none = || Piece::One(Value::List([].into(), Kinded::Is(Kind::Int)));
                let lists = self.kinds.known(&Kind::Int.list().list(), Some(of.span));
                let of = Piece::Rest(self.term(scope, of, lists)?);
                Ok(Value::List([none(), none(), of].into(), Kinded::Open(ints)))
            }
            ("sum", [list]) => {
                self.expect(kind, Form::Int, span)?;
                let ints = self.ints(list.span);
                Ok(number(Number::Total(self.term(scope, list, ints)?)))
            }
            ("len", [list]) => {
                self.expect(kind, Form::Int, span)?;
                let of = self.kinds.open();
                let lists = self.kinds.list(of, list.span);
                Ok(number(Number::Length(self.term(scope, list, lists)?)))
            }
            ("fn", [params, results]) => {
                self.expect(kind, Form::Type, span)?;
                self.words.labels.functions();
                let mut types = |term: &Spanned<Term>| {
                    let types = self.kinds.known(&Kind::Type.list(), Some(term.span));
                    self.term(scope, term, types)
                };
                Ok(Value::Function(Box::new([types(params)?, types(results)?])))
            }
            (constructor, [_, ..]) if CONSTRUCTORS.contains(&constructor) => {
                let of = Type::adt(Name::word(constructor), [Type::UNKNOWN]);
                self.node(scope, &of, args, span, kind)
            }
            ("promote", [_, ..]) => {
                self.expect(kind, Form::Dtype, span)?;
                let mut values = Vec::with_capacity(args.len());
                for arg in args {
                    values.push(self.term(scope, arg, kind)?);
                }
                Ok(Value::Promote(values.into()))
            }
            ("prod", [_, ..]) | ("min" | "max", [_, _, ..]) => {
                self.expect(kind, Form::Int, span)?;
                let whole = Spanned::new(Term::Call(name.clone(), args.to_vec()), span);
                self.number(scope, &whole)
            }
            (own, args) => match self.types.get(own).cloned() {
                Some(own) => {
                    let of = own.apply(args.iter().map(|_| Type::UNKNOWN));
                    let of = of.map_err(|d| error::wrong_parts(d, name))?;
                    self.node(scope, &of, args, span, kind)
                }
                None => Err(error::unknown_function(name)),
            },
        }
    }

    /// A type with parts, which are `args`.
    fn node(
        &mut self,
        scope: &mut Scope,
        of: &Type,
        args: &[Spanned<Term>],
        span: Span,
        kind: Open,
    ) -> Result<Value, Diagnostic> {
        self.expect(kind, Form::Type, span)?;
        let label = self.words.labels.of(of);
        let mut values = Vec::with_capacity(args.len());
        for part in args {
            let types = self.kinds.known(&Kind::Type, Some(part.span));
            values.push(self.term(scope, part, types)?);
        }
        Ok(Value::Node(label, values.into()))
    }

    /// Arithmetic: what is known of it already is calculated.
    fn number(&mut self, scope: &mut Scope, term: &Spanned<Term>) -> Result<Value, Diagnostic> {
        let calculated = self.arithmetic(scope, term)?;
        Ok(match constant(&calculated) {
            Some(n) => Value::Int(n),
            None => number(calculated),
        })
    }

    fn arithmetic(
        &mut self,
        scope: &mut Scope,
        term: &Spanned<Term>,
    ) -> Result<Number, Diagnostic> {
        Ok(match &term.node {
            Term::Int(n) => Number::Int(Int::from(*n)),
            Term::Sum(terms) => {
                let mut sum = Vec::with_capacity(terms.len());
                for (sign, term) in terms {
                    sum.push((*sign, self.arithmetic(scope, term)?));
                }
                // The least number of the evaluator is no other's negative.
                let sum = Number::Sum(sum.into());
                constant(&sum).map_or(sum, Number::Int)
            }
            Term::Chain(first, rest) => {
                let first = self.arithmetic(scope, first)?;
                let mut chain = Vec::with_capacity(rest.len());
                for (op, term) in rest {
                    chain.push((*op, self.arithmetic(scope, term)?));
                }
                Number::Chain(Box::new(first), chain.into())
            }
            Term::CeilDiv(a, b) => Number::CeilDiv(Box::new([
                self.arithmetic(scope, a)?,
                self.arithmetic(scope, b)?,
            ])),
            Term::Call(name, args) => match (&*name.node, args.as_slice()) {
                ("prod", [list]) => {
                    let ints = self.ints(list.span);
                    Number::Product(self.term(scope, list, ints)?)
                }
                (function @ ("prod" | "min" | "max"), [_, _, ..]) => {
                    let mut numbers = Vec::with_capacity(args.len());
                    for arg in args {
                        numbers.push(self.arithmetic(scope, arg)?);
                    }
                    match function {
                        "prod" => product(numbers),
                        "min" => Number::Min(numbers.into()),
                        _ => Number::Max(numbers.into()),
                    }
                }
                _ => self.leaf(scope, term)?,
            },
            _ => self.leaf(scope, term)?,
        })
    }

    /// What is no arithmetic itself.
    fn leaf(&mut self, scope: &mut Scope, term: &Spanned<Term>) -> Result<Number, Diagnostic> {
        let kind = self.kinds.known(&Kind::Int, Some(term.span));
        Ok(match self.term(scope, term, kind)? {
            Value::Int(n) => Number::Int(n),
            Value::Number(number) => *number,
            value => Number::Term(value),
        })
    }

    fn each(
        &mut self,
        scope: &mut Scope,
        body: &Spanned<Term>,
        names: &[Ident],
        lists: &[Spanned<Term>],
        span: Span,
        kind: Open,
    ) -> Result<Value, Diagnostic> {
        let of = self.kinds.open();
        self.expect(kind, Form::List(of), span)?;
        let mut values = Vec::with_capacity(lists.len());
        let mut members = Vec::with_capacity(lists.len());
        for list in lists {
            let member = self.kinds.open();
            let kind = self.kinds.list(member, list.span);
            values.push(self.term(scope, list, kind)?);
            members.push(member);
        }
        let mut slots = Vec::with_capacity(names.len());
        for (name, member) in names.iter().zip(members) {
            if &*name.node == "_" {
                slots.push(None);
                continue;
            }
            let slot = scope.enter(&mut self.kinds, name);
            let own = scope.variables[slot].kind;
            self.same(own, member, name.span, Some(&name.node))?;
            slots.push(Some(slot));
        }
        let mark = scope.mark();
        let body = self.term(scope, body, of)?;
        scope.leave(slots.iter().flatten().count());
        Ok(Value::Each(Arc::new(Each {
            body,
            shared: scope.since(mark, &slots),
            names: slots.into(),
            lists: values.into(),
            of: Kinded::Open(of),
            slots: Arc::default(),
        })))
    }
}

fn number(number: Number) -> Value {
    Value::Number(Box::new(number))
}

/// The product of some numbers.
fn product(numbers: Vec<Number>) -> Number {
    let mut numbers = numbers.into_iter();
    let first = numbers.next().unwrap_or(Number::Int(1));
    Number::Chain(Box::new(first), numbers.map(|n| (MulOp::Mul, n)).collect())
}
