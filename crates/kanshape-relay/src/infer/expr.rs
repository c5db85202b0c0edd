//! Expressions. Chains of lets and the left sides of operators, calls and projections are followed in loops; all other
//! nesting needs brackets, of which the reader allows so many.

use std::rc::Rc;

use kanshape::Dtype;
use kanshape::diag::suggest;
use kanshape::graph::Elements;
use kanshape::unstable::syntax::relay::{Attr, Expr, ExprId, Function, LiteralKind, Type};
use kanshape::unstable::syntax::tree::{Span, Spanned};

use crate::groups;
use crate::infer::operators::{Goal, Posted};
use crate::infer::scheme::Scheme;
use crate::infer::unify::Open;
use crate::infer::{Binding, Infer};
use crate::problem::{ErrorKind, Problem, counted};
use crate::table::{Node, Ty};

/// What a call is of.
enum Callee {
    Operator(Rc<kanshape::Operator>),
    Type(Ty),
}

impl Infer<'_> {
    /// The type of an expression. What is wrong with it is a problem, and its type then a hole.
    pub(crate) fn expr(&mut self, id: ExprId) -> Ty {
        let mut id = id;
        let mut bound = Vec::new();
        let ty = loop {
            match self.program.expr(id) {
                Expr::Let {
                    name,
                    ty,
                    value,
                    body,
                    is_graph,
                } => {
                    let binding = self.let_value(&name.node, ty.as_ref(), *value, *is_graph);
                    self.bind_var(&name.node, binding);
                    bound.push(&name.node);
                    id = *body;
                }
                Expr::Seq(first, rest) => {
                    self.expr(*first);
                    id = *rest;
                }
                _ => break self.spine(id),
            }
        };
        for name in bound.into_iter().rev() {
            self.unbind_var(name);
        }
        ty
    }

    /// An expression where one of this type is expected.
    pub(crate) fn checked(&mut self, id: ExprId, expected: Ty, what: &str) -> Option<Problem> {
        let expected = self.table.find(expected);
        let at = self.program.span(groups::last(self.program, id));
        if let Node::Poly(binders, inner) = self.table.get(expected).clone() {
            // It has to be of this type whatever the parameters are.
            self.level += 1;
            let level = self.level;
            let rigids: Vec<Ty> = binders
                .iter()
                .map(|b| {
                    let name = self.table.rigids[*b as usize].name.clone();
                    let rigid = self.table.rigid(name, level);
                    self.table.push(Node::Rigid(rigid))
                })
                .collect();
            let inner = self.replaced(&binders, &rigids, inner);
            let ty = self.expr(id);
            let unified = self.unify(inner, ty, Open::First);
            self.level -= 1;
            return unified
                .err()
                .map(|clash| self.clash(clash, expected, ty, at, what));
        }
        let ty = self.expr(id);
        let unified = self.unify(expected, ty, Open::First);
        unified
            .err()
            .map(|clash| self.clash(clash, expected, ty, at, what))
    }

    /// The value of a let.
    fn let_value(
        &mut self,
        name: &str,
        ty: Option<&Spanned<Type>>,
        value: ExprId,
        is_graph: bool,
    ) -> Binding {
        if let Some(written) = ty {
            let expected = self.annotated(Some(written));
            let is_function = matches!(self.program.expr(value), Expr::Function(_));
            if is_function {
                self.bind_var(name, Binding::Mono(expected));
            }
            let what = format!("`%{name}`");
            let problem = self.checked(value, expected, &what);
            if is_function {
                self.unbind_var(name);
            }
            if let Some(problem) = problem {
                self.problems
                    .push(problem.also(written.span, "its type is written here"));
            }
            return Binding::Mono(expected);
        }
        match self.program.expr(value) {
            Expr::Function(function) => {
                self.level += 1;
                let start = self.log.len();
                let level = self.level;
                let is_recursive =
                    !is_graph && groups::names_local(self.program, function.body, name);
                let (ty, head) = if is_recursive {
                    let own = self.table.push(Node::Hole { level });
                    self.bind_var(name, Binding::Mono(own));
                    let (ty, head) = self.function(function, true, Some(own));
                    self.unbind_var(name);
                    (ty, head)
                } else {
                    self.function(function, false, None)
                };
                self.types[value.index()] = Some(ty);
                self.level -= 1;
                let scheme = self.generalised(ty, head.0, head.1, start);
                Binding::Poly(Rc::new(scheme))
            }
            _ if self.is_value(value, 0) => {
                self.level += 1;
                let start = self.log.len();
                let ty = self.expr(value);
                self.level -= 1;
                let scheme = self.generalised(ty, Vec::new(), Vec::new(), start);
                Binding::Poly(Rc::new(scheme))
            }
            _ => Binding::Mono(self.expr(value)),
        }
    }

    /// Does an expression compute nothing, so that its type may be generalised? A literal is one, and its type closed.
    fn is_value(&mut self, id: ExprId, depth: usize) -> bool {
        if depth > 8 {
            return false;
        }
        match self.program.expr(id) {
            Expr::Name(name) => self.adts.constructor(name).is_some(),
            Expr::Function(_) => true,
            Expr::Local(name) => matches!(
                self.vars.get(name).and_then(|all| all.last()),
                Some(Binding::Poly(_))
            ),
            Expr::Global(name) => matches!(self.globals.get(name), Some(Binding::Poly(_))),
            Expr::Tuple(fields) => {
                !fields.is_empty() && fields.iter().all(|f| self.is_value(*f, depth + 1))
            }
            Expr::Call { callee, args, .. } => {
                let is_constructor = match self.program.expr(*callee) {
                    Expr::Name(name) => self.adts.constructor(name).is_some(),
                    _ => false,
                };
                is_constructor && args.iter().all(|arg| self.is_value(*arg, depth + 1))
            }
            _ => false,
        }
    }

    /// A function: its type, and the type parameters that are written, with what type arguments are for.
    fn function(
        &mut self,
        function: &Function,
        is_recursive: bool,
        own: Option<Ty>,
    ) -> (Ty, (Vec<u32>, Vec<Ty>)) {
        let head = self.head(function, is_recursive);
        if let Some(own) = own {
            let ty = self
                .table
                .push(Node::Fn(head.params.clone().into(), head.result));
            let at = self.program.span(function.body);
            self.same(own, ty, Open::Both, at, "the function");
        }
        let ty = self.body(function, &head);
        (ty, (head.rigids, head.probes))
    }

    /// An expression that begins with others: the innermost first.
    fn spine(&mut self, id: ExprId) -> Ty {
        let mut spine = vec![id];
        loop {
            let at = spine.last().copied().unwrap_or(id);
            match self.program.expr(at) {
                Expr::Binary(_, left, _) => spine.push(*left),
                Expr::Project(of, _) => spine.push(*of),
                Expr::Call { callee, .. } if !self.is_named(*callee) => spine.push(*callee),
                _ => break,
            }
        }
        let mut ty = None;
        while let Some(id) = spine.pop() {
            let found = self.one(id, ty);
            let found = self.or_hole(found);
            self.state_pending();
            self.types[id.index()] = Some(found);
            ty = Some(found);
        }
        ty.unwrap_or_else(|| self.table.push(Node::Hole { level: 0 }))
    }

    /// Is a callee a name, which is looked up rather than inferred?
    fn is_named(&self, id: ExprId) -> bool {
        matches!(
            self.program.expr(id),
            Expr::Name(_) | Expr::Global(_) | Expr::Local(_)
        )
    }

    fn or_hole(&mut self, found: Result<Ty, Problem>) -> Ty {
        found.unwrap_or_else(|problem| {
            self.problems.push(problem);
            let level = self.level;
            self.table.push(Node::Hole { level })
        })
    }

    /// An expression; `left` is the type of what it begins with, if that is an expression on the spine.
    fn one(&mut self, id: ExprId, left: Option<Ty>) -> Result<Ty, Problem> {
        let at = self.program.span(id);
        let level = self.level;
        let program = self.program;
        Ok(match program.expr(id) {
            Expr::Local(name) => self.local(name, at)?,
            Expr::Global(_) | Expr::Name(_) => match self.named(id, at)? {
                Callee::Type(ty) => ty,
                Callee::Operator(operator) => self.operator_value(id, operator, at)?,
            },
            Expr::Literal(literal) => {
                let dtype: Dtype = literal.dtype.parse().unwrap_or(Dtype::F32);
                let value = match literal.kind {
                    LiteralKind::Int(n) => {
                        self.graph.tensor(dtype, &[], Some(Elements::Ints(&[n])))
                    }
                    LiteralKind::Bool(b) => {
                        let elements = Elements::Ints(&[i64::from(b)]);
                        self.graph.tensor(dtype, &[], Some(elements))
                    }
                    LiteralKind::Float(_) => self.graph.tensor(dtype, &[], None),
                };
                self.ty_of_value(value)
            }
            Expr::Text(_) => {
                return Err(Problem::new(
                    ErrorKind::Mismatch,
                    "a text is no value of a program",
                    at,
                ));
            }
            Expr::Meta(_) => self.table.push(Node::Hole { level }),
            Expr::Hole => {
                let ty = self.table.push(Node::Hole { level });
                self.gaps.push((id, ty));
                ty
            }
            Expr::Tuple(fields) => {
                let fields: Box<[Ty]> = fields.iter().map(|field| self.expr(*field)).collect();
                self.table.push(Node::Tuple(fields))
            }
            Expr::Project(of, index) => {
                let of = left.unwrap_or_else(|| self.expr(*of));
                self.field(of, *index, at)?
            }
            Expr::Call {
                callee,
                type_args,
                args,
                attrs,
            } => match left {
                Some(ty) => self.call(ty, *callee, args, attrs, at)?,
                None => self.named_call(*callee, type_args, args, attrs, at)?,
            },
            Expr::Binary(op, a, b) => {
                let a = left.unwrap_or_else(|| self.expr(*a));
                let b = self.expr(*b);
                self.by_operator(op.operator(), vec![a, b], at)?
            }
            Expr::Negate(inner) => {
                let inner = self.expr(*inner);
                self.by_operator("negative", vec![inner], at)?
            }
            Expr::Function(function) => {
                if function.binders.is_empty() {
                    return Ok(self.function(function, false, None).0);
                }
                self.level += 1;
                let start = self.log.len();
                let (ty, (rigids, probes)) = self.function(function, false, None);
                self.level -= 1;
                let scheme = self.generalised(ty, rigids, probes, start);
                self.instance(&scheme, &[], at)?
            }
            Expr::If(condition, a, b) => {
                let truth = self.graph.tensor(Dtype::Bool, &[], None);
                let truth = self.ty_of_value(truth);
                if let Some(problem) = self.checked(*condition, truth, "the condition") {
                    self.problems.push(problem);
                }
                let one = self.expr(*a);
                let other = self.expr(*b);
                let what = "the other branch";
                let place = self.program.span(groups::last(self.program, *b));
                let first = self.program.span(groups::last(self.program, *a));
                self.joined(one, other, place, what, first)
            }
            Expr::Match {
                scrutinee,
                clauses,
                is_complete,
            } => self.match_of(*scrutinee, clauses, *is_complete, at),
            Expr::RefNew(value) => {
                let inner = self.expr(*value);
                self.table.push(Node::Ref(inner))
            }
            Expr::RefRead(reference) => {
                let inner = self.table.push(Node::Hole { level });
                let expected = self.table.push(Node::Ref(inner));
                let problem = self.checked(*reference, expected, "what is read");
                problem.map_or(Ok(inner), Err)?
            }
            Expr::RefWrite(reference, value) => {
                let inner = self.table.push(Node::Hole { level });
                let expected = self.table.push(Node::Ref(inner));
                if let Some(problem) = self.checked(*reference, expected, "what is written to") {
                    self.problems.push(problem);
                }
                if let Some(problem) = self.checked(*value, inner, "what is written") {
                    self.problems.push(problem);
                }
                self.table.push(Node::Tuple([].into()))
            }
            Expr::Let { .. } | Expr::Seq(..) => self.expr(id),
        })
    }

    /// The type of two branches: the one that leaves more sizes open.
    pub(crate) fn joined(&mut self, a: Ty, b: Ty, at: Span, what: &str, first: Span) -> Ty {
        if let Err(clash) = self.unify(a, b, Open::Both) {
            let problem = self.clash(clash, a, b, at, what);
            let shown = self.shown(a);
            self.problems
                .push(problem.also(first, format!("`{shown}`")));
            return a;
        }
        match self.has_any(b) && !self.has_any(a) {
            true => b,
            false => a,
        }
    }

    fn has_any(&self, ty: Ty) -> bool {
        let parts = self.table.all_parts(ty);
        parts
            .iter()
            .any(|part| matches!(self.table.get(*part), Node::Tensor { any, .. } if *any != 0))
    }

    fn by_operator(&mut self, name: &str, args: Vec<Ty>, at: Span) -> Result<Ty, Problem> {
        match self.operator(name) {
            Some(operator) => self.operator_call(name, operator, args, &[], at),
            None => Err(no_operator(name, at)),
        }
    }

    fn local(&mut self, name: &str, at: Span) -> Result<Ty, Problem> {
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
    fn used(
        &mut self,
        binding: &Binding,
        type_args: &[Spanned<Type>],
        at: Span,
    ) -> Result<Ty, Problem> {
        match binding {
            Binding::Mono(ty) => {
                let root = self.table.find(*ty);
                match self.table.get(root).clone() {
                    Node::Poly(binders, inner) => {
                        let level = self.level;
                        Ok(self.with_holes(&binders, inner, level).0)
                    }
                    // What is in it is known of this type, and not of what it is the same as.
                    _ => Ok(*ty),
                }
            }
            Binding::Poly(scheme) => self.instance(scheme, type_args, at),
        }
    }

    /// What a name is.
    fn named(&mut self, id: ExprId, at: Span) -> Result<Callee, Problem> {
        self.named_with(id, &[], at)
    }

    fn named_with(
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
                if !type_args.is_empty() || !self.globals.is_empty() {
                    if let Some(binding) = self.globals.get(name).cloned()
                        && (self.operator(name).is_none() || !type_args.is_empty())
                    {
                        return self.used(&binding, type_args, at).map(Callee::Type);
                    }
                }
                match self.operator(name) {
                    Some(operator) => Ok(Callee::Operator(operator)),
                    None => Err(no_operator(name, at)),
                }
            }
            _ => Ok(Callee::Type(self.expr(id))),
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
            scope.insert(binder.name.node.clone(), crate::infer::Param::Type(hole));
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

    fn named_call(
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

    fn called_with(
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
    fn call(
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
            Node::Poly(binders, inner) => {
                let level = self.level;
                let ty = self.with_holes(&binders, inner, level).0;
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
                let unified = self.unify(ty, function, Open::Both);
                unified.map_err(|clash| self.clash(clash, ty, function, at, "what is called"))?;
                Ok(result)
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
    fn operator_value(
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
    fn field(&mut self, of: Ty, index: u64, at: Span) -> Result<Ty, Problem> {
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
            Node::Hole { .. } | Node::Open { .. } | Node::Rigid(_) => {
                let level = self.level;
                let result = self.table.push(Node::Hole { level });
                self.log.push(Posted {
                    at,
                    goal: Goal::Field(of, index, result),
                    waits: true,
                });
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
                    (self.log[i].waits, &self.log[i].goal)
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
                self.log[i].waits = false;
                let at = self.log[i].at;
                match self.field(of, index, at) {
                    Ok(field) => self.same(result, field, Open::Both, at, "the field"),
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
        if type_args.len() > probes.len() {
            let headline = format!(
                "a function of {} is given {}",
                counted(probes.len(), "type parameter"),
                type_args.len()
            );
            return Err(Problem::new(ErrorKind::Arity, headline, at));
        }
        for (arg, probe) in type_args.iter().zip(probes) {
            let given = match &arg.node {
                Type::Shape(dims) => {
                    let shape = kanshape::unstable::syntax::relay::Shape::Dims(dims.clone());
                    let dtype = kanshape::unstable::syntax::relay::Dtype::Hole;
                    self.written(
                        &Type::Tensor(Spanned::new(shape, arg.span), dtype),
                        arg.span,
                    )?
                }
                Type::Size(n) => {
                    let size = kanshape::unstable::syntax::relay::Dim::Expr(
                        kanshape::unstable::syntax::tree::Expr::Int(*n),
                    );
                    let shape = kanshape::unstable::syntax::relay::Shape::Dims(vec![Spanned::new(
                        size, arg.span,
                    )]);
                    let dtype = kanshape::unstable::syntax::relay::Dtype::Hole;
                    self.written(
                        &Type::Tensor(Spanned::new(shape, arg.span), dtype),
                        arg.span,
                    )?
                }
                _ => self.annotation(arg)?,
            };
            self.same(probe, given, Open::Both, arg.span, "the type argument");
        }
        Ok(ty)
    }
}

fn no_operator(name: &str, at: Span) -> Problem {
    let headline = format!("there is no operator or constructor `{name}`");
    Problem::new(ErrorKind::Scope, headline, at)
}
