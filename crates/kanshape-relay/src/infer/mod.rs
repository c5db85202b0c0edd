//! Inference of a program: HM(X) with levels. Structure is unified in the table, and what operators require is stated
//! in one graph.
//!
//! Start at [`Infer::program`]. `expr` walks expressions, `annotate` reads written types, `unify` makes two types the
//! same, `operators` states calls, `scheme` generalises and instantiates, `quantified` is about function types
//! that bind and require something, `write` and `left` say what is found.

mod annotate;
mod calls;
mod expr;
mod left;
mod matches;
pub(crate) mod operators;
mod quantified;
pub(crate) mod scheme;
pub(crate) mod unify;
pub(crate) mod write;
mod writer;

use std::rc::Rc;

use kanshape::control::is_over;
use kanshape::graph::{Graph, NodeId, ValueId};
use kanshape::tree::relay::{self, Def, ExprId, Function, Item, Type};
use kanshape::tree::{Span, Spanned};
use kanshape::{Diagnostic, Name, Operator, Relations};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::adts::Adts;
use crate::groups;
use crate::infer::operators::{Origin, Posted};
use crate::infer::scheme::Scheme;
use crate::infer::unify::{Bijection, Clash, OpenSide};
use crate::kinds::Kind;
use crate::notation::{dtype_name, in_relay};
use crate::problem::{ErrorKind, Problem, counted};
use crate::table::{Called, Node, Probe, Table, Ty};

/// What a name in a type is bound to.
#[derive(Clone, Debug)]
pub(crate) enum BoundParam {
    Type(Ty),
    Size(Name),
    Shape(Name),
    Dtype(Name),
}

impl BoundParam {
    pub(crate) fn kind(&self) -> Kind {
        match self {
            BoundParam::Type(_) => Kind::Type,
            BoundParam::Size(_) => Kind::ShapeVar,
            BoundParam::Shape(_) => Kind::Shape,
            BoundParam::Dtype(_) => Kind::BaseType,
        }
    }
}

pub(crate) type Params = FxHashMap<Box<str>, BoundParam>;

/// What a variable is.
#[derive(Clone, Debug)]
pub(crate) enum Binding {
    Mono(Ty),
    Poly(Rc<Scheme>),
}

/// A program while its types are inferred.
pub(crate) struct Infer<'p> {
    pub(crate) program: &'p relay::Program,
    pub(crate) relations: &'p Relations,
    pub(crate) table: Table,
    pub(crate) graph: Graph,
    pub(crate) adts: Adts,
    pub(crate) level: u32,
    /// What has been stated, in its order.
    pub(crate) log: Vec<Posted>,
    /// The tensors in which something was open when they were made, and what the graph knows otherwise.
    pub(crate) open: Vec<Ty>,
    /// The values of types that come from one expression alone, with what is in them.
    pub(crate) contents: FxHashMap<Ty, ValueId>,
    pub(crate) operators: FxHashMap<Box<str>, Option<Rc<Operator>>>,
    pub(crate) calls: FxHashMap<(Box<str>, usize), Called>,
    pub(crate) params: Vec<Params>,
    pub(crate) uses: FxHashMap<Box<str>, Kind>,
    pub(crate) holes: FxHashMap<Box<str>, Ty>,
    /// The sizes of this global by their names.
    pub(crate) sizes: FxHashMap<Box<str>, Name>,
    pub(crate) names: FxHashMap<Box<str>, usize>,
    pub(crate) originals: FxHashMap<Name, Box<str>>,
    pub(crate) vars: FxHashMap<Box<str>, Vec<Binding>>,
    pub(crate) globals: FxHashMap<Box<str>, Binding>,
    /// The results of recursive functions that take tensors of any size.
    pub(crate) loose_results: FxHashSet<Ty>,
    pub(crate) bijections: Vec<Bijection>,
    /// A function that calls itself is being inferred, and not all of its type is written.
    pub(crate) is_unwritten: bool,
    /// Where members of the group that is being inferred are used by their written types, and at which.
    pub(crate) own_uses: Vec<(usize, Ty, Span)>,
    /// Where types are written, and where operators are called that give them.
    pub(crate) origins: FxHashMap<Ty, Origin>,
    /// The tensors of which all that is known is what operators require.
    pub(crate) soft: FxHashSet<Ty>,
    pub(crate) types: Vec<Option<Ty>>,
    pub(crate) problems: Vec<Problem>,
    /// It has been reported that a type is nested too deeply.
    pub(crate) is_too_deep: bool,
    pub(crate) warnings: Vec<Diagnostic>,
    /// What instances of schemes require and is not stated so far, and where they are used.
    pub(crate) pending: Vec<Posted>,
    pub(crate) pending_uses: Vec<Span>,
    /// Is the rank of these values open? Of those that were last read.
    pub(crate) unranked: FxHashMap<ValueId, bool>,
    /// The nodes of the graph that have more to say, when that was last looked at.
    pub(crate) undecided: FxHashSet<NodeId>,
    /// How many functions are numbered, and those of them that are used.
    pub(crate) numbered: u32,
    pub(crate) used_functions: FxHashSet<u32>,
    /// The names that were made up for what nobody has named.
    pub(crate) made: FxHashSet<Name>,
    /// The types of matches without clauses.
    pub(crate) absurd: Vec<Ty>,
    /// The expressions that are not written.
    pub(crate) gaps: Vec<OpenGap>,
    /// How many types have been copied for uses of functions at other types.
    pub(crate) copied: usize,
    /// The time or the steps were over before the end of the program.
    pub(crate) is_cut: bool,
    /// Is it noted which variables a gap can use?
    pub(crate) notes_scopes: bool,
    /// Only whether something is wrong counts: nothing is inferred behind that, and no message is written.
    pub(crate) is_quiet: bool,
}

