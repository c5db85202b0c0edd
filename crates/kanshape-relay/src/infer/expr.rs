//! Expressions. Chains of lets and the left sides of operators, calls and projections are followed in loops; all other
//! nesting needs brackets, of which the reader allows this many.

use std::rc::Rc;

use kanshape::Dtype;
use kanshape::control::is_over;
use kanshape::graph::Elements;
use kanshape::tree::relay::{Expr, ExprId, Function, LiteralKind, Type};
use kanshape::tree::{Span, Spanned};

use crate::groups;
use crate::infer::calls::{Callee, no_operator};
use crate::infer::unify::{Clash, OpenSide};
use crate::infer::{Binding, Infer, OpenGap};
use crate::problem::{ErrorKind, Problem};
use crate::table::{Node, Probe, Quantified, Ty};

/// Types are nested at most so deeply: what is done with a type takes as long as it is large.
pub(crate) const MAX_DEPTH: u32 = 1000;

impl Infer<'_> {
    /// The type of an expression. What is wrong with it is a problem, and its type then one that fits everywhere.
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
        if let Node::Poly(own) = self.table.get(expected).clone() {
            return self.checked_for_all(id, expected, &own, at, what);
        }
        let ty = self.expr(id);
        let unified = self.unify(expected, ty, OpenSide::First);
        unified
            .err()
            .map(|clash| self.clash(clash, expected, ty, at, what))
    }

    /// An expression where one of a quantified type is expected: it has to be of this type whatever the parameters are,
    /// and require nothing of them that the type does not.
    fn checked_for_all(
        &mut self,
        id: ExprId,
        expected: Ty,
        own: &Quantified,
        at: Span,
        what: &str,
    ) -> Option<Problem> {
        self.level += 1;
        let level = self.level;
        let start = self.log.len();
        let mut numbers = Vec::with_capacity(own.rigids.len());
        for rigid in &own.rigids {
            let name = self.table.rigids[*rigid as usize].name.clone();
            numbers.push(self.table.rigid(name, level));
        }
        let rigids = numbers.iter().map(|r| self.table.push(Node::Rigid(*r)));
        let rigids: Vec<Ty> = rigids.collect();
        let instance = self.instance_of(own, &rigids, level);
        let ty = self.expr(id);
        let Some(instance) = instance else {
            self.level -= 1;
            let headline = "the type is too large to be compared";
            let problem = Problem::new(ErrorKind::Incomplete, headline, at);
            return Some(problem.coded(crate::code::TOO_LARGE));
        };
        let unified = self.unify(instance.inner, ty, OpenSide::First);
        let unified = match (unified, self.narrowed(&instance.sizes)) {
            (Ok(()), Some((_, why))) => {
                let why = format!("a type parameter {why}");
                Err(Clash::because(expected, ty, why))
            }
            (unified, _) => unified,
        };
        let left = match unified {
            Ok(()) => self.not_assumed(start, &numbers, &instance.goals),
            Err(clash) => {
                self.level -= 1;
                return Some(self.clash(clash, expected, ty, at, what));
            }
        };
        self.level -= 1;
        let left = left?;
        let (relation, shown) = (self.shown_goal(&left.goal), self.shown(expected));
        let headline = format!("{what} requires `{relation}`, which its type does not say");
        let problem = Problem::new(ErrorKind::Mismatch, headline, at)
            .labelled(format!("should be `{shown}`"));
        Some(match left.at == at {
            true => problem,
            false => problem.also(left.at, "required here"),
        })
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
    ) -> (Ty, (Vec<u32>, Vec<Probe>)) {
        let head = self.head(function, is_recursive);
        if let Some(own) = own {
            let ty = self
                .table
                .push(Node::Fn(head.params.clone().into(), head.result));
            let at = self.program.span(function.body);
            self.same(own, ty, OpenSide::Both, at, "the function");
        }
        let ty = self.body(function, &head);
        self.check_general(function, &head);
        (ty, (head.rigids, head.probes))
    }

    /// An expression that begins with others: the innermost first.
    fn spine(&mut self, id: ExprId) -> Ty {
        // What is stated now waits for more time that is not there, and would be tried again and again.
        if self.is_cut || is_over() {
            self.is_cut = true;
            return self.table.push(Node::Wrong);
        }
        if self.is_quiet && !self.problems.is_empty() {
            return self.table.push(Node::Wrong);
        }
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
        ty.unwrap_or_else(|| self.table.push(Node::Wrong))
    }

    /// The variables that can be used here, in the order of their names.
    fn scope(&self) -> Vec<(Box<str>, Ty)> {
        let visible = self.vars.iter().filter_map(|(name, all)| {
            let ty = match all.last()? {
                Binding::Mono(ty) => *ty,
                Binding::Poly(scheme) => scheme.ty,
            };
            Some((name.clone(), ty))
        });
        let mut scope: Vec<(Box<str>, Ty)> = visible.collect();
        scope.sort_unstable_by(|a, b| (a.0.len(), &a.0).cmp(&(b.0.len(), &b.0)));
        scope
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
            self.table.push(Node::Wrong)
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
                let dtype: Dtype = Dtype::named(literal.dtype).unwrap_or(Dtype::F32);
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
                let scope = match self.notes_scopes {
                    true => self.scope(),
                    false => Vec::new(),
                };
                self.gaps.push(OpenGap { id, ty, scope });
                ty
            }
            Expr::Tuple(fields) => {
                let fields: Box<[Ty]> = fields.iter().map(|field| self.expr(*field)).collect();
                let ty = self.table.push(Node::Tuple(fields));
                if self.table.depth(ty) > MAX_DEPTH {
                    if !std::mem::replace(&mut self.is_too_deep, true) {
                        let headline = format!("a type is nested more than {MAX_DEPTH} deep");
                        let problem = Problem::new(ErrorKind::Incomplete, headline, at);
                        self.problems.push(problem.coded(crate::code::TOO_LARGE));
                    }
                    return Ok(self.table.push(Node::Wrong));
                }
                ty
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
        if let Err(clash) = self.unify(a, b, OpenSide::Both) {
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
}
