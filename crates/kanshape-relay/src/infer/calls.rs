//! Names and calls: what a name is, functions on arguments, fields of tuples.

use std::rc::Rc;

use kanshape::diag::suggest;
use kanshape::tree::relay::{Attr, Dim, Dtype, Expr, ExprId, Shape, Type};
use kanshape::tree::{Expr as Size, Span, Spanned};

use crate::infer::operators::{Posted, Standing};
use crate::infer::scheme::Scheme;
use crate::infer::unify::OpenSide;
use crate::infer::{Binding, Infer};
use crate::kinds::{Kind, is_dtype};
use crate::problem::{ErrorKind, Problem, counted};
use crate::table::{Goal, Node, Ty};

/// What a call is of.
pub(crate) enum Callee {
    Operator(Rc<kanshape::Operator>),
    Type(Ty),
}

impl Infer<'_> {
    pub(crate) fn local(&mut self, name: &str, at: Span) -> Result<Ty, Problem> {
        let Some(binding) = self.vars.get(name).and_then(|all| all.last()).cloned() else {
            let known: Vec<&str> = self
                .vars
                .iter()
                .filter(|(_, all)| !all.is_empty())
                .map(|(name, _)| &**name)
                .collect();
            let problem = Problem::new(ErrorKind::Scope, format!("nothing binds `%{name}`"), at);
            return Err(match suggest(name, known) {
                Some(near) => problem.help(format!("is it `%{near}`?")),
                None => problem,
            });
        };
        self.used(&binding, &[], at)
    }

    /// The type of a variable where it is used.
    pub(crate) fn used(
        &mut self,
        binding: &Binding,
        type_args: &[Spanned<Type>],
        at: Span,
    ) -> Result<Ty, Problem> {
        match binding {
            Binding::Mono(ty) => {
                let root = self.table.find(*ty);
                match self.table.get(root).clone() {
                    Node::Poly(own) => self.used_type(&own, at).ok_or_else(|| too_large(at)),
                    // What is in it is known of this type, and not of what it is the same as.
                    _ => Ok(*ty),
                }
            }
            Binding::Poly(scheme) => self.instance(scheme, type_args, at),
        }
    }

    /// What a name is.
    pub(crate) fn named(&mut self, id: ExprId, at: Span) -> Result<Callee, Problem> {
        self.named_with(id, &[], at)
    }

    pub(crate) fn named_with(
        &mut self,
        id: ExprId,
        type_args: &[Spanned<Type>],
        at: Span,
    ) -> Result<Callee, Problem> {
        match self.program.expr(id) {
            Expr::Local(name) => self.local(name, at).map(Callee::Type),
            Expr::Global(name) => match self.globals.get(name).cloned() {
                Some(binding) => self.used(&binding, type_args, at).map(Callee::Type),
                None => {
                    let known = self.globals.keys().map(|name| &**name);
                    let near = suggest(name, known).map(str::to_owned);
                    let headline = format!("nothing defines `@{name}`");
                    let problem = Problem::new(ErrorKind::Scope, headline, at);
                    Err(match near {
                        Some(near) => problem.help(format!("is it `@{near}`?")),
                        None => problem,
                    })
                }
            },
            Expr::Name(name) => {
                if let Some((adt, place)) = self.adts.constructor(name) {
                    return self.constructor(adt, place).map(|(ty, _)| Callee::Type(ty));
                }
                if let Some(binding) = self.globals.get(name).cloned()
                    && (self.operator(name).is_none() || !type_args.is_empty())
                {
                    return self.used(&binding, type_args, at).map(Callee::Type);
                }
                match self.operator(name) {
                    Some(operator) => Ok(Callee::Operator(operator)),
                    None => Err(self.unknown_operator(name, at)),
                }
            }
            _ => Ok(Callee::Type(self.expr(id))),
        }
    }

    /// That a name is no operator, with one that it may be meant for.
    fn unknown_operator(&self, name: &str, at: Span) -> Problem {
        let problem = no_operator(name, at);
        let constructors = self.adts.constructors();
        if let Some(near) = suggest(name, constructors) {
            return problem.help(format!("is it `{near}`?"));
        }
        match self
            .relations
            .operator(&super::operators::full_name(name), None)
        {
            Err(d) => d.help.into_iter().fold(problem, Problem::help),
            Ok(_) => problem,
        }
    }

    /// The type of a constructor, and of what it makes.
    pub(crate) fn constructor(&mut self, adt: u32, place: usize) -> Result<(Ty, Ty), Problem> {
        let own = self.adts.get(adt).clone();
        let level = self.level;
        let mut scope = crate::infer::Params::default();
        let mut args = Vec::with_capacity(own.binders.len());
        for binder in &own.binders {
            let hole = self.table.push(Node::Hole { level });
            args.push(hole);
            scope.insert(
                binder.name.node.clone(),
                crate::infer::BoundParam::Type(hole),
            );
        }
        let outer = std::mem::replace(&mut self.params, vec![scope]);
        let fields = own.constructors.get(place).map(|c| c.fields.as_slice());
        let fields = fields.unwrap_or_default().iter();
        let fields: Result<Vec<Ty>, Problem> = fields.map(|f| self.annotation(f)).collect();
        self.params = outer;
        let fields = fields?;
        let result = self.table.push(Node::Adt(adt, args.into()));
        if fields.is_empty() {
            return Ok((result, result));
        }
        let ty = self.table.push(Node::Fn(fields.into(), result));
        Ok((ty, result))
    }

    pub(crate) fn named_call(
        &mut self,
        callee: ExprId,
        type_args: &[Spanned<Type>],
        args: &[ExprId],
        attrs: &[Attr],
        at: Span,
    ) -> Result<Ty, Problem> {
        let place = self.program.span(callee);
        let outer = (
            std::mem::take(&mut self.pending),
            std::mem::take(&mut self.pending_uses),
        );
        let found = self.named_with(callee, type_args, place);
        // What the function requires is stated when its arguments are known.
        let own = (
            std::mem::replace(&mut self.pending, outer.0),
            std::mem::replace(&mut self.pending_uses, outer.1),
        );
        let called = self.called_with(found, callee, args, attrs, at);
        self.pending.extend(own.0);
        self.pending_uses.extend(own.1);
        called
    }

    pub(crate) fn called_with(
        &mut self,
        found: Result<Callee, Problem>,
        callee: ExprId,
        args: &[ExprId],
        attrs: &[Attr],
        at: Span,
    ) -> Result<Ty, Problem> {
        let found = match found {
            Ok(found) => found,
            Err(problem) => {
                // What is wrong in the arguments is found as well.
                for arg in args {
                    self.expr(*arg);
                }
                return Err(problem);
            }
        };
        match (found, self.program.expr(callee)) {
            (Callee::Operator(operator), Expr::Name(name)) => {
                let args: Vec<Ty> = args.iter().map(|arg| self.expr(*arg)).collect();
                self.operator_call(name, operator, args, attrs, at)
            }
            (Callee::Type(ty), e) => {
                self.types[callee.index()] = Some(ty);
                // `Nil()` is `Nil`.
                let is_constructor =
                    matches!(e, Expr::Name(name) if self.adts.constructor(name).is_some());
                let root = self.table.find(ty);
                if is_constructor && !matches!(self.table.get(root), Node::Fn(..)) {
                    if args.is_empty() {
                        return Ok(ty);
                    }
                    let headline = format!(
                        "a constructor that takes nothing, with {}",
                        counted(args.len(), "argument")
                    );
                    return Err(Problem::new(ErrorKind::Arity, headline, at));
                }
                self.call(ty, callee, args, attrs, at)
            }
            (Callee::Operator(_), _) => Err(no_operator("", at)),
        }
    }

    /// A call of what is of this type.
    pub(crate) fn call(
        &mut self,
        ty: Ty,
        callee: ExprId,
        args: &[ExprId],
        attrs: &[Attr],
        at: Span,
    ) -> Result<Ty, Problem> {
        if let Some(attr) = attrs.first() {
            let headline = "only operators take attributes";
            self.problems
                .push(Problem::new(ErrorKind::Relation, headline, attr.name.span));
        }
        let ty = self.settled(ty);
        match self.table.get(ty).clone() {
            Node::Poly(own) => {
                let ty = self.used_type(&own, at).ok_or_else(|| too_large(at))?;
                self.call(ty, callee, args, &[], at)
            }
            Node::Fn(params, result) => {
                if params.len() != args.len() {
                    for arg in args {
                        self.expr(*arg);
                    }
                    let shown = self.shown(ty);
                    let headline = format!(
                        "a function of {} is called with {}",
                        counted(params.len(), "parameter"),
                        args.len()
                    );
                    let problem = Problem::new(ErrorKind::Arity, headline, at);
                    return Err(problem.also(self.program.span(callee), format!("`{shown}`")));
                }
                for (i, (param, arg)) in params.iter().zip(args).enumerate() {
                    if let Some(problem) = self.checked(*arg, *param, &format!("argument {i}")) {
                        let place = self.program.span(callee);
                        let shown = self.shown(ty);
                        self.problems
                            .push(problem.also(place, format!("`{shown}`")));
                    }
                }
                Ok(result)
            }
            Node::Hole { level } => {
                let args: Box<[Ty]> = args.iter().map(|arg| self.expr(*arg)).collect();
                let result = self.table.push(Node::Hole { level });
                let function = self.table.push(Node::Fn(args, result));
                let unified = self.unify(ty, function, OpenSide::Both);
                unified.map_err(|clash| self.clash(clash, ty, function, at, "what is called"))?;
                Ok(result)
            }
            Node::Wrong => {
                for arg in args {
                    self.expr(*arg);
                }
                Ok(ty)
            }
            _ => {
                for arg in args {
                    self.expr(*arg);
                }
                let shown = self.shown(ty);
                let place = self.program.span(callee);
                let headline = format!("`{shown}` is no function");
                Err(Problem::new(ErrorKind::NotFunction, headline, place))
            }
        }
    }

    /// An operator that is not called: a function of its operands.
    pub(crate) fn operator_value(
        &mut self,
        id: ExprId,
        operator: Rc<kanshape::Operator>,
        at: Span,
    ) -> Result<Ty, Problem> {
        let Expr::Name(name) = self.program.expr(id) else {
            return Err(no_operator("", at));
        };
        let level = self.level;
        let least = operator.inputs().filter(|formal| !formal.optional);
        let params: Vec<Ty> = least
            .map(|_| self.table.push(Node::Hole { level }))
            .collect();
        let result = self.operator_call(name, operator, params.clone(), &[], at)?;
        Ok(self.table.push(Node::Fn(params.into(), result)))
    }

    /// A field of a tuple.
    pub(crate) fn field(&mut self, of: Ty, index: u64, at: Span) -> Result<Ty, Problem> {
        let of = self.settled(of);
        match self.table.get(of).clone() {
            Node::Tuple(fields) => {
                let field = usize::try_from(index).ok().and_then(|i| fields.get(i));
                field.copied().ok_or_else(|| {
                    let headline = format!(
                        "there is no field {index} in {}",
                        counted(fields.len(), "field")
                    );
                    let shown = self.shown(of);
                    Problem::new(ErrorKind::Projection, headline, at)
                        .labelled(format!("of `{shown}`"))
                })
            }
            Node::Wrong => Ok(of),
            Node::Hole { .. } | Node::Open { .. } | Node::Rigid(_) => {
                let level = self.level;
                let result = self.table.push(Node::Hole { level });
                let goal = Goal::Field(of, index, result);
                self.log.push(Posted::waiting(at, goal));
                Ok(result)
            }
            _ => {
                let shown = self.shown(of);
                let headline = format!("`{shown}` is no tuple");
                Err(Problem::new(ErrorKind::Projection, headline, at))
            }
        }
    }

    /// Fields of what was not known are looked for again. Is there one that is known now?
    pub(crate) fn fields_again(&mut self, start: usize) {
        loop {
            let mut progress = false;
            for i in start..self.log.len() {
                let (true, &Goal::Field(of, index, result)) =
                    (self.log[i].waits(), &self.log[i].goal)
                else {
                    continue;
                };
                let of = self.settled(of);
                if matches!(
                    self.table.get(of),
                    Node::Hole { .. } | Node::Open { .. } | Node::Rigid(_)
                ) {
                    continue;
                }
                progress = true;
                self.log[i].standing = Standing::Met;
                let at = self.log[i].at;
                match self.field(of, index, at) {
                    Ok(field) => self.same(result, field, OpenSide::Both, at, "the field"),
                    Err(problem) => self.problems.push(problem),
                }
            }
            if !progress {
                return;
            }
        }
    }

    /// The type of what a scheme is, with type arguments.
    pub(crate) fn instance(
        &mut self,
        scheme: &Scheme,
        type_args: &[Spanned<Type>],
        at: Span,
    ) -> Result<Ty, Problem> {
        let (ty, probes) = self.instantiated(scheme, at)?;
        if let Some(member) = scheme.head {
            self.own_uses.push((member, ty, at));
        }
        if let Some(arg) = type_args.get(probes.len()) {
            let headline = format!(
                "a function of {} is given {}",
                counted(probes.len(), "type parameter"),
                type_args.len()
            );
            return Err(Problem::new(ErrorKind::Arity, headline, arg.span)
                .labelled("one too many")
                .also(at, "of this function"));
        }
        for (arg, probe) in type_args.iter().zip(probes) {
            let given = self.type_argument(arg, probe.kind)?;
            self.same(
                probe.ty,
                given,
                OpenSide::Both,
                arg.span,
                "the type argument",
            );
        }
        Ok(ty)
    }

    /// A type argument for a parameter of this kind, as a type in which nothing else is known.
    fn type_argument(&mut self, arg: &Spanned<Type>, kind: Kind) -> Result<Ty, Problem> {
        let at = arg.span;
        let hole = Dtype::Hole;
        let shape = |dims: Vec<Spanned<Dim>>| Shape::Dims(dims);
        let (shape, dtype) = match (kind, &arg.node) {
            (Kind::Type, Type::Shape(_) | Type::Size(_)) => return Err(wrong_argument(arg, kind)),
            (Kind::Type, _) => return self.annotation(arg),
            (Kind::Shape, Type::Shape(dims)) => (shape(dims.clone()), hole),
            (Kind::Shape, Type::Tuple(fields)) => match as_dims(fields) {
                Some(dims) => (shape(dims), hole),
                None => return Err(wrong_argument(arg, kind)),
            },
            (Kind::Shape, Type::Name(name)) if !is_dtype(&name.node) => {
                (Shape::Name(name.clone()), hole)
            }
            (Kind::Shape, Type::Hole) => (Shape::Hole, hole),
            (Kind::ShapeVar, Type::Size(size)) => {
                (shape(vec![Spanned::new(Dim::Expr(size.clone()), at)]), hole)
            }
            (Kind::ShapeVar, Type::Name(name)) if !is_dtype(&name.node) => {
                let size = Dim::Expr(Size::Name(name.clone()));
                (shape(vec![Spanned::new(size, at)]), hole)
            }
            (Kind::ShapeVar, Type::Hole) => (shape(vec![Spanned::new(Dim::Any, at)]), hole),
            (Kind::BaseType, Type::Name(name)) => (shape(Vec::new()), Dtype::Name(name.clone())),
            (Kind::BaseType, Type::Hole) => (shape(Vec::new()), hole),
            _ => return Err(wrong_argument(arg, kind)),
        };
        self.written(&Type::Tensor(Spanned::new(shape, at), dtype), at)
    }
}