/// An expression that is not written.
pub(crate) struct OpenGap {
    pub(crate) id: ExprId,
    pub(crate) ty: Ty,
    /// The variables that can be used there, if that is noted.
    pub(crate) scope: Vec<(Box<str>, Ty)>,
}

/// A global, as it was found to be.
pub(crate) struct Global {
    pub(crate) name: Box<str>,
    pub(crate) at: Span,
    pub(crate) scheme: Rc<Scheme>,
}

/// The head of a function, as types.
pub(crate) struct FunctionHead {
    pub(crate) params: Vec<Ty>,
    pub(crate) result: Ty,
    /// The type parameters that are written.
    pub(crate) rigids: Vec<u32>,
    pub(crate) probes: Vec<Probe>,
    /// The scopes that were opened for it.
    scope: Params,
}

impl<'p> Infer<'p> {
    pub(crate) fn new(program: &'p relay::Program, relations: &'p Relations) -> Infer<'p> {
        Infer {
            program,
            relations,
            table: Table::default(),
            graph: Graph::new(relations),
            adts: Adts::default(),
            level: 0,
            log: Vec::new(),
            open: Vec::new(),
            contents: FxHashMap::default(),
            operators: FxHashMap::default(),
            calls: FxHashMap::default(),
            params: vec![Params::default()],
            uses: FxHashMap::default(),
            holes: FxHashMap::default(),
            sizes: FxHashMap::default(),
            names: FxHashMap::default(),
            originals: FxHashMap::default(),
            vars: FxHashMap::default(),
            globals: FxHashMap::default(),
            loose_results: FxHashSet::default(),
            bijections: Vec::new(),
            soft: FxHashSet::default(),
            own_uses: Vec::new(),
            is_unwritten: false,
            origins: FxHashMap::default(),
            types: vec![None; program.len()],
            problems: Vec::new(),
            is_too_deep: false,
            is_cut: false,
            copied: 0,
            warnings: Vec::new(),
            pending: Vec::new(),
            pending_uses: Vec::new(),
            unranked: FxHashMap::default(),
            undecided: FxHashSet::default(),
            numbered: 0,
            used_functions: FxHashSet::default(),
            made: FxHashSet::default(),
            absurd: Vec::new(),
            gaps: Vec::new(),
            notes_scopes: false,
            is_quiet: false,
        }
    }

    /// Infers the types of all globals, in groups that call each other, callees first.
    pub(crate) fn program(&mut self) -> Vec<Global> {
        let mut problems = Vec::new();
        self.adts = Adts::of(self.program, &mut problems);
        self.problems.append(&mut problems);
        let mut defs: Vec<&Def> = Vec::new();
        let mut by_name: FxHashMap<&str, Span> = FxHashMap::default();
        for item in &self.program.items {
            let Item::Def(def) = item else { continue };
            match by_name.insert(&def.name.node, def.name.span) {
                None => defs.push(def),
                Some(first) => {
                    let headline = format!("`@{}` is defined twice", def.name.node);
                    let problem = Problem::new(ErrorKind::Duplicate, headline, def.name.span);
                    self.problems
                        .push(problem.also(first, "first defined here"));
                }
            }
        }
        let mut globals: Vec<Option<Global>> = defs.iter().map(|_| None).collect();
        for group in groups::of(self.program, &defs) {
            let members: Vec<&Def> = group.iter().map(|i| defs[*i]).collect();
            for (i, global) in group.iter().zip(self.group(&members)) {
                globals[*i] = Some(global);
            }
        }
        let mut globals: Vec<Global> = globals.into_iter().flatten().collect();
        if let Some(main) = self.program.main {
            globals.push(self.expression(main));
        }
        globals
    }

    /// An expression behind the definitions.
    fn expression(&mut self, main: ExprId) -> Global {
        self.level += 1;
        self.sizes.clear();
        let start = self.log.len();
        let result = self.expr(main);
        let ty = self.table.push(Node::Fn([].into(), result));
        self.level -= 1;
        let scheme = Rc::new(self.generalised(ty, Vec::new(), Vec::new(), start));
        Global {
            name: "main".into(),
            at: self.program.span(main),
            scheme,
        }
    }

    /// Globals that call each other are inferred together. Those whose types are written in full can be used at
    /// several types by the others.
    fn group(&mut self, members: &[&Def]) -> Vec<Global> {
        self.level += 1;
        let start = self.log.len();
        let mut heads: Vec<(FunctionHead, FxHashMap<Box<str>, Name>)> = Vec::new();
        for (member, def) in members.iter().enumerate() {
            self.sizes.clear();
            let is_loose = groups::calls_itself(self.program, def);
            let head = self.head(&def.function, is_loose);
            let ty = self
                .table
                .push(Node::Fn(head.params.clone().into(), head.result));
            let is_full = def.function.result.is_some()
                && def.function.params.iter().all(|param| param.ty.is_some());
            let binding = match is_full && !has_hole(&def.function) {
                true => {
                    self.level -= 1;
                    let log = self.log.len();
                    let mut scheme =
                        self.generalised(ty, head.rigids.clone(), head.probes.clone(), log);
                    self.level += 1;
                    scheme.head = Some(member);
                    Binding::Poly(Rc::new(scheme))
                }
                false => Binding::Mono(ty),
            };
            self.globals.insert(def.name.node.clone(), binding);
            heads.push((head, std::mem::take(&mut self.sizes)));
        }
        let calls_itself = members.len() > 1
            || members
                .iter()
                .any(|def| groups::calls_itself(self.program, def));
        let is_written =
            |def: &&Def| matches!(self.globals.get(&def.name.node), Some(Binding::Poly(_)));
        self.is_unwritten = calls_itself && !members.iter().all(is_written);
        let mut types = Vec::new();
        for (def, (head, sizes)) in members.iter().zip(heads) {
            self.sizes = sizes;
            let ty = self.body(&def.function, &head);
            types.push((ty, head));
        }
        for (def, (_, head)) in members.iter().zip(&types) {
            self.check_general(&def.function, head);
        }
        self.level -= 1;
        let mut globals: Vec<Global> = Vec::new();
        let keep = self.kept();
        for (def, (ty, head)) in members.iter().zip(types) {
            self.is_cut |= is_over();
            let scheme = match self.is_cut {
                true => Scheme::unknown(self.table.push(Node::Wrong)),
                false => self.generalised_beside(ty, head.rigids, head.probes, start, &keep),
            };
            let scheme = Rc::new(scheme);
            self.globals
                .insert(def.name.node.clone(), Binding::Poly(Rc::clone(&scheme)));
            globals.push(Global {
                name: def.name.node.clone(),
                at: def.name.span,
                scheme,
            });
        }
        // These uses are inside of the functions, where their type parameters are known.
        self.level += 1;
        for (member, ty, at) in std::mem::take(&mut self.own_uses) {
            self.is_cut |= is_over();
            if self.is_cut {
                break;
            }
            self.check_use(&globals[member].scheme, ty, at);
        }
        self.level -= 1;
        globals
    }

    /// The types of what a function takes and gives, as far as they are written.
    pub(crate) fn head(&mut self, function: &Function, is_loose: bool) -> FunctionHead {
        let level = self.level;
        self.uses = uses_of(head_types(function));
        let rigids = match self.bound(&function.binders, level) {
            Ok(rigids) => rigids,
            Err(problem) => {
                self.problems.push(problem);
                self.params.push(Params::default());
                Vec::new()
            }
        };
        let mut params = Vec::with_capacity(function.params.len());
        for param in &function.params {
            params.push(self.annotated(param.ty.as_ref()));
        }
        let result = self.annotated(function.result.as_ref());
        if is_loose && function.result.is_none() {
            let takes_any = params.iter().any(|param| {
                let parts = self.table.all_parts(*param);
                let mut tensors = parts.iter();
                tensors.any(
                    |part| matches!(self.table.get(*part), Node::Tensor { any, .. } if *any != 0),
                )
            });
            if takes_any {
                self.loose_results.insert(result);
            }
        }
        for relation in &function.constraints {
            if let Err(problem) = self.constraint(relation, &params, result) {
                self.problems.push(problem);
            }
        }
        let probes = self.probes(function);
        FunctionHead {
            params,
            result,
            rigids,
            probes,
            scope: self.params.pop().unwrap_or_default(),
        }
    }

    /// What type arguments may be given for, in their order: the type parameters, then the names of whole shapes.
    fn probes(&mut self, function: &Function) -> Vec<Probe> {
        let mut names: Vec<Box<str>> = Vec::new();
        names.extend(function.binders.iter().map(|b| b.name.node.clone()));
        free_shapes(function, &mut names);
        let probes = names.iter().map(|name| self.probe(name, Kind::Shape));
        probes.filter_map(Result::ok).collect()
    }

    /// Type parameters that are written hold for whatever they are: also those that are sizes, shapes or dtypes.
    pub(crate) fn check_general(&mut self, function: &Function, head: &FunctionHead) {
        let own: Vec<(usize, Probe)> = head
            .probes
            .iter()
            .copied()
            .enumerate()
            .take(function.binders.len())
            .filter(|(_, probe)| probe.kind != Kind::Type)
            .collect();
        let probes: Vec<Probe> = own.iter().map(|(_, probe)| *probe).collect();
        if let Some((i, why)) = self.narrowed(&probes) {
            let name = &function.binders[own[i].0].name;
            let headline = format!("the type parameter `{}` {why}", name.node);
            let at = self.program.span(groups::last(self.program, function.body));
            let problem = Problem::new(ErrorKind::Mismatch, headline, name.span);
            self.problems.push(problem.also(at, "because of this"));
        }
    }

    /// A type that may be written.
    pub(crate) fn annotated(&mut self, ty: Option<&Spanned<Type>>) -> Ty {
        let level = self.level;
        match ty.map(|ty| self.annotation(ty)) {
            None => self.table.push(Node::Hole { level }),
            Some(Ok(ty)) => ty,
            Some(Err(problem)) => {
                self.problems.push(problem);
                self.table.push(Node::Wrong)
            }
        }
    }

    /// The body of a function, with its head.
    pub(crate) fn body(&mut self, function: &Function, head: &FunctionHead) -> Ty {
        self.params.push(head.scope.clone());
        let mut seen: FxHashSet<&str> = FxHashSet::default();
        for (param, ty) in function.params.iter().zip(&head.params) {
            if !seen.insert(&param.name.node) {
                let headline = format!("the parameter `%{}` is bound twice", param.name.node);
                let problem = Problem::new(ErrorKind::Duplicate, headline, param.name.span);
                self.problems.push(problem);
            }
            self.bind_var(&param.name.node, Binding::Mono(*ty));
        }
        let at = self.program.span(groups::last(self.program, function.body));
        match &function.result {
            Some(written) => {
                let what = "the result";
                if let Some(problem) = self.checked(function.body, head.result, what) {
                    self.problems
                        .push(problem.also(written.span, "the result is written here"));
                }
            }
            None => {
                let ty = self.expr(function.body);
                self.same(head.result, ty, OpenSide::Both, at, "the result");
            }
        }
        for param in &function.params {
            self.unbind_var(&param.name.node);
        }
        self.params.pop();
        self.table
            .push(Node::Fn(head.params.clone().into(), head.result))
    }

    pub(crate) fn bind_var(&mut self, name: &str, binding: Binding) {
        self.vars.entry(name.into()).or_default().push(binding);
    }

    pub(crate) fn unbind_var(&mut self, name: &str) {
        if let Some(all) = self.vars.get_mut(name) {
            all.pop();
        }
    }

    /// From now on both are the same, or that they are not is a problem.
    pub(crate) fn same(&mut self, a: Ty, b: Ty, open: OpenSide, at: Span, what: &str) {
        if let Err(clash) = self.unify(a, b, open) {
            let problem = self.clash(clash, a, b, at, what);
            self.problems.push(problem);
        }
    }

    /// What is certainly not the same in two tensors.
    fn difference(&mut self, expected: Ty, found: Ty) -> Option<String> {
        let value = |infer: &Infer<'_>, ty: Ty| match infer.table.get(ty) {
            Node::Tensor { value, .. } => Some(*value),
            _ => None,
        };
        let (x, y) = (value(self, expected)?, value(self, found)?);
        different(&self.graph.ty(x), &self.graph.ty(y))
    }

    /// That two types are not the same, in words: `a` was expected of `what`, and `b` found.
    pub(crate) fn clash(&mut self, clash: Clash, a: Ty, b: Ty, at: Span, what: &str) -> Problem {
        if self.is_quiet {
            let problem = Problem::new(clash.kind, what, at);
            return match clash.is_limit {
                true => problem.coded(crate::code::TOO_LARGE),
                false => problem,
            };
        }
        let mut all = vec![a, b];
        all.extend(clash.parts.iter().flat_map(|(one, other)| [*one, *other]));
        let shown = self.shown_all(&all);
        let (expected, found) = (&shown[0], &shown[1]);
        let headline = match clash.kind {
            _ if clash.is_limit => {
                format!("it is too much to find out whether {what} is of its type")
            }
            ErrorKind::OccursCheck => format!("{what} would be of a type that contains itself"),
            _ => format!("{what} is `{found}`, and should be `{expected}`"),
        };
        let mut problem = Problem::new(clash.kind, headline, at).labelled(format!("`{found}`"));
        if clash.is_limit {
            problem = problem.coded(crate::code::TOO_LARGE);
        }
        if let [_, _, one, other] = shown.as_slice() {
            let is_whole = one == expected && other == found || one == found && other == expected;
            if !is_whole && one != other {
                problem = problem.step(format!("`{one}` against `{other}`"));
            } else if clash.kind == ErrorKind::OccursCheck {
                problem = problem.step(format!("`{expected}` against `{found}`"));
            }
        }
        let (one, other) = clash.parts.unwrap_or((a, b));
        match (self.difference(one, other), clash.why) {
            (Some(difference), _) => problem = problem.step(difference),
            (None, Some(why)) => problem = problem.step(in_relay(&why)),
            (None, None) => {}
        }
        if clash.kind == ErrorKind::OccursCheck && self.is_unwritten {
            let help = "a function that calls itself at another type needs all of its type written";
            problem = problem.help(help);
        }
        self.with_origins(problem, at, &[one, other])
    }
}

/// What is certainly not the same in two types.
fn different(expected: &kanshape::Type, found: &kanshape::Type) -> Option<String> {
    let (x, y) = (expected.as_tensor()?, found.as_tensor()?);
    let (xs, ys) = (x.shape.dims()?, y.shape.dims()?);
    if xs.len() != ys.len() {
        let dims = counted(xs.len(), "dim");
        return Some(format!("{} against {dims}", counted(ys.len(), "dim")));
    }
    if xs.is_empty() {
        // A scalar is no more than its dtype.
        return None;
    }
    let dims = xs.iter().zip(ys).enumerate();
    let mut different = dims.filter_map(|(i, (x, y))| match (x.size()?, y.size()?) {
        (x, y) if x != y => Some(format!("dim {i} is {y}, and should be {x}")),
        _ => None,
    });
    different
        .next()
        .or_else(|| match (x.dtype.known(), y.dtype.known()) {
            (Some(x), Some(y)) if x != y => {
                let (x, y) = (dtype_name(x), dtype_name(y));
                Some(format!("the dtype is `{y}`, and should be `{x}`"))
            }
            _ => None,
        })
}

/// Is `_` written somewhere in the head of a function?
fn has_hole(function: &Function) -> bool {
    let params = function.params.iter().filter_map(|param| param.ty.as_ref());
    let mut types = params.chain(&function.result);
    types.any(|ty| written_hole(&ty.node))
}