/// Names in brackets are read as types: they may be sizes as well.
fn as_dims(fields: &[Spanned<Type>]) -> Option<Vec<Spanned<Dim>>> {
    let dims = fields.iter().map(|field| match &field.node {
        Type::Name(name) if !is_dtype(&name.node) => Some(Spanned::new(
            Dim::Expr(Size::Name(name.clone())),
            field.span,
        )),
        Type::Hole => Some(Spanned::new(Dim::Any, field.span)),
        _ => None,
    });
    dims.collect()
}

fn wrong_argument(arg: &Spanned<Type>, kind: Kind) -> Problem {
    let own = match &arg.node {
        Type::Shape(_) => Kind::Shape,
        Type::Size(_) => Kind::ShapeVar,
        Type::Name(name) if is_dtype(&name.node) => Kind::BaseType,
        _ => Kind::Type,
    };
    let headline = format!(
        "`{}` is of kind `{}`, and the type parameter of kind `{}`",
        arg.node,
        own.name(),
        kind.name()
    );
    Problem::new(ErrorKind::Kind, headline, arg.span)
}

pub(crate) fn too_large(at: Span) -> Problem {
    let headline = "the type is too large to be used at other sizes";
    Problem::new(ErrorKind::Incomplete, headline, at).coded(crate::code::TOO_LARGE)
}

pub(crate) fn no_operator(name: &str, at: Span) -> Problem {
    let headline = format!("there is no operator or constructor `{name}`");
    Problem::new(ErrorKind::Scope, headline, at)
}