fn written_hole(ty: &Type) -> bool {
    match ty {
        Type::Hole | Type::Named(_) => true,
        Type::Tensor(shape, dtype) => {
            matches!(shape.node, relay::Shape::Hole) || matches!(dtype, relay::Dtype::Hole)
        }
        Type::Apply(_, parts) | Type::Tuple(parts) => parts.iter().any(|p| written_hole(&p.node)),
        Type::Fn(f) => {
            f.params.iter().any(|p| written_hole(&p.node)) || written_hole(&f.result.node)
        }
        Type::Ref(inner) => written_hole(&inner.node),
        _ => false,
    }
}

/// The types that are written in the head of a function.
fn head_types(function: &Function) -> impl Iterator<Item = &Spanned<Type>> {
    let params = function.params.iter().filter_map(|param| param.ty.as_ref());
    params.chain(&function.result)
}

/// Calls `f` with each tensor that is written in these types.
fn each_tensor<'t>(
    types: impl Iterator<Item = &'t Spanned<Type>>,
    f: &mut dyn FnMut(&relay::Shape, &relay::Dtype),
) {
    fn walk(ty: &Type, f: &mut dyn FnMut(&relay::Shape, &relay::Dtype)) {
        match ty {
            Type::Tensor(shape, dtype) => f(&shape.node, dtype),
            Type::Apply(_, parts) | Type::Tuple(parts) => {
                parts.iter().for_each(|part| walk(&part.node, f));
            }
            Type::Fn(inner) => {
                inner.params.iter().for_each(|part| walk(&part.node, f));
                walk(&inner.result.node, f);
            }
            Type::Ref(inner) => walk(&inner.node, f),
            _ => {}
        }
    }
    for ty in types {
        walk(&ty.node, f);
    }
}

/// The kinds of the names in types, by where they are used.
pub(crate) fn uses_of<'t>(
    types: impl Iterator<Item = &'t Spanned<Type>>,
) -> FxHashMap<Box<str>, Kind> {
    let mut uses: FxHashMap<Box<str>, Kind> = FxHashMap::default();
    each_tensor(types, &mut |shape, dtype| {
        match shape {
            relay::Shape::Name(name) => {
                uses.entry(name.node.clone()).or_insert(Kind::Shape);
            }
            relay::Shape::Dims(dims) => {
                for dim in dims {
                    match &dim.node {
                        relay::Dim::Expr(size) => {
                            let _ = size.clone().map_leaves(&mut |ident| {
                                uses.entry(ident.node.clone()).or_insert(Kind::ShapeVar);
                                kanshape::tree::Expr::Name(ident)
                            });
                        }
                        relay::Dim::Rest(Some(name)) => {
                            uses.entry(name.node.clone()).or_insert(Kind::Shape);
                        }
                        relay::Dim::Any | relay::Dim::Rest(None) => {}
                    }
                }
            }
            relay::Shape::Hole => {}
        }
        if let relay::Dtype::Name(name) = dtype {
            uses.entry(name.node.clone()).or_insert(Kind::BaseType);
        }
    });
    uses
}

/// The names of whole shapes in the head of a function, in their order.
fn free_shapes(function: &Function, into: &mut Vec<Box<str>>) {
    each_tensor(head_types(function), &mut |shape, _| {
        if let relay::Shape::Name(name) = shape
            && !into.contains(&name.node)
        {
            into.push(name.node.clone());
        }
    });
}
